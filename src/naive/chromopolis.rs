//! Chromopolis: on a cylinder, units bind enemies by force and free their own.

use super::board::{Board, EMPTY, Kind, Pos, Step, Turn, ahead};
use super::{Basics, Law, fide, lost};
use std::collections::BTreeMap;

pub struct Chromopolis {
    /// Whether bound units are never freed.
    pub no_unbinding: bool,
}

const FERZ: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const WAZIR: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const DABBABA: [(i32, i32); 4] = [(-2, 0), (2, 0), (0, -2), (0, 2)];
const KNIGHT: [(i32, i32); 8] = [
    (-2, -1),
    (-2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
    (2, -1),
    (2, 1),
];

/// The order of bound units on a square.
const ORDER: &str = "KNALPknalp";

/// Bound units by their square.
type Bound = BTreeMap<usize, Vec<char>>;

/// One way to choose the units to free.
#[derive(Clone)]
struct Choice {
    /// The steps in the text of the turn. A freed unit is written only if there was a choice.
    steps: Vec<Step>,
    freed: Vec<(usize, char)>,
}

/// Returns whether one of the moves, in files to the right and ranks up, leads from one square to another.
/// The files wrap around.
fn leads(board: &Board, moves: &[(i32, i32)], from: usize, to: usize) -> bool {
    from != to
        && moves.iter().any(|&(files, ranks)| {
            let file = (board.file(from) as i32 + files).rem_euclid(board.files as i32);
            let rank = board.rank(from) as i32 + ranks;
            file == board.file(to) as i32 && rank == board.rank(to) as i32
        })
}

/// Returns whether the unit on `from` could step to `to` if that square were empty.
fn can_step(board: &Board, from: usize, to: usize) -> bool {
    let moves = match board.kind(from) {
        Some('K') => [FERZ, WAZIR].concat(),
        Some('N') => KNIGHT.to_vec(),
        Some('A') => [FERZ, DABBABA].concat(),
        Some('L') => FERZ.to_vec(),
        Some('P') => vec![(0, ahead(board.owns(true, from)))],
        _ => Vec::new(),
    };
    leads(board, &moves, from, to)
}

/// Returns whether the unit on `from` exerts force on `to`.
fn forces(board: &Board, from: usize, to: usize) -> bool {
    match board.kind(from) {
        Some('L') => leads(board, &KNIGHT, from, to) || leads(board, &WAZIR, from, to),
        Some('P') => {
            let rank = ahead(board.owns(true, from));
            leads(board, &[(-1, rank), (1, rank)], from, to)
        }
        _ => can_step(board, from, to),
    }
}

/// Returns the number of a side's units that exert force on the square.
fn force(board: &Board, by: bool, square: usize) -> usize {
    board
        .units(by)
        .filter(|&from| forces(board, from, square))
        .count()
}

/// Returns the bound units of a state value: `c3Nn,d4Pp`.
fn read_bound(board: &Board, text: &str) -> Option<Bound> {
    let mut bound = Bound::new();
    for part in text.split(',').filter(|_| !text.is_empty()) {
        let digits = part.chars().skip(1).take_while(char::is_ascii_digit);
        let length = 1 + digits.count();
        let name: String = part.chars().take(length).collect();
        let units: Vec<char> = part.chars().skip(length).collect();
        let square = board.named(&name)?;
        if board.is_hole(square) || units.is_empty() || !units.iter().all(|&u| ORDER.contains(u)) {
            return None;
        }
        bound.entry(square).or_default().extend(units);
    }
    Some(bound)
}

/// Returns the canonical state value.
fn print_bound(board: &Board, bound: &Bound) -> String {
    let mut words = Vec::new();
    for (&square, units) in bound {
        let mut word = board.name(square);
        for unit in ORDER.chars() {
            word.extend(units.iter().filter(|&&other| other == unit));
        }
        words.push(word);
    }
    words.join(",")
}

/// Returns the bound units of a position.
fn bound(pos: &Pos) -> Bound {
    // The value was checked when the FEN was read.
    read_bound(&pos.board, &pos.get("bound", "")).unwrap_or_default()
}

/// Returns the number of bound kings of a side.
fn bound_kings(pos: &Pos, white: bool) -> usize {
    let king = if white { 'K' } else { 'k' };
    bound(pos)
        .values()
        .flatten()
        .filter(|&&unit| unit == king)
        .count()
}

/// Returns the different units of a side among the bound units of a square, in canonical order.
fn choices(units: &[char], white: bool) -> Vec<char> {
    ORDER
        .chars()
        .filter(|unit| unit.is_ascii_uppercase() == white && units.contains(unit))
        .collect()
}

impl Chromopolis {
    /// Returns the turns that begin with this step, one for each choice of the units to free.
    fn turns_after(&self, pos: &Pos, step: Step) -> Vec<Turn> {
        let mover = pos.white;
        let mut now = self.apply(pos, &step);
        let mut bound = bound(pos);

        let caught: Vec<usize> = now
            .board
            .units(!mover)
            .filter(|&square| force(&now.board, mover, square) >= 2)
            .collect();
        for square in caught {
            let unit = now.board.cells[square];
            bound.entry(square).or_default().push(unit);
            now.board.cells[square] = EMPTY;
        }

        // The board does not change until all units are chosen, because a freed unit does not exert force
        // yet.
        let mut ways = vec![Choice {
            steps: vec![step],
            freed: Vec::new(),
        }];
        for (&square, units) in &bound {
            let own = choices(units, mover);
            let free = !self.no_unbinding
                && now.board.is_empty(square)
                && force(&now.board, mover, square) >= 2
                && force(&now.board, !mover, square) == 0;
            if own.is_empty() || !free {
                continue;
            }
            let mut longer = Vec::new();
            for shorter in ways {
                for &unit in &own {
                    let mut way = shorter.clone();
                    if own.len() > 1 {
                        way.steps.push(Step::drop(unit, square));
                    }
                    way.freed.push((square, unit));
                    longer.push(way);
                }
            }
            ways = longer;
        }

        let mut list = Vec::new();
        for way in ways {
            let mut after = now.clone();
            let mut left = bound.clone();
            for (square, unit) in way.freed {
                after.board.cells[square] = unit;
                let units = left.entry(square).or_default();
                if let Some(place) = units.iter().position(|&other| other == unit) {
                    units.remove(place);
                }
            }
            left.retain(|_, units| !units.is_empty());
            after.set("bound", &print_bound(&after.board, &left));
            list.push(self.finish(pos, &way.steps, after));
        }
        list
    }
}

impl Law for Chromopolis {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            double_step: false,
            promotions: "NAL",
            ..Basics::CAPTURE_GAME
        }
    }

    // The game is without check, and a side without a king has not lost.
    fn start(&self) -> String {
        "*alnkla/1pppppp/7/7/1PPPPPP/*ALNKLA w - - 0 1".to_string()
    }

    fn letters(&self) -> &'static str {
        "KNALP"
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("bound", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        let Some(bound) = read_bound(&pos.board, value) else {
            return false;
        };
        let pawns_fit = bound.iter().all(|(&square, units)| {
            units.iter().all(|&unit| {
                !unit.eq_ignore_ascii_case(&'P')
                    || self.pawn_may_stand(pos, square, unit.is_ascii_uppercase())
            })
        });
        pawns_fit && print_bound(&pos.board, &bound) == value
    }

    fn pawn_may_stand(&self, pos: &Pos, square: usize, white: bool) -> bool {
        pos.board.depth(square, white) + 1 != pos.board.ranks
    }

    fn check_fen(&self, pos: &Pos) -> Result<(), String> {
        for white in [true, false] {
            if pos.board.count(white, 'K') + bound_kings(pos, white) > 1 {
                let side = if white { "White" } else { "Black" };
                return Err(format!("state: {side} has a king too many"));
            }
        }
        Ok(())
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        (pos.board.is_empty(to) && can_step(&pos.board, from, to)).then_some(Kind::Plain)
    }

    fn resets_clock(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let unbound = |pos: &Pos| pos.board.units(!before.white).count();
        fide::resets_clock(steps) || unbound(after) < unbound(before)
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        self.steps(pos, pos.white)
            .into_iter()
            .flat_map(|step| self.turns_after(pos, step))
            .collect()
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "king-captured", |white| bound_kings(pos, white) > 0)
    }
}
