//! Expands states that are given by their exact keys: generates the keys of their successors.
//!
//! An [`Expander`] hides the layout of positions, so the searches that use it are compiled once. It never
//! stores states.

use board::Color;
use board::Squares;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Layout, Position, Rights};
use rules::{Game, Outcome, with_turns};
use std::ops::Deref;
use thiserror::Error;

/// The successors of a batch of states.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Successors {
    /// The keys of the successors, one after the other, in the order of the states and of their turns. A
    /// successor is listed once for each turn that leads to it.
    pub keys: Vec<u64>,
    /// The number of successors of each state.
    pub degrees: Vec<u32>,
    /// The terminal states, by their number in the batch, each with the outcome of the game.
    pub ends: Vec<(usize, Outcome)>,
}

impl Successors {
    /// Replaces the content by the successors of the states with these keys.
    pub(crate) fn fill<'k, W: Layout>(
        &mut self,
        game: &dyn Game<W>,
        codec: &Codec,
        keys: impl Iterator<Item = &'k [u64]>,
    ) {
        self.keys.clear();
        self.degrees.clear();
        self.ends.clear();
        for (i, from) in keys.enumerate() {
            let p: Position<W> = codec.decode(from);
            let degree = game.successors(&p, codec, &mut self.keys);
            self.degrees.push(degree);
            if degree == 0 {
                self.ends.push((i, game.outcome_without_turn(&p)));
            }
        }
    }
}

/// An error in a state or in one of its turns, found by playing every turn.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StateError {
    /// The side to move has no turn although the game continues.
    #[error("no turn, and the game has not ended")]
    NoTurn,
    /// The turn does not pass the move to the opponent.
    #[error("`{0}` does not hand the move over")]
    KeepsTheMove(String),
    /// The position after this turn is not one of the graph.
    #[error("`{0}` leads to no state of the graph")]
    LeavesGraph(String),
}

/// The graph of a game as a graph of keys, independent of the game's layout.
pub trait KeyGraph: Send + Sync {
    /// Generates the successors of states, whose keys follow each other in `keys`.
    fn expand(&self, keys: &[u64], successors: &mut Successors);

    /// Plays every turn of a state one by one, without the fast code of [`KeyGraph::expand`], and appends the
    /// keys of the successors. Returns the outcome if the game has ended.
    ///
    /// # Errors
    /// If the side to move has no turn although the game continues, or if the same side moves after a turn.
    fn replay(&self, key: &[u64], keys: &mut Vec<u64>) -> Result<Option<Outcome>, StateError>;

    /// Returns the turns of a state in the byte order of their texts, each with the key of the state after
    /// it.
    fn turns(&self, key: &[u64]) -> Vec<(String, Vec<u64>)>;

    /// Returns the outcome of a state.
    fn outcome(&self, key: &[u64]) -> Outcome;

    /// Returns the side to move in a state.
    fn side(&self, key: &[u64]) -> Color;

    /// Returns the FEN of a state.
    fn fen(&self, key: &[u64]) -> String;

    /// Returns whether a key from an external source, such as a file, is the key of a position that a FEN can
    /// describe. All other functions require this of their keys.
    fn accepts(&self, key: &[u64]) -> bool;
}

struct LayoutGame<'g, W: Layout> {
    game: &'g dyn Game<W>,
    codec: Codec,
}

impl<W: Layout> LayoutGame<'_, W> {
    fn encoded(&self, p: &Position<W>) -> Vec<u64> {
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        key[..self.codec.words()].to_vec()
    }
}

