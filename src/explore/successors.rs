//! Successors of many states at once, as exact keys: all that a search has to know of a game whose
//! states it holds by other means than [`crate::explore`] does.

use crate::Layout;
use board::Color;
use notation::{fen, turns};
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Outcome, with_turns};

/// Successors of a batch of states.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Successors {
    /// The keys of the successors one after the other, in the order of the states and, of each,
    /// of its turns. One to which several turns lead is there as often.
    pub keys: Vec<u64>,
    /// How many successors each state has.
    pub degrees: Vec<u32>,
    /// The states without a turn, by their number in the batch, and how the game ended there.
    pub ends: Vec<(usize, Outcome)>,
}

impl Successors {
    /// Generates from the states with these keys; what was there before goes.
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

/// What the [`Expander`] asks of a game of one layout.
trait Keyed: Send + Sync {
    fn expand(&self, keys: &[u64], successors: &mut Successors);
    fn replay(&self, key: &[u64], keys: &mut Vec<u64>) -> Result<Option<Outcome>, String>;
    fn turns(&self, key: &[u64]) -> Vec<(String, Vec<u64>)>;
    fn outcome(&self, key: &[u64]) -> Outcome;
    fn side(&self, key: &[u64]) -> Color;
    fn fen(&self, key: &[u64]) -> String;
}

struct Of<'g, W: Layout> {
    game: &'g dyn Game<W>,
    codec: Codec,
}

impl<W: Layout> Of<'_, W> {
    fn encoded(&self, p: &Position<W>) -> Vec<u64> {
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        key[..self.codec.words()].to_vec()
    }
}

impl<W: Layout> Keyed for Of<'_, W> {
    fn expand(&self, keys: &[u64], successors: &mut Successors) {
        let keys = keys.chunks_exact(self.codec.words());
        successors.fill(self.game, &self.codec, keys);
    }

    fn replay(&self, key: &[u64], keys: &mut Vec<u64>) -> Result<Option<Outcome>, String> {
        let p: Position<W> = self.codec.decode(key);
        with_turns(|list| {
            self.game.turns(&p, list);
            if list.is_empty() {
                let outcome = self.game.outcome(&p);
                if outcome.is_ongoing() {
                    return Err("no turn, and the game has not ended".to_string());
                }
                return Ok(Some(outcome));
            }
            let mut after = Position::empty();
            let mut to = [0; KEY_WORDS];
            for turn in list.iter() {
                self.game.play_into(&p, turn, &mut after);
                if after.side == p.side {
                    let text = turns::print(self.game, &p, turn);
                    return Err(format!("`{text}` does not hand the move over"));
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
}

/// The graph of a game, for [`Expander::new`].
pub(crate) fn keyed_generic<'g, W: Layout>(
    game: &'g dyn Game<W>,
    root: &Position<W>,
) -> Expander<'g> {
    let of = Of {
        game,
        codec: game.codec(root),
    };
    Expander {
        root: of.encoded(root),
        bits: of.codec.bits(),
        of: Box::new(of),
    }
}

/// A game as a graph of keys, for searches that are the same for every layout.
pub struct Expander<'g> {
    root: Vec<u64>,
    bits: u32,
    of: Box<dyn Keyed + 'g>,
}

impl<'g> Expander<'g> {
    /// The game's graph from a root on.
    pub fn new<W: Layout>(game: &'g dyn Game<W>, root: &Position<W>) -> Expander<'g> {
        W::keyed(game, root)
    }

    /// The key of the root.
    pub fn root(&self) -> &[u64] {
        &self.root
    }

    /// Words of a key, 1 to [`KEY_WORDS`].
    pub fn words(&self) -> usize {
        self.root.len()
    }

    /// Bits of a key that can be set, from the lowest of its first word on.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Generates the successors of the states whose keys stand one after the other.
    pub fn expand(&self, keys: &[u64], successors: &mut Successors) {
        self.of.expand(keys, successors);
    }

    /// Makes every turn of a state again as its text would be played, with nothing of the fast way of
    /// [`Expander::expand`], and appends the keys of the successors; or answers how the game ended
    /// there.
    ///
    /// # Errors
    /// What is wrong: no turn although the game goes on, or a turn after which the same side moves.
    pub fn replay(&self, key: &[u64], keys: &mut Vec<u64>) -> Result<Option<Outcome>, String> {
        self.of.replay(key, keys)
    }

    /// The turns of a state in byte order of their texts, and the keys that they lead to.
    pub fn turns(&self, key: &[u64]) -> Vec<(String, Vec<u64>)> {
        self.of.turns(key)
    }

    /// How the game stands.
    pub fn outcome(&self, key: &[u64]) -> Outcome {
        self.of.outcome(key)
    }

    /// Whose move it is.
    pub fn side(&self, key: &[u64]) -> Color {
        self.of.side(key)
    }

    /// The FEN of a state.
    pub fn fen(&self, key: &[u64]) -> String {
        self.of.fen(key)
    }
}
