//! Claims, verdicts, scopes, evidence.

use control::Control;
use std::fmt;

/// The result of a check. The order is from the worst to the best: the verdict of several instances is the
/// smallest of theirs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The claim is false; the evidence contains a counterexample.
    Refuted,
    /// Nothing was asserted: the set is empty, or the condition of an implication never holds in it.
    Vacuous,
    /// Neither shown nor refuted; the summary names the limit that was reached.
    Open,
    /// Samples agree with the claim. They do not prove it.
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

/// On what a verdict holds.
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

/// A table that lets anyone replay or recount what a check found: FENs with turns in coordinate
/// notation, position lists, counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// Names of the columns, in snake case, units in the names.
    pub columns: Vec<String>,
    /// Rows in a fixed order.
    pub rows: Vec<Vec<String>>,
}

impl Evidence {
    /// No rows yet.
    pub fn new(columns: &[&str]) -> Evidence {
        Evidence {
            columns: columns.iter().map(|c| c.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row, which must have as many fields as there are columns.
    pub fn row<T: ToString>(&mut self, fields: impl IntoIterator<Item = T>) {
        let row: Vec<String> = fields.into_iter().map(|f| f.to_string()).collect();
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }
}

/// What a check found, and on what it rests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The scope on which it holds.
    pub scope: Scope,
    /// One or two sentences: what was checked, the figures, the amendment if there is one.
    pub summary: String,
    /// What lets others check it.
    pub evidence: Evidence,
}

impl Finding {
    /// Returns what an exhaustive check found: whether the claim holds on all of the set.
    pub fn exhaustive(holds: bool, summary: String, evidence: Evidence) -> Finding {
        Finding {
            verdict: Verdict::of(holds),
            scope: Scope::Exhaustive,
            summary,
            evidence,
        }
    }
}

/// How much may be spent on a check.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Go further than the bounds that keep the whole ledger within minutes.
    pub deep: bool,
    /// Threads, memory and stop flag. Findings do not depend on the threads.
    pub control: Control<'a>,
}

impl Effort<'_> {
    /// Two threads and two gigabytes, and no further than the usual bounds: what any machine has.
    pub const SMALL: Effort<'static> = Effort {
        deep: false,
        control: Control::new().with_threads(2).with_memory(2 << 30),
    };

    /// Returns whether the caller has requested a stop.
    pub fn stopped(&self) -> bool {
        self.control.check().is_err()
    }
}

/// One row of the ledger.
pub struct Claim {
    /// `variant/what`.
    pub id: &'static str,
    /// The page that asserts it, or why it is examined beyond the page.
    pub source: &'static str,
    /// What is asserted, in our own words.
    pub claim: &'static str,
    /// Checks it.
    pub check: fn(&Effort) -> Finding,
}

impl Claim {
    /// Returns the name of its evidence file.
    pub fn evidence_file(&self) -> String {
        evidence_file(self.id)
    }
}

/// Returns the name of the evidence file of a claim: its id, with `-` for every sign that a file name should
/// not contain.
pub fn evidence_file(id: &str) -> String {
    let safe = |c: char| match c {
        c if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') => c,
        _ => '-',
    };
    format!("evidence/{}.csv", id.chars().map(safe).collect::<String>())
}
