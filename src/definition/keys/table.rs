//! The table of keys. Keys are applied and printed in the order of the table, whatever their order in the
//! file. A key that refines another key follows that key.

use super::Limit;
use super::Target::{Draft as Own, Field, Keys};
use super::Words::{Names, Of, SideFlags, SideNames, SidePiece, SideSquares, YesNo};
use super::{Carry, Key, Take};
use crate::array;
use crate::draft::{Draft, HOLES, KindList, MAX_SIDE, MOBILITY, OnePiece, Plane};
use crate::slots::{KING, PAWN, ROOK};
use crate::{
    CastlingRights, ChasingRule, CountingRule, Definition, EnclosingRule, MaterialCounting, Path,
    PieceSet, PieceType, Region, Value, WallingRule,
};
use board::field::Cell;

/// Makes a [`super::Field`] from the path of a field.
macro_rules! at {
    ($($field:tt)+) => { |d, _| &mut d.$($field)+ };
}

/// Makes a [`super::Field`] from the path of a field with sides.
macro_rules! at_side {
    ($($field:tt)+) => { |d, side| &mut d.$($field)+[side] };
}

/// Makes a [`Take::Word`] from a list of words, each with the field's value for that word.
macro_rules! one_of {
    ($type:ty, $group:ident . $field:ident, $($word:literal => $value:expr),+) => {{
        const VALUES: &[$type] = &[$($value),+];
        Take::Word(
            &[$($word),+],
            |d, word| d.$group.$field = VALUES[word],
            |d| VALUES.iter().position(|value| *value == d.$group.$field).unwrap_or(0),
        )
    }};
}

macro_rules! enclosing {
    ($group:ident . $field:ident) => {
        one_of!(Option<EnclosingRule>, $group.$field,
            "none" => None,
            "reversi" => Some(EnclosingRule::Reversi),
            "ataxx" => Some(EnclosingRule::Ataxx),
            "quadwrangle" => Some(EnclosingRule::Quadwrangle),
            "snort" => Some(EnclosingRule::Snort),
            "anyside" => Some(EnclosingRule::AnySide),
            "top" => Some(EnclosingRule::Top))
    };
}

const BOTH: &[usize] = &[0, 1];
const NOWHERE: [Plane; 2] = [Plane::NONE; 2];
const EVERYWHERE: [Plane; 2] = [Plane::ALL; 2];
const PAWNS: KindList = KindList::of(&[PAWN]);
const ROOKS: KindList = KindList::of(&[ROOK]);
const ANY: OnePiece = OnePiece::Any;

/// The maximum length of an n-move rule whose count a position can contain, in moves of each side.
const MAX_KEPT: u32 = 1_000;

const FULL_BOARD: &str = "a full, flat board";
const DOUBLE_STEPS: &str = "double steps from the second rank";
const PAWNS_BECOME: &str = "pawns become queen, rook, bishop or knight";
const ONLY_PAWNS: &str = "only pawns promote";
const EN_PASSANT: &str = "pawns capture en passant";
const CASTLING: &str = "castling: king two squares towards a rook";
const NO_DROPS: &str = "no drops";
const ONE_REMOVED: &str = "a capture removes the captured unit alone";
const NO_PASSING: &str = "no passing";
const FREE_CHECKS: &str = "checks are free and not counted";

