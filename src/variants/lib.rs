//! The compiled rule sets, one file each. A file contains only the differences from orthodox chess. Its head
//! is the variant's page, which `fairyproof rules ID` prints. Files of rule sets never depend on each other;
//! rules that several of them share are in `parts`.
//!
//! To add a rule set, write its file, declare the module here, and list its `INFO` in `ALL`.

use rules::VariantInfo;

pub mod parts;

pub mod bachelor;
pub mod blunder_mate;
pub mod chromopolis;
pub mod clerical;
pub mod concurrent;
pub mod contravention;
pub mod convergent;
pub mod counselor;
pub mod deadline;
pub mod decastellation;
pub mod donnybrook;
pub mod dowager;
pub mod dynastic;
pub mod entourage;
pub mod fide;
pub mod french_revolution;
pub mod glory;
pub mod junta;
pub mod kingmaker;
pub mod linkage;
pub mod moderation;
pub mod prop;
pub mod reentrant;
pub mod regent;
pub mod separation;
pub mod series_helpmate;
pub mod shrapnel;
pub mod society;
pub mod spartan;
pub mod submission;
pub mod triple_check;
pub mod twilight;
pub mod tyrant;
pub mod ultimate;
pub mod xenophobic;
pub mod zoo;

/// All compiled rule sets: orthodox chess first, then in the order of the rule book.
static ALL: &[&VariantInfo] = &[
    &fide::INFO,
    &bachelor::INFO,
    &convergent::INFO,
    &french_revolution::INFO,
    &chromopolis::INFO,
    &blunder_mate::INFO,
    &clerical::INFO,
    &concurrent::INFO,
    &contravention::INFO,
    &counselor::INFO,
    &deadline::INFO,
    &decastellation::INFO,
    &donnybrook::INFO,
    &dowager::INFO,
    &dynastic::INFO,
    &entourage::INFO,
    &glory::INFO,
    &junta::INFO,
    &kingmaker::INFO,
    &linkage::INFO,
    &moderation::INFO,
    &prop::INFO,
    &reentrant::INFO,
    &regent::INFO,
    &separation::INFO,
    &series_helpmate::INFO,
    &shrapnel::INFO,
    &society::INFO,
    &spartan::INFO,
    &submission::INFO,
    &triple_check::INFO,
    &twilight::INFO,
    &tyrant::INFO,
    &ultimate::INFO,
    &xenophobic::INFO,
    &zoo::INFO,
];

/// Returns all compiled rule sets: orthodox chess first, then in the order of the rule book.
pub fn all() -> &'static [&'static VariantInfo] {
    ALL
}

/// Returns the compiled rule set with this ID.
pub fn find(id: &str) -> Option<&'static VariantInfo> {
    all().iter().copied().find(|info| info.id == id)
}
