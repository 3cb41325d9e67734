//! Splits the input into words and lines, and expands shortened words in three languages.

/// The languages of the input, in the column order of the tables of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    English,
    German,
    French,
}

impl Language {
    pub(super) const ALL: [Language; 3] = [Language::English, Language::German, Language::French];

    /// Returns the letters of king, queen, rook, bishop, knight and pawn.
    pub(super) fn letters(self) -> &'static str {
        match self {
            Language::English => "KQRBSP",
            Language::German => "KDTLSB",
            Language::French => "RDTFCP",
        }
    }
}

/// A word in English (which is its name in this program), in German and in French.
pub(super) type Keyword = [&'static str; 3];

pub(super) const KEYWORDS: [Keyword; 21] = [
    ["beginproblem", "anfangproblem", "debutprobleme"],
    ["endproblem", "endeproblem", "finprobleme"],
    ["nextproblem", "weiteresproblem", "asuivre"],
    ["stipulation", "forderung", "enonce"],
    ["sstipulation", "sforderung", "senonce"],
    ["remark", "bemerkung", "remarque"],
    ["author", "autor", "auteur"],
    ["origin", "quelle", "source"],
    ["title", "titel", "titre"],
    ["award", "auszeichnung", "prix"],
    ["pieces", "steine", "pieces"],
    ["forsyth", "forsyth", "forsyth"],
    ["array", "partieanfangsstellung", "positioninitialpartie"],
    [
        "initialgamearray",
        "partieanfangsstellung",
        "positioninitialpartie",
    ],
    ["condition", "bedingung", "condition"],
    ["option", "option", "option"],
    ["twin", "zwilling", "jumeau"],
    ["zeroposition", "nullstellung", "zeroposition"],
    ["protocol", "protokoll", "protocol"],
    ["inputfile", "eingabe", "entree"],
    ["latex", "latex", "latex"],
];

/// The commands that create a twin of a position.
pub(super) const TWINNINGS: [Keyword; 14] = [
    ["move", "versetze", "deplacement"],
    ["exchange", "tausche", "echange"],
    ["stipulation", "forderung", "enonce"],
    ["sstipulation", "sforderung", "senonce"],
    ["add", "hinzufuegen", "ajoute"],
    ["remove", "entferne", "ote"],
    ["continued", "ferner", "enplus"],
    ["rotate", "drehung", "rotation"],
    ["condition", "bedingung", "condition"],
    ["polishtype", "farbwechsel", "couleurechange"],
    ["mirror", "spiegelung", "miroir"],
    ["shift", "verschiebung", "translation"],
    ["substitute", "ersetze", "remplace"],
    ["forsyth", "forsyth", "forsyth"],
];

pub(super) const COLORS: [Keyword; 3] = [
    ["white", "weiss", "blanc"],
    ["black", "schwarz", "noir"],
    ["neutral", "neutral", "neutre"],
];

/// A word and its line, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) line: usize,
}

/// Returns the English name of the known word that equals `word`, or of the only known word that begins with
/// `word`. Case does not matter.
pub(super) fn unfold(word: &str, known: &[Keyword], language: Language) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let local = |known: &&Keyword| known[language as usize];
    if let Some(whole) = known.iter().find(|k| local(k) == word) {
        return Some(whole[0]);
    }
    let mut fitting = known.iter().filter(|k| local(k).starts_with(&word));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) if !word.is_empty() => Some(one[0]),
        _ => None,
    }
}

/// Returns whether a character separates words.
pub(super) fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '\u{feff}')
}

/// A reader that returns single words or the rest of a line.
pub(super) struct TokenReader<'t> {
    lines: Vec<&'t str>,
    /// The index of the current line, and the byte offset in it.
    at: (usize, usize),
    /// The line number of the last word taken, from 1.
    pub(super) last: usize,
    /// The language of the words.
    pub(super) language: Language,
}

impl<'t> TokenReader<'t> {
    pub(super) fn new(text: &'t str) -> TokenReader<'t> {
        TokenReader {
            lines: text.lines().collect(),
            at: (0, 0),
            last: 1,
            language: Language::English,
        }
    }

    /// Like [`unfold`], in the language of this input.
    pub(super) fn unfold(&self, word: &str, known: &[Keyword]) -> Option<&'static str> {
        unfold(word, known, self.language)
    }

    fn find(&self) -> Option<(Word<'t>, (usize, usize))> {
        let (mut line, mut byte) = self.at;
        while let Some(text) = self.lines.get(line) {
            let rest = &text[byte..];
            let start = byte + (rest.len() - rest.trim_start_matches(is_separator).len());
            let word = text[start..].split(is_separator).next().unwrap_or("");
            if !word.is_empty() {
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

    /// Returns whether the last word taken was the first of its line.
    pub(super) fn at_first_word(&self) -> bool {
        let (line, byte) = self.at;
        let before = self.lines.get(line).map_or("", |text| &text[..byte]);
        before.split(is_separator).filter(|w| !w.is_empty()).count() == 1
    }

    /// Takes and returns the rest of the line.
    pub(super) fn rest(&mut self) -> &'t str {
        let (line, byte) = self.at;
        let text = self.lines.get(line).map_or("", |text| &text[byte..]);
        self.at = (line + 1, 0);
        text.trim()
    }

    /// Takes and returns the next word unless it is a keyword.
    pub(super) fn operand(&mut self) -> Option<Word<'t>> {
        let word = self.peek()?;
        match self.unfold(word.text, &KEYWORDS) {
            // An operand of one or two letters can look like a shortened keyword.
            Some(_) if word.text.len() > 2 => None,
            _ => self.next(),
        }
    }
}
