//! Ctrl-C. A command with nothing to lose ends at once with exit code 130; one that has asked for
//! the [`flag`] is only told, and ends at the second Ctrl-C.

use super::answer::Verdict;
use std::sync::atomic::{AtomicBool, Ordering};

static WATCHED: AtomicBool = AtomicBool::new(false);
static PRESSED: AtomicBool = AtomicBool::new(false);

/// Set by the first Ctrl-C. Who asks for it promises to look at it often, to save what is done
/// and to end with [`Verdict::Interrupted`].
pub fn flag() -> &'static AtomicBool {
    WATCHED.store(true, Ordering::SeqCst);
    &PRESSED
}

/// Takes the signals over, unless the program was started so as to outlive its terminal (nohup).
pub(super) fn install() {
    if outlives_terminal() {
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

/// Whether hangups are ignored, as Linux tells it.
fn outlives_terminal() -> bool {
    const HANGUP: u64 = 1;
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| {
        status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask & HANGUP != 0)
    })
}
