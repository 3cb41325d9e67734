//! `prove` and `Certificate`: forced wins, and what they rest on.

use crate::catalog::{PyCatalog, default_catalog};
use crate::errors::{Answer, Failure, guard};
use crate::position::{PyOutcome, position_of, side_name, side_named};
use crate::problem::{TablesArgument, read_goal};
use crate::variant::{OpenVariant, PyVariant};
use crate::work::{self, Options, Working};
use catalog::Catalog;
use control::{Stopped, files};
use diagnostics::Diagnostic;
use language::NAMES;
use notation::{Setup, Start, with_setup};
use prove::check::{Unchecked, check_within};
use prove::walk::{Branches, Shape, branches, follow};
use prove::{Certificate, Goal, Kind, Limits, Prover, Status, Unrefuted};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use report::{Target, write_whole};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tables::{Layout, Store, Tables};
use values::oracle::Oracle;

/// The largest certificate that is read, in bytes.
const MAX_CERTIFICATE_BYTES: u64 = 4 << 30;

/// A certificate: a turn for each position that a side may meet, with which it forces a goal, avoids one for
/// ever, or holds out for a number of plies. Anyone can check it with nothing but the rules.
#[pyclass(
    name = "Certificate",
    module = "fairyproof",
    frozen,
    skip_from_py_object
)]
#[derive(Clone)]
pub struct PyCertificate {
    certificate: Arc<Certificate>,
    variant: Arc<OpenVariant>,
    setup: Setup,
}

/// The result of a check of a certificate that holds.
#[pyclass(name = "Checked", module = "fairyproof", frozen, get_all)]
pub struct PyChecked {
    /// The positions of the certificate that were reached.
    positions: u64,
    /// The turns of the other side that were answered.
    answered_turns: u64,
    /// The ends of the game that were reached.
    ends: u64,
    /// The plies of the certificate; `None` for a goal that is avoided for ever.
    plies: Option<u16>,
}

#[pymethods]
impl PyChecked {
    fn __repr__(&self) -> String {
        format!(
            "<Checked {} positions, {} turns answered>",
            self.positions, self.answered_turns
        )
    }
}

/// A line that was played from a certificate.
#[pyclass(name = "Walk", module = "fairyproof", frozen)]
pub struct PyWalk {
    walk: prove::walk::Walk,
}

#[pymethods]
impl PyWalk {
    /// The turns.
    #[getter]
    fn turns(&self) -> Vec<String> {
        self.walk.line.clone()
    }

    /// The position at the end of the line.
    #[getter]
    fn fen(&self) -> &str {
        &self.walk.fen
    }

    /// The outcome of that position.
    #[getter]
    fn outcome(&self) -> PyOutcome {
        self.walk.outcome.into()
    }

    /// The plies to the end from that position.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.walk.plies
    }

    /// The further turns of the other side, each with the answer and the plies to the end after it. A turn
    /// without an answer ends the game.
    #[getter]
    fn answers(&self) -> Vec<(String, Option<String>, Option<u16>)> {
        self.walk.answers.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Walk {}: {}>", self.walk.line.join(" "), self.walk.outcome)
    }
}

fn unchecked(error: Unchecked) -> Failure {
    match error {
        Unchecked::Wrong(error) => error.into(),
        Unchecked::Stopped(stopped) => stopped.into(),
    }
}

impl PyCertificate {
    /// Returns a certificate with its position. A goal that is not an end of the game is compiled.
    fn open(
        catalog: &Arc<crate::catalog::Opened>,
        certificate: Certificate,
    ) -> Answer<PyCertificate> {
        let header = certificate.header.clone();
        let variant = OpenVariant::open(catalog, &header.variant)?;
        let setup = variant.read(Some(&header.fen))?;
        Ok(PyCertificate {
            certificate: Arc::new(certificate),
            variant: Arc::new(variant),
            setup,
        })
    }

