//! Rule texts, played by the second implementation: the texts of `tests/data/` are read and played, and those
//! of compiled rule sets agree with the naive laws of these.

#[path = "../random/mod.rs"]
mod positions;

mod agree;
mod both;
mod crossed;
mod errors;
mod facts;
mod graphs;
mod play;
mod popeye;
mod random;
mod rules;
mod said;
mod sets;
mod tables;
