//! The JSON format of solutions, which `solve --format json` writes and `solve --check` reads.
//!
//! Lines are generated while they are written, because a problem can have millions. Reading is limited: a
//! file is refused before it is parsed if it is too long, is nested too deeply, or would need more memory
//! than allowed. This module does not check the content.
//! memory than allowed. What is read is not checked here.

use super::lines::{Unlisted, each_line};
use control::files::read_limited;
use diagnostics::{Diagnostic, shortened};
use notation::fen;
use problems::MAX_MOVES;
use problems::text::verdict;
use problems::tree::{Shown, Tree};
use problems::{Deadline, Goal, Problem, Solution};
use puzzle::Layout;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::path::Path;

/// The maximum size of a file, in bytes. A problem with a million lines takes about half of it.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// The maximum depth of nested brackets. A move of a tree adds four.
const MAX_BRACKETS: usize = 8 * MAX_MOVES as usize;

/// The maximum length of the fields `variant`, `fen` and `stipulation`, in bytes. Real values are far shorter
/// on any board.
const MAX_FIELD_BYTES: usize = 4096;

/// The memory for an element of a list, in bytes (measured: 117 for a turn of a tree).
const ELEMENT_BYTES: u64 = 128;

/// The memory for a list, in bytes. Space for four turns is allocated at once.
const LIST_BYTES: u64 = 384;

/// A stored solution. Fields that this program does not write are errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    #[serde(deserialize_with = "short_text")]
    pub variant: String,
    #[serde(deserialize_with = "short_text")]
    pub fen: String,
    #[serde(deserialize_with = "short_text")]
    pub stipulation: String,
    /// The expression that is the goal, if the stipulation refers to one.
    #[serde(default)]
    pub goal: Option<String>,
    /// The verdict, as a word of [`Verdict`](problems::text::Verdict).
    pub verdict: String,
    /// Whether the search was complete, so no other solutions exist.
    pub complete: bool,
    /// The number of keys or lines.
    pub solutions: usize,
    /// The first turns of all solutions, in byte order and without duplicates.
    pub keys: Vec<String>,
    #[serde(default)]
    pub lines: Vec<StoredLine>,
    /// Whether more lines were found than stored.
    #[serde(default)]
    pub lines_cut: bool,
    pub tree: Tree,
}

/// A line of help or series play.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredLine {
    pub turns: Vec<String>,
    /// The number of turns, from the first on, that are the introduction of a series.
    #[serde(default)]
    pub introduction: usize,
}

/// Reads a string of at most [`MAX_FIELD_BYTES`].
fn short_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.len() {
        ..=MAX_FIELD_BYTES => Ok(text),
        bytes => Err(serde::de::Error::custom(format!(
            "a text of {bytes} bytes, where at most {MAX_FIELD_BYTES} are read"
        ))),
    }
}

/// A solution that is being written.
pub(super) struct Storing<'a, W: Layout> {
    pub problem: &'a Problem<W>,
    pub solution: &'a Solution,
    /// Once the deadline expires, the rest of the play is left out.
    pub deadline: &'a Deadline<'a>,
    /// The error in a line that cannot be replayed, which would be a bug in the search.
    pub wrong: RefCell<Option<Diagnostic>>,
}

#[derive(Serialize)]
struct StoringLine<'a> {
    turns: Vec<&'a str>,
    #[serde(skip_serializing_if = "is_zero")]
    introduction: usize,
}

/// Returns whether a line has no introduction, which is then not written.
fn is_zero(introduction: &usize) -> bool {
    *introduction == 0
}

