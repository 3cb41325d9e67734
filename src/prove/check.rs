//! Checks certificates with the rules alone. The check uses no part of the search.
//!
//! From the certificate's position on, every turn of the other side is answered by the turn that the
//! certificate names. The certificate holds if each answer is legal, each line ends with an outcome that the
//! goal names (or, for `avoid`, never ends with one), each rank is exactly one ply more than the greatest
//! rank after its turn, and every position of the file is reached. Refutations have a check of their own, in
//! `check_refutation.rs`. Both checks access the file and the rules through a `Reading`.

use crate::certificate::{Certificate, Header, Kind};
use crate::check_refutation::check_refutation;
use board::Color;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Outcome, Turn, Variant};
use search::{Goal, Judge};

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Positions with a turn: all positions of the certificate.
    pub positions: u64,
    /// Turns of the other side that are answered.
    pub answered_turns: u64,
    /// Ends of the game that were examined.
    pub ends: u64,
    /// If the goal is forced, the plies to the end. If it is refuted, the plies within which it is not
    /// forced.
    pub plies: Option<u16>,
}

/// The claim of a certificate, in the terms of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The side that tries to reach the goal.
    pub side: Color,
    /// The goal.
    pub goal: Goal,
    /// The side whose turns the certificate holds.
    pub chooser: Color,
    /// Whether the goal is forced, avoided or refuted.
    pub kind: Kind,
}

pub(crate) fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("certificate", why)
}

impl Claim {
    /// Returns the claim of a certificate.
    ///
    /// # Errors
    /// If the header does not name a side, or names a goal that the rule set does not have.
    pub fn of<W: Layout>(
        game: &dyn Game<W>,
        certificate: &Certificate,
    ) -> Result<Claim, Diagnostic> {
        let header = &certificate.header;
        let side = match header.side.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            other => return Err(wrong(format!("its side is `{other}`, not white or black"))),
        };
        Ok(Claim {
            side,
            goal: certificate.goal(&game.variant().rule_set)?,
            chooser: match header.kind {
                Kind::Force => side,
                Kind::Avoid | Kind::Refute => !side,
            },
            kind: header.kind,
        })
    }
}

/// The situation after a turn.
pub(crate) enum After {
    /// The goal is reached.
    Goal,
    /// The game is over without the goal.
    Over(Outcome),
    /// The game continues.
    Ongoing,
}

/// A certificate that is being checked, and the entries reached so far.
pub(crate) struct Reading<'c, W: Layout> {
    pub game: &'c dyn Game<W>,
    pub certificate: &'c Certificate,
    pub claim: &'c Claim,
    /// Decides whether a turn reaches the goal, if the goal is not an end of the game.
    judge: Option<Judge<'c, W>>,
    codec: Codec,
    is_reached: Vec<bool>,
    /// Entries that have been reached and not yet been examined, with their positions.
    open: Vec<(Position<W>, usize)>,
    pub checked: Checked,
    control: &'c Control<'c>,
    /// The reason why the check has ended early.
    stopped: Option<Stopped>,
}

impl<'c, W: Layout> Reading<'c, W> {
    /// Checks that the check of the certificate may continue.
    ///
    /// # Errors
    /// If it was stopped, which is not an error of the certificate.
    pub fn go_on(&mut self) -> Result<(), Diagnostic> {
        self.control.check().map_err(|stopped| {
            self.stopped = Some(stopped);
            wrong(stopped.to_string())
        })
    }

    /// Returns an error about a position of the certificate.
    pub fn at(&self, p: &Position<W>, why: &str) -> Diagnostic {
        wrong(why).at(format!("at `{}`", fen::print(self.game, p)))
    }

