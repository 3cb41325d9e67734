//! `Game`: a line of play that grows and shrinks, with its past.

use crate::errors::{Answer, guard};
use crate::position::{PyOutcome, PyPosition, played, position_of};
use crate::variant::PyVariant;
use diagnostics::Diagnostic;
use notation::{Setup, san, turns, with_setup};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A game: a start position and the turns that were played.
///
/// >>> import fairyproof
/// >>> game = fairyproof.Game("fide")
/// >>> game.push("e4").push("e5").push("Nf3").turns
/// ['e2e4', 'e7e5', 'g1f3']
/// >>> game.pop()
/// 'g1f3'
/// >>> game.position.side
/// 'white'
#[pyclass(name = "Game", module = "fairyproof", frozen)]
pub struct PyGame {
    start: Py<PyPosition>,
    line: Mutex<Line>,
}

/// The turns in coordinate and short algebraic notation, and the positions after them.
#[derive(Default)]
struct Line {
    turns: Vec<(String, String)>,
    setups: Vec<Setup>,
}

impl PyGame {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn setup(&self) -> Setup {
        let line = self.line();
        line.setups
            .last()
            .unwrap_or(&self.start.get().setup)
            .clone()
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (start, turns=None))]
    fn py_new(
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        turns: Option<Vec<String>>,
    ) -> Answer<PyGame> {
        let game = PyGame {
            start: position_of(py, start)?,
            line: Mutex::default(),
        };
        for turn in turns.into_iter().flatten() {
            game.play(&turn)?;
        }
        Ok(game)
    }

    /// Plays a turn, in coordinate or algebraic notation, and returns the game.
    fn push<'py>(slf: &Bound<'py, Self>, turn: &str) -> Answer<Bound<'py, Self>> {
        slf.get().play(turn)?;
        Ok(slf.clone())
    }

    /// Takes the last turn back and returns it.
    fn pop(&self) -> Answer<String> {
        let mut line = self.line();
        line.setups.pop();
        let turn = line.turns.pop().map(|(turn, _)| turn);
        turn.ok_or_else(|| Diagnostic::new("game", "no turn was played").into())
    }

    /// The position after the last turn.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::new(&self.start.get().variant, self.setup())
    }

    /// The position at the beginning.
    #[getter]
    fn start(&self, py: Python<'_>) -> Py<PyPosition> {
        self.start.clone_ref(py)
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant {
            inner: Arc::clone(&self.start.get().variant),
        }
    }

    /// The turns in coordinate notation.
    #[getter]
    fn turns(&self) -> Vec<String> {
        self.line()
            .turns
            .iter()
            .map(|(turn, _)| turn.clone())
            .collect()
    }

    /// The turns in short algebraic notation.
    #[getter]
    fn san(&self) -> Vec<String> {
        self.line()
            .turns
            .iter()
            .map(|(_, san)| san.clone())
            .collect()
    }

    /// The positions of the game, from the start to the last one.
    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        let variant = &self.start.get().variant;
        let line = self.line();
        let setups = std::iter::once(&self.start.get().setup).chain(&line.setups);
        setups
            .map(|setup| PyPosition::new(variant, setup.clone()))
            .collect()
    }

    /// How often the last position has occurred in the game, including now. The rules of variants have no past:
    /// repetitions end no game here.
    #[getter]
    fn repetitions(&self, py: Python<'_>) -> usize {
        let last = self.position();
        let positions = self.positions();
        let _ = py;
        positions
            .iter()
            .filter(|position| position.is(&last))
            .count()
    }

    /// How the game stands.
    #[getter]
    fn outcome(&self) -> Answer<PyOutcome> {
        guard(|| Ok(self.setup().outcome().into()))
    }

    fn __len__(&self) -> usize {
        self.line().turns.len()
    }

    fn __repr__(&self) -> String {
        let variant = &self.start.get().variant.variant;
        format!("<Game of {variant}: {} turns>", self.__len__())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (Py<PyPosition>, Vec<String>))> {
        let class = slf.get_type().into_any().unbind();
        let game = slf.get();
        Ok((class, (game.start.clone_ref(slf.py()), game.turns())))
    }
}

impl PyGame {
    fn play(&self, text: &str) -> Answer<()> {
        guard(|| {
            let before = self.setup();
            let number = self.__len__() + 1;
            let after = played(&before, text, number)?;
            let pair = with_setup!(&before, start => {
                let game = start.game.as_ref();
                let turn = turns::read(game, &start.position, text, number)?;
                (
                    turns::print(game, &start.position, &turn),
                    san::print(game, &start.position, &turn),
                )
            });
            let mut line = self.line();
            line.turns.push(pair);
            line.setups.push(after);
            Ok(())
        })
    }
}
