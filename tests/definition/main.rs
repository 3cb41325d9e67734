//! Variants that are read from a file: the library that the program carries, counted against another
//! engine, and definitions made at random.

mod carried;
mod checks;
mod claims;
mod counts;
mod drawn;
mod files;
mod interpreted;
mod judged;
mod material;
mod positions;
mod progress;
mod random;
mod settled;
mod solved;

/// Returns a number from the environment.
fn number(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
        Err(_) => default,
    }
}
