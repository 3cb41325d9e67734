"""fairyproof: a rule-verification and puzzle-solving workbench for chess variants.

The answers are those of the program of the same name. The manual is the chapter ``python`` of its guide.

>>> import fairyproof
>>> start = fairyproof.position("bachelor", "3k3/Q6/7/7/7/3K3 w - - 0 1")
>>> start.play("Qe1").outcome.reason
'marriage'
"""

from __future__ import annotations

import os as _os

from ._errors import Error, FileError, InputError, InputWarning, InternalError, LimitError
from ._fairyproof import (
    Catalog,
    Certificate,
    Checked,
    Columns,
    Diagnostic,
    DiskGraph,
    Finding,
    Found,
    Game,
    Graph,
    Line,
    Move,
    Outcome,
    Position,
    Probe,
    Proof,
    Reply,
    Solution,
    Structure,
    Table,
    TableFolder,
    TablePosition,
    Try,
    Value,
    Variant,
    Walk,
    __version__,
    explore,
    new_claims,
    perft_suite,
    position,
    prove,
    read_pgn,
    solve,
    variant,
    variants,
    verify,
)
from ._fairyproof import _after_fork
from ._progress import Bar, Progress

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_after_fork)

__all__ = [
    "Bar",
    "Catalog",
    "Certificate",
    "Checked",
    "Columns",
    "Diagnostic",
    "DiskGraph",
    "Error",
    "FileError",
    "Finding",
    "Found",
    "Game",
    "Graph",
    "InputError",
    "InputWarning",
    "InternalError",
    "LimitError",
    "Line",
    "Move",
    "Outcome",
    "Position",
    "Probe",
    "Progress",
    "Proof",
    "Reply",
    "Solution",
    "Structure",
    "Table",
    "TableFolder",
    "TablePosition",
    "Try",
    "Value",
    "Variant",
    "Walk",
    "__version__",
    "explore",
    "new_claims",
    "perft_suite",
    "position",
    "prove",
    "read_pgn",
    "solve",
    "variant",
    "variants",
    "verify",
]
