//! Reads values of positions from tables of both forms, without distances.

use super::file::{ENDING, Opened, ValuesOnlyTable};
use super::{Known, known, word_of};
use crate::class::is_valid_fen_position;
use crate::class_table::Table;
use crate::key::ClassKey;
use crate::tables::Tables;
use diagnostics::Diagnostic;
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::with_turns;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use values::Value;

/// Reads the values of many positions on one thread. The table of each class is looked up only once.
pub struct ValueReader<'a, W: Layout> {
    tables: &'a Tables<W>,
    homes: Vec<(Source, bool)>,
    numbers: FxHashMap<ClassKey, usize>,
}

/// A position's worth and those of its turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorthProbe {
    /// The worth for the side to move, from -2 for a loss to 2 for a win.
    pub worth: i8,
    /// The legal turns, best first, those of equal worth in byte order.
    pub turns: Vec<WorthTurn>,
}

/// A turn and its worth for the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorthTurn {
    /// The turn in coordinate notation.
    pub text: String,
    /// The worth, from -2 for a loss to 2 for a win.
    pub worth: i8,
}

/// The table of a class.
#[derive(Clone)]
enum Source {
    Full(Arc<Table>),
    Values(Arc<ValuesOnlyTable>),
    None,
}

impl<W: Layout> Tables<W> {
    /// Returns the values of a canonical class, if there is a file of values only.
    ///
    /// # Errors
    /// If the file is damaged or cannot be read.
    pub(crate) fn values_only(
        &self,
        key: &ClassKey,
    ) -> Result<Option<Arc<ValuesOnlyTable>>, Diagnostic> {
        let Some(store) = self.store() else {
            return Ok(None);
        };
        let mut known = self.known_values();
        if let Some(known) = known.get(key) {
            return Ok(known.clone());
        }
        let table = match store.open_values(self.game(), *key)? {
            Opened::Table(table) => Some(Arc::from(table)),
            Opened::None => None,
            Opened::Outdated => {
                self.note(format!(
                    "values of `{}`: the law has been corrected since they were written; they count as none",
                    key.label(self.game().men())
                ));
                None
            }
        };
        known.insert(*key, table.clone());
        Ok(table)
    }

    /// Returns whether a class has values only.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn has_values_only(&self, key: &ClassKey) -> Result<bool, Diagnostic> {
        let (key, _) = self.canonical(key);
        Ok(self.table(&key)?.is_none() && self.values_only(&key)?.is_some())
    }

    /// Returns whether there are values only of a position.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn holds_values_only(&self, p: &Position<W>) -> Result<bool, Diagnostic> {
        match self.is_outside(p) {
            true => Ok(false),
            false => self.has_values_only(&ClassKey::of(self.game(), p)),
        }
    }
}

