//! Builds the play after the first turns: all answers, and for each all shortest continuations.

use crate::tree::{Move, Reply, Try};
use control::Stopped;
use notation::turns;
use position::{Layout, Position};
use rules::{Turn, with_turns};
use search::{AndOrSearch, Judge, Play, passed};

/// The most turns in a tree, and again in all that is played after threats and tries.
const MAX_TURNS: usize = 200_000;
/// The part of the memory that a tree may take, and again all that is played after threats and tries.
const SHARE: usize = 4;
/// As much they may take in however little memory.
const MIN_BYTES: usize = 16 << 20;
/// Bytes of a text, about.
const TEXT_BYTES: usize = 24;

/// How much may still be written, and whether that was too little.
#[derive(Clone, Copy)]
struct Room {
    turns: usize,
    bytes: usize,
    cut: bool,
}

impl Room {
    /// Room in a search that has so much memory.
    fn whole(memory_bytes: usize) -> Room {
        Room {
            turns: MAX_TURNS,
            bytes: (memory_bytes / SHARE).max(MIN_BYTES),
            cut: false,
        }
    }

    /// Counts something that is kept with its text.
    fn keep<T>(&mut self) {
        self.bytes = self.bytes.saturating_sub(size_of::<T>() + TEXT_BYTES);
    }
}

/// What a turn threatens: turns as text that go on in `moves` moves if the opponent passes.
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

/// Builds trees with the help of a search.
pub(super) struct TreeBuilder<'a, 'b, W: Layout> {
    pub search: &'b mut AndOrSearch<'a, W>,
    pub judge: Judge<'a, W>,
    pub play: Play,
    /// Whether play after threats and tries is wanted.
    asides: bool,
    /// Whether what is built now is by-play, apart from the tree.
    aside: bool,
    /// For the tree, and for all by-play.
    rooms: [Room; 2],
}

impl<'a, 'b, W: Layout> TreeBuilder<'a, 'b, W> {
    pub fn new(
        search: &'b mut AndOrSearch<'a, W>,
        judge: Judge<'a, W>,
        play: Play,
        asides: bool,
        memory_bytes: usize,
    ) -> TreeBuilder<'a, 'b, W> {
        TreeBuilder {
            search,
            judge,
            play,
            asides,
            aside: false,
            rooms: [Room::whole(memory_bytes); 2],
        }
    }

    /// Returns whether the tree was cut off, and whether something aside of it was.
    pub fn cut(&self) -> [bool; 2] {
        self.rooms.map(|room| room.cut)
    }

    /// Builds by-play, which takes none of the tree's room.
    fn aside<T>(
        &mut self,
        build: impl FnOnce(&mut Self) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let before = std::mem::replace(&mut self.aside, true);
        let built = build(self);
        self.aside = before;
        built
    }

    fn text(&self, p: &Position<W>, turn: &Turn) -> String {
        turns::print(self.judge.game, p, turn)
    }

    /// Returns the play after a turn that solves within `moves` of the attacker's turns, itself counted.
    pub fn after(&mut self, p: &Position<W>, turn: &Turn, moves: u32) -> Result<Move, Stopped> {
        let text = self.text(p, turn);
        let after = self.judge.game.play(p, turn);
        let attacker = p.side;
        let goal = match self.play {
            Play::Direct => self.judge.reached(p, turn, &after),
            _ => self.judge.late_reached(&after, !attacker),
        };
        let mut found = Move {
            goal,
            ..Move::bare(text)
        };
        let room = &mut self.rooms[usize::from(self.aside)];
        room.keep::<Move>();
        if goal {
            return Ok(found);
        }
        if room.turns == 0 || room.bytes == 0 {
            room.cut = true;
            return Ok(found);
        }
        room.turns -= 1;
        let (least, threats) = self.threats(&after, moves - 1)?;
        found.threats = threats;
        let threats = Threats::of(least, &found.threats);
        found.answers = self.answers(&after, moves - 1, false, &threats)?;
        Ok(found)
    }

