//! A second, naive implementation of the rule book, and of graphs, problems and proofs. It is slow and plain,
//! and shares no code with the other crates of `src/`.
//!
//! A board is an array of letters, steps are found by trying every pair of squares, and each step is made on
//! a copy of the position. Graphs, problems and proofs are searched by these rules without any pruning. Tests
//! compare the results with those of the program, and the program `fairyproof-check` uses this crate to
//! verify files.
//!
//! - `board.rs`: squares, the board, the position.
//! - `fen.rs`: reads FENs, with all checks, and prints them.
//! - `defined/`: variants that a file defines, as a separate implementation.
//! - `any.rs`: positions of any rule set, whether the rule book or a file defines it.
//! - `texts/`: rule texts, a separate implementation on the definitions of `defined/`, whose expressions the crate
//!   `cel` parses.
//! - `document.rs`: records of texts and lists, the content of files.
//! - `graph.rs`: all reachable positions, and their values.
//! - `key.rs`: decodes the parts of exact keys that show the units.
//! - `problem.rs`: solves problems of all kinds of play by trying all turns.
//! - `solution.rs`: checks the play of a solution.
//! - `strategy.rs`: checks whether stored turns force a goal or avoid it.
//! - `unverified.rs`: the reasons why a statement is not verified.
//! - `fide.rs`: the free functions that the default methods of `Law` call, and orthodox chess.
//! - each other file: the rules of the variant with its name.

/// Returns whether a wrong rule is planted: never, except in tests.
macro_rules! planted {
    ($fault:ident) => {{
        #[cfg(feature = "faults")]
        let planted = crate::faults::is_planted(crate::faults::Fault::$fault);
        #[cfg(not(feature = "faults"))]
        let planted = false;
        planted
    }};
}

mod any;
mod board;
mod document;
mod fen;
mod fide;

mod bachelor;
mod blunder_mate;
mod chromopolis;
mod clerical;
mod concurrent;
mod contravention;
mod convergent;
mod counselor;
mod deadline;
mod decastellation;
mod donnybrook;
mod dowager;
mod dynastic;
mod entourage;
mod french_revolution;
mod glory;
mod junta;
mod kingmaker;
mod linkage;
mod moderation;
mod prop;
mod reentrant;
mod regent;
mod separation;
mod series_helpmate;
mod shrapnel;
mod society;
mod spartan;
mod submission;
mod triple_check;
mod twilight;
mod tyrant;
mod ultimate;
mod xenophobic;
mod zoo;

pub mod defined;
#[cfg(feature = "faults")]
pub mod faults;
pub mod graph;
pub mod key;
pub mod problem;
pub mod solution;
pub mod strategy;
pub mod texts;
mod unverified;

pub use any::{Position, RuleSets};
use board::{Kind, Pos, Step, Turn, Way};
pub use document::Document;
use std::cell::OnceCell;
use std::sync::Arc;
pub use unverified::{Unverified, ensure, unchecked, wrong};

/// A position with its rules.
#[derive(Clone)]
pub struct Game {
    law: Arc<dyn Law>,
    pos: Pos,
    found: OnceCell<Found>,
}

/// The result of judging a position: an outcome that does not depend on the turns, or else the legal turns.
#[derive(Clone)]
enum Found {
    Settled(String),
    Turns(Vec<Turn>),
}

/// Returns the start FEN of a variant. `variant` has the form `id` or `id:option,option=value`.
///
/// # Panics
/// If no variant has this name.
pub fn start(variant: &str) -> String {
    match law(variant) {
        Ok(law) => law.start(),
        Err(why) => panic!("{variant}: {why}"),
    }
}

/// Reads a FEN with all checks.
///
/// # Errors
/// If the text is not a legal position of the variant.
pub fn read(variant: &str, fen: &str) -> Result<Game, String> {
    let law: Arc<dyn Law> = Arc::from(law(variant)?);
    let pos = fen::read(&*law, fen)?;
    Ok(Game::new(law, pos))
}

impl Game {
    /// Returns the canonical FEN, with counters and state.
    pub fn fen(&self) -> String {
        fen::print(&*self.law, &self.pos)
    }

