//! The order of the house, where the compiler does not hold it: which crate may depend on which, what
//! a rule set may use, who prints, which colors stand on which.

mod contrast;
mod layers;
mod naive;
mod printing;
mod rule_sets;
mod sources;
