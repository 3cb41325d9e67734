//! Values of whole graphs: by hand, by plain iteration, by the endgame tables; and that the
//! certifier refuses what is wrong.

use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, Shortage, Stopped};
use fairyproof::explore::{Expander, GameGraph, Limits, StateError, explore};
use fairyproof::notation::{Setup, fen};
use fairyproof::rules::{Game, with_turns};
use fairyproof::tables::{Signature, Tables, build};
use fairyproof::values::{
    Certificate, GraphStates, LineEnd, Unsolved, Values, best_line, census, certify, certify_game,
    solve, solve_game,
};
use fairyproof::values::{MAX_DISTANCE_PLIES, Value};
use fairyproof::with_setup;
use quickcheck::{Arbitrary, Gen, quickcheck};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use Value::{Draw, Loss, WeakLoss, WeakWin, Win};

/// A graph drawn by hand: the successors of each state, and the values of those without any.
#[derive(Clone, Debug)]
struct Toy {
    rows: Vec<Vec<u32>>,
    ends: BTreeMap<u32, Value>,
}

impl Toy {
    /// States with their successors, or their value.
    fn new(states: &[Result<&[u32], Value>]) -> Toy {
        let mut toy = Toy {
            rows: Vec::new(),
            ends: BTreeMap::new(),
        };
        for (state, what) in states.iter().enumerate() {
            match what {
                Ok(row) => toy.rows.push(row.to_vec()),
                Err(value) => {
                    toy.rows.push(Vec::new());
                    toy.ends.insert(state as u32, *value);
                }
            }
        }
        toy
    }

    fn graph(&self) -> GameGraph {
        GameGraph::from_successors(self.rows.iter().map(|row| row.iter().copied()))
    }

    fn solve(&self) -> Vec<Value> {
        let values = solve(&self.graph(), |s| self.ends[&s], &Control::new());
        values.expect("values").iter().collect()
    }

    fn certify(&self, values: &[Value]) -> Certificate {
        let values: Values = values.iter().copied().collect();
        let look = |state: u32, ids: &mut Vec<u32>| {
            ids.extend(&self.rows[state as usize]);
            Ok(self.ends.get(&state).copied())
        };
        let name = |state: u32| format!("state {state}");
        certify(&values, &look, &name, &Control::new()).expect("a certificate")
    }

    /// By playing out: values within 0, 1, 2 ... plies, what is not over counting as a draw. As
    /// pairs of worth and plies, the winner's haste and the loser's delay spelled out.
    fn iterated(&self) -> Vec<Value> {
        let n = self.rows.len();
        let mut now = vec![(0i8, 0u16); n];
        for _ in 0..2 * n + 4 {
            let before = now.clone();
            for (state, value) in now.iter_mut().enumerate() {
                let end = self.ends.get(&(state as u32));
                *value = match end {
                    Some(end) => (end.worth(), end.distance_plies().unwrap_or(0)),
                    None => self.rows[state]
                        .iter()
                        .map(|&to| before[to as usize])
                        .map(|(worth, plies)| (-worth, if worth == 0 { 0 } else { plies + 1 }))
                        .max_by_key(|&(worth, plies)| {
                            let plies = i32::from(plies);
                            (worth, if worth > 0 { -plies } else { plies })
                        })
                        .expect("a turn"),
                };
            }
        }
        now.into_iter()
            .map(|(worth, plies)| match worth {
                -2 => Loss(plies),
                -1 => WeakLoss(plies),
                1 => WeakWin(plies),
                2 => Win(plies),
                _ => Draw,
            })
            .collect()
    }
}

