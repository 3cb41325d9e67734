//! Building: which classes follow from a signature, in which order they are solved, and with how
//! much memory.

use super::Failed;
use super::build_lock::BuildLock;
use super::class::Class;
use super::class_table::{Table, Values};
use super::disk;
use super::forward::{self, Seen};
use super::group::Solved;
use super::key::{ClassKey, MAX_UNITS};
use super::planes;
use super::retro;
use super::signature::Signature;
use super::store;
use super::tables::Tables;
use control::parallel;
use control::{Control, Observer, Progress, Shortage, counted, in_words};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::Layout;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// How many positions of a class are examined to guess where it leads. A class that the guess
/// misses is met when the whole class is examined; the order is then computed again.
const SAMPLE: u64 = 3000;

/// How many classes are examined before it is checked that the build may go on.
const PLANNED_AT_ONCE: usize = 256;

/// The most indices of classes that are solved together, each a number of 32 bits beside the
/// values of positions outside the group.
const MAX_INDICES: u64 = u32::MAX as u64 - (1 << 17);

/// How long a builder waits before it looks again whether other processes have built what it needs.
const WAIT: Duration = Duration::from_millis(100);

/// Bytes of an index that is solved: its value.
const VALUE_BYTES: u64 = 2;

/// What a group of classes will need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The first class.
    pub name: String,
    /// How many classes are solved together.
    pub classes: usize,
    /// How many indices they have.
    pub indices: u64,
    /// Bytes needed at the most.
    pub memory_bytes: u64,
    /// Bytes on disk at the most while it is solved there; none if it is solved in memory.
    pub disk_bytes: u64,
    /// The estimated duration, from a sample of positions; threads are taken to run side by
    /// side. No two looks take the same time.
    pub about: Duration,
}

/// What was built.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Built {
    /// Classes solved now.
    pub solved: usize,
    /// Classes found on disk or in memory.
    pub reused: usize,
    /// Indices of all classes.
    pub indices: u64,
}

struct Node {
    leads_to: BTreeSet<ClassKey>,
    indices: u64,
    turns: f64,
    /// Seconds of a look at an index.
    seconds: f64,
    done: bool,
}

/// Builds the tables of a signature and of all that it can become.
///
/// # Errors
/// If a limit is reached, a stop is requested, a class is too large, or a file cannot be read or written.
#[per_layout]
pub fn build<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    control: &Control<'_>,
) -> Result<Built, Failed> {
    parallel::in_pool(control.threads(), || build_here(tables, signature, control))
}

/// The same in the caller's pool of threads.
///
/// # Errors
/// As for [`build`].
#[per_layout]
pub fn build_here<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    control: &Control<'_>,
) -> Result<Built, Failed> {
    Builder::new(tables, control).run(signature)
}

/// The same, as long as no more than `left` positions must be examined. The positions that were examined are
/// subtracted from `left`; planning may take up to a million more. Nothing is solved if too few are left for
/// the classes that planning finds. Classes that were solved before others were met are kept.
///
/// # Errors
/// As for [`build`], and if too few are left.
#[per_layout]
pub fn build_within<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    left: &mut u64,
    control: &Control<'_>,
) -> Result<Built, Failed> {
    let mut builder = Builder::new(tables, control);
    builder.left = Some(*left);
    let built = builder.run(signature);
    *left = builder.left.unwrap_or(0);
    built
}

/// Returns what the build of a signature will need, group by group in the order in which they are solved, as
/// far as a look at some positions shows. Nothing is solved.
///
/// # Errors
/// If a stop is requested, or a class is too large.
#[per_layout]
pub fn plan<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    control: &Control<'_>,
) -> Result<Vec<Plan>, Failed> {
    let mut builder = Builder::new(tables, control);
    for key in signature.keys() {
        builder.discover(tables.canonical(&key).0)?;
    }
    Ok(builder.forecast())
}

struct Builder<'a, W: Layout> {
    tables: &'a Tables<W>,
    control: &'a Control<'a>,
    nodes: BTreeMap<ClassKey, Node>,
    /// Classes that are solved, and indices of them and of all.
    done: usize,
    done_indices: u64,
    indices: u64,
    /// How many positions may still be examined, if that is limited.
    left: Option<u64>,
    built: Built,
}

