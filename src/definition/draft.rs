//! A section in the making: what its parent says, on which its own keys are laid.
//!
//! Kinds are the format's names here, not letters, and regions do not yet know the board: so a child
//! may give a piece another letter or make the board larger, as in the format.

use crate::slots::{self, KING, PAWN, ROOK, SLOTS};
use crate::{
    CastlingRights, ChasingRule, CountingRule, EnclosingRule, MaterialCounting, Movement, Sides,
    Value, WallingRule,
};

/// Files and ranks that a region can speak of.
pub const MAX_SIDE: usize = 16;

/// A set of squares of the largest board: bit `file` of row `rank`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plane(pub [u16; MAX_SIDE]);

impl Plane {
    /// Every square.
    pub const ALL: Plane = Plane([u16::MAX; MAX_SIDE]);
    /// No square.
    pub const NONE: Plane = Plane([0; MAX_SIDE]);

    /// Returns one rank, from 0.
    pub fn rank(rank: usize) -> Plane {
        let mut plane = Plane::NONE;
        plane.0[rank] = u16::MAX;
        plane
    }

    /// Returns one file, from 0.
    pub fn file(file: usize) -> Plane {
        Plane([1 << file; MAX_SIDE])
    }

    /// Returns one square.
    pub fn square(file: usize, rank: usize) -> Plane {
        let mut plane = Plane::NONE;
        plane.0[rank] = 1 << file;
        plane
    }

    /// Returns the squares of either.
    pub fn or(mut self, other: Plane) -> Plane {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
        self
    }
}

/// A set of slots: bit `s` for slot `s`, bit 63 for `*`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SlotSet(pub u64);

impl SlotSet {
    /// `*` alone.
    pub const STAR: SlotSet = SlotSet(1 << 63);

    /// These slots.
    pub const fn of(slots: &[usize]) -> SlotSet {
        let mut bits = 0;
        let mut i = 0;
        while i < slots.len() {
            bits |= 1 << slots[i];
            i += 1;
        }
        SlotSet(bits)
    }

    /// Returns whether the slot itself is in the set.
    pub fn has(self, slot: usize) -> bool {
        self.0 >> slot & 1 == 1
    }

    /// Returns whether `*` is.
    pub fn star(self) -> bool {
        self.0 >> 63 == 1
    }
}

/// One kind, any, or none: what a key of type piece says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnePiece {
    /// `*` or `-`
    Any,
    /// A letter.
    Slot(usize),
}

