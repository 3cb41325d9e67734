//! `fairyproof serve` as its user meets it.

use crate::driver::{Browser, Key, Wish};
use crate::server::Server;
use std::process::Command;

/// A server and a browser that looks at it.
struct Page {
    address: String,
    _server: Server,
    browser: Browser,
}

impl Page {
    fn open(wish: Wish) -> Page {
        let program = Command::new(env!("CARGO_BIN_EXE_fairyproof"));
        let server = Server::run(program, "256M");
        Page {
            address: format!("http://{}/", server.host),
            _server: server,
            browser: Browser::open(wish),
        }
    }

    /// Goes to a position, and waits for its turns.
    fn position(&self, variant: &str, fen: &str, turns: usize) {
        let fen = fen.replace(' ', "+");
        self.browser
            .go(&format!("{}?variant={variant}&fen={fen}", self.address));
        self.turns(turns);
    }

    fn turns(&self, turns: usize) {
        self.browser.until(&format!(
            "document.querySelectorAll('#moves li').length === {turns}"
        ));
    }

    fn line(&self, length: usize) {
        self.browser.until(&format!(
            "document.querySelectorAll('#line li').length === {length}"
        ));
    }

    fn address_holds(&self, part: &str) {
        let address = self.browser.script("return location.search");
        assert!(
            address.as_str().is_some_and(|a| a.contains(part)),
            "{address}"
        );
    }
}

pub fn turn_is_played_by_two_clicks_and_taken_back() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("fide", "", 20);
    browser.click("#s-e2");
    assert_eq!(
        browser.script("return document.querySelectorAll('.s.to').length"),
        2
    );
    browser.click("#s-e4");
    page.line(1);
    page.address_holds("line=e2e4");
    assert_eq!(
        browser.script("return document.querySelectorAll('#board .ar').length"),
        1
    );
    browser.click("#undo");
    page.line(0);
    browser.click("#redo");
    page.line(1);
    browser.script("history.back()");
    page.line(0);
    browser.quiet();
}

pub fn promotion_is_chosen() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("fide", "7k/P7/8/8/8/8/8/K7 w - - 0 1", 7);
    browser.click("#s-a7");
    browser.click("#s-a8");
    let choices = browser.script("return document.getElementById('choices').innerText");
    assert_eq!(choices, "becomes B\nbecomes N\nbecomes Q\nbecomes R");
    browser.click("#choices button:nth-child(2)");
    page.line(1);
    page.address_holds("line=a7a8n");
    browser.quiet();
}

pub fn turn_of_two_steps_is_played_step_by_step() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position(
        "deadline",
        "rnbqkbnr/ppp1pppp/3p4/1B6/8/4P3/PPPP1PPP/RNBQK1NR b KQkq - 1 2",
        6,
    );
    browser.click("#s-c8");
    browser.click("#s-e6");
    browser.until("document.getElementById('hint').textContent.includes('c8e6')");
    // The one unit that can go on is chosen already.
    assert_eq!(
        browser.script("return document.querySelectorAll('.s.to').length"),
        1
    );
    browser.click("#s-d7");
    page.line(1);
    page.address_holds("line=c8e6%2Be6d7");
    browser.quiet();
}

pub fn rules_and_legend_are_shown_next_to_the_board() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("bachelor", "", 11);
    browser.until("document.getElementById('summary').innerText.includes('so does marriage')");
    let legend = browser.script("return document.getElementById('legend').innerText");
    let legend = legend.as_str().expect("a text");
    assert!(
        ["▲ W 13", "?", "plies"]
            .iter()
            .all(|mark| legend.contains(mark)),
        "{legend}"
    );
    // The whole rules are one click away.
    let whole = browser.script("return document.getElementById('whole').href");
    browser.go(whole.as_str().expect("an address"));
    browser.until("document.getElementById('units')");
    browser.quiet();
}

