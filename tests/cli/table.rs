//! `fairyproof table` as a user types it.

use crate::run::program;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

/// Runs the program with a folder of tables.
fn with_tables(folder: &std::path::Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    program(arguments).env("FAIRYPROOF_TABLES", folder).assert()
}

fn table(folder: &std::path::Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    with_tables(folder, &[&["table"], arguments].concat())
}

#[test]
fn three_commands_show_the_longest_win() {
    let folder = tempfile::tempdir().unwrap();
    let small = |command: &'static str| [command, "bachelor", "KRvK", "--board", "5x4"];
    table(folder.path(), &small("stats"))
        .code(2)
        .stderr(contains("table build"));
    table(folder.path(), &small("build")).code(0);
    table(folder.path(), &small("build"))
        .code(0)
        .stdout(contains(" 0 classes built"));
    let stats = [&small("stats")[..], &["--format", "csv"]].concat();
    let stats = table(folder.path(), &stats).code(0).stdout(starts_with(
        "variant,board,signature,side,positions,legal,wins,weak_wins,draws,weak_losses,losses,\
         longest_win_plies,longest_win_fen,longest_loss_plies,longest_loss_fen\nbachelor,5x4,KRvK,w,",
    ));
    let text = String::from_utf8(stats.get_output().stdout.clone()).unwrap();
    let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    let (plies, fen) = (row[11], row[12]);
    table(folder.path(), &small("check"))
        .code(0)
        .stdout(contains("all values certified"));

    let longest = table(folder.path(), &small("longest")).code(0);
    let text = String::from_utf8(longest.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], fen);
    assert_eq!(lines[1], format!("{plies} plies"));
    assert_eq!(lines[2].split(' ').count().to_string(), plies);
    assert!(lines[3].starts_with("white-wins "), "{text}");

    let first = lines[2].split(' ').next().unwrap();
    table(
        folder.path(),
        &["probe", "bachelor", fen, "--format", "csv"],
    )
    .code(0)
    .stdout(contains(format!(
        "fen,turn,value,plies\n{fen},-,win,{plies}\n{fen},{first},win,{plies}\n"
    )));
    table(folder.path(), &["list"])
        .code(0)
        .stdout(contains("KRvK-w"));
}

#[test]
fn what_cannot_be_done_has_its_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    for wrong in [
        &["build", "fide", "KRK"][..],
        &["build", "fide", "KXvK"],
        &["build", "fide", "KRvR"],
        &["build", "dowager", "KKvQ"],
        &["build", "fide", "KRvK", "--board", "8"],
        &["build", "fide", "KQQQvK", "--board", "2x2"],
        &["build", "fied", "KRvK"],
        &["probe", "fide", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"],
    ] {
        table(folder.path(), wrong).code(2);
    }
    table(
        folder.path(),
        &["build", "fide", "KRRvKR", "--memory", "1M"],
    )
    .code(3)
    .stderr(contains("needs about"));
}

#[test]
fn other_commands_look_positions_up_when_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let fen = "3k/4/R3/K3 w - - 0 1";
    let outcome = ["outcome", "fide", fen];
    let asked = [&outcome[..], &["--tables"]].concat();
    with_tables(folder.path(), &outcome)
        .code(0)
        .stdout("ongoing\n");
    with_tables(folder.path(), &asked)
        .code(0)
        .stdout("ongoing\nno-table\n");
    table(folder.path(), &["build", "fide", "KRvK", "--board", "4x4"]).code(0);
    with_tables(folder.path(), &outcome)
        .code(0)
        .stdout("ongoing\n");
    let found = with_tables(folder.path(), &asked).code(0);
    let text = String::from_utf8(found.get_output().stdout.clone()).unwrap();
    let plies: u32 = text
        .strip_prefix("ongoing\nwin ")
        .and_then(|rest| rest.trim().parse().ok())
        .unwrap_or_else(|| panic!("{text}"));
    // Another folder, named.
    let elsewhere = tempfile::tempdir().unwrap();
    let named = format!("--tables={}", folder.path().display());
    with_tables(elsewhere.path(), &["outcome", "fide", fen, &named])
        .code(0)
        .stdout(text);

    let played = with_tables(
        folder.path(),
        &["play", "fide", "--fen", fen, "--tables", "a2b2"],
    )
    .code(0);
    let text = String::from_utf8(played.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.lines().nth(2).unwrap().starts_with("loss "), "{text}");

    let moves = plies.div_ceil(2);
    for (stipulation, code) in [
        (format!("#{moves}"), 0),
        (format!("win {moves}"), 0),
        (format!("#{}", moves - 1), 1),
    ] {
        let solve = ["solve", "fide", "--fen", fen, &stipulation, "--keys"];
        let searched = with_tables(folder.path(), &solve).code(code);
        let keys = searched.get_output().stdout.clone();
        with_tables(folder.path(), &[&solve[..], &["--tables"]].concat())
            .code(code)
            .stdout(keys);
    }
}

