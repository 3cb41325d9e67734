//! GOAL variants, moderation to series-helpmate.

use super::board::{Board, Kind, Pos, Step, Turn, letter};
use super::fide::{self, Fide};
use super::{Law, Options, draw, no_options, wins};

/// The law of a variant of this file.
pub fn law(id: &str, options: &Options) -> Result<Box<dyn Law>, String> {
    no_options(options)?;
    match id {
        "moderation" => Ok(Box::new(Moderation)),
        "prop" => Ok(Box::new(Prop)),
        "reentrant" => Ok(Box::new(Reentrant)),
        "regent" => Ok(Box::new(Regent)),
        "separation" => Ok(Box::new(Separation)),
        "series-helpmate" => Ok(Box::new(SeriesHelpmate)),
        _ => Err(format!("unknown variant {id}")),
    }
}

// ---- Moderation ----

struct Moderation;

/// The checks that a side has given so far.
fn checks_given(pos: &Pos, white: bool) -> usize {
    let text = pos.get("checks", "0,0");
    let place = if white { 0 } else { 2 };
    text[place..place + 1].parse().expect("a digit")
}

impl Law for Moderation {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("checks", "0,0")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        let parts: Vec<&str> = value.split(',').collect();
        parts.len() == 2 && parts.iter().all(|part| ["0", "1", "2", "3"].contains(part))
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        if self.in_danger(after, before.white) {
            return false;
        }
        let gives_check = self.in_danger(after, !before.white);
        !gives_check
            || checks_given(before, before.white) < 3
            || fide::turns(&Fide, after).is_empty()
    }

    fn note(&self, before: &Pos, _steps: &[Step], after: &mut Pos) {
        let mut white = checks_given(before, true);
        let mut black = checks_given(before, false);
        if self.in_danger(after, !before.white) {
            let own = if before.white { &mut white } else { &mut black };
            *own = (*own + 1).min(3);
        }
        after.set("checks", &format!("{white},{black}"));
    }
}

// ---- Prop ----

struct Prop;

impl Law for Prop {
    fn capture_game(&self) -> bool {
        true
    }

    fn resets_clock(&self, _before: &Pos, steps: &[Step], _after: &Pos) -> bool {
        steps.iter().any(|step| step.captured.is_some())
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let supports = self.steps(pos, pos.white);
        let allowed: Vec<Step> = fide::all_steps(self, pos)
            .into_iter()
            .filter(|step| {
                supports
                    .iter()
                    .any(|other| other.from != step.from && other.to == step.to)
            })
            .collect();
        let forward = |step: &Step| {
            pos.board.depth(step.to, pos.white) > pos.board.depth(step.from, pos.white)
        };
        let must_go_forward = allowed.iter().any(forward);
        allowed
            .into_iter()
            .filter(|step| !must_go_forward || forward(step))
            .map(|step| fide::one_step(self, pos, step))
            .collect()
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        (pos.halfmove >= 50).then(|| draw("fifty-half-moves"))
    }

    fn no_turn(&self, pos: &Pos) -> String {
        wins(!pos.white, "no-turn")
    }
}

// ---- Reentrant ----

struct Reentrant;

const NO_HANDS: &str = "-/-/-/-";

/// The order of the letters in a hand.
const HAND_ORDER: &str = "RNP";

fn right_half(board: &Board, square: usize) -> bool {
    board.file(square) >= board.files / 2
}

/// The place in the state of a side's hand for a half.
fn hand_place(white: bool, right: bool) -> usize {
    usize::from(!white) * 2 + usize::from(right)
}

/// The four hands, `-` written as nothing.
fn hands(pos: &Pos) -> Vec<String> {
    pos.get("hand", NO_HANDS)
        .split('/')
        .map(|hand| hand.replace('-', ""))
        .collect()
}

fn set_hands(pos: &mut Pos, hands: &[String]) {
    let words: Vec<String> = hands
        .iter()
        .map(|hand| {
            let mut word = String::new();
            for kind in HAND_ORDER.chars() {
                word.extend(hand.chars().filter(|&held| held == kind));
            }
            if word.is_empty() {
                word.push('-');
            }
            word
        })
        .collect();
    pos.set("hand", &words.join("/"));
}