#[per_layout]
impl<'a, W: Layout> ValueReader<'a, W> {
    /// Returns a reader of these tables.
    pub fn new(tables: &'a Tables<W>) -> ValueReader<'a, W> {
        ValueReader {
            tables,
            homes: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// Returns the worth of a position for the side to move, from -2 for a loss to 2 for a win. Returns `None`
    /// if no table holds the position, or if it is not legal.
    ///
    /// # Errors
    /// If a table is damaged, cannot be read, or leads to one that is missing.
    pub fn worth(&mut self, p: &Position<W>) -> Result<Option<i8>, Diagnostic> {
        if self.tables.is_outside(p) {
            return Ok(None);
        }
        let number = self.home(ClassKey::of(self.tables.game(), p))?;
        let is_unknown = matches!(self.homes[number].0, Source::Values(_));
        match is_unknown && !is_valid_fen_position(self.tables.game(), p) {
            true => Ok(None),
            false => self.legal_worth(p),
        }
    }

    /// Returns the worth of a position and of each of its turns, or `None` if no table holds the position.
    ///
    /// # Errors
    /// As for [`worth`](Self::worth), and if the values contradict the rules.
    pub fn probe(&mut self, p: &Position<W>) -> Result<Option<WorthProbe>, Diagnostic> {
        let Some(worth) = self.worth(p)? else {
            return Ok(None);
        };
        let game = self.tables.game();
        let mut turns = with_turns(|list| {
            game.turns(p, list);
            let rated = list.iter().map(|turn| {
                let text = turns::print(game, p, turn);
                match self.legal_worth(&game.play(p, turn))? {
                    Some(after) => Ok(WorthTurn {
                        text,
                        worth: -after,
                    }),
                    None => Err(missing(&text)),
                }
            });
            rated.collect::<Result<Vec<_>, Diagnostic>>()
        })?;
        turns.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.text.cmp(&b.text)));
        self.differ(p, worth, turns.first().map(|best| best.worth))?;
        Ok(Some(WorthProbe { worth, turns }))
    }

    /// Compares the worth of a position with those after its turns.
    ///
    /// # Errors
    /// As for [`probe`](Self::probe).
    pub(crate) fn compare(&mut self, p: &Position<W>, worth: i8) -> Result<(), Diagnostic> {
        let game = self.tables.game();
        let best = with_turns(|list| {
            game.turns(p, list);
            let mut best = None;
            for turn in list.iter() {
                match self.legal_worth(&game.play(p, turn))? {
                    Some(after) => best = best.max(Some(-after)),
                    None => return Err(missing(&turns::print(game, p, turn))),
                }
            }
            Ok(best)
        })?;
        self.differ(p, worth, best)
    }
}

impl<W: Layout> ValueReader<'_, W> {
    /// Returns an error if a position's worth differs from that of its best turn or, without a turn, from that of
    /// the finished game.
    fn differ(&self, p: &Position<W>, worth: i8, best: Option<i8>) -> Result<(), Diagnostic> {
        let game = self.tables.game();
        let ended = || Value::of_outcome(game.outcome(p), p.side).worth();
        let right = best.unwrap_or_else(ended);
        if worth == right {
            return Ok(());
        }
        let (said, right) = (word_of(worth), word_of(right));
        let why = format!("it is said to be {said}, and is {right}");
        Err(self.tables.contradiction(p, ENDING, &why))
    }

    fn home(&mut self, key: ClassKey) -> Result<usize, Diagnostic> {
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let (canonical, swap) = self.tables.canonical(&key);
        let source = match self.tables.table(&canonical)? {
            Some(table) => Source::Full(table),
            None => match self.tables.values_only(&canonical)? {
                Some(table) => Source::Values(table),
                None => Source::None,
            },
        };
        self.homes.push((source, swap));
        self.numbers.insert(key, self.homes.len() - 1);
        Ok(self.homes.len() - 1)
    }

    /// Returns the worth of a legal position.
    fn legal_worth(&mut self, p: &Position<W>) -> Result<Option<i8>, Diagnostic> {
        if self.tables.is_outside(p) {
            return Ok(None);
        }
        let game = self.tables.game();
        let number = self.home(ClassKey::of(game, p))?;
        let (source, swap) = &self.homes[number];
        match source {
            Source::Full(table) => {
                let value = self.tables.value_at(table, table.class.index(p, *swap))?;
                Ok(value.map(|value| value.worth()))
            }
            Source::None => Ok(self.tables.settled_value(p).map(|value| value.worth())),
            Source::Values(table) => {
                let stored = table.stored(table.class.index(p, *swap)).ok_or_else(|| {
                    let label = table.class.key.label(game.men());
                    Diagnostic::new(format!("values of `{label}`"), "a block is damaged")
                        .help("`fairyproof table build --values-only` writes them again")
                })?;
                self.resolved(p, stored).map(Some)
            }
        }
    }

    /// Returns the worth of a position whose table stores `stored`.
    fn resolved(&mut self, p: &Position<W>, stored: i8) -> Result<i8, Diagnostic> {
        let game = self.tables.game();
        let known = known(game, p, 2, |turn, after| {
            let worth = self.legal_worth(after)?;
            worth.ok_or_else(|| missing(&turns::print(game, p, turn)))
        })?;
        Ok(match known {
            Known::Over(worth) => worth,
            Known::Leaving(best) => best.map_or(stored, |best| best.max(stored)),
        })
    }
}

fn missing(turn: &str) -> Diagnostic {
    let why = format!("the table that `{turn}` leads to is missing");
    Diagnostic::new("table", why)
        .help("`fairyproof table build --values-only` makes what is missing")
}
