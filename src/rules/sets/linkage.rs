//! # Linkage Chess
//!
//! The king may not become one of exactly four units in an unbroken row that an enemy unit
//! completes. That danger is met as a check is.
//!
//! ## Against FIDE
//! | FIDE | Linkage |
//! |---|---|
//! | a turn leaves the own king unattacked | and not linkage-attacked |
//! | checkmate wins | so does linkage-mate |
//!
//! ## Rulings
//! * A line is an unbroken row of exactly four occupied squares along a rank, file or diagonal,
//!   the squares beyond both ends vacant or off the board; a hole ends a line as the edge does.
//! * A king is linkage-attacked if an enemy unit has a pseudo-legal step after which that unit and
//!   the king are two of the four units of one line, whatever the others are. Captures,
//!   promotions, double steps, en passant and steps of the enemy king count; castling and a step
//!   onto the king do not. The row may stand already, and the unit enter it by a capture.
//! * En passant counts when the danger after one's own turn is judged; the outcome of the side to
//!   move is judged as if the opponent could not capture so.
//! * No legal turn: `checkmate` if the king is attacked, `linkage-mate` if he is
//!   linkage-attacked, else stalemate, a draw. For the squares that castling passes, attacks alone
//!   matter.
//!
//! ## Example
//! After 1 g3 d5 2 c3 e6 White is linkage-mated: `d8h4` would make the row e1-f2-g3-h4, `f8b4` the
//! row e1-d2-c3-b4, and no turn meets both.

use crate::board::{Board, Color, DIRECTIONS, Geometry, Kind, Men, Square, Squares};
use crate::position::{Layout, Position};
use crate::rules::parts::pinned;
use crate::rules::registry::{Card, MATE};
use crate::rules::{
    AnyGame, Flow, Hook, Outcome, Reason, Rules, Sink, Sure, Symmetries, Turn, before, fide, reason,
};

/// The king of the side to move is linkage-attacked and there is no legal turn.
pub const LINKAGE_MATE: Reason = "linkage-mate";

/// The registry entry.
pub static CARD: Card = Card {
    id: "linkage",
    name: "Linkage Chess",
    inventor: "Tony Paletta",
    page: "The Chess Variant Pages, Modest Proposals: GOAL Variants, 2001",
    difference: "a king threatened with becoming part of a row of exactly four is as if in check",
    reasons: &[
        MATE,
        (
            LINKAGE_MATE,
            "the side to move has its king linkage-attacked, not attacked, and no legal turn: it loses",
        ),
        (
            reason::STALEMATE,
            "the side to move has no legal turn and its king stands in neither danger: a draw",
        ),
    ],
    diff: &[Hook::Safety, Hook::NoTurn],
    source: include_str!("linkage.rs"),
    open: |variant, geometry| AnyGame::plain(Linkage::new(geometry), variant.clone(), geometry),
    ..Card::FIDE
};

/// Four squares in a row, and the existing squares beyond its ends.
#[derive(Clone, Copy, Debug)]
struct Row {
    line: u128,
    ends: u128,
}

/// Linkage Chess, with the rows through each square of its board.
#[derive(Clone, Debug)]
pub struct Linkage {
    through: Box<[Vec<Row>]>,
}

impl Linkage {
    /// The rule set for a board of this shape.
    pub fn new(geometry: Geometry) -> Linkage {
        let mut through = vec![Vec::new(); geometry.len()];
        for from in (0..geometry.len() as u8).map(Square) {
            for (dx, dy) in &DIRECTIONS[..4] {
                let at = |n: i32| geometry.step(from, n * dx, n * dy);
                let row: Option<Vec<Square>> = (0..4).map(at).collect();
                let Some(row) = row.filter(|_| geometry.exists(from)) else {
                    continue;
                };
                let set = |squares: &[Square]| squares.iter().fold(0, |set, s| set | 1 << s.0);
                let ends: Vec<Square> = [at(-1), at(4)].into_iter().flatten().collect();
                let row_here = Row {
                    line: set(&row),
                    ends: set(&ends),
                };
                for square in row {
                    through[square.index()].push(row_here);
                }
            }
        }
        Linkage {
            through: through.into_boxed_slice(),
        }
    }

