"""The table of all lines of a map whose walls are all on the grid: bit boards by displacement, each from two shorter ones.

Corner ``(x, y)`` is bit ``y * stride + x`` of a *board*; the corner at the displacement ``(dx, dy)`` from it is the bit
``o = dy * stride + dx`` further on. Board ``o`` holds the lines of that *offset* on no axis, one bit for each start: bit
``s`` says that nothing blocks the line from ``s`` to ``s + o`` between its ends. Displacements ``(dx, dy)`` and ``(dx -
stride, dy + 1)`` are the same offset and start in different columns, so one board holds both: the *first* and the
*second* displacement of an offset.

For a primitive displacement ``d = p + q`` with its Stern-Brocot parents the triangle 0, p, d holds no corner inside: the
line meets the edges that the two shorter lines meet, and passes the corner ``p`` on a known side. A multiple passes the
corners of the shorter one. Either way the board of ``d`` is that of ``p`` and, at ``p``, that of ``q`` and a mask made of
the arms there. Lines on an axis are known by their sides: :func:`fill_axes`.

What the walls at the ends do is kept apart, as *sectors*: can a thin tube go round a corner from one quadrant (0 NW, 1
NE, 2 SW, 3 SE) to another? Corner ``c`` of a square sees that square in quadrant ``3 - c``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.lanes import LANES, WIDEST, load, store
from gridlos.kernels.walk import EAST, NORTH, SOUTH, WEST

__all__ = [
    "SPARE",
    "START",
    "WORDS",
    "close_covered",
    "fill_axes",
    "fill_lines",
    "index_columns",
    "index_masks",
    "index_parents",
    "later",
    "padded",
    "plan_table",
    "uint64",
    "ways_of",
]

uint64: Any = np.uint64
"""Untyped, since in a kernel there is but one kind of word."""

SPARE = 3 * WIDEST
"""Words behind the end of whatever is read with a shift."""

PASSED, STEEPER, FROM_FLAT, FROM_STEEP, MIRRORED, ALL_ONES = 0, 1, 2, 3, 4, 8
NOT_NORTH, NOT_EAST, NOT_SOUTH, NOT_WEST = 9, 10, 11, 12
N_MASKS = 13
"""Masks: what must be open at the corner between two shorter lines. ``PASSED``: the line passes through it; ``STEEPER``: it
is the end of the steeper part; ``FROM_FLAT``, ``FROM_STEEP``: the other part is one step on an axis. Mirrored for lines
that lead to the left."""

FIRST, SECOND, START, WORDS = 0, 4, 8, 9
"""Columns of a plan, a row an offset: for the first and the second displacement two boards, the shift of the latter and
the mask; then where the offset's board starts, and how many words of it there are (0: none, it is out of reach)."""


@inner_kernel
def padded(words: int) -> int:
    """Return how many words are kept for so many."""
    return (words + WIDEST - 1) // WIDEST * WIDEST


@kernel
def index_parents(rows: int, cols: int) -> Array:
    """Return ``(rows + 1, cols + 1, 2)`` int32: the first part ``(x, y)`` of each displacement ``[dy, dx]`` on no axis.

    It is the steeper Stern-Brocot parent of a primitive displacement, and of a multiple the primitive one.
    """
    parents = np.zeros((rows + 1, cols + 1, 2), np.int32)
    stack = np.zeros((rows + cols + 4, 4), np.int64)
    stack[0, 1] = stack[0, 2] = 1
    n = 1
    while n > 0:
        n -= 1
        px, py, qx, qy = stack[n, 0], stack[n, 1], stack[n, 2], stack[n, 3]
        x, y = px + qx, py + qy
        if x > cols or y > rows:
            continue
        parents[y, x, 0], parents[y, x, 1] = px, py
        times = 2
        while times * x <= cols and times * y <= rows:
            parents[times * y, times * x, 0], parents[times * y, times * x, 1] = x, y
            times += 1
        stack[n, 0], stack[n, 1], stack[n, 2], stack[n, 3] = px, py, x, y
        stack[n + 1, 0], stack[n + 1, 1], stack[n + 1, 2], stack[n + 1, 3] = x, y, qx, qy
        n += 2
    return parents


