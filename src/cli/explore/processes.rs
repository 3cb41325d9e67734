//! `explore` on several processes: reads their addresses, starts them, and prints messages about them.

use super::Args;
use crate::answer::{Failure, Verdict, say};
use crate::args::within;
use crate::interrupt;
use crate::progress::Bar;
use control::files::{read_limited, read_standard_input};
use control::{Control, Stopped};
use diagnostics::{Diagnostic, shortened, whole_number};
use explore::Expander;
use notation::{Start, fen};
use scale::workers::{self, Failed, Found, Membership, Question, Resources, Task};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use values::Layout;

/// The maximum number of processes that are started on one machine.
const MAX_PROCESSES: usize = 64;
/// The memory of a process in addition to states, in bytes: the program itself, stacks and messages (measured:
/// 20 to 28 MB).
const OVERHEAD_BYTES: u64 = 28 << 20;
/// The maximum size of a hosts file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 19;
/// The maximum number of addresses in a hosts file. Each process keeps a connection to every other process,
/// and many systems allow only 1,024 open files.
const MAX_HOSTS: usize = 500;

/// The options.
#[derive(clap::Args)]
pub struct Workers {
    /// Be one of several processes. FILE has their addresses (host:port, or a port of this machine), one a
    /// line; `-` reads them from standard input. A line `secret TEXT` keeps out programs that do not know it
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ["dot", "graphml", "condensation", "values"])]
    hosts: Option<PathBuf>,
    /// Number of this process: its line in FILE, counted from 0. Process 0 prints the answer
    #[arg(long, value_name = "I", requires = "hosts", value_parser = within(0, 65_535usize))]
    process: Option<usize>,
    /// Read the hosts from standard input up to an empty line, and end when it is closed: the process that
    /// started this one holds its other end
    #[arg(long, requires = "hosts", hide = true)]
    child: bool,
    /// Start this many processes on this machine; they share --threads and --memory
    #[arg(long, value_name = "N", value_parser = within(1, MAX_PROCESSES),
          conflicts_with_all = ["hosts", "dot", "graphml", "condensation", "values"])]
    processes: Option<usize>,
    /// Save each level of the graph in this folder, and continue from the levels saved there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dot", "graphml", "condensation", "values"])]
    state: Option<PathBuf>,
}

impl Workers {
    /// Returns whether the states are distributed among workers.
    pub fn asked(&self) -> bool {
        self.hosts.is_some() || self.processes.is_some() || self.state.is_some()
    }

