//! Movement tables: the movements of a definition, compiled for its board. The turn generator uses only these
//! tables and never reads the movements themselves.

use crate::attacks::Attacks;
use crate::builder::{ATTACK, Builder, BySquare, QUIET, Special, set};
use crate::kinds::Kinds;
use crate::movement::Moves;
use crate::setwise_steps;
use board::{Color, Geometry, Kind, Line, Square, Squares};
use definition::{Definition, Mode, Movement, Path, Piece, PieceType, Step};

/// The movement tables of a definition.
#[derive(Clone, Debug)]
pub struct MoveTables<S> {
    /// The tables of lines in one list. Each table has a line for each square.
    lines: Box<[Line<S>]>,
    /// Number of lines in each table.
    size: usize,
    moves: [Vec<Moves<S>>; 2],
    pub(crate) attacks: [Attacks<S>; 2],
    /// The eight neighbors of each square.
    pub ring: BySquare<S>,
    /// The numbers of the tables of ranks and files. Empty on a board that wraps.
    pub rook_lines: Vec<u16>,
}

/// Returns the steps of a piece from the view of a side: Black's steps have the opposite direction.
pub fn steps_of(definition: &Definition, piece: PieceType, color: Color) -> Vec<Step> {
    let mut steps = definition.pieces[piece.index()].movement.steps();
    if color == Color::Black {
        for step in &mut steps {
            step.dx = -step.dx;
            step.dy = -step.dy;
        }
    }
    steps
}

impl<S: Squares> MoveTables<S> {
    /// Returns the movement tables of a definition on its board.
    pub fn new(definition: &Definition, kinds: &Kinds, geometry: Geometry) -> MoveTables<S> {
        let mut builder = Builder::new(geometry);
        let mut moves = [Vec::new(), Vec::new()];
        for color in Color::BOTH {
            // All forms of a piece have the same movement.
            let pieces: Vec<Moves<S>> = (0..definition.pieces.len())
                .map(|n| moves_of(&mut builder, definition, PieceType(n as u8), color))
                .collect();
            moves[color.index()] = kinds
                .all()
                .map(|kind| match kinds.piece(kind) {
                    Some(piece) => pieces[piece.index()].clone(),
                    None => none(&builder),
                })
                .collect();
        }
        let mut ring = builder.blank();
        for from in builder.squares() {
            ring[from.index()] = board::DIRECTIONS
                .iter()
                .filter_map(|&(dx, dy)| geometry.step(from, dx, dy))
                .filter(|&to| to != from)
                .fold(S::EMPTY, S::with);
        }
        let rook_lines = if geometry.wraps() {
            Vec::new()
        } else {
            [(1, 0), (0, 1)]
                .map(|(dx, dy)| builder.table((dx, dy, 0, true)))
                .to_vec()
        };
        let mut tables = MoveTables {
            lines: Box::default(),
            size: geometry.len(),
            attacks: Default::default(),
            moves,
            ring,
            rook_lines,
        };
        for color in Color::BOTH {
            let moves = &tables.moves[color.index()];
            tables.attacks[color.index()] =
                Attacks::new(&mut builder, definition, kinds, moves, &tables.rook_lines);
        }
        tables.lines = builder.lines();
        tables
    }

    /// Returns the tables of movements, by number instead of by kind, without attacks. `definition` gives the regions from
    /// which first steps start. Long steps of pawns are not included.
    pub fn of_movements(
        definition: &Definition,
        movements: &[Movement],
        geometry: Geometry,
    ) -> MoveTables<S> {
        let mut numbered = definition.clone();
        let soldier = definition.named("soldier").map(PieceType::index);
        numbered.pawns.pawn = None;
        numbered.pieces = (movements.iter().enumerate())
            .map(|(n, movement)| Piece {
                name: if soldier == Some(n) { "soldier" } else { "" }.to_owned(),
                letter: b'A',
                synonym: None,
                movement: movement.clone(),
                mobility: [None, None],
            })
            .collect();
        let mut builder = Builder::new(geometry);
        let moves = Color::BOTH.map(|color| {
            (0..movements.len())
                .map(|n| moves_of(&mut builder, &numbered, PieceType(n as u8), color))
                .collect()
        });
        MoveTables {
            lines: builder.lines(),
            size: geometry.len(),
            moves,
            attacks: Default::default(),
            ring: Box::default(),
            rook_lines: Vec::new(),
        }
    }

