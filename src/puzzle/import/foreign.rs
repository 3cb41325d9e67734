//! Recognizes files in formats that are not imported, so that one message names the format.

/// A format by the beginning of a file: the marks with which such files begin, what the file is, and the remedy.
const BEGINNINGS: [(&[&str], &str, &str); 7] = [
    (
        &["[Event ", "[Site ", "[FEN "],
        "PGN",
        "`fairyproof play ID --games FILE` reads games",
    ),
    (
        &["[[puzzle]]"],
        "a puzzle file of this program",
        "`fairyproof puzzles FILE` solves and compares it",
    ),
    (&["{", "[{"], "JSON", READ),
    (&["<?xml", "<html", "<!DOCTYPE"], "XML or HTML", READ),
    (&["%PDF"], "PDF", READ),
    (
        &[
            "\u{1f}\u{8b}",
            "\u{28}\u{b5}\u{2f}\u{fd}",
            "PK\u{3}\u{4}",
            "BZh",
        ],
        "a compressed file",
        "unpack it first",
    ),
    (&["#!fairyproof", "\u{0}"], "a binary file", READ),
];

/// What is read.
const READ: &str = "EPD, Popeye input, and puzzle CSV with the columns FEN and Moves are imported";

/// Endings of file names, the program that writes such files, and the remedy.
const ENDINGS: [(&str, &str, &str); 5] = [
    (
        ".olv",
        "a collection of the program Olive (YAML)",
        "export it from Olive as Popeye input",
    ),
    (".cbv", "an archive of ChessBase", "export it as PGN"),
    (".cbh", "a database of ChessBase", "export it as PGN"),
    (".si4", "a database of Scid", "export it as PGN"),
    (
        ".pbm",
        "a collection of the program Problemiste",
        "export it as Popeye input",
    ),
];

/// Returns what a file in a foreign format is, and the remedy. Returns `None` for other files.
pub(super) fn format(name: &str, text: &str) -> Option<(&'static str, &'static str)> {
    let lower = name.to_ascii_lowercase();
    if let Some((_, what, remedy)) = ENDINGS.iter().find(|(end, ..)| lower.ends_with(end)) {
        return Some((what, remedy));
    }
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    // Olive's files are YAML documents with the pieces of each problem under `algebraic`.
    if start.starts_with("---") && (text.contains("algebraic:") || text.contains("stipulation:")) {
        return Some((ENDINGS[0].1, ENDINGS[0].2));
    }
    let begins = |marks: &&[&str]| marks.iter().any(|mark| start.starts_with(mark));
    if let Some((_, what, remedy)) = BEGINNINGS.iter().find(|(marks, ..)| begins(marks)) {
        return Some((what, remedy));
    }
    let header = text.lines().next().unwrap_or("");
    let columns = 1 + header.matches([',', '\t']).count();
    let is_table = columns > 2 && !header.starts_with('#') && !header.contains('/');
    is_table.then_some(("a table without the columns FEN and Moves", READ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_files_are_named() {
        for (name, text, told) in [
            ("a.olv", "", "Olive"),
            (
                "a",
                "---\nalgebraic:\n  white: [Kc3]\nstipulation: '#2'\n",
                "Olive",
            ),
            ("a", "[Event \"x\"]\n\n1. e4 *\n", "PGN"),
            ("a", "[[puzzle]]\nid = \"x\"\n", "puzzle file"),
            ("a.json", "{\"a\": 1}", "JSON"),
            ("a", "\u{feff}<?xml version='1.0'?>", "XML"),
            ("a", "name,value,more\n1,2,3\n", "without the columns"),
            ("a.gz", "\u{1f}\u{8b}\u{8}", "compressed"),
        ] {
            let (what, _) = format(name, text).expect(told);
            assert!(what.contains(told), "{name}: {what}");
        }
        for text in [
            "",
            "4k3/8/4K3/8/8/8/8/7R w - - dm 1;",
            "# a remark, with, commas\n4k3/8",
        ] {
            assert_eq!(format("a.epd", text), None, "{text}");
        }
    }
}
