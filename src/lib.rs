//! fairyproof: a rule-verification and puzzle-solving workbench for chess variants.

pub mod board;
pub mod claims;
pub mod explore;
pub mod input;
pub mod notation;
pub mod position;
pub mod report;
pub mod rules;
