//! `fairyproof serve`, spoken to byte by byte: answers, refusals, work that is begun and cancelled, load,
//! and requests that are none.

use crate::run::{folder, holds, piped, refusal};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A server, which ends with this.
struct Server {
    child: Child,
    host: String,
    _tables: tempfile::TempDir,
}

impl Server {
    fn start() -> Server {
        let (tables, name) = folder();
        let mut child = piped(&[
            "serve", "--port", "0", "--tables", &name, "--memory", "256M",
        ])
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
            .trim_end_matches('/');
        Server {
            host: host.to_string(),
            child,
            _tables: tables,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(40)))
            .expect("a timeout");
        stream
    }

    /// Returns what comes back for these bytes, as far as the server sends anything.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn request(&self, head: &str, headers: &str, body: &str) -> (u16, String) {
        let host = &self.host;
        let length = body.len();
        let text = self.raw(
            format!(
                "{head} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\
                 {headers}\r\n{body}"
            )
            .as_bytes(),
        );
        let status = text
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.unwrap_or(0), text)
    }

    fn get(&self, path: &str) -> (u16, Value) {
        let (status, text) = self.request(&format!("GET {path}"), "", "");
        (status, body(&text))
    }

    fn post(&self, path: &str, value: &Value) -> (u16, Value) {
        let kind = "Content-Type: application/json\r\n";
        let (status, text) = self.request(&format!("POST {path}"), kind, &value.to_string());
        (status, body(&text))
    }

    /// Work that has been begun, when it has ended.
    fn ended(&self, job: &Value) -> Value {
        let number = job["job"].as_u64().expect("a job");
        let patience = Instant::now() + Duration::from_secs(120);
        loop {
            let (_, shown) = self.get(&format!("/api/job?job={number}"));
            if shown["state"] != "running" {
                return shown;
            }
            assert!(Instant::now() < patience, "{shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn body(text: &str) -> Value {
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or(Value::Null)
}

/// Returns a text as a part of an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn positions_are_answered_with_turns_and_line() {
    let server = Server::start();
    let (status, answer) = server.get("/api/position?variant=bachelor&line=b1a3,c5c4");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["side"], "w");
    assert_eq!(answer["category"], "unknown");
    assert!(
        answer["moves"]
            .as_array()
            .is_some_and(|moves| moves.len() > 5)
    );
    holds(
        answer["svg"].as_str().expect("a picture"),
        &["data-s=\"c4\"", "<svg"],
    );
    let fen = encoded("3k3/7/7/7/7/3KQ2 b - - 1 1");
    let (_, over) = server.get(&format!("/api/position?variant=bachelor&fen={fen}"));
    assert_eq!(over["outcome"], "white-wins marriage");
    assert_eq!(
        (&over["category"], &over["dtm"]),
        (&json!("loss"), &json!(0))
    );
    for (path, status) in [
        ("/api/position?variant=nosuch", 400),
        ("/api/position", 400),
        ("/api/position?variant=fide&fen=8", 400),
        ("/api/position?variant=fide&line=e2e5", 400),
        ("/api/position?variant=fide&variant=fide", 400),
        ("/api/nosuch", 404),
        ("/../Cargo.toml", 404),
        ("/Cargo.toml", 404),
        ("/api/solve", 405),
        ("/api/job?job=77", 404),
    ] {
        let (got, answer) = server.get(path);
        assert_eq!(got, status, "{path}: {answer}");
        assert!(answer["error"].is_string(), "{path}");
    }
}

#[test]
fn the_page_asks_nothing_of_others() {
    let server = Server::start();
    for path in [
        "/",
        "/app.js",
        "/app.css",
        "/picture.css",
        "/icon.svg",
        "/symbols.svg",
    ] {
        let (status, text) = server.request(&format!("GET {path}"), "", "");
        assert_eq!(status, 200, "{path}");
        let (head, body) = text.split_once("\r\n\r\n").expect("a body");
        let head = head.to_ascii_lowercase();
        holds(
            &head,
            &[
                "content-security-policy: default-src 'none'",
                "nosniff",
                "no-store",
                "same-origin",
            ],
        );
        assert!(!head.contains("unsafe"), "{head}");
        let outside = body.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !outside.contains("http:") && !outside.contains("https:"),
            "{path}"
        );
    }
}

