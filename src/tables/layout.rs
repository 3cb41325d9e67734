//! The functions that this crate compiles once for each layout, so that no crate above compiles them
//! again.

use crate::{Class, ClassKey, Plan, Probe, SideStats, Signature, Table, Tables, TurnValue};
use diagnostics::InputError;
use position::Position;
use rules::Game;
use std::sync::Arc;
use values::Value;

position::compiled_for_each_layout! {
    /// The layouts, with endgame tables compiled for each.
    pub trait Layout: values::Layout {
        fn build(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &crate::Limits<'_>,
            observer: &dyn crate::Observer,
        ) -> Result<crate::Built, crate::Stopped> = crate::build::build_generic;
        fn build_here(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &crate::Limits<'_>,
            observer: &dyn crate::Observer,
        ) -> Result<crate::Built, crate::Stopped> = crate::build::build_here_generic;
        fn plan(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &crate::Limits<'_>,
        ) -> Result<Vec<Plan>, crate::Stopped> = crate::build::plan_generic;
        fn certify(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &crate::Limits<'_>,
            observer: &dyn crate::Observer,
        ) -> Result<crate::Certificate, crate::Stopped> = crate::certify::certify_generic;
        fn stats(
            tables: &Tables<Self>,
            signature: &Signature,
        ) -> Result<[SideStats; 2], InputError> = crate::stats::stats_generic;
        fn endings(
            game: &dyn Game<Self>,
            white: usize,
            black: usize,
            limits: &crate::Limits<'_>,
        ) -> Result<Vec<Signature>, crate::Stopped> = crate::endings::endings_generic;
        fn materials(game: &dyn Game<Self>, white: usize, black: usize) -> Vec<Signature>
            = crate::endings::materials_generic;
        fn goes_on(
            game: &dyn Game<Self>,
            signature: &Signature,
            limits: &crate::Limits<'_>,
        ) -> Result<bool, crate::Stopped> = crate::endings::goes_on_generic;
        fn parse_signature(game: &dyn Game<Self>, text: &str) -> Result<Signature, InputError>
            = Signature::parse_generic;
        fn class(game: &dyn Game<Self>, key: ClassKey) -> Class = Class::new_generic;
        fn canonical(key: &ClassKey, game: &dyn Game<Self>) -> (ClassKey, bool)
            = ClassKey::canonical_generic;
        fn table(
            tables: &Tables<Self>,
            key: &ClassKey,
        ) -> Result<Option<Arc<Table>>, InputError> = Tables::table_generic;
        fn kept_tables(tables: &Tables<Self>) -> Vec<Arc<Table>> = Tables::kept_generic;
        fn position_of(
            tables: &Tables<Self>,
            class: &Class,
            index: u64,
            swap: bool,
        ) -> Option<Position<Self>> = Tables::position_generic;
        fn table_value(
            tables: &Tables<Self>,
            p: &Position<Self>,
        ) -> Result<Option<Value>, InputError> = Tables::value_generic;
        fn probe(tables: &Tables<Self>, p: &Position<Self>) -> Result<Option<Probe>, InputError>
            = Tables::probe_generic;
        fn table_line(
            tables: &Tables<Self>,
            p: &Position<Self>,
        ) -> Result<Vec<TurnValue>, InputError> = Tables::line_generic;
    }
}
