//! Certificates of `prove`, read and checked by an independent reader.
//!
//! A certificate stores positions as keys. Only their side to move and the squares of each side are decoded, so
//! several positions may look alike; then each stored turn is tried. This is sound: what is verified is that a
//! strategy exists whose ranks fall, whichever entries it uses.

use crate::Fault;
use naive::{Position, RuleSets};
use serde_json::Value;
use std::collections::HashMap;

/// Side to move, White's squares and Black's.
type Placement = (bool, u128, u128);

/// What the header of a certificate says.
pub struct Header {
    pub variant: String,
    pub fen: String,
    pub side: String,
    pub goal: String,
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

fn wrong<T>(why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Wrong(why.into()))
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

/// Returns the squares of White's and Black's units, and the number of squares of the rectangle.
fn squares_of(fen: &str) -> (u128, u128, usize) {
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    let (mut white, mut black, mut at) = (0, 0, 0);
    for row in board.rsplit('/') {
        let mut run = 0;
        for c in row.chars().chain(['/']) {
            if let Some(digit) = c.to_digit(10) {
                run = run * 10 + digit as usize;
                continue;
            }
            at += std::mem::take(&mut run);
            match c {
                _ if at >= 128 => {}
                'A'..='Z' => white |= 1 << at,
                'a'..='z' => black |= 1 << at,
                _ => {}
            }
            at += usize::from(c.is_ascii_alphabetic() || c == '*');
        }
    }
    (white, black, at)
}

fn placement(position: &Position) -> Placement {
    let (white, black, _) = squares_of(&position.fen());
    (position.is_white(), white, black)
}

impl KeyForm {
    /// Returns the forms that keys of this width can have.
    fn all(header: &Header) -> Vec<KeyForm> {
        let (white, black, squares) = squares_of(&header.fen);
        let square_bits = (squares.max(1) - 1).checked_ilog2().map_or(0, |n| n + 1) as usize;
        let units = (white | black).count_ones() as usize;
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

    fn placement(&self, key: &[u64]) -> Placement {
        let bit = |at: usize| {
            key.get(at / 64)
                .is_some_and(|word| word >> (at % 64) & 1 == 1)
        };
        let number =
            |at: usize, bits: usize| (0..bits).fold(0, |n, i| n | usize::from(bit(at + i)) << i);
        let (mut white, mut black) = (0, 0);
        let mut put = |square: usize, is_white: bool| {
            let side = if is_white { &mut white } else { &mut black };
            *side |= 1_u128.checked_shl(square as u32).unwrap_or(0);
        };
        let kind_bits = self.unit_bits - 1;
        match self.listed {
            Some(units) => {
                for at in (0..units).map(|n| self.start + n * (self.square_bits + self.unit_bits)) {
                    if number(at, kind_bits) > 0 {
                        put(
                            number(at + self.unit_bits, self.square_bits),
                            bit(at + kind_bits),
                        );
                    }
                }
            }
            None => {
                let plane = |n: usize, square: usize| bit(self.start + n * self.squares + square);
                for square in 0..self.squares {
                    if (1..=kind_bits).any(|n| plane(n, square)) {
                        put(square, plane(0, square));
                    }
                }
            }
        }
        (!bit(0), white, black)
    }
}

struct Checker<'c> {
    header: &'c Header,
    entries: &'c [Entry],
    /// The entries by what is decoded of their keys, and whether a strategy has used one.
    by_placement: HashMap<Placement, (Vec<usize>, bool)>,
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
    let root = match rule_sets.read(&header.variant, Some(&header.fen)) {
        Ok(root) => root,
        Err(_) if !rule_sets.knows(&header.variant) => {
            let why = format!(
                "the naive rules do not have `{}`; give its definition with --rules",
                header.variant
            );
            return Err(Fault::Unchecked(why));
        }
        Err(why) => return wrong(format!("its position is not legal: {why}")),
    };
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
        let mut by_placement: HashMap<Placement, (Vec<usize>, bool)> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_placement
                .entry(form.placement(&entry.key))
                .or_default()
                .0
                .push(at);
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

    /// Returns the rank of a position of the side that chooses.
    fn chosen(&mut self, position: &Position, below: u32) -> Result<u32, Fault> {
        let identity = position.identity();
        if let Some(&rank) = self.verified.get(&identity).filter(|&&rank| rank < below) {
            return Ok(rank);
        }
        self.spend()?;
        let placement = placement(position);
        let candidates = self
            .by_placement
            .get(&placement)
            .map(|(all, _)| all.clone());
        let mut fault = Fault::Wrong(format!("no turn is stored for `{}`", position.fen()));
        let turns = position.turns();
        for at in candidates.into_iter().flatten() {
            let Entry { rank, turn, .. } = self.entries[at];
            match self.tried(&turns, turn, rank) {
                Ok(plies) if plies == rank && rank < below => {
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
                let stored = self.by_placement.get_mut(&placement(&position));
                let turn = match stored {
                    Some((all, used)) if all.len() == 1 => {
                        *used = true;
                        self.entries[all[0]].turn
                    }
                    Some(_) => {
                        return Err(Fault::Unchecked(
                            "some of its positions look alike".to_string(),
                        ));
                    }
                    None => return wrong(format!("no turn is stored for `{}`", position.fen())),
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
