//! Reentrant: two half-boards; what is captured in one is dropped in the other.

use super::board::{Board, Kind, Pos, Step, Turn, letter};
use super::{Basics, Law, fide};

pub struct Reentrant;

const NO_HANDS: &str = "-/-/-/-";

/// The order of the letters in a hand.
const HAND_ORDER: &str = "RNP";

fn right_half(board: &Board, square: usize) -> bool {
    board.file(square) >= board.files / 2
}

/// Returns the index in the state of a side's hand for one half of the board.
fn hand_place(white: bool, right: bool) -> usize {
    usize::from(!white) * 2 + usize::from(right)
}

/// Returns the letters in the four hands, with an empty text for `-`.
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
    fn basics(&self) -> Basics {
        Basics {
            double_step: false,
            promotions: "QRBN",
            ..Basics::MONARCHS
        }
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

    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        fide::steps_without_promotion(self, pos, white)
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
