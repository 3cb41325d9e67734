"""The scripts of the guide: run as they are printed there, with the output that is printed there."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

for library in ("matplotlib", "numpy", "pyarrow", "scipy"):
    pytest.importorskip(library)

CHAPTER = pathlib.Path(__file__).resolve().parents[2] / "guide" / "python.md"
BLOCK = re.compile(r"^```python (\S+\.py)\n(.*?)^```\n(?:.*?^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
SCRIPTS = [match.groups() for match in BLOCK.finditer(CHAPTER.read_text(encoding="utf-8"))]
PROMPTS = re.findall(r"^```python\n(>>> .*?)^```\n", CHAPTER.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_chapter_has_scripts_and_examples() -> None:
    assert [name for name, _, _ in SCRIPTS] == ["designer.py", "researcher.py"] and len(PROMPTS) > 3


@pytest.mark.parametrize("name, script, output", SCRIPTS, ids=[name for name, _, _ in SCRIPTS])
def test_scripts_print_what_the_guide_shows(
    name: str, script: str, output: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / name).write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == output
    pictures = [path for path in tmp_path.iterdir() if path.suffix == ".png"]
    assert pictures and all(path.stat().st_size > 10_000 for path in pictures)


def test_examples_show_what_is_printed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import doctest

    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, text in enumerate(PROMPTS):
        test = doctest.DocTestParser().get_doctest(text, names, f"python.md {number}", None, 0)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0
