"""Light: how bright it is where creatures stand, for plain and for low-light eyes, and who sees in the dark."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.creature import HEIGHT_BY_SIZE, CarriedLight
from gridlos.facts import Bools, Channel, Ints, Light, Masks
from gridlos.questions.creatures import Bodies
from gridlos.questions.effect import effect_among_specials, has_lines_of_effect
from gridlos.questions.obstacles import Obstacles, are_channels_equal, blocked_lines, obstacles_of
from gridlos.questions.specials import bodies_in_thousandths, floors_under, specials_among
from gridlos.records import Light as LightOnMap
from gridlos.scene import Scene

__all__ = ["Eyes", "light_facts", "lit"]

Indices = NDArray[np.int64]

_FARTHEST = 2**29
_NOWHERE = -1
_PLAIN, _LOW_LIGHT = 0, 1
_THOUSANDTHS = 1000
_UPRIGHT = round(HEIGHT_BY_SIZE["medium"] * _THOUSANDTHS)


@dataclass(frozen=True, slots=True)
class Eyes:
    """What an edition lays down about light and about those who see in the dark.

    Attributes
    ----------
    diagonals
        How diagonal steps count.
    low_light_doubles
        Whether lights reach twice as far for those with low-light vision.
    darkvision_unlimited
        Whether darkvision has no range.
    """

    diagonals: str = "5-10-5"
    low_light_doubles: bool = False
    darkvision_unlimited: bool = False


def lit(scene: Scene, obstacles: Obstacles, bodies: Bodies, squares: Ints, eyes: Eyes) -> Masks:
    """Return how bright each of some squares of a map is.

    A light on the map stands in the square of its point (on the border between two squares: the right or lower one; on
    the far border of the map: the last one), on the floor there and as tall as a Medium creature; beyond the map it lights
    nothing. A carried light has the space, the feet and the head of its bearer. A light lights the squares of its own
    space; another one if that is within its radius, in whole squares under the edition's diagonal rule, a height
    difference counted in levels, and if there is a line of sight from the light's space to the square. Creatures stop no
    light. The squares are told for whoever stands in them upright, Medium and on the floor.

    Parameters
    ----------
    scene
        The map, its lights and the creatures that carry lights.
    obstacles
        The plain walls that stop sight.
    bodies
        All creatures of the scene.
    squares
        ``(n, 2)``: ``x, y`` of squares of the map.
    eyes
        The edition's rules.

    Returns
    -------
    ``(n, 2)`` uint8 of Light: for plain eyes, and for those with low-light vision.

    Examples
    --------
    >>> from gridlos.questions.creatures import bodies_of
    >>> scene = Scene(BattleMap.from_rows(["....#..."]), lights=(LightOnMap(at=(0.5, 0.5), bright=10, dim=20),), light="dark")
    >>> walls, squares = obstacles_of(scene.battle_map, Channel.SIGHT), np.array([[x, 0] for x in range(8)])
    >>> lit(scene, walls, bodies_of(()), squares, Eyes(low_light_doubles=True)).T.tolist()
    [[2, 2, 2, 1, 0, 0, 0, 0], [2, 2, 2, 2, 0, 0, 0, 0]]
    """
    unit = _unit(scene)
    places = _on_floors(scene.battle_map, squares, unit)
    return _lit(scene, obstacles, _lamps(scene, bodies, eyes, unit), places, eyes.diagonals)


def light_facts(
    scene: Scene,
    obstacles: Obstacles,
    bodies: Bodies,
    who: tuple[Indices, Indices],
    known: tuple[Ints, Bools],
    eyes: Eyes,
) -> dict[str, Any]:
    """Return the facts ``light`` and ``darkvision`` of some attackers and targets; none of them where all is bright.

    A target's square is as bright as for a body with the target's feet and head in it. Whether the attacker sees it is
    asked for that body, too, and only where it makes a difference.

    Parameters
    ----------
    obstacles
        The plain walls that stop effect.
    who
        ``(A,)`` and ``(T,)`` indices of the attackers and targets.
    known
        ``(A, T)`` each: their distances in squares, and whether there is a line of sight.
    """
    if scene.light == "bright":
        return {}
    battle_map = scene.battle_map
    attackers, targets = who
    distance, line_of_sight = known
    unit = _unit(scene)
    senses = [scene.creatures[k].senses for k in attackers.tolist()]
    ranges = np.array([_in_squares(one.darkvision, unit) for one in senses], np.int64)
    if eyes.darkvision_unlimited:
        ranges = np.where(ranges == _NOWHERE, _NOWHERE, _FARTHEST)
    darkvision = distance <= ranges[:, None]
    if not _some_burn(scene):
        return {"light": np.full(distance.shape, Light[scene.light.upper()], np.uint8), "darkvision": darkvision}
    if not are_channels_equal(battle_map):
        obstacles = obstacles_of(battle_map, Channel.SIGHT)
    places, owners = _of_creatures(scene, bodies, targets, unit)
    light = _lit(scene, obstacles, _lamps(scene, bodies, eyes, unit), places, eyes.diagonals)
    kinds = np.array([_LOW_LIGHT if one.low_light else _PLAIN for one in senses], np.int64)
    viewers = bodies_in_thousandths(scene)[attackers]
    sighted = line_of_sight & (attackers[:, None] != targets)
    brightest = _brightest(battle_map, obstacles, viewers, (places, owners), light[:, kinds].T, sighted)
    return {"light": brightest, "darkvision": darkvision}


def _some_burn(scene: Scene) -> bool:
    """Return whether there are lights that burn, on the map or in somebody's hands."""
    return any(one.on for one in scene.lights) or any(one.light is not None and one.light.on for one in scene.creatures)


