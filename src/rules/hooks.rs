//! The hooks of a rule set: everything that a variant may change.

use super::{Consumer, Flow, Outcome, Placements, Turn, TurnBuffer, fide};
use board::{Board, Color, Geometry, Kind, Men, Square, Squares};
use position::{Layout, Position, Rights};

/// How the mover's own safety is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// One royal unit, the king, which leaps as the men say; checks come from men that move as
    /// the men say. Then pins and lines of check tell exactly which turns are legal.
    Pins,
    /// Royal units of any kind, attacked along the lines that [`Rules::way`] tells. Then these
    /// lines tell which steps are legal; turns that come alone, such as en passant captures, are
    /// played and [`Rules::safe`] asked.
    Lines,
    /// Each pseudo-legal turn is played and [`Rules::safe`] asked.
    Trial,
    /// Nothing is royal: every pseudo-legal turn is legal.
    Free,
}

/// Steps that are known to leave the mover safe: of any of these movers to any of these targets,
/// and units put on any of these targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sure<S> {
    /// Where from.
    pub movers: S,
    /// Where to.
    pub targets: S,
}

impl<S: Squares> Sure<S> {
    /// Every turn has to be tried.
    pub const NONE: Sure<S> = Sure {
        movers: S::EMPTY,
        targets: S::EMPTY,
    };
}

/// Where king and rooks stand for castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    /// The one width of board on which castling exists.
    pub files: u8,
    /// The king's file.
    pub king: u8,
}

impl Castling {
    /// Orthodox castling.
    pub const FIDE: Castling = Castling { files: 8, king: 4 };

    /// The home squares of king and rook for one right.
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
    /// The letters of both hands, White's in upper case; nothing if there are no hands.
    fn hand(&self, p: &Position<W>) -> Option<String>;
    /// Sets both hands.
    ///
    /// # Errors
    /// A letter that is no unit, or more units than there can be.
    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Result<(), String>;
    /// How many checks White and Black still have to give, as `3+3`; nothing if none are counted.
    fn checks(&self, p: &Position<W>) -> Option<String>;
    /// Sets how many checks White and Black still have to give.
    ///
    /// # Errors
    /// More than at the start.
    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Result<(), String>;
    /// The files of unmoved units, White's in upper case; nothing if it does not matter.
    fn gates(&self, p: &Position<W>) -> Option<String>;
    /// Notes that a side's unit on a file, counted from 0, has not moved.
    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8);
    /// The kind that a name means which FENs may use though no unit is called so: a second letter, a
    /// sign of promotion that nobody asks for.
    fn kind_named(&self, name: &str) -> Option<Kind>;
    /// The squares that may be entered in passing, with that of the unit that has passed them where
    /// it does not stand ahead of them.
    fn passed(&self, p: &Position<W>) -> Vec<Square>;
    /// Sets them, as far as something may enter them.
    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]);
}

/// The names of the hooks, for a rule set to declare which of them differ from orthodox chess.
/// A test holds the declaration against behavior.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Hook {
    /// The array at the start.
    Array,
    /// A shape of board other than the flat 8x8.
    Geometry,
    /// How the men move.
    Men,
    /// What promotes, where and to what.
    Promotion,
    /// Castling is missing or has other conditions.
    Castling,
    /// Pawns have no double step.
    DoubleStep,
    /// Pseudo-legal turns, the men's own movement aside.
    Pseudo,
    /// Which units are royal.
    Royal,
    /// Who attacks what, the men's own movement aside.
    Attack,
    /// Which pseudo-legal turns are legal by what they leave: the mover safe, the opponent not
    /// checked as he may not be.
    Safety,
    /// Legal turns are dropped after a look at the whole list.
    Filter,
    /// What a turn does.
    Effect,
    /// The state that a position carries.
    State,
    /// An outcome while there are still turns.
    Settled,
    /// The outcome when there is no legal turn.
    NoTurn,
}

