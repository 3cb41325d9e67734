//! Determines which rules make a claim true: removes each rule of a rule set in turn and verifies its claims
//! again.
//!
//! A rule is a part of the rule set's text, which is left out so that the parent's rule holds, or an option. A
//! compiled rule set without a text has options alone. Each claim is verified once for every rule, so the limits are lower than in the ledger. All
//! limits are counts, so the result depends neither on threads nor on time.

use crate::file::{Check, ClaimSpec, Entry, Instance, Set, SetKind};
use crate::{Listed, OpenFile, Verdict};
use catalog::{Catalog, Written};
use control::Control;
use definition::Section;
use diagnostics::Diagnostic;
use rayon::prelude::*;
use rules::{OptionPurpose, Variant, VariantOption};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Limits of the work for one claim, lower than those of the ledger.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of states of a graph.
    pub states: u64,
    /// The maximum number of positions that a claim examines.
    pub positions: u64,
    /// The maximum number of random games.
    pub games: u64,
}

/// The limits of the matrix. Arbitrary, and low, because texts without a rule are played without a fast path.
const MATRIX: Limits = Limits {
    states: 1_000,
    positions: 2_000,
    games: 4,
};

/// A rule that is removed.
#[derive(Clone, Debug)]
pub enum Rule {
    /// A key or clause of the section, or the condition of this number, is left out.
    Key(Option<usize>, String),
    /// The entries of `ends` with this reason are left out of the section, or of the condition of this number.
    End(Option<usize>, String),
    /// The condition of this number is not applied.
    Condition(usize, String),
    /// An option is toggled.
    Option(VariantOption),
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Key(_, key) => f.write_str(key),
            Rule::End(_, reason) => write!(f, "ends {reason}"),
            Rule::Condition(_, name) => write!(f, "condition {name}"),
            Rule::Option(option) => write!(f, "option {}", option.name),
        }
    }
}

/// Keys that are no rules of their own: what they declare is used by other keys.
const DECLARATIONS: [&str; 4] = ["let", "options", "state", definition::CONDITION];

/// Returns the rules of a rule set that can be removed. With `rulings`, returns instead the options that
/// reflect rulings of the rule book.
///
/// # Errors
/// If no rule set has this name.
pub fn rules(catalog: &Catalog, id: &str, rulings: bool) -> Result<Vec<Rule>, Diagnostic> {
    let variant = catalog.open(id)?;
    let options = variant.rule_set.options().iter();
    let options = options.filter(|option| (option.purpose == OptionPurpose::Ruling) == rulings);
    let options = options.copied().map(Rule::Option);
    let written = catalog.written(id).filter(|_| !rulings);
    Ok(written
        .iter()
        .flat_map(written_rules)
        .chain(options)
        .collect())
}

