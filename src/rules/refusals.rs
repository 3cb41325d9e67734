//! Why a rule set refuses something that was written: a position, a board, or tables of its positions.
//!
//! The reason is the rest of a sentence, without a period. The caller that reports it adds what was refused, and where.

use std::fmt;

macro_rules! refusal {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name(String);

        impl From<String> for $name {
            fn from(why: String) -> $name {
                $name(why)
            }
        }

        impl From<&str> for $name {
            fn from(why: &str) -> $name {
                $name(why.to_owned())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::error::Error for $name {}

        impl From<$name> for String {
            fn from(refusal: $name) -> String {
                refusal.0
            }
        }
    };
}

refusal! {
    /// Why a position, or a part of its state in a FEN, is not one of the rule set.
    IllegalPosition
}

refusal! {
    /// Why a rule set cannot be played on a board, with the boards on which it can.
    UnsupportedBoard
}

/// Whether a rule set accepts a position or a part of its state, and if not, why.
pub type Legality = Result<(), IllegalPosition>;

impl From<UnsupportedBoard> for IllegalPosition {
    fn from(refusal: UnsupportedBoard) -> IllegalPosition {
        IllegalPosition(refusal.0)
    }
}

refusal! {
    /// Why endgame tables cannot hold the positions of a rule set.
    UnsupportedByTables
}
