//! Clauses that several rule sets share, with their parameters as arguments.

pub mod capture;
pub mod checks;
pub mod extinction;
pub mod giving;
pub mod mating;
pub mod monarchs;
pub mod orthodox;
pub mod over;
pub mod pinned;
pub mod taken;

use rules::VariantInfo;

/// What the GOAL variants declare alike. Each of them declares what differs.
pub const GOAL_VARIANT: VariantInfo = VariantInfo {
    inventor: "Tony Paletta",
    page: "The Chess Variant Pages, Modest Proposals: GOAL Variants, 2001",
    ..VariantInfo::FIDE
};
