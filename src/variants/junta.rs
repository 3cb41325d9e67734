//! # Junta Chess
//!
//! Bring down the junta: a side that has captured two knights, or a king and a knight, wins.
//!
//! ## Against FIDE
//! | FIDE | Junta |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
//! | castling | none |
//! | promotion to Q, R, B, N | to Q, R, B |
//! | checkmate wins | two captured knights win, or a captured king and a captured knight |
//!
//! ## Rulings
//! * The state `taken=W/B` says which kings and knights White and Black have captured: `-`, `N`,
//!   `K`, `NN` or `KN` each. A side whose king was taken has none on the board, and never do both
//!   sides have two letters.
//! * Losing the king alone does not lose the game.
//! * No legal turn is a draw.
//!
//! ## Example
//! `k7/8/8/8/3n4/4P3/8/K7 w - - 0 1 taken=K/-` is refused, because Black still has a king. With
//! `taken=N/-` the capture `e3d4` wins and leaves `taken=NN/-`.

use crate::parts::{capture, taken};
use board::{Color, Kind, Men, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Carried, Facts, Legality, Outcome, Reason, Rules, Safety, Turn, fide};

/// A side has captured two knights, or a king and a knight.
pub const JUNTA_CAPTURED: Reason = "junta-captured";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "junta",
    name: "Junta Chess",
    difference: "no check; capture two knights, or king and knight, to win",
    state: &[(
        taken::KEY,
        "W/B: kings and knights that White, Black captured: - N K NN KN",
    )],
    reasons: &[
        (
            JUNTA_CAPTURED,
            "a side has captured two knights, or king and knight: it wins",
        ),
        capture::STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Junta>(include_str!("junta.rs"))
};

/// The captures that a side can have made. The state is White's index in this list plus five times Black's
/// index.
const SHARES: [&str; 5] = ["-", "N", "K", "NN", "KN"];

/// The first index of `SHARES` with which a side has won.
const WON: usize = 3;

/// Returns the indices in `SHARES` of White and Black.
fn shares(state: u64) -> [usize; 2] {
    [(state % 5) as usize, (state / 5) as usize]
}

/// Returns the index in `SHARES` after a further capture.
fn with(share: usize, victim: Kind) -> usize {
    match (victim, share) {
        (Kind::Knight, 0) => 1,
        (Kind::Knight, 1) => 3,
        (Kind::Knight, 2) => 4,
        (Kind::King, 0) => 2,
        (Kind::King, 1) => 4,
        _ => share,
    }
}

/// Junta Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Junta;

impl<W: Layout> Rules<W> for Junta {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        castling: None,
        promotions: &[Kind::Queen, Kind::Rook, Kind::Bishop],
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn update_state(&self, _: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        if let Some(victim @ (Kind::Knight | Kind::King)) = capture::victim(p, turn.first()) {
            let mut shares = shares(p.state);
            let share = &mut shares[p.side.index()];
            *share = with(*share, victim);
            after.state = (shares[0] + 5 * shares[1]) as u64;
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let shares = shares(p.state);
        Color::BOTH
            .into_iter()
            .find(|color| shares[color.index()] >= WON)
            .map(|winner| Outcome::Win(winner, JUNTA_CAPTURED))
    }

    fn check_position(&self, _: &BoardOf<W>, p: &Position<W>) -> Legality {
        for (color, share) in Color::BOTH.into_iter().zip(shares(p.state)) {
            if SHARES[share].contains('K') && !p.units(!color, Kind::King).is_empty() {
                return Err(format!(
                    "`taken` has the captured king of a side that still has `{}`",
                    Men::FIDE.letter(!color, Kind::King)
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

impl<W: Layout> Carried<W> for Junta {
    fn state_bits(&self) -> u32 {
        5
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        if p.state == 0 {
            return Vec::new();
        }
        let [white, black] = shares(p.state).map(|share| SHARES[share]);
        vec![(taken::KEY, format!("{white}/{black}"))]
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        let mut shares = [0; 2];
        for (share, text) in shares.iter_mut().zip(taken::split(value)?) {
            *share = SHARES
                .iter()
                .position(|known| *known == text)
                .ok_or_else(|| format!("`{text}` is none of {}", SHARES.join(", ")))?;
        }
        if shares.iter().all(|&share| share >= WON) {
            return Err("both sides cannot have won".into());
        }
        p.state = (shares[0] + 5 * shares[1]) as u64;
        Ok(())
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        let [white, black] = shares(state);
        Some((black + 5 * white) as u64)
    }
}