    /// Returns the certificate with its goal, which may be an expression.
    fn with_goal(&self, catalog: &Catalog) -> Answer<Certificate> {
        let certificate = Certificate::clone(&self.certificate);
        let text = certificate.header.goal.clone();
        let Err(unknown) = Goal::parse(&text, &self.variant.variant.rule_set) else {
            return Ok(certificate);
        };
        // A single word that is not a name is probably a misspelled end of the game, not an expression.
        let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
        if text.chars().all(is_word) && !NAMES.iter().any(|name| name.name == text) {
            return Err(unknown.into());
        }
        let goal = read_goal(catalog, &self.setup.game(), &text)?;
        Ok(certificate.with_goal(&Goal::expression(goal)))
    }

    /// Checks the certificate and does something with it.
    fn checked<T: Send + 'static>(
        &self,
        py: Python<'_>,
        options: Options,
        then: impl FnOnce(&Setup, &Certificate, prove::check::Checked) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let own = self.clone();
        work::run(py, options, move |working| {
            let certificate = own.with_goal(&own.variant.opened.catalog)?;
            let checked = with_setup!(&own.setup, start => {
                let game = start.game.as_ref();
                check_within(game, &start.position, &certificate, &working.control)
            });
            then(&own.setup, &certificate, checked.map_err(unchecked)?)
        })
    }

    fn written(&self) -> Answer<Vec<u8>> {
        let mut bytes = Vec::new();
        let written = self.certificate.write(&mut bytes);
        written.map_err(|error| Failure::File(error.to_string()))?;
        Ok(bytes)
    }
}

#[pymethods]
impl PyCertificate {
    /// Reads a certificate from a file. `catalog` has its variant, if that is not one of the program's.
    #[classmethod]
    #[pyo3(signature = (path, catalog=None))]
    fn load(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        catalog: Option<&PyCatalog>,
    ) -> Answer<PyCertificate> {
        let opened = catalog.unwrap_or(default_catalog(py)).opened();
        guard(|| {
            let what = || format!("certificate `{}`", path.display());
            let file = files::open(&path);
            let file = file.map_err(|error| Failure::File(format!("{}: {error}", what())))?;
            let read = Certificate::read(&mut BufReader::new(file), MAX_CERTIFICATE_BYTES);
            PyCertificate::open(&opened, read.map_err(|error| error.about(what()))?)
        })
    }

    /// Writes the certificate to a file, which appears complete or not at all.
    fn save(&self, path: PathBuf) -> Answer<()> {
        guard(|| {
            let target = Target::open(&path);
            let written = target.and_then(|target| target.write(|out| self.certificate.write(out)));
            written.map_err(|error| {
                Failure::File(format!("`{}` cannot be written: {error}", path.display()))
            })
        })
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant {
            inner: Arc::clone(&self.variant),
        }
    }

    /// The position at which play begins.
    #[getter]
    fn fen(&self) -> &str {
        &self.certificate.header.fen
    }

    /// The side that the goal is for.
    #[getter]
    fn side(&self) -> &str {
        &self.certificate.header.side
    }

    /// The goal.
    #[getter]
    fn goal(&self) -> &str {
        &self.certificate.header.goal
    }

