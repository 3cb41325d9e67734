//! Certificates of rule texts: verified by the naive rules alone, with the digest of the text that decides the rules.
//! What was edited is refused.

use crate::proof;
use fairyproof::board::Color;
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::prove::certificate::{Entry, Header};
use fairyproof::prove::check::{check, check_rules};
use fairyproof::prove::{Certificate, Goal, Limits, Status};
use fairyproof::with_setup;
use naive::{RuleSets, Unverified};
use std::cell::Cell;

/// Texts of users, with what a text can name: parents, conditions, options, states, other rule sets.
const TEXTS: &str = "\
[calm:bachelor]
# Pawns do not check.
legalIf = kind != 'pawn' || !checks

[mine:fide-text]
options = goal: 1..9 = 2; first
state = given[side]: 0..9
state.given = owner == mover && checks ? state.given(owner) + 1 : state.given(owner)
ends = no turn: checkmate
       checks: mover wins if state.given(mover) >= option.goal
            && (!option.first || mover == white)

[problem:fide-text]
conditions = circe, home-bound

[home-bound]
condition = true
let.near(u, s) = distance(u.square, s) < 8   # everywhere on the board
activeIf = near(unit, 'a1')

[asking:fide-text]
legalIf = !under('mine').turns.exists(t, t.to == to && t.kind == 'pawn')

[late:fide-text]
ends = late: mover loses if fullmove >= 6

[hands:fide-text]
toHand = mover
drops = ['knight', 'rook'].filter(k, n == 1 && hand(side, k) > 0)

[double:fide-text]
continues = kind == 'king' ? 'may' : 'no'
stepSafety = each
";

