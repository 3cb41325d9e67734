//! The handshake of the processes of a run, which refuses strangers and processes of other runs.
//!
//! Each process listens at its own address and connects to all before it in the list, twice: once
//! for messages, once for the [`Link`](super::failure_detection::Link). A connecting process sends a
//! greeting that names its run, and is admitted only if every word of it equals this process's.
//! Nothing is encrypted and there are no secrets: this prevents mistakes, not attacks.

use super::{Failed, Resources};
use diagnostics::InputError;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The first bytes of both sides.
const GREETING: &[u8] = b"fairyproof workers 1\n";
/// The most bytes of what follows.
const MAX_GREETING_BYTES: u32 = 1 << 20;
/// How long the other side may take to speak.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long one attempt to connect may take, and the pause before the next.
const ATTEMPT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(100);
/// The time after which the user is shown which processes are missing.
const TOLD: Duration = Duration::from_secs(2);

/// What connections are for, in the order in which they are made.
const PURPOSES: [&str; 2] = ["link", "messages"];

/// What all processes of a run must agree upon, by name.
pub(super) type Terms = [(&'static str, String)];

/// The connections of a process to each other one, by its number; none to itself.
#[derive(Debug, Default)]
pub(super) struct Connections {
    pub links: Vec<Option<TcpStream>>,
    pub messages: Vec<Option<TcpStream>>,
}

impl Connections {
    fn of(&mut self, purpose: usize) -> &mut Vec<Option<TcpStream>> {
        if purpose == 0 {
            &mut self.links
        } else {
            &mut self.messages
        }
    }
}

/// What a connection says of itself.
#[derive(Debug)]
struct Hello {
    from: usize,
    to: usize,
    purpose: usize,
    terms: Vec<(String, String)>,
}

enum Event {
    /// A connection, perhaps with a correct greeting.
    Came(TcpStream, SocketAddr, Result<Hello, String>),
    /// Another process has let this one in.
    Entered(usize, usize, TcpStream),
    /// It has not.
    Refused(InputError),
    /// It does not answer yet.
    Absent(usize),
}

fn push_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

/// Returns a greeting with texts.
fn frame(texts: &[&str]) -> Vec<u8> {
    let mut body = Vec::new();
    for text in texts {
        push_text(text, &mut body);
    }
    let mut bytes = GREETING.to_vec();
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Reads a greeting with texts; what is wrong with it, if it is none.
fn read_frame(stream: &mut TcpStream) -> Result<Vec<String>, String> {
    let foreign = || "it does not speak as fairyproof does".to_string();
    let unheard = |e: io::Error| match e.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "it says nothing".to_string(),
        _ => foreign(),
    };
    let until = Instant::now() + PATIENCE;
    let mut read = |n: usize| -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut block = [0; 1 << 12];
        while bytes.len() < n {
            let left = until.saturating_duration_since(Instant::now());
            let left = left.max(Duration::from_millis(1));
            stream.set_read_timeout(Some(left)).map_err(unheard)?;
            let room = block.len().min(n - bytes.len());
            match stream.read(&mut block[..room]).map_err(unheard)? {
                0 => return Err(foreign()),
                read => bytes.extend(&block[..read]),
            }
            // Do not wait for the rest of what is not a greeting.
            let known = bytes.len().min(GREETING.len());
            if n == GREETING.len() && bytes[..known] != GREETING[..known] {
                return Err(foreign());
            }
        }
        Ok(bytes)
    };
    read(GREETING.len())?;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |n, &b| n << 8 | u32::from(b));
    let length = number(&read(4)?);
    if length > MAX_GREETING_BYTES {
        return Err(foreign());
    }
    let body = read(length as usize)?;
    let mut texts = Vec::new();
    let mut rest = &body[..];
    while !rest.is_empty() {
        let (length, behind) = rest.split_at_checked(4).ok_or_else(foreign)?;
        let length = number(length) as usize;
        let (text, behind) = behind.split_at_checked(length).ok_or_else(foreign)?;
        texts.push(String::from_utf8(text.to_vec()).map_err(|_| foreign())?);
        rest = behind;
    }
    stream.set_read_timeout(None).map_err(unheard)?;
    Ok(texts)
}

fn read_hello(stream: &mut TcpStream) -> Result<Hello, String> {
    let texts = read_frame(stream)?;
    let foreign = || "it does not speak as fairyproof does".to_string();
    let [from, to, purpose, terms @ ..] = &texts[..] else {
        return Err(foreign());
    };
    let purpose = PURPOSES.iter().position(|name| name == purpose);
    Ok(Hello {
        from: from.parse().map_err(|_| foreign())?,
        to: to.parse().map_err(|_| foreign())?,
        purpose: purpose.ok_or_else(foreign)?,
        terms: terms
            .chunks_exact(2)
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect(),
    })
}

