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
//!   onto the king do not. The row may exist already, and the unit enter it by a capture.
//! * En passant counts when the danger after one's own turn is judged; the outcome of the side to
//!   move is judged as if the opponent could not capture so.
//! * No legal turn: `checkmate` if the king is attacked, `linkage-mate` if it is
//!   linkage-attacked, else stalemate, a draw. For the squares that castling passes, attacks alone
//!   matter.
//!
//! ## Example
//! After 1 g3 d5 2 c3 e6 White is linkage-mated: `d8h4` would make the row e1-f2-g3-h4, `f8b4` the
//! row e1-d2-c3-b4, and no turn meets both.

use board::{Board, Color, DIRECTIONS, Geometry, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Action, AnyGame, Attack, Facts, Flow, KnownSafe, Legality, Outcome, Reason, Rules, Sink, Turn,
    before, fide, reason,
};
use rules::{MATE, OptionPurpose, VariantInfo, VariantOption};
use smallvec::SmallVec;

/// The king of the side to move is linkage-attacked and has no legal turn.
pub const LINKAGE_MATE: Reason = "linkage-mate";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "linkage",
    name: "Linkage Chess",
    difference: "a king threatened with becoming part of a row of exactly four is as if in check",
    reasons: &[
        MATE,
        (
            LINKAGE_MATE,
            "the side to move has its king linkage-attacked, not attacked, and no legal turn: it loses",
        ),
        (
            reason::STALEMATE,
            "the side to move has no legal turn and its king is in neither danger: a draw",
        ),
    ],
    source: include_str!("linkage.rs"),
    options: &[VariantOption {
        name: FREE,
        range: None,
        purpose: OptionPurpose::Ruling,
        help: "a capture that puts a unit into a row of four that existed before does not complete it",
    }],
    open: |variant, geometry| {
        let rules = Linkage::new(geometry, variant.has(FREE));
        AnyGame::plain(rules, variant.clone(), geometry)
    },
    ..crate::parts::GOAL_VARIANT
};

/// The option with which a row that existed before the capture is not completed.
const FREE: &str = "standing=free";

/// Four squares in a row, and the squares of the board beyond its ends.
#[derive(Clone, Copy, Debug)]
struct LinkageRow {
    line: u128,
    ends: u128,
}

/// Linkage Chess on one board, with the rows through each of its squares.
#[derive(Clone, Debug)]
pub struct Linkage {
    through: Box<[Vec<LinkageRow>]>,
    /// Whether a row that existed before cannot be completed.
    free: bool,
}

impl Linkage {
    /// Returns the rule set for a board of this shape. With `free`, a capture into a row of four that existed
    /// before does not complete it.
    pub fn new(geometry: Geometry, free: bool) -> Linkage {
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
                let row_here = LinkageRow {
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
            free,
        }
    }

    /// Returns whether the king of `color` is linkage-attacked. En passant captures are considered only if
    /// the enemy is to move.
    #[inline]
    fn attacked<W: Layout>(&self, b: &BoardOf<W>, p: &Position<W>, color: Color) -> bool {
        let Some(king) = p.units(color, Kind::King).first() else {
            return false;
        };
        let view = View {
            color,
            king,
            occupied: p.occupied(),
            enemy: p.color(!color),
            free: self.free,
        };
        let mut rows = self.through[king.index()].iter();
        rows.any(|row| view.completed(b, p, *row)) || (p.side != color && self.by_en_passant(b, p))
    }

