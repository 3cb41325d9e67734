use super::answer::{Answer, Verdict};
use super::args::{VariantArg, read_setup};
use super::expressions::Compiled;
use super::input_lines::{ErrorLines, each_fen};
use super::interrupt;
use catalog::Catalog;
use control::Control;
use control::evaluation::caught;
use diagnostics::{Diagnostic, nearest};
use language::{Example, FORMS, Interrupted, Item, NAMES, Name, Owner, Subject, kind_names};
use notation::with_setup;
use rules::Variant;
use std::io::Write;
use std::time::Duration;

/// Print the value of an expression
///
/// An expression describes a property of a position or computes a value from it: `count(white, 'queen') == 1
/// && check`. Its value is printed as `true` or `false`, a number, or text; lists are separated by blanks,
/// units are written as `Qd1` (White) or `qd8` (Black), turns in coordinate notation.
///
/// FEN is the position [default: the start position]. With `-` one FEN is read from each line of standard
/// input and one line is printed for each; a line that cannot be answered gets `error: ...`, and the exit
/// code is 2.
///
/// `--names` lists every name that expressions know, the kinds of the rule set and the fields of its state;
/// `fairyproof guide expressions` is the reference.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    fairyproof eval fide \"units(white, 'rook').map(u, u.square)\"\n  \
    fairyproof eval fide '6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1' 'turns.filter(t, t.mates)'\n  \
    fairyproof eval bachelor --names attacked")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    /// The position, or the expression alone
    // Two arguments, so that an option after the first is not taken for the second.
    #[arg(value_name = "FEN", allow_hyphen_values = true)]
    first: Option<String>,
    /// The expression
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    second: Option<String>,
    /// The position as an option
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,
    /// List the names that expressions know, or describe one
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    names: Option<String>,
    /// Stop after SECONDS seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::solve::seconds)]
    time: Option<Duration>,
}

