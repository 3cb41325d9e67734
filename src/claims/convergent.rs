//! Claims about Convergent Chess (A. J. Winkelspecht, The Chess Variant Pages, 1999).

use super::{Claim, Effort, Evidence, Finding, Scope, Verdict, listed, opened};
use crate::board::{Color, Kind, Square, Squares};
use crate::explore::StepGraph;
use crate::notation::{Setup, Start, fen, turns};
use crate::position::{Narrow, Position};
use crate::rules::sets::convergent::royal_squares;
use crate::rules::{AnyGame, Game, Outcome, Turn, Variant, reason, with_turns};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const PAGE: &str = "Convergent Chess, The Chess Variant Pages, 1999";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "convergent/squares",
        source: PAGE,
        claim: "the board has 40 squares; 24 squares of the edge of 8x8 are missing",
        check: squares,
    },
    Claim {
        id: "convergent/density",
        source: PAGE,
        claim: "the array fills 70 % of the board",
        check: density,
    },
    Claim {
        id: "convergent/pawn-access",
        source: PAGE,
        claim: "every pawn can get to the enemy royal squares",
        check: pawn_access,
    },
    Claim {
        id: "convergent/weaker",
        source: PAGE,
        claim: "most pieces are much weaker than the orthodox ones, pawns stronger",
        check: weaker,
    },
    Claim {
        id: "convergent/every-unit-checks",
        source: PAGE,
        claim: "every kind of unit can give check",
        check: every_unit_checks,
    },
    Claim {
        id: "convergent/king-no-direct",
        source: PAGE,
        claim: "a king cannot check by attacking, but can mate by entering a royal square",
        check: king_no_direct,
    },
    Claim {
        id: "convergent/intruder-mates",
        source: PAGE,
        claim: "an intruder that cannot be captured mates",
        check: intruder_mates,
    },
];

/// The game at its start.
fn start() -> Start<Narrow> {
    match opened("convergent", None) {
        Setup::Narrow(start) => start,
        _ => unreachable!("an 8x8 rectangle is narrow"),
    }
}

fn squares(_: &Effort) -> Finding {
    let start = start();
    let board = start.game.board();
    let geometry = board.geometry();
    let mut evidence = Evidence::new(&["rank", "squares", "missing_on_edge", "missing_inside"]);
    let (mut edge, mut inside) = (0, 0);
    for rank in 0..geometry.ranks() {
        let (mut on_edge, mut in_row) = (0, 0);
        for file in 0..geometry.files() {
            if !geometry.exists(geometry.square(file, rank)) {
                let outer = |at: u8, most: u8| at == 0 || at + 1 == most;
                if outer(file, geometry.files()) || outer(rank, geometry.ranks()) {
                    on_edge += 1;
                } else {
                    in_row += 1;
                }
            }
        }
        let there = board.rank_set(rank).len();
        evidence.row([u32::from(rank) + 1, there, on_edge, in_row]);
        edge += on_edge;
        inside += in_row;
    }
    let n = board.squares().len();
    Finding::exhaustive(
        n == 40 && edge == 24 && inside == 0 && geometry.size() == "8x8",
        format!(
            "{n} squares of {}; {edge} squares of its edge are missing, {inside} others",
            geometry.size()
        ),
        evidence,
    )
}

fn density(_: &Effort) -> Finding {
    let start = start();
    let squares = start.game.board().squares().len();
    let mut evidence = Evidence::new(&["side", "units", "squares"]);
    for color in Color::BOTH {
        let units = start.position.color(color).len();
        evidence.row([
            color.letter().to_string(),
            units.to_string(),
            squares.to_string(),
        ]);
    }
    let units = start.position.occupied().len();
    Finding::exhaustive(
        units * 100 == squares * 70,
        format!(
            "{units} units on {squares} squares, {:.1} %",
            f64::from(units * 100) / f64::from(squares)
        ),
        evidence,
    )
}

/// Where a pawn alone on the board can step; with `capturing`, only where it can capture.
fn pawn_targets(game: &dyn Game<Narrow>, color: Color, from: Square, capturing: bool) -> u64 {
    let board = game.board();
    let mut p = Position::<Narrow>::empty();
    p.side = color;
    if capturing {
        for square in board.squares().without(from).iter() {
            p.put(!color, Kind::Knight, square);
        }
    }
    p.put(color, Kind::Pawn, from);
    with_turns(|turns| {
        game.pseudo_turns(&p, turns);
        turns
            .iter()
            .fold(0, |set: u64, turn| set.with(turn.first().to))
    })
}

