//! A definition bound to its board: the tables from which turns are generated and played and games end.

use crate::compiled_definition::CompiledDefinition;
use crate::kinds::Memory;
use crate::lines::between;
use crate::moves::MoveTables;
use board::{Color, Geometry, Kind, Square, Squares};
use definition::{Definition, Piece, PieceSet, PieceType};
use position::{Layout, Position, Rights};
use rules::Attack;
use std::sync::Arc;

/// Castling of one side on one wing: the squares of the king and its partner, usually a rook.
#[derive(Clone, Debug)]
pub struct Wing<S> {
    /// The king's home square.
    pub king: Square,
    /// The partner's home square.
    pub rook: Square,
    /// The king's target.
    pub king_to: Square,
    /// The partner's target.
    pub rook_to: Square,
    /// The squares that must be vacant.
    pub vacant: S,
    /// The squares from the king's target back to the square next to its home.
    pub passed: Vec<Square>,
}

impl<S> Wing<S> {
    /// Returns whether a castling step with these squares is this castling. `to` is the king's target, or the
    /// partner's home square if a plain step of the king would have the same text.
    pub fn castles(&self, from: Square, to: Square) -> bool {
        self.king == from && (self.king_to == to || self.rook == to)
    }
}

/// The promotion and capture rules that apply to a kind of one side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Role {
    /// Whether the kind promotes on arriving in the zone.
    pub pawn: bool,
    /// Whether the kind captures en passant.
    pub takes_passers: bool,
    /// The kind that its units may become as in shogi.
    pub promoted: Option<Kind>,
    /// The kind to which its units may be demoted.
    pub demoted: Option<Kind>,
    /// Whether its units never change their kind, and may go to squares that they could not leave.
    pub plain: bool,
    /// Whether the steps of all its units may be generated together.
    pub together: bool,
}

/// The kinds involved in en passant captures, as sets with a bit for each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passers {
    /// Whether en passant differs from orthodox chess: other units than pawns pass squares, pawns step three
    /// squares, or pawns have several forms.
    pub otherwise: bool,
    /// By side, the kinds that may become vulnerable by passing squares.
    pub passes: [u64; 2],
    /// By side, the kinds that capture en passant.
    pub takes: [u64; 2],
    /// The kinds that units can become during a game.
    pub arise: u64,
}

/// The rules of a definition on its board.
#[derive(Debug)]
pub struct BoundRules<S> {
    /// The definition.
    pub law: Arc<CompiledDefinition>,
    /// The movement tables.
    pub moves: MoveTables<S>,
    pub(crate) geometry: Geometry,
    pub(crate) squares: S,
    /// By side and kind, the role of the kind.
    pub(crate) roles: [Vec<Role>; 2],
    pub(crate) zone: [S; 2],
    pub(crate) passing_zone: [S; 2],
    pub(crate) wings: [[Option<Wing<S>>; 2]; 2],
    /// By square, the castling rights that are lost when a unit leaves or enters it, as bits.
    pub(crate) marks: Box<[u8]>,
    /// By side and piece, the squares on which the piece may be dropped on an empty board.
    pub(crate) drops: [Vec<S>; 2],
    /// By side, the region that its flag units must reach.
    pub(crate) flags: [S; 2],
    pub(crate) files: Vec<S>,
    pub(crate) dark: S,
    /// By side and square, the squares from which a unit that captures en passant might attack the square.
    pub(crate) passers: [Box<[S]>; 2],
    pub(crate) passing_kinds: Passers,
    /// By side, the number of the first square of the rank whose units have gates.
    pub(crate) gate_offset: [i32; 2],
    /// The kind that is royal by name.
    pub(crate) king: Option<Kind>,
    /// The kinds whose units a blast spares.
    pub(crate) immune: u64,
    pub(crate) mutually_immune: u64,
    /// The pieces that are royal while few of them are left.
    pub(crate) pseudo: PieceSet,
    /// Whether all units of a side together are royal while few are left.
    pub(crate) pseudo_total: bool,
    /// Whether some turns must be played to decide whether they are legal.
    pub(crate) needs_check_trial: bool,
    /// By direction and square, the next square in that direction.
    pub(crate) next: [Box<[Option<Square>]>; 8],
    pub(crate) symmetries: std::sync::OnceLock<rules::Symmetries>,
    /// By side, the squares that its pawns can reach.
    pub(crate) pawn_squares: [S; 2],
    /// By side, the squares on which a FEN may not have its pawns, because they would have had to promote.
    /// Other squares that pawns do not reach in games, such as their first rank, are allowed.
    pub(crate) refused_pawns: [S; 2],
}