    /// Whether the king of `color` stands so that, for all that is known of one row, a step of
    /// the enemy may complete it: at most one square vacant, at most one unit beyond the ends, and
    /// that one the enemy's. The closure gets the squares that the step must go to and the units
    /// that may make it, and says whether one does.
    #[inline(always)]
    fn any_row<W: Layout>(
        &self,
        p: &Position<W>,
        color: Color,
        mut completed: impl FnMut(W::Set, W::Set) -> bool,
    ) -> bool {
        let Some(king) = p.units(color, Kind::King).first() else {
            return false;
        };
        let occupied = p.occupied();
        let enemy = p.color(!color);
        self.through[king.index()].iter().any(|row| {
            let line = W::Set::from_bits(row.line);
            let vacant = line & !occupied;
            let beyond = W::Set::from_bits(row.ends) & occupied;
            if vacant.several() || beyond.several() || !(beyond & !enemy).is_empty() {
                return false;
            }
            let targets = if vacant.is_empty() {
                (line & !enemy).without(king)
            } else {
                vacant
            };
            let movers = if beyond.is_empty() {
                enemy & !line
            } else {
                beyond
            };
            !targets.is_empty() && !movers.is_empty() && completed(targets, movers)
        })
    }

    /// Steps that cannot bring the king of the side to move into danger: they neither bring a row
    /// one step nearer to it nor open the way to a row that one enemy step would complete.
    #[inline(always)]
    fn undisturbed<W: Layout>(&self, b: &Board<W::Set>, p: &Position<W>) -> Sure<W::Set> {
        let us = p.side;
        let Some(king) = p.units(us, Kind::King).first() else {
            return Sure::NONE;
        };
        let (occupied, own, enemy) = (p.occupied(), p.color(us), p.color(!us));
        let mut leaving = W::Set::of(king);
        let mut entering = W::Set::EMPTY;
        for row in &self.through[king.index()] {
            let line = W::Set::from_bits(row.line);
            let ends = W::Set::from_bits(row.ends);
            let vacant = line & !occupied;
            // A step fills one square at most.
            if vacant.without_lowest().several() {
                continue;
            }
            let friends = ends & own;
            let foes = ends & enemy;
            if !friends.is_empty() || foes.several() {
                // It is safe while these stand at its ends; enemies captured there give way to
                // own units.
                if !friends.several() {
                    leaving |= friends;
                }
                continue;
            }
            // What is left for an enemy to do: go to a vacant square, or capture in a full row.
            let mut targets = vacant;
            if vacant.is_empty() {
                targets = (line & own).without(king);
                leaving |= targets;
            }
            if !vacant.several() {
                entering |= line;
            }
            let movers = if foes.is_empty() { enemy & !line } else { foes };
            for to in targets.iter() {
                if !(stepping(b, p, to, !us) & movers).is_empty() {
                    // An own step to the other vacant square would leave him this one.
                    let others = vacant.without(to);
                    if others.is_empty() {
                        return Sure::NONE;
                    }
                    entering |= others;
                }
                // Whoever leaves may open his way.
                let snipers = fide::slider_attackers(&Men::FIDE, b, p, to, !us, enemy) & movers;
                leaving |= pinned::blockers(b, p, to, snipers);
                // Who stands in the way of a pawn, and who would pass here with a double step.
                let here = W::Set::of(to);
                leaving |= b.pushed(here, us) | b.pushed(here, !us);
            }
        }
        Sure {
            movers: !leaving,
            targets: !entering,
        }
    }

