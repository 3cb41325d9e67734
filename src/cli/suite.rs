//! Suites: CSV files of cases that are counted or solved, and compared with the values in the file.

use super::answer::{Failure, say};
use catalog::Catalog;
use control::files::{read_limited, read_standard_input};
use csv::StringRecord;
use diagnostics::{Diagnostic, nearest};
use notation::Setup;
use std::io::Write;
use std::path::Path;

/// The maximum size of a suite, in bytes.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// The maximum number of rows of a suite. Together with [`MAX_CELLS`], it limits the memory for short rows.
const MAX_ROWS: usize = 1_000_000;
/// The maximum number of cells in all rows of a suite.
const MAX_CELLS: usize = 16_000_000;
/// The maximum length of a row including the header, in bytes. A FEN has at most 4,096 bytes.
const MAX_ROW_BYTES: usize = 1 << 20;

/// The content of a suite: the columns that a command needs, and all others unchanged.
#[derive(Debug)]
pub struct Suite {
    name: String,
    columns: Vec<&'static str>,
    places: Vec<usize>,
    headers: StringRecord,
    rows: Vec<(u64, StringRecord)>,
}

/// One case of a suite.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    suite: &'a Suite,
    index: usize,
}

impl Suite {
    /// Reads a file that must have these columns. The path `-` means standard input.
    ///
    /// # Errors
    /// If the file cannot be read, or lacks a column.
    pub fn read(path: &str, columns: &[&'static str]) -> Result<Suite, Diagnostic> {
        let (name, bytes) = bytes_of(path)?;
        Suite::parse(name, &bytes, columns)
    }

    fn parse(name: String, bytes: &[u8], columns: &[&'static str]) -> Result<Suite, Diagnostic> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(bytes);
        let headers = reader
            .headers()
            .map_err(|e| unreadable(&name, bytes, &e))?
            .clone();
        let known: Vec<&str> = headers.iter().collect();
        let too_large = |what: &str, max: usize, line: u64| {
            Diagnostic::new(&name, format!("more than {max} {what}")).at(format!("line {line}"))
        };
        let too_long = |row: &StringRecord| row.as_slice().len() > MAX_ROW_BYTES;
        if too_long(&headers) {
            return Err(too_large("bytes in a row", MAX_ROW_BYTES, 1));
        }
        let max_rows = MAX_ROWS.min(MAX_CELLS / headers.len().max(1));
        let mut places = Vec::new();
        for &column in columns {
            let at = |why: String| Diagnostic::new(&name, why).at("line 1");
            let mut found = known.iter().enumerate().filter(|(_, k)| **k == column);
            let Some((place, _)) = found.next() else {
                let near = nearest(column, known.iter().copied().filter(|k| !k.is_empty()));
                let hint = near.map_or(String::new(), |near| format!("is it `{near}`? "));
                return Err(at(format!("there is no column `{column}`"))
                    .help(format!("{hint}it takes the columns {}", columns.join(","))));
            };
            if found.next().is_some() {
                return Err(at(format!("column `{column}` occurs twice")));
            }
            places.push(place);
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|e| unreadable(&name, bytes, &e))?;
            let line = record.position().map_or(0, |at| line_of(bytes, at));
            if rows.len() == max_rows {
                return Err(too_large("rows", max_rows, line));
            }
            if too_long(&record) {
                return Err(too_large("bytes in a row", MAX_ROW_BYTES, line));
            }
            rows.push((line, record));
        }
        Ok(Suite {
            name,
            columns: columns.to_vec(),
            places,
            headers,
            rows,
        })
    }

    /// Reads a suite of counts: CSV with the columns variant,fen,depth,nodes, or EPD (`FEN ;D1 20 ;D2 400`).
    /// Each depth in a line of EPD becomes a row with the rule set `variant`.
    ///
    /// # Errors
    /// If the file cannot be read, or has neither format. The message names the line.
    pub fn read_counts(path: &str, variant: &str) -> Result<Suite, Diagnostic> {
        let columns = ["variant", "fen", "depth", "nodes"];
        let (name, bytes) = bytes_of(path)?;
        if !is_epd(&bytes) {
            return Suite::parse(name, &bytes, &columns);
        }
        let wrong = |line: u64, why: String| {
            Diagnostic::new(&name, why)
                .at(format!("line {line}"))
                .help("`rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400`")
        };
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let before = bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n');
            wrong(
                1 + before.count() as u64,
                "it is not UTF-8 text".to_string(),
            )
        })?;
        let mut rows = Vec::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if line.len() > MAX_ROW_BYTES {
                return Err(wrong(
                    number,
                    format!("more than {MAX_ROW_BYTES} bytes in a row"),
                ));
            }
            let mut operations = line.split(';').map(str::trim);
            let fen = operations.next().unwrap_or("");
            let before = rows.len();
            for operation in operations {
                let mut words = operation.split_ascii_whitespace();
                let depth = words.next().and_then(|word| word.strip_prefix(['D', 'd']));
                if let (Some(depth), Some(nodes), None) = (depth, words.next(), words.next()) {
                    rows.push((number, StringRecord::from(vec![variant, fen, depth, nodes])));
                }
                if rows.len() > MAX_ROWS {
                    return Err(wrong(number, format!("more than {MAX_ROWS} rows")));
                }
            }
            if rows.len() == before {
                return Err(wrong(
                    number,
                    "no `;D1 20` follows the position".to_string(),
                ));
            }
        }
        Ok(Suite {
            name,
            columns: columns.to_vec(),
            places: (0..columns.len()).collect(),
            headers: StringRecord::from(columns.to_vec()),
            rows,
        })
    }

    /// Returns the cases in the order of the file.
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        (0..self.rows.len()).map(|index| Case { suite: self, index })
    }

    /// Writes the cases that differ as they are in the file, each with an additional last column for the value
    /// that was found instead. Prints how many cases were `done`, if not all were, and how many differ.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_differing(
        &self,
        column: &str,
        done: usize,
        differing: &[(Case<'_>, String)],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        // If the file is the result of an earlier comparison, it already has this column.
        let kept = |place: &usize| self.headers.get(*place) != Some(column);
        let kept: Vec<usize> = (0..self.headers.len()).filter(kept).collect();
        let mut writer = csv::Writer::from_writer(out);
        let mut write = |record: &StringRecord, last: &str| {
            let cells = kept.iter().map(|&place| record.get(place).unwrap_or(""));
            writer.write_record(cells.chain([last]))
        };
        write(&self.headers, column).map_err(std::io::Error::from)?;
        for (case, found) in differing {
            write(&self.rows[case.index].1, found).map_err(std::io::Error::from)?;
        }
        writer.flush()?;
        let (rows, found) = (self.rows.len(), differing.len());
        say(&match done < rows {
            true => format!("interrupted after {done} of {rows} rows, {found} differ"),
            false => format!("{rows} rows, {found} differ"),
        });
        Ok(())
    }
}

