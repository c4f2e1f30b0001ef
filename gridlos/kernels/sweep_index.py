"""Walls cut into pieces between each two rows of corners, with slopes' units: what the row sweep wants to know of a map once.

Slopes are columns a row, in units of ``2 ** -30``; ``x`` of a piece is in units, too.
"""

from __future__ import annotations

import numpy as np

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
    squares = rows * cols
    counts = np.zeros(squares + 1, np.int64)
    index = np.zeros(0, np.int32)
    for turn in range(2):
        if turn == 1:
            start = squares + 1
            for square in range(squares):
                n = counts[square]
                counts[square] = start
                start += n
            counts[squares] = start
            index = np.empty(start, np.int32)
            for square in range(squares + 1):
                index[square] = counts[square]
        for p in range(len(pieces)):
            row = min(pieces[p, 1] // size, rows - 1)
            last = min(max((max(pieces[p, 0], pieces[p, 2]) >> BITS) // size, 0), cols - 1)
            first = min(max((min(pieces[p, 0], pieces[p, 2]) >> BITS) // size, 0), cols - 1)
            for square in range(row * cols + first, row * cols + last + 1):
                if turn == 1:
                    index[counts[square]] = 2 * p + (square > row * cols + first)
                counts[square] += 1
    return index, pieces


@inner_kernel
def is_on_line(point: int, px: int, py: int, dx: int, dy: int, size: int) -> bool:
    """Does the point lie on the line from the corner ``(px, py)`` along ``(dx, dy)``?"""
    x, y = (point >> Y_WIDTH) - X_SHIFT - px * size, (point & ((1 << Y_WIDTH) - 1)) - py * size
    return x * dy == y * dx
