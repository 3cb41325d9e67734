//! Reads puzzle files. Checks every field, so every puzzle of a valid file can be solved.

use super::{Posed, Puzzle};
use catalog::Catalog;
use diagnostics::{Diagnostic, nearest};
use std::collections::HashSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const FIELDS: [&str; 8] = [
    "id",
    "variant",
    "fen",
    "stipulation",
    "keys",
    "solutions",
    "source",
    "comment",
];

/// The maximum length of an id, in characters.
const MAX_ID_CHARS: usize = 200;

const SHAPE: &str = "a puzzle is a table `[[puzzle]]` with id, variant, fen, stipulation, keys, \
                     and maybe solutions, source, comment";

/// A file that is being read.
struct File<'t> {
    name: &'t str,
    text: &'t str,
}

impl File<'_> {
    /// Returns the line number of a byte offset, from 1.
    fn line(&self, byte: usize) -> usize {
        let before = self.text.as_bytes().iter().take(byte);
        1 + before.filter(|b| **b == b'\n').count()
    }

    fn wrong(&self, at: Range<usize>, field: &str, why: impl Into<String>) -> Diagnostic {
        let line = self.line(at.start);
        let place = match field {
            "" => format!("line {line}"),
            field => format!("line {line}, field `{field}`"),
        };
        Diagnostic::new(self.name, why).at(place)
    }

    fn wrong_value(&self, at: Range<usize>, field: &str, error: Diagnostic) -> Diagnostic {
        let wrong = self.wrong(at, field, error.to_string());
        Diagnostic {
            help: error.help,
            ..wrong
        }
    }

    fn string(&self, field: &str, value: &Spanned<DeValue<'_>>) -> Result<String, Diagnostic> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            other => Err(self
                .wrong(
                    value.span(),
                    field,
                    format!("it is not text but {}", kind(other)),
                )
                .help(format!("{field} = \"...\""))),
        }
    }
}

/// Returns the kind of a value with an indefinite article.
fn kind(value: &DeValue<'_>) -> String {
    let name = value.type_str();
    let article = if name.starts_with(['a', 'i']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}

/// Reads a puzzle file. `name` is the file's name in messages.
///
/// # Errors
/// The first error, with its line and field, the reason, and a correction.
pub fn parse(catalog: &Catalog, name: &str, text: &str) -> Result<Vec<Puzzle>, Diagnostic> {
    let file = File { name, text };
    let whole = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        file.wrong(
            at,
            "",
            format!("it is not TOML: {}", error.message().trim()),
        )
        .help(SHAPE)
    })?;
    let mut puzzles = Vec::new();
    let mut ids = HashSet::new();
    for (key, value) in whole.get_ref() {
        if key.get_ref() != "puzzle" {
            let error = file.wrong(
                key.span(),
                "",
                format!("there is no table `{}`", key.get_ref()),
            );
            return Err(error.help(SHAPE));
        }
        let DeValue::Array(tables) = value.get_ref() else {
            let error = file.wrong(value.span(), "", "`puzzle` is not an array of tables");
            return Err(error.help("`[[puzzle]]` in double brackets"));
        };
        for table in tables.iter() {
            let DeValue::Table(fields) = table.get_ref() else {
                let why = format!("a puzzle is not a table but {}", kind(table.get_ref()));
                return Err(file.wrong(table.span(), "", why).help(SHAPE));
            };
            let puzzle = read(catalog, &file, table.span(), fields)?;
            if !ids.insert(puzzle.id.clone()) {
                let why = format!("another puzzle of this file has the id `{}`", puzzle.id);
                return Err(file.wrong(table.span(), "id", why));
            }
            puzzles.push(puzzle);
        }
    }
    if puzzles.is_empty() {
        return Err(Diagnostic::new(name, "there is no puzzle in it").help(SHAPE));
    }
    Ok(puzzles)
}

