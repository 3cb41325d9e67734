//! Mobility diagrams: where the unit on a square can move, determined by playing the turns of the game.

use crate::diagram::side_name;
use crate::{Diagram, Mark, Marked};
use board::{Color, Geometry, Kind, Square, Squares};
use diagnostics::Diagnostic;
use notation::fen;
use position::Position;
use problems::{Layout, passed};
use rules::{Action, Game, Turn};

/// Returns the diagram of a position with the targets of the unit on a square marked.
///
/// * A vacant square is marked as *goes* if a legal turn takes the unit there, as *captures* if the unit
///   could only capture there, and as *both* if the unit can go there and could also capture there.
/// * An enemy on a square is marked if a legal turn captures that enemy.
/// * A square that only a pseudo-legal turn reaches is marked as *forbidden*, with the reason.
///
/// Captures on a vacant square are found by placing each kind of non-royal enemy there, whether or not the
/// turn is safe. If the unit belongs to the side not to move, that side is given the move.
///
/// # Errors
/// If the board has no such square, or the square is vacant.
pub fn diagram<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    square: &str,
) -> Result<Diagram, Diagnostic> {
    let geometry = game.board().geometry();
    let what = || format!("square `{square}`");
    let origin = geometry.named(square).ok_or_else(|| {
        Diagnostic::new(what(), "this board has no such square")
            .help("a letter for the file and a number for the rank, such as `e4`")
    })?;
    let Some((color, kind)) = p.unit(origin) else {
        return Err(Diagnostic::new(what(), "the square is vacant"));
    };
    let p = turned_to(game, p, color);
    let mut diagram = Diagram::new(game, &p);
    let letter = game.men().letter(Color::White, kind);
    diagram.marks = vec![Marked {
        square: origin,
        mark: Mark::Origin,
        tip: format!("{} {letter} on {square}", side_name(color)),
    }];
    let over = game.outcome(&p);
    let mut legal = Vec::new();
    game.turns(&p, &mut legal);
    let mut pseudo = Vec::new();
    game.pseudo_turns(&p, &mut pseudo);
    for n in 0..geometry.len() {
        let target = Square(n as u8);
        if target == origin || !geometry.exists(target) {
            continue;
        }
        let leads = |turn: &&Turn| goes(&p, turn, origin, target);
        let allowed = legal.iter().find(leads);
        let refused = pseudo.iter().find(leads);
        let vacant = p.unit(target).is_none();
        let name = geometry.name(target);
        let could = vacant && could_capture(game, &p, origin, target);
        let passing = |turn: &&Turn| {
            let mut steps = turn.steps();
            leads(turn) && steps.any(|step| step.to == target && step.action() == Action::EnPassant)
        };
        let (mark, tip) = match (allowed, refused) {
            (Some(_), _) if !vacant || legal.iter().any(|turn| passing(&turn)) => {
                (Mark::Captures, format!("{name}: captures"))
            }
            (Some(_), _) if could => (Mark::Both, format!("{name}: goes, and could capture")),
            (Some(_), _) => (Mark::Goes, format!("{name}: goes")),
            (None, Some(turn)) => {
                let why = match over.is_ongoing() {
                    true => game.refusal(&p, turn),
                    false => format!("the game is over: {over}"),
                };
                (Mark::Forbidden, format!("{name}: forbidden, {why}"))
            }
            (None, None) if could => (Mark::Captures, format!("{name}: could capture")),
            (None, None) => continue,
        };
        diagram.marks.push(Marked {
            square: target,
            mark,
            tip,
        });
    }
    Ok(diagram)
}

/// Returns the position with `color` to move. If this is not the side to move, makes a null move; if a null
/// move is not possible, changes only the side to move.
fn turned_to<W: Layout>(game: &dyn Game<W>, p: &Position<W>, color: Color) -> Position<W> {
    if p.side == color {
        return *p;
    }
    passed(game, p).unwrap_or_else(|| {
        let mut after = *p;
        after.side = color;
        after.set_en_passant(None);
        after
    })
}

/// Returns whether a turn takes the unit of the side to move from one square to another.
fn goes<W: Layout>(p: &Position<W>, turn: &Turn, from: Square, to: Square) -> bool {
    p.color(p.side).has(from)
        && turn
            .steps()
            .any(|step| step.action() != Action::Place && step.from == from && step.to == to)
}

