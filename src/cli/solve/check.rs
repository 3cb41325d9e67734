//! `solve --check`: stored answers, checked by the rules alone.

use super::stored::{Stored, read_stored};
use crate::answer::{Answer, Verdict, counted, say};
use diagnostics::InputError;
use notation::{Setup, with_setup};
use problems::check;
use problems::tree::{Move, Reply, Tree};
use problems::{Play, Problem, Stipulation};
use std::io::Write;

/// Checks stored answers.
pub(super) fn check(file: &str, out: &mut dyn Write) -> Answer {
    let name = format!("file `{file}`");
    let bytes = std::fs::read(file)
        .map_err(|e| InputError::new(&name, format!("it cannot be read: {e}")))?;
    let mut worst = Verdict::Done;
    for stored in read_stored(&name, &bytes)? {
        worst = worst.max(check_one(&stored, out)?);
    }
    Ok(worst)
}

/// Whether only the turn of some threat or try is stored, and not the play after it.
fn has_bare(tree: &Tree) -> bool {
    fn in_moves(nodes: &[Move]) -> bool {
        let bare = |node: &Move| node.threats.iter().any(Move::is_bare);
        let deeper = |node: &Move| in_moves(&node.threats) || in_replies(&node.answers);
        nodes.iter().any(|node| bare(node) || deeper(node))
    }
    fn in_replies(answers: &[Reply]) -> bool {
        answers.iter().any(|answer| in_moves(&answer.next))
    }
    tree.asides_cut
        || tree.tries.iter().any(|attempt| attempt.answers.is_empty())
        || in_moves(&tree.keys)
        || in_replies(&tree.set_play)
}

/// Checks one stored answer.
fn check_one(stored: &Stored, out: &mut dyn Write) -> Answer {
    let variant = variants::parse(&stored.variant)?;
    let setup = Setup::read(&variant, Some(&stored.fen))?;
    let finding = |why: &str| {
        say(why);
        Ok(Verdict::Finding)
    };
    with_setup!(setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse(&stored.stipulation, variant.card, geometry)?;
        let problem = Problem { start, stipulation };
        let held = stored.tree.keys.len() + stored.lines.len();
        if stored.lines_cut {
            return finding("not all lines that were found are stored");
        }
        if stored.tree.cut {
            return finding("not all of the play is stored, so it proves nothing");
        }
        if stored.solutions != held {
            return finding("the number of solutions is not that of what is stored");
        }
        if (stored.verdict == "no-solution") != (held == 0 && stored.complete) {
            return finding("the verdict is not that of what is stored");
        }
        if stored.keys != stored.firsts() {
            return finding("the keys are not the first turns of what is stored");
        }
        let (judge, p) = (problem.judge(), &problem.start.position);
        let lines: Vec<&[String]> = stored.lines.iter().map(|line| &*line.turns).collect();
        let help = matches!(stipulation.play, Play::Help(_) | Play::Series(..));
        let checked = match help {
            true => check::lines(&judge, &stipulation, p, &lines),
            false => check::tree(&judge, &stipulation, p, &stored.tree),
        };
        let what = if help { ["line", "lines"] } else { ["key", "keys"] };
        match checked {
            Ok(turns) => {
                let (held_text, turns) =
                    (counted(held as u64, what[0], what[1]), counted(turns as u64, "turn", "turns"));
                writeln!(out, "{held_text} verified, {turns}")?;
                let mut open = vec![match held {
                    0 => "that there is no solution",
                    _ => "that there is no other solution",
                }];
                if !help {
                    open.push("that no shorter continuation, threat, try or refutation is missing");
                    open.push("that what refutes a try does");
                }
                if has_bare(&stored.tree) {
                    open.push("what is played after threats and tries");
                }
                out.flush()?;
                say(&format!("not checked: {}", open.join("; ")));
                Ok(Verdict::Done)
            }
            Err(error) => finding(&error.to_string()),
        }
    })
}
