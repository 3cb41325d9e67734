//! `serve`: a local page for walking through positions with their values, and the JSON API behind it.
//!
//! The server is axum with tower's middleware, over hyper's HTTP/1 on one tokio thread. Connections are
//! accepted here, because axum's own loop has no limits for slow readers and writers. The server never
//! listens on another address than 127.0.0.1 and never serves files from disk: the page, its script and
//! its style sheet are compiled in.
//!
//! * [`http`]: connections, the checks that each request passes, routes, timeouts.
//! * `api`: the answers, as JSON.
//! * `view`: the JSON of a position.
//! * `expressions`: the value of an expression at a position, and the states for which it holds.
//! * `request`: the fields of requests, and refusals.
//! * `session`: an open game with its tables and solved graphs, within the memory limit.
//! * `jobs`: long computations on their own threads; bounded in number, cancelled when no client
//!   requests their state.

mod api;
mod expressions;
pub mod http;
mod jobs;
mod request;
mod session;
mod view;

use catalog::Catalog;
use std::sync::Arc;
use tables::Store;

/// The resources of the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The rule sets that requests can name.
    pub catalog: Arc<Catalog>,
    /// Folder of endgame tables; without one, tables are kept in memory only.
    pub store: Option<Store>,
    /// Memory in bytes. Solved graphs and tables may take half of it, each of the
    /// `jobs::MAX_RUNNING` jobs a quarter.
    pub memory_bytes: u64,
    /// Threads of one job.
    pub threads: usize,
}

impl Config {
    /// Returns the memory in bytes that one job may use.
    pub fn job_bytes(&self) -> u64 {
        self.memory_bytes / 4
    }
}
