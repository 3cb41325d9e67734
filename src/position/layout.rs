//! Layouts: how wide a position's square sets are, how many kinds it can hold, and whether units may be
//! bound, so that small positions stay small.

use super::{BoundUnits, KindSets, Piles, Planes, Six, SixAndMore};
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
    /// Whether all consumers, and all rule sets in what they have in common, share one compiled generator of
    /// turns in this layout. For rare boards this shortens the build and makes searches a little slower.
    const LEAN: bool;
}

macro_rules! layout {
    ($(#[$doc:meta])* $name:ident, $set:ty, $kinds:ty, $bound:ty, $lean:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $name;
        impl Layout for $name {
            type Set = $set;
            type Kinds = $kinds;
            type Bound = $bound;
            const LEAN: bool = $lean;
        }
    };
}
layout!(
    /// Up to 64 squares.
    Narrow,
    u64,
    Six<u64>,
    (),
    false
);
layout!(
    /// Up to 64 squares, with bound units.
    NarrowBound,
    u64,
    Six<u64>,
    Piles<64>,
    false
);
layout!(
    /// Up to 64 squares and many kinds of unit.
    Open,
    u64,
    Planes<u64>,
    (),
    true
);
layout!(
    /// Up to 128 squares, with any units: boards so large are rare, and each layout
    /// costs its share of every build.
    Wide,
    u128,
    SixAndMore<u128>,
    Piles<128>,
    true
);

/// Declares a crate's own `Layout` trait: the layouts, with functions that the crate compiles for each.
///
/// A generic function is compiled again in every crate that uses it, up to the command line. A function
/// declared here is compiled in its own crate, once for each layout, and the crate's public generic
/// functions only call it. The generic function that does the work follows the `=`. Crates above use the
/// highest `Layout` that they need.
#[macro_export]
macro_rules! compiled_for_each_layout {
    ($(#[$doc:meta])* pub trait $name:ident: $below:path { $($functions:tt)* }) => {
        $crate::compiled_for_each_layout!(@declare [$(#[$doc])*] $name: $below, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::Narrow, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::NarrowBound, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::Open, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::Wide, { $($functions)* });
    };
    (@declare [$($doc:tt)*] $name:ident: $below:path, {
        $(fn $function:ident $(<$($life:lifetime),+>)? ($($arg:ident: $type:ty),* $(,)?)
            $(-> $result:ty)? = $work:expr;)*
    }) => {
        $($doc)*
        pub trait $name: $below {
            $(
                #[doc(hidden)]
                fn $function $(<$($life),+>)? ($($arg: $type),*) $(-> $result)?;
            )*
        }
    };
    (@compile $name:ident for $layout:ty, {
        $(fn $function:ident $(<$($life:lifetime),+>)? ($($arg:ident: $type:ty),* $(,)?)
            $(-> $result:ty)? = $work:expr;)*
    }) => {
        impl $name for $layout {
            $(
                fn $function $(<$($life),+>)? ($($arg: $type),*) $(-> $result)? {
                    $work($($arg),*)
                }
            )*
        }
    };
}
