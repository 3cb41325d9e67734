//! What this layer compiles once for each layout, so that no layer above compiles it again.

use crate::certificate::Certificate;
use crate::check::{self, Checked};
use crate::limits::Observer;
use crate::prover::{Found, Prover};
use crate::walk::{self, Branches, Walk};
use diagnostics::InputError;
use position::Position;
use rules::Game;
use std::sync::atomic::AtomicBool;

position::compiled_for_each_layout! {
    /// The layouts, with the search for proofs and their checks compiled for each.
    pub trait Layout: problems::Layout {
        fn prove(
            prover: &mut Prover<'_, Self>,
            stop: &AtomicBool,
            observer: &dyn Observer,
        ) -> Found = Prover::run_generic;
        fn learn(
            prover: &mut Prover<'_, Self>,
            game: &dyn Game<Self>,
            root: &Position<Self>,
            certificate: &Certificate,
        ) -> Result<u64, InputError> = Prover::learn_generic;
        fn check(
            game: &dyn Game<Self>,
            root: &Position<Self>,
            certificate: &Certificate,
        ) -> Result<Checked, InputError> = check::check_generic;
        fn follow(
            game: &dyn Game<Self>,
            root: &Position<Self>,
            certificate: &Certificate,
            turns: &[String],
        ) -> Result<Walk, InputError> = walk::follow_generic;
        fn branches(
            game: &dyn Game<Self>,
            root: &Position<Self>,
            certificate: &Certificate,
            branches: &Branches,
        ) -> Result<String, InputError> = walk::branches_generic;
    }
}
