"""Line of effect past limited walls that may enter the spaces of the two ends: an exact search, one straight line of walls at a time.

What the centre of a square sees past limited walls falls into convex pieces, none of them on both sides of a wall
(:mod:`gridlos.kernels.conditional`). If a segment between two pieces crosses limited walls of one straight line only, then it is
free without these, and :func:`gridlos.kernels.stab.stab` finds it or another one; unless the segment between two points given
beforehand is free. Everything here is in doubled lattice units, counted from the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from gridlos.kernels.conditional import Piece, Space, Vector, seen_pieces
from gridlos.kernels.convex import Corner, meets_inside, rectangle, without_factor
from gridlos.kernels.dual import Barrier, Line, line_of
from gridlos.kernels.effect import select_near
from gridlos.kernels.intruded import as_array, as_region, products_fit, stab_slowly
from gridlos.kernels.jit import Array
from gridlos.kernels.stab import stab

__all__ = ["is_joined_past_limited"]


def is_joined_past_limited(
    hard: Array, limited: Array, crossable: Array, pivots: Array, spaces: tuple[Space, Space], size: int
) -> bool:
    """Return whether a line leads from one space to another past ``hard (k, 4)`` walls and ``limited (m, 4)`` ones, in lattice units.

    It may cross limited walls of one straight line, of those that are ``crossable (m,)`` bool; the legs from the centres to
    its ends may each cross one, too. ``pivots (p, 2)`` are the points at which a line can turn.
    """
    (ax, ay, aw, ah), (bx, by, bw, bh) = spaces
    origin = np.array((size * (2 * (ax + bx) + aw + bw) // 2, size * (2 * (ay + by) + ah + bh) // 2) * 2)
    near, points = select_near(hard, pivots, np.array(spaces[0], np.int64), np.array(spaces[1], np.int64), size)
    walls, turns = 2 * np.concatenate((near, limited)) - origin, 2 * points - origin[:2]
    lines = [line_of(*wall) for wall in walls[len(near) :].tolist()]
    barriers = [_barrier(wall, k >= len(near)) for k, wall in enumerate(walls.tolist())]
    middle = int(origin[0]), int(origin[1])
    pieces = [_pieces(barriers, space, middle, size, end) for end, space in enumerate(spaces)]
    exact = walls.astype(object)
    if any(_is_free(_inside(one), _inside(other), exact, lines) for one, other in product(*pieces)):
        return True
    if not len(points):
        return False
    regions = [[as_region(piece) for piece in some] for some in pieces]
    kind: Any = np.int64 if products_fit(regions, int(max(np.abs(walls).max(), np.abs(turns).max()))) else object
    run: Any = stab if kind is np.int64 else stab_slowly
    packed = [as_array([one[part] for one in some], kind) for some in regions for part in (0, 1)]
    arcs = np.zeros((len(walls) + 2, 4), kind)
    gaps = np.zeros(((len(walls) + 1) * sum(map(len, regions)) + 2, 4), kind)
    candidates: set[Line | None] = {line for line, can in zip(lines, crossable.tolist(), strict=True) if can}
    for lifted in candidates or (None,):
        kept = np.array([True] * len(near) + [line != lifted for line in lines])
        if run(*packed, walls[kept].astype(kind), turns.astype(kind), arcs, gaps):
            return True
    return False


def _barrier(wall: Sequence[int], is_limited: bool) -> Barrier:
    x0, y0, x1, y1 = wall
    return Barrier((x0, y0, x1, y1), line_of(x0, y0, x1, y1), 0, Fraction(0), Fraction(1), is_limited)


def _pieces(barriers: Sequence[Barrier], space: Space, middle: Vector, size: int, end: int) -> list[Piece]:
    """Return convex pieces of what the centres of a space see of their squares: the space as a whole where no wall enters it."""
    x, y, width, height = space
    left, top = 2 * size * x - middle[0], 2 * size * y - middle[1]
    whole = rectangle(left, top, left + 2 * size * width, top + 2 * size * height)
    inside = [one for one in barriers if meets_inside(whole, one.wall)]
    if not inside:
        return [whole]
    found = []
    for row, column in product(range(height), range(width)):
        x0, y0 = left + 2 * size * column, top + 2 * size * row
        own = rectangle(x0, y0, x0 + 2 * size, y0 + 2 * size)
        stopping = [one for one in inside if meets_inside(own, one.wall)]
        found += seen_pieces(stopping, (x0 + size, y0 + size), size, end)
    return found


def _inside(piece: Piece) -> Corner:
    """Return a point inside of a convex piece."""
    scale = prod(w for _, _, w in piece)
    x, y = (sum(corner[c] * (scale // corner[2]) for corner in piece) for c in (0, 1))
    return without_factor((x, y, scale * len(piece)))


def _is_free(one: Corner, other: Corner, walls: Array, lines: Sequence[Line]) -> bool:
    """Is the segment between two points free of walls, limited ones on one straight line aside? ``walls`` hold Python's integers."""
    (x0, y0, w0), (x1, y1, w1) = one, other
    a, b, c = without_factor((y0 * w1 - y1 * w0, x1 * w0 - x0 * w1, x0 * y1 - x1 * y0))
    ax, ay, bx, by = walls.T
    start, end = a * ax + b * ay + c, a * bx + b * by + c
    dx, dy = bx - ax, by - ay
    turn_0, turn_1 = dx * (y0 - ay * w0) - dy * (x0 - ax * w0), dx * (y1 - ay * w1) - dy * (x1 - ax * w1)
    met = ~(((start > 0) & (end > 0)) | ((start < 0) & (end < 0)) | ((turn_0 > 0) & (turn_1 > 0)) | ((turn_0 < 0) & (turn_1 < 0)))
    found = np.flatnonzero(met.astype(np.bool_)).tolist()
    n_hard = len(walls) - len(lines)
    return all(k >= n_hard for k in found) and len({lines[k - n_hard] for k in found}) < 2
