//! Variants of the user's own: what a text file says, as plain typed data.
//!
//! The format is `variants.ini`, as Fairy-Stockfish and pychess write it. Nothing here knows what a
//! turn is: the rule set made of data compiles a [`Definition`], everything else reads and prints it.

mod definition;

pub use definition::{
    Atom, Captures, Castling, CastlingRights, ChasingRule, Checks, Connection, CountingRule,
    Definition, Drops, EnPassant, EnclosingRule, Ended, Extinction, Flag, Gating, History,
    MAX_PIECES, MaterialCounting, Mode, Movement, NoTurn, PASS_ENDS, Passing, Path, Pawns, Piece,
    PieceSet, PieceType, Promotion, Region, Sides, Step, Term, Value, Walling, WallingRule,
};
