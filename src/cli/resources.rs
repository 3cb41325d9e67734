//! What the program does when the system refuses memory, threads or space in a file.
//!
//! Refused memory and threads end the program with one message and the exit code of a limit. Writing beyond
//! the size that files may have (`ulimit -f`) is an error of that file instead of a signal.

use super::answer::{Verdict, say};
use std::io::Write;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What would help.
const HELP: &str = "help: allow less with --memory and --threads, or more address space (ulimit -v) and tasks (ulimit -u)";

/// Parts of the panics with which the standard library and rayon report that a thread cannot start.
const THREAD_PANICS: [&str; 3] = [
    "alternative stack",
    "failed to spawn thread",
    "thread pool has not been initialized",
];

/// Ends the program: the system refused this many bytes of memory. Allocates nothing.
pub fn out_of_memory(bytes: usize) -> ! {
    end(|| {
        let _ = writeln!(
            std::io::stderr(),
            "error: not enough memory: {bytes} bytes were refused\n{HELP}"
        );
    })
}

/// Prints a message and ends the program with the exit code of a limit. Only the first of several threads
/// that call it at the same time does so.
fn end(message: impl FnOnce()) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if !ENDING.swap(true, Ordering::SeqCst) {
        message();
        std::process::exit(Verdict::Undecided as i32);
    }
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Prepares the process for refusals.
pub(super) fn install() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match thread_refusal(panic) {
        Some(why) => end(|| {
            say(&format!("error: a thread cannot be started: {why}"));
            say(HELP);
        }),
        None if is_connection_thread() => {
            // The run has ended already, and its message says why.
            say("note: a thread of the connections between processes has ended");
        }
        None => usual(panic),
    }));
    #[cfg(unix)]
    // SAFETY: ignoring a signal installs no handler.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Returns whether this is a thread of timely that sends or receives messages. It panics when the workers that
/// it serves have ended early.
fn is_connection_thread() -> bool {
    let thread = std::thread::current();
    thread
        .name()
        .is_some_and(|name| name.starts_with("timely:"))
}

/// Returns the text of a panic that reports that a thread cannot start; `None` for all other panics.
fn thread_refusal(panic: &PanicHookInfo<'_>) -> Option<String> {
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied())?;
    THREAD_PANICS
        .iter()
        .any(|part| text.contains(part))
        .then(|| text.to_string())
}
