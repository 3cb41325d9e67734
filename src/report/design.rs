//! The design report: figures that show whether a rule set is sound as a game. They cover its start position,
//! first turns, random games, longest play, endings and small boards, each with the scope in which they hold.
//!
//! Relies on `explore`, `problems` and the other reports. Every part is limited by counts, never by time. The
//! rows are therefore the same for any number of threads, and on every machine with 2 GB of memory available.
//! Figures that a limit cut off name the limit.

use super::endgames::least_endgames;
use super::reduced::{ReducedScope, reduced};
use super::small_boards;
use board::{Color, Kind, Squares};
use control::{Control, MAX_RANDOM_GAME_PLIES, Random, counted};
use diagnostics::Diagnostic;
use explore::{Limits, explore, structure};
use notation::{Setup, Start, fen, turns, with_setup};
use position::{Layout, Position};
use problems::Limits as ProblemLimits;
use puzzle::{Posed, solve};
use rayon::prelude::*;
use rules::{Action, Outcome, RuleSet, Variant, reason};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use struct_field_names_as_array::FieldNamesAsSlice;

/// The number of random games. The standard error of a share of 50% is then 1.6%.
const GAMES: u64 = 1_000;

/// The seed of the random games (arbitrary).
const SEED: u64 = 1;

/// The number of states searched for cycles and for the longest play.
const MAX_STATES: u64 = 100_000;

/// The maximum number of positions that the search for a forced win examines after each first turn.
const MAX_WIN_POSITIONS: u64 = 20_000;

/// The memory of one search for a forced win, in bytes.
const MAX_WIN_BYTES: u64 = 64 << 20;

/// A forced win after a first turn is reported if it takes at most this number of moves.
const SOON_MOVES: u32 = 2;

/// The maximum number of states of a reduced array. Larger arrays are reported as incomplete.
const MAX_ARRAY_STATES: u64 = 200_000;

/// The maximum number of reduced arrays.
const MAX_ARRAYS: usize = 4;

/// The maximum memory for the endings, in bytes.
const MAX_ENDING_BYTES: u64 = 512 << 20;

/// The maximum numbers of positions examined in endings, for compiled and for interpreted rule sets. A
/// position of an interpreted rule set takes up to four times as long.
const MAX_COMPILED_POSITIONS: u64 = 60_000_000;
const MAX_INTERPRETED_POSITIONS: u64 = 24_000_000;

/// A figure about a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct DesignRow {
    /// The rule set with its options.
    pub variant: String,
    /// The subject of the figure: `start`, `first turns`, `random games`, ...
    pub topic: &'static str,
    /// The quantity that is counted or measured, with its unit.
    pub figure: String,
    /// The number, or words.
    pub value: String,
    /// The set that was examined.
    pub scope: String,
    /// `complete`, or the limit that stopped the search.
    pub complete: String,
}

impl DesignRow {
    /// Returns whether no limit stopped the search.
    pub fn is_complete(&self) -> bool {
        self.complete == "complete"
    }
}

/// The parts of the report, in order. Each part adds rows.
const PARTS: [Examination; 6] = [
    start,
    first_turns,
    random_games,
    longest_play,
    endings,
    arrays,
];

