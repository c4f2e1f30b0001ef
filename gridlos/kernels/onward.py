"""Squares that one can come to from a space by steps that never lead back.

A straight segment leads through squares that one comes to from each other through edges where nothing stands, and on each
axis in one direction only: where no such steps lead, there is no line of effect. Rows of squares are bits of words, so that
all squares that a space leads to are found row by row. Free walls are told from nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.walk import EAST, SOUTH

__all__ = ["are_joined", "choices_joined", "index_steps", "lead_inside"]

uint64: Any = np.uint64
"""Untyped, since in a kernel there is but one kind of word."""

BITS = 63
"""Squares a word: a sum of two words of so many bits needs no more than 64."""

ACROSS, DOWN = 0, 1
"""Kinds of steps: to a square from the one before it in its row, and from the one above it."""


@inner_kernel
def _bit(column: int) -> Any:  # noqa: ANN401
    return uint64(1) << uint64(column % BITS)


@kernel
def index_steps(arms: Array) -> Array:
    """Return ``(2, 2, rows + 1, words)`` uint64: by which steps one comes to each square, a bit a square.

    The first axis says whether columns are counted from the right, the second which step: ``ACROSS`` or ``DOWN``.
    ``arms (rows + 1, cols + 1)`` come from :func:`gridlos.kernels.index.index_arms`.
    """
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    steps = np.zeros((2, 2, rows + 1, (cols - 1) // BITS + 1), np.uint64)
    for y in range(rows):
        for x in range(cols):
            behind = cols - 1 - x
            if y > 0 and not arms[y, x] & EAST:
                steps[0, DOWN, y, x // BITS] |= _bit(x)
                steps[1, DOWN, y, behind // BITS] |= _bit(behind)
            if x > 0 and not arms[y, x] & SOUTH:
                steps[0, ACROSS, y, x // BITS] |= _bit(x)
                steps[1, ACROSS, y, (behind + 1) // BITS] |= _bit(behind + 1)
    return steps


@inner_kernel
def _row_of(space: Array, is_turned: int, cols: int, word: int) -> Any:  # noqa: ANN401
    """Return the bits of a row of the space in a word of a row of squares."""
    first = (cols - space[0] - space[2] if is_turned else space[0]) - BITS * word
    low, high = max(first, 0), min(first + space[2], BITS)
    if low >= high:
        return uint64(0)
    return (~uint64(0) >> uint64(64 - (high - low))) << uint64(low)


@inner_kernel
def _fill_row(steps: Array, board: Array, y: int, before: int, space: Array, is_turned: int, cols: int) -> bool:
    """Write row ``y`` of the board: what one comes to from the row ``before`` (-1: none) and from the space; return if that is any."""
    is_own = space[1] <= y < space[1] + space[3]
    border = max(y, before)
    carry, some = uint64(0), uint64(0)
    for word in range(board.shape[1]):
        found = uint64(0)
        if before >= 0:
            found = board[before, word] & steps[is_turned, DOWN, border, word]
        if is_own:
            found |= _row_of(space, is_turned, cols, word)
        ways = steps[is_turned, ACROSS, y, word]
        entered = (found << uint64(1) | carry) & ways
        # The sum carries a bit from where a stretch of open edges is entered to its end.
        found |= entered | (ways & (ways ^ (ways + entered)))
        carry = found >> uint64(BITS - 1)
        board[y, word] = found
        some |= found
    return some != uint64(0)


@inner_kernel
def _fill(steps: Array, boards: Array, ends: Array, space: Array, top: int, bottom: int, cols: int) -> None:
    """Write all that one comes to from the space in the rows ``top`` up to ``bottom``, into boards ``2 * is_turned + is_up``.

    ``ends`` become the last row of each that is written.
    """
    for k in range(4):
        is_up = k & 1
        before = int64(-1)
        y = space[1] + space[3] - 1 if is_up else space[1]
        while top <= y < bottom and _fill_row(steps, boards[k], y, before, space, k >> 1, cols):
            before = y
            y += -1 if is_up else 1
        ends[k] = before


@inner_kernel
def _leads_to(boards: Array, ends: Array, start: Array, space: Array, cols: int) -> bool:
    """Is there a square of the space on the boards that were written from the space ``start``?"""
    for k in range(4):
        first, last = (ends[k], start[1] + start[3] - 1) if k & 1 else (start[1], ends[k])
        left = cols - space[0] - space[2] if k >> 1 else space[0]
        for y in range(max(first, space[1]), min(last, space[1] + space[3] - 1) + 1):
            for word in range(left // BITS, (left + space[2] - 1) // BITS + 1):
                if boards[k, y, word] & _row_of(space, k >> 1, cols, word):
                    return True
    return False


@inner_kernel
def _region(labels: Array, space: Array, cols: int) -> int:
    """Return the region of all squares of the space, -1 if they lie in several."""
    label = int64(labels[space[1] * cols + space[0]])
    for y in range(space[1], space[1] + space[3]):
        for x in range(space[0], space[0] + space[2]):
            if labels[y * cols + x] != label:
                return int64(-1)
    return label


@inner_kernel
def _share_region(labels: Array, a: Array, b: Array, cols: int) -> bool:
    """Does a square of the one space lie in the region of a square of the other?"""
    for y in range(a[1], a[1] + a[3]):
        for x in range(a[0], a[0] + a[2]):
            for v in range(b[1], b[1] + b[3]):
                for u in range(b[0], b[0] + b[2]):
                    if labels[y * cols + x] == labels[v * cols + u]:
                        return True
    return False


@inner_kernel
def _grow(space: Array, rows: int, cols: int, block: Array) -> None:
    """Write the space and the squares around it that are on the map."""
    block[0], block[1] = max(space[0] - 1, 0), max(space[1] - 1, 0)
    block[2] = min(space[0] + space[2] + 1, cols) - block[0]
    block[3] = min(space[1] + space[3] + 1, rows) - block[1]


@kernel
def are_joined(labels: Array, steps: Array, spaces: Array, pairs: Array, cols: int) -> Array:
    """Return ``(n,)`` bool: may steps that never lead back join the two spaces, or squares around them?

    Else the spaces have no line of effect. Nor is any line between squares of them free that are two rows and two columns
    apart or more: a thin tube around it goes round its first corner, takes such a way, and goes round its last corner. (Tubes
    around lines along an axis may go to and fro between the rows or columns on both sides.) Nor are those that lie in no
    common region.

    Parameters
    ----------
    labels
        The region of each square, from :func:`gridlos.kernels.regions.label_regions`.
    steps
        From :func:`index_steps`.
    spaces, pairs
        ``(s, 4)`` int64, ``x, y, width, height``; ``(n, 2)`` int64, places in it.
    """
    rows = steps.shape[2] - 1
    result = np.zeros(len(pairs), np.bool_)
    boards, ends = np.empty((4, rows, steps.shape[3]), np.uint64), np.empty(4, np.int64)
    region, blocks = np.empty(len(spaces), np.int64), np.empty(spaces.shape, np.int64)
    for k in range(len(spaces)):
        region[k] = _region(labels, spaces[k], cols)
        _grow(spaces[k], rows, cols, blocks[k])
    k = 0
    while k < len(pairs):
        # Consecutive pairs that have one of their two in common are asked about together.
        end = k + 1
        shared = 1 if end < len(pairs) and pairs[end, 1] == pairs[k, 1] else 0
        while end < len(pairs) and pairs[end, shared] == pairs[k, shared]:
            end += 1
        first = pairs[k, shared]
        start = blocks[first]
        top, bottom, some = start[1], start[1] + start[3], False
        for pair in range(k, end):
            a, b = region[pairs[pair, 0]], region[pairs[pair, 1]]
            if a != b and a >= 0 and b >= 0:
                continue
            other = pairs[pair, 1 - shared]
            if a == b >= 0 or _share_region(labels, spaces[first], spaces[other], cols):
                result[pair] = some = True
                top, bottom = min(top, blocks[other, 1]), max(bottom, blocks[other, 1] + blocks[other, 3])
        if some:
            _fill(steps, boards, ends, start, top, bottom, cols)
        for pair in range(k, end):
            if result[pair]:
                result[pair] = _leads_to(boards, ends, start, blocks[pairs[pair, 1 - shared]], cols)
        k = end
    return result


@kernel
def choices_joined(labels: Array, joined: Array, starts: Array, squares: Array, cols: int) -> Array:
    """Return ``(m,)`` int64: the choices, of all, between whose squares a line may be free.

    ``joined`` is what :func:`are_joined` says of the pairs; the choices ``squares (n, 2)``, ``row * cols + column``, of pair
    ``k`` are ``starts[k]`` up to ``starts[k + 1]``.
    """
    found = np.empty(len(squares), np.int64)
    n = 0
    for pair in range(len(joined)):
        for choice in range(starts[pair], starts[pair + 1]):
            a, b = squares[choice, 0], squares[choice, 1]
            if labels[a] != labels[b]:
                continue
            if not joined[pair]:
                ya, yb = a // cols, b // cols
                if abs(ya - yb) > 1 and abs((a - ya * cols) - (b - yb * cols)) > 1:
                    continue
            found[n] = choice
            n += 1
    return found[:n].copy()


@inner_kernel
def _is_open(arms: Array, u: int, v: int, across: bool, turned: bool) -> bool:
    """Does nothing stand between square ``u`` of row ``v`` and the one before it in the row, or (not ``across``) in the row before?

    ``turned``: rows are columns of the map.
    """
    kind = SOUTH if across != turned else EAST
    return (arms[u, v] if turned else arms[v, u]) & kind == 0


@inner_kernel
def _leads_inside(arms: Array, x: int, y: int, dx: int, dy: int, turned: bool, reach: Array) -> bool:
    """Do steps lead from square ``x`` of row ``y`` to the one ``(dx, dy)`` away, inside their hull? ``reach`` is room for a row."""
    n, m, sx, sy = abs(dx), abs(dy), (1 if dx >= 0 else -1), (1 if dy >= 0 else -1)
    reach[: n + 1] = False
    reach[0] = True
    for j in range(m + 1):
        # The hull holds the squares floor(n (j - 1) / m) … ceil(n (j + 1) / m) of row j.
        first, last = (max(n * (j - 1) // m, 0), min(-(-n * (j + 1) // m), n)) if m > 0 else (0, n)
        v, some = y + sy * j, False
        for i in range(first, last + 1):
            u = x + sx * i
            if j > 0 and reach[i]:
                reach[i] = _is_open(arms, u, v + (sy < 0), False, turned)
            if i > first and reach[i - 1] and not reach[i]:
                reach[i] = _is_open(arms, u + (sx < 0), v, True, turned)
            some |= reach[i]
        if not some:
            return False
    return reach[n]


@kernel
def lead_inside(arms: Array, spaces: Array, pairs: Array) -> Array:
    """Return ``(n,)`` bool: between which pairs do steps onward lead through squares that their hull meets? Others have no line of effect.

    It is asked about spaces of one square; of larger ones True is said. A segment from the inside of one square to that of
    another stays in the inside of their hull; where it passes a corner of the grid at which nothing stands, squares on
    both sides of it are in that, too. ``arms`` are as for :func:`index_steps`, ``spaces`` and ``pairs`` as for :func:`are_joined`.
    """
    result = np.ones(len(pairs), np.bool_)
    reach = np.empty(max(arms.shape[0], arms.shape[1]), np.bool_)
    for k in range(len(pairs)):
        a, b = spaces[pairs[k, 0]], spaces[pairs[k, 1]]
        if a[2] * a[3] * b[2] * b[3] == 1:
            dx, dy = b[0] - a[0], b[1] - a[1]
            if abs(dx) >= abs(dy):
                result[k] = _leads_inside(arms, a[0], a[1], dx, dy, False, reach)
            else:
                result[k] = _leads_inside(arms, a[1], a[0], dy, dx, True, reach)
    return result