#[test]
fn report_of_endings_is_the_same_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = |threads: &str| {
        let out = folder.path().join(threads);
        let out = out.to_str().unwrap();
        with_tables(
            folder.path(),
            &[
                "report",
                "endgames",
                "xenophobic",
                "fide",
                "clerical",
                "--out",
                out,
                "--threads",
                threads,
            ],
        )
        .code(0)
        .stdout(contains("fide"));
        std::fs::read_to_string(format!("{out}/endgames.csv")).unwrap()
    };
    let report = file("1");
    assert_eq!(report, file("2"));
    assert!(report.starts_with("variant,board,signature,side,positions,legal,"));
    let row = report
        .lines()
        .find(|line| line.starts_with("fide,8x8,KRvK,w,"))
        .unwrap();
    assert!(row.starts_with("fide,8x8,KRvK,w,249984,175168,175168,0,0,0,0,31,"));
    assert!(row.ends_with(",complete"), "{row}");
    let short = with_tables(
        folder.path(),
        &[
            "report",
            "endgames",
            "fide",
            "--memory",
            "1M",
            "--out",
            folder.path().to_str().unwrap(),
        ],
    );
    short.code(3);
    let report = std::fs::read_to_string(folder.path().join("endgames.csv")).unwrap();
    assert!(report.contains(",memory\n"), "{report}");
    with_tables(folder.path(), &["report", "endgames", "fied"]).code(2);
}

#[test]
fn answers_to_several_positions_are_one_document() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path(), &["build", "fide", "KQvK", "--board", "4x4"]).code(0);
    let lines = "4/2k1/4/KQ2 w - - 0 1\nx\n4/2k1/4/K2Q b - - 0 1\n";
    let probe = |format: &str| {
        let output = program(&["table", "probe", "fide", "-", "--format", format])
            .env("FAIRYPROOF_TABLES", folder.path())
            .write_stdin(lines)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let csv = probe("csv");
    assert_eq!(csv.matches("fen,turn,value,plies\n").count(), 1, "{csv}");
    assert!(csv.contains("\n4/2k1/4/K2Q b - - 0 1,-,loss,"), "{csv}");
    let json = probe("json");
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(rows.len(), csv.lines().count() - 1, "{json}");
    assert!(rows.iter().all(|row| row["fen"].is_string()), "{json}");
    assert!(rows.iter().any(|row| row["plies"].is_u64()), "{json}");
    // A position may also be named by an option.
    let fen = "4/2k1/4/KQ2 w - - 0 1";
    let named = table(folder.path(), &["probe", "fide", "--fen", fen]).code(0);
    let beside = table(folder.path(), &["probe", "fide", fen]).code(0);
    assert_eq!(named.get_output().stdout, beside.get_output().stdout);
    let longest = [
        "longest", "fide", "KQvK", "--board", "4x4", "--format", "json",
    ];
    let longest = table(folder.path(), &longest).code(0);
    let rows: serde_json::Value = serde_json::from_slice(&longest.get_output().stdout).unwrap();
    let line = rows[0]["line"].as_array().unwrap();
    assert_eq!(rows[0]["plies"].as_u64(), Some(line.len() as u64), "{rows}");
    assert_eq!(rows[0]["outcome"], "white-wins checkmate");
}

