"""Line of effect between squares that free walls intrude upon, where exact answers need rational points: the same search, on big integers.

What the centre of such a square sees is a fan of triangles round the centre. Their outer corners are where a line of
sight from the centre meets a wall or a side of the square, so their coordinates are fractions; homogeneous integers
hold them, and Python's integers grow as needed. Everything here is in doubled lattice units, so that centres are
whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from itertools import combinations
from math import gcd
from typing import Any

import numpy as np

from gridlos.kernels.jit import interpreted
from gridlos.kernels.stab import stab

__all__ = ["decide", "fan"]

Vector = tuple[int, int]
Wall = tuple[int, int, int, int]
Region = tuple[Any, Any]
"""A convex region as object arrays ``(region, lines)``, as :func:`gridlos.kernels.stab.stab` takes them."""

_stab: Any = interpreted(stab)


def _cross(a: Vector, b: Vector) -> int:
    return a[0] * b[1] - a[1] * b[0]


def _reduced(vector: Vector) -> Vector:
    common = gcd(*vector)
    return vector[0] // common, vector[1] // common


def _half(vector: Vector) -> int:
    return 0 if vector[1] > 0 or (vector[1] == 0 and vector[0] > 0) else 1


def _compare(a: Vector, b: Vector) -> int:
    if _half(a) != _half(b):
        return _half(a) - _half(b)
    turn = _cross(a, b)
    return (turn < 0) - (turn > 0)


def _contains_origin(wall: Wall) -> bool:
    a, b = wall[:2], wall[2:]
    return _cross(a, b) == 0 and a[0] * b[0] + a[1] * b[1] <= 0


def _directions(walls: Sequence[Wall], through: Sequence[Wall], half: int) -> list[Vector]:
    """Return the directions from the centre between which it looks at one wall or side only, sorted round the centre."""
    directions = {(x, y) for x in (-half, half) for y in (-half, half)}
    for wall in through:
        x, y = wall[2] - wall[0], wall[3] - wall[1]
        directions |= {(x, y), (-x, -y)}
    sides = [
        (-half, -half, half, -half),
        (half, -half, half, half),
        (half, half, -half, half),
        (-half, half, -half, -half),
    ]
    for wall in walls:
        directions |= {wall[:2], wall[2:]}
    for one, other in combinations([*walls, *sides], 2):
        d, e = (one[2] - one[0], one[3] - one[1]), (other[2] - other[0], other[3] - other[1])
        under = _cross(d, e)
        if under:
            over = _cross((other[0] - one[0], other[1] - one[1]), e)
            if 0 <= over * (1 if under > 0 else -1) <= abs(under):
                x, y = one[0] * under + d[0] * over, one[1] * under + d[1] * over
                directions.add((x, y) if under > 0 else (-x, -y))
    distinct = {_reduced(d) for d in directions if d != (0, 0)}
    return sorted(distinct, key=cmp_to_key(_compare))


def _nearest(direction: Vector, blockers: Sequence[Wall]) -> Wall:
    """Return the first of the walls that the ray from the centre meets. None of them ends in its direction."""
    best, best_over, best_under = None, 1, 0
    for wall in blockers:
        a, d = wall[:2], (wall[2] - wall[0], wall[3] - wall[1])
        before, after = _cross(direction, a), _cross(direction, wall[2:])
        if before * after >= 0:
            continue
        over, under = _cross(a, d), _cross(direction, d)
        if under < 0:
            over, under = -over, -under
        if over > 0 and (best is None or over * best_under < best_over * under):
            best, best_over, best_under = wall, over, under
    assert best is not None, "the sides of the square close it"
    return best


def fan(walls: Sequence[Wall], centre: Vector, half: int) -> Iterator[Region]:
    """Yield the triangles that together are what the centre of a square sees of its inside.

    ``walls``, ``centre`` and ``half`` (half a side of the square) in doubled lattice units. Walls through the centre
    hide nothing, but no triangle lies on both sides of them.
    """
    cx, cy = centre
    local = [(a - cx, b - cy, c - cx, d - cy) for a, b, c, d in walls]
    through = [wall for wall in local if _contains_origin(wall)]
    others = [wall for wall in local if not _contains_origin(wall)]
    sides = [
        (-half, -half, half, -half),
        (half, -half, half, half),
        (half, half, -half, half),
        (-half, half, -half, -half),
    ]
    directions = _directions(others, through, half)
    for first, last in zip(directions, [*directions[1:], directions[0]], strict=True):
        a, b, c, d = _nearest((first[0] + last[0], first[1] + last[1]), [*others, *sides])
        over = a * (d - b) - b * (c - a)
        corners = [(0, 0, 1)]
        for x, y in (first, last):
            under = x * (d - b) - y * (c - a)
            sign = 1 if under > 0 else -1
            corners.append((x * over * sign, y * over * sign, under * sign))
        yield _as_region([(x + cx * w, y + cy * w, w) for x, y, w in corners])


def _as_region(corners: list[tuple[int, int, int]]) -> Region:
    lines = []
    for (x0, y0, w0), (x1, y1, w1) in zip(corners, corners[1:] + corners[:1], strict=True):
        lines.append((y0 * w1 - y1 * w0, x1 * w0 - x0 * w1, x0 * y1 - x1 * y0))
    return _objects(corners), _objects(lines)


def _objects(rows: Sequence[Sequence[int]]) -> Any:  # noqa: ANN401 - numpy has no narrower word for an array of Python integers
    array = np.empty((len(rows), len(rows[0]) if rows else 0), object)
    for k, row in enumerate(rows):
        array[k] = [int(value) for value in row]
    return array


def _regions(square: Vector, walls: Sequence[Wall], size: int) -> list[Region]:
    left, top = 2 * size * square[0], 2 * size * square[1]
    if any(_meets_open(wall, left, top, 2 * size) for wall in walls):
        return list(fan(walls, (left + size, top + size), size))
    right, bottom = left + 2 * size, top + 2 * size
    return [_as_region([(left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)])]


def _meets_open(wall: Wall, left: int, top: int, side: int) -> bool:
    x0, y0, x1, y1 = wall
    if max(x0, x1) <= left or min(x0, x1) >= left + side or max(y0, y1) <= top or min(y0, y1) >= top + side:
        return False
    signs = {
        (turn > 0) - (turn < 0)
        for x in (left, left + side)
        for y in (top, top + side)
        for turn in [_cross((x1 - x0, y1 - y0), (x - x0, y - y0))]
    }
    return {1, -1} <= signs


def decide(barriers: Any, pivots: Any, a: Vector, b: Vector, size: int) -> bool:  # noqa: ANN401
    """Return whether there is a line of effect between two different squares ``a`` and ``b`` whose centres do not see each other.

    ``barriers (k, 4)`` and ``pivots (p, 2)`` as in :func:`gridlos.kernels.effect.effects`.
    """
    low = [2 * size * min(p, q) for p, q in zip(a, b, strict=True)]
    high = [2 * size * (max(p, q) + 1) for p, q in zip(a, b, strict=True)]
    near = [
        tuple(2 * int(v) for v in wall)
        for wall in barriers
        if 2 * max(wall[0], wall[2]) > low[0]
        and 2 * min(wall[0], wall[2]) < high[0]
        and 2 * max(wall[1], wall[3]) > low[1]
        and 2 * min(wall[1], wall[3]) < high[1]
    ]
    points = [(2 * int(x), 2 * int(y)) for x, y in pivots if low[0] < 2 * x < high[0] and low[1] < 2 * y < high[1]]
    if not points:
        return False
    walls, turns = _objects(near), _objects(points)
    arcs, cones = np.zeros((2 * len(near) + 4, 4), object), np.zeros((4, 4), object)
    regions_b = _regions(b, near, size)  # type: ignore[arg-type]
    for region_a, lines_a in _regions(a, near, size):  # type: ignore[arg-type]
        for region_b, lines_b in regions_b:
            if _stab(region_a, lines_a, region_b, lines_b, walls, turns, arcs, cones):
                return True
    return False
