//! Judges which symmetries the rules of a definition allow, apart from movements and regions, which
//! `BoundRules::symmetric` compares square by square.

use definition::{
    Captures, Castling, Checks, Connection, Definition, Drops, EnPassant, Ended, Extinction, Flag,
    Gating, History, MaterialCounting, NoTurn, Passing, Pawns, Promotion, Sides, Walling,
};

/// What the symmetries of a definition depend on, apart from movements and regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Orientation {
    /// Rules distinguish squares in a way that is not compared, so the board has no symmetry.
    pub is_fixed: bool,
    /// Rules that name a side are the same for both.
    pub has_equal_sides: bool,
    /// Rules apart from those of pawns depend on which rank is the first.
    pub has_first_rank: bool,
}

/// Returns what the symmetries of a definition depend on. A new field must be considered here: nothing is
/// left out with `..`.
pub(crate) fn orientation(definition: &Definition) -> Orientation {
    let Definition {
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
        flag,
        connection,
        no_turn,
        ended,
        history,
        // Not played.
        chess960: _,
        // Movements and regions are compared square by square.
        board: _,
        pieces: _,
        // The start decides nothing later, except the checks to give, which the caller compares.
        start_fen: _,
        name: _,
        parent: _,
    } = definition;
    let Drops {
        enabled,
        opposite_bishops,
        // Regions are compared; `pawns_in_zone`, `pawns_on_first_rank` and `rooks_on_first_rank` are part
        // of them.
        region: _,
        pawns_on_first_rank: _,
        pawns_in_zone: _,
        rooks_on_first_rank: _,
        // Files are kept or swapped as a whole.
        no_doubled: _,
        no_doubled_count: _,
        // These do not distinguish squares or sides.
        captures_to_hand: _,
        keep_promoted: _,
        promoted: _,
        checks: _,
        must_drop: _,
        must_drop_type: _,
        shogi_pawn_mate_illegal: _,
        two_boards: _,
        // Not played.
        enclosing: _,
        enclosing_start: _,
        flip: _,
    } = drops;
    let Gating {
        enabled: gates,
        // Both need `gating`.
        seirawan: _,
        cambodian: _,
    } = gating;
    let Walling {
        // Not played.
        rule: _,
        region: _,
        or_move: _,
    } = walling;
    let Checks {
        counting,
        // Neither squares nor sides are distinguished.
        king: _,
        allowed: _,
        flying_general: _,
        makpong: _,
        shatar: _,
        immobility_illegal: _,
        // Part of the movements.
        soldier_rank: _,
        // Not played.
        bikjang: _,
        diagonal_lines: _,
    } = checks;
    let Captures {
        // Neither squares nor sides are distinguished.
        mandatory: _,
        blast: _,
        immune: _,
        mutually_immune: _,
        // Not played.
        petrify: _,
        petrify_blast: _,
    } = captures;
    let Extinction {
        // Neither squares nor sides are distinguished.
        value: _,
        types: _,
        total: _,
        count: _,
        opponent_count: _,
        claim: _,
        pseudo_royal: _,
        duple_check: _,
    } = extinction;
    let NoTurn {
        // Neither squares nor sides are distinguished.
        stalemate: _,
        piece_count: _,
        checkmate: _,
    } = no_turn;
    Orientation {
        is_fixed: *gates || *opposite_bishops,
        has_equal_sides: has_equal_pawns(pawns, en_passant, promotion)
            && has_equal_castling(castling)
            && has_equal_ends(flag, connection, ended)
            && has_equal_passing(passing)
            && has_equal_history(history),
        has_first_rank: *enabled || *counting,
    }
}

fn is_equal<T: PartialEq>(sides: &Sides<T>) -> bool {
    sides[0] == sides[1]
}

fn has_equal_pawns(pawns: &Pawns, en_passant: &EnPassant, promotion: &Promotion) -> bool {
    let Pawns {
        // Regions are compared.
        pawn: _,
        double_step: _,
        triple_step: _,
    } = pawns;
    let EnPassant { types, region: _ } = en_passant;
    let Promotion {
        pawns,
        main_pawn,
        choices,
        // Regions are compared.
        region: _,
        // The same for both sides.
        limits: _,
        mandatory_for_pawns: _,
        promoted: _,
        by_capture_only: _,
        mandatory_for_pieces: _,
        demotion: _,
        sittuyin: _,
    } = promotion;
    is_equal(types) && is_equal(pawns) && is_equal(main_pawn) && is_equal(choices)
}

/// Returns whether both sides castle alike, where a drop can bring a right. Other rights are ignored by all
/// that uses symmetries.
fn has_equal_castling(castling: &Castling) -> bool {
    let Castling {
        enabled,
        dropped,
        king,
        rooks,
        // Ranks are those of each side, files the same for both.
        rank: _,
        kingside_file: _,
        queenside_file: _,
        king_file: _,
        rook_kingside_file: _,
        rook_queenside_file: _,
        opposite: _,
        // Tables are refused.
        wins: _,
    } = castling;
    !(*enabled && *dropped) || is_equal(king) && is_equal(rooks)
}

fn has_equal_ends(flag: &Flag, connection: &Connection, ended: &Ended) -> bool {
    use MaterialCounting::{BlackDrawOdds, WhiteDrawOdds};
    let Flag {
        piece,
        nobody,
        // White and Black are treated differently: see `Flag::extra_move`.
        extra_move,
        // Regions are compared.
        region: _,
        count: _,
        blocked_wins: _,
        safe: _,
    } = flag;
    let Connection {
        // Regions are compared; the rest is the same for both sides.
        region_a: _,
        region_b: _,
        in_a_row: _,
        types: _,
        horizontal: _,
        vertical: _,
        diagonal: _,
        square: _,
        collinear: _,
        value: _,
    } = connection;
    let Ended {
        material,
        full_board: _,
    } = ended;
    is_equal(piece)
        && is_equal(nobody)
        && !extra_move
        && !matches!(material, Some(WhiteDrawOdds | BlackDrawOdds))
}

fn has_equal_passing(passing: &Passing) -> bool {
    let Passing {
        allowed,
        on_stalemate,
    } = passing;
    is_equal(allowed) && is_equal(on_stalemate)
}

/// Returns whether the same steps of both sides reset the count of the n-move rule, if there is a count.
fn has_equal_history(history: &History) -> bool {
    let History {
        n_move_types,
        n_move_kept,
        n_move_rule: _,
        // Left out: positions have no past.
        n_fold_rule: _,
        n_fold_value: _,
        n_fold_absolute: _,
        perpetual_check_illegal: _,
        move_repetition_illegal: _,
        chasing: _,
        counting: _,
    } = history;
    !n_move_kept || is_equal(n_move_types)
}
