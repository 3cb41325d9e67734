//! Printed lines: checks whether their turns are legal, how they end, and whether their marks are right.
//!
//! Notation can be ambiguous, so a printed turn can match several legal turns. The claim holds if it holds for at
//! least one combination of these readings, and is open if there are too many combinations to try. A mark is printed after a turn, or inside it if it is a sign that
//! notations write there (`x`, `:`, `=`).

use crate::file::{LineCheck, Text};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use control::counted;
use diagnostics::Diagnostic;
use language::{About, Expression, OUTCOMES, Subject as Evaluated};
use notation::{Start, fen, turns, with_setup};
use position::{Layout, Position};
use rules::{Game, Outcome, Turn};

/// The maximum number of turns that are played while the readings of a line are tried.
const MAX_PLAYED: usize = 20_000;
/// Signs that notations write inside a turn.
const INNER_SIGNS: [&str; 3] = ["x", ":", "="];

/// The outcome with which a line must end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    outcome: String,
    reason: Option<String>,
}

impl Ending {
    /// Returns whether `outcome` matches. Without a reason, every reason matches.
    pub fn is(&self, outcome: Outcome) -> bool {
        let text = outcome.to_string();
        let word = text.split(' ').next().unwrap_or("");
        word == self.outcome
            && self
                .reason
                .as_deref()
                .is_none_or(|r| outcome.reason() == Some(r))
    }
}

/// A printed word of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The turn as printed with its marks, or in coordinate notation.
    pub text: String,
    /// Whether the page prints the turn. Turns that a correction adds have no marks.
    pub printed: bool,
}

/// A check of a line, compiled for a rule set.
pub struct CompiledLine {
    legal: bool,
    ends: Option<Ending>,
    marks: Vec<(String, Expression)>,
}

/// A turn of a line that was played.
#[derive(Clone)]
pub struct PlayedTurn<W: Layout> {
    /// The position before the turn.
    pub before: Position<W>,
    after: Position<W>,
    /// The turn.
    pub turn: Turn,
    /// The marks that are printed with the turn.
    marks: Vec<String>,
}

/// The part of a line that can be played, and the reason why it ends there.
pub struct Replay<W: Layout> {
    /// The turns that were played.
    pub played: Vec<PlayedTurn<W>>,
    /// The index of the first turn that cannot be played, with the reason.
    pub illegal: Option<(usize, String)>,
    /// Whether some combinations of readings were not tried, and none of the others is the one wanted.
    pub limited: bool,
}

/// The error for a line with more readings than are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyReadings;

impl std::fmt::Display for TooManyReadings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "its turns can be read in too many ways (limit: {MAX_PLAYED} turns played to try them)"
        )
    }
}

/// A wrong mark: printed although its condition does not hold, or missing although it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkFault {
    /// The index of the turn, from 0.
    pub at: usize,
    /// The mark.
    pub mark: String,
    /// Whether the mark is printed.
    pub printed: bool,
}

/// Returns the words of a line.
pub fn words(line: &str) -> Vec<Word> {
    let words = turns::words(line);
    let word = |text: &str| Word {
        text: text.to_owned(),
        printed: true,
    };
    words.map(word).collect()
}

/// Compiles a check for its rule set.
///
/// # Errors
/// If the outcome or a mark is wrong, at its place in the file.
pub fn compiled(check: &LineCheck, subject: &Subject<'_>) -> Result<CompiledLine, Diagnostic> {
    if words(&check.line.value).is_empty() {
        return Err(subject.file.error(&check.line.span, "the line has no turn"));
    }
    let more = check
        .ends
        .as_ref()
        .or(check.marks.first().map(|(mark, _)| mark));
    if let Some(more) = more.filter(|_| !check.legal) {
        let why = "a line with an illegal turn has no end and no marks";
        let error = subject.file.error(&more.span, why);
        return Err(error.help("remove `legal = false`, or `ends` and `marks`"));
    }
    let ends = check.ends.as_ref().map(|text| ending(text, subject));
    let about = About {
        after: true,
        ..About::TURN
    };
    let game = subject.setup.game();
    let mark = |(mark, condition): &(Text, Text)| {
        if mark.value.is_empty() || mark.value.contains(char::is_whitespace) {
            let why = format!("`{}` cannot be a mark", mark.value);
            let error = subject.file.error(&mark.span, why);
            return Err(error.help("a mark is a text without blanks, such as `+`"));
        }
        Ok((
            mark.value.clone(),
            subject.condition(condition, &game, about)?,
        ))
    };
    Ok(CompiledLine {
        legal: check.legal,
        ends: ends.transpose()?,
        marks: check.marks.iter().map(mark).collect::<Result<_, _>>()?,
    })
}

