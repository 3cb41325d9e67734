//! `--svg`: an answer's picture, in a file or on standard output.

use super::answer::Failure;
use input::InputError;
use report::write_whole;
use std::io::Write;
use std::path::Path;

/// `--svg`.
#[derive(clap::Args, Debug)]
pub struct SvgOption {
    /// Draw the position as SVG into FILE (`-`: standard output, and no text)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,
}

impl SvgOption {
    /// Whether a picture is asked for.
    pub fn wanted(&self) -> bool {
        self.svg.is_some()
    }

    /// Whether the picture takes the place of the text.
    pub fn alone(&self) -> bool {
        self.svg.as_deref() == Some("-")
    }

    /// Refuses a picture of positions that come line by line.
    pub fn of_one(&self, fen: Option<&str>) -> Result<(), InputError> {
        match (&self.svg, fen) {
            (Some(_), Some("-")) => Err(InputError::new(
                "--svg",
                "a picture shows one position, and `-` reads many",
            )
            .help("name the position")),
            _ => Ok(()),
        }
    }

    /// Writes the picture where it is wanted, if it is.
    pub fn write(&self, draw: impl FnOnce() -> String, out: &mut dyn Write) -> Result<(), Failure> {
        match self.svg.as_deref() {
            None => Ok(()),
            Some("-") => Ok(out.write_all(draw().as_bytes())?),
            Some(file) => Ok(write_text(Path::new(file), "--svg", &draw())?),
        }
    }
}

/// Writes a text to a file that an option names, whole or not at all.
pub fn write_text(file: &Path, option: &str, text: &str) -> Result<(), InputError> {
    write_whole(file, |out| out.write_all(text.as_bytes())).map_err(|e| {
        InputError::new(
            option,
            format!("`{}` cannot be written: {e}", file.display()),
        )
    })
}

/// Every letter that a unit of any variant may have, for the symbols of pages.
pub fn all_letters() -> Vec<char> {
    ('A'..='Z').collect()
}
