//! The `fairyproof-check` program: evidence checked by the naive rules. All of it is in the crate `check`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(check::run(std::env::args(), &mut std::io::stdout()))
}
