"""Free segments between two convex pieces of the plane among walls that stop only at some fractions of the way.

A straight line ``y = m x + b`` is a point ``(m, b)`` of the dual plane, and a point of the plane a straight line there: the
lines that pass above it and those that pass below. The ends of all walls and the corners of both pieces part the
dual plane into convex *faces*; all lines of a face cross the same walls from the same sides and leave and enter the pieces
through the same edges. On one line, a segment is a pair of places ``u < v``, and that it is before or behind the fractions
at which a wall stops is a linear condition on them, so one line is decided by cutting a rectangle.

Within a face the answer can differ from line to line; :mod:`gridlos.kernels.events` says where.
The second piece lies to the right of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from gridlos.kernels.convex import Corner, clipped, without_factor

__all__ = [
    "LEFT",
    "RIGHT",
    "Barrier",
    "Edge",
    "Face",
    "Line",
    "Point",
    "Segment",
    "faces_between",
    "height",
    "line_of",
    "on_line",
    "place_of",
    "slope_of",
    "stops_across",
]

Line = Corner
Point = tuple[Fraction, Fraction]
Segment = tuple[Point, Point]
Edge = tuple[Line, Corner, Corner]
"""A side of a piece: its line and its ends."""
_Ways = tuple[Line, Line, Line | None]
"""Two lines in the plane of pairs ``(u, v)``, positive where a wall does not stop, and the wall's own line if it is limited."""

LEFT, RIGHT = 1, 2


@dataclass(frozen=True, slots=True)
class Barrier:
    """A wall that stops at the fractions from ``low`` to ``high``, which lie between 0 and 1.

    Attributes
    ----------
    wall
        ``x0, y0, x1, y1``.
    line
        The line on which it lies, see :func:`line_of`.
    side
        0, or the side (``LEFT`` or ``RIGHT`` of the wall's direction, y down) from which alone it stops.
    is_limited
        May one such line be crossed?
    """

    wall: tuple[int, int, int, int]
    line: Line
    side: int
    low: Fraction
    high: Fraction
    is_limited: bool

    @property
    def is_hard(self) -> bool:
        """Does the wall stop at every fraction?"""
        return self.low == 0 and self.high == 1 and not self.is_limited


@dataclass(frozen=True, slots=True)
class Face:
    """A face of the dual plane: its corners, one line inside, and the edges through which its lines leave and enter the pieces.

    ``edges`` are those at which a line enters and leaves the first piece, then the second.
    """

    corners: list[Corner]
    sample: tuple[int, int, int]
    edges: tuple[Edge, ...] = ()


def line_of(x0: int, y0: int, x1: int, y1: int) -> Line:
    """Return the line through two points as ``a x + b y + c = 0``, the same for whichever two of its points."""
    a, b, c = without_factor((y0 - y1, x1 - x0, x0 * y1 - y0 * x1))
    return (a, b, c) if (a, b) > (0, 0) else (-a, -b, -c)


def _crossed(a: Corner, b: Corner) -> Corner:
    """Return the line through two points, or the point of two lines (0, 0, 0 if they are parallel)."""
    x, y, w = without_factor((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))
    return (x, y, w) if w >= 0 else (-x, -y, -w)


def height(point: Corner, line: tuple[int, int, int]) -> int:
    """Return a positive multiple of the difference in y from the point to the line ``m, b, w``."""
    return point[0] * line[0] + point[2] * line[1] - point[1] * line[2]


def place_of(line: Line, m: Fraction, b: Fraction) -> Fraction:
    """Return the x at which ``y = m x + b`` crosses the line."""
    over = -(line[2] * b.denominator + line[1] * b.numerator) * m.denominator
    return Fraction(over, (line[0] * m.denominator + line[1] * m.numerator) * b.denominator)


def _sample(corners: Sequence[Corner]) -> Corner:
    x, y, w = map(sum, zip(*corners, strict=True))
    return without_factor((x, y, w))


