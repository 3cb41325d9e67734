//! The page of a rule set: rules, mobility of the units, counts, solved endings, claims, puzzles.
//!
//! Numbers come from the reports ([`Facts`]) or are computed here. Each number is printed with its scope. If
//! a report is missing, the page names the command that writes it.

use crate::diagram::{Diagram, Unit};
use crate::markup::escaped;
use crate::plot::{self, percent};
use crate::problem::About;
use crate::{line, markdown, mobility, problem, svg};
use board::Color;
use catalog::Catalog;
use control::{Control, MAX_RANDOM_GAME_PLIES};
use diagnostics::Diagnostic;
use explore::{Playouts, playouts};
use notation::{Setup, Start, fen, with_setup};
use problems::tree::Want;
use problems::{Deadline, Limits, Problem};
use puzzle::Layout;
use puzzle::Puzzle;
use report::atlas;
use rules::{Game, Outcome, Variant, with_game};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tables;
use tables::{Signature, Store, Tables, build_here};

/// The number of endings whose longest win is shown turn by turn.
const PLAYED: usize = 12;

/// The maximum size in bytes of a solution that is printed in full.
const SOLUTION_BYTES: usize = 12 << 10;

/// Page size in bytes beyond which further puzzles are listed by name only.
const PAGE_BYTES: usize = 900_000;

/// The maximum number of units of an ending that is solved to show its longest win.
const SOLVED_UNITS: usize = 3;

/// A row of a report, by the names of its columns.
#[derive(Debug, Deserialize)]
struct ReportLine(BTreeMap<String, String>);

impl ReportLine {
    /// Returns the text of a column, or an empty text if the column does not exist.
    fn text(&self, column: &str) -> &str {
        self.0.get(column).map_or("", String::as_str)
    }

    fn number(&self, column: &str) -> u64 {
        self.text(column).parse().unwrap_or(0)
    }
}

/// Reads the rows of a report. Returns no rows if the file does not exist.
fn read_rows(path: &Path) -> Result<Vec<ReportLine>, Diagnostic> {
    let wrong = |why: String| Diagnostic::new(format!("file `{}`", path.display()), why);
    let bytes = match control::files::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(wrong(format!("it cannot be read: {e}"))),
    };
    let rows = csv::Reader::from_reader(bytes.as_slice()).into_deserialize();
    rows.collect::<csv::Result<_>>()
        .map_err(|e| wrong(e.to_string()))
}

/// The rows of the reports on all rule sets.
#[derive(Debug, Default)]
pub struct Facts {
    atlas: Vec<ReportLine>,
    small_boards: Vec<ReportLine>,
    endgames: Vec<ReportLine>,
    claims: Vec<ReportLine>,
}

impl Facts {
    /// Reads the reports of a folder. A missing report has no rows.
    ///
    /// # Errors
    /// If a file is not a CSV table.
    pub fn read(folder: &Path) -> Result<Facts, Diagnostic> {
        Ok(Facts {
            atlas: read_rows(&folder.join("variants.csv"))?,
            small_boards: read_rows(&folder.join("small-boards.csv"))?,
            endgames: read_rows(&folder.join("endgames.csv"))?,
            claims: read_rows(&folder.join("claims.csv"))?,
        })
    }
}

/// The sources and limits of a page.
#[derive(Clone, Copy)]
pub struct PageScope<'a> {
    /// The catalog with the variants of the puzzles.
    pub catalog: &'a Catalog,
    /// The reports.
    pub facts: &'a Facts,
    /// The puzzles. Those of other rule sets are left out.
    pub puzzles: &'a [Puzzle],
    /// The time limit for each puzzle.
    pub puzzle_time: Duration,
    /// The number of random games.
    pub games: u64,
    /// The tables for the longest wins.
    pub store: Option<&'a Store>,
    /// Threads, stop flag, and memory for solving endings. A puzzle may use half of this memory.
    pub control: Control<'a>,
}

/// Returns the file name of a rule set's page.
pub fn file_name(variant: &Variant) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = variant.to_string().chars().map(plain).collect();
    format!("{name}.html")
}

