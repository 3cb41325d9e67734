//! Follows the stored turns of one side to the end. Checks that they force a goal, or that they keep the
//! other side from the goal forever.
//!
//! Keys of different positions can look alike ([`key`](crate::key)). If several entries may belong to a
//! position, each of them is tried. This is sound, because the check only has to show that a strategy exists,
//! whichever entries it uses.

use crate::key::{KeyForm, Units, units_of, without_kinds};
use crate::{Position, RuleSets, Unverified, ensure, unchecked, wrong};
use std::collections::HashMap;

/// Returns, for each legal turn of a position in byte order, whether it meets a condition.
pub type Meets<'c> = &'c (dyn Fn(&Position) -> Result<Vec<bool>, Unverified> + Sync);

/// The claim that stored turns must prove.
#[derive(Clone, Copy)]
pub struct Claim<'c> {
    /// Whether White is the side that wants the goal.
    pub white: bool,
    /// The goal: `win`, `not-lose`, or the reason of an outcome.
    pub goal: &'c str,
    /// Whether that side forces the goal. Otherwise, the other side avoids the goal forever.
    pub force: bool,
    /// If the goal is a condition on turns of that side: whether the turns of a position meet it.
    pub meets: Option<Meets<'c>>,
}

/// The statement of a certificate.
pub struct Statement<'c> {
    /// The variant with its options.
    pub variant: &'c str,
    /// The FEN of the position.
    pub fen: &'c str,
    /// The side that wants the goal: `white` or `black`.
    pub side: &'c str,
    /// The goal: `win`, `not-lose`, the reason of an outcome, or a condition on turns.
    pub goal: &'c str,
    /// Whether that side forces the goal. Otherwise, the other side avoids the goal forever.
    pub force: bool,
    /// The number of plies to the end, if the goal is forced.
    pub plies: Option<u32>,
    /// The number of bits of a key.
    pub key_bits: usize,
}

/// A stored turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The number of plies to the end, if the goal is forced.
    pub rank: u32,
    /// The index of the turn in the list of legal turns in byte order.
    pub turn: usize,
}

struct Checker<'c> {
    claim: Claim<'c>,
    stored: &'c mut dyn FnMut(&Position) -> Vec<Entry>,
    /// The ranks of verified positions.
    verified: HashMap<String, u32>,
    /// The number of positions or entries that may still be examined. Positions with several entries could multiply
    /// the work.
    left: u64,
}

/// Checks the statement of a certificate. `entries` are its turns, each with the key of its position. Checks
/// that the turns prove the statement, that the number of plies is right, and that each entry is needed.
///
/// # Errors
/// If the statement is wrong or cannot be checked.
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
    let root = rule_sets.read(stated.variant, Some(stated.fen))?;
    let outcome = root.outcome()?;
    ensure(
        root.fen() == stated.fen && outcome == "ongoing",
        || "its position is not written as printed, or the game is over there",
    )?;
    ensure(
        force || entries.iter().all(|(_, entry)| entry.rank == 0),
        || "a rank is not 0",
    )?;
    // A word that is not a reason of this rule set is a condition, as for `prove`.
    let is_end = ["win", "not-lose"].contains(&goal) || root.has_reason(goal);
    let condition = match is_end {
        true => None,
        false => Some(rule_sets.condition(stated.variant, goal)?),
    };
    let meets = |position: &Position| {
        let texts = position.turns()?.into_iter().map(|(turn, _)| turn);
        let met = condition
            .as_ref()
            .map_or(Ok(Vec::new()), |known| known.turns(&position.fen()));
        let met = met.or_else(unchecked)?;
        match texts.eq(met.iter().map(|(turn, _)| turn.clone())) {
            true => Ok(met.into_iter().map(|(_, met)| met).collect()),
            false => unchecked("the goal is evaluated by a rule text that has other turns"),
        }
    };
    let meets = condition.is_some().then_some(&meets as Meets<'_>);
    let claim = Claim {
        white,
        goal,
        force,
        meets,
    };
    let (mut fault, mut most) = (wrong("its keys do not fit its position"), (false, 0));
    for form in KeyForm::all(stated.key_bits, &root) {
        // The entries by decoded units. `alike` ignores kinds, and records whether such a position was
        // reached.
        let mut exact: HashMap<Units, Vec<Entry>> = HashMap::new();
        let mut alike: HashMap<Units, (Vec<Entry>, bool)> = HashMap::new();
        for (key, entry) in entries {
            let units = form.units(key);
            let (alike, _) = alike.entry(without_kinds(&units)).or_default();
            alike.push(*entry);
            exact.entry(units).or_default().push(*entry);
        }
        // Equal entries of positions that look alike count once.
        let lists = alike.values_mut().map(|(entries, _)| entries);
        for list in lists.chain(exact.values_mut()) {
            list.sort_unstable();
            list.dedup();
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
            // What cannot be checked in one form may be right. Otherwise, the form that reaches most positions is
            // the right one, and its fault is reported.
            Err(found) => {
                let is_unchecked = matches!(found, Unverified::Unchecked(_));
                if (is_unchecked, reached) >= most {
                    (fault, most) = (Err(found), (is_unchecked, reached));
                }
            }
        }
    }
    fault
}

