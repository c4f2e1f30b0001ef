"""Line of effect past special walls, where it is plain to see: some segments are tried, and walls that part two spaces looked for.

What a segment that is tried meets is known exactly, so one that is free is a proof. That there is none follows from walls
that hang together between the spaces (:mod:`gridlos.kernels.special_parted`). The rest is left open.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.effect import NO, UNDECIDED, YES, meets_open
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.parted import STAMP, _set_frame, _stretch
from gridlos.kernels.special_parted import HARD, LIMITED, LINE, MAYBE, is_parted_by_hard, is_parted_by_limited

__all__ = ["ALWAYS", "NEVER", "SOMETIMES", "lines_past"]

NEVER, SOMETIMES, ALWAYS = 0, 1, 2
"""At which fractions of the way a special wall stops: none, some or all."""

WHEN, SIDE = 0, 2
"""Columns of ``terms``: one of these; 0, or 1, 2 for a wall that stops from the left, from the right alone."""

FINE = 4
"""Segments that are tried begin and end at points in quarters of a lattice unit, the outer ones of them as near to a side."""

PLACES = (1, 1), (0, 0), (2, 2), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1)
"""Across and down: beside the near side of a space, the centre of its middle square, beside the far side."""

NOWHERE = -(1 << 40), -(1 << 40)
"""A point that no wall contains."""


@inner_kernel
def _range_of_sides(wall: Array, space: Array, size: int) -> tuple[int, int]:
    """Return between which values the open space lies of ``cross(wall, point - start)``, which is negative on the wall's left."""
    x0, y0 = int64(wall[0]), int64(wall[1])
    dx, dy = int64(wall[2]) - x0, int64(wall[3]) - y0
    left, top = space[0] * size - x0, space[1] * size - y0
    first = dx * top - dy * left
    along_x, along_y = -dy * (space[2] * size), dx * (space[3] * size)
    return first + min(along_x, 0) + min(along_y, 0), first + max(along_x, 0) + max(along_y, 0)


@inner_kernel
def _stops(wall: Array, terms: Array, a: Array, b: Array, size: int) -> int:
    """Return what a special wall does to segments from space ``a`` to ``b``; -1: it stops none."""
    low_a, high_a = _range_of_sides(wall, a, size)
    low_b, high_b = _range_of_sides(wall, b, size)
    if terms[WHEN] == NEVER or (low_a >= 0 and low_b >= 0) or (high_a <= 0 and high_b <= 0):
        return -1
    if terms[SIDE]:
        if not ((low_a >= 0 and high_b <= 0) or (high_a <= 0 and low_b >= 0)):
            return MAYBE
        if (terms[SIDE] == 1) == (low_a >= 0):
            return -1
    if terms[WHEN] == SOMETIMES:
        return MAYBE
    return LIMITED if terms[LINE] >= 0 else HARD


@inner_kernel
def _meets_hull(wall: Array, frame: Array, size: int) -> bool:
    """May the wall meet the inside of the hull of the two spaces of a frame?"""
    x0, y0, x1, y1 = int64(wall[0]), int64(wall[1]), int64(wall[2]), int64(wall[3])
    if max(x0, x1) <= frame[2, 0] * size or min(x0, x1) >= frame[3, 0] * size:
        return False
    if max(y0, y1) <= frame[2, 1] * size or min(y0, y1) >= frame[3, 1] * size:
        return False
    for k in range(2):
        p, q, r = frame[k, 0], frame[k, 1], frame[k, 2] * size
        if p * x0 + q * y0 + r <= 0 and p * x1 + q * y1 + r <= 0:
            return False
    return True


@inner_kernel
def _collect(joint: Array, first: int, band: Array, state: Array, stamp: int, frame: Array, map_size: Array, near: Array) -> int:
    """Put into ``near`` the walls of a band that may meet the inside of the hull, counted from ``first``; return how many."""
    rows, cols, size = map_size[0], map_size[1], map_size[2]
    along = 0 if frame[3, 0] - frame[2, 0] >= frame[3, 1] - frame[2, 1] else 1
    n = 0
    for u in range(frame[2, along], frame[3, along]):
        low, high = _stretch(frame, along, u)
        square = u * cols if along == 1 else rows * cols + 1 + u * rows
        for k in range(band[square + low], band[square + high + 1]):
            w = first + int64(band[k])
            if state[w, STAMP] != stamp:
                state[w, STAMP] = stamp
                if _meets_hull(joint[w], frame, size):
                    near[n] = w
                    n += 1
    return n


