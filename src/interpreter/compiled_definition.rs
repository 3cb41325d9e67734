//! A compiled definition: its kinds, letters and state, without the movement tables of a board.

use crate::declared::Declared;
use crate::kinds::{Kinds, Memory};
use crate::material::Material;
use crate::state::{MAX_CHECKS, StateMap};
use board::field::{BoardField, Dialect, UnitText};
use board::{Color, Geometry, Kind, Men, Square};
use definition::{Definition, Extinction, NotCarried, PieceType, Promotion, Refusal};
use rules::{IllegalPosition, UnsupportedBoard};

/// A compiled definition, which [`BoundRules`](crate::bound_rules::BoundRules) binds to its board.
#[derive(Clone, Debug)]
pub struct CompiledDefinition {
    /// The definition.
    pub definition: Definition,
    /// The kinds of unit of the definition.
    pub kinds: Kinds,
    /// The layout of its variant state.
    pub state: StateMap,
    /// The letters of its kinds.
    pub men: Men,
    /// By side, the number of checks that the side has to give at the start.
    pub checks: [u64; 2],
    /// By side, the kinds that pawns may become, the strongest first.
    pub choices: [Vec<Kind>; 2],
    /// Whether units other than pawns make steps after which they can be captured en passant, or pawns step
    /// three squares.
    pub passer: bool,
    /// By side, the allowed number of units of each kind in a FEN, as `(kind, min, max)`.
    pub census: [Vec<(Kind, u32, u32)>; 2],
    /// By side and kind, the least and the greatest number of units on the board in games from the start.
    pub unit_ranges: [Vec<(u32, u32)>; 2],
    /// The units of the start position, as kind, color and number of the square. On a smaller board, files
    /// and ranks are counted from the nearer edge, and several units may have the same square.
    pub start: Vec<(Kind, Color, usize)>,
    /// The number of units of each kind on the board at the start.
    pub on_board: Vec<u32>,
    /// By side and piece, the number of units in hand at the start.
    pub hands: [Vec<u32>; 2],
    /// Whether the hands are sized for a position other than the start. Positions then have another state
    /// layout, so tables for games from the start do not apply.
    pub has_other_hands: bool,
    /// The variant's page of the rule book.
    pub page: String,
    /// Whether a turn can make units royal and leave them attacked.
    pub royalty_arises: bool,
    /// Whether the symmetries of the board are used.
    pub symmetric: bool,
    /// What the rule text declares.
    pub declared: Declared,
}

/// Returns the number of units in the text of a hand, by side and piece.
///
/// # Errors
/// If a character is not the letter of a piece.
pub fn read_hand(definition: &Definition, text: &str) -> Result<[Vec<u32>; 2], IllegalPosition> {
    let mut hands = [0, 1].map(|_| vec![0; definition.pieces.len()]);
    for letter in text.chars().filter(|&c| c != '-') {
        let piece = u8::try_from(letter).ok().filter(u8::is_ascii_alphabetic);
        let Some(piece) = piece.and_then(|letter| definition.piece_of(letter)) else {
            return Err(format!("`{letter}` is not a unit of this variant").into());
        };
        let color = usize::from(letter.is_ascii_lowercase());
        hands[color][piece.index()] += 1;
    }
    Ok(hands)
}

