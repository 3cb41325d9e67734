//! Finding puzzles: a search through random positions with few units for sound problems in which
//! the rule set's own law decides.
//!
//! A candidate is named by seed, variant, stipulation and number, so the answer is the same
//! whatever the number of threads. It is taken if there is exactly one solution, none shorter, and
//! orthodox chess does not have it ([`special`]). Then units are taken off as long as all this
//! stays true. Of several that are found, the best is kept: with a quiet key, with several answers
//! to it, with few units.

mod random;
pub mod special;

use super::Puzzle;
use crate::board::{Color, Squares};
use crate::input::InputError;
use crate::notation::{Setup, Start, fen, turns};
use crate::position::{Layout, Position};
use crate::rules::registry::{MATE, STALEMATE};
use crate::rules::{Card, Game, Variant, reason};
use crate::solve::text::{Verdict, long, verdict};
use crate::solve::tree::Want;
use crate::solve::{Ending, Limits, Play, Problem, Progress, Stipulation};
use crate::with_setup;
use random::Random;
use special::{Orthodox, ends, orthodox};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The variant with its options.
    pub variant: Variant,
    /// Stipulations, looked for in turn; if there are none, those of [`usual`].
    pub stipulations: Vec<String>,
    /// How many puzzles.
    pub count: usize,
    /// The most units on the board.
    pub units: usize,
    /// Names the sequence of candidates.
    pub seed: u64,
    /// After so many candidates a stipulation is given up.
    pub candidates: u64,
    /// Threads.
    pub threads: usize,
}

/// Hears how the search comes on.
pub trait Observer: Sync {
    /// So many candidates of this stipulation are looked at, so many puzzles found in all.
    fn looked(&self, _stipulation: &str, _candidates: u64, _found: usize) {}
}

/// Hears nothing.
impl Observer for () {}

/// What came out.
#[derive(Clone, Debug)]
pub struct Mined {
    /// The puzzles, in the order of their stipulations.
    pub puzzles: Vec<Puzzle>,
    /// Whether the search was told to stop.
    pub interrupted: bool,
}

/// Candidates that are looked at together.
const BLOCK: u64 = 256;
/// After so many finds the best is taken,
const ENOUGH: usize = 6;
/// and after so many blocks from the first find on.
const PATIENCE: u64 = 8;
/// Positions after which the search of a candidate is given up: such a puzzle would take long to
/// solve again.
const MOST_POSITIONS: u64 = 1 << 13;
/// With fewer turns to choose from a key is no riddle.
const LEAST_TURNS: u64 = 6;
const TABLE_BYTES: usize = 32 << 20;

/// The stipulations to look for under a rule set: its own endings first, then mates, in direct,
/// help, self and series play.
pub fn usual(card: &Card) -> Vec<String> {
    let mates = card.reasons.iter().any(|(r, _)| *r == reason::CHECKMATE);
    let own: Vec<&str> = card
        .reasons
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
    list.extend(["h-win 1.5", "h-win 2", "ser-win 3", "s-win 2"].map(String::from));
    let mut seen = Vec::new();
    list.retain(|text| {
        !seen.contains(text) && {
            seen.push(text.clone());
            true
        }
    });
    list
}

/// Looks for puzzles. Setting `stop` ends the search early.
///
/// # Errors
/// If a stipulation is wrong for the rule set.
pub fn mine(wish: &Wish, stop: &AtomicBool, observer: &dyn Observer) -> Result<Mined, InputError> {
    let setup = Setup::read(&wish.variant, None)?;
    with_setup!(&setup, start => search(wish, start, stop, observer))
}

/// A find with what makes it better than others: smaller is better.
struct Find {
    rank: (bool, bool, bool, u32),
    fen: String,
    key: String,
    comment: String,
}

