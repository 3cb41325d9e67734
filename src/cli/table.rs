//! `table`: endgame tables.

use super::answer::{Answer, Failure, Verdict, say, say_error};
use super::args::{Format, FormatArg, Memory, Threads, VariantArg, each_fen, table_folder};
use super::interrupt;
use board::{Color, Geometry, Kind, MAX_FILES, MAX_RANKS, Squares};
use indicatif::{ProgressBar, ProgressStyle};
use input::InputError;
use input::whole_number;
use notation::with_setup;
use notation::{Setup, Start, fen};
use report::endings::{FileRow, LongestRow, PliesRow, ProbeRow, StatsRow};
use rules::with_game;
use rules::{AnyGame, Game, Variant};
use solve::table::{
    ClassKey, Limits, MAX_UNITS, Observer, SideStats, Signature, Stopped, Store, Tables, build,
    certify, stats,
};
use solve::{Layout, parallel};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Endgame tables: every placement of some units with its value and distance
///
/// SIGNATURE names the units, White's first: `KRvK`. After a `;` it may name a state:
/// `KNvK;bound=Nn` in Chromopolis. A table comes with all that its units can become by captures,
/// promotions and whatever else the variant knows. Castling rights are absent.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof table build bachelor KRvK\n  \
    fairyproof table stats bachelor KRvK\n  fairyproof table longest bachelor KRvK")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
    /// Folder of the tables [default: $FAIRYPROOF_TABLES, or fairyproof/tables in the user's cache]
    #[arg(long, global = true, value_name = "DIR")]
    tables: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Build a table and all that it leads to
    ///
    /// What is on disk is used. Ctrl-C ends with what is finished kept (exit code 130).
    #[command(after_help = "Example:\n  fairyproof table build bachelor KRvK")]
    Build(Build),
    /// Count wins, draws and losses over all placements
    #[command(after_help = "Example:\n  fairyproof table stats bachelor KRvK --format csv")]
    Stats(Stats),
    /// The value of a position, then its turns with their values, best first
    #[command(
        after_help = "Example:\n  fairyproof table probe fide \"8/8/8/3k4/8/8/8/KQ6 w - - 0 1\""
    )]
    Probe(ProbeArgs),
    /// The longest win, played out
    #[command(after_help = "Example:\n  fairyproof table longest bachelor KRvK")]
    Longest(Longest),
    /// Compare every position with its successors, without the builder's code
    ///
    /// So too the positions of all other material and states that they lead to. Exit code 1 if anything is wrong.
    #[command(after_help = "Example:\n  fairyproof table check bachelor KRvK")]
    Check(Build),
    /// The tables on disk
    #[command(after_help = "Example:\n  fairyproof table list")]
    List(List),
}

#[derive(clap::Args)]
struct Which {
    #[command(flatten)]
    variant: VariantArg,
    /// The units, White's first, such as `KRvK`
    #[arg(value_name = "SIGNATURE")]
    signature: String,
    /// Size of the board, such as 7x6 [default: the variant's own board]
    #[arg(long, value_name = "FILESxRANKS", value_parser = size)]
    board: Option<Geometry>,
}

#[derive(clap::Args)]
struct Build {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    threads: Threads,
}

#[derive(clap::Args)]
struct Stats {
    #[command(flatten)]
    which: Which,
    /// Count by value and plies instead
    #[arg(long)]
    plies: bool,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(clap::Args)]
struct ProbeArgs {
    #[command(flatten)]
    variant: VariantArg,
    /// Position; `-` for one a line from standard input
    #[arg(value_name = "FEN")]
    fen: String,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(clap::Args)]
