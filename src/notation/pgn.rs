//! Games in Portable Game Notation (PGN): reads and writes tags, turns, comments, annotation glyphs (NAGs) and
//! variations, for every rule set.
//!
//! [`read`] splits a text into games without knowing their rules. [`replay`] plays all turns of a game,
//! variations included, and brings them into the notation that [`Record`] prints: short algebraic notation
//! where it is unique ([`san::print`]), otherwise coordinate notation.
//!
//! The format: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994).

use crate::{Setup, san, turns, with_setup};
use board::Color;
use diagnostics::{Diagnostic, whole_number};
use rules::Outcome;
use std::fmt::{self, Write};

/// Nested variations beyond this depth are an error, so that no input exhausts the stack.
const MAX_DEPTH: usize = 64;

/// The length of lines that are written, in characters. The specification requires fewer than 80.
const LINE_CHARS: usize = 79;

/// The suffixes of a turn that are shorthand for glyphs, by the number of the glyph.
const SUFFIXES: [(&str, u8); 6] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
];

/// The results with which a game can end.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The tags that each game has, in this order, with the value of an unknown one.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// The tags in the order of the text: names and values.
    pub tags: Vec<(String, String)>,
    /// The turns.
    pub line: Line,
    /// The result after the turns; empty if there is none.
    pub result: String,
}

/// A sequence of turns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The comment before the first turn; may be empty.
    pub comment: String,
    /// The turns.
    pub turns: Vec<Played>,
}

/// A turn with what is written about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Played {
    /// The turn as written.
    pub text: String,
    /// The numbers of its annotation glyphs: 1 for `!`, 2 for `?`.
    pub glyphs: Vec<u8>,
    /// The comment after the turn; may be empty.
    pub comment: String,
    /// Lines that could be played instead of the turn.
    pub variations: Vec<Line>,
}

impl From<&str> for Played {
    /// Returns a turn without annotations.
    fn from(text: &str) -> Played {
        Played {
            text: text.to_string(),
            ..Played::default()
        }
    }
}

impl Record {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(tag, _)| tag == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag, or appends the tag.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value.to_string(),
            None => self.tags.push((name.to_string(), value.to_string())),
        }
    }
}

/// A part of the text of a game.
enum Token<'t> {
    Tag(String, String),
    Comment(&'t str),
    Glyph(u8),
    Open,
    Close,
    Word(&'t str),
}

/// Splits a text into tokens.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns the line of the next character, from 1.
    fn line(&self) -> usize {
        1 + self.text[..self.at].matches('\n').count()
    }

    fn wrong(&self, why: impl Into<String>) -> Diagnostic {
        Diagnostic::new("PGN", why).at(format!("line {}", self.line()))
    }

    /// Skips blanks and lines that begin with `%`, which are for other programs.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len()
                - rest
                    .trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
                    .len();
            self.at += blanks;
            let at_line_start = self.at == 0 || self.text[..self.at].ends_with('\n');
            if !(at_line_start && self.rest().starts_with('%')) {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Takes the text up to `end`, which is skipped.
    fn until(&mut self, end: char) -> Option<&'t str> {
        let (inside, _) = self.rest().split_once(end)?;
        self.at += inside.len() + end.len_utf8();
        Some(inside)
    }

    fn next(&mut self) -> Result<Option<Token<'t>>, Diagnostic> {
        self.skip();
        let Some(first) = self.rest().chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '[' => self.tag()?,
            '{' => {
                let unclosed = self.wrong("a comment `{` is not closed");
                self.at += 1;
                Token::Comment(self.until('}').ok_or(unclosed)?.trim())
            }
            ';' => {
                let line = self.rest().lines().next().unwrap_or("");
                self.at += line.len();
                Token::Comment(line[1..].trim())
            }
            '(' | ')' => {
                self.at += 1;
                if first == '(' {
                    Token::Open
                } else {
                    Token::Close
                }
            }
            '$' => {
                let digits = self.word();
                let number = digits[1..]
                    .parse()
                    .ok()
                    .filter(|_| whole_number(&digits[1..]));
                let why =
                    format!("`{digits}` is not an annotation glyph: `$` with a number up to 255");
                Token::Glyph(number.ok_or_else(|| self.wrong(why))?)
            }
            '}' => return Err(self.wrong("`}` closes no comment")),
            _ => Token::Word(self.word()),
        };
        Ok(Some(token))
    }

    /// Takes a word, which is not empty. Parentheses belong to it only as in `e8(Q)`.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let ends = |&(at, c): &(usize, char)| {
            at > 0 && (c.is_whitespace() || matches!(c, '{' | '}' | ';' | '(' | ')' | '$'))
        };
        let end = rest.char_indices().find(ends);
        let word = &rest[..end.map_or(rest.len(), |(at, _)| at)];
        self.at += word.len();
        word
    }

    /// Takes a tag such as `[White "A. Player"]`.
    fn tag(&mut self) -> Result<Token<'t>, Diagnostic> {
        let malformed = self.wrong("a tag is not of the form `[Name \"value\"]`");
        let rest = &self.rest()[1..];
        let parsed = || {
            let (name, after) = rest.split_once('"')?;
            let name = name.trim();
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_name) {
                return None;
            }
            let (mut value, mut escaped) = (String::new(), false);
            for (at, c) in after.char_indices() {
                match c {
                    '\n' => return None,
                    _ if std::mem::take(&mut escaped) => value.push(c),
                    '\\' => escaped = true,
                    '"' => {
                        let (blank, _) = after[at + 1..].split_once(']')?;
                        let used = rest.len() - after.len() + at + 1 + blank.len() + 1;
                        return blank.trim().is_empty().then_some((name, value, used));
                    }
                    _ => value.push(c),
                }
            }
            None
        };
        let (name, value, used) = parsed().ok_or(malformed)?;
        self.at += 1 + used;
        Ok(Token::Tag(name.to_string(), value))
    }
}