fn ending(text: &Text, subject: &Subject<'_>) -> Result<Ending, Diagnostic> {
    let mut parts = text.value.split_whitespace();
    let (outcome, reason) = (parts.next().unwrap_or(""), parts.next());
    let wrong = |why: String, help: String| Err(subject.file.error(&text.span, why).help(help));
    if !OUTCOMES.contains(&outcome) || parts.next().is_some() {
        let near = diagnostics::nearest(outcome, OUTCOMES);
        let help = match near {
            Some(near) if near != outcome => format!("did you mean `{near}`?"),
            _ => format!("one of {}, then a reason if wanted", OUTCOMES.join(", ")),
        };
        return wrong(format!("`{}` is not an outcome", text.value), help);
    }
    let reasons: Vec<&str> = (subject.variant.rule_set.reasons().iter())
        .map(|(reason, _)| *reason)
        .collect();
    let fits = |reason: &&str| outcome != "ongoing" && reasons.contains(reason);
    if let Some(reason) = reason.filter(|reason| !fits(reason)) {
        let help = match diagnostics::nearest(reason, reasons.iter().copied()) {
            Some(near) if outcome != "ongoing" => format!("did you mean `{near}`?"),
            _ => format!("its reasons: {}", reasons.join(", ")),
        };
        let why = format!("`{}` has no outcome `{}`", subject.variant, text.value);
        return wrong(why, help);
    }
    Ok(Ending {
        outcome: outcome.to_owned(),
        reason: reason.map(str::to_owned),
    })
}

/// Checks a line against its rule set.
///
/// # Errors
/// The errors of [`compiled`].
pub fn validate(check: &LineCheck, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    compiled(check, subject).map(|_| ())
}

/// Verifies a line.
///
/// # Errors
/// The errors of [`compiled`].
pub fn run(check: &LineCheck, subject: &Subject<'_>) -> Result<Finding, Diagnostic> {
    let compiled = compiled(check, subject)?;
    let words = words(&check.line.value);
    Ok(with_setup!(&subject.setup, start => compiled.judged(start, &words).finding))
}

/// The result of judging a line.
pub struct Judged {
    /// The finding.
    pub finding: Finding,
    /// The wrong marks, if correcting them would make the claim true. Empty if the claim is true, or if
    /// anything else is wrong.
    pub marks: Vec<MarkFault>,
}

impl CompiledLine {
    /// Returns a check that tests only legality.
    pub fn plain() -> CompiledLine {
        CompiledLine {
            legal: true,
            ends: None,
            marks: Vec::new(),
        }
    }

    /// Returns the position after a line, or `None` if one of its turns is not legal.
    ///
    /// # Errors
    /// If no legal reading was found among those that were tried.
    pub fn after<W: Layout>(
        &self,
        game: &dyn Game<W>,
        start: &Position<W>,
        words: &[Word],
    ) -> Result<Option<Position<W>>, TooManyReadings> {
        let replay = self.replay(game, start, words, &|_| true);
        let last = || replay.played.last().map_or(*start, |turn| turn.after);
        match replay.limited {
            true => Err(TooManyReadings),
            false => Ok(replay.illegal.is_none().then(last)),
        }
    }

    /// Returns a line in coordinate notation, if all of its turns are legal.
    pub fn coordinates<W: Layout>(
        &self,
        game: &dyn Game<W>,
        start: &Position<W>,
        words: &[Word],
    ) -> Option<String> {
        let replay = self.replay(game, start, words, &|played| {
            self.is_right(game, words, played)
        });
        let text = |turn: &PlayedTurn<W>| turns::print(game, &turn.before, &turn.turn);
        let texts: Vec<String> = replay.played.iter().map(text).collect();
        (replay.illegal.is_none() && !replay.limited).then(|| texts.join(" "))
    }

