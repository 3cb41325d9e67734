"""Graphs, tables and their columns."""

from __future__ import annotations

import json
import pathlib
import pickle
import struct
import subprocess
import warnings
import zlib
from typing import Any, Dict, List, Tuple

import pytest

import fairyproof as fp

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

SMALL = "k3/4/4/3R/3K w - - 0 1"


@pytest.fixture(scope="module")
def graph() -> fp.Graph:
    return fp.explore(fp.position("fide", SMALL), solve=True)


def test_graph_is_complete_solved_and_certified(graph: fp.Graph) -> None:
    assert graph.complete and graph.is_solved and graph.limit is None
    assert graph.certified_states == graph.states == len(graph) == sum(graph.values.values())
    assert graph.value() == graph.value(0) == graph.value(graph.root) and graph.value().word == "win"
    best = graph.best()
    assert best is not None and len(best) == graph.value().plies and best.end == "white-wins checkmate"
    longest = graph.longest_win()
    assert longest is not None and len(longest) >= len(best)
    assert "certified" in graph.text()


def test_states_are_positions_and_back(graph: fp.Graph) -> None:
    for state in range(0, graph.states, 37):
        position = graph.position(state)
        assert graph.state_of(position) == state and position in graph
        assert position.fen == graph.fen(state)
        assert graph.root.play(*graph.line_to(state)) == position
        assert sorted(graph.turns(state)) == position.turns
        assert sorted(graph.turns(state).values()) == sorted(graph.successors(state))
        for following in graph.successors(state):
            assert state in graph.predecessors(following)
    assert fp.position("fide", "k3/4/4/4/3K b - - 0 1") in graph
    with pytest.raises(fp.InputError):
        graph.position(graph.states)
    with pytest.raises(fp.InputError, match="another variant"):
        graph.state_of(fp.position("fide"))


def test_questions_have_witnesses(graph: fp.Graph) -> None:
    found = graph.find("value == 'loss' && plies == 0")
    assert found and found.line is not None and len(found.line) == found.plies
    assert graph.root.play(*found.line).fen.split()[:2] == (found.fen or "").split()[:2]
    assert graph.always("count(white, 'king') == 1")
    fails = graph.always("!check")
    assert not fails and fails.result == "fails"
    assert graph.count("true") == graph.states
    by = graph.count("true", by="side")
    assert sum(by.values()) == graph.states and set(by) == {"white", "black"}
    assert len(graph.where("check")) == graph.count("check")
    assert graph.bottlenecks("white") == [] and graph.bottlenecks("count(white, 'queen') == 1") is None


def test_structure_is_that_of_the_graph(graph: fp.Graph) -> None:
    structure = graph.structure()
    components, edges = graph.condensation()
    assert structure.components == len(components) == len(edges)
    assert sum(map(len, components)) == graph.states and not structure.acyclic


def test_states_are_columns(graph: fp.Graph) -> None:
    table = pa.table(graph.state_columns(outcome=True, fen=True))
    assert table.column_names == ["state", "key", "side", "value", "plies", "depth", "turns", "outcome", "fen"]
    assert table.num_rows == graph.states == graph.state_columns().num_rows
    for row in table.slice(0, 200).to_pylist():
        position = graph.position(row["state"])
        value = graph.value(row["state"])
        assert row["fen"] == position.fen and row["key"] == graph.key(row["state"])
        assert row["side"] == position.side[0] and row["turns"] == len(position.turns)
        assert (row["value"], row["plies"]) == (value.word, value.plies)
        assert row["outcome"] == str(position.outcome)
        assert row["depth"] == len(graph.line_to(row["state"]))
    edges = pa.table(graph.edge_columns(turn=True))
    assert edges.num_rows == graph.edges == pa.table(graph.edge_columns()).num_rows
    first = [row for row in edges.slice(0, 50).to_pylist() if row["source"] == 0]
    assert {row["turn"]: row["target"] for row in first} == graph.turns(0)
    assert graph.depth_columns().to_pylist()[0]["states"] == 1


def test_a_stream_is_read_in_batches() -> None:
    graph = fp.explore("fide", max_depth=4, edges=False)
    reader = pa.RecordBatchReader.from_stream(graph.state_columns())
    sizes = [batch.num_rows for batch in reader]
    assert sum(sizes) == graph.states and len(sizes) > 1


