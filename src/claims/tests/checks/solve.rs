//! Problems and forced wins.

use super::{FROGS, judged, refused, says, verified, verified_with};
use board::Color;
use catalog::Catalog;
use fairyproof_claims::Verdict;
use notation::{Setup, with_setup};
use position::{Layout, Position};
use rules::{Game, Outcome};

const BACK_RANK: &str = "fen = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1'";
/// Several turns mate in one.
const TWO_KEYS: &str = "fen = '6k1/5ppp/8/8/8/8/8/RQ2K3 w - - 0 1'";

#[test]
fn keys_solutions_and_soundness_must_all_hold() {
    for (position, stated, verdict) in [
        (BACK_RANK, "keys = ['Ra8']", Verdict::Confirmed),
        (
            BACK_RANK,
            "keys = ['Ra8']\nsolutions = 1\nsound = true",
            Verdict::Confirmed,
        ),
        (BACK_RANK, "solutions = 2", Verdict::Refuted),
        (BACK_RANK, "solutions = 0", Verdict::Refuted),
        (BACK_RANK, "sound = false", Verdict::Refuted),
        (BACK_RANK, "keys = ['Ra7']", Verdict::Refuted),
        (TWO_KEYS, "keys = ['Ra8', 'Qb8']", Verdict::Confirmed),
        (TWO_KEYS, "keys = ['Ra8']", Verdict::Refuted),
        (TWO_KEYS, "sound = false\nsolutions = 2", Verdict::Confirmed),
        (TWO_KEYS, "sound = false\nsolutions = 1", Verdict::Refuted),
    ] {
        let found = verified(&format!("{position}\nsolve = '#1'\n{stated}"));
        assert_eq!(found.verdict, verdict, "{stated}: {}", found.summary);
    }
}

#[test]
fn problem_after_the_end_of_the_game_has_no_solution() {
    let found = verified("line = 'f3 e5 g4 Qh4'\nsolve = '#1'\nsolutions = 1");
    judged(&found, Verdict::Refuted);
    says(&found, "the game is over: `black-wins checkmate`");
}

#[test]
fn goal_is_a_condition_about_the_last_turn() {
    let claim = |goal: &str, stated: &str| {
        verified(&format!(
            "{TWO_KEYS}\nsolve = 'goal 1'\ngoal = \"{goal}\"\n{stated}"
        ))
        .verdict
    };
    assert_eq!(
        claim("mates && kind == 'rook'", "keys = ['a1a8']"),
        Verdict::Confirmed
    );
    assert_eq!(
        claim("mates && kind == 'king'", "solutions = 0"),
        Verdict::Confirmed
    );
}

#[test]
fn help_play_counts_lines() {
    // The only helpmate in one ends with the king in the corner.
    let found = verified(
        "fen = '8/8/8/8/8/1K6/7R/1k6 b - - 0 1'\nsolve = 'h#1'\nsolutions = 1\nkeys = ['Ka1']",
    );
    judged(&found, Verdict::Confirmed);
    // Counting ends with the first solution too many.
    let found = verified("fen = 'k7/p7/8/1K6/8/8/8/7R b - - 0 1'\nsolve = 'h#2'\nsolutions = 2");
    judged(&found, Verdict::Refuted);
    says(
        &found,
        "at least 3 solutions, not 2; found so far: 3 solutions (",
    );
}

