//! The state key `over=REASON`: the last turn has won the game for a reason that the units on the board do
//! not show. The state is 0, or the number of the reason in a list, from 1.

use position::{BoardOf, Layout, Position};
use rules::{Carried, Legality, Outcome, Reason};

/// The name of the state key.
pub const KEY: &str = "over";

/// The reasons for which a turn can win, in the order of their numbers.
pub struct Over(pub &'static [Reason]);

impl Over {
    /// Returns the reason in the state of a position.
    #[inline]
    fn reason<W: Layout>(&self, p: &Position<W>) -> Option<Reason> {
        (p.state as usize)
            .checked_sub(1)
            .and_then(|index| self.0.get(index).copied())
    }

    /// Returns the win of the side that has just moved, if the state contains a reason.
    #[inline]
    pub fn settled<W: Layout>(&self, p: &Position<W>) -> Option<Outcome> {
        self.reason(p).map(|reason| Outcome::Win(!p.side, reason))
    }
}

impl<W: Layout> Carried<W> for Over {
    fn state_bits(&self) -> u32 {
        usize::BITS - self.0.len().leading_zeros()
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        let reason = self.reason(p).map(|reason| (KEY, reason.to_string()));
        reason.into_iter().collect()
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        let Some(index) = self.0.iter().position(|reason| *reason == value) else {
            return Err(format!("it takes {}", self.0.join(" or ")).into());
        };
        p.state = index as u64 + 1;
        Ok(())
    }
}
