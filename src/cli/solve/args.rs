//! The arguments of `solve`, and the search limits that they set.

use crate::args::{Expected, FormatArg, TablesOption, WorkArgs};
use crate::interrupt;
use crate::picture::SvgOption;
use control::{Control, Observer};
use problems::Limits;
use std::path::PathBuf;
use std::time::Duration;

/// Solve a position: all keys or lines, with the whole play
///
/// STIPULATION is written in the grammar of chess problems: `#3` (checkmate in three), `s#3` (selfmate),
/// `r#2`, `semi-r#2` (reflexmates), `h#2`, `h#2.5` (helpmates; the side to move begins), `hs#3`, `hr#2`,
/// `ser-#5`, `ser-h#4`, `ser-s#3`, `2->ser-h#4` (the other side makes one or two turns before the series).
/// Other goals than `#`: `=` stalemate, `#=` either, `##` double mate, `+` check, `x` capture, `zd4` a unit goes
/// to d4, `~` any turn. In words: `win 3`, `h-win 2`, and every reason of the rule set, such as `marriage 3`;
/// `goal 3` with `--goal`. Moves are counted; a turn of several steps is one.
///
/// The position may be a board alone (`8/8/8/p7/Q7/2Kp4/b2P4/k7`): the stipulation determines the side that
/// begins. `S` is a knight, unless the variant has another unit with this letter.
///
/// In direct, self and reflex play, all keys are found, also those that need fewer moves; in help and series
/// play, all lines, also shorter ones.
///
/// Printed are the keys, every threat with its continuation, the variations, and tries (with `--tries`)
/// with the play they allow. A turn is a variation if it parries a threat; in zugzwang every turn is.
/// `--all` prints the other turns too. `(dual)` marks more than one best continuation, not all of them
/// threatened. `--brief` leaves out the play after threats and tries. JSON always contains all play;
/// turns that do not parry have the field `unparried`.
///
/// With `-` each line of standard input is solved; JSON is then one array, CSV has one header.
///
/// With `--suite` the rows of a CSV file with the columns variant,fen,stipulation,solutions,keys
/// (an empty fen is the start; keys joined by blanks; others are ignored) are solved and compared;
/// rows that differ are printed as CSV with a last column `solved`, and the exit code is then 1.
///
/// With `--check`, solutions stored with `--format json` are verified by the rules alone. In a tree,
/// every defense has its continuation; in a line, every turn is legal; the goal is reached in time;
/// counts, keys and verdict agree with the play. Where a file says that there is no solution, a search
/// decides (exit code 3 if a limit stops it). What is not checked is listed on standard error, for example
/// that there is no other solution. The exit code is 1 if a statement is not true.
#[derive(clap::Args)]
#[command(
    override_usage = "fairyproof solve [OPTIONS] <ID> --fen <FEN> <STIPULATION>\n       \
                      fairyproof solve [OPTIONS] --suite <FILE>\n       \
                      fairyproof solve --check <FILE>",
    after_help = "Exit codes: 0 solved; 1 no solution; 3 stopped by a limit.\n\n\
                  Examples:\n  fairyproof solve fide --fen '7k/5K1P/8/6N1/8/8/8/8 w - - 0 1' --goal \"mates && kind == 'knight'\" 'goal 1'\n  \
                  fairyproof solve fide --fen '8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1' '#2'\n  \
                  fairyproof solve bachelor --fen '3k3/Q6/7/7/7/3K3 w - - 0 1' 'marriage 1' --keys"
)]
pub struct Args {
    /// Variant with its options, such as `bachelor` or `spartan:moves=40`
    #[arg(value_name = "ID", required_unless_present_any = ["suite", "check"])]
    pub(super) id: Option<String>,
    /// Stipulation, such as `#2`, `h#3`, `win 3`
    #[arg(value_name = "STIPULATION", required_unless_present_any = ["suite", "check"])]
    pub(super) stipulation: Option<String>,
    /// Position, here or before the stipulation
    #[arg(value_name = "FEN", hide = true, conflicts_with = "fen")]
    pub(super) beside: Option<String>,
    /// Position, or `-` to read one FEN per line from standard input [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub(super) fen: Option<String>,
    /// The goal of `goal N`, `s-goal N`, `h-goal N`, `ser-goal N`: an expression about the last turn, such as
    /// `mates && kind == 'pawn'`
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with_all = ["suite", "check", "tables"])]
    pub(super) goal: Option<String>,
    /// Allow castling by the convention of problems: if king and rook are on their home squares, unless the
    /// position shows that one of them has moved
    #[arg(long, conflicts_with_all = ["suite", "check"])]
    pub(super) castling: bool,
    /// Print only the first turns of all solutions, in byte order
    #[arg(long, conflicts_with_all = ["tries", "set_play", "format"])]
    pub(super) keys: bool,
    /// Also print tries: first turns with a single refutation
    #[arg(long)]
    pub(super) tries: bool,
    /// Also print the set play, in which the other side begins
    #[arg(long)]
    pub(super) set_play: bool,
    /// Print all play: also turns that do not parry the threat
    #[arg(long, conflicts_with_all = ["keys", "brief"])]
    pub(super) all: bool,
    /// Print only the first threat, and no play after threats and tries
    #[arg(long, conflicts_with = "keys")]
    pub(super) brief: bool,
    /// Stop after N keys or lines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_solutions: Option<u32>,
    /// Stop at the first key or line
    #[arg(long, conflicts_with = "max_solutions")]
    pub(super) first: bool,
    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<Duration>,
    /// Solve and compare the rows of this CSV file (`-`: standard input)
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["id", "stipulation", "beside", "fen", "keys", "tries", "set_play", "brief", "format", "svg"])]
    pub(super) suite: Option<String>,
    /// Verify the solutions in FILE, stored with `--format json`
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["id", "stipulation", "beside", "fen", "keys", "tries", "set_play", "brief", "suite", "svg",
                                "all", "format", "max_solutions", "first", "tables"])]
    pub(super) check: Option<String>,
    /// Look endings up in tables
    ///
    /// For `win N`, and `#N` where nothing but checkmate wins; the answer is the same without, if the tables are right.
    #[command(flatten)]
    pub(super) tables: TablesOption,
    #[command(flatten)]
    pub(super) format: FormatArg,
    #[command(flatten)]
    pub(super) svg: SvgOption,
    /// Write diagram, stipulation and solution as a page into FILE
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "check", "keys"])]
    pub(super) html: Option<PathBuf>,
    #[command(flatten)]
    pub(super) work: WorkArgs,
}

/// The default maximum of memory for a search, if the machine has more.
pub(crate) const USUAL_MEMORY_BYTES: u64 = 800 << 20;

impl Args {
    /// Returns the limits of a search.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            solutions: if self.first {
                Some(1)
            } else {
                self.max_solutions.map(|n| n as usize)
            },
            positions: None,
        }
    }

    /// Returns the control of a search that begins now. `observer` receives its progress.
    pub(super) fn control<'o>(&self, observer: &'o dyn Observer) -> Control<'o> {
        let memory = self.work.memory.bytes_or_at_most(USUAL_MEMORY_BYTES);
        interrupt::timed(self.work.control(observer), self.time).with_memory(memory)
    }
}

/// Parses a number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, Expected> {
    text.parse::<f64>()
        .ok()
        .filter(|s| *s > 0.0 && *s <= 1e9)
        .map(Duration::from_secs_f64)
        .ok_or(Expected(
            "it takes a number of seconds above 0, such as 2.5",
        ))
}
