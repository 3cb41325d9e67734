//! Every key of the format: its type, and what it lays on a draft.
//!
//! The order of the table is the order in which keys apply, whatever their order in the file: aliases
//! before the keys that refine them.

use crate::draft::{Draft, MAX_SIDE, OnePiece, Plane, SlotSet};
use crate::slots;
use crate::{
    CastlingRights, ChasingRule, CountingRule, EnclosingRule, MaterialCounting, Value, WallingRule,
};

/// The largest number that a count may be.
pub const MAX_COUNT: u32 = 255;
/// The largest number of moves of a rule on history.
pub const MAX_MOVES: u32 = 100_000;
/// The longest start FEN, in bytes.
pub const MAX_FEN: usize = 1_000;

/// How a value is read, and where it goes.
pub enum Take {
    /// `true`, `false`
    Bool(fn(&mut Draft, bool)),
    /// A number up to 255.
    Count(fn(&mut Draft, u8)),
    /// A number of moves.
    Number(fn(&mut Draft, u32)),
    /// A rank from 1.
    Rank(fn(&mut Draft, u8)),
    /// A file as letter or number.
    File(fn(&mut Draft, u8)),
    /// One letter of a piece, `*` or `-`.
    Piece(fn(&mut Draft, OnePiece)),
    /// Letters of pieces, `*`, `-`.
    Pieces(fn(&mut Draft, SlotSet)),
    /// Squares, files and ranks.
    Squares(fn(&mut Draft, Plane)),
    /// `win`, `loss`, `draw`.
    Value(fn(&mut Draft, Value)),
    /// The same, or `none`.
    ValueOrNone(fn(&mut Draft, Option<Value>)),
    /// One of some words.
    Word(&'static [&'static str], fn(&mut Draft, usize)),
    /// Letters of castling rights.
    Rights(fn(&mut Draft, CastlingRights)),
    /// A FEN.
    Fen(fn(&mut Draft, String)),
    /// Letters with numbers: `q:1 r:2`.
    Limits(fn(&mut Draft, usize, u8)),
    /// Letters with letters: `p:g s:-`.
    Mapping(fn(&mut Draft, usize, Option<usize>)),
    /// Letters with second letters: `n:h`.
    Synonyms(fn(&mut Draft, usize, u8)),
    /// Of use to other programs' displays and evaluations; not looked into.
    Cosmetic,
}

impl Take {
    /// Returns whether what a value means depends on the board and the pieces that the parent has.
    pub fn needs_parent(&self) -> bool {
        match self {
            Take::Piece(_)
            | Take::Pieces(_)
            | Take::Squares(_)
            | Take::Rights(_)
            | Take::Fen(_)
            | Take::Limits(_)
            | Take::Mapping(_)
            | Take::Synonyms(_) => true,
            Take::Bool(_)
            | Take::Count(_)
            | Take::Number(_)
            | Take::Rank(_)
            | Take::File(_)
            | Take::Value(_)
            | Take::ValueOrNone(_)
            | Take::Word(..)
            | Take::Cosmetic => false,
        }
    }

    /// Returns a value of the type.
    pub fn example(&self) -> &'static str {
        match self {
            Take::Bool(_) => "true",
            Take::Count(_) => "3",
            Take::Number(_) => "50",
            Take::Rank(_) => "6",
            Take::File(_) => "f",
            Take::Piece(_) => "k",
            Take::Pieces(_) => "qr",
            Take::Squares(_) => "d4 e4 *8",
            Take::Value(_) | Take::ValueOrNone(_) => "loss",
            Take::Word(words, _) => words[1],
            Take::Rights(_) => "KQkq",
            Take::Fen(_) => "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
            Take::Limits(_) => "q:1",
            Take::Mapping(_) => "p:q",
            Take::Synonyms(_) => "n:h",
            Take::Cosmetic => "-",
        }
    }

    /// Returns the type's name, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Take::Bool(_) => "`true` or `false`",
            Take::Count(_) => "a number from 0 to 255",
            Take::Number(_) => "a number of moves",
            Take::Rank(_) => "a rank from 1 to 16",
            Take::File(_) => "a file, as a letter from a to p or a number from 1 to 16",
            Take::Piece(_) => "the letter of a piece, or `*`",
            Take::Pieces(_) => "letters of pieces, or `*`",
            Take::Squares(_) => "squares, files and ranks such as `d4 *8 a*`",
            Take::Value(_) => "`win`, `loss` or `draw`",
            Take::ValueOrNone(_) => "`win`, `loss`, `draw` or `none`",
            Take::Word(..) => "one of some words",
            Take::Rights(_) => "castling rights such as `KQkq`",
            Take::Fen(_) => "a FEN",
            Take::Limits(_) => "letters with numbers such as `q:1 r:2`",
            Take::Mapping(_) => "letters with letters such as `p:g r:d`",
            Take::Synonyms(_) => "letters with second letters such as `n:h`",
            Take::Cosmetic => "any text",
        }
    }
}

