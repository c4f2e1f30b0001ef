"""What a few walls alone do to a line: the part of a proof that names who stops it."""

from __future__ import annotations

import numpy as np

from gridlos.kernels.index import is_on, leg_of
from gridlos.kernels.jit import Array, int64, kernel
from gridlos.kernels.line import contact
from gridlos.kernels.walk import FREE, new_scratch


@kernel
def contact_among(walls: Array, rows: int, cols: int, size: int, a: int, b: int) -> int:
    """Return the contact of the line from corner ``a`` to corner ``b`` if there were no walls but these few.

    Corners as in :func:`gridlos.kernels.line.contact`, of a map of ``rows`` by ``cols`` squares without a border;
    ``walls (k, 4)`` int32.
    """
    n_squares, k = rows * cols, len(walls)
    bins = np.empty(n_squares + 1 + n_squares * k, np.int32)
    for square in range(n_squares + 1):
        bins[square] = n_squares + 1 + square * k
    for place in range(n_squares * k):
        bins[n_squares + 1 + place] = place % k
    arms = np.zeros((rows + 1, cols + 1), np.uint8)
    legs = np.full((rows, cols), 0xFFF, np.uint16)
    scratch = new_scratch(arms, bins)
    for end in (a, b):
        square, corner = end >> 2, end & 3
        row, column = square // cols, square % cols
        x, y = column + (corner & 1), row + (corner >> 1)
        ux, uy = 2 * (corner & 1) - 1, 2 * (corner >> 1) - 1
        state, _ = leg_of(walls, bins, square, (2 * column + 1) * size, (2 * row + 1) * size, ux, uy, size, scratch)
        others = int64(legs[row, column]) & (0xFFFF ^ (3 << (2 * corner)))
        legs[row, column] = others | (state << (2 * corner))
        for w in range(k):
            if is_on(walls, w, x * size, y * size):
                arms[y, x] |= FREE
    return contact(arms, legs, bins, walls, scratch, size, a, b)
