//! Rows about endgame tables, for the commands `table ...`.

use crate::solved;
use rules::Variant;
use serde::Serialize;
use struct_field_names_as_array::FieldNamesAsSlice;
use tables::{Listed, Probe, SideStats, StoredForm};
use values::Value;

/// The statistics of a table for one side to move. All placements are counted, including symmetric ones.
/// `side` is `w` for the side that the signature names first.
#[derive(Serialize, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct StatsRow {
    pub variant: String,
    pub board: String,
    pub signature: String,
    pub side: char,
    pub positions: u64,
    pub legal: u64,
    pub wins: u64,
    pub weak_wins: u64,
    pub draws: u64,
    pub weak_losses: u64,
    pub losses: u64,
    pub longest_win_plies: Option<u16>,
    pub longest_win_fen: Option<String>,
    pub longest_loss_plies: Option<u16>,
    pub longest_loss_fen: Option<String>,
}

impl StatsRow {
    /// Returns the row of one side to move.
    pub fn new(variant: &Variant, board: &str, signature: &str, stats: &SideStats) -> StatsRow {
        let plies = |longest: &Option<(u16, String)>| longest.as_ref().map(|(d, _)| *d);
        let fen = |longest: &Option<(u16, String)>| longest.as_ref().map(|(_, fen)| fen.clone());
        StatsRow {
            variant: variant.to_string(),
            board: board.to_string(),
            signature: signature.to_string(),
            side: stats.side.letter(),
            positions: stats.positions,
            legal: stats.legal,
            wins: stats.count(2),
            weak_wins: stats.count(1),
            draws: stats.count(0),
            weak_losses: stats.count(-1),
            losses: stats.count(-2),
            longest_win_plies: plies(&stats.longest_win),
            longest_win_fen: fen(&stats.longest_win),
            longest_loss_plies: plies(&stats.longest_loss),
            longest_loss_fen: fen(&stats.longest_loss),
        }
    }

    /// Returns the row as text, with one fact on each line.
    pub fn text(&self) -> String {
        let side = if self.side == 'w' { "White" } else { "Black" };
        let mut text = format!(
            "{} in {} on {}, {side} to move\n  positions     {}\n  legal         {}\n",
            self.signature, self.variant, self.board, self.positions, self.legal
        );
        let names = ["wins", "weak wins", "draws", "weak losses", "losses"];
        let counts = [
            self.wins,
            self.weak_wins,
            self.draws,
            self.weak_losses,
            self.losses,
        ];
        for (name, share) in solved::shares(names, counts, self.legal) {
            text += &format!("  {name:<12}  {share}\n");
        }
        for (name, plies, fen) in [
            ("longest win", self.longest_win_plies, &self.longest_win_fen),
            (
                "longest loss",
                self.longest_loss_plies,
                &self.longest_loss_fen,
            ),
        ] {
            if let (Some(plies), Some(fen)) = (plies, fen) {
                text += &format!("  {name:<12}  {plies} plies  {fen}\n");
            }
        }
        text
    }
}

/// The number of positions with a certain value and distance.
#[derive(Serialize, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct PliesRow {
    pub variant: String,
    pub board: String,
    pub signature: String,
    pub side: char,
    pub value: &'static str,
    pub plies: Option<u16>,
    pub positions: u64,
}

impl PliesRow {
    /// Returns the rows of one side to move, losses first.
    pub fn all(
        variant: &Variant,
        board: &str,
        signature: &str,
        stats: &SideStats,
    ) -> Vec<PliesRow> {
        let row = |(&(worth, d), &positions): (&(i8, u16), &u64)| {
            let value = match worth {
                -2 => Value::Loss(d),
                -1 => Value::WeakLoss(d),
                1 => Value::WeakWin(d),
                2 => Value::Win(d),
                _ => Value::Draw,
            };
            PliesRow {
                variant: variant.to_string(),
                board: board.to_string(),
                signature: signature.to_string(),
                side: stats.side.letter(),
                value: value.word(),
                plies: value.distance_plies(),
                positions,
            }
        };
        stats.plies.iter().map(row).collect()
    }
}

/// A position or one of its turns, with its value for the side to move in the position.
#[derive(Serialize, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct ProbeRow {
    pub fen: String,
    pub turn: String,
    pub value: &'static str,
    pub plies: Option<u16>,
}

impl ProbeRow {
    /// Returns a row for the position, whose turn is `-`, followed by rows for its turns, best first.
    pub fn all(fen: &str, probe: &Probe) -> Vec<ProbeRow> {
        let row = |(turn, value): (&str, Value)| ProbeRow {
            fen: fen.to_string(),
            turn: turn.to_string(),
            value: value.word(),
            plies: value.distance_plies(),
        };
        probe.rows().map(row).collect()
    }
}

/// The longest win with some material, with a line of best play. `L` is the line as one text or as a list of
/// turns.
#[derive(Serialize, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct LongestRow<L> {
    pub variant: String,
    pub board: String,
    pub signature: String,
    pub side: char,
    pub plies: u16,
    pub fen: String,
    pub line: L,
    pub outcome: String,
}

/// A table file.
#[derive(Serialize, Debug, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct FileRow {
    pub variant: String,
    pub board: String,
    /// The signature for the table, as commands take it; empty if unknown.
    pub signature: String,
    pub class: String,
    pub indices: u64,
    pub table_bytes: u64,
    pub usable: &'static str,
    pub form: &'static str,
}

impl FileRow {
    /// Returns the row of a file. `is_current` says whether the file was built with the present rules, if these are
    /// known.
    pub fn new(file: Listed, signature: String, is_current: Option<bool>) -> FileRow {
        FileRow {
            variant: file.variant,
            board: file.board,
            signature,
            class: file.class,
            indices: file.indices,
            table_bytes: file.table_bytes,
            usable: match is_current {
                None => "unknown",
                Some(false) => "outdated",
                Some(true) if !file.has_values => "empty",
                Some(true) => "yes",
            },
            form: match file.form {
                StoredForm::Full => "full",
                StoredForm::ValuesOnly => "values-only",
            },
        }
    }
}