fn pawn_access(_: &Effort) -> Finding {
    let start = start();
    let game = start.game.as_ref();
    let board = game.board();
    let name = |square| board.geometry().name(square);
    let mut evidence = Evidence::new(&[
        "side",
        "pawn",
        "royal_square",
        "fewest_steps",
        "fewest_steps_without_capture",
        "fewest_steps_by_captures_alone",
    ]);
    let (mut pawns, mut all, mut some, mut fewest, mut most) = (0, 0, 0, u32::MAX, 0);
    for color in Color::BOTH {
        let royal = royal_squares(board, !color);
        let graph = |quiet: bool, capturing: bool| {
            StepGraph::new(board.squares().iter(), |from| {
                let mut targets = 0u64;
                if quiet {
                    targets |= pawn_targets(game, color, from, false);
                }
                if capturing {
                    targets |= pawn_targets(game, color, from, true);
                }
                targets.iter()
            })
        };
        let graphs = [graph(true, true), graph(true, false), graph(false, true)];
        for pawn in start.position.units(color, Kind::Pawn).iter() {
            pawns += 1;
            let ways = graphs.each_ref().map(|graph| graph.fewest_steps(pawn));
            let mut reached = 0;
            for target in royal.iter() {
                if let Some(&steps) = ways[0].get(&target) {
                    reached += 1;
                    fewest = fewest.min(steps);
                    most = most.max(steps);
                }
                let shown = ways
                    .each_ref()
                    .map(|way| way.get(&target).map_or("none".to_string(), u32::to_string));
                evidence.row(
                    [color.letter().to_string(), name(pawn), name(target)]
                        .into_iter()
                        .chain(shown),
                );
            }
            all += u32::from(reached == royal.len());
            some += u32::from(reached > 0);
        }
    }
    Finding::exhaustive(
        all == pawns && pawns > 0,
        format!(
            "of {pawns} pawns {all} reach both enemy royal squares and {some} at least one; the \
             shortest way takes {}",
            if fewest == most {
                format!("{fewest} steps for each")
            } else {
                format!("from {fewest} to {most} steps")
            }
        ),
        evidence,
    )
}

/// Where a unit can go on the empty board.
fn targets(game: &dyn Game<Narrow>, kind: Kind, from: Square) -> u64 {
    match kind {
        Kind::Pawn => pawn_targets(game, Color::White, from, false),
        kind => game.reach(&Position::empty(), kind, from),
    }
}

fn weaker(_: &Effort) -> Finding {
    let start = start();
    let game = start.game.as_ref();
    let board = game.board();
    let fide = match Variant::parse("fide").map(|fide| fide.on(board.geometry())) {
        Ok(AnyGame::Narrow(fide)) => fide,
        _ => unreachable!("orthodox chess is played on any board"),
    };
    compared(&start, fide)
}

/// From what share of targets missing a piece counts as much weaker, in hundredths. The page has
/// no figure; this one is ours.
const MUCH_PERCENT: u32 = 20;

