//! Where the text of the format is silent and its own program was asked: definitions, positions, and the
//! counts that it gives; and its manner of writing positions.

use naive::defined::Library;
use notation::{Setup, fen, with_setup};

/// Definitions that were once counted otherwise.
const JUDGED: &str = "
# What a kind turns into by itself is royal, or makes others so, only after the turn.
[heirs:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
extinctionPseudoRoyal = true
promotionPieceTypes = -
promotedPieceType = q:k r:k b:k n:k
promotionRegionWhite = *7 *8
promotionRegionBlack = *1 *2

# A royal rook does not castle.
[royal-rook:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = kr
extinctionPseudoRoyal = true

# A hole is a hurdle.
[wall-cannon:chess]
cannon = c
startFen = rnbqkbnr/pppppppp/8/3*4/4*3/8/PPPPPPPP/RCBQKBCR w KQkq - 0 1

# Only a king that may step there runs to the flag.
[hungry-race:chess]
castling = false
checking = false
mustCapture = true
flagPiece = k
flagRegion = *8
flagMove = true
startFen = 8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1

# What is dropped is royal by what it stands as.
[royal-heir:chess]
king = -
wazir = k
castling = false
pieceDrops = true
dropPromoted = true
extinctionValue = loss
extinctionPieceTypes = k
extinctionPseudoRoyal = true
promotedPieceType = n:k
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[NNnn] w - - 0 1

# The last unit of all is royal, but what is dropped is not for that.
[last-of-all:chess]
king = -
commoner = k
castling = false
pieceDrops = true
extinctionValue = loss
extinctionPieceTypes = *
extinctionPseudoRoyal = true
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w - - 0 1
";

/// Positions, with how many lines of one turn, two turns ... there are.
type Counts = [(&'static str, &'static [u64])];

/// The counts in positions of each rule set.
const COUNTS: &[(&str, &Counts)] = &[
    (
        "heirs",
        &[
            ("4k3/8/8/8/8/8/1b6/R3K2r w Q - 0 1", &[3, 153, 2612]),
            ("4k3/8/8/8/4R3/4K3/1b6/R1B4r b - - 0 1", &[6, 176, 6524]),
        ],
    ),
    (
        "royal-rook",
        &[("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", &[15, 182, 2707])],
    ),
    (
        "wall-cannon",
        &[
            (
                "3qk3/3p4/8/3*4/4*3/4p3/4C3/3CK3 w - - 0 1",
                &[15, 220, 3700],
            ),
            ("3qk3/3pC3/8/3*4/4*3/4p3/8/3CK3 b - - 0 1", &[12, 161, 2939]),
        ],
    ),
    (
        "hungry-race",
        &[
            ("6K1/k7/8/8/1q6/8/8/4R3 b - - 0 1", &[0]),
            ("6K1/k7/8/1Q6/8/8/8/q7 b - - 0 1", &[16, 0]),
        ],
    ),
    (
        "royal-heir",
        &[
            ("3k4/8/8/8/8/8/8/3K3R[Nn] b - - 0 1", &[113, 13698]),
            ("8/8/8/8/8/8/8/3K3R[Nn] b - - 0 1", &[112, 14062]),
        ],
    ),
    (
        "last-of-all",
        &[("4k3/8/8/8/8/8/8/R3K3[n] b - - 0 1", &[66, 966])],
    ),
];

#[test]
fn counts_are_those_of_the_program_where_the_format_is_silent() {
    let book = definition::read(JUDGED.as_bytes(), &definition::NoneCompiled);
    assert!(!book.has_errors(), "{:?}", book.findings);
    let naive = Library::read(JUDGED).unwrap_or_else(|why| panic!("{why}"));
    let mut wrong = Vec::new();
    for (name, positions) in COUNTS {
        let found = book.definitions().find(|d| d.name == *name);
        let variant = interpreter::open(found.expect("a definition").clone()).expect("a variant");
        for (text, counts) in *positions {
            let setup =
                Setup::read(&variant, Some(text)).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
            let state = naive
                .game(name)
                .expect("a game")
                .read(text)
                .expect("a position");
            for (nodes, depth) in counts.iter().zip(1..) {
                let counted =
                    with_setup!(&setup, start => start.game.as_ref().perft(&start.position, depth));
                let slowly = state.perft(depth);
                if [counted, slowly] != [*nodes; 2] {
                    wrong.push(format!(
                        "{name} {text} {depth}: {nodes}, not {counted} and {slowly}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A variant of the library, a position as the format's own program reads it, and as it writes it.
const FENS: &[(&str, &str, &str)] = &[
    // Checks left stand behind en passant, those given of three at the end; left out, the next one wins.
    (
        "3check",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR b KQkq - 0 1 +2+1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR b KQkq - 1+2 0 1",
    ),
    (
        "3check",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+1 0 1",
    ),
    // Hands in brackets, or as one more rank.
    (
        "crazyhouse",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR/Qn w KQkq - 0 1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR[Qn] w KQkq - 0 1",
    ),
    (
        "crazyhouse",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR/ w KQkq - 0 1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR[] w KQkq - 0 1",
    ),
    (
        "crazyhouse",
        "rnb1kb1r/ppppp1pp/8/8/8/5Q~2/PPPPP1PP/RNB1KBNR[nQ] w KQkq - 3 9",
        "rnb1kb1r/ppppp1pp/8/8/8/5Q~2/PPPPP1PP/RNB1KBNR[Qn] w KQkq - 3 9",
    ),
    (
        "shogi",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPP+p1/1B5R1/LNSGKGSNL[-] w 0 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPP+p1/1B5R1/LNSGKGSNL[] w - - 0 1",
    ),
    // A limit of moves stands for en passant; positions here count none.
    (
        "makruk",
        "8/8/3k4/8/8/3K4/4R3/8 w - 16 4 30",
        "8/8/3k4/8/8/3K4/4R3/8 w - - 4 30",
    ),
    (
        "makruk",
        "8/8/3k4/8/8/3K4/4R3/8 w",
        "8/8/3k4/8/8/3K4/4R3/8 w - - 0 1",
    ),
    // That program leaves castling empty where only gates are left that nothing can enter.
    (
        "breakthrough",
        "8/8/p7/8/8/P7/8/8 w  - 0 1",
        "8/8/p7/8/8/P7/8/8 w - - 0 1",
    ),
    // Units that have not moved stand among the rights, each side's together.
    (
        "seirawan",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[EHeh] w KQBCDFGkqbcdfg - 0 1",
    ),
    (
        "seirawan",
        "rnbqkb1r/pppppppp/5n2/8/8/2N5/PPPPPPPP/RHBQKBNR[Ehe] w KQCDFGkqbcdf - 2 2",
        "rnbqkb1r/pppppppp/5n2/8/8/2N5/PPPPPPPP/RHBQKBNR[Eeh] w KQCDFGkqbcdf - 2 2",
    ),
    (
        "torpedo",
        "rnbqkbnr/p1pppppp/8/8/Pp6/8/1PPPPPPP/RNBQKBNR b KQkq a3 0 1",
        "rnbqkbnr/p1pppppp/8/8/Pp6/8/1PPPPPPP/RNBQKBNR b KQkq a3 0 1",
    ),
];

#[test]
fn positions_are_read_and_written_as_by_the_formats_own_program() {
    let book = definition::library();
    for (name, text, printed) in FENS {
        let found = book.definitions().find(|d| d.name == *name);
        let variant = interpreter::open(found.expect("a definition").clone()).expect("a variant");
        for text in [text, printed] {
            let setup =
                Setup::read(&variant, Some(text)).unwrap_or_else(|e| panic!("{name} {text}: {e}"));
            let again =
                with_setup!(&setup, start => fen::print(start.game.as_ref(), &start.position));
            assert_eq!(again, *printed, "{name} {text}");
        }
    }
}