/// Returns the name of a file for messages, and its content. The path `-` means standard input.
fn bytes_of(path: &str) -> Result<(String, Vec<u8>), Diagnostic> {
    Ok(match path {
        "-" => (
            "standard input".to_string(),
            read_standard_input(MAX_FILE_BYTES)?,
        ),
        path => (
            format!("file `{path}`"),
            read_limited(Path::new(path), MAX_FILE_BYTES)?,
        ),
    })
}

/// Returns whether the first line that is neither empty nor a comment is EPD: a position, followed by
/// operations after a `;`.
fn is_epd(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| {
        let end = line.iter().position(|byte| *byte == b';');
        end.is_some_and(|end| line[..end].contains(&b'/'))
    })
}

impl Case<'_> {
    /// Returns the text in one of the required columns.
    pub fn text(&self, column: &str) -> &str {
        let index = self.suite.columns.iter().position(|c| *c == column);
        index
            .and_then(|index| self.suite.rows[self.index].1.get(self.suite.places[index]))
            .unwrap_or("")
    }

    /// Returns the position in the columns `variant` and `fen`. An empty FEN means the start position.
    ///
    /// # Errors
    /// If the variant or the position is wrong.
    pub fn setup(&self, catalog: &Catalog) -> Result<Setup, Diagnostic> {
        let variant = catalog
            .open(self.text("variant"))
            .map_err(|e| self.wrong("variant", e))?;
        let fen = Some(self.text("fen")).filter(|fen| !fen.is_empty());
        Setup::read(&variant, fen).map_err(|e| self.wrong("fen", e))
    }

    /// Returns an error about one of the columns, with the file, line and column.
    pub fn wrong(&self, column: &str, error: Diagnostic) -> Diagnostic {
        let line = self.suite.rows[self.index].0;
        Diagnostic {
            help: error.help.clone(),
            excerpt: error.excerpt.clone(),
            ..Diagnostic::new(&self.suite.name, error.to_string())
                .at(format!("line {line}, column `{column}`"))
        }
    }
}

/// Returns the number of the line at which a record begins, from 1. The CSV reader's own number does not
/// count the empty lines before the record.
fn line_of(bytes: &[u8], at: &csv::Position) -> u64 {
    let place = usize::try_from(at.byte()).unwrap_or(usize::MAX);
    let rest = bytes.get(place..).unwrap_or_default();
    let skipped = rest.iter().take_while(|b| matches!(b, b'\r' | b'\n'));
    at.line() + skipped.filter(|b| **b == b'\n').count() as u64
}

fn unreadable(name: &str, bytes: &[u8], error: &csv::Error) -> Diagnostic {
    let (place, why) = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => (
            error.position(),
            format!("{len} columns, the header has {expected_len}"),
        ),
        csv::ErrorKind::Utf8 { pos, .. } => (pos.as_ref(), "it is not text in UTF-8".to_string()),
        _ => (error.position(), error.to_string()),
    };
    let error = Diagnostic::new(name, why)
        .help("CSV in UTF-8 with a header; cells with commas stand in double quotes");
    match place {
        Some(place) => error.at(format!("line {}", line_of(bytes, place))),
        None => error,
    }
}
