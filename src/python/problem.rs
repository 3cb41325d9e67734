//! `solve`: stipulations and their solution trees.

use crate::errors::{Answer, Failure, guard, warn};
use crate::expressions::compile;
use crate::position::position_of;
use crate::work::{self, Options};
use control::{Control, Counted, Stopped};
use diagnostics::Diagnostic;
use language::About;
use notation::{Start, with_setup};
use picture::problem::About as PageAbout;
use picture::svg;
use problems::text::{all_coordinates, print, replay, verdict};
use problems::tree::{Move, Reply, Try, Want};
use problems::{Deadline, Goal, Limits, Play, Problem, Solution, Stipulation};
use pyo3::prelude::*;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use tables::{Layout, Store, Tables, default_folder};
use values::oracle::Oracle;

/// The default maximum of memory, in bytes, as in the program.
const USUAL_MEMORY_BYTES: u64 = 800 << 20;

/// A turn of the side that solves, with the answers to it.
#[pyclass(name = "Move", module = "fairyproof", frozen, get_all)]
pub struct PyMove {
    /// The turn in coordinate notation.
    turn: String,
    /// Whether the turn reaches the goal.
    goal: bool,
    /// What the side threatens next; empty in zugzwang.
    threats: Vec<Py<PyMove>>,
    /// The turns of the other side, with what follows.
    answers: Vec<Py<PyReply>>,
}

/// A turn of the side that defends, with the turns that follow.
#[pyclass(name = "Reply", module = "fairyproof", frozen, get_all)]
pub struct PyReply {
    /// The turn in coordinate notation.
    turn: String,
    /// Whether the turn reaches the goal, as in a selfmate.
    goal: bool,
    /// The best continuations: more than one is a dual.
    next: Vec<Py<PyMove>>,
    /// Whether the turn does not parry the threat.
    unparried: bool,
}

/// A first turn that fails to exactly one reply.
#[pyclass(name = "Try", module = "fairyproof", frozen, get_all)]
pub struct PyTry {
    /// The turn in coordinate notation.
    turn: String,
    /// The replies that refute it.
    refutations: Vec<String>,
    /// What the side threatens next.
    threats: Vec<Py<PyMove>>,
    /// The other replies.
    answers: Vec<Py<PyReply>>,
}

#[pymethods]
impl PyMove {
    fn __repr__(&self) -> String {
        format!("<Move {}: {} answers>", self.turn, self.answers.len())
    }
}

#[pymethods]
impl PyReply {
    fn __repr__(&self) -> String {
        format!("<Reply {}>", self.turn)
    }
}

#[pymethods]
impl PyTry {
    fn __repr__(&self) -> String {
        format!("<Try {}? {}!>", self.turn, self.refutations.join(", "))
    }
}

fn moves(py: Python<'_>, moves: &[Move]) -> PyResult<Vec<Py<PyMove>>> {
    let one = |turn: &Move| {
        let made = PyMove {
            turn: turn.turn.clone(),
            goal: turn.goal,
            threats: self::moves(py, &turn.threats)?,
            answers: replies(py, &turn.answers)?,
        };
        Py::new(py, made)
    };
    moves.iter().map(one).collect()
}

fn replies(py: Python<'_>, replies: &[Reply]) -> PyResult<Vec<Py<PyReply>>> {
    let one = |reply: &Reply| {
        let made = PyReply {
            turn: reply.turn.clone(),
            goal: reply.goal,
            next: moves(py, &reply.next)?,
            unparried: reply.unparried,
        };
        Py::new(py, made)
    };
    replies.iter().map(one).collect()
}

fn tries(py: Python<'_>, tries: &[Try]) -> PyResult<Vec<PyTry>> {
    let one = |one: &Try| {
        Ok(PyTry {
            turn: one.turn.clone(),
            refutations: one.refutations.clone(),
            threats: moves(py, &one.threats)?,
            answers: replies(py, &one.answers)?,
        })
    };
    tries.iter().map(one).collect()
}

/// The solution of a problem.
///
/// It is true if there is a solution. `complete` is whether there are no others.
#[pyclass(name = "Solution", module = "fairyproof", frozen)]
pub struct PySolution {
    solution: Arc<Solution>,
    stipulation: String,
    first_turns: Vec<String>,
    lines: Vec<Vec<String>>,
    verdict: &'static str,
    text: String,
    html: Box<dyn Fn() -> Answer<String> + Send + Sync>,
}

/// Refuses tries and set play for kinds of play that do not have them.
fn refuse_what_play_has_not(stipulation: &Stipulation, want: Want) -> Answer<()> {
    let is_line_play = matches!(stipulation.play, Play::Help(_) | Play::Series(..));
    let option = match (is_line_play, want.tries, want.set_play) {
        (true, true, _) => "tries",
        (true, _, true) => "set_play",
        _ => return Ok(()),
    };
    let why = format!("`{stipulation}` is help or series play, which has none");
    Err(Diagnostic::new(option, why).into())
}

