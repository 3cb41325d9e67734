//! What all the keys of a variant say.

use super::betza::{self, Atom};
use super::ini::{Key, Section};

/// The built-in pieces with their notation, in the order in which their letters are given out.
const PIECES: &[(&str, &str)] = &[
    ("pawn", "fmWfcF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
];

/// Custom pieces follow the built-in ones; the king is the last kind.
const CUSTOM: usize = 25;
pub const PAWN: usize = 0;
pub const KNIGHT: usize = 1;
pub const BISHOP: usize = 2;
pub const ROOK: usize = 3;
pub const QUEEN: usize = 4;
pub const FERS: usize = 5;
/// The rook that steps diagonally.
pub const BERS: usize = 10;
pub const SHOGI_PAWN: usize = 18;
pub const SOLDIER: usize = 28;
pub const KING: usize = 36 + CUSTOM;

/// A kind of piece, or all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    All,
    Kind(usize),
}

pub type Kinds = Vec<Which>;

/// Returns whether the kind is one of these.
pub fn among(kinds: &[Which], kind: usize) -> bool {
    kinds.contains(&Which::Kind(kind)) || kinds.contains(&Which::All)
}

/// Squares, given as (file, rank) from 0; each side's own.
pub type Region = Vec<(i32, i32)>;

/// What a game's end means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    None,
    Win,
    Loss,
    Draw,
}

/// Who wins what would be a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    Nobody,
    Side(usize),
    /// The side with more units on the board.
    More,
}

#[derive(Clone)]
pub struct Kind {
    pub name: String,
    pub letter: Option<char>,
    pub atoms: Vec<Atom>,
}

/// A variant.
#[derive(Clone)]
pub struct Definition {
    pub kinds: Vec<Kind>,
    pub files: i32,
    pub ranks: i32,
    pub start: String,
    /// Squares that do not exist, as (file, rank).
    pub holes: Region,
    /// The last file touches the first.
    pub cylinder: bool,
    /// Second letters of kinds, in upper case.
    pub synonyms: Vec<(char, usize)>,
    /// Empty: everywhere.
    pub mobility: Vec<[Region; 2]>,

    pub double_step: bool,
    pub double_region: [Region; 2],
    pub triple_region: [Region; 2],
    pub passing_region: [Option<Region>; 2],
    pub passing_kinds: [Kinds; 2],
    pub promotion_region: [Region; 2],
    pub pawns: [Kinds; 2],
    /// What a promoted unit turns back to when it is captured into a hand.
    pub main_pawn: [Option<usize>; 2],
    pub promotions: [Kinds; 2],
    pub limits: Vec<u32>,
    pub promoted: Vec<Option<usize>>,
    pub promotion_on_capture: bool,
    pub must_promote_pawn: bool,
    pub must_promote_piece: bool,
    pub demotion: bool,
    pub sittuyin_promotion: bool,

    pub castling: bool,
    pub castling_dropped: bool,
    pub castling_king_side: i32,
    pub castling_queen_side: i32,
    pub castling_rank: i32,
    pub castling_king_file: i32,
    pub castling_king: [usize; 2],
    pub castling_rook_king_side: i32,
    pub castling_rook_queen_side: i32,
    pub castling_rooks: [Kinds; 2],
    pub opposite_castling: bool,
    /// (side, wing) of castlings that win, wing 1 towards the last file.
    pub castling_wins: Vec<(usize, usize)>,

    pub drops: bool,
    pub drop_loop: bool,
    pub captures_to_hand: bool,
    pub two_boards: bool,
    pub first_rank_pawn_drops: bool,
    pub promotion_zone_pawn_drops: bool,
    pub drop_region: [Option<Region>; 2],
    pub sittuyin_rook_drop: bool,
    pub drop_opposite_bishop: bool,
    pub drop_promoted: bool,
    pub drop_not_doubled: Option<usize>,
    pub drop_not_doubled_count: u32,
    pub drop_checks: bool,
    pub must_drop: bool,
    pub must_drop_kind: Which,
    pub gating: bool,
    pub seirawan: bool,
    pub cambodian: bool,

