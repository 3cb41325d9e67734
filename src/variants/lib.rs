//! The rule sets, one file each. A file says only what differs from orthodox chess; its opening
//! comment is the variant's page (`fairyproof rules ID` prints it).
//!
//! To add one: write its file, declare it here, and list its card in `ALL`.

use diagnostics::{InputError, nearest};
use rules::{Variant, VariantInfo};
use std::sync::OnceLock;

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

/// Every rule set, orthodox chess first, then in the order of the rule book.
static ALL: &[&VariantInfo] = &[
    &fide::CARD,
    &bachelor::CARD,
    &convergent::CARD,
    &french_revolution::CARD,
    &chromopolis::CARD,
    &blunder_mate::CARD,
    &clerical::CARD,
    &concurrent::CARD,
    &contravention::CARD,
    &counselor::CARD,
    &deadline::CARD,
    &decastellation::CARD,
    &donnybrook::CARD,
    &dowager::CARD,
    &dynastic::CARD,
    &entourage::CARD,
    &glory::CARD,
    &junta::CARD,
    &kingmaker::CARD,
    &linkage::CARD,
    &moderation::CARD,
    &prop::CARD,
    &reentrant::CARD,
    &regent::CARD,
    &separation::CARD,
    &series_helpmate::CARD,
    &shrapnel::CARD,
    &society::CARD,
    &spartan::CARD,
    &submission::CARD,
    &triple_check::CARD,
    &twilight::CARD,
    &tyrant::CARD,
    &ultimate::CARD,
    &xenophobic::CARD,
    &zoo::CARD,
];

/// Returns every rule set, orthodox chess first, then in the order of the rule book.
pub fn all() -> &'static [&'static VariantInfo] {
    ALL
}

/// Returns the rule set with this id.
pub fn find(id: &str) -> Option<&'static VariantInfo> {
    all().iter().copied().find(|card| card.id == id)
}

/// Rule sets that are not compiled in, such as those of files.
pub trait More: Send + Sync {
    /// Their ids.
    fn ids(&self) -> Vec<String>;
    /// Returns the rule set with this id; nothing if there is none.
    ///
    /// # Errors
    /// What keeps it from being played.
    fn find(&self, id: &str) -> Option<Result<&'static VariantInfo, InputError>>;
}

static MORE: OnceLock<Box<dyn More>> = OnceLock::new();

/// Lets [`parse`] know of further rule sets. Once in a program; false if that has been done before.
pub fn register(more: Box<dyn More>) -> bool {
    MORE.set(more).is_ok()
}

/// Reads `id` or `id:option,option=value`.
///
/// # Errors
/// A rule set or an option that does not exist, or an option's value that does not fit.
pub fn parse(text: &str) -> Result<Variant, InputError> {
    let (id, options) = match text.split_once(':') {
        Some((id, options)) => (id, Some(options)),
        None => (text, None),
    };
    let more = || MORE.get().and_then(|more| more.find(id)).transpose();
    let card = match find(id) {
        Some(card) => Some(card),
        None => more()?,
    };
    let Some(card) = card else {
        let further = MORE.get().map_or(Vec::new(), |more| more.ids());
        let known = all().iter().map(|c| c.id);
        let known = known.chain(further.iter().map(String::as_str));
        let error = InputError::new(
            format!("variant `{text}`"),
            "there is no rule set of this name",
        );
        return Err(error.help(match nearest(id, known) {
            Some(near) => format!("did you mean `{near}`? `fairyproof variants` lists them all"),
            None => "`fairyproof variants` lists them all".to_string(),
        }));
    };
    Variant::new(card, options)
}
