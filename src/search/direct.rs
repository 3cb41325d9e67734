//! Direct play, one length at a time and in shares of positions, for programs that alternate between
//! searches.
//!
//! The search decides whether the attacker forces the goal within `moves` of its turns; unlike a problem's
//! solution, the answer does not list all keys. The transposition table is kept between lengths and shares,
//! so a search that was stopped repeats little work. The search never decides how long to search.

use crate::and_or::AndOrSearch;
use crate::goal::Goal;
use crate::judge::Judge;
use crate::limits::{Limits, REPORT_EVERY, Shared, Watch};
use crate::patterns::mate_bound::MateBound;
use crate::play::{MAX_MOVES, Play};
use crate::transpositions::{LeafTable, TranspositionTable};
use board::Color;
use control::evaluation::inherited;
use control::{Control, Stopped, parallel};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Turn};
use rustc_hash::FxHashSet;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use values::oracle::Oracle;

/// The maximum size in bytes of the table for positions near the leaves, chosen to fit in a processor's
/// cache.
const LEAF_BYTES: usize = 1 << 23;
/// Stack size of each thread in bytes. The search recurses up to twice for each move.
const STACK_BYTES: usize = 64 << 20;

/// A resumable search for a direct win of one side.
pub struct DirectSearch<'g, W: Layout> {
    judge: Judge<'g, W>,
    attacker: Color,
    table: TranspositionTable,
    leaves: LeafTable,
    mate_bound: Option<MateBound<'g, W>>,
    oracle: Option<&'g dyn Oracle<W>>,
    /// Limits for leaf tests, which are too short to need a stop.
    unlimited: Shared<'static>,
}

/// A control that never stops a search.
static UNLIMITED: Control<'static> = Control::new();

/// The result of one share of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Whether the goal is forced, or what stopped the share before this was decided.
    pub forced: Result<bool, Stopped>,
    /// Positions searched in this share.
    pub positions: u64,
}

/// A position of a proof, and the number of the attacker's turns within which the goal is forced from this
/// position.
#[derive(Clone, Copy, Debug)]
pub struct ProofPosition<W: Layout> {
    /// The position, with either side to move.
    pub position: Position<W>,
    /// Turns of the attacker, the last one included. 0 if a turn of the defender reaches the goal.
    pub moves: u32,
}

impl<'g, W: Layout> DirectSearch<'g, W> {
    /// The maximum number of moves that can be searched.
    pub const MAX_MOVES: u32 = MAX_MOVES;

    /// On one thread, a share ends after a multiple of this number of positions.
    pub const POSITION_STEP: u64 = REPORT_EVERY as u64;

    /// Returns a search for positions that can arise from `root`, with tables of at most `table_bytes` bytes
    /// in all. The oracle is probed only if every win is the goal.
    pub fn new(
        game: &'g dyn Game<W>,
        goal: &'g Goal,
        attacker: Color,
        root: &Position<W>,
        table_bytes: usize,
        oracle: Option<&'g dyn Oracle<W>>,
    ) -> DirectSearch<'g, W> {
        let judge = Judge::new(game, goal);
        let leaf_bytes = LEAF_BYTES.min(table_bytes / 8);
        let table = TranspositionTable::new(game.codec(root), table_bytes - leaf_bytes);
        DirectSearch {
            judge,
            attacker,
            leaves: LeafTable::new(&table, leaf_bytes),
            mate_bound: MateBound::new(judge, attacker),
            table,
            oracle,
            unlimited: Shared::new(&Limits::default(), &UNLIMITED),
        }
    }

    /// Returns the length in plies of the longest line of a proof within `moves` turns of the attacker, with
    /// `side` to move first.
    pub fn plies(&self, side: Color, moves: u32) -> u16 {
        // If a turn of the defender can reach the goal, it may come after the attacker's last turn.
        let last = u16::from(!self.judge.opponent_may_reach());
        let first = u16::from(side != self.attacker);
        2 * moves as u16 + first - last.min(2 * moves as u16 + first)
    }

    /// Returns the current size of the transposition table in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    fn new_search<'s>(&'s self, shared: &'s Shared<'s>) -> AndOrSearch<'s, W> {
        let watch = Watch::new(shared);
        let bound = self.mate_bound.as_ref();
        AndOrSearch::new(
            self.judge,
            Play::Direct,
            self.attacker,
            &self.table,
            &self.leaves,
            bound,
            watch,
        )
        .with_oracle(self.oracle)
    }

    /// Returns whether a turn from the root leads to the goal within `moves` turns of the attacker.
    fn leads_to_goal(
        &self,
        search: &mut AndOrSearch<'_, W>,
        root: &Position<W>,
        turn: &Turn,
        moves: u32,
    ) -> Result<bool, Stopped> {
        let after = self.judge.game.play(root, turn);
        if root.side == self.attacker {
            if self.judge.reached(root, turn, &after) {
                return Ok(true);
            }
            search.forced(&after, moves)
        } else {
            search.answered(root, turn, &after, moves)
        }
    }
}

