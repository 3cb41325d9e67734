//! `fairyproof guide`: the chapters of the manual.

use crate::run::{answer, holds, refusal};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_chapter_is_listed_and_printed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let listed = answer(&["guide"]);
    let names: BTreeSet<String> = listed
        .lines()
        .map(|line| line.split(' ').next().expect("a name").to_owned())
        .collect();
    assert_eq!(names, files);
    let all = answer(&["guide", "all"]);
    let readme = include_str!("../../README.md");
    for name in &names {
        let chapter = answer(&["guide", name]);
        assert!(chapter.starts_with("# "), "{name}");
        assert!(all.contains(&chapter), "{name}");
        assert!(readme.contains(&format!("| `{name}` |")), "{name}");
    }
}

#[test]
fn a_chapter_that_does_not_exist_is_refused() {
    holds(
        &refusal(&["guide", "table"]),
        &["`table`", "did you mean `tables`?"],
    );
}

/// Returns the commands of a text's console blocks with the output that follows each.
fn transcripts(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => found.push((command.to_owned(), Vec::new())),
                (None, Some((_, output))) => output.push(line.to_owned()),
                (None, None) => panic!("output without a command: {line}"),
            }
        }
    }
    found
}

/// Returns whether a printed line is the expected one, where ` ... ` represents any text.
fn line_fits(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (expected.trim_end(), printed.trim_end());
    match expected.split_once(" ... ") {
        Some((start, end)) => printed.starts_with(start) && printed.ends_with(end),
        None => expected == printed,
    }
}

/// Returns whether printed lines are the expected ones, where `...` represents any number of lines.
fn fits(expected: &[String], printed: &[&str]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, first) => first.is_none(),
        (Some((dots, rest)), _) if dots == "..." => {
            (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]))
        }
        (Some((first, rest)), Some((line, more))) => line_fits(first, line) && fits(rest, more),
        (Some(_), None) => false,
    }
}

#[test]
fn the_commands_of_readme_print_what_it_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let readme = include_str!("../../README.md");
    let (_, frogs) = readme.split_once("```ini\n").expect("a definition");
    let (frogs, _) = frogs.split_once("```").expect("its end");
    std::fs::write(folder.path().join("frogs.ini"), frogs).expect("a file");
    let mut run = 0;
    for (command, expected) in transcripts(readme) {
        let Some(arguments) = command.strip_prefix("fairyproof ") else {
            continue;
        };
        let output = assert_cmd::Command::cargo_bin("fairyproof")
            .expect("the program")
            .args(shlex::split(arguments).expect("balanced quotes"))
            .current_dir(folder.path())
            .env("FAIRYPROOF_TABLES", folder.path().join("tables"))
            .output()
            .expect("it runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = printed.lines().collect();
        assert!(fits(&expected, &lines), "{command}\n{printed}");
        run += 1;
    }
    assert!(run >= 10, "{run} commands");
}
