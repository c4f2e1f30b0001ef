"""What workloads have to find, by slow and plain ways: the walk line by line, and rules read off its lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gridlos.errors import GridlosError
from gridlos.facts import Contact
from gridlos.kernels import line
from gridlos.questions.obstacles import Obstacles
from gridlos.scene import Scene
from gridlos.verdict import Evaluation

__all__ = [
    "WrongResultError",
    "bits_of",
    "check",
    "check_cover",
    "clear_lines",
    "creature_lines",
    "least_of",
    "places_of",
    "sample_of",
    "walked",
]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]
Bits = NDArray[np.bool_]

_CORNER = np.array([(0, 0), (1, 0), (0, 1), (1, 1)], np.int64)


class WrongResultError(GridlosError):
    """A workload whose result is not what the slow way finds: its time says nothing."""


def check(what: str, *, holds: bool) -> None:
    """Raise if something does not hold of a workload's result."""
    if not holds:
        raise WrongResultError(f"{what}: the result is not that of the plain reference; nothing is timed")


def sample_of(n: int, size: int) -> Indices:
    """Return some numbers below ``n``, ascending; all of them if there are no more than ``size``."""
    if n <= size:
        return np.arange(n, dtype=np.int64)
    return np.sort(np.random.default_rng(1).choice(n, size, replace=False))


def places_of(scene: Scene) -> Indices:
    """Return ``row * cols + column`` of each creature's first square."""
    spaces = scene.spaces.astype(np.int64)
    return np.asarray(spaces[:, 1] * scene.battle_map.cols + spaces[:, 0])


def walked(obstacles: Obstacles, squares: Indices) -> Lines:
    """Return which of the 16 lines of each pair of squares the walk finds blocked."""
    found: Lines = line.blocked_lines(*obstacles.lines, squares, obstacles.size)
    return found


def bits_of(lines: Lines) -> Bits:
    """Return ``(n, 4, 4)``: the lines of each pair of squares, a corner of the first a row."""
    found: Bits = (lines[:, None] >> np.arange(16) & 1).astype(np.bool_).reshape(-1, 4, 4)
    return found


def least_of(lines: Lines) -> Indices:
    """Return the least lines blocked from any corner of the first square."""
    return np.asarray(bits_of(lines).sum(axis=2).min(axis=1))


def clear_lines(obstacles: Obstacles, squares: Indices) -> Bits:
    """Return for each pair of squares whether some corner line meets no wall, not even at a point."""
    corners = 4 * squares[:, :, None] + np.arange(4)
    ends = np.stack(np.broadcast_arrays(corners[:, 0, :, None], corners[:, 1, None, :]), axis=-1).reshape(-1, 2)
    found = line.contacts(*obstacles.lines, ends, obstacles.size)
    return np.asarray((found == Contact.CLEAR).reshape(-1, 16).any(axis=1))


def creature_lines(scene: Scene, pairs: Indices) -> Bits:
    """Return ``(n, 4, 4)``: which lines of each pair of creatures, all in one square each, the others block."""
    at = scene.spaces[:, :2].astype(np.int64)
    n = len(at)
    start = at[pairs[:, 0], None, None, None] + _CORNER[:, None, None]
    end = at[pairs[:, 1], None, None, None] + _CORNER[None, :, None]
    step, centre = end - start, 2 * at[None, None, None] + 1
    cross = step[..., 0] * (centre[..., 1] - 2 * start[..., 1]) - step[..., 1] * (centre[..., 0] - 2 * start[..., 0])
    low, high = np.minimum(start, end), np.maximum(start, end)
    in_box = ((low < at + 1) & (high > at)).all(axis=-1)
    through = in_box & (np.abs(cross) < np.abs(step).sum(axis=-1))
    other = (np.arange(n) != pairs[:, :1]) & (np.arange(n) != pairs[:, 1:])
    found = (through & other[:, None, None]).any(axis=-1)
    return np.asarray(found | _between(at, pairs, start[..., 0, :], end[..., 0, :]))


def _between(at: Indices, pairs: Indices, start: Indices, end: Indices) -> Bits:
    """Return which lines along the grid run somewhere between two creatures."""
    who = {(int(x), int(y)): k for k, (x, y) in enumerate(at)}
    blocked = np.zeros((len(pairs), 4, 4), np.bool_)
    start, end = np.broadcast_to(start, (*blocked.shape, 2)), np.broadcast_to(end, (*blocked.shape, 2))
    straight = (start == end).sum(axis=-1) == 1
    for k, i, j in np.argwhere(straight).tolist():
        (xa, ya), (xb, yb) = start[k, i, j].tolist(), end[k, i, j].tolist()
        own = set(pairs[k].tolist())
        for step in range(min(xa, xb) + min(ya, yb), max(xa, xb) + max(ya, yb)):
            along = step - (ya if ya == yb else xa)
            beside = [(along, ya - 1), (along, ya)] if ya == yb else [(xa - 1, along), (xa, along)]
            taken = [who.get(square) for square in beside]
            if all(one is not None and one not in own for one in taken):
                blocked[k, i, j] = True
    return blocked


def check_cover(what: str, scene: Scene, obstacles: Obstacles, found: Evaluation, size: int = 2000) -> None:
    """Check cover and soft cover of an evaluation by ``pathfinder1``, ranged, all walls plain and all creatures in one square.

    The attacker takes the corner with the lowest penalty: 0, 2 where walls block one line, 4 where they block more or
    creatures block any; then the one with the fewest lines blocked by walls, then by creatures.
    """
    n = len(scene.creatures)
    first, second = np.divmod(sample_of(n * n, size), n)
    pairs = np.stack((first, second), axis=1)[first != second]
    squares = places_of(scene)[pairs]
    lines = walked(obstacles, squares)
    usable, counted = (_uncut(obstacles)[squares[:, end]] for end in (0, 1))
    hard, soft = (_blocked(one, counted) for one in (bits_of(lines), creature_lines(scene, pairs)))
    soft[~counted.any(axis=1)] = 0
    penalty = np.where((hard > 1) | (soft > 0), 4, np.where(hard == 1, 2, 0))
    key = np.where(usable, 100 * penalty + 10 * hard + soft, 1000)
    corner = key.argmin(axis=1)
    taken = np.arange(len(pairs)), corner
    degree = np.array(["none", "partial", "cover", "cover", "cover"])[hard[taken]]
    degree = np.where((hard[taken] == 0) & (soft[taken] > 0), "soft", degree)
    told = np.array(found.degrees)[found.cover[pairs[:, 0], pairs[:, 1]]]
    may_be_total = ~clear_lines(obstacles, squares)
    check(what, holds=bool(((told == degree) | (may_be_total & (told == "total"))).all()))
    open_to = told != "total"
    told_soft = found.columns["soft"][pairs[:, 0], pairs[:, 1]]
    check(what, holds=np.array_equal(told_soft[open_to], (soft[taken] > 0)[open_to]))


def _uncut(obstacles: Obstacles) -> Bits:
    """Return ``(squares, 4)``: the corners that their square's centre sees."""
    legs = obstacles.legs.ravel().astype(np.int64)
    found: Bits = (legs[:, None] >> (2 * np.arange(4)) & 3) != 0
    return found


def _blocked(bits: Bits, counted: Bits) -> Indices:
    """Return how many counted lines are blocked from each corner; four where all of them are."""
    number = (bits & counted[:, None]).sum(axis=2)
    return np.asarray(np.where(number == counted.sum(axis=1)[:, None], 4, number))
