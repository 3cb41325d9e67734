//! A draft put on its board: the definition, and what is wrong or doubtful with it as a whole.

use crate::array::{self, Array, Cell};
use crate::draft::{Draft, MAX_SIDE, OnePiece, Plane, SlotSet};
use crate::finding::{Finding, Place};
use crate::sections::Section;
use crate::slots::{self, KING, SLOTS};
use crate::{
    Captures, Castling, Checks, Connection, Definition, Drops, EnPassant, Ended, Extinction, Flag,
    Gating, History, Movement, NoTurn, Passing, Pawns, Piece, PieceSet, PieceType, Promotion,
    Region, Sides, Value, Walling,
};
use board::{Color, Geometry, MAX_SQUARES};

/// The longest n-move rule that a position can keep the count of, in moves of each side.
const MAX_KEPT: u32 = 1_000;

/// Where the findings of a section point.
struct Report<'a> {
    section: &'a Section,
    findings: &'a mut Vec<Finding>,
}

impl Report<'_> {
    /// Returns the value of the first of these keys that the section itself has, else its heading.
    fn place(&self, keys: &[&str]) -> Place {
        let own = keys.iter().find_map(|key| self.section.get(key));
        own.map_or(self.section.name.place, |entry| entry.value.place)
    }

    fn error(&mut self, keys: &[&str], why: impl Into<String>) {
        let finding = Finding::error(self.place(keys), why);
        self.findings.push(finding.within(&self.section.name.text));
    }

    fn error_help(&mut self, keys: &[&str], why: impl Into<String>, help: &str) {
        let finding = Finding::error(self.place(keys), why).help(help);
        self.findings.push(finding.within(&self.section.name.text));
    }

    fn warning(&mut self, keys: &[&str], why: impl Into<String>) {
        let finding = Finding::warning(self.place(keys), why);
        self.findings.push(finding.within(&self.section.name.text));
    }
}

/// Returns the definition of a draft; `None` if an error forbids it. Findings of errors and warnings are
/// added.
pub fn finish(draft: &Draft, section: &Section, findings: &mut Vec<Finding>) -> Option<Definition> {
    let mut report = Report { section, findings };
    let before = errors(report.findings);
    let definition = build(draft, &mut report)?;
    check(&definition, draft, &mut report);
    (errors(report.findings) == before).then_some(definition)
}

fn errors(findings: &[Finding]) -> usize {
    let error = |f: &&Finding| f.severity == crate::Severity::Error;
    findings.iter().filter(error).count()
}

