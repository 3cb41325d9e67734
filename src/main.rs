//! The `fairyproof` program. Everything it does stands in the library's `cli` layer.

use std::process::ExitCode;

fn main() -> ExitCode {
    fairyproof::cli::run(std::env::args_os())
}