def test_other_libraries_take_columns(graph: fp.Graph) -> None:
    columns = graph.state_columns()
    pytest.importorskip("pandas")
    frame = columns.to_pandas()
    assert len(frame) == graph.states and frame["value"].value_counts()["win"] == graph.values["win"]
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(columns).height == graph.states
    duckdb = pytest.importorskip("duckdb")
    states = columns.to_arrow()  # noqa: F841
    [(won,)] = duckdb.sql("select count(*) from states where value = 'win'").fetchall()
    assert won == graph.values["win"]


def test_matrix_counts_turns(graph: fp.Graph) -> None:
    pytest.importorskip("scipy")
    matrix = graph.to_scipy()
    assert matrix.shape == (graph.states, graph.states) and matrix.sum() == graph.edges
    for state in range(0, graph.states, 101):
        row = matrix.getrow(state)
        assert sorted(row.indices.tolist()) == sorted(set(graph.successors(state)))


def test_small_graphs_become_networkx(graph: fp.Graph) -> None:
    nx = pytest.importorskip("networkx")
    small = fp.explore(fp.position("fide", "k2/2P/K2 w - - 0 1"), solve=True)
    made = small.to_networkx()
    assert made.number_of_nodes() == small.states and made.number_of_edges() == small.edges
    assert made.nodes[0]["fen"] == small.root.fen and made.nodes[0]["value"] == small.value().word
    lengths = nx.single_source_shortest_path_length(made, 0)
    assert all(made.nodes[node]["depth"] == length for node, length in lengths.items())
    with pytest.raises(fp.InputError, match="at most 10"):
        small.to_networkx(max_states=10)


def test_graph_files_are_written(graph: fp.Graph, tmp_path: pathlib.Path) -> None:
    small = fp.explore(fp.position("fide", "k2/2P/K2 w - - 0 1"))
    small.write_dot(tmp_path / "graph.dot")
    small.write_graphml(tmp_path / "graph.graphml")
    assert (tmp_path / "graph.dot").read_text().startswith("digraph")
    with pytest.raises(fp.FileError):
        small.write_dot(tmp_path / "none" / "graph.dot")


def test_a_graph_on_disk_has_the_answers_of_memory(graph: fp.Graph, tmp_path: pathlib.Path) -> None:
    begun = fp.explore(graph.root, disk=tmp_path / "graph", max_depth=3)
    assert begun.limit == "max-depth" and not begun.complete
    with pytest.raises(fp.LimitError):
        begun.find("count(white, 'queen') == 1")
    stored = fp.explore(graph.root, disk=tmp_path / "graph", memory="1G")
    with pytest.raises(fp.InputError, match="no values"):
        stored.value()
    assert "value" not in stored.state_columns().column_names
    # Questions before and after solving, which changes the files.
    for _ in range(2):
        assert (stored.states, stored.edges, stored.depth) == (graph.states, graph.edges, graph.depth)
        assert stored.count("check") == graph.count("check")
        assert stored.count("true", by="depth") == graph.count("true", by="depth")
        for text in ("check", "count(white, 'queen') == 1", "won(white)"):
            assert stored.find(text).plies == graph.find(text).plies
        line = stored.find("won(white)").line
        assert line is not None and graph.root.play(*line).outcome.winner == "white"
        assert stored.always("count(white, 'king') == 1")
        stored.solve()
    assert stored.outcomes == graph.outcomes and stored.values == graph.values
    assert stored.certified_states == graph.states and stored.value() == graph.value()
    after = graph.root.play(graph.root.turns[0])
    assert stored.value(after) == graph.value(after)
    best, longest, expected = stored.best(), stored.longest_win(), graph.longest_win()
    assert best is not None and len(best) == graph.value().plies
    assert longest is not None and expected is not None and len(longest) == len(expected)
    # Of a stream that is not read to its end, nothing keeps the folder.
    reader = pa.RecordBatchReader.from_stream(stored.state_columns(fen=True))
    first = reader.read_next_batch().to_pylist()
    del reader
    for row in first[:50]:
        position = fp.position("fide", row["fen"])
        value = graph.value(position)
        assert (row["value"], row["plies"]) == (value.word, value.plies) and row["key"] == position.key
        assert row["depth"] == len(graph.line_to(position))
    assert pa.table(stored.state_columns()).num_rows == graph.states
    assert "certified" in stored.text() and "DiskGraph" in repr(stored)
    with pytest.raises(fp.InputError):
        fp.explore("fide", disk=tmp_path / "graph")
    with pytest.raises(fp.FileError):
        (tmp_path / "file").write_text("")
        fp.explore(graph.root, disk=tmp_path / "file")