/// Compares the men of a game with orthodox ones on the same board.
fn compared(start: &Start<Narrow>, fide: Arc<dyn Game<Narrow>>) -> Finding {
    let game = start.game.as_ref();
    let board = game.board();
    let squares = board.squares().len();
    let mut evidence = Evidence::new(&[
        "unit",
        "way",
        "units_in_array",
        "targets_sum",
        "targets_mean",
        "orthodox_targets_sum",
        "orthodox_targets_mean",
        "ratio",
    ]);
    let (mut weaker, mut much, mut pieces, mut pawns_stronger) = (0, 0, 0, false);
    let mut ratios = Vec::new();
    for kind in Kind::ALL {
        let units = start.position.units(Color::White, kind).len();
        let letter = game.men().letter(Color::White, kind);
        let mut row = |way: &str, of: &dyn Fn(&dyn Game<Narrow>, Square) -> u64| -> [u32; 2] {
            let sums = [game, fide.as_ref()].map(|game| {
                board
                    .squares()
                    .iter()
                    .map(|from| of(game, from).len())
                    .sum::<u32>()
            });
            let mean = |sum: u32| format!("{:.3}", f64::from(sum) / f64::from(squares));
            let ratio = format!("{:.3}", f64::from(sums[0]) / f64::from(sums[1]));
            evidence.row([
                letter.to_string(),
                way.to_string(),
                units.to_string(),
                sums[0].to_string(),
                mean(sums[0]),
                sums[1].to_string(),
                mean(sums[1]),
                ratio.clone(),
            ]);
            ratios.push(format!("{letter} {way} {ratio}"));
            sums
        };
        if kind == Kind::Pawn {
            let [quiet, orthodox] = row("going", &|game, from| targets(game, kind, from));
            let [takes, orthodox_takes] = row("capturing", &|game, from| {
                pawn_targets(game, Color::White, from, true)
            });
            pawns_stronger = quiet > orthodox && takes >= orthodox_takes;
        } else {
            let [ours, orthodox] = row("going", &|game, from| targets(game, kind, from));
            pieces += units;
            weaker += if ours < orthodox { units } else { 0 };
            much += if ours * 100 <= orthodox * (100 - MUCH_PERCENT) {
                units
            } else {
                0
            };
        }
    }
    let most = |n: u32| 2 * n > pieces;
    let (verdict, reading) = if !most(weaker) || !pawns_stronger {
        (Verdict::Refuted, "")
    } else if most(much) {
        (Verdict::Confirmed, "")
    } else {
        (
            Verdict::ConfirmedAsAmended,
            "; amended: most pieces are weaker, not most of them much weaker",
        )
    };
    Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary: format!(
            "mean number of targets on the empty board (for captures on a board full of enemies), \
             in parts of the orthodox unit's on the same {squares} squares: {}; of a side's \
             {pieces} pieces {weaker} have fewer targets, {much} at least {MUCH_PERCENT} % fewer, \
             which is taken for `much`{reading}",
            ratios.join(", ")
        ),
        evidence,
    }
}

/// All placements of units of different owners on different squares: calls back with a position
/// of the two kings, apart from each other, and one more unit.
fn three_units(
    game: &dyn Game<Narrow>,
    king: Square,
    mut work: impl FnMut(&mut Position<Narrow>, Color, Kind, Square),
) {
    let board = game.board();
    let free = board.squares().without(king);
    for other in (free & !board.neighbors(king)).iter() {
        for owner in Color::BOTH {
            for kind in Kind::ALL {
                if kind == Kind::King {
                    continue;
                }
                for square in free.without(other).iter() {
                    let mut p = Position::<Narrow>::empty();
                    p.put(Color::White, Kind::King, king);
                    p.put(Color::Black, Kind::King, other);
                    p.put(owner, kind, square);
                    work(&mut p, owner, kind, square);
                }
            }
        }
    }
}

/// Units of a side that attack the enemy king, and that stand on his royal squares.
fn checkers(game: &dyn Game<Narrow>, p: &Position<Narrow>, by: Color) -> (u64, u64) {
    let board = game.board();
    let attacking = p
        .units(!by, Kind::King)
        .first()
        .map_or(0, |king| game.attackers(p, king, by));
    (attacking, royal_squares(board, !by) & p.color(by))
}

fn every_unit_checks(_: &Effort) -> Finding {
    checks(start().game.as_ref())
}

