"""The module ``fairyproof.pyffish`` beside real pyffish: random games in each known variant."""

from __future__ import annotations

import os
import random
from typing import Any, Callable, Tuple

import pytest

from fairyproof import pyffish as own

real = pytest.importorskip("pyffish")

# Games for each variant; more on request.
GAMES = int(os.environ.get("FAIRYPROOF_PYFFISH_GAMES", "20"))
MAX_PLIES = 60

SHARED = sorted(set(own.variants()) & set(real.variants()))

# Known differences: variant, what differs, why. `None` is every variant.
DIFFERENCES: Tuple[Tuple[str, str, str], ...] = (
    ("berolina", "fens", "squares that were passed are shown only where a pawn can capture on them"),
)


def differs(variant: str, what: str) -> bool:
    return any(name == variant and what in kinds.split() for name, kinds, _ in DIFFERENCES)


def answer(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except own.PastError:
        return "past"


@pytest.mark.parametrize("variant", SHARED)
def test_games_are_the_same(variant: str) -> None:
    for number in range(GAMES):
        chooser = random.Random(f"{variant} {number}")
        fen = real.start_fen(variant)
        played: list[str] = []
        for _ in range(MAX_PLIES):
            theirs = sorted(real.legal_moves(variant, fen, played))
            where = f"{variant} {real.get_fen(variant, fen, played)}"
            ended, value = real.is_immediate_game_end(variant, fen, played)
            if not differs(variant, "ends"):
                assert own.is_immediate_game_end(variant, fen, played) == (ended, value), where
            if ended:
                break
            if not differs(variant, "turns"):
                assert sorted(own.legal_moves(variant, fen, played)) == theirs, where
            if not differs(variant, "fens"):
                assert own.get_fen(variant, fen, played) == real.get_fen(variant, fen, played)
            if not differs(variant, "checks"):
                assert own.gives_check(variant, fen, played) == real.gives_check(variant, fen, played), where
            if not theirs:
                if not differs(variant, "results"):
                    assert own.game_result(variant, fen, played) == real.game_result(variant, fen, played), where
                break
            move = chooser.choice(theirs)
            if not differs(variant, "captures"):
                assert own.is_capture(variant, fen, played, move) == real.is_capture(variant, fen, played, move), (
                    where,
                    move,
                )
            # A line from the last FEN is as good as one from the start, and shorter.
            fen, played = real.get_fen(variant, fen, [*played, move]), []


def test_signatures_and_values_are_those_of_pyffish() -> None:
    names = [name for name in dir(real) if not name.startswith("_")]
    assert [name for name in names if not hasattr(own, name)] == []
    for name in names:
        if isinstance(getattr(real, name), int):
            assert getattr(own, name) == getattr(real, name), name
    assert own.version() == real.version()


def test_start_positions_are_the_same() -> None:
    for variant in SHARED:
        assert own.start_fen(variant) == real.get_fen(variant, real.start_fen(variant), []), variant
        assert own.captures_to_hand(variant) == real.captures_to_hand(variant), variant
        assert own.two_boards(variant) == real.two_boards(variant), variant


def test_san_is_the_same_in_chess() -> None:
    chooser = random.Random(1)
    for notation in (own.NOTATION_SAN, own.NOTATION_LAN):
        for _ in range(10):
            fen = real.start_fen("chess")
            for _ in range(80):
                moves = real.legal_moves("chess", fen, [])
                if not moves:
                    break
                for move in moves:
                    theirs = real.get_san("chess", fen, move, False, notation)
                    assert own.get_san("chess", fen, move, False, notation) == theirs, (fen, move)
                fen = real.get_fen("chess", fen, [chooser.choice(moves)])


def test_material_is_the_same_in_chess() -> None:
    for units in ["KvK", "KNvK", "KBvK", "KBvKB", "KNNvK", "KNvKN", "KRvK", "KPvK", "KBvKN", "KBBvK"]:
        white, black = units.split("v")
        row = f"{white[1:]}{8 - len(white)}K"
        other = f"{black[1:].lower()}{8 - len(black)}k"
        fen = f"{other}/8/8/8/{row if 'P' in units else '8'}/8/8/{'7K' if 'P' in units else row} w - - 0 1"
        assert own.has_insufficient_material("chess", fen, []) == real.has_insufficient_material("chess", fen, []), units


def test_repetition_and_moves_without_progress() -> None:
    fen = real.start_fen("chess")
    line = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    for plies in range(len(line) + 1):
        theirs = real.is_optional_game_end("chess", fen, line[:plies])
        assert own.is_optional_game_end("chess", fen, line[:plies]) == theirs, plies
    for clock in (98, 99, 100, 120):
        fen = f"7k/8/8/8/8/8/8/K6R w - - {clock} 80"
        assert own.is_optional_game_end("chess", fen, []) == real.is_optional_game_end("chess", fen, []), clock


def test_what_the_past_decides_is_a_named_error() -> None:
    with pytest.raises(own.PastError, match="perpetual check"):
        own.is_optional_game_end("xiangqi", own.start_fen("xiangqi"), [])


def test_fens_are_judged() -> None:
    for fen in [real.start_fen("chess"), "", "8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1"]:
        assert (own.validate_fen(fen, "chess") == own.FEN_OK) == (
            real.validate_fen(fen, "chess") == real.FEN_OK
        ), fen


def test_fog_is_the_same() -> None:
    chooser = random.Random(2)
    for variant in ("chess", "crazyhouse", "makruk", "losalamos"):
        fen = real.start_fen(variant)
        for _ in range(40):
            moves = real.legal_moves(variant, fen, [])
            if not moves:
                break
            assert own.get_fog_fen(fen, variant) == real.get_fog_fen(fen, variant), fen
            fen = real.get_fen(variant, fen, [chooser.choice(moves)])


def test_loaded_variants_are_the_same() -> None:
    config = "[fairyproof-test-hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n"
    for module in (own, real):
        module.load_variant_config(config)
    assert "fairyproof-test-hill" in own.variants()
    fen = "k7/8/8/8/8/3K4/8/8 w - - 0 1"
    for line in ([], ["d3d4"], ["d3c3"]):
        assert own.is_immediate_game_end("fairyproof-test-hill", fen, line) == real.is_immediate_game_end(
            "fairyproof-test-hill", fen, line
        )


def test_wrong_input_is_an_error() -> None:
    fen = own.start_fen("chess")
    with pytest.raises(ValueError, match="Invalid move"):
        own.legal_moves("chess", fen, ["e2e5"])
    with pytest.raises(ValueError):
        own.legal_moves("nonsense", fen, [])
    with pytest.raises(own.UnsupportedError):
        own.legal_moves("chess", fen, [], True)
