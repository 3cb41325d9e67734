//! Reads puzzle CSV: one puzzle in each row, with a FEN, a line of play in coordinate notation, and themes. This
//! is the format of the puzzle database of the server Lichess.
//!
//! The columns `FEN` and `Moves` are required; `PuzzleId` (or `id`), `Themes`, `GameUrl` and `Variant` are used,
//! and others are ignored. Case does not matter. Without a header, the first columns are `PuzzleId`, `FEN` and
//! `Moves`.
//!
//! Each line of play is replayed. The side that makes its last turn solves the puzzle: if the line has an even
//! number of turns, its first turn belongs to the opponent and leads to the position of the puzzle. A line that
//! ends with a win becomes a puzzle without keys, so the importing command finds all of them. Any other line is
//! a recommendation without a stipulation: it is only checked.

use super::{Imported, List, ends_early};
use catalog::Catalog;
use diagnostics::Diagnostic;
use notation::Setup;
use rules::{Outcome, Variant, reason};

/// The columns that are used, in lower case.
const COLUMNS: [&str; 6] = ["id", "fen", "moves", "themes", "gameurl", "variant"];

/// The places of the columns in a row.
struct Columns([Option<usize>; 6]);

impl Columns {
    /// Returns the columns that a header names, or `None` if it lacks `FEN` or `Moves`.
    fn of(header: &csv::StringRecord) -> Option<Columns> {
        let names: Vec<String> = header.iter().map(column).collect();
        let columns = COLUMNS.map(|column| names.iter().position(|name| name == column));
        (columns[1].is_some() && columns[2].is_some()).then_some(Columns(columns))
    }

    /// Returns the columns of a file without a header, given its first row.
    fn of_row(row: &csv::StringRecord) -> Option<Columns> {
        let fen = row.get(1)?.trim();
        let side = fen.split_ascii_whitespace().nth(1);
        (fen.contains('/') && matches!(side, Some("w" | "b")) && row.len() > 2)
            .then_some(Columns([Some(0), Some(1), Some(2), None, None, None]))
    }

    /// Returns what is wrong with a header in which two columns have the same meaning.
    fn doubled(header: &csv::StringRecord) -> Option<Diagnostic> {
        let names: Vec<String> = header.iter().map(column).collect();
        let first = |n: usize| names[..n].iter().position(|name| *name == names[n]);
        let used = (0..names.len()).filter(|&n| COLUMNS.contains(&&*names[n]));
        let (first, second) = used.filter_map(|n| Some((first(n)?, n))).next()?;
        let name = |n: usize| format!("{} (`{}`)", n + 1, header[n].trim());
        let why = format!(
            "columns {} and {} have the same meaning",
            name(first),
            name(second)
        );
        Some(Diagnostic::new("puzzle CSV", why))
    }

    fn get<'r>(&self, row: &'r csv::StringRecord, column: &str) -> &'r str {
        let place = COLUMNS.iter().position(|name| *name == column);
        let place = place.and_then(|place| self.0[place]);
        place.and_then(|place| row.get(place)).unwrap_or("").trim()
    }
}

/// Returns the name of a column as [`COLUMNS`] has it.
fn column(name: &str) -> String {
    match name.trim().to_ascii_lowercase().as_str() {
        "puzzleid" => "id".to_string(),
        other => other.to_string(),
    }
}

/// Returns the columns of a text, and whether its first row is a header.
fn columns(text: &str) -> Option<(Columns, bool)> {
    let mut reader = reader(text);
    let first = reader.records().next()?.ok()?;
    match Columns::of(&first) {
        Some(columns) => Some((columns, true)),
        None => Some((Columns::of_row(&first)?, false)),
    }
}

fn reader(text: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes())
}

/// Returns whether a text is puzzle CSV.
pub fn is_csv(text: &str) -> bool {
    columns(text).is_some()
}

/// Reads the puzzles of a text. Rows without a variant of their own are of `variant`.
pub fn read(catalog: &Catalog, variant: &Variant, text: &str) -> List {
    let Some((columns, has_header)) = columns(text) else {
        let error = Diagnostic::new("puzzle CSV", "the columns `FEN` and `Moves` are missing");
        return vec![(1, Err(error))];
    };
    let header = reader(text).records().next().and_then(Result::ok);
    let header = header.filter(|_| has_header).unwrap_or_default();
    if let Some(error) = Columns::doubled(&header) {
        return vec![(1, Err(error))];
    }
    let (mut list, mut errors) = (List::new(), 0);
    for row in reader(text).records().skip(usize::from(has_header)) {
        let position = match &row {
            Ok(row) => row.position().cloned(),
            Err(error) => error.position().cloned(),
        };
        let line = position.map_or(0, |position| position.line() as usize);
        if ends_early(&mut list, line, errors) {
            break;
        }
        let label = (list.len() + 1).to_string();
        let read = row
            .map_err(|error| Diagnostic::new("puzzle CSV", error.to_string()))
            .and_then(|row| puzzle(catalog, variant, &columns, &row, label));
        errors += usize::from(read.is_err());
        list.push((line, read));
    }
    list
}

