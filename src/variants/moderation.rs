//! # Moderation Chess
//!
//! Three checks are all that a player may give in a game, but for the one that mates.
//!
//! ## Against FIDE
//! | FIDE | Moderation |
//! |---|---|
//! | any number of checks | three for each side; after them a turn may give check only if it checkmates |
//!
//! ## Rulings
//! * State `checks=W,B`: checks given so far by White and by Black, 0 to 3. A turn that gives
//!   check counts once, a double check too; at 3 the count stays.
//! * Whether a fourth check mates is decided by orthodox chess: the opponent then has no orthodox
//!   legal turn. The opponent's own used-up checks neither save nor mate at that moment.
//! * The option `fourth=own` reads "mates" otherwise: the opponent has no turn that Moderation allows. Checks that
//!   answer checks are examined to eight plies.
//! * A side that has used up its checks and, in check, could only get out of it by checking is
//!   checkmated; not in check, it is stalemated, which is a draw.
//!
//! ## Example
//! `4k3/8/4K3/8/8/8/8/R7 w - - 0 1 checks=3,0`: `a1a8` is allowed, as it mates. With the black
//! king on g8 it would be the fourth check that White may not give.

use crate::parts::{checks::Sift, orthodox};
use board::Color;
use position::{BoardOf, Layout, Position};
use rules::fide::{self, Fide};
use rules::{AnyGame, Carried, Facts, Flow, Legality, Rules, Sink, Turn};
use rules::{MATE, OptionPurpose, STALEMATE, VariantInfo, VariantOption};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "moderation",
    name: "Moderation Chess",
    difference: "each side may give three checks; after them only a checkmate",
    state: &[(
        "checks",
        "checks given so far by White and Black, 0 to 3 each",
    )],
    reasons: &[MATE, STALEMATE],
    source: include_str!("moderation.rs"),
    options: &[VariantOption {
        name: OWN,
        range: None,
        purpose: OptionPurpose::Ruling,
        help: "a fourth check mates if the opponent has no turn that Moderation allows",
    }],
    open: |variant, geometry| {
        let rules = Moderation {
            own: variant.has(OWN),
        };
        AnyGame::plain(rules, variant.clone(), geometry)
    },
    ..crate::parts::GOAL_VARIANT
};

/// Number of checks that each side may give.
const ALLOWED: u64 = 3;

/// Number of bits for the count of one side.
const COUNT_BITS: u32 = 2;

/// The option with which the turns of Moderation, not those of orthodox chess, decide whether a fourth check
/// mates.
const OWN: &str = "fourth=own";

/// Maximum number of cross-checks in a row that are examined. Only cross-checks of sides that have used up
/// their checks count, so longer chains hardly exist.
const MAX_CROSS_CHECKS: u32 = 8;

/// Moderation Chess.
#[derive(Clone, Copy, Debug)]
pub struct Moderation {
    /// Whether a fourth check mates if the opponent has no turn that Moderation allows.
    own: bool,
}

fn given<W: Layout>(p: &Position<W>, color: Color) -> u64 {
    p.state >> (color.index() as u32 * COUNT_BITS) & ALLOWED
}

impl Moderation {
    /// Returns whether a turn that leads to the position `after` is allowed once the mover's checks are used
    /// up.
    fn allowed<W: Layout>(self, b: &BoardOf<W>, after: &Position<W>) -> bool {
        !orthodox::in_check(b, after, after.side)
            || !match self.own {
                true => has_own_turn(b, after, MAX_CROSS_CHECKS),
                false => orthodox::has_turn(b, after),
            }
    }
}

/// Returns whether the side to move has a turn that Moderation allows. The side must be in check. If `plies`
/// is 0, every orthodox turn counts as allowed.
fn has_own_turn<W: Layout>(b: &BoardOf<W>, p: &Position<W>, plies: u32) -> bool {
    if given(p, p.side) < ALLOWED || plies == 0 {
        return orthodox::has_turn(b, p);
    }
    orthodox::any_turn(b, p, |turn| {
        let after = orthodox::moved(b, p, turn);
        !orthodox::in_check(b, &after, after.side) || !has_own_turn(b, &after, plies - 1)
    })
}

impl<W: Layout> Rules<W> for Moderation {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if given(p, p.side) < ALLOWED {
            return fide::unfiltered(&Fide, b, p, c);
        }
        let judge = |turn: &Turn| self.allowed(b, &orthodox::moved(b, p, turn));
        orthodox::turns(b, p, &mut Sift::new(b, p, c, judge))
    }

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, _: &Turn, after: &mut Position<W>) {
        if given(p, p.side) < ALLOWED && orthodox::in_check(b, after, after.side) {
            after.state += 1 << (p.side.index() as u32 * COUNT_BITS);
        }
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let after = orthodox::moved(b, p, turn);
        if orthodox::in_check(b, &after, p.side) || self.allowed(b, &after) {
            return fide::refusal(self, b, p, turn);
        }
        format!("it gives check without mating, after {ALLOWED} checks")
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Moderation {
    fn state_bits(&self) -> u32 {
        2 * COUNT_BITS
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        if p.state == 0 {
            return Vec::new();
        }
        let [white, black] = Color::BOTH.map(|color| given(p, color));
        vec![("checks", format!("{white},{black}"))]
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        let count = |digit: u8| match digit {
            b'0'..=b'3' => Some(u64::from(digit - b'0')),
            _ => None,
        };
        let state = match value.as_bytes() {
            &[white, b',', black] => count(white).zip(count(black)),
            _ => None,
        };
        let Some((white, black)) = state else {
            return Err("the value must be two counts from 0 to 3, such as 2,0".into());
        };
        p.state = white | black << COUNT_BITS;
        Ok(())
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        Some((state & ALLOWED) << COUNT_BITS | state >> COUNT_BITS)
    }
}
