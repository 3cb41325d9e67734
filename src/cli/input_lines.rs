//! Positions from standard input, one on each line. They are answered in order, and each error is reported
//! with its line number.

use super::answer::{Answer, Failure, Verdict, escaped, guarded, say_broken, say_error};
use super::args::{Format, Threads};
use diagnostics::Diagnostic;
use notation::fen;
use position::Position;
use rayon::prelude::*;
use rules::Game;
use std::io::{BufRead, BufReader, Read, Write};
use tables::Layout;

/// The maximum length in bytes of a line that is answered.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The maximum length in bytes of a line that is skipped. Longer input probably does not consist of lines.
const MAX_SKIPPED_BYTES: u64 = 64 << 20;

/// Where the error of a line is reported in addition to standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorLines {
    /// Among the answers, as a line `error: ...`, so that each line still has its answer.
    InPlace,
    /// Nowhere, since the answers form one document in JSON or CSV.
    Apart,
}

impl From<Format> for ErrorLines {
    fn from(format: Format) -> ErrorLines {
        match format {
            Format::Text => ErrorLines::InPlace,
            Format::Csv | Format::Json => ErrorLines::Apart,
        }
    }
}

/// Answers for one FEN, for the start position, or with `-` for every line of standard input.
///
/// If a line cannot be answered, the error is reported on standard error with the line number, and among the
/// answers as `errors` specifies. The other lines are still answered. The verdict is then
/// [`Verdict::BadInput`], or [`Verdict::Broken`] if the program panicked at a line.
///
/// # Errors
/// If the one FEN is wrong, standard input cannot be read, or `out` cannot be written.
pub fn each_fen(
    fen: Option<&str>,
    errors: ErrorLines,
    out: &mut dyn Write,
    mut answer: impl FnMut(Option<&str>, &mut dyn Write) -> Result<(), Failure>,
) -> Answer {
    if fen != Some("-") {
        answer(fen, out)?;
        return Ok(Verdict::Done);
    }
    each_line(std::io::stdin().lock(), errors, out, |line, out| {
        answer(Some(line), out)
    })
}

/// Answers each line of an input in turn. Each answer is flushed before the next line is awaited.
fn each_line(
    input: impl Read,
    errors: ErrorLines,
    out: &mut dyn Write,
    mut answer: impl FnMut(&str, &mut dyn Write) -> Result<(), Failure>,
) -> Answer {
    let mut lines = Lines::new(input);
    let mut verdict = Verdict::Done;
    loop {
        if lines.input.buffer().is_empty() {
            // A caller that writes single lines may be waiting for the answer.
            out.flush()?;
        }
        let Some(line) = lines.next()? else {
            return Ok(verdict);
        };
        answer_line(&line, errors, out, &mut verdict, &mut answer)?;
    }
}

/// The number of bytes of lines that a thread answers at a time. Smaller pieces take longer to distribute
/// than to answer; the answers to larger pieces do not fit in the processor's cache.
const PIECE_BYTES: usize = 1 << 14;

/// Answers the lines of standard input in order. `fast` answers lines on several threads: it appends the
/// answer and returns its number of rows, which are passed to `write`. If `fast` returns `None`, `slow`
/// answers the line and also reports errors. All lines that have arrived are answered before more are
/// awaited.
///
/// # Errors
/// If standard input cannot be read or has a line that is too long, or the answers cannot be written.
pub fn each_batch<S>(
    threads: &Threads,
    errors: ErrorLines,
    out: &mut dyn Write,
    state: impl Fn() -> S + Sync + Send,
    fast: impl Fn(&mut S, &str, &mut Vec<u8>) -> Option<usize> + Sync + Send,
    mut write: impl FnMut(&[u8], usize, &mut dyn Write) -> Result<(), Failure>,
    mut slow: impl FnMut(&str, &mut dyn Write) -> Result<(), Failure>,
) -> Answer {
    let mut lines = Lines::new(std::io::stdin().lock());
    let mut verdict = Verdict::Done;
    while let Some(line) = lines.next()? {
        let Ok(text) = line.text else {
            answer_line(&line, errors, out, &mut verdict, &mut slow)?;
            out.flush()?;
            continue;
        };
        let mut batch = text.into_bytes();
        lines.append_arrived(&mut batch);
        let answers: Vec<Vec<Run>> = threads.install(|| {
            let pieces = pieces(&batch, threads.count()).into_par_iter();
            let answered = |state: &mut S, piece| answered(piece, state, &fast);
            pieces.map_init(&state, answered).collect()
        });
        lines.number -= 1;
        for run in answers.into_iter().flatten() {
            lines.number += run.lines;
            if !run.answers.is_empty() {
                write(&run.answers, run.rows, out)?;
            }
            if let Some(line) = run.pending {
                let line = lines.numbered(Ok(line.to_vec()));
                answer_line(&line, errors, out, &mut verdict, &mut slow)?;
            }
        }
        out.flush()?;
    }
    Ok(verdict)
}