    pub blast: bool,
    pub blast_immune: Kinds,
    pub mutually_immune: Kinds,
    pub must_capture: bool,
    pub immobility_illegal: bool,
    pub checking: bool,
    pub makpong: bool,
    pub flying_general: bool,
    pub soldier_rank: i32,
    pub pass: [bool; 2],
    pub pass_on_stalemate: [bool; 2],

    pub stalemate: Value,
    pub stalemate_count: bool,
    pub checkmate: Value,
    pub shatar: bool,
    /// The n-move rule, in moves of each side, where it is played.
    pub n_moves: u32,
    pub n_moves_kept: bool,
    /// By side, the kinds whose steps are progress if they cannot be taken back.
    pub n_move_kinds: [Kinds; 2],
    pub pawn_drop_mate_illegal: bool,
    pub extinction: Value,
    pub extinction_claim: bool,
    pub pseudo_royal: bool,
    pub duple_check: bool,
    pub extinct: Kinds,
    pub extinct_count: u32,
    pub extinct_opponent: u32,
    pub flag_kind: [Which; 2],
    pub flag_region: [Region; 2],
    pub flag_count: usize,
    pub flag_blocked: bool,
    pub flag_move: bool,
    pub flag_safe: bool,
    pub check_counting: bool,
    pub connect: usize,
    pub connect_kinds: Kinds,
    pub connect_horizontal: bool,
    pub connect_vertical: bool,
    pub connect_diagonal: bool,
    /// By side, two regions that a chain of units connects.
    pub connect_regions: [[Region; 2]; 2],
    pub connect_square: usize,
    pub connect_collinear: usize,
    pub connect_value: Value,
    pub full_board: bool,
    /// What becomes of a draw.
    pub material: Material,
}

impl Definition {
    /// Returns what holds when a section has no parent: the rules of chess without any piece.
    pub fn bare() -> Definition {
        let mut kinds: Vec<Kind> = PIECES
            .iter()
            .map(|(name, text)| Kind {
                name: name.to_string(),
                letter: None,
                atoms: betza::read(text).expect("a built-in notation"),
            })
            .collect();
        for number in 1..=CUSTOM {
            kinds.push(Kind {
                name: format!("customPiece{number}"),
                letter: None,
                atoms: Vec::new(),
            });
        }
        kinds.push(Kind {
            name: "king".to_string(),
            letter: None,
            atoms: betza::read("K").expect("a built-in notation"),
        });
        let count = kinds.len();
        let rank = |rank: i32| -> Region { (0..16).map(|file| (file, rank)).collect() };
        let both = |kind: usize| [vec![Which::Kind(kind)], vec![Which::Kind(kind)]];
        Definition {
            kinds,
            files: 8,
            ranks: 8,
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_string(),
            holes: Vec::new(),
            cylinder: false,
            synonyms: Vec::new(),
            mobility: vec![[Vec::new(), Vec::new()]; count],
            double_step: true,
            double_region: [rank(1), rank(6)],
            triple_region: [Vec::new(), Vec::new()],
            passing_region: [None, None],
            passing_kinds: both(PAWN),
            promotion_region: [rank(7), rank(0)],
            pawns: both(PAWN),
            main_pawn: [Some(PAWN); 2],
            promotions: [Vec::new(), Vec::new()],
            limits: vec![0; count],
            promoted: vec![None; count],
            promotion_on_capture: false,
            must_promote_pawn: true,
            must_promote_piece: false,
            demotion: false,
            sittuyin_promotion: false,
            castling: true,
            castling_dropped: false,
            castling_king_side: 6,
            castling_queen_side: 2,
            castling_rank: 0,
            castling_king_file: 4,
            castling_king: [KING; 2],
            castling_rook_king_side: 15,
            castling_rook_queen_side: 0,
            castling_rooks: both(ROOK),
            opposite_castling: false,
            castling_wins: Vec::new(),
            drops: false,
            drop_loop: false,
            captures_to_hand: false,
            two_boards: false,
            first_rank_pawn_drops: false,
            promotion_zone_pawn_drops: false,
            drop_region: [None, None],
            sittuyin_rook_drop: false,
            drop_opposite_bishop: false,
            drop_promoted: false,
            drop_not_doubled: None,
            drop_not_doubled_count: 1,
            drop_checks: true,
            must_drop: false,
            must_drop_kind: Which::All,
            gating: false,
            seirawan: false,
            cambodian: false,
            blast: false,
            blast_immune: Vec::new(),
            mutually_immune: Vec::new(),
            must_capture: false,
            immobility_illegal: false,
            checking: true,
            makpong: false,
            flying_general: false,
            soldier_rank: 0,
            pass: [false; 2],
            pass_on_stalemate: [false; 2],
            stalemate: Value::Draw,
            stalemate_count: false,
            checkmate: Value::Loss,
            shatar: false,
            n_moves: 50,
            n_moves_kept: false,
            n_move_kinds: both(PAWN),
            pawn_drop_mate_illegal: false,
            extinction: Value::None,
            extinction_claim: false,
            pseudo_royal: false,
            duple_check: false,
            extinct: Vec::new(),
            extinct_count: 0,
            extinct_opponent: 0,
            flag_kind: [Which::All; 2],
            flag_region: [Vec::new(), Vec::new()],
            flag_count: 1,
            flag_blocked: false,
            flag_move: false,
            flag_safe: false,
            check_counting: false,
            connect: 0,
            connect_kinds: vec![Which::All],
            connect_horizontal: true,
            connect_vertical: true,
            connect_diagonal: true,
            connect_regions: Default::default(),
            connect_square: 0,
            connect_collinear: 0,
            connect_value: Value::Win,
            full_board: false,
            material: Material::Nobody,
        }
    }

