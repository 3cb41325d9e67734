//! A claims file as plain structs: one field for each key of the format.
//!
//! The structs hold what the file says. They open no rule set and verify nothing.

use super::number::Number;
use super::source_text::{SourceText, Text};
use language::Span;

/// A claims file.
#[derive(Clone, Debug)]
pub struct ClaimsFile {
    /// The text of the file.
    pub source: SourceText,
    /// Its table `[page]`.
    pub page: Page,
    /// The claims, in the order of the file.
    pub entries: Vec<Entry>,
}

/// The table `[page]`.
#[derive(Clone, Debug)]
pub struct Page {
    /// The first part of the claims' ids.
    pub id: String,
    /// The title.
    pub title: String,
    /// The work that makes the claims.
    pub source: String,
    /// The rule set of claims that name none.
    pub variant: Option<Text>,
    /// Files of definitions, relative to the claims file.
    pub rules: Vec<Text>,
}

/// One row of the ledger: a claim, or all instances of a claim whose id has no placeholder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The id as the ledger shows it.
    pub id: String,
    /// The assertion in words.
    pub says: String,
    /// The sentence or section that makes it.
    pub source: String,
    /// Whether it is verified and listed only with `--deep`.
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
    /// The claim with `--deep`, where that differs.
    pub deeper: Option<ClaimSpec>,
}

impl Instance {
    /// Returns the claim that is verified, with `--deep` or without.
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
    /// The position; the start position if left out.
    pub fen: Option<Text>,
    /// Turns to play first. The line of a check `line` is in that check instead.
    pub line: Option<Text>,
    /// Limits, as counts.
    pub limits: Limits,
    /// What may be misprinted.
    pub amend: Vec<Amendment>,
    /// The check.
    pub check: Check,
    /// The place of the key that names the check.
    pub at: Span,
}

/// Limits of a check, all counts, so that verdicts are reproducible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most states of a graph.
    pub states: u64,
    /// The most positions that are examined or searched.
    pub positions: u64,
    /// The most plies of a search.
    pub plies: u32,
    /// The number of random games.
    pub games: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            // 5 million states take about 200 MB with their edges and values.
            states: 5_000_000,
            // All placements of four units of ten kinds on 64 squares are 300 million positions.
            positions: 1_000_000_000,
            plies: 1_000,
            games: None,
        }
    }
}

/// A check of a claim.
#[derive(Clone, Debug)]
pub enum Check {
    /// A line is legal, ends as stated and has the marks stated.
    Line(LineCheck),
    /// The legal turns of a position are those of a printed list.
    Replies(Text),
    /// A condition holds always, never or somewhere.
    Property(Property),
    /// A number is as stated.
    Measure(Measure),
    /// A problem has the solutions stated.
    Solve(Solve),
    /// A side can force something.
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
    /// Marks with the conditions on the position after the turn.
    pub marks: Vec<(Text, Text)>,
}

/// Where a condition holds.
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
    /// Where it holds.
    pub quantifier: Quantifier,
    /// The condition.
    pub condition: Text,
    /// The positions.
    pub set: Set,
    /// A condition that has to hold somewhere in the set.
    pub nonvacuous: Option<Text>,
}

/// A set of positions.
#[derive(Clone, Debug)]
pub struct Set {
    /// The positions.
    pub kind: SetKind,
    /// The place of `over`, or of the check without it.
    pub at: Span,
}

/// The kinds of sets.
#[derive(Clone, Debug)]
pub enum SetKind {
    /// The one position of the claim.
    One,
    /// The positions that can be reached, up to a depth if one is given.
    Graph {
        /// The depth, included.
        depth: Option<u32>,
    },
    /// All placements of some units, both sides to move.
    Placements {
        /// The units: upper case White; `any` is one unit of each kind and side in turn.
        units: Text,
        /// Whether the side not to move is not in check.
        legal: bool,
        /// The size of the board, `4x5`.
        board: Option<Text>,
    },
    /// An endgame table with values.
    Table {
        /// The signature.
        signature: Text,
        /// The size of the board, `4x5`.
        board: Option<Text>,
    },
    /// The positions of random games.
    Games {
        /// The number of games.
        games: u64,
        /// Whether only the last positions count.
        ends: bool,
    },
    /// These positions.
    Positions(Vec<Text>),
    /// The turns of a line.
    Line(Text),
    /// Every single step that there can be.
    Steps,
}

/// A number that is measured, and what it is compared with.
#[derive(Clone, Debug)]
pub struct Measure {
    /// What is measured.
    pub kind: MeasureKind,
    /// The positions.
    pub set: Set,
    /// Only the positions of the set in which this condition holds are measured.
    pub among: Option<Text>,
    /// The comparisons; all must hold.
    pub relations: Vec<(Relation, Operand)>,
}

/// What is measured.
#[derive(Clone, Debug)]
pub enum MeasureKind {
    /// The number of positions in which a condition holds.
    Count(Text),
    /// Their share of all positions.
    Share(Text),
    /// The mean of an integer expression.
    Mean(Text),
    /// Its smallest value.
    Min(Text),
    /// Its greatest value.
    Max(Text),
    /// The sum of its values.
    Sum(Text),
    /// The number of lines of legal turns.
    Perft {
        /// The number of turns.
        depth: u32,
        /// The counts stated for single first turns.
        divide: Vec<(Text, u64)>,
    },
    /// The plies of the longest win, loss or line.
    Longest(Longest),
    /// The number of states of the graph.
    States,
    /// The value of the position.
    Value,
}

/// What is longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Longest {
    /// A win under best play.
    Win,
    /// A loss under best play.
    Loss,
    /// A line of a graph.
    Play,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal, to the digits given.
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

/// What a measure is compared with.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A number.
    Number(Number),
    /// The measured value of another claim of the file, by its id.
    Reference(Text),
    /// A value of a game: `win`, `draw`, ...
    Word(Text),
}

/// A problem.
#[derive(Clone, Debug)]
pub struct Solve {
    /// The stipulation.
    pub stipulation: Text,
    /// The condition of `goal N`.
    pub goal: Option<Text>,
    /// All keys.
    pub keys: Option<Vec<Text>>,
    /// The number of solutions.
    pub solutions: Option<u64>,
    /// Whether there is exactly one solution.
    pub sound: Option<bool>,
}

/// A side that can force something.
#[derive(Clone, Debug)]
pub struct Force {
    /// `win`, a reason of the rule set, or an expression.
    pub goal: Text,
    /// The side; the side to move if left out.
    pub by: Option<Text>,
    /// The most plies.
    pub within: Option<u32>,
    /// Whether the side can force it.
    pub holds: bool,
}

/// A bound on the length of every game.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The measure of what is left to the side `mover`.
    pub measure: Text,
    /// The most turns of each side.
    pub turns: u64,
    /// Whether a game of that length exists.
    pub tight: bool,
}

/// Something that may be misprinted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amendment {
    /// Turns are missing.
    InsertTurns {
        /// The number of turns.
        turns: u32,
        /// Their place in plies, from 1; any place if left out.
        at: Option<u32>,
    },
    /// One printed turn is wrong.
    ReplaceTurn {
        /// Its place in plies, from 1; any place if left out.
        at: Option<u32>,
    },
    /// Units are missing from the position.
    AddUnit {
        /// The number of units.
        units: u32,
        /// The letters of the units that may be missing, upper case White; any if left out.
        of: Option<String>,
    },
    /// Units are misplaced in the position.
    MoveUnit(u32),
    /// The number after `is`, `turns` or `within` is between these two.
    Number(i64, i64),
    /// Marks are wrong.
    Mark(u32),
}
