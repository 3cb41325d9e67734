//! `explore --find`, `--always` and `--count`: questions about the states of a graph.

use super::{Args, played, stores};
use crate::answer::{Answer, Failure, Verdict, say};
use crate::args::{Format, read_setup};
use crate::expressions::Compiler;
use crate::progress::Bar;
use catalog::Catalog;
use control::{Control, Stopped, counted};
use explore::{
    Expander, Exploration, GroupCounter, Groups, KeyedStates, Limits, Query, StateId, count_keys,
    count_states, explore, find_state, first_state, line_to, nearest_key,
};
use language::{About, Expression, Interrupted};
use notation::{Start, fen, turns};
use position::{Codec, Layout};
use report::table;
use rules::Turn;
use scale::disk::Failed;
use scale::workers;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use struct_field_names_as_array::FieldNamesAsSlice;
use values::{GraphOracle, Values, solve_game};

/// The kind of a question, by its option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Find,
    Always,
    Count,
}

/// The options that are questions about the graph.
#[derive(clap::Args)]
pub struct Questions {
    #[command(flatten)]
    asked: Asked,
    /// Group the positions of --count by the value of another expression
    #[arg(
        long,
        value_name = "EXPR",
        requires = "count",
        allow_hyphen_values = true
    )]
    by: Option<String>,
    /// Print the positions that every line to a goal passes through: to positions that `white` or `black` has
    /// won, or to those for which an expression holds. Each is certified by removing it: no goal can then be
    /// reached
    #[arg(
        long,
        value_name = "white|black|EXPR",
        group = "question",
        allow_hyphen_values = true
    )]
    bottlenecks: Option<String>,
}

/// The questions that are one expression.
#[derive(clap::Args)]
#[group(id = "question", multiple = false)]
struct Asked {
    /// Print the shortest line to a position for which EXPR holds, or that the complete graph has none
    /// (exit code 1)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    find: Option<String>,
    /// Print that EXPR holds in every position of the complete graph, or the shortest line to one in which
    /// it does not (exit code 1)
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    always: Option<String>,
    /// Print the number of positions for which EXPR holds
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    count: Option<String>,
}

impl Questions {
    /// Returns the goal of `--bottlenecks`.
    pub fn bottlenecks(&self) -> Option<&str> {
        self.bottlenecks.as_deref()
    }

    /// Returns the kind, the option and the expression of the question, if there is one.
    fn asked(&self) -> Option<(Question, &'static str, &str)> {
        let options = [
            (Question::Find, "--find", &self.asked.find),
            (Question::Always, "--always", &self.asked.always),
            (Question::Count, "--count", &self.asked.count),
        ];
        options
            .into_iter()
            .find_map(|(question, option, text)| Some((question, option, text.as_deref()?)))
    }

    /// Returns whether there is a question.
    pub fn any(&self) -> bool {
        self.asked().is_some() || self.bottlenecks.is_some()
    }
}

/// The answer to `--find`, `--always` or `--count` in JSON format.
#[derive(Serialize)]
struct Object<'a> {
    expression: &'a str,
    result: &'static str,
    plies: Option<usize>,
    line: Option<Vec<String>>,
    fen: Option<String>,
    count: Option<u64>,
    groups: Option<BTreeMap<String, u64>>,
    complete: bool,
    limit: Option<String>,
}

/// The row that answers `--find` or `--always`.
#[derive(Serialize, FieldNamesAsSlice)]
struct WitnessRow<'a> {
    variant: String,
    root: String,
    expression: &'a str,
    result: &'static str,
    plies: Option<usize>,
    line: Option<String>,
    fen: Option<String>,
    complete: bool,
    limit: Option<String>,
}

/// The row of one group of `--count`.
#[derive(Serialize, FieldNamesAsSlice)]
struct GroupRow<'a> {
    variant: &'a str,
    root: &'a str,
    expression: &'a str,
    group: String,
    count: Option<u64>,
    complete: bool,
    limit: Option<&'a str>,
}

