//! Rule sets behind an object. On [lean](Layout::LEAN) layouts all rule sets share one compiled generator
//! of turns, which asks each for its hooks while it runs.

use super::{
    Carried, Castling, Constants, Consumer, Flow, KnownSafe, Outcome, Placements, Rules,
    Symmetries, Turn, TurnBuffer,
};
use board::{Board, Color, Kind, Men, Square};
use position::{Layout, Position};

/// A pointer to the hooks of a rule set.
pub trait RulesPtr<W: Layout>: Send + Sync {
    /// Returns the hooks.
    fn hooks(&self) -> &dyn Hooks<W>;
}

impl<W: Layout> RulesPtr<W> for &(dyn Hooks<W> + '_) {
    #[inline(always)]
    fn hooks(&self) -> &dyn Hooks<W> {
        *self
    }
}

impl<W: Layout> RulesPtr<W> for Box<dyn Hooks<W>> {
    #[inline(always)]
    fn hooks(&self) -> &dyn Hooks<W> {
        self.as_ref()
    }
}

/// A rule set whose hooks are asked through an object that `P` points to.
#[derive(Clone, Copy, Debug)]
pub struct DynRules<P> {
    object: P,
    constants: &'static Constants,
}

impl<'h, W: Layout> DynRules<&'h (dyn Hooks<W> + 'h)> {
    /// Returns a rule set, seen through an object.
    #[inline(always)]
    pub(super) fn of<R: Rules<W>>(rules: &'h R) -> Self {
        DynRules {
            object: rules,
            constants: rules.constants(),
        }
    }
}

impl<W: Layout> DynRules<Box<dyn Hooks<W>>> {
    /// Returns a rule set of its own behind an object.
    pub fn owning<R: Rules<W> + 'static>(rules: R) -> Self {
        DynRules {
            constants: rules.constants(),
            object: Box::new(rules),
        }
    }
}

/// Returns whether this rule set's generator is the one that all rule sets of the layout share.
pub(super) const fn shares<W: Layout, R: Rules<W>>() -> bool {
    W::LEAN && R::SHARES
}

