//! Tests of king walks by brute force.

use super::*;
use crate::{Goal, Judge};
use board::{Board, Color};
use notation::{Setup, Start};
use position::Narrow;
use rules::{Variant, with_turns};

/// Returns whether the side to move can checkmate within `left` of its turns, by trying all lines.
fn mates(judge: Judge<'_, Narrow>, p: &Position<Narrow>, left: usize) -> bool {
    let game = judge.game;
    let forces = |turn: &Turn| {
        let after = game.play(p, turn);
        with_turns(|replies| {
            game.turns(&after, replies);
            let mated = |reply| mates(judge, &game.play(&after, reply), left - 1);
            !replies.is_empty() && replies.iter().all(mated)
        })
    };
    judge.can_reach(p)
        || left > 1
            && with_turns(|turns| {
                game.turns(p, turns);
                turns.iter().any(forces)
            })
}

/// Returns the FEN of a random position with few units on a small board. The mating side, to move, has a
/// king and two to four units; the other side has a king and at most one unit.
fn position(random: &mut impl FnMut(usize) -> usize, mating_side: Color) -> String {
    let (files, ranks) = (4 + random(3), 4 + random(3));
    let mut squares = vec!['.'; files * ranks];
    let units: [&[char]; 7] = [
        &['k'],
        &['.', '.', 'p', 'n'],
        &['K'],
        &['Q', 'R', 'B', 'N', 'P'],
        &['R', 'B', 'N', 'P'],
        &['.', 'Q', 'R', 'B', 'N', 'P'],
        &['.', 'R', 'B', 'N', 'P'],
    ];
    for kinds in units {
        squares[random(files * ranks)] = kinds[random(kinds.len())];
    }
    let swapped = |c: char| match c.is_lowercase() {
        true => c.to_ascii_uppercase(),
        false => c.to_ascii_lowercase(),
    };
    let white = mating_side == Color::White;
    let square = |&c: &char| if white { c } else { swapped(c) };
    let rank = |rank: &[char]| rank.iter().map(square).collect::<String>();
    let board: Vec<String> = squares.chunks(files).map(rank).collect();
    let board = fen_of(board.join("/"), files);
    format!("{board} {} - - 0 1", if white { 'w' } else { 'b' })
}

/// Returns the board field of a FEN from one with a dot for each vacant square.
fn fen_of(mut board: String, files: usize) -> String {
    for vacant in (1..=files).rev() {
        board = board.replace(&".".repeat(vacant), &vacant.to_string());
    }
    board
}

/// Fails if the king does not survive after a step to the square that [`KingWalks::refuge`] returns.
/// Returns whether there is one.
fn has_refuge(start: &Start<Narrow>) -> bool {
    let (game, p) = (start.game.as_ref(), &start.position);
    let judge = Judge::new(game, &Goal::Mate);
    let bound = MateBound::new(judge, !p.side).expect("orthodox flights");
    let mut walks = KingWalks::new(&bound).expect("units stay what they are");
    let Some(refuge) = walks.refuge(p) else {
        return false;
    };
    let king = (p.kind(Kind::King) & p.color(p.side)).lowest();
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    let steps = |turn: &&Turn| turn.first().from == king && turn.first().to == refuge;
    let turn = turns.iter().find(steps).expect("a legal step");
    let fen = || notation::fen::print(game, p);
    let after = game.play(p, turn);
    assert!(!mates(judge, &after, 2), "after {turn:?}: {}", fen());
    turns.clear();
    game.turns(&after, &mut turns);
    for step in turns.iter().map(Turn::first) {
        let unit = walks.units.iter().position(|unit| unit.from == step.from);
        let targets = walks.targets(unit.expect("a unit")).expect("no promotion");
        assert!(
            targets.has(step.to) && step.becomes().is_none(),
            "{step:?}: {}",
            fen()
        );
    }
    true
}

/// Returns the squares that a unit of White guards on an empty board.
fn guards(board: &Board<u64>, (kind, from): (Kind, Square)) -> u64 {
    match kind {
        Kind::Pawn => board.pawn_captures(Color::White, from),
        _ => board.reach(kind, from, u64::EMPTY),
    }
}