struct Longest {
    #[command(flatten)]
    which: Which,
    /// Of the wins with this side to move: `w` (named first in the signature) or `b` [default: both]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Side>,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(clap::Args)]
struct List {
    #[command(flatten)]
    format: FormatArg,
}

/// A side, as FENs name it.
#[derive(Clone, Copy)]
struct Side(Color);

fn side(text: &str) -> Result<Side, String> {
    match text {
        "w" => Ok(Side(Color::White)),
        "b" => Ok(Side(Color::Black)),
        _ => Err("`w` or `b`".to_string()),
    }
}

fn size(text: &str) -> Result<Geometry, String> {
    let side = |text: &str| {
        whole_number(text)
            .then(|| text.parse::<u8>().ok())
            .flatten()
    };
    text.split_once('x')
        .and_then(|(files, ranks)| Geometry::new(side(files)?, side(ranks)?, 0, false))
        .ok_or_else(|| {
            format!("files and ranks such as 7x6, up to {MAX_FILES} and {MAX_RANKS}, 128 squares")
        })
}

/// Shows how far a build or a check is, where somebody looks: in indices of all classes, so that
/// the estimate is of the whole.
struct Bar {
    bar: ProgressBar,
    /// Indices of the classes that are done.
    done: AtomicU64,
}

impl Bar {
    fn new() -> Bar {
        let bar = ProgressBar::new(0);
        let template = "{prefix} {wide_bar} {percent}%, about {eta} left, {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Bar {
            bar,
            done: AtomicU64::new(0),
        }
    }
}

impl Observer for Bar {
    fn group(&self, name: &str, _: u64, done: usize, known: usize) {
        self.bar
            .set_prefix(format!("{name} ({done} of {known} classes done)"));
        self.bar.set_message("");
    }

    fn planned(&self, classes: usize, indices: u64) {
        self.bar.set_prefix("planning");
        self.bar
            .set_message(format!("{classes} classes, {indices} indices so far"));
        self.bar.tick();
    }

    fn work(&self, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(done);
        self.done.store(done, Ordering::Relaxed);
    }

    fn progress(&self, done: u64, of: u64) {
        // A check tells of no classes.
        if self.bar.length().unwrap_or(0) < of {
            self.bar.set_length(of);
        }
        self.bar
            .set_position(self.done.load(Ordering::Relaxed) + done);
    }

    fn level(&self, plies: u16) {
        self.bar.set_message(format!("{plies} plies"));
    }
}

impl Which {
    fn game(&self) -> Result<AnyGame, InputError> {
        let variant: Variant = self.variant.read()?;
        let geometry = match self.board {
            Some(geometry) => geometry,
            None => fen::shape(&variant.start())?,
        };
        (variant.card.fits)(geometry).map_err(|why| InputError::new("--board", why))?;
        Ok(variant.on(geometry))
    }
}

fn failure(stopped: Stopped) -> Answer {
    match stopped {
        Stopped::Interrupted => {
            say("interrupted; what was finished is kept");
            Ok(Verdict::Interrupted)
        }
        Stopped::Wrong(error) => Err(error.into()),
        memory @ Stopped::Memory { .. } => {
            say(&format!("undecided: {memory}; see --memory"));
            Ok(Verdict::Undecided)
        }
    }
}

impl Args {
    /// Answers.
    pub fn run(&self, out: &mut dyn Write) -> Answer {
        match &self.command {
            Command::Build(args) => {
                with_game!(&args.which.game()?, game => self.build(game, args, out))
            }
            Command::Check(args) => {
                with_game!(&args.which.game()?, game => self.check(game, args, out))
            }
            Command::Stats(args) => {
                with_game!(&args.which.game()?, game => self.stats(game, args, out))
            }
            Command::Longest(args) => {
                with_game!(&args.which.game()?, game => self.longest(game, args, out))
            }
            Command::Probe(args) => self.probe(args, out),
            Command::List(args) => {
                let mut rows = Vec::new();
                let mut wrong = Vec::new();
                for file in self.store()?.list()? {
                    match file {
                        Ok(file) => rows.push(FileRow::from(file)),
                        Err(error) => wrong.push(error),
                    }
                }
                args.format.write(&rows, out)?;
                out.flush()?;
                wrong.iter().for_each(say_error);
                Ok(match wrong.is_empty() {
                    true => Verdict::Done,
                    false => Verdict::BadInput,
                })
            }
        }
    }

