//! Endgame tables: certified on small boards in every rule set, and the results that the
//! literature gives for orthodox chess.

use fairyproof::board::{Color, Geometry, Kind, Square};
use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, Observer, Progress};
use fairyproof::language::{About, Environment, Expression, Valued};
use fairyproof::notation::Start;
use fairyproof::position::{Narrow, Position};
use fairyproof::problems::tree::Want;
use fairyproof::problems::{Limits, Problem, Stipulation};
use fairyproof::rules::AnyGame;
use fairyproof::tables::{
    Class, Counting, Extreme, Failed, Query, SideStats, Signature, Store, Tables, build,
    build_within, certify, endings, find_positions, is_valid_fen_position, longest, materials,
    stats,
};
use fairyproof::values::oracle::Oracle;
use fairyproof::with_game;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const LIMITS: Control<'static> = Control::new().with_memory(8 << 30).with_threads(2);

fn open(variant: &str, board: &str) -> AnyGame {
    let variant = Catalog::new().open(variant).unwrap();
    let own = fairyproof::notation::fen::shape(&variant.start()).unwrap();
    let geometry = if board.is_empty() {
        own
    } else {
        let (files, ranks) = board.split_once('x').unwrap();
        Geometry::new(files.parse().unwrap(), ranks.parse().unwrap(), 0, false).unwrap()
    };
    variant.on(geometry).expect("a game")
}

/// Builds, and perhaps certifies, a table.
fn solved(variant: &str, board: &str, signature: &str, check: bool) -> [SideStats; 2] {
    with_game!(&open(variant, board), game => {
        let signature = Signature::parse(game.as_ref(), signature).unwrap();
        let tables = Tables::new(Arc::clone(game), None);
        build(&tables, &signature, &LIMITS).unwrap_or_else(|e| panic!("{variant}: {e}"));
        if check {
            let found = certify(&tables, &signature, &LIMITS).unwrap();
            assert!(found.holds(), "{variant} {board} {signature}: {found:?}");
            let stats = stats(&tables, &signature, Counting::All).unwrap();
            assert_eq!(found.own.states, stats[0].legal + stats[1].legal, "{variant} {signature}");
        }
        stats(&tables, &signature, Counting::All).unwrap()
    })
}

fn longest_win_plies(stats: &[SideStats; 2]) -> u16 {
    stats
        .iter()
        .filter_map(|s| s.longest_win.as_ref().map(|(d, _)| *d))
        .max()
        .unwrap_or(0)
}

/// Builds an orthodox table, and perhaps certifies it. Asserts the plies of its longest win and, for each side, the
/// numbers of legal positions, wins, draws and losses.
#[track_caller]
fn assert_orthodox(
    signature: &str,
    check: bool,
    plies: u16,
    counts: [[u64; 4]; 2],
) -> [SideStats; 2] {
    let stats = solved("fide", "", signature, check);
    assert_eq!(longest_win_plies(&stats), plies);
    let found = stats
        .each_ref()
        .map(|s| [s.legal, s.count(2), s.count(0), s.count(-2)]);
    assert_eq!(found, counts);
    stats
}

#[test]
fn queen_mates_the_bare_king_in_ten_moves() {
    let counts = [[144_508, 144_508, 0, 0], [223_944, 0, 23_048, 200_896]];
    let stats = assert_orthodox("KQvK", true, 19, counts);
    assert_eq!(stats[0].positions, 64 * 63 * 62);
}

#[test]
fn rook_mates_the_bare_king_in_sixteen_moves() {
    let counts = [[175_168, 175_168, 0, 0], [223_944, 0, 22_244, 201_700]];
    assert_orthodox("KRvK", true, 31, counts);
}

#[test]
fn pawn_mates_the_bare_king_in_twenty_eight_moves() {
    let counts = [[163_328, 124_960, 38_368, 0], [168_024, 0, 70_420, 97_604]];
    assert_orthodox("KPvK", true, 55, counts);
}

#[test]
fn queen_beats_rook_in_thirty_five_moves() {
    let counts = [
        [8_952_608, 8_863_768, 71_704, 17_136],
        [10_780_728, 3_090_088, 627_960, 7_062_680],
    ];
    assert_orthodox("KQvKR", false, 69, counts);
}

