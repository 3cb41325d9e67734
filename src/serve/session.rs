//! An open game with its tables and solved graphs, and what they say of its positions.

use control::{Control, Counted, Stopped};
use diagnostics::InputError;
use explore::{Exploration, explore};
use notation::{Setup, Start, fen};
use position::{KEY_WORDS, Position};
use puzzle::Layout;
use rules::{Game, Variant};
use std::sync::{Arc, Mutex};
use tables::{ClassKey, Store, Tables};
use values::Value;
use values::{Values, solve_game};

/// States of a graph that is solved on demand, at the most.
pub const MAX_STATES: u64 = 500_000;

/// Solved graphs that are kept of a game.
const GRAPHS: usize = 4;

/// Open games that are kept.
const DESKS: usize = 32;

/// A graph with the value of each of its states.
#[derive(Debug)]
struct Solved {
    found: Exploration,
    values: Values,
}

/// An open game.
pub struct Session<W: Layout> {
    /// The game.
    pub game: Arc<dyn Game<W>>,
    /// Its tables.
    pub tables: Tables<W>,
    graphs: Mutex<Vec<Arc<Solved>>>,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The rules: the game is over.
    Rules,
    /// An endgame table.
    Table,
    /// The graph of all that can be reached from a position.
    Graph,
}

impl<W: Layout> Session<W> {
    fn new(game: Arc<dyn Game<W>>, store: Option<Store>) -> Session<W> {
        Session {
            tables: Tables::new(Arc::clone(&game), store),
            game,
            graphs: Mutex::new(Vec::new()),
        }
    }

    /// Returns what a position is worth to the side to move, if that is known.
    ///
    /// # Errors
    /// A table that cannot be read.
    pub fn value(&self, p: &Position<W>) -> Result<Option<(Value, Source)>, InputError> {
        let outcome = self.game.outcome(p);
        if !outcome.is_ongoing() {
            return Ok(Some((Value::of_outcome(outcome, p.side), Source::Rules)));
        }
        if let Some(value) = self.tables.value(p)? {
            return Ok(Some((value, Source::Table)));
        }
        let graphs = self
            .graphs
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .clone();
        let known = graphs.iter().find_map(|solved| self.state(solved, p));
        Ok(known.map(|value| (value, Source::Graph)))
    }

    /// Returns the value of a position in a solved graph, if it is one of its states.
    fn state(&self, solved: &Solved, p: &Position<W>) -> Option<Value> {
        // A key holds no more than the graph's root can lead to.
        let (room, need) = (solved.found.codec.plan(), self.game.key_plan(p));
        let fits = need.squares == room.squares
            && need.units <= room.units
            && need.rights <= room.rights
            && (p.en_passant().is_none() || room.en_passant)
            && need.state_bits <= room.state_bits
            && p.bound_len() <= room.bound;
        if !fits {
            return None;
        }
        let mut key = [0; KEY_WORDS];
        solved.found.codec.encode(p, &mut key);
        let state = solved
            .found
            .states
            .find(&key[..solved.found.states.words()])?;
        (solved.found.position::<W>(state) == *p).then(|| solved.values.of(state))
    }

    /// Solves the graph of all that can be reached from a position, if it is small enough, and keeps
    /// it. How many states it has.
    ///
    /// # Errors
    /// In plain words, why not.
    pub fn solve_graph(&self, p: &Position<W>, control: &Control<'_>) -> Result<u64, String> {
        let limits = explore::Limits {
            max_states: MAX_STATES,
            ..explore::Limits::default()
        };
        let found = explore(self.game.as_ref(), p, &limits, control);
        let states = found.states.len() as u64;
        match found.limit {
            None => {}
            Some(Stopped::Count(Counted::States)) => {
                return Err(format!(
                    "more than {MAX_STATES} states can be reached from here"
                ));
            }
            Some(stopped) => return Err(format!("the search was stopped: {stopped}")),
        }
        let game = self.game.as_ref();
        let values = solve_game(game, &found, control).map_err(|stopped| stopped.to_string())?;
        if control.is_interrupted() {
            return Err("the search was stopped".to_string());
        }
        let mut graphs = self.graphs.lock().unwrap_or_else(|e| e.into_inner());
        if graphs.len() == GRAPHS {
            graphs.remove(0);
        }
        graphs.push(Arc::new(Solved { found, values }));
        Ok(states)
    }

