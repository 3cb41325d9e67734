//! The program against slow and plain code that shares nothing with it: the naive second
//! implementation of the rules, counting by playing every turn, searching without tables. And what
//! each rule set declares against what it does.

#[path = "../random/mod.rs"]
mod random;

mod explore;
mod perft;
mod puzzles;
mod small_boards;
mod turns;
