//! Tables whose checksums are right and whose values are wrong: each command that uses tables names the file, or
//! says that its answer rests on tables.

use crate::files;
use crate::run::{Run, program};
use crate::server::Server;
use fairyproof::Catalog;
use fairyproof::control::container::{Kind, Reader, Writer};
use fairyproof::position::Narrow;
use fairyproof::rules::Game;
use fairyproof::tables::{Store, Tables};
use fairyproof::values::{Packed, Value};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Returns the value that replaces one at an index, or `None` if the index is to have no value.
type Change = fn(u64, Value) -> Option<Value>;

/// Returns a value with another distance.
fn with_plies(value: Value, plies: impl Fn(u16) -> u16) -> Value {
    match value {
        Value::Win(d) => Value::Win(plies(d)),
        Value::Loss(d) => Value::Loss(plies(d)),
        other => other,
    }
}

/// What is wrong with tables.
const WRONG: [(&str, Change); 6] = [
    ("draws", |_, value| match value {
        Value::Win(d) | Value::Loss(d) if d > 6 => Some(Value::Draw),
        value => Some(value),
    }),
    ("longer", |_, value| Some(with_plies(value, |d| d + 2))),
    ("losses", |index, value| match value {
        Value::Win(d) if index % 7 == 0 => Some(Value::Loss(d + 1)),
        value => Some(value),
    }),
    ("unfounded", |index, value| match value {
        Value::Draw if index % 3 == 0 => Some(Value::Win(99)),
        Value::Win(_) if index % 501 == 0 => Some(Value::Win(99)),
        value => Some(value),
    }),
    ("holes", |index, value| (index % 11 > 0).then_some(value)),
    ("finished", |_, value| Some(with_plies(value, |_| 0))),
];

/// Returns a block of LZ4 that is one literal of at least 15 bytes.
fn uncompressed(bytes: &[u8]) -> Vec<u8> {
    let mut block = vec![0xf0];
    let left = bytes.len() - 15;
    block.extend(std::iter::repeat_n(255, left / 255));
    block.push((left % 255) as u8);
    block.extend(bytes);
    block
}

/// Returns a folder with the tables of `KRvK` and `KQvK` on a board of 4x4, and their game.
fn right() -> &'static (tempfile::TempDir, Arc<dyn Game<Narrow>>) {
    static RIGHT: OnceLock<(tempfile::TempDir, Arc<dyn Game<Narrow>>)> = OnceLock::new();
    RIGHT.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        for signature in ["KRvK", "KQvK"] {
            let build = ["table", "build", "fide", signature, "--board", "4x4"];
            assert_eq!(run_in(folder.path(), &build).code, 0);
        }
        let fide = Catalog::new().open("fide").expect("the base");
        let board = fide.rule_set.board(4, 4).expect("a board");
        let game = fide.on(board).expect("a game");
        (folder, Arc::clone(game.get().expect("16 squares")))
    })
}

/// Returns a folder with tables in which each value is replaced.
fn forged(change: Change) -> tempfile::TempDir {
    let (right, game) = right();
    let folder = tempfile::tempdir().expect("a folder");
    let tables = Tables::new(Arc::clone(game), Some(Store::new(right.path())));
    for file in Store::new(right.path()).list().expect("a list") {
        let file = file.expect("a table");
        let name = format!("fide/4x4/{}.fpt", file.class);
        let table = tables.table(&file.key).expect("whole").expect("there");
        let values = (0..file.indices).map(|index| {
            let value = table.value(index).and_then(|value| change(index, value));
            value.map_or(Packed::VACANT, Packed::of).0
        });
        let values: Vec<u16> = values.collect();
        let low = values.iter().map(|value| *value as u8);
        let high = values.iter().map(|value| (value >> 8) as u8);
        let block = uncompressed(&low.chain(high).collect::<Vec<u8>>());
        write(
            &right.path().join(&name),
            &folder.path().join(&name),
            &block,
        );
    }
    folder
}

