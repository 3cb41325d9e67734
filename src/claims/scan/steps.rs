//! Every possible single step: each side, kind, square, capture and promotion.
//!
//! Relies on [`SingleSteps`]. Drops from the hand are not steps and do not count.

use super::{Question, Scanned, Tally, Witness, in_pieces};
use crate::single_steps::SingleSteps;
use control::Control;
use language::Interrupted;
use notation::{Start, fen, turns};
use position::Layout;
use rules::Action;
use std::ops::ControlFlow;

/// The limit of a rule set whose steps are not complete.
const NOT_COMPLETE: &str =
    "of the method (under these rules, steps depend on more than the units that take part)";

/// Visits all steps. Returns `None` if `control` stopped it.
pub fn scan<W: Layout>(
    start: &Start<W>,
    question: &Question,
    control: &Control<'_>,
) -> Option<Scanned> {
    let game = start.game.as_ref();
    let set = "the single steps that there can be".to_owned();
    let stop = || control.check().is_err();
    let Some(steps) = SingleSteps::new(game, &start.position, &stop) else {
        // Steps between few units would prove nothing, and could be steps that no game has.
        return Some(Scanned {
            tally: Tally::default(),
            limit: Some(NOT_COMPLETE.to_owned()),
            set,
            games: None,
        });
    };
    let work = |part: u64, tally: &mut Tally<Witness>| -> Result<(), Interrupted> {
        let mut interrupted = false;
        let _: ControlFlow<()> = steps.each_of_part(part as usize, &mut |before, turn, _| {
            if turn.first().action() == Action::Place {
                return ControlFlow::Continue(());
            }
            let subject = language::Subject {
                stop: Some(&stop),
                ..language::Subject::of_turn(game, before, *turn)
            };
            let mut mark = || Witness {
                fen: fen::print(game, before),
                turn: Some(turns::print(game, before, turn)),
                ..Witness::default()
            };
            match question.examine(&subject, tally, &mut mark) {
                Ok(false) => ControlFlow::Continue(()),
                Ok(true) => ControlFlow::Break(()),
                Err(Interrupted) => {
                    interrupted = true;
                    ControlFlow::Break(())
                }
            }
        });
        match interrupted {
            true => Err(Interrupted),
            false => Ok(()),
        }
    };
    let tally = in_pieces(steps.parts() as u64, control, &work)?;
    Some(Scanned {
        tally,
        limit: None,
        set,
        games: None,
    })
}