impl Arbitrary for Toy {
    fn arbitrary(g: &mut Gen) -> Toy {
        let n = 1 + u32::arbitrary(g) % (g.size() as u32 * 2).max(2);
        let kinds: &[Value] = match u8::arbitrary(g) % 3 {
            0 => &[Loss(0), WeakLoss(0), Draw, WeakWin(0), Win(0)],
            1 => &[Loss(0), WeakLoss(0)],
            _ => &[Loss(3), WeakLoss(1), WeakWin(4), Win(2)],
        };
        let ends_percent = u32::arbitrary(g) % 60;
        let most = 1 + u32::arbitrary(g) % 4;
        let mut toy = Toy::new(&[]);
        for state in 0..n {
            let degree = if u32::arbitrary(g) % 100 < ends_percent {
                0
            } else {
                1 + u32::arbitrary(g) % most
            };
            let row: Vec<u32> = (0..degree).map(|_| u32::arbitrary(g) % n).collect();
            if row.is_empty() {
                toy.ends
                    .insert(state, *g.choose(kinds).expect("some value"));
            }
            toy.rows.push(row);
        }
        toy
    }
}

#[test]
fn winner_hastens_and_loser_delays() {
    // 0 can win at once (3) or slowly (1, 2, 4); 5 can lose at once (6) or later (0).
    let toy = Toy::new(&[
        Ok(&[1, 3]),
        Ok(&[2]),
        Ok(&[4]),
        Err(Loss(0)),
        Err(Loss(0)),
        Ok(&[6, 0]),
        Err(Win(0)),
    ]);
    let values = [Win(1), Loss(2), Win(1), Loss(0), Loss(0), Loss(2), Win(0)];
    assert_eq!(toy.solve(), values);
    assert!(toy.certify(&values).holds());
}

#[test]
fn endless_play_is_a_draw_without_distance() {
    // 0 and 1 lead to each other; leaving the ring loses.
    let toy = Toy::new(&[Ok(&[1, 2]), Ok(&[0, 2]), Err(Win(0))]);
    assert_eq!(toy.solve(), [Draw, Draw, Win(0)]);
    // A state that leads to itself.
    assert_eq!(Toy::new(&[Ok(&[0])]).solve(), [Draw]);
}

#[test]
fn drawn_end_and_endless_play_are_the_same_draw() {
    let toy = Toy::new(&[Ok(&[1, 2]), Err(Draw), Ok(&[0])]);
    assert_eq!(toy.solve(), [Draw; 3]);
    // A draw by the rules is taken before a loss, and left for a win.
    let toy = Toy::new(&[
        Ok(&[1, 2]),
        Err(Draw),
        Err(Win(0)),
        Ok(&[1, 4]),
        Err(Loss(0)),
    ]);
    assert_eq!(toy.solve(), [Draw, Draw, Win(0), Win(1), Loss(0)]);
}

#[test]
fn win_is_forced_through_a_ring() {
    // The loser can go around 1, 2, but the winner leaves the ring.
    let toy = Toy::new(&[Ok(&[1]), Ok(&[2]), Ok(&[1, 3]), Err(Loss(0))]);
    assert_eq!(toy.solve(), [Win(3), Loss(2), Win(1), Loss(0)]);
}

#[test]
fn zugzwang_whoever_moves_loses() {
    // In 0 and 1 the same stands, with the one or the other to move.
    let toy = Toy::new(&[Ok(&[2]), Ok(&[3]), Ok(&[4]), Ok(&[4]), Err(Loss(0))]);
    assert_eq!(toy.solve(), [Loss(2), Loss(2), Win(1), Win(1), Loss(0)]);
}

#[test]
fn weak_values_stand_between_draws_and_full_ones() {
    let toy = Toy::new(&[
        Err(Loss(0)),
        Err(WeakLoss(0)),
        Err(Draw),
        Err(WeakWin(0)),
        Err(Win(0)),
        Ok(&[0, 1, 2, 3, 4]),
        Ok(&[1, 2, 3, 4]),
        Ok(&[2, 3, 4]),
        Ok(&[3, 4]),
        Ok(&[4]),
    ]);
    let values = toy.solve();
    assert_eq!(
        values[5..],
        [Win(1), WeakWin(1), Draw, WeakLoss(1), Loss(1)]
    );
}

