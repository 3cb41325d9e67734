//! Files of older rules, of dead processes, and links in folders.

use super::*;
use crate::{Signature, Tables, build};
use control::Control;
use rules::with_game;
use std::sync::Arc;

const LIMITS: Control<'static> = Control::new().with_memory(1 << 28);

/// Writes the file of a table with versions of the rules other than its own.
fn change_law(path: &Path, law: Law) {
    let Stored { file, sections, .. } = Stored::open(path).expect("a table");
    let mut out = Writer::new(Vec::new(), KIND, law).expect("written");
    let mut buffer = Vec::new();
    for section in 0..sections.len() {
        let bytes = sections.load(&file, section, &mut buffer).expect("read");
        out.section(bytes).expect("written");
    }
    let (bytes, _) = out.finish().expect("written");
    std::fs::write(path, bytes).expect("a file");
}

#[test]
fn tables_of_an_older_law_count_as_none_and_are_built_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let geometry = Geometry::new(3, 3, 0, false).expect("a board");
    let variant = Variant::from(&variants::fide::INFO);
    with_game!(&variant.on(geometry).expect("a game"), game => {
        let fresh = || Tables::new(Arc::clone(game), Some(Store::new(folder.path())));
        let signature = Signature::parse(game.as_ref(), "KQvK").expect("a signature");
        let key = fresh().canonical(&signature.keys()[0]).0;
        let first = build(&fresh(), &signature, &LIMITS).expect("tables");
        let path = Store::new(folder.path()).path(game.as_ref(), &key);
        let whole = std::fs::read(&path).expect("a file");
        for older in [[PROGRAM_LAW - 1, 1], [PROGRAM_LAW, 0]] {
            change_law(&path, older);
            let tables = fresh();
            assert!(tables.table(&key).expect("no error").is_none());
            assert_eq!(tables.notes().len(), 1);
            let tables = fresh();
            let again = build(&tables, &signature, &LIMITS).expect("tables");
            assert_eq!((again.solved, again.reused), (1, first.solved - 1));
            assert_eq!(tables.notes().len(), 1);
            assert_eq!(std::fs::read(&path).expect("a file"), whole);
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn what_dead_processes_left_is_cleared() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = format!("{UNFINISHED}{}-x", std::process::id());
    // No process has such a number.
    let dead = format!("{UNFINISHED}4294967295-x");
    for name in [&own, &dead, &"kept".to_string()] {
        std::fs::write(folder.path().join(name), "").expect("a file");
    }
    Store::new(folder.path()).clear();
    assert!(folder.path().join(own).exists() && folder.path().join("kept").exists());
    assert!(!folder.path().join(dead).exists());
}

#[cfg(unix)]
#[test]
fn links_in_circles_end() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).expect("a link");
    std::fs::write(folder.path().join("x.fpt"), "none").expect("a file");
    let listed = Store::new(folder.path()).list().expect("a list");
    assert_eq!(listed.len(), 1);
    assert!(listed[0].is_err());
}
