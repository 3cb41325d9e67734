//! The files `sensitivity.csv` and `rulings.csv`: the verdict of each claim when one rule is removed.

use super::table;
use super::write_whole;
use claims::{Effect, Sensitivity};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
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

/// Writes the rows.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, file: &str, rows: &[SensitivityRow]) -> io::Result<()> {
    write_whole(&folder.join(file), |out| super::table::csv(rows, out))
}

/// Merges the rows of an earlier run with new rows, in the order of `ids`. For each claim, the new rows
/// replace the old ones.
pub fn merged<'a>(
    ids: impl Iterator<Item = &'a str>,
    old: &[SensitivityRow],
    fresh: &[SensitivityRow],
) -> Vec<SensitivityRow> {
    let mut rows = Vec::new();
    for id in ids {
        let of = |rows: &[SensitivityRow]| -> Vec<SensitivityRow> {
            rows.iter().filter(|row| row.claim == id).cloned().collect()
        };
        let found = of(fresh);
        rows.extend(if found.is_empty() { of(old) } else { found });
    }
    rows
}

/// Returns the matrix as text. Lists the rules that change the verdict of each claim, then the claims that no
/// rule affects, then the rules that affect no claim.
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
    let touched: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.has(Effect::Changed))
        .map(|row| row.claim.as_str())
        .collect();
    let untouched = claims.iter().map(|(claim, _)| *claim);
    let untouched: Vec<&str> = untouched.filter(|claim| !touched.contains(claim)).collect();
    text += &listed("claims that no rule touches", &untouched);
    let mut rules: BTreeMap<String, bool> = BTreeMap::new();
    for row in rows {
        *rules.entry(rule(row, true)).or_default() |= row.has(Effect::Changed);
    }
    let unverified = rules.iter().filter(|(_, touched)| !**touched);
    let unverified: Vec<&str> = unverified.map(|(rule, _)| rule.as_str()).collect();
    text + &listed("rules that no claim touches", &unverified)
}

fn listed(what: &str, names: &[&str]) -> String {
    match names {
        [] => format!("{what}: none\n"),
        _ => format!("{what} ({}): {}\n", names.len(), names.join(", ")),
    }
}
