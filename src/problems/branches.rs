//! Lines of help and series play, stored as a tree: turns that several lines share are stored and played only
//! once.

use super::statement::Problem;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Turn;
use search::{Ending, Play, passed};
use std::ops::ControlFlow;

/// A turn with all continuations after it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Branch {
    turn: Turn,
    /// Whether the turn belongs to the introduction of a series.
    introduces: bool,
    /// Whether a line ends here.
    ends: bool,
    /// For a forced or reflex ending: the turns of the opponent that reach the goal, of which one is played.
    answers: Box<[Turn]>,
    next: Vec<Branch>,
}

/// Lines of help and series play, in the order in which they were found. Lines with a common beginning share
/// its turns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Branches {
    roots: Vec<Branch>,
    len: usize,
}

/// A turn of a line.
#[derive(Clone, Debug)]
pub struct Made<W: Layout> {
    /// The position before the turn; in a series or its introduction, after the other side has passed.
    pub before: Position<W>,
    /// The turn.
    pub turn: Turn,
    /// Whether the turn belongs to the introduction of a series.
    pub introduces: bool,
    /// The turn in coordinate notation.
    pub text: String,
    /// The position after the turn.
    pub after: Position<W>,
}

/// Receives a line and the answers that end it, and returns whether to continue.
pub type LineReceiver<'h, W> = dyn FnMut(&[Made<W>], &[Turn]) -> ControlFlow<()> + 'h;

impl Branches {
    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the first turns of all lines, each once.
    pub fn firsts(&self) -> impl Iterator<Item = Turn> {
        self.roots.iter().map(|root| root.turn)
    }

    /// Returns the number of turns of the shortest line, or `None` without lines.
    pub fn shortest(&self) -> Option<u32> {
        shortest(&self.roots)
    }

    /// Adds a line of at least one turn, of which the first `introduction` belong to the introduction of a
    /// series, and the answers that end it. Turns shared with the previous line are
    /// stored once, so lines must be added in the order of a depth-first search. Returns the approximate
    /// number of bytes added.
    pub(super) fn add(
        &mut self,
        line: impl IntoIterator<Item = Turn>,
        introduction: usize,
        answers: Vec<Turn>,
    ) -> u64 {
        // The average spare capacity of a growing list is half its length.
        const BRANCH_BYTES: usize = size_of::<Branch>() * 3 / 2;
        let mut bytes = answers.len() * size_of::<Turn>();
        let mut here = &mut self.roots;
        let mut line = line.into_iter().enumerate().peekable();
        while let Some((n, turn)) = line.next() {
            let introduces = n < introduction;
            let continues = |last: &Branch| last.turn == turn && last.introduces == introduces;
            if !here.last().is_some_and(continues) {
                if here.is_empty() {
                    // Most turns have no sibling.
                    here.reserve_exact(1);
                }
                bytes += BRANCH_BYTES;
                here.push(Branch {
                    turn,
                    introduces,
                    ends: false,
                    answers: Box::default(),
                    next: Vec::new(),
                });
            }
            let Some(branch) = here.last_mut() else {
                break;
            };
            if line.peek().is_none() {
                branch.ends = true;
                branch.answers = answers.into();
                self.len += 1;
                break;
            }
            here = &mut branch.next;
        }
        bytes as u64
    }

    /// Adds lines that follow those of this tree in the order of a depth-first search.
    pub(super) fn append(&mut self, more: Branches) {
        append_branches(&mut self.roots, more.roots);
        self.len += more.len;
    }

    /// Keeps only the first `len` lines.
    pub(super) fn truncate(&mut self, len: usize) {
        let mut left = len;
        truncate_branches(&mut self.roots, &mut left);
        self.len -= self.len.saturating_sub(len);
    }