type Examination = fn(&Variant, &Control<'_>, &mut Rows) -> Result<(), Diagnostic>;

/// The rows that the parts have added so far.
#[derive(Default)]
struct Rows {
    variant: String,
    topic: &'static str,
    /// The scope of the next figures.
    scope: String,
    rows: Vec<DesignRow>,
}

impl Rows {
    fn push(&mut self, figure: impl Into<String>, value: impl ToString) {
        self.push_within(figure, value, None);
    }

    /// Adds a figure. With a limit, the figure covers only the part of the scope that was examined before the
    /// limit was reached.
    fn push_within(
        &mut self,
        figure: impl Into<String>,
        value: impl ToString,
        limit: Option<String>,
    ) {
        self.rows.push(DesignRow {
            variant: self.variant.clone(),
            topic: self.topic,
            figure: figure.into(),
            value: value.to_string(),
            scope: self.scope.clone(),
            complete: limit.unwrap_or_else(|| "complete".to_string()),
        });
    }
}

/// Returns the figures of a rule set, or `None` if `control` stopped the report. The work is divided among
/// the threads of the caller's pool.
///
/// # Errors
/// If a part of the rule set cannot be played, such as its start position.
pub fn rows(
    variant: &Variant,
    control: &Control<'_>,
) -> Result<Option<Vec<DesignRow>>, Diagnostic> {
    let done = AtomicUsize::new(0);
    let parts: Vec<Result<Vec<DesignRow>, Diagnostic>> = PARTS
        .par_iter()
        .with_max_len(1)
        .map(|part| {
            let mut rows = Rows {
                variant: variant.to_string(),
                ..Rows::default()
            };
            part(variant, control, &mut rows)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            control.report_done("examining", done as u64, PARTS.len() as u64, "parts");
            Ok(rows.rows)
        })
        .collect();
    if control.is_interrupted() {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part?);
    }
    Ok(Some(rows))
}

/// Returns a share as a percentage with one decimal place.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Returns up to 20 texts separated by blanks with the number of further texts, or `none`.
fn list(texts: impl IntoIterator<Item = String>) -> String {
    let texts: Vec<String> = texts.into_iter().collect();
    match texts.len() {
        0 => "none".to_string(),
        1..=20 => texts.join(" "),
        n => format!("{} and {} more", texts[..20].join(" "), n - 20),
    }
}

/// Adds the turns and units of the start position, and whether the sides are alike.
fn start(variant: &Variant, _: &Control<'_>, rows: &mut Rows) -> Result<(), Diagnostic> {
    rows.topic = "start";
    with_setup!(&Setup::read(variant, None)?, start => start_of(start, rows));
    Ok(())
}

fn start_of<W: Layout>(start: &Start<W>, rows: &mut Rows) {
    let (game, p) = (start.game.as_ref(), &start.position);
    rows.scope = "the start position".to_string();
    rows.push("outcome", game.outcome(p));
    rows.push("turns", game.count(p));
    let mut first = Vec::new();
    game.turns(p, &mut first);
    let mut movable = BTreeSet::new();
    let mut note = |turns: &[rules::Turn]| {
        for step in turns.iter().flat_map(|turn| turn.steps) {
            if !step.is_none() && step.action() != Action::Place {
                movable.insert(step.from.0);
            }
        }
    };
    note(&first);
    let mut replies = Vec::new();
    for turn in &first {
        replies.clear();
        game.turns(&game.play(p, turn), &mut replies);
        note(&replies);
    }
    let geometry = game.board().geometry();
    for color in Color::BOTH {
        let stuck = p
            .color(color)
            .iter()
            .filter(|square| !movable.contains(&square.0));
        let name = |square: board::Square| {
            let kind = p.kind_on(square);
            format!("{}{}", game.men().name(color, kind), geometry.name(square))
        };
        let scope = match color == p.side {
            true => "the first turn",
            false => "the answers to all first turns",
        };
        rows.scope = scope.to_string();
        let figure = match color {
            Color::White => "units of White that cannot move",
            Color::Black => "units of Black that cannot move",
        };
        rows.push(figure, list(stuck.map(name)));
    }
    let text = fen::print(game, p);
    let fields: Vec<&str> = text.split(' ').collect();
    let board = fields[0].split('[').next().unwrap_or("");
    let swapped = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    let ranks = board.split('/').rev();
    let reflected: Vec<String> = ranks
        .map(|rank| rank.chars().map(swapped).collect())
        .collect();
    let sorted = |mut letters: Vec<char>| {
        letters.sort_unstable();
        letters
    };
    let rights = fields[2].chars();
    // The start also has rights, a passed pawn and a state. A state that only one side can have is left out.
    let is_same = reflected.join("/") == board
        && sorted(rights.clone().map(swapped).collect()) == sorted(rights.collect())
        && p.en_passant().is_none()
        && (game.carried().swapped_state(p.state)).is_none_or(|state| state == p.state);
    let array = match is_same {
        true => "the same, reflected",
        false => "not reflections of each other",
    };
    rows.scope = "the start position".to_string();
    rows.push("arrays of the sides", array);
    let rules = match game.symmetries().colors {
        true => "the same",
        false => "not shown to be the same",
    };
    rows.scope = "the rule set".to_string();
    rows.push("rules of the sides", rules);
}

