//! A definition in words: its differences from orthodox chess, its pieces, the ends of its games, and the
//! rules that are left out.

use crate::clauses::{Clause, ClauseKey, Layer, clause_key};
use crate::keys::{Key, Name, Sides, TABLE, Words, names};
use crate::print::chess;
use crate::words::join;
use crate::{Definition, PieceSet};
use std::fmt::Write;

/// How the definition of orthodox chess differs from its compiled rule set. Parents of other sections keep as
/// many rules as their board allows.
const AGAINST_FIDE_ON_SMALL_BOARDS: &str = "otherwise than `fide`, which has the double step on six or more ranks only, and castling on eight files \
     only, this definition keeps both on smaller boards";

impl Definition {
    /// Returns the differences from orthodox chess in the order of the table of keys, each as the rule of
    /// FIDE's laws and the rule here. Pieces and goals are not included.
    pub fn differences(&self) -> Vec<(&'static str, String)> {
        let orthodox = chess();
        let mut clauses = Vec::new();
        if self.board.size() != orthodox.board.size() {
            clauses.push(("8x8", format!("{}, files by ranks", self.board.size())));
        }
        let (old, new) = (orthodox.lines(), self.lines());
        let value = |name: &str| new.iter().find(|(key, _)| key == name);
        let is_same = |name: &str, value: &str| old.iter().any(|(k, v)| k == name && v == value);
        let is_told = |key: &&Key| key.is_printed() && key.is_idle.is_none_or(|idle| !idle(self));
        for key in TABLE.iter().filter(is_told) {
            let differing: Vec<(&Name, &str)> = names()
                .iter()
                .filter(|name| std::ptr::eq(name.key, key))
                .filter_map(|name| Some((name, value(&name.text)?.1.as_str())))
                .filter(|(name, value)| !is_same(&name.text, value))
                .collect();
            let sides = ["White", "Black"].map(|side| value(&format!("{}{side}", key.name)));
            let both = match (sides, key.sides, differing.is_empty()) {
                ([Some(white), Some(black)], Sides::Each | Sides::BothAndEach, false) => {
                    self.clause_for_both(key, &white.1, &black.1)
                }
                _ => None,
            };
            match both {
                Some(clause) => clauses.push((key.fide, clause)),
                None => clauses.extend(
                    (differing.iter())
                        .filter_map(|(name, value)| Some((key.fide, self.clause(name, value)?))),
                ),
            }
        }
        clauses
    }

    /// Returns one sentence on the values of both sides, or `None` if each side needs its own.
    fn clause_for_both(&self, key: &Key, white: &str, black: &str) -> Option<String> {
        let is_same = white == black;
        match key.words {
            Words::SideSquares(_, Some(none)) if white == "-" && black == "-" => Some(none.into()),
            Words::SideSquares(both, _) => {
                Some(both.replace("{white}", white).replace("{black}", black))
            }
            Words::SideNames(_, Some((value, sentence)), _) if is_same && white == value => {
                Some(sentence.into())
            }
            Words::SideNames(both, ..) if is_same => {
                Some(both.replace("{}", &self.named_letters(white)))
            }
            Words::SideFlags(both, _) if is_same => Some(both.into()),
            _ => None,
        }
    }

    /// Returns a sentence on the value of one key, or `None` if another key or the list of goals describes
    /// the rule.
    fn clause(&self, name: &Name, value: &str) -> Option<String> {
        let side = if name.sides == [1] { "Black" } else { "White" };
        let filled = |sentence: &str, value: &str| {
            Some(sentence.replace("{side}", side).replace("{}", value))
        };
        match name.key.words {
            Words::Elsewhere => None,
            Words::Says(sentence) | Words::SideSquares(sentence, _) => filled(sentence, value),
            Words::Names(sentence) | Words::SideNames(_, _, sentence) => {
                filled(sentence, &self.named_letters(value))
            }
            Words::YesNo(yes, no) => Some(if value == "true" { yes } else { no }.to_owned()),
            Words::Of(words) => words(self, value),
            Words::SideFlags(_, sentence) => filled(sentence, value),
            Words::SidePiece(sentence) => {
                let piece = spaced(&crate::slots::name(name.slot));
                filled(&sentence.replace("{piece}", &piece), value)
            }
        }
    }

