//! Amendments of pages with known misprints.

use super::{FROGS, cells, judged, longest_game_of_toads, says, verified, verified_with};
use fairyproof_claims::Verdict;

/// The sample game of Bachelor's page, without its first turns.
const PRINTED: &str = "\
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

const MARKS: &str = "marks = { '+' = 'check && !over', 'x' = 'size(captures) > 0', '=' = 'promotes', \
                     'M' = \"won(other(side), 'marriage')\", \
                     'E' = \"!won(other(side)) && pass.turns.exists(t, t.after.won(t.before.side, 'marriage'))\" }";

fn bachelor(more: &str) -> fairyproof_claims::Finding {
    verified(&format!(
        "variant = 'bachelor'\nline = '''\n{PRINTED}'''\n{more}"
    ))
}

#[test]
fn missing_first_turns_are_found_by_legality_alone() {
    let found = bachelor("");
    judged(&found, Verdict::Refuted);
    let found = bachelor("ends = 'black-wins marriage'\namend = [ { insert_turns = 2, at = 1 } ]");
    judged(&found, Verdict::ConfirmedAsAmended);
    says(&found, "insert b1a3 c5c4 as turn 1 (the only one of");
}

#[test]
fn missing_mark_is_found_with_the_missing_turns() {
    let amend = "amend = [ { insert_turns = 2, at = 1 }, { mark = 1 } ]";
    let found = bachelor(&format!("{MARKS}\n{amend}"));
    judged(&found, Verdict::ConfirmedAsAmended);
    says(&found, "`+` after turn 10 (`Nb6xc4`)");
    assert_eq!(found.evidence.rows.len(), 1);
    // Without corrected marks, no insertion of two turns succeeds.
    let found = bachelor(&format!(
        "{MARKS}\namend = [ {{ insert_turns = 2, at = 1 }} ]"
    ));
    judged(&found, Verdict::Refuted);
}

#[test]
fn misprinted_reply_is_replaced_by_the_legal_turn_that_is_missing() {
    let claim = |amend: &str| {
        verified(&format!(
            "variant = 'deadline'\nline = 'e2e3 d7d6 f1b5'\n\
             replies = 'a6/b5, Be6/Bd7, Bf5/Bd7, Bg4/Bd7, Bh3/Bd7, Nf3/Nd7'\n{amend}"
        ))
    };
    assert_eq!(claim("").verdict, Verdict::Refuted);
    let found = claim("amend = [ { replace_turn = true } ]");
    judged(&found, Verdict::ConfirmedAsAmended);
    says(&found, "g8f6+f6d7 for Nf3/Nd7");
}

#[test]
fn lost_units_of_a_diagram_are_found() {
    let g6 = "turns.exists(t, t.kind == 'pawn' && t.to == 'g6' && size(t.captures) == 0 && \
              t.after.won(black, 'submission') && \
              t.after.under('fide').turns.exists(r, r.kind == 'king' && r.to == 'h6' && !r.mates) && \
              t.after.under('fide').turns.exists(r, r.kind == 'king' && r.to == 'g6' && r.mates))";
    let g3 = "pseudo.exists(t, t.kind == 'knight' && t.to == 'g3' && t.after.check && \
              !t.after.check(black) && !turns.exists(x, x.text == t.text))";
    let found = verified(&format!(
        "variant = 'submission'\nfen = '7k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1'\n\
         always = \"{g6} && {g3}\"\namend = [ {{ add_unit = 2, of = 'pnbrq' }} ]"
    ));
    judged(&found, Verdict::ConfirmedAsAmended);
    let mut fits = cells(&found, 0);
    fits.retain(|fit| fit.contains("black B"));
    assert_eq!(fits.len(), 3, "{}", found.summary);
    for square in ["b1", "c2", "d3"] {
        let fit =
            |fit: &&str| fit.contains(&format!("black B{square}")) && fit.contains("black Ne4");
        assert!(fits.iter().any(fit), "{square}: {fits:?}");
    }
    assert_eq!(found.evidence.rows.len(), 6, "{}", found.summary);
}

#[test]
fn misplaced_unit_and_wrong_turn_are_corrected() {
    // The rook is on b2, from where it mates. The page has it on b1, where a pawn blocks the file.
    let found = verified(
        "fen = '7k/R7/8/8/8/1P6/8/1R2K3 w - - 0 1'\nalways = \"turns.exists(t, t.mates && t.to == 'b8')\"\n\
         amend = [ { move_unit = 1 } ]",
    );
    judged(&found, Verdict::ConfirmedAsAmended);
    assert!(
        found
            .evidence
            .rows
            .iter()
            .any(|row| row[0] == "white Pb3 on c3"),
        "{}",
        found.summary
    );
    assert!(
        found
            .evidence
            .rows
            .iter()
            .all(|row| !row[0].contains(" and "))
    );
    let found = verified(
        "line = 'f3 e5 g3 Qh4'\nends = 'black-wins checkmate'\namend = [ { replace_turn = true } ]",
    );
    judged(&found, Verdict::ConfirmedAsAmended);
    let fits = cells(&found, 0);
    assert_eq!(fits, ["turn 3 g2g4 for `g3`"]);
    let found = verified(
        "line = 'f3 e5 g4 Qh4'\nends = 'white-wins'\namend = [ { replace_turn = true, at = 4 } ]",
    );
    judged(&found, Verdict::Refuted);
    says(&found, "makes it true");
}