/// Solves a problem, and writes its solution.
fn solved<W: Layout>(
    start: &Start<W>,
    stipulation: Stipulation,
    limits: &Limits,
    want: Want,
    folder: Option<&PathBuf>,
    control: &Control<'_>,
) -> Answer<PySolution> {
    let problem = Arc::new(Problem::new(start.clone(), stipulation));
    let tables =
        folder.map(|folder| Tables::new(Arc::clone(&start.game), Some(Store::new(folder))));
    if let Some(tables) = &tables {
        // A damaged file is reported before the search begins.
        tables.value(&start.position)?;
    }
    let oracle = tables.as_ref().map(|tables| tables as &dyn Oracle<W>);
    let solution = problem.solve_with_oracle(limits, want, oracle, control);
    tables.as_ref().map_or(Ok(()), Tables::check_values)?;
    if solution.stopped == Some(Stopped::Interrupted) {
        return Err(Failure::Interrupted);
    }
    let deadline = Deadline::new(control);
    replay(&problem, &solution, &deadline)?;
    let title = format!("{} {}", start.game.variant(), problem.stipulation);
    let text = format!("{title}\n\n{}", print(&problem, &solution, &deadline)?);
    let lines = match solution.lines.is_empty() {
        true => Vec::new(),
        false => all_coordinates(&problem, &solution, &deadline),
    };
    let solution = Arc::new(solution);
    let (page_problem, page_solution) = (Arc::clone(&problem), Arc::clone(&solution));
    Ok(PySolution {
        first_turns: problem.first_turns(&solution),
        stipulation: problem.stipulation.to_string(),
        lines,
        verdict: verdict(&problem, &solution).word(),
        text,
        html: Box::new(move || {
            let about = PageAbout {
                open: true,
                ..PageAbout::default()
            };
            let (problem, solution) = (&page_problem, &page_solution);
            let body = picture::problem::html(problem, solution, about, &Deadline::endless())?;
            let symbols = svg::symbols(&svg::all_symbols());
            Ok(picture::page(
                &title,
                &format!("{symbols}<main>\n{body}</main>\n"),
            ))
        }),
        solution,
    })
}

/// Solves a position: all keys or lines, with the whole play.
///
/// Stipulations are written as in chess problems: `#3`, `s#3`, `r#2`, `h#2`, `h#2.5`, `ser-h#4`; other goals are
/// `=` stalemate, `+` check, `x` capture, `zd4`, and every reason of the variant, such as `marriage 3`. With
/// `goal`, an expression about the last turn, the stipulation is `goal 3`.
///
/// >>> import fairyproof
/// >>> problem = fairyproof.position("fide", "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1")
/// >>> solution = fairyproof.solve(problem, "#2")
/// >>> solution.first_turns, solution.verdict, solution.complete
/// (['a4a3'], 'sound', True)
/// >>> [reply.turn for reply in solution.keys[0].answers]
/// ['a1b1', 'a5a4']
#[pyfunction]
#[pyo3(signature = (position, stipulation, *, goal=None, tries=false, set_play=false, all=false,
                    max_solutions=None, tables=None, threads=None, memory=None, time=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn solve(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    stipulation: &str,
    goal: Option<String>,
    tries: bool,
    set_play: bool,
    all: bool,
    max_solutions: Option<usize>,
    tables: Option<TablesArgument>,
    threads: Option<usize>,
    memory: Option<Bound<'_, PyAny>>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<PySolution> {
    let is_limited = memory.is_some();
    let options = Options::new(py, threads, memory, time, progress)?;
    let options = options.at_most(USUAL_MEMORY_BYTES, is_limited);
    if max_solutions == Some(0) {
        return Err(Diagnostic::new("max_solutions", "it must be at least 1").into());
    }
    let position = position_of(py, position)?;
    let position = position.get();
    let (variant, setup) = (Arc::clone(&position.variant), position.setup.clone());
    let folder = tables.map_or(Ok(None), TablesArgument::folder)?;
    let want = Want {
        tree: true,
        asides: true,
        tries,
        set_play,
        firsts: false,
        unparried: all,
    };
    let limits = Limits {
        solutions: max_solutions,
        positions: None,
    };
    let stipulation = stipulation.to_owned();
    let (solution, warnings) = work::run(py, options, move |working| {
        let control = &working.control;
        let game = setup.game();
        let catalog = &variant.opened.catalog;
        let goal = goal
            .map(|text| read_goal(catalog, &game, &text))
            .transpose()?;
        let warnings = goal
            .as_ref()
            .map_or(Vec::new(), |goal| goal.warnings().to_vec());
        let is_given = goal.is_some();
        let goal = Cell::new(goal);
        let solution = with_setup!(&setup, start => {
            let geometry = start.game.board().geometry();
            let rule_set = &variant.variant.rule_set;
            let expression = || match goal.take() {
                Some(goal) => Ok(goal),
                None => {
                    let error = Diagnostic::new("stipulation", "`goal` needs an expression");
                    Err(error.help("`goal=`, such as \"mates && kind == 'pawn'\""))
                }
            };
            let stipulation =
                Stipulation::parse_with(&stipulation, rule_set, geometry, &expression)?;
            if is_given && !matches!(stipulation.goal, Goal::Expression(_)) {
                let error = Diagnostic::new("goal", format!("`{stipulation}` has a goal of its own"));
                return Err(error
                    .help("write `goal 2`, `s-goal 2`, `h-goal 2` or `ser-goal 2`")
                    .into());
            }
            refuse_what_play_has_not(&stipulation, want)?;
            solved(start, stipulation, &limits, want, folder.as_ref(), control)
        })?;
        Ok((solution, warnings))
    })?;
    warnings.iter().try_for_each(|warning| warn(py, warning))?;
    Ok(solution)
}