    /// Returns the names of the pieces with these letters, as a list in words.
    pub(crate) fn named_letters(&self, letters: &str) -> String {
        let names: Vec<String> = (letters.bytes())
            .map(|l| match self.piece_of(l) {
                Some(piece) => self.called(piece.index()),
                None if l == b'*' => "any".into(),
                None => "none".into(),
            })
            .collect();
        join(&names)
    }

    /// Returns a piece's name in words, or the letter of a custom piece.
    pub(crate) fn called(&self, index: usize) -> String {
        let piece = &self.pieces[index];
        match piece.name.starts_with("customPiece") {
            true => (piece.letter as char).to_string(),
            false => spaced(&piece.name),
        }
    }

    pub(crate) fn called_set(&self, set: PieceSet) -> String {
        let names: Vec<String> = set.iter().map(|p| self.called(p.index())).collect();
        match names.as_slice() {
            [one, other] => format!("{one} and {other}"),
            _ => join(&names),
        }
    }

    /// Returns the differences from orthodox chess in one line, without the start position.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        let orthodox = chess();
        let new = self.other_pieces();
        if !new.is_empty() {
            parts.push(format!("pieces: {}", new.join(", ")));
        }
        let differences = self.differences();
        let is_short = |d: &(&str, String)| !d.1.starts_with("start: ");
        parts.extend(
            differences
                .into_iter()
                .filter(is_short)
                .map(|(_, here)| here),
        );
        let goals = orthodox.goals();
        parts.extend(
            self.goals()
                .into_iter()
                .filter(|goal| !goals.contains(goal)),
        );
        parts.extend(self.clauses_in_short());
        match parts.is_empty() {
            true => "orthodox chess".into(),
            false => parts.join("; "),
        }
    }

    /// Returns the page of the rule book in Markdown. Options, state, outcomes and an example are not
    /// included: they depend on the compiled rule set.
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}.\n\n", self.name, self.summary());
        if let Some(parent) = &self.parent {
            let _ = write!(page, "A definition with the parent `{parent}`.\n\n");
        }
        let _ = write!(
            page,
            "## Against FIDE\n| FIDE | {} |\n|---|---|\n",
            self.name
        );
        let orthodox = chess().goals();
        let own_goals: Vec<String> = self.goals();
        let differences = self.differences();
        for (fide, here) in &differences {
            let _ = writeln!(page, "| {fide} | {here} |");
        }
        let pieces = self.piece_differences();
        let has_clauses = !self.layers.is_empty();
        if pieces.is_empty() && differences.is_empty() && own_goals == orthodox && !has_clauses {
            page.push_str("| all | the same |\n");
        }
        for (fide, here) in &pieces {
            let _ = writeln!(page, "| {fide} | {here} |");
        }
        for goal in own_goals.iter().filter(|goal| !orthodox.contains(goal)) {
            let _ = writeln!(page, "| checkmate wins, stalemate is a draw | {goal} |");
        }
        for (about, clause) in self.clause_differences() {
            let _ = writeln!(page, "| {about} | {clause} |");
        }
        page.push_str("\n## Pieces\n| letter | piece | Betza | movement |\n|---|---|---|---|\n");
        for piece in &self.pieces {
            let _ = writeln!(
                page,
                "| {} | {} | `{}` | {} |",
                piece.letter as char,
                spaced(&piece.name),
                piece.movement,
                piece.movement.words()
            );
        }
        list(&mut page, "Goals", &own_goals);
        let clauses: Vec<String> = self.clause_texts();
        if !clauses.is_empty() {
            list(&mut page, "Clauses", &clauses);
        }
        let carrying =
            "On smaller boards\nHow regions are carried over to boards with fewer files or ranks:";
        let left_out = "Left out\nRules on the game's past, which a position does not have:";
        let quoted = |rule| format!("`{rule}`");
        let left: Vec<String> = self.left_out().into_iter().map(quoted).collect();
        let mut carried = self.carrying();
        if self.name == "chess" {
            carried.push(AGAINST_FIDE_ON_SMALL_BOARDS.to_owned());
        }
        for (title, lines) in [(carrying, carried), (left_out, left)] {
            if !lines.is_empty() {
                list(&mut page, title, &lines);
            }
        }
        page
    }

    /// Returns the clauses that are played, each with its section: of those with the same key in a section and its
    /// ancestors the last, and those of conditions.
    fn played_clauses(&self) -> Vec<(&'static ClauseKey, &Layer, &Clause)> {
        let mut played: Vec<(&'static ClauseKey, &Layer, &Clause)> = Vec::new();
        for layer in &self.layers {
            for clause in &layer.clauses {
                let Some((row, _)) = clause_key(&clause.key) else {
                    continue;
                };
                let is_replaced = |known: &(&ClauseKey, &Layer, &Clause)| {
                    known.2.key == clause.key && !layer.is_condition && !known.1.is_condition
                };
                played.retain(|known| !is_replaced(known));
                played.push((row, layer, clause));
            }
        }
        played
    }

    /// Returns the clauses in one line, or `None` without clauses.
    fn clauses_in_short(&self) -> Option<String> {
        let mut keys: Vec<&str> = Vec::new();
        for (_, _, clause) in self.played_clauses() {
            if !clause.key.starts_with("let.") && !keys.contains(&clause.key.as_str()) {
                keys.push(&clause.key);
            }
        }
        (!keys.is_empty()).then(|| format!("clauses: {}", keys.join(", ")))
    }

    /// Returns the clauses as differences from orthodox chess: what each is about, and its meaning.
    fn clause_differences(&self) -> Vec<(String, String)> {
        let played = self.played_clauses().into_iter();
        let told = played.filter(|(row, ..)| !["let", "state", "options"].contains(&row.name));
        told.map(|(row, _, clause)| {
            (
                row.about.to_owned(),
                format!("`{}`: {}", clause.key, row.meaning),
            )
        })
        .collect()
    }

    /// Returns the clauses with their meaning and text.
    fn clause_texts(&self) -> Vec<String> {
        let text = |(row, layer, clause): (&ClauseKey, &Layer, &Clause)| {
            let of = match layer.section == self.name {
                true => String::new(),
                false => format!(" (of `{}`)", layer.section),
            };
            let lines: Vec<&str> = clause.text.lines().map(str::trim).collect();
            format!(
                "{}{of}: `{} = {}`",
                row.meaning,
                clause.key,
                lines.join(" ")
            )
        };
        self.played_clauses().into_iter().map(text).collect()
    }

    /// Returns the names of pieces that orthodox chess does not have, or that have another letter or movement
    /// there.
    fn other_pieces(&self) -> Vec<String> {
        let is_orthodox = |p: &crate::Piece| {
            let mut orthodox = chess().pieces.iter();
            orthodox.any(|o| o.letter == p.letter && o.movement == p.movement)
        };
        (self.pieces.iter().enumerate())
            .filter(|(_, piece)| !is_orthodox(piece))
            .map(|(index, piece)| {
                let is_redefined = chess().named(&piece.name).is_some_and(|orthodox| {
                    chess().pieces[orthodox.index()].movement != piece.movement
                });
                match is_redefined || piece.name.starts_with("customPiece") {
                    true => format!("{} ({})", self.called(index), piece.movement),
                    false => self.called(index),
                }
            })
            .collect()
    }

    /// Returns the differences from the orthodox pieces, each as the orthodox rule and the rule here: missing
    /// pieces, other movements, other letters and additional pieces.
    fn piece_differences(&self) -> Vec<(String, String)> {
        let mut clauses = Vec::new();
        for orthodox in &chess().pieces {
            let name = &orthodox.name;
            let Some(piece) = self.named(name).map(|piece| &self.pieces[piece.index()]) else {
                clauses.push((format!("a {name}"), format!("no {name}")));
                continue;
            };
            if piece.movement != orthodox.movement {
                let (old, new) = (&orthodox.movement, &piece.movement);
                clauses.push((format!("{name}: `{old}`"), format!("{name}: `{new}`")));
            }
            if piece.letter != orthodox.letter {
                let [old, new] = [orthodox, piece].map(|p| p.letter as char);
                clauses.push((
                    format!("{name}: letter {old}"),
                    format!("{name}: letter {new}"),
                ));
            }
        }
        let other = (self.pieces.iter().enumerate())
            .filter(|(_, piece)| chess().named(&piece.name).is_none())
            .map(
                |(index, piece)| match piece.name.starts_with("customPiece") {
                    true => format!("{} ({})", self.called(index), piece.movement),
                    false => self.called(index),
                },
            );
        let other: Vec<String> = other.collect();
        if !other.is_empty() {
            clauses.push(("no other pieces".to_owned(), other.join(", ")));
        }
        clauses
    }
}