    /// Returns the material signature of a position, with the state where there is one.
    pub fn signature(&self, p: &Position<W>) -> String {
        let label = ClassKey::of(self.game.as_ref(), p).label(self.game.men());
        let units = label.split('-').next().unwrap_or("").to_string();
        match fen::state_text(self.game.as_ref(), p) {
            state if state.is_empty() || p.bound_len() > 0 => units,
            state => format!("{units};{state}"),
        }
    }
}

/// Does the same with an open game of whatever layout and a position of it:
/// `with_desk!(open, session, position => expression)`.
macro_rules! with_desk {
    ($open:expr, $session:ident, $p:ident => $body:expr) => {
        match $open {
            $crate::session::Opened::Narrow($session, $p) => $body,
            $crate::session::Opened::NarrowBound($session, $p) => $body,
            $crate::session::Opened::Open($session, $p) => $body,
            $crate::session::Opened::Wide($session, $p) => $body,
        }
    };
}
pub(crate) use with_desk;

/// What holds for each layout alike.
macro_rules! for_layouts {
    ($($layout:ident),*) => {
        /// An open game, of whatever layout its board asks for.
        #[derive(Clone)]
        pub enum AnyDesk {
            $(
                #[allow(missing_docs)]
                $layout(Arc<Session<position::$layout>>),
            )*
        }

        /// An open game and a position of it.
        #[derive(Clone)]
        #[expect(
            clippy::large_enum_variant,
            reason = "there are few of them at a time, and most are matched at once"
        )]
        pub enum Opened {
            $(
                #[allow(missing_docs)]
                $layout(Arc<Session<position::$layout>>, Position<position::$layout>),
            )*
        }

        /// Returns a game that has just been opened, and its position.
        fn opened(setup: Setup, store: Option<Store>) -> (AnyDesk, Opened) {
            match setup {
                $(
                    Setup::$layout(Start { game, position }) => {
                        let session = Arc::new(Session::new(game, store));
                        let opened = Opened::$layout(Arc::clone(&session), position);
                        (AnyDesk::$layout(session), opened)
                    }
                )*
            }
        }

        /// Returns a position of a game that is open.
        fn read(session: AnyDesk, text: &str) -> Result<Opened, InputError> {
            match session {
                $(
                    AnyDesk::$layout(session) => {
                        let p = fen::read_position(session.game.as_ref(), text)?;
                        Ok(Opened::$layout(session, p))
                    }
                )*
            }
        }
    };
}
for_layouts!(Narrow, NarrowBound, Open, Wide);

/// The games that are open.
pub struct Desks {
    store: Option<Store>,
    open: Mutex<Vec<((String, String), AnyDesk)>>,
}

impl Desks {
    /// None yet.
    pub fn new(store: Option<Store>) -> Desks {
        Desks {
            store,
            open: Mutex::new(Vec::new()),
        }
    }

    /// Returns whether tables can be kept.
    pub fn has_store(&self) -> bool {
        self.store.is_some()
    }

    /// Returns the game of a variant on the board of a position, and the position.
    ///
    /// # Errors
    /// A position that is not one of the variant.
    pub fn open(&self, variant: &Variant, text: Option<&str>) -> Result<Opened, InputError> {
        let start = variant.start();
        let text = text.unwrap_or(&start);
        let shape = fen::shape(text)?;
        let name = (
            variant.to_string(),
            format!("{}{:x}", shape.size(), shape.holes()),
        );
        let mut open = self.open.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(at) = open.iter().position(|(known, _)| *known == name) {
            // The one used last stands last.
            let entry = open.remove(at);
            let session = entry.1.clone();
            open.push(entry);
            drop(open);
            return read(session, text);
        }
        let setup = Setup::read(variant, Some(text))?;
        let (session, opened) = opened(setup, self.store.clone());
        if open.len() == DESKS {
            open.remove(0);
        }
        open.push((name, session));
        Ok(opened)
    }
}
