//! All placements of some units, with either side to move.
//!
//! Placements are enumerated on squares, without parsing FENs. Each position occurs once, because equal units
//! are placed in increasing order of squares. Only valid positions count: those that a FEN may describe, with
//! the default variant state and without castling rights.

use super::{Question, Scanned, Tally, Witness, in_pieces};
use board::{Color, Kind, Square, Squares};
use control::Control;
use diagnostics::Diagnostic;
use language::Interrupted;
use notation::fen;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;
use std::collections::BTreeSet;

/// The maximum number of units in a placement.
const MAX_UNITS: usize = 8;

/// The maximum number of groups of units that a list may describe, before duplicates are removed.
const MAX_GROUPS: usize = 100_000;

/// The side and kind of a unit that is placed.
pub type Unit = (Color, Kind);

/// The units of one group of placements, in a fixed order.
pub type Material = Vec<Unit>;

/// The placements that a scan visits.
pub struct Plan<'a> {
    /// The list of units as the claim writes it.
    pub units: &'a str,
    /// The groups of units that the list describes.
    pub materials: Vec<Material>,
    /// Whether positions with the side not to move in check are excluded.
    pub legal: bool,
    /// The maximum number of positions that are examined.
    pub max_positions: u64,
}

fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("units", why)
}

/// Returns the groups of units that a text such as `K, Q, k, any` describes, without duplicates.
///
/// # Errors
/// If the text is not such a list, with the reason.
#[per_layout]
pub fn materials<W: Layout>(game: &dyn Game<W>, text: &str) -> Result<Vec<Material>, Diagnostic> {
    let men = game.men();
    let any: Vec<Unit> = Color::BOTH
        .into_iter()
        .flat_map(|color| men.kinds().map(move |kind| (color, kind)))
        .collect();
    let words: Vec<&str> = text
        .split([',', ' '])
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return Err(wrong("no unit is named"));
    }
    if words.len() > MAX_UNITS {
        let units = words.len();
        return Err(wrong(format!(
            "{units} units; at most {MAX_UNITS} can be placed"
        )));
    }
    let squares = game.board().squares().len() as usize;
    if words.len() > squares {
        let why = format!(
            "{} units do not fit on the {squares} squares of the board of {}",
            words.len(),
            game.board().geometry().size()
        );
        return Err(wrong(why));
    }
    let mut groups = BTreeSet::from([Material::new()]);
    for word in words {
        let choices = match word {
            "any" => any.clone(),
            letter => {
                let is_black = letter.chars().any(|c| c.is_ascii_lowercase());
                let color = if is_black { Color::Black } else { Color::White };
                let Some(kind) = men.named(&letter.to_ascii_uppercase()) else {
                    let known: Vec<String> = (men.kinds())
                        .map(|kind| men.name(Color::White, kind).to_string())
                        .collect();
                    let shown = diagnostics::shortened(letter);
                    return Err(wrong(format!(
                        "`{shown}` is not a unit of this rule set; its units are {} (lower case for \
                         Black), or `any`",
                        known.join(", ")
                    )));
                };
                vec![(color, kind)]
            }
        };
        let with = |group: &Material| {
            let mut groups = Vec::new();
            for unit in &choices {
                let mut group = group.clone();
                group.push(*unit);
                group.sort();
                groups.push(group);
            }
            groups
        };
        if groups.len() * choices.len() > MAX_GROUPS {
            let why = format!("the list describes more than {MAX_GROUPS} combinations of units");
            return Err(wrong(why).help("write fewer `any`"));
        }
        groups = groups.iter().flat_map(with).collect();
    }
    Ok(groups.into_iter().collect())
}

/// One piece of work: the placements of a group with its first unit on one square.
struct Piece {
    material: usize,
    /// The index of the first unit's square among the squares on which this unit may be placed.
    first: usize,
    /// The number of placements with either side to move, valid or not.
    positions: u64,
}

