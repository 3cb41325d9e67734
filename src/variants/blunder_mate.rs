//! # Blunder-Mate Chess
//!
//! A player whose opponent has just had another turn, which would have let the player checkmate at
//! once, points that out and wins.
//!
//! ## Against FIDE
//! | FIDE | Blunder-Mate |
//! |---|---|
//! | checkmate wins | so does a blunder-mate, for the side to move |
//! | stalemate is a draw | not if it can be answered by a blunder-mate |
//!
//! ## Rulings
//! * Each turn leaves in the state whether it was one of several that matter: `blunder=1` if its
//!   mover had ANOTHER legal turn after which the opponent could have checkmated with one turn.
//! * Legal turns and checkmates in that question are orthodox: that a blunder-mate itself would
//!   end the game is ignored.
//! * Turns that differ only in promotion are different turns.
//! * A checkmated side has lost before it can claim a blunder-mate; a stalemated one
//!   still can.
//!
//! ## Example
//! After `f2f4 e7e6` the turn `g2g4` lets Black mate by `d8h4`. Any other third turn therefore
//! leaves `blunder=1`, and Black wins at once by **blunder-mate**; after `g2g4` itself there is no
//! other such turn, and Black has to play the checkmate.

use crate::parts::{mating, orthodox};
use board::{Color, Geometry, Square, Squares};
use position::{BoardOf, Layout, Position, Rights};
use rules::{Carried, Facts, Flow, Legality, Outcome, Reason, Rules, Turn};
use rules::{MATE, STALEMATE, VariantInfo};
use std::cell::RefCell;

/// The opponent had another turn that would have allowed a checkmate.
pub const BLUNDER_MATE: Reason = "blunder-mate";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "blunder-mate",
    name: "Blunder-Mate Chess",
    difference: "one also wins if the opponent could have played another turn that allowed mate in one",
    state: &[(
        "blunder",
        "1: the last turn's mover had another turn that would have allowed checkmate at once",
    )],
    reasons: &[
        MATE,
        (
            BLUNDER_MATE,
            "instead of the last turn another one would have let the side to move checkmate at once: it wins",
        ),
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<BlunderMate>(include_str!("blunder_mate.rs"))
};

/// Blunder-Mate Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlunderMate;

/// The legal turns of a position after which the opponent could checkmate at once. Only the first one is
/// stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Blunders {
    None,
    One(Turn),
    Several,
}

impl Blunders {
    fn find<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> Blunders {
        let mut found = Blunders::None;
        let _ = mating::blunders(b, p, |turn| {
            match found {
                Blunders::None => found = Blunders::One(turn),
                _ => found = Blunders::Several,
            }
            if found == Blunders::Several {
                Flow::Break(())
            } else {
                Flow::Continue(())
            }
        });
        found
    }

    /// Returns whether there is such a turn other than `turn`.
    fn but(self, turn: &Turn) -> bool {
        match self {
            Blunders::None => false,
            Blunders::One(only) => only != *turn,
            Blunders::Several => true,
        }
    }
}

/// The parts of a position on which [`Blunders::find`] depends, in a form that is independent of the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlunderKey {
    geometry: Geometry,
    planes: [u128; 4],
    side: Color,
    rights: Rights,
    en_passant: Option<Square>,
}

impl BlunderKey {
    #[inline(always)]
    fn of<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> BlunderKey {
        let [white, low, middle, high] = p.planes();
        BlunderKey {
            geometry: b.geometry(),
            planes: [white.bits(), low.bits(), middle.bits(), high.bits()],
            side: p.side,
            rights: p.rights,
            en_passant: p.en_passant(),
        }
    }

    /// Returns the index of the cache entry, below [`REMEMBERED`].
    #[inline(always)]
    fn slot(&self) -> usize {
        let mixed = self.planes.iter().fold(0u64, |mixed, plane| {
            (mixed.rotate_left(23) ^ *plane as u64 ^ (*plane >> 64) as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        (mixed >> 32) as usize % REMEMBERED
    }
}

/// Number of entries of the cache. It is large enough for the positions of one line of play.
const REMEMBERED: usize = 64;

thread_local! {
    // A cache of results. All turns of a position need the same result, and they are mostly played one after
    // the other. Each entry contains its exact key, so the cache never affects results.
    static ANSWERS: RefCell<[Option<(BlunderKey, Blunders)>; REMEMBERED]> =
        const { RefCell::new([None; REMEMBERED]) };
}

fn blunders<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> Blunders {
    let asked = BlunderKey::of(b, p);
    let slot = asked.slot();
    ANSWERS.with_borrow_mut(|answers| match answers[slot] {
        Some((known, answer)) if known == asked => answer,
        _ => {
            let answer = Blunders::find(b, p);
            answers[slot] = Some((asked, answer));
            answer
        }
    })
}

impl<W: Layout> Rules<W> for BlunderMate {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        after.state = u64::from(blunders(b, p).but(turn));
    }

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let wins = p.state != 0 && !orthodox::is_checkmate(b, p);
        wins.then_some(Outcome::Win(p.side, BLUNDER_MATE))
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for BlunderMate {
    fn state_bits(&self) -> u32 {
        1
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        if p.state == 0 {
            return Vec::new();
        }
        vec![("blunder", "1".to_string())]
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        if value != "1" {
            return Err("the value must be 1; leave the key out for no".into());
        }
        p.state = 1;
        Ok(())
    }
}
