"""The lines between two squares on no common or neighbouring row or column, read from the boards of :mod:`gridlos.kernels.table`."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.pairs import turned_lines
from gridlos.kernels.table import START, uint64

__all__ = ["far_lines"]

_ALL = 0xFFFF


@inner_kernel
def _ways(ways: Array, corner: int, width: int, q: int) -> int:
    """Return the nibble of the corners of a square from which a line can lead into quadrant ``q``; ``corner`` is the first."""
    one, other = int64(ways[corner]) >> (12 + q) & 1, int64(ways[corner + 1]) >> (8 + q) & 1
    third, last = int64(ways[corner + width]) >> (4 + q) & 1, int64(ways[corner + width + 1]) >> q & 1
    return one | other << 1 | third << 2 | last << 3


@inner_kernel
def _free_lines(plan: Array, boards: Array, offset: int, s0: int, stride: int) -> int:
    """Return which of the 16 lines nothing blocks between their ends, from an upper square to one ``offset`` bits further on.

    ``s0`` is the bit of the upper square's first corner. Lines of one displacement are read from one board.
    """
    s1, s2, s3, one = s0 + 1, s0 + stride, s0 + stride + 1, uint64(1)
    w0, w1, w2, w3 = s0 >> 6, s1 >> 6, s2 >> 6, s3 >> 6
    b0, b1, b2, b3 = uint64(s0 & 63), uint64(s1 & 63), uint64(s2 & 63), uint64(s3 & 63)
    above = offset - stride - 1
    board = plan[above, START]
    bits = (boards[board + w3] >> b3 & one) << uint64(12)
    board = plan[above + 1, START]
    bits |= (boards[board + w2] >> b2 & one) << uint64(8) | (boards[board + w3] >> b3 & one) << uint64(13)
    board = plan[above + 2, START]
    bits |= (boards[board + w2] >> b2 & one) << uint64(9)
    level = above + stride
    board = plan[level, START]
    bits |= (boards[board + w1] >> b1 & one) << uint64(4) | (boards[board + w3] >> b3 & one) << uint64(14)
    board = plan[level + 1, START]
    bits |= (boards[board + w0] >> b0 & one) | (boards[board + w1] >> b1 & one) << uint64(5)
    bits |= (boards[board + w2] >> b2 & one) << uint64(10) | (boards[board + w3] >> b3 & one) << uint64(15)
    board = plan[level + 2, START]
    bits |= (boards[board + w0] >> b0 & one) << uint64(1) | (boards[board + w2] >> b2 & one) << uint64(11)
    below = level + stride
    board = plan[below, START]
    bits |= (boards[board + w1] >> b1 & one) << uint64(6)
    board = plan[below + 1, START]
    bits |= (boards[board + w0] >> b0 & one) << uint64(2) | (boards[board + w1] >> b1 & one) << uint64(7)
    board = plan[below + 2, START]
    return int64(bits | (boards[board + w0] >> b0 & one) << uint64(3))


@kernel
def far_lines(plan: Array, boards: Array, ways: Array, squares: Array, shape: Array) -> tuple[Array, Array]:
    """Return ``(n,)`` uint16: which of the 16 lines are blocked, as :func:`gridlos.kernels.table.lines_between`, and whose are not told.

    Parameters
    ----------
    plan, boards, ways
        As for :func:`gridlos.kernels.table.lines_between`.
    squares
        ``(n, 2)`` int64: ``row * cols + column`` of the map of two squares each.
    shape
        ``rows, cols, stride`` of the table's box, its column and row on the map, and the columns of the map.

    Returns
    -------
    The lines, and the places ``(m,)`` int64 of squares less than two rows or columns apart, whose lines are not told.
    """
    stride, left, top, cols = shape[2], shape[3], shape[4], shape[5]
    width = shape[1] + 1
    result = np.full(len(squares), _ALL, np.uint16)
    near = np.empty(len(squares), np.int64)
    n_near = 0
    for k in range(len(squares)):
        ya, yb = squares[k, 0] // cols, squares[k, 1] // cols
        xa, xb = squares[k, 0] - ya * cols - left, squares[k, 1] - yb * cols - left
        ya, yb = ya - top, yb - top
        dx, dy = xb - xa, yb - ya
        if abs(dx) < 2 or abs(dy) < 2:
            near[n_near] = k
            n_near += 1
            continue
        q = (dx > 0) + 2 * (dy > 0)
        behind, ahead = _ways(ways, ya * width + xa, width, q), _ways(ways, yb * width + xb, width, 3 - q)
        if behind == 0 or ahead == 0:
            continue
        if dy > 0:
            free = _free_lines(plan, boards, dy * stride + dx, ya * stride + xa, stride)
        else:
            free = turned_lines(_free_lines(plan, boards, -dy * stride - dx, yb * stride + xb, stride))
        starts = (behind & 1) * 0x000F | (behind & 2) * 0x0078 | (behind & 4) * 0x03C0 | (behind & 8) * 0x1E00
        result[k] = ~(free & starts & ahead * 0x1111) & _ALL
    return result, near[:n_near].copy()
