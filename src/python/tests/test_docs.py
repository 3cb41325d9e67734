"""The examples in docstrings, and the stubs."""

from __future__ import annotations

import doctest
import inspect
import pathlib
import subprocess
import sys
from typing import Iterator, Tuple

import pytest

import fairyproof
from fairyproof import _errors, _progress, pyffish


def documented() -> Iterator[Tuple[str, str]]:
    for module in (fairyproof, _errors, _progress, pyffish):
        yield module.__name__, module.__doc__ or ""
        for name, thing in vars(module).items():
            if name.startswith("_") or inspect.ismodule(thing):
                continue
            doc = getattr(thing, "__doc__", None)
            if isinstance(doc, str):
                yield f"{module.__name__}.{name}", doc
            if inspect.isclass(thing) and thing.__module__.startswith("fairyproof"):
                for part, member in vars(thing).items():
                    doc = getattr(member, "__doc__", None)
                    if not part.startswith("_") and isinstance(doc, str):
                        yield f"{module.__name__}.{name}.{part}", doc


EXAMPLES = {name: doc for name, doc in documented() if ">>>" in doc}


def test_examples_are_found() -> None:
    assert len(EXAMPLES) > 15


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_show_what_is_printed(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert result.failed == 0 and result.attempted > 0


def test_everything_is_documented() -> None:
    for name in fairyproof.__all__:
        thing = getattr(fairyproof, name)
        if name.startswith("__"):
            continue
        assert thing.__doc__, name
        if inspect.isclass(thing):
            for part, member in vars(thing).items():
                if not part.startswith("_"):
                    assert member.__doc__ or not callable(member), (name, part)


def test_stubs_pass_a_strict_check(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    folder = pathlib.Path(fairyproof.__file__).parent
    assert (folder / "py.typed").exists()
    use = tmp_path / "use.py"
    use.write_text(
        "import fairyproof\n"
        "position: fairyproof.Position = fairyproof.position('fide')\n"
        "counts: dict[str, int] = position.divide(2)\n"
        "turns: list[str] = position.play('e4').turns\n"
    )
    for arguments in (["-p", "fairyproof"], [str(use)]):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stdout


def test_stubs_describe_the_package(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "fairyproof", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout
