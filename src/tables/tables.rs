//! The tables of a game on a board: in memory and, with a store, on disk.

use super::class::{Class, Placed, has_astray_pawns, is_valid_en_passant};
use super::class_table::{Table, Values};
use super::key::{ClassKey, MAX_UNITS};
use super::paged::Room;
use super::probe::{Probe, ProbeCache, TurnValue};
use super::store::{self, Read, Store};
use super::symmetry;
use super::values_only::ValuesOnlyTable;
use board::Squares;
use control::Stopped;
use diagnostics::Diagnostic;
use notation::fen;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use values::Value;
use values::oracle::Oracle;

/// The tables of one game on one board.
pub struct Tables<W: Layout> {
    game: Arc<dyn Game<W>>,
    store: Option<Store>,
    /// The tables requested so far; `None` for a table that is missing.
    loaded: RwLock<FxHashMap<ClassKey, Option<Arc<Table>>>>,
    /// The values without distances that were requested so far; `None` for those that are missing.
    values_only: Mutex<FxHashMap<ClassKey, Option<Arc<ValuesOnlyTable>>>>,
    /// Whether damaged files count as missing, because a build replaces them.
    mending: AtomicBool,
    /// Messages about files that count as missing.
    notes: Mutex<Vec<String>>,
    /// The first error of [`value`](Self::value).
    fault: Mutex<Option<Diagnostic>>,
    /// Whether an oracle's value was read.
    was_read: AtomicBool,
    /// The cache for the values of tables. `None` if all tables are held in memory.
    room: Option<Arc<Room>>,
    /// Folder and slice size for classes that do not fit in memory. `None` if all classes are solved in
    /// memory.
    workshop: Option<DiskBuild>,
}

/// Folder and slice size for solving classes that do not fit in memory.
#[derive(Clone, Debug)]
pub(super) struct DiskBuild {
    /// The folder.
    pub folder: PathBuf,
    /// Positions of a slice. If this is set, all classes are solved on disk, regardless of memory.
    pub slice: Option<u32>,
}

/// The table that represents a class.
pub(super) struct Home {
    /// The canonical class.
    pub key: ClassKey,
    /// Whether the canonical class has the sides swapped.
    pub swap: bool,
    /// The table of the canonical class, if there is one.
    pub table: Option<Arc<Table>>,
}

fn by_key(mut tables: Vec<Arc<Table>>) -> Vec<Arc<Table>> {
    tables.sort_unstable_by_key(|table| table.class.key);
    tables
}

impl<W: Layout> Tables<W> {
    /// Returns tables of which none is loaded. Those in `store` are read on demand.
    pub fn new(game: Arc<dyn Game<W>>, store: Option<Store>) -> Tables<W> {
        Tables {
            game,
            store,
            loaded: RwLock::new(FxHashMap::default()),
            values_only: Mutex::default(),
            mending: AtomicBool::new(false),
            notes: Mutex::new(Vec::new()),
            fault: Mutex::default(),
            was_read: AtomicBool::new(false),
            room: None,
            workshop: None,
        }
    }

    /// Keeps the values of stored tables on disk, with at most `bytes` bytes of them in memory. Without a
    /// store, this has no effect.
    pub fn within(mut self, bytes: u64) -> Tables<W> {
        if self.store.is_some() {
            self.room = Some(Arc::new(Room::new(bytes)));
        }
        self
    }

    /// Solves classes that do not fit in memory in `folder`. A quarter of the memory is for the tables that
    /// they lead to. Without a store, this has no effect.
    pub fn working_in(self, folder: PathBuf, memory_bytes: u64) -> Tables<W> {
        let mut tables = self.within(memory_bytes / 4);
        if tables.store.is_some() {
            tables.workshop = Some(DiskBuild {
                folder,
                slice: None,
            });
        }
        tables
    }

    /// Solves every class in the folder of [`working_in`](Self::working_in), even if it fits in memory, in
    /// slices of about `positions` positions. For tests, and for measuring the cost of solving on disk.
    pub fn in_slices_of(mut self, positions: u32) -> Tables<W> {
        if let Some(workshop) = &mut self.workshop {
            workshop.slice = Some(positions);
        }
        self
    }

    /// Returns the folder and slice size for classes that do not fit in memory, and the cache for other
    /// tables.
    pub(super) fn workshop(&self) -> Option<(&DiskBuild, &Room)> {
        Some((self.workshop.as_ref()?, self.room.as_deref()?))
    }

    /// Returns the error of the first table file that could not be read since these tables were opened, if
    /// any. All values read since then are meaningless.
    pub(super) fn trouble(&self) -> Result<(), Diagnostic> {
        self.room.as_ref().map_or(Ok(()), |room| room.trouble())
    }

