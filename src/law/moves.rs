//! Where each kind goes and what it attacks: a definition's movements compiled for its board, so that
//! nothing of them is interpreted while a game is played.

use crate::armies::Attacks;
use crate::kinds::Kinds;
use crate::together::{self, Way};
use board::{Color, Geometry, Kind, Line, Square, Squares};
use own::{Definition, Mode, Path, PieceType, Step};

/// To vacant squares.
pub const QUIET: u8 = 1;
/// To squares of enemies.
pub const ATTACK: u8 = 2;

/// A set for each square.
pub type BySquare<S> = Box<[S]>;

/// A step that needs other squares to be vacant: where to, and those squares.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<S> {
    /// Where to.
    pub to: S,
    /// What has to be vacant.
    pub path: S,
}

/// What is neither a leap nor a ride along a line.
#[derive(Clone, Debug)]
pub enum Special<S> {
    /// Lame leaps, and long steps of pawns.
    Lame(Box<[Vec<Guarded<S>>]>),
    /// Over one unit on a flat board.
    Hop {
        /// All squares of the ray.
        ray: BySquare<S>,
        /// Those in range.
        range: BySquare<S>,
        /// Whether only the first square behind the unit counts.
        first_only: bool,
        /// Whether numbers grow along the ray.
        grows: bool,
    },
    /// Rides and hops square by square: on a cylinder, over holes, or from some squares only. A hole is
    /// a hurdle as a unit is.
    Walk {
        /// By square, those of the path, nearest first.
        paths: Box<[Vec<Square>]>,
        /// How it goes along them.
        how: Path,
        holes: S,
    },
}

impl<S: Squares> Special<S> {
    /// What is reached: vacant squares, and units that might be captured.
    pub fn reach(&self, from: Square, occupied: S) -> S {
        match self {
            Special::Lame(steps) => steps[from.index()]
                .iter()
                .filter(|step| (step.path & occupied).is_empty())
                .fold(S::EMPTY, |all, step| all | step.to),
            Special::Hop {
                ray,
                range,
                first_only,
                grows,
            } => {
                let nearest = |set: S| {
                    if *grows {
                        set.lowest()
                    } else {
                        set.highest_or_zero().lowest()
                    }
                };
                let units = ray[from.index()] & occupied;
                if units.is_empty() {
                    return S::EMPTY;
                }
                let behind = ray[nearest(units).index()];
                if *first_only {
                    let first = match behind.is_empty() {
                        true => S::EMPTY,
                        false => S::of(nearest(behind)),
                    };
                    return first & range[from.index()];
                }
                let next = behind & occupied;
                let seen = match next.is_empty() {
                    true => behind,
                    false => behind & !ray[nearest(next).index()],
                };
                seen & range[from.index()]
            }
            Special::Walk { paths, how, holes } => {
                walk(&paths[from.index()], *how, occupied | *holes)
            }
        }
    }
}

/// What a ride or hop along these squares reaches.
fn walk<S: Squares>(path: &[Square], how: Path, occupied: S) -> S {
    let mut reached = S::EMPTY;
    let mut hopped = how == Path::Ride;
    for &square in path {
        if hopped {
            reached = reached.with(square);
            if how == Path::Grasshop || occupied.has(square) {
                break;
            }
        } else {
            hopped = occupied.has(square);
        }
    }
    reached
}

/// How a kind of one side moves.
#[derive(Clone, Debug)]
pub struct Moves<S> {
    /// By square, where leaps lead.
    pub quiet: BySquare<S>,
    /// By square, what leaps attack.
    pub attack: BySquare<S>,
    /// Tables of lines, each with what it is for.
    pub lines: Vec<(u16, u8)>,
    /// The other moves, each with what it is for.
    pub specials: Vec<(Special<S>, u8)>,
    /// Whether it attacks where it can go and the reverse.
    pub alike: bool,
    /// The steps of which all its moves consist, if they are few: see [`Way`].
    pub ways: Option<Vec<Way<S>>>,
    /// The squares that it may go to and attack.
    pub mobility: S,
    /// For each square, where a unit that has moved could go, whatever stands where: lines and hops to the
    /// edge. The long steps of pawns are left aside.
    pub always: BySquare<S>,
    /// For each square, where its first step alone can lead, in the same way.
    pub only_first: BySquare<S>,
    /// Squares from which it can go somewhere on an empty board, first steps aside.
    pub mobile: S,
}

