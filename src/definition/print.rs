//! Prints definitions, as a list of all keys with their values or as a section that reads as an equal
//! definition.

use crate::clauses::{CONDITION, CONDITIONS, Clause, Layer};
use crate::keys::{Name, Sides, Take, Target, names};
use crate::resolver::{FIDE_TEXT, NoneCompiled, ROOTS, read};
use crate::slots;
use crate::{CastlingRights, Definition, PieceSet, PieceType, Region, Value};
use board::Square;
use std::sync::OnceLock;

/// Keys without which the start position cannot be read.
const FRAME: [&str; 5] = [
    "maxRank",
    "maxFile",
    "holes",
    "startFen",
    "promotedPieceType",
];

/// A key and its value.
pub type Line = (String, String);

impl Definition {
    /// Returns the keys with their values in this definition, in the order of the table. Keys of pieces, old
    /// names and names for several keys are not included.
    pub fn lines(&self) -> Vec<Line> {
        let mut fields = self.clone();
        let printed = names().iter().filter(|name| name.key.is_printed());
        printed
            // Instead of the name for both sides, the names for each side are printed.
            .filter(|name| name.key.sides == Sides::None || name.sides.len() == 1)
            .filter_map(|name| Some((name.text.clone(), self.value(name, &mut fields)?)))
            .collect()
    }

    /// Returns the value of a key as text, or `None` for a mobility region that restricts nothing. `fields`
    /// must be a copy of the definition.
    fn value(&self, name: &Name, fields: &mut Definition) -> Option<String> {
        let side = name.sides[0];
        if let Some(print) = name.key.print {
            return Some(print(self, side));
        }
        Some(match &name.key.take {
            Take::Bool(Target::Field(_, field)) => field(fields, side).to_string(),
            Take::Count(Target::Field(_, field)) => field(fields, side).to_string(),
            Take::Moves(Target::Field(_, field)) => field(fields, side).to_string(),
            Take::Rank(Target::Field(_, field)) => (*field(fields, side) + 1).to_string(),
            Take::File(Target::Field(_, field)) => file(*field(fields, side)),
            Take::Value(Target::Field(_, field)) => value(*field(fields, side)).to_owned(),
            Take::ValueOrNone(Target::Field(_, field)) => {
                field(fields, side).map_or("none", value).to_owned()
            }
            Take::Word(words, _, index) => words[index(self)].to_owned(),
            Take::Rights(Target::Field(_, field)) => rights(*field(fields, side)),
            Take::Piece(Target::Field(_, field)) => self.one(*field(fields, side)),
            Take::Pieces(Target::Field(_, field)) => self.letters_text(*field(fields, side)),
            Take::Squares(Target::Field(_, field)) => self.squares_text(*field(fields, side)),
            Take::Fen => self.start_fen.clone(),
            Take::Mobility => {
                let piece = self.named(&slots::name(name.slot))?;
                self.squares_text(self.pieces[piece.index()].mobility[side]?)
            }
            _ => return None,
        })
    }

