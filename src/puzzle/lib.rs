//! Puzzles: files of positions with a stipulation and the expected answer.
//!
//! * [`collection`]: the project's own puzzles, compiled in.
//! * [`read`]: reads puzzle files; errors name the field and the line.
//! * [`solve`]: solves puzzles and compares the answers with the expected ones.
//! * [`import`]: reads EPD and Popeye's input language.
//! * [`mine`]: finds new puzzles whose solution depends on the rule set.
//!
//! # The format
//! TOML, with one theme or one source in each file. Each puzzle is a table of the array `puzzle`:
//! ```toml
//! [[puzzle]]
//! id = "wedding"                            # unique in the file
//! variant = "bachelor"                      # with its options: "spartan:moves=40"
//! fen = "3k3/Q6/7/7/7/3K3 w - - 0 1"        # left out: the start position
//! stipulation = "marriage 1"                # as for `fairyproof solve`
//! keys = ["a5a1", "a5e1"]                   # all first turns of all solutions; or "none"
//! solutions = 2                             # keys, or whole lines in help and series play
//! source = "by hand"                        # where it comes from; may be left out
//! comment = "the queen joins her king"      # may be left out
//! ```
//! `keys` lists what `fairyproof solve --keys` prints. In direct, self and reflex play, these are all keys,
//! including those of shorter solutions; in help and series play, the different first turns of all lines. If
//! `solutions` is missing, the number of solutions is not compared. If `keys` is missing, the answer is
//! unknown: the puzzle is solved, but nothing is compared.

pub mod collection;
pub mod import;
pub mod mine;
pub mod read;
pub mod solve;

use catalog::Catalog;
use diagnostics::Diagnostic;
use notation::with_setup;
use notation::{Setup, turns};
use problems::{Problem, Stipulation};
use rules::Variant;
use std::fmt::Write;

pub use position::Layout;

/// A puzzle of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The id of the puzzle, unique in its file.
    pub id: String,
    /// The variant with its options.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The stipulation.
    pub stipulation: String,
    /// The first turns of all solutions, in byte order; empty without a solution. `None` if they are unknown,
    /// in which case nothing is compared.
    pub keys: Option<Vec<String>>,
    /// The number of solutions (keys, or whole lines), if it is compared.
    pub solutions: Option<usize>,
    /// The source of the puzzle; may be empty.
    pub source: String,
    /// Remarks; may be empty.
    pub comment: String,
}

/// A puzzle that has been opened: its game, position and stipulation.
pub struct Posed {
    /// The game and the position.
    pub setup: Setup,
    /// The stipulation.
    pub stipulation: Stipulation,
}

impl Posed {
    /// Opens a position with a stipulation.
    ///
    /// # Errors
    /// If the position or the stipulation is invalid.
    pub fn new(
        variant: &Variant,
        fen: Option<&str>,
        stipulation: &str,
    ) -> Result<Posed, Diagnostic> {
        let setup = Setup::read(variant, fen)?;
        let geometry = with_setup!(&setup, start => start.game.board().geometry());
        let stipulation = Stipulation::parse(stipulation, &variant.rule_set, geometry)?;
        Ok(Posed { setup, stipulation })
    }

    /// Returns all turns with which a solution may begin, in coordinate notation and byte order.
    pub fn firsts(&self) -> Vec<String> {
        with_setup!(&self.setup, start => {
            let problem = Problem::new(start.clone(), self.stipulation.clone());
            let (game, p) = (start.game.as_ref(), &start.position);
            let mut list = Vec::new();
            game.turns(p, &mut list);
            problem.judge().reaching(p, &mut list);
            let mut texts: Vec<String> = list.iter().map(|t| turns::print(game, p, t)).collect();
            texts.sort_unstable();
            texts.dedup();
            texts
        })
    }

    /// Returns, in coordinate notation, the first turn that a text in any notation means (`Nf3`, `e2-e4`,
    /// `O-O`). Returns `None` if the text matches no turn or more than one.
    pub fn first_meant(&self, text: &str) -> Option<String> {
        with_setup!(&self.setup, start => {
            let (game, p) = (start.game.as_ref(), &start.position);
            let turn = turns::read(game, p, text, 1).ok()?;
            Some(turns::print(game, p, &turn))
        })
    }
}

impl Puzzle {
    /// Opens the puzzle.
    ///
    /// # Errors
    /// If the variant, the position or the stipulation is invalid.
    pub fn open(&self, catalog: &Catalog) -> Result<Posed, Diagnostic> {
        let variant = catalog.open(&self.variant)?;
        Posed::new(&variant, Some(&self.fen), &self.stipulation)
    }

    /// Returns the puzzle as a table of a puzzle file.
    pub fn toml(&self) -> String {
        let text = |text: &str| toml::Value::from(text).to_string();
        let mut out = String::from("[[puzzle]]\n");
        let _ = writeln!(out, "id = {}", text(&self.id));
        let _ = writeln!(out, "variant = {}", text(&self.variant));
        let _ = writeln!(out, "fen = {}", text(&self.fen));
        let _ = writeln!(out, "stipulation = {}", text(&self.stipulation));
        match self.keys.as_deref() {
            None => {}
            Some([]) => out += &format!("keys = {}\n", text("none")),
            Some(keys) => {
                let keys: Vec<String> = keys.iter().map(|key| text(key)).collect();
                let _ = writeln!(out, "keys = [{}]", keys.join(", "));
            }
        }
        if let Some(solutions) = self.solutions {
            let _ = writeln!(out, "solutions = {solutions}");
        }
        for (name, value) in [("source", &self.source), ("comment", &self.comment)] {
            if !value.is_empty() {
                let _ = writeln!(out, "{name} = {}", text(value));
            }
        }
        out
    }
}

/// Returns a whole puzzle file: the lines of `head` as comments, followed by the puzzles.
pub fn file(head: &[&str], puzzles: &[Puzzle]) -> String {
    let mut out: String = head.iter().map(|line| format!("# {line}\n")).collect();
    for puzzle in puzzles {
        out.push('\n');
        out += &puzzle.toml();
    }
    out
}
