//! GOAL variants, blunder-mate to entourage.

use super::board::{EMPTY, Kind, Pos, Step, Turn, ahead};
use super::fide::{self, Fide};
use super::{CastlingTest, Law, Options, lost, no_options, wins};

/// The law of a variant of this file.
pub fn law(id: &str, options: &Options) -> Result<Box<dyn Law>, String> {
    no_options(options)?;
    match id {
        "blunder-mate" => Ok(Box::new(BlunderMate)),
        "clerical" => Ok(Box::new(Clerical)),
        "concurrent" => Ok(Box::new(Concurrent)),
        "counselor" => Ok(Box::new(Counselor)),
        "contravention" => Ok(Box::new(Contravention)),
        "deadline" => Ok(Box::new(Deadline)),
        "decastellation" => Ok(Box::new(Decastellation)),
        "donnybrook" => Ok(Box::new(Donnybrook)),
        "dowager" => Ok(Box::new(Dowager)),
        "dynastic" => Ok(Box::new(Dynastic)),
        "entourage" => Ok(Box::new(Entourage)),
        _ => Err(format!("unknown variant {id}")),
    }
}

/// The squares of a side's kings and queens.
fn monarchs(pos: &Pos, white: bool) -> Vec<usize> {
    let mut squares = pos.board.find(white, 'K');
    squares.extend(pos.board.find(white, 'Q'));
    squares
}

// ---- blunder-mate ----

struct BlunderMate;

/// Whether the side to move has a FIDE turn that checkmates.
fn can_checkmate(pos: &Pos) -> bool {
    fide::turns(&Fide, pos)
        .iter()
        .any(|turn| fide::is_checkmate(&Fide, &turn.after))
}

impl Law for BlunderMate {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("blunder", "")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        value == "1"
    }

    /// All turns are made before any of them can be marked: the mark of one depends on the others.
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut turns = fide::turns(&Fide, pos);
        let blunders: Vec<bool> = turns.iter().map(|t| can_checkmate(&t.after)).collect();
        for (i, turn) in turns.iter_mut().enumerate() {
            let another = blunders.iter().enumerate().any(|(j, &b)| b && j != i);
            turn.after.unset("blunder");
            if another {
                turn.after.set("blunder", "1");
            }
        }
        turns
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(&Fide, pos) {
            Some(wins(!pos.white, "checkmate"))
        } else if pos.get("blunder", "") == "1" {
            Some(wins(pos.white, "blunder-mate"))
        } else {
            None
        }
    }
}

// ---- clerical ----

struct Clerical;

impl Law for Clerical {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    /// Pawns become kings: any number may be there.
    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        Vec::new()
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'N', 'Q', 'K']
    }

    /// The restriction of a last bishop is one of its steps, not of its attacks.
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let white = pos.board.owns(true, from);
        let last_bishop = pos.board.kind(from) == Some('B') && pos.board.count(white, 'B') == 1;
        if last_bishop && !pos.board.next_to(from, to) && self.attacked(pos, from, !white) {
            return None;
        }
        fide::reach(self, pos, from, to)
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "bishops-captured", |white| {
            pos.board.count(white, 'B') == 0
        })
    }
}

// ---- concurrent ----

struct Concurrent;

/// Whether three vacant squares along a rank or file lead from one square next to the other one,
/// which is then at a right angle.
fn long_knight(pos: &Pos, from: usize, to: usize) -> bool {
    if pos.board.gap(from, to) != (1, 3) {
        return false;
    }
    let (files, ranks) = pos.board.delta(from, to);
    (1..=3).all(|i| {
        let square = if files.abs() == 3 {
            pos.board.offset(from, i * files.signum(), 0)
        } else {
            pos.board.offset(from, 0, i * ranks.signum())
        };
        square.is_some_and(|square| pos.board.is_empty(square))
    })
}

impl Law for Concurrent {
    fn has_castling(&self) -> bool {
        false
    }

    fn has_double_step(&self) -> bool {
        false
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 1, 1), ('Q', 0, 1)]
    }

    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        monarchs(pos, white)
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'B', 'N']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let board = &pos.board;
        let one_diagonally = board.gap(from, to) == (1, 1);
        match board.kind(from) {
            Some('K' | 'Q') => one_diagonally,
            Some('R') => {
                let even = board.gap(from, to).1 % 2 == 0;
                one_diagonally || (board.straight(from, to) && even && board.open(from, to))
            }
            Some('N') => long_knight(pos, from, to),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    /// Everything captures as it steps, pawns too.
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        self.attacks(pos, from, to).then_some(Kind::Plain)
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut turns = fide::turns(self, pos);
        for from in pos.board.units(pos.white) {
            let (file, rank) = (pos.board.file(from), pos.board.rank(from));
            let to = rank * pos.board.files + (pos.board.files - 1 - file);
            if matches!(pos.board.kind(from), Some('K' | 'Q')) || !pos.board.is_empty(to) {
                continue;
            }
            let mirror = fide::step(pos, Kind::Plain, from, to);
            let mirrored = self.apply(pos, &mirror);
            let checks = monarchs(&mirrored, !pos.white)
                .into_iter()
                .any(|monarch| self.attacks(&mirrored, to, monarch));
            if checks {
                continue;
            }
            for step in self.steps(&mirrored, pos.white) {
                let now = self.apply(&mirrored, &step);
                let turn = self.finish(pos, &[mirror.clone(), step], now);
                if self.legal(pos, &turn.steps, &turn.after) {
                    turns.push(turn);
                }
            }
        }
        turns
    }
}