fn read(
    catalog: &Catalog,
    file: &File<'_>,
    at: Range<usize>,
    fields: &DeTable<'_>,
) -> Result<Puzzle, Diagnostic> {
    for (key, _) in fields {
        if !FIELDS.contains(&key.get_ref().as_ref()) {
            let hint = nearest(key.get_ref(), FIELDS)
                .map_or(String::new(), |near| format!("did you mean `{near}`? "));
            return Err(file
                .wrong(key.span(), key.get_ref(), "there is no field of this name")
                .help(hint + SHAPE));
        }
    }
    let find = |name: &str| {
        let found = fields.iter().find(|(key, _)| key.get_ref() == name);
        found.map(|(_, value)| value)
    };
    let needed = |name: &str| {
        find(name).ok_or_else(|| {
            file.wrong(at.clone(), name, "this puzzle does not have it")
                .help(SHAPE)
        })
    };
    let text = |name: &str| needed(name).and_then(|value| file.string(name, value));
    let optional = |name: &str| match find(name) {
        Some(value) => file.string(name, value),
        None => Ok(String::new()),
    };
    let span = |name: &str| find(name).map_or(at.clone(), Spanned::span);

    let id = text("id")?;
    if id.is_empty() || !id.chars().all(|c| c.is_ascii_graphic() && c != ',') {
        return Err(file
            .wrong(
                span("id"),
                "id",
                "it is not made of visible ASCII characters",
            )
            .help("letters, digits and signs but commas, at least one"));
    }
    if id.len() > MAX_ID_CHARS {
        let why = format!(
            "it has {} characters; the maximum is {MAX_ID_CHARS}",
            id.len()
        );
        return Err(file.wrong(span("id"), "id", why));
    }
    let name = text("variant")?;
    let variant = catalog
        .open(&name)
        .map_err(|e| file.wrong_value(span("variant"), "variant", e))?;
    let fen = match find("fen") {
        Some(value) => file.string("fen", value)?,
        None => variant.start(),
    };
    let asked = text("stipulation")?;
    // Read the position first, so an error names the right field.
    notation::Setup::read(&variant, Some(&fen))
        .map_err(|e| file.wrong_value(span("fen"), "fen", e))?;
    let posed = Posed::new(&variant, Some(&fen), &asked)
        .map_err(|e| file.wrong_value(span("stipulation"), "stipulation", e))?;
    let keys = find("keys")
        .map(|value| keys(file, value, &posed))
        .transpose()?;
    let solutions = find("solutions")
        .map(|value| count(file, value))
        .transpose()?;
    let number_of_keys = keys.as_ref().map_or(0, Vec::len);
    if let Some(n) = solutions
        && (n < number_of_keys || number_of_keys == 0 && n > 0)
    {
        let why = match keys {
            Some(_) => format!("{number_of_keys} keys cannot be those of {n} solutions"),
            None => "a number of solutions needs their keys".to_string(),
        };
        return Err(file
            .wrong(span("solutions"), "solutions", why)
            .help("how many keys, or how many whole lines in help and series play"));
    }
    Ok(Puzzle {
        id,
        variant: variant.to_string(),
        fen,
        stipulation: posed.stipulation.to_string(),
        keys,
        solutions,
        source: optional("source")?,
        comment: optional("comment")?,
    })
}

fn count(file: &File<'_>, value: &Spanned<DeValue<'_>>) -> Result<usize, Diagnostic> {
    value
        .get_ref()
        .as_integer()
        .filter(|n| n.radix() == 10)
        .and_then(|n| n.as_str().parse().ok())
        .ok_or_else(|| {
            file.wrong(value.span(), "solutions", "it is not a whole number")
                .help("solutions = 1")
        })
}

