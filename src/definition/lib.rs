//! Variants of the user's own: what a text file says, as plain typed data.
//!
//! The format is `variants.ini`, as Fairy-Stockfish and pychess write it. Nothing here knows what a
//! turn is: the rule set made of data compiles a [`Definition`], everything else reads and prints it.
//!
//! | file | what it does |
//! |---|---|
//! | `sections.rs` | bytes to sections of keys and values, each with its place |
//! | `keys.rs`, `values.rs`, `slots.rs` | every key, its type and its effect; values; names of pieces |
//! | `draft.rs`, `resolver.rs` | keys laid on a parent's; parents found |
//! | `finish.rs`, `array.rs` | drafts put on a board; contradictions and doubts |
//! | `betza.rs` | movements as text |

mod array;
mod betza;
mod definition;
mod draft;
mod finding;
mod finish;
mod keys;
mod page;
mod print;
mod resolver;
mod sections;
mod slots;
mod values;
mod words;

pub use betza::{BetzaError, MAX_BETZA, MAX_RANGE};
pub use definition::{
    Atom, Captures, Castling, CastlingRights, ChasingRule, Checks, Connection, CountingRule,
    Definition, Drops, EnPassant, EnclosingRule, Ended, Extinction, Flag, Gating, History,
    MAX_PIECES, MaterialCounting, Mode, Movement, NoTurn, PASS_ENDS, Passing, Path, Pawns, Piece,
    PieceSet, PieceType, Promotion, Region, SHAK, Sides, Step, Term, Value, Walling, WallingRule,
};
pub use finding::{Finding, Place, Severity};
pub use keys::{KeyInfo, MAX_COUNT, MAX_FEN, MAX_MOVES, key_infos, related_keys};
pub use print::{Line, chess};
pub use resolver::{
    Book, Compiled, LIBRARY, Lent, MAX_PARENTS, NoneCompiled, Read, known_as, library, read,
    read_after, shape,
};
pub use sections::{
    Entry, MAX_ENTRIES, MAX_FILE, MAX_FINDINGS, MAX_LINE, MAX_NAME, MAX_SECTIONS, Section, Spanned,
};
