//! The rule sets, one file each. A file says only what differs from orthodox chess; its opening
//! comment is the variant's page (`fairyproof rules ID` prints it).
//!
//! To add one: write its file, declare it here, and list its card in [`ALL`].

use super::Card;

pub mod bachelor;
pub mod chromopolis;
pub mod convergent;
pub mod fide;
pub mod french_revolution;

/// Every rule set's card.
pub static ALL: &[&Card] = &[
    &fide::CARD,
    &bachelor::CARD,
    &convergent::CARD,
    &french_revolution::CARD,
    &chromopolis::CARD,
];
