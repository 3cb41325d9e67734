//! The command `serve`: a local page for stepping through positions with their values, and the JSON API that
//! the page uses.
//!
//! The server is axum with tower's middleware, on hyper's HTTP/1 and one tokio thread. This crate accepts
//! connections itself, because axum's own loop has no limits for slow readers and writers. The server listens
//! only on 127.0.0.1 and never serves files from disk: the page, its script and its style sheet are compiled
//! into the program.
//!
//! * [`http`]: connections, the checks that each request passes, routes, timeouts.
//! * `api`: the JSON answers.
//! * `view`: the JSON of a position.
//! * `expressions`: the value of an expression at a position, and the states for which a condition holds.
//! * `request`: the fields of requests, and refusals.
//! * `session`: an open game with its tables and solved graphs, within the memory limit.
//! * `jobs`: long computations on threads of their own. They are limited in number, and cancelled when no
//!   client requests their state.

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
    /// The folder of endgame tables. If `None`, tables are kept only in memory.
    pub store: Option<Store>,
    /// The memory limit in bytes. Solved graphs and tables may take half of it, and each of the
    /// `jobs::MAX_RUNNING` jobs a quarter.
    pub memory_bytes: u64,
    /// The number of threads of one job.
    pub threads: usize,
}

impl Config {
    /// Returns the memory in bytes that one job may use.
    pub fn job_bytes(&self) -> u64 {
        self.memory_bytes / 4
    }
}