    /// Explores with all processes and returns the result. Before the work, calls `begin` with whether this
    /// process prints the answer; its result is returned as well. Returns a verdict instead if the work has
    /// no result.
    pub fn run<W: Layout, T>(
        &self,
        args: &Args,
        start: &Start<W>,
        question: Option<Question<'_>>,
        begin: impl FnOnce(bool) -> Result<T, Failure>,
    ) -> Result<Result<(Found, T), Verdict>, Failure> {
        if args.solve {
            let why =
                "several processes do not find values: not with --processes, --hosts or --state";
            let error = Diagnostic::new("--solve", why);
            return Err(error
                .help("--disk DIR finds the values of a graph that does not fit in memory")
                .into());
        }
        let game = start.game.as_ref();
        let wished_bytes = args.work.memory.bytes();
        let (run, process) = match (&self.hosts, self.process, self.processes) {
            (Some(_), Some(process), _) if self.child => (hosts_from_parent(process)?, process),
            (Some(file), Some(process), _) => (read_hosts(file, process)?, process),
            (_, _, Some(n)) if n > 1 => (Hosts::of_this_machine(n)?, 0),
            _ => (Hosts::default(), 0),
        };
        let begun = begin(process == 0)?;
        let local = self.processes.unwrap_or(1);
        let threads = match args.work.threads.threads {
            Some(threads) => threads,
            None => (args.work.threads.count() / local).max(1),
        };
        let share = wished_bytes / local as u64;
        let memory_bytes = match local {
            1 => share,
            _ => share - OVERHEAD_BYTES.min(share / 2),
        };
        let children = match local {
            1 => None,
            _ => Some(Children::start(&run, threads, memory_bytes)?),
        };
        let task = Task {
            game: &Expander::new(game, &start.position),
            identity: vec![
                ("build", build()?),
                ("variant", game.variant().identity()),
                ("position", fen::print(game, &start.position)),
            ],
            max_states: args.max_states.unwrap_or(u64::MAX),
            max_depth: args.max_depth.unwrap_or(u32::MAX),
            question,
        };
        let place = (!run.addresses.is_empty()).then_some(Membership {
            hosts: &run.addresses,
            process,
            secret: &run.secret,
        });
        let bar = Bar::new();
        let means = Resources {
            control: interrupt::timed(Control::new(), args.time)
                .with_memory(memory_bytes)
                .with_threads(threads)
                .with_observer(&bar),
            state: self.state.as_deref(),
            lost_process: &|| children.as_ref()?.ended(),
        };
        let ran = workers::run(&task, place, &means);
        bar.clear();
        match ran {
            Ok(found) => {
                if let Some(children) = children {
                    children.wait();
                }
                Ok(Ok((found, begun)))
            }
            Err(Failed::Input(error) | Failed::Agreed(error)) => Err(error.into()),
            Err(Failed::Stopped(Stopped::Interrupted)) => Ok(Err(Verdict::Interrupted)),
            Err(stopped @ (Failed::Stopped(_) | Failed::NoThread)) => {
                say(&format!("stopped: {stopped}"));
                Ok(Err(Verdict::Undecided))
            }
            Err(lost @ Failed::Lost { .. }) => {
                say(&format!("stopped: {lost}"));
                say(match self.state {
                    Some(_) => "help: the same command resumes from the last complete level",
                    None => "help: with --state DIR the same command could go on",
                });
                Ok(Err(Verdict::Undecided))
            }
        }
    }
}

/// Returns a checksum of the program's file, which distinguishes this build from every other.
fn build() -> Result<String, Diagnostic> {
    let unreadable = |e| Diagnostic::new("program", format!("it cannot be read: {e}"));
    let mut file = std::env::current_exe()
        .and_then(std::fs::File::open)
        .map_err(unreadable)?;
    let mut sum = crc32fast::Hasher::new();
    let (mut block, mut length) = (vec![0; 1 << 20], 0);
    loop {
        let n = file.read(&mut block).map_err(unreadable)?;
        if n == 0 {
            break;
        }
        sum.update(&block[..n]);
        length += n;
    }
    let version = env!("CARGO_PKG_VERSION");
    Ok(format!("{version}-{:08x}-{length:x}", sum.finalize()))
}

/// The processes of a run, as a hosts file describes them.
#[derive(Debug, Default)]
struct Hosts {
    /// The address of each process, `host:port`.
    addresses: Vec<String>,
    /// The secret that the processes of the run share; empty without a line `secret TEXT`.
    secret: String,
}