/// Returns the rules of a text: its keys and clauses, the reasons of its `ends` if there are several, and its
/// conditions.
fn written_rules(written: &Written) -> Vec<Rule> {
    let mut rules = Vec::new();
    let own = std::iter::once((None, &written.section));
    let conditions = written.conditions.iter().enumerate();
    for (at, section) in own.chain(conditions.map(|(at, section)| (Some(at), section))) {
        if let Some(at) = at {
            rules.push(Rule::Condition(at, section.name.text.clone()));
        }
        for entry in &section.entries {
            let key = &entry.key.text;
            let name = key.split_once('.').map_or(key.as_str(), |(name, _)| name);
            if DECLARATIONS.contains(&name) && !key.starts_with("state.") {
                continue;
            }
            let mut reasons: Vec<&str> = Vec::new();
            if key == "ends" {
                for (reason, _) in clauses::reasons(&entry.value.text) {
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
            }
            match reasons.as_slice() {
                [] | [_] => rules.push(Rule::Key(at, key.clone())),
                _ => rules.extend(
                    reasons
                        .iter()
                        .map(|reason| Rule::End(at, reason.to_string())),
                ),
            }
        }
    }
    rules
}

/// Returns a text without a rule. An option is not part of it.
fn without(written: &Written, rule: &Rule) -> Written {
    let mut written = written.clone();
    match rule {
        Rule::Key(at, key) => {
            let entries = &mut section(&mut written, *at).entries;
            entries.retain(|entry| entry.key.text != *key);
        }
        Rule::End(at, reason) => {
            let entries = section(&mut written, *at).entries.iter_mut();
            for entry in entries.filter(|entry| entry.key.text == "ends") {
                let kept = clauses::reasons(&entry.value.text).into_iter();
                let kept = kept
                    .filter(|(other, _)| other != reason)
                    .map(|(_, entry)| entry);
                entry.value.text = kept.collect::<Vec<&str>>().join("\n    ");
            }
        }
        Rule::Condition(at, _) => {
            written.conditions.remove(*at);
        }
        Rule::Option(_) => {}
    }
    written
}

/// Returns the section of a rule set, or of a condition of this number.
fn section(written: &mut Written, condition: Option<usize>) -> &mut Section {
    match condition {
        Some(at) => &mut written.conditions[at],
        None => &mut written.section,
    }
}

/// The effect of removing a rule on a claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// The verdict changes.
    Changed,
    /// The verdict remains the same.
    Same,
    /// A limit was reached, with or without the rule.
    Open,
    /// Without the rule, the rule set cannot be played, or the claim's position is not a valid position.
    NotApplicable,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Effect::Changed => "changed",
            Effect::Same => "same",
            Effect::Open => "open",
            Effect::NotApplicable => "not applicable",
        })
    }
}

/// The sensitivity of one claim to one rule.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// The id of the claim.
    pub claim: String,
    /// The rule set.
    pub rule_set: String,
    /// The rule.
    pub rule: String,
    /// The verdict with the rule.
    pub verdict: Option<Verdict>,
    /// The verdict without the rule.
    pub without: Option<Verdict>,
    /// The comparison of the two verdicts.
    pub effect: Effect,
}

/// A claim about one rule set.
struct Task<'a> {
    id: &'a str,
    file: &'a OpenFile,
    rule_set: String,
    instances: Vec<&'a Instance>,
    limits: Limits,
}

/// Verifies each claim without each rule of its rule sets. Returns the rows claim by claim, in the order of
/// `listed`. If `control` stopped the run, only the rows of completed claims are returned. Claims that are
/// compiled into the program are left out.
///
/// # Errors
/// If a rule set cannot be opened.
pub fn sensitivity(
    listed: &[Listed<'_>],
    rulings: bool,
    control: &Control<'_>,
) -> Result<Vec<Sensitivity>, Diagnostic> {
    let mut tasks: Vec<(Task<'_>, Vec<Rule>)> = Vec::new();
    for task in all_tasks(listed, MATRIX) {
        let rules = rules(&task.file.catalog, &task.rule_set, rulings)?;
        tasks.push((task, rules));
    }
    let total: u64 = tasks.iter().map(|(_, rules)| rules.len() as u64 + 1).sum();
    let done = AtomicU64::new(0);
    let advance = || {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        control.report_done("verifying without a rule", done, total, "claims and rules");
    };
    // The checks report the progress of each claim, but only the progress over all claims is useful here.
    let quiet = control.with_observer(&());
    let rows: Vec<Option<Vec<Sensitivity>>> = tasks
        .par_iter()
        .map(|(task, rules)| task.rows(rules, &quiet, &advance))
        .collect();
    Ok(rows.into_iter().flatten().flatten().collect())
}

/// Returns the tasks of the claims, in order, except claims that are compiled into the program.
fn all_tasks<'a>(listed: &[Listed<'a>], limits: Limits) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for (claim, (file, entry)) in listed.iter().filter_map(|c| Some((c, c.entry()?))) {
        let groups = by_rule_set(entry).into_iter();
        tasks.extend(groups.map(|(rule_set, instances)| Task {
            id: claim.id,
            file,
            rule_set,
            instances,
            limits,
        }));
    }
    tasks
}

