//! The command line as users meet it: what each command answers, and what each mistake is told. One
//! file for each command.

#[path = "../files/mod.rs"]
mod files;
mod run;
#[path = "../server/mod.rs"]
mod server;
#[cfg(unix)]
mod signals;
mod xml;

mod compare;
mod completions;
mod definition;
mod eval;
mod explore;
mod fens;
mod guide;
mod help;
mod ids;
mod man;
mod notations;
mod outcome;
mod pages;
mod paths;
mod perft;
mod pictures;
mod play;
mod prove;
mod puzzles;
mod puzzles_mine;
mod python_chess;
mod report;
mod rules;
mod serve;
mod show;
mod solve;
mod solve_check;
mod spartan_match;
mod standard_input;
mod start;
#[cfg(unix)]
mod stops;
mod streams;
mod suites;
mod table;
mod turns;
mod variants;
mod verify;
mod wrong_tables;
