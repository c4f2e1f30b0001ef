"""Convex polygons of whole numbers: their corners are fractions, held by three integers each."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

__all__ = ["Corner", "Wall", "clipped", "line_through", "meets_inside", "rectangle", "value_at", "without_factor"]

Wall = tuple[int, int, int, int]
Corner = tuple[int, int, int]
"""A point ``x / w, y / w`` as ``x, y, w`` with ``w > 0``, or the line of points with ``x a + y b + w c = 0`` as ``a, b, c``."""


def without_factor(numbers: Corner) -> Corner:
    """Return the same point or line in the least numbers."""
    common = gcd(*numbers) or 1
    return numbers[0] // common, numbers[1] // common, numbers[2] // common


def value_at(line: Corner, point: Corner) -> int:
    """Return what is positive on the one side of a line, negative on the other."""
    return line[0] * point[0] + line[1] * point[1] + line[2] * point[2]


def line_through(x0: int, y0: int, x1: int, y1: int) -> Corner:
    """Return the line that is positive on the side of positive cross products with the direction from 0 to 1."""
    return y0 - y1, x1 - x0, x0 * y1 - y0 * x1


def clipped(corners: list[Corner], line: Corner) -> list[Corner]:
    """Return the part of a convex polygon that is on the positive side of a line."""
    result = []
    for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
        here, there = value_at(line, p), value_at(line, q)
        if here >= 0:
            result.append(p)
        if (here > 0 and there < 0) or (here < 0 and there > 0):
            x, y, w = (abs(here) * b + abs(there) * a for a, b in zip(p, q, strict=True))
            result.append(without_factor((x, y, w)))
    return result


def rectangle(left: int, top: int, right: int, bottom: int) -> list[Corner]:
    """Return the corners of a rectangle, turning with positive cross products."""
    return [(left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)]


def meets_inside(corners: list[Corner], wall: Wall) -> bool:
    """Does the wall meet the inside of a convex polygon?"""
    low, high = Fraction(0), Fraction(1)
    for (x0, y0, w0), (x1, y1, w1) in zip(corners, corners[1:] + corners[:1], strict=True):
        side = (y0 * w1 - y1 * w0, x1 * w0 - x0 * w1, x0 * y1 - x1 * y0)
        if side == (0, 0, 0):
            continue
        start, end = value_at(side, (*wall[:2], 1)), value_at(side, (*wall[2:], 1))
        if start <= 0 and end <= 0:
            return False
        if start < 0 or end < 0:
            place = Fraction(start, start - end)
            low, high = (max(low, place), high) if start < 0 else (low, min(high, place))
    return low < high
