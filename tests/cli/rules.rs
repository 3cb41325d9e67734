//! `fairyproof rules`: a rule set's page and what its declaration adds.

use crate::run::{answer, holds};
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
    assert_eq!(listed.lines().count(), infos.len());
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

#[test]
fn keys_that_do_not_exist_are_answered_by_meaning() {
    let refused = |key: &str| crate::run::refusal(&["rules", "keys", key]);
    crate::run::holds(&refused("flagregion"), &["did you mean `flagRegion`?"]);
    crate::run::holds(&refused("enPassantSquares"), &["`enPassantRegion"]);
    crate::run::holds(&refused("regionConnected"), &["connect"]);
    crate::run::holds(&refused("captureMorph"), &["no key expresses it"]);
    // `check` is a word of other keys, so it is not `connect` mistyped.
    let checks = refused("checkPieceTypes");
    crate::run::holds(
        &checks,
        &["nearest keys by meaning are `extinctionPseudoRoyal`"],
    );
    // Ideas whose words no key has, or other keys have for something else.
    for (idea, key) in [
        ("atomic", "`blastOnCapture`"),
        ("hill", "`flagRegion`"),
        ("royalPieces", "`king`"),
        ("threefold", "`nFoldRule`"),
        ("drop", "`pieceDrops`"),
        ("stalematedSideWins", "are `stalemateValue`"),
        ("pawnDoubleMove", "`doubleStep`"),
        ("camel", "key by meaning is `customPiece1`"),
    ] {
        crate::run::holds(&refused(idea), &["nearest key", key]);
    }
    // What is not known is not said to be impossible.
    let unknown = refused("frobnication");
    crate::run::holds(&unknown, &["no key has a similar name or meaning"]);
    let bad = "[a:chess]\nteleportation = true\nrepetitionIllegal = true\n";
    let (_folder, path) = crate::run::file(bad);
    let run = crate::run::run(&["rules", "check", &path]);
    crate::run::holds(
        &run.out,
        &["no key expresses it", "`moveRepetitionIllegal`"],
    );
}
