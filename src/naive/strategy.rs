//! Stored turns of one side, followed to the end: whether they force a goal, or keep the other side from it for
//! ever.
//!
//! Where positions are stored by keys that look alike ([`key`](crate::key)), each entry that may be about a position is
//! tried. This is sound, since what is verified is that a strategy exists, whichever entries it uses.

use crate::key::{KeyForm, Units, units_of, without_kinds};
use crate::{Position, RuleSets, Unverified, ensure, unchecked, wrong};
use std::collections::HashMap;

/// What stored turns are to show.
#[derive(Clone, Copy)]
pub struct Claim<'c> {
    /// Whether the side that wants the goal is White.
    pub white: bool,
    /// `win`, `not-lose`, or the reason of an outcome.
    pub goal: &'c str,
    /// Whether that side forces the goal; else the other one avoids it for ever.
    pub force: bool,
}

/// What a certificate says of itself.
pub struct Statement<'c> {
    /// The variant with its options.
    pub variant: &'c str,
    /// The position that it is about.
    pub fen: &'c str,
    /// The side that wants the goal: `white` or `black`.
    pub side: &'c str,
    /// `win`, `not-lose`, or the reason of an outcome.
    pub goal: &'c str,
    /// Whether that side forces the goal; else the other one avoids it for ever.
    pub force: bool,
    /// The plies to the end, if the goal is forced.
    pub plies: Option<u32>,
    /// The bits of a key.
    pub key_bits: usize,
}

/// A stored turn.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The plies to the end, if the goal is forced.
    pub rank: u32,
    /// The number of the turn among the legal turns in byte order.
    pub turn: usize,
}

struct Checker<'c> {
    claim: Claim<'c>,
    stored: &'c mut dyn FnMut(&Position) -> Vec<Entry>,
    /// The ranks of verified positions; 0 where nothing is forced.
    verified: HashMap<String, u32>,
    /// Positions that may still be examined: several entries could multiply the work.
    left: u64,
}

/// Checks turns, each stored with the key of its position: that they show what is stated, that the goal is forced in as
/// many plies as is stated, and that each entry is needed.
///
/// # Errors
/// What is wrong, or why it cannot be checked.
pub fn check(
    rule_sets: &RuleSets,
    stated: &Statement<'_>,
    entries: &[(&[u64], Entry)],
) -> Result<(), Unverified> {
    let &Statement { goal, force, .. } = stated;
    let white = stated.side == "white";
    ensure(
        (white || stated.side == "black") && force == stated.plies.is_some(),
        || "its header contradicts itself or is not known",
    )?;
    let root = rule_sets.position(stated.variant, stated.fen)?;
    if goal.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        return unchecked("its goal is an expression");
    }
    ensure(
        root.fen() == stated.fen && root.outcome() == "ongoing",
        || "its position is not written as printed, or the game is over there",
    )?;
    let claim = Claim { white, goal, force };
    let (mut fault, mut most) = (wrong("its keys do not fit its position"), 0);
    for form in KeyForm::all(stated.key_bits, &root) {
        // The entries that look like a position, its kinds too or not, and whether there was such a position.
        let mut exact: HashMap<Units, Vec<Entry>> = HashMap::new();
        let mut alike: HashMap<Units, (Vec<Entry>, bool)> = HashMap::new();
        for (key, entry) in entries {
            let units = form.units(key);
            let (alike, _) = alike.entry(without_kinds(&units)).or_default();
            alike.push(*entry);
            exact.entry(units).or_default().push(*entry);
        }
        let mut stored = |position: &Position| {
            let units = units_of(position);
            let Some((entries, reached)) = alike.get_mut(&without_kinds(&units)) else {
                return Vec::new();
            };
            *reached = true;
            exact.get(&units).unwrap_or(entries).clone()
        };
        let max = 1000 + 8 * entries.len() as u64;
        let plies = follow(&root, claim, max, &mut stored);
        let reached = alike.values().filter(|(_, reached)| *reached).count();
        let found = plies.and_then(|plies| {
            ensure(stated.plies.is_none_or(|said| said == plies), || {
                format!("its lines are {plies} plies long, not as many as it says")
            })?;
            let others = alike.len() - reached;
            ensure(others == 0, || {
                format!("{others} of its positions are never reached")
            })
        });
        match found {
            Ok(()) => return Ok(()),
            // The form in which most positions were found is the right one, and its fault is reported.
            Err(found) if reached >= most => (fault, most) = (Err(found), reached),
            Err(_) => {}
        }
    }
    fault
}