fn keys(
    file: &File<'_>,
    value: &Spanned<DeValue<'_>>,
    posed: &Posed,
) -> Result<Vec<String>, Diagnostic> {
    const RIGHT: &str = "keys = [\"e2e4\", \"g1f3\"], all of them, or keys = \"none\"";
    let list = match value.get_ref() {
        DeValue::String(text) if text == "none" => return Ok(Vec::new()),
        DeValue::Array(list) if !list.is_empty() => list,
        DeValue::Array(_) => {
            return Err(file
                .wrong(value.span(), "keys", "there is nothing in the list")
                .help("keys = \"none\" where there is no solution"));
        }
        other => {
            let why = format!("it is neither a list nor \"none\" but {}", kind(other));
            return Err(file.wrong(value.span(), "keys", why).help(RIGHT));
        }
    };
    let firsts = posed.firsts();
    let mut keys: Vec<String> = Vec::new();
    for value in list.iter() {
        let typed = file.string("keys", value)?;
        let exact = firsts.contains(&typed).then(|| typed.clone());
        let meant = exact.or_else(|| posed.first_meant(&typed));
        let Some(key) = meant.filter(|key| firsts.contains(key)) else {
            let error = file.wrong(
                value.span(),
                "keys",
                format!("`{typed}` is not a legal turn here"),
            );
            return Err(match nearest(&typed, firsts.iter().map(String::as_str)) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("`fairyproof turns` lists the legal turns"),
            });
        };
        if keys.contains(&key) {
            return Err(file.wrong(value.span(), "keys", format!("`{key}` occurs twice")));
        }
        keys.push(key);
    }
    keys.sort_unstable();
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r##"
# A file of one puzzle.
[[puzzle]]
id = "one"
variant = "fide"
fen = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1"
stipulation = "#2"
keys = ["a4a3"]
solutions = 1
source = "a test"
"##;

    /// Reads a puzzle file with a new catalog.
    fn parse(name: &str, text: &str) -> Result<Vec<Puzzle>, Diagnostic> {
        super::parse(&Catalog::new(), name, text)
    }

    #[test]
    fn what_is_written_reads_back() {
        let puzzles = parse("text", GOOD).expect("a good file");
        assert_eq!(puzzles[0].keys, Some(vec!["a4a3".to_string()]));
        let again = super::super::file(&["A \"file\"."], &puzzles);
        assert_eq!(parse("text", &again).expect("what was written"), puzzles);
        let none = GOOD
            .replace("[\"a4a3\"]", "\"none\"")
            .replace("solutions = 1\n", "");
        let puzzles = parse("text", &none).expect("a puzzle without a solution");
        assert_eq!(
            (&puzzles[0].keys, puzzles[0].solutions),
            (&Some(Vec::new()), None)
        );
        assert_eq!(
            parse("text", &super::super::file(&[], &puzzles)).ok(),
            Some(puzzles)
        );
        let open = GOOD
            .replace("keys = [\"a4a3\"]\n", "")
            .replace("solutions = 1\n", "");
        let puzzles = parse("text", &open).expect("a puzzle whose answer is unknown");
        assert_eq!(puzzles[0].keys, None);
        assert_eq!(
            parse("text", &super::super::file(&[], &puzzles)).ok(),
            Some(puzzles)
        );
    }

    #[test]
    fn keys_are_read_as_people_write_turns() {
        for key in ["Qa3", "Qa4-a3", "a4-a3", "Qa3!"] {
            let text = GOOD.replace("a4a3", key);
            assert_eq!(
                parse("text", &text).expect(key)[0].keys,
                Some(vec!["a4a3".into()]),
                "{key}"
            );
        }
        let twice = GOOD.replace("[\"a4a3\"]", "[\"a4a3\", \"Qa3\"]");
        let error = parse("text", &twice).expect_err("one turn written in two ways");
        assert!(error.to_string().contains("`a4a3` occurs twice"), "{error}");
    }

    #[test]
    fn mistakes_are_told_by_line_and_field() {
        for (from, to, told, help) in [
            (
                "id = \"one\"",
                "idd = \"one\"",
                "line 4, field `idd`",
                "`id`",
            ),
            ("id = \"one\"\n", "", "line 3, field `id`", "[[puzzle]]"),
            ("id = \"one\"", "id = \"\"", "line 4, field `id`", "letters"),
            (
                "id = \"one\"",
                "id = 1",
                "line 4, field `id`: it is not text but an integer",
                "id =",
            ),
            ("\"fide\"", "\"fida\"", "line 5, field `variant`", "`fide`"),
            ("k7 w", "k8 w", "line 6, field `fen`", "rank"),
            ("\"#2\"", "\"#2.5\"", "line 7, field `stipulation`", "`#3`"),
            (
                "\"#2\"",
                "\"marriage 2\"",
                "line 7, field `stipulation`",
                "#",
            ),
            (
                "[\"a4a3\"]",
                "[\"a4a8\"]",
                "line 8, field `keys`: `a4a8` is not a legal",
                "did you mean `a4",
            ),
            (
                "[\"a4a3\"]",
                "[\"a4a3\", \"a4a3\"]",
                "`a4a3` occurs twice",
                "",
            ),
            ("[\"a4a3\"]", "[]", "line 8, field `keys`", "none"),
            ("[\"a4a3\"]", "\"a4a3\"", "line 8, field `keys`", "none"),
            (
                "solutions = 1",
                "solutions = 0",
                "line 9, field `solutions`",
                "keys",
            ),
            (
                "solutions = 1",
                "solutions = 1.5",
                "line 9, field `solutions`",
                "1",
            ),
            ("[[puzzle]]", "[puzzle]", "line 3", "double"),
            ("[[puzzle]]", "[[problem]]", "line 3", "[[puzzle]]"),
            ("id = \"one\"", "id = one", "line 4", "[[puzzle]]"),
        ] {
            let text = GOOD.replace(from, to);
            assert_ne!(text, GOOD, "{from}");
            let error = parse("file `x`", &text).expect_err(to);
            let whole = error.to_string();
            assert!(
                whole.contains("file `x`") && whole.contains(told),
                "{to}: {whole}"
            );
            let given = error.help.unwrap_or_default();
            assert!(given.contains(help), "{to}: {given}");
        }
        assert!(parse("text", "").is_err());
        let twice = GOOD.repeat(2);
        let error = parse("text", &twice).expect_err("an id twice");
        assert!(error.to_string().contains("line 13"), "{error}");
    }
}