    /// `force`, `avoid` or `refute`: the goal is forced, can be avoided for ever, or cannot be forced within
    /// some plies.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.certificate.header.kind {
            Kind::Force => "force",
            Kind::Avoid => "avoid",
            Kind::Refute => "refute",
        }
    }

    /// The plies within which the goal is forced, or not forced.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.certificate.header.plies
    }

    fn __len__(&self) -> usize {
        self.certificate.len()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyBytes>> {
        let bytes = guard(|| self.written())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Checks the certificate with nothing but the rules. An error says what does not hold.
    #[pyo3(signature = (*, time=None))]
    fn check(&self, py: Python<'_>, time: Option<f64>) -> Answer<PyChecked> {
        let options = Options::new(py, Some(1), None, time, None)?;
        self.checked(py, options, |_, _, found| {
            Ok(PyChecked {
                positions: found.positions,
                answered_turns: found.answered_turns,
                ends: found.ends,
                plies: found.plies,
            })
        })
    }

    /// Plays from the certificate: `turns` are those of the other side.
    #[pyo3(signature = (*turns))]
    fn line(&self, py: Python<'_>, turns: Vec<String>) -> Answer<PyWalk> {
        let options = Options::new(py, Some(1), None, None, None)?;
        self.checked(py, options, move |setup, certificate, _| {
            let walk = with_setup!(setup, start => {
                follow(start.game.as_ref(), &start.position, certificate, &turns)
            })?;
            Ok(PyWalk { walk })
        })
    }

    /// Returns the lines of the certificate as text, down to `depth` turns, or as a graph for Graphviz.
    #[pyo3(signature = (depth=6, dot=false))]
    fn tree(&self, py: Python<'_>, depth: u32, dot: bool) -> Answer<String> {
        let options = Options::new(py, Some(1), None, None, None)?;
        let how = Branches {
            shape: if dot { Shape::Dot } else { Shape::Text },
            depth,
        };
        self.checked(py, options, move |setup, certificate, _| {
            Ok(with_setup!(setup, start => {
                branches(start.game.as_ref(), &start.position, certificate, &how)
            })?)
        })
    }

    fn __repr__(&self) -> String {
        let plies = self
            .plies()
            .map_or(String::new(), |plies| format!(" within {plies} plies"));
        let (kind, goal, side) = (self.kind(), self.goal(), self.side());
        format!(
            "<Certificate: {kind} {goal} for {side}{plies}, {} positions>",
            self.__len__()
        )
    }
}

/// The result of a search for a forced goal. It is true if the goal is proven.
#[pyclass(name = "Proof", module = "fairyproof", frozen)]
pub struct PyProof {
    status: Status,
    plies: Option<u16>,
    shortest: bool,
    none_within_plies: u16,
    limit: Option<&'static str>,
    relies_on_saved: bool,
    relies_on_tables: bool,
    positions: u64,
    line: Vec<String>,
    certificate: Option<Py<PyCertificate>>,
    refutation: Option<Py<PyCertificate>>,
    goal: String,
    side: &'static str,
}

#[pymethods]
impl PyProof {
    /// `proven`, `disproven` (the goal can be avoided for ever), `none-within` (no proof within the plies of
    /// `within`) or `open` (a limit was reached).
    #[getter]
    fn status(&self) -> &'static str {
        match self.status {
            Status::Proven => "proven",
            Status::Disproven => "disproven",
            Status::NoneWithin => "none-within",
            Status::Open => "open",
        }
    }

    /// The plies of the proof.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.plies
    }

    /// Whether no proof is shorter.
    #[getter]
    fn shortest(&self) -> bool {
        self.shortest
    }

    /// The plies within which there is no proof.
    #[getter]
    fn none_within(&self) -> u16 {
        self.none_within_plies
    }

    /// Whether `shortest` and `none_within` rely on a saved search that was continued, which is not checked. A
    /// certificate never does.
    #[getter]
    fn relies_on_saved(&self) -> bool {
        self.relies_on_saved
    }

    /// Whether they rely on values of tables, read by this search or by the saved one. `table.check()` certifies
    /// them.
    #[getter]
    fn relies_on_tables(&self) -> bool {
        self.relies_on_tables
    }

    /// The limit that stopped the search; `None` if none did.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.limit
    }

    /// The positions that were searched.
    #[getter]
    fn positions(&self) -> u64 {
        self.positions
    }

    /// The best line that the search has seen, if the question is open.
    #[getter]
    fn line(&self) -> Vec<String> {
        self.line.clone()
    }

    /// The certificate of the proof or disproof, which was checked.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> Option<Py<PyCertificate>> {
        self.certificate
            .as_ref()
            .map(|certificate| certificate.clone_ref(py))
    }

    /// The certificate that there is no proof within `none_within` plies, if it was requested.
    #[getter]
    fn refutation(&self, py: Python<'_>) -> Option<Py<PyCertificate>> {
        self.refutation
            .as_ref()
            .map(|certificate| certificate.clone_ref(py))
    }

    fn __bool__(&self) -> bool {
        self.status == Status::Proven
    }

    fn __repr__(&self) -> String {
        let plies = self
            .plies
            .map_or(String::new(), |plies| format!(" in {plies} plies"));
        format!(
            "<Proof {}: {} for {}{plies}>",
            self.status(),
            self.goal,
            self.side
        )
    }
}

