"""Lines between all squares of a map with free walls, by the row sweep: from one square to all, or all of them kept as bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Masks
from gridlos.kernels import sweep, sweep_index, sweep_lines
from gridlos.questions.obstacles import Obstacles, blocked_lines
from gridlos.questions.threads import in_parts, n_threads

__all__ = ["Sweep", "SweptLines", "least_of", "memory_of"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]
Words = NDArray[np.uint64]
Index = tuple[NDArray[np.int32], Indices]

_CORNERS = 200
"""Corners from which all lines take about a millisecond, where few walls are near; among many it is more."""


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The lines from any one square to all others, found when they are asked for.

    Notes
    -----
    1. :meth:`blocked_lines` is what :func:`gridlos.kernels.line.blocked_lines` finds line by line.
    """

    obstacles: Obstacles
    _below: Index
    _above: Index

    @classmethod
    def of(cls, obstacles: Obstacles) -> Sweep:
        """Return what is to be known of the map."""
        rows, cols = obstacles.legs.shape
        size, barriers = obstacles.size, obstacles.barriers
        turned = np.ascontiguousarray((barriers * [1, -1, 1, -1] + [0, rows * size, 0, rows * size]).astype(np.int32))
        below, above = (sweep_index.index_sweep(walls, rows, cols, size) for walls in (barriers, turned))
        return cls(obstacles, below, above)

    def blocked_lines(self, square: int) -> Lines:
        """Return ``(rows * cols,)`` uint16: which of the 16 lines from a square to each square are blocked."""
        rows, cols = self.obstacles.legs.shape
        if rows > sweep.MOST_ROWS:
            pairs = np.column_stack((np.full(rows * cols, square), np.arange(rows * cols)))
            far: Lines = blocked_lines(self.obstacles, pairs)
            return far
        found: Lines = sweep_lines.lines_from(
            *self.obstacles.lines, self._below, self._above, square, self.obstacles.size
        )
        return found


def memory_of(rows: int, cols: int) -> int:
    """Return the bytes of :class:`SweptLines` of a map.

    Examples
    --------
    >>> memory_of(100, 100) >> 20
    15
    """
    return 16 * int(sweep_lines.n_words(rows, cols))


@dataclass(frozen=True, slots=True, eq=False)
class SweptLines:
    """The lines between all squares of a map, kept as bits: two for every two corners.

    Notes
    -----
    1. :meth:`blocked_lines` is what :func:`gridlos.kernels.line.blocked_lines` finds line by line.
    """

    obstacles: Obstacles
    _boards: Words

    @classmethod
    def of(cls, obstacles: Obstacles, *, memory: int) -> SweptLines | None:
        """Return all lines of a map; None: they take more bytes than ``memory``, or the map has too many rows."""
        rows, cols = obstacles.legs.shape
        if rows > sweep.MOST_ROWS or memory_of(rows, cols) > memory:
            return None
        walls = sweep_index.index_sweep(obstacles.barriers, rows, cols, obstacles.size)
        boards = np.zeros((2, sweep_lines.n_words(rows, cols)), np.uint64)
        arms, _, bins, free = obstacles.lines

        def fill(starts: Indices) -> Indices:
            sweep_lines.fill_sweeps(arms, bins, free, *walls, obstacles.size, starts, boards)
            return starts

        # The lower a row, the less is below it: each thread gets rows from top to bottom.
        order = np.argsort(np.arange(rows + 1) % n_threads(), kind="stable").astype(np.int64)
        in_parts(fill, order, -(-_CORNERS // (cols + 1)))
        return cls(obstacles, boards)

    @property
    def nbytes(self) -> int:
        """The bytes that they take."""
        return self._boards.nbytes

    def blocked_lines(self, squares: Indices) -> Lines:
        """Return ``(n,)`` uint16: which of the 16 lines of each choice ``(n, 2)`` are blocked."""
        free, along = self._boards
        found: Lines = sweep_lines.lines_between(*self.obstacles.lines, free, along, squares, self.obstacles.size)
        return found


@lru_cache(maxsize=2)
def _least_by_mask(*, back: bool) -> Masks:
    """Return for each of the 65,536 masks the least number of lines from one corner of the first (``back``: second) square."""
    bits = (np.arange(1 << 16)[:, None] >> np.arange(16) & 1).reshape(-1, 4, 4)
    found: Masks = bits.sum(axis=1 if back else 2).min(axis=1).astype(np.uint8)
    return found


def least_of(lines: Lines, *, back: bool = False) -> Masks:
    """Return the least number of blocked lines from any corner of the first square, or (``back``) of the second one; 0 … 4.

    >>> least_of(np.array([0x000F, 0xFFF7, 0xFFFF], np.uint16)).tolist(), least_of(np.array([0x1111], np.uint16), back=True)
    ([0, 3, 4], array([0], dtype=uint8))
    """
    found: Masks = _least_by_mask(back=back)[lines]
    return found
