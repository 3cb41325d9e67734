//! `fairyproof rules`: a rule set's page and what its card adds.

use crate::run::{answer, holds};
use fairyproof::variants;

#[test]
fn rules_shows_the_page_and_what_follows_from_the_card() {
    let out = answer(&["rules", "bachelor"]);
    holds(
        &out,
        &[
            "# Bachelor Chess",
            "## Against FIDE",
            "## Rulings",
            "## Options\nNone.",
            "## State",
            "* `marriage`: ",
            "`rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1`",
            "6  r n n k b b r\n",
            "There are 11 legal turns at the start. After `a2a3`:",
        ],
    );
}

#[test]
fn every_variant_has_its_pages_and_a_start_that_reads() {
    for card in variants::all() {
        let page = answer(&["rules", card.id]);
        holds(&page, &["# ", "## Outcomes", "## Start", "## Example"]);
        for (reason, _) in card.reasons {
            holds(&page, &[&format!("* `{reason}`: ")]);
        }
        for (key, _) in card.state {
            holds(&page, &[&format!("* `{key}=`: ")]);
        }
        for option in card.options {
            holds(&page, &[&format!("* `{}:{}", card.id, option.name)]);
        }
        let start = answer(&["start", card.id]);
        assert_eq!(
            answer(&["play", card.id, "--fen", start.trim()])
                .lines()
                .next(),
            Some(start.trim())
        );
        assert_eq!(answer(&["perft", card.id, "0"]), "1\n");
    }
}

#[test]
fn options_stand_there_once_and_links_are_names() {
    for id in ["spartan", "french-revolution"] {
        let page = answer(&["rules", id]);
        assert_eq!(page.matches("## Options").count(), 1, "{page}");
        assert!(!page.contains("[`") && !page.contains("`]"), "{page}");
    }
}
