//! Variant definitions: reads, checks, prints and explains files in `variants.ini`, the format of
//! Fairy-Stockfish and pychess.
//!
//! A [`Definition`] is a variant as plain data. This crate never generates turns: the interpreter compiles
//! a definition and plays it.
//!
//! | file | responsibility |
//! |---|---|
//! | `sections.rs` | splits bytes into sections of keys and values, each with its place |
//! | `clauses.rs` | the keys of rule texts, and the layers that hold clauses |
//! | `keys/` | the table of keys: types, printing, words, limits |
//! | `values.rs`, `piece.rs`, `betza.rs`, `movement.rs` | read values, piece letters and movements |
//! | `draft.rs`, `apply.rs` | apply a section's keys to its parent's values |
//! | `resolver.rs` | finds the parents and resolves a file |
//! | `written.rs` | the text that decides the rules, and its digest |
//! | `carry.rs` | carries regions over to boards of other sizes |
//! | `assemble.rs`, `array.rs`, `check.rs` | build a definition from a draft; check it as a whole |
//! | `print.rs`, `page.rs`, `goals.rs`, `words.rs` | print definitions as sections, pages and words |

mod apply;
mod array;
mod assemble;
mod betza;
mod carry;
mod check;
mod clauses;
mod definition;
mod draft;
mod goals;
mod keys;
mod movement;
mod page;
mod piece;
mod print;
mod resolver;
mod sections;
mod slots;
mod values;
mod words;
mod written;

pub use apply::misspelled;
pub use betza::{BetzaError, MAX_BETZA, MAX_RANGE};
pub use carry::{CarriedKey, NotCarried, OnBoard};
pub use clauses::{
    CLAUSE_KEYS, CONDITION, CONDITIONS, Clause, ClauseKey, Layer, Suffix, clause_key, entries,
    is_condition,
};
pub use definition::{
    Captures, Castling, CastlingRights, ChasingRule, Checks, Connection, CountingRule, Definition,
    Drops, EnPassant, EnclosingRule, Ended, Extinction, Flag, Gating, History, MAX_PIECES,
    MaterialCounting, NoTurn, PASS_ENDS, Passing, Pawns, Piece, PieceSet, PieceType, Promotion,
    Region, SHAK, Sides, Value, Walling, WallingRule,
};
pub use keys::{
    KeyInfo, MAX_COUNT, MAX_FEN, MAX_MOVES, Match, Matches, Refusal, key_infos, search,
};
pub use movement::{Atom, Mode, Movement, Path, Step, Term};
pub use print::{Line, chess};
pub use resolver::{
    Book, Compiled, LIBRARY, Lent, MAX_PARENTS, NoneCompiled, Read, TEXT, TEXTS, known_as, library,
    read, read_after, texts,
};
pub use sections::{
    Entry, MAX_ENTRIES, MAX_FILE, MAX_FINDINGS, MAX_LINE, MAX_NAME, MAX_SECTIONS, MAX_VALUE,
    Section, Spanned,
};
pub use slots::predefined_names;
pub use written::{Written, asked, digest};
