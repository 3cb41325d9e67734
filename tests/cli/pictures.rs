//! Pictures: SVG of positions, turns and solutions, and where a unit can go.

use crate::run::{answer, file, holds, refusal, run};
use crate::xml;
use fairyproof::catalog::Catalog;
use fairyproof::variants;
use std::collections::BTreeSet;

fn svg(arguments: &[&str]) -> String {
    // A note about the board may stand beside it.
    let told = run(&[arguments, &["--svg", "-"]].concat());
    assert_eq!(told.code, 0, "{told:?}");
    let svg = told.out;
    assert_eq!(xml::fault(&svg, false), None, "{arguments:?}");
    svg
}

/// Returns how many units a picture shows on the board.
fn shown(svg: &str, class: char) -> usize {
    svg.matches(&format!("<use class=\"{class}\"")).count()
}

#[test]
fn every_array_is_drawn_with_all_its_units() {
    for info in variants::all() {
        let fen = answer(&["start", info.id]);
        let board = fen.split(' ').next().expect("a board");
        let svg = svg(&["show", info.id]);
        let count = |is: fn(&char) -> bool| board.chars().filter(is).count();
        assert_eq!(
            shown(&svg, 'w'),
            count(char::is_ascii_uppercase),
            "{}",
            info.id
        );
        assert_eq!(
            shown(&svg, 'b'),
            count(char::is_ascii_lowercase),
            "{}",
            info.id
        );
        holds(&svg, &["<title>", "<desc>", info.name]);
    }
}

#[test]
fn hands_promoted_units_and_checks_left_of_rule_sets_from_files_are_shown() {
    let fen = "4k/1+P3/5/2+b2/K4[Pg] w - - 0 1";
    let drawn = svg(&["show", "minishogi", fen]);
    // A king and a pawn of White with one in hand; a king and a bishop of Black with a gold in hand.
    assert_eq!((shown(&drawn, 'w'), shown(&drawn, 'b')), (3, 3));
    holds(&drawn, &["#u-G", "White: Ka1 +Pb4.", "Black: +Bc2 Ke5."]);
    assert_eq!(drawn.matches(">+</text>").count(), 2, "{drawn}");
    let text = answer(&["show", "minishogi", fen]);
    holds(&text, &["4  .+P . . .", "2  . .+b . .", "in hand: Pg"]);
    holds(&answer(&["show", "3check"]), &["checks left: 3+3"]);
}

/// A piece has the figure of orthodox chess only if it is that piece by name or movement.
#[test]
fn other_pieces_with_orthodox_letters_are_drawn_as_letters() {
    // Of Tori shogi: the pheasant `p` is not a pawn, the quail `r` is not a rook. A piece `n` that leaps like a
    // knight has its figure, whatever its name.
    let tori = "[tori]\nking = k\nshogiPawn = s\ncustomPiece1 = p:bFfD\ncustomPiece2 = r:fFbR\n\
        customPiece3 = n:N\nmaxFile = e\nmaxRank = 5\nstartFen = rpkn1/5/5/5/1NKPR w - - 0 1\n";
    let (_folder, rules) = file(tori);
    let shown = |id: &str| {
        let drawn = svg(&["--rules", &rules, "show", id]);
        let symbols = drawn.split("href=\"#u-").skip(1);
        let symbols: BTreeSet<char> = symbols.filter_map(|rest| rest.chars().next()).collect();
        for symbol in &symbols {
            let defined = drawn.matches(&format!("<g id=\"u-{symbol}\">")).count();
            assert_eq!(defined, 1, "{id}: {symbol}");
        }
        symbols.into_iter().collect::<String>()
    };
    for (id, symbols) in [
        ("tori", "KNpr"),
        // A commoner moves like a king. The king of Knightmate leaps like a knight.
        ("atomic", "BKNPQR"),
        ("knightmate", "BKMPQR"),
        ("shogi", "BGKLNPRS"),
        ("fide", "BKNPQR"),
    ] {
        assert_eq!(shown(id), symbols, "{id}");
    }
    // In texts and descriptions, letters remain what they are.
    holds(
        &svg(&["--rules", &rules, "show", "tori"]),
        &["White: ", "Pd1"],
    );
}

/// Pictures mark as checks what the rules call check.
#[test]
fn pictures_mark_checks_as_the_rules_define_them() {
    for (id, fen, checked, checking) in [
        ("atomic", "8/8/8/8/8/8/pKN5/kN6 b - - 0 1", 0, 0),
        ("spartan-fsf", "k5k1/8/8/8/8/8/R7/4K3 b - - 0 1", 0, 0),
        ("spartan-fsf", "k5k1/8/8/8/8/8/R7/4K1R1 b - - 0 1", 2, 2),
        // An intruder gives check without an attack.
        ("xenophobic", "4k3/8/8/8/8/8/8/K3n3 w - - 0 1", 1, 1),
    ] {
        let drawn = svg(&["show", id, fen, "--marks"]);
        let tints = ["ck", "by"].map(|class| drawn.matches(&format!("class=\"{class}\"")).count());
        assert_eq!(tints, [checked, checking], "{id} {fen}");
        assert_eq!(drawn.matches("is in check.").count(), checked, "{id} {fen}");
    }
}