/// One key.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value says.
    pub meaning: &'static str,
    /// Its type and effect.
    pub take: Take,
    /// Whether it is an old name that the format keeps for old files.
    pub old: Option<&'static str>,
}

const fn key(name: &'static str, meaning: &'static str, take: Take) -> Key {
    Key {
        name,
        meaning,
        take,
        old: None,
    }
}

const fn old(name: &'static str, take: Take, now: &'static str) -> Key {
    Key {
        name,
        meaning: "old name, kept for old files",
        take,
        old: Some(now),
    }
}

const ENCLOSING: [&str; 7] = [
    "none",
    "reversi",
    "ataxx",
    "quadwrangle",
    "snort",
    "anyside",
    "top",
];

fn enclosing(word: usize) -> Option<EnclosingRule> {
    [
        None,
        Some(EnclosingRule::Reversi),
        Some(EnclosingRule::Ataxx),
        Some(EnclosingRule::Quadwrangle),
        Some(EnclosingRule::Snort),
        Some(EnclosingRule::AnySide),
        Some(EnclosingRule::Top),
    ][word]
}

/// Returns the ranks from `rank` on, as each side counts them.
fn zone(d: &Draft, rank: u8) -> [Plane; 2] {
    let ranks = d.max_rank.max(1);
    let of = |r: u8| Plane::rank(usize::from(r.min(MAX_SIDE as u8 - 1)));
    let mut zones = [Plane::NONE; 2];
    for r in rank..ranks {
        zones[0] = zones[0].or(of(r));
        zones[1] = zones[1].or(of(ranks - 1 - r));
    }
    zones
}

/// The keys that give the board's size: they apply before all others.
pub static SIZE: [Key; 2] = [
    key(
        "maxRank",
        "number of ranks of the board",
        Take::Rank(|d, v| d.max_rank = v + 1),
    ),
    key(
        "maxFile",
        "last file of the board, as a letter or number",
        Take::File(|d, v| d.max_file = v + 1),
    ),
];

