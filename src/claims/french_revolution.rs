//! Claims about French Revolution Chess (Hans Bodlaender, The Chess Variant Pages, 2000).
//!
//! A turn in the page's sense, of which there are at most 24, is one of White and one of Black:
//! each side has 24 pawn steps and every one of its turns takes one, so that a side makes at most
//! 24 turns. Single turns of either side are called plies here.
//!
//! The ranking function of the proofs is [`steps_left`]: the ranks that a side's pawns still have
//! before them. Every turn of a side lowers its own (in Avalanche fashion the opponent's) by one
//! or more and raises none, which is tested on every pawn step there can be: what a pawn step does
//! depends on nothing but its square and the three squares ahead.

use super::{Claim, Effort, Evidence, Finding, Scope, Verdict, listed, opened};
use crate::board::{Board, Color, Kind, Square, Squares};
use crate::explore::{Beam, Limit, Limits, Silent, beam, explore};
use crate::notation::{Setup, fen, turns};
use crate::position::{Layout, Position};
use crate::rules::{Game, Outcome, Turn, Variant, fide::PIECES, with_turns};
use crate::with_setup;
use rayon::prelude::*;
use std::collections::BTreeMap;

const PAGE: &str = "French Revolution Chess, The Chess Variant Pages, 2000";
const BEYOND: &str = "beyond the page French Revolution Chess, The Chess Variant Pages, 2000";
const ID: &str = "french-revolution";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "french-revolution/pawn-steps",
        source: PAGE,
        claim: "each side's pawns can make 24 steps at most",
        check: pawn_steps,
    },
    Claim {
        id: "french-revolution/24-turns",
        source: PAGE,
        claim: "no game is longer than 24 turns",
        check: |effort| longest(false, 24, effort),
    },
    Claim {
        id: "french-revolution/24-tight",
        source: BEYOND,
        claim: "a legal game of 24 turns exists",
        check: |effort| tight(false, 24, effort),
    },
    Claim {
        id: "french-revolution/32-turns",
        source: PAGE,
        claim: "with two more ranks no game is longer than 32 turns",
        check: |effort| longest(true, 32, effort),
    },
    Claim {
        id: "french-revolution/32-tight",
        source: BEYOND,
        claim: "with two more ranks a legal game of 32 turns exists",
        check: |effort| tight(true, 32, effort),
    },
    Claim {
        id: "french-revolution/first-turn",
        source: PAGE,
        claim: "White's first turn is a pawn step alone",
        check: first_turn,
    },
    Claim {
        id: "french-revolution/avalanche",
        source: BEYOND,
        claim: "the bounds of 24 and 32 turns hold in Avalanche fashion too",
        check: avalanche,
    },
];

/// The ranks that the pawns of a side still have before them.
pub fn steps_left<W: Layout>(board: &Board<W::Set>, p: &Position<W>, color: Color) -> u32 {
    let geometry = board.geometry();
    p.units(color, Kind::Pawn)
        .iter()
        .map(|square| {
            let rank = geometry.rank(square);
            u32::from(match color {
                Color::White => geometry.ranks() - 1 - rank,
                Color::Black => rank,
            })
        })
        .sum()
}

/// The page's turns in so many plies, the last one perhaps of White alone.
fn full_turns(plies: usize) -> usize {
    plies.div_ceil(2)
}

/// Every combination of options, as ids.
fn variants(wanted: impl Fn(&[&str]) -> bool) -> Vec<String> {
    const OPTIONS: [&str; 4] = ["weak-loss", "no-promotion", "ten-rows", "avalanche"];
    (0..1u32 << OPTIONS.len())
        .map(|bits| {
            let set = (0..OPTIONS.len()).filter(|i| bits >> i & 1 == 1);
            set.map(|i| OPTIONS[i]).collect::<Vec<_>>()
        })
        .filter(|set| wanted(set))
        .map(|set| named(&set))
        .collect()
}

fn named(options: &[&str]) -> String {
    if options.is_empty() {
        ID.to_string()
    } else {
        format!("{ID}:{}", options.join(","))
    }
}

