//! A variant as plain typed data: all that a section of a file can say, parents and defaults resolved.
//!
//! Each field names its key and says exactly what the key means, so that two engines that compile the
//! same definition agree. Facts follow Fairy-Stockfish, whose format this is; where its program has a
//! quirk that shows in counts, the quirk is stated. "Side" fields are indexed by
//! [`Color::index`](board::Color::index), White first.

use board::Geometry;

/// The most kinds of piece that a variant may have: one letter each.
pub const MAX_PIECES: usize = 26;

/// One value for White and one for Black.
pub type Sides<T> = [T; 2];

/// A set of squares: bit `s` for the square with number `s` (`rank * files + file`). Holes are never in it.
pub type Region = u128;

/// A kind of piece, as its index in [`Definition::pieces`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct PieceType(pub u8);

impl PieceType {
    /// Returns the index into [`Definition::pieces`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of kinds: bit `i` for the kind with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PieceSet(pub u32);

impl PieceSet {
    /// No kind.
    pub const EMPTY: PieceSet = PieceSet(0);

    /// Returns the set of one kind.
    pub fn one(piece: PieceType) -> PieceSet {
        PieceSet(1 << piece.0)
    }

    /// Returns the first `count` kinds.
    pub fn first(count: usize) -> PieceSet {
        PieceSet(((1u64 << count.min(32)) - 1) as u32)
    }

    /// Returns whether the kind is in the set.
    #[inline]
    pub fn has(self, piece: PieceType) -> bool {
        self.0 >> piece.0 & 1 == 1
    }

    /// Returns whether no kind is in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns how many kinds.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// This set with one more kind.
    pub fn with(self, piece: PieceType) -> PieceSet {
        PieceSet(self.0 | 1 << piece.0)
    }

    /// This set without one kind.
    pub fn without(self, piece: PieceType) -> PieceSet {
        PieceSet(self.0 & !(1 << piece.0))
    }

    /// Returns the kinds, by index.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = PieceType> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| PieceType(left.trailing_zeros() as u8));
            left &= left.wrapping_sub(1);
            next
        })
    }
}

/// A result as the format writes it: from the view of the player whom the key speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Value {
    /// `win`
    Win,
    /// `loss`
    Loss,
    /// `draw`
    #[default]
    Draw,
}

impl Value {
    /// Returns the result from the view of the other player.
    pub fn opposite(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
        }
    }
}

/// The offsets a term of Betza notation starts from, as the letters of the notation name them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Atom {
    /// `W`: one square along a rank or file.
    Wazir,
    /// `F`: one square diagonally.
    Ferz,
    /// `D`: (2,0).
    Dabbaba,
    /// `N`: (2,1).
    Knight,
    /// `A`: (2,2).
    Alfil,
    /// `H`: (3,0).
    Threeleaper,
    /// `C` or `L`: (3,1).
    Camel,
    /// `Z` or `J`: (3,2).
    Zebra,
    /// `G`: (3,3).
    Tripper,
    /// `K`: `W` and `F` under the same modifiers.
    King,
    /// `R`: `W` ridden without limit.
    Rook,
    /// `B`: `F` ridden without limit.
    Bishop,
    /// `Q`: `R` and `B` under the same modifiers.
    Queen,
}

/// When a step may be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Mode {
    /// To empty squares only (`m`).
    Move,
    /// To squares of enemies only (`c`): these squares are attacked.
    Capture,
}

/// How a step gets from its square to its goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Path {
    /// Straight to the offset, whatever stands between.
    Leap,
    /// To the offset, if the squares of [`Step::lame_path`] are all empty (`n`).
    Lame,
    /// Again and again by the offset until a unit or the range ends it: slider, nightrider.
    Ride,
    /// Along the line of the offset; over exactly one unit of either side (wherever on the line it
    /// stands), and then to any square behind it up to and with the next unit (`p`): a cannon. The
    /// range, if any, counts all squares from the first.
    Hop,
    /// As `Hop`, but only to the square directly behind the unit hopped over (`g`): a grasshopper.
    Grasshop,
}