impl CompiledDefinition {
    /// Compiles a definition. `page` is its page of the rule book.
    ///
    /// # Errors
    /// If a rule of the definition is not supported. The error names the first such key.
    pub fn new(
        definition: Definition,
        page: String,
        declared: Declared,
    ) -> Result<CompiledDefinition, Refusal> {
        if let Some(refusal) = definition.refusals().into_iter().next() {
            return Err(refusal);
        }
        let refuse = |key, why: String| Refusal { key, why };
        let Some(kinds) = Kinds::new(&definition) else {
            return Err(refuse(
                "promotedPieceType",
                format!("more than {} kinds with their promoted forms", Kind::MAX),
            ));
        };
        let men = kinds.men(&definition);
        let fields: Vec<&str> = definition.start_fen.split_ascii_whitespace().collect();
        let board = fields.first().copied().unwrap_or("");
        let field = BoardField::read(board, Dialect::DEFINITION)
            .map_err(|_| refuse("startFen", "it cannot be read".to_string()))?;
        let hands = read_hand(&definition, field.hand.unwrap_or(""))
            .map_err(|why| refuse("startFen", why.into()))?;
        let start = units_in(&definition, &kinds, &field);
        let on_board = count_kinds(&kinds, &start);
        let checks = fields
            .iter()
            .find_map(|field| {
                let (white, black) = field.split_once('+')?;
                Some([white.parse().ok()?, black.parse().ok()?])
            })
            .unwrap_or([1, 1]);
        if definition.checks.counting && checks.iter().any(|&n| n == 0 || n > MAX_CHECKS) {
            return Err(refuse(
                "startFen",
                format!("each side needs 1 to {MAX_CHECKS} checks to give"),
            ));
        }
        let passed = definition.max_passed_squares();
        let most = checks[0].max(checks[1]);
        let state = StateMap::new(
            &definition,
            &kinds,
            &on_board,
            &hands,
            passed,
            most,
            &declared,
        );
        let state = state.map_err(|error| refuse("pieceDrops", error.to_string()))?;
        let memory = if kinds.remember_pawns {
            Memory::Pawn
        } else {
            Memory::None
        };
        let choices = [0, 1].map(|side| {
            let mut choices: Vec<Kind> = definition.promotion.choices[side]
                .iter()
                .map(|piece| kinds.form(piece, memory))
                .collect();
            choices.reverse();
            choices
        });
        let material = Material::new(&definition, &kinds, &start, &hands);
        let census = Color::BOTH.map(|color| material.kings(color).into_iter().collect());
        let unit_ranges = Color::BOTH.map(|color| {
            let ranges = kinds.all().map(|kind| material.range(color, kind));
            ranges.collect()
        });
        let royalty_arises = royalty_arises(&definition, &kinds, &start);
        Ok(CompiledDefinition {
            definition,
            kinds,
            state,
            men,
            checks,
            choices,
            passer: passed > 0,
            census,
            unit_ranges,
            start,
            on_board,
            hands,
            has_other_hands: false,
            page,
            royalty_arises,
            symmetric: true,
            declared,
        })
    }

    /// Returns a board with these numbers of files and ranks, and with the definition's holes carried over.
    ///
    /// # Errors
    /// If the rules have no meaning on such a board.
    pub fn board(&self, files: u8, ranks: u8) -> Result<Geometry, UnsupportedBoard> {
        let own = self.definition.board;
        if (files, ranks) == (own.files(), own.ranks()) {
            return Ok(own);
        }
        let board = Geometry::new(files, ranks, 0, own.wraps());
        let Some(board) = board.filter(|_| files <= own.files() && ranks <= own.ranks()) else {
            return Err(larger(own, &format!("{files}x{ranks}")));
        };
        let smaller = self.definition.on_board(files, ranks);
        let smaller = smaller.map_err(|failed| not_carried(&failed, board))?;
        Ok(smaller.definition.board)
    }

