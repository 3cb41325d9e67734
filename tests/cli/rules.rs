//! `fairyproof rules`: a rule set's page and what its declaration adds.

use crate::run::{answer, holds};
use fairyproof::catalog::Catalog;
use fairyproof::definition::{self, NoneCompiled, key_infos};
use fairyproof::diagnostics::{Diagnostic, Severity};
use fairyproof::variants;

#[test]
fn rules_shows_the_page_and_what_follows_from_the_card() {
    let out = answer(&["rules", "bachelor"]);
    holds(
        &out,
        &[
            "# Bachelor Chess",
            "## Against FIDE",
            "## Rulings",
            "## Options\nNone.",
            "## State",
            "* `marriage`: ",
            "`rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1`",
            "6  r n n k b b r\n",
            "There are 11 legal turns at the start. After `a2a3`:",
        ],
    );
}

#[test]
fn every_variant_has_its_pages_and_a_start_that_reads() {
    for info in variants::all() {
        let page = answer(&["rules", info.id]);
        holds(&page, &["# ", "## Outcomes", "## Start", "## Example"]);
        for (reason, _) in info.reasons {
            holds(&page, &[&format!("* `{reason}`: ")]);
        }
        for (key, _) in info.state {
            holds(&page, &[&format!("* `{key}=`: ")]);
        }
        for option in info.options.iter().filter(|option| option.is_listed()) {
            holds(&page, &[&format!("* `{}:{}", info.id, option.name)]);
        }
        let start = answer(&["start", info.id]);
        assert_eq!(
            answer(&["play", info.id, "--fen", start.trim()])
                .lines()
                .next(),
            Some(start.trim())
        );
        assert_eq!(answer(&["perft", info.id, "0"]), "1\n");
    }
}

#[test]
fn options_stand_there_once_and_links_are_names() {
    for id in ["spartan", "french-revolution"] {
        let page = answer(&["rules", id]);
        assert_eq!(page.matches("## Options").count(), 1, "{page}");
        assert!(!page.contains("[`") && !page.contains("`]"), "{page}");
    }
}

#[test]
fn every_key_is_listed_and_its_example_is_read() {
    let listed = crate::run::answer(&["rules", "keys"]);
    let infos = key_infos();
    assert_eq!(
        listed.lines().count(),
        infos.len() + definition::CLAUSE_KEYS.len()
    );
    for info in &infos {
        let section = format!("[example:chess]\n{}\n", info.example);
        let none = &NoneCompiled;
        let book = definition::read(section.as_bytes(), none);
        let of_value = |f: &&Diagnostic| {
            let error = f.severity == Severity::Error && f.why.contains(" takes ");
            error
                && f.position()
                    .is_some_and(|place| place.line == 2 && place.column > 1)
        };
        assert_eq!(
            book.findings.iter().find(of_value),
            None,
            "{}",
            info.example
        );
        assert!(
            book.findings
                .iter()
                .all(|f| !f.why.contains("there is no key")),
            "{}",
            info.example
        );
        assert!(listed.contains(&info.meaning), "{}", info.name);
    }
    // Every key that a definition prints is explained.
    for (name, _) in definition::chess().lines() {
        if !name.starts_with("mobilityRegion") {
            let explained = crate::run::answer(&["rules", "keys", &name]);
            crate::run::holds(
                &explained,
                &[&name, "values: ", "example: ", "in orthodox chess: "],
            );
        }
    }
}

