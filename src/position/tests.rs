//! Unit tests of positions and keys, against a plain list of units.

use super::*;
use board::{Color, Kind, Square, Squares};
use control::Random;
use std::collections::BTreeMap;

type Units = BTreeMap<u8, (Color, Kind)>;

/// Returns the number of kinds of the layout.
fn kinds<W: Layout>() -> usize {
    <W::Kinds as KindSets<W::Set>>::COUNT.min(Kind::MAX)
}

fn assert_holds<W: Layout>(p: &Position<W>, units: &Units) {
    for square in (0..W::Set::CAPACITY as u8).map(Square) {
        assert_eq!(p.unit(square), units.get(&square.0).copied(), "{square:?}");
    }
    for kind in Kind::first(kinds::<W>()) {
        let squares = units.iter().filter(|(_, (_, other))| *other == kind);
        let squares = squares.map(|(square, _)| Square(*square));
        assert_eq!(p.kind(kind), squares.fold(W::Set::EMPTY, W::Set::with));
    }
}

/// Places, moves and removes units at random, and compares the position with a list after each change.
fn compare_changes<W: Layout>() {
    let mut random = Random(W::Set::CAPACITY as u64);
    let (mut p, mut units) = (Position::<W>::empty(), Units::new());
    for _ in 0..600 {
        let square = Square(random.below(W::Set::CAPACITY) as u8);
        let other = Square(random.below(W::Set::CAPACITY) as u8);
        match units.get(&square.0).copied() {
            None => {
                let color = Color::BOTH[random.below(2)];
                let kind = Kind::from_index(random.below(kinds::<W>()));
                p.put(color, kind, square);
                units.insert(square.0, (color, kind));
            }
            Some((color, kind)) if !units.contains_key(&other.0) => {
                p.shift(color, kind, square, other);
                units.remove(&square.0);
                units.insert(other.0, (color, kind));
            }
            Some((color, kind)) if random.below(2) == 0 => {
                p.take(color, kind, square);
                units.remove(&square.0);
            }
            Some(_) => {
                p.clear(square);
                units.remove(&square.0);
            }
        }
        assert_holds(&p, &units);
    }
}

#[test]
fn changes_of_units_are_those_of_a_list() {
    compare_changes::<Narrow>();
    compare_changes::<NarrowBound>();
    compare_changes::<Open>();
    compare_changes::<Wide>();
}

/// Returns a random position that a plan can encode.
fn random_position<W: Layout>(plan: &KeyPlan, kinds: usize, random: &mut Random) -> Position<W> {
    let mut p = Position::<W>::empty();
    for _ in 0..random.below(plan.units + 1) {
        let square = Square(random.below(plan.squares) as u8);
        let kind = Kind::from_index(random.below(kinds));
        let color = Color::BOTH[random.below(2)];
        if p.unit(square).is_none() {
            p.put(color, kind, square);
        }
    }
    p.side = Color::BOTH[random.below(2)];
    if plan.rights {
        p.rights = Rights(random.below(16) as u8);
    }
    if plan.en_passant && random.below(2) == 0 {
        p.set_en_passant(Some(Square(random.below(plan.squares) as u8)));
    }
    for n in 0..plan.state_bits.div_ceil(64) {
        let bits = (plan.state_bits - 64 * n).min(64);
        let number = random.below(1 << bits.min(16)) as u64;
        // Test the highest bits of a word as well as the lowest.
        p.set_state_word(n as usize, number | number << (bits - bits.min(16)));
    }
    let (rank, kinds) = (random.below(plan.squares), kinds.min(6));
    for _ in 0..random.below(plan.bound + 1) {
        let unit = BoundUnit {
            square: Square(((rank + random.below(3)) % plan.squares) as u8),
            color: Color::BOTH[random.below(2)],
            kind: Kind::from_index(random.below(kinds)),
        };
        assert!(p.bound.insert(unit));
    }
    p
}