def test_limits_are_named() -> None:
    graph = fp.explore("fide", max_states=1000)
    assert graph.states == 1000 and graph.limit == "max-states" and not graph.complete
    with pytest.warns(fp.InputWarning, match="not complete"):
        assert graph.count("true") == 1000
    with pytest.raises(fp.LimitError):
        graph.solve()
    with pytest.raises(fp.InputError, match="no values"):
        graph.value()
    with pytest.warns(fp.InputWarning, match="not solved"):
        fp.explore("fide", max_states=1000, solve=True)


def test_tables_answer(tmp_path: pathlib.Path) -> None:
    with fp.Table("fide", "KRvK", board="4x4") as table:
        probe = table.probe("k3/4/4/1R1K w - - 0 1")
        assert probe is not None and probe.value.plies == 7 and probe.turns[0][0] == "d1c1"
        assert len(table.line("k3/4/4/1R1K w - - 0 1")) == 7
        longest = table.longest("white")
        assert longest is not None and longest.end == "white-wins checkmate"
        assert longest.fen in table.longest_positions("white") or len(table.longest_positions("white")) > 0
        stats = table.stats().to_pylist()
        assert [row["side"] for row in stats] == ["w", "b"]
        positions = pa.table(table.position_columns(fen=True))
        assert positions.num_rows == sum(row["legal"] for row in stats) == table.count("true")
        distances = table.distances("white")
        assert distances.max() == stats[0]["longest_win_plies"] and len(distances) == stats[0]["legal"]
        both = np.concatenate([distances, table.distances("black")])
        plies = positions["plies"].to_pylist()
        assert both.tolist() == [-1 if one is None else one for one in plies]
        mates = table.find("value == 'loss' && plies == 0")
        assert len(mates) == table.count("value == 'loss' && plies == 0") > 0
        assert all(fp.position("fide", mate.fen).outcome.reason == "checkmate" for mate in mates)
        assert len(table.find("true", limit=5)) == 5
        assert table.count("true", by="value") == {
            row["value"]: row["positions"]
            for row in [
                {"value": word, "positions": sum(r["positions"] for r in table.plies().to_pylist() if r["value"] == word)}
                for word in {r["value"] for r in table.plies().to_pylist()}
            ]
        }
        fens = positions["fen"].to_pylist()[::50]
        probed = table.probe_many(fens).to_pylist()
        assert [row["plies"] for row in probed] == plies[::50]
        assert table.check() == []
    with pytest.raises(fp.InputError, match="closed"):
        table.probe("k3/4/4/1R1K w - - 0 1")


def test_folders_keep_tables(tmp_path: pathlib.Path) -> None:
    with fp.TableFolder(tmp_path / "tables") as folder:
        with pytest.raises(fp.InputError):
            folder.open("fide", "KQvK", board="4x4")
        table = folder.build("fide", "KQvK", board="4x4")
        assert table.built is not None and table.built[0] > 0
        assert folder.list() and folder.open("fide", "KQvK", board="4x4").count("true") == table.count("true")
        position = fp.position("fide", "k3/4/4/1Q1K w - - 0 1")
        solution = fp.solve(position, "#3", tables=folder.path)
        assert solution.first_turns == fp.solve(position, "#3").first_turns
    with pytest.raises(fp.InputError, match="closed"):
        table.count("true")


