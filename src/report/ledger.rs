//! The ledger as files: `claims.csv`, and one evidence file for each claim.

use super::{make_folder, table, write_whole};
use claims::{Evidence, Finding, Listed};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use struct_field_names_as_array::FieldNamesAsSlice;

/// A row of `claims.csv`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, FieldNamesAsSlice)]
#[serde(deny_unknown_fields)]
pub struct ClaimRow {
    /// The id of the claim, `page/claim`.
    pub claim: String,
    /// The assertion in words.
    pub statement: String,
    /// The publication that makes the claim.
    pub source: String,
    /// `confirmed`, `confirmed-as-amended`, `consistent`, `open`, `vacuous` or `refuted`.
    pub verdict: String,
    /// `proof`, `exhaustive`, `witness` or `sample`.
    pub scope: String,
    /// The set examined, and the figures found.
    pub summary: String,
    /// The evidence file, relative to the folder of `claims.csv`.
    pub evidence_file: String,
}

impl ClaimRow {
    /// Returns the row of a claim and its finding.
    pub fn new(claim: &Listed<'_>, finding: &Finding) -> ClaimRow {
        ClaimRow {
            claim: claim.id.to_string(),
            statement: claim.says.to_string(),
            source: claim.source.to_string(),
            verdict: finding.verdict.to_string(),
            scope: finding.scope.to_string(),
            summary: finding.summary.clone(),
            evidence_file: claim.evidence_file(),
        }
    }

    /// Returns the row as it is written to CSV.
    #[must_use]
    pub fn for_csv(&self) -> ClaimRow {
        ClaimRow {
            claim: cell(&self.claim),
            statement: cell(&self.statement),
            source: cell(&self.source),
            verdict: self.verdict.clone(),
            scope: self.scope.clone(),
            summary: cell(&self.summary),
            evidence_file: self.evidence_file.clone(),
        }
    }
}

/// Returns a text of a claims file as a cell of a table. Spreadsheets compute cells that begin with `=` or `@`,
/// so an apostrophe is put before these signs, which spreadsheets do not show. Control characters other than
/// line breaks and tabs are escaped.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    if text.starts_with(['=', '@']) {
        cell.push('\'');
    }
    for c in text.chars() {
        match c.is_control() && !matches!(c, '\n' | '\t') {
            true => cell.extend(c.escape_default()),
            false => cell.push(c),
        }
    }
    cell
}

const FILE: &str = "claims.csv";

/// Reads `claims.csv`. Returns no rows if the file does not exist.
///
/// # Errors
/// If the file cannot be read, or its columns are not those of [`ClaimRow`].
pub fn read_claims(folder: &Path) -> io::Result<Vec<ClaimRow>> {
    let mut rows: Vec<ClaimRow> = table::read_csv(&folder.join(FILE))?;
    for row in &mut rows {
        // Ids are compared with those of the claims, so they are read as they were before they became cells.
        if row.claim.starts_with("'=") || row.claim.starts_with("'@") {
            row.claim.remove(0);
        }
    }
    Ok(rows)
}

/// Replaces the rows of `claims.csv` by what `merge` returns for them, while no other process replaces them.
///
/// # Errors
/// If the file cannot be read or written.
pub fn update_claims(
    folder: &Path,
    merge: impl FnOnce(&[ClaimRow]) -> Vec<ClaimRow>,
) -> io::Result<()> {
    let _lock = control::files::lock_folder(folder)?;
    let rows = merge(&read_claims(folder)?);
    let rows: Vec<ClaimRow> = rows.iter().map(ClaimRow::for_csv).collect();
    write_whole(&folder.join(FILE), |out| super::table::csv(&rows, out))
}

/// Merges the rows of earlier runs, of which a claim has one or more, with new rows. The rows of `all` claims come
/// first, in this order, and the new rows of a claim replace its old ones. Old rows of further claims follow,
/// except for claims that a page of `chosen` does not have any more.
pub fn merged<R: Clone>(
    all: &[Listed<'_>],
    chosen: &[Listed<'_>],
    (old, fresh): (&[R], &[R]),
    claim_of: impl Fn(&R) -> &str,
) -> Vec<R> {
    let mut rows: Vec<R> = Vec::new();
    for claim in all {
        let of = |rows: &[R]| -> Vec<R> {
            let own = rows.iter().filter(|row| claim_of(row) == claim.id);
            own.cloned().collect()
        };
        let found = of(fresh);
        rows.extend(if found.is_empty() { of(old) } else { found });
    }
    let page = |id: &str| id.split('/').next().unwrap_or_default().to_owned();
    let pages = chosen.iter().map(|claim| match claim.entry() {
        Some((file, _)) => file.file.page.id.clone(),
        None => page(claim.id),
    });
    let pages: BTreeSet<String> = pages.collect();
    let is_further = |row: &&R| {
        let id = claim_of(row);
        !pages.contains(&page(id)) && !all.iter().any(|claim| claim.id == id)
    };
    rows.extend(old.iter().filter(is_further).cloned());
    rows
}

/// Writes the evidence file of a claim.
///
/// # Errors
/// If the file cannot be written.
pub fn write_evidence(folder: &Path, id: &str, evidence: &Evidence) -> io::Result<()> {
    write_whole(&folder.join(claims::evidence_file(id)), |out| {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(&evidence.columns)?;
        for row in &evidence.rows {
            csv.write_record(row.iter().map(|text| cell(text)))?;
        }
        csv.flush()
    })
}

/// Returns a claim and its verdict as text: one line, followed by the statement and the summary, indented and
/// wrapped at `width` columns. Control characters are escaped, since they may come from a claims file.
pub fn text(row: &ClaimRow, width: usize) -> String {
    let mut text = format!(
        "{:<width$}  {:<20}  {}\n",
        row.claim, row.verdict, row.scope
    );
    fold(&format!("\"{}\"", row.statement), &mut text);
    fold(&row.summary, &mut text);
    text
}

/// Appends a paragraph, indented and wrapped.
fn fold(paragraph: &str, text: &mut String) {
    const WIDTH: usize = 92;
    let mut line = String::new();
    for word in diagnostics::visible(paragraph).split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            *text += &format!("    {line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    *text += &format!("    {line}\n");
}

/// Creates the folders of the reports and checks that files can be written there. The check leaves no files.
///
/// # Errors
/// If a folder cannot be created, or files cannot be written in it.
pub fn try_folder(folder: &Path) -> io::Result<()> {
    let evidence = folder.join("evidence");
    make_folder(folder)?;
    make_folder(&evidence)?;
    for folder in [folder, &evidence] {
        tempfile::Builder::new()
            .prefix(".unfinished-")
            .tempfile_in(folder)?
            .close()?;
    }
    Ok(())
}