fn search<W: Layout>(
    wish: &Wish,
    start: &Start<W>,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Mined, InputError> {
    let card = wish.variant.card;
    let geometry = start.game.board().geometry();
    let texts = if wish.stipulations.is_empty() {
        usual(card)
    } else {
        wish.stipulations.clone()
    };
    let mut asked = Vec::new();
    for text in &texts {
        match Stipulation::parse(text, card, geometry) {
            Ok(stipulation) => asked.push(stipulation),
            Err(error) if !wish.stipulations.is_empty() => return Err(error),
            Err(_) => {}
        }
    }
    let mut puzzles: Vec<Puzzle> = Vec::new();
    let (mut round, mut any) = (0, true);
    // Each stipulation once, then each once more.
    while puzzles.len() < wish.count && any {
        any = false;
        for stipulation in &asked {
            if puzzles.len() >= wish.count {
                break;
            }
            let hears = |candidates| {
                observer.looked(&stipulation.to_string(), candidates, puzzles.len());
            };
            let found = best(wish, start, *stipulation, round, stop, &hears);
            if stop.load(Ordering::Relaxed) {
                return Ok(Mined {
                    puzzles,
                    interrupted: true,
                });
            }
            if let Some(found) = found {
                any = true;
                puzzles.push(Puzzle {
                    id: format!("{}-{}", card.id, puzzles.len() + 1),
                    variant: wish.variant.to_string(),
                    fen: found.fen,
                    stipulation: stipulation.to_string(),
                    keys: vec![found.key],
                    solutions: Some(1),
                    source: "found by `fairyproof puzzles mine`".to_string(),
                    comment: found.comment,
                });
            }
        }
        round += 1;
    }
    Ok(Mined {
        puzzles,
        interrupted: false,
    })
}

/// The best of the first finds for a stipulation.
fn best<W: Layout>(
    wish: &Wish,
    start: &Start<W>,
    asked: Stipulation,
    round: u64,
    stop: &AtomicBool,
    hears: &dyn Fn(u64),
) -> Option<Find> {
    let name = format!("{} {asked} {round}", wish.variant);
    let mut finds: Vec<Find> = Vec::new();
    let mut first = None;
    for block in 0..wish.candidates.div_ceil(BLOCK) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        hears(block * BLOCK);
        let range = block * BLOCK..(block * BLOCK + BLOCK).min(wish.candidates);
        let indices: Vec<u64> = range.collect();
        let share = indices.len().div_ceil(wish.threads.max(1)).max(1);
        // Plain threads: inside of a pool a search would split itself, and its bound on positions
        // would no longer cut in the same place.
        let found: Vec<Find> = std::thread::scope(|scope| {
            let workers: Vec<_> = indices
                .chunks(share)
                .map(|chunk| {
                    let name = name.as_str();
                    scope.spawn(move || {
                        let one = |index: &u64| {
                            let going = !stop.load(Ordering::Relaxed);
                            going.then(|| candidate(wish, start, asked, name, *index))?
                        };
                        chunk.iter().filter_map(one).collect::<Vec<_>>()
                    })
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_default())
                .collect()
        });
        finds.extend(found);
        if !finds.is_empty() {
            first.get_or_insert(block);
        }
        if finds.len() >= ENOUGH || first.is_some_and(|first| block >= first + PATIENCE) {
            break;
        }
    }
    finds.into_iter().min_by_key(|find| find.rank)
}

/// Who moves first, as composers have it.
fn first_side(asked: Stipulation) -> Color {
    match asked.play {
        Play::Help(Ending::Goal) if !asked.half => Color::Black,
        Play::Help(Ending::Forced | Ending::Reflex) if asked.half => Color::Black,
        Play::Series(Ending::Goal, true) => Color::Black,
        _ => Color::White,
    }
}

fn candidate<W: Layout>(
    wish: &Wish,
    start: &Start<W>,
    asked: Stipulation,
    name: &str,
    index: u64,
) -> Option<Find> {
    let game = start.game.as_ref();
    let mut random = Random::new(wish.seed, name, index);
    let side = first_side(asked);
    let p = random::position(game, &start.position, side, wish.units + 1, &mut random)?;
    let problem = |position| Problem {
        start: Start {
            game: start.game.clone(),
            position,
        },
        stipulation: asked,
    };
    let mut good = problem(p);
    let mut view = special_solution(&good)?;
    // One unit after the other is taken off, as long as it is not missed.
    let mut again = true;
    while again {
        again = false;
        for square in good.start.position.occupied().iter() {
            let mut fewer = good.start.position;
            fewer.clear(square);
            if fen::accept(game, &fewer).is_err() || !game.outcome(&fewer).is_ongoing() {
                continue;
            }
            let fewer = problem(fewer);
            if let Some(found) = special_solution(&fewer) {
                (good, view, again) = (fewer, found, true);
                break;
            }
        }
    }
    let units = good.start.position.occupied().len() + good.start.position.bound_len() as u32;
    if units as usize > wish.units {
        return None;
    }
    describe(&good, view, units)
}

/// Ends a search after so many positions, in the same place every time.
struct Bound<'a>(&'a AtomicBool);

