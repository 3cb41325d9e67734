//! Reads EPD: one problem in each line, with the first four fields of a FEN followed by operations that end
//! in `;`.
//!
//! `dm N` (direct mate in N moves) means the stipulation `#N`, and so does `bm #N`. Any other `bm` lists the
//! keys in short or long algebraic or coordinate notation. If all of these keys mate at once, the stipulation
//! is `#1`. `id` is the name of the puzzle, and `c0` to `c9` are remarks. Other operations are ignored, and
//! so are the two numbers at the end of a full FEN.

use super::{Imported, List, ends_early};
use diagnostics::Diagnostic;
use diagnostics::whole_number;
use notation::with_setup;
use notation::{Setup, san, turns};
use rules::{Variant, reason};

/// Reads the problems of a text under the rules of a variant. Lines without a stipulation of their own have
/// the stipulation `default`, if it is given.
pub fn read(variant: &Variant, text: &str, default: Option<&str>) -> List {
    let (mut list, mut errors) = (List::new(), 0);
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if ends_early(&mut list, number, errors) {
            break;
        }
        let read = problem(variant, line, default, (list.len() + 1).to_string());
        errors += usize::from(read.is_err());
        list.push((number, read));
    }
    list
}

const SHAPE: &str = "`4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rh8#; id \"one\";`";

fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("EPD", why).help(SHAPE)
}

fn problem(
    variant: &Variant,
    line: &str,
    default: Option<&str>,
    label: String,
) -> Result<Imported, Diagnostic> {
    let (fields, rest) = fields(line)?;
    let mut found = Imported {
        label,
        fen: fields.join(" ") + " 0 1",
        ..Imported::default()
    };
    let mut best: Option<Vec<&str>> = None;
    for operation in operations(rest)? {
        let (name, operand) = match operation.split_once(char::is_whitespace) {
            Some((name, operand)) => (name, operand.trim()),
            None => (operation, ""),
        };
        let text = operand.trim_matches('"').trim();
        match name {
            "id" => found.id = Some(text.to_string()).filter(|id| !id.is_empty()),
            "dm" => {
                if !whole_number(text) {
                    return Err(wrong(format!(
                        "`dm {operand}`: `dm` takes a number of moves"
                    )));
                }
                found.stipulation = format!("#{text}");
            }
            // Some programs write the mate distance as the best move.
            "bm" if text.strip_prefix('#').is_some_and(whole_number) => {
                found.stipulation = text.to_string();
            }
            "bm" => {
                best = Some(
                    operand
                        .split([' ', '\t', ','])
                        .filter(|t| !t.is_empty())
                        .collect(),
                )
            }
            _ if name.len() == 2
                && name.starts_with('c')
                && name.as_bytes()[1].is_ascii_digit() =>
            {
                let apart = if found.comment.is_empty() { "" } else { "; " };
                found.comment += &format!("{apart}{text}");
            }
            _ => {}
        }
    }
    let setup = Setup::read(variant, Some(&found.fen))?;
    if let Some(best) = &best {
        found.keys = Some(keys(&setup, best)?);
    }
    if found.stipulation.is_empty() {
        found.stipulation = match default {
            Some(default) => default.to_string(),
            None if found
                .keys
                .as_ref()
                .is_some_and(|keys| all_mate(&setup, keys)) =>
            {
                "#1".to_string()
            }
            None => {
                let why = match best {
                    Some(_) => {
                        "`bm` names keys that do not mate at once, and `dm` is missing, so \
                                the number of moves is unknown"
                    }
                    None => "`dm` and `bm #` are missing, so there is no stipulation",
                };
                return Err(wrong(why).help(format!(
                    "{SHAPE}, or a stipulation for all such lines: `--stipulation '#2'`"
                )));
            }
        };
    }
    Ok(found)
}

/// Splits a line into its four fields and the operations. Skips the two numbers at the end of a full FEN.
fn fields(line: &str) -> Result<(Vec<&str>, &str), Diagnostic> {
    let split = |text: &'_ str| -> usize { text.find(char::is_whitespace).unwrap_or(text.len()) };
    let mut rest = line;
    let mut fields = Vec::new();
    while fields.len() < 4 {
        rest = rest.trim_start();
        let (field, after) = rest.split_at(split(rest));
        if field.is_empty() {
            return Err(wrong(format!("expected 4 fields, found {}", fields.len())));
        }
        fields.push(field);
        rest = after;
    }
    for _ in 0..2 {
        let trimmed = rest.trim_start();
        let (number, after) = trimmed.split_at(split(trimmed));
        if whole_number(number.trim_end_matches(';')) {
            rest = after;
        }
    }
    Ok((fields, rest))
}

