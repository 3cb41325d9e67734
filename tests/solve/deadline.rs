//! An answer ends early when nobody wants more of it, says so, and is well formed.

use fairyproof::catalog::Catalog;
use fairyproof::control::Control;
use fairyproof::notation::Start;
use fairyproof::picture::problem::{About, html};
use fairyproof::problems::Layout;
use fairyproof::problems::text;
use fairyproof::problems::tree::{Shown, Tree, Want};
use fairyproof::problems::{Deadline, Limits, Problem, Solution, Stipulation};
use fairyproof::{notation::Setup, with_setup};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Takes text, and wants no more of it after so many bytes.
struct LimitedOutput<'a> {
    taken: Vec<u8>,
    most: usize,
    stop: &'a AtomicBool,
}

impl Write for LimitedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.taken.extend_from_slice(bytes);
        if self.taken.len() >= self.most {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No turn is written after the last byte that was wanted, and what is open is closed: so many bytes at
/// the most.
const AFTER: usize = 2_000;

/// Returns what the same `write` gives to readers who want less and less, and whether it said it was whole.
fn cut(write: impl Fn(&mut LimitedOutput<'_>, &Deadline<'_>) -> bool) -> (String, Vec<String>) {
    let never = AtomicBool::new(false);
    let take = |most: usize, stop: &AtomicBool| {
        stop.store(false, Ordering::Relaxed);
        let mut reader = LimitedOutput {
            taken: Vec::new(),
            most,
            stop,
        };
        let deadline = Deadline::new(&Control::new().with_stop(stop));
        let whole = write(&mut reader, &deadline);
        assert_eq!(whole, !deadline.was_over(), "{most}");
        (String::from_utf8(reader.taken).expect("UTF-8"), whole)
    };
    let (whole, said) = take(usize::MAX, &never);
    assert!(said && whole.len() > 10 * AFTER, "{}", whole.len());
    let parts = [0, 1, 2, 5, 9].map(|tenth| {
        let most = whole.len() / 10 * tenth;
        let (part, said) = take(most, &AtomicBool::new(false));
        assert!(!said && part.len() <= most + AFTER, "{}", part.len());
        part
    });
    (whole, parts.into())
}

fn solved<W: Layout>(start: &Start<W>, asked: &str) -> (Problem<W>, Solution) {
    let rule_set = &start.game.variant().rule_set;
    let stipulation = Stipulation::parse(asked, rule_set, start.game.board().geometry());
    let problem = Problem {
        start: start.clone(),
        stipulation: stipulation.expect("a stipulation"),
    };
    let want = Want {
        tree: true,
        asides: true,
        tries: true,
        ..Want::default()
    };
    let solution = problem.solve_with(&Limits::default(), want, &Control::new());
    (problem, solution)
}

/// A mate in six with its tries, and a helpmate of thousands of lines.
const PROBLEMS: [(&str, &str); 2] = [
    ("8/8/8/8/8/1K1R4/8/2k5 w - - 0 1", "#6"),
    ("7k/8/8/8/8/8/8/K1QQ4 b - - 0 1", "h#3"),
];

#[test]
fn text_ends_when_nobody_wants_more() {
    let fide = Catalog::new().open("fide").expect("a rule set");
    for (text, asked) in PROBLEMS {
        let setup = Setup::read(&fide, Some(text)).expect("a FEN");
        with_setup!(setup, start => {
            let (problem, solution) = solved(&start, asked);
            let (whole, parts) = cut(|reader, deadline| {
                text::write(&problem, &solution, true, reader, deadline).expect("it is written")
            });
            assert!(!whole.contains("more play") && !whole.contains("more lines"));
            let told = match solution.lines.is_empty() {
                true => "(more play than is printed)",
                false => "(more lines than are printed)",
            };
            for part in parts {
                assert!(part.contains(told), "{part}");
                // All but the word about it stands in the whole answer too.
                let (shown, after) = part.split_once(told).expect("it is told");
                assert!(whole.starts_with(shown.trim_end()), "{shown}");
                assert!(whole.ends_with(after.trim_start()), "{after}");
            }
        });
    }
}

#[test]
fn stored_play_ends_when_nobody_wants_more_and_is_read_back() {
    let fide = Catalog::new().open("fide").expect("a rule set");
    let (text, asked) = PROBLEMS[0];
    let setup = Setup::read(&fide, Some(text)).expect("a FEN");
    with_setup!(setup, start => {
        let (_, solution) = solved(&start, asked);
        let (whole, parts) = cut(|reader, deadline| {
            serde_json::to_writer_pretty(reader, &Shown(&solution.tree, deadline))
                .expect("it is written");
            !deadline.was_over()
        });
        let read = |text: &str| serde_json::from_str::<Tree>(text).expect("it is read back");
        assert_eq!(read(&whole), solution.tree);
        for part in parts {
            let tree = read(&part);
            assert!(tree.cut && tree.keys.len() <= solution.tree.keys.len());
        }
    });
}

#[test]
fn pages_end_when_nobody_wants_more() {
    let fide = Catalog::new().open("fide").expect("a rule set");
    for (text, asked) in PROBLEMS {
        let setup = Setup::read(&fide, Some(text)).expect("a FEN");
        with_setup!(setup, start => {
            let (problem, solution) = solved(&start, asked);
            let stop = AtomicBool::new(false);
            let deadline = Deadline::new(&Control::new().with_stop(&stop));
            stop.store(true, Ordering::Relaxed);
            let page = |deadline| {
                html(&problem, &solution, About::default(), deadline).expect("it is drawn")
            };
            let (part, whole) = (page(&deadline), page(&Deadline::endless()));
            for tag in ["ul", "li", "details", "article"] {
                let (open, closed) = (format!("<{tag}"), format!("</{tag}>"));
                for page in [&part, &whole] {
                    let (open, closed) = (page.matches(&open), page.matches(&closed));
                    assert_eq!(open.count(), closed.count(), "{tag}");
                }
            }
            assert!(part.contains("(more ") && !whole.contains("(more "));
            assert!(part.len() < whole.len() / 2);
        });
    }
}
