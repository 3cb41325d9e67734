use super::answer::{Answer, Failure, Verdict, say};
use super::args::{Memory, Threads, table_folder};
use super::interrupt;
use catalog::Catalog;
use diagnostics::Diagnostic;
use serve::Config;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Serve a local page for walking through positions with their values
///
/// The page is served on this machine only (127.0.0.1) until Ctrl-C. Choose a rule set, start from its
/// array, a FEN, or units placed with the mouse, and play by clicking. Legal turns are listed with their
/// values, best first, if a table or a solved graph has them. The page also solves problems, counts lines
/// and compares rule sets. Its address contains rule set, position and line.
///
/// Solved graphs and tables may take half of --memory; each of at most two computations takes up to a
/// quarter. A computation ends when its page is closed.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof serve --open")]
pub struct Args {
    /// Listen on port N; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 7364)]
    port: u16,
    /// Read and store endgame tables in DIR [default: $FAIRYPROOF_TABLES, or fairyproof/tables in the user's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Open the page in the default browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

/// The program that opens an address in the user's browser.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// The maximum memory in bytes that the server uses if `--memory` is not given. Each job may use a quarter.
const DEFAULT_MEMORY_BYTES: u64 = 4 << 30;

impl Args {
    /// Serves the page until the command is interrupted. Writes its address to `out`.
    pub fn run(&self, catalog: &Arc<Catalog>, out: &mut dyn Write) -> Answer {
        let config = Config {
            catalog: Arc::clone(catalog),
            store: match &self.tables {
                Some(folder) => Some(table_folder(Some(folder.clone()))?),
                None => table_folder(None).ok(),
            },
            memory_bytes: self.memory.bytes_or_at_most(DEFAULT_MEMORY_BYTES),
            threads: self.threads.count(),
        };
        let mut written: std::io::Result<()> = Ok(());
        let report = |address: std::net::SocketAddr| {
            let page = format!("http://{address}/");
            written = writeln!(out, "{page}").and_then(|()| out.flush());
            if self.open {
                let mut opener = Command::new(OPENER);
                opener
                    .arg(&page)
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null());
                if let Err(error) = opener.spawn() {
                    say(&format!("`{OPENER}` cannot be started: {error}"));
                }
            }
        };
        serve::http::serve(config, self.port, interrupt::flag(), report).map_err(|error| {
            Diagnostic::new(
                "--port",
                format!("cannot listen on port {}: {error}", self.port),
            )
            .help("another port, or 0 for any free one")
        })?;
        written.map_err(Failure::from)?;
        Ok(Verdict::Interrupted)
    }
}
