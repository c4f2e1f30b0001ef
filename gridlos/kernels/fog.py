"""Squares that conceal: what the lines between two squares pass of them, read from both ends.

A line *passes* a square if it runs through its inside, or along the side that two concealing squares share: then it
passes both. It *touches* a square if it meets its inside or its border.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = ["BORDER", "DEPTH", "INSIDE", "concealed_lines", "lines_meeting"]

INSIDE, BORDER, DEPTH = 0, 1, 2
"""What :func:`concealed_lines` tells of a corner."""

ALL = 0xFFFF


@inner_kernel
def lines_meeting(dx: int, dy: int, x: int, y: int) -> int:
    """Return which of the 16 lines from the square ``(0, 0)`` to ``(dx, dy)`` pass the inside of the square ``(x, y)``, and which meet it.

    Bit ``4 i + j`` is the line from corner ``i`` to corner ``j``, if it passes the inside, and bit ``16 + 4 i + j`` the
    same line, if it meets the inside or the border. A line without length is a point.
    """
    mx, my = 2 * x + 1, 2 * y + 1
    is_between = (0 < x < dx or dx < x < 0) and (0 < y < dy or dy < y < 0)  # so is it for each of the lines
    bits = 0
    for i in range(4):
        ix, iy = i & 1, i >> 1
        for j in range(4):
            jx, jy = dx + (j & 1), dy + (j >> 1)
            side = abs((jx - ix) * (my - 2 * iy) - (jy - iy) * (mx - 2 * ix))
            limit = abs(jx - ix) + abs(jy - iy)
            if is_between:
                bits |= (int64(side < limit) << (4 * i + j)) | (int64(side <= limit) << (16 + 4 * i + j))
            else:
                left, right, top, bottom = min(ix, jx), max(ix, jx), min(iy, jy), max(iy, jy)
                meets = left <= x + 1 and x <= right and top <= y + 1 and y <= bottom and side <= limit
                passes = left <= x < right and top <= y < bottom and side < limit
                bits |= (int64(passes) << (4 * i + j)) | (int64(meets) << (16 + 4 * i + j))
    return bits


@inner_kernel
def _is_within(spaces: Array, k: int, x: int, y: int) -> bool:
    """Is the square one of creature ``k``?"""
    return spaces[k, 0] <= x < spaces[k, 0] + spaces[k, 2] and spaces[k, 1] <= y < spaces[k, 1] + spaces[k, 3]


@inner_kernel
def _add(numbers: Array, lines: int) -> int:
    """Add one to the number of each of these lines; return how many bits that needed.

    The number of line ``k`` stands in the bits ``k`` of ``numbers``, lowest first.
    """
    place = 0
    while lines != 0:
        carry = numbers[place] & lines
        numbers[place] ^= lines
        lines = carry
        place += 1
    return place


@inner_kernel
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


@inner_kernel
def _tell(masks: Array, numbers: Array, n_bits: int, counted: int, turned: bool, result: Array) -> None:
    """Write what the lines from each corner meet into ``result (3, 4)``, for lines to the counted corners.

    ``masks (2, levels)`` are the lines by :data:`INSIDE` or :data:`BORDER` and level; ``numbers`` of ``n_bits`` bits.
    """
    for corner in range(4):
        lines = 0
        for other in range(4):
            if (counted >> other) & 1:
                lines |= 1 << (4 * other + corner if turned else 4 * corner + other)
        for what in range(2):
            for level in range(1, masks.shape[1]):
                if masks[what, level] & lines:
                    result[what, corner] = level
        depth = 0
        for place in range(n_bits - 1, -1, -1):
            depth *= 2
            if numbers[place] & lines:
                depth += 1
                lines &= numbers[place]
        result[DEPTH, corner] = min(depth, 255)


@inner_kernel
def _meet_squares(
    levels: Array, fog: Array, spaces: Array, pair: Array, first: int, second: int, masks: Array, numbers: Array
) -> int:
    """Put what the lines from square ``first`` to square ``second`` meet into ``masks`` and ``numbers``.

    ``masks (2, 2, levels)`` are the lines from creature ``pair[0]`` or ``pair[1]``, by :data:`INSIDE` or :data:`BORDER` and
    level. Returns how many bits of the numbers are used.
    """
    rows, cols = levels.shape
    xa, ya, xb, yb = first % cols, first // cols, second % cols, second // cols
    dx, dy = xb - xa, yb - ya
    sx, sy = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    n, m = abs(dx), abs(dy)
    n_bits = 0
    # The squares that touch the hull of the two: of row j from the first one the columns from floor(n (j - 1) / m) - 1 to
    # ceil(n (j + 1) / m) + 1, here for row -1.
    low, high, low_rest, high_rest, step, rest = int64(-2), n, int64(0), int64(0), int64(0), int64(0)
    if m > 0:
        step = n // m
        rest = n - step * m
        low = -((2 * n + m - 1) // m)
        low_rest, high, high_rest = -2 * n - low * m, int64(0), m - 1
    for j in range(-1, m + 2):
        y = ya + j * sy
        first_x, last_x = max(low, 0) - 1, min(high, n) + 1
        left, right = (xa + first_x, xa + last_x) if sx > 0 else (xa - last_x, xa - first_x)
        for x in range(max(left, 0), min(right, cols - 1) + 1 if 0 <= y < rows else 0):
            level = levels[y, x]
            if level == 0:
                continue
            meeting = lines_meeting(dx, dy, x - xa, y - ya)
            touching, passing = meeting >> 16, meeting & ALL
            if n <= 1 or m <= 1:
                passing |= _axis_sides(levels, xa, ya, dx, dy, x, y)
            if fog[y, x]:
                is_own = (x == xa and y == ya) or (x == xb and y == yb)
                n_bits = max(n_bits, _add(numbers, ALL if is_own else passing))
            for end in range(2):
                if not _is_within(spaces, pair[end], x, y):
                    masks[end, INSIDE, level] |= passing
                    masks[end, BORDER, level] |= touching
        low, low_rest, high, high_rest = low + step, low_rest + rest, high + step, high_rest + rest
        if low_rest >= m:
            low, low_rest = low + 1, low_rest - m
        if high_rest >= m:
            high, high_rest = high + 1, high_rest - m
    return n_bits


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
    highest = int64(0)
    for y in range(rows):
        for x in range(cols):
            highest = max(highest, int64(levels[y, x]))
            before[y + 1, x + 1] = before[y, x + 1] + before[y + 1, x] - before[y, x] + (levels[y, x] != 0)
    masks = np.empty((2, 2, highest + 1), np.int64)
    numbers = np.empty(32, np.int64)
    for pair in range(len(pairs)):
        for choice in range(starts[pair], starts[pair + 1]):
            first, second = squares[choice, 0], squares[choice, 1]
            xa, ya, xb, yb = first % cols, first // cols, second % cols, second // cols
            left, right = max(min(xa, xb) - 1, 0), min(max(xa, xb) + 2, cols)
            top, bottom = max(min(ya, yb) - 1, 0), min(max(ya, yb) + 2, rows)
            if before[bottom, right] - before[top, right] == before[bottom, left] - before[top, left]:
                continue
            masks[:] = 0
            numbers[:] = 0
            n_bits = _meet_squares(levels, fog, spaces, pairs[pair], first, second, masks, numbers)
            _tell(masks[0], numbers, n_bits, int64(counted[second]), False, result[choice, 0])
            _tell(masks[1], numbers, n_bits, int64(counted[first]), True, result[choice, 1])
    return result
