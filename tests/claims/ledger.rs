//! The ledger as a whole: ids, threads, interrupts.

use crate::evidence::{check, listed};
use fairyproof::catalog::Catalog;
use fairyproof::claims::{self, Effort, Scope, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[test]
fn ids_are_unique_and_evidence_is_rectangular() {
    let all = claims::all();
    let ids: BTreeSet<&str> = all.iter().map(|c| c.id).collect();
    assert_eq!(ids.len(), all.len());
    for id in [
        "bachelor/sample-missed",
        "french-revolution/reduced-boards-2",
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
        "french-revolution/reduced-boards-4",
        "submission/example-2",
    ] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let effort = Effort {
                control: Effort::SMALL.control.with_threads(threads),
                ..Effort::SMALL
            };
            pool.expect("a pool").install(|| listed(id, &effort))
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
fn long_checks_are_named_by_their_claims() {
    let named: BTreeSet<&str> = claims::SLOWEST.into_iter().collect();
    let pages = claims::built_in_pages(&Arc::new(Catalog::new())).expect("the built-in pages");
    let filed = pages.iter().flat_map(|page| &page.file.entries);
    let compiled = claims::all().into_iter().map(|claim| claim.id);
    let all: BTreeSet<&str> = compiled
        .chain(filed.map(|entry| entry.id.as_str()))
        .collect();
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