/// Follows stored turns from a position where the game is not over. `stored` returns the entries that may be
/// about a position. Returns the plies to the end, 0 if the goal is avoided.
///
/// # Errors
/// What is wrong, or why the turns cannot be followed: more than `max` positions where several entries fit.
pub fn follow(
    root: &Position,
    claim: Claim<'_>,
    max: u64,
    stored: &mut (dyn FnMut(&Position) -> Vec<Entry> + Send),
) -> Result<u32, Unverified> {
    let root = root.clone();
    let follow = || {
        let mut checker = Checker {
            claim,
            stored,
            verified: HashMap::new(),
            left: max,
        };
        let chooses = root.is_white() == (claim.white == claim.force);
        match (claim.force, chooses) {
            (false, chooses) => checker.avoided(root, chooses),
            (true, true) => checker.chosen(&root, u32::MAX),
            (true, false) => checker.answered(&root, u32::MAX),
        }
    };
    // Its stack has room for the longest lines.
    let stack = std::thread::Builder::new().stack_size(256 << 20);
    std::thread::scope(|scope| match stack.spawn_scoped(scope, follow) {
        Ok(thread) => thread
            .join()
            .unwrap_or_else(|_| unchecked("it cannot be checked")),
        Err(why) => unchecked(why.to_string()),
    })
}

impl Checker<'_> {
    /// Checks that an ended game is as claimed.
    fn ends(&self, after: &Position, outcome: &str) -> Result<(), Unverified> {
        let side = if self.claim.white { "white" } else { "black" };
        let wins = outcome.starts_with(&format!("{side}-wins"));
        let draws = outcome.starts_with("draw ");
        let reached = match self.claim.goal {
            "win" => outcome.starts_with(&format!("{side}-wins ")),
            "not-lose" => wins || draws,
            goal => (wins || draws) && outcome.ends_with(&format!(" {goal}")),
        };
        ensure(reached == self.claim.force, || {
            format!("the game ends otherwise, {outcome}, at `{}`", after.fen())
        })
    }

    /// Returns the plies to the end after all turns of the other side. Ranks must be less than `below`.
    fn answered(&mut self, position: &Position, below: u32) -> Result<u32, Unverified> {
        let mut longest = 0;
        for (_, after) in position.turns() {
            let outcome = after.outcome();
            match outcome == "ongoing" {
                true => longest = longest.max(self.chosen(&after, below)?),
                false => self.ends(&after, &outcome)?,
            }
        }
        Ok(longest + 1)
    }

    /// Returns the rank of a position of the side that chooses.
    fn chosen(&mut self, position: &Position, below: u32) -> Result<u32, Unverified> {
        let identity = position.identity();
        if let Some(&rank) = self.verified.get(&identity).filter(|&&rank| rank < below) {
            return Ok(rank);
        }
        let Some(left) = self.left.checked_sub(1) else {
            return unchecked("too many of its positions look alike");
        };
        self.left = left;
        let mut found = wrong(format!("no turn is stored for `{}`", position.fen()));
        let turns = position.turns();
        for entry in (self.stored)(position) {
            // Ranks fall along every line, so no line repeats a position.
            if entry.rank >= below {
                found = wrong(format!("the rank of `{}` does not fall", position.fen()));
                continue;
            }
            found = match self.tried(&turns, entry) {
                Ok(plies) if plies == entry.rank => {
                    self.verified.insert(identity, plies);
                    return Ok(plies);
                }
                Ok(_) => wrong(format!("the rank of `{}` is wrong", position.fen())),
                Err(Unverified::Unchecked(why)) => return unchecked(why),
                false_entry => false_entry,
            };
        }
        found
    }

    /// Returns the plies to the end with this turn of the side that chooses.
    fn tried(&mut self, turns: &[(String, Position)], entry: Entry) -> Result<u32, Unverified> {
        let Some((_, after)) = turns.get(entry.turn) else {
            return wrong("a stored turn is not legal");
        };
        let outcome = after.outcome();
        match outcome == "ongoing" {
            true => Ok(1 + self.answered(after, entry.rank)?),
            false => self.ends(after, &outcome).map(|()| 1),
        }
    }

    /// Checks that the stored turns avoid the goal for ever, whatever repeats.
    fn avoided(&mut self, root: Position, chooses: bool) -> Result<u32, Unverified> {
        let mut open = vec![(root, chooses)];
        while let Some((position, chooses)) = open.pop() {
            let outcome = position.outcome();
            if outcome != "ongoing" {
                self.ends(&position, &outcome)?;
                continue;
            }
            let mut turns = position.turns();
            if chooses {
                if self.verified.insert(position.identity(), 0).is_some() {
                    continue;
                }
                let entry = match (self.stored)(&position)[..] {
                    [entry] => entry,
                    [] => return wrong(format!("no turn is stored for `{}`", position.fen())),
                    _ => return unchecked("some of its positions look alike"),
                };
                ensure(entry.turn < turns.len(), || {
                    format!("the turn stored for `{}` is not legal", position.fen())
                })?;
                turns = vec![turns.swap_remove(entry.turn)];
            }
            open.extend(turns.into_iter().map(|(_, after)| (after, !chooses)));
        }
        Ok(0)
    }
}
