use super::answer::{Answer, Failure, Verdict, say_error};
use super::args::{FenOption, TablesOption, VariantArg, looks_like_fen, read_next_setup};
use super::input_lines::{ErrorLines, each_fen};
use board::field::{BoardField, Dialect, UnitText};
use catalog::{Catalog, written_name};
use control::files::read_limited;
use diagnostics::Diagnostic;
use notation::pgn::{self, Printed, Record};
use notation::{Setup, fen, turns, with_setup};
use rules::Variant;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The maximum size of a file of games, in bytes.
const MAX_GAMES_BYTES: u64 = 1 << 28;

/// Play turns and print the position after them
///
/// Prints two lines: the canonical FEN after the turns, and the outcome. Without turns, they describe the
/// position itself. With `--tables`, a third line has the value, like the second one of `outcome --tables`.
///
/// With `--games`, the games of a PGN file are played, in every rule set and with their variations; a game
/// with the tag `Variant` is played by the rules that the tag names. With `--pgn`, games are written as PGN,
/// with the tags `Variant`, `SetUp` and `FEN`.
///
/// In bughouse, turns that begin with `b:` are made on the partner's board: captured units go to the hands of
/// the other board. Two further lines then describe the partner's board.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  fairyproof play fide f2f3 e7e5 g2g4 d8h4\n  fairyproof play crazyhouse --pgn '1. e4 d5 2. exd5 Qxd5'"
)]
pub struct Args {
    #[command(flatten)]
    variant: VariantArg,
    #[command(flatten)]
    fen: FenOption,
    /// Turns such as e2e4, e7-e8=Q, Nf3, with or without move numbers; a FEN may precede them
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
    /// Write the game as PGN
    #[arg(long, conflicts_with = "tables")]
    pgn: bool,
    /// Play the games of this PGN file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "turns", "tables"])]
    games: Option<PathBuf>,
    #[command(flatten)]
    tables: TablesOption,
}

impl Args {
    /// Runs the command and writes the position and outcome to `out`.
    pub fn run(&self, catalog: &Catalog, out: &mut dyn Write) -> Answer {
        let variant = self.variant.open(catalog)?;
        // Like in other commands, a position may be given as an argument, here before the turns.
        let (fen, turns) = match (self.fen.fen.as_deref(), self.turns.split_first()) {
            (None, Some((first, turns))) if first == "-" || looks_like_fen(first) => {
                (Some(first.as_str()), turns)
            }
            (fen, _) => (fen, self.turns.as_slice()),
        };
        if let Some(path) = &self.games {
            return self.play_games(catalog, &variant, path, out);
        }
        let mut reader = fen::Reader::new(&variant);
        if self.pgn {
            return each_fen(fen, ErrorLines::InPlace, out, |fen, out| {
                let setup = read_next_setup(&mut reader, fen)?;
                let texts = turns.iter().flat_map(|text| turns::words(text));
                write_game(&setup, texts, out)
            });
        }
        each_fen(fen, ErrorLines::InPlace, out, |fen, out| {
            let setup = read_next_setup(&mut reader, fen)?;
            let texts = turns.iter().flat_map(|text| turns::words(text));
            let texts: Vec<&str> = texts.collect();
            if texts.iter().any(|text| text.starts_with(PARTNER)) {
                return play_boards(catalog, &setup, &texts, out);
            }
            let (fen, outcome, value) = with_setup!(setup, s => {
                let game = s.game.as_ref();
                let mut position = s.position;
                for (index, text) in texts.iter().enumerate() {
                    let turn = turns::read(game, &position, text, index + 1)?;
                    position = game.play(&position, &turn);
                }
                let value = self.tables.line(&s.game, &position)?;
                (fen::print(game, &position), game.outcome(&position), value)
            });
            Ok(write!(out, "{fen}\n{outcome}\n{value}")?)
        })
    }

