//! Finds puzzles: searches positions with few units for sound problems whose solution depends on the rule
//! set.
//!
//! Candidate positions come from two sources: random positions, and positions of endgame tables in which
//! exactly one turn wins in time ([`tabled`]). Seed, variant, stipulation and number determine a candidate,
//! so the result is the same for any number of threads. A candidate is accepted if it has exactly one
//! solution and no shorter one, and orthodox chess has a different solution ([`special`]). Units are then
//! removed as long as this remains true. From several accepted candidates, the best is chosen: one with a
//! quiet key, several answers to the key, many variations and tries, and few units.

mod conditions;
mod find;
mod random;
mod source;
pub mod special;
pub mod tabled;

use super::Puzzle;
use board::{Color, Geometry, Squares};
pub use conditions::Conditions;
use control::evaluation::inherited;
use control::{Control, Progress, Stopped};
use diagnostics::Diagnostic;
use find::{Find, describe, special_solution};
use notation::with_setup;
use notation::{Setup, Start, fen};
use position::{Layout, Position};
use problems::{Problem, Stipulation};
use rules::{MATE, STALEMATE};
use rules::{RuleSet, Variant, reason};
use source::Source;
use std::collections::BTreeSet;
use tabled::Endings;
use values::oracle::Oracle;

/// The sources of candidate positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sources {
    /// Random placements, some followed by random turns.
    Random,
    /// Endgame tables.
    Tables,
    /// Both sources in turn.
    Both,
}

/// A request for puzzles.
#[derive(Clone, Debug)]
pub struct MineRequest {
    /// The variant with its options.
    pub variant: Variant,
    /// The stipulations to search for, in turn. If empty, those of [`usual`].
    pub stipulations: Vec<String>,
    /// The number of puzzles.
    pub count: usize,
    /// The sources of candidate positions.
    pub from: Sources,
    /// The maximum number of units on the board.
    pub units: usize,
    /// The seed of the sequence of candidates.
    pub seed: u64,
    /// The number of candidates after which the search for a stipulation ends.
    pub candidates: u64,
    /// Conditions on the diagrams and the keys.
    pub conditions: Conditions,
}

/// The result of a search for puzzles.
#[derive(Clone, Debug)]
pub struct Mined {
    /// The puzzles, in the order of their stipulations.
    pub puzzles: Vec<Puzzle>,
    /// The reason why the search ended early; `None` if it is complete.
    pub stopped: Option<Stopped>,
    /// Whether tables were requested, but the rule set has no ending that is small enough.
    pub no_tables: bool,
}

/// The number of candidates that are examined together.
const BLOCK: u64 = 256;
/// The number of sound puzzles after which the best is chosen.
const ENOUGH: usize = 24;
/// The number of blocks after the first find at which the search ends anyway.
const PATIENCE: u64 = 8;

/// Returns the default stipulations for a rule set: first the rule set's own endings, then mates, in direct,
/// help, self and series play.
pub fn usual(rule_set: &RuleSet) -> Vec<String> {
    let mates = rule_set
        .reasons()
        .iter()
        .any(|(r, _)| *r == reason::CHECKMATE);
    let own: Vec<&str> = rule_set
        .reasons()
        .iter()
        .filter(|r| **r != MATE && **r != STALEMATE && r.0 != reason::CHECKMATE)
        .map(|(r, _)| *r)
        .collect();
    let mut list: Vec<String> = own.iter().map(|r| format!("{r} 2")).collect();
    list.push("win 3".into());
    if mates {
        list.extend(["#2", "h#2", "s#2", "ser-#3", "#3", "ser-h#2", "h#1.5"].map(String::from));
    } else {
        list.extend(["win 2", "s-win 2"].map(String::from));
    }
    for r in &own {
        list.extend([format!("h-{r} 2"), format!("ser-{r} 3"), format!("{r} 3")]);
    }
    list.extend(["h-win 1.5", "h-win 2", "ser-win 3", "s-win 2", "win 4"].map(String::from));
    let mut seen = BTreeSet::new();
    list.retain(|text| seen.insert(text.clone()));
    list
}

