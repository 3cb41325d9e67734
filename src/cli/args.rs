//! Arguments that several commands share.

use super::answer::{Answer, say};
use super::document::Document;
use super::input_lines::{ErrorLines, each_fen};
use super::interrupt;
use super::progress::Bar;
use board::Geometry;
use catalog::Catalog;
use control::{Control, Observer, parallel, process};
use diagnostics::Diagnostic;
use diagnostics::{shortened, whole_number};
use notation::{Setup, fen, with_setup};
use position::Position;
use report::table::{self, Row};
use rules::{Game, Variant};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use tables::Layout;
use tables::{Store, Tables, default_folder};
use thiserror::Error;
use values::Value;

/// The variant.
#[derive(clap::Args, Debug)]
pub struct VariantArg {
    /// Variant with its options, such as `bachelor` or `spartan:moves=40`
    #[arg(value_name = "ID")]
    pub id: String,
}

impl VariantArg {
    /// Opens the variant.
    ///
    /// # Errors
    /// The errors of [`Catalog::open`].
    pub fn open(&self, catalog: &Catalog) -> Result<Variant, Diagnostic> {
        catalog.open(&self.id)
    }
}

/// Opens the variant that a certificate or a stored solution names. `what` is the file's content.
///
/// # Errors
/// The errors of [`Catalog::open`].
pub fn open_stored(catalog: &Catalog, what: &str, id: &str) -> Result<Variant, Diagnostic> {
    let name = id.split(':').next().unwrap_or(id);
    if catalog.has(name) {
        return catalog.open(id);
    }
    let why = format!(
        "it is of the variant `{}`, which is not known",
        shortened(id)
    );
    Err(Diagnostic::new(what, why).help("give the file of its definition with `--rules FILE`"))
}

/// A position as an argument by its place, or as an option.
#[derive(clap::Args, Debug)]
pub struct FenArg {
    /// Position, or `-` to read one FEN per line from standard input [default: the start position]
    #[arg(value_name = "FEN", conflicts_with = "named")]
    fen: Option<String>,
    /// Same as the FEN argument
    #[arg(long = "fen", id = "named", value_name = "FEN")]
    named: Option<String>,
}

impl FenArg {
    /// Returns the text of the argument or of the option.
    pub fn text(&self) -> Option<&str> {
        self.named.as_deref().or(self.fen.as_deref())
    }

    /// Writes a text for each position of this variant. If texts have several lines, an empty line separates
    /// them.
    ///
    /// # Errors
    /// If a position is wrong, or `out` cannot be written to.
    pub fn each_text(
        &self,
        variant: &Variant,
        apart: bool,
        out: &mut dyn Write,
        answer: impl Fn(&Setup) -> Result<String, Diagnostic>,
    ) -> Answer {
        let mut first = true;
        let mut reader = fen::Reader::new(variant);
        each_fen(self.text(), ErrorLines::InPlace, out, |fen, out| {
            if apart && !std::mem::replace(&mut first, false) {
                out.write_all(b"\n")?;
            }
            let text = answer(&read_next_setup(&mut reader, fen)?)?;
            Ok(out.write_all(text.as_bytes())?)
        })
    }
}

/// A position as an option.
#[derive(clap::Args, Debug)]
pub struct FenOption {
    /// Position, or `-` to read one FEN per line from standard input [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
}

/// Returns whether an argument can only be a position: it is `startpos`, a side to move follows its first
/// word, or its first word is a board. Turns can contain `/` too (`Nc6/H`, `O-O/Ee1`, `Be6/Bd7`), so a word
/// with few parts is a board only if its ranks are equally long and do not all end like turns.
pub fn looks_like_fen(text: &str) -> bool {
    const MAX_STEPS: usize = 3;
    let mut words = text.split_ascii_whitespace();
    let first = words.next().unwrap_or("");
    let ends_with_square = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.len() < part.len() && letters.ends_with(|c: char| c.is_ascii_lowercase())
    };
    let is_board = || {
        let mut parts = first.split('/');
        parts.clone().count() > MAX_STEPS
            || fen::shape(first).is_ok() && !parts.all(ends_with_square)
    };
    text == notation::START
        || matches!(words.next(), Some("w" | "b"))
        || first.contains('/') && is_board()
}

/// Reads a position, or the start position if `fen` is `None`. Impossible castling rights and en passant
/// squares are ignored, and a note is printed.
///
/// # Errors
/// If the position cannot be read.
pub fn read_setup(variant: &Variant, fen: Option<&str>) -> Result<Setup, Diagnostic> {
    read_next_setup(&mut fen::Reader::new(variant), fen)
}

/// Like [`read_setup`], but for one of many positions, which share one reader.
///
/// # Errors
/// If the position cannot be read.
pub fn read_next_setup(
    reader: &mut fen::Reader<'_>,
    fen: Option<&str>,
) -> Result<Setup, Diagnostic> {
    let setup = reader.read(fen)?;
    if let Some(text) = fen.filter(|text| *text != notation::START) {
        note_board(reader.variant(), text);
        with_setup!(&setup, start => {
            for note in catalog::losses(start.game.as_ref(), &start.position, text) {
                say(&note);
            }
        });
    }
    Ok(setup)
}

