//! The command line, with one file for each command. This is the only crate that prints.
//!
//! A command writes its answer to standard output and nothing else; messages go to standard error. To add a
//! command, write its file (an `Args` with `#[derive(clap::Args)]`, whose doc comment is the help text, and
//! `Args::run`), declare it here as a module, and list it in `commands!`.
//!
//! | file | shared by commands |
//! |---|---|
//! | `args.rs` | arguments: variant, FEN (`-` for one on each line), `--format`, `--threads`, `--memory` |
//! | `answer.rs` | the end of a command: verdicts, failures, exit codes, messages |
//! | `expressions.rs` | expressions as arguments, games of many FENs |
//! | `interrupt.rs` | Ctrl-C |
//! | `resources.rs` | what happens if the system refuses memory, threads or file space |
//! | `paths.rs` | the files that a command reads and writes |
//! | `picture.rs` | `--svg`, and files that options name |
//! | `suite.rs` | CSV files of cases to count or solve and compare |

use catalog::Catalog;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use diagnostics::Diagnostic;
use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

pub mod answer;
pub mod args;
pub mod interrupt;
pub mod picture;
pub mod resources;
pub mod suite;

mod can_win;
mod compare;
mod completions;
mod document;
mod eval;
mod explore;
mod expressions;
mod guide;
mod input_lines;
mod man;
mod outcome;
#[cfg(feature = "parquet")]
mod parquet;
mod paths;
mod perft;
mod play;
mod progress;
mod prove;
mod puzzles;
mod report;
mod rules;
mod serve;
mod show;
mod solve;
mod spartan_match;
mod start;
mod table;
mod table_find;
mod turns;
mod variants;
mod verify;
mod verify_rules;

use answer::{Answer, Failure, Verdict, guarded};
use paths::Paths;

macro_rules! commands {
    ($($name:ident => $module:ident,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($name($module::Args),)*
        }

        impl Command {
            fn run(&self, catalog: &Arc<Catalog>, out: &mut dyn Write) -> Answer {
                match self {
                    $(Command::$name(args) => args.run(catalog, out),)*
                }
            }

            /// Returns the file of definitions that `rules check` reports on, if this is the command.
            fn checked_file(&self) -> Option<&Path> {
                match self {
                    Command::Rules(args) => args.checked_file(),
                    _ => None,
                }
            }
        }
    };
}

// The commands, in the order of `fairyproof --help`.
commands! {
    Variants => variants,
    Rules => rules,
    Start => start,
    Show => show,
    Turns => turns,
    Outcome => outcome,
    CanWin => can_win,
    Eval => eval,
    Play => play,
    Perft => perft,
    Compare => compare,
    SpartanMatch => spartan_match,
    Verify => verify,
    Explore => explore,
    Solve => solve,
    Prove => prove,
    Puzzles => puzzles,
    Table => table,
    Report => report,
    Guide => guide,
    Serve => serve,
    Completions => completions,
    Man => man,
}

/// A rule-verification and puzzle-solving workbench for chess variants
///
/// ID is a variant with its options: `bachelor`, `spartan:moves=40`; `fairyproof variants` lists
/// them. A FEN is one argument, in quotes; left out, it is the variant's start position; `-` reads
/// one FEN from each line of standard input and answers line by line.
#[derive(Parser)]
#[command(
    name = "fairyproof",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Exit codes: 0 done and nothing found; 1 a finding (a difference, a wrong count);
2 wrong usage or input, or an answer that could not be written; 3 undecided (a limit
was reached); 101 an internal error; 130 interrupted. A closed pipe is 0.

Examples:
  fairyproof variants
  fairyproof turns bachelor
  fairyproof perft convergent 4 --divide"
)]
struct Cli {
    /// File of variants of your own (variants.ini); repeatable; those of $FAIRYPROOF_RULES come after
    #[arg(long, value_name = "FILE", global = true)]
    rules: Vec<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// Returns clap's description of the program, for completions and the manual page.
fn program() -> clap::Command {
    let mut command = with_negative_numbers(Cli::command());
    command.build();
    command
}

/// Lets every argument of a command and of its subcommands accept negative numbers, so that the parser of its
/// value refuses them and names the numbers that are allowed.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|arg| match arg.get_action().takes_values() {
            true => arg.allow_negative_numbers(true),
            false => arg,
        })
        .mut_subcommands(with_negative_numbers)
}

/// Reads the arguments. Also returns the files that they name.
///
/// # Errors
/// The message to print: an error about the arguments, help or the version.
fn parse(arguments: &[OsString]) -> Result<(Cli, Paths), clap::Error> {
    let mut command = with_negative_numbers(Cli::command());
    let matches = command.try_get_matches_from_mut(arguments)?;
    check_order(&mut command, &matches)?;
    let paths = Paths::of(&command, &matches);
    let cli = Cli::from_arg_matches(&matches);
    Ok((cli.map_err(|error| error.format(&mut command))?, paths))
}

