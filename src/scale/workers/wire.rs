//! The connections that carry timely's messages, and the failure of a run.
//!
//! timely panics if a connection ends early. Here the failure is recorded instead: the workers see it within
//! [`LOOK`](super::flow::LOOK) and end, and so does the process. A process that exits closes its connections,
//! so the others see its end at once. A machine that vanishes is noticed by the system's own probes.

use super::Failed;
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// Time without a sign of the other machine after which the system probes a connection, the time between
/// two probes, and the number of probes without an answer that end the connection: 25 seconds together.
const IDLE: Duration = Duration::from_secs(10);
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
const PROBES: u32 = 3;
/// Time after which sent data that is not confirmed ends a connection.
const UNCONFIRMED: Duration = Duration::from_secs(25);
/// Time that a finished process waits for the others to finish.
const FAREWELL: Duration = Duration::from_secs(5);
/// Number of zeros at the end of a stream that timely has closed in good order: the head of an empty message.
const CLOSING: usize = 48;

/// The connections of a process, and the reason why its run has failed, if it has.
#[derive(Debug, Default)]
pub(super) struct Link {
    failed: OnceLock<Failed>,
    streams: Vec<Arc<TcpStream>>,
}

impl Link {
    /// Returns the link of a process with these connections, and the connections as timely uses them.
    ///
    /// # Errors
    /// If a connection cannot be used.
    pub fn new(streams: Vec<Option<TcpStream>>) -> io::Result<(Arc<Link>, Vec<Option<Wire>>)> {
        let mut link = Link::default();
        let streams: Vec<_> = streams
            .into_iter()
            .map(|stream| stream.map(Arc::new))
            .collect();
        for stream in streams.iter().flatten() {
            stream.set_read_timeout(None)?;
            stream.set_write_timeout(None)?;
            let socket = SockRef::from(&**stream);
            let probes = TcpKeepalive::new().with_time(IDLE);
            socket.set_tcp_keepalive(&probes.with_interval(PROBE_INTERVAL).with_retries(PROBES))?;
            #[cfg(target_os = "linux")]
            socket.set_tcp_user_timeout(Some(UNCONFIRMED))?;
            link.streams.push(Arc::clone(stream));
        }
        let link = Arc::new(link);
        let wires = streams.into_iter().enumerate().map(|(process, stream)| {
            stream.map(|stream| Wire {
                stream,
                process,
                link: Arc::clone(&link),
                zeros: 0,
            })
        });
        let wires = wires.collect();
        Ok((link, wires))
    }

    /// Ends the run in this process. Only the first reason counts.
    pub fn fail(&self, why: Failed) {
        let _ = self.failed.set(why);
    }

    /// Checks that the run has not failed.
    pub fn check(&self) -> Result<(), Failed> {
        self.failed.get().map_or(Ok(()), |why| Err(why.clone()))
    }

    /// Closes all connections, so that the other processes end too.
    pub fn sever(&self) {
        for stream in &self.streams {
            // The peer may be gone already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Drops a guard, which joins timely's threads, but waits for them at most [`FAREWELL`].
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

/// A connection to another process. If it fails, the link records the failure, and timely's thread sleeps
/// instead of panicking.
#[derive(Debug)]
pub(super) struct Wire {
    stream: Arc<TcpStream>,
    process: usize,
    link: Arc<Link>,
    /// Number of zeros at the end of the bytes read so far.
    zeros: usize,
}

impl Wire {
    fn lost(&self, error: &io::Error) -> ! {
        let process = self.process;
        let why = match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
                "it has closed its connection".to_string()
            }
            _ => error.to_string(),
        };
        self.link.fail(Failed::Lost { process, why });
        loop {
            thread::park();
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (&*self.stream).read(buffer) {
            Ok(0) if self.zeros >= CLOSING => Ok(0),
            Ok(0) => self.lost(&ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                let zeros = buffer[..n].iter().rev().take_while(|&&byte| byte == 0);
                let zeros = zeros.take(CLOSING).count();
                self.zeros = if zeros == n { self.zeros + n } else { zeros };
                Ok(n)
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => Err(e),
            Err(e) => self.lost(&e),
        }
    }
}

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match (&*self.stream).write(buffer) {
            Err(e) if e.kind() != ErrorKind::Interrupted => self.lost(&e),
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
            stream: Arc::clone(&self.stream),
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
