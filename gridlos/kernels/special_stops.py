"""Which segments between two bodies a special wall stops: at which fractions of the way it hides all, and where it is met.

Feet and head of what the bodies leave open rise or fall evenly on the way. So a wall from its bottom to its top hides all
of it from one fraction of the way to another. Fractions are exact, each two integers.
"""

from __future__ import annotations

from gridlos.kernels.effect import meets_open
from gridlos.kernels.jit import Array, inner_kernel, int64
from gridlos.kernels.special_cost import is_less
from gridlos.kernels.special_parted import HARD, LIMITED, LINE, MAYBE, OFF

__all__ = [
    "ALWAYS",
    "BOTTOM",
    "N_TERMS",
    "SIDE",
    "TOP",
    "WHEN",
    "enters",
    "hides_at",
    "set_when",
    "stops_between",
]

NEVER, SOMETIMES, ALWAYS = 0, 1, 2
"""At which fractions of the way a special wall hides all: none, some or all."""

SIDE, BOTTOM, TOP, WHEN, LOW, HIGH, N_TERMS = 2, 3, 4, 5, 6, 8, 10
"""Columns of ``terms`` (:func:`gridlos.kernels.special_effect.lines_past`) beside :data:`gridlos.kernels.special_parted.LINE`.

``SIDE``: 0, or 1, 2: stops from the left, the right alone. ``WHEN`` is one of the words above, ``LOW`` and ``HIGH`` the
first of two columns with the fractions from which it hides all, and up to which.
"""


@inner_kernel
def set_when(term: Array, heights: Array) -> None:
    """Fill ``WHEN``, ``LOW`` and ``HIGH`` of a wall for two bodies, whose feet, head, feet and head, below 2^41, are ``heights``."""
    term[WHEN], term[LOW], term[LOW + 1], term[HIGH], term[HIGH + 1] = ALWAYS, 0, 1, 1, 1
    # The feet are at or above the bottom, the head is at or below the top.
    for end in range(2):
        if end == 0:
            start, stop = heights[0] - term[BOTTOM], heights[2] - term[BOTTOM]
        else:
            start, stop = term[TOP] - heights[1], term[TOP] - heights[3]
        if start < 0 and stop < 0:
            term[WHEN] = NEVER
        elif start < 0:
            term[WHEN] = min(term[WHEN], SOMETIMES)
            if is_less(term[LOW], term[LOW + 1], -start, stop - start):
                term[LOW], term[LOW + 1] = -start, stop - start
        elif stop < 0:
            term[WHEN] = min(term[WHEN], SOMETIMES)
            if is_less(start, start - stop, term[HIGH], term[HIGH + 1]):
                term[HIGH], term[HIGH + 1] = start, start - stop
    if is_less(term[HIGH], term[HIGH + 1], term[LOW], term[LOW + 1]):
        term[WHEN] = NEVER


@inner_kernel
def hides_at(term: Array, place: int, places: int) -> bool:
    """Does the wall hide all at the fraction ``place / places`` of the way?"""
    if term[WHEN] != SOMETIMES:
        return term[WHEN] == ALWAYS
    return not (is_less(place, places, term[LOW], term[LOW + 1]) or is_less(term[HIGH], term[HIGH + 1], place, places))


@inner_kernel
def _range_of_sides(wall: Array, space: Array, size: int) -> tuple[int, int]:
    """Return between which values the open space lies of ``cross(wall, point - start)``, which is negative on the wall's left."""
    x0, y0 = int64(wall[0]), int64(wall[1])
    dx, dy = int64(wall[2]) - x0, int64(wall[3]) - y0
    left, top = space[0] * size - x0, space[1] * size - y0
    first = dx * top - dy * left
    along_x, along_y = -dy * (space[2] * size), dx * (space[3] * size)
    return first + min(along_x, 0) + min(along_y, 0), first + max(along_x, 0) + max(along_y, 0)


