//! The vocabulary of the ledger: claims, verdicts, scopes, findings and their evidence.

use control::Control;
use std::fmt;

/// The result of a check, ordered from the worst to the best. Several instances of a claim together have the
/// smallest of their verdicts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The claim is false; the evidence contains a counterexample.
    Refuted,
    /// Nothing was asserted: the set is empty, or the condition of an implication never holds in it.
    Vacuous,
    /// Neither shown nor refuted; the summary names the limit that was reached.
    Open,
    /// Samples agree with the claim but do not prove it.
    Consistent,
    /// True after a correction that the program found by search; the summary names the correction.
    ConfirmedAsAmended,
    /// The claim is true.
    Confirmed,
}

impl Verdict {
    /// Every verdict, from the best to the worst.
    pub const ALL: [Verdict; 6] = [
        Verdict::Confirmed,
        Verdict::ConfirmedAsAmended,
        Verdict::Consistent,
        Verdict::Open,
        Verdict::Vacuous,
        Verdict::Refuted,
    ];

    /// Returns `Confirmed` if a claim holds, otherwise `Refuted`.
    pub fn of(holds: bool) -> Verdict {
        if holds {
            Verdict::Confirmed
        } else {
            Verdict::Refuted
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::ConfirmedAsAmended => "confirmed-as-amended",
            Verdict::Consistent => "consistent",
            Verdict::Open => "open",
            Verdict::Vacuous => "vacuous",
        })
    }
}

/// The basis on which a verdict holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// An argument whose premises were checked exhaustively.
    Proof,
    /// Every position of a finite set that the summary states.
    Exhaustive,
    /// One checked example.
    Witness,
    /// Statistics; never enough for [`Verdict::Confirmed`].
    Sample,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Scope::Proof => "proof",
            Scope::Exhaustive => "exhaustive",
            Scope::Witness => "witness",
            Scope::Sample => "sample",
        })
    }
}

/// A table with which others can replay or recount the result of a check: FENs with turns in coordinate
/// notation, lists of positions, counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// The names of the columns, in snake case and with units.
    pub columns: Vec<String>,
    /// The rows, in a reproducible order.
    pub rows: Vec<Vec<String>>,
}

impl Evidence {
    /// Returns a table without rows.
    pub fn new(columns: &[&str]) -> Evidence {
        Evidence {
            columns: columns.iter().map(|c| c.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. The row must have one field for each column.
    pub fn row<T: ToString>(&mut self, fields: impl IntoIterator<Item = T>) {
        let row: Vec<String> = fields.into_iter().map(|f| f.to_string()).collect();
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }
}

/// The result of a check, with its basis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The basis of the verdict.
    pub scope: Scope,
    /// One or two sentences: the set examined, the figures, and the amendment if there is one.
    pub summary: String,
    /// The data from which others can check the finding.
    pub evidence: Evidence,
}

impl Finding {
    /// Returns the finding of an exhaustive check. `holds` is whether the claim holds on the whole set.
    pub fn exhaustive(holds: bool, summary: String, evidence: Evidence) -> Finding {
        Finding {
            verdict: Verdict::of(holds),
            scope: Scope::Exhaustive,
            summary,
            evidence,
        }
    }
}

/// The resources that a check may use.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Whether to exceed the usual bounds, which keep the time for the whole ledger within minutes.
    pub deep: bool,
    /// Threads, memory limit and stop flag. Findings do not depend on the number of threads.
    pub control: Control<'a>,
}

impl Effort<'_> {
    /// Two threads, two gigabytes and the usual bounds, which every machine should have.
    pub const SMALL: Effort<'static> = Effort {
        deep: false,
        control: Control::new().with_threads(2).with_memory(2 << 30),
    };

    /// Returns whether the caller has requested a stop.
    pub fn stopped(&self) -> bool {
        self.control.check().is_err()
    }
}

/// A claim that is compiled into the program.
pub struct Claim {
    /// The id, `variant/claim`.
    pub id: &'static str,
    /// The page that makes the claim, or the reason why the claim is examined without one.
    pub source: &'static str,
    /// The assertion, in our own words.
    pub claim: &'static str,
    /// The function that checks the claim.
    pub check: fn(&Effort) -> Finding,
}

impl Claim {
    /// Returns the name of the claim's evidence file.
    pub fn evidence_file(&self) -> String {
        evidence_file(self.id)
    }
}

/// Returns the name of a claim's evidence file: the id, with `-` replacing every character that a file name
/// should not contain.
pub fn evidence_file(id: &str) -> String {
    let safe = |c: char| match c {
        c if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') => c,
        _ => '-',
    };
    format!("evidence/{}.csv", id.chars().map(safe).collect::<String>())
}
