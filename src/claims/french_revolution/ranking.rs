//! The ranking function, tested on every pawn step and every piece step there can be.

use super::{steps_left, variants};
use crate::{Effort, Evidence, Finding, Scope, Verdict, listed, opened};
use board::{Board, Color, Kind, Square, Squares};
use control::parallel;
use notation::{fen, turns};
use position::Position;
use rules::{Game, fide::PIECES, with_turns};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use values::Layout;

/// What tests of the ranking function found for one variant.
#[derive(Clone, Debug, Default)]
struct Ranking {
    positions: u64,
    turns: u64,
    straight: u64,
    captures: u64,
    promotions: u64,
    // Steps left at the start, by side.
    start: [u32; 2],
    faults: u64,
    fault: Option<String>,
}

impl Ranking {
    fn add(&mut self, other: Ranking) {
        self.positions += other.positions;
        self.turns += other.turns;
        self.straight += other.straight;
        self.captures += other.captures;
        self.promotions += other.promotions;
        self.faults += other.faults;
        self.fault = self.fault.take().or(other.fault);
    }
}

/// Tests the ranking function on every pseudo-legal turn of a position; legal turns are among
/// them.
fn judge<W: Layout>(game: &dyn Game<W>, p: &Position<W>, ranking: &mut Ranking) {
    let board = game.board();
    let geometry = board.geometry();
    // Whose pawns the side to move moves.
    let owner = if game.variant().has("avalanche") {
        !p.side
    } else {
        p.side
    };
    let steps_of_both = |p: &Position<W>| {
        [
            steps_left(board, p, Color::White),
            steps_left(board, p, Color::Black),
        ]
    };
    let before = steps_of_both(p);
    ranking.positions += 1;
    with_turns(|list| {
        game.pseudo_turns(p, list);
        for turn in list.iter() {
            let after = game.play(p, turn);
            let left = steps_of_both(&after);
            let of = owner.index();
            let pawn_steps = turn.steps().filter(|s| s.kind() == Kind::Pawn).count();
            let last = turn.steps().last();
            let ahead = last.is_some_and(|step| {
                let (from, to) = (geometry.rank(step.from), geometry.rank(step.to));
                step.kind() == Kind::Pawn
                    && match owner {
                        Color::White => to == from + 1,
                        Color::Black => from == to + 1,
                    }
            });
            let falls = left[of] < before[of] && left[1 - of] <= before[1 - of];
            ranking.turns += 1;
            if let Some(step) = last {
                let aside = geometry.file(step.from) != geometry.file(step.to);
                *(if aside {
                    &mut ranking.captures
                } else {
                    &mut ranking.straight
                }) += 1;
                ranking.promotions += u64::from(step.becomes().is_some());
            }
            if pawn_steps != 1 || !ahead || !falls {
                ranking.faults += 1;
                ranking.fault.get_or_insert_with(|| {
                    format!("{} {}", fen::print(game, p), turns::print(game, p, turn))
                });
            }
        }
    });
}

/// Returns a position with one more unit, on a vacant square that is legal for it.
fn with<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    unit: Option<(Color, Kind)>,
    square: Option<Square>,
) -> Option<Position<W>> {
    let Some((color, kind)) = unit else {
        return Some(*p);
    };
    let square = square?;
    if p.occupied().has(square) || (kind == Kind::Pawn && game.no_pawns(color).has(square)) {
        return None;
    }
    let mut p = *p;
    p.put(color, kind, square);
    Some(p)
}

/// Puts both kings on the outermost vacant squares apart from `kept`.
fn with_kings<W: Layout>(
    board: &Board<W::Set>,
    p: &Position<W>,
    kept: W::Set,
) -> Option<Position<W>> {
    let free = board.squares() & !p.occupied() & !kept;
    let mut p = *p;
    let own = free.first()?;
    let other = free.without(own).iter().last()?;
    p.put(p.side, Kind::King, own);
    p.put(!p.side, Kind::King, other);
    Some(p)
}

