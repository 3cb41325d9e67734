//! The end of a command: its verdict or failure, the exit code, and messages on standard error.

use super::interrupt;
pub use control::counted;
use control::evaluation::Interrupted;
use control::files::FileError;
use control::process::peak_bytes;
use diagnostics::Diagnostic;
use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The verdict of a completed command. If several apply, the greatest one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Verdict {
    /// The work is done, and nothing was found.
    #[default]
    Done = 0,
    /// A difference, a wrong count or a refuted claim was found.
    Finding = 1,
    /// Some of the input was wrong. The rest was answered.
    BadInput = 2,
    /// A limit was reached.
    Undecided = 3,
    /// A bug of the program itself. All other input was answered.
    Broken = 101,
    /// The user stopped the command. Completed work was saved.
    Interrupted = 130,
}

impl Verdict {
    /// Returns [`Finding`](Verdict::Finding) if `any` is true, otherwise [`Done`](Verdict::Done).
    pub fn found(any: bool) -> Verdict {
        if any { Verdict::Finding } else { Verdict::Done }
    }

    /// Returns [`Undecided`](Verdict::Undecided) unless everything was decided.
    pub fn decided(all: bool) -> Verdict {
        match all {
            true => Verdict::Done,
            false => Verdict::Undecided,
        }
    }
}

/// The reason why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong.
    Input(Diagnostic),
    /// A file cannot be read or written, or is damaged.
    File(FileError),
    /// The answer could not be written.
    Output(std::io::Error),
    /// The program panicked with this message, which is a bug.
    Broken(String),
    /// Ctrl-C or `--time` stopped an evaluation.
    Stopped,
}

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Failure {
        Failure::Input(error)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::File(error)
    }
}

/// Functions that read return [`Diagnostic`] or [`FileError`], so a plain I/O error comes from writing the
/// answer.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// The result of a command.
pub type Answer = Result<Verdict, Failure>;

/// Runs `work`. A panic, which is a bug of the program unless an evaluation was stopped, becomes a failure of this
/// work only.
///
/// # Errors
/// The errors of `work`; [`Failure::Stopped`] or [`Failure::Broken`] if it panics.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        if panic.is::<Interrupted>() {
            return Err(Failure::Stopped);
        }
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied());
        Err(Failure::Broken(said.unwrap_or("it panicked").to_string()))
    })
}

/// Prints the failure of a command, followed by `hint` if the input was wrong. Returns the exit code.
pub(super) fn code(answer: Answer, hint: Option<&str>) -> ExitCode {
    let verdict = match answer {
        Ok(verdict) => verdict,
        Err(Failure::Output(error)) if is_closed_pipe(&error) => Verdict::Done,
        Err(Failure::Output(error)) => {
            say(&format!("error: the answer cannot be written: {error}"));
            Verdict::BadInput
        }
        Err(Failure::Input(error)) => {
            say_error(&error);
            if let Some(hint) = hint.filter(|hint| error.help.as_deref() != Some(hint)) {
                say(&format!("help: {hint}"));
            }
            Verdict::BadInput
        }
        Err(Failure::File(error)) => {
            say(&format!("error: {error}"));
            if let Some(help) = error.help {
                say(&format!("help: {help}"));
            }
            Verdict::BadInput
        }
        Err(Failure::Broken(why)) => {
            say_broken("", &why);
            Verdict::Broken
        }
        Err(Failure::Stopped) => interrupt::verdict(),
    };
    ExitCode::from(verdict as u8)
}

/// Prints a line on standard error, with control characters escaped. A closed standard error does not stop
/// the program.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", escaped(line));
}

/// Returns a text with its control characters escaped. They may come from the input.
pub fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut text, c| {
        if c.is_control() {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
        text
    })
}

/// Prints an error on standard error, with its excerpt and help.
pub fn say_error(error: &Diagnostic) {
    say(&format!("error: {error}"));
    if let Some(excerpt) = &error.excerpt {
        for line in excerpt.text.lines() {
            say(&format!("  {line}"));
        }
    }
    if let Some(help) = &error.help {
        say(&format!("help: {help}"));
    }
}

/// Prints on standard error that the program has a bug. `place` is the place in the input at which it
/// occurred, such as `line 3: `.
pub fn say_broken(place: &str, why: &str) {
    say(&format!("error: {place}internal error: {why}"));
    say("help: this is a bug; please report it together with the input");
}

/// Prints the cost of some work on standard error: the time in seconds and, if the system reports it, the
/// peak memory of the process.
pub fn say_cost(begun: Instant) {
    let peak =
        peak_bytes().map(|bytes| format!(", at most {} MB of memory", bytes.div_ceil(1 << 20)));
    let seconds = begun.elapsed().as_secs_f64();
    say(&format!("{seconds:.1} s{}", peak.unwrap_or_default()));
}

/// Returns whether an error means that the reader of a pipe has closed it. The CSV writer wraps such errors.
fn is_closed_pipe(error: &std::io::Error) -> bool {
    let is_closed = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    let wrapped = error.get_ref().and_then(|error| error.downcast_ref());
    match wrapped.map(csv::Error::kind) {
        Some(csv::ErrorKind::Io(error)) => is_closed(error),
        _ => is_closed(error),
    }
}

/// Returns the failure for a file or folder of an option that cannot be written. If the reader of a pipe has
/// closed it, this is not an error.
pub fn unwritable(option: &str, path: &Path, error: std::io::Error) -> Failure {
    if is_closed_pipe(&error) {
        return Failure::Output(error);
    }
    let why = format!("`{}` cannot be written: {error}", path.display());
    Failure::Input(Diagnostic::new(option, why))
}
