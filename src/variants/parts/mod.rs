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

use position::{Narrow, Wide};
use rules::{Rules, VariantInfo};

/// What the GOAL variants declare alike. Each of them declares what differs.
pub const GOAL_VARIANT: VariantInfo = VariantInfo {
    inventor: "Tony Paletta",
    page: "The Chess Variant Pages, Modest Proposals: GOAL Variants, 2001",
    ..VariantInfo::FIDE
};

/// Returns what a GOAL variant without options declares like others: its rule set is `R`, in this source file.
pub const fn goal_variant<R>(source: &'static str) -> VariantInfo
where
    R: Rules<Narrow> + Rules<Wide> + Default + 'static,
{
    VariantInfo {
        inventor: GOAL_VARIANT.inventor,
        page: GOAL_VARIANT.page,
        ..VariantInfo::of::<R>(source)
    }
}
