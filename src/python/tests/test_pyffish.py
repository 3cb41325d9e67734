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


# Variants whose moves real pyffish writes in other ways, and why.
OTHER_SAN: Tuple[Tuple[str, str], ...] = (
    ("manchu supply xiangqi", "horse and elephant have the letters H and E"),
    ("berolina legan pawnback pawnsideways", "pawns with steps of their own have the letter P"),
    ("euroshogi judkins micro mini", "promotions have the letter of the new unit; here they are in coordinates"),
    ("atomic", "some checks by units that would explode with the king's neighbors have no sign"),
)


@pytest.mark.parametrize("variant", SHARED)
def test_san_is_the_same(variant: str) -> None:
    for variants, why in OTHER_SAN:
        if variant in variants.split():
            pytest.skip(why)
    chooser = random.Random(variant)
    for _ in range(2 if variant == "chess" else 1):
        fen = real.start_fen(variant)
        for _ in range(80 if variant == "chess" else 12):
            moves = real.legal_moves(variant, fen, [])
            if not moves:
                break
            for move in chooser.sample(moves, min(3, len(moves))):
                for notation in (own.NOTATION_SAN, own.NOTATION_LAN):
                    theirs = real.get_san(variant, fen, move, False, notation)
                    assert own.get_san(variant, fen, move, False, notation) == theirs, (fen, move)
            fen = real.get_fen(variant, fen, [chooser.choice(moves)])


def test_promotions_gating_and_last_checks_are_written_as_in_pyffish() -> None:
    third_check = "1n1qk2r/1r2p1bp/p1ppbQ2/1p2P3/P1PP2pR/RN1B2P1/1P3PP1/4K3 w - - 1+2 1 23"
    for variant, fen, move, san, lan in [
        ("3check", third_check, "d3g6", "Bg6#", "Bd3-g6#"),
        ("capablanca", "4k5/10/10/10/10/10/5p4/4RK4 b - - 0 1", "f2e1c", "fxe1=C+", "f2xe1=C+"),
        ("makruk", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", "e5e6m", "e6=M", "e5-e6=M"),
        ("seirawan", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1", "b1a3h", "Na3/H", "Nb1-a3/H"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "P@e4", "P@e4", "P@e4"),
    ]:
        for notation, text in [(own.NOTATION_SAN, san), (own.NOTATION_LAN, lan)]:
            for module in (own, real):
                assert module.get_san(variant, fen, move, False, notation) == text, (module, move)


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


def test_the_clock_is_read_before_a_state() -> None:
    fen = "r1br4/2J3p1/p3k2p/3p2p1/1j2P2P/PP3P1K/8/RN3BR1 w - - {} 150"
    for clock in (3, 120):
        theirs = real.is_optional_game_end("shatar", fen.format(clock), [])
        mine = own.is_optional_game_end("shatar", fen.format(clock) + " shak=w", [])
        assert mine[0] == theirs[0], clock


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
        theirs = real.is_immediate_game_end("fairyproof-test-hill", fen, line)
        # Without an end, the value of pyffish is not initialized.
        assert own.is_immediate_game_end("fairyproof-test-hill", fen, line)[: 1 + theirs[0]] == theirs[: 1 + theirs[0]]


def test_the_first_variant_of_a_name_is_kept() -> None:
    region = "[{}:chess]\nflagPiece = k\nflagRegion = {}\n"
    name = "fairyproof-test-first"
    config = region.format("kingofthehill", "a1") + region.format(name, "d4") + region.format(name, "a1")
    for module in (own, real):
        module.load_variant_config(config)
        module.load_variant_config(region.format(name, "b2"))
    for variant in (name, "kingofthehill"):
        for king in ("8/8/8/8/3K4/8/8/7k", "7k/8/8/8/8/8/8/K7", "7k/8/8/8/8/8/1K6/8"):
            fen = f"{king} b - - 0 1"
            ended = own.is_immediate_game_end(variant, fen, [])[0]
            assert ended == real.is_immediate_game_end(variant, fen, [])[0] == king.startswith("8/8/8/8/3K4"), fen


def test_wrong_input_is_an_error() -> None:
    fen = own.start_fen("chess")
    with pytest.raises(ValueError, match="Invalid move"):
        own.legal_moves("chess", fen, ["e2e5"])
    with pytest.raises(ValueError):
        own.legal_moves("nonsense", fen, [])
    with pytest.raises(own.UnsupportedError):
        own.legal_moves("chess", fen, [], True)
