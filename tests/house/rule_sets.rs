//! Rule sets do not know each other: what two of them share is a part.

use crate::sources::{code_of, names_after, rule_sets, sources};

/// Returns the rule sets that a file of this place below `src/variants` names, its own aside.
fn others<'a>(modules: &[String], sets: &[String], code: &'a str) -> Vec<&'a str> {
    let root = "super::".repeat(modules.len());
    names_after(code, &root)
        .into_iter()
        .chain(names_after(code, "crate::"))
        .filter(|name| *name != modules[0] && sets.iter().any(|set| set == name))
        .collect()
}

#[test]
fn no_rule_set_uses_another() {
    let sets = rule_sets();
    assert!(sets.len() > 30, "the rule sets are not found");
    let sources = sources("src/variants");
    // The parts stand below all rule sets.
    assert!(sources.iter().any(|s| s.modules[0] == "parts"));
    for source in sources.iter().filter(|s| s.modules != ["lib"]) {
        let found = others(&source.modules, &sets, &source.code);
        assert!(found.is_empty(), "{:?} uses {found:?}", source.modules);
    }
}

#[test]
fn a_rule_set_that_uses_another_is_seen_in_whatever_form() {
    let place = |path: &str| path.split('/').map(str::to_string).collect::<Vec<_>>();
    let sets = place("fide/bachelor/prop");
    for (path, code) in [
        ("fide", "use super::bachelor::MARRIAGE;"),
        ("fide", "use crate::bachelor;"),
        ("fide", "use super::{bachelor, fide};"),
        (
            "fide",
            "use crate::{\n    parts::orthodox,\n    bachelor::{MARRIAGE, INFO},\n};",
        ),
        ("prop/lanes", "let x = super::super::bachelor::INFO;"),
        ("parts/orthodox", "use super::super::bachelor;"),
    ] {
        let code = code_of(code);
        let found = others(&place(path), &sets, &code);
        assert_eq!(found, ["bachelor"], "{path}: {code}");
    }
    for (path, code) in [
        ("fide", "use rules::fide;"),
        ("fide", "// use super::bachelor;"),
        ("prop", "use crate::parts::orthodox;"),
        ("prop/lanes", "use super::lines;"),
        ("prop/lanes", "use crate::prop::lines;"),
    ] {
        let code = code_of(code);
        let found = others(&place(path), &sets, &code);
        assert_eq!(found, [""; 0], "{path}: {code}");
    }
}