impl<W: Layout> Serialize for Storing<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (problem, solution) = (self.problem, self.solution);
        let game = problem.start.game.as_ref();
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("variant", &game.variant().to_string())?;
        fields.serialize_entry("fen", &fen::print(game, &problem.start.position))?;
        fields.serialize_entry("stipulation", &problem.stipulation.to_string())?;
        if let Goal::Expression(_) = &problem.stipulation.goal {
            fields.serialize_entry("goal", &problem.stipulation.goal.to_string())?;
        }
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
        let ended = each_line(problem, solution, deadline, |line| {
            lines.serialize_element(&StoringLine {
                turns: line.turns,
                introduction: line.introduction,
            })
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

/// The resources that a JSON text needs, estimated before it is parsed.
struct Extent {
    /// The depth of nested brackets.
    depth: usize,
    /// The memory in bytes for the text and all of its values.
    memory_bytes: u64,
}

impl Extent {
    fn of(bytes: &[u8]) -> Extent {
        let (mut depth, mut deepest) = (0usize, 0);
        let mut memory_bytes = bytes.len() as u64;
        let (mut quoted, mut escaped) = (false, false);
        for byte in bytes {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ if quoted => {}
                b'[' | b'{' => {
                    depth += 1;
                    deepest = deepest.max(depth);
                    memory_bytes += if *byte == b'[' { LIST_BYTES } else { 0 };
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                b',' => memory_bytes += ELEMENT_BYTES,
                _ => {}
            }
        }
        Extent {
            depth: deepest,
            memory_bytes,
        }
    }
}

/// Reads a file with one stored solution or a list of them.
///
/// # Errors
/// If the file cannot be read, is not such a file, or needs more than `memory_bytes`. The message names the
/// file and, if it cannot be parsed, the line and column.
pub(super) fn read_stored(path: &Path, memory_bytes: u64) -> Result<Vec<Stored>, Diagnostic> {
    let bytes = read_limited(path, MAX_FILE_BYTES.min(memory_bytes))?;
    parse_stored(&format!("file `{}`", path.display()), &bytes, memory_bytes)
}

/// Parses stored solutions. Moves may be nested as deeply as stipulations allow, which exceeds the default
/// limit of the JSON parser.
fn parse_stored(name: &str, bytes: &[u8], memory_bytes: u64) -> Result<Vec<Stored>, Diagnostic> {
    let not_stored = |why: String| {
        Diagnostic::new(name, format!("it is not a stored solution: {why}"))
            .help("`fairyproof solve ... --format json` writes one")
    };
    let extent = Extent::of(bytes);
    if extent.depth > MAX_BRACKETS {
        return Err(not_stored(format!(
            "brackets are nested {} deep; at most {MAX_BRACKETS} are read",
            extent.depth
        )));
    }
    if extent.memory_bytes > memory_bytes {
        let needed = extent.memory_bytes;
        let why =
            format!("reading it takes up to {needed} bytes of memory; {memory_bytes} are allowed");
        return Err(Diagnostic::new(name, why).help("allow more with `--memory`"));
    }
    let wrong = |error: serde_json::Error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let text = error.to_string();
        let end = format!(" at line {} column {}", error.line(), error.column());
        let why = text.strip_suffix(&end).unwrap_or(&text);
        not_stored(shortened(why).into_owned()).at(place)
    };
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let list = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let stored = match list {
        true => Vec::deserialize(&mut reader),
        false => Stored::deserialize(&mut reader).map(|stored| vec![stored]),
    };
    let stored = stored.map_err(wrong)?;
    reader.end().map_err(wrong)?;
    Ok(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY_BYTES: u64 = 1 << 30;

    /// Returns a stored solution of `moves` moves as text.
    fn stored(moves: usize) -> String {
        let open = "{\"turn\":\"a1a2\",\"answers\":[{\"turn\":\"a2a1\",\"next\":[";
        let tree = open.repeat(moves) + "{\"turn\":\"a1a2\",\"goal\":true}" + &"]}]}".repeat(moves);
        format!(
            "{{\"variant\":\"fide\",\"fen\":\"\",\"stipulation\":\"#99\",\"verdict\":\"sound\",\
             \"complete\":true,\"solutions\":1,\"keys\":[\"a1a2\"],\"tree\":{{\"keys\":[{tree}]}}}}"
        )
    }

    #[test]
    fn solutions_of_up_to_99_moves_are_read() {
        for moves in [1, 31, 32, 98] {
            let read = parse_stored("file", stored(moves).as_bytes(), MEMORY_BYTES);
            assert!(read.is_ok(), "{moves} moves: {:?}", read.err());
        }
        let two = format!(" [{},\n{}]", stored(3), stored(1));
        let read = parse_stored("file", two.as_bytes(), MEMORY_BYTES);
        assert_eq!(read.map(|all| all.len()), Ok(2));
    }

    #[test]
    fn deeply_nested_brackets_are_refused() {
        for text in ["[".repeat(1 << 20), stored(10_000)] {
            let error = parse_stored("file", text.as_bytes(), MEMORY_BYTES).err();
            assert!(error.is_some_and(|e| e.to_string().contains("nested")));
        }
        // Brackets in a string do not count.
        assert_eq!(Extent::of(br#"["[[[\"[[", {}]"#).depth, 2);
    }

    #[test]
    fn files_that_take_too_much_memory_are_refused() {
        let turns = "\"a\",".repeat(10_000);
        let text = stored(1).replace("\"keys\":[\"a1a2\"]", &format!("\"keys\":[{turns}\"a\"]"));
        assert!(parse_stored("file", text.as_bytes(), MEMORY_BYTES).is_ok());
        let error = parse_stored("file", text.as_bytes(), 1 << 20).err();
        assert!(error.is_some_and(|e| e.to_string().contains("1048576 are allowed")));
    }

    #[test]
    fn long_texts_are_refused_and_not_repeated() {
        let long = "x".repeat(1 << 20);
        for text in [
            stored(1).replace("fide", &long),
            stored(1).replace("#99", &long),
            stored(1).replace("\"complete\":true", &format!("\"complete\":\"{long}\"")),
            stored(1).replace("\"complete\"", &format!("\"{long}\":1,\"complete\"")),
        ] {
            let error = parse_stored("file", text.as_bytes(), MEMORY_BYTES).err();
            assert!(error.is_some_and(|e| e.to_string().len() < 1000));
        }
    }
}
