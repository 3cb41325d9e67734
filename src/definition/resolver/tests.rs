use super::*;
use crate::{PieceSet, Value};

fn findings(text: &str) -> Vec<String> {
    let book = read(text.as_bytes(), &NoneCompiled);
    book.findings.iter().map(|f| f.line().to_string()).collect()
}

fn definition(text: &str) -> Definition {
    let book = read(text.as_bytes(), &NoneCompiled);
    assert!(!book.has_errors(), "{:#?}", book.findings);
    book.definitions().last().unwrap().clone()
}

#[test]
fn every_definition_of_the_library_is_without_errors() {
    let book = library();
    let errors: Vec<_> = (book.findings.iter())
        .filter(|f| f.severity == Severity::Error)
        .map(|f| f.line().to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(book.definitions().count() >= 60);
    assert_eq!(book.definitions().count(), book.sections.len());
}

#[test]
fn chess_is_the_root_and_the_empty_section_has_no_pieces() {
    let chess = definition("[a:chess]\n");
    assert_eq!(chess.pieces.len(), 6);
    assert_eq!(chess.promotion.choices[0].len(), 4);
    assert_eq!(chess.promotion.region, [0xff << 56, 0xff]);
    assert_eq!(chess.pawns.double_step, [0xff00, 0xff << 48]);
    assert_eq!(chess.checks.king, chess.named("king"));
    assert_eq!(definition("[a:fide]\n").pieces, chess.pieces);
    let found = findings("[a]\n");
    assert!(found[0].contains("no pieces") || found.iter().any(|f| f.contains("no pieces")));
}

#[test]
fn children_inherit_kinds_by_name_not_by_letter() {
    let text = "[a:chess]\nstartFen = 8/8/8/8/8/8/8/8 w - - 0 1\nking = -\ncommoner = k\n\
                extinctionValue = loss\nextinctionPieceTypes = q\n[b:a]\nqueen = d\n";
    let child = definition(text);
    let queen = child.piece_of(b'd').unwrap();
    assert_eq!(child.extinction.types, PieceSet::one(queen));
    assert_eq!(child.extinction.value, Some(Value::Loss));
    // As in the format, pawns cannot become a piece that is given its own letter again.
    assert!(child.promotion.choices[0].has(queen));
    let again = definition("[a:chess]\nqueen = q\n");
    assert!(!again.promotion.choices[0].has(again.piece_of(b'q').unwrap()));
}

#[test]
fn parents_may_stand_behind_their_children_and_cycles_are_found() {
    let child = definition("[b:a]\ncheckCounting = true\n[a:chess]\ncastling = false\n[c:b]\n");
    assert!(!child.castling.enabled && child.checks.counting);
    let found = findings("[a:b]\n[b:c]\n[c:a]\n[d:d]\n");
    assert!(
        found.iter().any(|f| f.contains("parent of itself")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|f| f.starts_with("4:4") && f.contains("`d` is a parent of itself"))
    );
    assert_eq!(found.len(), 4);
}

#[test]
fn a_long_chain_of_parents_is_refused() {
    let text: String = (0..2_000).map(|i| format!("[a{i}:a{}]\n", i + 1)).collect();
    let found = findings(&text);
    assert!(found.iter().any(|f| f.contains("more than 64 parents")));
}

/// Lines with wrong values, each with a part of the finding.
const WRONG_VALUES: &[(&str, &str)] = &[
    (
        "casteling = false",
        "2:1: error: [a] there is no key `casteling`; did you mean `castling`?",
    ),
    (
        "Castling = false",
        "2:1: error: [a] there is no key `Castling`; did you mean `castling`?",
    ),
    (
        "castling = no",
        "2:12: error: [a] `castling` takes `true` or `false`, not `no`",
    ),
    (
        "castling = TRUE",
        "2:12: error: [a] `castling` takes `true` or `false`, not `TRUE`; write it in lower case",
    ),
    ("castling = false # none", "a comment has a line of its own"),
    (
        "maxRank = 17",
        "2:11: error: [a] `maxRank` takes a rank from 1 to 16, not `17`",
    ),
    ("maxFile = z", "2:11: error: [a] `maxFile` takes a file"),
    (
        "flagRegion = d4 x99 e5",
        "2:17: error: [a] `flagRegion`: `x99` is not a square",
    ),
    (
        "flagPiece = z",
        "2:13: error: [a] no piece has the letter `z`; the pieces have the letters bknpqr",
    ),
    (
        "promotionPieceTypes = nbx",
        "2:25: error: [a] no piece has the letter `x`",
    ),
    (
        "stalemateValue = lose",
        "`stalemateValue` takes `win`, `loss` or `draw`, not `lose`",
    ),
    ("extinctionPieceCount = 300", "a number from 0 to 255"),
    ("wallingRule = ducks", "did you mean `duck`?"),
    (
        "promotionLimit = q:x",
        "2:18: error: [a] `promotionLimit` takes letters with numbers",
    ),
    ("promotedPieceType = p:z", "no piece has the letter `z`"),
    ("customPiece1 = x", "`customPiece1` lacks its movement"),
    (
        "customPiece1 = x:Wy",
        "2:19: error: [a] `customPiece1`: the modifier `y` is not supported",
    ),
    ("customPiece1 = xy", "not a single letter"),
    ("customPiece1 = 1", "takes the letter of the piece"),
    (
        "knight = n:NN",
        "2:10: warning: [a] the movement of `knight` is fixed",
    ),
    ("checkCounting = true\nchecking = false", "contradicts"),
    (
        "blastOnCapture = true",
        "excludes a royal `king`; make it a common piece",
    ),
    ("castlingQueensideFile = h", "is to the right"),
    ("seirawanGating = true", "need `gating = true`"),
    (
        "maxFile = 16\nmaxRank = 16",
        "2:11: error: [a] a board of 16x16 squares is too large",
    ),
    (
        "maxFile = 10",
        "2:11: error: [a] `startFen`: rank 8 has 8 squares, the board 10 files",
    ),
    (
        "maxRank = 10",
        "2:11: error: [a] `startFen` has 8 rows, the board 10 ranks",
    ),
    (
        "startFen = 8/8/8/8/8/8/8/7x w - - 0 1",
        "2:12: error: [a] `startFen` has the letter `x`",
    ),
    (
        "startFen = 8/8/8/8/8/8/8/7% w - - 0 1",
        "`%` has no meaning on the board",
    ),
    (
        "startFen = k3R3/8/8/8/8/8/8/K3r3 w - - 0 1",
        "both kings are in check",
    ),
    (
        "startFen = k3R3/8/8/8/8/8/8/K7 w - - 0 1",
        "Black is in check in the start position, and not to move",
    ),
    (
        "startFen = kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "Black starts with 2 royal kings",
    ),
    (
        "king = -\nstartFen = 8/8/8/8/8/8/8/7P w - - 0 1",
        "the variant has no goal",
    ),
    ("customPiece1 = x:", "`customPiece1` (X) has no moves"),
    (
        "nFoldRule = 4",
        "2:1: note: [a] `nFoldRule` is left out: positions here have no past",
    ),
    ("promotionPieceTypes = -", "pawns have nothing to become"),
    (
        "promotionRank = 7",
        "2:1: warning: [a] `promotionRank` is an old name",
    ),
    (
        "queen = q",
        "2:9: warning: [a] `queen` has the letter `q` already: as in Fairy-Stockfish, giving it again \
             removes the piece from `promotionPieceTypes`, so that pawns no longer become it; \
             `promotionPieceTypes` gives",
    ),
    (
        "customPiece1 = q:QN",
        "1:2: warning: [a] the letter of `queen` is given to another piece: `queen` leaves the variant",
    ),
    (
        "extinctionValue = loss\nextinctionPieceTypes = q\n[b:a]\nqueen = -",
        "4:2: warning: [b] `extinctionPieceTypes` names `queen`, which the variant does not have: it is \
             ignored here, but in Fairy-Stockfish both sides have lost it",
    ),
    (
        "promotionPieceTypes = qk",
        "2:23: error: [a] `promotionPieceTypes` names the royal `king`, but a side has exactly one",
    ),
    (
        "promotionPieceTypesBlack = k",
        "2:28: error: [a] `promotionPieceTypes` names the royal `king`",
    ),
    (
        "pawnTypes = pk",
        "2:13: error: [a] `promotionPawnTypes` names the royal `king`, which never promotes",
    ),
    (
        "castlingRookPieces = k",
        "2:22: error: [a] `castlingRookPieces` names the royal `king`, which cannot castle with itself",
    ),
    (
        "promotedPieceType = n:k",
        "2:21: error: [a] `promotedPieceType` makes `knight` a royal `king`, but a side has exactly one",
    ),
    (
        "promotedPieceType = k:q",
        "2:21: error: [a] `promotedPieceType` promotes the royal `king`, but a side always has one",
    ),
    (
        "promotedPieceType = n:r b:b",
        "2:21: error: [a] `promotedPieceType` makes `bishop` become `bishop`; leave it out",
    ),
    (
        "castling = false\n[b:minishogi]\ncustomPiece1 = d:NF",
        "3:2: warning: [b] `promotedPieceType` makes `rook` become `bers`, which the variant does not have",
    ),
    ("dupleCheck = true", "has no effect"),
    ("extinctionValue = loss", "nothing runs out"),
    ("capturesToHand = true", "nothing is ever dropped"),
];

#[test]
fn each_kind_of_wrong_value_is_told_with_place_and_help() {
    for (line, expected) in WRONG_VALUES {
        let found = findings(&format!("[a:chess]\n{line}\n"));
        assert!(
            found.iter().any(|f| f.contains(expected)),
            "{line}: {found:#?}"
        );
    }
}

#[test]
fn all_pieces_promote_and_castle_except_the_royal_king() {
    let keys = "promotionPawnTypes = *\npromotionPieceTypes = *\ncastlingRookPieces = *\n";
    let listed = |text: &str, letter: u8| {
        let d = definition(text);
        let piece = d.piece_of(letter).expect("a piece");
        let lists = [d.promotion.pawns, d.promotion.choices, d.castling.rooks];
        lists.map(|sides| sides.map(|list| list.has(piece)))
    };
    let royal = format!("[a:chess]\n{keys}");
    assert_eq!(listed(&royal, b'k'), [[false; 2]; 3]);
    assert_eq!(listed(&royal, b'n'), [[true; 2]; 3]);
    let common = format!(
        "{royal}king = -\ncommoner = k\nextinctionValue = loss\nextinctionPieceTypes = k\n"
    );
    assert_eq!(listed(&common, b'k'), [[true; 2]; 3]);
}

#[test]
fn names_of_compiled_rule_sets_and_roots_are_refused() {
    struct Three;
    impl Compiled for Three {
        fn has(&self, name: &str) -> bool {
            ["bachelor", "zoo", "spartan"].contains(&name)
        }
        fn lent(&self, name: &str) -> Option<Lent> {
            self.has(name).then(|| Lent {
                board: Geometry::new(4, 3, 1 << 5, true).unwrap(),
                start_fen: "k3/1*2/3K b KQkq - x=1 0 1".into(),
            })
        }
    }
    for (text, why) in [
        (
            "[a:chess]\n[bachelor:chess]\n",
            "2:2: error: `bachelor` is the name of a compiled rule set; choose another name",
        ),
        (
            "[a:chess]\n[chess]\nking = k\n",
            "2:2: error: `chess` is a name of orthodox chess; choose another name",
        ),
        (
            "[a:chess]\n[fide:chess]\n",
            "2:2: error: `fide` is a name of orthodox chess; choose another name",
        ),
    ] {
        let book = read(text.as_bytes(), &Three);
        let error = book.error_outside_sections().expect("an error");
        assert_eq!(error.line().to_string(), why);
        // The file is unusable.
        assert_eq!(book.definitions().count(), 0);
    }
    let book = read(b"[c:zoo]\n[kingofthehill:chess]\n", &Three);
    let found: Vec<_> = book.findings.iter().map(|f| f.line().to_string()).collect();
    assert!(
        found
            .iter()
            .any(|f| f.contains("its board and array are taken"))
    );
    assert!(
        found
            .iter()
            .any(|f| f.contains("replaces the known variant of that name"))
    );
    let book_of_two = read(b"[a:spartan-fsf]\n[b:spartan]\n", &Three);
    let names: Vec<_> = book_of_two.definitions().map(|d| d.pieces.len()).collect();
    assert_eq!(names, [11, 6]);
    let lent = &book.sections[0].definition.as_ref().unwrap();
    assert_eq!(lent.board, Geometry::new(4, 3, 1 << 5, true).unwrap());
    assert_eq!(lent.start_fen, "k3/1*2/3K b - - 0 1");
}

#[test]
fn sections_of_earlier_files_may_be_parents() {
    let earlier = read(b"[one:chess]\ncastling = false\n", &NoneCompiled);
    let sections: Vec<Section> = earlier.sections.iter().map(|s| s.section.clone()).collect();
    let book = read_after(
        b"[two:one]\n[three:two]\n[four:atomic]\n",
        &[sections],
        &NoneCompiled,
    );
    assert!(book.findings.is_empty(), "{:?}", book.findings);
    let castling: Vec<bool> = book.definitions().map(|d| d.castling.enabled).collect();
    assert_eq!(castling, [false, false, true]);
}

#[test]
fn sections_mean_the_same_in_later_files() {
    let sections = |text: &str, earlier: &[Vec<Section>]| -> Vec<Section> {
        let book = read_after(text.as_bytes(), earlier, &NoneCompiled);
        assert!(!book.has_errors(), "{:?}", book.findings);
        book.sections.into_iter().map(|s| s.section).collect()
    };
    // The second file replaces the parent from the library with a section that has the library's variant as
    // its parent.
    let one = sections("[a:atomic]\n", &[]);
    let two = sections(
        "[atomic:atomic]\nblastOnCapture = false\n",
        std::slice::from_ref(&one),
    );
    let text = "[b:a]\n[c:atomic]\n[d:nocheckatomic]\n[nocheckatomic:chess]\n";
    let book = read_after(text.as_bytes(), &[one, two], &NoneCompiled);
    let blasts: Vec<bool> = book.definitions().map(|d| d.captures.blast).collect();
    assert_eq!(blasts, [true, false, false, false], "{:?}", book.findings);
    let replaced = read_after(
        b"[e:atomic]\n",
        &[sections("[nocheckatomic:chess]\n", &[])],
        &NoneCompiled,
    );
    assert!(replaced.definitions().all(|d| d.captures.blast));
    assert_eq!(replaced.definitions().count(), 1);
}

#[test]
fn errors_of_earlier_files_are_reported_at_the_child() {
    let earlier = "[a:none]\n[b:chess]\ncasteling = true\n[c:b]\n[d:chess]\nx\n";
    let earlier = read(earlier.as_bytes(), &NoneCompiled).sections;
    let earlier: Vec<Section> = earlier.into_iter().map(|s| s.section).collect();
    let book = read_after(b"[p:a]\n[q:c]\n[r:q]\n[s:d]\n", &[earlier], &NoneCompiled);
    assert_eq!(book.definitions().count(), 0);
    let found: Vec<_> = book.findings.iter().map(|f| f.line().to_string()).collect();
    let in_b = "the first in line 3 of an earlier file: there is no key `casteling`";
    assert_eq!(
        found,
        [
            "1:4: error: [p] the parent `a` has errors, the first in line 1 of an earlier file: \
             there is no variant `none` to be a parent"
                .to_owned(),
            format!("2:4: error: [q] the parent `c` has errors, {in_b}"),
            format!("3:4: error: [r] the parent `q` has errors, {in_b}"),
            "4:4: error: [s] the parent `d` has errors, the first in section `d` of an earlier file: \
             an unreadable line"
                .to_owned(),
        ]
    );
}

#[test]
fn contradictions_of_a_parent_may_be_mended() {
    let text = "[base]\npawn = p\nking = k\n[a:base]\nstartFen = k7/8/8/8/8/8/8/K7 w - - 0 1\n";
    let book = read(text.as_bytes(), &NoneCompiled);
    assert!(book.sections[0].definition.is_none());
    assert!(book.sections[1].definition.is_some(), "{:?}", book.findings);
}

#[test]
fn similar_names_are_looked_up_for_few_errors() {
    let text: String = (0..50)
        .map(|i| format!("[a{i}:ches]\n[b{i}:chess]\nc{i}astling = true\ncasteling = true\n"))
        .collect();
    let book = read(text.as_bytes(), &NoneCompiled);
    let suggested = (book.findings.iter()).filter(|f| {
        f.help
            .as_ref()
            .is_some_and(|h| h.starts_with("did you mean"))
    });
    assert_eq!(suggested.count(), MAX_SUGGESTIONS);
    assert_eq!(book.findings.len(), 150);
}

#[test]
fn sections_without_a_parent_are_looked_at_as_far_as_that_goes() {
    let text = "[a:none]\nfoo = 3\nmaxRank = 20\nflagPiece = z\ncustomPiece1 = z:Y\n\
                [b:a]\nchecking = maybe\n[c:c]\nstalemateValue = x\n";
    let book = read(text.as_bytes(), &NoneCompiled);
    let at: Vec<_> = (book.findings.iter())
        .filter_map(|f| f.position())
        .map(|place| (place.line, place.column))
        .collect();
    // The parent is unknown and might have a piece with the letter `z`, so that letter is not an error.
    let places = [
        (1, 4),
        (2, 1),
        (3, 11),
        (5, 18),
        (6, 4),
        (7, 12),
        (8, 4),
        (9, 18),
    ];
    assert_eq!(at, places, "{:?}", book.findings);
    assert_eq!(book.definitions().count(), 0);
}

#[test]
fn refused_keys_take_the_definition_back_and_point_at_their_line() {
    let text = "[a:chess]\ncastling = false\nwallingRule = duck\n[b:a]\n";
    let mut book = read(text.as_bytes(), &NoneCompiled);
    assert_eq!(book.definitions().count(), 2);
    book.refuse("a", "wallingRule", "no walls");
    book.refuse("b", "wallingRule", "no walls");
    let found: Vec<_> = book.findings.iter().map(|f| f.line().to_string()).collect();
    assert_eq!(
        found,
        [
            "3:1: error: [a] `wallingRule` is known but not supported: no walls",
            "4:2: error: [b] `wallingRule` is known but not supported: no walls",
        ]
    );
    assert_eq!(book.definitions().count(), 0);
}

#[test]
fn old_names_mean_what_they_meant() {
    let old = definition(
        "[a:chess]\npromotionRank = 7\ndoubleStepRank = 3\nwhiteFlag = e4\nflagPiece = k\n",
    );
    assert_eq!(old.promotion.region, [0xffff << 48, 0xffff]);
    assert_eq!(old.pawns.double_step, [0xffff00, 0xffff << 40]);
    assert_eq!(old.flag.region, [1 << 28, 0]);
}

#[test]
fn en_passant_in_a_movement_makes_its_piece_capture_so() {
    let a = definition("[a:chess]\ncustomPiece1 = x:fmWfceF\n");
    let x = a.piece_of(b'x').unwrap();
    assert!(a.en_passant.types.iter().all(|set| set.has(x)));
    assert_eq!(a.promotion.main_pawn, [a.named("pawn"); 2]);
    let b = definition("[a:chess]\ncustomPiece1 = x:fmW\npromotionPawnTypes = px\n");
    assert_eq!(b.promotion.main_pawn, [b.piece_of(b'x'); 2]);
}

#[test]
fn pieces_that_the_section_says_to_remove_are_not_reported() {
    for keys in [
        "queen = -",
        "queen = q\npromotionPieceTypes = qn",
        "queen = d",
        "archbishop = a",
    ] {
        let found = findings(&format!(
            "[a:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n{keys}\n"
        ));
        assert!(
            found.iter().all(|f| !f.contains("no longer")),
            "{keys}: {found:?}"
        );
    }
}

#[test]
fn blanks_around_the_colons_of_pairs_change_nothing() {
    let limits = |value: &str| {
        let read = definition(&format!("[a:chess]\npromotionLimit = {value}\n"));
        read.promotion.limits
    };
    assert_eq!(limits("q : 1 r:2"), limits("q:1 r:2"));
    assert_eq!(limits("q :1 r: 2"), limits("q:1 r:2"));
    let found = findings("[a:chess]\npromotionLimit = q 1\n");
    assert!(found[0].contains("takes letters with numbers"), "{found:?}");
}

#[test]
fn rights_of_rooks_off_the_corners_exclude_rights_by_drops() {
    let refusals = |start: &str| {
        let keys = "pieceDrops = true\ncastlingDroppedPiece = true\ncastlingRookKingsideFile = g";
        let read = definition(&format!("[a:chess]\n{keys}\nstartFen = {start}\n"));
        read.refusals()
            .iter()
            .map(|refusal| refusal.key)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        refusals("4k3/8/8/8/8/8/8/4K1R1[R] w K - 0 1"),
        ["castlingDroppedPiece"]
    );
    assert_eq!(
        refusals("4k3/8/8/8/8/8/8/3K3R[R] w K - 0 1"),
        ["castlingDroppedPiece"]
    );
    assert_eq!(refusals("4k3/8/8/8/8/8/8/4K1R1[R] w - - 0 1"), [""; 0]);
    assert_eq!(refusals("4k2r/8/8/8/8/8/8/4K2R[R] w Kk - 0 1"), [""; 0]);
}

#[test]
fn children_with_another_board_inherit_regions_by_their_meaning() {
    let parent = "[hill:chess]\ncastling = false\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n";
    let small = "[small:hill]\nmaxFile = f\nmaxRank = 6\nstartFen = 3k2/6/6/6/6/3K2 w - - 0 1\n";
    let written = "[written:chess]\ncastling = false\nflagPiece = k\nmaxFile = f\nmaxRank = 6\n\
                   startFen = 3k2/6/6/6/6/3K2 w - - 0 1\nflagRegion = c3 d3 c4 d4\n\
                   promotionRegionWhite = *6\npromotionRegionBlack = *1\n\
                   doubleStepRegionWhite = *2\ndoubleStepRegionBlack = *5\n";
    let text = format!("{parent}{small}{written}");
    let book = read(text.as_bytes(), &NoneCompiled);
    let definitions: Vec<Definition> = book.definitions().cloned().collect();
    let [_, inherited, written] = &definitions[..] else {
        panic!("{:#?}", book.findings);
    };
    let mut inherited = inherited.clone();
    inherited.name.clone_from(&written.name);
    inherited.parent.clone_from(&written.parent);
    inherited.written.clone_from(&written.written);
    assert_eq!(inherited, *written);
    let warnings: Vec<&str> = book.findings.iter().map(|f| f.why.as_str()).collect();
    let [warning] = warnings[..] else {
        panic!("{warnings:?}");
    };
    for words in [
        "unlike in Fairy-Stockfish",
        "`promotionRegionWhite = *8` becomes `*6`",
        "`flagRegionBlack = d4 e4 d5 e5` becomes `c3 d3 c4 d4`",
    ] {
        assert!(warning.contains(words), "{words}: {warning}");
    }
}

#[test]
fn regions_of_a_parent_without_meaning_on_the_board_must_be_written() {
    let parent =
        "[diagonal:chess]\ncastling = false\nflagPiece = k\nflagRegion = a1 b2 c3 d4 e5 f6 g7 h8\n";
    let board = "maxFile = f\nmaxRank = 6\nstartFen = 3k2/6/6/6/6/3K2 w - - 0 1\n";
    let text = format!(
        "{parent}[small:diagonal]\n{board}[mended:diagonal]\n{board}flagRegion = a1 b2 c3 d4 e5 f6\n"
    );
    let book = read(text.as_bytes(), &NoneCompiled);
    let names: Vec<&str> = book.definitions().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["diagonal", "mended"]);
    let errors = book
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Error);
    let errors: Vec<String> = errors
        .map(|f| format!("{} {}", f.why, f.help.clone().unwrap_or_default()))
        .collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors[0].contains("of the parent's board of 8x8 has no meaning on 6x6")
            && errors[0].contains("write `flagRegionWhite`"),
        "{errors:?}"
    );
}

