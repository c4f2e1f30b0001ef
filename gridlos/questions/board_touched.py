"""Which pairs may have another answer after one creature or one wall has changed; what is said of it in :mod:`gridlos.questions.board`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.facts import Bools, Ints
from gridlos.kernels import hull
from gridlos.kernels import touched as kernels
from gridlos.questions.asked import Asked, asks_for
from gridlos.questions.between import keep_soft_lines, soft_lines_anew
from gridlos.questions.creatures import Bodies
from gridlos.questions.traits import (
    CROWDED,
    ENGAGED,
    NOBODY_CROWDED,
    NOBODY_ENGAGED,
    everybody_crowded,
    everybody_engaged,
)

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
            creatures=asked.measures.creatures or asked.measures.centre,
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
    bodies, who
        The creatures of the scene, and which of them it is.
    beside, reached
        ``(m,)`` bool: of the creatures that are there before and after, who stands adjacent to one of its group
        (:func:`group_of`) or is one of them; whom one of these reaches, diagonal steps counted as one.
    light
        How far, in squares, its light reaches for anybody at most; None: it carries none that burns.
    """

    bodies: Bodies
    who: int
    beside: Bools
    reached: Bools
    light: int | None

    @property
    def space(self) -> Ints:
        """Its squares, ``(4,)``."""
        space: Ints = self.bodies.spaces[self.who]
        return space

    @property
    def gives_cover(self) -> Bools:
        """Against whose attacks it can give soft cover, ``(n,)``."""
        gives: Bools = self.bodies.gives_cover[self.bodies.group, self.who]
        return gives

    @classmethod
    def of(cls, asked: Asked, who: int, group: Indices, others: Indices) -> Place:
        """Return the place of creature ``who``, with its group, in a scene, among ``others``."""
        bodies, light = asked.bodies, asked.scene.creatures[who].light
        radius = None
        if light is not None and light.on and asked.scene.light != "bright":
            radius = ceil(_LOW_LIGHT * max(light.bright, light.dim) / asked.scene.battle_map.feet_per_square)
        return cls(bodies, who, *kernels.are_beside(bodies.numbers, group, others), radius)


@dataclass(frozen=True, slots=True, eq=False)
class Changed:
    """A creature that has changed, with those that stand where it does.

    Attributes
    ----------
    before
        The scene as it was.
    places
        Before and after, or only one of these where it came or went.
    group
        Indices of itself and who rides with it, in the scene as it is now; empty if it went.
    went
        Who it was if it went, in the scene as it was.
    """

    before: Asked
    places: tuple[Place, ...]
    group: Indices
    went: int | None = None

    @property
    def stayed(self) -> bool:
        """Whether it neither came nor went."""
        return len(self.places) > 1

    @property
    def is_in_place(self) -> bool:
        """Whether it stands where it did, and gives cover to those to whom it did."""
        if not self.stayed:
            return False
        before, after = self.places
        return np.array_equal(before.space, after.space) and np.array_equal(before.gives_cover, after.gives_cover)


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


def touched_by_creature(asked: Asked, asks: Asks, changed: Changed, threatens: Bools | None) -> Bools:
    """Return the pairs that may have another answer since a creature has changed, ``(n, n)``.

    ``asked`` is the scene as it is now; ``threatens (n, n)`` who threatened whom before, the changed ones apart, None where no partners are
    asked for.
    """
    bodies, n = asked.bodies, len(asked.bodies.spaces)
    found = np.zeros((n, n), np.bool_)
    if changed.is_in_place:
        keep_soft_lines(changed.before.bodies, bodies)
    elif asks.creatures:
        _touch_those_behind(found, asked, changed)
    for one in changed.group.tolist():
        found[one] = found[:, one] = True
    if threatens is not None:
        key = asked.measures.reach_key
        if key in changed.before.bodies.kept:  # that of the group is found when its pairs are asked
            bodies.kept[key] = _of_those_now(changed.before.bodies.kept[key], n, changed.went)
        found |= threatens & np.logical_or.reduce([one.reached for one in changed.places])
    if asks.friends or asks.crowds:
        _touch_those_in_melees(found, asked, asks, changed)
    for place in changed.places:
        if place.light is not None:
            lit = _apart(place.space, bodies.spaces) <= place.light
            found[lit] = found[:, lit] = True
    return found | found.T if asks.back else found


