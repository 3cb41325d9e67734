//! `explore --find`, `--always` and `--count`: questions about the states of a graph.

use super::{Args, levels, played, stores};
use crate::answer::{Answer, Failure, Verdict};
use crate::args::Format;
use crate::expressions::Compiler;
use crate::progress::Bar;
use catalog::Catalog;
use control::{Control, Stopped};
use explore::{
    Expander, Exploration, GroupCounter, Groups, KeyedStates, Query, StateId, count_keys,
    count_states, explore, find_state, first_state, line_to, nearest_key,
};
use language::{About, Expression, Interrupted};
use notation::{Start, fen, turns};
use position::{Codec, Layout};
use rules::Turn;
use scale::disk::{Failed, GROUPS_SHARE, Search};
use scale::workers;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use values::{GraphOracle, Values, solve_game};

/// The kind of a question, by its option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Question {
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

/// A question about the graph of a position, with its compiled expressions.
pub struct OpenQuestion<'a, W: Layout> {
    pub start: &'a Start<W>,
    pub question: Question,
    /// The text of the condition.
    pub text: &'a str,
    condition: Expression,
    /// The expression that groups the answer to `--count`.
    pub by: Option<Expression>,
    pub format: Format,
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
        Some(folder) => asked.on_disk(args, folder, &control),
        None => Ok(asked.in_memory(args, &control)),
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
    let game = Arc::clone(&start.game).into();
    let compiler = Compiler::new(catalog, &game, about);
    let condition = compiler.condition(option, text)?;
    let by = args.questions.by.as_deref();
    let by = by.map(|by| compiler.read("--by", by)).transpose()?;
    Ok((condition, by))
}

/// Returns the reason why an evaluation was interrupted.
fn why_stopped(control: &Control<'_>) -> Stopped {
    control.check().err().unwrap_or(Stopped::Interrupted)
}

/// Evaluates the expressions of a question on states that are stored by their keys.
struct Examining<'a, W: Layout> {
    asked: &'a OpenQuestion<'a, W>,
    codec: Codec,
    counter: GroupCounter,
}

impl<'a, W: Layout> Examining<'a, W> {
    fn new(asked: &'a OpenQuestion<'a, W>, args: &Args) -> Examining<'a, W> {
        Examining {
            asked,
            codec: asked.start.game.codec(&asked.start.position),
            counter: GroupCounter::new(args.work.memory.bytes() / GROUPS_SHARE),
        }
    }

    /// Adds the results for some states, at these depths, to `answer`.
    ///
    /// # Errors
    /// If the evaluation is stopped.
    fn add(
        &self,
        (keys, depths): (&[u64], &[u32]),
        control: &Control<'_>,
        answer: &mut workers::Answer,
    ) -> Result<(), Stopped> {
        let states = KeyedStates {
            codec: &self.codec,
            keys,
            depths,
        };
        let query = self.asked.query(control);
        if self.asked.question == Question::Count {
            let groups = count_keys(&query, &states, self.asked.by.as_ref(), &self.counter)?;
            let known = std::mem::take(&mut answer.groups);
            answer.groups = self.counter.joined(known, groups)?;
        } else {
            let nearest = nearest_key(&query, &states);
            let nearest = nearest.map_err(|Interrupted| why_stopped(control))?;
            answer.nearest = [answer.nearest.take(), nearest].into_iter().flatten().min();
        }
        Ok(())
    }

    /// Explores in a folder as far as the question needs, and adds the results to `answer`. Returns the limit that
    /// stopped the search.
    ///
    /// # Errors
    /// As for [`Search::find`] and [`Search::count`].
    fn in_folder(
        &self,
        search: &mut Search<'_>,
        control: &Control<'_>,
        answer: &mut workers::Answer,
    ) -> Result<Option<Stopped>, Failed> {
        let query = self.asked.query(control);
        if self.asked.question == Question::Count {
            let (groups, limit) = search.count(&query, &self.codec, self.asked.by.as_ref())?;
            answer.groups = groups;
            return Ok(limit);
        }
        let found = search.find(&query, &self.codec)?;
        answer.line = found.line.unwrap_or_default();
        Ok(found.limit)
    }
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
        self.add((keys, &depths), control, answer)
    }
}

