//! Open games with their tables and solved graphs, and the values of positions.
//!
//! Stored tables and graphs count against the memory limit of the server. If the limit is reached, the least
//! recently used sessions are closed first.

use board::{Color, Kind, Square};
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use explore::{Exploration, StateId, explore};
use language::{Expression, Interrupted, Oracle, Subject, Valued};
use notation::{Setup, fen, with_setup};
use position::{Family, ForLayout, KEY_WORDS, Position, for_layout};
use puzzle::Layout;
use rules::{Game, Variant};
use std::sync::{Arc, Mutex, MutexGuard};
use tables::{Store, Tables};
use thiserror::Error;
use values::{Unsolved, Value, Values, solve_game};

/// The maximum number of states of a graph that is solved on demand.
pub const MAX_STATES: u64 = 500_000;

/// The maximum number of solved graphs that a session stores.
const MAX_GRAPHS: usize = 4;

/// The maximum number of open sessions.
const MAX_SESSIONS: usize = 32;

/// The stored tables of each session may take the server's memory divided by this number.
const TABLE_PARTS: u64 = 16;

/// The maximum number of states that are listed for a condition.
const MAX_LISTED: usize = 200;

/// The number of states between two checks of the stop flag.
const OFTEN: u64 = 1 << 8;

/// The reason why a graph was not solved.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GraphError {
    /// The graph has more than [`MAX_STATES`] states.
    #[error(
        "more than {MAX_STATES} positions can be reached from this one; a smaller board or fewer units are \
         needed"
    )]
    TooManyStates,
    /// The search ended early.
    #[error("the search was stopped: {0}")]
    Stopped(Stopped),
    /// The values cannot be computed.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
}

/// The states of a solved graph for which a condition holds.
#[derive(Default)]
pub struct StatesFound {
    /// The number of states of the graph.
    pub states: u64,
    /// The number of states for which the condition holds.
    pub count: u64,
    /// FENs of the first of these states, in order of their distance from the root.
    pub fens: Vec<String>,
}

/// A graph with the value of each of its states. Edges are not stored.
#[derive(Debug)]
struct Solved {
    graph: Exploration,
    values: Values,
}

impl Solved {
    fn bytes(&self) -> u64 {
        self.graph.states.bytes() + size_of::<u16>() as u64 * self.values.len() as u64
    }
}

/// A game on one board, with its tables and its recently solved graphs.
pub struct Session<W: Layout> {
    /// The game.
    pub game: Arc<dyn Game<W>>,
    /// The endgame tables of the game.
    pub tables: Tables<W>,
    /// The maximum memory in bytes for values of tables on disk. `None` if tables are kept completely in
    /// memory.
    table_bytes: Option<u64>,
    /// The solved graphs, the oldest first.
    graphs: Mutex<Vec<Arc<Solved>>>,
}

/// The origin of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The rules, because the game is over.
    Rules,
    /// An endgame table.
    Table,
    /// A graph of all positions that are reachable from some position.
    Graph,
}

impl<W: Layout> Session<W> {
    fn new(game: Arc<dyn Game<W>>, store: Option<Store>, memory_bytes: u64) -> Session<W> {
        let table_bytes = store.is_some().then_some(memory_bytes / TABLE_PARTS);
        let tables = Tables::new(Arc::clone(&game), store);
        Session {
            tables: match table_bytes {
                Some(bytes) => tables.within(bytes),
                None => tables,
            },
            game,
            table_bytes,
            graphs: Mutex::new(Vec::new()),
        }
    }

    fn graphs(&self) -> MutexGuard<'_, Vec<Arc<Solved>>> {
        self.graphs.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns the memory that tables and graphs take, in bytes.
    fn kept_bytes(&self) -> u64 {
        /// The memory of a class's index for each pair of squares, in bytes.
        const PAIR_BYTES: u64 = 21;
        let squares = self.game.board().geometry().len() as u64;
        let tables = self.tables.kept();
        let values = tables.iter().map(|table| 2 * table.class.len());
        let values = values.fold(0, u64::saturating_add);
        let values = self.table_bytes.map_or(values, |most| values.min(most));
        let graphs: u64 = self.graphs().iter().map(|solved| solved.bytes()).sum();
        values + tables.len() as u64 * PAIR_BYTES * squares * squares + graphs
    }

