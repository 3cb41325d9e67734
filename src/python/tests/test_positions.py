"""Catalogs, variants, positions and games."""

from __future__ import annotations

import pathlib
import pickle
import random
import warnings

import pytest

import fairyproof as fp

TEXT = "[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n"
FROGS = """[frogs:losalamos]
queen = -
customPiece1 = f:WgQ
startFen = rnfknr/pppppp/6/6/PPPPPP/RNFKNR w - - 0 1
promotionPieceTypes = rnf
stalemateValue = loss
"""


def test_catalog_is_a_mapping_of_all_variants() -> None:
    catalog = fp.Catalog()
    assert len(catalog) == len(list(catalog)) == len(set(catalog)) > 120
    assert "bachelor" in catalog and "crazyhouse" in catalog and "nonsense" not in catalog
    assert catalog["bachelor"] == fp.variant("bachelor")
    with pytest.raises(KeyError, match="crazyhouse"):
        catalog["crazyhose"]
    rows = {row["id"]: row for row in catalog.rows()}
    assert rows["bachelor"]["board"] == "7x6"


def test_files_and_texts_work_as_in_the_program(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "frogs.ini"
    file.write_text(FROGS)
    for source in (file, str(file), FROGS):
        catalog = fp.Catalog.load(source)
        assert catalog["frogs"].start.perft(4) == 28898
    both = fp.Catalog.load(file, TEXT)
    assert both["hill"].board == "8x8" and "frogs" in repr(both)
    both.add("[later:hill]\n")
    assert both["later"].reasons.keys() == both["hill"].reasons.keys()


def test_rule_texts_have_clauses_and_conditions() -> None:
    catalog = fp.Catalog.load("[calm:fide]\nremove = captures(t)\n")
    findings = catalog.check("[calm:fide]\nremov = captures\n")
    assert any(f.severity == "error" and f.line == 2 for f in findings)
    circe = fp.variant("fide+circe")
    assert circe.start.perft(2) == 400


def test_rule_texts_are_refused_where_a_clause_has_no_meaning() -> None:
    catalog = fp.Catalog.load(
        "[corner:fide-text]\nlegalIf = to != 'h8'\n"
        "[few:fide-text]\noptions = k: 0..9 = 1\nstate = x: 0..3\nstate.x = option.k\n"
    )
    fen, why = "k3/4/K3/3R w - - 0 1", "'h8' is not a square of this 4x4 board"
    corner = catalog["corner"]
    with pytest.raises(fp.InputError, match=why):
        corner.position(fen)
    with pytest.raises(fp.InputError, match=why):
        fp.Table(corner, "KRvK", board="4x4")
    with pytest.raises(fp.InputError, match="from 0 to 3, not 4"):
        fp.variant("few:k=4", catalog)
    assert len(fp.variant("few:k=3", catalog).start.turns) == 20


def test_errors_say_what_where_why_and_what_would_be_right() -> None:
    with pytest.raises(fp.InputError) as caught:
        fp.position("fide", "8/8/8/8/8/8/8/7 w - - 0 1")
    error = caught.value
    assert error.what == "FEN" and "field 1" in (error.place or "") and error.reason
    assert isinstance(error, ValueError) and "FEN" in str(error)
    with pytest.raises(fp.InputError) as caught:
        fp.Catalog.load("[x:chess]\nflagRegio = d4\n")["x"]
    assert caught.value.line == 2
    with pytest.raises(fp.InputError) as caught:
        fp.position("fide").eval("size(turn)")
    assert caught.value.column and caught.value.excerpt and "^" in caught.value.excerpt
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.column == caught.value.column


def test_ignored_castling_rights_are_a_warning() -> None:
    with pytest.warns(fp.InputWarning, match="castling"):
        fp.position("fide", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1")


def test_variants_have_facts_and_a_page() -> None:
    spartan = fp.variant("spartan:moves=40")
    assert spartan.options == {"moves": 40} and str(spartan) == "spartan:moves=40"
    assert "moves" in spartan.known_options
    bachelor = fp.variant("bachelor")
    assert bachelor.title == "Bachelor Chess" and "marriage" in bachelor.reasons
    assert bachelor.page.startswith("# ") and "## " in bachelor.page
    assert bachelor.kinds["Q"] == "queen"
    assert fp.variant("spartan") != spartan and hash(bachelor) == hash(fp.variant("bachelor"))


def test_positions_are_equal_by_what_decides_the_game() -> None:
    start = fp.position("fide")
    line = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert start.play(*line) == start and hash(start.play(*line)) == hash(start)
    assert start.play(*line).fen != start.fen
    assert start != fp.position("bachelor") and start != fp.position("blunder-mate")
    # Without a capture in passing, the square that was passed does not matter.
    detour = ["e2e3", "e7e6", "e3e4", "g8f6", "g1f3", "f6g8", "f3g1"]
    assert start.play(*detour) == fp.position("fide", "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert len({start, start.play(*line), start.play("e4")}) == 2


def test_every_position_survives_a_pickle() -> None:
    catalog = fp.Catalog.load(TEXT)
    chooser = random.Random(3)
    for name in [*fp.variants(), "hill"]:
        variant = catalog[name]
        position = variant.start
        for _ in range(12):
            copy = pickle.loads(pickle.dumps(position))
            assert copy == position and hash(copy) == hash(position) and copy.fen == position.fen
            turns = position.turns
            if not turns:
                break
            position = position.play(chooser.choice(turns))


def test_turns_are_read_in_coordinates_and_algebraic_notation() -> None:
    start = fp.position("fide")
    assert start.play("Nf3") == start.play("g1f3") and start.parse("Nf3") == "g1f3"
    with pytest.raises(fp.InputError, match="turn 2"):
        start.play("e4", "e4")
    game = fp.Game("fide", ["e4", "f5", "exf5", "g5", "Qh5#"])
    assert game.san == ["e4", "f5", "exf5", "g5", "Qh5#"]
    assert game.outcome == "white-wins checkmate" and game.outcome.winner == "white"
    assert game.pop() == "d1h5" and len(game) == 4 and not game.outcome.is_over
    assert pickle.loads(pickle.dumps(game)).turns == game.turns
    with pytest.raises(fp.InputError):
        fp.Game("fide").pop()


PGN = """[Event "A match"]
[White "Alice"]
[Variant "Crazyhouse"]

1. e4 {best by test} d5 (1... e5 2. Nf3) 2. exd5 $1 Qxd5 1-0

[Event "Another"]

1. e4 e5 *
"""


def test_games_are_read_and_written_as_pgn(tmp_path: pathlib.Path) -> None:
    (tmp_path / "games.pgn").write_text(PGN)
    for source in (PGN, tmp_path / "games.pgn", str(tmp_path / "games.pgn")):
        first, second = fp.read_pgn(source)
        assert first.variant.id == "crazyhouse" and second.variant.id == "fide"
        assert first.tags["White"] == "Alice" and first.result == "1-0" and second.result == "*"
        assert first.turns == ["e2e4", "d7d5", "e4d5", "d8d5"] and second.san == ["e4", "e5"]
    text = first.pgn({"Black": "Bob"})
    for part in ("{best by test}", "(1... e5 2. Nf3)", "$1", '[Black "Bob"]', '[White "Alice"]', "1-0"):
        assert part in text
    [again] = fp.read_pgn(text)
    assert again.turns == first.turns and again.pgn() == text
    # A result that was read ends with the next turn.
    assert first.push("Nc3").result == "*" and first.pop() == "b1c3"
    mated = fp.Game("fide", ["f3", "e5", "g4", "Qh4"])
    assert mated.result == "0-1" and "2. g4 Qh4# 0-1" in mated.pgn()
    assert pickle.loads(pickle.dumps(first)).turns == first.turns


def test_wrong_games_are_named_or_left_out() -> None:
    wrong = PGN.replace("exd5", "exd6")
    with pytest.raises(fp.InputError, match="line 1"):
        fp.read_pgn(wrong)
    with pytest.warns(fp.InputWarning, match="line 1"):
        assert [len(game) for game in fp.read_pgn(wrong, skip=True)] == [2]


def test_games_count_repetitions() -> None:
    game = fp.Game("fide")
    for turn in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        game.push(turn)
    assert game.repetitions == 3 and len(game.positions) == 9


def test_positions_are_drawn() -> None:
    position = fp.position("bachelor")
    for svg in (position.svg(), position.svg(unit="b1"), position._repr_svg_()):
        assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
    assert "a b c d e f g" in str(position)
    assert repr(position) == f"Position('bachelor', '{position.fen}')"


def test_values_of_expressions_are_python_objects() -> None:
    position = fp.position("fide")
    assert position.eval("size(turns)") == 20 and position.eval("check") is False
    assert position.eval("units(white, 'rook').map(u, u.square)") == ["a1", "h1"]
    assert position.turns_where("kind == 'knight'") == ["b1a3", "b1c3", "g1f3", "g1h3"]


def test_counts_are_those_of_other_programs() -> None:
    start = fp.position("fide")
    assert [start.perft(depth) for depth in range(5)] == [1, 20, 400, 8902, 197281]
    divide = start.divide(3)
    assert sum(divide.values()) == 8902 and list(divide) == start.turns
    assert fp.position("convergent").perft(3) == 8226


def test_names_are_python_names() -> None:
    for name in fp.__all__:
        for part in dir(getattr(fp, name)):
            if not part.startswith("_"):
                assert part == part.lower() or part[0].isupper() or part.isupper(), (name, part)


def test_no_warning_is_issued_for_plain_input() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in fp.variants():
            assert fp.variant(name).start_fen
