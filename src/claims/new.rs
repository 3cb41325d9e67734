//! Writes a first claims file for a rule set: ten claims about common questions of designers, with the values
//! found.
//!
//! The checks that later verify the file also compute every value. Their limits keep each check to a few
//! seconds.

use crate::checks::measure::{self, Measured};
use crate::file::{Check, Ratio};
use crate::subject::Subject;
use crate::{Finding, OpenFile, Verdict};
use catalog::Catalog;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use notation::Setup;
use position::Layout;
use rules::{Game, with_game};
use std::fmt::Write;
use std::sync::Arc;
use tables::{Signature, Tables};

/// The maximum number of states of a graph that is searched.
const MAX_STATES: u64 = 100_000;
/// The number of random games.
const GAMES: u32 = 100;
/// The maximum number of kinds of lone units whose tables are measured.
const MAX_LONE_UNITS: usize = 4;
/// The maximum number of tables tried for lone units. Some rule sets have no small table.
const MAX_TRIED_TABLES: usize = 6;
/// The maximum number of positions of a lone unit's table.
const MAX_TABLE_POSITIONS: u64 = 2_000_000;
/// The maximum number of indices of a lone unit's table and all tables that it depends on. This many take
/// some seconds on one processor. Larger tables are left out.
const MAX_TABLE_INDICES: u64 = 8_000_000;
/// The maximum depth in plies of a graph that is tried.
const MAX_DEPTH: u32 = 6;

/// A claims file that is being written.
struct Draft<'a> {
    catalog: &'a Arc<Catalog>,
    head: String,
    control: &'a Control<'a>,
    text: String,
}

/// Returns a claims file for a rule set, with the values found.
///
/// # Errors
/// If the rule set is unknown, or `control` stopped the search for values.
pub fn new_file(
    catalog: &Arc<Catalog>,
    id: &str,
    control: &Control<'_>,
) -> Result<String, Diagnostic> {
    let variant = catalog.open(id)?;
    let setup = Setup::read(&variant, None)?;
    let name = quoted(&format!("First claims about {}", variant.rule_set.name()));
    // The catalog already contains the file. Opening it again for each claim would repeat its warnings.
    let head = format!("[page]\ntitle = {name}\nvariant = {}\n", quoted(id));
    let mut text = head.clone();
    let files = catalog.files_of(variant.rule_set.id()).into_iter();
    let files: Vec<String> = files
        .map(|file| quoted(&file.display().to_string()))
        .collect();
    if !files.is_empty() {
        // The page is written for the current folder, relative to which the user named the files.
        let _ = writeln!(text, "rules = [{}]", files.join(", "));
    }
    let mut draft = Draft {
        catalog,
        text,
        head,
        control,
    };
    draft.length()?;
    draft.shortest_game()?;
    draft.first_turn_wins()?;
    draft.number(
        "blunders",
        "this number of first turns loses to the next turn",
        "sum = \"size(turns.filter(t, t.after.turns.exists(r, r.after.won(other(side)))))\"",
    )?;
    draft.outcomes()?;
    draft.lone_units(&setup)?;
    draft.number(
        "idle-units",
        "this number of units of the side to move cannot move at the start",
        "sum = \"size(units(side).filter(u, size(u.moves) == 0))\"",
    )?;
    draft.opposites()?;
    draft.reduced_board(&setup)?;
    draft
        .control
        .check()
        .map_err(|stopped| Diagnostic::new("verify new", stopped.to_string()))?;
    Ok(draft.text)
}

/// Returns a text as a quoted TOML string.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

