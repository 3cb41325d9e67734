//! Help, version, and wrong usage.

use crate::run::{COMMANDS, EMPTY_BOARD, answer, file, holds, program, refusal, run};
use fairyproof::variants;

#[test]
fn help_names_every_command() {
    holds(&answer(&["--help"]), &COMMANDS);
}

#[test]
fn help_of_every_command_has_an_example() {
    for command in COMMANDS {
        let help = answer(&[command, "--help"]);
        holds(&help, &["Example", &format!("fairyproof {command}")]);
    }
}

#[test]
fn examples_of_help_run() {
    for command in COMMANDS {
        let help = answer(&[command, "--help"]);
        let example = help
            .lines()
            .skip_while(|line| !line.starts_with("Example"))
            .find_map(|line| line.strip_prefix("  fairyproof "))
            .expect("an example");
        // Quotes as a shell reads them, redirections cut off.
        let example = example.split(" > ").next().expect("a first part");
        let words: Vec<&str> = example
            .split('\'')
            .enumerate()
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().collect::<Vec<_>>(),
                _ => vec![part],
            })
            .collect();
        let run = run(&words);
        assert!(run.code <= 1, "{words:?}: {run:?}");
        assert!(!run.out.is_empty(), "{words:?}");
    }
}

#[test]
fn version_is_printed() {
    let version = format!("fairyproof {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(answer(&["--version"]), version);
}

#[test]
fn no_command_shows_usage() {
    let run = run(&[]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    holds(&run.err, &["Usage: fairyproof"]);
}

#[test]
fn unknown_command_is_told_with_a_near_one() {
    holds(&refusal(&["turn", "fide"]), &["'turn'", "'turns'"]);
}

#[test]
fn unknown_option_is_told() {
    holds(&refusal(&["turns", "fide", "--quick"]), &["'--quick'"]);
}

#[test]
fn missing_argument_is_told() {
    holds(&refusal(&["turns"]), &["<ID>"]);
    holds(&refusal(&["perft", "fide"]), &["<DEPTH>"]);
    holds(&refusal(&["compare", "fide"]), &["<ID2>"]);
}

#[test]
fn argument_too_many_is_told() {
    let words = EMPTY_BOARD.split(' ').collect::<Vec<_>>();
    let unquoted = [&["turns", "fide"], words.as_slice()].concat();
    holds(&refusal(&unquoted), &["unexpected argument 'w'"]);
}

#[test]
fn everything_is_plain_where_the_locale_is_c() {
    let mut asked: Vec<Vec<String>> = Vec::new();
    for command in COMMANDS {
        asked.push(vec![command.to_string(), "--help".to_string()]);
    }
    for info in variants::all() {
        asked.push(vec!["rules".to_string(), info.id.to_string()]);
    }
    for line in [
        &["variants"][..],
        &["show", "fide"],
        &["show", "fide", "--unit", "b1"],
        &["turns", "fide"],
        &["solve", "fide", "7k/5K2/8/8/8/8/8/6R1 w - - 0 1", "#1"],
    ] {
        asked.push(line.iter().map(|word| word.to_string()).collect());
    }
    for words in asked {
        let mut program = program(&[]);
        program.env("LC_ALL", "C").args(&words);
        let output = program.output().expect("it runs");
        assert!(!output.stdout.is_empty(), "{words:?}: {output:?}");
        assert!(output.stdout.is_ascii(), "{words:?}");
    }
}

#[test]
fn negative_numbers_are_refused_by_the_value_of_the_option() {
    for (words, allowed) in [
        (
            &["explore", "fide", "--time", "-1"][..],
            "a number of seconds above 0",
        ),
        (
            &["solve", "fide", "#2", "--time", "-2.5"],
            "a number of seconds above 0",
        ),
        (&["puzzles", "mine", "fide", "--count", "-1"], "-1"),
        (&["perft", "fide", "-1"], "a whole number from 0 to 1000"),
        (
            &["perft", "fide", "1", "--threads", "-1"],
            "a whole number from 1",
        ),
        (&["serve", "--port", "-1"], "0..=65535"),
    ] {
        let message = refusal(words);
        holds(&message, &["invalid value", allowed]);
    }
}

#[test]
fn subcommands_follow_global_options_only() {
    let (_folder, own) = file("[lancer:chess]\n");
    let new = answer(&["verify", "--rules", &own, "new", "lancer"]);
    holds(&new, &["variant = \"lancer\""]);
    holds(
        &answer(&["rules", "--rules", &own, "keys", "flagRegion"]),
        &["flagRegion"],
    );
    for (words, ignored) in [
        (
            &["prove", "--time", "5", "check", "a.fpp"][..],
            "--time <SECONDS>",
        ),
        (
            &["prove", "--threads", "1", "line", "a.fpp"],
            "--threads <N>",
        ),
        (&["verify", "--deep", "new", "fide"], "--deep"),
        (
            &["puzzles", "--format", "csv", "import", "a.epd"],
            "--format <FORMAT>",
        ),
        (&["rules", "fide", "keys"], "<ID>"),
    ] {
        let refused = format!("`{ignored}` does not apply to the subcommand");
        holds(&refusal(words), &[&refused]);
    }
    let prefix = run(&["verify", "bachelor", "new"]);
    assert_eq!(prefix.code, 2);
    holds(&prefix.err, &["`new`"]);
}

#[test]
fn help_of_puzzles_fits_80_columns() {
    let help = answer(&["puzzles", "--help"]);
    let text = help.split("Usage:").next().expect("text");
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
}