/// Searches for puzzles on the threads of `control`, until the requested number is found, the candidates are
/// exhausted, or `control` stops the search.
///
/// # Errors
/// If a stipulation is wrong for the rule set.
pub fn mine(wish: &MineRequest, control: &Control<'_>) -> Result<Mined, Diagnostic> {
    let setup = Setup::read(&wish.variant, None)?;
    with_setup!(&setup, start => search(wish, start, control))
}

/// The parts of a search that are the same for all stipulations.
struct Search<'a, W: Layout> {
    wish: &'a MineRequest,
    start: &'a Start<W>,
    endings: Option<Endings<W>>,
    control: &'a Control<'a>,
}

fn search<W: Layout>(
    wish: &MineRequest,
    start: &Start<W>,
    control: &Control<'_>,
) -> Result<Mined, Diagnostic> {
    let rule_set = &wish.variant.rule_set;
    let asked = asked(wish, start.game.board().geometry())?;
    let tables = wish.from != Sources::Random && asked.iter().any(tabled::serves);
    let endings = tables.then(|| {
        let (units, seed) = (wish.units, wish.seed);
        Endings::new(&start.game, units, seed, control)
    });
    let no_tables = endings.as_ref().is_some_and(Endings::is_empty);
    let search = Search {
        wish,
        start,
        endings,
        control,
    };
    let mut puzzles: Vec<Puzzle> = Vec::new();
    let (mut round, mut any) = (0, true);
    let mut stopped = None;
    // Search for one puzzle for each stipulation, then for one more of each, and so on.
    'rounds: while puzzles.len() < wish.count && any {
        any = false;
        for stipulation in &asked {
            if puzzles.len() >= wish.count {
                break;
            }
            let hears = |candidates| {
                control.report(&Progress {
                    phase: "searching for puzzles",
                    done: candidates,
                    total: Some(wish.candidates),
                    unit: "positions",
                    detail: format_args!("{stipulation}, {} found", puzzles.len()),
                });
            };
            let found = search.best(stipulation, round, &puzzles, &hears);
            stopped = control.check().err();
            if stopped.is_some() {
                break 'rounds;
            }
            if let Some(found) = found {
                any = true;
                puzzles.push(Puzzle {
                    id: format!("{}-{}", rule_set.id(), puzzles.len() + 1),
                    variant: wish.variant.to_string(),
                    fen: found.fen,
                    stipulation: stipulation.to_string(),
                    keys: Some(vec![found.key]),
                    solutions: Some(1),
                    source: found.source.to_string(),
                    comment: found.comment,
                });
            }
        }
        round += 1;
    }
    Ok(Mined {
        puzzles,
        stopped,
        no_tables,
    })
}

/// Returns the stipulations to search for, in order.
fn asked(wish: &MineRequest, geometry: Geometry) -> Result<Vec<Stipulation>, Diagnostic> {
    let rule_set = &wish.variant.rule_set;
    let parse = |text: &String| Stipulation::parse(text, rule_set, geometry);
    let mut asked: Vec<Stipulation> = if wish.stipulations.is_empty() {
        usual(rule_set)
            .iter()
            .filter_map(|t| parse(t).ok())
            .collect()
    } else {
        wish.stipulations
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()?
    };
    if wish.from == Sources::Tables {
        if let (false, Some(no)) = (
            wish.stipulations.is_empty(),
            asked.iter().find(|a| !tabled::serves(a)),
        ) {
            let why = "tables know only who wins by force, in how many moves";
            return Err(Diagnostic::new(format!("stipulation `{no}`"), why)
                .help("direct play such as `win 3`, or another source than tables"));
        }
        asked.retain(tabled::serves);
    }
    Ok(asked)
}

