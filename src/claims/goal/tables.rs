//! What the page says of all arrays, all squares, all pairs of results.

use super::{start, yes};
use crate::{Effort, Evidence, Finding, Verdict, listed};
use board::{Color, Kind, Square, Squares};
use control::parallel;
use explore::StepGraph;
use notation::fen;
use position::{Narrow, Position};
use rules::{Action, Game, with_turns};
use std::collections::BTreeMap;
use variants::spartan::{Ending, MOVES, MatchResult, match_result};

/// The men of each color and kind in the box for an array: where the halves of the board
/// belong to men of different colors, those of the left half change it.
fn men(game: &dyn Game<Narrow>, p: &Position<Narrow>) -> [[u32; 6]; 2] {
    let geometry = game.board().geometry();
    let mut men = [[0; 6]; 2];
    for square in p.occupied().iter() {
        if let Some((side, kind)) = p.unit(square) {
            let swapped = game.men().halves && geometry.file(square) < geometry.files() / 2;
            let color = if swapped { !side } else { side };
            men[color.index()][kind.index()] += 1;
        }
    }
    men
}

pub(super) fn modest(_: &Effort) -> Finding {
    let fide = start("fide");
    let set = men(fide.game.as_ref(), &fide.position);
    let size = fide.position.occupied().len();
    let page = variants::blunder_mate::INFO.page;
    let mut evidence = Evidence::new(&[
        "variant",
        "board",
        "white_men",
        "black_men",
        "most_men_in_play_and_reserve",
        "fits",
        "fen",
    ]);
    let (mut variants, mut most, mut misfits) = (0, 0, Vec::new());
    for info in variants::all() {
        if info.page != page {
            continue;
        }
        let start = start(info.id);
        let game = start.game.as_ref();
        let geometry = game.board().geometry();
        let here = men(game, &start.position);
        // Drops and returns bring back what was there: this is the most that play can need.
        let needed = game.key_plan(&start.position).units;
        let flat = geometry.files() == 8 && geometry.ranks() == 8 && geometry.holes() == 0;
        let boxed = here
            .iter()
            .flatten()
            .zip(set.iter().flatten())
            .all(|(n, most)| n <= most);
        let fits = flat && !geometry.wraps() && boxed && needed <= size as usize;
        variants += 1;
        most = most.max(needed);
        if !fits {
            misfits.push(info.id.to_string());
        }
        let sums = here.map(|men| men.iter().sum::<u32>().to_string());
        let [white, black] = sums;
        evidence.row([
            info.id.to_string(),
            geometry.size(),
            white,
            black,
            needed.to_string(),
            yes(fits),
            fen::print(game, &start.position),
        ]);
    }
    let summary = format!(
        "{variants} arrays, of at most {most} men with what is in reserve, against the {size} of \
         the orthodox set, kind by kind and color by color; {} do not fit{}",
        misfits.len(),
        if misfits.is_empty() {
            String::new()
        } else {
            format!(": {}", listed(&misfits))
        }
    );
    Finding::exhaustive(variants > 0 && misfits.is_empty(), summary, evidence)
}

/// Positions with an attacked queen, and captures of an attacker by her.
#[derive(Clone, Default)]
struct Attacked {
    positions: u64,
    captures: u64,
    /// Turns of the queen that capture something else.
    others: u64,
    example: Option<Position<Narrow>>,
}

impl Attacked {
    fn look(&mut self, game: &dyn Game<Narrow>, p: &Position<Narrow>, queen: Square) {
        let attackers = game.attackers(p, queen, !p.side);
        if attackers.is_empty() {
            return;
        }
        self.positions += 1;
        with_turns(|turns| {
            game.pseudo_turns(p, turns);
            for turn in turns.iter().filter(|turn| turn.first().from == queen) {
                let to = turn.first().to;
                if attackers.has(to) {
                    self.captures += 1;
                    self.example.get_or_insert(*p);
                } else if p.color(!p.side).has(to) {
                    self.others += 1;
                }
            }
        });
    }

    fn add(&mut self, other: &Attacked) {
        self.positions += other.positions;
        self.captures += other.captures;
        self.others += other.others;
        self.example = self.example.or(other.example);
    }
}

pub(super) fn no_capture(effort: &Effort) -> Finding {
    attacked_queens("regent", effort)
}

