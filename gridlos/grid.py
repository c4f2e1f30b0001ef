"""Squares, corners, spaces and distances as small numpy arrays.

A *space* is the rectangle of squares that a creature occupies: ``x, y, width, height``; spaces are ``(n, 4)`` int32.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlos.facts import Bools, Ints

__all__ = [
    "Diagonals",
    "Levels",
    "adjacent",
    "are_in_reach",
    "centres",
    "corners",
    "distance",
    "passes_inside",
    "squares_of",
]

Levels: TypeAlias = "tuple[Ints, Ints] | None"
"""``(A, 2)`` and ``(T, 2)`` of attackers and targets: the lowest level that each fills, and how many; None: all on one."""


class Diagonals(StrEnum):
    """How diagonal steps count: every second one double, or all as one square."""

    EVERY_SECOND_DOUBLE = "5-10-5"
    ALL_ONE = "1"


def squares_of(space: Ints) -> Ints:
    """Return the squares of a space in reading order.

    Parameters
    ----------
    space
        ``(4,)``: ``x, y, width, height``.

    Returns
    -------
    ``(width * height, 2)`` int32: ``x, y`` of each.

    Examples
    --------
    >>> squares_of(np.array([5, 1, 2, 2])).tolist()
    [[5, 1], [6, 1], [5, 2], [6, 2]]
    """
    x, y, width, height = space.tolist()
    return np.array([(column, row) for row in range(y, y + height) for column in range(x, x + width)], np.int32)


def corners(squares: Ints) -> Ints:
    """Return the four corners of each square in reading order.

    Parameters
    ----------
    squares
        ``(n, 2)``: ``x, y``.

    Returns
    -------
    ``(n, 4, 2)`` int32.

    Examples
    --------
    >>> corners(np.array([[5, 1]])).tolist()
    [[[5, 1], [6, 1], [5, 2], [6, 2]]]
    """
    steps = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=np.int32)
    return (np.asarray(squares)[:, None, :] + steps).astype(np.int32)


def centres(spaces: Ints) -> Ints:
    """Return the centre of each space in half squares.

    Parameters
    ----------
    spaces
        ``(n, 4)``.

    Returns
    -------
    ``(n, 2)`` int32: twice ``x, y``.

    Examples
    --------
    >>> centres(np.array([[0, 0, 1, 1], [5, 1, 2, 2]])).tolist()
    [[1, 1], [12, 4]]
    """
    spaces = np.asarray(spaces)
    return (2 * spaces[:, :2] + spaces[:, 2:]).astype(np.int32)


def passes_inside(start: tuple[float, float], end: tuple[float, float], space: Iterable[int]) -> bool:
    """Return whether a line between two corners, or centres, has a point inside a space.

    >>> passes_inside((0, 0), (4, 1), (1, 0, 1, 1)), passes_inside((0, 0), (4, 0), (1, 0, 1, 1))
    (True, False)
    """
    x, y, width, height = space
    dx, dy = end[0] - start[0], end[1] - start[1]
    for low, length, first, last in ((x, width, start[0], end[0]), (y, height, start[1], end[1])):
        if max(first, last) <= low or min(first, last) >= low + length:
            return False
    side = dx * (2 * (y - start[1]) + height) - dy * (2 * (x - start[0]) + width)
    return abs(side) < abs(dx) * height + abs(dy) * width


def _steps(attackers: Ints, targets: Ints, levels: Levels = None) -> tuple[Ints, Ints]:
    """Return the longest and the second longest of the steps between the nearest columns, rows and levels of each pair."""
    first, second = np.asarray(attackers), np.asarray(targets)
    dx, dy = (_gaps(first[:, axis], first[:, axis + 2], second[:, axis], second[:, axis + 2]) for axis in (0, 1))
    if levels is None:
        return np.maximum(dx, dy), np.minimum(dx, dy)
    low, high = (np.asarray(one) for one in levels)
    dz = _gaps(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    return np.maximum(np.maximum(dx, dy), dz), np.maximum(np.minimum(dx, dy), np.minimum(np.maximum(dx, dy), dz))


def _gaps(start: Ints, length: Ints, other_start: Ints, other_length: Ints) -> Ints:
    """Return the steps from each stretch of squares to the nearest of each other stretch; 0 where they overlap."""
    after = other_start - (start + length - 1)[:, None]
    before = start[:, None] - (other_start + other_length - 1)
    return np.maximum(np.maximum(after, before), 0).astype(np.int32)


def distance(
    attackers: Ints,
    targets: Ints,
    diagonals: Diagonals | str = Diagonals.EVERY_SECOND_DOUBLE,
    *,
    levels: Levels = None,
) -> Ints:
    """Return the distance between the nearest squares of two spaces, for every attacker and every target.

    The first, third … diagonal step counts one square, the others two (``"5-10-5"``), or every diagonal step one
    (``"1"``). 0 for spaces that overlap, 1 for spaces that touch.

    Parameters
    ----------
    attackers, targets
        ``(A, 4)`` and ``(T, 4)`` spaces.
    diagonals
        The rule.
    levels
        ``(A, 2)`` and ``(T, 2)`` int32: the lowest level that each fills, and how many; a level is as high as a square is
        wide. A step that changes two or three of column, row and level is one diagonal step. None: all on one level.

    Returns
    -------
    ``(A, T)`` int32, squares.

    Examples
    --------
    From A to the nearest of the four squares of O are three diagonal steps::

        A....
        .....
        .....
        ...OO
        ...OO

    >>> A, O = np.array([[0, 0, 1, 1]]), np.array([[3, 3, 2, 2]])
    >>> int(distance(A, O)[0, 0]), int(distance(A, O, "1")[0, 0])
    (4, 3)

    O flies 25 ft above A, so that there are five steps up, three of which are diagonal:

    >>> int(distance(A, O, levels=(np.array([[0, 1]]), np.array([[5, 2]])))[0, 0])
    6
    """
    longest, second = _steps(attackers, targets, levels)
    if Diagonals(diagonals) is Diagonals.EVERY_SECOND_DOUBLE:
        longest += second // 2
    return longest


def are_in_reach(
    attackers: Ints,
    targets: Ints,
    reach: Ints,
    reach_min: Ints,
    diagonals: Diagonals | str = Diagonals.EVERY_SECOND_DOUBLE,
    *,
    second_diagonal: bool = False,
    levels: Levels = None,
) -> Bools:
    """Return whether ``reach_min < distance <= reach``, for every attacker and every target; walls play no part.

    Parameters
    ----------
    attackers, targets, diagonals, levels
        As for :func:`distance`.
    reach, reach_min
        ``(A,)`` int32, squares.
    second_diagonal
        Whether a reach of two squares takes in the square two diagonal steps away, as if its distance were two.

    Returns
    -------
    ``(A, T)`` bool.

    Examples
    --------
    ::

        A..
        .B.
        ..C

    >>> A, others = np.array([[0, 0, 1, 1]]), np.array([[1, 1, 1, 1], [2, 2, 1, 1]])
    >>> reach, polearm = (np.array([2]), np.array([0])), (np.array([2]), np.array([1]))
    >>> are_in_reach(A, others, *reach).tolist(), are_in_reach(A, others, *polearm, second_diagonal=True).tolist()
    ([[True, False]], [[False, True]])
    """
    longest, second = _steps(attackers, targets, levels)
    squares = longest + second // 2 if Diagonals(diagonals) is Diagonals.EVERY_SECOND_DOUBLE else longest
    reach, reach_min = np.asarray(reach)[:, None], np.asarray(reach_min)[:, None]
    if second_diagonal:
        squares = np.where((second == 2) & (longest == 2) & (reach == 2), 2, squares)
    return (reach_min < squares) & (squares <= reach)


def adjacent(attackers: Ints, targets: Ints, *, levels: Levels = None) -> Bools:
    """Return whether squares of two spaces share a side or a corner or are the same, for every pair.

    Parameters
    ----------
    attackers, targets
        ``(A, 4)`` and ``(T, 4)`` spaces.
    levels
        As for :func:`distance`.

    Returns
    -------
    ``(A, T)`` bool.

    Examples
    --------
    ::

        AOO.B
        .OO..

    >>> A, B, O = [0, 0, 1, 1], [4, 0, 1, 1], [1, 0, 2, 2]
    >>> adjacent(np.array([A, B]), np.array([O])).tolist()
    [[True], [False]]
    """
    touching: Bools = _steps(attackers, targets, levels)[0] <= 1
    return touching
