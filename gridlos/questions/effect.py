"""Line of effect and line of sight between creatures: the strict test, a segment between inner points that meets no wall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Ints
from gridlos.kernels import (
    effect,
    intruded,
    onward,
    parted,
    special_cost,
    special_effect,
    tilt,
)
from gridlos.questions.hindered import has_line_among, is_joined_by_squares
from gridlos.questions.keeping import kept
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.specials import Specials
from gridlos.questions.stopping import Stopping
from gridlos.questions.threads import in_parts

__all__ = ["effect_among_specials", "has_lines_of_effect"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_FEW = 4
"""From so many pairs on it pays to ask first which of them walls part: among free walls, most of those that no free line joins."""

_MOST_KEPT = 4
"""So many sets of special walls are kept with a map: they differ in the heights of those who look, creatures and lights."""

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
    rest = rest[onward.lead_inside(obstacles.arms, wide, pairs[rest])]
    if len(rest) >= _FEW and (len(obstacles.walls) or (spaces[:, 2:] > 1).any()):
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
    rest = np.flatnonzero(plain)
    rest = rest[_can_be_stopped(specials, channel, pairs[rest])]
    spaces = np.ascontiguousarray(specials.bodies[:, :4])
    rest = rest[specials.are_near(battle_map, channel, np.ascontiguousarray(pairs[rest], np.int64), spaces)]
    if len(rest):
        past = _past(battle_map, obstacles_of(battle_map, channel), specials, channel)
        forth[rest] = back[rest] = past.has_lines(specials.bodies, pairs[rest])
        if past.stops.side.any():
            back[rest] = past.has_lines(specials.bodies, pairs[rest, ::-1])
    return forth, back


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """The plain walls and those special ones that can stop something, ``stops`` of the ``specials``, as the kernels take them."""

    specials: Specials
    obstacles: Obstacles
    stops: Stopping
    joint: Ints
    band: Ints
    touching: Ints
    terms: Indices
    map_size: Indices

    @classmethod
    def of(cls, battle_map: BattleMap, obstacles: Obstacles, specials: Specials, channel: Channel) -> _Past:
        stops = Stopping.of(specials, channel)
        map_size = np.array([battle_map.rows, battle_map.cols, battle_map.subdivisions], np.int64)
        return cls(specials, obstacles, stops, *obstacles.joint(stops.walls), stops.terms(), map_size)

    def has_lines(self, bodies: Indices, pairs: Indices) -> Bools:
        """Return ``(n,)`` bool: does a line lead from the first to the second of each pair? Plain walls leave them one."""
        walls = self.joint, self.obstacles.band, self.obstacles.touching, self.band, self.touching, self.terms
        spaces, heights = np.split(bodies[pairs], [special_cost.FEET], axis=2)
        asked = np.concatenate((spaces.reshape(-1, 8), heights.reshape(-1, 4)), axis=1)
        answers = in_parts(lambda some: special_effect.lines_past(*walls, some, self.map_size), asked, _MANY)
        found: Bools = np.asarray(answers == effect.YES, np.bool_)
        for k in np.flatnonzero(answers == effect.UNDECIDED).tolist():
            near = special_effect.walls_between(*walls, asked[k : k + 1], self.map_size)
            found[k] = has_line_among(self.obstacles, self.stops, near, asked[k].tolist())
        return found


def _past(battle_map: BattleMap, obstacles: Obstacles, specials: Specials, channel: Channel) -> _Past:
    """Return the walls as found for creatures to whom they are the same, if these are among the last that were kept with the map."""
    last: list[_Past] = kept(battle_map, ("past", channel), list)
    for one in list(last):
        if one.obstacles is obstacles and one.specials.are_walls_of(specials):
            return one
    found = _Past.of(battle_map, obstacles, specials, channel)
    last.insert(0, found)
    del last[_MOST_KEPT:]
    return found


def _can_be_stopped(specials: Specials, channel: Channel, pairs: Indices) -> Bools:
    """Return ``(n,)`` bool: which pairs could the walls stop if each were as high and as low as all of them together?"""
    bands = specials.bands[((specials.stops | specials.limited) & channel.bit) != 0]
    if not len(bands):
        return np.zeros(len(pairs), np.bool_)
    low, high = int(bands[:, 0].min()), int(bands[:, 1].max())
    feet, head = specials.bodies[:, special_cost.FEET][pairs], specials.bodies[:, special_cost.HEAD][pairs]
    could = (feet >= low).any(axis=1) & (head <= high).any(axis=1) & (head - feet <= high - low).any(axis=1)
    return np.asarray(could, np.bool_)


def _space(space: Ints) -> tuple[int, int, int, int]:
    x, y, width, height = space.tolist()
    return x, y, width, height
