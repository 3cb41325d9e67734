//! A variant as plain data: all keys of the format, with parents and defaults resolved.
//!
//! Each field's doc names its key and defines its meaning precisely enough for two independent engines to
//! agree. The meaning is that of Fairy-Stockfish, which defines the format. Deviations are stated.
//! Fields with sides are indexed by [`Color::index`](board::Color::index), White first.

use crate::{Layer, Movement, Path, Written};
use board::Geometry;

/// The maximum number of kinds of piece in a variant: one for each letter.
pub const MAX_PIECES: usize = 26;

/// One value for White and one for Black.
pub type Sides<T> = [T; 2];

/// A set of squares: bit `s` for the square with number `s` (`rank * files + file`). It never contains holes.
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

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of kinds.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the set with one more kind.
    pub fn with(self, piece: PieceType) -> PieceSet {
        PieceSet(self.0 | 1 << piece.0)
    }

    /// Returns the set without one kind.
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

/// A result as the format writes it, from the view of the side that the key concerns.
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

/// One kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The key of the piece in the file: `knight`, `customPiece3` ...
    pub name: String,
    /// White's letter, in upper case. Black's letter is the same in lower case.
    pub letter: u8,
    /// A second letter that FENs may use, in upper case (own key `synonyms = h:n`). It is never printed.
    pub synonym: Option<u8>,
    /// The movement of the piece. The `pawn` has `fmWfceF`, without the double and triple steps, which are in
    /// [`Pawns`]. The `king` has `K` or the movement that follows its letter.
    pub movement: Movement,
    /// `mobilityRegionWhite<Name>`, `mobilityRegionBlack<Name>`: the squares to which the piece may move or
    /// be dropped, and which it attacks; `None` for all. Squares that the piece passes do not matter, except
    /// those of a pawn's longer steps.
    pub mobility: Sides<Option<Region>>,
}

impl Piece {
    /// Returns whether the piece is the one of orthodox chess with its letter, by its name or its movement.
    /// Pictures draw it so.
    pub fn is_orthodox(&self) -> bool {
        const ORTHODOX: [(u8, &[&str], &str); 6] = [
            (b'K', &["king"], "K"),
            (b'Q', &["queen"], "Q"),
            (b'R', &["rook"], "R"),
            (b'B', &["bishop"], "B"),
            (b'N', &["knight", "shogiKnight"], "N"),
            (b'P', &["pawn", "shogiPawn"], "fmWfceF"),
        ];
        ORTHODOX.iter().any(|&(letter, names, movement)| {
            letter == self.letter
                && (names.contains(&self.name.as_str())
                    || Movement::parse(movement).is_ok_and(|parsed| parsed == self.movement))
        })
    }
}

/// The steps of pawns, and the squares from which they start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pawns {
    /// The piece with the key `pawn`, if the variant has that piece. Only the `pawn` makes the double and
    /// triple steps below (straight ahead over empty squares of its mobility region). It promotes in the zone
    /// even if [`Promotion::pawns`] does not contain it, and captures en passant even if
    /// [`EnPassant::types`] does not contain it.
    pub pawn: Option<PieceType>,
    /// `doubleStepRegionWhite/Black` (empty if `doubleStep = false`): the squares from which the `pawn` may
    /// make a double step, and from which steps of other pieces marked `i` start.
    pub double_step: Sides<Region>,
    /// `tripleStepRegionWhite/Black`: the squares from which the `pawn` may make a triple step.
    pub triple_step: Sides<Region>,
}

/// The rules of en passant captures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnPassant {
    /// `enPassantTypes...`, by the side that captures: the pieces that may capture en passant. Such a piece
    /// may move to an en passant square that it attacks and could not reach by a quiet move. Pieces whose
    /// movement contains `e` are among them, and so are those of `pawnTypes`.
    pub types: Sides<PieceSet>,
    /// `enPassantRegion...`, by the side that captures: the squares that may become en passant squares. A
    /// unit other than a pawn is marked by its own square, so its step must also end in the region.
    ///
    /// After a double or triple step of the `pawn` (from its region, or otherwise two or three ranks
    /// straight ahead), the squares passed are en passant squares. After a quiet step of any other piece
    /// that only its `i` terms allow, the squares between origin and target are en passant squares. They
    /// last for one turn. The unit captured is the one that made the step.
    pub region: Sides<Region>,
}