def test_wrong_tables_are_errors(tmp_path: pathlib.Path) -> None:
    with fp.TableFolder(tmp_path) as folder:
        for signature in ("KQvK", "KRvK"):
            folder.build("fide", signature, board="4x4")
        assert not any(row["is_empty"] for row in folder.list())
    # The values of queens take the place of those of rooks.
    for side in "wb":
        queens, rooks = (tmp_path / f"fide/4x4/{name}-{side}.fpt" for name in ("KQvK", "KRvK"))
        head, [block, _] = sections(queens.read_bytes())
        _, [_, header] = sections(rooks.read_bytes())
        rooks.write_bytes(container(head, [block, header]))
    with fp.TableFolder(tmp_path) as folder:
        table = folder.open("fide", "KRvK", board="4x4")
        fen = next(fault for fault in table.check() if " w " in fault).split(":")[0]
        for call in (
            lambda: table.probe(fen),
            lambda: table.probe_many([fen]),
            lambda: table.line(fen),
            lambda: table.longest(),
            lambda: table.find("true"),
            lambda: table.count("true"),
            lambda: fp.solve(fp.position("fide", fen), "win 5", tables=tmp_path),
            lambda: fp.prove(fp.position("fide", fen), tables=tmp_path),
        ):
            with pytest.raises(fp.InputError, match="table file .*KRvK.*is wrong"):
                call()
    right = fp.prove(fp.position("fide", "k3/4/4/1Q1K w - - 0 1"), tables=tmp_path, within=3)
    assert right.relies_on_tables and not right.relies_on_saved


def sections(file: bytes) -> tuple[bytes, list[bytes]]:
    """Returns the head and the sections of a container."""
    found, at = [], 24
    while file[at : at + 4] != b"\xff" * 4:
        length = int.from_bytes(file[at : at + 4], "little")
        found.append(file[at + 8 : at + 8 + length])
        at += 8 + length
    return file[:24], found


def container(head: bytes, parts: list[bytes]) -> bytes:
    """Returns a container of these sections."""
    entries = [struct.pack("<II", len(part), zlib.crc32(part)) for part in parts]
    index = b"".join(entries)
    number = struct.pack("<Q", len(parts))
    checksum = struct.pack("<I", zlib.crc32(head + index + number))
    content = b"".join(entry + part for entry, part in zip(entries, parts))
    return head + content + b"\xff" * 4 + index + number + checksum + b"FPFILEND"


def test_many_positions_at_once() -> None:
    fide = fp.variant("fide")
    positions = [fide.start.play(turn) for turn in fide.start.turns]
    rows = fide.turns_of([position.fen for position in positions] * 200).to_pylist()
    assert len(rows) == 4000
    assert [sorted(row["turns"]) for row in rows[:20]] == [position.turns for position in positions]
    after = fide.play_all([fide.start_fen] * 3, [["e4"], ["f3", "e5", "g4", "Qh4"], []]).to_pylist()
    assert after[0]["fen"] == fide.start.play("e4").fen and after[1]["outcome"] == "black-wins checkmate"
    with pytest.raises(fp.InputError, match="turn 1"):
        fide.play_all([fide.start_fen], [["e5"]])


def test_wide_boards_have_keys_of_several_words() -> None:
    graph = fp.explore("grand", max_depth=1)
    table = pa.table(graph.state_columns())
    for row in table.slice(0, 5).to_pylist():
        key = row["key"] if isinstance(row["key"], int) else int.from_bytes(row["key"], "little")
        assert key == graph.key(row["state"])
    assert graph.key(0) == graph.root.key
    assert pickle.loads(pickle.dumps(graph.root)) == graph.root


ONE_STATE = "k7/2Q5/8/8/8/8/8/K7 b - - 0 1"
GRAPHS: List[Tuple[str, str, Dict[str, Any]]] = [
    ("fide", ONE_STATE, {"solve": True}),
    ("fide", "k3/4/4/3R/3K w - - 0 1", {"solve": True}),
    ("french-revolution", "k1/2/PP/pp/2/K1 w - - 0 1 first=1", {"solve": True}),
    ("bachelor", "startpos", {"max_depth": 3}),
    ("bachelor", "startpos", {"max_depth": 0}),
    ("bachelor", "startpos", {"max_states": 500}),
]


def printed(program: pathlib.Path, *arguments: str) -> Any:
    """What the program prints as JSON."""
    done = subprocess.run([str(program), *arguments, "--format", "json"], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("variant", "fen", "options"), GRAPHS)
