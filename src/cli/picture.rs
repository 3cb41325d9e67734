//! `--svg`: an answer's picture, in a file or on standard output.

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

    /// Returns how a picture file is drawn.
    pub fn look(&self) -> svg::Look {
        svg::Look {
            marked: self.marks,
            ..svg::Look::FILE
        }
    }

    /// Returns whether the picture takes the place of the text.
    pub fn alone(&self) -> bool {
        self.svg.as_deref() == Some("-")
    }

    /// Refuses a picture of positions that come line by line.
    ///
    /// # Errors
    /// If positions come line by line.
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

    /// Returns the file of the picture, if it is wanted in one, known to be writable before the work begins.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn open(&self) -> Result<Option<Target>, Diagnostic> {
        match self.svg.as_deref() {
            None | Some("-") => Ok(None),
            Some(file) => open(Path::new(file), "--svg").map(Some),
        }
    }

    /// Writes the picture where it is wanted, if it is.
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

/// Returns the file that an option names, known to be writable before the work begins.
///
/// # Errors
/// If the file cannot be written.
pub fn open(file: &Path, option: &str) -> Result<Target, Diagnostic> {
    Target::open(file).map_err(|e| cannot(file, option, e))
}

/// Writes a text to it, whole or not at all.
///
/// # Errors
/// If the file cannot be written.
pub fn fill(target: Target, file: &Path, option: &str, text: &str) -> Result<(), Diagnostic> {
    let written = target.write(|out| out.write_all(text.as_bytes()));
    written.map_err(|e| cannot(file, option, e))
}

/// The same at once.
///
/// # Errors
/// If the file cannot be written.
pub fn write_text(file: &Path, option: &str, text: &str) -> Result<(), Diagnostic> {
    fill(open(file, option)?, file, option, text)
}

/// Returns every letter that a unit of any variant may have, for the symbols of pages.
pub fn all_letters() -> Vec<char> {
    ('A'..='Z').collect()
}
