//! Exploring and solving in memory, in a folder and on several processes.

use super::Args;
use super::files::Files;
use crate::answer::{Failure, Verdict, say};
use crate::progress::Bar;
use control::evaluation::caught;
use control::{Control, Stopped};
use explore::{Expander, Exploration, Summary, explore};
use notation::{Start, fen};
use report::explored::Explored;
use rules::Game;
use scale::disk::{Failed, Limits, Question, Search};
use scale::{SolvedSummary, Ties};
use std::path::Path;
use tables::PROGRAM_LAW;
use values::{Layout, Unsolved, Values, certify_game, solve_game};

/// What a store has found.
pub struct Found {
    /// The figures of the graph, without those of its values.
    pub figures: Explored,
    pub summary: Summary,
    /// The summary of the values, or the reason why they are missing, if they were requested.
    pub solved: Option<Result<SolvedSummary, Unsolved>>,
    /// Whether the components and the longest path are missing, because their computation was stopped.
    pub lacks_structure: bool,
    /// Descriptions of some wrong values. Any entry means a bug in the program.
    pub faults: Vec<String>,
    /// The graph and its values, if they are in memory.
    pub memory: Option<(Exploration, Option<Values>)>,
}

impl Found {
    fn new<W: Layout>(start: &Start<W>, summary: Summary) -> Found {
        let game = start.game.as_ref();
        let fen = fen::print(game, &start.position);
        Found {
            figures: Explored::new(game.variant().to_string(), fen, &summary),
            summary,
            solved: None,
            lacks_structure: false,
            faults: Vec::new(),
            memory: None,
        }
    }
}

/// Explores, and solves if requested, in memory.
pub fn in_memory<W: Layout>(args: &Args, start: &Start<W>) -> Found {
    let game = start.game.as_ref();
    // Values are computed from the edges.
    let limits = args.limits(!args.no_edges || args.solve);
    let bar = Bar::new();
    let control = args.control(&bar);
    let explored = explore(game, &start.position, &limits, &control);
    let mut found = Found::new(start, explored.summary.clone());
    let structure = || caught(|| args.work.threads.install(|| explored.structure()));
    let is_wanted = !args.no_edges && explored.summary.limit != Some(Stopped::Interrupted);
    let structure = is_wanted.then(structure).transpose();
    found.lacks_structure = structure.is_err();
    if let Ok(Some(Some(structure))) = structure {
        let figures = std::mem::take(&mut found.figures);
        found.figures = figures.with_structure(game, &explored, &structure);
    }
    let solved = args.solve.then(|| solved(args, game, &explored, &control));
    let mut values = None;
    found.solved = solved.map(|solved| {
        let (summary, all, faults) = solved?;
        values = Some(all);
        found.faults = faults;
        Ok(summary)
    });
    bar.clear();
    found.memory = Some((explored, values));
    found
}

/// Solves a graph in memory and certifies its values. Returns the summary, the values and some of the faults.
fn solved<W: Layout>(
    args: &Args,
    game: &dyn Game<W>,
    found: &Exploration,
    control: &Control<'_>,
) -> Result<(SolvedSummary, Values, Vec<String>), Unsolved> {
    let values = solve_game(game, found, control)?;
    let certifies = values.len() as u64 <= args.certified_states();
    let check = || certify_game(game, found, &values, control);
    let certificate = certifies.then(|| args.work.threads.install(check));
    let certificate = certificate.transpose()?;
    let graph = found.graph.as_ref().ok_or(Unsolved::Incomplete)?;
    let expander = Expander::new(game, &found.position(0));
    let (certified, ties) = (certificate.as_ref(), Ties::LeastKey);
    let summary = SolvedSummary::of_graph(&expander, found, graph, &values, certified, ties);
    let faults = certificate.map_or(Vec::new(), |certificate| certificate.faults);
    Ok((summary, values, faults))
}

/// Explores, and solves if requested, in a folder.
///
/// # Errors
/// If the folder, a file or the memory cannot be used.
pub fn on_disk<W: Layout>(args: &Args, start: &Start<W>, folder: &Path) -> Result<Found, Failure> {
    let expander = Expander::new(start.game.as_ref(), &start.position);
    let bar = Bar::new();
    let control = args.control(&bar);
    let explore = || {
        let mut search = open_folder(args, start, folder, &expander, control)?;
        let mut found = Found::new(start, search.explore()?);
        if args.solve {
            let solved = solved_in_folder(args, &mut search);
            found.solved = match solved {
                Ok((summary, faults)) => {
                    found.faults = faults;
                    Some(Ok(summary))
                }
                Err(Failed::Stopped(stopped)) => Some(Err(stopped.into())),
                Err(Failed::Incomplete) => Some(Err(Unsolved::Incomplete)),
                Err(Failed::Distance) => Some(Err(Unsolved::Distance)),
                Err(failed) => return Err(failed),
            };
        }
        bar.clear();
        Ok(found)
    };
    args.work.threads.install(explore).map_err(failure)
}

fn solved_in_folder(
    args: &Args,
    search: &mut Search<'_>,
) -> Result<(SolvedSummary, Vec<String>), Failed> {
    let counts = search.solve()?;
    let certifies = search.states() <= args.certified_states();
    let certificate = certifies.then(|| search.certify()).transpose()?;
    let summary = search.solved_summary(&counts, certificate.as_ref())?;
    Ok((
        summary,
        certificate.map_or(Vec::new(), |certificate| certificate.faults),
    ))
}

/// Converts an error of a search on disk to the failure of the command.
pub fn failure(failed: Failed) -> Failure {
    match failed {
        Failed::Wrong(error) => Failure::Input(error),
        Failed::File(error) => Failure::File(error),
        other => Failure::Broken(other.to_string()),
    }
}

/// Starts a search in a folder, or resumes the search that was started there.
///
/// # Errors
/// If the folder, a file or the memory cannot be used.
pub fn open_folder<'a, W: Layout>(
    args: &Args,
    start: &Start<W>,
    folder: &Path,
    graph: &'a Expander<'_>,
    control: Control<'a>,
) -> Result<Search<'a>, Failed> {
    let game = start.game.as_ref();
    // The identity of the search, with which the folder is labeled.
    let question = Question {
        variant: game.variant().identity(),
        position: fen::print(game, &start.position),
        law: [PROGRAM_LAW, game.facts().law],
    };
    let limits = Limits {
        max_states: args.max_states,
        max_depth: args.max_depth.unwrap_or(u32::MAX),
    };
    let search = Search::open(graph, question, folder, limits, control)?;
    let levels = search.complete_levels();
    if levels > 0 {
        let place = folder.display();
        let levels = control::counted(levels as u64, "level is", "levels are");
        say(&format!(
            "note: {levels} taken from `{place}` as saved there"
        ));
    }
    Ok(search)
}

/// Explores as one of several processes, or starts several of them. The first process
/// opens the files before the work begins. Returns a verdict instead if the work has no result.
///
/// # Errors
/// If a file, a folder, an address or another process cannot be used.
pub fn on_workers<'a, W: Layout>(
    args: &'a Args,
    start: &Start<W>,
    files: &mut Option<Files<'a>>,
) -> Result<Result<Found, Verdict>, Failure> {
    let ran = args.workers.run(args, start, None, |speaks| {
        if speaks {
            *files = Some(Files::open(args)?);
        }
        Ok(())
    })?;
    Ok(ran.map(|(ran, ())| Found::new(start, ran.summary)))
}
