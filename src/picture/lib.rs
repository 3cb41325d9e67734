//! Positions, mobility and lines as pictures; pages that need no server.
//!
//! * [`Diagram`]: a position as it is to be drawn, without rules and without colors.
//! * [`svg`] and [`terminal`]: the two ways to draw one.
//! * [`mobility`]: where a unit can go, as marks on a diagram.
//! * [`page`]: the shell of pages; [`line`](mod@line), [`problem`], [`plot`], [`rule_pages`],
//!   [`claims`](mod@claims): their contents.
//!
//! Kinds of unit are known by the letters of the game's men: the six letters of the standard set have drawn
//! outlines, every other letter is drawn in a disc.

pub mod claims;
mod diagram;
pub mod line;
mod markdown;
pub mod markup;
pub mod mobility;
mod outline;
mod page;
pub mod plot;
pub mod problem;
pub mod rule_pages;
pub mod svg;
mod svg_shapes;
mod svg_style;
pub mod terminal;

pub use diagram::{Arrow, Cell, Diagram, Hand, Mark, Marked, Unit};
pub use page::{STYLE as PAGE_STYLE, page};
