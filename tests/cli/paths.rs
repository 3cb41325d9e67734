//! Outputs replace neither inputs nor each other, whatever their names are.

use crate::run::{folder, holds, program, run};
use std::fs;
use std::path::Path;

const RULES: &str = "[lone:fide]\nstart = 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
const CLAIMS: &str = "[page]\ntitle = \"A page\"\nvariant = \"fide\"\nrules = [\"other.ini\"]\n\
                      [[claim]]\nid = \"one\"\nsays = \"one\"\nsum = \"1\"\nis = 1\n";
const MATE: &str = "7k/8/8/8/8/8/8/KRR5 w - - 0 1";

/// Returns the names and contents of all files below a folder.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => all.extend(contents(&path)),
            false => all.push((path.display().to_string(), fs::read(&path).expect("a file"))),
        }
    }
    all.sort();
    all
}

/// Asserts that a command in a folder is refused for a reason, and changes no file.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], why: &str) {
    let before = contents(folder);
    let mut command = program(arguments);
    command
        .current_dir(folder)
        .env("FAIRYPROOF_RULES", "environment.ini");
    let output = command.output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    holds(&error, &[why]);
    assert_eq!(contents(folder), before, "{arguments:?}");
}

/// Returns a folder with rules, claims, a puzzle file and a certificate.
fn place() -> (tempfile::TempDir, String) {
    let (place, name) = folder();
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).expect("a file");
    write("q.ini", RULES);
    write("environment.ini", &RULES.replace("lone", "alone"));
    write("other.ini", &RULES.replace("lone", "other"));
    write("y.toml", CLAIMS);
    write(
        "p.toml",
        "[[puzzle]]\nid = \"p\"\nvariant = \"fide\"\nfen = \"7k/8/8/8/8/8/8/KRR5 w - - 0 1\"\nstipulation = \"#2\"\n",
    );
    let certificate = place.path().join("m.fpp").display().to_string();
    let proven = run(&["prove", "fide", "--fen", MATE, "--out", &certificate]);
    assert_eq!(proven.code, 0, "{proven:?}");
    fs::create_dir(place.path().join("out")).expect("a folder");
    (place, name)
}

#[test]
fn outputs_that_are_inputs_are_refused_before_the_work() {
    let (place, _) = place();
    let place = place.path();
    let explore = ["explore", "fide", "--max-depth", "1"];
    let prove = ["prove", "fide", "--fen", MATE];
    let cases: [(&[&str], &str); 10] = [
        (
            &["verify", "y.toml", "--html", "y.toml"],
            "`y.toml` is the file of FILE, which is read",
        ),
        (
            &["verify", "y.toml", "--html", "./out/../y.toml"],
            "is the file of FILE",
        ),
        (
            &["verify", "y.toml", "--html", "other.ini"],
            "is the file of `y.toml`, which is read",
        ),
        (
            &["--rules", "q.ini", "explore", "lone", "--csv", "q.ini"],
            "`q.ini` is the file of --rules",
        ),
        (
            &[&explore[..], &["--csv", "environment.ini"]].concat(),
            "is the file of $FAIRYPROOF_RULES",
        ),
        (
            &[&prove[..], &["--rules", "q.ini", "--out", "q.ini"]].concat(),
            "is the file of --rules",
        ),
        (
            &[&prove[..], &["--with", "m.fpp", "--out", "m.fpp"]].concat(),
            "is the file of --with",
        ),
        (
            &[&prove[..], &["--state", "s", "--out", "s/search.fps"]].concat(),
            "a file in the folder of --state",
        ),
        (
            &[&explore[..], &["--disk", "d", "--csv", "d/levels.csv"]].concat(),
            "a file in the folder of --disk",
        ),
        (
            &[
                "verify",
                "y.toml",
                "--out",
                "out",
                "--html",
                "out/claims.csv",
            ],
            "a table in the folder of --out",
        ),
    ];
    for (arguments, why) in cases {
        refused(place, arguments, why);
    }
}

#[cfg(unix)]
#[test]
fn links_to_inputs_are_refused() {
    let (place, _) = place();
    let place = place.path();
    for links in ["symbolic", "hard"] {
        let linked = |from: &str, to: &str| {
            let (from, to) = (place.join(from), place.join("out").join(to));
            let _ = fs::remove_file(&to);
            let done = match links {
                "hard" => fs::hard_link(from, to),
                _ => std::os::unix::fs::symlink(from, to),
            };
            done.expect(links);
        };
        linked("y.toml", "page.html");
        linked("y.toml", "claims.csv");
        linked("p.toml", "p.html");
        linked("q.ini", "graph.dot");
        let read = ", which is read";
        refused(
            place,
            &["verify", "y.toml", "--html", "out/page.html"],
            read,
        );
        refused(
            place,
            &["verify", "y.toml", "--out", "out"],
            "`out/claims.csv` is the file of FILE",
        );
        refused(
            place,
            &["puzzles", "export", "p.toml", "--html", "out"],
            "`out/p.html` is the file of FILE",
        );
        refused(
            place,
            &[
                "explore",
                "lone",
                "--rules",
                "q.ini",
                "--dot",
                "out/graph.dot",
            ],
            read,
        );
    }
    let tables = place.join("tables");
    fs::create_dir(&tables).expect("a folder");
    fs::write(tables.join("KRvK.fpt"), "a table").expect("a file");
    fs::hard_link(tables.join("KRvK.fpt"), place.join("board.svg")).expect("a link");
    let arguments = [
        "solve",
        "fide",
        "--fen",
        MATE,
        "#2",
        "--tables=tables",
        "--svg",
        "board.svg",
    ];
    refused(place, &arguments, "a file in the folder of --tables");
}

#[test]
fn two_outputs_on_one_stream_are_refused() {
    let (place, _) = place();
    let explore = ["explore", "fide", "--max-depth", "1"];
    for (one, other) in [
        ("-", "-"),
        ("-", "/dev/stdout"),
        ("/dev/stdout", "-"),
        ("x", "out/../x"),
    ] {
        for options in [
            ["--csv", "--edges"],
            ["--dot", "--graphml"],
            ["--condensation", "--condensation"],
        ] {
            let outputs = [options[0], one, options[1], other];
            refused(
                place.path(),
                &[&explore[..], &outputs].concat(),
                "is already the file of",
            );
        }
    }
    let page = [
        "solve", "fide", "--fen", MATE, "#2", "--html", "-", "--svg", "-",
    ];
    refused(place.path(), &page, "is already the file of");
}
