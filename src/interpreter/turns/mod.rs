//! The turn generator for definitions. Calls the parts in their order, and selects turns if captures or drops
//! are mandatory.
//!
//! * `units`: steps of units, one at a time or all of a kind together.
//! * `promotion`: the kinds that a unit may become on its target.
//! * `passing`: en passant captures.
//! * `castling`: castling.
//! * `drops`: drops of units from hand.
//! * `gates`: units that enter from hand on the square that an unmoved unit leaves.
//! * `special`: turns that only a single variant has.
//! * `safety`: tests whether turns leave the mover's royal units safe.
//!
//! The parts are methods of [`BoundRules`]. They take a [`Request`], and pass their turns to a consumer.

mod castling;
mod consumers;
mod drops;
pub(crate) mod gates;
mod passing;
mod promotion;
mod request;
mod safety;
mod special;
mod units;

pub(crate) use request::{Held, Request, Want};

use crate::analysis::{Analysis, Notes};
use crate::bound_rules::BoundRules;
use crate::check_filter::Asking;
use board::Squares;
use consumers::{Noting, Tally};
use position::{Layout, Position};
use rules::{Any, Consumer, Flow, Step, Turn, list, with_turns};

impl<S: Squares> BoundRules<S> {
    /// Generates the legal turns, with all rules applied.
    #[inline(always)]
    pub(crate) fn legal_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        let mut notes = Notes::new();
        self.legal_noted(p, &mut notes, consumer)
    }

    /// Like `legal_turns`, but takes buffers that are reused for the next position.
    #[inline(always)]
    fn legal_noted<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        notes: &mut Notes<S>,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let analysis = self.analysis(p, notes);
        let mut want = Want::All;
        if d.captures.mandatory {
            if d.drops.must_drop {
                if self.any(p, &analysis, Want::Captures) {
                    want = Want::Captures;
                }
            } else {
                let mut noting = Noting {
                    consumer: &mut *consumer,
                    any: false,
                };
                let captures: &mut dyn Consumer<S> = &mut noting;
                self.asked(p, &analysis, Want::Captures, true, captures)?;
                if noting.any {
                    return Flow::Continue(());
                }
            }
        }
        if d.drops.must_drop && self.has_to_drop(p) && self.any(p, &analysis, Want::Drops) {
            if want == Want::Captures {
                // Captures and drops are both mandatory, and a drop is not a capture, so no turn is legal.
                return Flow::Continue(());
            }
            want = Want::Drops;
        }
        self.asked(p, &analysis, want, true, consumer)?;
        self.passes(p, &analysis, want, consumer)
    }

    /// Counts the legal turns of a position that is not settled.
    fn count<W: Layout<Set = S>>(&self, p: &Position<W>, notes: &mut Notes<S>) -> u64 {
        let d = &self.law.definition;
        let mut tally = Tally {
            prey: p.color(!p.side),
            ..Tally::default()
        };
        if d.captures.mandatory && !d.drops.must_drop {
            // One pass counts all turns and the captures among them. If there are captures, only they are
            // legal.
            let analysis = self.analysis(p, notes);
            let _: Flow = self.asked(p, &analysis, Want::All, true, &mut tally);
            if tally.captures > 0 {
                return tally.captures;
            }
            let _: Flow = self.passes(p, &analysis, Want::All, &mut tally);
        } else {
            let _: Flow = self.legal_noted(p, notes, &mut tally);
        }
        tally.all
    }

    #[inline(never)]
    fn list<W: Layout<Set = S>>(&self, p: &Position<W>, turns: &mut Vec<Turn>) {
        let consumer: &mut dyn Consumer<S> = &mut list(turns);
        let _: Flow = self.legal_turns(p, consumer);
    }

    /// Counts the lines of two turns from a position.
    pub(crate) fn pairs<W: Layout<Set = S>>(&self, p: &Position<W>) -> u64 {
        with_turns(|turns| {
            self.list(p, turns);
            let mut notes = Notes::new();
            let mut count = 0;
            for turn in turns.iter() {
                let mut after = *p;
                self.carry_out(p, turn, &mut after);
                if self.ended(&after).is_none() {
                    count += self.count(&after, &mut notes);
                }
            }
            count
        })
    }

    /// Generates the pseudo-legal turns. They can leave royal units attacked, and mandatory captures and
    /// drops are ignored.
    pub(crate) fn pseudo_turns<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        consumer: &mut dyn Consumer<S>,
    ) -> Flow {
        let mut notes = Notes::new();
        let analysis = self.analysis(p, &mut notes);
        self.generate(p, &analysis, Want::All, false, consumer)?;
        self.passes(p, &analysis, Want::All, consumer)
    }

    /// Returns whether there is a legal turn of the requested kind, ignoring passes.
    #[inline(never)]
    pub(crate) fn any<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        want: Want,
    ) -> bool {
        let mut any = Any::default();
        let _: Flow = self.asked(p, analysis, want, true, &mut any as &mut dyn Consumer<S>);
        any.0
    }

    /// Generates the turns except passes. If the definition has rules on checks that some turns must be
    /// played to test, filters out turns that break these rules.
    #[inline]
    fn asked<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        if self.needs_check_trial {
            let asking: &mut dyn Consumer<S> = &mut Asking::new(self, p, consumer);
            self.generate(p, analysis, want, legal, asking)
        } else {
            self.generate(p, analysis, want, legal, consumer)
        }
    }

    /// Generates the pass, if the side to move may pass.
    #[inline(always)]
    fn passes<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        want: Want,
        consumer: &mut K,
    ) -> Flow {
        if matches!(want, Want::Captures | Want::Drops) {
            return Flow::Continue(());
        }
        let on_stalemate = self.law.definition.passing.on_stalemate[analysis.us.index()];
        match self.pass(p, analysis) {
            Some(pass) if !on_stalemate || !self.any(p, analysis, want) => consumer.turn(pass),
            _ => Flow::Continue(()),
        }
    }

    /// Returns the pass, if the definition has passes and the side to move is not in check.
    #[inline(always)]
    fn pass<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
    ) -> Option<Turn> {
        let passing = &self.law.definition.passing;
        let side = analysis.us.index();
        if !(passing.allowed[side] || passing.on_stalemate[side])
            || analysis.watch.exposed
            || analysis.duple && !self.royals_in_check(p, analysis.us).is_empty()
        {
            return None;
        }
        let unit = analysis.kings.first().or(analysis.own.first())?;
        Some(Turn::of(Step::go(p.kind_on(unit), unit, unit)))
    }

    /// Appends the legal turns that a rule text permits. Captures and drops are mandatory only if one is permitted, and a
    /// side passes on stalemate if no other turn is.
    pub(crate) fn permitted_turns<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        permits: &dyn Fn(&Turn) -> bool,
        out: &mut Vec<Turn>,
    ) {
        let d = &self.law.definition;
        let mut notes = Notes::new();
        let analysis = self.analysis(p, &mut notes);
        let permitted = |want: Want| {
            let mut turns = Vec::new();
            {
                let consumer: &mut dyn Consumer<S> = &mut list(&mut turns);
                let _: Flow = self.asked(p, &analysis, want, true, consumer);
            }
            turns.retain(permits);
            turns
        };
        let of = |mandatory: bool, want: Want| match mandatory {
            true => permitted(want),
            false => Vec::new(),
        };
        let captures = of(d.captures.mandatory, Want::Captures);
        let drops = of(d.drops.must_drop && self.has_to_drop(p), Want::Drops);
        match (captures.is_empty(), drops.is_empty()) {
            (true, true) => {
                let turns = permitted(Want::All);
                let is_stuck = turns.is_empty();
                out.extend(turns);
                let on_stalemate = d.passing.on_stalemate[analysis.us.index()];
                let pass = self
                    .pass(p, &analysis)
                    .filter(|_| is_stuck || !on_stalemate);
                out.extend(pass.filter(permits));
            }
            // A drop is not a capture, so no turn is both.
            (false, false) => {}
            (_, _) => out.extend(captures.into_iter().chain(drops)),
        }
    }

    /// Generates all turns except passes.
    #[inline]
    fn generate<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        want: Want,
        legal: bool,
        consumer: &mut K,
    ) -> Flow {
        let d = &self.law.definition;
        let side = analysis.us.index();
        let gates = self.gates(p, analysis.us);
        let request = &Request {
            position: p,
            analysis,
            want,
            legal,
            gates,
            held: &self.held(p, analysis.us, gates),
        };
        if want != Want::Drops {
            if consumer.examines_turns() {
                for from in analysis.own.iter() {
                    let mover = self.mover(analysis, p.kind_on(from));
                    self.unit(request, &mover, from, consumer)?;
                }
            } else {
                for kind in self.law.kinds.all() {
                    let mut units = analysis.units.kinds[kind.index()] & analysis.own;
                    if units.is_empty() {
                        continue;
                    }
                    let mover = self.mover(analysis, kind);
                    if legal && mover.role.together && mover.moves.ways.is_some() {
                        let apart = self.apart(request, &mover) | gates;
                        self.together(request, &mover, units & !apart, consumer)?;
                        units &= apart;
                    }
                    for from in units.iter() {
                        self.unit(request, &mover, from, consumer)?;
                    }
                }
            }
            if want != Want::Captures {
                self.castlings(request, consumer)?;
                if d.gating.cambodian && !gates.is_empty() {
                    self.first_leaps(request, consumer)?;
                }
            }
        }
        if d.drops.enabled && want != Want::Captures && self.law.state.hand[side].holds(p) {
            self.drop_turns(request, consumer)?;
        }
        Flow::Continue(())
    }
}
