"""Pairs of spaces between which there are walls of some sort: a quick look at the squares that these touch."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.index import list_touched
from gridlos.kernels.jit import Array, inner_kernel, kernel
from gridlos.kernels.parted import frame_hull, stretch_of_hull

__all__ = ["are_near", "count_touched"]


@kernel
def count_touched(walls: Array, rows: int, cols: int, size: int) -> Array:
    """Return ``(rows + 1, cols + 1)`` int32: how many squares that walls touch lie above and left of each grid corner."""
    squares, _, n = list_touched(walls, rows, cols, size)
    before = np.zeros((rows + 1, cols + 1), np.int32)
    for k in range(n):
        before[squares[k] // cols + 1, squares[k] % cols + 1] = 1
    for y in range(rows):
        count = 0
        for x in range(cols):
            count += before[y + 1, x + 1]
            before[y + 1, x + 1] = before[y, x + 1] + count
    return before


@inner_kernel
def _has_some(before: Array, left: int, top: int, right: int, bottom: int) -> bool:
    """Does a wall touch a square of the rectangle?"""
    return before[bottom, right] - before[top, right] != before[bottom, left] - before[top, left]


@kernel
def are_near(before: Array, spaces: Array, pairs: Array) -> Array:
    """Return ``(n,)`` bool: may a wall touch the hull of the two spaces of each pair? False is certain.

    ``before`` comes from :func:`count_touched`, ``spaces (s, 4)`` int64 are ``x, y, width, height``, ``pairs (n, 2)`` int64
    places in it.
    """
    result = np.zeros(len(pairs), np.bool_)
    regions, frame, centres = np.empty((4, 4, 3), np.int64), np.zeros((4, 3), np.int64), np.empty(4, np.int64)
    for k in range(len(pairs)):
        a, b = spaces[pairs[k, 0]], spaces[pairs[k, 1]]
        left, top, right, bottom = min(a[0], b[0]), min(a[1], b[1]), max(a[0] + a[2], b[0] + b[2]), max(a[1] + a[3], b[1] + b[3])
        if not _has_some(before, left, top, right, bottom):
            continue
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
            result[k] = True
            continue
        frame_hull(a, -1, b, -1, 1, regions, frame, centres)
        along = 0 if right - left >= bottom - top else 1
        for u in range(frame[2, along], frame[3, along]):
            low, high = stretch_of_hull(frame, along, u)
            if _has_some(before, u, low, u + 1, high + 1) if along == 0 else _has_some(before, low, u, high + 1, u + 1):
                result[k] = True
                break
    return result
