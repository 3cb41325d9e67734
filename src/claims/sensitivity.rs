//! Determines which rules make a claim true: removes each rule of a rule set in turn and verifies its claims
//! again.
//!
//! A rule is a hook in which a compiled rule set differs from orthodox chess, an option, or a key of a
//! definition. Each claim is verified once for every rule, so the limits are lower than in the ledger. All
//! limits are counts, so the result depends neither on threads nor on time.

use crate::file::{Check, ClaimSpec, Entry, Instance, Set, SetKind};
use crate::{Listed, OpenFile, Verdict};
use board::{Kind, Men, Movement};
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use notation::Setup;
use rayon::prelude::*;
use rules::{Change, Hook, OptionPurpose, RuleSet, Variant, VariantOption, with_game};
use std::fmt;
use std::mem::discriminant;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum number of states of a graph. Arbitrary: with this limit, most claims reach a verdict, and all
/// of them together take minutes.
const MAX_STATES: u64 = 20_000;

/// The maximum number of positions that a claim examines. Arbitrary, like [`MAX_STATES`].
const MAX_POSITIONS: u64 = 50_000;

/// The maximum number of random games. Arbitrary, like [`MAX_STATES`].
const MAX_GAMES: u64 = 20;

/// A rule that is removed.
#[derive(Clone, Debug)]
pub enum Rule {
    /// A hook is replaced by that of orthodox chess.
    Hook(Hook),
    /// An option is toggled.
    Option(VariantOption),
    /// A key of a definition is reset to the value of the parent.
    Key(String),
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Hook(hook) => write!(f, "{hook:?}"),
            Rule::Option(option) => write!(f, "option {}", option.name),
            Rule::Key(key) => f.write_str(key),
        }
    }
}

/// Returns the rules of a rule set that can be removed. With `rulings`, returns instead the options that
/// reflect rulings of the rule book.
///
/// # Errors
/// If no rule set has this name.
pub fn rules(catalog: &Catalog, id: &str, rulings: bool) -> Result<Vec<Rule>, Diagnostic> {
    let variant = catalog.open(id)?;
    let options = variant.rule_set.options().iter();
    let options = options.filter(|option| (option.purpose == OptionPurpose::Ruling) == rulings);
    let mut rules: Vec<Rule> = Vec::new();
    if let (RuleSet::Compiled(info), false) = (&variant.rule_set, rulings) {
        rules.extend(info.diff.iter().map(|hook| Rule::Hook(*hook)));
    }
    rules.extend(options.copied().map(Rule::Option));
    if !rulings {
        rules.extend(
            catalog
                .keys(id)
                .into_iter()
                .map(|key| Rule::Key(key.to_owned())),
        );
    }
    Ok(rules)
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
    for task in all_tasks(listed) {
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
fn all_tasks<'a>(listed: &[Listed<'a>]) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for (claim, (file, entry)) in listed.iter().filter_map(|c| Some((c, c.entry()?))) {
        let groups = by_rule_set(entry).into_iter();
        tasks.extend(groups.map(|(rule_set, instances)| Task {
            id: claim.id,
            file,
            rule_set,
            instances,
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
        let row = |rule: &Rule| {
            if control.check().is_err() {
                return None;
            }
            let without = match rule {
                Rule::Hook(hook) => self.changed(Change::Without(*hook), control),
                Rule::Key(key) => match self.file.catalog.without_key(&self.rule_set, key) {
                    Ok(catalog) => self
                        .verdict(&self.file.with_catalog(catalog), None, control)
                        .ok(),
                    Err(_) => None,
                },
                Rule::Option(option) => self.verdict(self.file, Some(*option), control).ok(),
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
            SetKind::One | SetKind::Positions(_) | SetKind::Line(_) | SetKind::Steps => 0,
            SetKind::Games { .. } => 1,
            SetKind::Graph { .. } | SetKind::Placements { .. } | SetKind::Table { .. } => 2,
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

    /// Returns the verdict after a change of the rule set. Returns `None` if the changed rule set cannot be
    /// played or refuses the position.
    fn changed(&self, change: Change, control: &Control<'_>) -> Option<Verdict> {
        if !is_playable(&self.file.catalog, &self.rule_set, change) {
            return None;
        }
        let catalog = self.file.catalog.with_change(&self.rule_set, change);
        self.verdict(&self.file.with_catalog(catalog), None, control)
            .ok()
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
            let mut claim = limited(&instance.claim);
            if let Some(option) = option {
                let variant = toggled(&file.catalog.open(&claim.variant.value)?, &option);
                claim.variant.value = variant.to_string();
            }
            worst = worst.min(file.verify_claim(&claim, control)?.verdict);
        }
        Ok(worst)
    }
}

/// Returns whether a rule set with this change can be played. Removing the board shape is a change only on a
/// cylinder. A kind whose movement changes must remain a leaper or a rider, since the rule set's own hooks
/// rely on it.
pub fn is_playable(catalog: &Catalog, id: &str, change: Change) -> bool {
    let variant = catalog.open(id);
    let Ok(setup) = variant.and_then(|variant| Setup::read(&variant, None)) else {
        return false;
    };
    with_game!(setup.game(), game => {
        let men = game.men();
        let same = |kind: Kind, movement: Movement| {
            discriminant(&men.movements[kind.index()]) == discriminant(&movement)
        };
        match change {
            Change::Without(Hook::Geometry) => game.board().geometry().wraps(),
            Change::Without(Hook::Men) => {
                Kind::ALL.iter().all(|kind| same(*kind, Men::FIDE.movements[kind.index()]))
            }
            Change::Moves(kind, movement) => same(kind, movement),
            _ => true,
        }
    })
}

/// The claims about one rule set, to find out which of them a change affects.
pub struct ClaimsAbout<'a> {
    tasks: Vec<Task<'a>>,
    verdicts: Vec<OnceLock<Option<Verdict>>>,
}

impl<'a> ClaimsAbout<'a> {
    /// Returns the claims about a rule set from a list.
    pub fn new(listed: &[Listed<'a>], rule_set: &str) -> ClaimsAbout<'a> {
        let mut tasks = all_tasks(listed);
        tasks.retain(|task| task.rule_set == rule_set);
        tasks.sort_by_key(Task::cost);
        ClaimsAbout {
            verdicts: tasks.iter().map(|_| OnceLock::new()).collect(),
            tasks,
        }
    }

    /// Returns the first claim whose verdict differs after a change of the rule set, with both verdicts.
    /// Cheap checks come first. The second verdict is `None` if the changed rule set refuses the position.
    pub fn noticing(
        &self,
        change: Change,
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
            match task.changed(change, control) {
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

/// Returns a claim with the lower limits with which it is verified for each rule.
fn limited(claim: &ClaimSpec) -> ClaimSpec {
    let mut claim = claim.clone();
    claim.limits.states = claim.limits.states.min(MAX_STATES);
    claim.limits.positions = claim.limits.positions.min(MAX_POSITIONS);
    let games = claim.limits.games.unwrap_or(MAX_GAMES);
    claim.limits.games = Some(games.min(MAX_GAMES));
    claim
}