/// All other keys but those of pieces and their mobility regions, which apply between.
pub static KEYS: &[Key] = &[
    key(
        "holes",
        "squares that the board lacks",
        Take::Squares(|d, v| d.holes = v),
    ),
    key(
        "cylinder",
        "the left and right edges of the board are joined",
        Take::Bool(|d, v| d.cylinder = v),
    ),
    key(
        "synonyms",
        "second letters by which units may be written in a FEN",
        Take::Synonyms(|d, s, v| d.synonyms[s] = Some(v)),
    ),
    key(
        "pieceValueMg",
        "value of a unit for engines; not used here",
        Take::Cosmetic,
    ),
    key(
        "pieceValueEg",
        "value of a unit for engines; not used here",
        Take::Cosmetic,
    ),
    old(
        "promotionRank",
        Take::Rank(|d, v| d.promotion_region = zone(d, v)),
        "promotionRegionWhite, promotionRegionBlack",
    ),
    old(
        "doubleStepRankMin",
        Take::Rank(|d, v| d.double_step_region = between(d, v, 1)),
        "doubleStepRegionWhite, doubleStepRegionBlack",
    ),
    old(
        "doubleStepRank",
        Take::Rank(|d, v| d.double_step_region = between(d, 1, v)),
        "doubleStepRegionWhite, doubleStepRegionBlack",
    ),
    old(
        "whiteFlag",
        Take::Squares(|d, v| d.flag_region[0] = v),
        "flagRegionWhite",
    ),
    old(
        "blackFlag",
        Take::Squares(|d, v| d.flag_region[1] = v),
        "flagRegionBlack",
    ),
    old(
        "castlingRookPiece",
        Take::Pieces(|d, v| d.castling_rooks = [v; 2]),
        "castlingRookPieces",
    ),
    old(
        "whiteDropRegion",
        Take::Squares(|d, v| d.drop_region[0] = v),
        "dropRegionWhite",
    ),
    old(
        "blackDropRegion",
        Take::Squares(|d, v| d.drop_region[1] = v),
        "dropRegionBlack",
    ),
    old(
        "dropOnTop",
        Take::Bool(|d, v| {
            if v {
                d.enclosing_drop = Some(EnclosingRule::Top);
            }
        }),
        "enclosingDrop = top",
    ),
    key(
        "pawnTypes",
        "units that promote, double-step and capture en passant as pawns do, and whose steps reset the n-move counter",
        Take::Pieces(|d, v| {
            d.promotion_pawns = [v; 2];
            d.en_passant_types = [v; 2];
            d.n_move_types = [v; 2];
        }),
    ),
    key(
        "variantTemplate",
        "layout that displays use; not used here",
        Take::Cosmetic,
    ),
    key(
        "pieceToCharTable",
        "letters that displays use; not used here",
        Take::Cosmetic,
    ),
    key(
        "pocketSize",
        "size of the hand that displays show; not used here",
        Take::Cosmetic,
    ),
    key(
        "chess960",
        "castling with king and rooks on any squares of the first rank",
        Take::Bool(|d, v| d.chess960 = v),
    ),
    key(
        "twoBoards",
        "a captured unit goes to the hand of a partner on another board",
        Take::Bool(|d, v| d.two_boards = v),
    ),
    key(
        "startFen",
        "start position",
        Take::Fen(|d, v| d.start_fen = v),
    ),
    key(
        "promotionRegionWhite",
        "squares on which White's units promote",
        Take::Squares(|d, v| d.promotion_region[0] = v),
    ),
    key(
        "promotionRegionBlack",
        "squares on which Black's units promote",
        Take::Squares(|d, v| d.promotion_region[1] = v),
    ),
    key(
        "promotionPawnTypes",
        "units that promote as pawns do; the last is the main pawn",
        Take::Pieces(|d, v| d.promotion_pawns = [v; 2]),
    ),
    key(
        "promotionPawnTypesWhite",
        "White's units that promote as pawns do; the last is the main pawn",
        Take::Pieces(|d, v| d.promotion_pawns[0] = v),
    ),
    key(
        "promotionPawnTypesBlack",
        "Black's units that promote as pawns do; the last is the main pawn",
        Take::Pieces(|d, v| d.promotion_pawns[1] = v),
    ),
    key(
        "promotionPieceTypes",
        "units that a pawn may become",
        Take::Pieces(|d, v| d.promotion_types = [v; 2]),
    ),
    key(
        "promotionPieceTypesWhite",
        "units that White's pawns may become",
        Take::Pieces(|d, v| d.promotion_types[0] = v),
    ),
    key(
        "promotionPieceTypesBlack",
        "units that Black's pawns may become",
        Take::Pieces(|d, v| d.promotion_types[1] = v),
    ),
    key(
        "sittuyinPromotion",
        "the pawn promotes as in sittuyin: by a turn from the zone, not by arriving there",
        Take::Bool(|d, v| d.sittuyin_promotion = v),
    ),
    key(
        "promotionLimit",
        "most units of a kind that a side may have on the board when it promotes to it; 0 for no limit",
        Take::Limits(|d, s, v| d.promotion_limit[s] = v),
    ),
    key(
        "promotedPieceType",
        "kind that a unit may become by a turn that starts or ends in the promotion zone, as in shogi",
        Take::Mapping(|d, s, v| d.promoted[s] = v),
    ),
    key(
        "piecePromotionOnCapture",
        "units promote by `promotedPieceType` only when they capture",
        Take::Bool(|d, v| d.promotion_on_capture = v),
    ),
    key(
        "mandatoryPawnPromotion",
        "a pawn that arrives in the promotion zone must promote",
        Take::Bool(|d, v| d.mandatory_pawn = v),
    ),
    key(
        "mandatoryPiecePromotion",
        "a unit that can promote by `promotedPieceType` must",
        Take::Bool(|d, v| d.mandatory_piece = v),
    ),
    key(
        "pieceDemotion",
        "a unit that remembers its former kind may turn back to it where units promote",
        Take::Bool(|d, v| d.demotion = v),
    ),
    key(
        "blastOnCapture",
        "a capture removes the capturing unit and all units on the eight squares around, except pawns",
        Take::Bool(|d, v| d.blast = v),
    ),
    key(
        "blastImmuneTypes",
        "units that a blast does not remove",
        Take::Pieces(|d, v| d.immune = v),
    ),
    key(
        "mutuallyImmuneTypes",
        "units that may not capture units of their own kind",
        Take::Pieces(|d, v| d.mutually_immune = v),
    ),
    key(
        "petrifyOnCaptureTypes",
        "units that become walls when they capture",
        Take::Pieces(|d, v| d.petrify = v),
    ),
    key(
        "petrifyBlastPieces",
        "units removed by a blast leave walls",
        Take::Bool(|d, v| d.petrify_blast = v),
    ),
    key(
        "doubleStep",
        "pawns may advance two squares from the double-step region",
        Take::Bool(|d, v| d.double_step = v),
    ),
    key(
        "doubleStepRegionWhite",
        "squares from which White's pawns may advance two squares",
        Take::Squares(|d, v| d.double_step_region[0] = v),
    ),
    key(
        "doubleStepRegionBlack",
        "squares from which Black's pawns may advance two squares",
        Take::Squares(|d, v| d.double_step_region[1] = v),
    ),
    key(
        "tripleStepRegionWhite",
        "squares from which White's pawns may advance three squares",
        Take::Squares(|d, v| d.triple_step_region[0] = v),
    ),
    key(
        "tripleStepRegionBlack",
        "squares from which Black's pawns may advance three squares",
        Take::Squares(|d, v| d.triple_step_region[1] = v),
    ),
    key(
        "enPassantRegion",
        "squares on which a unit may be captured en passant",
        Take::Squares(|d, v| d.en_passant_region = [v; 2]),
    ),
    key(
        "enPassantRegionWhite",
        "squares on which White may capture en passant",
        Take::Squares(|d, v| d.en_passant_region[0] = v),
    ),
    key(
        "enPassantRegionBlack",
        "squares on which Black may capture en passant",
        Take::Squares(|d, v| d.en_passant_region[1] = v),
    ),
    key(
        "enPassantTypes",
        "units that capture en passant",
        Take::Pieces(|d, v| d.en_passant_types = [v; 2]),
    ),
    key(
        "enPassantTypesWhite",
        "White's units that capture en passant",
        Take::Pieces(|d, v| d.en_passant_types[0] = v),
    ),
    key(
        "enPassantTypesBlack",
        "Black's units that capture en passant",
        Take::Pieces(|d, v| d.en_passant_types[1] = v),
    ),
    key(
        "castling",
        "castling is allowed",
        Take::Bool(|d, v| d.castling = v),
    ),
    key(
        "castlingDroppedPiece",
        "a king or rook dropped on its castling square may castle",
        Take::Bool(|d, v| d.castling_dropped = v),
    ),
    key(
        "castlingKingsideFile",
        "file of the king after kingside castling",
        Take::File(|d, v| d.castling_kingside = v),
    ),
    key(
        "castlingQueensideFile",
        "file of the king after queenside castling",
        Take::File(|d, v| d.castling_queenside = v),
    ),
    key(
        "castlingRank",
        "rank on which castling takes place, counted from the own side",
        Take::Rank(|d, v| d.castling_rank = v),
    ),
    key(
        "castlingKingFile",
        "file of the king before castling",
        Take::File(|d, v| d.castling_king_file = v),
    ),
    key(
        "castlingKingPiece",
        "unit that castles as the king",
        Take::Piece(|d, v| d.castling_king = [v; 2]),
    ),
    key(
        "castlingKingPieceWhite",
        "White's unit that castles as the king",
        Take::Piece(|d, v| d.castling_king[0] = v),
    ),
    key(
        "castlingKingPieceBlack",
        "Black's unit that castles as the king",
        Take::Piece(|d, v| d.castling_king[1] = v),
    ),
    key(
        "castlingRookKingsideFile",
        "file of the kingside rook before castling",
        Take::File(|d, v| d.castling_rook_kingside = v),
    ),
    key(
        "castlingRookQueensideFile",
        "file of the queenside rook before castling",
        Take::File(|d, v| d.castling_rook_queenside = v),
    ),
    key(
        "castlingRookPieces",
        "units that castle as rooks",
        Take::Pieces(|d, v| d.castling_rooks = [v; 2]),
    ),
    key(
        "castlingRookPiecesWhite",
        "White's units that castle as rooks",
        Take::Pieces(|d, v| d.castling_rooks[0] = v),
    ),
    key(
        "castlingRookPiecesBlack",
        "Black's units that castle as rooks",
        Take::Pieces(|d, v| d.castling_rooks[1] = v),
    ),
    key(
        "oppositeCastling",
        "castling takes away the opponent's right on the same wing",
        Take::Bool(|d, v| d.opposite_castling = v),
    ),
    key(
        "checking",
        "a turn may give check",
        Take::Bool(|d, v| d.checking = v),
    ),
    key(
        "dropChecks",
        "a drop may give check",
        Take::Bool(|d, v| d.drop_checks = v),
    ),
    key(
        "mustCapture",
        "a side with a legal capture must capture",
        Take::Bool(|d, v| d.must_capture = v),
    ),
    key(
        "mustDrop",
        "a side that can drop a unit of `mustDropType` must drop it",
        Take::Bool(|d, v| d.must_drop = v),
    ),
    key(
        "mustDropType",
        "unit that `mustDrop` is about, `*` for any",
        Take::Piece(|d, v| d.must_drop_type = v),
    ),
    key(
        "pieceDrops",
        "units in hand may be dropped on empty squares",
        Take::Bool(|d, v| d.piece_drops = v),
    ),
    key(
        "dropLoop",
        "a captured promoted unit keeps its promoted kind in hand",
        Take::Bool(|d, v| d.drop_loop = v),
    ),
    key(
        "capturesToHand",
        "a captured unit goes to the hand of its captor",
        Take::Bool(|d, v| d.captures_to_hand = v),
    ),
    key(
        "firstRankPawnDrops",
        "pawns may be dropped on the own first rank",
        Take::Bool(|d, v| d.first_rank_pawn_drops = v),
    ),
    key(
        "promotionZonePawnDrops",
        "pawns may be dropped in the promotion zone",
        Take::Bool(|d, v| d.zone_pawn_drops = v),
    ),
    key(
        "enclosingDrop",
        "a drop must enclose enemy units, in one of these ways",
        Take::Word(&ENCLOSING, |d, w| d.enclosing_drop = enclosing(w)),
    ),
    key(
        "enclosingDropStart",
        "squares on which drops need not enclose",
        Take::Squares(|d, v| d.enclosing_start = v),
    ),
    key(
        "dropRegionWhite",
        "squares on which White may drop units",
        Take::Squares(|d, v| d.drop_region[0] = v),
    ),
    key(
        "dropRegionBlack",
        "squares on which Black may drop units",
        Take::Squares(|d, v| d.drop_region[1] = v),
    ),
    key(
        "sittuyinRookDrop",
        "rooks may be dropped on the own first rank only",
        Take::Bool(|d, v| d.sittuyin_rook = v),
    ),
    key(
        "dropOppositeColoredBishop",
        "bishops are dropped so that a side's bishops spread over both colors of squares",
        Take::Bool(|d, v| d.opposite_bishops = v),
    ),
    key(
        "dropPromoted",
        "a unit may be dropped in its promoted state",
        Take::Bool(|d, v| d.drop_promoted = v),
    ),
    key(
        "dropNoDoubled",
        "unit that may not be dropped on a file with `dropNoDoubledCount` of its kind",
        Take::Piece(|d, v| d.no_doubled = v),
    ),
    key(
        "dropNoDoubledCount",
        "number of such units of a side on a file; 0 forbids the drop everywhere",
        Take::Count(|d, v| d.no_doubled_count = v),
    ),
    key(
        "immobilityIllegal",
        "a unit may not be dropped on, or moved to, a square that it could never leave",
        Take::Bool(|d, v| d.immobility_illegal = v),
    ),
    key(
        "gating",
        "a unit in hand may enter on the square that an unmoved unit of the back rank leaves",
        Take::Bool(|d, v| d.gating = v),
    ),
    key(
        "wallingRule",
        "a turn also places a wall, in one of these ways",
        Take::Word(
            &["none", "arrow", "duck", "edge", "past", "static"],
            |d, w| {
                d.walling = [
                    None,
                    Some(WallingRule::Arrow),
                    Some(WallingRule::Duck),
                    Some(WallingRule::Edge),
                    Some(WallingRule::Past),
                    Some(WallingRule::Static),
                ][w];
            },
        ),
    ),
    key(
        "wallingRegion",
        "squares on which walls may be placed",
        Take::Squares(|d, v| d.walling_region = [v; 2]),
    ),
    key(
        "wallingRegionWhite",
        "squares on which White may place walls",
        Take::Squares(|d, v| d.walling_region[0] = v),
    ),
    key(
        "wallingRegionBlack",
        "squares on which Black may place walls",
        Take::Squares(|d, v| d.walling_region[1] = v),
    ),
    key(
        "wallOrMove",
        "a turn moves a unit or places a wall, not both",
        Take::Bool(|d, v| d.wall_or_move = v),
    ),
    key(
        "seirawanGating",
        "gating as in Seirawan chess",
        Take::Bool(|d, v| d.seirawan = v),
    ),
    key(
        "cambodianMoves",
        "unmoved king and fers have the special first moves of Cambodian chess",
        Take::Bool(|d, v| d.cambodian = v),
    ),
    key(
        "diagonalLines",
        "squares between which some units also move along diagonals, as in janggi",
        Take::Squares(|d, v| d.diagonal_lines = v),
    ),
    key(
        "pass",
        "both sides may pass",
        Take::Bool(|d, v| d.pass = [v; 2]),
    ),
    key(
        "passWhite",
        "White may pass",
        Take::Bool(|d, v| d.pass[0] = v),
    ),
    key(
        "passBlack",
        "Black may pass",
        Take::Bool(|d, v| d.pass[1] = v),
    ),
    key(
        "passOnStalemate",
        "a side without another legal turn passes",
        Take::Bool(|d, v| d.pass_on_stalemate = [v; 2]),
    ),
    key(
        "passOnStalemateWhite",
        "White passes if it has no other legal turn",
        Take::Bool(|d, v| d.pass_on_stalemate[0] = v),
    ),
    key(
        "passOnStalemateBlack",
        "Black passes if it has no other legal turn",
        Take::Bool(|d, v| d.pass_on_stalemate[1] = v),
    ),
    key(
        "makpongRule",
        "a king in check may not move, except to capture the checking unit",
        Take::Bool(|d, v| d.makpong = v),
    ),
    key(
        "flyingGeneral",
        "the two kings may not face each other on an open file or rank",
        Take::Bool(|d, v| d.flying_general = v),
    ),
    key(
        "soldierPromotionRank",
        "rank from which a `soldier` may move sideways, counted from the own side",
        Take::Rank(|d, v| d.soldier_rank = v),
    ),
    key(
        "flipEnclosedPieces",
        "a drop turns over the enemy units that it encloses",
        Take::Word(&ENCLOSING, |d, w| d.flip = enclosing(w)),
    ),
    key(
        "nMoveRuleTypes",
        "units whose steps reset the n-move counter",
        Take::Pieces(|d, v| d.n_move_types = [v; 2]),
    ),
    key(
        "nMoveRuleTypesWhite",
        "White's units whose steps reset the n-move counter",
        Take::Pieces(|d, v| d.n_move_types[0] = v),
    ),
    key(
        "nMoveRuleTypesBlack",
        "Black's units whose steps reset the n-move counter",
        Take::Pieces(|d, v| d.n_move_types[1] = v),
    ),
    key(
        "nMoveRule",
        "moves without progress after which the game is drawn; counted only with `nMoveRuleKept`",
        Take::Number(|d, v| d.n_move_rule = v),
    ),
    key(
        "nMoveRuleKept",
        "the n-move counter is part of the position, so that `nMoveRule` is played",
        Take::Bool(|d, v| d.n_move_kept = v),
    ),
    key(
        "nFoldRule",
        "repetitions that end the game; left out, because a position has no past",
        Take::Number(|d, v| d.n_fold_rule = v),
    ),
    key(
        "nFoldValue",
        "result of a repetition for the side to move; left out, because a position has no past",
        Take::Value(|d, v| d.n_fold_value = v),
    ),
    key(
        "nFoldValueAbsolute",
        "`nFoldValue` is meant for White; left out, because a position has no past",
        Take::Bool(|d, v| d.n_fold_absolute = v),
    ),
    key(
        "perpetualCheckIllegal",
        "perpetual check loses; left out, because a position has no past",
        Take::Bool(|d, v| d.perpetual_check = v),
    ),
    key(
        "moveRepetitionIllegal",
        "repeating moves is illegal; left out, because a position has no past",
        Take::Bool(|d, v| d.move_repetition = v),
    ),
    key(
        "chasingRule",
        "perpetual chase loses; left out, because a position has no past",
        Take::Word(&["none", "axf"], |d, w| {
            d.chasing = (w == 1).then_some(ChasingRule::Axf)
        }),
    ),
    key(
        "stalemateValue",
        "result for a side without a legal turn and not in check",
        Take::Value(|d, v| d.stalemate = v),
    ),
    key(
        "stalematePieceCount",
        "on stalemate, the numbers of units decide",
        Take::Bool(|d, v| d.stalemate_count = v),
    ),
    key(
        "checkmateValue",
        "result for a side without a legal turn and in check",
        Take::Value(|d, v| d.checkmate = v),
    ),
    key(
        "shogiPawnDropMateIllegal",
        "dropping a `shogiPawn` may not give checkmate",
        Take::Bool(|d, v| d.pawn_drop_mate_illegal = v),
    ),
    key(
        "shatarMateRule",
        "mate by a knight alone loses; mate without a check by rook, bers or knight before it draws",
        Take::Bool(|d, v| d.shatar = v),
    ),
    key(
        "bikjangRule",
        "kings that face each other draw the game, as in janggi",
        Take::Bool(|d, v| d.bikjang = v),
    ),
    key(
        "extinctionValue",
        "result for a side with at most `extinctionPieceCount` units of an extinction kind",
        Take::ValueOrNone(|d, v| d.extinction = v),
    ),
    key(
        "extinctionClaim",
        "the opponent of the side to move needs one more unit than `extinctionOpponentPieceCount` to win at once",
        Take::Bool(|d, v| d.extinction_claim = v),
    ),
    key(
        "extinctionPseudoRoyal",
        "extinction kinds are royal while a side has few enough of them to lose by losing one",
        Take::Bool(|d, v| d.pseudo_royal = v),
    ),
    key(
        "dupleCheck",
        "a side whose units of these kinds are all attacked at once is in check, too",
        Take::Bool(|d, v| d.duple_check = v),
    ),
    key(
        "extinctionPieceTypes",
        "kinds whose loss ends the game; `*` counts all units of a side together",
        Take::Pieces(|d, v| d.extinction_types = v),
    ),
    key(
        "extinctionPieceCount",
        "number of units at which a kind counts as extinct",
        Take::Count(|d, v| d.extinction_count = v),
    ),
    key(
        "extinctionOpponentPieceCount",
        "number of units that the opponent must have for extinction to count",
        Take::Count(|d, v| d.extinction_opponent = v),
    ),
    key(
        "flagPiece",
        "unit that wins by reaching the flag region",
        Take::Piece(|d, v| d.flag_piece = [v; 2]),
    ),
    key(
        "flagPieceWhite",
        "White's unit that wins by reaching the flag region",
        Take::Piece(|d, v| d.flag_piece[0] = v),
    ),
    key(
        "flagPieceBlack",
        "Black's unit that wins by reaching the flag region",
        Take::Piece(|d, v| d.flag_piece[1] = v),
    ),
    key(
        "flagRegion",
        "squares that the flag unit must reach",
        Take::Squares(|d, v| d.flag_region = [v; 2]),
    ),
    key(
        "flagRegionWhite",
        "squares that White's flag unit must reach",
        Take::Squares(|d, v| d.flag_region[0] = v),
    ),
    key(
        "flagRegionBlack",
        "squares that Black's flag unit must reach",
        Take::Squares(|d, v| d.flag_region[1] = v),
    ),
    key(
        "flagPieceCount",
        "number of flag units that must be in the region",
        Take::Count(|d, v| d.flag_count = v),
    ),
    key(
        "flagPieceBlockedWin",
        "one flag unit is enough if no square of the region is empty",
        Take::Bool(|d, v| d.flag_blocked = v),
    ),
    key(
        "flagMove",
        "the opponent has one more turn before the flag decides",
        Take::Bool(|d, v| d.flag_move = v),
    ),
    key(
        "flagPieceSafe",
        "attacked flag units do not count",
        Take::Bool(|d, v| d.flag_safe = v),
    ),
    key(
        "checkCounting",
        "a side that has given the number of checks in the FEN wins",
        Take::Bool(|d, v| d.check_counting = v),
    ),
    key(
        "connectN",
        "number of units in a row that wins",
        Take::Count(|d, v| d.connect_n = v),
    ),
    key(
        "connectPieceTypes",
        "units that count for rows and other connections",
        Take::Pieces(|d, v| d.connect_types = v),
    ),
    key(
        "connectHorizontal",
        "rows along a rank count",
        Take::Bool(|d, v| d.connect_horizontal = v),
    ),
    key(
        "connectVertical",
        "rows along a file count",
        Take::Bool(|d, v| d.connect_vertical = v),
    ),
    key(
        "connectDiagonal",
        "rows along a diagonal count",
        Take::Bool(|d, v| d.connect_diagonal = v),
    ),
    key(
        "connectRegion1White",
        "first region that White must connect with the second",
        Take::Squares(|d, v| d.connect_region[0][0] = v),
    ),
    key(
        "connectRegion2White",
        "second region that White must connect with the first",
        Take::Squares(|d, v| d.connect_region[1][0] = v),
    ),
    key(
        "connectRegion1Black",
        "first region that Black must connect with the second",
        Take::Squares(|d, v| d.connect_region[0][1] = v),
    ),
    key(
        "connectRegion2Black",
        "second region that Black must connect with the first",
        Take::Squares(|d, v| d.connect_region[1][1] = v),
    ),
    key(
        "connectNxN",
        "side of a full square of units that wins",
        Take::Count(|d, v| d.connect_nxn = v),
    ),
    key(
        "collinearN",
        "number of units on one line, with gaps allowed, that wins",
        Take::Count(|d, v| d.collinear_n = v),
    ),
    key(
        "connectValue",
        "result for the side that has made a connection",
        Take::Value(|d, v| d.connect_value = v),
    ),
    key(
        "materialCounting",
        "draws by stalemate, full board or two passes are decided by material, in one of these ways",
        Take::Word(
            &[
                "none",
                "janggi",
                "unweighted",
                "whitedrawodds",
                "blackdrawodds",
            ],
            |d, w| {
                d.material = [
                    None,
                    Some(MaterialCounting::Janggi),
                    Some(MaterialCounting::Unweighted),
                    Some(MaterialCounting::WhiteDrawOdds),
                    Some(MaterialCounting::BlackDrawOdds),
                ][w];
            },
        ),
    ),
    key(
        "adjudicateFullBoard",
        "a board without an empty square ends the game",
        Take::Bool(|d, v| d.full_board = v),
    ),
    key(
        "countingRule",
        "counting rule for drawn endgames; left out, because a position has no past",
        Take::Word(&["none", "makruk", "cambodian", "asean"], |d, w| {
            d.counting = [
                None,
                Some(CountingRule::Makruk),
                Some(CountingRule::Cambodian),
                Some(CountingRule::Asean),
            ][w];
        }),
    ),
    key(
        "castlingWins",
        "castling with such a right wins; losing all of these rights loses",
        Take::Rights(|d, v| d.castling_wins = v),
    ),
];

