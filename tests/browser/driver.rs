//! A browser for the tests: `thirtyfour` speaks WebDriver to the chromedriver that is started here.
//!
//! It is the one kept-up crate for this that asks for no library under a license that is not permissive
//! (`fantoccini` does) and does not build the whole protocol of Chromium's developer tools, which takes
//! minutes (`chromiumoxide`, `headless_chrome`). The tests wait for each answer, so this face waits too:
//! plain HTTP goes through `minreq`, which needs no library that the program does not have.

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use serde_json::{Value, json};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
pub use thirtyfour::Key;
use thirtyfour::session::http::{Body, HttpClient};
use thirtyfour::{By, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver};
use thirtyfour::{ChromiumLikeCapabilities, error::WebDriverError, error::WebDriverResult};
use tokio::runtime::{Builder, Runtime};

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    waiting: Runtime,
    // `None` only while it is being closed.
    session: Option<WebDriver>,
    _driver: Driver,
    _profile: tempfile::TempDir,
}

/// The program between the tests and the browser; ends when this is dropped.
struct Driver {
    child: Child,
    port: u16,
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
    /// Returns the first of the needed programs that is not there.
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

    /// Returns a new browser.
    pub fn open(wish: Wish) -> Browser {
        let driver = Driver::start();
        let profile = tempfile::tempdir().expect("a folder");
        let address = format!("http://127.0.0.1:{}", driver.port);
        let waiting = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let session = waiting
            .block_on(async {
                let asked = wish.capabilities(profile.path())?;
                WebDriver::builder(address, asked).client(Plain).await
            })
            .expect("a browser");
        Browser {
            waiting,
            session: Some(session),
            _driver: driver,
            _profile: profile,
        }
    }

    /// Returns what is asked of the session, when it is answered.
    #[track_caller]
    fn wait<T>(&self, asked: impl AsyncFnOnce(&WebDriver) -> WebDriverResult<T>) -> T {
        let session = self.session.as_ref().expect("an open browser");
        self.waiting
            .block_on(asked(session))
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Goes to an address.
    pub fn go(&self, address: &str) {
        self.wait(async |session| session.goto(address).await);
    }

    /// Returns what a function body of JavaScript returns in the page.
    pub fn script(&self, body: &str) -> Value {
        self.wait(async |session| Ok(session.execute(body, []).await?.json().clone()))
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
        self.wait(async |session| session.find(By::Css(selector)).await?.click().await);
    }

    /// Presses keys, one after the other.
    pub fn press(&self, keys: &[Key]) {
        self.wait(async |session| {
            let chain = session.action_chain();
            let pressed = keys.iter().fold(chain, |chain, key| {
                chain.key_down(key.clone()).key_up(key.clone())
            });
            pressed.perform().await
        });
    }

    /// Asserts that the console shows nothing bad.
    #[track_caller]
    pub fn quiet(&self) {
        let log = self.wait(async |session| session.browser_log().await);
        assert!(log.is_empty(), "{log:?}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser that is not told to end would outlive its driver. There is nobody left to complain to.
        if let Some(session) = self.session.take() {
            let _ = self.waiting.block_on(session.quit());
        }
    }
}

impl Wish {
    /// Returns the wish as chromedriver understands it.
    fn capabilities(
        self,
        profile: &std::path::Path,
    ) -> WebDriverResult<impl Into<thirtyfour::Capabilities>> {
        let (width, height) = self.size;
        let mut asked = DesiredCapabilities::chrome();
        for argument in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            &format!("--user-data-dir={}", profile.display()),
            &format!("--window-size={width},{height}"),
        ] {
            asked.add_arg(argument)?;
        }
        if self.phone {
            let metrics = json!({"width": width, "height": height, "pixelRatio": 2.0});
            let phone = json!({ "deviceMetrics": metrics });
            asked.add_experimental_option("mobileEmulation", phone)?;
        }
        if !self.scripts {
            let blocked = json!({"profile.managed_default_content_settings.javascript": 2});
            asked.add_experimental_option("prefs", blocked)?;
        }
        asked.set_browser_log_level(LoggingPrefsLogLevel::All)?;
        Ok(asked)
    }
}

impl Driver {
    /// Returns a chromedriver that answers.
    fn start() -> Driver {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let child = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let driver = Driver { child, port };
        let until = Instant::now() + PATIENCE;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "chromedriver does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        driver
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// HTTP to a driver on this machine: one request at a time, each on a connection of its own.
struct Plain;

#[async_trait]
impl HttpClient for Plain {
    async fn send(&self, request: Request<Body<'_>>) -> WebDriverResult<Response<Bytes>> {
        let (head, body) = request.into_parts();
        let method = minreq::Method::Custom(head.method.to_string());
        let mut asked =
            minreq::Request::new(method, head.uri.to_string()).with_timeout(PATIENCE.as_secs());
        if let Body::Json(body) = body {
            asked = asked
                .with_header("Content-Type", "application/json")
                .with_body(body.to_string());
        }
        let failed = |error: &dyn std::fmt::Display| WebDriverError::HttpError(error.to_string());
        let answer = asked.send().map_err(|error| failed(&error))?;
        Response::builder()
            .status(answer.status_code)
            .body(answer.into_bytes().into())
            .map_err(|error| failed(&error))
    }

    async fn new(&self) -> Arc<dyn HttpClient> {
        Arc::new(Plain)
    }
}
