//! The crates and their order. Cargo refuses circles; this test refuses an arrow that points up, and
//! a library outside the layer that it belongs to.

use crate::sources::place;
use std::collections::BTreeSet;
use toml::{Table, Value};

/// Each layer with those right below it. What lies below those it may use as well.
const BELOW: [(&str, &[&str]); 32] = [
    ("cli", &["serve", "can_win", "columns"]),
    ("python", &["picture", "columns"]),
    ("serve", &["picture"]),
    ("picture", &["report"]),
    ("columns", &["report"]),
    ("report", &["claims", "puzzle", "prove", "scale"]),
    ("claims", &["tables", "problems", "prove", "catalog"]),
    ("puzzle", &["problems", "tables", "catalog"]),
    ("prove", &["search", "certificate"]),
    ("can_win", &["explore"]),
    ("scale", &["values"]),
    ("problems", &["search"]),
    ("search", &["values"]),
    ("tables", &["values"]),
    ("values", &["explore"]),
    ("explore", &["language"]),
    ("language", &["notation", "control"]),
    ("notation", &["rules", "per_layout"]),
    ("per_layout", &[]),
    ("catalog", &["variants", "clauses", "notation", "control"]),
    ("clauses", &["language", "interpreter"]),
    ("interpreter", &["rules", "definition"]),
    ("definition", &["board"]),
    ("variants", &["rules"]),
    ("rules", &["position"]),
    ("position", &["board"]),
    ("board", &["diagnostics"]),
    ("certificate", &["control"]),
    ("control", &["diagnostics"]),
    ("diagnostics", &[]),
    // The second implementation of the rules, and what checks by it, share no rules with the first.
    ("check", &["naive", "certificate"]),
    ("naive", &[]),
];

/// Libraries that one layer alone may use, and both programs: a newtype hides the graphs, and a user of the
/// library does not get what a terminal needs.
const AT_HOME: [(&str, &str); 21] = [
    ("flate2", "cli"),
    ("arrow-array", "columns"),
    ("arrow-array", "python"),
    ("arrow-schema", "columns"),
    ("parquet", "columns"),
    ("pyo3", "python"),
    ("tokio-io-timeout", "serve"),
    ("petgraph", "explore"),
    ("timely_bytes", "scale"),
    ("timely_communication", "scale"),
    ("axum", "serve"),
    ("hyper", "serve"),
    ("hyper-util", "serve"),
    ("tokio", "serve"),
    ("tower", "serve"),
    ("clap", "cli"),
    ("clap", "check"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("ctrlc", "cli"),
    ("indicatif", "cli"),
];

/// Returns all layers below this one; none if there is no such layer.
fn below(layer: &str) -> BTreeSet<&'static str> {
    let right_below = BELOW.iter().find(|(name, _)| *name == layer);
    let mut all = BTreeSet::new();
    for name in right_below.map_or(&[][..], |(_, names)| names) {
        all.insert(*name);
        all.extend(below(name));
    }
    all
}

/// Returns the packages that a manifest depends on, tests aside. `workspace` is the manifest at the top,
/// where names may be given.
fn packages(manifest: &Table, workspace: &Table) -> BTreeSet<String> {
    let table =
        |value: Option<&Value>| value.and_then(Value::as_table).cloned().unwrap_or_default();
    let given = table(table(workspace.get("workspace")).get("dependencies"));
    let mut sections = vec![manifest.clone()];
    let targets = table(manifest.get("target"));
    sections.extend(targets.values().map(|target| table(Some(target))));
    let mut found = BTreeSet::new();
    for section in &sections {
        for kind in ["dependencies", "build-dependencies"] {
            for (name, value) in table(section.get(kind)) {
                let own = value.get("package");
                let shared = given.get(&name).and_then(|value| value.get("package"));
                let package = own.or(shared).and_then(Value::as_str).unwrap_or(&name);
                found.insert(package.to_string());
            }
        }
    }
    found
}

/// Returns what a layer depends on and may not.
fn misplaced(layer: &str, manifest: &Table, workspace: &Table) -> Vec<String> {
    let below = below(layer);
    let allowed = |package: &str| match package.strip_prefix("fairyproof-") {
        Some(other) => below.contains(other),
        None if package == "fairyproof" => false,
        None => {
            let homes = AT_HOME.iter().filter(|(library, _)| *library == package);
            let homes: Vec<&str> = homes.map(|(_, home)| *home).collect();
            homes.is_empty() || homes.contains(&layer)
        }
    };
    let mut packages = packages(manifest, workspace);
    packages.retain(|package| !allowed(package));
    packages.into_iter().collect()
}