# ---- segments that are tried


@inner_kernel
def _set_points(space: Array, points: Array, size: int) -> None:
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
    """Does the wall meet the segment, told in quarters of a lattice unit, be it at a point?"""
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
def _is_passed(joint: Array, w: int, side: int, ax: int, ay: int) -> bool:
    """Does a one-way wall not stop who comes from the point?"""
    x0, y0 = FINE * int64(joint[w, 0]), FINE * int64(joint[w, 1])
    turn = (FINE * int64(joint[w, 2]) - x0) * (ay - y0) - (FINE * int64(joint[w, 3]) - y0) * (ax - x0)
    return turn >= 0 if side == 1 else turn <= 0


@inner_kernel
def _is_free(joint: Array, terms: Array, near: Array, n: int, ends: tuple[int, int, int, int], centre: tuple[int, int]) -> bool:
    """Is a segment free, limited walls on one straight line aside? The wall found in its way comes first in ``near``.

    Walls that contain ``centre`` are left out, of legs; for a segment between two spaces that is a point beside all walls.
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
            if term[SIDE] and _is_passed(joint, w, term[SIDE], ax, ay):
                continue
            if term[LINE] >= 0 and (line < 0 or line == term[LINE]):
                line = term[LINE]
                continue
        near[k] = near[0]
        near[0] = w
        return False
    return True


@inner_kernel
def _mark_seen(
    joint: Array, terms: Array, near: Array, n: int, points: Array, seen: Array, is_end: bool, size: int
) -> None:
    """Fill ``seen`` with which points of the first space, or of that at the end, their squares' centres see."""
    scale = FINE * size
    for k in range(len(PLACES)):
        x, y = points[k, 0], points[k, 1]
        cx, cy = x // scale * scale + scale // 2, y // scale * scale + scale // 2
        ends = (x, y, cx, cy) if is_end else (cx, cy, x, y)
        seen[k] = (cx == x and cy == y) or _is_free(joint, terms, near, n, ends, (cx, cy))


@inner_kernel
def _has_free(joint: Array, terms: Array, near: Array, n: int, points: Array, seen: Array) -> bool:
    """Is one of the segments between points of the spaces free?"""
    for total in range(2 * len(PLACES) - 1):
        for p in range(max(0, total - len(PLACES) + 1), min(total, len(PLACES) - 1) + 1):
            q = total - p
            if seen[0, p] and seen[1, q]:
                ends = points[0, p, 0], points[0, p, 1], points[1, q, 0], points[1, q, 1]
                if _is_free(joint, terms, near, n, ends, NOWHERE):
                    return True
    return False


# ---- both


@inner_kernel
def _sort_special(
    joint: Array, terms: Array, a: Array, b: Array, near: Array, kinds: Array, n: int, m: int, size: int
) -> int:
    """Drop of the ``m`` special walls behind ``n`` plain ones those that stop nothing; tell of the others what; return how many."""
    n_plain = len(joint) - len(terms)
    for k in range(n):
        kinds[k] = HARD
    kept = n
    for k in range(n, n + m):
        w = near[k]
        kind = _stops(joint[w], terms[w - n_plain], a, b, size)
        if kind < 0:
            continue
        if kind == LIMITED:
            # The legs inside a space may cross one more.
            for end in range(2):
                space = b if end else a
                left, top = space[0] * size, space[1] * size
                if meets_open(joint[w], left, top, left + space[2] * size, top + space[3] * size):
                    kind = MAYBE
        near[kept], kinds[kept] = w, kind
        kept += 1
    return kept - n


