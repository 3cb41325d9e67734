//! Definitions whose turns are those of orthodox chess, for any goals. The orthodox generator plays them,
//! with all of its promises.

use crate::bound_rules::BoundRules;
use crate::compiled_definition::CompiledDefinition;
use board::{Board, Color, Kind, Squares};
use definition::{Definition, PieceType, Value};
use position::{Layout, Narrow, Position};
use rules::fide::Fide;
use rules::{
    Carried, Castling, Facts, FenFields, Generator, Outcome, Plain, Rules, Symmetries, TableRules,
    Turn,
};

/// A definition with orthodox turns, and the facts about its ends.
#[derive(Debug)]
pub struct Orthodox<S> {
    made: BoundRules<S>,
    facts: &'static Facts,
}

impl<S: Squares> Orthodox<S> {
    /// Returns a definition for which this [promise] holds.
    pub fn new(made: BoundRules<S>, promise: Plain) -> Orthodox<S> {
        const fn facts(plain: Plain) -> Facts {
            Facts {
                flights: true,
                plain,
                ..<Fide as Rules<Narrow>>::FACTS
            }
        }
        Orthodox {
            made,
            facts: match promise {
                Plain::No => const { &facts(Plain::No) },
                Plain::Lasting => const { &facts(Plain::Lasting) },
                Plain::Settling => const { &facts(Plain::Settling) },
            },
        }
    }
}

/// Returns the promise about a definition's ends, if its turns are orthodox.
pub fn promise(law: &CompiledDefinition) -> Option<Plain> {
    let d = &law.definition;
    if !has_orthodox_turns(law) {
        return None;
    }
    let c = &d.connection;
    let goals = d.extinction.value.is_some()
        || d.flag.region != [0; 2]
        || c.in_a_row > 0
        || c.square > 0
        || c.collinear > 0
        || c.region_a != [0; 2]
        || d.ended.full_board;
    Some(match (law.state.bits > 0, goals) {
        (true, _) => Plain::No,
        (false, false) => Plain::Lasting,
        (false, true) => Plain::Settling,
    })
}

/// Returns the squares of a rank, counted from a side.
fn rank(d: &Definition, color: Color, n: u8) -> u128 {
    let geometry = d.board;
    (0..geometry.files())
        .map(|file| geometry.square(file, geometry.rank_of(color, n)))
        .fold(0, |all, square| all | 1 << square.0)
}

fn has_orthodox_turns(law: &CompiledDefinition) -> bool {
    let d = &law.definition;
    let chess = definition::chess();
    let geometry = d.board;
    let men = &law.men;
    let pieces = d.pieces.len() == chess.pieces.len()
        && d.pieces.iter().zip(&chess.pieces).all(|(own, theirs)| {
            own.name == theirs.name
                && own.letter == theirs.letter
                && own.movement == theirs.movement
                && own.mobility == theirs.mobility
        })
        && men.letters == board::Men::FIDE.letters
        && men.more.is_empty();
    let kings = Color::BOTH.iter().all(|&color| {
        let count = |kind: Kind| {
            law.start
                .iter()
                .filter(|unit| unit.1 == color && unit.0 == kind)
                .count()
        };
        count(Kind::King) == 1
    });
    let last = [rank(d, Color::Black, 0), rank(d, Color::White, 0)];
    let starts = [rank(d, Color::White, 1), rank(d, Color::Black, 1)];
    let none = d.pawns.double_step == [0; 2];
    let steps = none || d.pawns.double_step == starts && geometry.ranks() >= 6;
    // The squares that the opponent's pawns pass.
    let passed = [rank(d, Color::Black, 2), rank(d, Color::White, 2)];
    let passing = none
        || (0..2).all(|side| d.en_passant.region[side] & passed[side] == passed[side])
            && d.en_passant.types == chess.en_passant.types;
    let (p, q) = (&d.promotion, &chess.promotion);
    let promotes = p.region.map(|region| region & d.squares()) == last
        && p.pawns == q.pawns
        && p.choices == q.choices
        && p.limits.iter().all(|&limit| limit == 0)
        && p.mandatory_for_pawns
        && p.promoted.iter().all(Option::is_none)
        && !p.demotion
        && !p.sittuyin;
    let castling = !d.castling.enabled || geometry.size() == "8x8" && d.castling == chess.castling;
    let checks = definition::Checks {
        counting: false,
        ..d.checks.clone()
    };
    let extinction = !d.extinction.pseudo_royal && !d.extinction.duple_check;
    pieces
        && kings
        && geometry.holes() == 0
        && !geometry.wraps()
        && geometry.len() <= 64
        && d.pawns
            .triple_step
            .iter()
            .all(|&region| region & d.squares() == 0)
        && steps
        && passing
        && promotes
        && castling
        && checks == chess.checks
        && extinction
        && d.drops == chess.drops
        && d.gating == chess.gating
        && d.captures == chess.captures
        && d.passing == chess.passing
        && d.no_turn.checkmate == Value::Loss
        && d.quiet_plies() == 0
        && d.pawns.pawn == Some(PieceType(0))
}

impl<W: Layout> Rules<W> for Orthodox<W::Set> {
    const GENERATOR: Generator = Generator::AtRunTime;

    #[inline(always)]
    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }

    fn tables(&self) -> Option<&dyn TableRules<W>> {
        Some(&self.made)
    }

    fn castling(&self) -> Option<Castling> {
        let enabled = self.made.law.definition.castling.enabled;
        enabled.then_some(Castling::FIDE)
    }

    fn double_step(&self) -> bool {
        self.made.law.definition.pawns.double_step != [0; 2]
    }

    fn update_state(
        &self,
        _b: &Board<W::Set>,
        before: &Position<W>,
        _turn: &Turn,
        after: &mut Position<W>,
    ) {
        if self.facts.plain == Plain::No {
            self.made.note_check(before.side, after);
        }
    }

    fn settled(&self, _b: &Board<W::Set>, p: &Position<W>) -> Option<Outcome> {
        match self.facts.plain {
            Plain::Lasting => None,
            Plain::No | Plain::Settling => self.made.ended(p),
        }
    }

    fn no_turn(&self, _b: &Board<W::Set>, p: &Position<W>) -> Outcome {
        self.made.without_turn(p)
    }

    fn symmetries(&self, _b: &Board<W::Set>) -> Symmetries {
        self.made.symmetric()
    }
}

impl<W: Layout> Carried<W> for Orthodox<W::Set> {
    fn state_bits(&self) -> u32 {
        self.made.law.state.bits
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        (state == 0).then_some(0)
    }

    fn fields(&self) -> Option<&dyn FenFields<W>> {
        Some(&self.made)
    }
}
