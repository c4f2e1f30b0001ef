"""Regions: squares that one can reach from each other through edges where nothing stands.

Whatever else there is, no free line and no line of effect joins squares of two regions: a thin tube around it would.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, inner_kernel, int64, kernel
from gridlos.kernels.walk import EAST, SOUTH

__all__ = ["choices_within", "label_regions"]


@inner_kernel
def _first(labels: Array, square: int) -> int:
    """Return the first square of what the square is joined with, and shorten the way to it."""
    while labels[square] != square:
        labels[square] = labels[labels[square]]
        square = int64(labels[square])
    return square


@kernel
def label_regions(arms: Array) -> Array:
    """Return ``(rows * cols,)`` int32: the number of each square's region, from 0 in reading order.

    ``arms (rows + 1, cols + 1)`` come from :func:`gridlos.kernels.index.index_arms`; free walls are told from nothing.
    """
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    labels = np.empty(rows * cols, np.int32)  # at first, of each square one before it in its region, itself of the first
    for y in range(rows):
        for x in range(cols):
            square = y * cols + x
            label = square if arms[y, x] & SOUTH else int64(labels[square - 1])
            if not arms[y, x] & EAST:
                above = int64(labels[square - cols])
                if label != above and label != square:
                    label, above = _first(labels, label), _first(labels, above)
                    labels[max(label, above)] = min(label, above)
                label = min(label, above)
            labels[square] = label
    n_regions = 0
    for square in range(rows * cols):
        if labels[square] == square:
            labels[square] = n_regions
            n_regions += 1
        else:
            labels[square] = labels[labels[square]]
    return labels


@kernel
def choices_within(labels: Array, squares: Array) -> Array:
    """Return ``(m,)`` int64: the choices ``(n, 2)``, of all, whose two squares lie in one region."""
    found = np.empty(len(squares), np.int64)
    n = 0
    for choice in range(len(squares)):
        if labels[squares[choice, 0]] == labels[squares[choice, 1]]:
            found[n] = choice
            n += 1
    return found[:n].copy()
