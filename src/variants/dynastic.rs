//! # Dynastic Chess
//!
//! King and queen draw their power from each other: side by side each moves like a queen, apart
//! each moves like a knight, and a widowed one steps like a king. Both must be captured.
//!
//! ## Against FIDE
//! | FIDE | Dynastic |
//! |---|---|
//! | king and queen move as ever | alike: queen's moves next to each other, a knight's leaps apart, a king's steps alone |
//! | check and checkmate | none: kings may be attacked and captured |
//! | castling | none |
//! | promotion to Q, R, B, N | to R, B, N |
//! | checkmate wins | capturing both king and queen wins |
//!
//! ## Rulings
//! * Next to each other is a king's step apart in any of the eight directions. What counts is
//!   the squares of the two before the step.
//! * A side without one of the two has lost it: the other steps like a king, also when the FEN
//!   begins so.
//! * A side with neither has lost; the side to move is checked first.
//! * No legal turn is a draw.
//!
//! ## Example
//! In `k7/8/8/8/8/8/8/K2Q4 w - - 0 1` White's two are apart and have six leaps: `a1b3 a1c2 d1b2
//! d1c3 d1e3 d1f2`. After one of them brings them together, `d1b2`, both move like queens. Black's
//! king is alone and steps.

use crate::parts::{capture, extinction};
use board::{Board, Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Attack, Facts, Outcome, Rules, Safety, fide, reason};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "dynastic",
    name: "Dynastic Chess",
    difference: "capture king and queen, which move like queens side by side, like knights apart",
    reasons: &[capture::MONARCHS_CAPTURED, capture::STALEMATE],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Dynastic>(include_str!("dynastic.rs"))
};

/// The units whose movement never changes.
static SUBJECTS: Men = Men::FIDE
    .with(Kind::Queen, Movement::Special)
    .with(Kind::King, Movement::Special);

/// Returns the king and queen of a side.
#[inline(always)]
fn monarchs<W: Layout>(p: &Position<W>, color: Color) -> W::Set {
    (p.kind(Kind::King) | p.kind(Kind::Queen)) & p.color(color)
}

/// Returns the squares that a monarch on `from` can reach. `monarchs` are all monarchs of its side.
#[inline(always)]
fn monarch_reach<S: Squares>(b: &Board<S>, monarchs: S, from: Square, occupied: S) -> S {
    let beside = b.leap(Kind::King, from);
    if !monarchs.several() {
        beside
    } else if (beside & monarchs).is_empty() {
        b.leap(Kind::Knight, from)
    } else {
        b.slide(Kind::Queen, from, occupied)
    }
}

/// Dynastic Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dynastic;

impl<W: Layout> Rules<W> for Dynastic {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        settled_by_material: true,
        castling: None,
        promotions: &[Kind::Rook, Kind::Bishop, Kind::Knight],
        ..Facts::SYMMETRIC
    };

    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        let monarchs = monarchs(p, attack.by);
        monarchs
            .iter()
            .filter(|&from| monarch_reach(b, monarchs, from, attack.occupied).has(attack.target))
            .fold(fide::attackers(&SUBJECTS, b, p, attack), W::Set::with)
    }

    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        match kind {
            Kind::King | Kind::Queen => {
                let owner = Color::BOTH[usize::from(p.color(Color::Black).has(from))];
                monarch_reach(b, monarchs(p, owner), from, p.occupied())
            }
            _ => b.reach(kind, from, p.occupied()),
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let monarchs = p.kind(Kind::King) | p.kind(Kind::Queen);
        extinction::lost(p, monarchs, reason::MONARCHS_CAPTURED)
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        &[(Kind::King, 0, 1), (Kind::Queen, 0, 1)]
    }
}
