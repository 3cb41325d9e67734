//! The second implementation of the rules shares nothing with the first: it names no crate but the
//! standard library, and nothing outside its own folder.

use crate::sources::{begins_a_path, code_of, names_any, rule_sets, sources};

const CRATES: [&str; 15] = [
    "fairyproof",
    "input",
    "board",
    "position",
    "rules",
    "sets",
    "notation",
    "explore",
    "solve",
    "puzzle",
    "claims",
    "report",
    "picture",
    "serve",
    "cli",
];

/// What the code names of the program. The root of the second implementation has a `board` of its own.
fn shared(is_root: bool, code: &str) -> Option<&'static str> {
    let outside: &[&str] = if is_root {
        &["super::"]
    } else {
        &["super::super::"]
    };
    let named = CRATES
        .into_iter()
        .find(|name| !(is_root && *name == "board") && begins_a_path(code, name));
    let borrowed = names_any(code, &["crate::", "include!", "#[path"]);
    let above = names_any(code, outside).map(|_| "super::");
    named.or(borrowed).or(above)
}

#[test]
fn the_second_implementation_shares_nothing_with_the_program() {
    let files = sources("tests/naive");
    for set in rule_sets() {
        let there = files.iter().any(|file| file.modules == [set.as_str()]);
        assert!(there, "tests/naive/{set}.rs is not there");
    }
    for file in files {
        let found = shared(file.modules.is_empty(), &file.code);
        assert_eq!(found, None, "{:?}", file.modules);
    }
}

#[test]
fn what_is_shared_is_seen_in_whatever_form() {
    for (is_root, code) in [
        (false, "use fairyproof::board::Board;"),
        (false, "use rules::fide;"),
        (false, "use sets;"),
        (false, "use board::Kind;"),
        (false, "let x = notation::fen::read(text);"),
        (false, "use crate::random::Random;"),
        (false, "use super::super::random::Random;"),
        (true, "use super::random::Random;"),
        (true, "#[path = \"../../src/sets/zoo.rs\"]\nmod zoo;"),
        (true, "use position :: Position;"),
    ] {
        assert!(shared(is_root, &code_of(code)).is_some(), "{code}");
    }
    for (is_root, code) in [
        (true, "mod board;\nuse board::{Kind, Pos};"),
        (false, "use super::board::{Kind, Pos};"),
        (false, "let board = &pos.board; // fairyproof::board"),
        (false, "use std::collections::BTreeMap;"),
        (false, "fn position(rules: &Rules) {}"),
    ] {
        assert_eq!(shared(is_root, &code_of(code)), None, "{code}");
    }
}