    /// Returns the legal turns in byte order, each with the position after it. If the game is over, returns
    /// an empty list.
    ///
    /// # Panics
    /// If two turns have the same text, which is a bug of this implementation.
    pub fn turns(&self) -> Vec<(String, Game)> {
        let mut turns: Vec<(String, Game)> = self
            .list()
            .iter()
            .map(|turn| (self.law.text(&self.pos, &turn.steps), self.after(turn)))
            .collect();
        turns.sort_by(|a, b| a.0.cmp(&b.0));
        for pair in turns.windows(2) {
            assert!(
                pair[0].0 != pair[1].0,
                "{} twice in {}",
                pair[0].0,
                self.fen()
            );
        }
        turns
    }

    /// Returns the positions after each legal turn.
    fn successors(&self) -> Vec<Game> {
        self.list().iter().map(|turn| self.after(turn)).collect()
    }

    /// Returns the outcome as text: `ongoing`, `white-wins REASON`, `black-wins REASON`, `draw REASON` and so
    /// on.
    pub fn outcome(&self) -> String {
        match self.found() {
            Found::Settled(outcome) => outcome.clone(),
            Found::Turns(turns) if turns.is_empty() => self.law.no_turn(&self.pos),
            Found::Turns(_) => "ongoing".to_string(),
        }
    }

    /// Returns whether a royal unit of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.law.in_danger(&self.pos, self.pos.white)
    }

    /// Returns the number of lines of `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.list().len() as u64,
            _ => {
                let turns = self.list().iter();
                turns.map(|turn| self.after(turn).perft(depth - 1)).sum()
            }
        }
    }

    fn new(law: Arc<dyn Law>, pos: Pos) -> Game {
        let found = OnceCell::new();
        Game { law, pos, found }
    }

    fn found(&self) -> &Found {
        self.found
            .get_or_init(|| match self.law.settled(&self.pos) {
                Some(outcome) => Found::Settled(outcome),
                None => Found::Turns(self.law.turns(&self.pos)),
            })
    }

    fn list(&self) -> &[Turn] {
        match self.found() {
            Found::Settled(_) => &[],
            Found::Turns(turns) => turns,
        }
    }

    fn after(&self, turn: &Turn) -> Game {
        Game::new(self.law.clone(), turn.after.clone())
    }
}

/// The options after the colon of a variant, as name and value. The value is empty if there is no `=`.
type Options = [(String, String)];

/// Returns the rules of a variant. To add one, write its file and list it here.
fn law(variant: &str) -> Result<Box<dyn Law>, String> {
    let (id, tail) = match variant.split_once(':') {
        Some((id, tail)) => (id, Some(tail)),
        None => (variant, None),
    };
    let mut options: Vec<(String, String)> = Vec::new();
    for part in tail.iter().flat_map(|tail| tail.split(',')) {
        let (name, value) = match part.split_once('=') {
            Some((_, "")) => return Err(format!("option {part}: no value")),
            Some((name, value)) => (name, value),
            None => (part, ""),
        };
        if name.is_empty() {
            return Err("an option without a name".to_string());
        }
        if options.iter().any(|known| known.0 == name) {
            return Err(format!("option {name} twice"));
        }
        options.push((name.to_string(), value.to_string()));
    }
    // These options have a fixed value, as in `safe=own`.
    let mut flag = |option: &str| {
        let text = |(name, value): &(String, String)| format!("{name}={value}") == option;
        let at = options.iter().position(text);
        at.map(|at| options.remove(at)).is_some()
    };
    let plain: Box<dyn Law> = match id {
        "french-revolution" => return french_revolution::law(&options),
        "spartan" => return spartan::law(&options),
        "fide" => Box::new(fide::Fide),
        "bachelor" => Box::new(bachelor::Bachelor),
        "blunder-mate" => Box::new(blunder_mate::BlunderMate),
        "chromopolis" => Box::new(chromopolis::Chromopolis {
            no_unbinding: flag("unbinding=none"),
        }),
        "clerical" => Box::new(clerical::Clerical),
        "concurrent" => Box::new(concurrent::Concurrent),
        "contravention" => Box::new(contravention::Contravention),
        "convergent" => Box::new(convergent::Convergent),
        "counselor" => Box::new(counselor::Counselor),
        "deadline" => Box::new(deadline::Deadline),
        "decastellation" => Box::new(decastellation::Decastellation),
        "donnybrook" => Box::new(donnybrook::Donnybrook),
        "dowager" => Box::new(dowager::Dowager),
        "dynastic" => Box::new(dynastic::Dynastic),
        "entourage" => Box::new(entourage::Entourage),
        "glory" => Box::new(glory::Glory),
        "junta" => Box::new(junta::Junta),
        "kingmaker" => Box::new(kingmaker::Kingmaker),
        "linkage" => Box::new(linkage::Linkage {
            free: flag("standing=free"),
        }),
        "moderation" => Box::new(moderation::Moderation {
            own: flag("fourth=own"),
        }),
        "prop" => Box::new(prop::Prop),
        "reentrant" => Box::new(reentrant::Reentrant),
        "regent" => Box::new(regent::Regent),
        "separation" => Box::new(separation::Separation),
        "series-helpmate" => Box::new(series_helpmate::SeriesHelpmate),
        "shrapnel" => Box::new(shrapnel::Shrapnel),
        "society" => Box::new(society::Society),
        "submission" => Box::new(submission::Submission),
        "triple-check" => Box::new(triple_check::TripleCheck {
            own: flag("safe=own"),
        }),
        "twilight" => Box::new(twilight::Twilight),
        "tyrant" => Box::new(tyrant::Tyrant),
        "ultimate" => Box::new(ultimate::Ultimate),
        "xenophobic" => Box::new(xenophobic::Xenophobic),
        "zoo" => Box::new(zoo::Zoo),
        _ => return Err(format!("unknown variant {id}")),
    };
    // The remaining variants have no options.
    match options.first() {
        Some((name, _)) => Err(format!("unknown option {name}")),
        None => Ok(plain),
    }
}