#[test]
fn slow_win_is_better_than_a_quick_weak_one() {
    // 0 wins weakly at once, or fully in three.
    let toy = Toy::new(&[
        Ok(&[1, 2]),
        Err(WeakLoss(0)),
        Ok(&[3]),
        Ok(&[4]),
        Err(Loss(0)),
    ]);
    assert_eq!(toy.solve(), [Win(3), WeakLoss(0), Loss(2), Win(1), Loss(0)]);
}

#[test]
fn loser_takes_a_quick_weak_loss_before_the_longest_full_one() {
    // 0 loses fully in four, or weakly in one.
    let toy = Toy::new(&[
        Ok(&[1, 5]),
        Ok(&[2]),
        Ok(&[3]),
        Ok(&[4]),
        Err(Loss(0)),
        Err(WeakWin(0)),
    ]);
    assert_eq!(
        toy.solve(),
        [WeakLoss(1), Win(3), Loss(2), Win(1), Loss(0), WeakWin(0)]
    );
    // Of two weak losses the longer one, however long a full one would last.
    let toy = Toy::new(&[
        Ok(&[1, 2, 6]),
        Err(WeakWin(0)),
        Ok(&[3]),
        Ok(&[4]),
        Ok(&[5]),
        Err(WeakLoss(0)),
        Err(Win(30)),
    ]);
    let chain = [WeakWin(3), WeakLoss(2), WeakWin(1), WeakLoss(0)];
    let values = toy.solve();
    assert_eq!((values[0], &values[2..6]), (WeakLoss(4), &chain[..]));
}

#[test]
fn several_turns_to_one_state_count_once_each() {
    // Both turns of 0 lead to the one won state: it is lost all the same.
    let toy = Toy::new(&[Ok(&[1, 1]), Err(Win(0))]);
    assert_eq!(toy.solve(), [Loss(1), Win(0)]);
    let values: Values = toy.solve().into_iter().collect();
    assert_eq!(census(&toy.graph(), &values).losses, 1);
}

#[test]
fn values_known_from_elsewhere_keep_their_distance() {
    let toy = Toy::new(&[Ok(&[1, 2]), Err(Loss(9)), Ok(&[3]), Ok(&[4]), Err(Loss(0))]);
    assert_eq!(toy.solve(), [Win(3), Loss(9), Loss(2), Win(1), Loss(0)]);
    let toy = Toy::new(&[Ok(&[1]), Err(Loss(9))]);
    assert_eq!(toy.solve(), [Win(10), Loss(9)]);
}

#[test]
fn only_turns_and_longest_wins_are_counted() {
    // 0 has two winning turns, 3 one (and a drawing one), 6 one weakly winning.
    let toy = Toy::new(&[
        Ok(&[1, 2]),
        Err(Loss(0)),
        Err(Loss(0)),
        Ok(&[7, 4]),
        Err(Draw),
        Err(WeakLoss(0)),
        Ok(&[5, 4]),
        Ok(&[0]),
    ]);
    let values: Values = toy.solve().into_iter().collect();
    let counted = census(&toy.graph(), &values);
    assert_eq!(counted.one_winning_turn, 2);
    assert_eq!(counted.longest_win, Some((3, 3)));
    assert_eq!(counted.longest_weak_win, Some((6, 1)));
    assert_eq!(counted.counts(), [2, 1, 1, 1, 3]);
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let chain = |n: u32| GameGraph::from_successors((0..n).map(|i| (i + 1 < n).then_some(i + 1)));
    let graph = chain(500_000);
    let values = solve(&graph, |_| Draw, &Control::new()).expect("values");
    assert!(values.iter().all(|value| value == Draw));

    let most = u32::from(MAX_DISTANCE_PLIES);
    let values = solve(&chain(most + 1), |_| Loss(0), &Control::new()).expect("values");
    assert_eq!(values.of(0).distance_plies(), Some(MAX_DISTANCE_PLIES));
    let stopped = solve(&chain(most + 2), |_| Loss(0), &Control::new());
    assert_eq!(stopped, Err(Unsolved::Distance));
}

