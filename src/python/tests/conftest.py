"""What the tests share."""

from __future__ import annotations

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def root() -> pathlib.Path:
    """The top of the project."""
    return ROOT


@pytest.fixture(scope="session")
def program() -> pathlib.Path:
    """The program, with whose answers those of the package are compared. FAIRYPROOF_PROGRAM names another one."""
    return pathlib.Path(os.environ.get("FAIRYPROOF_PROGRAM") or ROOT / "target/release/fairyproof")