    /// Returns the rules on a smaller board. Hands have the same room as on the definition's own board.
    ///
    /// # Errors
    /// If the rules have no meaning on that board, or the variant state does not fit.
    pub fn on_board(&self, board: Geometry) -> Result<CompiledDefinition, UnsupportedBoard> {
        let size = board.size();
        let smaller = self.definition.on_board(board.files(), board.ranks());
        let smaller = smaller.map_err(|failed| not_carried(&failed, board))?;
        let definition = smaller.definition;
        let has_holes = definition.board.holes();
        if has_holes != board.holes() {
            let why = match has_holes {
                0 => format!("the board of {size} has no holes in this variant"),
                _ => format!(
                    "the holes of this board of {size} are not those of the variant, carried over"
                ),
            };
            return Err(why.into());
        }
        let passed = definition.max_passed_squares();
        let checks = self.checks[0].max(self.checks[1]);
        let (on_board, hands) = (&self.on_board, &self.hands);
        let state = StateMap::new(
            &definition,
            &self.kinds,
            on_board,
            hands,
            passed,
            checks,
            &self.declared,
        )?;
        let home = |&(kind, color, square): &(Kind, Color, usize)| {
            let home = self
                .definition
                .home_on(Square(square as u8), definition.board);
            (kind, color, home.index())
        };
        Ok(CompiledDefinition {
            kinds: self.kinds.clone(),
            state,
            men: self.men,
            checks: self.checks,
            choices: self.choices.clone(),
            passer: passed > 0,
            census: self.census.clone(),
            unit_ranges: self.unit_ranges.clone(),
            start: self.start.iter().map(home).collect(),
            on_board: self.on_board.clone(),
            hands: self.hands.clone(),
            has_other_hands: self.has_other_hands,
            page: self.page.clone(),
            royalty_arises: self.royalty_arises,
            symmetric: self.symmetric,
            declared: self.declared.clone(),
            definition,
        })
    }

    /// Returns these rules with hands that have room for all units that can come into them in games from a
    /// position. Returns `None` if the hands have enough room already.
    ///
    /// # Errors
    /// If the state does not fit into the words of the widest layout, or a side has more than one royal king
    /// on the board and in hand.
    pub fn for_position(
        &self,
        field: &BoardField<'_>,
        hand: &str,
    ) -> Result<Option<CompiledDefinition>, IllegalPosition> {
        let d = &self.definition;
        // Letters without meaning are reported later, when the position is read.
        let Some(hands) = read_hand(d, hand).ok().filter(|_| d.has_hands()) else {
            return Ok(None);
        };
        let units = units_in(d, &self.kinds, field);
        let on_board = count_kinds(&self.kinds, &units);
        let checks = self.checks[0].max(self.checks[1]);
        let passed = d.max_passed_squares();
        let declared = &self.declared;
        let state = StateMap::new(d, &self.kinds, &on_board, &hands, passed, checks, declared);
        let state = state.map_err(|error| format!("these hands cannot be played: {error}"))?;
        if self.state.holds_hands_of(&state) {
            return Ok(None);
        }
        if let Some(king) = d.checks.king.filter(|_| !d.has_clause("royalIf")) {
            let standing = |color: Color| {
                let is_king = |unit: &&(Kind, Color, usize)| {
                    unit.1 == color && self.kinds.piece(unit.0) == Some(king)
                };
                units.iter().filter(is_king).count() as u32
            };
            let total =
                Color::BOTH.map(|color| standing(color) + hands[color.index()][king.index()]);
            if let Some(total) = total.into_iter().find(|&total| total > 1) {
                let letter = d.pieces[king.index()].letter as char;
                return Err(format!(
                    "a side has {total} units `{letter}` on the board and in hand; this variant wants 0 to 1"
                ).into());
            }
        }
        Ok(Some(CompiledDefinition {
            state,
            has_other_hands: true,
            ..self.clone()
        }))
    }

    /// Returns the piece with this name in the format.
    pub fn named(&self, name: &str) -> Option<PieceType> {
        self.definition.named(name)
    }
}

/// Returns the error for a board that is larger than the definition's own board.
pub fn larger(own: Geometry, size: &str) -> UnsupportedBoard {
    format!(
        "the definition is for its own board of {} and smaller ones, not for {size}",
        own.size()
    )
    .into()
}