/// Returns, for each piece, the squares on which a side may drop it on an empty board.
fn drop_squares<S: Squares>(d: &Definition, color: Color, squares: S) -> Vec<S> {
    let (side, geometry) = (color.index(), d.board);
    let first_rank = squares
        .iter()
        .filter(|&square| geometry.rank(square) == geometry.rank_of(color, 0))
        .fold(S::EMPTY, S::with);
    let of_piece = |(n, piece): (usize, &Piece)| {
        let mut allowed = S::from_bits(d.drops.region[side]) & squares;
        if let Some(mobility) = piece.mobility[side] {
            allowed &= S::from_bits(mobility);
        }
        if d.pawns.pawn == Some(PieceType(n as u8)) {
            if !d.drops.pawns_in_zone {
                allowed &= !S::from_bits(d.promotion.region[side]);
            }
            if !d.drops.pawns_on_first_rank {
                allowed &= !first_rank;
            }
        }
        if d.drops.rooks_on_first_rank && piece.name == "rook" {
            allowed &= first_rank;
        }
        allowed
    };
    d.pieces.iter().enumerate().map(of_piece).collect()
}

impl<S: Squares> BoundRules<S> {
    /// Binds a definition to its board.
    pub fn new(law: &Arc<CompiledDefinition>) -> BoundRules<S> {
        let d = &law.definition;
        let geometry = d.board;
        let kinds = &law.kinds;
        let squares = S::first_n(geometry.len()) & S::from_bits(!geometry.holes());
        let region = |bits: u128| S::from_bits(bits) & squares;
        let all = || {
            (0..geometry.len() as u8)
                .map(Square)
                .filter(|&s| geometry.exists(s))
        };
        let roles = Color::BOTH.map(|color| roles(law, color));
        let zone = [0, 1].map(|side| region(d.promotion.region[side]));
        let drops = Color::BOTH.map(|color| drop_squares(d, color, squares));
        let mut marks = vec![0; geometry.len()].into_boxed_slice();
        let wings = Color::BOTH.map(|color| {
            [false, true].map(|kingside| {
                let wing = wing::<S>(law, geometry, color, kingside)?;
                let right = Rights::bit(color, kingside).0;
                marks[wing.king.index()] |= right;
                marks[wing.rook.index()] |= right;
                Some(wing)
            })
        });
        let pseudo = match d.extinction.pseudo_royal {
            true => d.extinction.types,
            false => PieceSet::EMPTY,
        };
        let moves = MoveTables::new(d, kinds, geometry);
        let passing_zone = [0, 1].map(|side| region(d.en_passant.region[side]));
        let pawn_squares = Color::BOTH.map(|color| {
            let passed = passable(law, &moves, geometry, !color) & passing_zone[color.index()];
            pawn_squares(
                law,
                &moves,
                color,
                (zone[color.index()], passed),
                &drops,
                squares,
            )
        });
        let refused_pawns = Color::BOTH.map(|color| {
            let side = color.index();
            refused_pawns(d, color, zone[side] & !pawn_squares[side])
        });
        let passers =
            Color::BOTH.map(|color| passers(law, &moves, &roles[color.index()], color, squares));
        let passing_kinds = passing_kinds(law, &moves, &roles, squares);
        BoundRules {
            law: Arc::clone(law),
            passers,
            passing_kinds,
            moves,
            pawn_squares,
            refused_pawns,
            geometry,
            squares,
            roles,
            zone,
            passing_zone,
            wings,
            marks,
            drops,
            flags: [0, 1].map(|side| region(d.flag.region[side])),
            files: (0..geometry.files())
                .map(|file| {
                    all()
                        .filter(|&s| geometry.file(s) == file)
                        .fold(S::EMPTY, S::with)
                })
                .collect(),
            dark: all()
                .filter(|&s| (geometry.file(s) + geometry.rank(s)).is_multiple_of(2))
                .fold(S::EMPTY, S::with),
            gate_offset: Color::BOTH.map(|color| {
                let rank = geometry.rank_of(color, d.castling.rank);
                geometry.square(0, rank).0.into()
            }),
            king: d.checks.king.map(|king| kinds.plain(king)),
            immune: kinds.mask(d.captures.immune),
            mutually_immune: kinds.mask(d.captures.mutually_immune),
            pseudo,
            pseudo_total: d.extinction.pseudo_royal && d.extinction.total,
            needs_check_trial: !d.checks.allowed
                || d.promotion.sittuyin
                || (d.drops.enabled && (!d.drops.checks || d.drops.opposite_bishops)),
            next: board::DIRECTIONS.map(|(dx, dy)| {
                (0..geometry.len() as u8)
                    .map(Square)
                    .map(|from| {
                        geometry
                            .exists(from)
                            .then(|| geometry.step(from, dx, dy))
                            .flatten()
                    })
                    .collect()
            }),
            symmetries: std::sync::OnceLock::new(),
        }
    }

