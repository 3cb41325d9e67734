//! A problem as HTML: diagram, stipulation, folding solution, verdict.

use crate::diagram::Diagram;
use crate::markup::escaped;
use crate::svg;
use board::{Color, Squares};
use control::{Counted, Stopped};
use diagnostics::Diagnostic;
use notation::turns;
use position::Position;
use problems::text::{self, long, verdict_text};
use problems::tree::{Move, Reply, Tree};
use problems::{Deadline, Judge, Layout, Play, Problem, Solution, passed};
use rules::{Turn, with_turns};
use std::fmt::Write;

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
    let unshown = Tree::unshown();
    let tree = match text::replay(problem, solution, deadline)? || !solution.lines.is_empty() {
        true => &solution.tree,
        false => &unshown,
    };
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
    let mut writer = Writer {
        judge: &problem.judge(),
        out,
        deadline,
        unparried: solution.unparried,
    };
    let from = writer.out.len();
    writer.solution(problem, solution, tree)?;
    let mut out = writer.out;
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

/// The folding state of an item of a solution.
#[derive(Clone, Copy)]
enum Folds {
    /// The item does not fold, because no play follows it.
    Not,
    /// The item is folded until the reader opens it.
    Closed,
    /// The item is open from the start.
    Open,
}

impl Folds {
    /// Returns the state of an item that is folded at first, if the play `next` follows.
    fn closed<T>(next: &[T]) -> Folds {
        match next {
            [] => Folds::Not,
            _ => Folds::Closed,
        }
    }

    /// Returns the state of an item that is open from the start, if the play `next` follows.
    fn open<T>(next: &[T]) -> Folds {
        match next {
            [] => Folds::Not,
            _ => Folds::Open,
        }
    }
}

/// Writes the solution of a problem as nested lists.
struct Writer<'j, 'g, W: Layout> {
    judge: &'j Judge<'g, W>,
    out: String,
    /// Once the deadline has expired, no further item is written, and open items are closed.
    deadline: &'j Deadline<'j>,
    /// Whether the play after turns that do not parry the threat is written.
    unparried: bool,
}

impl<W: Layout> Writer<'_, '_, W> {
    fn find(&self, p: &Position<W>, text: &str) -> Result<(Turn, String), Diagnostic> {
        let game = self.judge.game;
        let found = with_turns(|list| {
            game.turns(p, list);
            self.judge.reaching(p, list);
            let same = |turn: &&Turn| turns::print(game, p, turn) == text;
            list.iter().find(same).copied()
        });
        let turn = found
            .ok_or_else(|| Diagnostic::new("solution", format!("`{text}` is not a legal turn")))?;
        Ok((turn, long(self.judge, p, &turn)))
    }

    fn solution(
        &mut self,
        problem: &Problem<W>,
        solution: &Solution,
        tree: &Tree,
    ) -> Result<(), Diagnostic> {
        let p = &problem.start.position;
        self.out.push_str("<ul class=\"tree\">\n");
        if tree.keys.is_empty() {
            for key in &solution.keys {
                let text = long(self.judge, p, &key.turn);
                let _ = writeln!(self.out, "<li>{}</li>", escaped(&format!("1.{text} !")));
            }
        }
        for key in &tree.keys {
            let (turn, text) = self.find(p, &key.turn)?;
            let after = self.judge.game.play(p, &turn);
            let hint = self.hint(&after, key)?;
            let head = format!("1.{text} !{hint}");
            self.branch(&head, Folds::closed(&key.answers), |writer| {
                writer.threats(&after, &key.threats, 1)?;
                writer.answers(&after, &key.answers, 1)
            })?;
        }
        if !tree.set_play.is_empty()
            && let Some(passed) = passed(self.judge.game, p)
        {
            self.branch("set play", Folds::Closed, |writer| {
                writer.answers(&passed, &tree.set_play, 1)
            })?;
        }
        for attempt in &tree.tries {
            let (turn, text) = self.find(p, &attempt.turn)?;
            let after = self.judge.game.play(p, &turn);
            let mut refutations = Vec::new();
            for refutation in &attempt.refutations {
                refutations.push(format!("1...{} !", self.find(&after, refutation)?.1));
            }
            let line = format!("1.{text} ? but {}", refutations.join(", "));
            self.branch(&line, Folds::closed(&attempt.answers), |writer| {
                writer.threats(&after, &attempt.threats, 1)?;
                writer.answers(&after, &attempt.answers, 1)
            })?;
        }
        if tree.cut || solution.lines.is_empty() && self.deadline.was_over() {
            self.out.push_str("<li>(more play than is printed)</li>\n");
        }
        self.lines(problem, solution);
        if solution.must_reach {
            self.out
                .push_str("<li>The side to move can reach the goal at once, and so must.</li>\n");
        }
        self.out.push_str("</ul>\n");
        Ok(())
    }

