//! Layouts: the width of a position's square sets, the number of kinds, and whether units may be bound.
//! Several layouts exist so that common positions stay small.

use super::{
    BoundUnits, Family, ForLayout, KindSets, MoreState, Piles, Planes, STATE_WORDS, Six, SixAndMore,
};
use board::Squares;
use std::fmt::Debug;
use std::hash::Hash;

/// The types of a [`Position`](super::Position)'s fields. Four layouts cover all rule sets and boards, so
/// that code above the rules is compiled four times instead of once for each variant.
pub trait Layout: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The type of square sets.
    type Set: Squares;
    /// The storage of kinds of units, which also limits their number.
    type Kinds: KindSets<Self::Set>;
    /// The units bound under others (Chromopolis), or `()`.
    type Bound: BoundUnits;
    /// The words of a variant state after the first one, or `()`.
    type MoreState: MoreState;
    /// Whether consumers and rule sets share one compiled turn generator in this layout. For rare boards,
    /// sharing shortens the build and makes searches slightly slower.
    const LEAN: bool;

    /// Returns the compiled code of a function for this layout. The attribute `per_layout` generates calls of
    /// this method.
    #[doc(hidden)]
    fn compiled<F: PerLayout>() -> F::Function<Self>;

    /// Returns a value of this layout as one of any layout.
    fn wrap<F: Family>(value: F::Of<Self>) -> ForLayout<F>;

    /// Returns the value of a family if it is of this layout.
    fn get<F: Family>(any: &ForLayout<F>) -> Option<&F::Of<Self>>;
}

/// The board of a layout, with square sets as wide as those of its positions.
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

            fn wrap<F: Family>(value: F::Of<Self>) -> ForLayout<F> {
                ForLayout::$name(value)
            }

            fn get<F: Family>(any: &ForLayout<F>) -> Option<&F::Of<Self>> {
                match any {
                    ForLayout::$name(value) => Some(value),
                    _ => None,
                }
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
    /// Up to 64 squares, with many kinds of unit.
    Open,
    OPEN,
    u64,
    Planes<u64>,
    (),
    (),
    true
);
layout!(
    /// Up to 128 squares, with all kinds, bound units and a long state. One layout serves all large boards,
    /// because they are rare and each layout lengthens the build.
    Wide,
    WIDE,
    u128,
    SixAndMore<u128>,
    Piles<128>,
    [u64; STATE_WORDS - 1],
    true
);
