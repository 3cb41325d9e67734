//! When the game is over, and for whom.

use super::definition::{Definition, KING, KNIGHT, ROOK, SHOGI_PAWN, Value, Which, among};
use super::position::{BLACK, Position, WHITE};
use super::turns::Turn;

/// The rook that steps diagonally, one of the pieces that may mate in shatar.
const BERS: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Ongoing,
    Draw,
    Wins(usize),
}

fn of(value: Value, side: usize) -> Outcome {
    match value {
        Value::Win => Outcome::Wins(side),
        Value::Loss => Outcome::Wins(1 - side),
        Value::Draw | Value::None => Outcome::Draw,
    }
}

impl Definition {
    pub fn outcome(&self, pos: &Position) -> Outcome {
        if let Some(outcome) = self.ended(pos) {
            return outcome;
        }
        if !self.permitted(pos).is_empty() {
            return Outcome::Ongoing;
        }
        let side = pos.side;
        if self.in_check(pos, side) {
            return self.mate(pos);
        }
        if self.pseudo_royal {
            let attacked = |&square: &usize| {
                !self.shielded(pos, square, side) && self.attacked(pos, square, 1 - side)
            };
            let all = self.duple_check && self.all_attacked(pos, side);
            if all || self.royals(pos, side).iter().any(attacked) {
                return of(self.checkmate, side);
            }
        }
        let stalemate = match self.stalemate_count {
            false => of(self.stalemate, side),
            true => match pos.units(side).cmp(&pos.units(1 - side)) {
                std::cmp::Ordering::Less => of(self.stalemate, side),
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Greater => of(self.stalemate, 1 - side),
            },
        };
        match (stalemate, self.draw_odds) {
            (Outcome::Draw, Some(winner)) => Outcome::Wins(winner),
            _ => stalemate,
        }
    }

    /// Mate of the side to move by its king.
    fn mate(&self, pos: &Position) -> Outcome {
        let side = pos.side;
        let pawn = |&square: &usize| pos.holds(square, 1 - side, SHOGI_PAWN);
        if self.pawn_drop_mate_illegal
            && pos.dropped_pawn
            && self.checkers(pos, side).iter().all(pawn)
        {
            return Outcome::Wins(side);
        }
        if self.shatar {
            let by = |kinds: &[usize]| {
                let checkers = self.checkers(pos, side);
                let of_kinds = |&square: &usize| {
                    pos.unit(square)
                        .is_some_and(|unit| kinds.contains(&unit.kind))
                };
                (checkers.iter().all(of_kinds), checkers.iter().any(of_kinds))
            };
            if by(&[KNIGHT]).0 {
                return Outcome::Wins(side);
            }
            if !by(&[KNIGHT, ROOK, BERS]).1 {
                return Outcome::Draw;
            }
        }
        of(self.checkmate, side)
    }

    /// An outcome that does not wait for the turns to run out.
    pub fn ended(&self, pos: &Position) -> Option<Outcome> {
        let side = pos.side;
        let enemy = 1 - side;
        if self.extinction != Value::None && (!self.pseudo_royal || self.blast) {
            for of_side in [enemy, side] {
                if self.is_extinct(pos, of_side) {
                    return Some(of(self.extinction, of_side));
                }
            }
        }
        if (self.flag_move || self.flag_safe) && self.flag_reached(pos, side) {
            let last_chance =
                self.flag_move && side == WHITE && self.flag_kind[enemy] == Which::Kind(KING);
            let both =
                (last_chance || self.flag_safe && !self.flag_move) && self.flag_reached(pos, enemy);
            return Some(match both {
                true => Outcome::Draw,
                false => Outcome::Wins(side),
            });
        }
        let king_runs = self.flag_kind[side] == Which::Kind(KING);
        if (!self.flag_move || self.flag_safe || king_runs) && self.flag_reached(pos, enemy) {
            let follows = self.flag_move
                && king_runs
                && side == BLACK
                && !self.in_check(pos, side)
                && self.pseudo(pos).iter().any(|turn: &Turn| {
                    pos.holds(turn.from, side, KING)
                        && !turn.is_drop()
                        && self.inside(&self.flag_region[side], turn.to)
                        && self.stands(pos, turn)
                });
            if !follows {
                return Some(Outcome::Wins(enemy));
            }
        }
        if self.check_counting && pos.checks[enemy] == 0 {
            return Some(Outcome::Wins(enemy));
        }
        if self.connect > 0 && self.connects(pos, enemy) {
            return Some(Outcome::Wins(enemy));
        }
        if pos.passes >= 2 {
            return Some(self.draw_odds.map_or(Outcome::Draw, Outcome::Wins));
        }
        None
    }

    fn is_extinct(&self, pos: &Position, of_side: usize) -> bool {
        let count = |side: usize, which: Which| match which {
            Which::All => pos.units(side) + pos.hand[side].iter().sum::<u32>() as usize,
            Which::Kind(kind) => pos.squares_of(side, kind).len() + pos.hand[side][kind] as usize,
        };
        let claim = usize::from(self.extinction_claim && of_side == pos.side);
        self.extinct.iter().any(|&which| {
            count(of_side, which) <= self.extinct_count as usize
                && count(1 - of_side, which) >= self.extinct_opponent as usize + claim
        })
    }

    fn flag_reached(&self, pos: &Position, side: usize) -> bool {
        let region: Vec<usize> = (0..pos.cells.len())
            .filter(|&square| self.inside(&self.flag_region[side], square))
            .collect();
        let there: Vec<usize> = region
            .iter()
            .copied()
            .filter(|&square| {
                pos.unit(square).is_some_and(|unit| {
                    unit.side == side
                        && match self.flag_kind[side] {
                            Which::All => true,
                            Which::Kind(kind) => unit.kind == kind,
                        }
                })
            })
            .collect();
        if there.is_empty() {
            return false;
        }
        let full = self.flag_blocked && region.iter().all(|&square| !pos.vacant(square));
        if there.len() < self.flag_count && !full {
            return false;
        }
        let must_be_safe = self.flag_safe && (!self.flag_move || side != pos.side);
        !(must_be_safe
            && there.len() == self.flag_count
            && there
                .iter()
                .any(|&square| self.attacked(pos, square, 1 - side)))
    }

    /// Whether so many units of a side stand side by side on a line.
    fn connects(&self, pos: &Position, side: usize) -> bool {
        let counts = |square: usize| {
            pos.unit(square)
                .is_some_and(|unit| unit.side == side && among(&self.connect_kinds, unit.kind))
        };
        let lines = [
            ((1, 0), self.connect_vertical),
            ((0, 1), self.connect_horizontal),
            ((1, 1), self.connect_diagonal),
            ((1, -1), self.connect_diagonal),
        ];
        (0..pos.cells.len()).any(|from| {
            lines.iter().any(|&((up, right), allowed)| {
                allowed
                    && (0..self.connect as i32).all(|length| {
                        self.step(WHITE, from, length * up, length * right)
                            .is_some_and(counts)
                    })
            })
        })
    }
}
