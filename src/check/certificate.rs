//! Certificates of `prove`, read and checked by an independent reader.
//!
//! A certificate stores positions as keys. Only their side to move and their units are decoded, so positions
//! that differ in rights or state look alike;
//! then each stored turn is tried. This is sound: what is verified is
//! that a strategy exists whose ranks fall, whichever entries it uses.

use crate::{Fault, position, wrong};
use naive::{Position, RuleSets};
use serde_json::Value;
use std::collections::HashMap;

/// Whether White is to move; the squares with units, and whether each is White's.
type Placement = (bool, Vec<(usize, bool)>);

/// Entries that look alike, each with its kinds, and whether a strategy has used one.
type Alike = (Vec<(usize, Vec<usize>)>, bool);

/// What the header of a certificate says.
#[derive(Debug)]
pub struct Header {
    /// The rule set.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The side that wants the goal.
    pub side: String,
    /// The goal.
    pub goal: String,
    /// The plies to the end, if the goal is forced.
    pub plies: Option<u64>,
    force: bool,
    positions: usize,
    key_bits: usize,
}

/// A stored turn: the key of its position, the plies to the end, its number among the legal turns.
struct Entry {
    key: Vec<u64>,
    rank: u32,
    turn: usize,
}

/// Where the units of a key are, and in what form.
#[derive(Clone, Copy, PartialEq)]
struct KeyForm {
    start: usize,
    squares: usize,
    square_bits: usize,
    unit_bits: usize,
    /// The length of a list of units; none for bit planes.
    listed: Option<usize>,
}

fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], Fault> {
    let Some((head, rest)) = bytes.split_at_checked(count) else {
        return wrong("it is cut short");
    };
    *bytes = rest;
    Ok(head)
}

fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b))
}

fn read(bytes: &[u8]) -> Result<(Header, Vec<Entry>), Fault> {
    let Some((mut rest, sum)) = bytes.len().checked_sub(4).map(|at| bytes.split_at(at)) else {
        return wrong("it is not a certificate");
    };
    if crc32fast::hash(rest) != little_endian(sum) {
        return wrong("its checksum is wrong");
    }
    if take(&mut rest, 8)? != b"FPPROOF1" {
        return wrong("it is not a certificate");
    }
    let length = little_endian(take(&mut rest, 4)?) as usize;
    let json: Value = serde_json::from_slice(take(&mut rest, length)?)
        .map_err(|e| Fault::Wrong(format!("its header cannot be read: {e}")))?;
    let text = |name: &str| match json[name].as_str() {
        Some(text) => Ok(text.to_string()),
        None => wrong(format!("its header has no `{name}`")),
    };
    let force = match text("kind")?.as_str() {
        "force" => true,
        "avoid" => false,
        other => return wrong(format!("its kind is `{other}`")),
    };
    let header = Header {
        variant: text("variant")?,
        fen: text("fen")?,
        side: text("side")?,
        goal: text("goal")?,
        plies: json["plies"].as_u64(),
        force,
        positions: json["positions"].as_u64().unwrap_or(0) as usize,
        key_bits: json["key_bits"].as_u64().unwrap_or(0) as usize,
    };
    if json["format"] != 1 || !["white", "black"].contains(&&*header.side) {
        return wrong("its format or its side is not known");
    }
    if force != header.plies.is_some() || !(1..=2048).contains(&header.key_bits) {
        return wrong("its header contradicts itself");
    }
    let words = header.key_bits.div_ceil(64);
    let mut entries: Vec<Entry> = Vec::new();
    for length in json["blocks"].as_array().into_iter().flatten() {
        let block = take(&mut rest, length.as_u64().unwrap_or(u64::MAX) as usize)?;
        let block = lz4_flex::block::decompress(block, 4096 * (1 + 8 * words + 4))
            .map_err(|e| Fault::Wrong(format!("a block is damaged: {e}")))?;
        let count = header.positions.saturating_sub(entries.len()).min(4096);
        read_block(&block, count, words, &mut entries)?;
    }
    if entries.len() != header.positions || !rest.is_empty() {
        return wrong("its blocks do not hold as many positions as its header says");
    }
    if !entries.is_sorted_by(|a, b| a.key < b.key) {
        return wrong("its positions are not in rising order");
    }
    Ok((header, entries))
}