/// Every key of the format.
pub(crate) static TABLE: &[Key] = &[
    // The board and the pieces.
    Key::new("maxRank", "number of ranks of the board", Take::Rank(Own(|d, v| d.max_rank = v + 1)))
        .print(|d, _| d.board.ranks().to_string()),
    Key::new(
        "maxFile",
        "last file of the board, as a letter or number",
        Take::File(Own(|d, v| d.max_file = v + 1)),
    )
    .print(|d, _| d.board.files().to_string()),
    Key::new("pieces", "", Take::Letter).limits(&[
        Limit::not_played(
            &["janggiCannon", "janggiElephant"],
            |d| d.named("janggiCannon").is_some() || d.named("janggiElephant").is_some(),
            "the pieces of janggi are not played",
        ),
        Limit::warning(
            &["king"],
            |d| d.checks.king.is_some_and(|king| hops(d, king.index())),
            "a royal king that hops or is lame is not known to the format's own program",
        ),
    ]),
    Key::new(HOLES, "squares that the board lacks", Take::Squares(Own(|d, v| {
            d.holes = v[0];
            d.carried.remove(&(HOLES, 0, 0));
        })))
        .print(|d, _| d.holes_text())
        .fide(FULL_BOARD)
        .says("squares that do not exist: {}"),
    Key::new(
        "cylinder",
        "the left and right edges of the board are joined",
        Take::Bool(Own(|d, v| d.cylinder = v)),
    )
    .print(|d, _| d.board.wraps().to_string())
    .fide(FULL_BOARD)
    .says("the first and the last file touch")
    .limits(&[Limit::not_played(
        &["cylinder"],
        |d| d.board.wraps() && d.max_passed_squares() > 0,
        "captures in passing of anything but a pawn's double step are not played on it",
    )]),
    Key::new(
        "synonyms",
        "second letters by which units may be written in a FEN",
        Take::Synonyms,
    )
    .print(|d, _| d.synonyms_text())
    .says("FENs may also write: {}"),
    Key::new(
        "chess960",
        "castling with king and rooks on any squares of the first rank",
        Take::Bool(Field(false, at!(chess960))),
    )
    .says("castling from any squares")
    .limits(&[Limit::not_played(
        &["chess960"],
        |d| d.chess960,
        "castling from any square is not played",
    )]),
    Key::new(
        "twoBoards",
        "a captured unit goes to the hand of a partner on another board",
        Take::Bool(Field(false, at!(drops.two_boards))),
    )
    .fide(NO_DROPS)
    .says("units in hand come from outside (a second board)"),
    Key::new("startFen", "start position", Take::Fen)
        .fide("the usual array")
        .says("start: {}"),
    Key::new(
        MOBILITY,
        "squares to which {side's} king may move; likewise for Black and every piece",
        Take::Mobility,
    )
    .fide("pieces go everywhere")
    .words(SidePiece("{side}'s {piece} stays on {}")),
    // Names for several keys, and old names.
    Key::new("pieceValueMg", "value of a unit for engines; not used here", Take::Cosmetic),
    Key::new("pieceValueEg", "value of a unit for engines; not used here", Take::Cosmetic),
    Key::new("variantTemplate", "layout that displays use; not used here", Take::Cosmetic),
    Key::new("pieceToCharTable", "letters that displays use; not used here", Take::Cosmetic),
    Key::new("pocketSize", "size of the hand that displays show; not used here", Take::Cosmetic),
    Key::old(
        "promotionRank",
        Take::Rank(Own(|d, v| {
            let ranks = ranks_from(d, v);
            d.set_squares("promotionRegion", ranks);
        })),
        "promotionRegionWhite, promotionRegionBlack",
    ),
    Key::old(
        "doubleStepRankMin",
        Take::Rank(Own(|d, v| {
            let ranks = ranks_between(d, v, 1);
            d.set_squares("doubleStepRegion", ranks);
        })),
        "doubleStepRegionWhite, doubleStepRegionBlack",
    ),
    Key::old(
        "doubleStepRank",
        Take::Rank(Own(|d, v| {
            let ranks = ranks_between(d, 1, v);
            d.set_squares("doubleStepRegion", ranks);
        })),
        "doubleStepRegionWhite, doubleStepRegionBlack",
    ),
    Key::old("whiteFlag", Take::Squares(Keys(&[("flagRegion", &[0])])), "flagRegionWhite"),
    Key::old("blackFlag", Take::Squares(Keys(&[("flagRegion", &[1])])), "flagRegionBlack"),
    Key::old(
        "castlingRookPiece",
        Take::Pieces(Keys(&[("castlingRookPieces", BOTH)])),
        "castlingRookPieces",
    ),
    Key::old("whiteDropRegion", Take::Squares(Keys(&[("dropRegion", &[0])])), "dropRegionWhite"),
    Key::old("blackDropRegion", Take::Squares(Keys(&[("dropRegion", &[1])])), "dropRegionBlack"),
    Key::old(
        "dropOnTop",
        Take::Bool(Own(|d, v| {
            if v {
                d.rules.drops.enclosing = Some(EnclosingRule::Top);
            }
        })),
        "enclosingDrop = top",
    ),
    Key::new(
        "pawnTypes",
        "units that promote, double-step and capture en passant as pawns do, and whose steps reset the n-move counter",
        Take::Pieces(Keys(&[
            ("promotionPawnTypes", BOTH),
            ("enPassantTypes", BOTH),
            ("nMoveRuleTypes", BOTH),
        ])),
    ),
    // Regions that several rules use.
    Key::new(
        "promotionRegion",
        "squares on which {side's} units promote",
        Take::Squares(Field([Plane::rank(7), Plane::rank(0)], at_side!(promotion.region))),
    )
    .each()
    .fide("pawns promote on the last rank")
    .words(SideSquares("promotion zones: White {white}, Black {black}", None))
    .idle(|d| d.promotion.region == [rank(d, d.board.ranks() - 1), rank(d, 0)]),
    Key::new(
        "doubleStepRegion",
        "squares from which {side's} pawns may advance two squares",
        Take::Squares(Field([Plane::rank(1), Plane::rank(6)], at_side!(pawns.double_step))),
    )
    .each()
    .fide(DOUBLE_STEPS)
    .words(SideSquares(
        "double steps start from: White {white}, Black {black}",
        Some("no double steps"),
    ))
    .idle(|d| {
        let ranks = d.board.ranks();
        ranks > 2 && d.pawns.double_step == [rank(d, 1), rank(d, ranks - 2)]
    }),
    Key::new(
        "tripleStepRegion",
        "squares from which {side's} pawns may advance three squares",
        Take::Squares(Field(NOWHERE, at_side!(pawns.triple_step))),
    )
    .each()
    .fide(DOUBLE_STEPS)
    .words(SideSquares("triple steps start from: White {white}, Black {black}", None)),
    Key::new(
        "enPassantRegion",
        "squares on which {side} may capture en passant",
        Take::Squares(Field(EVERYWHERE, at_side!(en_passant.region))),
    )
    .both_and_each()
    .fide(EN_PASSANT)
    .words(SideSquares(
        "squares of en passant captures: by White {white}, by Black {black}",
        Some("no en passant"),
    ))
    .idle(|d| d.en_passant.region == [d.squares(); 2]),
    Key::new(
        "dropRegion",
        "squares on which {side} may drop units",
        Take::Squares(Field(EVERYWHERE, at_side!(drops.region))),
    )
    .each()
    .fide(NO_DROPS)
    .words(SideSquares("drops: White on {white}, Black on {black}", None))
    .idle(|d| !d.has_hands() || d.drops.region == [d.squares(); 2]),
    Key::new(
        "wallingRegion",
        "squares on which {side} may place walls",
        Take::Squares(Field(EVERYWHERE, at_side!(walling.region))),
    )
    .both_and_each()
    .words(SideSquares("walls: White on {white}, Black on {black}", None))
    .idle(|d| d.walling.rule.is_none()),
    Key::new(
        "flagRegion",
        "squares that {side's} flag unit must reach",
        Take::Squares(Field(NOWHERE, at_side!(flag.region))),
    )
    .both_and_each(),
    Key::new(
        "connectRegion1",
        "first region that {side} must connect with the second; one unit in both connects them",
        Take::Squares(Field(NOWHERE, at_side!(connection.region_a))),
    )
    .each()
    .words(SideSquares("connectRegion1: White {white}, Black {black}", None)),
    Key::new(
        "connectRegion2",
        "second region that {side} must connect with the first; one unit in both connects them",
        Take::Squares(Field(NOWHERE, at_side!(connection.region_b))),
    )
    .each()
    .words(SideSquares("connectRegion2: White {white}, Black {black}", None)),
    // Kinds of unit.
    Key::new(
        "promotionPieceTypes",
        "units that {side's} pawns may become",
        Take::Pieces(Field(KindList::of(&[]), at_side!(promotion.choices))),
    )
    .both_and_each()
    .fide(PAWNS_BECOME)
    .words(SideNames(
        "pawns become: {}",
        Some(("-", "pawns have nothing to become")),
        "{side}'s pawns become: {}",
    )),
    Key::new(
        "enPassantTypes",
        "{side's} units that capture en passant",
        Take::Pieces(Field(PAWNS, at_side!(en_passant.types))),
    )
    .both_and_each()
    .fide(EN_PASSANT)
    .words(SideNames(
        "capture en passant: {}",
        None,
        "of {side}'s, these capture en passant: {}",
    )),
    Key::new(
        "castlingRookPieces",
        "{side's} units that castle as rooks",
        Take::Pieces(Field(ROOKS, at_side!(castling.rooks))),
    )
    .both_and_each()
    .fide(CASTLING)
    .words(SideNames("partners in castling: {}", None, "{side}'s partners in castling: {}"))
    .idle(|d| !d.castling.enabled),
    Key::new(
        "nMoveRuleTypes",
        "{side's} units whose steps reset the n-move counter",
        Take::Pieces(Field(PAWNS, at_side!(history.n_move_types))),
    )
    .both_and_each(),
    Key::new(
        "promotionPawnTypes",
        "{side's} units that promote as pawns do; the last is the main pawn",
        Take::Pieces(Field(PAWNS, at_side!(promotion.pawns))),
    )
    .both_and_each()
    .print(Definition::promotion_pawns_text)
    .fide(PAWNS_BECOME)
    .words(SideNames(
        "these promote as pawns: {}",
        Some(("-", "no piece but a `pawn` promotes as pawns do")),
        "of {side}'s, these promote as pawns: {}",
    )),
    // Promotion.
    Key::new(
        "sittuyinPromotion",
        "the pawn promotes as in sittuyin: by a turn from the zone, not by arriving there",
        Take::Bool(Field(false, at!(promotion.sittuyin))),
    )
    .fide(ONLY_PAWNS)
    .says("pawns promote as in sittuyin, on the spot or one move away")
    .limits(&[Limit::not_played(
        &["sittuyinPromotion"],
        |d| d.promotion.sittuyin && d.drops.captures_to_hand,
        "it is not played together with capturesToHand",
    )]),
    Key::new(
        "promotionLimit",
        "most units of a kind that a side may have on the board when it promotes to it; 0 for no limit",
        Take::Limits,
    )
    .print(|d, _| d.limits_text())
    .fide("any number of a kind by promotion")
    .says("most units of a kind by promotion: {}"),
    Key::new(
        "promotedPieceType",
        "kind that a unit may become by a turn that starts or ends in the promotion zone, as in shogi; for a \
         unit that can become the same kind as a pawn does, this is the same turn",
        Take::Mapping,
    )
    .print(|d, _| d.promoted_text())
    .fide(ONLY_PAWNS)
    .says("pieces promote by moves that touch the zone: {}"),
    Key::new(
        "piecePromotionOnCapture",
        "units promote by `promotedPieceType` only when they capture",
        Take::Bool(Field(false, at!(promotion.by_capture_only))),
    )
    .fide(ONLY_PAWNS)
    .says("these promote by capturing only")
    .idle(no_promoted_forms),
    Key::new(
        "mandatoryPawnPromotion",
        "a pawn that arrives in the promotion zone must promote",
        Take::Bool(Field(true, at!(promotion.mandatory_for_pawns))),
    )
    .fide("pawns must promote")
    .words(YesNo("pawns must promote", "pawns need not promote")),
    Key::new(
        "mandatoryPiecePromotion",
        "a unit other than the `pawn` that can promote by `promotedPieceType` or turn back by `pieceDemotion` \
         must do one of them, except by castling or en passant",
        Take::Bool(Field(false, at!(promotion.mandatory_for_pieces))),
    )
    .fide(ONLY_PAWNS)
    .says("pieces other than pawns that can promote must")
    .idle(no_promoted_forms),
    Key::new(
        "pieceDemotion",
        "a unit that remembers its former kind may turn back to it where units promote",
        Take::Bool(Field(false, at!(promotion.demotion))),
    )
    .fide(ONLY_PAWNS)
    .says("promoted pieces may turn back the same way"),
    // Captures.
    Key::new(
        "blastOnCapture",
        "a capture removes the capturing unit and all units on the eight squares around, except pawns",
        Take::Bool(Field(false, at!(captures.blast))),
    )
    .fide(ONE_REMOVED)
    .says("a capture destroys the capturing unit and all units around but pawns")
    .limits(&[
        Limit::error(
            &["blastOnCapture"],
            |d| d.checks.king.is_some() && d.captures.blast,
            "`blastOnCapture` excludes a royal `king`",
        )
        .help(
            "make it a common piece whose loss loses: `king = -`, `commoner = k`, `castlingKingPiece = k`, \
             `extinctionValue = loss`, `extinctionPieceTypes = k`, `extinctionPseudoRoyal = true`",
        ),
    ]),
    Key::new(
        "blastImmuneTypes",
        "units that a blast does not remove",
        Take::Pieces(Field(KindList::of(&[]), at!(captures.immune))),
    )
    .fide(ONE_REMOVED)
    .words(Names("blasts spare: {}"))
    .limits(&[Limit::error(
        &["blastImmuneTypes"],
        |d| has_royals(d) && !d.captures.immune.is_empty() && d.captures.blast,
        "`blastImmuneTypes` excludes royal pieces",
    )]),
    Key::new(
        "mutuallyImmuneTypes",
        "units that may not capture units of their own kind",
        Take::Pieces(Field(KindList::of(&[]), at!(captures.mutually_immune))),
    )
    .fide(ONE_REMOVED)
    .words(Names("these never capture their own kind: {}"))
    .limits(&[Limit::error(
        &["mutuallyImmuneTypes"],
        |d| d.captures.mutually_immune.iter().any(|piece| is_royal(d, piece)),
        "`mutuallyImmuneTypes` names a royal piece, which would then not be in check by its own kind",
    )]),
    Key::new(
        "petrifyOnCaptureTypes",
        "units that become walls when they capture",
        Take::Pieces(Field(KindList::of(&[]), at!(captures.petrify))),
    )
    .fide(ONE_REMOVED)
    .words(Names("these turn into walls when they capture: {}"))
    .limits(&[Limit::not_played(
        &["petrifyOnCaptureTypes"],
        |d| !d.captures.petrify.is_empty(),
        "walls are not played",
    )]),
    Key::new(
        "petrifyBlastPieces",
        "units removed by a blast leave walls",
        Take::Bool(Field(false, at!(captures.petrify_blast))),
    )
    .fide(ONE_REMOVED)
    .says("units destroyed by a blast leave walls")
    .limits(&[
        Limit::warning(
            &["petrifyBlastPieces"],
            |d| d.captures.petrify_blast && !d.captures.blast,
            "`petrifyBlastPieces` without `blastOnCapture` has no effect",
        ),
        Limit::not_played(
            &["petrifyBlastPieces"],
            |d| d.captures.petrify_blast,
            "walls are not played",
        ),
    ]),
    // Steps and castling.
    Key::new(
        "doubleStep",
        "pawns may advance two squares from the double-step region",
        Take::Bool(Own(|d, v| d.double_step = v)),
    )
    .print(|d, _| (d.pawns.double_step != [0; 2]).to_string()),
    Key::new("castling", "castling is allowed", Take::Bool(Field(true, at!(castling.enabled))))
        .fide(CASTLING)
        .words(YesNo("castling", "no castling")),
    Key::new(
        "castlingDroppedPiece",
        "a king or rook dropped on its castling square may castle",
        Take::Bool(Field(false, at!(castling.dropped))),
    )
    .fide(CASTLING)
    .says("dropped kings and rooks gain castling rights")
    .idle(|d| !d.castling.enabled)
    .limits(&[Limit::not_played(
        &["castlingDroppedPiece"],
        |d| d.castling.enabled && d.castling.dropped && has_rights_off_corners(d),
        "a right of startFen is that of a rook that is not on a corner, but drops bring rights to corners",
    )]),
    Key::new(
        "castlingKingsideFile",
        "file of the king after kingside castling",
        Take::File(Field(6, at!(castling.kingside_file))),
    )
    .carried(Carry::Right)
    .fide(CASTLING)
    .says("castling kingside brings the king to file {}")
    .idle(|d| !d.castling.enabled)
    .limits(&[
        Limit::error(
            &["castlingKingsideFile", "castlingQueensideFile", "maxFile"],
            |d| castles_off_board(d) && d.start_field(2) != "-",
            "the king castles to a file beyond the board",
        )
        .help("`castlingKingsideFile` and `castlingQueensideFile` give the file"),
    ]),
    Key::new(
        "castlingQueensideFile",
        "file of the king after queenside castling",
        Take::File(Field(2, at!(castling.queenside_file))),
    )
    .carried(Carry::Left)
    .fide(CASTLING)
    .says("castling queenside brings the king to file {}")
    .idle(|d| !d.castling.enabled)
    .limits(&[Limit::error(
        &["castlingQueensideFile", "castlingKingsideFile"],
        |d| {
            let c = &d.castling;
            c.enabled && !castles_off_board(d) && c.queenside_file > c.kingside_file
        },
        "`castlingQueensideFile` is to the right of `castlingKingsideFile`",
    )]),
    Key::new(
        "castlingRank",
        "rank on which castling takes place, counted from the own side",
        Take::Rank(Field(0, at!(castling.rank))),
    )
    .carried(Carry::OwnSide)
    .fide(CASTLING)
    .says("castling happens on each side's rank {}")
    .idle(|d| !d.castling.enabled)
    .limits(&[Limit::error(
        &["castlingRank"],
        |d| d.castling.enabled && d.castling.rank >= d.board.ranks(),
        "`castlingRank` is beyond the board",
    )]),
    Key::new(
        "castlingKingFile",
        "file of the king before castling",
        Take::File(Field(4, at!(castling.king_file))),
    )
    .carried(Carry::Nearer)
    .fide(CASTLING)
    .says("the castling king is on file {}")
    .idle(|d| !d.castling.enabled),
    Key::new(
        "castlingKingPiece",
        "{side's} unit that castles as the king",
        Take::Piece(Field(OnePiece::Slot(KING), at_side!(castling.king))),
    )
    .both_and_each()
    .fide(CASTLING)
    .words(SideNames(
        "the piece that castles: {}",
        Some(("*", "nothing castles")),
        "{side}'s piece that castles: {}",
    ))
    .idle(|d| !d.castling.enabled),
    Key::new(
        "castlingRookKingsideFile",
        "file of the kingside rook before castling",
        Take::File(Field(MAX_SIDE as u8 - 1, at!(castling.rook_kingside_file))),
    )
    .carried(Carry::Right)
    .fide(CASTLING)
    .says("the kingside rook is sought from file {} inward")
    .idle(|d| !d.castling.enabled || d.castling.rook_kingside_file + 1 == d.board.files()),
    Key::new(
        "castlingRookQueensideFile",
        "file of the queenside rook before castling",
        Take::File(Field(0, at!(castling.rook_queenside_file))),
    )
    .carried(Carry::Left)
    .fide(CASTLING)
    .says("the queenside rook is sought from file {} inward")
    .idle(|d| !d.castling.enabled),
    Key::new(
        "oppositeCastling",
        "castling takes away the opponent's right on the same wing",
        Take::Bool(Field(false, at!(castling.opposite))),
    )
    .fide(CASTLING)
    .says("after one side has castled, the other may not castle on that wing"),
    Key::new(
        "castlingWins",
        "castling with such a right wins; losing all of these rights loses",
        Take::Rights(Field(
            CastlingRights {
                kingside: [false; 2],
                queenside: [false; 2],
            },
            at!(castling.wins),
        )),
    )
    .fide(CASTLING)
    .says("castling wins ({}), losing these rights loses"),
    // Legality of turns.
    Key::new("checking", "a turn may give check", Take::Bool(Field(true, at!(checks.allowed))))
        .fide(FREE_CHECKS)
        .words(YesNo("checks are allowed", "a turn that gives check is illegal")),
    Key::new("dropChecks", "a drop may give check", Take::Bool(Field(true, at!(drops.checks))))
        .fide(NO_DROPS)
        .words(YesNo("drops may give check", "a drop may not give check"))
        .idle(no_hands),
    Key::new(
        "mustCapture",
        "a side with a legal capture must capture",
        Take::Bool(Field(false, at!(captures.mandatory))),
    )
    .fide("captures are free")
    .says("a side that can capture must"),
    Key::new(
        "mustDrop",
        "a side that can drop a unit of `mustDropType` must drop it",
        Take::Bool(Field(false, at!(drops.must_drop))),
    )
    .fide(NO_DROPS)
    .says("a side that can drop must")
    .idle(no_hands)
    .limits(&[Limit::warning(
        &["mustDrop"],
        |d| d.drops.must_drop && !d.drops.enabled,
        "`mustDrop` without `pieceDrops`: nothing is ever dropped",
    )]),
    Key::new(
        "mustDropType",
        "unit that `mustDrop` is about, `*` for any",
        Take::Piece(Field(ANY, at!(drops.must_drop_type))),
    )
    .fide(NO_DROPS)
    .words(Of(|d, value| {
        let names = d.named_letters(value);
        (d.drops.must_drop).then(|| format!("the kind that must be dropped: {names}"))
    }))
    .idle(no_hands),
    // Drops.
    Key::new(
        "pieceDrops",
        "units in hand may be dropped on empty squares",
        Take::Bool(Field(false, at!(drops.enabled))),
    )
    .fide(NO_DROPS)
    .says("units in hand may be dropped on empty squares"),
    Key::new(
        "dropLoop",
        "a captured promoted unit keeps its promoted kind in hand",
        Take::Bool(Field(false, at!(drops.keep_promoted))),
    )
    .fide(NO_DROPS)
    .says("captured promoted units keep their kind")
    .idle(no_hands),
    Key::new(
        "capturesToHand",
        "a captured unit goes to the hand of its captor",
        Take::Bool(Field(false, at!(drops.captures_to_hand))),
    )
    .fide(NO_DROPS)
    .says("captured units go to the capturer's hand")
    .limits(&[Limit::warning(
        &["capturesToHand"],
        |d| d.drops.captures_to_hand && !d.has_hands(),
        "`capturesToHand` without `pieceDrops`: nothing is ever dropped",
    )]),
    Key::new(
        "firstRankPawnDrops",
        "pawns may be dropped on the own first rank",
        Take::Bool(Field(false, at!(drops.pawns_on_first_rank))),
    )
    .fide(NO_DROPS)
    .says("pawns may be dropped on the first rank")
    .idle(no_hands),
    Key::new(
        "promotionZonePawnDrops",
        "pawns may be dropped in the promotion zone",
        Take::Bool(Field(false, at!(drops.pawns_in_zone))),
    )
    .fide(NO_DROPS)
    .says("pawns may be dropped in their promotion zone")
    .idle(no_hands),
    Key::new(
        "enclosingDrop",
        "a drop must enclose enemy units, in one of these ways",
        enclosing!(drops.enclosing),
    )
    .fide(NO_DROPS)
    .says("drops must enclose enemy units ({})")
    .limits(&[Limit::not_played(
        &["enclosingDrop"],
        |d| d.drops.enclosing.is_some(),
        "it is not played",
    )]),
    Key::new(
        "enclosingDropStart",
        "squares on which drops need not enclose",
        Take::Squares(Field(NOWHERE, at!(drops.enclosing_start))),
    )
    .fide(NO_DROPS)
    .says("drops need not enclose on {}"),
    Key::new(
        "sittuyinRookDrop",
        "rooks may be dropped on the own first rank only",
        Take::Bool(Field(false, at!(drops.rooks_on_first_rank))),
    )
    .fide(NO_DROPS)
    .says("rooks are dropped on the first rank only")
    .idle(no_hands),
    Key::new(
        "dropOppositeColoredBishop",
        "bishops are dropped so that a side's bishops spread over both colors of squares",
        Take::Bool(Field(false, at!(drops.opposite_bishops))),
    )
    .fide(NO_DROPS)
    .says("a side's bishops are dropped on squares of both colors")
    .idle(no_hands),
    Key::new(
        "dropPromoted",
        "a unit may be dropped in its promoted state",
        Take::Bool(Field(false, at!(drops.promoted))),
    )
    .fide(NO_DROPS)
    .says("pieces may be dropped promoted")
    .idle(no_hands)
    .limits(&[Limit::not_played(
        &["dropPromoted"],
        |d| d.drops.promoted && !d.drops.enabled,
        "it needs pieceDrops",
    )]),
    Key::new(
        "dropNoDoubled",
        "unit that may not be dropped on a file with `dropNoDoubledCount` of its kind",
        Take::Piece(Field(ANY, at!(drops.no_doubled))),
    )
    .fide(NO_DROPS)
    .words(Of(|d, value| {
        let names = d.named_letters(value);
        let count = d.drops.no_doubled_count;
        Some(format!("no {names} is dropped on a file with {count} of the side's"))
    }))
    .idle(no_hands),
    Key::new(
        "dropNoDoubledCount",
        "number of such units of a side on a file; 0 forbids the drop everywhere",
        Take::Count(Field(1, at!(drops.no_doubled_count))),
    ),
    Key::new(
        "immobilityIllegal",
        "a unit may not be dropped on, or moved to, a square that it could never leave",
        Take::Bool(Field(false, at!(checks.immobility_illegal))),
    )
    .says("no unit goes where it could never move again"),
    // Gating and walls.
    Key::new(
        "gating",
        "a unit in hand may enter on the square that an unmoved unit of the back rank leaves",
        Take::Bool(Field(false, at!(gating.enabled))),
    )
    .words(Of(|d, _| {
        let is_said = d.gating.seirawan || d.gating.cambodian;
        (!is_said).then(|| "the castling field also contains the files of unmoved units".to_owned())
    }))
    .limits(&[
        Limit::not_played(
            &["gating"],
            |d| d.gating.enabled && d.board.wraps(),
            "it is not played on a cylinder",
        ),
        Limit::not_played(
            &["gating", "castlingKingPiece"],
            |d| d.gating.enabled && castles_without_king(d),
            "it is not played where another piece than the royal king castles",
        ),
    ]),
    Key::new(
        "wallingRule",
        "a turn also places a wall, in one of these ways",
        one_of!(Option<WallingRule>, walling.rule,
            "none" => None,
            "arrow" => Some(WallingRule::Arrow),
            "duck" => Some(WallingRule::Duck),
            "edge" => Some(WallingRule::Edge),
            "past" => Some(WallingRule::Past),
            "static" => Some(WallingRule::Static)),
    )
    .says("a turn also places a wall ({})")
    .limits(&[
        Limit::error(
            &["wallingRule", "pieceDrops"],
            |d| d.drops.enabled && d.walling.rule.is_some(),
            "`pieceDrops` contradicts `wallingRule`",
        ),
        Limit::not_played(
            &["wallingRule"],
            |d| d.walling.rule.is_some(),
            "walls are not played",
        ),
    ]),
    Key::new(
        "wallOrMove",
        "a turn moves a unit or places a wall, not both",
        Take::Bool(Field(false, at!(walling.or_move))),
    )
    .says("a turn moves a unit or places a wall"),
    Key::new(
        "seirawanGating",
        "gating as in Seirawan chess",
        Take::Bool(Field(false, at!(gating.seirawan))),
    )
    .says("units in hand may enter where an unmoved piece leaves its square")
    .limits(&[
        Limit::error(
            &["seirawanGating", "cambodianMoves"],
            |d| (d.gating.seirawan || d.gating.cambodian) && !d.gating.enabled,
            "`seirawanGating` and `cambodianMoves` need `gating = true`",
        ),
        Limit::not_played(
            &["seirawanGating"],
            |d| d.gating.seirawan && d.extinction.pseudo_royal,
            "it is not played together with extinctionPseudoRoyal",
        ),
    ]),
    Key::new(
        "cambodianMoves",
        "unmoved king and fers have the special first moves of Cambodian chess",
        Take::Bool(Field(false, at!(gating.cambodian))),
    )
    .says("an unmoved king may leap once like a knight, an unmoved fers two squares ahead"),
    Key::new(
        "diagonalLines",
        "squares between which some units also move along diagonals, as in janggi",
        Take::Squares(Field(NOWHERE, at!(checks.diagonal_lines))),
    )
    .says("squares with diagonal lines: {}")
    .limits(&[Limit::not_played(
        &["diagonalLines"],
        |d| d.checks.diagonal_lines != 0,
        "it is not played",
    )]),
    // Passing.
    Key::new("pass", "{side} may pass", Take::Bool(Field(false, at_side!(passing.allowed))))
        .both_and_each()
        .fide(NO_PASSING)
        .words(SideFlags("either side may pass", "{side} may pass")),
    Key::new(
        "passOnStalemate",
        "{side} passes if it has no other legal turn",
        Take::Bool(Field(false, at_side!(passing.on_stalemate))),
    )
    .both_and_each()
    .fide(NO_PASSING)
    .words(SideFlags(
        "a side without another turn may pass",
        "{side} may pass when it has no other turn",
    )),
    Key::new(
        "flagPiece",
        "{side's} unit that wins by reaching the flag region",
        Take::Piece(Field(ANY, at_side!(flag.piece))),
    )
    .both_and_each(),
    // Kings.
    Key::new(
        "makpongRule",
        "a king in check may not move, except to capture the checking unit",
        Take::Bool(Field(false, at!(checks.makpong))),
    )
    .says("in check the king may not move but to capture the checking unit"),
    Key::new(
        "flyingGeneral",
        "the two kings may not face each other on an open file or rank",
        Take::Bool(Field(false, at!(checks.flying_general))),
    )
    .fide("kings may face each other")
    .says("kings may not face each other along an open line")
    .limits(&[Limit::not_played(
        &["flyingGeneral"],
        |d| d.board.wraps() && d.checks.flying_general,
        "it is not played on a cylinder",
    )]),
    Key::new(
        "soldierPromotionRank",
        "rank from which a `soldier` may move sideways, counted from the own side",
        Take::Rank(Field(0, at!(checks.soldier_rank))),
    )
    .carried(Carry::From)
    .says("soldiers step sideways from rank {} on only"),
    Key::new(
        "flipEnclosedPieces",
        "a drop turns over the enemy units that it encloses",
        enclosing!(drops.flip),
    )
    .fide(NO_DROPS)
    .says("a drop turns over the enemy units that it encloses ({})")
    .limits(&[
        Limit::error(
            &["flipEnclosedPieces"],
            |d| d.checks.king.is_some() && d.drops.flip.is_some(),
            "`flipEnclosedPieces` excludes a royal `king`",
        ),
        Limit::not_played(
            &["flipEnclosedPieces"],
            |d| d.drops.flip.is_some(),
            "it is not played",
        ),
    ]),
    // Rules on earlier positions.
    Key::new(
        "nMoveRule",
        "moves without progress after which the game is drawn; counted only with `nMoveRuleKept`",
        Take::Moves(Field(50, at!(history.n_move_rule))),
    )
    .of_past(),
    Key::new(
        "nMoveRuleKept",
        "the n-move counter is part of the position, so that `nMoveRule` is played",
        Take::Bool(Field(false, at!(history.n_move_kept))),
    )
    .limits(&[
        Limit::warning(
            &["nMoveRuleKept", "nMoveRule"],
            |d| d.history.n_move_kept && d.history.n_move_rule == 0,
            "`nMoveRuleKept` without `nMoveRule`: there is nothing to keep",
        ),
        Limit::error(
            &["nMoveRule", "nMoveRuleKept"],
            |d| d.history.n_move_kept && d.history.n_move_rule > MAX_KEPT,
            "`nMoveRule` has more moves than can be kept",
        )
        .help("`nMoveRule` is at most 1000 where it is kept"),
    ]),
    Key::new(
        "nFoldRule",
        "repetitions that end the game; left out, because a position has no past",
        Take::Moves(Field(3, at!(history.n_fold_rule))),
    )
    .of_past(),
    Key::new(
        "nFoldValue",
        "result of a repetition for the side to move; left out, because a position has no past",
        Take::Value(Field(Value::Draw, at!(history.n_fold_value))),
    )
    .of_past(),
    Key::new(
        "nFoldValueAbsolute",
        "`nFoldValue` is meant for White; left out, because a position has no past",
        Take::Bool(Field(false, at!(history.n_fold_absolute))),
    )
    .of_past(),
    Key::new(
        "perpetualCheckIllegal",
        "perpetual check loses; left out, because a position has no past",
        Take::Bool(Field(false, at!(history.perpetual_check_illegal))),
    )
    .of_past(),
    Key::new(
        "moveRepetitionIllegal",
        "repeating moves is illegal; left out, because a position has no past",
        Take::Bool(Field(false, at!(history.move_repetition_illegal))),
    )
    .of_past(),
    Key::new(
        "chasingRule",
        "perpetual chase loses; left out, because a position has no past",
        one_of!(Option<ChasingRule>, history.chasing, "none" => None, "axf" => Some(ChasingRule::Axf)),
    )
    .of_past(),
    // Ends of the game.
    Key::new(
        "stalemateValue",
        "result for a side without a legal turn and not in check",
        Take::Value(Field(Value::Draw, at!(no_turn.stalemate))),
    ),
    Key::new(
        "stalematePieceCount",
        "on stalemate, the numbers of units decide",
        Take::Bool(Field(false, at!(no_turn.piece_count))),
    ),
    Key::new(
        "checkmateValue",
        "result for a side without a legal turn and in check",
        Take::Value(Field(Value::Loss, at!(no_turn.checkmate))),
    ),
    Key::new(
        "shogiPawnDropMateIllegal",
        "dropping a `shogiPawn` may not give checkmate",
        Take::Bool(Field(false, at!(drops.shogi_pawn_mate_illegal))),
    )
    .fide(NO_DROPS)
    .says("mate by dropping a shogi pawn loses")
    .idle(no_hands),
    Key::new(
        "shatarMateRule",
        "mate by a knight alone loses; mate without a check by rook, bers or knight before it draws",
        Take::Bool(Field(false, at!(checks.shatar))),
    )
    .says(
        "mate by knights alone loses; mate draws if none of the checks that led to it without a break came \
         from a rook, `bers` or knight",
    ),
    Key::new(
        "bikjangRule",
        "kings that face each other draw the game, as in janggi",
        Take::Bool(Field(false, at!(checks.bikjang))),
    )
    .says("kings that face each other draw the game")
    .limits(&[Limit::not_played(
        &["bikjangRule"],
        |d| d.checks.bikjang,
        "it is not played",
    )]),
    Key::new(
        "extinctionValue",
        "result for a side with at most `extinctionPieceCount` units of an extinction kind",
        Take::ValueOrNone(Field(None, at!(extinction.value))),
    )
    .limits(&[Limit::warning(
        &["extinctionValue"],
        |d| d.extinction.value.is_some() && !names_extinction(d),
        "`extinctionValue` without `extinctionPieceTypes`: nothing runs out",
    )]),
    Key::new(
        "extinctionClaim",
        "the opponent of the side to move needs one more unit than `extinctionOpponentPieceCount` to win at once",
        Take::Bool(Field(false, at!(extinction.claim))),
    ),
    Key::new(
        "extinctionPseudoRoyal",
        "extinction kinds are royal while a side has few enough of them to lose by losing one; `extinctionValue` \
         still decides if a turn takes the last of them or makes other units of them",
        Take::Bool(Field(false, at!(extinction.pseudo_royal))),
    )
    .limits(&[Limit::warning(
        &["extinctionPseudoRoyal"],
        |d| d.extinction.pseudo_royal && d.extinction.types.is_empty(),
        "`extinctionPseudoRoyal` without kinds in `extinctionPieceTypes`",
    )]),
    Key::new(
        "dupleCheck",
        "a side whose units of these kinds are all attacked at once is in check, too",
        Take::Bool(Field(false, at!(extinction.duple_check))),
    )
    .limits(&[Limit::warning(
        &["dupleCheck"],
        |d| d.extinction.duple_check && !d.extinction.pseudo_royal,
        "`dupleCheck` without `extinctionPseudoRoyal` has no effect",
    )]),
    Key::new(
        "extinctionPieceTypes",
        "kinds whose loss ends the game; `*` counts all units of a side together",
        Take::Pieces(Field(KindList::of(&[]), at!(extinction.types))),
    )
    .print(|d, _| d.extinction_types_text())
    .limits(&[Limit::warning(
        &["extinctionPieceTypes"],
        |d| {
            let e = &d.extinction;
            e.value.is_none() && names_extinction(d) && !e.pseudo_royal
        },
        "`extinctionPieceTypes` without `extinctionValue`: nothing ends",
    )]),
    Key::new(
        "extinctionPieceCount",
        "number of units at which a kind counts as extinct",
        Take::Count(Field(0, at!(extinction.count))),
    ),
    Key::new(
        "extinctionOpponentPieceCount",
        "number of units that the opponent must have for extinction to count",
        Take::Count(Field(0, at!(extinction.opponent_count))),
    ),
    Key::new(
        "flagPieceCount",
        "number of flag units that must be in the region",
        Take::Count(Field(1, at!(flag.count))),
    ),
    Key::new(
        "flagPieceBlockedWin",
        "one flag unit is enough if no square of the region is empty",
        Take::Bool(Field(false, at!(flag.blocked_wins))),
    ),
    Key::new(
        "flagMove",
        "the opponent has one more turn before the flag decides; an opponent whose flag piece is the king has it \
         only as Black, not in check, if its king can go to its region",
        Take::Bool(Field(false, at!(flag.extra_move))),
    ),
    Key::new(
        "flagPieceSafe",
        "attacked flag units do not count",
        Take::Bool(Field(false, at!(flag.safe))),
    )
    .limits(&[Limit::error(
        &["flagPieceSafe"],
        |d| d.flag.safe && d.captures.blast,
        "`flagPieceSafe` excludes `blastOnCapture`",
    )]),
    Key::new(
        "checkCounting",
        "a side that has given the number of checks in the FEN wins; attacks on royal units of \
         `extinctionPseudoRoyal` are checks too",
        Take::Bool(Field(false, at!(checks.counting))),
    )
    .fide(FREE_CHECKS)
    .says("checks are counted, and enough of them win")
    .limits(&[Limit::error(
        &["checkCounting", "checking"],
        |d| d.checks.counting && !d.checks.allowed,
        "`checkCounting = true` contradicts `checking = false`",
    )]),
    Key::new(
        "connectN",
        "number of units in a row that wins",
        Take::Count(Field(0, at!(connection.in_a_row))),
    ),
    Key::new(
        "connectPieceTypes",
        "units that count for rows and other connections",
        Take::Pieces(Field(KindList::STAR, at!(connection.types))),
    )
    .print(|d, _| match d.connection.types == PieceSet::first(d.pieces.len()) {
        true => "*".to_owned(),
        false => d.letters_text(d.connection.types),
    }),
    Key::new(
        "connectHorizontal",
        "rows along a rank count",
        Take::Bool(Field(true, at!(connection.horizontal))),
    ),
    Key::new(
        "connectVertical",
        "rows along a file count",
        Take::Bool(Field(true, at!(connection.vertical))),
    ),
    Key::new(
        "connectDiagonal",
        "rows along a diagonal count",
        Take::Bool(Field(true, at!(connection.diagonal))),
    ),
    Key::new(
        "connectNxN",
        "side of a full square of units that wins",
        Take::Count(Field(0, at!(connection.square))),
    ),
    Key::new(
        "collinearN",
        "number of units on one line, with gaps allowed, that wins",
        Take::Count(Field(0, at!(connection.collinear))),
    ),
    Key::new(
        "connectValue",
        "result for the side that has made a connection",
        Take::Value(Field(Value::Win, at!(connection.value))),
    ),
    Key::new(
        "materialCounting",
        "draws by stalemate, full board or two passes are decided by material, in one of these ways",
        one_of!(Option<MaterialCounting>, ended.material,
            "none" => None,
            "janggi" => Some(MaterialCounting::Janggi),
            "unweighted" => Some(MaterialCounting::Unweighted),
            "whitedrawodds" => Some(MaterialCounting::WhiteDrawOdds),
            "blackdrawodds" => Some(MaterialCounting::BlackDrawOdds)),
    )
    .limits(&[Limit::not_played(
        &["materialCounting"],
        |d| d.ended.material == Some(MaterialCounting::Janggi),
        "`janggi` is not played",
    )]),
    Key::new(
        "adjudicateFullBoard",
        "a board without an empty square ends the game",
        Take::Bool(Field(false, at!(ended.full_board))),
    ),
    Key::new(
        "countingRule",
        "counting rule for drawn endgames; left out, because a position has no past",
        one_of!(Option<CountingRule>, history.counting,
            "none" => None,
            "makruk" => Some(CountingRule::Makruk),
            "cambodian" => Some(CountingRule::Cambodian),
            "asean" => Some(CountingRule::Asean)),
    )
    .of_past(),
];

