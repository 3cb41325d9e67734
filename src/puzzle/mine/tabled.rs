//! Positions of endgame tables in which exactly one turn wins in time.
//!
//! A table stores every placement of its units with the distance to the win. It shows which positions are won
//! in a given number of moves, and the values after each turn show how many turns keep the win. The search
//! decides whether a win fits the stipulation by its reason, and whether orthodox chess has the same
//! solution.

use super::random;
use board::Color;
use control::{Control, parallel};
use position::{Layout, Position};
use problems::{Goal, Play, Stipulation};
use rules::{Game, Turn, with_turns};
use std::sync::Arc;
use tables::{Class, Failed, Signature, Table, Tables, build_here, goes_on, materials, plan};
use values::oracle::wins_within;

/// All endings with at most this many units are solved.
const ALWAYS_UNITS: usize = 3;
/// Larger endings, up to this many units, are solved only if cheap.
const MAX_UNITS: usize = 4;
/// The maximum number of larger endings whose cost is estimated, since estimates take time.
const MAX_LARGE: usize = 8;
/// The maximum number of indices of a cheap ending, including all endings to which it leads.
const CHEAP_INDICES: u64 = 6 << 20;
/// The maximum number of indices of all endings together. A value takes two bytes.
const ALL_INDICES: u64 = 8 << 20;
/// The maximum memory in bytes for solving an ending. Endings that need more are left out.
const MEMORY_BYTES: u64 = 512 << 20;

/// Returns whether tables can answer a stipulation: a forced win in direct play.
pub fn serves(asked: &Stipulation) -> bool {
    asked.play == Play::Direct && matches!(asked.goal, Goal::Win | Goal::Mate | Goal::Reason(_))
}

/// A table whose positions have White to move, if necessary after swapping the sides.
struct Seen {
    table: Arc<Table>,
    swap: bool,
}

/// The solved small endings of a game.
pub struct Endings<W: Layout> {
    tables: Tables<W>,
    seen: Vec<Seen>,
}

/// A position of [`Endings`]: the number of the table, and the index in the table.
pub type TableIndex = (u32, u32);

impl<W: Layout> Endings<W> {
    /// Solves endings with at most `units` units. Endings of up to three units come first, followed by those
    /// endings of four units that are cheap enough, in an order that depends on the seed, until the limits
    /// are reached. The result may be empty, since some rule sets have no game with few units. If `control`
    /// stops the run, the endings solved so far are kept.
    pub fn new(
        game: &Arc<dyn Game<W>>,
        units: usize,
        seed: u64,
        control: &Control<'_>,
    ) -> Endings<W> {
        let tables = Tables::new(Arc::clone(game), None);
        // A fixed memory limit, so the endings do not depend on the machine.
        let control = control.with_memory(MEMORY_BYTES);
        // Endings that cannot be solved are left out.
        let _ = parallel::in_pool(control.threads(), || solve(&tables, units, seed, &control));
        let swaps = game.symmetries().colors;
        let seen = tables.kept().into_iter().filter_map(|table| {
            let key = table.class.key;
            match key.side {
                Color::White => Some(Seen { table, swap: false }),
                Color::Black => (swaps && game.carried().swapped_state(key.state).is_some())
                    .then_some(Seen { table, swap: true }),
            }
        });
        Endings {
            seen: seen.collect(),
            tables,
        }
    }

    /// Returns whether no ending was small enough.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Returns the tables, so that a search can probe them.
    pub fn tables(&self) -> &Tables<W> {
        &self.tables
    }

    /// Returns at most `most` positions with White to move that White wins in exactly `moves` moves. They are
    /// taken from the tables in turn, in an order that `name` and `seed` determine.
    pub fn won_in(&self, moves: u32, seed: u64, name: &str, most: u64) -> Vec<TableIndex> {
        let mut hands: Vec<Vec<TableIndex>> = Vec::new();
        for (number, seen) in (0..).zip(&self.seen) {
            let exactly = |index: &u32| {
                seen.table
                    .value(u64::from(*index))
                    .is_some_and(|v| wins_within(v, moves) && !wins_within(v, moves - 1))
            };
            let indices = 0..u32::try_from(seen.table.class.len()).unwrap_or(u32::MAX);
            let mut hand: Vec<TableIndex> = indices.filter(exactly).map(|i| (number, i)).collect();
            let mut random = random::generator(seed, name, u64::from(number));
            random.shuffle(&mut hand);
            hands.push(hand);
        }
        random::generator(seed, name, u64::MAX).shuffle(&mut hands);
        let mut dealt = Vec::new();
        while (dealt.len() as u64) < most && !hands.is_empty() {
            hands.retain_mut(|hand| {
                let place = hand.pop();
                dealt.extend(place);
                place.is_some()
            });
        }
        dealt.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        dealt
    }

    /// Returns the position with an index, with White to move.
    pub fn position(&self, (number, index): TableIndex) -> Option<Position<W>> {
        let seen = self.seen.get(number as usize)?;
        let index = u64::from(index);
        self.tables.position(&seen.table.class, index, seen.swap)
    }

    /// Returns the position with an index and its key, if exactly one turn wins within `moves` moves.
    pub fn riddle(&self, place: TableIndex, moves: u32) -> Option<(Position<W>, Turn)> {
        let game = self.tables.game();
        let p = self.position(place)?;
        with_turns(|turns| {
            game.turns(&p, turns);
            let mut key = None;
            for turn in turns.iter() {
                let after = self.tables.value(&game.play(&p, turn)).ok()??;
                if wins_within(after.before_turn().ok()?, moves) && key.replace(*turn).is_some() {
                    return None;
                }
            }
            Some((p, key?))
        })
    }
}

fn solve<W: Layout>(
    tables: &Tables<W>,
    units: usize,
    seed: u64,
    control: &Control<'_>,
) -> Result<(), Failed> {
    let game = tables.game();
    let both_ways = !game.symmetries().colors;
    let mut left = ALL_INDICES;
    for total in 2..=units.min(MAX_UNITS) {
        let mut signatures: Vec<Signature> = Vec::new();
        for white in (1..total).rev() {
            let black = total - white;
            if white >= black || both_ways {
                signatures.extend(materials(game, white, black));
            }
        }
        random::generator(seed, "endings", total as u64).shuffle(&mut signatures);
        let large = total > ALWAYS_UNITS;
        if large {
            signatures.truncate(MAX_LARGE);
        }
        for signature in signatures {
            if control.check().is_err() {
                return Ok(());
            }
            let most = if large { CHEAP_INDICES } else { ALL_INDICES }.min(left);
            let cheap = is_cheap(tables, &signature, most, control)?;
            if !cheap || !goes_on(game, &signature, control)? {
                continue;
            }
            match build_here(tables, &signature, control) {
                Ok(built) => left = left.saturating_sub(built.indices),
                Err(Failed::Memory { .. }) => {}
                Err(stopped) => return Err(stopped),
            }
        }
    }
    Ok(())
}

/// Returns whether an ending and all endings to which it leads have at most `most` unsolved indices.
fn is_cheap<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    most: u64,
    control: &Control<'_>,
) -> Result<bool, Failed> {
    // Check the ending's own positions first, since they can be counted without generating any.
    let own = |key| Class::new(tables.game(), tables.canonical(&key).0).len();
    if signature.keys().map(own).iter().sum::<u64>() > most {
        return Ok(false);
    }
    let groups = plan(tables, signature, control)?;
    Ok(groups.iter().map(|group| group.indices).sum::<u64>() <= most)
}
