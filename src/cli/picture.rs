//! `--svg`: the picture of an answer, in a file or on standard output. Also output files of other options.

use super::answer::Failure;
use ::picture::svg;
use diagnostics::Diagnostic;
use report::Target;
use std::io::Write;
use std::path::Path;

/// `--svg`.
#[derive(clap::Args, Debug)]
pub struct SvgOption {
    /// Draw the position as SVG into FILE (`-`: standard output, and no text)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,
    /// Mark royal units and checks in pictures of orthodox chess too
    #[arg(long)]
    pub marks: bool,
}

impl SvgOption {
    /// Returns whether a picture is requested.
    pub fn wanted(&self) -> bool {
        self.svg.is_some()
    }

    /// Returns the options for drawing a picture file.
    pub fn look(&self) -> svg::Look {
        svg::Look {
            marked: self.marks,
            ..svg::Look::FILE
        }
    }

    /// Returns whether the picture replaces the text of the answer.
    pub fn alone(&self) -> bool {
        self.svg.as_deref() == Some("-")
    }

    /// Refuses a picture if positions are read line by line.
    ///
    /// # Errors
    /// If positions are read line by line.
    pub fn of_one(&self, fen: Option<&str>) -> Result<(), Diagnostic> {
        match (&self.svg, fen) {
            (Some(_), Some("-")) => Err(Diagnostic::new(
                "--svg",
                "a picture shows one position, and `-` reads many",
            )
            .help("name the position")),
            _ => Ok(()),
        }
    }

    /// Opens the file of the picture, if a file is requested, and checks that it is writable before the work
    /// begins.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(&self) -> Result<Option<Target>, Diagnostic> {
        match self.svg.as_deref() {
            None | Some("-") => Ok(None),
            Some(file) => open(Path::new(file), "--svg").map(Some),
        }
    }

    /// Writes the picture to its destination, if a picture is requested.
    ///
    /// # Errors
    /// If the file or `out` cannot be written to.
    pub fn write(&self, draw: impl FnOnce() -> String, out: &mut dyn Write) -> Result<(), Failure> {
        match self.svg.as_deref() {
            None => Ok(()),
            Some("-") => Ok(out.write_all(draw().as_bytes())?),
            Some(file) => Ok(write_text(Path::new(file), "--svg", &draw())?),
        }
    }
}

fn cannot(file: &Path, option: &str, error: std::io::Error) -> Diagnostic {
    let why = format!("`{}` cannot be written: {error}", file.display());
    Diagnostic::new(option, why)
}

/// Opens the file that an option names, and checks that it is writable before the work begins.
///
/// # Errors
/// If the file cannot be written.
pub fn open(file: &Path, option: &str) -> Result<Target, Diagnostic> {
    Target::open(file).map_err(|e| cannot(file, option, e))
}

/// Writes a text to an opened file. The file appears complete or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn fill(target: Target, file: &Path, option: &str, text: &str) -> Result<(), Diagnostic> {
    let written = target.write(|out| out.write_all(text.as_bytes()));
    written.map_err(|e| cannot(file, option, e))
}

/// Opens a file and writes a text to it. The file appears complete or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn write_text(file: &Path, option: &str, text: &str) -> Result<(), Diagnostic> {
    fill(open(file, option)?, file, option, text)
}
