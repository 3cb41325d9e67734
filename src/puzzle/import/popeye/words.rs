//! Words and lines of the input, and what a shortened word stands for.

pub(super) const KEYWORDS: [&str; 20] = [
    "beginproblem",
    "endproblem",
    "nextproblem",
    "stipulation",
    "sstipulation",
    "remark",
    "author",
    "origin",
    "title",
    "award",
    "pieces",
    "forsyth",
    "array",
    "condition",
    "option",
    "twin",
    "zeroposition",
    "protocol",
    "inputfile",
    "latex",
];

/// A word with the line that it stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) line: usize,
}

/// The known word that this one is, or is the only one to begin with it.
pub(super) fn unfold<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let word = word.to_ascii_lowercase();
    if let Some(whole) = known.iter().find(|k| **k == word) {
        return Some(whole);
    }
    let mut fitting = known.iter().filter(|k| k.starts_with(&word));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) if !word.is_empty() => Some(one),
        _ => None,
    }
}

/// Words, and lines where a keyword takes the rest of its line.
pub(super) struct Reader<'t> {
    lines: Vec<&'t str>,
    /// Index of the line, and the byte in it.
    at: (usize, usize),
    /// The line of the last word taken.
    pub(super) last: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader {
            lines: text.lines().collect(),
            at: (0, 0),
            last: 1,
        }
    }

    fn find(&self) -> Option<(Word<'t>, (usize, usize))> {
        let (mut line, mut byte) = self.at;
        while let Some(text) = self.lines.get(line) {
            let rest = &text[byte..];
            let start = byte + (rest.len() - rest.trim_start().len());
            let word = text[start..].split_whitespace().next();
            if let Some(word) = word {
                return Some((
                    Word {
                        text: word,
                        line: line + 1,
                    },
                    (line, start + word.len()),
                ));
            }
            (line, byte) = (line + 1, 0);
        }
        None
    }

    pub(super) fn peek(&self) -> Option<Word<'t>> {
        self.find().map(|(word, _)| word)
    }

    pub(super) fn next(&mut self) -> Option<Word<'t>> {
        let (word, behind) = self.find()?;
        self.at = behind;
        self.last = word.line;
        Some(word)
    }

    /// What is left of the line.
    pub(super) fn rest(&mut self) -> &'t str {
        let (line, byte) = self.at;
        let text = self.lines.get(line).map_or("", |text| &text[byte..]);
        self.at = (line + 1, 0);
        text.trim()
    }

    /// The next word unless it is a keyword; for what has to follow another word.
    pub(super) fn operand(&mut self) -> Option<Word<'t>> {
        let word = self.peek()?;
        match unfold(word.text, &KEYWORDS) {
            // A color's or option's name may begin like a keyword, but no keyword is that short.
            Some(keyword) if word.text.len() > 2 || keyword == word.text => None,
            _ => self.next(),
        }
    }
}