fn read_block(
    block: &[u8],
    count: usize,
    words: usize,
    entries: &mut Vec<Entry>,
) -> Result<(), Fault> {
    let (mut rest, mut key, first) = (block, vec![0_u8; 8 * words], entries.len());
    for _ in 0..count {
        let shared = usize::from(take(&mut rest, 1)?[0]);
        let Some(open) = key.get_mut(shared..) else {
            return wrong("a key is longer than the header says");
        };
        open.copy_from_slice(take(&mut rest, open.len())?);
        let word = |w: &[u8]| w.iter().fold(0, |n, &b| n << 8 | u64::from(b));
        let key = key.chunks(8).map(word).collect();
        let (rank, turn) = (0, 0);
        entries.push(Entry { key, rank, turn });
    }
    for entry in &mut entries[first..] {
        entry.rank = little_endian(take(&mut rest, 2)?);
    }
    for entry in &mut entries[first..] {
        entry.turn = little_endian(take(&mut rest, 2)?) as usize;
    }
    match rest.is_empty() {
        true => Ok(()),
        false => wrong("a block is longer than its positions"),
    }
}

/// Returns the units of a FEN in square order, and the number of squares of the rectangle.
fn units_of(fen: &str) -> (Vec<(usize, char)>, usize) {
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    let (mut units, mut at) = (Vec::new(), 0);
    for row in board.rsplit('/') {
        let mut run = 0;
        for c in row.chars().chain(['/']) {
            if let Some(digit) = c.to_digit(10) {
                run = run * 10 + digit as usize;
                continue;
            }
            at += std::mem::take(&mut run);
            if c.is_ascii_alphabetic() {
                units.push((at, c));
            }
            at += usize::from(c.is_ascii_alphabetic() || c == '*');
        }
    }
    (units, at)
}

/// Returns what is compared of a position, and the numbers of its kinds in square order, as most rule sets
/// number them.
fn placement(position: &Position) -> (Placement, Vec<usize>) {
    let (units, _) = units_of(&position.fen());
    let kind = |c: char| "PNBRQK".find(c.to_ascii_uppercase()).map_or(0, |at| at + 1);
    let kinds = units.iter().map(|&(_, c)| kind(c)).collect();
    let sides = units
        .into_iter()
        .map(|(at, c)| (at, c.is_ascii_uppercase()));
    ((position.is_white(), sides.collect()), kinds)
}

impl KeyForm {
    /// Returns the forms that keys of this width can have.
    fn all(header: &Header) -> Vec<KeyForm> {
        let (units, squares) = units_of(&header.fen);
        let square_bits = (squares.max(1) - 1).checked_ilog2().map_or(0, |n| n + 1) as usize;
        let units = units.len();
        let mut forms = Vec::new();
        for (unit_bits, n) in [4, 7]
            .into_iter()
            .flat_map(|bits| (units..=128).map(move |n| (bits, n)))
        {
            let (list, planes) = (n * (square_bits + unit_bits), unit_bits * squares);
            for bound in [0, list] {
                let start = header.key_bits.checked_sub(list.min(planes) + bound);
                let listed = (list < planes).then_some(n);
                let form = start.map(|start| KeyForm {
                    start,
                    squares,
                    square_bits,
                    unit_bits,
                    listed,
                });
                forms.extend(
                    form.filter(|form| (1..=80).contains(&form.start) && !forms.contains(form)),
                );
            }
        }
        forms
    }

    /// Returns what is compared of a key, and the numbers of its kinds in square order.
    fn placement(&self, key: &[u64]) -> (Placement, Vec<usize>) {
        let bit = |at: usize| {
            key.get(at / 64)
                .is_some_and(|word| word >> (at % 64) & 1 == 1)
        };
        let number =
            |at: usize, bits: usize| (0..bits).fold(0, |n, i| n | usize::from(bit(at + i)) << i);
        let kind_bits = self.unit_bits - 1;
        let unit = |n: usize| match self.listed {
            Some(_) => {
                let at = self.start + n * (self.square_bits + self.unit_bits);
                let square = number(at + self.unit_bits, self.square_bits);
                (square, bit(at + kind_bits), number(at, kind_bits))
            }
            None => {
                let plane = |plane: usize| bit(self.start + plane * self.squares + n);
                let kind = (0..kind_bits).fold(0, |kind, i| kind | usize::from(plane(i + 1)) << i);
                (n, plane(0), kind)
            }
        };
        let units = (0..self.listed.unwrap_or(self.squares)).map(unit);
        let units: Vec<_> = units.filter(|&(.., kind)| kind > 0).collect();
        let sides = units
            .iter()
            .map(|&(square, is_white, _)| (square, is_white));
        (
            (!bit(0), sides.collect()),
            units.iter().map(|unit| unit.2).collect(),
        )
    }
}

