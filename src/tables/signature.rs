//! Material signatures such as `KRvK`: White's units, `v`, Black's units. For a variant with a state, `;` and
//! the state follow, written as in a FEN but with bound units without squares.

use super::key::{ClassKey, MAX_UNITS};
use board::{Color, Kind, Squares};
use control::counted;
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{BoundUnits, Layout, Position};
use rules::{Game, IllegalPosition};

/// A material signature of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    text: String,
    keys: [ClassKey; 2],
}

#[per_layout]
impl Signature {
    /// Reads a signature.
    ///
    /// # Errors
    /// If a letter is not a unit of the rule set, the text is malformed, the rule set does not allow the
    /// numbers of units, or tables cannot hold such positions.
    pub fn parse<W: Layout>(game: &dyn Game<W>, text: &str) -> Result<Signature, Diagnostic> {
        let wrong = |why: String| {
            Diagnostic::new(format!("signature `{text}`"), why)
                .help("White's units, `v`, Black's units, such as `KRvK`; a state after a `;`")
        };
        let mut reader = SignatureReader {
            game,
            wrong: &wrong,
            key: ClassKey::empty(Color::White),
            state: Position::<W>::empty(),
        };
        let (units, state) = match text.split_once(';') {
            Some((units, state)) => (units, Some(state)),
            None => (text, None),
        };
        let Some((white, black)) = units.split_once('v') else {
            return Err(wrong("there is no `v` between the two sides".to_string()));
        };
        reader.units(Color::White, white)?;
        reader.units(Color::Black, black)?;
        for item in state.iter().flat_map(|state| state.split(';')) {
            reader.item(item)?;
        }
        reader.check_counts()?;
        if let Some(tables) = game.tables() {
            tables.check_tables().map_err(|why| wrong(why.into()))?;
        }
        reader.key.state = reader.state.state;
        Ok(Signature {
            text: text.to_string(),
            keys: Color::BOTH.map(|side| {
                let mut key = reader.key;
                key.side = side;
                key
            }),
        })
    }
}

/// The parts of a signature that have been read.
struct SignatureReader<'g, W: Layout> {
    game: &'g dyn Game<W>,
    /// Returns an error about the signature.
    wrong: &'g dyn Fn(String) -> Diagnostic,
    key: ClassKey,
    /// A position without units that holds the variant state.
    state: Position<W>,
}

