"""Line of effect and line of sight between creatures: the strict test, a segment between inner points that meets no wall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Ints, Stops
from gridlos.kernels import (
    effect,
    intruded,
    parted,
    special_cost,
    special_effect,
    tilt,
)
from gridlos.questions.hindered import has_line_among, is_joined_by_squares
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.specials import Specials
from gridlos.questions.stopping import Heights, Stopping, When, hiding_between
from gridlos.questions.threads import in_parts

__all__ = ["effect_among_specials", "has_lines_of_effect"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_FEW = 4
"""From so many pairs on it pays to ask first which of them walls part: most of those that no free line joins."""

_MANY = 2_000
"""Pairs for which the question whether walls part them takes about a millisecond."""


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
        found = tilt.tilt(*obstacles.lines_at(choice_squares), choice_squares, blocked, starts, obstacles.size)
    joined = obstacles.are_joined(spaces, pairs) if joined is None else joined
    rest = np.flatnonzero(joined & ~found)
    wide = spaces.astype(np.int64)
    if len(rest) >= _FEW:
        rows, cols = obstacles.shape
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
    parts: dict[tuple[int, int], list[intruded.Region]] = {}
    for k in undecided.tolist():
        first, second = (_space(spaces[one]) for one in pairs[k])
        found[k] = is_joined_by_squares(obstacles.barriers, obstacles.pivots, first, second, obstacles.size, parts)
    return found


def effect_among_specials(
    battle_map: BattleMap, specials: Specials, channel: Channel, pairs: Indices, plain: Bools
) -> tuple[Bools, Bools]:
    """Return ``(forth, back)``, ``(n,)`` bool each: which of the pairs have a line of effect past the special walls, too.

    ``plain`` is what plain walls leave of the pairs. The two answers differ on maps with one-way walls only.
    """
    forth, back = plain.copy(), plain.copy()
    joined = np.flatnonzero(plain)
    spaces = np.ascontiguousarray(specials.bodies[:, :4])
    joined = joined[specials.are_near(battle_map, channel, np.ascontiguousarray(pairs[joined], np.int64), spaces)]
    if not len(joined) or not _can_stop(specials, channel, pairs[joined]):
        return forth, back
    stops = Stopping.of(specials, channel)
    past = _Past.of(battle_map, obstacles_of(battle_map, channel), stops)
    for places, heights in _by_heights(specials, pairs[joined]):
        rows, when = joined[places], stops.when(*heights)
        if not when[0].any():
            continue
        forth[rows] = back[rows] = past.has_lines(spaces, pairs[rows], when)
        if stops.side.any():
            back[rows] = past.has_lines(spaces, pairs[rows][:, ::-1], _turned(when))
    return forth, back


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """The plain walls and those special ones that can stop something, as the kernels take them."""

    obstacles: Obstacles
    stops: Stopping
    joint: Ints
    band: Ints
    touching: Ints
    terms: Indices
    map_size: Indices

    @classmethod
    def of(cls, battle_map: BattleMap, obstacles: Obstacles, stops: Stopping) -> _Past:
        map_size = np.array([battle_map.rows, battle_map.cols, battle_map.subdivisions], np.int64)
        return cls(obstacles, stops, *obstacles.joint(stops.walls), stops.terms(), map_size)

    def has_lines(self, spaces: Indices, pairs: Indices, when: When) -> Bools:
        """Return ``(n,)`` bool: does a line lead from the first to the second of each pair? Plain walls leave them one."""
        terms = self.terms.copy()
        terms[:, special_effect.WHEN] = when[0]
        walls = self.joint, self.obstacles.band, self.obstacles.touching, self.band, self.touching, terms
        asked = np.ascontiguousarray(spaces[pairs].reshape(-1, 8))
        answers = in_parts(lambda some: special_effect.lines_past(*walls, some, self.map_size), asked, _MANY)
        found: Bools = np.asarray(answers == effect.YES, np.bool_)
        for k in np.flatnonzero(answers == effect.UNDECIDED).tolist():
            near = special_effect.walls_between(*walls, asked[k : k + 1], self.map_size)
            first, second = (_space(spaces[one]) for one in pairs[k])
            found[k] = has_line_among(self.obstacles, self.stops, near, when, first, second)
        return found


def _can_stop(specials: Specials, channel: Channel, pairs: Indices) -> bool:
    """Could the walls stop anything if each were as high and as low as all of them together?"""
    bit = Stops.SIGHT if channel is Channel.SIGHT else Stops.EFFECT
    bands = specials.bands[((specials.stops | specials.limited) & bit) != 0]
    if not len(bands):
        return False
    low, high = int(bands[:, 0].min()), int(bands[:, 1].max())
    if low <= specials.bodies[:, special_cost.FEET].min() and high >= specials.bodies[:, special_cost.HEAD].max():
        return True
    heights = specials.bodies[:, special_cost.HEAD] - specials.bodies[:, special_cost.FEET]
    if len(heights) and heights.min() > high - low:
        return False
    return any(hiding_between(low, high, *heights) for _, heights in _by_heights(specials, pairs))


def _space(space: Ints) -> tuple[int, int, int, int]:
    x, y, width, height = space.tolist()
    return x, y, width, height


def _turned(when: When) -> When:
    """Return when walls stop who looks from the other end of the way."""
    status, low, high = when
    return status, [1 - place for place in high], [1 - place for place in low]


def _by_heights(
    specials: Specials, pairs: Indices
) -> Iterator[tuple[Indices, tuple[Heights, Heights]]]:
    """Yield the pairs of equal heights together: their places, and feet and head of both."""
    heights = specials.bodies[:, [special_cost.FEET, special_cost.HEAD]]
    if len(pairs) and (heights == heights[0]).all():
        feet, head = heights[0].tolist()
        yield np.arange(len(pairs)), ((feet, head), (feet, head))
        return
    classes, number = np.unique(heights, axis=0, return_inverse=True)
    number = number.reshape(-1)
    keys = number[pairs[:, 0]] * len(classes) + number[pairs[:, 1]]
    for key in np.unique(keys).tolist():
        one, other = (tuple(map(int, classes[place])) for place in divmod(key, len(classes)))
        yield np.flatnonzero(keys == key), ((one[0], one[1]), (other[0], other[1]))
