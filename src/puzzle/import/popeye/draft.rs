//! Collects the statements of one problem and converts them to one or more puzzles.

mod twins;

use super::super::Imported;
use super::words::{COLORS, KEYWORDS, Keyword, TWINNINGS, TokenReader, Word};
use diagnostics::whole_number;
use diagnostics::{Diagnostic, nearest};

/// Options about printing or effort. They change neither the question nor its answer.
const IDLE: [Keyword; 11] = [
    ["variations", "varianten", "variantes"],
    ["nothreat", "ohnedrohung", "sansmenace"],
    [
        "noshortvariations",
        "ohnekurzvarianten",
        "sansvariantescourtes",
    ],
    ["noboard", "ohnebrett", "sansechiquier"],
    ["movenumbers", "zugnummern", "trace"],
    ["maxtime", "maxzeit", "maxtemps"],
    ["beep", "pieps", "bip"],
    ["suppressgrid", "suppressgrid", "suppressgrid"],
    ["writegrid", "writegrid", "writegrid"],
    ["keepmatingpiece", "keepmatingpiece", "keepmatingpiece"],
    ["intelligent", "intelligent", "intelligent"],
];

/// Options that print more, or only a part of the answer. An aside records the request.
const NOTED: [Keyword; 4] = [
    ["try", "verfuehrung", "essais"],
    ["defence", "widerlegung", "defense"],
    ["startmovenumber", "startzugnummer", "enroute"],
    ["maxsolutions", "maxloesungen", "maxsolutions"],
];

/// Options that a number must follow.
const NUMBERED: [&str; 4] = ["startmovenumber", "maxtime", "maxsolutions", "defence"];

/// Options that a number may follow.
const MAYBE_NUMBERED: [&str; 2] = ["intelligent", "beep"];

/// Options that change the position or the stipulation and are supported.
const FOLLOWED: [Keyword; 6] = [
    ["halfduplex", "halbduplex", "demiduplex"],
    ["duplex", "duplex", "duplex"],
    ["whitetoplay", "weissbeginnt", "apparentseul"],
    ["enpassant", "enpassant", "enpassant"],
    ["nocastling", "keinerochade", "sansroquer"],
    ["setplay", "satzspiel", "apparent"],
];

/// Options that change the question in a way that no stipulation of this program expresses.
const REFUSED: [Keyword; 11] = [
    ["quodlibet", "quodlibet", "quodlibet"],
    ["postkeyplay", "nachschluessel", "aprescle"],
    ["maxflightsquares", "maxfluchtfelder", "maxcasesfuites"],
    ["nontrivial", "nichttrivial", "nontrivial"],
    ["threat", "drohung", "menace"],
    ["goalisend", "zielistende", "butestfin"],
    ["lastcapture", "letzterschlag", "derniereprise"],
    [
        "stoponshortsolutions",
        "stopnachkurzloesungen",
        "finapressolutionscourtes",
    ],
    [
        "castlingmutuallyexclusive",
        "castlingmutuallyexclusive",
        "castlingmutuallyexclusive",
    ],
    ["nowk", "ohnewk", "sansrb"],
    ["nobk", "ohnesk", "sansrn"],
];

/// The condition that some squares do not exist.
const HOLES: Keyword = ["holes", "loecher", "trous"];

/// The minimum length of the shortened name of that condition: shorter ones fit other conditions too.
const MIN_HOLES_LETTERS: usize = 3;

/// A problem that is being read.
#[derive(Clone)]
pub(super) struct Draft {
    /// FEN letters, rank by rank from a1; a blank for a vacant square.
    board: [u8; 64],
    placed: bool,
    stipulation: Option<String>,
    notes: Vec<String>,
    remarks: Vec<String>,
    /// Whether the other side begins (`HalfDuplex`).
    swapped: bool,
    duplex: bool,
    /// Whether White begins help play that Black would usually begin (`WhiteToPlay`).
    white: bool,
    set_play: bool,
    /// Requests that a puzzle file cannot express.
    asides: Vec<String>,
    en_passant: Option<usize>,
    no_castling: Vec<usize>,
    /// Squares that do not exist (`Condition Holes`).
    holes: Vec<usize>,
    /// The commands that created this twin; empty for the first position.
    made: String,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            board: [b' '; 64],
            placed: false,
            stipulation: None,
            notes: Vec::new(),
            remarks: Vec::new(),
            swapped: false,
            duplex: false,
            white: false,
            set_play: false,
            asides: Vec::new(),
            en_passant: None,
            no_castling: Vec::new(),
            holes: Vec::new(),
            made: String::new(),
        }
    }
}

