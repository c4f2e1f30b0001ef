"""Free segments between two convex pieces of the plane among walls that stop only at some fractions of the way.

A straight line ``y = m x + b`` is a point ``(m, b)`` of the dual plane, and a point of the plane a straight line there: the
lines that pass above it and those that pass below. The ends of all walls and the corners of both pieces part the
dual plane into convex *faces*; all lines of a face cross the same walls from the same sides and leave and enter the pieces
through the same edges. On one line, a segment is a pair of places ``u < v``, and that it is before or behind the fractions
at which a wall stops is a linear condition on them, so one line is decided by cutting a rectangle.

Within a face the answer can differ from line to line. For one slope all conditions on ``(b, u, v)`` are linear, and a
convex set of solutions vanishes only where at most four of them that exclude each other meet: an edge of the face (or a
point where two walls cross) and the three of an *event*, or four that are two events. An event says that three places on
three walls or edges divide the line in a fixed ratio; for one slope that fixes ``b = N(m) / D(m)``. So the slopes at which
a set of solutions can end are roots of polynomials of at most the third degree. Between two of these roots, one slope
stands for all, and between two events of that slope, one line.

The second piece lies to the right of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise, product

from gridlos.kernels.intruded import Corner, _clipped, _without_factor
from gridlos.kernels.roots import Polynomial, between, plus, simplest, times

__all__ = ["Barrier", "Segment", "free_segments", "line_of"]

Line = Corner
Point = tuple[Fraction, Fraction]
Segment = tuple[Point, Point]
Edge = tuple[Line, Corner, Corner]
"""A side of a piece: its line and its ends."""

LEFT, RIGHT = 1, 2
ZERO, ONE = Fraction(0), Fraction(1)


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
class _Face:
    """A face of the dual plane: its corners, one line inside, and the edges through which its lines leave and enter the pieces.

    ``edges`` are those at which a line enters and leaves the first piece, then the second.
    """

    corners: list[Corner]
    sample: tuple[int, int, int]
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class _Condition:
    """``(1 - weight) u + weight v`` is to be more (``sign`` 1) or less (-1) than the place of a line; ``owner`` names the wall."""

    line: Line
    weight: Fraction
    sign: int
    owner: int


@dataclass(frozen=True, slots=True)
class _Event:
    """Three conditions that exclude each other on the one side of ``b = numerator(m) / denominator(m)``."""

    numerator: Polynomial
    denominator: Polynomial
    conditions: frozenset[int]


def line_of(x0: int, y0: int, x1: int, y1: int) -> Line:
    """Return the line through two points as ``a x + b y + c = 0``, the same for whichever two of its points."""
    a, b, c = _without_factor((y0 - y1, x1 - x0, x0 * y1 - y0 * x1))
    return (a, b, c) if (a, b) > (0, 0) else (-a, -b, -c)


def _crossed(a: Corner, b: Corner) -> Corner:
    """Return the line through two points, or the point of two lines (0, 0, 0 if they are parallel)."""
    x, y, w = _without_factor((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))
    return (x, y, w) if w >= 0 else (-x, -y, -w)


def _height(point: Corner, line: tuple[int, int, int]) -> int:
    """Return a positive multiple of the difference in y from the point to the line ``m, b, w``."""
    return point[0] * line[0] + point[2] * line[1] - point[1] * line[2]


def _place(line: Line, m: Fraction, b: Fraction) -> Fraction:
    """Return the x at which ``y = m x + b`` crosses the line."""
    return -(line[2] + line[1] * b) / (line[0] + line[1] * m)


def _sample(corners: Sequence[Corner]) -> Corner:
    x, y, w = map(sum, zip(*corners, strict=True))
    return _without_factor((x, y, w))


def _split(face: _Face, point: Corner) -> list[_Face]:
    """Return the parts of a face whose lines pass the point on one side."""
    heights = [_height(point, corner) for corner in face.corners]
    if min(heights) >= 0 or max(heights) <= 0:
        return [face]
    parts = []
    for sign in (1, -1):
        corners = _clipped(face.corners, (sign * point[0], sign * point[2], -sign * point[1]))
        parts.append(replace(face, corners=corners, sample=_sample(corners)))
    return parts


def _edges(piece: list[Corner], face: _Face) -> list[Edge]:
    """Return the edges of the piece that the lines of the face cross, from left to right; none if they miss it."""
    m, b = _slope(face)
    heights = [_height(corner, face.sample) > 0 for corner in piece]
    found: list[tuple[Fraction, Edge]] = []
    for k, corner in enumerate(piece):
        if heights[k] != heights[k - 1]:
            line = _crossed(piece[k - 1], corner)
            found.append((_place(line, m, b), (line, piece[k - 1], corner)))
    return [edge for _, edge in sorted(found)]


def _slope(face: _Face) -> tuple[Fraction, Fraction]:
    m, b, w = face.sample
    return Fraction(m, w), Fraction(b, w)


def _stops_across(barrier: Barrier, face: _Face) -> bool:
    """Do the lines of a face cross the wall from a side from which it stops?"""
    x0, y0, x1, y1 = barrier.wall
    start, end = _height((x0, y0, 1), face.sample), _height((x1, y1, 1), face.sample)
    if (start > 0) == (end > 0):
        return False
    # Who comes from smaller x is on the left of a wall whose end is at smaller y.
    return barrier.side == 0 or (barrier.side == LEFT) == (end > 0)


def _is_between(barrier: Barrier, face: _Face) -> bool:
    """Do the lines of the face, which cross the wall, cross it between the two pieces?"""
    m, b = _slope(face)
    place = _place(barrier.line, m, b)
    return _place(face.edges[1][0], m, b) <= place <= _place(face.edges[2][0], m, b)


def _faces(piece_a: list[Corner], piece_b: list[Corner], barriers: list[Barrier]) -> tuple[list[_Face], int]:
    """Return the faces whose lines meet both pieces and no hard wall between them; lines steeper than the second result are left out.

    Where lines of the steepest slope are left, they stand for steeper ones, too.
    """
    points = dict.fromkeys([*piece_a, *piece_b])
    conditional = [barrier for barrier in barriers if not barrier.is_hard]
    crossings = dict.fromkeys(
        _crossed(one.line, other.line)
        for one, other in combinations(conditional, 2)
        if one.line != other.line and ({one.low, one.high} & {other.low, other.high}) - {0, 1}
    )
    crossings.pop((0, 0, 0), None)
    crossings = {point: None for point in crossings if point[2]}
    ends = [(x, y, 1) for barrier in barriers for x, y in (barrier.wall[:2], barrier.wall[2:])]
    widest = max(max(abs(x), abs(y), w) for x, y, w in (*points, *crossings, *ends))
    steepest = 2 * widest * widest + 1  # no two points are joined by a steeper line, unless by an upright one
    far = widest * (steepest + 1) + 1
    box = [(-steepest, -far, 1), (steepest, -far, 1), (steepest, far, 1), (-steepest, far, 1)]
    faces = [_Face(box, (0, 0, 1))]
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
        faces = [face for face in faces if not (_stops_across(barrier, face) and _is_between(barrier, face))]
    for point in dict.fromkeys([*crossings, *ends]):
        if point not in points:
            faces = [part for face in faces for part in _split(face, point)]
    return faces, steepest


def free_segments(piece_a: list[Corner], piece_b: list[Corner], barriers: list[Barrier]) -> Iterator[Segment]:
    """Yield free segments from the inside of one convex piece to that of the other: none if, and only if, there is none.

    ``piece_b`` lies to the right of ``piece_a``; no wall that stops at the fraction 0 meets the inside of ``piece_a``, none
    that stops at 1 that of ``piece_b``. There are several, should the caller not like the first.
    """
    faces, steepest = _faces(piece_a, piece_b, barriers)
    conditional = [barrier for barrier in barriers if not barrier.is_hard]
    open_faces = []
    for face in faces:
        crossed = [barrier for barrier in conditional if _stops_across(barrier, face)]
        found = list(_on_line(face, crossed, *_slope(face)))
        yield from found
        if not found:
            open_faces.append((face, crossed))
    for face, crossed in open_faces:
        conditions = _open_conditions(face, crossed, steepest)
        if conditions:
            yield from _in_face(face, crossed, conditions, steepest)


# ---- one line


def _on_line(face: _Face, crossed: list[Barrier], m: Fraction, b: Fraction) -> Iterator[Segment]:
    """Yield some free segments of one line of the face."""
    u0, u1, v0, v1 = (_place(edge[0], m, b) for edge in face.edges)
    places = [(_place(barrier.line, m, b), barrier) for barrier in crossed]
    room = _solved([(u0, v0), (u1, v0), (u1, v1), (u0, v1)], places, None)
    if room is None:
        return
    for k in range(8):
        weights = [Fraction(1 + (k * i) % 7) for i in range(len(room))]
        u, v = (
            sum((w * point[i] for w, point in zip(weights, room, strict=True)), ZERO) / sum(weights) for i in (0, 1)
        )
        yield (u, m * u + b), (v, m * v + b)


def _solved(room: list[Point], places: list[tuple[Fraction, Barrier]], lifted: Line | None) -> list[Point] | None:
    """Return a convex set of pairs ``(u, v)`` of ends, all of which are free; None if none is."""
    if not places:
        return room
    (place, barrier), *rest = places
    parts = [_cut(room, barrier.low, place, 1), _cut(room, barrier.high, place, -1)]
    if barrier.is_limited and lifted in (None, barrier.line):
        parts.append(room)
    for part, choice in zip(parts, (lifted, lifted, barrier.line), strict=False):
        if part and (found := _solved(part, rest, choice)) is not None:
            return found
        if part is room:
            break
    return None


def _cut(room: list[Point], weight: Fraction, place: Fraction, sign: int) -> list[Point]:
    """Return the part of a convex set of pairs where ``(1 - weight) u + weight v`` is more (less) than the place; [] if nothing."""
    values = [sign * ((1 - weight) * u + weight * v - place) for u, v in room]
    if max(values) <= 0:
        return []
    if min(values) >= 0:
        return room
    part = []
    for k, (point, value) in enumerate(zip(room, values, strict=True)):
        before, there = room[k - 1], values[k - 1]
        if (value > 0) != (there > 0) and value != 0 and there != 0:
            t = there / (there - value)
            part.append((before[0] + t * (point[0] - before[0]), before[1] + t * (point[1] - before[1])))
        if value >= 0:
            part.append(point)
    return part


# ---- one face


def _open_conditions(face: _Face, crossed: list[Barrier], steepest: int) -> list[_Condition]:
    """Return the conditions that hold for some lines of the face and not for others; none if walls stop all of its lines."""
    is_bounded = all(abs(m) < steepest * w for m, _, w in face.corners)
    ranges = [_range(edge, face, is_bounded) for edge in face.edges]
    found: list[_Condition] = []
    lifted = set()
    for owner, barrier in enumerate(crossed):
        ways = ((barrier.low, 1), (barrier.high, -1))
        conditions = [_Condition(barrier.line, weight, sign, owner) for weight, sign in ways]
        holding = [_holds(condition, face, ranges) for condition in conditions]
        if True in holding:
            continue
        if None not in holding:
            if not barrier.is_limited:
                return []
            lifted.add(barrier.line)
        found += [condition for condition, holds in zip(conditions, holding, strict=True) if holds is None]
    return found if len(lifted) < 2 else []


def _holds(condition: _Condition, face: _Face, ranges: list[tuple[Point, ...]]) -> bool | None:
    """Does the condition hold for all segments on lines of the face, for none (False), or for some (None)?"""
    m, b = _slope(face)
    line, weight, sign = condition.line, condition.weight, condition.sign
    if weight in (0, 1):  # the wall does not enter the piece: all lines agree
        start, end = (_place(edge[0], m, b) for edge in face.edges[2 * int(weight) :][:2])
        place = _place(line, m, b)
        return place <= start if sign > 0 else place >= end
    ahead = sign if line[0] + line[1] * m > 0 else -sign
    worst, best = (
        [ahead * _beyond(line, p, q, weight) for p, q in product(ranges[side], ranges[side + 2])]
        for side in ((0, 1) if sign > 0 else (1, 0))
    )
    return True if min(worst) >= 0 else False if max(best) <= 0 else None


def _range(edge: Edge, face: _Face, is_bounded: bool) -> tuple[Point, ...]:
    """Return the ends of the part of the edge through which the lines of the face pass (or of the whole edge)."""
    line, start, end = edge
    dense = [(line[0] * w + line[1] * m, line[2] * w + line[1] * b, m, b, w) for m, b, w in face.corners]
    if not is_bounded or any(across == 0 for across, *_ in dense):
        return tuple((Fraction(x, w), Fraction(y, w)) for x, y, w in (start, end))
    points = []
    for across, along, m, b, w in dense:
        x = Fraction(-along, across)
        points.append((x, (m * x + b) / w))
    return min(points), max(points)


def _beyond(line: Line, p: Point, q: Point, weight: Fraction) -> Fraction:
    """Return a multiple of the distance from the line of the point at a fraction of the way from ``p`` to ``q``."""
    x, y = (start + weight * (end - start) for start, end in zip(p, q, strict=True))
    return line[0] * x + line[1] * y + line[2]


def _in_face(
    face: _Face, crossed: list[Barrier], open_conditions: list[_Condition], steepest: int
) -> Iterator[Segment]:
    """Yield free segments of one line of each class of lines of the face."""
    box = [_Condition(edge[0], ONE * (k // 2), 1 - 2 * (k % 2), -1) for k, edge in enumerate(face.edges)]
    conditions = box + open_conditions
    events = [event for some in combinations(range(len(conditions)), 3) if (event := _event(conditions, some))]
    points = _bounds(face)
    polynomials = [event.denominator for event in events]
    for event in events:
        # The event at the point: (y - m x) D = N.
        polynomials += [
            plus(times((y, -x), event.denominator), tuple(-w * c for c in event.numerator)) for x, y, w in points
        ]
    for one, other in combinations(events, 2):
        together = one.conditions | other.conditions
        if len(together) == 4 and _are_compatible([conditions[k] for k in together]):
            negative = tuple(-c for c in times(other.numerator, one.denominator))
            polynomials.append(plus(times(one.numerator, other.denominator), negative))
    slopes = sorted(Fraction(m, w) for m, _, w in face.corners)
    low, high = (slope if abs(slope) < steepest else None for slope in (slopes[0], slopes[-1]))
    for m in between(polynomials, low, high):
        for b in _levels(events, points, face, m):
            yield from _on_line(face, crossed, m, b)


def _bounds(face: _Face) -> list[Corner]:
    """Return the points that bound the face: those of its lines that are sides of it."""
    found = []
    for one, other in pairwise([*face.corners, face.corners[0]]):
        w, x, y = _side(one, other)
        if w:
            found.append((x, y, w))
    return found


def _side(one: Corner, other: Corner) -> tuple[int, int, int]:
    """Return ``w, x, y`` of the point that all lines between two of the dual plane pass; ``w`` 0 for upright sides of the plane."""
    x, w, y = _without_factor(
        (
            one[1] * other[2] - one[2] * other[1],
            one[2] * other[0] - one[0] * other[2],
            -(one[0] * other[1] - one[1] * other[0]),
        )
    )
    return (w, x, y) if w >= 0 else (-w, -x, -y)


def _are_compatible(conditions: Iterable[_Condition]) -> bool:
    """Is no wall asked to be both before and behind?"""
    owners = [condition.owner for condition in conditions if condition.owner >= 0]
    return len(owners) == len(set(owners))


def _event(conditions: list[_Condition], some: tuple[int, ...]) -> _Event | None:
    """Return when three conditions exclude each other; None if they never do, or never all three."""
    three = [conditions[k] for k in some]
    if not _are_compatible(three):
        return None
    one, two, three_ = (condition.weight for condition in three)
    ratios = (two - three_, three_ - one, one - two)
    signs = {(1 if ratio > 0 else -1) * condition.sign for ratio, condition in zip(ratios, three, strict=True)}
    if 0 in ratios or len(signs) != 1:
        return None
    scale = ratios[0].denominator * ratios[1].denominator * ratios[2].denominator
    numerator: Polynomial = ()
    denominator: Polynomial = ()
    for k, (condition, ratio) in enumerate(zip(three, ratios, strict=True)):
        factor: Polynomial = (int(ratio * scale),)
        for i, other in enumerate(three):
            if i != k:
                factor = times(factor, (other.line[0], other.line[1]))
        denominator = plus(denominator, times(factor, (condition.line[1],)))
        numerator = plus(numerator, times(factor, (-condition.line[2],)))
    return _Event(numerator, denominator, frozenset(some))


def _levels(events: list[_Event], points: list[Corner], face: _Face, m: Fraction) -> Iterator[Fraction]:
    """Yield one or two ``b`` between each two successive events of a slope."""
    sides = [(Fraction(y, w) - m * Fraction(x, w), _height((x, y, w), face.sample) > 0) for x, y, w in points]
    low = max(level for level, is_above in sides if is_above)
    high = min(level for level, is_above in sides if not is_above)
    levels = {low, high}
    for event in events:
        over, under = _value(event.numerator, m), _value(event.denominator, m)
        if under and low < over / under < high:
            levels.add(over / under)
    for start, end in pairwise(sorted(levels)):
        b = simplest(start, end)
        yield b
        yield (b + end) / 2


def _value(p: Polynomial, x: Fraction) -> Fraction:
    value = ZERO
    for c in reversed(p):
        value = value * x + c
    return value
