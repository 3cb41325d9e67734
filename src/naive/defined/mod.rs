//! A second, naive implementation of variants that a file defines. It is slow and plain, and shares no code
//! with the other crates of `src/`: it has its own reader of files, its own Betza notation and no tables.
//!
//! A board is an array of cells. The targets of a unit are found by walking square by square. A turn is legal
//! if a copy of the position after the turn breaks no rule.
//!
//! - `ini.rs`: splits a file into sections, keys and values.
//! - `betza.rs`: reads Betza notation.
//! - `definition.rs`: the kinds of pieces and the values of keys.
//! - `keys.rs`: applies the keys of a section to a definition.
//! - `carry.rs`: carries a definition over to boards of other sizes.
//! - `state.rs`: positions.
//! - `fen.rs`: reads and prints positions.
//! - `reach.rs`: the squares that units reach and attack.
//! - `turns.rs`: pseudo-legal turns.
//! - `law.rs`: plays turns and decides whether they are legal.
//! - `outcome.rs`: the outcome of a game.

pub(crate) mod betza;
mod carry;
pub(crate) mod definition;
pub(crate) mod fen;
pub(crate) mod ini;
mod keys;
mod law;
pub(crate) mod outcome;
pub(crate) mod reach;
pub(crate) mod state;
pub(crate) mod turns;

use definition::Definition;
use ini::Section;
pub use outcome::Outcome;

use state::Position;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Definitions by name, each as it is played, or the reason why it cannot be read.
#[derive(Default)]
pub struct Library {
    definitions: BTreeMap<String, Result<Arc<Definition>, String>>,
}

/// A file of definitions, and whether it is the one of the known variants.
struct File {
    sections: Vec<Section>,
    is_known: bool,
}

/// The maximum number of parents above a section.
const MAX_PARENTS: usize = 100;

impl File {
    fn read(text: &str, is_known: bool) -> Result<File, String> {
        let sections = ini::sections(text)?;
        Ok(File { sections, is_known })
    }

    /// Returns the name by which other files call a section. A known variant with the name of a rule set of
    /// the rule book has the suffix `-fsf`.
    fn public_name(&self, section: &Section) -> String {
        match self.is_known && crate::law(&section.name).is_ok() {
            true => format!("{}-fsf", section.name),
            false => section.name.clone(),
        }
    }
}

impl Library {
    /// Reads a file of definitions, to which orthodox chess is added as `chess` and `fide`.
    ///
    /// # Errors
    /// If a line or a value cannot be read, or a parent is missing.
    pub fn read(text: &str) -> Result<Library, String> {
        let mut library = Library::of_files("", &[text])?;
        for definition in library.definitions.values() {
            definition.clone()?;
        }
        for name in ["chess", "fide"] {
            let chess = || Ok(Arc::new(Definition::chess()));
            library
                .definitions
                .entry(name.to_string())
                .or_insert_with(chess);
        }
        Ok(library)
    }

    /// Reads the text of the known variants, and files of definitions. The parent of a section is searched in
    /// its own file, in the files before it, and among the known variants.
    ///
    /// # Errors
    /// If a heading cannot be read, or a name occurs twice, in one file or in several. Errors in a section
    /// are errors of that section and of its children.
    pub fn of_files(known: &str, texts: &[&str]) -> Result<Library, String> {
        let mut files = vec![File::read(known, true)?];
        for text in texts {
            files.push(File::read(text, false)?);
        }
        let mut library = Library::default();
        // A section of a file replaces the known variant of its name.
        for at in (1..files.len()).chain([0]) {
            for index in 0..files[at].sections.len() {
                let name = files[at].public_name(&files[at].sections[index]);
                let known = library.definitions.contains_key(&name);
                if known && at > 0 {
                    return Err(format!("[{name}] is defined in two files"));
                }
                if !known {
                    let definition = inherited(&files, at, index, 0);
                    let played = definition.map(|definition| Arc::new(definition.played()));
                    library.definitions.insert(name, played);
                }
            }
        }
        Ok(library)
    }

