//! The texts of compiled rule sets have the turns, positions and outcomes of the naive laws of these.

use crate::play::{Chance, RULE_SETS, ids};
use naive::texts::{TextRules, open};

const KINDS: [char; 12] = ['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q', 'P', 'p'];

/// Returns a FEN as the text's rules write it.
pub fn translated(set: &str, fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_string).collect();
    match set {
        "bachelor" => {
            let wing = |letter: char| match letter {
                'A' => 'Q',
                'G' => 'K',
                'a' => 'q',
                'g' => 'k',
                other => other,
            };
            let mut rights: Vec<char> = fields[2].chars().map(wing).collect();
            rights.sort_by_key(|letter| "KQkq".find(*letter));
            fields[2] = rights.into_iter().collect();
        }
        // The text counts in a state, and its clock is 0 after steps of pawns.
        "prop" if fields[4] != "0" => {
            let clock = fields[4].parse::<u32>().expect("a clock").min(50);
            fields.push(format!("quiet={clock}"));
        }
        _ => {}
    }
    if set == "prop" {
        fields[4] = "0".to_string();
    }
    fields.join(" ")
}

/// Returns the FEN without the clock of rule sets whose texts have another.
fn comparable(set: &str, fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if set == "prop" {
        fields[4] = "0";
    }
    fields.join(" ")
}

/// Compares one position, and returns the number of turns.
fn compare(rules: &TextRules, set: &str, game: &naive::Game) -> usize {
    let fen = translated(set, &game.fen());
    let mut expected: Vec<(String, String)> = game
        .turns()
        .into_iter()
        .map(|(turn, after)| (turn, translated(set, &after.fen())))
        .collect();
    expected.sort();
    let turns = rules.turns(&fen);
    let turns = turns.unwrap_or_else(|why| panic!("{set}: {fen}: {why}"));
    let turns: Vec<(String, String)> = turns
        .into_iter()
        .map(|(turn, after)| (turn, comparable(set, &after)))
        .collect();
    let names = |turns: &[(String, String)]| -> Vec<String> {
        turns.iter().map(|(turn, _)| turn.clone()).collect()
    };
    assert_eq!(names(&turns), names(&expected), "{set}: {fen}");
    assert_eq!(turns, expected, "{set}: {fen}");
    let outcome = match rules.outcome(&fen) {
        Ok(None) => "ongoing".to_string(),
        Ok(Some((result, reason))) => format!("{result} {reason}"),
        Err(why) => panic!("{set}: {fen}: {why}"),
    };
    assert_eq!(outcome, game.outcome(), "{set}: {fen}");
    expected.len()
}

/// Compares random games, from the start and from sparse positions.
fn compare_set(set: &str, id: &str) {
    let rules = open(RULE_SETS, id).unwrap_or_else(|why| panic!("{id}: {why}"));
    let mut chance = Chance(set.len() as u64 * 77 + 1);
    let mut positions = 0;
    let mut turns = 0;
    for round in 0.. {
        let mut game = match round % 2 {
            0 => naive::read(set, &naive::start(set)).expect("the start"),
            _ => match sparse(set, &mut chance) {
                Some(game) => game,
                None => continue,
            },
        };
        for _ in 0..20 {
            let count = compare(&rules, set, &game);
            positions += 1;
            turns += count;
            if count == 0 {
                break;
            }
            let (_, after) = game.turns().swap_remove(chance.below(count));
            game = after;
        }
        if positions >= 200 || turns >= most_turns(set) {
            break;
        }
    }
    assert!(positions >= 5, "{set}: {positions}");
}

/// Returns the number of turns after which a comparison ends. Some rules look two or three turns ahead.
fn most_turns(set: &str) -> usize {
    match set {
        "blunder-mate" => 100,
        "linkage" | "prop" | "series-helpmate" => 400,
        "concurrent" | "french-revolution" => 1500,
        _ => 10_000,
    }
}

/// Returns a board for random positions: often that of the rule set, otherwise another that it accepts.
fn board(set: &str, chance: &mut Chance) -> Vec<Vec<char>> {
    let start = naive::start(set);
    let rows = start.split(' ').next().unwrap_or_default().split('/');
    // These texts name squares or ranks.
    let fixed = ["bachelor", "convergent", "french-revolution"].contains(&set);
    if fixed || chance.below(2) == 0 {
        return rows.map(cells).collect();
    }
    let (files, ranks) =
        [(5, 5), (6, 6), (8, 5), (4, 8), (10, 8), (8, 10), (7, 6)][chance.below(7)];
    vec![vec!['.'; files]; ranks]
}