@inner_kernel
def _plan_line(parents: Array, plan: Array, o: int, place: int, dx: int, dy: int, stride: int) -> None:
    """Write into ``plan[o, place : place + 4]`` of what the line ``(dx, dy)`` is made."""
    sign = 1 if dx > 0 else -1
    px, py = int64(parents[dy, abs(dx), 0]), int64(parents[dy, abs(dx), 1])
    qx, qy = abs(dx) - px, dy - py
    first, second = py * stride + sign * px, qy * stride + sign * qx
    shift = first
    if px * qy == py * qx:
        mask = PASSED
    elif px == 0 and qy == 0:
        mask, first, second = ALL_ONES, 0, 0
    elif px == 0:
        mask, first = FROM_STEEP, 0
    elif qy == 0:
        mask, second = FROM_FLAT, 0
    else:
        mask = STEEPER
    plan[o, place], plan[o, place + 1], plan[o, place + 2] = plan[first, START], plan[second, START], shift
    plan[o, place + 3] = mask + (MIRRORED if sign < 0 and mask != ALL_ONES else 0)


@kernel
def plan_table(parents: Array, stride: int, reach: int) -> Array:
    """Return the plan ``(offsets + 1, 10)`` int64 of a table; the last row holds where the boards end.

    ``stride`` is more than the number of columns of squares. Lines up to ``reach`` along each axis are planned. Boards
    stand column by column of displacements; the board of offset 0 is all ones.
    """
    rows, cols = parents.shape[0] - 1, parents.shape[1] - 1
    n = rows * stride + cols + 1
    plan = np.zeros((n + 1, 10), np.int64)
    start = 0
    for dx in range(stride):
        for o in range(dx, n, stride):
            dy = o // stride
            if o == 0 or (dy <= reach and (dx <= reach or stride - dx <= reach)):
                plan[o, WORDS] = (n - o + 63) // 64
                plan[o, START] = start
                start += padded(plan[o, WORDS])
    plan[n, START] = start
    for o in range(n):
        dx, dy = o % stride, o // stride
        plan[o, FIRST + 3] = plan[o, SECOND + 3] = ALL_ONES
        if 0 < dx <= min(cols, reach) and 0 < dy <= reach:
            _plan_line(parents, plan, o, FIRST, dx, dy, stride)
        if 0 < stride - dx <= min(cols, reach) and dy + 1 <= min(rows, reach):
            _plan_line(parents, plan, o, SECOND, dx - stride, dy + 1, stride)
    return plan


@kernel
def index_columns(rows: int, cols: int, stride: int) -> Array:
    """Return ``(stride, words)`` uint64: row ``dx`` holds the starts of first displacements with that ``dx``."""
    words = (rows * stride + cols + 64) // 64 + SPARE
    columns = np.zeros((stride, words), np.uint64)
    for dx in range(cols + 1):
        for y in range(rows + 1):
            for s in range(y * stride, y * stride + cols + 1 - dx):
                columns[dx, s >> 6] |= uint64(1) << uint64(s & 63)
    return columns


@inner_kernel
def later(words: Array, place: int, shift: int) -> int:
    """Return what stands ``shift`` bits (0 … 63, uint64) after ``words[place]``."""
    return (load(words, place) >> shift) | ((load(words, place + 1) << uint64(1)) << (uint64(63) - shift))


@inner_kernel
def _ways(ways: Array, w: int, north: int, east: int, south: int, west: int) -> None:
    """Write the words ``ways[p, q, w]``: can a tube go round the corner from quadrant ``p`` to ``q``?"""
    full = ~uint64(0)
    for q in range(4):
        ways[q, q, w] = full
    ways[0, 1, w] = ways[1, 0, w] = ~north | ~(east | south | west)
    ways[1, 3, w] = ways[3, 1, w] = ~east | ~(south | west | north)
    ways[3, 2, w] = ways[2, 3, w] = ~south | ~(west | north | east)
    ways[2, 0, w] = ways[0, 2, w] = ~west | ~(north | east | south)
    ways[0, 3, w] = ways[3, 0, w] = ~(north | east) | ~(south | west)
    ways[1, 2, w] = ways[2, 1, w] = ~(north | west) | ~(east | south)