/// Ideas, each with the name that has to come first, or `-` and what comes nearest.
const IDEAS: [(&str, &str); 64] = [
    ("three in a row", "connectN"),
    ("row of four", "connectN"),
    ("missing squares", "holes"),
    ("must take", "mustCapture"),
    ("number of files", "maxFile"),
    ("knightmate", "knightmate"),
    ("two turns", "stepCount"),
    ("promotion", "promotionPieceTypes"),
    ("captured units come back", "rebirth"),
    ("circe", "rebirth"),
    ("atomic", "atomic"),
    ("king of the hill", "flagRegion"),
    ("explosions", "blastOnCapture"),
    ("drop captured pieces", "pieceDrops"),
    ("bughouse", "bughouse"),
    ("three checks", "checkCounting"),
    ("stalemate loses", "stalemateValue"),
    ("threefold repetition", "nFoldRule"),
    ("fifty moves", "nMoveRule"),
    ("compulsory captures", "mustCapture"),
    ("losing chess", "mustCapture"),
    ("camel", "customPiece1"),
    ("pawns move two squares", "doubleStep"),
    ("no castling", "castling"),
    ("swapping places", "ontoOwn"),
    ("capture own pieces", "ontoOwn"),
    ("change color when capturing", "converts"),
    ("bare king", "extinctionPieceCount"),
    ("several kings", "extinctionPseudoRoyal"),
    ("paralysed units", "activeIf"),
    ("protected units cannot be captured", "captureIf"),
    ("rifle", "landsOn"),
    ("teleport", "landsOn"),
    ("walls", "wallingRule"),
    ("skip a turn", "pass"),
    ("kings facing each other", "flyingGeneral"),
    ("promotion zone", "promotionRegionWhite"),
    ("must promote", "mandatoryPawnPromotion"),
    ("pawn drop mate", "shogiPawnDropMateIllegal"),
    ("tic tac toe", "connectN"),
    ("hex", "connectRegion1White"),
    ("othello", "flipEnclosedPieces"),
    ("torus", "cylinder"),
    ("fischer random", "chess960"),
    ("palace", "mobilityRegionWhiteKing"),
    ("perpetual check", "perpetualCheckIllegal"),
    ("lose all pieces", "extinctionPieceTypes"),
    ("multiple captures", "continues"),
    ("move the opponent's pieces", "stepSide"),
    ("longest move first", "prefer"),
    ("winning condition", "ends"),
    ("crazyhouse", "crazyhouse"),
    ("en passant", "enPassantRegion"),
    ("knight relay", "targets"),
    ("capture the king", "ownCheck"),
    ("once per game", "state"),
    ("white may pass", "pass"),
    ("pawn turns into another piece", "turnsInto"),
    ("dice", "- state"),
    ("fog of war", "- targets"),
    ("hexagonal board", "- holes"),
    ("four players", "- stepSide"),
    ("clock", "- nMoveRule"),
    ("neutral pieces", "- stepSide"),
];

#[test]
fn ideas_are_found_by_names_meanings_synonyms_and_variants() {
    let catalog = Catalog::new();
    let variants: Vec<(&str, String)> = catalog
        .iter()
        .map(|entry| (entry.id(), entry.difference()))
        .collect();
    for (idea, right) in IDEAS {
        let matches = definition::search(idea, &variants);
        let missing = if matches.missing.is_some() { "- " } else { "" };
        let first = matches.best.first().map_or("", |found| &found.name);
        assert_eq!(format!("{missing}{first}"), right, "{idea}: {matches:?}");
        assert!(matches.best.len() <= 5);
    }
}

#[test]
fn keys_that_do_not_exist_are_answered_by_meaning() {
    let found = |idea: &str| crate::run::answer(&["rules", "keys", idea]);
    crate::run::holds(
        &found("enPassantSquares"),
        &["enPassantRegion: squares on which"],
    );
    crate::run::holds(
        &found("row of four"),
        &["connectN: number of units in a row that wins\n"],
    );
    crate::run::holds(
        &found("knightmate"),
        &["knightmate: a known variant: pieces: commoner"],
    );
    crate::run::holds(
        &found("kriegspiel"),
        &[
            "nothing expresses `kriegspiel`: both sides see the whole position",
            "targets: ",
        ],
    );
    // Words need no quotes. `check` is a word of other keys, so it is not a key mistyped.
    let unquoted = crate::run::answer(&["rules", "keys", "three", "in", "a", "row"]);
    assert_eq!(unquoted, found("three in a row"));
    assert!(found("check").lines().count() == 5);
    let refused = |key: &str| crate::run::refusal(&["rules", "keys", key]);
    crate::run::holds(&refused("flagregion"), &["did you mean `flagRegion`?"]);
    // What is not known is not said to be impossible.
    let unknown = refused("frobnication");
    crate::run::holds(
        &unknown,
        &["no key, clause or variant has a similar name or meaning"],
    );
    let bad = "[a:chess]\nkriegspiel = true\nrepetitionIllegal = true\n";
    let (_folder, path) = crate::run::file(bad);
    let run = crate::run::run(&["rules", "check", &path]);
    crate::run::holds(
        &run.out,
        &["no key expresses it", "`moveRepetitionIllegal`"],
    );
}