    /// Returns the rows through the king that a step of another unit may endanger, and the steps that surely
    /// do not endanger a row. A step endangers a row if it brings the row to one step before completion, or
    /// if it opens the way for an enemy step that completes the row.
    #[inline(always)]
    fn watch<W: Layout>(&self, b: &BoardOf<W>, p: &Position<W>) -> Watch<W::Set> {
        let us = p.side;
        let mut watch = Watch {
            rows: SmallVec::new(),
            sure: KnownSafe::NONE,
        };
        let Some(king) = p.units(us, Kind::King).first() else {
            return watch;
        };
        let (occupied, own, enemy) = (p.occupied(), p.color(us), p.color(!us));
        let enemy_pawns = p.units(!us, Kind::Pawn);
        let mut leaving = W::Set::of(king);
        let mut entering = W::Set::EMPTY;
        for (place, row) in self.through[king.index()].iter().enumerate() {
            let line = W::Set::from_bits(row.line);
            let ends = W::Set::from_bits(row.ends);
            let vacant = line & !occupied;
            let friends = ends & own;
            let foes = ends & enemy;
            // A step fills at most one square, so rows with three vacant squares are safe. Rows between two
            // own units, or between two enemy units, are safe too, even if one of the two is captured.
            if vacant.without_lowest().several() || friends.several() || foes.several() {
                continue;
            }
            watch.rows.push(place as u8);
            if !friends.is_empty() {
                leaving |= friends;
                continue;
            }
            // An enemy completes the row by going to the vacant square, or by a capture in a full row.
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
                // The enemies that could go there if no own units were in their way.
                let mut seeing =
                    fide::attackers(&Men::FIDE, b, p, Attack::on(to, !us, enemy)) & movers;
                let mut stepping = W::Set::EMPTY;
                if !vacant.is_empty() {
                    seeing &= !enemy_pawns;
                    stepping = pushing(b, p, Attack::on(to, !us, occupied)) & movers;
                }
                for unit in seeing.iter() {
                    // The only own unit between them may open the enemy's way by leaving.
                    let between = b.between(to, unit) & own;
                    if between.is_empty() {
                        stepping = stepping.with(unit);
                    } else if !between.several() {
                        leaving |= between;
                    }
                }
                if !stepping.is_empty() {
                    // An own step to the other vacant square would leave only this square vacant.
                    let others = vacant.without(to);
                    entering |= if others.is_empty() {
                        b.squares()
                    } else {
                        others
                    };
                }
                // Consider the units in the way of an enemy pawn's double step, and the own pawn that may be
                // captured en passant here after its own double step.
                let here = W::Set::of(to);
                let beyond = b.pushed(here, us);
                if !(b.pushed(beyond, us) & enemy_pawns).is_empty() {
                    leaving |= beyond;
                }
                if !(b.pawn_captures(us, to) & enemy_pawns).is_empty() {
                    leaving |= b.pushed(here, !us);
                }
            }
        }
        watch.sure = KnownSafe {
            movers: !leaving,
            targets: !entering,
        };
        watch
    }

    /// Returns whether a turn leaves the own king without a linkage attack. The turn must not leave the king
    /// attacked.
    #[inline(always)]
    fn unlinked<W: Layout>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        rows: &[u8],
        turn: &Turn,
    ) -> bool {
        let us = p.side;
        let step = turn.first();
        let played = || !self.attacked(b, &fide::moved(self, b, p, turn), us);
        if step.action() != Action::Go {
            return played();
        }
        let Some(king) = p.units(us, Kind::King).first() else {
            return true;
        };
        let moves = step.from == king;
        let view = View {
            color: us,
            king: if moves { step.to } else { king },
            occupied: p.occupied().without(step.from).with(step.to),
            enemy: p.color(!us).without(step.to),
            free: self.free,
        };
        let near = &self.through[view.king.index()];
        if moves {
            return !near.iter().any(|row| view.completed(b, p, *row));
        }
        !rows
            .iter()
            .any(|&place| view.completed(b, p, near[usize::from(place)]))
    }

    /// Returns whether an en passant capture of the side to move completes a row with the enemy king.
    fn by_en_passant<W: Layout>(&self, b: &BoardOf<W>, p: &Position<W>) -> bool {
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

/// The rows through the king that one step may endanger, and the steps that surely do not.
struct Watch<S> {
    /// The indices of the endangered rows in the list of rows through the king.
    rows: SmallVec<[u8; 16]>,
    sure: KnownSafe<S>,
}

/// The data of a position on which linkage attacks on a king depend. It can describe the position after a
/// step without playing the step.
#[derive(Clone, Copy, Debug)]
struct View<S> {
    color: Color,
    king: Square,
    occupied: S,
    enemy: S,
    free: bool,
}

impl<S: Squares> View<S> {
    /// Returns whether a step of an enemy unit completes this row, with the unit and the king in it. En
    /// passant captures are not considered. Enemy units must be on the same squares as in `p`, except
    /// captured units.
    #[inline(always)]
    fn completed<W: Layout<Set = S>>(self, b: &Board<S>, p: &Position<W>, row: LinkageRow) -> bool {
        let line = S::from_bits(row.line);
        let vacant = line & !self.occupied;
        let beyond = S::from_bits(row.ends) & self.occupied;
        // A row can be completed only if at most one of its squares is vacant and at most one unit, of the
        // enemy, is beyond its ends.
        if vacant.several() || beyond.several() || !(beyond & !self.enemy).is_empty() {
            return false;
        }
        if self.free && vacant.is_empty() && beyond.is_empty() {
            return false;
        }
        let targets = if vacant.is_empty() {
            (line & !self.enemy).without(self.king)
        } else {
            vacant
        };
        let movers = if beyond.is_empty() {
            self.enemy & !line
        } else {
            beyond
        };
        !movers.is_empty()
            && targets.iter().any(|to| {
                !(stepping(b, p, Attack::on(to, !self.color, self.occupied)) & movers).is_empty()
            })
    }
}

/// Returns the units of the attacking side that have a pseudo-legal step to the attacked square, without
/// castling and en passant. The square must not be occupied by a unit of that side.
#[inline(always)]
fn stepping<W: Layout>(b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
    let capturing = fide::attackers(&Men::FIDE, b, p, attack);
    if attack.occupied.has(attack.target) {
        return capturing;
    }
    capturing & !p.kind(Kind::Pawn) | pushing(b, p, attack)
}

/// Returns the pawns of the attacking side that can go straight ahead to the attacked square. The square must
/// be vacant.
#[inline(always)]
fn pushing<W: Layout>(b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
    let Attack {
        target: to,
        by,
        occupied,
    } = attack;
    let mut from = b.pushed(W::Set::of(to), !by);
    if b.geometry().ranks() >= 6 && b.rank_of(by, 3).has(to) && (from & occupied).is_empty() {
        from |= b.pushed(from, !by);
    }
    from & p.units(by, Kind::Pawn)
}

impl<W: Layout> Rules<W> for Linkage {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn is_safe(&self, b: &BoardOf<W>, p: &Position<W>, _: &Turn, after: &Position<W>) -> bool {
        let us = p.side;
        !fide::in_check(self, b, after, us) && !self.attacked(b, after, us)
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let Watch { rows, sure } = self.watch(b, p);
        let mut tried = fide::Tried {
            known_safe: sure,
            judge: |turn: &Turn| self.unlinked(b, p, &rows, turn),
            consumer: c,
        };
        fide::unfiltered_by_pins(self, b, p, b.squares(), &mut tried)
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let us = p.side;
        if fide::in_check(self, b, p, us) {
            Outcome::Win(!us, reason::CHECKMATE)
        } else if self.attacked(b, p, us) {
            Outcome::Win(!us, LINKAGE_MATE)
        } else {
            Outcome::Draw(reason::STALEMATE)
        }
    }

    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        fide::check_no_opposite_check(self, b, p)?;
        if self.attacked(b, p, !p.side) {
            return Err("the king of the side that has just moved is linkage-attacked".into());
        }
        Ok(())
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let after = fide::moved(self, b, p, turn);
        if !fide::in_check(self, b, &after, p.side) && self.attacked(b, &after, p.side) {
            "it leaves the own king linkage-attacked".to_string()
        } else {
            fide::refusal(self, b, p, turn)
        }
    }
}
