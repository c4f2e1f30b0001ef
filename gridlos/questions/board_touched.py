"""Which pairs may have another answer after one creature or one wall has changed; what is said of it in :mod:`gridlos.questions.board`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Ints
from gridlos.questions.asked import Asked, asks_for

__all__ = ["Changed", "Place", "group_of", "hulls_meeting", "touched_by_creature", "touched_by_wall"]

Indices = NDArray[np.int64]

_LOW_LIGHT = 2
"""How many times as far lights reach for low-light eyes at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a creature is, before or after a change, and what it does to others from there.

    Attributes
    ----------
    space
        ``(4,)``: its squares.
    standing
        ``(g, 4)``: the space from which each of its group (:func:`group_of`) fights.
    reach
        The farthest that any of them reaches, in squares.
    gives_cover
        ``(n,)``: against whose attacks it can give soft cover.
    light
        How far, in squares, its light reaches for anybody at most; None: it carries none that burns.
    """

    space: Ints
    standing: Ints
    reach: int
    gives_cover: Bools
    light: int | None

    @classmethod
    def of(cls, asked: Asked, who: int, group: Indices) -> Place:
        """Return the place of creature ``who``, with its group, in a scene."""
        bodies, light = asked.bodies, asked.scene.creatures[who].light
        radius = None
        if light is not None and light.on and asked.scene.light != "bright":
            radius = ceil(_LOW_LIGHT * max(light.bright, light.dim) / asked.scene.battle_map.feet_per_square)
        return cls(
            space=bodies.spaces[who],
            standing=bodies.standing[group],
            reach=int(bodies.reach[group].max()),
            gives_cover=bodies.gives_cover[bodies.group, who],
            light=radius,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """A creature that has changed, with those that stand where it does.

    Attributes
    ----------
    places
        Before and after, or only one of these where it came or went.
    group
        Indices of itself and who rides with it, in the scene as it is now; empty if it went.
    sides
        The words of their sides.
    """

    places: tuple[Place, ...]
    group: Indices
    sides: frozenset[str]

    @property
    def moves_cover(self) -> bool:
        """Whether the cover that it gives to others can be another than before."""
        if not any(place.gives_cover.any() for place in self.places):
            return False
        if len(self.places) == 1:
            return True
        before, after = self.places
        return not (
            np.array_equal(before.space, after.space) and np.array_equal(before.gives_cover, after.gives_cover)
        )


def group_of(mounts: Sequence[str | None], ids: Sequence[str], who: int) -> Indices:
    """Return the creatures that are joined to one by riding and carrying, some way, itself included; ascending.

    >>> group_of([None, None, "a", "c"], ["a", "b", "c", "d"], 0).tolist()
    [0, 2, 3]
    """
    if not any(mounts):
        return np.array([who], np.int64)
    found = {ids[who]}
    n_before = 0
    while len(found) > n_before:
        n_before = len(found)
        found |= {name for name, mount in zip(ids, mounts, strict=True) if mount in found}
        found |= {mount for name, mount in zip(ids, mounts, strict=True) if mount is not None and name in found}
    return np.array([k for k, name in enumerate(ids) if name in found], np.int64)


def hulls_meeting(spaces: Ints, centres: Indices, arms: Indices, scale: int = 1) -> Bools:
    """Return for which two spaces the convex hull of both meets one of some shapes, borders included, ``(n, n)``.

    It may say so of some more pairs: the hull is taken of two spaces as wide and as high as the larger of the two.
    Entries of a space with itself say nothing.

    Parameters
    ----------
    spaces
        ``(n, 4)``: ``x, y, width, height`` in squares.
    centres, arms
        ``(k, 2)`` and ``(k, m, 2)`` int64: twice the centre of each shape, and its extent: all points within
        ``sum(c[i] * arms[i]) / 2`` of the centre, c from -1 to 1. A segment has one arm, from end to end; a rectangle
        has two along the axes.
    scale
        Units of the shapes in a square.

    Examples
    --------
    >>> spaces = np.array([[0, 0, 1, 1], [4, 0, 1, 1], [4, 4, 1, 1]], np.int32)
    >>> centre, arms = np.array([[5, 1]]), np.array([[[1, 0], [0, 1]]])  # the square (2, 0)
    >>> np.argwhere(hulls_meeting(spaces, centre, arms)).tolist()
    [[0, 1], [1, 0]]
    """
    n = len(spaces)
    low = spaces[:, :2].astype(np.int64) * scale
    size = spaces[:, 2:].astype(np.int64) * scale
    away = (2 * low + size)[None] - centres[:, None]
    extent = np.abs(arms).sum(axis=1)[:, None] + size
    # Two spaces that lie on the same side of a shape have their hull there.
    code = np.zeros((len(centres), n), np.uint8)
    sides = [(away[:, :, 0], extent[:, :, 0]), (away[:, :, 1], extent[:, :, 1])]
    if arms.shape[1] == 1:
        along, across = arms[:, 0, 0, None], arms[:, 0, 1, None]
        turned = along * away[:, :, 1] - across * away[:, :, 0]
        sides.append((turned, np.abs(across) * size[:, 0] + np.abs(along) * size[:, 1]))
    for k, (distance, reach) in enumerate(sides):
        code |= (distance > reach).astype(np.uint8) << (2 * k) | (distance < -reach).astype(np.uint8) << (2 * k + 1)
    numbers = np.arange(n)
    near = ((code[:, :, None] & code[:, None, :]) == 0) & (numbers[:, None] < numbers)
    shape, first, second = np.nonzero(near)
    dx, dy = (low[second] - low[first]).T
    widest, highest = np.maximum(size[first], size[second]).T
    offset = centres[shape] - 2 * low[first]
    beside = dx * (offset[:, 1] - highest) - dy * (offset[:, 0] - widest)
    reach = np.abs(dy) * widest + np.abs(dx) * highest
    for arm in range(arms.shape[1]):
        reach += np.abs(dx * arms[shape, arm, 1] - dy * arms[shape, arm, 0])
    met = np.abs(beside) <= reach
    found = np.zeros((n, n), np.bool_)
    found[first[met], second[met]] = found[second[met], first[met]] = True
    return found


def _apart(space: Ints, others: Ints) -> Ints:
    """Return how many squares each of some spaces is away from one, diagonal steps counted as one, ``(n,)``."""
    end, ends = space[:2] + space[2:], others[:, :2] + others[:, 2:]
    gaps = np.maximum(others[:, :2] - end, space[:2] - ends) + 1
    found: Ints = np.maximum(gaps.max(axis=1), 0)
    return found


def touched_by_creature(asked: Asked, changed: Changed, threatens: Bools) -> Bools:
    """Return the pairs that may have another answer since a creature has changed, ``(n, n)``.

    ``asked`` is the scene as it is now; ``threatens (n, n)`` who threatened whom before, the changed ones apart.
    """
    bodies, edition, n = asked.bodies, asked.edition, len(asked.bodies.spaces)
    found = np.zeros((n, n), np.bool_)
    found[changed.group] = found[:, changed.group] = True
    if (edition.table.soft_cover is not None or asked.measures.centre) and changed.moves_cover:
        spaces = np.array([place.space for place in changed.places], np.int64)
        arms = np.zeros((len(spaces), 2, 2), np.int64)
        arms[:, 0, 0], arms[:, 1, 1] = spaces[:, 2], spaces[:, 3]
        found |= hulls_meeting(bodies.spaces, 2 * spaces[:, :2] + spaces[:, 2:], arms)
    asks = [asks_for(edition, asked.attack, fact) for fact in ("engaged", "crowded")]
    if asked.measures.flanking or any(asks):
        in_reach, beside = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        for place in changed.places:
            for standing in np.unique(place.standing, axis=0) if len(place.standing) > 1 else place.standing:
                apart = _apart(standing, bodies.standing)
                in_reach |= apart <= place.reach
                beside |= apart <= 1
        if asked.measures.flanking:
            found |= threatens & in_reach
        if asks[0]:
            friends = [one.side in changed.sides for one in asked.scene.creatures]
            found |= np.logical_and.outer(np.array(friends, np.bool_), beside)
        if asks[1]:
            found[beside] = True
    for place in changed.places:
        if place.light is not None:
            lit = _apart(place.space, bodies.spaces) <= place.light
            found[lit] = found[:, lit] = True
    return _both_ways(asked, found)


def touched_by_wall(asked: Asked, segment: Ints, threatens: Bools) -> Bools:
    """Return the pairs that may have another answer since a wall has changed, ``(n, n)``.

    ``segment (4,)`` lattice units is where it stands; the other arguments as in :func:`touched_by_creature`.
    """
    scene, bodies, n = asked.scene, asked.bodies, len(asked.bodies.spaces)
    carried = [one.light for one in scene.creatures if one.light is not None]
    if scene.light != "bright" and any(one.on for one in (*scene.lights, *carried)):
        return np.ones((n, n), np.bool_)
    x0, y0, x1, y1 = segment.tolist()
    centre, arm = np.array([[x0 + x1, y0 + y1]], np.int64), np.array([[[x1 - x0, y1 - y0]]], np.int64)
    found = hulls_meeting(bodies.spaces, centre, arm, scene.battle_map.subdivisions)
    if asked.measures.flanking:
        who, whom = np.nonzero(found)
        ends = [bodies.standing[one, :2] + bodies.standing[one, 2:] for one in (who, whom)]
        gaps = np.maximum(bodies.standing[whom, :2] - ends[0], bodies.standing[who, :2] - ends[1]) + 1
        in_reach = np.zeros(n, np.bool_)
        in_reach[whom[gaps.max(axis=1, initial=0) <= bodies.reach[who]]] = True
        found |= threatens & in_reach
    return _both_ways(asked, found)


def _both_ways(asked: Asked, pairs: Bools) -> Bools:
    """Return the pairs, and those the other way round if an answer depends on how the target sees the attacker."""
    return pairs | pairs.T if asked.edition.asks_who_sees_the_attacker else pairs