/// What tests of the ranking function found for one variant.
#[derive(Clone, Default)]
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
    let before = Color::BOTH.map(|color| steps_left(board, p, color));
    ranking.positions += 1;
    with_turns(|list| {
        game.pseudo_turns(p, list);
        for turn in list.iter() {
            let after = game.play(p, turn);
            let left = Color::BOTH.map(|color| steps_left(board, &after, color));
            let of = owner.index();
            let steps: Vec<_> = turn.steps().collect();
            let pawn_steps = steps.iter().filter(|s| s.kind() == Kind::Pawn).count();
            let ahead = steps.last().is_some_and(|step| {
                let (from, to) = (geometry.rank(step.from), geometry.rank(step.to));
                step.kind() == Kind::Pawn
                    && match owner {
                        Color::White => to == from + 1,
                        Color::Black => from == to + 1,
                    }
            });
            let falls = left[of] < before[of] && left[1 - of] <= before[1 - of];
            ranking.turns += 1;
            if let Some(step) = steps.last() {
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

/// A position with a unit more, on a vacant square where it may stand.
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
/// stand on the three squares ahead.
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
    let parts: Vec<Ranking> = squares
        .par_iter()
        .map(|&from| {
            let mut ranking = Ranking::default();
            if !effort.stopped() {
                pawn_positions(game, from, &mut ranking);
                piece_positions(game, from, &mut ranking);
            }
            ranking
        })
        .collect();
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
    with_setup!(opened(id, None), start => ranking_of(start.game.as_ref(), &start.position, effort))
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
struct Proof {
    holds: bool,
    turns: u64,
    faults: u64,
    start: Vec<u32>,
    rows: Vec<Vec<String>>,
}

fn proof(ids: &[String], bound: u32, effort: &Effort) -> Proof {
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
    fn text(&self) -> String {
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

fn pawn_steps(effort: &Effort) -> Finding {
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

/// A reduced board with its array.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Reduced {
    options: &'static [&'static str],
    files: usize,
    ranks: usize,
    white: String,
    black: String,
}

impl Reduced {
    /// Steps of each pawn.
    fn steps(&self) -> usize {
        self.ranks / 2 - 1
    }

    /// The page's bound on this board, in turns.
    fn bound(&self) -> usize {
        self.files * self.steps()
    }

    /// The row of an array that is no legal start, and of others like it.
    fn refused_row(&self, arrays: usize, why: &str) -> Vec<String> {
        let mut row = vec![
            named(self.options),
            format!("{}x{}", self.files, self.ranks),
            self.fen(),
            self.steps().to_string(),
            self.bound().to_string(),
        ];
        row.resize(GRAPH_COLUMNS.len(), String::new());
        row[7] = format!("no legal start ({arrays} arrays)");
        row[12] = why.to_string();
        row
    }

    /// Pawns past each other in the middle, as on the page; on an odd number of ranks with one
    /// rank between them.
    fn fen(&self) -> String {
        let mut rows = vec![self.files.to_string(); self.ranks];
        let white_rank = self.ranks - 1 - self.steps();
        rows[white_rank] = "P".repeat(self.files);
        rows[self.steps()] = "p".repeat(self.files);
        let row = |text: &str| text.replace(' ', "1");
        rows[0] = row(&self.white.to_ascii_uppercase());
        rows[self.ranks - 1] = row(&self.black.to_ascii_lowercase());
        // Counts of vacant squares are one number.
        let joined: Vec<String> = rows.iter().rev().map(|row| merged(row)).collect();
        format!("{} w - - 0 1 first=1", joined.join("/"))
    }
}

/// A row with its ones added up.
fn merged(row: &str) -> String {
    let (mut text, mut vacant) = (String::new(), 0);
    if row.bytes().all(|b| b.is_ascii_digit()) && !row.contains('1') {
        return row.to_string();
    }
    for c in row.chars() {
        if c == '1' {
            vacant += 1;
            continue;
        }
        if vacant > 0 {
            text += &vacant.to_string();
            vacant = 0;
        }
        text.push(c);
    }
    if vacant > 0 {
        text += &vacant.to_string();
    }
    text
}

/// First ranks with a king and at most one piece more, `None` for that piece: the king alone.
fn arrays(files: usize, pieces: bool) -> Vec<[String; 2]> {
    let lone = |at: usize| -> String {
        (0..files)
            .map(|i| if i == at { 'K' } else { ' ' })
            .collect()
    };
    let mirrored = |row: &str| -> String { row.chars().rev().collect() };
    let mut found: Vec<[String; 2]> = Vec::new();
    let mut add = |white: String, black: String| {
        let mirror = [mirrored(&white), mirrored(&black)];
        if !found.contains(&mirror) {
            found.push([white, black]);
        }
    };
    for white in 0..files {
        for black in 0..files {
            add(lone(white), lone(black));
        }
    }
    if pieces {
        for king in 0..files {
            for other in (0..files).filter(|&i| i != king) {
                for letter in ['N', 'B', 'R', 'Q'] {
                    let row: String = lone(king)
                        .chars()
                        .enumerate()
                        .map(|(i, c)| if i == other { letter } else { c })
                        .collect();
                    add(row.clone(), row);
                }
            }
        }
    }
    found
}

/// The graph of a reduced board.
struct Graph {
    reduced: Reduced,
    states: u64,
    edges: u64,
    acyclic: bool,
    limit: Option<Limit>,
    longest_plies: usize,
    // Of the longest game: how it ends, steps left and steps lost with captured pawns, by side.
    end: Outcome,
    left: [u32; 2],
    lost: [u32; 2],
    line: String,
}

impl Graph {
    fn reached(&self) -> bool {
        full_turns(self.longest_plies) == self.reduced.bound()
    }

    /// Why the bound is not reached, by the longest game.
    fn why(&self) -> String {
        if self.reached() || self.limit.is_some() {
            return String::new();
        }
        let mut parts = Vec::new();
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let (left, lost) = (self.left[color.index()], self.lost[color.index()]);
            if lost > 0 {
                parts.push(format!("{name} loses {lost} pawn steps by captures"));
            }
            if left > 0 {
                parts.push(format!("{name} cannot play {left}"));
            }
        }
        format!("{} with `{}`", parts.join(" and "), self.end)
    }

    fn row(&self) -> Vec<String> {
        vec![
            named(self.reduced.options),
            format!("{}x{}", self.reduced.files, self.reduced.ranks),
            self.reduced.fen(),
            self.reduced.steps().to_string(),
            self.reduced.bound().to_string(),
            self.states.to_string(),
            self.edges.to_string(),
            match self.limit {
                None => "complete".to_string(),
                Some(limit) => format!("stopped by {limit}"),
            },
            self.acyclic.to_string(),
            self.longest_plies.to_string(),
            full_turns(self.longest_plies).to_string(),
            match (self.reached(), self.limit) {
                (true, _) => "yes",
                (false, None) => "no",
                (false, Some(_)) => "open",
            }
            .to_string(),
            self.why(),
            self.line.clone(),
        ]
    }
}

const GRAPH_COLUMNS: [&str; 14] = [
    "variant",
    "board",
    "fen",
    "steps_per_pawn",
    "bound_turns",
    "states",
    "edges",
    "complete",
    "acyclic",
    "longest_plies",
    "longest_turns",
    "bound_reached",
    "why_not_in_the_longest_game",
    "turns",
];

fn graph_of<W: Layout>(
    reduced: &Reduced,
    game: &dyn Game<W>,
    start: &Position<W>,
    limits: &Limits,
) -> Graph {
    let found = explore(game, start, limits, &Silent);
    let structure = found.structure();
    let path = structure
        .as_ref()
        .and_then(|s| s.longest_path.clone())
        .unwrap_or_default();
    let line = found.turns_along(game, &path);
    let texts = played(game, start, &line);
    let end = texts.1;
    let board = game.board();
    let avalanche = game.variant().has("avalanche");
    let left = Color::BOTH.map(|color| steps_left(board, &end, color));
    let lost = Color::BOTH.map(|color| {
        let mover = if avalanche { !color } else { color };
        let made = (line.len() + usize::from(mover == Color::White)) / 2;
        steps_left(board, start, color)
            .saturating_sub(left[color.index()])
            .saturating_sub(made as u32)
    });
    Graph {
        reduced: reduced.clone(),
        states: found.states.len() as u64,
        edges: found.edges,
        acyclic: structure.is_some_and(|s| s.acyclic),
        limit: found.limit,
        longest_plies: line.len(),
        end: game.outcome(&end),
        left,
        lost,
        line: texts.0,
    }
}

/// A line as text, and the position after it.
fn played<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    line: &[Turn],
) -> (String, Position<W>) {
    let (mut p, mut texts) = (*start, Vec::new());
    for turn in line {
        texts.push(turns::print(game, &p, turn));
        p = game.play(&p, turn);
    }
    (texts.join(" "), p)
}

/// Reduced boards for these options, by number of squares: `most` bounds files times steps, and
/// for arrays with pieces `most_with_pieces`.
fn reduced(
    options: &[&'static [&'static str]],
    ranks: impl Iterator<Item = usize>,
    most: usize,
    most_with_pieces: usize,
) -> Vec<Reduced> {
    let mut boards = Vec::new();
    for ranks in ranks {
        for files in 1..=8 {
            let bound = files * (ranks / 2 - 1);
            if bound > most {
                break;
            }
            for [white, black] in arrays(files, bound <= most_with_pieces) {
                for &options in options {
                    boards.push(Reduced {
                        options,
                        files,
                        ranks,
                        white: white.clone(),
                        black: black.clone(),
                    });
                }
            }
        }
    }
    boards
}

/// Graphs that are made at the same time, whatever the number of threads, so that the memory each
/// may take does not depend on it.
const LANES: usize = 2;

/// The graphs of these boards, in order; why an array is no legal start.
fn graphs(boards: &[Reduced], effort: &Effort) -> Vec<Result<Graph, String>> {
    let graph = |board: &Reduced| {
        let limits = Limits {
            max_states: max_states(board, effort),
            memory_bytes: effort.memory_bytes / LANES as u64,
            stop: effort.stop,
            ..Limits::default()
        };
        let setup = Variant::parse(&named(board.options))
            .and_then(|variant| Setup::read(&variant, Some(&board.fen())))
            .map_err(|error| error.why)?;
        Ok(with_setup!(setup, start => {
            graph_of(board, start.game.as_ref(), &start.position, &limits)
        }))
    };
    let mut found: Vec<(usize, Result<Graph, String>)> = (0..LANES)
        .into_par_iter()
        .flat_map_iter(|lane| {
            let own = boards.iter().enumerate().skip(lane).step_by(LANES);
            own.map(|(i, board)| (i, graph(board))).collect::<Vec<_>>()
        })
        .collect();
    found.sort_by_key(|(i, _)| *i);
    found.into_iter().map(|(_, graph)| graph).collect()
}

/// What graphs of reduced boards say about the bound.
struct Measured {
    holds: bool,
    text: String,
    rows: Vec<Vec<String>>,
}

fn measured(boards: &[Reduced], found: &[Result<Graph, String>]) -> Measured {
    let graphs: Vec<&Graph> = found.iter().flatten().collect();
    let complete: Vec<&Graph> = graphs
        .iter()
        .copied()
        .filter(|g| g.limit.is_none())
        .collect();
    let within = |g: &Graph| g.acyclic && full_turns(g.longest_plies) <= g.reduced.bound();
    let mut sizes: Vec<(usize, usize)> = complete
        .iter()
        .map(|g| (g.reduced.files, g.reduced.ranks))
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    let sizes: Vec<String> = sizes.iter().map(|(f, r)| format!("{f}x{r}")).collect();
    let text = format!(
        "game graphs of {} arrays on reduced boards: {} complete ({} states; boards {}), {} \
         stopped by a limit ({} states); {} acyclic with no game above f x steps; the bound \
         reached on {} arrays; {} more arrays are no legal start, the pawns attacking a king",
        graphs.len(),
        complete.len(),
        complete.iter().map(|g| g.states).sum::<u64>(),
        listed(&sizes),
        graphs.len() - complete.len(),
        graphs
            .iter()
            .filter(|g| g.limit.is_some())
            .map(|g| g.states)
            .sum::<u64>(),
        graphs.iter().filter(|g| within(g)).count(),
        graphs.iter().filter(|g| g.reached()).count(),
        found.len() - graphs.len(),
    );
    // One row for all arrays of a board that are no legal start.
    let mut refused: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
    let key = |board: &Reduced| (board.files, board.ranks, named(board.options));
    for (board, _) in boards.iter().zip(found).filter(|(_, found)| found.is_err()) {
        *refused.entry(key(board)).or_default() += 1;
    }
    let rows = boards
        .iter()
        .zip(found)
        .filter_map(|(board, found)| match found {
            Ok(graph) => Some(graph.row()),
            Err(why) => refused
                .remove(&key(board))
                .map(|n| board.refused_row(n, why)),
        })
        .collect();
    Measured {
        holds: graphs.iter().all(|g| within(g)),
        text,
        rows,
    }
}

/// The bound: proof by the ranking function, graphs of reduced boards beside it.
fn bounded(
    ids: &[String],
    bound: u32,
    boards: &[Reduced],
    effort: &Effort,
) -> (bool, String, Vec<Vec<String>>) {
    let proof = proof(ids, bound, effort);
    let measured = measured(boards, &graphs(boards, effort));
    let text = format!(
        "at most {bound} turns of each side in {} variants: {}. {}",
        ids.len(),
        proof.text(),
        measured.text
    );
    (proof.holds && measured.holds, text, measured.rows)
}

const PLAIN: [&[&str]; 2] = [&[], &["no-promotion"]];
const PUSHED: [&[&str]; 2] = [&["avalanche"], &["no-promotion", "avalanche"]];

/// The most states of a graph: boards of up to 18 squares are explored whole, larger ones as far
/// as time allows.
fn max_states(board: &Reduced, effort: &Effort) -> u64 {
    match (effort.deep, board.files * board.ranks) {
        (true, _) => 30_000_000,
        (false, ..=18) => 12_000_000,
        (false, _) => 300_000,
    }
}

/// Files times steps up to which boards are tried, for kings alone and with a piece.
fn sizes(effort: &Effort) -> (usize, usize) {
    if effort.deep { (9, 6) } else { (6, 4) }
}

fn longest(ten: bool, bound: u32, effort: &Effort) -> Finding {
    let ids = variants(|set| set.contains(&"ten-rows") == ten);
    let (most, with_pieces) = sizes(effort);
    let boards = if ten {
        reduced(&PLAIN, 9..=10, most.max(8), with_pieces)
    } else {
        reduced(&PLAIN, 4..=8, most, with_pieces)
    };
    let (holds, summary, rows) = bounded(&ids, bound, &boards, effort);
    let mut evidence = Evidence::new(&GRAPH_COLUMNS);
    evidence.rows = rows;
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Proof,
        summary: format!("a turn is one of each side; {summary}"),
        evidence,
    }
}

fn avalanche(effort: &Effort) -> Finding {
    let (most, with_pieces) = sizes(effort);
    let mut evidence = Evidence::new(&GRAPH_COLUMNS);
    let (mut holds, mut texts) = (true, Vec::new());
    for (ten, bound) in [(false, 24), (true, 32)] {
        let ids = variants(|set| set.contains(&"avalanche") && set.contains(&"ten-rows") == ten);
        let boards = if ten {
            reduced(&PUSHED, 9..=10, most.max(8), with_pieces)
        } else {
            reduced(&PUSHED, 4..=8, most, with_pieces)
        };
        let (held, text, rows) = bounded(&ids, bound, &boards, effort);
        holds &= held;
        texts.push(text);
        evidence.rows.extend(rows);
    }
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Proof,
        summary: format!(
            "a turn of one side takes a pawn step of the other; {}",
            texts.join(". ")
        ),
        evidence,
    }
}

