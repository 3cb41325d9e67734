//! The forward pass over a group of classes: finds each position's turns, the positions they lead to, and the
//! results of finished games. Relies on solved tables for turns that leave the group.

use super::Failed;
use super::class::{Class, is_valid_fen_position};
use super::class_table::Table;
use super::group::offsets;
use super::key::ClassKey;
use super::tables::Tables;
use control::Control;
use control::parallel;
use diagnostics::Diagnostic;
use notation::fen;
use position::Layout;
use rules::{Game, with_turns};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use values::{Packed, Value};

/// Indices that a thread examines at a time.
const CHUNK: u64 = 1 << 14;

/// The class of a successor: in the group, solved, or unknown.
#[derive(Clone)]
pub(super) enum Target {
    /// A class of the group: its number, and its first index.
    Inside(usize, u32),
    /// A class that is already solved, with its table.
    Solved(Arc<Table>),
    /// An unknown class. Only positions in which the game is over may be reached in it.
    Unknown,
}

/// The positions of a group and the turns between them.
pub struct Edges {
    /// Packed values: results of finished games, refused placements, and open positions.
    pub values: Vec<u16>,
    /// Number of turns of each position.
    pub counts: Vec<u16>,
    /// Targets of turns, position after position: an index of the group, or [`outside`](Self::outside) plus
    /// the packed value of a position outside it. Turns to draws outside are left out.
    pub targets: Vec<Vec<u32>>,
    /// Number of targets of each position, chunk by chunk.
    pub degrees: Vec<Vec<u16>>,
    /// The number from which on targets denote values outside the group.
    pub outside: u32,
    /// For each class of the group, the canonical classes that its turns lead to. Unknown classes, in which
    /// only finished games are reached, are left out.
    pub met: Vec<BTreeSet<ClassKey>>,
}

/// The result of a forward pass.
pub enum Seen {
    /// Every class that turns lead to is in the group or solved.
    Closed(Edges),
    /// Turns lead to these classes too, which must be solved first.
    Meets(BTreeSet<ClassKey>),
}

/// Consecutive positions of a class, in the form of [`Edges`].
pub(super) struct Chunk {
    pub values: Vec<u16>,
    pub counts: Vec<u16>,
    pub degrees: Vec<u16>,
    pub targets: Vec<u32>,
    /// Known classes that turns lead to. Those that are not known yet are in `unknown`.
    pub met: BTreeSet<ClassKey>,
    pub unknown: BTreeSet<ClassKey>,
}

/// Finds the classes of successors. Each class is looked up only once.
pub(super) struct Finder<'a, W: Layout> {
    pub tables: &'a Tables<W>,
    pub classes: &'a [Class],
    /// The first index of each class.
    pub offsets: &'a [u32],
    pub known: Vec<(ClassKey, bool, Target)>,
}

impl<W: Layout> Finder<'_, W> {
    pub fn met(&self) -> BTreeSet<ClassKey> {
        self.known
            .iter()
            .filter(|(_, _, target)| !matches!(target, Target::Unknown))
            .map(|(key, _, _)| self.tables.canonical(key).0)
            .collect()
    }

    fn find(&mut self, key: ClassKey) -> Result<&(ClassKey, bool, Target), Diagnostic> {
        if let Some(at) = self.known.iter().position(|(k, _, _)| *k == key) {
            return Ok(&self.known[at]);
        }
        let (canonical, swap) = self.tables.canonical(&key);
        let target = match self.classes.iter().position(|c| c.key == canonical) {
            Some(i) => Target::Inside(i, self.offsets[i]),
            None => match self.tables.table(&canonical)? {
                Some(table) => Target::Solved(table),
                None => Target::Unknown,
            },
        };
        self.known.push((key, swap, target));
        Ok(&self.known[self.known.len() - 1])
    }
}

