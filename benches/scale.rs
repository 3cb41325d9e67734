//! How fast states are found that are shared out among workers, or that lie on disk, against the explorer
//! in memory, and what memory they take. Asserts the counts of each run, and the bytes of a state.

use fairyproof::catalog::Catalog;
use fairyproof::control::{self, Control};
use fairyproof::explore::Summary;
use fairyproof::explore::{Expander, Limits, explore};
use fairyproof::notation::{Setup, Start};
use fairyproof::scale::disk::{self, Question, Search};
use fairyproof::scale::workers::{self, Membership, Resources, Task};
use fairyproof::with_setup;
use std::net::TcpListener;
use std::time::Instant;

const ENDING: &str = "7k/5r2/8/8/8/8/Q7/K7 w - - 0 1";
const STATES: u64 = 20_497_316;
const EDGES: u64 = 335_228_180;

struct Quiet;

impl control::Observer for Quiet {
    fn note(&self, message: &str) {
        eprintln!("{message}");
    }
}

/// Seconds of some work.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let since = Instant::now();
    let result = work();
    (since.elapsed().as_secs_f64(), result)
}

fn tell(name: &str, seconds: f64, bytes: u64, than: f64) {
    let rate = EDGES as f64 / seconds / 1e6;
    let state_bytes = bytes as f64 / STATES as f64;
    let ratio = than / seconds;
    println!(
        "{name:<40} {seconds:6.1} s  {rate:5.1} M edges/s  {ratio:.2} times the rate  {state_bytes:.1} bytes a state"
    );
}

/// Explores in so many processes' worth of workers, which talk over loopback as processes do.
fn shared_out(task: &Task<'_>, processes: usize, threads: usize) -> u64 {
    let listeners: Vec<TcpListener> = (0..processes)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"))
        .collect();
    let hosts: Vec<String> = listeners
        .iter()
        .map(|listener| listener.local_addr().expect("an address").to_string())
        .collect();
    drop(listeners);
    let means = Resources {
        control: Control::new().with_threads(threads).with_observer(&Quiet),
        state: None,
        lost_process: &|| None,
    };
    let found = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..processes)
            .map(|process| {
                let place = Membership {
                    hosts: &hosts,
                    process,
                    secret: "bench",
                };
                scope.spawn(move || workers::run(task, Some(place), &means))
            })
            .collect();
        let found = runs.into_iter().map(|run| run.join().expect("no panic"));
        found.collect::<Result<Vec<_>, _>>().expect("an answer")
    });
    for found in &found {
        let Summary { states, edges, .. } = found.summary;
        assert_eq!((states, edges, found.summary.limit), (STATES, EDGES, None));
    }
    let sent: u64 = found.iter().map(|found| found.sent_bytes).sum();
    println!(
        "sent: {:.2} bytes a state, {:.2} an edge",
        sent as f64 / STATES as f64,
        sent as f64 / EDGES as f64
    );
    found.iter().map(|found| found.peak_bytes).sum()
}

fn compare<W: values::Layout>(start: &Start<W>) {
    let game = start.game.as_ref();
    let limits = Limits {
        edges: false,
        ..Limits::default()
    };
    let (plain, found) = timed(|| explore(game, &start.position, &limits, &Control::new()));
    assert_eq!(
        (found.states.len() as u64, found.summary.edges),
        (STATES, EDGES)
    );
    let plain_bytes = found.states.bytes();
    tell("in memory, one thread", plain, plain_bytes, plain);
    drop(found);
    let expander = Expander::new(game, &start.position);
    let task = Task {
        game: &expander,
        identity: Vec::new(),
        max_states: u64::MAX,
        max_depth: u32::MAX,
        question: None,
    };
    let mut alone = plain;
    for (processes, threads) in [(1, 1), (2, 1), (1, 2)] {
        let (seconds, bytes) = timed(|| shared_out(&task, processes, threads));
        let name = format!("{processes} process(es), {threads} thread(s) each");
        tell(&name, seconds, bytes, alone);
        if (processes, threads) == (1, 1) {
            alone = seconds;
        }
        assert!(bytes as f64 <= 1.3 * plain_bytes as f64, "{bytes} bytes");
    }
}

/// A graph that takes seconds on disk: pawns alone, with a state of the game.
const PAWNS: &str = "k2/3/PPP/ppp/3/2K w - - 0 1 first=1";
const PAWN_STATES: u64 = 11_098_918;
const PAWN_EDGES: u64 = 22_862_060;
/// What the whole process may hold there.
const DISK_MEMORY_BYTES: u64 = 64 << 20;

/// Explores in a folder, in memory that holds a fraction of the states; with values a smaller graph.
fn on_disk<W: values::Layout>(start: &Start<W>, solve: bool) -> (u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let graph = Expander::new(start.game.as_ref(), &start.position);
    let question = Question {
        variant: String::new(),
        position: String::new(),
        law: [0; 2],
    };
    let limits = disk::Limits {
        max_states: None,
        max_depth: u32::MAX,
    };
    let control = Control::new().with_memory(DISK_MEMORY_BYTES);
    let mut search = Search::open(&graph, question, folder.path(), limits, control).expect("room");
    let found = search.explore().expect("room");
    if solve {
        search.solve().expect("room");
        let certificate = search.certify().expect("room");
        assert_eq!(
            (certificate.states, certificate.faults.len()),
            (found.states, 0)
        );
    }
    (found.states, found.edges)
}

fn main() {
    let pawns = Catalog::new()
        .open("french-revolution")
        .expect("a registered variant");
    let setup = Setup::read(&pawns, Some(PAWNS)).expect("a position");
    let (seconds, found) = timed(|| with_setup!(&setup, start => on_disk(start, false)));
    assert_eq!(found, (PAWN_STATES, PAWN_EDGES));
    let rate = PAWN_STATES as f64 / seconds / 1e6;
    println!(
        "on disk, 64 MB of memory{:>26.1} s  {rate:5.2} M states/s",
        seconds
    );
    let variant = Catalog::new().open("fide").expect("a registered variant");
    let setup = Setup::read(&variant, Some("7k/8/8/8/8/8/8/KR6 w - - 0 1")).expect("a position");
    let (seconds, found) = timed(|| with_setup!(&setup, start => on_disk(start, true)));
    assert_eq!(found.0, 406_288);
    let rate = found.0 as f64 / seconds / 1e6;
    println!(
        "values on disk, certified{:>25.1} s  {rate:5.2} M states/s",
        seconds
    );
    let setup = Setup::read(&variant, Some(ENDING)).expect("a position");
    with_setup!(&setup, start => compare(start));
}
