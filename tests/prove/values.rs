//! What is proven and disproven, against the values of whole graphs.

use crate::random::Random;
use crate::{CONTROL, proof, proof_under};
use fairyproof::board::Color;
use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, Observer};
use fairyproof::explore;
use fairyproof::notation::{Setup, Start, fen};
use fairyproof::position::Narrow;
use fairyproof::prove::check::check;
use fairyproof::prove::{Certificate, Found, Goal, Layout, Limits, Prover, Status};
use fairyproof::values::Value;
use fairyproof::values::solve_game;
use fairyproof::with_setup;
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Returns the most states of an array that is compared here; `FAIRYPROOF_PROVE_STATES` says another number.
fn most_states() -> u64 {
    match std::env::var("FAIRYPROOF_PROVE_STATES") {
        Ok(number) => number.parse().expect("a number of states"),
        Err(_) => 25_000,
    }
}

/// Returns the plies within which a side wins, if it does.
fn won_by(value: Value, mover: Color, side: Color) -> Option<u16> {
    match value {
        Value::Win(plies) if mover == side => Some(plies),
        Value::Loss(plies) if mover != side => Some(plies),
        _ => None,
    }
}

/// Asserts that an answer is what the graph says, and that its certificate holds.
fn assert_answer<W: Layout>(start: &Start<W>, found: &Found, won: Option<u16>, name: &str) {
    let game = start.game.as_ref();
    match won {
        Some(plies) => {
            assert_eq!(found.status, Status::Proven, "{name}");
            let length = found.plies.expect("a length");
            assert!(length >= plies, "{name}: {length} < {plies}");
            assert!(!found.shortest || length == plies, "{name}");
            assert!(found.none_within_plies < plies, "{name}");
        }
        None => assert_eq!(found.status, Status::Disproven, "{name}"),
    }
    let certificate = found.certificate.as_ref().expect("a certificate");
    let checked = check(game, &start.position, certificate).expect(name);
    assert_eq!(
        checked.plies,
        found.plies.filter(|_| won.is_some()),
        "{name}"
    );
    // As a file it says the same.
    let mut bytes = Vec::new();
    certificate.write(&mut bytes).expect("a vector takes it");
    let read = Certificate::read(&mut bytes.as_slice(), u64::MAX).expect(name);
    assert_eq!(&read, certificate, "{name}");
}

#[test]
fn small_boards_have_the_values_of_their_graphs() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/reports/small-boards.csv");
    let mut reader = csv::Reader::from_path(file).expect("the report");
    let mut variants = BTreeSet::new();
    let mut compared = [0, 0];
    let most = most_states();
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    for row in &rows {
        let states: u64 = row[4].parse().expect("a number");
        if states > most || &row[3] != "complete" {
            continue;
        }
        let variant = Catalog::new().open(&row[0]).expect("a variant");
        let setup = Setup::read(&variant, Some(&row[2])).expect("an array");
        with_setup!(&setup, start => {
            let mover = start.position.side;
            let plies: u16 = row[7].parse().unwrap_or(0);
            let value = match &row[6] {
                "win" => Value::Win(plies),
                "loss" => Value::Loss(plies),
                "weak-win" => Value::WeakWin(plies),
                "weak-loss" => Value::WeakLoss(plies),
                _ => Value::Draw,
            };
            for side in Color::BOTH {
                let name = format!("{} {} for {side:?}", &row[0], &row[2]);
                let won = won_by(value, mover, side);
                let found = proof(start, side, &Goal::Win, Limits::default());
                assert_answer(start, &found, won, &name);
                compared[usize::from(won.is_some())] += 1;
                println!("{name}: {:?}, {} positions", found.status, found.report.positions);
            }
        });
        variants.insert(row[0].split(':').next().map(str::to_string));
    }
    assert!(variants.len() > 15, "{} variants", variants.len());
    assert!(compared.iter().all(|n| *n > 10), "{compared:?}");
}

/// Random states of a graph, each with its value.
fn states<W: Layout>(start: &Start<W>, wanted: usize, seed: u64) -> Vec<(Start<W>, Value)> {
    let game = start.game.as_ref();
    let found = explore::explore(
        game,
        &start.position,
        &explore::Limits::default(),
        &Control::new(),
    );
    assert!(found.summary.complete());
    let values = solve_game(game, &found, &Control::new()).expect("values");
    let mut random = Random(seed);
    let mut picked = Vec::new();
    while picked.len() < wanted {
        let state = random.below(found.states.len()) as u32;
        let position = found.position(state);
        let value = values.of(state);
        if game.outcome(&position).is_ongoing() {
            let game = start.game.clone();
            picked.push((Start { game, position }, value));
        }
    }
    picked
}

