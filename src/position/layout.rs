//! How wide a position is: the word its square sets fit, and whether units may lie bound.

use super::{BoundUnits, KindSets, Piles, Planes, Six};
use board::Squares;
use std::fmt::Debug;
use std::hash::Hash;

/// The types that a [`Position`](super::Position) is made of. Six layouts cover every rule set
/// and board, so that everything above the rules is compiled six times, not once a variant.
pub trait Layout: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// Square sets.
    type Set: Squares;
    /// How it is kept which kind of unit stands where, and how many kinds there can be.
    type Kinds: KindSets<Self::Set>;
    /// Units lying bound under others (Chromopolis), or nothing.
    type Bound: BoundUnits;
    /// Whether a rule set's generator of turns is compiled once for this layout, for all that
    /// takes its turns, and not once for each: boards that are rare take less to build, and a
    /// little longer to search.
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
    /// Up to 128 squares.
    Wide,
    u128,
    Six<u128>,
    (),
    true
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
    /// Up to 128 squares, with bound units.
    WideBound,
    u128,
    Six<u128>,
    Piles<128>,
    true
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
    /// Up to 128 squares and many kinds of unit.
    WideOpen,
    u128,
    Planes<u128>,
    (),
    true
);

/// Declares a layer's own `Layout`: the layouts, with functions that the layer compiles for
/// each of them.
///
/// A generic function is compiled in every crate that uses it, again and again up to the command
/// line. A function declared here is compiled where it is declared, once for each layout; the
/// layer's public generic functions only call it. Behind `=` stands the generic function that does
/// the work. Layers above take the highest `Layout` that they need.
#[macro_export]
macro_rules! compiled_for_each_layout {
    ($(#[$doc:meta])* pub trait $name:ident: $below:path { $($functions:tt)* }) => {
        $crate::compiled_for_each_layout!(@declare [$(#[$doc])*] $name: $below, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::Narrow, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::Wide, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::NarrowBound, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::WideBound, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::Open, { $($functions)* });
        $crate::compiled_for_each_layout!(@compile $name for $crate::WideOpen, { $($functions)* });
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
