//! The files `sensitivity.csv` and `rulings.csv`: the verdict of each claim when one rule is removed.

use super::table;
use super::write_whole;
use claims::{Effect, Sensitivity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use struct_field_names_as_array::FieldNamesAsSlice;

/// The sensitivity of one claim to one rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, FieldNamesAsSlice)]
#[serde(deny_unknown_fields)]
pub struct SensitivityRow {
    /// The id of the claim.
    pub claim: String,
    /// The rule set.
    pub rule_set: String,
    /// The rule that is removed.
    pub rule: String,
    /// The verdict with the rule. It uses the lower limits of this report.
    pub verdict: String,
    /// The verdict without the rule; empty if there is none.
    pub without_rule: String,
    /// `changed`, `same`, `open` or `not applicable`.
    pub effect: String,
}

impl SensitivityRow {
    /// Returns the row of a claim and a rule.
    pub fn new(row: &Sensitivity) -> SensitivityRow {
        let text =
            |verdict: Option<claims::Verdict>| verdict.map_or(String::new(), |v| v.to_string());
        SensitivityRow {
            claim: row.claim.clone(),
            rule_set: row.rule_set.clone(),
            rule: row.rule.clone(),
            verdict: text(row.verdict),
            without_rule: text(row.without),
            effect: row.effect.to_string(),
        }
    }

    fn has(&self, effect: Effect) -> bool {
        self.effect == effect.to_string()
    }
}

/// Reads the rows of an earlier run. Returns no rows if the file does not exist.
///
/// # Errors
/// If the file cannot be read, or has different columns.
pub fn read(folder: &Path, file: &str) -> io::Result<Vec<SensitivityRow>> {
    table::read_csv(&folder.join(file))
}

/// Replaces the rows by what `merge` returns for them, while no other process replaces them.
///
/// # Errors
/// If the file cannot be read or written.
pub fn update(
    folder: &Path,
    file: &str,
    merge: impl FnOnce(&[SensitivityRow]) -> Vec<SensitivityRow>,
) -> io::Result<()> {
    let _lock = control::files::lock_folder(folder)?;
    let rows = merge(&read(folder, file)?);
    write_whole(&folder.join(file), |out| super::table::csv(&rows, out))
}

/// Returns the matrix as text. Lists the rules that change the verdict of each claim, then the claims that no
/// rule affects, then the rules that affect no claim. Claims and rules that may have an effect beyond the limits
/// are listed apart.
pub fn text(rows: &[SensitivityRow]) -> String {
    let mut text = String::new();
    let mut claims: Vec<(&str, Vec<&SensitivityRow>)> = Vec::new();
    for row in rows {
        match claims.iter_mut().find(|(claim, _)| *claim == row.claim) {
            Some((_, rows)) => rows.push(row),
            None => claims.push((&row.claim, vec![row])),
        }
    }
    let rule = |row: &SensitivityRow, many: bool| match many {
        true => format!("{} {}", row.rule_set, row.rule),
        false => row.rule.clone(),
    };
    for (claim, rows) in &claims {
        let many = rows.iter().any(|row| row.rule_set != rows[0].rule_set);
        let listed = |effect: Effect| -> Vec<String> {
            let of = rows.iter().filter(|row| row.has(effect));
            of.map(|row| rule(row, many)).collect()
        };
        text += &format!("{claim}\n");
        for (effect, words) in [
            (Effect::Changed, "depends on"),
            (Effect::Open, "undecided within the limits"),
            (Effect::NotApplicable, "not applicable without"),
        ] {
            let rules = listed(effect);
            if !rules.is_empty() {
                text += &format!("    {words}: {}\n", rules.join(", "));
            }
        }
    }
    let names = claims.iter().map(|(claim, _)| (*claim).to_owned());
    let of_claims = |row: &SensitivityRow| row.claim.clone();
    text += &without_change("claims", "rule", names.collect(), rows, &of_claims);
    let of_rules = |row: &SensitivityRow| rule(row, true);
    let names: BTreeSet<String> = rows.iter().map(of_rules).collect();
    text + &without_change(
        "rules",
        "claim",
        names.into_iter().collect(),
        rows,
        &of_rules,
    )
}

/// Lists the claims or rules without a changed verdict: first those for which every verdict is known, then
/// those with a verdict that is open.
fn without_change(
    kind: &str,
    other_kind: &str,
    names: Vec<String>,
    rows: &[SensitivityRow],
    name_of: &dyn Fn(&SensitivityRow) -> String,
) -> String {
    let with = |effect: Effect| -> BTreeSet<String> {
        let of = rows.iter().filter(|row| row.has(effect));
        of.map(name_of).collect()
    };
    let (changed, open) = (with(Effect::Changed), with(Effect::Open));
    let names = names.iter().filter(|name| !changed.contains(*name));
    let (undecided, untouched): (Vec<&str>, Vec<&str>) = names
        .map(String::as_str)
        .partition(|name| open.contains(*name));
    listed(&format!("{kind} that no {other_kind} touches"), &untouched)
        + &listed(&format!("{kind} undecided within the limits"), &undecided)
}

fn listed(what: &str, names: &[&str]) -> String {
    match names {
        [] => format!("{what}: none\n"),
        _ => format!("{what} ({}): {}\n", names.len(), names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_rules_with_an_open_effect_are_listed_apart() {
        let row = |claim: &str, rule: &str, effect: Effect| SensitivityRow {
            claim: claim.to_owned(),
            rule_set: "hunt".to_owned(),
            rule: rule.to_owned(),
            verdict: String::new(),
            without_rule: String::new(),
            effect: effect.to_string(),
        };
        let text = text(&[
            row("large", "castling", Effect::Same),
            row("large", "stalemate", Effect::Open),
            row("large", "flag", Effect::Open),
            row("small", "castling", Effect::Same),
            row("small", "stalemate", Effect::Same),
            row("small", "flag", Effect::NotApplicable),
            row("ends", "castling", Effect::Same),
            row("ends", "stalemate", Effect::Open),
            row("ends", "flag", Effect::Changed),
        ]);
        let lists = text
            .split_once("claims that no rule touches")
            .expect("lists")
            .1;
        assert_eq!(
            lists,
            " (1): small\nclaims undecided within the limits (1): large\n\
             rules that no claim touches (1): hunt castling\n\
             rules undecided within the limits (1): hunt stalemate\n"
        );
    }
}