    /// Returns whether a kind is a form of the piece `pawn`.
    #[inline(always)]
    pub(crate) fn is_pawn(&self, kind: Kind) -> bool {
        let pawn = self.law.definition.pawns.pawn;
        pawn.is_some() && self.law.kinds.piece(kind) == pawn
    }

    /// Returns a side's units of a piece, in all its forms.
    #[inline(always)]
    pub(crate) fn units<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        color: Color,
        piece: PieceType,
    ) -> S {
        self.law
            .kinds
            .forms(piece)
            .iter()
            .fold(S::EMPTY, |all, &kind| all | p.kind(kind))
            & p.color(color)
    }

    /// Returns the units of both sides of some kinds (a bit for each kind).
    pub(crate) fn units_of_kinds<W: Layout<Set = S>>(&self, p: &Position<W>, kinds: u64) -> S {
        let mut found = S::EMPTY;
        let mut left = kinds;
        while left != 0 {
            found |= p.kind(Kind::from_index(left.trailing_zeros() as usize));
            left &= left - 1;
        }
        found
    }

    /// Returns the number of units of a piece in a side's hand.
    #[inline(always)]
    pub(crate) fn in_hand<W: Layout>(
        &self,
        p: &Position<W>,
        color: Color,
        piece: PieceType,
    ) -> u64 {
        self.law.state.hands[color.index()][piece.index()].get(p)
    }

    /// Returns the kings of a side.
    #[inline(always)]
    pub(crate) fn kings<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        match self.king {
            Some(king) => p.units(color, king),
            None => S::EMPTY,
        }
    }

    /// Returns the pseudo-royal units of a side, which are royal because few units of their piece are left.
    #[inline(always)]
    pub(crate) fn pseudo_royals<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        let most = u32::from(self.law.definition.extinction.count) + 1;
        let mut royals = S::EMPTY;
        for piece in self.pseudo.iter() {
            let units = self.units(p, color, piece);
            if units.len() <= most {
                royals |= units;
            }
        }
        if self.pseudo_total && p.color(color).len() <= most {
            royals = p.color(color);
        }
        royals
    }

    /// Returns a side's units that are pseudo-royal, or would be if fewer units were left.
    pub(crate) fn candidates<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        if self.pseudo_total {
            return p.color(color);
        }
        self.pseudo
            .iter()
            .fold(S::EMPTY, |all, piece| all | self.units(p, color, piece))
    }

    /// Returns whether the definition has pseudo-royal units.
    #[inline(always)]
    pub(crate) fn has_pseudo(&self) -> bool {
        self.pseudo_total || !self.pseudo.is_empty()
    }

    /// Returns the units among `theirs` that carry out an attack. If `royal` is set, facing kings are
    /// included.
    #[inline(always)]
    pub(crate) fn attackers<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        attack: Attack<S>,
        theirs: S,
        royal: bool,
    ) -> S {
        self.moves.attackers(
            attack,
            theirs,
            royal,
            |square| p.kind_on(square),
            |kind| p.kind(kind),
        )
    }

    /// Returns a function that tests whether units of `by` attack a square.
    #[inline(always)]
    pub(crate) fn attacked_by<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        by: Color,
    ) -> impl Fn(Square) -> bool {
        move |square| {
            let attack = Attack::on(square, by, p.occupied());
            !self.attackers(p, attack, p.color(by), false).is_empty()
        }
    }

    /// Returns whether a king of the side is attacked.
    #[inline]
    pub(crate) fn king_attacked<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> bool {
        let kings = self.kings(p, color);
        kings.iter().any(self.attacked_by(p, !color))
    }

    /// Returns whether a blast protects a royal unit: capturing it would destroy one of the royal units
    /// `theirs`.
    #[inline(always)]
    pub(crate) fn touched(&self, royal: Square, theirs: S) -> bool {
        self.law.definition.captures.blast && !(self.moves.ring[royal.index()] & theirs).is_empty()
    }

    /// Returns the royal units of a side that are in check: the attacked kings, the attacked pseudo-royal
    /// units that no blast protects, and with `dupleCheck` all units that could be pseudo-royal if all of
    /// them are attacked.
    pub(crate) fn royals_in_check<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> S {
        let attacked = self.attacked_by(p, !color);
        let mut found = self
            .kings(p, color)
            .iter()
            .filter(|&king| attacked(king))
            .fold(S::EMPTY, S::with);
        if self.has_pseudo() {
            let theirs = self.pseudo_royals(p, !color);
            let open = |royal: Square| !self.touched(royal, theirs) && attacked(royal);
            for royal in self.pseudo_royals(p, color).iter() {
                if open(royal) {
                    found = found.with(royal);
                }
            }
            if self.law.definition.extinction.duple_check {
                let candidates = self.candidates(p, color);
                if !candidates.is_empty() && candidates.iter().all(open) {
                    found |= candidates;
                }
            }
        }
        found
    }
}

