//! Queries that evaluate once for symmetric positions find what the others find.

use super::{FoundPosition, Query, Sharing, find_sharing};
use crate::{Counting, Signature, Store, Tables, build, write_values};
use board::Geometry;
use control::Control;
use explore::Groups;
use language::{About, Environment, Expression};
use position::Layout;
use rules::{AnyGame, Variant, with_game};
use std::sync::Arc;

const LIMITS: Control<'static> = Control::new().with_memory(1 << 28);

/// Conditions, with whether they have the same value on symmetric positions.
const CONDITIONS: [(&str, bool); 10] = [
    ("turns.exists_one(t, t.after.value == 'loss')", true),
    (
        "value == 'win' && turns.exists(t, t.checks && t.after.value == 'draw')",
        true,
    ),
    ("turns.all(t, t.after.turns.size() > 2)", true),
    ("flip.value == 'loss' || check", true),
    ("turns.filter(t, t.captures.size() > 0).size() == 1", true),
    ("count(white) > count(black) && turns.size() > 5", true),
    ("turns.exists(t, t.to == 'a1')", false),
    ("turns.size() > 0 && turns[0].after.value == 'win'", false),
    ("units(white).exists(u, u.file == 1)", false),
    ("fen != ''", false),
];

fn find<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
    condition: &Expression,
    by: &[Expression],
    counting: Counting,
    sharing: Option<Sharing>,
    counts: bool,
) -> (Groups, Vec<FoundPosition>) {
    let query = Query {
        tables,
        signature,
        condition,
        by,
        counting,
        counts,
        pool: None,
        stop: &|| false,
    };
    let mut found = Vec::new();
    let sharing = sharing.unwrap_or_else(|| Sharing::of(&query));
    let groups = find_sharing(&query, sharing, &mut |position| {
        found.push(position);
        Ok(())
    });
    (groups.expect("an answer"), found)
}

fn compare(any: &AnyGame, text: &str) -> u64 {
    let read = |text: &str| {
        Expression::read("it", text, &Environment::new(any, About::VALUED)).expect("an expression")
    };
    let mut held = 0;
    with_game!(any, game => {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::new(folder.path());
        let signature = Signature::parse(game.as_ref(), text).expect("a signature");
        let full = Tables::new(Arc::clone(game), Some(store.clone().read_only()));
        build(&full, &signature, &LIMITS).expect("tables");
        write_values(&full, &signature, &store, &LIMITS).expect("values");
        let values = Tables::new(Arc::clone(game), Some(store));
        for (condition, is_symmetric) in CONDITIONS {
            let condition = read(condition);
            assert_eq!(condition.is_symmetric(), is_symmetric, "{}", condition.source());
            for by in ["turns.size()", "fen"] {
                let by = [read(by)];
                for counting in [Counting::All, Counting::Reduced] {
                    for counts in [false, true] {
                        let find = |tables, sharing| {
                            find(tables, &signature, &condition, &by, counting, sharing, counts)
                        };
                        let plain = find(&full, Some(Sharing::NONE));
                        assert_eq!(find(&full, None), plain, "{}", condition.source());
                        let (groups, found) = find(&values, None);
                        assert_eq!(groups, plain.0, "{}", condition.source());
                        assert_eq!(found.len(), plain.1.len());
                        for (found, plain) in found.iter().zip(&plain.1) {
                            assert_eq!((&found.fen, found.word), (&plain.fen, plain.word));
                            assert_eq!((&found.by, found.plies), (&plain.by, None));
                        }
                        held += plain.0.values().sum::<u64>() + plain.1.len() as u64;
                    }
                }
            }
        }
        // Distances are refused.
        let query = Query {
            tables: &values,
            signature: &signature,
            condition: &read("turns.exists(t, t.after.plies > 3)"),
            by: &[],
            counting: Counting::All,
            counts: true,
            pool: None,
            stop: &|| false,
        };
        let refused = super::find_positions(&query, &mut |_| Ok(()));
        assert!(format!("{refused:?}").contains("values only"), "{refused:?}");
    });
    held
}

#[test]
fn sharing_among_symmetric_positions_changes_no_answer() {
    for (info, files, ranks, text) in [
        (&variants::fide::INFO, 3, 4, "KQvKR"),
        (&variants::fide::INFO, 4, 4, "KPvK"),
        (&variants::bachelor::INFO, 4, 4, "KRvK"),
    ] {
        let geometry = Geometry::new(files, ranks, 0, false).expect("a board");
        assert!(
            compare(&Variant::from(info).on(geometry).expect("a game"), text) > 1000,
            "{text}"
        );
    }
}
