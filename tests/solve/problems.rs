//! The solver against plain search, in every rule set: same keys, same lines; what it promises
//! about checks and flights; trees verified; several threads like one.
//!
//! `FAIRYPROOF_CASES` sets how many random positions each variant gets.

use crate::random::{Random, board_of, crowded, few_units_of, goals, with_any_side};
use fairyproof::board::{Color, Kind, Squares};
use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, Counted, Stopped};
use fairyproof::notation::{Setup, Start, fen, turns};
use fairyproof::position::Position;
use fairyproof::problems::Layout;
use fairyproof::problems::check;
use fairyproof::problems::tree::{Tree, Want};
use fairyproof::problems::{Deadline, Ending, Goal, Limits, Play, Problem, Stipulation, passed};
use fairyproof::rules::{Game, Outcome, Turn, Variant};
use fairyproof::variants;
use fairyproof::with_setup;

fn cases() -> usize {
    std::env::var("FAIRYPROOF_CASES").map_or(12, |n| n.parse().expect("a number"))
}

/// Returns a position of this variant with few units, or some way into a random game.
fn random_position(variant: &Variant, random: &mut Random) -> Option<Setup> {
    let start = variant.start();
    if random.below(3) == 0 {
        let setup = Setup::read(variant, None).expect("a start");
        let plies = random.below(40);
        return with_setup!(setup, s => {
            let mut p = s.position;
            for _ in 0..plies {
                let list = turns::sorted(s.game.as_ref(), &p);
                if list.is_empty() {
                    break;
                }
                p = s.game.play(&p, &list[random.below(list.len())].1);
            }
            Setup::read(variant, Some(&fen::print(s.game.as_ref(), &p))).ok()
        });
    }
    Setup::read(variant, Some(&few_units_of(&start, random))).ok()
}

/// Plain search: no table, no tests but the rules' own.
struct Plain<'g, W: Layout> {
    game: &'g dyn Game<W>,
    asked: Stipulation,
    /// The number of a goal that is an expression.
    goal: usize,
}