#[test]
fn holes_cylinder_bound_units_and_large_boards_are_drawn() {
    // Eight files of eight ranks, 24 squares missing: so many squares remain.
    let holes = svg(&["show", "convergent"]);
    assert_eq!(holes.matches("h45v45h-45z").count(), 40);
    let bound = svg(&[
        "show",
        "chromopolis",
        "k6/7/7/7/7/6K w - - 0 1 bound=c3Nn,d3P",
    ]);
    assert_eq!((shown(&bound, 'w'), shown(&bound, 'b')), (3, 2));
    holds(&bound, &["class=\"seam\"", "Bound on c3: Nn."]);
    let large = "k15/16/16/16/16/16/16/15K w - - 0 1";
    assert_eq!(
        svg(&["show", "fide", large]).matches("h45v45h-45z").count(),
        128
    );
    let high = "k3/4/4/4/4/4/4/4/4/4/4/4/4/4/4/3K w - - 0 1";
    holds(&svg(&["show", "fide", high]), &[">16</text>"]);
}

#[test]
fn hands_stand_beside_the_board() {
    let start = answer(&["start", "reentrant"]);
    let fields: Vec<&str> = start.split_whitespace().take(6).collect();
    let fen = format!("{} hand=R/-/-/NP", fields.join(" "));
    holds(
        &svg(&["show", "reentrant", &fen]),
        &[
            "White, left</text>",
            "White, right: –</text>",
            "Black, right</text>",
        ],
    );
}

#[test]
fn last_turn_is_an_arrow_and_check_is_marked_on_request() {
    let marks = |picture: &str| {
        ["ar", "ck", "by", "ro"].map(|class| picture.matches(&format!("class=\"{class}\"")).count())
    };
    let plain = svg(&["show", "fide", "--play", "e2e4 f7f5 d1h5"]);
    assert_eq!(marks(&plain), [1, 0, 0, 0]);
    let picture = svg(&["show", "fide", "--play", "e2e4 f7f5 d1h5", "--marks"]);
    assert_eq!(marks(&picture), [1, 1, 1, 2]);
    // Other rules show which units are royal.
    assert_eq!(marks(&svg(&["show", "bachelor"])), [0, 0, 0, 2]);
    holds(&picture, &["e8 is in check", "Black to move"]);
    holds(
        &refusal(&["show", "fide", "--play", "e2e4 e2e4"]),
        &["turn 2 (`e2e4`)"],
    );
}

#[test]
fn pictures_go_into_a_file_whole() {
    let (folder, _) = file("");
    let path = folder.path().join("board.svg");
    let name = path.to_str().expect("UTF-8");
    assert_eq!(answer(&["show", "fide", "--svg", name]), "");
    let written = std::fs::read_to_string(&path).expect("a picture");
    assert_eq!(written, svg(&["show", "fide"]));
    let nowhere = format!("{name}/x.svg");
    holds(&refusal(&["show", "fide", "--svg", &nowhere]), &["--svg"]);
    holds(
        &refusal(&["show", "fide", "-", "--svg", "-"]),
        &["one position"],
    );
}

#[test]
fn turns_and_keys_are_arrows() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let turns = answer(&["turns", "fide", fen]).lines().count();
    assert_eq!(
        svg(&["turns", "fide", fen]).matches("class=\"ar\"").count(),
        turns
    );
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let key = svg(&["solve", "fide", "--fen", mate, "#1"]);
    assert_eq!(key.matches("class=\"ar\"").count(), 1);
    holds(&key, &["stipulation: #1"]);
}

#[test]
fn marks_of_a_unit_are_letters_in_the_text() {
    // The knight is pinned; the pawn steps, and could capture on the side.
    let fen = "4r1k1/8/8/8/8/8/P3N3/4K3 w - - 0 1";
    let knight = answer(&["show", "fide", fen, "--unit", "e2"]);
    holds(
        &knight,
        &[
            "4  . . .f. .f. . .\n",
            "f: forbidden by a rule: c1 g1 c3 g3 d4 f4\n",
            "c1: forbidden, it leaves the royal unit on e1 attacked from e8\n",
        ],
    );
    let pawn = answer(&["show", "fide", fen, "--unit", "a2"]);
    holds(
        &pawn,
        &[
            "4 g. . . . . . . .\n3 g.c. . . . . . .\n2 >P",
            "g: goes, does not capture: a3 a4\n",
            "c: captures, does not go: b3\n",
        ],
    );
    let king = answer(&["show", "fide", fen, "--unit", "e1"]);
    holds(&king, &["b: goes and captures: d1 f1 d2 f2\n"]);
    // The side that is not to move is looked at as if it were.
    holds(
        &answer(&["show", "fide", fen, "--unit", "g8"]),
        &["Black to move\n", "h8"],
    );
    holds(
        &refusal(&["show", "fide", fen, "--unit", "a3"]),
        &["the square is vacant"],
    );
    holds(
        &refusal(&["show", "fide", fen, "--unit", "z9"]),
        &["no such square"],
    );
}

