//! Verdicts on problems: sound, cooked, short or without a solution.

use crate::solution::Solution;
use crate::statement::Problem;
use crate::stipulation::Stipulation;
use crate::tree::{Move, Tree};
use position::Layout;
use search::{Ending, Play};

/// The verdict on a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// One solution, and none shorter.
    Sound,
    /// More than one key in direct, self or reflex play; all but one are cooks.
    Cooked,
    /// More than one line of help or series play, which the composer may have intended.
    Several,
    /// One or more solutions in fewer moves than stipulated.
    Short,
    /// No solution.
    None,
    /// The search was stopped.
    Undecided,
}

impl Verdict {
    /// Returns the verdict as a word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Sound => "sound",
            Verdict::Cooked => "cooked",
            Verdict::Several => "several-solutions",
            Verdict::Short => "short-solution",
            Verdict::None => "no-solution",
            Verdict::Undecided => "undecided",
        }
    }

    /// Returns the verdict on `count` solutions. `short` is whether one of them is shorter than stipulated.
    fn of(stipulation: &Stipulation, count: usize, short: bool, complete: bool) -> Verdict {
        match (complete, count) {
            (_, 2..) if !short => match stipulation.play {
                Play::Help(_) | Play::Series(..) => Verdict::Several,
                _ => Verdict::Cooked,
            },
            _ if short => Verdict::Short,
            (false, _) => Verdict::Undecided,
            (true, 0) => Verdict::None,
            (true, _) => Verdict::Sound,
        }
    }
}

/// Returns the verdict on the solution of a problem.
#[inline]
pub fn verdict<W: Layout>(problem: &Problem<W>, solution: &Solution) -> Verdict {
    verdict_of(&problem.stipulation, solution)
}

/// Returns the verdict on a solution in words.
#[inline]
pub fn verdict_text<W: Layout>(problem: &Problem<W>, solution: &Solution) -> String {
    match verdict(problem, solution) {
        Verdict::Sound => "sound: one solution".to_string(),
        Verdict::Cooked | Verdict::Several => format!("{} solutions", solution.count()),
        Verdict::Short if solution.count() == 1 => {
            "1 solution, shorter than stipulated".to_string()
        }
        Verdict::Short => format!("{} solutions, with shorter ones", solution.count()),
        Verdict::None => "no solution".to_string(),
        Verdict::Undecided => format!("undecided: {} found so far", solution.count()),
    }
}

fn verdict_of(stipulation: &Stipulation, solution: &Solution) -> Verdict {
    let short = solution
        .keys
        .iter()
        .any(|key| key.moves < stipulation.moves)
        || solution
            .lines
            .shortest()
            .is_some_and(|turns| turns < line_turns(stipulation));
    Verdict::of(
        stipulation,
        solution.count(),
        short,
        solution.stopped.is_none(),
    )
}

/// Returns the number of turns of a line of help or series play of the stipulated length.
fn line_turns(stipulation: &Stipulation) -> u32 {
    match stipulation.play {
        Play::Help(Ending::Goal) => stipulation.plies(),
        Play::Help(_) => stipulation.plies() - 1,
        Play::Series(Ending::Goal, helped) => {
            stipulation.introduction + stipulation.moves + u32::from(helped)
        }
        _ => stipulation.introduction + stipulation.moves,
    }
}

/// Returns the verdict on stored play: the keys of a tree, or lines with these numbers of turns. The play
/// itself is not checked.
pub fn stored_verdict(
    stipulation: &Stipulation,
    tree: &Tree,
    line_lengths: impl Iterator<Item = usize>,
    complete: bool,
) -> Verdict {
    let keys = tree.keys.iter().map(Move::moves);
    let lines = line_lengths.map(|turns| turns as u32);
    let (count, short) = match stipulation.play {
        Play::Help(_) | Play::Series(..) => count_short(lines, line_turns(stipulation)),
        _ => count_short(keys, stipulation.moves),
    };
    Verdict::of(stipulation, count, short, complete)
}

/// Counts solutions. Also returns whether one of them is shorter than `length`.
fn count_short(lengths: impl Iterator<Item = u32>, length: u32) -> (usize, bool) {
    lengths.fold((0, false), |(count, short), own| {
        (count + 1, short || own < length)
    })
}