impl<'a, W: Layout> Builder<'a, W> {
    fn new(tables: &'a Tables<W>, control: &'a Control<'a>) -> Self {
        Builder {
            tables,
            control,
            nodes: BTreeMap::new(),
            done: 0,
            done_indices: 0,
            indices: 0,
            left: None,
            built: Built::default(),
        }
    }

    fn run(&mut self, signature: &Signature) -> Result<Built, Failed> {
        self.tables.mend();
        for key in signature.keys() {
            self.discover(self.tables.canonical(&key).0)?;
        }
        self.foresee()?;
        let mut groups = self.groups();
        while !groups.is_empty() {
            self.control.check()?;
            let Some((n, claim)) = self.take(&groups) else {
                // Other processes build all that can be built now.
                std::thread::sleep(WAIT);
                continue;
            };
            let group = groups.remove(n);
            if !self.built_elsewhere(&group)? && !self.solve(&group)? {
                // It leads to classes that were not known.
                groups = self.groups();
            }
            drop(claim);
        }
        Ok(std::mem::take(&mut self.built))
    }

    /// Returns the first group that can be solved now and that no other process solves, with its claim.
    fn take(&self, groups: &[Vec<ClassKey>]) -> Option<(usize, Option<BuildLock>)> {
        let game = self.tables.game();
        let ready = |group: &[ClassKey]| {
            let leads_to = group.iter().flat_map(|key| &self.nodes[key].leads_to);
            let done = |key: &ClassKey| self.nodes.get(key).is_none_or(|node| node.done);
            leads_to
                .into_iter()
                .all(|key| group.contains(key) || done(key))
        };
        let mut all = groups.iter().enumerate().filter(|(_, group)| ready(group));
        match self.tables.store() {
            None => all.next().map(|(n, _)| (n, None)),
            Some(store) => {
                all.find_map(|(n, group)| Some((n, Some(store.claim(game, &group[0])?))))
            }
        }
    }

    /// Returns whether another process has built all of a group since it was looked for; it then counts as
    /// found.
    fn built_elsewhere(&mut self, group: &[ClassKey]) -> Result<bool, Failed> {
        if self.tables.store().is_none() {
            return Ok(false);
        }
        for key in group {
            if self.tables.look_again(key)?.is_none() {
                return Ok(false);
            }
        }
        for key in group {
            if let Some(found) = self.known(key)? {
                self.built.reused += 1;
                self.done += 1;
                self.done_indices += found.indices;
                // What it was seen to lead to counts too: the order was made of it.
                if let Some(node) = self.nodes.get_mut(key) {
                    node.done = true;
                    node.leads_to.extend(found.leads_to);
                }
            }
        }
        Ok(true)
    }

    /// Returns what each group that is left will need.
    fn forecast(&self) -> Vec<Plan> {
        let mut loaded = self.loaded_bytes();
        let mut plans = Vec::new();
        for group in self.groups() {
            let Needs { plan, .. } = self.plan(&group, loaded);
            loaded = plan
                .indices
                .saturating_mul(VALUE_BYTES)
                .saturating_add(loaded);
            plans.push(plan);
        }
        plans
    }

    /// Refuses before the first group what would not fit later.
    fn foresee(&self) -> Result<(), Failed> {
        if self.tables.workshop().is_some() {
            self.note_plans(&self.forecast());
            return Ok(());
        }
        // Of several that need the same, the first.
        let plans = self.forecast();
        let needed = plans.iter().rev().max_by_key(|plan| plan.memory_bytes);
        needed.map_or(Ok(()), |plan| self.allow(plan))
    }

    fn allow(&self, plan: &Plan) -> Result<(), Failed> {
        if plan.memory_bytes <= self.control.memory_bytes() {
            return Ok(());
        }
        Err(Failed::Memory {
            name: plan.name.clone(),
            indices: plan.indices,
            shortage: Shortage {
                needed_bytes: plan.memory_bytes,
                allowed_bytes: self.control.memory_bytes(),
            },
        })
    }

