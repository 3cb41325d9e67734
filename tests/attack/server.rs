//! The server: pages of other sites, and clients that make it wait.

use crate::attempt::program;
use crate::random::Random;
use crate::running_server::Server;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

impl Server {
    fn start() -> Server {
        let mut program = program();
        program.stderr(Stdio::null());
        Server::run(program, "256M")
    }

    /// Returns the status with which a request is answered.
    fn status(&self, request: &str) -> u16 {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut head = [0; 12];
        stream.read_exact(&mut head).expect("an answer");
        let head = String::from_utf8_lossy(&head).into_owned();
        head[9..].parse().unwrap_or_else(|_| panic!("{head}"))
    }
}

#[test]
fn requests_of_other_sites_are_refused_whatever_their_headers() {
    let server = Server::start();
    let own = format!("http://{}", server.host);
    let mut random = Random(11);
    for _ in 0..120 {
        let host = random.pick(&[
            &*server.host,
            &*server.host,
            &*server.host,
            "evil.example",
            "evil.example:80",
            "",
        ]);
        let origin = random.pick(&[
            "",
            "",
            &*own,
            "null",
            "http://evil.example",
            "https://evil.example",
            "http://127.0.0.1",
        ]);
        let site = random.pick(&["", "none", "same-origin", "cross-site", "same-site", "x"]);
        let path = random.pick(&["/", "/api/variants", "/api/none"]);
        let mut lines = vec![format!("GET {path} HTTP/1.1"), format!("Host: {host}")];
        if !origin.is_empty() {
            lines.push(format!("Origin: {origin}"));
        }
        if !site.is_empty() {
            lines.push(format!("Sec-Fetch-Site: {site}"));
        }
        let request = lines.join("\r\n") + "\r\nConnection: close\r\n\r\n";
        let status = server.status(&request);
        let foreign = host != server.host
            || !["", &*own].contains(&origin)
            || !["", "none", "same-origin"].contains(&site);
        match foreign {
            true => assert!((400..500).contains(&status), "{status}: {request}"),
            false if path == "/" => assert_eq!(status, 200, "{request}"),
            false => assert!([200, 404].contains(&status), "{status}: {request}"),
        }
    }
}

#[test]
fn clients_that_make_the_server_wait_lock_no_others_out() {
    let server = Server::start();
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    let post = format!(
        "POST /api/cancel HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n{{",
        server.host
    );
    let last = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.host
    );
    // Clients that read nothing, say nothing, or stop within a head or a body.
    for sent in [
        request.repeat(400),
        String::new(),
        request[..20].to_owned(),
        post,
    ] {
        let waiting: Vec<TcpStream> = (0..160)
            .map(|_| {
                let mut stream = server.connect();
                stream.set_nonblocking(true).expect("a socket");
                // As much as the kernel takes.
                let _ = stream.write(sent.as_bytes());
                stream
            })
            .collect();
        let begin: String = sent.chars().take(20).collect();
        assert_eq!(server.status(&last), 200, "{begin}");
        drop(waiting);
    }
}