/// Checks that a command with a subcommand has no other arguments. The subcommand would ignore them.
fn check_order(command: &mut clap::Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((name, inner)) = matches.subcommand() else {
        return Ok(());
    };
    let is_ignored = |arg: &&clap::Arg| {
        let source = matches.value_source(arg.get_id().as_str());
        !arg.is_global_set() && source == Some(ValueSource::CommandLine)
    };
    let ignored = command.get_arguments().find(is_ignored).cloned();
    if let Some(ignored) = ignored {
        let why = format!(
            "`{ignored}` does not apply to the subcommand `{name}`, whose own arguments follow it"
        );
        return Err(command.error(ErrorKind::ArgumentConflict, why));
    }
    match command.find_subcommand_mut(name) {
        Some(subcommand) => check_order(subcommand, inner),
        None => Ok(()),
    }
}

/// Returns whether a FEN was passed as several arguments: a board followed by the side to move.
fn unquoted_fen(arguments: &[OsString]) -> bool {
    arguments.windows(2).any(|pair| {
        let board = pair[0].to_str().is_some_and(|text| text.contains('/'));
        board && (pair[1] == "w" || pair[1] == "b")
    })
}

/// The environment variable that lists files of definitions, in the syntax of `PATH`.
const RULES_VARIABLE: &str = "FAIRYPROOF_RULES";

/// Returns the files that [`RULES_VARIABLE`] lists.
fn rules_of_environment() -> Vec<PathBuf> {
    let variable = std::env::var_os(RULES_VARIABLE).unwrap_or_default();
    let files = std::env::split_paths(&variable);
    files.filter(|path| !path.as_os_str().is_empty()).collect()
}

/// Returns the catalog with the files of `--rules`, followed by those of [`RULES_VARIABLE`]. Prints warnings
/// on standard error.
///
/// # Errors
/// If a file cannot be read, or has an error outside its sections. Errors in `checked`, the file that `rules
/// check` reports on, are ignored.
fn catalog(rules: &[PathBuf], checked: Option<&Path>) -> Result<Arc<Catalog>, Diagnostic> {
    let further = rules_of_environment();
    let mut catalog = Catalog::new().on_warning(answer::say);
    for path in rules.iter().cloned().chain(further) {
        match catalog.add_file(&path) {
            Err(_) if checked.is_some_and(|checked| catalog::is_same_file(checked, &path)) => {}
            added => added?,
        }
    }
    Ok(Arc::new(catalog))
}

/// Prints help or an error about the arguments. Long arguments are shortened.
fn print_usage(message: &clap::Error) -> std::io::Result<()> {
    const MAX_LINE_CHARS: usize = 1_000;
    let is_long = |line: &str| line.chars().nth(MAX_LINE_CHARS).is_some();
    let text = message.render().to_string();
    if message.exit_code() == 0 || !text.lines().any(is_long) {
        return message.print();
    }
    for line in text.lines() {
        let start: String = line.chars().take(MAX_LINE_CHARS).collect();
        let cut = if is_long(line) { "…" } else { "" };
        writeln!(std::io::stderr(), "{start}{cut}")?;
    }
    Ok(())
}

/// Runs a command, whose evaluations Ctrl-C and the time limit stop.
fn run_command(command: &Command, catalog: &Arc<Catalog>, out: &mut dyn Write) -> Answer {
    let due = Arc::new(interrupt::is_due);
    guarded(|| control::evaluation::armed(due, || command.run(catalog, out)))
}

/// Runs the program with these arguments, of which the first is the program's name. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    resources::install();
    interrupt::install();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let hint = unquoted_fen(&arguments).then_some("a FEN is one argument: put it into quotes");
    let answer = match parse(&arguments) {
        Ok((cli, paths)) => {
            let mut out = BufWriter::new(std::io::stdout().lock());
            let answer = (paths.check())
                .and_then(|()| catalog(&cli.rules, cli.command.checked_file()))
                .map_err(Failure::from)
                .and_then(|catalog| run_command(&cli.command, &catalog, &mut out));
            // Write the answers that precede a failure.
            match out.flush() {
                Err(error) if !matches!(answer, Err(Failure::Output(_))) => Err(error.into()),
                _ => answer,
            }
        }
        // Help and version are answers; everything else is an error.
        Err(message) => print_usage(&message)
            .and_then(|()| std::io::stdout().flush())
            .map_err(Failure::from)
            .map(|()| match message.exit_code() {
                0 => Verdict::Done,
                _ => {
                    if let Some(hint) = hint {
                        answer::say(&format!("help: {hint}"));
                    }
                    Verdict::BadInput
                }
            }),
    };
    answer::code(answer, hint)
}
