//! Finds the attackers of a square. Units of a side with the same attacks form a group, so that one backward
//! search from the square finds all attackers of the group.

use crate::attacks::{Attacks, Riders, Specialist};
use crate::builder::{ATTACK, Special};
use crate::moves::MoveTables;
use board::{Color, Kind, Square, Squares};
use rules::Attack;

/// Number of groups whose units are computed in advance for each position. The units of further groups are
/// computed when they are needed.
const ARMIES: usize = 16;

/// The units of a position by kind, and those of one side by group.
#[derive(Clone, Copy, Debug)]
pub struct Units<S> {
    /// By kind, the units of both sides.
    pub kinds: [S; 64],
    /// The attacking side.
    by: Color,
    /// The units of the attacking side.
    theirs: S,
    armies: [S; ARMIES],
}

/// Constraints on the turns of units that are not royal, so that no royal unit is left attacked.
#[derive(Clone, Copy, Debug)]
pub struct KingSafety<S> {
    /// The squares on which a turn must end: those between a royal unit and its attacker, and the attacker's
    /// square.
    pub mask: S,
    /// Units that shield a royal unit from one attacker.
    pub pinned: S,
    pins: [(Square, S); PINS],
    count: usize,
    /// The squares from which turns must be tested one by one.
    pub from_zone: S,
    /// The squares to which turns must be tested one by one.
    pub to_zone: S,
    /// Whether a royal unit is attacked.
    pub exposed: bool,
    /// Whether a king is attacked by a unit other than a facing king.
    pub in_check: bool,
    /// Whether all turns must be tested one by one, because `mask` cannot express an attack on a royal unit.
    pub unsure: bool,
}

/// Maximum number of stored pins. Turns of units with further pins are tested one by one.
const PINS: usize = 8;

impl<S: Squares> KingSafety<S> {
    /// Returns an empty list of constraints.
    pub fn new() -> KingSafety<S> {
        KingSafety {
            mask: !S::EMPTY,
            pinned: S::EMPTY,
            pins: [(Square(0), S::EMPTY); PINS],
            count: 0,
            from_zone: S::EMPTY,
            to_zone: S::EMPTY,
            exposed: false,
            in_check: false,
            unsure: false,
        }
    }

    /// Removes all constraints. If `unsure` is set, all turns must be tested one by one.
    #[inline(always)]
    pub fn reset(&mut self, unsure: bool) {
        self.mask = !S::EMPTY;
        (self.pinned, self.count) = (S::EMPTY, 0);
        (self.from_zone, self.to_zone) = (S::EMPTY, S::EMPTY);
        (self.exposed, self.in_check, self.unsure) = (false, false, unsure);
    }

    /// Returns the targets that `mask` and the pins of a unit permit.
    #[inline(always)]
    pub fn safe_targets(&self, from: Square) -> S {
        if !self.pinned.has(from) {
            return self.mask;
        }
        self.pins[..self.count]
            .iter()
            .filter(|(unit, _)| *unit == from)
            .fold(self.mask, |all, (_, targets)| all & *targets)
    }

    #[inline(always)]
    fn pin(&mut self, unit: Square, targets: S) {
        if self.count == PINS {
            self.from_zone = self.from_zone.with(unit);
            return;
        }
        self.pinned = self.pinned.with(unit);
        self.pins[self.count] = (unit, targets);
        self.count += 1;
    }
}

impl<S: Squares> Units<S> {
    /// Returns empty groups.
    pub fn new() -> Units<S> {
        Units {
            kinds: [S::EMPTY; 64],
            by: Color::White,
            theirs: S::EMPTY,
            armies: [S::EMPTY; ARMIES],
        }
    }

    /// Groups the units of `by` by their attacks. The field `kinds` must already be filled.
    #[inline(always)]
    pub fn muster(&mut self, tables: &MoveTables<S>, by: Color, theirs: S) {
        (self.by, self.theirs) = (by, theirs);
        let masks = &tables.attacks[by.index()].armies;
        for (army, &mask) in self.armies.iter_mut().zip(masks) {
            *army = union(&self.kinds, mask) & theirs;
        }
    }

    #[inline(always)]
    fn army(&self, attacks: &Attacks<S>, army: u8) -> S {
        match self.armies.get(usize::from(army)) {
            Some(&units) => units,
            None => union(&self.kinds, attacks.armies[usize::from(army)]) & self.theirs,
        }
    }
}

