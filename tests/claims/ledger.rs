//! The ledger as a whole: ids, threads, interrupts, and the lines in the
//! evidence, which are replayed.

use crate::evidence::{check, column};
use fairyproof::catalog::Catalog;
use fairyproof::claims::{self, Effort, Scope, Shared, Verdict};
use fairyproof::notation::{Setup, turns};
use fairyproof::with_setup;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

#[test]
fn ids_are_unique_and_evidence_is_rectangular() {
    let all = claims::all();
    let ids: BTreeSet<&str> = all.iter().map(|c| c.id).collect();
    assert_eq!(ids.len(), all.len());
    for id in [
        "bachelor/sample-missed",
        "convergent/weaker",
        "spartan/match",
    ] {
        let finding = check(id);
        let width = finding.evidence.columns.len();
        assert!(!finding.evidence.rows.is_empty(), "{id}");
        assert!(
            finding.evidence.rows.iter().all(|row| row.len() == width),
            "{id}"
        );
        assert!(finding.scope != Scope::Sample || finding.verdict != Verdict::Confirmed);
    }
}

#[test]
fn findings_do_not_depend_on_threads() {
    for id in [
        "bachelor/no-married-check",
        "convergent/intruder-mates",
        "french-revolution/24-tight",
        "french-revolution/32-turns",
    ] {
        let claim = claims::all().into_iter().find(|c| c.id == id).expect(id);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let effort = Effort {
                control: Effort::SMALL.control.with_threads(threads),
                ..Effort::SMALL
            };
            pool.expect("a pool").install(|| (claim.check)(&effort))
        };
        // Others have been made on all processors.
        let many = match rayon::current_num_threads() {
            1 => on(3),
            _ => check(id),
        };
        assert_eq!(on(1), many, "{id}");
    }
}

#[test]
fn findings_do_not_depend_on_what_checks_share() {
    let shared = Shared::default();
    let effort = Effort {
        shared: Some(&shared),
        ..Effort::SMALL
    };
    for id in [
        "french-revolution/32-turns",
        "french-revolution/avalanche",
        "french-revolution/pawn-steps",
    ] {
        let claim = claims::all().into_iter().find(|c| c.id == id).expect(id);
        assert_eq!((claim.check)(&effort), check(id), "{id}");
    }
}

#[test]
fn long_checks_are_named_by_their_claims() {
    let named: BTreeSet<&str> = claims::SLOWEST.into_iter().collect();
    let all: BTreeSet<&str> = claims::all().iter().map(|c| c.id).collect();
    assert_eq!(named.len(), claims::SLOWEST.len());
    assert!(named.is_subset(&all));
}

#[test]
fn stopped_checks_end_soon() {
    let stop = AtomicBool::new(true);
    let effort = Effort {
        control: Effort::SMALL.control.with_stop(&stop),
        ..Effort::SMALL
    };
    let begun = std::time::Instant::now();
    for claim in claims::all() {
        (claim.check)(&effort);
    }
    assert!(begun.elapsed().as_secs() < 60);
}

#[test]
fn lines_in_the_evidence_replay_with_the_program() {
    for (id, named) in [
        ("bachelor/sample-legal", false),
        ("french-revolution/32-tight", true),
    ] {
        let evidence = check(id).evidence;
        let lines = column(&evidence, "turns");
        for (row, fen) in column(&evidence, "fen").iter().enumerate() {
            let variant = match named {
                true => column(&evidence, "variant")[row].clone(),
                false => "bachelor".to_string(),
            };
            let setup =
                Setup::read(&Catalog::new().open(&variant).expect("an id"), Some(fen)).expect(fen);
            with_setup!(setup, start => {
                let mut p = start.position;
                for (i, text) in lines[row].split(' ').enumerate() {
                    let turn = turns::find(start.game.as_ref(), &p, text, i + 1).expect(text);
                    p = start.game.play(&p, &turn);
                }
                assert_eq!(!named, start.game.outcome(&p).reason() == Some("marriage"));
            });
        }
    }
}
