//! GOAL variants, shrapnel to zoo.

use super::board::{EMPTY, Kind, Pos, Step, Turn};
use super::fen::number;
use super::fide::{self, Fide};
use super::{Law, Options, draw, lost, no_options, wins};

/// The law of a variant of this file.
pub fn law(id: &str, options: &Options) -> Result<Box<dyn Law>, String> {
    if id == "spartan" {
        return spartan(options);
    }
    no_options(options)?;
    match id {
        "shrapnel" => Ok(Box::new(Shrapnel)),
        "society" => Ok(Box::new(Society)),
        "submission" => Ok(Box::new(Submission)),
        "triple-check" => Ok(Box::new(TripleCheck)),
        "twilight" => Ok(Box::new(Twilight)),
        "tyrant" => Ok(Box::new(Tyrant)),
        "ultimate" => Ok(Box::new(Ultimate)),
        "xenophobic" => Ok(Box::new(Xenophobic)),
        "zoo" => Ok(Box::new(Zoo)),
        _ => Err(format!("unknown variant {id}")),
    }
}

// ---- Shrapnel ----

struct Shrapnel;

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The first unit in a direction; a hole hides what is behind it.
fn nearest(pos: &Pos, from: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let mut square = from;
    loop {
        square = pos.board.offset(square, files, ranks)?;
        if !pos.board.is_empty(square) {
            return Some(square);
        }
    }
}

impl Law for Shrapnel {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    fn apply(&self, pos: &Pos, step: &Step) -> Pos {
        let mut now = fide::apply(self, pos, step);
        if step.captured.is_none() {
            return now;
        }
        let directions: &[(i32, i32)] = if pos.board.diagonal(step.from, step.to) {
            &STRAIGHT
        } else if pos.board.straight(step.from, step.to) {
            &DIAGONAL
        } else {
            &[]
        };
        let removed: Vec<usize> = directions
            .iter()
            .filter_map(|&direction| nearest(&now, step.to, direction))
            .collect();
        for square in removed {
            now.board.cells[square] = EMPTY;
        }
        now
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "annihilated", |white| {
            pos.board.units(white).is_empty()
        })
    }
}

// ---- Society ----

struct Society;

impl Law for Society {
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        let captures = !board.is_empty(to);
        if captures && board.kind(from) != Some('P') && board.kind(to) != Some('P') {
            return None;
        }
        fide::reach(self, pos, from, to)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else if !fide::turns(&Fide, pos).is_empty() {
            wins(!pos.white, "forced-capture")
        } else {
            draw("stalemate")
        }
    }
}

// ---- Spartan ----

struct Spartan {
    moves: u64,
}

fn spartan(options: &Options) -> Result<Box<dyn Law>, String> {
    let mut moves = 60;
    for (name, value) in options {
        if name != "moves" {
            return Err(format!("unknown option {name}"));
        }
        moves = number("moves", value)?;
        if !(1..=9999).contains(&moves) {
            return Err(format!("moves: {moves} is not between 1 and 9999"));
        }
    }
    Ok(Box::new(Spartan { moves }))
}

impl Law for Spartan {
    fn start(&self) -> String {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/3QKBNR w Kkq - 0 1".to_string()
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(self, pos) {
            Some(wins(!pos.white, "checkmate"))
        } else if pos.fullmove > self.moves {
            Some(wins(true, "time"))
        } else {
            None
        }
    }

    fn no_turn(&self, _pos: &Pos) -> String {
        wins(true, "stalemate")
    }
}

// ---- Submission ----

struct Submission;

/// The FIDE-legal turns that do not checkmate the opponent.
fn replies(pos: &Pos) -> Vec<Turn> {
    fide::turns(&Fide, pos)
        .into_iter()
        .filter(|turn| !fide::is_checkmate(&Fide, &turn.after))
        .collect()
}

impl Law for Submission {
    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white)
            && (!self.in_danger(after, !before.white) || !replies(after).is_empty())
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if !self.in_danger(pos, pos.white) {
            return None;
        }
        let replies = replies(pos);
        if replies.len() != 1 {
            return None;
        }
        let step = &replies[0].steps[0];
        (step.is('K') && step.captured.is_none()).then(|| wins(!pos.white, "submission"))
    }
}

