use super::answer::{Answer, Verdict};
use catalog::Catalog;
use clap_mangen::Man;
use std::io::Write;

/// Print the manual page
///
/// One page in roff with a section for each command.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof man > fairyproof.1 && man ./fairyproof.1")]
pub struct Args {}

impl Args {
    /// Runs the command and writes the manual page to `out`.
    pub fn run(&self, _: &Catalog, out: &mut dyn Write) -> Answer {
        let program = super::program();
        let mut page = Vec::new();
        let man = Man::new(program.clone());
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        for command in program.get_subcommands() {
            page.extend(format!(".SH \"fairyproof {}\"\n", command.get_name()).as_bytes());
            page.extend(section(command)?);
        }
        man.render_extra_section(&mut page)?;
        out.write_all(&page)?;
        Ok(Verdict::Done)
    }
}

/// Returns the section about a command, with its headings one level lower.
fn section(command: &clap::Command) -> std::io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut part = Vec::new();
    man.render_synopsis_section(&mut part)?;
    man.render_description_section(&mut part)?;
    man.render_options_section(&mut part)?;
    man.render_extra_section(&mut part)?;
    let text = String::from_utf8_lossy(&part);
    let lines = text.lines().map(|line| match line.strip_prefix(".SH ") {
        Some(heading) => format!(".SS {heading}\n"),
        None => format!("{line}\n"),
    });
    Ok(lines.collect::<String>().into_bytes())
}