#[test]
fn bishop_and_knight_mate_in_thirty_three_moves() {
    let counts = [
        [10_875_504, 10_822_184, 53_320, 0],
        [13_660_584, 0, 2_472_416, 11_188_168],
    ];
    assert_orthodox("KBNvK", false, 65, counts);
}

#[test]
#[ignore = "minutes: every placement of four units, or of five with much state"]
fn large_tables_are_certified() {
    solved("french-revolution:weak-loss", "3x5", "KPPvKP", true);
    for signature in ["KQvKR", "KBNvK", "KRvKP"] {
        solved("fide", "", signature, true);
    }
    solved("convergent", "", "KQRvK", true);
    solved("convergent", "", "KPvKP", true);
    solved("bachelor", "", "KRvKN", true);
    solved("chromopolis", "", "KAvKP", true);
}

#[test]
fn rook_against_pawn_is_won_in_forty_three_moves() {
    let stats = solved("fide", "", "KRvKP", false);
    // The longest win is the pawn's, by way of queen against rook.
    assert_eq!(longest_win_plies(&stats), 85);
}

/// Names of a variant with its options, a board, and signatures.
type Small = (&'static str, &'static str, &'static [&'static str]);

/// Boards small enough to look at every placement.
const SMALL: &[Small] = &[
    (
        "fide",
        "4x4",
        &["KQvKR", "KPvKP", "KBNvK", "KPPvK", "KRRvK"],
    ),
    ("fide", "3x6", &["KPvKP", "KPvKR"]),
    ("bachelor", "4x4", &["KRvK", "KRvKN", "KPvKN", "KQBvK"]),
    ("bachelor", "4x5", &["KPvKP", "KPPvK"]),
    ("convergent", "4x4", &["KRvKN", "KPvKP", "KQvKB"]),
    ("convergent", "5x4", &["KQQvK", "KRRvKN"]),
    ("french-revolution", "3x4", &["KPPvKP", "KNPvKP"]),
    ("french-revolution:weak-loss", "3x4", &["KPPvKP"]),
    ("french-revolution:weak-loss", "3x5", &["KPvKP"]),
    (
        "french-revolution:no-promotion,avalanche",
        "3x4",
        &["KNPvKP"],
    ),
    ("chromopolis", "3x4", &["KNAvK", "KNvKL", "KNvK;bound=Nn"]),
    ("chromopolis", "4x3", &["KAvKP"]),
];

/// What a rule set that is not named above is tried with: the first of which a position is legal.
const OTHERS: [&str; 7] = [
    "KRvKN", "KRvKR", "KQRvKQ", "KNvKR", "KBvKBN", "QRvQN", "KBRvKBN",
];

#[test]
fn small_boards_are_certified_in_every_rule_set() {
    for &(variant, board, signatures) in SMALL {
        for signature in signatures {
            let stats = solved(variant, board, signature, true);
            assert!(stats[0].legal > 0, "{variant} {board} {signature}");
        }
    }
    for info in fairyproof::variants::all() {
        if SMALL
            .iter()
            .any(|(v, ..)| v.split(':').next() == Some(info.id))
        {
            continue;
        }
        let tried = OTHERS.iter().any(|signature| {
            lives(info.id, "4x3", signature) && {
                solved(info.id, "4x3", signature, true);
                true
            }
        });
        assert!(tried, "{} is not certified", info.id);
    }
}

/// Returns whether the variant has such units, and some placement of them is a position with turns.
fn lives(variant: &str, board: &str, signature: &str) -> bool {
    with_game!(&open(variant, board), game => {
        Signature::parse(game.as_ref(), signature).is_ok_and(|signature| {
            signature.keys().iter().any(|&key| {
                let class = Class::new(game.as_ref(), key);
                (0..class.len()).any(|index| {
                    class.placed(index).is_some_and(|placed| {
                        is_valid_fen_position(game.as_ref(), &placed.position) && game.has_turn(&placed.position)
                    })
                })
            })
        })
    })
}

