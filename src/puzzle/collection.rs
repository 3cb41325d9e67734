//! The project's own puzzles, compiled into the program. Commands use them if no folder `puzzles` exists.

/// Lists the named files as pairs of name and text.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../puzzles/", $name, ".toml")))),*]
    };
}

/// The puzzle files by name without `.toml`, in byte order.
pub const FILES: &[(&str, &str)] = files![
    "bachelor",
    "blunder-mate",
    "chromopolis",
    "clerical",
    "concurrent",
    "contravention",
    "convergent",
    "counselor",
    "deadline",
    "decastellation",
    "donnybrook",
    "dowager",
    "dynastic",
    "entourage",
    "french-revolution",
    "glory",
    "junta",
    "kingmaker",
    "linkage",
    "moderation",
    "orthodox",
    "prop",
    "reentrant",
    "regent",
    "separation",
    "series-helpmate",
    "shrapnel",
    "society",
    "spartan",
    "submission",
    "triple-check",
    "twilight",
    "tyrant",
    "ultimate",
    "xenophobic",
    "zoo",
];

#[cfg(test)]
mod tests {
    use super::FILES;

    #[test]
    fn collection_contains_every_file_of_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles");
        let entries = std::fs::read_dir(folder).expect("the folder `puzzles`");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .filter_map(|name| Some(name.to_str()?.strip_suffix(".toml")?.to_owned()))
            .collect();
        names.sort();
        let listed: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, names);
    }
}
