//! Building tables: finds the classes that follow from a signature, orders them into groups, and solves the
//! groups within the limits on memory and positions.
//!
//! The passes over a group are in `planes`, `forward`, `retro` and `disk`; this module only selects one.

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

/// Positions of a class that are examined to estimate which classes it leads to. A class that this sample
/// misses is found when the whole class is examined; the order is then computed again.
const SAMPLE: u64 = 3000;

/// Classes that are sampled between two checks of the limit on positions.
const PLANNED_AT_ONCE: usize = 256;

/// Maximum number of indices of classes that are solved together. A target is a 32-bit number: an index of
/// the group or, above all indices, the value of a position outside the group.
const MAX_INDICES: u64 = u32::MAX as u64 - (1 << 17);

/// Pause between two checks whether other processes have built the classes that are needed.
const WAIT: Duration = Duration::from_millis(100);

/// Bytes of a solved index: the size of its value.
const VALUE_BYTES: u64 = 2;

/// Resources that a group of classes will need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The name of the first class.
    pub name: String,
    /// Number of classes that are solved together.
    pub classes: usize,
    /// Number of indices of all these classes.
    pub indices: u64,
    /// Maximum memory in bytes.
    pub memory_bytes: u64,
    /// Maximum disk space in bytes while the group is solved on disk; 0 if it is solved in memory.
    pub disk_bytes: u64,
    /// Build time, extrapolated from a sample of positions on the assumption that all threads run in
    /// parallel. Varies from run to run.
    pub about: Duration,
}

/// The result of a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Built {
    /// Classes solved by this build.
    pub solved: usize,
    /// Classes found on disk or in memory.
    pub reused: usize,
    /// Indices of the classes solved by this build.
    pub indices: u64,
}

struct Node {
    leads_to: BTreeSet<ClassKey>,
    indices: u64,
    turns: f64,
    /// Average time to examine an index, in seconds.
    seconds: f64,
    done: bool,
}

/// Builds the tables of a signature and of all classes that it leads to.
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

/// Like [`build`], but runs in the caller's thread pool.
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

/// Like [`build_here`], but examines at most `left` positions, and subtracts those examined from `left`.
/// Planning may examine up to a million more. Nothing is solved if `left` is too small for the classes that
/// planning finds. Classes that were solved before further ones were found are kept.
///
/// # Errors
/// As for [`build`], and if `left` is too small.
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

/// Returns the plan of each group that the build of a signature will solve, in order. The figures are
/// estimates from a sample of positions. Solves nothing.
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
    /// Number of classes solved so far. `done_indices` counts their indices, `indices` those of all known
    /// classes.
    done: usize,
    done_indices: u64,
    indices: u64,
    /// Number of positions that may still be examined, if that is limited.
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
                // Other processes are building every group that is ready.
                std::thread::sleep(WAIT);
                continue;
            };
            let group = groups.remove(n);
            if !self.built_elsewhere(&group)? && !self.solve(&group)? {
                // The group leads to classes that were not known.
                groups = self.groups();
            }
            drop(claim);
        }
        Ok(std::mem::take(&mut self.built))
    }

    /// Returns the first group that can be solved now and that no other process is solving, with its build
    /// lock.
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
        match self.tables.store().filter(|store| !store.is_read_only()) {
            None => all.next().map(|(n, _)| (n, None)),
            Some(store) => {
                all.find_map(|(n, group)| Some((n, Some(store.claim(game, &group[0])?))))
            }
        }
    }

    /// Returns whether another process has meanwhile built all classes of a group, and counts them as reused.
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
                // Keep the classes that the sample found, because the order was computed from them.
                if let Some(node) = self.nodes.get_mut(key) {
                    node.done = true;
                    node.leads_to.extend(found.leads_to);
                }
            }
        }
        Ok(true)
    }

    /// Returns the plan of each group that is not solved yet.
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

    /// Checks, before any group is solved, that no group exceeds the memory limit. With a folder for solving
    /// on disk, only reports the plans.
    fn foresee(&self) -> Result<(), Failed> {
        if self.tables.workshop().is_some() {
            self.note_plans(&self.forecast());
            return Ok(());
        }
        // Among groups that need equal memory, report the first.
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

    /// Sends the plans of a build to the observer, so that groups that are solved on disk, which takes long,
    /// are announced in advance.
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

    /// Returns an observer that reports the progress on a group as part of the whole build.
    fn part_of_build(&self, plan: &Plan) -> PartOfBuild<'a> {
        let (done, known) = (self.done, self.nodes.len());
        PartOfBuild {
            observer: self.control.observer(),
            name: format!("{} ({done} of {known} classes done)", plan.name),
            done_indices: self.done_indices,
            indices: self.indices,
        }
    }

    /// Adds a class and all classes that, by their samples, follow from it.
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

    /// Subtracts examined positions from those that may still be examined.
    fn spend(&mut self, positions: u64) {
        self.left = self.left.map(|left| left.saturating_sub(positions));
    }

    /// Checks that all known classes can be solved within the limit on positions.
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

    /// Returns the classes that a class leads to, from its table or, without a table, from a sample of its
    /// positions.
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
        // Checked here, before the many classes that follow from this one are examined.
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

    /// Returns the groups to solve, in order. Classes that lead to each other form a group, which comes after
    /// all groups that it leads to.
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

    /// Returns the bytes of the tables that are loaded already.
    fn loaded_bytes(&self) -> u64 {
        self.done_indices * VALUE_BYTES
    }

    /// Returns the bytes that the process needs in addition to the work on a group, or `None` without a
    /// folder for solving on disk.
    fn taken_bytes(&self) -> Option<u64> {
        let (_, room) = self.tables.workshop()?;
        let squares = self.tables.game().board().geometry().len();
        Some(room.taken_bytes(self.control.threads(), self.nodes.len(), squares))
    }

    /// Returns the needs of a group. By then, `loaded_bytes` bytes of tables are loaded.
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
        // Values, counts and degrees exist twice while chunks are joined. Each index has an offset to its
        // turns, and each turn is stored forward and backward.
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
        // Measured: seconds for an index by planes, and for a turn in memory and on disk, in addition to
        // examining its position.
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

    /// Solves a group. If it leads to classes that were not known, adds them and returns false instead.
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
                Some(positions) => disk::sizes_of_slices(positions),
                None if room < disk::MIN_BYTES => {
                    let taken = self.taken_bytes().unwrap_or(0);
                    return Err(too_little(self.control.memory_bytes(), taken));
                }
                None => disk::sizes(room),
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
        // From the last class to the first, so that stored values need not be held twice.
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

    /// Adds classes that a group turned out to lead to.
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

    /// Solves a group in a folder. If it leads to classes that were not known, adds them and returns false
    /// instead.
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
        // Rename the files only when all are written, so that a group is stored completely or not at all,
        // unless renaming fails.
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

