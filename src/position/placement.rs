//! The position: the units on the squares, the side to move, and all other data that a turn can change.

use super::{BoundUnit, BoundUnits, KindSets, Layout, MoreState, STATE_WORDS, StateWords};
use board::{Color, Kind, Square, Squares};
use std::hash::{Hash, Hasher};

/// Castling rights, one bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rights(pub u8);

impl Rights {
    /// Returns the right of a side to castle with its rook on the higher (`true`) or lower file.
    #[inline]
    pub fn bit(color: Color, higher: bool) -> Rights {
        Rights(1 << (color.index() * 2 + usize::from(!higher)))
    }

    /// Returns whether the rights contain a right.
    #[inline]
    pub fn has(self, other: Rights) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the rights without these.
    #[inline]
    pub fn without(self, other: Rights) -> Rights {
        Rights(self.0 & !other.0)
    }
}

const NO_SQUARE: u8 = u8::MAX;

/// Units on squares, the side to move, castling rights, the en passant square, the variant state, the bound
/// units and two clocks. Equality and hashing ignore the clocks and include all other fields. (A variant in
/// which a clock matters stores it in its state.)
#[derive(Clone, Copy, Debug)]
pub struct Position<W: Layout> {
    kinds: W::Kinds,
    colors: [W::Set; 2],
    /// The first word of the variant state; zero is the default. The rule set defines its meaning.
    pub state: u64,
    more_state: W::MoreState,
    /// The bound units.
    pub bound: W::Bound,
    /// The number of turns since a pawn step or capture.
    pub halfmove: u32,
    /// The fullmove number, from 1.
    pub fullmove: u32,
    /// The side to move.
    pub side: Color,
    /// Castling rights.
    pub rights: Rights,
    en_passant: u8,
}

impl<W: Layout> Position<W> {
    /// Returns the position without units, with White to move and the clocks `0 1`.
    pub fn empty() -> Position<W> {
        Position {
            kinds: <W::Kinds as KindSets<W::Set>>::EMPTY,
            colors: [W::Set::EMPTY; 2],
            state: 0,
            more_state: W::MoreState::default(),
            bound: W::Bound::default(),
            halfmove: 0,
            fullmove: 1,
            side: Color::White,
            rights: Rights(0),
            en_passant: NO_SQUARE,
        }
    }

    /// Returns all units of a side.
    #[inline(always)]
    pub fn color(&self, color: Color) -> W::Set {
        self.colors[color.index()]
    }

