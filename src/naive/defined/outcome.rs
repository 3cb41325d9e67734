//! Outcomes: whether the game is over, and who wins.

use super::definition::{Definition, KING, KNIGHT, Material, SHOGI_PAWN, Value, Which, among};
use super::state::{BLACK, Position, WHITE};
use super::turns::Turn;

/// The outcome of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The game is not over.
    Ongoing,
    /// The game is a draw.
    Draw,
    /// This side wins (0 is White).
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
    /// Returns the outcome of a position with these legal turns.
    pub fn outcome(&self, pos: &Position, legal: &[Turn]) -> Outcome {
        if let Some(outcome) = self.ended(pos) {
            return outcome;
        }
        if !legal.is_empty() {
            return Outcome::Ongoing;
        }
        let side = pos.side;
        if self.in_check(pos, side) {
            return self.mate(pos);
        }
        if self.is_checked(pos, side) {
            return of(self.checkmate, side);
        }
        let stalemate = match self.stalemate_count {
            false => of(self.stalemate, side),
            true => match pos.units(side).cmp(&pos.units(1 - side)) {
                std::cmp::Ordering::Less => of(self.stalemate, side),
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Greater => of(self.stalemate, 1 - side),
            },
        };
        match stalemate {
            Outcome::Draw => self.counted(pos),
            _ => stalemate,
        }
    }

    /// Returns a draw, or the outcome that replaces draws in this variant.
    fn counted(&self, pos: &Position) -> Outcome {
        let (white, black) = (pos.units(WHITE), pos.units(BLACK));
        match self.material {
            Material::Side(side) => Outcome::Wins(side),
            Material::More if white > black => Outcome::Wins(WHITE),
            Material::More if black > white => Outcome::Wins(BLACK),
            _ => Outcome::Draw,
        }
    }

    /// Returns the outcome if the king of the side to move is mated.
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
            let checkers = self.checkers(pos, side);
            let knight = |&square: &usize| pos.holds(square, 1 - side, KNIGHT);
            if checkers.iter().all(knight) {
                return Outcome::Wins(side);
            }
            if !pos.shak[1 - side] {
                return Outcome::Draw;
            }
        }
        of(self.checkmate, side)
    }

    /// Returns the outcome if the game is over whether or not there are legal turns.
    pub fn ended(&self, pos: &Position) -> Option<Outcome> {
        let side = pos.side;
        let enemy = 1 - side;
        if self.extinction != Value::None {
            for of_side in [enemy, side] {
                // Without a blast, a side may lack a royal kind from the start.
                let counts = !self.pseudo_royal || self.blast || pos.extinct[of_side];
                if counts && self.is_extinct(pos, of_side) {
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
                && self.permitted(pos).iter().any(|turn: &Turn| {
                    pos.holds(turn.from, side, KING)
                        && !turn.is_drop()
                        && self.inside(&self.flag_region[side], turn.to)
                });
            if !follows {
                return Some(Outcome::Wins(enemy));
            }
        }
        if !self.castling_wins.is_empty() {
            if pos
                .castled
                .is_some_and(|castled| self.castling_wins.contains(&castled))
            {
                return Some(Outcome::Wins(enemy));
            }
            for of_side in [enemy, side] {
                let own = || self.castling_wins.iter().filter(|wing| wing.0 == of_side);
                let lost = own().all(|&(side, wing)| pos.rooks[side][wing].is_none());
                if own().count() > 0 && lost {
                    return Some(Outcome::Wins(1 - of_side));
                }
            }
        }
        if self.check_counting && pos.checks[enemy] == 0 {
            return Some(Outcome::Wins(enemy));
        }
        if self.connects(pos, enemy) {
            return Some(of(self.connect_value, enemy));
        }
        let full = self.full_board && (0..pos.cells.len()).all(|square| !pos.vacant(square));
        if pos.passes >= 2 || full {
            return Some(self.counted(pos));
        }
        if self.n_moves_kept && self.n_moves > 0 && pos.clock >= 2 * self.n_moves {
            let mated = self.is_checked(pos, side) && self.permitted(pos).is_empty();
            return (!mated).then(|| self.counted(pos));
        }
        None
    }

    /// Returns the word for the ending that [`Definition::ended`] finds, in the order in which it tests them.
    pub fn reason(&self, pos: &Position) -> &'static str {
        let sides = || [pos.side, 1 - pos.side].into_iter();
        if self.extinction != Value::None && sides().any(|side| self.is_extinct(pos, side)) {
            "extinction"
        } else if sides().any(|side| self.flag_reached(pos, side)) {
            "flag"
        } else if pos
            .castled
            .is_some_and(|castled| self.castling_wins.contains(&castled))
        {
            "castling"
        } else if self.check_counting && pos.checks[1 - pos.side] == 0 {
            "checks"
        } else if self.connects(pos, 1 - pos.side) {
            "connection"
        } else if self.full_board && (0..pos.cells.len()).all(|square| !pos.vacant(square)) {
            "full-board"
        } else {
            "castling"
        }
    }

    /// Returns the number of a side's units of a kind, or of all its units, on the board and in hand.
    pub fn count_of(&self, pos: &Position, side: usize, which: Which) -> usize {
        match which {
            Which::All => pos.units(side) + pos.hand[side].iter().sum::<u32>() as usize,
            Which::Kind(kind) => pos.squares_of(side, kind).len() + pos.hand[side][kind] as usize,
        }
    }

    fn is_extinct(&self, pos: &Position, of_side: usize) -> bool {
        let count = |side: usize, which: Which| self.count_of(pos, side, which);
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

    /// Returns whether the units of a side are connected: the required number next to each other on a line,
    /// in a full square, on one line with gaps, or in a chain from one region to another.
    fn connects(&self, pos: &Position, side: usize) -> bool {
        let counts = |square: usize| {
            pos.unit(square)
                .is_some_and(|unit| unit.side == side && among(&self.connect_kinds, unit.kind))
        };
        let lines: Vec<(i32, i32)> = [
            ((1, 0), self.connect_vertical),
            ((0, 1), self.connect_horizontal),
            ((1, 1), self.connect_diagonal),
            ((1, -1), self.connect_diagonal),
        ]
        .into_iter()
        .filter(|line| line.1)
        .map(|line| line.0)
        .collect();
        let at = |from: usize, up: i32, right: i32| {
            self.step(WHITE, from, up, right)
                .filter(|&square| counts(square))
        };
        let all = || (0..pos.cells.len()).filter(|&square| counts(square));
        let size = self.connect as i32;
        let row = size > 0
            && all().any(|from| {
                lines.iter().any(|&(up, right)| {
                    (0..size).all(|length| at(from, length * up, length * right).is_some())
                })
            });
        let size = self.connect_square as i32;
        let square = size > 0
            && all().any(|from| {
                (0..size).all(|up| (0..size).all(|right| at(from, up, right).is_some()))
            });
        let collinear = self.connect_collinear > 0
            && all().any(|from| {
                lines.iter().any(|&(up, right)| {
                    let mut line = vec![from];
                    for sign in [1, -1] {
                        let mut square = from;
                        while let Some(next) = self.step(WHITE, square, sign * up, sign * right)
                            && pos.cells[next] != super::state::Cell::Hole
                            && next != from
                        {
                            square = next;
                            line.push(square);
                        }
                    }
                    let on_line = line.into_iter().filter(|&square| counts(square));
                    on_line.count() >= self.connect_collinear
                })
            });
        let [first, last] = &self.connect_regions[side];
        let mut chain: Vec<usize> = all().filter(|&square| self.inside(first, square)).collect();
        let mut seen = 0;
        while seen < chain.len() {
            let from = chain[seen];
            seen += 1;
            for &(up, right) in &lines {
                for sign in [1, -1] {
                    let next = at(from, sign * up, sign * right);
                    chain.extend(next.filter(|next| !chain.contains(next)));
                }
            }
        }
        let chained = chain.iter().any(|&square| self.inside(last, square));
        row || square || collinear || chained
    }
}