/// A long game and how it was looked for.
struct Long {
    fen: String,
    plies: usize,
    wanted: usize,
    width: usize,
    outcome: Outcome,
    line: String,
}

/// Looks for a game in which all pawn steps of both sides are made, by beams of growing width:
/// no step may be lost; among positions where none is, those with few pieces and many pawns free
/// to step come first.
fn long_game<W: Layout>(game: &dyn Game<W>, start: &Position<W>, effort: &Effort) -> Long {
    let board = game.board();
    let left = |p: &Position<W>| -> usize {
        Color::BOTH
            .map(|color| steps_left(board, p, color) as usize)
            .iter()
            .sum()
    };
    let wanted = left(start);
    let widths: &[usize] = if effort.deep {
        &[100, 400, 1600, 6400]
    } else {
        &[100, 400, 1600]
    };
    let (mut best, mut best_width) = (Vec::new(), 0);
    for &width in widths {
        let how = Beam {
            width,
            plies: wanted,
            stop: effort.stop,
        };
        let line = beam(game, start, &how, |p, ply| {
            if left(p) + ply != wanted {
                return None;
            }
            let free: u32 = Color::BOTH
                .map(|color| {
                    (board.pushed(p.units(color, Kind::Pawn), color) & !p.occupied()).len()
                })
                .iter()
                .sum();
            let pieces = (p.occupied() & !p.kind(Kind::Pawn)).len();
            Some(i64::from(free) - i64::from(pieces))
        });
        if line.len() > best.len() {
            (best, best_width) = (line, width);
        }
        if best.len() == wanted {
            break;
        }
    }
    let (line, end) = played(game, start, &best);
    Long {
        fen: fen::print(game, start),
        plies: best.len(),
        wanted,
        width: best_width,
        outcome: game.outcome(&end),
        line,
    }
}

