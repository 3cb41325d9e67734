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
    /// Runs the command and writes the completions to `out`.
    pub fn run(&self, _: &Catalog, out: &mut dyn Write) -> Answer {
        // The generator panics if a write fails, so let it write to memory.
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut super::program(), "fairyproof", &mut text);
        out.write_all(&text)?;
        Ok(Verdict::Done)
    }
}