/// Returns whether the unit could capture an enemy on a square that is now vacant.
fn could_capture<W: Layout>(game: &dyn Game<W>, p: &Position<W>, from: Square, to: Square) -> bool {
    let mut turns = Vec::new();
    let kinds = Kind::ALL.into_iter().filter(|&kind| {
        let there = game.men().letters[kind.index()] != b' ';
        let pawn_astray = kind == Kind::Pawn && game.no_pawns(!p.side).has(to);
        there && kind != Kind::King && !pawn_astray
    });
    for kind in kinds {
        let mut with = *p;
        with.set_en_passant(None);
        with.put(!p.side, kind, to);
        if game.royals(&with, !p.side).has(to) {
            continue;
        }
        turns.clear();
        game.pseudo_turns(&with, &mut turns);
        if turns.iter().any(|turn| goes(&with, turn, from, to)) {
            return true;
        }
    }
    false
}

/// The number of placements tried for the units that each side must have.
const PLACES: usize = 10;

/// Additional units of each side, tried in order until the game is not over. Some rule sets need more than
/// their minimum.
const BESIDES: [&[Kind]; 10] = [
    &[],
    &[Kind::Pawn],
    &[Kind::King],
    &[Kind::King, Kind::Pawn],
    &[Kind::King, Kind::Queen],
    &[Kind::Bishop, Kind::Bishop],
    &[Kind::Rook, Kind::Rook],
    &[Kind::Knight, Kind::Knight],
    &[
        Kind::King,
        Kind::Queen,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
    ],
    &Kind::ALL,
];

/// Returns the mobility of a kind in the middle of a board with few other units: those that each side must
/// have and, if the game would otherwise be over, a few more. They are placed where they leave the unit the
/// most turns, and as far away as possible. Returns `None` if the game is over in every such position.
pub fn alone<W: Layout>(game: &dyn Game<W>, kind: Kind) -> Option<Diagram> {
    let geometry = game.board().geometry();
    let middle = middle(geometry)?;
    let men = game.men();
    let there = |kind: &Kind| men.letters[kind.index()] != b' ';
    for besides in BESIDES {
        if !besides.iter().all(there) {
            continue;
        }
        let mut best: Option<(usize, Position<W>)> = None;
        for places in 0..PLACES * PLACES {
            let at = [places / PLACES, places % PLACES];
            let Some(p) = placed(game, kind, middle, besides, at) else {
                continue;
            };
            if fen::accept(game, &p).is_err() || !game.outcome(&p).is_ongoing() {
                continue;
            }
            let mut turns = Vec::new();
            game.turns(&p, &mut turns);
            let own = |turn: &&Turn| turn.steps().any(|step| step.from == middle);
            let count = turns.iter().filter(own).count();
            if count > 0 && best.as_ref().is_none_or(|(most, _)| *most < count) {
                best = Some((count, p));
            }
        }
        if let Some((_, p)) = best {
            return diagram(game, &p, &geometry.name(middle)).ok();
        }
    }
    None
}

/// Returns the existing square nearest to the middle of the board.
fn middle(geometry: Geometry) -> Option<Square> {
    let (files, ranks) = (i32::from(geometry.files()), i32::from(geometry.ranks()));
    (0..geometry.len())
        .map(|n| Square(n as u8))
        .filter(|square| geometry.exists(*square))
        .min_by_key(|&square| {
            let x = 2 * i32::from(geometry.file(square)) - files + 1;
            let y = 2 * i32::from(geometry.rank(square)) - ranks + 1;
            x * x + y * y
        })
}

/// Returns a position with a White unit on a square and the units that each side must have. `at` selects the
/// first place of the latter.
fn placed<W: Layout>(
    game: &dyn Game<W>,
    kind: Kind,
    square: Square,
    besides: &[Kind],
    at: [usize; 2],
) -> Option<Position<W>> {
    let geometry = game.board().geometry();
    let mut p = Position::empty();
    p.put(Color::White, kind, square);
    for color in Color::BOTH {
        let mut needs = Vec::new();
        for &(needed, least, _) in game.unit_bounds(color) {
            let own = u32::from(color == Color::White && needed == kind);
            needs.extend((own..least).map(|_| needed));
        }
        let enough = |of: Kind| needs.contains(&of) || color == Color::White && of == kind;
        let more: Vec<Kind> = besides.iter().copied().filter(|of| !enough(*of)).collect();
        needs.extend(more);
        // Begin in the far corner of the side; the files near the unit come last.
        let mut places: Vec<Square> = (0..geometry.len()).map(|n| Square(n as u8)).collect();
        places.retain(|place| geometry.exists(*place) && *place != square);
        places.sort_by_key(|&place| {
            let aside = geometry.file(place).abs_diff(geometry.file(square));
            (
                geometry.rank_of(color, geometry.rank(place)),
                u8::MAX - aside,
                place,
            )
        });
        for (next, need) in (at[color.index()]..).zip(needs) {
            let fits = |place: &Square| {
                p.unit(*place).is_none()
                    && (need != Kind::Pawn || !game.no_pawns(color).has(*place))
            };
            let place = places.iter().skip(next).copied().find(fits)?;
            p.put(color, need, place);
        }
    }
    Some(p)
}