/// Puts letters, regions and board together.
fn build(d: &Draft, report: &mut Report) -> Option<Definition> {
    let size = &["maxFile", "maxRank"];
    let (files, ranks) = (d.max_file, d.max_rank);
    if usize::from(files) * usize::from(ranks) > MAX_SQUARES {
        let why = format!("a board of {files}x{ranks} squares is too large");
        report.error_help(size, why, "at most 16 files, 16 ranks and 128 squares");
        return None;
    }
    let field = d.start_fen.split_whitespace().next().unwrap_or_default();
    let array = match array::array(field) {
        Ok(array) => array,
        Err(why) => {
            report.error(&["startFen"], format!("`startFen`: {why}"));
            return None;
        }
    };
    if array.rows.len() != usize::from(ranks) {
        let why = format!(
            "`startFen` has {} rows, the board {ranks} ranks",
            array.rows.len()
        );
        report.error_help(
            &["startFen", "maxRank"],
            why,
            "`maxRank` says how many ranks there are",
        );
        return None;
    }
    for (row, cells) in array.rows.iter().enumerate() {
        if cells.len() != usize::from(files) {
            let why = format!(
                "`startFen`: rank {} has {} squares, the board {files} files",
                array.rows.len() - row,
                cells.len()
            );
            report.error_help(
                &["startFen", "maxFile"],
                why,
                "`maxFile` says how many files there are",
            );
            return None;
        }
    }
    let flat = Geometry::new(files, ranks, 0, false)?;
    let mut holes = region(flat, d.holes);
    for (row, cells) in array.rows.iter().enumerate() {
        for (file, cell) in cells.iter().enumerate() {
            let square = flat.square(file as u8, ranks - 1 - row as u8);
            match cell {
                Cell::Hole => holes |= 1 << square.0,
                Cell::Unit(_) if holes >> square.0 & 1 == 1 => {
                    let why = format!("`startFen` has a unit on {}, a hole", flat.name(square));
                    report.error(&["startFen", "holes"], why);
                }
                _ => {}
            }
        }
    }
    let board = Geometry::new(files, ranks, holes, d.cylinder)?;
    if holes.count_ones() as usize == board.len() {
        report.error(&["holes", "startFen"], "the board has no square but holes");
        return None;
    }
    let full = array::full(&d.start_fen, d.piece_drops || d.seirawan, d.check_counting);
    let start_fen = match full {
        // Without castling there are no rights, whatever a parent's FEN says.
        Ok(fen) if !d.castling && !d.gating => {
            array::without_rights(&array::with_holes(&fen, board))
        }
        Ok(fen) => array::with_holes(&fen, board),
        Err(why) => {
            report.error(&["startFen"], format!("`startFen`: {why}"));
            return None;
        }
    };
    let (pieces, index) = pieces(d, board);
    let set = |set: SlotSet| {
        if set.star() {
            return PieceSet::first(pieces.len());
        }
        (0..SLOTS)
            .filter(|&slot| set.has(slot))
            .filter_map(|slot| index[slot])
            .fold(PieceSet::EMPTY, PieceSet::with)
    };
    let sets = |sides: Sides<SlotSet>| sides.map(set);
    let one = |piece: OnePiece| match piece {
        OnePiece::Any => None,
        OnePiece::Slot(slot) => index[slot],
    };
    let area = |plane: Plane| region(board, plane);
    let areas = |sides: Sides<Plane>| sides.map(area);
    let last = |file: u8| file.min(files - 1);
    let mut limits = vec![0; pieces.len()];
    let mut promoted = vec![None; pieces.len()];
    for slot in 0..SLOTS {
        if let Some(piece) = index[slot] {
            limits[piece.index()] = d.promotion_limit[slot];
            promoted[piece.index()] = d.promoted[slot].and_then(|to| index[to]);
        }
    }
    let double_step = match d.double_step {
        true => areas(d.double_step_region),
        false => [0; 2],
    };
    Some(Definition {
        name: report.section.name.text.clone(),
        parent: report.section.parent.as_ref().map(|p| p.text.clone()),
        board,
        start_fen,
        chess960: d.chess960,
        pawns: Pawns {
            pawn: index[slots::PAWN],
            double_step,
            triple_step: areas(d.triple_step_region),
        },
        en_passant: EnPassant {
            types: sets(d.en_passant_types),
            region: areas(d.en_passant_region),
        },
        promotion: Promotion {
            region: areas(d.promotion_region),
            pawns: sets(d.promotion_pawns),
            main_pawn: d.main_pawn.map(one),
            choices: sets(d.promotion_types),
            limits,
            mandatory_for_pawns: d.mandatory_pawn,
            promoted,
            by_capture_only: d.promotion_on_capture,
            mandatory_for_pieces: d.mandatory_piece,
            demotion: d.demotion,
            sittuyin: d.sittuyin_promotion,
        },
        castling: Castling {
            enabled: d.castling,
            rank: d.castling_rank,
            kingside_file: d.castling_kingside,
            queenside_file: d.castling_queenside,
            king_file: last(d.castling_king_file),
            rook_kingside_file: last(d.castling_rook_kingside),
            rook_queenside_file: last(d.castling_rook_queenside),
            king: d.castling_king.map(one),
            rooks: sets(d.castling_rooks),
            opposite: d.opposite_castling,
            dropped: d.castling_dropped,
            wins: d.castling_wins,
        },
        drops: Drops {
            enabled: d.piece_drops,
            captures_to_hand: d.captures_to_hand,
            keep_promoted: d.drop_loop,
            region: areas(d.drop_region),
            pawns_on_first_rank: d.first_rank_pawn_drops,
            pawns_in_zone: d.zone_pawn_drops,
            promoted: d.drop_promoted,
            no_doubled: one(d.no_doubled),
            no_doubled_count: d.no_doubled_count,
            checks: d.drop_checks,
            must_drop: d.must_drop,
            must_drop_type: one(d.must_drop_type),
            rooks_on_first_rank: d.sittuyin_rook,
            opposite_bishops: d.opposite_bishops,
            shogi_pawn_mate_illegal: d.pawn_drop_mate_illegal,
            enclosing: d.enclosing_drop,
            enclosing_start: area(d.enclosing_start),
            flip: d.flip,
            two_boards: d.two_boards,
        },
        gating: Gating {
            enabled: d.gating,
            seirawan: d.seirawan,
            cambodian: d.cambodian,
        },
        walling: Walling {
            rule: d.walling,
            region: areas(d.walling_region),
            or_move: d.wall_or_move,
        },
        captures: Captures {
            mandatory: d.must_capture,
            blast: d.blast,
            immune: set(d.immune),
            mutually_immune: set(d.mutually_immune),
            petrify: set(d.petrify),
            petrify_blast: d.petrify_blast,
        },
        passing: Passing {
            allowed: d.pass,
            on_stalemate: d.pass_on_stalemate,
        },
        checks: Checks {
            king: index[KING],
            allowed: d.checking,
            flying_general: d.flying_general,
            makpong: d.makpong,
            counting: d.check_counting,
            shatar: d.shatar,
            bikjang: d.bikjang,
            soldier_rank: d.soldier_rank,
            diagonal_lines: area(d.diagonal_lines),
            immobility_illegal: d.immobility_illegal,
        },
        extinction: Extinction {
            value: d.extinction,
            // `*` here means all units together, not each kind.
            types: set(SlotSet(d.extinction_types.0 & !SlotSet::STAR.0)),
            total: d.extinction_types.star(),
            count: d.extinction_count,
            opponent_count: d.extinction_opponent,
            claim: d.extinction_claim,
            pseudo_royal: d.pseudo_royal,
            duple_check: d.duple_check,
        },
        flag: Flag {
            piece: d.flag_piece.map(one),
            nobody: d.flag_piece.map(|piece| match piece {
                OnePiece::Any => false,
                OnePiece::Slot(slot) => index[slot].is_none(),
            }),
            region: areas(d.flag_region),
            count: d.flag_count,
            blocked_wins: d.flag_blocked,
            extra_move: d.flag_move,
            safe: d.flag_safe,
        },
        connection: Connection {
            in_a_row: d.connect_n,
            types: set(d.connect_types),
            horizontal: d.connect_horizontal,
            vertical: d.connect_vertical,
            diagonal: d.connect_diagonal,
            region_a: areas(d.connect_region[0]),
            region_b: areas(d.connect_region[1]),
            square: d.connect_nxn,
            collinear: d.collinear_n,
            value: d.connect_value,
        },
        no_turn: NoTurn {
            stalemate: d.stalemate,
            piece_count: d.stalemate_count,
            checkmate: d.checkmate,
        },
        ended: Ended {
            material: d.material,
            full_board: d.full_board,
        },
        history: History {
            n_move_rule: d.n_move_rule,
            n_move_types: sets(d.n_move_types),
            n_move_kept: d.n_move_kept,
            n_fold_rule: d.n_fold_rule,
            n_fold_value: d.n_fold_value,
            n_fold_absolute: d.n_fold_absolute,
            perpetual_check_illegal: d.perpetual_check,
            move_repetition_illegal: d.move_repetition,
            chasing: d.chasing,
            counting: d.counting,
        },
        pieces,
    })
}

