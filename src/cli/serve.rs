use super::answer::{Answer, Failure, Verdict, say};
use super::args::{Memory, Threads, table_folder};
use super::interrupt;
use diagnostics::InputError;
use serve::Config;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Serve a local page to walk through positions with their values
///
/// The page is on this machine alone (127.0.0.1) until Ctrl-C. There one chooses a rule set, starts
/// from its array, a FEN, or units placed with the mouse, and plays by clicking; turns stand with their
/// values, best first, where a table or a solved graph has them. Problems are solved, lines counted,
/// rule sets compared. The address of the page holds rule set, position and line.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof serve --open")]
pub struct Args {
    /// Port; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = 7364)]
    port: u16,
    /// Folder of the tables [default: $FAIRYPROOF_TABLES, or fairyproof/tables in the user's cache]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Open the page in the browser
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

/// The most memory that one piece of work takes where none is named.
const USUAL_MEMORY_BYTES: u64 = 1 << 30;

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let usual = self.memory.bytes().min(USUAL_MEMORY_BYTES);
        let config = Config {
            store: match &self.tables {
                Some(folder) => Some(table_folder(Some(folder.clone()))?),
                None => table_folder(None).ok(),
            },
            memory_bytes: self.memory.memory.unwrap_or(usual),
            threads: self.threads.count(),
        };
        let mut told: std::io::Result<()> = Ok(());
        let tell = |address: std::net::SocketAddr| {
            let page = format!("http://{address}/");
            told = writeln!(out, "{page}").and_then(|()| out.flush());
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
        serve::http::serve(config, self.port, interrupt::flag(), tell).map_err(|error| {
            InputError::new(
                "--port",
                format!("{} cannot be served on: {error}", self.port),
            )
            .help("another port, or 0 for any free one")
        })?;
        told.map_err(Failure::from)?;
        Ok(Verdict::Interrupted)
    }
}