/// Returns what a unit of White can be after one turn on an empty board.
fn after_turn(board: &Board<u64>, (kind, from): (Kind, Square)) -> Vec<(Kind, Square)> {
    let last = board.last_rank(Color::White);
    let mut targets = guards(board, (kind, from));
    if kind == Kind::Pawn {
        let once = board.pushed(u64::of(from), Color::White);
        targets |= once | board.pushed(once & board.rank_of(Color::White, 2), Color::White);
    }
    let kinds = |to| match kind == Kind::Pawn && last.has(to) {
        true => vec![Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen],
        false => vec![kind],
    };
    let unit = |to| kinds(to).into_iter().map(move |kind| (kind, to));
    targets.iter().flat_map(unit).collect()
}

/// Returns the maximum number of neighbors of `king` that the units that move guard after at most `turns`
/// turns on an empty board, by trying all turns. A square that two units guard counts twice. If `checks`
/// is set, one of these units must check the king.
fn max_gain(
    board: &Board<u64>,
    units: &mut Vec<((Kind, Square), bool)>,
    (king, checks): (Square, bool),
    turns: usize,
) -> u32 {
    let near = board.neighbors(king);
    let next_to_king = |&((kind, at), _): &((Kind, Square), bool)| {
        at == king || kind == Kind::King && near.has(at)
    };
    let moved = units.iter().filter(|(_, moved)| *moved);
    let guarded: Vec<u64> = moved.map(|(unit, _)| guards(board, *unit)).collect();
    let possible = !units.iter().any(next_to_king);
    let mut max = match possible && (!checks || guarded.iter().any(|set| set.has(king))) {
        true => guarded.iter().map(|set| (set & near).len()).sum(),
        false => 0,
    };
    for n in 0..if turns > 0 { units.len() } else { 0 } {
        let before = units[n];
        for after in after_turn(board, before.0) {
            units[n] = (after, true);
            max = max.max(max_gain(board, units, (king, checks), turns - 1));
        }
        units[n] = before;
    }
    max
}

/// Fails if units of White can guard more neighbors of a random square within `steps` turns than computed, after
/// a random turn. Returns whether the computed number is exact, or `None` if the FEN is not valid or no turn was
/// found.
fn gain_is_exact(fen: &str, steps: usize, random: &mut impl FnMut(usize) -> usize) -> Option<bool> {
    let variant = Variant::from(&variants::fide::INFO);
    let setup = Setup::read(&variant, Some(fen)).ok()?;
    let start = setup.get::<Narrow>()?;
    let (game, p) = (start.game.as_ref(), &start.position);
    let bound = MateBound::new(Judge::new(game, &Goal::Mate), Color::White);
    let bound = bound.expect("orthodox flights");
    let mut walks = KingWalks::new(&bound).expect("units stay what they are");
    assert!(walks.begin(p, steps));
    let board = game.board();
    let unit = |unit: &Unit<u64>| ((unit.kind, unit.from), false);
    let mut units: Vec<_> = walks.units.iter().map(unit).collect();
    walks.mover = random(units.len());
    let moves = after_turn(board, units[walks.mover].0);
    if moves.is_empty() {
        return None;
    }
    let (kind, to) = moves[random(moves.len())];
    units[walks.mover].0 = (kind, to);
    let moved = Moved {
        kind,
        to,
        guards: bound.guards(kind, to),
    };
    let king = Square(random(bound.squares()) as u8);
    let checks = random(2) > 0;
    let computed = walks.last_gain(&moved, checks, king);
    let mut found = max_gain(board, &mut units, (king, checks), steps);
    if walks.free_turns > 0 {
        // The squares of king and rook before and after castling.
        for squares in [[4, 6, 7, 5], [4, 2, 0, 3]] {
            let [king_from, king_to, rook_from, rook_to] = squares.map(Square);
            let mut castled = units.clone();
            for (unit, moved) in &mut castled {
                *moved = *unit == (Kind::King, king_from) || *unit == (Kind::Rook, rook_from);
                if *moved {
                    unit.1 = if unit.0 == Kind::King {
                        king_to
                    } else {
                        rook_to
                    };
                }
            }
            if castled.iter().filter(|(_, moved)| *moved).count() == 2 {
                found = found.max(max_gain(board, &mut castled, (king, checks), steps - 1));
            }
        }
    }
    let turn = || format!("{kind:?} to {to:?}, king on {king:?}, {fen}");
    assert!(found <= computed, "{found} > {computed}: {}", turn());
    Some(found == computed && found > 0)
}

