//! The hooks of a rule set: everything that a variant may change.

use super::{Consumer, Flow, Outcome, Placements, Turn, TurnBuffer, fide};
use board::{Board, Color, Geometry, Kind, Men, Square, Squares};
use position::{Layout, Position, Rights};

/// How the mover's own safety is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// The king is the one royal unit. It and the units that give check move as [`Men`] says. Pins and
    /// lines of check then tell exactly which turns are legal.
    Pins,
    /// Royal units of any kind, attacked along the lines that [`Rules::way`] gives. These lines then
    /// tell which steps are legal. Turns that come alone, such as en passant captures, are played and
    /// judged by [`Rules::safe`].
    Lines,
    /// Each pseudo-legal turn is played and judged by [`Rules::safe`].
    Trial,
    /// Nothing is royal: every pseudo-legal turn is legal.
    NoRoyals,
}

/// Steps that are known to leave the mover safe: from any of these movers to any of these targets, and
/// placements on any of these targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownSafe<S> {
    /// The squares of the units that move.
    pub movers: S,
    /// The squares that they go to.
    pub targets: S,
}

impl<S: Squares> KnownSafe<S> {
    /// Every turn has to be tried.
    pub const NONE: KnownSafe<S> = KnownSafe {
        movers: S::EMPTY,
        targets: S::EMPTY,
    };
}

/// Where king and rooks stand for castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    /// The number of files that a board with castling has.
    pub files: u8,
    /// The king's file.
    pub king: u8,
}

impl Castling {
    /// Orthodox castling.
    pub const FIDE: Castling = Castling { files: 8, king: 4 };

    /// Returns the home squares of king and rook for one right.
    #[inline]
    pub fn homes(self, geometry: Geometry, color: Color, higher: bool) -> (Square, Square) {
        let rank = geometry.rank_of(color, 0);
        let rook = if higher { self.files - 1 } else { 0 };
        (
            geometry.square(self.king, rank),
            geometry.square(rook, rank),
        )
    }

    /// For each square, the rights that end when a unit leaves it or is captured there.
    pub fn marks(self, geometry: Geometry) -> Vec<u8> {
        let mut marks = vec![0; geometry.len()];
        if geometry.files() == self.files {
            for color in Color::BOTH {
                for higher in [false, true] {
                    let (king, rook) = self.homes(geometry, color, higher);
                    marks[king.index()] |= Rights::bit(color, higher).0;
                    marks[rook.index()] |= Rights::bit(color, higher).0;
                }
            }
        }
        marks
    }
}

/// What positions of rule sets made of data carry besides their units, as their FENs write it: hands
/// behind the board, checks left, unmoved units among the castling rights, squares passed.
pub trait Carried<W: Layout> {
    /// Returns the letters of both hands, White's in upper case; `None` if there are no hands.
    fn hand(&self, p: &Position<W>) -> Option<String>;
    /// Sets both hands.
    ///
    /// # Errors
    /// A letter stands for no unit, or there are more units than there can be.
    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Result<(), String>;
    /// Returns how many checks White and Black still have to give, as `3+3`; `None` if checks are not
    /// counted.
    fn checks(&self, p: &Position<W>) -> Option<String>;
    /// Sets how many checks White and Black still have to give.
    ///
    /// # Errors
    /// A number is greater than at the start.
    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Result<(), String>;
    /// Returns the files of unmoved units, White's in upper case; `None` if they do not matter.
    fn gates(&self, p: &Position<W>) -> Option<String>;
    /// Records that a side's unit on a file (from 0) has not moved.
    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8);
    /// Returns the kind that another name stands for. FENs may use a second letter, or a sign of promotion
    /// that is not needed.
    fn kind_named(&self, name: &str) -> Option<Kind>;
    /// Returns the squares on which an en passant capture may land, and the square of the unit that passed
    /// them if it does not stand straight ahead of them.
    fn passed(&self, p: &Position<W>) -> Vec<Square>;
    /// Sets these squares, those on which no capture is possible left out.
    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]);
    /// Returns the squares on which pawns of a side can stand that have just made a double step.
    fn double_stepped(&self, color: Color) -> W::Set;
    /// Returns whether a pawn of the opponent can have passed this square with a double step, so that a unit
    /// of the side to move could take it there.
    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool;
    /// Whether units of these kinds (by side, a bit each) may come to pass squares in other ways than by
    /// double steps of pawns, so that endgame tables keep each such passing apart.
    fn passes_otherwise(&self, kinds: [u64; 2]) -> bool;
    /// Returns the unit that may be taken in passing.
    fn passer(&self, p: &Position<W>) -> Option<Square>;
    /// Returns whether a FEN may say what this position says of squares passed.
    fn is_valid_en_passant(&self, p: &Position<W>) -> bool;
}

