//! The positions of an endgame table, with their values.
//!
//! The table is built in memory. Symmetric positions are visited separately, and both sides move.

use super::{Question, Scanned, Tally, Witness, in_pieces};
use crate::file::Limits;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use language::Interrupted;
use notation::fen;
use position::Layout;
use rules::Game;
use std::sync::Arc;
use tables::{Failed, Signature, TablePart, Tables, build_here, table_parts};

/// Builds the table and visits its positions. Returns `None` if `control` stopped it.
///
/// # Errors
/// If the signature is wrong, or the rule set does not allow such a table.
pub fn scan<W: Layout>(
    game: &Arc<dyn Game<W>>,
    signature: &str,
    question: &Question,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<Option<Scanned>, Diagnostic> {
    let signature = Signature::parse(game.as_ref(), signature)?;
    let set = format!(
        "the table {signature} on {}, both sides to move",
        game.board().geometry().size()
    );
    let open = |limit: String| Scanned {
        tally: Tally::default(),
        limit: Some(limit),
        set: set.clone(),
        games: None,
    };
    let indices = |key| tables::Class::new(game.as_ref(), key).len();
    if signature.keys().into_iter().map(indices).sum::<u64>() > limits.positions {
        return Ok(Some(open(format!("positions = {}", limits.positions))));
    }
    let tables = Tables::new(Arc::clone(game), None);
    match build_here(&tables, &signature, control) {
        Ok(_) => {}
        Err(Failed::Stopped(Stopped::Interrupted)) => return Ok(None),
        Err(Failed::Wrong(error)) => return Err(error),
        Err(limit) => return Ok(Some(open(limit.to_string()))),
    }
    let parts: Vec<TablePart> = table_parts(&tables, &signature)?;
    let stop = || control.check().is_err();
    let work = |at: u64, tally: &mut Tally<Witness>| -> Result<(), Interrupted> {
        parts[at as usize].each(&tables, &stop, &mut |subject, _| {
            let mut mark = || Witness {
                fen: fen::print(subject.game, subject.position),
                ..Witness::default()
            };
            question.examine(subject, tally, &mut mark)
        })
    };
    let Some(tally) = in_pieces(parts.len() as u64, control, &work) else {
        return Ok(None);
    };
    Ok(Some(Scanned {
        tally,
        limit: None,
        set,
        games: None,
    }))
}