    /// Orthodox chess.
    pub fn chess() -> Definition {
        let mut chess = Definition::bare();
        for (kind, letter) in [
            (PAWN, 'P'),
            (KNIGHT, 'N'),
            (BISHOP, 'B'),
            (ROOK, 'R'),
            (QUEEN, 'Q'),
            (KING, 'K'),
        ] {
            chess.kinds[kind].letter = Some(letter);
        }
        let types: Kinds = [KNIGHT, BISHOP, ROOK, QUEEN].map(Which::Kind).to_vec();
        chess.promotions = [types.clone(), types];
        chess
    }

    /// Returns the kind with this letter, of either case.
    pub fn kind_of(&self, letter: char) -> Option<usize> {
        let letter = letter.to_ascii_uppercase();
        self.kinds
            .iter()
            .position(|kind| kind.letter == Some(letter))
            .or_else(|| {
                let second = self.synonyms.iter().find(|pair| pair.0 == letter);
                second.map(|pair| pair.1)
            })
    }

    fn set_letter(&mut self, kind: usize, letter: Option<char>) {
        if let Some(letter) = letter
            && let Some(other) = self.kind_of(letter)
            && other != kind
        {
            self.set_letter(other, None);
        }
        self.kinds[kind].letter = letter.map(|letter| letter.to_ascii_uppercase());
        if letter.is_none() {
            for promotions in &mut self.promotions {
                promotions.retain(|&which| which != Which::Kind(kind));
            }
        }
    }

    /// This variant with what a section changes.
    pub fn with(&self, section: &Section) -> Result<Definition, String> {
        let mut new = self.clone();
        let pieces = |key: &&Key| new_kind(self, &key.name).is_some();
        // Letters are given out first, in the order of the kinds, for other keys name kinds by them.
        let mut letters: Vec<&Key> = section.keys.iter().filter(pieces).collect();
        letters.sort_by_key(|key| new_kind(self, &key.name));
        for key in letters {
            new.piece(key)
                .map_err(|why| format!("line {}: {}: {why}", key.line, key.name))?;
        }
        // A key for one side overrides the key for both, wherever it is written. Keys for single purposes
        // override `pawnTypes`.
        let mut keys: Vec<&Key> = section.keys.iter().filter(|key| !pieces(key)).collect();
        keys.sort_by_key(|key| {
            let one_sided = key.name.ends_with("White") || key.name.ends_with("Black");
            (key.name != "pawnTypes", one_sided)
        });
        for key in keys {
            new.key(&key.name, &key.value)
                .map_err(|why| format!("line {}: {}: {why}", key.line, key.name))?;
        }
        if !new.double_step {
            new.double_region = [Vec::new(), Vec::new()];
        }
        Ok(new)
    }