// ---- Triple-check ----

struct TripleCheck;

impl TripleCheck {
    /// Whether no FIDE-legal turn of the side to move captures the unit on the square.
    fn safe(&self, after: &Pos, unit: usize) -> bool {
        !fide::turns(&Fide, after).iter().any(|turn| {
            let step = &turn.steps[0];
            let taken = match step.kind {
                Kind::EnPassant => fide::passed(after, step.from, step.to),
                _ => step.to,
            };
            step.captured.is_some() && taken == unit
        })
    }

    /// Whether another unit of the same side attacks the square of the unit.
    fn supported(&self, after: &Pos, unit: usize) -> bool {
        self.attacked(after, unit, !after.white)
    }
}

impl Law for TripleCheck {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("over", "")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        value == "triple-check"
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        if self.in_danger(after, before.white) {
            return false;
        }
        let quiet = steps.iter().all(|step| step.captured.is_none());
        fide::checkers(self, after, after.white)
            .into_iter()
            .all(|unit| quiet || self.safe(after, unit) || self.supported(after, unit))
    }

    fn note(&self, _before: &Pos, steps: &[Step], after: &mut Pos) {
        let quiet = steps.iter().all(|step| step.captured.is_none());
        let checkers = fide::checkers(self, after, after.white);
        let all = !checkers.is_empty()
            && quiet
            && checkers
                .iter()
                .all(|&unit| self.safe(after, unit) && self.supported(after, unit));
        if all {
            after.set("over", "triple-check");
        } else {
            after.unset("over");
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let reason = pos.state.get("over")?;
        Some(wins(!pos.white, reason))
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else if !fide::turns(&Fide, pos).is_empty() {
            wins(!pos.white, "forced-check")
        } else {
            draw("stalemate")
        }
    }
}

// ---- Twilight ----

struct Twilight;

/// The classes of units with the reason for winning by capturing the last of them.
const CLASSES: [(&str, &str); 3] = [
    ("P", "pawns-eliminated"),
    ("NB", "minors-eliminated"),
    ("QR", "majors-eliminated"),
];

/// Whether the side has no unit of these kinds.
fn lacks(pos: &Pos, white: bool, kinds: &str) -> bool {
    kinds
        .chars()
        .all(|kind| pos.board.find(white, kind).is_empty())
}

impl Law for Twilight {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("over", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        CLASSES
            .iter()
            .any(|&(kinds, reason)| reason == value && lacks(pos, pos.white, kinds))
    }

    fn note(&self, _before: &Pos, steps: &[Step], after: &mut Pos) {
        after.unset("over");
        for unit in steps.iter().filter_map(|step| step.captured) {
            for (kinds, reason) in CLASSES {
                if kinds.contains(unit.to_ascii_uppercase()) && lacks(after, after.white, kinds) {
                    after.set("over", reason);
                }
            }
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let reason = pos.state.get("over")?;
        Some(wins(!pos.white, reason))
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else {
            wins(!pos.white, "stalemate")
        }
    }
}

// ---- Tyrant ----

struct Tyrant;

impl Law for Tyrant {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    fn has_en_passant(&self, _pos: &Pos) -> bool {
        false
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'B', 'N']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        matches!(pos.board.kind(from), Some('K' | 'Q')) && fide::attacks(self, pos, from, to)
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        // Those that do not capture still step as ever onto vacant squares.
        if pos.board.is_empty(to) && pos.board.kind(from) != Some('P') {
            return fide::attacks(self, pos, from, to).then_some(Kind::Plain);
        }
        fide::reach(self, pos, from, to)
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut list = Vec::new();
        for step in self.steps(pos, pos.white) {
            let now = self.apply(pos, &step);
            let monarch = step
                .captured
                .filter(|unit| "KQ".contains(unit.to_ascii_uppercase()));
            let Some(monarch) = monarch else {
                list.push(self.finish(pos, &[step], now));
                continue;
            };
            for to in pos.board.squares() {
                if now.board.is_empty(to) && !self.attacked(&now, to, pos.white) {
                    let exile = Step::drop(monarch, to);
                    let then = self.apply(&now, &exile);
                    list.push(self.finish(pos, &[step.clone(), exile], then));
                }
            }
        }
        list
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "annihilated", |white| {
            pos.board
                .units(white)
                .into_iter()
                .all(|square| matches!(pos.board.kind(square), Some('K' | 'Q')))
        })
    }
}