/// Prints a note if a FEN probably belongs to another game: its board is the usual one although the variant
/// has its own, or the variant's own with other holes. Boards of other sizes are assumed to be intended.
fn note_board(variant: &Variant, text: &str) {
    const USUAL: [u8; 2] = [8, 8];
    let size = |g: &Geometry| [g.files(), g.ranks()];
    let (Ok(found), Ok(own)) = (fen::shape(text), fen::shape(&variant.start())) else {
        return;
    };
    let other_holes = size(&found) == size(&own) && found.holes() != own.holes();
    let usual = size(&found) == USUAL && size(&own) != USUAL;
    if other_holes || usual {
        let holes = if other_holes { " with other holes" } else { "" };
        say(&format!(
            "note: the board is {}; that of `{variant}` is {}{holes}",
            found.size(),
            own.size()
        ));
    }
}

/// The format of an answer that is a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// Human-readable text
    #[default]
    Text,
    /// Comma-separated, a header line first
    Csv,
    /// An array of objects
    Json,
}

/// `--format`.
#[derive(clap::Args, Debug)]
pub struct FormatArg {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

impl FormatArg {
    /// Returns an empty document of this format.
    pub fn document(&self) -> Document {
        Document::new(self.format)
    }

    /// Writes a table.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write<R: Row>(&self, rows: &[R], out: &mut dyn Write) -> std::io::Result<()> {
        match self.format {
            Format::Text => table::text(rows, out),
            Format::Csv => table::csv(rows, out),
            Format::Json => table::json(rows, out),
        }
    }

    /// Writes a table in which each row is one line of text.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_lines<R: Row>(
        &self,
        rows: &[R],
        text: impl Fn(&R) -> String,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        match self.format {
            Format::Text => (rows.iter()).try_for_each(|row| writeln!(out, "{}", text(row))),
            _ => self.write(rows, out),
        }
    }
}

/// `--tables`.
#[derive(clap::Args, Debug)]
pub struct TablesOption {
    /// Look endings up in the tables that exist, in DIR or the default folder
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true,
          default_missing_value = "")]
    pub tables: Option<OsString>,
}

impl TablesOption {
    /// Returns the tables of a game if the option is given.
    ///
    /// # Errors
    /// If the folder of tables cannot be opened.
    pub fn of<W: Layout>(&self, game: &Arc<dyn Game<W>>) -> Result<Option<Tables<W>>, Diagnostic> {
        let Some(folder) = &self.tables else {
            return Ok(None);
        };
        let named = Some(folder).filter(|folder| !folder.is_empty());
        let store = table_folder(named.map(PathBuf::from))?;
        Ok(Some(Tables::new(Arc::clone(game), Some(store))))
    }

    /// Returns an additional line for an answer: the value of a position in the tables with its distance in
    /// plies, or `no-table`. Returns an empty text if the option is not given.
    ///
    /// # Errors
    /// If a table is damaged or cannot be read.
    pub fn line<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        p: &Position<W>,
    ) -> Result<String, Diagnostic> {
        let Some(tables) = self.of(game)? else {
            return Ok(String::new());
        };
        let value = tables.value(p)?;
        if value.is_none() && tables.holds_values_only(p)? {
            say("note: the table has values only, no distances; `table probe` reads it");
        }
        Ok(value_line(value))
    }
}

/// Returns the line for the value from a table.
pub fn value_line(value: Option<Value>) -> String {
    match value {
        Some(value) => format!("{value}\n"),
        None => "no-table\n".to_string(),
    }
}

/// Opens the given folder of tables, or else the default folder.
///
/// # Errors
/// If no folder is given and no default exists.
pub fn table_folder(named: Option<PathBuf>) -> Result<Store, Diagnostic> {
    match named.or_else(default_folder) {
        Some(folder) => Ok(Store::new(folder)),
        None => Err(Diagnostic::new("--tables", "there is no folder for tables")
            .help("name one, or set FAIRYPROOF_TABLES")),
    }
}

/// `--threads`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Threads {
    /// Threads to use [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = within(1, MAX_THREADS))]
    pub threads: Option<usize>,
}

const MAX_THREADS: usize = 1024;

/// The error for an argument that is not a whole number in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("it takes a whole number from {min} to {max}")]
pub struct OutOfRange<N: Display> {
    min: N,
    max: N,
}

/// The error for an argument of the wrong form. It contains the expected form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct Expected(pub &'static str);

/// Parses a whole number from `min` to `max`.
///
/// # Errors
/// If the text is not a number in this range.
pub fn number<N>(text: &str, min: N, max: N) -> Result<N, OutOfRange<N>>
where
    N: FromStr + PartialOrd + Display,
{
    Some(text)
        .filter(|text| whole_number(text))
        .and_then(|text| text.parse::<N>().ok())
        .filter(|n| (&min..=&max).contains(&n))
        .ok_or(OutOfRange { min, max })
}