/// One offset with all that is said of it; movements of both sides come from White's by turning the
/// board by a half turn (`-dx`, `-dy`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Step {
    /// Files to the right.
    pub dx: i8,
    /// Ranks up.
    pub dy: i8,
    /// Whether it goes to empty squares or to enemies.
    pub mode: Mode,
    /// Only from a square of [`Pawns::double_step`] of the side that moves (`i`). Such a step never
    /// captures: a capturing one is dropped by the reader.
    pub initial: bool,
    /// How it gets there.
    pub path: Path,
    /// For `Ride` and `Hop`: the most squares; 0 means without limit. Otherwise 0.
    pub range: u8,
}

impl Step {
    /// Returns the offsets that must be empty for a lame step, from the first: the step approaches its goal
    /// orthogonally along the longer side while one is longer, diagonally when both are equal. So a horse
    /// passes an orthogonal neighbor, an elephant a diagonal one, a lame zebra an orthogonal one and then a
    /// diagonal one.
    pub fn lame_path(&self) -> Vec<(i8, i8)> {
        let (mut x, mut y) = (0i8, 0i8);
        let mut path = Vec::new();
        loop {
            let (rest_x, rest_y) = (self.dx - x, self.dy - y);
            let difference = rest_x.abs() - rest_y.abs();
            if difference >= 0 {
                x += rest_x.signum();
            }
            if difference <= 0 {
                y += rest_y.signum();
            }
            if (x, y) == (self.dx, self.dy) {
                return path;
            }
            path.push((x, y));
        }
    }
}

/// One term of Betza notation: modifiers and an atom, as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The atom.
    pub atom: Atom,
    /// `m` was written, or neither `m` nor `c`.
    pub moves: bool,
    /// `c` was written, or neither `m` nor `c`.
    pub captures: bool,
    /// `i` was written.
    pub initial: bool,
    /// `e` was written: the piece is one of those that capture en passant ([`EnPassant::types`]).
    pub en_passant: bool,
    /// How it gets to its goal.
    pub path: Path,
    /// For `Ride` and `Hop`: the most squares, 0 without limit. Otherwise 0.
    pub range: u8,
    /// Directions as pairs of letters (`ff`, `fs`, `lr` ...); empty means all.
    pub directions: Vec<[u8; 2]>,
}

/// How a piece moves: the sum of its terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Movement {
    /// The terms in the order of the text.
    pub terms: Vec<Term>,
}

/// One kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its key in the file: `knight`, `customPiece3` ...
    pub name: String,
    /// Its letter in upper case; Black's is the same in lower case.
    pub letter: u8,
    /// A second letter that FENs may use, upper case (own key `synonyms = h:n`), written never.
    pub synonym: Option<u8>,
    /// How it moves. The `pawn` has `fmWfceF`; its double and triple steps are not in it: see
    /// [`Pawns`]. The `king` has `K` or what was written behind its letter.
    pub movement: Movement,
    /// `mobilityRegionWhite<Name>`, `mobilityRegionBlack<Name>`: the squares it may go to and attack;
    /// `None`: all. Squares between are not asked (except those of a pawn's longer steps); drops too
    /// are held to it.
    pub mobility: Sides<Option<Region>>,
}

/// Units that move like pawns: steps, and the squares they start from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pawns {
    /// The piece with the key `pawn`, if the variant has it. It alone makes the double and triple
    /// steps below as a matter of course (straight ahead over empty squares of its mobility region),
    /// promotes in the zone whether or not [`Promotion::pawns`] names it, and captures en passant
    /// whether or not [`EnPassant::types`] names it.
    pub pawn: Option<PieceType>,
    /// `doubleStepRegionWhite/Black` (empty if `doubleStep = false`): where the `pawn` may step twice
    /// from, and where steps marked `i` of every other piece start from.
    pub double_step: Sides<Region>,
    /// `tripleStepRegionWhite/Black`: where the `pawn` may step three times from.
    pub triple_step: Sides<Region>,
}