/// Reads all games of a text, each with its line number. A game that cannot be read is an error in its place;
/// reading continues at the next tag `Event` at the beginning of a line.
pub fn read(text: &str) -> Vec<(usize, Result<Record, Diagnostic>)> {
    let mut tokens = Tokens { text, at: 0 };
    let mut games = Vec::new();
    loop {
        tokens.skip();
        if tokens.rest().is_empty() {
            return games;
        }
        let line = tokens.line();
        let game = game(&mut tokens);
        if game.is_err() {
            let next = tokens.rest().find("\n[Event ");
            tokens.at = next.map_or(text.len(), |at| tokens.at + at);
        }
        games.push((line, game));
    }
}

/// Reads a game. It ends with its result, or where tags follow turns.
fn game(tokens: &mut Tokens<'_>) -> Result<Record, Diagnostic> {
    let mut record = Record::default();
    // The lines that are open: the game, its variation, a variation of that one ...
    let mut lines = vec![Line::default()];
    let mut begun = false;
    loop {
        let before = tokens.at;
        let Some(token) = tokens.next()? else {
            break;
        };
        let depth = lines.len();
        let Some(line) = lines.last_mut() else {
            break;
        };
        match token {
            Token::Tag(..) if begun => {
                tokens.at = before;
                break;
            }
            Token::Tag(name, value) => {
                if record.tag(&name).is_some() {
                    return Err(tokens.wrong(format!("the tag `{name}` occurs twice")));
                }
                record.tags.push((name, value));
                continue;
            }
            Token::Comment(text) => {
                let comment = match line.turns.last_mut() {
                    Some(last) => &mut last.comment,
                    None => &mut line.comment,
                };
                let apart = if comment.is_empty() { "" } else { " " };
                let words: Vec<&str> = text.split_ascii_whitespace().collect();
                *comment += &format!("{apart}{}", words.join(" "));
            }
            Token::Glyph(glyph) => match line.turns.last_mut() {
                Some(last) => last.glyphs.push(glyph),
                None => return Err(tokens.wrong(format!("`${glyph}` precedes the first turn"))),
            },
            Token::Open if depth > MAX_DEPTH => {
                let why = format!("variations are nested more than {MAX_DEPTH} deep");
                return Err(tokens.wrong(why));
            }
            Token::Open if line.turns.is_empty() => {
                return Err(tokens.wrong("a variation `(` precedes the turn that it replaces"));
            }
            Token::Open => lines.push(Line::default()),
            Token::Close if depth == 1 => {
                return Err(tokens.wrong("`)` closes no variation"));
            }
            Token::Close => {
                let variation = lines.pop().unwrap_or_default();
                let last = lines.last_mut().and_then(|line| line.turns.last_mut());
                if let Some(last) = last {
                    last.variations.push(variation);
                }
            }
            Token::Word(word) if RESULTS.contains(&word) => {
                // Some programs end variations with a result, too.
                if depth == 1 {
                    record.result = word.to_string();
                    break;
                }
            }
            Token::Word(word) => {
                for text in turns::words(word) {
                    let suffix = SUFFIXES.iter().find(|(suffix, _)| text.ends_with(suffix));
                    let (text, glyphs) = match suffix {
                        Some((suffix, glyph)) => (text.trim_end_matches(suffix), vec![*glyph]),
                        None => (text, Vec::new()),
                    };
                    line.turns.push(Played {
                        text: text.to_string(),
                        glyphs,
                        ..Played::default()
                    });
                }
            }
        }
        begun = true;
    }
    if lines.len() > 1 {
        return Err(tokens.wrong("a variation `(` is not closed"));
    }
    record.line = lines.pop().unwrap_or_default();
    Ok(record)
}

