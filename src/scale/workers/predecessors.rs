//! The predecessors of each state of a worker.

use explore::StateId;

/// Bits of the number of buckets into which edges are sorted first, so that memory need not hold them twice.
const BUCKETS_BITS: u32 = 6;
/// Number of edges of a piece of a bucket.
const PIECE: usize = 1 << 14;

/// Edges, sorted by the state that they lead to.
pub(super) struct Incoming {
    /// Index of the first edge to each state, with one more entry at the end.
    pub starts: Vec<u64>,
    /// The number of each edge's origin among the states of its owner.
    pub origins: Vec<StateId>,
    /// The owner of each edge's origin. Empty if there is only one worker.
    pub owners: Vec<u16>,
}

/// Edges as they arrive, sorted into buckets by the state that they lead to. An edge is one word: that
/// state's number in its bucket, the owner of the origin, and the origin's number.
pub(super) struct Buckets {
    states: usize,
    /// Bits of a state's number in its bucket.
    shift: u32,
    owner_bits: u32,
    buckets: Vec<Vec<Vec<u64>>>,
    edges: usize,
}

impl Buckets {
    pub fn new(states: usize, workers: usize) -> Buckets {
        let owner_bits = usize::BITS - (workers - 1).leading_zeros();
        let bits = usize::BITS - states.leading_zeros();
        let shift = bits.saturating_sub(BUCKETS_BITS).min(32 - owner_bits);
        Buckets {
            states,
            shift,
            owner_bits,
            buckets: vec![Vec::new(); (states >> shift) + 1],
            edges: 0,
        }
    }

    pub fn push(&mut self, to: StateId, owner: usize, origin: StateId) {
        let inside = u64::from(to) & ((1 << self.shift) - 1);
        let edge = (inside << self.owner_bits | owner as u64) << 32 | u64::from(origin);
        let bucket = &mut self.buckets[to as usize >> self.shift];
        match bucket.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(edge),
            _ => bucket.push(vec![edge]),
        }
        self.edges += 1;
    }

    pub fn bytes(&self) -> u64 {
        self.edges as u64 * 8
    }

    pub fn sorted(self) -> Incoming {
        let many = self.owner_bits > 0;
        let mut starts = Vec::with_capacity(self.states + 1);
        // Reserved memory takes no pages until it is written to.
        let mut origins: Vec<StateId> = Vec::with_capacity(self.edges);
        let mut owners: Vec<u16> = Vec::with_capacity(if many { self.edges } else { 0 });
        for (i, pieces) in self.buckets.into_iter().enumerate() {
            let first = i << self.shift;
            let last = self.states.min((i + 1) << self.shift);
            let inside = |edge: u64| (edge >> 32 >> self.owner_bits) as usize;
            let mut next = vec![0u64; last - first + 1];
            for &edge in pieces.iter().flatten() {
                next[inside(edge) + 1] += 1;
            }
            next[0] = origins.len() as u64;
            for i in 1..next.len() {
                next[i] += next[i - 1];
            }
            let (end, begins) = (next[last - first], &next[..last - first]);
            starts.extend_from_slice(begins);
            origins.resize(end as usize, 0);
            if many {
                owners.resize(end as usize, 0);
            }
            for edge in pieces.into_iter().flatten() {
                let at = &mut next[inside(edge)];
                origins[*at as usize] = edge as u32;
                if many {
                    owners[*at as usize] = (edge >> 32 & ((1 << self.owner_bits) - 1)) as u16;
                }
                *at += 1;
            }
        }
        starts.push(origins.len() as u64);
        Incoming {
            starts,
            origins,
            owners,
        }
    }
}