/// Everything that is looked up about movement.
#[derive(Clone, Debug)]
pub struct MoveTables<S> {
    /// The tables of lines, one after the other, by square.
    lines: Box<[Line<S>]>,
    /// Squares of a table.
    size: usize,
    moves: [Vec<Moves<S>>; 2],
    pub(crate) attacks: [Attacks<S>; 2],
    /// The eight neighbors of each square.
    pub ring: BySquare<S>,
    /// The tables of ranks and files; none on a board that wraps.
    pub rook_lines: Vec<u16>,
}

/// What makes a table of lines: a direction, the most squares, whether the opposite direction too.
type LineKey = (i8, i8, u8, bool);

pub struct Builder<S> {
    /// The board.
    pub geometry: Geometry,
    keys: Vec<LineKey>,
    tables: Vec<Box<[Line<S>]>>,
}

impl<S: Squares> Builder<S> {
    /// The squares of the board.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<S> {
        let geometry = self.geometry;
        (0..geometry.len() as u8)
            .map(Square)
            .filter(move |&square| geometry.exists(square))
    }

    /// The squares from one on in a direction, nearest first, up to a hole.
    fn path(&self, from: Square, direction: (i8, i8), range: u8) -> Vec<Square> {
        Self::path_on(self.geometry, from, direction, range)
    }

    /// The same with the holes on the way, which hops do not end at.
    fn path_of_hops(&self, from: Square, direction: (i8, i8), range: u8) -> Vec<Square> {
        let g = self.geometry;
        let whole = Geometry::new(g.files(), g.ranks(), 0, g.wraps()).unwrap_or(g);
        Self::path_on(whole, from, direction, range)
    }

    fn path_on(geometry: Geometry, from: Square, (dx, dy): (i8, i8), range: u8) -> Vec<Square> {
        let most = if range == 0 { usize::MAX } else { range.into() };
        let mut path = Vec::new();
        let mut at = from;
        while path.len() < most {
            match geometry.step(at, dx.into(), dy.into()) {
                Some(next) if next != from && !path.contains(&next) => at = next,
                _ => break,
            }
            path.push(at);
        }
        path
    }

    /// Nothing for each square.
    pub fn blank(&self) -> BySquare<S> {
        vec![S::EMPTY; self.geometry.len()].into_boxed_slice()
    }

    /// Rays of one direction.
    fn rays(&self, direction: (i8, i8), range: u8) -> BySquare<S> {
        let mut rays = self.blank();
        for from in self.squares() {
            rays[from.index()] = set(&self.path(from, direction, range));
        }
        rays
    }

    /// Whether numbers grow in a direction on a flat board.
    fn grows(&self, (dx, dy): (i8, i8)) -> bool {
        i32::from(dy) * i32::from(self.geometry.files()) + i32::from(dx) > 0
    }

    fn table(&mut self, key: LineKey) -> u16 {
        if let Some(known) = self.keys.iter().position(|&k| k == key) {
            return known as u16;
        }
        let (dx, dy, range, both) = key;
        let mut lines = vec![Line::default(); self.geometry.len()].into_boxed_slice();
        for (dx, dy) in [(dx, dy), (-dx, -dy)]
            .into_iter()
            .take(1 + usize::from(both))
        {
            let grows = self.grows((dx, dy));
            for from in self.squares() {
                let squares = set(&self.path(from, (dx, dy), range));
                let line = &mut lines[from.index()];
                if grows {
                    line.upper = squares;
                } else {
                    line.lower = squares;
                }
            }
        }
        self.keys.push(key);
        self.tables.push(lines);
        (self.tables.len() - 1) as u16
    }

    /// The table that looks back along another.
    pub fn reverse(&mut self, table: u16) -> u16 {
        let (dx, dy, range, both) = self.keys[usize::from(table)];
        if both {
            table
        } else {
            self.table((-dx, -dy, range, false))
        }
    }

    /// Where a lame step or a long step leads from each square.
    fn guarded(
        &self,
        from: Square,
        goal: (i8, i8),
        path: &[(i8, i8)],
        allowed: S,
    ) -> Option<Guarded<S>> {
        let at = |(dx, dy): (i8, i8)| self.geometry.step(from, dx.into(), dy.into());
        let to = at(goal).filter(|&to| to != from && allowed.has(to))?;
        let mut passed = S::EMPTY;
        for &offset in path {
            passed = passed.with(at(offset)?);
        }
        Some(Guarded {
            to: S::of(to),
            path: passed,
        })
    }
}

