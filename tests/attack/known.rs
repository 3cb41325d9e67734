//! Command lines that once went wrong: each with the exit codes that it may have, and how long it may
//! take at most.

use crate::attempt::{Attempt, Told, program, run, words};
use std::time::Duration;

/// Runs each of these, and says which ones end otherwise or late.
fn end_with(cases: &[(&str, &[i32])]) {
    let mut wrong = Vec::new();
    for &(line, codes) in cases {
        let attempt = Attempt::of(words(line));
        if let Told::Fault(why) = attempt.run() {
            wrong.push(format!("{why}\n{attempt}"));
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let ran = run(
            program()
                .args(words(line))
                .env("FAIRYPROOF_TABLES", folder.path())
                .current_dir(folder.path()),
            b"",
            None,
        );
        let code = ran.status.and_then(|status| status.code());
        if code.is_none_or(|code| !codes.contains(&code)) {
            wrong.push(format!("exit code {code:?}\n{attempt}\n{}", ran.err));
        }
        if ran.took > Duration::from_secs(10) {
            wrong.push(format!("it took {:?}\n{attempt}", ran.took));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn boards_of_one_or_two_ranks_are_boards() {
    end_with(&[
        ("turns series-helpmate 'K1k w - - 0 1'", &[0]),
        ("table build series-helpmate KvK --board 3x1", &[0]),
        ("perft blunder-mate 2 --fen 'k1**1K2 w - - 0 1'", &[0]),
        ("solve fide --fen 'K1k w - - 0 1' h#1", &[1]),
        ("solve fide --fen 'K2/2k w - - 0 1' h#1.5", &[1]),
    ]);
}

#[test]
fn tables_of_too_many_units_are_refused() {
    end_with(&[
        ("table build donnybrook KRRRRRRRRRRvK;return=R", &[2, 3]),
        ("table build reentrant KPPPPPPPPPPvK;hand=P/-/-/-", &[2, 3]),
        (
            "table build donnybrook KRRRRRRRRRRvK;return=R --board 7x2",
            &[2],
        ),
    ]);
}

#[test]
fn tables_beyond_memory_are_refused_before_the_plan_is_made() {
    end_with(&[
        ("table build fide KQRBNPPPvKQRB --memory 500M", &[2, 3]),
        (
            "table build fide KQRBNPPPvKQRB --memory 500M --board 16x8",
            &[2, 3],
        ),
    ]);
}

#[test]
fn time_ends_searches_of_slow_rule_sets() {
    end_with(&[
        (
            "solve series-helpmate --time 1 --threads 1 'hs-win 3'",
            &[3],
        ),
        (
            "solve french-revolution:ten-rows --time 1 --threads 1 'ser-s-win 3'",
            &[0, 1, 3],
        ),
        (
            "solve french-revolution:ten-rows --time 0.5 --threads 1 'ser-h-win 4'",
            &[3],
        ),
        (
            "solve entourage --fen '2r1k2r/3q1r2/2P3p1/2N4r/R6r/5p2/8/4K2R w Kk - 3 25' --time 1 'ser-h-win 5'",
            &[3],
        ),
        (
            "solve french-revolution:no-promotion ser-s+4 --threads 2 --time 1",
            &[0, 1, 3],
        ),
    ]);
}

#[test]
fn lines_are_counted_against_the_memory() {
    let attempt = Attempt {
        time: Some(Duration::from_secs(3)),
        memory_bytes: Some(50 << 20),
        ..Attempt::of(words("solve entourage 'h-win 99.5' --memory 50M --time 3"))
    };
    assert_eq!(attempt.run(), Told::Kept, "{attempt}");
}

#[test]
fn many_classes_take_a_moment_each() {
    end_with(&[("table build spartan:moves=300 KvK --board 2x4", &[0])]);
}

#[test]
fn threads_that_cannot_be_started_are_done_without() {
    use std::os::unix::process::CommandExt;
    for line in [
        "perft fide 3 --threads 64",
        "solve fide --fen '8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1' #2 --threads 64",
        "table build fide KvK --board 4x4 --threads 64",
        "explore fide --max-depth 2 --threads 64",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = program();
        command
            .args(words(line))
            .env("FAIRYPROOF_TABLES", folder.path());
        // Room for a few stacks of threads, not for 64.
        // Sound: setrlimit(2) is safe between fork and exec.
        unsafe {
            command.pre_exec(|| {
                let room = 700 << 20;
                let limit = libc::rlimit {
                    rlim_cur: room,
                    rlim_max: room,
                };
                libc::setrlimit(libc::RLIMIT_AS, &limit);
                Ok(())
            });
        }
        let ran = run(&mut command, b"", None);
        let code = ran.status.and_then(|status| status.code());
        assert!(matches!(code, Some(0 | 2 | 3)), "{line}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{line}: {}", ran.err);
    }
}

#[test]
fn a_search_for_puzzles_is_interrupted_within_a_candidate() {
    let attempt = Attempt::of(words(
        "puzzles mine french-revolution:ten-rows --stipulation 'ser-h-win 3' --units 12 --count 1000 --threads 2",
    ));
    assert_eq!(attempt.run(), Told::Kept, "{attempt}");
}

#[test]
fn a_report_is_interrupted_while_it_looks_for_an_ending_that_goes_on() {
    let attempt = Attempt::of(words("report endgames french-revolution --deep --out @"));
    assert_eq!(attempt.run(), Told::Kept, "{attempt}");
}

#[test]
fn trees_are_counted_against_the_memory() {
    let attempt = Attempt {
        memory_bytes: Some(64 << 20),
        ..Attempt::of(words("solve decastellation za14 --memory 64M"))
    };
    assert_eq!(attempt.run(), Told::Kept, "{attempt}");
}
