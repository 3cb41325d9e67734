//! Checks trees of direct, self and reflex play by the rules alone, without the search.
//!
//! Everything that a tree states about its own play is recomputed: turns are legal, every defense has
//! a continuation, `goal` and `unparried` agree with the play, the goal is reached in time, and
//! continuations and threats that are listed together need equally many moves. Whether something is
//! missing (another key, a shorter continuation, a dual, a threat, a try) is never checked. Of a
//! refutation only the next turn is checked.

use crate::deadline::Deadline;
use crate::stipulation::Stipulation;
use crate::tree::{Move, Reply, Tree, Try};
use board::Color;
use diagnostics::{Diagnostic, shortened};
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{Judge, Play, passed};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The extent to which a tree was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The number of verified turns. A threat or a try without play is only checked to be legal, and is not
    /// counted.
    pub turns: usize,
    /// Whether a field `unparried` could not be checked, because a threat has no play or the defense allows a
    /// shorter continuation that is not a threat.
    pub parries_unchecked: bool,
}

/// Checks the keys of a tree with their play, its tries and its set play.
///
/// # Errors
/// The first statement of the tree that is false by the rules, and the turns that lead to it. A tree that was
/// cut off and a stipulation of help or series play are errors, too.
pub fn tree<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
) -> Result<Verified, Diagnostic> {
    check_tree(judge, stipulation, p, tree, &Deadline::endless())
}

/// Like [`tree`], but returns whether the check ended before the deadline.
#[inline]
pub(crate) fn tree_until<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
    deadline: &Deadline<'_>,
) -> Result<bool, Diagnostic> {
    check_tree(judge, stipulation, p, tree, deadline).map(|_| !deadline.was_over())
}

#[per_layout]
fn check_tree<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
    deadline: &Deadline<'_>,
) -> Result<Verified, Diagnostic> {
    if matches!(stipulation.play, Play::Help(_) | Play::Series(..)) {
        let why = "help and series play is stored as lines, not as a tree";
        return Err(Diagnostic::new("tree", why));
    }
    if tree.cut {
        let why = "it was cut off when it was written, so it proves nothing";
        return Err(Diagnostic::new("tree", why));
    }
    let mut checker = Checker {
        judge,
        deadline,
        play: stipulation.play,
        attacker: p.side,
        path: Vec::new(),
        verified: Verified {
            turns: 0,
            parries_unchecked: false,
        },
        by_play_cut: tree.asides_cut,
        in_by_play: false,
    };
    let keys = tree.keys.iter().map(|key| &key.turn);
    checker.no_duplicates(keys.chain(tree.tries.iter().map(|attempt| &attempt.turn)))?;
    for key in &tree.keys {
        checker.turn(p, key, stipulation.moves)?;
    }
    for attempt in &tree.tries {
        checker.attempt(p, attempt, stipulation.moves)?;
    }
    checker.set_play(p, &tree.set_play, stipulation.moves)?;
    Ok(checker.verified)
}

struct Checker<'g, 'j, W: Layout> {
    judge: &'j Judge<'g, W>,
    /// The time after which no further turns are checked.
    deadline: &'j Deadline<'j>,
    play: Play,
    attacker: Color,
    /// The turns that lead to the current position, for messages.
    path: Vec<String>,
    verified: Verified,
    /// Whether the tree says that play after threats and tries was cut off.
    by_play_cut: bool,
    /// Whether the current turn belongs to the play after a threat or a try.
    in_by_play: bool,
}

/// The threats that a defense has to parry.
#[derive(Clone, Copy)]
struct Threats<'t> {
    list: &'t [Move],
    /// The number of moves that each threat needs, if this number is known.
    moves: Option<u32>,
}

impl Threats<'_> {
    const NONE: Threats<'static> = Threats {
        list: &[],
        moves: Some(0),
    };

    /// Returns whether a defense leaves the threats in force: its shortest continuations include all threats,
    /// or one threat that now needs fewer moves. `None` if the stored play does not decide this.
    fn are_unparried(self, continuations: &[Move], moves: Option<u32>) -> Option<bool> {
        if self.list.is_empty() || continuations.is_empty() {
            return Some(false);
        }
        let listed = |threat: &Move| continuations.iter().any(|next| next.turn == threat.turn);
        match moves?.cmp(&self.moves?) {
            Ordering::Greater => Some(false),
            Ordering::Equal => Some(self.list.iter().all(listed)),
            // If no continuation is a threat, the threats may still work in their number of moves.
            Ordering::Less => self.list.iter().any(listed).then_some(true),
        }
    }
}

