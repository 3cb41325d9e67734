//! Programs that hear signals, whatever the tests themselves were started to ignore.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// Has the program start with the usual meaning of a hangup and of Ctrl-C. (Under nohup, or in the
/// background of a shell, both are ignored by the tests and by what they start, and fairyproof
/// then outlives them on purpose.)
pub fn heard(command: &mut Command) -> &mut Command {
    // Sound: between fork and exec nothing is called but signal(2), which is safe there.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGHUP, libc::SIG_DFL);
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        })
    }
}