/// Returns the squares of all ranks from `rank` (from 0) on, as each side counts ranks.
fn ranks_from(d: &Draft, rank: u8) -> [Plane; 2] {
    ranks_between(d, rank, u8::MAX)
}

/// Returns the squares of the ranks from `first` to `last` (from 0), as each side counts ranks.
fn ranks_between(d: &Draft, first: u8, last: u8) -> [Plane; 2] {
    let ranks = d.max_rank.max(1);
    let mut regions = NOWHERE;
    for rank in first..=last.min(ranks - 1) {
        regions[0] = regions[0].or(Plane::rank(usize::from(rank)));
        regions[1] = regions[1].or(Plane::rank(usize::from(ranks - 1 - rank)));
    }
    regions
}

/// Returns the squares of a rank, which is counted from 0 on White's side.
fn rank(d: &Definition, rank: u8) -> Region {
    let files = u32::from(d.board.files());
    let row = (1u128 << files) - 1;
    row << (u32::from(rank) * files) & d.squares()
}

fn no_hands(d: &Definition) -> bool {
    !d.has_hands()
}

fn no_promoted_forms(d: &Definition) -> bool {
    d.promotion.promoted.iter().all(Option::is_none) && !d.promotion.demotion
}

fn has_royals(d: &Definition) -> bool {
    d.checks.king.is_some() || d.extinction.pseudo_royal
}

