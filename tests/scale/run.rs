//! Runs of the program, alone and as one of several processes.

use std::io::Read;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A graph of seconds, and more than that.
pub const LARGE: [&str; 3] = ["fide", "--fen", "7k/5r2/8/8/8/8/Q7/K7 w - - 0 1"];

/// What a run gave: exit code (none if it was killed), standard output, standard error.
#[derive(PartialEq, Eq, Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Returns the program with these arguments, its input empty and its output piped.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairyproof"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// `explore` with these arguments.
pub fn explore(arguments: &[&str]) -> Command {
    program(&[&["explore"], arguments].concat())
}

/// Starts it.
pub fn start(arguments: &[&str]) -> Child {
    explore(arguments).spawn().expect("it starts")
}

/// How the lines begin that a run of more than ten seconds prints on standard error about its progress.
const PROGRESS: [&str; 5] = [
    "building: ",
    "certifying: ",
    "exploring: ",
    "planning: ",
    "solving: ",
];

/// Returns the messages of a run without its progress and its cost, which are never the same twice.
pub fn without_cost(err: &str) -> String {
    let progress = |line: &str| PROGRESS.iter().any(|phase| line.starts_with(phase));
    let lines = err
        .lines()
        .filter(|line| !line.ends_with(" of memory") && !progress(line) && !resumed(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns whether a line reports that a search was resumed, which a search in one go does not.
fn resumed(line: &str) -> bool {
    line.starts_with("note: ") && line.ends_with(" as saved there")
}

/// Waits for its end, not for ever.
pub fn end(mut child: Child) -> Run {
    let reading = [
        child
            .stdout
            .take()
            .map(|out| Box::new(out) as Box<dyn Read + Send>),
        child
            .stderr
            .take()
            .map(|err| Box::new(err) as Box<dyn Read + Send>),
    ]
    .map(|pipe| {
        std::thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut pipe) = pipe {
                pipe.read_to_string(&mut text).expect("UTF-8");
            }
            text
        })
    });
    let until = Instant::now() + Duration::from_secs(240);
    let code = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        if Instant::now() > until {
            child.kill().expect("a child");
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let [out, err] = reading.map(|text| text.join().expect("a pipe"));
    let err = without_cost(&err);
    let run = Run { code, out, err };
    assert!(!run.err.contains("panicked"), "{run:?}");
    run
}

/// Lets a process write no file longer than so many bytes, as on a disk that is full.
pub fn limit_files(command: &mut Command, bytes: u64) -> &mut Command {
    // Sound: between fork and exec nothing is called but signal(2) and setrlimit(2).
    unsafe {
        command.pre_exec(move || {
            libc::signal(libc::SIGXFSZ, libc::SIG_DFL);
            let limit = libc::rlimit {
                rlim_cur: bytes,
                rlim_max: libc::RLIM_INFINITY,
            };
            libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
            Ok(())
        })
    }
}

/// Runs it.
pub fn run(arguments: &[&str]) -> Run {
    end(start(arguments))
}

/// A file with addresses of this machine at which nobody listens.
pub struct Hosts {
    folder: TempDir,
    pub addresses: Vec<String>,
}

impl Hosts {
    pub fn new(n: usize) -> Hosts {
        let listeners: Vec<TcpListener> = (0..n)
            .map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"))
            .collect();
        let addresses = listeners
            .iter()
            .map(|l| l.local_addr().expect("an address").to_string());
        Hosts::of(addresses.collect())
    }

    pub fn of(addresses: Vec<String>) -> Hosts {
        let hosts = Hosts {
            folder: TempDir::new().expect("a folder"),
            addresses,
        };
        std::fs::write(hosts.path(), hosts.addresses.join("\n") + "\n").expect("a file");
        hosts
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("hosts")
    }

    /// Starts one of the processes.
    pub fn start(&self, process: usize, arguments: &[&str]) -> Child {
        let path = self.path();
        let place = ["--hosts", path.to_str().expect("UTF-8"), "--process"];
        let process = process.to_string();
        start(&[arguments, &place, &[&*process, "--threads", "1"]].concat())
    }
}

/// Asserts that a text contains a part.
#[track_caller]
pub fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

/// Waits until a file is there.
pub fn wait_for(path: &Path) {
    let until = Instant::now() + Duration::from_secs(120);
    while !path.exists() {
        assert!(Instant::now() < until, "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}