    fn piece(&mut self, key: &Key) -> Result<(), String> {
        let kind = new_kind(self, &key.name).expect("the key of a piece");
        let mut letters = key.value.chars();
        let letter = letters.next().ok_or("no letter")?;
        if letter == '-' {
            self.set_letter(kind, None);
            return Ok(());
        }
        if !letter.is_ascii_alphabetic() {
            return Err(format!("{letter} is not a letter"));
        }
        self.set_letter(kind, Some(letter));
        let notation = match letters.next() {
            None => None,
            Some(':') => Some(letters.as_str()),
            Some(other) => return Err(format!("{other} after the letter")),
        };
        if kind == KING {
            self.kinds[kind].atoms = betza::read(notation.unwrap_or("K"))?;
        } else if kind >= PIECES.len() {
            let notation = notation.ok_or("no notation")?;
            self.kinds[kind].atoms = betza::read(notation)?;
            if notation.contains('e') {
                for kinds in &mut self.passing_kinds {
                    kinds.push(Which::Kind(kind));
                }
            }
        } else if notation.is_some() {
            return Err("a built-in piece has its notation".to_string());
        }
        Ok(())
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each key")]
    fn key(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(rest) = name.strip_prefix("mobilityRegion") {
            let (side, piece) = match (rest.strip_prefix("White"), rest.strip_prefix("Black")) {
                (Some(piece), _) => (0, piece),
                (_, Some(piece)) => (1, piece),
                _ => return Err("of which side?".to_string()),
            };
            let mut name = piece.to_string();
            name[..1].make_ascii_lowercase();
            let kind = new_kind(self, &name).ok_or("no such piece")?;
            self.mobility[kind][side] = region(value)?;
            return Ok(());
        }
        match name {
            "maxRank" => self.ranks = rank(value)? + 1,
            "maxFile" => self.files = file(value)? + 1,
            "startFen" => self.start = value.to_string(),
            "holes" => self.holes = region(value)?,
            "cylinder" => self.cylinder = flag(value)?,
            "synonyms" => {
                for pair in value.split_whitespace() {
                    let (kind, second) = pair.split_once(':').ok_or("no :")?;
                    let kind = self.one(kind)?.ok_or("no kind")?;
                    let letter = second.chars().next().ok_or("no letter")?;
                    self.synonyms.push((letter.to_ascii_uppercase(), kind));
                }
            }
            "promotionRank" => {
                let far = rank(value)?;
                self.promotion_region = self.ranks_of_both(far, self.ranks - 1);
            }
            "doubleStepRank" => self.double_region = self.ranks_of_both(1, rank(value)?),
            "doubleStepRankMin" => self.double_region = self.ranks_of_both(rank(value)?, 1),
            "whiteFlag" => self.flag_region[0] = region(value)?,
            "blackFlag" => self.flag_region[1] = region(value)?,
            "whiteDropRegion" => self.drop_region[0] = Some(region(value)?),
            "blackDropRegion" => self.drop_region[1] = Some(region(value)?),
            "castlingRookPiece" => {
                for side in 0..2 {
                    self.castling_rooks[side] = self.kinds(value)?;
                }
            }
            "castlingWins" => {
                self.castling_wins = value
                    .chars()
                    .filter(|letter| *letter != '-')
                    .map(|letter| {
                        let side = usize::from(letter.is_ascii_lowercase());
                        (side, usize::from(letter.eq_ignore_ascii_case(&'k')))
                    })
                    .collect();
            }
            "pawnTypes" => {
                let kinds = self.kinds(value)?;
                for side in 0..2 {
                    self.main_pawn[side] = last_kind(&kinds);
                    self.pawns[side] = kinds.clone();
                    self.passing_kinds[side] = kinds.clone();
                    self.n_move_kinds[side] = kinds.clone();
                }
            }
            "promotionRegionWhite" => self.promotion_region[0] = region(value)?,
            "promotionRegionBlack" => self.promotion_region[1] = region(value)?,
            "promotionPawnTypes" | "promotionPawnTypesWhite" | "promotionPawnTypesBlack" => {
                let kinds = self.kinds(value)?;
                for side in sides(name) {
                    self.main_pawn[side] = last_kind(&kinds);
                    self.pawns[side] = kinds.clone();
                }
            }
            "promotionPieceTypes" | "promotionPieceTypesWhite" | "promotionPieceTypesBlack" => {
                for side in sides(name) {
                    self.promotions[side] = self.kinds(value)?;
                }
            }
            "sittuyinPromotion" => self.sittuyin_promotion = flag(value)?,
            "promotionLimit" => {
                for pair in value.split_whitespace() {
                    let (kind, count) = pair.split_once(':').ok_or("no :")?;
                    let kind = self.one(kind)?.ok_or("no kind")?;
                    self.limits[kind] = number(count)?;
                }
            }
            "promotedPieceType" => {
                for pair in value.split_whitespace() {
                    let (kind, other) = pair.split_once(':').ok_or("no :")?;
                    let kind = self.one(kind)?.ok_or("no kind")?;
                    self.promoted[kind] = self.one(other)?;
                }
            }
            "piecePromotionOnCapture" => self.promotion_on_capture = flag(value)?,
            "mandatoryPawnPromotion" => self.must_promote_pawn = flag(value)?,
            "mandatoryPiecePromotion" => self.must_promote_piece = flag(value)?,
            "pieceDemotion" => self.demotion = flag(value)?,
            "blastOnCapture" => self.blast = flag(value)?,
            "blastImmuneTypes" => self.blast_immune = self.kinds(value)?,
            "mutuallyImmuneTypes" => self.mutually_immune = self.kinds(value)?,
            "doubleStep" => self.double_step = flag(value)?,
            "doubleStepRegionWhite" => self.double_region[0] = region(value)?,
            "doubleStepRegionBlack" => self.double_region[1] = region(value)?,
            "tripleStepRegionWhite" => self.triple_region[0] = region(value)?,
            "tripleStepRegionBlack" => self.triple_region[1] = region(value)?,
            "enPassantRegion" | "enPassantRegionWhite" | "enPassantRegionBlack" => {
                for side in sides(name) {
                    self.passing_region[side] = Some(region(value)?);
                }
            }
            "enPassantTypes" | "enPassantTypesWhite" | "enPassantTypesBlack" => {
                for side in sides(name) {
                    self.passing_kinds[side] = self.kinds(value)?;
                }
            }
            "castling" => self.castling = flag(value)?,
            "castlingDroppedPiece" => self.castling_dropped = flag(value)?,
            "castlingKingsideFile" => self.castling_king_side = file(value)?,
            "castlingQueensideFile" => self.castling_queen_side = file(value)?,
            "castlingRank" => self.castling_rank = rank(value)?,
            "castlingKingFile" => self.castling_king_file = file(value)?,
            "castlingKingPiece" | "castlingKingPieceWhite" | "castlingKingPieceBlack" => {
                for side in sides(name) {
                    self.castling_king[side] = self.one(value)?.ok_or("no kind")?;
                }
            }
            "castlingRookKingsideFile" => self.castling_rook_king_side = file(value)?,
            "castlingRookQueensideFile" => self.castling_rook_queen_side = file(value)?,
            "castlingRookPieces" | "castlingRookPiecesWhite" | "castlingRookPiecesBlack" => {
                for side in sides(name) {
                    self.castling_rooks[side] = self.kinds(value)?;
                }
            }
            "oppositeCastling" => self.opposite_castling = flag(value)?,
            "checking" => self.checking = flag(value)?,
            "dropChecks" => self.drop_checks = flag(value)?,
            "mustCapture" => self.must_capture = flag(value)?,
            "mustDrop" => self.must_drop = flag(value)?,
            "mustDropType" => {
                self.must_drop_kind = *self.kinds(value)?.first().ok_or("no kind")?;
            }
            "pieceDrops" => self.drops = flag(value)?,
            "dropLoop" => self.drop_loop = flag(value)?,
            "capturesToHand" => self.captures_to_hand = flag(value)?,
            "twoBoards" => self.two_boards = flag(value)?,
            "firstRankPawnDrops" => self.first_rank_pawn_drops = flag(value)?,
            "promotionZonePawnDrops" => self.promotion_zone_pawn_drops = flag(value)?,
            "dropRegionWhite" => self.drop_region[0] = Some(region(value)?),
            "dropRegionBlack" => self.drop_region[1] = Some(region(value)?),
            "sittuyinRookDrop" => self.sittuyin_rook_drop = flag(value)?,
            "dropOppositeColoredBishop" => self.drop_opposite_bishop = flag(value)?,
            "dropPromoted" => self.drop_promoted = flag(value)?,
            "dropNoDoubled" => self.drop_not_doubled = self.one(value)?,
            "dropNoDoubledCount" => self.drop_not_doubled_count = number(value)?,
            "immobilityIllegal" => self.immobility_illegal = flag(value)?,
            "gating" => self.gating = flag(value)?,
            "seirawanGating" => self.seirawan = flag(value)?,
            "cambodianMoves" => self.cambodian = flag(value)?,
            "pass" | "passWhite" | "passBlack" => {
                for side in sides(name) {
                    self.pass[side] = flag(value)?;
                }
            }
            "passOnStalemate" | "passOnStalemateWhite" | "passOnStalemateBlack" => {
                for side in sides(name) {
                    self.pass_on_stalemate[side] = flag(value)?;
                }
            }
            "makpongRule" => self.makpong = flag(value)?,
            "flyingGeneral" => self.flying_general = flag(value)?,
            "soldierPromotionRank" => self.soldier_rank = rank(value)?,
            "stalemateValue" => self.stalemate = end(value)?,
            "stalematePieceCount" => self.stalemate_count = flag(value)?,
            "checkmateValue" => self.checkmate = end(value)?,
            "nMoveRule" => self.n_moves = number(value)?,
            "nMoveRuleKept" => self.n_moves_kept = flag(value)?,
            "nMoveRuleTypes" | "nMoveRuleTypesWhite" | "nMoveRuleTypesBlack" => {
                for side in sides(name) {
                    self.n_move_kinds[side] = self.kinds(value)?;
                }
            }
            "shatarMateRule" => self.shatar = flag(value)?,
            "extinctionValue" => self.extinction = end(value)?,
            "extinctionClaim" => self.extinction_claim = flag(value)?,
            "extinctionPseudoRoyal" => self.pseudo_royal = flag(value)?,
            "dupleCheck" => self.duple_check = flag(value)?,
            "extinctionPieceTypes" => self.extinct = self.kinds(value)?,
            "extinctionPieceCount" => self.extinct_count = number(value)?,
            "extinctionOpponentPieceCount" => self.extinct_opponent = number(value)?,
            "flagPiece" | "flagPieceWhite" | "flagPieceBlack" => {
                for side in sides(name) {
                    self.flag_kind[side] = *self.kinds(value)?.first().ok_or("no kind")?;
                }
            }
            "flagRegion" | "flagRegionWhite" | "flagRegionBlack" => {
                for side in sides(name) {
                    self.flag_region[side] = region(value)?;
                }
            }
            "flagPieceCount" => self.flag_count = number(value)? as usize,
            "flagPieceBlockedWin" => self.flag_blocked = flag(value)?,
            "flagMove" => self.flag_move = flag(value)?,
            "flagPieceSafe" => self.flag_safe = flag(value)?,
            "checkCounting" => self.check_counting = flag(value)?,
            "connectN" => self.connect = number(value)? as usize,
            "connectPieceTypes" => self.connect_kinds = self.kinds(value)?,
            "connectHorizontal" => self.connect_horizontal = flag(value)?,
            "connectVertical" => self.connect_vertical = flag(value)?,
            "connectDiagonal" => self.connect_diagonal = flag(value)?,
            "connectRegion1White" => self.connect_regions[0][0] = region(value)?,
            "connectRegion2White" => self.connect_regions[0][1] = region(value)?,
            "connectRegion1Black" => self.connect_regions[1][0] = region(value)?,
            "connectRegion2Black" => self.connect_regions[1][1] = region(value)?,
            "connectNxN" => self.connect_square = number(value)? as usize,
            "collinearN" => self.connect_collinear = number(value)? as usize,
            "connectValue" => self.connect_value = end(value)?,
            "adjudicateFullBoard" => self.full_board = flag(value)?,
            "materialCounting" => {
                self.material = match value {
                    "none" => Material::Nobody,
                    "whitedrawodds" => Material::Side(0),
                    "blackdrawodds" => Material::Side(1),
                    "unweighted" => Material::More,
                    _ => return Err(format!("{value} is not counted here")),
                };
            }
            "shogiPawnDropMateIllegal" => self.pawn_drop_mate_illegal = flag(value)?,
            _ => return Err("no such key".to_string()),
        }
        Ok(())
    }

    /// Returns the ranks from one to another, as each side counts them.
    fn ranks_of_both(&self, first: i32, last: i32) -> [Region; 2] {
        [0, 1].map(|side| {
            let ranks = (first..=last).map(|rank| {
                if side == 0 {
                    rank
                } else {
                    self.ranks - 1 - rank
                }
            });
            ranks
                .flat_map(|rank| (0..16).map(move |file| (file, rank)))
                .collect()
        })
    }

    fn kinds(&self, text: &str) -> Result<Kinds, String> {
        let mut kinds = Vec::new();
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            match letter {
                '-' => break,
                '*' => kinds.push(Which::All),
                _ => {
                    let kind = self
                        .kind_of(letter)
                        .ok_or(format!("no piece has the letter {letter}"))?;
                    kinds.push(Which::Kind(kind));
                }
            }
        }
        Ok(kinds)
    }

