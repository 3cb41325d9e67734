//! # Orthodox chess
//!
//! The FIDE Laws of Chess, articles 3 and 5, without the rules that need a claim: neither
//! repetition nor the count of moves ends a game. The base that all others differ from.
//!
//! ## Rulings
//! * The double step exists only on boards of six or more ranks; second and last rank are the
//!   board's own.
//! * Castling exists only on boards of exactly eight files, with king and rooks on files e, a, h
//!   of their owner's first rank.
//! * On smaller boards, the definition `chess` plays otherwise: it keeps the double step on any
//!   number of ranks that has room for it, and castling where the king's home is between its targets.
//! * A hole stops slides, double steps and castling; leaps pass it.

use rules::VariantInfo;

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    source: include_str!("fide.rs"),
    ..VariantInfo::FIDE
};
