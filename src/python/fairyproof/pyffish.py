"""The functions of pyffish 0.0.90, with its signatures and values, answered by fairyproof.

Variants are the compiled rule sets, the known variants and those of ``load_variant_config``. ``spartan`` is the
game that Fairy-Stockfish calls so. Two errors tell what these functions cannot answer: ``PastError``, where the
answer depends on positions before the FEN, and ``UnsupportedError``.

>>> from fairyproof import pyffish
>>> start = pyffish.start_fen("crazyhouse")
>>> len(pyffish.legal_moves("crazyhouse", start, ["e2e4"]))
20
>>> pyffish.get_san("chess", pyffish.start_fen("chess"), "g1f3")
'Nf3'
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Dict, List, Tuple

from . import __version__
from ._errors import Error, InputError
from ._fairyproof import (
    Position,
    _definition_keys,
    _get_fen,
    _gives_check,
    _is_capture,
    _legal_moves,
    _load_config,
    _position_after,
    _variant_names,
)

VALUE_DRAW = 0
VALUE_MATE = 32000

NOTATION_DEFAULT = 0
NOTATION_SAN = 1
NOTATION_LAN = 2
NOTATION_SHOGI_HOSKING = 3
NOTATION_SHOGI_HODGES = 4
NOTATION_SHOGI_HODGES_NUMBER = 5
NOTATION_JANGGI = 6
NOTATION_XIANGQI_WXF = 7
NOTATION_THAI_SAN = 8
NOTATION_THAI_LAN = 9

FEN_OK = 1
FEN_INVALID_PROMOTED_PIECE = -12

_FEN_INVALID: Dict[str, int] = {
    "field 1": -10,
    "field 2": -6,
    "field 3": -5,
    "field 4": -4,
    "field 5": -2,
    "field 6": -1,
}

error = InputError


class PastError(Error):
    """The answer depends on positions before the FEN, which these functions do not see."""


class UnsupportedError(Error):
    """pyffish has an answer, and this module does not."""


# What ends games by earlier positions, apart from the rule of n moves and of repetitions that draw.
_CHASE = "perpetual check and chase lose"
_CHECK = "perpetual check loses, and the fourth repetition ends the game"
_COUNT = "moves are counted once a side has no pawns"
_PAST: Dict[str, str] = {
    **dict.fromkeys(["xiangqi", "manchu", "supply", "minixiangqi"], _CHASE),
    **dict.fromkeys(["shogi", "minishogi", "judkins", "gorogoro", "euroshogi"], _CHECK),
    **dict.fromkeys(["makruk", "makpong", "cambodian", "karouk", "asean", "ai-wok"], _COUNT),
}


def version() -> Tuple[int, int, int]:
    """Returns the version of pyffish whose functions these are."""
    return (0, 0, 90)


def info() -> str:
    """Returns the name and version of this package."""
    return f"fairyproof {__version__}"


def variants() -> List[str]:
    """Returns the names of all variants, sorted."""
    return sorted(_variant_names())


def set_option(name: str, value: object) -> None:
    """Loads the file that ``VariantPath`` names. Other options have no effect on these functions."""
    if name == "VariantPath" and value:
        load_variant_config(Path(str(value)).read_text(encoding="utf-8"))


def load_variant_config(config: str) -> None:
    """Adds the variants of a text in the format of ``variants.ini``, without those whose names are taken: as in
    pyffish, the first variant of a name is kept."""
    known = set(_variant_names())
    lines, is_new = [], True
    for line in config.splitlines():
        if line.startswith("["):
            name = line[1:].split("]")[0].split(":")[0].strip()
            is_new = name not in known
            known.add(name)
        # Empty lines keep the numbers of lines in messages.
        lines.append(line if is_new else "")
    _load_config("\n".join(lines) + "\n")


def _refuse_chess960(chess960: bool) -> None:
    if chess960:
        raise UnsupportedError("castling from any squares (chess960) is not played")


def start_fen(variant: str) -> str:
    """Returns the FEN of the start position."""
    return _get_fen(variant, "startpos", [])


def captures_to_hand(variant: str) -> bool:
    """Returns whether captured pieces come into the hand of the capturer."""
    return _definition_keys(variant).get("capturesToHand") == "true"


def two_boards(variant: str) -> bool:
    """Returns whether a variant is played on two boards. Positions are those of one board."""
    return _definition_keys(variant).get("twoBoards") == "true"


def legal_moves(variant: str, fen: str, moves: List[str], chess960: bool = False) -> List[str]:
    """Returns the legal moves after moves."""
    if chess960:
        _refuse_chess960(chess960)
    return _legal_moves(variant, fen, moves)


def get_fen(
    variant: str,
    fen: str,
    moves: List[str],
    chess960: bool = False,
    sfen: bool = False,
    show_promoted: bool = False,
    count_started: int = 0,
) -> str:
    """Returns the FEN after moves."""
    if chess960 or sfen or show_promoted or count_started:
        _refuse_chess960(chess960)
        raise UnsupportedError("only plain FENs are printed: no SFEN, promoted pieces or counting")
    return _get_fen(variant, fen, moves)


def gives_check(variant: str, fen: str, moves: List[str], chess960: bool = False) -> bool:
    """Returns whether the side to move is in check after moves."""
    _refuse_chess960(chess960)
    return _gives_check(variant, fen, moves)


def is_capture(
    variant: str, fen: str, moves: List[str], move: str, chess960: bool = False
) -> bool:
    """Returns whether a move captures a piece."""
    _refuse_chess960(chess960)
    return _is_capture(_position_after(variant, fen, moves), move)


def piece_to_partner(
    variant: str, fen: str, moves: List[str], chess960: bool = False
) -> str:
    """Returns the piece that the last move captured for the partner: always an error, because there are no
    games on two boards."""
    raise UnsupportedError("games on two boards are not played")


def get_san(
    variant: str,
    fen: str,
    move: str,
    chess960: bool = False,
    notation: int = NOTATION_DEFAULT,
) -> str:
    """Returns a move in algebraic notation: ``NOTATION_SAN``, which is the default, or ``NOTATION_LAN``."""
    return get_san_moves(variant, fen, [move], chess960, notation)[0]


def get_san_moves(
    variant: str,
    fen: str,
    moves: List[str],
    chess960: bool = False,
    notation: int = NOTATION_DEFAULT,
) -> List[str]:
    """Returns the moves of a line in algebraic notation."""
    _refuse_chess960(chess960)
    if notation not in (NOTATION_DEFAULT, NOTATION_SAN, NOTATION_LAN):
        raise UnsupportedError("moves are printed in short and long algebraic notation alone")
    position = _position_after(variant, fen, [])
    texts = []
    for move in moves:
        text = _long(position, move) if notation == NOTATION_LAN else position.san(move)
        # A pawn is dropped with its letter.
        texts.append(move[0] + text if text.startswith("@") else text)
        position = position.play(move)
    return texts


def _long(position: Position, move: str) -> str:
    """Returns a move in long algebraic notation: ``Ng1-f3``, ``e4xd5``."""
    san = position.san(move)
    squares = re.match(r"([a-p]\d+)([a-p]\d+)", move)
    if squares is None or san == move or san.startswith(("O-O", "--")):
        return san
    origin, target = squares.groups()
    parts = re.fullmatch(rf"(\+?[A-Z]?)([a-p]?\d*)(x?){target}(.*)", san)
    if parts is None:
        return san
    letter, _, taken, tail = parts.groups()
    return f"{letter}{origin}{taken or '-'}{target}{tail}"


def _result(position: Position) -> int:
    """Returns the value of a game that has ended, for the side to move."""
    outcome = position.outcome
    if outcome.winner is None:
        return VALUE_DRAW
    return VALUE_MATE if outcome.winner == position.side else -VALUE_MATE


# Ends of the game for want of a turn, whoever wins by them.
_NO_TURN = ("checkmate", "checkmated", "stalemate", "stalemated", "no-turn")


def is_immediate_game_end(
    variant: str, fen: str, moves: List[str], chess960: bool = False
) -> Tuple[bool, int]:
    """Returns whether a rule of the variant has ended the game, and its value for the side to move. Checkmate
    and stalemate are no such rules."""
    _refuse_chess960(chess960)
    position = _position_after(variant, fen, moves)
    outcome = position.outcome
    if not outcome.is_over or outcome.reason in _NO_TURN:
        return (False, VALUE_DRAW)
    return (True, _result(position))


def is_optional_game_end(
    variant: str,
    fen: str,
    moves: List[str],
    chess960: bool = False,
    count_started: int = 0,
) -> Tuple[bool, int]:
    """Returns whether a player can end the game: by moves without progress, or by repetitions among the moves.
    Where earlier positions decide in other ways, ``PastError`` is raised."""
    _refuse_chess960(chess960)
    if variant in _PAST:
        raise PastError(f"{variant}: {_PAST[variant]}")
    keys = _definition_keys(variant)
    last = _position_after(variant, fen, moves)
    n_moves = int(keys.get("nMoveRule", "50"))
    # The number of checks may come before the clock, and a state after the move number.
    clock = next(int(field) for field in last.fen.split()[4:] if field.isdigit())
    if n_moves and clock >= 2 * n_moves and (not last.check or last.turn_count):
        return (True, VALUE_DRAW)
    n_fold = int(keys.get("nFoldRule", "3"))
    if n_fold:
        same = 1
        for played in range(len(moves) - 2, -1, -2):
            if _position_after(variant, fen, moves[:played]) == last:
                same += 1
        if same >= n_fold:
            return (True, VALUE_DRAW)
    return (False, VALUE_DRAW)


def game_result(variant: str, fen: str, moves: List[str], chess960: bool = False) -> int:
    """Returns the value of a game without a legal move, for the side to move."""
    _refuse_chess960(chess960)
    position = _position_after(variant, fen, moves)
    if not position.outcome.is_over:
        raise InputError("position", "the game has not ended")
    return _result(position)


# The orthodox pieces, of which the units that can mate alone, and the bishop.
_MATING = frozenset("QRP")


def has_insufficient_material(
    variant: str, fen: str, moves: List[str], chess960: bool = False
) -> Tuple[bool, bool]:
    """Returns for White and for Black whether this side can never mate with its units. For games with the pieces
    and the aim of orthodox chess; ``UnsupportedError`` otherwise."""
    _refuse_chess960(chess960)
    keys = _definition_keys(variant)
    kinds = set(_position_after(variant, fen, []).variant.kinds)
    if variant not in ("chess", "fide", "nocastle") or not kinds <= set("PNBRQK") or not keys and variant != "fide":
        raise UnsupportedError(f"{variant}: which units can mate is known for orthodox chess alone")
    units = _position_after(variant, fen, moves).units
    sides: Dict[bool, List[str]] = {True: [], False: []}
    bishops = set()
    for square, letter in units.items():
        if letter.upper() != "K":
            sides[letter.isupper()].append(letter.upper())
        if letter.upper() == "B":
            bishops.add((ord(square[0]) + int(square[1:])) % 2)
    everything = sides[True] + sides[False]

    def insufficient(own: List[str]) -> bool:
        if _MATING & set(own):
            return False
        unbound = [letter for letter in everything if letter != "B"]
        if "B" in own and (len(bishops) > 1 or unbound):
            return False
        return not ("N" in own and len(everything) >= 2)

    return (insufficient(sides[True]), insufficient(sides[False]))


def validate_fen(fen: str, variant: str, chess960: bool = False) -> int:
    """Returns ``FEN_OK`` for the FEN of a position of a variant, otherwise a number that is not positive."""
    _refuse_chess960(chess960)
    if not fen.strip():
        return 0
    try:
        _position_after(variant, fen, [])
    except InputError as wrong:
        if wrong.what != "FEN":
            raise
        place = wrong.place or ""
        return next((code for field, code in _FEN_INVALID.items() if place.startswith(field)), -11)
    return FEN_OK


def get_fog_fen(fen: str, variant: str, chess960: bool = False) -> str:
    """Returns a FEN in which ``*`` covers the squares that the side to move neither stands on nor can move to."""
    _refuse_chess960(chess960)
    position = _position_after(variant, fen, [])
    board, *rest = position.fen.split(" ")
    rows = board.split("[")[0].split("/")
    hand = board[len("/".join(rows)) :]
    seen = {square for square, letter in position.units.items() if letter.isupper() == (position.side == "white")}
    for move in position.turns:
        squares = move.split("@")[-1]
        target = squares[2 if not squares[2:3].isdigit() else 3 :] if "@" not in move else squares
        digits = "".join(c for c in target[1:3] if c.isdigit())
        seen.add(target[0] + digits)
    units = position.units
    covered = []
    for rank in range(len(rows), 0, -1):
        text, empty = "", 0
        for file in range(_width(rows[len(rows) - rank])):
            square = f"{chr(ord('a') + file)}{rank}"
            if square in seen and square not in units:
                empty += 1
                continue
            text += str(empty) if empty else ""
            empty = 0
            text += units[square] if square in seen else "*"
        covered.append(text + (str(empty) if empty else ""))
    return " ".join(["/".join(covered) + hand, *rest])


def _width(row: str) -> int:
    """Returns the number of files of a row of a FEN."""
    files, digits = 0, ""
    for sign in row:
        if sign.isdigit():
            digits += sign
            continue
        files += int(digits or "0")
        digits = ""
        files += sign.isalpha() or sign == "*"
    return files + int(digits or "0")