/// Adds the first turns that end the game, and those after which the opponent can soon force a win.
fn first_turns(
    variant: &Variant,
    control: &Control<'_>,
    rows: &mut Rows,
) -> Result<(), Diagnostic> {
    rows.topic = "first turns";
    let setup = Setup::read(variant, None)?;
    let mut after = with_setup!(&setup, start => {
        let (game, p) = (start.game.as_ref(), &start.position);
        turns::sorted(game, p)
            .into_iter()
            .map(|(text, turn)| {
                let after = game.play(p, &turn);
                let outcome = game.outcome(&after);
                (text, fen::print(game, &after), outcome, p.side)
            })
            .collect::<Vec<_>>()
    });
    rows.scope = format!("all {} first turns", after.len());
    let at_once = |worth: fn(i8) -> bool| {
        let found = after
            .iter()
            .filter(|(_, _, outcome, side)| !outcome.is_ongoing() && worth(outcome.worth(*side)));
        list(found.map(|(text, ..)| text.clone()))
    };
    rows.push("turns that win at once", at_once(|worth| worth > 0));
    rows.push("turns that draw at once", at_once(|worth| worth == 0));
    rows.push("turns that lose at once", at_once(|worth| worth < 0));
    after.retain(|(_, _, outcome, _)| outcome.is_ongoing());
    let limits = ProblemLimits {
        solutions: Some(1),
        positions: Some(MAX_WIN_POSITIONS),
    };
    let part = control.for_part().with_memory(MAX_WIN_BYTES);
    let stipulation = format!("win {SOON_MOVES}");
    let lost: Vec<Result<(Option<String>, bool), Diagnostic>> = after
        .par_iter()
        .map(|(text, fen, ..)| {
            if control.is_interrupted() {
                return Ok((None, false));
            }
            let posed = Posed::new(variant, Some(fen), &stipulation)?;
            let answer = solve::solve_within(&posed, &limits, &part);
            let lost = !answer.keys.is_empty();
            Ok((
                lost.then(|| text.clone()),
                !lost && answer.stopped.is_some(),
            ))
        })
        .collect();
    let lost: Vec<(Option<String>, bool)> = lost.into_iter().collect::<Result<_, _>>()?;
    let open = lost.iter().filter(|(_, open)| *open).count();
    let first = after.len();
    rows.scope = format!("{first} first turns, {MAX_WIN_POSITIONS} positions each");
    let plies = 2 * SOON_MOVES - 1;
    rows.push_within(
        format!("turns after which the other side wins by force within {plies} plies"),
        list(lost.into_iter().filter_map(|(text, _)| text)),
        (open > 0).then(|| format!("max-positions after {open} turns")),
    );
    Ok(())
}

/// The figures of some random games.
#[derive(Default)]
struct Games {
    outcomes: BTreeMap<Outcome, u64>,
    lengths: Vec<u32>,
    capped: u64,
    positions: u64,
    legal_turns: u64,
    most_turns: u64,
    moved: BTreeSet<(Color, Kind)>,
}

impl Games {
    fn add(mut self, other: Games) -> Games {
        for (outcome, n) in other.outcomes {
            *self.outcomes.entry(outcome).or_default() += n;
        }
        self.lengths.extend(other.lengths);
        self.capped += other.capped;
        self.positions += other.positions;
        self.legal_turns += other.legal_turns;
        self.most_turns = self.most_turns.max(other.most_turns);
        self.moved.extend(other.moved);
        self
    }

    fn count(&self, wanted: impl Fn(&Outcome) -> bool) -> u64 {
        let found = self.outcomes.iter().filter(|(outcome, _)| wanted(outcome));
        found.map(|(_, n)| n).sum()
    }
}

