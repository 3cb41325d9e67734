//! Variant definitions: reads, checks, prints and explains files in the `variants.ini` format, as
//! Fairy-Stockfish and pychess write it.
//!
//! A [`Definition`] is a variant as plain data. This crate never generates turns: the interpreter compiles
//! a definition and plays it.
//!
//! | file | responsibility |
//! |---|---|
//! | `sections.rs` | splits bytes into sections of keys and values, each with its place |
//! | `keys/` | the table of keys: types, printing, words, limits |
//! | `values.rs`, `piece.rs`, `betza.rs`, `movement.rs` | read values, letters of pieces, movements |
//! | `draft.rs`, `apply.rs` | a section's values, laid on those of its parent |
//! | `resolver.rs` | finds the parents and resolves a file |
//! | `assemble.rs`, `array.rs`, `check.rs` | put a draft on its board; check the result as a whole |
//! | `print.rs`, `page.rs`, `goals.rs`, `words.rs` | definitions as sections, pages and words |

mod apply;
mod array;
mod assemble;
mod betza;
mod carry;
mod check;
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

pub use apply::help_on_key;
pub use betza::{BetzaError, MAX_BETZA, MAX_RANGE};
pub use carry::{CarriedKey, NotCarried, OnBoard};
pub use definition::{
    Captures, Castling, CastlingRights, ChasingRule, Checks, Connection, CountingRule, Definition,
    Drops, EnPassant, EnclosingRule, Ended, Extinction, Flag, Gating, History, MAX_PIECES,
    MaterialCounting, NoTurn, PASS_ENDS, Passing, Pawns, Piece, PieceSet, PieceType, Promotion,
    Region, SHAK, Sides, Value, Walling, WallingRule,
};
pub use keys::{KeyInfo, MAX_COUNT, MAX_FEN, MAX_MOVES, Refusal, key_infos};
pub use movement::{Atom, Mode, Movement, Path, Step, Term};
pub use print::{Line, chess};
pub use resolver::{
    Book, Compiled, LIBRARY, Lent, MAX_PARENTS, NoneCompiled, Read, known_as, library, read,
    read_after,
};
pub use sections::{
    Entry, MAX_ENTRIES, MAX_FILE, MAX_FINDINGS, MAX_LINE, MAX_NAME, MAX_SECTIONS, Section, Spanned,
};
pub use slots::predefined_names;
