//! Exporters for rows of one kind: CSV, JSON, and text with aligned columns.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{BufReader, Error, ErrorKind, Result, Write};
use std::path::Path;
use struct_field_names_as_array::FieldNamesAsSlice;

/// A row of a table: a struct of plain values, whose fields are the columns. The trait is implemented for
/// every such struct that derives `FieldNamesAsSlice`.
pub trait Row: Serialize {
    /// The names of the columns, in the order of the fields.
    const COLUMNS: &'static [&'static str];
}

impl<R: Serialize + FieldNamesAsSlice> Row for R {
    const COLUMNS: &'static [&'static str] = R::FIELD_NAMES_AS_SLICE;
}

/// Writes CSV in UTF-8 with LF. The header comes first and is written even if there are no rows.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv<R: Row>(rows: &[R], out: &mut dyn Write) -> Result<()> {
    header::<R>(out)?;
    csv_more(rows, out)
}

/// Like [`csv`](fn@csv), but takes an iterator that produces rows one by one.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv_of<R: Row>(rows: impl IntoIterator<Item = R>, out: &mut dyn Write) -> Result<()> {
    header::<R>(out)?;
    csv_more(rows, out)
}

/// Reads the rows of a CSV file. Returns no rows if the file does not exist.
///
/// # Errors
/// If the file cannot be read, or its columns are not those of the rows.
pub fn read_csv<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>> {
    let file = match control::files::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    csv::Reader::from_reader(BufReader::new(file))
        .deserialize()
        .collect::<std::result::Result<_, csv::Error>>()
        .map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

fn header<R: Row>(out: &mut dyn Write) -> Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(R::COLUMNS).map_err(Error::from)
}

/// Writes additional rows as CSV, without a header.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv_more<R: Serialize>(
    rows: impl IntoIterator<Item = R>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(out);
    for row in rows {
        writer.serialize(row).map_err(Error::from)?;
    }
    writer.flush()
}

/// Writes a value as JSON. Rows become an array of objects.
///
/// # Errors
/// If `out` cannot be written to.
pub fn json<T: Serialize + ?Sized>(value: &T, out: &mut dyn Write) -> Result<()> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(Error::from)?;
    out.write_all(b"\n")
}

/// The maximum width to which a column is padded, in characters. Formatting panics above 65,535.
const MAX_WIDTH: usize = 1000;

/// Writes aligned columns separated by two blanks, without a header.
///
/// # Errors
/// If `out` cannot be written to.
pub fn text<R: Row>(rows: &[R], out: &mut dyn Write) -> Result<()> {
    let mut bytes = Vec::new();
    csv(rows, &mut bytes)?;
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let cells = reader
        .records()
        .collect::<std::result::Result<Vec<_>, _>>()
        .map_err(Error::from)?;
    let width = |column: usize| {
        let lengths = cells.iter().filter_map(|row| row.get(column));
        let widest = lengths.map(|cell| cell.chars().count()).max().unwrap_or(0);
        widest.min(MAX_WIDTH)
    };
    let widths: Vec<usize> = (0..R::COLUMNS.len()).map(width).collect();
    for row in &cells {
        let line: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"))
            .collect();
        writeln!(out, "{}", line.join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, FieldNamesAsSlice)]
    struct Sample {
        name: &'static str,
        nodes: Option<u32>,
    }

    const ROWS: [Sample; 2] = [
        Sample {
            name: "a, b",
            nodes: Some(20),
        },
        Sample {
            name: "c",
            nodes: None,
        },
    ];

    fn written(write: impl Fn(&[Sample], &mut dyn Write) -> Result<()>, rows: &[Sample]) -> String {
        let mut bytes = Vec::new();
        write(rows, &mut bytes).expect("a vector takes everything");
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn csv_quotes_commas_and_ends_lines_with_lf() {
        assert_eq!(written(csv, &ROWS), "name,nodes\n\"a, b\",20\nc,\n");
    }

    #[test]
    fn csv_of_no_rows_is_the_header() {
        assert_eq!(written(csv, &[]), "name,nodes\n");
    }

    #[test]
    fn json_keeps_the_order_of_fields_and_absence() {
        assert_eq!(
            written(json, &ROWS).split_whitespace().collect::<String>(),
            r#"[{"name":"a,b","nodes":20},{"name":"c","nodes":null}]"#
        );
        assert_eq!(written(json, &[]), "[]\n");
    }

    #[test]
    fn text_aligns_columns() {
        assert_eq!(written(text, &ROWS), "a, b  20\nc\n");
    }
}
