//! Definitions of variants: the kinds of pieces, and the value of each key. `keys.rs` applies the keys of a
//! section.

use super::betza::{self, Atom};

/// The built-in pieces with their notation, in the order in which their letters are assigned.
pub const PIECES: &[(&str, &str)] = &[
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

/// The number of built-in pieces.
pub const BUILT_IN: usize = PIECES.len();
/// The number of custom pieces. They follow the built-in pieces, and the king is the last kind.
const CUSTOM: usize = 25;
pub const PAWN: usize = 0;
pub const KNIGHT: usize = 1;
pub const BISHOP: usize = 2;
pub const ROOK: usize = 3;
pub const QUEEN: usize = 4;
pub const FERS: usize = 5;
/// The piece that combines a rook with a single diagonal step.
pub const BERS: usize = 10;
pub const SHOGI_PAWN: usize = 18;
pub const SOLDIER: usize = 28;
pub const KING: usize = BUILT_IN + CUSTOM;

/// One kind of piece, or all kinds together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    #[default]
    All,
    Kind(usize),
}

pub type Kinds = Vec<Which>;

/// Returns whether a kind is in a list.
pub fn among(kinds: &[Which], kind: usize) -> bool {
    kinds.contains(&Which::Kind(kind)) || kinds.contains(&Which::All)
}

/// A list of squares as (file, rank), from 0. Each side has its own.
pub type Region = Vec<(i32, i32)>;

/// The result of an ending for the side that the key concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Value {
    #[default]
    None,
    Win,
    Loss,
    Draw,
}

/// The winner instead of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Material {
    #[default]
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
#[derive(Clone, Default)]
pub struct Definition {
    pub kinds: Vec<Kind>,
    pub files: i32,
    pub ranks: i32,
    pub start: String,
    /// The squares that do not exist.
    pub holes: Region,
    /// Whether the last file touches the first.
    pub cylinder: bool,
    /// Second letters of kinds, in upper case.
    pub synonyms: Vec<(char, usize)>,
    /// By kind and side, the squares that units may enter. An empty region means all squares.
    pub mobility: Vec<[Region; 2]>,

    pub double_step: bool,
    pub double_region: [Region; 2],
    pub triple_region: [Region; 2],
    pub passing_region: [Option<Region>; 2],
    pub passing_kinds: [Kinds; 2],
    pub promotion_region: [Region; 2],
    pub pawns: [Kinds; 2],
    /// The kind that a captured promoted pawn becomes in hand.
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
    pub castling_king: [Option<usize>; 2],
    pub castling_rook_king_side: i32,
    pub castling_rook_queen_side: i32,
    pub castling_rooks: [Kinds; 2],
    pub opposite_castling: bool,
    /// The castlings that win, as (side, wing). Wing 1 is toward the last file.
    pub castling_wins: Vec<(usize, usize)>,

    pub drops: bool,
    pub drop_loop: bool,
    pub captures_to_hand: bool,
    /// Whether a clause of a rule text puts captured units into a hand.
    pub clause_to_hand: bool,
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
    /// The n-move rule, in moves of each side.
    pub n_moves: u32,
    pub n_moves_kept: bool,
    /// By side, the kinds whose irreversible steps are progress.
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
    /// By side, the two regions that a chain of units must connect.
    pub connect_regions: [[Region; 2]; 2],
    pub connect_square: usize,
    pub connect_collinear: usize,
    pub connect_value: Value,
    pub full_board: bool,
    /// The rule that replaces draws.
    pub material: Material,
}

impl Definition {
    /// Returns the definition from which a section without a parent starts: chess without pieces.
    pub fn bare() -> Definition {
        let kinds = bare_kinds();
        let count = kinds.len();
        let rank = |rank: i32| -> Region { (0..16).map(|file| (file, rank)).collect() };
        let both = |kind: usize| [vec![Which::Kind(kind)], vec![Which::Kind(kind)]];
        Definition {
            kinds,
            files: 8,
            ranks: 8,
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_string(),
            mobility: vec![[Vec::new(), Vec::new()]; count],
            double_step: true,
            double_region: [rank(1), rank(6)],
            passing_kinds: both(PAWN),
            promotion_region: [rank(7), rank(0)],
            pawns: both(PAWN),
            main_pawn: [Some(PAWN); 2],
            limits: vec![0; count],
            promoted: vec![None; count],
            must_promote_pawn: true,
            castling: true,
            castling_king_side: 6,
            castling_queen_side: 2,
            castling_king_file: 4,
            castling_king: [Some(KING); 2],
            castling_rook_king_side: 15,
            castling_rooks: both(ROOK),
            drop_not_doubled_count: 1,
            drop_checks: true,
            checking: true,
            stalemate: Value::Draw,
            checkmate: Value::Loss,
            n_moves: 50,
            n_move_kinds: both(PAWN),
            flag_count: 1,
            connect_kinds: vec![Which::All],
            connect_horizontal: true,
            connect_vertical: true,
            connect_diagonal: true,
            connect_value: Value::Win,
            ..Definition::default()
        }
    }

    /// Returns orthodox chess.
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

    /// Returns the kind with this letter, in either case.
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

    /// Gives a kind a letter, or removes it from the variant. The kind that had the letter before is removed.
    /// As in Fairy-Stockfish, this also applies to the kind itself: pawns can then no longer become it.
    pub(super) fn set_letter(&mut self, kind: usize, letter: Option<char>) {
        let upper = letter.map(|letter| letter.to_ascii_uppercase());
        let removed = match upper {
            None => Some(kind),
            Some(_) => self.kinds.iter().position(|kind| kind.letter == upper),
        };
        if let Some(removed) = removed {
            self.kinds[removed].letter = None;
            self.synonyms.retain(|pair| pair.1 != removed);
            for promotions in &mut self.promotions {
                promotions.retain(|&which| which != Which::Kind(removed));
            }
        }
        self.synonyms.retain(|pair| pair.1 != kind);
        self.kinds[kind].letter = upper;
    }
}

/// Returns all kinds: the built-in pieces, the custom pieces (which have no movement yet), and the king.
fn bare_kinds() -> Vec<Kind> {
    let kind = |name: String, notation: &str| Kind {
        name,
        letter: None,
        atoms: betza::read(notation).expect("a built-in notation"),
    };
    let built_in = PIECES
        .iter()
        .map(|(name, notation)| kind(name.to_string(), notation));
    let custom = (1..=CUSTOM).map(|number| kind(format!("customPiece{number}"), ""));
    let king = kind("king".to_string(), "K");
    built_in.chain(custom).chain([king]).collect()
}