/// The answer to a question.
#[derive(Default)]
pub struct Finding {
    /// The position that answers the question, and a shortest line to it.
    pub witness: Option<(String, Vec<String>)>,
    pub groups: Groups,
    pub states: u64,
    pub limit: Option<Stopped>,
    /// Whether all states of the graph were examined.
    pub whole: bool,
    /// The reason why required values or counts are missing.
    pub missing: Option<String>,
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

    /// Answers the question for a graph in memory.
    fn in_memory(&self, args: &Args, control: &Control<'_>) -> Finding {
        let (game, root) = (self.start.game.as_ref(), &self.start.position);
        let limits = &args.limits(args.solve);
        if !args.solve && self.question != Question::Count {
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
        let solved = args.solve.then(|| solve_game(game, &found, control));
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
    fn on_disk(
        &self,
        args: &Args,
        folder: &Path,
        control: &Control<'_>,
    ) -> Result<Finding, Failure> {
        let expander = Expander::new(self.start.game.as_ref(), &self.start.position);
        let search = stores::open_folder(args, self.start, folder, &expander, *control);
        let mut search = search.map_err(stores::failure)?;
        let mut answer = workers::Answer::default();
        let examining = Examining::new(self, args);
        let examined = examining.in_folder(&mut search, control, &mut answer);
        let limit = match examined {
            Ok(limit) => limit,
            Err(Failed::Stopped(stopped)) => {
                answer.stopped = Some(stopped);
                None
            }
            Err(failed) => return Err(stores::failure(failed)),
        };
        Ok(self.finding(&expander, answer, (search.states(), limit)))
    }

    /// Answers the question as one of several processes, or starts several of them. Only the first process
    /// prints.
    fn on_workers(&self, args: &Args, out: &mut dyn Write) -> Answer {
        let expander = Expander::new(self.start.game.as_ref(), &self.start.position);
        let by = self.by.as_ref().map_or("", Expression::source);
        let text = format!("{} {} --by {by}", self.question as u8, self.text);
        let question = workers::Question {
            text: &text,
            examiner: &Examining::new(self, args),
        };
        match args.workers.run(args, self.start, Some(question), Ok)? {
            Err(verdict) => Ok(verdict),
            Ok((found, prints)) => {
                let answer = found.answer.unwrap_or_default();
                let explored = (found.summary.states, found.summary.limit);
                let finding = self.finding(&expander, answer, explored);
                match prints {
                    true => self.print(&finding, out),
                    false => self.print(&finding, &mut io::sink()),
                }
            }
        }
    }

    /// Returns the finding for an answer about `states` states, found by a search that `limit` stopped.
    fn finding(
        &self,
        expander: &Expander<'_>,
        answer: workers::Answer,
        (states, limit): (u64, Option<Stopped>),
    ) -> Finding {
        let witness = (!answer.line.is_empty()).then(|| self.played(expander, &answer.line));
        Finding {
            whole: witness.is_none(),
            witness,
            groups: answer.groups,
            states,
            limit: answer.stopped.or(limit),
            missing: answer.stopped.map(|stopped| stopped.limit().to_owned()),
        }
    }

    /// Returns the FEN of the last state on a line of states, and the turns between the states. If several
    /// turns connect two states, the first one in byte order is used. The turns are played, because keys have no
    /// counters of turns.
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
        let levels = levels(&found.summary);
        for (level, depth) in levels.iter().zip(0..) {
            let first = first_state(&query, found, level.clone(), depth);
            if let Some(state) = first.map_err(|Interrupted| why_stopped(control))? {
                let line = line_to(query.game, found, &levels, state);
                finding.witness = Some(self.witness(found, state, &line));
                break;
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
}