/// Promotion of pawns and of other pieces, and demotion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Promotion {
    /// `promotionRegionWhite/Black`: the zone of each side (default `*8`, `*1` on every board).
    pub region: Sides<Region>,
    /// `promotionPawnTypes...`: the pieces that promote as pawns do. Such a piece becomes one of `choices`
    /// when it moves to a square of the zone, even from another square of the zone.
    pub pawns: Sides<PieceSet>,
    /// The last kind of `promotionPawnTypes`, or `None` if that list is empty. In hand, a promoted unit whose
    /// former kind is not recorded becomes this kind, or a pawn if the list is empty.
    pub main_pawn: Sides<Option<PieceType>>,
    /// `promotionPieceTypes...`: the kinds that pawns may become.
    pub choices: Sides<PieceSet>,
    /// `promotionLimit`, by kind: the maximum number of units of the kind that a side may have on the board,
    /// including a unit that promotes to it; 0 means no limit. The limit also applies to `promoted`.
    pub limits: Vec<u8>,
    /// `mandatoryPawnPromotion`: a pawn that arrives in the zone must promote. If it cannot (`choices` are
    /// empty or at their limit), it cannot move there at all.
    pub mandatory_for_pawns: bool,
    /// `promotedPieceType`, by kind: the kind that a unit may become as in shogi, by a move that starts or
    /// ends in the zone; for the `pawn`, by a move that ends there. The position records the unit's former
    /// kind (FEN `+` before the old letter), and the unit reverts to that kind in hand. A unit that has
    /// promoted can promote again only if its new kind has an entry. If a pawn can become a kind both as a
    /// pawn and as in shogi, this is one turn.
    pub promoted: Vec<Option<PieceType>>,
    /// `piecePromotionOnCapture`: `promoted` and demotion apply only to moves that capture.
    pub by_capture_only: bool,
    /// `mandatoryPiecePromotion`: a piece other than the `pawn` that could promote by `promoted` (or demote)
    /// must do so, except by castling or en passant; with `by_capture_only`, only if it captures.
    pub mandatory_for_pieces: bool,
    /// `pieceDemotion`: a unit with a recorded former kind may return to that kind, by the same moves by
    /// which pieces may promote.
    pub demotion: bool,
    /// `sittuyinPromotion`: the `pawn` promotes as in Sittuyin. It does not promote by arriving, but from the
    /// zone (or from anywhere, if it is the side's only pawn), on its square or to an empty square that the
    /// new piece attacks from there. The new piece may not then attack a unit of the opponent. No unit of
    /// `pawns` may promote with check, not even by arriving.
    pub sittuyin: bool,
}

/// The names of the pieces that can give shak, the check that [`Checks::shatar`] requires before mate.
pub const SHAK: [&str; 3] = ["knight", "rook", "bers"];

/// A set of castling rights.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    /// Kingside, by side.
    pub kingside: Sides<bool>,
    /// Queenside, by side.
    pub queenside: Sides<bool>,
}

