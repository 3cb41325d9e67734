//! Refusals: the reasons why a rule set does not accept a position, a board, or endgame tables.
//!
//! A reason is the rest of a sentence, without a period. The caller that reports the reason adds what was
//! refused, and where.

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
    /// The reason why a position, or a part of its state in a FEN, is not legal under the rule set.
    IllegalPosition
}

refusal! {
    /// The reason why a rule set cannot be played on a board, with the boards on which it can.
    UnsupportedBoard
}

/// The verdict of a rule set on a position or a part of its state; the error is the reason for a refusal.
pub type Legality = Result<(), IllegalPosition>;

impl From<UnsupportedBoard> for IllegalPosition {
    fn from(refusal: UnsupportedBoard) -> IllegalPosition {
        IllegalPosition(refusal.0)
    }
}

refusal! {
    /// The reason why endgame tables cannot store the positions of a rule set.
    UnsupportedByTables
}
