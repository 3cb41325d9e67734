//! Tables and graph values of definitions made at random, on small boards: certified, and the same
//! without symmetries and in both ways.
//!
//! `OWN_SOLVED_DEFINITIONS=1000` draws that many definitions instead of 60.

use crate::drawn::{Drawn, Random};
use crate::number;
use board::Squares;
use control::Control;
use explore::{Limits, explore};
use notation::{Setup, fen, with_setup};
use rules::Variant;
use std::collections::BTreeMap;
use std::sync::Arc;
use tables::{self, Signature, Tables, build, stats};
use values::Value;
use values::{certify_game, solve_game};

/// The largest graph that is solved.
const MAX_STATES: u64 = 20_000;
/// The most bytes of a table.
const MAX_BYTES: u64 = 1 << 26;

/// Returns the values of all states of a game, by FEN, if there are no more than `most`; they are certified.
fn graph_values(variant: &Variant, text: &str, most: u64) -> Option<BTreeMap<String, Value>> {
    let setup = Setup::read(variant, None).unwrap_or_else(|e| panic!("{text}\n{e}"));
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let limits = Limits { max_states: most, ..Limits::default() };
        let found = explore(game, &start.position, &limits, &Control::new());
        if !found.summary.complete() {
            return None;
        }
        let values = solve_game(game, &found, &Control::new()).expect("values");
        let certificate =
            certify_game(game, &found, &values, &Control::new()).expect("a certificate");
        assert!(certificate.holds(), "{text}\n{:?}", certificate.faults);
        let fens = (0..).map(|state| fen::print(game, &found.position(state)));
        Some(fens.zip(values.iter()).collect())
    })
}

/// Returns what a table says of its positions, certified; the reason why there is none.
fn table_counts(variant: &Variant, signature: &str, text: &str) -> Result<String, String> {
    let setup = Setup::read(variant, None).unwrap_or_else(|e| panic!("{text}\n{e}"));
    with_setup!(setup, start => {
        let game = &start.game;
        let signature = Signature::parse(game.as_ref(), signature).map_err(|e| e.to_string())?;
        let tables = Tables::new(Arc::clone(game), None);
        let control = Control::new().with_memory(MAX_BYTES);
        build(&tables, &signature, &control).map_err(|e| e.to_string())?;
        let found = tables::certify(&tables, &signature, &control)
            .map_err(|e| e.to_string())?;
        assert!(found.holds(), "{text}\n{signature:?}\n{:?}", found.own.faults);
        let stats = stats(&tables, &signature, tables::Counting::All).map_err(|e| e.to_string())?;
        let side = |side: &tables::SideStats| {
            let counts = [2, 1, 0, -1, -2].map(|worth| side.count(worth));
            format!("{} {counts:?} {:?}", side.legal, side.longest_win.as_ref().map(|win| win.0))
        };
        Ok(format!("{} | {}", side(&stats[0]), side(&stats[1])))
    })
}

/// Compares what a table says of the states of a game with the values of its graph; how many.
fn tables_agree(variant: &Variant, values: &BTreeMap<String, Value>, text: &str) -> usize {
    let setup = Setup::read(variant, None).unwrap_or_else(|e| panic!("{text}\n{e}"));
    with_setup!(setup, start => {
        let game = &start.game;
        let tables = Tables::new(Arc::clone(game), None);
        let control = Control::new().with_memory(MAX_BYTES);
        let (mut agreed, mut built) = (0, BTreeMap::new());
        for (fen, value) in values {
            let p = fen::read_position(game.as_ref(), fen).expect("a printed position");
            if p.occupied().len() > 4 {
                continue;
            }
            let stands = built.entry(material(fen)).or_insert_with_key(|material| {
                Signature::parse(game.as_ref(), material).is_ok_and(|signature| {
                    build(&tables, &signature, &control).is_ok()
                })
            });
            if !*stands {
                continue;
            }
            if let Ok(Some(found)) = tables.value(&p) {
                assert_eq!(found, *value, "{text}\n{fen}");
                agreed += 1;
            }
        }
        agreed
    })
}