/// Castling.
///
/// When a FEN is read, the outermost rook on the castling rank gets the right: from `rook_kingside_file`
/// leftward, or from `rook_queenside_file` rightward. The king is the only castling king on the rank or, if
/// there are several, the one on `king_file`. All squares from the king to its target and from the rook to
/// its target must be empty, except for these two units. A royal king may not castle out of, through or into
/// an attack. Another piece may, if no royal unit is attacked after castling.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Castling {
    /// `castling`: whether there is castling at all.
    pub enabled: bool,
    /// `castlingRank`, from 0, as each side counts ranks from its own edge.
    pub rank: u8,
    /// `castlingKingsideFile`, from 0: the king's target; the rook's is to its left.
    pub kingside_file: u8,
    /// `castlingQueensideFile`, from 0: the king's target; the rook's is to its right.
    pub queenside_file: u8,
    /// `castlingKingFile`, from 0.
    pub king_file: u8,
    /// `castlingRookKingsideFile`, from 0; not beyond the last file.
    pub rook_kingside_file: u8,
    /// `castlingRookQueensideFile`, from 0.
    pub rook_queenside_file: u8,
    /// `castlingKingPiece`: the piece that castles, or `None` if the variant does not have that piece.
    pub king: Sides<Option<PieceType>>,
    /// `castlingRookPieces`: the pieces with which the king may castle.
    pub rooks: Sides<PieceSet>,
    /// `oppositeCastling`: castling removes the opponent's right on the same wing.
    pub opposite: bool,
    /// `castlingDroppedPiece`: a castling king dropped on its home square and a rook dropped on a corner of
    /// the castling rank give the castling right.
    pub dropped: bool,
    /// `castlingWins`: castling with one of these rights wins. A side that loses all of its rights among
    /// these in any other way loses the game. The side that has just moved is tested first.
    pub wins: CastlingRights,
}

/// A rule on how a dropped unit must enclose enemy units, or on which units a drop turns over.
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

/// Hands and drops. Hands exist if `enabled` or [`Gating::seirawan`] is set. FENs contain them in brackets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drops {
    /// `pieceDrops`: units in hand may be dropped on empty squares.
    pub enabled: bool,
    /// `capturesToHand`: a captured unit, also one that a blast removes, goes to the hand of its opponent.
    /// Promoted units revert, see `keep_promoted`.
    pub captures_to_hand: bool,
    /// `dropLoop`: captured promoted units keep their kind in hand. FENs then do not contain `~`.
    pub keep_promoted: bool,
    /// `dropRegionWhite/Black`.
    pub region: Sides<Region>,
    /// `firstRankPawnDrops`: the `pawn` may be dropped on its side's first rank.
    pub pawns_on_first_rank: bool,
    /// `promotionZonePawnDrops`: the `pawn` may be dropped in its promotion zone.
    pub pawns_in_zone: bool,
    /// `dropPromoted`: a piece with an entry in [`Promotion::promoted`] may be dropped promoted.
    pub promoted: bool,
    /// `dropNoDoubled`: a unit of this kind may not be dropped on a file on which the side already has
    /// `no_doubled_count` units of the kind.
    pub no_doubled: Option<PieceType>,
    /// `dropNoDoubledCount` (default 1; 0 forbids the drop everywhere).
    pub no_doubled_count: u8,
    /// `dropChecks`: whether a drop may give check.
    pub checks: bool,
    /// `mustDrop`: while the hand contains a unit of `must_drop_type` and a drop of that kind is legal, only
    /// such drops are legal.
    pub must_drop: bool,
    /// `mustDropType`; `None` for `*`, any kind.
    pub must_drop_type: Option<PieceType>,
    /// `sittuyinRookDrop`: the `rook` may be dropped only on its side's first rank.
    pub rooks_on_first_rank: bool,
    /// `dropOppositeColoredBishop`: a side's pieces named `bishop` are distributed over both colors of
    /// squares. A drop may not put more than half of the bishops on the board and in hand, rounded up, on
    /// one color; drops of other units must leave room for this.
    pub opposite_bishops: bool,
    /// `shogiPawnDropMateIllegal`: if a turn mates a king by dropping the piece named `shogiPawn`, and only
    /// such pieces check the king, the mated side wins.
    pub shogi_pawn_mate_illegal: bool,
    /// `enclosingDrop`.
    pub enclosing: Option<EnclosingRule>,
    /// `enclosingDropStart`.
    pub enclosing_start: Region,
    /// `flipEnclosedPieces`.
    pub flip: Option<EnclosingRule>,
    /// `twoBoards`: units come from a second board. Hands are those of the FEN and change by drops only.
    pub two_boards: bool,
}