impl Law for Reentrant {
    fn has_castling(&self) -> bool {
        false
    }

    fn has_double_step(&self) -> bool {
        false
    }

    fn start(&self) -> String {
        "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1".to_string()
    }

    fn letters(&self) -> &'static str {
        "PNRQK"
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("hand", NO_HANDS)]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        let good = |hand: &str| {
            let places: Option<Vec<usize>> = hand.chars().map(|c| HAND_ORDER.find(c)).collect();
            hand == "-" || (!hand.is_empty() && places.is_some_and(|places| places.is_sorted()))
        };
        let parts: Vec<&str> = value.split('/').collect();
        parts.len() == 4 && parts.into_iter().all(good)
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 1, 1), ('Q', 0, 1)]
    }

    fn pawn_may_stand(&self, _pos: &Pos, _square: usize, _white: bool) -> bool {
        true
    }

    fn check_fen(&self, pos: &Pos) -> Result<(), String> {
        if pos.board.files.is_multiple_of(2) {
            Ok(())
        } else {
            Err(format!("board: {} files have no halves", pos.board.files))
        }
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let board = &pos.board;
        if right_half(board, from) != right_half(board, to) {
            return false;
        }
        match board.kind(from) {
            Some('K' | 'Q') => board.next_to(from, to),
            Some('P') => board.gap(from, to) == (1, 1),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        let reaches = if board.kind(from) == Some('P') && board.is_empty(to) {
            right_half(board, from) == right_half(board, to) && board.gap(from, to) == (0, 1)
        } else {
            self.attacks(pos, from, to)
        };
        reaches.then_some(Kind::Plain)
    }

    /// Written out because pawns stay pawns everywhere.
    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        let untouchable = self.royals(pos, !white);
        let mut list = Vec::new();
        for from in pos.board.units(white) {
            for to in pos.board.squares() {
                if to == from
                    || pos.board.is_hole(to)
                    || pos.board.owns(white, to)
                    || untouchable.contains(&to)
                {
                    continue;
                }
                if let Some(kind) = self.reach(pos, from, to) {
                    list.push(fide::step(pos, kind, from, to));
                }
            }
        }
        list
    }

    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        let mut squares = pos.board.find(white, 'K');
        squares.extend(pos.board.find(white, 'Q'));
        squares
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let mut hands = hands(before);
        for step in steps {
            let right = right_half(&before.board, step.to);
            if step.kind == Kind::Drop {
                let hand = &mut hands[hand_place(before.white, right)];
                let held = hand.find(step.unit.to_ascii_uppercase());
                hand.remove(held.expect("only what is in hand is dropped"));
            } else if let Some(unit) = step.captured {
                hands[hand_place(before.white, !right)].push(unit.to_ascii_uppercase());
            }
        }
        set_hands(after, &hands);
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut list = self.steps(pos, pos.white);
        let hands = hands(pos);
        for to in pos.board.squares() {
            if !pos.board.is_empty(to) {
                continue;
            }
            let hand = &hands[hand_place(pos.white, right_half(&pos.board, to))];
            for kind in HAND_ORDER.chars().filter(|&kind| hand.contains(kind)) {
                list.push(Step::drop(letter(pos.white, kind), to));
            }
        }
        list.into_iter()
            .map(|step| fide::one_step(self, pos, step))
            .filter(|turn| self.legal(pos, &turn.steps, &turn.after))
            .collect()
    }
}

// ---- Regent ----

struct Regent;

/// Whether two queens of different sides stand on one open rank, file or diagonal.
fn queens_face(board: &Board) -> bool {
    board.find(true, 'Q').into_iter().any(|one| {
        board.find(false, 'Q').into_iter().any(|other| {
            (board.straight(one, other) || board.diagonal(one, other)) && board.open(one, other)
        })
    })
}

