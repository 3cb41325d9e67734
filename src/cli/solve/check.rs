//! `solve --check`: stored answers, checked by the rules alone.

use super::stored::{Stored, read_stored};
use crate::answer::{Answer, Verdict, counted, say};
use control::files::read_limited;
use diagnostics::shortened;
use notation::{Setup, with_setup};
use problems::check;
use problems::text::stored_verdict;
use problems::tree::{Move, Reply, Tree};
use problems::{Play, Problem, Stipulation};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// Bytes of a file of stored answers. A problem with a million lines takes about half of it.
const MAX_FILE_BYTES: u64 = 1 << 28;

/// Checks stored answers.
pub(super) fn check(file: &str, out: &mut dyn Write) -> Answer {
    let name = format!("file `{file}`");
    let bytes = read_limited(Path::new(file), MAX_FILE_BYTES)?;
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

/// Checks one stored answer. Help and series play is stored as lines, every other play as a tree; a
/// file that has the other part too claims something that its kind of play cannot contain.
fn check_one(stored: &Stored, out: &mut dyn Write) -> Answer {
    let variant = variants::parse(&stored.variant)?;
    let setup = Setup::read(&variant, Some(&stored.fen))?;
    with_setup!(setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = Stipulation::parse(&stored.stipulation, variant.card, geometry)?;
        let problem = Problem { start, stipulation };
        let help = matches!(stipulation.play, Play::Help(_) | Play::Series(..));
        if let Err(why) = claims_hold(stored, &stipulation, help) {
            say(&why);
            return Ok(Verdict::Finding);
        }
        let (judge, p) = (problem.judge(), &problem.start.position);
        let lines: Vec<&[String]> = stored.lines.iter().map(|line| &*line.turns).collect();
        let checked = match help {
            true => check::lines(&judge, &stipulation, p, &lines),
            false => check::tree(&judge, &stipulation, p, &stored.tree),
        };
        match checked {
            Ok(turns) => report(stored, help, turns, out),
            Err(error) => {
                say(&error.to_string());
                Ok(Verdict::Finding)
            }
        }
    })
}

/// Recomputes everything that a file says about its own play.
///
/// # Errors
/// The first statement that does not follow from the play in the file.
fn claims_hold(stored: &Stored, stipulation: &Stipulation, help: bool) -> Result<(), String> {
    let tree = &stored.tree;
    if stored.lines_cut {
        return Err("not all lines that were found are stored".into());
    }
    if tree.cut {
        return Err("not all of the play is stored, so it proves nothing".into());
    }
    if help && *tree != Tree::default() {
        return Err("help and series play is stored as lines; this file has a tree as well".into());
    }
    if !help && !stored.lines.is_empty() {
        return Err("this kind of play is stored as a tree; this file has lines as well".into());
    }
    let lengths = stored.lines.iter().map(|line| line.turns.len());
    let verdict = stored_verdict(stipulation, tree, lengths, stored.complete).word();
    let firsts: BTreeSet<&String> = match help {
        true => stored
            .lines
            .iter()
            .filter_map(|line| line.turns.first())
            .collect(),
        false => tree.keys.iter().map(|key| &key.turn).collect(),
    };
    let held = if help {
        stored.lines.len()
    } else {
        tree.keys.len()
    };
    if stored.solutions != held {
        let claimed = stored.solutions;
        return Err(format!(
            "field `solutions` is {claimed}, but {held} are stored"
        ));
    }
    if stored.verdict != verdict {
        let claimed = shortened(&stored.verdict);
        return Err(format!(
            "field `verdict` is `{claimed}`, but what is stored comes to `{verdict}`"
        ));
    }
    if !stored.keys.iter().eq(firsts) {
        return Err("field `keys` does not list the first turns of what is stored".into());
    }
    Ok(())
}

/// Prints what was verified and what was not. A file without solutions and tries verifies nothing, which
/// is a finding.
fn report(stored: &Stored, help: bool, turns: usize, out: &mut dyn Write) -> Answer {
    let held = stored.solutions;
    let mut open = vec![match held {
        0 => "that there is no solution",
        _ => "that there is no other solution",
    }];
    if !help {
        open.push("that no shorter continuation, threat, try or refutation is missing");
        open.push("which turns parry the threats");
        open.push("that what refutes a try does");
    }
    if has_bare(&stored.tree) {
        open.push("what is played after threats and tries");
    }
    let not_checked = format!("not checked: {}", open.join("; "));
    if held == 0 && turns == 0 {
        writeln!(out, "nothing verified: no play is stored")?;
        out.flush()?;
        say(&not_checked);
        return Ok(Verdict::Finding);
    }
    let what = if help {
        ["line", "lines"]
    } else {
        ["key", "keys"]
    };
    let solutions = counted(held as u64, what[0], what[1]);
    writeln!(
        out,
        "{solutions} verified, {}",
        counted(turns as u64, "turn", "turns")
    )?;
    out.flush()?;
    say(&not_checked);
    Ok(Verdict::Done)
}