/// Returns the signature of a position: its units, hands and state.
fn material(fen: &str) -> String {
    let mut fields = fen.split(' ');
    let first = fields.next().unwrap_or_default();
    let (board, hand) = first.split_once('[').unwrap_or((first, ""));
    let mut sides = [String::new(), String::new()];
    let letters: Vec<char> = board
        .chars()
        .filter(|c| c.is_alphabetic() || "+~".contains(*c))
        .collect();
    for (at, &letter) in letters
        .iter()
        .enumerate()
        .filter(|(_, letter)| letter.is_alphabetic())
    {
        let side = &mut sides[usize::from(letter.is_ascii_lowercase())];
        if at > 0 && letters[at - 1] == '+' {
            side.push('+');
        }
        side.push(letter.to_ascii_uppercase());
        if letters.get(at + 1) == Some(&'~') {
            side.push('~');
        }
    }
    let [white, black] = sides;
    let mut text = format!("{white}v{black}");
    if !hand.is_empty() {
        text += &format!(";hand={}", hand.trim_end_matches(']'));
    }
    for field in fields {
        if field.contains('=') {
            text += &format!(";{field}");
        } else if field.contains('+') {
            text += &format!(";checks={field}");
        }
    }
    text
}

/// Two to four units, royal ones among them.
fn signature(drawn: &Drawn, random: &mut Random) -> String {
    let text = drawn.text();
    let fen = text
        .lines()
        .find_map(|line| line.strip_prefix("startFen = "));
    let board = fen
        .and_then(|fen| fen.split([' ', '[']).next())
        .unwrap_or_default();
    let letters: Vec<char> = board.chars().filter(char::is_ascii_uppercase).collect();
    let royal = if letters.contains(&'K') { "K" } else { "" };
    let others: Vec<char> = letters
        .into_iter()
        .filter(|&letter| letter != 'K')
        .collect();
    match others.is_empty() {
        true => format!("{royal}v{royal}"),
        false => {
            let (a, b) = (random.pick(&others), random.pick(&others));
            match (royal.is_empty(), random.one_in(2)) {
                (true, _) => format!("{a}v{b}"),
                (false, true) => format!("{royal}{a}v{royal}{b}"),
                (false, false) => format!("{royal}{a}v{royal}"),
            }
        }
    }
}

#[test]
fn random_definitions_are_solved_the_same_in_every_way() {
    let count = number("OWN_SOLVED_DEFINITIONS", 60);
    let (mut graphs, mut tables, mut both) = (0, 0, 0);
    let mut why = BTreeMap::new();
    for seed in 0..count {
        let drawn = Drawn::small(seed);
        let text = drawn.text();
        let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
        let Some(definition) = book.definitions().next().cloned() else {
            continue;
        };
        let plain = definition.clone();
        let (Ok(variant), Ok(plain)) = (
            interpreter::open(definition),
            interpreter::open_without_symmetries(plain),
        ) else {
            continue;
        };
        let signature = signature(&drawn, &mut Random(drawn.seed));
        match table_counts(&variant, &signature, &text) {
            Ok(counts) => {
                let without = table_counts(&plain, &signature, &text);
                assert_eq!(without, Ok(counts), "{text}\n{signature}");
                tables += 1;
            }
            Err(reason) => *why.entry(reason).or_insert(0) += 1,
        }
        if let Some(values) = graph_values(&variant, &text, MAX_STATES) {
            assert_eq!(
                graph_values(&plain, &text, MAX_STATES).as_ref(),
                Some(&values),
                "{text}"
            );
            graphs += 1;
            both += usize::from(tables_agree(&variant, &values, &text) > 0);
        }
    }
    assert!(
        graphs * 4 > count && tables * 10 > count && both as u64 * 20 > count,
        "{graphs} graphs, {tables} tables, {both} both of {count}: {why:?}"
    );
}

/// Asserts that tables have the positions of a small rule set in which a unit may be captured in passing, and the
/// others, with their values.
#[track_caller]
fn assert_tables_know((files, ranks): (u8, u8), keys: &str) {
    let text = format!(
        "[low:chess]\nmaxFile = {files}\nmaxRank = {ranks}\n{keys}\npromotionPieceTypes = r\n\
         promotionRegionWhite = *{ranks}\npromotionRegionBlack = *1\ncastling = false\n"
    );
    let passed = |fen: &str| fen.split(' ').nth(3) != Some("-");
    let [named, others] = states_in_tables(&text, passed);
    assert!(
        named.0 > 0 && named.0 == named.1 && others.0 == others.1,
        "{text}\n{named:?} {others:?}"
    );
}