/// Returns the squares of a plane that exist on a board.
fn region(board: Geometry, plane: Plane) -> Region {
    let mut squares = 0;
    for (rank, row) in plane.0.iter().enumerate().take(usize::from(board.ranks())) {
        for file in (0..MAX_SIDE).take(usize::from(board.files())) {
            if row >> file & 1 == 1 {
                squares |= 1 << board.square(file as u8, rank as u8).0;
            }
        }
    }
    squares & !board.holes()
}

/// Returns the pieces that have a letter, and the index of each slot.
fn pieces(d: &Draft, board: Geometry) -> (Vec<Piece>, [Option<PieceType>; SLOTS]) {
    let mut pieces = Vec::new();
    let mut index = [None; SLOTS];
    for (slot, place) in index.iter_mut().enumerate() {
        let Some(letter) = d.letters[slot] else {
            continue;
        };
        *place = Some(PieceType(pieces.len() as u8));
        let movement = match slots::is_written(slot) {
            true => d.written[slot].clone(),
            false => Movement::parse(slots::movement(slot)).expect("predefined movements read"),
        };
        // As in the format, an empty region restricts nothing.
        let mobility = d.mobility[slot].map(|plane| match plane {
            Plane::NONE => None,
            plane => Some(region(board, plane)),
        });
        pieces.push(Piece {
            name: slots::name(slot),
            letter,
            synonym: d.synonyms[slot],
            movement,
            mobility,
        });
    }
    (pieces, index)
}

