//! Contravention Chess: who wins after a king has stepped into a double check.
//!
//! Covers positions of up to four units: a lone king against a king and two of N, B, R, Q. Kings may not give
//! check, so both checking units are among the latter two. On the full board, the check counts the positions
//! that the lone king's side wins at once, because the opponent cannot end both checks. Endgame tables solve
//! the remaining positions on smaller boards, and with `deep` also on the full board.
//!
//! Compiled because the claim is about the values of positions after a certain kind of turn: it needs the set
//! of positions by their last turn, on four boards, with the tables of nine forces.

use super::{share, start};
use crate::{Effort, Evidence, Finding, Scope, Verdict};
use board::{Color, Geometry, Kind, Square, Squares};
use control::{Control, parallel};
use diagnostics::Diagnostic;
use notation::fen;
use position::{Narrow, Position};
use rules::{AnyGame, Game, with_turns};
use std::sync::Arc;
use tables::{Failed, Signature, Tables, build};

/// The kinds of units into whose check a king may step.
const CHECKING: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// Returns the sets of at most `most` units that accompany the enemy king.
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

/// Returns the units that attack the lone (black) king.
fn checkers(game: &dyn Game<Narrow>, p: &Position<Narrow>) -> u64 {
    p.units(Color::Black, Kind::King)
        .first()
        .map_or(0, |king| game.attackers(p, king, Color::White))
}

/// Returns the position before a legal step of the lone king to its square in `p`, if there is one.
fn stepped(game: &dyn Game<Narrow>, p: &Position<Narrow>) -> Option<Position<Narrow>> {
    let king = p.units(Color::Black, Kind::King).first()?;
    let vacant = game.board().neighbors(king) & !p.occupied();
    vacant.iter().find_map(|from| {
        let mut before = *p;
        before.shift(Color::Black, Kind::King, king, from);
        before.side = Color::Black;
        before.state = 0;
        if game.in_check(&before, Color::Black) || game.check_no_opposite_check(&before).is_err() {
            return None;
        }
        with_turns(|turns| {
            game.turns(&before, turns);
            let step = turns.iter().find(|turn| turn.first().to == king);
            step.map(|turn| game.play(&before, turn))
        })
    })
}

/// Counts of double checks that a king has stepped into.
#[derive(Clone, Default)]
struct Count {
    all: u64,
    at_once: u64,
    /// Wins, draws and losses under best play, in this order. Without tables, only the wins at once are
    /// counted.
    ends: [u64; 3],
    /// A position that is not won at once; if tables solved it, a position that is not won at all.
    other: Option<Position<Narrow>>,
    /// Positions that are not won at once, each with the number of symmetric positions that it represents.
    rest: Vec<(Position<Narrow>, u64)>,
}

impl Count {
    fn add(&mut self, more: Count) {
        self.all += more.all;
        self.at_once += more.at_once;
        for (end, n) in self.ends.iter_mut().zip(more.ends) {
            *end += n;
        }
        self.other = self.other.or(more.other);
        self.rest.extend(more.rest);
    }
}

/// Counts the double checks of one force against a lone king on one square of the board.
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
            let Some(after) = stepped(game, p) else {
                return;
            };
            found.all += weight;
            if game.outcome(&after).worth(Color::Black) > 0 {
                found.at_once += weight;
                found.ends[0] += weight;
            } else {
                found.rest.push((after, weight));
            }
        });
    }
    found.other = found.rest.first().map(|(after, _)| *after);
    found
}

/// Values the positions that are not won at once, using the tables of one force.
fn solved(
    game: &Arc<dyn Game<Narrow>>,
    force: &[Kind],
    found: &mut Count,
    control: &Control<'_>,
) -> Result<(), Failed> {
    found.other = None;
    if found.rest.is_empty() {
        return Ok(());
    }
    // Build separate tables for each force: the tables that several forces share are comparatively small.
    let tables = Tables::new(Arc::clone(game), None);
    let signature = Signature::parse(game.as_ref(), &format!("{}vK", name(game.as_ref(), force)))?;
    build(&tables, &signature, control)?;
    for (after, weight) in &found.rest {
        let Some(value) = tables.value(after)? else {
            return Err(Diagnostic::new("table", "it lacks a double check").into());
        };
        // The value is for the side to move, and the lone king's side has just moved.
        let end = (value.worth().signum() + 1) as usize;
        found.ends[end] += weight;
        if end != 0 {
            found.other.get_or_insert(*after);
        }
    }
    Ok(())
}

/// Places the units of a force on all sets of squares from which each unit attacks the lone king. Equal units
/// are placed in increasing order of squares. Testing each unit as it is placed loses no position: a unit
/// that is placed later can block an attack, but never add one.
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
        if !checkers(game, p).has(square) {
            p.take(Color::White, kind, square);
            continue;
        }
        let next = if rest.first() == Some(&kind) {
            square
        } else {
            Square(0)
        };
        place(game, p, rest, next, work);
        p.take(Color::White, kind, square);
    }
}

/// Returns the squares of one eighth of the board, each with the number of symmetric squares that it
/// represents.
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