impl Args {
    /// Runs the command and writes the values to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        if let Some(name) = &self.names {
            if self.first.is_some() {
                let error = Diagnostic::new("--names", "it takes no expression");
                return Err(error
                    .help("`eval ID --names NAME` describes one name")
                    .into());
            }
            return self.names(&variant, name, out);
        }
        let (fen, text) = match (&self.fen, &self.first, &self.second) {
            (fen, Some(text), None) => (fen.as_deref(), text),
            (None, Some(fen), Some(text)) => (Some(fen.as_str()), text),
            (Some(_), _, Some(_)) => {
                return Err(Diagnostic::new("FEN", "it is given twice").into());
            }
            _ => {
                let error = Diagnostic::new("eval", "the expression is missing");
                return Err(error
                    .help("for example `fairyproof eval fide 'size(turns)'`")
                    .into());
            }
        };
        let mut compiled = Compiled::new(catalog, &variant, "expression", text)?;
        interrupt::timed(Control::new(), self.time);
        let many = fen == Some("-");
        if many {
            // Compile on the variant's own board first, so an error in the expression is reported only once.
            compiled.read(None)?;
        }
        let mut stopped = false;
        let ended = each_fen(fen, ErrorLines::InPlace, out, |fen, out| {
            stopped |= many && interrupt::is_due();
            if stopped {
                return Ok(());
            }
            let (setup, expression) = match fen.filter(|_| many) {
                Some(fen) => compiled.read_next(fen)?,
                None => compiled.read(fen)?,
            };
            let evaluate = || {
                with_setup!(&setup, s => expression.answer(&Subject {
                    stop: Some(&interrupt::is_due),
                    ..Subject::new(s.game.as_ref(), &s.position)
                }))
            };
            match caught(evaluate).and_then(|answer| answer) {
                Ok(answer) => Ok(writeln!(out, "{}", answer.text)?),
                Err(Interrupted) => {
                    stopped = true;
                    Ok(())
                }
            }
        })?;
        match stopped {
            true => Ok(interrupt::verdict()),
            false => Ok(ended),
        }
    }

    /// Lists the names that expressions may use, or describes one of them.
    fn names(&self, variant: &Variant, name: &str, out: &mut dyn Write) -> Answer {
        let setup = read_setup(variant, self.fen.as_deref())?;
        let game = setup.game();
        let kinds = rules::with_game!(&game, g => kind_names(g.variant(), g.men()));
        let state = game.variant().rule_set.state().to_vec();
        if name.is_empty() {
            for (title, owner) in [
                ("Names", Owner::Global),
                ("Positions", Owner::Position),
                ("Turns", Owner::Turn),
                ("Units", Owner::Unit),
                ("Squares", Owner::Square),
            ] {
                writeln!(out, "{title}")?;
                for row in NAMES.iter().filter(|row| row.owner == owner) {
                    writeln!(
                        out,
                        "  {:<34} {:<15} {}",
                        row.usage(),
                        row.result.to_string(),
                        row.meaning
                    )?;
                }
                writeln!(out)?;
            }
            writeln!(out, "Lists")?;
            for (_, usage, meaning, _) in FORMS {
                writeln!(out, "  {usage:<34} {:<15} {meaning}", "")?;
            }
            writeln!(out, "\nKinds of {}", game.variant())?;
            for kind in &kinds {
                writeln!(out, "  '{}' or '{}'", kind.name, kind.letter)?;
            }
            if !state.is_empty() {
                writeln!(out, "\nState of {}", game.variant())?;
            }
            for (key, meaning) in &state {
                let item = language::field_type(key);
                writeln!(
                    out,
                    "  {:<34} {:<15} {meaning}",
                    format!("state.{key}"),
                    item.name()
                )?;
            }
            return Ok(Verdict::Done);
        }
        let mut found = false;
        for row in NAMES.iter().filter(|row| row.name == name) {
            if std::mem::replace(&mut found, true) {
                writeln!(out)?;
            }
            let owner = match row.owner {
                Owner::Global => "",
                Owner::Position => " of a position",
                Owner::Turn => " of a turn",
                Owner::Unit => " of a unit",
                Owner::Square => " of a square",
            };
            writeln!(out, "{}: {}{owner}", row.usage(), row.result)?;
            writeln!(out, "  {}", row.meaning)?;
            write_example(row, out)?;
        }
        for (form, usage, meaning, example) in FORMS {
            if *form == name {
                found = true;
                writeln!(out, "{usage}\n  {meaning}")?;
                write_command("eval", example, "", out)?;
            }
        }
        for (key, meaning) in &state {
            if name.strip_prefix("state.") == Some(key) {
                found = true;
                let item: Item = language::field_type(key);
                writeln!(out, "{name}: {}\n  {meaning}", item.name())?;
            }
        }
        if found {
            return Ok(Verdict::Done);
        }
        let known = NAMES
            .iter()
            .map(|row| row.name)
            .chain(FORMS.iter().map(|form| form.0));
        let shown = diagnostics::shortened(name);
        let error = Diagnostic::new("--names", format!("there is no name `{shown}`"));
        Err(match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("`eval ID --names` lists all names"),
        }
        .into())
    }
}

/// Writes an example of a name, as a command and what it prints if the name is known outside claims files.
fn write_example(row: &Name, out: &mut dyn Write) -> std::io::Result<()> {
    let example = &row.example;
    match (example.answer, row.needs_facts()) {
        ("", _) => {
            let bound = example.expression;
            writeln!(out, "  for example, bound = \"{bound}\" in a claims file")
        }
        (_, true) => write_command("explore", example, "--solve --count ", out),
        (_, false) => write_command("eval", example, "", out),
    }
}

fn write_command(
    command: &str,
    example: &Example,
    options: &str,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let fen = match example.fen {
        "" => String::new(),
        fen => format!("'{fen}' "),
    };
    writeln!(
        out,
        "  for example, {command} {} {fen}{options}\"{}\" prints {}",
        example.variant, example.expression, example.answer
    )
}
