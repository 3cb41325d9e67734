//! The values of a solved game graph, as rows.

use super::table;
use explore::{Expander, Exploration, StateId};
use notation::{fen, turns};
use position::KEY_WORDS;
use rules::Game;
use scale::SolvedSummary;
use serde::Serialize;
use std::io;
use struct_field_names_as_array::FieldNamesAsSlice;
use values::Layout;
use values::{BestLine, Census, LineEnd, Value, Values};

/// A line of best play, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Played {
    /// The turns, separated by blanks.
    pub turns: String,
    /// The end of the line: the outcome, or `endless, repeating the position after N turns`.
    pub end: String,
}

impl From<BestLine> for Played {
    fn from(line: BestLine) -> Played {
        Played {
            turns: line.turns.join(" "),
            end: match line.end {
                LineEnd::Outcome(outcome) => outcome.to_string(),
                LineEnd::Repeats(at) => format!("endless, repeating the position after {at} turns"),
            },
        }
    }
}

/// A winning state with the greatest distance to the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Longest {
    /// The distance in plies.
    pub plies: u16,
    /// The position.
    pub fen: String,
    /// A line of best play from the position.
    pub line: Option<Played>,
}

/// A summary of the values of a graph. Values are for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solved {
    /// The value of the root: `loss`, `weak-loss`, `draw`, `weak-win`, `win`.
    pub value: &'static str,
    /// The distance from the root to the end in plies; `None` for a draw.
    pub plies: Option<u16>,
    /// A line of best play from the root.
    pub line: Option<Played>,
    /// The number of states of each value, and the most distant wins.
    #[serde(flatten)]
    pub census: Census<Longest>,
    /// The number of states whose values were compared with those of their successors; `None` if this was not
    /// done.
    pub certified_states: Option<u64>,
    /// The number of states whose value is wrong. Any other number than 0 is an error of the program.
    pub faulty_states: Option<u64>,
}

impl Solved {
    /// Returns the summary of a solved graph.
    pub fn new(game: &Expander<'_>, found: &SolvedSummary) -> Solved {
        let line = |line: &Option<BestLine>| line.clone().map(Played::from);
        let census = &found.census;
        let longest = [&census.longest_win, &census.longest_weak_win].map(|farthest| {
            farthest.as_ref().map(|farthest| Longest {
                plies: farthest.plies,
                fen: game.fen(&farthest.key),
                line: line(&farthest.line),
            })
        });
        Solved {
            value: found.root.word(),
            plies: found.root.distance_plies(),
            line: line(&found.root_line),
            census: census.with_longest(longest),
            certified_states: found.certified_states,
            faulty_states: found.faulty_states,
        }
    }

    /// Returns the figures as pairs of a name and a value.
    pub fn lines(&self) -> Vec<(String, String)> {
        let mut lines = Vec::new();
        let mut line = |name: &str, value: String| lines.push((name.to_string(), value));
        line(
            "value, side to move",
            match self.plies {
                Some(1) => format!("{} in 1 ply", self.value),
                Some(plies) => format!("{} in {plies} plies", self.value),
                None => self.value.to_string(),
            },
        );
        if let Some(play) = &self.line {
            line("best play", format!("{} ({})", play.turns, play.end));
        }
        let census = &self.census;
        let names = ["win", "weak win", "draw", "weak loss", "loss"];
        let counts = census.counts();
        for (name, share) in shares(names, counts, counts.iter().sum()) {
            line(&format!("states: {name}"), share);
        }
        for (name, longest) in [
            ("longest win, plies", &census.longest_win),
            ("longest weak win, plies", &census.longest_weak_win),
        ] {
            if let Some(longest) = longest {
                line(name, format!("{}  {}", longest.plies, longest.fen));
                if let Some(play) = &longest.line {
                    line("", format!("{} ({})", play.turns, play.end));
                }
            }
        }
        line(
            "one winning turn, states",
            census.one_winning_turn.to_string(),
        );
        line(
            "values",
            match (self.certified_states, self.faulty_states) {
                (Some(states), Some(0)) => format!("certified, {states} states"),
                (_, Some(faulty)) => format!("WRONG at {faulty} states"),
                _ => "not certified".to_string(),
            },
        );
        lines
    }
}

/// Returns the number of states of each value from win to loss, each with its share of all states. Weak wins
/// and weak losses are left out if their number is 0.
pub(crate) fn shares(
    names: [&'static str; 5],
    counts: [u64; 5],
    all: u64,
) -> impl Iterator<Item = (&'static str, String)> {
    let rows = (0..).zip(names.into_iter().zip(counts));
    let shown = rows.filter(|(n, (_, count))| n % 2 == 0 || *count > 0);
    shown.map(move |(_, (name, count))| {
        let share = 100.0 * count as f64 / all.max(1) as f64;
        (name, format!("{count} ({share:.2}%)"))
    })
}

/// The row of one state with its value.
#[derive(Serialize, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct StateRow {
    pub state: StateId,
    pub fen: String,
    pub outcome: String,
    pub value: &'static str,
    pub plies: Option<u16>,
    pub turns: usize,
    pub best_turns: usize,
    pub turn: Option<String>,
}

/// Writes all states as CSV, by number. Each row has the number of turns, the number of best turns by value
/// and distance, and the first best turn in byte order.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_states<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    values: &Values,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let rows = (0..values.len() as StateId).map(|state| state_row(game, found, values, state));
    table::csv_of(rows, out)
}

fn state_row<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    values: &Values,
    state: StateId,
) -> StateRow {
    let p = found.position::<W>(state);
    let mut key = [0; KEY_WORDS];
    let turns = turns::sorted(game, &p);
    let after: Vec<Option<Value>> = turns
        .iter()
        .map(|(_, turn)| {
            found.codec.encode(&game.play(&p, turn), &mut key);
            let to = found.states.find(&key[..found.states.words()]);
            to.map(|to| values.of(to))
        })
        .collect();
    let least = after.iter().flatten().min();
    let best = || (0..turns.len()).filter(|&i| after[i].as_ref() == least);
    StateRow {
        state,
        fen: fen::print(game, &p),
        outcome: game.outcome(&p).to_string(),
        value: values.of(state).word(),
        plies: values.of(state).distance_plies(),
        turns: turns.len(),
        best_turns: best().count(),
        turn: best().next().map(|i| turns[i].0.clone()),
    }
}
