//! # Zoo Chess
//!
//! Collectors win: the side that first has captured at least one specimen of four of the six kinds,
//! the king among them, has won.
//!
//! ## Against FIDE
//! | FIDE | Zoo |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
//! | castling | none |
//! | checkmate wins | captured units of four different kinds win |
//!
//! ## Rulings
//! * The state `taken=W/B` says which kinds White and Black have captured, in the order P N B R Q
//!   K, `-` for none. In a FEN the mover has at most four, the side to move at most three.
//! * A promoted unit counts as what it is when captured.
//! * No legal turn is a draw.
//!
//! ## Example
//! `4k3/8/8/8/3q4/4P3/8/4K3 w - - 0 1 taken=PNB/-`: after `e3d4` the state is `taken=PNBQ/-` and
//! White has won.

use crate::parts::{capture, taken};
use board::{Color, Kind, Men};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Carried, Facts, Legality, Outcome, Reason, Rules, Safety, Turn, fide};

/// The mover has captured units of four kinds.
pub const FOUR_KINDS: Reason = "four-kinds";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "zoo",
    name: "Zoo Chess",
    difference: "no check; capture units of four different kinds to win",
    state: &[(
        taken::KEY,
        "W/B: kinds that White, Black captured, in the order PNBRQK, - for none",
    )],
    reasons: &[
        (
            FOUR_KINDS,
            "the mover has captured units of four kinds: the mover wins",
        ),
        capture::STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Zoo>(include_str!("zoo.rs"))
};

/// Returns the position of a side's first bit in the state. Each side has a bit for each kind.
fn offset(color: Color) -> usize {
    6 * color.index()
}

/// Returns the kinds that a side has captured, with a bit for each kind.
fn kinds(state: u64, color: Color) -> u64 {
    state >> offset(color) & 0x3f
}

/// Zoo Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zoo;

impl<W: Layout> Rules<W> for Zoo {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        castling: None,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn update_state(&self, _: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        if let Some(victim) = capture::victim(p, turn.first()) {
            after.state |= 1 << (offset(p.side) + victim.index());
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let mover = !p.side;
        (kinds(p.state, mover).count_ones() >= 4).then_some(Outcome::Win(mover, FOUR_KINDS))
    }

    fn check_position(&self, _: &BoardOf<W>, p: &Position<W>) -> Legality {
        for (color, most, who) in [
            (!p.side, 4, "the side that has just moved"),
            (p.side, 3, "the side to move"),
        ] {
            let n = kinds(p.state, color).count_ones();
            if n > most {
                return Err(format!(
                    "`taken` has {n} kinds for {who}, which can have {most} at most"
                )
                .into());
            }
        }
        Ok(())
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Zoo {
    fn state_bits(&self) -> u32 {
        12
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        if p.state == 0 {
            return Vec::new();
        }
        let text = |color| {
            let kinds = kinds(p.state, color);
            match kinds {
                0 => "-".to_string(),
                _ => Kind::ALL
                    .into_iter()
                    .filter(|kind| kinds >> kind.index() & 1 == 1)
                    .map(|kind| Men::FIDE.letter(Color::White, kind))
                    .collect(),
            }
        };
        vec![(
            taken::KEY,
            format!("{}/{}", text(Color::White), text(Color::Black)),
        )]
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        p.state = 0;
        for (color, text) in Color::BOTH.into_iter().zip(taken::split(value)?) {
            let mut kinds = 0;
            for letter in text.chars().filter(|_| text != "-") {
                match Men::FIDE.kind(letter) {
                    Some(kind) if kinds >> kind.index() == 0 => kinds |= 1 << kind.index(),
                    Some(_) => return Err(format!("the order of `{text}` is not PNBRQK").into()),
                    None => return Err(format!("`{letter}` is none of P, N, B, R, Q, K").into()),
                }
            }
            if text.is_empty() {
                return Err("nothing captured is written `-`".into());
            }
            p.state |= kinds << offset(color);
        }
        Ok(())
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        let [white, black] = Color::BOTH.map(|color| kinds(state, !color) << offset(color));
        Some(white | black)
    }
}