/// Every pawn step of a pawn on one square: both owners, either side to move, everything that may
/// be on the three squares ahead.
fn pawn_positions<W: Layout>(game: &dyn Game<W>, from: Square, ranking: &mut Ranking) {
    let board = game.board();
    for owner in Color::BOTH {
        if game.no_pawns(owner).has(from) {
            continue;
        }
        let enemies = [
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
        ];
        let mut contents = vec![None, Some((owner, Kind::Pawn)), Some((owner, Kind::Knight))];
        contents.extend(enemies.map(|kind| Some((!owner, kind))));
        let ahead = match owner {
            Color::White => [2, 1, 3],
            Color::Black => [6, 5, 7],
        }
        .map(|direction| board.neighbor(from, direction));
        let kept = ahead
            .into_iter()
            .flatten()
            .fold(W::Set::of(from), W::Set::with);
        for (side, state) in [(Color::White, 0), (Color::White, 1), (Color::Black, 0)] {
            let mut p = Position::<W>::empty();
            p.side = side;
            p.state = state;
            p.put(owner, Kind::Pawn, from);
            for &straight in &contents {
                let Some(p) = with(game, &p, straight, ahead[0]) else {
                    continue;
                };
                for &one in &contents {
                    let Some(p) = with(game, &p, one, ahead[1]) else {
                        continue;
                    };
                    for &other in &contents {
                        let ready = with(game, &p, other, ahead[2]);
                        if let Some(p) = ready.and_then(|p| with_kings(board, &p, kept)) {
                            judge(game, &p, ranking);
                        }
                    }
                }
            }
        }
    }
}

/// Every step of a piece on one square, with and without a capture, in turns with pawn steps.
fn piece_positions<W: Layout>(game: &dyn Game<W>, from: Square, ranking: &mut Ranking) {
    let board = game.board();
    let middle = board.geometry().ranks() / 2;
    for side in Color::BOTH {
        for kind in PIECES {
            let mut p = Position::<W>::empty();
            p.side = side;
            p.put(side, kind, from);
            for to in board.reach(kind, from, W::Set::EMPTY).iter() {
                for unit in [None, Some((!side, Kind::Pawn)), Some((!side, Kind::Queen))] {
                    let Some(mut p) = with(game, &p, unit, Some(to)) else {
                        continue;
                    };
                    // A pawn of each side to step.
                    for (color, rank) in [(Color::White, middle), (Color::Black, middle - 1)] {
                        let room = board.rank_set(rank) & !p.occupied();
                        if let Some(square) = room.without(to).first() {
                            p.put(color, Kind::Pawn, square);
                        }
                    }
                    if kind != Kind::King {
                        match with_kings(board, &p, W::Set::of(to)) {
                            Some(ready) => p = ready,
                            None => continue,
                        }
                    }
                    judge(game, &p, ranking);
                }
            }
        }
    }
}

/// Tests the ranking function of one variant.
fn ranking_of<W: Layout>(game: &dyn Game<W>, start: &Position<W>, effort: &Effort) -> Ranking {
    let board = game.board();
    let squares: Vec<Square> = board.squares().iter().collect();
    let parts: Vec<Ranking> = parallel::map_all(&squares, |&from| {
        let mut ranking = Ranking::default();
        if !effort.stopped() {
            pawn_positions(game, from, &mut ranking);
            piece_positions(game, from, &mut ranking);
        }
        ranking
    });
    let mut ranking = Ranking {
        start: Color::BOTH.map(|color| steps_left(board, start, color)),
        ..Ranking::default()
    };
    judge(game, start, &mut ranking);
    for part in parts {
        ranking.add(part);
    }
    // Castling: the array without the pieces between king and rooks.
    for side in Color::BOTH {
        let mut p = *start;
        for kind in [Kind::Knight, Kind::Bishop, Kind::Queen] {
            p.clear_all(p.kind(kind));
        }
        p.side = side;
        p.state = 0;
        judge(game, &p, &mut ranking);
    }
    ranking
}

fn ranking(id: &str, effort: &Effort) -> Ranking {
    let tested = || {
        with_setup!(opened(id, None), start => {
            ranking_of(start.game.as_ref(), &start.position, effort)
        })
    };
    match effort.shared {
        Some(shared) => shared.rankings.of(id, tested),
        None => tested(),
    }
}

