//! Ctrl-C. A command with nothing to lose ends at once with exit code 130. A command that has taken the [`flag`]
//! ends by itself after the first Ctrl-C, and at once at the second.

use super::answer::Verdict;
use control::process::ignores_hangup;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static WATCHED: AtomicBool = AtomicBool::new(false);
static PRESSED: AtomicBool = AtomicBool::new(false);

/// Returns the flag that the first Ctrl-C sets. A command that takes it must check it often, save what is done and
/// end with [`Verdict::Interrupted`].
pub fn flag() -> &'static AtomicBool {
    WATCHED.store(true, Ordering::SeqCst);
    &PRESSED
}

/// Returns whether Ctrl-C has been pressed.
pub fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}

/// Until this is dropped, Ctrl-C ends the program at once, as if no command had taken the [`flag`]: for work
/// that cannot check it and loses nothing.
pub struct AtOnce(bool);

/// Begins such work.
pub fn at_once() -> AtOnce {
    AtOnce(WATCHED.swap(false, Ordering::SeqCst))
}

impl Drop for AtOnce {
    fn drop(&mut self) {
        WATCHED.store(self.0, Ordering::SeqCst);
    }
}

/// A writer that fails soon after Ctrl-C, so that the user does not wait for a long file.
pub struct Hasty<'w> {
    out: &'w mut dyn Write,
    /// When it fails, once Ctrl-C has been pressed.
    until: Option<Instant>,
}

impl Hasty<'_> {
    /// The time that a file may still take.
    const AFTER: Duration = Duration::from_millis(500);

    /// Returns a writer around another one.
    pub fn new(out: &mut dyn Write) -> Hasty<'_> {
        Hasty { out, until: None }
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
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// Handles the signals, unless the program ignores hangups (nohup).
pub(super) fn install() {
    if ignores_hangup() {
        return;
    }
    // Without a handler Ctrl-C still ends the program, only without its exit code.
    let _ = ctrlc::set_handler(|| {
        let again = PRESSED.swap(true, Ordering::SeqCst);
        if again || !WATCHED.load(Ordering::SeqCst) {
            std::process::exit(Verdict::Interrupted as i32);
        }
    });
}
