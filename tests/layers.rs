//! The house's order: a layer uses only those below it; rule sets do not know each other; only the
//! command line prints; petgraph stays where it belongs.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the top, those on one level together.
const ORDER: [&[&str]; 10] = [
    &["cli"],
    &["report"],
    &["claims", "puzzle"],
    &["solve"],
    &["explore"],
    &["notation"],
    &["rules"],
    &["position"],
    &["board"],
    &["input"],
];

fn level(layer: &str) -> Option<usize> {
    ORDER.iter().position(|level| level.contains(&layer))
}

/// A source file: its path in modules, such as `rules`, `sets`, `fide`, and its code.
struct Source {
    path: PathBuf,
    modules: Vec<String>,
    code: String,
}

/// The code without comments.
fn code_of(text: &str) -> String {
    text.lines()
        .map(|line| match line.find("//") {
            // An address in a string is no comment.
            Some(at) if !line[..at].ends_with(':') => &line[..at],
            _ => line,
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let inner = path.strip_prefix(&root).expect("inside").with_extension("");
            let mut modules: Vec<String> = inner
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if modules.last().is_some_and(|m| m == "mod") {
                modules.pop();
            }
            let code = code_of(&fs::read_to_string(&path).expect("text"));
            Source {
                path: inner,
                modules,
                code,
            }
        })
        .collect()
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn name_at(code: &str) -> &str {
    &code[..code.find(|c| !is_name(c)).unwrap_or(code.len())]
}

/// The code without the blanks between the parts of a path.
fn tight(code: &str) -> String {
    let mut text = code.split_whitespace().collect::<Vec<_>>().join(" ");
    for (loose, tight) in [
        (":: ", "::"),
        (" ::", "::"),
        ("{ ", "{"),
        (", ", ","),
        (" }", "}"),
    ] {
        text = text.replace(loose, tight);
    }
    text
}

/// The names that follow a prefix such as `crate::`, also those of a group in braces.
fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(is_name) || code[..at].ends_with("::") {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name_at(rest));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (i, c) in group.char_indices() {
            if start && depth == 0 {
                names.push(name_at(&group[i..]));
            }
            start = c == ',';
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    names
}

/// The modules at the root of the crate that a file of this module path names.
fn root_names<'a>(modules: &[String], code: &'a str) -> Vec<&'a str> {
    let mut names = names_after(code, "crate::");
    names.extend(names_after(code, &"super::".repeat(modules.len())));
    names
}

/// Macros that the crate exports, with the layer of each.
fn exported(sources: &[Source]) -> Vec<(String, usize)> {
    let mut macros = Vec::new();
    for source in sources {
        let Some(level) = source.modules.first().and_then(|m| level(m)) else {
            continue;
        };
        for (at, mark) in source.code.match_indices("#[macro_export]") {
            let rest = source.code[at + mark.len()..].trim_start();
            if let Some(rest) = rest.strip_prefix("macro_rules! ") {
                macros.push((name_at(rest).to_string(), level));
            }
        }
    }
    macros
}

/// What in this code is above the layer that the file belongs to.
fn upward(modules: &[String], code: &str, macros: &[(String, usize)]) -> Vec<String> {
    let own = level(&modules[0]).unwrap_or_else(|| panic!("{} is no known layer", modules[0]));
    let code = tight(code);
    let mut found = Vec::new();
    for name in root_names(modules, &code) {
        let above = level(name)
            .or_else(|| macros.iter().find(|(m, _)| m == name).map(|(_, l)| *l))
            .is_some_and(|other| other < own || (other == own && name != modules[0]));
        if above && !macros.iter().any(|(m, l)| m == name && *l == own) {
            found.push(name.to_string());
        }
    }
    found
}

fn modules(path: &str) -> Vec<String> {
    path.split('/').map(str::to_string).collect()
}

#[test]
fn no_layer_uses_one_above_it() {
    let sources = sources();
    let macros = exported(&sources);
    assert!(sources.len() > 30, "the sources are not found");
    assert!(macros.iter().any(|(m, _)| m == "with_setup"));
    for source in &sources {
        if matches!(source.modules[0].as_str(), "main" | "lib") {
            continue;
        }
        let found = upward(&source.modules, &source.code, &macros);
        assert!(
            found.is_empty(),
            "{:?} uses {found:?}, above it",
            source.path
        );
    }
}

