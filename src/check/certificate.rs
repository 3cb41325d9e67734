//! Checks certificates of `prove` by following their turns under the naive rules.

use crate::document::Read;
use certificate::{Certificate, Header, Kind};
use naive::strategy::{self, Entry, Statement};
use naive::{RuleSets, Unverified, ensure, unchecked, wrong};
use sha2::{Digest, Sha256};

/// The fields of a header, each with what it is compared with.
pub(crate) const FIELDS: [(&str, &str); 11] = [
    ("format", "the version that is read"),
    ("variant", "the rules by which the turns are followed"),
    (
        "rules_sha256",
        "the digest of the text that decides the rules",
    ),
    ("fen", "the position in which the turns begin"),
    ("side", "the side whose goal is forced or avoided"),
    (
        "goal",
        "what the games that the turns lead to reach, or never reach",
    ),
    (
        "kind",
        "whether the goal is forced or avoided; refutations are not checked",
    ),
    ("plies", "the length of the longest line"),
    ("positions", "the number of stored turns"),
    ("key_bits", "the keys, decoded"),
    ("blocks", "the lengths of the blocks"),
];

/// Returns the fields of a header that no list has.
fn unknown_fields(bytes: &[u8]) -> Option<String> {
    let length = bytes.get(8..12)?.try_into().ok()?;
    let header = bytes.get(12..12 + u32::from_le_bytes(length) as usize)?;
    let Read(header) = serde_json::from_slice(header).ok()?;
    let unknown = header
        .names()
        .filter(|name| !FIELDS.iter().any(|(field, _)| field == name));
    unknown
        .map(str::to_string)
        .reduce(|all, name| format!("{all}, {name}"))
}

/// Checks a certificate. Returns its header.
///
/// # Errors
/// If the certificate is wrong, or cannot be checked, with the reason.
pub fn check(mut bytes: &[u8], rule_sets: &RuleSets) -> Result<Header, Unverified> {
    let unknown = unknown_fields(bytes);
    let stored = Certificate::read(&mut bytes, u64::MAX).or_else(|error| wrong(error.why))?;
    if let Some(unknown) = unknown {
        return unchecked(format!("its header has the fields {unknown}"));
    }
    let header = &stored.header;
    if header.kind == Kind::Refute {
        return unchecked("its kind is `refute`");
    }
    check_rules(header, rule_sets)?;
    let statement = Statement {
        variant: &header.variant,
        fen: &header.fen,
        side: &header.side,
        goal: &header.goal,
        force: header.kind == Kind::Force,
        plies: header.plies.map(u32::from),
        key_bits: header.key_bits as usize,
    };
    let entry = |at| {
        let rank = u32::from(stored.rank(at));
        let turn = stored.turn(at);
        (stored.key(at), Entry { rank, turn })
    };
    let entries: Vec<_> = (0..stored.len()).map(entry).collect();
    strategy::check(rule_sets, &statement, &entries)?;
    Ok(stored.header)
}

/// Checks that the text that decides the rules is that of the certificate.
fn check_rules(header: &Header, rule_sets: &RuleSets) -> Result<(), Unverified> {
    let (variant, stored) = (&header.variant, header.rules_sha256.as_deref());
    // Without rules, the certificate cannot be checked, whatever its digest is.
    rule_sets.read(variant, Some(&header.fen))?;
    let own = rule_sets.rules_text(variant)?;
    let own = own.map(|text| format!("{:x}", Sha256::digest(text)));
    if stored.is_none() && own.is_some() {
        return unchecked("it has no digest of the text that decides the rules");
    }
    ensure(stored == own.as_deref(), || {
        let text = |digest: Option<&str>| digest.unwrap_or("missing").to_owned();
        format!(
            "the rules of `{variant}` are not those of the certificate: the digest of their text is {}, in the \
             certificate {}",
            text(own.as_deref()),
            text(stored)
        )
    })
}