/// Plays one random game.
fn play<W: Layout>(start: &Start<W>, number: u64) -> Games {
    let game = start.game.as_ref();
    let mut random = Random::numbered(SEED, number);
    let mut found = Games::default();
    let mut p: Position<W> = start.position;
    let mut legal = Vec::new();
    for plies in 0.. {
        legal.clear();
        game.turns(&p, &mut legal);
        if legal.is_empty() {
            *found.outcomes.entry(game.outcome(&p)).or_default() += 1;
            found.lengths.push(plies);
            break;
        }
        if plies == MAX_RANDOM_GAME_PLIES {
            found.capped = 1;
            break;
        }
        found.positions += 1;
        found.legal_turns += legal.len() as u64;
        found.most_turns = found.most_turns.max(legal.len() as u64);
        // Sort the turns, because the order in which they are generated is not part of the rules.
        legal.sort_unstable();
        let turn = legal[random.scaled_below(legal.len())];
        for step in turn.steps {
            if !step.is_none() && step.action() != Action::Place {
                found.moved.insert((p.side, step.kind()));
            }
        }
        p = game.play(&p, &turn);
    }
    found
}

/// Adds the outcomes and lengths of random games, and the numbers of turns that they offer.
fn random_games(
    variant: &Variant,
    control: &Control<'_>,
    rows: &mut Rows,
) -> Result<(), Diagnostic> {
    rows.topic = "random games";
    with_setup!(&Setup::read(variant, None)?, start => random_games_of(start, control, rows));
    Ok(())
}

fn random_games_of<W: Layout>(start: &Start<W>, control: &Control<'_>, rows: &mut Rows) {
    let games: Vec<Games> = (0..GAMES)
        .into_par_iter()
        .map(|number| match control.is_interrupted() {
            true => Games::default(),
            false => play(start, number),
        })
        .collect();
    let mut games = games.into_iter().fold(Games::default(), Games::add);
    games.lengths.sort_unstable();
    rows.scope = format!("{GAMES} random games of at most {MAX_RANDOM_GAME_PLIES} plies");
    let shares: [(&str, u64); 5] = [
        ("won by White", games.count(|o| o.worth(Color::White) > 0)),
        ("won by Black", games.count(|o| o.worth(Color::Black) > 0)),
        ("drawn", games.count(|o| o.worth(Color::White) == 0)),
        ("stopped before their end", games.capped),
        (
            "ended by stalemate",
            games.count(|o| o.reason() == Some(reason::STALEMATE)),
        ),
    ];
    for (what, n) in shares {
        rows.push(format!("share of games {what}"), percent(n, GAMES));
    }
    let outcomes = games.outcomes.iter();
    let outcomes: Vec<String> = outcomes.map(|(o, n)| format!("{o}: {n}")).collect();
    rows.push("games by outcome", outcomes.join("; "));
    let ended = games.lengths.len();
    let cut = (games.capped > 0).then(|| "max-plies".to_string());
    if ended > 0 {
        let plies: u64 = games.lengths.iter().map(|plies| u64::from(*plies)).sum();
        let mean = format!("{:.1}", plies as f64 / ended as f64);
        let (median, longest) = (games.lengths[ended / 2], games.lengths[ended - 1]);
        rows.push_within("mean length of games that ended, plies", mean, cut.clone());
        rows.push_within(
            "median length of games that ended, plies",
            median,
            cut.clone(),
        );
        rows.push("shortest game, plies", games.lengths[0]);
        rows.push_within("longest game that ended, plies", longest, cut);
    }
    if games.positions > 0 {
        let mean = format!("{:.1}", games.legal_turns as f64 / games.positions as f64);
        rows.push("branching factor: mean number of turns", mean);
        rows.push("most turns in one position", games.most_turns);
    }
    let p = &start.position;
    let game = start.game.as_ref();
    let idle = Color::BOTH.into_iter().flat_map(|color| {
        let kinds = game.men().strongest();
        kinds
            .filter(move |kind| !p.units(color, *kind).is_empty())
            .filter(|kind| !games.moved.contains(&(color, *kind)))
            .map(move |kind| game.men().name(color, kind).to_string())
            .collect::<Vec<_>>()
    });
    rows.push("kinds of unit that never moved", list(idle));
}