pub fn table_is_offered_only_where_it_can_be_built() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("fide", "", 20);
    let hidden = "return document.getElementById('table').hidden";
    assert_eq!(browser.script(hidden), true);
    page.position("fide", "7k/8/8/8/8/8/8/K7 w - - 0 1", 3);
    assert_eq!(browser.script(hidden), false);
    browser.quiet();
}

pub fn illegal_turn_in_the_address_shows_the_board_before_it() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    browser.go(&format!(
        "{}?variant=fide&line=e2e4,e7e5,e4e5,g1f3",
        page.address
    ));
    page.line(2);
    browser.until("document.getElementById('error').textContent.includes('turn 3 (`e4e5`)')");
    page.turns(29);
    browser.go(&format!("{}?variant=fide&fen=8/8", page.address));
    page.turns(20);
    browser.until("document.getElementById('error').textContent.includes('FEN')");
}

pub fn address_contains_the_line() {
    let page = Page::open(Wish::DESK);
    page.browser
        .go(&format!("{}?variant=bachelor&line=b1a3,c5c4", page.address));
    page.line(2);
    let name = page.browser.script("return document.title");
    assert_eq!(name, "Bachelor Chess: White to move");
    page.browser.quiet();
}

pub fn keyboard_plays_a_turn() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("fide", "7k/8/8/8/8/8/8/K7 w - - 0 1", 3);
    // The rule set first, then the board, on its first square.
    browser.press(&[Key::Tab, Key::Tab]);
    assert_eq!(browser.script("return document.activeElement.id"), "s-a1");
    browser.press(&[Key::Enter, Key::Up, Key::Enter]);
    page.line(1);
    page.address_holds("line=a1a2");
    browser.until("document.activeElement.id === 's-a2'");
    browser.quiet();
}

pub fn units_are_placed_with_the_mouse() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("fide", "7k/8/8/8/8/8/8/K7 w - - 0 1", 3);
    browser.click("#edit");
    browser.click("#palette [data-unit=R]");
    browser.click("#s-b7");
    browser.until("document.getElementById('fen').value.startsWith('7k/1R6/8/')");
    browser.quiet();
    // Not a legal position while White could capture the king; legal as soon as Black moves.
    browser.click("#s-h1");
    browser.until("document.getElementById('error').textContent.startsWith('Not a position yet')");
    browser.click("#turnover");
    browser.until("document.getElementById('error').textContent === ''");
    browser.until("document.getElementById('fen').value === '7k/1R6/8/8/8/8/8/K6R b - - 0 1'");
}

pub fn hands_stay_while_units_are_placed_and_dropped() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("crazyhouse", "4k3/8/8/8/8/8/3P4/4K3[Nnp] w - - 0 1", 67);
    let units = browser.script("return document.querySelectorAll('#board svg > use').length");
    assert_eq!(units, 6);
    browser.click("#edit");
    browser.click("#clear");
    browser.until("document.getElementById('fen').value === '4k3/8/8/8/8/8/8/4K3[Nnp] w - - 0 1'");
    browser.click("#edit");
    browser.click("#s-d4");
    page.line(1);
    page.address_holds("line=N%40d4");
    browser.quiet();
}

pub fn promotion_sign_is_chosen() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("minishogi", "4k/1S3/5/5/K4[] w - - 0 1", 11);
    browser.click("#s-b4");
    browser.click("#s-b5");
    let choices = browser.script("return document.getElementById('choices').innerText");
    assert_eq!(choices, "stays what it is\npromotes");
    browser.click("#choices button:nth-child(2)");
    page.line(1);
    page.address_holds("line=b4b5%2B");
    browser.quiet();
}

