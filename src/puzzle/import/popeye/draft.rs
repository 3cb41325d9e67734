//! One problem while it is read: what each keyword brings, and the problem made of it.

use super::super::Imported;
use super::words::{KEYWORDS, Reader, Word, unfold};
use input::whole_number;
use input::{InputError, nearest};

/// Options that leave the answer as it is, and how many words follow each.
const IDLE: [(&str, usize); 13] = [
    ("variation", 0),
    ("try", 0),
    ("setplay", 0),
    ("nothreat", 0),
    ("noshortvariations", 0),
    ("noboard", 0),
    ("movenumbers", 0),
    ("startmovenumber", 1),
    ("maxtime", 1),
    ("maxsolutions", 1),
    ("intelligent", 0),
    ("beep", 0),
    ("defence", 1),
];

/// Options that are followed.
const FOLLOWED: [&str; 5] = [
    "halfduplex",
    "duplex",
    "whitetoplay",
    "enpassant",
    "nocastling",
];

/// Options that change what is asked, and are refused.
const REFUSED: [&str; 10] = [
    "quodlibet",
    "postkeyplay",
    "maxflightsquares",
    "nontrivial",
    "threat",
    "goalisend",
    "lastcapture",
    "stoponshortsolutions",
    "nowk",
    "nobk",
];

const COLORS: [&str; 3] = ["white", "black", "neutral"];

/// A problem while it is read.
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
        }
    }
}

fn wrong(word: Word<'_>, why: impl Into<String>) -> InputError {
    InputError::new("Popeye input", why).at(format!("line {}", word.line))
}

/// The index of a square, a1 first.
fn square(name: &str) -> Option<usize> {
    match name.to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
        }
        _ => None,
    }
}

/// The indices of squares, such as `e3` or `e2e3e4`.
fn squares(names: &str) -> Option<Vec<usize>> {
    let names = names.as_bytes().chunks(2);
    names
        .map(|name| square(std::str::from_utf8(name).ok()?))
        .collect()
}

/// The FEN letter of a piece as Popeye calls it.
fn letter(name: &str) -> Option<u8> {
    match name.to_ascii_lowercase().as_str() {
        "s" => Some(b'N'),
        one @ ("k" | "q" | "r" | "b" | "p") => Some(one.as_bytes()[0].to_ascii_uppercase()),
        _ => None,
    }
}

const ORTHODOX: &str = "orthodox pieces alone: K Q R B S P (S is a knight)";

impl Draft {
    /// Takes what stands behind one word.
    pub(super) fn take(
        &mut self,
        known: Option<&str>,
        word: Word<'_>,
        reader: &mut Reader<'_>,
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
            Some("twin" | "zeroposition") => Err(wrong(word, "twins are not imported")
                .help("write each twin as a problem of its own")),
            Some(other) => Err(wrong(word, format!("`{other}` is not imported"))),
            None => {
                let error = wrong(word, format!("`{}` is no keyword", word.text));
                Err(match nearest(word.text, KEYWORDS) {
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
                format!("`{}`: something stands there already", word.text),
            ));
        }
        self.board[at] = letter;
        Ok(())
    }

    /// `White Kc3 Qa4 pd2e3 Black kh8`.
    fn pieces(&mut self, first: Word<'_>, reader: &mut Reader<'_>) -> Result<(), InputError> {
        let mut white = None;
        while let Some(word) = reader.peek() {
            // A color, then squares with digits; a keyword has none.
            if let Some(color) = unfold(word.text, &COLORS) {
                if color == "neutral" {
                    return Err(wrong(word, "neutral pieces are not orthodox").help(ORTHODOX));
                }
                white = Some(color == "white");
                reader.next();
                continue;
            }
            if unfold(word.text, &KEYWORDS).is_some() {
                break;
            }
            reader.next();
            let Some(white) = white else {
                return Err(
                    wrong(word, format!("`{}` stands before a color", word.text))
                        .help("`White Kc3 Qa4 Black Ka1`"),
                );
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
            let Some(letter) = letter(name).filter(|_| !squares.is_empty()) else {
                let why = format!("`{}` is no orthodox piece with its squares", word.text);
                return Err(wrong(word, why).help(ORTHODOX));
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
    fn forsyth(&mut self, first: Word<'_>, reader: &mut Reader<'_>) -> Result<(), InputError> {
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
                    let found = letter(&c.to_string()).map(|upper| {
                        if c.is_ascii_uppercase() {
                            upper
                        } else {
                            upper.to_ascii_lowercase()
                        }
                    });
                    let why = format!("`{c}` is no orthodox piece");
                    unit = Some(found.ok_or_else(|| wrong(word, why).help(ORTHODOX))?);
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

    fn options(&mut self, first: Word<'_>, reader: &mut Reader<'_>) -> Result<(), InputError> {
        let mut names: Vec<&str> = IDLE.iter().map(|(name, _)| *name).collect();
        names.extend(FOLLOWED);
        names.extend(REFUSED);
        let mut any = false;
        while let Some(word) = reader.peek() {
            let name = unfold(word.text, &names);
            if name.is_none() && unfold(word.text, &KEYWORDS).is_some() {
                break;
            }
            reader.next();
            any = true;
            let Some(name) = name else {
                let error = wrong(word, format!("there is no option `{}`", word.text));
                return Err(match nearest(word.text, names.iter().copied()) {
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
                _ if REFUSED.contains(&name) => {
                    return Err(
                        wrong(word, format!("option `{name}` changes what is asked"))
                            .help("a problem without it"),
                    );
                }
                _ => {
                    let words = IDLE
                        .iter()
                        .find(|(idle, _)| *idle == name)
                        .map_or(0, |(_, n)| *n);
                    for _ in 0..words {
                        let operand = reader.operand().filter(|word| whole_number(word.text));
                        if operand.is_none() {
                            return Err(wrong(word, format!("no number follows `{}`", word.text)));
                        }
                    }
                }
            }
        }
        if any {
            Ok(())
        } else {
            Err(wrong(first, "no option follows"))
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

    /// The problem; two of them with `Duplex`.
    pub(super) fn finish(&self) -> Result<Vec<Imported>, InputError> {
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
        let made = |side: char, remark: Option<&str>| Imported {
            id: None,
            fen: self.fen(side),
            stipulation: stipulation.clone(),
            keys: None,
            source: self.notes.join("; "),
            comment: self
                .remarks
                .iter()
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
