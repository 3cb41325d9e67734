//! Successors of many states at once, as exact keys: all that a search has to know of a game whose
//! states it holds by other means than [`crate::explore`] does.

use crate::Layout;
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Outcome};

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

/// A game as a graph of keys, for searches that are the same for every layout.
pub struct Expander<'g> {
    root: Vec<u64>,
    bits: u32,
    expand: Box<dyn Fn(&[u64], &mut Successors) + Send + Sync + 'g>,
}

impl<'g> Expander<'g> {
    /// The game's graph from a root on.
    pub fn new<W: Layout>(game: &'g dyn Game<W>, root: &Position<W>) -> Expander<'g> {
        let codec = game.codec(root);
        let mut key = [0; KEY_WORDS];
        codec.encode(root, &mut key);
        Expander {
            root: key[..codec.words()].to_vec(),
            bits: codec.bits(),
            expand: Box::new(move |keys, successors| {
                W::successors_of(game, &codec, keys, successors);
            }),
        }
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
        (self.expand)(keys, successors);
    }
}

pub(crate) fn successors_of_generic<W: Layout>(
    game: &dyn Game<W>,
    codec: &Codec,
    keys: &[u64],
    successors: &mut Successors,
) {
    successors.fill(game, codec, keys.chunks_exact(codec.words()));
}