// ---- counselor ----

struct Counselor;

impl Counselor {
    fn queen_attacked(&self, pos: &Pos, white: bool) -> bool {
        pos.board
            .find(white, 'Q')
            .into_iter()
            .any(|queen| self.attacked(pos, queen, !white))
    }
}

impl Law for Counselor {
    fn has_castling(&self) -> bool {
        false
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 1, 1), ('Q', 0, 1)]
    }

    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        monarchs(pos, white)
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'B', 'N']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let far = pos.board.kind(from) == Some('Q') && pos.board.gap(from, to).1 > 2;
        !far && fide::attacks(self, pos, from, to)
    }

    /// A checkmate of the enemy queen is compulsory. Whether it is one is asked without this rule.
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let turns = fide::turns(self, pos);
        let mates_queen = |turn: &Turn| {
            self.queen_attacked(&turn.after, !pos.white)
                && fide::turns(self, &turn.after).is_empty()
        };
        let forced: Vec<Turn> = turns.iter().filter(|t| mates_queen(t)).cloned().collect();
        if forced.is_empty() { turns } else { forced }
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.queen_attacked(pos, pos.white) {
            wins(pos.white, "queen-checkmated")
        } else {
            fide::no_turn(self, pos)
        }
    }
}

// ---- contravention ----

struct Contravention;

/// The name of a side in the state.
fn side_letter(white: bool) -> char {
    if white { 'w' } else { 'b' }
}

impl Contravention {
    /// Whether all units that attack the side's king may do so after that side's turn.
    fn checkers_allow(&self, pos: &Pos, white: bool) -> bool {
        fide::checkers(self, pos, white)
            .into_iter()
            .all(|from| matches!(pos.board.kind(from), Some('N' | 'B' | 'R' | 'Q')))
    }
}

impl Law for Contravention {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("into", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        if !["w", "b", "wb"].contains(&value) {
            return false;
        }
        let mover_in = value.contains(side_letter(!pos.white));
        let to_move_in = value.contains(side_letter(pos.white));
        (!mover_in || self.in_danger(pos, !pos.white))
            && (!to_move_in || !self.in_danger(pos, pos.white))
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        !self.checkers_allow(pos, !pos.white)
    }

    fn castling_test(&self) -> CastlingTest {
        CastlingTest::Path
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let own = before.white;
        let own_after = self.in_danger(after, own);
        if own_after {
            let was_in_check = self.in_danger(before, own);
            let went_in_before = before.get("into", "").contains(side_letter(own));
            let king_again = steps[0].is('K') && went_in_before;
            if was_in_check || !self.checkers_allow(after, own) || king_again {
                return false;
            }
        }
        !(self.in_danger(before, !own) && self.in_danger(after, !own))
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let old = before.get("into", "");
        let into: String = [true, false]
            .into_iter()
            .filter(|&white| {
                if white == before.white {
                    steps[0].is('K') && self.in_danger(after, white)
                } else {
                    old.contains(side_letter(white))
                }
            })
            .map(side_letter)
            .collect();
        after.unset("into");
        if !into.is_empty() {
            after.set("into", &into);
        }
    }

    fn no_turn(&self, pos: &Pos) -> String {
        let reason = if self.in_danger(pos, pos.white) {
            "checkmate"
        } else if self.in_danger(pos, !pos.white) {
            "check-not-removed"
        } else {
            "stalemate"
        };
        wins(!pos.white, reason)
    }
}

// ---- deadline ----

struct Deadline;

impl Law for Deadline {
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let own = pos.white;
        if !self.in_danger(pos, own) {
            return fide::turns(self, pos);
        }
        let mut turns = Vec::new();
        for first in self.steps(pos, own) {
            if first.is('K') {
                let turn = fide::one_step(self, pos, first);
                if self.legal(pos, &turn.steps, &turn.after) {
                    turns.push(turn);
                }
                continue;
            }
            let halfway = self.apply(pos, &first);
            if !self.in_danger(&halfway, own) || self.in_danger(&halfway, !own) {
                continue;
            }
            for second in self.steps(&halfway, own) {
                if second.from != first.to {
                    continue;
                }
                let now = self.apply(&halfway, &second);
                let turn = self.finish(pos, &[first.clone(), second], now);
                if self.legal(pos, &turn.steps, &turn.after) {
                    turns.push(turn);
                }
            }
        }
        turns
    }
}

// ---- decastellation ----

struct Decastellation;

impl Law for Decastellation {
    fn capture_game(&self) -> bool {
        true
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let without = |kind: char| move |white: bool| pos.board.count(white, kind) == 0;
        lost(pos, "king-captured", without('K'))
            .or_else(|| lost(pos, "rooks-captured", without('R')))
    }
}

