//! The grammar of FENs: a tokenizer for the board field with its hands, and the order of the other fields.
//!
//! This is the only tokenizer of FENs. It has no concept of rules: the caller decides whether a letter is a
//! unit, and whether a variant can be played on the board. Callers differ in their [`Dialect`], which is
//! data.

use super::{Color, Name};
use diagnostics::whole_number;
use smallvec::SmallVec;

/// The forms that a dialect accepts in a board field.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The maximum number for a run of vacant squares.
    pub max_run: usize,
    /// Whether the number of a run may be 0 or have leading zeros.
    pub zeros: bool,
    /// Whether a `/` may precede the hands in brackets.
    pub slash_before_hand: bool,
}

impl Dialect {
    /// The dialect of positions.
    pub const POSITION: Dialect = Dialect {
        max_run: super::MAX_FILES as usize,
        zeros: false,
        slash_before_hand: false,
    };

    /// The dialect of start positions in `variants.ini`.
    pub const DEFINITION: Dialect = Dialect {
        max_run: 64,
        zeros: true,
        slash_before_hand: true,
    };
}

/// A unit as written in a board field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitText {
    /// An ASCII letter, in upper case for White.
    pub letter: char,
    /// Whether `+` precedes the letter: the unit has promoted from the kind with this letter.
    pub promoted: bool,
    /// Whether `~` follows the letter: the unit has promoted from a pawn.
    pub was_pawn: bool,
}

impl UnitText {
    /// Returns the unit's side.
    pub fn color(self) -> Color {
        Color::of_letter(self.letter)
    }

    /// Returns the name of the unit's kind, which is in upper case.
    pub fn name(self) -> Name {
        let letter = self.letter.to_ascii_uppercase() as u8;
        Name::new(match self {
            UnitText { promoted: true, .. } => [b'+', letter],
            UnitText { was_pawn: true, .. } => [letter, b'~'],
            _ => [letter, b' '],
        })
    }
}

impl std::fmt::Display for UnitText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plus = if self.promoted { "+" } else { "" };
        let tilde = if self.was_pawn { "~" } else { "" };
        write!(f, "{plus}{}{tilde}", self.letter)
    }
}

/// A square of a board field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Vacant.
    Vacant,
    /// `*`: a square that the board does not have.
    Hole,
    /// A unit.
    Unit(UnitText),
}

/// A rank of a board field: its squares from the a-file, each with its column in the text, from 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RankText {
    /// The column at which the rank begins, from 0.
    pub column: usize,
    /// The squares.
    pub cells: Cells,
}

/// The squares of a rank, each with its column. Ranks of up to eight squares are stored without allocation,
/// because millions of FENs may be read.
pub type Cells = SmallVec<[(Cell, usize); 8]>;

/// A board field, split into squares and hands. Ranks may differ in length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardField<'t> {
    /// The ranks, the highest first.
    pub ranks: Vec<RankText>,
    /// The text between the brackets, if there are any.
    pub hand: Option<&'t str>,
}

/// The first mistake in a text that is not a board field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldError {
    /// The column of the mistake, from 0.
    pub column: usize,
    /// The mistake.
    pub mistake: Mistake,
}

/// A mistake in a board field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// The hands begin with `[` and do not end with `]`.
    OpenHand,
    /// A number is not a possible run of vacant squares.
    Run(String),
    /// A character has no meaning at its place.
    Symbol(char),
}