pub fn manifest(path: &str) -> Table {
    let text = std::fs::read_to_string(place(path)).expect(path);
    text.parse().unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn no_crate_depends_on_one_above_it() {
    let top = manifest("Cargo.toml");
    let members = top["workspace"]["members"].as_array().expect("members");
    let members: Vec<&str> = members.iter().filter_map(Value::as_str).collect();
    let layers: BTreeSet<String> = BELOW
        .iter()
        .map(|(name, _)| format!("src/{name}"))
        .collect();
    assert_eq!(
        members
            .iter()
            .map(|m| m.to_string())
            .collect::<BTreeSet<_>>(),
        layers
    );
    for member in members {
        let manifest = manifest(&format!("{member}/Cargo.toml"));
        let layer = member.strip_prefix("src/").expect("a layer");
        let name = manifest["package"]["name"].as_str();
        assert_eq!(name, Some(&*format!("fairyproof-{layer}")));
        let found = misplaced(layer, &manifest, &top);
        assert!(found.is_empty(), "{layer} depends on {found:?}");
        // The lints that forbid printing are the workspace's.
        let lints = manifest.get("lints").and_then(|l| l.get("workspace"));
        assert_eq!(lints.and_then(Value::as_bool), Some(true), "{layer}");
    }
}

#[test]
fn the_library_is_without_the_command_line() {
    let top = manifest("Cargo.toml");
    for program in ["cli", "check"] {
        let optional = top["dependencies"][program]["optional"].as_bool();
        assert_eq!(optional, Some(true), "{program}");
    }
    let packages = packages(&top, &top);
    assert!(packages.contains("fairyproof-problems"));
    for (library, home) in AT_HOME {
        assert!(!packages.contains(library), "{library} belongs to {home}");
    }
}

#[test]
fn printing_is_linted() {
    let top = manifest("Cargo.toml");
    for lint in ["print_stdout", "print_stderr", "dbg_macro"] {
        assert!(
            top["workspace"]["lints"]["clippy"].get(lint).is_some(),
            "{lint}"
        );
    }
}

#[test]
fn an_arrow_that_points_up_is_seen_in_whatever_form() {
    let top = manifest("Cargo.toml");
    let found = |layer: &str, text: &str| {
        let manifest = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        misplaced(layer, &manifest, &top)
    };
    for (layer, text, package) in [
        (
            "problems",
            "[dependencies]\nvariants.workspace = true",
            "fairyproof-variants",
        ),
        (
            "explore",
            "[dependencies]\nvariants = { workspace = true }",
            "fairyproof-variants",
        ),
        (
            "notation",
            "[dependencies.variants]\nworkspace = true",
            "fairyproof-variants",
        ),
        (
            "rules",
            "[dependencies]\nfairyproof-notation = { path = \"../notation\" }",
            "fairyproof-notation",
        ),
        (
            "rules",
            "[dependencies]\nlaw = { package = \"fairyproof-variants\", path = \"../variants\" }",
            "fairyproof-variants",
        ),
        (
            "board",
            "[build-dependencies]\nposition.workspace = true",
            "fairyproof-position",
        ),
        (
            "diagnostics",
            "[target.'cfg(unix)'.dependencies]\nboard.workspace = true",
            "fairyproof-board",
        ),
        (
            "claims",
            "[dependencies]\npuzzle.workspace = true",
            "fairyproof-puzzle",
        ),
        (
            "puzzle",
            "[dependencies]\nclaims.workspace = true",
            "fairyproof-claims",
        ),
        (
            "report",
            "[dependencies]\ncli.workspace = true",
            "fairyproof-cli",
        ),
        (
            "cli",
            "[dependencies]\nfairyproof = { path = \"../..\" }",
            "fairyproof",
        ),
        (
            "problems",
            "[dependencies]\npetgraph.workspace = true",
            "petgraph",
        ),
        ("report", "[dependencies]\nclap = \"4\"", "clap"),
        (
            "picture",
            "[dependencies]\nserve.workspace = true",
            "fairyproof-serve",
        ),
        ("cli", "[dependencies]\nhyper.workspace = true", "hyper"),
    ] {
        assert_eq!(found(layer, text), [package], "{layer}: {text}");
    }
    for (layer, text) in [
        ("problems", "[dev-dependencies]\nvariants.workspace = true"),
        (
            "problems",
            "[dependencies]\ndiagnostics.workspace = true\nrayon = \"1\"",
        ),
        (
            "claims",
            "[dependencies]\nvariants.workspace = true\nboard.workspace = true",
        ),
        ("explore", "[dependencies]\npetgraph.workspace = true"),
        (
            "cli",
            "[dependencies]\nclap.workspace = true\nreport.workspace = true",
        ),
    ] {
        assert_eq!(found(layer, text), [""; 0], "{layer}: {text}");
    }
}
