//! Pages that need no server: rule sets, problems, collections.

use crate::run::{answer, file, folder, holds, refusal, run};
use crate::xml;
use serde_json::Value;

/// Returns a page: well formed, complete in itself, below a megabyte.
#[track_caller]
fn page(path: &std::path::Path) -> String {
    let html = std::fs::read_to_string(path).expect("a page");
    assert_eq!(xml::fault(&html, true), None, "{}", path.display());
    assert!(html.len() < 1_000_000, "{} bytes", html.len());
    let asks = [
        "src=",
        "url(",
        "@import",
        "fetch(",
        "href=\"http",
        "href=\"//",
        "<link",
    ];
    for asks in asks {
        assert!(!html.contains(asks), "`{asks}` in {}", path.display());
    }
    html
}

#[test]
fn a_rule_set_has_a_page_with_all_sections() {
    let (_keep, out) = folder();
    let other = std::path::Path::new(&out).join("my-variant.html");
    std::fs::write(&other, "the page of an earlier run").expect("a file");
    let run = run(&["report", "html", "linkage", "--out", &out, "--games", "20"]);
    assert_eq!(run.code, 0, "{run:?}");
    let html = page(&std::path::Path::new(&out).join("linkage.html"));
    holds(
        &html,
        &[
            "<h1>Linkage Chess</h1>",
            "The array",
            "id=\"units\"",
            "Lines of 4 turns",
            "20 games of random legal turns",
            "class=\"plot\"",
            "id=\"reduced\"",
            "positions certified",
            "id=\"endings\"",
            "The longest win, best play on both sides.",
            "linkage/example",
            "verdict-confirmed",
            "class=\"problem\"",
            "sound: one solution",
        ],
    );
    let index = page(&std::path::Path::new(&out).join("index.html"));
    assert_eq!(index.matches("<a href=").count(), 2);
    holds(
        &index,
        &[
            "<a href=\"linkage.html\">Linkage Chess</a>",
            "<a href=\"./my-variant.html\">",
            "Bachelor Chess",
        ],
    );
}

#[test]
fn the_same_page_is_written_twice_and_says_what_is_missing() {
    let (_one, first) = folder();
    let (_two, second) = folder();
    for (out, threads) in [(&first, "1"), (&second, "2")] {
        let run = run(&[
            "report",
            "html",
            "glory",
            "--out",
            out,
            "--games",
            "30",
            "--threads",
            threads,
            "--reports",
            "nowhere",
            "--puzzles",
            "nowhere",
        ]);
        assert_eq!(run.code, 0, "{run:?}");
    }
    let read = |out: &str| page(&std::path::Path::new(out).join("glory.html"));
    assert_eq!(read(&first), read(&second));
    holds(
        &read(&first),
        &[
            "<code>fairyproof report atlas glory</code> computes it",
            "report endgames glory",
        ],
    );
}

#[test]
fn a_solution_is_a_page_with_diagram_and_folded_tree() {
    let (folder, _) = file("");
    let path = folder.path().join("problem.html");
    let name = path.to_str().expect("UTF-8");
    let fen = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";
    let text = answer(&["solve", "fide", "--fen", fen, "#2", "--html", name]);
    let html = page(&path);
    holds(
        &html,
        &[
            "class=\"stipulation\">#2<",
            "<details open>",
            "sound: one solution",
        ],
    );
    // Each line of the printed solution stands in the page.
    for line in text
        .lines()
        .filter(|line| line.trim_start().starts_with("1."))
    {
        let escaped = line.trim().replace('>', "&gt;");
        assert!(html.contains(&escaped), "{line}");
    }
}

/// Returns the first two squares of an item of a solution, as coordinates.
fn coordinates(item: &str) -> String {
    let chars: Vec<char> = item.chars().collect();
    let is_square = |pair: &&[char]| matches!(pair, ['a'..='h', '1'..='8']);
    chars
        .windows(2)
        .filter(is_square)
        .take(2)
        .flatten()
        .collect()
}

/// Appends the turns of stored answers in the order in which they are printed.
fn stored_answers(answers: &Value, but: &Value, found: &mut Vec<String>) {
    for answer in answers.as_array().into_iter().flatten() {
        let refutes = but
            .as_array()
            .is_some_and(|all| all.contains(&answer["turn"]));
        if refutes {
            continue;
        }
        found.push(answer["turn"].as_str().expect("a turn").to_string());
        for next in answer["next"].as_array().into_iter().flatten() {
            stored_turn(next, found);
        }
    }
}

/// Appends a stored turn of the attacker, its threats and the play after it.
fn stored_turn(node: &Value, found: &mut Vec<String>) {
    let turn = node["turn"].as_str().or(node.as_str()).expect("a turn");
    found.push(turn.to_string());
    stored_threats(node, found);
    stored_answers(&node["answers"], &Value::Null, found);
}

/// Appends the threats that are printed on lines of their own.
fn stored_threats(node: &Value, found: &mut Vec<String>) {
    let threats = node["threats"].as_array().cloned().unwrap_or_default();
    if !matches!(&threats[..], [only] if only["goal"] == true) {
        for threat in &threats {
            stored_turn(threat, found);
        }
    }
}

