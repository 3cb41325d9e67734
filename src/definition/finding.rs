//! What is wrong, or worth knowing, in a file of definitions: where, why, and what would be right.

use std::fmt;

/// A place in a text, both counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The section cannot be used as it stands.
    Error,
    /// It can, but perhaps not as meant.
    Warning,
}

/// One thing found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub place: Place,
    /// The section it is in, if any.
    pub section: Option<String>,
    /// What is wrong.
    pub why: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Finding {
    /// Returns an error.
    pub fn error(place: Place, why: impl Into<String>) -> Finding {
        Finding {
            severity: Severity::Error,
            place,
            section: None,
            why: why.into(),
            help: None,
        }
    }

    /// Returns a warning.
    pub fn warning(place: Place, why: impl Into<String>) -> Finding {
        Finding {
            severity: Severity::Warning,
            ..Finding::error(place, why)
        }
    }

    /// Returns the finding with what would be right.
    pub fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// Returns the finding with its section.
    pub fn within(mut self, section: &str) -> Finding {
        self.section = Some(section.to_owned());
        self
    }
}

impl fmt::Display for Finding {
    /// `12:5: error: [name] why; help`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{}:{}: {severity}: ", self.place.line, self.place.column)?;
        if let Some(section) = &self.section {
            write!(f, "[{section}] ")?;
        }
        f.write_str(&self.why)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}