struct Checker<'c> {
    header: &'c Header,
    entries: &'c [Entry],
    /// The entries by what is compared of their keys.
    by_placement: HashMap<Placement, Alike>,
    /// The ranks of verified positions; 0 for those of a certificate without ranks.
    verified: HashMap<String, u32>,
    /// Positions that may still be examined. Entries that look alike could multiply the work.
    left: u64,
}

/// Checks a certificate. Returns its header.
///
/// # Errors
/// What is wrong with it, or why it cannot be checked.
pub fn check(bytes: &[u8], rule_sets: &RuleSets) -> Result<Header, Fault> {
    let (header, entries) = read(bytes)?;
    let root = position(rule_sets, &header.variant, &header.fen)?;
    if !header
        .goal
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-')
    {
        return Err(Fault::Unchecked("its goal is an expression".to_string()));
    }
    if root.fen() != header.fen || root.outcome() != "ongoing" {
        return wrong("its position is not written as printed, or the game is over there");
    }
    let mut fault = Fault::Wrong("its keys do not fit its position".to_string());
    let mut reached = 0;
    for form in KeyForm::all(&header) {
        let mut by_placement: HashMap<Placement, Alike> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let (placement, kinds) = form.placement(&entry.key);
            by_placement
                .entry(placement)
                .or_default()
                .0
                .push((at, kinds));
        }
        let left = 1000 + 8 * entries.len() as u64;
        let verified = HashMap::new();
        let mut checker = Checker {
            header: &header,
            entries: &entries,
            by_placement,
            verified,
            left,
        };
        match checker.whole(&root) {
            Ok(()) => return Ok(header),
            // The form in which most positions were found is the right one, and its fault is reported.
            Err(found) if reached <= checker.verified.len() => {
                (fault, reached) = (found, checker.verified.len() + 1);
            }
            Err(_) => {}
        }
    }
    Err(fault)
}