/// Adds the length of the longest possible game, or the fact that positions can repeat.
fn longest_play(
    variant: &Variant,
    control: &Control<'_>,
    rows: &mut Rows,
) -> Result<(), Diagnostic> {
    rows.topic = "longest play";
    with_setup!(&Setup::read(variant, None)?, start => longest_play_of(start, control, rows));
    Ok(())
}

fn longest_play_of<W: Layout>(start: &Start<W>, control: &Control<'_>, rows: &mut Rows) {
    let limits = Limits {
        max_states: MAX_STATES,
        ..Limits::default()
    };
    let control = control.for_part();
    let found = explore(start.game.as_ref(), &start.position, &limits, &control);
    let states = found.states.len();
    let limit = found.summary.limit.map(|limit| limit.limit().to_string());
    rows.scope = "reachable from the start".to_string();
    rows.push_within("states", states, limit.clone());
    let Some(graph) = &found.graph else {
        return;
    };
    let structure = structure(graph);
    let (value, limit) = match (structure.longest_path_turns(), &limit) {
        // A cycle among the states that were found is a cycle of the game, even if a limit was reached.
        (None, _) => ("without bound: positions can repeat".to_string(), None),
        (Some(plies), None) => (counted(plies, "ply", "plies"), None),
        (Some(plies), Some(limit)) => {
            let plies = counted(plies, "ply", "plies");
            (format!("at least {plies}"), Some(limit.clone()))
        }
    };
    rows.scope = format!("{states} states, those nearest to the start first");
    rows.push_within("longest play", value, limit);
}

/// Adds the values of endings with few units.
fn endings(variant: &Variant, control: &Control<'_>, rows: &mut Rows) -> Result<(), Diagnostic> {
    rows.topic = "endings";
    let max_positions = match variant.rule_set {
        RuleSet::Compiled(_) => MAX_COMPILED_POSITIONS,
        RuleSet::Defined(_) => MAX_INTERPRETED_POSITIONS,
    };
    let memory = (control.memory_bytes() / 4).min(MAX_ENDING_BYTES);
    let control = control.with_memory(memory);
    let found = match least_endgames(variant, max_positions, &control) {
        Ok(found) => found,
        Err(failed) if failed.is_interrupted() => return Ok(()),
        Err(failed) => {
            rows.scope = "tables".to_string();
            rows.push_within(
                "endings of few units",
                "not solved",
                Some(failed.to_string()),
            );
            return Ok(());
        }
    };
    if found.is_empty() {
        rows.scope = "two units against one".to_string();
        rows.push("endings of few units", "none can arise");
    }
    for row in found {
        let side = match row.side {
            'w' => "first side to move",
            _ => "second side to move",
        };
        let (Some(legal), Some(wins), Some(losses)) = (row.legal, row.wins, row.losses) else {
            rows.scope = side.to_string();
            rows.push_within(&row.signature, "not solved", Some(row.limit));
            continue;
        };
        let longest = |what: &str, plies: Option<u16>| {
            plies.map_or(String::new(), |plies| {
                format!(", longest {what} {}", counted(plies, "ply", "plies"))
            })
        };
        let value = format!(
            "wins {}, losses {}{}{}",
            percent(wins, legal),
            percent(losses, legal),
            longest("win", row.longest_win_plies),
            longest("loss", row.longest_loss_plies),
        );
        rows.scope = format!("{legal} positions, {side}");
        rows.push(&row.signature, value);
    }
    Ok(())
}