/// Returns the error for keys that have no meaning on a smaller board, with the remedy.
fn not_carried(failed: &[NotCarried], board: Geometry) -> String {
    let quoted: Vec<String> = failed
        .iter()
        .map(|failed| format!("`{} = {}`", failed.key, failed.own))
        .collect();
    let verb = if failed.len() == 1 { "has" } else { "have" };
    let file = char::from(b'a' + board.files() - 1);
    let keys: Vec<String> = failed
        .iter()
        .map(|failed| format!("`{}`", failed.key))
        .collect();
    format!(
        "{} {verb} no meaning on {}; write a section for this board, with `maxFile = {file}`, `maxRank = {}`, \
         `startFen` and {}",
        quoted.join(", "),
        board.size(),
        board.ranks(),
        keys.join(", ")
    )
}

/// Returns the units of a board field as kind, color and number of the square. The field must have the shape
/// of the board.
fn units_in(
    definition: &Definition,
    kinds: &Kinds,
    field: &BoardField<'_>,
) -> Vec<(Kind, Color, usize)> {
    let files = usize::from(definition.board.files());
    let unit = |(file, rank, unit): (usize, usize, UnitText)| {
        let piece = definition.piece_of(unit.letter as u8)?;
        let became = definition.promotion.promoted[piece.index()].filter(|_| unit.promoted);
        let kind = match became {
            Some(became) => kinds.form(became, Memory::Piece(piece)),
            None if unit.was_pawn => kinds.form(piece, Memory::Pawn),
            None => kinds.plain(piece),
        };
        Some((kind, unit.color(), rank * files + file))
    };
    field.units().filter_map(unit).collect()
}

/// Returns the number of units of each kind.
fn count_kinds(kinds: &Kinds, units: &[(Kind, Color, usize)]) -> Vec<u32> {
    let mut counts = vec![0; kinds.count()];
    for (kind, ..) in units {
        counts[kind.index()] += 1;
    }
    counts
}

/// Returns whether a turn can make units royal and leave them attacked. This can happen if the turn removes
/// other units of their kind, or if the safety of new units is not checked.
fn royalty_arises(d: &Definition, kinds: &Kinds, start: &[(Kind, Color, usize)]) -> bool {
    // Without `..`, so that a new field must be considered here.
    let Extinction {
        types,
        total,
        count,
        pseudo_royal,
        // These decide ends and checks, not which units are royal.
        value: _,
        opponent_count: _,
        claim: _,
        duple_check: _,
    } = &d.extinction;
    let Promotion {
        pawns,
        choices,
        promoted,
        demotion,
        // These decide when a unit changes. It only matters here that the unit can change.
        region: _,
        main_pawn: _,
        limits: _,
        mandatory_for_pawns: _,
        by_capture_only: _,
        mandatory_for_pieces: _,
        sittuyin: _,
    } = &d.promotion;
    let changes = |piece: PieceType| {
        d.pawns.pawn == Some(piece)
            || pawns.iter().any(|pawns| pawns.has(piece))
            || promoted[piece.index()].is_some()
    };
    let gains = |piece: PieceType| {
        choices.iter().any(|choices| choices.has(piece)) || promoted.contains(&Some(piece))
    };
    let many = |piece: PieceType| {
        Color::BOTH.iter().any(|&color| {
            let of_kind = |unit: &&(Kind, Color, usize)| {
                unit.1 == color && kinds.piece(unit.0) == Some(piece)
            };
            start.iter().filter(of_kind).count() > usize::from(*count) + 1
        })
    };
    // The safety of a unit that promotes as in shogi, or is demoted, is not checked.
    let comes = |piece: PieceType| {
        promoted.contains(&Some(piece)) || *demotion && promoted[piece.index()].is_some()
    };
    let lost = d.captures.blast || *demotion || types.iter().any(changes);
    // If units of all kinds count together, the safety of dropped and gated units is not checked either.
    let put = *total && (d.has_hands() || d.gating.enabled);
    *pseudo_royal
        && (put
            || types.iter().any(comes)
            || lost
                && (*total
                    || d.has_hands()
                    || types.iter().any(|piece| many(piece) || gains(piece))))
}