/// Returns every queen of either side with an attacker of every kind, alone and with one more unit: does she
/// ever have a pseudo-legal capture of a unit that attacks her?
pub fn attacked_queens(id: &str, effort: &Effort) -> Finding {
    let start = start(id);
    let game = start.game.as_ref();
    let squares = game.board().squares();
    let mut cases: Vec<(Color, Kind, Square)> = Vec::new();
    for side in Color::BOTH {
        for kind in Kind::ALL {
            cases.extend(squares.iter().map(|queen| (side, kind, queen)));
        }
    }
    let barred = |side: Color, kind: Kind, square: Square| {
        kind == Kind::Pawn && game.no_pawns(side).has(square)
    };
    let counted: Vec<[Attacked; 2]> = parallel::map_all(&cases, |&(side, kind, queen)| {
        let mut found = [Attacked::default(), Attacked::default()];
        if effort.stopped() {
            return found;
        }
        for from in squares.without(queen).iter() {
            if barred(!side, kind, from) {
                continue;
            }
            let mut p = Position::<Narrow>::empty();
            p.side = side;
            p.put(side, Kind::Queen, queen);
            p.put(!side, kind, from);
            found[0].look(game, &p, queen);
            for owner in Color::BOTH {
                for other in Kind::ALL {
                    // A side has one queen.
                    let second = other == Kind::Queen && (owner == side || kind == other);
                    if second {
                        continue;
                    }
                    for third in squares.without(queen).without(from).iter() {
                        if !barred(owner, other, third) {
                            let mut more = p;
                            more.put(owner, other, third);
                            found[1].look(game, &more, queen);
                        }
                    }
                }
            }
        }
        found
    });
    let mut evidence = Evidence::new(&[
        "queen",
        "attacker",
        "further_units",
        "positions",
        "captures_of_an_attacker",
        "captures_of_another_unit",
        "fen_of_a_capture",
    ]);
    let mut all = Attacked::default();
    for side in Color::BOTH {
        for kind in Kind::ALL {
            for further in 0..2 {
                let mut sum = Attacked::default();
                for (case, found) in cases.iter().zip(&counted) {
                    if (case.0, case.1) == (side, kind) {
                        sum.add(&found[further]);
                    }
                }
                all.add(&sum);
                evidence.row([
                    side.letter().to_string(),
                    game.men().letter(!side, kind).to_string(),
                    further.to_string(),
                    sum.positions.to_string(),
                    sum.captures.to_string(),
                    sum.others.to_string(),
                    sum.example.map_or(String::new(), |p| fen::print(game, &p)),
                ]);
            }
        }
    }
    let summary = format!(
        "{} positions of an attacked queen with an attacker of each kind, alone and with one more \
         unit of either side on any square: {} captures of an attacker, {} of another unit",
        all.positions, all.captures, all.others
    );
    Finding::exhaustive(all.positions > 0 && all.captures == 0, summary, evidence)
}

pub(super) fn colorbound(_: &Effort) -> Finding {
    color_of_steps("concurrent")
}

/// Returns each unit alone, and with one enemy pawn on each other square: do its steps keep the color of its
/// square? Mirror steps are counted apart.
pub fn color_of_steps(id: &str) -> Finding {
    let start = start(id);
    let game = start.game.as_ref();
    let board = game.board();
    let geometry = board.geometry();
    let dark = |square: Square| (geometry.file(square) + geometry.rank(square)).is_multiple_of(2);
    let mut evidence = Evidence::new(&[
        "unit",
        "steps",
        "steps_that_change_color",
        "components",
        "mirror_steps",
        "mirror_steps_that_change_color",
        "example_of_a_change",
    ]);
    let (mut changes, mut mirrors, mut mirror_changes, mut units) = (0, 0, 0, 0);
    for side in Color::BOTH {
        for kind in Kind::ALL {
            let barred = if kind == Kind::Pawn {
                game.no_pawns(side)
            } else {
                u64::EMPTY
            };
            let (mut steps, mut mirrored) = (BTreeMap::new(), BTreeMap::new());
            for from in (board.squares() & !barred).iter() {
                let mut alone = Position::<Narrow>::empty();
                alone.side = side;
                alone.put(side, kind, from);
                let free = board.squares().without(from) & !game.no_pawns(!side);
                let crowded = free.iter().map(|square| {
                    let mut p = alone;
                    p.put(!side, Kind::Pawn, square);
                    p
                });
                for p in std::iter::once(alone).chain(crowded) {
                    with_turns(|turns| {
                        game.pseudo_turns(&p, turns);
                        for step in turns.iter().flat_map(|turn| turn.steps()) {
                            let of = match step.action() {
                                Action::Mirror => &mut mirrored,
                                _ => &mut steps,
                            };
                            of.insert((step.from, step.to), dark(step.from) != dark(step.to));
                        }
                    });
                }
            }
            let graph = StepGraph::new(board.squares().iter(), |from| {
                let here = steps.keys().filter(move |(f, _)| *f == from);
                here.map(|(_, to)| *to).collect::<Vec<_>>()
            });
            let count = |of: &BTreeMap<(Square, Square), bool>| {
                of.values().filter(|changed| **changed).count()
            };
            let example = steps
                .iter()
                .find(|(_, changed)| **changed)
                .map_or(String::new(), |((from, to), _)| {
                    geometry.name(*from) + &geometry.name(*to)
                });
            units += u32::from(!steps.is_empty());
            changes += count(&steps);
            mirrors += mirrored.len();
            mirror_changes += count(&mirrored);
            evidence.row([
                game.men().letter(side, kind).to_string(),
                steps.len().to_string(),
                count(&steps).to_string(),
                graph.components().to_string(),
                mirrored.len().to_string(),
                count(&mirrored).to_string(),
                example,
            ]);
        }
    }
    let summary = format!(
        "{units} units, each on every square, alone and with an enemy on every other: {changes} \
         steps change the color of the square; of {mirrors} mirror steps {mirror_changes} do"
    );
    let holds = units == 12 && changes == 0 && mirror_changes == mirrors;
    Finding::exhaustive(holds, summary, evidence)
}

