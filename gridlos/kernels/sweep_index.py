"""Walls cut into pieces between each two rows of corners, with slopes' units: what the row sweep wants to know of a map once.

Slopes are columns a row, in units of ``2 ** -30``; ``x`` of a piece is in units, too.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.index import inverse_of, sort_into, square_at
from gridlos.kernels.jit import Array, inner_kernel, int64, kernel

__all__ = ["BITS", "LOW", "ONE", "PIECE", "TOP", "UNKNOWN", "X_LOW", "X_TOP", "Y_LOW", "Y_TOP", "Y_WIDTH", "index_sweep", "is_on_line"]

BITS = 30
ONE = 1 << BITS

X_TOP, Y_TOP, X_LOW, Y_LOW, TOP, LOW = range(6)
PIECE = 6
"""Columns of ``pieces``: the upper and the lower end of a part of a wall between two rows, ``x`` in units, ``y`` in lattice
units; and both ends once more as points of the lattice, if they are such. Then how many columns there are."""

UNKNOWN = -1
"""No point of the lattice."""

X_SHIFT, Y_WIDTH = 1 << 25, 26


@inner_kernel
def _x_at(x0: int, y0: int, x1: int, y1: int, y: int) -> int:
    """Return where a wall, not horizontal, meets a row, in units rounded down."""
    over, under = (x1 - x0) * (y - y0), y1 - y0
    whole = over // under
    return ((x0 + whole) << BITS) + ((over - whole * under) << BITS) // under


@inner_kernel
def _point(x: int, y: int) -> int:
    """Return one number for a point, ``x`` in units and ``y`` in lattice units; none if it is no point of the lattice.

    What is rounded to whole lattice units is such a point: the fractions of others have no denominators beyond ``2 ** 25``.
    """
    return UNKNOWN if x & (ONE - 1) else ((x >> BITS) + X_SHIFT) << Y_WIDTH | y


@inner_kernel
def _cut_pieces(barriers: Array, rows: int, cols: int, size: int, pieces: Array) -> int:
    """Fill ``pieces`` with the walls between each two rows of corners and return their number; with none given, only count.

    A horizontal wall on a row belongs to what is below that row; a wall's end on a row, to what the wall is in.
    """
    n = 0
    for w in range(len(barriers)):
        x0, y0, x1, y1 = int64(barriers[w, 0]), int64(barriers[w, 1]), int64(barriers[w, 2]), int64(barriers[w, 3])
        if y0 > y1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        last = y1 // size if y0 == y1 else (y1 - 1) // size
        for strip in range(max(y0 // size, 0), min(last, rows - 1) + 1):
            if n < len(pieces):
                above, below = strip * size, (strip + 1) * size
                top, low = x0 << BITS, x1 << BITS
                if y0 < above:
                    top = _x_at(x0, y0, x1, y1, above)
                if y1 > below:
                    low = _x_at(x0, y0, x1, y1, below)
                pieces[n, X_TOP], pieces[n, Y_TOP] = top, max(y0, above)
                pieces[n, X_LOW], pieces[n, Y_LOW] = low, min(y1, below)
                pieces[n, TOP], pieces[n, LOW] = _point(top, max(y0, above)), _point(low, min(y1, below))
            n += 1
    return n


@kernel
def index_sweep(barriers: Array, rows: int, cols: int, size: int) -> tuple[Array, Array]:
    """Return ``(index int32, pieces (n, 6) int64)``: those of square ``k`` are ``index[index[k] : index[k + 1]]``, see :data:`X_TOP`."""
    pieces = np.empty((_cut_pieces(barriers, rows, cols, size, np.empty((0, PIECE), np.int64)), PIECE), np.int64)
    _cut_pieces(barriers, rows, cols, size, pieces)
    squares, places = np.empty(4 * len(pieces) + cols, np.int32), np.empty(4 * len(pieces) + cols, np.int32)
    n, inverse = 0, inverse_of(size)
    for p in range(len(pieces)):
        row = min(square_at(pieces[p, Y_TOP], size, inverse), rows - 1)
        top, low = pieces[p, X_TOP] >> BITS, pieces[p, X_LOW] >> BITS
        first = min(max(square_at(min(top, low), size, inverse), 0), cols - 1)
        last = min(max(square_at(max(top, low), size, inverse), 0), cols - 1)
        if n + cols > len(squares):
            longer, more = np.empty(2 * n + cols, np.int32), np.empty(2 * n + cols, np.int32)
            for k in range(n):
                longer[k], more[k] = squares[k], places[k]
            squares, places = longer, more
        for column in range(first, last + 1):
            squares[n], places[n] = row * cols + column, 2 * p + (column > first)
            n += 1
    index = np.empty(rows * cols + 1 + n, np.int32)
    sort_into(index, rows * cols, rows * cols + 1, squares, places, n)
    return index, pieces


@inner_kernel
def is_on_line(point: int, px: int, py: int, dx: int, dy: int, size: int) -> bool:
    """Does the point lie on the line from the corner ``(px, py)`` along ``(dx, dy)``?"""
    x, y = (point >> Y_WIDTH) - X_SHIFT - px * size, (point & ((1 << Y_WIDTH) - 1)) - py * size
    return x * dy == y * dx