pub fn longest_win_is_played_by_clicking() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    // The longest win of KRvK in Bachelor, by the report of endings: 7 plies.
    let report = include_str!("../../reports/endgames.csv");
    let row = report
        .lines()
        .find(|row| row.starts_with("bachelor,7x6,KRvK,w,"))
        .expect("a row");
    let columns: Vec<&str> = row.split(',').collect();
    let (plies, fen) = (columns[11].parse::<usize>().expect("plies"), columns[12]);
    browser.go(&format!(
        "{}?variant=bachelor&fen={}",
        page.address,
        fen.replace(' ', "+")
    ));
    browser.until("document.querySelectorAll('#moves li').length > 1");
    browser.click("#table");
    browser.until("document.getElementById('build')");
    browser.click("#build");
    browser.until(&format!(
        "document.querySelector('#value .win')?.textContent.includes('▲ W {plies}')"
    ));
    for played in 1..=plies {
        browser.click("#moves li:first-child button");
        page.line(played);
    }
    let ended = browser.script("return document.getElementById('value').textContent");
    // One result: the outcome, without the value for the side that has lost.
    assert!(
        ended
            .as_str()
            .is_some_and(|text| text.starts_with("white-wins") && !text.contains('L')),
        "{ended}"
    );
    browser.quiet();
}

pub fn problem_is_solved_and_job_cancelled() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.browser.go(&format!(
        "{}?variant=fide&fen=8/8/8/p7/Q7/2Kp4/b2P4/k7+w+-+-+0+1",
        page.address
    ));
    browser.until("document.querySelectorAll('#moves li').length > 1");
    browser.click("#solve button");
    browser.until("document.getElementById('result').textContent.includes('sound: one solution')");
    browser.until("document.querySelector('#result details[open] .tree')");
    page.position("fide", "", 20);
    browser.script("document.getElementById('depth').value = 12");
    browser.click("#perft button");
    browser.click("#cancel");
    browser.until("document.getElementById('progress').textContent === 'cancelled'");
    browser.quiet();
}

pub fn expression_marks_squares_and_lists_states() {
    let page = Page::open(Wish::DESK);
    let browser = &page.browser;
    page.position("bachelor", "3k/4/Q3/3K w - - 0 1", 18);
    let write = |text: &str| {
        browser.script(&format!(
            "const field = document.getElementById('expression'); field.value = {text:?}; field.dispatchEvent(new Event('input'))"
        ));
    };
    let marked = |squares: &str| {
        browser.until(&format!(
            "[...document.querySelectorAll('#board .s.found')].map((s) => s.dataset.s).sort().join(' ') === {squares:?}"
        ));
    };
    write("units(white)");
    marked("a2 d1");
    browser.until("document.getElementById('answer').textContent === 'list of unit: Kd1 Qa2'");
    // The first error is shown while one types, and nothing is marked.
    write("units(whit)");
    browser.until("document.getElementById('wrong').textContent.includes('did you mean `white`?')");
    marked("");
    write("size(turns)");
    browser.until("document.getElementById('answer').textContent.startsWith('int: ')");
    browser.until("document.getElementById('wrong').textContent === ''");
    write("drawn");
    browser.until("document.getElementById('answer').textContent === 'bool: false'");
    browser.click("#ask button");
    browser.until("document.getElementById('error').textContent.includes('no solved graph')");
    browser.click("#graph");
    browser.until("document.getElementById('progress').textContent.includes('14104')");
    browser.click("#ask button");
    browser.until("document.getElementById('progress').textContent === '228 of 14104 states'");
    browser.until("document.querySelectorAll('#states li').length === 200");
    browser.click("#states button");
    browser.until("document.getElementById('answer').textContent === 'bool: true'");
}

pub fn page_fits_a_phone() {
    let phone = Wish {
        size: (375, 740),
        phone: true,
        ..Wish::DESK
    };
    let page = Page::open(phone);
    let browser = &page.browser;
    page.position("fide", "", 20);
    assert_eq!(
        browser.script("return document.documentElement.scrollWidth"),
        375
    );
    let board =
        browser.script("return document.querySelector('#board svg').getBoundingClientRect().width");
    assert!(board.as_f64().is_some_and(|width| width > 300.0), "{board}");
    browser.click("#s-e2");
    browser.click("#s-e4");
    page.line(1);
    browser.quiet();
}
