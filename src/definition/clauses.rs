//! The keys of rule texts: clauses, whose values are expressions, and the layers of a definition that hold them.
//!
//! This crate reads clauses as texts with their places. It does not know expressions: a higher crate compiles the
//! texts, and reports errors by [`Clause::place_of`].

use crate::sections::{Entry, Section};
use diagnostics::LineColumn;
use std::fmt;
use std::ops::Range;

/// What follows the name of a clause key after a period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suffix {
    /// Nothing: the key is a single word.
    None,
    /// The name of a piece, or `*`.
    Piece,
    /// A name that the section chooses.
    Name,
}

/// A row of the table of clause keys.
#[derive(Debug)]
pub struct ClauseKey {
    /// The key, without what follows the period.
    pub name: &'static str,
    /// What follows a period.
    pub suffix: Suffix,
    /// What the clause is about, such as `a turn`.
    pub about: &'static str,
    /// The type of its value in words.
    pub result: &'static str,
    /// The meaning, as a sentence.
    pub meaning: &'static str,
}

macro_rules! keys {
    ($($name:literal $suffix:ident $about:literal $result:literal $meaning:literal)*) => {
        /// The keys of clauses, in the order of stages and effects.
        pub static CLAUSE_KEYS: &[ClauseKey] = &[$(ClauseKey {
            name: $name,
            suffix: Suffix::$suffix,
            about: $about,
            result: $result,
            meaning: $meaning,
        }),*];
    };
}

keys! {
    "let" Name "anything" "any type" "a definition that the section and its children use by its name"
    "options" None "the rule set" "declarations" "options of the rule set, such as `weak-loss; moves: 1..9999 = 60`"
    "state" None "the rule set" "declarations" "fields of the state, such as `blocked: kinds; count[side]: 0..3`"
    "movement" Piece "a unit" "movement" "how units of the piece move and attack, in Betza notation"
    "targets" Piece "a unit" "list of squares" "the squares to which a unit can step and which it attacks"
    "quiet" Piece "a unit" "list of squares" "the squares to which a unit can step without a capture"
    "attacks" Piece "a unit" "list of squares" "the squares that a unit attacks"
    "ontoOwn" None "a unit and its target" "'no', 'captures' or 'swaps'"
        "what a step onto the square of an own unit does"
    "activeIf" None "a unit" "bool" "only units for which this holds move and attack"
    "captureIf" None "a unit and its target" "bool" "a unit captures and attacks only targets for which this holds"
    "royalIf" None "a unit" "bool" "the units that may not be left in check and are never captured"
    "checkIf" None "a side" "bool" "a side is also in check if this holds"
    "ownCheck" None "the rule set" "true or false" "turns may leave the mover in check"
    "legalIf" None "a turn" "bool" "a turn is legal only if this holds"
    "prefer" None "a turn" "bool or int" "if some turns have this, or the greatest number, only those are legal"
    "stepCount" None "a position" "int" "the number of steps of a turn, 1 or 2"
    "continues" None "a step" "'no', 'may' or 'must'" "whether a second step follows the first"
    "stepIf" None "a step" "bool" "a step is possible only if this holds"
    "stepSide" None "a position" "side" "the side whose units make the step"
    "stepSafety" None "the rule set" "each or last" "after which steps the mover must be out of check"
    "takes" None "a step" "list of units" "the units that a step captures, in place of the one on its target"
    "landsOn" None "a turn" "square" "where the moved unit is after the turn"
    "turnsInto" None "a turn" "kind or list of kinds" "the kind of the moved unit after the turn"
    "joins" None "a turn" "side" "the side of the moved unit after the turn"
    "endsOn" None "a turn" "square" "where the moved unit goes at last, after changes of its kind and side"
    "removes" None "a turn" "list of units" "further units that leave the board"
    "converts" None "a turn" "list of units" "units that change sides"
    "rebirthIf" None "a captured unit" "bool" "whether a captured unit is put on the board again"
    "rebirth" None "a captured unit" "square or list of squares" "where a captured unit is put on the board again"
    "rebirthSide" None "a captured unit" "side" "the side of a unit that is put on the board again"
    "rebirthKind" None "a captured unit" "kind" "the kind of a unit that is put on the board again"
    "rebirthRights" None "the rule set" "true or false" "kings and rooks that are put on their home squares may castle"
    "toHand" None "a captured unit" "side or ''" "the side to whose hand a captured unit goes"
    "handKind" None "a captured unit" "kind" "the kind as which a captured unit goes to the hand"
    "takeOff" None "a position" "list of units" "units that a step can take off the board"
    "drops" None "a position" "list of kinds" "the kinds that a step can put on a vacant square"
    "dropIf" None "a drop" "bool" "a drop is possible only if this holds"
    "fenIf" None "a position" "bool, then : text" "what the position of a FEN must satisfy"
    "ends" None "a position" "entries" "how games end, one entry a line: REASON: RESULT if CONDITION"
}

