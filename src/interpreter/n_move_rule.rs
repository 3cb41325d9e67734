//! The n-move rule of definitions that make its count a part of the position: which turns are progress, and
//! when a game without progress is drawn. The count is the FEN's halfmove clock, up to the limit of the rule.

use crate::bound_rules::BoundRules;
use board::{Square, Squares};
use position::{Layout, Position};
use rules::{Action, Carried, Turn};

impl<S: Squares> BoundRules<S> {
    /// Updates the count in `after`, the position after a turn from `p`.
    pub(crate) fn count_quiet<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        turn: &Turn,
        captured: bool,
        after: &mut Position<W>,
    ) {
        let progress = captured || self.is_progress(p, turn);
        let before = <Self as Carried<W>>::clock(self, p);
        let clock = if progress {
            0
        } else {
            before.saturating_add(1)
        };
        <Self as Carried<W>>::set_clock(self, after, clock);
    }

    /// Returns whether a turn without a capture is progress: a drop, a permanent promotion, or an
    /// irreversible step of a unit of `nMoveRuleTypes`. A step is irreversible if the unit can never step
    /// back, whatever other units are on the board. A pass is not progress.
    fn is_progress<W: Layout<Set = S>>(&self, p: &Position<W>, turn: &Turn) -> bool {
        let us = p.side;
        let step = turn.first();
        let (from, to, kind) = (step.from, step.to, step.kind());
        let named = self.law.definition.history.n_move_types[us.index()];
        let stays = |to: Square| {
            let counts = self
                .law
                .kinds
                .piece(kind)
                .is_some_and(|piece| named.has(piece));
            counts && !self.moves.of(us, kind).always[to.index()].has(from)
        };
        match step.action() {
            Action::Place => true,
            Action::Castle => {
                let mut wings = self.wings[us.index()].iter().flatten();
                wings
                    .find(|wing| wing.castles(from, to))
                    .is_some_and(|wing| stays(wing.king_to))
            }
            _ => match step.becomes() {
                None => from != to && stays(to),
                Some(becomes) => {
                    let role = self.roles[us.index()][kind.index()];
                    let chosen = || {
                        role.pawn
                            && self.zone[us.index()].has(to)
                            && self.choices(p, us).contains(&becomes)
                    };
                    // With demotion, a promotion as in shogi is not permanent.
                    let turns = self.law.definition.promotion.demotion
                        && [role.promoted, role.demoted].contains(&Some(becomes))
                        && !chosen();
                    !turns || stays(to)
                }
            },
        }
    }

    /// Returns whether the count has reached the limit of the n-move rule.
    #[inline(always)]
    pub(crate) fn is_quiet<W: Layout<Set = S>>(&self, p: &Position<W>) -> bool {
        let quiet = self.law.state.quiet;
        quiet.most() > 0 && quiet.get(p) >= self.law.definition.quiet_plies()
    }
}
