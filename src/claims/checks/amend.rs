//! Amendments: searches for the smallest correction of a possible misprint that makes a refuted claim true.
//!
//! The size of a correction is the number of turns, units, marks and numbers that it changes. Sizes are tried
//! in increasing order, up to the budget that the claim's key `amend` sets. All corrections of the smallest
//! successful size are returned. A correction may combine the kinds that the claim lists.
//!
//! A corrected claim is judged exactly as if it had been printed: only one that is confirmed fits. Corrections
//! are counted before any is built, and are then built and tested in batches, so they need little memory.

mod lines;
mod units;

use super::line::{self, CompiledLine, TooManyReadings, Word};
use super::{bound, force, measure, replies, run_as_printed};
use crate::file::{
    Amendment, Check, ClaimSpec, Measure, Number, Operand, Quantifier, Ratio, Relation, SetKind,
    Text,
};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use board::{Color, Kind, Square};
use control::{Control, counted, parallel};
use diagnostics::Diagnostic;
use language::{About, Expression, Subject as Evaluated};
use notation::{Start, fen, with_setup};
use position::{Layout, Position};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of corrections that are tried.
const MAX_TRIED: u64 = 2_000_000;
/// The number of corrections that are built before they are tested.
const BATCH: usize = 1024;
/// The largest distance from the printed number that is tried, if a search for a forced win does not determine
/// the right number.
const MAX_NUMBERS: u64 = 200;
/// The maximum number of corrections that a summary lists.
const NAMED: usize = 12;

/// The kinds of corrections that are allowed, and the maximum number of each.
#[derive(Clone, Debug, Default)]
struct Budget {
    added_units: u32,
    /// The letters of the units that may be added; `None` allows all.
    letters: Option<String>,
    moved_units: u32,
    inserted_turns: u32,
    /// The plies, from 1, before which turns may be inserted; empty for any.
    insert_at: Vec<u32>,
    replaced_turns: u32,
    /// The plies, from 1, whose turns may be replaced; empty for any.
    replace_at: Vec<u32>,
    number: Option<(i64, i64)>,
    marks: u32,
}

impl Budget {
    fn of(amendments: &[Amendment]) -> Budget {
        let mut budget = Budget::default();
        for amendment in amendments {
            match amendment {
                Amendment::InsertTurns { turns, at } => {
                    (budget.inserted_turns, budget.insert_at) = (*turns, at.clone());
                }
                Amendment::ReplaceTurns { turns, at } => {
                    (budget.replaced_turns, budget.replace_at) = (*turns, at.clone());
                }
                Amendment::AddUnit { units, of } => {
                    (budget.added_units, budget.letters) = (*units, of.clone());
                }
                Amendment::MoveUnit(units) => budget.moved_units = *units,
                Amendment::Number(low, high) => budget.number = Some((*low, *high)),
                Amendment::Mark(marks) => budget.marks = *marks,
            }
        }
        budget
    }

    /// Returns all ways to divide `size` changes among the kinds of corrections.
    fn splits(&self, size: u32) -> Vec<Split> {
        let mut splits = Vec::new();
        let number = u32::from(self.number.is_some());
        for added_units in 0..=self.added_units.min(size) {
            for moved_units in 0..=self.moved_units.min(size - added_units) {
                let left = size - added_units - moved_units;
                for inserted_turns in 0..=self.inserted_turns.min(left) {
                    let left = left - inserted_turns;
                    for replaced_turns in 0..=self.replaced_turns.min(left) {
                        let left = left - replaced_turns;
                        for number in 0..=number.min(left) {
                            let marks = left - number;
                            if marks <= self.marks {
                                splits.push(Split {
                                    added_units,
                                    moved_units,
                                    inserted_turns,
                                    replaced_turns,
                                    number: number == 1,
                                    marks,
                                });
                            }
                        }
                    }
                }
            }
        }
        splits
    }

    fn max_size(&self) -> u32 {
        self.added_units
            + self.moved_units
            + self.inserted_turns
            + self.replaced_turns
            + u32::from(self.number.is_some())
            + self.marks
    }
}

/// The number of corrections of each kind.
#[derive(Clone, Copy, Debug)]
struct Split {
    added_units: u32,
    moved_units: u32,
    inserted_turns: u32,
    replaced_turns: u32,
    number: bool,
    marks: u32,
}

impl Split {
    fn changes_units(&self) -> bool {
        self.added_units + self.moved_units > 0
    }

    fn changes_turns(&self) -> bool {
        self.inserted_turns + self.replaced_turns > 0
    }
}

