//! The outcomes of a definition's games and their reasons.

use crate::analysis::Notes;
use crate::bound_rules::BoundRules;
use crate::turns::Want;
use board::{Color, Square, Squares};
use definition::{Definition, MaterialCounting, PieceType, Value};
use position::{Layout, Position, Rights};
use rules::{Flow, Outcome, Reason, Step, Turn, reason};

/// A side has run out of units that it needs.
pub const EXTINCTION: Reason = "extinction";
/// Units have reached their region.
pub const FLAG: Reason = "flag";
/// All checks have been given.
pub const CHECKS: Reason = "checks";
/// Units are connected.
pub const CONNECTION: Reason = "connection";
/// The board is full.
pub const FULL_BOARD: Reason = "full-board";
/// A side has won by castling, or can no longer castle and so has lost.
pub const CASTLING: Reason = "castling";
/// The side to move is mated and wins by that.
pub const CHECKMATED: Reason = "checkmated";
/// The side to move has no turn and wins by that.
pub const STALEMATED: Reason = "stalemated";
/// The number of plies without progress that the n-move rule allows has been reached.
pub const N_MOVES: Reason = "n-move-rule";
/// Both sides have passed in a row.
pub const PASSES: Reason = "two-passes";

/// The reasons that only definitions have, each with its meaning, in the order in which they are tested.
const REASONS: &[(Reason, &str)] = &[
    (
        EXTINCTION,
        "a side has too few units of a kind that it needs",
    ),
    (FLAG, "units stand in the region that they had to reach"),
    (
        CASTLING,
        "a side has castled, which wins, or has lost the right to",
    ),
    (CHECKS, "a side has given all the checks that it needs"),
    (CONNECTION, "units are connected as the rules require"),
    (PASSES, "both sides have passed, one after the other"),
    (FULL_BOARD, "no square is vacant"),
    (
        N_MOVES,
        "as many turns without progress as the n-move rule allows, and the last did not mate",
    ),
    (
        CHECKMATED,
        "the side to move is in check and has no legal turn: it wins",
    ),
    rules::MATE,
    (
        STALEMATED,
        "the side to move has no legal turn and is not in check: it wins",
    ),
    rules::STALEMATE,
];

/// Returns the reasons for which games of a definition can end.
pub fn reasons(d: &Definition) -> Vec<(Reason, &'static str)> {
    let c = &d.connection;
    let possible = |reason: Reason| match reason {
        EXTINCTION => d.can_run_out(),
        FLAG => d.flag.region != [0; 2],
        CASTLING => d.castling.wins != Default::default(),
        CHECKS => d.checks.counting,
        CONNECTION => c.in_a_row > 0 || c.square > 0 || c.collinear > 0 || c.region_a != [0; 2],
        PASSES => d.passing.allowed != [false; 2] || d.passing.on_stalemate != [false; 2],
        FULL_BOARD => d.ended.full_board,
        N_MOVES => d.quiet_plies() > 0,
        reason::CHECKMATE => mates(d) && (d.no_turn.checkmate != Value::Win || d.checks.shatar),
        CHECKMATED => mates(d) && (d.no_turn.checkmate == Value::Win || excludes_mates(d)),
        reason::STALEMATE => d.no_turn.stalemate != Value::Win || d.no_turn.piece_count,
        STALEMATED => match d.no_turn.stalemate {
            Value::Win => true,
            Value::Loss => d.no_turn.piece_count,
            Value::Draw => d.ended.material.is_some(),
        },
        _ => true,
    };
    REASONS
        .iter()
        .copied()
        .filter(|(reason, _)| possible(reason))
        .map(|(reason, meaning)| (reason, here(d, reason).unwrap_or(meaning)))
        .collect()
}

fn mates(d: &Definition) -> bool {
    d.checks.king.is_some() || d.extinction.pseudo_royal
}

