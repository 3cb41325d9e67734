//! Claims about Chromopolis (The Chess Variant Pages).

use super::{Claim, Effort, Evidence, Finding, opened};
use board::{Board, Color, Geometry, Kind, Men, Square, Squares};
use explore::StepGraph;
use notation::{Setup, Start};
use position::{NarrowBound, Position};
use rules::with_turns;
use variants::chromopolis::{ADVOCATE, PRELATE, force};

const PAGE: &str = "Chromopolis, The Chess Variant Pages";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "chromopolis/squares",
        source: PAGE,
        claim: "the board has 40 squares, 44 where the a-file is drawn on both sides",
        check: squares,
    },
    Claim {
        id: "chromopolis/colours",
        source: PAGE,
        claim: "on a cylinder with an odd number of files colorbound units change color",
        check: colors,
    },
    Claim {
        id: "chromopolis/dominance",
        source: PAGE,
        claim: "on squares of two colors advocates dominate prelates on their color, and prelates \
                advocates on the other",
        check: dominance,
    },
    Claim {
        id: "chromopolis/pawn-file",
        source: PAGE,
        claim: "pawns never leave their file, and none from the array gets stuck on the a-file",
        check: pawn_file,
    },
];

/// Returns the game at its start.
fn start() -> Start<NarrowBound> {
    match opened("chromopolis", None) {
        Setup::NarrowBound(start) => start,
        _ => unreachable!("forty-two squares are narrow"),
    }
}

fn squares(_: &Effort) -> Finding {
    let start = start();
    let board = start.game.board();
    let geometry = board.geometry();
    let mut evidence = Evidence::new(&["file", "squares", "times_drawn"]);
    let mut drawn = 0;
    for file in 0..geometry.files() {
        let n = board
            .squares()
            .iter()
            .filter(|&s| geometry.file(s) == file)
            .count();
        let times = if file == 0 { 2 } else { 1 };
        drawn += n * times;
        let letter = (b'a' + file) as char;
        evidence.row([letter.to_string(), n.to_string(), times.to_string()]);
    }
    let n = board.squares().len();
    Finding::exhaustive(
        n == 40 && drawn == 44,
        format!("{n} squares; {drawn} with the a-file drawn twice"),
        evidence,
    )
}

/// Returns whether a square is dark on the board as it is drawn.
fn dark(geometry: Geometry, square: Square) -> bool {
    (geometry.file(square) + geometry.rank(square)).is_multiple_of(2)
}

/// A board on which a unit's steps are examined.
struct Ground {
    name: String,
    board: Board<u64>,
    // What the page says of colorbound units here.
    changes: bool,
}

/// Boards of 6, 7 and 8 files, rolled and flat, with the page's missing squares and without.
fn grounds(men: &Men, page: Geometry) -> Vec<Ground> {
    let mut grounds = Vec::new();
    for files in [7u8, 6, 8] {
        for wraps in [true, false] {
            for cornered in [true, false] {
                // The first file lacks its ends, as on the page.
                let ends = 1u128 | 1 << (u32::from(files) * u32::from(page.ranks() - 1));
                let holes = if cornered { ends } else { 0 };
                let Some(geometry) = Geometry::new(files, page.ranks(), holes, wraps) else {
                    continue;
                };
                grounds.push(Ground {
                    name: format!(
                        "{} {}{}",
                        if wraps { "cylinder" } else { "flat" },
                        geometry.size(),
                        if cornered { " without a1 and a6" } else { "" }
                    ),
                    board: Board::new(geometry, *men),
                    changes: wraps && files % 2 == 1,
                });
            }
        }
    }
    grounds
}