/// Adds the values of reduced arrays.
fn arrays(variant: &Variant, control: &Control<'_>, rows: &mut Rows) -> Result<(), Diagnostic> {
    rows.topic = "reduced arrays";
    let mut arrays = small_boards::arrays()?;
    let name = variant.to_string();
    arrays.retain(|array| array.variant == name && !array.deep);
    if arrays.is_empty() {
        // The array with the most units on each board.
        let scope = ReducedScope {
            max_files: 5,
            max_ranks: 5,
        };
        let reduced = reduced(variant, scope)?.arrays;
        let boards = reduced.chunk_by(|a, b| a.board == b.board);
        arrays = boards
            .filter_map(|board| board.last())
            .map(|reduced| reduced.array.clone())
            .collect();
    }
    arrays.truncate(MAX_ARRAYS);
    if arrays.is_empty() {
        rows.scope = "small boards and few units".to_string();
        rows.push("reduced arrays", "none");
        return Ok(());
    }
    let control = control.for_part();
    let Some(found) =
        small_boards::rows(&arrays, |_| Ok(variant.clone()), MAX_ARRAY_STATES, &control)?
    else {
        return Ok(());
    };
    for row in found {
        let value = match (row.value, row.plies) {
            (Some(value), Some(plies)) => {
                let plies = counted(plies, "ply", "plies");
                format!("{value} in {plies} for the side to move")
            }
            (Some(value), None) => value.to_string(),
            (None, _) => "not solved".to_string(),
        };
        let limit = Some(row.complete).filter(|complete| complete != "complete");
        rows.scope = format!("{} states on {}", row.states, row.board);
        rows.push_within(row.fen, value, limit);
    }
    Ok(())
}

/// Returns the rows as text, grouped by topic.
pub fn text(rows: &[DesignRow]) -> String {
    let mut out = String::new();
    for topic in rows.chunk_by(|a, b| a.topic == b.topic && a.variant == b.variant) {
        if !out.is_empty() {
            out.push('\n');
        }
        out += &format!("{}: {}\n", topic[0].variant, topic[0].topic);
        for row in topic {
            let limit = match row.is_complete() {
                true => String::new(),
                false => format!(" (NOT complete: {})", row.complete),
            };
            out += &format!("  {}: {}{limit}\n", row.figure, row.value);
            out += &format!("    scope: {}\n", row.scope);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_after_twenty() {
        assert_eq!(list([]), "none");
        assert_eq!(list(["a".to_string(), "b".to_string()]), "a b");
        let many = list((0..25).map(|n| n.to_string()));
        assert!(many.ends_with("19 and 5 more"), "{many}");
    }

    #[test]
    fn first_turns_that_end_the_game_are_named() {
        let variant = Variant::from(&variants::fide::INFO);
        let control = Control::new().with_memory(64 << 20);
        let mut rows = Rows {
            variant: "fide".to_string(),
            ..Rows::default()
        };
        start(&variant, &control, &mut rows).expect("a start");
        first_turns(&variant, &control, &mut rows).expect("first turns");
        let value = |figure: &str| {
            let row = rows.rows.iter().find(|row| row.figure.starts_with(figure));
            row.map(|row| row.value.clone()).unwrap_or_default()
        };
        assert_eq!(value("turns"), "20");
        assert_eq!(value("units of White"), "Ra1 Bc1 Qd1 Ke1 Bf1 Rh1");
        assert_eq!(value("turns that win at once"), "none");
        assert_eq!(value("turns after which"), "none");
        assert_eq!(value("arrays"), "the same, reflected");
    }

    #[test]
    fn arrays_include_hands_rights_and_passed_pawns() {
        let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (board, rest, is_same) in [
            (array, "w KQkq - 0 1", true),
            (array, "w KQk - 0 1", false),
            ("4k3/8/8/3pP3/3Pp3/8/8/4K3", "w - - 0 1", true),
            ("4k3/8/8/3pP3/3Pp3/8/8/4K3", "w - d6 0 1", false),
            ("4k3/8/8/8/8/8/8/4K3[NRnr]", "w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4K3[NRr]", "w - - 0 1", false),
        ] {
            let hands = if board.contains('[') {
                "crazyhouse"
            } else {
                "chess"
            };
            let rules = format!("[own:{hands}]\nstartFen = {board} {rest}\n");
            let mut catalog = catalog::Catalog::new();
            catalog.add_text("own.ini", &rules).expect("a definition");
            let variant = catalog.open("own").expect("a variant");
            let mut rows = Rows::default();
            start(&variant, &Control::new(), &mut rows).expect("a start");
            let figure = |row: &&DesignRow| row.figure.starts_with("arrays");
            let value = rows.rows.iter().find(figure).map(|row| row.value.as_str());
            let expected = match is_same {
                true => "the same, reflected",
                false => "not reflections of each other",
            };
            assert_eq!(value, Some(expected), "{board} {rest}");
        }
    }
}
