//! Ctrl-C. A command with nothing to lose ends at once with exit code 130; one that has asked for
//! the [`flag`] is only told, and ends at the second Ctrl-C.

use super::answer::Verdict;
use control::process::ignores_hangup;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static WATCHED: AtomicBool = AtomicBool::new(false);
static PRESSED: AtomicBool = AtomicBool::new(false);

/// Set by the first Ctrl-C. Who asks for it promises to look at it often, to save what is done
/// and to end with [`Verdict::Interrupted`].
pub fn flag() -> &'static AtomicBool {
    WATCHED.store(true, Ordering::SeqCst);
    &PRESSED
}

/// Until this is dropped, Ctrl-C ends the program at once, as if nobody had asked for the [`flag`]:
/// for work that cannot look at it and loses nothing.
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

/// A writer that fails soon after Ctrl-C, so that nobody waits for a long file.
pub struct Hasty<'w> {
    out: &'w mut dyn Write,
    /// When it fails, once Ctrl-C has been pressed.
    until: Option<Instant>,
}

impl Hasty<'_> {
    /// How long what was begun may still take.
    const AFTER: Duration = Duration::from_millis(500);

    /// Around another writer.
    pub fn new(out: &mut dyn Write) -> Hasty<'_> {
        Hasty { out, until: None }
    }
}

impl Write for Hasty<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if PRESSED.load(Ordering::Relaxed) {
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

/// Takes the signals over, unless the program was started so as to outlive its terminal (nohup).
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
