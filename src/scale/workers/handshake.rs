//! The handshake of the processes of a run, which refuses strangers and processes of other runs.
//!
//! Each process listens at its own address and connects to all processes before it in the list, twice: first
//! for the [`Link`](super::failure_detection::Link), then for messages. Links carry heartbeats from the
//! start. A program that does not know the secret of the run is refused. A process loses its place if it is
//! silent for [`SILENCE`], or does not connect for messages in that time. So a program that only sends a
//! greeting cannot block the place for longer.

use super::failure_detection::{HEARTBEAT, HEARTBEAT_INTERVAL, SILENCE};
use super::greeting::{GreetingError, Hello, Purpose, Reply, Terms, greet};
use super::{Failed, Membership, Resources};
use diagnostics::Diagnostic;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The pause between two attempts to connect.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);
/// The time after which missing processes are reported to the user.
const REPORT_MISSING_AFTER: Duration = Duration::from_secs(2);
/// The time after which a process gives up a place that another one has. Longer than a silent process keeps
/// its place.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// The connections of a process to each other process, by number; `None` for itself.
#[derive(Debug, Default)]
pub(super) struct Connections {
    pub links: Vec<Option<TcpStream>>,
    pub messages: Vec<Option<TcpStream>>,
}

enum Event {
    /// A program has connected, and perhaps sent a greeting.
    Connected(TcpStream, SocketAddr, Result<Hello, GreetingError>),
    /// Another process has admitted this one.
    Admitted(usize, Purpose, TcpStream),
    /// Another process has refused this one.
    Refused(Diagnostic),
    /// Another process does not answer yet, or its place for this one is not free yet.
    Waiting(usize, &'static str),
}

/// Connects this process with all others. Returns when all are connected.
///
/// # Errors
/// If this process cannot listen at its own address, if another process refuses this one or is lost, or if a
/// stop was requested.
pub(super) fn connect(
    place: Membership<'_>,
    terms: &Terms,
    means: &Resources<'_>,
) -> Result<Connections, Failed> {
    let (hosts, me) = (place.hosts, place.process);
    let processes = hosts.len();
    let (events, received) = channel();
    let over = Arc::new(AtomicBool::new(false));
    let unusable = |why: io::Error| {
        Failed::Input(Diagnostic::new(
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
    let entry = Entry {
        hosts: hosts.to_vec(),
        me,
        token: format!("{:016x}", RandomState::new().build_hasher().finish()),
        secret: place.secret.to_owned(),
        terms: terms.to_vec(),
        events: events.clone(),
        over: Arc::clone(&over),
    };
    let entering = thread::Builder::new()
        .spawn(move || entry.run())
        .map_err(|_| Failed::NoThread)?;
    let meeting = Meeting {
        place,
        terms,
        means,
        events,
        peers: (0..processes).map(|_| Peer::default()).collect(),
        last_sent: Instant::now(),
    };
    let found = meeting.run(listener.as_ref(), &received);
    over.store(true, Ordering::Relaxed);
    drop(listener);
    if found.is_ok() {
        let _ = entering.join();
    }
    found
}

/// The data that a process needs to connect to the processes before it.
struct Entry {
    hosts: Vec<String>,
    me: usize,
    token: String,
    secret: String,
    terms: Vec<(&'static str, String)>,
    events: Sender<Event>,
    over: Arc<AtomicBool>,
}

impl Entry {
    /// Connects to the processes before this one, one after the other, until one refuses.
    fn run(&self) {
        let targets = self.hosts.iter().enumerate().take(self.me);
        for (to, address) in targets {
            for purpose in Purpose::ALL {
                let Some(event) = self.enter(to, address, purpose) else {
                    return;
                };
                let refused = matches!(event, Event::Refused(_));
                let _ = self.events.send(event);
                if refused {
                    return;
                }
            }
        }
    }

    /// Connects to a process for one purpose. Returns `None` if the handshake is over.
    fn enter(&self, to: usize, address: &str, purpose: Purpose) -> Option<Event> {
        let terms = self.terms.iter();
        let hello = Hello {
            from: self.me,
            to,
            purpose,
            token: self.token.clone(),
            terms: terms
                .map(|(name, value)| (name.to_string(), value.clone()))
                .collect(),
            proof: String::new(),
        };
        let hello = hello.proven(&self.secret);
        let begun = Instant::now();
        let (mut reported, mut busy_since) = (false, None);
        while !self.over.load(Ordering::Relaxed) {
            let waits_for = match greet(address, &hello, &self.secret) {
                Some((stream, Reply::Welcome)) => {
                    return Some(Event::Admitted(to, purpose, stream));
                }
                Some((_, Reply::Refused(why))) => return Some(refused_by(to, address, &why)),
                Some((_, Reply::Busy(why))) => {
                    if busy_since.get_or_insert_with(Instant::now).elapsed() > BUSY_TIMEOUT {
                        return Some(refused_by(to, address, &why));
                    }
                    "it has another connection in this place"
                }
                None => "it does not answer",
            };
            if !reported && begun.elapsed() >= REPORT_MISSING_AFTER {
                reported = true;
                let _ = self.events.send(Event::Waiting(to, waits_for));
            }
            thread::sleep(RETRY_INTERVAL);
        }
        None
    }
}

fn refused_by(process: usize, address: &str, why: &str) -> Event {
    Event::Refused(Diagnostic::new(
        format!("process {process} at {address}"),
        format!("it does not admit this one: {why}"),
    ))
}

/// Another process, with its connections.
#[derive(Debug, Default)]
struct Peer {
    link: Option<Link>,
    messages: Option<TcpStream>,
}

/// The link of another process during the handshake.
#[derive(Debug)]
struct Link {
    stream: TcpStream,
    /// The token of the process's greeting. Empty if this process has sent the greeting.
    token: String,
    since: Instant,
    last_heartbeat: Instant,
}

impl Link {
    /// Returns a link whose reads do not wait.
    fn new(stream: TcpStream, token: String) -> io::Result<Link> {
        stream.set_nonblocking(true)?;
        let since = Instant::now();
        Ok(Link {
            stream,
            token,
            since,
            last_heartbeat: since,
        })
    }

    /// Reads the heartbeats that have arrived. Returns the reason why the process is lost, or `None` if it is
    /// not.
    fn lost(&mut self) -> Option<String> {
        let mut bytes = [0; 64];
        match self.stream.read(&mut bytes) {
            Ok(0) => return Some("it has closed its connection".to_string()),
            Ok(read) if bytes[..read].iter().all(|byte| *byte == HEARTBEAT) => {
                self.last_heartbeat = Instant::now();
            }
            Ok(_) => return Some("it has ended".to_string()),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
            Err(e) => return Some(e.to_string()),
        }
        let silent = self.last_heartbeat.elapsed() > SILENCE;
        silent.then(|| format!("no heartbeat for {} seconds", SILENCE.as_secs()))
    }
}

/// The handshake from the point of view of one process.
struct Meeting<'m> {
    place: Membership<'m>,
    terms: &'m Terms,
    means: &'m Resources<'m>,
    events: Sender<Event>,
    peers: Vec<Peer>,
    last_sent: Instant,
}

impl Meeting<'_> {
    /// Waits until every other process is connected.
    fn run(
        mut self,
        listener: Option<&TcpListener>,
        received: &Receiver<Event>,
    ) -> Result<Connections, Failed> {
        let begun = Instant::now();
        let mut reported = false;
        while !self.is_complete() {
            self.means.control.check().map_err(Failed::Stopped)?;
            if let Some(why) = (self.means.lost_process)() {
                return Err(Failed::Input(why));
            }
            if let Some(listener) = listener {
                self.accept(listener);
                if !reported && begun.elapsed() >= REPORT_MISSING_AFTER {
                    reported = true;
                    self.report_missing();
                }
            }
            self.keep_alive()?;
            match received.recv_timeout(Duration::from_millis(20)) {
                Ok(Event::Admitted(process, purpose, stream)) => {
                    self.place(process, purpose, String::new(), stream);
                }
                Ok(Event::Refused(why)) => return Err(Failed::Input(why)),
                Ok(Event::Waiting(process, why)) => {
                    let host = &self.place.hosts[process];
                    let message = format!("waiting for process {process} ({host}): {why}");
                    self.means.control.note(&message);
                }
                Ok(Event::Connected(stream, address, hello)) => {
                    self.reply(stream, address, hello);
                }
                Err(_) => {}
            }
        }
        self.finish()
    }

    fn is_complete(&self) -> bool {
        let others = self
            .peers
            .iter()
            .enumerate()
            .filter(|(process, _)| *process != self.place.process);
        others
            .into_iter()
            .all(|(_, peer)| peer.link.is_some() && peer.messages.is_some())
    }

    /// Accepts connections. For each one, a thread reads the greeting.
    fn accept(&self, listener: &TcpListener) {
        while let Ok((mut stream, address)) = listener.accept() {
            let events = self.events.clone();
            let reading = thread::Builder::new().spawn(move || {
                let _ = stream.set_nonblocking(false);
                let _ = stream.set_nodelay(true);
                let hello = Hello::read(&mut stream);
                let _ = events.send(Event::Connected(stream, address, hello));
            });
            if reading.is_err() {
                self.means
                    .control
                    .note("a connection was dropped: no thread can be started for it");
            }
        }
    }

    fn report_missing(&self) {
        for process in self.place.process + 1..self.peers.len() {
            if self.peers[process].messages.is_none() {
                let host = &self.place.hosts[process];
                self.means
                    .control
                    .note(&format!("waiting for process {process} ({host})"));
            }
        }
    }

    /// Sends and reads heartbeats. A lost process that has connected to this one loses its place.
    ///
    /// # Errors
    /// If a process to which this one has connected is lost.
    fn keep_alive(&mut self) -> Result<(), Failed> {
        let send = self.last_sent.elapsed() >= HEARTBEAT_INTERVAL;
        if send {
            self.last_sent = Instant::now();
        }
        for process in 0..self.peers.len() {
            let peer = &mut self.peers[process];
            let Some(link) = &mut peer.link else {
                continue;
            };
            if send {
                // A lost process is detected by its missing heartbeat.
                let _ = link.stream.write(&[HEARTBEAT]);
            }
            let is_late = process > self.place.process
                && peer.messages.is_none()
                && link.since.elapsed() > SILENCE;
            let late = is_late.then(|| {
                let seconds = SILENCE.as_secs();
                format!("no connection for messages within {seconds} seconds")
            });
            let Some(why) = link.lost().or(late) else {
                continue;
            };
            if process < self.place.process {
                return Err(Failed::Lost { process, why });
            }
            self.peers[process] = Peer::default();
            self.means
                .control
                .note(&format!("process {process} has lost its place: {why}"));
        }
        Ok(())
    }

    /// Admits or refuses a program that has connected.
    fn reply(
        &mut self,
        mut stream: TcpStream,
        address: SocketAddr,
        hello: Result<Hello, GreetingError>,
    ) {
        let reply = match &hello {
            Ok(hello) => self.judge(hello),
            Err(why) => Reply::Refused(why.to_string()),
        };
        let token = hello.as_ref().map_or("", |hello| &hello.token);
        let sent = reply.send(&mut stream, token, self.place.secret);
        match (reply, hello) {
            (Reply::Welcome, Ok(hello)) if sent.is_ok() => {
                self.place(hello.from, hello.purpose, hello.token, stream);
            }
            (Reply::Refused(why), _) => {
                let message = format!("a connection from {address} was refused: {why}");
                self.means.control.note(&message);
            }
            _ => {}
        }
    }

    /// Returns the reply to a greeting.
    fn judge(&self, hello: &Hello) -> Reply {
        if let Some(why) = hello.refusal(
            self.place.process,
            self.peers.len(),
            self.terms,
            self.place.secret,
        ) {
            return Reply::Refused(why);
        }
        let (peer, from) = (&self.peers[hello.from], hello.from);
        let same = |link: &Link| link.token == hello.token;
        let free = match hello.purpose {
            Purpose::Link => peer.link.is_none(),
            Purpose::Messages => {
                peer.link.as_ref().is_some_and(same)
                    && peer.messages.as_ref().is_none_or(has_closed)
            }
        };
        match free {
            true => Reply::Welcome,
            false => Reply::Busy(format!("process {from} is connected already")),
        }
    }

    fn place(&mut self, process: usize, purpose: Purpose, token: String, stream: TcpStream) {
        let peer = &mut self.peers[process];
        match purpose {
            Purpose::Link => peer.link = Link::new(stream, token).ok(),
            Purpose::Messages => peer.messages = Some(stream),
        }
    }

    fn finish(self) -> Result<Connections, Failed> {
        let mut found = Connections::default();
        for peer in self.peers {
            let link = peer.link.map(|link| link.stream);
            if let Some(link) = &link {
                let waits = link.set_nonblocking(false);
                waits.map_err(|e| Failed::Input(Diagnostic::new("--hosts", e.to_string())))?;
            }
            found.links.push(link);
            found.messages.push(peer.messages);
        }
        Ok(found)
    }
}

/// Returns whether the other end has closed a connection.
fn has_closed(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let peeked = stream.peek(&mut [0]);
    let _ = stream.set_nonblocking(false);
    match peeked {
        Ok(bytes) => bytes == 0,
        Err(e) => e.kind() != io::ErrorKind::WouldBlock,
    }
}

#[cfg(test)]
mod tests {
    use super::super::greeting::STRANGER;
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
            let differing = "the build differs: `2` in process 1, `1` in process 0";
            for (build, secret, why) in [("2", "of the run", differing), ("1", "guessed", STRANGER)]
            {
                match meet(1, build, secret) {
                    Err(Failed::Input(error)) => {
                        assert!(error.to_string().contains(why), "{error}")
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert!(meet(1, "1", "of the run").is_ok());
            let found = first.join().expect("no panic").expect("the other");
            assert!(found.links[1].is_some() && found.messages[1].is_some());
        });
        let told = notes.0.lock().expect("notes");
        assert!(
            told.iter().any(|line| line.contains("the build differs")),
            "{told:?}"
        );
    }

    #[test]
    fn a_handshake_can_be_stopped() {
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
        assert!(
            matches!(found, Err(Failed::Stopped(Stopped::Interrupted))),
            "{found:?}"
        );
    }
}