/// A question for a prover, as far as it does not depend on the layout.
struct Question {
    goal: Goal,
    side: board::Color,
    limits: Limits,
    folder: Option<PathBuf>,
    refutes: bool,
    /// The file of the saved search.
    state: Option<PathBuf>,
    /// Earlier certificates with their positions.
    known: Vec<(Setup, Certificate)>,
}

/// The name of the file that holds a saved search, within its folder, as for the program.
const STATE: &str = "search.fps";

/// Creates the folder of a saved search. Returns the file in it.
fn state_file(folder: PathBuf) -> Answer<PathBuf> {
    let made = std::fs::create_dir_all(&folder);
    made.map_err(|error| unwritable(&folder, &error))?;
    Ok(folder.join(STATE))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::File(format!("`{}` cannot be written: {error}", path.display()))
}

/// Adds the positions of an earlier certificate to what a search knows.
fn learn<W: Layout>(
    prover: &mut Prover<'_, W>,
    (setup, certificate): &(Setup, Certificate),
) -> Answer<()> {
    // Equal boards have equal layouts.
    let Some(start) = setup.get::<W>() else {
        return Err(Diagnostic::new("certificate", "it is about another board").into());
    };
    prover.learn(start.game.as_ref(), &start.position, certificate)?;
    Ok(())
}

/// What a prover found, with certificates without their position.
struct Answered {
    found: prove::Found,
    refutation: Option<Certificate>,
}

impl Question {
    fn answer<W: Layout>(&self, start: &Start<W>, working: &Working<'_>) -> Answer<Answered> {
        let (game, root) = (start.game.as_ref(), &start.position);
        let outcome = game.outcome(root);
        if !outcome.is_ongoing() {
            let why = format!("the game is over: {outcome}");
            return Err(Diagnostic::new("position", why).into());
        }
        let folder = self.folder.as_ref();
        let tables = folder.map(|folder| {
            Tables::new(Arc::clone(&start.game), Some(Store::new(Path::new(folder))))
        });
        let oracle = tables.as_ref().map(|tables| tables as &dyn Oracle<W>);
        let control = &working.control;
        let mut prover = Prover::new(
            game,
            root,
            self.side,
            &self.goal,
            self.limits,
            control,
            oracle,
        );
        for known in &self.known {
            learn(&mut prover, known)?;
        }
        if let Some(path) = self.state.as_ref().filter(|path| path.exists()) {
            let file = files::open(path);
            let file = file.map_err(|error| {
                Failure::File(format!("`{}` cannot be read: {error}", path.display()))
            })?;
            prover.resume(&mut BufReader::new(file))?;
        }
        let found = prover.run();
        let check_tables = || tables.as_ref().map_or(Ok(()), Tables::check_values);
        check_tables()?;
        if found.stopped == Some(Stopped::Contradiction) {
            return Err(prover.contradiction().into());
        }
        if let Some(path) = &self.state {
            let saved = write_whole(path, |out| prover.save(out));
            saved.map_err(|error| unwritable(path, &error))?;
        }
        if found.stopped == Some(Stopped::Interrupted) {
            return Err(Failure::Interrupted);
        }
        if let Some(certificate) = &found.certificate {
            // Only results that their own certificate confirms are returned.
            prove::check::check(game, root, certificate)?;
        }
        let refutation = match self.refutes && found.none_within_plies > 0 {
            false => None,
            true => match prover.refutation(found.none_within_plies, control) {
                Ok(certificate) => Some(certificate),
                Err(Unrefuted::Stopped(Stopped::Interrupted)) => return Err(Failure::Interrupted),
                Err(_) => None,
            },
        };
        check_tables()?;
        Ok(Answered { found, refutation })
    }
}