/// Capturing en passant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnPassant {
    /// `enPassantTypes...`, by the side that captures: which pieces may. Such a piece may go to an
    /// e.p. square that it attacks and could not reach by a quiet move. A piece whose own Betza has
    /// `e` is among them; so is each of `pawnTypes`.
    pub types: Sides<PieceSet>,
    /// `enPassantRegion...`, by the side that captures: squares that may become e.p. squares. A unit other
    /// than a pawn that passes some is marked by its own square, so it must end in the region, too.
    ///
    /// After a double or triple step of the `pawn` (by its region or otherwise two or three ranks
    /// straight), the squares passed are e.p. squares; after a quiet step of another piece that only
    /// its `i` terms allow, the squares between are, whatever the piece's kind. All last for one turn.
    /// The unit captured is the one that made the step.
    pub region: Sides<Region>,
}

/// Promotion of pawns and of other pieces, demotion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Promotion {
    /// `promotionRegionWhite/Black`: the zone of each side (default `*8`, `*1` on every board).
    pub region: Sides<Region>,
    /// `promotionPawnTypes...`: pieces that promote like pawns, to one of `choices`, when they arrive
    /// in the zone (also from inside it).
    pub pawns: Sides<PieceSet>,
    /// What a promoted unit without memory of its kind becomes in hand: the last of
    /// `promotionPawnTypes`. `None` if that list is empty.
    pub main_pawn: Sides<Option<PieceType>>,
    /// `promotionPieceTypes...`: what pawns become.
    pub choices: Sides<PieceSet>,
    /// `promotionLimit`: by kind, how many of it a side may have on the board at most when it
    /// promotes to it; 0 means without limit. It binds `promoted` too.
    pub limits: Vec<u8>,
    /// `mandatoryPawnPromotion`: a pawn that arrives in the zone must promote; if it has nothing to
    /// become (`choices` empty or at their limit), it cannot go there at all.
    pub mandatory_for_pawns: bool,
    /// `promotedPieceType`, by kind: what it becomes in the manner of shogi: by a choice at each move
    /// that starts or ends in the zone. The `pawn` only when its move ends there. It keeps the memory
    /// of what it was (FEN `+` before the old letter), to which it reverts in hand. A unit that has
    /// promoted cannot again unless its new kind has an entry.
    pub promoted: Vec<Option<PieceType>>,
    /// `piecePromotionOnCapture`: `promoted` and demotion only by moves that capture.
    pub by_capture_only: bool,
    /// `mandatoryPiecePromotion`: where a piece could promote by `promoted` (or demote) it must. With
    /// `by_capture_only` only when it captures.
    pub mandatory_for_pieces: bool,
    /// `pieceDemotion`: a unit with a memory may turn back to it, at the same moves at which pieces
    /// may promote.
    pub demotion: bool,
    /// `sittuyinPromotion`: the `pawn` promotes as in Sittuyin: not by arriving, but from the zone (or
    /// anywhere if it is the side's only one) on its square or to an empty square that the new piece
    /// attacks from it; the new piece may not then attack a unit of the opponent, nor the move give
    /// check. A bare pawn with only such moves left draws.
    pub sittuyin: bool,
}

/// The names of the pieces without a check of which there is no mate by [`Checks::shatar`].
pub const SHAK: [&str; 3] = ["knight", "rook", "bers"];

/// Castling rights, a set of the four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    /// Kingside, by side.
    pub kingside: Sides<bool>,
    /// Queenside, by side.
    pub queenside: Sides<bool>,
}