/// Why a process with a correct greeting is not admitted.
fn refusal(hello: &Hello, me: usize, processes: usize, terms: &Terms) -> Option<String> {
    for (i, (name, here)) in terms.iter().enumerate() {
        match hello.terms.get(i) {
            Some((named, there)) if named == name && there == here => {}
            Some((named, there)) if named == name => {
                let from = hello.from;
                return Some(format!(
                    "the {name} differs: `{there}` in process {from}, `{here}` in process {me}"
                ));
            }
            _ => return Some("the builds differ".to_string()),
        }
    }
    if hello.to != me {
        return Some(format!("this is process {me}, not {}", hello.to));
    }
    if hello.from <= me || hello.from >= processes {
        return Some(format!(
            "process {} does not connect to process {me}",
            hello.from
        ));
    }
    None
}

/// Returns whether the other end has closed a connection.
fn gone(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let peeked = stream.peek(&mut [0]);
    let _ = stream.set_nonblocking(false);
    match peeked {
        Ok(bytes) => bytes == 0,
        Err(e) => e.kind() != io::ErrorKind::WouldBlock,
    }
}

/// One attempt to be let in.
enum Attempt {
    In(TcpStream),
    Absent,
    Out(String),
}

fn attempt(address: &str, hello: &[u8]) -> Attempt {
    let Ok(addresses) = address.to_socket_addrs() else {
        return Attempt::Absent;
    };
    for address in addresses {
        let Ok(mut stream) = TcpStream::connect_timeout(&address, ATTEMPT) else {
            continue;
        };
        let _ = stream.set_nodelay(true);
        if stream.write_all(hello).is_err() {
            return Attempt::Absent;
        }
        return match read_frame(&mut stream) {
            Ok(texts) => match texts.first().map(String::as_str) {
                Some("welcome") => Attempt::In(stream),
                _ => Attempt::Out(texts.get(1).cloned().unwrap_or_default()),
            },
            Err(why) => Attempt::Out(format!(
                "what listens there is no process of this run: {why}"
            )),
        };
    }
    Attempt::Absent
}