/// Returns the kinds that can become vulnerable to en passant captures, and those that can make such
/// captures.
fn passing_kinds<S: Squares>(
    law: &CompiledDefinition,
    moves: &MoveTables<S>,
    roles: &[Vec<Role>; 2],
    squares: S,
) -> Passers {
    let (d, kinds) = (&law.definition, &law.kinds);
    let pawn = d.pawns.pawn;
    let pawns_alone = pawn.is_none_or(|pawn| kinds.forms(pawn) == [Kind::Pawn]);
    let is_pawn = |kind: Kind| pawn.is_some() && kinds.piece(kind) == pawn;
    let mask = |does: &dyn Fn(Kind) -> bool| {
        let all = kinds.all().filter(|&kind| does(kind));
        all.fold(0, |mask, kind| mask | 1 << kind.index())
    };
    Passers {
        otherwise: law.passer || !pawns_alone,
        passes: Color::BOTH.map(|color| {
            mask(&|kind| {
                let first = &moves.of(color, kind).only_first;
                is_pawn(kind) || squares.iter().any(|from| !first[from.index()].is_empty())
            })
        }),
        takes: [0, 1].map(|side| mask(&|kind| roles[side][kind.index()].takes_passers)),
        arise: mask(&|kind| {
            let into = |piece| {
                d.promotion.choices.iter().any(|all| all.has(piece))
                    || d.promotion.promoted.contains(&Some(piece))
            };
            d.has_hands() || d.promotion.demotion || kinds.piece(kind).is_some_and(into)
        }),
    }
}

/// Returns the squares that can become en passant squares after a step of the side's units from any square.
fn passable<S: Squares>(
    law: &CompiledDefinition,
    moves: &MoveTables<S>,
    geometry: Geometry,
    color: Color,
) -> S {
    let pawn = law.definition.pawns.pawn;
    let mut found = S::EMPTY;
    for kind in law.kinds.all() {
        let is_pawn = pawn.is_some() && law.kinds.piece(kind) == pawn;
        let of = moves.of(color, kind);
        for square in 0..geometry.len() as u8 {
            let from = Square(square);
            let steps = match is_pawn {
                true => moves.reach(color, kind, from, S::EMPTY).0,
                false => of.only_first[from.index()],
            };
            for to in steps.iter() {
                found = between(geometry, from, to).fold(found, S::with);
            }
        }
    }
    found
}

