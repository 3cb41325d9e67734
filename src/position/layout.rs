//! Layouts: how wide a position's square sets are, how many kinds it can hold, and whether units may be
//! bound, so that small positions stay small.

use super::{BoundUnits, KindSets, MoreState, Piles, Planes, STATE_WORDS, Six, SixAndMore};
use board::Squares;
use std::fmt::Debug;
use std::hash::Hash;

/// The types that a [`Position`](super::Position) is made of. Four layouts cover all rule sets and boards,
/// so that everything above the rules is compiled four times and not once for each variant.
pub trait Layout: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The type of square sets.
    type Set: Squares;
    /// How kinds of units are stored, and how many kinds there can be.
    type Kinds: KindSets<Self::Set>;
    /// The units bound under others (Chromopolis), or `()`.
    type Bound: BoundUnits;
    /// Room for more of a variant's state than fits into a word, or `()`.
    type MoreState: MoreState;
    /// Whether all consumers, and all rule sets in what they have in common, share one compiled generator of
    /// turns in this layout. For rare boards this shortens the build and makes searches a little slower.
    const LEAN: bool;

    /// Returns the code of a function that is compiled for this layout. The attribute `per_layout` calls
    /// it.
    #[doc(hidden)]
    fn compiled<F: PerLayout>() -> F::Function<Self>;
}

/// The board of a layout: its sets of squares are as wide as those of the positions.
pub type BoardOf<W> = board::Board<<W as Layout>::Set>;

/// A function that is compiled once for each layout. The attribute `per_layout` implements it.
#[doc(hidden)]
pub trait PerLayout {
    /// The function's type.
    type Function<W: Layout>;
    /// The code for [`Narrow`].
    const NARROW: Self::Function<Narrow>;
    /// The code for [`NarrowBound`].
    const NARROW_BOUND: Self::Function<NarrowBound>;
    /// The code for [`Open`].
    const OPEN: Self::Function<Open>;
    /// The code for [`Wide`].
    const WIDE: Self::Function<Wide>;
}

macro_rules! layout {
    (
        $(#[$doc:meta])* $name:ident, $code:ident, $set:ty, $kinds:ty, $bound:ty, $more:ty, $lean:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $name;
        impl Layout for $name {
            type Set = $set;
            type Kinds = $kinds;
            type Bound = $bound;
            type MoreState = $more;
            const LEAN: bool = $lean;

            #[inline(always)]
            fn compiled<F: PerLayout>() -> F::Function<Self> {
                F::$code
            }
        }
    };
}
layout!(
    /// Up to 64 squares.
    Narrow,
    NARROW,
    u64,
    Six<u64>,
    (),
    (),
    false
);
layout!(
    /// Up to 64 squares, with bound units.
    NarrowBound,
    NARROW_BOUND,
    u64,
    Six<u64>,
    Piles<64>,
    (),
    false
);
layout!(
    /// Up to 64 squares and many kinds of unit.
    Open,
    OPEN,
    u64,
    Planes<u64>,
    (),
    (),
    true
);
layout!(
    /// Up to 128 squares, with any units and a long state: boards so large are rare, and each layout costs
    /// its share of every build.
    Wide,
    WIDE,
    u128,
    SixAndMore<u128>,
    Piles<128>,
    [u64; STATE_WORDS - 1],
    true
);