def _brightest(
    battle_map: BattleMap,
    obstacles: Obstacles,
    viewers: Indices,
    squares: tuple[_Places, Indices],
    light: Masks,
    sighted: Bools,
) -> Masks:
    """Return ``(A, T)``: the brightest square of each target that each viewer sees; of all where he is not ``sighted``.

    ``viewers (A, 6)`` are bodies; ``light (A, n)`` is the light of all squares of the targets to their eyes.
    """
    places, owners = squares
    if not len(owners):
        return light
    starts = np.searchsorted(owners, np.arange(sighted.shape[1]))
    darkest, brightest = (reduce.reduceat(light, starts, axis=1) for reduce in (np.minimum, np.maximum))
    in_doubt = sighted & (darkest < brightest)
    # Who sees anything of a target and none of its brighter squares sees a darkest one.
    row, place = np.nonzero(in_doubt[:, owners] & (light > darkest[:, owners]))
    pairs = np.column_stack((row, len(viewers) + place))
    seen = _sees(battle_map, obstacles, np.concatenate((viewers, places.bodies)), pairs)
    found = darkest[:, owners]
    found[row[seen], place[seen]] = light[row[seen], place[seen]]
    answers: Masks = np.where(in_doubt, np.maximum.reduceat(found, starts, axis=1), brightest)
    return answers


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where light comes from or falls on.

    ``bodies (n, 6)`` int64: space, feet and head, in thousandths of a foot; ``levels (n, 2)`` int32 as for distances.
    """

    bodies: Indices
    levels: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Lamps:
    """Lights that burn: where they are, and their ``radii (n, 2, 2)`` in squares, -1 for none.

    The axes are light, eyes (plain, low-light) and brightness (dim, bright).
    """

    places: _Places
    radii: Indices


def _unit(scene: Scene) -> Fraction:
    return Fraction(str(scene.battle_map.feet_per_square))


def _in_squares(feet: float, unit: Fraction) -> int:
    """Return a length in whole squares; -1 for none at all."""
    return min(floor(Fraction(str(feet)) / unit), _FARTHEST) if feet > 0 else _NOWHERE


def _level(feet: float, unit: Fraction) -> int:
    return max(-_FARTHEST, min(floor(Fraction(str(feet)) / unit), _FARTHEST))


def _on_floors(battle_map: BattleMap, squares: Ints, unit: Fraction) -> _Places:
    """Return squares ``(n, 2)`` as places for a Medium creature that stands upright on the floor."""
    x, y = np.asarray(squares, np.int64).reshape(-1, 2).T
    floors = battle_map.elevation[y, x]
    bodies = np.ones((len(x), 6), np.int64)
    bodies[:, 0], bodies[:, 1] = x, y
    bodies[:, 4] = np.rint(np.clip(floors, -1e9, 1e9) * _THOUSANDTHS)
    bodies[:, 5] = bodies[:, 4] + _UPRIGHT
    levels = np.ones((len(x), 2), np.int32)
    known, number = np.unique(floors, return_inverse=True)
    levels[:, 0] = np.array([_level(feet, unit) for feet in known.tolist()], np.int32)[number]
    return _Places(bodies, levels)


def _levels(scene: Scene, bodies: Bodies, unit: Fraction) -> Ints:
    """Return the levels of all creatures."""
    if bodies.levels is not None:
        return bodies.levels
    found = np.zeros((len(bodies.spaces), 2), np.int32)
    found[:, 1] = bodies.standing[:, 2]
    if len(found):  # all on the same
        feet = scene.creatures[0].elevation
        if feet is None:
            (feet,) = floors_under(scene.battle_map, scene.spaces[:1])
        found[:, 0] = _level(feet, unit)
    return found


def _of_creatures(scene: Scene, bodies: Bodies, who: Indices, unit: Fraction) -> tuple[_Places, Indices]:
    """Return all squares of some creatures as places, and for each whose it is: its number in ``who (n,)``."""
    x, y, width, height = scene.spaces[who].astype(np.int64).T
    counts = width * height
    owners = np.repeat(np.arange(len(who)), counts)
    row, column = np.divmod(np.arange(len(owners)) - (counts.cumsum() - counts)[owners], width[owners])
    found = bodies_in_thousandths(scene)[who[owners]]
    found[:, :2] = np.stack((x[owners] + column, y[owners] + row), axis=1)
    found[:, 2:4] = 1
    return _Places(found, _levels(scene, bodies, unit)[who[owners]]), owners


def _lamps(scene: Scene, bodies: Bodies, eyes: Eyes, unit: Fraction) -> _Lamps:
    """Return the lights that burn, on the map and in somebody's hands."""
    battle_map = scene.battle_map
    on_map = [(one, square) for one in scene.lights if one.on and (square := _square_of(one, battle_map))]
    carried = [(one.light, k) for k, one in enumerate(scene.creatures) if one.light is not None and one.light.on]
    lights: list[LightOnMap | CarriedLight] = [*(one for one, _ in on_map), *(one for one, _ in carried)]
    squares = np.array([square for _, square in on_map], np.int32).reshape(-1, 2)
    bearers = np.array([k for _, k in carried], np.int64)
    free = _on_floors(battle_map, squares, unit)
    places = _Places(
        np.concatenate((free.bodies, bodies_in_thousandths(scene)[bearers])),
        np.concatenate((free.levels, _levels(scene, bodies, unit)[bearers])),
    )
    factors = (1, 2 if eyes.low_light_doubles else 1)
    radii = [[(max(one.bright, one.dim) * k, one.bright * k) for k in factors] for one in lights]
    in_squares = [[[_in_squares(feet, unit) for feet in both] for both in one] for one in radii]
    return _Lamps(places, np.array(in_squares, np.int64).reshape(-1, 2, 2))