/// Examines every position of the classes. Fails if their turns have more than `edge_limit` targets.
pub fn look<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    control: &Control<'_>,
    edge_limit: u64,
) -> Result<Seen, Failed> {
    let game = tables.game();
    let offsets = offsets(classes);
    let total: u64 = classes.iter().map(Class::len).sum();
    let outside = total as u32;
    let mut jobs: Vec<(usize, u64, u64)> = Vec::new();
    for (i, class) in classes.iter().enumerate() {
        let chunks = (0..class.len()).step_by(CHUNK as usize);
        jobs.extend(chunks.map(|from| (i, from, class.len().min(from + CHUNK))));
    }
    let done = AtomicU64::new(0);
    let edges = AtomicU64::new(0);
    let chunks: Vec<Chunk> = parallel::try_map(jobs.len(), |job| {
        let (i, from, to) = jobs[job];
        control.check()?;
        let mut finder = Finder {
            tables,
            classes,
            offsets: &offsets,
            known: Vec::new(),
        };
        let mut chunk = look_at(game, &classes[i], from..to, outside, &mut finder, control)?;
        chunk.met = finder.met();
        let so_far = edges.fetch_add(chunk.targets.len() as u64, Ordering::Relaxed);
        if so_far > edge_limit {
            return Err(Diagnostic::new(
                "memory",
                format!("more than the planned {edge_limit} turns join the positions"),
            )
            .help("a larger `--memory`")
            .into());
        }
        let done = done.fetch_add(to - from, Ordering::Relaxed) + (to - from);
        control.report_done("examining positions", done, total, "indices");
        Ok::<Chunk, Failed>(chunk)
    })?;
    let unknown: BTreeSet<ClassKey> = chunks
        .iter()
        .flat_map(|c| c.unknown.iter().copied())
        .collect();
    if !unknown.is_empty() {
        return Ok(Seen::Meets(unknown));
    }
    let mut seen = Edges {
        values: Vec::with_capacity(total as usize),
        counts: Vec::with_capacity(total as usize),
        targets: Vec::new(),
        degrees: Vec::new(),
        outside,
        met: vec![BTreeSet::new(); classes.len()],
    };
    for (chunk, &(class, _, _)) in chunks.into_iter().zip(&jobs) {
        seen.met[class].extend(chunk.met);
        seen.values.extend_from_slice(&chunk.values);
        seen.counts.extend_from_slice(&chunk.counts);
        seen.targets.push(chunk.targets);
        seen.degrees.push(chunk.degrees);
    }
    Ok(Seen::Closed(seen))
}

