//! Unit tests of the catalog.

use super::*;
use std::sync::{Arc, Mutex};

/// Returns a catalog that contains a text of definitions.
fn with_text(text: &str) -> Catalog {
    let mut catalog = Catalog::new();
    catalog.add_text("a text", text).expect("definitions");
    catalog
}

#[test]
fn compiled_known_and_added_rule_sets_open() {
    let catalog = with_text("[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n");
    for id in ["bachelor", "spartan:moves=40", "crazyhouse", "hill"] {
        assert_eq!(catalog.open(id).expect(id).to_string(), id);
    }
    let ids: Vec<&str> = catalog.ids().collect();
    let place = |id: &str| ids.iter().position(|other| *other == id).expect(id);
    assert!(place("bachelor") < place("hill") && place("hill") < place("crazyhouse"));
    let listed: Vec<&str> = catalog.iter().map(|entry| entry.id()).collect();
    assert_eq!(listed, ids);
}

#[test]
fn unknown_names_get_a_suggestion() {
    let catalog = with_text("[hill-climb:chess]\n");
    assert_eq!(catalog.similar("bachlor"), Some("bachelor"));
    assert_eq!(catalog.similar("hill-clim"), Some("hill-climb"));
    let error = catalog.open("crazyhous:x").expect_err("a typo");
    assert_eq!(error.what, "variant `crazyhous:x`");
    assert!(error.help.expect("a help").contains("`crazyhouse`"));
}

#[test]
fn sections_with_errors_fail_only_when_opened() {
    let catalog =
        with_text("[bad:chess]\nmaxRank = 99\n[walls:chess]\nwallingRule = duck\n[good:chess]\n");
    assert!(catalog.open("good").is_ok());
    assert!(catalog.definition("bad").is_none() && catalog.ids().any(|id| id == "bad"));
    let error = catalog.open("bad").expect_err("a wrong value").to_string();
    assert!(
        error.contains("a text") && error.contains("line 2"),
        "{error}"
    );
    let error = catalog.open("walls").expect_err("not played").to_string();
    assert!(
        error.contains("`wallingRule` is known but not supported"),
        "{error}"
    );
}

#[test]
fn names_of_earlier_texts_are_refused_and_their_sections_are_parents() {
    let mut catalog = with_text("[one:chess]\ncastling = false\n");
    assert!(catalog.add_text("second", "[one:chess]\n").is_err());
    assert!(catalog.add_text("third", "[two:one]\n").is_ok());
    let castles = |id: &str| catalog.definition(id).expect(id).castling.enabled;
    assert!(!castles("two"));
}

#[test]
fn added_definition_replaces_the_opened_one_of_the_library() {
    let mut catalog = Catalog::new();
    let known = catalog.open("crazyhouse").expect("the library's");
    catalog
        .add_text("own", "[crazyhouse:chess]\n")
        .expect("a text");
    let own = catalog.open("crazyhouse").expect("the text's");
    assert_ne!(known, own);
    assert_ne!(known.identity(), own.identity());
}

#[test]
fn warnings_are_reported_once_when_the_variant_opens() {
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&warnings);
    let mut catalog = Catalog::new().on_warning(move |text| {
        sink.lock().expect("a list").push(text.to_owned());
    });
    let text = "[crazyhouse:chess]\n[plain:chess]\n";
    catalog.add_text("own", text).expect("definitions");
    catalog.open("plain").expect("a variant");
    assert!(warnings.lock().expect("a list").is_empty());
    for _ in 0..2 {
        catalog.open("crazyhouse").expect("a variant");
    }
    let warnings = warnings.lock().expect("a list");
    assert!(
        warnings.len() == 1 && warnings[0].contains("replaces the known variant"),
        "{warnings:?}"
    );
}

#[test]
fn variants_outlive_their_catalog() {
    let catalog = with_text("[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n");
    let variant = catalog.open("hill").expect("a variant");
    drop(catalog);
    let board = notation::fen::shape(&variant.start()).expect("a board");
    assert_eq!(variant.on(board).expect("a game").variant(), &variant);
}

/// Returns the resident memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("figures of this process");
    let pages: usize = text
        .split(' ')
        .nth(1)
        .expect("a figure")
        .parse()
        .expect("pages");
    pages * 4096
}