/// Board sizes that are always solved, and those that are solved with `deep`.
const SOLVED: [u8; 3] = [4, 5, 6];
const SOLVED_DEEP: [u8; 4] = [4, 5, 6, 8];

pub(super) fn check(effort: &Effort) -> Finding {
    double_checks(if effort.deep { &SOLVED_DEEP } else { &SOLVED }, effort)
}

/// The double checks of one board by force, either solved or only counted.
struct Board {
    size: String,
    forces: Vec<(Vec<Kind>, Count)>,
    sum: Count,
    solved: bool,
}

/// Counts the double checks of a board, and solves them by endgame tables if requested.
fn of_board(game: &Arc<dyn Game<Narrow>>, solve: bool, effort: &Effort) -> Result<Board, Failed> {
    let mut board = Board {
        size: game.board().geometry().size(),
        forces: Vec::new(),
        sum: Count::default(),
        solved: solve,
    };
    for force in forces(2) {
        let squares = eighth(game.board().geometry());
        let parts = parallel::try_map(squares.len(), |at| {
            effort.control.check()?;
            let (king, other) = squares[at];
            Ok::<_, Failed>(count(game.as_ref(), &force, king, other))
        })?;
        let mut sum = Count::default();
        for part in parts {
            sum.add(part);
        }
        if solve {
            solved(game, &force, &mut sum, &effort.control)?;
        }
        sum.rest = Vec::new();
        board.sum.add(sum.clone());
        board.forces.push((force, sum));
    }
    Ok(board)
}

/// Returns the enemy king and a force in the notation of signatures.
fn name(game: &dyn Game<Narrow>, force: &[Kind]) -> String {
    let kinds = force
        .iter()
        .map(|&kind| game.men().letter(Color::White, kind));
    format!("K{}", kinds.collect::<String>())
}

/// Adds the counts of a board, one row for each force.
fn add_rows(game: &dyn Game<Narrow>, board: &Board, evidence: &mut Evidence) {
    for (force, sum) in &board.forces {
        let end = |n: u64| match board.solved {
            true => n.to_string(),
            false => String::new(),
        };
        let [wins, draws, losses] = sum.ends;
        evidence.row([
            board.size.clone(),
            name(game, force),
            sum.all.to_string(),
            sum.at_once.to_string(),
            end(wins),
            end(draws),
            end(losses),
            board.solved.to_string(),
            sum.other.map_or(String::new(), |p| fen::print(game, &p)),
        ]);
    }
}

/// Counts double checks on the full board, and solves the double checks of square boards with these sizes.
pub fn double_checks(sizes: &[u8], effort: &Effort) -> Finding {
    let whole = start("contravention").game;
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
    let side = whole.board().geometry().files();
    let mut boards = vec![(side, sizes.contains(&side))];
    boards.extend(sizes.iter().filter(|&&n| n != side).map(|&n| (n, true)));
    let (mut text, mut mostly) = (Vec::new(), None);
    for (size, solve) in boards {
        let Some(geometry) = Geometry::new(size, size, 0, false) else {
            continue;
        };
        let any = whole.variant().on(geometry).ok();
        let Some(game) = any.as_ref().and_then(AnyGame::get::<Narrow>) else {
            continue;
        };
        let mut found = of_board(game, solve, effort);
        if let Err(Failed::Memory { shortage, .. }) = &found {
            text.push(format!(
                "{} is not solved: that needs {} megabytes",
                geometry.size(),
                shortage.needed_bytes.div_ceil(1 << 20)
            ));
            found = of_board(game, false, effort);
        }
        let board = match found {
            Ok(board) => board,
            Err(stopped) => {
                text.push(format!("{}: {stopped}", geometry.size()));
                continue;
            }
        };
        add_rows(game.as_ref(), &board, &mut evidence);
        let Count {
            all, at_once, ends, ..
        } = board.sum;
        let [wins, draws, losses] = ends;
        text.push(match board.solved {
            true => format!(
                "on {}, all solved, {wins} of {all} ({}) win, {at_once} of them at once, {draws} \
                 draw, {losses} lose",
                board.size,
                share(wins, all)
            ),
            false => format!(
                "on {}, among positions of up to 4 units, {all} in which a king has stepped into a \
                 double check: {at_once} ({}) win at once, the rest is not solved",
                board.size,
                share(at_once, all)
            ),
        });
        if size == side {
            let wins = if board.solved { wins } else { at_once };
            mostly = match (wins * 2 > all, board.solved) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            };
        }
    }
    text.push(
        "`generally` is read as in more than half of all positions of up to 4 units on the whole \
         board; fewer than 4 make no double check"
            .to_string(),
    );
    let (verdict, scope) = match mostly {
        Some(true) => (Verdict::Confirmed, Scope::Exhaustive),
        Some(false) => (Verdict::Refuted, Scope::Exhaustive),
        None => (Verdict::Open, Scope::Sample),
    };
    Finding {
        verdict,
        scope,
        summary: text.join("; "),
        evidence,
    }
}
