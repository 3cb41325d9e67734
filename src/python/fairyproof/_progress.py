"""Progress of long work."""

from __future__ import annotations

import sys
import time
from typing import NamedTuple, Optional


class Progress(NamedTuple):
    """A report of long work, which the callable of ``progress=`` receives about ten times a second."""

    phase: str
    """What is being done, such as ``exploring`` or ``certifying``."""
    done: int
    """The units of work that are done in this phase."""
    total: Optional[int]
    """The units of work in this phase, if their number is known."""
    unit: str
    """The unit of ``done`` and ``total``, such as ``states``."""
    detail: str
    """Further figures in words, possibly empty."""


class Bar:
    """A line on standard error that is drawn again with each report: what ``progress=True`` shows."""

    WIDTH = 24
    """The width of the bar in characters."""

    def __init__(self) -> None:
        self._phase = ""
        self._begun = time.monotonic()
        self._drawn = 0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.phase != self._phase:
            self._phase = progress.phase
            self._begun = now
        text = f"{progress.phase}: {progress.done:,} {progress.unit}"
        if progress.total:
            share = min(1.0, progress.done / progress.total)
            full = int(share * self.WIDTH)
            bar = "#" * full + "." * (self.WIDTH - full)
            text = f"{progress.phase} [{bar}] {share:4.0%} of {progress.total:,} {progress.unit}"
        if progress.detail:
            text += f", {progress.detail}"
        text += f", {now - self._begun:.0f} s"
        sys.stderr.write("\r" + text.ljust(self._drawn))
        sys.stderr.flush()
        self._drawn = len(text)

    def close(self) -> None:
        """Removes the line."""
        if self._drawn:
            sys.stderr.write("\r" + " " * self._drawn + "\r")
            sys.stderr.flush()
            self._drawn = 0