fn wrong(word: Word<'_>, why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("Popeye input", why).at(format!("line {}", word.line))
}

/// Returns the index of a square, counted from a1.
fn square(name: &str) -> Option<usize> {
    match name.to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
        }
        _ => None,
    }
}

/// Returns the indices of squares that are written together, such as `e3` or `e2e3e4`.
fn squares(names: &str) -> Option<Vec<usize>> {
    let names = names.as_bytes().chunks(2);
    names
        .map(|name| square(std::str::from_utf8(name).ok()?))
        .collect()
}

/// Returns the FEN letter of a piece, given its name in the input's language.
fn letter(name: &str, reader: &TokenReader<'_>) -> Option<u8> {
    let mut chars = name.chars();
    let (Some(one), None) = (chars.next(), chars.next()) else {
        return None;
    };
    let mut letters = reader.language.letters().chars();
    let place = letters.position(|l| l == one.to_ascii_uppercase());
    place.map(|place| b"KQRBNP"[place])
}

/// Returns the names of the supported pieces, for messages.
fn orthodox(reader: &TokenReader<'_>) -> String {
    let letters: Vec<String> = reader
        .language
        .letters()
        .chars()
        .map(String::from)
        .collect();
    let [k, q, r, b, n, p] = letters.as_slice() else {
        return String::new();
    };
    format!("orthodox pieces alone: {k} {q} {r} {b} {n} {p} ({n} is a knight)")
}

