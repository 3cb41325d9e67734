//! Connects the processes of a run. Strangers and processes of other runs are refused.
//!
//! Each process listens at its own address and connects to all processes before it in the list. On each
//! connection, both sides send a greeting with a random number, and then a proof for each term of the run: a
//! digest of the run's secret, the random numbers, and the term. So both see which term differs, and neither
//! the secret nor a term is sent. Nothing is encrypted: what the processes send afterwards can be read on the
//! network between them.

use super::{Failed, Membership, Resources};
use diagnostics::Diagnostic;
use sha2::{Digest, Sha256};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The first bytes of a greeting, and its length: these, a process, and a random number.
const GREETING: &[u8] = b"fairyproof workers 5\n";
const GREETING_BYTES: usize = GREETING.len() + 4 + 16;
/// Time within which a connection must be made, and within which the other side must send what is expected.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The pause between two attempts to connect.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);
/// The time after which missing processes are reported to the user.
const REPORT_MISSING_AFTER: Duration = Duration::from_secs(2);
/// The reason for refusing a process that does not prove that it knows the secret of the run.
const STRANGER: &str = "it does not know the secret of the run";

/// The terms of a run, by name, which must be equal in all processes.
pub(super) type Terms = [(&'static str, String)];

/// One side of a connection.
struct Side<'s> {
    me: usize,
    secret: &'s str,
    terms: &'s Terms,
}

/// Why a connection is not made.
enum Refusal {
    /// No process listens there yet.
    Absent,
    /// The other side does not belong to this run.
    Stranger(String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Stranger(match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("no greeting within {} seconds", TIMEOUT.as_secs())
            }
            _ => "the peer is not a fairyproof process".to_string(),
        })
    }
}

impl Side<'_> {
    /// Greets the other side. Returns the number of its process if it belongs to this run.
    fn greet(&self, stream: &mut TcpStream) -> Result<usize, Refusal> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let mut own = [GREETING, &(self.me as u32).to_le_bytes(), &[0; 16]].concat();
        getrandom::fill(&mut own[GREETING_BYTES - 16..]).map_err(io::Error::other)?;
        stream.write_all(&own)?;
        let mut other = [0; GREETING_BYTES];
        // Do not wait for the rest of something that is not a greeting.
        for (at, byte) in GREETING.iter().enumerate() {
            stream.read_exact(&mut other[at..=at])?;
            if other[at] != *byte {
                return Err(io::Error::from(ErrorKind::InvalidData).into());
            }
        }
        stream.read_exact(&mut other[GREETING.len()..])?;
        stream.write_all(&self.proofs(&own, &other))?;
        let expected = self.proofs(&other, &own);
        let mut proofs = vec![0; expected.len()];
        stream.read_exact(&mut proofs)?;
        let mut pairs = expected.chunks(32).zip(proofs.chunks(32));
        // A run does not show to strangers what differs.
        if pairs.next().is_none_or(|(right, sent)| right != sent) {
            return Err(Refusal::Stranger(STRANGER.to_string()));
        }
        for ((name, _), (right, sent)) in self.terms.iter().zip(pairs) {
            if right != sent {
                return Err(Refusal::Stranger(format!("the {name} differs")));
            }
        }
        let from = &other[GREETING.len()..GREETING.len() + 4];
        Ok(from
            .iter()
            .rev()
            .fold(0, |n, &byte| n << 8 | usize::from(byte)))
    }

    /// Returns the proofs of the secret and of each term that the side with greeting `by` sends to the side
    /// with greeting `to`. A nested digest, so that nothing can be appended to a term.
    fn proofs(&self, by: &[u8], to: &[u8]) -> Vec<u8> {
        let proof = |name: &str, value: &str| {
            let keyed = || Sha256::new().chain_update(self.secret);
            let inner = keyed().chain_update(by).chain_update(to).chain_update(name);
            let inner = inner.chain_update([0]).chain_update(value).finalize();
            keyed().chain_update(inner).finalize()
        };
        let terms = self.terms.iter().map(|(name, value)| proof(name, value));
        std::iter::once(proof("secret", ""))
            .chain(terms)
            .flatten()
            .collect()
    }

    /// Connects to a process before this one.
    fn enter(&self, to: usize, address: &str) -> Result<TcpStream, Refusal> {
        let addresses = address.to_socket_addrs().map_err(|_| Refusal::Absent)?;
        let connected = |address| TcpStream::connect_timeout(&address, TIMEOUT).ok();
        let stream = addresses.into_iter().find_map(connected);
        let mut stream = stream.ok_or(Refusal::Absent)?;
        let greeted = self.greet(&mut stream)?;
        let mut admitted = [0];
        stream.read_exact(&mut admitted)?;
        match (greeted == to, admitted) {
            (true, [1]) => Ok(stream),
            (true, _) => Err(Refusal::Stranger(
                "it has another connection in this place".into(),
            )),
            (false, _) => Err(Refusal::Stranger(format!(
                "this is process {greeted}, not {to}"
            ))),
        }
    }
}