fn tight(ten: bool, bound: usize, effort: &Effort) -> Finding {
    let mut evidence = Evidence::new(&[
        "variant",
        "fen",
        "turns",
        "plies",
        "plies_at_most",
        "outcome",
        "beam_width",
    ]);
    let mut found = Vec::new();
    for option in PLAIN.into_iter().chain(PUSHED) {
        let mut options = option.to_vec();
        if ten {
            options.push("ten-rows");
        }
        // In the order of the registry.
        options.sort_by_key(|o| {
            ["no-promotion", "ten-rows", "avalanche"]
                .iter()
                .position(|k| k == o)
        });
        let id = named(&options);
        let long = with_setup!(opened(&id, None), start => {
            long_game(start.game.as_ref(), &start.position, effort)
        });
        evidence.row([
            id.clone(),
            long.fen.clone(),
            long.line.clone(),
            long.plies.to_string(),
            long.wanted.to_string(),
            long.outcome.to_string(),
            long.width.to_string(),
        ]);
        found.push((id, long));
    }
    let full = |long: &Long| long.plies == 2 * bound && !long.outcome.is_ongoing();
    let others: Vec<String> = found[1..]
        .iter()
        .map(|(id, long)| format!("{id} {}", long.plies))
        .collect();
    let main = &found[0].1;
    let summary = format!(
        "beam search found a game of {} plies of {} that are possible at most, that is {} turns \
         of White and {} of Black, ending with `{}`{}; with options, plies found: {}",
        main.plies,
        main.wanted,
        main.plies.div_ceil(2),
        main.plies / 2,
        main.outcome,
        if full(main) {
            ""
        } else {
            "; whether a longer one exists is open"
        },
        others.join(", "),
    );
    Finding {
        verdict: if full(main) {
            Verdict::Confirmed
        } else {
            Verdict::Open
        },
        scope: Scope::Witness,
        summary,
        evidence,
    }
}