/// Looks for a checking turn of each kind, both ways.
fn checks(game: &dyn Game<Narrow>) -> Finding {
    let board = game.board();
    // Kind and way (attack, entering) to witness: FEN, turn, outcome.
    let mut witnesses: BTreeMap<(Kind, bool), [String; 3]> = BTreeMap::new();
    for king in board.squares().iter() {
        three_units(game, king, |p, owner, kind, _| {
            p.side = Color::White;
            let wanted = [
                (kind, false),
                (kind, true),
                (Kind::King, false),
                (Kind::King, true),
            ];
            if owner != Color::White
                || wanted.iter().all(|way| witnesses.contains_key(way))
                || game.in_check(p, Color::Black)
            {
                return;
            }
            for (text, turn) in turns::sorted(game, p) {
                let step = turn.first();
                let after = game.play(p, &turn);
                let (attacking, entered) = checkers(game, &after, Color::White);
                for (entering, by) in [(false, attacking), (true, entered)] {
                    // A check that the step only uncovers is not the entering unit's.
                    if entering && !attacking.is_empty() {
                        continue;
                    }
                    if by.has(step.to) && game.in_check(&after, Color::Black) {
                        witnesses.entry((step.kind(), entering)).or_insert_with(|| {
                            [
                                fen::print(game, p),
                                text.clone(),
                                game.outcome(&after).to_string(),
                            ]
                        });
                    }
                }
            }
        });
    }
    let mut evidence = Evidence::new(&["unit", "way", "fen", "turn", "outcome"]);
    let (mut kinds, mut without) = (BTreeSet::new(), Vec::new());
    for kind in Kind::ALL {
        let letter = game.men().letter(Color::White, kind);
        for (entering, way) in [
            (false, "attacking the king"),
            (true, "entering a royal square"),
        ] {
            let [fen, turn, outcome] = match witnesses.get(&(kind, entering)) {
                Some(found) => {
                    kinds.insert(kind);
                    found.clone()
                }
                None => {
                    without.push(format!("{letter} {way}"));
                    ["none".to_string(), String::new(), String::new()]
                }
            };
            evidence.row([letter.to_string(), way.to_string(), fen, turn, outcome]);
        }
    }
    Finding {
        verdict: Verdict::of(kinds.len() == Kind::ALL.len()),
        scope: Scope::Witness,
        summary: format!(
            "{} of {} kinds give check with K and one unit against K; no check of this kind among \
             all those positions: {}",
            kinds.len(),
            Kind::ALL.len(),
            listed(&without)
        ),
        evidence,
    }
}

/// Counts of king steps.
#[derive(Clone, Copy, Default)]
struct KingSteps {
    positions: u64,
    steps: u64,
    checks: u64,
    direct: u64,
    entries: u64,
    mates: u64,
}

fn king_no_direct(effort: &Effort) -> Finding {
    king_steps(start().game.as_ref(), effort)
}

/// Judges every king step of every position of two kings and one unit.
fn king_steps(game: &dyn Game<Narrow>, effort: &Effort) -> Finding {
    let board = game.board();
    let squares: Vec<Square> = board.squares().iter().collect();
    type Part = (BTreeMap<(Kind, bool), KingSteps>, [Option<String>; 2]);
    let parts: Vec<Part> = squares
        .par_iter()
        .map(|&king| {
            let mut counts: BTreeMap<(Kind, bool), KingSteps> = BTreeMap::new();
            let mut shown = [None, None];
            if effort.stopped() {
                return (counts, shown);
            }
            three_units(game, king, |p, owner, kind, _| {
                for side in Color::BOTH {
                    p.side = side;
                    if game.in_check(p, !side) {
                        continue;
                    }
                    let count = counts.entry((kind, owner == side)).or_default();
                    count.positions += 1;
                    with_turns(|turns| {
                        game.turns(p, turns);
                        for turn in turns.iter().filter(|t| t.first().kind() == Kind::King) {
                            judge(game, p, turn, count, &mut shown);
                        }
                    });
                }
            });
            (counts, shown)
        })
        .collect();
    let mut all: BTreeMap<(Kind, bool), KingSteps> = BTreeMap::new();
    let mut shown = [None, None];
    for (counts, witnesses) in parts {
        for (key, c) in counts {
            let sum = all.entry(key).or_default();
            sum.positions += c.positions;
            sum.steps += c.steps;
            sum.checks += c.checks;
            sum.direct += c.direct;
            sum.entries += c.entries;
            sum.mates += c.mates;
        }
        for (known, found) in shown.iter_mut().zip(witnesses) {
            *known = known.take().or(found);
        }
    }
    let mut evidence = Evidence::new(&[
        "third_unit",
        "owned_by",
        "positions",
        "king_steps",
        "king_steps_that_leave_check",
        "kings_attacking_a_king",
        "entries_of_royal_squares",
        "entries_that_mate",
    ]);
    let mut sum = KingSteps::default();
    for ((kind, own), c) in &all {
        evidence.row([
            game.men().letter(Color::White, *kind).to_string(),
            if *own { "mover" } else { "opponent" }.to_string(),
            c.positions.to_string(),
            c.steps.to_string(),
            c.checks.to_string(),
            c.direct.to_string(),
            c.entries.to_string(),
            c.mates.to_string(),
        ]);
        sum.positions += c.positions;
        sum.steps += c.steps;
        sum.direct += c.direct;
        sum.entries += c.entries;
        sum.mates += c.mates;
    }
    let [direct, mate] = shown;
    let summary = format!(
        "all {} positions of two kings and one unit: of {} legal king steps {} attack the enemy \
         king{}; {} enter a royal square and {} of them mate{}",
        sum.positions,
        sum.steps,
        sum.direct,
        direct.map_or(String::new(), |at| format!(" ({at})")),
        sum.entries,
        sum.mates,
        mate.map_or(String::new(), |at| format!(", such as {at}")),
    );
    Finding::exhaustive(sum.direct == 0 && sum.mates > 0, summary, evidence)
}