/// Gating (a unit in hand enters on the square that an unmoved unit leaves) and special first leaps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gating {
    /// `gating`: the castling field contains the files whose back-rank units have not moved.
    pub enabled: bool,
    /// `seirawanGating`: a unit from hand may enter on the square that an unmoved unit leaves (or, at
    /// castling, that the rook leaves).
    pub seirawan: bool,
    /// `cambodianMoves`: an unmoved king that is not in check may leap like a knight, sideways and forward,
    /// to an empty square. An unmoved `fers` may leap two squares straight ahead to an empty square. The
    /// king loses this right when a rook of the opponent moves onto its rank or file.
    pub cambodian: bool,
}

/// A rule on where walls are placed.
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

/// Rules on mandatory and forbidden captures, and on the effects of captures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Captures {
    /// `mustCapture`: if a capture is legal by all other rules, only captures are legal. En passant is a
    /// capture.
    pub mandatory: bool,
    /// `blastOnCapture`: a capture removes the capturing unit and all units on the eight squares around the
    /// target, except units of kind `pawn` and those of `immune`.
    pub blast: bool,
    /// `blastImmuneTypes`.
    pub immune: PieceSet,
    /// `mutuallyImmuneTypes`: such a piece may not capture one of its own kind.
    pub mutually_immune: PieceSet,
    /// `petrifyOnCaptureTypes`: such a piece becomes a wall, which nothing enters or crosses, on the
    /// square where it captures.
    pub petrify: PieceSet,
    /// `petrifyBlastPieces`: units removed by a blast around the target leave walls.
    pub petrify_blast: bool,
}

/// Passing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passing {
    /// `pass...`: the side may pass, unless its royal king is in check.
    pub allowed: Sides<bool>,
    /// `passOnStalemate...`: the side may pass if it has no other legal turn and is not in check.
    pub on_stalemate: Sides<bool>,
}

/// Number of consecutive passes that end the game: in a draw, or with the result of [`Ended::material`].
pub const PASS_ENDS: u8 = 2;

/// Rules on checks and on royal units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// The piece with the key `king`, which is royal.
    pub king: Option<PieceType>,
    /// `checking`: whether a turn may give check to a king at all.
    pub allowed: bool,
    /// `flyingGeneral`: kings may not face each other along a rank or file without a unit between them.
    pub flying_general: bool,
    /// `makpongRule`: in check, the king may not move, except to capture the checking unit.
    pub makpong: bool,
    /// `checkCounting`: each check counts. The FEN contains the number of checks that each side still has to
    /// give. A side with no checks left to give has won.
    pub counting: bool,
    /// `shatarMateRule`: a mate of the king by a `knight` alone loses. Mate of the king draws if no check
    /// of the unbroken series of checks was given by a rook, `bers` or knight. An attack on pseudo-royal
    /// units alone is mate without these conditions.
    pub shatar: bool,
    /// `bikjangRule`: kings that face each other along an open line end the game, as in janggi.
    pub bikjang: bool,
    /// `soldierPromotionRank`, from 0 as each side counts ranks: before this rank, the piece named `soldier`
    /// steps only along its file.
    pub soldier_rank: u8,
    /// `diagonalLines`: between these squares, `wazir`, `soldier`, `rook`, `janggiCannon` and a king with the
    /// movement `W` also move along diagonals.
    pub diagonal_lines: Region,
    /// `immobilityIllegal`: a unit may not be dropped on, or move without promotion to, a square from which
    /// it could not move on an empty board. Initial steps do not count.
    pub immobility_illegal: bool,
}

/// `extinction...`: the end of the game when few units of a kind are left, and pseudo-royal pieces.
///
/// The rule counts units on the board and in hand, for each kind in `types` (and for all units together if
/// `total`). If a side has at most `count` of a kind and the other side at least `opponent_count`, the game
/// is over with `value` for the first side. The side that has just moved is tested first, then the side to
/// move. With `claim`, the opponent of the side to move needs one more than `opponent_count` to win at once.
/// With `pseudo_royal`, this end applies only together with [`Captures::blast`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extinction {
    /// `extinctionValue`, or `None` if games do not end in this way.
    pub value: Option<Value>,
    /// The kinds in `extinctionPieceTypes`, each counted alone.
    pub types: PieceSet,
    /// Whether `extinctionPieceTypes` contains `*`: all units of the side are counted together.
    pub total: bool,
    /// `extinctionPieceCount`
    pub count: u8,
    /// `extinctionOpponentPieceCount`
    pub opponent_count: u8,
    /// `extinctionClaim`
    pub claim: bool,
    /// `extinctionPseudoRoyal`: a side's pieces of one of `types` are royal while the side has no more than
    /// `count + 1` of that kind. None of them may be left attacked.
    ///
    /// With blasts, an attack on a piece that touches an opposing royal piece does not count. A turn that
    /// destroys an opposing royal piece is legal even if own royal pieces are then attacked. A turn that
    /// destroys an own royal piece is illegal. A side without turns that has a royal piece attacked gets
    /// `checkmateValue`, not `stalemateValue`.
    pub pseudo_royal: bool,
    /// `dupleCheck`: an attack on all of a side's pieces of these kinds at once is also check.
    pub duple_check: bool,
}

