//! Rule sets and their options as they are typed: what they do, and what a mistake is told.

use crate::run::{answer, holds, refusal};

#[test]
fn unknown_variant_is_told_with_a_near_one() {
    for command in ["rules", "start", "show", "turns", "outcome", "play"] {
        let err = refusal(&[command, "bachelr"]);
        holds(
            &err,
            &[
                "error: variant `bachelr`: ",
                "\nhelp: did you mean `bachelor`?",
            ],
        );
    }
    holds(&refusal(&["perft", "bachelr", "1"]), &["`bachelor`"]);
    holds(&refusal(&["compare", "fide", "bachelr"]), &["`bachelor`"]);
    holds(
        &refusal(&["turns", "Fide"]),
        &["`Fide`", "did you mean `fide`?"],
    );
    holds(&refusal(&["turns", ""]), &["fairyproof variants"]);
}

#[test]
fn unknown_option_of_a_variant_is_told() {
    holds(
        &refusal(&["turns", "fide:fast"]),
        &[
            "variant `fide:fast`",
            "no option `fast`",
            "takes no options",
        ],
    );
}

#[test]
fn wrong_options_of_a_variant_with_options_are_told() {
    for (id, words) in [
        (
            "french-revolution:tenrows",
            ["no option `tenrows`", "did you mean `ten-rows`?"],
        ),
        (
            "french-revolution:ten-rows,ten-rows",
            ["`ten-rows` is given twice", ""],
        ),
        (
            "french-revolution:ten-rows=1",
            ["`ten-rows` takes no value", ""],
        ),
        ("french-revolution:", ["no option ``", "its options: "]),
    ] {
        holds(&refusal(&["start", id]), &words);
    }
}

#[test]
fn options_of_a_variant_have_their_effect() {
    holds(
        &answer(&["start", "french-revolution:ten-rows"]),
        &["rnbqkbnr/8/8/8/PPPPPPPP/"],
    );
    holds(
        &answer(&["turns", "french-revolution:avalanche"]),
        &["a4a3\n"],
    );
    holds(
        &answer(&["rules", "french-revolution:ten-rows"]),
        &["* `french-revolution:weak-loss`: ", "10  r n b q k b n r\n"],
    );
}

#[test]
fn control_characters_of_input_do_not_reach_the_terminal() {
    let err = refusal(&["turns", "fi\x1b[31m\nde"]);
    assert!(!err.contains('\x1b'));
    holds(&err, &["\\u{1b}", "\\n"]);
    assert_eq!(err.lines().count(), 2);
}
