//! Proofs: forced wins far from the end, and certificates that anyone can check.
//!
//! * [`Goal`]: the goal that a side tries to force.
//! * [`Prover`]: searches for a proof, and shows within how many plies there is none.
//! * [`certificate`]: proofs as files.
//! * [`check`](mod@check): checks a certificate with the rules alone.
//! * [`walk`]: plays from a certificate, and prints its lines.
//!
//! # Why answers are sound
//! A search by length examines a position together with the plies left: can the goal be forced within them?
//! Each turn takes one ply. So neither a proof nor a disproof within these plies depends on itself, even if
//! positions recur.
//!
//! A search of any length examines a position alone. A position counts as proven only if everything that its
//! proof needs was proven before it. The length of its proof is one more than theirs, so lengths fall along
//! every line, and no proof depends on itself. A line that returns to one of its positions is given up. That
//! neither proves nor disproves anything, and is not stored.
//!
//! An attacker restricted to forcing turns has fewer turns, so what this attacker forces is forced. What this
//! attacker fails to force is stored separately, because it says nothing about an unrestricted attacker.
//!
//! A refutation, which rules out a proof within a number of plies, has one answer for each position of the
//! defender: see [`Kind::Refute`].
//!
//! A disproof for games of any length comes only from ends of the game, or from the complete graph if it is
//! small. No answer relies on the search alone: each one comes with a certificate, which [`check`](mod@check)
//! checks with the rules.

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
pub use limits::{Limits, MAX_PLIES, Report};
pub use position::Layout;
pub use prover::{Found, Prover, Status};
pub use refutation::{MAX_REFUTATION_BYTES, Unrefuted};
pub use search::Goal;