    /// Sends the observer what a build will need: classes that stay on disk for long are announced before.
    fn note_plans(&self, groups: &[Plan]) {
        let classes: u64 = groups.iter().map(|group| group.classes as u64).sum();
        let indices: u64 = groups.iter().map(|group| group.indices).sum();
        let about = groups.iter().map(|group| group.about).sum();
        self.control.note(&format!(
            "plan: {} in {}, {indices} indices, about {}",
            counted(classes, "class", "classes"),
            counted(groups.len() as u64, "group", "groups"),
            in_words(about),
        ));
        for group in groups.iter().filter(|group| group.disk_bytes > 0) {
            self.control.note(&format!(
                "plan: `{}` on disk: {}, {} indices, {} MB of memory, at most {} MB of disk, about {}",
                group.name,
                counted(group.classes as u64, "class", "classes"),
                group.indices,
                group.memory_bytes >> 20,
                group.disk_bytes.div_ceil(1 << 20),
                in_words(group.about),
            ));
        }
    }

    /// Returns the observer of a group's solution, which reports it as a part of the whole build.
    fn part_of_build(&self, plan: &Plan) -> PartOfBuild<'a> {
        let (done, known) = (self.done, self.nodes.len());
        PartOfBuild {
            observer: self.control.observer(),
            name: format!("{} ({done} of {known} classes done)", plan.name),
            done_indices: self.done_indices,
            indices: self.indices,
        }
    }

    /// Adds a class and all that it is seen to lead to.
    fn discover(&mut self, key: ClassKey) -> Result<(), Failed> {
        let mut open = BTreeSet::from([key]);
        while !open.is_empty() {
            open.retain(|key| !self.nodes.contains_key(key));
            let keys: Vec<ClassKey> = open.into_iter().collect();
            open = BTreeSet::new();
            for keys in keys.chunks(PLANNED_AT_ONCE) {
                let looked: Vec<(ClassKey, Node)> = parallel::try_map(keys.len(), |n| {
                    Ok::<_, Failed>((keys[n], self.look(keys[n])?))
                })?;
                for (key, node) in looked {
                    self.indices = self.indices.saturating_add(node.indices);
                    if node.done {
                        self.built.reused += 1;
                        self.done += 1;
                        self.done_indices += node.indices;
                    } else {
                        self.spend(node.indices.min(SAMPLE));
                    }
                    open.extend(node.leads_to.iter().copied());
                    self.nodes.insert(key, node);
                }
                self.check_left(keys[0])?;
            }
            self.control.report(&Progress {
                phase: "planning",
                done: self.nodes.len() as u64,
                total: None,
                unit: "classes",
                detail: format_args!("{} indices so far", self.indices),
            });
        }
        Ok(())
    }

    /// Counts positions as examined.
    fn spend(&mut self, positions: u64) {
        self.left = self.left.map(|left| left.saturating_sub(positions));
    }

    /// Checks that enough positions may be examined to solve all classes that are known.
    fn check_left(&self, key: ClassKey) -> Result<(), Failed> {
        let needed = self.indices - self.done_indices;
        match self.left {
            Some(left) if needed > left => Err(Failed::Positions {
                name: key.label(self.tables.game().men()),
                needed,
                left,
            }),
            _ => Ok(()),
        }
    }

    /// Returns what a class leads to, as its table says, or as a look at some of its positions shows.
    fn look(&self, key: ClassKey) -> Result<Node, Failed> {
        self.control.check()?;
        let name = || key.label(self.tables.game().men());
        let units = key.total();
        if units > MAX_UNITS {
            let why = format!("it has {units} units; {MAX_UNITS} are the most of a table");
            return Err(Diagnostic::new(format!("table `{}`", name()), why)
                .help("fewer units, so that none of its turns adds one too many")
                .into());
        }
        if let Some(node) = self.known(&key)? {
            return Ok(node);
        }
        let class = Class::new(self.tables.game(), key);
        // Before the many classes below are examined.
        if class.len() > MAX_INDICES {
            return Err(too_many(&name(), class.len()));
        }
        if self.tables.workshop().is_none() {
            self.allow(&Plan {
                name: name(),
                classes: 1,
                indices: class.len(),
                memory_bytes: class.len() * VALUE_BYTES,
                disk_bytes: 0,
                about: Duration::ZERO,
            })?;
        }
        let sample = forward::sample(self.tables, &class, SAMPLE, self.control)?;
        Ok(Node {
            leads_to: sample.leads_to,
            indices: class.len(),
            turns: sample.turns,
            seconds: sample.seconds,
            done: false,
        })
    }

    fn known(&self, key: &ClassKey) -> Result<Option<Node>, Diagnostic> {
        Ok(self.tables.table(key)?.map(|table| Node {
            leads_to: table.leads_to.clone(),
            indices: table.class.len(),
            turns: 0.0,
            seconds: 0.0,
            done: true,
        }))
    }

    /// Returns what is to be solved, in order: classes that lead to each other together, and each group after
    /// all those that it leads to.
    fn groups(&self) -> Vec<Vec<ClassKey>> {
        let keys: Vec<&ClassKey> = self.nodes.keys().collect();
        let ids: BTreeMap<&ClassKey, usize> =
            keys.iter().enumerate().map(|(i, &key)| (key, i)).collect();
        let forward: Vec<Vec<usize>> = self
            .nodes
            .values()
            .map(|node| {
                node.leads_to
                    .iter()
                    .filter_map(|k| ids.get(k).copied())
                    .collect()
            })
            .collect();
        components(&forward)
            .into_iter()
            .map(|component| {
                let mut group: Vec<ClassKey> = component
                    .into_iter()
                    .map(|id| *keys[id])
                    .filter(|key| !self.nodes[key].done)
                    .collect();
                group.sort();
                group
            })
            .filter(|group| !group.is_empty())
            .collect()
    }

    /// Returns what is loaded already.
    fn loaded_bytes(&self) -> u64 {
        self.done_indices * VALUE_BYTES
    }

    /// Returns the memory of the process in addition to the work on a group, which may be on disk.
    fn taken_bytes(&self) -> Option<u64> {
        let (_, room) = self.tables.workshop()?;
        let squares = self.tables.game().board().geometry().len();
        Some(room.taken_bytes(self.control.threads(), self.nodes.len(), squares))
    }

    /// Returns what a group needs beside the bytes that are loaded by then.
    fn plan(&self, group: &[ClassKey], loaded_bytes: u64) -> Needs {
        let game = self.tables.game();
        let all = group.iter().map(|key| self.nodes[key].indices);
        let indices = all.fold(0, u64::saturating_add);
        let sum = |of: fn(&Node) -> f64| -> f64 {
            let all = group.iter().map(|key| &self.nodes[key]);
            all.map(|node| of(node) * node.indices as f64).sum()
        };
        let (turns, seconds) = (sum(|node| node.turns), sum(|node| node.seconds));
        let edges = ((turns * 1.2) as u64).saturating_add(65_536);
        // Values, counts and degrees twice while chunks are joined; where turns begin; each turn
        // forward and backward.
        let forward = indices
            .saturating_mul(2 * 6 + 8)
            .saturating_add(edges.saturating_mul(8))
            .saturating_add(1 << 20);
        let planes = planes::memory_bytes(self.tables, group, indices);
        let own = planes.unwrap_or(forward);
        let memory_bytes = self.control.memory_bytes();
        let free = self
            .taken_bytes()
            .map(|taken| free_for_work(memory_bytes, taken));
        let always = self
            .tables
            .workshop()
            .is_some_and(|(w, _)| w.slice.is_some());
        let room = free.filter(|&free| own > free || always);
        // Measured: what an index costs by planes, and what a turn costs beside the look at it, in
        // memory and on disk.
        let seconds = match (room, planes) {
            (None, Some(_)) => 2e-7 * indices as f64,
            (None, None) => seconds + 6e-8 * turns,
            (Some(_), _) => seconds + 3e-7 * turns,
        };
        let threads = self.control.threads().max(1) as f64;
        let plan = Plan {
            name: group[0].label(game.men()),
            classes: group.len(),
            indices,
            memory_bytes: match (room, free) {
                (Some(_), _) => self.control.memory_bytes(),
                (None, Some(_)) => own,
                (None, None) => own.saturating_add(loaded_bytes),
            },
            disk_bytes: room.map_or(0, |_| disk::disk_bytes(indices, turns as u64)),
            about: Duration::try_from_secs_f64(seconds / threads).unwrap_or(Duration::MAX),
        };
        Needs {
            plan,
            edges,
            by_planes: planes.is_some(),
            room,
        }
    }

    /// Solves a group; false if it leads to classes that were not known and are now.
    fn solve(&mut self, group: &[ClassKey]) -> Result<bool, Failed> {
        let game = self.tables.game();
        let needs = self.plan(group, self.loaded_bytes());
        let plan = &needs.plan;
        self.spend(plan.indices);
        let observer = self.part_of_build(plan);
        let control = &self.control.with_observer(&observer);
        control.report_done("solving", 0, plan.indices, "indices");
        if plan.indices > MAX_INDICES {
            return Err(too_many(&plan.name, plan.indices));
        }
        let classes: Vec<Class> = group.iter().map(|&key| Class::new(game, key)).collect();
        if let (Some(room), Some((workshop, _))) = (needs.room, self.tables.workshop()) {
            let sizes = match workshop.slice {
                Some(positions) => disk::Sizes::of_slices(positions),
                None if room < disk::MIN_BYTES => {
                    let taken = self.taken_bytes().unwrap_or(0);
                    return Err(too_little(self.control.memory_bytes(), taken));
                }
                None => disk::Sizes::new(room),
            };
            let folder = store::place(&workshop.folder, game, &group[0]);
            return self.solve_on_disk(group, classes, &folder, sizes, control);
        }
        if needs.room.is_none() && self.tables.workshop().is_none() {
            self.allow(plan)?;
        }
        let solved = match needs.by_planes {
            true => planes::solve(self.tables, &classes, control)?,
            false => {
                let seen = forward::look(self.tables, &classes, control, needs.edges)?;
                match seen {
                    Seen::Meets(unknown) => Solved::Meets(unknown),
                    Seen::Closed(edges) => Solved::Values {
                        met: edges.met.clone(),
                        values: retro::solve(edges, control)?,
                    },
                }
            }
        };
        let (met, mut values) = match solved {
            Solved::Meets(unknown) => {
                self.meet(group, unknown)?;
                return Ok(false);
            }
            Solved::Values { met, values } => (met, values),
        };
        self.tables.trouble()?;
        // From the last, so that what is stored need not be held twice.
        for (class, met) in classes.into_iter().zip(met).rev() {
            let own = values.split_off(values.len() - class.len() as usize);
            let table = Table {
                values: Values::Held(own),
                leads_to: met,
                class,
            };
            if let Some(store) = self.tables.store() {
                store.write(game, &table)?;
            }
            self.note(&table.class, &table.leads_to);
            self.tables.keep(table);
        }
        Ok(true)
    }

    /// Takes in classes that a group has been seen to lead to.
    fn meet(&mut self, group: &[ClassKey], unknown: BTreeSet<ClassKey>) -> Result<(), Failed> {
        for key in unknown {
            self.discover(key)?;
            for from in group {
                if let Some(node) = self.nodes.get_mut(from) {
                    node.leads_to.insert(key);
                }
            }
        }
        Ok(())
    }

    /// Counts a class as solved.
    fn note(&mut self, class: &Class, leads_to: &BTreeSet<ClassKey>) {
        self.built.solved += 1;
        self.built.indices += class.len();
        self.done += 1;
        self.done_indices += class.len();
        if let Some(node) = self.nodes.get_mut(&class.key) {
            node.done = true;
            node.leads_to.extend(leads_to.iter().copied());
        }
    }

    /// Solves a group in a folder; false if it leads to classes that were not known and are now.
    fn solve_on_disk(
        &mut self,
        group: &[ClassKey],
        classes: Vec<Class>,
        folder: &Path,
        sizes: disk::Sizes,
        control: &Control<'_>,
    ) -> Result<bool, Failed> {
        let tables = self.tables;
        let solved = match disk::solve(tables, &classes, folder, sizes, control)? {
            disk::Outcome::Solved(solved) => solved,
            disk::Outcome::Meets(unknown) => {
                self.meet(group, unknown)?;
                return Ok(false);
            }
        };
        let Some(store) = tables.store() else {
            return Ok(true);
        };
        let mut written = Vec::new();
        let mut offset = 0;
        for (class, met) in classes.iter().zip(&solved.met) {
            let values = |range: Range<u64>| {
                control.check()?;
                solved.values(offset + range.start..offset + range.end)
            };
            written.push(store.write_blocks(tables.game(), class, met, values)?);
            offset += class.len();
        }
        // All at once, so that a group is stored whole or not at all, if the folder allows it.
        for table in written {
            table.persist()?;
        }
        for (class, met) in classes.iter().zip(&solved.met) {
            tables.forget(&class.key);
            self.note(class, met);
        }
        solved.remove();
        Ok(true)
    }
}