/// Returns the instances of a claim by rule set, in the order of each rule set's first instance.
fn by_rule_set(entry: &Entry) -> Vec<(String, Vec<&Instance>)> {
    let mut groups: Vec<(String, Vec<&Instance>)> = Vec::new();
    for instance in &entry.instances {
        let text = &instance.claim.variant.value;
        let id = text.split_once(':').map_or(text.as_str(), |(id, _)| id);
        match groups.iter_mut().find(|(known, _)| known == id) {
            Some((_, group)) => group.push(instance),
            None => groups.push((id.to_owned(), vec![instance])),
        }
    }
    groups
}

impl Task<'_> {
    /// Returns a row for each rule, or `None` if `control` stopped it.
    fn rows(
        &self,
        rules: &[Rule],
        control: &Control<'_>,
        advance: &(dyn Fn() + Sync),
    ) -> Option<Vec<Sensitivity>> {
        let verdict = self.verdict(self.file, None, control).ok();
        advance();
        let written = self.file.catalog.written(&self.rule_set);
        let row = |rule: &Rule| {
            if control.check().is_err() {
                return None;
            }
            let without = match (rule, &written) {
                (Rule::Option(option), _) => self.verdict(self.file, Some(*option), control).ok(),
                (_, Some(written)) => self.rewritten(&without(written, rule), control),
                (_, None) => None,
            };
            advance();
            Some(self.compared(rule, verdict, without))
        };
        let rows: Option<Vec<Sensitivity>> = rules.par_iter().map(row).collect();
        rows.filter(|_| control.check().is_ok())
    }

    /// Returns the rank of the check by the number of positions that such checks examine. Cheap checks rank
    /// first.
    fn cost(&self) -> u32 {
        let of_set = |set: &Set| match set.kind {
            SetKind::One | SetKind::Positions(_) | SetKind::Line(_) => 0,
            SetKind::Games { .. } => 1,
            SetKind::Graph { .. } | SetKind::Placements { .. } | SetKind::Table { .. } => 2,
            SetKind::Steps => 3,
        };
        let of_check = |check: &Check| match check {
            Check::Line(_) | Check::Replies(_) => 0,
            Check::Property(property) => of_set(&property.set),
            Check::Measure(measure) => of_set(&measure.set),
            Check::Solve(_) | Check::Force(_) | Check::Bound(_) => 3,
        };
        let checks = self.instances.iter();
        checks
            .map(|instance| of_check(&instance.claim.check))
            .max()
            .unwrap_or(0)
    }

    /// Returns the verdict with another text of the rule set. Returns `None` if the text cannot be played or
    /// refuses the position.
    fn rewritten(&self, text: &Written, control: &Control<'_>) -> Option<Verdict> {
        let catalog = self.file.catalog.with_text(&self.rule_set, text).ok()?;
        self.verdict_in(&Arc::new(catalog), control)
    }

    /// Returns the verdict with the rule sets of a catalog. Returns `None` if one of them refuses the position.
    fn verdict_in(&self, catalog: &Arc<Catalog>, control: &Control<'_>) -> Option<Verdict> {
        let file = self.file.with_catalog(Arc::clone(catalog));
        self.verdict(&file, None, control).ok()
    }

    fn compared(
        &self,
        rule: &Rule,
        verdict: Option<Verdict>,
        without: Option<Verdict>,
    ) -> Sensitivity {
        Sensitivity {
            claim: self.id.to_owned(),
            rule_set: self.rule_set.clone(),
            rule: rule.to_string(),
            verdict,
            without,
            effect: match (verdict, without) {
                (None, _) | (_, None) => Effect::NotApplicable,
                // A counterexample was found before the limit was reached.
                (Some(Verdict::Open), Some(Verdict::Refuted)) => Effect::Changed,
                (Some(Verdict::Open), _) | (_, Some(Verdict::Open)) => Effect::Open,
                (verdict, without) if verdict == without => Effect::Same,
                _ => Effect::Changed,
            },
        }
    }

    /// Returns the worst verdict of the instances, optionally with an option toggled.
    fn verdict(
        &self,
        file: &OpenFile,
        option: Option<VariantOption>,
        control: &Control<'_>,
    ) -> Result<Verdict, Diagnostic> {
        let mut worst = Verdict::Confirmed;
        for instance in &self.instances {
            let mut claim = self.limits.apply(&instance.claim);
            if let Some(option) = option {
                let variant = toggled(&file.catalog.open(&claim.variant.value)?, &option);
                claim.variant.value = variant.to_string();
            }
            worst = worst.min(file.verify_claim(&claim, control)?.verdict);
        }
        Ok(worst)
    }
}