/// The row of one group of `--count` in text format.
#[derive(Serialize, FieldNamesAsSlice)]
struct ShortRow {
    group: String,
    count: u64,
}

/// A question about the graph of a position, with its compiled expressions.
struct OpenQuestion<'a, W: Layout> {
    start: &'a Start<W>,
    question: Question,
    text: &'a str,
    condition: Expression,
    by: Option<Expression>,
    format: Format,
}

/// Answers the question about the graph of a position and writes the answer to `out`.
pub fn answer<W: Layout>(
    catalog: &Catalog,
    args: &Args,
    start: &Start<W>,
    out: &mut dyn Write,
) -> Answer {
    let Some((question, option, text)) = args.questions.asked() else {
        return Ok(Verdict::Done);
    };
    args.refuse_files_beside(option)?;
    let (condition, by) = condition(catalog, args, start, option, text)?;
    let asked = OpenQuestion {
        start,
        question,
        text,
        condition,
        by,
        format: args.format,
    };
    if args.workers.asked() {
        return asked.on_workers(args, out);
    }
    let bar = Bar::new();
    let control = args.control(&bar);
    let run = || match args.folder() {
        Some(folder) => asked.run_on_disk(args, folder, &control),
        None => Ok(asked.run(args.solve, &args.limits(args.solve), &control)),
    };
    let finding = args.work.threads.install(run)?;
    bar.clear();
    asked.print(&finding, out)
}

/// Compiles the condition of a question, and the expression that groups the answer if there is one.
///
/// # Errors
/// If an expression is invalid.
pub fn condition<W: Layout>(
    catalog: &Catalog,
    args: &Args,
    start: &Start<W>,
    option: &str,
    text: &str,
) -> Result<(Expression, Option<Expression>), Failure> {
    let about = About {
        values: args.solve,
        graph: true,
        ..About::POSITION
    };
    let variant = args.variant.open(catalog)?;
    let game = read_setup(&variant, Some(&fen_of(start)))?.game();
    let compiler = Compiler::new(catalog, &game, about);
    let condition = compiler.condition(option, text)?;
    let by = args.questions.by.as_deref();
    let by = by.map(|by| compiler.read("--by", by)).transpose()?;
    Ok((condition, by))
}

fn fen_of<W: Layout>(start: &Start<W>) -> String {
    fen::print(start.game.as_ref(), &start.position)
}

/// The part of the limit of memory that groups may take if a search has most of it.
const GROUPS_SHARE: u64 = 8;

/// Evaluates the expressions of a question on the states of a worker.
struct Examining<'a, W: Layout> {
    asked: &'a OpenQuestion<'a, W>,
    codec: Codec,
    counter: GroupCounter,
}

impl<W: Layout> workers::Examiner for Examining<'_, W> {
    fn examine(
        &self,
        keys: &[u64],
        depth: u32,
        control: &Control<'_>,
        answer: &mut workers::Answer,
    ) -> Result<(), Stopped> {
        let depths = vec![depth; keys.len() / self.codec.words()];
        let states = KeyedStates {
            codec: &self.codec,
            keys,
            depths: &depths,
        };
        let query = self.asked.query(control);
        if self.asked.question == Question::Count {
            let groups = count_keys(&query, &states, self.asked.by.as_ref(), &self.counter)?;
            answer.groups = self
                .counter
                .joined(std::mem::take(&mut answer.groups), groups)?;
            return Ok(());
        }
        let nearest = nearest_key(&query, &states);
        let nearest =
            nearest.map_err(|Interrupted| control.check().err().unwrap_or(Stopped::Interrupted))?;
        answer.add(workers::Answer {
            nearest,
            ..workers::Answer::default()
        });
        Ok(())
    }
}

/// The answer to a question.
#[derive(Default)]
struct Finding {
    /// The position that answers the question, and a shortest line to it.
    witness: Option<(String, Vec<String>)>,
    groups: Groups,
    states: u64,
    limit: Option<Stopped>,
    /// Whether all states of the graph were examined.
    whole: bool,
    /// The reason why required values or counts are missing.
    missing: Option<String>,
}