/// Castling. The rook with a right is the outermost one of its kinds on the rank: from
/// `rook_kingside_file` leftward, from `rook_queenside_file` rightward, as the FEN is read. The king is
/// the only castling king on the rank, or among several the one on `king_file`. All squares between
/// the king and its goal and between the rook and its goal, goals included, must be empty apart from
/// the two. A royal king may not castle out of, through or into attack; another piece may, if no royal
/// unit is then attacked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Castling {
    /// `castling`: whether there is castling at all.
    pub enabled: bool,
    /// `castlingRank`, from 0, as each side counts ranks from its own edge.
    pub rank: u8,
    /// `castlingKingsideFile`, from 0: where the king goes; the rook goes to its left.
    pub kingside_file: u8,
    /// `castlingQueensideFile`, from 0: where the king goes; the rook goes to its right.
    pub queenside_file: u8,
    /// `castlingKingFile`, from 0.
    pub king_file: u8,
    /// `castlingRookKingsideFile`, from 0; not beyond the last file.
    pub rook_kingside_file: u8,
    /// `castlingRookQueensideFile`, from 0.
    pub rook_queenside_file: u8,
    /// `castlingKingPiece`: the piece that castles; `None` if the variant does not have it.
    pub king: Sides<Option<PieceType>>,
    /// `castlingRookPieces`: its partners.
    pub rooks: Sides<PieceSet>,
    /// `oppositeCastling`: castling takes the opponent's right on the same wing.
    pub opposite: bool,
    /// `castlingDroppedPiece`: a castling king dropped on its square, a rook dropped on a corner of
    /// the castling rank gain the right.
    pub dropped: bool,
    /// `castlingWins`: castling with such a right wins; to lose all of one's rights among these
    /// otherwise loses (the player who just moved is asked first).
    pub wins: CastlingRights,
}

/// What a dropped unit must enclose, or what is turned over by a drop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EnclosingRule {
    /// `reversi`
    Reversi,
    /// `ataxx`
    Ataxx,
    /// `quadwrangle`
    Quadwrangle,
    /// `snort`
    Snort,
    /// `anyside`
    AnySide,
    /// `top`
    Top,
}

/// Hands and drops. Hands exist when `enabled` or [`Gating::seirawan`]; FENs then hold them in brackets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drops {
    /// `pieceDrops`: units in hand may be dropped on empty squares.
    pub enabled: bool,
    /// `capturesToHand`: a unit captured (also by a blast) goes to the hand of the side that did not
    /// own it. Promoted ones revert, see `keep_promoted`.
    pub captures_to_hand: bool,
    /// `dropLoop`: captured promoted units keep their kind. FENs then write no `~`.
    pub keep_promoted: bool,
    /// `dropRegionWhite/Black`.
    pub region: Sides<Region>,
    /// `firstRankPawnDrops`: the `pawn` may be dropped on its side's first rank.
    pub pawns_on_first_rank: bool,
    /// `promotionZonePawnDrops`: the `pawn` may be dropped in its promotion zone.
    pub pawns_in_zone: bool,
    /// `dropPromoted`: a piece with an entry in [`Promotion::promoted`] may be dropped promoted.
    pub promoted: bool,
    /// `dropNoDoubled`: not on a file on which the side already has `no_doubled_count` of this kind.
    pub no_doubled: Option<PieceType>,
    /// `dropNoDoubledCount` (default 1; 0 forbids the drop everywhere).
    pub no_doubled_count: u8,
    /// `dropChecks`: whether a drop may give check.
    pub checks: bool,
    /// `mustDrop`: while the hand holds a unit of `must_drop_type` (`None`: any) and such a drop is
    /// legal, only drops (of that kind) are legal.
    pub must_drop: bool,
    /// `mustDropType`; `None` for `*`.
    pub must_drop_type: Option<PieceType>,
    /// `sittuyinRookDrop`: the `rook` is dropped on its side's first rank only.
    pub rooks_on_first_rank: bool,
    /// `dropOppositeColoredBishop`: a side's pieces named `bishop` spread over both colors of square:
    /// of the bishops on board and in hand no more than half, rounded up, may come to stand on one
    /// color by a drop; other drops must leave room for that.
    pub opposite_bishops: bool,
    /// `shogiPawnDropMateIllegal`: a turn that mates by dropping the piece named `shogiPawn`, which
    /// alone gives the check, is a win of the side mated.
    pub shogi_pawn_mate_illegal: bool,
    /// `enclosingDrop`.
    pub enclosing: Option<EnclosingRule>,
    /// `enclosingDropStart`.
    pub enclosing_start: Region,
    /// `flipEnclosedPieces`.
    pub flip: Option<EnclosingRule>,
    /// `twoBoards`: units come from a second board: hands are what the FEN says, and change by drops only.
    pub two_boards: bool,
}

