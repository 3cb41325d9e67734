//! Claims about Bachelor Chess (Doug Chatham, The Chess Variant Pages, 2002).

use super::{Claim, Effort, Evidence, Finding, Scope, Verdict, listed, opened};
use board::{Color, Kind, Squares};
use control::parallel;
use notation::game_lines::{self, PrintedTurn};
use notation::{Setup, Start, fen, turns};
use position::{Narrow, Position};
use rules::{Game, Outcome, Turn, with_turns};
use values::Layout;
use variants::bachelor::MARRIAGE;

const PAGE: &str = "Bachelor Chess, The Chess Variant Pages, 2002";
const BEYOND: &str = "beyond the page Bachelor Chess, The Chess Variant Pages, 2002";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "bachelor/sample-legal",
        source: PAGE,
        claim: "the printed game, which begins with turn 2, is a legal game",
        check: sample_legal,
    },
    Claim {
        id: "bachelor/sample-ending",
        source: PAGE,
        claim: "it ends, and not earlier, with Black's marriage",
        check: sample_ending,
    },
    Claim {
        id: "bachelor/sample-missed",
        source: BEYOND,
        claim: "in the printed game neither side passes over a win in one",
        check: sample_missed,
    },
    Claim {
        id: "bachelor/no-married-check",
        source: PAGE,
        claim: "a turn that marries always leaves the king out of check",
        check: no_married_check,
    },
];

/// The game as the page prints it, its first turns missing.
pub const PRINTED: &str = "\
2. d2-d3 Kd6-c5
3. e2-e3 d5-d4
4. Kd1-d2 b5-b4
5. d3xc4 Nb6xc4
6. Na3xc4 Be6xc4
7. Nc1-b3+ Kc5-b5
8. Bf1-d3 e5-e4
9. Bd3-f1 d4xe3+
10. Kd2xe3 Bf6xb2
11. Ra1-d1 f5-f4+
12. Ke3xe4 Rg6-e6+
13. Ke4-f5 Bc4xf1=QE
14. Rg1xf1 Re6-f6+
15. Kf5-e4 Kb5-c4
16. Ke4-f3 a5-a4
17. Kf3-e4 a4xb3
18. c2xb3+ Kc4-c5
19. Rd1-b1 Ra6xa2
20. Rb1xb2 Ra2xb2
21. Be1xb4+ Kc5xb4
22. g2-g3 Rb2-e2+
23. Ke4-f3 Rf6-e6
24. g3xf4 Kb4-b5
25. f4xg5 Re2-e1=QE
26. Rf1xe1 Re6xe1=QE
27. g5-g6=QE Qe1-b4M
";

/// Returns the game at its start.
fn start() -> Start<Narrow> {
    match opened("bachelor", None) {
        Setup::Narrow(start) => start,
        _ => unreachable!("forty-two squares are narrow"),
    }
}

/// A pair of first turns after which the whole printed game is legal.
struct Opening {
    pair: [String; 2],
    /// The position before the first printed turn.
    position: Position<Narrow>,
}

/// Returns how far printed turns are legal from a position.
fn legal_turns<W: Layout>(
    game: &dyn Game<W>,
    from: &Position<W>,
    printed: &[PrintedTurn],
) -> usize {
    let mut p = *from;
    for (i, turn) in printed.iter().enumerate() {
        match turn.find(game, &p) {
            Some(turn) => p = game.play(&p, &turn),
            None => return i,
        }
    }
    printed.len()
}

/// Returns all pairs of first turns that make the rest legal; the pairs tried; how far the best other pair
/// comes, in printed turns.
fn openings(start: &Start<Narrow>, printed: &[PrintedTurn]) -> (Vec<Opening>, u64, usize) {
    let game = start.game.as_ref();
    let (mut found, mut tried, mut furthest) = (Vec::new(), 0, 0);
    for (white, turn) in turns::sorted(game, &start.position) {
        let after = game.play(&start.position, &turn);
        for (black, turn) in turns::sorted(game, &after) {
            let position = game.play(&after, &turn);
            tried += 1;
            let legal = legal_turns(game, &position, printed);
            if legal == printed.len() {
                found.push(Opening {
                    pair: [white.clone(), black],
                    position,
                });
            } else {
                furthest = furthest.max(legal);
            }
        }
    }
    (found, tried, furthest)
}