/// The key that makes a section a condition.
pub const CONDITION: &str = "condition";
/// The key that names the conditions applied to a section.
pub const CONDITIONS: &str = "conditions";

/// Returns the row of a clause key, with what follows its period, or `None` for another key. `state.NAME` belongs to
/// the row `state`.
pub fn clause_key(key: &str) -> Option<(&'static ClauseKey, &str)> {
    let (name, suffix) = key.split_once('.').unwrap_or((key, ""));
    let row = CLAUSE_KEYS.iter().find(|row| row.name == name)?;
    let fits = match row.suffix {
        Suffix::None => key == name || name == "state" && !suffix.is_empty(),
        Suffix::Piece | Suffix::Name => !suffix.is_empty(),
    };
    fits.then_some((row, suffix))
}

/// Returns whether the value of a key may continue on the following lines and contain comments.
pub(crate) fn is_text(key: &str) -> bool {
    clause_key(key).is_some() || key == CONDITIONS
}

/// A clause as it is written.
#[derive(Clone, PartialEq, Eq)]
pub struct Clause {
    /// The key.
    pub key: String,
    /// The value. Its lines end with LF, without comments; all but the first keep the blanks before them.
    pub text: String,
    /// The place of the key.
    key_place: LineColumn,
    /// The place of the value.
    place: LineColumn,
}

/// Without places and blanks: where and how a clause is written does not change what it means.
impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {:?}", self.key, crate::written::tight(&self.text))
    }
}

impl Clause {
    /// Returns the clause of an entry.
    fn of(entry: &Entry) -> Clause {
        Clause {
            key: entry.key.text.clone(),
            text: entry.value.text.clone(),
            key_place: entry.key.place,
            place: entry.value.place,
        }
    }

    /// Returns the place of the key in the file.
    pub fn key_place(&self) -> LineColumn {
        self.key_place
    }

    /// Returns the place in the file of a place in the text.
    pub fn place_of(&self, within: LineColumn) -> LineColumn {
        match within.line {
            0 | 1 => LineColumn {
                line: self.place.line,
                column: self.place.column + within.column.saturating_sub(1),
            },
            line => LineColumn {
                line: self.place.line + line - 1,
                column: within.column,
            },
        }
    }
}

/// The clauses of one section.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layer {
    /// The name of the section.
    pub section: String,
    /// Whether the section is a condition.
    pub is_condition: bool,
    /// The clauses in the order of the section.
    pub clauses: Vec<Clause>,
}

impl Layer {
    /// Returns the clauses of a section.
    pub fn of(section: &Section) -> Layer {
        let entries = section.entries.iter();
        let clauses = entries.filter(|entry| clause_key(&entry.key.text).is_some());
        Layer {
            section: section.name.text.clone(),
            is_condition: is_condition(section),
            clauses: clauses.map(Clause::of).collect(),
        }
    }

    /// Returns the clause with a key.
    pub fn get(&self, key: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.key == key)
    }
}

/// The signs with which a line continues the entry before it.
const CONTINUING: [&str; 5] = ["&&", "||", "?", ":", "+"];

/// Returns the places of the entries of a clause with one entry a line, such as `ends`.
pub fn entries(text: &str) -> Vec<Range<usize>> {
    let mut entries: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let trimmed = line.trim();
        if !trimmed.is_empty() {
            let start = at + (line.len() - line.trim_start().len());
            let end = start + trimmed.len();
            let continues = CONTINUING.iter().any(|sign| trimmed.starts_with(sign));
            match entries.last_mut() {
                Some(last) if continues => last.end = end,
                _ => entries.push(start..end),
            }
        }
        at += line.len() + 1;
    }
    entries
}

/// Returns whether a section is a condition.
pub fn is_condition(section: &Section) -> bool {
    section
        .get(CONDITION)
        .is_some_and(|entry| entry.value.text == "true")
}

/// Returns whether a section is played as a rule text: it has clauses, or conditions are applied to it.
pub(crate) fn is_rule_text(section: &Section) -> bool {
    section.entries.iter().any(|entry| is_text(&entry.key.text))
}
