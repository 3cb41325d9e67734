//! `explore`: the reachable graph.

use super::answer::{Answer, Failure, Verdict, say, say_cost, unwritable};
use super::args::{Format, Memory, Threads, VariantArg, number, read_setup};
use super::interrupt;
use explore::{Exploration, Limit, Limits, Observer, Progress, explore};
use indicatif::{ProgressBar, ProgressStyle};
use input::InputError;
use notation::Start;
use notation::with_setup;
use report::explored::Explored;
use report::solved::{Solved, write_states};
use report::{Target, write_depths, write_dot, write_graphml};
use rules::Game;
use solve::Layout;
use solve::graph::{self, Stopped, Values, certify_game, solve_game};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Find every position that legal turns lead to, and what their graph looks like
///
/// Breadth first from a position: states, edges, terminal states by outcome and reason,
/// out-degrees, strongly connected components, and the longest path in turns where the graph has
/// no cycle. A limit that stops the search is named, the part explored is reported all the same,
/// and the exit code is then 3. Ctrl-C is such a limit (exit code 130).
///
/// With --solve every position of a complete graph gets its value under best play, for the side to
/// move: loss, weak loss, draw, weak win or win, and its distance in plies, which the winner
/// hastens and the loser delays. Draws, by the rules or by endless play, have no distance. The
/// values are then compared with those of all successors, made anew by the rules.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    fairyproof explore french-revolution --fen \"k2/3/PPP/ppp/3/2K w - - 0 1 first=1\" --dot game.dot\n  \
    fairyproof explore fide --fen \"7k/5r2/8/8/8/8/Q7/K7 w - - 0 1\" --no-edges\n  \
    fairyproof explore bachelor --max-depth 5 --csv depths.csv\n  \
    fairyproof explore bachelor --fen \"4k/5/5/Q4/4K w - - 0 1\" --solve --values values.csv")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    /// Position; the start if left out
    #[arg(value_name = "FEN", conflicts_with = "named")]
    fen: Option<String>,
    /// The same as an option
    #[arg(long = "fen", id = "named", value_name = "FEN")]
    named: Option<String>,
    /// Stop before there are more states than this
    #[arg(long, value_name = "N", value_parser = states, allow_negative_numbers = true)]
    max_states: Option<u64>,
    /// Do not go deeper than this, in turns from the position
    #[arg(long, value_name = "N", value_parser = depth, allow_negative_numbers = true)]
    max_depth: Option<u32>,
    /// Do not keep edges: less memory, but nothing on cycles, components and longest paths
    #[arg(long, conflicts_with_all = ["dot", "graphml"])]
    no_edges: bool,
    /// Write the levels of the graph to this file, as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the graph to this file, for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the graph to this file, as GraphML
    #[arg(long, value_name = "FILE")]
    graphml: Option<PathBuf>,
    /// Value every position of the graph, and say what the values come to
    #[arg(long, conflicts_with = "no_edges")]
    solve: bool,
    /// Certify the values also of more than 10 million positions
    #[arg(long, requires = "solve")]
    certify: bool,
    /// Write every position with its value to this file, as CSV
    #[arg(long, value_name = "FILE", requires = "solve")]
    values: Option<PathBuf>,
    /// Shape of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = shape)]
    format: Format,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

/// Values of no more states than these are certified unasked.
const CERTIFIED_STATES: usize = 10_000_000;

const MOST_STATES: u64 = u32::MAX as u64 - 1;

fn states(text: &str) -> Result<u64, String> {
    number(text, 1, MOST_STATES)
}

fn depth(text: &str) -> Result<u32, String> {
    number(text, 0, u32::MAX)
}

fn shape(text: &str) -> Result<Format, String> {
    match text {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "csv" => Err("the levels are written as CSV with --csv FILE".to_string()),
        _ => Err("text or json".to_string()),
    }
}

/// Shows how far a search is, where somebody looks.
pub struct Bar(ProgressBar);