/// Returns the page of a rule set, or `None` if `control` stopped it.
///
/// # Errors
/// If a report or a puzzle does not match the rule set.
pub fn html(variant: &Variant, scope: &PageScope<'_>) -> Result<Option<String>, Diagnostic> {
    let rule_set = &variant.rule_set;
    let mut body = format!(
        "<nav><ul><li><a href=\"index.html\">All rule sets</a></li>{}</ul></nav>\n<main>\n<h1>{}</h1>\n\
         <p>{}</p>\n<p class=\"soft\">{}. Id: <code>{}</code></p>\n",
        SECTIONS
            .iter()
            .map(|(id, title)| format!("<li><a href=\"#{id}\">{title}</a></li>"))
            .collect::<String>(),
        escaped(rule_set.name()),
        escaped(rule_set.difference()),
        escaped(&byline(rule_set.inventor(), rule_set.page())),
        escaped(&variant.to_string()),
    );
    let setup = Setup::read(variant, None)?;
    with_setup!(&setup, start => {
        body.insert_str(0, &symbols(start.game.as_ref()));
        rules(variant, start, &mut body)?;
        units(start.game.as_ref(), &mut body);
        counts(variant, scope, &mut body);
        games(start, scope, &mut body);
    });
    if scope.control.is_interrupted() {
        return Ok(None);
    }
    reduced(variant, scope, &mut body)?;
    endings(variant, scope, &mut body)?;
    claims(variant, scope, &mut body);
    puzzles(variant, scope, &mut body)?;
    body.push_str("</main>\n");
    let stopped = scope.control.is_interrupted();
    Ok((!stopped).then(|| crate::page(rule_set.name(), &body)))
}

/// Returns the inventor and the publication of a rule set. A definition has no inventor.
fn byline(inventor: &str, page: &str) -> String {
    let known = [inventor, page].into_iter().filter(|part| !part.is_empty());
    known.collect::<Vec<_>>().join("; ")
}

/// Returns the symbols of a game's units.
fn symbols<W: Layout>(game: &dyn Game<W>) -> String {
    let kinds = game.men().kinds();
    let mut symbols: Vec<char> = svg::drawn_letters();
    symbols.extend(kinds.map(|kind| Unit::new(game, Color::White, kind).symbol));
    symbols.sort_unstable();
    symbols.dedup();
    svg::symbols(&symbols)
}

/// Returns the body of a page with only the rules and the units of a rule set.
///
/// # Errors
/// If the rule set's start position cannot be read.
pub fn rules_body(variant: &Variant) -> Result<String, Diagnostic> {
    let rule_set = &variant.rule_set;
    let mut body = format!(
        "<main>\n<h1>{}</h1>\n<p>{}</p>\n",
        escaped(rule_set.name()),
        escaped(rule_set.difference())
    );
    let setup = Setup::read(variant, None)?;
    with_setup!(&setup, start => {
        body.insert_str(0, &symbols(start.game.as_ref()));
        rules(variant, start, &mut body)?;
        units(start.game.as_ref(), &mut body);
    });
    Ok(body + "</main>\n")
}

/// Returns the introduction, the outcomes and the differences from orthodox chess of a rule set, as HTML.
///
/// # Errors
/// If the rule set's start position cannot be read.
pub fn summary(variant: &Variant) -> Result<String, Diagnostic> {
    let text = report::page::text(variant)?;
    let sections: Vec<&str> = text.split("\n## ").collect();
    let mut summary = sections[0].to_string();
    for title in ["Outcomes\n", "Against "] {
        for section in sections.iter().filter(|section| section.starts_with(title)) {
            let _ = write!(summary, "\n## {section}");
        }
    }
    Ok(markdown::html(&summary))
}