    fn store(&self) -> Result<Store, InputError> {
        table_folder(self.tables.clone())
    }

    fn tables<W: Layout>(&self, game: &Arc<dyn Game<W>>) -> Result<Tables<W>, InputError> {
        Ok(Tables::new(Arc::clone(game), Some(self.store()?)))
    }

    fn build<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        args: &Build,
        out: &mut dyn Write,
    ) -> Answer {
        let signature = Signature::parse(game.as_ref(), &args.which.signature)?;
        let tables = self.tables(game)?;
        let bar = Bar::new();
        let built = build(&tables, &signature, &limits(args), &bar);
        bar.bar.finish_and_clear();
        say_notes(&tables);
        match built {
            Ok(built) => {
                writeln!(
                    out,
                    "{signature}: {} classes built, {} were there; {} indices",
                    built.solved, built.reused, built.indices
                )?;
                Ok(Verdict::Done)
            }
            Err(stopped) => failure(stopped),
        }
    }

    fn check<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        args: &Build,
        out: &mut dyn Write,
    ) -> Answer {
        let signature = Signature::parse(game.as_ref(), &args.which.signature)?;
        let tables = self.tables(game)?;
        let bar = Bar::new();
        let found = certify(&tables, &signature, &limits(args), &bar);
        bar.bar.finish_and_clear();
        say_notes(&tables);
        match found {
            Ok(found) => {
                for fault in &found.faults {
                    writeln!(out, "{fault}")?;
                }
                writeln!(
                    out,
                    "{signature}: {} positions, and {} of {} classes below; {} turns: {}",
                    found.positions,
                    found.positions_below,
                    found.classes_below,
                    found.turns,
                    if found.faults.is_empty() {
                        "all values certified"
                    } else {
                        "wrong"
                    }
                )?;
                Ok(Verdict::found(!found.faults.is_empty()))
            }
            Err(stopped) => failure(stopped),
        }
    }

    fn sides<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        which: &Which,
    ) -> Result<(Tables<W>, Signature, [SideStats; 2]), InputError> {
        let signature = Signature::parse(game.as_ref(), &which.signature)?;
        let tables = self.tables(game)?;
        let sides = parallel::in_pool(0, || stats(&tables, &signature));
        say_notes(&tables);
        Ok((tables, signature, sides?))
    }

    fn stats<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        args: &Stats,
        out: &mut dyn Write,
    ) -> Answer {
        let (_, signature, sides) = self.sides(game, &args.which)?;
        let signature = signature.to_string();
        let (variant, board) = (game.variant(), game.board().geometry().size());
        if args.plies {
            let rows: Vec<PliesRow> = sides
                .iter()
                .flat_map(|side| PliesRow::all(variant, &board, &signature, side))
                .collect();
            args.format.write(&rows, out)?;
            return Ok(Verdict::Done);
        }
        let rows = sides
            .each_ref()
            .map(|side| StatsRow::new(variant, &board, &signature, side));
        if args.format.format == Format::Text {
            for row in &rows {
                out.write_all(row.text().as_bytes())?;
            }
        } else {
            args.format.write(&rows, out)?;
        }
        Ok(Verdict::Done)
    }

    fn longest<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        args: &Longest,
        out: &mut dyn Write,
    ) -> Answer {
        let (tables, signature, sides) = self.sides(game, &args.which)?;
        let longest = sides
            .iter()
            .filter(|side| args.side.is_none_or(|asked| asked.0 == side.side))
            .filter_map(|side| Some((side.longest_win.as_ref()?, side.side)))
            .rev()
            .max_by_key(|((plies, _), _)| *plies);
        let Some(((plies, text), side)) = longest else {
            if args.format.format == Format::Text {
                match args.side {
                    None => writeln!(out, "{signature}: neither side to move wins anywhere")?,
                    Some(Side(Color::White)) => {
                        writeln!(out, "{signature}: White to move wins nowhere")?;
                    }
                    Some(Side(Color::Black)) => {
                        writeln!(out, "{signature}: Black to move wins nowhere")?;
                    }
                }
            } else {
                args.format.write::<LongestRow>(&[], out)?;
            }
            return Ok(Verdict::Done);
        };
        let p = fen::read_position(game.as_ref(), text)?;
        let line = tables.line(&p)?;
        let last = line.iter().fold(p, |p, step| game.play(&p, &step.turn));
        let turns: Vec<&str> = line.iter().map(|step| step.text.as_str()).collect();
        let row = LongestRow {
            variant: game.variant().to_string(),
            board: game.board().geometry().size(),
            signature: signature.to_string(),
            side: side.letter(),
            plies: *plies,
            fen: text.clone(),
            line: turns.join(" "),
            outcome: game.outcome(&last).to_string(),
        };
        if args.format.format == Format::Text {
            writeln!(
                out,
                "{}\n{plies} plies\n{}\n{}",
                row.fen, row.line, row.outcome
            )?;
        } else {
            args.format.write(&[row], out)?;
        }
        Ok(Verdict::Done)
    }

    fn probe(&self, args: &ProbeArgs, out: &mut dyn Write) -> Answer {
        let variant = args.variant.read()?;
        each_fen(Some(&args.fen), out, |fen, out| {
            let setup = Setup::read(&variant, fen)?;
            with_setup!(&setup, start => {
                let tables = self.tables(&start.game)?;
                let probe = tables.probe(&start.position);
                say_notes(&tables);
                let Some(probe) = probe? else {
                    return Err(Failure::from(
                        InputError::new("table", "no table holds this position")
                            .help(how_to_hold(start)),
                    ));
                };
                Ok(args.format.write(&ProbeRow::all(&probe), out)?)
            })
        })
    }
}

