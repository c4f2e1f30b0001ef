"""What the row sweep writes down, and its lines along the axes: from corner to corner with the sides on which there is a way left.

Each corner has a bit on two boards. A line is *free*, *blocked*, or *along*: whether walls leave the line a way between its
ends, not told how the squares at its ends lie. Along is a line of which a wall covers an end and leaves a side free: which
side its squares are on decides.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64
from gridlos.kernels.walk import (
    BOTH,
    COVER,
    EAST,
    FREE,
    LEFT,
    NORTH,
    RIGHT,
    SOUTH,
    WEST,
    arms_at,
    follow,
    left_arms,
    meet,
)

BLOCKED_LINE, FREE_LINE, ALONG_LINE = 0, 1, 2

ROWS, COLS, SIZE, IS_TURNED, WORDS, PX, PY = range(7)
FRAME = 7
"""What stands in a ``frame``: rows and columns of squares, lattice units a square, whether the pieces are upside down, words a
row of a board, and (it is written there) the corner from which lines lead, upside down as the pieces. Then its length."""


@inner_kernel
def set_run(board: Array, start: int, first: int, last: int) -> None:
    """Set the bits ``first`` to ``last`` of a row of the board, that begins with word ``start``."""
    one, other = first >> 6, last >> 6
    full = ~np.uint64(0)
    head = full << np.uint64(first & 63)
    tail = full >> np.uint64(63 - (last & 63))
    if one == other:
        board[start + one] |= head & tail
    else:
        board[start + one] |= head
        for k in range(one + 1, other):
            board[start + k] = full
        board[start + other] |= tail


@inner_kernel
def known_line(board: Array, along: Array, start: int, x: int) -> int:
    """Return what the boards tell of the line to corner ``x`` of a row that begins with word ``start``."""
    place, bit = start + (x >> 6), np.uint64(1) << np.uint64(x & 63)
    return FREE_LINE if board[place] & bit else ALONG_LINE if along[place] & bit else BLOCKED_LINE


@inner_kernel
def _free_sides(bins: Array, walls: Array, scratch: Array, square: int, x: int, y: int, dx: int, dy: int) -> int:
    """Return the sides of the direction ``d`` on which free walls leave the point ``(x, y)`` of a square."""
    sides = 0
    for k in range(arms_at(walls, bins, square, x, y, scratch, 0)):
        side = dx * scratch[k, 1] - dy * scratch[k, 0]
        sides |= LEFT if side < 0 else RIGHT if side > 0 else 0
    return sides


@inner_kernel
def ask_axis(
    arms: Array, bins: Array, walls: Array, scratch: Array, board: Array, along: Array, frame: Array,
    start: int, dx: int, dy: int,
) -> None:  # fmt: skip
    """Write down which lines along an axis are free and which along, corner by corner.

    The row of the corner itself begins at word ``start`` of both boards.
    """
    rows, cols, size = frame[ROWS], frame[COLS], frame[SIZE]
    dx, dy = int64(dx), int64(dy)
    x, y = frame[PX], rows - frame[PY] if frame[IS_TURNED] else frame[PY]
    column, row = (x - 1 if dx < 0 else min(x, cols - 1)), (y - 1 if dy < 0 else min(y, rows - 1))
    square, words = row * cols + column, frame[WORDS] if dx == 0 else int64(0)
    ahead = EAST if dx > 0 else WEST if dx < 0 else SOUTH if dy > 0 else NORTH
    left, right = left_arms(dx, dy), left_arms(-dx, -dy)
    state, begins = BOTH, False
    for k in range(rows - frame[PY] if dx == 0 else cols - x if dx > 0 else x):
        bits, n = int64(arms[y, x]), 0
        if k > 0:
            state &= ~((LEFT if bits & left else 0) | (RIGHT if bits & right else 0))
            if bits & FREE:
                state &= ~_free_sides(bins, walls, scratch, square, x * size, y * size, dx, dy)
        if bits & ahead:
            scratch[0, 0], scratch[0, 1], scratch[0, 2] = 0, size, COVER
            n = 1
        for m in range(bins[square], bins[square + 1]):
            n = meet(walls, bins[m], x * size, y * size, dx, dy, size, scratch, n)
            if n < 0:
                return
        state = follow(scratch, 0, n, size, state)
        if state == 0:
            return
        ends = False
        for m in range(n):
            if scratch[m, 2] == COVER:
                begins = begins or (k == 0 and scratch[m, 0] == 0)
                ends = ends or scratch[m, 1] == size
        x, y, square, start = x + dx, y + dy, square + dy * cols + dx, start + words
        set_run(along if begins or ends else board, start, x, x)
