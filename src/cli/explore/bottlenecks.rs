//! `explore --bottlenecks`: the positions through which every line from the root to a goal passes.

use super::questions::condition;
use super::{Args, levels, played, say_limit};
use crate::answer::{Answer, Verdict};
use crate::args::Format;
use crate::progress::Bar;
use catalog::Catalog;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use explore::{
    Exploration, GameGraph, Query, StateId, bottlenecks, explore, line_to, reaches_without,
    states_where,
};
use language::{Expression, Interrupted};
use notation::{Start, fen};
use position::Layout;
use rayon::prelude::*;
use report::table;
use serde::Serialize;
use std::io::{self, Write};
use struct_field_names_as_array::FieldNamesAsSlice;
use values::{GraphOracle, Values, solve_game};

/// The row of one bottleneck.
#[derive(Serialize, FieldNamesAsSlice)]
struct BottleneckRow {
    variant: String,
    root: String,
    goal: String,
    goals: u64,
    number: usize,
    /// The length of a shortest line from the root, in plies.
    plies: usize,
    fen: String,
    /// The value for the side to move; only with --solve.
    value: Option<String>,
    /// A shortest line from the root.
    line: String,
    /// Whether it was verified that no goal is reachable without this position.
    certified: bool,
}

/// The answer in JSON format.
#[derive(Serialize)]
struct Object<'a> {
    goal: &'a str,
    result: &'static str,
    states: u64,
    goals: u64,
    bottlenecks: &'a [BottleneckRow],
    complete: bool,
    limit: Option<&'a str>,
}

/// The result of the search for bottlenecks.
#[derive(Default)]
struct Finding {
    states: u64,
    goals: u64,
    /// The bottlenecks. `None` if no line leads to a goal, or the root is itself a goal.
    rows: Option<Vec<BottleneckRow>>,
    limit: Option<Stopped>,
    /// The reason why the graph could not be solved.
    unsolved: Option<String>,
    root_is_goal: bool,
}

/// Returns the expression for a goal. The words `white` and `black` mean that this side has won.
fn goal_expression(goal: &str) -> String {
    match goal {
        "white" | "black" => format!("won({goal})"),
        _ => goal.to_owned(),
    }
}

/// Finds the bottlenecks in the graph of a position and writes them to `out`.
pub fn answer<W: Layout>(
    catalog: &Catalog,
    args: &Args,
    goal: &str,
    start: &Start<W>,
    out: &mut dyn Write,
) -> Answer {
    const OPTION: &str = "--bottlenecks";
    args.refuse_files_beside(OPTION)?;
    if args.folder().is_some() {
        let why =
            format!("it cannot be combined with {OPTION}, which needs the whole graph in memory");
        return Err(Diagnostic::new("--disk", why).into());
    }
    let goal = goal_expression(goal);
    let (condition, _) = condition(catalog, args, start, OPTION, &goal)?;
    let bar = Bar::new();
    let control = args.control(&bar);
    let find = || find(args, start, &condition, &goal, &control);
    let finding = args.work.threads.install(find);
    bar.clear();
    print(args.format, &goal, &finding, out)
}

fn find<W: Layout>(
    args: &Args,
    start: &Start<W>,
    condition: &Expression,
    goal: &str,
    control: &Control<'_>,
) -> Finding {
    let game = start.game.as_ref();
    let found = explore(game, &start.position, &args.limits(true), control);
    let mut finding = Finding {
        states: found.states.len() as u64,
        limit: found.summary.limit,
        ..Finding::default()
    };
    let Some(graph) = found.graph.as_ref().filter(|_| found.summary.complete()) else {
        return finding;
    };
    let solved = args.solve.then(|| solve_game(game, &found, control));
    let values = match solved.transpose() {
        Ok(values) => values,
        Err(why) => {
            finding.unsolved = Some(why.to_string());
            return finding;
        }
    };
    if let Err(Interrupted) = examine(
        (start, &found, graph, values.as_ref()),
        (condition, goal),
        control,
        &mut finding,
    ) {
        finding.rows = None;
        finding.limit = Some(control.check().err().unwrap_or(Stopped::Interrupted));
    }
    finding
}

