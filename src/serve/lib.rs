//! `serve`: a local page to walk through positions with their values, and the JSON behind it.
//!
//! The server is hyper 1 on one thread of tokio: HTTP/1 alone, with time limits for slow readers and writers,
//! which the smaller servers on plain threads do not have; its larger frameworks bring routers and middleware
//! that a dozen fixed paths do not need, and twice the build time. It is a crate of its own, so that an edit
//! of a command does not compile it again.
//!
//! * [`http`]: what reaches the server and what leaves it: addresses, origins, sizes, times, panics.
//! * [`api`]: the answers, as JSON.
//! * [`session`]: an open game with its tables and solved graphs.
//! * [`jobs`]: long work on threads of its own, bounded in number, that can be cancelled.
//!
//! Nothing of the disk is served: the page, its script and its style sheet are compiled in.

pub mod api;
pub mod http;
pub mod jobs;
pub mod session;

use tables::Store;

/// What the server may use.
#[derive(Clone, Debug)]
pub struct Config {
    /// Tables to look up and to build, if there is a folder for them.
    pub store: Option<Store>,
    /// Memory in bytes for one piece of long work.
    pub memory_bytes: u64,
    /// Threads for one piece of long work.
    pub threads: usize,
}