@kernel
def ways_of(arms: Array) -> Array:
    """Return ``(corners,)`` uint16: bit ``4 p + q`` says that a tube can go round the corner from quadrant ``p`` to ``q``."""
    ways = np.zeros((4, 4, 16), np.uint64)
    for bits in range(16):
        north, east = uint64((bits & NORTH) != 0), uint64((bits & EAST) != 0)
        south, west = uint64((bits & SOUTH) != 0), uint64((bits & WEST) != 0)
        _ways(ways, bits, north, east, south, west)
    of_arms = np.zeros(16, np.uint16)
    for bits in range(16):
        for k in range(16):
            of_arms[bits] |= int64(ways[k >> 2, k & 3, bits] & uint64(1)) << k
    flat = arms.ravel()
    result = np.empty(len(flat), np.uint16)
    for s in range(len(flat)):
        result[s] = of_arms[flat[s] & 15]
    return result


@kernel
def index_masks(arms: Array, stride: int) -> tuple[Array, Array]:
    """Return ``masks (N_MASKS, words)`` and ``sectors (16, words)`` uint64, boards made of the arms of the corners.

    ``sectors[4 c + q]`` is a board of squares, each at the bit of its corner 0: can a tube go round corner ``c`` from the
    square to quadrant ``q``?
    """
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    words = (rows * stride + cols + 64) // 64 + SPARE
    has = np.zeros((4, words), np.uint64)
    for y in range(rows + 1):
        for x in range(cols + 1):
            s = y * stride + x
            bits = int64(arms[y, x])
            for k in range(4):
                if bits >> k & 1:
                    has[k, s >> 6] |= uint64(1) << uint64(s & 63)
    masks = np.empty((N_MASKS, words), np.uint64)
    ways = np.empty((4, 4, words), np.uint64)
    for w in range(words):
        north, east, south, west = has[0, w], has[1, w], has[2, w], has[3, w]
        for side, ahead, behind in ((0, east, west), (MIRRORED, west, east)):
            masks[side + PASSED, w] = ~((north | ahead) & (south | behind))
            masks[side + STEEPER, w] = ~(north | ahead)
            masks[side + FROM_FLAT, w] = ~north
            masks[side + FROM_STEEP, w] = ~ahead
        masks[ALL_ONES, w] = ~uint64(0)
        for k in range(4):
            masks[NOT_NORTH + k, w] = ~has[k, w]
        _ways(ways, w, north, east, south, west)
    sectors = np.zeros((16, words), np.uint64)
    for c in range(4):
        off = (c & 1) + (c >> 1) * stride
        for q in range(4):
            for w in range(words - (off >> 6) - 1):
                low, high = ways[3 - c, q, w + (off >> 6)], ways[3 - c, q, w + (off >> 6) + 1]
                shift = uint64(off & 63)
                sectors[4 * c + q, w] = (low >> shift) | ((high << uint64(1)) << (uint64(63) - shift))
    return masks, sectors


@kernel
def fill_lines(plan: Array, masks: Array, columns: Array, boards: Array) -> None:
    """Write the boards of all offsets of the plan (in place)."""
    n, stride = len(plan) - 1, len(columns)
    for w in range(padded(plan[0, WORDS])):
        boards[w] = ~uint64(0)
    # The line (-k, 1) is made of (1 - k, 1), whose offset is larger.
    for o in range(min(n, stride) - 1, 0, -1):
        _fill_board(plan, masks, columns, boards, o)
    for o in range(stride, n):
        _fill_board(plan, masks, columns, boards, o)