    /// Returns whether a complete reading of a line decides the claim: its outcome and its marks are right, or
    /// the claim is that no reading is legal.
    fn is_right<W: Layout>(
        &self,
        game: &dyn Game<W>,
        words: &[Word],
        played: &[PlayedTurn<W>],
    ) -> bool {
        if !self.legal || self.ends.is_none() && self.marks.is_empty() {
            return true;
        }
        let last = played.last().map(|turn| game.outcome(&turn.after));
        let ends = self.ends.as_ref();
        let mut turns = words.iter().zip(played).enumerate();
        ends.is_none_or(|ends| ends.is(last.unwrap_or(Outcome::Ongoing)))
            && turns.all(|(at, (word, turn))| {
                let right = self.right_marks(game, turn);
                !word.printed || self.mark_faults(at, &turn.marks, &right).is_empty()
            })
    }

    /// Judges a line of words from a position.
    pub fn judged<W: Layout>(&self, start: &Start<W>, words: &[Word]) -> Judged {
        let game = start.game.as_ref();
        let replay = self.replay(game, &start.position, words, &|played| {
            self.is_right(game, words, played)
        });
        let mut evidence = Evidence::new(&[
            "ply",
            "printed",
            "turn",
            "fen_before",
            "outcome_after",
            "printed_marks",
            "right_marks",
            "remark",
        ]);
        let mut faults: Vec<MarkFault> = Vec::new();
        for (at, (word, turn)) in words.iter().zip(&replay.played).enumerate() {
            let right = self.right_marks(game, turn);
            let wrong = match word.printed {
                true => self.mark_faults(at, &turn.marks, &right),
                false => Vec::new(),
            };
            let remark: Vec<String> = wrong.iter().map(MarkFault::words).collect();
            evidence.row([
                (at + 1).to_string(),
                if word.printed {
                    word.text.clone()
                } else {
                    String::new()
                },
                turns::print(game, &turn.before, &turn.turn),
                fen::print(game, &turn.before),
                game.outcome(&turn.after).to_string(),
                turn.marks.join(" "),
                right.join(" "),
                remark.join("; "),
            ]);
            faults.extend(wrong);
        }
        if let Some((at, why)) = &replay.illegal {
            let p = replay
                .played
                .last()
                .map_or(start.position, |turn| turn.after);
            evidence.row([
                (at + 1).to_string(),
                words[*at].text.clone(),
                String::new(),
                fen::print(game, &p),
                String::new(),
                String::new(),
                String::new(),
                why.clone(),
            ]);
        }
        let (verdict, summary, marks) = self.verdict(game, words, &replay, faults);
        Judged {
            finding: Finding {
                verdict,
                scope: Scope::Witness,
                summary,
                evidence,
            },
            marks,
        }
    }

