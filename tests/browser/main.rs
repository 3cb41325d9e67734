//! The pages in a real browser: Chromium, without a window, by the WebDriver protocol.
//!
//! Needs `chromium` and `chromedriver` (Debian's `chromium` and `chromium-driver`). On a machine without
//! them every test is told as left out, by name. The tests run one after the other: a browser fills
//! a machine by itself. A word on the command line runs those alone whose names hold it.

mod driver;
mod local_page;
mod pages;

use driver::Browser;
use std::panic::catch_unwind;

type Test = (&'static str, fn());

const TESTS: [Test; 13] = [
    (
        "a_unit_is_played_by_two_clicks_and_taken_back",
        local_page::a_unit_is_played_by_two_clicks_and_taken_back,
    ),
    (
        "a_promotion_is_asked_for",
        local_page::a_promotion_is_asked_for,
    ),
    (
        "a_turn_of_two_steps_is_played_step_by_step",
        local_page::a_turn_of_two_steps_is_played_step_by_step,
    ),
    (
        "the_address_holds_the_line",
        local_page::the_address_holds_the_line,
    ),
    (
        "the_keyboard_alone_plays",
        local_page::the_keyboard_alone_plays,
    ),
    (
        "units_are_placed_with_the_mouse",
        local_page::units_are_placed_with_the_mouse,
    ),
    (
        "hands_stay_while_units_are_placed_and_dropped",
        local_page::hands_stay_while_units_are_placed_and_dropped,
    ),
    (
        "a_sign_of_promotion_is_asked_for",
        local_page::a_sign_of_promotion_is_asked_for,
    ),
    (
        "the_longest_win_is_found_by_clicking",
        local_page::the_longest_win_is_found_by_clicking,
    ),
    (
        "a_problem_is_solved_and_another_cancelled",
        local_page::a_problem_is_solved_and_another_cancelled,
    ),
    (
        "nothing_is_wider_than_a_phone",
        local_page::nothing_is_wider_than_a_phone,
    ),
    (
        "a_solution_is_indented_beside_its_diagram",
        pages::a_solution_is_indented_beside_its_diagram,
    ),
    (
        "a_line_is_stepped_through_and_read_without_scripts",
        pages::a_line_is_stepped_through_and_read_without_scripts,
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
