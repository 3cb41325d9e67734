//! What a position carries besides its units: the state of its rule set and its clocks, with their form
//! in a FEN and their size in a key.

use crate::{Legality, UnsupportedByTables};
use board::{Color, Kind, Square, Squares};
use position::{BoardOf, Layout, Position};

/// What positions of a rule set carry, and how FENs and keys hold it. The default carries nothing: no
/// state, and clocks without effect.
pub trait Carried<W: Layout> {
    /// Returns the size of the state in bits; 0 without a state.
    fn state_bits(&self) -> u32 {
        0
    }

    /// Returns the bits of state that suffice for all positions reachable from this one.
    fn state_bits_from(&self, _p: &Position<W>) -> u32 {
        self.state_bits()
    }

    /// Returns the state as a FEN shows it: `key=value` for each key that is not at its default, in order.
    fn state_text(&self, _b: &BoardOf<W>, _p: &Position<W>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Reads one key of the state.
    ///
    /// # Errors
    /// If the value is not one that [`state_text`](Self::state_text) writes; the error says which values are.
    fn read_state(
        &self,
        _b: &BoardOf<W>,
        _p: &mut Position<W>,
        _key: &str,
        _value: &str,
    ) -> Legality {
        Ok(())
    }

    /// Returns the state with the sides swapped; `None` for a state that only one side can have.
    fn swapped_state(&self, state: u64) -> Option<u64> {
        Some(state)
    }

    /// Returns the greatest number of units that the board can hold in this position and all that follow.
    fn unit_limit(&self, p: &Position<W>) -> usize {
        p.occupied().len() as usize + p.bound_len()
    }

    /// Returns whether castling rights can arise in the course of a game.
    fn rights_arise(&self) -> bool {
        false
    }

    /// Returns the halfmove clock as a FEN shows it. A rule set in which the clock has an effect keeps it in
    /// the state.
    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove
    }

    /// Sets the halfmove clock.
    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
    }

    /// Returns the fullmove number as a FEN shows it. A rule set in which the number has an effect keeps
    /// what matters in the state, so that a position decoded from its key has it.
    fn number(&self, p: &Position<W>) -> u32 {
        p.fullmove
    }

    /// Sets the fullmove number, from 1.
    fn set_number(&self, p: &mut Position<W>, number: u32) {
        p.fullmove = number;
    }

    /// Returns the further fields of a FEN, if the rule set has them.
    fn fields(&self) -> Option<&dyn FenFields<W>> {
        None
    }
}

/// The default of [`Carried`]: no state, and clocks without effect.
pub(crate) struct CarriesNothing;

impl<W: Layout> Carried<W> for CarriesNothing {}

/// Fields of the FENs of rule sets that are defined by files: hands, remaining checks, unmoved units among
/// the castling rights, passed squares.
pub trait FenFields<W: Layout> {
    /// Returns the letters of both hands, White's in upper case; `None` if there are no hands.
    fn hand(&self, p: &Position<W>) -> Option<String>;
    /// Sets both hands.
    ///
    /// # Errors
    /// If a letter is not a unit's, or if there are more units than there can be.
    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Legality;
    /// Returns how many checks White and Black still have to give, as `3+3`; `None` if checks are not
    /// counted.
    fn checks(&self, p: &Position<W>) -> Option<String>;
    /// Sets how many checks White and Black still have to give.
    ///
    /// # Errors
    /// If a number is greater than at the start.
    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Legality;
    /// Returns the files of unmoved units, White's in upper case; `None` if they do not matter.
    fn gates(&self, p: &Position<W>) -> Option<String>;
    /// Records that a side's unit on a file (from 0) has not moved.
    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8);
    /// Returns the kind with another name. FENs may use a second letter, or a sign of promotion that is not
    /// needed.
    fn kind_named(&self, name: &str) -> Option<Kind>;
    /// Returns the squares on which an en passant capture may land, and the square of the unit that passed
    /// them if it is not straight ahead of them.
    fn passed(&self, p: &Position<W>) -> Vec<Square>;
    /// Sets these squares, those on which no capture is possible left out.
    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]);
    /// Returns whether a pawn of the opponent can have passed this square with a double step, so that a unit
    /// of the side to move could capture it there.
    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool;
    /// Returns whether the en passant state survives being written to a FEN and read back.
    fn is_valid_en_passant(&self, p: &Position<W>) -> bool;
}

/// What endgame tables must know of a rule set that is a definition.
pub trait TableRules<W: Layout> {
    /// Checks that endgame tables can hold the positions of this rule set.
    ///
    /// # Errors
    /// The reason why they cannot.
    fn check_tables(&self) -> Result<(), UnsupportedByTables>;
    /// Returns the squares on which pawns of a side can be that have just made a double step.
    fn double_stepped(&self, color: Color) -> W::Set;
    /// Returns whether units of these kinds (a bit each, for each side) may pass squares in other ways than
    /// by double steps of pawns, so that endgame tables keep each such passing apart.
    fn passes_otherwise(&self, kinds: [u64; 2]) -> bool;
    /// Returns the unit that may be captured in passing.
    fn passer(&self, p: &Position<W>) -> Option<Square>;
    /// Returns whether the game has ended for a reason that holds wherever the units are.
    fn is_settled_by_material(&self, p: &Position<W>) -> bool;
}