#[test]
fn listed_names_are_what_is_typed() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, signature, board) in [
        ("fide", "KQvK", "4x4"),
        ("spartan:moves=3", "KvK", "2x4"),
        ("chromopolis", "KNvK;bound=Nn", "3x4"),
    ] {
        let build = ["build", variant, signature, "--board", board];
        let run = table(folder.path(), &build);
        let output = run.get_output();
        assert_eq!(output.status.code(), Some(0), "{variant}: {output:?}");
    }
    let list = table(folder.path(), &["list", "--format", "json"]).code(0);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&list.get_output().stdout).unwrap();
    let mut states = 0;
    for row in &rows {
        let text = |name: &str| row[name].as_str().unwrap().to_string();
        let [variant, board, signature] = ["variant", "board", "signature"].map(text);
        let stats = ["stats", &variant, &signature, "--board", &board];
        // Of a signature both sides are asked: built with it, or with what it leads to.
        let run = table(folder.path(), &stats);
        let output = run.get_output();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let known = output.status.code() == Some(0) || told.contains("there is no table of");
        assert!(known, "{row}: {told}");
        states += usize::from(signature.contains(';'));
    }
    assert!(states > 1, "{rows:?}");
}

#[test]
fn clocks_as_long_as_games_are_no_burden() {
    // A class for each number of the move and side: thousands, each settled by the next.
    let folder = tempfile::tempdir().unwrap();
    let build = ["build", "spartan:moves=2000", "KvK", "--board", "2x4"];
    let run = table(folder.path(), &build).code(0);
    let told = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(told.contains("4000 classes built"), "{told}");
    let fen = "2/k1/2/K1 w - - 0 1";
    let probe = ["probe", "spartan:moves=2000", fen];
    let run = table(folder.path(), &probe).code(0);
    let told = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(told.contains("win") && told.contains(" 4000"), "{told}");
    let build = ["build", "spartan:moves=4100", "KvK", "--board", "2x4"];
    let run = table(folder.path(), &build).code(3);
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.contains("a distance exceeds 8191 plies"), "{told}");
}

#[test]
fn tables_of_definitions_are_built_and_where_castling_wins_refused() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path(), &["build", "wolf", "KRvK"]).code(0);
    table(folder.path(), &["build", "grand", "KRvK"]).code(0);
    let probe = [
        "probe",
        "grand",
        "10/10/10/10/4k5/10/10/1R8/10/K9 w - - 0 1",
    ];
    table(folder.path(), &probe).code(0).stdout(contains("win"));
    table(folder.path(), &["build", "horde", "RvK"]).code(0);
    let rules = folder.path().join("rules.ini");
    std::fs::write(&rules, "[races:chess]\ncastlingWins = kq\n").unwrap();
    let build = ["build", "races", "KRvK", "--rules", rules.to_str().unwrap()];
    table(folder.path(), &build)
        .code(2)
        .stderr(contains("castling rights"));
}

#[test]
fn empty_and_outdated_tables_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("small.ini");
    let rules = rules.to_str().unwrap();
    let define = |more: &str| {
        let text = "maxFile = d\nmaxRank = 4\nstartFen = kr2/4/4/2RK w - - 0 1\ncastling = false\n\
                    doubleStep = false\npromotionRegionWhite = *4\npromotionRegionBlack = *1\n";
        std::fs::write(rules, format!("[small:chess]\n{text}{more}")).unwrap();
    };
    let list = |rules: &[&str]| {
        let list = [&["list", "--format", "csv"], rules].concat();
        let run = table(folder.path(), &list).code(0);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    // No pawn is on the board at the start, so none is ever there.
    define("");
    for signature in ["KPvK", "KRvKP"] {
        table(
            folder.path(),
            &["build", "small", signature, "--rules", rules],
        )
        .code(2)
        .stderr(contains("reach 0 squares in games").and(contains("would be empty")));
    }
    table(folder.path(), &["build", "small", "KvK", "--rules", rules]).code(0);
    assert!(list(&["--rules", rules]).ends_with(",yes,full\n"));
    // Other rules of the same name.
    define("stalemateValue = loss\n");
    assert!(list(&["--rules", rules]).ends_with(",outdated,full\n"));
    assert!(list(&[]).ends_with(",unknown,full\n"));
    // Kings that can only be next to each other.
    let kings = ["build", "fide", "KvK", "--board", "2x1"];
    table(folder.path(), &kings)
        .code(0)
        .stderr(contains("note: no position of KvK is legal"));
    assert!(list(&[]).contains("fide,2x1,KvK,KvK-w,1,"));
    assert!(list(&[]).contains(",empty,full\n"));
    // Bishops of one color are placed on squares of both.
    let bishops = ["build", "fide", "KBBvK", "--board", "2x2"];
    table(folder.path(), &bishops)
        .code(0)
        .stderr(contains("no position of KBBvK is legal"));
}