/// Returns the squares on which a FEN may not have pawns of a side. `unreached` are the squares in the side's
/// zone that its pawns do not reach.
fn refused_pawns<S: Squares>(d: &Definition, color: Color, unreached: S) -> S {
    if !d.promotion.mandatory_for_pawns || d.promotion.sittuyin {
        return S::EMPTY;
    }
    let first_rank = d.board.rank_of(color, 0);
    let refused = |square: &Square| d.board.rank(*square) != first_rank;
    unreached.iter().filter(refused).fold(S::EMPTY, S::with)
}

/// Returns the squares that pawns of a side can reach, step by step, from their start squares and drop
/// squares. Squares on which pawns must promote are excluded, unless enemies can pass them: an en passant
/// capture does not promote.
fn pawn_squares<S: Squares>(
    law: &CompiledDefinition,
    moves: &MoveTables<S>,
    color: Color,
    (zone, passed): (S, S),
    drops: &[Vec<S>; 2],
    squares: S,
) -> S {
    let d = &law.definition;
    let Some(pawn) = d.pawns.pawn else {
        return squares;
    };
    let side = color.index();
    let kind = law.kinds.plain(pawn);
    let mut reached = law
        .start
        .iter()
        .filter(|unit| unit.1 == color && law.kinds.piece(unit.0) == Some(pawn))
        .fold(S::EMPTY, |all, unit| all.with(Square(unit.2 as u8)));
    if d.has_hands() {
        reached |= drops[side][pawn.index()];
    }
    let promotes = d.promotion.mandatory_for_pawns && !d.promotion.sittuyin;
    // If other units can become pawns, or pawns castle, pawns can be on any square.
    let castling = &d.castling;
    let castles = castling.king[side] == Some(pawn) || castling.rooks[side].has(pawn);
    let arise = d.promotion.demotion
        || castling.enabled && castles
        || d.promotion.choices[side].has(pawn)
        || d.promotion.promoted.contains(&Some(pawn));
    if arise {
        return squares;
    }
    loop {
        let mut grown = reached;
        for from in reached.iter() {
            let (quiet, attack) = moves.reach(color, kind, from, S::EMPTY);
            let entered = quiet | attack;
            grown |= match promotes {
                true => entered & !zone | attack & passed,
                false => entered,
            };
        }
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

/// Returns the home files of king and partner for a castling, or `None` if the definition does not have
/// castling. The files may be off the board.
fn castling_files(
    law: &CompiledDefinition,
    geometry: Geometry,
    color: Color,
    kingside: bool,
) -> Option<(u8, u8)> {
    let castling = &law.definition.castling;
    let king_piece = castling.king[color.index()].filter(|_| castling.enabled)?;
    let rank = geometry.rank_of(color, castling.rank);
    // The home files are those in the start position. If it has no such units, the keys give the files.
    let files = |found: &dyn Fn(PieceType) -> bool| -> Vec<u8> {
        let mut files: Vec<u8> = law
            .start
            .iter()
            .filter(|unit| unit.1 == color && law.kinds.piece(unit.0).is_some_and(found))
            .map(|unit| Square(unit.2 as u8))
            .filter(|&square| geometry.rank(square) == rank)
            .map(|square| geometry.file(square))
            .collect();
        files.sort_unstable();
        files
    };
    // Dropped kings castle from the file that the keys give, with partners in the corners.
    let right = match (color, kingside) {
        (Color::White, true) => 'K',
        (Color::White, false) => 'Q',
        (Color::Black, true) => 'k',
        (Color::Black, false) => 'q',
    };
    let rights = law.definition.start_fen.split_ascii_whitespace().nth(2);
    let dropped = castling.dropped && !rights.is_some_and(|rights| rights.contains(right));
    let king_file = match files(&|piece| piece == king_piece)[..] {
        [only] if !dropped => only,
        _ => castling.king_file,
    };
    let rooks = files(&|piece| castling.rooks[color.index()].has(piece));
    let rook_file = match (dropped, kingside) {
        (true, true) => geometry.files() - 1,
        (true, false) => 0,
        (false, true) => {
            let last = castling.rook_kingside_file;
            let outermost = rooks
                .iter()
                .rev()
                .find(|&&file| king_file < file && file <= last);
            outermost.copied().unwrap_or(last)
        }
        (false, false) => {
            let first = castling.rook_queenside_file;
            let outermost = rooks
                .iter()
                .find(|&&file| first <= file && file < king_file);
            outermost.copied().unwrap_or(first)
        }
    };
    Some((king_file, rook_file))
}

/// Returns the castling of a side on a wing, or `None` if the definition does not have it or it does not fit
/// on the board.
fn wing<S: Squares>(
    law: &CompiledDefinition,
    geometry: Geometry,
    color: Color,
    kingside: bool,
) -> Option<Wing<S>> {
    let castling = &law.definition.castling;
    let (king_file, rook) = castling_files(law, geometry, color, kingside)?;
    let goal = match kingside {
        true => castling.kingside_file,
        false => castling.queenside_file,
    };
    let rank = geometry.rank_of(color, castling.rank);
    let inside = |file: u8| file < geometry.files();
    let toward = if kingside {
        goal.checked_sub(1)
    } else {
        goal.checked_add(1)
    };
    let rook_goal = toward.filter(|&file| inside(file))?;
    if ![goal, rook, king_file].into_iter().all(inside) {
        return None;
    }
    if kingside != (rook > king_file) || rook == king_file {
        return None;
    }
    let at = |file: u8| geometry.square(file, rank);
    let span = |a: u8, b: u8| {
        (a.min(b)..=a.max(b))
            .map(at)
            .fold(S::EMPTY, |all, square| all.with(square))
    };
    let (king, rook_square) = (at(king_file), at(rook));
    let vacant = (span(king_file, goal) | span(rook, rook_goal))
        .without(king)
        .without(rook_square);
    if !(vacant & S::from_bits(geometry.holes())).is_empty() {
        return None;
    }
    let mut passed = Vec::new();
    let mut file = goal;
    while file != king_file {
        passed.push(at(file));
        // Continue toward the king's home.
        file = if kingside {
            file.checked_sub(1)?
        } else {
            file + 1
        };
        if !inside(file) {
            return None;
        }
    }
    Some(Wing {
        king,
        rook: rook_square,
        king_to: at(goal),
        rook_to: at(rook_goal),
        vacant,
        passed,
    })
}

/// Returns the role of each kind of a side.
fn roles(law: &CompiledDefinition, color: Color) -> Vec<Role> {
    let (d, kinds) = (&law.definition, &law.kinds);
    let is_pawn = |piece: PieceType| d.pawns.pawn == Some(piece);
    let side = color.index();
    kinds
        .all()
        .map(|kind| {
            let Some(piece) = kinds.piece(kind) else {
                return Role::default();
            };
            let promoted = d.promotion.promoted[piece.index()].map(|to| {
                let memory = match kinds.remember {
                    true => Memory::Piece(piece),
                    false => Memory::None,
                };
                kinds.form(to, memory)
            });
            let demoted = match kinds.memory(kind) {
                Memory::Piece(was) if d.promotion.demotion => Some(kinds.plain(was)),
                _ => None,
            };
            let sittuyin = d.promotion.sittuyin && is_pawn(piece);
            let pawn = (is_pawn(piece) || d.promotion.pawns[side].has(piece)) && !sittuyin;
            let changes = promoted.is_some() || demoted.is_some();
            Role {
                plain: !pawn && !changes && !d.checks.immobility_illegal,
                together: !changes && !sittuyin,
                pawn,
                takes_passers: is_pawn(piece) || d.en_passant.types[side].has(piece),
                promoted,
                demoted,
            }
        })
        .collect()
}

/// Returns, for each square, the squares from which a side's units that capture en passant might attack it.
fn passers<S: Squares>(
    law: &CompiledDefinition,
    moves: &MoveTables<S>,
    roles: &[Role],
    color: Color,
    squares: S,
) -> Box<[S]> {
    let kinds = law.kinds.all();
    let takes = kinds.filter(|kind| roles[kind.index()].takes_passers);
    let mut all = vec![S::EMPTY; law.definition.board.len()].into_boxed_slice();
    for kind in takes {
        for from in squares.iter() {
            for to in moves.scope(color, kind, from).iter() {
                all[to.index()] = all[to.index()].with(from);
            }
        }
    }
    all
}