@inner_kernel
def _fill_board(plan: Array, masks: Array, columns: Array, boards: Array, o: int) -> None:
    start = plan[o, START]
    before1, before2 = plan[o, FIRST], plan[o, SECOND]
    place1, place2 = plan[o, FIRST + 2] >> 6, plan[o, SECOND + 2] >> 6
    after1, after2 = plan[o, FIRST + 1] + place1, plan[o, SECOND + 1] + place2
    down1, down2 = uint64(plan[o, FIRST + 2] & 63), uint64(plan[o, SECOND + 2] & 63)
    up1, up2, one = uint64(63) - down1, uint64(63) - down2, uint64(1)
    mask1, mask2, column = masks[plan[o, FIRST + 3]], masks[plan[o, SECOND + 3]], columns[o % len(columns)]
    for w in range(0, plan[o, WORDS], LANES):
        low = load(boards, after1 + w) & load(mask1, place1 + w)
        high = load(boards, after1 + w + 1) & load(mask1, place1 + w + 1)
        first = load(boards, before1 + w) & ((low >> down1) | ((high << one) << up1))
        low = load(boards, after2 + w) & load(mask2, place2 + w)
        high = load(boards, after2 + w + 1) & load(mask2, place2 + w + 1)
        second = load(boards, before2 + w) & ((low >> down2) | ((high << one) << up2))
        here = load(column, w)
        store(boards, start + w, (first & here) | (second & ~here))


@kernel
def fill_axes(masks: Array, rows: int, cols: int, stride: int, axes: Array) -> None:
    """Write the boards of all lines on an axis, ``axes[turned, length, 2 a + b]``, for starts towards larger coordinates (in place).

    The bit says that a tube which leaves the start on side ``a`` can arrive at the end on side ``b``, sides 0 north and 1
    south of a horizontal line, 0 west and 1 east of a vertical one (``turned``).
    """
    words = (rows * stride + cols + 64) // 64
    for turned in range(2):
        side0 = masks[NOT_WEST if turned else NOT_NORTH]
        side1 = masks[NOT_EAST if turned else NOT_SOUTH]
        ahead = masks[NOT_SOUTH if turned else NOT_EAST]
        for w in range(0, words, LANES):
            for k in range(4):
                store(axes[turned, 1, k], w, load(masks[ALL_ONES], w) if k == 0 or k == 3 else load(ahead, w))
        for n in range(2, min(rows if turned else cols, axes.shape[1] - 1) + 1):
            off = (n - 1) * (stride if turned else 1)
            place, shift = off >> 6, uint64(off & 63)
            for a in range(0, 4, 2):
                before0, before1 = axes[turned, n - 1, a], axes[turned, n - 1, a + 1]
                after0, after1 = axes[turned, n, a], axes[turned, n, a + 1]
                for w in range(0, words - place, LANES):
                    # An arm that leaves the line closes its side; where no edge covers the line, the sides join.
                    x = load(before0, w) & later(side0, place + w, shift)
                    y = load(before1, w) & later(side1, place + w, shift)
                    is_open = later(ahead, place + w, shift)
                    store(after0, w, x | (y & is_open))
                    store(after1, w, y | (x & is_open))


@kernel
def close_covered(masks: Array, rows: int, cols: int, stride: int, axes: Array) -> None:
    """Take the lines that run along an edge, over some length, off the boards of :func:`fill_axes` (in place)."""
    words = (rows * stride + cols + 64) // 64
    uncovered = np.empty(words + SPARE, np.uint64)
    for turned in range(2):
        ahead = masks[NOT_SOUTH if turned else NOT_EAST]
        uncovered[:] = ~uint64(0)
        for n in range(1, min(rows if turned else cols, axes.shape[1] - 1) + 1):
            off = (n - 1) * (stride if turned else 1)
            place, shift = off >> 6, uint64(off & 63)
            for w in range(0, words - place, LANES):
                is_open = load(uncovered, w) & later(ahead, place + w, shift)
                store(uncovered, w, is_open)
                for k in range(4):
                    store(axes[turned, n, k], w, load(axes[turned, n, k], w) & is_open)