fn list(page: &mut String, title: &str, lines: &[String]) {
    let _ = write!(page, "\n## {title}\n");
    for line in lines {
        let _ = writeln!(page, "* {line}");
    }
}

/// Returns a name in words: `dragonHorse` as `dragon horse`, `customPiece1` as `custom piece 1`.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    let mut digits = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() || (c.is_ascii_digit() && !digits) {
            text.push(' ');
        }
        digits = c.is_ascii_digit();
        text.push(c.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::{NoneCompiled, chess, library, read};

    #[test]
    fn orthodox_chess_differs_in_nothing() {
        assert_eq!(chess().differences(), []);
        assert_eq!(chess().summary(), "orthodox chess");
    }

    #[test]
    fn every_key_that_differs_in_the_library_is_said_in_words() {
        for definition in library().definitions() {
            for (_, clause) in definition.differences() {
                assert!(!clause.contains(" = "), "[{}] {clause}", definition.name);
            }
            assert!(definition.page().contains("## Goals"));
        }
    }

    #[test]
    fn a_king_that_can_follow_delays_only_the_win_of_white() {
        let library = library();
        let racing = library.definitions().find(|d| d.name == "racingkings");
        let goals = racing.unwrap().goals();
        let white = "White wins with king on *8, unless Black, not in check, can go to its own region with its \
                     king: then after one more turn of Black, and if Black goes there, the game is a draw";
        assert_eq!(goals[..2], [white, "Black wins with king on *8"]);
    }

    #[test]
    fn connected_regions_are_a_goal() {
        let text = "[chain:chess]\nconnectRegion1White = *1\nconnectRegion2White = *8\n";
        let book = read(text.as_bytes(), &NoneCompiled);
        let goals = book.definitions().next().unwrap().goals();
        let chain = "a chain of White's units from *1 to *8: White wins";
        assert!(goals.iter().any(|goal| goal == chain), "{goals:?}");
        assert!(
            goals.iter().all(|goal| !goal.contains("Black's")),
            "{goals:?}"
        );
    }

    #[test]
    fn redefined_and_missing_pieces_are_named() {
        let text = "[a:chess]\nking = k:KN\nqueen = -\nrook = t\npromotionPieceTypes = n\n\
                    startFen = tnb1kbnt/pppppppp/8/8/8/8/PPPPPPPP/TNB1KBNT w - - 0 1\n";
        let book = read(text.as_bytes(), &NoneCompiled);
        let page = book.definitions().next().unwrap().page();
        for row in [
            "| king: `K` | king: `KN` |",
            "| a queen | no queen |",
            "| rook: letter R | rook: letter T |",
        ] {
            assert!(page.contains(row), "{row}\n{page}");
        }
        assert!(!page.contains("orthodox pieces"), "{page}");
    }

    #[test]
    fn the_page_of_a_small_variant() {
        let text = "[hill:chess]\ncastling = false\ncustomPiece1 = c:mRcpR\nflagPiece = k\nflagRegion = d4 e4\n";
        let book = read(text.as_bytes(), &NoneCompiled);
        let page = book.definitions().next().unwrap().page();
        for words in [
            "# hill\n",
            "| castling: king two squares towards a rook | no castling |",
            "| no other pieces | C (mRcpR) |",
            "| C | custom piece 1 | `mRcpR` | moves without capturing by sliding like a rook, and captures by jumping",
            "* White wins with king on d4 e4",
            "* checkmate: the side mated loses",
            "* `nFoldRule = 3`",
        ] {
            assert!(page.contains(words), "{words}\n{page}");
        }
    }
}
