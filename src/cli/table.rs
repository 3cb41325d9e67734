//! The command `table`: builds, lists, queries and checks endgame tables.

mod args;
mod signatures;
mod values_only;

pub use self::args::Args;
pub(super) use self::args::Find;
use self::args::{Build, BuildArgs, Command, Longest, ProbeArgs, Side, Stats, Which, size};
use self::signatures::signature_of;
use super::answer::{Answer, Failure, Verdict, counted, say, say_error};
use super::args::{Format, FormatArg, Memory, read_next_setup, table_folder};
use super::document::Document;
use super::input_lines::{each_batch, each_fen, read_quickly};
use super::progress::Bar;
use super::table_find;
use board::{Color, Squares};
use catalog::Catalog;
use control::{Stopped, parallel};
use diagnostics::Diagnostic;
use notation::with_setup;
use notation::{Start, fen};
use position::Position;
use report::endings::{FileRow, LongestRow, PliesRow, ProbeRow, StatsRow};
use rules::with_game;
use rules::{AnyGame, Game, Variant};
use std::cell::RefCell;
use std::io::Write;
use std::sync::Arc;
use tables::Layout;
use tables::{
    ClassKey, Counting, Extreme, Failed, MAX_UNITS, ProbeCache, SideStats, Signature, Store,
    Tables, ValueReader, build, certify, has_astray_pawns, has_positions, stats,
};

/// The memory in bytes for the values that `table find` reads from a table.
const FIND_BYTES: u64 = 64 << 20;

impl Which {
    fn game(&self, catalog: &Catalog) -> Result<AnyGame, Diagnostic> {
        let variant: Variant = self.variant.open(catalog)?;
        let geometry = match self.board {
            Some(size) => (variant.rule_set)
                .board(size.files(), size.ranks())
                .map_err(|why| Diagnostic::new("--board", why))?,
            None => fen::shape(&variant.start())?,
        };
        variant.on(geometry)
    }
}

fn failure(failed: Failed) -> Answer {
    match failed {
        Failed::Stopped(Stopped::Interrupted) => {
            say("interrupted; what was finished is kept");
            Ok(Verdict::Interrupted)
        }
        Failed::Wrong(error) => Err(error.into()),
        Failed::File(error) => Err(error.into()),
        limit @ (Failed::Distance | Failed::Positions { .. }) => {
            say(&format!("undecided: {limit}"));
            Ok(Verdict::Undecided)
        }
        limit @ (Failed::Memory { .. } | Failed::Stopped(_)) => {
            say(&format!("undecided: {limit}; see --memory"));
            Ok(Verdict::Undecided)
        }
    }
}