/// Contradictions and doubts.
fn check(d: &Definition, draft: &Draft, report: &mut Report) {
    check_pieces(d, draft, report);
    let field = d.start_fen.split_whitespace().next().unwrap_or_default();
    if let Ok(array) = array::array(field) {
        check_array(d, &array, report);
    }
    check_promotion(d, report);
    check_contradictions(d, report);
    check_goal(d, report);
}

fn check_pieces(d: &Definition, draft: &Draft, report: &mut Report) {
    if d.pieces.is_empty() {
        report.error_help(
            &[],
            "the variant has no pieces",
            "`pawn = p`, `king = k`, or a parent: `[name:chess]`",
        );
    }
    for piece in &d.pieces {
        let letter = piece.letter as char;
        if piece.movement.steps().is_empty() && piece.name != "immobile" {
            let why = format!("`{}` ({letter}) has no moves", piece.name);
            report.warning(&[&piece.name], why);
        }
        for (color, mobility) in Color::BOTH.into_iter().zip(piece.mobility) {
            if mobility == Some(0) {
                let side = side(color);
                let why = format!(
                    "{side}'s `{}` ({letter}) has no square to go to on this board",
                    piece.name
                );
                report.warning(&[&piece.name], why);
            }
        }
    }
    // What a key names though the variant does not have it.
    for (key, types) in [
        (
            "promotionPieceTypes",
            draft.promotion_types[0].0 | draft.promotion_types[1].0,
        ),
        ("extinctionPieceTypes", draft.extinction_types.0),
    ] {
        let absent = (0..SLOTS).find(|&s| types >> s & 1 == 1 && draft.letters[s].is_none());
        if let Some(slot) = absent {
            let why = format!(
                "`{key}` names `{}`, which the variant does not have",
                slots::name(slot)
            );
            report.warning(&[key], why);
        }
    }
}

fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn check_array(d: &Definition, array: &Array, report: &mut Report) {
    let key = &["startFen"];
    let mut unknown: Option<u8> = None;
    let known = |letter: u8| d.piece_of(letter);
    let mut kings = [0; 2];
    let mut units = [0; 2];
    for cell in array.rows.iter().flatten() {
        let Cell::Unit(unit) = cell else { continue };
        let side = unit.color.index();
        units[side] += 1;
        match known(unit.letter) {
            None => {
                let written = match unit.color {
                    Color::White => unit.letter,
                    Color::Black => unit.letter.to_ascii_lowercase(),
                };
                unknown = unknown.or(Some(written));
            }
            Some(piece) if unit.promoted && d.promotion.promoted[piece.index()].is_none() => {
                let letter = unit.letter as char;
                report.error(key, format!("`startFen`: `+{letter}`, but `promotedPieceType` gives `{letter}` nothing to become"));
            }
            Some(piece) => kings[side] += u32::from(Some(piece) == d.checks.king && !unit.promoted),
        }
    }
    for &letter in &array.hand {
        units[usize::from(letter.is_ascii_lowercase())] += 1;
        match known(letter) {
            None => unknown = unknown.or(Some(letter)),
            Some(piece) if Some(piece) == d.checks.king => {
                kings[usize::from(letter.is_ascii_lowercase())] += 1;
            }
            _ => {}
        }
    }
    if let Some(letter) = unknown {
        let mut letters: String = d.pieces.iter().map(|p| p.letter as char).collect();
        letters.make_ascii_lowercase();
        let why = format!(
            "`startFen` has the letter `{}`, but no piece has",
            letter as char
        );
        report.error_help(key, why, &format!("the pieces have the letters {letters}"));
        return;
    }
    if array.brackets && !d.has_hands() && !array.hand.is_empty() {
        report.warning(
            key,
            "`startFen` has units in hand, but nothing is ever dropped: `pieceDrops` is false",
        );
    }
    for color in Color::BOTH {
        let name = side(color);
        if kings[color.index()] > 1 {
            let why = format!("{name} starts with {} royal kings", kings[color.index()]);
            let help = "several royal pieces are `commoner`s with `extinctionPseudoRoyal`, see `threekings` and `spartan-fsf`";
            report.error_help(key, why, help);
        }
        if units[color.index()] == 0 {
            report.warning(key, format!("{name} starts without units"));
        }
    }
    let Some(king) = d.checks.king.filter(|_| kings.iter().all(|&k| k <= 1)) else {
        return;
    };
    let letter = d.pieces[king.index()].letter;
    let attacked = |of| array::attacked_kings(d.board, array, &d.pieces, letter, of) != 0;
    let attacked = [attacked(Color::White), attacked(Color::Black)];
    let mover = match d.start_fen.split_whitespace().nth(1) {
        Some("b") => Color::Black,
        _ => Color::White,
    };
    match attacked {
        [true, true] => report.error(key, "both kings are in check in the start position"),
        _ if attacked[(!mover).index()] => {
            let why = format!(
                "{} is in check in the start position, and not to move",
                side(!mover)
            );
            report.error(key, why);
        }
        _ => {}
    }
}

fn check_promotion(d: &Definition, report: &mut Report) {
    let promotion = &d.promotion;
    for color in Color::BOTH {
        let c = color.index();
        let name = side(color);
        let pawns = match d.pawns.pawn {
            Some(pawn) => promotion.pawns[c].with(pawn),
            None => promotion.pawns[c],
        };
        if pawns.is_empty() {
            continue;
        }
        let keys = ["promotionRegionWhite", "promotionRegionBlack"];
        if promotion.region[c] == 0 {
            let why = format!(
                "{name}'s pawns never promote: the promotion region has no square on this board"
            );
            report.warning(&[keys[c], "maxRank"], why);
            continue;
        }
        let (white, files) = (color == Color::White, usize::from(d.board.files()));
        let last = if white { d.board.ranks() - 1 } else { 0 };
        let first = usize::from(last) * files;
        let rank = (((1u128 << files) - 1) << first) & d.squares();
        // The region of another board's size: nobody means pawns that stop short of it.
        let reached = promotion.region[c] & rank != 0;
        if !reached && promotion.region[c] != 0 && rank != 0 {
            let why = format!("{name}'s promotion region leaves out the last rank");
            report.warning(&[keys[c], "maxRank"], why);
        }
        let nothing = promotion.choices[c].is_empty()
            && pawns
                .iter()
                .all(|p| promotion.promoted[p.index()].is_none());
        if nothing && promotion.mandatory_for_pawns && promotion.region[c] != 0 {
            let why = format!(
                "{name}'s pawns have nothing to become, so they cannot enter their promotion region"
            );
            report.warning(&["promotionPieceTypes", "promotionPieceTypesWhite"], why);
        }
    }
}