    /// Plays the games of a file, and writes for each one its last position and outcome, or the game as PGN.
    fn play_games(
        &self,
        catalog: &Catalog,
        variant: &Variant,
        path: &Path,
        out: &mut dyn Write,
    ) -> Answer {
        let bytes = read_limited(path, MAX_GAMES_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut verdict = Verdict::Done;
        for (line, game) in pgn::read(&text) {
            match game.and_then(|game| played(catalog, variant, game)) {
                Ok((record, start, _)) if self.pgn => {
                    let printed = Printed {
                        record: &record,
                        start: &start,
                    };
                    writeln!(out, "{printed}")?;
                }
                Ok((_, _, end)) => writeln!(out, "{}\n{}", end.fen(), end.outcome())?,
                Err(error) => {
                    let place = error.place.clone();
                    let place = place.unwrap_or_else(|| format!("game at line {line}").into());
                    let error = error.at(place);
                    out.flush().map_err(Failure::from)?;
                    say_error(&error);
                    if !self.pgn {
                        writeln!(out, "error: {error}")?;
                    }
                    verdict = Verdict::BadInput;
                }
            }
        }
        Ok(verdict)
    }
}

/// The beginning of turns on the partner's board.
const PARTNER: &str = "b:";

/// Plays turns on two boards of bughouse, each of which begins with `start`'s position. Writes the positions and
/// outcomes of both.
fn play_boards(
    catalog: &Catalog,
    start: &Setup,
    turns: &[&str],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let id = start.variant().rule_set.id();
    if !catalog
        .text_of(id)
        .is_some_and(|definition| definition.drops.two_boards)
    {
        let why = format!("`{id}` is played on one board");
        let error = Diagnostic::new(format!("turns that begin with `{PARTNER}`"), why);
        return Err(error
            .help("`bughouse` and its children have a partner's board")
            .into());
    }
    let mut boards = [start.clone(), start.clone()];
    for (number, text) in (1..).zip(turns.iter().copied()) {
        let (board, text) = match text.strip_prefix(PARTNER) {
            Some(text) => (1, text),
            None => (0, text),
        };
        let (_, after) = boards[board].play_numbered(text, number)?;
        let captured = captured(&boards[board], &after);
        boards[board] = after;
        if !captured.is_empty() {
            let partner = boards[1 - board].fen().replacen(']', &(captured + "]"), 1);
            boards[1 - board] = Setup::read(start.variant(), Some(&partner))?;
        }
    }
    for board in &boards {
        writeln!(out, "{}\n{}", board.fen(), board.outcome())?;
    }
    Ok(())
}

/// Returns the FEN letters of the units that a turn captured, in their own color. A promoted unit is a pawn
/// again.
fn captured(before: &Setup, after: &Setup) -> String {
    let enemy = !before.side();
    let enemies = |setup: &Setup| -> Vec<char> {
        let fen = setup.fen();
        let field = fen.split(' ').next().unwrap_or("");
        let board = BoardField::read(field, Dialect::POSITION).ok();
        let letter = |unit: UnitText| match unit.was_pawn {
            true => enemy.letter_of_unit('P'),
            false => unit.letter,
        };
        let units = board.iter().flat_map(BoardField::units);
        let of_enemy = units.filter(|(.., unit)| unit.color() == enemy);
        of_enemy.map(|(.., unit)| letter(unit)).collect()
    };
    let mut left = enemies(before);
    for unit in enemies(after) {
        if let Some(at) = left.iter().position(|other| *other == unit) {
            left.swap_remove(at);
        }
    }
    left.sort_unstable();
    left.into_iter().collect()
}

/// Plays a recorded game by the rules of its tag `Variant`, or else of `variant`. Returns the game with its tags
/// completed and its turns in canonical notation, and its first and last position.
fn played(
    catalog: &Catalog,
    variant: &Variant,
    mut record: Record,
) -> Result<(Record, Setup, Setup), Diagnostic> {
    let own = record.tag("Variant").map(|name| catalog.open_named(name));
    let own = own.transpose()?;
    let variant = own.as_ref().unwrap_or(variant);
    let start = Setup::read(variant, record.tag("FEN"))?;
    let end = pgn::replay(&start, &mut record.line)?;
    let id = variant.to_string();
    pgn::complete(&mut record, written_name(&id), &start, &end);
    Ok((record, start, end))
}

/// Plays turns and writes the game as PGN.
pub(crate) fn write_game<'t>(
    start: &Setup,
    turns: impl Iterator<Item = &'t str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut record = Record::default();
    record.line.turns = turns.map(pgn::Played::from).collect();
    let end = pgn::replay(start, &mut record.line)?;
    let id = start.variant().to_string();
    pgn::complete(&mut record, written_name(&id), start, &end);
    write!(
        out,
        "{}",
        Printed {
            record: &record,
            start
        }
    )?;
    Ok(())
}
