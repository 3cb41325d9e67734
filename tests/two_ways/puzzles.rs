//! The collection against the naive second implementation of the rules: a plain search over its
//! turns, sharing nothing with the solver, finds the same first turns.
//!
//! Every puzzle of up to three plies is solved, those in two moves among them; longer ones as far as
//! `FAIRYPROOF_NAIVE_NODES` (positions for each, 2,000 if left out) let it.

use fairyproof::catalog::Catalog;
use fairyproof::problems::{Ending, Goal, Play, Stipulation};
use fairyproof::puzzle::{Puzzle, read};
use fairyproof::variants;
use naive::{self, Game};
use rayon::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The search has looked at too many positions.
#[derive(Debug)]
struct TooLong;

type Answer<T> = Result<T, TooLong>;

/// Plain search over the naive rules.
struct Plain<'v> {
    variant: &'v str,
    asked: Stipulation,
    left: Cell<u64>,
    /// The turns of the positions that were looked at, by FEN: lines meet, and the naive rules are slow.
    known: RefCell<HashMap<String, Turns>>,
    /// Their outcomes, by FEN.
    settled: RefCell<HashMap<String, Rc<str>>>,
}

/// Turns with the positions after them.
type Turns = Rc<[(String, Game)]>;

fn is_white(game: &Game) -> bool {
    game.fen().split(' ').nth(1) == Some("w")
}

/// Returns whether an outcome is the goal for the side `white`.
fn well(goal: &Goal, outcome: &str, white: bool) -> bool {
    let name = if white { "white" } else { "black" };
    let wins = |reason: &str| outcome == format!("{name}-wins {reason}");
    match goal {
        Goal::Mate => wins("checkmate"),
        Goal::Stalemate => outcome.ends_with(" stalemate"),
        Goal::Win => outcome.starts_with(&format!("{name}-wins ")),
        Goal::Reason(reason) => {
            wins(reason)
                || outcome == format!("{name}-wins-weakly {reason}")
                || outcome == format!("draw {reason}")
        }
        _ => panic!("the naive search does not know this goal"),
    }
}

impl Plain<'_> {
    fn turns(&self, game: &Game) -> Answer<Turns> {
        let fen = game.fen();
        if let Some(turns) = self.known.borrow().get(&fen) {
            return Ok(turns.clone());
        }
        let left = self.left.get().checked_sub(1).ok_or(TooLong)?;
        self.left.set(left);
        let turns: Turns = game.turns().into();
        self.known.borrow_mut().insert(fen, turns.clone());
        Ok(turns)
    }

    fn outcome(&self, game: &Game) -> Rc<str> {
        let mut settled = self.settled.borrow_mut();
        let outcome = settled
            .entry(game.fen())
            .or_insert_with(|| game.outcome().into());
        outcome.clone()
    }

    fn reached(&self, after: &Game, white: bool) -> bool {
        well(&self.asked.goal, &self.outcome(after), white)
    }

    /// Reached for the side that has not made the turn.
    fn late(&self, after: &Game, white: bool) -> bool {
        let wins = !self.outcome(after).starts_with("draw");
        matches!(self.asked.goal, Goal::Win | Goal::Reason(_)) && wins && self.reached(after, white)
    }

    fn can(&self, game: &Game) -> Answer<bool> {
        let white = is_white(game);
        Ok(self
            .turns(game)?
            .iter()
            .any(|(_, after)| self.reached(after, white)))
    }

    /// Returns whether a turn of the attacker that led to `after` does it.
    fn solves(&self, after: &Game, white: bool, moves: u32) -> Answer<bool> {
        match self.asked.play {
            Play::Direct if self.reached(after, white) => return Ok(true),
            Play::Direct => {}
            _ if self.late(after, !white) => return Ok(true),
            Play::Selfplay => {}
            _ if self.can(after)? => return Ok(true),
            _ => {}
        }
        let answers = self.turns(after)?;
        for (_, there) in answers.iter() {
            let reached = match self.asked.play {
                Play::Direct => self.late(there, white),
                Play::Selfplay => self.reached(there, !white),
                _ => false,
            };
            let forced = reached || moves > 1 && self.attack(there, moves - 1)?;
            if !forced {
                return Ok(false);
            }
        }
        Ok(!answers.is_empty())
    }

    fn attack(&self, game: &Game, moves: u32) -> Answer<bool> {
        if self.asked.play == Play::Reflex && self.can(game)? {
            return Ok(false);
        }
        let white = is_white(game);
        for (_, after) in self.turns(game)?.iter() {
            if self.solves(after, white, moves)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the position after the other side has passed.
    fn passed(&self, game: &Game) -> Option<Game> {
        let outcome = game.outcome();
        if outcome != "ongoing" && !outcome.ends_with("stalemate") && !outcome.ends_with("no-turn")
        {
            return None;
        }
        let fen = game.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[1] = if fields[1] == "w" { "b" } else { "w" };
        fields[3] = "-";
        naive::read(self.variant, &fields.join(" ")).ok()
    }

    /// Returns whether a line can go on from here with at most `left` turns, and how many lines there are.
    fn lines(&self, game: &Game, left: u32, goal_white: bool) -> Answer<Vec<Vec<String>>> {
        let (ending, series, helped) = match self.asked.play {
            Play::Help(ending) => (ending, false, false),
            Play::Series(ending, helped) => (ending, true, helped),
            _ => panic!("there are no lines"),
        };
        let mut found = Vec::new();
        let white = is_white(game);
        let mine = white == goal_white;
        if ending == Ending::Reflex && self.can(game)? {
            return Ok(found);
        }
        for (text, after) in self.turns(game)?.iter() {
            let mut on = left > 1;
            match ending {
                Ending::Goal if helped => {
                    for (last, there) in self.turns(after)?.iter() {
                        if self.reached(there, !white) {
                            found.push(vec![text.clone(), last.clone()]);
                        }
                    }
                }
                Ending::Goal => {
                    let there = if mine {
                        self.reached(after, white)
                    } else {
                        self.late(after, goal_white)
                    };
                    if there {
                        found.push(vec![text.clone()]);
                        on = false;
                    }
                }
                _ if mine => on &= ending == Ending::Reflex || !self.reached(after, white),
                _ => {
                    let answers = self.turns(after)?;
                    let reached = |game: &Game| self.reached(game, !white);
                    let ends = match ending {
                        Ending::Forced => {
                            !answers.is_empty() && answers.iter().all(|(_, g)| reached(g))
                        }
                        _ => answers.iter().any(|(_, g)| reached(g)),
                    };
                    if ends {
                        found.push(vec![text.clone()]);
                        on &= series && ending == Ending::Forced;
                    }
                    on &= series || left > 2;
                }
            }
            let next = match (on, series) {
                (false, _) => None,
                (true, true) => self.passed(after),
                (true, false) => Some(after.clone()),
            };
            if let Some(next) = next {
                for mut line in self.lines(&next, left - 1, goal_white)? {
                    line.insert(0, text.clone());
                    found.push(line);
                }
            }
        }
        Ok(found)
    }

    /// Returns the first turns of all solutions, and how many solutions there are.
    fn solve(&self, game: &Game) -> Answer<(Vec<String>, usize)> {
        let white = is_white(game);
        let (own, length) = match self.asked.play {
            Play::Series(Ending::Goal, false) => (true, self.asked.moves),
            Play::Series(..) => (false, self.asked.moves),
            Play::Help(_) => (self.asked.half, self.asked.plies()),
            _ => {
                let mut keys = Vec::new();
                if self.asked.play == Play::Reflex && self.can(game)? {
                    return Ok((keys, 0));
                }
                for (text, after) in self.turns(game)?.iter() {
                    if self.solves(after, white, self.asked.moves)? {
                        keys.push(text.clone());
                    }
                }
                let count = keys.len();
                return Ok((keys, count));
            }
        };
        let lines = self.lines(game, length, white == own)?;
        let firsts: BTreeSet<String> = lines.iter().map(|line| line[0].clone()).collect();
        Ok((firsts.into_iter().collect(), lines.len()))
    }
}

fn mined() -> Vec<(String, Puzzle)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles");
    let mut puzzles = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the collection") {
        let path = entry.expect("an entry").path();
        let stem = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        if path.extension().is_none_or(|e| e != "toml") || stem == "orthodox" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a puzzle file");
        let list = read::parse(&Catalog::new(), &stem, &text).unwrap_or_else(|e| panic!("{e}"));
        puzzles.extend(list.into_iter().map(|puzzle| (stem.clone(), puzzle)));
    }
    puzzles.sort_by(|a, b| (&a.0, &a.1.id).cmp(&(&b.0, &b.1.id)));
    puzzles
}

