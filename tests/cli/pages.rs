//! Pages that need no server: rule sets, problems, collections.

use crate::run::{answer, file, folder, holds, refusal, run};
use crate::xml;

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
