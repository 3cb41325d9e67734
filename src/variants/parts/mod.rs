//! Rules that several rule sets share. Each rule takes its parameters as arguments and never depends on the
//! file of a rule set.

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

/// The declarations that all GOAL variants have in common. Each of these variants replaces the fields that
/// differ.
pub const GOAL_VARIANT: VariantInfo = VariantInfo {
    inventor: "Tony Paletta",
    page: "The Chess Variant Pages, Modest Proposals: GOAL Variants, 2001",
    ..VariantInfo::FIDE
};

/// Returns the common declarations of a GOAL variant without options. `R` is its rule set, and `source` the
/// text of its source file.
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