impl Bar {
    /// A line with a spinner.
    pub fn new() -> Bar {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} states, {per_sec}, {msg}")
        {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Bar {
    fn progress(&self, now: Progress) {
        self.0.set_position(now.states);
        self.0.set_message(format!(
            "depth {}, {} left, {} edges",
            now.depth,
            now.states - now.expanded,
            now.edges
        ));
    }
}

impl graph::Observer for Bar {
    fn solved(&self, states: u64, plies: u16) {
        self.0.set_position(states);
        self.0.set_message(format!("solved within {plies} plies"));
    }

    fn checked(&self, states: u64, of: u64) {
        self.0.set_position(states);
        self.0.set_message(format!("of {of} certified"));
    }
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        let variant = self.variant.read()?;
        let fen = self.named.as_deref().or(self.fen.as_deref());
        if fen == Some("-") {
            return Err(InputError::new("--fen", "one position at a time is explored").into());
        }
        let setup = read_setup(&variant, fen)?;
        let begun = Instant::now();
        let answer = with_setup!(&setup, start => self.on(start, out));
        if answer.is_ok() {
            say_cost(begun);
        }
        answer
    }

    fn on<W: Layout>(&self, start: &Start<W>, out: &mut dyn Write) -> Answer {
        let game = start.game.as_ref();
        let mut files = Files::open(self)?;
        let limits = Limits {
            max_states: self.max_states.unwrap_or(MOST_STATES),
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            memory_bytes: self.memory.bytes(),
            threads: self.threads.count(),
            edges: !self.no_edges,
            stop: Some(interrupt::flag()),
        };
        let bar = Bar::new();
        let found = explore(game, &start.position, &limits, &bar);
        bar.clear();
        // Who has pressed Ctrl-C waits for no longest path, and who does so now for nothing.
        let structure = match found.limit {
            Some(Limit::Interrupt) => None,
            _ => {
                let _nothing_to_lose = interrupt::at_once();
                found.structure()
            }
        };
        let mut explored = Explored::new(game, &found, structure.as_ref());
        let mut verdict = match found.limit {
            None => Verdict::Done,
            Some(Limit::Interrupt) => Verdict::Interrupted,
            Some(limit) => {
                say(&format!(
                    "stopped by the limit {limit}: the graph is not complete"
                ));
                Verdict::Undecided
            }
        };
        let mut values = None;
        if self.solve {
            match self.solved(game, &found, limits.memory_bytes) {
                Ok((solved, all)) => {
                    verdict = verdict.max(Verdict::found(solved.faulty_states > Some(0)));
                    explored.solved = Some(solved);
                    values = Some(all);
                }
                Err(stopped) => {
                    say(&format!("not solved: {stopped}"));
                    verdict = verdict.max(match stopped {
                        Stopped::Interrupted => Verdict::Interrupted,
                        _ => Verdict::Undecided,
                    });
                }
            }
        }
        // Files first: whoever closes standard output has asked for them all the same.
        files.write("--csv", |out| write_depths(&found, out))?;
        if let Some(graph) = &found.graph {
            files.write("--dot", |out| write_dot(game, &found, graph, out))?;
            files.write("--graphml", |out| write_graphml(game, &found, graph, out))?;
        }
        match &values {
            Some(values) => {
                files.write("--values", |out| write_states(game, &found, values, out))?;
            }
            None if self.values.is_some() => say("the file of --values is not written"),
            None => {}
        }
        match self.format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut *out, &explored).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
            _ => out.write_all(explored.text().as_bytes())?,
        }
        out.flush()?;
        if interrupt::flag().load(Ordering::Relaxed) {
            verdict = Verdict::Interrupted;
        }
        Ok(verdict)
    }

    /// Solves what was found, and certifies it.
    fn solved<W: Layout>(
        &self,
        game: &dyn Game<W>,
        found: &Exploration,
        memory_bytes: u64,
    ) -> Result<(Solved, Values), Stopped> {
        let stop = Some(interrupt::flag());
        let bar = Bar::new();
        let values = solve_game(game, found, memory_bytes, stop, &bar)?;
        let certificate = if self.certify || values.len() <= CERTIFIED_STATES {
            let check = || certify_game(game, found, &values, stop, &bar);
            Some(self.threads.install(check)?)
        } else {
            None
        };
        bar.clear();
        for fault in certificate.iter().flat_map(|c| &c.faults) {
            say(&format!("wrong value: {}", fault.why));
        }
        let graph = found.graph.as_ref().ok_or(Stopped::Incomplete)?;
        let solved = Solved::new(game, found, graph, &values, certificate.as_ref());
        Ok((solved, values))
    }
}

/// The files that the user asked for, by their options; each is known to be writable before the
/// work begins.
struct Files<'a>(Vec<(&'static str, &'a Path, Option<Target>)>);

impl<'a> Files<'a> {
    fn open(args: &'a Args) -> Result<Files<'a>, Failure> {
        let asked = [
            ("--csv", &args.csv),
            ("--dot", &args.dot),
            ("--graphml", &args.graphml),
            ("--values", &args.values),
        ];
        let mut files = Vec::new();
        for (option, path) in asked {
            if let Some(path) = path {
                let target = Target::open(path).map_err(|e| unwritable(option, path, e))?;
                files.push((option, path.as_path(), Some(target)));
            }
        }
        Ok(Files(files))
    }

    /// Writes the file of an option, if it was asked for.
    fn write(
        &mut self,
        option: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut files = self.0.iter_mut();
        let Some((_, path, target)) = files.find(|(name, _, _)| *name == option) else {
            return Ok(());
        };
        match target.take() {
            None => Ok(()),
            Some(target) => match target.write(|out| write(&mut interrupt::Hasty::new(out))) {
                Err(_) if interrupt::flag().load(Ordering::Relaxed) => {
                    say(&format!("interrupted: the file of {option} is not written"));
                    Ok(())
                }
                written => written.map_err(|e| unwritable(option, path, e)),
            },
        }
    }
}
