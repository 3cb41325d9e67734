//! `fairyproof man`: the manual page.

use crate::run::{COMMANDS, answer, holds};

#[test]
fn manual_has_a_section_for_every_command() {
    let page = answer(&["man"]);
    holds(&page, &[".TH fairyproof 1", ".SH NAME", ".SS OPTIONS"]);
    for command in COMMANDS {
        holds(&page, &[&format!(".SH \"fairyproof {command}\"\n")]);
    }
    assert_eq!(page.matches("\n.TH ").count() + 1, 2, "one page");
}
