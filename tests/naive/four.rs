//! The four games with boards or turns of their own.

mod bachelor;
mod chromopolis;
mod convergent;
mod french_revolution;

use super::board::{Pos, Step};
use super::{Law, Options, fide, no_options};

/// The law of a variant of this file.
pub fn law(id: &str, options: &Options) -> Result<Box<dyn Law>, String> {
    if id == "french-revolution" {
        return french_revolution::law(options);
    }
    no_options(options)?;
    match id {
        "bachelor" => Ok(Box::new(bachelor::Bachelor)),
        "convergent" => Ok(Box::new(convergent::Convergent)),
        "chromopolis" => Ok(Box::new(chromopolis::Chromopolis)),
        _ => Err(format!("unknown variant {id}")),
    }
}

/// All pseudo-legal steps of a side but castling, in a game where no pawn promotes.
fn steps_without_promotion<L: Law>(law: &L, pos: &Pos, white: bool) -> Vec<Step> {
    let untouchable = law.royals(pos, !white);
    let mut list = Vec::new();
    for from in pos.board.units(white) {
        for to in pos.board.squares() {
            if to == from
                || pos.board.is_hole(to)
                || pos.board.owns(white, to)
                || untouchable.contains(&to)
            {
                continue;
            }
            if let Some(kind) = law.reach(pos, from, to) {
                list.push(fide::step(pos, kind, from, to));
            }
        }
    }
    list
}
