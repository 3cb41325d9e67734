//! Unit tests of turns, variants with options, and the baseline on a few positions.

use super::*;
use board::{Color, Geometry, Kind, Square};
use position::{KEY_WORDS, Narrow, Position, Rights};
use std::collections::BTreeSet;
use std::sync::Arc;

#[test]
fn steps_keep_what_they_are_made_of() {
    let mut codes = BTreeSet::from([Step::NONE.code()]);
    for &action in &Action::ALL[1..] {
        for kind in [0, 1, 5, 6, 62].map(Kind::from_index) {
            for (from, to) in [(0, 1), (127, 0), (63, 64)] {
                let step = Step::new(action, kind, Square(from), Square(to));
                assert_eq!((step.action(), step.kind()), (action, kind));
                assert_eq!((step.from, step.to), (Square(from), Square(to)));
                assert_eq!((step.becomes(), step.result()), (None, kind));
                assert!(codes.insert(step.code()));
                for into in [0, 4, 62].map(Kind::from_index) {
                    let promoted = step.becoming(into);
                    assert_eq!((promoted.action(), promoted.kind()), (action, kind));
                    assert_eq!(promoted.becomes(), Some(into));
                    assert_eq!(promoted.becoming(kind).result(), kind);
                    assert!(codes.insert(promoted.code()));
                }
            }
        }
    }
}

#[test]
fn turns_are_ordered_by_their_steps() {
    let step = |from, to| Step::go(Kind::Rook, Square(from), Square(to));
    let single = Turn::of(step(3, 4));
    let double = Turn::two(step(3, 4), step(1, 2));
    assert!(single < double && double < Turn::of(step(3, 5)));
    assert_eq!(single.steps().count(), 1);
    assert_eq!(double.steps().count(), 2);
    assert!(Step::NONE.is_none() && !single.first().is_none());
}

static WITH_OPTIONS: VariantInfo = VariantInfo {
    id: "test",
    options: &[
        VariantOption {
            name: "moves",
            purpose: OptionPurpose::Play,
            range: Some((1, 60)),
            help: "a number",
        },
        VariantOption {
            name: "flag",
            purpose: OptionPurpose::Play,
            range: None,
            help: "a flag",
        },
    ],
    ..VariantInfo::FIDE
};

#[test]
fn options_are_read_in_the_order_of_the_variant() {
    let variant = Variant::new(&WITH_OPTIONS, Some("flag,moves=7")).expect("options");
    assert_eq!(variant.to_string(), "test:moves=7,flag");
    assert_eq!(
        (variant.number("moves"), variant.has("flag")),
        (Some(7), true)
    );
    assert_eq!(variant.identity(), variant.to_string());
    let plain = Variant::from(&WITH_OPTIONS);
    assert_ne!(plain, variant);
    assert_eq!(plain.rule_set, variant.rule_set);
}

#[test]
fn wrong_options_say_what_would_be_right() {
    for (options, why, help) in [
        ("mvoes=3", "has no option `mvoes`", "did you mean `moves`?"),
        ("moves=0", "a whole number from 1 to 60", "test:moves=60"),
        ("moves=61", "a whole number from 1 to 60", "test:moves=60"),
        ("moves=+3", "a whole number from 1 to 60", "test:moves=60"),
        ("moves", "a whole number from 1 to 60", "test:moves=60"),
        (
            "moves=3+circe",
            "conditions come before options",
            "`test+circe:moves=3`",
        ),
        ("flag=1", "takes no value", ""),
        ("flag,flag", "given twice", ""),
        ("", "has no option ``", "its options: moves, flag"),
    ] {
        let error = Variant::new(&WITH_OPTIONS, Some(options)).expect_err(options);
        assert!(error.to_string().contains(why), "{options}: {error}");
        assert!(error.help.unwrap_or_default().contains(help), "{options}");
    }
}

/// Returns orthodox chess on its board, with the start position.
fn orthodox() -> (Arc<dyn Game<Narrow>>, Position<Narrow>) {
    static INFO: VariantInfo = VariantInfo::FIDE;
    let geometry = Geometry::new(8, 8, 0, false).expect("a board");
    let any = Variant::from(&INFO).on(geometry).expect("a board");
    let game = any.get().expect("the board has 64 squares");
    let mut p = Position::empty();
    let pieces = [
        Kind::Rook,
        Kind::Knight,
        Kind::Bishop,
        Kind::Queen,
        Kind::King,
        Kind::Bishop,
        Kind::Knight,
        Kind::Rook,
    ];
    for (file, kind) in pieces.into_iter().enumerate() {
        for (color, rank, pawns) in [(Color::White, 0, 1), (Color::Black, 7, 6)] {
            p.put(color, kind, geometry.square(file as u8, rank));
            p.put(color, Kind::Pawn, geometry.square(file as u8, pawns));
        }
    }
    p.rights = Rights(15);
    (Arc::clone(game), p)
}

#[test]
fn start_position_has_its_known_number_of_lines() {
    let (game, p) = orthodox();
    for (depth, lines) in [(0, 1), (1, 20), (2, 400), (3, 8902)] {
        assert_eq!(game.perft(&p, depth), lines);
    }
}

/// Calls `check` for the positions of a few random games.
fn each_position(check: impl Fn(&dyn Game<Narrow>, &Position<Narrow>, &[Turn])) {
    let (game, start) = orthodox();
    let mut seed = 1u64;
    for _ in 0..20 {
        let mut p = start;
        for _ in 0..80 {
            let mut turns = Vec::new();
            game.turns(&p, &mut turns);
            check(game.as_ref(), &p, &turns);
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            match turns.len() {
                0 => break,
                n => p = game.play(&p, &turns[(seed >> 33) as usize % n]),
            }
        }
    }
}

#[test]
fn counts_and_successors_are_those_of_the_listed_turns() {
    each_position(|game, p, turns| {
        assert_eq!(game.count(p), turns.len() as u64);
        assert_eq!(game.has_turn(p), !turns.is_empty());
        let codec = game.codec(p);
        let mut keys = Vec::new();
        assert_eq!(game.successors(p, &codec, &mut keys) as usize, turns.len());
        for (turn, key) in turns.iter().zip(keys.chunks(codec.words())) {
            let after = game.play(p, turn);
            let mut expected = [0; KEY_WORDS];
            codec.encode(&after, &mut expected);
            assert_eq!(key, &expected[..codec.words()]);
            assert!(!game.in_check(&after, p.side));
            assert_eq!(after.side, !p.side);
        }
    });
}

#[test]
fn checkmates_are_the_turns_that_end_the_game() {
    each_position(|game, p, turns| {
        let mates = |turn: &&Turn| {
            let outcome = game.outcome(&game.play(p, turn));
            outcome.reason() == Some(reason::CHECKMATE)
        };
        let mut found = Vec::new();
        game.checkmates(p, &mut found, false);
        let found: BTreeSet<Turn> = found.into_iter().collect();
        assert_eq!(found, turns.iter().filter(mates).copied().collect());
    });
}