/// Returns the ranks from `first` to `last`, as each side counts them.
fn between(d: &Draft, first: u8, last: u8) -> [Plane; 2] {
    let ranks = d.max_rank.max(1);
    let mut regions = [Plane::NONE; 2];
    for r in first..=last.min(ranks - 1) {
        regions[0] = regions[0].or(Plane::rank(usize::from(r)));
        regions[1] = regions[1].or(Plane::rank(usize::from(ranks - 1 - r)));
    }
    regions
}

/// The main pawn of a list of letters: the last, as the format reads it. The keys that give it, with the
/// sides that each speaks for, in the order in which they apply.
pub const MAIN_PAWN: [(&str, &[usize]); 4] = [
    ("pawnTypes", &[0, 1]),
    ("promotionPawnTypes", &[0, 1]),
    ("promotionPawnTypesWhite", &[0]),
    ("promotionPawnTypesBlack", &[1]),
];

/// What `rules keys` prints of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyInfo {
    /// The name.
    pub name: String,
    /// The values that it takes.
    pub values: String,
    /// What its value says.
    pub meaning: String,
    /// The key that is written instead, if this one is an old name.
    pub instead: Option<&'static str>,
    /// An example, as a line of a section.
    pub example: String,
}

/// Returns all keys in the order in which they apply: the size of the board, pieces, mobility regions,
/// then the others. The 25 custom pieces are one entry.
pub fn key_infos() -> Vec<KeyInfo> {
    let of = |key: &Key| KeyInfo {
        name: key.name.to_owned(),
        values: match &key.take {
            Take::Word(words, _) => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
            take => take.kind().to_owned(),
        },
        meaning: key.meaning.to_owned(),
        instead: key.old,
        example: format!("{} = {}", key.name, key.take.example()),
    };
    let piece = |name: &str, values: &str, meaning: String, example: &str| KeyInfo {
        name: name.to_owned(),
        values: values.to_owned(),
        meaning,
        instead: None,
        example: format!("{name} = {example}"),
    };
    let predefined = (0..slots::FIRST_CUSTOM).map(|slot| {
        let movement = match slots::movement(slot) {
            "" => "a unit that never moves".to_owned(),
            movement => format!("a unit that moves as `{movement}`"),
        };
        piece(
            &slots::name(slot),
            "a letter, or `-` for none",
            movement,
            "x",
        )
    });
    let written = [
        piece(
            "customPiece1",
            "a letter and a movement in Betza notation",
            format!(
                "a unit with a movement of its own; also customPiece2 to customPiece{}",
                slots::CUSTOM
            ),
            "a:NfF",
        ),
        piece(
            "king",
            "a letter, also with a movement, or `-` for none",
            "the royal unit; moves as `K` if no movement is given".to_owned(),
            "k:KN",
        ),
        piece(
            "mobilityRegionWhiteKing",
            "squares, files and ranks such as `d4 *8 a*`",
            "squares to which White's king may move; likewise for Black and every piece".to_owned(),
            "d1 e1 f1 d2 e2 f2",
        ),
    ];
    SIZE.iter()
        .map(of)
        .chain(predefined)
        .chain(written)
        .chain(KEYS.iter().map(of))
        .collect()
}

