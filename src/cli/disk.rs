//! `explore --disk`: a search whose states are in a folder. This module connects `scale::disk` to the
//! command's options and messages.

use super::answer::{Failure, say};
use super::exploring::ExploreRequest;
use super::interrupt;
use super::progress::Bar;
use control::Control;
use explore::Expander;
use explore::Summary;
use rules::Game;
use scale::SolvedSummary;
pub use scale::disk::Failed;
use scale::disk::{Limits, Question, Search};
use std::path::Path;
use tables::PROGRAM_LAW;
use values::Layout;

/// The explored graph and, if the solution was requested, its values or the reason why they are missing.
pub type Found = (Summary, Option<Result<SolvedSummary, Failed>>);

/// Explores in a folder and solves the graph if requested.
///
/// # Errors
/// If the folder, a file or the memory cannot be used.
pub fn explore<W: Layout>(
    folder: &Path,
    wish: &ExploreRequest,
    game: &dyn Game<W>,
    fen: &str,
    graph: &Expander,
) -> Result<Found, Failure> {
    by_key(folder, wish, question(game, fen), graph).map_err(failure)
}

/// Returns the identity of a search, with which the folder is labeled.
fn question<W: Layout>(game: &dyn Game<W>, fen: &str) -> Question {
    Question {
        variant: game.variant().identity(),
        position: fen.to_string(),
        law: [PROGRAM_LAW, game.facts().law],
    }
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
pub fn open<'a, W: Layout>(
    folder: &Path,
    limits: Limits,
    game: &dyn Game<W>,
    fen: &str,
    graph: &'a Expander<'_>,
    control: Control<'a>,
) -> Result<Search<'a>, Failed> {
    resumed(graph, question(game, fen), folder, limits, control)
}

fn resumed<'a>(
    graph: &'a Expander<'_>,
    question: Question,
    folder: &Path,
    limits: Limits,
    control: Control<'a>,
) -> Result<Search<'a>, Failed> {
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

fn by_key(
    folder: &Path,
    wish: &ExploreRequest,
    question: Question,
    graph: &Expander,
) -> Result<Found, Failed> {
    let limits = Limits {
        max_states: wish.max_states,
        max_depth: wish.max_depth,
    };
    let bar = Bar::new();
    let control = Control::new()
        .with_stop(interrupt::flag())
        .with_time(wish.time)
        .with_memory(wish.memory_bytes)
        .with_threads(wish.threads.count())
        .with_observer(&bar);
    let mut search = resumed(graph, question, folder, limits, control)?;
    let summary = search.explore()?;
    let solved = wish.solve.then(|| solved(wish, &mut search));
    bar.clear();
    match solved {
        Some(Err(failed @ (Failed::Wrong(_) | Failed::File(_)))) => Err(failed),
        solved => Ok((summary, solved)),
    }
}

fn solved(wish: &ExploreRequest, search: &mut Search) -> Result<SolvedSummary, Failed> {
    let counts = search.solve()?;
    let certificate = if wish.certifies(search.states()) {
        Some(search.certify()?)
    } else {
        None
    };
    for fault in certificate.iter().flat_map(|c| &c.faults) {
        say(&format!("wrong value: {fault}"));
    }
    search.solved_summary(&counts, certificate.as_ref())
}
