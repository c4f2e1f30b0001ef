"""Free segments between two convex pieces: where, among the lines of a face of the dual plane, the answer can change.

For one slope all conditions on ``b`` and on the two ends ``u`` and ``v`` of a segment are linear, and a convex set of
solutions vanishes only where at most four of them that exclude each other meet: a side of the face (or a point where two
walls cross) and the three of an *event*, or four that are two events. An event says that three places on three walls
or edges divide the line in a fixed ratio; for one slope that fixes ``b = N(m) / D(m)``. So the slopes at which a set of
solutions can end are roots of polynomials of at most the third degree. Between two of these roots, one slope stands for all,
and between two events of that slope, one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

from gridlos.kernels.convex import Corner, without_factor
from gridlos.kernels.dual import (
    Barrier,
    Edge,
    Face,
    Line,
    Point,
    Segment,
    faces_between,
    height,
    on_line,
    place_of,
    slope_of,
    stops_across,
)
from gridlos.kernels.roots import Polynomial, between, plus, simplest, times

__all__ = ["free_segments"]

Gap = tuple[Fraction, Fraction]

TRIES = 40
"""So many more lines are offered where the caller does not like the first, because an end lies on a line of the grid."""


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

    def level(self, m: Fraction) -> Fraction | None:
        """Return ``b`` for a slope; None if it does not depend on ``b``."""
        under = value_at(self.denominator, m)
        return value_at(self.numerator, m) / under if under else None


def free_segments(piece_a: list[Corner], piece_b: list[Corner], barriers: list[Barrier]) -> Iterator[Segment]:
    """Yield free segments from the inside of one convex piece to that of the other: none if, and only if, there is none.

    ``piece_b`` lies to the right of ``piece_a``; no wall that stops at the fraction 0 meets the inside of ``piece_a``, none
    that stops at 1 that of ``piece_b``. There are several, should the caller not like the first.
    """
    faces, steepest = faces_between(piece_a, piece_b, barriers)
    conditional = [barrier for barrier in barriers if not barrier.is_hard]
    open_faces = []
    for face in faces:
        crossed = [barrier for barrier in conditional if stops_across(barrier, face)]
        found = list(on_line(face, crossed, *slope_of(face)))
        yield from found
        if found:
            yield from _beside(face, crossed)
        else:
            open_faces.append((face, crossed))
    for face, crossed in open_faces:
        conditions = _open_conditions(face, crossed, steepest)
        if conditions:
            yield from _in_face(face, crossed, conditions, steepest)


def _beside(face: Face, crossed: list[Barrier]) -> Iterator[Segment]:
    """Yield free segments of other lines of the face, ever nearer to the one that is known to have some."""
    m, b = slope_of(face)
    for nearness, corner in product(range(1, TRIES), face.corners):
        weight = Fraction(1, 2**nearness)
        other = Fraction(corner[0], corner[2]), Fraction(corner[1], corner[2])
        yield from on_line(face, crossed, m + weight * (other[0] - m), b + weight * (other[1] - b))


def _open_conditions(face: Face, crossed: list[Barrier], steepest: int) -> list[_Condition]:
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


def _holds(condition: _Condition, face: Face, ranges: list[tuple[Point, ...]]) -> bool | None:
    """Does the condition hold for all segments on lines of the face, for none (False), or for some (None)?"""
    m, b = slope_of(face)
    line, weight, sign = condition.line, condition.weight, condition.sign
    if weight in (0, 1):  # the wall does not enter the piece: all lines agree
        start, end = (place_of(edge[0], m, b) for edge in face.edges[2 * int(weight) :][:2])
        place = place_of(line, m, b)
        return place <= start if sign > 0 else place >= end
    ahead = sign if line[0] + line[1] * m > 0 else -sign
    worst, best = (
        [ahead * _beyond(line, p, q, weight) for p, q in product(ranges[side], ranges[side + 2])]
        for side in ((0, 1) if sign > 0 else (1, 0))
    )
    return True if min(worst) >= 0 else False if max(best) <= 0 else None


def _range(edge: Edge, face: Face, is_bounded: bool) -> tuple[Point, ...]:
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


def _in_face(face: Face, crossed: list[Barrier], open_conditions: list[_Condition], steepest: int) -> Iterator[Segment]:
    """Yield free segments of one line of each class of lines of the face."""
    box = [_Condition(edge[0], Fraction(k // 2), 1 - 2 * (k % 2), -1) for k, edge in enumerate(face.edges)]
    conditions = box + open_conditions
    events = [event for some in combinations(range(len(conditions)), 3) if (event := _event(conditions, some))]
    points = _bounds(face)
    slopes = sorted(Fraction(m, w) for m, _, w in face.corners)
    low, high = (slope if abs(slope) < steepest else None for slope in (slopes[0], slopes[-1]))
    # Between the slopes at which events enter and leave the face, only those inside it can meet each other there.
    polynomials = [event.denominator for event in events]
    for event in events:
        polynomials += [_difference(event, (y, -x), (w,)) for x, y, w in points]
    meetings = set()
    for m in between(polynomials, low, high):
        room = _room(face, points, m)
        inside = {event: b for event in events if (b := event.level(m)) is not None and room[0] < b < room[1]}
        yield from _at_slope(face, crossed, m, {*room, *inside.values()})
        for one, other in combinations(inside, 2):
            together = one.conditions | other.conditions
            if len(together) == 4 and _are_compatible([conditions[k] for k in together]):
                meetings.add(_difference(one, other.numerator, other.denominator))
    if meetings:
        for m in between([*polynomials, *meetings], low, high):
            room = _room(face, points, m)
            levels = (b for event in events if (b := event.level(m)) is not None and room[0] < b < room[1])
            yield from _at_slope(face, crossed, m, {*room, *levels})


def _difference(event: _Event, numerator: Polynomial, denominator: Polynomial) -> Polynomial:
    """Return the polynomial that vanishes where the event is at ``b = numerator(m) / denominator(m)``."""
    negative = tuple(-c for c in times(event.numerator, denominator))
    return plus(times(event.denominator, numerator), negative)


def _room(face: Face, points: list[Corner], m: Fraction) -> Gap:
    """Return the least and the largest ``b`` of the lines of the face with one slope; ``points`` bound it."""
    sides = [(Fraction(y, w) - m * Fraction(x, w), height((x, y, w), face.sample) > 0) for x, y, w in points]
    low = max(level for level, is_above in sides if is_above)
    return low, min(level for level, is_above in sides if not is_above)


def _at_slope(face: Face, crossed: list[Barrier], m: Fraction, levels: set[Fraction]) -> Iterator[Segment]:
    """Yield free segments of one line between each two successive levels, those of more lines where there are some."""
    for start, end in pairwise(sorted(levels)):
        b = simplest(start, end)
        found = list(on_line(face, crossed, m, b))
        yield from found
        for part in range(2, TRIES if found else 0):
            yield from on_line(face, crossed, m, b + (end - b) / part)


def _bounds(face: Face) -> list[Corner]:
    """Return the points that bound the face: those of its lines that are sides of it."""
    found = []
    for one, other in pairwise([*face.corners, face.corners[0]]):
        w, x, y = _side(one, other)
        if w:
            found.append((x, y, w))
    return found


def _side(one: Corner, other: Corner) -> tuple[int, int, int]:
    """Return ``w, x, y`` of the point that all lines between two of the dual plane pass; ``w`` 0 for upright sides of the plane."""
    x, w, y = without_factor(
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


def value_at(p: Polynomial, x: Fraction) -> Fraction:
    value, power = 0, 1
    for c in reversed(p):
        value = value * x.numerator + c * power
        power *= x.denominator
    return Fraction(value * x.denominator, power)