/// Gating: placing units from hand on squares that are left, and special first leaps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gating {
    /// `gating`: the castling field holds files whose back rank units have not moved.
    pub enabled: bool,
    /// `seirawanGating`: a unit from hand may enter on the square that an unmoved unit leaves (or, at
    /// castling, that the rook leaves).
    pub seirawan: bool,
    /// `cambodianMoves`: an unmoved king may leap like a knight sideways-forward (not in check, to an
    /// empty square), an unmoved `fers` two squares straight ahead to an empty square; the king's right
    /// ends when a rook of the opponent moves to attack it.
    pub cambodian: bool,
}

/// How walls are placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WallingRule {
    /// `arrow`
    Arrow,
    /// `duck`
    Duck,
    /// `edge`
    Edge,
    /// `past`
    Past,
    /// `static`
    Static,
}

/// Walls placed in the course of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Walling {
    /// `wallingRule`.
    pub rule: Option<WallingRule>,
    /// `wallingRegionWhite/Black`.
    pub region: Sides<Region>,
    /// `wallOrMove`.
    pub or_move: bool,
}

/// What captures must be, may not be, and do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Captures {
    /// `mustCapture`: if a legal capture exists, only captures are legal (e.p. is one; legality by
    /// the other rules comes first).
    pub mandatory: bool,
    /// `blastOnCapture`: a capture destroys the unit that captures and all units on the eight squares
    /// around the goal except those of kind `pawn`, apart from `immune` ones.
    pub blast: bool,
    /// `blastImmuneTypes`.
    pub immune: PieceSet,
    /// `mutuallyImmuneTypes`: such a piece may not capture one of its own kind.
    pub mutually_immune: PieceSet,
    /// `petrifyOnCaptureTypes`: such a piece becomes a wall, which nothing enters or crosses, on the
    /// square where it captures.
    pub petrify: PieceSet,
    /// `petrifyBlastPieces`: units destroyed by a blast around the goal leave walls.
    pub petrify_blast: bool,
}

/// Passing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passing {
    /// `pass...`: the side may pass (never when the royal king is in check, which a pass would leave).
    pub allowed: Sides<bool>,
    /// `passOnStalemate...`: only if it has no other legal turn and is not in check.
    pub on_stalemate: Sides<bool>,
}

/// Two passes one after the other end the game: drawn, or as [`Ended::material`] counts.
pub const PASS_ENDS: u8 = 2;

/// Rules on checks and on royal units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// The piece with the key `king`: royal. It may never be left attacked, and mate is its end.
    pub king: Option<PieceType>,
    /// `checking`: whether a turn may give check to a king at all.
    pub allowed: bool,
    /// `flyingGeneral`: kings may not face each other along a rank or file with nothing between.
    pub flying_general: bool,
    /// `makpongRule`: in check the king may not move, except to capture the unit that gives it.
    pub makpong: bool,
    /// `checkCounting`: each check given counts; the FEN holds how many each side still needs, and
    /// who has none left to give has won.
    pub counting: bool,
    /// `shatarMateRule`: mate by a `knight` alone loses; mate without a check by rook, `bers` or knight
    /// in the series of checks draws.
    pub shatar: bool,
    /// `bikjangRule`: kings that face each other along an open line, and what follows.
    pub bikjang: bool,
    /// `soldierPromotionRank`, from 0 as each side counts: before this rank the piece named `soldier`
    /// steps along its file only.
    pub soldier_rank: u8,
    /// `diagonalLines`: between these squares `wazir`, `soldier`, `rook`, `janggiCannon` and a king of
    /// wazir's movement also go along diagonals.
    pub diagonal_lines: Region,
    /// `immobilityIllegal`: no drop and no move without promotion to a square from which the piece
    /// could not go anywhere even on an empty board (initial steps do not count).
    pub immobility_illegal: bool,
}

