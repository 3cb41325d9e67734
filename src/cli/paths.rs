//! The files and folders that a command reads and writes. They are collected from its arguments, and before any work
//! it is checked that no output replaces an input or another output.
//!
//! An argument names files if its value is a `FILE`, and folders if its value is a `DIR`. Links are followed, and
//! files are compared by device and inode, so that neither spellings nor links hide that two names are one file.

use clap::ArgMatches;
use diagnostics::Diagnostic;
use report::{is_stdout, resolved};
use std::fs;
use std::path::{Path, PathBuf};

/// The ids of the arguments that name outputs. All others name inputs, or folders whose files a command replaces
/// itself.
const OUTPUTS: [&str; 13] = [
    "condensation",
    "csv",
    "dot",
    "edges",
    "graphml",
    "html",
    "out",
    "parquet",
    "parquet_edges",
    "parquet_positions",
    "refutation",
    "svg",
    "values",
];
/// The extensions of the files that commands write in a folder.
const WRITTEN: [&str; 3] = ["csv", "fpp", "html"];
/// The extensions of the files that commands keep in a folder for later runs: tables, saved searches, runs of states.
const KEPT: [&str; 4] = ["fps", "fpt", "fpv", "run"];
/// Folders below a folder whose files are compared.
const MAX_DEPTH: u32 = 3;

/// What a path leads to. Equal values are the same file, folder or stream.
#[derive(PartialEq)]
enum Identity {
    /// The device and the inode.
    Node(u64, u64),
    /// A path with all links resolved. The file may not exist yet.
    Path(PathBuf),
}

/// Returns what a path leads to, or `None` for a device, which any output may use, and for a path that leads nowhere.
fn identity(path: &Path) -> Option<Identity> {
    if is_stdout(path) {
        return Some(Identity::Path("-".into()));
    }
    #[cfg(unix)]
    if let Ok(data) = fs::metadata(path) {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let kind = data.file_type();
        let is_device = kind.is_char_device() || kind.is_block_device();
        return (!is_device).then(|| Identity::Node(data.dev(), data.ino()));
    }
    full(path).map(Identity::Path)
}

/// Returns a path with all links resolved. Folders of the path may be missing, because a command may create them.
fn full(path: &Path) -> Option<PathBuf> {
    resolved(path).ok().or_else(|| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())?;
        Some(full(folder)?.join(path.file_name()?))
    })
}

/// Returns the files of a folder and of the folders in it.
fn files_in(folder: &Path, depth: u32) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .flat_map(|path| match path.is_dir() {
            true if depth > 0 => files_in(&path, depth - 1),
            true => Vec::new(),
            false => vec![path],
        })
        .collect()
}

/// A file or folder, with the argument that names it.
struct Named {
    argument: String,
    path: PathBuf,
    is_folder: bool,
    identity: Option<Identity>,
}

impl Named {
    fn new(argument: impl Into<String>, path: &Path, is_folder: bool) -> Named {
        Named {
            argument: argument.into(),
            path: path.to_owned(),
            is_folder,
            identity: identity(path),
        }
    }

    /// Returns whether a path leads to this file or folder.
    fn is(&self, path: &Path) -> bool {
        self.identity.is_some() && identity(path) == self.identity
    }

    /// Returns whether this file is, or will be, in a folder.
    fn is_in(&self, folder: &Named) -> bool {
        full(&folder.path)
            .is_some_and(|folder| full(&self.path).is_some_and(|path| path.starts_with(folder)))
    }

    /// Returns whether this folder keeps a file for later runs, or a link to it. A folder of `--disk` has no other
    /// files than its own.
    fn keeps(&self, file: &Named) -> bool {
        let is_kept = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_level = name.starts_with("level-");
            is_level
                || path
                    .extension()
                    .is_some_and(|e| KEPT.iter().any(|kept| e == *kept))
        };
        if !self.is_folder || file.is_folder {
            return false;
        }
        let is_own =
            self.argument == "--disk" || full(&file.path).is_some_and(|path| is_kept(&path));
        let is_link = |path: &PathBuf| is_kept(path) && file.is(path);
        is_own && file.is_in(self)
            || file.path.exists() && files_in(&self.path, MAX_DEPTH).iter().any(is_link)
    }

    /// Returns the file in this folder that its command may write and that is the same as an input.
    fn replaces(&self, input: &Named) -> Option<PathBuf> {
        let files = match self.is_folder && !input.is_folder {
            true => files_in(&self.path, MAX_DEPTH),
            false => Vec::new(),
        };
        let is_written = |path: &PathBuf| {
            path.extension()
                .is_some_and(|e| WRITTEN.iter().any(|w| e == *w))
        };
        files
            .into_iter()
            .filter(is_written)
            .find(|path| input.is(path))
    }

    fn refused(&self, path: &Path, why: &str) -> Diagnostic {
        let why = format!("`{}` is {why}", path.display());
        Diagnostic::new(&self.argument, why).help("each output has a file of its own")
    }
}

/// The inputs and outputs of a command.
#[derive(Default)]
pub struct Paths {
    inputs: Vec<Named>,
    outputs: Vec<Named>,
}