#[per_layout]
impl<'g, W: Layout> DirectSearch<'g, W> {
    /// Searches, within the limits, whether the goal is forced from `root` within `moves` turns of the
    /// attacker. The game must not be over at `root`, and `moves` must be from 1 to
    /// [`MAX_MOVES`](Self::MAX_MOVES). The caller should have refuted all shorter lengths. First turns are
    /// divided among threads; the answer does not depend on the number of threads.
    pub fn forces(
        &self,
        root: &Position<W>,
        moves: u32,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Share {
        let shared = Shared::new(limits, control);
        let attacks = root.side == self.attacker;
        let mut first = Vec::new();
        self.judge.game.turns(root, &mut first);
        if attacks && moves > 1 {
            let mut after = *root;
            first.sort_by_cached_key(|turn| {
                self.judge.game.play_into(root, turn, &mut after);
                self.judge.game.count(&after)
            });
        }
        if attacks && (moves == 1 || self.judge.can_reach(root)) && !self.judge.opponent_may_reach()
        {
            let forced = Ok(self.judge.can_reach(root));
            return Share {
                forced,
                positions: first.len() as u64,
            };
        }
        let (next, settled) = (AtomicUsize::new(0), AtomicBool::new(false));
        let stopped = Mutex::new(None);
        let work = || {
            let mut search = self.new_search(&shared);
            while !settled.load(Ordering::Relaxed) {
                let Some(turn) = first.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    return;
                };
                match self.leads_to_goal(&mut search, root, turn, moves) {
                    // One turn of the attacker that forces the goal settles the question. So does one turn of
                    // the defender that avoids it.
                    Ok(forced) if forced == attacks => settled.store(true, Ordering::Relaxed),
                    Ok(_) => {}
                    Err(stopped_by) => {
                        *stopped.lock().unwrap_or_else(|e| e.into_inner()) = Some(stopped_by);
                        return;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            // If a thread cannot be created, the others do its work. Without any thread, the share ends undecided.
            let spawn = |_| {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn_scoped(scope, inherited(work)).ok()
            };
            let workers: Vec<_> = (0..control.threads()).map_while(spawn).collect();
            for worker in workers {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
        let stopped = stopped.into_inner().unwrap_or_else(|e| e.into_inner());
        let forced = match (settled.into_inner(), stopped) {
            (true, _) => Ok(attacks),
            (false, Some(stopped)) => Err(stopped),
            (false, None) if next.into_inner() < first.len() => Err(Stopped::Threads),
            (false, None) => Ok(!attacks && !first.is_empty()),
        };
        Share {
            forced,
            positions: shared.positions(),
        }
    }

    /// Returns the positions of a proof that the goal is forced from `root` within `moves` turns of the
    /// attacker, which [`forces`](Self::forces) must have found. The proof consists of the positions with the
    /// attacker to move and the positions after the turns chosen in them.
    ///
    /// # Errors
    /// If a limit or the control stops the search.
    pub fn proof(
        &self,
        root: &Position<W>,
        moves: u32,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<Vec<ProofPosition<W>>, Stopped> {
        let shared = Shared::new(limits, control);
        let work = || {
            let mut proof = Proof {
                direct: self,
                search: self.new_search(&shared),
                seen: FxHashSet::default(),
                found: Vec::new(),
                open: Vec::new(),
            };
            if root.side == self.attacker {
                proof.open.push((*root, moves));
            } else {
                proof.replies(root, moves);
            }
            while let Some((p, moves)) = proof.open.pop() {
                proof.choose(&p, moves)?;
            }
            Ok(proof.found)
        };
        parallel::on_stack(STACK_BYTES, work)?
    }
}

/// A search for answers of the defender that refute an attack.
pub struct Refuter<'d, W: Layout>(AndOrSearch<'d, W>);

impl<W: Layout> DirectSearch<'_, W> {
    /// Returns a search for refuting answers that shares the tables of this search.
    pub fn refuter<'s>(&'s self, shared: &'s Shared<'s>) -> Refuter<'s, W> {
        Refuter(self.new_search(shared))
    }
}

impl<W: Layout> Refuter<'_, W> {
    /// Returns an answer of the defender, who is to move, after which the goal is not forced within `moves`
    /// turns of the attacker (at least one). Returns `None` if no answer achieves that.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn answer(&mut self, p: &Position<W>, moves: u32) -> Result<Option<Turn>, Stopped> {
        self.0.refutation(p, moves)
    }
}

