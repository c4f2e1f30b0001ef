"""Squares, corners, spaces and distances as small numpy arrays.

A *space* is the rectangle of squares that a creature occupies: ``x, y, width, height``; spaces are ``(n, 4)`` int32.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gridlos.facts import Bools, Ints

__all__ = ["Diagonals", "adjacent", "centres", "corners", "distance", "squares_of"]


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
    x, y, width, height = (int(number) for number in space)
    rows, columns = np.mgrid[y : y + height, x : x + width]
    return np.column_stack((columns.ravel(), rows.ravel())).astype(np.int32)


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


def _steps(attackers: Ints, targets: Ints) -> tuple[Ints, Ints]:
    """Return the steps between the nearest columns and between the nearest rows of each pair of spaces."""
    first, second = np.asarray(attackers)[:, None, :], np.asarray(targets)[None, :, :]
    after = second[..., :2] - (first[..., :2] + first[..., 2:] - 1)
    before = first[..., :2] - (second[..., :2] + second[..., 2:] - 1)
    steps = np.maximum(np.maximum(after, before), 0).astype(np.int32)
    return steps[..., 0], steps[..., 1]


def distance(attackers: Ints, targets: Ints, diagonals: Diagonals | str = Diagonals.EVERY_SECOND_DOUBLE) -> Ints:
    """Return the distance between the nearest squares of two spaces, for every attacker and every target.

    The first, third … diagonal step counts one square, the others two (``"5-10-5"``), or every diagonal step one
    (``"1"``). 0 for spaces that overlap, 1 for spaces that touch.

    Parameters
    ----------
    attackers, targets
        ``(A, 4)`` and ``(T, 4)`` spaces.
    diagonals
        The rule.

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
    """
    dx, dy = _steps(attackers, targets)
    squares: Ints = np.maximum(dx, dy)
    if Diagonals(diagonals) is Diagonals.EVERY_SECOND_DOUBLE:
        squares += np.minimum(dx, dy) // 2
    return squares


def adjacent(attackers: Ints, targets: Ints) -> Bools:
    """Return whether squares of two spaces share a side or a corner or are the same, for every pair.

    Parameters
    ----------
    attackers, targets
        ``(A, 4)`` and ``(T, 4)`` spaces.

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
    dx, dy = _steps(attackers, targets)
    touching: Bools = np.maximum(dx, dy) <= 1
    return touching