    /// Returns the one kind of this text, or none for `-`.
    fn one(&self, text: &str) -> Result<Option<usize>, String> {
        match self.kinds(text)?.as_slice() {
            [] => Ok(None),
            [Which::Kind(kind)] => Ok(Some(*kind)),
            _ => Err(format!("{text} is not one piece")),
        }
    }
}

/// Returns the kind that a key gives a letter to.
fn new_kind(definition: &Definition, name: &str) -> Option<usize> {
    definition.kinds.iter().position(|kind| kind.name == name)
}

fn last_kind(kinds: &[Which]) -> Option<usize> {
    match kinds.last() {
        Some(Which::Kind(kind)) => Some(*kind),
        _ => None,
    }
}

fn sides(name: &str) -> Vec<usize> {
    match (name.ends_with("White"), name.ends_with("Black")) {
        (true, _) => vec![0],
        (_, true) => vec![1],
        _ => vec![0, 1],
    }
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{value} is neither true nor false")),
    }
}

fn number(value: &str) -> Result<u32, String> {
    value
        .parse()
        .map_err(|_| format!("{value} is not a number"))
}

fn rank(value: &str) -> Result<i32, String> {
    Ok(number(value)? as i32 - 1)
}

fn file(value: &str) -> Result<i32, String> {
    match value.as_bytes() {
        [letter @ b'a'..=b'p'] => Ok((letter - b'a') as i32),
        _ => rank(value),
    }
}

fn end(value: &str) -> Result<Value, String> {
    match value {
        "none" => Ok(Value::None),
        "win" => Ok(Value::Win),
        "loss" => Ok(Value::Loss),
        "draw" => Ok(Value::Draw),
        _ => Err(format!("{value} is not a result")),
    }
}

fn region(value: &str) -> Result<Region, String> {
    let mut region = Vec::new();
    for word in value.split_whitespace() {
        if word == "-" {
            break;
        }
        let (first, rest) = word.split_at(1);
        let files: Vec<i32> = match first {
            "*" => (0..16).collect(),
            _ => vec![file(&first.to_ascii_lowercase())?],
        };
        let ranks: Vec<i32> = match rest {
            "*" => (0..16).collect(),
            _ => vec![rank(rest)?],
        };
        for &file in &files {
            for &rank in &ranks {
                region.push((file, rank));
            }
        }
    }
    Ok(region)
}
