"""Segments between two spaces that are tried: what each of them meets of plain and special walls is known exactly."""

from __future__ import annotations

from gridlos.kernels.jit import Array, inner_kernel, int64
from gridlos.kernels.special_parted import LINE
from gridlos.kernels.special_stops import ALWAYS, SIDE, WHEN, hides_at

__all__ = ["BETWEEN", "NOWHERE", "PLACES", "between", "has_free", "is_free", "mark_seen", "set_points"]

FINE = 64
"""Segments that are tried begin and end at points in 64ths of a lattice unit, the outer ones of them as near to a side.

Coordinates are below 2^23 lattice units, thus differences of them below 2^30, and cross products below 2^61.
"""

PLACES = (1, 1), (0, 0), (2, 2), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1)
"""Across and down: beside the near side of a space, the centre of its middle square, beside the far side."""

NOWHERE = -(1 << 40), -(1 << 40)
"""A point that no wall contains."""

BETWEEN = -1
"""The ``way`` of a segment from one space to the other; that of a leg is the fraction of the way where it is, 0 or 1."""


@inner_kernel
def set_points(space: Array, points: Array, size: int) -> None:
    """Fill ``points (9, 2)`` with places inside of squares of the space, the centre of its middle square first."""
    scale = FINE * size
    for k in range(len(PLACES)):
        for c in range(2):
            place, start, extent = PLACES[k][c], space[c] * scale, space[2 + c]
            if place == 0:
                points[k, c] = start + 1
            elif place == 1:
                points[k, c] = start + extent // 2 * scale + scale // 2
            else:
                points[k, c] = start + extent * scale - 1


@inner_kernel
def _meets(joint: Array, w: int, ax: int, ay: int, bx: int, by: int) -> bool:
    """Does the wall meet the segment, told in 64ths of a lattice unit, be it at a point?"""
    x0, y0, x1, y1 = FINE * int64(joint[w, 0]), FINE * int64(joint[w, 1]), FINE * int64(joint[w, 2]), FINE * int64(joint[w, 3])
    if max(x0, x1) < min(ax, bx) or min(x0, x1) > max(ax, bx) or max(y0, y1) < min(ay, by) or min(y0, y1) > max(ay, by):
        return False
    dx, dy = bx - ax, by - ay
    turn0, turn1 = dx * (y0 - ay) - dy * (x0 - ax), dx * (y1 - ay) - dy * (x1 - ax)
    if (turn0 > 0 and turn1 > 0) or (turn0 < 0 and turn1 < 0):
        return False
    ex, ey = x1 - x0, y1 - y0
    turn_a, turn_b = ex * (ay - y0) - ey * (ax - x0), ex * (by - y0) - ey * (bx - x0)
    return not ((turn_a > 0 and turn_b > 0) or (turn_a < 0 and turn_b < 0))


@inner_kernel
def _turn(joint: Array, w: int, x: int, y: int) -> int:
    """Return ``cross(wall, point - start)``, which is negative on the wall's left."""
    x0, y0 = FINE * int64(joint[w, 0]), FINE * int64(joint[w, 1])
    return (FINE * int64(joint[w, 2]) - x0) * (y - y0) - (FINE * int64(joint[w, 3]) - y0) * (x - x0)


@inner_kernel
def _stops(joint: Array, w: int, term: Array, ends: tuple[int, int, int, int], way: int) -> bool:
    """Does a special wall, which the segment meets, stop it (if limited: together with another)?"""
    start = stop = int64(0)
    if term[SIDE] or (term[WHEN] != ALWAYS and way == BETWEEN):
        start, stop = _turn(joint, w, ends[0], ends[1]), _turn(joint, w, ends[2], ends[3])
    if term[SIDE] and (start >= 0 if term[SIDE] == 1 else start <= 0):
        return False
    if term[WHEN] == ALWAYS:
        return True
    if way != BETWEEN:
        return hides_at(term, way, 1)
    # Where a segment runs along a wall, it is left open at which fractions.
    return (start == 0 and stop == 0) or hides_at(term, abs(start), abs(start) + abs(stop))


@inner_kernel
def is_free(
    joint: Array, terms: Array, near: Array, n: int, ends: tuple[int, int, int, int], centre: tuple[int, int], way: int
) -> bool:
    """Is a segment free, limited walls on one straight line aside? The wall found in its way comes first in ``near``.

    Walls that contain ``centre`` are left out, of legs; for a segment ``BETWEEN`` two spaces that is a point beside all walls.
    """
    n_plain = len(joint) - len(terms)
    ax, ay, bx, by = ends
    cx, cy = centre
    line = -1
    for k in range(n):
        w = near[k]
        if not _meets(joint, w, ax, ay, bx, by) or _meets(joint, w, cx, cy, cx, cy):
            continue
        if w >= n_plain:
            term = terms[w - n_plain]
            if not _stops(joint, w, term, ends, way):
                continue
            if term[LINE] >= 0 and (line < 0 or line == term[LINE]):
                line = term[LINE]
                continue
        near[k] = near[0]
        near[0] = w
        return False
    return True


@inner_kernel
def mark_seen(
    joint: Array, terms: Array, near: Array, n: int, points: Array, seen: Array, is_end: bool, size: int
) -> None:
    """Fill ``seen`` with which points of the first space, or of that at the end, their squares' centres see."""
    scale = FINE * size
    for k in range(len(PLACES)):
        x, y = points[k, 0], points[k, 1]
        cx, cy = x // scale * scale + scale // 2, y // scale * scale + scale // 2
        ends = (x, y, cx, cy) if is_end else (cx, cy, x, y)
        seen[k] = (cx == x and cy == y) or is_free(joint, terms, near, n, ends, (cx, cy), int64(is_end))


@inner_kernel
def between(points: Array, p: int, q: int) -> tuple[int, int, int, int]:
    """Return the segment from point ``p`` of the one space to ``q`` of the other."""
    return points[0, p, 0], points[0, p, 1], points[1, q, 0], points[1, q, 1]


@inner_kernel
def has_free(joint: Array, terms: Array, near: Array, n: int, points: Array, seen: Array) -> bool:
    """Is one of the segments between points of the spaces free?"""
    for total in range(2 * len(PLACES) - 1):
        for p in range(max(0, total - len(PLACES) + 1), min(total, len(PLACES) - 1) + 1):
            q = total - p
            if seen[0, p] and seen[1, q] and is_free(joint, terms, near, n, between(points, p, q), NOWHERE, BETWEEN):
                return True
    return False