    /// Returns the movement of a kind of a side.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: Kind) -> &Moves<S> {
        &self.moves[color.index()][kind.index()]
    }

    /// Returns the line of a table through a square.
    #[inline(always)]
    pub fn line(&self, table: u16, from: Square) -> &Line<S> {
        &self.lines[usize::from(table) * self.size + from.index()]
    }

    /// Returns the squares seen along a line, up to and including the first unit in each direction.
    #[inline(always)]
    pub fn seen(&self, table: u16, from: Square, occupied: S) -> S {
        self.line(table, from).seen(occupied)
    }

    /// Returns the squares that a unit can attack for some placement of other units.
    pub fn scope(&self, color: Color, kind: Kind, from: Square) -> S {
        let moves = self.of(color, kind);
        let lines = moves.lines.iter().map(|&(table, uses)| {
            let line = self.line(table, from);
            (line.lower | line.upper, uses)
        });
        let specials = moves.specials.iter().map(|(special, uses)| {
            let squares = match special {
                Special::Lame(steps) => steps[from.index()]
                    .iter()
                    .fold(S::EMPTY, |all, step| all | step.to),
                Special::Hop { range, .. } => range[from.index()],
                Special::Walk { paths, .. } => set(&paths[from.index()]),
            };
            (squares, *uses)
        });
        let found = lines
            .chain(specials)
            .filter(|(_, uses)| uses & ATTACK != 0)
            .fold(moves.attack[from.index()], |all, (set, _)| all | set);
        found & moves.mobility
    }

    /// Returns two sets: the squares that a unit reaches by quiet moves if they are vacant, and the squares
    /// that it attacks.
    #[inline(always)]
    pub fn reach(&self, color: Color, kind: Kind, from: Square, occupied: S) -> (S, S) {
        self.reach_of(self.of(color, kind), from, occupied)
    }

    /// Like [`reach`](Self::reach), but takes the movement of the kind instead of the kind.
    #[inline(always)]
    pub fn reach_of(&self, moves: &Moves<S>, from: Square, occupied: S) -> (S, S) {
        let mut quiet = moves.quiet[from.index()];
        if moves.alike {
            for &(table, _) in &moves.lines {
                quiet |= self.seen(table, from, occupied);
            }
            for (special, _) in &moves.specials {
                quiet |= special.reach(from, occupied);
            }
            quiet &= moves.mobility;
            return (quiet, quiet);
        }
        let mut attack = moves.attack[from.index()];
        for &(table, uses) in &moves.lines {
            let seen = self.seen(table, from, occupied);
            if uses & QUIET != 0 {
                quiet |= seen;
            }
            if uses & ATTACK != 0 {
                attack |= seen;
            }
        }
        for (special, uses) in &moves.specials {
            let seen = special.reach(from, occupied);
            if uses & QUIET != 0 {
                quiet |= seen;
            }
            if uses & ATTACK != 0 {
                attack |= seen;
            }
        }
        (quiet & moves.mobility, attack & moves.mobility)
    }
}

fn none<S: Squares>(builder: &Builder<S>) -> Moves<S> {
    Moves {
        quiet: builder.blank(),
        attack: builder.blank(),
        lines: Vec::new(),
        specials: Vec::new(),
        alike: true,
        ways: None,
        mobility: S::EMPTY,
        always: builder.blank(),
        only_first: builder.blank(),
        mobile: S::EMPTY,
    }
}

fn uses(mode: Mode) -> u8 {
    match mode {
        Mode::Move => QUIET,
        Mode::Capture => ATTACK,
    }
}