fn colors(_: &Effort) -> Finding {
    let start = start();
    let page = start.game.board().geometry();
    let mut evidence = Evidence::new(&[
        "board",
        "unit",
        "from",
        "squares",
        "components",
        "steps_that_change_color",
        "fewest_steps_to_the_other_color",
        "fewest_steps_to_a_square_beside",
    ]);
    let mut holds = true;
    let mut figures = Vec::new();
    for ground in grounds(start.game.men(), page) {
        let board = &ground.board;
        let geometry = board.geometry();
        for kind in [ADVOCATE, PRELATE] {
            let letter = start.game.men().letter(Color::White, kind);
            let graph =
                StepGraph::new(board.squares().iter(), |from| board.leap(kind, from).iter());
            let changing: usize = board
                .squares()
                .iter()
                .map(|from| {
                    let targets = board.leap(kind, from).iter();
                    targets
                        .filter(|&to| dark(geometry, to) != dark(geometry, from))
                        .count()
                })
                .sum();
            let components = graph.components();
            let (mut other, mut beside) = (Vec::new(), Vec::new());
            for from in board.squares().iter() {
                let steps = graph.fewest_steps(from);
                let least = |wanted: &dyn Fn(Square) -> bool| {
                    steps
                        .iter()
                        .filter(|(to, _)| wanted(**to))
                        .map(|(_, n)| *n)
                        .min()
                };
                let color = least(&|to| dark(geometry, to) != dark(geometry, from));
                let near = [0, 4]
                    .into_iter()
                    .filter_map(|direction| board.neighbor(from, direction))
                    .fold(0u64, Squares::with);
                let side = least(&|to| near.has(to));
                let shown = |n: Option<u32>| n.map_or("none".to_string(), |n| n.to_string());
                evidence.row([
                    ground.name.clone(),
                    letter.to_string(),
                    geometry.name(from),
                    board.squares().len().to_string(),
                    components.to_string(),
                    changing.to_string(),
                    shown(color),
                    shown(side),
                ]);
                other.push(color);
                beside.push(side);
            }
            let as_said = if ground.changes {
                components == 1 && other.iter().all(Option::is_some)
            } else {
                components >= 2 && changing == 0
            };
            holds &= as_said;
            if ground.changes && geometry == page {
                figures.push(format!(
                    "{letter} comes to the other color as drawn in {} steps and to a square beside \
                     its own in {}",
                    range(&other),
                    range(&beside)
                ));
            }
        }
    }
    let summary = format!(
        "A and L on {} boards of 6, 7 and 8 files: on cylinders of 7 files every square of either \
         color is reached from every other, on all others no step changes color: {}; on the \
         page's board {}",
        grounds(start.game.men(), page).len(),
        if holds { "true" } else { "false" },
        figures.join(", "),
    );
    Finding::exhaustive(holds, summary, evidence)
}

/// Returns the least and the greatest number.
fn range(numbers: &[Option<u32>]) -> String {
    let known: Vec<u32> = numbers.iter().copied().flatten().collect();
    match (known.iter().min(), known.iter().max()) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("{least} to {most}"),
        _ => "no number of".to_string(),
    }
}

/// Pairs of squares of an advocate and a prelate, by who attacks whom.
#[derive(Clone, Copy, Default)]
struct Attacks {
    pairs: u64,
    advocate: u64,
    prelate: u64,
    mutual: u64,
}

fn attacks(board: &Board<u64>) -> [[Attacks; 2]; 2] {
    let geometry = board.geometry();
    let mut table = [[Attacks::default(); 2]; 2];
    for a in board.squares().iter() {
        let by_advocate = force(board, Color::White, ADVOCATE, a);
        for l in board.squares().without(a).iter() {
            let there = by_advocate.has(l);
            let back = force(board, Color::Black, PRELATE, l).has(a);
            let count = &mut table[usize::from(dark(geometry, a))][usize::from(dark(geometry, l))];
            count.pairs += 1;
            count.advocate += u64::from(there);
            count.prelate += u64::from(back);
            count.mutual += u64::from(there && back);
        }
    }
    table
}

/// Whether each unit of the cycle can attack the next and is never attacked by it.
fn cycle(table: &[[Attacks; 2]; 2]) -> bool {
    [false, true].into_iter().all(|color| {
        let same = table[usize::from(color)][usize::from(color)];
        let apart = table[usize::from(color)][usize::from(!color)];
        same.advocate > 0 && same.prelate == 0 && apart.prelate > 0 && apart.advocate == 0
    })
}