/// Returns all units of the kinds in `mask` (a bit for each kind).
#[inline(always)]
fn union<S: Squares>(kinds: &[S; 64], mask: u64) -> S {
    let mut found = S::EMPTY;
    let mut left = mask;
    while left != 0 {
        found |= kinds[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    found
}

impl<S: Squares> MoveTables<S> {
    /// Returns whether a unit's special moves attack a square.
    fn special_attack(
        &self,
        color: Color,
        kind: Kind,
        from: Square,
        to: Square,
        occupied: S,
    ) -> bool {
        let moves = self.of(color, kind);
        moves.mobility.has(to)
            && moves
                .specials
                .iter()
                .any(|(special, uses)| uses & ATTACK != 0 && special.reach(from, occupied).has(to))
    }

    /// Returns the units among `theirs` that carry out an attack. If `royal` is set, facing kings are
    /// included. `kind_on` returns the kind of the unit on a square, `of_kind` the squares of a kind.
    #[inline(always)]
    pub fn attackers(
        &self,
        attack: Attack<S>,
        theirs: S,
        royal: bool,
        kind_on: impl Fn(Square) -> Kind,
        of_kind: impl Fn(Kind) -> S,
    ) -> S {
        let Attack {
            target,
            by,
            occupied,
        } = attack;
        let attacks = &self.attacks[by.index()];
        let mut found = S::EMPTY;
        for from in (attacks.leaps[target.index()] & theirs).iter() {
            let leap = &attacks.leap[kind_on(from).index()];
            if !leap.is_empty() && leap[target.index()].has(from) {
                found = found.with(from);
            }
        }
        for &(table, kinds) in &attacks.lines {
            for from in (self.seen(table, target, occupied) & theirs).iter() {
                let kind = kind_on(from);
                if kinds >> kind.index() & 1 != 0 && self.of(by, kind).mobility.has(target) {
                    found = found.with(from);
                }
            }
        }
        if royal && attacks.facing != 0 {
            for &table in &self.rook_lines {
                for from in (self.seen(table, target, occupied) & theirs).iter() {
                    if attacks.facing >> kind_on(from).index() & 1 != 0 {
                        found = found.with(from);
                    }
                }
            }
        }
        for special in &attacks.specials {
            for from in (special.origins[target.index()] & theirs & of_kind(special.kind)).iter() {
                if self.special_attack(by, special.kind, from, target, occupied) {
                    found = found.with(from);
                }
            }
        }
        found
    }

    /// Returns whether one of the units among `theirs` attacks a square if `occupied` are the occupied
    /// squares. If `royal` is set, facing kings attack too.
    #[inline]
    pub fn attacked(
        &self,
        units: &Units<S>,
        target: Square,
        theirs: S,
        occupied: S,
        royal: bool,
    ) -> bool {
        let attacks = &self.attacks[units.by.index()];
        let at = target.index();
        if !(attacks.leaps[at] & theirs).is_empty() {
            for leapers in &attacks.leapers {
                let army = units.army(attacks, leapers.army) & theirs;
                if !(leapers.back[at] & army).is_empty() {
                    return true;
                }
            }
        }
        for riders in &attacks.riders {
            if self.attacked_along(units, riders, target, theirs, occupied) {
                return true;
            }
        }
        if royal {
            for riders in &attacks.faced {
                if self.attacked_along(units, riders, target, theirs, occupied) {
                    return true;
                }
            }
        }
        !attacks.specials.is_empty() && self.attacked_specially(units, target, theirs, occupied)
    }

    #[inline(always)]
    fn attacked_along(
        &self,
        units: &Units<S>,
        riders: &Riders<S>,
        target: Square,
        theirs: S,
        occupied: S,
    ) -> bool {
        let army = units.army(&self.attacks[units.by.index()], riders.army) & theirs;
        let line = self.line(riders.table, target);
        !((line.lower | line.upper) & army).is_empty()
            && riders.mobility.has(target)
            && !(line.seen(occupied) & army).is_empty()
    }

    fn attacked_specially(&self, units: &Units<S>, target: Square, theirs: S, occupied: S) -> bool {
        self.attacks[units.by.index()]
            .specials
            .iter()
            .any(|special| {
                let from =
                    special.origins[target.index()] & theirs & units.kinds[special.kind.index()];
                from.iter()
                    .any(|from| self.special_attack(units.by, special.kind, from, target, occupied))
            })
    }

    /// Adds the constraints for the royal unit on a square. If `king` is set, no enemy king may face it.
    #[inline(always)]
    pub fn watch(
        &self,
        watch: &mut KingSafety<S>,
        units: &Units<S>,
        royal: Square,
        occupied: S,
        king: bool,
    ) {
        let attacks = &self.attacks[units.by.index()];
        let at = royal.index();
        if !(attacks.leaps[at] & units.theirs).is_empty() {
            for leapers in &attacks.leapers {
                let army = units.army(attacks, leapers.army);
                for attacker in (leapers.back[at] & army).iter() {
                    watch.mask &= S::of(attacker);
                    watch.exposed = true;
                    watch.in_check |= king;
                }
            }
        }
        for riders in &attacks.riders {
            self.watch_line(watch, units, riders, royal, occupied, king);
        }
        if king {
            for riders in &attacks.faced {
                self.watch_line(watch, units, riders, royal, occupied, false);
            }
        }
        for special in &attacks.specials {
            let from = special.origins[at] & units.theirs & units.kinds[special.kind.index()];
            for from in from.iter() {
                if self.special_attack(units.by, special.kind, from, royal, occupied) {
                    watch.exposed = true;
                    watch.in_check |= king;
                    watch.unsure = true;
                } else {
                    self.watch_special(watch, units, special, from, royal, occupied);
                }
            }
        }
    }

    #[inline(always)]
    fn watch_line(
        &self,
        watch: &mut KingSafety<S>,
        units: &Units<S>,
        riders: &Riders<S>,
        royal: Square,
        occupied: S,
        king: bool,
    ) {
        let attacks = &self.attacks[units.by.index()];
        let army = units.army(attacks, riders.army);
        let line = self.line(riders.table, royal);
        if ((line.lower | line.upper) & army).is_empty() || !riders.mobility.has(royal) {
            return;
        }
        // The squares up to and including a unit, toward higher and toward lower square numbers.
        let below = |unit: S| unit | unit.minus(S::from_bits(1));
        let above = |unit: S| !unit.minus(S::from_bits(1));
        for upper in [true, false] {
            let part = if upper { line.upper } else { line.lower };
            if (part & army).is_empty() {
                continue;
            }
            let nearest = |set: S| match upper {
                true => S::of(set.lowest()),
                false => set.highest_or_zero(),
            };
            let way = |unit: S| part & if upper { below(unit) } else { above(unit) };
            let on = part & occupied;
            let first = nearest(on);
            if !(first & army).is_empty() {
                watch.mask &= way(first);
                watch.exposed = true;
                watch.in_check |= king;
                continue;
            }
            let behind = on & !first;
            if !(first & units.theirs).is_empty() || behind.is_empty() {
                continue;
            }
            let second = nearest(behind);
            if !(second & army).is_empty() {
                watch.pin(first.lowest(), way(second));
            }
        }
    }

    /// Adds the constraints for a special unit that does not attack a royal unit now, but could after a turn.
    fn watch_special(
        &self,
        watch: &mut KingSafety<S>,
        units: &Units<S>,
        special: &Specialist<S>,
        from: Square,
        royal: Square,
        occupied: S,
    ) {
        let moves = self.of(units.by, special.kind);
        if !moves.mobility.has(royal) {
            return;
        }
        let own = occupied & !units.theirs;
        for (how, uses) in &moves.specials {
            if uses & ATTACK == 0 {
                continue;
            }
            match how {
                Special::Lame(steps) => {
                    for step in steps[from.index()].iter().filter(|step| step.to.has(royal)) {
                        // A unit opens the path by leaving it if it is the only unit on the path.
                        let stands = step.path & occupied;
                        if !stands.several() {
                            watch.from_zone |= stands & own;
                        }
                    }
                }
                Special::Hop {
                    ray,
                    range,
                    first_only: false,
                    ..
                } => {
                    if !range[from.index()].has(royal) {
                        continue;
                    }
                    // The royal unit is attacked if there is exactly one unit between. An empty line must not
                    // be entered, and of two units none may leave.
                    let between = ray[from.index()] & !ray[royal.index()].with(royal);
                    match (between & occupied).len() {
                        0 => watch.to_zone |= between,
                        2 => watch.from_zone |= between & own,
                        _ => {}
                    }
                }
                _ => {
                    let between = special.between[royal.index()];
                    watch.from_zone |= between;
                    watch.to_zone |= between;
                }
            }
        }
    }

    /// Returns the ways in which units of `by` can attack `target` by a step. The first result has, for each
    /// kind, the squares from which its units attack the target in this position. The second result contains
    /// the units that attack along a line already, or whose step may open a line for another unit.
    ///
    /// A step of any other unit attacks the target if and only if it ends on one of the squares of its kind.
    /// The result is valid only if all attacks are leaps or along lines.
    pub fn aims(
        &self,
        kinds: &[S; 64],
        target: Square,
        by: Color,
        own: S,
        occupied: S,
    ) -> ([S; 64], S) {
        let attacks = &self.attacks[by.index()];
        let mut aims = [S::EMPTY; 64];
        let mut shields = S::EMPTY;
        for (aim, leap) in aims.iter_mut().zip(&attacks.leap) {
            if !leap.is_empty() {
                *aim = leap[target.index()];
            }
        }
        for riders in &attacks.riders {
            if !riders.mobility.has(target) {
                continue;
            }
            let mask = attacks.armies[usize::from(riders.army)];
            let army = union(kinds, mask) & own;
            let line = self.line(riders.table, target);
            let seen = line.seen(occupied);
            let mut left = mask;
            while left != 0 {
                aims[left.trailing_zeros() as usize] |= seen;
                left &= left - 1;
            }
            shields |= seen & army;
            let near = seen & own;
            if !near.is_empty() && !((line.lower | line.upper) & army).is_empty() {
                let far = line.seen(occupied & !near) & !seen;
                if !(far & army).is_empty() {
                    shields |= near;
                }
            }
        }
        (aims, shields)
    }
}