/// Follows stored turns from a position in which the game is not over. `stored` returns the entries that may
/// belong to a position. Returns the number of plies to the end, or 0 if the goal is avoided.
///
/// # Errors
/// If the turns do not prove the claim, or cannot be followed: more than `max` positions would have to be
/// examined.
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
    // The search recurses, so its thread needs a stack for the longest lines.
    let stack = std::thread::Builder::new().stack_size(256 << 20);
    std::thread::scope(|scope| match stack.spawn_scoped(scope, follow) {
        Ok(thread) => thread
            .join()
            .unwrap_or_else(|_| unchecked("it cannot be checked")),
        Err(why) => unchecked(why.to_string()),
    })
}

impl Checker<'_> {
    /// Returns whether a turn of the side that wants the goal, with this index, reaches a goal that is a condition.
    fn meets(&self, position: &Position, turn: usize) -> Result<bool, Unverified> {
        let met = self
            .claim
            .meets
            .map_or(Ok(Vec::new()), |meets| meets(position))?;
        Ok(met.get(turn) == Some(&true))
    }

    /// Checks that the outcome of a game agrees with the claim.
    fn ends(&self, after: &Position, outcome: &str) -> Result<(), Unverified> {
        let side = if self.claim.white { "white" } else { "black" };
        let wins = outcome.starts_with(&format!("{side}-wins"));
        let draws = outcome.starts_with("draw ");
        let reached = match self.claim.goal {
            _ if self.claim.meets.is_some() => false,
            "win" => outcome.starts_with(&format!("{side}-wins ")),
            "not-lose" => wins || draws,
            goal => (wins || draws) && outcome.ends_with(&format!(" {goal}")),
        };
        ensure(reached == self.claim.force, || {
            format!("the game ends otherwise, {outcome}, at `{}`", after.fen())
        })
    }

    /// Returns the maximum number of plies to the end over all turns of the other side. Ranks must be less
    /// than `below`.
    fn answered(&mut self, position: &Position, below: u32) -> Result<u32, Unverified> {
        let mut longest = 0;
        for (_, after) in position.turns()? {
            let outcome = after.outcome()?;
            match outcome == "ongoing" {
                true => longest = longest.max(self.chosen(&after, below)?),
                false => self.ends(&after, &outcome)?,
            }
        }
        Ok(longest + 1)
    }

    /// Returns the verified rank of a position in which the side with stored turns is to move.
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
        let turns = position.turns()?;
        for entry in (self.stored)(position) {
            // Ranks must decrease along every line, so that no line repeats a position.
            if entry.rank >= below {
                found = wrong(format!("the rank of `{}` does not fall", position.fen()));
                continue;
            }
            found = match self.tried(position, &turns, entry) {
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

    /// Returns the number of plies to the end after the turn of an entry.
    fn tried(
        &mut self,
        position: &Position,
        turns: &[(String, Position)],
        entry: Entry,
    ) -> Result<u32, Unverified> {
        let Some((_, after)) = turns.get(entry.turn) else {
            return wrong("a stored turn is not legal");
        };
        if self.meets(position, entry.turn)? {
            return Ok(1);
        }
        let outcome = after.outcome()?;
        match outcome == "ongoing" {
            true => Ok(1 + self.answered(after, entry.rank)?),
            false => self.ends(after, &outcome).map(|()| 1),
        }
    }

    /// Checks that stored turns avoid the goal forever, including in games with repetitions. Explores the positions
    /// that all entries lead to, and removes those from which the goal cannot be avoided.
    fn avoided(&mut self, root: Position, chooses: bool) -> Result<u32, Unverified> {
        let mut nodes = vec![Node::new(chooses)];
        let mut numbers = HashMap::from([(root.identity(), 0)]);
        let mut open = vec![(0, root)];
        let mut lost = Vec::new();
        let mut fault = None;
        while let Some((at, position)) = open.pop() {
            let successors = match self.successors(&position, nodes[at].chooses) {
                Ok(successors) => successors,
                Err(Unverified::Unchecked(why)) => return unchecked(why),
                Err(wrong) => {
                    fault.get_or_insert(wrong);
                    lost.push(at);
                    continue;
                }
            };
            let chooses = !nodes[at].chooses;
            nodes[at].not_lost = successors.len();
            for after in successors {
                let number = *numbers.entry(after.identity()).or_insert_with(|| {
                    nodes.push(Node::new(chooses));
                    open.push((nodes.len() - 1, after));
                    nodes.len() - 1
                });
                nodes[number].predecessors.push(at);
            }
        }
        // A position is lost if all its stored turns lose, or any turn of the other side does.
        while let Some(at) = lost.pop() {
            if std::mem::replace(&mut nodes[at].lost, true) {
                continue;
            }
            for before in std::mem::take(&mut nodes[at].predecessors) {
                let node = &mut nodes[before];
                node.not_lost = node.not_lost.saturating_sub(1);
                if !node.chooses || node.not_lost == 0 {
                    lost.push(before);
                }
            }
        }
        match fault {
            Some(fault) if nodes[0].lost => Err(fault),
            _ => Ok(0),
        }
    }

    /// Returns the positions after the stored turns of a position, or after all turns of the other side.
    fn successors(
        &mut self,
        position: &Position,
        chooses: bool,
    ) -> Result<Vec<Position>, Unverified> {
        let outcome = position.outcome()?;
        if outcome != "ongoing" {
            self.ends(position, &outcome)?;
            return Ok(Vec::new());
        }
        let turns = position.turns()?.into_iter().map(|(_, after)| after);
        if !chooses {
            let met = self
                .claim
                .meets
                .map_or(Ok(Vec::new()), |meets| meets(position))?;
            let why = || format!("a turn in `{}` reaches the goal", position.fen());
            ensure(!met.contains(&true), why)?;
            return Ok(turns.collect());
        }
        let entries = (self.stored)(position);
        ensure(!entries.is_empty(), || {
            format!("no turn is stored for `{}`", position.fen())
        })?;
        let Some(left) = self.left.checked_sub(entries.len() as u64) else {
            return unchecked("too many of its positions look alike");
        };
        self.left = left;
        let mut turns: Vec<Option<Position>> = turns.map(Some).collect();
        let stored = entries
            .iter()
            .filter_map(|entry| turns.get_mut(entry.turn)?.take());
        let successors: Vec<Position> = stored.collect();
        ensure(!successors.is_empty(), || {
            format!("the turn stored for `{}` is not legal", position.fen())
        })?;
        Ok(successors)
    }
}

/// A position of a strategy that avoids a goal.
struct Node {
    /// Whether the side with stored turns is to move.
    chooses: bool,
    /// The number of its successors that are not lost.
    not_lost: usize,
    predecessors: Vec<usize>,
    /// Whether the goal cannot be avoided from it.
    lost: bool,
}

impl Node {
    fn new(chooses: bool) -> Node {
        Node {
            chooses,
            not_lost: 0,
            predecessors: Vec::new(),
            lost: false,
        }
    }
}
