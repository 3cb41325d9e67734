//! Pages from disk, with scripts and without.

use crate::driver::{Browser, Key, Wish};
use std::process::Command;

pub fn solution_opens_with_the_key_next_to_its_diagram() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("problem.html");
    let status = Command::new(env!("CARGO_BIN_EXE_fairyproof"))
        .args(["solve", "fide", "#2", "--all", "--html"])
        .arg(&page)
        .args(["--fen", "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1"])
        .output()
        .expect("it runs")
        .status;
    assert!(status.success());
    let browser = Browser::open(Wish::DESK);
    browser.go(&format!("file://{}", page.display()));
    // The key is visible, the play after it folded.
    let visible = browser.script("return document.querySelector('article').innerText");
    let visible = visible.as_str().expect("a text");
    assert!(
        visible.contains("1.") && !visible.contains("1..."),
        "{visible}"
    );
    browser.script("for (const d of document.querySelectorAll('details')) d.open = true");
    // Where the words of solution, key, reply and answer begin, from left to right.
    let steps = browser.script(
        "const left = (at) => { const range = document.createRange();\
             range.selectNodeContents(at); return range.getBoundingClientRect().left };\
         return ['.problem > details > summary', '.tree > li > details > summary',\
                 '.tree .tree > li > details > summary, .tree ul > li > details > summary']\
             .map((selector) => left(document.querySelector(selector)))",
    );
    let steps: Vec<f64> = serde_json::from_value(steps).expect("numbers");
    assert!(
        steps.windows(2).all(|two| two[0] + 8.0 < two[1]),
        "{steps:?}"
    );
    let diagram = browser
        .script("return document.querySelector('.problem svg').getBoundingClientRect().right");
    assert!(
        diagram.as_f64().is_some_and(|right| right < steps[0]),
        "{diagram}"
    );
    browser.quiet();
}

pub fn line_is_stepped_through_and_readable_without_scripts() {
    let folder = tempfile::tempdir().expect("a folder");
    let status = Command::new(env!("CARGO_BIN_EXE_fairyproof"))
        .args(["report", "html", "linkage", "--games", "20", "--out"])
        .arg(folder.path())
        .output()
        .expect("it runs")
        .status;
    assert!(status.success());
    let address = format!("file://{}/linkage.html", folder.path().display());
    let shown = "return [...document.querySelector('.line').querySelectorAll('g.f')]\
                 .map((g) => getComputedStyle(g).display !== 'none').indexOf(true)";

    let browser = Browser::open(Wish::DESK);
    browser.go(&address);
    assert_eq!(browser.script(shown), 0);
    browser.click(".line [data-step=on]");
    assert_eq!(browser.script(shown), 1);
    browser.press(&[Key::Right, Key::Left, Key::Left]);
    assert_eq!(browser.script(shown), 0);
    browser.quiet();
    drop(browser);

    let browser = Browser::open(Wish {
        scripts: false,
        size: (375, 740),
        phone: true,
    });
    browser.go(&address);
    // What the driver itself runs is not the page's: one sees what a reader sees.
    assert_eq!(browser.script(shown), 0);
    assert_eq!(
        browser.script("return document.documentElement.className"),
        ""
    );
    let text = browser.script("return document.body.innerText");
    let text = text.as_str().expect("a text");
    for part in [
        "Linkage Chess",
        "Random games",
        "Longest win",
        "Claims",
        "Puzzles",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(
        browser.script("return document.documentElement.scrollWidth"),
        375
    );
}

/// A claim with a counterexample after a line, and one with a witness.
const CLAIMS: &str = r#"
[page]
title = "Early mates"
variant = "fide"

[[claim]]
id = "none-in-two"
says = "no side can be mated in two moves"
over = { graph = { depth = 3 } }
never = "turns.exists(t, t.after.won(side))"

[[claim]]
id = "smothered"
says = "a knight can mate a king that its own units shut in"
over = { positions = ["6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1"] }
exists = "turns.exists(t, t.after.won(side))"
"#;

pub fn boards_of_claims_are_shown_and_their_lines_stepped_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let (claims, page) = (
        folder.path().join("mates.toml"),
        folder.path().join("mates.html"),
    );
    std::fs::write(&claims, CLAIMS).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_fairyproof"))
        .args(["verify".as_ref(), claims.as_os_str()])
        .args(["--html".as_ref(), page.as_os_str()])
        .output()
        .expect("it runs");
    // One of the claims is refuted.
    assert_eq!(output.status.code(), Some(1), "{output:?}");

    let browser = Browser::open(Wish::DESK);
    browser.go(&format!("file://{}", page.display()));
    let texts = |selector: &str| {
        browser.script(&format!(
            "return [...document.querySelectorAll('{selector}')].map((at) => at.innerText)"
        ))
    };
    assert_eq!(
        texts("h2"),
        serde_json::json!(["mates/none-in-two: refuted", "mates/smothered: confirmed"])
    );
    assert_eq!(
        texts("figcaption"),
        serde_json::json!(["counterexample", "witness"])
    );
    // The units that are seen on the board of a claim: their sides, kinds and the squares that they cover.
    let units = |claim: &str| {
        let units = browser.script(&format!(
            "const section = document.getElementById('{claim}');\
             const seen = (unit) => unit.getBoundingClientRect().width > 0;\
             return [...section.querySelectorAll('svg use')].filter(seen).map((unit) =>\
                 unit.getAttribute('class') + unit.getAttribute('href').slice(3) +\
                 'abcdefgh'[(unit.getAttribute('x') - 22) / 45] +\
                 '87654321'[(unit.getAttribute('y') - 8) / 45])"
        ));
        serde_json::from_value::<Vec<String>>(units).expect("units")
    };
    let mut smothered = units("mates/smothered");
    smothered.sort();
    assert_eq!(smothered, ["bKh8", "bPg7", "bPh7", "bRg8", "wKg1", "wNg5"]);

    // The line of the counterexample, with the buttons and with the keyboard.
    let steps = [
        ["wPf2", "wPg2", "bPe7"],
        ["wPf3", "wPg2", "bPe7"],
        ["wPf3", "wPg2", "bPe6"],
        ["wPf3", "wPg4", "bPe6"],
    ];
    let current = "return document.querySelector('.turns [aria-current=step]').innerText";
    let turns = ["start", "f2f3", "e7e6", "g2g4"];
    let assert_step = |step: usize| {
        let units = units("mates/none-in-two");
        assert_eq!(units.len(), 32, "step {step}: {units:?}");
        for unit in steps[step] {
            assert!(
                units.iter().any(|seen| seen == unit),
                "step {step}: {units:?}"
            );
        }
        assert_eq!(browser.script(current), turns[step]);
    };
    assert_step(0);
    for step in [1, 2, 3, 3] {
        browser.click(".line [data-step=on]");
        assert_step(step);
    }
    for (button, step) in [("back", 2), ("first", 0), ("last", 3)] {
        browser.click(&format!(".line [data-step={button}]"));
        assert_step(step);
    }
    for (key, step) in [
        (Key::Left, 2),
        (Key::Home, 0),
        (Key::Right, 1),
        (Key::End, 3),
    ] {
        browser.press(&[key]);
        assert_step(step);
    }
    browser.click(".turns li:nth-child(2) button");
    assert_step(1);
    browser.quiet();
}
