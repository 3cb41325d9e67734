//! One run of the program under watch: what it was asked, and whether it kept to what it promises.

use std::fmt;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What the program may end with.
const CODES: [i32; 5] = [0, 1, 2, 3, 130];
/// How late an answer may come: a second is promised, the rest is for a busy machine.
const LATE: Duration = Duration::from_secs(5);
/// When a run is interrupted that has no time of its own.
const PATIENCE: Duration = Duration::from_millis(1500);
/// What the program takes besides the memory that it was allowed: itself, and stacks.
const BESIDE_BYTES: u64 = 96 << 20;

/// A run to be made.
#[derive(Debug, Default)]
pub struct Attempt {
    /// Arguments. `@` in one of them stands for the folder of the run.
    pub arguments: Vec<String>,
    /// Standard input.
    pub input: Vec<u8>,
    /// Files in the folder of the run, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// Named pipes in the folder of the run that no process writes into.
    pub pipes: Vec<String>,
    /// Returns what is wrong with the run, in addition to what every run promises.
    pub judge: Option<fn(&Ran) -> Option<String>>,
    /// The time asked for.
    pub time: Option<Duration>,
    /// When it is interrupted, where not after the usual time.
    pub interrupted_after: Option<Duration>,
    /// The memory asked for.
    pub memory_bytes: Option<u64>,
    /// What the answer has to be, where that is known otherwise: nothing if it must be refused.
    pub expected: Option<Option<String>>,
    /// Runs in the same folder before it.
    pub before: Vec<Vec<String>>,
    /// What the naive rules say of turns in the answer.
    pub naive: Option<Naive>,
}

/// What the naive rules know of an answer that they cannot tell as a whole.
#[derive(Debug)]
pub enum Naive {
    /// Every line is one of these turns.
    Among(Vec<String>),
    /// A table's word on a position: it values exactly these turns, each told with how the game
    /// stands after it; the side to move is White or not.
    Valued(bool, Vec<(String, String)>),
}

impl Naive {
    /// Returns what of an answer is otherwise.
    fn fault(&self, out: &str) -> Option<String> {
        match self {
            Naive::Among(turns) => {
                let legal = |line: &&str| turns.iter().any(|turn| turn == line);
                let wrong = out.lines().find(|line| !legal(line))?;
                Some(format!("`{wrong}` is not a turn by the naive rules"))
            }
            Naive::Valued(white, turns) => {
                let mut reader = csv::Reader::from_reader(out.as_bytes());
                let mut rows: Vec<[String; 3]> = Vec::new();
                for row in reader.records() {
                    let row = row.ok()?;
                    if &row[1] != "-" {
                        rows.push([1, 2, 3].map(|at| row[at].to_string()));
                    }
                }
                rows.sort();
                let told: Vec<&String> = rows.iter().map(|row| &row[0]).collect();
                let known: Vec<&String> = turns.iter().map(|(turn, _)| turn).collect();
                if told != known {
                    return Some(format!("it values {told:?}, the naive turns are {known:?}"));
                }
                let (own, other) = match white {
                    true => ("white-wins ", "black-wins "),
                    false => ("black-wins ", "white-wins "),
                };
                for ([turn, value, plies], (_, outcome)) in rows.iter().zip(turns) {
                    let right = match outcome.as_str() {
                        "ongoing" => plies != "1",
                        o if o.starts_with(own) => (value.as_str(), plies.as_str()) == ("win", "1"),
                        o if o.starts_with(other) => {
                            (value.as_str(), plies.as_str()) == ("loss", "1")
                        }
                        o if o.starts_with("draw") => value == "draw",
                        _ => true,
                    };
                    if !right {
                        return Some(format!("{turn} is {value} {plies}, but naively {outcome}"));
                    }
                }
                None
            }
        }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// Everything as promised.
    Kept,
    /// What was not.
    Fault(String),
}

impl Attempt {
    /// Returns the program with these arguments.
    pub fn of<S: Into<String>>(arguments: impl IntoIterator<Item = S>) -> Attempt {
        Attempt {
            arguments: arguments.into_iter().map(Into::into).collect(),
            ..Attempt::default()
        }
    }