fn puzzle(
    catalog: &Catalog,
    variant: &Variant,
    columns: &Columns,
    row: &csv::StringRecord,
    label: String,
) -> Result<Imported, Diagnostic> {
    let get = |column| columns.get(row, column);
    let own = match get("variant") {
        "" => None,
        name => Some(catalog.open_named(name)?),
    };
    let mut setup = Setup::read(own.as_ref().unwrap_or(variant), Some(get("fen")))?;
    let line: Vec<&str> = get("moves").split_ascii_whitespace().collect();
    if line.is_empty() {
        return Err(Diagnostic::new("column `Moves`", "it is empty")
            .help("a line of play such as `e2e4 e7e5`"));
    }
    let opponent_first = line.len().is_multiple_of(2);
    let mut fen = setup.fen();
    let mut texts = Vec::new();
    for (number, text) in (1..).zip(&line) {
        let (turn, after) = setup.play_numbered(text, number)?;
        setup = after;
        match number {
            1 if opponent_first => fen = setup.fen(),
            _ => texts.push(turn),
        }
    }
    let id = Some(get("id").to_string()).filter(|id| !id.is_empty());
    let outcome = setup.outcome();
    let is_win = matches!(outcome, Outcome::Win(winner, _) | Outcome::WeakWin(winner, _) if winner != setup.side());
    if !is_win {
        let name = id.map_or(label, |id| format!("`{id}`"));
        let why = "the line is legal and does not end with a win, so it states no stipulation";
        return Err(Diagnostic::note(name, why));
    }
    let moves = texts.len().div_ceil(2);
    let goal = match outcome.reason() {
        Some(reason::CHECKMATE) => "#",
        _ => "win ",
    };
    let mut comments = vec![format!("line: {}", texts.join(" "))];
    if !get("themes").is_empty() {
        comments.push(format!("themes: {}", get("themes")));
    }
    Ok(Imported {
        label,
        id,
        variant: own.map(|own| own.to_string()),
        fen,
        stipulation: format!("{goal}{moves}"),
        key: texts.into_iter().next(),
        source: get("gameurl").to_string(),
        comment: comments.join("; "),
        ..Imported::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use diagnostics::Severity;

    const HEADER: &str = "PuzzleId,FEN,Moves,Rating,Themes,GameUrl\n";

    fn rows(text: &str) -> Vec<Result<Imported, Diagnostic>> {
        let fide = Variant::from(&variants::fide::INFO);
        let list = read(&Catalog::new(), &fide, text);
        list.into_iter().map(|(_, read)| read).collect()
    }

    #[test]
    fn lines_that_mate_become_puzzles_for_the_side_that_mates() {
        // The opponent makes the first turn of the first line only.
        let two = "a,6k1/5ppp/r7/8/8/8/5PPP/1R4K1 b - - 0 1,a6a2 b1b8,600,mateIn1,url";
        let one = "b,6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 1 2,b1b8,600,,";
        let found = rows(&format!("{HEADER}{two}\n{one}\n"));
        for (found, comment) in found
            .iter()
            .zip(["line: b1b8; themes: mateIn1", "line: b1b8"])
        {
            let found = found.as_ref().expect("a puzzle");
            assert_eq!(found.fen, "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 1 2");
            assert_eq!((&*found.stipulation, &found.keys), ("#1", &None));
            assert_eq!(
                (found.key.as_deref(), &*found.comment),
                (Some("b1b8"), comment)
            );
        }
        let bare = rows(&format!("{two}\n"));
        assert_eq!(bare[0].as_ref().expect("a puzzle").id.as_deref(), Some("a"));
        assert!(is_csv(&bare_text(two)) && is_csv(HEADER));
        assert!(!is_csv("4k3/8/4K3/8/8/8/8/7R w - - dm 1;\n") && !is_csv("a,b\n"));
    }

    fn bare_text(row: &str) -> String {
        format!("{row}\n")
    }

    #[test]
    fn rows_without_a_puzzle_are_told() {
        for (row, severity, told) in [
            (
                "x,4k3/8/8/8/8/8/8/R3K3 w - - 0 1,a1a7,1,,",
                Severity::Note,
                "does not end with a win",
            ),
            (
                "x,4k3/8/8/8/8/8/8/R3K3 w - - 0 1,a1b2,1,,",
                Severity::Error,
                "turn 1",
            ),
            (
                "x,4k3/8/8/8/8/8/8/R3K3 w - - 0 1,,1,,",
                Severity::Error,
                "empty",
            ),
            ("x,4k3/8 w - - 0 1,a1a2,1,,", Severity::Error, "FEN"),
        ] {
            let error = rows(&format!("{HEADER}{row}\n")).remove(0).expect_err(row);
            assert_eq!(error.severity, severity, "{row}");
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
