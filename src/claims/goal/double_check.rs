//! Contravention Chess: what becomes of a king that steps into a double check.
//!
//! In positions of up to four units that is a lone king against king and two of N, B, R, Q: what
//! checks him are two units besides the enemy king, who may not. The wins at once, by an opponent
//! who cannot end both checks, are counted on the whole board; the rest is decided by solving all
//! positions of a small board.

use super::{share, start, yes};
use crate::board::{Color, Geometry, Kind, Square, Squares};
use crate::claims::{Effort, Evidence, Finding, Scope, Verdict};
use crate::notation::fen;
use crate::position::{Narrow, Position};
use crate::rules::{AnyGame, Game, Outcome, with_turns};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Kinds whose check a king may step into.
const CHECKING: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// No, one or two units besides the kings.
fn forces(most: usize) -> Vec<Vec<Kind>> {
    let mut found = vec![Vec::new()];
    for (i, &first) in CHECKING.iter().enumerate() {
        found.push(vec![first]);
        found.extend(CHECKING[i..].iter().map(|&second| vec![first, second]));
    }
    found.retain(|force| force.len() <= most);
    found.sort_by_key(Vec::len);
    found
}

/// The units that attack the lone (black) king.
fn checkers(game: &dyn Game<Narrow>, p: &Position<Narrow>) -> u64 {
    p.units(Color::Black, Kind::King)
        .first()
        .map_or(0, |king| game.attackers(p, king, Color::White))
}

/// The position after a legal step of the lone king to where he stands in `p`, if there is one.
fn stepped(game: &dyn Game<Narrow>, p: &Position<Narrow>) -> Option<Position<Narrow>> {
    let king = p.units(Color::Black, Kind::King).first()?;
    let vacant = game.board().neighbors(king) & !p.occupied();
    vacant.iter().find_map(|from| {
        let mut before = *p;
        before.shift(Color::Black, Kind::King, king, from);
        before.side = Color::Black;
        before.state = 0;
        if game.in_check(&before, Color::Black) || game.mover_stands(&before).is_err() {
            return None;
        }
        with_turns(|turns| {
            game.turns(&before, turns);
            let step = turns.iter().find(|turn| turn.first().to == king);
            step.map(|turn| game.play(&before, turn))
        })
    })
}

/// Double checks that a king has stepped into.
#[derive(Clone, Copy, Default)]
struct Count {
    all: u64,
    at_once: u64,
    /// The opponent can end both checks.
    answered: Option<Position<Narrow>>,
}

/// Counts them on the board of the game, for one force, the lone king on one square.
fn count(game: &dyn Game<Narrow>, force: &[Kind], king: Square, weight: u64) -> Count {
    let mut found = Count::default();
    let mut p = Position::<Narrow>::empty();
    p.put(Color::Black, Kind::King, king);
    let near = game.board().neighbors(king).with(king);
    for other in (game.board().squares() & !near).iter() {
        let mut p = p;
        p.put(Color::White, Kind::King, other);
        place(game, &mut p, force, Square(0), &mut |p| {
            if !checkers(game, p).several() {
                return;
            }
            if let Some(after) = stepped(game, p) {
                found.all += weight;
                let outcome = game.outcome(&after);
                if outcome.worth(Color::Black) > 0 {
                    found.at_once += weight;
                } else {
                    found.answered.get_or_insert(after);
                }
            }
        });
    }
    found
}

/// Puts the units of a force on all sets of squares; equal ones in increasing order.
fn place(
    game: &dyn Game<Narrow>,
    p: &mut Position<Narrow>,
    force: &[Kind],
    least: Square,
    work: &mut dyn FnMut(&Position<Narrow>),
) {
    let Some((&kind, rest)) = force.split_first() else {
        work(p);
        return;
    };
    for square in (game.board().squares() & !p.occupied()).iter() {
        if square < least {
            continue;
        }
        p.put(Color::White, kind, square);
        let next = if rest.first() == Some(&kind) {
            square
        } else {
            Square(0)
        };
        place(game, p, rest, next, work);
        p.take(Color::White, kind, square);
    }
}

/// The squares of one eighth of the board, with how many squares each stands for.
fn eighth(geometry: Geometry) -> Vec<(Square, u64)> {
    let n = geometry.files();
    let fold = |x: u8| x.min(n - 1 - x);
    let class = |square: Square| {
        let (x, y) = (fold(geometry.file(square)), fold(geometry.rank(square)));
        (x.min(y), x.max(y))
    };
    let mut found: Vec<(Square, u64)> = Vec::new();
    for square in (0..geometry.len() as u8).map(Square) {
        match found
            .iter_mut()
            .find(|(known, _)| class(*known) == class(square))
        {
            Some((_, weight)) => *weight += 1,
            None => found.push((square, 1)),
        }
    }
    found
}