impl Law for Regent {
    fn has_castling(&self) -> bool {
        false
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('Q', 1, 1)]
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.in_danger(pos, !pos.white) || queens_face(&pos.board)
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'N', 'B', 'K']
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        if board.kind(from) == Some('Q') {
            let white = board.owns(true, from);
            for enemy in board.units(!white) {
                if !self.attacks(pos, enemy, from) {
                    continue;
                }
                // What attacks along a line takes that kind of line away.
                let taken_away = if board.diagonal(enemy, from) {
                    board.diagonal(from, to)
                } else if board.straight(enemy, from) {
                    board.straight(from, to)
                } else {
                    true
                };
                if taken_away {
                    return None;
                }
            }
        }
        fide::reach(self, pos, from, to)
    }

    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        pos.board.find(white, 'Q')
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white) && !queens_face(&after.board)
    }
}

// ---- Separation ----

struct Separation;

/// The quadrant of a square: whether right, whether upper.
fn quadrant(board: &Board, square: usize) -> (bool, bool) {
    (
        board.file(square) >= board.files / 2,
        board.rank(square) >= board.ranks / 2,
    )
}

impl Separation {
    /// Whether the monarch of that kind is attacked.
    fn hit(&self, pos: &Pos, white: bool, kind: char) -> bool {
        pos.board
            .find(white, kind)
            .into_iter()
            .any(|square| self.attacked(pos, square, !white))
    }

    /// Whether the turn is legal as far as attacks go.
    fn safe(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let white = before.white;
        if self.hit(after, white, 'K') {
            return false;
        }
        let both_were_hit = self.hit(before, white, 'K') && self.hit(before, white, 'Q');
        let queen_moved = steps.iter().any(|step| step.is('Q'));
        !self.hit(after, white, 'Q') || (both_were_hit && !queen_moved)
    }

    /// Whether a monarch ends its step in the quadrant of the other one.
    fn joins(&self, steps: &[Step], after: &Pos) -> bool {
        steps.iter().any(|step| {
            let other = match step.unit.to_ascii_uppercase() {
                'K' => 'Q',
                'Q' => 'K',
                _ => return false,
            };
            let white = step.unit.is_ascii_uppercase();
            let board = &after.board;
            board
                .find(white, other)
                .into_iter()
                .any(|square| quadrant(board, square) == quadrant(board, step.to))
        })
    }
}

impl Law for Separation {
    fn has_castling(&self) -> bool {
        false
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 1, 1), ('Q', 0, 1)]
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.hit(pos, !pos.white, 'K')
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['N', 'R', 'B']
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let white = pos.board.owns(true, from);
        match pos.board.kind(from) {
            Some('Q') => fide::attacks_as(pos, 'N', white, from, to),
            Some('N') => fide::attacks_as(pos, 'Q', white, from, to),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        let mut squares = pos.board.find(white, 'K');
        squares.extend(pos.board.find(white, 'Q'));
        squares
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        self.safe(before, steps, after) && !self.joins(steps, after)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            return wins(!pos.white, "checkmate");
        }
        // Without a legal turn, a safe one can only have failed by the quadrants.
        let some_safe = fide::all_steps(self, pos).into_iter().any(|step| {
            let turn = fide::one_step(self, pos, step);
            self.safe(pos, &turn.steps, &turn.after)
        });
        if some_safe {
            wins(!pos.white, "same-quadrant")
        } else {
            draw("stalemate")
        }
    }
}

// ---- Series-helpmate ----

struct SeriesHelpmate;

/// Whether one FIDE-legal turn of the side to move checkmates.
fn mates_in_one(pos: &Pos) -> bool {
    fide::turns(&Fide, pos)
        .iter()
        .any(|turn| fide::is_checkmate(&Fide, &turn.after))
}

/// Whether two FIDE-legal turns in a row checkmate, the first of them giving no check.
fn mates_in_two(pos: &Pos) -> bool {
    fide::turns(&Fide, pos).into_iter().any(|turn| {
        if Fide.in_danger(&turn.after, !pos.white) {
            return false;
        }
        let mut again = turn.after;
        again.white = pos.white;
        again.ep = None;
        mates_in_one(&again)
    })
}

impl Law for SeriesHelpmate {
    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(&Fide, pos) {
            Some(wins(pos.white, "gave-checkmate"))
        } else if mates_in_one(pos) || mates_in_two(pos) {
            Some(wins(!pos.white, "series-mate"))
        } else {
            None
        }
    }
}
