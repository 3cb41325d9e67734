//! Failure detection. Each pair of processes keeps a connection that carries only heartbeats.
//!
//! A process that exits before the work is done closes its connections, so its peers notice at once. A silent
//! process is declared lost after [`SILENCE`].

use super::Failed;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use timely_communication::allocator::zero_copy::stream::Stream;

/// The interval between two heartbeats of a process.
pub(super) const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// The interval at which a process checks whether its caller has requested a stop.
pub(super) const STOP_INTERVAL: Duration = Duration::from_millis(20);
/// A process without a heartbeat for this long is lost.
pub(super) const SILENCE: Duration = Duration::from_secs(20);
/// Time that a finished process waits for the others to finish.
const FAREWELL: Duration = Duration::from_secs(5);
/// Maximum number of bytes of a reason that are read.
const MAX_REASON: usize = 1 << 12;

/// The byte that a process sends regularly.
pub(super) const HEARTBEAT: u8 = b'.';
const BYE: u8 = b'b';
const STOPPED: u8 = b'!';
/// Ctrl-C in one process. The workers of all processes then end together, with an answer.
const INTERRUPT: u8 = b'i';

/// The heartbeat connections of a process, and the state of the run that they report.
#[derive(Debug)]
pub(super) struct Link {
    failed: OnceLock<Failed>,
    /// Whether a process has received Ctrl-C.
    interrupted: AtomicBool,
    over: AtomicBool,
    byes: AtomicUsize,
    peers: Vec<Mutex<TcpStream>>,
}

impl Link {
    /// Returns the link of a process that is alone.
    pub fn alone() -> Arc<Link> {
        Link::new(Vec::new()).unwrap_or_else(|_| unreachable!("nothing is cloned"))
    }

    /// Begins to send and receive heartbeats on connections. Each connection comes with the number of its
    /// process.
    pub fn new(streams: Vec<(usize, TcpStream)>) -> io::Result<Arc<Link>> {
        let mut peers = Vec::new();
        for (_, stream) in &streams {
            peers.push(Mutex::new(stream.try_clone()?));
        }
        let link = Arc::new(Link {
            failed: OnceLock::new(),
            interrupted: AtomicBool::new(false),
            over: AtomicBool::new(false),
            byes: AtomicUsize::new(0),
            peers,
        });
        if !streams.is_empty() {
            let signs = Arc::clone(&link);
            thread::Builder::new().spawn(move || {
                while !signs.over.load(Ordering::Relaxed) {
                    signs.tell(&[HEARTBEAT]);
                    thread::sleep(HEARTBEAT_INTERVAL);
                }
            })?;
        }
        for (process, stream) in streams {
            stream.set_read_timeout(Some(SILENCE))?;
            stream.set_write_timeout(Some(SILENCE))?;
            let link = Arc::clone(&link);
            thread::Builder::new().spawn(move || link.listen(process, stream))?;
        }
        Ok(link)
    }

    fn listen(&self, process: usize, mut stream: TcpStream) {
        let mut sign = [0];
        loop {
            let why = match stream.read_exact(&mut sign) {
                Ok(()) => match sign[0] {
                    HEARTBEAT => continue,
                    INTERRUPT => {
                        self.interrupted.store(true, Ordering::SeqCst);
                        continue;
                    }
                    BYE => {
                        self.byes.fetch_add(1, Ordering::SeqCst);
                        return;
                    }
                    _ => {
                        let mut reason = Vec::new();
                        let most = MAX_REASON as u64;
                        let _ = stream.take(most).read_to_end(&mut reason);
                        String::from_utf8_lossy(&reason).into_owned()
                    }
                },
                Err(e)
                    if matches!(
                        e.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    ) =>
                {
                    format!("no heartbeat for {} seconds", SILENCE.as_secs())
                }
                Err(_) => "it has closed its connection".to_string(),
            };
            return self.fail(Failed::Lost { process, why });
        }
    }

