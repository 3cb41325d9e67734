//! Builds the play after the first turns: all answers, and all shortest continuations after each answer.

use crate::tree::{Move, Reply, Try};
use control::Stopped;
use notation::turns;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{AndOrSearch, Judge, Play, passed};

/// The maximum number of turns in a tree, and also in all by-play, the play after threats and tries.
const MAX_TURNS: usize = 200_000;
/// A tree may take one part in this many of the memory, and so may all by-play.
const MEMORY_DIVISOR: usize = 4;
/// The bytes that a tree or all by-play may take, however little memory there is.
const MIN_BYTES: usize = 16 << 20;
/// The approximate size of a turn's text in bytes.
const TEXT_BYTES: usize = 24;

/// The remaining space for a tree or for by-play, and whether it was too small.
#[derive(Clone, Copy)]
struct Space {
    turns: usize,
    bytes: usize,
    cut: bool,
}

impl Space {
    /// Returns the space in a search that may use `memory_bytes`.
    fn whole(memory_bytes: usize) -> Space {
        Space {
            turns: MAX_TURNS,
            bytes: (memory_bytes / MEMORY_DIVISOR).max(MIN_BYTES),
            cut: false,
        }
    }

    /// Counts the bytes of a value with its text.
    fn keep<T>(&mut self) {
        self.bytes = self.bytes.saturating_sub(size_of::<T>() + TEXT_BYTES);
    }
}

/// The threats of a turn, as text: the turns that reach the goal in `moves` moves if the opponent passes.
#[derive(Default)]
pub(super) struct Threats {
    moves: u32,
    turns: Vec<String>,
}

impl Threats {
    fn of(moves: u32, threats: &[Move]) -> Threats {
        Threats {
            moves,
            turns: threats.iter().map(|threat| threat.turn.clone()).collect(),
        }
    }
}

/// Builds trees by means of a search.
pub(super) struct TreeBuilder<'a, 'b, W: Layout> {
    pub search: &'b mut AndOrSearch<'a, W>,
    pub judge: Judge<'a, W>,
    pub play: Play,
    /// Whether by-play is requested.
    with_by_play: bool,
    /// Whether the turns that are being built are by-play.
    in_by_play: bool,
    /// The remaining space for the tree and for all by-play.
    spaces: [Space; 2],
}

impl<'a, 'b, W: Layout> TreeBuilder<'a, 'b, W> {
    pub fn new(
        search: &'b mut AndOrSearch<'a, W>,
        judge: Judge<'a, W>,
        play: Play,
        with_by_play: bool,
        memory_bytes: usize,
    ) -> TreeBuilder<'a, 'b, W> {
        TreeBuilder {
            search,
            judge,
            play,
            with_by_play,
            in_by_play: false,
            spaces: [Space::whole(memory_bytes); 2],
        }
    }

    /// Returns whether the tree was cut off, and whether by-play was.
    pub fn cut(&self) -> [bool; 2] {
        self.spaces.map(|space| space.cut)
    }

    /// Builds by-play, which takes no space from the tree.
    fn in_by_play<T>(
        &mut self,
        build: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let before = std::mem::replace(&mut self.in_by_play, true);
        let built = build(self);
        self.in_by_play = before;
        built
    }

    fn text(&self, p: &Position<W>, turn: &Turn) -> String {
        turns::print(self.judge.game, p, turn)
    }

    /// Returns a turn that solves within `moves` of the attacker's turns (this turn included), with the play
    /// after it.
    pub fn after(&mut self, p: &Position<W>, turn: &Turn, moves: u32) -> Result<Move, Stopped> {
        let text = self.text(p, turn);
        let after = self.judge.game.play(p, turn);
        let attacker = p.side;
        let goal = match self.play {
            Play::Direct => self.judge.reached(p, turn, &after),
            _ => self.judge.reached_by_opponent(&after, !attacker),
        };
        let mut found = Move {
            goal,
            ..Move::bare(text)
        };
        let space = &mut self.spaces[usize::from(self.in_by_play)];
        space.keep::<Move>();
        if goal {
            return Ok(found);
        }
        if space.turns == 0 || space.bytes == 0 {
            space.cut = true;
            return Ok(found);
        }
        space.turns -= 1;
        let (min_moves, threats) = self.threats(&after, moves - 1)?;
        found.threats = threats;
        let threats = Threats::of(min_moves, &found.threats);
        found.answers = self.answers(&after, moves - 1, false, &threats)?;
        Ok(found)
    }

    /// Returns the threats at `p`, the shortest continuations within `moves` moves if the side to move could
    /// pass, and the number of moves that they take.
    fn threats(&mut self, p: &Position<W>, moves: u32) -> Result<(u32, Vec<Move>), Stopped> {
        let Some(again) = passed(self.judge.game, p).filter(|_| moves > 0) else {
            return Ok((0, Vec::new()));
        };
        let (min_moves, continuations) = self.shortest_continuations(&again, moves)?;
        let mut threats = Vec::new();
        for turn in &continuations {
            threats.push(if self.with_by_play {
                self.in_by_play(|builder| builder.after(&again, turn, min_moves))?
            } else {
                Move::bare(self.text(&again, turn))
            });
        }
        threats.sort_by(Move::by_turn);
        Ok((min_moves, threats))
    }