/// `extinction...`: the end when kinds of piece run out, or pseudo-royal pieces.
///
/// For each kind in `types` (and for all units together if `total`), counting board and hand: if a side
/// has at most `count` of it and the other side at least `opponent_count`, the game is over with `value`
/// for the side that has run out. The player who just moved is asked first, then the one to move; with
/// `claim` the opponent of the one to move needs one more than `opponent_count` to win at once.
/// If `pseudo_royal` is set, this applies only with [`Captures::blast`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extinction {
    /// `extinctionValue`: `None` for no such end.
    pub value: Option<Value>,
    /// `extinctionPieceTypes`, kind by kind.
    pub types: PieceSet,
    /// `*` in `extinctionPieceTypes`: all units of the side together.
    pub total: bool,
    /// `extinctionPieceCount`
    pub count: u8,
    /// `extinctionOpponentPieceCount`
    pub opponent_count: u8,
    /// `extinctionClaim`
    pub claim: bool,
    /// `extinctionPseudoRoyal`: a side's pieces of one of `types` are royal while it has no more than
    /// `count + 1` of that kind: none may be left attacked; with a blast in force, not while one touches
    /// an opposing royal one (that may not be exploded), and a turn that destroys an opposing
    /// royal one is legal whatever is attacked then; to destroy one's own is illegal. A side without
    /// turns that has one attacked gets `checkmateValue`, not `stalemateValue`.
    pub pseudo_royal: bool,
    /// `dupleCheck`: when all of a side's pieces of these kinds are attacked at once, that too is check.
    pub duple_check: bool,
}

/// `flag...`: the end when pieces reach a region.
///
/// A side has reached it when at least `count` of its units of kind `piece` stand in `region` (or, with
/// `blocked_wins`, at least one and no square of the region is empty). Without `extra_move` and `safe`
/// the player who just moved wins at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flag {
    /// `flagPiece...`; `None` for `*`, any kind.
    pub piece: Sides<Option<PieceType>>,
    /// `flagPiece...` names a piece the variant does not have: the side can never win so.
    pub nobody: Sides<bool>,
    /// `flagRegion...`: empty for no such end.
    pub region: Sides<Region>,
    /// `flagPieceCount`
    pub count: u8,
    /// `flagPieceBlockedWin`
    pub blocked_wins: bool,
    /// `flagMove`: the opponent has one more turn; the side wins when it is to move again. When both
    /// have reached and White, whose opponent's flag piece is the `king`, is to move, it is a draw. With
    /// a `king` as the mover's flag piece the win comes at once unless the mover is Black, not in check,
    /// and his king can go to his region at once.
    pub extra_move: bool,
    /// `flagPieceSafe`: unsafe (attacked) units do not count when exactly `count` are there. The side
    /// wins when it is to move again or at once; both reached and no `extra_move`: a draw. With
    /// `extra_move` only unsafe units cause the extra turn.
    pub safe: bool,
}

/// `connect...`: the end when the player who just moved has connected units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Connection {
    /// `connectN`: this many in a row; 0 for no such end.
    pub in_a_row: u8,
    /// `connectPieceTypes`
    pub types: PieceSet,
    /// `connectHorizontal`
    pub horizontal: bool,
    /// `connectVertical`
    pub vertical: bool,
    /// `connectDiagonal`
    pub diagonal: bool,
    /// `connectRegion1White/Black`: with `region_b`, a chain of steps in the directions above
    /// that touches both. (The program whose format it is grows chains to the right and up only.)
    pub region_a: Sides<Region>,
    /// `connectRegion2White/Black`
    pub region_b: Sides<Region>,
    /// `connectNxN`: a full square of this size; 0 for no such end.
    pub square: u8,
    /// `collinearN`: this many on one line, gaps allowed; 0 for no such end.
    pub collinear: u8,
    /// `connectValue`: for the player who connected (default a win).
    pub value: Value,
}