/// Connects to the processes before this one, one after the other.
fn enter(
    hosts: &[String],
    me: usize,
    terms: &[(&'static str, String)],
    events: &Sender<Event>,
    over: &AtomicBool,
) {
    for (to, address) in hosts.iter().enumerate().take(me) {
        for (purpose, name) in PURPOSES.iter().enumerate() {
            let (from, target) = (me.to_string(), to.to_string());
            let mut texts = vec![&*from, &*target, name];
            for (name, value) in terms {
                texts.extend([name, &**value]);
            }
            let hello = frame(&texts);
            let since = Instant::now();
            let mut told = false;
            loop {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let event = match attempt(address, &hello) {
                    Attempt::In(stream) => Event::Entered(to, purpose, stream),
                    Attempt::Out(why) => Event::Refused(InputError::new(
                        format!("process {to} at {address}"),
                        format!("it does not let this one in: {why}"),
                    )),
                    Attempt::Absent => {
                        if !told && since.elapsed() >= TOLD {
                            told = true;
                            let _ = events.send(Event::Absent(to));
                        }
                        thread::sleep(PAUSE);
                        continue;
                    }
                };
                let refused = matches!(event, Event::Refused(_));
                let _ = events.send(event);
                if refused {
                    return;
                }
                break;
            }
        }
    }
}

/// Connects all processes with each other; returns when all are there.
///
/// # Errors
/// If the own address cannot be listened at, if another process does not let this one in, or if it
/// is stopped by the caller.
pub(super) fn connect(
    hosts: &[String],
    me: usize,
    terms: &Terms,
    means: &Resources<'_>,
) -> Result<Connections, Failed> {
    let processes = hosts.len();
    let (events, heard) = channel();
    let over = Arc::new(AtomicBool::new(false));
    let unusable = |why: io::Error| {
        Failed::Input(InputError::new(
            "--hosts",
            format!("process {me} cannot listen at {}: {why}", hosts[me]),
        ))
    };
    let listener = match me + 1 < processes {
        true => Some(TcpListener::bind(&*hosts[me]).map_err(unusable)?),
        false => None,
    };
    if let Some(listener) = &listener {
        listener.set_nonblocking(true).map_err(unusable)?;
    }
    let (all, own_terms, own_events, own_over) = (
        hosts.to_vec(),
        terms.to_vec(),
        events.clone(),
        Arc::clone(&over),
    );
    let entering = thread::Builder::new()
        .spawn(move || enter(&all, me, &own_terms, &own_events, &own_over))
        .map_err(unusable)?;
    let found = meet(hosts, me, terms, means, listener.as_ref(), &events, &heard);
    over.store(true, Ordering::Relaxed);
    drop(listener);
    if found.is_ok() {
        let _ = entering.join();
    }
    found
}

#[allow(clippy::too_many_arguments)]
fn meet(
    hosts: &[String],
    me: usize,
    terms: &Terms,
    means: &Resources<'_>,
    listener: Option<&TcpListener>,
    events: &Sender<Event>,
    heard: &Receiver<Event>,
) -> Result<Connections, Failed> {
    let processes = hosts.len();
    let none = || (0..processes).map(|_| None).collect::<Vec<_>>();
    let mut found = Connections {
        links: none(),
        messages: none(),
    };
    let whole = |all: &[Option<TcpStream>]| all.iter().flatten().count() + 1 == processes;
    let since = Instant::now();
    let mut told = false;
    while !whole(&found.links) || !whole(&found.messages) {
        if means.control.is_interrupted() {
            return Err(Failed::Interrupted);
        }
        if let Some(why) = (means.lost_process)() {
            return Err(Failed::Input(why));
        }
        if let Some(listener) = listener {
            while let Ok((mut stream, address)) = listener.accept() {
                let events = events.clone();
                let hearing = thread::Builder::new().spawn(move || {
                    let _ = stream.set_nonblocking(false);
                    let _ = stream.set_nodelay(true);
                    let hello = read_hello(&mut stream);
                    let _ = events.send(Event::Came(stream, address, hello));
                });
                if hearing.is_err() {
                    means
                        .control
                        .note("a connection was dropped: no thread for it");
                }
            }
        }
        if !told && since.elapsed() >= TOLD && listener.is_some() {
            told = true;
            for process in (me + 1..processes).filter(|&p| found.messages[p].is_none()) {
                means.control.note(&format!(
                    "waiting for process {process} ({})",
                    hosts[process]
                ));
            }
        }
        match heard.recv_timeout(Duration::from_millis(20)) {
            Ok(Event::Entered(process, purpose, stream)) => {
                found.of(purpose)[process] = Some(stream);
            }
            Ok(Event::Refused(why)) => return Err(Failed::Input(why)),
            Ok(Event::Absent(process)) => {
                means.control.note(&format!(
                    "waiting for process {process} ({})",
                    hosts[process]
                ));
            }
            Ok(Event::Came(mut stream, address, hello)) => {
                let let_in = hello.and_then(|hello| {
                    if let Some(why) = refusal(&hello, me, processes, terms) {
                        return Err(why);
                    }
                    let place = &mut found.of(hello.purpose)[hello.from];
                    match place {
                        Some(earlier) if !gone(earlier) => {
                            Err(format!("process {} is here already", hello.from))
                        }
                        _ => Ok(place),
                    }
                });
                match let_in {
                    Ok(place) => {
                        if stream.write_all(&frame(&["welcome"])).is_ok() {
                            *place = Some(stream);
                        }
                    }
                    Err(why) => {
                        let _ = stream.write_all(&frame(&["refused", &why]));
                        means
                            .control
                            .note(&format!("a connection from {address} was refused: {why}"));
                    }
                }
            }
            Err(_) => {}
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::{Control, Observer};
    use std::sync::Mutex;

    #[derive(Default)]
    struct Ears(Mutex<Vec<String>>);

    impl Observer for Ears {
        fn note(&self, message: &str) {
            self.0.lock().expect("ears").push(message.to_string());
        }
    }

    fn resources(control: Control<'_>) -> Resources<'_> {
        Resources {
            control,
            state: None,
            lost_process: &|| None,
        }
    }

    #[test]
    fn another_build_is_refused_and_the_right_one_let_in() {
        let free = || TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr());
        let hosts = [free(), free()].map(|address| address.expect("a port").to_string());
        let ears = Ears::default();
        let means = resources(Control::new().with_observer(&ears));
        let meet = |me, build: &str| {
            let terms = [
                ("build", build.to_string()),
                ("variant", "fide".to_string()),
            ];
            connect(&hosts, me, &terms, &means)
        };
        thread::scope(|scope| {
            let first = scope.spawn(|| meet(0, "1"));
            match meet(1, "2") {
                Err(Failed::Input(error)) => {
                    let why = "the build differs: `2` in process 1, `1` in process 0";
                    assert!(error.to_string().contains(why), "{error}");
                }
                other => panic!("{other:?}"),
            }
            assert!(meet(1, "1").is_ok());
            let found = first.join().expect("no panic").expect("the other");
            assert!(found.links[1].is_some() && found.messages[1].is_some());
        });
        let told = ears.0.lock().expect("ears");
        assert!(
            told.iter().any(|line| line.contains("the build differs")),
            "{told:?}"
        );
    }

    #[test]
    fn who_is_awaited_in_vain_can_be_given_up() {
        let address = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr());
        let hosts = [
            address.expect("a port").to_string(),
            "127.0.0.1:1".to_string(),
        ];
        let stop = AtomicBool::new(true);
        let found = connect(&hosts, 0, &[], &resources(Control::new().with_stop(&stop)));
        assert!(matches!(found, Err(Failed::Interrupted)), "{found:?}");
    }
}
