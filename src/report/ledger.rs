//! The ledger as files: `claims.csv` and one evidence file a claim.

use super::write_whole;
use crate::claims::{Claim, Evidence, Finding};
use serde::Serialize;
use std::io;
use std::path::Path;

/// A row of `claims.csv`.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimRow {
    /// `variant/what`.
    pub id: String,
    /// What is asserted.
    pub claim: String,
    /// Where.
    pub source: String,
    /// `confirmed`, `refuted`, `confirmed-as-amended` or `open`.
    pub verdict: String,
    /// `proof`, `exhaustive`, `witness` or `sample`.
    pub scope: String,
    /// What was checked and found.
    pub summary: String,
    /// The evidence file, relative to the folder of `claims.csv`.
    pub evidence: String,
}

impl ClaimRow {
    /// The row of a claim with what was found.
    pub fn new(claim: &Claim, finding: &Finding) -> ClaimRow {
        ClaimRow {
            id: claim.id.to_string(),
            claim: claim.claim.to_string(),
            source: claim.source.to_string(),
            verdict: finding.verdict.to_string(),
            scope: finding.scope.to_string(),
            summary: finding.summary.clone(),
            evidence: claim.evidence_file(),
        }
    }
}

/// Writes `claims.csv`.
pub fn write_claims(folder: &Path, rows: &[ClaimRow]) -> io::Result<()> {
    write_whole(&folder.join("claims.csv"), |out| {
        let mut csv = csv::Writer::from_writer(out);
        for row in rows {
            csv.serialize(row)?;
        }
        csv.flush()
    })
}

/// Writes a claim's evidence.
pub fn write_evidence(folder: &Path, claim: &Claim, evidence: &Evidence) -> io::Result<()> {
    write_whole(&folder.join(claim.evidence_file()), |out| {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(&evidence.columns)?;
        for row in &evidence.rows {
            csv.write_record(row)?;
        }
        csv.flush()
    })
}