impl<'t> BoardField<'t> {
    /// Splits a board field into its squares and hands.
    ///
    /// # Errors
    /// At the first mistake.
    pub fn read(field: &'t str, dialect: Dialect) -> Result<BoardField<'t>, FieldError> {
        let (mut board, hand) = match field.split_once('[') {
            None => (field, None),
            Some((board, rest)) => {
                let mistake = Mistake::OpenHand;
                let column = board.chars().count();
                let hand = rest
                    .strip_suffix(']')
                    .ok_or(FieldError { column, mistake })?;
                (board, Some(hand))
            }
        };
        if dialect.slash_before_hand && hand.is_some() {
            board = board.strip_suffix('/').unwrap_or(board);
        }
        let mut ranks = Vec::with_capacity(8);
        let mut column = 0;
        for text in board.split('/') {
            let cells = cells(text, column, dialect)?;
            ranks.push(RankText { column, cells });
            // All accepted characters are ASCII, so bytes are columns.
            column += text.len() + 1;
        }
        Ok(BoardField { ranks, hand })
    }

    /// Returns the content of the square on this file and rank, both from 0, or `None` if the field has no such
    /// square.
    pub fn cell(&self, file: usize, rank: usize) -> Option<Cell> {
        let rank = self.ranks.iter().rev().nth(rank)?;
        rank.cells.get(file).map(|&(cell, _)| cell)
    }

    /// Returns the units, each with its file and rank from 0.
    pub fn units(&self) -> impl Iterator<Item = (usize, usize, UnitText)> {
        let ranks = self.ranks.iter().rev().enumerate();
        let squares = ranks.flat_map(|(rank, text)| {
            let cells = text.cells.iter().enumerate();
            cells.map(move |(file, &(cell, _))| (file, rank, cell))
        });
        squares.filter_map(|(file, rank, cell)| match cell {
            Cell::Unit(unit) => Some((file, rank, unit)),
            Cell::Vacant | Cell::Hole => None,
        })
    }
}

/// Returns the squares of a rank that begins at `start`.
fn cells(text: &str, start: usize, dialect: Dialect) -> Result<Cells, FieldError> {
    let bytes = text.as_bytes();
    let mut cells = Cells::new();
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let column = start + at;
        let wrong = |mistake| FieldError { column, mistake };
        if first.is_ascii_digit() {
            let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit());
            let digits = &text[at..at + digits.count()];
            at += digits.len();
            let run = digits.parse::<usize>().ok().filter(|&run| {
                run <= dialect.max_run && (dialect.zeros || !digits.starts_with('0'))
            });
            let run = run.ok_or_else(|| wrong(Mistake::Run(digits.to_owned())))?;
            cells.extend(std::iter::repeat_n((Cell::Vacant, column), run));
            continue;
        }
        if first == b'*' {
            cells.push((Cell::Hole, column));
            at += 1;
            continue;
        }
        let promoted = first == b'+';
        let letter = bytes.get(at + usize::from(promoted));
        let Some(&letter) = letter.filter(|letter| letter.is_ascii_alphabetic()) else {
            let symbol = text[at..].chars().next();
            return Err(wrong(Mistake::Symbol(symbol.unwrap_or(first.into()))));
        };
        at += 1 + usize::from(promoted);
        let was_pawn = !promoted && bytes.get(at) == Some(&b'~');
        at += usize::from(was_pawn);
        let unit = UnitText {
            letter: letter.into(),
            promoted,
            was_pawn,
        };
        cells.push((Cell::Unit(unit), column));
    }
    Ok(cells)
}

/// Writes a board field, square by square, from the a-file of the highest rank.
#[derive(Debug, Default)]
pub struct FieldWriter {
    text: String,
    vacant: usize,
}

impl FieldWriter {
    /// Writes a vacant square.
    pub fn vacant(&mut self) {
        self.vacant += 1;
    }

    /// Writes a square that is not vacant: a unit's letter with its signs, or `*`.
    pub fn occupied(&mut self, text: &str) {
        self.end_run();
        self.text += text;
    }

    /// Begins the next rank.
    pub fn next_rank(&mut self) {
        self.end_run();
        self.text.push('/');
    }

    /// Returns the board field.
    pub fn finish(mut self) -> String {
        self.end_run();
        self.text
    }

    fn end_run(&mut self) {
        if self.vacant > 0 {
            self.text += &self.vacant.to_string();
            self.vacant = 0;
        }
    }
}

/// The fields of a FEN in the standard order, and the remaining checks of White and Black.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields<'t> {
    /// Board, side, castling, en passant, halfmove clock, fullmove number and further fields.
    pub fields: Vec<&'t str>,
    /// The numbers of checks that White and Black still have to give, if the FEN contains them.
    pub checks: Option<[u64; 2]>,
}

