//! Claims files: positions a second for each kind of set. Each row asserts its answer.
//!
//! `cargo bench --bench claims` takes about half a minute.

use fairyproof::catalog::Catalog;
use fairyproof::claims::OpenFile;
use fairyproof::control::{Control, parallel};
use std::sync::Arc;
use std::time::Instant;

/// Name, keys of the claim, and the number that is measured; without one, all positions count. The numbers follow
/// from other sources: 364 mates by a queen; 3,612 pairs of kings on 62 times 61 squares for two more units;
/// 5,362 positions after three plies; a rook mates within 31 plies; two castlings of each side.
const CASES: [(&str, &str, &str); 6] = [
    (
        "placements",
        "count = \"reason == 'checkmate'\"\nover = { placements = 'K, Q, k' }",
        "364",
    ),
    (
        "placements of four units",
        "count = 'side == black'\nover = { placements = 'K, Q, R, k' }",
        "13660584",
    ),
    (
        "table",
        "max = \"value == 'win' ? plies : -1\"\nover = { table = 'KRvK' }",
        "31",
    ),
    (
        "graph",
        "count = 'depth == 3'\nover = { graph = { depth = 4 } }",
        "5362",
    ),
    (
        "games",
        "count = 'size(squares) == 64'\nover = { games = 1000 }",
        "",
    ),
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
        let all = field("positions");
        let answer = if answer.is_empty() { &all } else { answer };
        assert_eq!(field("value"), answer, "{name}");
        println!(
            "{name:<24} {positions:>11}  {seconds:>9.2}  {:>12.0}",
            positions / seconds
        );
    }
}