    /// Calls `receive` with the turns of each line and the answers that end it. Lines come in the byte order
    /// of their turns. Each level of the tree is sorted when it is reached, so the first lines come without
    /// delay.
    ///
    /// # Errors
    /// The first error of `receive`.
    #[inline]
    pub fn each<W: Layout, E>(
        &self,
        problem: &Problem<W>,
        mut receive: impl FnMut(&[Made<W>], &[Turn]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failed = None;
        let roots = &self.roots;
        each_line(roots, problem, &mut |line, answers| {
            failed = receive(line, answers).err();
            match failed {
                None => ControlFlow::Continue(()),
                Some(_) => ControlFlow::Break(()),
            }
        });
        failed.map_or(Ok(()), Err)
    }
}

/// Calls `receive` with every line that begins with one of these branches.
#[per_layout]
fn each_line<W: Layout>(roots: &[Branch], problem: &Problem<W>, receive: &mut LineReceiver<W>) {
    let mut line = Vec::new();
    let start = &problem.start.position;
    let _: ControlFlow<()> = visit(problem, start, roots, &mut line, receive);
}

fn shortest(branches: &[Branch]) -> Option<u32> {
    let of = |branch: &Branch| match branch.ends {
        true => Some(1),
        false => shortest(&branch.next).map(|more| more + 1),
    };
    branches.iter().filter_map(of).min()
}

/// Appends branches. The first of them continues the last branch of `to` if their turns are equal.
fn append_branches(to: &mut Vec<Branch>, more: Vec<Branch>) {
    let mut more = more.into_iter().peekable();
    if let Some(last) = to.last_mut()
        && let Some(first) =
            more.next_if(|first| first.turn == last.turn && first.introduces == last.introduces)
    {
        if first.ends {
            (last.ends, last.answers) = (true, first.answers);
        }
        append_branches(&mut last.next, first.next);
    }
    to.extend(more);
}

fn truncate_branches(branches: &mut Vec<Branch>, left: &mut usize) {
    branches.retain_mut(|branch| {
        if *left == 0 {
            return false;
        }
        *left -= usize::from(branch.ends);
        truncate_branches(&mut branch.next, left);
        true
    });
}

/// Returns the position in which a turn of a line is made; `p` is the position after the previous turn.
fn before<W: Layout>(
    problem: &Problem<W>,
    p: &Position<W>,
    previous: Option<&Made<W>>,
    branch: &Branch,
) -> Position<W> {
    let Play::Series(ending, helped) = problem.stipulation.play else {
        return *p;
    };
    // The side that makes the series begins it after the introduction. In a helped series, the other side makes
    // only the last turn, so it does not pass before that turn.
    if previous.is_none_or(|made| made.introduces != branch.introduces)
        || ending == Ending::Goal && helped && branch.ends
    {
        return *p;
    }
    // This pass is possible, because the search made it, too.
    passed(problem.start.game.as_ref(), p).unwrap_or(*p)
}

fn visit<W: Layout>(
    problem: &Problem<W>,
    p: &Position<W>,
    branches: &[Branch],
    line: &mut Vec<Made<W>>,
    receive: &mut LineReceiver<W>,
) -> ControlFlow<()> {
    let game = problem.start.game.as_ref();
    let mut siblings: Vec<(String, usize)> = Vec::with_capacity(branches.len());
    for (n, branch) in branches.iter().enumerate() {
        let before = before(problem, p, line.last(), branch);
        siblings.push((turns::print(game, &before, &branch.turn), n));
    }
    siblings.sort();
    for (text, n) in siblings {
        let branch = &branches[n];
        let before = before(problem, p, line.last(), branch);
        let after = game.play(&before, &branch.turn);
        line.push(Made {
            before,
            turn: branch.turn,
            introduces: branch.introduces,
            text,
            after,
        });
        if branch.ends {
            receive(line, &branch.answers)?;
        }
        visit(problem, &after, &branch.next, line, receive)?;
        line.pop();
    }
    ControlFlow::Continue(())
}