/// The names of the hooks. A rule set declares which of them differ from orthodox chess, and a test
/// compares the declaration with its behavior.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Hook {
    /// The array at the start.
    Array,
    /// A shape of board other than the flat 8x8.
    Geometry,
    /// How the men move.
    Men,
    /// Which units promote, where, and to what.
    Promotion,
    /// Castling does not exist or has other conditions.
    Castling,
    /// Pawns have no double step.
    DoubleStep,
    /// Pseudo-legal turns, apart from the movement of the men.
    Pseudo,
    /// Which units are royal.
    Royal,
    /// Which units attack which squares, apart from the movement of the men.
    Attack,
    /// Which pseudo-legal turns are legal by the position they lead to: whether the mover is safe, and
    /// whether the opponent is in a check that may not be given.
    Safety,
    /// Legal turns are dropped after a look at the whole list.
    Filter,
    /// What a turn changes.
    Effect,
    /// The state that a position carries.
    State,
    /// An outcome while there are still turns.
    Settled,
    /// The outcome when there is no legal turn.
    NoTurn,
}

/// The changes of orientation under which a law stays the same: the legal turns and outcomes of the
/// changed position are those of the original, changed in the same way. Castling rights are ignored,
/// and so is the question whether the shape of the board allows the change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetries {
    /// Left and right are swapped.
    pub files: bool,
    /// Without pawns on the board: the first rank is swapped with the last, and so on.
    pub ranks: bool,
    /// Without pawns, on a square board: files are swapped with ranks.
    pub diagonals: bool,
    /// The sides are swapped together with the ranks, and in the state
    /// ([`Rules::swapped_state`]).
    pub colors: bool,
}

impl Symmetries {
    /// All of them.
    pub const ALL: Symmetries = Symmetries {
        files: true,
        ranks: true,
        diagonals: true,
        colors: true,
    };
}

/// Whether turns, apart from castling and en passant captures, follow from the men alone. A unit goes
/// where its leaps and slides lead and captures what stands there, unless that is its own or royal. A
/// pawn captures where it attacks. Otherwise it goes where it could go on an empty board, provided that
/// the square is vacant, and for a double step also the square it passes. On its last rank it becomes
/// one of [`Rules::promotions`], if there are any. Another unit that ends a step there, and is one of
/// [`Rules::CHANGES`], may stay what it is or become another of them. The king is the one royal unit. A
/// turn is legal if [`fide::in_check`] says that the mover is then not in check. There is no state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// No.
    No,
    /// Yes, and no game is settled while there are turns.
    Lasting,
    /// Yes, and what is settled depends only on the placement of the units and the side to move.
    Settling,
}

/// The constants of a rule set, as values.
#[derive(Clone, Copy, Debug)]
pub struct Constants {
    /// [`Rules::LAW`].
    pub law: u32,
    /// [`Rules::SAFETY`].
    pub safety: Safety,
    /// [`Rules::CHOOSES`].
    pub chooses: bool,
    /// [`Rules::AT_ONCE`].
    pub at_once: u32,
    /// [`Rules::FLIGHTS`].
    pub flights: bool,
    /// [`Rules::CHANGES`].
    pub changes: &'static [Kind],
    /// [`Rules::SETTLED_BY_MATERIAL`].
    pub settled_by_material: bool,
    /// [`Rules::BINDS`].
    pub binds: bool,
    /// [`Rules::PLAIN`].
    pub plain: Plain,
}

impl Constants {
    /// Those of a rule set.
    pub const fn of<W: Layout, R: Rules<W>>() -> Constants {
        Constants {
            law: R::LAW,
            safety: R::SAFETY,
            chooses: R::CHOOSES,
            at_once: R::AT_ONCE,
            flights: R::FLIGHTS,
            changes: R::CHANGES,
            settled_by_material: R::SETTLED_BY_MATERIAL,
            binds: R::BINDS,
            plain: R::PLAIN,
        }
    }

    /// Returns whether lines and pins alone tell which turns are legal.
    pub const fn legality_by_pins(&self) -> bool {
        matches!(self.safety, Safety::Pins) && !self.chooses
    }