    /// Returns what is threatened at `p` within `moves` if the side to move could pass, with the number of
    /// moves that it takes.
    fn threats(&mut self, p: &Position<W>, moves: u32) -> Result<(u32, Vec<Move>), Stopped> {
        let Some(again) = passed(self.judge.game, p).filter(|_| moves > 0) else {
            return Ok((0, Vec::new()));
        };
        let (least, going) = self.going_on(&again, moves)?;
        let mut threats = Vec::new();
        for turn in &going {
            threats.push(if self.asides {
                self.aside(|builder| builder.after(&again, turn, least))?
            } else {
                Move::bare(self.text(&again, turn))
            });
        }
        threats.sort_by(Move::by_turn);
        Ok((least, threats))
    }

    /// Returns whether every threat still works at `p` in as many moves, or one of them in fewer. `next` are
    /// the shortest continuations there, which take `least` moves.
    fn still_work(
        &mut self,
        p: &Position<W>,
        threats: &Threats,
        least: u32,
        next: &[Move],
    ) -> Result<bool, Stopped> {
        if threats.turns.is_empty() || next.is_empty() || least > threats.moves {
            return Ok(false);
        }
        let missing = |turn: &&String| !next.iter().any(|other| other.turn == **turn);
        if least == threats.moves {
            return Ok(!threats.turns.iter().any(|turn| missing(&turn)));
        }
        // A threat that works even sooner is not parried.
        if next.iter().any(|next| threats.turns.contains(&next.turn)) {
            return Ok(true);
        }
        // Something else is shorter, so the threats are not among the shortest continuations.
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

    /// Returns a first turn that only one answer refutes, if this one is.
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
        if self.asides {
            let after = self.judge.game.play(p, turn);
            self.aside(|builder| {
                let (least, threats) = builder.threats(&after, moves - 1)?;
                attempt.threats = threats;
                let threats = Threats::of(least, &attempt.threats);
                attempt.answers = builder.answers(&after, moves - 1, false, &threats)?;
                Ok(())
            })?;
        }
        Ok(Some(attempt))
    }

    /// Returns the answers at `p` to a turn with these threats; with `some`, only those to which there is a
    /// continuation.
    pub fn answers(
        &mut self,
        p: &Position<W>,
        moves: u32,
        some: bool,
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
                    Play::Direct => self.judge.late_reached(&after, !p.side),
                    Play::Selfplay => self.judge.reached(p, turn, &after),
                    _ => false,
                };
            let mut next = Vec::new();
            let mut unparried = false;
            if !goal && moves > 0 {
                let (least, going) = self.going_on(&after, moves)?;
                for turn in going {
                    next.push(self.after(&after, &turn, least)?);
                }
                next.sort_by(Move::by_turn);
                unparried = self.still_work(&after, threats, least, &next)?;
            }
            if goal || !next.is_empty() || !some {
                self.rooms[usize::from(self.aside)].keep::<Reply>();
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

    /// Returns the least number of moves, up to `most`, in which the attacker, to move, can do it, and all
    /// turns that do.
    fn going_on(&mut self, p: &Position<W>, most: u32) -> Result<(u32, Vec<Turn>), Stopped> {
        for moves in 1..=most {
            if !self.search.attack(p, moves)? {
                continue;
            }
            let mut going = Vec::new();
            if self.play == Play::Direct {
                self.judge.reaching(p, &mut going);
            }
            if !going.is_empty() {
                return Ok((1, going));
            }
            let list = with_turns(|turns| {
                self.judge.game.turns(p, turns);
                turns.clone()
            });
            for turn in list {
                if self.search.forced(&self.judge.game.play(p, &turn), moves)? {
                    going.push(turn);
                }
            }
            return Ok((moves, going));
        }
        Ok((most, Vec::new()))
    }

    /// Returns the answers that refute a turn.
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
