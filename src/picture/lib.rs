//! Draws positions, mobility and lines as pictures, and makes pages that need no server.
//!
//! * [`Diagram`]: a position prepared for drawing, without rules and colors.
//! * [`svg`] and [`terminal`]: two ways to draw a diagram.
//! * [`mobility`]: marks on a diagram that show where a unit can move.
//! * [`page`]: the frame of every page. [`line`](mod@line), [`problem`], [`plot`], [`rule_pages`],
//!   [`claims`](mod@claims): the contents of pages.
//!
//! A unit is drawn by the letter of its kind. The six letters of the standard set have outlines; every other
//! letter is drawn in a disc.

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
