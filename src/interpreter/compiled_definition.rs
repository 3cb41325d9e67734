//! A definition made ready: its kinds, letters and state. What is here does not depend on a board's
//! tables; it is kept for as long as the program runs.

use crate::kinds::{Kinds, Memory};
use crate::state::{MAX_CHECKS, StateMap};
use board::{Color, Kind, Men};
use definition::{Definition, PieceType, Refusal};

/// A definition made ready to be bound to its board.
#[derive(Debug)]
pub struct CompiledDefinition {
    /// What the file says.
    pub definition: Definition,
    /// Its kinds of unit.
    pub kinds: Kinds,
    /// Its state.
    pub state: StateMap,
    /// Its letters.
    pub men: Men,
    /// How many checks each side has to give at the start.
    pub checks: [u64; 2],
    /// By side, what its pawns become, the strongest first.
    pub choices: [Vec<Kind>; 2],
    /// Whether units that move other than pawns make steps that can be taken in passing, or pawns step
    /// three squares.
    pub passer: bool,
    /// How many units of each kind a side starts with must be royal ones: for the census of FENs.
    pub census: Vec<(Kind, u32, u32)>,
    /// The units of the start position.
    pub start: Vec<(Kind, Color, usize)>,
    /// Its page of the rule book.
    pub page: String,
    /// Whether a turn can leave units attacked that it makes royal, as there are fewer of them then.
    pub royalty_arises: bool,
    /// Whether symmetries are looked for.
    pub symmetric: bool,
}

/// Returns what the text of a hand holds: by side and piece, how many.
pub fn read_hand(definition: &Definition, text: &str) -> Result<[Vec<u32>; 2], String> {
    let mut hands = [0, 1].map(|_| vec![0; definition.pieces.len()]);
    for letter in text.chars().filter(|&c| c != '-') {
        let piece = u8::try_from(letter).ok().filter(u8::is_ascii_alphabetic);
        let Some(piece) = piece.and_then(|letter| definition.piece_of(letter)) else {
            return Err(format!("`{letter}` is no unit of this variant"));
        };
        let color = usize::from(letter.is_ascii_lowercase());
        hands[color][piece.index()] += 1;
    }
    Ok(hands)
}

impl CompiledDefinition {
    /// Makes a definition ready; `page` is its page of the rule book.
    ///
    /// # Errors
    /// A clause that is not supported, by its key: nothing is left out silently.
    pub fn new(definition: Definition, page: String) -> Result<CompiledDefinition, Refusal> {
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
        let (board, hand) = match board.split_once('[') {
            Some((board, hand)) => (board, hand.trim_end_matches(']')),
            None => (board, ""),
        };
        let hands = read_hand(&definition, hand).map_err(|why| refuse("startFen", why))?;
        let mut on_board = vec![0; kinds.count()];
        let start = units_in(&definition, &kinds, board);
        for &(kind, ..) in &start {
            on_board[kind.index()] += 1;
        }
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
        let state = StateMap::new(&definition, &kinds, &on_board, &hands, passed, most)
            .map_err(|why| refuse("pieceDrops", why))?;
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
        let census = definition
            .checks
            .king
            .map(|king| (kinds.plain(king), 0, 1))
            .into_iter()
            .collect();
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
            start,
            page,
            royalty_arises,
            symmetric: true,
        })
    }

    /// Returns the one piece that has this name in the format.
    pub fn named(&self, name: &str) -> Option<PieceType> {
        self.definition.named(name)
    }
}

/// Returns the units in the board field of a FEN of the definition's board: kind, color and square, whatever
/// else stands there left aside.
fn units_in(definition: &Definition, kinds: &Kinds, board: &str) -> Vec<(Kind, Color, usize)> {
    let geometry = definition.board;
    let (files, mut rank) = (usize::from(geometry.files()), usize::from(geometry.ranks()));
    let mut units = Vec::new();
    for row in board.split('/') {
        let Some(next) = rank.checked_sub(1) else {
            break;
        };
        rank = next;
        let letters: Vec<char> = row.chars().collect();
        let (mut file, mut run) = (0, 0);
        for (at, &letter) in letters.iter().enumerate() {
            if let Some(digit) = letter.to_digit(10) {
                run = run * 10 + digit as usize;
                continue;
            }
            file += run;
            run = 0;
            let byte = u8::try_from(letter).ok().filter(u8::is_ascii_alphabetic);
            let piece = byte.and_then(|byte| definition.piece_of(byte));
            if let Some(piece) = piece.filter(|_| file < files) {
                let color = if letter.is_ascii_uppercase() {
                    Color::White
                } else {
                    Color::Black
                };
                let promoted = at > 0 && letters[at - 1] == '+';
                let became = definition.promotion.promoted[piece.index()].filter(|_| promoted);
                let kind = match became {
                    Some(became) => kinds.form(became, Memory::Piece(piece)),
                    None if letters.get(at + 1) == Some(&'~') => kinds.form(piece, Memory::Pawn),
                    None => kinds.plain(piece),
                };
                units.push((kind, color, rank * files + file));
            }
            if !matches!(letter, '+' | '~') {
                file += 1;
            }
        }
    }
    units
}

/// Returns whether a turn can leave units attacked that it makes royal: others of the kind are gone then, or
/// nothing asks for their safety.
fn royalty_arises(d: &Definition, kinds: &Kinds, start: &[(Kind, Color, usize)]) -> bool {
    let (e, p) = (&d.extinction, &d.promotion);
    let changes = |piece: PieceType| {
        d.pawns.pawn == Some(piece)
            || p.pawns.iter().any(|pawns| pawns.has(piece))
            || p.promoted[piece.index()].is_some()
    };
    let gains = |piece: PieceType| {
        p.choices.iter().any(|choices| choices.has(piece)) || p.promoted.contains(&Some(piece))
    };
    let many = |piece: PieceType| {
        Color::BOTH.iter().any(|&color| {
            let of_kind = |unit: &&(Kind, Color, usize)| {
                unit.1 == color && kinds.piece(unit.0) == Some(piece)
            };
            start.iter().filter(of_kind).count() > usize::from(e.count) + 1
        })
    };
    // What a unit becomes by its kind alone is royal without being asked for its safety.
    let comes = |piece: PieceType| {
        p.promoted.contains(&Some(piece)) || p.demotion && p.promoted[piece.index()].is_some()
    };
    let lost = d.captures.blast || p.demotion || e.types.iter().any(changes);
    // Where units of all kinds count together, what is put on the board is royal unasked, too.
    let put = e.total && (d.has_hands() || d.gating.enabled);
    e.pseudo_royal
        && (put
            || e.types.iter().any(comes)
            || lost
                && (e.total
                    || d.has_hands()
                    || e.types.iter().any(|piece| many(piece) || gains(piece))))
}