def _split(face: Face, point: Corner) -> list[Face]:
    """Return the parts of a face whose lines pass the point on one side."""
    heights = [height(point, corner) for corner in face.corners]
    if min(heights) >= 0 or max(heights) <= 0:
        return [face]
    parts = []
    for sign in (1, -1):
        corners = clipped(face.corners, (sign * point[0], sign * point[2], -sign * point[1]))
        parts.append(replace(face, corners=corners, sample=_sample(corners)))
    return parts


def _edges(piece: list[Corner], face: Face) -> list[Edge]:
    """Return the edges of the piece that the lines of the face cross, from left to right; none if they miss it."""
    m, b = slope_of(face)
    heights = [height(corner, face.sample) > 0 for corner in piece]
    found: list[tuple[Fraction, Edge]] = []
    for k, corner in enumerate(piece):
        if heights[k] != heights[k - 1]:
            line = _crossed(piece[k - 1], corner)
            found.append((place_of(line, m, b), (line, piece[k - 1], corner)))
    return [edge for _, edge in sorted(found)]


def slope_of(face: Face) -> tuple[Fraction, Fraction]:
    """Return ``m, b`` of one line inside a face."""
    m, b, w = face.sample
    return Fraction(m, w), Fraction(b, w)


def stops_across(barrier: Barrier, face: Face) -> bool:
    """Do the lines of a face cross the wall from a side from which it stops?"""
    x0, y0, x1, y1 = barrier.wall
    start, end = height((x0, y0, 1), face.sample), height((x1, y1, 1), face.sample)
    if (start > 0) == (end > 0):
        return False
    # Who comes from smaller x is on the left of a wall whose end is at smaller y.
    return barrier.side == 0 or (barrier.side == LEFT) == (end > 0)


def _is_between(barrier: Barrier, face: Face) -> bool:
    """Do the lines of the face, which cross the wall, cross it between the two pieces?"""
    return _is_before(face.edges[1][0], barrier.line, face) and _is_before(barrier.line, face.edges[2][0], face)


def _is_before(one: Line, other: Line, face: Face) -> bool:
    """Do the lines of the face cross the one line before or where they cross the other?"""
    m, b, w = face.sample
    over, under = one[2] * w + one[1] * b, one[0] * w + one[1] * m
    over_2, under_2 = other[2] * w + other[1] * b, other[0] * w + other[1] * m
    return (over * under_2 >= over_2 * under) == ((under > 0) == (under_2 > 0)) or over * under_2 == over_2 * under


def _common_points(barriers: list[Barrier]) -> list[Corner]:
    """Return the points where two walls cross of which the one stops from the fraction on up to which the other stops."""
    found = []
    for one, other in combinations(barriers, 2):
        if one.line != other.line and (0 < one.low == other.high < 1 or 0 < other.low == one.high < 1):
            x, y, w = _crossed(one.line, other.line)
            walls = (one.wall, other.wall)
            if w and all(
                min(x0, x1) * w <= x <= max(x0, x1) * w and min(y0, y1) * w <= y <= max(y0, y1) * w
                for x0, y0, x1, y1 in walls
            ):
                found.append((x, y, w))
    return found


