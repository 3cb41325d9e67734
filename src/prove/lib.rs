//! Proofs: forced wins far from the end, and certificates that anyone can check.
//!
//! * [`Goal`]: what is to be forced.
//! * [`Prover`]: the search for a proof, and for what can be shown while there is none.
//! * [`certificate`]: proofs as files.
//! * [`check`](mod@check): checks a certificate, with nothing but the rules.
//! * [`walk`]: plays from a certificate, and prints it.
//!
//! # What is sound, and why
//! A search by length examines a position together with the plies that are left: can the goal be
//! forced within them? Each turn takes one of them, so no answer ever rests on itself, however
//! often positions recur: neither a proof nor a disproof within these plies.
//!
//! A search of any length examines a position alone. A position counts as proven when all that
//! its proof needs has been proven before it; its length is one more than what those had, so it falls
//! along every line, and no proof rests on itself. A line that comes back to one of its positions is
//! given up, which neither proves nor disproves anything: it is noted nowhere.
//!
//! An attacker restricted to forcing turns has fewer turns, and what it forces is forced. That it
//! cannot is noted apart, as it says nothing about an attacker who is free.
//!
//! A refutation, which rules out a proof within a number of plies, has one answer for each position of
//! the defender: see [`Kind::Refute`].
//!
//! A disproof for ever comes only from ends of the game, or from the graph of all positions where
//! that is small. And nothing rests on the search alone: each answer comes with a certificate, which
//! [`check`](mod@check) checks with the rules.

pub mod certificate;
pub mod check;
mod check_refutation;
mod extract;
mod graph_proof;
mod limits;
mod number_search;
mod proof_numbers;
mod prover;
mod question;
mod refutation;
mod saved;
mod table;
mod thread_marks;
pub mod walk;

pub use certificate::{Certificate, Kind};
pub use limits::{Limits, Report};
pub use position::Layout;
pub use prover::{Found, Prover, Status};
pub use refutation::{MAX_REFUTATION_BYTES, Unrefuted};
pub use search::Goal;