#[test]
fn wrong_problems_are_refused_with_their_place() {
    for (claim, why) in [
        ("solve = '#x'\nsolutions = 1", "a.toml, line 7"),
        ("solve = 'goal 2'\nsolutions = 1", "needs a goal"),
        (
            "solve = '#2'\ngoal = 'mates'\nsolutions = 1",
            "has a goal of its own",
        ),
        ("solve = '#2'\nkeys = ['e5']", "a.toml, line 8"),
        (
            "solve = '#2'\nkeys = ['e4', 'e2e4']",
            "the key e2e4 is listed twice",
        ),
        (
            "solve = 'goal 2'\ngoal = 'mate'\nsolutions = 1",
            "write `mates`",
        ),
        ("force = 'check-mate'", "did you mean `checkmate`?"),
        ("force = 'wni'", "did you mean `win`?"),
        ("force = 'win'\nby = 'red'", "`red` is not a side"),
        (
            "force = '1 + 1'",
            "a condition, true or false, is wanted here",
        ),
    ] {
        let error = refused(claim);
        assert!(
            error.contains(why) && error.contains("a.toml, line "),
            "{claim}: {error}"
        );
    }
}

/// Returns the number of plies, at most `left`, within which a side forces a win. Tries every line.
fn forced<W: Layout>(game: &dyn Game<W>, p: &Position<W>, by: Color, left: u32) -> Option<u32> {
    if let Outcome::Win(winner, _) = game.outcome(p) {
        return (winner == by).then_some(0);
    }
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    if left == 0 || turns.is_empty() {
        return None;
    }
    let after = turns
        .iter()
        .map(|turn| forced(game, &game.play(p, turn), by, left - 1));
    match p.side == by {
        true => after.flatten().min().map(|plies| plies + 1),
        false => after
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .max()
            .map(|plies| plies + 1),
    }
}

#[test]
fn forced_wins_of_a_small_game_are_those_of_all_lines() {
    let mut catalog = Catalog::new();
    catalog.add_text("rules.ini", FROGS).expect("definitions");
    let variant = catalog.open("toads").expect("a variant");
    let start = Setup::read(&variant, None).expect("a start");
    for (by, name) in [(Color::White, "white"), (Color::Black, "black")] {
        let plies =
            with_setup!(&start, start => forced(start.game.as_ref(), &start.position, by, 30));
        let claim = |more: &str| {
            let claim = format!(
                "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'toads'\nforce = 'win'\nby = '{name}'\n{more}"
            );
            verified_with(&claim, FROGS).remove(0)
        };
        let found = claim(&format!("holds = {}", plies.is_some()));
        judged(&found, Verdict::Confirmed);
        says(&found, "complete graph");
        if let Some(plies) = plies {
            assert_eq!(
                claim(&format!("within = {plies}")).verdict,
                Verdict::Confirmed
            );
            assert_eq!(
                claim(&format!("within = {}", plies - 1)).verdict,
                Verdict::Refuted
            );
            let found = claim(&format!(
                "within = {}\namend = [ {{ number = [1, 99] }} ]",
                plies - 1
            ));
            judged(&found, Verdict::ConfirmedAsAmended);
            says(&found, &format!("{plies} for {}", plies - 1));
        }
    }
}

#[test]
fn method_follows_from_the_size_of_the_game() {
    for (claim, method) in [
        (
            "fen = '8/8/4k3/8/8/4K3/8/8 w - - 0 1'\nforce = 'win'\nholds = false",
            "complete graph",
        ),
        (
            "fen = '7k/8/8/8/8/8/8/KQ6 w - - 0 1'\nforce = 'win'\nlimits = { states = 100 }",
            "endgame table KQvK",
        ),
        (
            "fen = '6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1'\nforce = 'checkmate'\nlimits = { states = 100 }",
            "proof search",
        ),
        (
            "fen = '6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1'\nforce = \"mates && kind == 'rook'\"\nwithin = 1\n\
             limits = { states = 100 }",
            "proof search",
        ),
        (
            "line = 'f3 e5 g4 Qh4'\nforce = 'win'\nby = 'black'",
            "the game is over",
        ),
    ] {
        let found = verified(claim);
        judged(&found, Verdict::Confirmed);
        assert!(found.summary.contains(method), "{claim}: {}", found.summary);
    }
    let found = verified("force = 'win'\nlimits = { states = 100, positions = 1000 }");
    judged(&found, Verdict::Open);
    says(&found, "1000 positions");
}