/// Returns the square at the head of a step, and the rest.
fn square(step: &str) -> Option<(&str, &str)> {
    let digits = step[1..].find(|c: char| !c.is_ascii_digit());
    let end = digits.map_or(step.len(), |at| at + 1);
    let named = step.as_bytes()[0].is_ascii_lowercase() && end > 1;
    named.then(|| step.split_at(end))
}

/// Two ways: the marks by the text of the picture, the targets by the texts of the legal turns.
#[test]
fn marks_are_the_targets_of_the_legal_turns() {
    for info in variants::all() {
        let fen = answer(&["start", info.id]);
        let fen = fen.trim();
        let turns = answer(&["turns", info.id, fen]);
        let steps: BTreeSet<(&str, &str)> = turns
            .lines()
            .flat_map(|turn| turn.split('+'))
            .filter_map(square)
            .filter_map(|(from, rest)| Some((from, square(rest)?.0)))
            .collect();
        // White's units; what a turn does from other squares is not theirs alone.
        let board = fen.split(' ').next().expect("a board");
        let origins: BTreeSet<&str> = steps
            .iter()
            .map(|(from, _)| *from)
            .filter(|from| letter(board, from).is_ascii_uppercase())
            .take(12)
            .collect();
        for from in origins {
            let text = answer(&["show", info.id, fen, "--unit", from]);
            let marked: BTreeSet<&str> = text
                .lines()
                .filter(|line| {
                    ["g: goes", "b: goes"]
                        .iter()
                        .any(|mark| line.starts_with(mark))
                })
                .filter_map(|line| line.rsplit(": ").next())
                .flat_map(|squares| squares.split(' '))
                .collect();
            let targets: BTreeSet<&str> = steps
                .iter()
                .filter(|(unit, to)| *unit == from && letter(board, to) == '.')
                .map(|(_, to)| *to)
                .collect();
            assert_eq!(marked, targets, "{} {from}\n{text}", info.id);
        }
    }
}

/// Returns what stands on a square by the board field of a FEN: a letter, or `.`.
fn letter(board: &str, square: &str) -> char {
    let rank: usize = square[1..].parse().expect("a rank");
    let file = usize::from(square.as_bytes()[0] - b'a');
    let row = board.rsplit('/').nth(rank - 1).expect("a row");
    let (mut cells, mut number) = (String::new(), 0);
    for c in row.chars().chain(['/']) {
        match c.to_digit(10) {
            Some(digit) => number = number * 10 + digit as usize,
            None => {
                cells += &".".repeat(std::mem::take(&mut number));
                cells.push(c);
            }
        }
    }
    cells.chars().nth(file).expect("a square")
}

#[test]
fn the_text_of_a_board_is_the_plain_one() {
    for info in variants::all() {
        let text = answer(&["show", info.id]);
        assert!(!text.contains('\x1b'), "{}", info.id);
        let variant = Catalog::new().open(info.id).expect("a variant");
        let setup = fairyproof::notation::Setup::read(&variant, None).expect("a start");
        let plain = fairyproof::with_setup!(setup, start => {
            fairyproof::notation::board_text::print(start.game.as_ref(), &start.position)
        });
        assert_eq!(text, plain, "{}", info.id);
    }
}

#[test]
fn programs_without_variables_in_style_sheets_show_the_light_appearance() {
    // The start position: four squares, and what covers their middle.
    let drawn = svg(&["show", "fide"]);
    let tree = resvg::usvg::Tree::from_str(&drawn, &resvg::usvg::Options::default())
        .expect("a well-formed picture");
    let size = tree.size().to_int_size();
    let mut pixels =
        resvg::tiny_skia::Pixmap::new(size.width(), size.height()).expect("room for pixels");
    resvg::render(
        &tree,
        resvg::tiny_skia::Transform::default(),
        &mut pixels.as_mut(),
    );
    // Files and ranks are counted from 0; squares have 45 pixels, 22 left and 8 above the board.
    let color = |file: u32, rank: u32| {
        let pixel = pixels.pixel(22 + 45 * file + 22, 8 + 45 * (7 - rank) + 30);
        let color = pixel.expect("on the picture").demultiply();
        (color.red(), color.green(), color.blue())
    };
    assert_eq!(color(3, 3), (0xc3, 0x9c, 0x6e), "d4, dark");
    assert_eq!(color(4, 3), (0xf0, 0xe2, 0xc8), "e4, light");
    assert_eq!(color(4, 1), (0xff, 0xff, 0xff), "e2, a white pawn");
    assert_eq!(color(4, 6), (0x24, 0x27, 0x2c), "e7, a black pawn");
}