enum Event {
    /// A program has connected; it is this process of the run if the greeting was right.
    Greeted(TcpStream, String, Result<usize, Refusal>),
    /// A process before this one has admitted it, or it has not.
    Entered(usize, Result<TcpStream, Refusal>),
}

/// Connects this process with all others. Returns the connections by process when all are connected.
///
/// # Errors
/// If this process cannot listen at its own address, if another process refuses this one, or if a stop was
/// requested.
pub(super) fn connect(
    place: Membership<'_>,
    terms: &Terms,
    means: &Resources<'_>,
) -> Result<Vec<Option<TcpStream>>, Failed> {
    let (hosts, me) = (place.hosts, place.process);
    let unusable = |why: io::Error| {
        let why = format!("process {me} cannot listen at {}: {why}", hosts[me]);
        Failed::Input(Diagnostic::new("--hosts", why))
    };
    let listener = match me + 1 < hosts.len() {
        true => Some(TcpListener::bind(&*hosts[me]).map_err(unusable)?),
        false => None,
    };
    if let Some(listener) = &listener {
        listener.set_nonblocking(true).map_err(unusable)?;
    }
    let side = Side {
        me,
        secret: place.secret,
        terms,
    };
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (events, received) = channel();
        let (entering, side, over) = (events.clone(), &side, &over);
        let enter = move || enter_all(side, &hosts[..me], &entering, over);
        let entry = thread::Builder::new().spawn_scoped(scope, enter);
        entry.map_err(|_| Failed::NoThread)?;
        let mut meeting = Meeting {
            place,
            means,
            streams: hosts.iter().map(|_| None).collect(),
        };
        let begun = Instant::now();
        let mut reported = false;
        let mut next = || {
            means.control.check().map_err(Failed::Stopped)?;
            if let Some(why) = (means.lost_process)() {
                return Err(Failed::Input(why));
            }
            while let Some(Ok((mut stream, address))) = listener.as_ref().map(TcpListener::accept) {
                let (events, address) = (events.clone(), address.to_string());
                let greet = move || {
                    let greeted = side.greet(&mut stream);
                    let _ = events.send(Event::Greeted(stream, address, greeted));
                };
                let reading = thread::Builder::new().spawn_scoped(scope, greet);
                reading.map_err(|_| Failed::NoThread)?;
            }
            if !reported && begun.elapsed() >= REPORT_MISSING_AFTER {
                reported = true;
                meeting.report_missing();
            }
            if let Ok(event) = received.recv_timeout(Duration::from_millis(20)) {
                meeting.handle(event)?;
            }
            Ok(meeting.is_complete())
        };
        let met = loop {
            match next() {
                Ok(false) => {}
                Ok(true) => break Ok(()),
                Err(failed) => break Err(failed),
            }
        };
        over.store(true, Ordering::Relaxed);
        met.map(|()| meeting.streams)
    })
}

/// Connects to processes, one after the other, until one refuses.
fn enter_all(side: &Side<'_>, hosts: &[String], events: &Sender<Event>, over: &AtomicBool) {
    for (to, address) in hosts.iter().enumerate() {
        let entered = loop {
            match side.enter(to, address) {
                Err(Refusal::Absent) if !over.load(Ordering::Relaxed) => {
                    thread::sleep(RETRY_INTERVAL);
                }
                entered => break entered,
            }
        };
        let refused = entered.is_err();
        let _ = events.send(Event::Entered(to, entered));
        if refused {
            return;
        }
    }
}

/// The processes that are connected, from the point of view of one of them.
struct Meeting<'m> {
    place: Membership<'m>,
    means: &'m Resources<'m>,
    streams: Vec<Option<TcpStream>>,
}

