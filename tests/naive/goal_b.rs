//! GOAL variants, glory to series-helpmate.

use super::board::{Pos, Step, letter};
use super::fide;
use super::{Law, Options, draw, lost, no_options, wins};

/// The law of a variant of this file.
pub fn law(id: &str, options: &Options) -> Result<Box<dyn Law>, String> {
    no_options(options)?;
    match id {
        "glory" => Ok(Box::new(Glory)),
        "junta" => Ok(Box::new(Junta)),
        "kingmaker" => Ok(Box::new(Kingmaker)),
        "linkage" => Ok(Box::new(Linkage)),
        "moderation" => Err("not written yet".to_string()),
        "prop" => Err("not written yet".to_string()),
        "reentrant" => Err("not written yet".to_string()),
        "regent" => Err("not written yet".to_string()),
        "separation" => Err("not written yet".to_string()),
        "series-helpmate" => Err("not written yet".to_string()),
        _ => Err(format!("unknown variant {id}")),
    }
}

// ---- glory ----

struct Glory;

/// Whether the side has a pawn one step before its last rank.
fn has_glory(pos: &Pos, white: bool) -> bool {
    pos.board
        .find(white, 'P')
        .into_iter()
        .any(|pawn| pos.board.depth(pawn, white) + 2 == pos.board.ranks)
}

impl Law for Glory {
    fn has_double_step(&self) -> bool {
        false
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(self, pos) {
            Some(wins(!pos.white, "checkmate"))
        } else if has_glory(pos, pos.white) {
            Some(wins(pos.white, "glory"))
        } else {
            None
        }
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if has_glory(pos, !pos.white) {
            wins(!pos.white, "glory")
        } else {
            draw("stalemate")
        }
    }
}

// ---- junta ----

struct Junta;

/// What White and Black captured.
fn taken(value: &str) -> (String, String) {
    let (white, black) = value.split_once('/').unwrap_or(("-", "-"));
    (white.to_string(), black.to_string())
}

impl Law for Junta {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['Q', 'R', 'B']
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("taken", "-/-")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        let known = ["-", "N", "K", "NN", "KN"];
        let Some((white, black)) = value.split_once('/') else {
            return false;
        };
        known.contains(&white)
            && known.contains(&black)
            && !(white.len() == 2 && black.len() == 2)
            && !(white.contains('K') && pos.board.count(false, 'K') > 0)
            && !(black.contains('K') && pos.board.count(true, 'K') > 0)
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let (mut white, mut black) = taken(&before.get("taken", "-/-"));
        let own = if before.white { &mut white } else { &mut black };
        for step in steps {
            match step.captured {
                Some('K' | 'k') => *own = format!("K{}", own.replace('-', "")),
                Some('N' | 'n') => *own = format!("{}N", own.replace('-', "")),
                _ => {}
            }
        }
        after.set("taken", &format!("{white}/{black}"));
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let (white, black) = taken(&pos.get("taken", "-/-"));
        lost(pos, "junta-captured", |side| {
            if side {
                black.len() == 2
            } else {
                white.len() == 2
            }
        })
    }
}

// ---- kingmaker ----

struct Kingmaker;

impl Law for Kingmaker {
    fn has_castling(&self) -> bool {
        false
    }

    fn start(&self) -> String {
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1".to_string()
    }

    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        vec![('K', 0, 1)]
    }

    fn promotions(&self, pos: &Pos, white: bool) -> Vec<char> {
        if pos.board.count(!white, 'K') == 0 {
            vec!['K']
        } else {
            vec!['Q', 'R', 'B', 'N']
        }
    }

    /// The king that a pawn makes is the opponent's.
    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        let mut steps = fide::steps(self, pos, white);
        for step in &mut steps {
            if step.promotion == Some(letter(white, 'K')) {
                step.promotion = Some(letter(!white, 'K'));
            }
        }
        steps
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let makes_king = steps[0].promotion == Some(letter(!before.white, 'K'));
        if makes_king && self.in_danger(after, !before.white) {
            return false;
        }
        !self.in_danger(after, before.white)
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let turns = self.turns(pos);
        let forced = !turns.is_empty() && turns.iter().all(|turn| turn.steps[0].is('K'));
        forced.then(|| wins(!pos.white, "king-forced"))
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else {
            wins(!pos.white, "no-turn")
        }
    }
}

// ---- linkage ----

struct Linkage;

/// The unbroken row of occupied squares through a unit, in one direction and its opposite.
fn row(pos: &Pos, square: usize, files: i32, ranks: i32) -> Vec<usize> {
    let mut row = vec![square];
    for sign in [1, -1] {
        let mut here = square;
        while let Some(next) = pos.board.offset(here, sign * files, sign * ranks) {
            if pos.board.is_empty(next) {
                break;
            }
            row.push(next);
            here = next;
        }
    }
    row
}

impl Linkage {
    /// Whether the enemy could step into a line of four with the side's king.
    fn linkage_attacked(&self, pos: &Pos, white: bool) -> bool {
        let kings = pos.board.find(white, 'K');
        self.steps(pos, !white).into_iter().any(|step| {
            let linked = self.apply(pos, &step);
            kings.iter().any(|&king| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .into_iter()
                    .map(|(files, ranks)| row(&linked, king, files, ranks))
                    .any(|row| row.len() == 4 && row.contains(&step.to))
            })
        })
    }
}

impl Law for Linkage {
    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.in_danger(pos, !pos.white) || self.linkage_attacked(pos, !pos.white)
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white) && !self.linkage_attacked(after, before.white)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else if self.linkage_attacked(pos, pos.white) {
            wins(!pos.white, "linkage-mate")
        } else {
            draw("stalemate")
        }
    }
}