/// Returns the index page: each rule set, with a link to its page if that page exists, and links to other
/// pages of the folder by file name.
///
/// # Errors
/// If a start position cannot be read.
pub fn index(variants: &[(Variant, bool)], others: &[String]) -> Result<String, Diagnostic> {
    let mut body = "<main>\n<h1>Rule sets</h1>\n<div class=\"wide\"><table><thead><tr><th>Name</th>\
                    <th>Board</th><th>Inventor</th><th>Against orthodox chess</th></tr></thead><tbody>\n"
        .to_string();
    for (variant, there) in variants {
        let name = escaped(variant.rule_set.name());
        let name = match there {
            true => format!("<a href=\"{}\">{name}</a>", escaped(&file_name(variant))),
            false => name.to_string(),
        };
        let _ = writeln!(
            body,
            "<tr><td>{name}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            fen::shape(&variant.start())?.size(),
            escaped(variant.rule_set.inventor()),
            escaped(variant.rule_set.difference())
        );
    }
    body.push_str("</tbody></table></div>\n");
    if !others.is_empty() {
        body.push_str("<h2>Other pages in this folder</h2>\n<ul>\n");
        for name in others {
            let name = escaped(name);
            let _ = writeln!(body, "<li><a href=\"./{name}\">{name}</a></li>");
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</main>\n");
    Ok(crate::page("Rule sets", &body))
}

const SECTIONS: [(&str, &str); 8] = [
    ("rules", "Rules"),
    ("units", "Units"),
    ("counts", "Counts"),
    ("games", "Random games"),
    ("reduced", "Reduced boards"),
    ("endings", "Endings"),
    ("claims", "Claims"),
    ("puzzles", "Puzzles"),
];

fn heading(id: &str, out: &mut String) {
    let title = SECTIONS
        .iter()
        .find(|(name, _)| *name == id)
        .map_or(id, |(_, title)| title);
    let _ = writeln!(out, "<h2 id=\"{id}\">{title}</h2>");
}

/// Returns the rows of a variant in a report. If the report has none, writes the command that computes them.
fn rows_of<'r>(
    rows: &'r [ReportLine],
    report: &str,
    variant: &Variant,
    out: &mut String,
) -> Vec<&'r ReportLine> {
    let id = variant.to_string();
    let rows = rows.iter().filter(|row| row.text("variant") == id);
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"scope\">Not in the reports. <code>fairyproof report {report} {id}</code> computes it.</p>"
        );
    }
    rows
}

fn rules<W: Layout>(
    variant: &Variant,
    start: &Start<W>,
    out: &mut String,
) -> Result<(), Diagnostic> {
    heading("rules", out);
    let diagram = Diagram::new(start.game.as_ref(), &start.position);
    let _ = writeln!(
        out,
        "<div class=\"gallery\"><figure><figcaption>The array</figcaption>\n{}</figure></div>",
        svg::draw(&diagram, svg::Look::PART)
    );
    out.push_str(&markdown::html(&report::page::text(variant)?));
    Ok(())
}

fn units<W: Layout>(game: &dyn Game<W>, out: &mut String) {
    heading("units", out);
    out.push_str(
        "<p class=\"scope\">Where each unit of White can go from the middle of a board that contains only \
         the units that every position needs. Possible captures are found by placing enemy units.</p>\n\
         <div class=\"gallery\">\n",
    );
    let look = svg::Look {
        notes: false,
        ..svg::Look::PART
    };
    // A unit that differs only in being promoted (`Q~`) moves like the unpromoted unit.
    let men = game.men();
    let names = men.kinds().map(|kind| (kind, men.name(Color::White, kind)));
    for (kind, name) in names.filter(|(_, name)| !name.ends_with('~')) {
        let _ = writeln!(out, "<figure><figcaption>{}</figcaption>", escaped(&name));
        match mobility::alone(game, kind) {
            Some(diagram) => out.push_str(&svg::draw(&diagram, look)),
            None => out.push_str(
                "<p class=\"soft\">The game is over in every such position that was tried.</p>",
            ),
        }
        out.push_str("</figure>\n");
    }
    out.push_str("</div>\n");
}

