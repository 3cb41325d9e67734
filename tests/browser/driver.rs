//! A browser, driven by the WebDriver protocol: a dozen requests of HTTP with JSON, to chromedriver on this
//! machine.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

/// How the browser is to be.
#[derive(Clone, Copy)]
pub struct Wish {
    /// The window, in pixels.
    pub size: (u32, u32),
    /// Whether it is a phone with a screen of that size.
    pub phone: bool,
    /// Whether scripts of pages run.
    pub scripts: bool,
}

impl Wish {
    /// A window on a desk.
    pub const DESK: Wish = Wish {
        size: (1200, 1000),
        phone: false,
        scripts: true,
    };
}

impl Browser {
    /// The first of the needed programs that is not there.
    pub fn missing() -> Option<&'static str> {
        ["chromedriver", "chromium"].into_iter().find(|program| {
            let mut command = Command::new(program);
            command
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            !command.status().is_ok_and(|status| status.success())
        })
    }

    /// A new browser.
    pub fn open(wish: Wish) -> Browser {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let profile = tempfile::tempdir().expect("a folder");
        let (width, height) = wish.size;
        let mut options = json!({"args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage",
            format!("--user-data-dir={}", profile.path().display()),
            format!("--window-size={width},{height}"),
        ]});
        if wish.phone {
            options["mobileEmulation"] =
                json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2.0}});
        }
        if !wish.scripts {
            options["prefs"] = json!({"profile.managed_default_content_settings.javascript": 2});
        }
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
            _profile: profile,
        };
        let until = Instant::now() + PATIENCE;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        let asked = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let made = browser.call("POST", "/session", Some(asked));
        let id = made["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"));
        browser.session = format!("/session/{id}");
        browser
    }

    /// Asks the driver; its answer.
    fn call(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let body = body.map_or(String::new(), |body| body.to_string());
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .expect("it is sent");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a head");
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().expect("a length");
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).expect("a body");
        let mut answer: Value = serde_json::from_slice(&bytes).expect("JSON");
        answer["value"].take()
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.call("POST", &format!("{}{path}", self.session), Some(body));
        assert!(answer["error"].is_null(), "{path}: {answer}");
        answer
    }

    /// Goes to an address.
    pub fn go(&self, address: &str) {
        self.post("/url", json!({ "url": address }));
    }

    /// What a function body of JavaScript returns in the page.
    pub fn script(&self, body: &str) -> Value {
        self.post("/execute/sync", json!({"script": body, "args": []}))
    }

    /// Waits until an expression of JavaScript is true.
    #[track_caller]
    pub fn until(&self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        let body = format!("return Boolean({expression})");
        while self.script(&body) != true {
            let error = "return document.getElementById('error')?.textContent";
            assert!(
                Instant::now() < until,
                "{expression}: {}",
                self.script(error)
            );
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Clicks the first element that a selector finds, as a mouse does.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let found = self.post(
            "/element",
            json!({"using": "css selector", "value": selector}),
        );
        let id = found.as_object().and_then(|o| o.values().next()?.as_str());
        let id = id.unwrap_or_else(|| panic!("{selector}: {found}"));
        self.post(&format!("/element/{id}/click"), json!({}));
    }

    /// Presses keys, one after the other.
    pub fn press(&self, keys: &[char]) {
        let actions: Vec<Value> = keys
            .iter()
            .flat_map(|key| {
                ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()}))
            })
            .collect();
        self.post(
            "/actions",
            json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}),
        );
    }

    /// Asserts that the console shows nothing bad.
    #[track_caller]
    pub fn quiet(&self) {
        let log = self.post("/se/log", json!({"type": "browser"}));
        assert_eq!(log, json!([]));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.call("DELETE", &self.session, None);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Keys as WebDriver names them.
pub const LEFT: char = '\u{e012}';
pub const UP: char = '\u{e013}';
pub const RIGHT: char = '\u{e014}';
pub const ENTER: char = '\u{e007}';
pub const TAB: char = '\u{e004}';
