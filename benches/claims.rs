//! Claims files: positions a second for each kind of set. Each row asserts its answer.
//!
//! `cargo bench --bench claims` takes about half a minute.

use fairyproof::catalog::Catalog;
use fairyproof::claims::OpenFile;
use fairyproof::control::{Control, parallel};
use std::sync::Arc;
use std::time::Instant;

/// Name, keys of the claim, positions, and the number that is measured.
const CASES: [(&str, &str, &str); 6] = [
    (
        "placements",
        "count = \"reason == 'checkmate'\"\nover = { placements = 'K, Q, k' }",
        "364",
    ),
    (
        "placements of four units",
        "count = 'count(white) == 3 && size(squares) == 64'\nover = { placements = 'K, Q, R, k' }",
        "17892324",
    ),
    (
        "table",
        "max = \"value == 'win' ? plies : -1\"\nover = { table = 'KRvK' }",
        "31",
    ),
    (
        "graph",
        "count = 'check'\nover = { graph = { depth = 4 } }",
        "",
    ),
    ("games", "count = 'true'\nover = { games = 1000 }", ""),
    ("steps", "count = 'castles'\nover = { steps = true }", "4"),
];

fn main() {
    let catalog = Arc::new(Catalog::new());
    println!("set                        positions    seconds   positions/s");
    for (name, keys, answer) in CASES {
        let text = format!(
            "[page]\ntitle = 'Bench'\nvariant = 'fide'\n[[claim]]\nid = 'a'\nsays = 'a'\n{keys}\nis = 0\n"
        );
        let file = OpenFile::read("bench.toml", &text, None, &catalog).expect("a claims file");
        let entry = &file.file.entries[0];
        let begun = Instant::now();
        let finding = parallel::in_pool(1, || file.verify(entry, &Control::new()));
        let seconds = begun.elapsed().as_secs_f64();
        let evidence = finding.expect("a finding").evidence;
        let field = |name: &str| {
            let column = evidence.columns.iter().position(|own| own == name);
            evidence.rows[0][column.expect("a column")].clone()
        };
        let positions: f64 = field("positions").parse().expect("a number");
        if !answer.is_empty() {
            assert_eq!(field("value"), answer, "{name}");
        }
        assert!(positions > 0.0, "{name}");
        println!(
            "{name:<24} {positions:>11}  {seconds:>9.2}  {:>12.0}",
            positions / seconds
        );
    }
}