    /// Returns the value of a position for the side to move, with its origin, if the value is known.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn value(&self, p: &Position<W>) -> Result<Option<(Value, Source)>, Diagnostic> {
        let outcome = self.game.outcome(p);
        if !outcome.is_ongoing() {
            return Ok(Some((Value::of_outcome(outcome, p.side), Source::Rules)));
        }
        if let Some(value) = self.tables.value(p)? {
            return Ok(Some((value, Source::Table)));
        }
        let graphs = self.graphs().clone();
        let known = graphs.iter().find_map(|solved| self.state(solved, p));
        Ok(known.map(|value| (value, Source::Graph)))
    }

    /// Returns the value of a position, if the position is a state of a solved graph.
    fn state(&self, solved: &Solved, p: &Position<W>) -> Option<Value> {
        // A position that the graph's codec cannot encode is not a state of the graph.
        let (room, need) = (solved.graph.codec.plan(), self.game.key_plan(p));
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
        solved.graph.codec.encode(p, &mut key);
        let states = &solved.graph.states;
        let state = states.find(&key[..states.words()])?;
        (solved.graph.position::<W>(state) == *p).then(|| solved.values.of(state))
    }

    /// Solves the graph that is reachable from a position and stores it. Returns its number of states.
    ///
    /// # Errors
    /// If the graph has more than [`MAX_STATES`] states, or `control` stops the computation.
    pub fn solve_graph(&self, p: &Position<W>, control: &Control<'_>) -> Result<u64, GraphError> {
        let limits = explore::Limits {
            max_states: MAX_STATES,
            ..explore::Limits::default()
        };
        let mut graph = explore(self.game.as_ref(), p, &limits, control);
        let states = graph.states.len() as u64;
        match graph.summary.limit {
            None => {}
            Some(Stopped::Count(Counted::States)) => return Err(GraphError::TooManyStates),
            Some(stopped) => return Err(GraphError::Stopped(stopped)),
        }
        let game = self.game.as_ref();
        let values = solve_game(game, &graph, control)?;
        control.check().map_err(GraphError::Stopped)?;
        graph.graph = None;
        let mut graphs = self.graphs();
        if graphs.len() == MAX_GRAPHS {
            graphs.remove(0);
        }
        graphs.push(Arc::new(Solved { graph, values }));
        Ok(states)
    }

    /// Returns the states for which a condition holds, in the most recently solved graph that contains the
    /// position. Returns `None` if no graph contains it.
    ///
    /// # Errors
    /// If `stop` ends the evaluation.
    pub fn states_where(
        &self,
        p: &Position<W>,
        condition: &Expression,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<StatesFound>, Interrupted> {
        let graphs = self.graphs().clone();
        let mut with_position = graphs
            .iter()
            .filter(|solved| self.state(solved, p).is_some());
        let Some(solved) = with_position.next_back() else {
            return Ok(None);
        };
        let game = self.game.as_ref();
        let mut found = StatesFound::default();
        for row in &solved.graph.summary.depths {
            for _ in 0..row.states {
                let position = solved.graph.position::<W>(found.states as StateId);
                found.states += 1;
                if found.states.is_multiple_of(OFTEN) && stop() {
                    return Err(Interrupted);
                }
                let subject = Subject {
                    oracle: Some(self),
                    depth: row.depth,
                    out_degree: match condition.reads_graph() {
                        true => game.count(&position) as u32,
                        false => 0,
                    },
                    stop: Some(stop),
                    ..Subject::new(game, &position)
                };
                if condition.holds(&subject)? {
                    found.count += 1;
                    if found.fens.len() < MAX_LISTED {
                        found.fens.push(fen::print(game, &position));
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// Returns the material signature of a position, including hands and variant state if the variant has
    /// them.
    pub fn signature(&self, p: &Position<W>) -> String {
        let game = self.game.as_ref();
        let men = game.men();
        let squares = (0..game.board().geometry().len()).map(|n| Square(n as u8));
        let units: Vec<(Color, Kind)> = squares.filter_map(|square| p.unit(square)).collect();
        let mut text = String::new();
        for color in Color::BOTH {
            if color == Color::Black {
                text.push('v');
            }
            for kind in men.strongest() {
                let of_kind = units.iter().filter(|unit| **unit == (color, kind));
                of_kind.for_each(|_| text.push_str(&men.name(Color::White, kind)));
            }
        }
        if let Some(carried) = game.carried().fields() {
            if let Some(hand) = carried.hand(p).filter(|hand| !hand.is_empty()) {
                text += &format!(";hand={hand}");
            }
            if let Some(checks) = carried.checks(p) {
                text += &format!(";checks={checks}");
            }
        }
        match fen::state_text(game, p) {
            state if state.is_empty() || p.bound_len() > 0 => text,
            state => format!("{text};{state}"),
        }
    }
}

/// Values from tables and solved graphs. A table that cannot be read, or contradicts the rules, provides no values;
/// [`Tables::check_values`] then returns the reason.
impl<W: Layout> Oracle<W> for Session<W> {
    fn value(&self, position: &Position<W>) -> Option<Valued> {
        let known = Session::value(self, position).ok().flatten();
        known.map(|(value, _)| value.into())
    }
}

/// The family of sessions.
enum SessionsOf {}

impl Family for SessionsOf {
    type Of<W: Layout> = Arc<Session<W>>;
}

/// A session of any layout.
#[derive(Clone)]
struct AnySession(ForLayout<SessionsOf>);

/// The family of sessions with a position of their games.
#[doc(hidden)]
pub enum OpenedOf {}

impl Family for OpenedOf {
    type Of<W: Layout> = (Arc<Session<W>>, Position<W>);
}

/// A session of any layout, and a position of its game.
#[derive(Clone)]
pub struct Opened(pub ForLayout<OpenedOf>);

/// Evaluates an expression for a session of any layout and one of its positions:
/// `with_session!(open, session, position => expression)`.
macro_rules! with_session {
    ($open:expr, $session:ident, $p:ident => $body:expr) => {
        position::for_layout!($open.0, opened => {
            let ($session, $p) = opened;
            $body
        })
    };
}
pub(crate) use with_session;

/// Returns a session with a position of its game.
fn opened<W: Layout>(session: Arc<Session<W>>, p: Position<W>) -> Opened {
    Opened(W::wrap::<OpenedOf>((session, p)))
}

impl AnySession {
    /// Returns a new session, and its position.
    fn new(setup: Setup, store: Option<Store>, memory_bytes: u64) -> (AnySession, Opened) {
        fn wrapped<W: Layout>(session: &Arc<Session<W>>) -> AnySession {
            AnySession(W::wrap::<SessionsOf>(Arc::clone(session)))
        }
        with_setup!(setup, start => {
            let session = Arc::new(Session::new(start.game, store, memory_bytes));
            (wrapped(&session), opened(session, start.position))
        })
    }

    fn kept_bytes(&self) -> u64 {
        for_layout!(&self.0, session => session.kept_bytes())
    }

    /// Removes the solved graphs, even if a job still uses the session.
    fn forget_graphs(&self) {
        for_layout!(&self.0, session => session.graphs().clear());
    }

    fn read(self, text: &str) -> Result<Opened, Diagnostic> {
        for_layout!(self.0, session => {
            let p = fen::read_position(session.game.as_ref(), text)?;
            Ok(opened(session, p))
        })
    }
}

/// The key of a session: the identity of the variant, and the shape of the board.
type Name = (String, String);

/// The open sessions, the most recently used last.
pub struct Sessions {
    store: Option<Store>,
    memory_bytes: u64,
    open: Mutex<Vec<(Name, AnySession)>>,
}

impl Sessions {
    /// Returns an empty list. The sessions may use half of `memory_bytes`.
    pub fn new(store: Option<Store>, memory_bytes: u64) -> Sessions {
        Sessions {
            store,
            memory_bytes,
            open: Mutex::new(Vec::new()),
        }
    }

    /// Returns whether tables are stored on disk.
    pub fn has_store(&self) -> bool {
        self.store.is_some()
    }

    fn open_sessions(&self) -> MutexGuard<'_, Vec<(Name, AnySession)>> {
        self.open.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns an open session and marks it as the most recently used.
    fn known(&self, name: &Name) -> Option<AnySession> {
        let mut open = self.open_sessions();
        let at = open.iter().position(|(known, _)| known == name)?;
        let entry = open.remove(at);
        let session = entry.1.clone();
        open.push(entry);
        Some(session)
    }

    /// Opens a variant and reads a position, or the start position. Reuses an open session for the same
    /// variant and board.
    ///
    /// # Errors
    /// If the text is not a position of the variant.
    pub fn open(&self, variant: &Variant, text: Option<&str>) -> Result<Opened, Diagnostic> {
        let start = variant.start();
        let text = text.unwrap_or(&start);
        let shape = fen::shape(text)?;
        let board = format!("{}{:x}", shape.size(), shape.holes());
        let named = |variant: &Variant| (variant.identity(), board.clone());
        self.close_beyond(self.memory_bytes / 2);
        let known = self.known(&named(variant));
        if let Some(Ok(opened)) = known.map(|session| session.read(text)) {
            return Ok(opened);
        }
        // Open the session without holding the list, since this takes time and other requests need the list.
        let setup = Setup::read(variant, Some(text))?;
        // A position with large hands may need a variant of its own, so look up the session by that variant.
        let name = named(setup.variant());
        if let Some(session) = self.known(&name) {
            return session.read(text);
        }
        let (session, opened) = AnySession::new(setup, self.store.clone(), self.memory_bytes);
        let mut open = self.open_sessions();
        open.retain(|(known, _)| *known != name);
        if open.len() == MAX_SESSIONS {
            open.remove(0);
        }
        open.push((name, session));
        Ok(opened)
    }

    /// Frees memory for a job by closing sessions until the others use at most a quarter of the memory.
    pub fn make_room(&self) {
        self.close_beyond(self.memory_bytes / 4);
    }

    /// Closes the least recently used sessions until the others use at most `max_bytes`.
    fn close_beyond(&self, max_bytes: u64) {
        let mut open = self.open_sessions();
        let sizes = open.iter().map(|(_, session)| session.kept_bytes());
        let mut total = sizes.fold(0, u64::saturating_add);
        open.retain(|(_, session)| {
            let bytes = session.kept_bytes();
            if total <= max_bytes || bytes == 0 {
                return true;
            }
            total = total.saturating_sub(bytes);
            session.forget_graphs();
            false
        });
    }
}
