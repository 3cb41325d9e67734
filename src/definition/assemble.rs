//! Builds a [`Definition`] from a draft: reads the start position on the draft's board, and turns slots into
//! kinds and planes into regions.

use crate::array;
use crate::check::{Report, check};
use crate::draft::{CarriedPlane, Draft, KindList, MAX_SIDE, OnePiece, Plane};
use crate::keys::{Key, Sides, TABLE, Take, Target, names};
use crate::sections::Section;
use crate::slots::{self, KING, SLOTS};
use crate::{Definition, Movement, Piece, PieceSet, PieceType, Region};
use board::field::{BoardField, Cell};
use board::{Geometry, MAX_SQUARES};
use diagnostics::Diagnostic;

/// Returns the definition of a draft, or `None` if it has errors. Adds errors and warnings to `findings`.
pub fn finish(
    draft: &Draft,
    section: &Section,
    findings: &mut Vec<Diagnostic>,
) -> Option<Definition> {
    let mut report = Report { section, findings };
    let before = report.errors();
    let definition = build(draft, &mut report)?;
    check(&definition, draft, &mut report);
    report_carried(&definition, draft, &mut report);
    (report.errors() == before).then_some(definition)
}

/// Reports how the regions of a parent with another board are carried over. Adds an error for each region
/// that has no meaning on this board, and one warning that lists the others. Regions without effect are left
/// out.
fn report_carried(d: &Definition, draft: &Draft, report: &mut Report) {
    let mut fields = d.clone();
    let mut changed = Vec::new();
    for name in names() {
        let side = name.sides[0];
        let Some(carried) = draft.carried.get(&(name.key.name, side, name.slot)) else {
            continue;
        };
        if name.key.sides != Sides::None && name.sides.len() > 1 {
            continue;
        }
        let new = match &name.key.take {
            Take::Squares(Target::Field(_, field)) => *field(&mut fields, side),
            Take::Squares(_) => d.board.holes(),
            _ => {
                let piece = d.named(&slots::name(name.slot));
                let Some(piece) = piece else { continue };
                let region = d.pieces[piece.index()].mobility[side];
                region.unwrap_or_else(|| d.squares())
            }
        };
        let without_effect = |key: &Key| match key.name {
            // For these two keys, `is_idle` also holds if the effect is that of orthodox chess.
            "promotionRegion" => d.promotion.pawns[side].is_empty() && d.pawns.pawn.is_none(),
            "doubleStepRegion" => !draft.double_step || d.pawns.pawn.is_none(),
            _ => key.is_idle.is_some_and(|is_idle| is_idle(d)),
        };
        if without_effect(name.key) {
            continue;
        }
        let CarriedPlane { old, old_size, .. } = *carried;
        let (files, ranks) = (old_size.files as u8, old_size.ranks as u8);
        let Some(board) = Geometry::new(files, ranks, 0, false) else {
            continue;
        };
        let parent = Definition {
            board,
            ..Definition::default()
        };
        // Not reported: the region consists of the same squares, as whole ranks do on a wider board.
        if carried.is_carried && new == region(d.board, old) {
            continue;
        }
        let old = parent.squares_text(region(board, old));
        let key = &name.text;
        match carried.is_carried {
            true => changed.push(format!("`{key} = {old}` becomes `{}`", d.squares_text(new))),
            false => {
                let why = format!(
                    "`{key} = {old}` of the parent's board of {} has no meaning on {}",
                    board.size(),
                    d.board.size()
                );
                report.error_help(&["maxRank", "maxFile"], why, &format!("write `{key}`"));
            }
        }
    }
    if !changed.is_empty() {
        let why = format!(
            "regions of the parent are carried over to this board, unlike in Fairy-Stockfish: {}",
            changed.join(", ")
        );
        report.warning(&["maxRank", "maxFile"], why);
    }
}