#[test]
fn other_names_and_other_sites_get_no_answer() {
    let server = Server::start();
    let own = &server.host;
    let port = own.rsplit(':').next().expect("a port");
    let path = "GET /api/variants HTTP/1.1\r\n";
    for (headers, status) in [
        (format!("Host: {own}\r\n"), "200"),
        (format!("Host: localhost:{port}\r\n"), "200"),
        (format!("Host: {own}\r\nOrigin: http://{own}\r\n"), "200"),
        (format!("Host: evil.example:{port}\r\n"), "403"),
        ("Host: 127.0.0.1\r\n".to_string(), "403"),
        (format!("Host: {own}\r\nHost: evil.example\r\n"), "403"),
        (
            format!("Host: {own}\r\nOrigin: http://evil.example\r\n"),
            "403",
        ),
        (format!("Host: {own}\r\nOrigin: null\r\n"), "403"),
        (String::new(), "403"),
    ] {
        let text = server.raw(format!("{path}{headers}Connection: close\r\n\r\n").as_bytes());
        assert_eq!(text.split(' ').nth(1), Some(status), "{headers}{text}");
    }
    // What a form of another site could send begins no work.
    let body = "{\"variant\":\"fide\",\"depth\":1}";
    let plain = server.request("POST /api/perft", "Content-Type: text/plain\r\n", body);
    assert_eq!(plain.0, 415, "{plain:?}");
    let long = "x".repeat(70_000);
    let long = server.post("/api/perft", &json!({ "variant": long }));
    assert_eq!(long.0, 413);
}

#[test]
fn problems_are_solved_and_cancelled() {
    let server = Server::start();
    let fen = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";
    let asked = json!({"variant": "fide", "fen": fen, "stipulation": "#2"});
    let (status, job) = server.post("/api/solve", &asked);
    assert_eq!(status, 200, "{job}");
    let shown = server.ended(&job);
    assert_eq!(shown["result"]["verdict"], "sound", "{shown}");
    let keys = crate::run::answer(&["solve", "fide", "--fen", fen, "#2", "--keys"]);
    assert_eq!(shown["result"]["keys"], json!([keys.trim()]));
    let (_, wrong) = server.post(
        "/api/solve",
        &json!({"variant": "fide", "stipulation": "#x"}),
    );
    assert!(wrong["error"].is_string());

    // Work that would take for ever: two at a time, and no more.
    let endless = json!({"variant": "fide", "depth": 12});
    let (_, first) = server.post("/api/perft", &endless);
    let (_, second) = server.post("/api/perft", &endless);
    assert_eq!(server.post("/api/perft", &endless).0, 429);
    // What is short is answered all the same.
    assert_eq!(server.get("/api/position?variant=fide").0, 200);
    for job in [first, second] {
        server.post("/api/cancel", &json!({"job": job["job"]}));
        assert_eq!(server.ended(&job)["state"], "cancelled");
    }
    let (_, job) = server.post("/api/perft", &json!({"variant": "fide", "depth": 3}));
    assert_eq!(server.ended(&job)["result"]["nodes"], 8902);
}

