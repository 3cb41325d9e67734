//! The arguments of `table` and of its commands.

use crate::args::{Expected, FormatArg, Threads, VariantArg, WorkArgs};
use board::{Color, Geometry, MAX_FILES, MAX_RANKS};
use diagnostics::whole_number;
use std::path::PathBuf;
use std::time::Duration;
use tables::{Counting, Extreme};
use thiserror::Error;

/// Endgame tables: every placement of some units with its value and distance
///
/// SIGNATURE names the units, White's first: `KRvK`. After a `;` it may name a state: `KNvK;bound=Nn` in
/// Chromopolis. A table is built with all tables that captures, promotions and other changes of its units
/// lead to. Positions in tables have no castling rights.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof table build bachelor KRvK\n  \
    fairyproof table stats bachelor KRvK\n  fairyproof table longest bachelor KRvK")]
pub struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Folder of the tables [default: $FAIRYPROOF_TABLES, or fairyproof/tables in the user's cache]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) tables: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Build a table and all tables that it depends on
    ///
    /// Tables on disk are used. Ctrl-C keeps the finished tables (exit code 130). A table that does not fit
    /// in memory is refused, or built in files: see --disk.
    #[command(
        after_help = "Examples:\n  fairyproof table build bachelor KRvK\n  fairyproof table build fide KQvKR --values-only"
    )]
    Build(BuildArgs),
    /// Count wins, draws and losses over all placements
    #[command(after_help = "Example:\n  fairyproof table stats bachelor KRvK --format csv")]
    Stats(Stats),
    /// The value of a position, then its turns with their values, best first
    #[command(
        after_help = "Example:\n  fairyproof table probe fide \"8/8/8/3k4/8/8/8/KQ6 w - - 0 1\""
    )]
    Probe(ProbeArgs),
    /// The longest win, or loss, played out
    #[command(
        after_help = "Examples:\n  fairyproof table longest bachelor KRvK\n  fairyproof table longest bachelor KRvK --losses"
    )]
    Longest(Longest),
    /// Compare every position with its successors, without the builder's code
    ///
    /// So too the positions of all other material and states that they lead to. Exit code 1 if anything is
    /// wrong.
    #[command(after_help = "Example:\n  fairyproof table check bachelor KRvK")]
    Check(Build),
    /// List or count the positions of a table for which an expression holds
    ///
    /// Positions with either side to move, each with its value for the side to move and the distance in
    /// plies; symmetric positions are positions of their own, unless `--reduced` is given. The expression may use `value`, `plies` and
    /// `flip`, which is the position with the other side to move. The exit code is 1 if no position is found.
    #[command(
        after_help = "Examples:\n  fairyproof table find fide KRvK \"value == 'loss' && plies == 0\" --count\n  \
                      fairyproof table find fide KPvK \"value == 'loss' && flip.value == 'loss'\""
    )]
    Find(Find),
    /// The tables on disk
    ///
    /// Each with `yes` if it can be used, `empty` if no position of it is legal, `outdated` if it was built with other
    /// rules, `unknown` if its rule set is not known. An invalid file is an error (exit code 2).
    #[command(after_help = "Example:\n  fairyproof table list")]
    List(List),
}

#[derive(clap::Args)]
pub(crate) struct Which {
    #[command(flatten)]
    pub(crate) variant: VariantArg,
    /// The units, White's first, such as `KRvK`
    #[arg(value_name = "SIGNATURE")]
    pub(crate) signature: String,
    /// Size of the board, such as 7x6 [default: the variant's own board]
    #[arg(long, value_name = "FILESxRANKS", value_parser = size)]
    pub(crate) board: Option<Geometry>,
}

#[derive(clap::Args)]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) which: Which,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(clap::Args)]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) build: Build,
    /// Folder for building tables that do not fit in memory
    ///
    /// The whole process stays under --memory; the required space is printed before. After a stop, a kill or
    /// a full disk, the same command continues from there. The folder is empty at the end.
    #[arg(long, value_name = "DIR")]
    pub(crate) disk: Option<PathBuf>,
    /// Write win, draw or loss only, without distances, in small files
    ///
    /// The table and all tables that it depends on are written in this form, and compared with the full ones.
    /// Full tables on disk are used; those that are missing are solved in memory and not stored. `probe`,
    /// `stats` and `find` read such tables; whatever needs distances refuses them.
    #[arg(long, conflicts_with = "disk")]
    pub(crate) values_only: bool,
}