/// `--board` needs no holes: the definition says where they are.
#[test]
fn boards_of_definitions_have_their_holes() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("hole.ini");
    let text = "[hole:chess]\nmaxFile = 5\nmaxRank = 5\nholes = c3\ndoubleStep = false\ncastling = false\n\
                startFen = rnbqk/5/2*2/5/RNBQK w - - 0 1\n";
    std::fs::write(&rules, text).unwrap();
    let rules = ["--rules", rules.to_str().unwrap()];
    for board in ["5x5", "3x5"] {
        let build = ["build", "hole", "KQvK", "--board", board];
        table(folder.path(), &[&build[..], &rules].concat()).code(0);
    }
    let longest = ["longest", "hole", "KQvK", "--board", "3x5"];
    table(folder.path(), &[&longest[..], &rules].concat())
        .code(0)
        .stdout(contains("/1*1/"));
    table(folder.path(), &[&["list"][..], &rules].concat())
        .code(0)
        .stdout(contains("3x5-holes80    KQvK").and(contains("5x5-holes1000  KQvK")));
    let larger = ["build", "hole", "KQvK", "--board", "6x6"];
    table(folder.path(), &[&larger[..], &rules].concat())
        .code(2)
        .stderr(contains("its own board of 5x5 and smaller ones"));
}

#[test]
fn too_little_memory_for_work_on_disk_names_what_is_enough() {
    let [tables, work] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    let build = |memory: &str| {
        let work = work.path().to_str().unwrap();
        let small = ["build", "fide", "KRvK", "--board", "4x4", "--disk", work];
        table(
            tables.path(),
            &[&small[..], &["--threads", "1", "--memory", memory]].concat(),
        )
    };
    for memory in ["12M", "24M", "30M"] {
        let refused = build(memory).code(2);
        let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        let (_, least) = told
            .split_once("at least about ")
            .unwrap_or_else(|| panic!("{told}"));
        let least: u64 = least.trim().trim_end_matches('M').parse().expect("a size");
        assert!((30..80).contains(&least), "{told}");
        build(&format!("{least}M")).code(0);
        for entry in std::fs::read_dir(tables.path()).unwrap() {
            std::fs::remove_dir_all(entry.unwrap().path()).unwrap();
        }
    }
}

/// Passes are part of the state: where the sides are alike, they are exchanged with the units.
#[test]
fn classes_with_a_state_are_found_with_sides_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("passing.ini");
    let text = "[passing]\nmaxFile = 4\nmaxRank = 4\npawn = b\ncustomPiece1 = p:cRR\nqueen = k\n\
                doubleStep = false\npromotionRegionWhite = *4\npromotionRegionBlack = *1\n\
                promotionPieceTypes = kk\ncastling = false\nextinctionPseudoRoyal = true\n\
                extinctionValue = loss\nextinctionPieceTypes = k\npass = true\n\
                startFen = 1k2/4/4/2K1 w - - 0 1\n";
    std::fs::write(&rules, text).unwrap();
    let rules = rules.to_str().unwrap();
    for command in ["build", "check"] {
        table(
            folder.path(),
            &[command, "passing", "KvK", "--rules", rules],
        )
        .code(0);
    }
    let fen = "4/4/2k1/K3 b - - 0 1";
    table(folder.path(), &["probe", "passing", fen, "--rules", rules]).code(0);
}

