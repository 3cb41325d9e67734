//! The Python package `fairyproof`: the answers of the program as Python objects and Arrow columns.
//!
//! Relies on all layers below. Each class wraps what a layer returns; none computes anything itself. The package
//! never prints. Long work releases the interpreter's lock (`work`), panics become exceptions (`errors`), and
//! tables are Arrow streams (`stream`). The Python part, in the folder `fairyproof`, has the exceptions, the
//! progress bar, the type stubs and the functions of pyffish.

mod batch;
mod catalog;
mod claims;
mod errors;
mod expressions;
mod game;
mod graph;
mod position;
mod problem;
mod proof;
mod pyffish;
mod stream;
mod table;
mod variant;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule]
mod _fairyproof {
    use super::*;

    #[pymodule_export]
    use crate::catalog::{_restore_catalog, PyCatalog, PyDiagnostic};
    #[pymodule_export]
    use crate::claims::{PyFinding, new_claims, verify};
    #[pymodule_export]
    use crate::game::{PyGame, read_pgn};
    #[pymodule_export]
    use crate::graph::{
        PyDiskGraph, PyFound, PyGraph, PyLine, PyStructure, PyValue, explore_graph,
    };
    #[pymodule_export]
    use crate::position::{_restore_position, PyOutcome, PyPosition, perft_suite, read_position};
    #[pymodule_export]
    use crate::problem::{PyMove, PyReply, PySolution, PyTry, solve};
    #[pymodule_export]
    use crate::proof::{PyCertificate, PyChecked, PyProof, PyWalk, prove_goal};
    #[pymodule_export]
    use crate::pyffish::{
        _definition_keys, _get_fen, _gives_check, _is_capture, _legal_moves, _load_config,
        _position_after, _variant_names,
    };
    #[pymodule_export]
    use crate::stream::PyColumns;
    #[pymodule_export]
    use crate::table::{PyProbe, PyTable, PyTableFolder, PyTablePosition};
    #[pymodule_export]
    use crate::variant::{_restore_variant, PyVariant, variant, variants};
    #[pymodule_export]
    use crate::work::{_after_fork, _panic};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::errors::install_panic_hook();
        Ok(())
    }
}
