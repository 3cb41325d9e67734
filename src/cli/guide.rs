use super::answer::{Answer, Verdict};
use catalog::Catalog;
use diagnostics::{Diagnostic, nearest};
use std::borrow::Cow;
use std::io::Write;

/// The written chapters of the manual: name and text. The first line of a text is its title.
const CHAPTERS: [(&str, &str); 18] = [
    ("own-variants", include_str!("../guide/own-variants.md")),
    ("rule-texts", include_str!("../guide/rule-texts.md")),
    ("expressions", include_str!("../guide/expressions.md")),
    ("exploring", include_str!("../guide/exploring.md")),
    ("notation", include_str!("../guide/notation.md")),
    ("problems", include_str!("../guide/problems.md")),
    ("tables", include_str!("../guide/tables.md")),
    ("proofs", include_str!("../guide/proofs.md")),
    ("claims", include_str!("../guide/claims.md")),
    ("python", include_str!("../guide/python.md")),
    ("pictures", include_str!("../guide/pictures.md")),
    ("scale", include_str!("../guide/scale.md")),
    ("reports", include_str!("../guide/reports.md")),
    ("variants", include_str!("../guide/variants.md")),
    ("guarantees", include_str!("../guide/guarantees.md")),
    ("measurements", include_str!("../guide/measurements.md")),
    ("library", include_str!("../guide/library.md")),
    ("contributing", include_str!("../guide/contributing.md")),
];

/// Print the manual, or one of its chapters
///
/// Without CHAPTER, the chapters are listed with their titles.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  fairyproof guide\n  fairyproof guide own-variants")]
pub struct Args {
    /// Name of a chapter, or `all`
    #[arg(value_name = "CHAPTER")]
    chapter: Option<String>,
}

/// The name of the chapter that is generated from the row types of the reports.
const COLUMNS: &str = "columns";

/// Returns all chapters with their texts.
fn chapters() -> Vec<(&'static str, Cow<'static, str>)> {
    let written = CHAPTERS.map(|(name, text)| (name, Cow::Borrowed(text)));
    let mut chapters = written.to_vec();
    // This chapter follows the chapter on reports.
    let place = chapters.iter().position(|(name, _)| *name == "reports");
    let place = place.map_or(chapters.len(), |place| place + 1);
    chapters.insert(place, (COLUMNS, Cow::Owned(report::columns::chapter())));
    chapters
}

impl Args {
    /// Prints the list of chapters, one chapter, or all chapters.
    pub fn run(&self, _: &Catalog, out: &mut dyn Write) -> Answer {
        let chapters = chapters();
        match self.chapter.as_deref() {
            None => {
                for (name, text) in &chapters {
                    let title = text.lines().next().unwrap_or_default();
                    writeln!(out, "{name:<14}{}", title.trim_start_matches("# "))?;
                }
            }
            Some("all") => {
                for (_, text) in &chapters {
                    writeln!(out, "{text}")?;
                }
            }
            Some(wanted) => match chapters.iter().find(|(name, _)| *name == wanted) {
                Some((_, text)) => out.write_all(text.as_bytes())?,
                None => {
                    let error = Diagnostic::new(
                        "guide",
                        format!("there is no chapter `{}`", diagnostics::shortened(wanted)),
                    );
                    let near = nearest(wanted, chapters.iter().map(|(name, _)| *name));
                    return Err(error
                        .help(match near {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => "`fairyproof guide` lists the chapters".into(),
                        })
                        .into());
                }
            },
        }
        Ok(Verdict::Done)
    }
}