impl<W: Layout> KeyGraph for LayoutGame<'_, W> {
    fn expand(&self, keys: &[u64], successors: &mut Successors) {
        let keys = keys.chunks_exact(self.codec.words());
        successors.fill(self.game, &self.codec, keys);
    }

    fn replay(&self, key: &[u64], keys: &mut Vec<u64>) -> Result<Option<Outcome>, StateError> {
        let p: Position<W> = self.codec.decode(key);
        with_turns(|list| {
            self.game.turns(&p, list);
            if list.is_empty() {
                let outcome = self.game.outcome(&p);
                if outcome.is_ongoing() {
                    return Err(StateError::NoTurn);
                }
                return Ok(Some(outcome));
            }
            let mut after = Position::empty();
            let mut to = [0; KEY_WORDS];
            for turn in list.iter() {
                self.game.play_into(&p, turn, &mut after);
                if after.side == p.side {
                    let text = turns::print(self.game, &p, turn);
                    return Err(StateError::KeepsTheMove(text));
                }
                self.codec.encode(&after, &mut to);
                keys.extend_from_slice(&to[..self.codec.words()]);
            }
            Ok(None)
        })
    }

    fn turns(&self, key: &[u64]) -> Vec<(String, Vec<u64>)> {
        let p: Position<W> = self.codec.decode(key);
        turns::sorted(self.game, &p)
            .into_iter()
            .map(|(text, turn)| (text, self.encoded(&self.game.play(&p, &turn))))
            .collect()
    }

    fn outcome(&self, key: &[u64]) -> Outcome {
        self.game.outcome(&self.codec.decode(key))
    }

    fn side(&self, key: &[u64]) -> Color {
        let p: Position<W> = self.codec.decode(key);
        p.side
    }

    fn fen(&self, key: &[u64]) -> String {
        let p: Position<W> = self.codec.decode(key);
        fen::print(self.game, &p)
    }

    fn accepts(&self, key: &[u64]) -> bool {
        if key.len() != self.codec.words() {
            return false;
        }
        let Some(p) = self.codec.decode_any::<W>(key, self.game.men().count()) else {
            return false;
        };
        // The codec must also be able to encode all later states.
        if !self.codec.plan().covers(&self.game.key_plan(&p)) {
            return false;
        }
        if p.has_default_state() && p.rights == Rights::default() && p.en_passant().is_none() {
            let board = self.game.board().geometry();
            let mut squares = p
                .occupied()
                .iter()
                .chain(p.bound_units().map(|unit| unit.square));
            return squares.all(|square| board.exists(square))
                && fen::accept(self.game, &p).is_ok();
        }
        // A FEN contains everything that a key contains, and reading the FEN checks it.
        fen::read_position(self.game, &fen::print(self.game, &p))
            .is_ok_and(|read| self.encoded(&read) == *key)
    }
}

/// A game as a graph of keys, for searches that are independent of the layout. An expander has the methods of
/// its [`KeyGraph`].
pub struct Expander<'g> {
    root: Vec<u64>,
    bits: u32,
    graph: Box<dyn KeyGraph + 'g>,
}

#[per_layout]
impl<'g> Expander<'g> {
    /// Returns the graph of the positions that can arise from a root.
    pub fn new<W: Layout>(game: &'g dyn Game<W>, root: &Position<W>) -> Expander<'g> {
        let graph = LayoutGame {
            game,
            codec: game.codec(root),
        };
        Expander::of(graph.encoded(root), graph.codec.bits(), graph)
    }
}

impl<'g> Expander<'g> {
    /// Returns a graph from the key of its root, with keys of this number of bits.
    pub fn of(root: Vec<u64>, bits: u32, graph: impl KeyGraph + 'g) -> Expander<'g> {
        Expander {
            root,
            bits,
            graph: Box::new(graph),
        }
    }

    /// Returns the key of the root.
    pub fn root(&self) -> &[u64] {
        &self.root
    }

    /// Returns the number of words of a key, 1 to [`KEY_WORDS`].
    pub fn words(&self) -> usize {
        self.root.len()
    }

    /// Returns the number of bits of a key that are used, from the lowest bit of the first word.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the turns along a line of states, given by their keys. If several turns connect two states, the
    /// first one in byte order is returned.
    pub fn turns_along(&self, keys: &[Vec<u64>]) -> Vec<String> {
        let leads = |pair: &[Vec<u64>]| {
            let mut turns = self.turns(&pair[0]).into_iter();
            turns.find_map(|(text, to)| (to == pair[1]).then_some(text))
        };
        keys.windows(2).filter_map(leads).collect()
    }
}

impl<'g> Deref for Expander<'g> {
    type Target = dyn KeyGraph + 'g;

    fn deref(&self) -> &Self::Target {
        &*self.graph
    }
}
