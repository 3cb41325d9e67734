//! `fairyproof table` as a user types it.

use assert_cmd::Command;
use predicates::str::{contains, starts_with};

fn table(folder: &std::path::Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("fairyproof")
        .unwrap()
        .arg("table")
        .args(arguments)
        .env("FAIRYPROOF_TABLES", folder)
        .assert()
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
    .stdout(contains(format!("\n-,win,{plies}\n{first},win,{plies}\n")));
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
        &["build", "fide", "KRvK", "--board", "8"],
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