/// The end of a side that has no legal turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoTurn {
    /// `stalemateValue`: for the side to move, when nothing royal of its is attacked.
    pub stalemate: Value,
    /// `stalematePieceCount`: `stalemate` if that side has fewer units on the board than the other, the
    /// opposite if more, a draw if as many.
    pub piece_count: bool,
    /// `checkmateValue`: for the side to move, when a royal unit of its is attacked.
    pub checkmate: Value,
}

/// `materialCounting`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaterialCounting {
    /// `janggi`: by janggi's points, Black with one and a half more.
    Janggi,
    /// `unweighted`: the side with more units wins.
    Unweighted,
    /// `whitedrawodds`: what would be a draw is White's win.
    WhiteDrawOdds,
    /// `blackdrawodds`: what would be a draw is Black's win.
    BlackDrawOdds,
}

/// `countingRule`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountingRule {
    /// `makruk`
    Makruk,
    /// `cambodian`
    Cambodian,
    /// `asean`
    Asean,
}

/// `chasingRule`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChasingRule {
    /// `axf`
    Axf,
}

/// How games end that neither mate nor a goal ends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ended {
    /// `materialCounting`: what takes the place of a draw by stalemate, full board, two passes.
    pub material: Option<MaterialCounting>,
    /// `adjudicateFullBoard`: a board without an empty square ends the game.
    pub full_board: bool,
}

/// Rules that look back on the game. A position here has no past: they are read and left out, but for
/// the n-move rule, whose count a definition may make a part of the position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// `nMoveRule` in moves; 0 for none.
    pub n_move_rule: u32,
    /// `nMoveRuleTypes...`: whose steps reset it, if they could not be taken back.
    pub n_move_types: Sides<PieceSet>,
    /// `nMoveRuleKept`, an own key: the rule is played, its count is part of the position.
    pub n_move_kept: bool,
    /// `nFoldRule`; 0 for none.
    pub n_fold_rule: u32,
    /// `nFoldValue`
    pub n_fold_value: Value,
    /// `nFoldValueAbsolute`
    pub n_fold_absolute: bool,
    /// `perpetualCheckIllegal`
    pub perpetual_check_illegal: bool,
    /// `moveRepetitionIllegal`
    pub move_repetition_illegal: bool,
    /// `chasingRule`
    pub chasing: Option<ChasingRule>,
    /// `countingRule`
    pub counting: Option<CountingRule>,
}

/// A whole variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name of its section.
    pub name: String,
    /// The name of its parent, if it has one.
    pub parent: Option<String>,
    /// `maxFile`, `maxRank`, own keys `holes` and `cylinder`; squares with `*` in `startFen` are holes too.
    pub board: Geometry,
    /// The kinds, in the order of the format's list of names, custom pieces after them, the king last.
    pub pieces: Vec<Piece>,
    /// `startFen` with all its fields: board (with `[hand]` if the variant has hands), side, castling, en
    /// passant, with `checkCounting` the checks left (`3+3`), halfmove clock, move number. Walls that
    /// captures leave later are written `*` like holes.
    pub start_fen: String,
    /// `chess960`: castling from any squares, castling rights as files.
    pub chess960: bool,
    /// Pawns and their steps.
    pub pawns: Pawns,
    /// En passant.
    pub en_passant: EnPassant,
    /// Promotions.
    pub promotion: Promotion,
    /// Castling.
    pub castling: Castling,
    /// Hands and drops.
    pub drops: Drops,
    /// Gating.
    pub gating: Gating,
    /// Walls.
    pub walling: Walling,
    /// Captures.
    pub captures: Captures,
    /// Passing.
    pub passing: Passing,
    /// Checks and kings.
    pub checks: Checks,
    /// Extinction and pseudo-royal pieces.
    pub extinction: Extinction,
    /// Reaching a region.
    pub flag: Flag,
    /// Connecting units.
    pub connection: Connection,
    /// No legal turn.
    pub no_turn: NoTurn,
    /// Other ends.
    pub ended: Ended,
    /// What the game's past does.
    pub history: History,
}