impl Draft {
    /// Reads the text that belongs to a keyword.
    ///
    /// # Errors
    /// If `word` is not a keyword, or its text cannot be imported. The error names the line.
    pub(super) fn take(
        &mut self,
        known: Option<&str>,
        word: Word<'_>,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), Diagnostic> {
        match known {
            Some("stipulation") => {
                self.stipulation = Some(stipulation(word, reader)?);
                Ok(())
            }
            Some("author" | "origin" | "title" | "award") => {
                self.notes.push(reader.rest().to_string());
                Ok(())
            }
            Some("remark") => {
                self.remarks.push(reader.rest().to_string());
                Ok(())
            }
            Some("protocol" | "latex") => {
                reader.rest();
                Ok(())
            }
            Some("pieces") => self.pieces(word, reader, false),
            Some("forsyth") => {
                self.board = [b' '; 64];
                self.forsyth(word, reader)
            }
            Some("array" | "initialgamearray") => {
                self.placed = true;
                for (rank, row) in [
                    (0, "RNBQKBNR"),
                    (1, "PPPPPPPP"),
                    (6, "pppppppp"),
                    (7, "rnbqkbnr"),
                ] {
                    self.board[rank * 8..rank * 8 + 8].copy_from_slice(row.as_bytes());
                }
                Ok(())
            }
            Some("option") => self.options(word, reader),
            Some("condition") => self.condition(word, reader),
            Some(other) => Err(wrong(word, format!("`{other}` is not imported"))),
            None => {
                let error = wrong(word, format!("`{}` is not a keyword", word.text));
                let known = KEYWORDS.iter().map(|k| k[reader.language as usize]);
                Err(match nearest(word.text, known) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help("such as `Pieces`, `Stipulation`, `Option`, `EndProblem`"),
                })
            }
        }
    }

    /// Reads a condition. Only holes are imported: `Condition Holes d7d8`.
    fn condition(
        &mut self,
        first: Word<'_>,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), Diagnostic> {
        let is_holes = |word: &Word<'_>| {
            reader.unfold(word.text, &[HOLES]).is_some() && word.text.len() >= MIN_HOLES_LETTERS
        };
        if !reader.peek().is_some_and(|word| is_holes(&word)) {
            let name = reader.rest();
            let why = format!("condition `{name}`: only orthodox problems and holes are imported");
            return Err(wrong(first, why).help("a problem without `Condition`"));
        }
        reader.next();
        let before = self.holes.len();
        while let Some(more) = reader.peek().and_then(|word| squares(word.text)) {
            reader.next();
            self.holes.extend(more);
        }
        match reader.peek() {
            _ if self.holes.len() == before => {
                Err(wrong(first, "no square follows the holes").help("`Condition Holes d7d8`"))
            }
            Some(word) if reader.unfold(word.text, &KEYWORDS).is_none() => {
                let why = format!("condition `{}`: only holes are imported", word.text);
                Err(wrong(word, why).help("a problem without other conditions"))
            }
            _ => Ok(()),
        }
    }

    /// Puts a unit on a square.
    fn put(&mut self, at: usize, letter: u8) {
        self.placed = true;
        self.board[at] = letter;
    }

    /// Reads pieces such as `White Kc3 Qa4 pd2e3 Black kh8`. `replaces` is whether they may replace units, as in Popeye
    /// those that a twin adds do.
    fn pieces(
        &mut self,
        first: Word<'_>,
        reader: &mut TokenReader<'_>,
        replaces: bool,
    ) -> Result<(), Diagnostic> {
        let mut white = None;
        while let Some(word) = reader.peek() {
            // Words other than colors and keywords are pieces. Their squares contain digits, which no keyword
            // does.
            if let Some(color) = reader.unfold(word.text, &COLORS) {
                if color == "neutral" {
                    let why = "neutral pieces are not orthodox";
                    return Err(wrong(word, why).help(orthodox(reader)));
                }
                white = Some(color == "white");
                reader.next();
                continue;
            }
            let other = [&KEYWORDS[..], &TWINNINGS];
            if other
                .iter()
                .any(|known| reader.unfold(word.text, known).is_some())
            {
                break;
            }
            reader.next();
            let Some(white) = white else {
                return Err(wrong(word, format!("`{}` comes before a color", word.text))
                    .help("`White Kc3 Qa4 Black Ka1`"));
            };
            let mut name = word.text;
            let mut named = Vec::new();
            while name.len() > 2
                && let Some((front, back)) = name.split_at_checked(name.len() - 2)
                && let Some(at) = square(back)
            {
                named.push(at);
                name = front;
            }
            // A blank may separate a piece from its squares.
            if named.is_empty()
                && let Some(more) = reader.peek().and_then(|next| squares(next.text))
            {
                reader.next();
                named = more;
            }
            let Some(letter) = letter(name, reader).filter(|_| !named.is_empty()) else {
                let why = format!("`{}` is not an orthodox piece with its squares", word.text);
                return Err(wrong(word, why).help(orthodox(reader)));
            };
            let letter = if white {
                letter
            } else {
                letter.to_ascii_lowercase()
            };
            for at in named {
                if self.board[at] != b' ' && !replaces {
                    let square = format!("{}{}", char::from(b'a' + (at % 8) as u8), at / 8 + 1);
                    let why = format!("`{}`: another unit is on {square}", word.text);
                    return Err(wrong(word, why).help("one unit on each square"));
                }
                self.put(at, letter);
            }
        }
        match white {
            Some(_) => Ok(()),
            None => Err(wrong(first, "no pieces follow").help("`White Kc3 Qa4 Black Ka1`")),
        }
    }

    /// Reads the ranks of a board from the eighth down, with or without `/` between them.
    fn forsyth(&mut self, first: Word<'_>, reader: &mut TokenReader<'_>) -> Result<(), Diagnostic> {
        let word = reader
            .next()
            .ok_or_else(|| wrong(first, "no board follows"))?;
        let mut cells = 0;
        let mut chars = word.text.chars().peekable();
        while let Some(c) = chars.next() {
            let mut run = 1;
            let mut unit = None;
            match c {
                '/' => continue,
                '0'..='9' => {
                    run = c as usize - '0' as usize;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                        run = (run * 10 + digit as usize).min(65);
                        chars.next();
                    }
                }
                _ => {
                    let found = letter(&c.to_string(), reader).map(|upper| {
                        if c.is_ascii_uppercase() {
                            upper
                        } else {
                            upper.to_ascii_lowercase()
                        }
                    });
                    let why = format!("`{c}` is not an orthodox piece");
                    unit = Some(found.ok_or_else(|| wrong(word, why).help(orthodox(reader)))?);
                }
            }
            if cells + run > 64 {
                return Err(wrong(word, "there are more than 64 squares"));
            }
            if let Some(unit) = unit {
                self.put((7 - cells / 8) * 8 + cells % 8, unit);
            }
            cells += run;
        }
        Ok(())
    }

    /// Reads the names of options, each with its operands.
    fn options(&mut self, first: Word<'_>, reader: &mut TokenReader<'_>) -> Result<(), Diagnostic> {
        let names: Vec<Keyword> = [&IDLE[..], &NOTED, &FOLLOWED, &REFUSED].concat();
        let mut any = false;
        while let Some(word) = reader.peek() {
            let name = reader.unfold(word.text, &names);
            if name.is_none() && reader.unfold(word.text, &KEYWORDS).is_some() {
                break;
            }
            reader.next();
            any = true;
            let Some(name) = name else {
                let error = wrong(word, format!("there is no option `{}`", word.text));
                let known = names.iter().map(|k| k[reader.language as usize]);
                return Err(match nearest(word.text, known) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help("such as `SetPlay`, `Try`, `Variation`, `HalfDuplex`"),
                });
            };
            self.option(name, word, reader)?;
        }
        if any {
            Ok(())
        } else {
            Err(wrong(first, "no option follows"))
        }
    }

    /// Applies an option, or refuses it by name.
    fn option(
        &mut self,
        name: &'static str,
        word: Word<'_>,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), Diagnostic> {
        if REFUSED.iter().any(|known| known[0] == name) {
            let why = format!("option `{name}` changes the question and is not imported");
            return Err(wrong(word, why).help("a problem without it"));
        }
        let is_number = |word: &Word<'_>| whole_number(word.text);
        let mut number = "";
        if NUMBERED.contains(&name) {
            let operand = reader.operand().filter(is_number);
            number = operand
                .ok_or_else(|| wrong(word, format!("`{}` needs a number", word.text)))?
                .text;
        } else if MAYBE_NUMBERED.contains(&name) && reader.peek().is_some_and(|w| is_number(&w)) {
            number = reader.next().map_or("", |word| word.text);
        }
        let part = format!("the part of the answer that `{name} {number}` leaves");
        match name {
            "halfduplex" => self.swapped = true,
            "duplex" => self.duplex = true,
            "whitetoplay" => self.white = true,
            "setplay" => self.set_play = true,
            "enpassant" | "nocastling" => self.squares_of(name, word, reader)?,
            "try" => self.asides.push("tries (`solve --tries`)".into()),
            "defence" if number != "0" => self.asides.push(format!(
                "tries with up to {number} refutations (`solve --tries`: with one)"
            )),
            "startmovenumber" | "maxsolutions" => self.asides.push(part),
            "intelligent" if !number.is_empty() => self.asides.push(part),
            _ => {}
        }
        Ok(())
    }

    /// Reads the squares that follow `EnPassant` or `NoCastling`.
    fn squares_of(
        &mut self,
        name: &str,
        word: Word<'_>,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), Diagnostic> {
        let mut named = Vec::new();
        while let Some(more) = reader.peek().and_then(|word| squares(word.text)) {
            reader.next();
            named.extend(more);
        }
        match (name, &*named) {
            (_, []) => {
                let why = format!("no square follows `{}`", word.text);
                return Err(wrong(word, why));
            }
            ("nocastling", _) => self.no_castling.extend(named),
            // The passed square, either alone or between the two squares of the double step.
            (_, [passed] | [_, passed, _]) => self.en_passant = Some(*passed),
            _ => {
                let why = format!("one square or three follow `{}`", word.text);
                return Err(wrong(word, why).help("such as `e3` or `e2e3e4`"));
            }
        }
        Ok(())
    }

    fn fen(&self, side: char) -> String {
        let mut rows = Vec::new();
        let mut board = self.board;
        for &hole in &self.holes {
            board[hole] = b'*';
        }
        for row in board.chunks(8).rev() {
            let mut text = String::new();
            for group in row.chunk_by(|a, b| *a == b' ' && *b == b' ') {
                match group[0] {
                    b' ' => text += &group.len().to_string(),
                    letter => text.push(char::from(letter)),
                }
            }
            rows.push(text);
        }
        let stands = |letter: u8, name: &str| {
            square(name)
                .is_some_and(|at| self.board[at] == letter && !self.no_castling.contains(&at))
        };
        let mut rights: String = [
            ('K', b'K', "e1", b'R', "h1"),
            ('Q', b'K', "e1", b'R', "a1"),
            ('k', b'k', "e8", b'r', "h8"),
            ('q', b'k', "e8", b'r', "a8"),
        ]
        .iter()
        .filter(|(_, king, home, rook, corner)| stands(*king, home) && stands(*rook, corner))
        .map(|(right, ..)| *right)
        .collect();
        if rights.is_empty() {
            rights.push('-');
        }
        let passant = self.en_passant.map_or("-".to_string(), |at| {
            let file = char::from(b'a' + (at % 8) as u8);
            format!("{file}{}", at / 8 + 1)
        });
        format!("{} {side} {rights} {passant} 0 1", rows.join("/"))
    }

    /// Returns the problem, followed by further problems for `Duplex` and for the set play of help play.
    /// `number` is the problem's place in its file, from 1, and `twin` its place among the twins, from 0.
    ///
    /// # Errors
    /// If pieces or the stipulation are missing, or an option does not fit the stipulation.
    pub(super) fn finish(
        &self,
        number: usize,
        twin: Option<usize>,
    ) -> Result<Vec<Imported>, Diagnostic> {
        let wrong = |why: String| Diagnostic::new("Popeye input", why);
        let missing =
            |what: &str, right: &str| wrong(format!("a problem has no {what}")).help(right);
        if !self.placed {
            return Err(missing(
                "pieces",
                "`Pieces White Kc3 ...` or `Forsyth 8/8/...`",
            ));
        }
        let Some(stipulation) = &self.stipulation else {
            return Err(missing("stipulation", "`Stipulation #2`"));
        };
        if let Some(&hole) = self.holes.iter().find(|&&hole| self.board[hole] != b' ') {
            let file = char::from(b'a' + (hole % 8) as u8);
            return Err(wrong(format!(
                "a unit is on the hole {file}{}",
                hole / 8 + 1
            )));
        }
        let mut stipulation = stipulation.clone();
        let mut black = black_begins(&stipulation);
        if self.white && black {
            // A move consists of a Black turn and a White turn. Leave out the Black turn of the first move.
            stipulation = half_move_less(&stipulation).ok_or_else(|| {
                wrong(format!(
                    "option `whitetoplay` does not apply to `{stipulation}`"
                ))
            })?;
            black = false;
        }
        let side = |black: bool| if black != self.swapped { 'b' } else { 'w' };
        let letter =
            twin.map(|twin| u8::try_from(twin).map_or('z', |n| char::from(b'a' + n.min(25))));
        let place = letter.map(|letter| {
            let apart = if self.made.is_empty() { "" } else { " " };
            format!("twin {letter}){apart}{}", self.made)
        });
        let label = match letter {
            Some(letter) => format!("{number}{letter}"),
            None => number.to_string(),
        };
        let mut asides = self.asides.clone();
        let mut set = None;
        if self.set_play {
            match set_play(&stipulation) {
                SetPlay::Problem(stipulation) => set = Some(stipulation),
                SetPlay::Tree => asides.push("set play (`solve --set-play`)".into()),
                SetPlay::Nothing => {
                    let why = format!("option `setplay` does not apply to `{stipulation}`");
                    return Err(wrong(why).help("a problem without it"));
                }
            }
        }
        let made = |stipulation: &str, side: char, label: String, remarks: &[&str]| Imported {
            label,
            fen: self.fen(side),
            stipulation: stipulation.to_string(),
            source: self.notes.join("; "),
            comment: self
                .remarks
                .iter()
                .chain(&place)
                .map(String::as_str)
                .chain(remarks.iter().copied())
                .collect::<Vec<_>>()
                .join("; "),
            asides: asides.clone(),
            ..Imported::default()
        };
        let mut problems = Vec::new();
        let sides: &[(bool, &str)] = &[(black, ""), (!black, "-duplex")];
        for (black, suffix) in &sides[..1 + usize::from(self.duplex)] {
            let remark = "duplex: the other side begins";
            let remarks: &[&str] = if suffix.is_empty() { &[] } else { &[remark] };
            let label = format!("{label}{suffix}");
            problems.push(made(&stipulation, side(*black), label.clone(), remarks));
            if let Some(set) = &set {
                let remarks = [remarks, &["set play"]].concat();
                problems.push(made(set, side(!black), format!("{label}-set"), &remarks));
            }
        }
        Ok(problems)
    }
}

