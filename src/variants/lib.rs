//! The rule sets, one file each. A file says only what differs from orthodox chess; its opening
//! comment is the variant's page (`fairyproof rules ID` prints it).
//!
//! To add one: write its file, declare it here, and list its `INFO` in `ALL`.

use diagnostics::{InputError, nearest};
use rules::{RuleSet, Variant, VariantInfo};
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

/// Returns every rule set, orthodox chess first, then in the order of the rule book.
pub fn all() -> &'static [&'static VariantInfo] {
    ALL
}

/// Returns the rule set with this id.
pub fn find(id: &str) -> Option<&'static VariantInfo> {
    all().iter().copied().find(|info| info.id == id)
}

/// Rule sets that are not compiled in, such as those of files.
pub trait More: Send + Sync {
    /// Their ids.
    fn ids(&self) -> Vec<String>;
    /// Returns the rule set with this id; nothing if there is none.
    ///
    /// # Errors
    /// What keeps it from being played.
    fn find(&self, id: &str) -> Option<Result<RuleSet, InputError>>;
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
    let rule_set = match find(id) {
        Some(info) => Some(info.into()),
        None => more()?,
    };
    let Some(rule_set) = rule_set else {
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
    Variant::new(rule_set, options)
}