/// A unit that a correction adds or moves.
#[derive(Clone, Copy)]
struct ChangedUnit {
    color: Color,
    kind: Kind,
    /// The square of a unit that is moved; `None` for one that is added.
    from: Option<Square>,
    to: Square,
}

/// A corrected position and line.
#[derive(Clone)]
struct Candidate<W: Layout> {
    position: Position<W>,
    words: Vec<Word>,
    changes: Vec<String>,
    /// The index of the first turn that may still be replaced. Replacing turns in increasing order tries each
    /// combination once.
    replace_from: usize,
}

/// Whether to continue with further corrections.
type Flow = ControlFlow<()>;

/// A correction that makes the claim true.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    changes: String,
    fen: String,
    line: String,
}

/// The test that a corrected claim must pass.
enum Test {
    /// The line is judged.
    Line(CompiledLine),
    /// The whole claim is verified if a condition has the right value on the one position of the claim.
    /// Otherwise, the claim is refuted.
    Condition(Quantifier, Expression),
    /// The whole claim is verified.
    Whole,
}

/// Searches for the smallest correction that makes a refuted claim true.
///
/// # Errors
/// If a corrected claim cannot be checked against its rule set.
pub fn amended(
    check: &Check,
    subject: &Subject<'_>,
    printed: Finding,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    let budget = Budget::of(&subject.claim.amend);
    if let Check::Replies(list) = check {
        let (wrong, missing) = (budget.replaced_turns, budget.inserted_turns);
        let (wrong, missing) = (wrong as usize, missing as usize);
        return Ok(replies::amended(list, subject, wrong, missing, printed));
    }
    with_setup!(&subject.root, start => {
        let amending = Amending {
            check,
            subject,
            control,
            start,
            test: test(check, subject)?,
            budget,
            max_tried: MAX_TRIED.min(subject.claim.limits.positions),
            skipped_numbers: AtomicBool::new(false),
            undecided: AtomicBool::new(false),
        };
        amending.run(printed)
    })
}

fn test(check: &Check, subject: &Subject<'_>) -> Result<Test, Diagnostic> {
    Ok(match check {
        Check::Line(check) => Test::Line(line::compiled(check, subject)?),
        Check::Property(property) => match property.set.kind {
            SetKind::One => {
                let game = subject.setup.game();
                let condition = &property.condition;
                let condition = subject.condition(condition, &game, About::POSITION)?;
                Test::Condition(property.quantifier, condition)
            }
            _ => Test::Whole,
        },
        _ => Test::Whole,
    })
}

struct Amending<'a, W: Layout> {
    check: &'a Check,
    subject: &'a Subject<'a>,
    control: &'a Control<'a>,
    /// The position before the line.
    start: &'a Start<W>,
    test: Test,
    budget: Budget,
    max_tried: u64,
    /// Set if some numbers were not tried although the check does not determine the right number.
    skipped_numbers: AtomicBool,
    /// Set if a limit was reached before a corrected claim was decided.
    undecided: AtomicBool,
}

