//! The guide's chapter: its reference is made from the table of names, and its expressions compile.

use crate::{open, setup};
use language::{Environment, Expression, FORMS, NAMES, Owner};
use std::fmt::Write;
use std::path::PathBuf;

fn chapter() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../guide/expressions.md")
}

/// Returns the reference of all names as tables.
fn reference() -> String {
    let mut text = String::new();
    let escaped = |text: &str| text.replace('|', "\\|");
    for (title, owner) in [
        ("Always bare", Owner::Global),
        ("Of a position", Owner::Position),
        ("Of a turn", Owner::Turn),
        ("Of a unit", Owner::Unit),
        ("Of a square", Owner::Square),
    ] {
        let _ = write!(
            text,
            "{title}:\n\n| name | type | meaning | example |\n|---|---|---|---|\n"
        );
        for row in NAMES.iter().filter(|row| row.owner == owner) {
            let (example, meaning) = (escaped(row.example.expression), escaped(row.meaning));
            let _ = writeln!(
                text,
                "| `{}` | {} | {meaning} | `{example}` |",
                row.usage(),
                row.result
            );
        }
        text.push('\n');
    }
    text += "Of lists:\n\n| form | meaning | example |\n|---|---|---|\n";
    for (_, usage, meaning, example) in FORMS {
        let _ = writeln!(
            text,
            "| `{usage}` | {meaning} | `{}` |",
            escaped(example.expression)
        );
    }
    text
}

const BEGIN: &str = "<!-- names -->\n";
const END: &str = "<!-- end of names -->";

/// With the variable `FAIRYPROOF_BLESS`, the reference is written instead of compared.
#[test]
fn the_reference_is_made_from_the_table() {
    let text = std::fs::read_to_string(chapter()).expect("the chapter");
    let begin = text.find(BEGIN).expect("the mark") + BEGIN.len();
    let end = text.find(END).expect("the mark");
    if std::env::var_os("FAIRYPROOF_BLESS").is_some() {
        let new = format!("{}{}{}", &text[..begin], reference(), &text[end..]);
        std::fs::write(chapter(), new).expect("the chapter is written");
    } else {
        assert_eq!(
            &text[begin..end],
            reference(),
            "set FAIRYPROOF_BLESS to write it again"
        );
    }
}

/// Returns the words of a command line with quotation marks.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words
}

#[test]
fn every_question_of_the_guide_compiles() {
    let text = std::fs::read_to_string(chapter()).expect("the chapter");
    let questions = &text[text.find("## Thirty questions").expect("the section")..];
    let mut count = 0;
    for row in questions.lines().filter(|line| line.ends_with("` |")) {
        let command = row
            .rsplit_once(" | `")
            .expect("a command")
            .1
            .trim_end_matches("` |");
        let words = words(&command.replace("\\|", "|"));
        let after = |option: &str| {
            let at = words.iter().position(|word| word == option)?;
            words.get(at + 1).cloned()
        };
        let (variant, turn) = match words[0].as_str() {
            "table" => (&words[2], false),
            "turns" | "solve" => (&words[1], true),
            _ => (&words[1], false),
        };
        let positional = match words[0].as_str() {
            "table" => words.get(4).cloned(),
            "eval" => words.last().cloned(),
            _ => None,
        };
        let options = ["--where", "--goal", "--find", "--always", "--count", "--by"];
        let expressions: Vec<String> = options
            .iter()
            .filter_map(|option| after(option))
            .filter(|text| !text.starts_with("--"))
            .chain(positional)
            .collect();
        assert!(!expressions.is_empty(), "{command}");
        let game = setup(variant, "").game();
        let environment = Environment {
            about_turn: turn,
            values: words[0] == "table" || command.contains("--solve"),
            graph: words[0] == "explore",
            open: &open,
            ..Environment::new(&game)
        };
        for text in expressions {
            let compiled = Expression::compile(&text, &environment);
            assert!(
                compiled.is_ok(),
                "{command}: {:?}",
                compiled.err().map(|error| error.why)
            );
        }
        count += 1;
    }
    assert_eq!(count, 30);
}
