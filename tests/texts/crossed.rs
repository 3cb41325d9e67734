//! Random rule texts in which features meet: options, states, hands, effects, movement that tells left from right, two
//! steps, other rule sets. Each is played by the program and by the second implementation. Its graph is explored and
//! solved in memory, in a folder and by two workers, its values are compared with tables, and its proofs are checked.

use crate::both::{cases, chance_of, compare_from};
use crate::graphs::{compare_graph, control};
use crate::play::Chance;
use crate::random;
use crate::tables::compare as compare_tables;
use fairyproof::catalog::Catalog;
use fairyproof::explore::{Expander, Limits, Summary, explore};
use fairyproof::notation::{Setup, Start, fen};
use fairyproof::prove::Layout;
use fairyproof::scale::{disk, workers};
use fairyproof::values::solve_game;
use fairyproof::with_setup;
use naive::RuleSets;
use naive::texts::Texts;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The most states of a graph that is explored everywhere.
const STATES: u64 = 150;

/// Movements that distinguish left from right, or forward from backward.
const DIRECTED: [&str; 8] = [
    "'rR' + 'vW'",
    "'frFblF' + 'W'",
    "'frK' + 'bK'",
    "'lWrDvF'",
    "'fRbB'",
    "'flNbrNvW'",
    "'fWbFlR'",
    "side == white ? 'lWrF' : 'W'",
];

/// Clauses that read an option `k` from 0 to 3, each with a flag `odd`.
const WITH_OPTIONS: [&str; 10] = [
    "legalIf = option.odd || size(captures) <= option.k",
    "legalIf = unit.file != option.k",
    "state = x: 0..3\nstate.x = (state.x + option.k) % 4\nends = x: mover wins if state.x == 3 && option.odd",
    "state = x[side]: 0..3\nstate.x = owner == mover ? option.k : state.x(owner)\nlegalIf = after.at(to).file != state.x(side)",
    "stepCount = option.odd ? 2 : 1",
    "captureIf = unit.row > option.k",
    "activeIf = unit.kind == 'king' || option.odd || unit.file != option.k",
    "targets.rook = squares.filter(s, distance(s, unit.square) == option.k)",
    "ends = few: side wins if count(side) <= option.k",
    "removes = option.odd && size(captures) > 0 ? after.neighbors(to).filter(u, u.row == option.k && u.kind != 'king') : []",
];

/// Clauses that ask another rule set of the file, and the clauses of that rule set.
const OTHERS: [(&str, &str); 6] = [
    (
        "legalIf = !under('other').check(side) || size(captures) > 0",
        "movement.king = 'frK' + 'bK'",
    ),
    (
        "ends = other: draw if under('other').over",
        "ends = lone: mover wins if count(side) == 1",
    ),
    (
        "legalIf = size(after.under('other').turns) != 2",
        "legalIf = kind == 'king' || size(captures) > 0",
    ),
    (
        "activeIf = unit.kind == 'king' || !under('other').attacked(unit.square, foe)",
        "movement.rook = 'lWrD'",
    ),
    (
        "state = y: 0..2\nstate.y = (state.y + 1) % 3\nends = other: mover loses if under('other').over",
        "state = y: 0..2\nstate.y = state.y\nends = y: draw if state.y == 2 && count(side) == 2",
    ),
    (
        "let.id = 'other'\nprefer = size(captures) > 0 && under(id).check",
        "captureIf = target.kind != 'king' || unit.kind == 'rook'",
    ),
];

/// Hands, effects and steps that change what a position holds.
const HELD: [&str; 6] = [
    "toHand = mover\ndrops = ['knight', 'rook', 'pawn'].filter(k, n == 1 && hand(side, k) > 0)",
    "capturesToHand = true\npieceDrops = true",
    "converts = size(captures) > 0 ? after.neighbors(to).filter(u, u.side != mover && u.kind != 'king') : []",
    "continues = size(captures) > 0 ? 'may' : 'no'",
    "turnsInto = kind != 'king' && size(captures) > 0 ? (captures[0].kind == 'king' ? kind : captures[0].kind) : becomes",
    "rebirth = home(unit)\nrebirthIf = unit.kind != 'pawn'",
];

