//! `fairyproof report`: what it says, that threads do not matter, what it refuses; and the arrays of
//! the small boards.

use assert_cmd::Command;
use fairyproof::catalog::Catalog;
use fairyproof::control::MAX_RANDOM_GAME_PLIES;
use fairyproof::notation::{Setup, fen};
use fairyproof::report::small_boards::{Array, arrays};
use fairyproof::variants;
use fairyproof::with_setup;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn report(args: &[&str]) -> std::process::Output {
    Command::cargo_bin("fairyproof")
        .expect("the program")
        .arg("report")
        .args(args)
        .output()
        .expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The cells of a table under these names, row by row.
fn cells<const N: usize>(table: &str, names: [&str; N]) -> Vec<[String; N]> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let at = names.map(|name| {
        let found = header.iter().position(|column| column == name);
        found.unwrap_or_else(|| panic!("no column {name}"))
    });
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| at.map(|i| row[i].to_string())).collect()
}

fn number(cell: &str) -> u64 {
    cell.parse()
        .unwrap_or_else(|_| panic!("`{cell}` is not a number"))
}

#[test]
fn every_rule_set_has_three_arrays_of_its_own_men() {
    let all = arrays().expect("the arrays");
    let distinct: BTreeSet<(&str, &str)> = all
        .iter()
        .map(|a| (a.variant.as_str(), a.fen.as_str()))
        .collect();
    assert_eq!(distinct.len(), all.len(), "an array occurs twice");
    for info in variants::all() {
        let own: Vec<&Array> = all.iter().filter(|a| a.variant == info.id).collect();
        let plain = own.iter().filter(|array| !array.deep).count();
        assert!(plain >= 3, "{} has {plain} arrays", info.id);
        let men = |text: &str| -> BTreeSet<char> {
            let board = text.split(' ').next().unwrap_or_default();
            let letters = board.chars().filter(char::is_ascii_alphabetic);
            letters.map(|c| c.to_ascii_lowercase()).collect()
        };
        let start = men(&(info.start)(&Vec::new()));
        let shown: BTreeSet<char> = own.iter().flat_map(|array| men(&array.fen)).collect();
        let missing: Vec<&char> = start.difference(&shown).collect();
        assert!(missing.is_empty(), "{} does not show {missing:?}", info.id);
        let variant = Catalog::new().open(info.id).expect("a variant");
        for array in own {
            let setup = Setup::read(&variant, Some(&array.fen)).unwrap_or_else(|error| {
                panic!("{} {}: {error}", info.id, array.fen);
            });
            with_setup!(&setup, start => {
                let game = start.game.as_ref();
                assert_eq!(fen::print(game, &start.position), array.fen, "{}", info.id);
                assert!(game.has_turn(&start.position), "{} {}", info.id, array.fen);
            });
        }
    }
}

#[test]
fn small_boards_are_solved_whatever_the_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |threads: &str| {
        let to = folder.path().join(threads);
        let to = to.to_str().expect("a path");
        let ids = ["small-boards", "french-revolution"];
        let args = [
            &ids[..],
            &["--threads", threads, "--format", "csv", "--out", to],
        ]
        .concat();
        let out = report(&args);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let file = fs::read_to_string(Path::new(to).join("small-boards.csv")).expect("the file");
        assert_eq!(file, text(&out.stdout));
        file
    };
    let table = run("1");
    assert_eq!(table, run("2"));
    let names = [
        "variant",
        "complete",
        "states",
        "certified_states",
        "endless",
        "value",
    ];
    let rows = cells(&table, names);
    assert!(rows.len() >= 3);
    for [variant, complete, states, certified, endless, value] in rows {
        // Each turn advances a pawn: no play of this game is endless.
        assert_eq!(
            [variant, complete, endless],
            ["french-revolution", "complete", "false"]
        );
        assert_eq!(states, certified);
        assert!(["win", "draw", "loss"].contains(&value.as_str()));
    }
}