#[derive(clap::Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Count by value and plies instead
    #[arg(long)]
    pub(crate) plies: bool,
    /// Count positions up to symmetry, as published statistics do
    #[arg(long)]
    pub(crate) reduced: bool,
    /// Write the counts to this file, as Parquet
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet: Option<PathBuf>,
    /// Write all positions to this file, as Parquet: key, side, value, plies
    #[cfg(feature = "parquet")]
    #[arg(long, value_name = "FILE")]
    pub(crate) parquet_positions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(clap::Args)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    pub(crate) variant: VariantArg,
    /// Position, or `-` to read one FEN per line from standard input
    #[arg(value_name = "FEN", required_unless_present = "named")]
    pub(crate) fen: Option<String>,
    /// Same as the FEN argument
    #[arg(long = "fen", id = "named", value_name = "FEN", conflicts_with = "fen")]
    pub(crate) named: Option<String>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(clap::Args)]
pub(crate) struct Longest {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Of those with this side to move: `w` (named first in the signature) or `b` [default: both]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    pub(crate) side: Option<Side>,
    /// The longest losses of the side to move instead of its wins
    #[arg(long)]
    pub(crate) losses: bool,
    /// Print every position of the longest win; of symmetric ones, one
    ///
    /// As text, one FEN in each line. CSV and JSON have the line of play too.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

#[derive(clap::Args)]
pub(crate) struct Find {
    #[command(flatten)]
    pub(crate) which: Which,
    /// The condition
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) condition: String,
    /// Print the number of positions instead
    #[arg(long)]
    pub(crate) count: bool,
    /// Of positions that a symmetry of the board maps to each other, only one
    #[arg(long)]
    pub(crate) reduced: bool,
    /// Print the value of another expression too; with --count, group by it
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) by: Vec<String>,
    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::solve::seconds)]
    pub(crate) time: Option<Duration>,
    /// Memory for values of tables, such as 512M or 2G; the others stay on disk [default: 64M]
    ///
    /// A table is read from its beginning to its end, so that more memory only helps where the expression reads
    /// the values of other positions.
    #[arg(long, value_name = "SIZE", value_parser = crate::args::size)]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

impl Stats {
    /// Returns how positions are counted.
    pub(crate) fn counting(&self) -> Counting {
        counting(self.reduced)
    }
}

impl Find {
    /// Returns which positions are found.
    pub(crate) fn counting(&self) -> Counting {
        counting(self.reduced)
    }
}

impl Longest {
    /// Returns the values that are searched.
    pub(crate) fn extreme(&self) -> Extreme {
        match self.losses {
            true => Extreme::Loss,
            false => Extreme::Win,
        }
    }
}

fn counting(reduced: bool) -> Counting {
    match reduced {
        true => Counting::Reduced,
        false => Counting::All,
    }
}

#[derive(clap::Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// A side, as FENs name it.
#[derive(Clone, Copy)]
pub(crate) struct Side(pub(crate) Color);

fn side(text: &str) -> Result<Side, Expected> {
    match text {
        "w" => Ok(Side(Color::White)),
        "b" => Ok(Side(Color::Black)),
        _ => Err(Expected("`w` or `b`")),
    }
}

/// The error for an argument that is not the size of a board.
#[derive(Clone, Copy, Debug, Error)]
#[error("files and ranks such as 7x6, up to {MAX_FILES} and {MAX_RANKS}, 128 squares")]
pub(crate) struct WrongBoard;

pub(crate) fn size(text: &str) -> Result<Geometry, WrongBoard> {
    let side = |text: &str| {
        whole_number(text)
            .then(|| text.parse::<u8>().ok())
            .flatten()
    };
    text.split_once('x')
        .and_then(|(files, ranks)| Geometry::new(side(files)?, side(ranks)?, 0, false))
        .ok_or(WrongBoard)
}