def _square_of(light: LightOnMap, battle_map: BattleMap) -> tuple[int, int] | None:
    """Return the square of a light's point, the last one on the far border of the map; None beyond the map."""
    (x, y), cols, rows = light.at, battle_map.cols, battle_map.rows
    if not (0 <= x <= cols and 0 <= y <= rows):
        return None
    return min(floor(x), cols - 1), min(floor(y), rows - 1)


def _lit(scene: Scene, obstacles: Obstacles, lamps: _Lamps, places: _Places, diagonals: str) -> Masks:
    """Return ``(n, 2)`` uint8 of Light, for plain and for low-light eyes: how bright the places are."""
    ambient = np.uint8(Light[scene.light.upper()])
    sources, radii = lamps.places, lamps.radii
    here, there = (some.bodies[:, :4].astype(np.int32) for some in (sources, places))
    away = grid.distance(here, there, diagonals, levels=(sources.levels, places.levels))
    reaching = away[:, :, None, None] <= radii[:, None]
    offered = np.where(reaching[..., 1], Light.BRIGHT, np.where(reaching[..., 0], Light.DIM, Light.DARK)).astype(
        np.uint8
    )
    offered[offered <= ambient] = 0
    lamp, place = np.nonzero(offered.any(axis=2))
    pairs = np.column_stack((lamp, len(radii) + place))
    seen = _sees(scene.battle_map, obstacles, np.concatenate((sources.bodies, places.bodies)), pairs)
    offered[lamp[~seen], place[~seen]] = 0
    brightest: Masks = np.maximum(offered.max(axis=0, initial=0), ambient)
    return brightest


def _sees(battle_map: BattleMap, obstacles: Obstacles, bodies: Indices, pairs: Indices) -> Bools:
    """Return ``(m,)``: is there a line of sight from the first to the second of each pair ``(m, 2)`` of bodies?

    Bodies that share a square see each other.
    """
    first, second = bodies[pairs[:, 0], :4], bodies[pairs[:, 1], :4]
    apart = (first[:, :2] >= second[:, :2] + second[:, 2:]) | (second[:, :2] >= first[:, :2] + first[:, 2:])
    seen: Bools = np.asarray(~apart.any(axis=1), np.bool_)
    rest = np.flatnonzero(~seen)
    if not len(rest):
        return seen
    used, number = np.unique(pairs[rest], return_inverse=True)
    bodies, pairs = bodies[used], number.reshape(-1, 2).astype(np.int64)
    choices = np.arange(len(pairs) + 1, dtype=np.int64), _nearest_squares(bodies, pairs, battle_map.cols)
    blocked = blocked_lines(obstacles, choices[1])
    found = has_lines_of_effect(obstacles, bodies[:, :4].astype(np.int32), pairs, choices, blocked)
    specials = specials_among(battle_map, bodies)
    if specials is not None:
        found, _ = effect_among_specials(battle_map, specials, Channel.SIGHT, pairs, found)
    seen[rest] = found
    return seen


def _nearest_squares(bodies: Indices, pairs: Indices, cols: int) -> Indices:
    """Return ``(n, 2)``: for each pair a square of the first and the top left one of the second, ``row * cols + column``."""
    first, second = bodies[pairs[:, 0]], bodies[pairs[:, 1]]
    near = np.clip(second[:, :2], first[:, :2], first[:, :2] + first[:, 2:4] - 1)
    return np.stack([one[:, 1] * cols + one[:, 0] for one in (near, second)], axis=1)
