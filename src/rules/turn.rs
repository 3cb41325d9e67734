//! Turns and steps, in a compact form: searches list millions of turns.

use board::{Kind, Square};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// The kind of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Action {
    /// No step: the missing second step of a turn.
    None,
    /// A unit of the mover goes from one square to another and captures the unit there.
    Go,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn captures another pawn that has just made a double step.
    EnPassant,
    /// King and rook move together. The squares of the step are the king's.
    Castle,
    /// A unit is put on a square (`from` has no meaning).
    Place,
    /// A unit goes to the mirrored square of its rank.
    Mirror,
    /// A pawn of the opponent is pushed one square in its own direction.
    Push,
}

impl Action {
    /// All actions in the order of their numbers.
    pub(crate) const ALL: [Action; 8] = [
        Action::None,
        Action::Go,
        Action::DoubleStep,
        Action::EnPassant,
        Action::Castle,
        Action::Place,
        Action::Mirror,
        Action::Push,
    ];
}

/// One step of a turn: the kind of the unit that moves or is placed, its squares, and its promotion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The square where the step begins.
    pub from: Square,
    /// The square where the step ends.
    pub to: Square,
    detail: u16,
}

/// In `detail`, the lowest three bits hold the action, the next six the kind, and the last seven one more
/// than the kind after promotion (0 without promotion).
const KIND_SHIFT: u32 = 3;
const KIND_MASK: u16 = 63;
const BECOMES_SHIFT: u32 = 9;

impl Step {
    /// The missing step.
    pub const NONE: Step = Step {
        from: Square(0),
        to: Square(0),
        detail: 0,
    };

    /// Returns a step without promotion.
    #[inline(always)]
    pub fn new(action: Action, kind: Kind, from: Square, to: Square) -> Step {
        Step {
            from,
            to,
            detail: action as u16 | (kind.index() as u16) << KIND_SHIFT,
        }
    }

    /// Returns an ordinary step or capture.
    #[inline(always)]
    pub fn go(kind: Kind, from: Square, to: Square) -> Step {
        Step::new(Action::Go, kind, from, to)
    }

    /// Returns the placement of a unit on a square.
    #[inline(always)]
    pub fn place(kind: Kind, to: Square) -> Step {
        Step::new(Action::Place, kind, to, to)
    }

    /// Returns the step with a promotion to this kind.
    #[inline(always)]
    pub fn becoming(mut self, kind: Kind) -> Step {
        self.detail =
            self.detail & ((1 << BECOMES_SHIFT) - 1) | (kind.index() as u16 + 1) << BECOMES_SHIFT;
        self
    }

    /// Returns the action of the step.
    #[inline(always)]
    pub fn action(self) -> Action {
        Action::ALL[usize::from(self.detail & 7)]
    }

    /// Returns the kind of the unit that moves or is placed.
    #[inline(always)]
    pub fn kind(self) -> Kind {
        Kind::from_index(usize::from(self.detail >> KIND_SHIFT & KIND_MASK))
    }

    /// Returns the kind that the unit becomes, if it promotes.
    #[inline(always)]
    pub fn becomes(self) -> Option<Kind> {
        let code = usize::from(self.detail >> BECOMES_SHIFT);
        (code > 0).then(|| Kind::from_index(code - 1))
    }

    /// Returns the kind of the unit on the target square after the step.
    #[inline(always)]
    pub fn result(self) -> Kind {
        self.becomes().unwrap_or(self.kind())
    }

    /// Returns the step as a number. Different steps have different numbers; the missing step has the number
    /// 0.
    #[inline(always)]
    pub fn code(self) -> u32 {
        u32::from(self.from.0) | u32::from(self.to.0) << 8 | u32::from(self.detail) << 16
    }

    /// Returns the sort key of the step: by origin, then target, then action and kinds.
    #[inline(always)]
    fn sort_key(self) -> u32 {
        u32::from(self.from.0) << 24 | u32::from(self.to.0) << 16 | u32::from(self.detail)
    }

    /// Returns whether this is the missing step.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.detail & 7 == 0
    }
}

impl Ord for Step {
    #[inline(always)]
    fn cmp(&self, other: &Step) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl PartialOrd for Step {
    #[inline(always)]
    fn partial_cmp(&self, other: &Step) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A turn of one side: one step, or two steps that are carried out in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// The steps; the second may be [`Step::NONE`].
    pub steps: [Step; 2],
    /// The number of the combination of units to unbind, if the turn has such a choice (Chromopolis);
    /// otherwise 0.
    pub picks: u64,
}

impl Turn {
    /// Returns a turn of one step.
    #[inline(always)]
    pub fn of(step: Step) -> Turn {
        Turn {
            steps: [step, Step::NONE],
            picks: 0,
        }
    }

    /// Returns a turn of two steps.
    #[inline(always)]
    pub fn two(first: Step, second: Step) -> Turn {
        Turn {
            steps: [first, second],
            picks: 0,
        }
    }

    /// Returns the sort key of the turn: by the first step, then the second, then the choice.
    #[inline(always)]
    fn sort_key(&self) -> u128 {
        let [first, second] = self.steps;
        let steps = u64::from(first.sort_key()) << 32 | u64::from(second.sort_key());
        u128::from(steps) << 64 | u128::from(self.picks)
    }

    /// Returns the steps of the turn, one or two.
    #[inline]
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.steps.iter().copied().filter(|s| !s.is_none())
    }

    /// Returns the first step.
    #[inline(always)]
    pub fn first(&self) -> Step {
        self.steps[0]
    }
}

impl Ord for Turn {
    #[inline(always)]
    fn cmp(&self, other: &Turn) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl PartialOrd for Turn {
    #[inline(always)]
    fn partial_cmp(&self, other: &Turn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The placements that a turn's notation shows after its steps.
pub type Placements = SmallVec<[(Kind, Square); 4]>;

/// A list of at most two steps that fits in registers, for castlings and en passant captures.
#[derive(Clone, Copy, Debug)]
pub struct UpToTwo {
    steps: [Step; 2],
    len: u32,
}

impl UpToTwo {
    /// The empty list.
    pub const NONE: UpToTwo = UpToTwo {
        steps: [Step::NONE; 2],
        len: 0,
    };

    /// Adds a step. Precondition: the list has at most one step.
    #[inline(always)]
    pub fn push(&mut self, step: Step) {
        self.steps[self.len as usize] = step;
        self.len += 1;
    }

    /// Returns each step as a separate turn.
    #[inline(always)]
    pub fn turns(&self) -> impl Iterator<Item = Turn> + '_ {
        self.steps[..self.len as usize]
            .iter()
            .map(|&step| Turn::of(step))
    }
}
