//! The game graphs of several arrays of one board, made at once.
//!
//! Different arrays soon lead to the same positions, and mirror images have mirror images for
//! successors. So every position is expanded once for all arrays, and of a position and its mirror
//! image only the one with the lower key. Marks on the states then distinguish the arrays again:
//! what is said of an array is what its own graph, with all images, would say.

use board::{Color, Geometry, Kind, Square, Squares};
use control::Control;
use explore::{Limits, StateId, States};
use position::{Codec, KEY_WORDS, Narrow, Position};
use rules::{Game, Turn, with_turns};

/// What the graph of one array alone would say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Share {
    /// Positions that the array leads to, itself included.
    pub(super) states: u64,
    /// Their turns.
    pub(super) edges: u64,
    /// The longest game; of several the first in the order in which turns are generated.
    pub(super) longest: Vec<Turn>,
}

/// Two bits for each array: whether it leads to the state, and whether to its mirror image.
type Marks = u32;

/// The most arrays at once.
pub(super) const MAX_ARRAYS: usize = Marks::BITS as usize / 2;

/// The lower bit of each pair.
const ITSELF: Marks = Marks::MAX / 3;

/// States expanded at a time.
const BATCH: usize = 512;

/// Bytes that a state takes besides key and table: start of its edges, evenness, place in the
/// order, and one of ways in, plies and marks.
const STATE_BYTES: usize = 4 + 1 + 4 + 4;
/// Bytes that an edge takes.
const EDGE_BYTES: usize = 4;

/// Keys in which mirror images are one.
struct Keys<'a> {
    game: &'a dyn Game<Narrow>,
    codec: Codec,
    /// Where the squares are in a mirror, if the law looks the same there.
    mirror: Option<Vec<Square>>,
}

/// Returns where the squares are in a mirror that reverses the files.
fn mirror(geometry: Geometry) -> Vec<Square> {
    let squares = (0..geometry.len() as u8).map(Square);
    squares
        .map(|from| {
            let file = geometry.files() - 1 - geometry.file(from);
            geometry.square(file, geometry.rank(from))
        })
        .collect()
}

impl Keys<'_> {
    /// Returns the position in the mirror, if there is one.
    fn image(&self, p: &Position<Narrow>) -> Option<Position<Narrow>> {
        let mirror = self.mirror.as_ref()?;
        let mut image = Position::<Narrow>::empty();
        image.side = p.side;
        image.state = p.state;
        for color in Color::BOTH {
            for kind in Kind::ALL {
                for square in p.units(color, kind).iter() {
                    image.put(color, kind, mirror[square.index()]);
                }
            }
        }
        Some(image)
    }

    /// Appends the lower one of the keys of a position and its image; whether it is the image's.
    fn push(&self, p: &Position<Narrow>, keys: &mut Vec<u64>) -> bool {
        let words = self.codec.words();
        let mut own = [0; KEY_WORDS];
        self.codec.encode(p, &mut own);
        if let Some(image) = self.image(p) {
            let mut other = [0; KEY_WORDS];
            self.codec.encode(&image, &mut other);
            if other[..words] < own[..words] {
                keys.extend_from_slice(&other[..words]);
                return true;
            }
        }
        keys.extend_from_slice(&own[..words]);
        false
    }

    /// Returns whether a position is its own image.
    fn is_even(&self, p: &Position<Narrow>) -> bool {
        self.image(p) == Some(*p)
    }
}

/// A graph of positions, mirror images left out, that several arrays share.
struct Joint<'a> {
    keys: Keys<'a>,
    states: States,
    /// Where the edges of each state begin; one more at the end.
    starts: Vec<u32>,
    /// Edges, as [`edge`] makes them.
    edges: Vec<u32>,
    /// Whether a state is its own image.
    even: Vec<bool>,
    /// Edges to the arrays, from nowhere.
    arrays: Vec<u32>,
}

/// Returns an edge to a state or to its image.
fn edge(state: StateId, image: bool) -> u32 {
    state << 1 | u32::from(image)
}

/// Returns the state that an edge leads to.
fn state(edge: u32) -> usize {
    (edge >> 1) as usize
}

/// Marks on the origin of an edge as they come to its end.
fn passed(marks: Marks, edge: u32) -> Marks {
    if edge & 1 == 0 {
        marks
    } else {
        (marks & ITSELF) << 1 | marks >> 1 & ITSELF
    }
}

