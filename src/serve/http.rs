//! What reaches the server and what leaves it.
//!
//! Only this machine's own address is listened to. A request whose `Host` is another name is refused,
//! so that no name that somebody points at this machine gets an answer; one whose `Origin` is another
//! site is refused, too; what begins work has to be JSON, which no other site can send unasked. Heads,
//! bodies, times and connections are bounded. A panic ends its request alone.

use crate::Config;
use crate::api::{App, Asked, Refusal};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio_io_timeout::TimeoutStream;

/// Bytes of a body.
const BODY_BYTES: usize = 64 << 10;
/// Bytes of a head.
const HEAD_BYTES: usize = 32 << 10;
/// How long a head may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER_TIME: Duration = Duration::from_secs(20);
/// How long a client may take to accept the next part of an answer.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// Connections at the same time.
const CONNECTIONS: usize = 128;
/// Requests that wait for an answer at the same time.
const WAITING: usize = 64;
/// Threads that answer.
const THREADS: usize = 4;
/// How often it is looked at whether to stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Scripts, styles and answers of this server alone; nothing of any other place, nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of the page: path, type, content.
const FILES: [(&str, &str, &str); 4] = [
    ("/", "text/html; charset=utf-8", include_str!("page.html")),
    (
        "/app.js",
        "text/javascript; charset=utf-8",
        include_str!("app.js"),
    ),
    (
        "/app.css",
        "text/css; charset=utf-8",
        include_str!("app.css"),
    ),
    ("/icon.svg", "image/svg+xml", include_str!("icon.svg")),
];

type Reply = Response<Full<Bytes>>;

struct Shared {
    app: App,
    port: u16,
    connections: AtomicUsize,
    waiting: AtomicUsize,
}

/// Listens on this port of this machine alone (0: any free one), tells the address, and serves until
/// `stop` is set.
///
/// # Errors
/// If the port cannot be had, or the system gives no threads.
pub fn serve(
    config: Config,
    port: u16,
    stop: &AtomicBool,
    listening: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .thread_stack_size(16 << 20)
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            app: App::new(config),
            port: address.port(),
            connections: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
        });
        listening(address);
        while !stop.load(Ordering::Relaxed) {
            let Ok(accepted) = tokio::time::timeout(LOOK_EVERY, listener.accept()).await else {
                continue;
            };
            let Ok((stream, _)) = accepted else {
                // Out of files, for instance: what is open has to end first.
                tokio::time::sleep(LOOK_EVERY).await;
                continue;
            };
            let slot = Slot::take(&shared, |shared| &shared.connections, CONNECTIONS);
            let Some(slot) = slot else {
                continue;
            };
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                let service = service_fn(|request| answer(Arc::clone(&shared), request));
                // A connection that breaks is its client's affair.
                let mut stream = TimeoutStream::new(stream);
                stream.set_write_timeout(Some(WRITE_TIME));
                let _ = http1::Builder::new()
                    .half_close(true)
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD_TIME)
                    .max_buf_size(HEAD_BYTES)
                    .serve_connection(TokioIo::new(Box::pin(stream)), service)
                    .await;
                drop(slot);
            });
        }
        shared.app.stop();
        Ok::<(), io::Error>(())
    })?;
    runtime.shutdown_timeout(LOOK_EVERY);
    Ok(())
}

/// One of a bounded number of places, given back when it is dropped.
struct Slot {
    shared: Arc<Shared>,
    of: fn(&Shared) -> &AtomicUsize,
}