/// The observer of one group's solution. Adds what was done before, so that the estimate is of the whole build.
struct PartOfBuild<'a> {
    observer: &'a dyn Observer,
    /// The group, and how many classes were done before.
    name: String,
    /// Indices that were done before.
    done_indices: u64,
    /// Indices of all classes.
    indices: u64,
}

impl Observer for PartOfBuild<'_> {
    fn progress(&self, part: &Progress<'_>) {
        let detail = part.detail.to_string();
        let comma = if detail.is_empty() { "" } else { ", " };
        self.observer.progress(&Progress {
            phase: "building",
            done: self.done_indices + part.done,
            total: Some(self.indices),
            unit: "indices",
            detail: format_args!("{}{comma}{detail}", self.name),
        });
    }

    fn note(&self, message: &str) {
        self.observer.note(message);
    }
}

/// Reports that the values up to a distance are known, in a group with this number of indices.
pub fn report_level(control: &Control<'_>, plies: u16, indices: u64) {
    control.report(&Progress {
        phase: "solving",
        done: indices,
        total: Some(indices),
        unit: "indices",
        detail: format_args!("{plies} plies"),
    });
}

/// What a group needs, and how it is solved.
struct Needs {
    plan: Plan,
    /// The most edges of a forward pass.
    edges: u64,
    by_planes: bool,
    /// Bytes for working on disk, if the work does not fit in memory and may be on disk.
    room: Option<u64>,
}

