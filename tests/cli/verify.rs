//! `fairyproof verify`: the table and the evidence it writes, and what it refuses.

use crate::run::{file, folder, holds, program, refusal, run, started};

#[test]
fn verify_writes_table_and_evidence_and_keeps_other_rows() {
    let (_folder, name) = folder();
    let first = run(&["verify", "chromopolis/squares", "--out", &name]);
    assert_eq!(first.code, 0, "{first:?}");
    holds(
        &first.out,
        &["chromopolis/squares", "confirmed", "exhaustive"],
    );
    let second = run(&[
        "verify",
        "bachelor/squares",
        "--out",
        &name,
        "--format",
        "csv",
    ]);
    assert_eq!(second.code, 0, "{second:?}");
    holds(
        &second.out,
        &["claim,statement,source,verdict,scope,summary,evidence_file\n"],
    );
    let table = std::fs::read_to_string(format!("{name}/claims.csv")).expect("a table");
    let ids: Vec<&str> = table.lines().filter_map(|l| l.split(',').next()).collect();
    assert_eq!(ids, ["claim", "bachelor/squares", "chromopolis/squares"]);
    for file in ["bachelor-squares", "chromopolis-squares"] {
        let evidence = std::fs::read_to_string(format!("{name}/evidence/{file}.csv"));
        assert!(evidence.expect("evidence").lines().count() > 1);
    }
    let files = std::fs::read_dir(&name).expect("a folder").count();
    assert_eq!(files, 2, "nothing unfinished is left");
}

#[test]
fn verify_prints_the_same_in_the_order_of_the_ledger_on_any_threads() {
    let on = |threads: &str| {
        let (_folder, name) = folder();
        let claims = ["submission", "convergent/every", "bachelor/s", "linkage"];
        let mut arguments = vec!["verify", "--threads", threads, "--out", &name];
        arguments.extend(claims);
        let told = run(&arguments);
        let table = std::fs::read_to_string(format!("{name}/claims.csv")).expect("a table");
        (told.code, told.out, table)
    };
    let (code, out, table) = on("1");
    let first = |line: &str| line.split([',', ' ']).next().map(str::to_string);
    let printed: Vec<String> = (out.lines().filter(|line| !line.starts_with(' ')))
        .filter_map(first)
        .collect();
    let written: Vec<String> = table.lines().skip(1).filter_map(first).collect();
    assert!(printed.len() > 8);
    assert_eq!(printed, written);
    for threads in ["2", "5"] {
        assert_eq!(on(threads), (code, out.clone(), table.clone()));
    }
}

#[test]
fn verify_tells_refuted_claims_by_its_exit_code() {
    let (_folder, name) = folder();
    let found = run(&["verify", "bachelor/sample", "--out", &name]);
    let refuted = found.out.contains(" refuted ");
    assert_eq!(found.code, i32::from(refuted), "{found:?}");
}

#[test]
fn verify_refuses_what_it_does_not_know_and_writes_nothing() {
    let (folder, name) = folder();
    let told = refusal(&["verify", "bachelro", "--out", &name]);
    holds(&told, &["bachelro", "did you mean `bachelor`?"]);
    holds(
        &refusal(&["verify", "bachelor/sample-legla", "--out", &name]),
        &["did you mean `bachelor/sample-legal`?"],
    );
    holds(
        &refusal(&["verify", "zzz", "--out", &name]),
        &["ids begin with fide, bachelor, "],
    );
    let told = refusal(&["verify", "zzz"]);
    assert_eq!(told.matches("blunder-mate").count(), 1, "{told}");
    refusal(&["verify", "bachelor", "--out", ""]);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        0
    );
}

#[test]
fn verify_refuses_folders_that_are_none() {
    let (_folder, path) = file("something");
    let told = refusal(&["verify", "bachelor/squares", "--out", &path]);
    holds(&told, &["--out", "cannot be"]);
    let (folder, name) = folder();
    let table = folder.path().join("claims.csv");
    std::fs::write(&table, "a,b\n1,2\n").expect("a file");
    let told = refusal(&["verify", "bachelor/squares", "--out", &name]);
    holds(&told, &["claims.csv", "is not a table of claims"]);
    assert_eq!(
        std::fs::read_to_string(&table).expect("a file"),
        "a,b\n1,2\n"
    );
}

#[test]
fn verify_outside_a_checkout_writes_nothing_and_prints_statements() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = program(&["verify", "bachelor/squares"])
        .current_dir(folder.path())
        .assert()
        .code(0);
    let output = run.get_output();
    let out = String::from_utf8_lossy(&output.stdout);
    let statement = out.lines().nth(1).expect("a second line");
    assert!(statement.starts_with("    \""), "{out}");
    holds(
        &String::from_utf8_lossy(&output.stderr),
        &["no reports are written", "--out DIR"],
    );
    let entries = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(entries, 0);
}