/// A section's meaning before board and letters are put together. Fields are named after their keys;
/// see [`Definition`](crate::Definition) for what they mean.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Draft {
    pub max_file: u8,
    pub max_rank: u8,
    pub holes: Plane,
    pub cylinder: bool,
    pub letters: [Option<u8>; SLOTS],
    pub synonyms: [Option<u8>; SLOTS],
    /// The movements of custom pieces and of the king.
    pub written: Vec<Movement>,
    pub mobility: Vec<Sides<Plane>>,
    pub start_fen: String,
    pub chess960: bool,
    pub two_boards: bool,
    pub promotion_region: Sides<Plane>,
    pub main_pawn: Sides<OnePiece>,
    pub promotion_pawns: Sides<SlotSet>,
    pub promotion_types: Sides<SlotSet>,
    pub sittuyin_promotion: bool,
    pub promotion_limit: [u8; SLOTS],
    pub promoted: [Option<usize>; SLOTS],
    pub promotion_on_capture: bool,
    pub mandatory_pawn: bool,
    pub mandatory_piece: bool,
    pub demotion: bool,
    pub blast: bool,
    pub immune: SlotSet,
    pub mutually_immune: SlotSet,
    pub petrify: SlotSet,
    pub petrify_blast: bool,
    pub double_step: bool,
    pub double_step_region: Sides<Plane>,
    pub triple_step_region: Sides<Plane>,
    pub en_passant_region: Sides<Plane>,
    pub en_passant_types: Sides<SlotSet>,
    pub castling: bool,
    pub castling_dropped: bool,
    pub castling_kingside: u8,
    pub castling_queenside: u8,
    pub castling_rank: u8,
    pub castling_king_file: u8,
    pub castling_rook_kingside: u8,
    pub castling_rook_queenside: u8,
    pub castling_king: Sides<OnePiece>,
    pub castling_rooks: Sides<SlotSet>,
    pub opposite_castling: bool,
    pub castling_wins: CastlingRights,
    pub checking: bool,
    pub drop_checks: bool,
    pub must_capture: bool,
    pub must_drop: bool,
    pub must_drop_type: OnePiece,
    pub piece_drops: bool,
    pub drop_loop: bool,
    pub captures_to_hand: bool,
    pub first_rank_pawn_drops: bool,
    pub zone_pawn_drops: bool,
    pub enclosing_drop: Option<EnclosingRule>,
    pub enclosing_start: Plane,
    pub drop_region: Sides<Plane>,
    pub sittuyin_rook: bool,
    pub opposite_bishops: bool,
    pub drop_promoted: bool,
    pub no_doubled: OnePiece,
    pub no_doubled_count: u8,
    pub immobility_illegal: bool,
    pub gating: bool,
    pub walling: Option<WallingRule>,
    pub walling_region: Sides<Plane>,
    pub wall_or_move: bool,
    pub seirawan: bool,
    pub cambodian: bool,
    pub diagonal_lines: Plane,
    pub pass: Sides<bool>,
    pub pass_on_stalemate: Sides<bool>,
    pub makpong: bool,
    pub flying_general: bool,
    pub soldier_rank: u8,
    pub flip: Option<EnclosingRule>,
    pub n_move_types: Sides<SlotSet>,
    pub n_move_rule: u32,
    pub n_move_kept: bool,
    pub n_fold_rule: u32,
    pub n_fold_value: Value,
    pub n_fold_absolute: bool,
    pub perpetual_check: bool,
    pub move_repetition: bool,
    pub chasing: Option<ChasingRule>,
    pub stalemate: Value,
    pub stalemate_count: bool,
    pub checkmate: Value,
    pub pawn_drop_mate_illegal: bool,
    pub shatar: bool,
    pub bikjang: bool,
    pub extinction: Option<Value>,
    pub extinction_claim: bool,
    pub pseudo_royal: bool,
    pub duple_check: bool,
    pub extinction_types: SlotSet,
    pub extinction_count: u8,
    pub extinction_opponent: u8,
    pub flag_piece: Sides<OnePiece>,
    pub flag_region: Sides<Plane>,
    pub flag_count: u8,
    pub flag_blocked: bool,
    pub flag_move: bool,
    pub flag_safe: bool,
    pub check_counting: bool,
    pub connect_n: u8,
    pub connect_types: SlotSet,
    pub connect_horizontal: bool,
    pub connect_vertical: bool,
    pub connect_diagonal: bool,
    pub connect_region: [Sides<Plane>; 2],
    pub connect_nxn: u8,
    pub collinear_n: u8,
    pub connect_value: Value,
    pub material: Option<MaterialCounting>,
    pub full_board: bool,
    pub counting: Option<CountingRule>,
}