    fn verdict<W: Layout>(
        &self,
        game: &dyn Game<W>,
        words: &[Word],
        replay: &Replay<W>,
        faults: Vec<MarkFault>,
    ) -> (Verdict, String, Vec<MarkFault>) {
        let all = counted(words.len(), "turn", "turns");
        if replay.limited {
            let why = format!("whether the line is as stated is open: {TooManyReadings}");
            return (Verdict::Open, why, Vec::new());
        }
        let illegal = replay.illegal.as_ref().map(|(at, why)| {
            let after = match at {
                0 => "in the first position".to_owned(),
                _ => format!("after {}", counted(*at, "ply", "plies")),
            };
            format!(
                "turn {} (`{}`), {after}, is not legal: {why}",
                at + 1,
                words[*at].text
            )
        });
        match (self.legal, illegal) {
            (true, Some(why)) => return (Verdict::Refuted, why, Vec::new()),
            (false, Some(why)) => return (Verdict::Confirmed, why, Vec::new()),
            (false, None) => {
                let why = format!("all {all} are legal");
                return (Verdict::Refuted, why, Vec::new());
            }
            (true, None) => {}
        }
        let outcomes: Vec<Outcome> = (replay.played.iter())
            .map(|turn| game.outcome(&turn.after))
            .collect();
        let last = outcomes.last().copied().unwrap_or(Outcome::Ongoing);
        let mut wrong: Vec<String> = Vec::new();
        if let Some(ends) = self.ends.as_ref().filter(|ends| !ends.is(last)) {
            let stated = match &ends.reason {
                Some(reason) => format!("{} {reason}", ends.outcome),
                None => ends.outcome.clone(),
            };
            wrong.push(format!("the outcome is `{last}`, not `{stated}`"));
        }
        let ends_right = wrong.is_empty();
        let place = |fault: &MarkFault| {
            format!(
                "{} after turn {} (`{}`)",
                fault.words(),
                fault.at + 1,
                words[fault.at].text
            )
        };
        wrong.extend(faults.iter().map(place));
        if wrong.is_empty() {
            let marks = match self.marks.len() {
                0 => String::new(),
                n => format!("; {} right after each", counted(n, "mark is", "marks are")),
            };
            let summary = format!("all {all} are legal; outcome `{last}`{marks}");
            return (Verdict::Confirmed, summary, Vec::new());
        }
        let summary = format!("all {all} are legal, but {}", wrong.join("; "));
        (
            Verdict::Refuted,
            summary,
            if ends_right { faults } else { Vec::new() },
        )
    }

    /// Plays the words of a line. Returns the first reading in which every turn is legal and that `accepts`
    /// accepts, otherwise the first in which every turn is legal, otherwise the one that is legal for the most
    /// turns.
    pub fn replay<W: Layout>(
        &self,
        game: &dyn Game<W>,
        start: &Position<W>,
        words: &[Word],
        accepts: &dyn Fn(&[PlayedTurn<W>]) -> bool,
    ) -> Replay<W> {
        let mut best = Replay {
            played: Vec::new(),
            illegal: None,
            limited: false,
        };
        let mut legal: Option<Replay<W>> = None;
        let mut played: Vec<PlayedTurn<W>> = Vec::new();
        // For each turn played, the readings of its word that are still to be tried.
        let mut left: Vec<Vec<(Turn, Vec<String>)>> = Vec::new();
        for _ in 0..MAX_PLAYED {
            let at = played.len();
            if at == words.len() {
                let is_accepted = accepts(&played);
                let reading = || Replay {
                    played: played.clone(),
                    illegal: None,
                    limited: false,
                };
                if is_accepted || at == 0 {
                    return reading();
                }
                legal.get_or_insert_with(reading);
                played.pop();
                continue;
            }
            let p = played.last().map_or(*start, |turn| turn.after);
            if left.len() == at {
                let mut readings = self.readings(game, &p, &words[at]);
                if readings.is_empty() && (best.illegal.is_none() || at > best.played.len()) {
                    best = Replay {
                        played: played.clone(),
                        illegal: Some((at, self.refusal(game, &p, &words[at], at))),
                        limited: false,
                    };
                }
                readings.reverse();
                left.push(readings);
            }
            match left[at].pop() {
                Some((turn, marks)) => {
                    let after = game.play(&p, &turn);
                    played.push(PlayedTurn {
                        before: p,
                        after,
                        turn,
                        marks,
                    });
                }
                None => {
                    left.pop();
                    if played.pop().is_none() {
                        return legal.unwrap_or(best);
                    }
                }
            }
        }
        Replay {
            limited: true,
            ..legal.unwrap_or(best)
        }
    }