/// Copies a table file with another block.
fn write(from: &Path, to: &Path, block: &[u8]) {
    const KIND: &Kind = b"table   ";
    let bytes = std::fs::read(from).expect("a table");
    let mut reader = Reader::new(&bytes[..], KIND).expect("a container");
    let mut sections = Vec::new();
    while let Some(section) = reader.next_section(u64::MAX).expect("whole") {
        sections.push(section);
    }
    assert_eq!(sections.len(), 2, "one block and the header");
    let mut out = Writer::new(Vec::new(), KIND, reader.law()).expect("memory");
    out.section(block).expect("memory");
    out.section(&sections[1]).expect("memory");
    std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
    std::fs::write(to, out.finish().expect("memory").0).expect("a file");
}

/// Runs the program with a folder of tables, for a minute at most.
fn run_in(tables: &Path, arguments: &[&str]) -> Run {
    let output = program(arguments)
        .env("FAIRYPROOF_TABLES", tables)
        .timeout(std::time::Duration::from_secs(60))
        .output()
        .expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let run = Run {
        code: output.status.code().expect("no signal"),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(!run.err.contains("panicked"), "{arguments:?}: {run:?}");
    run
}

/// Asserts that a run is an error that names a table file.
#[track_caller]
fn names_the_table(what: &str, run: &Run) {
    let message = run
        .err
        .lines()
        .find(|line| line.starts_with("error: table file "));
    assert!(
        run.code == 2
            && message.is_some_and(|line| line.contains(".fp") && line.contains("is wrong")),
        "{what}: {run:?}"
    );
}

/// A win in 7 plies, and the turns that keep it.
const WIN: &str = "3k/4/R3/K3 w - - 0 1";
/// A promotion in two plies leads into the tables.
const PAWN: &str = "4/P3/2k1/K3 w - - 0 1";

const KRVK: [&str; 4] = ["fide", "KRvK", "--board", "4x4"];

fn about_krvk<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["table", command][..], &KRVK, more].concat()
}

#[test]
fn commands_that_read_whole_tables_find_each_kind() {
    for (what, change) in WRONG {
        let tables = forged(change);
        for arguments in [
            about_krvk("find", &["plies > 5"]),
            about_krvk("find", &["value == 'win'", "--count", "--by", "plies"]),
            vec![
                "table",
                "build",
                "fide",
                "KQvK",
                "--board",
                "4x4",
                "--values-only",
            ],
        ] {
            names_the_table(what, &run_in(tables.path(), &arguments));
        }
        let check = run_in(tables.path(), &about_krvk("check", &[]));
        assert_eq!(check.code, 1, "{what}: {check:?}");
        // Where values are false and agree with those near them, what is shown is a line that the rules allow.
        for more in [
            &[][..],
            &["--losses"],
            &["--all"],
            &["--all", "--format", "csv"],
        ] {
            let longest = run_in(tables.path(), &about_krvk("longest", more));
            match what {
                "draws" => assert_eq!(longest.code, 0, "{what}: {longest:?}"),
                _ => names_the_table(what, &longest),
            }
        }
        let stats = run_in(tables.path(), &about_krvk("stats", &[]));
        match what {
            "draws" => assert_eq!(stats.code, 0, "{what}: {stats:?}"),
            _ => names_the_table(what, &stats),
        }
    }
}

/// Returns the first position of a kind of wrong table that contradicts its turns, by `table check`.
fn contradicted(tables: &Path) -> String {
    let check = run_in(tables, &about_krvk("check", &[]));
    let line = check.out.lines().next().expect("a fault");
    line.split(": ").next().expect("a FEN").to_string()
}

#[test]
fn commands_about_a_position_compare_it_with_its_turns() {
    for (what, change) in WRONG {
        let tables = forged(change);
        let fen = contradicted(tables.path());
        for arguments in [
            &["table", "probe", "fide", &fen][..],
            &["outcome", "fide", &fen, "--tables"],
            &["play", "fide", "--fen", &fen, "--tables"],
            &["solve", "fide", "--fen", &fen, "win 5", "--tables"],
        ] {
            names_the_table(what, &run_in(tables.path(), arguments));
        }
        // Lines of standard input are answered one by one.
        for command in [
            &["table", "probe", "fide", "-"][..],
            &["outcome", "fide", "-", "--tables"],
        ] {
            let output = program(command)
                .env("FAIRYPROOF_TABLES", tables.path())
                .write_stdin(format!("{fen}\n"))
                .output()
                .expect("it runs");
            let text =
                String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert!(
                text.contains("this table, or one that its turns lead to, is wrong"),
                "{what}: {text}"
            );
        }
    }
}

