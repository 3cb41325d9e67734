"""Long work: interrupts, progress, limits, forks, other threads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import fairyproof as fp

# Work that would take hours.
WORK = {
    "perft": "fp.position('fide').perft(12)",
    "explore": "fp.explore('fide', memory='1G')",
    "prove": "fp.prove(fp.position('fide'), memory='256M')",
    "solve": "fp.solve(fp.position('fide'), '#9', memory='256M')",
    "table": "fp.Table('fide', 'KRPvKR', board='6x8', memory='4G')",
}


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["perft", "explore", "prove", "solve", "table"])
def test_interrupts_end_work_within_a_second(name: str) -> None:
    script = (
        # A shell without job control ignores interrupts of what it starts in the background.
        "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import fairyproof as fp\nprint('begun', flush=True)\n"
        f"try:\n    {WORK[name]}\nexcept KeyboardInterrupt:\n    print(time.time(), flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.7)
    sent = time.time()
    process.send_signal(signal.SIGINT)
    ended = float(process.stdout.readline())
    process.kill()
    # The machine of the tests may be busy.
    assert ended - sent < 1.0 + float(os.environ.get("FAIRYPROOF_SLACK", "1")), name


def test_progress_is_reported() -> None:
    reports: list[fp.Progress] = []
    fp.position("fide").perft(6, progress=reports.append, threads=1)
    assert reports and all(report.unit == "first turns" for report in reports)
    assert all(report.total == 20 for report in reports)


def test_what_a_callable_raises_ends_the_work() -> None:
    def stop(_: fp.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fp.position("fide").perft(12, progress=stop)


def test_progress_bar_is_drawn_and_removed(capfd: pytest.CaptureFixture[str]) -> None:
    fp.position("fide").perft(6, progress=True, threads=1)
    drawn = capfd.readouterr().err
    assert "counting" in drawn and drawn.endswith("\r")


def test_time_is_a_limit_with_a_name() -> None:
    with pytest.raises(fp.LimitError) as caught:
        fp.position("fide").perft(12, time=0.2)
    assert caught.value.limit == "time"
    graph = fp.explore("fide", time=0.2, memory="1G")
    assert not graph.complete and graph.limit in ("time", "memory")
    with pytest.raises(fp.LimitError, match="not decided"):
        graph.find("size(turns) == 200")


def test_wrong_limits_are_errors() -> None:
    start = fp.position("fide")
    for call in (
        lambda: start.perft(3, time=-1),
        lambda: start.perft(3, threads=0),
        lambda: fp.explore(start, memory="many"),
        lambda: fp.explore(start, memory=0),
        lambda: start.perft(3, progress=3),  # type: ignore[arg-type]
        lambda: start.perft(2000),
    ):
        with pytest.raises(fp.InputError):
            call()


def test_other_threads_run_meanwhile() -> None:
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    fp.position("fide").perft(6, threads=1)
    done.set()
    thread.join()
    assert turns > 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_children_of_a_fork_work() -> None:
    fp.position("fide").perft(4)
    child = os.fork()
    if child == 0:
        right = fp.position("fide").perft(4) == 197281 and fp.explore("fide", max_depth=2).states == 421
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_during_work_is_an_error_in_the_child() -> None:
    thread = threading.Thread(target=_busy)
    thread.start()
    time.sleep(0.2)
    child = os.fork()
    if child == 0:
        try:
            fp.position("fide").perft(4)
        except fp.Error as error:
            os._exit(0 if "fork" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    thread.join()


def _busy() -> None:
    try:
        fp.position("fide").perft(12, threads=1, time=1.0)
    except fp.LimitError:
        pass


def test_panics_are_errors_of_the_package() -> None:
    assert issubclass(fp.InternalError, RuntimeError) and issubclass(fp.InternalError, fp.Error)
    from fairyproof import _fairyproof

    with pytest.raises(fp.InternalError, match="internal error: .*a test"):
        _fairyproof._panic(False)
    with pytest.raises(fp.InternalError, match="internal error: .*a test"):
        _fairyproof._panic(True)
