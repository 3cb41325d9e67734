//! One problem while it is read: what each keyword brings, and the problem made of it.

use super::super::Imported;
use super::words::{COLORS, KEYWORDS, Keyword, TWINNINGS, TokenReader, Word};
use diagnostics::whole_number;
use diagnostics::{InputError, nearest};

/// Options that leave the answer as it is.
const IDLE: [Keyword; 13] = [
    ["variations", "varianten", "variantes"],
    ["try", "verfuehrung", "essais"],
    ["setplay", "satzspiel", "apparent"],
    ["nothreat", "ohnedrohung", "sansmenace"],
    [
        "noshortvariations",
        "ohnekurzvarianten",
        "sansvariantescourtes",
    ],
    ["noboard", "ohnebrett", "sansechiquier"],
    ["movenumbers", "zugnummern", "trace"],
    ["startmovenumber", "startzugnummer", "enroute"],
    ["maxtime", "maxzeit", "maxtemps"],
    ["maxsolutions", "maxloesungen", "maxsolutions"],
    ["intelligent", "intelligent", "intelligent"],
    ["beep", "pieps", "bip"],
    ["defence", "widerlegung", "defense"],
];

/// Those of them that a number follows.
const NUMBERED: [&str; 4] = ["startmovenumber", "maxtime", "maxsolutions", "defence"];

/// Options that are followed.
const FOLLOWED: [Keyword; 5] = [
    ["halfduplex", "halbduplex", "demiduplex"],
    ["duplex", "duplex", "duplex"],
    ["whitetoplay", "weissbeginnt", "apparentseul"],
    ["enpassant", "enpassant", "enpassant"],
    ["nocastling", "keinerochade", "sansroquer"],
];

/// Options that change what is asked, and are refused.
const REFUSED: [Keyword; 10] = [
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
    ["nowk", "ohnewk", "sansrb"],
    ["nobk", "ohnesk", "sansrn"],
];

/// A problem while it is read.
#[derive(Clone)]
pub(super) struct Draft {
    /// Letters as in FEN, rank by rank from a1; blanks for vacant squares.
    board: [u8; 64],
    placed: bool,
    stipulation: Option<String>,
    notes: Vec<String>,
    remarks: Vec<String>,
    /// Turns who begins round.
    swapped: bool,
    duplex: bool,
    white: bool,
    en_passant: Option<usize>,
    no_castling: Vec<usize>,
    /// What made this twin; empty in a problem without twins.
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
            en_passant: None,
            no_castling: Vec::new(),
            made: String::new(),
        }
    }
}

fn wrong(word: Word<'_>, why: impl Into<String>) -> InputError {
    InputError::new("Popeye input", why).at(format!("line {}", word.line))
}

/// Returns the index of a square, a1 first.
fn square(name: &str) -> Option<usize> {
    match name.to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
        }
        _ => None,
    }
}

/// Returns the indices of squares, such as `e3` or `e2e3e4`.
fn squares(names: &str) -> Option<Vec<usize>> {
    let names = names.as_bytes().chunks(2);
    names
        .map(|name| square(std::str::from_utf8(name).ok()?))
        .collect()
}

/// Returns the FEN letter of a piece as a language calls it.
fn letter(name: &str, reader: &TokenReader<'_>) -> Option<u8> {
    let mut chars = name.chars();
    let (Some(one), None) = (chars.next(), chars.next()) else {
        return None;
    };
    let mut letters = reader.language.letters().chars();
    let place = letters.position(|l| l == one.to_ascii_uppercase());
    place.map(|place| b"KQRBNP"[place])
}