/// Returns a random position with few units, if the rule set accepts it.
fn sparse(set: &str, chance: &mut Chance) -> Option<naive::Game> {
    for _ in 0..50 {
        let rows = board(set, chance);
        let mut cells: Vec<Vec<char>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|c| if *c == '*' { '*' } else { '.' })
                    .collect()
            })
            .collect();
        let mut units: Vec<char> = vec!['K', 'k'];
        for _ in 0..3 + chance.below(9) {
            units.push(KINDS[chance.below(KINDS.len())]);
        }
        for unit in units {
            let rank = chance.below(cells.len());
            let file = chance.below(cells[rank].len());
            if cells[rank][file] == '.' {
                cells[rank][file] = unit;
            }
        }
        let rows: Vec<String> = cells.iter().map(|row| run_lengths(row)).collect();
        let side = ["w", "b"][chance.below(2)];
        let fen = format!("{} {side} - - 0 1", rows.join("/"));
        if let Ok(game) = naive::read(set, &fen) {
            return Some(game);
        }
    }
    None
}

fn cells(row: &str) -> Vec<char> {
    let mut cells = Vec::new();
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(count) => cells.extend(std::iter::repeat_n('.', count as usize)),
            None => cells.push(letter),
        }
    }
    cells
}

fn run_lengths(row: &[char]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for &cell in row.iter().chain(&['/']) {
        if cell == '.' {
            run += 1;
            continue;
        }
        if run > 0 {
            text += &run.to_string();
            run = 0;
        }
        if cell != '/' {
            text.push(cell);
        }
    }
    text
}

#[test]
fn texts_of_rule_sets_agree_with_the_naive_laws() {
    compare_set("fide", "fide-text");
    let mut failed = Vec::new();
    for id in ids(RULE_SETS) {
        let Some(set) = id.strip_suffix("-text") else {
            continue;
        };
        let outcome = std::panic::catch_unwind(|| compare_set(set, &id));
        if outcome.is_err() {
            failed.push(set.to_string());
        }
    }
    assert_eq!(failed, Vec::<String>::new());
}

/// Definitions without clauses, of keys that rule texts are combined with.
const DEFINITIONS: &str = "
[hill:chess]
flagPiece = k
whiteFlag = d4 e4 d5 e5
blackFlag = d4 e4 d5 e5

[checks:chess]
checkCounting = true
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1

[house:chess]
pieceDrops = true
capturesToHand = true

[giveaway:chess]
king = -
commoner = k
castling = false
mustCapture = true
stalemateValue = win
extinctionValue = win
extinctionPieceTypes = *

[wide:chess]
maxFile = j
archbishop = a
chancellor = c
castlingKingFile = f
castlingKingsideFile = i
castlingQueensideFile = c
promotionPieceTypes = acqrbn
startFen = rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1

[leapers:chess]
cannon = c
customPiece1 = a:fsWBnN
startFen = rcabkabr/pppppppp/8/8/8/8/PPPPPPPP/RCABKABR w KQkq - 0 1
";

#[test]
fn definitions_agree_with_the_naive_definitions() {
    let library = naive::defined::Library::read(DEFINITIONS).expect("definitions");
    let mut chance = Chance(99);
    for id in ids(DEFINITIONS) {
        let rules = open(DEFINITIONS, &id).unwrap_or_else(|why| panic!("{id}: {why}"));
        let game = library.game(&id).expect("a definition");
        for _ in 0..4 {
            let mut state = game.read(game.start()).expect("the start");
            for _ in 0..60 {
                let fen = state.fen();
                let turns = rules
                    .turns(&fen)
                    .unwrap_or_else(|why| panic!("{id}: {why}"));
                let turns: Vec<(String, String)> = turns
                    .into_iter()
                    .map(|(turn, after)| (turn, clockless(&after)))
                    .collect();
                let all = state.turns();
                let expected: Vec<(String, String)> = all
                    .iter()
                    .map(|(turn, after)| (turn.clone(), clockless(&after.fen())))
                    .collect();
                assert_eq!(turns, expected, "{id}: {fen}");
                let outcome = rules
                    .outcome(&fen)
                    .unwrap_or_else(|why| panic!("{id}: {why}"));
                let outcome = outcome.map_or("ongoing".to_string(), |(result, _)| result);
                let expected = match state.outcome() {
                    naive::defined::Outcome::Ongoing => "ongoing",
                    naive::defined::Outcome::Draw => "draw",
                    naive::defined::Outcome::Wins(0) => "white-wins",
                    naive::defined::Outcome::Wins(_) => "black-wins",
                };
                assert_eq!(outcome, expected, "{id}: {fen}");
                if all.is_empty() {
                    break;
                }
                state = all[chance.below(all.len())].1.clone();
            }
        }
    }
}

/// Returns a FEN without the clock, which drops do not reset in rule texts.
fn clockless(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let clock = fields.len() - 2;
    fields[clock] = "0";
    fields.join(" ")
}