/// These squares as a set.
pub fn set<S: Squares>(squares: &[Square]) -> S {
    squares.iter().copied().fold(S::EMPTY, S::with)
}

/// A definition's steps of one piece as a side sees them.
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
    /// The tables of a definition on its board.
    pub fn new(definition: &Definition, kinds: &Kinds, geometry: Geometry) -> MoveTables<S> {
        let mut builder = Builder {
            geometry,
            keys: Vec::new(),
            tables: Vec::new(),
        };
        let mut moves = [Vec::new(), Vec::new()];
        for color in Color::BOTH {
            // Forms of one piece move alike.
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
            tables.attacks[color.index()] =
                Attacks::new(&mut builder, definition, kinds, &tables, color);
        }
        tables.lines = builder.tables.concat().into_boxed_slice();
        tables
    }

    /// How a kind of a side moves.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: Kind) -> &Moves<S> {
        &self.moves[color.index()][kind.index()]
    }

    /// The line of a table through a square.
    #[inline(always)]
    pub fn line(&self, table: u16, from: Square) -> &Line<S> {
        &self.lines[usize::from(table) * self.size + from.index()]
    }

    /// What is seen along it.
    #[inline(always)]
    pub fn seen(&self, table: u16, from: Square, occupied: S) -> S {
        self.line(table, from).seen(occupied)
    }

    /// What a unit might attack, wherever others stand.
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

    /// Where a unit could go and what it could capture: vacant squares, and squares that it attacks.
    #[inline(always)]
    pub fn reach(&self, color: Color, kind: Kind, from: Square, occupied: S) -> (S, S) {
        self.reach_of(self.of(color, kind), from, occupied)
    }

    /// The same of a kind that is known already.
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
    // A soldier goes along its file until it has come so far.
    let keeps_file = |step: &Step, from: Square| {
        info.name != "soldier"
            || step.dx == 0
            || geometry.rank_of(color, geometry.rank(from)) >= definition.checks.soldier_rank
    };
    // Steps that differ in nothing but what they are for are one.
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
    let mut rides: Vec<(i8, i8, u8, u8)> = Vec::new();
    let mut first = builder.blank();
    let mut always = builder.blank();
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
        if mode & QUIET != 0 {
            // That soldiers keep to their files at first does not make them immobile.
            let could = |from: &Square| !step.initial || starts.has(*from);
            for from in builder.squares().filter(could) {
                let reached = match step.path {
                    Path::Leap | Path::Lame => geometry
                        .step(from, step.dx.into(), step.dy.into())
                        .map_or(S::EMPTY, S::of),
                    _ => set(&builder.path(from, direction, step.range)),
                };
                let table = if step.initial {
                    &mut first
                } else {
                    &mut always
                };
                table[from.index()] |= reached;
            }
        }
    }
    while let Some((dx, dy, range, mode)) = rides.pop() {
        let opposite = rides.iter().position(|r| *r == (-dx, -dy, range, mode));
        let key = match opposite {
            // The same key whichever of the two comes first.
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
    if definition.pawns.pawn == Some(piece) {
        long_steps(builder, definition, color, mobility, &mut moves);
    }
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
    moves.ways = together::ways(builder, &moves);
    moves
}

/// The double and triple steps of the pawn, over squares of its region.
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
