"""The lines between two squares, read from the boards of :mod:`gridlos.kernels.table`."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.pairs import turned_lines
from gridlos.kernels.table import uint64

__all__ = ["box_around", "lines_between"]

_ALL = 0xFFFF


@inner_kernel
def _ways(ways: Array, corner: int, width: int, q: int) -> int:
    """Return the nibble of the corners of a square from which a line can lead into quadrant ``q``; ``corner`` is the first."""
    one, other = int64(ways[corner]) >> (12 + q) & 1, int64(ways[corner + 1]) >> (8 + q) & 1
    third, last = int64(ways[corner + width]) >> (4 + q) & 1, int64(ways[corner + width + 1]) >> q & 1
    return one | other << 1 | third << 2 | last << 3


@inner_kernel
def _free_lines(places: Array, boards: Array, offset: int, s0: int, stride: int) -> int:
    """Return which of the 16 lines nothing blocks between their ends, from an upper square to one ``offset`` bits further on.

    ``s0`` is the bit of the upper square's first corner. Lines of one displacement are read from one board.
    """
    s1, s2, s3, one = s0 + 1, s0 + stride, s0 + stride + 1, uint64(1)
    w0, w1, w2, w3 = s0 >> 6, s1 >> 6, s2 >> 6, s3 >> 6
    b0, b1, b2, b3 = uint64(s0 & 63), uint64(s1 & 63), uint64(s2 & 63), uint64(s3 & 63)
    above = offset - stride - 1
    board = places[above]
    bits = (boards[board + w3] >> b3 & one) << uint64(12)
    board = places[above + 1]
    bits |= (boards[board + w2] >> b2 & one) << uint64(8) | (boards[board + w3] >> b3 & one) << uint64(13)
    board = places[above + 2]
    bits |= (boards[board + w2] >> b2 & one) << uint64(9)
    level = above + stride
    board = places[level]
    bits |= (boards[board + w1] >> b1 & one) << uint64(4) | (boards[board + w3] >> b3 & one) << uint64(14)
    board = places[level + 1]
    bits |= (boards[board + w0] >> b0 & one) | (boards[board + w1] >> b1 & one) << uint64(5)
    bits |= (boards[board + w2] >> b2 & one) << uint64(10) | (boards[board + w3] >> b3 & one) << uint64(15)
    board = places[level + 2]
    bits |= (boards[board + w0] >> b0 & one) << uint64(1) | (boards[board + w2] >> b2 & one) << uint64(11)
    below = level + stride
    board = places[below]
    bits |= (boards[board + w1] >> b1 & one) << uint64(6)
    board = places[below + 1]
    bits |= (boards[board + w0] >> b0 & one) << uint64(2) | (boards[board + w1] >> b1 & one) << uint64(7)
    board = places[below + 2]
    return int64(bits | (boards[board + w0] >> b0 & one) << uint64(3))


@inner_kernel
def _bit(words: Array, start: int, s: int) -> int:
    return int64(words[start + (s >> 6)] >> uint64(s & 63)) & 1


@inner_kernel
def _is_free_along(axis: Array, s: int, behind: int, ahead: int, is_forward: bool) -> int:
    """Return 1 if the line on an axis that starts at bit ``s`` is free.

    ``axis (4, words)`` are the boards of its length, for starts towards larger coordinates. ``behind`` and ``ahead`` have two
    bits each: the sides on which the squares at its first and its last corner can be reached.
    """
    first, last = (behind, ahead) if is_forward else (ahead, behind)
    if first & 1 and ((last & 1 and _bit(axis[0], 0, s)) or (last & 2 and _bit(axis[1], 0, s))):
        return 1
    if first & 2 and ((last & 1 and _bit(axis[2], 0, s)) or (last & 2 and _bit(axis[3], 0, s))):
        return 1
    return 0


@inner_kernel
def _near_lines(places: Array, boards: Array, axes: Array, ways: Array, at: Array, width: int, stride: int) -> int:
    """Return which of the 16 lines are blocked between any two squares: ``at`` holds the first one's column and row, and the way."""
    bits = 0
    for i in range(4):
        x, y = at[0] + (i & 1), at[1] + (i >> 1)
        behind = int64(ways[y * width + x]) >> (4 * (3 - i)) & 15
        for j in range(4):
            dx, dy = at[2] + (j & 1) - (i & 1), at[3] + (j >> 1) - (i >> 1)
            ahead = int64(ways[(y + dy) * width + x + dx]) >> (4 * (3 - j)) & 15
            start = y * stride + x
            end = start + dy * stride + dx
            if dx != 0 and dy != 0:
                q = (dx > 0) + 2 * (dy > 0)
                free = behind >> q & ahead >> (3 - q) & 1
                if free:
                    first = min(start, end)
                    free = _bit(boards, places[max(start, end) - first], first)
            elif dx != 0:
                q = int64(dx > 0)  # the upper quadrant on the line's side of the start; of the end it is the other one
                sides = behind >> q & 1 | behind >> (q + 1) & 2, ahead >> (1 - q) & 1 | ahead >> (2 - q) & 2
                free = _is_free_along(axes[0, abs(dx)], min(start, end), sides[0], sides[1], dx > 0)
            elif dy != 0:
                q = 2 * int64(dy > 0)
                free = _is_free_along(axes[1, abs(dy)], min(start, end), behind >> q & 3, ahead >> (2 - q) & 3, dy > 0)
            else:
                free = behind >> (3 - j) & 1
            bits |= (1 - free) << (4 * i + j)
    return bits