    /// Returns whether searches for mates may count a king's flights.
    pub const fn orthodox_flights(&self) -> bool {
        self.flights && self.legality_by_pins()
    }

    /// Returns whether anything is [promised](Rules::PLAIN).
    pub const fn is_plain(&self) -> bool {
        !matches!(self.plain, Plain::No)
    }
}

/// A rule set: orthodox chess except for what it overrides. Values of this type are small; tables about
/// the board are in [`Board`].
///
/// Requirements for implementors: a hook depends on its arguments alone, turns are generated in the
/// same order at every call, and no two turns of a position have the same notation.
// A new hook is also listed in `dyn_rules.rs`.
pub trait Rules<W: Layout>: Send + Sync + Sized {
    /// Whether [`constants`](Self::constants) has to be asked: the constants here are not those that hold.
    const DEFERRED: bool = false;

    /// Whether this rule set shares one compiled generator with all others on [lean](Layout::LEAN)
    /// layouts. Otherwise it has one of its own there too: faster, and longer to build.
    const SHARES: bool = true;

    /// Raised by one whenever this rule set's law is corrected, so that values stored before the
    /// correction are computed again.
    const LAW: u32 = 1;

    /// How the mover's own safety is judged.
    const SAFETY: Safety = Safety::Pins;

    /// Whether [`choose`](Self::choose) does anything.
    const CHOOSES: bool = false;

    /// The length of the lines that [`lines`](Self::lines) counts without playing every turn; 0 if it is
    /// never called.
    const AT_ONCE: u32 = 0;

    /// Whether an orthodox king has orthodox flights, so that a search for mates may count them. This
    /// holds for positions that are not settled and means: the king may always step to a neighboring
    /// square that holds no unit of its own side and is not attacked once the king has left its square;
    /// a turn of one step changes nothing else on the board; and turns are generated as by
    /// [`fide::legal`].
    const FLIGHTS: bool = false;

    /// A unit of one of these kinds that ends a step on its owner's last rank may become another of
    /// them instead of staying what it is.
    const CHANGES: &'static [Kind] = &[];

    /// Whether [`settled`](Self::settled) looks at nothing but how many units of each kind and color
    /// there are: where they stand, the state and everything else do not matter.
    const SETTLED_BY_MATERIAL: bool = false;

    /// Whether units can lie bound under others.
    const BINDS: bool = false;

    /// What the law promises to code that takes turns back, or plays them without looking at each.
    const PLAIN: Plain = Plain::No;