fn check_contradictions(d: &Definition, report: &mut Report) {
    if d.checks.counting && !d.checks.allowed {
        report.error(
            &["checkCounting", "checking"],
            "`checkCounting = true` contradicts `checking = false`",
        );
    }
    if d.castling.enabled {
        let c = &d.castling;
        let can = Color::BOTH.into_iter().any(|s| c.king[s.index()].is_some());
        if c.rank >= d.board.ranks() {
            report.error(&["castlingRank"], "`castlingRank` lies beyond the board");
        }
        if can && (c.kingside_file >= d.board.files() || c.queenside_file >= d.board.files()) {
            let rights = d.start_fen.split_whitespace().nth(2).unwrap_or("-");
            let keys = ["castlingKingsideFile", "castlingQueensideFile", "maxFile"];
            if rights != "-" {
                report.error_help(
                    &keys,
                    "the king castles to a file beyond the board",
                    "`castlingKingsideFile` and `castlingQueensideFile` say where it goes",
                );
            }
        } else if c.queenside_file > c.kingside_file {
            report.error(
                &["castlingQueensideFile", "castlingKingsideFile"],
                "`castlingQueensideFile` lies to the right of `castlingKingsideFile`",
            );
        }
    }
    if d.drops.enabled && d.walling.rule.is_some() {
        report.error(
            &["wallingRule", "pieceDrops"],
            "`pieceDrops` contradicts `wallingRule`",
        );
    }
    if d.history.n_move_kept {
        match d.history.n_move_rule {
            0 => report.warning(
                &["nMoveRuleKept", "nMoveRule"],
                "`nMoveRuleKept` without `nMoveRule`: there is nothing to keep",
            ),
            n if n > MAX_KEPT => report.error_help(
                &["nMoveRule", "nMoveRuleKept"],
                format!("{n} moves are more than can be kept"),
                &format!("`nMoveRule` is at most {MAX_KEPT} where it is kept"),
            ),
            _ => {}
        }
    }
    if d.drops.captures_to_hand && !d.drops.enabled {
        report.warning(
            &["capturesToHand"],
            "`capturesToHand` without `pieceDrops`: nothing is ever dropped",
        );
    }
    if (d.gating.seirawan || d.gating.cambodian) && !d.gating.enabled {
        report.error(
            &["seirawanGating", "cambodianMoves"],
            "`seirawanGating` and `cambodianMoves` need `gating = true`",
        );
    }
    let royal = d.checks.king.is_some();
    if royal && d.captures.blast {
        report.error_help(
            &["blastOnCapture"],
            "`blastOnCapture` does not go with a royal `king`",
            "make it a common piece whose loss loses: `king = -`, `commoner = k`, `castlingKingPiece = k`, \
             `extinctionValue = loss`, `extinctionPieceTypes = k`, `extinctionPseudoRoyal = true`",
        );
    }
    if royal && d.drops.flip.is_some() {
        report.error(
            &["flipEnclosedPieces"],
            "`flipEnclosedPieces` does not go with a royal `king`",
        );
    }
    if (royal || d.extinction.pseudo_royal) && !d.captures.immune.is_empty() && d.captures.blast {
        report.error(
            &["blastImmuneTypes"],
            "`blastImmuneTypes` does not go with royal pieces",
        );
    }
    if (royal || d.extinction.pseudo_royal) && !d.captures.mutually_immune.is_empty() {
        report.error(
            &["mutuallyImmuneTypes"],
            "`mutuallyImmuneTypes` does not go with royal pieces",
        );
    }
    if d.flag.safe && d.captures.blast {
        report.error(
            &["flagPieceSafe"],
            "`flagPieceSafe` does not go with `blastOnCapture`",
        );
    }
    if royal
        && d.checks
            .king
            .is_some_and(|king| hops(&d.pieces[king.index()]))
    {
        report.warning(
            &["king"],
            "a royal king that hops or is lame is not known to the format's own program",
        );
    }
    let extinction = &d.extinction;
    let some = !extinction.types.is_empty() || extinction.total;
    if extinction.value.is_some() && !some {
        report.warning(
            &["extinctionValue"],
            "`extinctionValue` without `extinctionPieceTypes`: nothing runs out",
        );
    }
    if extinction.value.is_none() && some && !extinction.pseudo_royal {
        report.warning(
            &["extinctionPieceTypes"],
            "`extinctionPieceTypes` without `extinctionValue`: nothing ends",
        );
    }
    if extinction.pseudo_royal && extinction.types.is_empty() {
        report.warning(
            &["extinctionPseudoRoyal"],
            "`extinctionPseudoRoyal` without kinds in `extinctionPieceTypes`",
        );
    }
    if extinction.duple_check && !extinction.pseudo_royal {
        report.warning(
            &["dupleCheck"],
            "`dupleCheck` without `extinctionPseudoRoyal` says nothing",
        );
    }
    if d.captures.petrify_blast && !d.captures.blast {
        report.warning(
            &["petrifyBlastPieces"],
            "`petrifyBlastPieces` without `blastOnCapture` says nothing",
        );
    }
    for color in Color::BOTH {
        let c = color.index();
        if d.flag.nobody[c] && d.flag.region[c] != 0 {
            let keys = ["flagPieceWhite", "flagPieceBlack"];
            let why = format!("{}'s flag piece is not in the variant", side(color));
            report.warning(&[keys[c], "flagPiece"], why);
        }
    }
    if d.drops.must_drop && !d.drops.enabled {
        report.warning(
            &["mustDrop"],
            "`mustDrop` without `pieceDrops`: nothing is ever dropped",
        );
    }
}

