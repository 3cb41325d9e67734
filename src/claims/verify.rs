//! Verifies the claims of a file: opens their rule sets, runs their checks, and merges the findings of the
//! instances of `for`.

use crate::checks::measure::Measured;
use crate::checks::{self, measure};
use crate::file::{self, Check, ClaimSpec, ClaimsFile, Entry, Instance};
use crate::subject::Subject;
use crate::{Evidence, Finding, Scope, Verdict};
use catalog::Catalog;
use control::{Control, counted};
use diagnostics::Diagnostic;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A claims file with the rule sets that its claims may name.
pub struct OpenFile {
    /// The file.
    pub file: ClaimsFile,
    /// All rule sets by name, including those of the file's definitions.
    pub catalog: Arc<Catalog>,
    /// Cache of the measures that other claims refer to, by id.
    measured: Mutex<BTreeMap<String, Measured>>,
}

/// The ticks that a claim counts as, in checks of whether to stop.
const TICKS_PER_CLAIM: u32 = 64;

impl OpenFile {
    /// Reads a claims file and the definition files that it names. `folder` is the folder of the claims file.
    ///
    /// # Errors
    /// The first error in the file, with its place.
    pub fn read(
        name: &str,
        text: &str,
        folder: Option<&Path>,
        catalog: &Arc<Catalog>,
    ) -> Result<OpenFile, Diagnostic> {
        let file = file::read(name, text)?;
        let catalog = match file.page.rules.is_empty() {
            true => Arc::clone(catalog),
            false => {
                let mut extended = catalog.extended();
                for path in &file.page.rules {
                    let full = folder.unwrap_or(Path::new("")).join(&path.value);
                    extended
                        .add_file(&full)
                        .map_err(|error| file.source.error_of(path, &error))?;
                }
                Arc::new(extended)
            }
        };
        Ok(OpenFile {
            file,
            catalog,
            measured: Mutex::new(BTreeMap::new()),
        })
    }

    /// Returns the file with the rule sets of another catalog.
    pub fn with_catalog(&self, catalog: Arc<Catalog>) -> OpenFile {
        OpenFile {
            file: self.file.clone(),
            catalog,
            measured: Mutex::new(BTreeMap::new()),
        }
    }

    /// Checks every claim against its rule set without verifying it. Returns the warnings.
    ///
    /// # Errors
    /// The first error, with its place in the file.
    pub fn validate(&self) -> Result<Vec<String>, Diagnostic> {
        let mut warnings = Vec::new();
        for instance in self.file.entries.iter().flat_map(|entry| &entry.instances) {
            for claim in [Some(&instance.claim), instance.deeper.as_ref()] {
                let Some(claim) = claim else { continue };
                control::evaluation::check(TICKS_PER_CLAIM);
                let subject = Subject::open(&self.catalog, &self.file.source, claim)?;
                checks::validate(&claim.check, &subject)?;
                for warning in subject.warnings() {
                    if !warnings.contains(&warning) {
                        warnings.push(warning);
                    }
                }
            }
        }
        Ok(warnings)
    }

    /// Verifies an entry of the file. If `control` stops the check, the finding is incomplete and the caller
    /// must discard it.
    ///
    /// # Errors
    /// The errors of [`OpenFile::validate`].
    pub fn verify(&self, entry: &Entry, control: &Control<'_>) -> Result<Finding, Diagnostic> {
        self.verify_to(entry, false, control)
    }

    /// Like [`OpenFile::verify`], but with `deep` verifies the claims that `--deep` selects.
    ///
    /// # Errors
    /// The errors of [`OpenFile::validate`].
    pub fn verify_to(
        &self,
        entry: &Entry,
        deep: bool,
        control: &Control<'_>,
    ) -> Result<Finding, Diagnostic> {
        let mut findings = Vec::new();
        for (done, instance) in entry.instances.iter().enumerate() {
            if entry.instances.len() > 1 {
                control.report_done(
                    "verifying",
                    done as u64,
                    entry.instances.len() as u64,
                    "instances",
                );
            }
            findings.push(self.verify_claim(instance.claim(deep), control)?);
            if control.check().is_err() {
                break;
            }
        }
        Ok(merged(&entry.instances, findings))
    }

    /// Verifies one instance of a claim.
    ///
    /// # Errors
    /// The errors of [`OpenFile::validate`].
    pub fn verify_claim(
        &self,
        claim: &ClaimSpec,
        control: &Control<'_>,
    ) -> Result<Finding, Diagnostic> {
        let references = |id: &str, control: &Control<'_>| self.measured(id, control);
        let subject =
            Subject::open(&self.catalog, &self.file.source, claim)?.with_references(&references);
        checks::run(&claim.check, &subject, control)
    }

