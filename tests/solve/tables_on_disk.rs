//! Tables worked out in files, slice by slice, have the bytes of those built in memory, whatever does
//! not fit and whenever the work is stopped.

use crate::files::{self, Files};
use fairyproof::board::Geometry;
use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, Observer, Progress, parallel};
use fairyproof::language::{About, Environment, Expression};
use fairyproof::rules::{AnyGame, Game};
use fairyproof::tables::Layout;
use fairyproof::tables::{
    Counting, Failed, FoundPosition, Query, Signature, Store, Tables, build, certify,
    find_positions, plan, stats,
};
use fairyproof::with_game;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const LIMITS: Control<'static> = Control::new().with_memory(8 << 30).with_threads(2);

/// Plain classes that are solved by planes in memory, en passant, several equal units, weak wins,
/// states of the game, bound units, units that change their kind.
const CLASSES: [(&str, &str, &str); 9] = [
    ("fide", "4x4", "KQvKR"),
    ("fide", "4x4", "KPPvK"),
    ("fide", "3x6", "KPvKP"),
    ("bachelor", "4x4", "KRvKN"),
    ("convergent", "4x4", "KPvKP"),
    ("french-revolution", "3x4", "KPvKP"),
    ("french-revolution:weak-loss", "3x4", "KPvKP"),
    ("chromopolis", "3x4", "KNvK;bound=Nn"),
    ("triple-check", "4x4", "KRvKN"),
];

fn open(variant: &str, board: &str) -> AnyGame {
    let (files, ranks) = board.split_once('x').expect("a board");
    let side = |text: &str| text.parse().expect("a number");
    let geometry = Geometry::new(side(files), side(ranks), 0, false).expect("a board");
    Catalog::new()
        .open(variant)
        .expect("a variant")
        .on(geometry)
        .expect("a game")
}

/// Tables whose classes are all worked out in slices of a page, with a megabyte of the others in memory.
fn in_slices<W: Layout>(game: &Arc<dyn Game<W>>, store: &Path, work: &Path) -> Tables<W> {
    Tables::new(Arc::clone(game), Some(Store::new(store)))
        .working_in(work.to_path_buf(), 4_000_000)
        .in_slices_of(1)
}

/// Folders for tables and for work.
struct Places([tempfile::TempDir; 2]);

impl Places {
    fn new() -> Places {
        let place = || tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Places([(); 2].map(|()| place().expect("a folder")))
    }

    fn tables(&self) -> &Path {
        self.0[0].path()
    }

    fn work(&self) -> &Path {
        self.0[1].path()
    }
}

/// Returns the files of a class as they are built in memory.
fn in_memory<W: Layout>(game: &Arc<dyn Game<W>>, signature: &Signature) -> Files {
    let places = Places::new();
    let tables = Tables::new(Arc::clone(game), Some(Store::new(places.tables())));
    build(&tables, signature, &LIMITS).expect("tables");
    files::below(places.tables())
}

fn same(found: &Files, wanted: &Files, what: &str) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(wanted), "{what}");
    for (name, bytes) in wanted {
        assert!(found[name] == *bytes, "{what}: {name} differs");
    }
}

#[test]
fn classes_in_slices_have_the_bytes_of_those_in_memory() {
    for (variant, board, signature) in CLASSES {
        let what = format!("{variant} {board} {signature}");
        with_game!(&open(variant, board), game => {
            let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
            let places = Places::new();
            let tables = in_slices(game, places.tables(), places.work());
            let built = build(&tables, &signature, &LIMITS);
            let built = built.unwrap_or_else(|stopped| panic!("{what}: {stopped}"));
            let wanted = in_memory(game, &signature);
            assert_eq!(built.solved, wanted.len(), "{what}");
            same(&files::below(places.tables()), &wanted, &what);
            assert!(files::below(places.work()).is_empty(), "{what}: {:?}", files::below(places.work()).keys());
        });
    }
}

/// Returns the positions that are lost or lead to a loss, with the value of the other side's turn.
fn asked<W: Layout>(
    any: &AnyGame,
    tables: &Tables<W>,
    signature: &Signature,
) -> Vec<FoundPosition> {
    let environment = Environment::new(any, About::VALUED);
    let lost = "value == 'loss' || turns.exists(t, t.after.value == 'loss')";
    let condition = Expression::condition("condition", lost, &environment).expect("a condition");
    let flip = Expression::read("--by", "flip.value", &environment).expect("an expression");
    let pool = parallel::pool(2);
    let query = Query {
        counting: Counting::All,
        tables,
        signature,
        condition: &condition,
        by: &[flip],
        counts: false,
        pool: pool.as_ref(),
        stop: &|| false,
    };
    let mut found = Vec::new();
    let mut list = |position| {
        found.push(position);
        Ok(())
    };
    find_positions(&query, &mut list).expect("tables");
    found
}