impl Definition {
    /// Returns a definition without a name, pieces or rules.
    pub(crate) fn blank() -> Definition {
        Definition {
            name: String::new(),
            parent: None,
            board: Geometry::new(8, 8, 0, false).expect("8x8 is a board"),
            pieces: Vec::new(),
            start_fen: String::new(),
            chess960: false,
            pawns: Pawns::default(),
            en_passant: EnPassant::default(),
            promotion: Promotion::default(),
            castling: Castling::default(),
            drops: Drops::default(),
            gating: Gating::default(),
            walling: Walling::default(),
            captures: Captures::default(),
            passing: Passing::default(),
            checks: Checks::default(),
            extinction: Extinction::default(),
            flag: Flag::default(),
            connection: Connection::default(),
            no_turn: NoTurn::default(),
            ended: Ended::default(),
            history: History::default(),
        }
    }

    /// Returns a field of the start position, from 0; `-` for one that is missing.
    pub fn start_field(&self, index: usize) -> &str {
        self.start_fen.split_whitespace().nth(index).unwrap_or("-")
    }

    /// Returns the most squares that a step can pass on which its unit can then be captured; 0 if only
    /// double steps of pawns pass any.
    pub fn max_passed_squares(&self) -> u32 {
        let any = |regions: Sides<Region>| regions.iter().any(|&region| region != 0);
        if !any(self.en_passant.region) {
            return 0;
        }
        let side = u32::from(self.board.files().max(self.board.ranks()));
        let pieces = self.pieces.iter().enumerate();
        let initial = pieces
            .filter(|(n, _)| self.pawns.pawn.map(PieceType::index) != Some(*n))
            .flat_map(|(_, piece)| piece.movement.steps())
            .filter(|step| step.initial && any(self.pawns.double_step))
            .map(|step| match step.path {
                Path::Leap | Path::Lame => {
                    u32::from(step.dx.unsigned_abs().max(step.dy.unsigned_abs()))
                }
                Path::Ride | Path::Hop | Path::Grasshop => side,
            });
        let triple = self.pawns.pawn.is_some() && any(self.pawns.triple_step);
        let longest = initial.chain(triple.then_some(3)).max();
        longest.map_or(0, |squares| squares.min(side).max(2) - 1)
    }

    /// Returns the kind with this letter, either case, synonyms included.
    pub fn piece_of(&self, letter: u8) -> Option<PieceType> {
        let upper = letter.to_ascii_uppercase();
        let index = self
            .pieces
            .iter()
            .position(|p| p.letter == upper)
            .or_else(|| self.pieces.iter().position(|p| p.synonym == Some(upper)))?;
        Some(PieceType(index as u8))
    }

    /// Returns the kind with this key name.
    pub fn named(&self, name: &str) -> Option<PieceType> {
        let index = self.pieces.iter().position(|p| p.name == name)?;
        Some(PieceType(index as u8))
    }

    /// Returns all squares that exist, as a region.
    pub fn squares(&self) -> Region {
        let n = self.board.len();
        let all = if n == 128 { u128::MAX } else { (1 << n) - 1 };
        all & !self.board.holes()
    }

    /// Returns the plies without progress after which the n-move rule ends the game; 0 if it is not played.
    pub fn quiet_plies(&self) -> u64 {
        match self.history.n_move_kept {
            true => 2 * u64::from(self.history.n_move_rule),
            false => 0,
        }
    }

    /// Returns whether units can stand in hand.
    pub fn has_hands(&self) -> bool {
        self.drops.enabled || self.gating.seirawan
    }
}
