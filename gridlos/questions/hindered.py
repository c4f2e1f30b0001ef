"""One pair among walls that stop only under a condition: quick tests of which each is certain, then the exact search."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Ints, Masks
from gridlos.kernels import effect, intruded
from gridlos.kernels.conditional import Conditional, find_segment
from gridlos.kernels.lifted import is_joined_past_limited
from gridlos.kernels.special_parted import CROSSABLE, HARD, LIMITED, MAYBE, OFF
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.proof import boxes_meet
from gridlos.questions.stopping import Stopping, When

__all__ = ["has_line_among", "is_joined_by_squares"]

Walls = NDArray[np.int64]
Space = tuple[int, int, int, int]
Square = tuple[int, int]

_OFF, _MAYBE, _ON = 0, 1, 2


def has_line_among(obstacles: Obstacles, stops: Stopping, near: Masks, when: When, one: Space, other: Space) -> bool:
    """Return whether a line leads from inside the one space to inside the other past ``obstacles`` and special walls.

    ``near (m,)`` is what each special wall does between the two, see :func:`gridlos.kernels.special_effect.walls_between`.
    """
    size = obstacles.size
    boxes = [(size * x, size * y, size * (x + w), size * (y + h)) for x, y, w, h in (one, other)]
    near = near.copy()
    for k in np.flatnonzero(near == MAYBE).tolist():
        wall = stops.conditional(k, when[1][k], when[2][k])
        status = _status(wall, boxes[0], boxes[1])
        near[k] = MAYBE if status == _MAYBE else OFF if status == _OFF else CROSSABLE if wall.limited else HARD
    maybe, hard, limited = near == MAYBE, near == HARD, (near == LIMITED) | (near == CROSSABLE)
    barriers = _near(obstacles.barriers.astype(np.int64), boxes)
    pivots = np.concatenate((obstacles.pivots, stops.walls[near != OFF].reshape(-1, 2))).astype(np.int32)

    def is_joined(hard: Bools, limited: Bools) -> bool:
        """Whether a line would lead past, were there these special walls only, and did they stop whatever meets them."""
        all_hard = np.concatenate((barriers, stops.walls[hard])).astype(np.int32)
        if not limited.any():
            return _is_joined_past_hard(obstacles, all_hard, pivots, one, other)
        walls = stops.walls[limited], ((near == CROSSABLE) | maybe)[limited]
        return is_joined_past_limited(all_hard, *walls, pivots, (one, other), size)

    if not maybe.any():
        return is_joined(hard, limited)
    if is_joined(hard | maybe & ~stops.limited, limited | maybe & stops.limited):
        return True
    if not is_joined(hard, limited):
        return False
    special = [stops.conditional(k, when[1][k], when[2][k]) for k in np.flatnonzero(near != OFF).tolist()]
    return find_segment(obstacles.barriers, special, one, other, size) is not None


def _is_joined_past_hard(obstacles: Obstacles, barriers: Ints, pivots: Ints, one: Space, other: Space) -> bool:
    spaces, pair = np.array([one, other], np.int64), np.array([[0, 1]], np.int64)
    found = int(effect.effects(obstacles.arms, barriers, pivots, spaces, pair, obstacles.size)[0])
    if found == effect.UNDECIDED:
        return is_joined_by_squares(barriers, pivots, one, other, obstacles.size, {})
    return found == effect.YES


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
