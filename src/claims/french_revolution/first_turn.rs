//! What the first turns consist of.

use super::variants;
use crate::{Effort, Evidence, Finding, listed, opened};
use board::Kind;
use control::parallel;
use position::Position;
use rules::{Game, Turn};
use values::Layout;

/// Turns by what they consist of.
#[derive(Default)]
struct Shapes {
    lone_pawn: u64,
    piece_and_pawn: u64,
    other: u64,
}

impl Shapes {
    fn count<W: Layout>(&mut self, game: &dyn Game<W>, p: &Position<W>) -> Vec<Turn> {
        let mut list = Vec::new();
        game.turns(p, &mut list);
        for turn in &list {
            let kinds: Vec<Kind> = turn.steps().map(|s| s.kind()).collect();
            match kinds[..] {
                [Kind::Pawn] => self.lone_pawn += 1,
                [first, Kind::Pawn] if first != Kind::Pawn => self.piece_and_pawn += 1,
                _ => self.other += 1,
            }
        }
        list
    }
}

fn first_turns<W: Layout>(game: &dyn Game<W>, start: &Position<W>) -> [Shapes; 3] {
    let mut shapes: [Shapes; 3] = Default::default();
    for first in shapes[0].count(game, start) {
        let black = game.play(start, &first);
        for reply in shapes[1].count(game, &black) {
            shapes[2].count(game, &game.play(&black, &reply));
        }
    }
    shapes
}

pub(super) fn first_turn(_: &Effort) -> Finding {
    let mut evidence = Evidence::new(&[
        "variant",
        "ply",
        "turns_of_a_pawn_step_alone",
        "turns_of_a_piece_step_and_a_pawn_step",
        "other_turns",
    ]);
    let ids = variants(|_| true);
    let (mut holds, mut counts) = (true, Vec::new());
    let all: Vec<[Shapes; 3]> = parallel::map_all(
        &ids,
        |id| with_setup!(opened(id, None), start => first_turns(start.game.as_ref(), &start.position)),
    );
    for (id, shapes) in ids.iter().zip(&all) {
        for (i, shape) in shapes.iter().enumerate() {
            evidence.row([
                id.clone(),
                (i + 1).to_string(),
                shape.lone_pawn.to_string(),
                shape.piece_and_pawn.to_string(),
                shape.other.to_string(),
            ]);
            holds &= shape.other == 0
                && if i == 0 {
                    shape.lone_pawn > 0 && shape.piece_and_pawn == 0
                } else {
                    shape.lone_pawn == 0 && shape.piece_and_pawn > 0
                };
        }
        counts.push(shapes[0].lone_pawn.to_string());
    }
    counts.sort_unstable();
    counts.dedup();
    Finding::exhaustive(
        holds,
        format!(
            "in {} variants White has {} first turns, each a pawn step alone; every turn of the \
             next two plies of every game is a piece step and a pawn step",
            ids.len(),
            listed(&counts)
        ),
        evidence,
    )
}
