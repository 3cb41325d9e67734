//! Dynamic dispatch for rule sets. On [lean](Layout::LEAN) layouts, all rule sets share one compiled turn
//! generator, which calls their hooks through `dyn Hooks`.
//!
//! One list of hooks, at the end of this file, declares the forwarding methods: through an object, and for a
//! game with its board.

use super::{
    Attack, Carried, Castling, Consumer, Facts, Flow, Generator, IndependentSteps, KnownSafe,
    Legality, NestedLists, Outcome, Placements, Ruled, Rules, Symmetries, TableRules, Turn,
    TurnBuffer,
};
use board::{Color, Kind, Men, Square};
use position::{BoardOf, Layout, Position};

/// A pointer to the hooks of a rule set, borrowed or owned.
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

/// A rule set whose hooks are called through an object. `P` is the pointer to this object.
#[derive(Clone, Copy, Debug)]
pub struct DynRules<P> {
    object: P,
    facts: &'static Facts,
}

impl<'h, W: Layout> DynRules<&'h (dyn Hooks<W> + 'h)> {
    /// Returns a rule set that calls the hooks of `rules` through an object.
    #[inline(always)]
    pub(super) fn of<R: Rules<W>>(rules: &'h R) -> Self {
        DynRules {
            object: rules,
            facts: rules.facts(),
        }
    }
}

impl<W: Layout> DynRules<Box<dyn Hooks<W>>> {
    /// Returns a rule set that owns `rules` and calls its hooks through an object.
    pub fn owning<R: Rules<W> + 'static>(rules: R) -> Self {
        DynRules {
            facts: rules.facts(),
            object: Box::new(rules),
        }
    }
}

/// Returns whether this rule set uses the generator that rule sets of the layout share.
pub(super) const fn shares<W: Layout, R: Rules<W>>() -> bool {
    W::LEAN && matches!(R::GENERATOR, Generator::Shared)
}