impl Paths {
    /// Collects the files and folders that the arguments of a command name, those of the environment, and files that
    /// are standard input or output.
    pub fn of(command: &clap::Command, matches: &ArgMatches) -> Paths {
        let mut paths = Paths::default();
        paths.collect(command, matches);
        for file in super::rules_of_environment() {
            paths.input(format!("${}", super::RULES_VARIABLE), &file, false);
        }
        if let Some(folder) = tables::default_folder() {
            paths.input("the tables", &folder, true);
        }
        let is_file = |path: &&Path| path.is_file();
        if let Some(path) = Some(Path::new("/dev/stdin")).filter(is_file) {
            paths.input("standard input", path, false);
        }
        if let Some(path) = Some(Path::new("/dev/stdout")).filter(is_file)
            && !paths.outputs.iter().any(|output| is_stdout(&output.path))
            && let Ok(path) = path.canonicalize()
        {
            paths.output("standard output", &path, false);
        }
        paths
    }

    fn collect(&mut self, command: &clap::Command, matches: &ArgMatches) {
        for arg in command.get_arguments() {
            let Some(is_folder) = is_folder(arg) else {
                continue;
            };
            let id = arg.get_id().as_str();
            let argument = match arg.get_long() {
                Some(long) => format!("--{long}"),
                None => "FILE".to_owned(),
            };
            let values = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
            for path in values.filter(|value| !value.is_empty()).map(Path::new) {
                match OUTPUTS.contains(&id) {
                    true => self.output(&argument, path, is_folder),
                    false => self.input(&argument, path, is_folder),
                }
            }
        }
        if let Some((name, inner)) = matches.subcommand()
            && let Some(command) = command.find_subcommand(name)
        {
            self.collect(command, inner);
        }
    }

    /// Adds a file or folder that is read.
    pub fn input(&mut self, argument: impl Into<String>, path: &Path, is_folder: bool) {
        // A word that names no file is another input, such as the beginning of an id.
        if is_folder || path.exists() && !is_stdout(path) {
            self.inputs.push(Named::new(argument, path, is_folder));
        }
    }

    /// Adds a file that is written, or a folder in which files are.
    pub fn output(&mut self, argument: impl Into<String>, path: &Path, is_folder: bool) {
        self.outputs.push(Named::new(argument, path, is_folder));
    }

    /// Checks that no output replaces an input or another output.
    ///
    /// # Errors
    /// The first output that does.
    pub fn check(&self) -> Result<(), Diagnostic> {
        for (at, output) in self.outputs.iter().enumerate() {
            let (path, others) = (&output.path, &self.outputs[..at]);
            if let Some(other) = others.iter().find(|other| other.is(path)) {
                let why = format!("already the file of {}", other.argument);
                return Err(output.refused(path, &why));
            }
            for input in &self.inputs {
                if input.keeps(output) {
                    let why = format!("a file in the folder of {}", input.argument);
                    return Err(output.refused(path, &why));
                }
                let same = (input.is(path) && !input.is_folder).then(|| path.clone());
                if let Some(file) = same.or_else(|| output.replaces(input)) {
                    let why = format!("the file of {}, which is read", input.argument);
                    return Err(output.refused(&file, &why));
                }
            }
        }
        let folders = self.outputs.iter().filter(|output| output.is_folder);
        for folder in folders {
            let is_table = |file: &&Named| {
                !file.is_folder && file.path.extension().is_some_and(|e| e == "csv")
            };
            let mut files = self.outputs.iter().filter(is_table);
            if let Some(file) = files.find(|file| file.is_in(folder)) {
                let why = format!("a table in the folder of {}", folder.argument);
                return Err(file.refused(&file.path, &why));
            }
        }
        Ok(())
    }
}

/// Returns whether an argument names a folder, or `None` if it names neither files nor folders.
fn is_folder(arg: &clap::Arg) -> Option<bool> {
    let name = arg.get_value_names()?.first()?.as_str();
    match name.split(['.', '|']).next()? {
        "DIR" => Some(true),
        "FILE" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Adds the ids of all arguments that name files or folders.
    fn collect(command: &clap::Command, ids: &mut BTreeSet<String>) {
        let named = command
            .get_arguments()
            .filter(|arg| is_folder(arg).is_some());
        ids.extend(named.map(|arg| arg.get_id().to_string()));
        for command in command.get_subcommands() {
            collect(command, ids);
        }
    }

    #[test]
    fn every_argument_that_names_files_is_an_input_or_an_output() {
        let inputs = [
            "check", "claims", "disk", "file", "files", "games", "hosts", "proofs", "puzzles",
            "reports", "rules", "state", "suite", "tables", "with",
        ];
        let mut ids = BTreeSet::new();
        collect(&crate::program(), &mut ids);
        let known: BTreeSet<String> = inputs
            .into_iter()
            .chain(OUTPUTS)
            .map(str::to_owned)
            .collect();
        let unknown: Vec<_> = ids.difference(&known).collect();
        assert!(
            unknown.is_empty(),
            "neither inputs nor outputs: {unknown:?}"
        );
    }
}
