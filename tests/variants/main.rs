//! Positions checked by hand against the rule book, one file for each rule set: for each clause of
//! its rules, and each outcome, one that fails if the clause is dropped.
//!
//! `cargo test --release --test variants bachelor` runs those of one rule set.

mod clauses;
mod fen;
mod hand;

mod bachelor;
mod blunder_mate;
mod chromopolis;
mod clerical;
mod concurrent;
mod contravention;
mod convergent;
mod counselor;
mod deadline;
mod decastellation;
mod donnybrook;
mod dowager;
mod dynastic;
mod entourage;
mod fide;
mod french_revolution;
mod glory;
mod junta;
mod kingmaker;
mod linkage;
mod moderation;
mod prop;
mod reentrant;
mod regent;
mod separation;
mod series_helpmate;
mod shrapnel;
mod society;
mod spartan;
mod submission;
mod triple_check;
mod twilight;
mod tyrant;
mod ultimate;
mod xenophobic;
mod zoo;

/// No rule set is left out here.
#[test]
fn every_rule_set_has_its_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/variants");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}.rs"));
    let main = read("main").expect("this file");
    for info in fairyproof::variants::all() {
        let name = info.id.replace('-', "_");
        let file = read(&name).unwrap_or_else(|e| panic!("tests/variants/{name}.rs: {e}"));
        assert!(main.contains(&format!("\nmod {name};\n")), "mod {name};");
        assert!(file.contains(&format!("const V: &str = \"{}\";", info.id)));
        let tests = ["#[test]", "positions! {", "shared_clauses! {"];
        assert!(tests.iter().any(|t| file.contains(t)), "{name} has no test");
    }
}