#[test]
fn claim_of_a_file_replaces_the_built_in_claim_with_its_id() {
    let (folder, name) = folder();
    let claims = folder.path().join("own.toml");
    let text = "[page]\ntitle = 'T'\nvariant = 'bachelor'\n[[claim]]\nid = 'bachelor/squares'\n\
                says = 'of my own'\nsum = 'size(squares)'\nis = 42\n";
    std::fs::write(&claims, text).expect("a file");
    let claims = claims.display().to_string();
    let own = run(&["verify", &claims, "--out", &name]);
    assert_eq!(own.code, 0, "{own:?}");
    let table = std::fs::read_to_string(format!("{name}/claims.csv")).expect("a table");
    assert_eq!(table.matches("bachelor/squares,").count(), 1, "{table}");
    holds(&table, &["of my own"]);
    holds(&own.err, &["1 claim: 1 confirmed"]);
}

#[test]
fn a_rule_set_without_claims_gets_a_first_file_that_repeats_no_warning() {
    let (_folder, rules) =
        file("[small:chess]\nmaxFile = 4\nmaxRank = 4\nstartFen = 1k2/4/4/2KR w - - 0 1\n");
    let none = run(&["verify", "small", "--rules", &rules]);
    assert_eq!(none.code, 2, "{none:?}");
    holds(
        &none.err,
        &["has no claims", "`fairyproof verify new small`"],
    );
    let new = run(&["verify", "new", "small", "--rules", &rules]);
    assert_eq!(new.code, 0, "{new:?}");
    assert_eq!(new.err.matches("warning").count(), 1, "{new:?}");
    let (folder, _) = folder();
    let claims = folder.path().join("claims.toml");
    std::fs::write(&claims, &new.out).expect("a file");
    let claims = claims.display().to_string();
    let verified = run(&["verify", &claims]);
    assert_eq!(verified.code, 0, "{verified:?}");
}

#[test]
fn first_claims_name_the_files_of_conditions() {
    let (_folder, rules) = file("[calm]\ncondition = true\nlegalIf = !checks || mates\n");
    let small = "[small:fide-text]\nmaxFile = 3\nmaxRank = 4\nstartFen = 1k1/3/3/1KR w - - 0 1\n";
    let (_other, board) = file(small);
    let new = run(&[
        "verify",
        "new",
        "small+calm",
        "--rules",
        &rules,
        "--rules",
        &board,
    ]);
    assert_eq!(new.code, 0, "{new:?}");
    holds(&new.out, &[&rules, &board]);
    let (folder, _) = folder();
    let claims = folder.path().join("claims.toml");
    std::fs::write(&claims, &new.out).expect("a file");
    let verified = run(&["verify", &claims.display().to_string()]);
    assert_eq!(verified.code, 0, "{verified:?}");
}

#[test]
fn boards_of_claims_have_the_holes_of_definitions() {
    let (_folder, rules) = file(
        "[hole:chess]\nmaxFile = 5\nmaxRank = 5\nholes = c3\ndoubleStep = false\ncastling = false\n\
         startFen = rnbqk/5/2*2/5/RNBQK w - - 0 1\n",
    );
    let (folder, _) = folder();
    let claims = folder.path().join("claims.toml");
    let claims = claims.display().to_string();
    for (board, squares) in [("5x5", 24), ("3x5", 14)] {
        let text = format!(
            "[page]\ntitle = 'T'\nvariant = 'hole'\n[[claim]]\nid = 'hole/squares'\n\
             says = 'the hole is carried over'\nover = {{ placements = 'K, k', board = '{board}' }}\n\
             always = 'size(squares) == {squares}'\n"
        );
        std::fs::write(&claims, text).expect("a file");
        let verified = run(&["verify", &claims, "--rules", &rules]);
        assert_eq!(verified.code, 0, "{verified:?}");
        holds(&verified.out, &["confirmed"]);
    }
}

/// Writes a claims file of this name. Returns its folder and its path.
fn claims_file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let (folder, place) = folder();
    let path = format!("{place}/{name}");
    std::fs::write(&path, text).expect("a file");
    (folder, path)
}

/// Returns a claims file with one claim.
fn claim(id: &str, says: &str, check: &str) -> String {
    format!(
        "[page]\ntitle = \"A page\"\nid = \"p\"\nvariant = \"fide\"\n\
         [[claim]]\nid = \"{id}\"\nsays = \"{says}\"\n{check}\n"
    )
}

