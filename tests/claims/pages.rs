//! The built-in claims files: ids, and what they state of every rule set.

use fairyproof::catalog::Catalog;
use fairyproof::claims::{self, Verdict};
use fairyproof::control::Control;
use fairyproof::variants;
use std::collections::BTreeSet;
use std::sync::Arc;

#[test]
fn every_rule_set_has_claims_about_its_array_and_its_ends() {
    let catalog = Arc::new(Catalog::new());
    let pages = claims::built_in_pages(&catalog).expect("the built-in pages");
    let entries = || pages.iter().flat_map(|page| &page.file.entries);
    let ids: BTreeSet<&str> = entries().map(|entry| entry.id.as_str()).collect();
    for info in variants::all() {
        for what in ["array-as-printed", "ends-as-written"] {
            let id = format!("{}/{what}", info.id);
            assert!(ids.contains(id.as_str()), "{id}");
        }
    }
    assert!(claims::all().iter().all(|claim| !ids.contains(claim.id)));
}

#[test]
fn arrays_and_examples_of_the_pages_are_confirmed() {
    let catalog = Arc::new(Catalog::new());
    for page in claims::built_in_pages(&catalog).expect("the built-in pages") {
        for entry in &page.file.entries {
            let quick = ["/array-as-printed", "/example", "/castling", "/promotions"];
            if quick.iter().any(|part| entry.id.contains(part)) && !entry.id.contains("chromopolis")
            {
                let finding = page.verify(entry, &Control::new()).expect("a verdict");
                // Two examples of the page are misprinted.
                let verdict = match entry.instances[0].claim.amend.is_empty() {
                    true => Verdict::Confirmed,
                    false => Verdict::ConfirmedAsAmended,
                };
                assert_eq!(
                    finding.verdict, verdict,
                    "{}: {}",
                    entry.id, finding.summary
                );
            }
        }
    }
}