#[test]
fn solving_can_be_stopped() {
    let toy = Toy::new(&[Ok(&[1]), Err(Loss(0))]);
    let stop = AtomicBool::new(true);
    let stopped = solve(
        &toy.graph(),
        |s| toy.ends[&s],
        &Control::new().with_stop(&stop),
    );
    assert_eq!(stopped, Err(Stopped::Interrupted.into()));
}

#[test]
fn certifier_refuses_each_kind_of_wrong_value() {
    // A ring that can be left by losing; wins, losses, weak ones; a drawn end.
    let toy = Toy::new(&[
        Ok(&[1, 2]),
        Ok(&[0, 2]),
        Err(Win(0)),
        Ok(&[4, 0]),
        Ok(&[5]),
        Ok(&[6]),
        Err(Loss(0)),
        Ok(&[8, 2]),
        Ok(&[9, 10]),
        Err(WeakLoss(0)),
        Err(Draw),
    ]);
    let right = toy.solve();
    assert!(toy.certify(&right).holds());
    let wrong = |changes: &[(usize, Value)]| {
        let mut values = right.clone();
        for &(state, value) in changes {
            assert_ne!(values[state], value);
            values[state] = value;
        }
        let found = toy.certify(&values);
        assert!(!found.holds(), "{changes:?} is accepted");
        assert_eq!(found.states, toy.rows.len() as u64);
        found.faults
    };
    // An end of another value or distance.
    let faults = wrong(&[(6, Loss(1))]);
    assert!(faults[0].starts_with("state 5: "), "{faults:?}");
    wrong(&[(2, Draw)]);
    wrong(&[(10, WeakWin(0))]);
    // A distance too short, too long.
    wrong(&[(3, Win(1))]);
    wrong(&[(3, Win(5))]);
    wrong(&[(4, Loss(4))]);
    // A win for a draw, a draw for a win, weak for full.
    wrong(&[(0, Win(3))]);
    wrong(&[(3, Draw)]);
    wrong(&[(5, WeakWin(1))]);
    wrong(&[(8, Win(1))]);
    // A draw that cannot be held.
    let cannot = Toy::new(&[Ok(&[1]), Err(Win(0))]);
    assert!(!cannot.certify(&[Draw, Win(0)]).holds());
    // A win that rests on a ring, whatever the distances.
    for d in 0..40 {
        for e in 0..40 {
            wrong(&[(0, Win(d)), (1, Loss(e))]);
        }
    }
    // A ring of draws for a ring that is won.
    let ring = Toy::new(&[Ok(&[1]), Ok(&[0, 2]), Err(Loss(0))]);
    assert_eq!(ring.solve(), [Loss(2), Win(1), Loss(0)]);
    assert!(!ring.certify(&[Draw, Draw, Loss(0)]).holds());
}

#[test]
fn certifier_refuses_wrong_graphs() {
    let values: Values = [Win(1), Loss(0)].into_iter().collect();
    type Look = dyn Fn(u32, &mut Vec<u32>) -> Result<Option<Value>, StateError> + Sync;
    let name = |state: u32| format!("state {state}");
    let check =
        |look: &Look| certify(&values, look, &name, &Control::new()).expect("a certificate");
    assert!(
        check(&|state, ids| {
            ids.extend((state == 0).then_some(1));
            Ok((state == 1).then_some(Loss(0)))
        })
        .holds()
    );
    let outside = check(&|state, ids| {
        ids.extend((state == 0).then_some(2));
        Ok((state == 1).then_some(Loss(0)))
    });
    assert!(outside.faults[0].contains("without a value"));
    let no_end = check(&|state, ids| {
        ids.extend((state == 0).then_some(1));
        Ok(None)
    });
    assert!(no_end.faults[0].contains("has not ended"));
    let both = check(&|state, ids| {
        ids.push(1 - state);
        Ok((state == 1).then_some(Loss(0)))
    });
    assert!(both.faults[0].contains("has turns"));
}

