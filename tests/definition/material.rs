//! The material that a rule set allows: FENs, tables and lists of endings agree on it.

use catalog::Catalog;
use notation::{Setup, with_setup};
use rules::Variant;
use tables::Signature;

/// White's only piece moves like a queen and a knight, and is royal. Black has the usual array.
const LONE: &str = "
[lone:chess]
king = -
commoner = k
amazon = a
customPiece1 = x:K
castling = false
extinctionValue = loss
extinctionPieceTypes = ak
extinctionOpponentPieceCount = 1
promotionPieceTypes = q
startFen = rnbqkbnr/pppppppp/8/8/8/8/8/4A3 w - - 0 1

[one-king:chess]
castling = false
promotionPieceTypes = q
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1

[crowned:one-king]
pieceDrops = true
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/8[K] w - - 0 1

[coroyal:chess]
extinctionValue = loss
extinctionPieceTypes = q
extinctionPseudoRoyal = true
promotionPieceTypes = r

[prisoners:one-king]
capturesToHand = true
pieceDrops = true
";

fn variant(name: &str) -> Variant {
    let mut catalog = Catalog::new();
    catalog.add_text("material.ini", LONE).expect("definitions");
    catalog.open(name).expect("a variant")
}

/// Returns the endings of two units against one, and of one against two.
fn endings(name: &str) -> Vec<String> {
    with_setup!(Setup::read(&variant(name), None).expect("a start"), start => {
        let game = start.game.as_ref();
        let mut all = tables::materials(game, 2, 1);
        all.extend(tables::materials(game, 1, 2));
        all.iter().map(Signature::to_string).collect()
    })
}

/// Returns whether a FEN is read, and whether a signature with the same units is.
fn accepted(name: &str, fen: &str, signature: &str) -> [bool; 2] {
    let variant = variant(name);
    let read = Setup::read(&variant, Some(fen)).is_ok();
    let named = with_setup!(Setup::read(&variant, None).expect("a start"), start => {
        Signature::parse(start.game.as_ref(), signature).is_ok()
    });
    [read, named]
}

#[test]
fn endings_contain_only_units_that_a_side_can_have() {
    let knightmate = endings("knightmate");
    assert!(!knightmate.is_empty());
    for ending in &knightmate {
        let kings = ending.matches('K').count();
        assert!(kings == 2 && !ending.contains('N'), "{ending}");
    }
    for ending in endings("lone") {
        let (white, _) = ending.split_once('v').expect("two sides");
        assert!(white.chars().all(|unit| unit == 'A'), "{ending}");
        assert!(!ending.contains('X'), "{ending}");
    }
    let kingless = |ending: &String| !ending.split('v').next().unwrap_or("").contains('K');
    assert!(endings("one-king").iter().all(kingless));
    assert!(!endings("crowned").iter().all(kingless));
    // Units in hand can be those of the opponent, but a king is never captured.
    let prisoners = endings("prisoners");
    assert!(
        prisoners.iter().any(|ending| ending.starts_with('N')) && prisoners.iter().all(kingless)
    );
    // The last queen is royal, so it is never captured, and kings and queens need two units of each side.
    assert_eq!(endings("coroyal"), [""; 0]);
}

#[test]
fn fens_and_tables_allow_the_same_kings() {
    for (name, fen, signature, allowed) in [
        ("knightmate", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "KRvK", true),
        (
            "knightmate",
            "4q3/8/8/8/8/8/8/R3K3 w - - 0 1",
            "KRvQ",
            false,
        ),
        ("fide", "4q3/8/8/8/8/8/8/R3K3 w - - 0 1", "KRvQ", false),
        ("horde", "4k3/8/8/8/8/8/8/R6Q w - - 0 1", "QRvK", true),
        ("horde", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "KRvK", false),
        ("one-king", "4k3/8/8/8/8/8/8/R6Q w - - 0 1", "QRvK", true),
        ("one-king", "4q3/8/8/8/8/8/8/R6Q w - - 0 1", "QRvQ", false),
        ("one-king", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "KRvK", false),
        ("crowned", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "KRvK", true),
        ("crowned", "4k3/8/8/8/8/8/8/R6Q w - - 0 1", "QRvK", true),
    ] {
        assert_eq!(accepted(name, fen, signature), [allowed; 2], "{name} {fen}");
    }
}
