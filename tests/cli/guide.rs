//! `fairyproof guide`: the chapters of the manual.

use crate::run::{answer, holds, program, refusal};
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
    // One chapter is made of the row types of the reports.
    let files: BTreeSet<String> = files.into_iter().chain(["columns".to_owned()]).collect();
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

/// Writes the files of a text into a folder: blocks that begin with "```ini NAME" or "```toml NAME".
fn write_files(text: &str, folder: &Path) {
    let blocks = ["\n```ini ", "\n```toml "]
        .into_iter()
        .flat_map(|start| text.split(start).skip(1));
    for block in blocks {
        let (name, rest) = block.split_once('\n').expect("a name");
        let (content, _) = rest.split_once("\n```").expect("its end");
        std::fs::write(folder.join(name), format!("{content}\n")).expect("a file");
    }
}

/// Runs the commands of a text's console blocks in an empty folder and compares what they print. Returns the number
/// of commands.
fn check_commands(text: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    write_files(text, folder.path());
    let transcripts = transcripts(text);
    for (command, expected) in &transcripts {
        let arguments = command.strip_prefix("fairyproof ");
        let arguments =
            arguments.unwrap_or_else(|| panic!("not a command of the program: {command}"));
        let output = program(&[])
            .args(shlex::split(arguments).expect("balanced quotes"))
            .current_dir(folder.path())
            .env("FAIRYPROOF_TABLES", folder.path().join("tables"))
            .output()
            .expect("it runs");
        let printed = String::from_utf8(output.stdout).expect("text");
        let lines: Vec<&str> = printed.lines().collect();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(fits(expected, &lines), "{command}\n{printed}{errors}");
    }
    transcripts.len()
}

#[test]
fn commands_of_readme_print_what_it_shows() {
    let run = check_commands(include_str!("../../README.md"));
    assert!(run >= 10, "{run} commands");
}

#[test]
fn commands_of_the_guide_print_what_it_shows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let mut run = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        run += check_commands(&std::fs::read_to_string(path).expect("a chapter"));
    }
    assert!(run >= 15, "{run} commands");
}

#[test]
fn columns_are_explained_with_unit_and_range() {
    let text = answer(&["guide", "columns"]);
    holds(
        &text,
        &[
            "## `report endgames`: `endgames.csv`",
            "| `longest_win_plies` | plies | empty without a win |",
            "| `terminal_share` | share | 0 to 1 |",
        ],
    );
}
