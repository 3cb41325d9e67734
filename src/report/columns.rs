//! The columns of all CSV files and tables: unit, range and meaning.
//!
//! Relies on the row types for the names of the columns. A test compares the row types with this file, so
//! every column has an explanation and every explanation has a column.

use super::table::Row;
use super::{
    atlas, compare, condensation, design, endgames, endings, graph, ledger, puzzles, small_boards,
    solved, starts, variants,
};
use std::fmt::Write;

/// A column: its name, unit or type, range, and meaning.
type Column = (&'static str, &'static str, &'static str, &'static str);

/// A table: the command that prints or writes the table, and its columns.
type Table = (&'static str, &'static [&'static str]);

/// The columns of a suite for `perft --suite`.
const PERFT_SUITE: &[&str] = &["variant", "fen", "depth", "nodes", "counted"];

/// The columns of a suite for `solve --suite`.
const SOLVE_SUITE: &[&str] = &[
    "variant",
    "fen",
    "stipulation",
    "solutions",
    "keys",
    "solved",
];

/// All tables, in the order of the commands.
const TABLES: [Table; 24] = [
    ("`variants`", variants::VariantRow::COLUMNS),
    (
        "`turns`: one row for each position",
        variants::TurnsRow::COLUMNS,
    ),
    ("`compare`", compare::Difference::COLUMNS),
    ("`perft --suite FILE`", PERFT_SUITE),
    (
        "`explore --csv FILE`: one row for each depth",
        graph::DEPTH_COLUMNS,
    ),
    (
        "`explore --edges FILE`: one row for each turn",
        graph::EDGE_COLUMNS,
    ),
    (
        "`explore --solve --values FILE`: one row for each state",
        solved::StateRow::COLUMNS,
    ),
    (
        "`explore --condensation FILE`: one row for each component",
        condensation::ComponentRow::COLUMNS,
    ),
    ("`solve --suite FILE`", SOLVE_SUITE),
    ("`puzzles`: `puzzles.csv`", puzzles::PuzzleRow::COLUMNS),
    ("`table stats`", endings::StatsRow::COLUMNS),
    ("`table stats --plies`", endings::PliesRow::COLUMNS),
    ("`table probe`", endings::ProbeRow::COLUMNS),
    (
        "`table longest`",
        <endings::LongestRow<String> as Row>::COLUMNS,
    ),
    ("`table list`", endings::FileRow::COLUMNS),
    ("`verify`: `claims.csv`", ledger::ClaimRow::COLUMNS),
    ("`report atlas`: `variants.csv`", atlas::AtlasRow::COLUMNS),
    (
        "`report small-boards`: `small-boards.csv`",
        small_boards::SmallBoardRow::COLUMNS,
    ),
    (
        "`report small-boards`: `small-boards-lengths.csv`",
        small_boards::PlayLengthRow::COLUMNS,
    ),
    (
        "`report endgames`: `endgames.csv`",
        endgames::EndgameRow::COLUMNS,
    ),
    (
        "`report endgames`: what is printed",
        endgames::SummaryRow::COLUMNS,
    ),
    ("`report starts`: `starts.csv`", starts::StartRow::COLUMNS),
    ("`report design`: `design.csv`", design::DesignRow::COLUMNS),
    ("`puzzles --format csv`", puzzles::PuzzleRow::COLUMNS),
];

/// The explanations of the columns. A column has the same meaning in every table.
#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    ("variant", "ID", "", "rule set with its options"),
    ("id", "text", "", "name of the rule set, or of a puzzle in its file"),
    ("name", "text", "", "full name"),
    ("inventor", "text", "may be empty", "inventor of the rule set"),
    ("page", "address", "may be empty", "source page of the rule set"),
    ("difference", "text", "", "difference from orthodox chess, or what differs between two rule sets"),
    ("board", "files x ranks", "up to 16x16, 128 squares", "size of the board"),
    ("fen", "FEN", "", "position"),
    ("first_variant", "ID", "", "first rule set"),
    ("second_variant", "ID", "", "second rule set"),
    ("first_fen", "FEN", "may be empty", "position after the turn in the first rule set"),
    ("second_fen", "FEN", "may be empty", "position after the turn in the second rule set"),
    ("first_outcome", "outcome", "may be empty", "outcome after the turn in the first rule set"),
    ("second_outcome", "outcome", "may be empty", "outcome after the turn in the second rule set"),
    ("turn", "coordinates", "`-` for the position itself", "turn; in a table of states, the first best turn in byte order"),
    ("after", "coordinates", "empty at the start", "first turn, after which the search begins"),
    ("side", "`w` or `b`, or the color", "", "side to move; in a table, `w` is the side named first in the signature"),
    ("goal", "stipulation", "", "what the side tries to force"),
    ("status", "word", "`proven`, `disproven`, `open`", "what is known of the goal"),
    ("signature", "text", "", "units of both sides, such as `KRvK`"),
    ("class", "text", "", "units, side to move and variant state of a table file"),
    ("indices", "number", "0 or more", "indices of a table, legal or not"),
    ("table_bytes", "bytes", "0 or more", "size of a table file"),
    ("usable", "word", "`yes`, `empty`, `outdated`, `unknown`", "whether a table file has positions and was built with the present rules; these may be unknown"),
    ("form", "word", "`full`, `values-only`", "whether a table file has distances"),
    ("state", "number", "0 is the root", "number of a state"),
    ("depth", "plies", "0 or more", "turns from the start position"),
    ("nodes", "number", "0 or more", "lines of `depth` plies (perft)"),
    ("counted", "number", "0 or more", "count of this program, where it differs from `nodes`"),
    ("states", "number", "0 or more", "different positions"),
    ("expanded", "number", "0 or more", "states whose turns were generated"),
    ("terminals", "number, or outcomes with numbers", "0 or more", "states in which the game is over"),
    ("terminal_states", "number", "0 or more", "states in which the game is over"),
    ("terminal_share", "share", "0 to 1", "share of terminal states among all states found"),
    ("edges", "number", "0 or more", "turns between states"),
    ("min_out_degree", "number", "0 or more", "fewest turns of a state of this depth"),
    ("mean_out_degree", "number", "0 or more", "mean number of turns of a state of this depth"),
    ("max_out_degree", "number", "0 or more", "most turns of a state of this depth"),
    ("legal_turns", "turns", "joined by blanks, in byte order", "the legal turns; empty at a terminal position"),
    ("turns", "number", "0 or more", "legal turns"),
    ("best_turns", "number", "0 or more", "turns with the best value and distance"),
    ("perft_1", "number", "0 or more", "lines of 1 ply"),
    ("perft_2", "number", "0 or more", "lines of 2 plies"),
    ("perft_3", "number", "0 or more", "lines of 3 plies"),
    ("perft_4", "number", "0 or more", "lines of 4 plies"),
    ("outcome", "outcome", "", "`ongoing`, or the winner (or `draw`) and the reason"),
    ("outcomes", "outcomes with numbers", "", "games by outcome and reason"),
    ("value", "word", "`win`, `weak-win`, `draw`, `weak-loss`, `loss`", "value for the side to move under best play; in `design.csv`, the figure in words"),
    ("plies", "plies", "empty for a draw or an open question", "turns of either side to the end under best play"),
    ("positions", "number", "0 or more", "placements of the units, symmetric ones counted; in `starts.csv`, positions searched"),
    ("legal", "number", "0 or more", "placements that a FEN may contain"),
    ("wins", "number", "0 or more", "positions that the side to move wins"),
    ("weak_wins", "number", "0 or more", "positions that the side to move wins weakly (two thirds of a win)"),
    ("draws", "number", "0 or more", "drawn positions or games"),
    ("weak_losses", "number", "0 or more", "positions that the side to move loses weakly"),
    ("losses", "number", "0 or more", "positions that the side to move loses"),
    ("win_share", "share", "0 to 1", "share of states that the side to move wins"),
    ("weak_win_share", "share", "0 to 1", "share of states that the side to move wins weakly"),
    ("draw_share", "share", "0 to 1", "share of drawn states"),
    ("weak_loss_share", "share", "0 to 1", "share of states that the side to move loses weakly"),
    ("loss_share", "share", "0 to 1", "share of states that the side to move loses"),
    ("longest_win_plies", "plies", "empty without a win", "length of the longest win"),
    ("longest_win_fen", "FEN", "empty without a win", "first position with the longest win"),
    ("longest_loss_plies", "plies", "empty without a loss", "length of the longest loss"),
    ("longest_loss_fen", "FEN", "empty without a loss", "first position with the longest loss"),
    ("one_winning_turn_states", "number", "0 or more", "won states in which exactly one turn keeps the win"),
    ("endless", "`true` or `false`", "", "whether positions can repeat, so that play has no bound"),
    ("shortest_path_plies", "plies", "1 or more", "length of the shortest game possible"),
    ("min_plies", "plies", "0 if no game ended", "length of the shortest game that ended"),
    ("component", "number", "0 or more", "number of the strongly connected component"),
    ("turns_within", "number", "0 or more", "turns between states of the component"),
    ("turns_out", "number", "0 or more", "turns that leave the component for ever"),
    ("successors", "components", "joined by blanks", "components to which turns lead, each with their number: `3:12`"),
    ("longest_path_plies", "plies", "empty if play has no bound", "length of the longest game possible"),
    ("certified_states", "number", "0 to `states`", "states whose value the certifier confirmed"),
    ("line", "turns", "joined by blanks", "line of best play"),
    ("line_end", "outcome", "", "outcome at the end of `line`"),
    ("complete", "word or number", "", "`complete`, or the limit that stopped the search; in the summary of endings, the number of complete endings"),
    ("limit", "word", "", "`complete`, or the limit that stopped the solution"),
    ("endings", "number", "0 or more", "endings examined"),
    ("games", "number", "1 or more", "random games played"),
    ("cap_plies", "plies", "1 or more", "length at which a random game is stopped"),
    ("capped_games", "number", "0 to `games`", "random games that were stopped"),
    ("mean_plies", "plies", "empty if no game ended", "mean length of the games that ended"),
    ("max_plies", "plies", "empty if no game ended", "length of the longest game that ended"),
    ("white_wins", "number", "0 to `games`", "games that White won, weakly or not"),
    ("black_wins", "number", "0 to `games`", "games that Black won, weakly or not"),
    ("stalemates", "number", "0 to `games`", "games that ended by stalemate, won or drawn"),
    ("decisive_share", "share", "0 to 1", "share of games with a winner among all games"),
    ("none_within_plies", "plies", "empty if proven", "length within which there is shown to be no win"),
    ("certificate", "path", "may be empty", "certificate of the proof, relative to the folder of the report"),
    ("certificate_positions", "number", "may be empty", "positions of the certificate"),
    ("certificate_sha256", "hexadecimal", "may be empty", "checksum of a certificate that is not kept"),
    ("command", "command", "may be empty", "command that makes the certificate again"),
    ("scope", "text", "", "what was examined, or the kind of evidence"),
    ("topic", "text", "", "part of the report"),
    ("figure", "text", "", "what `value` counts or measures, with its unit"),
    ("claim", "text", "", "name of the claim"),
    ("statement", "text", "", "what the source asserts"),
    ("source", "text or number", "", "where it is asserted; of an edge, the number of the state before the turn"),
    ("target", "number", "0 or more", "number of the state after the turn"),
    ("verdict", "word", "", "verdict on a claim or on a puzzle"),
    ("summary", "text", "", "what was checked and found"),
    ("evidence_file", "path", "", "evidence, relative to the folder of `claims.csv`"),
    ("collection", "text", "", "file of the puzzle, without folder and ending"),
    ("stipulation", "stipulation", "", "stipulation, such as `#2`"),
    ("expected_solutions", "number", "may be empty", "number of solutions that the file states"),
    ("expected_keys", "turns", "joined by blanks", "keys that the file states"),
    ("solutions", "number", "0 or more", "number of keys, or of lines in help and series play"),
    ("keys", "turns", "joined by blanks, in byte order", "first turns of all solutions"),
    ("solved", "turns", "joined by blanks", "keys that this program found, where they differ"),
    ("result", "word", "`solved`, `undecided`, `differs`, `unchecked`", "comparison of the solution with the file"),
];

/// Returns the chapter of the manual that explains the columns of every table.
pub fn chapter() -> String {
    let mut out = String::from(
        "# Columns of CSV files and tables\n\n\
         Files are CSV in UTF-8 with LF and a header. A column of one name means the same in every file. \
         Lengths are in plies (turns of either side); a cell is empty if it does not apply. Cells with \
         commas are in double quotes.\n",
    );
    for (name, columns) in TABLES {
        let _ = write!(
            out,
            "\n## {name}\n\n| column | unit or type | range | meaning |\n|---|---|---|---|\n"
        );
        for column in columns {
            let (unit, range, meaning) = about(column).unwrap_or_default();
            let _ = writeln!(out, "| `{column}` | {unit} | {range} | {meaning} |");
        }
    }
    out
}

/// Returns the unit, range and meaning of a column.
fn about(column: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let found = COLUMNS.iter().find(|(name, ..)| *name == column)?;
    Some((found.1, found.2, found.3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_column_is_explained_and_every_explanation_is_used() {
        let used: BTreeSet<&str> = TABLES
            .iter()
            .flat_map(|(_, columns)| columns.iter().copied())
            .collect();
        let explained: BTreeSet<&str> = COLUMNS.iter().map(|(name, ..)| *name).collect();
        assert_eq!(used, explained);
        assert_eq!(
            explained.len(),
            COLUMNS.len(),
            "a column is explained twice"
        );
    }
}