#[test]
fn values_come_from_tables_and_graphs_best_first() {
    let server = Server::start();
    let fen = "7/7/7/3k3/7/K4N1 w - - 0 1";
    let path = format!("/api/position?variant=bachelor&fen={}", encoded(fen));
    assert_eq!(server.get(&path).1["category"], "unknown");
    let (status, plan) = server.get(&format!("/api/plan?variant=bachelor&fen={}", encoded(fen)));
    assert_eq!(
        (status, &plan["signature"]),
        (200, &json!("KNvK")),
        "{plan}"
    );
    let (_, job) = server.post("/api/table", &json!({"variant": "bachelor", "fen": fen}));
    let built = server.ended(&job);
    assert_eq!(built["state"], "done", "{built}");
    let (_, answer) = server.get(&path);
    assert_eq!(
        (&answer["category"], &answer["dtm"]),
        (&json!("win"), &json!(13)),
        "{answer}"
    );
    assert_eq!(answer["source"], "table");
    assert_eq!(answer["moves"][0]["dtm"], 13);
    let ranks: Vec<(bool, u64)> = answer["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|m| (m["category"] != "win", m["dtm"].as_u64().unwrap_or(0)))
        .collect();
    assert!(ranks.is_sorted(), "{ranks:?}");

    let small = "kqr/3/3/KQR w - - 0 1";
    let (_, job) = server.post("/api/graph", &json!({"variant": "fide", "fen": small}));
    let solved = server.ended(&job);
    assert_eq!(solved["result"]["states"], 263_112, "{solved}");
    let (_, answer) = server.get(&format!(
        "/api/position?variant=fide&fen={}",
        encoded(small)
    ));
    assert_eq!(
        (&answer["category"], &answer["dtm"]),
        (&json!("win"), &json!(3))
    );
    // A position that the graph does not hold has no value, whatever its key looks like.
    let other = encoded("kqr/nnn/3/KQR w - - 0 1");
    let (_, answer) = server.get(&format!("/api/position?variant=fide&fen={other}"));
    assert_eq!(answer["category"], "unknown");
    let (_, large) = server.post("/api/graph", &json!({"variant": "fide"}));
    assert_eq!(server.ended(&large)["state"], "failed");
}

#[test]
fn rule_sets_are_compared() {
    let server = Server::start();
    let fen = encoded("7k/6q1/5Q2/8/8/8/8/K7 w - - 0 1");
    let (_, answer) = server.get(&format!("/api/compare?first=fide&second=society&fen={fen}"));
    let differences = answer["differences"].as_array().expect("differences");
    let only: Vec<&Value> = differences
        .iter()
        .filter(|row| row["difference"] == "only-first")
        .map(|row| &row["turn"])
        .collect();
    assert_eq!(only, [&json!("f6g7")], "{answer}");
}

/// 200 requests a second of probes, for as many seconds as `FAIRYPROOF_LOAD_SECONDS` says (3 without).
#[test]
fn no_probe_is_lost_under_load() {
    const A_SECOND: usize = 200;
    const CLIENTS: usize = 8;
    let seconds: usize = std::env::var("FAIRYPROOF_LOAD_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3);
    let server = Server::start();
    let fen = "7/7/7/3k3/7/K4N1 w - - 0 1";
    let (_, job) = server.post("/api/table", &json!({"variant": "bachelor", "fen": fen}));
    assert_eq!(server.ended(&job)["state"], "done");
    let path = format!("/api/position?variant=bachelor&fen={}", encoded(fen));
    let all = A_SECOND * seconds;
    let next = AtomicUsize::new(0);
    let good = AtomicUsize::new(0);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= all {
                        return;
                    }
                    let due = began + Duration::from_secs(1) * n as u32 / A_SECOND as u32;
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    let (status, answer) = server.get(&path);
                    if status == 200 && answer["dtm"] == 13 {
                        good.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(good.into_inner(), all, "in {:?}", began.elapsed());
}

/// Small and plain, and another sequence for every seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[test]
fn a_thousand_malformed_requests_get_nothing_and_kill_nothing() {
    let server = Server::start();
    let asked = "{\"variant\":\"fide\",\"depth\":\"1\"}";
    let length = format!("Content-Length: {}", asked.len());
    let good = format!(
        "POST /api/perft HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{length}\r\n\r\n{asked}",
        server.host
    );
    let mut random = Random(7);
    let began = |text: &str| text.contains("\"job\"");
    for n in 0..1000 {
        let mut bytes = good.clone().into_bytes();
        match n % 8 {
            // Cut short, but for the last byte at least.
            0 => bytes.truncate(random.below(bytes.len())),
            // A byte of the first line that is no text.
            1 => bytes[random.below(24)] = 0x80 | random.below(128) as u8,
            2 => bytes.splice(0..4, *b"\0\0\0\0").for_each(drop),
            3 => {
                bytes = good
                    .replace("Host: 127.0.0.1", "Host: 127.0.0.2")
                    .into_bytes()
            }
            4 => {
                let lengths = ["-1", "99999999999999999999", "0x2a", "4 2"];
                let wrong = format!("Content-Length: {}", lengths[random.below(4)]);
                bytes = good.replace(&length, &wrong).into_bytes();
            }
            5 => {
                bytes = good
                    .replace(
                        "\"depth\"",
                        ["\"depth", "depth\"", "{\"depth\"", "\"a\""][random.below(4)],
                    )
                    .into_bytes()
            }
            6 => {
                bytes = good
                    .replace(
                        "HTTP/1.1",
                        ["HTTP/9.9", "HTTP", "", "HTTP/1.1 x"][random.below(4)],
                    )
                    .into_bytes()
            }
            _ => {
                bytes = (0..random.below(300))
                    .map(|_| random.below(256) as u8)
                    .collect()
            }
        }
        let text = server.raw(&bytes);
        assert!(
            !began(&text),
            "{n}: {:?}\n{text}",
            String::from_utf8_lossy(&bytes)
        );
        assert!(!text.contains(" 500 "), "{n}: {text}");
    }
    assert!(
        began(&server.raw(good.as_bytes())),
        "the request that they were made from is good"
    );
    assert_eq!(server.get("/api/variants").0, 200);
}

#[test]
fn a_port_that_is_taken_is_told() {
    let server = Server::start();
    let port = server.host.rsplit(':').next().expect("a port");
    holds(
        &refusal(&["serve", "--port", port]),
        &["--port", "cannot be served on"],
    );
}
