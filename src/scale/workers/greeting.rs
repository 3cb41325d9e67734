//! The greeting that a process sends on each connection to another process of its run, and the reply.
//!
//! A greeting names the run, both processes and the purpose of the connection. It is bounded in length and
//! in time. Both sides prove that they know the secret of the run: the greeting and the reply end with a
//! keyed digest. The secret itself is never sent. Nothing is encrypted: what the processes send afterwards
//! can be read on the network between them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The first bytes of greetings and replies.
const GREETING: &[u8] = b"fairyproof workers 4\n";
/// Maximum number of bytes after the first ones.
const MAX_GREETING_BYTES: u32 = 1 << 20;
/// Time within which the other side must have sent a whole greeting.
const GREETING_TIMEOUT: Duration = Duration::from_secs(5);
/// Time within which a connection must be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The purpose of a connection. A process makes its connections to another process in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Purpose {
    /// Heartbeats.
    Link,
    /// Messages between workers.
    Messages,
}

impl Purpose {
    pub const ALL: [Purpose; 2] = [Purpose::Link, Purpose::Messages];
}

/// The terms of a run, by name, which must be equal in all processes.
pub(super) type Terms = [(&'static str, String)];

/// The greeting of a connecting process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub from: usize,
    pub to: usize,
    pub purpose: Purpose,
    /// A random text, equal on all connections of a process, so that no other process can complete its pair
    /// of connections.
    pub token: String,
    pub terms: Vec<(String, String)>,
    /// The proof that the process knows the secret of the run.
    pub proof: String,
}

/// The reply to a greeting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The connection is part of the run.
    Welcome,
    /// Another connection has this place now. The place may be free later.
    Busy(String),
    /// The connecting process does not belong to this run.
    Refused(String),
}

impl Hello {
    /// Returns the greeting with the proof that its sender knows this secret.
    pub fn proven(self, secret: &str) -> Hello {
        let proof = self.right_proof(secret);
        Hello { proof, ..self }
    }

    /// Returns the proof that the sender knows the secret.
    fn right_proof(&self, secret: &str) -> String {
        let unproven = Hello {
            proof: String::new(),
            ..self.clone()
        };
        proof(secret, &unproven)
    }

    /// Reads the greeting of a process that has connected.
    ///
    /// # Errors
    /// If it is not a greeting, or is not complete in time.
    pub fn read(stream: &mut TcpStream) -> Result<Hello, GreetingError> {
        read_frame(stream)
    }

    /// Returns the reason why process `me` of `processes` processes refuses this greeting, or `None` if it
    /// does not.
    pub fn refusal(
        &self,
        me: usize,
        processes: usize,
        terms: &Terms,
        secret: &str,
    ) -> Option<String> {
        let from = self.from;
        let is_stranger = self.proof != self.right_proof(secret);
        // The other reasons name addresses and positions. A run with a secret does not show them to strangers.
        if is_stranger && !secret.is_empty() {
            return Some(STRANGER.into());
        }
        for (i, (name, here)) in terms.iter().enumerate() {
            match self.terms.get(i) {
                Some((named, there)) if named == name && there == here => {}
                Some((named, there)) if named == name => {
                    return Some(format!(
                        "the {name} differs: `{there}` in process {from}, `{here}` in process {me}"
                    ));
                }
                _ => return Some("the builds differ".to_string()),
            }
        }
        if self.to != me {
            return Some(format!("this is process {me}, not {}", self.to));
        }
        if from <= me || from >= processes {
            return Some(format!("process {from} does not connect to process {me}"));
        }
        is_stranger.then(|| STRANGER.into())
    }
}

impl Reply {
    /// Sends the reply to a greeting with this token.
    ///
    /// # Errors
    /// If the stream cannot be written.
    pub fn send(&self, stream: &mut TcpStream, token: &str, secret: &str) -> io::Result<()> {
        let proof = match self {
            Reply::Welcome => welcome(token, secret),
            Reply::Busy(_) | Reply::Refused(_) => String::new(),
        };
        stream.set_write_timeout(Some(GREETING_TIMEOUT))?;
        stream.write_all(&frame(&(self, proof)))?;
        stream.set_write_timeout(None)
    }
}