/// Examines consecutive positions of a class.
pub(super) fn look_at<W: Layout>(
    game: &dyn Game<W>,
    class: &Class,
    range: std::ops::Range<u64>,
    outside: u32,
    finder: &mut Finder<W>,
    control: &Control<'_>,
) -> Result<Chunk, Failed> {
    let n = (range.end - range.start) as usize;
    let (classes, tables) = (finder.classes, finder.tables);
    let mut chunk = Chunk {
        values: Vec::with_capacity(n),
        counts: vec![0; n],
        degrees: vec![0; n],
        targets: Vec::new(),
        met: BTreeSet::new(),
        unknown: BTreeSet::new(),
    };
    for (at, index) in range.enumerate() {
        // Checked for every position, because one can take milliseconds under slow rules.
        control.check()?;
        let Some(placed) = class.placed::<W>(index) else {
            chunk.values.push(Packed::VACANT.0);
            continue;
        };
        let p = placed.position;
        if !is_valid_fen_position(game, &p) {
            chunk.values.push(Packed::REFUSED.0);
            continue;
        }
        let first = chunk.targets.len();
        let value = with_turns(|turns| -> Result<Packed, Diagnostic> {
            game.turns(&p, turns);
            if turns.is_empty() {
                let outcome = game.outcome_without_turn(&p);
                return Ok(Packed::of(Value::of_outcome(outcome, p.side)));
            }
            let too_many = || Diagnostic::new("table", "a position has more than 65535 turns");
            chunk.counts[at] = u16::try_from(turns.len()).map_err(|_| too_many())?;
            for turn in turns.iter() {
                let after = game.play(&p, turn);
                let (key, swap, target) = finder.find(ClassKey::of(game, &after))?;
                let class = match target {
                    Target::Inside(i, _) => Some(&classes[*i]),
                    Target::Solved(table) => Some(&table.class),
                    Target::Unknown => None,
                };
                if after.en_passant().is_some()
                    && class.is_some_and(|class| !class.holds_passer(&after, *swap))
                {
                    return Err(Diagnostic::new(
                        "table",
                        format!(
                            "`{}` leads to `{}`, whose en passant square tables do not store",
                            fen::print(game, &p),
                            fen::print(game, &after)
                        ),
                    ));
                }
                let packed = match target {
                    Target::Inside(i, offset) => {
                        let local = classes[*i].index(&after, *swap);
                        chunk.targets.push(offset + local as u32);
                        continue;
                    }
                    Target::Solved(table) => {
                        let packed = table.packed(table.class.index(&after, *swap));
                        if packed.value().is_none() {
                            tables.trouble()?;
                            return Err(Diagnostic::new(
                                "table",
                                format!(
                                    "`{}` leads to `{}`, which no FEN may say",
                                    fen::print(game, &p),
                                    fen::print(game, &after)
                                ),
                            ));
                        }
                        packed
                    }
                    Target::Unknown => match game.settled(&after) {
                        Some(outcome) => Packed::of(Value::of_outcome(outcome, after.side)),
                        None => {
                            let key = *key;
                            let (canonical, _) = tables.canonical(&key);
                            chunk.unknown.insert(canonical);
                            continue;
                        }
                    },
                };
                if packed.class() != Packed::DRAW {
                    chunk.targets.push(outside + u32::from(packed.0));
                }
            }
            Ok(Packed::OPEN)
        })?;
        chunk.values.push(value.0);
        let degree = chunk.targets.len() - first;
        chunk.degrees[at] = degree as u16;
    }
    Ok(chunk)
}

/// Estimates about a class, from a few of its positions.
pub struct Sample {
    /// The classes that these positions lead to.
    pub leads_to: BTreeSet<ClassKey>,
    /// Average number of turns of an index.
    pub turns: f64,
    /// Average time to examine an index, in seconds.
    pub seconds: f64,
}

/// Examines a few positions of a class.
pub fn sample<W: Layout>(
    tables: &Tables<W>,
    class: &Class,
    positions: u64,
    control: &Control<'_>,
) -> Result<Sample, Failed> {
    let since = Instant::now();
    let game = tables.game();
    let mut met = BTreeSet::new();
    let (mut turns_seen, mut looked) = (0u64, 0u64);
    // A stride coprime to most sizes, so that all groups of units vary.
    let len = class.len();
    let mut index = 0u64;
    let step = (len / positions.max(1)).max(1) | 1;
    for _ in 0..positions.min(len) {
        index = (index + step.wrapping_mul(2_654_435_761 % len.max(1)) % len) % len;
        looked += 1;
        control.check()?;
        let Some(placed) = class.placed::<W>(index) else {
            continue;
        };
        let p = placed.position;
        if !is_valid_fen_position(game, &p) {
            continue;
        }
        with_turns(|turns| {
            game.turns(&p, turns);
            turns_seen += turns.len() as u64;
            for turn in turns.iter() {
                let after = game.play(&p, turn);
                let key = tables.canonical(&ClassKey::of(game, &after)).0;
                if !met.contains(&key) && game.settled(&after).is_none() {
                    met.insert(key);
                }
            }
        });
    }
    let each = |sum: f64| sum / looked.max(1) as f64;
    Ok(Sample {
        leads_to: met,
        turns: each(turns_seen as f64),
        seconds: each(since.elapsed().as_secs_f64()),
    })
}
