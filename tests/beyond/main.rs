//! Exploring and solving on several processes: the same bytes as in one, and what happens when a
//! process does not belong, or is lost.

mod answers;
mod lost;
mod refused;
mod run;
