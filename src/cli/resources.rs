//! Handles refusals of the system to provide memory, threads or file space.
//!
//! If memory or a thread is refused, the program ends with one message and the exit code of a limit. Writing
//! beyond the maximum file size (`ulimit -f`) becomes an error of that file instead of a signal.

use super::answer::{Verdict, say};
use std::io::Write;
use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The help for refused memory and threads.
const HELP: &str = "help: allow less with --memory and --threads, or more address space (ulimit -v) and tasks (ulimit -u)";

/// Parts of the panic messages with which the standard library and rayon report that a thread cannot start.
const THREAD_PANICS: [&str; 3] = [
    "alternative stack",
    "failed to spawn thread",
    "thread pool has not been initialized",
];

/// Ends the program because the system refused to allocate `bytes` bytes of memory. Allocates nothing itself.
pub fn out_of_memory(bytes: usize) -> ! {
    end(|| {
        let _ = writeln!(
            std::io::stderr(),
            "error: not enough memory: {bytes} bytes were refused\n{HELP}"
        );
    })
}

/// Prints a message and ends the program with the exit code of a limit. If several threads call this at the
/// same time, only the first prints; the others wait for the end.
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

/// Prepares the process for refusals by the system.
pub(super) fn install() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match thread_refusal(panic) {
        Some(why) => end(|| {
            say(&format!("error: a thread cannot be started: {why}"));
            say(HELP);
        }),
        None if is_connection_thread() => {
            // The run has already ended with a message that states the reason.
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

/// Returns whether the current thread is one of timely's threads that send or receive messages. Such a thread
/// panics if its workers have ended early.
fn is_connection_thread() -> bool {
    let thread = std::thread::current();
    thread
        .name()
        .is_some_and(|name| name.starts_with("timely:"))
}

/// Returns the message of a panic if it reports that a thread cannot start, otherwise `None`.
fn thread_refusal(panic: &PanicHookInfo<'_>) -> Option<String> {
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied())?;
    THREAD_PANICS
        .iter()
        .any(|part| text.contains(part))
        .then(|| text.to_string())
}