quickcheck! {
    fn values_are_those_of_plain_iteration(toy: Toy) -> bool {
        toy.solve() == toy.iterated()
    }

    fn certifier_accepts_what_is_solved(toy: Toy) -> bool {
        toy.certify(&toy.solve()).holds()
    }

    fn certifier_refuses_any_change(toy: Toy, at: usize, to: u8) -> bool {
        let mut values = toy.solve();
        let at = at % values.len();
        let d = u16::from(to / 5);
        let other = [Loss(d), WeakLoss(d), Draw, WeakWin(d), Win(d)][usize::from(to % 5)];
        let same = values[at] == other;
        values[at] = other;
        toy.certify(&values).holds() == same
    }
}

/// Explores from a position, solves, certifies, and hands the values over.
fn solved<T>(id: &str, text: &str, then: impl FnOnce(Vec<(String, Value)>) -> T) -> T {
    let variant = Catalog::new().open(id).expect("a variant");
    let setup = Setup::read(&variant, Some(text)).expect("a position");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let found = explore(game, &start.position, &Limits::default(), &Control::new());
        let values = solve_game(game, &found, &Control::new()).expect("values");
        let certificate =
            certify_game(game, &found, &values, &Control::new()).expect("a certificate");
        assert!(certificate.holds(), "{id} {text}: {:?}", certificate.faults);
        assert_eq!(certificate.states, found.states.len() as u64);
        assert_eq!(certificate.turns, found.summary.edges);
        let positions = (0..).zip(values.iter());
        then(positions.map(|(s, value)| (fen::print(game, &found.position(s)), value)).collect())
    })
}

/// Compares every state reachable from a position with the endgame tables.
fn as_in_tables(id: &str, signature: &str, text: &str) -> Vec<Value> {
    let states = solved(id, text, |states| states);
    let variant = Catalog::new().open(id).expect("a variant");
    let setup = Setup::read(&variant, Some(text)).expect("a position");
    with_setup!(&setup, start => {
        let game = &start.game;
        let signature = Signature::parse(game.as_ref(), signature).expect("a signature");
        let tables = Tables::new(Arc::clone(game), None);
        let control = Control::new().with_memory(1 << 30);
        build(&tables, &signature, &control).expect("tables");
        for (text, value) in &states {
            let p = fen::read_position(game.as_ref(), text).expect("a position");
            assert_eq!(tables.value(&p), Ok(Some(*value)), "{id} {text}");
        }
    });
    states.into_iter().map(|(_, value)| value).collect()
}

#[test]
fn small_boards_have_the_values_of_the_tables() {
    let kinds = |values: &[Value]| {
        let mut worths: Vec<i8> = values.iter().map(|v| v.worth()).collect();
        worths.sort_unstable();
        worths.dedup();
        worths
    };
    let values = as_in_tables("fide", "KRvK", "3k/4/4/KR2 w - - 0 1");
    assert_eq!(kinds(&values), [-2, 0, 2]);
    let values = as_in_tables("fide", "KPvK", "1k2/4/4/1P2/1K2 w - - 0 1");
    assert_eq!(kinds(&values), [-2, 0, 2]);
    as_in_tables("fide", "KQvKR", "2rk/4/4/KQ2 w - - 0 1");
    as_in_tables("bachelor", "KQvK", "2k1/4/4/Q2K w - - 0 1");
    as_in_tables("twilight", "KPvKN", "kn1/3/P2/3/K2 w - - 0 1");
    as_in_tables("donnybrook", "KQvK", "3k/4/4/KQ2 w - - 0 1");
}

#[test]
fn weak_outcomes_of_a_variant_are_weak_values() {
    let text = "k1/2/PP/pp/2/1K w - - 0 1 first=1";
    let (drawn, weak) = (
        solved("french-revolution", text, |states| states),
        solved("french-revolution:weak-loss", text, |states| states),
    );
    let count = |states: &[(String, Value)], worth: i8| {
        states.iter().filter(|(_, v)| v.worth() == worth).count()
    };
    assert_eq!(drawn.len(), weak.len());
    assert_eq!((count(&drawn, 1), count(&drawn, -1)), (0, 0));
    assert!(count(&weak, 1) > 0 && count(&weak, -1) > 0);
    assert_eq!(count(&weak, 0), 0);
}

