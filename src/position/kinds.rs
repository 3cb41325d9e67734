//! Storage of the kind of unit on each square: as one set for each of six kinds; for many kinds, as the bits
//! of each square's kind; or as both combined.

use board::{Kind, Square, Squares};
use std::fmt::Debug;
use std::hash::Hash;

/// A map from squares to kinds of unit. A square holds at most one unit.
pub trait KindSets<S: Squares>: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The maximum number of kinds.
    const COUNT: usize;
    /// The number of bits of a kind code: the number of the kind plus one, or 0 for a vacant square.
    const BITS: usize;
    /// The map without units.
    const EMPTY: Self;

    /// Returns the squares of all units of a kind.
    fn of(&self, kind: Kind) -> S;
    /// Returns the kind of the unit on a square, which must be occupied.
    fn on(&self, square: Square) -> Kind;
    /// Places units of a kind on these squares, which must be vacant.
    fn put(&mut self, kind: Kind, squares: S);
    /// Removes units of a kind from these squares, which such units must occupy.
    fn take(&mut self, kind: Kind, squares: S);
    /// Moves a unit of a kind. `squares` are the unit's square and a vacant square, to which it moves.
    fn shift(&mut self, kind: Kind, squares: S);
    /// Removes the units on these squares.
    fn clear(&mut self, squares: S);
    /// Returns the squares whose kind code has bit `n` set. `n` must be below [`BITS`](Self::BITS).
    fn plane(&self, n: usize) -> S;
}

/// One set for each of the six kinds of the standard set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Six<S>([S; 6]);

impl<S: Squares> KindSets<S> for Six<S> {
    const COUNT: usize = 6;
    const BITS: usize = 3;
    const EMPTY: Six<S> = Six([S::EMPTY; 6]);

    #[inline(always)]
    fn of(&self, kind: Kind) -> S {
        self.0[kind.index()]
    }

    #[inline(always)]
    fn on(&self, square: Square) -> Kind {
        let bit = S::of(square);
        let on = |kind: Kind| usize::from(!(self.of(kind) & bit).is_empty());
        Kind::from_index(
            on(Kind::Knight)
                + 2 * on(Kind::Bishop)
                + 3 * on(Kind::Rook)
                + 4 * on(Kind::Queen)
                + 5 * on(Kind::King),
        )
    }

    #[inline(always)]
    fn put(&mut self, kind: Kind, squares: S) {
        self.0[kind.index()] |= squares;
    }

    #[inline(always)]
    fn take(&mut self, kind: Kind, squares: S) {
        self.0[kind.index()] &= !squares;
    }

    #[inline(always)]
    fn shift(&mut self, kind: Kind, squares: S) {
        self.0[kind.index()] ^= squares;
    }

    #[inline(always)]
    fn clear(&mut self, squares: S) {
        for kind in &mut self.0 {
            *kind &= !squares;
        }
    }

    #[inline(always)]
    fn plane(&self, n: usize) -> S {
        let [pawns, knights, bishops, rooks, queens, kings] = self.0;
        match n {
            0 => pawns | bishops | queens,
            1 => knights | bishops | kings,
            _ => rooks | queens | kings,
        }
    }
}

const PLANES: usize = 6;

/// The six bits of each square's kind code, as one set for each bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Planes<S>([S; PLANES]);

impl<S: Squares> Planes<S> {
    #[inline(always)]
    fn flip(&mut self, kind: Kind, squares: S) {
        let code = kind.index() + 1;
        for (n, plane) in self.0.iter_mut().enumerate() {
            // All ones or zero, without a branch.
            let all = S::EMPTY.minus(S::from_bits((code >> n & 1) as u128));
            *plane ^= squares & all;
        }
    }
}

impl<S: Squares> KindSets<S> for Planes<S> {
    const COUNT: usize = Kind::MAX;
    const BITS: usize = PLANES;
    const EMPTY: Planes<S> = Planes([S::EMPTY; PLANES]);

    #[inline(always)]
    fn of(&self, kind: Kind) -> S {
        let code = kind.index() + 1;
        let mut found = !S::EMPTY;
        for (n, &plane) in self.0.iter().enumerate() {
            // XOR with this word leaves the plane unchanged if the bit is set, and otherwise complements it.
            let complement = S::from_bits((code >> n & 1) as u128).minus(S::from_bits(1));
            found &= plane ^ complement;
        }
        found
    }

    #[inline(always)]
    fn on(&self, square: Square) -> Kind {
        let code = (0..PLANES).fold(0, |code, n| code | usize::from(self.0[n].has(square)) << n);
        Kind::from_index(code.wrapping_sub(1))
    }

    #[inline(always)]
    fn put(&mut self, kind: Kind, squares: S) {
        self.flip(kind, squares);
    }

    #[inline(always)]
    fn take(&mut self, kind: Kind, squares: S) {
        self.flip(kind, squares);
    }

    #[inline(always)]
    fn shift(&mut self, kind: Kind, squares: S) {
        self.flip(kind, squares);
    }

    #[inline(always)]
    fn clear(&mut self, squares: S) {
        for plane in &mut self.0 {
            *plane &= !squares;
        }
    }

    #[inline(always)]
    fn plane(&self, n: usize) -> S {
        self.0[n]
    }
}

/// Sets for the six kinds of the standard set, for fast access, and bits for all other kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SixAndMore<S> {
    six: Six<S>,
    more: Planes<S>,
}

impl<S: Squares> KindSets<S> for SixAndMore<S> {
    const COUNT: usize = Kind::MAX;
    const BITS: usize = PLANES;
    const EMPTY: SixAndMore<S> = SixAndMore {
        six: Six::EMPTY,
        more: Planes::EMPTY,
    };

    #[inline(always)]
    fn of(&self, kind: Kind) -> S {
        if kind.index() < Six::<S>::COUNT {
            self.six.of(kind)
        } else {
            self.more.of(kind)
        }
    }

    #[inline(always)]
    fn on(&self, square: Square) -> Kind {
        let more = self.more.0.iter().fold(S::EMPTY, |any, &plane| any | plane);
        if more.has(square) {
            self.more.on(square)
        } else {
            self.six.on(square)
        }
    }

    #[inline(always)]
    fn put(&mut self, kind: Kind, squares: S) {
        if kind.index() < Six::<S>::COUNT {
            self.six.put(kind, squares);
        } else {
            self.more.put(kind, squares);
        }
    }

    #[inline(always)]
    fn take(&mut self, kind: Kind, squares: S) {
        if kind.index() < Six::<S>::COUNT {
            self.six.take(kind, squares);
        } else {
            self.more.take(kind, squares);
        }
    }

    #[inline(always)]
    fn shift(&mut self, kind: Kind, squares: S) {
        if kind.index() < Six::<S>::COUNT {
            self.six.shift(kind, squares);
        } else {
            self.more.shift(kind, squares);
        }
    }

    #[inline(always)]
    fn clear(&mut self, squares: S) {
        self.six.clear(squares);
        self.more.clear(squares);
    }

    #[inline(always)]
    fn plane(&self, n: usize) -> S {
        let more = self.more.plane(n);
        if n < Six::<S>::BITS {
            more | self.six.plane(n)
        } else {
            more
        }
    }
}