def _touch_those_behind(found: Bools, asked: Asked, changed: Changed) -> None:
    """Mark the pairs between which creatures may block other lines than before."""
    before, bodies = changed.before, asked.bodies
    rectangles = [place.space.tolist() for place in changed.places]
    shapes = [(2 * x + w, 2 * y + h, w, 0, 0, h) for x, y, w, h in rectangles]
    pairs: Indices = hull.hulls_meeting(bodies.spaces, np.array(shapes, np.int64), 1, _INSIDE)
    if changed.stayed and not asked.measures.centre:
        soft_lines_anew((before.scene, before.bodies), (asked.scene, bodies), pairs, found)
    elif any(place.gives_cover.any() for place in changed.places):
        _mark(found, pairs)


def _mark(found: Bools, pairs: Indices) -> None:
    """Mark pairs, each both ways."""
    found[pairs[:, 0], pairs[:, 1]] = found[pairs[:, 1], pairs[:, 0]] = True


def _touch_those_in_melees(found: Bools, asked: Asked, asks: Asks, changed: Changed) -> None:
    """Mark the pairs whose attacker's friends fight others than before, or whose attacker others crowd."""
    before, bodies, size = changed.before.bodies, asked.bodies, asked.traits.size
    fighting = everybody_engaged(before, changed.before.traits.size) if asks.friends else NOBODY_ENGAGED
    pressed = everybody_crowded(before) if asks.crowds else NOBODY_CROWDED
    if changed.stayed:
        beside = np.logical_or.reduce([place.beside for place in changed.places])
        fighting, pressed = kernels.melees_anew(bodies.numbers, bodies.is_able, size, beside, fighting, pressed, found)
        if asks.friends:
            bodies.kept[ENGAGED] = fighting
        if asks.crowds:
            bodies.kept[CROWDED] = pressed
        return
    if asks.friends:
        found |= _differs(fighting, everybody_engaged(bodies, size), changed.went)
    if asks.crowds:
        found |= _differs(pressed, everybody_crowded(bodies), changed.went)[:, None]


def _of_those_now(old: Bools, n: int, went: int | None) -> Bools:
    """Return a copy, ``(n, n)``, of what is told of everybody, without who went, and nothing of who came."""
    if went is not None:
        old = np.delete(np.delete(old, went, 0), went, 1)
    found = np.zeros((n, n), np.bool_)
    found[: len(old), : len(old)] = old
    return found


def _differs(old: NDArray[Any], new: NDArray[Any], went: int | None) -> Bools:
    """Return where what is told of everybody is something else than before; of who came, nowhere."""
    if went is not None:
        for axis in range(old.ndim):
            old = np.delete(old, went, axis)
    found = np.zeros(new.shape, np.bool_)
    same = (slice(len(old)),) * old.ndim
    found[same] = old != new[same]
    return found


def touched_by_wall(asked: Asked, asks: Asks, segment: Ints, threatens: Bools | None) -> Bools:
    """Return the pairs that may have another answer since a wall has changed, ``(n, n)``.

    ``segment (4,)`` lattice units is where it stands; the other arguments as in :func:`touched_by_creature`.
    """
    scene, bodies, n = asked.scene, asked.bodies, len(asked.bodies.spaces)
    burning = [one.on for one in scene.lights] + [one.light.on for one in scene.creatures if one.light is not None]
    if scene.light != "bright" and any(burning):
        return np.ones((n, n), np.bool_)
    x0, y0, x1, y1 = segment.tolist()
    shape = np.array([(x0 + x1, y0 + y1, x1 - x0, y1 - y0, 0, 0)], np.int64)
    met = hull.hulls_meeting(bodies.spaces, shape, scene.battle_map.subdivisions, _ANYWHERE)
    found = np.zeros((n, n), np.bool_)
    _mark(found, met)
    if threatens is not None:
        who, whom = np.nonzero(found)
        ends = [bodies.standing[one, :2] + bodies.standing[one, 2:] for one in (who, whom)]
        gaps = np.maximum(bodies.standing[whom, :2] - ends[0], bodies.standing[who, :2] - ends[1]) + 1
        in_reach = np.zeros(n, np.bool_)
        in_reach[whom[gaps.max(axis=1, initial=0) <= bodies.reach[who]]] = True
        found |= threatens & in_reach
    return found | found.T if asks.back else found
