//! `solve --suite`: the problems of a CSV file, solved and compared with the solutions in it.

use super::args::Args;
use crate::answer::{Answer, Verdict};
use crate::progress::Bar;
use crate::suite::{Case, Suite};
use catalog::Catalog;
use control::Stopped;
use diagnostics::Diagnostic;
use notation::{Setup, turns, with_setup};
use problems::{Problem, Stipulation};
use std::io::Write;

impl Args {
    /// Solves the rows of a file and prints those that differ.
    pub(super) fn suite(&self, catalog: &Catalog, file: &str, out: &mut dyn Write) -> Answer {
        let columns = ["variant", "fen", "stipulation", "solutions", "keys"];
        let suite = Suite::read(file, &columns)?;
        let mut tasks = Vec::new();
        for case in suite.cases() {
            // A position takes some 40 KB with the tables of its board, so it is only checked here and read
            // again for solving.
            asked(catalog, case)?;
            let expected = case.text("solutions");
            if count_of(expected).is_none() {
                let error =
                    Diagnostic::new(format!("`{expected}`"), "it is not a number of solutions")
                        .help("a whole number, or `none`");
                return Err(case.wrong("solutions", error).into());
            }
            tasks.push(case);
        }
        let bar = Bar::new();
        let mut differing: Vec<(Case, String)> = Vec::new();
        let (mut worst, mut done) = (Verdict::Done, 0);
        for (at, case) in (1..).zip(&tasks) {
            let (setup, stipulation) = asked(catalog, *case)?;
            let named = match case.text("keys") {
                "none" => "",
                keys => keys,
            };
            // Turns may be written in any notation. A text that is not a turn is kept as it is, so it differs
            // from every turn.
            let mut expected: Vec<String> = with_setup!(&setup, start => {
                let (game, p) = (start.game.as_ref(), &start.position);
                let text = |word| match turns::read(game, p, word, 1) {
                    Ok(turn) => turns::print(game, p, &turn),
                    Err(_) => word.to_string(),
                };
                turns::words(named).map(text).collect()
            });
            expected.sort_unstable();
            let (count, keys, stopped) = with_setup!(&setup, start => {
                let problem = Problem::new(start.clone(), stipulation);
                let solution = problem.solve(&self.limits(), &self.control(&()));
                (solution.count(), problem.first_turns(&solution), solution.stopped)
            });
            bar.show("solving", at, tasks.len(), "rows");
            if stopped == Some(Stopped::Interrupted) {
                worst = Verdict::Interrupted;
                break;
            }
            done += 1;
            if stopped.is_some() {
                worst = worst.max(Verdict::Undecided);
                differing.push((*case, "undecided".to_string()));
            } else if count_of(case.text("solutions")) != Some(count) || expected != keys {
                differing.push((
                    *case,
                    format!("{count} {}", keys.join(" ")).trim_end().to_string(),
                ));
            }
        }
        bar.clear();
        suite.write_differing("solved", done, &differing, out)?;
        let wrong = differing.iter().any(|(_, solved)| solved != "undecided");
        Ok(match worst {
            Verdict::Undecided | Verdict::Done if wrong => Verdict::Finding,
            worst => worst,
        })
    }
}

/// Returns the position and the stipulation of a row.
fn asked(catalog: &Catalog, case: Case<'_>) -> Result<(Setup, Stipulation), Diagnostic> {
    let setup = case.setup(catalog)?;
    let rule_set = &setup.variant().rule_set;
    let geometry = with_setup!(&setup, start => start.game.board().geometry());
    let stipulation = Stipulation::parse(case.text("stipulation"), rule_set, geometry)
        .map_err(|e| case.wrong("stipulation", e))?;
    Ok((setup, stipulation))
}

/// Parses the number of solutions that a suite states.
fn count_of(text: &str) -> Option<usize> {
    match text {
        "none" => Some(0),
        _ => text.parse().ok(),
    }
}