impl Meeting<'_> {
    /// Returns whether all processes are connected. A process that has ended meanwhile loses its place.
    fn is_complete(&mut self) -> bool {
        let me = self.place.process;
        for stream in &mut self.streams[me + 1..] {
            if stream.as_ref().is_some_and(has_closed) {
                *stream = None;
            }
        }
        self.streams.iter().flatten().count() + 1 == self.streams.len()
    }

    fn report_missing(&self) {
        for (process, host) in self.place.hosts.iter().enumerate() {
            if process != self.place.process && self.streams[process].is_none() {
                let message = format!("waiting for process {process} ({host})");
                self.means.control.note(&message);
            }
        }
    }

    fn handle(&mut self, event: Event) -> Result<(), Failed> {
        let (me, processes) = (self.place.process, self.streams.len());
        let why = match event {
            Event::Entered(process, Ok(stream)) => {
                self.streams[process] = Some(stream);
                return Ok(());
            }
            Event::Entered(process, Err(Refusal::Stranger(why))) => {
                let host = &self.place.hosts[process];
                let why = format!("it is not a process of this run: {why}");
                let error = Diagnostic::new(format!("process {process} at {host}"), why);
                return Err(Failed::Input(error));
            }
            Event::Entered(_, Err(Refusal::Absent))
            | Event::Greeted(_, _, Err(Refusal::Absent)) => {
                return Ok(());
            }
            Event::Greeted(mut stream, address, Ok(process)) => {
                let is_later = process > me && process < processes;
                let free = is_later && self.streams[process].as_ref().is_none_or(has_closed);
                if stream.write_all(&[u8::from(free)]).is_err() {
                    return Ok(());
                }
                if free {
                    self.streams[process] = Some(stream);
                    return Ok(());
                }
                format!("{address}: process {process} is connected already")
            }
            Event::Greeted(_, address, Err(Refusal::Stranger(why))) => format!("{address}: {why}"),
        };
        let message = format!("a connection was refused: {why}");
        self.means.control.note(&message);
        Ok(())
    }
}

/// Returns whether the other end has closed a connection.
fn has_closed(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let peeked = stream.peek(&mut [0]);
    let _ = stream.set_nonblocking(false);
    match peeked {
        Ok(bytes) => bytes == 0,
        Err(e) => e.kind() != ErrorKind::WouldBlock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use control::{Control, Observer, Stopped};
    use std::sync::Mutex;

    #[derive(Default)]
    struct Notes(Mutex<Vec<String>>);

    impl Observer for Notes {
        fn note(&self, message: &str) {
            self.0.lock().expect("notes").push(message.to_string());
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
    fn another_build_or_secret_is_refused_and_the_right_one_admitted() {
        let free = || TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr());
        let hosts = [free(), free()].map(|address| address.expect("a port").to_string());
        let notes = Notes::default();
        let means = resources(Control::new().with_observer(&notes));
        let meet = |process, build: &str, secret| {
            let terms = [
                ("build", build.to_string()),
                ("variant", "fide".to_string()),
            ];
            let place = Membership {
                hosts: &hosts,
                process,
                secret,
            };
            connect(place, &terms, &means)
        };
        thread::scope(|scope| {
            let first = scope.spawn(|| meet(0, "1", "of the run"));
            let differing = "the build differs";
            for (build, secret, why) in [
                ("2", "of the run", differing),
                ("1", "guessed", STRANGER),
                ("2", "guessed", STRANGER),
                ("1", "", STRANGER),
            ] {
                match meet(1, build, secret) {
                    Err(Failed::Input(error)) => {
                        assert!(error.to_string().contains(why), "{error}")
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert!(meet(1, "1", "of the run").is_ok());
            let found = first.join().expect("no panic").expect("the other");
            assert!(found[0].is_none() && found[1].is_some());
        });
        let told = notes.0.lock().expect("notes");
        let told: Vec<bool> = told
            .iter()
            .map(|line| line.contains("build differs"))
            .collect();
        assert_eq!(told, [true, false, false, false]);
    }

    #[test]
    fn waiting_for_a_process_can_be_stopped() {
        let address = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr());
        let hosts = [
            address.expect("a port").to_string(),
            "127.0.0.1:1".to_string(),
        ];
        let stop = AtomicBool::new(true);
        let place = Membership {
            hosts: &hosts,
            process: 0,
            secret: "",
        };
        let found = connect(place, &[], &resources(Control::new().with_stop(&stop)));
        let stopped = matches!(found, Err(Failed::Stopped(Stopped::Interrupted)));
        assert!(stopped, "{found:?}");
    }
}