@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.filterwarnings("ignore:the graph is not complete")
def test_figures_of_graphs_are_those_of_the_program(
    program: pathlib.Path, tmp_path: pathlib.Path, variant: str, fen: str, options: Dict[str, Any], on_disk: bool
) -> None:
    limits = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if name != "solve"]
    solve = ["--solve"] if "solve" in options else []
    figures = printed(program, "explore", variant, fen, *limits, *solve)
    place = {"disk": tmp_path / "graph"} if on_disk else {}
    graph = fp.explore(fp.position(variant, fen), **options, **place)
    assert (str(graph.variant), graph.root.fen) == (figures["variant"], figures["fen"])
    assert (graph.states, len(graph), graph.edges) == (figures["states"], figures["states"], figures["edges"])
    assert graph.depth == figures["depth"] and (graph.limit or "complete") == figures["limit"]
    assert graph.complete == (figures["limit"] == "complete") and graph.outcomes == dict(figures["terminals"])
    assert len(graph) == sum(graph.count("true", by="depth").values()) == pa.table(graph.state_columns()).num_rows
    levels = graph.depth_columns().to_pylist()
    expanded = [row for row in levels if row["expanded"]]
    assert max(row["depth"] for row in levels) == graph.depth == max(graph.count("true", by="depth"))
    assert sum(row["expanded"] for row in levels) == figures["expanded"]
    assert min((row["min_out_degree"] for row in expanded), default=0) == figures["min_out_degree"]
    assert max((row["max_out_degree"] for row in expanded), default=0) == figures["max_out_degree"]
    if isinstance(graph, fp.Graph):
        structure = graph.structure()
        for name in ("acyclic", "components", "cyclic_components", "largest_component_states", "longest_path"):
            assert getattr(structure, name) == figures[name], name
    solved = figures.get("solved")
    assert graph.is_solved == (solved is not None)
    if solved is None:
        return
    assert (graph.value().word, graph.value().plies) == (solved["value"], solved["plies"])
    names = {"win": "wins", "weak-win": "weak_wins", "draw": "draws", "weak-loss": "weak_losses", "loss": "losses"}
    assert graph.values == {word: solved[name] for word, name in names.items() if solved[name]}
    assert graph.certified_states == solved["certified_states"] == graph.states and solved["faulty_states"] == 0
    best, longest = graph.best(), graph.longest_win()
    line = None if best is None else {"turns": " ".join(best.turns), "end": best.end}
    assert line == solved["line"]
    expected = solved["longest_win"]
    assert (longest is None) == (expected is None)
    if longest is not None:
        found = {"turns": " ".join(longest.turns), "end": longest.end}
        assert (len(longest), longest.fen, found) == (expected["plies"], expected["fen"], expected["line"])


def test_figures_of_tables_are_those_of_the_program(program: pathlib.Path, tmp_path: pathlib.Path) -> None:
    which = ["fide", "KRvK", "--board", "4x4", "--tables", str(tmp_path)]
    with fp.Table("fide", "KRvK", board="4x4", folder=tmp_path) as table:
        assert table.built is not None and table.built[:2] == (3, 0) and table.board == "4x4"
        assert table.stats().to_pylist() == printed(program, "table", "stats", *which)
        assert table.plies().to_pylist() == printed(program, "table", "stats", *which, "--plies")
        for side, letter in (("white", "w"), ("black", "b")):
            longest, rows = table.longest(side), printed(program, "table", "longest", *which, "--side", letter)
            found = [] if longest is None else [(len(longest), longest.fen, longest.turns, longest.end)]
            assert found == [(row["plies"], row["fen"], row["line"], row["outcome"]) for row in rows]


def test_questions_to_a_graph_on_disk_see_the_states_of_its_figures(tmp_path: pathlib.Path) -> None:
    root = fp.position("fide", "7k/5r2/8/8/8/8/Q7/K7 w - - 0 1")
    stopped = fp.explore(root, disk=tmp_path / "graph", max_depth=4)
    assert stopped.limit is not None and stopped.edges > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fp.InputWarning)
        assert stopped.count("true") == stopped.states
    # The folder then holds more than the figures.
    limit = stopped.depth + 1
    assert fp.explore(root, disk=tmp_path / "graph", max_depth=limit).depth == limit
    with pytest.raises(fp.InputError, match="complete levels already"):
        stopped.count("true")