impl Args {
    /// Runs the command and writes its answer to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        match &self.command {
            Command::Build(args) => {
                with_game!(&args.build.which.game(catalog)?, game => self.build(game, args, out))
            }
            Command::Check(args) => {
                with_game!(&args.which.game(catalog)?, game => self.check(game, args, out))
            }
            Command::Stats(args) => {
                with_game!(&args.which.game(catalog)?, game => self.stats(game, args, out))
            }
            Command::Longest(args) => {
                with_game!(&args.which.game(catalog)?, game => self.longest(game, args, out))
            }
            Command::Find(args) => {
                let any = args.which.game(catalog)?;
                with_game!(&any, game => {
                    let tables = self.tables(game)?.within(args.memory.unwrap_or(FIND_BYTES));
                    let signature = Signature::parse(game.as_ref(), &args.which.signature)?;
                    table_find::answer(catalog, args, &any, &tables, &signature, out)
                })
            }
            Command::Probe(args) => self.probe(catalog, args, out),
            Command::List(args) => {
                let mut rows = Vec::new();
                let mut wrong = Vec::new();
                for file in self.store()?.list()? {
                    match file {
                        Ok(file) => {
                            let (signature, is_current) = signature_of(catalog, &file).unzip();
                            let signature = signature.unwrap_or_default();
                            rows.push(FileRow::new(file, signature, is_current));
                        }
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

    fn store(&self) -> Result<Store, Diagnostic> {
        table_folder(self.tables.clone())
    }

    /// Returns the reason why a position has no value, with the folder that was searched.
    fn no_table(&self) -> Result<String, Diagnostic> {
        let store = self.store()?;
        let folder = store.folder().display();
        Ok(format!(
            "no table in the folder `{folder}` holds this position"
        ))
    }

    fn tables<W: Layout>(&self, game: &Arc<dyn Game<W>>) -> Result<Tables<W>, Diagnostic> {
        Ok(Tables::new(Arc::clone(game), Some(self.store()?)))
    }

    fn build<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        BuildArgs {
            build: args,
            disk,
            values_only,
        }: &BuildArgs,
        out: &mut dyn Write,
    ) -> Answer {
        let signature = Signature::parse(game.as_ref(), &args.which.signature)?;
        if *values_only {
            return values_only::build_values(game, &signature, self.store()?, &args.work, out);
        }
        let mut tables = self.tables(game)?;
        if let Some(folder) = disk {
            tables = tables.working_in(folder.clone(), args.work.memory.bytes());
        }
        let bar = Bar::new();
        let built = build(&tables, &signature, &args.work.control(&bar));
        bar.clear();
        say_notes(&tables);
        match built {
            Ok(built) => {
                writeln!(
                    out,
                    "{signature}: {} built, {} were there; {}",
                    counted(built.solved, "class", "classes"),
                    built.reused,
                    counted(built.indices, "index", "indices")
                )?;
                if !has_positions(&tables, &signature)? {
                    say(&format!("note: no position of {signature} is legal"));
                }
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
        let tables = self.tables(game)?.within(args.work.memory.bytes() / 2);
        let bar = Bar::new();
        let found = certify(&tables, &signature, &args.work.control(&bar));
        bar.clear();
        say_notes(&tables);
        match found {
            Ok(found) => {
                for fault in found.own.faults.iter().chain(&found.below.faults) {
                    writeln!(out, "{fault}")?;
                }
                writeln!(
                    out,
                    "{signature}: {}, and {} of {} below; {}: {}",
                    counted(found.own.states, "position", "positions"),
                    found.below.states,
                    counted(found.classes_below, "class", "classes"),
                    counted(found.own.turns + found.below.turns, "turn", "turns"),
                    match found.holds() {
                        true => "all values certified",
                        false => "wrong",
                    }
                )?;
                Ok(Verdict::found(!found.holds()))
            }
            Err(stopped) => failure(stopped),
        }
    }

    fn sides<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        which: &Which,
        counting: Counting,
    ) -> Result<(Tables<W>, Signature, [SideStats; 2]), Diagnostic> {
        let signature = Signature::parse(game.as_ref(), &which.signature)?;
        let memory = Memory { memory: None };
        let tables = self.tables(game)?.within(memory.bytes() / 2);
        let sides = parallel::in_pool(parallel::processors(), || {
            stats(&tables, &signature, counting)
        });
        say_notes(&tables);
        Ok((tables, signature, sides?))
    }

    fn stats<W: Layout>(
        &self,
        game: &Arc<dyn Game<W>>,
        args: &Stats,
        out: &mut dyn Write,
    ) -> Answer {
        let parsed = Signature::parse(game.as_ref(), &args.which.signature)?;
        let (values, counting) = (self.tables(game)?, args.counting());
        let without_distances = match args.plies {
            true => None,
            false => values_only::stats_without_distances(&values, &parsed, counting)?,
        };
        let (_tables, parsed, sides) = match without_distances {
            Some(sides) => (values, parsed, sides),
            None => self.sides(game, &args.which, counting)?,
        };
        let signature = parsed.to_string();
        #[cfg(feature = "parquet")]
        if let Some(path) = &args.parquet_positions {
            let option = "--parquet-positions";
            let positions = columns::TablePositions::open(&_tables, &parsed, false)?;
            let batch = |part| positions.batch(&_tables, part..part + 1);
            let batches = (0..positions.parts()).map(batch);
            super::parquet::write_all(option, path, positions.schema(), batches)?;
        }
        let (variant, board) = (game.variant(), game.board().geometry().size());
        if args.plies {
            let rows: Vec<PliesRow> = sides
                .iter()
                .flat_map(|side| PliesRow::all(variant, &board, &signature, side))
                .collect();
            #[cfg(feature = "parquet")]
            if let Some(path) = &args.parquet {
                super::parquet::write("--parquet", path, columns::plies(&rows))?;
            }
            args.format.write(&rows, out)?;
            return Ok(Verdict::Done);
        }
        let rows = sides
            .each_ref()
            .map(|side| StatsRow::new(variant, &board, &signature, side));
        #[cfg(feature = "parquet")]
        if let Some(path) = &args.parquet {
            super::parquet::write("--parquet", path, columns::statistics(&rows))?;
        }
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
        let (tables, signature, sides) = self.sides(game, &args.which, Counting::All)?;
        let extreme = args.extreme();
        let longest = sides
            .iter()
            .filter(|side| args.side.is_none_or(|asked| asked.0 == side.side))
            .filter_map(|side| Some((side.longest(extreme)?, side.side)))
            .rev()
            .max_by_key(|((plies, _), _)| *plies);
        let Some(((plies, text), side)) = longest else {
            if args.format.format == Format::Text {
                let side = match args.side {
                    None => "neither side to move",
                    Some(Side(Color::White)) => "White to move",
                    Some(Side(Color::Black)) => "Black to move",
                };
                let verb = match extreme {
                    Extreme::Win => "wins",
                    Extreme::Loss => "loses",
                };
                let place = if args.side.is_none() {
                    "anywhere"
                } else {
                    "nowhere"
                };
                writeln!(out, "{signature}: {side} {verb} {place}")?;
            } else {
                args.format.write::<LongestRow<String>>(&[], out)?;
            }
            return Ok(Verdict::Done);
        };
        if args.all {
            let plies = *plies;
            return longest_all(&tables, &signature, args, plies, out);
        }
        let row = longest_row(&tables, &signature, side, *plies, text)?;
        if args.format.format == Format::Text {
            let (line, plies) = (row.line.join(" "), counted(*plies, "ply", "plies"));
            writeln!(out, "{}\n{plies}\n{line}\n{}", row.fen, row.outcome)?;
        }
        write_rows(&args.format, vec![row], out)
    }

    fn probe(&self, catalog: &Catalog, args: &ProbeArgs, out: &mut dyn Write) -> Answer {
        let variant = args.variant.open(catalog)?;
        let fen = args.named.as_deref().or(args.fen.as_deref());
        let mut document = args.format.document();
        let verdict = match fen {
            Some("-") if args.format.format != Format::Json => {
                let game = variant.on(fen::shape(&variant.start())?)?;
                with_game!(&game, game => {
                    self.probe_batches(args, &variant, game, &mut document, out)?
                })
            }
            fen => {
                let mut reader = fen::Reader::new(&variant);
                each_fen(fen, args.format.format.into(), out, |fen, out| {
                    self.probe_one(&mut reader, fen, &mut document, out)
                })?
            }
        };
        document.end::<ProbeRow>(out)?;
        Ok(verdict)
    }

    /// Answers the lines of standard input as text or CSV. All positions on the variant's own board share one
    /// set of tables.
    fn probe_batches<W: Layout>(
        &self,
        args: &ProbeArgs,
        variant: &Variant,
        game: &Arc<dyn Game<W>>,
        document: &mut Document,
        out: &mut dyn Write,
    ) -> Answer {
        let tables = self.tables(game)?;
        let format = document.format();
        let document = RefCell::new(document);
        let mut reader = fen::Reader::new(variant);
        let verdict = each_batch(
            &args.threads,
            args.format.format.into(),
            out,
            || (ProbeCache::new(&tables), ValueReader::new(&tables)),
            |(prober, reader), text, bytes| {
                let p = read_quickly(game.as_ref(), text)?;
                let Some(probe) = prober.probe(&p).ok()? else {
                    let probe = reader.probe(&p).ok()??;
                    let fen = fen::print(game.as_ref(), &p);
                    values_only::append(&probe, format == Format::Csv, &fen, bytes);
                    return Some(1 + probe.turns.len());
                };
                match format {
                    Format::Csv => {
                        probe.append_csv(&fen::print(game.as_ref(), &p), bytes);
                    }
                    _ => probe.append_text(bytes),
                }
                Some(1 + probe.turns.len())
            },
            |bytes, rows, out| {
                let mut document = document.borrow_mut();
                Ok(document.write_rows::<ProbeRow>(bytes, rows, out)?)
            },
            |text, out| self.probe_one(&mut reader, Some(text), &mut document.borrow_mut(), out),
        );
        say_notes(&tables);
        verdict
    }

    fn probe_one(
        &self,
        reader: &mut fen::Reader<'_>,
        fen: Option<&str>,
        document: &mut Document,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let setup = read_next_setup(reader, fen)?;
        with_setup!(&setup, start => {
            let tables = self.tables(&start.game)?;
            let probe = tables.probe(&start.position);
            say_notes(&tables);
            let fen = fen::print(start.game.as_ref(), &start.position);
            let mut bytes = Vec::new();
            let Some(probe) = probe? else {
                if let Some(probe) = ValueReader::new(&tables).probe(&start.position)? {
                    if document.format() == Format::Json {
                        let rows = values_only::probe_rows(&probe, &fen);
                        return Ok(document.write(&rows, out)?);
                    }
                    values_only::append(&probe, document.format() == Format::Csv, &fen, &mut bytes);
                    return Ok(document.write_rows::<ProbeRow>(&bytes, 1 + probe.turns.len(), out)?);
                }
                return Err(Failure::from(
                    Diagnostic::new("table", self.no_table()?)
                        .help(how_to_hold(start)),
                ));
            };
            match document.format() {
                Format::Json => return Ok(document.write(&ProbeRow::all(&fen, &probe), out)?),
                Format::Csv => probe.append_csv(&fen, &mut bytes),
                Format::Text => probe.append_text(&mut bytes),
            }
            Ok(document.write_rows::<ProbeRow>(&bytes, 1 + probe.turns.len(), out)?)
        })
    }
}

/// Prints every position with the longest win or loss, which takes `plies` plies.
fn longest_all<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    args: &Longest,
    plies: u16,
    out: &mut dyn Write,
) -> Answer {
    let mut rows = Vec::new();
    for side in Color::BOTH {
        if args.side.is_some_and(|asked| asked.0 != side) {
            continue;
        }
        let longest = parallel::in_pool(parallel::processors(), || {
            tables::longest(tables, signature, side, args.extreme())
        })?;
        let positions = longest.filter(|(most, _)| *most == plies);
        for text in positions.into_iter().flat_map(|(_, positions)| positions) {
            if args.format.format == Format::Text {
                writeln!(out, "{text}")?;
            } else {
                rows.push(longest_row(tables, signature, side, plies, &text)?);
            }
        }
    }
    write_rows(&args.format, rows, out)
}

/// Writes the rows of longest wins as CSV or JSON. For text, the caller has written them already.
fn write_rows(
    format: &FormatArg,
    rows: Vec<LongestRow<Vec<String>>>,
    out: &mut dyn Write,
) -> Answer {
    match format.format {
        Format::Text => {}
        Format::Json => format.write(&rows, out)?,
        Format::Csv => {
            let rows: Vec<LongestRow<String>> = rows.into_iter().map(joined).collect();
            format.write(&rows, out)?;
        }
    }
    Ok(Verdict::Done)
}

/// Returns a position with the longest win, and a line of best play.
fn longest_row<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    side: Color,
    plies: u16,
    text: &str,
) -> Result<LongestRow<Vec<String>>, Diagnostic> {
    let game = tables.game();
    let p = fen::read_position(game, text)?;
    let line = tables.line(&p)?;
    let last = line.iter().fold(p, |p, step| game.play(&p, &step.turn));
    Ok(LongestRow {
        variant: game.variant().to_string(),
        board: game.board().geometry().size(),
        signature: signature.to_string(),
        side: side.letter(),
        plies,
        fen: text.to_string(),
        line: line.into_iter().map(|step| step.text).collect(),
        outcome: game.outcome(&last).to_string(),
    })
}

/// Returns a row with the turns of its line separated by blanks.
fn joined(row: LongestRow<Vec<String>>) -> LongestRow<String> {
    LongestRow {
        line: row.line.join(" "),
        variant: row.variant,
        board: row.board,
        signature: row.signature,
        side: row.side,
        plies: row.plies,
        fen: row.fen,
        outcome: row.outcome,
    }
}

/// Returns help for a position without a table: the command that builds the table, or the reason why no table
/// can contain the position.
fn how_to_hold<W: Layout>(start: &Start<W>) -> String {
    let (game, p) = (start.game.as_ref(), &start.position);
    if p.rights.0 != 0 {
        return "castling rights are in no table".to_string();
    }
    let units = p.occupied().len() as usize + p.bound_len();
    if units > MAX_UNITS {
        return format!("it has {units} units; {MAX_UNITS} are the most of a table");
    }
    if let Some(Err(why)) = game.tables().map(|tables| tables.check_tables()) {
        return why.to_string();
    }
    if has_astray_pawns(game, p) {
        return "tables have no pawns on squares that pawns do not reach in games".to_string();
    }
    let mut signature = signature_text(game, &ClassKey::of(game, p));
    if signature.contains([';', '+', '~']) {
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

/// Returns the signature of a class in the notation of commands.
fn signature_text<W: Layout>(game: &dyn Game<W>, key: &ClassKey) -> String {
    let men = game.men();
    let mut text = String::new();
    // White comes first.
    for color in Color::BOTH {
        if color == Color::Black {
            text.push('v');
        }
        for kind in men.strongest() {
            text += &men.name(Color::White, kind).repeat(key.count(color, kind));
        }
    }
    let mut bound = String::new();
    for color in Color::BOTH {
        for kind in men.strongest() {
            bound += &men.name(color, kind).repeat(key.bound_count(color, kind));
        }
    }
    let mut p = Position::<W>::empty();
    (p.side, p.state) = (key.side, key.state);
    // A signature does not name the squares of bound units.
    let state = game.carried().state_text(game.board(), &p);
    let mut state: Vec<(&str, String)> = state.into_iter().filter(|(k, _)| *k != "bound").collect();
    if !bound.is_empty() {
        state.push(("bound", bound));
    }
    for (name, value) in state {
        text += &format!(";{name}={value}");
    }
    text
}

/// Prints a note for each file that was ignored.
pub(super) fn say_notes<W: Layout>(tables: &Tables<W>) {
    for note in tables.notes() {
        say(&format!("note: {note}"));
    }
}