/// What would make a table that holds a position.
fn how_to_hold<W: Layout>(start: &Start<W>) -> String {
    let (game, p) = (start.game.as_ref(), &start.position);
    if p.rights.0 != 0 {
        return "castling rights are in no table".to_string();
    }
    let units = p.occupied().len() as usize + p.bound_len();
    if units > MAX_UNITS {
        return format!("it has {units} units; {MAX_UNITS} are the most of a table");
    }
    let key = ClassKey::of(p);
    // White is the side named first.
    let letters = |color: Color| -> String {
        let kinds = Kind::ALL.into_iter().rev();
        kinds
            .map(|kind| {
                let letter = game.men().letter(Color::White, kind);
                String::from(letter).repeat(key.count(color, kind))
            })
            .collect()
    };
    let mut signature = format!("{}v{}", letters(Color::White), letters(Color::Black));
    for (name, value) in game.state_text(p) {
        // Of bound units a signature names no squares.
        let value = match name {
            "bound" => value.split(',').map(without_square).collect(),
            _ => value,
        };
        signature += &format!(";{name}={value}");
    }
    if signature.contains(';') {
        signature = format!("'{signature}'");
    }
    let geometry = game.board().geometry();
    let own = fen::shape(&game.variant().start());
    let own = own.is_ok_and(|own| (own.size(), own.holes()) == (geometry.size(), geometry.holes()));
    let board = match own {
        true => String::new(),
        false if geometry.holes() != 0 => {
            return "only the variant's own board may have holes in a table".to_string();
        }
        false => format!(" --board {}", geometry.size()),
    };
    format!(
        "`fairyproof table build {} {signature}{board}`",
        game.variant()
    )
}

/// The units of `c3Nn`.
fn without_square(bound: &str) -> &str {
    // The file is one letter, digits follow it.
    let behind = bound.get(1..).unwrap_or_default();
    behind.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// Tells which files count as none.
fn say_notes<W: Layout>(tables: &Tables<W>) {
    for note in tables.notes() {
        say(&format!("note: {note}"));
    }
}

fn limits(args: &Build) -> Limits<'static> {
    Limits {
        memory_bytes: args.memory.bytes(),
        threads: args.threads.count(),
        stop: Some(interrupt::flag()),
    }
}
