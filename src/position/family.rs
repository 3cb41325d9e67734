//! Values of any layout: one of four types that differ only by the layout, such as a game or a position with its
//! game. Relies on the layouts alone.

use super::{Layout, Narrow, NarrowBound, Open, Wide};

/// A type for each layout.
pub trait Family {
    /// The type for one layout.
    type Of<W: Layout>;
}

/// A value of a family, in one of the layouts.
pub enum ForLayout<F: Family> {
    /// Up to 64 squares.
    Narrow(F::Of<Narrow>),
    /// Up to 64 squares, with bound units.
    NarrowBound(F::Of<NarrowBound>),
    /// Up to 64 squares, with many kinds of unit.
    Open(F::Of<Open>),
    /// Up to 128 squares.
    Wide(F::Of<Wide>),
}

/// Evaluates an expression with the value of any layout: `for_layout!(any, value => expression)`. The pattern of a
/// type that wraps [`ForLayout`] comes first: `for_layout!(Wrapper: any, value => expression)`.
///
/// The expression is compiled for each layout, so the compiler reports a mistake in it four times.
#[macro_export]
macro_rules! for_layout {
    ($any:expr, $value:ident => $body:expr) => {
        match $any {
            $crate::ForLayout::Narrow($value) => $body,
            $crate::ForLayout::NarrowBound($value) => $body,
            $crate::ForLayout::Open($value) => $body,
            $crate::ForLayout::Wide($value) => $body,
        }
    };
    ($wrapper:path: $any:expr, $value:ident => $body:expr) => {
        match $any {
            $wrapper($crate::ForLayout::Narrow($value)) => $body,
            $wrapper($crate::ForLayout::NarrowBound($value)) => $body,
            $wrapper($crate::ForLayout::Open($value)) => $body,
            $wrapper($crate::ForLayout::Wide($value)) => $body,
        }
    };
}

impl<F: Family> Clone for ForLayout<F>
where
    F::Of<Narrow>: Clone,
    F::Of<NarrowBound>: Clone,
    F::Of<Open>: Clone,
    F::Of<Wide>: Clone,
{
    fn clone(&self) -> ForLayout<F> {
        match self {
            ForLayout::Narrow(value) => ForLayout::Narrow(value.clone()),
            ForLayout::NarrowBound(value) => ForLayout::NarrowBound(value.clone()),
            ForLayout::Open(value) => ForLayout::Open(value.clone()),
            ForLayout::Wide(value) => ForLayout::Wide(value.clone()),
        }
    }
}
