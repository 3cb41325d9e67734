//! The `fairyproof` program. Everything it does stands in the `cli` layer.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