@inner_kernel
def enters(wall: Array, space: Array, part: int, size: int) -> bool:
    """Does a wall meet the inside of a space (``part`` -1) or of one of its squares?"""
    x, y, width, height = space[0], space[1], space[2], space[3]
    if part >= 0:
        x, y, width, height = x + part % width, y + part // width, int64(1), int64(1)
    return meets_open(wall, x * size, y * size, (x + width) * size, (y + height) * size)


@inner_kernel
def _crossings(
    wall: Array, sides: tuple[int, int, int, int], a: Array, b: Array, size: int
) -> tuple[int, int, int, int]:
    """Return between which two fractions of the way segments from space ``a`` to ``b`` meet a wall: each two integers, below 2^52.

    ``sides`` is between which values either space lies (:func:`_range_of_sides`). If the second is less than the first, none meets it.
    """
    first, firsts, last, lasts = int64(1), int64(1), int64(0), int64(1)
    low_a, high_a, low_b, high_b = sides
    for _ in range(2):  # from the right to the left of the wall, and from left to right
        if high_a > 0 and low_b < 0:
            near_a, near_b = max(low_a, 0), max(-high_b, 0)
            if is_less(near_a, near_a - low_b, first, firsts):
                first, firsts = near_a, near_a - low_b
            if is_less(last, lasts, high_a, high_a + near_b):
                last, lasts = high_a, high_a + near_b
        low_a, high_a, low_b, high_b = -high_a, -low_a, -high_b, -low_b
    for c in range(2):
        low_a, high_a, low_b, high_b = a[c] * size, (a[c] + a[2 + c]) * size, b[c] * size, (b[c] + b[2 + c]) * size
        start, stop = int64(min(wall[c], wall[2 + c])), int64(max(wall[c], wall[2 + c]))
        if high_b <= low_a:
            low_a, high_a, low_b, high_b, start, stop = -high_a, -low_a, -high_b, -low_b, -stop, -start
        if high_a <= low_b:
            if is_less(first, firsts, start - high_a, high_b - high_a):
                first, firsts = start - high_a, high_b - high_a
            if is_less(stop - low_a, low_b - low_a, last, lasts):
                last, lasts = stop - low_a, low_b - low_a
    return first, firsts, last, lasts


@inner_kernel
def _hides(wall: Array, term: Array, sides: tuple[int, int, int, int], a: Array, b: Array, size: int) -> int:
    """Return whether a wall that hides at some fractions of the way does so wherever it is met (``HARD``), nowhere, or ``MAYBE``."""
    low_a, high_a, low_b, high_b = sides
    first, firsts, last, lasts = _crossings(wall, sides, a, b, size)
    low, lows, high, highs = term[LOW], term[LOW + 1], term[HIGH], term[HIGH + 1]
    if is_less(last, lasts, low, lows) or is_less(high, highs, first, firsts):
        return OFF
    # Beside the line of the wall no segment begins or ends, and none of the fractions is one of these two.
    is_beside = (low_a >= 0 or high_a <= 0) and (low_b >= 0 or high_b <= 0)
    if is_beside and not (is_less(low, lows, last, lasts) and is_less(first, firsts, high, highs)):
        return OFF
    return MAYBE if is_less(first, firsts, low, lows) or is_less(high, highs, last, lasts) else HARD


@inner_kernel
def stops_between(wall: Array, term: Array, a: Array, b: Array, size: int) -> int:
    """Return what a special wall does to segments from space ``a`` to ``b``."""
    low_a, high_a = _range_of_sides(wall, a, size)
    low_b, high_b = _range_of_sides(wall, b, size)
    from_left, from_right = low_a < 0 and high_b > 0, high_a > 0 and low_b < 0
    if term[WHEN] == NEVER or not (from_left or from_right):
        return OFF
    if term[SIDE]:
        if enters(wall, a, -1, size) or enters(wall, b, -1, size):
            return MAYBE
        if not (from_left if term[SIDE] == 1 else from_right):
            return OFF
        if from_left and from_right:
            return MAYBE
    if term[WHEN] != ALWAYS:
        kind = _hides(wall, term, (low_a, high_a, low_b, high_b), a, b, size)
        if kind != HARD:
            return kind
    return LIMITED if term[LINE] >= 0 else HARD
