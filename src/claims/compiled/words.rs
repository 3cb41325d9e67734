//! GOAL variants: the length of the descriptions.
//!
//! Compiled because the claim is about the page's text, not about positions. The page dedicates the
//! descriptions to the public domain; `goal-descriptions.txt` contains one description on each line, as
//! printed.

use crate::{Effort, Evidence, Finding};

/// The descriptions, one on each line.
pub const DESCRIPTIONS: &str = include_str!("goal-descriptions.txt");
/// The maximum number of words that the page allows for a description.
const MAX_WORDS: usize = 400;

/// Checks the length of every description.
pub(super) fn check(_: &Effort) -> Finding {
    counted(DESCRIPTIONS)
}

/// Counts the words of descriptions that are written one on each line.
pub fn counted(descriptions: &str) -> Finding {
    let mut evidence = Evidence::new(&["variant", "words"]);
    let mut longest = ("", 0);
    for description in descriptions.lines() {
        let name = description.split(" Chess ").next().unwrap_or_default();
        let words = description.split_whitespace().count();
        evidence.row([name, &words.to_string()]);
        if words > longest.1 {
            longest = (name, words);
        }
    }
    let summary = format!(
        "{} descriptions; the longest, of {}, has {} words; {MAX_WORDS} are allowed",
        evidence.rows.len(),
        longest.0,
        longest.1
    );
    let holds = !evidence.rows.is_empty() && longest.1 <= MAX_WORDS;
    Finding::exhaustive(holds, summary, evidence)
}
