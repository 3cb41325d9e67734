//! The claims of the source pages, as claims files that are compiled into the program.

/// A built-in claims file: its name and its text.
pub type BuiltInPage = (&'static str, &'static str);

/// The built-in pages, in the order in which the ledger lists them.
pub const PAGES: &[BuiltInPage] = &[
    ("fide.toml", include_str!("fide.toml")),
    ("bachelor.toml", include_str!("bachelor.toml")),
    ("convergent.toml", include_str!("convergent.toml")),
    (
        "french-revolution.toml",
        include_str!("french-revolution.toml"),
    ),
    ("chromopolis.toml", include_str!("chromopolis.toml")),
    ("goal.toml", include_str!("goal.toml")),
];