impl<W: Layout> SignatureReader<'_, W> {
    /// Returns the kind that a letter without a sign names.
    fn kind(&self, letter: char) -> Result<Kind, Diagnostic> {
        let men = self.game.men();
        let kind = men.named(&letter.to_ascii_uppercase().to_string());
        kind.filter(|_| letter.is_ascii_alphabetic())
            .ok_or_else(|| {
                let name = |kind| men.name(Color::White, kind).to_string();
                let known: Vec<String> = men.kinds().map(name).collect();
                let separator = if men.count() > 6 { " " } else { "" };
                (self.wrong)(format!("`{letter}` is not a unit of this variant"))
                    .help(format!("its units: {}", known.join(separator)))
            })
    }

    fn check_total(&self, units: usize) -> Result<(), Diagnostic> {
        if units > MAX_UNITS {
            let why = format!("a table holds at most {MAX_UNITS} units");
            return Err((self.wrong)(why));
        }
        Ok(())
    }

    fn add(&mut self, color: Color, kind: Kind, is_bound: bool) -> Result<(), Diagnostic> {
        self.check_total(self.key.total() + 1)?;
        self.key = self.key.with(color, kind, is_bound);
        Ok(())
    }

    /// Reads the units of a side.
    fn units(&mut self, color: Color, letters: &str) -> Result<(), Diagnostic> {
        let men = self.game.men();
        let letters: Vec<char> = letters.chars().collect();
        let mut at = 0;
        while let Some(&c) = letters.get(at) {
            // A promoted unit has a sign before or after its letter.
            let signed = match (c, letters.get(at + 1)) {
                ('+', Some(letter)) => men.named(&format!("+{letter}")),
                (letter, Some('~')) => men.named(&format!("{letter}~")),
                _ => None,
            };
            let kind = match signed {
                Some(kind) => kind,
                None if !c.is_ascii_uppercase() => {
                    let why = format!("`{c}` is not an upper-case letter of a unit");
                    return Err((self.wrong)(why));
                }
                None => self.kind(c)?,
            };
            at += 1 + usize::from(signed.is_some());
            self.add(color, kind, false)?;
        }
        Ok(())
    }

    /// Reads one `key=value` item of the variant state.
    fn item(&mut self, item: &str) -> Result<(), Diagnostic> {
        let wrong = self.wrong;
        let illegal = |why: IllegalPosition| wrong(why.into());
        let Some((name, value)) = item.split_once('=') else {
            return Err(wrong(format!("`{item}` is not of the form `key=value`")));
        };
        if let Some(carried) = self.game.carried().fields() {
            if name == "hand" && carried.hand(&self.state).is_some() {
                let held = value.chars().filter(|c| c.is_ascii_alphabetic()).count();
                self.check_total(self.key.total() + held)?;
                return carried.set_hand(&mut self.state, value).map_err(illegal);
            }
            if name == "checks" && carried.checks(&self.state).is_some() {
                let left = value
                    .split_once('+')
                    .and_then(|(white, black)| Some([white.parse().ok()?, black.parse().ok()?]));
                let left =
                    left.ok_or_else(|| wrong(format!("`{value}` is not of the form `3+3`")))?;
                return carried.set_checks(&mut self.state, left).map_err(illegal);
            }
        }
        let mut keys = self.game.variant().rule_set.state().iter();
        if !keys.any(|(key, _)| *key == name) {
            return Err(wrong(format!("this variant's state has no key `{name}`")));
        }
        if <W::Bound as BoundUnits>::CAPACITY > 0 && name == "bound" {
            return value.chars().try_for_each(|c| {
                let color = Color::of_letter(c);
                self.check_total(self.key.total() + 1)?;
                let kind = self.kind(c)?;
                self.add(color, kind, true)
            });
        }
        let (carried, board) = (self.game.carried(), self.game.board());
        carried
            .read_state(board, &mut self.state, name, value)
            .map_err(illegal)
    }

    /// Checks that the signature has units, as many of each kind as the rule set allows, and that a board can hold
    /// them.
    fn check_counts(&self) -> Result<(), Diagnostic> {
        if self.key.total() == 0 {
            return Err((self.wrong)("it names no unit".to_string()));
        }
        for (color, name) in Color::BOTH.into_iter().zip(["White", "Black"]) {
            let count =
                |kind| (self.key.count(color, kind) + self.key.bound_count(color, kind)) as u32;
            if let Some(found) = self.game.wrong_count(color, &count) {
                let letter = self.game.men().letter(Color::White, found.kind);
                let (count, allowed) = (found.count, found.allowed());
                let why = format!("{name} has {count} `{letter}`; this variant wants {allowed}");
                return Err((self.wrong)(why));
            }
            self.check_squares(color, name)?;
        }
        Ok(())
    }

    /// Checks that the board has a square for each unit of both sides, and for each pawn of a side one that pawns reach
    /// in games. Without them, the table would be empty.
    fn check_squares(&self, color: Color, name: &str) -> Result<(), Diagnostic> {
        let squares = self.game.board().squares();
        let reached = (squares & !self.game.no_pawns(color)).len() as usize;
        let pawns = self.key.count(color, Kind::Pawn);
        let is_bound = self.key.bound_count(color, Kind::Pawn) > 0;
        if pawns > reached || is_bound && reached == 0 {
            let squares = counted(reached as u64, "square", "squares");
            let why =
                format!("the pawns of {name} reach {squares} in games from the start position");
            return Err((self.wrong)(why).help("the table would be empty"));
        }
        let kinds = || self.game.men().kinds();
        let units = Color::BOTH.map(|color| kinds().map(|kind| self.key.count(color, kind)).sum());
        let [white, black]: [usize; 2] = units;
        if white + black > squares.len() as usize {
            let squares = counted(u64::from(squares.len()), "square", "squares");
            return Err((self.wrong)(format!("the board has {squares}")));
        }
        Ok(())
    }
}

impl Signature {
    /// Returns the classes with White and with Black to move.
    pub fn keys(&self) -> [ClassKey; 2] {
        self.keys
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
