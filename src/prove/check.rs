//! Checks certificates with nothing but the rules: no part of the search has a say here.
//!
//! From the position that the certificate is about, every turn of the other side is answered by
//! the turn that the certificate names. It holds if each answer is legal, each line ends with an
//! outcome that the goal names (or, for `avoid`, never ends with one), each rank is exactly one ply
//! more than what comes of it, and every position of the file can be reached.

use crate::certificate::{Certificate, Kind};
use crate::check_refutation::RefutationChecker;
use board::Color;
use diagnostics::Diagnostic;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Outcome, Turn};
use search::{Goal, Judge};

/// What has been checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Positions with a turn: all of the certificate's.
    pub positions: u64,
    /// Turns of the other side that are answered.
    pub answered_turns: u64,
    /// The ends of the game that were examined.
    pub ends: u64,
    /// Plies to the end, where the goal is forced; plies within which it is not, where that is shown.
    pub plies: Option<u16>,
}

/// What a certificate claims, in the terms of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The side that wants the goal.
    pub side: Color,
    /// The goal.
    pub goal: Goal,
    /// The side whose turns the certificate holds.
    pub chooser: Color,
    /// Whether the goal is forced, or avoided.
    pub kind: Kind,
}

pub(crate) fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("certificate", why)
}

impl Claim {
    /// Returns the claim of a certificate.
    ///
    /// # Errors
    /// If the header names no side, or a goal that the rule set does not have.
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

    /// Returns whether an ended game is as the certificate promises.
    pub fn kept(&self, outcome: Outcome) -> bool {
        self.goal.is_reached(outcome, self.side) == (self.kind == Kind::Force)
    }
}

struct Checker<'c, W: Layout> {
    game: &'c dyn Game<W>,
    certificate: &'c Certificate,
    claim: &'c Claim,
    /// Decides whether a turn reaches the goal, where that is not an end of the game.
    judge: Option<Judge<'c, W>>,
    codec: Codec,
    seen: Vec<bool>,
    /// Positions of the certificate that have been reached and not yet been examined.
    open: Vec<(Position<W>, usize)>,
    checked: Checked,
}

/// Checks a certificate about the position `root` of this game.
///
/// # Errors
/// What is wrong with it, and where.
#[per_layout]
pub fn check<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    certificate: &Certificate,
) -> Result<Checked, Diagnostic> {
    let header = &certificate.header;
    let codec = game.codec(root);
    let printed = fen::print(game, root);
    if header.variant != game.variant().to_string() || header.fen != printed {
        return Err(wrong("it is about another position"));
    }
    if header.key_bits != codec.bits() || certificate.words() != codec.words() {
        return Err(wrong("its keys are not those of its position"));
    }
    let claim = &Claim::of(game, certificate)?;
    if (claim.kind == Kind::Avoid) == header.plies.is_some() {
        return Err(wrong("its length does not fit its kind"));
    }
    let outcome = game.outcome(root);
    if !outcome.is_ongoing() {
        return Err(wrong(format!(
            "the game is over at its position: {outcome}"
        )));
    }
    if let (Kind::Refute, Some(plies)) = (claim.kind, header.plies) {
        return RefutationChecker::new(game, certificate, claim, codec, plies).check(root, plies);
    }
    let mut checker = Checker {
        game,
        certificate,
        claim,
        judge: (!claim.goal.is_end()).then(|| Judge::new(game, &claim.goal)),
        codec,
        seen: vec![false; certificate.len()],
        open: Vec::new(),
        checked: Checked {
            positions: 0,
            answered_turns: 0,
            ends: 0,
            plies: header.plies,
        },
    };
    let plies = if root.side == claim.chooser {
        checker.reached(root)?
    } else {
        checker.answers(root)?
    };
    if header.plies.is_some_and(|said| said != plies) {
        return Err(wrong(format!(
            "its lines are {plies} plies long, not as many as it says"
        )));
    }
    while let Some((p, at)) = checker.open.pop() {
        checker.chosen(&p, at)?;
    }
    if let Some(at) = checker.seen.iter().position(|seen| !seen) {
        return Err(wrong(format!("its position {at} is never reached")));
    }
    Ok(checker.checked)
}

impl<W: Layout> Checker<'_, W> {
    fn at(&self, p: &Position<W>, why: &str) -> Diagnostic {
        wrong(why).at(format!("at `{}`", fen::print(self.game, p)))
    }

    /// Returns a position of the side that chooses has been reached; its rank.
    fn reached(&mut self, p: &Position<W>) -> Result<u16, Diagnostic> {
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        let at = self
            .certificate
            .find(&key[..self.codec.words()])
            .ok_or_else(|| self.at(p, "a position has no turn"))?;
        if !std::mem::replace(&mut self.seen[at], true) {
            self.open.push((*p, at));
        }
        Ok(self.certificate.rank(at))
    }

    /// Returns the plies from `after`, which a turn has led to; those of `next` if neither the game is over there
    /// nor the goal reached.
    fn plies(
        &mut self,
        before: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
        next: fn(&mut Self, &Position<W>) -> Result<u16, Diagnostic>,
    ) -> Result<u16, Diagnostic> {
        let attacks = before.side == self.claim.side;
        if attacks
            && let Some(judge) = &self.judge
            && judge.reached(before, turn, after)
        {
            self.checked.ends += 1;
            return match self.claim.kind {
                Kind::Force => Ok(0),
                Kind::Avoid | Kind::Refute => Err(self.at(after, "the goal is reached")),
            };
        }
        let outcome = self.game.outcome(after);
        if outcome.is_ongoing() {
            return next(self, after);
        }
        self.checked.ends += 1;
        if !self.claim.kept(outcome) {
            return Err(self.at(after, &format!("the game ends otherwise: {outcome}")));
        }
        Ok(0)
    }

    /// Returns all turns of the other side; the most plies that any of them takes.
    fn answers(&mut self, p: &Position<W>) -> Result<u16, Diagnostic> {
        let mut list: Vec<Turn> = Vec::new();
        self.game.turns(p, &mut list);
        let mut most = 0;
        for turn in &list {
            self.checked.answered_turns += 1;
            let after = self.game.play(p, turn);
            most = most.max(self.plies(p, turn, &after, Self::reached)?);
        }
        self.counted(most)
    }

    /// Returns a position with a turn: whether that is legal, and the rank right.
    fn chosen(&mut self, p: &Position<W>, at: usize) -> Result<(), Diagnostic> {
        self.checked.positions += 1;
        let legal = turns::sorted(self.game, p);
        let (_, turn) = legal.get(self.certificate.turn(at)).ok_or_else(|| {
            self.at(
                p,
                "the number of its turn is greater than the number of turns",
            )
        })?;
        let after = self.game.play(p, turn);
        let plies = self.plies(p, turn, &after, Self::answers)?;
        if self.counted(plies)? != self.certificate.rank(at) {
            return Err(self.at(p, "its rank is not what its lines come to"));
        }
        Ok(())
    }

    /// Returns one ply more, where plies are counted.
    fn counted(&self, plies: u16) -> Result<u16, Diagnostic> {
        match self.claim.kind {
            Kind::Force => plies
                .checked_add(1)
                .ok_or_else(|| wrong("its ranks are greater than any")),
            Kind::Avoid | Kind::Refute => Ok(0),
        }
    }
}