#[test]
fn batches_have_the_answers_of_single_positions() {
    let folder = tempfile::tempdir().unwrap();
    table(folder.path(), &["build", "bachelor", "KRvK"]).code(0);
    let fens = [
        "7/1k5/7/7/7/RK5 w - - 0 1",
        "k6/7/7/7/7/R5K b - - 0 1",
        "k7/7/7/7/7/R5K b - - 0 1",
        "k6/7/7/7/7/5QK b - - 0 1",
        "7/7/3k3/7/3K3/6R w - - 4 9",
        "k6/7/7/7/7/R5K w Q - 0 1",
        "8/8/3k4/8/8/3K4/8/8 w - - 4 9",
    ];
    let answer = |arguments: &[&str], input: &str| {
        let output = program(arguments)
            .env("FAIRYPROOF_TABLES", folder.path())
            .write_stdin(input)
            .output()
            .unwrap();
        // The message about one position is on standard error; in a batch of texts it is in its place.
        let text = String::from_utf8(output.stdout).unwrap();
        match text.is_empty() && !arguments.contains(&"csv") {
            true => {
                let message = String::from_utf8(output.stderr).unwrap();
                let error = message.lines().find(|line| line.starts_with("error: "));
                format!("{}\n", error.unwrap_or_default())
            }
            false => text,
        }
    };
    let all = fens.join("\n");
    for (batch, header) in [
        (&["outcome", "bachelor", "-", "--tables"][..], ""),
        (&["outcome", "bachelor", "-"], ""),
        (&["table", "probe", "bachelor", "-"], ""),
        (
            &["table", "probe", "bachelor", "-", "--format", "csv"],
            "fen,turn,value,plies\n",
        ),
    ] {
        let mut single = String::new();
        for fen in fens {
            let arguments: Vec<&str> = batch
                .iter()
                .map(|word| if *word == "-" { fen } else { word })
                .collect();
            let one = answer(&arguments, "");
            single += one.strip_prefix(header).unwrap_or(&one);
        }
        assert!(!single.is_empty());
        assert_eq!(
            answer(batch, &all),
            format!("{header}{single}"),
            "{batch:?}"
        );
    }
}

#[test]
fn all_positions_of_the_longest_win_are_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let small = |command: &'static str| [command, "bachelor", "KRvK", "--board", "5x4"];
    table(folder.path(), &small("build")).code(0);
    let first = table(folder.path(), &small("longest")).code(0);
    let first = String::from_utf8(first.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = first.lines().collect();
    let all = table(folder.path(), &[&small("longest")[..], &["--all"]].concat()).code(0);
    let all = String::from_utf8(all.get_output().stdout.clone()).unwrap();
    let fens: std::collections::BTreeSet<&str> = all.lines().collect();
    assert!(fens.contains(lines[0]), "{all}");
    assert_eq!(fens.len(), all.lines().count());
    let plies = lines[1].trim_end_matches(" plies");
    for fen in fens {
        table(
            folder.path(),
            &["probe", "bachelor", fen, "--format", "csv"],
        )
        .code(0)
        .stdout(contains(format!("{fen},-,win,{plies}\n")));
    }
    let csv = [&small("longest")[..], &["--all", "--format", "csv"]].concat();
    let csv = table(folder.path(), &csv).code(0);
    let rows = String::from_utf8(csv.get_output().stdout.clone()).unwrap();
    assert_eq!(rows.lines().count(), 1 + all.lines().count());
}

/// Returns the lost positions of a table, as placement and side to move.
fn losses(
    folder: &std::path::Path,
    table_args: &[&str],
) -> std::collections::HashSet<(String, String)> {
    let list = table(folder, &[table_args, &["true", "--format", "csv"]].concat());
    let text = String::from_utf8(list.get_output().stdout.clone()).unwrap();
    let rows = text
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>());
    let lost = rows.filter(|row| row[4] == "loss");
    lost.map(|row| {
        let mut fields = row[3].split(' ').map(str::to_owned);
        (fields.next().unwrap(), fields.next().unwrap())
    })
    .collect()
}