#[test]
fn plain_search_over_the_naive_rules_finds_the_same() {
    let nodes =
        std::env::var("FAIRYPROOF_NAIVE_NODES").map_or(2_000, |n| n.parse().expect("a number"));
    let solved: Vec<bool> = mined()
        .par_iter()
        .map(|(stem, puzzle)| {
            let asked = puzzle.open(&Catalog::new()).expect("a puzzle").stipulation;
            let short = asked.plies() <= 3;
            let plain = Plain {
                variant: &puzzle.variant,
                asked,
                left: Cell::new(if short { u64::MAX } else { nodes }),
                known: RefCell::default(),
                settled: RefCell::default(),
            };
            let name = format!("{stem}/{} {}", puzzle.id, puzzle.stipulation);
            let game =
                naive::read(&puzzle.variant, &puzzle.fen).unwrap_or_else(|e| panic!("{name}: {e}"));
            match plain.solve(&game) {
                Ok((keys, count)) => {
                    assert_eq!(Some(keys), puzzle.keys, "{name}");
                    assert_eq!(Some(count), puzzle.solutions, "{name}");
                    true
                }
                Err(TooLong) => false,
            }
        })
        .collect();
    let done = solved.iter().filter(|done| **done).count();
    assert!(
        done * 3 > solved.len() * 2,
        "only {done} of {} are short enough",
        solved.len()
    );
}

#[test]
fn every_rule_set_has_four_puzzles_of_several_kinds() {
    let puzzles = mined();
    for info in variants::all().iter().filter(|info| info.id != "fide") {
        let of: Vec<&Puzzle> = puzzles
            .iter()
            .map(|(_, puzzle)| puzzle)
            .filter(|puzzle| puzzle.variant.split(':').next() == Some(info.id))
            .collect();
        assert!(of.len() >= 4, "{} has {} puzzles", info.id, of.len());
        let asked: BTreeSet<&str> = of.iter().map(|puzzle| &*puzzle.stipulation).collect();
        assert!(asked.len() >= 2, "{} asks only for {asked:?}", info.id);
        for puzzle in of {
            assert_eq!(puzzle.solutions, Some(1), "{}", puzzle.id);
            let asked = puzzle.open(&Catalog::new()).expect("a puzzle").stipulation;
            let turns = asked.plies().div_ceil(2).max(asked.moves);
            assert!((2..=4).contains(&turns), "{} {asked}", puzzle.id);
        }
    }
}
