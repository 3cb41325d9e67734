//! Direct play searched length by length, in shares of positions, for searches that alternate with others.
//!
//! This answers one question, where a problem's solution has every key: does the attacker force the goal within `moves` of its turns? It keeps its transposition table between lengths
//! and shares, so that a search that was stopped repeats little. It never decides how long to search.

use crate::and_or::AndOrSearch;
use crate::goal::Goal;
use crate::judge::Judge;
use crate::limits::{Limits, REPORT_EVERY, Shared, Watch};
use crate::mate_bound::MateBound;
use crate::play::{MAX_MOVES, Play};
use crate::transpositions::{LeafTable, TranspositionTable};
use board::Color;
use control::{Control, Stopped, parallel};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Turn};
use rustc_hash::FxHashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use values::oracle::Oracle;

/// The maximum number of bytes of the table for positions near the leaves: what a processor's cache may hold.
const LEAF_BYTES: usize = 1 << 23;
/// Bytes of each thread's stack: a line has up to two positions for each move.
const STACK_BYTES: usize = 64 << 20;

/// A resumable search for a direct win of one side.
pub struct DirectSearch<'g, W: Layout> {
    judge: Judge<'g, W>,
    attacker: Color,
    table: TranspositionTable,
    leaves: LeafTable,
    mate_bound: Option<MateBound<'g, W>>,
    oracle: Option<&'g dyn Oracle<W>>,
    /// For leaf tests, which are too short to be stopped.
    unlimited: Shared<'static>,
}

/// Never stops.
static UNLIMITED: Control<'static> = Control::new();

/// The answer of one share of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Whether the goal is forced; what stopped the share if that is not known.
    pub forced: Result<bool, Stopped>,
    /// Positions searched in this share.
    pub positions: u64,
}

/// A position of a proof, and the attacker's turns within which the goal is forced from it.
#[derive(Clone, Copy, Debug)]
pub struct ProofPosition<W: Layout> {
    /// The position, with either side to move.
    pub position: Position<W>,
    /// Turns of the attacker, the last one included; 0 where a turn of the defender reaches the goal.
    pub moves: u32,
}

impl<'g, W: Layout> DirectSearch<'g, W> {
    /// The maximum number of moves that can be searched.
    pub const MAX_MOVES: u32 = MAX_MOVES;

    /// A share ends after a multiple of this number of positions, on one thread.
    pub const POSITION_STEP: u64 = REPORT_EVERY as u64;

    /// Returns a search for positions that can arise from `root`, with a table of at most `table_bytes`. An
    /// oracle is probed if every win is the goal.
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

    /// Returns the plies to the end of the longest line of a proof within `moves` turns of the attacker.
    pub fn plies(&self, side: Color, moves: u32) -> u16 {
        // Where the defender's turn may reach the goal, it may follow the attacker's last turn.
        let last = u16::from(!self.judge.late());
        let first = u16::from(side != self.attacker);
        2 * moves as u16 + first - last.min(2 * moves as u16 + first)
    }

    /// Returns the bytes of the table.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    fn thread<'s>(&'s self, shared: &'s Shared<'s>) -> AndOrSearch<'s, W> {
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
        .asking(self.oracle)
    }

    /// Returns whether a first turn leads to the goal.
    fn leads(
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
    /// Searches whether the goal is forced from `root`, which is not over, within `moves` (from 1 to
    /// [`MAX_MOVES`](Self::MAX_MOVES)) turns of the attacker, within the limits. Shorter lengths should be
    /// refuted before. First turns are shared out among threads; the answer does not depend on their number.
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
        if attacks && (moves == 1 || self.judge.can_reach(root)) && !self.judge.late() {
            let forced = Ok(self.judge.can_reach(root));
            return Share {
                forced,
                positions: first.len() as u64,
            };
        }
        let (next, settled) = (AtomicUsize::new(0), AtomicBool::new(false));
        let stopped = Mutex::new(None);
        let work = || {
            let mut search = self.thread(&shared);
            while !settled.load(Ordering::Relaxed) {
                let Some(turn) = first.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    return;
                };
                match self.leads(&mut search, root, turn, moves) {
                    // A turn of the attacker that forces settles the question, as one of the defender that
                    // does not lead to the goal.
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
            for _ in 0..control.threads() {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                // Without a thread the others do its work; without any the share ends unanswered.
                if thread.spawn_scoped(scope, work).is_err() {
                    break;
                }
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

    /// Returns the positions of a proof that the goal is forced from `root` within `moves` turns of the attacker,
    /// as found by [`forces`](Self::forces): the attacker's positions, and those after the turns chosen there.
    ///
    /// # Errors
    /// If the limits stop it.
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
                search: self.thread(&shared),
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

/// Finds answers of the defender to an attack.
pub struct Refuter<'d, W: Layout>(AndOrSearch<'d, W>);

impl<W: Layout> DirectSearch<'_, W> {
    /// Returns a search for answers, which shares the table.
    pub fn refuter<'s>(&'s self, shared: &'s Shared<'s>) -> Refuter<'s, W> {
        Refuter(self.thread(shared))
    }
}