/// Processes that write into one folder at the same time each add their rows to those of the others.
#[test]
fn no_row_is_lost_if_four_processes_verify_into_one_folder() {
    let pages = ["a", "b", "c", "d"];
    let files = pages.iter().map(|page| {
        let head = format!("[page]\ntitle = \"A page\"\nid = \"{page}\"\nvariant = \"fide\"\n");
        let claims =
            (0..6).map(|n| format!("[[claim]]\nid = \"{n}\"\nsays = \"a\"\nsum = \"1\"\nis = 1\n"));
        claims_file(
            &format!("{page}.toml"),
            &(head + &claims.collect::<String>()),
        )
    });
    let files: Vec<_> = files.collect();
    let ids = |table: &str| -> Vec<String> {
        let cells = table
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').next());
        let mut ids: Vec<String> = cells.map(str::to_owned).collect();
        ids.sort();
        ids
    };
    let mut expected: Vec<String> = pages
        .iter()
        .flat_map(|page| (0..6).map(move |n| format!("{page}/{n}")))
        .collect();
    expected.push("bachelor/squares".to_owned());
    expected.sort();
    for _ in 0..4 {
        let (_folder, out) = folder();
        let first = run(&["verify", "bachelor/squares", "--out", &out]);
        assert_eq!(first.code, 0, "{first:?}");
        let running: Vec<_> = files
            .iter()
            .map(|(_, name)| started(&["verify", name, "--out", &out]))
            .collect();
        for child in running {
            let ended = child.wait_with_output().expect("it ends");
            assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        }
        let table = std::fs::read_to_string(format!("{out}/claims.csv")).expect("a table");
        assert_eq!(ids(&table), expected);
        // Nor do the rows of files vanish when built-in claims are verified.
        let last = run(&["verify", "bachelor/squares", "--out", &out]);
        assert_eq!(last.code, 0, "{last:?}");
        let table = std::fs::read_to_string(format!("{out}/claims.csv")).expect("a table");
        assert_eq!(ids(&table), expected);
    }
}

#[test]
fn claims_of_two_files_with_one_id_are_refused() {
    let (_one, first) = claims_file("p.toml", &claim("r", "a", "sum = \"1\"\nis = 9"));
    let (_two, second) = claims_file("p.toml", &claim("r", "a", "sum = \"1\"\nis = 1"));
    let told = refusal(&["verify", &first, &second]);
    holds(
        &told,
        &["has a claim with the id `p/r` too", &first, &second],
    );
    // Both would write the same file of evidence.
    let (_three, third) = claims_file("q.toml", &claim("a,b", "a", "sum = \"1\"\nis = 1"));
    let (_four, fourth) = claims_file("q.toml", &claim("a;b", "a", "sum = \"1\"\nis = 1"));
    let told = refusal(&["verify", &third, &fourth]);
    holds(&told, &["differ"]);
}

#[test]
fn verify_stops_at_its_time_and_keeps_what_is_finished() {
    let heavy = "always = \"squares.all(a, squares.all(b, squares.all(c, squares.all(d, squares.all(e, squares.all(f, \
                 a != b || true))))))\"";
    let text = claim("first", "a", "sum = \"1\"\nis = 1")
        + &format!("[[claim]]\nid = \"heavy\"\nsays = \"a\"\n{heavy}\n");
    let (_file, name) = claims_file("p.toml", &text);
    let begun = std::time::Instant::now();
    let told = run(&["verify", &name, "--time", "1", "--threads", "1"]);
    assert_eq!(told.code, 3, "{told:?}");
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    holds(&told.out, &["p/first", "confirmed"]);
    holds(
        &told.err,
        &["1 left unchecked", "stopped by the limit of --time"],
    );
    // A refuted claim is a finding even if the time is over.
    let refuted = text.replace("is = 1\n", "is = 2\n");
    let (_file, name) = claims_file("p.toml", &refuted);
    let told = run(&["verify", &name, "--time", "1", "--threads", "1"]);
    assert_eq!(told.code, 1, "{told:?}");
}

#[test]
fn control_characters_and_formulas_of_a_claims_file_reach_neither_terminal_nor_table() {
    let check = "over = { positions = [\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"] }\nsum = \"1\"\nis = 1";
    let (_file, name) = claims_file("p.toml", &claim("r", "=HYPERLINK(1)\\u001b[31m", check));
    let (_folder, out) = folder();
    let told = run(&["verify", &name, "--out", &out]);
    assert_eq!(told.code, 0, "{told:?}");
    holds(&told.out, &["\\u{1b}[31m"]);
    let printed = run(&["verify", &name, "--format", "csv"]).out;
    let written = std::fs::read_to_string(format!("{out}/claims.csv")).expect("a table");
    for text in [&told.out, &printed, &written] {
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
    for table in [&printed, &written] {
        assert!(table.contains(",'=HYPERLINK(1)"), "{table}");
    }
    // A row is replaced by a new verdict, also if its id is a formula.
    let rows = |out: &str| {
        let table = std::fs::read_to_string(format!("{out}/claims.csv")).expect("a table");
        table
            .lines()
            .filter(|line| line.contains("HYPERLINK"))
            .count()
    };
    let text = claim("=p/r", "=HYPERLINK(1)", check);
    let (_file, name) = claims_file("q.toml", &text);
    for _ in 0..2 {
        assert_eq!(run(&["verify", &name, "--out", &out]).code, 0);
    }
    assert_eq!(rows(&out), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn rules_that_make_reading_wait_are_refused() {
    let text = claim("r", "a", "sum = \"1\"\nis = 1")
        .replace("[page]\n", "[page]\nrules = [\"/proc/kmsg\"]\n");
    let (_file, name) = claims_file("p.toml", &text);
    let told = refusal(&["verify", &name]);
    holds(&told, &["/proc/kmsg", "cannot be read"]);
}