#[test]
fn units_guard_no_more_squares_than_computed() {
    let mut random = random(4);
    for steps in 1..=MAX_STEPS {
        let exact = (0..5_000).filter(|_| {
            let fen = position(&mut random, Color::White);
            gain_is_exact(&fen, steps, &mut random) == Some(true)
        });
        let exact = exact.count();
        assert!(exact > 200, "{exact}");
    }
}

#[test]
fn castling_guards_no_more_squares_than_computed() {
    let mut random = random(5);
    let exact = (0..6_000).filter(|_| {
        let fen = castling_position(&mut random);
        gain_is_exact(&fen, 1, &mut random) == Some(true)
    });
    let exact = exact.count();
    assert!(exact > 5, "{exact}");
}

/// Returns the FEN of a random position in which White may castle.
fn castling_position(random: &mut impl FnMut(usize) -> usize) -> String {
    let mut ranks = [['.'; 8]; 7];
    for units in [['Q', 'N', 'B', 'P'], ['Q', 'R', 'N', 'B']] {
        ranks[random(7)][random(8)] = units[random(4)];
    }
    ranks[4 + random(3)][random(8)] = 'k';
    let board = fen_of(ranks.map(String::from_iter).join("/"), 8);
    format!("{board}/R3K2R w KQ - 0 1")
}

/// Counts turns that the king survives, by the number of following turns, and fails if one of them forces
/// mate.
fn survived(fens: impl Iterator<Item = String>) -> [usize; MAX_STEPS + 1] {
    let variant = Variant::from(&variants::fide::INFO);
    let mut survived = [0; MAX_STEPS + 1];
    for fen in fens {
        let setup = Setup::read(&variant, Some(&fen)).ok();
        if let Some(start) = setup.as_ref().and_then(Setup::get) {
            count(start, &mut survived);
        }
    }
    survived
}

fn count(start: &Start<Narrow>, survived: &mut [usize]) {
    let (game, p) = (start.game.as_ref(), &start.position);
    let judge = Judge::new(game, &Goal::Mate);
    let bound = MateBound::new(judge, p.side).expect("orthodox flights");
    let mut walks = KingWalks::new(&bound).expect("units stay what they are");
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    for (left, survived) in survived.iter_mut().enumerate().skip(1) {
        if !walks.begin(p, left) {
            continue;
        }
        for turn in turns.iter().filter(|turn| walks.survives(turn)) {
            let after = game.play(p, turn);
            let forced = with_turns(|replies| {
                game.turns(&after, replies);
                let mated = |reply| mates(judge, &game.play(&after, reply), left);
                match replies.is_empty() {
                    true => judge.reached(p, turn, &after),
                    false => replies.iter().all(mated),
                }
            });
            let fen = || notation::fen::print(game, p);
            assert!(!forced, "{left} turns after {turn:?}: {}", fen());
            *survived += 1;
        }
    }
}

/// Returns a generator of random numbers below its argument.
fn random(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    }
}

#[test]
fn a_king_survives_no_turn_that_forces_mate() {
    let mut random = random(1);
    let found = survived((0..60_000).map(|n| position(&mut random, Color::BOTH[n % 2])));
    assert!(found[1] > 5_000 && found[2] > 1_000, "{found:?}");
}

#[test]
fn a_king_survives_two_turns_after_a_step_to_a_refuge() {
    let variant = Variant::from(&variants::fide::INFO);
    let mut random = random(3);
    let refuges = (0..40_000).filter(|n| {
        // The mating side is not to move.
        let fen = position(&mut random, Color::BOTH[n % 2]);
        let swapped = match n % 2 {
            0 => fen.replace(" w ", " b "),
            _ => fen.replace(" b ", " w "),
        };
        let setup = Setup::read(&variant, Some(&swapped)).ok();
        setup.as_ref().and_then(Setup::get).is_some_and(has_refuge)
    });
    let refuges = refuges.count();
    assert!(refuges > 1_000, "{refuges}");
}

#[test]
fn a_king_survives_no_turn_that_forces_mate_by_castling() {
    let mut random = random(2);
    let positions = (0..3_000).map(|_| castling_position(&mut random));
    let found = survived(positions);
    assert!(found[1] > 1_000, "{found:?}");
}
