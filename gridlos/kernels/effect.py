"""Line of effect, strictly: does a segment join an inner point of one space to an inner point of the other and meet no wall?"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.stab import stab
from gridlos.kernels.walk import EAST, SOUTH

NO, YES, UNDECIDED = 0, 1, 2
"""UNDECIDED: a free wall meets the inside of a space, and only exact rational vertices can tell (:mod:`gridlos.kernels.intruded`)."""


@inner_kernel
def _is_reachable(arms: Array, a: Array, b: Array, reach: Array) -> bool:
    """Can one walk from space ``a`` to space ``b`` through open edges, never away from ``b`` on an axis on which they lie apart?

    Where not, no straight segment joins them either. ``a`` and ``b`` are ``x, y, width, height`` and share no square.
    """
    turned = not (a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1])  # apart in x only: sweep columns instead of rows
    i = 1 - turned
    a0, a1, b0, b1 = a[i], a[i] + a[2 + i], b[i], b[i] + b[2 + i]
    i = 1 - i
    c0, c1, d0, d1 = a[i], a[i] + a[2 + i], b[i], b[i] + b[2 + i]
    low, high = min(c0, d0), max(c1, d1)
    up, down = d1 > c0, d0 < c1  # may it move to larger, to smaller minor coordinates?
    step = 1 if b0 >= a1 else -1
    start, stop = (a0, b1 - 1) if step > 0 else (a1 - 1, b0)
    for m in range(low, high):
        reach[m] = 0
    across = SOUTH if turned == 0 else EAST
    along = EAST if turned == 0 else SOUTH
    line = start
    while True:
        border = line if step > 0 else line + 1
        some = False
        for m in range(low, high):
            if reach[m] and (arms[border, m] if turned == 0 else arms[m, border]) & along:
                reach[m] = 0
            if a0 <= line < a1 and c0 <= m < c1:
                reach[m] = 1
            if up and m > low and reach[m - 1] and not (arms[line, m] if turned == 0 else arms[m, line]) & across:
                reach[m] = 1
            some = some or reach[m] != 0
        if down:
            for m in range(high - 2, low - 1, -1):
                if reach[m + 1] and not (arms[line, m + 1] if turned == 0 else arms[m + 1, line]) & across:
                    reach[m] = 1
        if not some:
            return False
        if b0 <= line < b1:
            for m in range(d0, d1):
                if reach[m]:
                    return True
        if line == stop:
            return False
        line += step


@inner_kernel
def meets_open(wall: Array, left: int, top: int, right: int, bottom: int) -> bool:
    """Does the wall meet the open rectangle?"""
    x0, y0, x1, y1 = wall[0], wall[1], wall[2], wall[3]
    if max(x0, x1) <= left or min(x0, x1) >= right or max(y0, y1) <= top or min(y0, y1) >= bottom:
        return False
    dx, dy = x1 - x0, y1 - y0
    less = more = False
    for corner in range(4):
        side = dx * ((bottom if corner & 2 else top) - y0) - dy * ((right if corner & 1 else left) - x0)
        less |= side < 0
        more |= side > 0
    return less and more


@inner_kernel
def _copy_loose(barriers: Array, size: int, loose: Array) -> int:
    """Copy the walls that do not lie on a line of the grid, and may meet the inside of a square; return how many they are."""
    n = 0
    for k in range(len(barriers)):
        x0, y0, x1, y1 = barriers[k, 0], barriers[k, 1], barriers[k, 2], barriers[k, 3]
        if not (x0 == x1 and x0 % size == 0) and not (y0 == y1 and y0 % size == 0):
            loose[n, 0], loose[n, 1], loose[n, 2], loose[n, 3] = x0, y0, x1, y1
            n += 1
    return n


@inner_kernel
def _is_clean(barriers: Array, x: int, y: int, width: int, height: int, size: int) -> bool:
    n = 0
    for k in range(len(barriers)):
        n += meets_open(barriers[k], x * size, y * size, (x + width) * size, (y + height) * size)
    return n == 0


@inner_kernel
def set_region(region: Array, lines: Array, x: int, y: int, width: int, height: int, size: int) -> None:
    """Fill ``region`` and ``lines`` of :func:`stab` with a rectangle of squares."""
    left, top, right, bottom = x * size, y * size, (x + width) * size, (y + height) * size
    for k in range(4):
        region[k, 0] = right if k in (1, 2) else left
        region[k, 1] = bottom if k >= 2 else top
        region[k, 2] = 1
    for k in range(4):
        lines[k, 0] = lines[k, 1] = 0
    lines[0, 1], lines[0, 2] = 1, -top
    lines[1, 0], lines[1, 2] = -1, right
    lines[2, 1], lines[2, 2] = -1, bottom
    lines[3, 0], lines[3, 2] = 1, -left


@inner_kernel
def outer_lines(region_a: Array, region_b: Array, outer: Array) -> None:
    """Fill ``outer (2, 3)`` with the two common tangents of the rectangles, positive on the side of the rectangles.

    A tangent touches both in the same corner, the one that lies farthest towards its side.
    """
    found = 0
    for corner in range(4):
        x, y = region_a[corner, 0], region_a[corner, 1]
        dx, dy = region_b[corner, 0] - x, region_b[corner, 1] - y
        low, high = int64(0), int64(0)
        for k in range(4):
            side = dx * (region_a[k, 1] - y) - dy * (region_a[k, 0] - x)
            low, high = min(low, side), max(high, side)
            side = dx * (region_b[k, 1] - y) - dy * (region_b[k, 0] - x)
            low, high = min(low, side), max(high, side)
        if low == 0 and high > 0 and not found & 1:
            outer[0, 0], outer[0, 1], outer[0, 2] = -dy, dx, dy * x - dx * y
            found |= 1
        elif high == 0 and low < 0 and not found & 2:
            outer[1, 0], outer[1, 1], outer[1, 2] = dy, -dx, dx * y - dy * x
            found |= 2


@inner_kernel
def _side(outer: Array, k: int, x: int, y: int) -> int:
    return outer[k, 0] * x + outer[k, 1] * y + outer[k, 2]


@inner_kernel
def _select(
    barriers: Array, pivots: Array, region_a: Array, region_b: Array, near: Array, points: Array, outer: Array
) -> tuple[int, int]:
    """Copy to ``near`` and ``points`` the walls that meet the open hull of two rectangles and the pivots inside it; return how many."""
    outer_lines(region_a, region_b, outer)
    left, top = min(region_a[0, 0], region_b[0, 0]), min(region_a[0, 1], region_b[0, 1])
    right, bottom = max(region_a[2, 0], region_b[2, 0]), max(region_a[2, 1], region_b[2, 1])
    n, p = 0, 0
    for k in range(len(barriers)):
        x0, y0 = int64(barriers[k, 0]), int64(barriers[k, 1])
        x1, y1 = int64(barriers[k, 2]), int64(barriers[k, 3])
        if max(x0, x1) <= left or min(x0, x1) >= right or max(y0, y1) <= top or min(y0, y1) >= bottom:
            continue
        if (_side(outer, 0, x0, y0) <= 0 and _side(outer, 0, x1, y1) <= 0) or (
            _side(outer, 1, x0, y0) <= 0 and _side(outer, 1, x1, y1) <= 0
        ):
            continue
        near[n, 0], near[n, 1], near[n, 2], near[n, 3] = x0, y0, x1, y1
        n += 1
    for k in range(len(pivots)):
        x, y = int64(pivots[k, 0]), int64(pivots[k, 1])
        if left < x < right and top < y < bottom and _side(outer, 0, x, y) > 0 and _side(outer, 1, x, y) > 0:
            points[p, 0], points[p, 1] = x, y
            p += 1
    return n, p


@inner_kernel
def _after_covers(near: Array, n: int, ax: int, ay: int, dx: int, dy: int, t: int) -> int:
    """Return the first place from ``t`` on, on the line from ``(ax, ay)`` along ``d``, behind which no wall lies on the line."""
    k = 0
    while k < n:
        x0, y0, x1, y1 = 2 * near[k, 0] - ax, 2 * near[k, 1] - ay, 2 * near[k, 2] - ax, 2 * near[k, 3] - ay
        t0, t1 = dx * x0 + dy * y0, dx * x1 + dy * y1
        if dx * y0 - dy * x0 == 0 and dx * y1 - dy * x1 == 0 and min(t0, t1) <= t < max(t0, t1):
            t = max(t0, t1)
            k = 0
        else:
            k += 1
    return t


@inner_kernel
def _is_joined(near: Array, n: int, region_a: Array, region_b: Array) -> bool:
    """Can the segment between the centres of two rectangles be moved a little so that it meets no wall?

    Walls that contain one of the centres, but do not lie along the segment, are passed: it starts or ends before them.
    """
    ax, ay = region_a[0, 0] + region_a[2, 0], region_a[0, 1] + region_a[2, 1]  # in doubled lattice units
    dx, dy = region_b[0, 0] + region_b[2, 0] - ax, region_b[0, 1] + region_b[2, 1] - ay
    end = dx * dx + dy * dy
    first_left = first_right = end + 1
    last_left = last_right = -1
    for k in range(n):
        x0, y0, x1, y1 = 2 * near[k, 0] - ax, 2 * near[k, 1] - ay, 2 * near[k, 2] - ax, 2 * near[k, 3] - ay
        o0, o1 = dx * y0 - dy * x0, dx * y1 - dy * x1
        if (o0 > 0 and o1 > 0) or (o0 < 0 and o1 < 0) or (o0 == 0 and o1 == 0):
            continue
        if o0 == 0 or o1 == 0:
            t = dx * x0 + dy * y0 if o0 == 0 else dx * x1 + dy * y1
            if 0 < t < end:
                if o0 + o1 < 0:
                    first_left, last_left = min(first_left, t), max(last_left, t)
                else:
                    first_right, last_right = min(first_right, t), max(last_right, t)
            continue
        turn_a, turn_b = x0 * y1 - y0 * x1, (x0 - dx) * (y1 - dy) - (y0 - dy) * (x1 - dx)
        if (turn_a > 0 and turn_b < 0) or (turn_a < 0 and turn_b > 0):
            return False
    if last_left < 0 or last_right < 0:
        return True
    return (
        _after_covers(near, n, ax, ay, dx, dy, last_left) < first_right
        or _after_covers(near, n, ax, ay, dx, dy, last_right) < first_left
    )


@inner_kernel
def _drop_intruders(near: Array, n: int, region: Array) -> int:
    """Drop the walls that meet the inside of the rectangle; return how many are left."""
    kept = 0
    for k in range(n):
        if not meets_open(near[k], region[0, 0], region[0, 1], region[2, 0], region[2, 1]):
            for c in range(4):
                near[kept, c] = near[k, c]
            kept += 1
    return kept


@inner_kernel
def _decide(
    barriers: Array,
    pivots: Array,
    boxes: Array,
    regions: Array,
    near: Array,
    points: Array,
    arcs: Array,
    gaps: Array,
    size: int,
) -> int:
    """Return NO, YES or UNDECIDED for the rectangles ``boxes (2, 5)``: ``x, y, width, height, clean``; the rest is scratch."""
    region_a, lines_a, region_b, lines_b, outer = regions[0], regions[1], regions[2], regions[3], regions[4]
    set_region(region_a, lines_a, boxes[0, 0], boxes[0, 1], boxes[0, 2], boxes[0, 3], size)
    set_region(region_b, lines_b, boxes[1, 0], boxes[1, 1], boxes[1, 2], boxes[1, 3], size)
    n, p = _select(barriers, pivots, region_a, region_b, near, points, outer)
    if _is_joined(near, n, region_a, region_b):
        return YES
    clean = boxes[0, 4] and boxes[1, 4]
    if not clean:
        # Fewer walls and wider spaces than in truth: a NO is certain.
        n = _drop_intruders(near, _drop_intruders(near, n, region_a), region_b)
        p = _drop_inner(points, _drop_inner(points, p, region_a), region_b)
        if _is_joined(near, n, region_a, region_b):
            return UNDECIDED
    if not stab(regions[0:1], regions[1:2], regions[2:3], regions[3:4], near[:n], points[:p], arcs, gaps):
        return NO
    return YES if clean else UNDECIDED


@kernel
def select_near(barriers: Array, pivots: Array, box_a: Array, box_b: Array, size: int) -> tuple[Array, Array]:
    """Return the walls that meet the open hull of two rectangles ``x, y, width, height`` of squares, and the pivots inside it."""
    near, points = np.empty((len(barriers), 4), np.int64), np.empty((len(pivots), 2), np.int64)
    regions = np.empty((5, 4, 3), np.int64)
    set_region(regions[0], regions[1], box_a[0], box_a[1], box_a[2], box_a[3], size)
    set_region(regions[2], regions[3], box_b[0], box_b[1], box_b[2], box_b[3], size)
    n, p = _select(barriers, pivots, regions[0], regions[2], near, points, regions[4])
    return near[:n], points[:p]


@inner_kernel
def _drop_inner(points: Array, p: int, region: Array) -> int:
    kept = 0
    for k in range(p):
        x, y = points[k, 0], points[k, 1]
        if not (region[0, 0] < x < region[2, 0] and region[0, 1] < y < region[2, 1]):
            points[kept, 0], points[kept, 1] = x, y
            kept += 1
    return kept


@inner_kernel
def _set_box(box: Array, loose: Array, space: Array, part: int, whole: bool, size: int) -> None:
    if whole:
        box[0], box[1], box[2], box[3], box[4] = space[0], space[1], space[2], space[3], 1
        return
    x, y = space[0] + part % space[2], space[1] + part // space[2]
    box[0], box[1], box[2], box[3] = x, y, 1, 1
    box[4] = _is_clean(loose, x, y, 1, 1, size)


@kernel
def effects(arms: Array, barriers: Array, pivots: Array, spaces: Array, pairs: Array, size: int) -> Array:
    """Return ``(n,)`` uint8, for each pair of spaces ``pairs (n, 2)``: is there a line of effect? ``NO``, ``YES`` or ``UNDECIDED``.

    ``spaces (s, 4)`` int64 are ``x, y, width, height`` in squares; ``barriers`` and ``pivots`` come from
    :func:`gridlos.kernels.index.index_barriers`.
    """
    result = np.zeros(len(pairs), np.uint8)
    near = np.empty((len(barriers) + 1, 4), np.int64)
    points = np.empty((len(pivots) + 1, 2), np.int64)
    arcs = np.empty((len(barriers) + 2, 4), np.int64)
    gaps = np.empty((2 * len(barriers) + 6, 4), np.int64)
    regions = np.empty((5, 4, 3), np.int64)
    boxes = np.empty((2, 5), np.int64)
    reach = np.zeros(arms.shape[0] + arms.shape[1], np.uint8)
    whole = np.empty(len(spaces), np.bool_)
    loose = np.empty_like(barriers)
    loose = loose[: _copy_loose(barriers, size, loose)]
    for k in range(len(spaces)):
        inside = loose if spaces[k, 2] * spaces[k, 3] == 1 else barriers
        whole[k] = _is_clean(inside, spaces[k, 0], spaces[k, 1], spaces[k, 2], spaces[k, 3], size)
    for k in range(len(pairs)):
        a, b = spaces[pairs[k, 0]], spaces[pairs[k, 1]]
        if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]:
            result[k] = YES
            continue
        if not _is_reachable(arms, a, b, reach):
            continue
        for i in range(1 if whole[pairs[k, 0]] else a[2] * a[3]):
            _set_box(boxes[0], loose, a, i, whole[pairs[k, 0]], size)
            for j in range(1 if whole[pairs[k, 1]] else b[2] * b[3]):
                _set_box(boxes[1], loose, b, j, whole[pairs[k, 1]], size)
                found = _decide(barriers, pivots, boxes, regions, near, points, arcs, gaps, size)
                if found == YES or result[k] == NO:
                    result[k] = found
                if found == YES:
                    break
            if result[k] == YES:
                break
    return result