/// Returns what pieces there are.
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
    /// Takes what stands behind one word.
    pub(super) fn take(
        &mut self,
        known: Option<&str>,
        word: Word<'_>,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), InputError> {
        match known {
            Some("stipulation") => {
                let text = reader
                    .next()
                    .ok_or_else(|| wrong(word, "no stipulation follows"))?;
                self.stipulation = Some(text.text.to_ascii_lowercase());
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
            Some("protocol") => {
                reader.rest();
                Ok(())
            }
            Some("pieces") => self.pieces(word, reader),
            Some("forsyth") => self.forsyth(word, reader),
            Some("array") => {
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
            Some("condition") => {
                let name = reader.rest();
                Err(wrong(
                    word,
                    format!("condition `{name}`: only orthodox problems are imported"),
                )
                .help("a problem without `Condition`"))
            }
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

    fn put(&mut self, word: Word<'_>, at: usize, letter: u8) -> Result<(), InputError> {
        self.placed = true;
        if self.board[at] != b' ' && self.board[at] != letter {
            return Err(wrong(
                word,
                format!("`{}`: the square is occupied already", word.text),
            ));
        }
        self.board[at] = letter;
        Ok(())
    }

    /// `White Kc3 Qa4 pd2e3 Black kh8`.
    fn pieces(&mut self, first: Word<'_>, reader: &mut TokenReader<'_>) -> Result<(), InputError> {
        let mut white = None;
        while let Some(word) = reader.peek() {
            // A color, then squares with digits; a keyword has none.
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
            let mut squares = Vec::new();
            while name.len() > 2
                && let Some((front, back)) = name.split_at_checked(name.len() - 2)
                && let Some(at) = square(back)
            {
                squares.push(at);
                name = front;
            }
            let Some(letter) = letter(name, reader).filter(|_| !squares.is_empty()) else {
                let why = format!("`{}` is not an orthodox piece with its squares", word.text);
                return Err(wrong(word, why).help(orthodox(reader)));
            };
            let letter = if white {
                letter
            } else {
                letter.to_ascii_lowercase()
            };
            for at in squares {
                self.put(word, at, letter)?;
            }
        }
        match white {
            Some(_) => Ok(()),
            None => Err(wrong(first, "no pieces follow").help("`White Kc3 Qa4 Black Ka1`")),
        }
    }

    /// Ranks from the eighth down; `/` may stand between them.
    fn forsyth(&mut self, first: Word<'_>, reader: &mut TokenReader<'_>) -> Result<(), InputError> {
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
                self.put(word, (7 - cells / 8) * 8 + cells % 8, unit)?;
            }
            cells += run;
        }
        Ok(())
    }

    fn options(&mut self, first: Word<'_>, reader: &mut TokenReader<'_>) -> Result<(), InputError> {
        let names: Vec<Keyword> = IDLE.into_iter().chain(FOLLOWED).chain(REFUSED).collect();
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
            match name {
                "halfduplex" => self.swapped = true,
                "duplex" => self.duplex = true,
                "whitetoplay" => self.white = true,
                "enpassant" | "nocastling" => {
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
                        // The square passed, alone or between the two of the double step.
                        (_, [passed] | [_, passed, _]) => self.en_passant = Some(*passed),
                        _ => {
                            let why = format!("one square or three follow `{}`", word.text);
                            return Err(wrong(word, why).help("such as `e3` or `e2e3e4`"));
                        }
                    }
                }
                _ if REFUSED.iter().any(|known| known[0] == name) => {
                    return Err(
                        wrong(word, format!("option `{name}` changes what is asked"))
                            .help("a problem without it"),
                    );
                }
                _ if NUMBERED.contains(&name) => {
                    let operand = reader.operand().filter(|word| whole_number(word.text));
                    if operand.is_none() {
                        return Err(wrong(word, format!("no number follows `{}`", word.text)));
                    }
                }
                _ => {}
            }
        }
        if any {
            Ok(())
        } else {
            Err(wrong(first, "no option follows"))
        }
    }

    /// Takes what makes a twin of the position: `Move a1 a2`, `Stipulation h#2` and so on. `before`
    /// is the twin before, which `Continued` goes on from.
    pub(super) fn twin(
        &mut self,
        twin: Word<'_>,
        before: &Draft,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), InputError> {
        let mut told = Vec::new();
        while let Some(word) = reader.peek() {
            let Some(name) = reader.unfold(word.text, &TWINNINGS) else {
                break;
            };
            reader.next();
            if !matches!(name, "continued" | "stipulation") {
                told.push(name.to_string());
            }
            self.twinning(name, word, before, reader, &mut told)?;
        }
        if told.is_empty() {
            return Err(wrong(twin, "nothing follows that makes a twin")
                .help("such as `Move a1 a2`, `Remove b4`, `Stipulation h#2`"));
        }
        self.made = told.join(" ");
        Ok(())
    }

    fn twinning(
        &mut self,
        name: &str,
        word: Word<'_>,
        before: &Draft,
        reader: &mut TokenReader<'_>,
        told: &mut Vec<String>,
    ) -> Result<(), InputError> {
        let mut two = |reader: &mut TokenReader<'_>| -> Result<[usize; 2], InputError> {
            let mut named = Vec::new();
            while named.len() < 2
                && let Some(more) = reader.peek().and_then(|word| squares(word.text))
            {
                told.extend(reader.next().map(|word| word.text.to_string()));
                named.extend(more);
            }
            <[usize; 2]>::try_from(named)
                .map_err(|_| wrong(word, format!("two squares follow `{}`", word.text)))
        };
        let vacant = |at: usize| {
            let file = char::from(b'a' + (at % 8) as u8);
            wrong(word, format!("no unit is on {file}{}", at / 8 + 1))
        };
        match name {
            "continued" => *self = before.clone(),
            "move" => {
                let [from, to] = two(reader)?;
                if self.board[from] == b' ' {
                    return Err(vacant(from));
                }
                self.board[to] = std::mem::replace(&mut self.board[from], b' ');
            }
            "exchange" => {
                let [one, other] = two(reader)?;
                if let Some(&at) = [one, other].iter().find(|at| self.board[**at] == b' ') {
                    return Err(vacant(at));
                }
                self.board.swap(one, other);
            }
            "shift" => {
                let [from, to] = two(reader)?;
                let ranks = (to / 8) as i32 - (from / 8) as i32;
                let files = (to % 8) as i32 - (from % 8) as i32;
                let mut shifted = [b' '; 64];
                for (at, unit) in self.board.iter().enumerate().filter(|(_, u)| **u != b' ') {
                    let (rank, file) = ((at / 8) as i32 + ranks, (at % 8) as i32 + files);
                    if !(0..8).contains(&rank) || !(0..8).contains(&file) {
                        return Err(wrong(word, "a piece would leave the board"));
                    }
                    shifted[(rank * 8 + file) as usize] = *unit;
                }
                self.board = shifted;
            }
            "remove" => {
                let named = reader.peek().and_then(|word| squares(word.text));
                let named = named.filter(|named| !named.is_empty());
                let named = named
                    .ok_or_else(|| wrong(word, format!("no square follows `{}`", word.text)))?;
                told.extend(reader.next().map(|word| word.text.to_string()));
                for at in named {
                    if std::mem::replace(&mut self.board[at], b' ') == b' ' {
                        return Err(vacant(at));
                    }
                }
            }
            "add" => {
                let from = reader.peek().map_or(word.line, |word| word.line);
                self.pieces(word, reader)?;
                told.push(format!("(line {from})"));
            }
            "stipulation" => {
                let text = reader.next();
                let text = text.ok_or_else(|| wrong(word, "no stipulation follows"))?;
                self.stipulation = Some(text.text.to_ascii_lowercase());
                told.push(text.text.to_string());
            }
            "forsyth" => {
                self.board = [b' '; 64];
                self.forsyth(word, reader)?;
            }
            "polishtype" => {
                for unit in &mut self.board {
                    *unit ^= if unit.is_ascii_alphabetic() { 0x20 } else { 0 };
                }
            }
            "rotate" => {
                let how = reader.next().map_or("", |word| word.text);
                // To the left: a1 comes to h1 with 90.
                let to: fn(usize, usize) -> usize = match how {
                    "90" => |rank, file| file * 8 + 7 - rank,
                    "180" => |rank, file| (7 - rank) * 8 + 7 - file,
                    "270" => |rank, file| (7 - file) * 8 + rank,
                    _ => {
                        return Err(wrong(word, format!("`{how}` is not a turn of the board"))
                            .help("`90`, `180` or `270`"));
                    }
                };
                told.push(how.to_string());
                self.place_anew(to);
            }
            "mirror" => {
                let how = reader.next().map_or("", |word| word.text);
                let to: fn(usize, usize) -> usize = match how.to_ascii_lowercase().as_str() {
                    "a1<-->h1" => |rank, file| rank * 8 + 7 - file,
                    "a1<-->a8" => |rank, file| (7 - rank) * 8 + file,
                    "a1<-->h8" => |rank, file| (7 - file) * 8 + 7 - rank,
                    "a8<-->h1" => |rank, file| file * 8 + rank,
                    _ => {
                        return Err(wrong(word, format!("`{how}` is not a mirror"))
                            .help("`a1<-->h1`, `a1<-->a8`, `a1<-->h8` or `a8<-->h1`"));
                    }
                };
                told.push(how.to_string());
                self.place_anew(to);
            }
            "substitute" => {
                let mut pair = [0; 2];
                for piece in &mut pair {
                    let name = reader.next().map_or("", |word| word.text);
                    let why = format!("`{name}` is not an orthodox piece");
                    *piece = letter(name, reader)
                        .ok_or_else(|| wrong(word, why).help(orthodox(reader)))?;
                    told.push(name.to_string());
                }
                let [old, new] = pair;
                for unit in &mut self.board {
                    if unit.to_ascii_uppercase() == old {
                        *unit = new | (*unit & 0x20);
                    }
                }
            }
            _ => {
                return Err(
                    wrong(word, format!("twins by `{}` are not imported", word.text))
                        .help("write the twin as a problem of its own"),
                );
            }
        }
        Ok(())
    }

    /// Moves every unit to where `to` brings its rank and file.
    fn place_anew(&mut self, to: fn(usize, usize) -> usize) {
        let old = self.board;
        for (at, unit) in old.iter().enumerate() {
            self.board[to(at / 8, at % 8)] = *unit;
        }
    }

    fn fen(&self, side: char) -> String {
        let mut rows = Vec::new();
        for row in self.board.chunks(8).rev() {
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

    /// Returns the problem; two of them with `Duplex`. `twin` is its place among twins, from 0.
    pub(super) fn finish(&self, twin: Option<usize>) -> Result<Vec<Imported>, InputError> {
        let missing = |what: &str, right: &str| {
            InputError::new("Popeye input", format!("a problem has no {what}")).help(right)
        };
        if !self.placed {
            return Err(missing(
                "pieces",
                "`Pieces White Kc3 ...` or `Forsyth 8/8/...`",
            ));
        }
        let Some(stipulation) = &self.stipulation else {
            return Err(missing("stipulation", "`Stipulation #2`"));
        };
        let whole = !stipulation.ends_with(".5");
        let helps = stipulation.starts_with('h')
            && !stipulation.starts_with("hs")
            && !stipulation.starts_with("hr");
        let halves = stipulation.starts_with("hs") || stipulation.starts_with("hr");
        let black = helps && whole || halves && !whole || stipulation.starts_with("ser-h");
        let first = if (black && !self.white) != self.swapped {
            'b'
        } else {
            'w'
        };
        let other = if first == 'w' { 'b' } else { 'w' };
        let place = twin.map(|twin| {
            let letter = u8::try_from(twin).map_or('z', |n| char::from(b'a' + n.min(25)));
            let apart = if self.made.is_empty() { "" } else { " " };
            format!("twin {letter}){apart}{}", self.made)
        });
        let made = |side: char, remark: Option<&str>| Imported {
            id: None,
            fen: self.fen(side),
            stipulation: stipulation.clone(),
            keys: None,
            source: self.notes.join("; "),
            comment: self
                .remarks
                .iter()
                .chain(&place)
                .map(String::as_str)
                .chain(remark)
                .collect::<Vec<_>>()
                .join("; "),
        };
        let mut problems = vec![made(first, None)];
        if self.duplex {
            problems.push(made(other, Some("duplex: the other side begins")));
        }
        Ok(problems)
    }
}
