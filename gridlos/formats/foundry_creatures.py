"""Tokens of Foundry VTT as creatures: where they stand on the grid, how large they are, on whose side."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gridlos.creature import SQUARES_BY_SIZE, CarriedLight, Creature
from gridlos.formats.foundry_file import plain_name
from gridlos.formats.reading import is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gridlos.creature import SizeWord
    from gridlos.formats.reading import Remarks

__all__ = ["SIDE_BY_DISPOSITION", "Squares", "creatures_from", "radii"]

SIDE_BY_DISPOSITION: Mapping[int, str] = MappingProxyType({1: "party", 0: "neutral", -1: "monsters", -2: "neutral"})
"""The side of a token by its disposition: friendly, neutral, hostile, secret."""

_NOISE = 1e-6  # squares
_HIGHEST = 1_000_000  # feet
_SIZES: tuple[tuple[float, SizeWord], ...] = (
    (0.125, "fine"), (0.3, "diminutive"), (1, "tiny"), (2, "medium"), (3, "large"), (4, "huge"), (6, "gargantuan"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Squares:
    """The squares of a scene in the pixels of its canvas.

    Attributes
    ----------
    x, y
        The first pixel of the square (0, 0).
    size
        Pixels in a square.
    cols, rows
        Squares.
    feet_per_unit
        Feet in a unit of distance.
    """

    x: float
    y: float
    size: int
    cols: int
    rows: int
    feet_per_unit: float

    def point(self, x: object, y: object) -> tuple[float, float] | None:
        """Return a point of the canvas in squares, None for what is no point of two finite numbers."""
        if not (is_number(x) and is_number(y)):
            return None
        return (x - self.x) / self.size, (y - self.y) / self.size


@dataclass(frozen=True, slots=True)
class _Span:
    """The squares that a token takes along one axis, and whether it stands as the grid has it."""

    first: int
    length: int
    is_on_grid: bool
    is_on_border: bool = False


def creatures_from(
    tokens: Sequence[object], squares: Squares, places: Iterable[str], remarks: Remarks
) -> Iterator[Creature]:
    """Return the creatures that tokens stand for, those outside of the scene left out.

    A token smaller than a square stands in the square of its centre, in the squares on both sides where the centre is on
    a border. Of any other one each side goes to the nearest grid line, outward where two are equally near. What was
    moved, cut or left out is told.
    """
    found: list[tuple[str, dict[str, Any]]] = []
    for token, place in zip(tokens, places, strict=True):
        held = token if isinstance(token, dict) else {}
        at = squares.point(held.get("x"), held.get("y"))
        if at is None:
            remarks.add("tokens without a place of two finite numbers, left out", place)
            continue
        size = _size(held, place, remarks)
        spans = _on_map(_span(at[0], size[0]), _span(at[1], size[1]), squares, place, remarks)
        if spans is not None:
            found.append((_name(held, place), _creature(held, size, spans, squares, place, remarks)))
    for creature_id, (name, keys) in zip(_ids([name for name, _ in found]), found, strict=True):
        yield Creature(id=creature_id, name=name if name != creature_id else "", **keys)


def _name(token: Mapping[str, Any], place: str) -> str:
    return plain_name(token.get("name")) or plain_name(token.get("_id")) or place


def _ids(names: Sequence[str]) -> Iterator[str]:
    """Return the names, those that several bear with numbers.

    >>> list(_ids(["Goblin", "Ogre", "Goblin", "Goblin 1"]))
    ['Goblin 2', 'Ogre', 'Goblin 3', 'Goblin 1']
    """
    counts = Counter(names)
    numbers: Counter[str] = Counter()
    for name in names:
        if counts[name] == 1:
            yield name
            continue
        numbers[name] += 1
        while f"{name} {numbers[name]}" in counts:
            numbers[name] += 1
        yield f"{name} {numbers[name]}"


def _size(token: Mapping[str, Any], place: str, remarks: Remarks) -> tuple[float, float]:
    """Return width and height in squares; what is no size is taken as one square."""
    sizes = [token.get(key, 1) for key in ("width", "height")]
    if not all(is_number(size) and size > 0 for size in sizes):
        remarks.add("tokens without a size, taken as one square", place)
    width, height = (float(size) if is_number(size) and size > 0 else 1.0 for size in sizes)
    return width, height


def _span(start: float, length: float) -> _Span:
    """Return the squares along one axis.

    >>> [(_span(*one).first, _span(*one).length) for one in ((3, 1), (3.4, 1), (3.5, 1), (3.2, 2), (3.25, 0.5), (2.75, 0.5))]
    [(3, 1), (3, 1), (3, 2), (3, 2), (3, 1), (2, 2)]
    """
    if length < 1 - _NOISE:
        middle = start + length / 2
        if abs(middle - round(middle)) < _NOISE:
            return _Span(round(middle) - 1, 2, is_on_grid=True, is_on_border=True)
        return _Span(math.floor(middle), 1, is_on_grid=True)
    first, last = math.ceil(start - 0.5 - _NOISE), math.floor(start + length + 0.5 + _NOISE)
    return _Span(first, last - first, abs(start - first) + abs(start + length - last) < _NOISE)


def _on_map(
    across: _Span, down: _Span, squares: Squares, place: str, remarks: Remarks
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the first square and the length along both axes, cut to the map; None: outside of it."""
    spans = []
    for span, most in ((across, squares.cols), (down, squares.rows)):
        first, last = max(span.first, 0), min(span.first + span.length, most)
        if last <= first:
            remarks.add("tokens outside of the scene, left out", place)
            return None
        spans.append((first, last - first))
    if across.is_on_border or down.is_on_border:
        remarks.add("tokens smaller than a square with their centre on a border, put on both sides of it", place)
    if not (across.is_on_grid and down.is_on_grid):
        remarks.add("tokens off the grid, each side put onto the nearest grid line", place)
    if spans != [(across.first, across.length), (down.first, down.length)]:
        remarks.add("tokens that reach beyond the scene, cut to it", place)
    return spans[0], spans[1]


