//! `fairyproof serve` over raw sockets: answers, refusals, jobs, load, limits, malformed requests.

use crate::run::{holds, piped, refusal};
use crate::server::Server;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

impl Server {
    fn start() -> Server {
        Server::with_memory("256M")
    }

    fn with_memory(memory: &str) -> Server {
        Server::run(piped(&[]), memory)
    }

    /// Returns the bytes that the server sends for a request, until it closes the connection.
    fn raw(&self, request: &[u8]) -> String {
        read_to_end(self.sent(request))
    }

    /// Like `raw`, but ends the connection after the request, so that the server waits for no more.
    fn cut(&self, request: &[u8]) -> String {
        let stream = self.sent(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        read_to_end(stream)
    }

    /// Returns a connection on which these bytes were sent.
    fn sent(&self, request: &[u8]) -> TcpStream {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        stream
    }

    /// Returns the text of a POST request.
    fn posted(&self, path: &str, value: &Value) -> String {
        let (host, body) = (&self.host, value.to_string());
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    /// Returns the processor time that the server has used, in seconds.
    #[cfg(target_os = "linux")]
    fn processor_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.expect("a running server");
        let fields: Vec<&str> = stat
            .rsplit(") ")
            .next()
            .expect("fields")
            .split(' ')
            .collect();
        let ticks: u64 = [11, 12]
            .iter()
            .map(|&n| fields[n].parse::<u64>().expect("ticks"))
            .sum();
        ticks as f64 / 100.0
    }

    /// Asserts that the server hardly works for some seconds.
    #[cfg(target_os = "linux")]
    #[track_caller]
    fn assert_idle(&self, seconds: u64) {
        let before = self.processor_seconds();
        std::thread::sleep(Duration::from_secs(seconds));
        let used = self.processor_seconds() - before;
        assert!(
            used < 0.2,
            "{used} seconds of processor time without clients"
        );
    }

    /// Returns the resident memory of the server, in bytes.
    #[cfg(target_os = "linux")]
    fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("a running server");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
        kibibytes.expect("a number") << 10
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

    pub fn get(&self, path: &str) -> (u16, Value) {
        let (status, text) = self.request(&format!("GET {path}"), "", "");
        (status, body(&text))
    }

    fn post(&self, path: &str, value: &Value) -> (u16, Value) {
        let kind = "Content-Type: application/json\r\n";
        let (status, text) = self.request(&format!("POST {path}"), kind, &value.to_string());
        (status, body(&text))
    }

    /// Returns a job when it has ended.
    fn ended(&self, job: &Value) -> Value {
        let number = job["job"].as_u64().expect("a job");
        let patience = Instant::now() + Duration::from_secs(120);
        loop {
            let (_, shown) = self.get(&format!("/api/job?job={number}&wait=1000"));
            if shown["state"] != "running" {
                return shown;
            }
            assert!(Instant::now() < patience, "{shown}");
        }
    }
}

fn read_to_end(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
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
        ("/api/plan?variant=fide", 405),
        ("/api/job?job=x", 400),
        ("/api/job?job=77", 404),
    ] {
        let (got, answer) = server.get(path);
        assert_eq!(got, status, "{path}: {answer}");
        assert!(answer["error"].is_string(), "{path}");
    }
}