const BOARDS: [(&str, &str); 5] = [
    ("fide", "kqr/3/3/KQR w - - 0 1"),
    ("fide", "k2/2p/3/3/3/P2/2K w - - 0 1"),
    ("ultimate", "knb/3/3/KNB w - - 0 1"),
    ("entourage", "kqr/3/3/KQR w - - 0 1"),
    ("counselor", "kq/2/2/KQ w - - 0 1"),
];

fn each_board(with: impl Fn(&str, &Setup)) {
    for (id, array) in BOARDS {
        let variant = Catalog::new().open(id).expect("a variant");
        let setup = Setup::read(&variant, Some(array)).expect("an array");
        with(id, &setup);
    }
}

#[test]
fn wins_are_proven_within_their_length_and_not_within_less() {
    each_board(|id, setup| {
        with_setup!(setup, start => for (start, value) in states(start, 60, 1) {
            let mover = start.position.side;
            for side in Color::BOTH {
                let name = format!("{id} {}", fen::print(start.game.as_ref(), &start.position));
                let within = |plies| Limits { plies: Some(plies), ..Limits::default() };
                match won_by(value, mover, side) {
                    Some(plies) => {
                        let found = proof(&start, side, &Goal::Win, within(plies));
                        assert_answer(&start, &found, Some(plies), &name);
                        assert_eq!(found.plies, Some(plies), "{name}");
                        if plies > 1 {
                            let found = proof(&start, side, &Goal::Win, within(plies - 1));
                            assert_eq!(found.status, Status::NoneWithin, "{name}");
                        }
                    }
                    None => {
                        let found = proof(&start, side, &Goal::Win, within(7));
                        assert_ne!(found.status, Status::Proven, "{name}");
                        assert_ne!(found.status, Status::Open, "{name}");
                    }
                }
            }
        });
    });
}

/// Asserts that the shortest win of the side to move is proven, and that it is shown to be the shortest.
fn assert_shortest<W: Layout>(
    start: &Start<W>,
    limits: Limits,
    control: &Control<'_>,
    plies: u16,
    name: &str,
) {
    let found = proof_under(start, start.position.side, &Goal::Win, limits, control);
    assert_answer(start, &found, Some(plies), name);
    assert_eq!(found.plies, Some(plies), "{name}");
    assert!(found.shortest, "{name}");
}

#[test]
fn a_table_that_forgets_nearly_all_and_several_threads_give_the_same_answers() {
    each_board(|id, setup| {
        with_setup!(setup, start => for (start, value) in states(start, 12, 2) {
            let side = start.position.side;
            let name = format!("{id} {}", fen::print(start.game.as_ref(), &start.position));
            let Some(plies) = won_by(value, side, side).filter(|plies| *plies <= 9) else {
                continue;
            };
            for (memory_bytes, threads) in [(1, 1), (1, 3), (64 << 20, 3)] {
                let few = Limits { shortest: true, ..Limits::default() };
                let control = Control::new().with_memory(memory_bytes).with_threads(threads);
                assert_shortest(&start, few, &control, plies, &name);
            }
        });
    });
}

#[test]
fn search_continues_until_the_proof_is_shortest() {
    each_board(|id, setup| {
        with_setup!(setup, start => for (start, value) in states(start, 20, 3) {
            let side = start.position.side;
            let name = format!("{id} {}", fen::print(start.game.as_ref(), &start.position));
            let Some(plies) = won_by(value, side, side).filter(|plies| *plies <= 15) else {
                continue;
            };
            for threads in [1, 2] {
                let limits = Limits { improve: true, ..Limits::default() };
                let control = CONTROL.with_threads(threads);
                assert_shortest(&start, limits, &control, plies, &name);
            }
        });
    });
}

#[test]
fn shorter_proofs_are_reported_in_falling_order() {
    struct Notes(Mutex<Vec<String>>);
    impl Observer for Notes {
        fn note(&self, message: &str) {
            self.0.lock().expect("one thread").push(message.to_owned());
        }
    }
    let variant = Catalog::new().open("fide").expect("the base");
    // A mate in 7 whose first proof is longer.
    let array = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
    let setup = Setup::read(&variant, Some(array)).expect("a position");
    with_setup!(&setup, start => {
        let limits = Limits { improve: true, ..Limits::default() };
        let notes = Notes(Mutex::default());
        let control = CONTROL.with_observer(&notes);
        let found = proof_under(start, Color::White, &Goal::Win, limits, &control);
        let plies = found.plies.expect("a win");
        assert!(found.shortest);
        let notes = notes.0.into_inner().expect("one thread");
        let improvements: Vec<u16> = notes
            .iter()
            .map(|note| {
                let (_, rest) = note.split_once("proven in ").expect("a proof");
                let (number, _) = rest.split_once(' ').expect("a number of plies");
                number.parse().expect("a number")
            })
            .collect();
        assert!(!improvements.is_empty());
        assert!(improvements.windows(2).all(|pair| pair[0] > pair[1]), "{improvements:?}");
        assert!(improvements.last().is_some_and(|last| *last >= plies));
    });
}