/// Parts of the reasons why the program does not play a text.
const NOT_PLAYED: [&str; 6] = [
    "of the side that has just moved is attacked",
    "is in check by `checkIf`",
    "in check in the start position",
    "is not played together",
    "has no unit",
    "next to each other",
];

/// A random file, and the name of one of its rule sets with options.
struct Crossed {
    text: String,
    id: String,
}

/// Returns a random text on a small board with kings and up to two further units.
fn crossed(chance: &mut Chance) -> Crossed {
    let (files, ranks) = (2 + chance.below(3), 3 + chance.below(2));
    let units = chance.below(3);
    let fen = random::fen(chance, (files, ranks), units);
    let last = char::from(b'a' + files as u8 - 1);
    let board = format!("maxFile = {last}\nmaxRank = {ranks}\n");
    let mut text = format!("[random:fide-text]\n{board}startFen = {fen}\n");
    let mut id = "random".to_string();
    let mut other = None;
    for _ in 0..1 + chance.below(3) {
        match chance.below(5) {
            0 => {
                let piece = ["king", "rook", "knight", "queen", "bishop"][chance.below(5)];
                let movement = DIRECTED[chance.below(DIRECTED.len())];
                random::add(&mut text, &format!("movement.{piece} = {movement}"));
            }
            1 if id == "random" => {
                let clause = WITH_OPTIONS[chance.below(WITH_OPTIONS.len())];
                if random::add(&mut text, clause) {
                    text += "options = odd; k: 0..3 = 1\n";
                    let odd = ["", ",odd"][chance.below(2)];
                    id = format!("random:k={}{odd}", chance.below(4));
                }
            }
            2 if other.is_none() => {
                let (clause, of_other) = OTHERS[chance.below(OTHERS.len())];
                if random::add(&mut text, clause) {
                    other = Some(of_other);
                }
            }
            3 => {
                random::add(&mut text, HELD[chance.below(HELD.len())]);
            }
            _ => random::add_clause(chance, &mut text),
        }
    }
    if let Some(clause) = other {
        text += &format!("\n[other:fide-text]\n{board}startFen = {fen}\n{clause}\n");
    }
    Crossed { text, id }
}

/// Returns an error that names two answers unless they are equal.
fn equal<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    match one == other {
        true => Ok(()),
        false => Err(format!("{what}: {one:?} and {other:?}")),
    }
}

/// Compares the graph in memory with those that a folder and two workers find, and its values with those of the folder.
fn compare_stores<W: Layout>(start: &Start<W>) -> Result<(), String> {
    let game = start.game.as_ref();
    let limits = Limits {
        max_states: STATES,
        ..Limits::default()
    };
    let found = explore(game, &start.position, &limits, &control());
    if !found.summary.complete() {
        return Ok(());
    }
    let expander = Expander::new(game, &start.position);
    let figures = |summary: &Summary| {
        let terminals = summary.terminals.clone();
        (summary.states, summary.edges, terminals, summary.complete())
    };
    let task = workers::Task {
        game: &expander,
        identity: Vec::new(),
        max_states: u64::MAX,
        max_depth: u32::MAX,
        question: None,
    };
    let means = workers::Resources {
        control: control().with_threads(2),
        state: None,
        lost_process: &|| None,
    };
    let shared = workers::run(&task, None, &means).map_err(|why| why.to_string())?;
    equal(
        "workers",
        &figures(&found.summary),
        &figures(&shared.summary),
    )?;
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let folder = folder.map_err(|why| why.to_string())?;
    let question = disk::Question {
        variant: game.variant().identity(),
        position: fen::print(game, &start.position),
        law: [0, game.facts().law],
    };
    let limits = disk::Limits {
        max_states: None,
        max_depth: u32::MAX,
    };
    let failed = |why: disk::Failed| format!("folder: {why}");
    let on_disk = control().with_memory(1 << 30);
    let search = disk::Search::open(&expander, question, folder.path(), limits, on_disk);
    let mut search = search.map_err(failed)?;
    let summary = search.explore().map_err(failed)?;
    equal("folder", &figures(&found.summary), &figures(&summary))?;
    search.solve().map_err(failed)?;
    let values = solve_game(game, &found, &control()).map_err(|why| why.to_string())?;
    let mut stored = disk::Lookup::new(&search).map_err(failed)?;
    for (state, value) in (0..).zip(values.iter()) {
        let in_folder = stored.value(found.states.key(state)).map_err(failed)?;
        equal("value in the folder", &Some(value), &in_folder)?;
    }
    Ok(())
}

