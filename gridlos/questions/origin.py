"""The point from which an effect on an area comes: it stands on the map and attacks everybody."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos.creature import Creature
from gridlos.errors import QuestionError
from gridlos.facts import PairFacts
from gridlos.questions.creatures import Bodies
from gridlos.scene import Scene

__all__ = ["ORIGIN", "at_point", "from_point", "with_origin"]

ORIGIN = "origin"
"""The name of the point among the attackers."""

Point = tuple[float, float]
_OF_CHOICES = (
    "attacker_square", "target_square", "hard", "usable", "counted", "along", "soft", "hidden", "concealed",
    "concealed_at_border", "fog_depth",
    "plain", "hidden_area",
)  # fmt: skip


def with_origin(scene: Scene, at: Point) -> tuple[Scene, NDArray[np.int64]]:
    """Return the scene with the point as further creatures, and their indices.

    A corner of squares stands in each of the squares that meet there and are not solid; any other point in the square in
    which it lies. These creatures block nothing and are nobody's friends.

    Raises
    ------
    QuestionError
        If the point is off the map or within something solid; if a creature has the id ``origin``.
    """
    battle_map, (x, y) = scene.battle_map, at
    if any(name == ORIGIN or name.startswith(f"{ORIGIN} ") for name in scene.ids):
        raise QuestionError(f"a creature has the id {ORIGIN!r}, which is the name of the point; rename it")
    if not (math.isfinite(x) and math.isfinite(y) and 0 <= x <= battle_map.cols and 0 <= y <= battle_map.rows):
        whole = f"the map goes from (0, 0) to ({battle_map.cols}, {battle_map.rows})"
        raise QuestionError(f"origin ({x:g}, {y:g}) is off the map; {whole}")
    squares = [one for one in _squares_at(at) if battle_map.has_square(*one) and not battle_map.is_solid(*one)]
    if not squares:
        raise QuestionError(f"origin ({x:g}, {y:g}) lies within what is solid; give a point in the open")
    points = [
        Creature(id=f"{ORIGIN} {k}", at=square, gives_cover=False, can_be_flanked=False, armed=False)
        for k, square in enumerate(squares)
    ]
    n = len(scene.creatures)
    return scene.with_creatures((*scene.creatures, *points)), np.arange(n, n + len(points))


def at_point(bodies: Bodies, rows: NDArray[np.int64], at: Point) -> Bodies:
    """Return the bodies with lines between centres that start in the point, where it is a corner of squares."""
    if not _is_corner(at):
        return bodies
    centres = bodies.centres.copy()
    centres[rows] = [2 * number for number in map(int, at)]
    return dataclasses.replace(bodies, centres=centres)


def _squares_at(at: Point) -> list[tuple[int, int]]:
    """Return the squares around a corner, or the one in which the point lies."""
    left, top = math.floor(at[0]), math.floor(at[1])
    if _is_corner(at):
        return [(left - 1, top - 1), (left, top - 1), (left - 1, top), (left, top)]
    return [(left, top)]


def _is_corner(at: Point) -> bool:
    return at == (math.floor(at[0]), math.floor(at[1]))


def from_point(facts: PairFacts, at: Point) -> PairFacts:
    """Return the facts of the point, one attacker, from those of the squares in which it stands, ``(k, T)``.

    All choices of these are its choices. From a corner of squares lines start nowhere else, and there is line of effect
    where a line from it to a counted corner of the target is free.
    """
    k, n_targets = facts.shape
    counts = np.diff(facts.choice_start).reshape(k, n_targets)
    order = np.argsort(np.tile(np.arange(n_targets), k).repeat(counts.ravel()), kind="stable")
    starts = np.concatenate(([0], np.cumsum(counts.sum(axis=0))))
    found: dict[str, Any] = {"choice_start": starts}
    for name in _OF_CHOICES:
        values = getattr(facts, name)
        found[name] = None if values is None else values[order]
    if facts.tagged is not None:
        found["tagged"] = tuple((word, nibbles[order]) for word, nibbles in facts.tagged)
    for name in ("distinct", "adjacent", "line_of_effect", "line_of_sight", "any_free"):
        found[name] = getattr(facts, name).any(axis=0, keepdims=True)
    found["distance"] = facts.distance.min(axis=0, keepdims=True)
    if facts.light is not None and facts.darkvision is not None:
        found["light"], found["darkvision"] = (one.max(axis=0, keepdims=True) for one in (facts.light, facts.darkvision))
    for name in ("centre_hidden", "centre_soft"):
        values = getattr(facts, name)
        found[name] = None if values is None else values.min(axis=0, keepdims=True)
    if facts.centre_tagged is not None:
        found["centre_tagged"] = tuple((word, met.all(axis=0, keepdims=True)) for word, met in facts.centre_tagged)
    if _is_corner(at):
        found |= _only_from_corner(found, starts, at)
    found |= dict.fromkeys(("relation", "in_reach", "threatens", "flanked", "attackers", "engaged", "crowded"))
    return dataclasses.replace(facts, **found)


def _only_from_corner(found: dict[str, Any], starts: NDArray[np.int64], at: Point) -> dict[str, Any]:
    """Return what changes where lines start in one corner only."""
    x, y = (np.array(at, np.int32) - found["attacker_square"]).T
    corner = x + 2 * y
    usable = found["usable"] & (1 << corner).astype(np.uint8)
    hard, counted = found["hard"][np.arange(len(corner)), corner], found["counted"]
    is_free = (usable != 0) & (~hard & counted != 0)
    reaches = np.logical_or.reduceat(is_free, starts[:-1])[None, :] if len(starts) > 1 else found["any_free"]
    return {
        "usable": usable,
        "any_free": reaches,
        "line_of_effect": found["line_of_effect"] & reaches,
        "line_of_sight": found["line_of_sight"],
    }
