//! `explore --disk`: the search in a folder.

use super::answer::{Failure, say};
use super::exploring::ExploreRequest;
use super::interrupt;
use super::progress::Bar;
use control::Control;
use explore::Expander;
use rules::Game;
pub use scale::disk::Failed;
use scale::disk::{Limits, Question, Search};
use scale::{SolvedSummary, Summary};
use std::path::Path;
use tables::PROGRAM_LAW;
use values::Layout;

/// The graph, and its values or why there are none, if they were requested.
pub type Found = (Summary, Option<Result<SolvedSummary, Failed>>);

/// Explores in a folder, and solves if requested.
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
    let variant = game.variant();
    let question = Question {
        variant: variant.identity(),
        position: fen.to_string(),
        law: [PROGRAM_LAW, game.facts().law],
    };
    by_key(folder, wish, question, graph).map_err(|stopped| match stopped {
        Failed::Wrong(error) => Failure::Input(error),
        Failed::File(error) => Failure::File(error),
        other => Failure::Broken(other.to_string()),
    })
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
        .with_memory(wish.memory_bytes)
        .with_threads(wish.threads.count())
        .with_observer(&bar);
    let mut search = Search::open(graph, question, folder, limits, control)?;
    let levels = search.complete_levels();
    if levels > 0 {
        let place = folder.display();
        let levels = control::counted(levels as u64, "level is", "levels are");
        say(&format!(
            "note: {levels} taken from `{place}` as saved there"
        ));
    }
    let summary = search.explore()?;
    let solved = wish.solve.then(|| solved(wish, &mut search, graph));
    bar.clear();
    match solved {
        Some(Err(failed @ (Failed::Wrong(_) | Failed::File(_)))) => Err(failed),
        solved => Ok((summary, solved)),
    }
}

fn solved(
    wish: &ExploreRequest,
    search: &mut Search,
    graph: &Expander,
) -> Result<SolvedSummary, Failed> {
    let counts = search.solve()?;
    let certificate = if wish.certifies(search.states()) {
        Some(search.certify()?)
    } else {
        None
    };
    for fault in certificate.iter().flat_map(|c| &c.faults) {
        say(&format!(
            "wrong value: {}: {}",
            graph.fen(&fault.key),
            fault.why
        ));
    }
    search.solved_summary(&counts, certificate.as_ref())
}
