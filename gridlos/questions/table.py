"""All lines between all squares of a map whose walls are all on the grid, kept as bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Masks
from gridlos.kernels import fan, least, table
from gridlos.kernels.boards import lines_between

__all__ = ["MEMORY_BOUND", "LineTable", "OneToAll", "memory_of"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]
Words = NDArray[np.uint64]

MEMORY_BOUND = 256 << 20
"""Bytes that a table takes at most, unless more are allowed: above it, only squares near each other are served."""


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """What the tables of all maps of one size and reach share."""

    shape: Indices
    """``rows, cols, stride, reach``, the latter of lines."""
    plan: Indices
    starts: Indices
    columns: Words


@lru_cache(maxsize=16)
def _frame(rows: int, cols: int, reach: int) -> _Frame:
    stride = _stride(cols)
    plan = table.plan_table(table.index_parents(rows, cols), stride, reach)
    starts, columns = np.ascontiguousarray(plan[:, table.START]), table.index_columns(rows, cols, stride)
    return _Frame(np.array((rows, cols, stride, reach), np.int64), plan, starts, columns)


def _stride(cols: int) -> int:
    """Return the bits of a row of corners; some are spare where they or the next number would be a multiple of 64."""
    stride = cols + 1
    while stride % 64 in (0, 63):
        stride += 1
    return stride


def _planned_words(rows: int, cols: int, reach: int) -> int:
    """Return the words of the boards of a table, about."""
    stride = _stride(cols)
    offset = np.arange(rows * stride + cols + 1)
    dx, dy = offset % stride, offset // stride
    planned = (dy <= reach) & ((dx <= reach) | (stride - dx <= reach))
    words = (rows * stride + cols + 1 - offset[planned] + 63) // 64
    return int(((words + 7) // 8 * 8).sum())


@lru_cache(maxsize=256)
def memory_of(rows: int, cols: int, reach: int | None = None, *, numbers: bool = True) -> int:
    """Return the bytes of a table of so many squares, with or without the numbers of blocked lines.

    Examples
    --------
    >>> memory_of(100, 100) >> 20
    40
    """
    lines = _lines_reach(rows, cols, reach)
    words = _planned_words(rows, cols, lines) * (1 + least.N_PLANES * numbers)
    return 8 * (words + 8 * (lines + 1) * ((rows * _stride(cols) + cols + 64) // 64 + table.SPARE))


def _lines_reach(rows: int, cols: int, reach: int | None) -> int:
    """Return how far lines lead along an axis, from corner to corner, between squares up to ``reach`` apart."""
    most = max(rows, cols)
    return most if reach is None else min(reach + 1, most)


@dataclass(frozen=True, slots=True, eq=False)
class LineTable:
    """The lines between all squares of a box of a map, as far as walls on the grid block them.

    Attributes
    ----------
    box
        ``x, y, width, height`` of the squares that are served.
    reach
        Squares farther than that from each other along an axis are not served; None: all are.
    cols
        Columns of the whole map.
    along
        Whether lines that run along a wall over some length count as blocked.

    Notes
    -----
    1. :meth:`blocked_lines` is what :func:`gridlos.kernels.line.blocked_lines` finds line by line; with ``along`` it is
       what :func:`gridlos.kernels.line.lines_along` finds.
    2. A table of a part of a map says the same as that of the whole.
    """

    box: tuple[int, int, int, int]
    reach: int | None
    cols: int
    along: bool
    _frame: _Frame
    _ways: Lines
    _boards: Words
    _axes: Words
    _planes: Words | None

    @classmethod
    def of(
        cls,
        arms: Masks,
        box: tuple[int, int, int, int] | None = None,
        *,
        numbers: bool = True,
        along: bool = False,
        memory: int = MEMORY_BOUND,
        instead_of: LineTable | None = None,
    ) -> LineTable:
        """Return the table of a map.

        Parameters
        ----------
        arms
            Those of all corners of the map, see :mod:`gridlos.kernels`; free walls are not told from nothing.
        box
            The squares to serve, ``x, y, width, height``; None: all.
        numbers
            Whether :meth:`least_blocked` is to be asked.
        along
            Whether a line that runs along a wall over some length counts as blocked.
        memory
            The most bytes to take; the reach is what fits.
        instead_of
            A table that nobody asks any more: its memory is used if it has the same size.
        """
        rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
        x, y, width, height = box = box or (0, 0, cols, rows)
        reach = _reach_within(height, width, memory, numbers=numbers)
        lines = _lines_reach(height, width, reach)
        frame = _frame(height, width, lines)
        own = np.ascontiguousarray(arms[y : y + height + 1, x : x + width + 1])
        kept = None if instead_of is None else instead_of.memory_for(frame, numbers=numbers)
        boards, axes, planes = kept or _room(frame, numbers=numbers)
        stride = int(frame.shape[2])
        masks, sectors = table.index_masks(own, stride)
        table.fill_lines(frame.plan, masks, frame.columns, boards)
        table.fill_axes(masks, height, width, stride, axes)
        if along:
            table.close_covered(masks, height, width, stride, axes)
        if planes is not None:
            least.fill_least(frame.plan, sectors, frame.columns, boards, axes, frame.shape, planes)
        return cls(box, reach, cols, along, frame, table.ways_of(own), boards, axes, planes)

    @property
    def nbytes(self) -> int:
        """The bytes that it takes."""
        return sum(one.nbytes for one in (self._boards, self._axes, self._planes) if one is not None)

    def memory_for(self, frame: _Frame, *, numbers: bool) -> tuple[Words, Words, Words | None] | None:
        """Return this table's memory for another one; None: it is not of the right size."""
        if self._frame is not frame or (self._planes is None and numbers):
            return None
        return self._boards, self._axes, self._planes if numbers else None

    def serves(self, squares: Indices) -> Bools:
        """Return ``(n,)`` bool: which of the choices ``(n, 2)``, squares ``row * cols + column`` of the map, it knows."""
        x, y, width, height = self.box
        row, column = np.divmod(squares, self.cols)
        inside = (column >= x) & (column < x + width) & (row >= y) & (row < y + height)
        known = inside.all(axis=1)
        if self.reach is not None:
            for axis in (row, column):
                known &= np.abs(axis[:, 1] - axis[:, 0]) <= self.reach
        return np.asarray(known, np.bool_)

    def blocked_lines(self, squares: Indices) -> Lines:
        """Return ``(n,)`` uint16: which of the 16 lines of each choice ``(n, 2)`` are blocked; it must serve them all."""
        frame, (left, top, _, _) = self._frame, self.box
        shape = np.array((*frame.shape[:3].tolist(), left, top, self.cols), np.int64)
        lines = frame.starts, self._boards, self._axes, self._ways
        found: Lines = lines_between(*lines, np.ascontiguousarray(squares), shape)
        return found

    def least_blocked(self, squares: Indices) -> Masks:
        """Return ``(n,)`` uint8: the least lines blocked from any corner of the first square of each choice ``(n, 2)``, 0 … 4."""
        found: Masks = least.least_between(
            self._frame.plan, self._numbers(), self._places(squares), int(self._frame.shape[2])
        )
        return found

    def least_from(self, square: int, *, back: bool = False) -> Masks:
        """Return the least lines blocked from a square to each of the box, ``(height, width)`` uint8, or (``back``) from each to it.

        The table must serve all of them: it has no reach.
        """
        row, column = divmod(square, self.cols)
        place = column - self.box[0], row - self.box[1]
        found: Masks = least.least_among(self._frame.plan, self._numbers(), *place, self._frame.shape, back)
        return found

    def _places(self, squares: Indices) -> Indices:
        row, column = np.divmod(squares, self.cols)
        return np.stack((column - self.box[0], row - self.box[1]), axis=2).reshape(-1, 4)

    def _numbers(self) -> Words:
        if self._planes is None:
            raise ValueError("this table was made without numbers")
        return self._planes


