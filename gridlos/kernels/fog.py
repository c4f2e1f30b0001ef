"""Squares that conceal: what the lines between two squares pass of them, read from both ends.

A line *passes* a square if it runs through its inside, or along the side that two concealing squares share: then it
passes both. It *touches* a square if it meets its inside or its border.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, int64, kernel
from gridlos.kernels.soft import lines_through

__all__ = ["BORDER", "DEPTH", "INSIDE", "concealed_lines", "lines_touching"]

INSIDE, BORDER, DEPTH = 0, 1, 2
"""What :func:`concealed_lines` tells of a corner."""

LEVELS = 6
"""Rows of masks: one a level of Concealment."""

ALL = 0xFFFF


@kernel
def lines_touching(dx: int, dy: int, x: int, y: int) -> int:
    """Return which of the 16 lines from the square ``(0, 0)`` to ``(dx, dy)`` meet the square ``(x, y)`` or its border.

    Bits as in :func:`gridlos.kernels.soft.lines_through`; a line without length is a point.
    """
    bits = 0
    for i in range(4):
        ix, iy = i & 1, i >> 1
        for j in range(4):
            jx, jy = dx + (j & 1), dy + (j >> 1)
            apart = min(ix, jx) > x + 1 or max(ix, jx) < x or min(iy, jy) > y + 1 or max(iy, jy) < y
            side = (jx - ix) * (2 * y + 1 - 2 * iy) - (jy - iy) * (2 * x + 1 - 2 * ix)
            if not apart and abs(side) <= abs(jx - ix) + abs(jy - iy):
                bits |= 1 << (4 * i + j)
    return bits


@kernel
def _is_within(spaces: Array, k: int, x: int, y: int) -> bool:
    """Is the square one of creature ``k``?"""
    return spaces[k, 0] <= x < spaces[k, 0] + spaces[k, 2] and spaces[k, 1] <= y < spaces[k, 1] + spaces[k, 3]


@kernel
def _add(counters: Array, bits: int) -> None:
    """Add one to the number of each of these lines; that of line ``k`` is in the bits ``k`` of ``counters``, lowest first."""
    for place in range(len(counters)):
        carry = counters[place] & bits
        counters[place] ^= bits
        bits = carry
        if bits == 0:
            break


@kernel
def _axis_sides(levels: Array, xa: int, ya: int, dx: int, dy: int, x: int, y: int) -> int:
    """Return which of the 16 lines from ``(xa, ya)`` run along a side of the square ``(x, y)`` with another that conceals."""
    rows, cols = levels.shape
    bits = 0
    for i in range(4):
        for j in range(4):
            px, py, qx, qy = xa + (i & 1), ya + (i >> 1), xa + dx + (j & 1), ya + dy + (j >> 1)
            runs = False
            if px == qx and min(py, qy) <= y < max(py, qy):
                runs = (px == x and x > 0 and levels[y, x - 1] != 0) or (
                    px == x + 1 and x + 1 < cols and levels[y, x + 1] != 0
                )
            elif py == qy and min(px, qx) <= x < max(px, qx):
                runs = (py == y and y > 0 and levels[y - 1, x] != 0) or (
                    py == y + 1 and y + 1 < rows and levels[y + 1, x] != 0
                )
            if runs:
                bits |= 1 << (4 * i + j)
    return bits


@kernel
def _tell(masks: Array, counters: Array, n_bits: int, counted: int, turned: bool, result: Array) -> None:
    """Write what the lines from each corner pass into ``result (3, 4)``, for lines to the counted corners.

    Numbers in ``counters`` have ``n_bits`` bits.
    """
    for corner in range(4):
        lines = 0
        for other in range(4):
            if (counted >> other) & 1:
                lines |= 1 << (4 * other + corner if turned else 4 * corner + other)
        for what in range(2):
            for level in range(1, LEVELS):
                if masks[what, level] & lines:
                    result[what, corner] = level
        depth = 0
        for place in range(n_bits - 1, -1, -1):
            depth *= 2
            if counters[place] & lines:
                depth += 1
                lines &= counters[place]
        result[DEPTH, corner] = min(depth, 255)


@kernel
def concealed_lines(
    levels: Array, fog: Array, spaces: Array, pairs: Array, starts: Array, squares: Array, counted: Array
) -> Array:
    """Return ``(C, 2, 3, 4)`` uint8: what the lines of each choice pass, from the one end and from the other.

    The axes are the choice; 0 for lines from the first square, 1 for lines from the second; :data:`INSIDE`,
    :data:`BORDER`, :data:`DEPTH`; the corner from which the four lines go. The first two are the highest level of a
    square that a line passes, or touches, those of the creature's own space left out from which the line goes. The third
    is the largest number of fog squares on one line, at most 255: those that it passes, and the two squares of the choice
    in any case.

    Parameters
    ----------
    levels
        ``(rows, cols)`` uint8 of Concealment.
    fog
        ``(rows, cols)`` bool; fog conceals.
    spaces
        ``(n, 4)`` int32 of all creatures.
    pairs
        ``(P, 2)`` int64: two creatures.
    starts
        ``(P + 1,)`` int64: the choices of pair ``k`` are ``starts[k] : starts[k + 1]``.
    squares
        ``(C, 2)`` int64: ``row * cols + column`` of the two squares of each choice.
    counted
        ``(rows * cols,)`` uint8: nibble of the corners of each square that lines go to.
    """
    rows, cols = levels.shape
    result = np.zeros((len(squares), 2, 3, 4), np.uint8)
    before = np.zeros((rows + 1, cols + 1), np.int64)  # concealing squares above and left of a grid corner
    highest = 0
    for y in range(rows):
        for x in range(cols):
            before[y + 1, x + 1] = before[y, x + 1] + before[y + 1, x] - before[y, x] + (levels[y, x] != 0)
            highest = max(highest, levels[y, x])
    masks = np.empty((2, 2, LEVELS), np.int64)  # lines from an end, by INSIDE or BORDER and level
    counters = np.empty(32, np.int64)
    for pair in range(len(pairs)):
        for choice in range(starts[pair], starts[pair + 1]):
            first, second = squares[choice, 0], squares[choice, 1]
            xa, ya, xb, yb = first % cols, first // cols, second % cols, second // cols
            left, right = max(min(xa, xb) - 1, 0), min(max(xa, xb) + 1, cols - 1)
            top, bottom = max(min(ya, yb) - 1, 0), min(max(ya, yb) + 1, rows - 1)
            if before[bottom + 1, right + 1] - before[top, right + 1] == before[bottom + 1, left] - before[top, left]:
                continue
            dx, dy = xb - xa, yb - ya
            n, m = abs(dx), abs(dy)
            is_near = n <= 1 or m <= 1
            masks[:] = 0
            counters[:] = 0
            n_bits = 3
            while 2 * (n + m) + 4 >= 1 << n_bits:  # a line passes fewer squares
                n_bits += 1
            for y in range(top, bottom + 1):
                # The columns in which squares of this row touch the hull of the two squares.
                low, high = left, right
                if m > 0:
                    j = (y - ya) if dy > 0 else (ya - y)
                    near, far = (n * (j - 1)) // m - 1, -((-n * (j + 1)) // m) + 1
                    low, high = (xa + near, xa + far) if dx > 0 else (xa - far, xa - near)
                    low, high = max(low, left), min(high, right)
                for x in range(low, high + 1):
                    level = levels[y, x]
                    if level == 0:
                        continue
                    in_a, in_b = _is_within(spaces, pairs[pair, 0], x, y), _is_within(spaces, pairs[pair, 1], x, y)
                    passing = lines_through(dx, dy, x - xa, y - ya)
                    if is_near:
                        passing |= _axis_sides(levels, xa, ya, dx, dy, x, y)
                    if fog[y, x]:
                        is_own = (x == xa and y == ya) or (x == xb and y == yb)
                        _add(counters, ALL if is_own else passing)
                    touching = passing
                    if masks[0, BORDER, highest] != ALL or masks[1, BORDER, highest] != ALL:
                        touching = lines_touching(dx, dy, x - xa, y - ya)
                    if not in_a:
                        masks[0, INSIDE, level] |= passing
                        masks[0, BORDER, level] |= touching
                    if not in_b:
                        masks[1, INSIDE, level] |= passing
                        masks[1, BORDER, level] |= touching
            _tell(masks[0], counters, n_bits, int64(counted[second]), False, result[choice, 0])
            _tell(masks[1], counters, n_bits, int64(counted[first]), True, result[choice, 1])
    return result