/// Under which changes of orientation a law looks the same: legal turns and outcomes of the changed
/// position are those of the position, changed in the same way. Castling rights are left aside;
/// whether the board's own shape allows a change is not asked here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetries {
    /// Left and right swapped.
    pub files: bool,
    /// Without pawns on the board: the first rank swapped with the last, and so on.
    pub ranks: bool,
    /// Without pawns, on a square board: files swapped with ranks.
    pub diagonals: bool,
    /// The sides swapped together with the ranks, and in the state
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

/// Whether turns, castling and en passant captures aside, are what the men say and no more. A unit
/// goes where its men's leaps and slides lead, capturing what stands there unless it is own or
/// royal. A pawn captures where it attacks, and else goes where it could go if it stood alone on
/// the board, if the square is vacant and, of a double step, the square passed. On its last rank it
/// becomes one of [`Rules::promotions`], if there are any; another unit that ends a step there may
/// stay or become one of [`Rules::CHANGES`] if it is one of them. The king is the one royal unit; a
/// turn is legal if it leaves the mover out of check by [`fide::in_check`]. There is no state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// Not so.
    No,
    /// So, and nothing is settled while there are turns.
    Lasting,
    /// So, and what is settled depends on the placement of the units and the side to move.
    Settling,
}

/// A rule set: orthodox chess but for what it overrides. Values are small; everything that can be
/// looked up about the board is in [`Board`].
///
/// Laws for implementors: hooks are functions of their arguments alone; the order in which turns
/// are generated is the same at every call; no two turns of a position have the same notation.
pub trait Rules<W: Layout>: Send + Sync + Sized + 'static {
    /// Raised by one whenever this rule set's law is corrected: values that were stored before are
    /// then found again.
    const LAW: u32 = 1;

    /// How own safety is judged.
    const SAFETY: Safety = Safety::Pins;

    /// Whether [`choose`](Self::choose) does anything.
    const CHOOSES: bool = false;

    /// How long lines are that [`lines`](Self::lines) counts without playing every turn; 0 if it is
    /// never asked.
    const AT_ONCE: u32 = 0;

    /// Whether an orthodox king has orthodox flights: in a position that is not settled, a step of
    /// the king onto a neighboring square that no enemy unit attacks once he has left his own, and
    /// that holds no own unit, is always legal; a turn of one step changes nothing else on the
    /// board; and turns are generated as [`fide::legal`] does. A search for mates may then count
    /// flights.
    const FLIGHTS: bool = false;

    /// What a unit of one of these kinds may become, instead of staying what it is, when it ends
    /// a step on its owner's last rank.
    const CHANGES: &'static [Kind] = &[];

    /// What the law promises to those who play turns backward, or without looking at each.
    const PLAIN: Plain = Plain::No;

    /// The men: letters and movements.
    fn men(&self) -> &'static Men {
        &Men::FIDE
    }

    /// Whether the last file touches the first.
    fn wraps(&self) -> bool {
        false
    }

    /// Sets of squares that mean something to this rule set, looked up with [`Board::zone`].
    fn zones(&self, _b: &Board<W::Set>) -> [W::Set; 4] {
        [W::Set::EMPTY; 4]
    }

    /// Where castling starts from, if the variant has it.
    fn castling(&self) -> Option<Castling> {
        Some(Castling::FIDE)
    }

    /// The home squares of king and rook for a castling right, where there is castling.
    fn homes(&self, b: &Board<W::Set>, color: Color, higher: bool) -> Option<(Square, Square)> {
        self.castling()
            .filter(|castling| castling.files == b.geometry().files())
            .map(|castling| castling.homes(b.geometry(), color, higher))
    }

    /// Whether king and rook stand on their homes for a castling right.
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

    /// Whether castling rights can come about in the course of a game.
    fn rights_arise(&self) -> bool {
        false
    }

    /// Whether tables of endings can hold this law's positions with such units; `stands` says which
    /// kinds a side has.
    ///
    /// # Errors
    /// What keeps them from it.
    fn tables_fit(
        &self,
        _b: &Board<W::Set>,
        _stands: &dyn Fn(Color, Kind) -> bool,
    ) -> Result<(), String> {
        Ok(())
    }

    /// What positions carry besides their units, where FENs have places of their own for it.
    fn carried(&self) -> Option<&dyn Carried<W>> {
        None
    }

    /// Whether pawns on their owner's second rank may go two squares (on six or more ranks).
    fn double_step(&self) -> bool {
        true
    }

    /// What a pawn of the side to move becomes on its last rank; nothing if it stays a pawn.
    fn promotions(&self, _b: &Board<W::Set>, _p: &Position<W>) -> &'static [Kind] {
        &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
    }

    /// The units of a side that may not be left attacked, and can never be captured: the king;
    /// with [`Safety::Free`] none.
    fn royals(&self, _b: &Board<W::Set>, p: &Position<W>, color: Color) -> W::Set {
        match Self::SAFETY {
            Safety::Free => W::Set::EMPTY,
            _ => p.units(color, Kind::King),
        }
    }

    /// The units of `by` that attack a square, with these squares occupied.
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

    /// The squares that an attacker's path to its target passes: a unit on any of them shields the
    /// target.
    #[inline(always)]
    fn way(&self, b: &Board<W::Set>, _p: &Position<W>, attacker: Square, target: Square) -> W::Set {
        b.between(attacker, target)
    }

    /// With [`Safety::Lines`], the royal units of the side to move that no other unit's step may
    /// leave attacked: by default all.
    fn guarded(&self, b: &Board<W::Set>, p: &Position<W>) -> W::Set {
        self.royals(b, p, p.side)
    }

    /// With [`Safety::Lines`], where a royal unit of this kind may step, attacks aside: by default
    /// everywhere.
    fn open_to(&self, b: &Board<W::Set>, _p: &Position<W>, _kind: Kind) -> W::Set {
        b.squares()
    }

    /// Enemy units that give check to `color` by where they stand and must be captured at once.
    fn intruders(&self, _b: &Board<W::Set>, _p: &Position<W>, _color: Color) -> W::Set {
        W::Set::EMPTY
    }

    /// The enemy units that a unit of this kind may capture if it can go there.
    fn capturable(&self, b: &Board<W::Set>, p: &Position<W>, _by: Kind) -> W::Set {
        p.color(!p.side) & !self.royals(b, p, !p.side)
    }

    /// Where a unit other than a pawn can go or capture, own units and law of safety aside.
    #[inline(always)]
    fn reach(&self, b: &Board<W::Set>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        fide::reach(self.men(), b, kind, from, p.occupied())
    }

    /// Steps of these pawns of the side to move onto squares of `allowed`, en passant aside.
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

    /// The pseudo-legal turns.
    fn pseudo<K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        fide::pseudo(self, b, p, consumer)
    }

    /// Whether the turn leaves the mover as the law wants him. `after` is the position after the
    /// turn, the opponent to move.
    fn safe(
        &self,
        b: &Board<W::Set>,
        before: &Position<W>,
        _turn: &Turn,
        after: &Position<W>,
    ) -> bool {
        fide::safe(self, b, after, before.side)
    }

    /// Steps that need not be tried, because [`safe`](Self::safe) would be true of them.
    fn sure(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Sure<W::Set> {
        Sure::NONE
    }

    /// The legal turns of a position whose outcome is not settled, [`choose`](Self::choose)
    /// aside.
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

    /// How many lines of [`AT_ONCE`](Self::AT_ONCE) turns a position has that is not settled: for
    /// rule sets that count turns more quickly in many positions side by side.
    fn lines(&self, _b: &Board<W::Set>, _p: &Position<W>) -> u64 {
        unreachable!("never asked")
    }

    /// Makes of `after`, which comes in as a copy of `p`, the position after a turn. (In place,
    /// because a position that is handed on as a value is copied once more.)
    fn effect(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        fide::effect(self, b, p, turn, after);
    }

    /// What a turn leaves in the state; called by [`fide::effect`] when everything else is done
    /// and the opponent is to move.
    fn note(
        &self,
        _b: &Board<W::Set>,
        _before: &Position<W>,
        _turn: &Turn,
        _after: &mut Position<W>,
    ) {
    }

    /// An outcome that does not depend on whether there are legal turns.
    fn settled(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Option<Outcome> {
        None
    }

    /// The outcome of a position without legal turns that is not settled.
    fn no_turn(&self, b: &Board<W::Set>, p: &Position<W>) -> Outcome {
        fide::no_turn(self, b, p)
    }

    /// Bits of the state, zero if the variant has none.
    fn state_bits(&self, _b: &Board<W::Set>) -> u32 {
        0
    }

    /// Bits of the state that suffice for all positions reachable from this one.
    fn state_bits_from(&self, b: &Board<W::Set>, _p: &Position<W>) -> u32 {
        self.state_bits(b)
    }

    /// The state as FEN shows it: `key=value` for each key that is not at its default, in order.
    fn state_text(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Reads one key of the state. The error says what would be right.
    fn read_state(
        &self,
        _b: &Board<W::Set>,
        _p: &mut Position<W>,
        _key: &str,
        _value: &str,
    ) -> Result<(), String> {
        Ok(())
    }

    /// The number of the move as FEN shows it. A rule set in which it has an effect keeps what
    /// matters of it in the state, so that a position found by its key has it too.
    fn number(&self, p: &Position<W>) -> u32 {
        p.fullmove
    }

    /// Sets the number of the move, from 1, to what a FEN says.
    fn set_number(&self, p: &mut Position<W>, number: u32) {
        p.fullmove = number;
    }

    /// How many units of a royal or counted kind a side has to have in a FEN, as (kind, least,
    /// most): one king; with [`Safety::Free`] at most one.
    fn census(&self) -> &'static [(Kind, u32, u32)] {
        match Self::SAFETY {
            Safety::Free => &[(Kind::King, 0, 1)],
            _ => &[(Kind::King, 1, 1)],
        }
    }

    /// The clock of half-moves as FEN shows it. A rule set in which it has an effect keeps what
    /// matters of it in the state.
    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove
    }

    /// Sets the clock to what a FEN says.
    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
    }

    /// Where pawns of a side may not stand in a FEN.
    fn no_pawns(&self, b: &Board<W::Set>, color: Color) -> W::Set {
        b.rank_of(color, 0) | b.last_rank(color)
    }

    /// Whether the side that has just moved stands as the law allows: by default no royal unit
    /// attacked and no intruder left.
    fn mover_stands(&self, b: &Board<W::Set>, p: &Position<W>) -> Result<(), String> {
        fide::mover_stands(self, b, p)
    }

    /// Whatever else a FEN must satisfy. Called last.
    fn check(&self, _b: &Board<W::Set>, _p: &Position<W>) -> Result<(), String> {
        Ok(())
    }

    /// Whether, after this position, the square that a double step passed may be taken.
    fn en_passant(&self, _p: &Position<W>) -> bool {
        self.double_step()
    }

    /// The most units that can stand on the board from this position on.
    fn unit_limit(&self, p: &Position<W>) -> usize {
        p.occupied().len() as usize + p.bound_len()
    }

    /// Placements that the notation of a turn shows after its steps (Chromopolis's choices).
    fn shown_placements(&self, _b: &Board<W::Set>, _p: &Position<W>, _turn: &Turn) -> Placements {
        Placements::new()
    }

    /// Why a pseudo-legal turn is illegal, in plain words.
    fn refusal(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> String {
        fide::refusal(self, b, p, turn)
    }

    /// Under which changes of orientation the law looks the same on this board, castling aside.
    fn symmetries(&self, _b: &Board<W::Set>) -> Symmetries {
        Symmetries {
            files: true,
            ranks: false,
            diagonals: false,
            colors: false,
        }
    }

    /// The state with the sides swapped, where they can be ([`Symmetries::colors`]); nothing for a
    /// state that only one side can have.
    fn swapped_state(&self, _b: &Board<W::Set>, state: u64) -> Option<u64> {
        Some(state)
    }
}