/// Returns a parser of whole numbers from `min` to `max`.
pub fn within<N>(min: N, max: N) -> impl Fn(&str) -> Result<N, OutOfRange<N>> + Clone
where
    N: FromStr + PartialOrd + Display + Copy,
{
    move |text: &str| number(text, min, max)
}

impl Threads {
    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.threads.unwrap_or_else(parallel::processors)
    }

    /// Runs `work` in a rayon pool with this number of threads, or as many as the system can start.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        parallel::in_pool(self.count(), work)
    }
}

/// `--memory`.
#[derive(clap::Args, Debug)]
pub struct Memory {
    /// Memory to use at most, such as 512M or 2G [default: half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
}

impl Memory {
    /// Returns the limit in bytes. If none is given, the default is at most `most`.
    pub fn bytes_or_at_most(&self, most: u64) -> u64 {
        self.memory.unwrap_or_else(|| self.bytes().min(most))
    }

    /// Returns the limit in bytes.
    pub fn bytes(&self) -> u64 {
        const WHEN_UNKNOWN: u64 = 1 << 30;
        self.memory
            .unwrap_or_else(|| process::free_bytes().map_or(WHEN_UNKNOWN, |free| free / 2))
    }
}

/// `--memory` and `--threads`: what a command may use for its work.
#[derive(clap::Args, Debug)]
pub struct WorkArgs {
    /// The limit of memory.
    #[command(flatten)]
    pub memory: Memory,
    /// The number of threads.
    #[command(flatten)]
    pub threads: Threads,
}

impl WorkArgs {
    /// Returns a control that Ctrl-C stops and that reports progress to `observer`.
    pub fn control<'o>(&self, observer: &'o dyn Observer) -> Control<'o> {
        Control::new()
            .with_stop(interrupt::flag())
            .with_memory(self.memory.bytes())
            .with_threads(self.threads.count())
            .with_observer(observer)
    }

    /// Runs `work` on these threads, and shows a progress bar until it ends.
    pub fn run<T: Send>(&self, work: impl FnOnce(&Control<'_>) -> T + Send) -> T {
        let bar = Bar::new();
        let done = self.threads.install(|| work(&self.control(&bar)));
        bar.clear();
        done
    }
}

/// Parses a size in bytes: a whole number, optionally with K, M, G or T (or KB, KiB ...) for powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, Expected> {
    let upper = text.to_ascii_uppercase();
    let behind = upper.find(|c: char| !c.is_ascii_digit());
    let (digits, unit) = upper.split_at(behind.unwrap_or(upper.len()));
    let shift = match unit {
        "" => Some(0),
        "K" | "KB" | "KIB" => Some(10),
        "M" | "MB" | "MIB" => Some(20),
        "G" | "GB" | "GIB" => Some(30),
        "T" | "TB" | "TIB" => Some(40),
        _ => None,
    };
    Some(digits)
        .filter(|digits| whole_number(digits))
        .and_then(|digits| digits.parse::<u64>().ok())
        .and_then(|n| n.checked_mul(1 << shift?))
        .filter(|&bytes| bytes > 0)
        .ok_or(Expected(
            "it takes a whole number with K, M, G or T, such as 512M or 2G",
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_turns_with_slashes_are_not_positions() {
        for text in [
            "Nc6/H",
            "O-O/Ee1",
            "1. e4 Nc6/H",
            "Be6/Be6",
            "b1c3/N@c4/A@d5",
            "e4",
            "0-0/Rh1",
        ] {
            assert!(!looks_like_fen(text), "{text}");
        }
        for text in [
            "startpos",
            "4k3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "k2/3/2K",
            "Kb1/k1b1/4 b",
        ] {
            assert!(looks_like_fen(text), "{text}");
        }
    }

    #[test]
    fn sizes_take_powers_of_1024() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert_eq!(size("1T"), Ok(1 << 40));
        assert_eq!(size("4K"), Ok(4096));
        assert_eq!(size("100"), Ok(100));
        assert_eq!(size("2GB"), size("2GiB"));
        assert_eq!(size("2GiB"), Ok(2 << 30));
    }

    #[test]
    fn sizes_of_other_shapes_are_refused() {
        for text in [
            "",
            "M",
            "0",
            "0M",
            "-1G",
            "1.5G",
            "1X",
            "1B",
            "1GG",
            "1 G",
            "01K",
            "18446744073709551615K",
            "ä",
        ] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn threads_left_out_are_all() {
        assert!(Threads { threads: None }.count() >= 1);
        assert_eq!(Threads { threads: Some(3) }.count(), 3);
    }

    #[test]
    fn memory_left_out_is_a_part_of_what_is_free() {
        let bytes = Memory { memory: None }.bytes();
        assert!(bytes > 0);
        assert!(process::free_bytes().is_none_or(|free| bytes < free * 2));
    }

    #[test]
    fn numbers_keep_within_their_bounds() {
        assert_eq!(number("7", 1u32, 9), Ok(7));
        for text in ["0", "10", "-1", "+7", "07", "", "x", "99999999999999999999"] {
            assert!(number(text, 1u32, 9).is_err(), "{text}");
        }
    }
}
