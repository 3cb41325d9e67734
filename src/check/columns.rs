//! The columns of reports and of claims' evidence, and what each is compared with. A cell of any other column is named
//! as not checked.

/// The columns, each with what its cells are compared with. `perft_N` is added, the lines of `N` turns.
const COLUMNS: [(&str, &str); 56] = [
    (
        "variant",
        "the rules by which the other cells of the row are compared",
    ),
    (
        "variant_of_row",
        "like `variant`, where that is a parameter of the claim",
    ),
    ("fen", "the position itself, as the naive rules print it"),
    (
        "fen_of_row",
        "like `fen`, where that is a parameter of the claim",
    ),
    ("fen_before", "like `fen`"),
    ("root", "like `fen`, where the line begins"),
    ("board", "the files and ranks of the position"),
    ("signature", "the units of the position"),
    (
        "line",
        "legal turns; with `value`, turns that keep the value and its distance",
    ),
    ("turns", "the number of legal turns, or legal turns"),
    ("turn", "a legal turn, the last of `line`"),
    ("reply", "a legal turn"),
    ("winning_turn", "a legal turn"),
    ("after", "legal turns"),
    ("legal", "whether the turns are legal"),
    ("fen_after", "the position after the turns"),
    ("outcome", "the outcome after the turns"),
    ("outcome_after", "the outcome after the turn"),
    (
        "line_end",
        "the outcome after the line, or the position that it repeats",
    ),
    (
        "plies",
        "the number of turns, the distance to the end, or the plies of the certificate",
    ),
    ("longest_plies", "the longest game of the whole graph"),
    ("checked", "the states and edges of the whole graph"),
    ("certificate", "the file, whose turns are followed"),
    ("certificate_sha256", "the digest of the file"),
    ("certificate_positions", "the positions of the certificate"),
    ("status", "the kind of the certificate"),
    ("side", "the side of the certificate, or the side to move"),
    ("goal", "the goal of the certificate"),
    ("stipulation", "what is solved"),
    ("solutions", "the number of solutions"),
    ("keys", "the first turns of all solutions"),
    (
        "verdict",
        "the number of solutions, and whether one is shorter",
    ),
    (
        "expected_solutions",
        "`solutions`, if the result is `solved`",
    ),
    ("expected_keys", "`keys`, if the result is `solved`"),
    ("result", "the expected solution with that found"),
    ("depth", "the depth to which lines or positions are counted"),
    ("nodes", "the lines of `depth` turns"),
    (
        "complete",
        "whether the graph is explored to its end, or the array is not legal",
    ),
    ("states", "the positions of the graph"),
    ("edges", "the turns of the graph"),
    ("terminal_states", "the positions in which the game is over"),
    ("terminal_share", "their share"),
    ("terminals", "their number by outcome"),
    ("value", "the value of the position"),
    ("win_share", "the values of all positions"),
    ("weak_win_share", "the values of all positions"),
    ("draw_share", "the values of all positions"),
    ("weak_loss_share", "the values of all positions"),
    ("loss_share", "the values of all positions"),
    (
        "longest_win_plies",
        "the longest win of the graph; not of a class of an endgame table",
    ),
    (
        "longest_win_fen",
        "a position of the longest win, or of a win of this length",
    ),
    ("longest_loss_fen", "a position of a loss of this length"),
    ("one_winning_turn_states", "the values of all positions"),
    ("endless", "whether positions of the graph repeat"),
    ("longest_path_plies", "the longest game of the graph"),
    ("certified_states", "the positions of the graph"),
];

/// Returns whether cells of a column are compared with something.
pub(crate) fn is_known(column: &str) -> bool {
    let is_perft = || {
        let depth = column
            .strip_prefix("perft_")
            .and_then(|depth| depth.parse::<u32>().ok());
        depth.is_some_and(|depth| column == format!("perft_{depth}"))
    };
    COLUMNS.iter().any(|(known, _)| *known == column) || is_perft()
}