/// Compares the values of all states of a definition's game with its tables. Of the states that `wanted`
/// names, and of the others: how many there are, and how many have a table.
fn states_in_tables(text: &str, wanted: impl Fn(&str) -> bool) -> [(usize, usize); 2] {
    let book = definition::read(text.as_bytes(), &definition::NoneCompiled);
    let definition = book.definitions().next().expect("a definition").clone();
    let variant = interpreter::open(definition).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let values = graph_values(&variant, text, 1_000_000).expect("few states");
    let (named, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
        values.into_iter().partition(|(fen, _)| wanted(fen));
    [named, others].map(|values| (values.len(), tables_agree(&variant, &values, text)))
}

#[test]
fn tables_know_pawns_that_step_twice_from_anywhere() {
    // From the second rank of a low board; from everywhere; from the third; taken by another unit.
    for (ranks, keys) in [
        (
            5,
            "startFen = k1/1p/2/P1/K1 w - - 0 1\n\
             doubleStepRegionWhite = *2\ndoubleStepRegionBlack = *4",
        ),
        (
            6,
            "startFen = k1/1p/2/2/P1/K1 w - - 0 1\n\
             doubleStepRegionWhite = *2 *3\ndoubleStepRegionBlack = *4 *5",
        ),
        (
            7,
            "startFen = k1/2/1p/2/P1/2/K1 w - - 0 1\n\
             doubleStepRegionWhite = *3\ndoubleStepRegionBlack = *5",
        ),
        (
            5,
            "startFen = k1/1p/2/S1/K1 w - - 0 1\ncustomPiece1 = s:mWcF\n\
             doubleStepRegionBlack = *4\nenPassantTypes = ps",
        ),
    ] {
        assert_tables_know((2, ranks), keys);
    }
}

#[test]
fn tables_know_triple_steps_and_first_steps_of_other_units() {
    // Two squares may be entered after a step; other units leap ahead, or sideways past pawns.
    for (files, ranks, keys) in [
        (
            2,
            6,
            "startFen = k1/1p/2/2/P1/K1 w - - 0 1\n\
             tripleStepRegionWhite = *2\ndoubleStepRegionBlack = *5",
        ),
        (
            3,
            4,
            "startFen = k1s/3/S2/1K1 w - - 0 1\ncustomPiece1 = s:mWcFifmnD\nenPassantTypes = s\n\
             enPassantRegion = *1 *2 *3 *4",
        ),
        (
            4,
            4,
            "startFen = k2p/4/4/KS2 w - - 0 1\ncustomPiece1 = s:mWcFimsnD\nenPassantTypes = ps\n\
             enPassantRegion = *1 *2 *3 *4",
        ),
    ] {
        assert_tables_know((files, ranks), keys);
    }
}

#[test]
fn tables_know_positions_whose_gates_are_closed() {
    let text = "[gates:seirawan]\nmaxFile = 4\nmaxRank = 4\nstartFen = 1k2/4/4/R1K1[H] w A - 0 1\n\
                promotionPieceTypes = r\ncastling = false\n";
    let open = |fen: &str| fen.split(' ').nth(2) != Some("-");
    let [open, closed] = states_in_tables(text, open);
    assert!(open.0 > 0 && open.1 == 0, "{open:?}");
    assert!(closed.0 > 1_000 && closed.0 == closed.1, "{closed:?}");
}

#[test]
fn tables_keep_the_count_of_the_n_move_rule() {
    let text = "[quiet:chess]\nmaxFile = 3\nmaxRank = 4\nstartFen = k2/3/3/1RK w - - 0 1\n\
                nMoveRule = 3\nnMoveRuleKept = true\ncastling = false\n";
    let late = |fen: &str| fen.split(' ').nth(4) != Some("0");
    let [late, fresh] = states_in_tables(text, late);
    assert!(late.0 > 500 && late.0 == late.1, "{late:?}");
    assert!(fresh.0 > 0 && fresh.0 == fresh.1, "{fresh:?}");
}