/// What the comparisons of all texts found.
#[derive(Default, Debug)]
struct Compared {
    texts: usize,
    positions: usize,
    graphs: usize,
    table_states: usize,
    /// The differences, each with its text.
    wrong: Vec<String>,
    /// Why texts were not compared, and tables not built.
    refused: BTreeMap<String, u32>,
}

impl Compared {
    /// Adds what other comparisons found.
    fn and(mut self, other: Compared) -> Compared {
        self.texts += other.texts;
        self.positions += other.positions;
        self.graphs += other.graphs;
        self.table_states += other.table_states;
        self.wrong.extend(other.wrong);
        for (why, n) in other.refused {
            *self.refused.entry(why).or_default() += n;
        }
        self
    }

    /// Compares all answers about a text.
    fn compare(&mut self, crossed: &Crossed, chance: &mut Chance) -> Result<(), String> {
        let Crossed { text, id } = crossed;
        let mut catalog = Catalog::new();
        let added = catalog.add_text("random.ini", text);
        let opened = added.and_then(|_| catalog.open(id));
        let setup = opened.and_then(|variant| Setup::read(&variant, None));
        let setup = match setup {
            Ok(setup) => setup,
            Err(error) if NOT_PLAYED.iter().any(|why| error.why.contains(why)) => {
                *self.refused.entry(error.why).or_default() += 1;
                return Ok(());
            }
            Err(error) => return Err(format!("program: {error}")),
        };
        let naive = |why: String| format!("naive: {why}");
        let texts = Texts::of_files(definition::TEXTS, &[text]).map_err(naive)?;
        let rules = texts.open(id).map_err(naive)?;
        let start = rules.start_fen().map_err(naive)?;
        self.positions += compare_from(&setup.game(), &rules, &start, chance, 4)?;
        self.texts += 1;
        let sets = RuleSets::with_definitions(definition::LIBRARY, definition::TEXTS, &[text])?;
        let root = sets.read(id, None).map_err(|why| why.to_string())?;
        with_setup!(&setup, start => {
            if compare_graph(start, &root, &sets)? {
                self.graphs += 1;
                compare_stores(start)?;
                self.table_states += compare_tables(start, STATES, &mut self.refused)?;
            }
            Ok(())
        })
    }
}

#[test]
fn all_answers_about_crossed_texts_agree() {
    let cases: Vec<u64> = cases(2_000).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut all = Compared::default();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut chance = chance_of(case ^ 0x7000_0000);
            let text = crossed(&mut chance);
            if let Err(why) = all.compare(&text, &mut chance) {
                all.wrong
                    .push(format!("case {case}: {}: {why}\n{}", text.id, text.text));
            }
        }
        all
    };
    // Threads of their own: in a pool, a comparison that waits would begin others on its stack.
    let compared = thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        let found = threads.map(|thread| thread.join().expect("a comparison"));
        found.into_iter().fold(Compared::default(), Compared::and)
    });
    assert!(compared.wrong.is_empty(), "{}", compared.wrong.join("\n"));
    println!("{compared:#?}");
    assert!(compared.graphs * 10 > compared.texts, "{compared:?}");
    assert!(compared.table_states > compared.texts, "{compared:?}");
}
