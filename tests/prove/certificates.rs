//! Certificates: that the naive rules confirm them, and that no edited one is taken, even where its
//! checksum was made to fit.

use crate::proof;
use crate::random::Random;
use fairyproof::board::Color;
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, Start};
use fairyproof::prove::certificate::{Entry, Kind};
use fairyproof::prove::check::check;
use fairyproof::prove::walk::{Branches, Shape, branches, follow};
use fairyproof::prove::{Certificate, Goal, Layout, Limits, Status};
use fairyproof::with_setup;
use naive::key::{KeyForm, units_of, without_kinds};
use naive::strategy::{self, Claim};
use naive::{RuleSets, Unverified};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Rule set, position, the side that is to win: proofs and disproofs.
const QUESTIONS: [(&str, &str, Color); 9] = [
    ("fide", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", Color::White),
    ("separation", "qk/p1/2/2/1P/QK w - - 0 1", Color::Black),
    ("separation", "qk/p1/2/2/1P/QK w - - 0 1", Color::White),
    ("regent", "rq/pp/PP/QR w - - 0 1", Color::White),
    ("concurrent", "nk2/4/4/2KN w - - 0 1", Color::White),
    ("glory", "k3/p3/4/3P/3K w - - 0 1", Color::White),
    ("tyrant", "kb1/3/3/1BK w - - 0 1", Color::White),
    ("series-helpmate", "qk1/3/3/3/1KQ w - - 0 1", Color::White),
    (
        "french-revolution",
        "qk/bn/PP/pp/NB/KQ w - - 0 1 first=1",
        Color::White,
    ),
];

fn each_question(with: impl Fn(&str, &Setup, &Certificate, bool)) {
    let mut shown = BTreeSet::new();
    for (id, position, side) in QUESTIONS {
        let variant = Catalog::new().open(id).expect("a variant");
        let setup = Setup::read(&variant, Some(position)).expect("a position");
        let found = with_setup!(&setup, start => proof(start, side, &Goal::Win, Limits::default()));
        let certificate = found
            .certificate
            .unwrap_or_else(|| panic!("{id} {position}"));
        shown.insert(found.status == Status::Proven);
        with(id, &setup, &certificate, found.status == Status::Proven);
    }
    assert_eq!(shown.len(), 2, "proofs and disproofs");
}

/// Follows the stored turns with the naive rules, each found by its exact key. Returns the number of positions.
fn naively<W: Layout>(start: &Start<W>, certificate: &Certificate) -> usize {
    let header = &certificate.header;
    let game = start.game.as_ref();
    let codec = game.codec(&start.position);
    let root = RuleSets::default().read(&header.variant, Some(&header.fen));
    let claim = Claim {
        white: header.side == "white",
        goal: &header.goal,
        force: header.kind == Kind::Force,
        meets: None,
    };
    let mut seen = BTreeSet::new();
    let mut stored = |p: &naive::Position| {
        let fast = fairyproof::notation::fen::read(game.variant(), &p.fen()).expect("a FEN");
        let mut key = vec![0; codec.words()];
        with_setup!(&fast, fast => codec.encode(&fast.position, &mut key));
        let Some(at) = certificate.find(&key) else {
            return Vec::new();
        };
        seen.insert(at);
        vec![strategy::Entry {
            rank: u32::from(certificate.rank(at)),
            turn: certificate.turn(at),
        }]
    };
    let plies = strategy::follow(&root.expect("a position"), claim, u64::MAX, &mut stored);
    let said = header.plies.map_or(0, u32::from);
    assert_eq!(plies, Ok(said), "{} {}", header.variant, header.fen);
    seen.len()
}

#[test]
fn the_naive_rules_confirm_certificates() {
    each_question(|_, setup, certificate, _| {
        with_setup!(setup, start => {
            assert_eq!(naively(start, certificate), certificate.len());
        });
    });
}

/// A definition whose board is larger than that of its certificate.
const FROGS: &str = "[frogs:chess]\nmaxRank = 6\nmaxFile = 6\nqueen = -\nbishop = -\ncustomPiece1 = f:WgQ\n\
    startFen = rnfknr/pppppp/6/6/PPPPPP/RNFKNR w - - 0 1\npromotionPieceTypes = rnf\n\
    promotionRegionWhite = *6\npromotionRegionBlack = *1\ndoubleStep = false\ncastling = false\n\
    stalemateValue = loss\n[small-atomic:atomic]\nstalemateValue = loss\n";

/// Known variants, their children and definitions on smaller boards are read by the naive rules.
#[test]
fn certificates_about_definitions_and_smaller_boards_are_verified() {
    let mut catalog = Catalog::new();
    catalog.add_text("own", FROGS).expect("definitions");
    let rule_sets = RuleSets::with_definitions(definition::LIBRARY, definition::TEXTS, &[FROGS])
        .expect("definitions");
    for (id, position) in [
        ("frogs", "k3/4/1K2/3R w - - 0 1"),
        ("atomic", "k2/1p1/3/K1R w - - 0 1"),
        ("small-atomic", "k2/1p1/3/K1R w - - 0 1"),
        ("crazyhouse", "k2/3/1K1/2R[] w - - 0 1"),
        ("crazyhouse", "k2/3/K2/3[R] w - - 0 1"),
        ("kingofthehill", "k3/4/4/K3 w - - 0 1"),
        ("spartan-fsf", "k6k/8/8/8/8/8/R7/1R2K3 w - - 0 1"),
        ("xiangqi", "1k3/5/5/4R/R4/3K1 w - - 0 1"),
        ("shogi", "k4/5/1K3/5/5[G] w - - 0 1"),
        ("breakthrough", "3/1P1/1p1/3 w - - 0 1"),
    ] {
        let variant = catalog.open(id).expect("a variant");
        let setup = Setup::read(&variant, Some(position)).expect(position);
        let found =
            with_setup!(&setup, start => proof(start, Color::White, &Goal::Win, Limits::default()));
        let certificate = found
            .certificate
            .unwrap_or_else(|| panic!("{id} {position}"));
        let mut bytes = Vec::new();
        certificate.write(&mut bytes).expect("a vector takes it");
        let checked = check::certificate::check(&bytes, &rule_sets);
        assert!(checked.is_ok(), "{id} {position}: {checked:?}");
    }
}

/// The naive crate decodes keys by themselves: in one form all keys of a certificate have the units that their
/// positions have.
#[test]
fn keys_are_decoded_without_their_codec() {
    each_question(|id, setup, certificate, _| {
        let root = RuleSets::default().read(id, Some(&certificate.header.fen));
        let key_bits = certificate.header.key_bits as usize;
        let forms = KeyForm::all(key_bits, &root.expect("a position"));
        with_setup!(setup, start => {
            let game = start.game.as_ref();
            let codec = game.codec(&start.position);
            let fits = |form: &&KeyForm| (0..certificate.len()).all(|at| {
                let key = certificate.key(at);
                let fen = fairyproof::notation::fen::print(game, &codec.decode(key));
                let position = RuleSets::default().read(id, Some(&fen)).expect("a position");
                without_kinds(&form.units(key)) == without_kinds(&units_of(&position))
            });
            assert_eq!(forms.iter().filter(fits).count(), 1, "{id}");
        });
    });
}

fn entries(certificate: &Certificate) -> Vec<Entry> {
    let entry = |at| Entry {
        key: certificate.key(at).into(),
        rank: certificate.rank(at),
        turn: certificate.turn(at) as u16,
    };
    (0..certificate.len()).map(entry).collect()
}

#[test]
fn edited_certificates_are_refused_though_their_checksum_fits() {
    each_question(|id, setup, certificate, proven| {
        let plain = entries(certificate);
        let counts = Cell::new((0, 0));
        let refused = |entries: Vec<Entry>| {
            let edited = Certificate::new(certificate.header.clone(), certificate.words(), entries);
            let mut bytes = Vec::new();
            edited.write(&mut bytes).expect("a vector takes it");
            let naive = check::certificate::check(&bytes, &RuleSets::default());
            let refused_naively = matches!(naive, Err(Unverified::Wrong(_)));
            // The checksum fits, but two positions may have become the same.
            let Ok(read) = Certificate::read(&mut bytes.as_slice(), u64::MAX) else {
                assert!(refused_naively, "{id}: equal positions");
                return true;
            };
            let refused =
                with_setup!(setup, start => check(start.game.as_ref(), &start.position, &read))
                    .is_err();
            // The second program compares no rights and states, so a position may be known to it alone.
            assert!(refused || naive.is_ok(), "{id}: {naive:?}");
            counts.set((
                counts.get().0 + u32::from(refused),
                counts.get().1 + u32::from(refused_naively),
            ));
            refused
        };
        assert!(!refused(plain.clone()), "{id}: unedited");
        let mut random = Random(7);
        let mut others = 0;
        for _ in 0..40 {
            let at = random.below(plain.len());
            let mut dropped = plain.clone();
            dropped.remove(at);
            assert!(refused(dropped), "{id}: dropped {at}");

            for rank in [
                plain[at].rank.wrapping_add(1),
                plain[at].rank ^ 0x8000,
                u16::MAX,
            ] {
                let mut raised = plain.clone();
                raised[at].rank = rank;
                // The checker counts nothing in lines that never end.
                assert!(!proven || refused(raised), "{id}: rank of {at}");
            }
            let mut beyond = plain.clone();
            beyond[at].turn = u16::MAX;
            assert!(refused(beyond), "{id}: no such turn at {at}");

            let mut key = plain.clone();
            key[at].key[0] ^= 1 << random.below(20);
            assert!(refused(key), "{id}: another key at {at}");

            // Another turn may do as well, if all positions behind it are there: then the naive
            // rules must say so, too.
            let mut turned = plain.clone();
            turned[at].turn ^= 1;
            if refused(turned.clone()) {
                others += 1;
            } else {
                let edited =
                    Certificate::new(certificate.header.clone(), certificate.words(), turned);
                with_setup!(setup, start => naively(start, &edited));
            }
        }
        assert!(others > 0, "{id}: no exchanged turn was refused");
        let mut more = plain.clone();
        let mut foreign = plain[0].clone();
        foreign.key[0] ^= 0x5550;
        more.push(foreign);
        assert!(refused(more), "{id}: a position more");
        let (refused, refused_naively) = counts.get();
        assert!(
            refused_naively * 10 >= refused * 8,
            "{id}: {refused_naively} of {refused}"
        );
    });
}

#[test]
fn a_header_that_claims_something_else_is_refused() {
    each_question(|id, setup, certificate, proven| {
        with_setup!(setup, start => {
            let mut claims = Vec::new();
            let mut claim = |edit: &dyn Fn(&mut fairyproof::prove::certificate::Header)| {
                let mut header = certificate.header.clone();
                edit(&mut header);
                claims.push(Certificate::new(header, certificate.words(), entries(certificate)));
            };
            claim(&|h| h.plies = h.plies.map_or(Some(9), |plies| Some(plies + 1)));
            claim(&|h| h.side = if h.side == "white" { "black" } else { "white" }.into());
            claim(&|h| h.side = "green".into());
            claim(&|h| h.goal = "no-such-goal".into());
            claim(&|h| h.key_bits += 1);
            claim(&|h| h.fen = "8/8/8/8/8/8/8/8 w - - 0 1".into());
            claim(&|h| h.variant = "moderation".into());
            claim(&|h| {
                (h.kind, h.plies) = match h.kind {
                    Kind::Force => (Kind::Avoid, None),
                    Kind::Avoid | Kind::Refute => (Kind::Force, Some(5)),
                };
            });
            for claim in claims {
                let name = format!("{id} {proven} {:?}", claim.header);
                assert!(check(start.game.as_ref(), &start.position, &claim).is_err(), "{name}");
            }
        });
    });
}

#[test]
fn every_answer_is_found_by_walking() {
    let variant = Catalog::new().open("fide").expect("the base");
    let setup = Setup::read(&variant, Some(QUESTIONS[0].1)).expect("a position");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let found = proof(start, Color::White, &Goal::Win, Limits::default());
        let certificate = found.certificate.expect("a proof");
        let mut played: Vec<String> = Vec::new();
        let mut plies = found.plies.expect("a length");
        loop {
            let walk = follow(game, &start.position, &certificate, &played).expect("a walk");
            let left = walk.plies.expect("plies");
            assert!(left < plies, "{left} after {plies}");
            plies = left;
            if !walk.outcome.is_ongoing() {
                assert_eq!(walk.outcome.to_string(), "white-wins checkmate");
                assert_eq!(plies, 0);
                break;
            }
            let (turn, answer, _) = walk.answers.last().expect("an answer").clone();
            assert!(answer.is_some());
            played.push(turn);
        }
        let wrong = follow(game, &start.position, &certificate, &["a1a8".to_string()]);
        assert!(wrong.is_err());
        // To its whole depth the tree holds each mate, and no line is cut.
        let depth = u32::from(found.plies.expect("a length"));
        let shape = |shape, depth| Branches { shape, depth };
        let text = branches(game, &start.position, &certificate, &shape(Shape::Text, depth));
        let text = text.expect("a tree");
        assert!(text.contains("white-wins checkmate"), "{text}");
        assert!(text.lines().all(|line| !line.ends_with(" ...")), "{text}");
        let cut = branches(game, &start.position, &certificate, &shape(Shape::Text, 1));
        assert_eq!(cut.expect("a tree").lines().count(), 1);
        let dot = branches(game, &start.position, &certificate, &shape(Shape::Dot, depth));
        let dot = dot.expect("a graph");
        assert_eq!(dot.matches("shape=box").count(), certificate.len());
    });
}