    /// Returns the messages, since the last call, about files that count as missing, each with the reason.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = std::mem::take(&mut *self.notes.lock().unwrap_or_else(|e| e.into_inner()));
        notes.sort_unstable();
        notes.dedup();
        notes
    }

    /// Checks that no call of [`value`](Self::value) has failed. Users of an oracle, which returns no diagnostic, call
    /// this afterward.
    ///
    /// # Errors
    /// The first error of [`value`](Self::value).
    pub fn check_values(&self) -> Result<(), Diagnostic> {
        let fault = self.fault.lock().unwrap_or_else(|e| e.into_inner());
        fault.clone().map_or(Ok(()), Err)
    }

    /// Returns the error for a position whose value contradicts the rules. `why` says what is wrong.
    pub(super) fn contradiction(&self, p: &Position<W>, ending: &str, why: &str) -> Diagnostic {
        let game = self.game();
        let (key, _) = self.canonical(&ClassKey::of(game, p));
        let origin = match &self.store {
            Some(store) => {
                let path = store::place(store.folder(), game, &key).with_extension(ending);
                format!("table file {}", path.display())
            }
            None => format!("table {}", key.label(game.men())),
        };
        let fen = fen::print(game, p);
        Diagnostic::new(
            origin,
            format!("`{fen}`: {why}; this table, or one that its turns lead to, is wrong"),
        )
        .help("`fairyproof table check` finds all wrong values; delete the files, and `fairyproof table build` builds them again")
    }

    /// Returns the values without distances that were requested so far.
    pub(super) fn known_values(
        &self,
    ) -> std::sync::MutexGuard<'_, FxHashMap<ClassKey, Option<Arc<ValuesOnlyTable>>>> {
        self.values_only.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(super) fn note(&self, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(|e| e.into_inner());
        notes.push(text);
    }

    /// Treats damaged files as missing from now on, and removes files that killed processes left behind.
    pub(super) fn mend(&self) {
        self.mending.store(true, Ordering::Relaxed);
        if let Some(store) = self.store.as_ref().filter(|store| !store.is_read_only()) {
            store.clear();
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &dyn Game<W> {
        self.game.as_ref()
    }

    /// Returns the store, if there is one.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Returns the canonical class of a class, and whether its sides are swapped.
    pub fn canonical(&self, key: &ClassKey) -> (ClassKey, bool) {
        key.canonical(self.game())
    }
}

#[per_layout]
impl<W: Layout> Tables<W> {
    /// Returns the table of a canonical class, from memory or disk, or `None` if there is none.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn table(&self, key: &ClassKey) -> Result<Option<Arc<Table>>, Diagnostic> {
        if let Some(known) = self
            .loaded
            .read()
            .unwrap_or_else(|e| e.into_inner())
            .get(key)
        {
            return Ok(known.clone());
        }
        let Some(store) = &self.store else {
            return Ok(None);
        };
        let read = match store.read(self.game(), *key, self.room.as_ref()) {
            Err(error) if self.mending.load(Ordering::Relaxed) => {
                self.note(format!("{error}; it is built again"));
                Read::None
            }
            read => read?,
        };
        match read {
            Read::Table(table) => return Ok(Some(self.remember_table(*table))),
            Read::None => {}
            Read::Outdated(path) => {
                let what = match self.mending.load(Ordering::Relaxed) {
                    true => "it is built again",
                    false => "it counts as none until `fairyproof table build` builds it again",
                };
                let path = path.display();
                self.note(format!(
                    "table file {path}: the law has been corrected since it was built; {what}"
                ));
            }
        }
        self.remember(*key, None);
        Ok(None)
    }
}

impl<W: Layout> Tables<W> {
    /// Searches again for a table that was missing, because another process may have built it.
    pub(super) fn look_again(&self, key: &ClassKey) -> Result<Option<Arc<Table>>, Diagnostic> {
        self.forget(key);
        self.table(key)
    }

    /// Adds a table that was built. If there is a store, the table is stored already.
    pub(crate) fn keep(&self, table: Table) {
        if let (Some(room), Values::Held(_)) = (&self.room, &table.values)
            && !room.take(2 * table.class.len())
        {
            // The cache is full; the table is read from disk when it is requested.
            self.forget(&table.class.key);
            return;
        }
        self.remember_table(table);
    }

    /// Forgets that a table was missing.
    pub(super) fn forget(&self, key: &ClassKey) {
        let mut loaded = self.loaded.write().unwrap_or_else(|e| e.into_inner());
        if loaded.get(key).is_some_and(Option::is_none) {
            loaded.remove(key);
        }
    }

    fn remember_table(&self, table: Table) -> Arc<Table> {
        let table = Arc::new(table);
        self.remember(table.class.key, Some(Arc::clone(&table)));
        table
    }
}

