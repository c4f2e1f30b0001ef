"""Line of effect between squares that free walls intrude upon, where exact answers need rational points.

What the centre of such a square sees of it falls into convex regions: the square, cut along the lines of sight to wall
ends inside of it, each part cut off by the walls that cross it. Their corners are fractions; homogeneous integers hold
them. The search itself is that of :mod:`gridlos.kernels.stab`, on machine integers where all products fit, on Python's
big integers where not. Everything here is in doubled lattice units, so that centres are whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from math import gcd
from typing import Any

import numpy as np

from gridlos.kernels.convex import Corner, Wall, clipped, line_through, meets_inside, rectangle, without_factor
from gridlos.kernels.effect import select_near
from gridlos.kernels.jit import Array, interpreted
from gridlos.kernels.stab import stab

__all__ = ["Region", "as_array", "as_region", "decide", "directions_cut", "products_fit", "regions_of", "seen_regions", "stab_slowly"]

Vector = tuple[int, int]
Region = tuple[list[Corner], list[Corner]]
"""A convex region: its corners and its sides, as :func:`gridlos.kernels.stab.stab` takes them."""

stab_slowly: Any = interpreted(stab)
"""The same on Python's own integers."""

_LARGEST = 1 << 62
"""Below this no sum of two products in :func:`stab` leaves int64."""


def _cross(a: Vector, b: Vector) -> int:
    return a[0] * b[1] - a[1] * b[0]


def _half(vector: Vector) -> int:
    return 0 if vector[1] > 0 or (vector[1] == 0 and vector[0] > 0) else 1


def _compare(a: Vector, b: Vector) -> int:
    if _half(a) != _half(b):
        return _half(a) - _half(b)
    turn = _cross(a, b)
    return (turn < 0) - (turn > 0)


def directions_cut(walls: Sequence[Wall], half: int) -> list[Vector]:
    """Return the directions from the centre, sorted, along which the square is cut: to wall ends inside, and opposite to them."""
    directions: set[Vector] = set()
    for x0, y0, x1, y1 in walls:
        through = x0 * y1 - y0 * x1 == 0 and x0 * x1 + y0 * y1 <= 0
        ends = (
            [(x1 - x0, y1 - y0)] if through else [(x, y) for x, y in ((x0, y0), (x1, y1)) if max(abs(x), abs(y)) < half]
        )
        for x, y in ends:
            common = gcd(x, y)
            directions |= {(x // common, y // common), (-x // common, -y // common)}
    return sorted(directions, key=cmp_to_key(_compare))


def seen_regions(walls: Sequence[Wall], centre: Vector, half: int) -> Iterator[Region]:
    """Yield convex regions that together are what the centre of a square sees of its inside.

    ``walls``, ``centre`` and ``half`` (half a side of the square) in doubled lattice units. Walls through the centre hide
    nothing, but no region lies on both sides of them.
    """
    cx, cy = centre
    local = [(a - cx, b - cy, c - cx, d - cy) for a, b, c, d in walls]
    square = rectangle(-half, -half, half, half)
    local = [wall for wall in local if meets_inside(square, wall)]
    cuts = directions_cut(local, half)
    # Walls through the centre bound parts by now, and hide nothing.
    local = [
        wall for wall in local if not (_cross(wall[:2], wall[2:]) == 0 and wall[0] * wall[2] + wall[1] * wall[3] <= 0)
    ]
    for first, last in zip(cuts, cuts[1:] + cuts[:1], strict=True) if cuts else [((0, 0), (0, 0))]:
        part = square
        if cuts:
            part = clipped(clipped(square, line_through(0, 0, *first)), line_through(*last, 0, 0))
        for wall in local:
            if meets_inside(part, wall):
                line = line_through(*wall)
                part = clipped(part, line if line[2] > 0 else (-line[0], -line[1], -line[2]))
        yield as_region([without_factor((x + cx * w, y + cy * w, w)) for x, y, w in part])


def as_region(corners: list[Corner]) -> Region:
    """Return a convex polygon with its sides."""
    lines = []
    for (x0, y0, w0), (x1, y1, w1) in zip(corners, corners[1:] + corners[:1], strict=True):
        lines.append(without_factor((y0 * w1 - y1 * w0, x1 * w0 - x0 * w1, x0 * y1 - x1 * y0)))
    return corners, lines


def regions_of(barriers: Array, square: Vector, size: int) -> list[Region]:
    """Return what the centre of a square sees of it, as convex regions; ``barriers (k, 4)`` in lattice units."""
    x, y = size * square[0], size * square[1]
    low, high = np.minimum(barriers[:, :2], barriers[:, 2:]), np.maximum(barriers[:, :2], barriers[:, 2:])
    near = ((high > (x, y)) & (low < (x + size, y + size))).all(axis=1)
    walls = (2 * barriers[near].astype(np.int64)).tolist()
    return list(seen_regions(walls, (2 * x + size, 2 * y + size), size))


def decide(
    barriers: Array,
    pivots: Array,
    squares: tuple[Vector, Vector],
    regions: tuple[list[Region], list[Region]],
    size: int,
) -> bool:
    """Return whether there is a line of effect between two different squares whose centres do not see each other.

    ``barriers (k, 4)`` and ``pivots (p, 2)`` as in :func:`gridlos.kernels.effect.effects`; ``regions`` are those of the
    two squares by :func:`regions_of`.
    """
    boxes = np.array([(*square, 1, 1) for square in squares], np.int64)
    near, points = select_near(barriers, pivots, boxes[0], boxes[1], size)
    if len(points) == 0:
        return False
    # Numbers are smaller when counted from the middle.
    (ax, ay), (bx, by) = squares
    origin = size * (ax + bx + 1), size * (ay + by + 1)
    walls, turns = 2 * near - np.array(origin * 2), 2 * points - np.array(origin)
    moved = [[_moved(region, *origin) for region in side] for side in regions]
    fits = products_fit(moved, int(max(np.abs(walls).max(initial=0), np.abs(turns).max())))
    kind: Any = np.int64 if fits else object
    arrays = [as_array([one[part] for one in side], kind) for side in moved for part in (0, 1)]
    arcs = np.zeros((len(near) + 2, 4), kind)
    gaps = np.zeros(((len(near) + 1) * sum(map(len, regions)) + 2, 4), kind)
    run: Any = stab if fits else stab_slowly
    return bool(run(*arrays, walls.astype(kind), turns.astype(kind), arcs, gaps))


def _moved(region: Region, ox: int, oy: int) -> Region:
    """Return the region as seen from another origin."""
    corners, lines = region
    return [(x - ox * w, y - oy * w, w) for x, y, w in corners], [(a, b, c + a * ox + b * oy) for a, b, c in lines]


def products_fit(regions: list[list[Region]], far: int) -> bool:
    """Do all products of the search fit into int64, ``far`` being the largest coordinate of walls and pivots?"""
    widest = 2 * far
    for region in regions:
        for corners, lines in region:
            widest = max(widest, *(max(abs(x), abs(y)) + far * w for x, y, w in corners))
            if any((abs(p) + abs(q)) * far + abs(r) >= _LARGEST for p, q, r in lines):
                return False
    return 2 * widest * widest < _LARGEST


def as_array(polygons: list[list[Corner]], kind: Any) -> Array:  # noqa: ANN401 - a dtype
    """Return ``(r, n, 3)``; a polygon with fewer corners than others repeats its last."""
    longest = max(map(len, polygons))
    array = np.empty((len(polygons), longest, 3), kind)
    for k, polygon in enumerate(polygons):
        for m in range(longest):
            array[k, m] = polygon[min(m, len(polygon) - 1)]
    return array
