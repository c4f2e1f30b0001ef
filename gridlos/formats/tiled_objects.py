"""Objects of Tiled as walls: their outlines in pixels, and the lattice that holds them exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gridlos.errors import MapFileError
from gridlos.formats.tiled_file import number_in
from gridlos.lattice import LATTICE_LIMIT, MAX_SUBDIVISIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Point", "exact", "lattice_for", "outline_of"]

Point = tuple[Fraction, Fraction]
_N_SIDES = 24  # of an ellipse: chords stay within 0.9 % of its half axis
_TURNS = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def exact(number: float) -> Fraction:
    """Return the shortest decimal number that reads as this one, as it stands in the file.

    >>> exact(46.3333)
    Fraction(463333, 10000)
    """
    return Fraction(repr(number))


def outline_of(node: Mapping[str, Any], file: str, place: str) -> list[tuple[Point, Point]] | None:
    """Return the outline of an object as its straight pieces that have a length, in pixels; None for a point or a text.

    A rectangle or polygon is closed. A tile stands on its position, anything else hangs from it. What is turned is
    turned about its position, clockwise. An ellipse, or a capsule, has 24 sides.
    """
    x, y, width, height, degrees = (
        exact(number_in(node, key, 0, file, place)) for key in ("x", "y", "width", "height", "rotation")
    )
    if node.get("point") or "text" in node:
        return None
    points = _shape(node, width, height, file, place)
    if len(points) < 2:
        return None
    turn = degrees % 360
    if turn in _TURNS:
        cosine, sine = map(Fraction, _TURNS[int(turn)])
    else:
        cosine, sine = Fraction(math.cos(math.radians(turn))), Fraction(math.sin(math.radians(turn)))
    turned = [(x + cosine * px - sine * py, y + sine * px + cosine * py) for px, py in points]
    return [(start, end) for start, end in pairwise(turned) if start != end]


def _shape(
    node: Mapping[str, Any], width: Fraction, height: Fraction, file: str, place: str
) -> list[Point]:
    """Return the points of an object about its position, before it is turned."""
    for key in ("polygon", "polyline"):
        if key in node:
            points = _listed_points(node[key], file, f"{place}, {key}")
            return points + points[:1] if key == "polygon" else points
    if width < 0 or height < 0:
        raise MapFileError(file, f"an object of {float(width)} by {float(height)} pixels; sizes are not negative", place)
    if width == height == 0:
        return []
    if node.get("ellipse"):
        return _round(width, height, Fraction(0), Fraction(0))
    if node.get("capsule"):
        return _capsule(width, height)
    top = -height if "gid" in node else Fraction(0)
    corners = [(Fraction(0), top), (width, top), (width, top + height), (Fraction(0), top + height)]
    return [*corners, corners[0]]


def _listed_points(points: object, file: str, place: str) -> list[Point]:
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise MapFileError(file, "expected a list of points with x and y", place)
    return [
        (exact(number_in(point, "x", None, file, place)), exact(number_in(point, "y", None, file, place)))
        for point in points
    ]


def _round(width: Fraction, height: Fraction, gap_x: Fraction, gap_y: Fraction) -> list[Point]:
    """Return a round outline; its quarters lie ``gap_x`` and ``gap_y`` apart."""
    half_x, half_y = width / 2, height / 2
    found = []
    for quarter in range(4):
        to_x, to_y = (1, 1, -1, -1)[quarter], (-1, 1, 1, -1)[quarter]
        for step in range(_N_SIDES // 4 + 1):
            angle = math.pi / 2 * (quarter - 1 + step * 4 / _N_SIDES)
            cosine, sine = (Fraction(round(part(angle), 9)) for part in (math.cos, math.sin))
            found.append((half_x + cosine * half_x + to_x * gap_x / 2, half_y + sine * half_y + to_y * gap_y / 2))
    found.append(found[0])
    return found


def _capsule(width: Fraction, height: Fraction) -> list[Point]:
    """Return a rectangle whose shorter sides are half circles."""
    thin = min(width, height)
    gap_x, gap_y = width - thin, height - thin
    return [(x + gap_x / 2, y + gap_y / 2) for x, y in _round(thin, thin, gap_x, gap_y)]


def lattice_for(points: Iterable[Point], tile_size: tuple[int, int], longest: int) -> int:
    """Return how many lattice units a square has, so that pixels, and these points if possible, lie on them exactly.

    If not all of them can, then whole pixels and the plainest fractions do, and the lattice is as fine as any may be.

    Parameters
    ----------
    points
        In pixels.
    tile_size
        Pixels of a square.
    longest
        The longer side of the map, in squares.

    Examples
    --------
    >>> lattice_for([(Fraction(8), Fraction(1, 2))], (16, 16), 50)
    32
    >>> lattice_for([(exact(46.3333), exact(0.5))], (32, 32), 50)
    4992
    """
    width, height = tile_size
    most = min(MAX_SUBDIVISIONS, max(1, (LATTICE_LIMIT - 1) // (longest + 1)))
    units = min(math.lcm(width, height), most)
    denominators = {(place / size).denominator for point in points for place, size in zip(point, tile_size, strict=True)}
    is_left = False
    for one in sorted(denominators):
        if math.lcm(units, one) <= most:
            units = math.lcm(units, one)
        else:
            is_left = True
    return units * (most // units) if is_left else units