#[test]
fn tables_come_back_from_disk_and_damage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    with_game!(&open("bachelor", "4x4"), game => {
        let signature = Signature::parse(game.as_ref(), "KRvKN").unwrap();
        let fresh = || Tables::new(Arc::clone(game), Some(Store::new(folder.path())));
        let first = build(&fresh(), &signature, &LIMITS).unwrap();
        assert!(first.solved > 0 && first.reused == 0);
        let again = build(&fresh(), &signature, &LIMITS).unwrap();
        assert_eq!((again.solved, again.reused), (0, first.solved));
        let found = certify(&fresh(), &signature, &LIMITS).unwrap();
        assert!(found.holds(), "{found:?}");

        let listed = Store::new(folder.path()).list().unwrap();
        assert_eq!(listed.len(), first.solved);
        let path = folder.path().join("bachelor/4x4").join(format!("{}.fpt", listed[0].as_ref().unwrap().class));
        let whole = std::fs::read(&path).unwrap();
        // A lost file is built again, the others are kept.
        std::fs::remove_file(&path).unwrap();
        let mended = build(&fresh(), &signature, &LIMITS).unwrap();
        assert_eq!((mended.solved, mended.reused), (1, first.solved - 1));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        for at in [0, 9, 40, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let wrong = Store::new(folder.path()).list().unwrap();
            assert_eq!(wrong.iter().filter(|file| file.is_err()).count(), 1);
            let mending = fresh();
            let mended = build(&mending, &signature, &LIMITS).unwrap();
            assert_eq!((mended.solved, mended.reused), (1, first.solved - 1));
            assert_eq!(mending.notes().len(), 1);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let listed = Store::new(folder.path()).list().unwrap();
        assert_eq!(listed.iter().filter(|file| file.is_err()).count(), 1);
        assert_eq!(listed.len(), first.solved);
    });
}