impl<W: Layout> Search<'_, W> {
    /// Returns the best puzzle among the first ones that are found for a stipulation.
    fn best(
        &self,
        asked: &Stipulation,
        round: u64,
        known: &[Puzzle],
        hears: &dyn Fn(u64),
    ) -> Option<Find> {
        let wish = self.wish;
        let name = format!("{} {asked} {round}", wish.variant);
        let mut sources: Vec<Source<'_, W>> = Vec::new();
        if wish.from != Sources::Tables {
            let side = asked.usual_side();
            sources.push(Source::random(
                self.start,
                &name,
                wish.seed,
                side,
                wish.units + 1,
            ));
        }
        if let Some(endings) = &self.endings
            && tabled::serves(asked)
        {
            let places = endings.won_in(asked.moves, wish.seed, &name, wish.candidates);
            sources.push(Source::tables(endings, places, asked.moves));
        }
        let mut finds: Vec<Find> = Vec::new();
        let mut first = None;
        for block in 0..wish.candidates.div_ceil(BLOCK) {
            if self.control.check().is_err() {
                return None;
            }
            hears(block * BLOCK);
            let range = block * BLOCK..(block * BLOCK + BLOCK).min(wish.candidates);
            let found = self.block(asked, &sources, range.collect());
            finds.extend(
                found
                    .into_iter()
                    .filter(|find| known.iter().all(|puzzle| puzzle.fen != find.fen)),
            );
            if !finds.is_empty() {
                first.get_or_insert(block);
            }
            if finds.len() >= ENOUGH || first.is_some_and(|first| block >= first + PATIENCE) {
                break;
            }
        }
        finds.into_iter().min_by_key(|find| find.rank)
    }

    /// Examines candidates. Returns the puzzles among them, in the order of the candidates.
    fn block(
        &self,
        asked: &Stipulation,
        sources: &[Source<'_, W>],
        numbers: Vec<u64>,
    ) -> Vec<Find> {
        let share = numbers.len().div_ceil(self.control.threads().max(1)).max(1);
        let of = sources.len() as u64;
        let one = |number: &u64| {
            if self.control.check().is_err() {
                return None;
            }
            // Alternate between the sources.
            let source = &sources[(number % of) as usize];
            self.candidate(asked, source, (source.position)(number / of)?)
        };
        // Use plain threads: in a rayon pool, a search would divide its work, and its limit on positions
        // would no longer stop at the same place.
        std::thread::scope(|scope| {
            let workers: Vec<_> = numbers
                .chunks(share)
                .map(|chunk| {
                    let work = move || chunk.iter().filter_map(one).collect::<Vec<_>>();
                    // If the system cannot start a thread, its work is done on this thread later.
                    std::thread::Builder::new()
                        .spawn_scoped(scope, inherited(work))
                        .map_err(|_| work)
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| match worker.map(|worker| worker.join()) {
                    Ok(Ok(finds)) => finds,
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    Err(work) => work(),
                })
                .collect()
        })
    }

    /// Returns the puzzle in a position, with as few units as possible. Returns `None` if the position is not
    /// a puzzle.
    fn candidate(
        &self,
        asked: &Stipulation,
        source: &Source<'_, W>,
        position: Position<W>,
    ) -> Option<Find> {
        let game = self.start.game.as_ref();
        let problem = |position| Problem {
            start: Start {
                game: self.start.game.clone(),
                position,
            },
            stipulation: asked.clone(),
        };
        let most = source.max_positions;
        let known = self.endings.as_ref().map(|e| e.tables() as &dyn Oracle<W>);
        let conditions = &self.wish.conditions;
        let fits = |position: &Position<W>| conditions.diagram_fits(game, position, self.control);
        let mut good = problem(position);
        let mut view = special_solution(&good, known, most, self.control)?;
        // Remove units one by one, except royal units, while the problem stays sound and special. Once the
        // diagram satisfies its condition, it must continue to do so.
        let mut again = true;
        while again {
            again = false;
            let full = good.start.position;
            let royals = Color::BOTH.map(|color| game.royals(&full, color));
            for square in (full.occupied() & !(royals[0] | royals[1])).iter() {
                let mut fewer = full;
                fewer.clear(square);
                if fen::accept(game, &fewer).is_err() || !game.outcome(&fewer).is_ongoing() {
                    continue;
                }
                if fits(&full) && !fits(&fewer) {
                    continue;
                }
                let fewer = problem(fewer);
                if let Some(found) = special_solution(&fewer, known, most, self.control) {
                    (good, view, again) = (fewer, found, true);
                    break;
                }
            }
        }
        let units = good.start.position.occupied().len() + good.start.position.bound_len() as u32;
        if units as usize > self.wish.units || !fits(&good.start.position) {
            return None;
        }
        describe(&good, view, units, source, conditions, self.control)
    }
}