/// Returns the turns that `bm` lists, in coordinate notation and byte order.
fn keys(setup: &Setup, best: &[&str]) -> Result<Vec<String>, Diagnostic> {
    let mut keys = with_setup!(setup, start => {
        let game = start.game.as_ref();
        best.iter()
            .map(|text| {
                let p = &start.position;
                let turn = turns::read(game, p, text, 1).or_else(|_| san::find(game, p, text))?;
                Ok(turns::print(game, &start.position, &turn))
            })
            .collect::<Result<Vec<String>, Diagnostic>>()?
    });
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

/// Returns whether there are keys and each of them checkmates at once.
fn all_mate(setup: &Setup, keys: &[String]) -> bool {
    with_setup!(setup, start => {
        let (game, p) = (start.game.as_ref(), &start.position);
        let mates = |text: &String| {
            let turn = turns::read(game, p, text, 1).ok()?;
            game.outcome(&game.play(p, &turn)).reason()
        };
        !keys.is_empty() && keys.iter().all(|key| mates(key) == Some(reason::CHECKMATE))
    })
}

/// Splits the operations at each `;` outside of quotation marks.
fn operations(text: &str) -> Result<Vec<&str>, Diagnostic> {
    let mut list = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                list.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if quoted {
        return Err(wrong("a quotation mark is not closed"));
    }
    list.push(text[start..].trim());
    list.retain(|operation| !operation.is_empty());
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_become_fields() {
        let variant = Variant::from(&variants::fide::INFO);
        let text = "# two problems\n\
            4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rh8#; id \"a; b\"; c0 \"known\"; acd 3;\n\n\
            8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - bm #2;";
        let list = read(&variant, text, None);
        let lines: Vec<usize> = list.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 4]);
        let first = list[0].1.as_ref().expect("a problem");
        assert_eq!(first.id.as_deref(), Some("a; b"));
        assert_eq!((&*first.stipulation, &*first.comment), ("#1", "known"));
        assert_eq!(first.keys.as_deref(), Some(&["h1h8".to_string()][..]));
        let second = list[1].1.as_ref().expect("a problem");
        assert_eq!((second.keys.as_deref(), &second.id), (None, &None));
        assert_eq!(second.stipulation, "#2");
    }

    #[test]
    fn bm_is_read_in_all_notations_and_without_dm() {
        let variant = Variant::from(&variants::fide::INFO);
        let one = |operations: &str, default: Option<&str>| {
            let line = format!("8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - {operations}");
            read(&variant, &line, default).remove(0).1
        };
        for bm in ["Qa3", "a4a3", "Qa4-a3", "Qa3!"] {
            for (text, default) in [
                (format!("dm 2; bm {bm};"), None),
                (format!("0 1 dm 2; bm {bm};"), None),
                (format!("bm {bm};"), Some("#2")),
            ] {
                let found = one(&text, default).unwrap_or_else(|e| panic!("{text}: {e}"));
                assert_eq!(
                    found.keys.as_deref(),
                    Some(&["a4a3".to_string()][..]),
                    "{text}"
                );
                assert_eq!(found.stipulation, "#2", "{text}");
            }
        }
        let error = one("bm Qa3;", None).expect_err("the number of moves is unknown");
        assert!(
            error
                .help
                .is_some_and(|help| help.contains("--stipulation"))
        );
        let mate = read(&variant, "4k3/8/4K3/8/8/8/8/7R w - - bm Rh8#;", None)
            .remove(0)
            .1;
        assert_eq!(mate.map(|p| p.stipulation), Ok("#1".to_string()));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let variant = Variant::from(&variants::fide::INFO);
        for (line, told) in [
            ("4k3/8/4K3/8/8/8/8/7R w -", "found 3"),
            ("4k3/8/4K3/8/8/8/8/7R w - - bm Rh7;", "dm"),
            ("4k3/8/4K3/8/8/8/8/7R w - - dm x;", "number"),
            ("4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rg8;", "no legal turn"),
            ("4k3/8/4K3/8/8/8/8/7R w - - dm 1; id \"x;", "quotation"),
            ("4k3/8/4K3/8/8/8/8/6X1 w - - dm 1;", "not a unit"),
        ] {
            let (_, problem) = &read(&variant, line, None)[0];
            let error = problem.as_ref().expect_err(line);
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