    /// Returns the situation after a turn.
    pub fn after(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> After {
        if let Some(judge) = &self.judge
            && before.side == self.claim.side
            && judge.reached(before, turn, after)
        {
            return After::Goal;
        }
        let outcome = self.game.outcome(after);
        if self.claim.goal.is_reached(outcome, self.claim.side) {
            After::Goal
        } else if outcome.is_ongoing() {
            After::Ongoing
        } else {
            After::Over(outcome)
        }
    }

    /// Finds the entry of a position, so that it is examined later. Returns the entry's rank.
    ///
    /// # Errors
    /// If the certificate has no entry for the position. The error gives `missing` as the reason.
    pub fn reach(&mut self, p: &Position<W>, missing: &str) -> Result<u16, Diagnostic> {
        self.go_on()?;
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        let at = self
            .certificate
            .find(&key[..self.codec.words()])
            .ok_or_else(|| self.at(p, missing))?;
        if !std::mem::replace(&mut self.is_reached[at], true) {
            self.open.push((*p, at));
        }
        Ok(self.certificate.rank(at))
    }

    /// Returns the next entry to examine, with its position.
    pub fn next(&mut self) -> Option<(Position<W>, usize)> {
        self.open.pop()
    }

    /// Returns the turn of an entry and the position after it.
    ///
    /// # Errors
    /// If the entry's turn number is too large for the position.
    pub fn turn(&mut self, p: &Position<W>, at: usize) -> Result<(Turn, Position<W>), Diagnostic> {
        self.go_on()?;
        self.checked.positions += 1;
        let mut legal = turns::sorted(self.game, p);
        let number = self.certificate.turn(at);
        if number >= legal.len() {
            let why = "the number of its turn is greater than the number of turns";
            return Err(self.at(p, why));
        }
        let (_, turn) = legal.swap_remove(number);
        Ok((turn, self.game.play(p, &turn)))
    }

    /// Returns the result, at the end of the check.
    ///
    /// # Errors
    /// If an entry was never reached.
    fn end(self) -> Result<Checked, Diagnostic> {
        match self.is_reached.iter().position(|reached| !reached) {
            Some(at) => Err(wrong(format!("its position {at} is never reached"))),
            None => Ok(self.checked),
        }
    }
}

/// Why a certificate was not found to hold.
#[derive(Debug)]
pub enum Unchecked {
    /// It does not hold. The error names the reason and, where possible, the position.
    Wrong(Diagnostic),
    /// The check was stopped.
    Stopped(Stopped),
}

impl From<Diagnostic> for Unchecked {
    fn from(error: Diagnostic) -> Unchecked {
        Unchecked::Wrong(error)
    }
}

/// Checks a certificate about the position `root` of this game.
///
/// # Errors
/// If the certificate does not hold. The error names the reason and, where possible, the position.
pub fn check<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    certificate: &Certificate,
) -> Result<Checked, Diagnostic> {
    check_within(game, root, certificate, &Control::new()).map_err(|unchecked| match unchecked {
        Unchecked::Wrong(error) => error,
        Unchecked::Stopped(stopped) => wrong(stopped.to_string()),
    })
}

/// Checks that the rules of a variant are those of a certificate.
///
/// # Errors
/// If the text that decides the rules has changed.
pub fn check_rules(header: &Header, variant: &Variant) -> Result<(), Diagnostic> {
    let (stored, own) = (header.rules_sha256.as_deref(), variant.rule_set.digest());
    if stored == own {
        return Ok(());
    }
    let text = |digest: Option<&str>| digest.unwrap_or("missing").to_owned();
    let why = format!(
        "the rules of `{variant}` are not those of the certificate: the digest of their text is {}, in the \
         certificate {}",
        text(own),
        text(stored)
    );
    Err(wrong(why).help("use the text with which it was made, or prove it again"))
}

