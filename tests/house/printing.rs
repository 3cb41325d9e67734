//! Algorithms never print: the command line alone does. (Lints forbid the macros; this test sees
//! handles of the streams too.)

use crate::sources::{code_of, names_any, place, sources};

const PRINTS: [&str; 7] = [
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "dbg!",
    "stdout(",
    "stderr(",
];

#[test]
fn only_the_command_line_prints() {
    let sources = sources("src");
    assert!(sources.len() > 100, "the sources are not found");
    // Where files are written, one that is named `-` is standard output.
    let may = |modules: &[String]| {
        ["cli", "fairyproof_check"].contains(&modules[0].as_str()) || modules == ["report", "files"]
    };
    for source in sources.iter().filter(|s| !may(&s.modules)) {
        let found = names_any(&source.code, &PRINTS);
        assert_eq!(found, None, "{:?} prints", source.modules);
    }
}

#[test]
fn what_prints_is_seen() {
    let found = |code: &str| names_any(&code_of(code), &PRINTS);
    assert_eq!(found("eprintln!(\"x\")"), Some("eprintln!"));
    assert_eq!(found("std::io::stdout().lock()"), Some("stdout("));
    assert_eq!(found("// println!(\"x\")"), None);
    assert_eq!(found("fn blueprint() {}"), None);
}

#[test]
fn the_program_itself_is_a_few_lines() {
    let text = std::fs::read_to_string(place("src/main.rs"));
    assert!(text.expect("text").lines().count() < 20);
}
