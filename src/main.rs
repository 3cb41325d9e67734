//! The `fairyproof` program. All commands are in the crate `cli`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: control::memory::Allocator =
    control::memory::Allocator::new(cli::resources::out_of_memory);

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