/// Returns the outcome `white-wins REASON` or `black-wins REASON`.
fn wins(white: bool, reason: &str) -> String {
    let white = white != planted!(WinnerSwapped);
    format!("{}-wins {reason}", if white { "white" } else { "black" })
}

/// Returns the outcome `draw REASON`.
fn draw(reason: &str) -> String {
    if planted!(DrawsAreWins) {
        return format!("white-wins {reason}");
    }
    format!("draw {reason}")
}

/// Returns the outcome if a side has lost. `has_lost` is called for the side to move first, then for the side
/// that has just moved.
fn lost(pos: &Pos, reason: &str, has_lost: impl Fn(bool) -> bool) -> Option<String> {
    [pos.white, !pos.white]
        .into_iter()
        .find(|&white| has_lost(white))
        .map(|white| wins(!white, reason))
}

/// Returns the outcome if the state contains a reason for which the last turn has won.
fn over(pos: &Pos) -> Option<String> {
    let reason = pos.state.get("over")?;
    Some(wins(!pos.white, reason))
}

/// Returns the outcome of a position without legal turns. If the side to move is not in danger and has an
/// orthodox turn, it loses for this reason.
fn forced(law: &dyn Law, pos: &Pos, reason: &str) -> String {
    if !law.in_danger(pos, pos.white) && !fide::turns(&fide::Fide, pos).is_empty() {
        return wins(!pos.white, reason);
    }
    fide::no_turn(law, pos)
}

/// Returns the squares of a side's kings and queens, for variants in which both count as monarchs.
fn monarchs(pos: &Pos, white: bool) -> Vec<usize> {
    let mut squares = pos.board.find(white, 'K');
    squares.extend(pos.board.find(white, 'Q'));
    squares
}

/// The squares that must not be attacked for castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CastlingTest {
    /// None: attacks do not matter.
    Free,
    /// The king's home and the squares that the king passes. `legal` decides on the target.
    Path,
    /// The king's home, the squares that the king passes, and its target.
    Full,
}

/// The properties of a variant that never change in a game.
struct Basics {
    /// Whether the variant is a "capture game" of the rule book: no unit is royal, castling does not require
    /// safety, and a side without a legal turn draws. The defaults of [`Law`] implement this.
    capture_game: bool,
    /// Whether the variant has castling at all.
    castling: bool,
    /// Whether pawns have the double step on boards of six or more ranks.
    double_step: bool,
    /// The allowed number of units of each royal kind in a FEN, as (kind, min, max).
    royal_counts: &'static [(char, usize, usize)],
    /// The kinds that a pawn may become on its last rank.
    promotions: &'static str,
}