/// Returns the printed turns. (That they read is tested.)
fn printed() -> Vec<PrintedTurn> {
    game_lines::read(PRINTED).unwrap_or_default()
}

fn sample_legal(_: &Effort) -> Finding {
    legality(&printed())
}

/// Judges whether printed turns that lack the first move are a legal game.
pub fn legality(printed: &[PrintedTurn]) -> Finding {
    let start = start();
    let (found, tried, furthest) = openings(&start, printed);
    let mut evidence = Evidence::new(&["fen", "turns"]);
    for opening in &found {
        let mut line = opening.pair.to_vec();
        line.extend(
            replay(start.game.as_ref(), &opening.position, printed)
                .iter()
                .map(|at| at.coordinates.clone()),
        );
        evidence.row([
            fen::print(start.game.as_ref(), &start.position),
            line.join(" "),
        ]);
    }
    let pairs: Vec<String> = found.iter().map(|o| o.pair.join(" ")).collect();
    let (verdict, summary) = if found.is_empty() {
        (
            Verdict::Refuted,
            format!(
                "none of {tried} pairs of first turns makes the rest legal; the best one fails \
                 after {furthest} of {} printed turns",
                printed.len()
            ),
        )
    } else {
        (
            Verdict::ConfirmedAsAmended,
            format!(
                "turn 1, which the page lacks, supplied: of all {tried} pairs of first turns {} \
                 make{} the {} printed turns legal: {}; every other pair fails after at most \
                 {furthest}",
                found.len(),
                if found.len() == 1 { "s" } else { "" },
                printed.len(),
                listed(&pairs)
            ),
        )
    };
    Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary,
        evidence,
    }
}

/// A printed turn carried out.
struct Played {
    before: Position<Narrow>,
    after: Position<Narrow>,
    coordinates: String,
}

/// Plays printed turns up to the first illegal one.
fn replay(
    game: &dyn Game<Narrow>,
    from: &Position<Narrow>,
    printed: &[PrintedTurn],
) -> Vec<Played> {
    let mut p = *from;
    let mut played = Vec::new();
    for text in printed {
        let Some(turn) = text.find(game, &p) else {
            break;
        };
        let after = game.play(&p, &turn);
        played.push(Played {
            before: p,
            after,
            coordinates: turns::print(game, &p, &turn),
        });
        p = after;
    }
    played
}

/// Returns the printed game behind the first pair of turns that makes it legal; empty if there is none.
fn sample(start: &Start<Narrow>, printed: &[PrintedTurn]) -> Vec<Played> {
    let (found, _, _) = openings(start, printed);
    found.first().map_or(Vec::new(), |opening| {
        replay(start.game.as_ref(), &opening.position, printed)
    })
}

fn no_game(evidence: Evidence) -> Finding {
    Finding {
        verdict: Verdict::Open,
        scope: Scope::Exhaustive,
        summary: "no pair of first turns makes the printed game legal, so it cannot be replayed"
            .to_string(),
        evidence,
    }
}

fn sample_ending(_: &Effort) -> Finding {
    let start = start();
    let game = start.game.as_ref();
    let printed = printed();
    let mut evidence = Evidence::new(&["move", "printed", "turn", "fen_after", "outcome"]);
    let played = sample(&start, &printed);
    if played.is_empty() {
        return no_game(evidence);
    }
    let mut over: Vec<(String, Outcome)> = Vec::new();
    for (text, at) in printed.iter().zip(&played) {
        let outcome = game.outcome(&at.after);
        if !outcome.is_ongoing() {
            over.push((text.place() + " " + &text.text, outcome));
        }
        evidence.row([
            text.place(),
            text.text.clone(),
            at.coordinates.clone(),
            fen::print(game, &at.after),
            outcome.to_string(),
        ]);
    }
    let last = played.last().map(|at| game.outcome(&at.after));
    let holds = over.len() == 1 && last == Some(Outcome::Win(Color::Black, MARRIAGE));
    let ends: Vec<String> = over.iter().map(|(at, o)| format!("{at}: {o}")).collect();
    Finding {
        verdict: Verdict::of(holds),
        scope: Scope::Witness,
        summary: format!(
            "of the positions after the {} printed turns these are no longer ongoing: {}",
            played.len(),
            listed(&ends)
        ),
        evidence,
    }
}

