//! Checks trees of direct, self and reflex play by the rules alone, without the search.

use crate::Layout;
use crate::deadline::Deadline;
use crate::goal::Judge;
use crate::null_move::passed;
use crate::stipulation::{Play, Stipulation};
use crate::tree::{Move, Reply, Tree};
use board::Color;
use diagnostics::{InputError, shortened};
use notation::turns;
use position::Position;
use rules::{Turn, with_turns};

/// Checks that each key of a tree does what is asked: every answer has its continuation, every
/// goal is reached, in time. So too the set play, the threats with all that they lead to, and all
/// answers to tries but those that are said to refute them; of threats and tries of which only the
/// turn is told, that it is legal. Nothing stands there twice. Uses the rules alone. That there are
/// no other keys, continuations, tries or refutations is not checked.
#[inline]
pub fn tree<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
) -> Result<usize, InputError> {
    // Nobody ends it early, so there is an answer.
    patiently(judge, stipulation, p, tree, &Deadline::endless()).map(|turns| turns.unwrap_or(0))
}

/// The same until `patience` is over; nothing if that was so before the end.
#[inline]
pub(crate) fn patiently<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
    deadline: &Deadline<'_>,
) -> Result<Option<usize>, InputError> {
    W::check_tree(judge, stipulation, p, tree, deadline)
}

pub(crate) fn tree_generic<W: Layout>(
    judge: &Judge<'_, W>,
    stipulation: &Stipulation,
    p: &Position<W>,
    tree: &Tree,
    deadline: &Deadline<'_>,
) -> Result<Option<usize>, InputError> {
    let mut checker = Checker {
        judge,
        deadline,
        play: stipulation.play,
        attacker: p.side,
        path: Vec::new(),
        turns: 0,
        asides_cut: tree.asides_cut,
        aside: false,
    };
    if matches!(stipulation.play, Play::Help(_) | Play::Series(..)) {
        return Err(InputError::new(
            "tree",
            "help and series play have lines, no tree",
        ));
    }
    if tree.cut {
        return Err(InputError::new(
            "tree",
            "it was cut off when it was written, so it proves nothing",
        ));
    }
    checker.once(tree.keys.iter().map(|key| &key.turn))?;
    for key in &tree.keys {
        checker.turn(p, key, stipulation.moves)?;
    }
    checker.tries(p, tree, stipulation.moves)?;
    if !tree.set_play.is_empty() {
        let Some(passed) = passed(judge.game, p) else {
            return Err(checker.wrong("there is set play, but nobody can pass"));
        };
        checker.set_play(&passed, &tree.set_play, stipulation.moves - 1)?;
    }
    Ok((!deadline.was_over()).then_some(checker.turns))
}

struct Checker<'g, 'j, W: Layout> {
    judge: &'j Judge<'g, W>,
    /// Once it is over no turn is gone into any more.
    deadline: &'j Deadline<'j>,
    play: Play,
    attacker: Color,
    path: Vec<String>,
    turns: usize,
    /// Whether play after threats and tries was cut off.
    asides_cut: bool,
    /// Whether it is such play that is looked at.
    aside: bool,
}

impl<W: Layout> Checker<'_, '_, W> {
    fn wrong(&self, why: &str) -> InputError {
        let place = match self.path.is_empty() {
            true => "at the first turn".to_owned(),
            false => format!("after `{}`", shortened(&self.path.join(" "))),
        };
        InputError::new("tree", why).at(place)
    }

    /// The turn with this text: a legal one, or one that reaches the goal.
    fn find(&self, p: &Position<W>, text: &str) -> Result<Turn, InputError> {
        let game = self.judge.game;
        with_turns(|list| {
            game.turns(p, list);
            self.judge.reaching(p, list);
            list.iter()
                .find(|t| turns::print(game, p, t) == text)
                .copied()
        })
        .ok_or_else(|| self.illegal(text))
    }

    fn illegal(&self, text: &str) -> InputError {
        self.wrong(&format!("`{}` is not a legal turn", shortened(text)))
    }

