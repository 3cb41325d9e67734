//! A running `fairyproof serve`.

#![allow(dead_code)]

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server process with an empty folder of tables. It ends when this is dropped.
pub struct Server {
    pub child: Child,
    pub host: String,
    pub tables: tempfile::TempDir,
}

impl Server {
    /// Starts a program as a server on a free port, with this limit of memory.
    pub fn run(mut program: Command, memory: &str) -> Server {
        let tables = tempfile::tempdir().expect("a folder");
        let mut child = program
            .args(["serve", "--port", "0", "--memory", memory, "--tables"])
            .arg(tables.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("piped");
        BufReader::new(out)
            .read_line(&mut line)
            .expect("its address");
        let host = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_string();
        Server {
            child,
            host,
            tables,
        }
    }

    /// Returns a new connection, on which reading ends after 40 seconds.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("it listens");
        let time = Some(Duration::from_secs(40));
        stream.set_read_timeout(time).expect("a timeout");
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
