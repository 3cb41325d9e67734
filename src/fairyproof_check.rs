//! The `fairyproof-check` program: evidence checked by the naive rules. All of it is in the crate `check`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ExitCode::from(check::run(&arguments, &mut std::io::stdout()))
}
