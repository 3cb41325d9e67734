//! `solve --check`: verifies stored solutions using only the rules, and reports what it did not verify.
//!
//! Every statement of a file is recomputed from the stored play, refused, or reported as not checked. Where a file
//! says that there is no solution, a search decides.

use super::Args;
use super::stored::{Stored, read_stored};
use crate::answer::{Answer, Failure, Verdict, counted, say, say_error};
use crate::args::open_stored;
use crate::expressions;
use catalog::Catalog;
use control::Stopped;
use diagnostics::Diagnostic;
use notation::{Setup, with_setup};
use position::Layout;
use problems::check::{self, LineText, Verified};
use problems::text::stored_verdict;
use problems::tree::{Move, Reply, Tree};
use problems::{Goal, Play, Problem, Stipulation};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use thiserror::Error;

/// The maximum memory for the content of a file if `--memory` is not given. Genuine files are far smaller.
const USUAL_MEMORY_BYTES: u64 = 1 << 30;

/// Checks a file of stored solutions within the limits of the command. If a solution cannot be checked, the others in
/// the file still are.
pub(super) fn check(catalog: &Catalog, file: &str, args: &Args, out: &mut dyn Write) -> Answer {
    let memory = &args.work.memory;
    let memory_bytes = match memory.memory {
        Some(bytes) => bytes,
        None => memory.bytes().min(USUAL_MEMORY_BYTES),
    };
    let all = read_stored(Path::new(file), memory_bytes)?;
    if all.is_empty() {
        writeln!(out, "nothing verified: the file is an empty list")?;
        return Ok(Verdict::Finding);
    }
    let mut worst = Verdict::Done;
    for (index, stored) in all.iter().enumerate() {
        let label = match all.len() {
            1 => String::new(),
            _ => format!("solution {}: ", index + 1),
        };
        worst = worst.max(match check_one(catalog, stored, args, &label, out) {
            Err(Failure::Input(mut error)) => {
                error.what.insert_str(0, &label);
                say_error(&error);
                Verdict::BadInput
            }
            verdict => verdict?,
        });
    }
    Ok(worst)
}

/// Checks one stored solution. Help and series play is stored as lines, all other play as a tree. A solution
/// that also has the other part contradicts its kind of play.
fn check_one(
    catalog: &Catalog,
    stored: &Stored,
    args: &Args,
    label: &str,
    out: &mut dyn Write,
) -> Answer {
    let variant = open_stored(catalog, "solution", &stored.variant)?;
    let setup = Setup::read(&variant, Some(&stored.fen))?;
    let game = setup.game();
    with_setup!(setup, start => {
        let geometry = start.game.board().geometry();
        let stipulation = match &stored.goal {
            Some(text) => Stipulation::parse_with(&stored.stipulation, &variant.rule_set, geometry, &|| {
                expressions::goal(catalog, "field `goal`", text, &game)
            })?,
            None => Stipulation::parse(&stored.stipulation, &variant.rule_set, geometry)?,
        };
        if stored.goal.is_some() && !matches!(stipulation.goal, Goal::Expression(_)) {
            let why = format!("`{stipulation}` has a goal of its own");
            return Err(Diagnostic::new("field `goal`", why).into());
        }
        let problem = Problem::new(start, stipulation);
        let stipulation = &problem.stipulation;
        let help = matches!(stipulation.play, Play::Help(_) | Play::Series(..));
        if let Err(contradiction) = compare_claims(stored, stipulation, help) {
            say(&format!("{label}{contradiction}"));
            return Ok(Verdict::Finding);
        }
        let (judge, p) = (problem.judge(), &problem.start.position);
        let lines: Vec<LineText<'_>> = stored
            .lines
            .iter()
            .map(|line| LineText {
                turns: line.turns.iter().map(String::as_str).collect(),
                introduction: line.introduction,
            })
            .collect();
        let checked = match help {
            true => check::lines(&judge, stipulation, p, &lines).map(|turns| Verified {
                turns,
                parries_unchecked: false,
            }),
            false => check::tree(&judge, stipulation, p, &stored.tree),
        };
        match checked {
            Ok(verified) => {
                let searched = match stored.complete && stored.solutions == 0 {
                    true => solution_missed(&problem, args, label),
                    false => Verdict::Done,
                };
                match searched {
                    Verdict::Done => report(stored, help, verified, label, out),
                    missed => Ok(missed),
                }
            }
            Err(error) => {
                say(&format!("{label}{error}"));
                Ok(Verdict::Finding)
            }
        }
    })
}

/// Searches for a solution of a problem that has none by its file. Returns `Done` if there is none, and reports a
/// solution or the limit that stopped the search.
fn solution_missed<W: Layout>(problem: &Problem<W>, args: &Args, label: &str) -> Verdict {
    let solution = problem.solve(&args.limits(), &args.control(&()));
    if let Some(key) = problem.first_turns(&solution).first() {
        say(&format!(
            "{label}the file says that there is no solution, but `{key}` begins one"
        ));
        return Verdict::Finding;
    }
    match solution.stopped {
        None => Verdict::Done,
        Some(Stopped::Interrupted) => Verdict::Interrupted,
        Some(limit) => {
            say(&format!(
                "{label}undecided whether there is a solution: stopped by the limit {limit}"
            ));
            Verdict::Undecided
        }
    }
}