/// Returns the steps of a piece with their uses. Merges steps that differ only in their use.
fn distinct_steps(definition: &Definition, piece: PieceType, color: Color) -> Vec<(Step, u8)> {
    let mut steps: Vec<(Step, u8)> = Vec::new();
    for step in steps_of(definition, piece, color) {
        let alike = |known: &&mut (Step, u8)| {
            Step {
                mode: known.0.mode,
                ..step
            } == known.0
        };
        match steps.iter_mut().find(alike) {
            Some(known) => known.1 |= uses(step.mode),
            None => steps.push((step, uses(step.mode))),
        }
    }
    steps
}

/// Adds rides to the lines of a movement. Opposite rides with the same uses share one table.
fn join_rides<S: Squares>(
    builder: &mut Builder<S>,
    mut rides: Vec<(i8, i8, u8, u8)>,
    moves: &mut Moves<S>,
) {
    while let Some((dx, dy, range, mode)) = rides.pop() {
        let opposite = rides.iter().position(|r| *r == (-dx, -dy, range, mode));
        let key = match opposite {
            // Choose one direction for the key, so that the order of the two rides does not matter.
            Some(at) => {
                rides.swap_remove(at);
                let up = builder.grows((dx, dy));
                if up {
                    (dx, dy, range, true)
                } else {
                    (-dx, -dy, range, true)
                }
            }
            None => (dx, dy, range, false),
        };
        moves.lines.push((builder.table(key), mode));
    }
    moves.lines.sort_unstable();
}

fn moves_of<S: Squares>(
    builder: &mut Builder<S>,
    definition: &Definition,
    piece: PieceType,
    color: Color,
) -> Moves<S> {
    let geometry = builder.geometry;
    let side = color.index();
    let info = &definition.pieces[piece.index()];
    let all = S::first_n(geometry.len()) & S::from_bits(!geometry.holes());
    let mobility = info.mobility[side].map_or(all, |region| S::from_bits(region) & all);
    let starts = S::from_bits(definition.pawns.double_step[side]);
    let mut moves = Moves {
        mobility,
        ..none(builder)
    };
    // A soldier steps only along its file before it reaches `soldier_rank`.
    let keeps_file = |step: &Step, from: Square| {
        info.name != "soldier"
            || step.dx == 0
            || geometry.rank_of(color, geometry.rank(from)) >= definition.checks.soldier_rank
    };
    let steps = distinct_steps(definition, piece, color);
    let mut rides: Vec<(i8, i8, u8, u8)> = Vec::new();
    for (step, mode) in &steps {
        let direction = (step.dx, step.dy);
        let mode = *mode;
        let starts_here =
            |from: Square| (!step.initial || starts.has(from)) && keeps_file(step, from);
        let plain = !step.initial && info.name != "soldier";
        match step.path {
            Path::Leap => {
                for from in builder.squares().filter(|&from| starts_here(from)) {
                    let to = geometry.step(from, step.dx.into(), step.dy.into());
                    if let Some(to) = to.filter(|&to| to != from && mobility.has(to)) {
                        for (use_of, table) in
                            [(QUIET, &mut moves.quiet), (ATTACK, &mut moves.attack)]
                        {
                            if mode & use_of != 0 {
                                table[from.index()] = table[from.index()].with(to);
                            }
                        }
                    }
                }
            }
            Path::Lame => {
                let path = step.lame_path();
                let mut guarded = vec![Vec::new(); geometry.len()].into_boxed_slice();
                for from in builder.squares().filter(|&from| starts_here(from)) {
                    guarded[from.index()].extend(builder.guarded(from, direction, &path, mobility));
                }
                moves.specials.push((Special::Lame(guarded), mode));
            }
            Path::Ride if plain && !geometry.wraps() => {
                let same =
                    |r: &&mut (i8, i8, u8, u8)| (r.0, r.1, r.2) == (step.dx, step.dy, step.range);
                match rides.iter_mut().find(same) {
                    Some(ride) => ride.3 |= mode,
                    None => rides.push((step.dx, step.dy, step.range, mode)),
                }
            }
            Path::Hop | Path::Grasshop if plain && !geometry.wraps() && geometry.holes() == 0 => {
                let special = Special::Hop {
                    ray: builder.rays(direction, 0),
                    range: builder.rays(direction, step.range),
                    first_only: step.path == Path::Grasshop,
                    grows: builder.grows(direction),
                };
                moves.specials.push((special, mode));
            }
            how => {
                let hops = how != Path::Ride;
                let mut paths = vec![Vec::new(); geometry.len()].into_boxed_slice();
                for from in builder.squares().filter(|&from| starts_here(from)) {
                    paths[from.index()] = match hops {
                        true => builder.path_of_hops(from, direction, step.range),
                        false => builder.path(from, direction, step.range),
                    };
                }
                let holes = match hops {
                    true => S::from_bits(geometry.holes()),
                    false => S::EMPTY,
                };
                let walk = Special::Walk { paths, how, holes };
                moves.specials.push((walk, mode));
            }
        }
    }
    join_rides(builder, rides, &mut moves);
    if definition.pawns.pawn == Some(piece) {
        long_steps(builder, definition, color, mobility, &mut moves);
    }
    let (always, first) = quiet_reach(builder, &steps, starts);
    for from in builder.squares() {
        if !always[from.index()].is_empty() {
            moves.mobile = moves.mobile.with(from);
        }
        moves.only_first[from.index()] = first[from.index()] & !always[from.index()];
    }
    moves.always = always;
    let both = |&uses: &u8| uses == QUIET | ATTACK;
    moves.alike = moves.quiet == moves.attack
        && moves.lines.iter().all(|(_, uses)| both(uses))
        && moves.specials.iter().all(|(_, uses)| both(uses));
    moves.ways = setwise_steps::ways(builder, &moves);
    moves
}

