//! `fairyproof completions`: for every shell.

use crate::run::{COMMANDS, answer, holds, refusal};

#[test]
fn completions_of_every_shell_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        holds(&answer(&["completions", shell]), &COMMANDS);
    }
    holds(&refusal(&["completions", "sh"]), &["'sh'", "bash"]);
}
