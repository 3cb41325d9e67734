//! Certificates of `prove`: their turns are followed by the naive rules.

use certificate::{Certificate, Header, Kind};
use naive::strategy::{self, Claim, Entry};
use naive::{RuleSets, Unverified, ensure, unchecked, wrong};

/// Checks a certificate. Returns its header.
///
/// # Errors
/// What is wrong with it, or why it cannot be checked.
pub fn check(mut bytes: &[u8], rule_sets: &RuleSets) -> Result<Header, Unverified> {
    let stored = Certificate::read(&mut bytes, u64::MAX).or_else(|error| wrong(error.why))?;
    let header = &stored.header;
    if header.kind == Kind::Refute {
        return unchecked("its kind is `refute`");
    }
    let (force, white) = (header.kind == Kind::Force, header.side == "white");
    ensure(
        (white || header.side == "black") && force == header.plies.is_some(),
        || "its header contradicts itself or is not known",
    )?;
    let root = rule_sets.position(&header.variant, &header.fen)?;
    let goal = &header.goal;
    if goal.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        return unchecked("its goal is an expression");
    }
    ensure(
        root.fen() == header.fen && root.outcome() == "ongoing",
        || "its position is not written as printed, or the game is over there",
    )?;
    let entry = |at| {
        let rank = u32::from(stored.rank(at));
        let turn = stored.turn(at);
        (stored.key(at), Entry { rank, turn })
    };
    let entries: Vec<_> = (0..stored.len()).map(entry).collect();
    let claim = Claim { white, goal, force };
    let (plies, key_bits) = (header.plies.map(u32::from), header.key_bits as usize);
    strategy::check(&root, claim, plies, key_bits, &entries)?;
    Ok(stored.header)
}