/// Used at the start of a generator function. If the rule set shares its generator with others of the layout,
/// calls the function with the rules as an object, in code that is compiled once for all of them.
macro_rules! share {
    ($generator:ident($r:ident, $b:ident, $p:ident $(, $extra:ident: $type:ty)?; $consumer:ident)) => {
        if const { $crate::dyn_rules::shares::<W, R>() } {
            #[inline(never)]
            fn shared<W: Layout>(
                $r: $crate::DynRules<&dyn $crate::Hooks<W>>,
                $b: &BoardOf<W>,
                $p: &Position<W>,
                $($extra: $type,)?
                $consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow {
                $generator(&$r, $b, $p, $($extra,)? $consumer)
            }
            return shared($crate::DynRules::of($r), $b, $p, $($extra,)? $consumer.object());
        }
    };
}
pub(super) use share;

/// Declares [`Hooks`], [`DynRules`]'s implementation of [`Rules`] and [`GameHooks`] from one list.
macro_rules! declare_hooks {
    (
        game, on the board { $(fn $on_board:ident($($ba:ident: $bt:ty),*) $(-> $br:ty)?;)* }
        game { $(fn $seen:ident($($sa:ident: $st:ty),*) $(-> $sr:ty)?;)* }
        rules, on the board { $(fn $hook:ident($($ha:ident: $ht:ty),*) $(-> $hr:ty)?;)* }
        rules { $(fn $other:ident($($oa:ident: $ot:ty),*) $(-> $or:ty)?;)* }
        generators { $(fn $generator:ident($($ga:ident: $gt:ty),*);)* }
    ) => {
        /// The hooks of a rule set as methods of an object, implemented for every rule set. [`Rules`]
        /// describes the methods.
        pub trait Hooks<W: Layout>: Send + Sync {
            $(#[doc(hidden)] fn $on_board(&self, b: &BoardOf<W>, $($ba: $bt),*) $(-> $br)?;)*
            $(#[doc(hidden)] fn $seen(&self, $($sa: $st),*) $(-> $sr)?;)*
            $(#[doc(hidden)] fn $hook(&self, b: &BoardOf<W>, $($ha: $ht),*) $(-> $hr)?;)*
            $(#[doc(hidden)] fn $other(&self, $($oa: $ot),*) $(-> $or)?;)*
            $(#[doc(hidden)] fn $generator(
                &self,
                b: &BoardOf<W>,
                p: &Position<W>,
                $($ga: $gt,)*
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow;)*
        }

        impl<W: Layout, R: Rules<W>> Hooks<W> for R {
            $(fn $on_board(&self, b: &BoardOf<W>, $($ba: $bt),*) $(-> $br)? {
                Rules::$on_board(self, b, $($ba),*)
            })*
            $(fn $seen(&self, $($sa: $st),*) $(-> $sr)? {
                Rules::$seen(self, $($sa),*)
            })*
            $(fn $hook(&self, b: &BoardOf<W>, $($ha: $ht),*) $(-> $hr)? {
                Rules::$hook(self, b, $($ha),*)
            })*
            $(fn $other(&self, $($oa: $ot),*) $(-> $or)? {
                Rules::$other(self, $($oa),*)
            })*
            $(fn $generator(
                &self,
                b: &BoardOf<W>,
                p: &Position<W>,
                $($ga: $gt,)*
                consumer: &mut dyn Consumer<W::Set>,
            ) -> Flow {
                Rules::$generator(self, b, p, $($ga,)* consumer)
            })*
        }

        // A hook that is missing in the list would silently be that of orthodox chess.
        #[warn(clippy::missing_trait_methods)]
        impl<W: Layout, P: RulesPtr<W>> Rules<W> for DynRules<P> {
            const FACTS: Facts = Facts::DEFAULT;
            const GENERATOR: Generator = Generator::AtRunTime;

            #[inline(always)]
            fn facts(&self) -> &'static Facts {
                self.facts
            }
            $(#[inline]
            fn $on_board(&self, b: &BoardOf<W>, $($ba: $bt),*) $(-> $br)? {
                self.object.hooks().$on_board(b, $($ba),*)
            })*
            $(#[inline]
            fn $seen(&self, $($sa: $st),*) $(-> $sr)? {
                self.object.hooks().$seen($($sa),*)
            })*
            $(#[inline]
            fn $hook(&self, b: &BoardOf<W>, $($ha: $ht),*) $(-> $hr)? {
                self.object.hooks().$hook(b, $($ha),*)
            })*
            $(#[inline]
            fn $other(&self, $($oa: $ot),*) $(-> $or)? {
                self.object.hooks().$other($($oa),*)
            })*
            $(#[inline]
            fn $generator<K: Consumer<W::Set> + ?Sized>(
                &self,
                b: &BoardOf<W>,
                p: &Position<W>,
                $($ga: $gt,)*
                consumer: &mut K,
            ) -> Flow {
                self.object.hooks().$generator(b, p, $($ga,)* consumer.object())
            })*
        }

        /// The hooks that code above the rules may call, with the board of a game.
        pub trait GameHooks<W: Layout>: Send + Sync {
            $(
                #[doc = concat!("Calls [`Rules::", stringify!($on_board), "`] with the board of the game.")]
                #[allow(clippy::missing_errors_doc, reason = "the hook documents its errors")]
                fn $on_board(&self, $($ba: $bt),*) $(-> $br)?;
            )*
            $(
                #[doc = concat!("Calls [`Rules::", stringify!($seen), "`].")]
                fn $seen(&self, $($sa: $st),*) $(-> $sr)?;
            )*
        }

        impl<W: Layout, R: Rules<W>> GameHooks<W> for Ruled<W, R> {
            $(fn $on_board(&self, $($ba: $bt),*) $(-> $br)? {
                self.rules.$on_board(&self.board, $($ba),*)
            })*
            $(fn $seen(&self, $($sa: $st),*) $(-> $sr)? {
                self.rules.$seen($($sa),*)
            })*
        }
    };
}

declare_hooks! {
    game, on the board {
        fn castling_homes(color: Color, higher: bool) -> Option<(Square, Square)>;
        fn has_castling_units(p: &Position<W>, color: Color, higher: bool) -> bool;
        fn reach(p: &Position<W>, kind: Kind, from: Square) -> W::Set;
        fn royals_in_check(p: &Position<W>, color: Color) -> W::Set;
        fn intruders(p: &Position<W>, color: Color) -> W::Set;
        fn settled(p: &Position<W>) -> Option<Outcome>;
        fn no_pawns(color: Color) -> W::Set;
        fn no_pawns_in_fens(color: Color) -> W::Set;
        fn check_no_opposite_check(p: &Position<W>) -> Legality;
        fn check_position(p: &Position<W>) -> Legality;
        fn shown_placements(p: &Position<W>, turn: &Turn, step: usize) -> Placements;
        fn captured(p: &Position<W>, turn: &Turn) -> Option<W::Set>;
        fn kind_after(p: &Position<W>, turn: &Turn) -> Option<Kind>;
        fn refusal(p: &Position<W>, turn: &Turn) -> String;
        fn symmetries() -> Symmetries;
    }
    game {
        fn carried() -> &dyn Carried<W>;
        fn independent_steps() -> Option<IndependentSteps>;
        fn tables() -> Option<&dyn TableRules<W>>;
        fn men() -> &Men;
        fn promotions(p: &Position<W>) -> &[Kind];
        fn royals(p: &Position<W>, color: Color) -> W::Set;
        fn quiet_steps(p: &Position<W>, from: Square) -> Option<W::Set>;
        fn unit_bounds(color: Color) -> &[(Kind, u32, u32)];
        fn unit_range(color: Color, kind: Kind) -> (u32, u32);
        fn nested_lists() -> NestedLists;
    }
    rules, on the board {
        fn zones() -> [W::Set; 4];
        fn attackers(p: &Position<W>, attack: Attack<W::Set>) -> W::Set;
        fn attack_path(p: &Position<W>, attacker: Square, target: Square) -> W::Set;
        fn guarded_royals(p: &Position<W>) -> W::Set;
        fn royal_targets(p: &Position<W>, kind: Kind) -> W::Set;
        fn capturable(p: &Position<W>, by: Kind) -> W::Set;
        fn is_safe(p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool;
        fn known_safe(p: &Position<W>) -> KnownSafe<W::Set>;
        fn filter(p: &Position<W>, turns: &mut TurnBuffer<W::Set>);
        fn count_bulk(p: &Position<W>, depth: u32) -> Option<u64>;
        fn effect(p: &Position<W>, turn: &Turn, after: &mut Position<W>);
        fn update_state(p: &Position<W>, turn: &Turn, after: &mut Position<W>);
        fn no_turn(p: &Position<W>) -> Outcome;
    }
    rules {
        fn wraps() -> bool;
        fn castling() -> Option<Castling>;
        fn double_step() -> bool;
        fn en_passant(p: &Position<W>) -> bool;
    }
    generators {
        fn pawn_steps(pawns: W::Set, targets: W::Set);
        fn pseudo();
        fn unfiltered();
    }
}
