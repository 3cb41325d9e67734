//! One definition of check: outcomes, expressions, stipulations and counters agree on it.

use board::Color;
use catalog::Catalog;
use control::{Control, Random};
use notation::{Layout, Setup, fen, turns, with_setup};
use position::Position;
use puzzle::Posed;
use puzzle::solve::solve;
use rules::{Game, Outcome, Turn, Variant, reason};

/// Returns how a position contradicts the definition of check, if it does.
pub fn contradiction<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Option<String> {
    let loser = match game.outcome(p) {
        Outcome::Win(winner, reason::CHECKMATE) => Some(!winner),
        Outcome::Win(winner, "checkmated") => Some(winner),
        Outcome::Draw(reason::CHECKMATE) => Some(p.side),
        _ => None,
    };
    if let Some(loser) = loser
        && !game.in_check(p, loser)
    {
        return Some(format!("{}, but nobody is in check", game.outcome(p)));
    }
    let outcome = game.outcome(p);
    let reasons = game.variant().rule_set.reasons();
    let is_listed = |reason| reasons.iter().any(|listed| listed.0 == reason);
    if !outcome.reason().is_none_or(is_listed) {
        return Some(format!(
            "{outcome}, a reason that the rule set does not list"
        ));
    }
    let stalemated = game.outcome(p).reason() == Some(reason::STALEMATE);
    if stalemated && game.in_check(p, p.side) {
        return Some(format!("{} in check", game.outcome(p)));
    }
    let mut all = Vec::new();
    game.turns(p, &mut all);
    let mates = |turn: &Turn| {
        let after = game.outcome(&game.play(p, turn));
        after == Outcome::Win(p.side, reason::CHECKMATE)
    };
    let texts = |all: &[Turn]| {
        let mut texts: Vec<String> = all.iter().map(|turn| turns::print(game, p, turn)).collect();
        texts.sort();
        texts
    };
    all.retain(mates);
    let mut found = Vec::new();
    game.checkmates(p, &mut found, false);
    let (all, found) = (texts(&all), texts(&found));
    (all != found).then(|| format!("{all:?} mate, and the search finds {found:?}"))
}

#[test]
fn mates_are_checks_in_random_games_of_all_rule_sets() {
    let catalog = Catalog::new();
    let mut wrong = Vec::new();
    for id in catalog.ids() {
        let variant = catalog.open(id).expect("a listed variant");
        let mut random = Random::numbered(7, 0);
        with_setup!(Setup::read(&variant, None).expect("a start"), start => {
            let game = start.game.as_ref();
            for _ in 0..2 {
                let mut p = start.position;
                for _ in 0..60 {
                    if let Some(why) = contradiction(game, &p) {
                        wrong.push(format!("{id} {}: {why}", fen::print(game, &p)));
                    }
                    let mut all = Vec::new();
                    game.turns(&p, &mut all);
                    if all.is_empty() {
                        break;
                    }
                    p = game.play(&p, &all[random.below(all.len())]);
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the first turns of the solutions of a stipulation.
fn keys(variant: &Variant, text: &str, stipulation: &str) -> Vec<String> {
    let posed = Posed::new(variant, Some(text), stipulation)
        .unwrap_or_else(|why| panic!("{text} {stipulation}: {why}"));
    solve(&posed, &Control::new()).keys
}

#[test]
fn attack_on_all_royal_units_at_once_is_check_and_mate() {
    let spartan = Catalog::new().open("spartan-fsf").expect("spartan-fsf");
    let fen = "k6k/8/8/8/8/8/2R5/1R2K1RR w - - 0 1";
    assert_eq!(keys(&spartan, fen, "#1"), ["c2a2"]);
    assert_eq!(keys(&spartan, fen, "win 1"), ["c2a2"]);
    assert!(keys(&spartan, fen, "+1").contains(&"c2a2".to_string()));
}

#[test]
fn kings_that_a_blast_protects_are_not_in_check() {
    let atomic = Catalog::new().open("atomic").expect("atomic");
    let fen = "8/8/8/8/8/4N3/pK6/kN6 w - - 0 1";
    assert_eq!(keys(&atomic, fen, "+1"), [""; 0]);
    let stalemate = "8/8/8/8/8/8/pKN5/kN6 b - - 0 1";
    let setup = Setup::read(&atomic, Some(stalemate)).expect("a position");
    with_setup!(setup, start => {
        let (game, p) = (start.game.as_ref(), &start.position);
        assert_eq!(game.outcome(p).reason(), Some(reason::STALEMATE));
        assert!(Color::BOTH.iter().all(|&color| !game.in_check(p, color)));
    });
}

/// A rule set lists extinction only if games can end by it.
#[test]
fn extinction_is_listed_where_a_game_can_end_by_it() {
    let catalog = Catalog::new();
    for (id, listed) in [
        ("coregal", false),
        ("spartan-fsf", false),
        ("atomic", true),
        ("horde", true),
        ("fide", false),
    ] {
        let variant = catalog.open(id).expect("a variant");
        let reasons = variant.rule_set.reasons();
        let found = reasons.iter().any(|(reason, _)| *reason == "extinction");
        assert_eq!(found, listed, "{id}");
    }
}
