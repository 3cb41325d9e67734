//! Files in the folders of tests.

#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::Path;

/// Files by their paths in a folder.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Returns all files below a folder.
pub fn below(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type().expect("a type").is_dir() {
            true => {
                let inside = below(&entry.path()).into_iter();
                files.extend(inside.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
            }
            false => {
                let bytes = std::fs::read(entry.path()).expect("a file");
                files.insert(name, bytes);
            }
        }
    }
    files
}

/// Returns the path of a file in a folder, as an argument of the program.
pub fn path_in(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    path.to_str().expect("UTF-8").to_string()
}