/// Plays all turns of a line and of its variations, and replaces their texts by those that [`san::print`]
/// returns. Returns the position after the line.
///
/// # Errors
/// If a turn is not legal. The error contains its number in the line.
pub fn replay(start: &Setup, line: &mut Line) -> Result<Setup, Diagnostic> {
    let mut setup = start.clone();
    for (number, played) in (1..).zip(&mut line.turns) {
        for variation in &mut played.variations {
            replay(&setup, variation).map_err(|error| {
                Diagnostic::new(format!("variation of turn {number}"), error.to_string())
            })?;
        }
        let (text, after) = setup.play_numbered(&played.text, number)?;
        played.text = setup.short_notation(&text);
        setup = after;
    }
    Ok(setup)
}

impl Setup {
    /// Returns a legal turn, given in coordinate notation, in short algebraic notation where that is unique.
    pub fn short_notation(&self, turn: &str) -> String {
        with_setup!(self, start => {
            let game = start.game.as_ref();
            let found = turns::find(game, &start.position, turn, 1);
            found.map_or(turn.to_string(), |found| san::print(game, &start.position, &found))
        })
    }

    /// Returns the move number of the position.
    fn move_number(&self) -> u32 {
        with_setup!(self, start => start.game.carried().number(&start.position))
    }
}

/// Returns the result that PGN writes for an outcome.
pub fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::White, _) | Outcome::WeakWin(Color::White, _) => "1-0",
        Outcome::Win(Color::Black, _) | Outcome::WeakWin(Color::Black, _) => "0-1",
        Outcome::Draw(_) => "1/2-1/2",
        Outcome::Ongoing => "*",
    }
}

/// Sets the tags of a game that begins with this position: the variant's name as `variant` writes it, and the
/// position. Also sets the result if the game is over after its turns.
pub fn complete(record: &mut Record, variant: &str, start: &Setup, end: &Setup) {
    record.set_tag("Variant", variant);
    record.set_tag("SetUp", "1");
    record.set_tag("FEN", &start.fen());
    let outcome = end.outcome();
    if !outcome.is_ongoing() || record.result.is_empty() {
        record.result = result(outcome).to_string();
    }
    let value = record.result.clone();
    record.set_tag("Result", &value);
}

/// Writes a game whose first turn is made in `start`.
pub struct Printed<'r> {
    /// The game.
    pub record: &'r Record,
    /// The position before its first turn.
    pub start: &'r Setup,
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Printed { record, start } = self;
        let tag = |f: &mut fmt::Formatter<'_>, name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        };
        for (name, unknown) in ROSTER {
            tag(f, name, record.tag(name).unwrap_or(unknown))?;
        }
        let is_other = |name: &str| ROSTER.iter().all(|(roster, _)| *roster != name);
        for (name, value) in record.tags.iter().filter(|(name, _)| is_other(name)) {
            tag(f, name, value)?;
        }
        f.write_char('\n')?;
        let mut words = Vec::new();
        let ply = 2 * u64::from(start.move_number()) + u64::from(start.side() == Color::Black);
        collect_words(&record.line, ply, &mut words);
        words.push(record.result.clone());
        let mut column = 0;
        for word in words {
            let chars = word.chars().count();
            if column > 0 && column + 1 + chars > LINE_CHARS {
                f.write_char('\n')?;
                column = 0;
            } else if column > 0 {
                f.write_char(' ')?;
                column += 1;
            }
            f.write_str(&word)?;
            column += chars;
        }
        f.write_char('\n')
    }
}

