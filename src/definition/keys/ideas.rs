//! Words that users search for in place of the names of keys and clauses, and ideas that nothing expresses.
//!
//! A phrase fits if all its words occur in the text that is searched for, in any order and form.

/// The names of keys and clauses, each with phrases for the same idea, separated by semicolons.
pub(super) static SYNONYMS: &[(&str, &str)] = &[
    (
        "maxFile",
        "number of files; width; columns; board size; size of the board; larger board; smaller board",
    ),
    (
        "maxRank",
        "number of ranks; height; board size; size of the board; larger board; smaller board",
    ),
    (
        "holes",
        "missing squares; hole; gap in the board; no such squares; board shape; round board",
    ),
    ("cylinder", "torus; wrap around; edges joined; cylindrical"),
    (
        "startFen",
        "array; initial position; setup; starting position",
    ),
    ("chess960", "fischer random; shuffle"),
    ("twoBoards", "bughouse; partner; team"),
    ("king", "royal; royal piece"),
    ("commoner", "king that is not royal"),
    (
        "customPiece1",
        "betza; new piece; own piece; camel; zebra; grasshopper; nightrider; leaper; rider; hopper; movement of a piece",
    ),
    (
        "mobilityRegionWhiteKing",
        "palace; river; territory; confined; cannot leave; restricted to squares",
    ),
    (
        "promotionRegionWhite",
        "promotion zone; promotion rank; promote earlier; where pawns promote",
    ),
    (
        "promotionPieceTypes",
        "promotion; promote; underpromotion; pawn becomes; pawns become",
    ),
    (
        "promotedPieceType",
        "promote other pieces; shogi promotion; piece promotes",
    ),
    (
        "mandatoryPawnPromotion",
        "forced promotion; must promote; compulsory promotion",
    ),
    (
        "piecePromotionOnCapture",
        "promotes by capturing; promotes when it captures",
    ),
    (
        "promotionLimit",
        "limited promotion; no second queen; most queens",
    ),
    (
        "doubleStep",
        "pawn double move; pawn two squares; double step; two squares",
    ),
    (
        "doubleStepRegionWhite",
        "torpedo; double step from any rank",
    ),
    ("tripleStepRegionWhite", "triple step; three squares"),
    ("enPassantRegion", "en passant; capture in passing"),
    (
        "blastOnCapture",
        "atomic; bomb; explode; explosion; detonate; blast; blow up",
    ),
    (
        "blastImmuneTypes",
        "survives explosion; immune to explosion; not blown up",
    ),
    (
        "petrifyOnCaptureTypes",
        "turns to stone; freeze after capture; petrify; statue; medusa",
    ),
    ("castling", "castle; no castling; without castling"),
    (
        "castlingKingsideFile",
        "where the king castles; long castling; castle farther",
    ),
    (
        "checking",
        "no checks; check forbidden; check illegal; without checks; racing",
    ),
    ("dropChecks", "drop with check; no drop check"),
    (
        "mustCapture",
        "must take; forced capture; compulsory capture; mandatory capture; have to take; obliged to capture; antichess; giveaway; \
         suicide; losing",
    ),
    ("mustDrop", "must drop; forced drop; compulsory drop"),
    (
        "pieceDrops",
        "drop; crazyhouse; pocket; reserve; paratroop; place captured pieces; put pieces on the board",
    ),
    (
        "capturesToHand",
        "captured pieces to hand; take prisoners; prisoners; crazyhouse; keep captured pieces",
    ),
    ("dropNoDoubled", "two pawns on a file; nifu; doubled pawns"),
    ("shogiPawnDropMateIllegal", "uchifuzume; pawn drop mate"),
    ("gating", "enter from behind; seirawan; hawk; elephant"),
    (
        "wallingRule",
        "arrow; duck; block squares; wall; amazons; destroy squares",
    ),
    (
        "pass",
        "null move; skip a turn; skip turn; do nothing; null turn",
    ),
    ("passOnStalemate", "pass when stuck; skip when stalemated"),
    (
        "flagRegion",
        "goal square; hill; race; reach; king of the hill; reach the last rank; last rank wins; arrive; campmate; touchdown; center wins",
    ),
    ("flagPiece", "piece that must reach; which piece races"),
    (
        "flyingGeneral",
        "kings facing; facing kings; kings see each other; face each other",
    ),
    (
        "nMoveRule",
        "fifty moves; fifty move rule; draw after moves; move limit",
    ),
    (
        "nFoldRule",
        "repetition; threefold; repeat; same position three times; three repetitions",
    ),
    (
        "moveRepetitionIllegal",
        "repetition illegal; forbidden repetition; no repetition; ko; superko",
    ),
    ("perpetualCheckIllegal", "perpetual check; endless check"),
    ("chasingRule", "perpetual chase; endless attack"),
    (
        "stalemateValue",
        "stalemate; stalemated; stalemate wins; stalemate loses; no legal moves; stuck",
    ),
    (
        "checkmateValue",
        "checkmate loses; misere; mate; inverse mate",
    ),
    (
        "extinctionPieceTypes",
        "annihilate; lose all pieces; capture all; last piece; eliminate; kind dies out; all queens lost",
    ),
    (
        "extinctionPieceCount",
        "bare king; lone king; bare; few pieces left",
    ),
    (
        "extinctionValue",
        "antichess; giveaway; lose everything to win; losing all pieces wins",
    ),
    (
        "extinctionPseudoRoyal",
        "several kings; many kings; two kings; multiple kings; second royal; royal; more than one king; royal queen",
    ),
    (
        "checkCounting",
        "three checks; three check; five check; number of checks; count checks",
    ),
    (
        "connectN",
        "three in a row; four in a row; five in a row; in a row; row of four; row of three; gomoku; tic tac toe; tictactoe; line of five; \
         connect four; alignment",
    ),
    (
        "connectRegion1White",
        "hex; connect sides; chain across; path between edges",
    ),
    ("connectNxN", "square of pieces; two by two"),
    (
        "materialCounting",
        "points; most pieces wins; count material; piece majority",
    ),
    (
        "flipEnclosedPieces",
        "othello; reversi; ataxx; flip; turn over",
    ),
    (
        "targets",
        "moves depend on; where a unit moves; moves like; absorb; borrow moves; mimic; imitate; conditional movement; knight relay; relay",
    ),
    (
        "movement",
        "change how it moves; moves depend on square; betza of a piece",
    ),
    ("quiet", "move without capturing; moves without capture"),
    (
        "attacks",
        "capture differently; captures differently from moves",
    ),
    (
        "ontoOwn",
        "swap; exchange; exchange places; capture own pieces; take own pieces; friendly capture; cannibal; kamikaze own",
    ),
    (
        "activeIf",
        "paralysed; paralyse; paralyze; freeze; frozen; immobilize; madrasi; ultima; cannot move while; unmovable; asleep; patrol",
    ),
    (
        "captureIf",
        "protected; invulnerable; immune; immunity; cannot be captured; only captures if; bodyguard; may only capture",
    ),
    (
        "royalIf",
        "royal; which unit is royal; changing royalty; royal rook",
    ),
    ("checkIf", "also check; extra check; other check"),
    (
        "ownCheck",
        "capture the king; king capture; leave king in check; no check rule; move into check; ignore check",
    ),
    (
        "legalIf",
        "forbid; forbidden turn; forbidden move; illegal if; may not move; cannot move twice; not allowed",
    ),
    (
        "prefer",
        "maximum; longest move; must if possible; preference; priority; checks forced; must check; forced check; mummer",
    ),
    (
        "stepCount",
        "two turns; two moves; double move; move twice; marseillais; two moves in a row; double turn; second move; multiple moves; progressive",
    ),
    (
        "continues",
        "checkers; chain capture; multiple capture; multicapture; move again; continue capturing; second capture",
    ),
    (
        "stepSide",
        "move the opponent; opponent's pieces; move enemy units; help; make the opponent move",
    ),
    (
        "takes",
        "capture by leaping; capture without landing; captures by approach; withdrawer; coordinator; custodian; sandwich",
    ),
    (
        "landsOn",
        "rifle; teleport; teleportation; return after capture; magnet; gravity; fall; slide on; go back; bounce; ice",
    ),
    (
        "turnsInto",
        "morph; transform; change kind; becomes another piece; capture changes the piece; metamorphosis; chameleon",
    ),
    ("joins", "change sides after moving; traitor; defect"),
    (
        "endsOn",
        "captor goes home; captor is reborn; anticirce; return home after capture; promoted unit goes elsewhere",
    ),
    (
        "removes",
        "remove neighbours; remove units; further captures; shoot; kill; dies after capture; kamikaze; suicide bomber",
    ),
    (
        "converts",
        "convert; change color; change sides; andernach; recolor; switch sides; volage; color change",
    ),
    (
        "rebirth",
        "circe; captured units come back; reborn; come back; return to the board; respawn; resurrect; captured pieces return; home square after capture; \
         comes back to life",
    ),
    (
        "toHand",
        "captured piece to the hand; hand of the owner; owner keeps; hostage",
    ),
    (
        "takeOff",
        "remove own piece; take off; lift; pick up; sacrifice without capture",
    ),
    ("drops", "place a piece each turn; put any piece; placement"),
    (
        "ends",
        "how games end; win condition; winning condition; custom win; game over; new goal; bare king wins; own goal",
    ),
    (
        "state",
        "remember; memory; counter; once per game; last move; already moved",
    ),
    ("options", "parameter; configurable"),
    ("let", "helper function; define; abbreviation"),
];

