//! The tables of a game on a board: in memory, and on disk if requested.

use super::class::{Class, Placed, has_astray_pawns, is_valid_en_passant};
use super::class_table::{Table, Values};
use super::key::{ClassKey, MAX_UNITS};
use super::paged::Room;
use super::probe::{Probe, ProbeCache, TurnValue};
use super::store::{Read, Store};
use super::symmetry;
use board::Squares;
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use values::Value;
use values::oracle::Oracle;

/// Tables of one game on one board.
pub struct Tables<W: Layout> {
    game: Arc<dyn Game<W>>,
    store: Option<Store>,
    /// The tables requested so far; `None` for a file that does not exist.
    loaded: RwLock<FxHashMap<ClassKey, Option<Arc<Table>>>>,
    /// Whether damaged files count as none, because they are built again.
    mending: AtomicBool,
    /// What was found out about files and is worth a word.
    notes: Mutex<Vec<String>>,
    /// How much of the tables may be in memory; all of them if nothing is said.
    room: Option<Arc<Room>>,
    /// Where classes are worked out that the memory does not hold.
    workshop: Option<DiskBuild>,
}

/// Where and how classes are worked out that the memory does not hold.
#[derive(Clone, Debug)]
pub(super) struct DiskBuild {
    /// The folder.
    pub folder: PathBuf,
    /// Slices of this number of positions, and all classes in slices, regardless of memory.
    pub slice: Option<u32>,
}

/// Where the values of a class are.
pub(super) struct Home {
    /// The canonical class.
    pub key: ClassKey,
    /// Whether that is the swapped one.
    pub swap: bool,
    /// Nothing if there is none.
    pub table: Option<Arc<Table>>,
}

fn by_key(mut tables: Vec<Arc<Table>>) -> Vec<Arc<Table>> {
    tables.sort_unstable_by_key(|table| table.class.key);
    tables
}

impl<W: Layout> Tables<W> {
    /// No tables yet; those that `store` holds are read when they are requested.
    pub fn new(game: Arc<dyn Game<W>>, store: Option<Store>) -> Tables<W> {
        Tables {
            game,
            store,
            loaded: RwLock::new(FxHashMap::default()),
            mending: AtomicBool::new(false),
            notes: Mutex::new(Vec::new()),
            room: None,
            workshop: None,
        }
    }

    /// Keeps the values of stored tables on disk, with `bytes` of them in memory. Without a
    /// store nothing changes.
    pub fn within(mut self, bytes: u64) -> Tables<W> {
        if self.store.is_some() {
            self.room = Some(Arc::new(Room::new(bytes)));
        }
        self
    }

    /// Has classes that the memory does not hold worked out in a folder; a quarter of the memory is for
    /// the tables that they lead to. Without a store nothing changes.
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

    /// Solves every class in that folder, even if the memory holds it, in slices of about this number of
    /// positions: for tests, and to see what work on disk costs.
    pub fn in_slices_of(mut self, positions: u32) -> Tables<W> {
        if let Some(workshop) = &mut self.workshop {
            workshop.slice = Some(positions);
        }
        self
    }

    /// Returns where classes are worked out that the memory does not hold, and the room for other tables.
    pub(super) fn workshop(&self) -> Option<(&DiskBuild, &Room)> {
        Some((self.workshop.as_ref()?, self.room.as_deref()?))
    }

    /// Returns the first table file that could not be read since these tables were opened: values that they
    /// have reported since count for nothing.
    pub(super) fn trouble(&self) -> Result<(), Diagnostic> {
        self.room.as_ref().map_or(Ok(()), |room| room.trouble())
    }

    /// Returns what was found out about files since the last call: which ones count as missing,
    /// and why.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = std::mem::take(&mut *self.notes.lock().unwrap_or_else(|e| e.into_inner()));
        notes.sort_unstable();
        notes.dedup();
        notes
    }

    fn note(&self, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(|e| e.into_inner());
        notes.push(text);
    }

    /// From now on damaged files count as none; what dead processes left is cleared.
    pub(super) fn mend(&self) {
        self.mending.store(true, Ordering::Relaxed);
        if let Some(store) = &self.store {
            store.clear();
        }
    }

    /// Returns the game.
    pub fn game(&self) -> &dyn Game<W> {
        self.game.as_ref()
    }

    /// Returns where tables are kept.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Returns the canonical class of a class, and whether it is the swapped one.
    pub fn canonical(&self, key: &ClassKey) -> (ClassKey, bool) {
        key.canonical(self.game())
    }
}

#[per_layout]
impl<W: Layout> Tables<W> {
    /// Returns the table of a canonical class, from memory or disk; nothing if there is none.
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
    /// Searches again for a table that was not there: another process may have built it.
    pub(super) fn look_again(&self, key: &ClassKey) -> Result<Option<Arc<Table>>, Diagnostic> {
        self.forget(key);
        self.table(key)
    }

    /// Takes in a table that was built, and stored if there is a store.
    pub(crate) fn keep(&self, table: Table) {
        if let (Some(room), Values::Held(_)) = (&self.room, &table.values)
            && !room.take(2 * table.class.len())
        {
            // It is read again when it is requested.
            self.forget(&table.class.key);
            return;
        }
        self.remember_table(table);
    }

    /// Forgets that a table was not there.
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
    /// Returns all tables in memory, in the order of their classes.
    pub fn kept(&self) -> Vec<Arc<Table>> {
        let loaded = self.loaded.read().unwrap_or_else(|e| e.into_inner());
        by_key(loaded.values().flatten().cloned().collect())
    }

    /// Returns the position with an index of a class, the sides swapped if the class represents the swapped
    /// one.
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
    /// Returns the value of a legal position; nothing if no table holds it. Castling rights are outside of
    /// all tables.
    pub fn value(&self, p: &Position<W>) -> Result<Option<Value>, Diagnostic> {
        if self.is_outside(p) {
            return Ok(None);
        }
        let home = self.home(&ClassKey::of(self.game(), p))?;
        match &home.table {
            Some(table) => self.value_at(table, table.class.index(p, home.swap)),
            None => Ok(self.settled_value(p)),
        }
    }
}

impl<W: Layout> Tables<W> {
    /// Returns whether a position is of no class.
    pub(super) fn is_outside(&self, p: &Position<W>) -> bool {
        let game = self.game();
        let units = p.occupied().len() as usize + p.bound_len();
        // A FEN may show a square that no unit can have passed.
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

    /// Returns the value of a position of a class that has no table, if the rules settle it.
    pub(super) fn settled_value(&self, p: &Position<W>) -> Option<Value> {
        let settled = self.game.settled(p);
        settled.map(|outcome| Value::of_outcome(outcome, p.side))
    }

    /// Returns the value at an index of a table of these tables.
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
    /// Returns the value of a position and of each of its turns; nothing if no table holds it.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn probe(&self, p: &Position<W>) -> Result<Option<Probe>, Diagnostic> {
        let mut cache = ProbeCache::new(self);
        let found = cache.probe(p)?.is_some();
        Ok(found.then(|| cache.into_probe()))
    }

    /// Returns a line of best play from a position to the end of the game: the first of the best turns each
    /// time. Empty for draws.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read, or a table on the line is missing.
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

/// Tables that cannot be read know nothing: the search then goes its own way, to the same answer.
impl<W: Layout> Oracle<W> for Tables<W> {
    fn value(&self, p: &Position<W>) -> Option<Value> {
        Tables::value(self, p).ok().flatten()
    }
}
