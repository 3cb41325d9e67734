//! What the positions of a class have in common: material, state, who moves.

use board::{Color, Kind, Men, Squares};
use per_layout::per_layout;
use position::{BoundUnits, KindSets, Layout, Position};
use rules::Game;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The most units of a table, bound ones included.
pub const MAX_UNITS: usize = 12;

/// What the positions of a class have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassKey {
    /// Four bits of number for each kind, White's six kinds in the low 24 bits.
    units: u64,
    /// The same for bound units.
    bound: u64,
    /// Units of kinds beyond the six, seven bits each, the greatest first: twice the kind's number, one
    /// more for Black.
    #[serde(default, skip_serializing_if = "More::is_empty")]
    more: More,
    /// The variant's state.
    pub state: u64,
    /// Whether a unit has just passed a square and can be taken for it.
    pub passed: bool,
    /// Which unit has passed which square, where not only pawns do by double steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passing: Option<Passing>,
    /// Who moves.
    pub side: Color,
}

/// A unit that may be taken in passing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Passing {
    /// The en passant square.
    pub square: u8,
    /// The square of the unit.
    pub unit: u8,
    /// The number of its kind.
    kind: u8,
}

impl Passing {
    /// Returns the kind of the unit.
    pub fn kind(&self) -> Kind {
        Kind::from_index(self.kind.into())
    }
}

/// Units of kinds beyond the six of the standard set, as two halves of one number.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord, Serialize, Deserialize,
)]
struct More([u64; 2]);

const MORE_BITS: u32 = 7;

impl More {
    fn is_empty(&self) -> bool {
        self.0 == [0; 2]
    }

    /// Returns the units, the greatest first.
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

    /// Those of a side, as if they were White's.
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
    /// No units.
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

    /// Returns one more unit.
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

    /// Returns whether no orientation of the board represents another, as squares that units pass are kept
    /// apart.
    pub fn is_oriented<W: Layout>(&self, game: &dyn Game<W>) -> bool {
        game.tables()
            .is_some_and(|tables| tables.passes_otherwise(self.kinds()))
    }

    /// Returns the kind of the unit that has passed a square, if one has.
    pub fn passer(&self) -> Kind {
        self.passing.map_or(Kind::Pawn, |passing| passing.kind())
    }

    /// By side, the kinds on the board, a bit each.
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

    /// Returns whether pawns are among the units, bound ones too.
    pub fn has_pawns(&self) -> bool {
        Color::BOTH
            .into_iter()
            .any(|c| self.count(c, Kind::Pawn) + self.bound_count(c, Kind::Pawn) > 0)
    }

    /// Returns all units.
    pub fn total(&self) -> usize {
        Color::BOTH
            .into_iter()
            .flat_map(|c| Kind::ALL.map(|k| self.count(c, k) + self.bound_count(c, k)))
            .sum::<usize>()
            + self.more.codes().count()
    }

    /// Returns the class with the sides swapped, whose state is this one.
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
    /// Of a class and the swapped one, the one that is built: White the stronger side, or, when
    /// both are equal, White to move.
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
    /// Returns a name that no other class has: `KRvK-w`, with what is bound, a pawn that has passed, and the
    /// state, where there is such.
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