    /// Returns the legal turns that a word can mean, in the byte order of their coordinate notation. Each
    /// comes with the marks that are printed under this reading.
    fn readings<W: Layout>(
        &self,
        game: &dyn Game<W>,
        p: &Position<W>,
        word: &Word,
    ) -> Vec<(Turn, Vec<String>)> {
        let stripped = self.stripped(&word.text);
        // Coordinate notation is exact, so a sign at its end belongs to the turn.
        let legal = turns::sorted(game, p);
        for (body, marks) in &stripped {
            if let Some((_, turn)) = legal.iter().find(|(text, _)| text == body) {
                return vec![(*turn, self.with_inner(body, marks))];
            }
        }
        for (body, marks) in stripped.iter().rev() {
            let meant = turns::matching(game, p, body);
            if !meant.is_empty() {
                let marks = self.with_inner(body, marks);
                return meant
                    .into_iter()
                    .map(|turn| (turn, marks.clone()))
                    .collect();
            }
        }
        // Strip capital letters and signs that the claim does not name as marks, such as the letter that
        // marks an engagement.
        let body = &stripped.last().map_or(word.text.as_str(), |(body, _)| body);
        let bare = body.trim_end_matches(|c: char| c.is_ascii_uppercase() || "+#!?".contains(c));
        let more = body[bare.len()..]
            .char_indices()
            .map(|(at, _)| &body[..bare.len() + at]);
        let mut shorter: Vec<&str> = more.collect();
        shorter.reverse();
        for text in shorter {
            let meant = turns::matching(game, p, text);
            if !meant.is_empty() {
                let marks = self.with_inner(text, &[]);
                return meant
                    .into_iter()
                    .map(|turn| (turn, marks.clone()))
                    .collect();
            }
        }
        Vec::new()
    }

    /// Returns the ways to split marks off the end of a word: none, one, two and so on.
    fn stripped<'t>(&self, text: &'t str) -> Vec<(&'t str, Vec<String>)> {
        let mut found = vec![(text, Vec::new())];
        let (mut body, mut marks) = (text, Vec::new());
        loop {
            let fitting = self
                .marks
                .iter()
                .filter(|(mark, _)| body.ends_with(mark.as_str()));
            let Some((mark, _)) = fitting.max_by_key(|(mark, _)| mark.len()) else {
                return found;
            };
            body = &body[..body.len() - mark.len()];
            marks.insert(0, mark.clone());
            found.push((body, marks.clone()));
        }
    }

    /// Returns the marks after a turn and the marks that are signs inside the turn.
    fn with_inner(&self, body: &str, marks: &[String]) -> Vec<String> {
        let inner = self.marks.iter().map(|(mark, _)| mark);
        let inner = inner.filter(|mark| INNER_SIGNS.contains(&mark.as_str()));
        let inside = inner.filter(|mark| body.contains(mark.as_str()) && !marks.contains(mark));
        inside.chain(marks).cloned().collect()
    }

    /// Returns the marks whose conditions hold after a turn.
    fn right_marks<W: Layout>(&self, game: &dyn Game<W>, turn: &PlayedTurn<W>) -> Vec<String> {
        let subject = Evaluated {
            after: Some(&turn.after),
            ..Evaluated::of_turn(game, &turn.before, turn.turn)
        };
        let right = self
            .marks
            .iter()
            .filter(|(_, condition)| condition.holds(&subject) == Ok(true));
        right.map(|(mark, _)| mark.clone()).collect()
    }

    fn mark_faults(&self, at: usize, printed: &[String], right: &[String]) -> Vec<MarkFault> {
        let fault = |mark: &String| {
            let is_printed = printed.contains(mark);
            (is_printed != right.contains(mark)).then(|| MarkFault {
                at,
                mark: mark.clone(),
                printed: is_printed,
            })
        };
        self.marks
            .iter()
            .filter_map(|(mark, _)| fault(mark))
            .collect()
    }

    /// Returns the reason why no reading of a word is legal.
    fn refusal<W: Layout>(
        &self,
        game: &dyn Game<W>,
        p: &Position<W>,
        word: &Word,
        at: usize,
    ) -> String {
        let bodies = self.stripped(&word.text);
        let body = bodies.last().map_or(word.text.as_str(), |(body, _)| *body);
        match turns::read(game, p, body, at + 1) {
            Err(error) => error.why,
            Ok(_) => "it cannot be read".to_owned(),
        }
    }
}

impl MarkFault {
    /// Returns the fault in words.
    pub fn words(&self) -> String {
        match self.printed {
            true => format!("`{}` is printed without reason", self.mark),
            false => format!("`{}` is missing", self.mark),
        }
    }
}