/// Returns whether units of a kind can be royal.
fn is_royal(d: &Definition, piece: PieceType) -> bool {
    let pseudo = d.extinction.pseudo_royal && (d.extinction.total || d.extinction.types.has(piece));
    d.checks.king == Some(piece) || pseudo
}

fn names_extinction(d: &Definition) -> bool {
    !d.extinction.types.is_empty() || d.extinction.total
}

/// Returns whether a side has a royal king and castles with another piece.
fn castles_without_king(d: &Definition) -> bool {
    let castles = |piece: &Option<PieceType>| piece.is_some() && *piece != d.checks.king;
    d.castling.enabled && d.checks.king.is_some() && d.castling.king.iter().any(castles)
}

/// Returns whether a side can castle and the target of its king is not on the board.
fn castles_off_board(d: &Definition) -> bool {
    let c = &d.castling;
    let can = c.king.iter().any(Option::is_some);
    let last = c.kingside_file.max(c.queenside_file);
    c.enabled && can && last >= d.board.files()
}

/// Returns whether the start position has a castling right whose king is not on `castlingKingFile`, or whose
/// rook is not on the first or last file. A drop would give the same right to another unit.
fn has_rights_off_corners(d: &Definition) -> bool {
    let c = &d.castling;
    let Ok(array) = array::array(d.start_field(0)) else {
        return false;
    };
    let piece_on = |side: usize, file: u8| {
        let rank = match side {
            0 => c.rank,
            _ => d.board.ranks().checked_sub(c.rank + 1)?,
        };
        match array.cell(file.into(), rank.into())? {
            Cell::Unit(unit) if unit.color().index() == side => d.piece_of(unit.letter as u8),
            _ => None,
        }
    };
    let corners = [("Kk", d.board.files() - 1), ("Qq", 0)];
    d.start_field(2).chars().any(|right| {
        let side = usize::from(right.is_ascii_lowercase());
        let corner = corners.iter().find(|(letters, _)| letters.contains(right));
        corner.is_some_and(|&(_, corner)| {
            let has_rook = piece_on(side, corner).is_some_and(|rook| c.rooks[side].has(rook));
            let king = piece_on(side, c.king_file);
            !(has_rook && king.is_some() && king == c.king[side])
        })
    })
}

/// Returns whether a piece captures by hopping or by a lame step.
fn hops(d: &Definition, piece: usize) -> bool {
    let mut captures = d.pieces[piece]
        .movement
        .terms
        .iter()
        .filter(|term| term.captures);
    captures.any(|term| matches!(term.path, Path::Hop | Path::Grasshop | Path::Lame))
}
