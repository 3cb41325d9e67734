//! Probes: the values of a position and of each of its turns, read from tables, and their output as text and
//! CSV. A command may write millions of lines, so neither probing nor output allocates for each line.

use super::class::is_legal;
use super::key::ClassKey;
use super::store::ENDING;
use super::tables::{Home, Tables};
use diagnostics::Diagnostic;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Turn, with_turns};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use values::{RightValue, Value};

/// The values that tables have for a position and its turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The value for the side to move.
    pub value: Value,
    /// The legal turns, best first, those of equal value in byte order.
    pub turns: Vec<TurnValue>,
}

/// A turn and its value for the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnValue {
    /// The turn in coordinate notation.
    pub text: String,
    /// The turn.
    pub turn: Turn,
    /// The value for the player who makes the turn.
    pub value: Value,
}

impl Probe {
    /// Returns the rows of the probe: the position, with `-` as its turn, then the turns, best first.
    pub fn rows(&self) -> impl Iterator<Item = (&str, Value)> {
        let turns = self.turns.iter().map(|t| (t.text.as_str(), t.value));
        std::iter::once(("-", self.value)).chain(turns)
    }

    /// Appends the rows as CSV without a header: FEN, turn, value, plies. Turns and values need no quotes.
    pub fn append_csv(&self, fen: &str, out: &mut Vec<u8>) {
        let quoted = match fen.contains([',', '"', '\n', '\r']) {
            true => Cow::from(format!("\"{}\"", fen.replace('"', "\"\""))),
            false => Cow::from(fen),
        };
        for (turn, value) in self.rows() {
            for field in [&quoted, ",", turn, ",", value.word(), ","] {
                out.extend_from_slice(field.as_bytes());
            }
            if let Some(plies) = value.distance_plies() {
                append_number(plies, out);
            }
            out.push(b'\n');
        }
    }

    /// Appends turns, values and plies in aligned columns.
    pub fn append_text(&self, out: &mut Vec<u8>) {
        let (turn_width, value_width) =
            self.rows().fold((0, 0), |(turns, values), (turn, value)| {
                (turns.max(turn.len()), values.max(value.word().len()))
            });
        for (turn, value) in self.rows() {
            let start = out.len();
            out.extend_from_slice(turn.as_bytes());
            out.resize(start + turn_width + 2, b' ');
            out.extend_from_slice(value.word().as_bytes());
            if let Some(plies) = value.distance_plies() {
                out.resize(start + turn_width + value_width + 4, b' ');
                append_number(plies, out);
            }
            out.push(b'\n');
        }
    }

    /// Sorts the turns, best first, and those of equal value in byte order.
    fn sort(&mut self) {
        // Nearly all texts have at most eight bytes; these are compared as numbers.
        if self.turns.iter().any(|turn| turn.text.len() > 8) {
            let order = |a: &TurnValue, b: &TurnValue| {
                b.value.cmp(&a.value).then_with(|| a.text.cmp(&b.text))
            };
            self.turns.sort_unstable_by(order);
            return;
        }
        let key = |turn: &TurnValue| {
            let mut bytes = [0; 8];
            bytes[..turn.text.len()].copy_from_slice(turn.text.as_bytes());
            let worse = i64::from(i32::MAX) - i64::from(turn.value.rank());
            (worse as u128) << 64 | u128::from(u64::from_be_bytes(bytes))
        };
        self.turns.sort_by_cached_key(key);
    }
}

fn append_number(number: u16, out: &mut Vec<u8>) {
    let mut digits = [0; 5];
    let mut first = digits.len();
    let mut rest = number;
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

/// Reads the values of many positions on one thread. The table of each class is looked up only once.
pub struct ProbeCache<'a, W: Layout> {
    tables: &'a Tables<W>,
    homes: Vec<Home>,
    numbers: FxHashMap<ClassKey, usize>,
    /// The class requested last, and the number of its home.
    last: Option<(ClassKey, usize)>,
    /// The last probe, whose memory the next one reuses.
    probe: Probe,
    /// Texts of turns of earlier probes, for reuse.
    spare: Vec<String>,
    /// The sources of the values after each turn of a probe.
    places: Vec<ValueSource>,
}