/// Returns whether the rules do not count some mates.
fn excludes_mates(d: &Definition) -> bool {
    d.checks.shatar || d.drops.shogi_pawn_mate_illegal && d.named("shogiPawn").is_some()
}

/// Returns the meaning of checkmate or stalemate in this definition, or `None` if it is that of orthodox
/// chess. Wins of the side without a turn are not included, because they have reasons of their own.
fn here(d: &Definition, reason: Reason) -> Option<&'static str> {
    let plain = !d.no_turn.piece_count && d.ended.material.is_none();
    match reason {
        reason::CHECKMATE => match d.no_turn.checkmate {
            Value::Loss if !excludes_mates(d) => None,
            Value::Loss => Some(
                "the side to move is in check and has no legal turn: it loses, or draws if the rules \
                 do not count the mate",
            ),
            _ => Some("the side to move is in check and has no legal turn: a draw"),
        },
        reason::STALEMATE => match d.no_turn.stalemate {
            Value::Draw if plain => None,
            Value::Draw => Some(
                "the side to move has no legal turn and is not in check: a draw, or a loss if the \
                 material says so",
            ),
            Value::Loss if plain => {
                Some("the side to move has no legal turn and is not in check: it loses")
            }
            _ => Some(
                "the side to move has no legal turn and is not in check: a draw or a loss, as the \
                 numbers of units say",
            ),
        },
        _ => None,
    }
}

/// Returns the outcome that has this value for a side.
fn worth(value: Value, side: Color, reason: Reason) -> Outcome {
    match value {
        Value::Win => Outcome::Win(side, reason),
        Value::Loss => Outcome::Win(!side, reason),
        Value::Draw => Outcome::Draw(reason),
    }
}

impl<S: Squares> BoundRules<S> {
    /// Returns the outcome of a position in which the game is over whether or not there are legal turns.
    #[inline]
    pub(crate) fn ended<W: Layout<Set = S>>(&self, p: &Position<W>) -> Option<Outcome> {
        let d = &self.law.definition;
        if let Some(outcome) = self.extinction(p) {
            return Some(outcome);
        }
        if d.flag.region != [0; 2]
            && let Some(outcome) = self.flagged(p)
        {
            return Some(outcome);
        }
        if d.castling.wins != Default::default() {
            if self.law.state.castled.get(p) > 0 {
                return Some(Outcome::Win(!p.side, CASTLING));
            }
            for color in [!p.side, p.side] {
                let wins = [true, false].map(|kingside| {
                    let list = match kingside {
                        true => d.castling.wins.kingside,
                        false => d.castling.wins.queenside,
                    };
                    (
                        list[color.index()],
                        p.rights.has(Rights::bit(color, kingside)),
                    )
                });
                if wins.iter().any(|wing| wing.0) && !wins.iter().any(|wing| wing.0 && wing.1) {
                    return Some(Outcome::Win(!color, CASTLING));
                }
            }
        }
        if d.checks.counting {
            let given = self.law.state.checks[(!p.side).index()].get(p);
            if given >= self.law.checks[(!p.side).index()] {
                return Some(Outcome::Win(!p.side, CHECKS));
            }
        }
        let c = &d.connection;
        if (c.in_a_row > 0 || c.square > 0 || c.collinear > 0 || c.region_a != [0; 2])
            && self.connected(p)
        {
            return Some(worth(c.value, !p.side, CONNECTION));
        }
        if self.law.state.passes.get(p) >= u64::from(definition::PASS_ENDS) {
            return Some(self.counted(p, PASSES));
        }
        if d.ended.full_board && (self.squares & !p.occupied()).is_empty() {
            return Some(self.counted(p, FULL_BOARD));
        }
        if self.is_quiet(p) && !self.is_mate(p) {
            return Some(self.counted(p, N_MOVES));
        }
        None
    }