/// Returns the legal turns that win at once for the side to move, with their outcomes, in byte order.
fn wins<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Vec<(String, Outcome)> {
    turns::sorted(game, p)
        .into_iter()
        .map(|(text, turn)| (text, game.outcome(&game.play(p, &turn))))
        .filter(|(_, outcome)| matches!(outcome, Outcome::Win(by, _) if *by == p.side))
        .collect()
}

fn sample_missed(_: &Effort) -> Finding {
    let start = start();
    let game = start.game.as_ref();
    let printed = printed();
    let mut evidence = Evidence::new(&[
        "move",
        "printed",
        "winning_turn",
        "outcome",
        "played",
        "fen_before",
    ]);
    let played = sample(&start, &printed);
    if played.is_empty() {
        return no_game(evidence);
    }
    let (mut missed, mut taken) = (Vec::new(), 0);
    for (text, at) in printed.iter().zip(&played) {
        let wins = wins(game, &at.before);
        let took = wins.iter().any(|(turn, _)| *turn == at.coordinates);
        taken += usize::from(took);
        if !wins.is_empty() && !took {
            let turns: Vec<&str> = wins.iter().map(|(turn, _)| turn.as_str()).collect();
            missed.push(format!(
                "{} {} instead of {}",
                text.place(),
                text.text,
                turns.join(" or ")
            ));
        }
        for (turn, outcome) in &wins {
            evidence.row([
                text.place(),
                text.text.clone(),
                turn.clone(),
                outcome.to_string(),
                if took { "a win" } else { "no win" }.to_string(),
                fen::print(game, &at.before),
            ]);
        }
    }
    let summary = format!(
        "all legal turns at {} turns: a win in one is passed over {} times, taken {taken} times{}{}",
        played.len(),
        missed.len(),
        if missed.is_empty() { "" } else { "; " },
        missed.join("; "),
    );
    Finding::exhaustive(missed.is_empty(), summary, evidence)
}

/// Counts over positions of one kind.
#[derive(Clone, Copy, Default)]
struct Married {
    positions: u64,
    in_check: u64,
    turns: u64,
    turns_out_of_check: u64,
    refused: u64,
    faults: u64,
}

impl Married {
    fn and(self, other: Married) -> Married {
        Married {
            positions: self.positions + other.positions,
            in_check: self.in_check + other.in_check,
            turns: self.turns + other.turns,
            turns_out_of_check: self.turns_out_of_check + other.turns_out_of_check,
            refused: self.refused + other.refused,
            faults: self.faults + other.faults,
        }
    }
}

fn no_married_check(effort: &Effort) -> Finding {
    marriages(start().game.as_ref(), effort)
}

