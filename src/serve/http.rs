//! Connections, the checks that each request passes, routes and timeouts.
//!
//! Security rests on four checks. A request whose `Host` is not this server is refused, so a foreign name
//! that resolves to this machine gets no answer (DNS rebinding). A request whose `Origin` or `Sec-Fetch-Site`
//! names another site is refused. Work starts only on a POST request with a JSON body, which another site
//! cannot send without permission. The sizes of heads and bodies, durations and the number of connections are
//! limited. A request ends when its client disconnects. Clients that send nothing or do not read cannot block
//! others.

use crate::Config;
use crate::api::{self, App, expression_route, route};
use crate::request::Refusal;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, get, post};
use axum::{BoxError, Router, error_handling::HandleErrorLayer};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceBuilder;
use tower::timeout::TimeoutLayer;

/// The maximum size of a request's body, in bytes.
const MAX_BODY_BYTES: usize = 64 << 10;
/// The maximum size of a request's head, in bytes.
const MAX_HEAD_BYTES: usize = 32 << 10;
/// The time within which the head of a request must arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The time within which a request must be read and answered.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The time within which a client must accept the next part of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of open connections. A further connection replaces one that waits for its client.
const MAX_CONNECTIONS: usize = 128;
/// The number of threads that compute answers.
const ANSWER_THREADS: usize = 4;
/// The stack size of each of these threads, in bytes.
const ANSWER_STACK_BYTES: usize = 16 << 20;
/// The interval at which the stop flag and abandoned jobs are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A policy that allows scripts, styles and requests of this server only, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every reply.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Listens on a port of 127.0.0.1 (0 selects a free port), reports the address, and serves until `stop` is
/// set.
///
/// # Errors
/// If the port is not available, or no thread can be started.
pub fn serve(
    config: Config,
    port: u16,
    stop: &AtomicBool,
    listening: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(ANSWER_THREADS)
        .thread_stack_size(ANSWER_STACK_BYTES)
        .build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let app = Arc::new(App::new(config));
        let service = TowerToHyperService::new(router(Arc::clone(&app), address.port()));
        let mut connections = Vec::new();
        listening(address);
        while !stop.load(Ordering::Relaxed) {
            app.jobs.cancel_abandoned();
            let Ok(accepted) = tokio::time::timeout(CHECK_INTERVAL, listener.accept()).await else {
                continue;
            };
            let Ok((stream, _)) = accepted else {
                // Possibly out of file handles. Wait for open connections to end.
                tokio::time::sleep(CHECK_INTERVAL).await;
                continue;
            };
            if !make_room(&mut connections) {
                continue;
            }
            let answering = Arc::new(AtomicBool::new(false));
            let connection = connection(stream, service.clone(), Arc::clone(&answering));
            connections.push(Connection {
                task: tokio::spawn(connection).abort_handle(),
                answering,
            });
        }
        app.jobs.cancel_all();
        Ok::<(), io::Error>(())
    })?;
    runtime.shutdown_timeout(CHECK_INTERVAL);
    Ok(())
}

/// An open connection.
struct Connection {
    task: AbortHandle,
    /// Whether an answer is being computed. If not, the server waits for the client.
    answering: Arc<AtomicBool>,
}

/// Makes room for one more connection. Returns false if every connection is being answered.
fn make_room(connections: &mut Vec<Connection>) -> bool {
    connections.retain(|connection| !connection.task.is_finished());
    if connections.len() < MAX_CONNECTIONS {
        return true;
    }
    let waits = |connection: &Connection| !connection.answering.load(Ordering::Relaxed);
    let Some(oldest) = connections.iter().position(waits) else {
        return false;
    };
    connections.remove(oldest).task.abort();
    true
}

/// Serves one connection to its end.
async fn connection(
    stream: TcpStream,
    service: TowerToHyperService<Router>,
    answering: Arc<AtomicBool>,
) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let service = service_fn(|request: hyper::Request<Incoming>| {
        // If the body is incomplete, the server still waits for the client.
        answering.store(request.body().is_end_stream(), Ordering::Relaxed);
        let (answer, answering) = (service.call(request), Arc::clone(&answering));
        async move {
            let answer = answer.await;
            answering.store(false, Ordering::Relaxed);
            answer
        }
    });
    // An error concerns only this client, which notices it.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .await;
}

