//! A problem as HTML: diagram, stipulation, folding solution, verdict.

use crate::diagram::Diagram;
use crate::markup::escaped;
use crate::svg;
use board::{Color, Squares};
use control::{Counted, Stopped};
use diagnostics::Diagnostic;
use problems::text::{Unwritten, verdict_text};
use problems::walk::{Item, Printer, walk};
use problems::{Deadline, Layout, Problem, Solution};
use std::fmt::Write;
use std::io;

/// The texts and options of a problem page.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// The name of the problem; may be empty.
    pub id: &'a str,
    /// The source of the problem; may be empty.
    pub source: &'a str,
    /// The comment; may be empty.
    pub comment: &'a str,
    /// Whether the first turns of the solution are visible from the start. The play after them is folded.
    pub open: bool,
    /// Whether the diagram also marks royal units and checks under orthodox rules.
    pub marked: bool,
    /// The maximum size of the solution in bytes. A larger solution is cut to its first turns, and the page
    /// says so.
    pub most_bytes: Option<usize>,
}

/// Returns the problem as HTML. The page must contain the symbols for the letters of the units. A solution
/// can have millions of turns, so it is cut when `deadline` expires, and the page says so.
///
/// # Errors
/// If a turn of the solution is not legal, which would be an error of the search.
pub fn html<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    about: About<'_>,
    deadline: &Deadline<'_>,
) -> Result<String, Diagnostic> {
    let (game, p) = (problem.start.game.as_ref(), &problem.start.position);
    let diagram = Diagram::new(game, p);
    let mut out = "<article class=\"problem\">\n".to_string();
    if !about.id.is_empty() {
        let _ = writeln!(out, "<h3>{}</h3>", escaped(about.id));
    }
    let look = svg::Look {
        marked: about.marked,
        ..svg::Look::PART
    };
    out.push_str(&svg::draw(&diagram, look));
    let _ = writeln!(
        out,
        "<p class=\"stipulation\">{}</p>\n<p>{} (<code>{}</code>), {} + {} units</p>",
        escaped(&problem.stipulation.to_string()),
        escaped(game.variant().rule_set.name()),
        escaped(&game.variant().to_string()),
        p.color(Color::White).len(),
        p.color(Color::Black).len(),
    );
    for note in [about.source, about.comment] {
        if !note.is_empty() {
            let _ = writeln!(out, "<p class=\"soft\">{}</p>", escaped(note));
        }
    }
    let _ = writeln!(out, "<p><code>{}</code></p>", escaped(&diagram.fen));
    let open = if about.open { " open" } else { "" };
    let _ = writeln!(out, "<details{open}><summary>Solution</summary>");
    let from = out.len();
    out.push_str("<ul class=\"tree\">\n");
    let mut list = NestedList {
        out: &mut out,
        open: Vec::new(),
    };
    walk(problem, solution, &mut list, deadline).map_err(|unwritten| match unwritten {
        Unwritten::Wrong(error) => error,
        // A list in memory cannot fail, and an expired deadline is not an error of the walk.
        Unwritten::Output(_) | Unwritten::Stopped => {
            Diagnostic::new("solution", "it cannot be written")
        }
    })?;
    out.push_str("</ul>\n");
    let bytes = out.len() - from;
    if about.most_bytes.is_some_and(|most| bytes > most) {
        out.truncate(from);
        let firsts = problem.first_turns(solution).join(" ");
        let _ = writeln!(
            out,
            "<p>First turns: <code>{}</code>. The play after them is too long for this page; \
             <code>fairyproof solve</code> prints it.</p>",
            escaped(&firsts)
        );
    }
    let words = verdict_text(problem, solution);
    let _ = writeln!(out, "</details>\n<p><strong>{words}</strong></p>");
    if let Some(stop) = solution
        .stopped
        .filter(|stop| *stop != Stopped::Count(Counted::Solutions))
    {
        let _ = writeln!(out, "<p>not complete: {stop}</p>");
    }
    out.push_str("</article>\n");
    Ok(out)
}

/// Writes the items of a solution as nested lists. An item folds if items follow inside it.
struct NestedList<'o> {
    out: &'o mut String,
    /// By open item, whether items follow inside it.
    open: Vec<bool>,
}

impl Printer for NestedList<'_> {
    fn open(&mut self, item: &Item<'_>) -> io::Result<()> {
        let text = escaped(item.text);
        // Parts of the solution are folded until the reader opens them; what is inside is open then.
        let open = if item.apart { "" } else { " open" };
        self.out.push_str("<li>");
        match item.inner {
            true => {
                let _ = writeln!(self.out, "<details{open}><summary>{text}</summary>\n<ul>");
            }
            false => {
                let _ = write!(self.out, "{text}");
            }
        }
        self.open.push(item.inner);
        Ok(())
    }

    fn close(&mut self) -> io::Result<()> {
        if self.open.pop() == Some(true) {
            self.out.push_str("</ul></details>");
        }
        self.out.push_str("</li>\n");
        Ok(())
    }
}
