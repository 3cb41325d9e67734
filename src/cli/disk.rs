//! `explore --disk`: the search in a folder, from what was said to what is told.

use super::answer::{Failure, say};
use super::exploring::{Bar, ExploreRequest};
use super::interrupt;
use explore::Expander;
use rules::Game;
pub use scale::disk::Stopped;
use scale::disk::{Limits, Question, Search};
use scale::{SolvedSummary, Summary};
use std::path::Path;
use tables::PROGRAM_LAW;
use values::Layout;

/// What was found, and the values if they were asked for, or why there are none.
pub type Found = (Summary, Option<Result<SolvedSummary, Stopped>>);

/// Explores in a folder, and solves if asked to. What is wrong with folder, files or memory is a failure.
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
        law: [PROGRAM_LAW, game.law()],
    };
    by_key(folder, wish, question, graph).map_err(|stopped| match stopped {
        Stopped::Wrong(error) => Failure::Input(error),
        other => Failure::Broken(other.to_string()),
    })
}

fn by_key(
    folder: &Path,
    wish: &ExploreRequest,
    question: Question,
    graph: &Expander,
) -> Result<Found, Stopped> {
    let limits = Limits {
        memory_bytes: wish.memory_bytes,
        max_states: wish.max_states,
        max_depth: wish.max_depth,
        stop: Some(interrupt::flag()),
    };
    let bar = Bar::new();
    let mut search = Search::open(graph, question, folder, limits)?;
    let summary = search.explore(&bar)?;
    let solved = wish.solve.then(|| solved(wish, &mut search, graph, &bar));
    bar.clear();
    match solved {
        Some(Err(wrong @ Stopped::Wrong(_))) => Err(wrong),
        solved => Ok((summary, solved)),
    }
}

fn solved(
    wish: &ExploreRequest,
    search: &mut Search,
    graph: &Expander,
    bar: &Bar,
) -> Result<SolvedSummary, Stopped> {
    let counts = search.solve(bar)?;
    let certificate = if wish.certifies(search.states()) {
        Some(search.certify(bar)?)
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
