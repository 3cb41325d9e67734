//! Reads EPD: one problem in each line, with the first four fields of a FEN followed by operations that end
//! in `;`.
//!
//! | operation | meaning |
//! |---|---|
//! | `dm N`, `bm #N`, `eval #N` | the side to move wins in N moves: `#N`, or `win N` where other ends than checkmate win |
//! | `dm 0`, `dm -N`, `eval #-N` | the side to move is mated, or is mated in N moves: a fact without a key, so not a puzzle |
//! | `bm` | the keys, in any notation; without a number of moves, they must mate at once (`#1`) |
//! | `am` | turns that are not keys |
//! | `pv` | a line of play: its first turn is the key if `bm` is missing; every turn must be legal |
//! | `variant` | the rule set of this line |
//! | `id`; `c0` to `c9` | the name of the puzzle; remarks |
//!
//! Each of them but the remarks occurs at most once in a line. Other operations are ignored, and so are the two
//! numbers at the end of a full FEN.

use super::{Imported, List, ends_early};
use catalog::Catalog;
use diagnostics::{Diagnostic, whole_number};
use notation::with_setup;
use notation::{Setup, san, turns};
use rules::{Variant, reason};

/// Reads the problems of a text under the rules of a variant. Lines without a stipulation of their own have
/// the stipulation `default`, if it is given.
pub fn read(catalog: &Catalog, variant: &Variant, text: &str, default: Option<&str>) -> List {
    let (mut list, mut errors) = (List::new(), 0);
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if ends_early(&mut list, number, errors) {
            break;
        }
        let label = (list.len() + 1).to_string();
        let read = problem(catalog, variant, line, default, label);
        errors += usize::from(read.is_err());
        list.push((number, read));
    }
    list
}

const SHAPE: &str = "`4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rh8#; id \"one\";`";

fn wrong(why: impl Into<String>) -> Diagnostic {
    Diagnostic::new("EPD", why).help(SHAPE)
}

/// The operations of a line.
#[derive(Default)]
struct Operations<'l> {
    variant: Option<&'l str>,
    /// Moves until the side to move wins; 0 if it is mated, negative if it will be.
    moves: Option<i64>,
    best: Option<Vec<&'l str>>,
    /// Turns that are not keys.
    avoided: Vec<&'l str>,
    line: Vec<&'l str>,
    id: Option<String>,
    comment: String,
}