/// Judges all marrying turns with K, Q and one enemy unit besides the enemy king.
pub fn marriages(game: &dyn Game<Narrow>, effort: &Effort) -> Finding {
    let board = game.board();
    let mut evidence = Evidence::new(&[
        "side",
        "enemy_unit",
        "positions",
        "positions_in_check",
        "marrying_turns",
        "marrying_turns_out_of_check",
        "marrying_steps_refused",
        "marrying_turns_in_check",
        "counterexample",
    ]);
    let (mut sum, mut counterexample) = (Married::default(), None);
    for us in Color::BOTH {
        for enemy in [
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
        ] {
            let kings: Vec<_> = board.squares().iter().collect();
            let parts: Vec<(Married, Option<String>)> = parallel::map_all(&kings, |&king| {
                if effort.stopped() {
                    return (Married::default(), None);
                }
                marriages_with(game, us, enemy, king)
            });
            let counts = parts
                .iter()
                .fold(Married::default(), |sum, (part, _)| sum.and(*part));
            let fault = parts.into_iter().find_map(|(_, fault)| fault);
            evidence.row([
                us.letter().to_string(),
                game.men().letter(!us, enemy).to_string(),
                counts.positions.to_string(),
                counts.in_check.to_string(),
                counts.turns.to_string(),
                counts.turns_out_of_check.to_string(),
                counts.refused.to_string(),
                counts.faults.to_string(),
                fault.clone().unwrap_or_default(),
            ]);
            sum = sum.and(counts);
            counterexample = counterexample.or(fault);
        }
    }
    let summary = format!(
        "all {} positions of K and Q against K and one unit, both sides to move first: {} legal \
         turns marry, {} of them out of check; {} leave the king in check{}; {} marrying steps \
         that would are refused",
        sum.positions,
        sum.turns,
        sum.turns_out_of_check,
        sum.faults,
        counterexample.map_or(String::new(), |c| format!(" ({c})")),
        sum.refused
    );
    Finding::exhaustive(sum.faults == 0 && sum.turns > 0, summary, evidence)
}

/// Returns all positions with the king of `us`, to move, on one square.
fn marriages_with(
    game: &dyn Game<Narrow>,
    us: Color,
    enemy: Kind,
    king: board::Square,
) -> (Married, Option<String>) {
    let board = game.board();
    let (mut counts, mut fault) = (Married::default(), None);
    let mut judged: Vec<(Turn, bool)> = Vec::new();
    let free = board.squares().without(king);
    // The squares next to a unit on this square, for a king.
    let next_to = |here: board::Square| {
        let squares = board.squares().iter();
        let near = squares.filter(|&from| board.neighbors(from).has(here));
        near.fold(u64::EMPTY, |set, from| set.with(from))
    };
    let next_to_king = next_to(king);
    let mut p = Position::<Narrow>::empty();
    p.side = us;
    p.put(us, Kind::King, king);
    let no_pawns = match enemy {
        Kind::Pawn => game.no_pawns(!us),
        _ => 0,
    };
    for queen in free.iter() {
        let mut p = p;
        p.put(us, Kind::Queen, queen);
        let next_to_queen = next_to(queen);
        for their_king in (free.without(queen) & !board.neighbors(king)).iter() {
            let mut p = p;
            p.put(!us, Kind::King, their_king);
            for square in (free.without(queen).without(their_king) & !no_pawns).iter() {
                let mut p = p;
                p.put(!us, enemy, square);
                if game.settled(&p).is_some() || game.in_check(&p, !us) {
                    continue;
                }
                counts.positions += 1;
                let checked = game.in_check(&p, us);
                counts.in_check += u64::from(checked);
                let marries = |turn: &Turn| {
                    let step = turn.first();
                    match step.result() {
                        Kind::King => next_to_queen.has(step.to),
                        Kind::Queen => next_to_king.has(step.to),
                        _ => false,
                    }
                };
                let in_check_after = |turn: &Turn| game.in_check(&game.play(&p, turn), us);
                // Most steps are legal: each is carried out once for both lists.
                judged.clear();
                with_turns(|list| {
                    game.pseudo_turns(&p, list);
                    let steps = list.iter().filter(|turn| marries(turn));
                    judged.extend(steps.map(|turn| (*turn, in_check_after(turn))));
                });
                counts.refused += judged.iter().filter(|(_, left)| *left).count() as u64;
                with_turns(|list| {
                    game.turns(&p, list);
                    for turn in list.iter().filter(|turn| marries(turn)) {
                        let known = judged.iter().find(|(judged, _)| judged == turn);
                        let left = known.map_or_else(|| in_check_after(turn), |(_, left)| *left);
                        counts.turns += 1;
                        if left {
                            counts.faults += 1;
                            fault.get_or_insert_with(|| {
                                let turn = turns::print(game, &p, turn);
                                format!("{} {turn}", fen::print(game, &p))
                            });
                        } else {
                            counts.turns_out_of_check += u64::from(checked);
                        }
                    }
                });
            }
        }
    }
    (counts, fault)
}