/// Brings the fields of a FEN as written by programs for variants into the standard order. Castling and en
/// passant may both be missing, alone or with all fields after them; castling alone may be missing; a move
/// limit may replace en passant. The remaining checks follow en passant; or the last field has the checks
/// given, out of three.
pub fn completed(mut fields: Vec<&str>) -> Fields<'_> {
    let counts = |field: &str| -> Option<[u64; 2]> {
        let (white, black) = field.split_once('+')?;
        let number = |text: &str| text.parse::<u64>().ok().filter(|_| whole_number(text));
        Some([number(white)?, number(black)?])
    };
    let number_at = |fields: &[&str], at: usize| fields.get(at).is_some_and(|f| whole_number(f));
    if fields.len() == 2 || number_at(&fields, 2) {
        fields.splice(2..2, ["-", "-"]);
    }
    let mut checks = None;
    let given = |field: &&str| field.strip_prefix('+').and_then(counts);
    if let Some(given) = fields.last().and_then(given) {
        checks = Some(given.map(|given| 3u64.saturating_sub(given)));
        fields.pop();
    }
    let counts_at = fields
        .iter()
        .take(5)
        .position(|field| counts(field).is_some());
    if let Some(at) = counts_at.filter(|&at| at > 2) {
        checks = checks.or_else(|| counts(fields[at]));
        fields.remove(at);
    }
    if fields.len() == 5 && number_at(&fields, 3) && number_at(&fields, 4) {
        fields.insert(2, "-");
    }
    if number_at(&fields, 3) {
        fields[3] = "-";
    }
    Fields { fields, checks }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(field: &BoardField<'_>) -> Vec<String> {
        let text = |cells: &RankText| {
            let one = |(cell, _): &(Cell, usize)| match cell {
                Cell::Vacant => ".".to_string(),
                Cell::Hole => "*".to_string(),
                Cell::Unit(unit) => unit.to_string(),
            };
            cells.cells.iter().map(one).collect()
        };
        field.ranks.iter().map(text).collect()
    }

    #[test]
    fn board_fields_are_split_into_squares_and_hands() {
        let field = BoardField::read("n*12/+pP~1k[Kk-]", Dialect::POSITION).unwrap();
        assert_eq!(texts(&field), ["n*............", "+pP~.k"]);
        assert_eq!(field.hand, Some("Kk-"));
        let columns: Vec<usize> = field.ranks[1].cells.iter().map(|cell| cell.1).collect();
        assert_eq!((field.ranks[1].column, columns), (5, vec![5, 7, 9, 10]));
    }

    #[test]
    fn mistakes_have_their_column() {
        for (text, column, mistake) in [
            ("8/8[K", 3, Mistake::OpenHand),
            ("8/17", 2, Mistake::Run("17".into())),
            ("08", 0, Mistake::Run("08".into())),
            ("7p/p0", 4, Mistake::Run("0".into())),
            ("8/p+1", 3, Mistake::Symbol('+')),
            ("8/+p~", 4, Mistake::Symbol('~')),
            ("8/é", 2, Mistake::Symbol('é')),
            ("8/8/[K]", usize::MAX, Mistake::OpenHand),
        ] {
            match BoardField::read(text, Dialect::POSITION) {
                Err(error) => assert_eq!(error, FieldError { column, mistake }, "{text}"),
                Ok(field) => assert!(column == usize::MAX && field.ranks[2].cells.is_empty()),
            }
        }
    }

    #[test]
    fn definitions_may_have_zeros_and_a_slash_before_the_hand() {
        let field = BoardField::read("08/0k7/[K]", Dialect::DEFINITION).unwrap();
        assert_eq!(texts(&field), ["........", "k......."]);
        assert_eq!(field.hand, Some("K"));
    }

    #[test]
    fn written_fields_are_read_back() {
        let mut writer = FieldWriter::default();
        writer.vacant();
        writer.occupied("*");
        writer.vacant();
        writer.vacant();
        writer.next_rank();
        writer.occupied("+k");
        (0..11).for_each(|_| writer.vacant());
        assert_eq!(writer.finish(), "1*2/+k11");
    }

    #[test]
    fn fields_are_completed() {
        for (short, long, checks) in [
            ("8 w", "8 w - -", None),
            ("8 w 3 9", "8 w - - 3 9", None),
            ("8 w - 3 9", "8 w - - 3 9", None),
            ("8 w - 64 0 1", "8 w - - 0 1", None),
            ("8 w KQ - 7+5 0 1", "8 w KQ - 0 1", Some([7, 5])),
            ("8 w - - 0 1 +1+4", "8 w - - 0 1", Some([2, 0])),
            ("8 w KQkq e3 3 9", "8 w KQkq e3 3 9", None),
        ] {
            let found = completed(short.split(' ').collect());
            assert_eq!(
                (found.fields.join(" "), found.checks),
                (long.to_string(), checks)
            );
        }
    }
}