    /// Returns the constants above as values, or with [`DEFERRED`](Self::DEFERRED) those that hold instead.
    #[inline(always)]
    fn constants(&self) -> &'static Constants {
        const { &Constants::of::<W, Self>() }
    }

    /// Returns the men: letters and movements.
    fn men(&self) -> &Men {
        &Men::FIDE
    }

    /// Returns whether the last file touches the first.
    fn wraps(&self) -> bool {
        false
    }

    /// Sets of squares that this rule set needs; it looks them up with [`Board::zone`].
    fn zones(&self, _b: &Board<W::Set>) -> [W::Set; 4] {
        [W::Set::EMPTY; 4]
    }

    /// Returns where castling starts from, if the variant has it.
    fn castling(&self) -> Option<Castling> {
        Some(Castling::FIDE)
    }

    /// Returns the home squares of king and rook for a castling right, where there is castling.
    fn homes(&self, b: &Board<W::Set>, color: Color, higher: bool) -> Option<(Square, Square)> {
        self.castling()
            .filter(|castling| castling.files == b.geometry().files())
            .map(|castling| castling.homes(b.geometry(), color, higher))
    }

    /// Returns whether king and rook stand on their homes for a castling right.
    fn stands_for_castling(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        color: Color,
        higher: bool,
    ) -> bool {
        self.homes(b, color, higher).is_some_and(|(king, rook)| {
            p.units(color, Kind::King).has(king) && p.units(color, Kind::Rook).has(rook)
        })
    }

    /// Returns whether castling rights can come about in the course of a game.
    fn rights_arise(&self) -> bool {
        false
    }

    /// Returns whether endgame tables can hold this law's positions with such units; `stands` says whether a
    /// side has units of a kind.
    ///
    /// # Errors
    /// The reason why they cannot.
    fn check_tables(
        &self,
        _b: &Board<W::Set>,
        _has_units: &dyn Fn(Color, Kind) -> bool,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Returns what positions carry besides their units, if FENs have fields of their own for it.
    fn carried(&self) -> Option<&dyn Carried<W>> {
        None
    }

    /// Returns whether pawns on their owner's second rank may go two squares (on six or more ranks).
    fn double_step(&self) -> bool {
        true
    }

    /// Returns the kinds that a pawn of the side to move may become on its last rank; none if it stays a
    /// pawn.
    fn promotions(&self, _b: &Board<W::Set>, _p: &Position<W>) -> &[Kind] {
        &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
    }

    /// Returns the units of a side that may not be left attacked and can never be captured: by default the
    /// king, and none with [`Safety::NoRoyals`].
    fn royals(&self, _b: &Board<W::Set>, p: &Position<W>, color: Color) -> W::Set {
        match Self::SAFETY {
            Safety::NoRoyals => W::Set::EMPTY,
            _ => p.units(color, Kind::King),
        }
    }

    /// Returns the units of `by` that attack a square, with these squares occupied.
    fn attackers(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        target: Square,
        by: Color,
        occupied: W::Set,
    ) -> W::Set {
        fide::attackers(self.men(), b, p, target, by, occupied)
    }

    /// Returns the squares between an attacker and its target on the way that it attacks: a unit on any of
    /// them shields the target.
    #[inline(always)]
    fn way(&self, b: &Board<W::Set>, _p: &Position<W>, attacker: Square, target: Square) -> W::Set {
        b.between(attacker, target)
    }

    /// With [`Safety::Lines`], the royal units of the side to move that may not be attacked after a step
    /// of another unit: by default all.
    fn guarded(&self, b: &Board<W::Set>, p: &Position<W>) -> W::Set {
        self.royals(b, p, p.side)
    }

    /// With [`Safety::Lines`], the squares that a royal unit of this kind may enter, regardless of
    /// attacks: by default all.
    fn open_to(&self, b: &Board<W::Set>, _p: &Position<W>, _kind: Kind) -> W::Set {
        b.squares()
    }

    /// Enemy units that give check to `color` by where they stand and must be captured at once.
    fn intruders(&self, _b: &Board<W::Set>, _p: &Position<W>, _color: Color) -> W::Set {
        W::Set::EMPTY
    }

    /// Returns the enemy units that a unit of this kind may capture if it can go there.
    fn capturable(&self, b: &Board<W::Set>, p: &Position<W>, _by: Kind) -> W::Set {
        p.color(!p.side) & !self.royals(b, p, !p.side)
    }

    /// Returns where a unit that is no pawn can go or capture, regardless of its own side's units and of
    /// safety.
    #[inline(always)]
    fn reach(&self, b: &Board<W::Set>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        fide::reach(self.men(), b, kind, from, p.occupied())
    }

    /// Returns the steps of these pawns of the side to move to squares of `allowed`, without en passant.
    fn pawn_steps<K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        pawns: W::Set,
        allowed: W::Set,
        consumer: &mut K,
    ) -> Flow {
        fide::pawn_steps(self, b, p, pawns, allowed, consumer)
    }

    /// Returns the pseudo-legal turns.
    fn pseudo<K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        fide::pseudo(self, b, p, consumer)
    }

    /// Returns whether the turn leaves the mover safe as the law requires. `after` is the position after the
    /// turn, with the opponent to move.
    fn safe(
        &self,
        b: &Board<W::Set>,
        before: &Position<W>,
        _turn: &Turn,
        after: &Position<W>,
    ) -> bool {
        fide::safe(self, b, after, before.side)
    }

    /// Steps that need not be tried because [`safe`](Self::safe) would accept them.
    fn sure(&self, _b: &Board<W::Set>, _p: &Position<W>) -> KnownSafe<W::Set> {
        KnownSafe::NONE
    }

    /// Returns the legal turns of a position that is not settled, before [`choose`](Self::choose).
    fn legal<K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        fide::legal(self, b, p, consumer)
    }

    /// Drops turns after a look at all of them.
    fn choose(&self, _b: &Board<W::Set>, _p: &Position<W>, _turns: &mut TurnBuffer<W::Set>) {}

    /// Returns how many lines of [`AT_ONCE`](Self::AT_ONCE) turns a position has that is not settled. For
    /// rule sets that count turns faster in many positions side by side.
    fn lines(&self, _b: &Board<W::Set>, _p: &Position<W>) -> u64 {
        unreachable!("never asked")
    }

    /// Turns `after`, which is a copy of `p` at first, into the position after a turn. (It is changed in
    /// place because returning a position would copy it once more.)
    fn effect(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        fide::effect(self, b, p, turn, after);
    }

    /// Records in the state what a turn has done. [`fide::effect`] calls it last, when the opponent is
    /// to move.
    fn note(
        &self,
        _b: &Board<W::Set>,
        _before: &Position<W>,
        _turn: &Turn,
        _after: &mut Position<W>,
    ) {
    }

    /// Returns an outcome that does not depend on whether there are legal turns.
    fn settled(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Option<Outcome> {
        None
    }

    /// Returns the outcome of a position without legal turns that is not settled.
    fn no_turn(&self, b: &Board<W::Set>, p: &Position<W>) -> Outcome {
        fide::no_turn(self, b, p)
    }

    /// Returns how many bits the state takes; 0 if the variant has none.
    fn state_bits(&self, _b: &Board<W::Set>) -> u32 {
        0
    }

    /// Returns how many bits of state all positions reachable from this one need.
    fn state_bits_from(&self, b: &Board<W::Set>, _p: &Position<W>) -> u32 {
        self.state_bits(b)
    }

    /// Returns the state as FEN shows it: `key=value` for each key that is not at its default, in order.
    fn state_text(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Reads one key of the state. The error says which values are allowed.
    fn read_state(
        &self,
        _b: &Board<W::Set>,
        _p: &mut Position<W>,
        _key: &str,
        _value: &str,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Returns the number of the move as a FEN shows it. A rule set in which it has an effect keeps what
    /// matters in the state, so that a position found by its key has it too.
    fn number(&self, p: &Position<W>) -> u32 {
        p.fullmove
    }

    /// Sets the number of the move, from 1, to what a FEN says.
    fn set_number(&self, p: &mut Position<W>, number: u32) {
        p.fullmove = number;
    }

    /// Returns how many units of a kind a side must have in a FEN, as (kind, least, most): by default one
    /// king, and at most one with [`Safety::NoRoyals`].
    fn unit_bounds(&self) -> &[(Kind, u32, u32)] {
        match Self::SAFETY {
            Safety::NoRoyals => &[(Kind::King, 0, 1)],
            _ => &[(Kind::King, 1, 1)],
        }
    }

    /// Returns the clock of half-moves as a FEN shows it. A rule set in which it has an effect keeps what
    /// matters in the state.
    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove
    }

    /// Sets the clock to what a FEN says.
    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
    }

    /// Returns where pawns of a side may not stand in a FEN.
    fn no_pawns(&self, b: &Board<W::Set>, color: Color) -> W::Set {
        b.rank_of(color, 0) | b.last_rank(color)
    }

    /// Returns whether the side that has just moved stands as the law allows: by default, no royal unit is
    /// attacked and no intruder is left.
    fn check_no_opposite_check(&self, b: &Board<W::Set>, p: &Position<W>) -> Result<(), String> {
        fide::check_no_opposite_check(self, b, p)
    }

    /// Checks everything else that a FEN must satisfy. Called last.
    fn check(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Result<(), String> {
        Ok(())
    }

    /// Returns whether en passant captures are possible after a double step from this position.
    fn en_passant(&self, _p: &Position<W>) -> bool {
        self.double_step()
    }

    /// Returns the most units that can stand on the board from this position on.
    fn unit_limit(&self, p: &Position<W>) -> usize {
        p.occupied().len() as usize + p.bound_len()
    }

    /// Returns the placements that the notation of a turn shows after its steps (the choices of Chromopolis).
    fn shown_placements(&self, _b: &Board<W::Set>, _p: &Position<W>, _turn: &Turn) -> Placements {
        Placements::new()
    }

    /// Why a pseudo-legal turn is illegal, in plain words.
    fn refusal(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> String {
        fide::refusal(self, b, p, turn)
    }

    /// Returns the changes of orientation under which the law stays the same on this board, castling aside.
    fn symmetries(&self, _b: &Board<W::Set>) -> Symmetries {
        Symmetries {
            files: true,
            ranks: false,
            diagonals: false,
            colors: false,
        }
    }

    /// Returns the state with the sides swapped, for laws that allow it ([`Symmetries::colors`]); `None` for
    /// a state that only one side can have.
    fn swapped_state(&self, _b: &Board<W::Set>, state: u64) -> Option<u64> {
        Some(state)
    }
}
