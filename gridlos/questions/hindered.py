"""One pair among walls that stop only under a condition: quick tests of which each is certain, then the exact search."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Ints
from gridlos.kernels import effect, intruded
from gridlos.kernels.conditional import Conditional, find_segment
from gridlos.kernels.dual import line_of
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.proof import boxes_meet

__all__ = ["has_line_among", "is_joined_by_squares"]

Walls = NDArray[np.int64]
Space = tuple[int, int, int, int]
Square = tuple[int, int]

_OFF, _MAYBE, _ON = 0, 1, 2


def has_line_among(obstacles: Obstacles, walls: Sequence[Conditional], one: Space, other: Space) -> bool:
    """Return whether a line leads from inside the one space to inside the other past ``obstacles`` and ``walls``."""
    size = obstacles.size
    boxes = [(size * x, size * y, size * (x + w), size * (y + h)) for x, y, w, h in (one, other)]
    barriers = _near(obstacles.barriers.astype(np.int64), boxes)
    sure: list[Conditional] = []
    doubtful: list[Conditional] = []
    limited: list[Conditional] = []
    for wall in walls:
        status = _status(wall, boxes[0], boxes[1])
        if status == _MAYBE:
            doubtful.append(wall)
        elif status == _ON:
            (limited if wall.limited else sure).append(wall)
    pivots = np.concatenate((obstacles.pivots, _segments(walls).reshape(-1, 2))).astype(np.int32)

    def is_joined(*more: Sequence[Conditional]) -> bool:
        """Whether a line would lead past, were all of these walls hard and no others there."""
        hard = np.concatenate((barriers, *(_segments(some) for some in more))).astype(np.int32)
        spaces, pair = np.array([one, other], np.int64), np.array([[0, 1]], np.int64)
        found = int(effect.effects(obstacles.arms, hard, pivots, spaces, pair, size)[0])
        return is_joined_by_squares(hard, pivots, one, other, size, {}) if found == effect.UNDECIDED else found == effect.YES

    if is_joined(sure, doubtful, limited):
        return True
    if not (doubtful or limited) or not is_joined(sure):
        return False
    if not doubtful and not any(_enters(wall, box) for wall in limited for box in boxes):
        return any(is_joined(sure, rest) for rest in _lifted(limited))
    return find_segment(obstacles.barriers, walls, one, other, size) is not None


def is_joined_by_squares(
    barriers: Ints, pivots: Ints, one: Space, other: Space, size: int, parts: dict[Square, list[intruded.Region]]
) -> bool:
    """Return whether a line leads from one space to the other past ``barriers``, square by square: a search that is never undecided.

    What the centres of squares see of them is kept in ``parts``.
    """
    for between in product(_squares_in(one), _squares_in(other)):
        for square in between:
            if square not in parts:
                parts[square] = intruded.regions_of(barriers, square, size)
        if intruded.decide(barriers, pivots, between, (parts[between[0]], parts[between[1]]), size):
            return True
    return False


def _squares_in(space: Space) -> list[Square]:
    """Return the squares of a space in reading order."""
    x, y, width, height = space
    return [(x + i, y + j) for j in range(height) for i in range(width)]


def _segments(walls: Sequence[Conditional]) -> Walls:
    return np.array([(wall.x0, wall.y0, wall.x1, wall.y1) for wall in walls], np.int64).reshape(-1, 4)


def _near(barriers: Walls, boxes: Sequence[tuple[int, ...]]) -> Walls:
    """Return the walls whose box meets that of the two boxes."""
    corners = np.array(boxes)
    low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
    return np.asarray(barriers[boxes_meet(barriers, *low.tolist(), *high.tolist())], np.int64)


def _sides(wall: Conditional, box: tuple[int, ...]) -> tuple[int, int]:
    """Return between which values the open box lies of ``cross(wall, point - start)``, which is negative on the wall's left."""
    dx, dy = wall.x1 - wall.x0, wall.y1 - wall.y0
    values = [dx * (y - wall.y0) - dy * (x - wall.x0) for x in box[::2] for y in box[1::2]]
    return min(values), max(values)


def _status(wall: Conditional, one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return whether the wall stops all segments from inside the one to inside the other box, none, or perhaps some."""
    low_a, high_a = _sides(wall, one)
    low_b, high_b = _sides(wall, other)
    if (low_a >= 0 and low_b >= 0) or (high_a <= 0 and high_b <= 0):
        return _OFF
    if not ((low_a >= 0 and high_b <= 0) or (high_a <= 0 and low_b >= 0)):
        return _ON if wall.side == 0 and wall.low <= 0 and wall.high >= 1 else _MAYBE
    if wall.side and (wall.side == 1) == (low_a >= 0):
        return _OFF
    near_a, far_a = sorted((abs(low_a), abs(high_a)))
    near_b, far_b = sorted((abs(low_b), abs(high_b)))
    # The fraction of the way at the crossing lies strictly between these.
    first = Fraction(near_a, near_a + far_b) if near_a + far_b else Fraction(0)
    last = Fraction(far_a, far_a + near_b) if far_a + near_b else Fraction(1)
    if wall.low <= first and last <= wall.high:
        return _ON
    return _OFF if last <= wall.low or first >= wall.high else _MAYBE


def _enters(wall: Conditional, box: tuple[int, ...]) -> bool:
    """May the wall meet the inside of the box?"""
    low, high = _sides(wall, box)
    x0, x1 = sorted((wall.x0, wall.x1))
    y0, y1 = sorted((wall.y0, wall.y1))
    return low < 0 < high and x1 > box[0] and x0 < box[2] and y1 > box[1] and y0 < box[3]


def _lifted(walls: Sequence[Conditional]) -> list[list[Conditional]]:
    """Return the walls without those on one straight line, for each such line."""
    lines: dict[tuple[int, int, int], list[Conditional]] = {}
    for wall in walls:
        lines.setdefault(line_of(wall.x0, wall.y0, wall.x1, wall.y1), []).append(wall)
    return [[wall for other, some in lines.items() if other != key for wall in some] for key in lines]
