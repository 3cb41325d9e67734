//! The pages in a real browser: headless Chromium, driven by the WebDriver protocol.
//!
//! Needs `chromium` and `chromedriver` (Debian's `chromium` and `chromium-driver`). On a machine without
//! them, every test is reported by name as left out. The tests run one after the other, because one
//! browser uses all cores. A word on the command line selects the tests whose names contain it.

mod driver;
mod local_page;
mod pages;
#[path = "../server/mod.rs"]
mod server;

use driver::Browser;
use std::panic::catch_unwind;

type Test = (&'static str, fn());

const TESTS: [Test; 18] = [
    (
        "turn_is_played_by_two_clicks_and_taken_back",
        local_page::turn_is_played_by_two_clicks_and_taken_back,
    ),
    ("promotion_is_chosen", local_page::promotion_is_chosen),
    (
        "turn_of_two_steps_is_played_step_by_step",
        local_page::turn_of_two_steps_is_played_step_by_step,
    ),
    (
        "rules_and_legend_are_shown_next_to_the_board",
        local_page::rules_and_legend_are_shown_next_to_the_board,
    ),
    (
        "table_is_offered_only_where_it_can_be_built",
        local_page::table_is_offered_only_where_it_can_be_built,
    ),
    (
        "illegal_turn_in_the_address_shows_the_board_before_it",
        local_page::illegal_turn_in_the_address_shows_the_board_before_it,
    ),
    (
        "address_contains_the_line",
        local_page::address_contains_the_line,
    ),
    ("keyboard_plays_a_turn", local_page::keyboard_plays_a_turn),
    (
        "units_are_placed_with_the_mouse",
        local_page::units_are_placed_with_the_mouse,
    ),
    (
        "hands_stay_while_units_are_placed_and_dropped",
        local_page::hands_stay_while_units_are_placed_and_dropped,
    ),
    (
        "promotion_sign_is_chosen",
        local_page::promotion_sign_is_chosen,
    ),
    (
        "longest_win_is_played_by_clicking",
        local_page::longest_win_is_played_by_clicking,
    ),
    (
        "problem_is_solved_and_job_cancelled",
        local_page::problem_is_solved_and_job_cancelled,
    ),
    (
        "expression_marks_squares_and_lists_states",
        local_page::expression_marks_squares_and_lists_states,
    ),
    ("page_fits_a_phone", local_page::page_fits_a_phone),
    (
        "solution_opens_with_the_key_next_to_its_diagram",
        pages::solution_opens_with_the_key_next_to_its_diagram,
    ),
    (
        "line_is_stepped_through_and_readable_without_scripts",
        pages::line_is_stepped_through_and_readable_without_scripts,
    ),
    (
        "boards_of_claims_are_shown_and_their_lines_stepped_through",
        pages::boards_of_claims_are_shown_and_their_lines_stepped_through,
    ),
];

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let (mut failed, mut left_out) = (0, 0);
    for (name, test) in TESTS {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        if let Some(missing) = Browser::missing() {
            println!("test {name} ... left out: there is no `{missing}`");
            left_out += 1;
            continue;
        }
        let good = catch_unwind(test).is_ok();
        println!("test {name} ... {}", if good { "ok" } else { "FAILED" });
        failed += usize::from(!good);
    }
    println!("browser: {failed} failed, {left_out} left out");
    if failed > 0 {
        std::process::exit(101);
    }
}