impl<W: Layout + tables::Layout> Amending<'_, W> {
    fn run(&self, printed: Finding) -> Result<Finding, Diagnostic> {
        let line = match self.check {
            Check::Line(check) => Some(check.line.value.as_str()),
            _ => self
                .subject
                .claim
                .line
                .as_ref()
                .map(|line| line.value.as_str()),
        };
        let words = line.map_or(Vec::new(), line::words);
        let mut tried = 0;
        for size in 1..=self.budget.max_size() {
            let mut fits: Vec<Fit> = Vec::new();
            for split in self.budget.splits(size) {
                if self.control.check().is_err() {
                    return Ok(printed);
                }
                match self.try_split(&words, split, &mut tried)? {
                    Some(more) => fits.extend(more),
                    None => {
                        let why = format!("there are more than {} to try", self.max_tried);
                        return Ok(open(printed, &why));
                    }
                }
            }
            fits.sort_unstable();
            fits.dedup();
            if !fits.is_empty() {
                return Ok(self.fitting(size, &fits, tried, &printed));
            }
            if self.undecided.load(Ordering::Relaxed) {
                let size = counted(size as usize, "correction", "corrections");
                return Ok(open(
                    printed,
                    &format!("with {size}, some reach a limit of the claim"),
                ));
            }
        }
        let skipped = match (self.skipped_numbers.load(Ordering::Relaxed), self.check) {
            (false, _) => String::new(),
            (true, Check::Measure(_)) => {
                "; no number was tried, as the right one is not known".to_owned()
            }
            (true, _) => {
                format!("; only numbers within {MAX_NUMBERS} of the printed one were tried")
            }
        };
        Ok(Finding {
            summary: format!(
                "{}; {} tried, none makes it true{skipped}",
                printed.summary,
                counted(tried as usize, "correction", "corrections")
            ),
            ..printed
        })
    }

    fn fitting(&self, size: u32, fits: &[Fit], tried: u64, printed: &Finding) -> Finding {
        let mut evidence = Evidence::new(&["correction", "fen", "turns"]);
        for fit in fits {
            evidence.row([fit.changes.clone(), fit.fen.clone(), fit.line.clone()]);
        }
        let named: Vec<&str> = fits
            .iter()
            .take(NAMED)
            .map(|fit| fit.changes.as_str())
            .collect();
        let mut more = match fits.len() {
            n if n > NAMED => format!(" or {} more", n - NAMED),
            _ => String::new(),
        };
        if self.undecided.load(Ordering::Relaxed) {
            more += " or others, which reach a limit of the claim";
        }
        Finding {
            verdict: Verdict::ConfirmedAsAmended,
            scope: Scope::Exhaustive,
            summary: format!(
                "true with {}: {}{more} ({} of {tried} corrections tried; as printed: {})",
                counted(size as usize, "correction", "corrections"),
                named.join(", or "),
                match fits.len() {
                    1 => "the only one".to_owned(),
                    n => n.to_string(),
                },
                printed.summary
            ),
            evidence,
        }
    }

    /// Tries all corrections of a split. Returns `None` if there are more than the search may still try.
    fn try_split(
        &self,
        words: &[Word],
        split: Split,
        tried: &mut u64,
    ) -> Result<Option<Vec<Fit>>, Diagnostic> {
        let mut room = self.max_tried.saturating_sub(*tried);
        if self.count(words, split, &mut room).is_break() {
            return Ok(None);
        }
        let (mut fits, mut failed) = (Vec::new(), None);
        let mut batch: Vec<Candidate<W>> = Vec::new();
        let mut test = |batch: &mut Vec<Candidate<W>>| -> Flow {
            *tried += batch.len() as u64;
            for result in parallel::map_all(batch, |candidate| self.tested(candidate, split)) {
                match result {
                    Ok(fit) => fits.extend(fit),
                    Err(error) => {
                        failed.get_or_insert(error);
                    }
                }
            }
            batch.clear();
            match failed {
                None => self.go_on(),
                Some(_) => Flow::Break(()),
            }
        };
        let whole = self.each_valid_position(split, &mut |position, changed| {
            let candidate = Candidate {
                position: *position,
                words: words.to_vec(),
                changes: changed.iter().map(|unit| self.change_words(unit)).collect(),
                replace_from: 0,
            };
            self.each_line(&candidate, split, &mut |candidate| {
                batch.push(candidate);
                match batch.len() < BATCH {
                    true => Flow::Continue(()),
                    false => test(&mut batch),
                }
            })
        });
        if whole.is_continue() {
            let _: Flow = test(&mut batch);
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(Some(fits)),
        }
    }

    /// Breaks once the caller wants to stop.
    fn go_on(&self) -> Flow {
        match self.control.check() {
            Ok(()) => Flow::Continue(()),
            Err(_) => Flow::Break(()),
        }
    }

    /// Subtracts the number of corrections of a split from `room`, without building them. Breaks if there are
    /// more.
    fn count(&self, words: &[Word], split: Split, room: &mut u64) -> Flow {
        if !split.changes_turns() {
            return self.each_position(split, &mut |_, _| {
                self.go_on()?;
                take(room, 1)
            });
        }
        self.each_valid_position(split, &mut |position, _| {
            let candidate = Candidate {
                position: *position,
                words: words.to_vec(),
                changes: Vec::new(),
                replace_from: 0,
            };
            self.count_lines(&candidate, split, room)
        })
    }

    /// Returns the position after the words of a line, or `None` if one of them is not legal, or the line has
    /// too many readings.
    fn after(&self, position: &Position<W>, words: &[Word]) -> Option<Position<W>> {
        let game = self.start.game.as_ref();
        match self.with_line(|line| line.after(game, position, words)) {
            Ok(after) => after,
            Err(TooManyReadings) => {
                self.undecided.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    fn with_line<T>(&self, work: impl FnOnce(&CompiledLine) -> T) -> T {
        match &self.test {
            Test::Line(line) => work(line),
            _ => work(&CompiledLine::plain()),
        }
    }

    /// Returns the correction if it makes the claim true with exactly as many corrected numbers and marks as
    /// `split` has.
    fn tested(&self, candidate: &Candidate<W>, split: Split) -> Result<Option<Fit>, Diagnostic> {
        if self.control.check().is_err() {
            return Ok(None);
        }
        let game = self.start.game.as_ref();
        let more = match &self.test {
            Test::Line(line) => {
                let start = Start {
                    game: self.start.game.clone(),
                    position: candidate.position,
                };
                let judged = line.judged(&start, &candidate.words);
                let right = self.is_confirmed(&judged.finding);
                let faults = judged.marks.len() as u32;
                match (right, split.number) {
                    (true, false) if split.marks == 0 => Some(Vec::new()),
                    (false, false) if faults == split.marks && faults > 0 => {
                        let words = |fault: &line::MarkFault| {
                            let place = fault.at + 1;
                            let printed = &candidate.words[fault.at].text;
                            match fault.printed {
                                true => {
                                    format!("no `{}` after turn {place} (`{printed}`)", fault.mark)
                                }
                                false => {
                                    format!("`{}` after turn {place} (`{printed}`)", fault.mark)
                                }
                            }
                        };
                        Some(judged.marks.iter().map(words).collect())
                    }
                    _ => None,
                }
            }
            Test::Condition(..) | Test::Whole if split.marks > 0 => None,
            Test::Condition(quantifier, condition) => {
                let p = self.after(&candidate.position, &candidate.words);
                let wanted = *quantifier != Quantifier::Never;
                let fits =
                    |p: &Position<W>| condition.holds(&Evaluated::new(game, p)) == Ok(wanted);
                match p.filter(fits) {
                    Some(_) => self.tested_whole(candidate, split)?,
                    None => None,
                }
            }
            Test::Whole => self.tested_whole(candidate, split)?,
        };
        Ok(more.map(|more| {
            let changes = candidate.changes.iter().cloned().chain(more);
            Fit {
                changes: changes.collect::<Vec<_>>().join(" and "),
                fen: fen::print(game, &candidate.position),
                line: self
                    .with_line(|line| line.coordinates(game, &candidate.position, &candidate.words))
                    .unwrap_or_else(|| joined(&candidate.words)),
            }
        }))
    }

    /// Verifies the whole claim with a candidate.
    fn tested_whole(
        &self,
        candidate: &Candidate<W>,
        split: Split,
    ) -> Result<Option<Vec<String>>, Diagnostic> {
        let mut claim = self.subject.claim.clone();
        if split.changes_units() {
            let value = fen::print(self.start.game.as_ref(), &candidate.position);
            claim.fen = Some(text(value, &claim));
        }
        let is_legal = || self.after(&candidate.position, &candidate.words).is_some();
        if !candidate.words.is_empty() && !is_legal() {
            return Ok(None);
        }
        if split.changes_turns() {
            claim.line = Some(text(joined(&candidate.words), &claim));
        }
        if !split.number {
            let finding = self.verified(&claim)?;
            return Ok(self.is_confirmed(&finding).then(Vec::new));
        }
        for (check, change) in self.with_other_numbers(&claim)? {
            if self.control.check().is_err() {
                break;
            }
            claim.check = check;
            if self.is_confirmed(&self.verified(&claim)?) {
                return Ok(Some(vec![change]));
            }
        }
        Ok(None)
    }

    /// Returns whether a corrected claim is confirmed. Notes one that a limit leaves open.
    fn is_confirmed(&self, finding: &Finding) -> bool {
        if finding.verdict == Verdict::Open {
            self.undecided.store(true, Ordering::Relaxed);
        }
        finding.verdict == Verdict::Confirmed
    }

    /// Returns the checks with another number that may be true, each with the change in words. If the check
    /// determines the right number, only the allowed number nearest to the printed one that fits is returned.
    /// Otherwise, the numbers nearest to the printed one come first.
    fn with_other_numbers(&self, claim: &ClaimSpec) -> Result<Vec<(Check, String)>, Diagnostic> {
        let Some((low, high)) = self.budget.number else {
            return Ok(Vec::new());
        };
        let subject = self.opened(claim)?;
        let (printed, numbers) = match &claim.check {
            Check::Measure(measure) => {
                let measured = measure::measured(measure, &subject, self.control)?;
                let Some(measured) = measured.filter(|measured| measured.exact) else {
                    self.skipped_numbers.store(true, Ordering::Relaxed);
                    return Ok(Vec::new());
                };
                let right = |value| with_measured(measure, value, (low, high));
                return Ok(measured.value.map_or(Vec::new(), right));
            }
            Check::Bound(check) => {
                // Every number from the right one on fits a bound that is not tight.
                let right = bound::run(check, &subject, self.control)?.number;
                let right = right.map(|right| if check.tight { right } else { right.max(low) });
                (i64::try_from(check.turns).ok(), right.into_iter().collect())
            }
            Check::Force(check) => {
                let printed = check.within.map(i64::from);
                let mut free = check.clone();
                free.within = None;
                let free = force::run(&free, &subject, self.control)?;
                let numbers = match (free.number, check.holds) {
                    (Some(right), true) => vec![right.max(low)],
                    (Some(right), false) => vec![right.min(high)],
                    // The goal cannot be forced within any number of plies.
                    (None, true) if free.finding.verdict == Verdict::Refuted => Vec::new(),
                    (None, _) => {
                        printed.map_or(Vec::new(), |printed| self.near(printed, low, high))
                    }
                };
                (printed, numbers)
            }
            _ => (None, Vec::new()),
        };
        let Some(printed) = printed else {
            return Ok(Vec::new());
        };
        let others = numbers.into_iter();
        let others = others.filter(|number| (low..=high).contains(number) && *number != printed);
        Ok(others
            .map(|number| {
                let mut check = claim.check.clone();
                set_number(&mut check, number);
                (check, format!("{number} for {printed}"))
            })
            .collect())
    }

    /// Returns the numbers within [`MAX_NUMBERS`] of the printed one, the nearest first.
    fn near(&self, printed: i64, low: i64, high: i64) -> Vec<i64> {
        let farthest = printed.abs_diff(low).max(printed.abs_diff(high));
        if farthest > MAX_NUMBERS {
            self.skipped_numbers.store(true, Ordering::Relaxed);
        }
        (1..=farthest.min(MAX_NUMBERS) as i64)
            .flat_map(|by| [printed.saturating_sub(by), printed.saturating_add(by)])
            .collect()
    }

    fn opened<'c>(&'c self, claim: &'c ClaimSpec) -> Result<Subject<'c>, Diagnostic> {
        let subject = Subject::open(self.subject.catalog, self.subject.file, claim)?;
        Ok(match self.subject.references {
            Some(references) => subject.with_references(references),
            None => subject,
        })
    }

    fn verified(&self, claim: &ClaimSpec) -> Result<Finding, Diagnostic> {
        let subject = self.opened(claim)?;
        run_as_printed(&claim.check, &subject, self.control)
    }
}

/// Subtracts a number from `room`. Breaks if it is greater.
fn take(room: &mut u64, number: u64) -> Flow {
    match room.checked_sub(number) {
        Some(left) => {
            *room = left;
            Flow::Continue(())
        }
        None => Flow::Break(()),
    }
}

/// Returns the finding for a refuted claim for which some corrections were not decided.
fn open(printed: Finding, why: &str) -> Finding {
    Finding {
        verdict: Verdict::Open,
        summary: format!(
            "{}; whether a correction makes it true is open: {why}",
            printed.summary
        ),
        ..printed
    }
}

/// Returns the check of a measure with each printed number replaced by the allowed number nearest to it that
/// fits the measured number, with the change in words.
fn with_measured(measure: &Measure, value: Ratio, (low, high): (i64, i64)) -> Vec<(Check, String)> {
    let (low, high) = (Number::whole(low), Number::whole(high));
    let mut checks = Vec::new();
    for (at, (relation, operand)) in measure.relations.iter().enumerate() {
        let Operand::Number(printed) = operand else {
            continue;
        };
        let number = match (relation, printed.corrected(*relation, value)) {
            (Relation::AtLeast, Some(number)) if number.value > high.value => high.clone(),
            (Relation::AtMost, Some(number)) if number.value < low.value => low.clone(),
            (_, Some(number)) => number,
            (_, None) => continue,
        };
        let is_allowed = (low.value..=high.value).contains(&number.value);
        if is_allowed && number.value != printed.value {
            let change = format!("{} for {}", number.text, printed.text);
            let mut corrected = measure.clone();
            corrected.relations[at].1 = Operand::Number(number);
            checks.push((Check::Measure(corrected), change));
        }
    }
    checks
}

/// Replaces the number after `turns` or `within`.
fn set_number(check: &mut Check, number: i64) {
    match check {
        Check::Bound(check) => check.turns = number.max(0) as u64,
        Check::Force(check) => check.within = u32::try_from(number.max(0)).ok(),
        _ => {}
    }
}

/// Returns a text that replaces a text of the file. Errors point to the claim's check.
fn text(value: String, claim: &ClaimSpec) -> Text {
    Text {
        value,
        span: claim.at.clone(),
        substituted: true,
    }
}

fn joined(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}