/// Declares the hooks as methods of an object, each calling the hook of the same name, and the other way
/// around.
macro_rules! hooks {
    ($(fn $hook:ident(&self $(, $arg:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        /// The hooks of a rule set, as methods of an object. Every rule set has them; they are described
        /// at [`Rules`].
        pub trait Hooks<W: Layout>: Send + Sync {
            $(#[doc(hidden)] fn $hook(&self $(, $arg: $type)*) $(-> $result)?;)*
            #[doc(hidden)]
            fn pawn_steps(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                pawns: W::Set,
                allowed: W::Set,
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow;
            #[doc(hidden)]
            fn pseudo(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow;
            #[doc(hidden)]
            fn legal(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow;
        }

        impl<W: Layout, R: Rules<W>> Hooks<W> for R {
            $(fn $hook(&self $(, $arg: $type)*) $(-> $result)? {
                Rules::$hook(self $(, $arg)*)
            })*
            fn pawn_steps(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                pawns: W::Set,
                allowed: W::Set,
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow {
                Rules::pawn_steps(self, b, p, pawns, allowed, consumer)
            }
            fn pseudo(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow {
                Rules::pseudo(self, b, p, consumer)
            }
            fn legal(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow {
                Rules::legal(self, b, p, consumer)
            }
        }

        // A hook that is not listed would be that of orthodox chess.
        #[warn(clippy::missing_trait_methods)]
        impl<W: Layout, P: RulesPtr<W>> Rules<W> for DynRules<P> {
            const DEFERRED: bool = true;
            const SHARES: bool = false;

            #[inline(always)]
            fn constants(&self) -> &'static Constants {
                self.constants
            }
            $(#[inline]
            fn $hook(&self $(, $arg: $type)*) $(-> $result)? {
                self.object.hooks().$hook($($arg),*)
            })*
            #[inline]
            fn pawn_steps<K: Consumer<W::Set> + ?Sized>(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                pawns: W::Set,
                allowed: W::Set,
                consumer: &mut K,
            ) -> Flow {
                self.object.hooks().pawn_steps(b, p, pawns, allowed, consumer.object())
            }
            #[inline]
            fn pseudo<K: Consumer<W::Set> + ?Sized>(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                consumer: &mut K,
            ) -> Flow {
                self.object.hooks().pseudo(b, p, consumer.object())
            }
            #[inline]
            fn legal<K: Consumer<W::Set> + ?Sized>(
                &self,
                b: &Board<W::Set>,
                p: &Position<W>,
                consumer: &mut K,
            ) -> Flow {
                self.object.hooks().legal(b, p, consumer.object())
            }
        }
    };
}

hooks! {
    fn men(&self) -> &Men;
    fn wraps(&self) -> bool;
    fn zones(&self, b: &Board<W::Set>) -> [W::Set; 4];
    fn castling(&self) -> Option<Castling>;
    fn homes(&self, b: &Board<W::Set>, color: Color, higher: bool) -> Option<(Square, Square)>;
    fn stands_for_castling(&self, b: &Board<W::Set>, p: &Position<W>, color: Color, higher: bool) -> bool;
    fn rights_arise(&self) -> bool;
    fn check_tables(&self, b: &Board<W::Set>, has_units: &dyn Fn(Color, Kind) -> bool) -> Result<(), String>;
    fn carried(&self) -> Option<&dyn Carried<W>>;
    fn double_step(&self) -> bool;
    fn promotions(&self, b: &Board<W::Set>, p: &Position<W>) -> &[Kind];
    fn royals(&self, b: &Board<W::Set>, p: &Position<W>, color: Color) -> W::Set;
    fn attackers(&self, b: &Board<W::Set>, p: &Position<W>, target: Square, by: Color, occupied: W::Set) -> W::Set;
    fn way(&self, b: &Board<W::Set>, p: &Position<W>, attacker: Square, target: Square) -> W::Set;
    fn guarded(&self, b: &Board<W::Set>, p: &Position<W>) -> W::Set;
    fn open_to(&self, b: &Board<W::Set>, p: &Position<W>, kind: Kind) -> W::Set;
    fn intruders(&self, b: &Board<W::Set>, p: &Position<W>, color: Color) -> W::Set;
    fn capturable(&self, b: &Board<W::Set>, p: &Position<W>, by: Kind) -> W::Set;
    fn reach(&self, b: &Board<W::Set>, p: &Position<W>, kind: Kind, from: Square) -> W::Set;
    fn safe(&self, b: &Board<W::Set>, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool;
    fn sure(&self, b: &Board<W::Set>, p: &Position<W>) -> KnownSafe<W::Set>;
    fn choose(&self, b: &Board<W::Set>, p: &Position<W>, turns: &mut TurnBuffer<W::Set>);
    fn lines(&self, b: &Board<W::Set>, p: &Position<W>) -> u64;
    fn effect(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn, after: &mut Position<W>);
    fn note(&self, b: &Board<W::Set>, before: &Position<W>, turn: &Turn, after: &mut Position<W>);
    fn settled(&self, b: &Board<W::Set>, p: &Position<W>) -> Option<Outcome>;
    fn no_turn(&self, b: &Board<W::Set>, p: &Position<W>) -> Outcome;
    fn state_bits(&self, b: &Board<W::Set>) -> u32;
    fn state_bits_from(&self, b: &Board<W::Set>, p: &Position<W>) -> u32;
    fn state_text(&self, b: &Board<W::Set>, p: &Position<W>) -> Vec<(&'static str, String)>;
    fn read_state(&self, b: &Board<W::Set>, p: &mut Position<W>, key: &str, value: &str) -> Result<(), String>;
    fn number(&self, p: &Position<W>) -> u32;
    fn set_number(&self, p: &mut Position<W>, number: u32);
    fn unit_bounds(&self) -> &[(Kind, u32, u32)];
    fn clock(&self, p: &Position<W>) -> u32;
    fn set_clock(&self, p: &mut Position<W>, clock: u32);
    fn no_pawns(&self, b: &Board<W::Set>, color: Color) -> W::Set;
    fn check_no_opposite_check(&self, b: &Board<W::Set>, p: &Position<W>) -> Result<(), String>;
    fn check(&self, b: &Board<W::Set>, p: &Position<W>) -> Result<(), String>;
    fn en_passant(&self, p: &Position<W>) -> bool;
    fn unit_limit(&self, p: &Position<W>) -> usize;
    fn shown_placements(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> Placements;
    fn refusal(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> String;
    fn symmetries(&self, b: &Board<W::Set>) -> Symmetries;
    fn swapped_state(&self, b: &Board<W::Set>, state: u64) -> Option<u64>;
}
