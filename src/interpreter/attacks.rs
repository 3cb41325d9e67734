//! Attack tables of one side, with the kinds grouped by equal leaps and equal lines.

use crate::builder::{ATTACK, Builder, BySquare, Special, set};
use crate::kinds::Kinds;
use crate::movement::Moves;
use board::{Kind, Square, Squares};
use definition::Definition;

/// Kinds that attack by the same leaps.
#[derive(Clone, Debug)]
pub struct Leapers<S> {
    /// By square, the squares from which the kinds attack the square.
    pub back: BySquare<S>,
    /// The index of the group in [`Attacks::armies`].
    pub army: u8,
}

/// Kinds that attack along the same lines.
#[derive(Clone, Debug)]
pub struct Riders<S> {
    /// The number of the table of lines from the attacked square to the attackers.
    pub table: u16,
    /// The index of the group in [`Attacks::armies`].
    pub army: u8,
    /// The squares that the kinds may attack.
    pub mobility: S,
}

/// A kind with attacks that are neither leaps nor rides along lines of a flat board.
#[derive(Clone, Debug)]
pub struct Specialist<S> {
    /// The kind.
    pub kind: Kind,
    /// By square, the squares from which the kind may attack the square.
    pub origins: BySquare<S>,
    /// By square, the squares whose occupation decides whether the kind attacks the square.
    pub between: BySquare<S>,
}

/// The attacks of one side, by square.
#[derive(Clone, Debug, Default)]
pub struct Attacks<S> {
    /// By square, the squares from which a leap of any kind attacks the square.
    pub leaps: BySquare<S>,
    /// By kind and square, the squares from which a leap of the kind attacks the square. Empty for kinds
    /// without leaps.
    pub leap: Vec<BySquare<S>>,
    /// Tables of lines from the attacked square to the attackers, each with its kinds (a bit for each).
    pub lines: Vec<(u16, u64)>,
    /// The kings that may not face an enemy king along a rank or file (a bit for each kind).
    pub facing: u64,
    /// The kinds with attacks other than leaps and lines.
    pub specials: Vec<Specialist<S>>,
    /// The kinds with leaps, grouped by equal leaps.
    pub leapers: Vec<Leapers<S>>,
    /// The kinds with lines, grouped by equal lines.
    pub riders: Vec<Riders<S>>,
    /// The kings of `facing`, as attackers along ranks and files.
    pub faced: Vec<Riders<S>>,
    /// The groups, as sets of kinds with a bit for each kind.
    pub armies: Vec<u64>,
}

impl<S: Squares> Attacks<S> {
    /// Returns the attacks of a side with these movements.
    pub fn new(
        builder: &mut Builder<S>,
        definition: &Definition,
        kinds: &Kinds,
        moves: &[Moves<S>],
        rook_lines: &[u16],
    ) -> Attacks<S> {
        let mut attacks = Attacks {
            leaps: builder.blank(),
            ..Attacks::default()
        };
        let mut lines: Vec<(u16, u64)> = Vec::new();
        // The groups of kinds with equal leaps, and with equal lines and mobility regions.
        let mut riders: Vec<(u16, S, u64)> = Vec::new();
        let mut leapers: Vec<(BySquare<S>, u64)> = Vec::new();
        for kind in kinds.all() {
            let moves = &moves[kind.index()];
            let bit = 1 << kind.index();
            let mut back = builder.blank();
            for from in builder.squares() {
                for to in moves.attack[from.index()].iter() {
                    back[to.index()] = back[to.index()].with(from);
                    attacks.leaps[to.index()] = attacks.leaps[to.index()].with(from);
                }
            }
            let any = back.iter().any(|set| !set.is_empty());
            if any {
                match leapers.iter_mut().find(|(known, _)| *known == back) {
                    Some((_, kinds)) => *kinds |= bit,
                    None => leapers.push((back.clone(), bit)),
                }
            }
            attacks.leap.push(if any { back } else { Box::default() });
            for &(table, uses) in &moves.lines {
                if uses & ATTACK == 0 {
                    continue;
                }
                let table = builder.reverse(table);
                match lines.iter_mut().find(|(known, _)| *known == table) {
                    Some((_, kinds)) => *kinds |= bit,
                    None => lines.push((table, bit)),
                }
                let alike =
                    |rider: &&mut (u16, S, u64)| (rider.0, rider.1) == (table, moves.mobility);
                match riders.iter_mut().find(alike) {
                    Some((.., kinds)) => *kinds |= bit,
                    None => riders.push((table, moves.mobility, bit)),
                }
            }
            attacks
                .specials
                .extend(specialist(builder, kind, &moves.specials));
        }
        attacks.lines = lines;
        for (back, kinds) in leapers {
            let army = attacks.army_of(kinds);
            attacks.leapers.push(Leapers { back, army });
        }
        for (table, mobility, kinds) in riders {
            let army = attacks.army_of(kinds);
            attacks.riders.push(Riders {
                table,
                army,
                mobility,
            });
        }
        if definition.checks.flying_general
            && let Some(king) = definition.checks.king
        {
            attacks.facing = kinds.mask(definition::PieceSet::one(king));
            let army = attacks.army_of(attacks.facing);
            attacks.faced = rook_lines
                .iter()
                .map(|&table| Riders {
                    table,
                    army,
                    mobility: !S::EMPTY,
                })
                .collect();
        }
        attacks
    }

    fn army_of(&mut self, kinds: u64) -> u8 {
        let known = self.armies.iter().position(|&army| army == kinds);
        let army = known.unwrap_or(self.armies.len());
        if known.is_none() {
            self.armies.push(kinds);
        }
        army as u8
    }

    /// Returns whether a kind has attacks that are neither leaps nor rides along lines.
    pub fn has_specials(&self) -> bool {
        !self.specials.is_empty()
    }
}

/// Returns the attacks of a kind's special moves, or `None` if no special move attacks.
fn specialist<S: Squares>(
    builder: &Builder<S>,
    kind: Kind,
    specials: &[(Special<S>, u8)],
) -> Option<Specialist<S>> {
    let (mut origins, mut between) = (builder.blank(), builder.blank());
    let attacking = || specials.iter().filter(|(_, uses)| uses & ATTACK != 0);
    for (how, _) in attacking() {
        for from in builder.squares() {
            let paths: Vec<(S, Square)> = match how {
                Special::Lame(steps) => steps[from.index()]
                    .iter()
                    .map(|step| (step.path, step.to.lowest()))
                    .collect(),
                Special::Hop { ray, .. } => ray[from.index()]
                    .iter()
                    .map(|to| (ray[from.index()], to))
                    .collect(),
                Special::Walk { paths, .. } => {
                    let path = &paths[from.index()];
                    path.iter().map(|&to| (set(path), to)).collect()
                }
            };
            for (path, to) in paths {
                origins[to.index()] = origins[to.index()].with(from);
                between[to.index()] |= path;
            }
        }
    }
    attacking().next().is_some().then_some(Specialist {
        kind,
        origins,
        between,
    })
}
