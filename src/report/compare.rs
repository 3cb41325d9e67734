//! Compares two variants at one position: finds turns that only one of them allows, and turns that have
//! different effects.

use diagnostics::Diagnostic;
use notation::with_setup;
use notation::{Setup, fen, turns};
use rules::{Game, Turn, Variant};
use serde::Serialize;
use std::cmp::Ordering;
use struct_field_names_as_array::FieldNamesAsSlice;
use values::Layout;

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The variants interpret the position differently, or see different outcomes in it.
    Reading,
    /// The turn is legal only in the first variant.
    OnlyFirst,
    /// The turn is legal only in the second variant.
    OnlySecond,
    /// The turn leads to different positions or different outcomes.
    Effect,
}

/// A difference between two variants. FENs and outcomes refer to the position after the turn. For
/// [`Reading`](Kind::Reading), which has no turn, they refer to the position itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct Difference {
    /// The first variant.
    pub first_variant: String,
    /// The second variant.
    pub second_variant: String,
    /// The position, as the first variant prints it.
    pub fen: String,
    /// The turn.
    pub turn: Option<String>,
    /// The kind of the difference.
    pub difference: Kind,
    /// The position in the first variant, if it exists there.
    pub first_fen: Option<String>,
    /// The outcome in the first variant.
    pub first_outcome: Option<String>,
    /// The position in the second variant, if it exists there.
    pub second_fen: Option<String>,
    /// The outcome in the second variant.
    pub second_outcome: Option<String>,
}

/// The differences between two variants at one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The variants.
    pub variants: [String; 2],
    /// The position, as the first variant prints it.
    pub fen: String,
    /// The difference in reading, if there is one, followed by the differences of turns in byte order.
    pub differences: Vec<Difference>,
}

/// A position as one variant interprets it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct View {
    fen: String,
    outcome: String,
}

impl View {
    fn of<W: Layout>(game: &dyn Game<W>, p: &position::Position<W>) -> View {
        View {
            fen: fen::print(game, p),
            outcome: game.outcome(p).to_string(),
        }
    }

    /// Returns the fields of the FEN without the clocks: board, side to move, castling rights, en passant,
    /// state.
    fn fields(&self) -> [&str; 5] {
        let fields: Vec<&str> = self.fen.split(' ').collect();
        [0, 1, 2, 3, 6].map(|index| fields.get(index).copied().unwrap_or(""))
    }
}

/// A position, and the position after each legal turn. The turns are in byte order.
struct Seen {
    here: View,
    turns: Vec<(String, View)>,
}

fn see(variant: &Variant, text: &str) -> Result<Seen, Diagnostic> {
    let setup = Setup::read(variant, Some(text)).map_err(|mut error| {
        error.what = format!("{} as `{variant}` reads it", error.what);
        error
    })?;
    Ok(with_setup!(setup, start => {
        let game = start.game.as_ref();
        let after = |turn: &Turn| View::of(game, &game.play(&start.position, turn));
        Seen {
            here: View::of(game, &start.position),
            turns: turns::sorted(game, &start.position)
                .into_iter()
                .map(|(text, turn)| (text, after(&turn)))
                .collect(),
        }
    }))
}

/// Compares two variants at a position. Each variant reads a FEN of its own, since it may not support all
/// fields of the other's.
///
/// # Errors
/// If a variant cannot read the position.
pub fn at(variants: &[Variant; 2], fens: [&str; 2]) -> Result<Comparison, Diagnostic> {
    let first = see(&variants[0], fens[0])?;
    let second = see(&variants[1], fens[1])?;
    let names = variants.each_ref().map(Variant::to_string);
    let mut differences = Vec::new();
    let mut differ = |turn: Option<&str>, difference, a: Option<&View>, b: Option<&View>| {
        differences.push(Difference {
            first_variant: names[0].clone(),
            second_variant: names[1].clone(),
            fen: first.here.fen.clone(),
            turn: turn.map(str::to_string),
            difference,
            first_fen: a.map(|view| view.fen.clone()),
            first_outcome: a.map(|view| view.outcome.clone()),
            second_fen: b.map(|view| view.fen.clone()),
            second_outcome: b.map(|view| view.outcome.clone()),
        });
    };
    let (a, b) = (first.here.fields(), second.here.fields());
    let same_field: [bool; 5] = std::array::from_fn(|i| a[i] == b[i]);
    if same_field.contains(&false) || first.here.outcome != second.here.outcome {
        differ(None, Kind::Reading, Some(&first.here), Some(&second.here));
    }
    let differs = |a: &View, b: &View| {
        let (x, y) = (a.fields(), b.fields());
        a.outcome != b.outcome || (0..5).any(|i| same_field[i] && x[i] != y[i])
    };

    // Both lists are in byte order, so merge them.
    let mut left = first.turns.iter().peekable();
    let mut right = second.turns.iter().peekable();
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((mine, _)), Some((theirs, _))) => mine.cmp(theirs),
        };
        let a = left.next_if(|_| order.is_le());
        let b = right.next_if(|_| order.is_ge());
        match (a, b) {
            (Some((turn, a)), Some((_, b))) if differs(a, b) => {
                differ(Some(turn), Kind::Effect, Some(a), Some(b));
            }
            (Some((turn, a)), None) => differ(Some(turn), Kind::OnlyFirst, Some(a), None),
            (None, Some((turn, b))) => differ(Some(turn), Kind::OnlySecond, None, Some(b)),
            _ => {}
        }
    }
    Ok(Comparison {
        variants: names,
        fen: first.here.fen.clone(),
        differences,
    })
}

