//! Programs that hear signals, whatever the tests themselves were started to ignore.

use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

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

/// Runs the program, and interrupts it after this time.
pub fn interrupted_after(arguments: &[&str], millis: u64) -> Output {
    let program = assert_cmd::cargo::cargo_bin("fairyproof");
    let child = heard(&mut Command::new(program))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    std::thread::sleep(std::time::Duration::from_millis(millis));
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(status.success());
    child.wait_with_output().expect("an end")
}
