//! The progress of a search: the numbers of the root, and the line that looks best.

use super::Prover;
use super::schedule::Way;
use crate::limits::Report;
use crate::proof_numbers::{ANY, ProofNumbers, after_one};
use crate::table::hash;
use notation::turns;
use position::{Layout, Position};

/// Maximum number of turns of a line in a report.
const LINE_TURNS: usize = 12;

impl<W: Layout> Prover<'_, W> {
    /// Returns the table's numbers of a position.
    pub(super) fn recall(&self, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        self.recall_of(Way::Free, p, plies)
    }

    fn recall_of(&self, way: Way, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        let (question, table) = self.part(way);
        let plies = question.plies(p.side, plies);
        let key = question.key(p);
        table.get(&key, hash(&key), plies)
    }

    /// Returns the progress of the search for a proof within `plies` plies.
    pub(super) fn report(&self, way: Way, plies: u16) -> Report {
        let root = self.recall_of(way, &self.root, plies);
        let game = self.question.game;
        let mut line = Vec::new();
        let (mut p, mut left) = (self.root, plies);
        while line.len() < LINE_TURNS && left > 0 {
            left = after_one(left);
            let attacks = p.side == self.question.attacker;
            let best = turns::sorted(game, &p)
                .into_iter()
                .filter_map(|(text, turn)| {
                    let after = game.play(&p, &turn);
                    let known = self.recall_of(way, &after, left)?;
                    let number = if attacks { known.pn } else { known.dn };
                    Some((number, text, after))
                })
                .min_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
            let Some((_, text, after)) = best else {
                break;
            };
            line.push(text);
            p = after;
        }
        Report {
            positions: self.course.positions,
            plies: (plies != ANY).then_some(plies),
            forcing: way == Way::Forcing,
            proof_number: root.map_or(1, |known| known.pn),
            disproof_number: root.map_or(1, |known| known.dn),
            none_within_plies: self.course.none_within,
            line,
            table_bytes: self.table_bytes(),
        }
    }
}