/// A test whether a goal is forced within two turns of the attacker, for the leaves of another search on the
/// calling thread.
pub struct LeafTest<'d, W: Layout>(AndOrSearch<'d, W>);

impl<W: Layout> DirectSearch<'_, W> {
    /// Returns a leaf test that shares the tables of this search.
    pub fn leaf_test(&self) -> LeafTest<'_, W> {
        LeafTest(self.new_search(&self.unlimited))
    }
}

#[per_layout]
impl<'d, W: Layout> LeafTest<'d, W> {
    /// Returns whether the attacker, to move, forces the goal within two of its turns.
    ///
    /// # Errors
    /// [`Stopped::Contradiction`] if a value of the oracle cannot be used.
    pub fn is_forced(&mut self, p: &Position<W>) -> Result<bool, Stopped> {
        self.0.attack(p, 2)
    }

    /// Returns the number of positions searched so far.
    pub fn positions(&self) -> u64 {
        self.0.positions()
    }
}

/// A proof under construction: the positions found, and the positions in which a turn is still to be chosen.
struct Proof<'d, 'g, W: Layout> {
    direct: &'d DirectSearch<'g, W>,
    search: AndOrSearch<'d, W>,
    seen: FxHashSet<Position<W>>,
    found: Vec<ProofPosition<W>>,
    open: Vec<(Position<W>, u32)>,
}

impl<W: Layout> Proof<'_, '_, W> {
    /// Queues the attacker's positions after all turns of the defender, with `moves` turns of the attacker
    /// left.
    fn replies(&mut self, p: &Position<W>, moves: u32) {
        let (judge, attacker) = (self.direct.judge, self.direct.attacker);
        let mut turns = Vec::new();
        judge.game.turns(p, &mut turns);
        for turn in &turns {
            let after = judge.game.play(p, turn);
            if !judge.reached_by_opponent(&after, attacker) {
                self.open.push((after, moves));
            }
        }
    }

    /// Chooses a turn of the attacker in a position from which the goal is forced within `moves` turns.
    fn choose(&mut self, p: &Position<W>, moves: u32) -> Result<(), Stopped> {
        let judge = self.direct.judge;
        if !self.seen.insert(*p) {
            return Ok(());
        }
        // The shortest win has the smallest proof.
        let mut min_moves = 1;
        while min_moves < moves && !self.search.attack(p, min_moves)? {
            min_moves += 1;
        }
        self.found.push(ProofPosition {
            position: *p,
            moves: min_moves,
        });
        let mut turns = Vec::new();
        judge.game.turns(p, &mut turns);
        let mut chosen = None;
        for turn in &turns {
            let after = judge.game.play(p, turn);
            if judge.reached(p, turn, &after) {
                return Ok(());
            }
            if chosen.is_none() && self.search.forced(&after, min_moves)? {
                chosen = Some(after);
            }
        }
        if let Some(after) = chosen {
            self.found.push(ProofPosition {
                position: after,
                moves: min_moves - 1,
            });
            self.replies(&after, min_moves - 1);
        }
        Ok(())
    }
}