impl Finding {
    /// Returns the number of states that were counted, if all states were examined.
    fn count(&self) -> Option<u64> {
        let is_counted = self.missing.is_none();
        is_counted.then(|| self.groups.values().sum())
    }
}

impl<W: Layout> OpenQuestion<'_, W> {
    fn query<'q>(&'q self, control: &'q Control<'q>) -> Query<'q, W> {
        Query {
            game: self.start.game.as_ref(),
            condition: &self.condition,
            wanted: self.question != Question::Always,
            oracle: None,
            control,
        }
    }

    fn run(&self, solve: bool, limits: &Limits, control: &Control<'_>) -> Finding {
        let (game, root) = (self.start.game.as_ref(), &self.start.position);
        if !solve && self.question != Question::Count {
            let found = find_state(&self.query(control), root, limits);
            let witness = found
                .state
                .map(|state| self.witness(&found.found, state, &found.line));
            return Finding {
                whole: witness.is_none(),
                witness,
                states: found.found.states.len() as u64,
                limit: found.found.summary.limit,
                ..Finding::default()
            };
        }
        let found = explore(game, root, limits, control);
        let mut finding = Finding {
            states: found.states.len() as u64,
            limit: found.summary.limit,
            whole: true,
            ..Finding::default()
        };
        let solved = solve.then(|| solve_game(game, &found, control));
        let values = match solved.transpose() {
            Ok(values) => values,
            // What does not depend on values can be counted without them.
            Err(_) if !self.reads_values() && self.question == Question::Count => None,
            Err(why) => {
                finding.missing = Some(why.to_string());
                return finding;
            }
        };
        if let Err(stopped) = self.examine(&found, values.as_ref(), control, &mut finding) {
            finding.limit = Some(stopped);
            finding.missing = Some(stopped.limit().to_owned());
        }
        finding
    }

    /// Returns whether an expression of the question depends on the values of positions.
    fn reads_values(&self) -> bool {
        self.condition.reads_values() || self.by.as_ref().is_some_and(Expression::reads_values)
    }

    /// Answers the question for the states of a search in a folder.
    ///
    /// # Errors
    /// If the folder, a file or the memory cannot be used.
    fn run_on_disk(
        &self,
        args: &Args,
        folder: &Path,
        control: &Control<'_>,
    ) -> Result<Finding, Failure> {
        let expander = Expander::new(self.start.game.as_ref(), &self.start.position);
        let search = stores::open_folder(args, self.start, folder, &expander, *control);
        let mut search = search.map_err(stores::failure)?;
        let mut finding = Finding {
            whole: true,
            ..Finding::default()
        };
        let (query, codec) = (
            self.query(control),
            self.start.game.codec(&self.start.position),
        );
        let examined = match self.question {
            Question::Count => {
                let counted = search.count(&query, &codec, self.by.as_ref());
                counted.map(|(groups, limit)| (finding.groups, finding.limit) = (groups, limit))
            }
            _ => search.find(&query, &codec).map(|found| {
                finding.limit = found.limit;
                finding.whole = found.line.is_none();
                finding.witness = found.line.map(|keys| self.played(&expander, &keys));
            }),
        };
        finding.states = search.states();
        match examined {
            Ok(()) => {}
            Err(Failed::Stopped(stopped)) => {
                finding.limit = Some(stopped);
                finding.missing = Some(stopped.limit().to_owned());
            }
            Err(failed) => return Err(stores::failure(failed)),
        }
        Ok(finding)
    }

    /// Answers the question as one of several processes, or starts several of them. Only the first process
    /// prints.
    fn on_workers(&self, args: &Args, out: &mut dyn Write) -> Answer {
        let game = self.start.game.as_ref();
        let expander = Expander::new(game, &self.start.position);
        let examiner = Examining {
            asked: self,
            codec: game.codec(&self.start.position),
            counter: GroupCounter::new(args.work.memory.bytes() / GROUPS_SHARE),
        };
        let by = self.by.as_ref().map_or("", Expression::source);
        let text = format!("{} {} --by {by}", self.question as u8, self.text);
        let question = workers::Question {
            text: &text,
            examiner: &examiner,
        };
        let ran = args.workers.run(args, self.start, Some(question), Ok)?;
        let (found, speaks) = match ran {
            Ok(ran) => ran,
            Err(verdict) => return Ok(verdict),
        };
        let answer = found.answer.unwrap_or_default();
        let finding = Finding {
            witness: (!answer.line.is_empty()).then(|| self.played(&expander, &answer.line)),
            groups: answer.groups,
            states: found.summary.states,
            limit: answer.stopped.or(found.summary.limit),
            whole: answer.line.is_empty(),
            missing: answer.stopped.map(|stopped| stopped.limit().to_owned()),
        };
        match speaks {
            true => self.print(&finding, out),
            false => self.print(&finding, &mut io::sink()),
        }
    }

    /// Returns the FEN of the last state on a line of states, and the turns between the states. If several
    /// turns connect two states, the first one in byte order is used.
    fn played(&self, expander: &Expander<'_>, keys: &[Vec<u64>]) -> (String, Vec<String>) {
        let game = self.start.game.as_ref();
        let texts = expander.turns_along(keys);
        let position = texts.iter().fold(self.start.position, |position, text| {
            let mut turns = turns::sorted(game, &position).into_iter();
            let turn = turns.find_map(|(known, turn)| (known == *text).then_some(turn));
            turn.map_or(position, |turn| game.play(&position, &turn))
        });
        (fen::print(game, &position), texts)
    }

    /// Answers the question for states that have been explored and, if required, solved.
    fn examine(
        &self,
        found: &Exploration,
        values: Option<&Values>,
        control: &Control<'_>,
        finding: &mut Finding,
    ) -> Result<(), Stopped> {
        let interrupted = |Interrupted| control.check().err().unwrap_or(Stopped::Interrupted);
        let oracle = values.map(|values| GraphOracle { found, values });
        let query = Query {
            oracle: oracle
                .as_ref()
                .map(|oracle| oracle as &(dyn language::Oracle<W> + Sync)),
            ..self.query(control)
        };
        if self.question == Question::Count {
            finding.groups = count_states(&query, found, self.by.as_ref())?;
            return Ok(());
        }
        let (mut levels, mut start) = (Vec::new(), 0);
        for row in &found.summary.depths {
            let level = start..start + row.states as usize;
            start = level.end;
            levels.push(level.clone());
            let first = first_state(&query, found, level, row.depth).map_err(interrupted)?;
            if let Some(state) = first {
                let line = line_to(query.game, found, &levels, state);
                finding.witness = Some(self.witness(found, state, &line));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the FEN of a state, and the turns that lead to it as text.
    fn witness(&self, found: &Exploration, state: StateId, line: &[Turn]) -> (String, Vec<String>) {
        let (position, texts) = played(self.start, line);
        debug_assert!(
            position == found.position(state),
            "the line leads to the state"
        );
        (fen::print(self.start.game.as_ref(), &position), texts)
    }

    fn print(&self, finding: &Finding, out: &mut dyn Write) -> Answer {
        let limit = finding.limit.map(|limit| limit.limit().to_owned());
        let limit = limit.or_else(|| finding.missing.clone());
        let undecided = limit.is_some() && finding.witness.is_none();
        let result = match self.question {
            Question::Count if finding.missing.is_some() => "limit",
            Question::Count => "count",
            _ if undecided => "limit",
            Question::Find if finding.witness.is_some() => "found",
            Question::Find => "none",
            Question::Always if finding.witness.is_some() => "counterexample",
            Question::Always => "holds",
        };
        match (self.format, self.question) {
            (Format::Json, _) => self.print_json(finding, result, limit.clone(), out)?,
            (Format::Csv, Question::Count) => self.print_groups(finding, limit.as_deref(), out)?,
            (Format::Csv, _) => table::csv(&[self.row(finding, result, limit.clone())], out)?,
            (Format::Text, Question::Count) if finding.missing.is_none() => match &self.by {
                Some(_) if !finding.groups.is_empty() => {
                    let rows: Vec<ShortRow> = finding
                        .groups
                        .iter()
                        .map(|(group, &count)| ShortRow {
                            group: group.to_string(),
                            count,
                        })
                        .collect();
                    table::text(&rows, out)?;
                }
                _ => writeln!(out, "{}", finding.groups.values().sum::<u64>())?,
            },
            (Format::Text, _) => self.print_text(finding, result, limit.as_deref(), out)?,
        }
        out.flush()?;
        if let Some(limit) = &limit
            && (undecided || self.question == Question::Count)
        {
            say(&format!(
                "stopped by the limit {limit}: the graph is not complete"
            ));
        }
        if finding.limit == Some(Stopped::Interrupted) {
            return Ok(Verdict::Interrupted);
        }
        Ok(match result {
            "limit" => Verdict::Undecided,
            "count" if limit.is_some() => Verdict::Undecided,
            "none" | "counterexample" => Verdict::Finding,
            _ => Verdict::Done,
        })
    }

    fn print_text(
        &self,
        finding: &Finding,
        result: &str,
        limit: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let states = finding.states;
        match (&finding.witness, limit) {
            (Some((fen, line)), _) => {
                let plies = counted(line.len() as u64, "ply", "plies");
                writeln!(out, "{result} after {plies}")?;
                if !line.is_empty() {
                    writeln!(out, "{}", line.join(" "))?;
                }
                writeln!(out, "{fen}")
            }
            (None, Some(limit)) => {
                writeln!(out, "undecided: {states} states, then the limit {limit}")
            }
            (None, None) if result == "holds" => {
                writeln!(out, "holds in all {states} states of the complete graph")
            }
            (None, None) => writeln!(out, "none of the {states} states of the complete graph"),
        }
    }

    fn print_json(
        &self,
        finding: &Finding,
        result: &'static str,
        limit: Option<String>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let counts = self.question == Question::Count;
        let groups = |groups: &Groups| {
            let pairs = groups
                .iter()
                .map(|(group, &count)| (group.to_string(), count));
            pairs.collect::<BTreeMap<String, u64>>()
        };
        let object = Object {
            expression: self.text,
            result,
            plies: finding.witness.as_ref().map(|(_, line)| line.len()),
            line: finding.witness.as_ref().map(|(_, line)| line.clone()),
            fen: finding.witness.as_ref().map(|(fen, _)| fen.clone()),
            count: finding.count().filter(|_| counts),
            groups: (finding.missing.is_none() && counts)
                .then_some(self.by.as_ref())
                .flatten()
                .map(|_| groups(&finding.groups)),
            complete: finding.whole && limit.is_none(),
            limit,
        };
        table::json(&object, out)
    }

    fn row(
        &self,
        finding: &Finding,
        result: &'static str,
        limit: Option<String>,
    ) -> WitnessRow<'_> {
        WitnessRow {
            variant: self.start.game.variant().to_string(),
            root: fen_of(self.start),
            expression: self.text,
            result,
            plies: finding.witness.as_ref().map(|(_, line)| line.len()),
            line: finding.witness.as_ref().map(|(_, line)| line.join(" ")),
            fen: finding.witness.as_ref().map(|(fen, _)| fen.clone()),
            complete: finding.whole && limit.is_none(),
            limit,
        }
    }

    fn print_groups(
        &self,
        finding: &Finding,
        limit: Option<&str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (variant, root) = (self.start.game.variant().to_string(), fen_of(self.start));
        let row = |group: String, count: Option<u64>| GroupRow {
            variant: &variant,
            root: &root,
            expression: self.text,
            group,
            count,
            complete: limit.is_none(),
            limit,
        };
        let rows: Vec<GroupRow<'_>> = match &self.by {
            Some(_) if finding.missing.is_none() => finding
                .groups
                .iter()
                .map(|(group, &count)| row(group.to_string(), Some(count)))
                .collect(),
            _ => vec![row(String::new(), finding.count())],
        };
        table::csv(&rows, out)
    }
}