    fn tell(&self, what: &[u8]) {
        for peer in &self.peers {
            // Ignore write errors: a lost peer is detected by its missing heartbeat.
            let _ = peer
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write_all(what);
        }
    }

    /// Returns the flag that Ctrl-C in any of the processes sets.
    pub fn interrupted(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// Returns whether there are other processes.
    pub fn has_peers(&self) -> bool {
        !self.peers.is_empty()
    }

    /// Interrupts the workers of all processes.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        self.tell(&[INTERRUPT]);
    }

    /// Ends the run in this process. Only the first reason counts.
    pub fn fail(&self, why: Failed) {
        let _ = self.failed.set(why);
    }

    /// Checks that the run has not failed.
    pub fn check(&self) -> Result<(), Failed> {
        match self.failed.get() {
            None => Ok(()),
            Some(why) => Err(why.clone()),
        }
    }

    /// Reports to the peers why this process ends early.
    pub fn tell_failure(&self, why: &str) {
        self.over.store(true, Ordering::SeqCst);
        let mut what = vec![STOPPED];
        what.extend_from_slice(why.as_bytes());
        what.truncate(MAX_REASON);
        self.tell(&what);
        for peer in &self.peers {
            let peer = peer.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = peer.shutdown(Shutdown::Both);
        }
    }

    /// Reports to the peers that this process is done, and waits for a while until they report the same. Then
    /// every process has all messages.
    pub fn part(&self) {
        self.over.store(true, Ordering::SeqCst);
        self.tell(&[BYE]);
        let until = Instant::now() + FAREWELL;
        while self.byes.load(Ordering::SeqCst) < self.peers.len()
            && !matches!(self.failed.get(), Some(Failed::Lost { .. }))
            && Instant::now() < until
        {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Drops a guard, which joins timely's threads, but waits for them at most as long as for a farewell.
pub(super) fn join_soon(guard: impl Send + 'static) {
    let (end, ended) = std::sync::mpsc::channel();
    let joining = thread::Builder::new().spawn(move || {
        drop(guard);
        let _ = end.send(());
    });
    if joining.is_ok() {
        let _ = ended.recv_timeout(FAREWELL);
    }
}

/// Number of zeros at the end of a stream that timely has closed in good order: the head of an empty message.
const CLOSING: usize = 48;

/// A connection that carries messages. If it fails, the link records the failure, and timely's thread sleeps
/// instead of panicking. The workers then end, and with them the process.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    process: usize,
    link: Arc<Link>,
    /// Number of zeros at the end of the bytes read so far.
    zeros: usize,
}

impl Wire {
    pub fn new(stream: TcpStream, process: usize, link: &Arc<Link>) -> Wire {
        Wire {
            stream,
            process,
            link: Arc::clone(link),
            zeros: 0,
        }
    }

    fn lost(&self, why: String) -> ! {
        // The link detects the failure too, and perhaps receives a better reason.
        thread::sleep(Duration::from_millis(500));
        self.link.fail(Failed::Lost {
            process: self.process,
            why,
        });
        loop {
            thread::park();
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer) {
            Ok(0) if self.zeros >= CLOSING => Ok(0),
            Ok(0) => self.lost("it has closed its connection".to_string()),
            Ok(n) => {
                let zeros = buffer[..n]
                    .iter()
                    .rev()
                    .take_while(|&&b| b == 0)
                    .take(CLOSING);
                let zeros = zeros.count();
                self.zeros = if zeros == n { self.zeros + n } else { zeros };
                Ok(n)
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(e),
            Err(e) => self.lost(e.to_string()),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(e) if e.kind() != io::ErrorKind::Interrupted => self.lost(e.to_string()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        Ok(Wire {
            stream: self.stream.try_clone()?,
            process: self.process,
            link: Arc::clone(&self.link),
            zeros: 0,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The peer may be gone already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