/// Returns a start position without the state keys and castling letters that another variant does not have.
/// Also returns the parts that were dropped.
pub fn known_to(start: &str, other: &Variant) -> (String, Vec<String>) {
    let mut fields: Vec<String> = start.split(' ').map(str::to_string).collect();
    let mut dropped = Vec::new();
    if let Some(castling) = fields.get_mut(2) {
        let letters = other.rule_set.castling_letters();
        let knows = |c: char| c == '-' || letters.contains(&c.to_ascii_uppercase());
        if !castling.chars().all(knows) {
            dropped.push(std::mem::replace(castling, "-".to_string()));
        }
    }
    if fields.len() > 6 {
        let known = |item: &&str| {
            let key = item.split('=').next();
            other.rule_set.state().iter().any(|(k, _)| Some(*k) == key)
        };
        let state = fields.remove(6);
        let (kept, unknown): (Vec<&str>, Vec<&str>) = state.split(';').partition(known);
        dropped.extend(unknown.into_iter().map(str::to_string));
        if !kept.is_empty() {
            fields.push(kept.join(";"));
        }
    }
    (fields.join(" "), dropped)
}

impl Comparison {
    /// Returns the comparison as text: the position, then a line for each difference. If both variants allow
    /// a turn, the results in both follow.
    pub fn text(&self) -> String {
        let [first, second] = &self.variants;
        let mut text = format!("{first} and {second} at {}\n", self.fen);
        if self.differences.is_empty() {
            text += "no difference\n";
        }
        let width = first.chars().count().max(second.chars().count());
        for d in &self.differences {
            let turn = d.turn.as_deref().unwrap_or("the position");
            let only = |name, outcome: &Option<String>| {
                let ended = outcome.as_deref().filter(|outcome| *outcome != "ongoing");
                let ended = ended.map_or(String::new(), |outcome| format!(": {outcome}"));
                format!("{turn} only in {name}{ended}\n")
            };
            text += &match d.difference {
                Kind::Reading => format!("{turn} is read differently\n"),
                Kind::OnlyFirst => only(first, &d.first_outcome),
                Kind::OnlySecond => only(second, &d.second_outcome),
                Kind::Effect => format!("{turn} has another effect\n"),
            };
            let views = [
                (first, &d.first_fen, &d.first_outcome),
                (second, &d.second_fen, &d.second_outcome),
            ];
            if matches!(d.difference, Kind::Reading | Kind::Effect) {
                for (name, fen, outcome) in views {
                    let fen = fen.as_deref().unwrap_or_default();
                    let outcome = outcome.as_deref().unwrap_or_default();
                    text += &format!("    {name:<width$}  {fen}  {outcome}\n");
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::VariantInfo;

    #[test]
    fn unknown_state_and_castling_letters_are_dropped() {
        static KNOWS_CHECKS: VariantInfo = VariantInfo {
            id: "knows-checks",
            state: &[("checks", "checks given")],
            ..VariantInfo::FIDE
        };
        let other = Variant::from(&KNOWS_CHECKS);
        let (text, dropped) = known_to("4k3/8/4K3 w AGag - 0 1 first=1;checks=1,2", &other);
        assert_eq!(text, "4k3/8/4K3 w - - 0 1 checks=1,2");
        assert_eq!(dropped, ["AGag", "first=1"]);
        let (text, dropped) = known_to("4k3/8/4K3 w Kq - 0 1 first=1", &other);
        assert_eq!(text, "4k3/8/4K3 w Kq - 0 1");
        assert_eq!(dropped, ["first=1"]);
    }
}
