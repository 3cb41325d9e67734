//! # Contravention Chess
//!
//! A player may leave their own king in check to anything but a pawn or a king, and the opponent
//! must then end that check. A side without a legal turn loses.
//!
//! ## Against FIDE
//! | FIDE | Contravention |
//! |---|---|
//! | a turn leaves the own king unattacked | it may leave it attacked by N, B, R, Q, if it was not attacked before |
//! | whatever check is given | a check that the opponent has exposed their own king to has to be ended by the next turn |
//! | the king steps freely | not into check at two turns running |
//! | castling not into check | into check as any step |
//! | stalemate is a draw | it loses |
//!
//! ## Rulings
//! * Any kind of turn may expose the own king; only king steps and castling are remembered, for
//!   the rule that forbids two running (state `into`: the sides whose last turn was such a step).
//! * A check that was not there before the turn may be given at any time, also by the turn that
//!   leaves the own king in check; so both kings may be attacked, and then both checks have to be
//!   ended at once.
//! * Castling: not out of check and not over an attacked square; into check as above.
//! * Kings are never captured.
//! * No legal turn: `checkmate` if the own king is attacked, else `check-not-removed` if the
//!   enemy's is, else `stalemate`; the side to move loses.
//!
//! ## Example
//! After 1 d3 d5 2 e4 dxe4 3 dxe4 Black may play `e8d7`, into check from the queen on d1: White
//! must now end that check. `d1d2` does not, as she still attacks d7 from there; `d1e2` and
//! `f1d3` do.

use board::{Color, Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{
    Action, Attack, Carried, Facts, KnownSafe, Legality, Outcome, Reason, Rules, Safety, Turn,
    fide, reason,
};

/// The side to move cannot end the check into which its opponent has moved.
pub const CHECK_NOT_REMOVED: Reason = "check-not-removed";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "contravention",
    name: "Contravention Chess",
    difference: "one may put oneself in check by N, B, R or Q, and the opponent has to end it; no turn loses",
    state: &[(
        "into",
        "the sides (w, b, wb) whose last turn was a king step into check",
    )],
    reasons: &[
        (
            reason::CHECKMATE,
            "the side to move has no legal turn and its king is attacked: it loses",
        ),
        (
            CHECK_NOT_REMOVED,
            "the side to move has no legal turn and only the enemy king is attacked: it loses",
        ),
        (
            reason::STALEMATE,
            "the side to move has no legal turn and neither king is attacked: it loses",
        ),
    ],
    start: |_| fide::START.to_string(),
    ..crate::parts::goal_variant::<Contravention>(include_str!("contravention.rs"))
};

/// Contravention Chess. The state has a bit for each side, in the order of [`Color`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Contravention;

/// Returns the units that attack the king of a side.
#[inline(always)]
fn checkers<W: Layout>(b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
    match p.units(color, Kind::King).first() {
        Some(king) => {
            let men = &board::Men::FIDE;
            fide::attackers(men, b, p, Attack::on(king, !color, p.occupied()))
        }
        None => W::Set::EMPTY,
    }
}

/// Returns the units, pawns and kings, to whose attack a king may not be left exposed.
#[inline(always)]
fn forbidden<W: Layout>(p: &Position<W>) -> W::Set {
    p.kind(Kind::Pawn) | p.kind(Kind::King)
}

/// Returns whether a turn is a king step or castling.
#[inline(always)]
fn by_king(turn: &Turn) -> bool {
    turn.first().kind() == Kind::King && turn.first().action() != Action::Place
}

/// Returns whether the bit of a side is set in the state.
#[inline(always)]
fn named<W: Layout>(p: &Position<W>, color: Color) -> bool {
    p.state >> color.index() & 1 == 1
}

impl<W: Layout> Rules<W> for Contravention {
    const FACTS: Facts = Facts {
        safety: Safety::Trial,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn known_safe(&self, b: &BoardOf<W>, p: &Position<W>) -> KnownSafe<W::Set> {
        // If neither king is attacked, a step of a unit other than the king exposes the king only along
        // lines, and so only to units that are allowed to attack it.
        let quiet = Color::BOTH
            .into_iter()
            .all(|color| checkers(b, p, color).is_empty());
        if !quiet {
            return KnownSafe::NONE;
        }
        KnownSafe {
            movers: p.color(p.side) & !p.kind(Kind::King),
            targets: b.squares(),
        }
    }

    fn is_safe(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        let us = p.side;
        let threats = checkers(b, after, us);
        let own = threats.is_empty()
            || (threats & forbidden(after)).is_empty()
                && !(by_king(turn) && named(p, us))
                && checkers(b, p, us).is_empty();
        own && (checkers(b, after, !us).is_empty() || checkers(b, p, !us).is_empty())
    }

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let us = p.side;
        let into = by_king(turn) && !checkers(b, after, us).is_empty();
        let bit = 1 << us.index();
        after.state = after.state & !bit | u64::from(into) << us.index();
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let us = p.side;
        let reason = if !checkers(b, p, us).is_empty() {
            reason::CHECKMATE
        } else if !checkers(b, p, !us).is_empty() {
            CHECK_NOT_REMOVED
        } else {
            reason::STALEMATE
        };
        Outcome::Win(!us, reason)
    }

    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        let mover = !p.side;
        match (checkers(b, p, mover) & forbidden(p)).first() {
            None => Ok(()),
            Some(square) => Err(format!(
                "the side that has just moved stands with its king attacked by the pawn or king on {}; \
                 only N, B, R, Q may attack it",
                b.geometry().name(square)
            ).into()),
        }
    }

    fn check_position(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        if named(p, !p.side) && checkers(b, p, !p.side).is_empty() {
            return Err(format!(
                "`into` names {}, who has just moved, but that king is not attacked",
                (!p.side).letter()
            )
            .into());
        }
        if named(p, p.side) && !checkers(b, p, p.side).is_empty() {
            return Err(format!(
                "`into` names {}, who is to move, but that king is still attacked",
                p.side.letter()
            )
            .into());
        }
        Ok(())
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let us = p.side;
        let after = fide::moved(self, b, p, turn);
        let threats = checkers(b, &after, us);
        if !threats.is_empty() {
            if !checkers(b, p, us).is_empty() {
                return "the own king was attacked and still is".to_string();
            }
            if let Some(square) = (threats & forbidden(&after)).first() {
                return format!(
                    "it leaves the own king attacked by the pawn or king on {}",
                    b.geometry().name(square)
                );
            }
            return "the king goes into check, and did so at the turn before".to_string();
        }
        "the enemy king was attacked and still is".to_string()
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Contravention {
    fn state_bits(&self) -> u32 {
        2
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        let sides: String = Color::BOTH
            .into_iter()
            .filter(|&color| named(p, color))
            .map(Color::letter)
            .collect();
        if sides.is_empty() {
            Vec::new()
        } else {
            vec![("into", sides)]
        }
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        p.state = match value {
            "w" => 1,
            "b" => 2,
            "wb" => 3,
            _ => return Err("one of `w`, `b`, `wb` would be right".into()),
        };
        Ok(())
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        Some((state & 1) << 1 | state >> 1)
    }
}