impl Draft {
    /// Returns what a section without a parent starts from: orthodox chess without pieces, and without
    /// anything for pawns to become.
    pub fn empty() -> Draft {
        let ranks = |a: usize, b: usize| [Plane::rank(a), Plane::rank(b)];
        let pawn = [SlotSet::of(&[PAWN]); 2];
        Draft {
            max_file: 8,
            max_rank: 8,
            holes: Plane::NONE,
            cylinder: false,
            letters: [None; SLOTS],
            synonyms: [None; SLOTS],
            written: vec![Movement::default(); SLOTS],
            mobility: vec![[Plane::NONE; 2]; SLOTS],
            start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
            chess960: false,
            two_boards: false,
            promotion_region: ranks(7, 0),
            main_pawn: [OnePiece::Slot(PAWN); 2],
            promotion_pawns: pawn,
            promotion_types: [SlotSet::default(); 2],
            sittuyin_promotion: false,
            promotion_limit: [0; SLOTS],
            promoted: [None; SLOTS],
            promotion_on_capture: false,
            mandatory_pawn: true,
            mandatory_piece: false,
            demotion: false,
            blast: false,
            immune: SlotSet::default(),
            mutually_immune: SlotSet::default(),
            petrify: SlotSet::default(),
            petrify_blast: false,
            double_step: true,
            double_step_region: ranks(1, 6),
            triple_step_region: [Plane::NONE; 2],
            en_passant_region: [Plane::ALL; 2],
            en_passant_types: pawn,
            castling: true,
            castling_dropped: false,
            castling_kingside: 6,
            castling_queenside: 2,
            castling_rank: 0,
            castling_king_file: 4,
            castling_rook_kingside: MAX_SIDE as u8 - 1,
            castling_rook_queenside: 0,
            castling_king: [OnePiece::Slot(KING); 2],
            castling_rooks: [SlotSet::of(&[ROOK]); 2],
            opposite_castling: false,
            castling_wins: CastlingRights::default(),
            checking: true,
            drop_checks: true,
            must_capture: false,
            must_drop: false,
            must_drop_type: OnePiece::Any,
            piece_drops: false,
            drop_loop: false,
            captures_to_hand: false,
            first_rank_pawn_drops: false,
            zone_pawn_drops: false,
            enclosing_drop: None,
            enclosing_start: Plane::NONE,
            drop_region: [Plane::ALL; 2],
            sittuyin_rook: false,
            opposite_bishops: false,
            drop_promoted: false,
            no_doubled: OnePiece::Any,
            no_doubled_count: 1,
            immobility_illegal: false,
            gating: false,
            walling: None,
            walling_region: [Plane::ALL; 2],
            wall_or_move: false,
            seirawan: false,
            cambodian: false,
            diagonal_lines: Plane::NONE,
            pass: [false; 2],
            pass_on_stalemate: [false; 2],
            makpong: false,
            flying_general: false,
            soldier_rank: 0,
            flip: None,
            n_move_types: pawn,
            n_move_rule: 50,
            n_move_kept: false,
            n_fold_rule: 3,
            n_fold_value: Value::Draw,
            n_fold_absolute: false,
            perpetual_check: false,
            move_repetition: false,
            chasing: None,
            stalemate: Value::Draw,
            stalemate_count: false,
            checkmate: Value::Loss,
            pawn_drop_mate_illegal: false,
            shatar: false,
            bikjang: false,
            extinction: None,
            extinction_claim: false,
            pseudo_royal: false,
            duple_check: false,
            extinction_types: SlotSet::default(),
            extinction_count: 0,
            extinction_opponent: 0,
            flag_piece: [OnePiece::Any; 2],
            flag_region: [Plane::NONE; 2],
            flag_count: 1,
            flag_blocked: false,
            flag_move: false,
            flag_safe: false,
            check_counting: false,
            connect_n: 0,
            connect_types: SlotSet::STAR,
            connect_horizontal: true,
            connect_vertical: true,
            connect_diagonal: true,
            connect_region: [[Plane::NONE; 2]; 2],
            connect_nxn: 0,
            collinear_n: 0,
            connect_value: Value::Win,
            material: None,
            full_board: false,
            counting: None,
        }
    }

    /// Orthodox chess: the root of most families.
    pub fn chess() -> Draft {
        let mut chess = Draft::empty();
        for (slot, letter) in [
            (PAWN, b'P'),
            (1, b'N'),
            (2, b'B'),
            (ROOK, b'R'),
            (4, b'Q'),
            (KING, b'K'),
        ] {
            chess.add_piece(slot, letter);
        }
        chess.written[KING] =
            Movement::parse(slots::movement(KING)).expect("the king's movement reads");
        chess.promotion_types = [SlotSet::of(&[1, 2, ROOK, 4]); 2];
        chess
    }

    /// Gives a slot a letter (upper case). A piece that had it is gone, and as in the format so is the
    /// slot itself, if it had it, from the pieces that pawns become.
    pub fn add_piece(&mut self, slot: usize, letter: u8) {
        if let Some(old) = self.letters.iter().position(|&l| l == Some(letter)) {
            self.remove_piece(old);
        }
        self.letters[slot] = Some(letter);
        self.synonyms[slot] = None;
    }

    /// Takes a piece out of the variant.
    pub fn remove_piece(&mut self, slot: usize) {
        self.letters[slot] = None;
        self.synonyms[slot] = None;
        for types in &mut self.promotion_types {
            types.0 &= !(1 << slot);
        }
    }

    /// Returns the slot that a letter of either case stands for.
    pub fn slot_of(&self, letter: char) -> Option<usize> {
        let upper = letter.to_ascii_uppercase();
        self.letters
            .iter()
            .position(|l| l.is_some_and(|l| l as char == upper))
    }
}