def _creature(
    token: Mapping[str, Any],
    size: tuple[float, float],
    spans: tuple[tuple[int, int], tuple[int, int]],
    squares: Squares,
    place: str,
    remarks: Remarks,
) -> dict[str, Any]:
    """Return the keywords of a creature, but for its names."""
    (x, width), (y, height) = spans
    word = next((word for limit, word in _SIZES if max(size) < limit - _NOISE), "colossal")
    keys: dict[str, Any] = {"at": (x, y), "size": word}
    if (width, height) != (SQUARES_BY_SIZE[word], SQUARES_BY_SIZE[word]):
        keys["space"] = (width, height)
    disposition = token.get("disposition", -1)
    if is_number(disposition) and disposition in SIDE_BY_DISPOSITION:
        keys["side"] = SIDE_BY_DISPOSITION[int(disposition)]
    else:
        remarks.add("tokens with an unknown disposition, taken as neutral", place)
    elevation = token.get("elevation")
    if is_number(elevation) and abs(elevation * squares.feet_per_unit) <= _HIGHEST:
        if elevation:
            keys["elevation"] = elevation * squares.feet_per_unit
    elif elevation is not None:
        remarks.add("tokens with an elevation that is no number of feet, taken as on the floor", place)
    keys["hidden"] = token.get("hidden") is True
    keys["light"] = _carried(token, squares)
    return keys


def _carried(token: Mapping[str, Any], squares: Squares) -> CarriedLight | None:
    """Return the light that a token gives off."""
    light = token.get("light")
    if isinstance(light, dict):
        bright, dim = radii(light.get("bright"), light.get("dim"), squares)
        if light.get("negative") is True:
            return None
    else:
        bright, dim = radii(token.get("brightLight"), token.get("dimLight"), squares)
    return CarriedLight(bright=bright, dim=dim) if dim > 0 else None


def radii(bright: object, dim: object, squares: Squares) -> tuple[float, float]:
    """Return the radii of a light in feet, the dim one the larger; a negative one, which darkens, counts as none.

    >>> radii(10, 30, Squares(0, 0, 100, 5, 5, 1)), radii(140, 0, Squares(0, 0, 100, 5, 5, 1))
    ((10, 30), (140, 140))
    """
    near, far = (
        max(round(radius * squares.feet_per_unit, 6), 0) if is_number(radius) else 0 for radius in (bright, dim)
    )
    return near, max(near, far)