/// Visits all placements. Returns `None` if `control` stopped it.
#[per_layout]
pub fn scan<W: Layout>(
    game: &dyn Game<W>,
    question: &Question,
    plan: &Plan<'_>,
    control: &Control<'_>,
) -> Option<Scanned> {
    let board = game.board();
    let geometry = board.geometry();
    let squares = (0..geometry.len() as u8).map(Square);
    let squares: Vec<Square> = squares.filter(|&square| geometry.exists(square)).collect();
    let targets: Vec<Vec<Vec<Square>>> = plan
        .materials
        .iter()
        .map(|material| {
            let unit = material.iter();
            unit.map(|unit| squares_of(game, &squares, *unit)).collect()
        })
        .collect();
    let mut pieces = Vec::new();
    let (mut examined, mut limit) = (0u64, None);
    'pieces: for (at, material) in plan.materials.iter().enumerate() {
        if !has_allowed_counts(game, material) {
            continue;
        }
        for first in 0..targets[at][0].len() {
            let positions = size(material, &targets[at], first);
            if examined.saturating_add(positions) > plan.max_positions {
                limit = Some(format!("positions = {}", plan.max_positions));
                break 'pieces;
            }
            examined += positions;
            if positions > 0 {
                pieces.push(Piece {
                    material: at,
                    first,
                    positions,
                });
            }
        }
    }
    let stop = || control.check().is_err();
    let work = |at: u64, tally: &mut Tally<Witness>| -> Result<(), Interrupted> {
        let piece = &pieces[at as usize];
        let mut placer = Placer {
            game,
            question,
            legal: plan.legal,
            material: &plan.materials[piece.material],
            targets: &targets[piece.material],
            stop: &stop,
            visited: 0,
        };
        debug_assert!(piece.positions > 0);
        let mut position = Position::<W>::empty();
        let (color, kind) = placer.material[0];
        position.put(color, kind, placer.targets[0][piece.first]);
        placer.place(&position, 1, piece.first, tally).map(|_| ())
    };
    let tally = in_pieces(pieces.len() as u64, control, &work)?;
    let set = format!(
        "the placements of {} on {}, both sides to move",
        plan.units,
        geometry.size()
    );
    Some(Scanned {
        limit: limit.filter(|_| tally.first.is_none()),
        tally,
        set,
        games: None,
    })
}

/// Returns the squares on which a unit may be placed.
fn squares_of<W: Layout>(
    game: &dyn Game<W>,
    squares: &[Square],
    (color, kind): Unit,
) -> Vec<Square> {
    let barred = match kind {
        Kind::Pawn => game.no_pawns_in_fens(color),
        _ => W::Set::EMPTY,
    };
    let squares = squares.iter().copied();
    squares.filter(|&square| !barred.has(square)).collect()
}

/// Returns whether the rule set allows the number of units of each kind.
fn has_allowed_counts<W: Layout>(game: &dyn Game<W>, material: &Material) -> bool {
    Color::BOTH.into_iter().all(|color| {
        let count = |kind| {
            let units = material.iter().filter(|unit| **unit == (color, kind));
            units.count() as u32
        };
        game.wrong_count(color, &count).is_none()
    })
}

/// Returns the number of placements with the first unit on one square and either side to move. The number is
/// an upper bound, since it includes placements with two units on the same square. It does not depend on the
/// number of threads.
fn size(material: &Material, targets: &[Vec<Square>], first: usize) -> u64 {
    let mut positions = 2u64;
    let mut at = 1;
    let mut equal = 1;
    while at < material.len() {
        let is_equal = material[at] == material[at - 1];
        equal = if is_equal { equal + 1 } else { 1 };
        let in_first_group = material[..=at].iter().all(|unit| *unit == material[0]);
        let squares = match in_first_group {
            true => targets[at].len() - first - 1,
            false => targets[at].len(),
        } as u64;
        // Equal units are placed in increasing order, which is one of `equal!` orders.
        let own = if in_first_group { equal - 1 } else { equal };
        positions = positions.saturating_mul(squares.saturating_sub(own - 1)) / own;
        at += 1;
    }
    positions
}

/// The state of an enumeration that places the units of a material one after the other.
struct Placer<'a, W: Layout> {
    game: &'a dyn Game<W>,
    question: &'a Question,
    legal: bool,
    material: &'a Material,
    targets: &'a [Vec<Square>],
    stop: &'a dyn Fn() -> bool,
    visited: u32,
}

impl<W: Layout> Placer<'_, W> {
    /// Places the unit with index `at` and all later units. `previous` is the index of the previous unit's
    /// square. Returns whether a position was decisive.
    fn place(
        &mut self,
        position: &Position<W>,
        at: usize,
        previous: usize,
        tally: &mut Tally<Witness>,
    ) -> Result<bool, Interrupted> {
        let Some(&(color, kind)) = self.material.get(at) else {
            return self.visit(position, tally);
        };
        let from = match self.material[at] == self.material[at - 1] {
            true => previous + 1,
            false => 0,
        };
        let occupied = position.occupied();
        for index in from..self.targets[at].len() {
            let square = self.targets[at][index];
            if occupied.has(square) {
                continue;
            }
            let mut next = *position;
            next.put(color, kind, square);
            if self.place(&next, at + 1, index, tally)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn visit(
        &mut self,
        placed: &Position<W>,
        tally: &mut Tally<Witness>,
    ) -> Result<bool, Interrupted> {
        self.visited += 1;
        if self.visited.is_multiple_of(4096) && (self.stop)() {
            return Err(Interrupted);
        }
        let game = self.game;
        for side in Color::BOTH {
            let mut position = *placed;
            position.side = side;
            if game.check_position(&position).is_err()
                || self.legal && game.check_no_opposite_check(&position).is_err()
            {
                continue;
            }
            let subject = language::Subject {
                stop: Some(self.stop),
                ..language::Subject::new(game, &position)
            };
            let mut mark = || Witness {
                fen: fen::print(game, &position),
                ..Witness::default()
            };
            if self.question.examine(&subject, tally, &mut mark)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