/// Values of all positions of a small board, for the side to move.
struct Solved {
    index: FxHashMap<u64, u32>,
    positions: Vec<Position<Narrow>>,
    values: Vec<i8>,
    /// Double checks that the lone king has stepped into.
    double: Vec<u32>,
}

/// What tells positions of kings and two units apart.
fn key(p: &Position<Narrow>) -> u64 {
    let mut key = 0;
    for square in p.occupied().iter() {
        if let Some((color, kind)) = p.unit(square) {
            key = key << 10 | u64::from(square.0) << 4 | (color as u64) << 3 | kind as u64;
        }
    }
    key << 4 | 1 << 3 | p.state << 1 | p.side as u64
}

/// A bound for the bytes that [`solve`] takes: positions of four units, by far the most, with their
/// places in the index and their turns.
fn solving_bytes(geometry: Geometry) -> u64 {
    const POSITION_BYTES: u64 = 400;
    let n = geometry.len() as u64;
    let placed: u64 = (0..4).map(|taken| n.saturating_sub(taken)).product();
    // Six pairs of different kinds, four of equal ones; three ways to be at move.
    placed * 8 * 3 * POSITION_BYTES
}

/// Solves all positions of up to four units, by backward passes over the graph of all turns. A
/// game that can go on for ever is a draw.
fn solve(game: &dyn Game<Narrow>) -> Solved {
    let mut positions = Vec::new();
    let mut nothing = Position::<Narrow>::empty();
    for force in forces(2) {
        for king in game.board().squares().iter() {
            nothing.put(Color::Black, Kind::King, king);
            for other in game.board().squares().without(king).iter() {
                nothing.put(Color::White, Kind::King, other);
                place(game, &mut nothing, &force, Square(0), &mut |p| {
                    let checked = !checkers(game, p).is_empty();
                    let into = 1 << Color::Black.index();
                    // Whoever stands in check with the opponent to move has stepped there.
                    let at_move = [(Color::Black, 0), (Color::Black, into)];
                    let waiting = (Color::White, if checked { into } else { 0 });
                    for (side, state) in at_move.into_iter().chain([waiting]) {
                        let mut q = *p;
                        (q.side, q.state) = (side, state);
                        if game.mover_stands(&q).is_ok() && game.check(&q).is_ok() {
                            positions.push(q);
                        }
                    }
                });
                nothing.take(Color::White, Kind::King, other);
            }
            nothing.take(Color::Black, Kind::King, king);
        }
    }
    let index: FxHashMap<u64, u32> = positions
        .iter()
        .enumerate()
        .map(|(i, p)| (key(p), i as u32))
        .collect();
    let successors: Vec<(Vec<u32>, i8)> = positions
        .par_iter()
        .map(|p| {
            let after: Vec<u32> = with_turns(|turns| {
                game.turns(p, turns);
                let keys = turns.iter().map(|turn| key(&game.play(p, turn)));
                keys.filter_map(|key| index.get(&key).copied()).collect()
            });
            (after, game.outcome(p).worth(p.side).signum())
        })
        .collect();
    let mut values: Vec<i8> = successors.iter().map(|(_, worth)| *worth).collect();
    let mut open: Vec<u32> = (0..positions.len() as u32)
        .filter(|&i| game_goes_on(&successors[i as usize]))
        .collect();
    loop {
        let before = open.len();
        open.retain(|&i| {
            let after = &successors[i as usize].0;
            let value = if after.iter().any(|&to| values[to as usize] < 0) {
                1
            } else if after.iter().all(|&to| values[to as usize] > 0) {
                -1
            } else {
                return true;
            };
            values[i as usize] = value;
            false
        });
        if open.len() == before {
            break;
        }
    }
    let mut double: Vec<u32> = Vec::new();
    for (i, p) in positions.iter().enumerate() {
        if p.side == Color::Black {
            let into = successors[i].0.iter().copied();
            double.extend(into.filter(|&to| checkers(game, &positions[to as usize]).several()));
        }
    }
    double.sort_unstable();
    double.dedup();
    Solved {
        index,
        positions,
        values,
        double,
    }
}

/// Whether a position has successors and no worth of its own.
fn game_goes_on((after, worth): &(Vec<u32>, i8)) -> bool {
    *worth == 0 && !after.is_empty()
}

pub(super) fn check(effort: &Effort) -> Finding {
    double_checks(if effort.deep { &[4, 5] } else { &[4] }, effort)
}

