//! Keys of classes: the material, the variant state and the side to move, which all positions of a class
//! share. A key says nothing about placement, except for a unit that may be captured en passant.

use board::{Color, Kind, Men, Squares};
use per_layout::per_layout;
use position::{BoundUnits, KindSets, Layout, Position};
use rules::Game;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Maximum number of units of a table, bound units included.
pub const MAX_UNITS: usize = 12;

/// The key of a class: everything that the positions of the class have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassKey {
    /// Number of units of each color and kind, four bits each: White's six standard kinds in the low 24 bits,
    /// then Black's.
    units: u64,
    /// Number of bound units, in the layout of `units`.
    bound: u64,
    /// Units of other kinds than the six standard ones, seven bits each, the largest code first. A code is
    /// twice the kind's index, plus one for Black.
    #[serde(default, skip_serializing_if = "More::is_empty")]
    more: More,
    /// The variant's state.
    pub state: u64,
    /// Whether a unit has just passed a square on which it can be captured en passant.
    pub passed: bool,
    /// The unit that has passed and the square it passed. `None` where only double steps of pawns allow en
    /// passant captures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passing: Option<Passing>,
    /// The side to move.
    pub side: Color,
}

/// A unit that may be captured en passant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Passing {
    /// The en passant square.
    pub square: u8,
    /// The square on which the unit is now.
    pub unit: u8,
    /// The index of the unit's kind.
    kind: u8,
}

impl Passing {
    /// Returns the kind of the unit.
    pub fn kind(&self) -> Kind {
        Kind::from_index(self.kind.into())
    }
}

/// Units of other kinds than the six standard ones, as the high and the low half of a 128-bit number.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord, Serialize, Deserialize,
)]
struct More([u64; 2]);

const MORE_BITS: u32 = 7;

impl More {
    fn is_empty(&self) -> bool {
        self.0 == [0; 2]
    }

    /// Returns the codes of the units, the largest first.
    fn codes(self) -> impl Iterator<Item = u8> {
        let mut left = u128::from(self.0[0]) << 64 | u128::from(self.0[1]);
        std::iter::from_fn(move || {
            let code = (left & ((1 << MORE_BITS) - 1)) as u8;
            left >>= MORE_BITS;
            (code != 0).then_some(code)
        })
    }

    fn of(mut codes: Vec<u8>) -> More {
        codes.sort_unstable_by(|a, b| b.cmp(a));
        let room = (u128::BITS / MORE_BITS) as usize;
        let packed = codes
            .iter()
            .take(room)
            .rev()
            .fold(0, |all: u128, &code| all << MORE_BITS | u128::from(code));
        More([(packed >> 64) as u64, packed as u64])
    }

    fn with(self, code: u8) -> More {
        More::of(self.codes().chain([code]).collect())
    }

    /// Returns the units of one side, coded as White's.
    fn of_side(self, color: Color) -> More {
        let side = color as u8;
        More::of(
            self.codes()
                .filter(|code| code & 1 == side)
                .map(|code| code & !1)
                .collect(),
        )
    }
}

fn code(color: Color, kind: Kind) -> u8 {
    (kind.index() as u8) << 1 | color as u8
}

const SIX: usize = Kind::ALL.len();

const SIDE_BITS: u32 = 24;
const SIDE_MASK: u64 = (1 << SIDE_BITS) - 1;

fn shift(color: Color, kind: Kind) -> u32 {
    SIDE_BITS * color as u32 + 4 * kind.index() as u32
}

impl ClassKey {
    /// Returns the key of a class without units.
    pub fn empty(side: Color) -> ClassKey {
        ClassKey {
            units: 0,
            bound: 0,
            more: More::default(),
            state: 0,
            passed: false,
            passing: None,
            side,
        }
    }

    /// Adds a unit and returns the key.
    pub fn with(mut self, color: Color, kind: Kind, bound: bool) -> ClassKey {
        if kind.index() >= SIX {
            self.more = self.more.with(code(color, kind));
            return self;
        }
        let word = if bound {
            &mut self.bound
        } else {
            &mut self.units
        };
        *word += 1 << shift(color, kind);
        self
    }

    /// Returns the class of a position.
    pub fn of<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> ClassKey {
        let mut key = ClassKey {
            units: 0,
            bound: 0,
            more: More::default(),
            state: p.state,
            passed: p.en_passant().is_some(),
            passing: None,
            side: p.side,
        };
        for kind in Kind::ALL {
            let units = p.kind(kind);
            if units.is_empty() {
                continue;
            }
            for color in Color::BOTH {
                key.units += u64::from((units & p.color(color)).len()) << shift(color, kind);
            }
        }
        if <W::Kinds as KindSets<W::Set>>::COUNT > SIX {
            let beyond = p
                .occupied()
                .iter()
                .filter_map(|square| p.unit(square))
                .filter(|(_, kind)| kind.index() >= SIX);
            key.more = More::of(beyond.map(|(color, kind)| code(color, kind)).collect());
        }
        if <W::Bound as BoundUnits>::CAPACITY > 0 {
            for unit in p.bound.units() {
                key.bound += 1 << shift(unit.color, unit.kind);
            }
        }
        if let Some(square) = p.en_passant()
            && key.is_oriented(game)
            && let Some(unit) = game.tables().and_then(|tables| tables.passer(p))
        {
            key.passing = Some(Passing {
                square: square.0,
                unit: unit.0,
                kind: p.kind_on(unit).index() as u8,
            });
        }
        key
    }