/// `flag...`: the end of the game when pieces reach a region.
///
/// A side has reached its region if at least `count` of its units of kind `piece` are in `region`. With
/// `blocked_wins`, one such unit is enough if no square of the region is empty. Without `extra_move` and
/// `safe`, the side that has just moved wins at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flag {
    /// `flagPiece...`; `None` for `*`, any kind.
    pub piece: Sides<Option<PieceType>>,
    /// Whether `flagPiece...` names a piece that the variant does not have: the side cannot win in this way.
    pub nobody: Sides<bool>,
    /// `flagRegion...`. If it is empty, games do not end in this way.
    pub region: Sides<Region>,
    /// `flagPieceCount`
    pub count: u8,
    /// `flagPieceBlockedWin`
    pub blocked_wins: bool,
    /// `flagMove`: the opponent has one more turn; the side wins when it is to move again. If both sides
    /// have reached their regions, White is to move and Black's flag piece is the `king`, the game is
    /// drawn. If the flag piece of the side to move is the `king`, its opponent wins at once, unless the
    /// side to move is Black, not in check, and its king can reach its region at once.
    pub extra_move: bool,
    /// `flagPieceSafe`: attacked units do not count if exactly `count` units are in the region. The side
    /// wins at once, or when it is to move again. Without `extra_move`, the game is drawn if both sides have
    /// reached their regions. With `extra_move`, only attacked units cause the extra turn.
    pub safe: bool,
}

/// `connect...`: the end of the game when the side that has just moved has connected units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Connection {
    /// `connectN`: the number of units in a row; 0 if games do not end in this way.
    pub in_a_row: u8,
    /// `connectPieceTypes`
    pub types: PieceSet,
    /// `connectHorizontal`
    pub horizontal: bool,
    /// `connectVertical`
    pub vertical: bool,
    /// `connectDiagonal`
    pub diagonal: bool,
    /// `connectRegion1White/Black`: a chain of units connects this region with `region_b`. Each unit of the
    /// chain is next to the one before, in a direction that the fields above allow. One unit in both regions
    /// is a chain. (Fairy-Stockfish extends chains only to the right and upward, and does not count a single
    /// unit.)
    pub region_a: Sides<Region>,
    /// `connectRegion2White/Black`
    pub region_b: Sides<Region>,
    /// `connectNxN`: the side length of a square full of units; 0 if games do not end in this way.
    pub square: u8,
    /// `collinearN`: the number of units on one line, gaps allowed; 0 if games do not end in this way.
    pub collinear: u8,
    /// `connectValue`: the result for the side that has connected; a win by default.
    pub value: Value,
}

/// The result for a side without a legal turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NoTurn {
    /// `stalemateValue`: for the side to move, if none of its royal units is attacked.
    pub stalemate: Value,
    /// `stalematePieceCount`: `stalemate` if that side has fewer units on the board than the other, the
    /// opposite if it has more, a draw if both have the same number.
    pub piece_count: bool,
    /// `checkmateValue`: for the side to move, if one of its royal units is attacked.
    pub checkmate: Value,
}

/// `materialCounting`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MaterialCounting {
    /// `janggi`: the points of janggi decide, with 1.5 extra points for Black.
    Janggi,
    /// `unweighted`: the side with more units wins.
    Unweighted,
    /// `whitedrawodds`: White wins instead of a draw.
    WhiteDrawOdds,
    /// `blackdrawodds`: Black wins instead of a draw.
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