fn counts(variant: &Variant, scope: &PageScope<'_>, out: &mut String) {
    heading("counts", out);
    let rows = rows_of(&scope.facts.atlas, "atlas", variant, out);
    let Some(row) = rows.first() else {
        return;
    };
    out.push_str("<div class=\"wide\"><table><tbody>\n");
    for depth in 1..=4 {
        let lines = row.text(&format!("perft_{depth}"));
        let _ = writeln!(
            out,
            "<tr><th>Lines of {depth} turn{}</th><td>{}</td></tr>",
            if depth == 1 { "" } else { "s" },
            escaped(lines)
        );
    }
    let complete = match row.text("complete") {
        "complete" => String::new(),
        limit => format!(" (not complete: {})", escaped(limit)),
    };
    for (name, column) in [
        ("Positions", "states"),
        ("of these, terminal", "terminal_states"),
    ] {
        let _ = writeln!(
            out,
            "<tr><th>{name}</th><td>{}{complete}</td></tr>",
            escaped(row.text(column))
        );
    }
    let _ = writeln!(
        out,
        "<tr><th>Outcomes of terminal positions</th><td>{}</td></tr>\n</tbody></table></div>\n\
         <p class=\"scope\">From the array; positions up to {} turns from it, each counted once.</p>",
        escaped(row.text("terminals")),
        escaped(row.text("depth"))
    );
}

fn games<W: Layout>(start: &Start<W>, scope: &PageScope<'_>, out: &mut String) {
    /// The number of games between two checks of the stop flag.
    const CHUNK: u64 = 50;
    heading("games", out);
    let mut found = Playouts::default();
    let mut next = 0;
    while next < scope.games && !scope.control.is_interrupted() {
        let end = (next + CHUNK).min(scope.games);
        let game = start.game.as_ref();
        found.add(&playouts(
            game,
            &start.position,
            atlas::SEED,
            next..end,
            MAX_RANDOM_GAME_PLIES,
        ));
        next = end;
    }
    let lengths: Vec<(u32, u64)> = found
        .lengths
        .iter()
        .map(|(plies, n)| (*plies, *n))
        .collect();
    let _ = writeln!(
        out,
        "<p class=\"scope\">{} games of random legal turns, all equally likely (seed {}); {} \
         stopped after {MAX_RANDOM_GAME_PLIES} plies.</p>",
        found.games,
        atlas::SEED,
        found.capped
    );
    if !lengths.is_empty() {
        let title = "Length of the games that ended, in plies";
        let _ = writeln!(
            out,
            "<h3>{title}</h3>\n{}",
            plot::histogram(title, &lengths)
        );
    }
    out.push_str("<h3>Outcomes</h3>\n<div class=\"wide\"><table><tbody>\n");
    let mut line = |name: &str, class: &str, n: u64| {
        let bar = plot::shares(&[(name, class, n), ("", "other", found.games - n)]);
        let bar = bar.split("<span").next().unwrap_or("").to_string();
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td>{n}</td><td>{bar}{}</td></tr>",
            escaped(name),
            percent(n, found.games)
        );
    };
    for (outcome, n) in &found.outcomes {
        let class = match outcome {
            Outcome::Draw(_) | Outcome::Ongoing => "drawn",
            Outcome::Win(board::Color::White, _) => "won",
            Outcome::WeakWin(board::Color::White, _) => "half-won",
            Outcome::Win(..) => "lost",
            Outcome::WeakWin(..) => "half-lost",
        };
        line(&outcome.to_string(), class, *n);
    }
    if found.capped > 0 {
        line("stopped", "drawn", found.capped);
    }
    out.push_str("</tbody></table></div>\n");
}

fn reduced(variant: &Variant, scope: &PageScope<'_>, out: &mut String) -> Result<(), Diagnostic> {
    heading("reduced", out);
    let rows = rows_of(&scope.facts.small_boards, "small-boards", variant, out);
    if rows.is_empty() {
        return Ok(());
    }
    out.push_str(
        "<p class=\"scope\">Smaller arrays whose reachable positions are all solved. Values are for the side \
         to move; distances are in plies under best play: the winner takes the shortest way, the loser the longest.</p>\n",
    );
    for row in rows {
        let states = row.text("states");
        let value = match (row.text("value"), row.text("plies")) {
            ("", _) => format!("not solved: {}", row.text("complete")),
            (value, "") => value.to_string(),
            (value, plies) => format!("{value} in {plies} plies"),
        };
        let caption = format!("{}: {value} ({states} positions)", row.text("board"));
        let setup = Setup::read(variant, Some(row.text("fen")))?;
        let turns: Vec<&str> = row.text("line").split_whitespace().collect();
        let end = match row.text("line_end") {
            "" => "no line of best play is known".to_string(),
            end => format!("Best play from both sides; it ends: {end}."),
        };
        out.push_str(&with_setup!(&setup, start => line::html(start, &turns, &caption, &end))?);
        let share = |column: &str| (10_000.0 * row.text(column).parse().unwrap_or(0.0)) as u64;
        let bar = plot::shares(&[
            ("win", "won", share("win_share")),
            ("weak win", "half-won", share("weak_win_share")),
            ("draw", "drawn", share("draw_share")),
            ("weak loss", "half-lost", share("weak_loss_share")),
            ("loss", "lost", share("loss_share")),
        ]);
        if !bar.is_empty() {
            let _ = writeln!(
                out,
                "<p>{bar} of all positions, to a hundredth of a percent; longest win {} plies; {} \
                 positions certified.</p>",
                escaped(row.text("longest_win_plies")),
                escaped(row.text("certified_states"))
            );
        }
    }
    Ok(())
}

