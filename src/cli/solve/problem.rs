//! Solves one problem and writes the answer in the requested format.

use super::args::Args;
use super::stored::Storing;
use super::{drawing, rows};
use crate::answer::{Answer, Failure, Verdict, say};
use crate::args::Format;
use crate::picture::{fill, open};
use crate::progress::Bar;
use ::picture::terminal::Look;
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use notation::{Start, board_text, fen};
use problems::text::{self, Unwritten};
use problems::tree::{Tree, Want};
use problems::{Deadline, Play, Problem, Solution, passed};
use puzzle::Layout;
use std::cell::RefCell;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use values::oracle::Oracle;

impl Args {
    /// Solves a problem and writes its answer. `nth` is the number of earlier answers in the same stream.
    pub(super) fn answer<W: Layout>(
        &self,
        problem: &Problem<W>,
        nth: Option<usize>,
        out: &mut dyn Write,
    ) -> Answer {
        let want = Want {
            tree: !self.keys,
            asides: !self.keys && !self.brief && self.format.format != Format::Csv,
            tries: self.tries,
            set_play: self.set_play,
            firsts: self.keys,
            unparried: self.all,
        };
        let bar = Bar::new();
        let svg = self.svg.open()?;
        let html = self.html.as_deref();
        let html = html
            .map(|file| Ok::<_, Diagnostic>((file, open(file, "--html")?)))
            .transpose()?;
        let tables = self.tables.of(&problem.start.game)?;
        if let Some(tables) = &tables {
            // Report a damaged file before the search begins.
            tables.value(&problem.start.position)?;
        }
        let oracle = tables.as_ref().map(|tables| tables as &dyn Oracle<W>);
        let control = self.control(&bar);
        let mut listing = None;
        let mut solution = if self.lists_lines(problem) {
            let set_play = self.head(problem, nth, out)?;
            let listing = listing.insert(Listing::new(set_play));
            problem.solve_in_order(&self.limits(), want, oracle, &control, &mut |part| {
                bar.clear();
                listing.add(problem, part, &control, out)
            })
        } else {
            problem.solve_with_oracle(&self.limits(), want, oracle, &control)
        };
        bar.clear();
        if let Some(tables) = &tables {
            tables.check_values()?;
            if tables.was_read() {
                say("note: according to the tables, which `fairyproof table check` certifies");
            }
        }
        let deadline = listing
            .as_mut()
            .and_then(|listing| listing.deadline.take())
            .unwrap_or_else(|| Deadline::new(&control));
        // Every turn is replayed before it is printed. The writers of text and lines do this themselves.
        if self.keys || self.format.format != Format::Text && solution.lines.is_empty() {
            // Do not show a tree that was not replayed.
            if !text::replay(problem, &solution, &deadline)? {
                solution.tree = Tree::unshown();
            }
        }
        match (svg, &self.svg.svg) {
            (Some(target), Some(file)) => {
                fill(
                    target,
                    Path::new(file),
                    "--svg",
                    &drawing::picture(problem, &solution, self.svg.look()),
                )?;
            }
            _ => self.svg.write(
                || drawing::picture(problem, &solution, self.svg.look()),
                out,
            )?,
        }
        if let Some((file, target)) = html {
            let page = drawing::page(problem, &solution, &deadline, self.svg.marks)?;
            fill(target, file, "--html", &page)?;
        }
        let set_play = match listing {
            Some(listing) => listing.end(problem, &solution, &deadline, out)?,
            // The picture replaces the text.
            None if self.svg.alone() => Verdict::Done,
            None => self.write(problem, &solution, &deadline, nth, out)?,
        };
        // Write the answer before the messages about it.
        out.flush()?;
        let enough = Some(Stopped::Count(Counted::Solutions));
        let undecided = solution.stopped.is_some() && solution.stopped != enough;
        let moves = solution.settled_moves;
        if undecided && moves > 0 && solution.count() == 0 {
            say(&format!("no first turn solves in {moves} moves or fewer"));
        }
        Ok(last_word(&solution, &deadline)
            .unwrap_or_else(|| set_play.max(Verdict::found(solution.count() == 0))))
    }

    /// Returns whether lines are written as text during the search.
    fn lists_lines<W: Layout>(&self, problem: &Problem<W>) -> bool {
        matches!(problem.stipulation.play, Play::Help(_) | Play::Series(..))
            && self.format.format == Format::Text
            && !self.keys
            && !self.svg.alone()
    }

    /// Writes what precedes the solution in a text. The verdict is as for [`write`](Self::write).
    fn head<W: Layout>(
        &self,
        problem: &Problem<W>,
        nth: Option<usize>,
        out: &mut dyn Write,
    ) -> Answer {
        let game = problem.start.game.as_ref();
        let p = &problem.start.position;
        if let Some(nth) = nth {
            let apart = if nth > 0 { "\n" } else { "" };
            writeln!(out, "{apart}{}", fen::print(game, p))?;
        }
        if std::io::stdout().is_terminal() {
            let board = match Look::of_environment(true) {
                Look::Plain => board_text::print(game, p),
                _ => board_text::print_figures(game, p),
            };
            writeln!(out, "{board}")?;
        }
        writeln!(out, "{} {}\n", game.variant(), problem.stipulation)?;
        if self.set_play && matches!(problem.stipulation.play, Play::Help(_)) {
            return self.help_set_play(problem, out);
        }
        Ok(Verdict::Done)
    }