/// Consecutive lines that `fast` answered, and the next line if `fast` did not answer it.
#[derive(Default)]
struct Run<'b> {
    /// The concatenated answers.
    answers: Vec<u8>,
    /// The number of rows in the answers.
    rows: usize,
    /// The number of lines answered.
    lines: u64,
    /// The next line, which `slow` must answer.
    pending: Option<&'b [u8]>,
}

/// Answers the lines of a piece. If `fast` panics at a line, the line is pending.
fn answered<'b, S>(
    piece: &'b [u8],
    state: &mut S,
    fast: &impl Fn(&mut S, &str, &mut Vec<u8>) -> Option<usize>,
) -> Vec<Run<'b>> {
    let (mut runs, mut run, mut rest) = (Vec::new(), Run::default(), piece);
    while !rest.is_empty() {
        let (line, after) = rest.split_at(line_len(rest));
        rest = after;
        let bytes = run.answers.len();
        let text = std::str::from_utf8(line).ok();
        let rows = guarded(|| Ok(text.and_then(|text| fast(state, text.trim(), &mut run.answers))));
        if let Ok(Some(rows)) = rows {
            run.rows += rows;
            run.lines += 1;
        } else {
            run.answers.truncate(bytes);
            run.pending = Some(line);
            runs.push(std::mem::take(&mut run));
        }
    }
    runs.push(run);
    runs
}