fn endings(variant: &Variant, scope: &PageScope<'_>, out: &mut String) -> Result<(), Diagnostic> {
    heading("endings", out);
    let rows = rows_of(&scope.facts.endgames, "endgames", variant, out);
    if rows.is_empty() {
        return Ok(());
    }
    out.push_str(
        "<p class=\"scope\">All legal placements of these units, White's named first, for each side to move. Distances are in plies.</p>\n<div class=\"wide\"><table><thead><tr>\
         <th>Units</th><th>To move</th><th>Positions</th><th>Of these</th><th>Longest win</th></tr></thead>\
         <tbody>\n",
    );
    for row in &rows {
        let side = match row.text("side") {
            "w" => "White",
            _ => "Black",
        };
        let shares = match row.text("limit") {
            "complete" => plot::shares(&[
                ("won", "won", row.number("wins")),
                ("weakly won", "half-won", row.number("weak_wins")),
                ("drawn", "drawn", row.number("draws")),
                ("weakly lost", "half-lost", row.number("weak_losses")),
                ("lost", "lost", row.number("losses")),
            ]),
            limit => format!("not complete: {}", escaped(limit)),
        };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{side}</td><td>{}</td><td>{shares}</td><td>{}</td></tr>",
            escaped(row.text("signature")),
            escaped(row.text("legal")),
            escaped(row.text("longest_win_plies")),
        );
    }
    out.push_str("</tbody></table></div>\n");
    let geometry = fen::shape(&variant.start())?;
    with_game!(&variant.on(geometry)?, game => longest_wins(game, &rows, scope, out))
}

/// Writes the longest wins among the endings, to be stepped through.
fn longest_wins<W: Layout>(
    game: &Arc<dyn Game<W>>,
    rows: &[&ReportLine],
    scope: &PageScope<'_>,
    out: &mut String,
) -> Result<(), Diagnostic> {
    let tables = Tables::new(Arc::clone(game), scope.store.cloned());
    let control = scope.control.for_part();
    let mut won: Vec<&ReportLine> = rows
        .iter()
        .copied()
        .filter(|row| row.number("longest_win_plies") > 0)
        .collect();
    won.sort_by_key(|row| {
        (
            u64::MAX - row.number("longest_win_plies"),
            row.text("signature"),
        )
    });
    won.dedup_by_key(|row| row.text("signature"));
    let mut seen: Vec<&str> = Vec::new();
    let mut shown = 0;
    for row in won {
        let signature = row.text("signature");
        if shown == PLAYED || seen.contains(&signature) || scope.control.is_interrupted() {
            continue;
        }
        seen.push(signature);
        let position = fen::read_position(game.as_ref(), row.text("longest_win_fen"))?;
        let parsed = Signature::parse(game.as_ref(), signature)?;
        if tables.value(&position)?.is_none() {
            if parsed.keys()[0].total() > SOLVED_UNITS {
                continue;
            }
            if build_here(&tables, &parsed, &control).is_err() {
                continue;
            }
        }
        let start = Start {
            game: Arc::clone(game),
            position,
        };
        let turns = tables.line(&start.position)?;
        let turns: Vec<&str> = turns.iter().map(|turn| turn.text.as_str()).collect();
        if turns.len() as u64 != row.number("longest_win_plies") {
            // The report was written under different rules.
            return Err(Diagnostic::new(
                "endgames.csv",
                format!(
                    "the longest win of {signature} takes {} plies, not those",
                    turns.len()
                ),
            )
            .help("`fairyproof report endgames` writes it again"));
        }
        if shown == 0 {
            let _ = writeln!(
                out,
                "<p class=\"scope\">The longest wins of at most {PLAYED} endings, the longest first, that have \
                 at most {SOLVED_UNITS} units or an available table.</p>"
            );
        }
        shown += 1;
        let caption = format!("{signature}: won in {} plies", turns.len());
        out.push_str(&line::html(
            &start,
            &turns,
            &caption,
            "The longest win, best play on both sides.",
        )?);
    }
    Ok(())
}