/// The claims about one rule set, to find out which of them a change affects.
pub struct ClaimsAbout<'a> {
    tasks: Vec<Task<'a>>,
    verdicts: Vec<OnceLock<Option<Verdict>>>,
}

impl<'a> ClaimsAbout<'a> {
    /// Returns the claims about a rule set from a list, to be verified within these limits.
    pub fn new(listed: &[Listed<'a>], rule_set: &str, limits: Limits) -> ClaimsAbout<'a> {
        let mut tasks = all_tasks(listed, limits);
        tasks.retain(|task| task.rule_set == rule_set);
        tasks.sort_by_key(Task::cost);
        ClaimsAbout {
            verdicts: tasks.iter().map(|_| OnceLock::new()).collect(),
            tasks,
        }
    }

    /// Returns the verdict of each claim with the rule sets of a catalog, cheap checks first. A verdict is `None` if
    /// a rule set refuses a position or an expression of the claim.
    pub fn verdicts(
        &self,
        catalog: &Arc<Catalog>,
        control: &Control<'_>,
    ) -> Vec<(&'a str, Option<Verdict>)> {
        let verdict = |task: &Task<'a>| (task.id, task.verdict_in(catalog, control));
        self.tasks.iter().map(verdict).collect()
    }

    /// Returns the first claim whose verdict differs with the rule sets of a catalog, with both verdicts.
    /// Cheap checks come first. The second verdict is `None` if a rule set refuses the position.
    pub fn noticing(
        &self,
        catalog: &Arc<Catalog>,
        control: &Control<'_>,
    ) -> Option<(&'a str, Verdict, Option<Verdict>)> {
        let mut refused = None;
        for (task, verdict) in self.tasks.iter().zip(&self.verdicts) {
            // Verify outside `get_or_init`: a thread that waits for parallel work may start on another
            // change, and would then wait for its own cell.
            let known = verdict.get().copied();
            let known = known.unwrap_or_else(|| task.verdict(task.file, None, control).ok());
            let verdict = *verdict.get_or_init(|| known);
            let Some(verdict) = verdict else {
                continue;
            };
            match task.verdict_in(catalog, control) {
                Some(Verdict::Open) => {}
                Some(changed)
                    if changed != verdict
                        && (verdict != Verdict::Open || changed == Verdict::Refuted) =>
                {
                    return Some((task.id, verdict, Some(changed)));
                }
                Some(_) => {}
                None => refused = refused.or(Some((task.id, verdict, None))),
            }
        }
        refused
    }
}

/// Returns a variant with an option toggled.
fn toggled(variant: &Variant, option: &VariantOption) -> Variant {
    let mut toggled = variant.clone();
    match variant.has(option.name) {
        true => toggled.options.retain(|(name, _)| *name != option.name),
        false => {
            let value = option.range.map(|(min, _)| min);
            toggled.options.push((option.name, value));
        }
    }
    toggled
}

impl Limits {
    /// Returns a claim with these limits, where its own are not lower.
    fn apply(self, claim: &ClaimSpec) -> ClaimSpec {
        let mut claim = claim.clone();
        claim.limits.states = claim.limits.states.min(self.states);
        claim.limits.positions = claim.limits.positions.min(self.positions);
        let games = claim.limits.games.unwrap_or(self.games);
        claim.limits.games = Some(games.min(self.games));
        claim
    }
}
