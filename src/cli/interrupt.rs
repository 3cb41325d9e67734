//! Handling of Ctrl-C and of `--time`. A command with nothing to lose ends at once with exit code 130. A command that has
//! requested the [`flag`] ends on its own after the first Ctrl-C, and at once after the second.

use super::answer::{Verdict, say};
use control::Control;
use control::evaluation::restart;
use control::process::ignores_hangup;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

static WATCHED: AtomicBool = AtomicBool::new(false);
static PRESSED: AtomicBool = AtomicBool::new(false);
/// The time at which evaluations of expressions are stopped.
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);

/// Returns the flag that the first Ctrl-C sets. A command that requests the flag must check it often, save
/// completed work, and end with [`Verdict::Interrupted`].
pub fn flag() -> &'static AtomicBool {
    WATCHED.store(true, Ordering::SeqCst);
    &PRESSED
}

/// Returns whether the user has pressed Ctrl-C.
pub fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}

/// Returns a control that Ctrl-C stops, with a time limit that begins now. Evaluations of expressions heed the limit
/// too.
pub fn timed(control: Control<'_>, time: Option<Duration>) -> Control<'_> {
    let control = control.with_stop(flag()).with_time(time);
    set_deadline(control.deadline());
    control
}

fn set_deadline(deadline: Option<Instant>) {
    *DEADLINE.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    restart();
}

/// Returns whether work must stop now: after Ctrl-C, and once the limit of [`timed`] is reached.
pub fn is_due() -> bool {
    let deadline = || *DEADLINE.lock().unwrap_or_else(PoisonError::into_inner);
    pressed() || deadline().is_some_and(|deadline| Instant::now() >= deadline)
}

/// Prints the reason why work was stopped. Returns its verdict.
pub fn verdict() -> Verdict {
    set_deadline(None);
    if pressed() {
        return Verdict::Interrupted;
    }
    say("stopped by the limit of --time");
    Verdict::Undecided
}

/// A writer that fails shortly after Ctrl-C, and after a time limit, so users need not wait for a long file.
pub struct Hasty<'w> {
    out: &'w mut dyn Write,
    /// The time from which writing fails, once Ctrl-C has been pressed.
    until: Option<Instant>,
    /// The time from which writing fails in any case.
    deadline: Option<Instant>,
}

impl Hasty<'_> {
    /// The time for which writing may continue after Ctrl-C.
    const AFTER: Duration = Duration::from_millis(500);
    /// The time for which writing may continue if the work before it has taken all the time that is allowed.
    const AT_LEAST: Duration = Duration::from_secs(1);

    /// Returns a writer that wraps another one and fails after `deadline`.
    pub fn new(out: &mut dyn Write, deadline: Option<Instant>) -> Hasty<'_> {
        let at_least = Instant::now() + Self::AT_LEAST;
        Hasty {
            out,
            until: None,
            deadline: deadline.map(|deadline| deadline.max(at_least)),
        }
    }

    /// Returns whether writing fails because of the time limit.
    pub fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Write for Hasty<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if pressed() {
            let now = Instant::now();
            if now >= *self.until.get_or_insert(now + Self::AFTER) {
                return Err(std::io::Error::other("interrupted"));
            }
        }
        if self.is_late() {
            return Err(std::io::Error::other("the time is over"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Installs the signal handler, unless the program ignores hangups (nohup).
pub(super) fn install() {
    if ignores_hangup() {
        return;
    }
    // Without a handler, Ctrl-C still ends the program, but with a different exit code.
    let _ = ctrlc::set_handler(|| {
        let again = PRESSED.swap(true, Ordering::SeqCst);
        if again || !WATCHED.load(Ordering::SeqCst) {
            std::process::exit(Verdict::Interrupted as i32);
        }
    });
}
