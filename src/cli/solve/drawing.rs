//! The answer of `solve` as a picture or a page.

use ::picture::problem::About;
use ::picture::{Diagram, svg};
use diagnostics::Diagnostic;
use notation::turns;
use problems::{Deadline, Problem, Solution};
use puzzle::Layout;
use rules::Turn;

/// Returns the diagram as SVG, with an arrow for each first turn of a solution.
pub(super) fn picture<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    look: svg::Look,
) -> String {
    let (game, p) = (problem.start.game.as_ref(), &problem.start.position);
    let keys = problem.first_turns(solution);
    let mut legal = Vec::new();
    game.turns(p, &mut legal);
    problem.judge().reaching(p, &mut legal);
    let mut diagram = Diagram::new(game, p);
    diagram
        .notes
        .insert(0, ("stipulation", problem.stipulation.to_string()));
    let is_key = |turn: &&Turn| keys.contains(&turns::print(game, p, turn));
    for turn in legal.iter().filter(is_key) {
        diagram = diagram.with_arrows(turn);
    }
    svg::draw(&diagram, look)
}

/// Returns a page with the problem, and with as much of its solution as can be written before the deadline.
pub(super) fn page<W: Layout>(
    problem: &Problem<W>,
    solution: &Solution,
    deadline: &Deadline<'_>,
    marked: bool,
) -> Result<String, Diagnostic> {
    let about = About {
        open: true,
        marked,
        ..About::default()
    };
    let title = format!("{} {}", problem.start.game.variant(), problem.stipulation);
    let body = svg::symbols(&svg::all_symbols())
        + "<main>\n"
        + &::picture::problem::html(problem, solution, about, deadline)?
        + "</main>\n";
    Ok(::picture::page(&title, &body))
}
