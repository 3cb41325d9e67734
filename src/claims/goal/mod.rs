//! Claims about the GOAL variants (Tony Paletta, The Chess Variant Pages, 2001).
//!
//! | file | claims |
//! |---|---|
//! | `lines.rs` | what the page says of a line of turns |
//! | `double_check.rs` | Contravention: kings that step into a double check |
//! | `lost_units.rs` | Submission: a diagram that has lost a unit |
//! | `tables.rs` | what holds of all pairs of results |

pub mod double_check;
pub mod lines;
pub mod lost_units;
pub mod tables;

use super::{Claim, Evidence, Finding, Scope, Verdict, opened};
use board::Squares;
use notation::{Setup, Start, fen, turns};
use position::{Narrow, Position};
use rules::Game;

const PAGE: &str = "Modest Proposals: GOAL Variants, The Chess Variant Pages, 2001";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "contravention/double-check",
        source: PAGE,
        claim: "a king that legally steps into a double check generally wins",
        check: double_check::check,
    },
    Claim {
        id: "deadline/example",
        source: PAGE,
        claim: "after 1 e3 d6 2 Bb5 Black has six legal replies, those listed",
        check: lines::deadline,
    },
    Claim {
        id: "submission/example-2",
        source: PAGE,
        claim: "White B c4, P g4, R h4, K h5, Black P f6 g7, K h8 and a lost knight: Ng3 is not \
                allowed because White would have no legal reply; g6 wins, as White can play Kh6 \
                but not Kxg6",
        check: lost_units::check,
    },
    Claim {
        id: "spartan/match",
        source: PAGE,
        claim: "the words about the match of two games decide every pair of results, and one way",
        check: tables::spartan_match,
    },
];

/// Returns a variant at its start.
fn start(id: &str) -> Start<Narrow> {
    match opened(id, None) {
        Setup::Narrow(start) => start,
        _ => unreachable!("sixty-four squares without bound units are narrow"),
    }
}

/// A line of turns carried out.
struct Line {
    start: Start<Narrow>,
    /// In coordinate notation.
    turns: Vec<String>,
    /// Before each turn, and after the last.
    positions: Vec<Position<Narrow>>,
}

impl Line {
    /// Plays turns in coordinate notation from a variant's start. If one is illegal, that is the
    /// finding.
    fn play(id: &str, text: &str) -> Result<Line, Finding> {
        let start = start(id);
        let mut line = Line {
            positions: vec![start.position],
            start,
            turns: Vec::new(),
        };
        for text in text.split_ascii_whitespace() {
            let game = line.start.game.as_ref();
            let p = line.last();
            match turns::find(game, &p, text, line.turns.len() + 1) {
                Ok(turn) => {
                    line.positions.push(game.play(&p, &turn));
                    line.turns.push(text.to_string());
                }
                Err(error) => {
                    let mut evidence = Evidence::new(&["fen", "turns", "refusal"]);
                    let first = fen::print(game, &line.start.position);
                    evidence.row([first, line.turns.join(" "), error.to_string()]);
                    return Err(Finding {
                        verdict: Verdict::Refuted,
                        scope: Scope::Witness,
                        summary: format!("the line is not legal: {error}"),
                        evidence,
                    });
                }
            }
        }
        Ok(line)
    }

    fn game(&self) -> &dyn Game<Narrow> {
        self.start.game.as_ref()
    }

    /// Returns the position after the last turn.
    fn last(&self) -> Position<Narrow> {
        self.positions[self.positions.len() - 1]
    }

    /// Returns the FEN of the position after the last turn.
    fn fen(&self) -> String {
        fen::print(self.game(), &self.last())
    }
}

/// Returns whether a turn takes a unit of the opponent off the board.
fn captures(before: &Position<Narrow>, after: &Position<Narrow>) -> bool {
    after.color(!before.side).len() < before.color(!before.side).len()
}

/// Returns how often, in words for a summary.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "none".to_string();
    }
    format!("{:.2} %", 100.0 * part as f64 / whole as f64)
}

/// `true` or `false` as a field.
fn yes(holds: bool) -> String {
    holds.to_string()
}