/// Like [`check`], but stops when `control` says so.
///
/// # Errors
/// If the certificate does not hold, or the check was stopped.
#[per_layout]
pub fn check_within<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    certificate: &Certificate,
    control: &Control<'_>,
) -> Result<Checked, Unchecked> {
    let header = &certificate.header;
    let codec = game.codec(root);
    let printed = fen::print(game, root);
    if header.variant != game.variant().to_string() || header.fen != printed {
        return Err(wrong("it is about another position").into());
    }
    check_rules(header, game.variant())?;
    if header.key_bits != codec.bits() || certificate.words() != codec.words() {
        return Err(wrong("its keys are not those of its position").into());
    }
    let claim = &Claim::of(game, certificate)?;
    if (claim.kind == Kind::Avoid) == header.plies.is_some() {
        return Err(wrong("its length does not fit its kind").into());
    }
    let outcome = game.outcome(root);
    if !outcome.is_ongoing() {
        let why = format!("the game is over at its position: {outcome}");
        return Err(wrong(why).into());
    }
    let mut reading = Reading {
        game,
        certificate,
        claim,
        judge: (!claim.goal.is_end()).then(|| Judge::new(game, &claim.goal)),
        codec,
        is_reached: vec![false; certificate.len()],
        open: Vec::new(),
        checked: Checked {
            positions: 0,
            answered_turns: 0,
            ends: 0,
            plies: header.plies,
        },
        control,
        stopped: None,
    };
    let checked = match (claim.kind, header.plies) {
        (Kind::Refute, Some(plies)) => check_refutation(&mut reading, root, plies),
        _ => StrategyChecker(&mut reading).check(root),
    };
    match reading.stopped {
        Some(stopped) => Err(Unchecked::Stopped(stopped)),
        None => Ok(checked.and_then(|()| reading.end())?),
    }
}

/// The check of a strategy that forces or avoids the goal.
struct StrategyChecker<'r, 'c, W: Layout>(&'r mut Reading<'c, W>);

impl<W: Layout> StrategyChecker<'_, '_, W> {
    fn check(&mut self, root: &Position<W>) -> Result<(), Diagnostic> {
        let plies = if root.side == self.0.claim.chooser {
            self.reached(root)?
        } else {
            self.answers(root)?
        };
        let claimed = self.0.certificate.header.plies;
        if claimed.is_some_and(|claimed| claimed != plies) {
            return Err(wrong(format!(
                "its lines are {plies} plies long, not as many as it says"
            )));
        }
        while let Some((p, at)) = self.0.next() {
            self.chosen(&p, at)?;
        }
        Ok(())
    }

    /// Finds the entry of a position with the choosing side to move. Returns the entry's rank.
    fn reached(&mut self, p: &Position<W>) -> Result<u16, Diagnostic> {
        self.0.reach(p, "a position has no turn")
    }

    /// Returns the plies from the position after a turn to the end: 0 if the turn reaches the goal or ends
    /// the game, otherwise the result of `next`.
    fn plies(
        &mut self,
        before: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
        next: fn(&mut Self, &Position<W>) -> Result<u16, Diagnostic>,
    ) -> Result<u16, Diagnostic> {
        let end = self.0.after(before, turn, after);
        if matches!(end, After::Ongoing) {
            return next(self, after);
        }
        self.0.checked.ends += 1;
        match (end, self.0.claim.kind) {
            (After::Goal, Kind::Force) => Ok(0),
            (After::Goal, _) => Err(self.0.at(after, "the goal is reached")),
            (After::Over(outcome), Kind::Force) => {
                let why = format!("the game ends otherwise: {outcome}");
                Err(self.0.at(after, &why))
            }
            _ => Ok(0),
        }
    }

    /// Returns the plies to the end with the other side to move, after its turn that takes longest.
    fn answers(&mut self, p: &Position<W>) -> Result<u16, Diagnostic> {
        let mut list: Vec<Turn> = Vec::new();
        self.0.game.turns(p, &mut list);
        let mut most = 0;
        for turn in &list {
            self.0.checked.answered_turns += 1;
            let after = self.0.game.play(p, turn);
            most = most.max(self.plies(p, turn, &after, Self::reached)?);
        }
        self.counted(most)
    }

    /// Checks that the turn of an entry is legal, and that its rank is correct.
    fn chosen(&mut self, p: &Position<W>, at: usize) -> Result<(), Diagnostic> {
        let (turn, after) = self.0.turn(p, at)?;
        let plies = self.plies(p, &turn, &after, Self::answers)?;
        if self.counted(plies)? != self.0.certificate.rank(at) {
            return Err(self.0.at(p, "its rank is not what its lines come to"));
        }
        Ok(())
    }

    /// Returns one ply more if the goal is forced, otherwise 0.
    fn counted(&self, plies: u16) -> Result<u16, Diagnostic> {
        match self.0.claim.kind {
            Kind::Force => plies
                .checked_add(1)
                .ok_or_else(|| wrong("its ranks are greater than any")),
            Kind::Avoid | Kind::Refute => Ok(0),
        }
    }
}