/// Counts double checks on the whole board and solves those of square boards of these sizes.
pub fn double_checks(sizes: &[u8], effort: &Effort) -> Finding {
    let whole = start("contravention");
    let game = whole.game.as_ref();
    let mut evidence = Evidence::new(&[
        "board",
        "units_with_the_enemy_king",
        "double_checks",
        "wins_at_once",
        "wins",
        "draws",
        "losses",
        "solved",
        "fen_of_another_end",
    ]);
    let name = |force: &[Kind]| {
        let kinds = force
            .iter()
            .map(|&kind| game.men().letter(Color::White, kind));
        format!("K{}", kinds.collect::<String>())
    };
    let mut text = Vec::new();
    let (mut all, mut at_once) = (0, 0);
    let cases: Vec<(Vec<Kind>, Square, u64)> = forces(2)
        .into_iter()
        .flat_map(|force| {
            let squares = eighth(game.board().geometry());
            squares
                .into_iter()
                .map(move |(square, weight)| (force.clone(), square, weight))
        })
        .collect();
    let counts: Vec<Count> = cases
        .par_iter()
        .map(|(force, square, weight)| {
            if effort.stopped() {
                return Count::default();
            }
            count(game, force, *square, *weight)
        })
        .collect();
    for force in forces(2) {
        let mut sum = Count::default();
        for (_, found) in cases.iter().zip(&counts).filter(|((f, ..), _)| *f == force) {
            sum.all += found.all;
            sum.at_once += found.at_once;
            sum.answered = sum.answered.or(found.answered);
        }
        all += sum.all;
        at_once += sum.at_once;
        evidence.row([
            game.board().geometry().size(),
            name(&force),
            sum.all.to_string(),
            sum.at_once.to_string(),
            String::new(),
            String::new(),
            String::new(),
            yes(false),
            sum.answered.map_or(String::new(), |p| fen::print(game, &p)),
        ]);
    }
    text.push(format!(
        "on the whole board, among positions of up to 4 units, {all} in which a king has stepped \
         into a double check: {at_once} ({}) win at once, the rest is not solved there",
        share(at_once, all)
    ));
    let mut mostly = at_once * 2 > all;
    for &size in sizes {
        let Some(geometry) = Geometry::new(size, size, 0, false) else {
            continue;
        };
        let AnyGame::Narrow(game) = game.variant().on(geometry) else {
            continue;
        };
        let game = game.as_ref();
        if solving_bytes(geometry) > effort.memory_bytes || effort.stopped() {
            text.push(format!(
                "{} is not solved for want of memory",
                geometry.size()
            ));
            continue;
        }
        let solved = solve(game);
        let mut sums = [0u64; 4];
        for force in forces(2) {
            let (mut n, mut quick, mut ends, mut example) = (0u64, 0u64, [0u64; 3], None);
            for &i in &solved.double {
                let p = &solved.positions[i as usize];
                debug_assert_eq!(solved.index.get(&key(p)), Some(&i));
                let of_force = CHECKING.iter().all(|kind| {
                    let wanted = force.iter().filter(|k| *k == kind).count();
                    p.kind(*kind).len() as usize == wanted
                });
                if !of_force {
                    continue;
                }
                n += 1;
                quick += u64::from(game.outcome(p) != Outcome::Ongoing);
                // The value is that of the side to move, the other one has stepped.
                let value = solved.values[i as usize];
                ends[(1 + value) as usize] += 1;
                if value >= 0 && example.is_none() {
                    example = Some(*p);
                }
            }
            for (sum, n) in sums.iter_mut().zip([n, ends[0], ends[1], ends[2]]) {
                *sum += n;
            }
            evidence.row([
                geometry.size(),
                name(&force),
                n.to_string(),
                quick.to_string(),
                ends[0].to_string(),
                ends[1].to_string(),
                ends[2].to_string(),
                yes(true),
                example.map_or(String::new(), |p| fen::print(game, &p)),
            ]);
        }
        mostly &= sums[1] * 2 > sums[0];
        text.push(format!(
            "on {} all solved: {} of {} ({}) win, {} draw, {} lose",
            geometry.size(),
            sums[1],
            sums[0],
            share(sums[1], sums[0]),
            sums[2],
            sums[3]
        ));
    }
    text.push(
        "fewer than 4 units make no double check; a count of small positions cannot show what is \
         general"
            .to_string(),
    );
    Finding {
        // In most positions is what `generally` says at least.
        verdict: if mostly {
            Verdict::Open
        } else {
            Verdict::Refuted
        },
        scope: Scope::Sample,
        summary: text.join("; "),
        evidence,
    }
}
