//! The variations of direct problems, compared with those that Popeye prints by default.
//!
//! `tests/data/direct-play.csv` has one row for each printed turn: `ply` 0 is the key, 1 a defense, 2 the
//! answer and so on; a turn of an even ply without a defense before it is a threat. Written by Popeye
//! 4.104 with `Option Variation`.

use fairyproof::catalog::Catalog;
use fairyproof::control::{Control, parallel};
use fairyproof::notation::{Setup, Start};
use fairyproof::problems::tree::{Move, Want};
use fairyproof::problems::{Layout, Limits, Problem, Stipulation};
use fairyproof::with_setup;
use std::collections::{BTreeMap, BTreeSet};

/// Turns from the key on, each with its ply.
type Line = Vec<(u32, String)>;

/// A problem whose rows were made with castling rights that its FEN does not have.
const OTHER_RIGHTS: &str = "polgar-2574";

/// Adds the lines of a turn that is printed at a ply after `before`.
fn printed(node: &Move, ply: u32, before: &Line, lines: &mut BTreeSet<Line>) {
    let line = [&before[..], &[(ply, node.turn.clone())]].concat();
    for threat in &node.threats {
        printed(threat, ply + 2, &line, lines);
    }
    for answer in node.answers.iter().filter(|answer| !answer.unparried) {
        let defended = [&line[..], &[(ply + 1, answer.turn.clone())]].concat();
        for next in &answer.next {
            printed(next, ply + 2, &defended, lines);
        }
        lines.insert(defended);
    }
    lines.insert(line);
}

fn own_lines<W: Layout>(start: Start<W>, stipulation: &str) -> BTreeSet<Line> {
    let geometry = start.game.board().geometry();
    let rule_set = &start.game.variant().rule_set;
    let stipulation = Stipulation::parse(stipulation, rule_set, geometry).expect("a stipulation");
    let problem = Problem::new(start, stipulation);
    let want = Want {
        tree: true,
        asides: true,
        ..Want::default()
    };
    let solution = problem.solve_with(
        &Limits::default(),
        want,
        &Control::new().with_threads(parallel::processors()),
    );
    let mut lines = BTreeSet::new();
    for key in &solution.tree.keys {
        printed(key, 0, &Vec::new(), &mut lines);
    }
    lines
}

#[test]
fn variations_are_those_that_popeye_prints() {
    let rows = include_str!("../data/direct-play.csv");
    let mut problems: BTreeMap<&str, (&str, &str, BTreeSet<Line>, Line)> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [id, fen, stipulation, _, ply, turn] = cells[..] else {
            panic!("{row}");
        };
        let problem = problems
            .entry(id)
            .or_insert_with(|| (fen, stipulation, BTreeSet::new(), Vec::new()));
        let ply: u32 = ply.parse().expect("a ply");
        problem.3.retain(|(earlier, _)| *earlier < ply);
        problem.3.push((ply, turn.to_owned()));
        problem.2.insert(problem.3.clone());
    }
    assert_eq!(problems.len(), 112);
    let fide = Catalog::new().open("fide").expect("fide");
    for (id, (fen, stipulation, expected, _)) in problems {
        let setup = Setup::read(&fide, Some(fen)).expect("a position");
        let own = with_setup!(setup, start => own_lines(start, stipulation));
        if id != OTHER_RIGHTS {
            let missing: Vec<&Line> = expected.difference(&own).collect();
            let extra: Vec<&Line> = own.difference(&expected).collect();
            assert!(
                missing.is_empty() && extra.is_empty(),
                "{id} {fen}: {missing:?} {extra:?}"
            );
        }
    }
}