/// Connects to a process and sends a greeting. Returns the connection with the reply, or `None` if no process
/// listens at the address yet. A reply that admits this process without a proof of the secret counts as a
/// refusal.
pub(super) fn greet(address: &str, hello: &Hello, secret: &str) -> Option<(TcpStream, Reply)> {
    let addresses = address.to_socket_addrs().ok()?;
    let connected = |address| TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).ok();
    let mut stream = addresses.into_iter().find_map(connected)?;
    let _ = stream.set_nodelay(true);
    stream.set_write_timeout(Some(GREETING_TIMEOUT)).ok()?;
    stream.write_all(&frame(hello)).ok()?;
    stream.set_write_timeout(None).ok()?;
    let reply = match read_frame::<(Reply, String)>(&mut stream) {
        Ok((Reply::Welcome, proof)) if proof != welcome(&hello.token, secret) => {
            Reply::Refused(STRANGER.into())
        }
        Ok((reply, _)) => reply,
        Err(why) => Reply::Refused(format!(
            "the program that listens there is not a process of this run: {why}"
        )),
    };
    Some((stream, reply))
}

/// The reason for refusing a process that does not prove that it knows the secret of the run.
pub(super) const STRANGER: &str = "it does not know the secret of the run";

/// Returns the proof that the sender of a value knows the secret: a nested digest, so that nothing can be
/// appended to the value.
fn proof(secret: &str, value: &impl Serialize) -> String {
    let keyed = |bytes: &[u8]| {
        let digest = Sha256::new().chain_update(secret).chain_update(bytes);
        digest.finalize()
    };
    let digest = keyed(&keyed(&frame(value)));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the proof that a process which admits another one knows the secret.
fn welcome(token: &str, secret: &str) -> String {
    proof(secret, &("welcome", token))
}

/// Returns a greeting or a reply as it is sent: its length, then JSON.
fn frame(value: &impl Serialize) -> Vec<u8> {
    let body = serde_json::to_vec(value).expect("texts and numbers are JSON");
    let length = (body.len() as u32).to_le_bytes();
    [GREETING, &length, &body].concat()
}

/// The reason why a greeting cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum GreetingError {
    /// The bytes received are not a greeting.
    #[error("the peer is not a fairyproof process")]
    Foreign,
    /// The greeting was not complete in time.
    #[error("no greeting within {} seconds", GREETING_TIMEOUT.as_secs())]
    Late,
}

/// Reads a greeting that consists of texts.
///
/// # Errors
/// If it is not a greeting, or is not complete within [`GREETING_TIMEOUT`].
fn read_frame<T: DeserializeOwned>(stream: &mut TcpStream) -> Result<T, GreetingError> {
    let unread = |e: io::Error| match e.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => GreetingError::Late,
        _ => GreetingError::Foreign,
    };
    let until = Instant::now() + GREETING_TIMEOUT;
    let mut read = |n: usize| -> Result<Vec<u8>, GreetingError> {
        let mut bytes = Vec::new();
        let mut block = [0; 1 << 12];
        while bytes.len() < n {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(GreetingError::Late);
            }
            stream.set_read_timeout(Some(left)).map_err(unread)?;
            let room = block.len().min(n - bytes.len());
            match stream.read(&mut block[..room]).map_err(unread)? {
                0 => return Err(GreetingError::Foreign),
                read => bytes.extend(&block[..read]),
            }
            // Do not wait for the rest of something that is not a greeting.
            let known = bytes.len().min(GREETING.len());
            if n == GREETING.len() && bytes[..known] != GREETING[..known] {
                return Err(GreetingError::Foreign);
            }
        }
        Ok(bytes)
    };
    read(GREETING.len())?;
    let length = read(4)?.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b));
    if length > MAX_GREETING_BYTES {
        return Err(GreetingError::Foreign);
    }
    let body = read(length as usize)?;
    stream.set_read_timeout(None).map_err(unread)?;
    serde_json::from_slice(&body).map_err(|_| GreetingError::Foreign)
}