#[test]
fn a_build_beyond_its_memory_is_refused_with_the_figure() {
    with_game!(&open("fide", ""), game => {
        let signature = Signature::parse(game.as_ref(), "KRRvKR").unwrap();
        let tables = Tables::new(Arc::clone(game), None);
        let limits = LIMITS.with_memory(1 << 20);
        match build(&tables, &signature, &limits) {
            Err(Failed::Memory { shortage, .. }) => assert!(shortage.needed_bytes > 1 << 20),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn a_build_examines_no_more_positions_than_are_left() {
    with_game!(&open("fide", ""), game => {
        let signature = Signature::parse(game.as_ref(), "KPvK").unwrap();
        let fresh = || Tables::new(Arc::clone(game), None);
        let built = build(&fresh(), &signature, &LIMITS).unwrap();
        let tables = fresh();
        for too_few in [0, 1, built.indices / 2, built.indices] {
            // Planning takes some of them.
            let mut left = too_few;
            match build_within(&tables, &signature, &mut left, &LIMITS) {
                Err(Failed::Positions { needed, left, .. }) => assert!(needed > left),
                other => panic!("{too_few}: {other:?}"),
            }
            assert!(signature.keys().iter().all(|key| tables.table(key).unwrap().is_none()));
        }
        let enough = 2 * built.indices;
        let mut left = enough;
        assert_eq!(build_within(&tables, &signature, &mut left, &LIMITS).unwrap(), built);
        let examined = enough - left;
        assert!((built.indices..=enough).contains(&examined), "{examined}");
        // What is solved costs nothing.
        let mut none = 0;
        let again = build_within(&tables, &signature, &mut none, &LIMITS).unwrap();
        assert_eq!((again.solved, again.reused), (0, built.solved));
    });
}

#[test]
fn signatures_that_make_no_sense_are_refused() {
    with_game!(&open("chromopolis", ""), game => {
        for text in ["", "v", "KvQ", "KK", "KvKvK", "kvk", "KvK;", "KvK;x=1", "KvK;bound=Z"] {
            assert!(Signature::parse(game.as_ref(), text).is_err(), "{text}");
        }
        assert!(Signature::parse(game.as_ref(), "KNvKL;bound=Nn").is_ok());
    });
}

/// Asks for a stop when so many groups of classes have begun.
struct StopAt {
    stop: AtomicBool,
    /// The first class of each group that has begun.
    begun: Mutex<BTreeSet<String>>,
    most: usize,
}

impl Observer for StopAt {
    fn progress(&self, progress: &Progress<'_>) {
        if progress.phase != "building" {
            return;
        }
        let detail = progress.detail.to_string();
        let name = detail.split(" (").next().expect("a name");
        let mut begun = self.begun.lock().expect("no panic");
        begun.insert(name.to_string());
        if begun.len() > self.most {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn an_interrupted_build_goes_on_where_it_was() {
    let (cut, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    with_game!(&open("fide", "4x6"), game => {
        let signature = Signature::parse(game.as_ref(), "KRvKP").unwrap();
        let tables = |folder: &tempfile::TempDir| {
            Tables::new(Arc::clone(game), Some(Store::new(folder.path())))
        };
        let observer = StopAt { stop: AtomicBool::new(false), begun: Mutex::default(), most: 4 };
        let control = LIMITS.with_stop(&observer.stop).with_observer(&observer);
        let stopped = build(&tables(&cut), &signature, &control).unwrap_err();
        assert!(stopped.is_interrupted(), "{stopped}");
        let kept = Store::new(cut.path()).list().unwrap();
        assert!(kept.len() >= 4, "{kept:?}");
        let resumed = build(&tables(&cut), &signature, &LIMITS).unwrap();
        assert_eq!(resumed.reused, kept.len());
        assert!(resumed.solved > 0);
        let fresh = build(&tables(&whole), &signature, &LIMITS).unwrap();
        assert_eq!(fresh.solved, resumed.solved + resumed.reused);
        let files = |folder: &tempfile::TempDir| -> Vec<(String, Vec<u8>)> {
            let listed = Store::new(folder.path()).list().unwrap();
            let bytes = |class: &str| {
                std::fs::read(folder.path().join("fide/4x6").join(format!("{class}.fpt"))).unwrap()
            };
            let classes = listed.into_iter().map(|file| file.unwrap().class);
            classes.map(|class| (class.clone(), bytes(&class))).collect()
        };
        assert!(files(&cut) == files(&whole), "a resumed build differs");
    });
}

/// Returns every turn that solves, with its length, from some positions of an ending, with tables and
/// without.
fn same_keys(variant: &str, board: &str, signature: &str, moves: u32) -> usize {
    with_game!(&open(variant, board), game => {
        let signature = Signature::parse(game.as_ref(), signature).unwrap();
        let tables = Tables::new(Arc::clone(game), None);
        build(&tables, &signature, &LIMITS).unwrap();
        let (limits, control) = (Limits::default(), Control::new());
        let mut solved = 0;
        for key in signature.keys() {
            let class = Class::new(game.as_ref(), key);
            for index in (0..class.len()).step_by(class.len() as usize / 60 + 1) {
                let Some(placed) = class.placed(index) else { continue };
                let position = placed.position;
                if !is_valid_fen_position(game.as_ref(), &position) || !game.has_turn(&position) {
                    continue;
                }
                let geometry = game.board().geometry();
                let text = format!("win {moves}");
                let problem = Problem {
                    start: Start { game: Arc::clone(game), position },
                    stipulation: Stipulation::parse(&text, &game.variant().rule_set, geometry).unwrap(),
                };
                let oracle: Option<&dyn Oracle<_>> = Some(&tables);
                let want = Want::default();
                let asked = problem.solve_with_oracle(&limits, want, oracle, &control);
                let searched = problem.solve_with_oracle(&limits, want, None, &control);
                assert_eq!(asked.keys, searched.keys, "{variant} {position:?}");
                solved += searched.keys.len();
            }
        }
        solved
    })
}

#[test]
fn searches_find_the_same_with_tables_and_without() {
    for (variant, board, signature, moves) in [
        ("fide", "4x4", "KRvKN", 3),
        ("fide", "4x4", "KPvKP", 3),
        ("bachelor", "4x4", "KRvKN", 3),
        ("convergent", "4x4", "KQvKB", 3),
        ("french-revolution:weak-loss", "3x5", "KPPvKP", 3),
        ("series-helpmate", "4x4", "KRvKN", 2),
        ("spartan:moves=4", "4x4", "KRvK", 3),
        ("prop", "4x3", "KRvKR", 3),
        ("kingmaker", "4x4", "KRvKN", 3),
        ("zoo", "4x3", "QRvQN", 3),
    ] {
        let keys = same_keys(variant, board, signature, moves);
        assert!(
            keys > 0 || variant == "zoo",
            "{variant}: no position is solved"
        );
    }
}

/// Both positions are lost for the side to move.
const BOTH_LOSE: &str = "value == 'loss' && flip.value == 'loss'";
/// Each side would have more if the other one were to move.
const EACH_WOULD_WAIT: &str =
    "value == 'loss' && flip.value in ['loss', 'draw'] || value == 'draw' && flip.value == 'loss'";

/// Counts the positions of a signature for which a condition holds.
fn found(tables: &Tables<Narrow>, signature: &Signature, game: &AnyGame, condition: &str) -> u64 {
    found_as(tables, signature, game, condition, Counting::All)
}

/// Like [`found`], with the given way of counting symmetric positions.
fn found_as(
    tables: &Tables<Narrow>,
    signature: &Signature,
    game: &AnyGame,
    condition: &str,
    counting: Counting,
) -> u64 {
    let environment = Environment::new(game, About::VALUED);
    let condition = Expression::condition("condition", condition, &environment).unwrap();
    let pool = fairyproof::control::parallel::pool(2);
    let query = Query {
        tables,
        signature,
        condition: &condition,
        by: &[],
        counting,
        counts: true,
        pool: pool.as_ref(),
        stop: &|| false,
    };
    let groups = find_positions(&query, &mut |_| Ok(())).unwrap();
    groups.values().sum()
}

/// The positions in which the side named second loses if it is to move and does not lose otherwise.
const SECOND_SIDE_WOULD_WAIT: &str = "value == 'loss' && side == black && flip.value == 'draw'";

/// Asserts the published numbers of an orthodox ending up to symmetry: of positions with the longest win, White
/// to move, and of mutual zugzwangs in which White wins if Black is to move.
fn assert_published(text: &str, longest_wins: Option<u64>, zugzwangs: Option<u64>) {
    let any = open("fide", "");
    let game = any.get::<Narrow>().expect("64 squares");
    let signature = Signature::parse(game.as_ref(), text).unwrap();
    let tables = Tables::new(Arc::clone(game), None);
    build(&tables, &signature, &LIMITS).unwrap();
    let [white, black] = stats(&tables, &signature, Counting::Reduced).unwrap();
    if let Some(expected) = longest_wins {
        let (plies, _) = white.longest_win.as_ref().expect("a win");
        assert_eq!(white.plies[&(2, *plies)], expected, "{text}");
        let found = longest(&tables, &signature, Color::White, Extreme::Win).unwrap();
        let (most, positions) = found.expect("a win");
        assert_eq!((most, positions.len() as u64), (*plies, expected), "{text}");
        let lost = longest(&tables, &signature, Color::Black, Extreme::Loss).unwrap();
        let (most, positions) = lost.expect("a loss");
        assert_eq!(black.plies[&(-2, most)], positions.len() as u64, "{text}");
        assert_eq!(
            black.longest_loss.map(|(plies, _)| plies),
            Some(most),
            "{text}"
        );
    }
    if let Some(expected) = zugzwangs {
        let count =
            |counting| found_as(&tables, &signature, &any, SECOND_SIDE_WOULD_WAIT, counting);
        assert_eq!(count(Counting::Reduced), expected, "{text}");
        assert!(count(Counting::All) > expected, "{text}");
    }
}

#[test]
fn reduced_counts_of_three_units_are_the_published_ones() {
    assert_published("KQvK", Some(1), None);
    assert_published("KRvK", Some(121), None);
    assert_published("KPvK", Some(3), Some(80));
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "tables of four units: minutes, seconds with --release"
)]
fn reduced_counts_of_four_units_are_the_published_ones() {
    assert_published("KBNvK", Some(138), None);
    assert_published("KRvKN", None, Some(18));
    assert_published("KRvKB", None, Some(5));
}

/// Places two kings and a unit of each side on all squares of the orthodox board, probes the tables for both
/// sides to move, and counts the positions of both kinds of mutual zugzwang.
fn mutual_zugzwangs(tables: &Tables<Narrow>, white: Kind, black: Kind) -> [u64; 2] {
    let squares = |kind: Kind| match kind {
        Kind::Pawn => 8..56,
        _ => 0..64u8,
    };
    let mut counts = [0, 0];
    for king in 0..64 {
        for other_king in (0..64).filter(|s| *s != king) {
            for unit in squares(white).filter(|s| ![king, other_king].contains(s)) {
                let taken = [king, other_king, unit];
                for other in squares(black).filter(|s| !taken.contains(s)) {
                    let mut position = Position::<Narrow>::empty();
                    position.put(Color::White, Kind::King, Square(king));
                    position.put(Color::Black, Kind::King, Square(other_king));
                    position.put(Color::White, white, Square(unit));
                    position.put(Color::Black, black, Square(other));
                    let worth = |side| {
                        position.side = side;
                        let value = tables.value(&position).expect("built");
                        value.map(|value| Valued::from(value).worth)
                    };
                    let [Some(first), Some(second)] = Color::BOTH.map(worth) else {
                        continue;
                    };
                    // One placement is two positions.
                    counts[0] += 2 * u64::from(first < 0 && second < 0);
                    counts[1] += 2 * u64::from(first + second < 0);
                }
            }
        }
    }
    counts
}

/// The second figure of KPvKP is four times the 121 of the literature, which counts a position once for both
/// sides to move, both mirror images and both colors. KRvKN has 18 but for symmetry.
#[test]
#[ignore = "33 million positions are probed: minutes, seconds with --release"]
fn mutual_zugzwangs_of_four_units_are_counted_by_expressions() {
    let cases = [
        ("KQvKR", Kind::Queen, Kind::Rook, [0, 0]),
        ("KRvKN", Kind::Rook, Kind::Knight, [0, 272]),
        ("KPvKP", Kind::Pawn, Kind::Pawn, [120, 968]),
    ];
    let any = open("fide", "");
    let game = any.get::<Narrow>().expect("64 squares");
    for (text, white, black, expected) in cases {
        let signature = Signature::parse(game.as_ref(), text).unwrap();
        let tables = Tables::new(Arc::clone(game), None);
        build(&tables, &signature, &LIMITS).unwrap();
        let counted = [BOTH_LOSE, EACH_WOULD_WAIT]
            .map(|condition| found(&tables, &signature, &any, condition));
        assert_eq!(counted, mutual_zugzwangs(&tables, white, black), "{text}");
        assert_eq!(counted, expected, "{text}");
    }
}

#[test]
fn who_stops_the_search_for_endings_gets_none() {
    let stop = AtomicBool::new(true);
    let limits = LIMITS.with_stop(&stop);
    with_game!(&open("french-revolution", ""), game => {
        let found = endings(game.as_ref(), materials(game.as_ref(), 2, 1), &limits);
        assert!(found.is_err_and(|failed| failed.is_interrupted()));
    });
}

#[test]
fn endings_are_those_with_a_game_to_play() {
    let names = |variant: &str, white, black| -> Vec<String> {
        with_game!(&open(variant, ""), game => {
            let all = materials(game.as_ref(), white, black);
            let found = endings(game.as_ref(), all, &LIMITS).expect("not stopped");
            found.iter().map(ToString::to_string).collect()
        })
    };
    assert_eq!(
        names("fide", 2, 1),
        ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
    );
    assert_eq!(names("fide", 2, 2).len(), 15);
    assert_eq!(names("bachelor", 1, 1), ["KvK"]);
    // A side without a rook has lost.
    assert!(names("decastellation", 2, 1).is_empty());
    // One bishop each, and one more unit.
    assert!(
        names("clerical", 2, 1)
            .iter()
            .all(|name| name.matches('B').count() >= 2)
    );
}

#[test]
fn endings_that_the_material_decides_are_not_among_them() {
    let mut decided = 0;
    for variant in ["extinction", "kinglet", "threekings", "losers", "codrus"] {
        with_game!(&open(variant, "3x3"), game => {
            let all: Vec<Signature> = [(1, 1), (2, 1), (1, 2)]
                .into_iter()
                .flat_map(|(white, black)| materials(game.as_ref(), white, black))
                .collect();
            let found = endings(game.as_ref(), all.clone(), &LIMITS).expect("not stopped");
            for signature in all {
                let text = signature.to_string();
                let expected = lives(variant, "3x3", &text);
                assert_eq!(found.contains(&signature), expected, "{variant} {text}");
                decided += usize::from(!expected);
            }
        });
    }
    assert!(decided > 0);
}
