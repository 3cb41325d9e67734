//! The endings of a rule set: all material with given numbers of units of each side.

use super::Failed;
use super::class::Class;
use super::is_valid_fen_position;
use super::signature::Signature;
use board::{Color, Kind};
use control::Control;
use control::parallel;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;

/// Returns the signatures, out of those given, that have a position in which the game continues.
///
/// # Errors
/// If `control` stops the search. An ending in which the game never continues is searched completely.
#[per_layout]
pub fn endings<W: Layout>(
    game: &dyn Game<W>,
    mut signatures: Vec<Signature>,
    control: &Control<'_>,
) -> Result<Vec<Signature>, Failed> {
    let going = parallel::try_map(signatures.len(), |n| goes_on(game, &signatures[n], control))?;
    let mut going = going.into_iter();
    signatures.retain(|_| going.next().unwrap_or(false));
    Ok(signatures)
}

/// Returns the signatures with `white` units of White and `black` units of Black, without a variant state.
/// Stronger units come first, in the reverse order of [`Kind::ALL`]. If the sides can be swapped, only one of
/// two signatures that differ by the swap is returned: the one in which White is stronger.
#[per_layout]
pub fn materials<W: Layout>(game: &dyn Game<W>, white: usize, black: usize) -> Vec<Signature> {
    let men = game.men();
    let units = (white, black);
    let [white, black] =
        [(Color::White, white), (Color::Black, black)].map(|(color, n)| material(game, color, n));
    let same = units.0 == units.1 && game.symmetries().colors;
    let mut found = Vec::new();
    for (at, own) in white.iter().enumerate() {
        let least = if same { at } else { 0 };
        for theirs in &black[least..] {
            let text = |kinds: &[Kind]| -> String {
                let names = kinds
                    .iter()
                    .map(|&kind| men.name(Color::White, kind).to_string());
                names.collect()
            };
            let text = format!("{}v{}", text(own), text(theirs));
            // Material that meets the bounds on units may break other rules. Such material has no positions,
            // and is left out.
            found.extend(Signature::parse(game, &text));
        }
    }
    found
}

/// Returns the lists of a side's units that games can reach, each with the strongest unit first.
fn material<W: Layout>(game: &dyn Game<W>, color: Color, units: usize) -> Vec<Vec<Kind>> {
    let men = game.men();
    let kinds: Vec<Kind> = men
        .strongest()
        .filter(|&kind| men.kinds().any(|known| known == kind))
        .collect();
    let place = |kind: Kind| kinds.iter().position(|&known| known == kind);
    let mut found: Vec<Vec<Kind>> = vec![Vec::new()];
    for _ in 0..units {
        found = found
            .iter()
            .flat_map(|some| {
                let last = some.last().copied();
                kinds
                    .iter()
                    .filter(move |kind| last.is_none_or(|last| place(**kind) >= place(last)))
                    .map(|kind| {
                        let mut more = some.clone();
                        more.push(*kind);
                        more
                    })
            })
            .collect();
    }
    found.retain(|some| {
        kinds.iter().all(|&kind| {
            let (least, most) = game.unit_range(color, kind);
            let n = some.iter().filter(|k| **k == kind).count() as u32;
            (least..=most).contains(&n)
        })
    });
    found
}

/// Returns whether a signature has a position in which the game continues.
///
/// # Errors
/// If `control` stops the search.
#[per_layout]
pub fn goes_on<W: Layout>(
    game: &dyn Game<W>,
    signature: &Signature,
    control: &Control<'_>,
) -> Result<bool, Failed> {
    let goes_on = signature.keys().iter().any(|&key| {
        let class = Class::new(game, key);
        let mut placed = (0..class.len())
            .take_while(|_| control.check().is_ok())
            .filter_map(|index| class.placed(index));
        let goes_on = |p: &Position<W>| {
            game.settled(p).is_none() && is_valid_fen_position(game, p) && game.has_turn(p)
        };
        match placed.next() {
            Some(first) if is_settled_by_material(game, &first.position) => false,
            Some(first) => {
                goes_on(&first.position) || placed.any(|placed| goes_on(&placed.position))
            }
            None => false,
        }
    });
    match goes_on {
        false => control
            .check()
            .map_or_else(|stopped| Err(stopped.into()), |()| Ok(false)),
        goes_on => Ok(goes_on),
    }
}

/// Returns whether the game is over in a position and in every other one with the same units and state.
fn is_settled_by_material<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> bool {
    match game.tables() {
        Some(tables) => tables.is_settled_by_material(p),
        None => game.facts().settled_by_material && game.settled(p).is_some(),
    }
}
