"""The module ``fairyproof.pyffish`` beside real pyffish: random games in each known variant."""

from __future__ import annotations

import os
import random
from typing import Iterator, List, Tuple

import pytest

from fairyproof import pyffish as own

real = pytest.importorskip("pyffish")

# Games for each variant; more on request.
GAMES = int(os.environ.get("FAIRYPROOF_PYFFISH_GAMES", "20"))
MAX_PLIES = 60

SHARED = sorted(set(own.variants()) & set(real.variants()))

# Known differences of FENs: the variants, what is not compared, why.
DIFFERENCES: Tuple[Tuple[str, str, str], ...] = (
    (
        "berolina legan pawnsideways spartan wolf",
        "clock",
        "steps of orthodox pawns alone set the clock to 0, which has no effect on these rules",
    ),
    (
        "berolina pawnback pawnsideways wolf",
        "passed",
        "squares that were passed are shown only where a pawn can capture on them",
    ),
    ("wolf", "elephants", "without hands, it does not matter what a promoted unit was"),
    ("bughouse koedem", "promoted", "captured units come into no hand of this board"),
    (
        "euroshogi gorogoro judkins mini minishogi shogi",
        "state",
        "whether the last turn dropped a pawn decides about a mate",
    ),
    ("shatar", "state", "the units that checked without a break decide about a mate"),
    (
        "ai-wok asean cambodian karouk makpong makruk sittuyin",
        "counting",
        "moves are not counted once a side has no pawns",
    ),
)


def compared(variant: str, fen: str) -> str:
    """The part of a FEN that is the same in both modules."""
    fields = fen.split(" ")
    for variants, what, _ in DIFFERENCES:
        if variant in variants.split():
            if what == "clock":
                fields[-2] = "?"
            elif what == "passed":
                fields[3] = "?"
            elif what == "state":
                fields = [field for field in fields if not field.startswith(("dropped=", "shak="))]
            elif what == "elephants":
                fields[0] = fields[0].replace("+p", "e").replace("+P", "E")
            elif what == "promoted":
                fields[0] = fields[0].replace("~", "")
            elif what == "counting":
                fields[3:-1] = "?"
    return " ".join(fields)


def differences(variant: str, start: str, played: List[str]) -> Iterator[str]:
    """What the two modules answer differently after a line of moves, which real pyffish plays, too."""
    for what, name in [
        ("ends", "is_immediate_game_end"),
        ("fens", "get_fen"),
        ("checks", "gives_check"),
        ("turns", "legal_moves"),
    ]:
        mine, theirs = (getattr(module, name)(variant, start, played) for module in (own, real))
        if name == "is_immediate_game_end" and not theirs[0]:
            # Then the value of pyffish is not initialized.
            theirs = (False, own.VALUE_DRAW)
        if name == "get_fen":
            mine, theirs = compared(variant, mine), compared(variant, theirs)
        if name == "legal_moves":
            mine, theirs = sorted(mine), sorted(theirs)
            for move in theirs[:: max(1, len(theirs) // 2)]:
                if own.is_capture(variant, start, played, move) != real.is_capture(variant, start, played, move):
                    yield f"captures: {move}"
            if not theirs and own.game_result(variant, start, played) != real.game_result(variant, start, played):
                yield "results"
        if mine != theirs:
            yield f"{what}: {mine} instead of {theirs}"
        elif name == "is_immediate_game_end" and mine[0]:
            return


@pytest.mark.parametrize("variant", SHARED)
def test_games_are_the_same(variant: str) -> None:
    # A call of pyffish takes 400 times as long as one of ours, so that two positions of each game are compared:
    # any one, and the last. Real pyffish plays all moves up to there.
    start = real.start_fen(variant)
    for number in range(GAMES):
        chooser = random.Random(f"{variant} {number}")
        played: List[str] = []
        last = MAX_PLIES if number % 4 else 4 * MAX_PLIES
        while len(played) < last and not own.is_immediate_game_end(variant, start, played)[0]:
            moves = own.legal_moves(variant, start, played)
            if not moves:
                break
            played.append(chooser.choice(sorted(moves)))
        for plies in (chooser.randint(0, len(played)), len(played)):
            assert list(differences(variant, start, played[:plies])) == [], (variant, real.get_fen(variant, start, played[:plies]), played[:plies])


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
        for _ in range(2):
            fen = real.start_fen("chess")
            for _ in range(80):
                moves = real.legal_moves("chess", fen, [])
                if not moves:
                    break
                for move in moves[::3]:
                    theirs = real.get_san("chess", fen, move, False, notation)
                    assert own.get_san("chess", fen, move, False, notation) == theirs, (fen, move)
                fen = real.get_fen("chess", fen, [chooser.choice(moves)])


def test_material_is_the_same_in_chess() -> None:
    for units in ["KvK", "KNvK", "KBvK", "KBvKB", "KNNvK", "KNvKN", "KRvK", "KPvK", "KBvKN", "KBBvK"]:
        white, black = units.split("v")
        row = f"{white[1:]}{8 - len(white)}K"
        other = f"{black[1:].lower()}{8 - len(black)}k"
        fen = f"8/8/{other}/8/8/8/{row}/8 w - - 0 1"
        assert own.has_insufficient_material("chess", fen, []) == real.has_insufficient_material("chess", fen, []), units


def test_repetition_and_moves_without_progress() -> None:
    fen = real.start_fen("chess")
    line = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    for plies in range(len(line) + 1):
        theirs = real.is_optional_game_end("chess", fen, line[:plies])
        # Without an end, the value of pyffish is not initialized.
        assert own.is_optional_game_end("chess", fen, line[:plies])[: 1 + theirs[0]] == theirs[: 1 + theirs[0]], plies
    for clock in (98, 99, 100, 120):
        fen = f"6k1/8/8/8/8/8/8/K6R w - - {clock} 80"
        theirs = real.is_optional_game_end("chess", fen, [])
        assert own.is_optional_game_end("chess", fen, [])[: 1 + theirs[0]] == theirs[: 1 + theirs[0]], clock


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