/// Returns, for each square, the squares that quiet steps can reach for some placement of other units: those
/// of steps that are always allowed, and those of first steps.
fn quiet_reach<S: Squares>(
    builder: &Builder<S>,
    steps: &[(Step, u8)],
    starts: S,
) -> (Box<[S]>, Box<[S]>) {
    let (mut always, mut first) = (builder.blank(), builder.blank());
    for (step, _) in steps.iter().filter(|(_, mode)| mode & QUIET != 0) {
        // The file restriction of soldiers is ignored here, because it does not make them immobile.
        let could = |from: &Square| !step.initial || starts.has(*from);
        let (dx, dy) = (step.dx, step.dy);
        let table = match step.initial {
            true => &mut first,
            false => &mut always,
        };
        for from in builder.squares().filter(could) {
            table[from.index()] |= match step.path {
                Path::Leap | Path::Lame => {
                    let to = builder.geometry.step(from, dx.into(), dy.into());
                    to.map_or(S::EMPTY, S::of)
                }
                _ => set(&builder.path(from, (dx, dy), step.range)),
            };
        }
    }
    (always, first)
}

/// Adds the double and triple steps of the pawn. They pass only squares of the pawn's mobility region.
fn long_steps<S: Squares>(
    builder: &Builder<S>,
    definition: &Definition,
    color: Color,
    mobility: S,
    moves: &mut Moves<S>,
) {
    let ahead = if color == Color::White { 1 } else { -1 };
    let pawns = &definition.pawns;
    let mut guarded = vec![Vec::new(); builder.geometry.len()].into_boxed_slice();
    let regions = [
        (2, pawns.double_step[color.index()]),
        (3, pawns.triple_step[color.index()]),
    ];
    for (length, region) in regions {
        let region = S::from_bits(region);
        for from in builder.squares().filter(|&from| region.has(from)) {
            let path: Vec<(i8, i8)> = (1..length).map(|n| (0, n * ahead)).collect();
            let step = builder.guarded(from, (0, length * ahead), &path, mobility);
            guarded[from.index()].extend(step.filter(|s| (s.path & !mobility).is_empty()));
        }
    }
    if guarded.iter().any(|steps| !steps.is_empty()) {
        moves.specials.push((Special::Lame(guarded), QUIET));
    }
}
