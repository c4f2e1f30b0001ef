"""All lines from one square to all others, where all walls are on the grid: sweeps row by row over what is still open.

From a corner the lines into one quadrant are kept as intervals of slopes ``|dx| / |dy|``, fractions whose ends belong to
them or not. An edge takes the slopes that lead through its inside; what leads past its ends stays. A corner with arms on
both sides of a line takes that one slope. The row reached next holds the free ends as ranges of columns.

Boards are those of :mod:`gridlos.kernels.table` with a ``stride`` that is a multiple of 64: rows begin with a word.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.table import MIRRORED, NOT_EAST, NOT_NORTH, NOT_SOUTH, NOT_WEST, PASSED, uint64

__all__ = ["lines_from", "numbers_of"]

LOW, LOW_BY, HAS_LOW, HIGH, HIGH_BY, HAS_HIGH = 0, 1, 2, 3, 4, 5
"""Columns of an interval: its lower end as numerator and denominator, whether that belongs to it; the same of its upper end."""


@inner_kernel
def _is_set(words: Array, place: int, x: int) -> int:
    return int64(words[place + (x >> 6)] >> uint64(x & 63)) & 1


@inner_kernel
def _first_bit(word: int, step: int) -> int:
    """Return how many clear bits a word that is not 0 begins with, from below (``step`` 1) or from above (-1)."""
    n, half = 0, 32
    while half > 0:
        part = word << uint64(64 - half) if step > 0 else word >> uint64(64 - half)
        if part == uint64(0):
            n += half
            word = word >> uint64(half) if step > 0 else word << uint64(half)
        half >>= 1
    return n


@inner_kernel
def _next(words: Array, more: Array, place: int, x: int, end: int, step: int) -> int:
    """Return the first ``x``, from the given one on in steps of 1 or -1, whose bit is clear in one of two rows; else ``end``."""
    while (end - x) * step > 0:
        word = ~(words[place + (x >> 6)] & more[place + (x >> 6)])
        word = word >> uint64(x & 63) if step > 0 else word << uint64(63 - (x & 63))
        if word != uint64(0):
            x += step * _first_bit(word, step)
            return x if (end - x) * step > 0 else end
        x = (x | 63) + 1 if step > 0 else (x & ~63) - 1
    return end


@inner_kernel
def _add(found: Array, n: int, low: int, low_by: int, has_low: int, high: int, high_by: int, has_high: int) -> int:
    """Add an interval, unless it is empty; return how many there are."""
    order = low * high_by - high * low_by
    if order > 0 or (order == 0 and not (has_low and has_high)):
        return n
    found[n, LOW], found[n, LOW_BY], found[n, HAS_LOW] = low, low_by, has_low
    found[n, HIGH], found[n, HIGH_BY], found[n, HAS_HIGH] = high, high_by, has_high
    return n + 1


@inner_kernel
def _range(one: Array, row: int, most: int) -> tuple[int, int]:
    """Return the first and the last ``|dx|`` up to ``most`` whose slope in that row belongs to the interval."""
    first = -(-one[LOW] * row // one[LOW_BY])
    if not one[HAS_LOW] and first * one[LOW_BY] == one[LOW] * row:
        first += 1
    last = most
    if one[HIGH] * row < (most + 1) * one[HIGH_BY]:
        last = one[HIGH] * row // one[HIGH_BY]
        if not one[HAS_HIGH] and last * one[HIGH_BY] == one[HIGH] * row:
            last -= 1
    return first, last


@inner_kernel
def _past_columns(
    now: Array, n: int, then: Array, walls: Array, place: int, x: int, sx: int, most: int, row: int
) -> int:
    """Take from the intervals what vertical edges stop between ``row - 1`` and ``row``; return how many intervals are left."""
    m = 0
    for k in range(n):
        low, low_by, has_low = now[k, LOW], now[k, LOW_BY], now[k, HAS_LOW]
        high, high_by, has_high = now[k, HIGH], now[k, HIGH_BY], now[k, HAS_HIGH]
        # Edges at |dx| = i stop the slopes between i / row and i / (row - 1).
        i = max(low * (row - 1) // low_by, 1)
        i = (_next(walls, walls, place, x + sx * i, x + sx * (most + 1), sx) - x) * sx if i <= most else most + 1
        while i <= most and i * high_by < high * row:
            if i * low_by >= low * row:
                m = _add(then, m, low, low_by, has_low, i, row, 1)
            if i * low_by > low * (row - 1):
                low, low_by, has_low = i, row - 1, 1
            i = (
                (_next(walls, walls, place, x + sx * (i + 1), x + sx * (most + 1), sx) - x) * sx
                if i < most
                else most + 1
            )
        if low_by > 0:
            m = _add(then, m, low, low_by, has_low, high, high_by, has_high)
    return m


@inner_kernel
def _past_row(
    now: Array, n: int, then: Array, edges: Array, joints: Array, place: int, x: int, sx: int, most: int, row: int
) -> int:
    """Take from the intervals what horizontal edges and corners with arms on both sides stop in a row; return how many are left."""
    m = 0
    for k in range(n):
        low, low_by, has_low = now[k, LOW], now[k, LOW_BY], now[k, HAS_LOW]
        high, high_by, has_high = now[k, HIGH], now[k, HIGH_BY], now[k, HAS_HIGH]
        i = low * row // low_by
        while True:
            i = (_next(edges, joints, place, x + sx * i, x + sx * (most + 1), sx) - x) * sx
            if i > most or i * high_by > high * row:
                break
            if i > 0 and not _is_set(joints, place, x + sx * i) and i * low_by >= low * row:
                m = _add(then, m, low, low_by, has_low, i, row, 0)
                low, low_by, has_low = i, row, 0
            if i < most and i * high_by < high * row and not _is_set(edges, place, x + sx * i):
                if i * low_by >= low * row:
                    m = _add(then, m, low, low_by, has_low, i, row, 1)
                low, low_by, has_low = i + 1, row, 1
            i += 1
        m = _add(then, m, low, low_by, has_low, high, high_by, has_high)
    return m


@inner_kernel
def _set_range(words: Array, place: int, first: int, last: int) -> None:
    """Set the bits from ``first`` to ``last``."""
    for w in range(first >> 6, (last >> 6) + 1):
        bits = ~uint64(0)
        if w == first >> 6:
            bits = bits << uint64(first & 63)
        if w == last >> 6:
            bits = bits & (~uint64(0) >> uint64(63 - (last & 63)))
        words[place + w] |= bits


@inner_kernel
def _sweep(masks: Array, free: Array, x: int, y: int, sx: int, sy: int, shape: Array, now: Array, then: Array) -> None:
    """Set in ``free`` the corners to which lines from ``(x, y)`` into one quadrant lead, whatever the walls at both ends."""
    rows, cols, words = shape[0], shape[1], shape[2] >> 6
    most = cols - x if sx > 0 else x
    walls = masks[NOT_SOUTH if sy > 0 else NOT_NORTH]
    edges = masks[NOT_EAST if sx > 0 else NOT_WEST]
    joints = masks[PASSED if sx == sy else MIRRORED + PASSED]
    n = _add(now, 0, 0, 1, 0, 1, 0, 0)
    for row in range(1, (rows - y if sy > 0 else y) + 1):
        n = _past_columns(now, n, then, walls, (y + sy * (row - 1)) * words, x, sx, most, row)
        place, kept = (y + sy * row) * words, 0
        for k in range(n):
            first, last = _range(then[k], row, most)
            if first <= last:
                a, b = x + sx * first, x + sx * last
                _set_range(free, place, min(a, b), max(a, b))
            if first <= most:  # what has left the map does not come back
                for c in range(6):
                    then[kept, c] = then[k, c]
                kept += 1
        n = _past_row(then, kept, now, edges, joints, place, x, sx, most, row)
        if n == 0:
            return


@inner_kernel
def _end(
    lines: Array, ways: Array, line: int, column: int, row: int, sides: int, p: int, step: int, shape: Array
) -> None:
    """Set the bits of a line on an axis for the squares round the corner where it ends on some ``sides``.

    ``p`` is the quadrant behind the end on side 0, ``p + step`` that on side 1.
    """
    rows, cols, words = shape[0], shape[1], shape[2] >> 6
    for cb in range(4):
        x, y = column - (cb & 1), row - (cb >> 1)
        if 0 <= x < cols and 0 <= y < rows:
            way = int64(ways[row * (cols + 1) + column]) >> (4 * (3 - cb)) & 15
            if (sides & 1 and way >> p & 1) or (sides & 2 and way >> (p + step) & 1):
                lines[4 * line + cb, y * words + (x >> 6)] |= uint64(1) << uint64(x & 63)


@inner_kernel
def _along_axes(masks: Array, ways: Array, lines: Array, line: int, x: int, y: int, shape: Array) -> None:
    """Set the bits of all lines on an axis from corner ``line`` of the square, which is at ``(x, y)``, and of that without length."""
    rows, cols, words = shape[0], shape[1], shape[2] >> 6
    behind = int64(ways[y * (cols + 1) + x]) >> (4 * (3 - line)) & 15
    for cb in range(4):
        xb, yb = x - (cb & 1), y - (cb >> 1)
        if 0 <= xb < cols and 0 <= yb < rows and behind >> (3 - cb) & 1:
            lines[4 * line + cb, yb * words + (xb >> 6)] |= uint64(1) << uint64(xb & 63)
    for turned in range(2):
        side0, side1 = masks[NOT_WEST if turned else NOT_NORTH], masks[NOT_EAST if turned else NOT_SOUTH]
        step = 1 if turned else 2  # from the quadrant on side 0 to that on side 1
        for sign in range(-1, 2, 2):
            if turned:
                ahead, q, p = (masks[NOT_SOUTH], 2, 0) if sign > 0 else (masks[NOT_NORTH], 0, 2)
                length = rows - y if sign > 0 else y
            else:
                ahead, q, p = (masks[NOT_EAST], 1, 0) if sign > 0 else (masks[NOT_WEST], 0, 1)
                length = cols - x if sign > 0 else x
            sides = (behind >> q & 1) | (behind >> (q + step) & 1) << 1
            column, row = x, y
            for k in range(length):
                place = row * words
                if k > 0:
                    sides &= _is_set(side0, place, column) | _is_set(side1, place, column) << 1
                if sides and _is_set(ahead, place, column):
                    sides = 3
                if sides == 0:
                    break
                column, row = (column, row + sign) if turned else (column + sign, row)
                _end(lines, ways, line, column, row, sides, p, step, shape)


@kernel
def lines_from(masks: Array, sectors: Array, ways: Array, x: int, y: int, shape: Array) -> Array:
    """Return ``(16, rows * stride / 64)`` uint64: boards of squares to which each of the lines from the square ``(x, y)`` is free.

    ``shape`` is ``rows, cols, stride``; board ``4 i + j`` is of the lines from corner ``i`` to corner ``j``.
    """
    rows, cols, words = shape[0], shape[1], shape[2] >> 6
    lines = np.zeros((16, rows * words), np.uint64)
    free = np.empty((rows + 1) * words + 1, np.uint64)
    now, then = (
        np.empty((2 * (rows + 1) * (cols + 1), 6), np.int64),
        np.empty((2 * (rows + 1) * (cols + 1), 6), np.int64),
    )
    right = np.empty(words + 1, np.uint64)
    for line in range(4):
        cx, cy = x + (line & 1), y + (line >> 1)
        behind = int64(ways[cy * (cols + 1) + cx]) >> (4 * (3 - line)) & 15
        free[:] = uint64(0)
        for q in range(4):
            if behind >> q & 1:
                _sweep(masks, free, cx, cy, 1 if q & 1 else -1, 1 if q & 2 else -1, shape, now, then)
        right[:] = uint64(0)
        _set_range(right, 0, cx, 64 * words + 63)  # on the axis nothing is free yet
        for cb in range(4):
            for row in range(rows):
                end = row + (cb >> 1)
                behind_left, behind_right = (1, 0) if end > cy else (3, 2)
                for w in range(words):
                    place = end * words + w
                    found, side = free[place], right[w]
                    if cb & 1:
                        found = found >> uint64(1)
                        side = (side >> uint64(1)) | (right[w + 1] << uint64(63))
                        if w + 1 < words:
                            found |= free[place + 1] << uint64(63)
                    on_right, on_left = (
                        sectors[4 * cb + behind_right, row * words + w],
                        sectors[4 * cb + behind_left, row * words + w],
                    )
                    lines[4 * line + cb, row * words + w] = found & ((on_right & side) | (on_left & ~side))
        _along_axes(masks, ways, lines, line, cx, cy, shape)
    return lines


@kernel
def numbers_of(lines: Array, shape: Array, back: bool) -> Array:
    """Return ``(rows, cols)`` uint8: the least number of lines blocked from any corner of the square that the lines come from.

    If ``back``, it is from any corner of the other squares to the one that the lines come from.
    """
    rows, cols, words = shape[0], shape[1], shape[2] >> 6
    result = np.empty((rows, cols), np.uint8)
    row_of, line_of = (1, 4) if back else (4, 1)
    for row in range(rows):
        for w in range(words):
            place = row * words + w
            some = two = three = four = uint64(0)
            for c in range(4):
                a, b = lines[row_of * c, place], lines[row_of * c + line_of, place]
                d, e = lines[row_of * c + 2 * line_of, place], lines[row_of * c + 3 * line_of, place]
                or1, and1, or2, and2 = a | b, a & b, d | e, d & e
                some |= or1 | or2
                two |= and1 | and2 | (or1 & or2)
                three |= (and1 & or2) | (or1 & and2)
                four |= and1 & and2
            for x in range(64 * w, min(cols, 64 * w + 64)):
                bit = uint64(x & 63)
                free = (
                    (some >> bit & uint64(1))
                    + (two >> bit & uint64(1))
                    + (three >> bit & uint64(1))
                    + (four >> bit & uint64(1))
                )
                result[row, x] = uint64(4) - free
    return result
