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