    /// Returns a section with the parent `chess` that reads as this definition. The section contains only the
    /// keys that differ.
    pub fn section(&self) -> String {
        let mut text = String::new();
        let chess = chess();
        for piece in &chess.pieces {
            if self.named(&piece.name).is_none() {
                text.push_str(&format!("{} = -\n", piece.name));
            }
        }
        for piece in &self.pieces {
            let slot = slots::slot(&piece.name).unwrap_or_default();
            let letter = (piece.letter as char).to_ascii_lowercase();
            let own = chess.pieces.iter().find(|p| p.name == piece.name);
            let orthodox =
                own.is_some_and(|p| p.letter == piece.letter && p.movement == piece.movement);
            if orthodox {
                continue;
            }
            text.push_str(&match slots::is_written(slot) {
                true => format!("{} = {letter}:{}\n", piece.name, piece.movement),
                false => format!("{} = {letter}\n", piece.name),
            });
        }
        // The section with only the keys of the pieces and the board. Values that follow from these keys need
        // not be printed.
        let mut frame = format!("[frame:chess]\n{text}");
        let all = self.lines();
        let orthodox_lines = chess.lines();
        for (key, value) in &all {
            if FRAME.contains(&key.as_str()) {
                let differs = orthodox_lines.iter().all(|(k, v)| k != key || v != value);
                if differs {
                    frame.push_str(&format!("{key} = {}\n", without_states(key, value)));
                }
            }
        }
        // If the frame is not valid without the other keys, every key is printed.
        let plain = read(frame.as_bytes(), &NoneCompiled);
        let plain = plain
            .definitions()
            .next()
            .map(Definition::lines)
            .unwrap_or_default();
        for (key, value) in &all {
            let same = plain.iter().any(|line| line.0 == *key && line.1 == *value);
            let orthodox = orthodox_lines
                .iter()
                .any(|line| line.0 == *key && line.1 == *value);
            let frame = FRAME.contains(&key.as_str());
            // The frame's keys are printed if they differ from chess, others if the frame does not imply
            // them.
            let needed = if frame { !orthodox } else { !same };
            // The empty double-step regions, which are printed, imply `doubleStep = false`.
            let implied = key == "doubleStep" && self.pawns.double_step == [0; 2];
            if needed && !implied && !(value.is_empty()) {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
        // A section cannot have the name of orthodox chess.
        let root = if ROOTS.contains(&self.name.as_str()) {
            "own-"
        } else {
            ""
        };
        let parent = if self.has_fide_boards {
            FIDE_TEXT
        } else {
            "chess"
        };
        self.with_layers(&format!("{root}{}", self.name), parent, &text)
    }

    /// Returns the section with the clauses of the definition. Each further layer is a section of its own, because its
    /// clauses can name those of its parent.
    fn with_layers(&self, name: &str, parent: &str, keys: &str) -> String {
        let (conditions, chain): (Vec<&Layer>, Vec<&Layer>) =
            self.layers.iter().partition(|layer| layer.is_condition);
        let mut text = String::new();
        for condition in &conditions {
            let clauses = clauses_text(condition);
            text.push_str(&format!(
                "[{}]\n{CONDITION} = true\n{clauses}\n",
                condition.section
            ));
        }
        let (mut parent, mut keys) = (parent.to_owned(), keys.to_owned());
        for (n, layer) in chain.iter().enumerate() {
            keys.push_str(&clauses_text(layer));
            if n + 1 < chain.len() {
                text.push_str(&format!("[{}:{parent}]\n{keys}\n", layer.section));
                parent.clone_from(&layer.section);
                keys.clear();
            }
        }
        if !conditions.is_empty() {
            let names: Vec<&str> = conditions
                .iter()
                .map(|layer| layer.section.as_str())
                .collect();
            keys.push_str(&format!("{CONDITIONS} = {}\n", names.join(", ")));
        }
        text + &format!("[{name}:{parent}]\n{keys}")
    }

    fn letter(&self, piece: PieceType) -> char {
        (self.pieces[piece.index()].letter as char).to_ascii_lowercase()
    }

    fn one(&self, piece: Option<PieceType>) -> String {
        piece.map_or("*".into(), |p| self.letter(p).to_string())
    }

    /// Returns the letters of a set, or `-` for an empty set.
    pub fn letters_text(&self, set: PieceSet) -> String {
        match set.is_empty() {
            true => "-".into(),
            false => set.iter().map(|p| self.letter(p)).collect(),
        }
    }

    /// Returns the squares of a region, with whole ranks as `*4`, or `-` for an empty region.
    pub fn squares_text(&self, region: Region) -> String {
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let mut words = Vec::new();
        for rank in 0..ranks {
            let row: Vec<Square> = (0..files)
                .map(|file| self.board.square(file, rank))
                .filter(|&s| self.board.exists(s))
                .collect();
            let has = |s: &&Square| region >> s.0 & 1 == 1;
            let count = row.iter().filter(has).count();
            match count {
                0 => {}
                _ if count == row.len() => words.push(format!("*{}", rank + 1)),
                _ => words.extend(row.iter().filter(has).map(|&s| self.board.name(s))),
            }
        }
        match words.is_empty() {
            true => "-".into(),
            false => words.join(" "),
        }
    }

    /// Returns the holes of the board, or `-` if it has none.
    pub(crate) fn holes_text(&self) -> String {
        // `squares_text` names existing squares only.
        let names: Vec<String> = (0..self.board.len() as u8)
            .filter(|&i| self.board.holes() >> i & 1 == 1)
            .map(|i| self.board.name(Square(i)))
            .collect();
        match names.is_empty() {
            true => "-".into(),
            false => names.join(" "),
        }
    }

    pub(crate) fn synonyms_text(&self) -> String {
        let pair = |p: &crate::Piece| {
            let second = p.synonym?;
            Some(format!("{}:{}", p.letter as char, second as char).to_ascii_lowercase())
        };
        let words: Vec<String> = self.pieces.iter().filter_map(pair).collect();
        words.join(" ")
    }

    /// Returns the letters of the pieces that promote as pawns do, with the main pawn last, or `-` for an
    /// empty list.
    pub(crate) fn promotion_pawns_text(&self, side: usize) -> String {
        let mut list: Vec<PieceType> = self.promotion.pawns[side].iter().collect();
        if let Some(main) = self.promotion.main_pawn[side] {
            list.retain(|&p| p != main);
            list.push(main);
        }
        match list.is_empty() {
            true => "-".into(),
            false => list.iter().map(|&p| self.letter(p)).collect(),
        }
    }

    pub(crate) fn extinction_types_text(&self) -> String {
        let e = &self.extinction;
        let kinds = self.letters_text(e.types);
        match (e.total, e.types.is_empty()) {
            (true, true) => "*".into(),
            (true, false) => format!("*{kinds}"),
            (false, _) => kinds,
        }
    }

    pub(crate) fn limits_text(&self) -> String {
        let words: Vec<String> = (self.pieces.iter().zip(&self.promotion.limits))
            .filter(|&(_, &limit)| limit > 0)
            .map(|(p, limit)| format!("{}:{limit}", (p.letter as char).to_ascii_lowercase()))
            .collect();
        words.join(" ")
    }

    pub(crate) fn promoted_text(&self) -> String {
        let words: Vec<String> = (self.pieces.iter().zip(&self.promotion.promoted))
            .filter_map(|(p, to)| {
                let letter = (p.letter as char).to_ascii_lowercase();
                to.map(|to| format!("{letter}:{}", self.letter(to)))
            })
            .collect();
        words.join(" ")
    }
}

/// Returns orthodox chess as a definition.
///
/// # Panics
/// Never: orthodox chess has no errors.
pub fn chess() -> &'static Definition {
    static CHESS: OnceLock<Definition> = OnceLock::new();
    CHESS.get_or_init(|| {
        let book = read(b"[orthodox:chess]\n", &NoneCompiled);
        let definition = book.definitions().next().cloned();
        definition.expect("orthodox chess has no errors")
    })
}

fn file(file: u8) -> String {
    match file {
        0..26 => ((b'a' + file) as char).to_string(),
        _ => file.to_string(),
    }
}

fn value(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Loss => "loss",
        Value::Draw => "draw",
    }
}