/// Compiles a goal: a condition about the last turn, which must not depend on the clocks.
pub fn read_goal(
    catalog: &catalog::Catalog,
    game: &rules::AnyGame,
    text: &str,
) -> Answer<language::Expression> {
    let goal = compile(catalog, game, About::TURN, "goal", text, true)?;
    if goal.reads_clocks() {
        let error = Diagnostic::new(
            "goal",
            "a goal cannot read the clocks, as `fen` does, and `under` with rules that count",
        );
        return Err(error
            .help("positions that differ in their clocks alone are one position")
            .into());
    }
    Ok(goal)
}

/// The argument `tables`: a folder, or `True` for that of the program.
#[derive(FromPyObject)]
pub enum TablesArgument {
    /// Whether tables are used.
    Usual(bool),
    /// The folder.
    Folder(PathBuf),
}

impl TablesArgument {
    /// Returns the folder, if tables are used.
    pub fn folder(self) -> Answer<Option<PathBuf>> {
        match self {
            TablesArgument::Usual(false) => Ok(None),
            TablesArgument::Folder(folder) => Ok(Some(folder)),
            TablesArgument::Usual(true) => match default_folder() {
                Some(folder) => Ok(Some(folder)),
                None => {
                    let error = Diagnostic::new("tables", "there is no folder for tables");
                    Err(error.help("name one, or set FAIRYPROOF_TABLES").into())
                }
            },
        }
    }
}

#[pymethods]
impl PySolution {
    /// The stipulation.
    #[getter]
    fn stipulation(&self) -> &str {
        &self.stipulation
    }

    /// The first turns of all solutions, in byte order.
    #[getter]
    fn first_turns(&self) -> Vec<String> {
        self.first_turns.clone()
    }

    /// The keys with their play; empty in help and series play.
    #[getter]
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
        moves(py, &self.solution.tree.keys)
    }

    /// First turns that fail to one reply alone, if they were requested.
    #[getter]
    fn tries(&self, py: Python<'_>) -> PyResult<Vec<PyTry>> {
        tries(py, &self.solution.tree.tries)
    }

    /// The play if the other side began, if it was requested.
    #[getter]
    fn set_play(&self, py: Python<'_>) -> PyResult<Vec<Py<PyReply>>> {
        replies(py, &self.solution.tree.set_play)
    }

    /// The lines of help and series play.
    #[getter]
    fn lines(&self) -> Vec<Vec<String>> {
        self.lines.clone()
    }

    /// The number of keys or lines.
    #[getter]
    fn count(&self) -> usize {
        self.solution.count()
    }

    /// `sound`, `cooked`, `several`, `short`, `none` or `undecided`, as the program uses the words.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.verdict
    }

    /// Whether all solutions were found.
    #[getter]
    fn complete(&self) -> bool {
        self.solution.stopped.is_none()
    }

    /// The limit that stopped the search; `None` if it is complete.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.solution.stopped.map(|stopped| match stopped {
            Stopped::Count(Counted::Solutions) => "max_solutions",
            stopped => stopped.limit(),
        })
    }

    /// The positions that the search examined.
    #[getter]
    fn positions(&self) -> u64 {
        self.solution.positions
    }

    /// The solution as the program prints it.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Returns diagram, stipulation and solution as a page.
    fn html(&self) -> Answer<String> {
        guard(|| (self.html)())
    }

    fn __bool__(&self) -> bool {
        self.solution.count() > 0
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        let (stipulation, count) = (&self.stipulation, self.solution.count());
        format!(
            "<Solution {stipulation}: {}, {count} solutions>",
            self.verdict
        )
    }
}