    /// Writes an answer in the requested format. The verdict is `Undecided` if set play was written and is
    /// incomplete.
    fn write<W: Layout>(
        &self,
        problem: &Problem<W>,
        solution: &Solution,
        deadline: &Deadline<'_>,
        nth: Option<usize>,
        out: &mut dyn Write,
    ) -> Answer {
        let mut set_play = Verdict::Done;
        if self.keys {
            if nth > Some(0) {
                writeln!(out)?;
            }
            for key in problem.first_turns(solution) {
                writeln!(out, "{key}")?;
            }
            return Ok(set_play);
        }
        match self.format.format {
            Format::Text => {
                set_play = self.head(problem, nth, out)?;
                let written = text::write(problem, solution, true, out, deadline);
                written.map_err(unwritten)?;
            }
            Format::Json => {
                // The answers to several positions form a single array.
                match nth {
                    None => {}
                    Some(0) => out.write_all(b"[\n")?,
                    Some(_) => out.write_all(b",\n")?,
                }
                let storing = Storing {
                    problem,
                    solution,
                    deadline,
                    wrong: RefCell::new(None),
                };
                let written = serde_json::to_writer_pretty(&mut *out, &storing);
                if let Some(wrong) = storing.wrong.into_inner() {
                    return Err(wrong.into());
                }
                written.map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            Format::Csv => {
                let first = nth.is_none_or(|nth| nth == 0);
                rows::write(problem, solution, deadline, first, out)?;
            }
        }
        Ok(set_play)
    }

    /// Solves and writes the set play of help play: the lines without their first turn.
    fn help_set_play<W: Layout>(&self, problem: &Problem<W>, out: &mut dyn Write) -> Answer {
        let Problem { start, stipulation } = problem;
        writeln!(out, "   set play")?;
        let Some(position) = passed(start.game.as_ref(), &start.position) else {
            writeln!(out, "   the side to move cannot pass\n")?;
            return Ok(Verdict::Done);
        };
        let set = Problem {
            start: Start {
                game: start.game.clone(),
                position,
            },
            stipulation: {
                let mut set = stipulation.clone();
                (set.moves, set.half) = (stipulation.moves - 1, true);
                set
            },
        };
        let bar = Bar::new();
        let control = self.control(&bar);
        let solution = set.solve(&self.limits(), &control);
        bar.clear();
        let deadline = Deadline::new(&control);
        let written = text::write(&set, &solution, false, out, &deadline);
        let whole = written.map_err(unwritten)? && solution.stopped.is_none();
        if solution.lines.is_empty() {
            writeln!(out, "   none")?;
        }
        writeln!(out)?;
        Ok(Verdict::decided(whole))
    }
}

/// The lines of a problem, written during the search.
struct Listing<'c> {
    /// The verdict on the set play.
    set_play: Verdict,
    /// The deadline for the lines, once the search has been stopped.
    deadline: Option<Deadline<'c>>,
    written: Result<bool, Failure>,
}

impl<'c> Listing<'c> {
    fn new(set_play: Verdict) -> Listing<'c> {
        Listing {
            set_play,
            deadline: None,
            written: Ok(true),
        }
    }

    /// Writes more lines. Returns whether to continue.
    fn add<W: Layout>(
        &mut self,
        problem: &Problem<W>,
        part: &Solution,
        control: &Control<'c>,
        out: &mut dyn Write,
    ) -> bool {
        let deadline = self.deadline.take();
        let deadline = deadline.unwrap_or_else(|| Deadline::new(control));
        if !deadline.was_over() {
            let written = text::write(problem, part, false, out, &deadline).map_err(unwritten);
            self.written = written.and_then(|whole| {
                out.flush()?;
                Ok(whole)
            });
        }
        if control.check().is_err() || deadline.was_over() {
            self.deadline = Some(deadline);
        }
        self.written.is_ok()
    }

    /// Writes what follows the lines.
    fn end<W: Layout>(
        self,
        problem: &Problem<W>,
        solution: &Solution,
        deadline: &Deadline<'_>,
        out: &mut dyn Write,
    ) -> Answer {
        self.written?;
        if solution.lines.is_empty() {
            text::write(problem, solution, true, out, deadline).map_err(unwritten)?;
            return Ok(self.set_play);
        }
        writeln!(out, "{}", text::verdict_text(problem, solution))?;
        match solution.stopped {
            None | Some(Stopped::Count(Counted::Solutions)) => {}
            Some(stop) => writeln!(out, "not complete: {stop}")?,
        }
        Ok(self.set_play)
    }
}

/// Converts the reason why an answer was not written to the failure of the command.
fn unwritten(error: Unwritten) -> Failure {
    match error {
        Unwritten::Wrong(error) => Failure::Input(error),
        Unwritten::Output(error) => Failure::Output(error),
        Unwritten::Stopped => Failure::Output(ErrorKind::Interrupted.into()),
    }
}

/// Prints the reason if an answer is incomplete. Returns the verdict in this case.
fn last_word(solution: &Solution, deadline: &Deadline<'_>) -> Option<Verdict> {
    let why = match solution.stopped {
        Some(Stopped::Interrupted) => "interrupted: the answer is not complete".to_string(),
        Some(Stopped::Time) => "the time is over: the answer is not complete".to_string(),
        Some(Stopped::Memory) => {
            "the lines found take the memory that is allowed: the answer is not complete; see --memory"
                .to_string()
        }
        Some(Stopped::Count(Counted::Solutions)) => {
            "stopped at the requested number of solutions".to_string()
        }
        Some(limit) => format!("{limit}: the answer is not complete"),
        None if !deadline.was_over() => return None,
        None => match solution.lines.len() {
            0 => "not all of the play is written".to_string(),
            found => format!("{found} lines were found; not all of them are written"),
        },
    };
    say(&why);
    Some(match solution.stopped.or_else(|| deadline.ended()) {
        Some(Stopped::Interrupted) => Verdict::Interrupted,
        _ => Verdict::Undecided,
    })
}