/// Reads a stipulation. A blank may precede the number of moves (`# 2`, `h # 2.5`).
fn stipulation(first: Word<'_>, reader: &mut TokenReader<'_>) -> Result<String, Diagnostic> {
    let is_length =
        |text: &str| whole_number(text.strip_suffix(".5").unwrap_or(text)) || text == ".5";
    let word = reader
        .operand()
        .ok_or_else(|| wrong(first, "no stipulation follows"))?;
    let mut text = word.text.to_ascii_lowercase();
    while let Some(next) = reader.peek() {
        let open = !text.ends_with(|c: char| c.is_ascii_digit());
        // In `zg7 4`, the digit 7 belongs to the square, so the number of moves still follows.
        let target = text
            .rsplit_once('z')
            .is_some_and(|(_, name)| square(name).is_some());
        let joins = if is_length(next.text) {
            open || target
        } else {
            open && reader.unfold(next.text, &KEYWORDS).is_none()
        };
        if !joins {
            break;
        }
        reader.next();
        text += &next.text.to_ascii_lowercase();
    }
    Ok(text)
}

/// Returns whether a stipulation is help play, other than help-self and help-reflex play.
fn is_help(stipulation: &str) -> bool {
    stipulation.starts_with('h') && !stipulation.starts_with("hs") && !stipulation.starts_with("hr")
}