impl Progress for Bound<'_> {
    fn positions(&self, positions: u64) {
        if positions > MOST_POSITIONS {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

fn limits() -> Limits {
    Limits {
        threads: 1,
        memory_bytes: TABLE_BYTES,
        solutions: Some(2),
        ..Limits::default()
    }
}

/// How orthodox chess sees the solution, if the problem is sound and it does not have it.
fn special_solution<W: Layout>(problem: &Problem<W>) -> Option<Orthodox> {
    let game = problem.start.game.as_ref();
    if game.count(&problem.start.position) < LEAST_TURNS {
        return None;
    }
    let stop = AtomicBool::new(false);
    let solution = problem.solve(&limits(), &stop, &Bound(&stop));
    if verdict(problem, &solution) != Verdict::Sound || solution.stopped.is_some() {
        return None;
    }
    let all = Limits {
        solutions: None,
        ..limits()
    };
    let view = orthodox(problem, &solution, &all);
    (view != Orthodox::Solves).then_some(view)
}

/// The find with its comment and rank.
fn describe<W: Layout>(problem: &Problem<W>, view: Orthodox, units: u32) -> Option<Find> {
    let game = problem.start.game.as_ref();
    let p = &problem.start.position;
    let want = Want {
        tree: true,
        ..Want::default()
    };
    let solution = problem.solve_with(&limits(), want, &AtomicBool::new(false), &());
    let text = fen::print(game, p);
    // What is written has to read back as it is.
    let read = Setup::read(game.variant(), Some(&text)).ok()?;
    if with_setup!(&read, start => fen::print(start.game.as_ref(), &start.position)) != text {
        return None;
    }
    let key = solution.keys.first().map(|key| key.turn);
    let turn = key.or_else(|| solution.lines.firsts().next())?;
    let after = game.play(p, &turn);
    let quiet = is_quiet(game, p, &after);
    let answers = solution
        .tree
        .keys
        .first()
        .map_or(2, |key| key.answers.len());
    let reasons = ends(problem, &solution);
    let mut comment = format!("1.{}", long(&problem.judge(), p, &turn));
    if !reasons.is_empty() {
        comment += &format!("; ends by {}", reasons.join(", "));
    }
    comment += &format!("; {}", view.words());
    let key = turns::print(game, p, &turn);
    Some(Find {
        rank: (view == Orthodox::Unreadable, !quiet, answers < 2, units),
        fen: text,
        key,
        comment,
    })
}

/// Whether a turn takes nothing, gives no check and changes no unit.
fn is_quiet<W: Layout>(game: &dyn Game<W>, p: &Position<W>, after: &Position<W>) -> bool {
    use crate::board::Kind;
    let same = Color::BOTH.iter().all(|&color| {
        Kind::ALL
            .iter()
            .all(|&kind| p.units(color, kind).len() == after.units(color, kind).len())
    });
    same && !game.in_check(after, after.side)
}
