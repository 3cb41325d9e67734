//! Answers as JSON: how they are written, and how they are read back to be checked.

use super::lines::{Unlisted, each_line};
use diagnostics::InputError;
use notation::fen;
use problems::MAX_MOVES;
use problems::text::verdict;
use problems::tree::{Shown, Tree};
use problems::{Deadline, Problem, Solution};
use puzzle::Layout;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use std::cell::RefCell;

/// An answer as it is read back.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    pub variant: String,
    pub fen: String,
    pub stipulation: String,
    pub verdict: String,
    pub complete: bool,
    pub solutions: usize,
    pub keys: Vec<String>,
    #[serde(default)]
    pub lines: Vec<StoredLine>,
    /// Whether there were more lines than are stored.
    #[serde(default)]
    pub lines_cut: bool,
    pub tree: Tree,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredLine {
    pub turns: Vec<String>,
}

/// An answer as it is stored. Lines are made while they are written: there may be millions.
pub(super) struct Storing<'a, W: Layout> {
    pub problem: &'a Problem<W>,
    pub solution: &'a Solution,
    pub deadline: &'a Deadline<'a>,
    /// What is wrong with a line, which would be a mistake of the search.
    pub wrong: RefCell<Option<InputError>>,
}

#[derive(Serialize)]
struct StoringLine<'a> {
    turns: Vec<&'a str>,
}

impl<W: Layout> Serialize for Storing<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (problem, solution) = (self.problem, self.solution);
        let game = problem.start.game.as_ref();
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("variant", &game.variant().to_string())?;
        fields.serialize_entry("fen", &fen::print(game, &problem.start.position))?;
        fields.serialize_entry("stipulation", &problem.stipulation.to_string())?;
        fields.serialize_entry("verdict", verdict(problem, solution).word())?;
        fields.serialize_entry("complete", &solution.stopped.is_none())?;
        fields.serialize_entry("solutions", &solution.count())?;
        fields.serialize_entry("keys", &problem.first_turns(solution))?;
        if !solution.lines.is_empty() {
            fields.serialize_entry("lines", &StoringLines(self))?;
            if self.deadline.was_over() {
                fields.serialize_entry("lines_cut", &true)?;
            }
        }
        fields.serialize_entry("tree", &Shown(&solution.tree, self.deadline))?;
        fields.end()
    }
}

struct StoringLines<'a, W: Layout>(&'a Storing<'a, W>);

impl<W: Layout> Serialize for StoringLines<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = serializer.serialize_seq(None)?;
        let Storing {
            problem,
            solution,
            deadline,
            wrong,
        } = self.0;
        let ended = each_line(problem, solution, deadline, |turns| {
            lines.serialize_element(&StoringLine { turns })
        });
        match ended {
            Ok(()) | Err(Unlisted::Enough) => lines.end(),
            Err(Unlisted::Output(error)) => Err(error),
            Err(Unlisted::Wrong(error)) => {
                let text = error.to_string();
                *wrong.borrow_mut() = Some(error);
                Err(serde::ser::Error::custom(text))
            }
        }
    }
}

/// How deep the brackets of a stored answer may stand in each other: a move of a tree adds four.
const MAX_BRACKETS: usize = 8 * MAX_MOVES as usize;

/// How deep brackets stand in each other in a JSON text.
fn brackets(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Reads stored answers, however long their moves: the usual bound on brackets would end at 31.
pub(super) fn read_stored(name: &str, bytes: &[u8]) -> Result<Vec<Stored>, InputError> {
    let none = |why: String| {
        InputError::new(name, format!("it is no stored answer: {why}"))
            .help("`fairyproof solve ... --format json` writes one")
    };
    let depth = brackets(bytes);
    if depth > MAX_BRACKETS {
        return Err(none(format!(
            "its brackets stand {depth} deep in each other; {MAX_BRACKETS} are the most"
        )));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let many = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let stored = match many {
        true => Vec::deserialize(&mut reader),
        false => Stored::deserialize(&mut reader).map(|stored| vec![stored]),
    };
    let stored = stored.map_err(|e| none(e.to_string()))?;
    reader.end().map_err(|e| none(e.to_string()))?;
    Ok(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stored answer whose play is so many moves long.
    fn stored(moves: usize) -> String {
        let open = "{\"turn\":\"a1a2\",\"answers\":[{\"turn\":\"a2a1\",\"next\":[";
        let tree = open.repeat(moves) + "{\"turn\":\"a1a2\",\"goal\":true}" + &"]}]}".repeat(moves);
        format!(
            "{{\"variant\":\"fide\",\"fen\":\"\",\"stipulation\":\"#99\",\"verdict\":\"sound\",\
             \"complete\":true,\"solutions\":1,\"keys\":[\"a1a2\"],\"tree\":{{\"keys\":[{tree}]}}}}"
        )
    }

    #[test]
    fn stored_answers_of_all_lengths_are_read() {
        for moves in [1, 31, 32, 98] {
            let read = read_stored("file", stored(moves).as_bytes());
            assert!(read.is_ok(), "{moves} moves: {:?}", read.err());
        }
        let two = format!(" [{},\n{}]", stored(3), stored(1));
        assert_eq!(
            read_stored("file", two.as_bytes()).map(|all| all.len()),
            Ok(2)
        );
    }

    #[test]
    fn brackets_without_end_are_refused() {
        for text in ["[".repeat(1 << 20), stored(10_000)] {
            let error = read_stored("file", text.as_bytes()).err();
            assert!(error.is_some_and(|e| e.to_string().contains("deep in each other")));
        }
        // Those in a text do not count.
        assert_eq!(brackets(br#"["[[[\"[[", {}]"#), 2);
    }
}
