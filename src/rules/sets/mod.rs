//! The rule sets, one file each. A file says only what differs from orthodox chess; its opening
//! comment is the variant's page (`fairyproof rules ID` prints it).
//!
//! To add one: write its file, declare it here, and list its card in [`ALL`].

use super::Card;

pub mod bachelor;
pub mod chromopolis;
pub mod clerical;
pub mod convergent;
pub mod decastellation;
pub mod donnybrook;
pub mod dynastic;
pub mod entourage;
pub mod fide;
pub mod french_revolution;
pub mod junta;
pub mod prop;
pub mod shrapnel;
pub mod tyrant;
pub mod zoo;

/// Every rule set's card.
pub static ALL: &[&Card] = &[
    &fide::CARD,
    &bachelor::CARD,
    &convergent::CARD,
    &french_revolution::CARD,
    &chromopolis::CARD,
    &clerical::CARD,
    &decastellation::CARD,
    &donnybrook::CARD,
    &dynastic::CARD,
    &entourage::CARD,
    &junta::CARD,
    &prop::CARD,
    &shrapnel::CARD,
    &tyrant::CARD,
    &zoo::CARD,
];
