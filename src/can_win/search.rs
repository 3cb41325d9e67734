//! A complete search for a position in which a side has won, best estimates first. Every reachable position is
//! visited once, by exact key; if none is left, the side cannot win.
//!
//! The search is a best-first search (Pearl, "Heuristics", 1984) with buckets by priority: four times the
//! estimate plus the number of plies.

use crate::estimate::{self, estimate};
use crate::games::{Games, without_detours};
use crate::patterns::Patterns;
use crate::{Answer, Argument, Proof, is_win};
use board::{Color, Kind, Squares};
use control::{Control, Counted, Random, Stopped};
use explore::{StateId, States};
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Turn};
use std::collections::VecDeque;

/// Positions that are expanded before the argument about mates is used: easy wins are found sooner without it.
const POSITIONS_WITHOUT_ARGUMENT: usize = 20_000;

/// With at most this many units, the argument is used at once: it is fast, and decides most of these positions.
const FEW_UNITS: u32 = 5;

/// Positions between two checks of the limits. The argument can take milliseconds for each.
const CHECK_EVERY: usize = 1 << 6;

/// Positions that are expanded before random games are played: they find wins in positions with many units.
const POSITIONS_WITHOUT_GAMES: usize = 2_000;

/// Plies of random games that are played between two checks, which take about as long as the search between.
const GAME_PLIES: usize = 2 * CHECK_EVERY;

/// The number of plies from which priorities do not grow.
const MAX_PLIES: u32 = 512;

/// The weight of the estimate against the plies played.
const ESTIMATE_WEIGHT: u32 = 4;

struct Search<'a, W: Layout> {
    game: &'a dyn Game<W>,
    side: Color,
    argument: Argument,
    /// The checkmates to search for, if every win is an orthodox one.
    patterns: Option<Patterns>,
    codec: Codec,
    states: States,
    /// For each state, the state before it and the turn that led from there; the root has itself.
    origins: Vec<(StateId, Turn)>,
    /// The number of plies in which each state was reached.
    plies: Vec<u16>,
    /// States that were first reached by a turn that cannot be undone.
    landmarks: Vec<StateId>,
    /// States to expand, by priority.
    open: Vec<VecDeque<StateId>>,
}

/// Searches for a win of `side`. The game must not be over in `root`.
pub(crate) fn search<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    side: Color,
    argument: Argument,
    control: &Control<'_>,
) -> Answer {
    let codec = Codec::new(game.key_plan(root));
    let states = States::new(codec.bits());
    let mut search = Search {
        game,
        side,
        argument,
        patterns: (argument == Argument::Mates).then(|| Patterns::new(game)),
        codec,
        states,
        origins: Vec::new(),
        plies: Vec::new(),
        landmarks: Vec::new(),
        open: vec![VecDeque::new(); (ESTIMATE_WEIGHT * estimate::MAX + MAX_PLIES + 1) as usize],
    };
    if let Some(first) = search.insert(root, None) {
        search.enqueue(first, root);
    }
    search.run(root, control)
}

