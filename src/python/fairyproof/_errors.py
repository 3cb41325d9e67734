"""The exceptions and warnings of the package."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """The base class of all errors of this package."""


class InputError(Error, ValueError):
    """Something that a caller wrote is wrong: a FEN, a turn, a file, an expression.

    >>> import fairyproof
    >>> try:
    ...     fairyproof.variant("crazyhose")
    ... except fairyproof.InputError as error:
    ...     print(error.help)
    did you mean `crazyhouse`? `fairyproof variants` lists them all
    """

    what: str
    """The subject: ``FEN``, ``variant``, the name of a file."""
    reason: str
    """What is wrong with it."""
    place: Optional[str]
    """Where in the subject: a field, or a line and a column."""
    help: Optional[str]
    """What would be right."""
    line: Optional[int]
    """The line of the place, from 1, if the place is a character of a text."""
    column: Optional[int]
    """The column of the place, from 1, if the place is a character of a text."""
    excerpt: Optional[str]
    """The line that is wrong, and below it a caret for each wrong character."""

    def __init__(
        self,
        what: str,
        reason: str,
        place: Optional[str] = None,
        help: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
        excerpt: Optional[str] = None,
    ) -> None:
        super().__init__(what, reason, place, help, line, column, excerpt)
        self.what = what
        self.reason = reason
        self.place = place
        self.help = help
        self.line = line
        self.column = column
        self.excerpt = excerpt

    def __str__(self) -> str:
        text = self.what if self.place is None else f"{self.what}, {self.place}"
        text = f"{text}: {self.reason}"
        if self.excerpt:
            text += "".join(f"\n  {line}" for line in self.excerpt.splitlines())
        if self.help:
            text += f"\nhelp: {self.help}"
        return text


class FileError(Error, OSError):
    """A file or folder cannot be read or written, or is damaged."""


class LimitError(Error):
    """A limit (``time=``, ``memory=``) was reached before there was an answer."""

    limit: str
    """The name of the limit, such as ``time``."""

    def __init__(self, limit: str, reason: str) -> None:
        super().__init__(limit, reason)
        self.limit = limit
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class InternalError(Error, RuntimeError):
    """The package has a bug. Please report it together with the input."""


class InputWarning(UserWarning):
    """Something that a caller wrote can be used, but may not mean what the caller intended."""