impl<'l> Operations<'l> {
    fn read(text: &'l str) -> Result<Operations<'l>, Diagnostic> {
        let mut found = Operations::default();
        let mut read = Vec::new();
        for operation in operations(text)? {
            let (name, operand) = match operation.split_once(char::is_whitespace) {
                Some((name, operand)) => (name, operand.trim()),
                None => (operation, ""),
            };
            let text = operand.trim_matches('"').trim();
            if ONCE.contains(&name) {
                if read.contains(&name) {
                    return Err(wrong(format!("a second `{name}`: `{operation}`")));
                }
                read.push(name);
            }
            match name {
                "id" => found.id = Some(text.to_string()).filter(|id| !id.is_empty()),
                "variant" => found.variant = Some(text),
                "dm" => {
                    let moves = signed(text).ok_or_else(|| {
                        wrong(format!("`dm {operand}`: `dm` takes a number of moves"))
                    })?;
                    found.set_moves(moves, operation)?;
                }
                // Some programs write the mate distance as the best move or as the value.
                "bm" | "eval" if text.strip_prefix('#').and_then(signed).is_some() => {
                    let moves = text.strip_prefix('#').and_then(signed).unwrap_or(0);
                    found.set_moves(moves, operation)?;
                }
                "bm" => found.best = Some(list(operand)),
                "am" => found.avoided = list(operand),
                "pv" => found.line = turns::words(operand).collect(),
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
        Ok(found)
    }

    /// Sets the number of moves.
    ///
    /// # Errors
    /// If another operation gives another number.
    fn set_moves(&mut self, moves: i64, operation: &str) -> Result<(), Diagnostic> {
        match self.moves.replace(moves).filter(|known| *known != moves) {
            Some(known) => Err(wrong(format!("`{operation}`, after {known} moves"))),
            None => Ok(()),
        }
    }
}

/// The operations that occur at most once in a line.
const ONCE: [&str; 7] = ["id", "variant", "dm", "bm", "am", "eval", "pv"];

/// Splits a list of turns.
fn list(operand: &str) -> Vec<&str> {
    let list = operand.split([' ', '\t', ',']);
    list.filter(|text| !text.is_empty()).collect()
}

/// Parses a whole number that may have a minus sign.
fn signed(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    text.parse().ok().filter(|_| whole_number(digits))
}

fn problem(
    catalog: &Catalog,
    variant: &Variant,
    line: &str,
    default: Option<&str>,
    label: String,
) -> Result<Imported, Diagnostic> {
    let (fields, rest) = fields(line)?;
    let found = Operations::read(rest)?;
    let own = found.variant.map(|name| catalog.open_named(name));
    let own = own.transpose()?;
    let mut fen = fields.join(" ") + " 0 1";
    let mut setup = Setup::read(own.as_ref().unwrap_or(variant), Some(&fen))?;
    let mut line = play(&setup, &found.line)?;
    let mut comment = found.comment;
    let mut add = |text: String| {
        let apart = if comment.is_empty() { "" } else { "; " };
        comment += &format!("{apart}{text}");
    };
    if line.len() > 1 {
        add(format!("line: {}", line.join(" ")));
    }
    let mut best = match (&found.best, line.first()) {
        (Some(best), _) => Some(keys(&setup, best)?),
        (None, Some(first)) => Some(vec![first.clone()]),
        (None, None) => None,
    };
    let mut avoided = keys(&setup, &found.avoided)?;
    let named = best.iter().flatten().find(|key| avoided.contains(key));
    if let Some(key) = named {
        return Err(wrong(format!("`am` excludes the key `{key}`")));
    }
    if let Some(moves) = found.moves.filter(|moves| *moves <= 0) {
        // The puzzle begins after the best defense, if the line states one.
        let Some(defense) = line.first().filter(|_| moves < 0).cloned() else {
            return Err(without_key(&setup, moves));
        };
        add(format!("after the defense {defense}"));
        setup = setup.play(&defense)?;
        fen = setup.fen();
        line.remove(0);
        best = line.first().map(|key| vec![key.clone()]);
        // The turns of `am` are those of the side that loses.
        avoided.clear();
    }
    let stipulation = match (found.moves, default) {
        (Some(moves), _) => format!("{}{}", mate_goal(&setup), moves.unsigned_abs()),
        (None, Some(default)) => default.to_string(),
        (None, None) if best.as_ref().is_some_and(|keys| all_mate(&setup, keys)) => {
            "#1".to_string()
        }
        (None, None) => {
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
    Ok(Imported {
        label,
        id: found.id,
        variant: own.map(|own| own.to_string()),
        fen,
        stipulation,
        keys: best,
        avoided,
        comment,
        ..Imported::default()
    })
}

/// Returns a line of play in coordinate notation.
fn play(setup: &Setup, line: &[&str]) -> Result<Vec<String>, Diagnostic> {
    let (mut setup, mut texts) = (setup.clone(), Vec::new());
    for (number, text) in (1..).zip(line) {
        let (turn, after) = setup
            .play_numbered(text, number)
            .map_err(|error| Diagnostic::new("`pv`", error.to_string()))?;
        texts.push(turn);
        setup = after;
    }
    Ok(texts)
}

/// Returns the goal of a stated mate distance: checkmate, or any win where the rule set has other ends.
fn mate_goal(setup: &Setup) -> &'static str {
    const DRAWS_AND_MATE: [&str; 2] = [reason::CHECKMATE, reason::STALEMATE];
    let rule_set = &setup.variant().rule_set;
    let only_mate = rule_set
        .reasons()
        .iter()
        .all(|(reason, _)| DRAWS_AND_MATE.contains(reason));
    if only_mate { "#" } else { "win " }
}

/// Returns the note about a line in which the side to move is mated, or will be. It is a fact about the
/// position and has no key, so it is not a puzzle. If the position contradicts it, the note is an error.
fn without_key(setup: &Setup, moves: i64) -> Diagnostic {
    let outcome = setup.outcome();
    match (moves, outcome.is_ongoing()) {
        (0, false) => Diagnostic::note(
            "`dm 0`",
            format!("the game is over ({outcome}): there is no key"),
        ),
        (0, true) => wrong("`dm 0` states that the game is over, but it is not"),
        (_, false) => wrong(format!(
            "`dm {moves}` states a longer game, but it is over: {outcome}"
        )),
        (_, true) => Diagnostic::note(
            format!("`dm {moves}`"),
            format!("the side to move loses in {}: it has no key", -moves),
        )
        .help("with `pv`, a puzzle is made of the position after its first turn"),
    }
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
    use diagnostics::Severity;

    #[test]
    fn operations_become_fields() {
        let variant = Variant::from(&variants::fide::INFO);
        let text = "# two problems\n\
            4k3/8/4K3/8/8/8/8/7R w - - dm 1; bm Rh8#; id \"a; b\"; c0 \"known\"; acd 3;\n\n\
            8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - bm #2;";
        let list = read(&Catalog::new(), &variant, text, None);
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
            read(&Catalog::new(), &variant, &line, default).remove(0).1
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
        let mate = read(
            &Catalog::new(),
            &variant,
            "4k3/8/4K3/8/8/8/8/7R w - - bm Rh8#;",
            None,
        )
        .remove(0)
        .1;
        assert_eq!(mate.map(|p| p.stipulation), Ok("#1".to_string()));
    }

    #[test]
    fn variants_lines_and_distances_are_used() {
        let (catalog, fide) = (Catalog::new(), Variant::from(&variants::fide::INFO));
        let one = |line: &str| read(&catalog, &fide, line, None).remove(0).1;
        let mate = "6k1/5ppp/8/8/8/8/8/K7[Q] w - - variant crazyhouse;bm Q@d8;eval #1;pv @d8";
        let found = one(&mate.replace("pv @d8", "pv Q@d8#"));
        let found = found.expect("a puzzle of crazyhouse");
        assert_eq!(found.variant.as_deref(), Some("crazyhouse"));
        assert_eq!(found.stipulation, "#1");
        assert_eq!(found.keys, Some(vec!["Q@d8".to_string()]));
        let error = one(mate)
            .expect_err("a pawn that is not in hand")
            .to_string();
        assert!(error.contains("`pv`"), "{error}");
        // The side to move loses: the puzzle begins after its turn.
        let found =
            one("7k/8/5KQ1/8/8/8/8/8 b - - dm -1; pv Kh8 Qg7;").expect_err("an illegal line");
        assert!(found.to_string().contains("`pv`"), "{found}");
        let found = one("6k1/8/5K2/6Q1/8/8/8/8 b - - dm -1; pv Kh8 Qg7;").expect("a puzzle");
        assert_eq!(
            (&*found.stipulation, &*found.fen),
            ("#1", "7k/8/5K2/6Q1/8/8/8/8 w - - 1 2")
        );
        assert_eq!(found.keys, Some(vec!["g5g7".to_string()]));
        for (line, severity) in [
            ("7k/6Q1/5K2/8/8/8/8/8 b - - dm 0;", Severity::Note),
            ("8/8/8/8/8/5k2/8/4K2R b - - dm -15;", Severity::Note),
            ("7k/8/5K2/6Q1/8/8/8/8 b - - dm 0;", Severity::Error),
            ("7k/6Q1/5K2/8/8/8/8/8 b - - dm -1;", Severity::Error),
            (
                "7k/6Q1/5K2/8/8/8/8/8 b - - variant chess960; dm 1;",
                Severity::Error,
            ),
        ] {
            assert_eq!(one(line).expect_err(line).severity, severity, "{line}");
        }
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
            let (_, problem) = &read(&Catalog::new(), &variant, line, None)[0];
            let error = problem.as_ref().expect_err(line);
            assert!(error.to_string().contains(told), "{error}");
        }
    }
}