    /// Runs it and judges.
    pub fn run(&self) -> Told {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().to_str().expect("UTF-8");
        for (name, bytes) in &self.files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, bytes).expect("a file");
        }
        for name in &self.pipes {
            let path = std::ffi::CString::new(format!("{place}/{name}")).expect("no zero byte");
            // SAFETY: a plain system call with a text that ends in zero.
            assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        }
        let ready = |arguments: &[String]| {
            let mut command = program();
            command
                .args(arguments.iter().map(|a| a.replace('@', place)))
                .env("FAIRYPROOF_TABLES", folder.path().join("tables"))
                .current_dir(folder.path());
            command
        };
        for arguments in &self.before {
            let ran = run(&mut ready(arguments), b"", Some(PATIENCE));
            if ran.err.contains("panicked") {
                return Told::Fault(format!("{arguments:?} panicked:\n{}", ran.err));
            }
        }
        let ran = run(
            &mut ready(&self.arguments),
            &self.input,
            self.time
                .is_none()
                .then_some(self.interrupted_after.unwrap_or(PATIENCE)),
        );
        match self.fault(&ran) {
            Some(why) => Told::Fault(why),
            None => Told::Kept,
        }
    }

    fn fault(&self, ran: &Ran) -> Option<String> {
        let told = ran.err.trim_end();
        if told.contains("panicked") {
            return Some(format!("it panicked:\n{told}"));
        }
        let code = match ran.status.and_then(|status| status.code()) {
            Some(code) => code,
            None => return Some(format!("it ended by {:?}:\n{told}", ran.status)),
        };
        if !CODES.contains(&code) {
            return Some(format!("exit code {code}:\n{told}"));
        }
        // What `rules check` finds is its answer.
        if code == 2 && !told.contains("error: ") && !ran.out.contains(": error: ") {
            return Some(format!("exit code 2 without an error:\n{told}"));
        }
        if let Some(late) = ran.late {
            return Some(format!("it answered an interruption only after {late:.1?}"));
        }
        if let Some(time) = self.time
            && ran.took > time + LATE
        {
            return Some(format!("it took {:.1?} instead of {time:?}", ran.took));
        }
        if let Some(bytes) = self.memory_bytes
            && ran.memory_bytes > bytes + BESIDE_BYTES
        {
            let took = ran.memory_bytes >> 20;
            return Some(format!("it took {took}M, {}M were allowed", bytes >> 20));
        }
        if let Some(naive) = &self.naive
            && matches!(code, 0 | 3)
            && let Some(why) = naive.fault(&ran.out)
        {
            return Some(why);
        }
        if let Some(why) = self.judge.and_then(|judge| judge(ran)) {
            return Some(why);
        }
        match &self.expected {
            Some(None) if code != 2 => Some(format!(
                "it accepts what the naive rules refuse: code {code}"
            )),
            Some(Some(answer)) if code != 0 || ran.out != *answer => Some(format!(
                "it answers (code {code})\n{}{told}\nthe naive rules\n{answer}",
                ran.out
            )),
            _ => None,
        }
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, arguments) in self.before.iter().chain([&self.arguments]).enumerate() {
            f.write_str(if n == 0 { "fairyproof" } else { "\nfairyproof" })?;
            for argument in arguments {
                write!(f, " '{}'", argument.replace('\'', "'\\''"))?;
            }
        }
        let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
        if !self.input.is_empty() {
            write!(f, "\n< {}", shown(&self.input))?;
        }
        for (name, bytes) in &self.files {
            write!(f, "\nfile {name}: {}", shown(bytes))?;
        }
        Ok(())
    }
}

/// Returns the arguments of a command line. Single quotes enclose an argument with spaces.
pub fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.map(|(n, part)| match n % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect::<Vec<_>>().concat()
}

/// Returns the program under attack.
pub fn program() -> Command {
    let named = std::env::var_os("FAIRYPROOF_ATTACK_PROGRAM");
    Command::new(named.unwrap_or_else(|| env!("CARGO_BIN_EXE_fairyproof").into()))
}

/// What a run gave.
#[derive(Debug)]
pub struct Ran {
    /// How it ended; nothing if it had to be killed.
    pub status: Option<ExitStatus>,
    pub out: String,
    pub err: String,
    pub took: Duration,
    pub memory_bytes: u64,
    /// How long it took to answer an interruption, where that was too long.
    pub late: Option<Duration>,
}

/// Runs a command with this input; interrupts it after some time, if any is named.
pub fn run(command: &mut Command, input: &[u8], interrupted_after: Option<Duration>) -> Ran {
    use std::os::unix::process::CommandExt;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Sound: between fork and exec nothing is called but signal(2), which is safe there.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGHUP, libc::SIG_DFL);
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let begun = Instant::now();
    // It is waited for by hand below, which tells how much memory it took.
    #[expect(clippy::zombie_processes)]
    let mut child = command.spawn().expect("it starts");
    let id = child.id() as libc::pid_t;
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.to_vec();
    // Whoever ends early reads no more: not a fault.
    let writing = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let mut stdout = child.stdout.take().expect("its output");
    let mut stderr = child.stderr.take().expect("its messages");
    let reading = |stream: &mut dyn Read| {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let out = std::thread::spawn(move || reading(&mut stdout));
    let err = std::thread::spawn(move || reading(&mut stderr));
    let (mut asked, mut late, mut killed) = (None, None, false);
    let (status, memory_bytes) = loop {
        let (mut status, mut used) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
        // Sound: plain system calls with pointers to values of ours; the child is waited for here
        // alone.
        let ended = unsafe { libc::wait4(id, &mut status, libc::WNOHANG, &mut used) };
        if ended == id {
            // Linux tells kilobytes.
            break (ExitStatus::from_raw(status), used.ru_maxrss as u64 * 1024);
        }
        if let Some(after) = interrupted_after
            && asked.is_none()
            && begun.elapsed() >= after
        {
            unsafe { libc::kill(id, libc::SIGINT) };
            asked = Some(Instant::now());
        }
        let waited = asked.map_or(begun, |asked: Instant| asked).elapsed();
        if !killed && waited > 4 * LATE {
            unsafe { libc::kill(id, libc::SIGKILL) };
            killed = true;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    if let Some(asked) = asked
        && asked.elapsed() > LATE
    {
        late = Some(asked.elapsed());
    }
    writing.join().expect("its input is written");
    Ran {
        status: (!killed).then_some(status),
        out: out.join().expect("its output is read"),
        err: err.join().expect("its messages are read"),
        took: begun.elapsed(),
        memory_bytes,
        late,
    }
}