    /// That no turn stands there twice.
    fn once<'t>(&self, turns: impl Iterator<Item = &'t String>) -> Result<(), InputError> {
        let mut all: Vec<&String> = turns.collect();
        all.sort_unstable();
        match all.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(self.wrong(&format!("`{}` stands there twice", pair[0]))),
            None => Ok(()),
        }
    }

    fn tries(&mut self, p: &Position<W>, tree: &Tree, moves: u32) -> Result<(), InputError> {
        let firsts = tree.keys.iter().map(|key| &key.turn);
        self.once(firsts.chain(tree.tries.iter().map(|attempt| &attempt.turn)))?;
        for attempt in &tree.tries {
            let turn = self.find(p, &attempt.turn)?;
            let after = self.judge.game.play(p, &turn);
            self.path.push(attempt.turn.clone());
            if self.play == Play::Direct && self.judge.reached(p, &turn, &after) {
                return Err(self.wrong("a try reaches the goal, so it is a key"));
            }
            self.once(attempt.refutations.iter())?;
            if attempt.refutations.is_empty() {
                return Err(self.wrong("a try has no refutation"));
            }
            for refutation in &attempt.refutations {
                self.find(&after, refutation)?;
                self.turns += 1;
            }
            self.threats(&after, &attempt.threats, moves - 1)?;
            if !attempt.answers.is_empty() {
                self.aside = true;
                self.all_answers(&after, &attempt.answers, moves - 1, &attempt.refutations)?;
                self.aside = false;
            }
            self.path.pop();
        }
        Ok(())
    }

    /// Checks the continuations of some of the defender's turns at `p`.
    fn set_play(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        moves: u32,
    ) -> Result<(), InputError> {
        self.once(answers.iter().map(|answer| &answer.turn))?;
        if answers.iter().any(|answer| answer.unparried) {
            return Err(self.wrong("set play has no threats that could be left unparried"));
        }
        let (legal, must) = self.defenses(p);
        for answer in answers {
            let turn = legal
                .iter()
                .find(|turn| turns::print(self.judge.game, p, turn) == answer.turn)
                .ok_or_else(|| self.illegal(&answer.turn))?;
            let after = self.judge.game.play(p, turn);
            self.path.push(answer.turn.clone());
            self.turns += 1;
            let goal = self.defense_reaches(p, turn, &after, must);
            self.compare_goal(answer.goal, goal)?;
            self.continuations(&after, answer, moves)?;
            self.path.pop();
        }
        Ok(())
    }

    /// Returns the defender's legal turns at `p`, and whether reflex play obliges the defender to
    /// choose among turns that reach the goal; then only these are returned.
    fn defenses(&self, p: &Position<W>) -> (Vec<Turn>, bool) {
        let must = matches!(self.play, Play::Reflex | Play::SemiReflex) && self.judge.can_reach(p);
        let mut legal = Vec::new();
        if must {
            self.judge.reaching(p, &mut legal);
        } else {
            self.judge.game.turns(p, &mut legal);
        }
        (legal, must)
    }

    /// Returns whether a turn of the defender reaches the goal.
    fn defense_reaches(
        &self,
        p: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
        must: bool,
    ) -> bool {
        match self.play {
            Play::Direct => self.judge.late_reached(after, self.attacker),
            Play::Selfplay => self.judge.reached(p, turn, after),
            _ => must,
        }
    }

    /// Checks the field `goal` of a turn against the rules.
    fn compare_goal(&self, given: bool, reached: bool) -> Result<(), InputError> {
        if given == reached {
            return Ok(());
        }
        let does = if reached { "reaches" } else { "does not reach" };
        Err(self.wrong(&format!(
            "field `goal` is {given}, but the turn {does} the goal"
        )))
    }

    /// Checks all continuations after a turn of the defender: none after the goal, otherwise at
    /// least one.
    fn continuations(
        &mut self,
        after: &Position<W>,
        answer: &Reply,
        moves: u32,
    ) -> Result<(), InputError> {
        match (answer.goal, answer.next.is_empty()) {
            (true, false) => return Err(self.wrong("there is a continuation after the goal")),
            (false, true) => return Err(self.wrong("there is no continuation")),
            _ => {}
        }
        self.once(answer.next.iter().map(|next| &next.turn))?;
        for next in &answer.next {
            self.turn(after, next, moves)?;
        }
        Ok(())
    }

    fn turn(&mut self, p: &Position<W>, node: &Move, moves: u32) -> Result<(), InputError> {
        let game = self.judge.game;
        if self.deadline.is_over() {
            return Ok(());
        }
        if moves == 0 {
            return Err(self.wrong("there are more moves than asked for"));
        }
        if self.play == Play::Reflex && self.judge.can_reach(p) {
            return Err(self.wrong("the side to move would have to reach the goal here"));
        }
        let turn = self.find(p, &node.turn)?;
        if self.aside && self.asides_cut && node.is_bare() {
            return Ok(());
        }
        let after = game.play(p, &turn);
        self.path.push(node.turn.clone());
        self.turns += 1;
        let goal = match self.play {
            Play::Direct => self.judge.reached(p, &turn, &after),
            _ => self.judge.late_reached(&after, !self.attacker),
        };
        self.compare_goal(node.goal, goal)?;
        if goal {
            if !node.answers.is_empty() || !node.threats.is_empty() {
                return Err(self.wrong("there is play after the goal"));
            }
        } else {
            if node.threats.is_empty() && node.answers.iter().any(|answer| answer.unparried) {
                return Err(self.wrong("there is no threat that could be left unparried"));
            }
            self.answers(&after, &node.answers, moves - 1)?;
            self.threats(&after, &node.threats, moves - 1)?;
        }
        self.path.pop();
        Ok(())
    }

    /// What is threatened at `p` if the side to move passes.
    fn threats(&mut self, p: &Position<W>, threats: &[Move], moves: u32) -> Result<(), InputError> {
        if threats.is_empty() {
            return Ok(());
        }
        let Some(passed) = passed(self.judge.game, p) else {
            return Err(self.wrong("there is a threat, but nobody can pass"));
        };
        self.once(threats.iter().map(|threat| &threat.turn))?;
        self.path.push("(pass)".to_string());
        let before = std::mem::replace(&mut self.aside, true);
        for threat in threats {
            if threat.is_bare() {
                self.find(&passed, &threat.turn)?;
            } else {
                self.turn(&passed, threat, moves)?;
            }
        }
        self.aside = before;
        self.path.pop();
        Ok(())
    }

    fn answers(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        moves: u32,
    ) -> Result<(), InputError> {
        self.all_answers(p, answers, moves, &[])
    }

    /// That each answer has its continuation, but those that are named to refute.
    fn all_answers(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        moves: u32,
        refuting: &[String],
    ) -> Result<(), InputError> {
        let game = self.judge.game;
        let (legal, must) = self.defenses(p);
        if legal.is_empty() {
            return Err(self.wrong("the game has ended without the goal"));
        }
        for turn in &legal {
            let text = turns::print(game, p, turn);
            let Some(answer) = answers.iter().find(|a| a.turn == text) else {
                return Err(self.wrong(&format!("the answer `{text}` is missing")));
            };
            let after = game.play(p, turn);
            let goal = self.defense_reaches(p, turn, &after, must);
            let refutes = refuting.contains(&text);
            self.path.push(text);
            self.turns += 1;
            self.compare_goal(answer.goal, goal)?;
            if refutes {
                if goal || !answer.next.is_empty() {
                    return Err(self.wrong("what is said to refute has a continuation"));
                }
            } else {
                self.continuations(&after, answer, moves)?;
            }
            self.path.pop();
        }
        if answers.len() > legal.len() {
            return Err(self.wrong("there are more answers than legal turns"));
        }
        Ok(())
    }
}