    /// Returns all units of a kind.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> W::Set {
        self.kinds.of(kind)
    }

    /// Returns a side's units of a kind.
    #[inline(always)]
    pub fn units(&self, color: Color, kind: Kind) -> W::Set {
        self.kinds.of(kind) & self.colors[color.index()]
    }

    /// Returns all units.
    #[inline(always)]
    pub fn occupied(&self) -> W::Set {
        self.colors[0] | self.colors[1]
    }

    /// Returns the en passant square: the square that a pawn has just passed with a double step, if an enemy
    /// pawn attacks that square.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        (self.en_passant != NO_SQUARE).then_some(Square(self.en_passant))
    }

    /// Returns whether a side has a castling right.
    #[inline(always)]
    pub fn may_castle(&self, color: Color) -> bool {
        self.rights.0 >> (color.index() * 2) & 3 != 0
    }

    /// Sets or clears the en passant square.
    #[inline(always)]
    pub fn set_en_passant(&mut self, square: Option<Square>) {
        self.en_passant = square.map_or(NO_SQUARE, |s| s.0);
    }

    /// Returns the kind of the unit on a square, which must be occupied.
    #[inline(always)]
    pub fn kind_on(&self, square: Square) -> Kind {
        self.kinds.on(square)
    }

    /// Returns the unit on a square.
    #[inline]
    pub fn unit(&self, square: Square) -> Option<(Color, Kind)> {
        if self.colors[0].has(square) {
            Some((Color::White, self.kind_on(square)))
        } else if self.colors[1].has(square) {
            Some((Color::Black, self.kind_on(square)))
        } else {
            None
        }
    }

    /// Places a unit on a square, which must be vacant.
    #[inline(always)]
    pub fn put(&mut self, color: Color, kind: Kind, square: Square) {
        let bit = W::Set::of(square);
        self.kinds.put(kind, bit);
        self.colors[color.index()] |= bit;
    }

    /// Places units on these squares, which must be vacant.
    #[inline(always)]
    pub fn fill(&mut self, color: Color, kind: Kind, squares: W::Set) {
        self.kinds.put(kind, squares);
        self.colors[color.index()] |= squares;
    }

    /// Removes a unit from its square. Color and kind must be those of the unit.
    #[inline(always)]
    pub fn take(&mut self, color: Color, kind: Kind, square: Square) {
        let bit = W::Set::of(square);
        self.kinds.take(kind, bit);
        self.colors[color.index()] &= !bit;
    }

    /// Removes the unit on a square, if there is one.
    #[inline(always)]
    pub fn clear(&mut self, square: Square) {
        self.clear_all(W::Set::of(square));
    }

    /// Removes all units on these squares.
    #[inline(always)]
    pub fn clear_all(&mut self, squares: W::Set) {
        self.kinds.clear(squares);
        self.colors[0] &= !squares;
        self.colors[1] &= !squares;
    }

    /// Moves a unit from one square to a vacant square. Color and kind must be those of the unit.
    #[inline(always)]
    pub fn shift(&mut self, color: Color, kind: Kind, from: Square, to: Square) {
        let bits = W::Set::of(from) ^ W::Set::of(to);
        self.kinds.shift(kind, bits);
        self.colors[color.index()] ^= bits;
    }

    /// Returns word `n` of the variant state, with `n` below the number of words of the layout. In a layout
    /// with one word, returns this word for every `n`.
    #[inline(always)]
    pub fn state_word(&self, n: usize) -> u64 {
        if W::MoreState::WORDS == 0 || n == 0 {
            return self.state;
        }
        self.more_state.words()[n - 1]
    }

    /// Sets word `n` of the variant state. In a layout with one word, sets this word for every `n`.
    #[inline(always)]
    pub fn set_state_word(&mut self, n: usize, word: u64) {
        if W::MoreState::WORDS == 0 || n == 0 {
            self.state = word;
        } else {
            self.more_state.words_mut()[n - 1] = word;
        }
    }

    /// Returns all words of the variant state; zero for words that the layout does not have.
    #[inline(always)]
    pub fn state_words(&self) -> StateWords {
        let mut words = [0; STATE_WORDS];
        words[0] = self.state;
        words[1..=W::MoreState::WORDS].copy_from_slice(self.more_state.words());
        words
    }

    /// Sets the variant state. Words that the layout does not have are ignored.
    #[inline(always)]
    pub fn set_state_words(&mut self, words: &StateWords) {
        self.state = words[0];
        let more = &words[1..=W::MoreState::WORDS];
        self.more_state.words_mut().copy_from_slice(more);
    }

    /// Returns whether the variant state is the default, which is zero.
    #[inline(always)]
    pub fn has_default_state(&self) -> bool {
        self.state == 0 && self.more_state == W::MoreState::default()
    }

    /// Returns the number of bound units.
    pub fn bound_len(&self) -> usize {
        self.bound.codes().len()
    }

    /// Returns the bound units.
    pub fn bound_units(&self) -> impl Iterator<Item = BoundUnit> + '_ {
        self.bound.units()
    }

    /// Returns the number of bound units of a side and kind.
    pub fn bound_of(&self, color: Color, kind: Kind) -> u32 {
        self.bound_units()
            .filter(|u| u.color == color && u.kind == kind)
            .count() as u32
    }

    /// Returns the placement as four planes: White's units, then the three lowest bits of each square's kind
    /// code (1 pawn to 6 king, 0 vacant). The planes are lossless only in a layout for six kinds
    /// ([`KindSets::BITS`] is 3).
    #[inline]
    pub fn planes(&self) -> [W::Set; 4] {
        [
            self.colors[0],
            self.kinds.plane(0),
            self.kinds.plane(1),
            self.kinds.plane(2),
        ]
    }

    /// Returns the squares whose kind code (the number of the kind plus one) has bit `n` set. `n` must be
    /// below [`KindSets::BITS`].
    #[inline(always)]
    pub fn kind_plane(&self, n: usize) -> W::Set {
        self.kinds.plane(n)
    }

    /// Returns side, rights and en passant square as one number.
    #[inline(always)]
    fn packed_small_fields(&self) -> u32 {
        self.side as u32 | u32::from(self.rights.0) << 8 | u32::from(self.en_passant) << 16
    }
}

impl<W: Layout> PartialEq for Position<W> {
    fn eq(&self, other: &Self) -> bool {
        self.colors == other.colors
            && self.kinds == other.kinds
            && self.packed_small_fields() == other.packed_small_fields()
            && self.state == other.state
            && self.more_state == other.more_state
            && self.bound == other.bound
    }
}

impl<W: Layout> Eq for Position<W> {}

impl<W: Layout> Hash for Position<W> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (
            self.colors,
            self.kinds,
            self.state,
            self.packed_small_fields(),
        )
            .hash(state);
        self.more_state.hash(state);
        self.bound.hash(state);
    }
}
