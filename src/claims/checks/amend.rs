//! Amendments: searches for the smallest correction of a possible misprint that makes a refuted claim true.
//!
//! The size of a correction is the number of turns, units, marks and numbers that it changes. Sizes are tried
//! in increasing order, up to the budget that the claim's key `amend` sets. All corrections of the smallest
//! successful size are returned. A correction may combine the kinds that the claim lists.

use super::line::{self, CompiledLine, Word};
use super::{bound, force, measure, replies, run_as_printed};
use crate::file::{
    Amendment, Check, ClaimSpec, Measure, Number, Operand, Quantifier, Ratio, Relation, SetKind,
    Text,
};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use board::{Color, Kind, Square, Squares};
use control::{Control, counted, parallel};
use diagnostics::Diagnostic;
use language::{About, Expression, Subject as Evaluated};
use notation::{Start, fen, turns, with_setup};
use position::{Layout, Position, Rights};
use std::sync::atomic::{AtomicBool, Ordering};
use tables::is_valid_fen_position;

/// The maximum number of corrections that are tried.
const MAX_TRIED: u64 = 2_000_000;
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
    /// A condition is evaluated on one position.
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
                    None => return Ok(self.stopped(printed)),
                }
            }
            fits.sort_unstable();
            fits.dedup();
            if !fits.is_empty() {
                return Ok(self.fitting(size, &fits, tried, &printed));
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

    fn stopped(&self, printed: Finding) -> Finding {
        Finding {
            verdict: Verdict::Open,
            summary: format!(
                "{}; whether a correction makes it true is open: there are more than {} to try",
                printed.summary, self.max_tried
            ),
            ..printed
        }
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
        let more = match fits.len() {
            n if n > NAMED => format!(" or {} more", n - NAMED),
            _ => String::new(),
        };
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
        let room = self.max_tried.saturating_sub(*tried);
        let Some(positions) = self.positions(split, room) else {
            return Ok(None);
        };
        let results = parallel::map_all(&positions, |(position, changes)| {
            let mut fits = Vec::new();
            if self.control.check().is_err() {
                return Ok((fits, 0));
            }
            let candidates = self.lines(position, words, changes, split);
            for candidate in &candidates {
                fits.extend(self.tested(candidate, split)?);
            }
            Ok::<_, Diagnostic>((fits, candidates.len() as u64))
        });
        let mut fits = Vec::new();
        for result in results {
            let (found, candidates) = result?;
            fits.extend(found);
            *tried += candidates;
        }
        Ok((*tried <= self.max_tried).then_some(fits))
    }

    /// Returns the positions with units added and moved, each with its changes. Returns `None` if there are
    /// more than `room` positions.
    fn positions(&self, split: Split, room: u64) -> Option<Vec<(Position<W>, Vec<String>)>> {
        let mut positions = vec![(self.start.position, Vec::new(), 0)];
        for _ in 0..split.moved_units {
            let mut next = Vec::new();
            for (p, changes, from) in &positions {
                next.extend(self.with_moved_unit(p, changes, *from));
                if next.len() as u64 > room {
                    return None;
                }
            }
            positions = next;
        }
        positions.iter_mut().for_each(|(_, _, from)| *from = 0);
        let units = self.addable();
        for _ in 0..split.added_units {
            let mut next = Vec::new();
            for (p, changes, from) in &positions {
                let more = units.iter().enumerate().skip(*from);
                next.extend(more.filter_map(|(n, unit)| {
                    let p = self.with_unit(p, *unit)?;
                    Some((p, and(changes, self.added_words(*unit)), n + 1))
                }));
                if next.len() as u64 > room {
                    return None;
                }
            }
            positions = next;
        }
        let changed = split.added_units + split.moved_units > 0;
        let game = self.start.game.as_ref();
        let valid = positions.into_iter().map(|(p, changes, _)| (p, changes));
        Some(
            valid
                .filter(|(p, _)| !changed || is_valid_fen_position(game, p))
                .collect(),
        )
    }

    /// Returns the units that may be added, each on every square of the board.
    fn addable(&self) -> Vec<(Color, Kind, Square)> {
        let game = self.start.game.as_ref();
        let men = game.men();
        let allowed = |color: Color, kind: Kind| match &self.budget.letters {
            None => true,
            Some(letters) => {
                let name = men.name(color, kind);
                letters.split([',', ' ']).any(|letter| *name == *letter)
                    || letters.chars().any(|letter| *name == *letter.to_string())
            }
        };
        let mut units = Vec::new();
        for color in Color::BOTH {
            for kind in men.kinds().filter(|&kind| allowed(color, kind)) {
                for square in game.board().squares().iter() {
                    if kind != Kind::Pawn || !game.no_pawns_in_fens(color).has(square) {
                        units.push((color, kind, square));
                    }
                }
            }
        }
        units
    }

    fn with_unit(
        &self,
        p: &Position<W>,
        (color, kind, square): (Color, Kind, Square),
    ) -> Option<Position<W>> {
        let mut p = *p;
        let vacant = !p.occupied().has(square);
        vacant.then(|| {
            p.put(color, kind, square);
            p
        })
    }

    fn unit_words(&self, color: Color, kind: Kind, square: Square) -> String {
        let game = self.start.game.as_ref();
        let side = match color {
            Color::White => "white",
            Color::Black => "black",
        };
        let name = game.men().name(Color::White, kind);
        format!("{side} {}{}", &*name, game.board().geometry().name(square))
    }

    fn added_words(&self, (color, kind, square): (Color, Kind, Square)) -> String {
        format!("add {}", self.unit_words(color, kind, square))
    }

    /// Returns the positions with one unit moved to a vacant square. Only units on squares from index `from`
    /// on are moved, so each set of moved units is tried in one order only.
    fn with_moved_unit(
        &self,
        p: &Position<W>,
        changes: &[String],
        from: usize,
    ) -> Vec<(Position<W>, Vec<String>, usize)> {
        let game = self.start.game.as_ref();
        let squares: Vec<Square> = game.board().squares().iter().collect();
        let mut moved = Vec::new();
        for (n, &origin) in squares.iter().enumerate().skip(from) {
            // Move only units of the printed position, never one that was added or moved before.
            let Some((color, kind)) = self.start.position.unit(origin) else {
                continue;
            };
            for &to in squares.iter().filter(|&&to| !p.occupied().has(to)) {
                let mut q = *p;
                q.clear(origin);
                q.put(color, kind, to);
                for color in Color::BOTH {
                    for higher in [false, true] {
                        let right = Rights::bit(color, higher);
                        if q.rights.has(right) && !game.has_castling_units(&q, color, higher) {
                            q.rights = q.rights.without(right);
                        }
                    }
                }
                let name = game.board().geometry().name(to);
                let words = format!("{} on {name}", self.unit_words(color, kind, origin));
                moved.push((q, and(changes, words), n + 1));
            }
        }
        moved
    }

    /// Returns the lines with turns inserted and replaced.
    fn lines(
        &self,
        position: &Position<W>,
        words: &[Word],
        changes: &[String],
        split: Split,
    ) -> Vec<Candidate<W>> {
        let mut candidates = vec![Candidate {
            position: *position,
            words: words.to_vec(),
            changes: changes.to_vec(),
            replace_from: 0,
        }];
        if split.inserted_turns > 0 {
            candidates = candidates
                .iter()
                .flat_map(|c| self.inserted(c, split))
                .collect();
        }
        for _ in 0..split.replaced_turns {
            candidates = candidates.iter().flat_map(|c| self.replaced(c)).collect();
        }
        candidates
    }

    /// Returns the position after the words of a line, or `None` if one of them is not legal.
    fn after(&self, position: &Position<W>, words: &[Word]) -> Option<Position<W>> {
        let game = self.start.game.as_ref();
        self.with_line(|line| line.after(game, position, words))
    }

    fn with_line<T>(&self, work: impl FnOnce(&CompiledLine) -> T) -> T {
        match &self.test {
            Test::Line(line) => work(line),
            _ => work(&CompiledLine::plain()),
        }
    }

    /// Returns the lines with pairs of consecutive turns inserted.
    fn inserted(&self, candidate: &Candidate<W>, split: Split) -> Vec<Candidate<W>> {
        let game = self.start.game.as_ref();
        let mut found = Vec::new();
        let places = 0..candidate.words.len() + 1;
        for place in places.filter(|place| is_allowed(&self.budget.insert_at, *place)) {
            let Some(p) = self.after(&candidate.position, &candidate.words[..place]) else {
                break;
            };
            let mut fronts: Vec<(Position<W>, Vec<String>)> = vec![(p, Vec::new())];
            for _ in 0..split.inserted_turns {
                let longer = |(p, line): &(Position<W>, Vec<String>)| -> Vec<_> {
                    let legal = turns::sorted(game, p).into_iter();
                    let with = |(text, turn)| (game.play(p, &turn), and(line, text));
                    legal.map(with).collect()
                };
                fronts = fronts.iter().flat_map(longer).collect();
            }
            for (_, line) in fronts {
                let change = format!("insert {} as turn {}", line.join(" "), place + 1);
                let mut words = candidate.words.clone();
                let supplied = line.into_iter().map(|text| Word {
                    text,
                    printed: false,
                });
                words.splice(place..place, supplied);
                found.push(Candidate {
                    position: candidate.position,
                    words,
                    changes: and(&candidate.changes, change),
                    replace_from: 0,
                });
            }
        }
        found
    }

    /// Returns the lines with one printed turn replaced by another legal turn.
    fn replaced(&self, candidate: &Candidate<W>) -> Vec<Candidate<W>> {
        let game = self.start.game.as_ref();
        let mut found = Vec::new();
        let places = candidate.replace_from..candidate.words.len();
        for place in places.filter(|place| is_allowed(&self.budget.replace_at, *place)) {
            if !candidate.words[place].printed {
                continue;
            }
            let Some(p) = self.after(&candidate.position, &candidate.words[..place]) else {
                break;
            };
            let printed = &candidate.words[place].text;
            for (text, _) in turns::sorted(game, &p) {
                if text == *printed {
                    continue;
                }
                let change = format!("turn {} {text} for `{printed}`", place + 1);
                let mut words = candidate.words.clone();
                words[place] = Word {
                    text,
                    printed: false,
                };
                found.push(Candidate {
                    position: candidate.position,
                    words,
                    changes: and(&candidate.changes, change),
                    replace_from: place + 1,
                });
            }
        }
        found
    }

    /// Returns the correction if it makes the claim true with exactly as many corrected numbers and marks as
    /// `split` has.
    fn tested(&self, candidate: &Candidate<W>, split: Split) -> Result<Option<Fit>, Diagnostic> {
        let game = self.start.game.as_ref();
        let more = match &self.test {
            Test::Line(line) => {
                let start = Start {
                    game: self.start.game.clone(),
                    position: candidate.position,
                };
                let judged = line.judged(&start, &candidate.words);
                let right = judged.finding.verdict == Verdict::Confirmed;
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
            Test::Condition(quantifier, condition) => {
                let p = self.after(&candidate.position, &candidate.words);
                let plain = !split.number && split.marks == 0;
                p.filter(|p| {
                    let holds = condition.holds(&Evaluated::new(game, p)) == Ok(true);
                    plain && holds == (*quantifier != Quantifier::Never)
                })
                .map(|_| Vec::new())
            }
            Test::Whole if split.marks > 0 => None,
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
        if split.added_units + split.moved_units > 0 {
            let value = fen::print(self.start.game.as_ref(), &candidate.position);
            claim.fen = Some(text(value, &claim));
        }
        if split.inserted_turns + split.replaced_turns > 0 {
            if self.after(&candidate.position, &candidate.words).is_none() {
                return Ok(None);
            }
            claim.line = Some(text(joined(&candidate.words), &claim));
        }
        if !split.number {
            let finding = self.verified(&claim)?;
            return Ok((finding.verdict == Verdict::Confirmed).then(Vec::new));
        }
        for (check, change) in self.with_other_numbers(&claim)? {
            claim.check = check;
            if self.verified(&claim)?.verdict == Verdict::Confirmed {
                return Ok(Some(vec![change]));
            }
        }
        Ok(None)
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

/// Returns whether the turn with this index may be corrected. `plies` are the allowed places from 1; if empty,
/// all places are allowed.
fn is_allowed(plies: &[u32], index: usize) -> bool {
    plies.is_empty() || plies.iter().any(|ply| *ply as usize == index + 1)
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

/// Returns a copy of a list with one text appended.
fn and(list: &[String], text: String) -> Vec<String> {
    let mut list = list.to_vec();
    list.push(text);
    list
}