/// Observer of one group's solution. Adds the work done before, so that the estimate is for the whole build.
struct PartOfBuild<'a> {
    observer: &'a dyn Observer,
    /// The name of the group, and the number of classes done before it.
    name: String,
    /// Indices that were done before the group.
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

/// Reports that all values up to a distance of `plies` plies are known in a group with `indices` indices.
pub fn report_level(control: &Control<'_>, plies: u16, indices: u64) {
    control.report(&Progress {
        phase: "solving",
        done: indices,
        total: Some(indices),
        unit: "indices",
        detail: format_args!("{plies} plies"),
    });
}

/// The needs of a group, and the method that solves it.
struct Needs {
    plan: Plan,
    /// Maximum number of edges of a forward pass.
    edges: u64,
    by_planes: bool,
    /// Memory in bytes for solving the group on disk, if it does not fit in memory and there is a folder.
    room: Option<u64>,
}

/// Returns the bytes of memory that are free for solving on disk. Of the limit, `taken_bytes` are in other
/// use, and a sixteenth stays free.
fn free_for_work(memory_bytes: u64, taken_bytes: u64) -> u64 {
    memory_bytes.saturating_sub(taken_bytes + memory_bytes / 16)
}

/// Returns the error for a memory limit that is too low even for solving on disk.
fn too_little(memory_bytes: u64, taken_bytes: u64) -> Failed {
    // `taken_bytes` includes a quarter of the memory, for other tables. A sixteenth stays free. The remaining
    // eleven sixteenths must hold everything that does not depend on the limit.
    let always = taken_bytes.saturating_sub(memory_bytes / 4) + disk::MIN_BYTES;
    let least = always * 16 / 11 + (2 << 20);
    let why = format!("{}M are too little to work on disk", memory_bytes >> 20);
    Diagnostic::new("memory", why)
        .help(format!("at least about {}M", least >> 20))
        .into()
}

/// Returns the error for classes that are too large to be solved together.
fn too_many(name: &str, indices: u64) -> Failed {
    let why = match indices {
        u64::MAX => "it has more than 2^64 indices; 2^32 are the most".to_string(),
        _ => format!("it has {indices} indices; 2^32 are the most"),
    };
    Diagnostic::new(format!("table `{name}`"), why)
        .help("fewer units or a smaller board")
        .into()
}

/// Returns the strongly connected components, each after all components that it leads to (S. R. Kosaraju, M.
/// Sharir 1981), without recursion.
fn components(forward: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = forward.len();
    let mut backward = vec![Vec::new(); n];
    for (from, targets) in forward.iter().enumerate() {
        for &to in targets {
            backward[to].push(from);
        }
    }
    // The nodes that finish last in the reversed graph belong to components that lead to no other, so the
    // second pass finds these components first.
    let order = finished(&backward, 0..n, &mut vec![false; n]).concat();
    let mut seen = vec![false; n];
    finished(forward, order.into_iter().rev(), &mut seen)
}

/// Returns the depth-first trees from these roots, each in the order in which its nodes finish.
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