/// Ideas that no key and no clause expresses: phrases separated by semicolons, what is missing, and the names that
/// come nearest.
pub(super) static NOT_EXPRESSED: &[(&str, &str, &[&str])] = &[
    (
        "dice; random; chance; probability; coin; lottery; cards",
        "turns depend on nothing but the position",
        &["state", "legalIf"],
    ),
    (
        "hidden; secret; fog; fog of war; dark; kriegspiel; invisible; incomplete information",
        "both sides see the whole position",
        &["targets", "ownCheck"],
    ),
    (
        "hexagonal; hexagon; triangle; triangular board",
        "boards have square cells",
        &["holes", "customPiece1"],
    ),
    (
        "three dimensions; three dimensional; cube; raumschach; levels; layers of boards; alice",
        "a position has one board",
        &["holes", "ontoOwn"],
    ),
    (
        "three players; four players; third player; multiplayer",
        "games have two sides",
        &["stepSide", "joins"],
    ),
    (
        "neutral; neutral pieces; pieces of nobody; shared pieces",
        "each unit belongs to a side",
        &["stepSide", "converts"],
    ),
    (
        "clock; seconds; time limit; blitz; time; minutes",
        "games have no clock",
        &["nMoveRule"],
    ),
    (
        "bet; money; stake; resign; draw offer; agreement",
        "players take no decisions but turns",
        &["ends", "pass"],
    ),
    (
        "simultaneous; same time; simultaneously; at once both",
        "turns alternate",
        &["stepCount", "stepSide"],
    ),
    (
        "stack; tower; several units on a square; carry another piece",
        "a square has at most one unit",
        &["ontoOwn", "state"],
    ),
];
