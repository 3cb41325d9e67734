//! Unit tests of boards: each table against plain walking on coordinates.

use super::*;
use control::Random;

/// Returns a random word in which about one bit in four is set.
fn sparse(random: &mut Random) -> u128 {
    let mut word = || u128::from(random.number()) << 64 | u128::from(random.number());
    word() & word()
}

const SIZES: [(u8, u8); 8] = [
    (8, 8),
    (7, 6),
    (5, 9),
    (3, 2),
    (1, 4),
    (12, 10),
    (16, 8),
    (9, 13),
];

/// Returns boards of many sizes, with holes and without.
fn geometries(wraps: bool) -> Vec<Geometry> {
    let mut random = Random(7);
    let mut all = Vec::new();
    for (files, ranks) in SIZES {
        for holes in [0, sparse(&mut random) & sparse(&mut random)] {
            all.extend(Geometry::new(files, ranks, holes, wraps));
        }
    }
    assert_eq!(all.len(), 2 * SIZES.len());
    all
}

fn squares(g: Geometry) -> impl Iterator<Item = Square> {
    (0..g.len() as u8).map(Square).filter(move |&s| g.exists(s))
}

/// Returns the squares that a slider reaches in one direction: at most `range`, up to the first unit.
fn walked(g: Geometry, from: Square, (dx, dy): (i32, i32), range: u32, occupied: u128) -> u128 {
    let (mut seen, mut at) = (0, from);
    for _ in 0..range {
        match g.step(at, dx, dy) {
            Some(to) if to != from => at = to,
            _ => break,
        }
        seen |= 1 << at.0;
        if occupied >> at.0 & 1 == 1 {
            break;
        }
    }
    seen
}

#[test]
fn steps_end_at_edges_and_holes_and_wrap_on_cylinders() {
    for wraps in [false, true] {
        for g in geometries(wraps) {
            let (files, ranks) = (i32::from(g.files()), i32::from(g.ranks()));
            for from in squares(g) {
                for (dx, dy) in DIRECTIONS.into_iter().chain(KNIGHT_LEAPS) {
                    let (mut x, y) = (
                        i32::from(from.0) % files + dx,
                        i32::from(from.0) / files + dy,
                    );
                    if wraps {
                        x = (x + files + files) % files;
                    }
                    let inside = (0..files).contains(&x) && (0..ranks).contains(&y);
                    let to = inside.then(|| Square((y * files + x) as u8));
                    let to = to.filter(|to| g.holes() >> to.0 & 1 == 0);
                    assert_eq!(g.step(from, dx, dy), to, "{g:?} {from:?} {dx} {dy}");
                }
            }
        }
    }
}

#[test]
fn names_of_squares_read_back() {
    for g in geometries(false) {
        for square in (0..g.len() as u8).map(Square) {
            let named = g.named(&g.name(square));
            assert_eq!(named, g.exists(square).then_some(square), "{g:?}");
        }
    }
    let g = Geometry::new(8, 8, 0, false).expect("a board");
    for wrong in [
        "", "a", "a0", "a01", "a9", "i1", "A1", "a+1", "1a", "a1 ", "é1",
    ] {
        assert_eq!(g.named(wrong), None, "{wrong}");
    }
    assert_eq!(Geometry::new(17, 1, 0, false), None);
    assert_eq!(Geometry::new(16, 9, 0, false), None);
    assert_eq!(Geometry::new(0, 8, 0, false), None);
}

