//! Recognizes definitions with the turns of orthodox chess, whatever their goals. The faster orthodox
//! generator plays them.

use crate::bound_rules::BoundRules;
use crate::compiled_definition::CompiledDefinition;
use board::{Color, Kind, Squares};
use definition::{
    Checks, Connection, Definition, EnPassant, Ended, Extinction, Flag, History, NoTurn, Pawns,
    Piece, PieceType, Promotion, Value,
};
use position::{BoardOf, Layout, Narrow, Position};
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
    if !has_orthodox_turns(law) {
        return None;
    }
    Some(match (law.state.bits > 0, has_goals(&law.definition)) {
        (true, _) => Plain::No,
        (false, false) => Plain::Lasting,
        (false, true) => Plain::Settling,
    })
}

/// Returns whether a game can end while the side to move has legal turns. The patterns do not use `..`, so
/// that a new field must be considered here.
fn has_goals(d: &Definition) -> bool {
    let Definition {
        extinction,
        flag,
        connection,
        ended,
        // With these, the turns are not orthodox or positions have a state, see `has_orthodox_turns`.
        castling: _,
        checks: _,
        passing: _,
        history: _,
        // These decide which turns are legal.
        name: _,
        parent: _,
        board: _,
        pieces: _,
        start_fen: _,
        chess960: _,
        pawns: _,
        en_passant: _,
        promotion: _,
        drops: _,
        gating: _,
        walling: _,
        captures: _,
        // This decides the outcome of a position without turns.
        no_turn: _,
        // Definitions with clauses are opened by other code.
        layers: _,
        has_fide_boards: _,
        written: _,
    } = d;
    let Extinction {
        value,
        types: _,
        total: _,
        count: _,
        opponent_count: _,
        claim: _,
        pseudo_royal: _,
        duple_check: _,
    } = extinction;
    let Flag {
        region: flag,
        piece: _,
        nobody: _,
        count: _,
        blocked_wins: _,
        extra_move: _,
        safe: _,
    } = flag;
    let Connection {
        in_a_row,
        square,
        collinear,
        region_a,
        // Without the first region there is nothing to connect with the second.
        region_b: _,
        types: _,
        horizontal: _,
        vertical: _,
        diagonal: _,
        value: _,
    } = connection;
    let Ended {
        full_board,
        // This decides the value of a draw.
        material: _,
    } = ended;
    value.is_some()
        || *flag != [0; 2]
        || *in_a_row > 0
        || *square > 0
        || *collinear > 0
        || *region_a != [0; 2]
        || *full_board
}

/// Returns the squares of rank `n` (from 0), counted from a side. Returns an empty set if the board has fewer
/// ranks.
fn rank(d: &Definition, color: Color, n: u8) -> u128 {
    let geometry = d.board;
    let files = if n < geometry.ranks() {
        geometry.files()
    } else {
        0
    };
    (0..files)
        .map(|file| geometry.square(file, geometry.rank_of(color, n)))
        .fold(0, |all, square| all | 1 << square.0)
}

/// Returns whether all positions have the legal turns of orthodox chess. The patterns do not use `..`, so
/// that a new field must be considered here.
fn has_orthodox_turns(law: &CompiledDefinition) -> bool {
    let Definition {
        board,
        pieces: _,
        pawns,
        en_passant,
        promotion,
        castling,
        drops,
        gating,
        walling,
        captures,
        passing,
        checks,
        extinction,
        no_turn,
        history,
        chess960,
        // Names have no effect.
        name: _,
        parent: _,
        // The units of the start are in `law.start`.
        start_fen: _,
        // Goals end games, but do not change the turns of a game that has not ended.
        flag: _,
        connection: _,
        ended: _,
        // Definitions with clauses are opened by other code; on its own board, a rule set has no other.
        layers: _,
        has_fide_boards: _,
        written: _,
    } = &law.definition;
    let chess = definition::chess();
    has_orthodox_pieces(law)
        && board.holes() == 0
        && !board.wraps()
        && board.len() <= 64
        && steps_as_orthodox_pawns(&law.definition, pawns, en_passant)
        && promotes_as_orthodox_pawns(&law.definition, promotion)
        && !chess960
        && (!castling.enabled || board.size() == "8x8" && *castling == chess.castling)
        && has_orthodox_checks(checks)
        && has_no_pseudo_royals(extinction)
        && *drops == chess.drops
        && *gating == chess.gating
        && walling.rule.is_none()
        && *captures == chess.captures
        && *passing == chess.passing
        && has_orthodox_mate(no_turn)
        && !counts_quiet_turns(history)
}

/// Returns whether the pieces are the orthodox ones with the usual letters, and each side starts with a king.
fn has_orthodox_pieces(law: &CompiledDefinition) -> bool {
    let (d, chess, men) = (&law.definition, definition::chess(), &law.men);
    let is_orthodox = |(own, orthodox): (&Piece, &Piece)| {
        let Piece {
            name,
            letter,
            movement,
            mobility,
            // Second letters affect only the reading of FENs.
            synonym: _,
        } = own;
        *name == orthodox.name
            && *letter == orthodox.letter
            && *movement == orthodox.movement
            && *mobility == orthodox.mobility
    };
    let has_king = |color: &Color| {
        let is_king = |unit: &&(Kind, Color, usize)| unit.1 == *color && unit.0 == Kind::King;
        law.start.iter().filter(is_king).count() == 1
    };
    d.pieces.len() == chess.pieces.len()
        && d.pieces.iter().zip(&chess.pieces).all(is_orthodox)
        && men.letters == board::Men::FIDE.letters
        && men.more.is_empty()
        && Color::BOTH.iter().all(has_king)
}