def faces_between(piece_a: list[Corner], piece_b: list[Corner], barriers: list[Barrier]) -> tuple[list[Face], int]:
    """Return the faces whose lines meet both pieces and no hard wall between them; lines steeper than the second result are left out.

    Where lines of the steepest slope are left, they stand for steeper ones, too.
    """
    points = dict.fromkeys([*piece_a, *piece_b])
    crossings = _common_points([barrier for barrier in barriers if not barrier.is_hard])
    ends = [(x, y, 1) for barrier in barriers for x, y in (barrier.wall[:2], barrier.wall[2:])]
    widest = max(max(abs(x), abs(y), w) for x, y, w in (*points, *crossings, *ends))
    steepest = 2 * widest * widest + 1  # no two points are joined by a steeper line, unless by an upright one
    far = widest * (steepest + 1) + 1
    box = [(-steepest, -far, 1), (steepest, -far, 1), (steepest, far, 1), (-steepest, far, 1)]
    faces = [Face(box, (0, 0, 1))]
    for point in points:
        faces = [part for face in faces for part in _split(face, point)]
    faces = [
        replace(face, edges=(*edges_a, *edges_b))
        for face in faces
        if (edges_a := _edges(piece_a, face)) and (edges_b := _edges(piece_b, face))
    ]
    hard = [barrier for barrier in barriers if barrier.is_hard]
    for barrier in sorted(hard, key=lambda one: -abs(one.wall[3] - one.wall[1]) - abs(one.wall[2] - one.wall[0])):
        for x, y in (barrier.wall[:2], barrier.wall[2:]):
            if (x, y, 1) not in points:
                points[x, y, 1] = None
                faces = [part for face in faces for part in _split(face, (x, y, 1))]
        faces = [face for face in faces if not (stops_across(barrier, face) and _is_between(barrier, face))]
    for point in dict.fromkeys([*crossings, *ends]):
        if point not in points:
            faces = [part for face in faces for part in _split(face, point)]
    return faces, steepest


# ---- one line


def on_line(face: Face, crossed: list[Barrier], m: Fraction, b: Fraction) -> Iterator[Segment]:
    """Yield some free segments of one line of the face; ``crossed`` are the conditional walls that stop its lines."""
    u0, u1, v0, v1 = (place_of(edge[0], m, b) for edge in face.edges)
    corners = [without_factor(_pair(u, v)) for u, v in ((u0, v0), (u1, v0), (u1, v1), (u0, v1))]
    room = _solved(corners, [_ways(barrier, place_of(barrier.line, m, b)) for barrier in crossed], None)
    if room is None:
        return
    points = [(Fraction(u, w), Fraction(v, w)) for u, v, w in room]
    for k in range(8):
        weights = [1 + (k * i) % 7 for i in range(len(points))]
        u, v = (
            sum((w * point[i] for w, point in zip(weights, points, strict=True)), Fraction(0)) / sum(weights)
            for i in (0, 1)
        )
        yield (u, m * u + b), (v, m * v + b)


def _pair(u: Fraction, v: Fraction) -> Corner:
    return u.numerator * v.denominator, v.numerator * u.denominator, u.denominator * v.denominator


def _ways(barrier: Barrier, place: Fraction) -> _Ways:
    """Return the two sets of pairs for which the wall does not stop: where it is met before ``low`` and behind ``high``."""
    x, w = place.numerator, place.denominator
    lines = []
    for fraction, sign in ((barrier.low, w), (barrier.high, -w)):
        n, d = fraction.numerator, fraction.denominator
        lines.append((sign * (d - n), sign * n, -x * d if sign > 0 else x * d))
    return lines[0], lines[1], barrier.line if barrier.is_limited else None


def _solved(room: list[Corner], ways: list[_Ways], lifted: Line | None) -> list[Corner] | None:
    """Return a convex set of pairs ``(u, v)`` of ends, all of which are free; None if none is.

    Not more than the walls of one limited line, ``lifted``, are crossed where they stop.
    """
    if not ways:
        return room
    (before, behind, limited), *rest = ways
    choices = [(_cut(room, before), lifted), (_cut(room, behind), lifted)]
    if limited is not None and lifted in (None, limited):
        choices.append((room, limited))
    for part, choice in choices:
        if part and (found := _solved(part, rest, choice)) is not None:
            return found
        if part is room:
            break
    return None


def _cut(room: list[Corner], line: Line) -> list[Corner]:
    """Return the part of a convex set of pairs on the positive side of a line; [] if it has no inside."""
    values = [line[0] * u + line[1] * v + line[2] * w for u, v, w in room]
    if max(values) <= 0:
        return []
    return room if min(values) >= 0 else clipped(room, line)
