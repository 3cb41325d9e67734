//! Triple-Check: a check must be safe, supported or no capture; one that is all three wins.

use super::board::{Kind, Pos, Step};
use super::fide::{self, Fide};
use super::{Law, forced, over};

pub struct TripleCheck {
    /// Whether a unit is safe if no turn that is legal in Triple Check captures it.
    pub own: bool,
}

impl TripleCheck {
    /// Returns whether no legal turn of the side to move captures the unit on the square. Legal means legal
    /// in FIDE or, with the option, in Triple Check.
    fn safe(&self, after: &Pos, unit: usize) -> bool {
        !fide::turns(&Fide, after).iter().any(|turn| {
            let step = &turn.steps[0];
            let taken = match step.kind {
                Kind::EnPassant => fide::passed(after, step.from, step.to),
                _ => step.to,
            };
            // The legality only of captures is checked, so that the recursion ends.
            step.captured.is_some()
                && taken == unit
                && (!self.own || self.legal(after, &turn.steps, &turn.after))
        })
    }

    /// Returns whether another unit of the same side attacks the unit's square.
    fn supported(&self, after: &Pos, unit: usize) -> bool {
        self.attacked(after, unit, !after.white)
    }
}

impl Law for TripleCheck {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("over", "")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        value == "triple-check"
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        if self.in_danger(after, before.white) {
            return false;
        }
        let quiet = steps.iter().all(|step| step.captured.is_none());
        fide::checkers(self, after, after.white)
            .into_iter()
            .all(|unit| quiet || self.safe(after, unit) || self.supported(after, unit))
    }

    fn note(&self, _before: &Pos, steps: &[Step], after: &mut Pos) {
        let quiet = steps.iter().all(|step| step.captured.is_none());
        let checkers = fide::checkers(self, after, after.white);
        let all = !checkers.is_empty()
            && quiet
            && checkers
                .iter()
                .all(|&unit| self.safe(after, unit) && self.supported(after, unit));
        if all {
            after.set("over", "triple-check");
        } else {
            after.unset("over");
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        over(pos)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        forced(self, pos, "forced-check")
    }
}
