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

from gridlos.kernels.effect import select_near
from gridlos.kernels.jit import Array, interpreted
from gridlos.kernels.stab import stab

__all__ = ["decide", "fan"]

Vector = tuple[int, int]
Wall = tuple[int, int, int, int]
Corner = tuple[int, int, int]
Region = tuple[list[Corner], list[Corner]]
"""A convex region: its corners, and its sides as coefficients of lines, as :func:`gridlos.kernels.stab.stab` takes them."""

_stab_slowly: Any = interpreted(stab)
_LARGEST = 1 << 62
"""Below this no sum of two products in :func:`stab` leaves int64."""


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
        yield _as_region([_without_factor((x + cx * w, y + cy * w, w)) for x, y, w in corners])


def _as_region(corners: list[Corner]) -> Region:
    lines = []
    for (x0, y0, w0), (x1, y1, w1) in zip(corners, corners[1:] + corners[:1], strict=True):
        lines.append((y0 * w1 - y1 * w0, x1 * w0 - x0 * w1, x0 * y1 - x1 * y0))
    return corners, [_without_factor(line) for line in lines]


def _without_factor(numbers: Corner) -> Corner:
    common = gcd(*numbers) or 1
    return numbers[0] // common, numbers[1] // common, numbers[2] // common


def _regions(corner: Vector, walls: Sequence[Wall], size: int) -> list[Region]:
    """Return what the centre of the square with that top-left corner sees of it, as convex regions."""
    left, top = corner
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


def decide(barriers: Array, pivots: Array, a: Vector, b: Vector, size: int) -> bool:
    """Return whether there is a line of effect between two different squares whose centres do not see each other.

    ``barriers (k, 4)`` and ``pivots (p, 2)`` as in :func:`gridlos.kernels.effect.effects`; ``a`` and ``b`` are ``(x, y)``.
    """
    boxes = np.array([[*a, 1, 1], [*b, 1, 1]], np.int64)
    near, points = select_near(barriers, pivots, boxes[0], boxes[1], size)
    if len(points) == 0:
        return False
    # Numbers are smaller when counted from the middle.
    origin = (size * (a[0] + b[0] + 1), size * (a[1] + b[1] + 1))
    walls = 2 * near - np.array(origin * 2)
    turns = 2 * points - np.array(origin)
    local: list[Wall] = [(x0, y0, x1, y1) for x0, y0, x1, y1 in walls.tolist()]
    corners = [(2 * size * x - origin[0], 2 * size * y - origin[1]) for x, y in (a, b)]
    regions = [_regions(corner, local, size) for corner in corners]
    fits = _fits(regions, int(max(np.abs(walls).max(initial=0), np.abs(turns).max())))
    kind: Any = np.int64 if fits else object
    arrays = [_packed([one[part] for one in region], kind) for region in regions for part in (0, 1)]
    arcs = np.zeros((len(near) + 2, 4), kind)
    gaps = np.zeros(((len(near) + 1) * sum(map(len, regions)) + 2, 4), kind)
    run = stab if fits else _stab_slowly
    return bool(run(*arrays, walls.astype(kind), turns.astype(kind), arcs, gaps))


def _fits(regions: list[list[Region]], far: int) -> bool:
    """Do all products of the search fit into int64, ``far`` being the largest coordinate of walls and pivots?"""
    widest = 2 * far
    for region in regions:
        for corners, lines in region:
            widest = max(widest, *(max(abs(x), abs(y)) + far * w for x, y, w in corners))
            if any((abs(p) + abs(q)) * far + abs(r) >= _LARGEST for p, q, r in lines):
                return False
    return 2 * widest * widest < _LARGEST


def _packed(polygons: list[list[Corner]], kind: Any) -> Array:  # noqa: ANN401 - a dtype
    """Return ``(r, n, 3)``; a polygon with fewer corners than others repeats its last."""
    longest = max(map(len, polygons))
    array = np.empty((len(polygons), longest, 3), kind)
    for k, polygon in enumerate(polygons):
        for m in range(longest):
            array[k, m] = polygon[min(m, len(polygon) - 1)]
    return array
