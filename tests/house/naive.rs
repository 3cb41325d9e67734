//! The second implementation of the rules shares nothing with the first: its crate depends on no other, except
//! on a parser of expressions for rule texts, and takes in no file from outside its folder.

use crate::layers::manifest;
use crate::sources::{code_of, names_any, rule_sets, sources};

/// Returns what would take in a file from elsewhere.
fn borrowed(code: &str) -> Option<&'static str> {
    names_any(code, &["include!", "#[path"])
}

#[test]
fn the_second_implementation_shares_nothing_with_the_program() {
    let manifest = manifest("src/naive/Cargo.toml");
    let needs: Vec<&String> = (manifest.keys())
        .filter(|key| key.contains("dependencies") || *key == "target")
        .collect();
    assert_eq!(needs, ["dependencies"]);
    let parser = &manifest["dependencies"];
    let names: Vec<&String> = parser
        .as_table()
        .into_iter()
        .flat_map(|all| all.keys())
        .collect();
    assert_eq!(names, ["cel"]);
    let files = sources("src/naive");
    for set in rule_sets() {
        let there = files.iter().any(|file| file.modules == [set.as_str()]);
        assert!(there, "src/naive/{set}.rs is not there");
    }
    for file in files {
        assert_eq!(borrowed(&file.code), None, "{:?}", file.modules);
    }
}

#[test]
fn what_is_borrowed_is_seen_in_whatever_form() {
    for code in [
        "#[path = \"../../src/variants/zoo.rs\"]\nmod zoo;",
        "include!(\"../../src/variants/zoo.rs\");",
    ] {
        assert!(borrowed(&code_of(code)).is_some(), "{code}");
    }
    let plain = "let board = &pos.board; // include!(\"board.rs\")";
    assert_eq!(borrowed(&code_of(plain)), None);
}
