//! The rule sets, one file each. A file says only what differs from orthodox chess; its opening
//! comment is the variant's page (`fairyproof rules ID` prints it).
//!
//! To add one: write its file, declare it here, and list its card in [`ALL`].

use super::Card;

pub mod bachelor;
pub mod blunder_mate;
pub mod chromopolis;
pub mod convergent;
pub mod fide;
pub mod french_revolution;
pub mod glory;
pub mod moderation;
pub mod series_helpmate;
pub mod society;
pub mod spartan;
pub mod submission;
pub mod triple_check;
pub mod twilight;
pub mod ultimate;
pub mod xenophobic;

/// Every rule set's card.
pub static ALL: &[&Card] = &[
    &fide::CARD,
    &bachelor::CARD,
    &convergent::CARD,
    &french_revolution::CARD,
    &chromopolis::CARD,
    &blunder_mate::CARD,
    &glory::CARD,
    &moderation::CARD,
    &series_helpmate::CARD,
    &society::CARD,
    &spartan::CARD,
    &submission::CARD,
    &triple_check::CARD,
    &twilight::CARD,
    &ultimate::CARD,
    &xenophobic::CARD,
];
