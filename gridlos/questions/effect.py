"""Line of effect and line of sight between creatures: the strict test, a segment between inner points that meets no wall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Ints, Stops
from gridlos.kernels import conditional, effect, intruded, parted, special_cost, tilt
from gridlos.questions.hindered import has_line_among
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.specials import Specials
from gridlos.questions.threads import in_parts

__all__ = ["effect_among_specials", "has_lines_of_effect"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_FEW = 4
"""From so many pairs on it pays to ask first which of them walls part: most of those that no free line joins."""

_MANY = 2_000
"""Pairs for which the question whether walls part them takes about a millisecond."""

_NEVER, _SOMETIMES, _ALWAYS = 0, 1, 2
_WHOLE_WAY = (Fraction(0), Fraction(1))
_SIDES = {0: 0, special_cost.FROM_LEFT: 1, special_cost.FROM_RIGHT: 2}


def has_lines_of_effect(
    obstacles: Obstacles,
    spaces: Ints,
    pairs: Indices,
    choices: tuple[Indices, Indices] | None = None,
    blocked: Lines | None = None,
    joined: Bools | None = None,
) -> Bools:
    """Return ``(n,)`` bool: does a line of effect join the two spaces of each pair ``(n, 2)`` of indices into ``spaces``?

    ``choices`` (starts and squares) and ``blocked`` are the pairs' corner lines, if they are known: many answers follow
    from them. ``joined`` are those of :meth:`gridlos.questions.obstacles.Obstacles.are_joined`, if they are known.
    """
    found: Bools = np.zeros(len(pairs), np.bool_)
    if choices is not None and blocked is not None:
        starts, choice_squares = choices
        found = tilt.tilt(*obstacles.lines, choice_squares, blocked, starts, obstacles.size)
    joined = obstacles.are_joined(spaces, pairs) if joined is None else joined
    rest = np.flatnonzero(joined & ~found)
    wide = spaces.astype(np.int64)
    if len(rest) >= _FEW:
        rows, cols = obstacles.legs.shape
        walls = obstacles.barriers, obstacles.band, obstacles.touching
        rest = rest[~in_parts(lambda some: parted.are_parted(*walls, wide, some, rows, cols, obstacles.size), pairs[rest], _MANY)]
    if not len(rest):
        return found
    whose, places = np.unique(pairs[rest], return_inverse=True)
    asked = (wide[whose], places.reshape(-1, 2).astype(np.int64))
    answers = effect.effects(obstacles.arms, obstacles.barriers, obstacles.pivots, *asked, obstacles.size)
    found[rest] = answers == effect.YES
    undecided = rest[answers == effect.UNDECIDED]
    if not len(undecided):
        return found
    squares = {one: grid.squares_of(spaces[one]).tolist() for one in np.unique(pairs[undecided]).tolist()}
    parts: dict[tuple[int, int], list[intruded.Region]] = {}
    for k in undecided.tolist():
        first, second = pairs[k].tolist()
        for p, q in product(map(tuple, squares[first]), map(tuple, squares[second])):
            for square in (p, q):
                if square not in parts:
                    parts[square] = intruded.regions_of(obstacles.barriers, square, obstacles.size)
            between = (p, q), (parts[p], parts[q])
            if intruded.decide(obstacles.barriers, obstacles.pivots, *between, obstacles.size):
                found[k] = True
                break
    return found


def effect_among_specials(
    battle_map: BattleMap, specials: Specials, channel: Channel, obstacles: Obstacles, pairs: Indices, plain: Bools
) -> tuple[Bools, Bools]:
    """Return ``(forth, back)``, ``(n,)`` bool each: which of the pairs have a line of effect past the special walls, too.

    ``obstacles`` are the plain ones, ``plain`` what they leave of the pairs. The two answers differ on maps with one-way
    walls only.
    """
    forth, back = plain.copy(), plain.copy()
    if not _can_stop(specials, channel, pairs):
        return forth, back
    spaces = specials.bodies[:, :4].astype(np.int32)
    stops = _Stopping.of(specials, channel)
    asked = [*_asked(stops, specials, battle_map.subdivisions, pairs, plain)]
    if not asked:
        return forth, back
    # Most are not hindered by all of these walls together.
    rest = np.concatenate([rows for rows, _ in asked])
    capable = np.logical_or.reduce([when != _NEVER for _, (when, _, _) in asked])
    all_hard = obstacles_of(battle_map, channel, more=stops.walls[capable])
    is_open = np.zeros(len(pairs), np.bool_)
    is_open[rest] = has_lines_of_effect(all_hard, spaces, pairs[rest])
    for places, (when, low, high) in asked:
        rows = places[~is_open[places]]
        if not len(rows):
            continue
        always = (when == _ALWAYS) & stops.is_plain
        among = obstacles
        if always.any():
            among = obstacles_of(battle_map, channel, more=stops.walls[always])
            forth[rows] = back[rows] = has_lines_of_effect(among, spaces, pairs[rows])
        conditional_ones = (when != _NEVER) & ~always
        walls = [stops.conditional(k, low[k], high[k]) for k in np.flatnonzero(conditional_ones).tolist()]
        near = _hulls_meet(spaces, pairs[rows], stops.walls[conditional_ones], battle_map.subdivisions)
        for k, close in zip(rows.tolist(), near, strict=True):
            if not forth[k] or not close.any():
                continue
            first, second = (_space(spaces[one]) for one in pairs[k])
            own = [walls[place] for place in np.flatnonzero(close).tolist()]
            forth[k] = back[k] = has_line_among(among, own, first, second)
            if any(wall.side for wall in own):
                back[k] = has_line_among(among, [_turned(wall) for wall in own], second, first)
    return forth, back


def _can_stop(specials: Specials, channel: Channel, pairs: Indices) -> bool:
    """Could the walls stop anything if each were as high and as low as all of them together?"""
    bit = Stops.SIGHT if channel is Channel.SIGHT else Stops.EFFECT
    bands = specials.bands[((specials.stops | specials.limited) & bit) != 0]
    if not len(bands):
        return False
    low, high = int(bands[:, 0].min()), int(bands[:, 1].max())
    heights = specials.bodies[:, special_cost.HEAD] - specials.bodies[:, special_cost.FEET]
    if len(heights) and heights.min() > high - low:
        return False
    return any(_hiding(low, high, *heights) for _, heights in _by_heights(specials, pairs))


_When = tuple[NDArray[np.int64], list[Fraction], list[Fraction]]


def _asked(
    stops: _Stopping, specials: Specials, size: int, pairs: Indices, plain: Bools
) -> Iterator[tuple[Indices, _When]]:
    """Yield, for pairs of equal heights together, the places of those that some special wall may hinder, and when each does."""
    spaces = specials.bodies[:, :4].astype(np.int32)
    for places, heights in _by_heights(specials, pairs[plain]):
        when = stops.when(*heights)
        rows = np.flatnonzero(plain)[places]
        near = _hulls_meet(spaces, pairs[rows], stops.walls[when[0] != _NEVER], size)
        rows = rows[near.any(axis=1)]
        if len(rows):
            yield rows, when


def _space(space: Ints) -> tuple[int, int, int, int]:
    x, y, width, height = space.tolist()
    return x, y, width, height


def _turned(wall: conditional.Conditional) -> conditional.Conditional:
    """Return the wall for who looks from the other end of the way."""
    ends = wall.x0, wall.y0, wall.x1, wall.y1
    return conditional.Conditional(*ends, wall.limited, wall.side, 1 - wall.high, 1 - wall.low)


def _by_heights(
    specials: Specials, pairs: Indices
) -> Iterator[tuple[Indices, tuple[tuple[int, int], tuple[int, int]]]]:
    """Yield the pairs of equal heights together: their places, and feet and head of both."""
    heights = specials.bodies[:, [special_cost.FEET, special_cost.HEAD]]
    classes, number = np.unique(heights, axis=0, return_inverse=True)
    number = number.reshape(-1)
    keys = number[pairs[:, 0]] * len(classes) + number[pairs[:, 1]]
    for key in np.unique(keys).tolist():
        one, other = (tuple(map(int, classes[place])) for place in divmod(key, len(classes)))
        yield np.flatnonzero(keys == key), ((one[0], one[1]), (other[0], other[1]))


def _hulls_meet(spaces: Ints, pairs: Indices, walls: Indices, size: int) -> Bools:
    """Return ``(n, m)``: does the box of each wall meet the box of the two spaces of each pair?"""
    low = np.minimum(spaces[pairs[:, 0], :2], spaces[pairs[:, 1], :2]) * size
    ends = spaces[:, :2] + spaces[:, 2:]
    high = np.maximum(ends[pairs[:, 0]], ends[pairs[:, 1]]) * size
    wall_low, wall_high = np.minimum(walls[:, :2], walls[:, 2:]), np.maximum(walls[:, :2], walls[:, 2:])
    meet = (wall_high[None] >= low[:, None]) & (wall_low[None] <= high[:, None])
    return np.asarray(meet.all(axis=2), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class _Stopping:
    """The walls that can stop something in a channel, bands of those that lie on each other joined.

    ``walls (m, 4)``, ``bands (m, 2)``, ``side (m,)``, ``limited (m,)`` bool.
    """

    walls: Indices
    bands: Indices
    side: Indices
    limited: Bools

    @classmethod
    def of(cls, specials: Specials, channel: Channel) -> _Stopping:
        bit = Stops.SIGHT if channel is Channel.SIGHT else Stops.EFFECT
        kept = np.flatnonzero((specials.stops | specials.limited) & bit)
        limited = (specials.stops[kept] & bit) == 0
        return cls(*_joined(specials.walls[kept], specials.bands[kept], specials.side[kept], limited))

    @property
    def is_plain(self) -> Bools:
        """Which walls stop from both sides, and alone."""
        return np.asarray((self.side == 0) & ~self.limited, np.bool_)

    def when(self, one: tuple[int, int], other: tuple[int, int]) -> _When:
        """Return whether each wall hides all never, sometimes or always, and from which fraction of the way to which."""
        if not len(self.walls):
            return np.zeros(0, np.int64), [], []
        kinds, number = np.unique(self.bands, axis=0, return_inverse=True)
        ends = [_hiding(bottom, top, one, other) for bottom, top in kinds.tolist()]
        status = np.array([_NEVER if one is None else _ALWAYS if one == _WHOLE_WAY else _SOMETIMES for one in ends])
        places = number.reshape(-1)
        low, high = ([one[end] if one else Fraction(0) for one in ends] for end in (0, 1))
        return status[places], [low[place] for place in places.tolist()], [high[place] for place in places.tolist()]

    def conditional(self, k: int, low: Fraction, high: Fraction) -> conditional.Conditional:
        """Return wall ``k`` as the exact search takes it."""
        x0, y0, x1, y1 = self.walls[k].tolist()
        side = _SIDES[int(self.side[k])]
        return conditional.Conditional(x0, y0, x1, y1, bool(self.limited[k]), side, low, high)


def _hiding(bottom: int, top: int, one: tuple[int, int], other: tuple[int, int]) -> tuple[Fraction, Fraction] | None:
    """Return between which fractions of the way a band hides all that two bodies (feet, head) leave open; None: nowhere."""
    low, high = Fraction(0), Fraction(1)
    # The feet are at or above the bottom, the head is at or below the top: both are linear.
    for start, stop in ((one[0] - bottom, other[0] - bottom), (top - one[1], top - other[1])):
        if start < 0 and stop < 0:
            return None
        if start < 0 or stop < 0:
            place = Fraction(start, start - stop)
            low, high = (max(low, place), high) if start < 0 else (low, min(high, place))
    return (low, high) if low <= high else None


def _joined(walls: Indices, bands: Indices, side: Indices, limited: Bools) -> tuple[Indices, Indices, Indices, Bools]:
    """Return the walls with the bands joined of those that lie on each other, cut where they begin and end; equal ones once."""
    turned = (walls[:, 0] > walls[:, 2]) | ((walls[:, 0] == walls[:, 2]) & (walls[:, 1] > walls[:, 3]))
    walls = np.where(turned[:, None], walls[:, [2, 3, 0, 1]], walls)
    side = np.where(turned & (side != 0), special_cost.FROM_LEFT + special_cost.FROM_RIGHT - side, side)
    rows: Indices = np.unique(np.column_stack((walls, side, limited, bands)), axis=0)
    if len(rows) and (rows[:, 6:] != rows[0, 6:]).any():
        rows = _joined_on_lines(rows)
    return rows[:, :4], rows[:, 6:], rows[:, 4], rows[:, 5].astype(np.bool_)


def _joined_on_lines(rows: Indices) -> Indices:
    """Return walls of which some lie on each other with different bands, as :func:`_joined`; ``rows (k, 8)`` are all it knows of each."""
    way = rows[:, 2:4] - rows[:, :2]
    way //= np.maximum(np.gcd(way[:, 0], way[:, 1]), 1)[:, None]
    keys = np.column_stack((way, way[:, 0] * rows[:, 1] - way[:, 1] * rows[:, 0], rows[:, 4:6]))
    _, line = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(line.reshape(-1), kind="stable")
    rows, starts = rows[order], np.flatnonzero(np.diff(line.reshape(-1)[order], prepend=-1))
    least, most = (reduce.reduceat(rows[:, 6:], starts, axis=0) for reduce in (np.minimum, np.maximum))
    is_mixed = (least != most).any(axis=1)
    found = [rows[~np.repeat(is_mixed, np.diff(starts, append=len(rows)))]]
    for parts in (part for part, mixed in zip(np.split(rows, starts[1:]), is_mixed, strict=True) if mixed):
        own = [((x0, y0), (x1, y1), (low, high)) for x0, y0, x1, y1, _, _, low, high in parts.tolist()]
        cuts = sorted({end for part in own for end in part[:2]})
        for start, stop in pairwise(cuts):
            here = [band for a, b, band in own if a <= start and stop <= b]
            found += [np.array([[*start, *stop, *parts[0, 4:6], *band]]) for band in _unions(here)]
    return np.concatenate(found)


def _unions(bands: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return bands that overlap or touch as one."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(bands):
        if joined and low <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], high)
        else:
            joined.append((low, high))
    return joined