// ---- donnybrook ----

struct Donnybrook;

/// Whether a captured unit of this kind comes back to its owner.
fn comes_back(pos: &Pos, kind: char, owner: bool) -> bool {
    match kind {
        'R' => true,
        'N' => pos.board.count(owner, 'K') > 0,
        'B' => pos.board.count(owner, 'Q') > 0,
        _ => false,
    }
}

impl Law for Donnybrook {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    /// The re-entry comes between the double step and the capture.
    fn has_en_passant(&self, pos: &Pos) -> bool {
        pos.get("return", "").is_empty()
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("return", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        ["R", "N", "B"]
            .into_iter()
            .zip(['R', 'N', 'B'])
            .any(|(name, kind)| name == value && comes_back(pos, kind, pos.white))
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 0, 1), ('Q', 0, 1)]
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'B', 'N']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        match pos.board.kind(from) {
            Some('Q') => pos.board.next_to(from, to),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        after.unset("return");
        for step in steps {
            if let Some(unit) = step.captured {
                let kind = unit.to_ascii_uppercase();
                if comes_back(after, kind, !before.white) {
                    after.set("return", &kind.to_string());
                }
            }
        }
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let Some(kind) = pos.get("return", "").chars().next() else {
            return fide::turns(self, pos);
        };
        let unit = super::board::letter(pos.white, kind);
        let mut turns = Vec::new();
        for square in pos.board.squares() {
            if !pos.board.is_empty(square) {
                continue;
            }
            let entry = Step::drop(unit, square);
            let entered = self.apply(pos, &entry);
            for step in self.steps(&entered, pos.white) {
                if step.from != square {
                    let now = self.apply(&entered, &step);
                    turns.push(self.finish(pos, &[entry.clone(), step], now));
                }
            }
        }
        turns
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "monarchs-captured", |white| {
            monarchs(pos, white).is_empty()
        })
    }
}

// ---- dowager ----

struct Dowager;

/// The kind as which a side's queen steps: the highest of its other units.
fn queen_power(pos: &Pos, white: bool) -> Option<char> {
    ['K', 'R', 'B', 'N', 'P']
        .into_iter()
        .find(|&kind| pos.board.count(white, kind) > 0)
}

impl Law for Dowager {
    fn has_castling(&self) -> bool {
        false
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('Q', 1, 1)]
    }

    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        pos.board.find(white, 'Q')
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['K', 'R', 'B', 'N']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        if pos.board.kind(from) != Some('Q') {
            return fide::attacks(self, pos, from, to);
        }
        let white = pos.board.owns(true, from);
        queen_power(pos, white).is_some_and(|kind| fide::attacks_as(pos, kind, white, from, to))
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        if board.kind(from) != Some('Q') {
            return fide::reach(self, pos, from, to);
        }
        let white = board.owns(true, from);
        let power = queen_power(pos, white)?;
        if power == 'P' && board.is_empty(to) {
            return (board.delta(from, to) == (0, ahead(white))).then_some(Kind::Plain);
        }
        if !self.attacks(pos, from, to) {
            return None;
        }
        if power == 'R' || power == 'B' {
            let mut lifted = pos.clone();
            lifted.board.cells[from] = EMPTY;
            let mut passed = board.between(from, to).into_iter();
            if passed.any(|square| self.attacked(&lifted, square, !white)) {
                return None;
            }
        }
        Some(Kind::Plain)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else {
            wins(!pos.white, "stalemate")
        }
    }
}

// ---- dynastic ----

struct Dynastic;

impl Law for Dynastic {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 0, 1), ('Q', 0, 1)]
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'B', 'N']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        if !matches!(pos.board.kind(from), Some('K' | 'Q')) {
            return fide::attacks(self, pos, from, to);
        }
        let white = pos.board.owns(true, from);
        let other = monarchs(pos, white).into_iter().find(|&s| s != from);
        let power = match other {
            None => 'K',
            Some(other) if pos.board.next_to(from, other) => 'Q',
            Some(_) => 'N',
        };
        fide::attacks_as(pos, power, white, from, to)
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "monarchs-captured", |white| {
            monarchs(pos, white).is_empty()
        })
    }
}

// ---- entourage ----

struct Entourage;

const ENTOURAGE: &str = "entourage-captured";

impl Law for Entourage {
    fn capture_game(&self) -> bool {
        true
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("over", "")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        value == ENTOURAGE
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        after.unset("over");
        let kings = before.board.find(!before.white, 'K');
        for step in steps {
            let captured = step.captured.map(|unit| unit.to_ascii_uppercase());
            let in_entourage = matches!(captured, Some('Q' | 'R' | 'B' | 'N'))
                && kings
                    .iter()
                    .any(|&king| before.board.next_to(step.to, king));
            if in_entourage {
                after.set("over", ENTOURAGE);
            }
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let king = lost(pos, "king-captured", |white| {
            pos.board.count(white, 'K') == 0
        });
        let over = pos.get("over", "") == ENTOURAGE;
        king.or_else(|| over.then(|| wins(!pos.white, ENTOURAGE)))
    }
}
