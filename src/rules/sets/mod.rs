//! The rule sets, one file each. A file says only what differs from orthodox chess; its opening
//! comment is the variant's page (`fairyproof rules ID` prints it).
//!
//! To add one: write its file, declare it here, and list its card in [`ALL`].

use super::Card;

pub mod bachelor;
pub mod chromopolis;
pub mod concurrent;
pub mod contravention;
pub mod convergent;
pub mod counselor;
pub mod deadline;
pub mod dowager;
pub mod fide;
pub mod french_revolution;
pub mod kingmaker;
pub mod linkage;
pub mod reentrant;
pub mod regent;
pub mod separation;

/// Every rule set's card.
pub static ALL: &[&Card] = &[
    &fide::CARD,
    &bachelor::CARD,
    &convergent::CARD,
    &french_revolution::CARD,
    &chromopolis::CARD,
    &concurrent::CARD,
    &contravention::CARD,
    &counselor::CARD,
    &deadline::CARD,
    &dowager::CARD,
    &kingmaker::CARD,
    &linkage::CARD,
    &reentrant::CARD,
    &regent::CARD,
    &separation::CARD,
];