/// Appends the words of a line. `ply` is twice the number of its first move, and one more if Black makes it.
fn collect_words(line: &Line, ply: u64, words: &mut Vec<String>) {
    let comment = |text: &str, words: &mut Vec<String>| {
        if !text.is_empty() {
            let text = format!("{{{}}}", text.replace('}', ")"));
            words.extend(text.split(' ').map(str::to_string));
        }
    };
    comment(&line.comment, words);
    let mut numbered = true;
    for (ply, played) in (ply..).zip(&line.turns) {
        let number = ply / 2;
        match (ply % 2, numbered) {
            (0, _) => words.push(format!("{number}.")),
            (_, true) => words.push(format!("{number}...")),
            (_, false) => {}
        }
        words.push(played.text.clone());
        words.extend(played.glyphs.iter().map(|glyph| format!("${glyph}")));
        comment(&played.comment, words);
        for variation in &played.variations {
            let first = words.len();
            collect_words(variation, ply, words);
            match words.get_mut(first) {
                Some(word) => word.insert(0, '('),
                None => words.push("(".to_string()),
            }
            if let Some(last) = words.last_mut() {
                last.push(')');
            }
        }
        numbered = !played.comment.is_empty() || !played.variations.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Variant;

    const GAME: &str = "% a line for another program\n[Event \"A \\\"test\\\"\"]\n[White \"A. Player\"]\n\
        [Black \"?\"]\n[Result \"1-0\"]\n\n{before} 1.e4! $14 e5 {a comment\nof two lines} \
        (1...c5 2.Nf3 (2.Nc3 Nc6) d6!?) 2.Qh5 ; the rest of the line (\nNc6?? 3.Bc4 Nf6 4.Qxf7# 1-0\n";

    fn fide() -> Setup {
        Setup::read(&Variant::from(&variants::fide::INFO), None).expect("the start")
    }

    /// Replays a game and prints it.
    fn again(text: &str, start: &Setup) -> Result<String, Diagnostic> {
        let mut record = read(text).remove(0).1?;
        let end = replay(start, &mut record.line)?;
        complete(&mut record, "Standard", start, &end);
        Ok(Printed {
            record: &record,
            start,
        }
        .to_string())
    }

    #[test]
    fn games_are_read_with_all_their_parts() {
        let games = read(GAME);
        assert_eq!(games.len(), 1);
        let record = games[0].1.as_ref().expect("a game");
        assert_eq!((games[0].0, record.tag("Event")), (2, Some("A \"test\"")));
        assert_eq!((&*record.line.comment, &*record.result), ("before", "1-0"));
        let line = &record.line.turns;
        assert_eq!(
            (line.len(), &*line[0].text, &*line[0].glyphs),
            (7, "e4", &[1, 14][..])
        );
        assert_eq!(line[1].comment, "a comment of two lines");
        let variation = &line[1].variations[0];
        assert_eq!(variation.turns.len(), 3);
        assert_eq!(variation.turns[1].variations[0].turns[1].text, "Nc6");
        assert_eq!(line[2].comment, "the rest of the line (");
    }

    #[test]
    fn written_games_are_read_back() {
        let once = again(GAME, &fide()).expect("a legal game");
        assert!(
            once.contains("[Variant \"Standard\"]") && once.contains("[SetUp \"1\"]"),
            "{once}"
        );
        let turns = "{before} 1. e4 $1 $14 1... e5 {a comment of two lines}";
        assert!(
            !once.contains(turns) && once.contains("1. e4 $1 $14 e5 {a comment of two lines}"),
            "{once}"
        );
        assert!(
            once.replace('\n', " ")
                .contains("(1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6 $5) 2. Qh5"),
            "{once}"
        );
        assert!(once.lines().all(|line| line.len() < 80), "{once}");
        assert_eq!(again(&once, &fide()).as_deref(), Ok(&*once));
    }

    #[test]
    fn several_games_are_read_and_bad_ones_are_errors_in_their_place() {
        let text = format!(
            "{GAME}\n[Event \"2\"]\n\n1. e4 (1. d4\n\n{GAME}\n[Event \"4\"]\n\n1. e4\n[Event \"5\"]\n\n*\n"
        );
        let games = read(&text);
        let good: Vec<bool> = games.iter().map(|(_, game)| game.is_ok()).collect();
        assert_eq!(good, [true, false, true, true, true]);
        for (text, told) in [
            ("[Event]\n1. e4 *", "form"),
            ("[Event \"x\"", "form"),
            ("1. e4 {open", "not closed"),
            ("1. e4 }", "closes no comment"),
            ("1. e4 )", "closes no variation"),
            ("(1. e4)", "precedes"),
            ("$1 1. e4", "precedes"),
            ("1. e4 $x", "not an annotation glyph"),
            ("1. e4 $256", "not an annotation glyph"),
            ("[White \"a\"]\n[White \"b\"]\n*", "twice"),
        ] {
            let error = read(text).remove(0).1.expect_err(text);
            assert!(error.to_string().contains(told), "{text}: {error}");
            assert!(error.place.is_some(), "{error}");
        }
        let deep = format!("1. e4 {}", "(1. d4 ".repeat(MAX_DEPTH + 1));
        assert!(
            read(&deep)
                .remove(0)
                .1
                .is_err_and(|e| e.to_string().contains("nested"))
        );
        let illegal = again("1. e4 e5 2. Ke3 *", &fide()).expect_err("an illegal turn");
        assert!(illegal.to_string().contains("turn 3"), "{illegal}");
    }
}
