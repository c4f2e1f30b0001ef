"""Strict line of effect between two spaces among walls some of which stop only under a condition.

A *conditional* wall stops a segment only where it is met at certain fractions of the way (a wall with a top and a bottom,
between two bodies at different heights), from one of its sides, or as the second of its kind (a limited wall). The
search is exact: squares are cut into convex pieces that agree on what the centre sees, and :mod:`gridlos.kernels.events`
decides two pieces. Plain Python integers and fractions: this is for the few pairs that quicker tests leave open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from gridlos.kernels.convex import Corner, clipped, line_through, meets_inside, rectangle, without_factor
from gridlos.kernels.dual import LEFT, RIGHT, Barrier, Line, Point, Segment, line_of
from gridlos.kernels.events import free_segments
from gridlos.kernels.intruded import directions_cut
from gridlos.kernels.jit import Array

__all__ = ["Conditional", "Piece", "Space", "Vector", "find_segment", "is_free", "seen_pieces"]

Space = tuple[int, int, int, int]
"""``x, y, width, height`` in squares."""
Vector = tuple[int, int]
Piece = list[Corner]


@dataclass(frozen=True, slots=True)
class Conditional:
    """A wall in lattice units that stops only under a condition.

    Attributes
    ----------
    x0, y0, x1, y1
        Its two ends (Python's own integers).
    limited
        May one such wall be crossed? (Walls on one straight line are one.)
    side
        0, or the side from which alone it stops: 1 its left, 2 its right. With y down, the left of a wall drawn downward
        is east.
    low, high
        It stops where it is met at a fraction of the way between these two, both included.
    """

    x0: int
    y0: int
    x1: int
    y1: int
    limited: bool = False
    side: int = 0
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


def find_segment(
    hard: Array, special: Iterable[Conditional], space_a: Space, space_b: Space, size: int
) -> Segment | None:
    """Return the two ends, in lattice units, of a free segment from the one to the other space; None if, and only if, there is none.

    ``hard (k, 4)`` are walls that always stop, in lattice units, ``size`` of which are a square. What is free is
    said at :func:`is_free`.

    Examples
    --------
    Who stands on a tower sees over a battlement that hides only what lies in the last fifth of the way:

    >>> hard = np.zeros((0, 4), np.int32)
    >>> for low in (Fraction(1, 2), Fraction(4, 5)):
    ...     wall = Conditional(7, -50, 7, 50, low=low)
    ...     print(find_segment(hard, [wall], (0, 0, 1, 1), (9, 0, 1, 1), 1) is not None)
    False
    True
    """
    squares_a, squares_b = _squares(space_a), _squares(space_b)
    for x, y in sorted(set(squares_a) & set(squares_b)):
        centre = Fraction(2 * x + 1, 2) * size, Fraction(2 * y + 1, 2) * size
        return centre, centre
    hard, special = _in_box(hard, special, space_a, space_b, size)
    frame = _Frame.of(space_a, space_b, size)
    barriers = [frame.barrier(Conditional(*wall)) for wall in dict.fromkeys(map(tuple, hard.tolist()))]
    barriers += [frame.barrier(wall) for wall in dict.fromkeys(special)]
    pieces = [_pieces(barriers, frame, space, end) for end, space in enumerate((space_a, space_b))]
    found = False
    if len(pieces[0]) * len(pieces[1]) > 1 and not _is_possible(barriers, frame, space_a, space_b):
        return None
    for piece_a, piece_b in product(*pieces):
        near = _in_hull(barriers, [*piece_a, *piece_b])
        for segment in free_segments(piece_a, piece_b, near):
            found = True
            proof = frame.back(segment[0]), frame.back(segment[1])
            if is_free(hard, special, space_a, space_b, size, proof):
                return proof
    if found:
        raise ArithmeticError(f"No segment from {space_a} to {space_b} stands the test, though there are free ones.")
    return None


def _is_possible(barriers: list[Barrier], frame: _Frame, space_a: Space, space_b: Space) -> bool:
    """Is there a free segment between the spaces, had they neither walls nor inner sides, so that their squares need not be told apart?"""
    wholes = [rectangle(*frame.rectangle(space)) for space in (space_a, space_b)]
    outside = [barrier for barrier in barriers if not any(meets_inside(whole, barrier.wall) for whole in wholes)]
    near = _in_hull(outside, [*wholes[0], *wholes[1]])
    return next(free_segments(wholes[0], wholes[1], near), None) is not None


def is_free(
    hard: Array, special: Iterable[Conditional], space_a: Space, space_b: Space, size: int, segment: Segment
) -> bool:
    """Does the segment prove line of effect from the one to the other space, straight from the definition?

    Its ends are inner points of squares of the spaces, and its toll is below 2: it meets no wall that stops it there, not
    even at a point, or only limited ones that lie on one straight line. The toll of the leg from the centre of the first
    end's square to it, and from the second end to its centre, is below 2 as well, at the fractions 0 and 1; walls that
    contain the centre are left out. A segment without length is free.
    """
    walls = [Conditional(*wall) for wall in map(tuple, hard.tolist())] + list(special)
    start, end = segment
    centres = [_own_centre(point, space, size) for point, space in zip(segment, (space_a, space_b), strict=True)]
    if centres[0] is None or centres[1] is None:
        return False
    if start == end:
        return True
    if _toll(start, end, walls) >= 2:
        return False
    for leg, fraction in (((centres[0], start), Fraction(0)), ((end, centres[1]), Fraction(1))):
        centre = leg[0] if fraction == 0 else leg[1]
        counted = [wall for wall in walls if leg[0] != leg[1] and _met(centre, centre, wall) is None]
        if _toll(*leg, counted, fraction) >= 2:
            return False
    return True


# ---- the definition


def _own_centre(point: Point, space: Space, size: int) -> Point | None:
    """Return the centre of the square of the space inside of which the point lies."""
    x, y = (value / size for value in point)
    column, row = x.numerator // x.denominator, y.numerator // y.denominator
    if x == column or y == row or (column, row) not in _squares(space):
        return None
    return Fraction(2 * column + 1, 2) * size, Fraction(2 * row + 1, 2) * size


def _toll(start: Point, end: Point, walls: Iterable[Conditional], fraction: Fraction | None = None) -> int:
    """Return 0, 1 or 2 for a segment; ``fraction`` is that of the whole segment, where it is a leg."""
    lines = set()
    for wall in walls:
        met = _met(start, end, wall)
        if met is None:
            continue
        first, last = met if fraction is None else (fraction, fraction)
        if max(first, wall.low) > min(last, wall.high):
            continue
        turn = (wall.x1 - wall.x0) * (start[1] - wall.y0) - (wall.y1 - wall.y0) * (start[0] - wall.x0)
        if wall.side and (turn >= 0 if wall.side == LEFT else turn <= 0):
            continue
        if not wall.limited:
            return 2
        lines.add(line_of(wall.x0, wall.y0, wall.x1, wall.y1))
    return min(len(lines), 2)


def _met(start: Point, end: Point, wall: Conditional) -> tuple[Fraction, Fraction] | None:
    """Return the first and the last fraction of the way at which a segment meets a wall."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    x0, y0, x1, y1 = wall.x0 - start[0], wall.y0 - start[1], wall.x1 - start[0], wall.y1 - start[1]
    wx, wy = x1 - x0, y1 - y0
    slant = dx * wy - dy * wx
    if slant:
        along, across = (x0 * wy - y0 * wx) / slant, (x0 * dy - y0 * dx) / slant
        return (along, along) if 0 <= along <= 1 and 0 <= across <= 1 else None
    if x0 * wy - y0 * wx or (wx == 0 and wy == 0):
        return None
    if start == end:
        return (Fraction(0), Fraction(1)) if x0 * x1 + y0 * y1 <= 0 else None
    length = dx * dx + dy * dy
    one, other = (x0 * dx + y0 * dy) / length, (x1 * dx + y1 * dy) / length
    low, high = max(min(one, other), Fraction(0)), min(max(one, other), Fraction(1))
    return (low, high) if low <= high else None


# ---- walls


def _squares(space: Space) -> list[Vector]:
    x, y, width, height = space
    return [(x + i, y + j) for j in range(height) for i in range(width)]


def _in_box(
    hard: Array, special: Iterable[Conditional], space_a: Space, space_b: Space, size: int
) -> tuple[Array, list[Conditional]]:
    """Return the walls that can meet a segment between the spaces: those near it that stop at some fraction."""
    (ax, ay, aw, ah), (bx, by, bw, bh) = space_a, space_b
    left, top, right, bottom = (
        size * v for v in (min(ax, bx), min(ay, by), max(ax + aw, bx + bw), max(ay + ah, by + bh))
    )
    low, high = np.minimum(hard[:, :2], hard[:, 2:]), np.maximum(hard[:, :2], hard[:, 2:])
    near = ((high > (left, top)) & (low < (right, bottom))).all(axis=1) & (hard[:, :2] != hard[:, 2:]).any(axis=1)
    kept = [
        wall
        for wall in special
        if max(wall.x0, wall.x1) > left
        and min(wall.x0, wall.x1) < right
        and max(wall.y0, wall.y1) > top
        and min(wall.y0, wall.y1) < bottom
        and (wall.x0, wall.y0) != (wall.x1, wall.y1)
        and wall.low <= wall.high
        and wall.low <= 1
        and wall.high >= 0
    ]
    return hard[near], kept


@dataclass(frozen=True, slots=True)
class _Frame:
    """Coordinates in which the second space lies to the right of the first: doubled lattice units from ``origin``.

    First x and y are swapped (``is_turned``), then x changes its sign (``is_mirrored``).
    """

    size: int
    origin: Vector
    is_turned: bool
    is_mirrored: bool

    @classmethod
    def of(cls, space_a: Space, space_b: Space, size: int) -> _Frame:
        (ax, ay, aw, ah), (bx, by, bw, bh) = space_a, space_b
        is_turned = ax < bx + bw and bx < ax + aw
        is_mirrored = by < ay if is_turned else bx < ax
        origin = size * ((2 * (ax + bx) + aw + bw) // 2), size * ((2 * (ay + by) + ah + bh) // 2)
        return cls(size, origin, is_turned, is_mirrored)

    def point(self, x: int, y: int) -> Vector:
        """Return a point given in doubled lattice units."""
        x, y = x - self.origin[0], y - self.origin[1]
        if self.is_turned:
            x, y = y, x
        return (-x if self.is_mirrored else x), y

    def back(self, point: Point) -> Point:
        """Return a point of this frame in lattice units."""
        x, y = (-point[0] if self.is_mirrored else point[0]), point[1]
        if self.is_turned:
            x, y = y, x
        return (x + self.origin[0]) / 2, (y + self.origin[1]) / 2

    def barrier(self, wall: Conditional) -> Barrier:
        """Return a wall as the search takes it."""
        ends = *self.point(2 * wall.x0, 2 * wall.y0), *self.point(2 * wall.x1, 2 * wall.y1)
        side = wall.side
        if side and self.is_turned != self.is_mirrored:
            side = LEFT + RIGHT - side
        low, high = max(Fraction(wall.low), Fraction(0)), min(Fraction(wall.high), Fraction(1))
        return Barrier(ends, line_of(*ends), side, low, high, wall.limited)

    def rectangle(self, space: Space) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom of a space."""
        x, y, width, height = (2 * self.size * value for value in space)
        (x0, y0), (x1, y1) = self.point(x, y), self.point(x + width, y + height)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _in_hull(barriers: list[Barrier], corners: list[Corner]) -> list[Barrier]:
    """Return the walls that meet the inside of the convex hull of some points."""
    hull = _hull(corners)
    sides = [_side(one, other) for one, other in pairwise([*hull, hull[0]])]
    kept = []
    for barrier in barriers:
        x0, y0, x1, y1 = barrier.wall
        if any(a * x0 + b * y0 + c <= 0 and a * x1 + b * y1 + c <= 0 for a, b, c in sides):
            continue
        values = [barrier.line[0] * x + barrier.line[1] * y + barrier.line[2] * w for x, y, w in hull]
        if min(values) < 0 < max(values):
            kept.append(barrier)
    return kept


def _side(one: Corner, other: Corner) -> Line:
    """Return the line through two points, positive on the side of positive cross products."""
    (x0, y0, w0), (x1, y1, w1) = one, other
    return y0 * w1 - y1 * w0, x1 * w0 - x0 * w1, x0 * y1 - x1 * y0


def _hull(points: list[Corner]) -> list[Corner]:
    """Return the corners of the convex hull, turning with positive cross products."""
    order = sorted(set(points), key=lambda point: (Fraction(point[0], point[2]), Fraction(point[1], point[2])))
    halves: list[Corner] = []
    for row in (order, order[::-1]):
        half: list[Corner] = []
        for point in row:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return halves


def _turn(one: Corner, two: Corner, three: Corner) -> int:
    a, b, c = _side(one, two)
    return a * three[0] + b * three[1] + c * three[2]


# ---- what the centres see


def _pieces(barriers: list[Barrier], frame: _Frame, space: Space, end: int) -> list[Piece]:
    """Return convex pieces of what the centres of a space see of their squares, none of them on both sides of a wall that stops there.

    ``end`` is the fraction of the way there, 0 or 1. Squares that no wall enters are put together.
    """
    left, top, right, bottom = frame.rectangle(space)
    whole = rectangle(left, top, right, bottom)
    stopping = [barrier for barrier in barriers if (barrier.high == 1 if end else barrier.low == 0)]
    stopping = [barrier for barrier in stopping if meets_inside(whole, barrier.wall)]
    unit = 2 * frame.size

    def is_clear(x0: int, y0: int, x1: int, y1: int) -> bool:
        squares = product(range(x0, x1, unit), range(y0, y1, unit))
        return rest.issuperset(squares) and not any(
            meets_inside(rectangle(x0, y0, x1, y1), barrier.wall) for barrier in stopping
        )

    rest = set(product(range(left, right, unit), range(top, bottom, unit)))
    pieces = []
    for x, y in sorted(rest):
        if (x, y) not in rest:
            continue
        x1, y1 = x + unit, y + unit
        if not is_clear(x, y, x1, y1):
            pieces += seen_pieces(stopping, (x + frame.size, y + frame.size), frame.size, end)
            rest.remove((x, y))
            continue
        while is_clear(x, y, x1 + unit, y1):
            x1 += unit
        while is_clear(x, y, x1, y1 + unit):
            y1 += unit
        pieces.append(rectangle(x, y, x1, y1))
        rest -= set(product(range(x, x1, unit), range(y, y1, unit)))
    return pieces


def seen_pieces(barriers: list[Barrier], centre: Vector, half: int, end: int) -> list[Piece]:
    """Return convex pieces of what a centre sees of its square, ``half`` a side; ``end`` as above."""
    cx, cy = centre
    square = rectangle(-half, -half, half, half)
    local = [(barrier, wall) for barrier in barriers if meets_inside(square, wall := _moved(barrier.wall, cx, cy))]
    cuts = directions_cut([wall for _, wall in local], half)
    hiding = [(barrier, wall) for barrier, wall in local if not _contains_origin(wall)]
    found = []
    for first, last in pairwise([*cuts, cuts[0]]) if cuts else [((0, 0), (0, 0))]:
        sector = square
        if cuts:
            sector = clipped(clipped(square, line_through(0, 0, *first)), line_through(*last, 0, 0))
        parts: list[tuple[Piece, frozenset[Line]]] = [(sector, frozenset())]
        for barrier, wall in hiding:
            if meets_inside(sector, wall):  # from side to side of the sector, since it ends only on them
                parts = _parted(parts, barrier, line_through(*wall), end)
        found += [part for part, _ in parts]
    return [[without_factor((x + cx * w, y + cy * w, w)) for x, y, w in part] for part in found]


def _parted(
    parts: Sequence[tuple[Piece, frozenset[Line]]], barrier: Barrier, line: Line, end: int
) -> list[tuple[Piece, frozenset[Line]]]:
    """Return the parts of a sector before and behind a wall with the limited walls before them, without those that are hidden.

    ``line`` is positive to the right of the wall; seen from the sector's centre, 0, 0.
    """
    # The leg leads from the centre outward at the end 0, inward at the end 1.
    from_right = (line[2] > 0) == (end == 0)
    stops = barrier.side == 0 or barrier.side == (RIGHT if from_right else LEFT)
    near = line if line[2] > 0 else (-line[0], -line[1], -line[2])
    far = (-near[0], -near[1], -near[2])
    result = []
    for part, lines in parts:
        values = [near[0] * x + near[1] * y + near[2] * w for x, y, w in part]
        if max(values) > 0:
            result.append((clipped(part, near) if min(values) < 0 else part, lines))
        behind = lines | {barrier.line} if stops else lines
        if min(values) < 0 and len(behind) < 2 and not (stops and not barrier.is_limited):
            result.append((clipped(part, far) if max(values) > 0 else part, behind))
    return result


def _moved(wall: tuple[int, int, int, int], x: int, y: int) -> tuple[int, int, int, int]:
    return wall[0] - x, wall[1] - y, wall[2] - x, wall[3] - y


def _contains_origin(wall: tuple[int, int, int, int]) -> bool:
    x0, y0, x1, y1 = wall
    return x0 * y1 - y0 * x1 == 0 and x0 * x1 + y0 * y1 <= 0