impl Draft<'_> {
    fn open(&self, body: &str) -> Result<OpenFile, Diagnostic> {
        let text = format!("{}\n[[claim]]\nid = 'x'\nsays = 'x'\n{body}\n", self.head);
        OpenFile::read("new", &text, None, self.catalog)
    }

    /// Measures the number of a claim that does not state it yet.
    fn measured(&self, body: &str) -> Result<Option<Measured>, Diagnostic> {
        let file = self.open(&format!("{body}\nis = 0"))?;
        let claim = &file.file.entries[0].instances[0].claim;
        let subject = Subject::open(&file.catalog, &file.file.source, claim)?;
        match &claim.check {
            Check::Measure(measure) => measure::measured(measure, &subject, self.control),
            _ => Ok(None),
        }
    }

    fn verified(&self, body: &str) -> Result<Finding, Diagnostic> {
        let file = self.open(body)?;
        file.verify(&file.file.entries[0], self.control)
    }

    fn push(&mut self, id: &str, says: &str, body: &str) {
        let says = quoted(says);
        let _ = write!(
            self.text,
            "\n[[claim]]\nid = \"{id}\"\nsays = {says}\n{body}\n"
        );
    }

    /// Adds a claim about a number, if the number can be measured exactly.
    fn number(&mut self, id: &str, says: &str, body: &str) -> Result<(), Diagnostic> {
        if let Some(measured) = self.measured(body)?
            && let (None, Some(value)) = (&measured.limit, measured.value)
        {
            self.push(id, says, &format!("{body}\nis = {}", number(value)));
        }
        Ok(())
    }

    /// Adds a claim about the longest line of play, or about the part of the graph that was searched.
    fn length(&mut self) -> Result<(), Diagnostic> {
        let limits = format!("limits = {{ states = {MAX_STATES} }}");
        let body = format!("longest = \"play\"\n{limits}");
        let Some(measured) = self.measured(&body)? else {
            return Ok(());
        };
        match (measured.limit, measured.cycle, measured.value) {
            (None, false, Some(plies)) => {
                let says = "every game ends; the longest line of play has this number of plies";
                self.push("every-game-ends", says, &format!("{body}\nis = {plies}"));
                Ok(())
            }
            (None, true, _) => self.endless(&limits),
            _ => self.searched("whether every game ends is not known"),
        }
    }

    /// Adds a claim about the number of positions of a cyclic graph, or of the part of the graph that is
    /// small enough.
    fn endless(&mut self, limits: &str) -> Result<(), Diagnostic> {
        let body = format!("states = true\n{limits}");
        match self.measured(&body)? {
            Some(measured) if measured.limit.is_none() => {
                let says = "games can go on for ever, among this number of positions";
                self.number("endless-play", says, &body)
            }
            _ => self.searched("games can go on for ever"),
        }
    }

    /// Adds a claim about the number of positions within the greatest depth whose graph is small enough.
    fn searched(&mut self, length: &str) -> Result<(), Diagnostic> {
        let body = |depth: u32| {
            format!(
                "states = true\nover = {{ graph = {{ depth = {depth} }} }}\n\
                 limits = {{ states = {MAX_STATES} }}"
            )
        };
        let mut deepest = 0;
        for depth in 1..=MAX_DEPTH {
            match self.measured(&body(depth))? {
                Some(measured) if measured.limit.is_none() => deepest = depth,
                _ => break,
            }
        }
        let says =
            format!("{length}; within {deepest} plies, games reach this number of positions");
        self.number("positions", &says, &body(deepest))
    }

    /// Adds a claim about the shortest game, or about the depth within which no game ends.
    fn shortest_game(&mut self) -> Result<(), Diagnostic> {
        let limits = format!("limits = {{ states = {MAX_STATES} }}");
        let mut free = None;
        for depth in 0..=MAX_DEPTH {
            let over = format!("over = {{ graph = {{ depth = {depth} }} }}\n{limits}");
            let body = format!("exists = \"over\"\n{over}");
            match self.verified(&body)?.verdict {
                Verdict::Confirmed => {
                    let says = format!("a game can end after {depth} plies");
                    self.push("shortest-game", &says, &body);
                    return Ok(());
                }
                Verdict::Refuted => free = Some((depth, over)),
                _ => break,
            }
        }
        if let Some((depth, over)) = free {
            let says = format!("no game ends within {depth} plies");
            self.push("no-short-game", &says, &format!("never = \"over\"\n{over}"));
        }
        Ok(())
    }

    fn first_turn_wins(&mut self) -> Result<(), Diagnostic> {
        const OVER: &str = "over = { graph = { depth = 1 } }";
        const WINS: &str = "\"turns.exists(t, t.after.won(side))\"";
        let exists = format!("exists = {WINS}\n{OVER}");
        match self.verified(&exists)?.verdict {
            Verdict::Confirmed => {
                self.push("early-win", "a side can win with its first turn", &exists);
            }
            _ => {
                let says = "no side can win with its first turn";
                self.push("no-early-win", says, &format!("never = {WINS}\n{OVER}"));
            }
        }
        Ok(())
    }

    /// Adds claims about the shares of outcomes in random games.
    fn outcomes(&mut self) -> Result<(), Diagnostic> {
        for (id, says, condition) in [
            (
                "white-wins",
                "the share of random games that White wins",
                "won(white)",
            ),
            (
                "black-wins",
                "the share of random games that Black wins",
                "won(black)",
            ),
            ("draws", "the share of random games that are drawn", "drawn"),
        ] {
            let body =
                format!("share = \"{condition}\"\nover = {{ games = {GAMES}, ends = true }}");
            if let Some(Measured {
                value: Some(share), ..
            }) = self.measured(&body)?
            {
                self.push(id, says, &format!("{body}\nis = {:.2}", share.as_f64()));
            }
        }
        Ok(())
    }

    /// Adds a claim about the longest wins of a king and one unit against a king, or of the units that the
    /// rule set requires instead.
    fn lone_units(&mut self, setup: &Setup) -> Result<(), Diagnostic> {
        let signatures: Vec<String> = with_game!(&setup.game(), game => {
            let materials = tables::materials(game.as_ref(), 2, 1).into_iter();
            materials.map(|signature| signature.to_string()).collect()
        });
        let mut rows = Vec::new();
        for signature in signatures.into_iter().take(MAX_TRIED_TABLES) {
            let body = format!(
                "max = \"value == 'win' ? plies : -1\"\nover = {{ table = {} }}\n\
                 limits = {{ positions = {MAX_TABLE_POSITIONS} }}",
                quoted(&signature)
            );
            let indices = with_game!(&setup.game(), game => {
                self.table_indices(game, &signature)
            });
            if indices.is_none_or(|indices| indices > MAX_TABLE_INDICES) {
                continue;
            }
            // Some rule sets have no such tables; the claim covers those that exist.
            let Ok(Some(measured)) = self.measured(&body) else {
                continue;
            };
            if let (None, Some(plies)) = (measured.limit, measured.value) {
                rows.push(format!(
                    "  {{ units = {}, plies = {plies} }},\n",
                    quoted(&signature)
                ));
            }
            if rows.len() == MAX_LONE_UNITS || self.control.check() == Err(Stopped::Interrupted) {
                break;
            }
        }
        if !rows.is_empty() {
            let body = format!(
                "for = [\n{}]\nmax = \"value == 'win' ? plies : -1\"\nover = {{ table = \"{{units}}\" }}\n\
                 is = \"{{plies}}\"",
                rows.concat()
            );
            let says =
                "the longest win of these units has this number of plies (-1: there is no win)";
            self.push("lone-units", says, &body);
        }
        Ok(())
    }

    /// Returns the number of indices of a table and all tables that it depends on. Returns `None` if the rule
    /// set has no such table.
    fn table_indices<W: Layout>(&self, game: &Arc<dyn Game<W>>, signature: &str) -> Option<u64> {
        let signature = Signature::parse(game.as_ref(), signature).ok()?;
        let tables = Tables::new(Arc::clone(game), None);
        let groups = tables::plan(&tables, &signature, self.control).ok()?;
        Some(groups.iter().map(|group| group.indices).sum())
    }

    /// Adds claims about the arrays of the sides, ends without check, and repetition. Each claim is
    /// replaced by its opposite unless it is confirmed.
    fn opposites(&mut self) -> Result<(), Diagnostic> {
        const SAME: &str = "\"units(white).all(u, units(black).exists(v, v.kind == u.kind && \
                            v.file == u.file && v.row == u.row)) && count(white) == count(black)\"";
        const BACK: &str = "\"turns.exists(t, t.after.pass.turns.exists(r, r.from == t.to && r.to == t.from \
                            && r.kind == t.becomes && size(r.captures) == 0))\"\nover = { graph = { depth = 1 } }";
        let ends = format!("\"over && !check && size(turns) == 0\"\nover = {{ games = {GAMES} }}");
        for (word, condition, [id, says], [opposite, denies]) in [
            (
                "always",
                SAME,
                [
                    "mirrored-arrays",
                    "the array of Black mirrors that of White",
                ],
                [
                    "arrays-not-mirrored",
                    "the array of Black does not mirror that of White",
                ],
            ),
            (
                "exists",
                &ends,
                [
                    "quiet-end",
                    "a game can end without a check, by stalemate or otherwise",
                ],
                ["no-quiet-end", "random games do not end without a check"],
            ),
            (
                "exists",
                BACK,
                [
                    "repetition",
                    "a unit can go back to where it came from, so positions can repeat",
                ],
                [
                    "no-repetition",
                    "in its first turn, no side moves a unit that could go back at once",
                ],
            ),
        ] {
            let body = format!("{word} = {condition}");
            match self.verified(&body)?.verdict {
                Verdict::Confirmed => self.push(id, says, &body),
                _ => self.push(opposite, denies, &format!("never = {condition}")),
            }
        }
        Ok(())
    }

    /// Adds a claim about terminal positions among all placements of a few units on the smallest board that
    /// the rule set allows.
    fn reduced_board(&mut self, setup: &Setup) -> Result<(), Diagnostic> {
        let units: Option<String> = with_game!(&setup.game(), game => {
            let signature = tables::materials(game.as_ref(), 2, 1).into_iter().next();
            signature.map(|signature| {
                let text = signature.to_string();
                let (white, black) = text.split_once('v').unwrap_or((&text, ""));
                let upper = white.chars().map(|c| c.to_string());
                let lower = black.chars().map(|c| c.to_ascii_lowercase().to_string());
                upper.chain(lower).collect::<Vec<_>>().join(", ")
            })
        });
        let Some(units) = units else {
            return Ok(());
        };
        for board in [
            ", board = \"4x4\"",
            ", board = \"5x5\"",
            ", board = \"6x6\"",
            "",
        ] {
            let body = format!(
                "count = \"over\"\nover = {{ placements = {}{board} }}",
                quoted(&units)
            );
            let Ok(Some(measured)) = self.measured(&body) else {
                continue;
            };
            if measured.positions == 0 {
                continue;
            }
            let says =
                "the number of ended games among all placements of few units on a small board";
            if let Some(count) = measured.value {
                self.push("small-board", says, &format!("{body}\nis = {count}"));
            }
            return Ok(());
        }
        Ok(())
    }
}

/// Returns a number in the notation of claims files.
fn number(value: Ratio) -> String {
    match value.denominator {
        1 => value.numerator.to_string(),
        below => format!("\"{}/{below}\"", value.numerator),
    }
}