impl Basics {
    const FIDE: Basics = Basics {
        capture_game: false,
        castling: true,
        double_step: true,
        royal_counts: &[('K', 1, 1)],
        promotions: "QRBN",
    };

    /// Variants in which king and queen are royal. Pawns do not become queens.
    const MONARCHS: Basics = Basics {
        castling: false,
        royal_counts: &[('K', 1, 1), ('Q', 0, 1)],
        promotions: "RBN",
        ..Basics::FIDE
    };

    /// Capture games in which a FEN may have at most one king and one queen of each side. Pawns do not become
    /// queens.
    const MONARCHS_CAPTURED: Basics = Basics {
        capture_game: true,
        royal_counts: &[('K', 0, 1), ('Q', 0, 1)],
        ..Basics::MONARCHS
    };

    /// Capture games in which a FEN may have at most one king of each side.
    const CAPTURE_GAME: Basics = Basics {
        capture_game: true,
        royal_counts: &[('K', 0, 1)],
        ..Basics::FIDE
    };
}

/// The rules of a variant. All defaults are the rules of FIDE, and a variant overrides only the methods that
/// differ.
///
/// A default that does more than return a constant calls the function of the same name in `fide.rs`, so that
/// an override can call it too. These functions call the trait's methods for everything else. Overriding
/// `attacks` alone therefore changes steps, checks, castling and mates.
///
/// `white: bool` is always a side (true: the first player), and `pos.white` is the side to move. Unit letters
/// are as in FENs, upper case for White. Lists of kinds are in upper case.
trait Law: Send + Sync {
    // ---- Properties of the game ----

    /// Returns the properties that never change in a game.
    fn basics(&self) -> Basics {
        Basics::FIDE
    }

    /// Returns whether en passant may be possible in this position. The state must already be set.
    fn has_en_passant(&self, _pos: &Pos) -> bool {
        self.basics().double_step
    }

    /// Returns the start FEN.
    fn start(&self) -> String {
        let rights = if self.basics().castling { "KQkq" } else { "-" };
        format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {rights} - 0 1")
    }

    // ---- FEN ----