impl<W: Layout> Refuter<'_, W> {
    /// Returns an answer of the defender, to move, after which the goal is not forced within `moves` turns of the
    /// attacker, at least one; `None` if none does that.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn answer(&mut self, p: &Position<W>, moves: u32) -> Result<Option<Turn>, Stopped> {
        self.0.refutation(p, moves)
    }
}

/// A test whether a goal is forced within two turns, for the leaves of another search of the same thread.
pub struct LeafTest<'d, W: Layout>(AndOrSearch<'d, W>);

impl<W: Layout> DirectSearch<'_, W> {
    /// Returns a leaf test, which shares the table.
    pub fn leaf_test(&self) -> LeafTest<'_, W> {
        LeafTest(self.thread(&self.unlimited))
    }
}

#[per_layout]
impl<'d, W: Layout> LeafTest<'d, W> {
    /// Returns whether the attacker, to move, forces the goal within two of its turns.
    pub fn is_forced(&mut self, p: &Position<W>) -> bool {
        self.0.attack(p, 2).unwrap_or(false)
    }

    /// Returns the positions searched so far.
    pub fn positions(&self) -> u64 {
        self.0.positions()
    }
}

/// The positions of a proof that have been found, and those to choose a turn for.
struct Proof<'d, 'g, W: Layout> {
    direct: &'d DirectSearch<'g, W>,
    search: AndOrSearch<'d, W>,
    seen: FxHashSet<Position<W>>,
    found: Vec<ProofPosition<W>>,
    open: Vec<(Position<W>, u32)>,
}

impl<W: Layout> Proof<'_, '_, W> {
    /// Queues the attacker's positions after all turns of the defender, with `moves` turns left.
    fn replies(&mut self, p: &Position<W>, moves: u32) {
        let (judge, attacker) = (self.direct.judge, self.direct.attacker);
        let mut turns = Vec::new();
        judge.game.turns(p, &mut turns);
        for turn in &turns {
            let after = judge.game.play(p, turn);
            if !judge.late_reached(&after, attacker) {
                self.open.push((after, moves));
            }
        }
    }

    /// Chooses a turn in a position from which the goal is forced within `moves` turns.
    fn choose(&mut self, p: &Position<W>, moves: u32) -> Result<(), Stopped> {
        let judge = self.direct.judge;
        if !self.seen.insert(*p) {
            return Ok(());
        }
        // A shorter way has a smaller proof.
        let mut least = 1;
        while least < moves && !self.search.attack(p, least)? {
            least += 1;
        }
        self.found.push(ProofPosition {
            position: *p,
            moves: least,
        });
        let mut turns = Vec::new();
        judge.game.turns(p, &mut turns);
        let mut chosen = None;
        for turn in &turns {
            let after = judge.game.play(p, turn);
            if judge.reached(p, turn, &after) {
                return Ok(());
            }
            if chosen.is_none() && self.search.forced(&after, least)? {
                chosen = Some(after);
            }
        }
        if let Some(after) = chosen {
            self.found.push(ProofPosition {
                position: after,
                moves: least - 1,
            });
            self.replies(&after, least - 1);
        }
        Ok(())
    }
}