#[test]
fn every_turn_hands_the_move_over() {
    for info in fairyproof::variants::all() {
        let variant = Catalog::new().open(info.id).expect("a variant");
        let setup = Setup::read(&variant, None).expect("a start");
        with_setup!(&setup, start => {
            let game: &dyn Game<_> = start.game.as_ref();
            let mut p = start.position;
            for _ in 0..40 {
                let Some(turn) = with_turns(|list| {
                    game.turns(&p, list);
                    list.last().copied()
                }) else {
                    break;
                };
                let after = game.play(&p, &turn);
                assert_ne!(after.side, p.side, "{}", info.id);
                p = after;
            }
        });
    }
}

#[test]
fn wrong_values_of_a_game_are_refused_with_their_position() {
    let variant = Catalog::new().open("fide").expect("a variant");
    let setup = Setup::read(&variant, Some("3k/4/4/KR2 w - - 0 1")).expect("a position");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        let found = explore(game, &start.position, &Limits::default(), &Control::new());
        let values = solve_game(game, &found, &Control::new()).expect("values");
        let mut wrong: Vec<Value> = values.iter().collect();
        wrong[0] = Draw;
        let wrong: Values = wrong.into_iter().collect();
        let certificate =
            certify_game(game, &found, &wrong, &Control::new()).expect("a certificate");
        assert!(certificate.faulty_states >= 1);
        assert!(certificate.faults[0].starts_with("3k/4/4/KR2 w - - 0 1: "));
        // Too few values are no values of this graph.
        let few: Values = values.iter().skip(1).collect();
        let refused = certify_game(game, &found, &few, &Control::new());
        assert_eq!(refused, Err(Unsolved::Incomplete));
    });
}

#[test]
fn incomplete_graphs_and_little_memory_are_refused() {
    let variant = Catalog::new().open("fide").expect("a variant");
    let setup = Setup::read(&variant, Some("3k/4/4/KR2 w - - 0 1")).expect("a position");
    with_setup!(&setup, start => {
        let game = start.game.as_ref();
        for limits in [
            Limits { max_states: 100, ..Limits::default() },
            Limits { max_depth: 3, ..Limits::default() },
            Limits { edges: false, ..Limits::default() },
        ] {
            let found = explore(game, &start.position, &limits, &Control::new());
            let refused = solve_game(game, &found, &Control::new());
            assert_eq!(refused, Err(Unsolved::Incomplete));
        }
        let found = explore(game, &start.position, &Limits::default(), &Control::new());
        let refused = solve_game(game, &found, &Control::new().with_memory(1000));
        assert!(matches!(refused, Err(Unsolved::Memory(Shortage { allowed_bytes: 1000, .. }))));
    });
}

#[test]
fn best_play_ends_or_comes_again() {
    let variant = Catalog::new().open("fide").expect("a variant");
    for (text, plies) in [
        ("3k/4/4/KR2 w - - 0 1", None::<u16>),
        ("3k/4/4/K3 w - - 0 1", Some(0)),
    ] {
        let setup = Setup::read(&variant, Some(text)).expect("a position");
        with_setup!(&setup, start => {
            let game = start.game.as_ref();
            let found = explore(game, &start.position, &Limits::default(), &Control::new());
            let values = solve_game(game, &found, &Control::new()).expect("values");
            let expander = Expander::new(game, &start.position);
            let mut states = GraphStates { found: &found, values: &values };
            let line = best_line(&expander, &mut states, expander.root());
            let line = line.expect("memory").expect("a line");
            match (plies, line.end) {
                (None, LineEnd::Outcome(outcome)) => {
                    assert_eq!(outcome.to_string(), "white-wins checkmate");
                    assert_eq!(Some(line.turns.len() as u16), values.of(0).distance_plies());
                }
                (Some(_), LineEnd::Repeats(at)) => assert!(at < line.turns.len()),
                (_, end) => panic!("{text} ends with {end:?}"),
            }
        });
    }
}