    /// Returns whether all threats still work at `p` in as many moves, or one of them works in fewer. `next`
    /// are the shortest continuations at `p`, which take `min_moves` moves.
    fn still_work(
        &mut self,
        p: &Position<W>,
        threats: &Threats,
        min_moves: u32,
        next: &[Move],
    ) -> Result<bool, Stopped> {
        if threats.turns.is_empty() || next.is_empty() || min_moves > threats.moves {
            return Ok(false);
        }
        let missing = |turn: &&String| !next.iter().any(|other| other.turn == **turn);
        if min_moves == threats.moves {
            return Ok(!threats.turns.iter().any(|turn| missing(&turn)));
        }
        // A threat that works in fewer moves is not parried.
        if next.iter().any(|next| threats.turns.contains(&next.turn)) {
            return Ok(true);
        }
        // Another continuation is shorter, so each threat must be searched.
        let legal = with_turns(|turns| {
            self.judge.game.turns(p, turns);
            turns.clone()
        });
        for text in &threats.turns {
            let turn = legal.iter().find(|turn| self.text(p, turn) == *text);
            let Some(turn) = turn else {
                return Ok(false);
            };
            if !self
                .search
                .forced(&self.judge.game.play(p, turn), threats.moves)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a first turn as a try if exactly one answer refutes it.
    pub fn attempt(
        &mut self,
        p: &Position<W>,
        turn: &Turn,
        moves: u32,
    ) -> Result<Option<Try>, Stopped> {
        let refutations = self.refutations(p, turn, moves)?;
        if refutations.len() != 1 {
            return Ok(None);
        }
        let mut attempt = Try {
            turn: self.text(p, turn),
            refutations,
            threats: Vec::new(),
            answers: Vec::new(),
        };
        if self.with_by_play {
            let after = self.judge.game.play(p, turn);
            self.in_by_play(|builder| {
                let (min_moves, threats) = builder.threats(&after, moves - 1)?;
                attempt.threats = threats;
                let threats = Threats::of(min_moves, &attempt.threats);
                attempt.answers = builder.answers(&after, moves - 1, false, &threats)?;
                Ok(())
            })?;
        }
        Ok(Some(attempt))
    }

    /// Returns the answers at `p` to a turn with these threats. With `only_continued`, only answers that
    /// reach the goal or have a continuation are returned.
    pub fn answers(
        &mut self,
        p: &Position<W>,
        moves: u32,
        only_continued: bool,
        threats: &Threats,
    ) -> Result<Vec<Reply>, Stopped> {
        let mut list = Vec::new();
        let must = matches!(self.play, Play::Reflex | Play::SemiReflex);
        if must {
            self.judge.reaching(p, &mut list);
        }
        let forced = !list.is_empty();
        if !forced {
            self.judge.game.turns(p, &mut list);
        }
        let mut answers = Vec::new();
        for turn in &list {
            let after = self.judge.game.play(p, turn);
            let goal = forced
                || match self.play {
                    Play::Direct => self.judge.reached_by_opponent(&after, !p.side),
                    Play::Selfplay => self.judge.reached(p, turn, &after),
                    _ => false,
                };
            let mut next = Vec::new();
            let mut unparried = false;
            if !goal && moves > 0 {
                let (min_moves, continuations) = self.shortest_continuations(&after, moves)?;
                for turn in continuations {
                    next.push(self.after(&after, &turn, min_moves)?);
                }
                next.sort_by(Move::by_turn);
                unparried = self.still_work(&after, threats, min_moves, &next)?;
            }
            if goal || !next.is_empty() || !only_continued {
                self.spaces[usize::from(self.in_by_play)].keep::<Reply>();
                answers.push(Reply {
                    turn: self.text(p, turn),
                    goal,
                    next,
                    unparried,
                });
            }
        }
        answers.sort_by(Reply::by_turn);
        Ok(answers)
    }

    /// Returns the minimum number of moves, up to `max_moves`, in which the attacker can force the goal at
    /// `p`, and all turns that do so. The list is empty if `max_moves` moves do not suffice.
    fn shortest_continuations(
        &mut self,
        p: &Position<W>,
        max_moves: u32,
    ) -> Result<(u32, Vec<Turn>), Stopped> {
        for moves in 1..=max_moves {
            if !self.search.attack(p, moves)? {
                continue;
            }
            let mut continuations = Vec::new();
            if self.play == Play::Direct {
                self.judge.reaching(p, &mut continuations);
            }
            if !continuations.is_empty() {
                return Ok((1, continuations));
            }
            let list = with_turns(|turns| {
                self.judge.game.turns(p, turns);
                turns.clone()
            });
            for turn in list {
                if self.search.forced(&self.judge.game.play(p, &turn), moves)? {
                    continuations.push(turn);
                }
            }
            return Ok((moves, continuations));
        }
        Ok((max_moves, Vec::new()))
    }

    /// Returns the texts of the answers that refute a turn, sorted.
    pub fn refutations(
        &mut self,
        p: &Position<W>,
        turn: &Turn,
        moves: u32,
    ) -> Result<Vec<String>, Stopped> {
        let after = self.judge.game.play(p, turn);
        let list = with_turns(|turns| {
            self.judge.game.turns(&after, turns);
            turns.clone()
        });
        let mut refutations = Vec::new();
        for answer in list {
            let there = self.judge.game.play(&after, &answer);
            if !self.search.answered(&after, &answer, &there, moves - 1)? {
                refutations.push(self.text(&after, &answer));
            }
        }
        refutations.sort_unstable();
        Ok(refutations)
    }
}