impl<W: Layout> Plain<'_, W> {
    fn turns(&self, p: &Position<W>) -> Vec<(Turn, Position<W>)> {
        let mut list = Vec::new();
        self.game.turns(p, &mut list);
        list.iter().map(|t| (*t, self.game.play(p, t))).collect()
    }

    fn well(&self, outcome: Outcome, by: Color) -> bool {
        match (&self.asked.goal, outcome) {
            (Goal::Mate, Outcome::Win(w, r)) => w == by && r == "checkmate",
            (Goal::Stalemate, o) => o.reason() == Some("stalemate"),
            (Goal::Win, Outcome::Win(w, _)) => w == by,
            _ => false,
        }
    }

    fn reached(&self, p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        match self.asked.goal {
            Goal::Expression(_) => goals::reached(self.goal, self.game, p, after),
            Goal::Check => self.game.in_check(after, after.side),
            Goal::Target(square) => turn.steps().any(|s| s.to == square),
            Goal::Any => true,
            _ => self.well(self.game.outcome(after), p.side),
        }
    }

    /// Won by the turn of the side that loses by it.
    fn late(&self, after: &Position<W>, by: Color) -> bool {
        self.asked.goal == Goal::Win && self.well(self.game.outcome(after), by)
    }

    fn can(&self, p: &Position<W>) -> bool {
        self.turns(p)
            .iter()
            .any(|(t, after)| self.reached(p, t, after))
    }

    fn attack(&self, p: &Position<W>, moves: u32) -> bool {
        if self.asked.play == Play::Reflex && self.can(p) {
            return false;
        }
        self.turns(p)
            .iter()
            .any(|(t, after)| self.solves(p, t, after, moves))
    }

    fn solves(&self, p: &Position<W>, turn: &Turn, after: &Position<W>, moves: u32) -> bool {
        let by = p.side;
        match self.asked.play {
            Play::Direct if self.reached(p, turn, after) => return true,
            Play::Direct => {}
            _ if self.late(after, !by) => return true,
            Play::Selfplay => {}
            _ if self.can(after) => return true,
            _ => {}
        }
        let answers = self.turns(after);
        !answers.is_empty()
            && answers.iter().all(|(answer, there)| {
                let reached = match self.asked.play {
                    Play::Direct => self.late(there, by),
                    Play::Selfplay => self.reached(after, answer, there),
                    _ => false,
                };
                reached || moves > 1 && self.attack(there, moves - 1)
            })
    }

    fn keys(&self, p: &Position<W>) -> Vec<String> {
        if self.asked.play == Play::Reflex && self.can(p) {
            return Vec::new();
        }
        let mut keys: Vec<String> = self
            .turns(p)
            .iter()
            .filter(|(t, after)| self.solves(p, t, after, self.asked.moves))
            .map(|(t, _)| turns::print(self.game, p, t))
            .collect();
        keys.sort();
        keys
    }

    fn lines(&self, p: &Position<W>, left: u32, mater: Color, path: &str, out: &mut Vec<String>) {
        let (series, ending, helped) = match self.asked.play {
            Play::Series(ending, helped) => (true, ending, helped),
            Play::Help(ending) => (false, ending, false),
            _ => unreachable!(),
        };
        let here = p.side == mater;
        if ending == Ending::Reflex && self.can(p) {
            // Whoever has to reach the goal at the very beginning solves.
            if here && path.is_empty() {
                for (turn, after) in self.turns(p) {
                    if self.reached(p, &turn, &after) {
                        out.push(format!(" {}", turns::print(self.game, p, &turn)));
                    }
                }
            }
            return;
        }
        for (turn, after) in self.turns(p) {
            let path = format!("{path} {}", turns::print(self.game, p, &turn));
            let mut on = left > 1;
            match ending {
                Ending::Goal if helped => {
                    for (last, there) in self.turns(&after) {
                        if self.reached(&after, &last, &there) {
                            out.push(format!("{path} {}", turns::print(self.game, &after, &last)));
                        }
                    }
                }
                Ending::Goal if here => {
                    if self.reached(p, &turn, &after) {
                        out.push(path.clone());
                        // Only a side in check cannot pass.
                        on &= series && self.asked.goal == Goal::Stalemate;
                    }
                }
                Ending::Goal => {
                    if self.late(&after, mater) {
                        out.push(path.clone());
                        on = false;
                    }
                }
                _ if here => {
                    on &= ending == Ending::Reflex || !self.reached(p, &turn, &after);
                }
                _ => {
                    let answers = self.turns(&after);
                    let mut reached = answers.iter().map(|(t, q)| self.reached(&after, t, q));
                    let ends = match ending {
                        Ending::Forced => !answers.is_empty() && reached.all(|r| r),
                        _ => reached.any(|r| r),
                    };
                    if ends {
                        out.push(path.clone());
                        on &= series && ending == Ending::Forced;
                    }
                    // The answer is a turn, too.
                    on &= series || left > 2;
                }
            }
            if !on {
                continue;
            }
            if !series {
                self.lines(&after, left - 1, mater, &path, out);
            } else if let Some(next) = passed(self.game, &after) {
                self.lines(&next, left - 1, mater, &path, out);
            }
        }
    }

    /// The lines with one to `left` more turns of the introduction, and the series after it.
    fn introduced(
        &self,
        p: &Position<W>,
        left: u32,
        mater: Color,
        path: &str,
        out: &mut Vec<String>,
    ) {
        for (turn, after) in self.turns(p) {
            let path = format!("{path} {}", turns::print(self.game, p, &turn));
            self.lines(&after, self.asked.moves, mater, &path, out);
            if left > 1
                && let Some(next) = passed(self.game, &after)
            {
                self.introduced(&next, left - 1, mater, &path, out);
            }
        }
    }

    fn all_lines(&self, p: &Position<W>) -> Vec<String> {
        let (own, length) = match self.asked.play {
            Play::Series(Ending::Goal, false) => (true, self.asked.moves),
            Play::Series(..) => (false, self.asked.moves),
            _ => (self.asked.half, self.asked.plies()),
        };
        let mut out = Vec::new();
        match self.asked.introduction {
            0 => self.lines(p, length, if own { p.side } else { !p.side }, "", &mut out),
            most => {
                let mater = if own { !p.side } else { p.side };
                self.introduced(p, most, mater, "", &mut out);
            }
        }
        out.sort();
        out
    }
}

fn control(threads: usize) -> Control<'static> {
    Control::new().with_memory(4 << 20).with_threads(threads)
}