/// Judges one king step.
fn judge(
    game: &dyn Game<Narrow>,
    p: &Position<Narrow>,
    turn: &Turn,
    count: &mut KingSteps,
    shown: &mut [Option<String>; 2],
) {
    let step = turn.first();
    let after = game.play(p, turn);
    let text = || format!("{} {}", fen::print(game, p), turns::print(game, p, turn));
    let (attacking, entered) = checkers(game, &after, p.side);
    count.steps += 1;
    count.checks += u64::from(game.in_check(&after, !p.side));
    if attacking.has(step.to) {
        count.direct += 1;
        shown[0].get_or_insert_with(text);
    }
    if entered.has(step.to) {
        count.entries += 1;
        if game.outcome(&after) == Outcome::Win(p.side, reason::CHECKMATE) {
            count.mates += 1;
            shown[1].get_or_insert_with(text);
        }
    }
}

/// Counts of positions with an intruder.
#[derive(Clone, Copy, Default)]
struct Intrusions {
    positions: u64,
    // No unit of the side to move attacks an intruder.
    unattacked: u64,
    // A legal turn captures an intruder.
    capturable: u64,
    // No legal turn captures one, and it is mate.
    mates: u64,
    // No legal turn captures one, and it is not mate.
    survived: u64,
}

/// Counts by number of units and by what intrudes, with the first counterexample.
type Census = (BTreeMap<(u32, String), Intrusions>, Option<String>);

fn intruder_mates(effort: &Effort) -> Finding {
    intrusions(start().game.as_ref(), 4, effort)
}

/// Judges every position of up to `most` units with an intruder on a royal square of the side to
/// move.
pub fn intrusions(game: &dyn Game<Narrow>, most: u32, effort: &Effort) -> Finding {
    let board = game.board();
    let mut pairs = Vec::new();
    for side in Color::BOTH {
        for king in board.squares().iter() {
            for other in (board.squares().without(king) & !board.neighbors(king)).iter() {
                pairs.push((side, king, other));
            }
        }
    }
    let parts: Vec<Census> = pairs
        .par_iter()
        .map(|&(side, king, other)| {
            let mut census = Census::default();
            if !effort.stopped() {
                with_kings(game, side, king, other, most, &mut census);
            }
            census
        })
        .collect();
    let mut all: BTreeMap<(u32, String), Intrusions> = BTreeMap::new();
    let mut counterexample = None;
    for (counts, fault) in parts {
        for (key, c) in counts {
            let sum = all.entry(key).or_default();
            sum.positions += c.positions;
            sum.unattacked += c.unattacked;
            sum.capturable += c.capturable;
            sum.mates += c.mates;
            sum.survived += c.survived;
        }
        counterexample = counterexample.or(fault);
    }
    let mut evidence = Evidence::new(&[
        "units",
        "intruders",
        "positions",
        "intruder_unattacked",
        "intruder_capturable_by_a_legal_turn",
        "not_capturable_and_mate",
        "not_capturable_and_no_mate",
    ]);
    let mut sum = Intrusions::default();
    for ((units, who), c) in &all {
        evidence.row([
            units.to_string(),
            who.clone(),
            c.positions.to_string(),
            c.unattacked.to_string(),
            c.capturable.to_string(),
            c.mates.to_string(),
            c.survived.to_string(),
        ]);
        sum.positions += c.positions;
        sum.unattacked += c.unattacked;
        sum.capturable += c.capturable;
        sum.mates += c.mates;
        sum.survived += c.survived;
    }
    let summary = format!(
        "all {} legal positions of up to {most} units with an intruder: no legal turn captures it \
         in {}, {} of these are mate (in {} of the positions nothing even attacks it){}",
        sum.positions,
        sum.mates + sum.survived,
        sum.mates,
        sum.unattacked,
        counterexample.map_or(String::new(), |c| format!("; no mate: {c}")),
    );
    Finding::exhaustive(sum.survived == 0 && sum.mates > 0, summary, evidence)
}

