//! The bounds of 24 and 32 turns: a proof by the ranking, graphs of reduced boards beside it.

use super::graphs::{GRAPH_COLUMNS, graphs, measured};
use super::ranking::proof;
use super::reduced::{Reduced, reduced};
use super::{PLAIN, PUSHED, variants};
use crate::{Effort, Evidence, Finding, Scope, Verdict};

/// Returns the bound: proof by the ranking function, graphs of reduced boards beside it.
fn bounded(
    ids: &[String],
    bound: u32,
    boards: &[Reduced],
    effort: &Effort,
) -> (bool, String, Vec<Vec<String>>) {
    let proof = proof(ids, bound, effort);
    let measured = measured(boards, &graphs(boards, effort));
    let text = format!(
        "at most {bound} turns of each side in {} variants: {}. {}",
        ids.len(),
        proof.text(),
        measured.text
    );
    (proof.holds && measured.holds, text, measured.rows)
}

/// Files times steps up to which boards are tried, for kings alone and with a piece.
fn sizes(effort: &Effort) -> (usize, usize) {
    if effort.deep { (9, 6) } else { (6, 4) }
}

pub(super) fn longest(ten: bool, bound: u32, effort: &Effort) -> Finding {
    let ids = variants(|set| set.contains(&"ten-rows") == ten);
    let (most, with_pieces) = sizes(effort);
    let boards = if ten {
        reduced(&PLAIN, 9..=10, most.max(8), with_pieces)
    } else {
        reduced(&PLAIN, 4..=8, most, with_pieces)
    };
    let (holds, summary, rows) = bounded(&ids, bound, &boards, effort);
    let mut evidence = Evidence::new(&GRAPH_COLUMNS);
    evidence.rows = rows;
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Proof,
        summary: format!("a turn is one of each side; {summary}"),
        evidence,
    }
}

pub(super) fn avalanche(effort: &Effort) -> Finding {
    let (most, with_pieces) = sizes(effort);
    let mut evidence = Evidence::new(&GRAPH_COLUMNS);
    let (mut holds, mut texts) = (true, Vec::new());
    for (ten, bound) in [(false, 24), (true, 32)] {
        let ids = variants(|set| set.contains(&"avalanche") && set.contains(&"ten-rows") == ten);
        let boards = if ten {
            reduced(&PUSHED, 9..=10, most.max(8), with_pieces)
        } else {
            reduced(&PUSHED, 4..=8, most, with_pieces)
        };
        let (held, text, rows) = bounded(&ids, bound, &boards, effort);
        holds &= held;
        texts.push(text);
        evidence.rows.extend(rows);
    }
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Proof,
        summary: format!(
            "a turn of one side takes a pawn step of the other; {}",
            texts.join(". ")
        ),
        evidence,
    }
}
