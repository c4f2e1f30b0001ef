"""Creatures in the way: which of the lines between two squares pass through other creatures.

A creature blocks by the inside of its whole space, or together with another one along a side that they share. On the
grid both are the same question about single squares. A line that is not along the grid runs inside a space exactly if
it passes the inside of one of its squares; a line along the grid is blocked exactly if somewhere both squares beside it
are taken, by one creature or by two. So a count of blocking creatures in each square is all that is needed, and who
does not block a pair is taken off it for as long as the pair is asked about.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = ["ALL", "index_sharers", "lines_through", "soft_lines"]

ALL = 0xFFFF

PLACE_OF_BIT = np.array([next((k for k in range(32) if (1 << k) % 37 == rest), 0) for rest in range(37)])
"""The number of a bit below 32 by its remainder modulo 37, in which the 32 powers of two differ."""


@inner_kernel
def _mark_overlaps(sides: Array, left: int, top: int, right: int, bottom: int, found: Array) -> None:
    """Mark the spaces that share a square with one; ``sides (4, n)`` are those of all."""
    for k in range(len(found)):
        found[k] |= (sides[0, k] < right) & (left < sides[2, k]) & (sides[1, k] < bottom) & (top < sides[3, k])


@kernel
def index_sharers(spaces: Array, mounts: Array) -> Array:
    """Return who shares a square with whom, itself included, or rides or carries it.

    ``spaces (n, 4)`` and ``mounts (n,)`` int32, -1 for who rides nobody. Those of creature ``k`` are
    ``sharers[sharers[k] : sharers[k + 1]]``, ascending; int32.
    """
    n = len(spaces)
    shares, sides = np.zeros((n, n), np.bool_), np.empty((4, n), np.int32)
    for k in range(n):
        sides[0, k], sides[1, k] = spaces[k, 0], spaces[k, 1]
        sides[2, k], sides[3, k] = spaces[k, 0] + spaces[k, 2], spaces[k, 1] + spaces[k, 3]
    for k in range(n):
        _mark_overlaps(sides, sides[0, k], sides[1, k], sides[2, k], sides[3, k], shares[k])
        if mounts[k] >= 0:
            shares[k, mounts[k]] = shares[mounts[k], k] = True
    total = n + 1 + np.count_nonzero(shares)
    sharers = np.empty(total, np.int32)
    place = n + 1
    for k in range(n):
        sharers[k] = place
        for m in range(n):
            if shares[k, m]:
                sharers[place] = m
                place += 1
    sharers[n] = place
    return sharers


@inner_kernel
def _flip(words: Array, x: int, y: int, width: int, height: int) -> None:
    """Turn the squares of a space from free to taken or back.

    ``words[row, w]`` has bit ``b`` set if the square in column ``32 w + b`` is taken, for 63 columns each: any 32 columns
    in a row stand in one word.
    """
    for row in range(y, y + height):
        for column in range(x, x + width):
            w, bit = column >> 5, column & 31
            words[row, w] ^= int64(1) << bit
            if w > 0 and bit < 31:
                words[row, w - 1] ^= int64(1) << (bit + 32)


@inner_kernel
def _count(counts: Array, words: Array, spaces: Array, k: int, change: int) -> None:
    """Add ``change`` to the squares of creature ``k`` in ``counts (rows, cols)`` and keep ``words`` in step with it."""
    for y in range(int64(spaces[k, 1]), int64(spaces[k, 1]) + spaces[k, 3]):
        for x in range(int64(spaces[k, 0]), int64(spaces[k, 0]) + spaces[k, 2]):
            counts[y, x] += change
            if counts[y, x] == (change > 0):
                _flip(words, x, y, 1, 1)


@inner_kernel
def _set_aside(
    counts: Array, words: Array, spaces: Array, blocks: Array, sharers: Array, a: int, b: int, change: int
) -> None:
    """Take those who never block a line between creatures ``a`` and ``b`` off the count, or put them back."""
    first, last = sharers[a], sharers[a + 1]
    for k in range(first, last):
        if blocks[sharers[k]]:
            _count(counts, words, spaces, sharers[k], change)
    for k in range(sharers[b], sharers[b + 1]):
        m = sharers[k]
        is_done = not blocks[m]
        for other in range(first, last):
            is_done |= sharers[other] == m
        if not is_done:
            _count(counts, words, spaces, m, change)


@inner_kernel
def lines_through(dx: int, dy: int, x: int, y: int) -> int:
    """Return which of the 16 lines from the square ``(0, 0)`` to ``(dx, dy)`` pass the inside of the square ``(x, y)``.

    Bit ``4 i + j`` is the line from corner ``i`` to corner ``j``. Lines along the grid pass no inside.
    """
    # With corners I and J in {0, 1}² the line runs along e = d + J - I, and twice the cross product of e and the way
    # from I to the middle of the square is a part for I, a part for J and 2 (I × J).
    mx, my = 2 * x + 1, 2 * y + 1
    whole = dx * my - dy * mx
    sx, sy = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    strictly = 0 < x * sx < dx * sx and 0 < y * sy < dy * sy and dx * sx > 1 and dy * sy > 1
    bits = 0
    for i in range(4):
        ix, iy = i & 1, i >> 1
        from_i = whole - 2 * (dx * iy - dy * ix) - (ix * my - iy * mx)
        for j in range(4):
            jx, jy = j & 1, j >> 1
            ex, ey = dx + jx - ix, dy + jy - iy
            if strictly:
                limit = ex * sx + ey * sy
            else:
                limit = abs(ex) + abs(ey)
                inside = min(ix, dx + jx) <= x < max(ix, dx + jx) and min(iy, dy + jy) <= y < max(iy, dy + jy)
                if not inside:
                    limit = 0
            side = from_i + (jx * my - jy * mx) - 2 * (jx * iy - jy * ix)
            if -limit < side < limit:
                bits |= 1 << (4 * i + j)
    return bits


@inner_kernel
def _oblique_lines(words: Array, x: int, y: int, dx: int, dy: int, are_ends_free: bool) -> int:
    """Return which of the 16 lines from the square ``(x, y)`` along ``(dx, dy)`` pass the inside of a taken square.

    With ``are_ends_free`` these two squares are free, whatever ``words`` say.
    """
    sx, sy = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    n, m = abs(dx), abs(dy)
    # The hull of the two squares holds the columns floor(n (j - 1) / m) … ceil(n (j + 1) / m) of row j.
    low, low_rest, high, high_rest, step, rest = int64(0), int64(0), n, int64(0), int64(0), int64(0)
    if m > 0:
        step = n // m
        rest = n - step * m
        low, low_rest = -step - (rest > 0), (m - rest if rest > 0 else 0)
        high, high_rest = step + (rest > 0), (rest - 1 if rest > 0 else m - 1)
    bits = 0
    for j in range(m + 1):
        first, end = max(low, 0), min(high, n)
        while first <= end:
            last = min(first + 31, end)
            left = x + first if sx > 0 else x - last
            found = (words[y + j * sy, left >> 5] >> (left & 31)) & ((int64(2) << (last - first)) - 1)
            if are_ends_free and j == 0 and first == 0:
                found &= ~(int64(1) << (x - left))
            if are_ends_free and j == m and last == n:
                found &= ~(int64(1) << (x + dx - left))
            while found != 0:
                lowest = found & -found
                found ^= lowest
                bits |= lines_through(dx, dy, left - x + PLACE_OF_BIT[lowest % 37], j * sy)
            first = last + 1
        if bits == ALL:
            return bits
        low, low_rest = low + step, low_rest + rest
        if low_rest >= m:
            low, low_rest = low + 1, low_rest - m
        high, high_rest = high + step, high_rest + rest
        if high_rest >= m:
            high, high_rest = high + 1, high_rest - m
    return bits


@inner_kernel
def _is_taken(words: Array, x: int, y: int) -> bool:
    """Is the square taken? One off the map is not."""
    return 0 <= y < words.shape[0] and 0 <= x < 32 * words.shape[1] and (words[y, x >> 5] >> (x & 31)) & 1 != 0


@inner_kernel
def _axis_lines(words: Array, x: int, y: int, dx: int, dy: int) -> int:
    """Return which of the 16 lines from the square ``(x, y)`` along ``(dx, dy)`` run along the grid between two taken squares."""
    bits = 0
    for i in range(4):
        for j in range(4):
            px, py, qx, qy = x + (i & 1), y + (i >> 1), x + dx + (j & 1), y + dy + (j >> 1)
            if px == qx:
                for row in range(min(py, qy), max(py, qy)):
                    if _is_taken(words, px - 1, row) and _is_taken(words, px, row):
                        bits |= 1 << (4 * i + j)
                        break
            elif py == qy:
                for column in range(min(px, qx), max(px, qx)):
                    if _is_taken(words, column, py - 1) and _is_taken(words, column, py):
                        bits |= 1 << (4 * i + j)
                        break
    return bits


@kernel
def soft_lines(
    spaces: Array, blocks: Array, sharers: Array, pairs: Array, starts: Array, squares: Array, rows: int, cols: int
) -> Array:
    """Return ``(C,)`` uint16: which of the 16 lines of each choice creatures block, as :func:`line.blocked_lines`.

    Parameters
    ----------
    spaces
        ``(n, 4)`` int32 of all creatures, on the map.
    blocks
        ``(g, n)`` bool: who blocks lines at all, for each group of attackers.
    sharers
        Who never blocks lines from or to a creature, from :func:`index_sharers`.
    pairs
        ``(P, 3)`` int64: two creatures and the group that asks.
    starts
        ``(P + 1,)`` int64: the choices of pair ``k`` are ``starts[k] : starts[k + 1]``.
    squares
        ``(C, 2)`` int64: ``row * cols + column`` of the two squares of each choice.
    rows, cols
        Squares of the map.
    """
    result = np.zeros(len(squares), np.uint16)
    for group in range(len(blocks)):
        gives_cover = blocks[group]
        counts = np.zeros((rows, cols), np.int32)
        words = np.zeros((rows, (cols >> 5) + 1), np.int64)
        for k in range(len(spaces)):
            if gives_cover[k]:
                _count(counts, words, spaces, k, 1)
        for pair in range(len(pairs)):
            if pairs[pair, 2] != group:
                continue
            a, b = pairs[pair, 0], pairs[pair, 1]
            # Two creatures of one square each, which they share with nobody, stand at the ends of their lines only.
            are_ends_free = sharers[a + 1] - sharers[a] == 1 and sharers[b + 1] - sharers[b] == 1
            are_ends_free = are_ends_free and starts[pair + 1] - starts[pair] == 1
            if not are_ends_free:
                _set_aside(counts, words, spaces, gives_cover, sharers, a, b, -1)
            for choice in range(starts[pair], starts[pair + 1]):
                y, second_y = squares[choice, 0] // cols, squares[choice, 1] // cols
                x, dy = squares[choice, 0] - y * cols, second_y - y
                dx = squares[choice, 1] - second_y * cols - x
                bits = _oblique_lines(words, x, y, dx, dy, are_ends_free)
                if bits != ALL and (abs(dx) <= 1 or abs(dy) <= 1):
                    if are_ends_free:
                        _set_aside(counts, words, spaces, gives_cover, sharers, a, b, -1)
                    bits |= _axis_lines(words, x, y, dx, dy)
                    if are_ends_free:
                        _set_aside(counts, words, spaces, gives_cover, sharers, a, b, 1)
                result[choice] = bits
            if not are_ends_free:
                _set_aside(counts, words, spaces, gives_cover, sharers, a, b, 1)
    return result