#[test]
fn page_loads_nothing_from_elsewhere() {
    let server = Server::start();
    for path in [
        "/",
        "/app.js",
        "/app.css",
        "/picture.css",
        "/page.css",
        "/rules?variant=bachelor",
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
fn foreign_names_and_sites_are_refused() {
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
        (format!("Host: {own}\r\nSec-Fetch-Site: none\r\n"), "200"),
        (
            format!("Host: {own}\r\nSec-Fetch-Site: same-site\r\n"),
            "403",
        ),
        (
            format!("Host: {own}\r\nSec-Fetch-Site: cross-site\r\n"),
            "403",
        ),
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
fn problems_are_solved_and_jobs_cancelled() {
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
    let (_, job) = server.post("/api/plan", &json!({"variant": "bachelor", "fen": fen}));
    let plan = server.ended(&job);
    assert_eq!(plan["result"]["signature"], "KNvK", "{plan}");
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
fn expressions_have_values_squares_and_states() {
    let server = Server::start();
    let fen = "3k/4/Q3/3K w - - 0 1";
    let get = |path: &str, line: &str, expression: &str| {
        let (fen, expression) = (encoded(fen), encoded(expression));
        server.get(&format!(
            "/api/{path}?variant=bachelor&fen={fen}&line={line}&expression={expression}"
        ))
    };
    let (status, answer) = get("eval", "", "units(white)");
    assert_eq!(
        (status, &answer["text"]),
        (200, &json!("Kd1 Qa2")),
        "{answer}"
    );
    assert_eq!(answer["squares"], json!(["d1", "a2"]));
    let (_, answer) = get("eval", "d1c2", "drawn");
    assert_eq!(
        (&answer["text"], &answer["type"]),
        (&json!("true"), &json!("bool"))
    );
    let (_, answer) = get("eval", "", "value");
    assert_eq!(answer["text"], "", "no value is known yet");
    let (status, answer) = get("eval", "", "count(white, 'quen')");
    assert_eq!(status, 400);
    let error = answer["error"].as_str().expect("an error");
    assert!(
        error.contains("column 14") && error.contains("'quen'"),
        "{error}"
    );
    assert_eq!(answer["help"], "did you mean 'queen'?");
    assert_eq!(get("states", "", "drawn").0, 404);
    let (_, job) = server.post("/api/graph", &json!({"variant": "bachelor", "fen": fen}));
    assert_eq!(server.ended(&job)["result"]["states"], 14_104);
    // The counts of `explore --count`.
    for (expression, count) in [
        ("drawn", 228),
        ("won(white, 'marriage')", 726),
        ("value == 'loss'", 6034),
        ("check && depth == 5", 186),
    ] {
        let (_, answer) = get("states", "", expression);
        assert_eq!(answer["count"], count, "{expression}: {answer}");
        assert_eq!(
            answer["fens"].as_array().expect("a list").len(),
            count.min(200),
            "{expression}"
        );
    }
    assert_eq!(get("eval", "", "value").1["text"], "win");
    assert_eq!(get("states", "", "size(turns)").0, 400, "not a condition");
}

/// Expressions that take long leave threads for other requests.
#[test]
fn heavy_expressions_hold_up_no_other_request() {
    let server = Server::start();
    let heavy = "squares.all(a, squares.all(b, squares.all(c, squares.all(d, squares.all(g, \
                 squares.all(i, a != b || true))))))";
    let path = format!("/api/eval?variant=fide&expression={}", encoded(heavy));
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    let streams: Vec<_> = (0..6).map(|_| server.sent(request.as_bytes())).collect();
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    assert_eq!(server.get("/api/position?variant=fide").0, 200);
    assert_eq!(server.get("/api/variants").0, 200);
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    // Their threads are free once their clients are gone.
    drop(streams);
    assert_eq!(server.get("/api/eval?variant=fide&expression=check").0, 200);
    assert!(
        begun.elapsed() < Duration::from_secs(15),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn variants_are_compared() {
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
fn all_probes_are_answered_under_load() {
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
fn thousand_malformed_requests_start_no_work_and_no_panic() {
    let server = Server::start();
    let asked = "{\"variant\":\"fide\",\"depth\":\"1\"}";
    let length = format!("Content-Length: {}", asked.len());
    let good = format!(
        "POST /api/perft HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{length}\r\n\r\n{asked}",
        server.host
    );
    let mut random = Random(7);
    let altered = |part: &str, other: &str| good.replace(part, other).into_bytes();
    let began = |text: &str| text.contains("\"job\"");
    for n in 0..1000 {
        let mut bytes = good.clone().into_bytes();
        match n % 8 {
            // Cut short, but for the last byte at least.
            0 => bytes.truncate(random.below(bytes.len())),
            // A byte of the first line that is no text.
            1 => bytes[random.below(24)] = 0x80 | random.below(128) as u8,
            2 => bytes.splice(0..4, *b"\0\0\0\0").for_each(drop),
            3 => bytes = altered("Host: 127.0.0.1", "Host: 127.0.0.2"),
            4 => {
                let lengths = ["-1", "99999999999999999999", "0x2a", "4 2"];
                let wrong = format!("Content-Length: {}", lengths[random.below(4)]);
                bytes = altered(&length, &wrong);
            }
            5 => {
                let names = ["\"depth", "depth\"", "{\"depth\"", "\"a\""];
                bytes = altered("\"depth\"", names[random.below(4)]);
            }
            6 => {
                let versions = ["HTTP/9.9", "HTTP", "", "HTTP/1.1 x"];
                bytes = altered("HTTP/1.1", versions[random.below(4)]);
            }
            _ => {
                bytes = (0..random.below(300))
                    .map(|_| random.below(256) as u8)
                    .collect()
            }
        }
        let text = server.cut(&bytes);
        assert!(
            !began(&text),
            "{n}: {:?}\n{text}",
            String::from_utf8_lossy(&bytes)
        );
        assert!(!text.contains(" 500 "), "{n}: {text}");
    }
    let (_, job) = server.post("/api/perft", &json!({"variant": "fide", "depth": "1"}));
    assert!(job["job"].is_u64(), "the original request is valid: {job}");
    assert_eq!(server.get("/api/variants").0, 200);
}

#[test]
fn port_in_use_is_reported() {
    let server = Server::start();
    let port = server.host.rsplit(':').next().expect("a port");
    holds(
        &refusal(&["serve", "--port", port]),
        &["--port", "cannot listen on port"],
    );
}

/// A table of four units with many states, whose plan takes seconds.
const LONG_PLAN: &str = "8/N7/3k4/8/K5pQ/8/8/8 w - - 0 1";

#[test]
#[cfg(target_os = "linux")]
fn forty_plans_hold_up_no_request_and_end_with_their_clients() {
    let server = Server::start();
    let fields = json!({"variant": "spartan", "fen": LONG_PLAN});
    let request = server.posted("/api/plan", &fields);
    let mut clients: Vec<TcpStream> = Vec::new();
    for _ in 0..40 {
        clients.push(server.sent(request.as_bytes()));
    }
    let asked = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.get("/api/position?variant=fide").0, 200);
    }
    let elapsed = asked.elapsed();
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
    let plans = clients.into_iter().map(read_to_end);
    let (started, refused): (Vec<String>, Vec<String>) =
        plans.partition(|answer| answer.contains("\"job\""));
    assert!(started.len() >= 2, "{refused:?}");
    assert!(
        refused.iter().all(|answer| answer.contains(" 429 ")),
        "{refused:?}"
    );
    // Jobs without requests are cancelled after 15 seconds.
    std::thread::sleep(Duration::from_secs(17));
    server.assert_idle(2);
    let (_, job) = server.post("/api/perft", &json!({"variant": "fide", "depth": 1}));
    assert_eq!(server.ended(&job)["result"]["nodes"], 20);
}

#[test]
#[cfg(target_os = "linux")]
fn job_without_requests_is_cancelled() {
    let server = Server::start();
    let (_, job) = server.post("/api/perft", &json!({"variant": "fide", "depth": 12}));
    std::thread::sleep(Duration::from_secs(17));
    server.assert_idle(1);
    assert_eq!(server.ended(&job)["state"], "cancelled");
}

#[test]
#[cfg(target_os = "linux")]
fn kept_graphs_stay_within_the_memory_limit() {
    const MEMORY_BYTES: u64 = 96 << 20;
    let server = Server::with_memory("96M");
    let fen = "kqr/3/3/KQR w - - 0 1";
    let variants = [
        "fide",
        "glory",
        "deadline",
        "kingmaker",
        "linkage",
        "submission",
        "triple-check",
        "twilight",
        "ultimate",
        "blunder-mate",
    ];
    let mut solved = 0;
    // Each graph took 6 to 10 MB when its edges were kept too.
    for variant in variants {
        for _ in 0..3 {
            let (_, job) = server.post("/api/graph", &json!({"variant": variant, "fen": fen}));
            let ended = server.ended(&job);
            assert_eq!(ended["state"], "done", "{variant}: {ended}");
            solved += 1;
        }
    }
    let resident = server.resident_bytes();
    assert!(
        resident < MEMORY_BYTES + (48 << 20),
        "{} MiB after {solved} graphs",
        resident >> 20
    );
}

#[test]
fn squares_of_positions_come_from_the_server() {
    let server = Server::start();
    let fen = "4k/1S3/5/5/K4[] w - - 0 1";
    let path = format!(
        "/api/position?variant=minishogi&fen={}&line=b4b5%2B",
        encoded(fen)
    );
    let (_, answer) = server.get(&path);
    let expected = json!([
        {"square": "a1", "unit": "K", "side": "w"},
        {"square": "b5", "unit": "+S", "side": "w"},
        {"square": "e5", "unit": "K", "side": "b"},
    ]);
    assert_eq!(answer["squares"], expected, "{answer}");
}

#[test]
fn positions_are_edited_by_the_server() {
    let server = Server::start();
    let edit = |fen: &str, change: &str| {
        let path = format!(
            "/api/edit?variant=fide&fen={}&change={change}",
            encoded(fen)
        );
        server.get(&path)
    };
    let (_, put) = edit("7k/8/8/8/8/8/8/K7 w - - 0 1", "put&square=h1&unit=R");
    assert_eq!(put["fen"], "7k/8/8/8/8/8/8/K6R w - - 0 1");
    assert!(
        put["error"].as_str().is_some_and(|why| why.contains("h8")),
        "{put}"
    );
    assert_eq!(
        put["squares"][1],
        json!({"square": "h1", "unit": "R", "side": "w"})
    );
    let (_, side) = edit(put["fen"].as_str().expect("a FEN"), "side");
    assert_eq!(
        (&side["fen"], &side["error"]),
        (&json!("7k/8/8/8/8/8/8/K6R b - - 0 1"), &Value::Null)
    );
    let (_, clear) = edit(side["fen"].as_str().expect("a FEN"), "clear");
    assert_eq!(clear["fen"], "7k/8/8/8/8/8/8/K7 b - - 0 1");
    for wrong in ["put&square=i9&unit=R", "put&unit=R", "nosuch"] {
        let (status, answer) = edit("7k/8/8/8/8/8/8/K7 w - - 0 1", wrong);
        assert!(
            status == 400 && answer["error"].is_string(),
            "{wrong}: {status} {answer}"
        );
    }
}

#[test]
fn material_names_all_units() {
    let server = Server::start();
    for (variant, material) in [
        ("shogi", "KRBGGSSNNLLPPPPPPPPPvKRBGGSSNNLLPPPPPPPPP"),
        ("xiangqi", "16v16"),
        ("fide", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"),
    ] {
        let (_, answer) = server.get(&format!("/api/position?variant={variant}"));
        let shown = answer["signature"]
            .as_str()
            .expect("a signature")
            .to_string();
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().collect();
            letters.sort_unstable();
            letters
        };
        let sides: Vec<&str> = shown.split('v').collect();
        match material.split_once('v') {
            Some(("16", _)) => assert!(sides.iter().all(|side| side.len() == 16), "{shown}"),
            Some((white, black)) => {
                assert_eq!(
                    [sorted(sides[0]), sorted(sides[1])],
                    [sorted(white), sorted(black)]
                );
            }
            None => unreachable!("each has two sides"),
        }
    }
    // Units in hand are part of the material of a table.
    let fen = encoded("4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1");
    let (_, answer) = server.get(&format!("/api/position?variant=crazyhouse&fen={fen}"));
    assert_eq!(answer["signature"], "KvK;hand=Nn", "{answer}");
}

#[test]
fn tables_are_offered_only_where_they_can_be_built() {
    let server = Server::start();
    for (variant, fen, offered) in [
        ("fide", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", true),
        ("fide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", false),
        (
            "fide",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            false,
        ),
        ("fide", "R3k3/8/4K3/8/8/8/8/8 b - - 0 1", false),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[RRRnnn] w - - 0 1", false),
    ] {
        let fields = json!({"variant": variant, "fen": fen});
        let (_, answer) = server.get(&format!(
            "/api/position?variant={variant}&fen={}",
            encoded(fen)
        ));
        assert_eq!(
            answer["table"].is_null(),
            offered,
            "{fen}: {}",
            answer["table"]
        );
        let status = server.post("/api/plan", &fields).0;
        assert_eq!(status == 200, offered, "{fen}");
    }
}

#[test]
fn illegal_turn_of_a_line_is_named_by_its_number() {
    let server = Server::start();
    let (status, answer) = server.get("/api/position?variant=fide&line=e2e4,e7e5,e4e5,g1f3");
    assert_eq!((status, &answer["turn"]), (400, &json!(3)), "{answer}");
}

#[test]
fn rules_are_summed_up_and_shown_whole() {
    let server = Server::start();
    let (_, answer) = server.get("/api/rules?variant=bachelor");
    let html = answer["html"].as_str().expect("a text");
    holds(
        html,
        &["married and won", "so does marriage", "<h3>Outcomes</h3>"],
    );
    assert!(!html.contains("Rulings"), "{html}");
    for variant in ["bachelor", "crazyhouse"] {
        let (status, text) = server.request(&format!("GET /rules?variant={variant}"), "", "");
        assert_eq!(status, 200);
        holds(
            &text,
            &[
                "text/html",
                "<h2 id=\"rules\">",
                "<h2 id=\"units\">",
                "/page.css",
            ],
        );
    }
    assert_eq!(server.get("/api/rules?variant=nosuch").0, 400);
}

#[test]
#[cfg(target_os = "linux")]
fn client_that_never_reads_is_disconnected() {
    let server = Server::start();
    let folder = format!("/proc/{}/fd", server.child.id());
    let sockets = || {
        let entries = std::fs::read_dir(&folder).expect("a running server");
        let links = entries.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
        links
            .filter(|link| link.to_string_lossy().starts_with("socket:"))
            .count()
    };
    let before = sockets();
    let request = format!("GET /app.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.host);
    // The answers are larger than the buffers of a connection.
    let client = server.sent(request.repeat(1500).as_bytes());
    while sockets() == before {
        std::thread::sleep(Duration::from_millis(10));
    }
    // The write timeout is 10 seconds.
    let deadline = Instant::now() + Duration::from_secs(60);
    while sockets() > before {
        assert!(Instant::now() < deadline, "the connection is still open");
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(client);
}
