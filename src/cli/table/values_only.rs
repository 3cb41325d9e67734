//! The commands of `table` on tables of values only.

use super::{Bar, failure, say_notes};
use crate::answer::{Answer, Verdict, counted, say};
use crate::args::WorkArgs;
use control::parallel;
use diagnostics::Diagnostic;
use report::endings::ProbeRow;
use rules::Game;
use std::io::Write;
use std::sync::Arc;
use tables::{
    Counting, Layout, SideStats, Signature, Store, Tables, WorthProbe, build, value_stats, word_of,
    write_values,
};

/// Builds the tables of a signature in memory, from those on disk where there are some, and writes their values
/// without distances.
pub(super) fn build_values<W: Layout>(
    game: &Arc<dyn Game<W>>,
    signature: &Signature,
    store: Store,
    work: &WorkArgs,
    out: &mut dyn Write,
) -> Answer {
    let tables = Tables::new(Arc::clone(game), Some(store.clone().read_only()));
    let bar = Bar::new();
    let control = work.control(&bar);
    let written = build(&tables, signature, &control)
        .and_then(|_| write_values(&tables, signature, &store, &control));
    bar.clear();
    say_notes(&tables);
    match written {
        Ok(written) => {
            writeln!(
                out,
                "{signature}: values only; {}, {}; {} of {} bytes are {signature} itself",
                counted(written.classes, "class", "classes"),
                counted(written.indices, "index", "indices"),
                written.own_bytes,
                written.bytes,
            )?;
            Ok(Verdict::Done)
        }
        Err(stopped) => failure(stopped),
    }
}

/// Returns whether a table of a signature has values only.
fn has_values_only<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
) -> Result<bool, Diagnostic> {
    let [white, black] = signature.keys();
    Ok(tables.has_values_only(&white)? || tables.has_values_only(&black)?)
}

/// Returns the statistics of a signature if its tables have values only and no distances are requested.
pub(super) fn stats_without_distances<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    counting: Counting,
) -> Result<Option<[SideStats; 2]>, Diagnostic> {
    if !has_values_only(tables, signature)? {
        return Ok(None);
    }
    let stats = || value_stats(tables, signature, counting);
    let sides = parallel::in_pool(parallel::processors(), stats)?;
    say("note: the table has values only; there are no distances");
    Ok(Some(sides))
}

/// Appends the rows of a probe without distances as CSV or text.
pub(super) fn append(probe: &WorthProbe, csv: bool, fen: &str, out: &mut Vec<u8>) {
    let width = rows(probe).map(|(turn, _)| turn.len()).max().unwrap_or(0);
    for (turn, worth) in rows(probe) {
        let word = word_of(worth);
        let line = match csv {
            true if fen.contains([',', '"']) => {
                format!("\"{}\",{turn},{word},\n", fen.replace('"', "\"\""))
            }
            true => format!("{fen},{turn},{word},\n"),
            false => format!("{turn:width$}  {word}\n"),
        };
        out.extend_from_slice(line.as_bytes());
    }
}

/// Returns the rows of a probe without distances.
pub(super) fn probe_rows(probe: &WorthProbe, fen: &str) -> Vec<ProbeRow> {
    let row = |(turn, worth): (&str, i8)| ProbeRow {
        fen: fen.to_string(),
        turn: turn.to_string(),
        value: word_of(worth),
        plies: None,
    };
    rows(probe).map(row).collect()
}

fn rows(probe: &WorthProbe) -> impl Iterator<Item = (&str, i8)> {
    let turns = probe
        .turns
        .iter()
        .map(|turn| (turn.text.as_str(), turn.worth));
    std::iter::once(("-", probe.worth)).chain(turns)
}