#[test]
fn number_of_turns_is_replaced_by_the_nearest_that_fits() {
    let right = longest_game_of_toads().div_ceil(2);
    let claim = |amend: &str| {
        let claim = format!(
            "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'toads'\nturns = 1\n\
             bound = \"sum(units(mover, 'pawn').map(u, 4 - u.row))\"\n{amend}"
        );
        verified_with(&claim, FROGS).remove(0)
    };
    assert_eq!(claim("").verdict, Verdict::Refuted);
    let found = claim("amend = [ { number = [1, 40] } ]");
    judged(&found, Verdict::ConfirmedAsAmended);
    says(&found, &format!("{right} for 1"));
    let less = format!("amend = [ {{ number = [1, {}] }} ]", right - 1);
    assert_eq!(claim(&less).verdict, Verdict::Refuted);
}

#[test]
fn number_after_at_least_is_corrected() {
    let claim = |amend: &str| verified(&format!("sum = 'size(turns)'\nat_least = 22\n{amend}"));
    assert_eq!(claim("").verdict, Verdict::Refuted);
    let found = claim("amend = [ { number = [1, 30] } ]");
    judged(&found, Verdict::ConfirmedAsAmended);
    says(&found, "20 for 22");
    let none = claim("amend = [ { number = [21, 30] } ]");
    judged(&none, Verdict::Refuted);
}

#[test]
fn measured_number_replaces_the_printed_one_at_any_distance() {
    let claim = |measure: &str, low: i64, high: i64| {
        verified(&format!(
            "{measure}\namend = [ {{ number = [{low}, {high}] }} ]"
        ))
    };
    let positions =
        "over = { positions = ['7k/8/8/8/8/8/8/K7 w - - 0 1', '7k/8/8/8/8/8/8/K6R b - - 0 1'] }";
    for (measure, low, high, change) in [
        ("perft = 3\nis = 8602", 8000, 9999, "8902 for 8602"),
        ("perft = 3\nis = 1", 0, 9999, "8902 for 1"),
        (
            &format!("{positions}\nshare = 'check'\nis = 0.4"),
            0,
            1,
            "0.5 for 0.4",
        ),
        (
            &format!("{positions}\nshare = 'check'\nis = '1/3'"),
            0,
            1,
            "1/2 for 1/3",
        ),
        (
            &format!("{positions}\nmean = 'count()'\nis = 2.6"),
            0,
            10,
            "2.5 for 2.6",
        ),
        (
            &format!("{positions}\nmean = 'count()'\nat_most = 2.4"),
            3,
            10,
            "3 for 2.4",
        ),
        (
            "sum = 'size(turns)'\nat_least = 25\nat_most = 30",
            0,
            100,
            "20 for 25",
        ),
        (
            "sum = 'size(turns)'\nat_least = 10\nat_most = 15",
            0,
            100,
            "20 for 15",
        ),
        ("sum = 'size(turns)'\nat_least = 1000", 1, 15, "15 for 1000"),
    ] {
        let found = claim(measure, low, high);
        judged(&found, Verdict::ConfirmedAsAmended);
        says(&found, change);
    }
    judged(&claim("perft = 3\nis = 8602", 8000, 8901), Verdict::Refuted);
    judged(
        &claim(&format!("{positions}\nmean = 'count()'\nis = 2.6"), 0, 2),
        Verdict::Refuted,
    );
    let unknown = claim(
        "over = 'graph'\nstates = true\nat_most = 5\nlimits = { states = 50 }",
        0,
        9,
    );
    judged(&unknown, Verdict::Refuted);
    says(
        &unknown,
        "no number was tried, as the right one is not known",
    );
}

#[test]
fn range_of_numbers_that_was_not_tried_completely_is_named() {
    // A proof search finds a mate, but not the fewest plies.
    let found = verified(
        "fen = '6k1/8/8/8/8/P7/RR6/4K3 w - - 0 1'\nforce = 'win'\nwithin = 1\n\
         amend = [ { number = [500, 1000] } ]",
    );
    judged(&found, Verdict::Refuted);
    says(
        &found,
        "only numbers within 200 of the printed one were tried",
    );
}

#[test]
fn turns_are_replaced_only_at_the_listed_places() {
    let claim = |amend: &str| {
        verified(&format!(
            "line = 'f3 e5 g3 a6'\nends = 'black-wins checkmate'\namend = [ {{ {amend} }} ]"
        ))
    };
    for amend in [
        "replace_turn = true",
        "replace_turn = 2, at = 4",
        "replace_turn = 2, at = [2, 4]",
    ] {
        judged(&claim(amend), Verdict::Refuted);
    }
    let found = claim("replace_turn = 2, at = [3, 4]");
    judged(&found, Verdict::ConfirmedAsAmended);
    assert_eq!(
        cells(&found, 0),
        ["turn 3 g2g4 for `g3` and turn 4 d8h4 for `a6`"]
    );
}