/// Returns all routes, with the checks that precede them.
fn router(app: Arc<App>, port: u16) -> Router {
    let late = |_: BoxError| async {
        let seconds = REQUEST_TIMEOUT.as_secs();
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("the request was not complete or not answered within {seconds} seconds"),
        )
    };
    const CSS: &str = "text/css; charset=utf-8";
    let files = [
        ("/", "text/html; charset=utf-8", include_str!("page.html")),
        (
            "/app.js",
            "text/javascript; charset=utf-8",
            include_str!("app.js"),
        ),
        ("/app.css", CSS, include_str!("app.css")),
        ("/icon.svg", "image/svg+xml", include_str!("icon.svg")),
        ("/picture.css", CSS, picture::svg::style()),
        ("/page.css", CSS, picture::PAGE_STYLE),
    ];
    let pages = files
        .into_iter()
        .fold(Router::new(), |pages, (path, media_type, text)| {
            pages.route(path, page_file(media_type, text))
        });
    pages
        .route("/symbols.svg", get(symbols))
        .route("/rules", get(api::rules_page))
        .route("/api/rules", route(MethodFilter::GET, api::rules_summary))
        .route("/api/edit", route(MethodFilter::GET, api::edit))
        .route("/api/variants", get(api::variants))
        .route("/api/position", route(MethodFilter::GET, api::position))
        .route("/api/compare", route(MethodFilter::GET, api::compare))
        .route("/api/eval", expression_route(api::eval))
        .route("/api/states", expression_route(api::states))
        .route("/api/job", get(api::job))
        .route("/api/plan", route(MethodFilter::POST, api::plan_table))
        .route("/api/solve", route(MethodFilter::POST, api::solve))
        .route("/api/table", route(MethodFilter::POST, api::table))
        .route("/api/graph", route(MethodFilter::POST, api::graph))
        .route("/api/perft", route(MethodFilter::POST, api::perft))
        .route("/api/cancel", post(api::cancel))
        .fallback(|| async { Refusal::new(StatusCode::NOT_FOUND, "there is no such path") })
        .method_not_allowed_fallback(|| async {
            let error = "this path does not answer this method";
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error)
        })
        .with_state(app)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(
            ServiceBuilder::new()
                .layer(map_response(with_headers))
                .layer(from_fn_with_state(port, only_from_own_pages))
                .layer(HandleErrorLayer::new(late))
                .layer(TimeoutLayer::new(REQUEST_TIMEOUT)),
        )
}

/// Returns the route of a file that is compiled into the program.
fn page_file(media_type: &'static str, text: &'static str) -> MethodRouter<Arc<App>> {
    get(move || async move { ([(header::CONTENT_TYPE, media_type)], text) })
}

async fn symbols() -> impl IntoResponse {
    let svg = picture::svg::symbols(&picture::svg::all_symbols());
    ([(header::CONTENT_TYPE, "image/svg+xml")], svg)
}

async fn with_headers(mut response: Response) -> Response {
    response.headers_mut().extend(HEADERS);
    response
}

/// Refuses requests with another host name or from the page of another site.
async fn only_from_own_pages(State(port): State<u16>, request: Request, next: Next) -> Response {
    let refused = |error| Refusal::new(StatusCode::FORBIDDEN, error).into_response();
    if !is_own_host(request.headers(), port) {
        return refused("this server answers only under its own address");
    }
    if !is_own_origin(request.headers(), port) || !is_own_site(request.headers()) {
        return refused("this server answers only to its own pages");
    }
    next.run(request).await
}

/// Returns the names under which this server answers.
fn own_names(port: u16) -> [String; 2] {
    [format!("127.0.0.1:{port}"), format!("localhost:{port}")]
}

/// Returns whether a request has exactly one `Host` header, which is one of the server's own names.
fn is_own_host(headers: &HeaderMap, port: u16) -> bool {
    let hosts: Vec<&HeaderValue> = headers.get_all(header::HOST).iter().collect();
    let [host] = hosts.as_slice() else {
        return false;
    };
    own_names(port)
        .iter()
        .any(|name| host.as_bytes() == name.as_bytes())
}

/// Returns whether every `Origin` header of a request is this server. A request without `Origin` passes.
fn is_own_origin(headers: &HeaderMap, port: u16) -> bool {
    let own = own_names(port).map(|name| format!("http://{name}"));
    let mut origins = headers.get_all(header::ORIGIN).iter();
    origins.all(|origin| own.iter().any(|own| origin.as_bytes() == own.as_bytes()))
}

/// Returns whether a request comes from a page of this server or directly from the user. In `Sec-Fetch-Site`,
/// browsers state the relation between page and address even if they do not send `Origin`.
fn is_own_site(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    sites.all(|site| site == "same-origin" || site == "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_names_and_sites_are_refused() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.append(*name, HeaderValue::from_static(value));
            }
            headers
        };
        assert!(is_own_host(&headers(&[("host", "127.0.0.1:80")]), 80));
        assert!(is_own_host(&headers(&[("host", "localhost:80")]), 80));
        for wrong in [
            &[][..],
            &[("host", "evil.example:80")],
            &[("host", "127.0.0.1:81")],
            &[("host", "127.0.0.1:80"), ("host", "evil.example:80")],
        ] {
            assert!(!is_own_host(&headers(wrong), 80), "{wrong:?}");
        }
        for (origin, own) in [
            ("http://localhost:80", true),
            ("http://127.0.0.1:80", true),
            ("null", false),
            ("http://evil.example", false),
            ("https://localhost:80", false),
            ("http://localhost:81", false),
        ] {
            let headers = headers(&[("origin", origin)]);
            assert_eq!(is_own_origin(&headers, 80), own, "{origin}");
        }
        for (site, own) in [
            ("same-origin", true),
            ("none", true),
            ("same-site", false),
            ("cross-site", false),
        ] {
            let headers = headers(&[("sec-fetch-site", site)]);
            assert_eq!(is_own_site(&headers), own, "{site}");
        }
        assert!(is_own_origin(&headers(&[]), 80) && is_own_site(&headers(&[])));
    }
}
