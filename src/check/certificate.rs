//! Checks certificates of `prove` by following their turns under the naive rules.

use certificate::{Certificate, Header, Kind};
use naive::strategy::{self, Entry, Statement};
use naive::{RuleSets, Unverified, ensure, unchecked, wrong};
use sha2::{Digest, Sha256};

/// Checks a certificate. Returns its header.
///
/// # Errors
/// If the certificate is wrong, or cannot be checked, with the reason.
pub fn check(mut bytes: &[u8], rule_sets: &RuleSets) -> Result<Header, Unverified> {
    let stored = Certificate::read(&mut bytes, u64::MAX).or_else(|error| wrong(error.why))?;
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
