//! A claims file as plain structs: one field for each key of the format.
//!
//! The structs hold the content of the file. They open no rule set and verify nothing.

use super::number::Number;
use super::source_text::{SourceText, Text};
use language::Span;

/// A claims file.
#[derive(Clone, Debug)]
pub struct ClaimsFile {
    /// The text of the file.
    pub source: SourceText,
    /// The table `[page]`.
    pub page: Page,
    /// The claims, in the order of the file.
    pub entries: Vec<Entry>,
}

/// The table `[page]`.
#[derive(Clone, Debug)]
pub struct Page {
    /// The page's id, with which the claims' ids begin.
    pub id: String,
    /// The title.
    pub title: String,
    /// The publication that makes the claims.
    pub source: String,
    /// The rule set of claims that do not name one.
    pub variant: Option<Text>,
    /// Definition files, relative to the claims file.
    pub rules: Vec<Text>,
}

/// One row of the ledger: a claim, or all instances of a claim if its id has no placeholder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The id as the ledger shows it.
    pub id: String,
    /// The assertion in words.
    pub says: String,
    /// The sentence or section of the source that makes the assertion.
    pub source: String,
    /// Whether the claim is verified and listed only with `--deep`.
    pub deep: bool,
    /// The instances; more than one only with `for`.
    pub instances: Vec<Instance>,
}

/// One claim with its placeholders replaced.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The names of `for` with their values, in the order of the file.
    pub bindings: Vec<(String, String)>,
    /// The claim.
    pub claim: ClaimSpec,
    /// The claim that `--deep` verifies instead, if it differs.
    pub deeper: Option<ClaimSpec>,
}

impl Instance {
    /// Returns the claim that is verified with or without `--deep`.
    pub fn claim(&self, deep: bool) -> &ClaimSpec {
        match &self.deeper {
            Some(deeper) if deep => deeper,
            _ => &self.claim,
        }
    }
}

/// A claim.
#[derive(Clone, Debug)]
pub struct ClaimSpec {
    /// The id within the file.
    pub id: Text,
    /// The rule set with its options.
    pub variant: Text,
    /// The position; `None` for the start position.
    pub fen: Option<Text>,
    /// Turns that are played before the check. A check `line` holds its own line instead.
    pub line: Option<Text>,
    /// Limits, as counts.
    pub limits: Limits,
    /// The misprints that may be corrected.
    pub amend: Vec<Amendment>,
    /// The check.
    pub check: Check,
    /// The place of the check's key.
    pub at: Span,
}

/// Limits of a check. All limits are counts, so verdicts are reproducible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of states of a graph.
    pub states: u64,
    /// The maximum number of positions examined or searched.
    pub positions: u64,
    /// The maximum depth of a search, in plies.
    pub plies: u32,
    /// The number of random games.
    pub games: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // 5 million states take about 200 MB including edges and values.
            states: 5_000_000,
            // Four units of ten kinds have 300 million placements on 64 squares.
            positions: 1_000_000_000,
            plies: 1_000,
            games: None,
        }
    }
}

/// A check of a claim.
#[derive(Clone, Debug)]
pub enum Check {
    /// A line is legal, ends as stated and has the stated marks.
    Line(LineCheck),
    /// The legal turns of a position are exactly those of a printed list.
    Replies(Text),
    /// A condition holds in all, none or some of a set of positions.
    Property(Property),
    /// A measured number is as stated.
    Measure(Measure),
    /// A problem has the stated solutions.
    Solve(Solve),
    /// A side can force a goal.
    Force(Force),
    /// Every game ends within a number of turns.
    Bound(Bound),
}

/// A line of turns.
#[derive(Clone, Debug)]
pub struct LineCheck {
    /// The turns as printed.
    pub line: Text,
    /// Whether all turns are legal.
    pub legal: bool,
    /// The outcome after the last turn.
    pub ends: Option<Text>,
    /// Marks, each with its condition on the position after the turn.
    pub marks: Vec<(Text, Text)>,
}

/// The positions of a set in which a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// In every position.
    Always,
    /// In no position.
    Never,
    /// In some position.
    Exists,
}

/// A condition over a set of positions.
#[derive(Clone, Debug)]
pub struct Property {
    /// The positions in which the condition must hold.
    pub quantifier: Quantifier,
    /// The condition, as an expression.
    pub condition: Text,
    /// The positions.
    pub set: Set,
    /// A condition that must hold in some position of the set, so the claim is not vacuous.
    pub nonvacuous: Option<Text>,
}

/// A set of positions.
#[derive(Clone, Debug)]
pub struct Set {
    /// The kind of set, with its parameters.
    pub kind: SetKind,
    /// The place of `over`, or of the check if `over` is missing.
    pub at: Span,
}