/// Searches for a proof that a side can force a goal, however far away.
///
/// The goal is `win` (for any reason), a reason of the variant such as `checkmate`, or `not-lose`; or an
/// expression about a turn, such as `mates && kind == 'pawn'`. The search continues for shorter proofs until one
/// is shortest or a limit is reached; `first` stops at the first proof, and `shortest` searches length by length.
///
/// With `state`, the search is saved in this folder at its end, also by a limit or Ctrl-C, and the same call continues
/// it. `certificates` are earlier ones about the same goal, whose positions the search takes as known after a check.
///
/// >>> import fairyproof
/// >>> proof = fairyproof.prove(fairyproof.position("fide", "k3/4/4/1R1K w - - 0 1"), shortest=True)
/// >>> proof.status, proof.plies
/// ('proven', 7)
/// >>> proof.certificate.check().plies
/// 7
#[pyfunction(name = "prove")]
#[pyo3(signature = (position, goal="win", *, side=None, within=None, shortest=false, first=false,
                    refutation=false, positions=None, tables=None, state=None, certificates=None, threads=None,
                    memory=None, time=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn prove_goal(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    goal: &str,
    side: Option<&str>,
    within: Option<u16>,
    shortest: bool,
    first: bool,
    refutation: bool,
    positions: Option<u64>,
    tables: Option<TablesArgument>,
    state: Option<PathBuf>,
    certificates: Option<Vec<Py<PyCertificate>>>,
    threads: Option<usize>,
    memory: Option<Bound<'_, PyAny>>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<PyProof> {
    let options = Options::new(py, threads, memory, time, progress)?;
    let position = position_of(py, position)?;
    let position = position.get();
    let setup = position.setup.clone();
    let side = match side {
        Some(name) => side_named("side", name)?,
        None => setup.side(),
    };
    if within.is_some_and(|plies| plies == 0 || plies > prove::MAX_PLIES) {
        let why = format!("it is not a number from 1 to {}", prove::MAX_PLIES);
        return Err(Diagnostic::new("within", why).into());
    }
    let limits = Limits {
        positions,
        plies: within,
        shortest,
        improve: !first,
    };
    let (variant, goal) = (Arc::clone(&position.variant), goal.to_owned());
    let folder = tables.map_or(Ok(None), TablesArgument::folder)?;
    let state = state.map(state_file).transpose()?;
    let known: Vec<PyCertificate> = certificates
        .iter()
        .flatten()
        .map(|known| known.get().clone())
        .collect();
    let own = Arc::clone(&position.variant);
    let answered = work::run(py, options, move |working| {
        let goal = match Goal::parse(&goal, &variant.variant.rule_set) {
            Ok(goal) => goal,
            Err(unknown) => {
                let is_word = |c: char| c.is_ascii_lowercase() || c == '-';
                if goal.chars().all(is_word) && !NAMES.iter().any(|name| name.name == goal) {
                    return Err(unknown.into());
                }
                let catalog = &variant.opened.catalog;
                Goal::expression(read_goal(catalog, &setup.game(), &goal)?)
            }
        };
        let known = known.into_iter().map(|known| {
            let certificate = known.with_goal(&variant.opened.catalog)?;
            Ok((known.setup, certificate))
        });
        let question = Question {
            goal,
            side,
            limits,
            folder,
            refutes: refutation,
            state,
            known: known.collect::<Answer<_>>()?,
        };
        let answered = with_setup!(&setup, start => question.answer(start, working))?;
        Ok((answered, question.goal.to_string(), setup))
    })?;
    let (Answered { found, refutation }, goal, setup) = answered;
    let keep = |certificate: Option<Certificate>| {
        let own = certificate.map(|certificate| PyCertificate {
            certificate: Arc::new(certificate),
            variant: Arc::clone(&own),
            setup: setup.clone(),
        });
        own.map(|own| Py::new(py, own)).transpose()
    };
    Ok(PyProof {
        status: found.status,
        plies: found.plies,
        shortest: found.shortest,
        none_within_plies: found.none_within_plies,
        relies_on_saved: found.relies_on_saved,
        relies_on_tables: found.relies_on_oracle,
        limit: found.stopped.map(|stopped| stopped.limit()),
        positions: found.report.positions,
        line: found.report.line,
        certificate: keep(found.certificate)?,
        refutation: keep(refutation)?,
        goal,
        side: side_name(side),
    })
}
