//! Extracts the certificate of an answer: one turn for each position that the choosing side meets.
//!
//! The table of the search shows which turns keep the promised result. If the table has lost an entry, the
//! position is searched again, within the plies that the position before it leaves. So the promised plies
//! fall along every line of a proof, and no line can return to an earlier position.
//!
//! Numbers that come from an oracle or from a saved search may be false. Then a position is reached in which no
//! turn keeps the promise, and the extraction fails.

use crate::certificate::{Entry, Kind};
use crate::limits::{MAX_PLIES, Pause};
use crate::number_search::Search;
use crate::proof_numbers::{FOR_EVER, ProofNumbers};
use board::Color;
use control::Stopped;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use rustc_hash::{FxHashMap, FxHashSet};

type Key = Box<[u64]>;

/// A position with the turn chosen there.
struct Chosen<W: Layout> {
    position: Position<W>,
    /// Plies within which the turn promises the end. Meaningless if the goal is avoided.
    plies: u16,
    turn: Turn,
}

/// Collects the turns of the choosing side.
struct Extract<'e, 's, 'a, W: Layout> {
    search: &'e mut Search<'s, 'a, W>,
    kind: Kind,
    chooser: Color,
    chosen: FxHashMap<Key, Chosen<W>>,
    open: Vec<(Position<W>, u16)>,
}

/// The pause of an extraction whose numbers are false.
const CONTRADICTION: Pause = Pause::Stop(Stopped::Contradiction);

/// Returns the entries for a root that is proven, or disproven forever, and the plies from the root to the
/// end. The game continues in the position of each entry.
///
/// # Errors
/// If the search is stopped, or the numbers contradict the rules ([`Stopped::Contradiction`]).
pub fn extract<W: Layout>(
    search: &mut Search<'_, '_, W>,
    root: &Position<W>,
    known: ProofNumbers,
) -> Result<(Vec<Entry>, u16), Pause> {
    let attacker = search.question.attacker;
    let (kind, chooser) = if known.is_proven() {
        (Kind::Force, attacker)
    } else {
        (Kind::Avoid, !attacker)
    };
    let mut extract = Extract {
        search,
        kind,
        chooser,
        chosen: FxHashMap::default(),
        open: Vec::new(),
    };
    let plies = if kind == Kind::Force {
        known.plies
    } else {
        MAX_PLIES
    };
    if root.side == chooser {
        extract.open.push((*root, plies));
    } else {
        extract.answers(root, plies)?;
    }
    while let Some((p, plies)) = extract.open.pop() {
        extract.choose(&p, plies)?;
    }
    Ok(extract.entries(root))
}