fn hops(piece: &Piece) -> bool {
    use crate::Path;
    let capture = |t: &&crate::Term| t.captures;
    let paths = |t: &crate::Term| matches!(t.path, Path::Hop | Path::Grasshop | Path::Lame);
    piece.movement.terms.iter().filter(capture).any(paths)
}

fn check_goal(d: &Definition, report: &mut Report) {
    let pseudo = d.extinction.pseudo_royal && !d.extinction.types.is_empty();
    let runs_out = d.extinction.value.is_some_and(|v| v != Value::Draw)
        && (d.extinction.total || !d.extinction.types.is_empty());
    let flag = Color::BOTH
        .into_iter()
        .any(|c| d.flag.region[c.index()] != 0 && !d.flag.nobody[c.index()]);
    let joined = &d.connection;
    let connects = joined.in_a_row > 0
        || joined.square > 0
        || joined.collinear > 0
        || (0..2).any(|c| joined.region_a[c] != 0 && joined.region_b[c] != 0);
    let castles = d.castling.wins != crate::CastlingRights::default();
    let mates = (d.checks.king.is_some() || pseudo) && d.no_turn.checkmate != Value::Draw;
    let stuck = d.no_turn.stalemate != Value::Draw;
    let counts = d.checks.counting && d.checks.king.is_some();
    if !(mates || runs_out || flag || connects || castles || stuck || counts) {
        report.warning(
            &[],
            "the variant has no goal: no royal piece, no extinction, flag, connection or stalemate wins; every game is a draw",
        );
    }
}