/// Returns every way in which a game of the match can end.
pub fn endings(moves: u32) -> Vec<Ending> {
    (1..=moves)
        .map(Ending::WhiteMated)
        .chain((1..=moves).map(Ending::BlackMated))
        .chain([Ending::Unmated])
        .collect()
}

/// Returns what the page's words say of two games, sentence by sentence; each answer that one of them gives.
fn by_the_page(moves: u32, first: Ending, second: Ending) -> Vec<MatchResult> {
    use MatchResult::{Draw, FirstBlack, SecondBlack};
    let mut said = Vec::new();
    // Checkmating in fewer moves wins; without mate a game counts one move more than there are.
    let taken = |game: Ending| match game {
        Ending::WhiteMated(n) => Some(n),
        Ending::Unmated => Some(moves + 1),
        Ending::BlackMated(_) => None,
    };
    if let (Some(a), Some(b)) = (taken(first), taken(second)) {
        said.push(match a {
            _ if a < b => FirstBlack,
            _ if b < a => SecondBlack,
            _ => Draw,
        });
    }
    // Who is checkmated as Black loses, unless the other one is, in fewer moves, or in as many.
    let mut mated = |own: Ending, other: Ending, lost: MatchResult, won: MatchResult| {
        if let Ending::BlackMated(lasted) = own {
            said.push(match other {
                Ending::BlackMated(n) if n < lasted => won,
                Ending::BlackMated(n) if n == lasted => Draw,
                _ => lost,
            });
        }
    };
    mated(first, second, SecondBlack, FirstBlack);
    mated(second, first, FirstBlack, SecondBlack);
    said
}

fn kind_of(ending: Ending) -> (&'static str, Option<u32>) {
    match ending {
        Ending::WhiteMated(n) => ("white-mated", Some(n)),
        Ending::BlackMated(n) => ("black-mated", Some(n)),
        Ending::Unmated => ("unmated", None),
    }
}

/// Returns the result as a word.
fn word(result: MatchResult) -> &'static str {
    match result {
        MatchResult::FirstBlack => "first-black",
        MatchResult::SecondBlack => "second-black",
        MatchResult::Draw => "draw",
    }
}

pub(super) fn spartan_match(_: &Effort) -> Finding {
    matches(match_result)
}

/// Holds a judge of matches against the page's words, for all pairs of results.
pub fn matches(judge: fn(u32, Ending, Ending) -> MatchResult) -> Finding {
    let all = endings(MOVES);
    let mut table: BTreeMap<(&str, &str, &str, &str), u64> = BTreeMap::new();
    let (mut pairs, mut silent, mut torn, mut other) = (0, 0, 0, 0);
    for &first in &all {
        for &second in &all {
            pairs += 1;
            let said = by_the_page(MOVES, first, second);
            let judged = judge(MOVES, first, second);
            silent += u64::from(said.is_empty());
            torn += u64::from(said.windows(2).any(|two| two[0] != two[1]));
            other += u64::from(said.iter().any(|result| *result != judged));
            let (a, b) = (kind_of(first), kind_of(second));
            let relation = match (a.1, b.1) {
                (Some(a), Some(b)) if a < b => "fewer",
                (Some(a), Some(b)) if a > b => "more",
                (Some(_), Some(_)) => "equal",
                _ => "-",
            };
            *table.entry((a.0, b.0, relation, word(judged))).or_default() += 1;
        }
    }
    let mut evidence = Evidence::new(&[
        "first_game",
        "second_game",
        "moves_of_the_first",
        "winner",
        "pairs",
    ]);
    for ((first, second, relation, winner), n) in table {
        evidence.row([first, second, relation, winner, &n.to_string()]);
    }
    let summary = format!(
        "{pairs} pairs of results of {MOVES} moves at most: the page says nothing of {silent}, \
         contradicts itself on {torn}, and is judged otherwise on {other}"
    );
    let mut finding = Finding::exhaustive(silent + torn + other == 0, summary, evidence);
    if silent + torn > 0 {
        finding.verdict = Verdict::Refuted;
    }
    finding
}