#[cfg(target_os = "linux")]
#[test]
fn dropped_definitions_are_freed() {
    const DEFINITIONS: usize = 20_000;
    const IN_A_TEXT: usize = 50;
    let open = |from: usize| {
        let sections = (from..from + IN_A_TEXT).map(|n| {
            let rank = 3 + n % 5;
            format!("[own-{n}:crazyhouse]\nflagPiece = k\nflagRegion = *{rank}\nnMoveRule = {n}\n")
        });
        let catalog = with_text(&sections.collect::<String>());
        for n in from..from + IN_A_TEXT {
            let variant = catalog.open(&format!("own-{n}")).expect("a variant");
            // Binding a definition to its board takes longer than opening it, so only some are bound.
            if n % 20 == 0 {
                let board = notation::fen::shape(&variant.start()).expect("a board");
                assert_eq!(variant.on(board).expect("a game").variant(), &variant);
            }
        }
    };
    // Warm up, so that the allocator's pools and data that is read once are not measured.
    (0..10).for_each(|n| open(n * IN_A_TEXT));
    let before = resident_bytes();
    (0..DEFINITIONS).step_by(IN_A_TEXT).for_each(open);
    let grown = resident_bytes().saturating_sub(before);
    // A compiled definition takes more than 10 kB, so a leak of all definitions would exceed this limit.
    assert!(grown < DEFINITIONS * 500, "{grown} bytes more");
}

/// Ways in which a text names the rule set `w` or the condition `narrow`, also by a section in between.
const NAMING: [&str; 12] = [
    "ends = few: mover wins if size(under('w').turns) < 5",
    "ends = few: mover wins if size(under((\"w\")).turns) < 5",
    "ends = few: mover wins if size(before_under.turns) < 5\nlet.before_under = under('w')",
    "let.id = 'w'\nends = few: mover wins if size(under(id).turns) < 5",
    "let.a = 'w'\nlet.b = (a)\nlegalIf = size(after.under(b).turns) > 0",
    "let.q(x) = under(x)\nends = few: mover wins if size(q('w').turns) < 5",
    "let.q(x, y) = under(y)\nlet.r(x) = q('fide', x)\nlegalIf = size(r('w').turns) > 0",
    "ends = few: mover wins if size(under('asks').turns) < 5",
    "let.id = 'asks'\nends = few: mover wins if size(under(id).turns) < 5",
    "let.id = 'w:k=2'\nends = few: mover wins if size(under(id).turns) < 5",
    "let.id = 'fide+narrow'\nends = few: mover wins if size(under(id).turns) < 5",
    "conditions = asking",
];

#[test]
fn digests_contain_the_rule_sets_that_clauses_can_ask() {
    let text = |own: &str, legal: &str| {
        format!(
            "[narrow]\ncondition = true\nlegalIf = {legal}\n\
             [w:fide-text]\noptions = k: 1..3 = 1\nlegalIf = {legal}\n\
             [asking]\ncondition = true\nlet.id = 'w'\nlegalIf = size(under(id).turns) > 0\n\
             [asks:fide-text]\nlet.id = 'w'\nends = few: mover wins if size(under(id).turns) < 5\n\
             [above:fide-text]\n{own}\n\
             [below:above]\nlegalIf = size(parent.turns) > 0\n\
             [hidden:above]\nlegalIf = size(parent.turns) > 0\nends = no turn: stalemate\n"
        )
    };
    for own in NAMING {
        let opened = |legal: &str| {
            let catalog = with_text(&text(own, legal));
            ["above", "below", "hidden"].map(|id| {
                let variant = catalog
                    .open(id)
                    .unwrap_or_else(|why| panic!("{own}: {why}"));
                let digest = variant.rule_set.digest().map(str::to_owned);
                (digest, variant.identity())
            })
        };
        let pairs = opened("kind == 'rook' || kind == 'king'")
            .into_iter()
            .zip(opened("kind == 'king'"));
        for (before, after) in pairs {
            assert!(before.0 != after.0 && before.1 != after.1, "{own}");
        }
    }
    // A name that the digest does not have is not opened.
    let hidden = "let.id = 'w\\''\nends = few: mover wins if size(under(id).turns) < 5\n";
    let mut catalog = Catalog::new();
    let added = catalog.add_text(
        "a text",
        &format!("[w':fide-text]\nlegalIf = true\n[t:fide-text]\n{hidden}"),
    );
    assert!(added.is_err() || catalog.open("t").is_err());
}

#[test]
fn games_of_definitions_are_bound_once() {
    let catalog = with_text(
        "[hill:chess]\nflagPiece = k\nflagRegion = d4\n[calm:fide-text]\nlegalIf = !checks\n",
    );
    for id in ["hill", "calm"] {
        let variant = catalog.open(id).expect("a variant");
        for fen in ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "k7/8/8/8/K7 w - - 0 1"] {
            let first = notation::Setup::read(&variant, Some(fen)).expect("a position");
            let second = notation::Setup::read(&variant, Some(fen)).expect("the same position");
            let own = notation::Setup::read(first.variant(), Some(fen)).expect("the same position");
            for other in [&second, &own] {
                let [one, same] = [&first, other].map(|setup| setup.get::<position::Narrow>());
                let (Some(one), Some(same)) = (one, same) else {
                    panic!("a small board");
                };
                assert!(Arc::ptr_eq(&one.game, &same.game), "{id} {fen}");
            }
        }
    }
}
