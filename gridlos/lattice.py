"""The lattice of a map: all wall coordinates as whole numbers of a fraction of a square."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from gridlos.errors import SceneError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gridlos.facts import Bools, Ints, Masks

__all__ = ["LATTICE_LIMIT", "MAX_SUBDIVISIONS", "Placed", "edges_of", "is_on_map", "place_on_lattice", "smallest_subdivisions"]

MAX_SUBDIVISIONS = 5040
"""The finest lattice that is chosen on its own: it has halves to tenths of a square, and sixteenths."""

LATTICE_LIMIT = 2**23
"""Coordinates stay below it, so that products of differences stay far inside of 64 bits."""

_DYADIC = 4096  # the largest power of two below MAX_SUBDIVISIONS
_NOISE = 1e-9  # squares: what a double loses of n / S below the limit is less than this


@dataclass(frozen=True, slots=True)
class Placed:
    """Coordinates on the lattice, and what rounding did to them.

    Attributes
    ----------
    units
        Lattice units, same shape as the coordinates, int32.
    n_moved
        How many coordinates do not lie on the lattice and were rounded to the nearest unit.
    largest_shift
        The largest of these moves, in squares.
    """

    units: Ints
    n_moved: int
    largest_shift: float


def smallest_subdivisions(coordinates: NDArray[np.float64]) -> int:
    """Return the smallest number of lattice units in a square, at most 5,040, that makes every coordinate exact.

    5,040 if none does. A coordinate is the shortest decimal number that reads as its double, as it stands in
    a file: 0.1 is one tenth.

    Parameters
    ----------
    coordinates
        Squares, any shape, finite.

    Examples
    --------
    >>> smallest_subdivisions(np.array([1.0, 2.5, 0.25]))
    4
    >>> smallest_subdivisions(np.array([0.1, 0.5]))
    10
    >>> smallest_subdivisions(np.array([1.333333]))
    5040
    """
    values = np.unique(coordinates[np.abs(coordinates) < LATTICE_LIMIT])  # the others are refused when they are placed
    dyadic = np.mod(values * _DYADIC, 1.0) == 0.0
    units = 1
    while np.any(np.mod(values[dyadic] * units, 1.0) != 0.0):
        units *= 2
    for value in values[~dyadic].tolist():
        units = math.lcm(units, _denominator(value))
        if units > MAX_SUBDIVISIONS:
            return MAX_SUBDIVISIONS
    return units


def _denominator(value: float) -> int:
    """Return the denominator of the shortest decimal number that reads as the value."""
    digits = repr(value)
    if "e" in digits:
        return Fraction(digits).denominator
    whole, _, decimals = digits.partition(".")
    power: int = 10 ** len(decimals)
    return power // math.gcd(power, int(whole + decimals))


def place_on_lattice(coordinates: NDArray[np.float64], subdivisions: int) -> Placed:
    """Return the coordinates as lattice units, each rounded to the nearest.

    Parameters
    ----------
    coordinates
        ``(n, 4)`` squares: ``x0, y0, x1, y1`` of each wall.
    subdivisions
        Lattice units in a square.

    Raises
    ------
    SceneError
        If a coordinate is not finite or reaches 2^23 lattice units.

    Examples
    --------
    >>> place_on_lattice(np.array([[0.0, 0.5, 2.0, 1.333333]]), 6)
    Placed(units=array([[ 0,  3, 12,  8]], dtype=int32), n_moved=1, largest_shift=3.333333...e-07)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.rint(coordinates * subdivisions)
        wrong = ~(np.abs(scaled) < LATTICE_LIMIT)
    if wrong.any():
        row, column = (int(index) for index in np.argwhere(wrong)[0])
        end = "from" if column < 2 else "to"
        raise SceneError(
            f"coordinate {coordinates[row, column]:g} is too large for {subdivisions} lattice units in a square",
            f"$.walls[{row}].{end}",
            f"coordinates stay below {LATTICE_LIMIT // subdivisions} squares",
        )
    shift = np.abs(scaled / subdivisions - coordinates)
    moved = shift > _NOISE
    largest = float(shift[moved].max()) if moved.any() else 0.0
    return Placed(scaled.astype(np.int32), int(np.count_nonzero(moved)), largest)


def is_on_map(segments: Ints, shape: tuple[int, int], subdivisions: int) -> Bools:
    """Return which walls have a length and meet the box of the map."""
    rows, cols = shape
    low, high = np.minimum(segments[:, :2], segments[:, 2:]), np.maximum(segments[:, :2], segments[:, 2:])
    meets = np.all((high >= 0) & (low <= np.array([cols, rows]) * subdivisions), axis=1)
    return np.asarray(meets & np.any(low != high, axis=1), np.bool_)


def edges_of(
    segments: Ints, stops: Masks, reaching: Bools, shape: tuple[int, int], subdivisions: int
) -> tuple[Masks, Masks, Ints]:
    """Return the west edges, the north edges and the indices of the walls that stop something and are in neither."""
    rows, cols = shape
    west, north = np.zeros((rows, cols + 1), np.uint8), np.zeros((rows + 1, cols), np.uint8)
    x0, y0, x1, y1 = segments.T
    counted = (stops != 0) & reaching
    on_corners = counted & np.all(segments % subdivisions == 0, axis=1)
    upright, level = on_corners & (x0 == x1), on_corners & (y0 == y1)
    for edges, chosen, across, along in ((west, upright, x0, (y0, y1)), (north.T, level, y0, (x0, x1))):
        for index in np.flatnonzero(chosen).tolist():
            first, last = sorted(int(end[index]) // subdivisions for end in along)
            place = int(across[index]) // subdivisions
            if 0 <= place < edges.shape[1]:
                edges[max(first, 0) : max(last, 0), place] |= stops[index]
    return west, north, np.flatnonzero(counted & ~upright & ~level).astype(np.int32)
