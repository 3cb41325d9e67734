//! Which units give check.

use super::{checkers, start, three_units};
use crate::{Effort, Evidence, Finding, Scope, Verdict, listed};
use board::{Color, Kind, Squares};
use notation::{fen, turns};
use position::Narrow;
use rules::Game;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn every_unit_checks(_: &Effort) -> Finding {
    checks(start().game.as_ref())
}

/// Searches for a checking turn of each kind, both ways.
fn checks(game: &dyn Game<Narrow>) -> Finding {
    let board = game.board();
    // Kind and way (attack, entering) to witness: FEN, turn, outcome.
    let mut witnesses: BTreeMap<(Kind, bool), [String; 3]> = BTreeMap::new();
    for king in board.squares().iter() {
        three_units(game, king, |p, owner, kind, _| {
            p.side = Color::White;
            let wanted = [
                (kind, false),
                (kind, true),
                (Kind::King, false),
                (Kind::King, true),
            ];
            if owner != Color::White
                || wanted.iter().all(|way| witnesses.contains_key(way))
                || game.in_check(p, Color::Black)
            {
                return;
            }
            for (text, turn) in turns::sorted(game, p) {
                let step = turn.first();
                let after = game.play(p, &turn);
                let (attacking, entered) = checkers(game, &after, Color::White);
                for (entering, by) in [(false, attacking), (true, entered)] {
                    // A check that the step only uncovers is not the entering unit's.
                    if entering && !attacking.is_empty() {
                        continue;
                    }
                    if by.has(step.to) && game.in_check(&after, Color::Black) {
                        witnesses.entry((step.kind(), entering)).or_insert_with(|| {
                            [
                                fen::print(game, p),
                                text.clone(),
                                game.outcome(&after).to_string(),
                            ]
                        });
                    }
                }
            }
        });
    }
    let mut evidence = Evidence::new(&["unit", "way", "fen", "turn", "outcome"]);
    let (mut kinds, mut without) = (BTreeSet::new(), Vec::new());
    for kind in Kind::ALL {
        let letter = game.men().letter(Color::White, kind);
        for (entering, way) in [
            (false, "attacking the king"),
            (true, "entering a royal square"),
        ] {
            let [fen, turn, outcome] = match witnesses.get(&(kind, entering)) {
                Some(found) => {
                    kinds.insert(kind);
                    found.clone()
                }
                None => {
                    without.push(format!("{letter} {way}"));
                    ["none".to_string(), String::new(), String::new()]
                }
            };
            evidence.row([letter.to_string(), way.to_string(), fen, turn, outcome]);
        }
    }
    Finding {
        verdict: Verdict::of(kinds.len() == Kind::ALL.len()),
        scope: Scope::Witness,
        summary: format!(
            "{} of {} kinds give check with K and one unit against K; no check of this kind among \
             all those positions: {}",
            kinds.len(),
            Kind::ALL.len(),
            listed(&without)
        ),
        evidence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::convergent::orthodox;

    #[test]
    fn under_orthodox_rules_kings_never_check() {
        let found = checks(orthodox().as_ref());
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }
}