impl<'a> Joint<'a> {
    /// Expands all that the arrays lead to; nothing if a limit stops it.
    fn new(
        keys: Keys<'a>,
        arrays: &[Position<Narrow>],
        limits: &Limits,
        control: &Control<'_>,
    ) -> Option<Joint<'a>> {
        let most = limits.max_states.min(u64::from(u32::MAX >> 1)) as usize;
        let words = keys.codec.words();
        let mut joint = Joint {
            states: States::new(keys.codec.bits()),
            starts: vec![0],
            edges: Vec::new(),
            even: Vec::new(),
            arrays: Vec::new(),
            keys,
        };
        let (mut new, mut images, mut ids) = (Vec::new(), Vec::new(), Vec::new());
        for array in arrays {
            images.push(joint.keys.push(array, &mut new));
        }
        if joint.states.insert_all(&new, most, &mut ids) < arrays.len() {
            return None;
        }
        let edges = |ids: &[StateId], images: &[bool], to: &mut Vec<u32>| {
            to.extend(ids.iter().zip(images).map(|(&id, &image)| edge(id, image)));
        };
        edges(&ids, &images, &mut joint.arrays);
        while joint.even.len() < joint.states.len() {
            if control.check().is_err() {
                return None;
            }
            new.clear();
            images.clear();
            ids.clear();
            for id in joint.even.len()..joint.states.len().min(joint.even.len() + BATCH) {
                let p = joint.keys.codec.decode(joint.states.key(id as StateId));
                joint.even.push(joint.keys.is_even(&p));
                joint.expand(&p, &mut new, &mut images);
                let end = joint.edges.len() + images.len();
                joint.starts.push(u32::try_from(end).ok()?);
            }
            let more = new.len() / words;
            let room = joint.edges.capacity().max(joint.edges.len() + more);
            let bytes = (joint.states.len() + more) * STATE_BYTES + room * EDGE_BYTES;
            if joint.states.bytes_with(more) + bytes as u64 > control.memory_bytes()
                || joint.states.insert_all(&new, most, &mut ids) < more
            {
                return None;
            }
            edges(&ids, &images, &mut joint.edges);
        }
        Some(joint)
    }

    /// Appends the keys of a position's successors, and which of them are those of images.
    fn expand(&self, p: &Position<Narrow>, keys: &mut Vec<u64>, images: &mut Vec<bool>) {
        let game = self.keys.game;
        with_turns(|turns| {
            game.turns(p, turns);
            let mut after = *p;
            for turn in turns.iter() {
                game.play_into(p, turn, &mut after);
                images.push(self.keys.push(&after, keys));
            }
        });
    }

    fn edges_of(&self, state: usize) -> &[u32] {
        &self.edges[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// Returns the states, each before those that it leads to; nothing if there is a cycle (A. B. Kahn,
    /// "Topological sorting of large networks", Comm. ACM 5, 1962). A cycle of positions is one of states,
    /// and the other way round, as a path from a position to its image continues, mirrored, back to the
    /// position.
    fn order(&self) -> Option<Vec<StateId>> {
        let mut ways_in = vec![0u32; self.states.len()];
        for &edge in &self.edges {
            ways_in[state(edge)] += 1;
        }
        let mut order: Vec<StateId> = Vec::with_capacity(self.states.len());
        order.extend((0..self.states.len() as StateId).filter(|&id| ways_in[id as usize] == 0));
        let mut at = 0;
        while let Some(&from) = order.get(at) {
            for &edge in self.edges_of(from as usize) {
                let to = state(edge);
                ways_in[to] -= 1;
                if ways_in[to] == 0 {
                    order.push(to as StateId);
                }
            }
            at += 1;
        }
        (order.len() == self.states.len()).then_some(order)
    }

    /// Returns the plies of the longest game from each state.
    fn longest(&self, order: &[StateId]) -> Vec<u32> {
        let mut longest = vec![0; self.states.len()];
        for &from in order.iter().rev() {
            let after = self.edges_of(from as usize);
            let most = after.iter().map(|&edge| longest[state(edge)] + 1).max();
            longest[from as usize] = most.unwrap_or(0);
        }
        longest
    }

    /// For each state which arrays lead to it.
    fn marks(&self, order: &[StateId]) -> Vec<Marks> {
        let mut marks = vec![0; self.states.len()];
        for (i, &array) in self.arrays.iter().enumerate() {
            marks[state(array)] |= passed(1 << (2 * i), array);
        }
        for &from in order {
            for &edge in self.edges_of(from as usize) {
                marks[state(edge)] |= passed(marks[from as usize], edge);
            }
        }
        marks
    }

    /// Returns the longest game from a position.
    fn line(&self, from: &Position<Narrow>, longest: &[u32]) -> Vec<Turn> {
        let game = self.keys.game;
        let plies = |p: &Position<Narrow>| {
            let mut key = Vec::new();
            self.keys.push(p, &mut key);
            self.states.find(&key).map(|id| longest[id as usize])
        };
        let (mut p, mut line) = (*from, Vec::new());
        while let Some(left) = plies(&p).filter(|&left| left > 0) {
            let mut turns = Vec::new();
            game.turns(&p, &mut turns);
            let on = |turn: &&Turn| plies(&game.play(&p, turn)) == Some(left - 1);
            let Some(turn) = turns.iter().find(on) else {
                break;
            };
            line.push(*turn);
            p = game.play(&p, turn);
        }
        line
    }

    /// Distinguishes the arrays; returns nothing if there is a cycle.
    fn shares(&self, arrays: &[Position<Narrow>]) -> Option<Vec<Share>> {
        let order = self.order()?;
        let longest = self.longest(&order);
        let mut shares: Vec<Share> = arrays
            .iter()
            .map(|array| Share {
                states: 0,
                edges: 0,
                longest: self.line(array, &longest),
            })
            .collect();
        drop(longest);
        for (id, marks) in self.marks(&order).into_iter().enumerate() {
            let degree = self.edges_of(id).len() as u64;
            for (i, share) in shares.iter_mut().enumerate() {
                let reached = marks >> (2 * i) & 3;
                let positions = match self.even[id] {
                    true => u64::from(reached != 0),
                    false => u64::from(reached.count_ones()),
                };
                share.states += positions;
                share.edges += positions * degree;
            }
        }
        Some(shares)
    }
}

/// Returns the graphs of arrays of one board and game, no more than [`MAX_ARRAYS`], each complete and without
/// a cycle. Nothing if one of them has a cycle, if a limit does not leave room for all, or if they have no
/// common shape of key.
pub(super) fn shares(
    game: &dyn Game<Narrow>,
    arrays: &[Position<Narrow>],
    limits: &Limits,
    control: &Control<'_>,
) -> Option<Vec<Share>> {
    let codec = game.codec(arrays.first()?);
    let plain =
        |p: &Position<Narrow>| p.rights.0 == 0 && p.en_passant().is_none() && p.bound_len() == 0;
    let alike = |p: &Position<Narrow>| game.codec(p) == codec && plain(p);
    if arrays.len() > MAX_ARRAYS || !arrays.iter().all(alike) || codec.plan().en_passant {
        return None;
    }
    let geometry = game.board().geometry();
    let keys = Keys {
        game,
        codec,
        mirror: (game.symmetries().files && geometry.holes() == 0).then(|| mirror(geometry)),
    };
    Joint::new(keys, arrays, limits, control)?.shares(arrays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::french_revolution::ID;
    use notation::Setup;

    /// Returns the results for arrays with at most this number of states for all.
    fn asked(id: &str, fens: &[&str], max_states: u64) -> Option<Vec<Share>> {
        let variant = catalog::Catalog::new().open(id).expect(id);
        let starts = fens
            .iter()
            .map(|fen| match Setup::read(&variant, Some(fen)) {
                Ok(Setup::Narrow(start)) => start,
                _ => panic!("{fen}"),
            });
        let starts: Vec<_> = starts.collect();
        let arrays: Vec<Position<Narrow>> = starts.iter().map(|start| start.position).collect();
        let limits = Limits {
            max_states,
            ..Limits::default()
        };
        shares(starts[0].game.as_ref(), &arrays, &limits, &Control::new())
    }

    #[test]
    fn nothing_is_said_of_graphs_that_have_cycles_or_do_not_fit() {
        let kings = "2k/3/K2 w - - 0 1";
        assert_eq!(asked("fide", &[kings], 1000), None);
        let array = "k1/2/PP/pp/2/K1 w - - 0 1 first=1";
        let found = asked(ID, &[array], 1_000_000).expect("a graph");
        let images = found[0].states.div_ceil(2);
        assert!(asked(ID, &[array], images - 1).is_none());
    }

    #[test]
    fn an_array_and_its_image_say_the_same_of_as_many_states() {
        let arrays = [
            "k1/2/PP/pp/2/K1 w - - 0 1 first=1",
            "1k/2/PP/pp/2/1K w - - 0 1 first=1",
        ];
        let both = asked(ID, &arrays, 1_000_000).expect("a graph");
        let one = asked(ID, &arrays[..1], 1_000_000).expect("a graph");
        assert_eq!(both[..1], one);
        assert_eq!(
            (both[0].states, both[0].edges, both[0].longest.len()),
            (both[1].states, both[1].edges, both[1].longest.len())
        );
    }
}