impl<W: Layout> Checker<'_, '_, W> {
    fn wrong(&self, why: &str) -> Diagnostic {
        let place = match self.path.is_empty() {
            true => "at the first turn".to_owned(),
            false => format!("after `{}`", shortened(&self.path.join(" "))),
        };
        Diagnostic::new("tree", why).at(place)
    }

    fn illegal(&self, text: &str) -> Diagnostic {
        self.wrong(&format!("`{}` is not a legal turn", shortened(text)))
    }

    /// Returns the attacker's turn with this text. In direct play, a double mate may leave the attacker's
    /// king in check.
    fn find(&self, p: &Position<W>, text: &str) -> Result<Turn, Diagnostic> {
        let game = self.judge.game;
        with_turns(|list| {
            game.turns(p, list);
            if self.play == Play::Direct {
                self.judge.reaching(p, list);
            }
            list.iter()
                .find(|turn| turns::print(game, p, turn) == text)
                .copied()
        })
        .ok_or_else(|| self.illegal(text))
    }

    /// Checks that no turn is listed twice.
    fn no_duplicates<'t>(&self, turns: impl Iterator<Item = &'t String>) -> Result<(), Diagnostic> {
        let mut all: Vec<&String> = turns.collect();
        all.sort_unstable();
        match all.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(self.wrong(&format!("`{}` is listed twice", shortened(pair[0])))),
            None => Ok(()),
        }
    }

    /// Checks a try: the refutation, the threats, and a continuation after every other defense.
    fn attempt(&mut self, p: &Position<W>, attempt: &Try, moves: u32) -> Result<(), Diagnostic> {
        let turn = self.find(p, &attempt.turn)?;
        let after = self.judge.game.play(p, &turn);
        self.path.push(attempt.turn.clone());
        if self.reaches_goal(p, &turn, &after) {
            return Err(self.wrong("a try reaches the goal, so it is a key"));
        }
        let [refutation] = &attempt.refutations[..] else {
            let count = attempt.refutations.len();
            return Err(self.wrong(&format!(
                "a try has exactly one refutation; {count} are listed"
            )));
        };
        self.refutation(&after, refutation, moves - 1)?;
        let threats = self.threats(&after, &attempt.threats, moves - 1)?;
        if !attempt.answers.is_empty() {
            let before = std::mem::replace(&mut self.in_by_play, true);
            self.defenses(
                &after,
                &attempt.answers,
                moves - 1,
                threats,
                Some(refutation),
            )?;
            self.in_by_play = before;
            self.verified.turns += 1;
        }
        self.path.pop();
        Ok(())
    }

    /// Checks that a refutation is a legal defense that neither reaches the goal nor, in direct play,
    /// lets the attacker reach it at once.
    fn refutation(&self, p: &Position<W>, text: &str, moves: u32) -> Result<(), Diagnostic> {
        let (legal, must) = self.legal_defenses(p);
        let Some(turn) = legal.get(text) else {
            return Err(self.illegal(text));
        };
        let after = self.judge.game.play(p, turn);
        let at_once = moves > 0 && self.play == Play::Direct && self.judge.can_reach(&after);
        match at_once || self.defense_reaches_goal(p, turn, &after, must) {
            true => Err(self.wrong(&format!("`{text}` is listed as a refutation, but loses"))),
            false => Ok(()),
        }
    }

    /// Checks set play: turns of the defender from the problem's position, and the continuations after them.
    fn set_play(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        moves: u32,
    ) -> Result<(), Diagnostic> {
        if answers.is_empty() {
            return Ok(());
        }
        let Some(passed) = passed(self.judge.game, p) else {
            return Err(self.wrong("there is set play, but the side to move cannot pass"));
        };
        self.path.push("(pass)".to_string());
        self.no_duplicates(answers.iter().map(|answer| &answer.turn))?;
        let (legal, must) = self.legal_defenses(&passed);
        for answer in answers {
            let turn = legal.get(&answer.turn);
            let turn = turn.ok_or_else(|| self.illegal(&answer.turn))?;
            self.defense(&passed, turn, must, answer, moves - 1, Threats::NONE)?;
        }
        self.path.pop();
        Ok(())
    }

    /// Returns the defender's legal turns by their texts, and whether reflex play obliges the defender to
    /// reach the goal. In that case, only the turns that reach the goal are returned.
    fn legal_defenses(&self, p: &Position<W>) -> (BTreeMap<String, Turn>, bool) {
        let must = matches!(self.play, Play::Reflex | Play::SemiReflex) && self.judge.can_reach(p);
        let legal = with_turns(|list| {
            if must {
                self.judge.reaching(p, list);
            } else {
                self.judge.game.turns(p, list);
            }
            let text = |turn: &Turn| turns::print(self.judge.game, p, turn);
            list.iter().map(|turn| (text(turn), *turn)).collect()
        });
        (legal, must)
    }

    /// Returns whether a turn of the attacker ends the play with the goal.
    fn reaches_goal(&self, p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        match self.play {
            Play::Direct => self.judge.reached(p, turn, after),
            _ => self.judge.reached_by_opponent(after, !self.attacker),
        }
    }

    /// Returns whether a turn of the defender ends the play with the goal.
    fn defense_reaches_goal(
        &self,
        p: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
        must: bool,
    ) -> bool {
        match self.play {
            Play::Direct => self.judge.reached_by_opponent(after, self.attacker),
            Play::Selfplay => self.judge.reached(p, turn, after),
            _ => must,
        }
    }

    /// Checks the field `goal` of the last turn of the path.
    fn compare_goal(&self, stored: bool, reached: bool) -> Result<(), Diagnostic> {
        if stored == reached {
            return Ok(());
        }
        let does = if reached { "reaches" } else { "does not reach" };
        Err(self.wrong(&format!(
            "field `goal` is {stored}, but the turn {does} the goal"
        )))
    }

    /// Checks a turn of the attacker with all of its play. Returns the number of moves of the longest
    /// variation; `None` if the play was cut off or the deadline expired.
    fn turn(
        &mut self,
        p: &Position<W>,
        node: &Move,
        moves: u32,
    ) -> Result<Option<u32>, Diagnostic> {
        if self.deadline.is_over() {
            return Ok(None);
        }
        if moves == 0 {
            return Err(self.wrong("there are more moves than the stipulation allows"));
        }
        if self.play == Play::Reflex && self.judge.can_reach(p) {
            return Err(self.wrong("the side to move can reach the goal here, and so must"));
        }
        let turn = self.find(p, &node.turn)?;
        if self.in_by_play && self.by_play_cut && node.is_bare() {
            return Ok(None);
        }
        let after = self.judge.game.play(p, &turn);
        self.path.push(node.turn.clone());
        self.verified.turns += 1;
        let goal = self.reaches_goal(p, &turn, &after);
        self.compare_goal(node.goal, goal)?;
        let longest = if !goal {
            let threats = self.threats(&after, &node.threats, moves - 1)?;
            self.defenses(&after, &node.answers, moves - 1, threats, None)?
        } else if node.answers.is_empty() && node.threats.is_empty() {
            Some(0)
        } else {
            return Err(self.wrong("there is play after the goal"));
        };
        self.path.pop();
        Ok(longest.map(|longest| longest + 1))
    }

    /// Checks the threats at `p`, which are turns after the side to move passes.
    fn threats<'t>(
        &mut self,
        p: &Position<W>,
        threats: &'t [Move],
        moves: u32,
    ) -> Result<Threats<'t>, Diagnostic> {
        if threats.is_empty() {
            return Ok(Threats::NONE);
        }
        let Some(passed) = passed(self.judge.game, p) else {
            return Err(self.wrong("there is a threat, but the defender cannot pass"));
        };
        self.path.push("(pass)".to_string());
        let before = std::mem::replace(&mut self.in_by_play, true);
        self.no_duplicates(threats.iter().map(|threat| &threat.turn))?;
        let bare = self.bare_threats(&passed, threats, moves)?;
        let played = threats.iter().filter(|threat| !threat.is_bare());
        let played = self.equally_long(&passed, played, moves)?;
        self.in_by_play = before;
        self.path.pop();
        Ok(Threats {
            list: threats,
            moves: if threats.iter().any(Move::is_bare) {
                bare
            } else {
                played
            },
        })
    }

    /// Checks threats that are stored without their play: they must be legal and, if one move is left, reach
    /// the goal. Returns the number of moves that each threat needs, if this number is known.
    fn bare_threats(
        &self,
        p: &Position<W>,
        threats: &[Move],
        moves: u32,
    ) -> Result<Option<u32>, Diagnostic> {
        if moves == 0 {
            return Err(self.wrong("there are more moves than the stipulation allows"));
        }
        let last = moves == 1 && self.play == Play::Direct && !self.judge.opponent_may_reach();
        for threat in threats.iter().filter(|threat| threat.is_bare()) {
            let turn = self.find(p, &threat.turn)?;
            if last && !self.reaches_goal(p, &turn, &self.judge.game.play(p, &turn)) {
                let text = &threat.turn;
                return Err(self.wrong(&format!("`{text}` threatens nothing in one move")));
            }
        }
        Ok(last.then_some(1))
    }

    /// Checks that turns of the attacker that are listed as shortest continuations need equally many moves.
    /// Returns this number, or `None` if it is not known.
    fn equally_long<'t>(
        &mut self,
        p: &Position<W>,
        nodes: impl Iterator<Item = &'t Move>,
        moves: u32,
    ) -> Result<Option<u32>, Diagnostic> {
        let mut lengths = Vec::new();
        for node in nodes {
            lengths.push(self.turn(p, node, moves)?);
        }
        let known: Vec<u32> = lengths.iter().copied().flatten().collect();
        let (min, max) = (known.iter().min(), known.iter().max());
        if min != max {
            return Err(self.wrong("continuations of different lengths are listed as equal"));
        }
        if self.play == Play::Direct && max > Some(&1) && self.judge.can_reach(p) {
            return Err(self.wrong("the goal can be reached at once, so no longer way is listed"));
        }
        Ok(match known.len() == lengths.len() {
            true => max.copied(),
            false => None,
        })
    }

    /// Checks that exactly the defenses at `p` are listed, all with a continuation except the refutation of
    /// a try. Returns the number of moves of the longest continuation, or `None` if it is not known.
    fn defenses(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        moves: u32,
        threats: Threats<'_>,
        refutation: Option<&String>,
    ) -> Result<Option<u32>, Diagnostic> {
        let (legal, must) = self.legal_defenses(p);
        if legal.is_empty() {
            return Err(self.wrong("the game has ended without the goal"));
        }
        self.no_duplicates(answers.iter().map(|answer| &answer.turn))?;
        let listed: BTreeMap<&str, &Reply> = answers
            .iter()
            .map(|answer| (&*answer.turn, answer))
            .collect();
        if let Some(text) = listed.keys().find(|text| !legal.contains_key(**text)) {
            return Err(self.illegal(text));
        }
        let mut longest = Some(0);
        for (text, turn) in &legal {
            let Some(answer) = listed.get(&**text) else {
                return Err(self.wrong(&format!("the defense `{text}` is missing")));
            };
            if Some(text) == refutation {
                // The refutation was checked with the try.
                if answer.goal || answer.unparried || !answer.next.is_empty() {
                    return Err(self.wrong(&format!("the refutation `{text}` leads on")));
                }
                self.verified.turns += 1;
                continue;
            }
            let length = self.defense(p, turn, must, answer, moves, threats)?;
            longest = longest
                .zip(length)
                .map(|(longest, length)| longest.max(length));
        }
        Ok(longest)
    }

    /// Checks a turn of the defender: it has a continuation, unless it reaches the goal. Returns the number
    /// of moves of the continuation, or `None` if this number is not known.
    fn defense(
        &mut self,
        p: &Position<W>,
        turn: &Turn,
        must: bool,
        answer: &Reply,
        moves: u32,
        threats: Threats<'_>,
    ) -> Result<Option<u32>, Diagnostic> {
        let after = self.judge.game.play(p, turn);
        self.path.push(answer.turn.clone());
        self.verified.turns += 1;
        let goal = self.defense_reaches_goal(p, turn, &after, must);
        self.compare_goal(answer.goal, goal)?;
        let length = match (goal, answer.next.is_empty()) {
            (true, false) => return Err(self.wrong("there is a continuation after the goal")),
            (false, true) => return Err(self.wrong("there is no continuation")),
            (true, true) => Some(0),
            (false, false) => {
                self.no_duplicates(answer.next.iter().map(|next| &next.turn))?;
                self.equally_long(&after, answer.next.iter(), moves)?
            }
        };
        let unparried = answer.unparried;
        match threats.are_unparried(&answer.next, length) {
            Some(recomputed) if recomputed != unparried => {
                return Err(self.wrong(&format!(
                    "field `unparried` is {unparried}, but the threats and continuations make it \
                     {recomputed}"
                )));
            }
            Some(_) => {}
            None => self.verified.parries_unchecked = true,
        }
        self.path.pop();
        Ok(length)
    }
}
