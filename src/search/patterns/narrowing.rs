//! A list of final positions, of which the possible ones are kept along a line.

use board::{Square, Squares};
use smallvec::SmallVec;

/// The square of a unit that was captured.
pub const CAPTURED: Square = Square(u8::MAX);
/// The number of a side's king among its units.
pub const KING: u8 = 0;

/// The squares of one side's units, by number. The king has the number [`KING`].
pub type Units = SmallVec<[Square; 16]>;

/// A list of final positions `E`. Each position of the line is a level, with a value `L`.
pub struct Narrowing<E, L> {
    list: Vec<E>,
    /// The numbers of the final positions that are possible, by level.
    entries: Vec<u32>,
    /// The start of each level in `entries`, and its value.
    levels: Vec<(usize, L)>,
}

impl<E, L> Default for Narrowing<E, L> {
    fn default() -> Self {
        Narrowing {
            list: Vec::new(),
            entries: Vec::new(),
            levels: Vec::new(),
        }
    }
}

impl<E, L> Narrowing<E, L> {
    /// Begins with a list of final positions, all of which are possible.
    pub fn begin(&mut self, list: Vec<E>, level: L) {
        self.entries.extend(0..list.len() as u32);
        self.levels.push((0, level));
        self.list = list;
    }

    /// Returns the number of final positions that are possible at the last level, or `None` without a list.
    pub fn len(&self) -> Option<usize> {
        let (start, _) = self.levels.last()?;
        Some(self.entries.len() - start)
    }

    /// Returns the value of the last level, or `None` without a list.
    pub fn last(&self) -> Option<&L> {
        self.levels.last().map(|(_, level)| level)
    }

    /// Adds a level with the final positions that are still possible. Returns false, and adds nothing, if there are
    /// none. If `last` is set, one of them suffices, because no level follows.
    pub fn enter(&mut self, level: L, last: bool, possible: impl Fn(&E, &L) -> bool) -> bool {
        let end = self.entries.len();
        for n in self.levels.last().map_or(end, |(start, _)| *start)..end {
            let entry = self.entries[n];
            if possible(&self.list[entry as usize], &level) {
                self.entries.push(entry);
                if last {
                    break;
                }
            }
        }
        let any = self.entries.len() > end;
        if any {
            self.levels.push((end, level));
        }
        any
    }

    /// Removes the last level.
    pub fn leave(&mut self) {
        if let Some((start, _)) = self.levels.pop() {
            self.entries.truncate(start);
        }
    }
}

/// Updates the squares of one side's units after a turn. `before` and `after` are the squares that the side occupied
/// before and after it, and `kings` are the kings after it.
pub fn follow<S: Squares>(units: &mut Units, before: S, after: S, kings: S) {
    if before == after {
        return;
    }
    let (gone, new) = (before & !after, after & !before);
    for (unit, at) in units.iter_mut().enumerate() {
        if *at != CAPTURED && gone.has(*at) {
            // In castling, two units move; one of them is the king.
            let there = if unit == usize::from(KING) {
                new & kings
            } else {
                new & !kings
            };
            *at = there.first().unwrap_or(CAPTURED);
        }
    }
}
