"""Letters of other people's drawings: what each stands for, said by a word or as in a scene file.

A letter stands for a kind of square (``wall``, ``brush``, ``low wall`` … as in a scene file), for a door or portcullis
across its square (``door``, ``locked door``, ``open door``, ``secret door``, ``portcullis``), or for a creature on open
ground (``creature``, ``creature monsters`` with its side). In place of the word an object may stand: the keys of a
legend in a scene file, ``{"kind": "low wall", "top": 4}``, or ``{"creature": {"size": "small", "side": "monsters"}}``
with the keys of a creature and, beside it, the ground: ``"on": "brush"``.

A creature stands with the first square of its space on its letter; a big one may be drawn as a block of them. It is called
by its id or, without one, by its letter; where there are several, each has its number behind.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from gridlos.creature import Creature
from gridlos.errors import MapFileError, QuestionError, SceneError
from gridlos.formats.files import DEFAULT_LIMITS, Limits, read_bytes, text_from
from gridlos.formats.reading import in_file
from gridlos.formats.scene_json import json_from
from gridlos.formats.squares import OPEN, door_look, doors_of, square_letter
from gridlos.records import record_from
from gridlos.walls import KINDS, SquareKind, Wall
from gridlos.words import hint_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gridlos.formats.reading import Remarks

__all__ = ["Drawn", "LettersOptions", "Signs", "load_legend"]

_DOORS: Mapping[str, Mapping[str, Any]] = {
    "door": door_look("door"),
    "open door": door_look("door", "open"),
    "locked door": door_look("door", "locked"),
    "secret door": door_look("secret door"),
    "portcullis": door_look("portcullis"),
}


class LettersOptions(TypedDict, total=False):
    """How a drawing that is not gridlos's own is read.

    ``letters``: what letters stand for, in place of what they stand for by custom; ``feet_per_square``: 5 by default.
    """

    letters: Mapping[str, str | Mapping[str, Any]]
    feet_per_square: float


def load_legend(
    path: str | os.PathLike[str], *, limits: Limits = DEFAULT_LIMITS
) -> dict[str, str | Mapping[str, Any]]:
    """Return the letters in a file: a JSON object with letters as keys, words or objects as values.

    Raises
    ------
    MapFileError
        For what is no such object, with the letter of which it says nothing known.
    """
    file = os.fspath(path)
    data = json_from(text_from(read_bytes(path, limits=limits), file), file)
    if not isinstance(data, dict):
        raise MapFileError(file, 'expected an object, such as {"T": "brush", "g": "creature monsters"}', "$")
    try:
        Signs(data, file)
    except QuestionError as error:
        raise MapFileError(file, str(error)) from error
    return data


@dataclass(frozen=True, slots=True)
class _Sign:
    square: SquareKind
    door: Mapping[str, Any] | None = None
    creature: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Drawn:
    """What rows of letters say, in the form of a scene."""

    rows: list[str]
    legend: dict[str, SquareKind] = field(default_factory=dict)
    walls: list[Wall] = field(default_factory=list)
    creatures: list[Creature] = field(default_factory=list)


class Signs:
    """What letters stand for, checked.

    Parameters
    ----------
    letters
        Words or objects by letter; see the module.
    file
        What errors call the file.

    Raises
    ------
    QuestionError
        For what is no letter, no word and no object that says what it stands for.
    """

    def __init__(self, letters: Mapping[str, str | Mapping[str, Any]], file: str) -> None:
        self._file = file
        self._signs: dict[str, _Sign] = {}
        for letter, meaning in letters.items():
            if len(letter) != 1:
                raise QuestionError(f"letters: {letter!r} is not one letter")
            try:
                self._signs[letter] = _sign(meaning)
            except SceneError as error:
                raise QuestionError(f'letters["{letter}"]: {error}') from error

    def __contains__(self, letter: object) -> bool:
        return letter in self._signs

    def read(self, rows: Sequence[str], *, first_line: int, limits: Limits, remarks: Remarks) -> Drawn:
        """Return what rows of equal length say.

        Raises
        ------
        MapFileError
            For a letter that stands for nothing, a creature that cannot be, and more creatures or doors than allowed.
        """
        legend: dict[str, SquareKind] = {}
        letters = {letter: square_letter(sign.square, letter, legend) for letter, sign in self._signs.items()}
        for y, row in enumerate(rows):
            if not self._signs.keys() >= set(row):
                x, letter = next((x, one) for x, one in enumerate(row) if one not in self._signs)
                problem = f"{letter!r} stands for nothing known; say what it is (letters, --letter {letter}=wall)"
                raise MapFileError(self._file, problem, f"line {first_line + y}, column {x + 1}")
        n_doors = sum(row.count(letter) for letter, sign in self._signs.items() if sign.door is not None for row in rows)
        limits.check(self._file, walls=n_doors)
        drawn = Drawn([row.translate({ord(old): new for old, new in letters.items()}) for row in rows])
        self._add_doors(drawn, rows, legend, remarks)
        self._add_creatures(drawn, rows, limits)
        said = set().union(*drawn.rows)
        drawn.legend = {letter: kind for letter, kind in legend.items() if letter in said}
        return drawn

    def _add_doors(self, drawn: Drawn, rows: Sequence[str], legend: dict[str, SquareKind], remarks: Remarks) -> None:
        hung = {letter for letter, sign in self._signs.items() if sign.door is not None}
        doors = {
            (x, y): sign.door
            for y, row in enumerate(rows)
            if not hung.isdisjoint(row)
            for x, letter in enumerate(row)
            if (sign := self._signs[letter]).door is not None
        }
        if not doors:
            return
        stops = {letter: KINDS[sign.square.kind].stops for letter, sign in self._signs.items()}
        shut = np.array([[bool(stops[letter]) for letter in row] for row in rows], dtype=bool)
        drawn.walls, letters = doors_of(doors, shut, remarks)
        for (x, y), letter in letters.items():
            kind = None if letter == OPEN else SquareKind(kind=doors[x, y]["kind"])
            put = letter if kind is None else square_letter(kind, letter, legend)
            drawn.rows[y] = drawn.rows[y][:x] + put + drawn.rows[y][x + 1 :]

    def _add_creatures(self, drawn: Drawn, rows: Sequence[str], limits: Limits) -> None:
        found = list(islice(self._marked(rows), limits.creatures + 1))
        limits.check(self._file, creatures=len(found))
        marks = {letter for letter, _, _ in found}
        names = {letter: str(self._signs[letter].creature.get("id", letter)) for letter in marks}  # type: ignore[union-attr]
        counts = Counter(names[letter] for letter, _, _ in found)
        numbers: Counter[str] = Counter()
        for letter, x, y in found:
            name = names[letter]
            numbers[name] += 1
            own = f"{name} {numbers[name]}" if counts[name] > 1 else name
            record = {**(self._signs[letter].creature or {}), "id": own, "at": [x, y]}
            try:
                drawn.creatures.append(record_from(record, Creature))
            except SceneError as error:
                raise in_file(error, self._file) from error

    def _marked(self, rows: Sequence[str]) -> Iterator[tuple[str, int, int]]:
        """Yield letter and first square of each creature; the letters in the space of a big one are the same creature."""
        marks = {letter for letter, sign in self._signs.items() if sign.creature is not None}
        taken: set[tuple[int, int]] = set()
        for y, row in enumerate(rows):
            if marks.isdisjoint(row):
                continue
            for x, letter in enumerate(row):
                if letter not in marks or (x, y) in taken:
                    continue
                space = record_from({"id": "x", "at": [0, 0], **(self._signs[letter].creature or {})}, Creature).occupied
                for below in range(y, min(y + space[3], len(rows))):
                    taken.update((right, below) for right in range(x, min(x + space[2], len(row))) if rows[below][right] == letter)
                yield letter, x, y


def _sign(meaning: object) -> _Sign:
    """Return what a word or an object says; SceneError for one that says nothing."""
    if isinstance(meaning, str):
        word, _, side = meaning.partition(" ")
        if word == "creature":
            return _Sign(SquareKind(), creature={"side": side.strip()} if side.strip() else {})
        if meaning in _DOORS:
            return _Sign(SquareKind(), door=_DOORS[meaning])
        if meaning not in KINDS:
            raise SceneError(f"unknown word {meaning!r}; {hint_for(meaning, (*KINDS, *_DOORS, 'creature'))}")
        return _Sign(record_from({"kind": meaning}, SquareKind))
    if isinstance(meaning, Mapping) and "creature" in meaning:
        ground = _sign(meaning.get("on", "open"))
        unknown = meaning.keys() - {"creature", "on"}
        if unknown or not isinstance(meaning["creature"], Mapping) or ground.door or ground.creature is not None:
            raise SceneError('a creature is {"creature": {...}, "on": ...} with the keys of a creature, and its ground')
        record_from({"id": "x", "at": [0, 0], **meaning["creature"]}, Creature)
        return _Sign(ground.square, creature=meaning["creature"])
    if isinstance(meaning, Mapping):
        return _Sign(record_from(dict(meaning), SquareKind))
    raise SceneError('expected a word, such as "wall", or an object, such as {"kind": "low wall", "top": 4}')