impl<W: Layout> Search<'_, W> {
    /// Adds a position that was reached from a state by a turn. Returns its number if it is new.
    fn insert(&mut self, p: &Position<W>, origin: Option<(StateId, Turn)>) -> Option<StateId> {
        let mut key = [0; KEY_WORDS];
        let words = self.codec.words();
        self.codec.encode(p, &mut key[..words]);
        let before = self.states.len();
        let mut ids = Vec::with_capacity(1);
        self.states.insert_all(&key[..words], usize::MAX, &mut ids);
        if self.states.len() == before {
            return None;
        }
        let id = *ids.first()?;
        let (plies, origin) = match origin {
            Some(origin) => (self.plies[origin.0 as usize].saturating_add(1), origin),
            None => (0, (id, Turn::of(rules::Step::NONE))),
        };
        self.origins.push(origin);
        self.plies.push(plies);
        Some(id)
    }

    /// Adds a state to those to expand.
    fn enqueue(&mut self, id: StateId, p: &Position<W>) {
        let patterns = self.patterns.as_mut();
        let steps = patterns.and_then(|patterns| patterns.steps(self.game, p, self.side));
        let estimate = steps.unwrap_or_else(|| estimate(self.game, p, self.side));
        let plies = u32::from(self.plies[id as usize]).min(MAX_PLIES);
        let priority = ESTIMATE_WEIGHT * estimate.min(estimate::MAX) + plies;
        self.open[priority as usize].push_back(id);
    }

    fn run(&mut self, root: &Position<W>, control: &Control<'_>) -> Answer {
        let (mut turns, mut lowest, mut expanded) = (Vec::new(), 0, 0_usize);
        let mut games = Games::new(self.game, root, self.side, self.argument);
        loop {
            while self.open.get(lowest).is_some_and(VecDeque::is_empty) {
                lowest += 1;
            }
            let Some(id) = self.open.get_mut(lowest).and_then(VecDeque::pop_front) else {
                return Answer::No(Proof::Searched(self.states.len() as u64));
            };
            let p: Position<W> = self.codec.decode(self.states.key(id));
            turns.clear();
            self.game.turns(&p, &mut turns);
            for turn in &turns {
                let after = self.game.play(&p, turn);
                let Some(new) = self.insert(&after, Some((id, *turn))) else {
                    continue;
                };
                let outcome = self.game.outcome(&after);
                if is_win(outcome, self.side) {
                    return Answer::Yes(self.path(new));
                }
                let is_dead = !outcome.is_ongoing()
                    || (expanded >= POSITIONS_WITHOUT_ARGUMENT
                        || after.occupied().len() <= FEW_UNITS)
                        && is_irreversible(&p, &after)
                        && self.argument.refutes(self.game, &after, self.side);
                if is_dead {
                    continue;
                }
                if is_irreversible(&p, &after) {
                    self.landmarks.push(new);
                }
                self.enqueue(new, &after);
                // The buckets below may have been refilled.
                lowest = 0;
            }
            expanded += 1;
            if expanded % CHECK_EVERY == 0 {
                if expanded > POSITIONS_WITHOUT_GAMES
                    && let Some((first, game)) =
                        games.play(GAME_PLIES, &|random| self.start(random))
                {
                    let line = [self.path(first), game].concat();
                    return Answer::Yes(without_detours(self.game, root, &line));
                }
                if let Err(stopped) = control.check() {
                    return Answer::Unsettled(stopped);
                }
                if self.bytes() > control.memory_bytes() {
                    return Answer::Unsettled(Stopped::Memory);
                }
                if self.states.len() >= StateId::MAX as usize {
                    return Answer::Unsettled(Stopped::Count(Counted::Positions));
                }
            }
        }
    }

    fn bytes(&self) -> u64 {
        let each = size_of::<(StateId, Turn)>() + size_of::<u16>() + size_of::<StateId>();
        self.states.bytes() + (self.states.len() * each) as u64
    }

    /// Returns a state from which a random game begins: the root, or one after a turn that cannot be undone, of
    /// which there are few for each way in which the game may have gone.
    fn start(&self, random: &mut Random) -> (StateId, Position<W>) {
        let id = match self.landmarks.len() {
            0 => 0,
            _ if random.below(2) == 0 => 0,
            n => self.landmarks[random.below(n)],
        };
        (id, self.codec.decode(self.states.key(id)))
    }

    /// Returns the turns that lead to a state.
    fn path(&self, mut id: StateId) -> Vec<Turn> {
        let mut line = Vec::new();
        while self.plies[id as usize] > 0 {
            let (before, turn) = self.origins[id as usize];
            line.push(turn);
            id = before;
        }
        line.reverse();
        line
    }
}

/// Returns whether a turn captured or moved a pawn, so that no later turn leads back.
pub(crate) fn is_irreversible<W: Layout>(before: &Position<W>, after: &Position<W>) -> bool {
    let pawns = |p: &Position<W>| Color::BOTH.map(|color| p.units(color, Kind::Pawn));
    before.occupied().len() != after.occupied().len() || pawns(before) != pawns(after)
}