impl Checker<'_> {
    fn whole(&mut self, root: &Position) -> Result<(), Fault> {
        let chooser_is_white = (self.header.side == "white") == self.header.force;
        let plies = match (self.header.force, root.is_white() == chooser_is_white) {
            (false, chooses) => self.avoided(root, chooses)?,
            (true, true) => self.chosen(root, u32::MAX)?,
            (true, false) => self.answered(root, u32::MAX)?,
        };
        if self
            .header
            .plies
            .is_some_and(|said| said != u64::from(plies))
        {
            return wrong(format!(
                "its lines are {plies} plies long, not as many as it says"
            ));
        }
        match self.by_placement.values().filter(|(_, used)| !used).count() {
            0 => Ok(()),
            unused => wrong(format!("{unused} of its positions are never reached")),
        }
    }

    /// Checks that an ended game is as the certificate says.
    fn kept(&self, after: &Position, outcome: &str) -> Result<(), Fault> {
        let (side, goal) = (&self.header.side, &self.header.goal);
        let wins = outcome.starts_with(&format!("{side}-wins"));
        let full = outcome.starts_with(&format!("{side}-wins "));
        let reached = match goal.as_str() {
            "win" => full,
            "not-lose" => wins || outcome.starts_with("draw "),
            _ => (wins || outcome.starts_with("draw ")) && outcome.ends_with(&format!(" {goal}")),
        };
        match reached == self.header.force {
            true => Ok(()),
            false => wrong(format!(
                "the game ends otherwise, {outcome}, at `{}`",
                after.fen()
            )),
        }
    }

    fn spend(&mut self) -> Result<(), Fault> {
        let too_many = || Fault::Unchecked("too many of its positions look alike".to_string());
        self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        Ok(())
    }

    /// Returns the plies to the end after all turns of the other side. Ranks must be less than `below`.
    fn answered(&mut self, position: &Position, below: u32) -> Result<u32, Fault> {
        let mut longest = 0;
        for (_, after) in position.turns() {
            let outcome = after.outcome();
            match outcome == "ongoing" {
                true => longest = longest.max(self.chosen(&after, below)?),
                false => self.kept(&after, &outcome)?,
            }
        }
        Ok(longest + 1)
    }

    /// Returns the entries that may be about a position. If the kinds of units single out one, it is that.
    fn candidates(&self, position: &Position) -> (Placement, Vec<usize>) {
        let (placement, kinds) = placement(position);
        let all = self
            .by_placement
            .get(&placement)
            .map_or(&[][..], |(all, _)| all);
        let alike: Vec<usize> = all
            .iter()
            .filter(|(_, other)| *other == kinds)
            .map(|(at, _)| *at)
            .collect();
        let candidates = match alike[..] {
            [] => all.iter().map(|(at, _)| *at).collect(),
            _ => alike,
        };
        (placement, candidates)
    }

    /// Returns the rank of a position of the side that chooses.
    fn chosen(&mut self, position: &Position, below: u32) -> Result<u32, Fault> {
        let identity = position.identity();
        if let Some(&rank) = self.verified.get(&identity).filter(|&&rank| rank < below) {
            return Ok(rank);
        }
        self.spend()?;
        let (placement, candidates) = self.candidates(position);
        let mut fault = Fault::Wrong(format!("no turn is stored for `{}`", position.fen()));
        let turns = position.turns();
        for at in candidates {
            let Entry { rank, turn, .. } = self.entries[at];
            // Ranks fall along every line, so no line repeats a position.
            if rank >= below {
                fault = Fault::Wrong(format!("the rank of `{}` does not fall", position.fen()));
                continue;
            }
            match self.tried(&turns, turn, rank) {
                Ok(plies) if plies == rank => {
                    self.verified.insert(identity, rank);
                    self.by_placement.entry(placement).or_default().1 = true;
                    return Ok(rank);
                }
                Ok(_) => fault = Fault::Wrong(format!("the rank of `{}` is wrong", position.fen())),
                Err(unchecked @ Fault::Unchecked(_)) => return Err(unchecked),
                Err(found) => fault = found,
            }
        }
        Err(fault)
    }

    /// Returns the plies to the end with this turn of the side that chooses.
    fn tried(
        &mut self,
        turns: &[(String, Position)],
        turn: usize,
        rank: u32,
    ) -> Result<u32, Fault> {
        let Some((_, after)) = turns.get(turn) else {
            return wrong("a stored turn is not legal");
        };
        let outcome = after.outcome();
        match outcome == "ongoing" {
            true => Ok(1 + self.answered(after, rank)?),
            false => self.kept(after, &outcome).map(|()| 1),
        }
    }

    /// Checks that the stored turns avoid the goal for ever, whatever repeats.
    fn avoided(&mut self, root: &Position, chooses: bool) -> Result<u32, Fault> {
        let mut open = vec![(root.clone(), chooses)];
        while let Some((position, chooses)) = open.pop() {
            let outcome = position.outcome();
            if outcome != "ongoing" {
                self.kept(&position, &outcome)?;
                continue;
            }
            let mut turns = position.turns();
            if chooses {
                if self.verified.insert(position.identity(), 0).is_some() {
                    continue;
                }
                let (placement, candidates) = self.candidates(&position);
                let turn = match candidates[..] {
                    [at] => {
                        self.by_placement.entry(placement).or_default().1 = true;
                        self.entries[at].turn
                    }
                    [] => return wrong(format!("no turn is stored for `{}`", position.fen())),
                    _ => {
                        return Err(Fault::Unchecked(
                            "some of its positions look alike".to_string(),
                        ));
                    }
                };
                if turn >= turns.len() {
                    return wrong(format!(
                        "the turn stored for `{}` is not legal",
                        position.fen()
                    ));
                }
                turns = vec![turns.swap_remove(turn)];
            }
            open.extend(turns.into_iter().map(|(_, after)| (after, !chooses)));
        }
        Ok(0)
    }
}