/// Splits a batch at line ends into pieces for this number of threads.
fn pieces(batch: &[u8], threads: usize) -> Vec<&[u8]> {
    let bytes = PIECE_BYTES.min(batch.len() / threads);
    let (mut pieces, mut rest) = (Vec::new(), batch);
    while !rest.is_empty() {
        let start = bytes.min(rest.len() - 1);
        let (piece, after) = rest.split_at(start + line_len(&rest[start..]));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Returns the length of the first line including its line end.
fn line_len(mut bytes: &[u8]) -> usize {
    // Reading from memory does not fail.
    bytes.skip_until(b'\n').unwrap_or(bytes.len())
}

/// The lines of an input, with their numbers.
struct Lines<R> {
    input: BufReader<R>,
    /// The number of the last line read, from 1.
    number: u64,
}

impl<R: Read> Lines<R> {
    fn new(input: R) -> Lines<R> {
        Lines {
            input: BufReader::with_capacity(1 << 19, input),
            number: 0,
        }
    }

    /// Appends the complete lines that have already arrived.
    fn append_arrived(&mut self, batch: &mut Vec<u8>) {
        let arrived = self.input.buffer();
        let last_end = arrived.iter().rposition(|&byte| byte == b'\n');
        let bytes = last_end.map_or(0, |at| at + 1);
        batch.extend_from_slice(&arrived[..bytes]);
        self.input.consume(bytes);
    }

    /// Returns the next line, or `None` at the end of the input.
    fn next(&mut self) -> Result<Option<NumberedLine>, Failure> {
        let mut line = Vec::new();
        let read = read_line(&mut self.input, &mut line)
            .map_err(|error| error.at(format!("line {}", self.number + 1)))?;
        Ok(match read {
            LineRead::End => None,
            LineRead::TooLong => {
                Some(self.numbered(Err(wrong(format!("more than {MAX_LINE_BYTES} bytes")))))
            }
            LineRead::Line => Some(self.numbered(Ok(line))),
        })
    }

    /// Assigns the next number to a line. A line that is not UTF-8 becomes an error.
    fn numbered(&mut self, line: Result<Vec<u8>, Diagnostic>) -> NumberedLine {
        self.number += 1;
        NumberedLine {
            number: self.number,
            text: line
                .and_then(|line| String::from_utf8(line).map_err(|_| wrong("it is not UTF-8"))),
        }
    }
}

/// A line of an input, with its number.
struct NumberedLine {
    /// The line number, from 1.
    number: u64,
    /// The text including the line end, or the reason why the line cannot be read.
    text: Result<String, Diagnostic>,
}

fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("FEN", why)
}

/// Answers one line. Input errors and panics are reported with the line number and raise the verdict.
fn answer_line(
    line: &NumberedLine,
    errors: ErrorLines,
    out: &mut dyn Write,
    verdict: &mut Verdict,
    answer: &mut impl FnMut(&str, &mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let number = line.number;
    let text = line.text.as_ref().map_err(|error| error.clone().into());
    let why = match guarded(|| text.and_then(|text| answer(text.trim(), out))) {
        Ok(()) => return Ok(()),
        Err(Failure::Input(mut error)) => {
            let why = error.to_string();
            out.flush()?;
            error.what = format!("line {number}: {}", error.what);
            say_error(&error);
            *verdict = (*verdict).max(Verdict::BadInput);
            why
        }
        Err(Failure::Broken(why)) => {
            out.flush()?;
            say_broken(&format!("line {number}: "), &why);
            *verdict = Verdict::Broken;
            "internal error".to_string()
        }
        Err(failure) => return Err(failure),
    };
    if errors == ErrorLines::InPlace {
        writeln!(out, "error: {}", escaped(&why))?;
    }
    Ok(())
}

/// Reads a position of a game that is already open. Returns `None` if the text is for another board, is
/// wrong, or requires a note to the user. The caller then uses
/// [`read_next_setup`](super::args::read_next_setup), which handles all of these cases.
pub fn read_quickly<W: Layout>(game: &dyn Game<W>, text: &str) -> Option<Position<W>> {
    let p = fen::read_position(game, text).ok()?;
    catalog::losses(game, &p, text).is_empty().then_some(p)
}

/// The result of reading a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineRead {
    /// A line was read.
    Line,
    /// A line of more than [`MAX_LINE_BYTES`] was skipped.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads a line including its line end into `line`.
///
/// # Errors
/// If the input cannot be read, or a line has more than [`MAX_SKIPPED_BYTES`].
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<LineRead, Diagnostic> {
    let unreadable =
        |e: std::io::Error| Diagnostic::new("standard input", format!("it cannot be read: {e}"));
    line.clear();
    let mut bytes = 0;
    loop {
        let piece = &mut *line;
        piece.clear();
        let read = input
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', piece)
            .map_err(unreadable)? as u64;
        let ended = read < MAX_LINE_BYTES || line.last() == Some(&b'\n');
        match (bytes, read) {
            (0, 0) => return Ok(LineRead::End),
            (0, _) if ended => return Ok(LineRead::Line),
            _ if ended => return Ok(LineRead::TooLong),
            _ => bytes += read,
        }
        if bytes > MAX_SKIPPED_BYTES {
            let why = format!("more than {MAX_SKIPPED_BYTES} bytes without an end of line");
            return Err(Diagnostic::new("standard input", why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_costs_its_own_line() {
        let mut out = Vec::new();
        let input = &b"one\ntwo\n\nfour"[..];
        let verdict = each_line(input, ErrorLines::InPlace, &mut out, |line, out| {
            assert_ne!(line, "two");
            if line.is_empty() {
                return Err(Diagnostic::new("line", "it is empty").into());
            }
            Ok(writeln!(out, "{line}")?)
        });
        assert_eq!(verdict.ok(), Some(Verdict::Broken));
        assert_eq!(
            String::from_utf8_lossy(&out),
            "one\nerror: internal error\nerror: line: it is empty\nfour\n"
        );
    }
}