/// The value of a position by the rules and the values that are stored for its successors.
pub(super) struct Successors {
    /// Number of turns.
    pub turns: u64,
    /// Whether all turns lead to positions with a table or a known result.
    pub are_known: bool,
    /// The value.
    pub value: RightValue,
}

/// The source of a position's value.
#[derive(Clone, Copy)]
enum ValueSource {
    /// No table. The value is known if the rules settle the game.
    Outside(Option<Value>),
    /// An index of the table of a home.
    At(usize, u64),
}

impl<'a, W: Layout> ProbeCache<'a, W> {
    /// Returns a prober of these tables.
    pub fn new(tables: &'a Tables<W>) -> ProbeCache<'a, W> {
        ProbeCache {
            tables,
            homes: Vec::new(),
            numbers: FxHashMap::default(),
            last: None,
            probe: Probe {
                value: Value::Draw,
                turns: Vec::new(),
            },
            spare: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &'a dyn Game<W> {
        self.tables.game()
    }

    /// Returns the canonical classes that were requested, in no particular order.
    pub fn classes(&self) -> impl Iterator<Item = ClassKey> {
        self.homes.iter().map(|home| home.key)
    }

    /// Returns the last probe.
    pub(super) fn into_probe(self) -> Probe {
        self.probe
    }

    /// Returns the number of a class's home. The home is looked up only once.
    fn home(&mut self, key: ClassKey) -> Result<usize, Diagnostic> {
        if let Some((last, number)) = self.last
            && last == key
        {
            return Ok(number);
        }
        let number = match self.numbers.get(&key) {
            Some(&number) => number,
            None => {
                self.homes.push(self.tables.home(&key)?);
                self.numbers.insert(key, self.homes.len() - 1);
                self.homes.len() - 1
            }
        };
        self.last = Some((key, number));
        Ok(number)
    }

    fn place(&mut self, p: &Position<W>) -> Result<ValueSource, Diagnostic> {
        if self.tables.is_outside(p) {
            return Ok(ValueSource::Outside(None));
        }
        let number = self.home(ClassKey::of(self.game(), p))?;
        let home = &self.homes[number];
        Ok(match &home.table {
            Some(table) => {
                let index = table.class.index(p, home.swap);
                table.prefetch(index);
                ValueSource::At(number, index)
            }
            None => ValueSource::Outside(self.tables.settled_value(p)),
        })
    }

    fn value_at(&self, place: ValueSource) -> Result<Option<Value>, Diagnostic> {
        match place {
            ValueSource::Outside(value) => Ok(value),
            ValueSource::At(number, index) => match &self.homes[number].table {
                Some(table) => self.tables.value_at(table, index),
                None => Ok(None),
            },
        }
    }

    /// Returns the value that is stored for a position, without comparing it with anything.
    pub(super) fn stored(&mut self, p: &Position<W>) -> Result<Option<Value>, Diagnostic> {
        let place = self.place(p)?;
        self.value_at(place)
    }

    /// Returns the value that is stored for a legal position, and whether it comes from a table.
    fn stored_value(&mut self, p: &Position<W>) -> Result<Option<(Value, bool)>, Diagnostic> {
        let place = self.place(p)?;
        let is_tabled = matches!(place, ValueSource::At(..));
        match self.value_at(place)? {
            Some(value) => Ok(Some((value, is_tabled))),
            None if is_tabled && is_legal(self.game(), p) => {
                Err((self.tables).contradiction(p, ENDING, "it is legal, and has no value"))
            }
            None => Ok(None),
        }
    }

    /// Returns the value of a position by the rules and the values that are stored for its successors.
    pub(super) fn successors(&mut self, p: &Position<W>) -> Result<Successors, Diagnostic> {
        let game = self.game();
        with_turns(|list| {
            game.turns(p, list);
            let mut found = Successors {
                turns: list.len() as u64,
                are_known: true,
                value: right_value(game, p, list.is_empty()),
            };
            let mut after = *p;
            for turn in list.iter() {
                game.play_into(p, turn, &mut after);
                let place = self.place(&after)?;
                found.are_known &= !matches!(place, ValueSource::Outside(None));
                found.value.add_turn(self.value_at(place)?);
            }
            Ok(found)
        })
    }

    /// Compares a stored value of a position with those of its successors. Values of tables that this process has
    /// built are not compared, nor are those of which the tables of a successor are missing.
    ///
    /// # Errors
    /// If a table file cannot be read, or the value contradicts the rules.
    pub(super) fn compare(&mut self, p: &Position<W>, said: Value) -> Result<(), Diagnostic> {
        if self.tables.store().is_none() {
            return Ok(());
        }
        let successors = self.successors(p)?;
        let fault = successors.value.fault(Some(said));
        match fault.filter(|_| successors.are_known) {
            Some(why) => Err(self.tables.contradiction(p, ENDING, &why)),
            None => Ok(()),
        }
    }
}

/// Returns the value of a position before its turns are added: that of the finished game if there is no turn.
fn right_value<W: Layout>(game: &dyn Game<W>, p: &Position<W>, has_no_turn: bool) -> RightValue {
    let outcome = has_no_turn.then(|| game.outcome(p));
    let ended = outcome.filter(|outcome| !outcome.is_ongoing());
    RightValue::new(Ok(ended.map(|end| Value::of_outcome(end, p.side))))
}

#[per_layout]
impl<'a, W: Layout> ProbeCache<'a, W> {
    /// Like [`Tables::value`].
    ///
    /// # Errors
    /// If a table file cannot be read, or the value contradicts the rules.
    pub fn value(&mut self, p: &Position<W>) -> Result<Option<Value>, Diagnostic> {
        let Some((value, is_tabled)) = self.stored_value(p)? else {
            return Ok(None);
        };
        if is_tabled {
            self.compare(p, value)?;
        }
        Ok(Some(value))
    }

    /// Like [`Tables::probe`], but without an allocation for each turn. The probe is valid until the next
    /// call.
    ///
    /// # Errors
    /// If a table file cannot be read, the table of a turn is missing, or the values contradict the rules.
    pub fn probe<'s>(&'s mut self, p: &Position<W>) -> Result<Option<&'s Probe>, Diagnostic> {
        let Some((value, is_tabled)) = self.stored_value(p)? else {
            return Ok(None);
        };
        self.probe.value = value;
        let game = self.game();
        (self.spare).extend(self.probe.turns.drain(..).map(|turn| turn.text));
        self.places.clear();
        with_turns(|turns| {
            game.turns(p, turns);
            let mut after = *p;
            for turn in turns.iter() {
                let mut text = self.spare.pop().unwrap_or_default();
                text.clear();
                turns::append(game, p, turn, &mut text);
                self.probe.turns.push(TurnValue {
                    text,
                    turn: *turn,
                    value: Value::Draw,
                });
                game.play_into(p, turn, &mut after);
                let place = self.place(&after)?;
                self.places.push(place);
            }
            Ok::<_, Diagnostic>(())
        })?;
        // By now the values are prefetched.
        let mut right = right_value(game, p, self.places.is_empty());
        for number in 0..self.places.len() {
            let place = self.places[number];
            let after = self.value_at(place)?;
            let turn = &mut self.probe.turns[number];
            if matches!(place, ValueSource::Outside(None)) {
                let text = &turn.text;
                return Err(Diagnostic::new(
                    "table",
                    format!("the table that `{text}` leads to is missing"),
                )
                .help("`fairyproof table build` makes what is missing"));
            }
            right.add_turn(after);
            if let Some(Ok(value)) = after.map(Value::before_turn) {
                turn.value = value;
            }
        }
        if let Some(why) = right.fault(Some(value)).filter(|_| is_tabled) {
            return Err(self.tables.contradiction(p, ENDING, &why));
        }
        self.probe.sort();
        Ok(Some(&self.probe))
    }
}
