//! The problems that `solve` receives: one position, or one on each line of standard input.

use super::args::Args;
use crate::answer::{Answer, Verdict, say};
use crate::args::{Format, looks_like_fen, read_setup};
use crate::expressions;
use crate::input_lines::{ErrorLines, each_fen};
use crate::interrupt;
use board::Color;
use catalog::Catalog;
use control::evaluation::{Interrupted, caught};
use diagnostics::Diagnostic;
use language::Expression;
use notation::{Setup, fen, forsyth, with_setup};
use position::Rights;
use problems::{Ending, Goal, Play, Problem, Stipulation};
use puzzle::Layout;
use rules::{AnyGame, Variant};
use std::io::Write;

impl Args {
    /// Solves the given position, or each line of standard input.
    pub(super) fn all(
        &self,
        catalog: &Catalog,
        id: &str,
        stipulation: &str,
        out: &mut dyn Write,
    ) -> Answer {
        let (fen, stipulation) = match self.beside.as_deref() {
            None => (self.fen.as_deref(), stipulation),
            Some(beside) if looks_like_fen(beside) || beside == "-" => (Some(beside), stipulation),
            Some(beside) if looks_like_fen(stipulation) || stipulation == "-" => {
                (Some(stipulation), beside)
            }
            Some(beside) => {
                let error = Diagnostic::new(format!("`{beside}`"), "it is not a position");
                return Err(error
                    .help("a FEN is one argument: put it into quotes")
                    .into());
            }
        };
        let variant = catalog.open(id)?;
        let many = fen == Some("-");
        let (mut worst, mut answers) = (Verdict::Done, 0);
        let lines = self.keys || self.format.format == Format::Text;
        let errors = if lines {
            ErrorLines::InPlace
        } else {
            ErrorLines::Apart
        };
        let read = each_fen(fen, errors, out, |fen, out| {
            if worst != Verdict::Interrupted {
                let verdict = self.one(
                    catalog,
                    &variant,
                    stipulation,
                    fen,
                    many.then_some(answers),
                    out,
                );
                if verdict.is_err() && lines && many {
                    if answers > 0 {
                        out.write_all(b"\n")?;
                    }
                    answers += 1;
                }
                worst = worst.max(verdict?);
                answers += 1;
            }
            Ok(())
        })?;
        if many && self.format.format == Format::Json && !self.svg.alone() {
            out.write_all(if answers == 0 { b"[]\n" } else { b"]\n" })?;
        }
        Ok(read.max(worst))
    }

    /// Solves one position. `nth` is the number of earlier answers in the same stream.
    fn one(
        &self,
        catalog: &Catalog,
        variant: &Variant,
        stipulation: &str,
        fen: Option<&str>,
        nth: Option<usize>,
        out: &mut dyn Write,
    ) -> Answer {
        let fen = fen
            .map(|fen| {
                let side =
                    |geometry| Stipulation::first_side(stipulation, &variant.rule_set, geometry);
                forsyth::completed(variant, fen, side)
            })
            .transpose()?;
        let setup = self.with_castling(read_setup(variant, fen.as_deref())?);
        let game = setup.game();
        with_setup!(setup, start => {
            let geometry = start.game.board().geometry();
            let expression = || self.goal_expression(catalog, &game);
            let stipulation =
                Stipulation::parse_with(stipulation, &variant.rule_set, geometry, &expression)?;
            if self.goal.is_some() && !matches!(stipulation.goal, Goal::Expression(_)) {
                let why = format!("`{stipulation}` has a goal of its own");
                return Err(Diagnostic::new("--goal", why)
                    .help("write `goal 2`, `s-goal 2`, `h-goal 2` or `ser-goal 2`")
                    .into());
            }
            let problem = Problem::new(start, stipulation);
            self.refuse_what_play_has_not(&problem)?;
            note_side(&problem);
            caught(|| self.answer(&problem, nth, out)).unwrap_or_else(|Interrupted| Ok(interrupt::verdict()))
        })
    }

    /// Adds the castling rights of the convention of problems if `--castling` is given. Otherwise prints a note
    /// if there are such rights and the position has none.
    fn with_castling(&self, mut setup: Setup) -> Setup {
        with_setup!(&mut setup, start => {
            let game = start.game.as_ref();
            let mut position = start.position;
            position.rights = forsyth::usual_rights(game, &position);
            if self.castling {
                start.position = position;
            } else if start.position.rights == Rights::default() && position.rights != Rights::default() {
                say(&format!(
                    "note: castling is off, because the castling field is `-`; `--castling` allows `{}`",
                    fen::rights_text(game, &position)
                ));
            }
        });
        setup
    }

    /// Returns the expression for a stipulation whose goal is an expression.
    fn goal_expression(&self, catalog: &Catalog, game: &AnyGame) -> Result<Expression, Diagnostic> {
        match &self.goal {
            Some(text) => expressions::goal(catalog, "--goal", text, game),
            None => {
                let error = Diagnostic::new("stipulation", "the goal needs an expression");
                Err(error.help("`--goal EXPR` states it, such as `mates && kind == 'pawn'`"))
            }
        }
    }

    /// Refuses `--tries` and `--set-play` for kinds of play that do not have them. Tries exist only where one
    /// side tries to refute. Set play also exists in help play, if Black makes the first turn of whole moves.
    fn refuse_what_play_has_not<W: Layout>(&self, problem: &Problem<W>) -> Result<(), Diagnostic> {
        let asked = &problem.stipulation;
        let none = |option: &str, why: &str| Err(Diagnostic::new(option, why.to_string()));
        match asked.play {
            Play::Help(_) | Play::Series(..) if self.tries => none(
                "--tries",
                "help and series play have no tries: neither side refutes",
            ),
            Play::Series(..) if self.set_play => none("--set-play", "series play has no set play"),
            Play::Help(ending) if self.set_play && (asked.half || ending != Ending::Goal) => {
                none("--set-play", "it exists in help play of whole moves alone")
            }
            Play::Help(_) if self.set_play && self.format.format != Format::Text => {
                none("--set-play", "of help play it is written as text alone")
            }
            _ => Ok(()),
        }
    }
}

/// Prints a note if the side to move is not the usual one in problems. In help play, Black helps White and
/// makes the first turn if all moves are whole.
fn note_side<W: Layout>(problem: &Problem<W>) {
    let (start, stipulation) = (&problem.start, &problem.stipulation);
    let is_help = matches!(
        stipulation.play,
        Play::Help(Ending::Goal) | Play::Series(Ending::Goal, true)
    );
    if !is_help || start.position.side == stipulation.usual_side() {
        return;
    }
    let begins = stipulation.half || stipulation.introduction > 0;
    let (mover, goal) = match (start.position.side, begins) {
        (Color::White, false) => ("White", "Black"),
        (Color::White, true) => ("White", "White"),
        (Color::Black, false) => ("Black", "White"),
        (Color::Black, true) => ("Black", "Black"),
    };
    say(&format!(
        "note: {mover} is to move, so {goal} is to reach the goal of {stipulation}; problems mean the \
         other way round"
    ));
}