impl Slot {
    fn take(shared: &Arc<Shared>, of: fn(&Shared) -> &AtomicUsize, most: usize) -> Option<Slot> {
        let taken = of(shared).fetch_add(1, Ordering::Relaxed);
        let slot = Slot {
            shared: Arc::clone(shared),
            of,
        };
        (taken < most).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        (self.of)(&self.shared).fetch_sub(1, Ordering::Relaxed);
    }
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Reply, Infallible> {
    let reply = match respond(shared, request).await {
        Ok(reply) => reply,
        Err(refusal) => json(refusal.status, &refusal.json()),
    };
    Ok(reply)
}

fn json(status: u16, value: &Json) -> Reply {
    reply(status, "application/json", value.to_string())
}

fn reply(status: u16, kind: &'static str, text: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Full::new(text.into()));
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = reply.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    reply
}

/// Returns whether a request is for this server under one of its own names.
fn own_host(headers: &HeaderMap, port: u16) -> bool {
    let hosts: Vec<&HeaderValue> = headers.get_all(header::HOST).iter().collect();
    let [host] = hosts.as_slice() else {
        return false;
    };
    own_names(port)
        .iter()
        .any(|name| host.as_bytes() == name.as_bytes())
}

/// Returns whether a request comes from a page of this server, or from no page at all: browsers name the
/// relation between the page and the address in `Sec-Fetch-Site`, also where they send no `Origin`.
fn own_site(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    sites.all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}

/// Returns whether every `Origin` of a request is this server.
fn own_origin(headers: &HeaderMap, port: u16) -> bool {
    let own = own_names(port).map(|name| format!("http://{name}"));
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.all(|origin| own.iter().any(|own| origin.as_bytes() == own.as_bytes()))
}

fn own_names(port: u16) -> [String; 2] {
    [format!("127.0.0.1:{port}"), format!("localhost:{port}")]
}

async fn respond(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Reply, Refusal> {
    let (head, body) = request.into_parts();
    if !own_host(&head.headers, shared.port) {
        return Err(Refusal::new(
            403,
            "this server answers under its own address alone",
        ));
    }
    if !own_origin(&head.headers, shared.port) || !own_site(&head.headers) {
        return Err(Refusal::new(
            403,
            "this server answers to its own pages alone",
        ));
    }
    let post = match head.method {
        Method::GET => false,
        Method::POST => true,
        _ => return Err(Refusal::new(405, "GET and POST alone are known")),
    };
    let path = head.uri.path().to_string();
    if let Some((_, kind, text)) = FILES.iter().find(|(file, ..)| *file == path) {
        return match post {
            false => Ok(reply(200, kind, *text)),
            true => Err(Refusal::new(405, "GET alone is known here")),
        };
    }
    if path == "/picture.css" {
        return Ok(reply(200, "text/css; charset=utf-8", picture::svg::style()));
    }
    if path == "/symbols.svg" {
        let letters: Vec<char> = ('A'..='Z').collect();
        return Ok(reply(200, "image/svg+xml", picture::svg::symbols(&letters)));
    }
    let values = match post {
        false => decoded(head.uri.query().unwrap_or(""))?,
        true => {
            let kind = head.headers.get(header::CONTENT_TYPE);
            let is_json = kind.is_some_and(|kind| {
                let kind = kind.as_bytes().split(|b| *b == b';').next().unwrap_or(&[]);
                kind.trim_ascii().eq_ignore_ascii_case(b"application/json")
            });
            if !is_json {
                return Err(Refusal::new(415, "the body has to be application/json"));
            }
            let whole = Limited::new(body, BODY_BYTES).collect();
            let whole = tokio::time::timeout(BODY_TIME, whole)
                .await
                .map_err(|_| Refusal::new(408, "the body did not arrive in time"))?
                .map_err(|error| match error.is::<LengthLimitError>() {
                    true => Refusal::new(413, format!("a body has at most {BODY_BYTES} bytes")),
                    false => Refusal::new(400, "the body did not arrive whole"),
                })?;
            object(&whole.to_bytes())?
        }
    };
    let waiting = Slot::take(&shared, |shared| &shared.waiting, WAITING)
        .ok_or_else(|| Refusal::new(503, "too many requests wait"))?;
    let asked = Asked { post, path, values };
    let work = tokio::task::spawn_blocking(move || {
        let answer = waiting.shared.app.answer(&asked);
        drop(waiting);
        answer
    });
    match tokio::time::timeout(ANSWER_TIME, work).await {
        Ok(Ok(answer)) => Ok(json(200, &answer?)),
        Ok(Err(_)) => Err(Refusal::new(500, "the program has made a mistake")),
        Err(_) => Err(Refusal::new(503, "the answer took too long")),
    }
}

/// Returns the fields of a JSON object of texts and whole numbers.
fn object(body: &[u8]) -> Result<BTreeMap<String, String>, Refusal> {
    let wrong = |why: String| Refusal::new(400, format!("the body is wrong: {why}"));
    let object: BTreeMap<String, Json> =
        serde_json::from_slice(body).map_err(|e| wrong(e.to_string()))?;
    let text = |(name, value): (String, Json)| match value {
        Json::String(text) => Ok((name, text)),
        Json::Number(number) => Ok((name, number.to_string())),
        Json::Null => Ok((name, String::new())),
        _ => Err(wrong(format!("`{name}` is neither a text nor a number"))),
    };
    object.into_iter().map(text).collect()
}

/// Returns the names and values of an address.
fn decoded(query: &str) -> Result<BTreeMap<String, String>, Refusal> {
    let wrong = || Refusal::new(400, "the address is not well encoded");
    let text = |part: &str| -> Result<String, Refusal> {
        let mut bytes = Vec::with_capacity(part.len());
        let mut rest = part.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'+' => b' ',
                b'%' => {
                    let digit = |b: Option<u8>| (b? as char).to_digit(16);
                    let high = digit(rest.next()).ok_or_else(wrong)?;
                    let low = digit(rest.next()).ok_or_else(wrong)?;
                    (high * 16 + low) as u8
                }
                byte => byte,
            });
        }
        String::from_utf8(bytes).map_err(|_| wrong())
    };
    let mut values = BTreeMap::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if values.insert(text(name)?, text(value)?).is_some() {
            return Err(Refusal::new(400, "a name stands twice in the address"));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_decoded_or_refused() {
        let values = decoded("a=b%2Bc+d&e=%C3%A9&f").expect("well encoded");
        let expected = [("a", "b+c d"), ("e", "é"), ("f", "")];
        let expected = expected.map(|(name, value)| (name.to_string(), value.to_string()));
        assert_eq!(values, BTreeMap::from(expected));
        for wrong in ["a=%", "a=%4", "a=%zz", "a=%ff", "a=1&a=2"] {
            assert!(decoded(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bodies_are_objects_of_texts_and_numbers() {
        let values = object(br#"{"fen": "x", "depth": 3, "line": null}"#).expect("an object");
        assert_eq!(values["depth"], "3");
        assert_eq!(values["line"], "");
        for wrong in [&b"[]"[..], b"{\"a\": [1]}", b"{", b"", b"\xff"] {
            assert!(object(wrong).is_err());
        }
    }

    #[test]
    fn names_and_sites_of_others_are_refused() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(*name, HeaderValue::from_static(value));
            }
            headers
        };
        assert!(own_host(&headers(&[("host", "127.0.0.1:80")]), 80));
        assert!(own_host(&headers(&[("host", "localhost:80")]), 80));
        for wrong in [
            &[][..],
            &[("host", "evil.example:80")],
            &[("host", "127.0.0.1:81")],
            &[("host", "127.0.0.1:80"), ("host", "evil.example:80")],
        ] {
            assert!(!own_host(&headers(wrong), 80), "{wrong:?}");
        }
        assert!(own_origin(&headers(&[]), 80));
        assert!(own_origin(
            &headers(&[("origin", "http://localhost:80")]),
            80
        ));
        for wrong in [
            "null",
            "http://evil.example",
            "https://localhost:80",
            "http://localhost:81",
        ] {
            assert!(!own_origin(&headers(&[("origin", wrong)]), 80), "{wrong}");
        }
        for (site, own) in [
            ("same-origin", true),
            ("none", true),
            ("same-site", false),
            ("cross-site", false),
        ] {
            assert_eq!(
                own_site(&headers(&[("sec-fetch-site", site)])),
                own,
                "{site}"
            );
        }
        assert!(own_site(&headers(&[])));
    }
}