/// A mutual zugzwang is lost for each side to move: both positions are in a list of all losses.
#[test]
fn mutual_zugzwangs_are_those_of_the_losses_of_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let mut counts = Vec::new();
    for (signature, board) in [("KRvKN", "4x5"), ("KQvKR", "4x4"), ("KPvKP", "4x5")] {
        let place = ["fide", signature];
        table(
            folder.path(),
            &["build", "fide", signature, "--board", board],
        )
        .code(0);
        let find = |condition: &str| {
            let args = [
                &["find"],
                &place[..],
                &[condition, "--board", board, "--count"],
            ]
            .concat();
            let found = table(folder.path(), &args);
            let text = String::from_utf8(found.get_output().stdout.clone()).unwrap();
            text.trim().parse::<usize>().unwrap()
        };
        let lost = losses(
            folder.path(),
            &["find", "fide", signature, "--board", board],
        );
        assert_eq!(find("value == 'loss'"), lost.len(), "{signature}");
        let flipped = |(board, side): &(String, String)| {
            let other = if side == "w" { "b" } else { "w" };
            lost.contains(&(board.clone(), other.to_owned()))
        };
        let both = lost.iter().filter(|position| flipped(position)).count();
        assert_eq!(
            find("value == 'loss' && flip.value == 'loss'"),
            both,
            "{signature}"
        );
        counts.push(both);
    }
    assert!(counts[2] > 0, "{counts:?}");
}

#[test]
fn tables_of_values_only_answer_without_distances() {
    let folder = tempfile::tempdir().unwrap();
    let small = |command: &'static str| [command, "fide", "KQvKR", "--board", "5x4"];
    let text = |arguments: &[&str]| {
        let run = table(folder.path(), arguments).code(0);
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let values = [&small("build")[..], &["--values-only"]].concat();
    table(folder.path(), &[&values[..], &["--disk", "x"]].concat()).code(2);
    assert!(text(&values).starts_with("KQvKR: values only; 7 classes, "));
    let list = text(&["list", "--format", "csv"]);
    assert_eq!(list.lines().count(), 1 + 7);
    assert!(
        list.lines()
            .skip(1)
            .all(|row| row.ends_with(",values-only")),
        "{list}"
    );

    // What needs distances is refused.
    for arguments in [
        &small("longest")[..],
        &small("check"),
        &[&small("stats")[..], &["--plies"]].concat(),
        &[&small("find")[..], &["plies > 3"]].concat(),
    ] {
        table(folder.path(), arguments).code(2).stderr(
            contains("has values only, no distances").and(contains("table build fide KQvKR")),
        );
    }
    // What does not is answered as from the full table.
    let fen = "3k1/5/1r3/K3Q w - - 0 1";
    let stats = [&small("stats")[..], &["--format", "csv"]].concat();
    let condition = "turns.exists_one(t, t.after.value == 'loss')";
    let find = [&small("find")[..], &[condition, "--format", "csv"]].concat();
    let probe = ["probe", "fide", fen, "--format", "csv"];
    let without = [text(&stats), text(&find), text(&probe)];
    table(folder.path(), &probe[..3])
        .code(0)
        .stdout(contains("  win"));
    table(folder.path(), &small("build")).code(0);
    let full = [text(&stats), text(&find), text(&probe)];
    // The turns of equal value are in another order, and the distances are missing.
    let columns = |text: &str, count: usize| {
        let row = |row: &str| {
            row.split(',')
                .take(count)
                .map(String::from)
                .collect::<Vec<_>>()
        };
        let mut rows: Vec<_> = text.lines().map(row).collect();
        rows.sort();
        rows
    };
    for (n, count) in [(0, 11), (1, 5), (2, 3)] {
        assert!(full[n].lines().count() > 2);
        assert_eq!(columns(&without[n], count), columns(&full[n], count));
        assert_ne!(without[n], full[n]);
    }

    // A damaged file is refused.
    let full_tables = std::fs::remove_file(folder.path().join("fide/5x4/KQvKR-w.fpt"));
    full_tables.unwrap();
    let path = folder.path().join("fide/5x4/KQvKR-w.fpv");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    table(folder.path(), &probe)
        .code(2)
        .stderr(contains("KQvKR-w.fpv"));
    table(folder.path(), &["list"])
        .code(2)
        .stderr(contains("KQvKR-w.fpv"));
}