    /// Measures the claim with this id and caches the result. Returns `None` if `control` stopped it.
    fn measured(&self, id: &str, control: &Control<'_>) -> Result<Option<Measured>, Diagnostic> {
        let lock = || self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(measured) = lock().get(id) {
            return Ok(Some(measured.clone()));
        }
        let entry = file::referred(&self.file.page, &self.file.entries, id);
        let claim = entry.and_then(|entry| entry.instances.first());
        let Some(claim) = claim.map(|instance| &instance.claim) else {
            return Ok(None);
        };
        let Check::Measure(measure) = &claim.check else {
            return Ok(None);
        };
        let subject = Subject::open(&self.catalog, &self.file.source, claim)?;
        let measured = measure::measured(measure, &subject, control)?;
        if let Some(measured) = &measured {
            lock().insert(id.to_owned(), measured.clone());
        }
        Ok(measured)
    }
}

/// Merges the findings of the instances of a claim: takes the worst verdict with its scope, and the rows of
/// all instances.
fn merged(instances: &[Instance], mut findings: Vec<Finding>) -> Finding {
    if instances.len() == 1 && instances[0].bindings.is_empty() && findings.len() == 1 {
        return findings.remove(0);
    }
    let worst = findings.iter().map(|finding| finding.verdict).min();
    let verdict = worst.unwrap_or(Verdict::Open);
    let names = |instance: &Instance| -> String {
        let bindings = instance.bindings.iter();
        let bindings: Vec<String> = bindings
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        bindings.join(", ")
    };
    let with_verdict: Vec<usize> = (0..findings.len())
        .filter(|&at| findings[at].verdict == verdict)
        .collect();
    let scope = with_verdict
        .first()
        .map_or(Scope::Exhaustive, |&at| findings[at].scope);
    let all = counted(findings.len(), "instance", "instances");
    let summary = match with_verdict[..] {
        [] => "no instance was verified".to_owned(),
        [first, ..] => format!(
            "{} of {all} {verdict}; {}: {}",
            with_verdict.len(),
            names(&instances[first]),
            findings[first].summary
        ),
    };
    Finding {
        verdict,
        scope,
        summary,
        evidence: merged_evidence(instances, &findings),
    }
}

/// Returns the evidence of all instances. The first columns are the names of `for` and the verdict.
fn merged_evidence(instances: &[Instance], findings: &[Finding]) -> Evidence {
    let mut own: Vec<String> = Vec::new();
    let bindings = instances.iter().flat_map(|instance| &instance.bindings);
    let finding_columns = findings
        .iter()
        .flat_map(|finding| &finding.evidence.columns);
    for (name, _) in bindings {
        if !own.contains(name) {
            own.push(name.clone());
        }
    }
    let mut rest: Vec<&String> = Vec::new();
    for column in finding_columns {
        if !rest.contains(&column) {
            rest.push(column);
        }
    }
    let mut columns = own.clone();
    columns.push("verdict".to_owned());
    // A column of the check may have the same name as a binding of `for`.
    columns.extend(rest.iter().map(|column| match own.contains(column) {
        true => format!("{column}_of_row"),
        false => column.to_string(),
    }));
    let mut evidence = Evidence {
        columns,
        rows: Vec::new(),
    };
    for (instance, finding) in instances.iter().zip(findings) {
        let value = |name: &String| {
            let binding = instance.bindings.iter().find(|(known, _)| known == name);
            binding.map_or(String::new(), |(_, value)| value.clone())
        };
        let mut first: Vec<String> = own.iter().map(value).collect();
        first.push(finding.verdict.to_string());
        let places: Vec<Option<usize>> = (rest.iter())
            .map(|column| {
                finding
                    .evidence
                    .columns
                    .iter()
                    .position(|own| own == *column)
            })
            .collect();
        let no_rows = [Vec::new()];
        let rows = match finding.evidence.rows.is_empty() {
            true => &no_rows[..],
            false => &finding.evidence.rows[..],
        };
        for row in rows {
            let field = |place: &Option<usize>| {
                let field = place.and_then(|place| row.get(place));
                field.cloned().unwrap_or_default()
            };
            let fields = first.iter().cloned().chain(places.iter().map(field));
            evidence.rows.push(fields.collect());
        }
    }
    evidence
}