#[test]
fn children_of_chess_may_have_one_rank() {
    for (ranks, start, promotion) in [(1, "kr2RK", 0), (2, "kr2RK/6", 0xfc0)] {
        let text = format!(
            "[low:chess]\nmaxFile = 6\nmaxRank = {ranks}\ncastling = false\nstartFen = {start} w - - 0 1\n"
        );
        let book = read(text.as_bytes(), &NoneCompiled);
        let errors: Vec<&str> = (book.findings.iter())
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.why.as_str())
            .collect();
        assert_eq!(errors, Vec::<&str>::new());
        let low = book.definitions().next().expect("a definition");
        assert_eq!(low.pawns.double_step, [0, 0]);
        assert_eq!(low.promotion.region[0], promotion, "{ranks}");
    }
}

#[test]
fn sections_without_a_parent_have_regions_as_written() {
    let text = "[own]\npawn = p\nking = k\ncastling = false\nmaxRank = 6\n\
                startFen = 4k3/8/8/8/8/4K3 w - - 0 1\n";
    let book = read(text.as_bytes(), &NoneCompiled);
    let definition = book.definitions().next().expect("a definition");
    assert_eq!(definition.promotion.region, [0, 0xff]);
}

#[test]
fn text_after_the_dash_of_a_piece_is_reported() {
    let of = |value: &str| findings(&format!("[a:chess]\ncannon = {value}\n"));
    assert_eq!(of("-"), Vec::<String>::new());
    for value in ["-c", "- c", "-\0"] {
        let found = of(value);
        assert_eq!(found.len(), 1, "{value:?}: {found:?}");
        assert!(found[0].contains("after the `-` of `cannon`"), "{found:?}");
    }
}

#[test]
fn rule_texts_have_no_errors() {
    let book = texts();
    let errors = book
        .findings
        .iter()
        .filter(|f| f.severity == Severity::Error);
    let lines: Vec<String> = errors.map(|f| format!("{} {}", f.what, f.line())).collect();
    assert_eq!(lines, Vec::<String>::new());
}