/// A contradiction between a statement of a file and the stored play.
#[derive(Debug, Error)]
enum Contradiction {
    #[error("the file does not hold all of the play that was found")]
    Cut,
    #[error("help and series play is stored as lines; this file has a tree as well")]
    Tree,
    #[error("this kind of play is stored as a tree; this file has lines as well")]
    Lines,
    #[error("field `solutions` is {claimed}, but {held} are stored")]
    Solutions { claimed: usize, held: usize },
    #[error("field `verdict` is `{claimed}`, but the stored play amounts to `{verdict}`")]
    Verdict {
        claimed: String,
        verdict: &'static str,
    },
    #[error("field `keys` does not list the first turns of the stored play")]
    Keys,
}

/// Recomputes the fields that summarize the play: `solutions`, `verdict`, `keys`.
///
/// # Errors
/// The first field that does not agree with the stored play.
fn compare_claims(
    stored: &Stored,
    stipulation: &Stipulation,
    help: bool,
) -> Result<(), Contradiction> {
    let (tree, lines) = (&stored.tree, &stored.lines);
    if stored.lines_cut || tree.cut {
        return Err(Contradiction::Cut);
    }
    if help && *tree != Tree::default() {
        return Err(Contradiction::Tree);
    }
    if !help && !lines.is_empty() {
        return Err(Contradiction::Lines);
    }
    let firsts: BTreeSet<&String> = match help {
        true => lines.iter().filter_map(|line| line.turns.first()).collect(),
        false => tree.keys.iter().map(|key| &key.turn).collect(),
    };
    let held = if help { lines.len() } else { tree.keys.len() };
    let claimed = stored.solutions;
    if claimed != held {
        return Err(Contradiction::Solutions { claimed, held });
    }
    let lengths = lines.iter().map(|line| line.turns.len());
    let verdict = stored_verdict(stipulation, tree, lengths, stored.complete).word();
    let claimed = diagnostics::shortened(&stored.verdict);
    if claimed != verdict {
        let claimed = claimed.into_owned();
        return Err(Contradiction::Verdict { claimed, verdict });
    }
    if !stored.keys.iter().eq(firsts) {
        return Err(Contradiction::Keys);
    }
    Ok(())
}

/// Prints the verified parts, and on standard error the parts that were not checked.
fn report(
    stored: &Stored,
    help: bool,
    verified: Verified,
    label: &str,
    out: &mut dyn Write,
) -> Answer {
    let (held, tree) = (stored.solutions, &stored.tree);
    let played = tree
        .tries
        .iter()
        .filter(|attempt| !attempt.answers.is_empty());
    let solutions = match help {
        true => counted(held as u64, "line", "lines"),
        false => counted(held as u64, "key", "keys"),
    };
    let parts = [
        (held, solutions),
        (
            played.clone().count(),
            counted(played.count() as u64, "try", "tries"),
        ),
        (tree.set_play.len(), "set play".to_string()),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter_map(|(count, text)| (count > 0).then_some(text))
        .collect();
    let turns = counted(verified.turns as u64, "turn", "turns");
    match &parts[..] {
        [] if stored.complete => writeln!(out, "verified by a search: there is no solution")?,
        [] => writeln!(out, "nothing verified: the file holds no solution")?,
        parts => writeln!(out, "{} verified, {turns}", parts.join(", "))?,
    }
    out.flush()?;
    let open = unchecked(stored, help, verified);
    if !open.is_empty() {
        say(&format!("{label}not checked: {}", open.join("; ")));
    }
    Ok(Verdict::Done)
}

/// Returns the statements that were not checked, in words.
fn unchecked(stored: &Stored, help: bool, verified: Verified) -> Vec<&'static str> {
    let tree = &stored.tree;
    let mut open = Vec::new();
    match (stored.solutions, stored.complete) {
        (0, true) => {}
        (0, false) => open.push("that there is no solution"),
        _ => open.push("that there is no other solution"),
    }
    if !help {
        open.push("that no shorter continuation, dual, threat, try or set play is missing");
    }
    if !tree.tries.is_empty() {
        open.push("that what refutes a try does");
    }
    if verified.parries_unchecked {
        open.push("which turns parry the threats");
    }
    if has_bare(tree) {
        open.push("what threats and tries without play lead to");
    }
    open
}

/// Returns whether a threat or a try is stored without its play.
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
        || tree.tries.iter().any(|attempt| {
            let bare = attempt.answers.is_empty() || attempt.threats.iter().any(Move::is_bare);
            bare || in_moves(&attempt.threats) || in_replies(&attempt.answers)
        })
        || in_moves(&tree.keys)
        || in_replies(&tree.set_play)
}