#[test]
fn a_search_of_so_many_positions_ends_in_the_same_place() {
    let variant = Catalog::new().open("fide").expect("a rule set");
    for asked in ["#5", "h=3.5", "ser-h=5"] {
        let setup = Setup::read(&variant, None).expect("a start");
        with_setup!(setup, s => {
            let geometry = s.game.board().geometry();
            let stipulation = Stipulation::parse(asked, &variant.rule_set, geometry).expect("one");
            let problem = Problem::new(s.clone(), stipulation);
            let search = |positions| {
                let limits = Limits { positions: Some(positions), ..Limits::default() };
                let found = problem.solve(&limits, &control(1).with_memory(64 << 20));
                assert_eq!(found.stopped, Some(Stopped::Count(Counted::Positions)), "{asked}");
                found.positions
            };
            let (few, more) = (search(5_000), search(15_000));
            assert_eq!(search(5_000), few, "{asked}");
            assert!((5_000..15_000).contains(&few) && few < more, "{asked}: {few}, {more}");
        });
    }
}

/// Compares one problem with plain search; how many solutions there were.
fn compare<W: Layout>(start: &Start<W>, asked: Stipulation, threads: usize) -> usize {
    compare_goal(start, asked, 0, threads)
}

/// Like [`compare`], with the number of a goal that is an expression.
fn compare_goal<W: Layout>(
    start: &Start<W>,
    asked: Stipulation,
    goal: usize,
    threads: usize,
) -> usize {
    let game = start.game.as_ref();
    let problem = Problem::new(start.clone(), asked.clone());
    let plain = Plain { game, asked, goal };
    let asked = &problem.stipulation;
    let want = Want {
        tree: true,
        ..Want::default()
    };
    let solution = problem.solve_with(&Limits::default(), want, &control(threads));
    let name = format!(
        "{} {} {asked}",
        game.variant(),
        fen::print(game, &start.position)
    );
    assert_eq!(solution.stopped, None, "{name}");
    if matches!(asked.play, Play::Help(_) | Play::Series(..)) {
        let lines: Vec<String> =
            fairyproof::problems::text::all_coordinates(&problem, &solution, &Deadline::endless())
                .iter()
                .map(|line| format!(" {}", line.join(" ")))
                .collect();
        let mut lines = lines;
        lines.sort();
        assert_eq!(lines, plain.all_lines(&start.position), "{name}");
    } else {
        assert_eq!(
            problem.first_turns(&solution),
            plain.keys(&start.position),
            "{name}"
        );
        if !solution.tree.cut {
            check::tree(&problem.judge(), asked, &start.position, &solution.tree)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    fairyproof::problems::text::print(&problem, &solution, &Deadline::endless())
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    solution.count()
}

/// The same on one thread, unless the tree may have more than so many leaves, of `turns` a position
/// at least.
fn compare_small<W: Layout>(
    start: &Start<W>,
    variant: &Variant,
    text: &str,
    turns: u64,
    leaves: f64,
) -> Option<usize> {
    let geometry = start.game.board().geometry();
    let asked = Stipulation::parse(text, &variant.rule_set, geometry).expect("a stipulation");
    let width = start.game.count(&start.position).max(turns) as f64;
    (width.powi(asked.plies() as i32) <= leaves).then(|| compare(start, asked, 1))
}

/// Drawn positions: those that were compared with plain search, and those of them with solutions.
#[derive(Default)]
struct Compared {
    positions: usize,
    solved: usize,
}

impl Compared {
    /// Adds a position, if it is legal and its tree small enough for [`compare_small`].
    fn add(&mut self, variant: &Variant, position: &str, text: &str, turns: u64, leaves: f64) {
        let Ok(setup) = Setup::read(variant, Some(position)) else {
            return;
        };
        let found =
            with_setup!(setup, start => compare_small(&start, variant, text, turns, leaves));
        self.positions += usize::from(found.is_some());
        self.solved += usize::from(found.is_some_and(|solutions| solutions > 0));
    }

    #[track_caller]
    fn assert_more_than(&self, positions: usize, solved: usize) {
        assert!(
            self.positions > positions && self.solved > solved,
            "{} positions, {} with solutions",
            self.positions,
            self.solved
        );
    }
}

const ASKED: [&str; 38] = [
    "#1",
    "#2",
    "s#1",
    "s#2",
    "r#1",
    "r#2",
    "semi-r#1",
    "semi-r#2",
    "h#1",
    "h#1.5",
    "h#2",
    "hs#2",
    "hr#2",
    "hr#1.5",
    "ser-#2",
    "ser-h#1",
    "ser-h#2",
    "ser-s#2",
    "ser-r#2",
    "win 1",
    "win 2",
    "s-win 1",
    "h-win 1.5",
    "ser-win 2",
    "=1",
    "=2",
    "h=1.5",
    "ser-=2",
    "+1",
    "ser-+2",
    "h~1",
    "1->ser-#1",
    "2->ser-#1",
    "2->ser-h#1",
    "1->ser-s#1",
    "2->ser-r#1",
    "2->ser-win 1",
    "1->ser-h=1",
];

#[test]
fn every_rule_set_is_solved_like_by_plain_search() {
    let mut solved = 0;
    for info in variants::all() {
        let variant = Catalog::new().open(info.id).expect("an id");
        let mut random = Random(
            info.id
                .bytes()
                .fold(7, |h, b| (h << 5) ^ (h >> 50) ^ u64::from(b)),
        );
        let mut done = 0;
        for _ in 0..cases() * 30 {
            let Some(setup) = random_position(&variant, &mut random) else {
                continue;
            };
            let text = ASKED[random.below(ASKED.len())];
            let threads = 1 + random.below(2);
            with_setup!(setup, start => {
                let geometry = start.game.board().geometry();
                let Ok(asked) = Stipulation::parse(text, &variant.rule_set, geometry) else { continue };
                // Plain search takes the product of all choices.
                let width = start.game.count(&start.position).max(4) as f64;
                if width.powi(asked.plies() as i32 + 1) > 3e5 {
                    continue;
                }
                solved += usize::from(compare(&start, asked, threads) > 0);
            });
            done += 1;
            if done == cases() {
                break;
            }
        }
        assert!(done > 0, "{}: no position was small enough", info.id);
    }
    assert!(
        solved >= cases() * 3,
        "only {solved} problems had a solution"
    );
}

/// Problems whose goal is an expression.
const PROBLEMS_WITH_EXPRESSIONS: usize = 500;

#[test]
fn goals_that_are_expressions_are_solved_like_by_plain_search() {
    const ASKED: [&str; 8] = [
        "goal 1",
        "goal 2",
        "s-goal 1",
        "s-goal 2",
        "h-goal 1",
        "h-goal 1.5",
        "ser-goal 2",
        "ser-h-goal 1",
    ];
    let catalog = Catalog::new();
    let variants: Vec<Variant> = variants::all()
        .iter()
        .filter_map(|info| catalog.open(info.id).ok())
        .collect();
    let mut random = Random(43);
    let (mut done, mut solved) = (0, 0);
    for n in 0..PROBLEMS_WITH_EXPRESSIONS * 40 {
        if done == PROBLEMS_WITH_EXPRESSIONS {
            break;
        }
        let variant = &variants[n % variants.len()];
        let Some(setup) = random_position(variant, &mut random) else {
            continue;
        };
        let any = setup.game();
        with_setup!(setup, start => {
            let geometry = start.game.board().geometry();
            let text = ASKED[random.below(ASKED.len())];
            let (number, expression) = goals::goal(&any, &mut random);
            let expression = std::cell::Cell::new(Some(expression));
            let goal = || Ok(expression.take().expect("read once"));
            let asked = Stipulation::parse_with(text, &variant.rule_set, geometry, &goal);
            let asked = asked.unwrap_or_else(|e| panic!("{text}: {e}"));
            let width = start.game.count(&start.position).max(4) as f64;
            if width.powi(asked.plies() as i32 + 1) > 5e4 {
                continue;
            }
            solved += usize::from(compare_goal(&start, asked, number, 1 + n % 2) > 0);
        });
        done += 1;
    }
    assert_eq!(done, PROBLEMS_WITH_EXPRESSIONS);
    assert!(solved >= done / 10, "only {solved} problems had a solution");
}

/// Positions in which a king stands close to mate, where pruning by guards has the most to lose.
#[test]
fn helpmates_of_few_units_lose_no_line() {
    let mut random = Random(2002);
    let mut compared = Compared::default();
    for id in ["fide", "bachelor"] {
        let variant = Catalog::new().open(id).expect("an id");
        let (files, ranks) = if id == "fide" { (8, 8) } else { (7, 6) };
        for _ in 0..cases() * 40 {
            let mut board = vec![vec!['.'; files]; ranks];
            let units = [
                "Kk", "KkQ", "KkRp", "KkRB", "KkPn", "KkPPb", "KkNNb", "KkBNp", "KkQr",
            ];
            for unit in units[random.below(units.len())].chars() {
                // The weaker king in a corner of the board, so that mates are common.
                let (rank, file) = match unit {
                    'k' => (random.below(2), random.below(3)),
                    'P' => (1 + random.below(2), random.below(files)),
                    'p' => (1 + random.below(ranks - 2), random.below(files)),
                    _ => (random.below(ranks), random.below(files)),
                };
                board[rank][file] = unit;
            }
            let text = ["h#1", "h#1.5", "h#2", "h#2.5", "s#2", "#2", "#3"][random.below(7)];
            let side = if text.starts_with("h#") && !text.ends_with(".5") {
                "b"
            } else {
                "w"
            };
            let position = format!("{} {side} - - 0 1", board_of(&board));
            compared.add(&variant, &position, text, 8, 2e6);
        }
    }
    compared.assert_more_than(cases() * 4, cases());
}

/// Small boards, so that plain search goes deep: pawns near promotion, captures in passing, ends in
/// mate and stalemate, either color.
#[test]
fn pictures_of_mate_and_stalemate_lose_no_line() {
    const ASKED: [&str; 23] = [
        "h#2",
        "h#2.5",
        "h#3",
        "h=1.5",
        "h=2",
        "h=2.5",
        "h=3",
        "hs#2",
        "hr#2",
        "ser-#2",
        "ser-#3",
        "ser-h#2",
        "ser-h#3",
        "ser-h=2",
        "ser-=3",
        "ser-s#2",
        "ser-r#2",
        "2->ser-#1",
        "1->ser-#2",
        "1->ser-h#2",
        "2->ser-h=1",
        "2->ser-=1",
        "2->ser-s#1",
    ];
    const OTHERS: [&str; 17] = [
        "Q", "R", "RB", "BB", "NN", "N", "P", "PP", "Pp", "Np", "Bb", "Rn", "Pn", "Ppp", "Bpn",
        "Qrb", "NPp",
    ];
    let mut random = Random(1951);
    let mut compared = Compared::default();
    for _ in 0..cases() * 60 {
        let id = ["fide", "fide", "bachelor"][random.below(3)];
        let variant = Catalog::new().open(id).expect("an id");
        let sizes = [(4, 4), (5, 5), (4, 6), (6, 6), (8, 8)];
        let (files, ranks) = match id {
            "fide" => sizes[random.below(5)],
            _ => (7, 6),
        };
        let mut board = vec![vec!['.'; files]; ranks];
        let swapped = random.below(2) == 0;
        for unit in "Kk".chars().chain(OTHERS[random.below(17)].chars()) {
            let (rank, file) = match unit {
                'k' => (random.below(3), random.below(3)),
                'P' => (1 + random.below(2), random.below(files)),
                'p' => (1 + random.below(ranks - 2), random.below(files)),
                _ => (random.below(ranks), random.below(files)),
            };
            board[rank][file] = unit;
        }
        if swapped {
            board.reverse();
            for cell in board.iter_mut().flatten() {
                *cell = match cell.is_ascii_uppercase() {
                    true => cell.to_ascii_lowercase(),
                    false => cell.to_ascii_uppercase(),
                };
            }
        }
        let text = ASKED[random.below(ASKED.len())];
        let position = with_any_side(&board, &mut random);
        compared.add(&variant, &position, text, 5, 3e5);
    }
    compared.assert_more_than(cases() * 10, cases() * 2);
}

/// Small boards crowded with pieces of the side that is stalemated: they are walled in, captured,
/// pinned, or moved to where they cannot go on.
#[test]
fn stalemates_of_many_pieces_lose_no_line() {
    const ASKED: [&str; 9] = [
        "h=1", "h=1.5", "h=2", "ser-h=1", "ser-h=2", "ser-h=3", "ser-=1", "ser-=2", "hs=1.5",
    ];
    const STILL: [&str; 20] = [
        "q", "r", "b", "n", "qr", "qb", "rb", "rr", "bb", "nr", "bn", "qrb", "rrb", "bbn", "bbp",
        "bbpp", "bbb", "bpp", "rpp", "bbrp",
    ];
    const OTHERS: [&str; 12] = [
        "Q", "R", "QB", "RB", "RR", "BB", "QN", "N", "NN", "P", "PN", "",
    ];
    let mut random = Random(1849);
    let variant = Catalog::new().open("fide").expect("the base");
    let mut compared = Compared::default();
    for _ in 0..cases() * 300 {
        let (files, ranks) = [(3, 4), (4, 3), (4, 4), (3, 5)][random.below(4)];
        let mut board = vec![vec!['.'; files]; ranks];
        let (still, others) = (STILL[random.below(20)], OTHERS[random.below(12)]);
        for unit in format!("k{still}{others}K").chars() {
            let place = match unit {
                // In a corner, and his units near him.
                'k' => (0, 0),
                'p' => (1, random.below(3)),
                'P' => (ranks - 2, random.below(files)),
                unit if unit.is_ascii_lowercase() => (random.below(2), random.below(3)),
                _ => (random.below(ranks), random.below(files)),
            };
            board[place.0][place.1] = unit;
        }
        let text = ASKED[random.below(9)];
        let position = with_any_side(&board, &mut random);
        compared.add(&variant, &position, text, 4, 1e5);
    }
    compared.assert_more_than(cases() * 40, cases() * 4);
}

/// Kings and rooks at home with rights to castle, a few units more.
#[test]
fn mates_with_castling_are_not_cut_off() {
    let mut random = Random(1862);
    let variant = Catalog::new().open("fide").expect("the base");
    let mut compared = Compared::default();
    for _ in 0..cases() * 40 {
        let mut board = vec![vec!['.'; 8]; 8];
        for _ in 0..3 + random.below(4) {
            let unit = ['P', 'N', 'B', 'R', 'Q', 'p', 'n', 'r'][random.below(8)];
            let ranks = if matches!(unit, 'P' | 'p') {
                1..7
            } else {
                0..8
            };
            board[ranks.start + random.below(ranks.len())][random.below(8)] = unit;
        }
        // One side may castle; the other king stands near its last rank, or the other way round.
        let whites = random.below(2) == 0;
        let (home, king, rook, other) = if whites {
            (7, 'K', 'R', 'k')
        } else {
            (0, 'k', 'r', 'K')
        };
        board[random.below(8)][random.below(8)] = other;
        board[home][4] = king;
        let (file, right) = if random.below(2) == 0 {
            (7, 'k')
        } else {
            (0, 'q')
        };
        board[home][file] = rook;
        let right = if whites {
            right.to_ascii_uppercase()
        } else {
            right
        };
        let text = ["h#1.5", "h#2", "h#2.5", "s#2", "#2", "#3"][random.below(6)];
        let side = if text == "h#2" || random.below(4) == 0 {
            'b'
        } else {
            'w'
        };
        let position = format!("{} {side} {right} - 0 1", board_of(&board));
        compared.add(&variant, &position, text, 8, 2e6);
    }
    compared.assert_more_than(cases(), 2);
}

/// Compares what leaves the opponent nothing but checks with plain search; how many turns do.
fn forced_checks_are_found<W: Layout>(game: &dyn Game<W>, p: &Position<W>, name: &str) -> usize {
    let (mut all, mut found, mut mates) = (Vec::new(), Vec::new(), false);
    game.turns(p, &mut all);
    game.may_force_checks(p, &mut found);
    assert!(found.iter().all(|turn| all.contains(turn)), "{name}");
    let mut forcing = 0;
    for turn in &all {
        let after = game.play(p, turn);
        let mut answers = Vec::new();
        game.turns(&after, &mut answers);
        let checks = |answer: &Turn| game.in_check(&game.play(&after, answer), p.side);
        if answers.is_empty() || !answers.iter().all(checks) {
            continue;
        }
        forcing += 1;
        let text = turns::print(game, p, turn);
        assert!(found.contains(turn), "{name}: {text} forces checks");
        let mated = |answer: &Turn| {
            let end = game.play(&after, answer);
            game.in_check(&end, p.side) && game.outcome(&end) == Outcome::Win(!p.side, "checkmate")
        };
        mates |= answers.iter().all(mated);
    }
    assert_eq!(game.forces_checkmate(p), mates, "{name}");
    forcing
}

#[test]
fn forced_checks_of_few_units_are_all_found() {
    let mut random = Random(1846);
    for id in ["fide", "convergent", "bachelor"] {
        let variant = Catalog::new().open(id).expect("an id");
        let (files, ranks) = if id == "bachelor" { (7, 6) } else { (8, 8) };
        let mut forcing = 0;
        for _ in 0..cases() * 2000 {
            let units = [
                "Kkqr", "KRkq", "KQRkr", "KQNkrp", "KQBRPkr", "KPkrb", "KRBkrn", "KQPPkb",
                "KRRPkqp", "KQRBNkrb", "KQQPkrp",
            ];
            let placed = crowded(units[random.below(units.len())], files, ranks, &mut random);
            let Ok(setup) = Setup::read(&variant, Some(&format!("{placed} w - - 0 1"))) else {
                continue;
            };
            with_setup!(setup, start => {
                let name = format!("{id} {placed}");
                forcing += forced_checks_are_found(start.game.as_ref(), &start.position, &name);
            });
        }
        assert!(
            forcing > cases() * 5,
            "{id}: only {forcing} turns force checks"
        );
    }
}

#[test]
fn forced_play_of_few_units_loses_no_key() {
    let mut random = Random(1903);
    let (mut done, mut solved) = (0, 0);
    for id in ["fide", "convergent", "bachelor"] {
        let variant = Catalog::new().open(id).expect("an id");
        let (files, ranks) = if id == "bachelor" { (7, 6) } else { (8, 8) };
        for _ in 0..cases() * 120 {
            let units = [
                "KRkr", "KPkq", "KQkp", "KBPkr", "KRkpp", "KNPkr", "KQkn", "KRPkp", "KRBkp",
                "KQPkp",
            ];
            let placed = crowded(units[random.below(units.len())], files, ranks, &mut random);
            let texts = [
                "#2", "#3", "s#1", "s#2", "s#3", "r#1", "r#2", "semi-r#1", "semi-r#2",
            ];
            let text = texts[random.below(texts.len())];
            let Ok(setup) = Setup::read(&variant, Some(&format!("{placed} w - - 0 1"))) else {
                continue;
            };
            with_setup!(setup, start => {
                let geometry = start.game.board().geometry();
                let asked = Stipulation::parse(text, &variant.rule_set, geometry).expect("a stipulation");
                let width = start.game.count(&start.position).max(6) as f64;
                if width.powi(asked.plies() as i32) > 1e7 {
                    continue;
                }
                done += 1;
                solved += usize::from(compare(&start, asked, 1 + done % 2) > 0);
            });
        }
    }
    assert!(
        done > cases() * 20 && solved > cases() * 3,
        "{done} positions, {solved} with solutions"
    );
}

#[test]
fn promises_about_checks_and_flights_hold() {
    let mut checks = 0;
    for info in variants::all() {
        let variant = Catalog::new().open(info.id).expect("an id");
        let mut random = Random(info.id.len() as u64);
        for _ in 0..cases() * 10 {
            let Some(setup) = random_position(&variant, &mut random) else {
                continue;
            };
            with_setup!(setup, start => {
                let (game, p) = (start.game.as_ref(), &start.position);
                let name = format!("{} {}", info.id, fen::print(game, p));
                let (mut all, mut may, mut mates) = (Vec::new(), Vec::new(), Vec::new());
                game.turns(p, &mut all);
                game.may_check(p, &mut may);
                game.checkmates(p, &mut mates, false);
                for turn in &all {
                    let after = game.play(p, turn);
                    let text = turns::print(game, p, turn);
                    if game.in_check(&after, after.side) {
                        checks += 1;
                        assert!(may.contains(turn), "{name}: {text} gives check");
                    }
                    let mate = game.outcome(&after) == Outcome::Win(p.side, "checkmate");
                    assert_eq!(mate, mates.contains(turn), "{name}: {text}");
                }
                assert!(may.iter().all(|turn| all.contains(turn)), "{name}");
                forced_checks_are_found(game, p, &name);
                if game.facts().orthodox_flights() && !all.is_empty() {
                    let king = p.units(p.side, Kind::King).first().expect("a king");
                    let mut gone = *p;
                    gone.take(p.side, Kind::King, king);
                    for to in game.board().neighbors(king).iter() {
                        if p.color(p.side).has(to) {
                            continue;
                        }
                        let free = game.attackers(&gone, to, !p.side).is_empty();
                        let legal = all.iter().any(|t| t.first().from == king && t.first().to == to);
                        assert_eq!(free, legal, "{name}: the king to {to:?}");
                    }
                }
            });
        }
    }
    assert!(checks > cases(), "only {checks} checks");
}

#[test]
fn damaged_trees_are_refused() {
    let variant = Catalog::new().open("fide").expect("the base");
    let setup = Setup::read(&variant, Some("8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1")).expect("a FEN");
    with_setup!(setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse("#2", &variant.rule_set, geometry).expect("a stipulation");
        let problem = Problem::new(start, stipulation);
        let want = Want { tree: true, ..Want::default() };
        let solution = problem.solve_with(&Limits::default(), want, &control(1));
        let check = |tree: &Tree| {
            check::tree(&problem.judge(), &problem.stipulation, &problem.start.position, tree)
        };
        let whole = solution.tree;
        assert!(check(&whole).is_ok());
        let mut missing = whole.clone();
        missing.keys[0].answers.pop();
        assert!(check(&missing).is_err());
        let mut wrong = whole.clone();
        wrong.keys[0].answers[0].next[0].turn = "c3c2".into();
        assert!(check(&wrong).is_err());
        let mut boast = whole.clone();
        boast.keys[0].goal = true;
        assert!(check(&boast).is_err());
        let mut slow = whole;
        let deeper = slow.keys[0].clone();
        slow.keys[0].answers[0].next[0] = deeper;
        assert!(check(&slow).is_err());
    });
}

#[test]
fn wrong_stipulations_say_what_would_be_right() {
    let variant = Catalog::new().open("fide").expect("the base");
    let setup = Setup::read(&variant, None).expect("the start");
    let geometry = with_setup!(&setup, start => start.game.board().geometry());
    for (text, told) in [
        ("", "empty"),
        ("#", "number"),
        ("#0", "whole number"),
        ("#2.5", "half moves"),
        ("h#2.3", "not a number"),
        ("3", "not a play"),
        ("mat 3", "not a play"),
        ("zk93", "square"),
        ("#100", "99"),
        ("win3", "blank"),
        ("marriage 2", "not a play"),
        ("h", "goal"),
        ("h#0.5.5", "number"),
        ("q#2", "not a play"),
    ] {
        let error = Stipulation::parse(text, &variant.rule_set, geometry).expect_err(text);
        let whole = format!("{error} {}", error.help.clone().unwrap_or_default());
        assert!(whole.contains(told), "`{text}`: {whole}");
        // The message has two lines: the error and its help.
        let help = error.help.as_deref().unwrap_or_default();
        for line in [error.to_string(), help.to_string()] {
            let short = !line.is_empty() && line.len() <= 120 && !line.contains('\n');
            assert!(short, "`{text}`: {line}");
        }
    }
    let junta = Catalog::new().open("clerical").expect("an id");
    let error =
        Stipulation::parse("#2", &junta.rule_set, geometry).expect_err("no checkmate there");
    assert!(error.to_string().contains("no checkmate"), "{error}");
}

#[test]
fn stipulations_print_as_they_are_read() {
    for info in variants::all() {
        let variant = Catalog::new().open(info.id).expect("an id");
        let setup = Setup::read(&variant, None).expect("the start");
        let geometry = with_setup!(&setup, start => start.game.board().geometry());
        for (reason, _) in info.reasons {
            for text in [
                format!("{reason} 3"),
                format!("h-{reason} 2.5"),
                format!("ser-{reason} 4"),
            ] {
                let read = Stipulation::parse(&text, &variant.rule_set, geometry).expect(&text);
                assert_eq!(read.to_string(), text);
            }
        }
        for text in [
            "win 2",
            "s-win 3",
            "semi-r-win 2",
            "ser-h-win 2",
            "hzd36",
            "zd312",
            "~1",
        ] {
            let read = Stipulation::parse(text, &variant.rule_set, geometry).expect(text);
            assert_eq!(read.to_string(), text);
        }
    }
}