impl<W: Layout> Extract<'_, '_, '_, W> {
    /// Returns the positions after all turns of the other side, except those in which the game is over.
    fn after_answers(&self, p: &Position<W>) -> Vec<Position<W>> {
        let game = self.search.question.game;
        with_turns(|turns| {
            game.turns(p, turns);
            let after = turns.iter().map(|turn| game.play(p, turn));
            after.filter(|p| game.outcome(p).is_ongoing()).collect()
        })
    }

    /// Queues the positions after each turn of the other side, with the plies left there. `plies` are left
    /// before the turn.
    fn answers(&mut self, p: &Position<W>, plies: u16) -> Result<(), Pause> {
        let left = self.left(plies)?;
        let after = self.after_answers(p).into_iter();
        self.open.extend(after.map(|after| (after, left)));
        Ok(())
    }

    /// Returns the plies left after one turn, where the game is not over before it.
    fn left(&self, plies: u16) -> Result<u16, Pause> {
        match self.kind {
            Kind::Force => plies.checked_sub(1).ok_or(CONTRADICTION),
            Kind::Avoid | Kind::Refute => Ok(plies),
        }
    }

    /// Returns the plies that an entry promises, if the entry shows the result that is certified.
    fn promised(&self, known: ProofNumbers) -> Option<u16> {
        match self.kind {
            Kind::Force => known.is_proven().then_some(known.plies),
            Kind::Avoid | Kind::Refute => {
                (known.is_disproven() && known.plies == FOR_EVER).then_some(MAX_PLIES)
            }
        }
    }

    /// Returns the turn with the fewest plies promised by the table, and the plies left after it.
    fn promising(
        &mut self,
        p: &Position<W>,
        list: &[Turn],
        plies: u16,
    ) -> Result<Option<(Turn, u16)>, Pause> {
        let game = self.search.question.game;
        let mut best: Option<(Turn, u16)> = None;
        for turn in list {
            let after = game.play(p, turn);
            let promised = if self.search.question.reaches(p, turn, &after) {
                Some(0)
            } else {
                let known = self.search.recall(&after, plies)?;
                known.and_then(|known| self.promised(known))
            };
            if let Some(left) = promised
                && best.is_none_or(|(_, least)| left < least)
            {
                best = Some((*turn, left));
            }
        }
        Ok(best)
    }

    /// Returns a turn after which all answers lead to positions that the table promises, and the plies left
    /// after the turn.
    fn promising_beyond(
        &mut self,
        p: &Position<W>,
        list: &[Turn],
        plies: u16,
    ) -> Result<Option<(Turn, u16)>, Pause> {
        let game = self.search.question.game;
        let forces = u16::from(self.kind == Kind::Force);
        let beyond = plies.saturating_sub(forces);
        for turn in list {
            let after = game.play(p, turn);
            if plies == 0 || !game.outcome(&after).is_ongoing() {
                continue;
            }
            let mut answers = Vec::new();
            game.turns(&after, &mut answers);
            let mut most = None;
            for answer in &answers {
                let known = self.search.recall(&game.play(&after, answer), beyond)?;
                let promised = known.and_then(|known| self.promised(known));
                most = promised.max(promised.and(most));
                if promised.is_none() {
                    break;
                }
            }
            if let Some(most) = most {
                return Ok(Some((*turn, most + forces)));
            }
        }
        Ok(None)
    }

    fn choose(&mut self, p: &Position<W>, plies: u16) -> Result<(), Pause> {
        let key = self.search.question.key(p);
        if self
            .chosen
            .get(&key)
            .is_some_and(|chosen| chosen.plies <= plies)
        {
            return Ok(());
        }
        let game = self.search.question.game;
        let mut list = Vec::new();
        game.turns(p, &mut list);
        let left = self.left(plies)?;
        let mut found = self.promising(p, &list, left)?;
        if found.is_none() {
            found = self.promising_beyond(p, &list, left)?;
        }
        if found.is_none() {
            self.search.solve_again(p, plies)?;
            found = self.promising(p, &list, left)?;
        }
        if found.is_none() {
            // The table has lost the entry again. Search the turns one by one.
            for turn in &list {
                let after = game.play(p, turn);
                if !game.outcome(&after).is_ongoing() {
                    continue;
                }
                let known = self.search.solve(&after, left)?;
                if let Some(left) = self.promised(known) {
                    found = Some((*turn, left));
                    break;
                }
            }
        }
        let Some((turn, left)) = found else {
            // If the oracle's value of the position is false, it says so itself.
            self.search.question.told(p, plies)?;
            return Err(CONTRADICTION);
        };
        let plies = match self.kind {
            Kind::Force => left + 1,
            Kind::Avoid | Kind::Refute => left,
        };
        let chosen = Chosen {
            position: *p,
            plies,
            turn,
        };
        self.chosen.insert(key, chosen);
        let after = game.play(p, &turn);
        match self.search.question.is_over(p, &turn, &after) {
            true => Ok(()),
            false => self.answers(&after, left),
        }
    }

    /// Returns the entries of the positions that the chosen turns reach, with their ranks, and the plies from
    /// the root.
    fn entries(&self, root: &Position<W>) -> (Vec<Entry>, u16) {
        let game = self.search.question.game;
        let mut reached: FxHashSet<&Key> = FxHashSet::default();
        let mut order: Vec<(&Key, &Chosen<W>)> = Vec::new();
        let mut open: Vec<Position<W>> = if root.side == self.chooser {
            vec![*root]
        } else {
            self.after_answers(root)
        };
        while let Some(p) = open.pop() {
            let (key, chosen) = self
                .chosen
                .get_key_value(&self.search.question.key(&p))
                .expect("every position reached was asked for a turn");
            if reached.insert(key) {
                order.push((key, chosen));
                let after = game.play(&p, &chosen.turn);
                if !self.search.question.is_over(&p, &chosen.turn, &after) {
                    open.extend(self.after_answers(&after));
                }
            }
        }
        order.sort_by(|a, b| (a.1.plies, a.0).cmp(&(b.1.plies, b.0)));
        let mut ranks: FxHashMap<Key, u16> = FxHashMap::default();
        let most = |ranks: &FxHashMap<Key, u16>, p: &Position<W>| {
            let after = self.after_answers(p);
            let rank = |p: &Position<W>| {
                ranks
                    .get(&self.search.question.key(p))
                    .copied()
                    .unwrap_or(0)
            };
            1 + after.iter().map(rank).max().unwrap_or(0)
        };
        let mut entries = Vec::new();
        for (key, chosen) in order {
            let p = &chosen.position;
            let rank = match self.kind {
                Kind::Force => {
                    let after = game.play(p, &chosen.turn);
                    match self.search.question.is_over(p, &chosen.turn, &after) {
                        true => 1,
                        false => 1 + most(&ranks, &after),
                    }
                }
                Kind::Avoid | Kind::Refute => 0,
            };
            ranks.insert(key.clone(), rank);
            let turn = self.search.question.number(p, &chosen.turn);
            entries.push(Entry {
                key: key.clone(),
                rank,
                turn: turn.expect("a legal turn, one of a few thousand"),
            });
        }
        let plies = match self.kind {
            Kind::Avoid | Kind::Refute => 0,
            Kind::Force if root.side == self.chooser => ranks[&self.search.question.key(root)],
            Kind::Force => most(&ranks, root),
        };
        (entries, plies)
    }
}
