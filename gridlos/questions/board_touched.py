"""Which pairs may have another answer after one creature or one wall has changed; what is said of it in :mod:`gridlos.questions.board`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Ints
from gridlos.kernels import hull
from gridlos.questions.asked import Asked, asks_for
from gridlos.questions.choices import Choices
from gridlos.questions.creatures import Bodies, soft_lines

__all__ = ["Asks", "Changed", "Place", "group_of", "touched_by_creature", "touched_by_wall"]

Indices = NDArray[np.int64]

_INSIDE, _ANYWHERE = False, True  # where a shape has to meet a hull
_LOW_LIGHT = 2
"""How many times as far lights reach for low-light eyes at most."""


@dataclass(frozen=True, slots=True)
class Asks:
    """On what else than a pair itself its answer depends, by the edition and the attack.

    Attributes
    ----------
    creatures
        On the creatures in the way.
    partners
        On who threatens the target.
    friends, crowds
        On whom friends of the attacker fight; on who stands beside the attacker.
    back
        On how the target sees the attacker.
    """

    creatures: bool
    partners: bool
    friends: bool
    crowds: bool
    back: bool

    @classmethod
    def of(cls, asked: Asked) -> Asks:
        """Return what is asked."""
        edition, attack = asked.edition, asked.attack
        return cls(
            creatures=edition.table.soft_cover is not None or asked.measures.centre,
            partners=asked.measures.flanking,
            friends=asks_for(edition, attack, "engaged"),
            crowds=asks_for(edition, attack, "crowded"),
            back=edition.asks_who_sees_the_attacker,
        )


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
        reach = bodies.reach[who] if len(group) < 2 else bodies.reach[group].max()
        radius = None
        if light is not None and light.on and asked.scene.light != "bright":
            radius = ceil(_LOW_LIGHT * max(light.bright, light.dim) / asked.scene.battle_map.feet_per_square)
        return cls(
            space=bodies.spaces[who],
            standing=bodies.standing[group],
            reach=int(reach),
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


def _apart(space: Ints, others: Ints) -> Ints:
    """Return how many squares each of some spaces is away from one, diagonal steps counted as one, ``(n,)``."""
    end, ends = space[:2] + space[2:], others[:, :2] + others[:, 2:]
    gaps = np.maximum(others[:, :2] - end, space[:2] - ends) + 1
    found: Ints = np.maximum(gaps.max(axis=1), 0)
    return found


def touched_by_creature(
    asked: Asked, asks: Asks, changed: Changed, threatens: Bools, before: Bodies | None = None
) -> Bools:
    """Return the pairs that may have another answer since a creature has changed, ``(n, n)``.

    ``asked`` is the scene as it is now; ``threatens (n, n)`` who threatened whom before, the changed ones apart;
    ``before`` are the bodies of the same creatures before, None if one came or went.
    """
    bodies, n = asked.bodies, len(asked.bodies.spaces)
    if asks.creatures and changed.moves_cover:
        rectangles = [place.space.tolist() for place in changed.places]
        shapes = [(2 * x + w, 2 * y + h, w, 0, 0, h) for x, y, w, h in rectangles]
        found = hull.hulls_meeting(bodies.spaces, np.array(shapes, np.int64), 1, _INSIDE)
        if before is not None and not asked.measures.centre:
            _leave_same_cover_out(found, asked, before, changed.group)
    else:
        found = np.zeros((n, n), np.bool_)
    found[changed.group] = found[:, changed.group] = True
    if asks.partners or asks.friends or asks.crowds:
        _touch_those_beside(found, asked, asks, changed, threatens)
    for place in changed.places:
        if place.light is not None:
            lit = _apart(place.space, bodies.spaces) <= place.light
            found[lit] = found[:, lit] = True
    return found | found.T if asks.back else found


def _leave_same_cover_out(found: Bools, asked: Asked, before: Bodies, group: Indices) -> None:
    """Unmark the pairs between which creatures block the very lines that they blocked before, and all pairs of ``group``."""
    battle_map = asked.scene.battle_map
    found[group] = found[:, group] = False
    first, second = np.nonzero(np.triu(found))
    if not len(first):
        return
    pairs = np.column_stack((first, second))
    choices = Choices.of(asked.scene.spaces, pairs, battle_map.cols)
    shape = battle_map.rows, battle_map.cols
    old, new = (soft_lines(one, pairs, choices.starts, choices.squares, shape) for one in (before, asked.bodies))
    if old is None or new is None:
        return
    differs = (old[0] != new[0]) | (old[1] != new[1])
    if len(differs) > len(pairs):
        differs = np.logical_or.reduceat(differs, choices.starts[:-1])
    found[first, second] = found[second, first] = differs


def _touch_those_beside(found: Bools, asked: Asked, asks: Asks, changed: Changed, threatens: Bools) -> None:
    """Mark the pairs for which it matters who stands beside the target or the attacker."""
    standing, n = asked.bodies.standing, len(asked.bodies.spaces)
    in_reach, beside = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for place in changed.places:
        for own in {tuple(one) for one in place.standing.tolist()}:
            apart = _apart(np.array(own), standing)
            in_reach |= apart <= place.reach
            beside |= apart <= 1
    if asks.partners:
        found |= threatens & in_reach
    if asks.friends:
        friends = [one.side in changed.sides for one in asked.scene.creatures]
        found |= np.array(friends, np.bool_)[:, None] & beside
    if asks.crowds:
        found[beside] = True


def touched_by_wall(asked: Asked, asks: Asks, segment: Ints, threatens: Bools) -> Bools:
    """Return the pairs that may have another answer since a wall has changed, ``(n, n)``.

    ``segment (4,)`` lattice units is where it stands; the other arguments as in :func:`touched_by_creature`.
    """
    scene, bodies, n = asked.scene, asked.bodies, len(asked.bodies.spaces)
    burning = [one.on for one in scene.lights] + [one.light.on for one in scene.creatures if one.light is not None]
    if scene.light != "bright" and any(burning):
        return np.ones((n, n), np.bool_)
    x0, y0, x1, y1 = segment.tolist()
    shape = np.array([(x0 + x1, y0 + y1, x1 - x0, y1 - y0, 0, 0)], np.int64)
    found = hull.hulls_meeting(bodies.spaces, shape, scene.battle_map.subdivisions, _ANYWHERE)
    if asks.partners:
        who, whom = np.nonzero(found)
        ends = [bodies.standing[one, :2] + bodies.standing[one, 2:] for one in (who, whom)]
        gaps = np.maximum(bodies.standing[whom, :2] - ends[0], bodies.standing[who, :2] - ends[1]) + 1
        in_reach = np.zeros(n, np.bool_)
        in_reach[whom[gaps.max(axis=1, initial=0) <= bodies.reach[who]]] = True
        found |= threatens & in_reach
    return found | found.T if asks.back else found
