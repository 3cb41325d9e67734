use super::answer::{Answer, Verdict};
use catalog::Catalog;
use clap_complete::Shell;
use std::io::Write;

/// Print the completions of a shell
#[derive(clap::Args)]
#[command(after_help = "Example:\n  fairyproof completions bash > \
                        ~/.local/share/bash-completion/completions/fairyproof")]
pub struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Args {
    /// Answers.
    pub fn run(&self, _: &Catalog, out: &mut dyn Write) -> Answer {
        // The generator takes a failing writer for a mistake of the program.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut super::program(), "fairyproof", &mut text);
        out.write_all(&text)?;
        Ok(Verdict::Done)
    }
}