/// Returns whether Black makes the first turn by convention.
fn black_begins(stipulation: &str) -> bool {
    // The other side makes the introduction of a series.
    if let Some((_, series)) = stipulation.split_once("->") {
        return !black_begins(series);
    }
    let whole = !stipulation.ends_with(".5");
    if is_help(stipulation) {
        return whole;
    }
    let halves = stipulation.starts_with("hs") || stipulation.starts_with("hr");
    halves && !whole || stipulation.starts_with("ser-h")
}

/// Returns help play without its first turn: `h#3` becomes `h#2.5`.
fn half_move_less(stipulation: &str) -> Option<String> {
    if !is_help(stipulation) {
        return None;
    }
    let whole = stipulation.strip_suffix(".5");
    let text = whole.unwrap_or(stipulation);
    let goal = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let moves: u32 = text[goal.len()..].parse().ok()?;
    match whole {
        Some(_) => (moves > 0).then(|| text.to_string()),
        None => Some(format!("{goal}{}.5", moves.checked_sub(1)?)),
    }
}

/// The effect of the option `SetPlay`.
enum SetPlay {
    /// A separate problem: the play without the first turn.
    Problem(String),
    /// The solution tree already contains the set play.
    Tree,
    /// The option does not apply.
    Nothing,
}

/// Returns the set play of a stipulation.
fn set_play(stipulation: &str) -> SetPlay {
    if let Some(goal) = stipulation.strip_prefix("ser-h") {
        let goal = goal.trim_end_matches(|c: char| c.is_ascii_digit());
        return SetPlay::Problem(format!("h{goal}0.5"));
    }
    if is_help(stipulation) {
        return half_move_less(stipulation).map_or(SetPlay::Nothing, SetPlay::Problem);
    }
    let without = ["ser-", "hs", "hr", "pser", "phser"];
    if stipulation.contains("->") || without.iter().any(|play| stipulation.starts_with(play)) {
        return SetPlay::Nothing;
    }
    SetPlay::Tree
}