@inner_kernel
def _n_parts(joint: Array, near: Array, kinds: Array, n: int, space: Array, size: int) -> tuple[int, int]:
    """Return which parts of a space to look at: it as a whole (-1) where no wall that takes part enters it, else each square."""
    squares = space[2] * space[3]
    if squares == 1:
        return 0, 1
    left, top = space[0] * size, space[1] * size
    for k in range(n):
        if kinds[k] == HARD and meets_open(joint[near[k]], left, top, left + space[2] * size, top + space[3] * size):
            return 0, squares
    return -1, 0


@kernel
def lines_past(
    joint: Array,
    band: Array,
    touching: Array,
    special_band: Array,
    special_touching: Array,
    terms: Array,
    asked: Array,
    map_size: Array,
) -> Array:
    """Return ``(n,)`` uint8: does a line of effect join two spaces? ``NO``, ``YES`` or ``UNDECIDED``.

    Parameters
    ----------
    joint
        ``(n + m, 4)`` int32: plain walls, and ``m`` special ones behind them.
    band, touching
        Of the plain walls, by :func:`gridlos.kernels.band.index_band` and :func:`gridlos.kernels.parted.index_touching`.
    special_band, special_touching
        Of the special walls, by the former and by
        :func:`gridlos.kernels.special_parted.index_special_touching`.
    terms
        ``(m, 3)`` int64: ``WHEN``, ``LINE`` (-1, or which straight line a limited wall lies on) and ``SIDE`` of the special walls.
    asked
        ``(n, 8)`` int64: the two spaces, ``x, y, width, height`` in squares. Plain walls leave them a line of effect.
    map_size
        Rows, columns, lattice units a square.
    """
    result = np.full(len(asked), UNDECIDED, np.uint8)
    size, n_plain = map_size[2], len(joint) - len(terms)
    state = np.full((len(joint) + 1, 4), -1, np.int64)
    near, kinds = np.empty(len(joint), np.int64), np.empty(len(joint), np.int64)
    order, saved = np.empty(len(joint), np.int64), np.empty((len(joint) + 1, 2), np.int64)
    marks = np.full(len(terms) + 1, -1, np.int64)
    regions, frame = np.empty((4, 4, 3), np.int64), np.zeros((4, 3), np.int64)
    centres, points, seen = np.empty(4, np.int64), np.empty((2, 9, 2), np.int64), np.empty((2, 9), np.uint8)
    stamp = 0
    for pair in range(len(asked)):
        a, b = asked[pair, :4], asked[pair, 4:]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
            result[pair] = YES
            continue
        _set_frame(a, -1, b, -1, size, regions, frame, centres)
        m = _collect(joint, n_plain, special_band, state, stamp, frame, map_size, near)
        stamp += 1
        m = _sort_special(joint, terms, a, b, near, kinds, 0, m, size)
        if m == 0:
            result[pair] = YES
            continue
        order[:m] = near[:m]
        n = _collect(joint, 0, band, state, stamp, frame, map_size, near)
        stamp += 1
        near[n : n + m] = order[:m]
        m = _sort_special(joint, terms, a, b, near, kinds, n, m, size)
        for end in range(2):
            _set_points(b if end else a, points[end], size)
        order[: n + m] = near[: n + m]
        ends = points[0, 0, 0], points[0, 0, 1], points[1, 0, 0], points[1, 0, 1]
        if _is_free(joint, terms, order, n + m, ends, NOWHERE):
            result[pair] = YES
            continue
        first_a, last_a = _n_parts(joint, near, kinds, n + m, a, size)
        first_b, last_b = _n_parts(joint, near, kinds, n + m, b, size)
        counts = (n, m, n_plain)
        is_parted = True
        for i in range(first_a, last_a):
            for j in range(first_b, last_b):
                if is_parted:
                    _set_frame(a, i, b, j, size, regions, frame, centres)
                    is_parted = is_parted_by_hard(
                        joint, touching, special_touching, state, stamp, near, kinds, counts, frame, centres, size
                    ) or is_parted_by_limited(
                        joint, terms, special_touching, state, stamp, near, kinds, counts, saved, marks, frame, size
                    )
                    stamp += 1
        if is_parted:
            result[pair] = NO
            continue
        for end in range(2):
            _mark_seen(joint, terms, order, n + m, points[end], seen[end], end == 1, size)
        if _has_free(joint, terms, order, n + m, points, seen):
            result[pair] = YES
    return result
