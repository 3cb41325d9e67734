//! Errors as Python exceptions, and panics as one of them.
//!
//! The exception classes are in `fairyproof/_errors.py`.

use control::Stopped;
use control::files::FileError;
use diagnostics::{Diagnostic, Place};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::any::Any;
use std::cell::RefCell;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tables::Failed;
use values::Unsolved;

/// The reason why a function of the package has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong.
    Input(Diagnostic),
    /// A file cannot be read or written, or is damaged.
    File(String),
    /// A limit was reached. The text is the complete message.
    Limit(&'static str, String),
    /// A stop was requested from outside.
    Interrupted,
    /// The package panicked.
    Internal(String),
    /// A Python exception.
    Python(PyErr),
}

/// The result of a function of the package.
pub type Answer<T> = Result<T, Failure>;

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Failure {
        Failure::Input(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

/// Numbers and texts always become Python objects.
impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Failure {
        match never {}
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let help = error
            .help
            .map_or(String::new(), |help| format!("\nhelp: {help}"));
        Failure::File(format!("{error}{help}"))
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        match stopped {
            Stopped::Interrupted => Failure::Interrupted,
            stopped => Failure::Limit(stopped.limit(), stopped.to_string()),
        }
    }
}

impl From<Unsolved> for Failure {
    fn from(unsolved: Unsolved) -> Failure {
        match unsolved {
            Unsolved::Stopped(stopped) => stopped.into(),
            Unsolved::Memory(_) => Failure::Limit("memory", unsolved.to_string()),
            Unsolved::Distance => Failure::Limit("distance", unsolved.to_string()),
            Unsolved::Incomplete => Failure::Limit("incomplete", unsolved.to_string()),
        }
    }
}

impl From<Failed> for Failure {
    fn from(failed: Failed) -> Failure {
        let text = failed.to_string();
        match failed {
            Failed::Wrong(error) => error.into(),
            Failed::File(error) => error.into(),
            Failed::Stopped(stopped) => stopped.into(),
            Failed::Distance => Failure::Limit("distance", text),
            Failed::Positions { .. } => Failure::Limit("positions", text),
            Failed::Memory { .. } => Failure::Limit("memory", text),
        }
    }
}

impl From<scale::disk::Failed> for Failure {
    fn from(failed: scale::disk::Failed) -> Failure {
        use scale::disk::Failed;
        let text = failed.to_string();
        match failed {
            Failed::Wrong(error) => error.into(),
            Failed::File(error) => error.into(),
            Failed::Stopped(stopped) => stopped.into(),
            Failed::Incomplete => Failure::Limit("incomplete", text),
            Failed::Distance => Failure::Limit("distance", text),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| match failure {
            Failure::Python(error) => error,
            Failure::Input(error) => input_error(py, &error),
            Failure::File(why) => exception(py, "FileError", (why,)),
            Failure::Limit(limit, why) => exception(py, "LimitError", (limit, why)),
            Failure::Interrupted => PyKeyboardInterrupt::new_err(()),
            Failure::Internal(why) => {
                let why = format!("internal error: {why}");
                exception(py, "InternalError", (why,))
            }
        })
    }
}

/// Returns a class of `fairyproof._errors`.
pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module =
        MODULE.get_or_try_init(py, || py.import("fairyproof._errors").map(Bound::unbind))?;
    module.bind(py).getattr(name)
}

fn exception<'py, A>(py: Python<'py>, name: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    match class(py, name).and_then(|class| class.call1(arguments)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Returns the error for wrong input as `fairyproof.InputError`.
pub fn input_error(py: Python<'_>, error: &Diagnostic) -> PyErr {
    let (line, column) = match &error.place {
        Some(Place::Text(at)) => (Some(at.line), Some(at.column)),
        _ => (None, None),
    };
    let place = error.place.as_ref().map(ToString::to_string);
    let excerpt = error.excerpt.as_ref().map(|excerpt| excerpt.text.clone());
    let arguments = (
        &error.what,
        &error.why,
        place,
        &error.help,
        line,
        column,
        excerpt,
    );
    exception(py, "InputError", arguments)
}

/// Issues a warning of the class `fairyproof.InputWarning`.
///
/// # Errors
/// If warnings are errors.
pub fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let category = class(py, "InputWarning")?;
    let text = std::ffi::CString::new(text.replace('\0', " "))?;
    PyErr::warn(py, &category, &text, 1)
}

thread_local! {
    /// The place and text of the last panic on this thread, while its panics become exceptions.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static IS_GUARDED: RefCell<bool> = const { RefCell::new(false) };
}

/// Replaces the message of panics that become exceptions. The exception has the same text.
pub fn install_panic_hook() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !IS_GUARDED.with_borrow(|guarded| *guarded) {
            return usual(panic);
        }
        let place = panic
            .location()
            .map_or(String::new(), |at| format!("{at}: "));
        let text = format!("{place}{}", text_of(panic.payload()));
        PANIC.set(Some(text));
    }));
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("it panicked").to_owned()
}

/// Runs `work`. A panic becomes an error.
///
/// # Errors
/// The errors of `work`; if it panics, `InternalError`, or an interruption if an evaluation was stopped.
pub fn guard<T>(work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    let before = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(before);
    result.unwrap_or_else(|panic| {
        if panic.is::<language::Interrupted>() {
            return Err(Failure::Interrupted);
        }
        let known = PANIC.take();
        Err(Failure::Internal(
            known.unwrap_or_else(|| text_of(panic.as_ref())),
        ))
    })
}