    /// Returns the names in byte order.
    pub fn names(&self) -> Vec<String> {
        self.definitions.keys().cloned().collect()
    }

    /// Returns the game with this name, if there is one.
    ///
    /// # Errors
    /// If the definition of this name cannot be read.
    pub fn find(&self, name: &str) -> Option<Result<Game, String>> {
        let game = |definition: &Arc<Definition>| Game {
            law: Arc::clone(definition),
        };
        let definition = self.definitions.get(name)?;
        Some(definition.as_ref().map(game).map_err(String::clone))
    }

    /// Returns the game with this name, or with the name without the suffix `-fsf`. The program adds this
    /// suffix to names that its compiled rule sets have.
    pub fn game(&self, name: &str) -> Option<Game> {
        let short = name.strip_suffix("-fsf").unwrap_or(name);
        self.find(name).or_else(|| self.find(short))?.ok()
    }
}

/// Returns the definition of a section with everything that it inherits.
fn inherited(files: &[File], at: usize, index: usize, depth: usize) -> Result<Definition, String> {
    let section = &files[at].sections[index];
    let about = |why: String| format!("[{}]: {why}", section.name);
    if let Some(fault) = &section.fault {
        return Err(about(fault.clone()));
    }
    if depth > MAX_PARENTS {
        return Err(about(format!("more than {MAX_PARENTS} parents")));
    }
    let base = match &section.parent {
        None => Definition::bare(),
        Some(parent) => parent_of(files, at, index, parent, depth).map_err(about)?,
    };
    base.with(section).map_err(about)
}

fn parent_of(
    files: &[File],
    at: usize,
    index: usize,
    parent: &str,
    depth: usize,
) -> Result<Definition, String> {
    let in_file = |file: usize| {
        let named = |place: usize, section: &Section| match file == at {
            true => section.name == parent && place != index,
            false => files[file].public_name(section) == parent,
        };
        let mut sections = files[file].sections.iter().enumerate();
        let (place, _) = sections.find(|(place, section)| named(*place, section))?;
        Some((file, place))
    };
    let others = (1..at).chain([0]).filter(|&file| file != at);
    match [at].into_iter().chain(others).find_map(in_file) {
        Some((file, place)) => inherited(files, file, place, depth + 1),
        None if ["chess", "fide"].contains(&parent) => Ok(Definition::chess()),
        None => Err(format!("no definition {parent} to be a parent")),
    }
}

/// The rules of one variant.
#[derive(Clone)]
pub struct Game {
    law: Arc<Definition>,
}

/// A position with its rules.
#[derive(Clone)]
pub struct State {
    law: Arc<Definition>,
    pos: Position,
    legal: OnceCell<Vec<turns::Turn>>,
}

impl Game {
    /// Returns the FEN of the start position as written in the file.
    pub fn start(&self) -> &str {
        &self.law.start
    }

    /// Returns the game on the board of a FEN, if that board is smaller than the one of the rules.
    ///
    /// # Errors
    /// If the rules have no meaning on that board.
    pub fn on_board_of(&self, fen: &str) -> Result<Game, String> {
        let (files, ranks) = fen::size(fen);
        let is_own = (files, ranks) == (self.law.files, self.law.ranks);
        if is_own || files > self.law.files || ranks > self.law.ranks {
            return Ok(self.clone());
        }
        let law = Arc::new(self.law.on_board(files, ranks)?);
        Ok(Game { law })
    }

    /// Reads a FEN.
    ///
    /// # Errors
    /// If the text is not a position of the rule set.
    pub fn read(&self, fen: &str) -> Result<State, String> {
        let pos = fen::read(&self.law, fen)?;
        Ok(State::new(&self.law, pos))
    }
}

impl State {
    fn new(law: &Arc<Definition>, pos: Position) -> State {
        State {
            law: Arc::clone(law),
            pos,
            legal: OnceCell::new(),
        }
    }

    fn legal(&self) -> &[turns::Turn] {
        self.legal.get_or_init(|| self.law.legal(&self.pos))
    }

