//! A document with the answers to several positions.

use super::args::Format;
use report::table::{self, Row};
use std::io::Write;

/// The answers to several positions as one document: a single array in JSON, a single header in CSV.
pub struct Document {
    format: Format,
    rows: usize,
}

impl Document {
    /// Returns an empty document.
    pub fn new(format: Format) -> Document {
        Document { format, rows: 0 }
    }

    /// Returns the format of the rows.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Writes further rows.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write<R: Row>(&mut self, rows: &[R], out: &mut dyn Write) -> std::io::Result<()> {
        match self.format {
            Format::Text => return table::text(rows, out),
            Format::Csv if self.rows == 0 => table::csv(rows, out)?,
            Format::Csv => table::csv_more(rows, out)?,
            Format::Json => {
                for row in rows {
                    let before = if self.rows == 0 { "[\n  " } else { ",\n  " };
                    let text = serde_json::to_string_pretty(row)?.replace('\n', "\n  ");
                    write!(out, "{before}{text}")?;
                    self.rows += 1;
                }
                return Ok(());
            }
        }
        self.rows += rows.len();
        Ok(())
    }

    /// Writes further rows that are already formatted as text or CSV, without a header.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_rows<R: Row>(
        &mut self,
        bytes: &[u8],
        rows: usize,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        if self.format == Format::Csv && self.rows == 0 {
            table::csv::<R>(&[], out)?;
        }
        self.rows += rows;
        out.write_all(bytes)
    }

    /// Ends the document.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn end<R: Row>(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match (self.format, self.rows) {
            (Format::Json, 0) => out.write_all(b"[]\n"),
            (Format::Json, _) => out.write_all(b"\n]\n"),
            (Format::Csv, 0) => table::csv::<R>(&[], out),
            _ => Ok(()),
        }
    }
}