    /// Returns the kinds that a FEN may name.
    fn letters(&self) -> &'static str {
        "PNBRQK"
    }

    /// Returns the letters of the castling field, in the order in which they are printed.
    fn castling_letters(&self) -> &'static str {
        "KQkq"
    }

    /// Returns the keys of the state field in their order, each with its default. The default is not printed,
    /// but may be read. It is "" for keys whose default cannot be written. `pos.state` stores the values as
    /// text: `pos.get(key, default)`, `pos.set(key, value)`, `pos.unset(key)`.
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Returns whether `value` is valid for the state `key`. The board, the side to move and the counters of
    /// `pos` are already read. The state, castling and en passant are not.
    fn state_value(&self, _pos: &Pos, _key: &str, _value: &str) -> bool {
        true
    }

    /// Returns whether a pawn of the side may be on the square in a FEN.
    fn pawn_may_stand(&self, pos: &Pos, square: usize, white: bool) -> bool {
        let depth = pos.board.depth(square, white);
        depth != 0 && depth + 1 != pos.board.ranks
    }

    /// Returns whether a FEN is refused because of the side that has just moved. By default, that side must
    /// not be in danger.
    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.in_danger(pos, !pos.white)
    }

    /// Makes further checks of a FEN. Called last, with the complete position.
    fn check_fen(&self, _pos: &Pos) -> Result<(), String> {
        Ok(())
    }

    // ---- Units ----

    /// Returns the kinds that a pawn may become on its last rank.
    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        self.basics().promotions.chars().collect()
    }

    /// Returns whether the unit on `from` could capture an enemy unit on `to` if there were one. The two
    /// squares exist and differ. By default, all units except pawns step where they attack.
    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        fide::attacks(self, pos, from, to)
    }

    /// Returns the kind of the pseudo-legal step of the unit on `from` to `to`, or `None` if there is none.
    /// Castling is not considered. `to` is empty, or has an enemy unit that is not royal. By default, pawns
    /// step as in FIDE, and other units step where they attack.
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        fide::reach(self, pos, from, to)
    }

    /// Returns all pseudo-legal steps of a side except castling. Tries every pair of squares with `reach`.
    /// Own units and royal units are never captured. A pawn that arrives on its last rank becomes one of
    /// `promotions`.
    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        fide::steps(self, pos, white)
    }

    /// Returns the ways to castle on this board, whether or not they are allowed now. The list is empty for
    /// variants without castling.
    fn castling_ways(&self, pos: &Pos) -> Vec<Way> {
        fide::castling_ways(self, pos)
    }

    /// Returns the squares that must not be attacked for castling.
    fn castling_test(&self) -> CastlingTest {
        if self.basics().capture_game {
            CastlingTest::Free
        } else {
            CastlingTest::Full
        }
    }

    /// Returns the castling steps of a side. The side must have the right, the squares between must be empty,
    /// and `castling_test` must be satisfied.
    fn castlings(&self, pos: &Pos, white: bool) -> Vec<Step> {
        fide::castlings(self, pos, white)
    }

    // ---- Safety ----

    /// Returns whether a unit of the side `by` attacks the square.
    fn attacked(&self, pos: &Pos, square: usize, by: bool) -> bool {
        fide::attacked(self, pos, square, by)
    }

    /// Returns the squares of a side's royal units, which can be checked and are never captured.
    fn royals(&self, pos: &Pos, white: bool) -> Vec<usize> {
        let basics = self.basics();
        let kinds = basics.royal_counts.iter().filter(|_| !basics.capture_game);
        kinds
            .flat_map(|&(kind, ..)| pos.board.find(white, kind))
            .collect()
    }

    /// Returns whether the side is in check: one of its royal units is attacked. The side to move does not
    /// matter.
    fn in_danger(&self, pos: &Pos, white: bool) -> bool {
        fide::in_danger(self, pos, white)
    }

    /// Returns whether a pseudo-legal turn is legal. `after` is the complete position after the turn, with
    /// the opponent to move. By default, the mover must not be in danger in `after`.
    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white)
    }

    // ---- Turns ----

    /// Returns the position after one step, with the same side to move. Moves, captures and promotes units,
    /// removes castling rights, and sets `ep` after every double step or clears it. An override can add
    /// further effects of a step on the board.
    fn apply(&self, pos: &Pos, step: &Step) -> Pos {
        fide::apply(self, pos, step)
    }

    /// Returns whether the turn sets the half-move clock to 0.
    fn resets_clock(&self, _before: &Pos, steps: &[Step], _after: &Pos) -> bool {
        fide::resets_clock(steps)
    }

    /// Sets the state after a turn. `after` already has the other side to move and the new counters, but
    /// still the state from before the turn.
    fn note(&self, _before: &Pos, _steps: &[Step], _after: &mut Pos) {}

    /// Ends a turn. `now` is the position after the last step. Changes the side to move, sets the counters,
    /// calls `note`, and removes an en passant square on which no pawn can capture.
    fn finish(&self, before: &Pos, steps: &[Step], now: Pos) -> Turn {
        fide::finish(self, before, steps, now)
    }

    /// Returns the text of a turn: its steps joined by `+`.
    fn text(&self, pos: &Pos, steps: &[Step]) -> String {
        fide::text(pos, steps)
    }

    /// Returns the legal turns in any order, even if `settled` returns an outcome. By default, each
    /// pseudo-legal step or castling is one turn, if it is `legal`. Variants with turns of several steps, or
    /// with rules on the whole list, override this method. They find steps with `steps`, make them with
    /// `apply`, and end the turn with `finish`.
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        fide::turns(self, pos)
    }

    // ---- Outcome ----

    /// Returns the outcome, if it is decided before the test for legal turns. A variant that tests checkmate
    /// before another ending generates the turns here.
    fn settled(&self, _pos: &Pos) -> Option<String> {
        None
    }

    /// Returns the outcome of a position without a legal turn. By default, a side in danger loses by
    /// `checkmate`, and otherwise the game is a draw by `stalemate`.
    fn no_turn(&self, pos: &Pos) -> String {
        fide::no_turn(self, pos)
    }
}