/// Text, page and stored solution contain the same play, in the same order.
#[test]
fn text_page_and_stored_solution_have_the_same_play() {
    let (folder, _) = file("");
    let path = folder.path().join("problem.html");
    let name = path.to_str().expect("UTF-8");
    let mut all = String::new();
    for (fen, stipulation) in [
        ("8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1", "#2"),
        ("8/8/3R4/8/b3N3/8/5R2/K1k3N1 w - - 0 1", "#2"),
        (
            "8/5p2/3N4/1BPp1P2/1Bpk1Pp1/2p2pP1/2p2K2/2N5 w - - 0 1",
            "#3",
        ),
    ] {
        let given = [
            "solve",
            "fide",
            "--fen",
            fen,
            stipulation,
            "--tries",
            "--set-play",
            "--all",
        ];
        let text = answer(&[&given[..], &["--html", name]].concat());
        let items: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("   "))
            .collect();
        let items: Vec<&str> = items.into_iter().map(str::trim).collect();
        let html = page(&path);
        let (_, tree) = html.split_once("<ul class=\"tree\">").expect("a tree");
        let (tree, _) = tree.split_once("<strong>").expect("a verdict");
        let tags = |text: &str| -> Vec<String> {
            let parts = text.split('<').filter_map(|part| part.split_once('>'));
            let texts = parts.map(|(_, text)| text.trim().replace("&gt;", ">"));
            texts.filter(|text| !text.is_empty()).collect()
        };
        assert_eq!(tags(tree), items, "{fen}");
        let json = answer(&[&given[..], &["--format", "json"]].concat());
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let tree = &json["tree"];
        let mut stored = Vec::new();
        if tree["set_play"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
        {
            stored.push("set play".to_string());
        }
        stored_answers(&tree["set_play"], &Value::Null, &mut stored);
        for attempt in tree["tries"].as_array().into_iter().flatten() {
            stored.push(attempt["turn"].as_str().expect("a turn").to_string());
            stored_threats(attempt, &mut stored);
            stored_answers(&attempt["answers"], &attempt["refutations"], &mut stored);
            let refutations = attempt["refutations"].as_array().into_iter().flatten();
            stored.extend(refutations.map(|turn| turn.as_str().expect("a turn").to_string()));
        }
        for key in tree["keys"].as_array().into_iter().flatten() {
            stored_turn(key, &mut stored);
        }
        let printed = items.iter().map(|item| match *item {
            "set play" => item.to_string(),
            _ => coordinates(item),
        });
        let short = |turn: &String| match turn.as_str() {
            "set play" => turn.clone(),
            _ => turn[..4].to_string(),
        };
        let stored: Vec<String> = stored.iter().map(short).collect();
        assert_eq!(printed.collect::<Vec<String>>(), stored, "{fen}");
        all += &text;
    }
    // The positions show every kind of item.
    for part in [
        "set play",
        " ? ",
        "but 1...",
        " zugzwang.",
        " threat: ",
        " threats:",
    ] {
        assert!(all.contains(part), "{part}");
    }
    let tried = all.lines().filter(|line| line.contains(" ? "));
    assert!(tried.clone().any(|line| line.contains("threat")), "{all}");
}

#[test]
fn collections_are_pages_with_everything_escaped() {
    let toml = "[[puzzle]]\nid = \"a<b>&\"\nvariant = \"fide\"\nfen = \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"\n\
                stipulation = \"#1\"\nkeys = [\"a1a8\"]\ncomment = \"<script>alert('x')</script> \\\"q\\\"\"\n";
    let (keep, _) = file("");
    let path = keep.path().join("odd & even.toml");
    std::fs::write(&path, toml).expect("a file");
    let (_keep, out) = folder();
    let told = answer(&[
        "puzzles",
        "export",
        path.to_str().expect("UTF-8"),
        "--html",
        &out,
    ]);
    let html = page(std::path::Path::new(told.trim()));
    holds(
        &html,
        &[
            "<h1>odd &amp; even</h1>",
            "a&lt;b&gt;&amp;",
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &quot;q&quot;",
            "1.Ra1-a8 # !",
        ],
    );
}

#[test]
fn the_folder_of_pages_is_made_if_there_is_none() {
    let (_keep, out) = folder();
    let inner = format!("{out}/pages");
    let told = run(&[
        "report", "html", "fide", "--games", "1", "--time", "1", "--out", &inner,
    ]);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(std::path::Path::new(&inner).join("fide.html").is_file());
    let deeper = format!("{out}/no/such");
    let told = refusal(&["report", "html", "fide", "--out", &deeper]);
    holds(&told, &["--out", "cannot be written"]);
}

#[test]
fn what_cannot_be_a_page_is_told() {
    holds(
        &refusal(&["report", "html", "nosuch", "--out", "x"]),
        &["nosuch"],
    );
    let (keep, reports) = folder();
    std::fs::write(keep.path().join("claims.csv"), "a,b\n1\n").expect("a file");
    let (_keep, out) = folder();
    let told = refusal(&[
        "report",
        "html",
        "fide",
        "--out",
        &out,
        "--reports",
        &reports,
    ]);
    holds(&told, &["claims.csv"]);
}