    /// Returns the outcome by extinction. It depends only on the numbers of units on the board and in hand,
    /// the side to move and the variant state.
    #[inline]
    pub(crate) fn extinction<W: Layout<Set = S>>(&self, p: &Position<W>) -> Option<Outcome> {
        let d = &self.law.definition;
        let value = d.extinction.value?;
        // A side that never had a royal unit of a piece plays on. One that has lost its last such unit, or has
        // made another piece of it, does not.
        let counts = |color: Color| {
            !d.extinction.pseudo_royal
                || d.captures.blast
                || self.law.state.extinct[color.index()].get(p) > 0
        };
        [!p.side, p.side]
            .into_iter()
            .find(|&color| counts(color) && self.extinct(p, color))
            .map(|color| worth(value, color, EXTINCTION))
    }

    /// Returns whether the side to move is attacked and has no legal turn.
    fn is_mate<W: Layout<Set = S>>(&self, p: &Position<W>) -> bool {
        let mut first = rules::Each(|_: Turn| Flow::Break(()));
        !self.royals_in_check(p, p.side).is_empty() && self.legal_turns(p, &mut first).is_continue()
    }

    /// Returns a draw for this reason, or the outcome of material counting if the definition has it.
    fn counted<W: Layout<Set = S>>(&self, p: &Position<W>, reason: Reason) -> Outcome {
        let (white, black) = (p.color(Color::White).len(), p.color(Color::Black).len());
        match self.law.definition.ended.material {
            Some(MaterialCounting::WhiteDrawOdds) => Outcome::Win(Color::White, reason),
            Some(MaterialCounting::BlackDrawOdds) => Outcome::Win(Color::Black, reason),
            Some(MaterialCounting::Unweighted) if white > black => {
                Outcome::Win(Color::White, reason)
            }
            Some(MaterialCounting::Unweighted) if black > white => {
                Outcome::Win(Color::Black, reason)
            }
            _ => Outcome::Draw(reason),
        }
    }