/// Returns up to three keys whose names and meanings contain the words of a key that does not exist (two of
/// three words are enough), best first: an idea such as `repetitionIllegal` may have another name.
pub fn related_keys(idea: &str) -> Vec<&'static str> {
    /// Letters that two forms of a word share, such as `capture` and `captures`.
    const STEM: usize = 4;
    let words = |text: &str| -> Vec<String> {
        let mut spaced = String::new();
        for c in text.chars() {
            if c.is_uppercase() {
                spaced.push(' ');
            }
            spaced.extend(
                c.to_lowercase()
                    .filter(|c| c.is_alphanumeric() || *c == ' '),
            );
            if !c.is_alphanumeric() {
                spaced.push(' ');
            }
        }
        let long = spaced.split_whitespace().filter(|word| word.len() >= STEM);
        long.map(|word| word.chars().take(5).collect()).collect()
    };
    let wanted = words(idea);
    let mut related: Vec<(usize, &'static str)> = (KEYS.iter())
        .filter(|key| key.old.is_none() && !matches!(key.take, Take::Cosmetic))
        .map(|key| {
            let known = words(&format!("{} {}", key.name, key.meaning));
            let shared = wanted.iter().filter(|word| known.contains(word)).count();
            (shared, key.name)
        })
        .filter(|&(shared, _)| shared > 0 && shared + wanted.len() / 3 >= wanted.len())
        .collect();
    related.sort_by_key(|&(shared, _)| std::cmp::Reverse(shared));
    related.into_iter().map(|(_, name)| name).take(3).collect()
}