/// Further ends of games: full boards and material counting.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ended {
    /// `materialCounting`: replaces a draw by stalemate, full board or two passes.
    pub material: Option<MaterialCounting>,
    /// `adjudicateFullBoard`: a board without an empty square ends the game.
    pub full_board: bool,
}

/// Rules that depend on earlier positions. A position does not contain earlier positions, so these rules are
/// read but not played. The n-move rule is played if a definition makes its count a part of the position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// `nMoveRule`, in moves of each side; 0 for no such rule.
    pub n_move_rule: u32,
    /// `nMoveRuleTypes...`: the kinds whose irreversible steps reset the count.
    pub n_move_types: Sides<PieceSet>,
    /// `nMoveRuleKept`, an own key: the rule is played, and its count is part of the position.
    pub n_move_kept: bool,
    /// `nFoldRule`; 0 for no such rule.
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

/// A complete variant. The default has no name, pieces or rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Definition {
    /// The name of its section.
    pub name: String,
    /// The name of its parent section, if any.
    pub parent: Option<String>,
    /// `maxFile`, `maxRank`, own keys `holes` and `cylinder`; squares with `*` in `startFen` are holes too.
    pub board: Geometry,
    /// The kinds in the order of the format's names: predefined pieces, custom pieces, the king.
    pub pieces: Vec<Piece>,
    /// `startFen` with all its fields: board (with `[hand]` if the variant has hands), side, castling, en
    /// passant, with `checkCounting` the checks left (`3+3`), halfmove clock, move number.
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
    /// Rules that depend on earlier positions.
    pub history: History,
    /// Whether boards of other sizes are those of compiled orthodox chess: pawns make double steps on six or more
    /// ranks, and kings castle on exactly eight files.
    pub has_fide_boards: bool,
    /// The clauses of the section and its ancestors, the oldest first, then those of the conditions in their order.
    pub layers: Vec<Layer>,
    /// The section and its ancestors as they are written.
    pub written: Written,
}

impl Definition {
    /// Returns the start position's field with this index, or `-` if the field is missing.
    pub fn start_field(&self, index: usize) -> &str {
        self.start_fen.split_whitespace().nth(index).unwrap_or("-")
    }

    /// Returns the maximum number of en passant squares that one step can leave; 0 if only double steps of
    /// pawns leave any, or none do.
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

    /// Returns the kind with this letter or synonym, in either case.
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

    /// Returns the region of all squares except holes.
    pub fn squares(&self) -> Region {
        let n = self.board.len();
        let all = if n == 128 { u128::MAX } else { (1 << n) - 1 };
        all & !self.board.holes()
    }

    /// Returns the number of plies without progress after which the n-move rule ends the game; 0 if the rule
    /// is not played.
    pub fn quiet_plies(&self) -> u64 {
        match self.history.n_move_kept {
            true => 2 * u64::from(self.history.n_move_rule),
            false => 0,
        }
    }

    /// Returns whether the variant has hands.
    pub fn has_hands(&self) -> bool {
        self.drops.enabled
            || self.gating.seirawan
            || self.has_clause("toHand")
            || self.drops.captures_to_hand && self.has_clause("drops")
    }

    /// Returns whether a captured unit that has promoted goes to a hand as what it was.
    pub fn hands_revert(&self) -> bool {
        let to_hand = self.drops.captures_to_hand || self.has_clause("toHand");
        to_hand && !self.drops.keep_promoted
    }

    /// Returns whether a clause with this key is given.
    pub fn has_clause(&self, key: &str) -> bool {
        self.layers.iter().any(|layer| layer.get(key).is_some())
    }

    /// Returns whether captured units can come into a hand as units of any kind.
    pub fn captures_change_hands(&self) -> bool {
        let changes = ["turnsInto", "rebirthKind", "handKind"];
        self.has_clause("toHand")
            || self.drops.captures_to_hand && changes.iter().any(|key| self.has_clause(key))
    }
}