#[test]
fn an_upward_use_is_seen_in_whatever_form() {
    let macros = [("with_setup".to_string(), level("notation").expect("known"))];
    let rules = modules("rules/sets/fide");
    for code in [
        "use crate::notation::fen;",
        "use crate::{board::Kind, notation::{fen, turns}};",
        "use crate::{\n    board::{Board, Kind},\n    solve,\n};",
        "let x = crate::cli::run();",
        "use super::super::super::report::table;",
        "use crate::with_setup;",
    ] {
        assert!(
            !upward(&rules, &code_of(code), &macros).is_empty(),
            "{code}"
        );
    }
    for code in [
        "use crate::board::{Board, Kind};",
        "use crate::{input::InputError, position::Layout};",
        "// use crate::notation::fen;",
        "/// See [`fen`](crate::notation::fen).",
        "use super::super::fide;",
    ] {
        assert_eq!(upward(&rules, &code_of(code), &macros), [""; 0], "{code}");
    }
    let claims = modules("claims/mod");
    assert_eq!(
        upward(&claims, "use crate::puzzle::read;", &macros),
        ["puzzle"]
    );
    assert_eq!(
        upward(&claims, "use crate::claims::Claim;", &macros),
        [""; 0]
    );
}

/// Names of other rule sets in the code of a rule set.
fn sets_named<'a>(own: &str, sets: &[String], code: &'a str) -> Vec<&'a str> {
    names_after(code, "super::")
        .into_iter()
        .chain(names_after(code, "crate::rules::sets::"))
        .chain(names_after(code, "super::super::sets::"))
        .filter(|name| *name != own && sets.iter().any(|set| set == name))
        .collect()
}

#[test]
fn no_rule_set_uses_another() {
    let sources: Vec<Source> = sources()
        .into_iter()
        .filter(|s| s.modules.len() == 3 && s.modules[..2] == ["rules", "sets"])
        .collect();
    let sets: Vec<String> = sources.iter().map(|s| s.modules[2].clone()).collect();
    assert!(sets.iter().any(|set| set == "bachelor"));
    for source in &sources {
        let code = tight(&source.code);
        let found = sets_named(&source.modules[2], &sets, &code);
        assert!(
            found.is_empty(),
            "{:?} uses the rule sets {found:?}",
            source.path
        );
    }
    let known = ["fide".to_string(), "bachelor".to_string()];
    for code in [
        "use super::bachelor::MARRIAGE;",
        "use crate::rules::sets::bachelor;",
        "use super::{bachelor, fide};",
    ] {
        assert_eq!(sets_named("fide", &known, code), ["bachelor"], "{code}");
    }
    assert_eq!(
        sets_named("fide", &known, "use crate::rules::fide;"),
        [""; 0]
    );
}

/// Whether the code names one of these, as a whole name.
fn names_any<'a>(code: &str, names: &[&'a str]) -> Option<&'a str> {
    names.iter().copied().find(|name| {
        code.match_indices(name)
            .any(|(at, _)| !code[..at].ends_with(is_name))
    })
}

#[test]
fn only_the_command_line_prints() {
    let prints = [
        "println!",
        "eprintln!",
        "print!",
        "eprint!",
        "dbg!",
        "stdout(",
        "stderr(",
    ];
    for source in sources() {
        if matches!(source.modules[0].as_str(), "main" | "cli") {
            continue;
        }
        let found = names_any(&source.code, &prints);
        assert_eq!(found, None, "{:?} prints", source.path);
    }
    assert_eq!(names_any("eprintln!(\"x\")", &prints), Some("eprintln!"));
    assert_eq!(
        names_any("std::io::stdout().lock()", &prints),
        Some("stdout(")
    );
}

#[test]
fn petgraph_stays_in_explore() {
    for source in sources() {
        if source.modules[0] != "explore" {
            let found = names_any(&source.code, &["petgraph"]);
            assert_eq!(found, None, "{:?} uses petgraph", source.path);
        }
    }
    assert!(names_any("use petgraph::Graph;", &["petgraph"]).is_some());
}

#[test]
fn the_program_itself_is_a_few_lines() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs"));
    assert!(text.expect("text").lines().count() < 20);
}