    /// Writes an item. It folds if play follows.
    fn branch(
        &mut self,
        head: &str,
        folds: Folds,
        inner: impl FnOnce(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if self.deadline.is_over() {
            return Ok(());
        }
        let open = match folds {
            Folds::Not => {
                let _ = writeln!(self.out, "<li>{}</li>", escaped(head));
                return Ok(());
            }
            Folds::Closed => "",
            Folds::Open => " open",
        };
        let head = escaped(head);
        let _ = writeln!(self.out, "<li><details{open}><summary>{head}</summary>");
        inner(self)?;
        self.out.push_str("</details></li>\n");
        Ok(())
    }

    /// Returns ` threat: ...` or ` zugzwang.`, or an empty text.
    fn hint(&self, after: &Position<W>, key: &Move) -> Result<String, Diagnostic> {
        if key.goal || key.answers.is_empty() || self.judge.game.in_check(after, after.side) {
            return Ok(String::new());
        }
        let (Some(first), Some(passed)) = (key.threats.first(), passed(self.judge.game, after))
        else {
            return Ok(" zugzwang.".to_string());
        };
        let (_, text) = self.find(&passed, &first.turn)?;
        let more = match key.threats.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        Ok(format!(" threat: 2.{text}{more}"))
    }

    /// Writes the play after threats, unless [`Writer::hint`] has printed all of it.
    fn threats(
        &mut self,
        after: &Position<W>,
        threats: &[Move],
        number: usize,
    ) -> Result<(), Diagnostic> {
        let Some(passed) = passed(self.judge.game, after) else {
            return Ok(());
        };
        if matches!(threats, [only] if only.goal) || threats.iter().all(Move::is_bare) {
            return Ok(());
        }
        self.out.push_str("<ul>\n");
        for threat in threats {
            self.turn(&passed, threat, number + 1, "threat ")?;
        }
        self.out.push_str("</ul>\n");
        Ok(())
    }

    /// Writes a turn of the attacking side and the play after it.
    fn turn(
        &mut self,
        p: &Position<W>,
        node: &Move,
        number: usize,
        what: &str,
    ) -> Result<(), Diagnostic> {
        let (turn, text) = self.find(p, &node.turn)?;
        let after = self.judge.game.play(p, &turn);
        let head = format!("{what}{number}.{text}");
        self.branch(&head, Folds::open(&node.answers), |writer| {
            writer.threats(&after, &node.threats, number)?;
            writer.answers(&after, &node.answers, number)
        })
    }

    fn answers(
        &mut self,
        p: &Position<W>,
        answers: &[Reply],
        number: usize,
    ) -> Result<(), Diagnostic> {
        self.out.push_str("<ul>\n");
        let shown = self.unparried;
        for answer in answers.iter().filter(|answer| shown || !answer.unparried) {
            let (turn, text) = self.find(p, &answer.turn)?;
            let after = self.judge.game.play(p, &turn);
            let refuted = !answer.goal && answer.next.is_empty();
            let mark = if refuted { " !" } else { "" };
            let head = format!("{number}...{text}{mark}");
            self.branch(&head, Folds::open(&answer.next), |writer| {
                writer.out.push_str("<ul>\n");
                for next in &answer.next {
                    writer.turn(&after, next, number + 1, "")?;
                }
                writer.out.push_str("</ul>\n");
                Ok(())
            })?;
        }
        self.out.push_str("</ul>\n");
        Ok(())
    }

    /// Writes the lines of help and series play, with move numbers.
    fn lines(&mut self, problem: &Problem<W>, solution: &Solution) {
        let judge = self.judge;
        let (series, half) = match problem.stipulation.play {
            Play::Series(..) => (true, 0),
            _ => (false, usize::from(problem.stipulation.half)),
        };
        let starter = problem.start.position.side;
        let mut text = String::new();
        let listed = solution.lines.each(problem, |line, answers| {
            if self.deadline.is_over() {
                return Err(());
            }
            text.clear();
            for (n, made) in line.iter().enumerate() {
                let number = if series { n } else { (n + half) / 2 } + 1;
                let opens = match series {
                    true => made.before.side == starter,
                    false => (n + half) % 2 == 0,
                };
                if n > 0 {
                    text.push(' ');
                }
                if opens {
                    let _ = write!(text, "{number}.");
                } else if n == 0 {
                    let _ = write!(text, "{number}...");
                }
                text += &long(judge, &made.before, &made.turn);
            }
            if let Some(last) = line.last()
                && !answers.is_empty()
            {
                let answers: Vec<String> = answers
                    .iter()
                    .map(|turn| long(judge, &last.after, turn))
                    .collect();
                text = format!("{text} {}", answers.join(", "));
            }
            let _ = writeln!(self.out, "<li>{}</li>", escaped(&text));
            Ok(())
        });
        if listed.is_err() {
            self.out
                .push_str("<li>(more lines than are printed)</li>\n");
        }
    }
}