#[per_layout]
impl<W: Layout> Tables<W> {
    /// Returns all tables in memory, sorted by the key of their class.
    pub fn kept(&self) -> Vec<Arc<Table>> {
        let loaded = self.loaded.read().unwrap_or_else(|e| e.into_inner());
        by_key(loaded.values().flatten().cloned().collect())
    }

    /// Returns the position with an index of a class. With `swap`, the sides are swapped.
    pub fn position(&self, class: &Class, index: u64, swap: bool) -> Option<Position<W>> {
        let Placed { position, .. } = class.placed::<W>(index)?;
        if !swap {
            return Some(position);
        }
        let flip = symmetry::rank_flip(self.game.board().geometry())?;
        Some(symmetry::rotated(self.game(), &position, &flip, true))
    }
}

impl<W: Layout> Tables<W> {
    fn remember(&self, key: ClassKey, table: Option<Arc<Table>>) {
        self.loaded
            .write()
            .unwrap_or_else(|e| e.into_inner())
            .insert(key, table);
    }
}

#[per_layout]
impl<W: Layout> Tables<W> {
    /// Returns the value of a legal position, or `None` if no table holds the position. Tables hold no
    /// positions with castling rights. A value from a file is compared with the values after the position's turns.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read, or the value contradicts the rules.
    pub fn value(&self, p: &Position<W>) -> Result<Option<Value>, Diagnostic> {
        let value = ProbeCache::new(self).value(p);
        if let Err(error) = &value {
            let mut fault = self.fault.lock().unwrap_or_else(|e| e.into_inner());
            fault.get_or_insert_with(|| error.clone());
        }
        value
    }
}

impl<W: Layout> Tables<W> {
    /// Returns whether a position belongs to no class.
    pub(super) fn is_outside(&self, p: &Position<W>) -> bool {
        let game = self.game();
        let units = p.occupied().len() as usize + p.bound_len();
        // A FEN may have an en passant square that no unit can have passed.
        let unpassed = !is_valid_en_passant(game, p);
        p.rights.0 != 0 || unpassed || has_astray_pawns(game, p) || units > MAX_UNITS
    }

    pub(super) fn home(&self, key: &ClassKey) -> Result<Home, Diagnostic> {
        let (key, swap) = self.canonical(key);
        Ok(Home {
            key,
            swap,
            table: self.table(&key)?,
        })
    }

    /// Returns the value of a position whose class has no table, if the rules settle the game.
    pub(super) fn settled_value(&self, p: &Position<W>) -> Option<Value> {
        let settled = self.game.settled(p);
        settled.map(|outcome| Value::of_outcome(outcome, p.side))
    }

    /// Returns the value at an index of a table, or an error if a table file could not be read.
    pub(super) fn value_at(&self, table: &Table, index: u64) -> Result<Option<Value>, Diagnostic> {
        let value = table.value(index);
        if value.is_none() {
            self.trouble()?;
        }
        Ok(value)
    }
}

#[per_layout]
impl<W: Layout> Tables<W> {
    /// Returns the value of a position and of each of its turns, or `None` if no table holds the position.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read, or the values contradict the rules.
    pub fn probe(&self, p: &Position<W>) -> Result<Option<Probe>, Diagnostic> {
        let mut cache = ProbeCache::new(self);
        let found = cache.probe(p)?.is_some();
        Ok(found.then(|| cache.into_probe()))
    }

    /// Returns a line of best play from a position to the end of the game, which always follows the first of
    /// the best turns. The line of a draw is empty. Distances fall along the line, because each value is compared
    /// with those after the turns.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read, a table on the line is missing, or a value contradicts the rules.
    pub fn line(&self, p: &Position<W>) -> Result<Vec<TurnValue>, Diagnostic> {
        let mut line = Vec::new();
        let mut p = *p;
        while let Some(probe) = self.probe(&p)? {
            if probe.value == Value::Draw {
                break;
            }
            let Some(best) = probe.turns.into_iter().next() else {
                break;
            };
            p = self.game.play(&p, &best.turn);
            line.push(best);
        }
        Ok(line)
    }
}

/// After an error, [`check_values`](Tables::check_values) returns its diagnostic.
impl<W: Layout> Oracle<W> for Tables<W> {
    fn value(&self, p: &Position<W>) -> Result<Option<Value>, Stopped> {
        let value = Tables::value(self, p).map_err(|_| Stopped::Contradiction)?;
        if value.is_some() {
            self.was_read.store(true, Ordering::Relaxed);
        }
        Ok(value)
    }

    fn was_read(&self) -> bool {
        self.was_read.load(Ordering::Relaxed)
    }
}