@kernel
def lines_between(places: Array, boards: Array, axes: Array, ways: Array, squares: Array, shape: Array) -> Array:
    """Return ``(n,)`` uint16: which of the 16 lines between two squares are blocked, as :func:`gridlos.kernels.line.blocked_lines`.

    Parameters
    ----------
    places
        ``(offsets,)`` int64: where the boards of a plan start.
    boards, axes, ways
        From :func:`gridlos.kernels.table.fill_lines`, :func:`gridlos.kernels.table.fill_axes` and
        :func:`gridlos.kernels.table.ways_of`.
    squares
        ``(n, 2)`` int64: ``row * cols + column`` of the map of two squares each.
    shape
        ``rows, cols, stride`` of the table's box, its column and row on the map, and the columns of the map.
    """
    stride, left, top, cols = shape[2], shape[3], shape[4], shape[5]
    width = shape[1] + 1
    result = np.full(len(squares), _ALL, np.uint16)
    at = np.empty(4, np.int64)
    for k in range(len(squares)):
        ya, yb = squares[k, 0] // cols, squares[k, 1] // cols
        xa, xb = squares[k, 0] - ya * cols - left, squares[k, 1] - yb * cols - left
        ya, yb = ya - top, yb - top
        dx, dy = xb - xa, yb - ya
        if abs(dx) < 2 or abs(dy) < 2:
            at[0], at[1], at[2], at[3] = xa, ya, dx, dy
            result[k] = _near_lines(places, boards, axes, ways, at, width, stride)
            continue
        q = (dx > 0) + 2 * (dy > 0)
        behind, ahead = _ways(ways, ya * width + xa, width, q), _ways(ways, yb * width + xb, width, 3 - q)
        if behind == 0 or ahead == 0:
            continue
        if dy > 0:
            free = _free_lines(places, boards, dy * stride + dx, ya * stride + xa, stride)
        else:
            free = turned_lines(_free_lines(places, boards, -dy * stride - dx, yb * stride + xb, stride))
        starts = (behind & 1) * 0x000F | (behind & 2) * 0x0078 | (behind & 4) * 0x03C0 | (behind & 8) * 0x1E00
        result[k] = ~(free & starts & ahead * 0x1111) & _ALL
    return result


@kernel
def box_around(squares: Array, cols: int) -> tuple[int, int, int, int]:
    """Return the least column and row among some squares ``(n, 2)``, ``row * cols + column``, and the largest ones; ``n`` is not 0."""
    left = right = squares[0, 0] % cols
    top = bottom = squares[0, 0] // cols
    for k in range(len(squares)):
        for end in range(2):
            row = squares[k, end] // cols
            column = squares[k, end] - row * cols
            left, right, top, bottom = min(left, column), max(right, column), min(top, row), max(bottom, row)
    return left, top, right, bottom
