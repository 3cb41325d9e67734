//! Builds refutations. A refutation has one answer for each position of the defender that the attacker can
//! reach. After the answer, the goal is not forced within the plies left.
//! [`check_refutation`](crate::check_refutation) describes the rules for refutations.
//!
//! Positions are examined in descending order of the plies left, so each gets one answer, for the most plies
//! that any line leaves there. The answers come from the tables of the search that has shown the bound. If
//! the tables have lost an answer, its position is searched again.

use crate::certificate::Entry;
use crate::check_refutation::SEARCHED_PLIES;
use crate::limits::Pause;
use crate::question::Question;
use control::Stopped;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use rustc_hash::FxHashSet;

/// Maximum number of bytes for the positions of a refutation while it is built.
pub const MAX_REFUTATION_BYTES: usize = 256 << 20;

/// The reason why a refutation was not built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrefuted {
    /// The refutation takes more than [`MAX_REFUTATION_BYTES`].
    TooLarge,
    /// The goal is forced within the plies, nothing has been shown about them, or the rules do not confirm what values
    /// of an oracle or a saved search have shown.
    NotShown,
    /// The construction was stopped.
    Stopped(Stopped),
}

impl From<Pause> for Unrefuted {
    fn from(pause: Pause) -> Unrefuted {
        Unrefuted::Stopped(match pause {
            Pause::Stop(stopped) => stopped,
            Pause::Share => Stopped::Interrupted,
        })
    }
}

/// Returns an answer of the defender after which the goal is not forced within the plies left, if there is one.
pub type Answer<'f, W> = dyn FnMut(&Position<W>, u16) -> Result<Option<Turn>, Pause> + 'f;

/// A refutation that is being built.
struct Builder<'b, 'a, W: Layout> {
    question: &'b Question<'a, W>,
    seen: FxHashSet<Position<W>>,
    /// Positions to examine, by plies left.
    open: Vec<Vec<Position<W>>>,
    entries: Vec<Entry>,
    max_entries: usize,
}

/// Returns the entries that show that the goal is not forced from `root` within `plies`. The game must not be
/// over at `root`.
///
/// # Errors
/// If the goal is forced, the entries take too much memory, or `answer` is stopped.
pub fn entries<W: Layout>(
    question: &Question<'_, W>,
    root: &Position<W>,
    plies: u16,
    answer: &mut Answer<'_, W>,
) -> Result<Vec<Entry>, Unrefuted> {
    // A position in the set, up to half of whose slots are empty, one in a list, and an entry with its key.
    let entry_bytes =
        3 * size_of::<Position<W>>() + size_of::<Entry>() + 8 * question.codec.words();
    let mut builder = Builder {
        question,
        seen: FxHashSet::default(),
        open: vec![Vec::new(); usize::from(plies) + 1],
        entries: Vec::new(),
        max_entries: MAX_REFUTATION_BYTES / entry_bytes,
    };
    if root.side == question.attacker {
        builder.attacks(root, plies)?;
    } else {
        builder.defends(root, plies)?;
    }
    while let Some(plies) = builder.open.iter().rposition(|list| !list.is_empty()) {
        let Some(p) = builder.open[plies].pop() else {
            continue;
        };
        builder.answers(&p, plies as u16, answer)?;
    }
    Ok(builder.entries)
}

impl<W: Layout> Builder<'_, '_, W> {
    /// Adds the positions that the attacker's turns lead to.
    fn attacks(&mut self, p: &Position<W>, plies: u16) -> Result<(), Unrefuted> {
        if plies == 0 {
            return Ok(());
        }
        with_turns(|turns| {
            self.question.game.turns(p, turns);
            for turn in turns.iter() {
                let after = self.question.game.play(p, turn);
                if self.question.reaches(p, turn, &after) {
                    return Err(Unrefuted::NotShown);
                }
                let outcome = self.question.game.outcome(&after);
                if self
                    .question
                    .goal
                    .is_reached(outcome, self.question.attacker)
                {
                    return Err(Unrefuted::NotShown);
                }
                if outcome.is_ongoing() {
                    self.defends(&after, plies - 1)?;
                }
            }
            Ok(())
        })
    }

    /// Adds a position of the defender, if it needs an entry.
    fn defends(&mut self, p: &Position<W>, plies: u16) -> Result<(), Unrefuted> {
        if plies > SEARCHED_PLIES && self.seen.insert(*p) {
            if self.seen.len() > self.max_entries {
                return Err(Unrefuted::TooLarge);
            }
            self.open[usize::from(plies)].push(*p);
        }
        Ok(())
    }

    /// Adds the entry of a position.
    fn answers(
        &mut self,
        p: &Position<W>,
        plies: u16,
        answer: &mut Answer<'_, W>,
    ) -> Result<(), Unrefuted> {
        let game = self.question.game;
        let chosen = answer(p, plies)?.ok_or(Unrefuted::NotShown)?;
        let turn = self.question.number(p, &chosen);
        self.entries.push(Entry {
            key: self.question.key(p),
            rank: plies,
            turn: turn.ok_or(Unrefuted::NotShown)?,
        });
        let after = game.play(p, &chosen);
        let outcome = game.outcome(&after);
        if self
            .question
            .goal
            .is_reached(outcome, self.question.attacker)
        {
            return Err(Unrefuted::NotShown);
        }
        match outcome.is_ongoing() {
            true => self.attacks(&after, plies - 1),
            false => Ok(()),
        }
    }
}