#[test]
fn positions_bound_the_search_and_the_answer_is_the_same_again() {
    let variant = Catalog::new().open("fide").expect("the base");
    let setup = Setup::read(&variant, None).expect("the start");
    with_setup!(&setup, start => {
        let few = Limits { positions: Some(300_000), ..Limits::default() };
        let first = proof(start, Color::White, &Goal::Win, few);
        assert_eq!(first.status, Status::Open);
        assert!(first.none_within_plies >= 5);
        assert!(first.report.positions < 310_000);
        let again = proof(start, Color::White, &Goal::Win, few);
        assert_eq!(first.report, again.report);
    });
}

#[test]
fn a_search_that_was_saved_goes_on() {
    let variant = Catalog::new().open("fide").expect("the base");
    let array = "7k/8/8/8/8/8/8/KR6 w - - 0 1";
    let setup = Setup::read(&variant, Some(array)).expect("a position");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let new = |limits| Prover::new(game, &start.position, Color::White, &Goal::Win, limits, &CONTROL, None);
        let mut first = new(Limits { positions: Some(5_000), ..Limits::default() });
        let open = first.run();
        assert_eq!(open.status, Status::Open);
        let mut bytes = Vec::new();
        first.save(&mut bytes).expect("a vector takes it");
        let mut second = new(Limits::default());
        second.resume(&mut bytes.as_slice()).expect("what was saved");
        let found = second.run();
        assert_answer(start, &found, found.plies, "KR v K");
        assert!(found.report.positions > open.report.positions);
        // Damaged or foreign, it is refused.
        for at in [0, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(new(Limits::default()).resume(&mut damaged.as_slice()).is_err(), "{at}");
        }
        let mut other = Prover::new(game, &start.position, Color::Black, &Goal::Win, Limits::default(), &CONTROL, None);
        assert!(other.resume(&mut bytes.as_slice()).is_err());
    });
}

#[test]
fn an_earlier_proof_shortens_a_later_search() {
    let variant = Catalog::new().open("fide").expect("the base");
    let read = |fen| Setup::read(&variant, Some(fen)).expect("a position");
    // A turn of the queen leads from the later question to the earlier one.
    let later = read("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let earlier = read("8/8/8/3k4/8/1Q6/8/K7 b - - 0 1");
    let narrow = Setup::get::<Narrow>;
    let (Some(before), Some(start)) = (narrow(&earlier), narrow(&later)) else {
        panic!("64 squares are narrow");
    };
    let found = proof(before, Color::White, &Goal::Win, Limits::default());
    let certificate = found.certificate.expect("a proof");
    let game = start.game.as_ref();
    let new = |side| {
        Prover::new(
            game,
            &start.position,
            side,
            &Goal::Win,
            Limits::default(),
            &CONTROL,
            None,
        )
    };
    let plain = new(Color::White).run();
    let mut prover = new(Color::White);
    let learned = prover.learn(before.game.as_ref(), &before.position, &certificate);
    assert_eq!(learned, Ok(certificate.len() as u64));
    let found = prover.run();
    assert_eq!(found.status, Status::Proven);
    assert!(found.report.positions < plain.report.positions / 2);
    let longer = found.certificate.expect("a certificate");
    check(game, &start.position, &longer).expect("a proof");
    // What is shown for the other side is of no use.
    let mut other = new(Color::Black);
    let refused = other.learn(before.game.as_ref(), &before.position, &certificate);
    assert!(refused.is_err());
}

#[test]
fn draws_count_if_the_goal_is_not_to_lose() {
    // Black's only turn takes the pawn and leaves two kings, which is no end of the game; but the
    // stalemate of a king in the corner is one.
    let variant = Catalog::new().open("fide").expect("the base");
    let read = |fen| Setup::read(&variant, Some(fen)).expect("a position");
    with_setup!(&read("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1"), start => {
        // White can stalemate at once; he can also win.
        let goal = Goal::parse("stalemate", &variant.rule_set).expect("a reason");
        let found = proof(start, Color::White, &goal, Limits::default());
        assert_eq!(found.status, Status::Proven);
        check(start.game.as_ref(), &start.position, &found.certificate.expect("it")).expect("holds");
        let lose = proof(start, Color::Black, &Goal::NotLose, Limits { plies: Some(9), ..Limits::default() });
        assert_ne!(lose.status, Status::Proven);
        let keep = proof(start, Color::White, &Goal::NotLose, Limits::default());
        assert_eq!(keep.status, Status::Proven);
        let game = start.game.as_ref();
        check(game, &start.position, &keep.certificate.expect("it")).expect("holds");
    });
}
