//! The chapter of the guide: its reference is generated from the table of names, and its questions have
//! answers.

use language::{FORMS, NAMES, Owner};
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

/// Compares the reference with the generated one. If `FAIRYPROOF_BLESS` is set, writes it instead.
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

/// The tests of the command line evaluate the questions and compare the answers.
#[test]
fn each_kind_of_user_has_ten_questions_with_answers() {
    let text = std::fs::read_to_string(chapter()).expect("the chapter");
    let users: Vec<&str> = text.split("\n### Of a ").skip(1).collect();
    assert_eq!(users.len(), 3);
    for user in users {
        let questions = user.matches("?\n```console\n$ fairyproof ").count()
            + user.matches(":\n```console\n$ fairyproof ").count();
        assert!(
            questions >= 10,
            "{questions} questions of a {}",
            &user[..10]
        );
    }
}