// ---- Ultimate ----

struct Ultimate;

impl Law for Ultimate {
    fn settled(&self, pos: &Pos) -> Option<String> {
        let board = &pos.board;
        let turns = self.turns(pos);
        if turns.is_empty() {
            return None;
        }
        let steps: Vec<&Step> = turns.iter().map(|turn| &turn.steps[0]).collect();
        let lonely = |step: &Step| {
            !board
                .units(pos.white)
                .into_iter()
                .any(|unit| unit != step.from && board.next_to(unit, step.to))
        };
        let mated = fide::checkers(self, pos, pos.white)
            .into_iter()
            .any(|unit| match board.kind(unit) {
                Some('P') => true,
                Some('N') => steps.len() == 1,
                Some('B') => steps.iter().all(|step| step.is('K') && step.to != unit),
                Some('R') => steps.iter().all(|step| step.is('K') && lonely(step)),
                _ => false,
            });
        mated.then(|| wins(!pos.white, "ultimate-mate"))
    }
}

// ---- Xenophobic ----

struct Xenophobic;

/// The middle squares of a side's first rank.
fn middle(pos: &Pos, white: bool) -> Vec<usize> {
    let board = &pos.board;
    let first = board.files.saturating_sub(4) / 2;
    board
        .squares()
        .filter(|&square| {
            board.depth(square, white) == 0 && (first..first + 4).contains(&board.file(square))
        })
        .collect()
}

impl Law for Xenophobic {
    fn in_danger(&self, pos: &Pos, white: bool) -> bool {
        let intruder = middle(pos, white)
            .into_iter()
            .any(|square| pos.board.owns(!white, square));
        intruder || fide::in_danger(self, pos, white)
    }
}

// ---- Zoo ----

struct Zoo;

/// The order of the letters of captured kinds.
const ZOO_ORDER: &str = "PNBRQK";

/// The kinds that White and Black captured, `-` written as nothing.
fn taken(value: &str) -> Vec<String> {
    value.split('/').map(|part| part.replace('-', "")).collect()
}

/// The place in the state of what a side captured.
fn taken_place(white: bool) -> usize {
    usize::from(!white)
}

impl Law for Zoo {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("taken", "-/-")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        let good = |part: &str| {
            let places: Option<Vec<usize>> = part.chars().map(|c| ZOO_ORDER.find(c)).collect();
            let rising = |places: Vec<usize>| places.windows(2).all(|pair| pair[0] < pair[1]);
            part == "-" || (!part.is_empty() && places.is_some_and(rising))
        };
        let parts: Vec<&str> = value.split('/').collect();
        if parts.len() != 2 || !parts.into_iter().all(good) {
            return false;
        }
        let taken = taken(value);
        taken[taken_place(pos.white)].len() <= 3 && taken[taken_place(!pos.white)].len() <= 4
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let mut taken = taken(&before.get("taken", "-/-"));
        for unit in steps.iter().filter_map(|step| step.captured) {
            let kind = unit.to_ascii_uppercase();
            let own = &mut taken[taken_place(before.white)];
            if !own.contains(kind) {
                own.push(kind);
            }
        }
        let words: Vec<String> = taken
            .iter()
            .map(|kinds| {
                let word: String = ZOO_ORDER.chars().filter(|&k| kinds.contains(k)).collect();
                if word.is_empty() {
                    "-".to_string()
                } else {
                    word
                }
            })
            .collect();
        after.set("taken", &words.join("/"));
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let taken = taken(&pos.get("taken", "-/-"));
        (taken[taken_place(!pos.white)].len() >= 4).then(|| wins(!pos.white, "four-kinds"))
    }
}
