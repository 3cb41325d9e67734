//! Files that are broken: what the program carries and what is drawn, mutated. Each gets an answer.
//!
//! `OWN_MUTATED_FILES=100000` reads that many instead of 1,000.

use crate::counts::LIBRARY;
use crate::drawn::{Drawn, Random};
use notation::{Setup, fen, with_setup};

/// What a section is most broken by: keys, values and signs of the format in places where they do not
/// belong.
const ODD: &[&str] = &[
    "=",
    ":",
    "[",
    "]",
    "*",
    "-",
    "~",
    "+",
    "\n",
    " ",
    "\t",
    "0",
    "1",
    "9",
    "16",
    "17",
    "128",
    "255",
    "256",
    "99999999999999999999",
    "true",
    "false",
    "none",
    "win",
    "k",
    "K",
    "z",
    "é",
    "\u{0}",
    "a17",
    "q17",
    "*1 *2",
    "Q99",
    "nZZ",
    "pR0",
    "mcingpe",
    "[x:x]\n",
    "king = k\n",
    "pawn = -\n",
    "maxFile = 16\n",
    "maxRank = 1\n",
    "holes = *1\n",
    "cylinder = true\n",
    "pieceDrops = true\n",
    "capturesToHand = true\n",
    "checkCounting = true\n",
    "blastOnCapture = true\n",
    "castling = true\n",
    "gating = true\n",
    "seirawanGating = true\n",
    "extinctionPseudoRoyal = true\n",
    "startFen = 8/8/8/8/8/8/8/8 w - - 0 1\n",
    "promotedPieceType = p:p\n",
    "extinctionPieceTypes = *\n",
    "connectN = 1\n",
    "flagRegion = *1\n",
];

/// Returns a section of the library with the words of its ancestors taken for granted, or a drawn one.
fn section(random: &mut Random) -> String {
    if random.one_in(3) {
        return Drawn::of(random.number()).text();
    }
    let sections: Vec<&str> = LIBRARY.split("\n[").skip(1).collect();
    let text = random.pick(&sections);
    // Under another name: its own is taken.
    format!("[my-{text}\n")
}

fn mutated(mut text: String, random: &mut Random) -> String {
    for _ in 0..1 + random.below(3) {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if places.is_empty() {
            break;
        }
        let (a, b) = (random.pick(&places), random.pick(&places));
        let (a, b) = (a.min(b), a.max(b));
        match random.below(6) {
            0 => text.insert_str(a, random.pick(ODD)),
            1 => {
                let end = (a..=b.min(a + 12))
                    .rev()
                    .find(|&at| text.is_char_boundary(at));
                text.replace_range(a..end.unwrap_or(a), "");
            }
            2 => {
                // Something of the file, once more elsewhere.
                let end = (a..=text.len().min(a + 60))
                    .rev()
                    .find(|&at| text.is_char_boundary(at));
                let piece = text[a..end.unwrap_or(a)].to_string();
                text.insert_str(b, &piece);
            }
            3 => {
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    lines.remove(random.below(lines.len()));
                }
                text = lines.join("\n") + "\n";
            }
            4 => {
                let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
                if !lines.is_empty() {
                    let at = random.below(lines.len());
                    if let Some((key, _)) = lines[at].split_once('=') {
                        lines[at] = format!("{key}= {}", random.pick(ODD).trim());
                    }
                }
                text = lines.join("\n") + "\n";
            }
            _ => {
                let letter = random.pick(&['a', 'k', 'p', '1', '8', '*', '/', 'Z', '=', ':']);
                if text.is_char_boundary(a + 1) {
                    text.replace_range(a..a + 1, &letter.to_string());
                }
            }
        }
    }
    text
}

/// Nothing that a file says makes the reader or the game that it defines stumble.
#[test]
fn mutated_files_are_answered() {
    let count = match std::env::var("OWN_MUTATED_FILES") {
        Ok(text) => text.parse().expect("OWN_MUTATED_FILES is a number"),
        Err(_) => 1_000,
    };
    let (mut wrong, mut opened) = (0, 0);
    for seed in 0..count {
        let mut random = Random(seed);
        let text = mutated(section(&mut random), &mut random);
        let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
        wrong += usize::from(book.has_errors());
        for definition in book.definitions().cloned() {
            // What is printed of it, and what it means in words.
            assert!(!definition.page().is_empty(), "{text}");
            let Ok(variant) = interpreter::open(definition) else {
                continue;
            };
            let Ok(setup) = Setup::read(&variant, None) else {
                continue;
            };
            opened += 1;
            with_setup!(setup, start => {
                let (game, mut p) = (start.game.as_ref(), start.position);
                for _ in 0..8 {
                    let mut turns = Vec::new();
                    game.turns(&p, &mut turns);
                    let here = fen::print(game, &p);
                    assert_eq!(fen::read_position(game, &here).ok(), Some(p), "{text}\n{here}");
                    assert_eq!(game.count(&p), turns.len() as u64, "{text}\n{here}");
                    if turns.is_empty() {
                        break;
                    }
                    p = game.play(&p, &random.pick(&turns));
                }
            });
        }
    }
    // Mutations break some, and leave some to be played.
    let part = count as usize / 20;
    assert!(
        wrong > part && opened > part,
        "{wrong} are wrong, {opened} played"
    );
}
