"""One pair among walls that stop only under a condition: quick tests of which each is certain, then the exact search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Ints, Masks
from gridlos.kernels import effect, intruded
from gridlos.kernels.conditional import find_segment
from gridlos.kernels.lifted import is_joined_past_limited
from gridlos.kernels.special_parted import CROSSABLE, HARD, LIMITED, MAYBE, OFF
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.proof import boxes_meet
from gridlos.questions.stopping import Stopping

__all__ = ["has_line_among", "is_joined_by_squares"]

Walls = NDArray[np.int64]
Space = tuple[int, int, int, int]
Square = tuple[int, int]


def has_line_among(obstacles: Obstacles, stops: Stopping, near: Masks, asked: Sequence[int]) -> bool:
    """Return whether a line leads from inside the one space to inside the other past ``obstacles`` and special walls.

    ``near (m,)`` is what each special wall does between the two, see :func:`gridlos.kernels.special_effect.walls_between`;
    ``asked`` are the two spaces, feet, head, feet and head.
    """
    size = obstacles.size
    one, other = _space(asked[:4]), _space(asked[4:8])
    boxes = [(size * x, size * y, size * (x + w), size * (y + h)) for x, y, w, h in (one, other)]
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
    heights = (asked[8], asked[9]), (asked[10], asked[11])
    special = (stops.conditional(k, *heights) for k in np.flatnonzero(near != OFF).tolist())
    return find_segment(obstacles.barriers, [wall for wall in special if wall is not None], one, other, size) is not None


def _space(space: Sequence[int]) -> Space:
    x, y, width, height = space
    return x, y, width, height


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