@lru_cache(maxsize=64)
def _reach_within(rows: int, cols: int, memory: int, *, numbers: bool) -> int | None:
    """Return how far apart squares may be so that the table takes no more bytes than that; None: as far as they like."""
    if memory_of(rows, cols, numbers=numbers) <= memory:
        return None
    low, high = 1, max(rows, cols)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if memory_of(rows, cols, middle, numbers=numbers) <= memory else (low, middle)
    return low


def _room(frame: _Frame, *, numbers: bool) -> tuple[Words, Words, Words | None]:
    """Return memory for boards, axes and planes."""
    words = int(frame.plan[-1, table.START])
    axes = np.empty((2, int(frame.shape[3]) + 1, 4, frame.columns.shape[1]), np.uint64)
    planes = np.empty(least.N_PLANES * words + table.SPARE, np.uint64) if numbers else None
    return np.empty(words + 2 * frame.columns.shape[1], np.uint64), axes, planes


@dataclass(frozen=True, slots=True, eq=False)
class OneToAll:
    """The lines from any one square of a map to all others, found when they are asked for, as far as walls on the grid block them."""

    _shape: Indices
    _masks: Words
    _sectors: Words
    _ways: Lines

    @classmethod
    def of(cls, arms: Masks) -> OneToAll:
        """Return what is to be known of the map; ``arms`` are as in :meth:`LineTable.of`."""
        rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
        stride = (cols // 64 + 1) * 64
        masks, sectors = table.index_masks(arms, stride)
        return cls(np.array((rows, cols, stride), np.int64), masks, sectors, table.ways_of(arms))

    def blocked_lines(self, square: int) -> Lines:
        """Return ``(rows * cols,)`` uint16: which of the 16 lines from a square to each square are blocked."""
        rows, cols = self._shape[:2].tolist()
        boards = self._lines(square).reshape(16, rows, -1).astype("<u8", copy=False).view(np.uint8)
        free = np.unpackbits(boards, axis=2, count=cols, bitorder="little").reshape(16, -1)
        found: Lines = np.full(rows * cols, 0xFFFF, np.uint16)
        for bit, of_line in enumerate(free):
            found ^= of_line.astype(np.uint16) << np.uint16(bit)
        return found

    def least_blocked(self, square: int, *, back: bool = False) -> Masks:
        """Return ``(rows, cols)`` uint8: the least lines blocked from any corner of a square to each, or (``back``) of each to it."""
        found: Masks = fan.numbers_of(self._lines(square), self._shape, back)
        return found

    def _lines(self, square: int) -> Words:
        row, column = divmod(square, int(self._shape[1]))
        found: Words = fan.lines_from(self._masks, self._sectors, self._ways, column, row, self._shape)
        return found
