"""The words of a drawing's statements: plain words, quoted words, ``key=value`` with JSON values."""

from __future__ import annotations

import json
import re
import string
from typing import TYPE_CHECKING, Any, NoReturn

from gridlos.errors import SceneError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "MARKS",
    "SCENE_KEYS",
    "SIZE_BY_SQUARES",
    "UNDRAWN",
    "is_key",
    "is_plain",
    "pairs",
    "quoted",
    "unquoted",
    "words_and_values",
]

MARKS = string.ascii_uppercase + string.digits
"""Letters that stand for creatures where the legend does not use them."""

UNDRAWN = "-"
"""The mark of a creature that is not drawn."""

SIZE_BY_SQUARES = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan", 6: "colossal"}
"""The size of a creature that is drawn as a square of so many squares and has no size in its line."""

SCENE_KEYS = ("name", "feet_per_square", "subdivisions", "light", "options", "extra")
"""The keys of a scene file that a ``scene`` statement takes."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_KEY = re.compile(r"([A-Za-z_][\w-]*)=")
_BLANK = re.compile(r"\s|$")
_WORD = re.compile(r"\S")


def _refuse(literal: str) -> NoReturn:
    raise ValueError(literal)


def _float(literal: str) -> int | float:
    number = float(literal)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_float)


def is_plain(word: str) -> bool:
    """Return whether a word can stand without quotes."""
    return bool(_PLAIN.fullmatch(word)) and word not in ("true", "false", "null")


def is_key(word: str) -> bool:
    """Return whether a word can stand before ``=``."""
    return bool(_KEY.fullmatch(f"{word}="))


def quoted(word: str) -> str:
    """Return a word as it stands in a statement."""
    return word if is_plain(word) else json.dumps(word, ensure_ascii=False)


def unquoted(word: str) -> str:
    """Return what a word in a statement says."""
    value, end = _json_at(word, 0) if word.startswith('"') else (word, len(word))
    return value if isinstance(value, str) and end == len(word) else word


def pairs(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield ``key=value`` for each value."""
    for key, value in values.items():
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        yield f"{key}={value if isinstance(value, str) and is_plain(value) else text}"


def words_and_values(text: str, number: int) -> tuple[list[str], dict[str, Any]]:
    """Return the words of a statement and its values by key.

    >>> words_and_values('archer "the old" at=[1, 2] cover=1/4 side=party', 1)
    (['archer', 'the old'], {'at': [1, 2], 'cover': '1/4', 'side': 'party'})
    """
    words: list[str] = []
    values: dict[str, Any] = {}
    position = 0
    while match := _WORD.search(text, position):
        position = match.start()
        key = _KEY.match(text, position)
        if key is None:
            word, position = _json_at(text, position) if text[position] == '"' else _plain_at(text, position)
            words.append(word)
        elif key[1] in values:
            raise SceneError(f"{key[1]} is given twice", f"line {number}")
        else:
            values[key[1]], position = _json_at(text, key.end())
    return words, values


def _json_at(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins there, and its end: JSON if a blank follows it, else all up to the next blank."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _plain_at(text, start)
    return (value, end) if _BLANK.match(text, end) else _plain_at(text, start)


def _plain_at(text: str, start: int) -> tuple[str, int]:
    blank = _BLANK.search(text, start)
    end = blank.start() if blank else len(text)
    return text[start:end], end