fn build(d: &Draft, report: &mut Report) -> Option<Definition> {
    let board = board(d, report)?;
    let start_fen = start_fen(d, board, report)?;
    let (pieces, index) = pieces(d, board);
    let set = |list: KindList| match list.has_star() {
        true => PieceSet::first(pieces.len()),
        false => named(list, &index),
    };
    let one = |piece: OnePiece| match piece {
        OnePiece::Any => None,
        OnePiece::Slot(slot) => index[slot],
    };
    let mut definition = d.rules.clone();
    for key in TABLE {
        for &side in key.indices() {
            match &key.take {
                Take::Squares(Target::Field(_, field)) => {
                    *field(&mut definition, side) = region(board, d.squares(key.name, side));
                }
                Take::Pieces(Target::Field(_, field)) => {
                    *field(&mut definition, side) = set(d.kinds(key.name, side));
                }
                Take::Piece(Target::Field(_, field)) => {
                    *field(&mut definition, side) = one(d.piece(key.name, side));
                }
                _ => {}
            }
        }
    }
    let by_piece = |slot: &usize| index[*slot].is_some();
    let slots: Vec<usize> = (0..SLOTS).filter(by_piece).collect();
    definition.promotion.limits = slots.iter().map(|&slot| d.limits[slot]).collect();
    let promoted = |slot: &usize| d.promoted[*slot].and_then(|to| index[to]);
    definition.promotion.promoted = slots.iter().map(promoted).collect();
    definition.promotion.main_pawn =
        [0, 1].map(|side| one(d.kinds("promotionPawnTypes", side).last));
    let on_fide_board = |fits: bool| !d.rules.has_fide_boards || fits;
    if !d.double_step || !on_fide_board(board.ranks() >= 6) {
        definition.pawns.double_step = [0; 2];
    }
    definition.castling.enabled &= on_fide_board(board.files() == 8);
    let castling = &mut definition.castling;
    for file in [
        &mut castling.king_file,
        &mut castling.rook_kingside_file,
        &mut castling.rook_queenside_file,
    ] {
        *file = (*file).min(board.files() - 1);
    }
    // In `extinctionPieceTypes`, `*` means all units together, not each kind.
    let extinction = d.kinds("extinctionPieceTypes", 0);
    definition.extinction.types = named(extinction, &index);
    definition.extinction.total = extinction.has_star();
    definition.flag.nobody = [0, 1].map(|side| match d.piece("flagPiece", side) {
        OnePiece::Any => false,
        OnePiece::Slot(slot) => index[slot].is_none(),
    });
    definition.pawns.pawn = index[slots::PAWN];
    definition.checks.king = index[KING];
    // A list that names all pieces does not include the royal king: a king cannot become another piece.
    if let Some(king) = index[KING] {
        let Definition {
            promotion,
            castling,
            ..
        } = &mut definition;
        // In rule texts, other pieces may be royal.
        let choices = d.rules.layers.is_empty().then_some(&mut promotion.choices);
        let sets = [&mut promotion.pawns, &mut castling.rooks]
            .into_iter()
            .chain(choices);
        for set in sets.flatten() {
            *set = set.without(king);
        }
        promotion.promoted[king.index()] = None;
    }
    definition.name.clone_from(&report.section.name.text);
    definition.parent = report.section.parent.as_ref().map(|p| p.text.clone());
    definition.board = board;
    definition.start_fen = start_fen;
    definition.pieces = pieces;
    Some(definition)
}

/// Returns the pieces that a list names, ignoring `*`.
fn named(list: KindList, index: &[Option<PieceType>; SLOTS]) -> PieceSet {
    (0..SLOTS)
        .filter(|&slot| list.has(slot))
        .filter_map(|slot| index[slot])
        .fold(PieceSet::EMPTY, PieceSet::with)
}

/// Returns the board, with the holes that `holes` and the start position name.
fn board(d: &Draft, report: &mut Report) -> Option<Geometry> {
    let (files, ranks) = (d.max_file, d.max_rank);
    if usize::from(files) * usize::from(ranks) > MAX_SQUARES {
        let why = format!("a board of {files}x{ranks} squares is too large");
        let help = "at most 16 files, 16 ranks and 128 squares";
        report.error_help(&["maxFile", "maxRank"], why, help);
        return None;
    }
    let array = start_array(d, report)?;
    let flat = Geometry::new(files, ranks, 0, false)?;
    let mut holes = region(flat, d.holes);
    for (file, rank) in (0..files).flat_map(|file| (0..ranks).map(move |rank| (file, rank))) {
        let square = flat.square(file, rank);
        match array.cell(file.into(), rank.into()) {
            Some(Cell::Hole) => holes |= 1 << square.0,
            Some(Cell::Unit(_)) if holes >> square.0 & 1 == 1 => {
                let why = format!("`startFen` has a unit on {}, a hole", flat.name(square));
                report.error(&["startFen", "holes"], why);
            }
            _ => {}
        }
    }
    let board = Geometry::new(files, ranks, holes, d.cylinder)?;
    if holes.count_ones() as usize == board.len() {
        report.error(
            &["holes", "startFen"],
            "every square of the board is a hole",
        );
        return None;
    }
    Some(board)
}

/// Returns the start array. Reports an error if its rows do not fit the board.
fn start_array<'d>(d: &'d Draft, report: &mut Report) -> Option<BoardField<'d>> {
    let (files, ranks) = (usize::from(d.max_file), usize::from(d.max_rank));
    let field = d.rules.start_field(0);
    let array = match array::array(field) {
        Ok(array) => array,
        Err(error) => {
            report.error(&["startFen"], error.to_string());
            return None;
        }
    };
    let rows = array.ranks.len();
    if rows != ranks {
        let why = format!("`startFen` has {rows} rows, the board {ranks} ranks");
        let help = "`maxRank` gives the number of ranks";
        report.error_help(&["startFen", "maxRank"], why, help);
        return None;
    }
    let odd = array
        .ranks
        .iter()
        .position(|rank| rank.cells.len() != files);
    if let Some(row) = odd {
        let (rank, squares) = (rows - row, array.ranks[row].cells.len());
        let why = format!("`startFen`: rank {rank} has {squares} squares, the board {files} files");
        let help = "`maxFile` gives the number of files";
        report.error_help(&["startFen", "maxFile"], why, help);
        return None;
    }
    Some(array)
}

/// Returns the start position with all its fields, and with `*` on every hole.
fn start_fen(d: &Draft, board: Geometry, report: &mut Report) -> Option<String> {
    let rules = &d.rules;
    let state = rules.has_clause("state");
    match array::full(
        &rules.start_fen,
        rules.has_hands(),
        rules.checks.counting,
        state,
    ) {
        // Without castling, rights in the FEN of a parent have no meaning.
        Ok(fen) if !rules.castling.enabled && !rules.gating.enabled => {
            Some(array::without_rights(&array::with_holes(&fen, board)))
        }
        Ok(fen) => Some(array::with_holes(&fen, board)),
        Err(error) => {
            report.error(&["startFen"], error.to_string());
            None
        }
    }
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

/// Returns the pieces that have a letter, and for each slot the index of its piece.
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