#[test]
fn small_boards_say_what_does_not_fit() {
    let args = [
        "small-boards",
        "french-revolution",
        "--memory",
        "1K",
        "--format",
        "csv",
    ];
    let out = report(&args);
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stderr).contains("NOT complete"));
    for [complete, value] in cells(&text(&out.stdout), ["complete", "value"]) {
        assert_eq!([complete.as_str(), value.as_str()], ["memory", ""]);
    }
}

#[test]
fn atlas_has_the_published_figures_whatever_the_threads() {
    let run = |threads: &str| {
        let ids = ["atlas", "fide", "prop", "society", "--games", "300"];
        let out = report(&[&ids[..], &["--threads", threads, "--format", "csv"]].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let table = run("1");
    assert_eq!(table, run("2"));
    let names = [
        "turns",
        "perft_1",
        "perft_2",
        "perft_3",
        "perft_4",
        "terminal_states",
    ];
    let fide = &cells(&table, names)[0];
    assert_eq!(fide, &["20", "20", "400", "8902", "197281", "4"]);
    let names = [
        "games",
        "capped_games",
        "white_wins",
        "black_wins",
        "draws",
        "stalemates",
        "max_plies",
        "cap_plies",
    ];
    for row in cells(&table, names) {
        let [games, capped, white, black, draws, stalemates, most, cap] =
            row.each_ref().map(|cell| number(cell));
        assert_eq!((games, white + black + draws + capped), (300, 300));
        assert!(stalemates <= games - capped && most <= cap);
    }
    assert!(
        cells(&table, ["complete"])
            .iter()
            .all(|[c]| c == "complete")
    );
}

#[test]
fn terminal_states_are_those_of_the_counts() {
    // After four turns of orthodox chess 8 lines are mates (fool's mate and its like), each a
    // position of its own; a limit is named and nothing is said of what was not seen.
    let out = report(&[
        "atlas", "fide", "--games", "1", "--memory", "1M", "--format", "csv",
    ]);
    assert_eq!(out.status.code(), Some(3));
    let rows = cells(&text(&out.stdout), ["complete", "perft_4"]);
    assert_eq!(rows, [["memory", "197281"]]);
}

#[test]
fn with_ids_nothing_is_written_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = Command::cargo_bin("fairyproof")
        .expect("the program")
        .current_dir(folder.path())
        .args(["report", "atlas", "prop", "--games", "3"])
        .output()
        .expect("it runs");
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    assert!(text(&out.stdout).starts_with("prop "));
}

#[test]
fn wrong_input_is_refused() {
    for (args, why) in [
        (vec!["atlas", "bachelr"], "did you mean `bachelor`?"),
        (vec!["atlas", "fide", "fide"], "occurs twice"),
        (vec!["atlas", "--games", "0"], "--games"),
        (vec!["atlas", "--games", "-5"], "--games"),
        (vec!["atlas", "--cap-plies", "x"], "--cap-plies"),
        (vec!["atlas", "prop", "--games", "1", "--out", ""], "--out"),
        (
            vec!["atlas", "prop", "--games", "1", "--out", "/dev/null/no"],
            "cannot be written",
        ),
        (vec!["small-boards", "spartan:moves=0"], "moves"),
        (vec!["small-boards", "--format", "xml"], "xml"),
        (vec!["nothing"], "nothing"),
        (vec![], "Usage"),
    ] {
        let out = report(&args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(
            text(&out.stderr).contains(why),
            "{args:?}: {}",
            text(&out.stderr)
        );
        assert!(out.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn help_of_every_report_has_an_example() {
    for command in [&[][..], &["small-boards"], &["atlas"]] {
        let out = report(&[command, &["--help"]].concat());
        assert_eq!(out.status.code(), Some(0));
        let help = text(&out.stdout);
        let name = [&["fairyproof", "report"], command].concat().join(" ");
        assert!(help.contains("Example") && help.contains(&name), "{help}");
    }
}

#[test]
fn random_games_have_a_seed_and_their_balance_is_told() {
    let games = |seed: &[&str], format: &str| {
        let asked = [
            "atlas",
            "prop",
            "--games",
            "60",
            "--cap-plies",
            "40",
            "--format",
            format,
        ];
        let out = report(&[&asked[..], seed].concat());
        assert_eq!(out.status.code(), Some(0));
        text(&out.stdout)
    };
    let csv = games(&[], "csv");
    assert_eq!(csv, games(&["--seed", "36"], "csv"));
    assert_ne!(csv, games(&["--seed", "37"], "csv"));
    let columns = [
        "white_wins",
        "black_wins",
        "draws",
        "capped_games",
        "mean_plies",
    ];
    let [white, black, draws, capped, mean] = cells(&csv, columns).remove(0);
    assert_ne!(capped, "0", "{csv}");
    let balance =
        format!("{white} White, {black} Black, {draws} drawn, {capped} broken off at 40 plies");
    let line = games(&[], "text");
    assert!(line.contains(&format!("60 games: {balance}")), "{line}");
    let labelled = match mean.as_str() {
        "" => "no mean length, as none ended".to_string(),
        mean => format!("mean {mean} plies of those that ended"),
    };
    assert!(line.contains(&labelled), "{line}");
}

#[test]
fn a_folder_for_starts_is_made_or_refused_before_the_search() {
    let parent = tempfile::tempdir().expect("a folder");
    let starts = |folder: &str, more: &[&str]| {
        let folder = parent.path().join(folder);
        let out = folder.to_str().expect("a path");
        let few = "starts blunder-mate --positions 2000 --out".split(' ');
        let all: Vec<&str> = few.chain([out]).chain(more.iter().copied()).collect();
        (folder.clone(), report(&all))
    };
    let (folder, out) = starts("new", &[]);
    assert_eq!(out.status.code(), Some(3), "{}", text(&out.stderr));
    let table = fs::read_to_string(folder.join("starts.csv")).expect("a table");
    let proofs = fs::read_dir(folder.join("proofs")).expect("a folder");
    let proven = cells(&table, ["status"]).into_iter();
    let proven = proven.filter(|[status]| status == "proven");
    assert_eq!((proofs.count(), proven.count()), (3, 3), "{table}");
    for more in [&[][..], &["--deep"]] {
        let (_, out) = starts("no/parent", more);
        assert_eq!(out.status.code(), Some(2));
        let told = text(&out.stderr);
        assert!(told.contains("cannot be written"), "{told}");
        assert!(!told.contains("proving"), "{told}");
    }
}

#[test]
fn starts_go_deeper_and_what_was_proven_so_settles_the_usual_report() {
    // First moves of losing chess, some of which lose after some ten thousand positions.
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let deep = [
        "starts",
        "antichess",
        "--deep",
        "--positions",
        "600000",
        "--out",
        out,
    ];
    let answered = report(&deep);
    assert_eq!(answered.status.code(), Some(3));
    let file = folder.path().join("starts-deep.csv");
    let table = fs::read_to_string(&file).expect("the report");
    let rows = cells(&table, ["after", "status", "certificate", "scope"]);
    assert_eq!(rows.len(), 21);
    let proven = |rows: &[[String; 4]]| -> BTreeSet<String> {
        let proven = rows.iter().filter(|row| row[1] == "proven");
        proven.map(|row| row[0].clone()).collect()
    };
    let lost = proven(&rows);
    for turn in ["d2d3", "d2d4", "e2e4"] {
        assert!(lost.contains(turn), "{lost:?}");
    }
    // It goes on where it was: nothing is left to do.
    assert_eq!(report(&deep).status.code(), Some(3));
    assert_eq!(fs::read_to_string(&file).expect("the report"), table);
    // A search that is too short leaves these open, but for the certificates.
    let proofs = folder.path().join("proofs");
    let proofs = proofs.to_str().expect("a path");
    let short = [
        "starts",
        "antichess",
        "--positions",
        "20",
        "--format",
        "csv",
        "--proofs",
    ];
    let usual = |proofs: &str| {
        let answered = report(&[short.as_slice(), &[proofs]].concat());
        let code = answered.status.code();
        (code, text(&answered.stdout), text(&answered.stderr))
    };
    let columns = ["after", "status", "certificate", "scope"];
    let (_, table, _) = usual("none");
    assert!(proven(&cells(&table, columns)).is_empty());
    let (code, table, _) = usual(proofs);
    assert_eq!(code, Some(3));
    let rows = cells(&table, columns);
    assert_eq!(proven(&rows), lost);
    let mut shown = rows.iter().filter(|row| row[1] == "proven");
    assert!(shown.all(|row| row[3] == "an earlier proof"));
    // One that is not about its question is refused.
    let (from, to) = (
        format!("{proofs}/antichess-d2d4.fpp"),
        format!("{proofs}/antichess-a2a3.fpp"),
    );
    fs::copy(from, to).expect("a copy");
    let (code, table, told) = usual(proofs);
    assert_eq!((code, table.as_str()), (Some(2), ""));
    assert!(told.contains("antichess-a2a3.fpp"), "{told}");
}

#[test]
fn long_certificates_are_told_by_their_hash_and_made_again_by_their_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let starts = |more: &[&str]| {
        let few = ["starts", "blunder-mate", "--format", "csv", "--out", out];
        let answered = report(&[&few, more].concat());
        assert_eq!(answered.status.code(), Some(3));
        text(&answered.stdout)
    };
    let columns = [
        "after",
        "status",
        "certificate",
        "certificate_sha256",
        "command",
    ];
    let limit = ["--longest-certificate", "260", "--positions", "60000"];
    let rows = cells(&starts(&limit), columns);
    let proven: Vec<_> = rows.iter().filter(|row| row[1] == "proven").collect();
    let kept = proven.iter().filter(|row| !row[2].is_empty()).count();
    assert!(kept > 0 && kept < proven.len(), "{proven:?}");
    for [after, _, file, sha256, command] in proven {
        assert_eq!(file.is_empty(), !sha256.is_empty());
        assert_eq!(command.is_empty(), sha256.is_empty());
        let named = format!("blunder-mate-{after}.fpp");
        assert_eq!(
            folder.path().join("proofs").join(&named).exists(),
            !file.is_empty()
        );
        if file.is_empty() {
            // The command is one that can be pasted into a shell.
            let (before, quoted) = command.split_once('\'').expect("a FEN");
            let (fen, behind) = quoted.split_once('\'').expect("its end");
            let mut words: Vec<&str> = before.split_whitespace().collect();
            words.push(fen);
            words.extend(behind.split_whitespace());
            assert_eq!(words.remove(0), "fairyproof");
            let mut command = Command::cargo_bin("fairyproof").expect("the program");
            let done = command.args(words).current_dir(folder.path()).output();
            assert!(done.expect("it runs").status.success());
            let bytes = fs::read(folder.path().join(&named)).expect("the certificate");
            assert!(bytes.len() > 260);
            assert_eq!(&format!("{:x}", Sha256::digest(&bytes)), sha256);
        }
    }
    // Nothing but what is kept depends on it.
    let usual = cells(&starts(&limit[2..]), columns);
    for (row, usual) in rows.iter().zip(&usual) {
        assert_eq!(row[..2], usual[..2]);
    }
}

/// Definitions of two rule sets.
const DEFINITIONS: &str = "[mine:chess]\npieceToCharTable = -\ncustomPiece1 = a:NW\n\
    promotionPieceTypes = aq\nstartFen = 4k3/pppppppp/8/8/8/8/PPPPPPPP/A3K3 w - - 0 1\n\n\
    [tiny:chess]\nmaxFile = 4\nmaxRank = 5\nstartFen = knbr/pppp/4/PPPP/KNBR w - - 0 1\n";

fn rules_file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.ini");
    fs::write(&path, DEFINITIONS).expect("a file");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn reports_accept_rule_sets_from_files_and_the_library() {
    let (_folder, rules) = rules_file();
    let out = report(&["endgames", "tiny", "--rules", &rules, "--format", "csv"]);
    let table = text(&out.stdout);
    assert!(
        table.contains("\ntiny,4x5,"),
        "{table}{}",
        text(&out.stderr)
    );
    let [endings, complete] = cells(&table, ["endings", "complete"]).remove(0);
    assert!(number(&endings) > 0);
    assert_eq!(endings, complete);
    let out = report(&[
        "small-boards",
        "tiny",
        "--rules",
        &rules,
        "--max-states",
        "300",
        "--max-files",
        "4",
        "--format",
        "csv",
    ]);
    let table = text(&out.stdout);
    assert!(
        table.contains("\ntiny,4x5,"),
        "{table}{}",
        text(&out.stderr)
    );
    let out = report(&["endgames", "breakthrough", "--format", "csv"]);
    assert!(
        matches!(out.status.code(), Some(0 | 3)),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn design_report_is_the_same_for_any_threads_and_has_all_topics() {
    let (folder, rules) = rules_file();
    let pages = folder.path().join("pages").to_string_lossy().into_owned();
    let run = |threads: &str| {
        report(&[
            "design",
            "tiny",
            "--rules",
            &rules,
            "--threads",
            threads,
            "--format",
            "csv",
            "--out",
            &pages,
        ])
    };
    let (one, two) = (run("1"), run("2"));
    assert!(
        matches!(one.status.code(), Some(0 | 3)),
        "{}",
        text(&one.stderr)
    );
    assert_eq!(text(&one.stdout), text(&two.stdout));
    let table = text(&one.stdout);
    let rows = cells(&table, ["topic", "figure", "value"]);
    let topics: BTreeSet<&str> = rows.iter().map(|[topic, ..]| topic.as_str()).collect();
    let expected = [
        "endings",
        "first turns",
        "longest play",
        "random games",
        "reduced arrays",
        "start",
    ];
    assert_eq!(topics, BTreeSet::from(expected));
    let value = |figure: &str| {
        let row = rows.iter().find(|[_, found, _]| found.starts_with(figure));
        row.map_or("", |[_, _, value]| value.as_str())
    };
    // Reports and claims end random games at the same length.
    let length = MAX_RANDOM_GAME_PLIES;
    assert!(
        table.contains(&format!("random games of at most {length} plies")),
        "{table}"
    );
    let guide = crate::run::answer(&["guide", "claims"]);
    assert!(guide.contains(&format!("end after {length} plies")));
    assert_eq!(value("arrays of the sides"), "the same, reflected");
    assert_eq!(value("outcome"), "ongoing");
    let page = fs::read_to_string(Path::new(&pages).join("design.html")).expect("a page");
    assert!(page.contains("<h2>random games</h2>"));
    assert!(table.contains("win in 1 ply for"), "{table}");
    assert!(!table.contains(" 1 plies"), "{table}");
}

#[test]
fn design_report_has_the_endings_with_the_royal_units_of_the_start() {
    let endings = |variant: &str| -> Vec<[String; 2]> {
        let out = report(&["design", variant, "--format", "csv"]);
        let table = text(&out.stdout).to_string();
        let rows = cells(&table, ["topic", "figure", "complete"]);
        let mut found: Vec<[String; 2]> = rows
            .into_iter()
            .filter(|[topic, ..]| topic == "endings")
            .map(|[_, figure, complete]| [figure, complete])
            .collect();
        found.dedup();
        found
    };
    let named = |names: &[&str]| -> Vec<[String; 2]> {
        let row = |name: &&str| [name.to_string(), "complete".to_string()];
        names.iter().map(row).collect()
    };
    let orthodox = ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"];
    assert_eq!(endings("fide"), named(&orthodox));
    // The sides are not alike.
    let swapped = ["KvKB", "KvKN", "KvKP", "KvKQ", "KvKR"];
    assert_eq!(endings("legan"), named(&[orthodox, swapped].concat()));
}

#[test]
fn rule_sets_without_a_reduced_array_are_skipped_by_name() {
    let limits = ["--max-files", "3", "--max-ranks", "3", "--format", "csv"];
    let ids = ["small-boards", "fide", "french-revolution"];
    let out = report(&[&ids[..], &limits].concat());
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.lines().skip(1).all(|line| line.starts_with("fide,")));
    assert!(text.lines().count() > 1);
    let notes = String::from_utf8_lossy(&out.stderr);
    assert!(
        notes.contains("french-revolution") && notes.contains("skipped"),
        "{notes}"
    );
    let alone = report(&[&["small-boards", "french-revolution"][..], &limits].concat());
    assert_eq!(alone.status.code(), Some(2));
}

/// The limits of [`hill_boards`].
const HILL_LIMITS: [&str; 6] = [
    "--max-files",
    "3",
    "--max-ranks",
    "3",
    "--max-states",
    "3000",
];

/// Returns the answer of `report small-boards` for a king's walk to the center of the board, as CSV.
fn hill_boards(more: &[&str]) -> (String, std::process::Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hill.ini");
    let hill = "[hill:chess]\ncastling = false\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n";
    fs::write(&path, hill).expect("a file");
    let rules = path.to_str().expect("UTF-8");
    let common = ["small-boards", "hill", "--rules", rules, "--format", "csv"];
    let out = report(&[&common[..], &HILL_LIMITS, more].concat());
    (text(&out.stdout), out, folder)
}

#[test]
fn arrays_of_a_definition_are_generated_solved_and_certified() {
    let (table, out, _folder) = hill_boards(&[]);
    assert!(
        matches!(out.status.code(), Some(0 | 3)),
        "{}",
        text(&out.stderr)
    );
    let rows = cells(
        &table,
        ["board", "fen", "complete", "states", "certified_states"],
    );
    assert_eq!(rows.len(), 5, "{table}");
    let mut fens = BTreeSet::new();
    for [board, fen, complete, states, certified] in &rows {
        assert_eq!(board, "3x3", "the center needs three files");
        assert!(fen.contains('K') && fen.contains('k'), "{fen}");
        assert!(fens.insert(fen), "{fen} occurs twice");
        match complete.as_str() {
            "complete" => assert_eq!(states, certified, "{fen}"),
            limit => assert_eq!((limit, states.as_str()), ("max-states", "3000"), "{fen}"),
        }
    }
    // The queen alone, and the queen against the queen.
    for part in ["2k/3/1QK ", "1qk/3/1QK "] {
        let has = |row: &[String; 5]| row[1].starts_with(part);
        assert!(rows.iter().any(has), "{part}: {table}");
    }
    // Each array is a part of the start: a run of files that contains the kings.
    for [_, fen, ..] in &rows {
        let ranks: Vec<&str> = fen.split(' ').next().expect("a board").split('/').collect();
        let cells = |rank: &str| -> String {
            let cell = |c: char| match c.to_digit(10) {
                Some(vacant) => ".".repeat(vacant as usize),
                None => c.to_string(),
            };
            rank.chars().map(cell).collect()
        };
        let back = ["rnbqkbnr", "RNBQKBNR"];
        let is_part = |whole: &str, first: usize, rank: &str| {
            let own = whole.chars().skip(first);
            cells(rank)
                .chars()
                .zip(own)
                .all(|(c, own)| c == '.' || c == own)
        };
        let windows = 2..=4;
        let fits =
            |first: usize| is_part(back[0], first, ranks[0]) && is_part(back[1], first, ranks[2]);
        assert!(
            windows.into_iter().any(fits) && cells(ranks[1]) == "...",
            "{fen}"
        );
    }
    let said = text(&out.stderr);
    assert!(
        said.contains("hill: skipped 2x3: `flagRegionWhite = "),
        "{said}"
    );
    assert!(said.contains("`maxFile = b`, `maxRank = 3`"), "{said}");
}

#[test]
fn stopped_small_boards_are_resumed_and_parts_of_other_runs_are_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("UTF-8");
    let (table, out, rules) = hill_boards(&["--out", to]);
    assert!(
        matches!(out.status.code(), Some(0 | 3)),
        "{}",
        text(&out.stderr)
    );
    let file = folder.path().join("small-boards.csv");
    assert_eq!(fs::read_to_string(&file).expect("the report"), table);
    let part = folder.path().join("small-boards.csv.part");
    assert!(!part.exists());
    let lengths = folder.path().join("small-boards-lengths.csv");
    assert!(
        fs::read_to_string(lengths)
            .expect("lengths")
            .starts_with("variant,board,fen,")
    );
    // Two rows, one of them marked to see that it is not solved again.
    let mut catalog = Catalog::new();
    catalog
        .add_file(&rules.path().join("hill.ini"))
        .expect("definitions");
    let identity = catalog.open("hill").expect("a variant").identity();
    let version = env!("CARGO_PKG_VERSION");
    let mark = |run: &str| {
        let mut lines = table.lines();
        let header = lines.next().expect("a header");
        let solved = lines.filter(|line| line.contains(",complete,"));
        let two: Vec<&str> = solved.take(2).collect();
        let mut values = [",win,", ",draw,", ",loss,"].into_iter();
        let value = values.find(|value| two[0].contains(value));
        let marked = two[0].replacen(value.expect("a value"), ",marked,", 1);
        fs::write(&part, format!("{run}\n{header}\n{marked}\n{}\n", two[1])).expect("a part");
    };
    let run = |rules: &Path| {
        let rules = rules.to_str().expect("UTF-8");
        let out = report(
            &[
                &[
                    "small-boards",
                    "hill",
                    "--rules",
                    rules,
                    "--format",
                    "csv",
                    "--out",
                    to,
                ],
                &HILL_LIMITS[..],
            ]
            .concat(),
        );
        text(&out.stdout)
    };
    let rules = rules.path().join("hill.ini");
    mark(&format!(
        "fairyproof {version} [Some(3), Some(3), Some(3000)] {identity}"
    ));
    let resumed = run(&rules);
    assert!(resumed.contains(",marked,"), "{resumed}");
    assert_eq!(resumed.lines().count(), table.lines().count());
    mark(&format!(
        "fairyproof {version} [Some(3), Some(3), Some(4000)] {identity}"
    ));
    assert_eq!(run(&rules), table);
    fs::write(
        &part,
        format!("fairyproof {version} [Some(3), Some(3), Some(3000)] {identity}\nno table\nx,y\n"),
    )
    .expect("a part");
    assert!(run(&rules).is_empty());
}

#[test]
fn small_boards_refuse_limits_that_are_none() {
    for (option, value) in [
        ("--max-files", "1"),
        ("--max-ranks", "17"),
        ("--max-states", "0"),
        ("--max-files", "x"),
    ] {
        let out = report(&["small-boards", "fide", option, value]);
        assert_eq!(out.status.code(), Some(2), "{option} {value}");
        assert!(text(&out.stderr).contains(option), "{}", text(&out.stderr));
    }
}

#[test]
fn small_boards_carry_holes_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hole.ini");
    let section = "[hole:chess]\nmaxFile = 5\nmaxRank = 5\nholes = c3\ndoubleStep = false\ncastling = false\n\
                startFen = rnbqk/5/2*2/5/RNBQK w - - 0 1\n";
    fs::write(&path, section).expect("a file");
    let out = report(&[
        "small-boards",
        "hole",
        "--rules",
        &path.to_string_lossy(),
        "--max-files",
        "3",
        "--max-states",
        "3000",
        "--format",
        "csv",
    ]);
    let rows = cells(&text(&out.stdout), ["board", "fen", "complete"]);
    let solved =
        |board: &str, fen: &str| rows.contains(&[board, fen, "complete"].map(str::to_owned));
    assert!(
        solved("3x3", "1qk/1*1/1QK w - - 0 1"),
        "{rows:?} {}",
        text(&out.stderr)
    );
}