/// Turns by what they consist of.
#[derive(Default)]
struct Shapes {
    lone_pawn: u64,
    piece_and_pawn: u64,
    other: u64,
}

impl Shapes {
    fn count<W: Layout>(&mut self, game: &dyn Game<W>, p: &Position<W>) -> Vec<Turn> {
        let mut list = Vec::new();
        game.turns(p, &mut list);
        for turn in &list {
            let kinds: Vec<Kind> = turn.steps().map(|s| s.kind()).collect();
            match kinds[..] {
                [Kind::Pawn] => self.lone_pawn += 1,
                [first, Kind::Pawn] if first != Kind::Pawn => self.piece_and_pawn += 1,
                _ => self.other += 1,
            }
        }
        list
    }
}

fn first_turns<W: Layout>(game: &dyn Game<W>, start: &Position<W>) -> [Shapes; 3] {
    let mut shapes: [Shapes; 3] = Default::default();
    for first in shapes[0].count(game, start) {
        let black = game.play(start, &first);
        for reply in shapes[1].count(game, &black) {
            shapes[2].count(game, &game.play(&black, &reply));
        }
    }
    shapes
}

fn first_turn(_: &Effort) -> Finding {
    let mut evidence = Evidence::new(&[
        "variant",
        "ply",
        "turns_of_a_pawn_step_alone",
        "turns_of_a_piece_step_and_a_pawn_step",
        "other_turns",
    ]);
    let ids = variants(|_| true);
    let (mut holds, mut counts) = (true, Vec::new());
    let all: Vec<[Shapes; 3]> = ids
        .par_iter()
        .map(|id| {
            with_setup!(opened(id, None), start => first_turns(start.game.as_ref(), &start.position))
        })
        .collect();
    for (id, shapes) in ids.iter().zip(&all) {
        for (i, shape) in shapes.iter().enumerate() {
            evidence.row([
                id.clone(),
                (i + 1).to_string(),
                shape.lone_pawn.to_string(),
                shape.piece_and_pawn.to_string(),
                shape.other.to_string(),
            ]);
            holds &= shape.other == 0
                && if i == 0 {
                    shape.lone_pawn > 0 && shape.piece_and_pawn == 0
                } else {
                    shape.lone_pawn == 0 && shape.piece_and_pawn > 0
                };
        }
        counts.push(shapes[0].lone_pawn.to_string());
    }
    counts.sort_unstable();
    counts.dedup();
    Finding::exhaustive(
        holds,
        format!(
            "in {} variants White has {} first turns, each a pawn step alone; every turn of the \
             next two plies of every game is a piece step and a pawn step",
            ids.len(),
            listed(&counts)
        ),
        evidence,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effort() -> Effort<'static> {
        Effort {
            deep: false,
            threads: 1,
            memory_bytes: u64::MAX,
            stop: None,
        }
    }

    #[test]
    fn orthodox_turns_go_against_the_ranking() {
        // In orthodox chess a turn need not be a pawn step, so the same test must fail.
        let found = ranking("fide", &effort());
        assert!(found.faults > 0 && found.turns > 0);
    }

    #[test]
    fn a_bound_one_too_small_is_not_proven() {
        let ids = variants(|set| set.is_empty());
        assert!(proof(&ids, 24, &effort()).holds);
        assert!(!proof(&ids, 23, &effort()).holds);
    }

    #[test]
    fn all_combinations_of_options_are_tried_once() {
        let ids = variants(|_| true);
        let mut distinct = ids.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!((ids.len(), distinct.len()), (16, 16));
        assert!(ids.iter().all(|id| Variant::parse(id).is_ok()));
    }

    #[test]
    fn reduced_arrays_read_and_have_the_steps_they_say() {
        let mut read = 0;
        for board in reduced(&PLAIN, 4..=10, 8, 4) {
            let variant = Variant::parse(&named(board.options)).expect("an id");
            let setup = match Setup::read(&variant, Some(&board.fen())) {
                Ok(setup) => setup,
                Err(error) => {
                    // The one reason why an array may be no start.
                    assert!(error.why.contains("attacked"), "{error}");
                    continue;
                }
            };
            read += 1;
            with_setup!(setup, start => {
                for color in Color::BOTH {
                    let steps = steps_left(start.game.board(), &start.position, color);
                    assert_eq!(steps as usize, board.bound(), "{}", board.fen());
                }
            });
        }
        assert!(read > 0);
    }
}