    /// Returns whether the class distinguishes all orientations of the board, because its key names the
    /// squares that units pass.
    pub fn is_oriented<W: Layout>(&self, game: &dyn Game<W>) -> bool {
        game.tables()
            .is_some_and(|tables| tables.passes_otherwise(self.kinds()))
    }

    /// Returns the kind of unit that can be captured en passant: the kind in `passing` if that is set,
    /// otherwise a pawn.
    pub fn passer(&self) -> Kind {
        self.passing.map_or(Kind::Pawn, |passing| passing.kind())
    }

    /// Returns the kinds on the board for each side, one bit for each kind.
    fn kinds(&self) -> [u64; 2] {
        let mut kinds = [0; 2];
        for color in Color::BOTH {
            for kind in Kind::ALL {
                if self.count(color, kind) > 0 {
                    kinds[color.index()] |= 1 << kind.index();
                }
            }
        }
        for code in self.more.codes() {
            kinds[usize::from(code & 1)] |= 1 << (code >> 1);
        }
        kinds
    }

    /// Returns the number of units of a color and kind on the board.
    pub fn count(&self, color: Color, kind: Kind) -> usize {
        if kind.index() >= SIX {
            let wanted = code(color, kind);
            return self.more.codes().filter(|&code| code == wanted).count();
        }
        (self.units >> shift(color, kind) & 15) as usize
    }

    /// Returns the number of bound units of a color and kind.
    pub fn bound_count(&self, color: Color, kind: Kind) -> usize {
        if kind.index() >= SIX {
            return 0;
        }
        (self.bound >> shift(color, kind) & 15) as usize
    }

    /// Returns whether there are pawns among the units, bound ones included.
    pub fn has_pawns(&self) -> bool {
        Color::BOTH
            .into_iter()
            .any(|c| self.count(c, Kind::Pawn) + self.bound_count(c, Kind::Pawn) > 0)
    }

    /// Returns the number of units, bound units included.
    pub fn total(&self) -> usize {
        Color::BOTH
            .into_iter()
            .flat_map(|c| Kind::ALL.map(|k| self.count(c, k) + self.bound_count(c, k)))
            .sum::<usize>()
            + self.more.codes().count()
    }

    /// Returns the key with the sides swapped and with `state` as its variant state.
    pub fn swapped(&self, state: u64) -> ClassKey {
        let swap = |word: u64| (word & SIDE_MASK) << SIDE_BITS | word >> SIDE_BITS;
        ClassKey {
            units: swap(self.units),
            bound: swap(self.bound),
            more: More::of(self.more.codes().map(|code| code ^ 1).collect()),
            side: !self.side,
            state,
            ..*self
        }
    }
}

#[per_layout]
impl ClassKey {
    /// Returns the class that is built in place of this one, and whether its sides are swapped. Of a class
    /// and its swapped twin, this is the one in which White is the stronger side or, if both sides are equal,
    /// White is to move.
    pub fn canonical<W: Layout>(&self, game: &dyn Game<W>) -> (ClassKey, bool) {
        if !game.symmetries().colors || self.is_oriented(game) {
            return (*self, false);
        }
        let Some(state) = game.carried().swapped_state(self.state) else {
            return (*self, false);
        };
        let of = |units: u64, bound: u64, color| (units, self.more.of_side(color), bound);
        let white = of(self.units & SIDE_MASK, self.bound & SIDE_MASK, Color::White);
        let black = of(
            self.units >> SIDE_BITS,
            self.bound >> SIDE_BITS,
            Color::Black,
        );
        let swap = white < black || white == black && self.side == Color::Black;
        if swap {
            (self.swapped(state), true)
        } else {
            (*self, false)
        }
    }
}

impl ClassKey {
    /// Returns the unique name of the class, such as `KRvK-w`. The name includes bound units, a unit that may
    /// be captured en passant, and the variant state, if there are any.
    pub fn label(&self, men: &Men) -> String {
        let mut text = String::new();
        for color in Color::BOTH {
            if color == Color::Black {
                text.push('v');
            }
            for kind in men.strongest() {
                for _ in 0..self.count(color, kind) {
                    text.push_str(&men.name(Color::White, kind));
                }
            }
        }
        if self.bound != 0 {
            text += "-bound";
            for color in Color::BOTH {
                for kind in men.strongest() {
                    for _ in 0..self.bound_count(color, kind) {
                        // Some file systems do not distinguish upper from lower case.
                        text.push(if color == Color::White { '+' } else { '-' });
                        text.push_str(&men.name(Color::White, kind));
                    }
                }
            }
        }
        if self.state != 0 {
            let _ = write!(text, "-state{:x}", self.state);
        }
        if self.passed {
            text += "-passed";
        }
        if let Some(passing) = self.passing {
            let name = men.name(Color::White, passing.kind());
            let _ = write!(text, "{}-{name}{}", passing.square, passing.unit);
        }
        text.push('-');
        text.push(self.side.letter());
        text
    }
}
