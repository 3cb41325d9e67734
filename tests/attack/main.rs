//! The attack: odd inputs made by a generator, and faults of the machine, against the program as its
//! users run it. What it looks for: panics, exit codes that are not documented, answers after more
//! than the time asked for, more memory than was asked for, Ctrl-C without an answer, positions and
//! turns that the naive rules do not have.
//!
//! | variable | meaning |
//! |---|---|
//! | `FAIRYPROOF_ATTACK_MINUTES` | attack so long with seeds of its own instead of seconds with a fixed one |
//! | `FAIRYPROOF_ATTACK_SEED` | the first seed, to see a fault again (each fault names its own) |
//! | `FAIRYPROOF_ATTACK_CASES` | how many cases from there |
//! | `FAIRYPROOF_ATTACK_PROGRAM` | another build of the program than the tests' own |
//!
//! The tests' own build of the program checks overflow and debug assertions.
#![cfg(unix)]

#[path = "../files/mod.rs"]
mod files;
#[path = "../random/mod.rs"]
mod random;
#[path = "../server/mod.rs"]
mod running_server;

mod attempt;
mod claims;
mod expressions;
mod faults;
mod folders;
mod forged;
mod known;
mod odd;
mod server;
mod targets;
mod texts;

use attempt::{Attempt, Told};
use random::Random;
use std::time::{Duration, Instant};

/// Cases of each target in a common test run.
const CASES: u64 = 40;
/// Cases of a target whose every case takes its time.
const FEW_CASES: u64 = 12;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} is a whole number, not `{text}`")))
}

/// Attacks one target, and says what was found with the command lines that lead there.
fn attack(name: &str, usual_cases: u64, make: fn(&mut Random) -> Attempt) {
    let begun = Instant::now();
    let minutes = number("FAIRYPROOF_ATTACK_MINUTES");
    let clock = || {
        std::time::UNIX_EPOCH
            .elapsed()
            .map_or(0, |now| now.as_secs())
    };
    // Seeds of long attacks differ from run to run.
    let usual = if minutes.is_some() { clock() << 20 } else { 1 };
    let first = number("FAIRYPROOF_ATTACK_SEED").unwrap_or(usual);
    let most = match minutes {
        Some(_) => u64::MAX,
        None => number("FAIRYPROOF_ATTACK_CASES").unwrap_or(usual_cases),
    };
    let until = minutes.map(|minutes| begun + Duration::from_secs(60 * minutes));
    let mut faults: Vec<String> = Vec::new();
    let mut cases = 0;
    while cases < most && until.is_none_or(|until| Instant::now() < until) {
        let seed = first.wrapping_add(cases);
        let attempt = make(&mut Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)));
        if let Told::Fault(why) = attempt.run() {
            let fault = format!("seed {seed}: {why}\n{attempt}");
            // At once, as hours may pass before the end.
            eprintln!("{name}, {fault}\n");
            faults.push(fault);
        }
        cases += 1;
    }
    eprintln!("{name}: {cases} cases, {} faults", faults.len());
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n\n"));
}

macro_rules! attacks {
    ($cases:expr => $($name:ident: $make:path;)*) => {
        $(#[test]
        fn $name() {
            attack(stringify!($name), $cases, $make);
        })*
    };
}

attacks! { CASES =>
    odd_positions_are_answered_or_refused: targets::position;
    the_naive_rules_have_the_same_turns: targets::turns;
    odd_problems_end_in_time: targets::problem;
    odd_tables_end_in_memory: targets::table;
    the_naive_rules_have_the_turns_of_tables: targets::probe;
    odd_explorations_end_in_memory: targets::exploration;
    odd_files_are_read_or_refused: targets::file;
    odd_streams_are_answered_line_by_line: targets::stream;
    odd_arguments_are_refused: targets::arguments;
    forged_solutions_are_refused: forged::solution;
    forged_certificates_are_refused: forged::certificate;
    forged_refutations_are_refused: forged::refutation;
    forged_searches_are_not_believed: forged::search;
    odd_paths_are_read_or_refused: forged::path;
    forged_searches_on_disk_are_answered_or_refused: folders::disk;
    forged_levels_are_answered_or_refused: folders::levels;
    forged_tables_are_answered_or_refused: folders::table;
    odd_expressions_are_answered_or_refused: expressions::expressions;
    odd_claims_are_verified_or_refused: claims::file;
    odd_rule_texts_are_played_or_refused: texts::text;
}

attacks! { FEW_CASES =>
    odd_proofs_end_in_time: targets::proof;
    odd_reports_are_interrupted: targets::report;
}
