//! The variant state and the clocks of positions: their form in a FEN and their size in a key.

use crate::{DeclaredField, Legality, UnsupportedByTables};
use board::{Color, Kind, Square, Squares};
use position::{BoardOf, Layout, Position};

/// A rule set's variant state and clocks, and how FENs and keys represent them. By default, there is no
/// state, and clocks have no effect.
pub trait Carried<W: Layout> {
    /// Returns the size of the variant state in bits; 0 without a state.
    fn state_bits(&self) -> u32 {
        0
    }

    /// Returns the size in bits that suffices for the states of all positions reachable from this one.
    fn state_bits_from(&self, _p: &Position<W>) -> u32 {
        self.state_bits()
    }

    /// Returns the state as in a FEN: the key and value of each `key=value` that is not at its default, in
    /// order.
    fn state_text(&self, _b: &BoardOf<W>, _p: &Position<W>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Parses the value of one key of the state, and stores it in the position.
    ///
    /// # Errors
    /// If the value is not one that [`state_text`](Self::state_text) writes. The error names the possible
    /// values.
    fn read_state(
        &self,
        _b: &BoardOf<W>,
        _p: &mut Position<W>,
        _key: &str,
        _value: &str,
    ) -> Legality {
        Ok(())
    }

    /// Returns the fields of the state that a rule text declares.
    fn declared(&self) -> &[DeclaredField] {
        &[]
    }

    /// Returns the value of a declared field, by its number: a number, the number of a word, 0 or 1 for a flag, the
    /// number of a kind, side or square (-1 for none), or the bits of a set. `side` is the side whose value it is, if
    /// each side has its own.
    fn declared_value(&self, _p: &Position<W>, _field: usize, _side: Color) -> i64 {
        0
    }

    /// Returns the state with the sides swapped, or `None` for a state that only one side can have.
    fn swapped_state(&self, state: u64) -> Option<u64> {
        Some(state)
    }

    /// Returns the state after the side to move has passed. By default, the state does not change. No FEN may
    /// refuse the state with the other side to move.
    fn passed_state(&self, state: u64) -> u64 {
        state
    }

    /// Returns the maximum number of units on the board in this position and all later ones.
    fn unit_limit(&self, p: &Position<W>) -> usize {
        p.occupied().len() as usize + p.bound_len()
    }

    /// Returns whether castling rights can be gained in the course of a game.
    fn rights_arise(&self) -> bool {
        false
    }

    /// Returns the halfmove clock for a FEN. A rule set in which the clock has an effect stores it in the
    /// state.
    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove
    }

    /// Sets the halfmove clock.
    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
    }

    /// Returns the fullmove number for a FEN. A rule set in which the number has an effect stores the
    /// relevant part in the state, so that a position decoded from its key has it, too.
    fn number(&self, p: &Position<W>) -> u32 {
        p.fullmove
    }

    /// Sets the fullmove number, which counts from 1.
    fn set_number(&self, p: &mut Position<W>, number: u32) {
        p.fullmove = number;
    }

    /// Returns the additional FEN fields, if the rule set has them.
    fn fields(&self) -> Option<&dyn FenFields<W>> {
        None
    }
}

/// The default of [`Carried`]: no state, and clocks without effect.
pub(crate) struct CarriesNothing;

impl<W: Layout> Carried<W> for CarriesNothing {}

/// The additional FEN fields of rule sets made from definitions: hands, remaining checks, unmoved units among
/// the castling rights, passed squares.
pub trait FenFields<W: Layout> {
    /// Returns the letters of both hands, White's in upper case; `None` if there are no hands.
    fn hand(&self, p: &Position<W>) -> Option<String>;
    /// Sets both hands.
    ///
    /// # Errors
    /// If a letter is not that of a unit, or if a hand has more units than possible.
    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Legality;
    /// Returns the numbers of checks that White and Black still have to give, such as `3+3`, or `None` if
    /// checks are not counted.
    fn checks(&self, p: &Position<W>) -> Option<String>;
    /// Sets the numbers of checks that White and Black still have to give.
    ///
    /// # Errors
    /// If a number is greater than at the start.
    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Legality;
    /// Returns the files of unmoved units, White's in upper case, or `None` if unmoved units do not matter.
    fn gates(&self, p: &Position<W>) -> Option<String>;
    /// Records that a side's unit on a file (from 0) has not moved.
    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8);
    /// Returns the kind with an alternative name: FENs may use a second letter, or a redundant sign of
    /// promotion.
    fn kind_named(&self, name: &str) -> Option<Kind>;
    /// Returns the squares on which an en passant capture may land. If the unit that passed them is not
    /// straight ahead of them, its square is returned as well.
    fn passed(&self, p: &Position<W>) -> Vec<Square>;
    /// Sets the squares that [`passed`](Self::passed) returns, without those that no unit can have passed and
    /// those on which a capture is impossible.
    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]);
    /// Returns those of the squares of an en passant field that no unit can have passed in the last turn.
    fn never_passed(&self, p: &Position<W>, squares: &[Square]) -> Vec<Square>;
    /// Returns whether a pawn of the opponent can have passed this square with a double step, so that a unit
    /// of the side to move could capture the pawn there.
    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool;
    /// Returns whether the en passant state survives being written to a FEN and read back.
    fn is_valid_en_passant(&self, p: &Position<W>) -> bool;
}

/// The facts about a rule set made from a definition that endgame tables need.
pub trait TableRules<W: Layout> {
    /// Checks that endgame tables can store the positions of this rule set.
    ///
    /// # Errors
    /// The reason why endgame tables cannot store them.
    fn check_tables(&self) -> Result<(), UnsupportedByTables>;
    /// Returns the squares on which a double step of a side's pawn can end.
    fn double_stepped(&self, color: Color) -> W::Set;
    /// Returns whether units of these kinds (one bit for each kind, by side) may pass over squares in other
    /// ways than by double steps of pawns, so that endgame tables must distinguish each such passing.
    fn passes_otherwise(&self, kinds: [u64; 2]) -> bool;
    /// Returns the square of the unit that may be captured en passant.
    fn passer(&self, p: &Position<W>) -> Option<Square>;
    /// Returns whether the game has ended for a reason that does not depend on the squares of the units.
    fn is_settled_by_material(&self, p: &Position<W>) -> bool;
}