/// The rankings of variants that are tested already.
#[derive(Debug, Default)]
pub(crate) struct Rankings(Mutex<BTreeMap<String, Arc<OnceLock<Ranking>>>>);

impl Rankings {
    /// Returns the value of a variant; `test` computes it if it is not known.
    fn of(&self, id: &str, test: impl FnOnce() -> Ranking) -> Ranking {
        let known = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(id.to_string()).or_default())
        };
        known.get_or_init(test).clone()
    }
}

const RANKING_COLUMNS: [&str; 10] = [
    "variant",
    "positions",
    "turns",
    "pawn_steps_straight",
    "pawn_captures",
    "promotions",
    "white_steps_at_start",
    "black_steps_at_start",
    "turns_against_the_ranking",
    "counterexample",
];

fn ranking_row(id: &str, ranking: &Ranking) -> Vec<String> {
    vec![
        id.to_string(),
        ranking.positions.to_string(),
        ranking.turns.to_string(),
        ranking.straight.to_string(),
        ranking.captures.to_string(),
        ranking.promotions.to_string(),
        ranking.start[0].to_string(),
        ranking.start[1].to_string(),
        ranking.faults.to_string(),
        ranking.fault.clone().unwrap_or_default(),
    ]
}

/// Rankings of several variants: those of which each side has at most `bound` steps and no turn
/// goes against the ranking; turns tested; steps at the start.
pub(super) struct Proof {
    pub(super) holds: bool,
    turns: u64,
    faults: u64,
    start: Vec<u32>,
    rows: Vec<Vec<String>>,
}

pub(super) fn proof(ids: &[String], bound: u32, effort: &Effort) -> Proof {
    let mut proof = Proof {
        holds: !ids.is_empty(),
        turns: 0,
        faults: 0,
        start: Vec::new(),
        rows: Vec::new(),
    };
    for id in ids {
        let found = ranking(id, effort);
        proof.holds &= found.faults == 0
            && found.captures + found.straight == found.turns
            && found.start.iter().all(|&steps| steps <= bound);
        proof.turns += found.turns;
        proof.faults += found.faults;
        proof.start.extend(found.start);
        proof.rows.push(ranking_row(id, &found));
    }
    proof.start.sort_unstable();
    proof.start.dedup();
    proof
}

impl Proof {
    pub(super) fn text(&self) -> String {
        let steps: Vec<String> = self.start.iter().map(u32::to_string).collect();
        format!(
            "pawn steps left at the start, each side: {}; of {} turns tested (every pawn step \
             there can be, captures and promotions included) {} do not lower them",
            listed(&steps),
            self.turns,
            self.faults
        )
    }
}

pub(super) fn pawn_steps(effort: &Effort) -> Finding {
    let mut evidence = Evidence::new(&RANKING_COLUMNS);
    let (mut holds, mut texts) = (true, Vec::new());
    for (ten, bound, name) in [
        (false, 24, "main game and options on eight ranks"),
        (true, 32, "on ten ranks, where the page's bound is 32"),
    ] {
        let ids = variants(|set| set.contains(&"ten-rows") == ten);
        let proof = proof(&ids, bound, effort);
        holds &= proof.holds;
        texts.push(format!("{name}, {} variants: {}", ids.len(), proof.text()));
        evidence.rows.extend(proof.rows);
    }
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Proof,
        summary: texts.join("; "),
        evidence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orthodox_turns_go_against_the_ranking() {
        // In orthodox chess a turn need not be a pawn step, so the same test must fail.
        let found = ranking("fide", &Effort::SMALL);
        assert!(found.faults > 0 && found.turns > 0);
    }

    #[test]
    fn a_bound_one_too_small_is_not_proven() {
        let ids = variants(|set| set.is_empty());
        assert!(proof(&ids, 24, &Effort::SMALL).holds);
        assert!(!proof(&ids, 23, &Effort::SMALL).holds);
    }
}
