//! Limits: combinations of values that are errors, doubtful, or not played, each with the reason.

use super::TABLE;
use crate::Definition;

/// The severity of a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LimitKind {
    /// The definition contradicts itself.
    Error,
    /// A key has no effect, or perhaps not the intended effect.
    Warning,
    /// The format has the rule, but the interpreter does not play it.
    NotPlayed,
}

/// The names of keys.
type KeyNames = &'static [&'static str];

/// A test of whether a definition has a combination of values.
type Condition = fn(&Definition) -> bool;

/// A combination of values that is an error, doubtful, or not played.
pub(crate) struct Limit {
    pub kind: LimitKind,
    /// The keys concerned. A message points to the first of these keys that the section contains.
    pub keys: KeyNames,
    /// Whether a definition has the combination.
    pub applies: Condition,
    /// The reason. For [`LimitKind::NotPlayed`], the reason is the rest of a sentence about the first key.
    pub why: &'static str,
    /// The remedy.
    pub help: Option<&'static str>,
}

impl Limit {
    pub(super) const fn error(keys: KeyNames, applies: Condition, why: &'static str) -> Limit {
        Limit {
            kind: LimitKind::Error,
            keys,
            applies,
            why,
            help: None,
        }
    }

    pub(super) const fn warning(keys: KeyNames, applies: Condition, why: &'static str) -> Limit {
        let mut limit = Limit::error(keys, applies, why);
        limit.kind = LimitKind::Warning;
        limit
    }

    pub(super) const fn not_played(keys: KeyNames, applies: Condition, why: &'static str) -> Limit {
        let mut limit = Limit::error(keys, applies, why);
        limit.kind = LimitKind::NotPlayed;
        limit
    }

    pub(super) const fn help(mut self, help: &'static str) -> Limit {
        self.help = Some(help);
        self
    }
}

/// A key whose rule the interpreter cannot play, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The key.
    pub key: &'static str,
    /// The reason, as the rest of a sentence about the key.
    pub why: String,
}

impl Definition {
    /// Returns the limits that apply to this definition.
    pub(crate) fn limits(&self) -> impl Iterator<Item = &'static Limit> {
        let limits = TABLE.iter().flat_map(|key| key.limits);
        limits.filter(|limit| (limit.applies)(self))
    }

    /// Returns the rules of this definition that the interpreter does not play.
    pub fn refusals(&self) -> Vec<Refusal> {
        self.limits()
            .filter(|limit| limit.kind == LimitKind::NotPlayed)
            .map(|limit| Refusal {
                key: limit.keys[0],
                why: limit.why.to_owned(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_everything_that_is_not_played() {
        let guide = include_str!("../../guide/own-variants.md");
        let limits = TABLE.iter().flat_map(|key| key.limits);
        for limit in limits.filter(|limit| limit.kind == LimitKind::NotPlayed) {
            let key = format!("`{}`", limit.keys[0]);
            let mut rows = guide.lines().filter(|line| line.starts_with("| `"));
            let is_listed = rows.any(|row| {
                let (keys, reason) = row[2..].split_once(" | ").unwrap_or_default();
                keys.split(", ").any(|listed| listed == key) && reason.contains(limit.why)
            });
            assert!(is_listed, "{key}: {}", limit.why);
        }
    }

    #[test]
    fn limits_name_keys_that_exist() {
        for limit in TABLE.iter().flat_map(|key| key.limits) {
            for &key in limit.keys {
                let exists = super::super::names().iter().any(|name| name.text == key);
                assert!(exists, "{key}");
            }
        }
    }
}