fn claims(variant: &Variant, scope: &PageScope<'_>, out: &mut String) {
    heading("claims", out);
    let prefix = format!("{}/", variant.rule_set.id());
    let ledger = scope.facts.claims.iter();
    let rows: Vec<_> = ledger
        .filter(|row| row.text("claim").starts_with(&prefix))
        .collect();
    if rows.is_empty() {
        out.push_str("<p class=\"scope\">The ledger has no claims about this rule set.</p>\n");
        return;
    }
    for row in rows {
        let verdict = row.text("verdict");
        let class = match verdict {
            "refuted" => "verdict-refuted",
            _ => "verdict-confirmed",
        };
        let _ = writeln!(
            out,
            "<details><summary>{} <strong class=\"{class}\">{}</strong></summary>\n<p>{}</p>\n\
             <p class=\"soft\">{}; scope: {}; evidence: <code>{}</code>; claim <code>{}</code></p></details>",
            escaped(row.text("statement")),
            escaped(verdict),
            escaped(row.text("summary")),
            escaped(row.text("source")),
            escaped(row.text("scope")),
            escaped(row.text("evidence_file")),
            escaped(row.text("claim"))
        );
    }
}

fn puzzles(variant: &Variant, scope: &PageScope<'_>, out: &mut String) -> Result<(), Diagnostic> {
    heading("puzzles", out);
    let mut none = true;
    for puzzle in scope.puzzles {
        if scope.catalog.open(&puzzle.variant)?.rule_set != variant.rule_set {
            continue;
        }
        if scope.control.is_interrupted() {
            return Ok(());
        }
        none = false;
        if out.len() > PAGE_BYTES {
            let _ = writeln!(
                out,
                "<p>{}: {}, <code>{}</code> (left out here, as the page is large)</p>",
                escaped(&puzzle.id),
                escaped(&puzzle.stipulation),
                escaped(&puzzle.fen)
            );
            continue;
        }
        let most = Some(SOLUTION_BYTES);
        let control = scope
            .control
            .with_memory(scope.control.memory_bytes() / 2)
            .with_time(Some(scope.puzzle_time));
        out.push_str(&puzzle_html(scope.catalog, puzzle, most, &control)?);
    }
    if none {
        out.push_str("<p class=\"scope\">The collection has no puzzles of this rule set.</p>\n");
    }
    Ok(())
}

/// Solves a puzzle and returns it as HTML. A solution of more than `most_bytes` is cut to its first turns.
///
/// # Errors
/// If the puzzle is invalid.
pub fn puzzle_html(
    catalog: &Catalog,
    puzzle: &Puzzle,
    most_bytes: Option<usize>,
    control: &Control<'_>,
) -> Result<String, Diagnostic> {
    let posed = puzzle.open(catalog)?;
    let about = About {
        id: &puzzle.id,
        source: &puzzle.source,
        comment: &puzzle.comment,
        open: false,
        marked: false,
        most_bytes,
    };
    with_setup!(&posed.setup, start => {
        let problem = Problem::new(start.clone(), posed.stipulation);
        let want = Want { tree: true, ..Want::default() };
        let solution = problem.solve_with(&Limits::default(), want, control);
        let deadline = Deadline::new(control);
        problem::html(&problem, &solution, about, &deadline)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn byline_of_a_definition_is_one_phrase() {
        assert_eq!(super::byline("", "a definition"), "a definition");
        assert_eq!(super::byline("N. N.", "a page"), "N. N.; a page");
    }
}