/// Of what a process may hold and what it holds beside its work, what is free for work on disk: a
/// sixteenth stays free.
fn free_for_work(memory_bytes: u64, taken_bytes: u64) -> u64 {
    memory_bytes.saturating_sub(taken_bytes + memory_bytes / 16)
}

/// Returns what is said if even work on disk needs more memory.
fn too_little(memory_bytes: u64, taken_bytes: u64) -> Failed {
    // Taken are a quarter of the memory for other tables and what does not depend on it; a sixteenth
    // stays free.
    let always = taken_bytes.saturating_sub(memory_bytes / 4) + disk::MIN_BYTES;
    let least = always * 16 / 11 + (2 << 20);
    let why = format!("{}M are too little to work on disk", memory_bytes >> 20);
    Diagnostic::new("memory", why)
        .help(format!("at least about {}M", least >> 20))
        .into()
}

/// Returns what is said of classes that are too large to be solved together.
fn too_many(name: &str, indices: u64) -> Failed {
    let why = match indices {
        u64::MAX => "it has more than 2^64 indices; 2^32 are the most".to_string(),
        _ => format!("it has {indices} indices; 2^32 are the most"),
    };
    Diagnostic::new(format!("table `{name}`"), why)
        .help("fewer units or a smaller board")
        .into()
}