/// Returns the findings on a text as `rules check` prints them, without the name of the file.
fn findings(text: &str) -> Vec<String> {
    let book = Catalog::new().check_text(text);
    book.findings
        .iter()
        .map(|finding| finding.line().to_string())
        .collect()
}

#[test]
fn sections_of_a_file_ask_one_another() {
    let text = |asked: &str| {
        format!(
            "[a:fide-text]\nlegalIf = !checks\n\n[b:fide-text]\nlegalIf = size(under('{asked}').turns) > 0\n"
        )
    };
    assert_eq!(findings(&text("a")), Vec::<String>::new());
    let unknown = findings(&text("c"));
    assert!(
        unknown[0].contains("there is no rule set of this name"),
        "{unknown:?}"
    );
}

#[test]
fn check_examines_the_start_position_and_keys_without_effect() {
    for (keys, finding) in [
        (
            "connectN = 3",
            "2:12: warning: [a] the game is over before the first turn: ",
        ),
        (
            "flagRegion = *8",
            "warning: [a] the game is over before the first turn: ",
        ),
        (
            "extinctionPieceTypes = q\nextinctionValue = loss\nextinctionPieceCount = 1",
            "4:24: warning: [a] the game is over before the first turn: ",
        ),
        (
            "startFen = k7/8/1Q6/8/8/8/8/4K3 b - - 0 1",
            "2:12: warning: [a] no legal turn at the start: draw stalemate",
        ),
        (
            "startFen = rnbqkbnr/8/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1",
            "2:12: note: [a] White starts without a royal unit",
        ),
        (
            "shogiPawnDropMateIllegal = true",
            "has no effect: no `shogiPawn` is dropped",
        ),
        ("dropNoDoubled = p", "has no effect: nothing is dropped"),
        ("checkCounting = true", "so one check wins"),
        (
            "promotionPieceTypes = -\nmandatoryPawnPromotion = false",
            "White's pawns can reach the last rank, and become nothing there",
        ),
        (
            "startFen = rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w Dd - 0 1",
            "`D` is not a castling right; `-`, or letters of KQkq",
        ),
        (
            "mutuallyImmuneTypes = k",
            "error: [a] `mutuallyImmuneTypes` names a royal piece",
        ),
    ] {
        let found = findings(&format!("[a:chess]\n{keys}\n"));
        assert!(
            found.iter().any(|line| line.contains(finding)),
            "{keys}: {found:?}"
        );
    }
    assert_eq!(findings("[a:chess]\nmutuallyImmuneTypes = q\n"), [""; 0]);
}

#[test]
fn known_variants_have_no_warnings_except_one() {
    // The names of rule sets that the program has in another form are not free.
    let text = definition::LIBRARY
        .replace("[chess:fide]", "[own-chess:fide]")
        .replace("[spartan:", "[own-spartan:");
    let found = findings(&text);
    let warnings: Vec<&String> = (found.iter())
        .filter(|line| !line.contains("replaces the known variant") && !line.contains(": note: "))
        .collect();
    // In Karouk, the first check wins.
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("[karouk] `startFen` gives no numbers of checks"),
        "{warnings:?}"
    );
}

#[test]
fn notes_are_printed_by_check_alone_and_perft_says_that_a_game_is_over() {
    let (_folder, path) =
        crate::run::file("[past:chess]\nnFoldRule = 4\n[three:chess]\nconnectN = 3\n");
    let checked = crate::run::run(&["rules", "check", &path]);
    holds(
        &checked.out,
        &[
            "note: [past] `nFoldRule` is left out",
            "1 warning, 1 note\n",
        ],
    );
    let past = crate::run::run(&["--rules", &path, "perft", "past", "1"]);
    assert_eq!((past.out.as_str(), past.err.as_str()), ("20\n", ""));
    let over = crate::run::run(&["--rules", &path, "perft", "three", "2"]);
    assert_eq!(over.out, "0\n");
    holds(
        &over.err,
        &["note: the game is over before the first turn: black-wins connection"],
    );
}