fn dominance(_: &Effort) -> Finding {
    let start = start();
    let page = start.game.board().geometry();
    let mut evidence = Evidence::new(&[
        "board",
        "advocate_on",
        "prelate_on",
        "pairs",
        "advocate_attacks",
        "prelate_attacks",
        "both",
    ]);
    let (mut holds, mut flat, mut figures) = (true, 0, Vec::new());
    for ground in grounds(start.game.men(), page) {
        let table = attacks(&ground.board);
        for (a, row) in table.iter().enumerate() {
            for (l, count) in row.iter().enumerate() {
                let color = |dark: usize| if dark == 1 { "dark" } else { "light" };
                evidence.row([
                    ground.name.clone(),
                    color(a).to_string(),
                    color(l).to_string(),
                    count.pairs.to_string(),
                    count.advocate.to_string(),
                    count.prelate.to_string(),
                    count.mutual.to_string(),
                ]);
            }
        }
        if !ground.board.geometry().wraps() {
            flat += 1;
            holds &= cycle(&table);
        }
        let sum = |of: fn(&Attacks) -> u64| table.iter().flatten().map(of).sum::<u64>();
        let wrong =
            table[0][0].prelate + table[1][1].prelate + table[0][1].advocate + table[1][0].advocate;
        if ground.board.geometry().holes() == page.holes()
            && ground.board.geometry().files() == page.files()
        {
            figures.push(format!(
                "{}: {} pairs of squares, A attacks in {}, L in {}, {wrong} of these against the \
                 cycle, {} mutual",
                ground.name,
                sum(|c| c.pairs),
                sum(|c| c.advocate),
                sum(|c| c.prelate),
                sum(|c| c.mutual),
            ));
        }
    }
    let summary = format!(
        "on {flat} flat boards of two colors A attacks L on its color alone and L attacks A on the \
         other alone: {}; {}",
        if holds { "true" } else { "false" },
        figures.join("; ")
    );
    Finding::exhaustive(holds, summary, evidence)
}

fn pawn_file(_: &Effort) -> Finding {
    let start = start();
    let game = start.game.as_ref();
    let board = game.board();
    let geometry = board.geometry();
    let mut evidence = Evidence::new(&[
        "side",
        "from",
        "in_array",
        "squares_reached",
        "files_reached",
        "promotes",
    ]);
    let (mut leaving, mut stuck, mut in_array, mut stuck_on_a) = (0, 0, 0, 0);
    for color in Color::BOTH {
        let steps = |from: Square, promoting: bool| -> u64 {
            let mut p = Position::<NarrowBound>::empty();
            p.side = color;
            p.put(color, Kind::Pawn, from);
            with_turns(|turns| {
                game.pseudo_turns(&p, turns);
                turns
                    .iter()
                    .filter(|turn| turn.first().becomes().is_some() == promoting)
                    .fold(0u64, |set, turn| set.with(turn.first().to))
            })
        };
        // A pawn continues from the squares where it is still a pawn.
        let graph = StepGraph::new(board.squares().iter(), |from| steps(from, false).iter());
        for from in board.squares().iter() {
            if game.no_pawns(color).has(from) {
                continue;
            }
            let mut reached = 0u64;
            let mut promotes = false;
            for at in graph.fewest_steps(from).into_keys() {
                let last = steps(at, true);
                promotes |= last != 0;
                reached |= last.with(at);
            }
            let mut files: Vec<u8> = reached.iter().map(|s| geometry.file(s)).collect();
            files.sort_unstable();
            files.dedup();
            let own = start.position.units(color, Kind::Pawn).has(from);
            let on_a = geometry.file(from) == 0;
            leaving += u32::from(files != [geometry.file(from)]);
            in_array += u32::from(own);
            stuck += u32::from(own && (!promotes || on_a));
            stuck_on_a += u32::from(on_a && !promotes);
            let names: String = files.iter().map(|f| (b'a' + f) as char).collect();
            evidence.row([
                color.letter().to_string(),
                geometry.name(from),
                own.to_string(),
                reached.len().to_string(),
                names,
                promotes.to_string(),
            ]);
        }
    }
    Finding::exhaustive(
        leaving == 0 && stuck == 0 && in_array > 0,
        format!(
            "pawns of both sides from every square: {leaving} ways out of their file; of {in_array} \
             pawns of the array {stuck} stand on the a-file or cannot promote; a pawn on the \
             a-file would get stuck from {stuck_on_a} squares"
        ),
        evidence,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rolled_board_of_seven_files_breaks_the_cycle() {
        let start = start();
        let men = start.game.men();
        for ground in grounds(men, start.game.board().geometry()) {
            let rolled_odd =
                ground.board.geometry().wraps() && ground.board.geometry().files() == 7;
            assert_eq!(
                cycle(&attacks(&ground.board)),
                !rolled_odd,
                "{}",
                ground.name
            );
        }
    }

    #[test]
    fn units_that_step_along_ranks_change_color_on_any_board() {
        // The king is not colorbound, so the same graph has one part on a flat board.
        let start = start();
        let men = start.game.men();
        for ground in grounds(men, start.game.board().geometry()) {
            let board = &ground.board;
            let parts = |kind| {
                StepGraph::new(board.squares().iter(), |from| board.leap(kind, from).iter())
                    .components()
            };
            assert_eq!(parts(Kind::King), 1);
            assert_eq!(parts(ADVOCATE) == 1, ground.changes, "{}", ground.name);
        }
    }
}