/// Finds the bottlenecks of a complete graph, and certifies each of them by removing it from the graph.
fn examine<W: Layout>(
    (start, found, graph, values): (&Start<W>, &Exploration, &GameGraph, Option<&Values>),
    (condition, goal): (&Expression, &str),
    control: &Control<'_>,
    finding: &mut Finding,
) -> Result<(), Interrupted> {
    let game = start.game.as_ref();
    let oracle = values.map(|values| GraphOracle { found, values });
    let query = Query {
        game,
        condition,
        wanted: true,
        oracle: oracle
            .as_ref()
            .map(|oracle| oracle as &(dyn language::Oracle<W> + Sync)),
        control,
    };
    let goals = states_where(&query, found)?;
    finding.root_is_goal = goals.contains(0);
    let all = bottlenecks(graph, &goals);
    finding.goals = all.goals;
    let Some(states) = all.states else {
        return Ok(());
    };
    let levels = levels(&found.summary);
    let root = fen::print(game, &start.position);
    let row = |(index, &state): (usize, &StateId)| {
        if control.check().is_err() {
            return Err(Interrupted);
        }
        let (_, texts) = played(start, &line_to(game, found, &levels, state));
        Ok(BottleneckRow {
            variant: game.variant().to_string(),
            root: root.clone(),
            goal: goal.to_owned(),
            goals: all.goals,
            number: index + 1,
            plies: texts.len(),
            fen: fen::print(game, &found.position::<W>(state)),
            value: values.map(|values| values.of(state).to_string()),
            line: texts.join(" "),
            certified: !reaches_without(graph, &goals, Some(state)),
        })
    };
    let rows = states.par_iter().enumerate().map(row);
    finding.rows = Some(rows.collect::<Result<_, Interrupted>>()?);
    Ok(())
}

fn print(format: Format, goal: &str, finding: &Finding, out: &mut dyn Write) -> Answer {
    let limit = finding.limit.map(|limit| limit.limit());
    let limit = finding.unsolved.as_deref().or(limit);
    let rows = finding.rows.as_deref().unwrap_or_default();
    let answer = Object {
        goal,
        result: match &finding.rows {
            _ if limit.is_some() => "limit",
            Some(_) => "found",
            None if finding.root_is_goal => "root",
            None => "none",
        },
        states: finding.states,
        goals: finding.goals,
        bottlenecks: rows,
        complete: limit.is_none(),
        limit,
    };
    match format {
        Format::Json => table::json(&answer, out)?,
        Format::Csv => table::csv(rows, out)?,
        Format::Text => print_text(&answer, out)?,
    }
    out.flush()?;
    if let Some(limit) = limit {
        say_limit(limit);
    }
    Ok(match answer.result {
        _ if finding.limit == Some(Stopped::Interrupted) => Verdict::Interrupted,
        "limit" => Verdict::Undecided,
        "none" | "root" => Verdict::Finding,
        _ => Verdict::found(rows.iter().any(|row| !row.certified)),
    })
}

fn print_text(answer: &Object<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Object {
        goal,
        states,
        goals,
        bottlenecks: rows,
        ..
    } = answer;
    match (answer.result, answer.limit) {
        (_, Some(limit)) => {
            return writeln!(out, "undecided: {states} states, then the limit {limit}");
        }
        ("root", _) => {
            return writeln!(
                out,
                "`{goal}` holds at the root: there are no lines to a goal"
            );
        }
        ("none", _) => {
            return writeln!(
                out,
                "`{goal}` holds in none of the {states} states of the complete graph"
            );
        }
        _ => {}
    }
    let subject = match rows.len() {
        0 => "no position is".to_owned(),
        1 => "1 position is".to_owned(),
        count => format!("{count} positions are"),
    };
    writeln!(
        out,
        "{subject} on every line from the root to {goals} of {states} states with `{goal}`"
    )?;
    for row in *rows {
        let value = row.value.as_ref();
        let value = value.map_or(String::new(), |value| format!("  {value}"));
        writeln!(out, "after {:>2} plies  {}{value}", row.plies, row.fen)?;
        writeln!(out, "                {}", row.line)?;
    }
    let faulty = rows.iter().filter(|row| !row.certified).count();
    match (rows.len(), faulty) {
        (0, _) => Ok(()),
        (_, 0) => writeln!(
            out,
            "certified: without any one of these positions, no goal can be reached"
        ),
        (all, faulty) => writeln!(
            out,
            "NOT certified: {faulty} of {all} positions; a goal can be reached without them"
        ),
    }
}