#[test]
fn what_is_told_of_tables_that_stay_on_disk_is_told_of_those_in_memory() {
    for (variant, board, signature) in [CLASSES[0], CLASSES[3], CLASSES[7]] {
        let what = format!("{variant} {board} {signature}");
        let any = open(variant, board);
        with_game!(&any, game => {
            let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
            let places = Places::new();
            let fresh = || Tables::new(Arc::clone(game), Some(Store::new(places.tables())));
            build(&fresh(), &signature, &LIMITS).expect("tables");
            // Half of the values are held whole, the others block by block. That blocks come and go is
            // tried above: here every turn would read one.
            let listed = Store::new(places.tables()).list().expect("a folder");
            let indices: u64 = listed.into_iter().map(|file| file.expect("whole").indices).sum();
            let paged = fresh().within(2 * indices);
            let found = certify(&paged, &signature, &LIMITS).expect("tables");
            assert!(found.holds(), "{what}: {found:?}");
            assert_eq!(certify(&fresh(), &signature, &LIMITS), Ok(found));
            let told = [&paged, &fresh()].map(|tables| stats(tables, &signature, Counting::All).expect("tables"));
            assert_eq!(told[0], told[1], "{what}");
            let wanted = asked(&any, &fresh(), &signature);
            assert!(!wanted.is_empty(), "{what}");
            assert_eq!(asked(&any, &paged, &signature), wanted, "{what}");
        });
    }
}

/// Asks for a stop when it has been told so much.
struct StopAfter {
    left: AtomicU64,
    stop: AtomicBool,
}

impl StopAfter {
    fn hear(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for StopAfter {
    fn progress(&self, progress: &Progress<'_>) {
        if progress.phase == "building" {
            self.hear();
        }
    }
}

#[test]
fn work_in_slices_goes_on_where_it_was_stopped() {
    let mut seed = 1u64;
    let mut random = |n: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    for (variant, board, signature) in [CLASSES[0], CLASSES[2], CLASSES[3], CLASSES[7]] {
        let what = format!("{variant} {board} {signature}");
        with_game!(&open(variant, board), game => {
            let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
            let places = Places::new();
            let mut stops = 0;
            loop {
                let observer = StopAfter {
                    left: AtomicU64::new(2 + random(12)),
                    stop: AtomicBool::new(false),
                };
                let control = LIMITS.with_stop(&observer.stop).with_observer(&observer);
                let tables = in_slices(game, places.tables(), places.work());
                match build(&tables, &signature, &control) {
                    Ok(_) => break,
                    Err(stopped) => assert!(stopped.is_interrupted(), "{what}: {stopped}"),
                }
                stops += 1;
                assert!(stops < 10_000, "{what} does not get on");
            }
            assert!(stops > 2, "{what}: {stops}");
            same(&files::below(places.tables()), &in_memory(game, &signature), &what);
            assert!(files::below(places.work()).is_empty(), "{what}");
        });
    }
}

/// Stops at a level.
#[derive(Default)]
struct AtLevel(AtomicBool);

impl Observer for AtLevel {
    fn progress(&self, progress: &Progress<'_>) {
        if progress.detail.to_string().ends_with(", 5 plies") {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn damaged_work_is_refused_and_the_plan_tells_of_the_disk() {
    with_game!(&open("fide", "4x4"), game => {
        let signature = Signature::parse(game.as_ref(), "KQvKR").expect("a signature");
        let places = Places::new();
        let observer = AtLevel::default();
        let control = LIMITS.with_stop(&observer.0).with_observer(&observer);
        let tables = || in_slices(game, places.tables(), places.work());
        let plans = plan(&tables(), &signature, &LIMITS).expect("a plan");
        let stopped = build(&tables(), &signature, &control);
        assert!(stopped.is_err_and(|failed| failed.is_interrupted()));
        let left = files::below(places.work());
        let bytes: usize = left.values().map(Vec::len).sum();
        assert!(plans.iter().any(|plan| plan.disk_bytes as usize > bytes), "{bytes}: {plans:?}");
        assert!(plans.iter().all(|plan| plan.memory_bytes <= LIMITS.memory_bytes()), "{plans:?}");
        assert!(left.len() > 4, "{:?}", left.keys());
        // Pages that a journal tells of are mended by it.
        let told = |name: &str| !name.ends_with("pages") && !name.ends_with("claim");
        for (name, whole) in left.iter().filter(|(name, _)| told(name)) {
            let path = places.work().join(name);
            let mut bytes = whole.clone();
            bytes[whole.len() / 2] ^= 4;
            std::fs::write(&path, &bytes).expect("written");
            let refused = build(&tables(), &signature, &LIMITS);
            let Err(Failed::File(error)) = &refused else {
                panic!("{name}: {refused:?}");
            };
            assert!(error.to_string().contains("damaged"), "{name}: {error}");
            // As it was: what was refused may have gone on with other files.
            for (name, whole) in &left {
                std::fs::write(places.work().join(name), whole).expect("written");
            }
        }
        build(&tables(), &signature, &LIMITS).expect("tables");
        same(&files::below(places.tables()), &in_memory(game, &signature), "mended");
    });
}

#[test]
fn a_table_file_that_is_damaged_while_it_is_read_in_parts_is_told() {
    with_game!(&open("bachelor", "4x4"), game => {
        let signature = Signature::parse(game.as_ref(), "KRvKN").expect("a signature");
        let places = Places::new();
        let fresh = || Tables::new(Arc::clone(game), Some(Store::new(places.tables())));
        build(&fresh(), &signature, &LIMITS).expect("tables");
        let tables = fresh().within(2);
        // Opened whole, then damaged in its first block.
        let key = tables.canonical(&signature.keys()[0]).0;
        tables.table(&key).expect("whole").expect("there");
        let names = files::below(places.tables());
        for (name, whole) in &names {
            let mut bytes = whole.clone();
            // After the head and the length and checksum of the block.
            bytes[33] ^= 1;
            std::fs::write(places.tables().join(name), bytes).expect("written");
        }
        let told = stats(&tables, &signature, Counting::All).expect_err("damaged");
        assert!(told.to_string().contains("not what was written"), "{told}");
        assert!(certify(&tables, &signature, &LIMITS).is_err());
    });
}