fn rights(rights: CastlingRights) -> String {
    let letters = [
        ('K', rights.kingside[0]),
        ('Q', rights.queenside[0]),
        ('k', rights.kingside[1]),
        ('q', rights.queenside[1]),
    ];
    let text: String = letters.iter().filter(|l| l.1).map(|l| l.0).collect();
    match text.is_empty() {
        true => "-".into(),
        false => text,
    }
}

/// Returns the clauses of a layer as lines of a section.
fn clauses_text(layer: &Layer) -> String {
    let line = |clause: &Clause| format!("{} = {}\n", clause.key, clause.text);
    layer.clauses.iter().map(line).collect()
}

/// Returns the value of a key without the states of a start position, which a section without clauses cannot have.
fn without_states(key: &str, value: &str) -> String {
    let is_kept = |field: &&str| key != "startFen" || !field.contains('=');
    let fields: Vec<&str> = value.split(' ').filter(is_kept).collect();
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Book, library};
    use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

    fn again(definition: &Definition) -> (String, Book) {
        let text = definition.section();
        let book = read(text.as_bytes(), &NoneCompiled);
        (text, book)
    }

    /// Checks that a printed definition reads as an equal one, except for names, which printing may change.
    fn assert_same(definition: &Definition) {
        let (text, book) = again(definition);
        let read = book.definitions().next().cloned();
        let mut read = read.unwrap_or_else(|| panic!("{text}\n{:#?}", book.findings));
        read.parent = definition.parent.clone();
        read.name = definition.name.clone();
        read.written = definition.written.clone();
        assert_eq!(read, *definition, "{text}");
    }

    #[test]
    fn every_definition_of_the_library_prints_as_a_section_that_reads_the_same() {
        for definition in library().definitions() {
            assert_same(definition);
        }
    }

    #[test]
    fn orthodox_chess_is_an_empty_section() {
        assert_eq!(chess().section(), "[orthodox:chess]\n");
    }

    /// A section of random keys with values of the right type.
    #[derive(Clone, Debug)]
    struct Random(String);

    fn pick<T: Clone>(g: &mut Gen, list: &[T]) -> T {
        g.choose(list).expect("a list to choose from").clone()
    }

    fn below(g: &mut Gen, n: u32) -> u32 {
        u32::arbitrary(g) % n
    }

    fn betza(g: &mut Gen) -> String {
        let mut text = String::new();
        for _ in 0..1 + below(g, 3) {
            text.push_str(pick(g, &["", "", "m", "c", "i"]));
            text.push_str(pick(
                g,
                &[
                    "", "", "f", "b", "s", "v", "ff", "fs", "rl", "fr", "hl", "fb",
                ],
            ));
            text.push_str(pick(g, &["", "", "", "n", "p", "g"]));
            text.push_str(pick(
                g,
                &[
                    "W", "F", "D", "N", "A", "H", "C", "Z", "G", "K", "R", "B", "Q",
                ],
            ));
            text.push_str(pick(g, &["", "", "", "2", "5", "0"]));
        }
        text
    }

    fn squares(g: &mut Gen, files: u32, ranks: u32) -> String {
        let mut words = Vec::new();
        for _ in 0..below(g, 4) {
            let file = (b'a' + below(g, files) as u8) as char;
            let rank = 1 + below(g, ranks);
            words.push(match below(g, 3) {
                0 => format!("*{rank}"),
                1 => format!("{file}*"),
                _ => format!("{file}{rank}"),
            });
        }
        match words.is_empty() {
            true => "-".into(),
            false => words.join(" "),
        }
    }

    impl Arbitrary for Random {
        fn arbitrary(g: &mut Gen) -> Random {
            let (files, ranks) = (3 + below(g, 8), 3 + below(g, 8));
            let mut text = format!(
                "[a{}]\nmaxFile = {files}\nmaxRank = {ranks}\n",
                pick(g, &["", ":chess"])
            );
            let mut letters = Vec::new();
            for letter in b'a'..=b'z' {
                if below(g, 5) > 0 {
                    continue;
                }
                let letter = letter as char;
                letters.push(letter);
                let n = letters.len();
                text.push_str(&match below(g, 3) {
                    0 => format!("{} = {letter}\n", slots::name(below(g, 30) as usize)),
                    _ => format!("customPiece{n} = {letter}:{}\n", betza(g)),
                });
            }
            letters.push('-');
            let row = format!("{files}/");
            let rows = row.repeat(ranks as usize);
            text.push_str(&format!(
                "startFen = {} w - - 0 1\n",
                rows.trim_end_matches('/')
            ));
            for name in names() {
                let is_given = ["maxRank", "maxFile"].contains(&name.text.as_str());
                if is_given || below(g, 4) > 0 {
                    continue;
                }
                let value = match &name.key.take {
                    Take::Bool(_) => pick(g, &["true", "false"]).to_owned(),
                    Take::Count(_) => below(g, 12).to_string(),
                    Take::Moves(_) => below(g, 120).to_string(),
                    Take::Rank(_) => (1 + below(g, ranks)).to_string(),
                    Take::File(_) => (1 + below(g, files)).to_string(),
                    Take::Piece(_) => pick(g, &letters).to_string(),
                    Take::Pieces(_) => (0..1 + below(g, 3)).map(|_| pick(g, &letters)).collect(),
                    Take::Squares(_) => squares(g, files, ranks),
                    Take::Value(_) => pick(g, &["win", "loss", "draw"]).to_owned(),
                    Take::ValueOrNone(_) => pick(g, &["win", "loss", "draw", "none"]).to_owned(),
                    Take::Word(list, ..) => pick(g, list).to_owned(),
                    Take::Rights(_) => pick(g, &["-", "K", "Qk", "KQkq"]).to_owned(),
                    Take::Limits => format!("{}:{}", pick(g, &letters), below(g, 9)),
                    Take::Mapping => format!("{}:{}", pick(g, &letters), pick(g, &letters)),
                    Take::Synonyms | Take::Fen | Take::Cosmetic | Take::Letter | Take::Mobility => {
                        continue;
                    }
                };
                text.push_str(&format!("{} = {value}\n", name.text));
            }
            Random(text)
        }
    }

    #[test]
    fn random_definitions_print_as_sections_that_read_the_same() {
        fn property(random: Random) -> TestResult {
            let book = read(random.0.as_bytes(), &NoneCompiled);
            let Some(definition) = book.definitions().next() else {
                return TestResult::discard();
            };
            let mut definition = definition.clone();
            // A flag piece that the variant does not have is not printed, because it has no letter.
            if definition.flag.nobody != [false; 2] {
                definition.flag.nobody = [false; 2];
            }
            assert_same(&definition);
            TestResult::passed()
        }
        QuickCheck::new()
            .tests(150)
            .max_tests(60_000)
            .quickcheck(property as fn(Random) -> TestResult);
    }

    /// Lines of the library and a random section, with bytes changed, removed and repeated.
    #[derive(Clone, Debug)]
    struct Mutated(Vec<u8>);

    impl Arbitrary for Mutated {
        fn arbitrary(g: &mut Gen) -> Mutated {
            let library: Vec<&str> = crate::LIBRARY.lines().collect();
            let start = below(g, library.len() as u32) as usize;
            let end = (start + 1 + below(g, 40) as usize).min(library.len());
            let mut text = format!("[a:chess]\n{}\n", library[start..end].join("\n"));
            text.push_str(&Random::arbitrary(g).0);
            let mut bytes = text.into_bytes();
            for _ in 0..1 + below(g, 12) {
                let at = below(g, bytes.len() as u32) as usize;
                let other = below(g, bytes.len() as u32) as usize;
                match below(g, 5) {
                    0 => bytes[at] = u8::arbitrary(g),
                    1 => bytes[at] = bytes[other],
                    2 => bytes.insert(at, pick(g, b"[]:=*+-/0159aZ~\n\xff\xc3")),
                    3 => {
                        bytes.remove(at);
                    }
                    _ => {
                        let part = bytes[at.min(other)..at.max(other)].to_vec();
                        bytes.splice(at..at, part.into_iter().take(200));
                    }
                }
                if bytes.is_empty() {
                    bytes.push(b'[');
                }
            }
            Mutated(bytes)
        }
    }

    #[test]
    fn mutated_files_never_panic_and_errors_leave_no_definition() {
        fn property(file: Mutated) -> bool {
            let book = read(&file.0, &NoneCompiled);
            let errors =
                (book.findings.iter()).filter(|f| f.severity == diagnostics::Severity::Error);
            book.sections.iter().all(|s| {
                let name = &s.section.name.text;
                let mut errors = errors.clone();
                let error = errors.any(|f| f.what.is_empty() || f.what == *name);
                // Every definition can also be printed without a panic.
                let printed = s.definition.as_ref().map(Definition::section);
                s.definition.is_some() != error && printed.is_none_or(|t| !t.is_empty())
            })
        }
        QuickCheck::new()
            .tests(200)
            .quickcheck(property as fn(Mutated) -> bool);
    }
}
