//! The question that a search answers: whether a side can force a goal in a game. It also evaluates single
//! positions by the rules: finished games, goals reached, flights, known values.
//!
//! A question relies on the rules, the goal and an oracle of known values. It never searches.

use crate::limits::Pause;
use crate::proof_numbers::{ANY, FOR_EVER, ProofNumbers};
use board::{Color, Kind, Squares};
use notation::turns;
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Outcome, Turn};
use search::{Goal, Judge};
use values::Value;
use values::oracle::Oracle;

/// Parameters of the estimated proof numbers in a search of any length. Answers do not depend on them.
#[derive(Clone, Copy, Debug)]
pub struct Estimates {
    /// The amount that each flight of the king adds to the proof number.
    pub flight_weight: u32,
    /// One in this many of the plies before a position is added to the proof number, so that long lines wait.
    pub line_part: Option<usize>,
}

/// The question of a search, which is equal for all threads.
pub struct Question<'a, W: Layout> {
    pub game: &'a dyn Game<W>,
    pub goal: &'a Goal,
    /// The side that tries to reach the goal.
    pub attacker: Color,
    pub codec: Codec,
    /// Whether the attacker is restricted to turns that check, or threaten to reach the goal at once.
    pub forcing: bool,
    /// The estimates of searches of any length.
    pub estimates: Estimates,
    /// Whether a turn of the defender may reach the goal.
    given: bool,
    /// Finds turns that reach the goal, if the goal is mate or not an end of the game.
    pub judge: Option<Judge<'a, W>>,
    /// Whether turns reach the goal, rather than outcomes of the game.
    pub by_turn: bool,
    /// The known values, if the goal is to win.
    oracle: Option<&'a dyn Oracle<W>>,
}

impl<W: Layout> Clone for Question<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Layout> Copy for Question<'_, W> {}

impl<'a, W: Layout> Question<'a, W> {
    /// Returns the question for positions that the codec can encode.
    pub fn new(
        game: &'a dyn Game<W>,
        goal: &'a Goal,
        attacker: Color,
        codec: Codec,
        oracle: Option<&'a dyn Oracle<W>>,
    ) -> Question<'a, W> {
        let rule_set = &game.variant().rule_set;
        // The turn that mates both sides may be illegal, so no certificate could name it.
        let by_turn = !goal.is_end() && *goal != Goal::DoubleMate;
        let judge = if goal.is_usual_mate(rule_set) {
            Some(Judge::new(game, &Goal::Mate))
        } else {
            by_turn.then(|| Judge::new(game, goal))
        };
        Question {
            game,
            goal,
            attacker,
            codec,
            forcing: false,
            estimates: Estimates {
                flight_weight: 1,
                line_part: None,
            },
            given: goal.may_be_given(rule_set),
            judge,
            by_turn,
            oracle: oracle.filter(|_| *goal == Goal::Win),
        }
    }

    /// Returns the question for an attacker restricted to forcing turns. What this attacker forces is forced.
    pub fn forcing(self) -> Question<'a, W> {
        Question {
            forcing: true,
            ..self
        }
    }

    /// Returns the question with other estimates, for a search of any length.
    pub fn estimated(self, estimates: Estimates) -> Question<'a, W> {
        Question { estimates, ..self }
    }

    /// Returns whether a search of any length counts the flights of a king.
    pub fn counts_flights(&self) -> bool {
        self.judge.as_ref().is_some_and(Judge::is_mate) && self.game.facts().orthodox_flights()
    }

    /// Returns the key of a position.
    pub fn key(&self, p: &Position<W>) -> Box<[u64]> {
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        key[..self.codec.words()].into()
    }

    /// Returns the number of a legal turn in a certificate: its index in the byte order of the turns' texts.
    pub fn number(&self, p: &Position<W>, turn: &Turn) -> Option<u16> {
        let legal = turns::sorted(self.game, p);
        let number = legal.iter().position(|(_, other)| other == turn)?;
        u16::try_from(number).ok()
    }

    /// Returns the numbers of a finished game.
    pub fn ended(&self, outcome: Outcome) -> ProofNumbers {
        if self.goal.is_reached(outcome, self.attacker) {
            ProofNumbers::proven(0)
        } else {
            ProofNumbers::disproven(FOR_EVER)
        }
    }

    /// Returns whether a turn reaches a goal that is not an end of the game.
    #[inline]
    pub fn reaches(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        self.by_turn
            && before.side == self.attacker
            && self
                .judge
                .as_ref()
                .is_some_and(|judge| judge.reached(before, turn, after))
    }

    /// Returns whether nothing remains to be forced or avoided after a turn, because it has reached the goal
    /// or the game is over.
    pub fn is_over(&self, before: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        self.reaches(before, turn, after) || !self.game.outcome(after).is_ongoing()
    }

    /// Rounds `plies` down to the last ply on which the goal can be reached. The last turn is the attacker's,
    /// unless the defender's turns can reach the goal.
    #[inline]
    pub fn plies(&self, side: Color, plies: u16) -> u16 {
        if plies == ANY || self.given || (plies % 2 == 1) == (side == self.attacker) {
            plies
        } else {
            plies.saturating_sub(1)
        }
    }

    /// Returns the number of flights of the defender's king: neighboring squares that hold no unit of the
    /// defender and that the attacker does not attack. Returns 0 if kings are not mated as in orthodox chess.
    pub fn flights(&self, p: &Position<W>) -> u32 {
        let (game, defender) = (self.game, !self.attacker);
        let king = p.units(defender, Kind::King).first();
        let king = king.filter(|_| self.counts_flights());
        king.map_or(0, |king| {
            let mut without = *p;
            without.take(defender, Kind::King, king);
            let near = game.board().neighbors(king) & !p.color(defender);
            let flights = near
                .iter()
                .filter(|&square| game.attackers(&without, square, self.attacker).is_empty());
            flights.count() as u32
        })
    }

    /// Returns whether an answer may rest on values of the oracle.
    pub fn was_told(&self) -> bool {
        self.oracle.is_some_and(Oracle::was_read)
    }

    /// Returns the numbers of a position from the oracle, if its value is known. The game must not be over.
    ///
    /// # Errors
    /// [`Stopped::Contradiction`] if the value contradicts the rules.
    pub fn told(&self, p: &Position<W>, plies: u16) -> Result<Option<ProofNumbers>, Pause> {
        let value = match self.oracle {
            Some(oracle) => oracle.value(p).map_err(Pause::Stop)?,
            None => None,
        };
        let won = |value| match value {
            Value::Win(d) if p.side == self.attacker => Some(d),
            Value::Loss(d) if p.side != self.attacker => Some(d),
            _ => None,
        };
        Ok(value.map(|value| match won(value) {
            None => ProofNumbers::disproven(FOR_EVER),
            Some(d) if d <= plies => ProofNumbers::proven(d),
            Some(d) => ProofNumbers::disproven(d - 1),
        }))
    }
}
