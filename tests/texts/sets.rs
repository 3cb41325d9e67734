//! The texts of compiled rule sets have the counts of these on the rows of `tests/data/perft.csv`.

use crate::agree::translated;
use fairyproof::catalog::Catalog;
use fairyproof::notation::Setup;
use fairyproof::with_setup;

/// Returns the number of lines of this length, or the error of a variant or a FEN.
fn count(catalog: &Catalog, id: &str, fen: &str, depth: u32) -> Result<u64, String> {
    let variant = catalog.open(id).map_err(|error| error.to_string())?;
    let setup = Setup::read(&variant, Some(fen)).map_err(|error| error.to_string())?;
    Ok(with_setup!(&setup, s => s.game.perft(&s.position, depth)))
}

#[test]
fn texts_have_the_counts_of_their_rule_sets() {
    let catalog = Catalog::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/perft.csv");
    let mut file = csv::Reader::from_path(path).expect("the rows");
    let mut compared = 0;
    for row in file.records().map(|row| row.expect("a row")) {
        let (set, fen) = (&row[0], &row[1]);
        let (name, options) = set.split_once(':').unwrap_or((set, ""));
        // The second readings of French Revolution are options of the compiled rule set alone.
        let is_reading = name == "french-revolution" && !["", "weak-loss"].contains(&options);
        if is_reading || catalog.text_of(name).is_none() {
            continue;
        }
        let text = match options {
            "" => format!("{name}-text"),
            _ => format!("{name}-text:{options}"),
        };
        // What a turn of this text asks of the next one is slow.
        let most = if name == "concurrent" { 400 } else { 20_000 };
        let depths = (1..=row[2].parse().expect("a depth"))
            .take_while(|&depth| count(&catalog, set, fen, depth).is_ok_and(|nodes| nodes <= most));
        for depth in depths {
            assert_eq!(
                count(&catalog, &text, &translated(name, fen), depth),
                count(&catalog, set, fen, depth),
                "{set} {fen} depth {depth}"
            );
            compared += 1;
        }
    }
    assert!(compared > 250, "{compared}");
}