/// Returns the strongly connected components, each after all those that it leads to (S. R. Kosaraju, M.
/// Sharir 1981), without recursion.
fn components(forward: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = forward.len();
    let mut backward = vec![Vec::new(); n];
    for (from, targets) in forward.iter().enumerate() {
        for &to in targets {
            backward[to].push(from);
        }
    }
    // Consumers of the reversed graph first: of two components the one led to comes later.
    let order = finished(&backward, 0..n, &mut vec![false; n]).concat();
    let mut seen = vec![false; n];
    finished(forward, order.into_iter().rev(), &mut seen)
}

/// Depth-first trees from these roots, each in the order in which its nodes are left.
fn finished(
    graph: &[Vec<usize>],
    roots: impl Iterator<Item = usize>,
    seen: &mut [bool],
) -> Vec<Vec<usize>> {
    let mut trees = Vec::new();
    for root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut tree = Vec::new();
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            match graph[*node].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => {
                    tree.push(*node);
                    path.pop();
                }
            }
        }
        trees.push(tree);
    }
    trees
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_those_they_lead_to() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 0, 3 -> 3
        let graph = [vec![1], vec![2], vec![1, 3], vec![3], vec![0]];
        let found = components(&graph);
        let found: Vec<Vec<usize>> = found
            .into_iter()
            .map(|mut c| {
                c.sort_unstable();
                c
            })
            .collect();
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