/// Rule set, position, the side that is to win.
const QUESTIONS: [(&str, &str, Color); 14] = [
    ("society-text", "k3/4/1K2/3R w - - 0 1", Color::White),
    ("fide+circe", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", Color::White),
    (
        "fide+madrasi",
        "7k/8/5K2/8/8/8/8/6R1 w - - 0 1",
        Color::White,
    ),
    ("calm", "k6/7/1K5/7/7/6R w - - 0 1", Color::White),
    ("mine", "k3/4/4/K2R w - - 0 1", Color::White),
    ("mine:goal=1", "k3/4/4/K2R w - - 0 1", Color::White),
    (
        "mine:goal=3,first",
        "k3/4/4/K2R w - - 0 1 given=1,0",
        Color::White,
    ),
    ("mine+andernach", "k3/1p2/4/K2R w - - 0 1", Color::White),
    ("problem", "k3/4/1K2/3R w - - 0 1", Color::White),
    ("asking", "k3/4/1K2/3R w - - 0 1", Color::White),
    ("late", "k2/3/KR1 w - - 0 1", Color::White),
    ("hands", "k2/3/K1R w - - 0 1", Color::White),
    ("double", "k3/4/1K2/3R w - - 0 1", Color::White),
    ("fide-text", "1k1/3/K1B w - - 0 1", Color::White),
];

fn rule_sets(text: &str) -> RuleSets {
    RuleSets::with_definitions(definition::LIBRARY, definition::TEXTS, &[text]).expect("texts")
}

fn catalog(text: &str) -> Catalog {
    let mut catalog = Catalog::new();
    catalog.add_text("texts.ini", text).expect("texts");
    catalog
}

fn bytes(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    certificate.write(&mut bytes).expect("a vector takes it");
    bytes
}

fn certificate(id: &str, position: &str, side: Color) -> (Setup, Certificate, bool) {
    let variant = catalog(TEXTS)
        .open(id)
        .unwrap_or_else(|error| panic!("{id}: {error}"));
    let setup =
        Setup::read(&variant, Some(position)).unwrap_or_else(|error| panic!("{id}: {error}"));
    let found = with_setup!(&setup, start => proof(start, side, &Goal::Win, Limits::default()));
    let certificate = found
        .certificate
        .unwrap_or_else(|| panic!("{id} {position}"));
    (setup, certificate, found.status == Status::Proven)
}

#[test]
fn certificates_of_rule_texts_are_verified() {
    let sets = rule_sets(TEXTS);
    let mut proven = 0;
    for (id, position, side) in QUESTIONS {
        let (setup, certificate, is_proof) = certificate(id, position, side);
        proven += usize::from(is_proof);
        let own =
            with_setup!(&setup, start => check(start.game.as_ref(), &start.position, &certificate));
        assert!(own.is_ok(), "{id} {position}: {own:?}");
        let naive = check::certificate::check(&bytes(&certificate), &sets);
        assert!(naive.is_ok(), "{id} {position}: {naive:?}");
        assert!(certificate.header.rules_sha256.is_some(), "{id}");
    }
    assert!((2..QUESTIONS.len()).contains(&proven), "{proven}");
}

/// Returns why the naive rules do not verify a certificate. Without a digest, they do not check it.
fn refusal(certificate: &Certificate, sets: &RuleSets) -> Option<String> {
    match check::certificate::check(&bytes(certificate), sets) {
        Ok(_) => None,
        Err(Unverified::Wrong(why)) => Some(why),
        Err(Unverified::Unchecked(why)) => {
            assert!(certificate.header.rules_sha256.is_none(), "{why}");
            Some(why)
        }
    }
}

fn edited(certificate: &Certificate, edit: impl Fn(&mut Header, &mut Vec<Entry>)) -> Certificate {
    let entry = |at| Entry {
        key: certificate.key(at).into(),
        rank: certificate.rank(at),
        turn: certificate.turn(at) as u16,
    };
    let mut entries = (0..certificate.len()).map(entry).collect();
    let mut header = certificate.header.clone();
    edit(&mut header, &mut entries);
    Certificate::new(header, certificate.words(), entries)
}

#[test]
fn edited_certificates_of_rule_texts_are_refused() {
    let sets = rule_sets(TEXTS);
    let counts = Cell::new((0, 0));
    for (id, position, side) in QUESTIONS {
        let (setup, certificate, is_proof) = certificate(id, position, side);
        // The naive rules take long to check large certificates so often.
        if certificate.len() > 150 {
            continue;
        }
        let refused = |what: &str, always: bool, edited: Certificate| {
            let own =
                with_setup!(&setup, start => check(start.game.as_ref(), &start.position, &edited));
            let naive = refusal(&edited, &sets);
            let both = format!("{id}: {what}: {own:?} {naive:?}");
            // The second program compares no rights and states, so a position may be known to it alone.
            assert!(own.is_err() || naive.is_none(), "{both}");
            assert!(!always || own.is_err(), "{both}");
            let (by_own, by_naive) = counts.get();
            counts.set((
                by_own + u32::from(own.is_err()),
                by_naive + u32::from(naive.is_some()),
            ));
        };
        let most = certificate.len().min(4);
        for at in 0..most {
            // Another turn may do as well; both must say so.
            refused(
                "another turn",
                false,
                edited(&certificate, |_, entries| entries[at].turn ^= 1),
            );
            refused(
                "no such turn",
                true,
                edited(&certificate, |_, entries| entries[at].turn = 4000),
            );
            refused(
                "a position less",
                true,
                edited(&certificate, |_, entries| drop(entries.remove(at))),
            );
            let rank = |_: &mut Header, entries: &mut Vec<Entry>| entries[at].rank += 1;
            refused("another rank", is_proof, edited(&certificate, rank));
        }
        let other = |digest: Option<&str>| {
            let digest = digest.map(str::to_owned);
            edited(&certificate, move |header, _| {
                header.rules_sha256.clone_from(&digest)
            })
        };
        refused("another digest", true, other(Some("0123")));
        refused("no digest", true, other(None));
        if let Some(plies) = certificate.header.plies {
            refused(
                "another length",
                true,
                edited(&certificate, |header, _| header.plies = Some(plies + 1)),
            );
        }
    }
    let (by_own, by_naive) = counts.get();
    assert!(
        by_own > 60 && by_naive * 10 >= by_own * 8,
        "{by_naive} of {by_own}"
    );
}

/// Returns the header of a certificate of a rule set, and whether a changed file is refused, by both.
fn is_refused(id: &str, text: &str) -> bool {
    let (_, position, side) = QUESTIONS
        .into_iter()
        .find(|(known, ..)| *known == id)
        .expect("a question");
    let (_, certificate, _) = certificate(id, position, side);
    let variant = catalog(text)
        .open(id)
        .unwrap_or_else(|error| panic!("{id}: {error}\n{text}"));
    let own = check_rules(&certificate.header, &variant);
    let naive = refusal(&certificate, &rule_sets(text));
    assert_eq!(own.is_err(), naive.is_some(), "{id}: {own:?} {naive:?}");
    if let (Err(own), Some(naive)) = (&own, &naive) {
        for why in [&own.why, naive] {
            assert!(
                why.contains(&format!(
                    "the rules of `{id}` are not those of the certificate"
                )),
                "{why}"
            );
        }
    }
    own.is_err()
}

#[test]
fn changed_texts_are_refused_by_name() {
    for (id, from, to) in [
        ("calm", "kind != 'pawn' ||", "kind != 'queen' ||"),
        (
            "mine",
            "checks ? state.given(owner) + 1",
            "checks ? state.given(owner) + 2",
        ),
        ("mine", "goal: 1..9 = 2", "goal: 1..9 = 3"),
        ("mine+andernach", "goal: 1..9 = 2", "goal: 1..9 = 3"),
        (
            "problem",
            "conditions = circe, home-bound",
            "conditions = circe",
        ),
        (
            "problem",
            "conditions = circe, home-bound",
            "conditions = home-bound, circe",
        ),
        ("problem", "near(unit, 'a1')", "near(unit, 'b1')"),
        // A rule set that is asked by `under`.
        ("asking", "0..9\nstate", "0..8\nstate"),
    ] {
        assert!(TEXTS.contains(from), "{from}");
        assert!(is_refused(id, &TEXTS.replace(from, to)), "{id}: {to}");
    }
}

#[test]
fn comments_blanks_and_other_sections_are_not_part_of_the_digest() {
    for (id, from, to) in [
        ("calm", "# Pawns do not check.\n", ""),
        (
            "calm",
            "legalIf = kind != 'pawn' || !checks",
            "legalIf=kind!='pawn'||!checks   # a comment",
        ),
        ("calm", "|| !checks", "\n  # a comment\n\n   || !checks"),
        (
            "calm",
            "conditions = circe, home-bound",
            "conditions = circe",
        ),
        ("mine", "= 2; first", "  =   2;   first"),
        (
            "mine",
            ">= option.goal\n            && (",
            ">= option.goal && (",
        ),
        ("problem", "   # everywhere on the board", ""),
        ("problem", "let.near(u, s) =", "let.near(u,s)="),
        (
            "asking",
            "conditions = circe, home-bound",
            "conditions = circe",
        ),
    ] {
        assert!(TEXTS.contains(from), "{from}");
        assert!(!is_refused(id, &TEXTS.replacen(from, to, 1)), "{id}: {to}");
    }
}

#[test]
fn a_certificate_of_another_text_is_refused() {
    let (_, certificate, _) = certificate("mine", "k3/4/4/K2R w - - 0 1", Color::White);
    for other in ["calm", "fide-text", "fide+circe"] {
        let forged = edited(&certificate, |header, _| header.variant = other.to_owned());
        assert!(refusal(&forged, &rule_sets(TEXTS)).is_some(), "{other}");
    }
    // Without the file, nothing is known of the rule set.
    let unknown = check::certificate::check(&bytes(&certificate), &RuleSets::default());
    assert!(
        matches!(unknown, Err(Unverified::Unchecked(_))),
        "{unknown:?}"
    );
}
