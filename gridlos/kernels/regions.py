"""Regions: squares that one can reach from each other through edges where nothing stands.

Whatever else there is, no free line and no line of effect joins squares of two regions: a thin tube around it would.
"""

from __future__ import annotations

import numpy as np

from gridlos.kernels.jit import Array, kernel
from gridlos.kernels.walk import EAST, SOUTH

__all__ = ["choices_within", "label_regions"]


@kernel
def label_regions(arms: Array) -> Array:
    """Return ``(rows * cols,)`` int32: the number of each square's region, from 0 in reading order.

    ``arms (rows + 1, cols + 1)`` come from :func:`gridlos.kernels.index.index_arms`; free walls are told from nothing.
    """
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    labels = np.full(rows * cols, -1, np.int32)
    waiting = np.empty(rows * cols, np.int64)
    n_regions = 0
    for square in range(rows * cols):
        if labels[square] >= 0:
            continue
        labels[square] = n_regions
        waiting[0] = square
        n = 1
        while n > 0:
            n -= 1
            here = waiting[n]
            y, x = here // cols, here % cols
            for way in range(4):
                if way == 0:
                    is_open, there = not arms[y, x] & EAST, here - cols
                elif way == 1:
                    is_open, there = not arms[y + 1, x] & EAST, here + cols
                elif way == 2:
                    is_open, there = not arms[y, x] & SOUTH, here - 1
                else:
                    is_open, there = not arms[y, x + 1] & SOUTH, here + 1
                if is_open and labels[there] < 0:
                    labels[there] = n_regions
                    waiting[n] = there
                    n += 1
        n_regions += 1
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