/// Compares all look-ups of a flat board with walking, for random occupied squares.
fn compare_with_walking<S: Squares>(g: Geometry) {
    let men = Men::FIDE
        .with(Kind::Bishop, Movement::bishop(2))
        .with(Kind::Rook, Movement::rook(3));
    let board = Board::<S>::new(g, men);
    let mut random = Random(g.len() as u64);
    for from in squares(g) {
        let occupied = sparse(&mut random) & board.squares().bits();
        let seen = |directions: &[usize], range: u32| {
            let walks = directions.iter();
            let walks = walks.map(|&n| walked(g, from, DIRECTIONS[n], range, occupied));
            walks.fold(0, |all, seen| all | seen)
        };
        let set = S::from_bits(occupied);
        let reach = |kind| board.reach(kind, from, set).bits();
        assert_eq!(reach(Kind::Rook), seen(&[0, 2, 4, 6], 3), "{g:?} {from:?}");
        assert_eq!(
            reach(Kind::Bishop),
            seen(&[1, 3, 5, 7], 2),
            "{g:?} {from:?}"
        );
        let all = [0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!(reach(Kind::Queen), seen(&all, 99), "{g:?} {from:?}");
        assert_eq!(reach(Kind::King), seen(&all, 1), "{g:?} {from:?}");
        assert_eq!(board.neighbors(from).bits(), seen(&all, 1));
        let leaps = KNIGHT_LEAPS
            .iter()
            .filter_map(|&(dx, dy)| g.step(from, dx, dy));
        assert_eq!(
            board.leap(Kind::Knight, from),
            leaps.fold(S::EMPTY, S::with)
        );
        for (direction, step) in DIRECTIONS.into_iter().enumerate() {
            let ray = board.ray(from, direction).fold(S::EMPTY, S::with);
            assert_eq!(ray.bits(), walked(g, from, step, 99, 0));
            let first = walked(g, from, step, 99, occupied) & occupied;
            let unit = board.first_unit(from, direction, set);
            assert_eq!(unit.map_or(0, |unit| 1 << unit.0), first);
        }
        for to in squares(g).filter(|&to| to != from) {
            // The squares that a slider on either square reaches toward the other.
            let shared = DIRECTIONS.into_iter().find_map(|(dx, dy)| {
                let ahead = walked(g, from, (dx, dy), 99, 1 << to.0);
                let meets = ahead >> to.0 & 1 == 1;
                meets.then_some(ahead & !(1 << to.0))
            });
            let between = board.between(from, to).bits();
            assert_eq!(between, shared.unwrap_or(0), "{g:?} {from:?} {to:?}");
        }
    }
}

#[test]
fn looked_up_squares_are_those_of_walking() {
    for g in geometries(false) {
        if g.len() <= 64 {
            compare_with_walking::<u64>(g);
        }
        compare_with_walking::<u128>(g);
    }
}

/// Compares the ways, which move all units of eight boards at once, with walking.
fn compare_ways<S: Squares>(g: Geometry) {
    let board = Board::<S>::new(g, Men::FIDE);
    let mut random = Random(g.len() as u64 + 1);
    let all = board.squares();
    let mut lanes = || Lanes([(); LANES].map(|()| S::from_bits(sparse(&mut random)) & all));
    let (units, occupied) = (lanes(), lanes());
    let vacant = Lanes(occupied.0.map(|occupied| all & !occupied));
    let ways = board.directions(Color::White).iter().zip(DIRECTIONS);
    let leaps = board.knight_leaps(Color::White).iter().zip(KNIGHT_LEAPS);
    for (n, (way, (dx, dy))) in ways.chain(leaps).enumerate() {
        let stepped = way.step(units).0;
        let slid = (n < DIRECTIONS.len()).then(|| way.slide(units, vacant).0);
        for lane in 0..LANES {
            let from = units.0[lane];
            let steps = from.iter().filter_map(|from| g.step(from, dx, dy));
            assert_eq!(
                stepped[lane],
                steps.fold(S::EMPTY, S::with),
                "{g:?} {dx} {dy}"
            );
            let walk = |from| walked(g, from, (dx, dy), 99, occupied.0[lane].bits());
            let walks = from.iter().map(walk).fold(0, |all, seen| all | seen);
            if let Some(slid) = slid {
                assert_eq!(slid[lane].bits(), walks, "{g:?} {dx} {dy}");
            }
        }
    }
}

#[test]
fn units_of_eight_boards_step_and_slide_like_single_units() {
    for g in geometries(false) {
        if g.len() <= 64 {
            compare_ways::<u64>(g);
        } else {
            compare_ways::<u128>(g);
        }
    }
}

#[test]
fn sets_are_iterated_in_order_and_shifts_drop_squares() {
    let set = u64::EMPTY.with(Square(63)).with(Square(0)).with(Square(17));
    let squares: Vec<u8> = set.iter().map(|square| square.0).collect();
    assert_eq!(squares, [0, 17, 63]);
    assert_eq!(
        (set.len(), set.first(), set.several()),
        (3, Some(Square(0)), true)
    );
    assert_eq!(
        set.without(Square(0)).without(Square(17)).highest_or_zero(),
        set.shift(0) & (1 << 63)
    );
    assert_eq!(set.shift(1), u64::of(Square(1)).with(Square(18)));
    assert_eq!(set.shift(-1), u64::of(Square(16)).with(Square(62)));
    assert_eq!((set.shift(64), set.shift(-64)), (0, 0));
    assert_eq!(u64::first_n(64), u64::MAX);
    assert_eq!(u128::first_n(3), 7);
    assert_eq!(u64::EMPTY.first(), None);
}

#[test]
fn kinds_beyond_the_first_six_have_names() {
    let mut men = Men::FIDE;
    men.more.push([b'A', b' ']);
    men.more.push([b'Q', b'~']);
    assert_eq!(men.count(), 8);
    let (added, promoted) = (Kind::from_index(6), Kind::from_index(7));
    assert_eq!(men.named("A"), Some(added));
    assert_eq!(men.named("Q~"), Some(promoted));
    assert_eq!(men.named("q~"), None);
    assert_eq!(&*men.name(Color::Black, promoted), "q~");
    assert_eq!(men.strongest().next(), Some(Kind::King));
    assert_eq!(men.kinds().count(), 8);
    assert_ne!(men, Men::FIDE);
}