    /// Whether the king of `color` is linkage-attacked; by an en passant capture only if the enemy
    /// is to move.
    #[inline]
    fn attacked<W: Layout>(&self, b: &Board<W::Set>, p: &Position<W>, color: Color) -> bool {
        self.any_row(p, color, |targets, movers| {
            targets
                .iter()
                .any(|to| !(stepping(b, p, to, !color) & movers).is_empty())
        }) || (p.side != color && self.by_en_passant(b, p))
    }

    /// Whether an en passant capture of the side to move completes a row with the enemy king.
    fn by_en_passant<W: Layout>(&self, b: &Board<W::Set>, p: &Position<W>) -> bool {
        let us = p.side;
        let (Some(to), Some(king)) = (p.en_passant(), p.units(!us, Kind::King).first()) else {
            return false;
        };
        let taken = before(to, b.ahead(us));
        let pawns = b.pawn_captures(!us, to) & p.units(us, Kind::Pawn);
        pawns.iter().any(|from| {
            let occupied = p.occupied().without(taken).without(from).with(to);
            self.through[king.index()].iter().any(|row| {
                let line = W::Set::from_bits(row.line);
                line.has(to)
                    && (line & !occupied).is_empty()
                    && (W::Set::from_bits(row.ends) & occupied).is_empty()
            })
        })
    }
}

/// The units of `by` that have a pseudo-legal step to a square, castling and en passant aside;
/// a unit of `by` does not stand there.
#[inline(always)]
fn stepping<W: Layout>(b: &Board<W::Set>, p: &Position<W>, to: Square, by: Color) -> W::Set {
    let occupied = p.occupied();
    let capturing = fide::attackers(&Men::FIDE, b, p, to, by, occupied);
    if occupied.has(to) {
        return capturing;
    }
    let pawns = p.units(by, Kind::Pawn);
    let one = b.pushed(W::Set::of(to), !by);
    let mut found = capturing & !pawns | one & pawns;
    if b.geometry().ranks() >= 6 && b.rank_of(by, 3).has(to) && (one & occupied).is_empty() {
        found |= b.pushed(one, !by) & pawns;
    }
    found
}

impl<W: Layout> Rules<W> for Linkage {
    fn safe(&self, b: &Board<W::Set>, before: &Position<W>, _: &Turn, after: &Position<W>) -> bool {
        let us = before.side;
        fide::safe(self, b, after, us) && !self.attacked(b, after, us)
    }

    fn legal<K: Sink<W::Set>>(&self, b: &Board<W::Set>, p: &Position<W>, sink: &mut K) -> Flow {
        let sure = self.undisturbed(b, p);
        let mut tried = fide::Tried {
            rules: self,
            board: b,
            position: p,
            sure,
            sink,
        };
        fide::legal_by_pins(self, b, p, b.squares(), &mut tried)
    }

    fn no_turn(&self, b: &Board<W::Set>, p: &Position<W>) -> Outcome {
        let us = p.side;
        if fide::in_check(self, b, p, us) {
            Outcome::Win(!us, reason::CHECKMATE)
        } else if self.attacked(b, p, us) {
            Outcome::Win(!us, LINKAGE_MATE)
        } else {
            Outcome::Draw(reason::STALEMATE)
        }
    }

    fn mover_stands(&self, b: &Board<W::Set>, p: &Position<W>) -> Result<(), String> {
        fide::mover_stands(self, b, p)?;
        if self.attacked(b, p, !p.side) {
            return Err(
                "the side that has just moved stands with its king linkage-attacked".into(),
            );
        }
        Ok(())
    }

    fn refusal(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> String {
        let after = fide::moved(self, b, p, turn);
        if fide::safe(self, b, &after, p.side) && self.attacked(b, &after, p.side) {
            "it leaves the own king linkage-attacked".to_string()
        } else {
            fide::refusal(self, b, p, turn)
        }
    }

    fn symmetries(&self, _: &Board<W::Set>) -> Symmetries {
        Symmetries::ALL
    }
}