/// Every way to add up to `most - 2` units to two kings so that `side`, to move, has an intruder.
fn with_kings(
    game: &dyn Game<Narrow>,
    side: Color,
    king: Square,
    other: Square,
    most: u32,
    census: &mut Census,
) {
    let board = game.board();
    let royal = royal_squares(board, side);
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|&k| k != Kind::King).collect();
    let mut p = Position::<Narrow>::empty();
    p.side = side;
    p.put(side, Kind::King, king);
    p.put(!side, Kind::King, other);
    let free = board.squares().without(king).without(other);
    // All further units in one order, so that each set of units comes once.
    let units: Vec<(Square, Color, Kind)> = free
        .iter()
        .flat_map(|square| {
            let kinds = &kinds;
            Color::BOTH
                .into_iter()
                .flat_map(move |color| kinds.iter().map(move |&kind| (square, color, kind)))
        })
        .collect();
    if royal.has(other) {
        intrusion(game, &p, census);
    }
    for (i, &(first, color, kind)) in units.iter().enumerate() {
        if most < 3 {
            break;
        }
        let mut p = p;
        p.put(color, kind, first);
        let already = royal.has(other) || (color != side && royal.has(first));
        if already {
            intrusion(game, &p, census);
        }
        for &(second, color, kind) in &units[i + 1..] {
            if most < 4 {
                break;
            }
            if second != first && (already || (color != side && royal.has(second))) {
                let mut p = p;
                p.put(color, kind, second);
                intrusion(game, &p, census);
            }
        }
    }
}

/// Judges a position with an intruder, unless the opponent could not have left it so.
fn intrusion(game: &dyn Game<Narrow>, p: &Position<Narrow>, census: &mut Census) {
    if game.in_check(p, !p.side) {
        return;
    }
    let intruders = royal_squares(game.board(), p.side) & p.color(!p.side);
    let who: String = intruders
        .iter()
        .map(|square| game.men().letter(Color::White, p.kind_on(square)))
        .collect();
    let count = match census.0.get_mut(&(p.occupied().len(), who.clone())) {
        Some(count) => count,
        None => census.0.entry((p.occupied().len(), who)).or_default(),
    };
    count.positions += 1;
    let attacked = intruders
        .iter()
        .any(|square| game.attackers(p, square, p.side) != 0);
    count.unattacked += u64::from(!attacked);
    let captured = with_turns(|turns| {
        game.turns(p, turns);
        turns.iter().any(|turn| intruders.has(turn.first().to))
    });
    if captured {
        count.capturable += 1;
    } else if game.outcome(p) == Outcome::Win(!p.side, reason::CHECKMATE) {
        count.mates += 1;
    } else {
        count.survived += 1;
        census.1.get_or_insert_with(|| fen::print(game, p));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Verdict;

    fn effort() -> Effort<'static> {
        Effort {
            deep: false,
            threads: 1,
            memory_bytes: u64::MAX,
            stop: None,
        }
    }

    /// Orthodox chess on the same board, where no square is royal.
    fn orthodox() -> Arc<dyn Game<Narrow>> {
        match Variant::parse("fide").map(|v| v.on(start().game.board().geometry())) {
            Ok(AnyGame::Narrow(game)) => game,
            _ => unreachable!("orthodox chess is played on any board"),
        }
    }

    #[test]
    fn under_orthodox_rules_an_intruder_does_not_mate() {
        let found = intrusions(orthodox().as_ref(), 3, &effort());
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }

    #[test]
    fn under_orthodox_rules_kings_never_mate() {
        let found = king_steps(orthodox().as_ref(), &effort());
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }

    #[test]
    fn under_orthodox_rules_kings_never_check() {
        let found = checks(orthodox().as_ref());
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }

    #[test]
    fn orthodox_men_are_not_weaker_than_themselves() {
        let (position, game) = (start().position, orthodox());
        let found = compared(
            &Start {
                position,
                game: game.clone(),
            },
            game,
        );
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }
}