fn steps_as_orthodox_pawns(d: &Definition, pawns: &Pawns, en_passant: &EnPassant) -> bool {
    let Pawns {
        pawn,
        double_step,
        triple_step,
    } = pawns;
    let EnPassant { types, region } = en_passant;
    let starts = [rank(d, Color::White, 1), rank(d, Color::Black, 1)];
    let steps_once = *double_step == [0; 2];
    // The squares that the opponent's pawns pass.
    let passed = [rank(d, Color::Black, 2), rank(d, Color::White, 2)];
    *pawn == Some(PieceType(0))
        && triple_step.iter().all(|&region| region & d.squares() == 0)
        && (steps_once || *double_step == starts && d.board.ranks() >= 6)
        && (steps_once
            || (0..2).all(|side| region[side] & passed[side] == passed[side])
                && *types == definition::chess().en_passant.types)
}

fn promotes_as_orthodox_pawns(d: &Definition, promotion: &Promotion) -> bool {
    let Promotion {
        region,
        pawns,
        choices,
        limits,
        mandatory_for_pawns,
        promoted,
        demotion,
        sittuyin,
        // Captured units do not go to a hand.
        main_pawn: _,
        // These concern promoted forms only.
        by_capture_only: _,
        mandatory_for_pieces: _,
    } = promotion;
    let orthodox = &definition::chess().promotion;
    let last = [rank(d, Color::Black, 0), rank(d, Color::White, 0)];
    region.map(|region| region & d.squares()) == last
        && *pawns == orthodox.pawns
        && *choices == orthodox.choices
        && limits.iter().all(|&limit| limit == 0)
        && *mandatory_for_pawns
        && promoted.iter().all(Option::is_none)
        && !demotion
        && !sittuyin
}

fn has_orthodox_checks(checks: &Checks) -> bool {
    // Counting checks does not change the turns.
    let uncounted = Checks {
        counting: false,
        ..checks.clone()
    };
    uncounted == definition::chess().checks
}

fn has_no_pseudo_royals(extinction: &Extinction) -> bool {
    let Extinction {
        pseudo_royal,
        duple_check,
        // These end games.
        value: _,
        types: _,
        total: _,
        count: _,
        opponent_count: _,
        claim: _,
    } = extinction;
    !pseudo_royal && !duple_check
}

/// Returns whether a mated side loses. The orthodox generator relies on this, but not on the value of
/// stalemate.
fn has_orthodox_mate(no_turn: &NoTurn) -> bool {
    let NoTurn {
        checkmate,
        stalemate: _,
        piece_count: _,
    } = no_turn;
    *checkmate == Value::Loss
}

/// Returns whether positions contain the count of plies without progress.
fn counts_quiet_turns(history: &History) -> bool {
    let History {
        n_move_rule,
        n_move_kept,
        // This decides when the count is reset.
        n_move_types: _,
        // These depend on earlier positions and are not played.
        n_fold_rule: _,
        n_fold_value: _,
        n_fold_absolute: _,
        perpetual_check_illegal: _,
        move_repetition_illegal: _,
        chasing: _,
        counting: _,
    } = history;
    *n_move_kept && *n_move_rule > 0
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
        _b: &BoardOf<W>,
        p: &Position<W>,
        _turn: &Turn,
        after: &mut Position<W>,
    ) {
        if self.facts.plain == Plain::No {
            self.made.note_check(p.side, after);
        }
    }

    fn settled(&self, _b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        match self.facts.plain {
            Plain::Lasting => None,
            Plain::No | Plain::Settling => self.made.ended(p),
        }
    }

    fn unit_range(&self, color: Color, kind: Kind) -> (u32, u32) {
        Rules::<W>::unit_range(&self.made, color, kind)
    }

    fn no_pawns_in_fens(&self, _b: &BoardOf<W>, color: Color) -> W::Set {
        self.made.refused_pawns[color.index()]
    }

    fn no_turn(&self, _b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        self.made.without_turn(p)
    }

    fn symmetries(&self, _b: &BoardOf<W>) -> Symmetries {
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

#[cfg(test)]
mod tests {
    use super::*;
    use board::Geometry;

    #[test]
    fn ranks_that_a_board_lacks_have_no_squares() {
        let mut d = definition::chess().clone();
        d.board = Geometry::new(3, 2, 0, false).expect("a board");
        assert_eq!(rank(&d, Color::White, 1), 0b111_000);
        assert_eq!(rank(&d, Color::Black, 1), 0b000_111);
        for color in Color::BOTH {
            assert_eq!(rank(&d, color, 2), 0);
        }
    }
}