/// Reads a hosts file.
fn read_hosts(file: &Path, process: usize) -> Result<Hosts, Diagnostic> {
    let read = match file == Path::new("-") {
        true => read_standard_input(MAX_FILE_BYTES),
        false => read_limited(file, MAX_FILE_BYTES),
    };
    let bytes = read.map_err(|e| Diagnostic::new("--hosts", e.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    parse_hosts(&text, &format!("`{}`", file.display()), process)
}

/// Reads the addresses from the parent process. From then on, this process ends as soon as the parent has
/// ended for any reason.
fn hosts_from_parent(process: usize) -> Result<Hosts, Diagnostic> {
    let wrong = |why: String| Diagnostic::new("standard input", why);
    let mut text = String::new();
    let mut lines = std::io::stdin().lock().take(MAX_FILE_BYTES);
    while !text.ends_with("\n\n") {
        match lines.read_line(&mut text) {
            Ok(0) => return Err(wrong("it ends before an empty line".to_string())),
            Ok(_) => {}
            Err(e) => return Err(wrong(format!("it cannot be read: {e}"))),
        }
    }
    drop(lines);
    let watch = || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(Verdict::Undecided as i32);
    };
    std::thread::Builder::new()
        .spawn(watch)
        .map_err(|e| wrong(format!("no thread can be started to watch it: {e}")))?;
    parse_hosts(&text, "standard input", process)
}

/// Parses addresses, one on each line, and the secret. `source` names the source in messages.
fn parse_hosts(text: &str, source: &str, process: usize) -> Result<Hosts, Diagnostic> {
    let mut hosts: Vec<String> = Vec::new();
    let mut secret = None;
    for (line, address) in (1..).zip(text.lines().map(str::trim)) {
        let wrong = |why: String| Diagnostic::new("--hosts", why).at(format!("line {line}"));
        if address.is_empty() {
            continue;
        }
        if let Some(text) = address.strip_prefix("secret ") {
            if secret.replace(text.trim().to_owned()).is_some() {
                return Err(wrong("a second secret".to_string()));
            }
            continue;
        }
        if hosts.len() == MAX_HOSTS {
            return Err(wrong(format!("more than {MAX_HOSTS} addresses"))
                .help("use fewer processes, and more threads in each"));
        }
        let (host, port) = address.rsplit_once(':').unwrap_or(("127.0.0.1", address));
        if host.is_empty() || !whole_number(port) || !port.parse().is_ok_and(|port: u16| port > 0) {
            let error = wrong(format!("`{}` is not an address", shortened(address)));
            return Err(error.help("host:port, or a port of this machine"));
        }
        let address = format!("{host}:{port}");
        if hosts.contains(&address) {
            return Err(wrong(format!("`{}` is listed twice", shortened(&address))));
        }
        hosts.push(address);
    }
    if process >= hosts.len() {
        let n = hosts.len();
        let why = format!("there is no process {process}: {source} has {n} addresses");
        return Err(Diagnostic::new("--process", why).help("they are counted from 0 on"));
    }
    Ok(Hosts {
        addresses: hosts,
        secret: secret.unwrap_or_default(),
    })
}

impl Hosts {
    /// Returns `n` free addresses of this machine, with a random secret.
    fn of_this_machine(n: usize) -> Result<Hosts, Diagnostic> {
        let free = |_| std::net::TcpListener::bind("127.0.0.1:0");
        let listeners: Result<Vec<_>, _> = (0..n).map(free).collect();
        let addresses = listeners.and_then(|listeners| {
            let addresses = listeners.iter().map(|listener| listener.local_addr());
            addresses.collect::<Result<Vec<_>, _>>()
        });
        let addresses =
            addresses.map_err(|e| Diagnostic::new("--processes", format!("no free port: {e}")))?;
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|e| Diagnostic::new("--processes", format!("no random number: {e}")))?;
        Ok(Hosts {
            addresses: addresses.iter().map(ToString::to_string).collect(),
            secret: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// Returns the content of a hosts file.
    fn text(&self) -> String {
        format!("secret {}\n{}\n", self.secret, self.addresses.join("\n"))
    }
}

/// The child processes of this process. They end when this process ends for any reason, because each reads
/// from a pipe whose other end this process holds.
struct Children(Mutex<Vec<Started>>);

/// A child process.
struct Started {
    child: Child,
    /// The writing end of the child's standard input. The child ends when it is closed.
    _input: Option<ChildStdin>,
}

impl Children {
    /// Starts all processes of a run except the first, which is this process.
    fn start(run: &Hosts, threads: usize, memory_bytes: u64) -> Result<Children, Diagnostic> {
        let cannot = |e| Diagnostic::new("--processes", format!("no process can be started: {e}"));
        let program = std::env::current_exe().map_err(cannot)?;
        let children = Children(Mutex::default());
        for process in 1..run.addresses.len() {
            let mut child = Command::new(&program)
                .args(arguments(
                    std::env::args_os(),
                    process,
                    threads,
                    memory_bytes,
                ))
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(cannot)?;
            let mut input = child.stdin.take();
            if let Some(input) = &mut input {
                // If the child has already ended, this is reported later.
                let _ = input.write_all((run.text() + "\n").as_bytes());
            }
            let started = Started {
                child,
                _input: input,
            };
            children.all(|all| all.push(started));
        }
        Ok(children)
    }

    fn all<T>(&self, what: impl FnOnce(&mut Vec<Started>) -> T) -> T {
        let mut all = self.0.lock();
        match &mut all {
            Ok(all) => what(all),
            Err(poisoned) => what(poisoned.get_mut()),
        }
    }

    /// Returns an error with the child's message if a child has ended.
    fn ended(&self) -> Option<Diagnostic> {
        self.all(|all| {
            for (process, Started { child, .. }) in (1..).zip(all) {
                if let Ok(Some(code)) = child.try_wait() {
                    let mut said = String::new();
                    if let Some(stderr) = &mut child.stderr {
                        let _ = stderr.take(MAX_FILE_BYTES).read_to_string(&mut said);
                    }
                    let said = said.lines().next().unwrap_or_default();
                    let said = said.strip_prefix("error: ").unwrap_or(said);
                    let why = format!("process {process} has ended at once ({code}): {said}");
                    return Some(Diagnostic::new("--processes", why));
                }
            }
            None
        })
    }

    /// Waits until all children have ended.
    fn wait(self) {
        self.all(|all| {
            for Started { child, .. } in all {
                let _ = child.wait();
            }
        });
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.all(|all| {
            for Started { child, .. } in all {
                let _ = child.kill();
                let _ = child.wait();
            }
        });
    }
}

/// Returns the arguments of another process of this run: those of this process, with the number of the other
/// process.
fn arguments(
    own: impl Iterator<Item = OsString>,
    process: usize,
    threads: usize,
    memory_bytes: u64,
) -> Vec<OsString> {
    let replaced = ["--processes", "--threads", "--memory"];
    let mut arguments: Vec<OsString> = Vec::new();
    let mut placed = false;
    let mut own = own.skip(1);
    while let Some(argument) = own.next() {
        let text = argument.to_str().unwrap_or_default();
        if replaced.contains(&text) {
            own.next();
            continue;
        }
        if replaced.iter().any(|name| {
            let value = text.strip_prefix(name);
            value.is_some_and(|value| value.starts_with('='))
        }) {
            continue;
        }
        let command = !placed && argument == "explore";
        let value = arguments
            .last()
            .is_some_and(|last| last == OsStr::new("--rules"));
        arguments.push(argument);
        if command && !value {
            placed = true;
            let place = [
                "--hosts=-".to_string(),
                "--child".to_string(),
                format!("--process={process}"),
                format!("--threads={threads}"),
                format!("--memory={memory_bytes}"),
            ];
            arguments.extend(place.map(OsString::from));
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_has_its_own_place_and_share() {
        let own = [
            "fairyproof",
            "--rules",
            "explore",
            "explore",
            "fide",
            "--processes",
            "3",
            "--solve",
            "--memory=2G",
            "--threads",
            "4",
            "--state",
            "dir",
        ];
        let others = arguments(own.into_iter().map(OsString::from), 2, 1, 1000);
        let expected = [
            "--rules",
            "explore",
            "explore",
            "--hosts=-",
            "--child",
            "--process=2",
            "--threads=1",
            "--memory=1000",
            "fide",
            "--solve",
            "--state",
            "dir",
        ];
        assert_eq!(others, expected);
    }
}
