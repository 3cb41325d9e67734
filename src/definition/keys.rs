//! Every key of the format: its type, and what it lays on a draft.
//!
//! The order of the table is the order in which keys apply, whatever their order in the file: aliases
//! before the keys that refine them.

use crate::draft::{Draft, MAX_SIDE, OnePiece, Plane, SlotSet};
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
    /// Whether what a value means depends on the board and the pieces that the parent has.
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

    /// The type's name, for messages.
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
    /// Its type and effect.
    pub take: Take,
    /// Whether it is an old name that the format keeps for old files.
    pub old: Option<&'static str>,
}

const fn key(name: &'static str, take: Take) -> Key {
    Key {
        name,
        take,
        old: None,
    }
}

const fn old(name: &'static str, take: Take, now: &'static str) -> Key {
    Key {
        name,
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

/// The ranks from `rank` on, as each side counts them.
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
    key("maxRank", Take::Rank(|d, v| d.max_rank = v + 1)),
    key("maxFile", Take::File(|d, v| d.max_file = v + 1)),
];

/// All other keys but those of pieces and their mobility regions, which apply between.
pub static KEYS: &[Key] = &[
    key("holes", Take::Squares(|d, v| d.holes = v)),
    key("cylinder", Take::Bool(|d, v| d.cylinder = v)),
    key(
        "synonyms",
        Take::Synonyms(|d, s, v| d.synonyms[s] = Some(v)),
    ),
    key("pieceValueMg", Take::Cosmetic),
    key("pieceValueEg", Take::Cosmetic),
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
        Take::Pieces(|d, v| {
            d.promotion_pawns = [v; 2];
            d.en_passant_types = [v; 2];
            d.n_move_types = [v; 2];
        }),
    ),
    key("variantTemplate", Take::Cosmetic),
    key("pieceToCharTable", Take::Cosmetic),
    key("pocketSize", Take::Cosmetic),
    key("chess960", Take::Bool(|d, v| d.chess960 = v)),
    key("twoBoards", Take::Bool(|d, v| d.two_boards = v)),
    key("startFen", Take::Fen(|d, v| d.start_fen = v)),
    key(
        "promotionRegionWhite",
        Take::Squares(|d, v| d.promotion_region[0] = v),
    ),
    key(
        "promotionRegionBlack",
        Take::Squares(|d, v| d.promotion_region[1] = v),
    ),
    key(
        "promotionPawnTypes",
        Take::Pieces(|d, v| d.promotion_pawns = [v; 2]),
    ),
    key(
        "promotionPawnTypesWhite",
        Take::Pieces(|d, v| d.promotion_pawns[0] = v),
    ),
    key(
        "promotionPawnTypesBlack",
        Take::Pieces(|d, v| d.promotion_pawns[1] = v),
    ),
    key(
        "promotionPieceTypes",
        Take::Pieces(|d, v| d.promotion_types = [v; 2]),
    ),
    key(
        "promotionPieceTypesWhite",
        Take::Pieces(|d, v| d.promotion_types[0] = v),
    ),
    key(
        "promotionPieceTypesBlack",
        Take::Pieces(|d, v| d.promotion_types[1] = v),
    ),
    key(
        "sittuyinPromotion",
        Take::Bool(|d, v| d.sittuyin_promotion = v),
    ),
    key(
        "promotionLimit",
        Take::Limits(|d, s, v| d.promotion_limit[s] = v),
    ),
    key(
        "promotedPieceType",
        Take::Mapping(|d, s, v| d.promoted[s] = v),
    ),
    key(
        "piecePromotionOnCapture",
        Take::Bool(|d, v| d.promotion_on_capture = v),
    ),
    key(
        "mandatoryPawnPromotion",
        Take::Bool(|d, v| d.mandatory_pawn = v),
    ),
    key(
        "mandatoryPiecePromotion",
        Take::Bool(|d, v| d.mandatory_piece = v),
    ),
    key("pieceDemotion", Take::Bool(|d, v| d.demotion = v)),
    key("blastOnCapture", Take::Bool(|d, v| d.blast = v)),
    key("blastImmuneTypes", Take::Pieces(|d, v| d.immune = v)),
    key(
        "mutuallyImmuneTypes",
        Take::Pieces(|d, v| d.mutually_immune = v),
    ),
    key("petrifyOnCaptureTypes", Take::Pieces(|d, v| d.petrify = v)),
    key("petrifyBlastPieces", Take::Bool(|d, v| d.petrify_blast = v)),
    key("doubleStep", Take::Bool(|d, v| d.double_step = v)),
    key(
        "doubleStepRegionWhite",
        Take::Squares(|d, v| d.double_step_region[0] = v),
    ),
    key(
        "doubleStepRegionBlack",
        Take::Squares(|d, v| d.double_step_region[1] = v),
    ),
    key(
        "tripleStepRegionWhite",
        Take::Squares(|d, v| d.triple_step_region[0] = v),
    ),
    key(
        "tripleStepRegionBlack",
        Take::Squares(|d, v| d.triple_step_region[1] = v),
    ),
    key(
        "enPassantRegion",
        Take::Squares(|d, v| d.en_passant_region = [v; 2]),
    ),
    key(
        "enPassantRegionWhite",
        Take::Squares(|d, v| d.en_passant_region[0] = v),
    ),
    key(
        "enPassantRegionBlack",
        Take::Squares(|d, v| d.en_passant_region[1] = v),
    ),
    key(
        "enPassantTypes",
        Take::Pieces(|d, v| d.en_passant_types = [v; 2]),
    ),
    key(
        "enPassantTypesWhite",
        Take::Pieces(|d, v| d.en_passant_types[0] = v),
    ),
    key(
        "enPassantTypesBlack",
        Take::Pieces(|d, v| d.en_passant_types[1] = v),
    ),
    key("castling", Take::Bool(|d, v| d.castling = v)),
    key(
        "castlingDroppedPiece",
        Take::Bool(|d, v| d.castling_dropped = v),
    ),
    key(
        "castlingKingsideFile",
        Take::File(|d, v| d.castling_kingside = v),
    ),
    key(
        "castlingQueensideFile",
        Take::File(|d, v| d.castling_queenside = v),
    ),
    key("castlingRank", Take::Rank(|d, v| d.castling_rank = v)),
    key(
        "castlingKingFile",
        Take::File(|d, v| d.castling_king_file = v),
    ),
    key(
        "castlingKingPiece",
        Take::Piece(|d, v| d.castling_king = [v; 2]),
    ),
    key(
        "castlingKingPieceWhite",
        Take::Piece(|d, v| d.castling_king[0] = v),
    ),
    key(
        "castlingKingPieceBlack",
        Take::Piece(|d, v| d.castling_king[1] = v),
    ),
    key(
        "castlingRookKingsideFile",
        Take::File(|d, v| d.castling_rook_kingside = v),
    ),
    key(
        "castlingRookQueensideFile",
        Take::File(|d, v| d.castling_rook_queenside = v),
    ),
    key(
        "castlingRookPieces",
        Take::Pieces(|d, v| d.castling_rooks = [v; 2]),
    ),
    key(
        "castlingRookPiecesWhite",
        Take::Pieces(|d, v| d.castling_rooks[0] = v),
    ),
    key(
        "castlingRookPiecesBlack",
        Take::Pieces(|d, v| d.castling_rooks[1] = v),
    ),
    key(
        "oppositeCastling",
        Take::Bool(|d, v| d.opposite_castling = v),
    ),
    key("checking", Take::Bool(|d, v| d.checking = v)),
    key("dropChecks", Take::Bool(|d, v| d.drop_checks = v)),
    key("mustCapture", Take::Bool(|d, v| d.must_capture = v)),
    key("mustDrop", Take::Bool(|d, v| d.must_drop = v)),
    key("mustDropType", Take::Piece(|d, v| d.must_drop_type = v)),
    key("pieceDrops", Take::Bool(|d, v| d.piece_drops = v)),
    key("dropLoop", Take::Bool(|d, v| d.drop_loop = v)),
    key("capturesToHand", Take::Bool(|d, v| d.captures_to_hand = v)),
    key(
        "firstRankPawnDrops",
        Take::Bool(|d, v| d.first_rank_pawn_drops = v),
    ),
    key(
        "promotionZonePawnDrops",
        Take::Bool(|d, v| d.zone_pawn_drops = v),
    ),
    key(
        "enclosingDrop",
        Take::Word(&ENCLOSING, |d, w| d.enclosing_drop = enclosing(w)),
    ),
    key(
        "enclosingDropStart",
        Take::Squares(|d, v| d.enclosing_start = v),
    ),
    key(
        "dropRegionWhite",
        Take::Squares(|d, v| d.drop_region[0] = v),
    ),
    key(
        "dropRegionBlack",
        Take::Squares(|d, v| d.drop_region[1] = v),
    ),
    key("sittuyinRookDrop", Take::Bool(|d, v| d.sittuyin_rook = v)),
    key(
        "dropOppositeColoredBishop",
        Take::Bool(|d, v| d.opposite_bishops = v),
    ),
    key("dropPromoted", Take::Bool(|d, v| d.drop_promoted = v)),
    key("dropNoDoubled", Take::Piece(|d, v| d.no_doubled = v)),
    key(
        "dropNoDoubledCount",
        Take::Count(|d, v| d.no_doubled_count = v),
    ),
    key(
        "immobilityIllegal",
        Take::Bool(|d, v| d.immobility_illegal = v),
    ),
    key("gating", Take::Bool(|d, v| d.gating = v)),
    key(
        "wallingRule",
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
        Take::Squares(|d, v| d.walling_region = [v; 2]),
    ),
    key(
        "wallingRegionWhite",
        Take::Squares(|d, v| d.walling_region[0] = v),
    ),
    key(
        "wallingRegionBlack",
        Take::Squares(|d, v| d.walling_region[1] = v),
    ),
    key("wallOrMove", Take::Bool(|d, v| d.wall_or_move = v)),
    key("seirawanGating", Take::Bool(|d, v| d.seirawan = v)),
    key("cambodianMoves", Take::Bool(|d, v| d.cambodian = v)),
    key("diagonalLines", Take::Squares(|d, v| d.diagonal_lines = v)),
    key("pass", Take::Bool(|d, v| d.pass = [v; 2])),
    key("passWhite", Take::Bool(|d, v| d.pass[0] = v)),
    key("passBlack", Take::Bool(|d, v| d.pass[1] = v)),
    key(
        "passOnStalemate",
        Take::Bool(|d, v| d.pass_on_stalemate = [v; 2]),
    ),
    key(
        "passOnStalemateWhite",
        Take::Bool(|d, v| d.pass_on_stalemate[0] = v),
    ),
    key(
        "passOnStalemateBlack",
        Take::Bool(|d, v| d.pass_on_stalemate[1] = v),
    ),
    key("makpongRule", Take::Bool(|d, v| d.makpong = v)),
    key("flyingGeneral", Take::Bool(|d, v| d.flying_general = v)),
    key(
        "soldierPromotionRank",
        Take::Rank(|d, v| d.soldier_rank = v),
    ),
    key(
        "flipEnclosedPieces",
        Take::Word(&ENCLOSING, |d, w| d.flip = enclosing(w)),
    ),
    key(
        "nMoveRuleTypes",
        Take::Pieces(|d, v| d.n_move_types = [v; 2]),
    ),
    key(
        "nMoveRuleTypesWhite",
        Take::Pieces(|d, v| d.n_move_types[0] = v),
    ),
    key(
        "nMoveRuleTypesBlack",
        Take::Pieces(|d, v| d.n_move_types[1] = v),
    ),
    key("nMoveRule", Take::Number(|d, v| d.n_move_rule = v)),
    key("nMoveRuleKept", Take::Bool(|d, v| d.n_move_kept = v)),
    key("nFoldRule", Take::Number(|d, v| d.n_fold_rule = v)),
    key("nFoldValue", Take::Value(|d, v| d.n_fold_value = v)),
    key(
        "nFoldValueAbsolute",
        Take::Bool(|d, v| d.n_fold_absolute = v),
    ),
    key(
        "perpetualCheckIllegal",
        Take::Bool(|d, v| d.perpetual_check = v),
    ),
    key(
        "moveRepetitionIllegal",
        Take::Bool(|d, v| d.move_repetition = v),
    ),
    key(
        "chasingRule",
        Take::Word(&["none", "axf"], |d, w| {
            d.chasing = (w == 1).then_some(ChasingRule::Axf)
        }),
    ),
    key("stalemateValue", Take::Value(|d, v| d.stalemate = v)),
    key(
        "stalematePieceCount",
        Take::Bool(|d, v| d.stalemate_count = v),
    ),
    key("checkmateValue", Take::Value(|d, v| d.checkmate = v)),
    key(
        "shogiPawnDropMateIllegal",
        Take::Bool(|d, v| d.pawn_drop_mate_illegal = v),
    ),
    key("shatarMateRule", Take::Bool(|d, v| d.shatar = v)),
    key("bikjangRule", Take::Bool(|d, v| d.bikjang = v)),
    key(
        "extinctionValue",
        Take::ValueOrNone(|d, v| d.extinction = v),
    ),
    key("extinctionClaim", Take::Bool(|d, v| d.extinction_claim = v)),
    key(
        "extinctionPseudoRoyal",
        Take::Bool(|d, v| d.pseudo_royal = v),
    ),
    key("dupleCheck", Take::Bool(|d, v| d.duple_check = v)),
    key(
        "extinctionPieceTypes",
        Take::Pieces(|d, v| d.extinction_types = v),
    ),
    key(
        "extinctionPieceCount",
        Take::Count(|d, v| d.extinction_count = v),
    ),
    key(
        "extinctionOpponentPieceCount",
        Take::Count(|d, v| d.extinction_opponent = v),
    ),
    key("flagPiece", Take::Piece(|d, v| d.flag_piece = [v; 2])),
    key("flagPieceWhite", Take::Piece(|d, v| d.flag_piece[0] = v)),
    key("flagPieceBlack", Take::Piece(|d, v| d.flag_piece[1] = v)),
    key("flagRegion", Take::Squares(|d, v| d.flag_region = [v; 2])),
    key(
        "flagRegionWhite",
        Take::Squares(|d, v| d.flag_region[0] = v),
    ),
    key(
        "flagRegionBlack",
        Take::Squares(|d, v| d.flag_region[1] = v),
    ),
    key("flagPieceCount", Take::Count(|d, v| d.flag_count = v)),
    key("flagPieceBlockedWin", Take::Bool(|d, v| d.flag_blocked = v)),
    key("flagMove", Take::Bool(|d, v| d.flag_move = v)),
    key("flagPieceSafe", Take::Bool(|d, v| d.flag_safe = v)),
    key("checkCounting", Take::Bool(|d, v| d.check_counting = v)),
    key("connectN", Take::Count(|d, v| d.connect_n = v)),
    key(
        "connectPieceTypes",
        Take::Pieces(|d, v| d.connect_types = v),
    ),
    key(
        "connectHorizontal",
        Take::Bool(|d, v| d.connect_horizontal = v),
    ),
    key("connectVertical", Take::Bool(|d, v| d.connect_vertical = v)),
    key("connectDiagonal", Take::Bool(|d, v| d.connect_diagonal = v)),
    key(
        "connectRegion1White",
        Take::Squares(|d, v| d.connect_region[0][0] = v),
    ),
    key(
        "connectRegion2White",
        Take::Squares(|d, v| d.connect_region[1][0] = v),
    ),
    key(
        "connectRegion1Black",
        Take::Squares(|d, v| d.connect_region[0][1] = v),
    ),
    key(
        "connectRegion2Black",
        Take::Squares(|d, v| d.connect_region[1][1] = v),
    ),
    key("connectNxN", Take::Count(|d, v| d.connect_nxn = v)),
    key("collinearN", Take::Count(|d, v| d.collinear_n = v)),
    key("connectValue", Take::Value(|d, v| d.connect_value = v)),
    key(
        "materialCounting",
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
    key("adjudicateFullBoard", Take::Bool(|d, v| d.full_board = v)),
    key(
        "countingRule",
        Take::Word(&["none", "makruk", "cambodian", "asean"], |d, w| {
            d.counting = [
                None,
                Some(CountingRule::Makruk),
                Some(CountingRule::Cambodian),
                Some(CountingRule::Asean),
            ][w];
        }),
    ),
    key("castlingWins", Take::Rights(|d, v| d.castling_wins = v)),
];

/// The ranks from `first` to `last`, as each side counts them.
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
