"""Which walls touch, and where: once for a map, for all who join walls that hang together."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.index import sort_into
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = ["CROSSING", "index_touching"]

CROSSING = 4
"""Where two walls touch: 0, 1 in an end of the first, 2, 3 in an end of the second, ``CROSSING`` inside both."""


@inner_kernel
def _turn(ax: int, ay: int, bx: int, by: int) -> int:
    product = ax * by - ay * bx
    return (product > 0) - (product < 0)


@inner_kernel
def _meeting(barriers: Array, v: int, w: int) -> int:
    """Return where two walls touch, -1 if nowhere."""
    ax, ay, bx, by = int64(barriers[v, 0]), int64(barriers[v, 1]), int64(barriers[v, 2]), int64(barriers[v, 3])
    cx, cy, dx, dy = int64(barriers[w, 0]), int64(barriers[w, 1]), int64(barriers[w, 2]), int64(barriers[w, 3])
    if max(ax, bx) < min(cx, dx) or max(cx, dx) < min(ax, bx):
        return -1
    if max(ay, by) < min(cy, dy) or max(cy, dy) < min(ay, by):
        return -1
    a, b = _turn(dx - cx, dy - cy, ax - cx, ay - cy), _turn(dx - cx, dy - cy, bx - cx, by - cy)
    if a == 0 and (ax - cx) * (ax - dx) + (ay - cy) * (ay - dy) <= 0:
        return 0
    if b == 0 and (bx - cx) * (bx - dx) + (by - cy) * (by - dy) <= 0:
        return 1
    c, d = _turn(bx - ax, by - ay, cx - ax, cy - ay), _turn(bx - ax, by - ay, dx - ax, dy - ay)
    if c == 0 and (cx - ax) * (cx - bx) + (cy - ay) * (cy - by) <= 0:
        return 2
    if d == 0 and (dx - ax) * (dx - bx) + (dy - ay) * (dy - by) <= 0:
        return 3
    return CROSSING if a * b < 0 and c * d < 0 else -1


@kernel
def index_touching(walls: Array, n: int, band: Array, own: Array, n_squares: int) -> Array:
    """Return ``touching`` int32: for each wall from the ``n``-th on those of all that it touches on the map.

    Those of wall ``n + k`` are ``touching[touching[k] : touching[k + 1]]``, each ``8 * wall + place``, the place as for
    :data:`CROSSING`; some come more than once. ``walls (n + m, 4)`` int32; the first ``n`` of them are indexed by ``band``, the
    others, numbered anew, by ``own`` (:func:`gridlos.kernels.band.index_band`); without first ones ``band`` is not read.
    """
    m = len(walls) - n
    whose, touched = np.empty(4 * m, np.int32), np.empty(4 * m, np.int32)
    found = 0
    for square in range(n_squares):
        some = int64(own[square + 1] - own[square])
        first, last = (band[square], band[square + 1]) if n > 0 else (0, 0)
        most = found + some * (some + int64(last - first))
        if most > len(whose):
            longer, more = np.empty(2 * most, np.int32), np.empty(2 * most, np.int32)
            for k in range(found):
                longer[k], more[k] = whose[k], touched[k]
            whose, touched = longer, more
        for k in range(own[square], own[square + 1]):
            v = n + int64(own[k])
            for i in range(first, last):
                place = _meeting(walls, v, int64(band[i]))
                if place >= 0:
                    whose[found], touched[found] = v - n, 8 * int64(band[i]) + place
                    found += 1
            for i in range(own[square], k):
                w = n + int64(own[i])
                place = _meeting(walls, v, w)
                if place >= 0:
                    whose[found], touched[found] = v - n, 8 * w + place
                    whose[found + 1], touched[found + 1] = w - n, 8 * v + (place if place == CROSSING else place ^ 2)
                    found += 2
    touching = np.empty(m + 1 + found, np.int32)
    sort_into(touching, m, m + 1, whose, touched, found)
    return touching