    /// Returns the position as text.
    pub fn fen(&self) -> String {
        fen::print(&self.law, &self.pos)
    }

    /// Returns a text that identifies the position: it is equal for equal positions only. Unlike a FEN, the
    /// text contains the passes and the last turn's special properties. It does not contain the move number,
    /// nor what has no effect on the rest of the game: the clock unless it ends games, a castling king without
    /// a right, and properties of the last turn that end no game here.
    pub fn identity(&self) -> String {
        let mut pos = self.pos.clone();
        pos.number = 0;
        if !self.law.n_moves_kept {
            pos.clock = 0;
        }
        for side in [state::WHITE, state::BLACK] {
            if pos.rooks[side] == [None; 2] {
                pos.castler[side] = None;
            }
        }
        let wins = |castled: &(usize, usize)| self.law.castling_wins.contains(castled);
        pos.castled = pos.castled.filter(wins);
        pos.dropped_pawn &= self.law.pawn_drop_mate_illegal && self.legal().is_empty();
        format!("{pos:?}")
    }

    /// Returns whether the first side is to move.
    pub fn is_white(&self) -> bool {
        self.pos.side == state::WHITE
    }

    /// Returns the units on the board in the order of squares, each as side (true for White), letter, and
    /// file and rank from 0.
    pub fn units(&self) -> Vec<(bool, char, i32, i32)> {
        let unit = |square: usize| {
            let unit = self.pos.unit(square)?;
            let (file, rank) = self.law.place(square);
            let letter = self.law.kinds[unit.kind].letter.unwrap_or('?');
            Some((unit.side == state::WHITE, letter, file, rank))
        };
        (0..self.pos.cells.len()).filter_map(unit).collect()
    }

    /// Returns the legal turns in byte order, each with the position after it. If the game is over, returns
    /// an empty list.
    pub fn turns(&self) -> Vec<(String, State)> {
        let mut turns: Vec<(String, State)> = self
            .legal()
            .iter()
            .map(|turn| {
                let state = State::new(&self.law, self.law.play(&self.pos, turn));
                (turns::text(&self.law, &self.pos, turn), state)
            })
            .collect();
        turns.sort_by(|a, b| a.0.cmp(&b.0));
        turns
    }

    /// Returns the positions after each legal turn.
    pub fn successors(&self) -> Vec<State> {
        let after = |turn| State::new(&self.law, self.law.play(&self.pos, turn));
        self.legal().iter().map(after).collect()
    }

    /// Prints the position and reads it back. Copies the data on earlier turns that the FEN does not contain.
    ///
    /// # Errors
    /// If the printed text cannot be read.
    pub fn read_again(&self) -> Result<State, String> {
        let mut pos = fen::read(&self.law, &self.fen())?;
        pos.passes = self.pos.passes;
        pos.dropped_pawn = self.pos.dropped_pawn;
        pos.castled = self.pos.castled;
        pos.shak = self.pos.shak;
        pos.extinct = self.pos.extinct;
        let passes = self.law.pass.contains(&true) || self.law.pass_on_stalemate.contains(&true);
        if self.law.castling_dropped || passes {
            // A drop can give rights without opening gates, and a pass can close a gate without removing a
            // right. A FEN does not show this.
            pos.gates = self.pos.gates.clone();
        }
        Ok(State::new(&self.law, pos))
    }

    /// Returns whether the position can follow a legal turn of the side that is not to move.
    pub fn is_sound(&self) -> bool {
        self.law.is_sound(&self.pos)
    }

    /// Returns whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.law.is_checked(&self.pos, self.pos.side)
    }

    /// Returns the outcome of the position.
    pub fn outcome(&self) -> Outcome {
        self.law.outcome(&self.pos, self.legal())
    }

    /// Returns the number of lines of `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        count(&self.law, &self.pos, depth)
    }
}

fn count(law: &Definition, pos: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turns = law.legal(pos);
    if depth == 1 {
        return turns.len() as u64;
    }
    turns
        .iter()
        .map(|turn| count(law, &law.play(pos, turn), depth - 1))
        .sum()
}