/// The kinds of sets.
#[derive(Clone, Debug)]
pub enum SetKind {
    /// The one position of the claim.
    One,
    /// The reachable positions, up to a depth if one is given.
    Graph {
        /// The maximum depth in plies.
        depth: Option<u32>,
    },
    /// All placements of some units, with either side to move.
    Placements {
        /// The units, upper case for White. `any` is one unit of each kind and side in turn.
        units: Text,
        /// Whether placements with the side not to move in check are excluded.
        legal: bool,
        /// The size of the board, `4x5`.
        board: Option<Text>,
    },
    /// An endgame table with values.
    Table {
        /// The signature, such as `KRvK`.
        signature: Text,
        /// The size of the board, `4x5`.
        board: Option<Text>,
    },
    /// The positions of random games.
    Games {
        /// The number of games.
        games: u64,
        /// Whether only the last position of each game counts.
        ends: bool,
    },
    /// The positions with these FENs.
    Positions(Vec<Text>),
    /// The turns of a line.
    Line(Text),
    /// Every possible single step.
    Steps,
}

/// A measured number, and the numbers that it is compared with.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The measured quantity.
    pub kind: MeasureKind,
    /// The positions that are measured.
    pub set: Set,
    /// A condition that selects positions of the set; only these are measured.
    pub among: Option<Text>,
    /// The comparisons; all must hold.
    pub relations: Vec<(Relation, Operand)>,
}

/// The measured quantity.
#[derive(Clone, Debug)]
pub enum MeasureKind {
    /// The number of positions in which a condition holds.
    Count(Text),
    /// The share of positions in which a condition holds, from 0 to 1.
    Share(Text),
    /// The mean of an integer expression.
    Mean(Text),
    /// The smallest value of an integer expression.
    Min(Text),
    /// The greatest value of an integer expression.
    Max(Text),
    /// The sum of the values of an integer expression.
    Sum(Text),
    /// The number of lines of legal turns.
    Perft {
        /// The depth in plies.
        depth: u32,
        /// The stated counts of single first turns.
        divide: Vec<(Text, u64)>,
    },
    /// The plies of the longest win, loss or line.
    Longest(Longest),
    /// The number of states of the graph.
    States,
    /// The value of the position.
    Value,
}

/// The kind of line whose length is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Longest {
    /// A win under best play.
    Win,
    /// A loss under best play.
    Loss,
    /// A line of play in the graph.
    Play,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal, to the decimal places given.
    Is,
    /// Equal or greater.
    AtLeast,
    /// Equal or smaller.
    AtMost,
}

impl Relation {
    /// Returns the key of the relation.
    pub fn key(self) -> &'static str {
        match self {
            Relation::Is => "is",
            Relation::AtLeast => "at_least",
            Relation::AtMost => "at_most",
        }
    }

    /// Returns the relation in words.
    pub fn words(self) -> String {
        self.key().replace('_', " ")
    }
}

/// The right side of a comparison.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A number.
    Number(Number),
    /// The measured value of another claim of the file, by its id.
    Reference(Text),
    /// The value of a game: `win`, `draw`, ...
    Word(Text),
}

/// A problem.
#[derive(Clone, Debug)]
pub struct Solve {
    /// The stipulation.
    pub stipulation: Text,
    /// The condition that the stipulation `goal N` refers to.
    pub goal: Option<Text>,
    /// The complete list of keys.
    pub keys: Option<Vec<Text>>,
    /// The number of solutions.
    pub solutions: Option<u64>,
    /// Whether there is exactly one solution.
    pub sound: Option<bool>,
}

/// A goal that a side can force.
#[derive(Clone, Debug)]
pub struct Force {
    /// `win`, a reason of the rule set, or an expression.
    pub goal: Text,
    /// The side that forces the goal; the side to move if `None`.
    pub by: Option<Text>,
    /// The maximum number of plies.
    pub within: Option<u32>,
    /// Whether the claim is that the side can force the goal, or that it cannot.
    pub holds: bool,
}

/// A bound on the length of every game.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The measure of the turns left to the side `mover`.
    pub measure: Text,
    /// The maximum number of turns of each side.
    pub turns: u64,
    /// Whether the claim includes that a game of this length exists.
    pub tight: bool,
}

/// A kind of misprint that may be corrected, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amendment {
    /// Consecutive turns are missing.
    InsertTurns {
        /// The number of turns.
        turns: u32,
        /// The possible places of the first missing turn in plies, from 1; empty for any place.
        at: Vec<u32>,
    },
    /// Printed turns are wrong.
    ReplaceTurns {
        /// The number of turns.
        turns: u32,
        /// The possible places of the turns in plies, from 1; empty for any place.
        at: Vec<u32>,
    },
    /// Units are missing from the position.
    AddUnit {
        /// The number of units.
        units: u32,
        /// The letters of the units that may be missing, upper case for White; `None` for any.
        of: Option<String>,
    },
    /// This number of units are on wrong squares.
    MoveUnit(u32),
    /// The number after `is`, `turns` or `within` is wrong; the right one is between these two.
    Number(i64, i64),
    /// This number of marks are wrong.
    Mark(u32),
}
