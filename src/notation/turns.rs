//! Turns in coordinate notation.

use super::misfit;
use crate::Layout;
use board::Color;
use input::InputError;
use position::Position;
use rules::{Action, Game, Turn, with_turns};

/// The turn as text: steps in the order in which they are carried out, joined by `+`.
#[inline]
pub fn print<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> String {
    W::print_turn(game, p, turn)
}

pub(crate) fn print_generic<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> String {
    let geometry = game.board().geometry();
    let men = game.men();
    let mut text = String::with_capacity(8);
    let place = |kind, square, text: &mut String| {
        text.push_str(&men.name(Color::White, kind));
        text.push('@');
        geometry.push_name(square, text);
    };
    if let Some(gated) = gated(game, p, turn) {
        return gated;
    }
    for step in turn.steps() {
        if !text.is_empty() {
            text.push('+');
        }
        if step.action() == Action::Place {
            place(step.kind(), step.to, &mut text);
            continue;
        }
        geometry.push_name(step.from, &mut text);
        geometry.push_name(step.to, &mut text);
        if let Some(kind) = step.becomes() {
            // What remembers its kind has but one to become, and one to turn back to.
            let (was, is) = (
                men.name(Color::Black, step.kind()),
                men.name(Color::Black, kind),
            );
            if is.starts_with('+') {
                text.push('+');
            } else if was.strip_prefix('+').is_some_and(|was| *was == *is) {
                text.push('-');
            } else {
                text.push_str(&men.letter(Color::Black, kind).to_string());
            }
        }
    }
    for (kind, square) in game.shown_placements(p, turn) {
        text.push('+');
        place(kind, square, &mut text);
    }
    text
}

/// The text of a turn with which a unit from hand enters behind the mover, as the format of definitions
/// writes it: its letter behind the squares, those of rook and king where it enters behind the rook.
fn gated<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> Option<String> {
    game.carried()?;
    let [first, gate] = turn.steps;
    if gate.action() != Action::Place || first.action() == Action::Place {
        return None;
    }
    let geometry = game.board().geometry();
    let alone = print_generic(game, p, &Turn::of(first));
    let squares = if gate.to == first.from {
        alone
    } else {
        geometry.name(gate.to) + &geometry.name(first.from)
    };
    Some(squares + &game.men().name(Color::Black, gate.kind()))
}

/// The legal turns with their texts, in byte order.
#[inline]
pub fn sorted<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Vec<(String, Turn)> {
    W::sorted_turns(game, p)
}

pub(crate) fn sorted_generic<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
) -> Vec<(String, Turn)> {
    with_turns(|turns| {
        game.turns(p, turns);
        let mut texts: Vec<(String, Turn)> =
            turns.iter().map(|t| (print(game, p, t), *t)).collect();
        texts.sort_unstable();
        texts
    })
}

/// The legal turn with this text. `number` is its place in what the user typed, from 1.
#[inline]
pub fn find<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
    number: usize,
) -> Result<Turn, InputError> {
    W::find_turn(game, p, text, number)
}

pub(crate) fn find_generic<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
    number: usize,
) -> Result<Turn, InputError> {
    let legal = sorted(game, p);
    if let Some((_, turn)) = legal.iter().find(|(t, _)| t == text) {
        return Ok(*turn);
    }
    let what = format!("turn {number} (`{text}`)");
    let settled = game.outcome(p);
    if !settled.is_ongoing() {
        return Err(InputError::new(
            what,
            format!("the game is over before it: {settled}"),
        ));
    }
    let pseudo = with_turns(|turns| {
        game.pseudo_turns(p, turns);
        turns.iter().find(|t| print(game, p, t) == text).copied()
    });
    let near = input::nearest(text, legal.iter().map(|(t, _)| t.as_str()));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`fairyproof turns` lists the legal turns".to_string(),
    };
    let why = match pseudo {
        Some(turn) => format!("illegal: {}", game.refusal(p, &turn)),
        None => misfit::why(game, p, text, &legal),
    };
    Err(InputError::new(what, why).help(help))
}
