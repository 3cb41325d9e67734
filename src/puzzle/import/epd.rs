//! EPD: a line each, four fields of a FEN, then operations that end in `;`.
//!
//! `dm N` (direct mate in N moves) is the stipulation `#N`, and so is `bm #N`; any other `bm` names the
//! keys in short algebraic notation, `id` the puzzle; `c0` to `c9` are remarks. Other operations are
//! passed over.

use super::{Imported, List, ends_early};
use diagnostics::InputError;
use diagnostics::whole_number;
use notation::with_setup;
use notation::{Setup, san, turns};
use rules::Variant;

/// Reads the problems of a text under the rules of a variant.
pub fn read(variant: &Variant, text: &str) -> List {
    let (mut list, mut errors) = (List::new(), 0);
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if ends_early(&mut list, number, errors) {
            break;
        }
        let read = problem(variant, line);
        errors += usize::from(read.is_err());
        list.push((number, read));
    }
    list
}

const SHAPE: &str = "`4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rh8#; id \"one\";`";

fn problem(variant: &Variant, line: &str) -> Result<Imported, InputError> {
    let wrong = |why: String| InputError::new("EPD", why).help(SHAPE);
    let mut rest = line;
    let mut fields = Vec::new();
    for _ in 0..4 {
        rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (field, behind) = rest.split_at(end);
        if field.is_empty() {
            return Err(wrong(format!("{} fields instead of four", fields.len())));
        }
        fields.push(field);
        rest = behind;
    }
    let mut fen = fields.join(" ");
    let mut found = Imported {
        id: None,
        fen: String::new(),
        stipulation: String::new(),
        keys: None,
        source: String::new(),
        comment: String::new(),
    };
    let mut best: Vec<&str> = Vec::new();
    for operation in operations(rest).map_err(wrong)? {
        let (name, operand) = match operation.split_once(char::is_whitespace) {
            Some((name, operand)) => (name, operand.trim()),
            None => (operation, ""),
        };
        let text = operand.trim_matches('"').trim();
        match name {
            "id" => found.id = Some(text.to_string()).filter(|id| !id.is_empty()),
            "dm" => {
                if !whole_number(text) {
                    return Err(wrong(format!("`dm {operand}`: it takes a number of moves")));
                }
                found.stipulation = format!("#{text}");
            }
            // Some write the number of moves as the best one.
            "bm" if text.strip_prefix('#').is_some_and(whole_number) => {
                found.stipulation = text.to_string();
            }
            "bm" => best = operand.split_whitespace().collect(),
            "hmvc" if whole_number(text) => {}
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
    if found.stipulation.is_empty() {
        return Err(wrong(
            "there is neither `dm` nor `bm #`, so nothing is asked".into(),
        ));
    }
    fen += " 0 1";
    let setup = Setup::read(variant, Some(&fen))?;
    if !best.is_empty() {
        let mut keys = with_setup!(setup, start => {
            let game = start.game.as_ref();
            best.iter()
                .map(|text| {
                    let turn = san::find(game, &start.position, text)?;
                    Ok(turns::print(game, &start.position, &turn))
                })
                .collect::<Result<Vec<String>, InputError>>()?
        });
        keys.sort_unstable();
        keys.dedup();
        found.keys = Some(keys);
    }
    found.fen = fen;
    Ok(found)
}

/// Returns the operations, split at `;` outside of quotation marks.
fn operations(text: &str) -> Result<Vec<&str>, String> {
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
        return Err("a quotation mark is not closed".to_string());
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
        let list = read(&variant, text);
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
    fn what_cannot_be_read_is_told() {
        let variant = Variant::from(&variants::fide::INFO);
        for (line, told) in [
            ("4k3/8/4K3/8/8/8/8/7R w -", "3 fields"),
            ("4k3/8/4K3/8/8/8/8/7R w - - bm Rh8;", "dm"),
            ("4k3/8/4K3/8/8/8/8/7R w - - dm x;", "number"),
            (
                "4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rg8;",
                "not a legal turn",
            ),
            ("4k3/8/4K3/8/8/8/8/7R w - - dm 1; id \"x;", "quotation"),
            ("4k3/8/4K3/8/8/8/8/6X1 w - - dm 1;", "not a unit"),
        ] {
            let (_, problem) = &read(&variant, line)[0];
            let error = problem.as_ref().expect_err(line);
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
