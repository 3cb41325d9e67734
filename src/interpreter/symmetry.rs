//! Checks which symmetries the rules of a definition allow. Movements and regions are not considered here,
//! because `BoundRules::symmetric` compares them square by square.

use definition::{
    Captures, Castling, Checks, Connection, Definition, Drops, EnPassant, Ended, Extinction, Flag,
    Gating, History, MaterialCounting, NoTurn, Passing, Pawns, Promotion, Sides, Walling,
};

/// The properties of a definition on which its symmetries depend, apart from movements and regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Orientation {
    /// Whether rules distinguish squares in a way that is not compared, so that no symmetry is used.
    pub is_fixed: bool,
    /// Whether rules that name a side are the same for both sides.
    pub has_equal_sides: bool,
    /// Whether rules other than those of pawns depend on which rank is the first.
    pub has_first_rank: bool,
}

/// Returns the properties of a definition on which its symmetries depend. The patterns do not use `..`, so
/// that a new field must be considered here.
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
        // Later positions do not depend on the start, except on the checks to give, which the caller
        // compares. Clauses are examined by the crate that compiles them.
        start_fen: _,
        name: _,
        parent: _,
        has_fide_boards: _,
        layers: _,
        written: _,
    } = definition;
    let Drops {
        enabled,
        opposite_bishops,
        // Drop regions are compared. They already contain the effects of `pawns_in_zone`,
        // `pawns_on_first_rank` and `rooks_on_first_rank`.
        region: _,
        pawns_on_first_rank: _,
        pawns_in_zone: _,
        rooks_on_first_rank: _,
        // Symmetries map whole files to whole files.
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
        is_fixed: has_gates(gating) || *opposite_bishops,
        has_equal_sides: has_equal_pawns(pawns, en_passant, promotion)
            && has_equal_castling(castling)
            && has_equal_ends(flag, connection, ended)
            && has_equal_passing(passing)
            && has_equal_history(history),
        has_first_rank: *enabled || *counting,
    }
}

fn has_gates(gating: &Gating) -> bool {
    let Gating {
        enabled: gates,
        // Both have an effect only with `gating`.
        seirawan: _,
        cambodian: _,
    } = gating;
    *gates
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
        // Limits are the same for both sides.
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

/// Returns whether both sides castle alike, if a drop can give a right. Rights that exist from the start are
/// ignored by all code that uses symmetries.
fn has_equal_castling(castling: &Castling) -> bool {
    let Castling {
        enabled,
        dropped,
        king,
        rooks,
        // Ranks are counted from each side, and files are the same for both sides.
        rank: _,
        kingside_file: _,
        queenside_file: _,
        king_file: _,
        rook_kingside_file: _,
        rook_queenside_file: _,
        opposite: _,
        // Endgame tables, which use symmetries, are not built for such definitions.
        wins: _,
    } = castling;
    !(*enabled && *dropped) || is_equal(king) && is_equal(rooks)
}

fn has_equal_ends(flag: &Flag, connection: &Connection, ended: &Ended) -> bool {
    use MaterialCounting::{BlackDrawOdds, WhiteDrawOdds};
    let Flag {
        piece,
        nobody,
        // Treats White and Black differently, see `Flag::extra_move`.
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

/// Returns whether the n-move rule is the same for both sides: the same steps reset its count, if there is a
/// count.
fn has_equal_history(history: &History) -> bool {
    let History {
        n_move_types,
        n_move_kept,
        n_move_rule: _,
        // These depend on earlier positions and are not played.
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