/// Checks that keys decode to their positions, and that different positions have different keys.
fn compare_keys<W: Layout>(plan: KeyPlan, kinds: usize) {
    let codec = Codec::new(plan);
    let words = codec.words();
    assert!(words <= KEY_WORDS && codec.bits().div_ceil(64) as usize == words);
    let mut random = Random(plan.squares as u64 + plan.units as u64);
    let mut seen: BTreeMap<Vec<u64>, Position<W>> = BTreeMap::new();
    for _ in 0..400 {
        let p = random_position::<W>(&plan, kinds, &mut random);
        let mut key = [0; KEY_WORDS];
        codec.encode(&p, &mut key);
        assert_eq!(codec.decode::<W>(&key[..words]), p, "{plan:?}");
        if let Some(other) = seen.insert(key[..words].to_vec(), p) {
            assert_eq!(other, p, "{plan:?}");
        }
    }
    assert!(seen.len() > 100, "{plan:?}");
}

#[test]
fn keys_are_read_back_and_are_unique() {
    let full = KeyPlan {
        squares: 64,
        kind_bits: 3,
        units: 32,
        rights: true,
        en_passant: true,
        state_bits: 11,
        bound: 0,
    };
    let few = KeyPlan {
        units: 4,
        state_bits: 0,
        ..full
    };
    compare_keys::<Narrow>(full, 6);
    compare_keys::<Narrow>(few, 6);
    compare_keys::<Narrow>(
        KeyPlan {
            squares: 12,
            units: 12,
            rights: false,
            ..full
        },
        6,
    );
    compare_keys::<NarrowBound>(
        KeyPlan {
            squares: 42,
            units: 20,
            bound: 9,
            ..full
        },
        6,
    );
    compare_keys::<Open>(
        KeyPlan {
            kind_bits: 6,
            ..full
        },
        63,
    );
    compare_keys::<Open>(
        KeyPlan {
            kind_bits: 6,
            ..few
        },
        63,
    );
    for state_bits in [11, 64, 65, 200, 256, 257, 512] {
        compare_keys::<Wide>(
            KeyPlan {
                squares: 128,
                units: 60,
                state_bits,
                ..full
            },
            6,
        );
    }
    compare_keys::<Wide>(
        KeyPlan {
            squares: 120,
            bound: 5,
            ..few
        },
        6,
    );
}

#[test]
fn bound_units_are_sorted_and_limited() {
    let unit = |square, color, kind| BoundUnit {
        square: Square(square),
        color,
        kind,
    };
    let mut piles = Piles::<3>::default();
    assert!(piles.insert(unit(9, Color::Black, Kind::Rook)));
    assert!(piles.insert(unit(4, Color::White, Kind::Pawn)));
    assert!(piles.insert(unit(9, Color::White, Kind::King)));
    assert!(
        !piles.insert(unit(1, Color::White, Kind::Pawn)),
        "it is full"
    );
    let all: Vec<(u8, Color)> = piles
        .units()
        .map(|unit| (unit.square.0, unit.color))
        .collect();
    assert_eq!(
        all,
        [(4, Color::White), (9, Color::White), (9, Color::Black)]
    );
    assert!(!piles.remove(unit(4, Color::Black, Kind::Pawn)));
    assert!(piles.remove(unit(4, Color::White, Kind::Pawn)));
    assert_eq!(piles.codes().len(), 2);
    assert!(!().insert(unit(1, Color::White, Kind::Pawn)));
}

#[test]
fn rights_have_a_bit_for_each_side_and_wing() {
    let mut all = Rights(0);
    for color in Color::BOTH {
        for higher in [true, false] {
            let right = Rights::bit(color, higher);
            assert!(!all.has(right));
            all = Rights(all.0 | right.0);
        }
    }
    assert_eq!(all, Rights(15));
    let mut p = Position::<Narrow>::empty();
    p.rights = all
        .without(Rights::bit(Color::White, true))
        .without(Rights::bit(Color::White, false));
    assert!(!p.may_castle(Color::White) && p.may_castle(Color::Black));
}

#[test]
fn clocks_do_not_matter_for_equality() {
    let mut p = Position::<Narrow>::empty();
    let q = p;
    (p.halfmove, p.fullmove) = (7, 9);
    assert_eq!(p, q);
    p.state = 1;
    assert_ne!(p, q);
}