    /// Records which sides have no longer enough units of a pseudo-royal piece after a turn, but had enough
    /// before.
    pub(crate) fn note_extinct<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        after: &mut Position<W>,
    ) {
        let e = &self.law.definition.extinction;
        for color in Color::BOTH {
            let field = self.law.state.extinct[color.index()];
            let known = field.get(p) > 0;
            let few = |p: &Position<W>, piece| self.owned(p, color, piece) <= e.count.into();
            let mut pieces = e.types.iter();
            let extinct = pieces.any(|piece| few(after, piece) && (known || !few(p, piece)))
                || e.total && {
                    let few = |p: &Position<W>| self.all_owned(p, color) <= e.count.into();
                    few(after) && (known || !few(p))
                };
            field.set(after, extinct.into());
        }
    }

    /// Returns the number of a side's units of a piece, on the board and in hand.
    fn owned<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color, piece: PieceType) -> u64 {
        u64::from(self.units(p, color, piece).len()) + self.in_hand(p, color, piece)
    }

    /// Returns the number of all units of a side, on the board and in hand.
    fn all_owned<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> u64 {
        let d = &self.law.definition;
        let held = |n: usize| self.in_hand(p, color, PieceType(n as u8));
        let in_hand: u64 = match d.has_hands() {
            true => (0..d.pieces.len()).map(held).sum(),
            false => 0,
        };
        u64::from(p.color(color).len()) + in_hand
    }

    /// Returns whether a side has too few units of a piece, and its opponent has enough.
    fn extinct<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> bool {
        let d = &self.law.definition;
        let e = &d.extinction;
        let (most, least) = (
            u64::from(e.count),
            u64::from(e.opponent_count) + u64::from(e.claim && color == p.side),
        );
        e.total && self.all_owned(p, color) <= most && self.all_owned(p, !color) >= least
            || e.types.iter().any(|piece| {
                self.owned(p, color, piece) <= most && self.owned(p, !color, piece) >= least
            })
    }

    fn flag_units<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        let flag = &self.law.definition.flag;
        let side = color.index();
        if flag.nobody[side] {
            return S::EMPTY;
        }
        let units = match flag.piece[side] {
            Some(piece) => self.units(p, color, piece),
            None => p.color(color),
        };
        units & self.flags[side]
    }

    fn reached<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> bool {
        let flag = &self.law.definition.flag;
        let units = self.flag_units(p, color);
        let count = u32::from(flag.count);
        let filled = (self.flags[color.index()] & !p.occupied()).is_empty();
        if units.is_empty() || units.len() < count && !(flag.blocked_wins && filled) {
            return false;
        }
        let safe = flag.safe && (!flag.extra_move || color == !p.side);
        !(safe && units.len() == count && units.iter().any(self.attacked_by(p, !color)))
    }

    fn flagged<W: Layout<Set = S>>(&self, p: &Position<W>) -> Option<Outcome> {
        let d = &self.law.definition;
        let flag = &d.flag;
        let us = p.side;
        let king = |color: Color| {
            flag.piece[color.index()].is_some() && flag.piece[color.index()] == d.checks.king
        };
        if (flag.extra_move || flag.safe) && self.reached(p, us) {
            let shared =
                flag.extra_move && us == Color::White && king(!us) || flag.safe && !flag.extra_move;
            return Some(if shared && self.reached(p, !us) {
                Outcome::Draw(FLAG)
            } else {
                Outcome::Win(us, FLAG)
            });
        }
        if (!flag.extra_move || flag.safe || king(us)) && self.reached(p, !us) {
            let replies = flag.extra_move
                && king(us)
                && us == Color::Black
                && self.king_goes_to(p, self.flags[us.index()]);
            if !replies {
                return Some(Outcome::Win(!us, FLAG));
            }
        }
        None
    }

    /// Returns whether the side to move is not in check and its king has a legal step into a region.
    fn king_goes_to<W: Layout<Set = S>>(&self, p: &Position<W>, region: S) -> bool {
        let mut notes = Notes::new();
        let analysis = self.analysis(p, &mut notes);
        if analysis.watch.in_check {
            return false;
        }
        let d = &self.law.definition;
        if d.drops.must_drop && self.has_to_drop(p) && self.any(p, &analysis, Want::Drops) {
            return false;
        }
        let captures = d.captures.mandatory && self.any(p, &analysis, Want::Captures);
        analysis.kings.iter().any(|from| {
            let kind = p.kind_on(from);
            let (quiet, attack) = self.moves.reach(analysis.us, kind, from, analysis.occupied);
            let mut targets = (quiet & !analysis.occupied | attack & analysis.prey) & region;
            if captures {
                targets &= analysis.enemy;
            }
            self.safe_targets(p, &analysis, kind, from, targets)
                .iter()
                .any(|to| {
                    !self.needs_check_trial
                        || self.gives_no_forbidden_check(p, &Turn::of(Step::go(kind, from, to)))
                })
        })
    }

    /// Returns whether the units of the side that has just moved are connected.
    fn connected<W: Layout<Set = S>>(&self, p: &Position<W>) -> bool {
        let d = &self.law.definition;
        let c = &d.connection;
        let side = (!p.side).index();
        let units = c
            .types
            .iter()
            .filter(|piece| piece.index() < d.pieces.len())
            .fold(S::EMPTY, |all, piece| all | self.units(p, !p.side, piece));
        let used = [c.horizontal, c.diagonal, c.vertical, c.diagonal];
        let lines = || (0..4).filter(|&n| used[n]);
        let next = |direction: usize, from: Square| self.next[direction][from.index()];
        // The squares of `set` whose next square in a direction is in `goals`.
        let before = |direction: usize, set: S, goals: S| {
            set.iter()
                .filter(|&s| next(direction, s).is_some_and(|to| goals.has(to)))
                .fold(S::EMPTY, S::with)
        };
        if c.in_a_row > 0 {
            for direction in lines() {
                let mut heads = units;
                for _ in 1..c.in_a_row {
                    heads = before(direction, units, heads);
                }
                if !heads.is_empty() {
                    return true;
                }
            }
        }
        let (first, last) = (
            S::from_bits(c.region_a[side]),
            S::from_bits(c.region_b[side]),
        );
        if !(first & units).is_empty() && !(last & units).is_empty() {
            let mut chain = first & units;
            loop {
                if !(chain & last).is_empty() {
                    return true;
                }
                let grown = lines()
                    .flat_map(|n| [n, n + 4])
                    .fold(chain, |all, direction| {
                        all | before(direction, units, chain)
                    });
                if grown == chain {
                    break;
                }
                chain = grown;
            }
        }
        if c.square > 0 {
            let mut corners = units;
            for _ in 1..c.square {
                corners = before(0, corners, corners)
                    & before(2, corners, corners)
                    & before(1, corners, corners);
            }
            if !corners.is_empty() {
                return true;
            }
        }
        c.collinear > 0
            && lines().any(|direction| {
                units.iter().any(|unit| {
                    let mut count = 1;
                    for way in [direction, direction + 4] {
                        let mut at = unit;
                        while let Some(to) = next(way, at).filter(|&to| to != unit) {
                            count += u32::from(units.has(to));
                            at = to;
                        }
                    }
                    count >= u32::from(c.collinear)
                })
            })
    }

    /// Returns the outcome of a position without legal turns.
    pub(crate) fn without_turn<W: Layout<Set = S>>(&self, p: &Position<W>) -> Outcome {
        self.without_turn_in_check(p, !self.royals_in_check(p, p.side).is_empty())
    }

    /// Like [`without_turn`](Self::without_turn), if it is known whether the side to move is in check.
    pub(crate) fn without_turn_in_check<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        in_check: bool,
    ) -> Outcome {
        match self.no_turn_here(p, in_check) {
            Outcome::Win(winner, reason) if winner == p.side => {
                let mated = reason == reason::CHECKMATE;
                Outcome::Win(winner, if mated { CHECKMATED } else { STALEMATED })
            }
            outcome => outcome,
        }
    }

    fn no_turn_here<W: Layout<Set = S>>(&self, p: &Position<W>, in_check: bool) -> Outcome {
        let d = &self.law.definition;
        let us = p.side;
        if in_check {
            // Rules on the checking units of a mate concern checks on a king, not on pseudo-royal units.
            let checkers = self.checkers(p, us);
            let dropped_pawn = self.law.state.dropped_pawn.get(p) > 0;
            if dropped_pawn && self.are_all(p, checkers, "shogiPawn") {
                return Outcome::Win(us, reason::CHECKMATE);
            }
            if d.checks.shatar && !checkers.is_empty() {
                if self.are_all(p, checkers, "knight") {
                    return Outcome::Win(us, reason::CHECKMATE);
                }
                let shak = self.law.state.shak[(!us).index()].get(p) > 0;
                if !shak && !self.gives_shak(p, checkers) {
                    return Outcome::Draw(reason::CHECKMATE);
                }
            }
            return worth(d.no_turn.checkmate, us, reason::CHECKMATE);
        }
        let mut value = d.no_turn.stalemate;
        if d.no_turn.piece_count {
            let (own, theirs) = (p.color(us).len(), p.color(!us).len());
            value = match own.cmp(&theirs) {
                std::cmp::Ordering::Equal => Value::Draw,
                std::cmp::Ordering::Less => value,
                std::cmp::Ordering::Greater => value.opposite(),
            };
        }
        match value {
            Value::Draw => self.counted(p, reason::STALEMATE),
            value => worth(value, us, reason::STALEMATE),
        }
    }

    /// Returns whether a set of units is not empty and contains only pieces with this name.
    fn are_all<W: Layout<Set = S>>(&self, p: &Position<W>, units: S, name: &str) -> bool {
        let piece = self.law.named(name);
        let is_named = |unit: Square| self.law.kinds.piece(p.kind_on(unit)) == piece;
        piece.is_some() && !units.is_empty() && units.iter().all(is_named)
    }
}
