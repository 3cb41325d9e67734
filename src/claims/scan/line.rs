//! The turns of a line, in order. The expression is evaluated for each turn.

use super::{Question, Scanned, Tally, Witness};
use crate::checks::line::{CompiledLine, PlayedTurn, TooManyReadings, words};
use crate::file::Text;
use crate::subject::Subject;
use control::{Control, counted};
use diagnostics::Diagnostic;
use language::Interrupted;
use notation::{Start, fen, turns};
use position::Layout;

/// Reads a line and returns its turns.
///
/// # Errors
/// If a turn is not legal, with its place in the file.
pub fn replayed<W: Layout>(
    start: &Start<W>,
    text: &Text,
    subject: &Subject<'_>,
) -> Result<Vec<PlayedTurn<W>>, Diagnostic> {
    let words = words(&text.value);
    if words.is_empty() {
        return Err(subject.file.error(&text.span, "the line has no turn"));
    }
    let line = CompiledLine::plain();
    let replay = line.replay(start.game.as_ref(), &start.position, &words, &|_| true);
    if replay.limited {
        let error = subject.file.error(&text.span, TooManyReadings.to_string());
        return Err(error.help("write the turns in coordinate notation, such as `e2e4`"));
    }
    match replay.illegal {
        None => Ok(replay.played),
        Some((at, why)) => {
            let why = format!("turn {} (`{}`) is not legal: {why}", at + 1, words[at].text);
            Err(subject.file.error(&text.span, why))
        }
    }
}

/// Visits the turns. Returns `None` if `control` stopped it.
///
/// # Errors
/// The errors of [`replayed`].
pub fn scan<W: Layout>(
    start: &Start<W>,
    text: &Text,
    question: &Question,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Option<Scanned>, Diagnostic> {
    let game = start.game.as_ref();
    let played = replayed(start, text, subject)?;
    let stop = || control.check().is_err();
    let (mut tally, mut line) = (Tally::default(), Vec::new());
    for turn in &played {
        line.push(turns::print(game, &turn.before, &turn.turn));
        let evaluated = language::Subject {
            stop: Some(&stop),
            ..language::Subject::of_turn(game, &turn.before, turn.turn)
        };
        let mut mark = || Witness {
            root: fen::print(game, &start.position),
            line: line.clone(),
            fen: fen::print(game, &turn.before),
            turn: line.last().cloned(),
        };
        match question.examine(&evaluated, &mut tally, &mut mark) {
            Ok(false) => {}
            Ok(true) => break,
            Err(Interrupted) => return Ok(None),
        }
    }
    Ok(Some(Scanned {
        tally,
        limit: None,
        set: format!("the line of {}", counted(played.len(), "turn", "turns")),
        games: None,
    }))
}