/// Returns the lines of a proof that rest on something other than a certificate.
fn unfounded(run: &Run) -> Vec<&str> {
    let claims = ["none-within: ", "no proof", "none within"];
    let lines = run.out.lines().filter(|line| {
        let is_claim = claims.iter().any(|claim| line.starts_with(claim));
        let is_proof = ["proven: ", "disproven: "]
            .iter()
            .any(|claim| line.starts_with(claim));
        is_claim || is_proof && !run.out.contains(", checked")
    });
    lines
        .filter(|line| !line.contains("according to the tables"))
        .collect()
}

#[test]
fn proofs_say_that_they_rest_on_tables_or_name_the_file() {
    let mut named = 0;
    for (what, change) in WRONG {
        let tables = forged(change);
        for fen in [WIN, PAWN, "3k/4/R3/K3 b - - 0 1"] {
            for more in [
                &[][..],
                &["--within", "7"],
                &["--shortest"],
                &["--first"],
                &["--for", "black"],
            ] {
                for threads in ["1", "2"] {
                    let prove = ["prove", "fide", fen, "--tables", "--threads", threads];
                    let run = run_in(tables.path(), &[&prove[..], more].concat());
                    match run.code {
                        2 => {
                            names_the_table(what, &run);
                            named += 1;
                        }
                        _ => assert_eq!(unfounded(&run), [""; 0], "{what} {fen} {more:?}: {run:?}"),
                    }
                }
            }
        }
    }
    assert!(named > 50, "{named}");
}

#[test]
fn bounds_of_wrong_tables_are_not_believed_without_them() {
    let tables = forged(WRONG[1].1);
    let folder = tempfile::tempdir().expect("a folder");
    let [state, refutation] = ["state", "none.fpp"].map(|name| files::path_in(folder.path(), name));
    let search = ["prove", "fide", WIN, "--within", "7", "--state", &state];
    let first = run_in(tables.path(), &[&search[..], &["--tables"]].concat());
    let says = |run: &Run, what: &str| {
        let line = run.out.lines().next().expect("an answer");
        assert!(
            line.starts_with("none-within: ") && line.ends_with(what),
            "{run:?}"
        );
    };
    says(&first, "no proof within 7 plies, according to the tables");
    // What the tables said remains in the saved search.
    let later = run_in(tables.path(), &search);
    says(
        &later,
        "no proof within 7 plies, according to the tables and the saved search",
    );
    let refuted = run_in(
        tables.path(),
        &[&search[..], &["--refutation", &refutation]].concat(),
    );
    assert!(
        refuted.err.contains("the rules do not confirm it"),
        "{refuted:?}"
    );
    assert!(!Path::new(&refutation).exists());
    // The rules alone find the win.
    let alone = run_in(tables.path(), &search[..5]);
    assert!(
        alone.code == 0 && alone.out.contains("in 7 plies\nno proof is shorter\n"),
        "{alone:?}"
    );
}

#[test]
fn problems_say_that_they_rest_on_tables() {
    let (right, _) = right();
    let solve = ["solve", "fide", "--fen", WIN, "win 4", "--keys", "--tables"];
    let run = run_in(right.path(), &solve);
    assert!(run.err.contains("note: according to the tables"), "{run:?}");
    let alone = run_in(right.path(), &solve[..6]);
    assert_eq!((&alone.out, alone.err.as_str()), (&run.out, ""));
    // Help play reads no table.
    let help = ["solve", "fide", "--fen", WIN, "h#1", "--tables"];
    assert!(!run_in(right.path(), &help).err.contains("tables"));
}

#[test]
fn the_server_names_a_wrong_table() {
    let server = Server::run(crate::run::piped(&[]), "256M");
    let tables = forged(WRONG[0].1);
    let fen = contradicted(tables.path());
    for (name, bytes) in files::below(tables.path()) {
        let path = server.tables.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
    let encoded: String = fen.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for query in [
        "position?variant=fide",
        "eval?variant=fide&expression=value",
    ] {
        let (status, answer) = server.get(&format!("/api/{query}&fen={encoded}"));
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(
            status >= 400 && error.contains("is wrong"),
            "{query}: {status} {answer}"
        );
    }
}
