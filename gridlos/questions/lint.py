"""What is probably not meant on a map: leaks, walls through creatures' squares, creatures sealed in, doors that open nothing."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Channel, Stops
from gridlos.questions.leaks import leaks_of
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.regions import regions_of
from gridlos.scene import Scene
from gridlos.verdict import Finding
from gridlos.walls import KINDS, SquareKind, behaviour_of

__all__ = ["lint"]

Indices = NDArray[np.int64]
_Stretch = tuple[Fraction, Fraction]

_NOWHERE = Fraction(0), Fraction(0)

_CORNERS = ("top left", "top right", "bottom left", "bottom right")
_STATES = 3  # the two bits of a corner's leg


def lint(scene: Scene) -> tuple[Finding, ...]:
    """Return what is probably not meant on a map, nearest to the top left first.

    *leak*
        See :func:`gridlos.questions.leaks.leaks_of`.
    *clipped square*
        A wall that stops effect passes the inside of a creature's square. Special walls are left out: what they do depends
        on who looks.
    *sealed in*
        From none of a creature's squares a way by line of effect between neighbouring squares leads to another creature,
        though all doors were open. Special walls stop no way.
    *door without a gap*
        Opening the door changes nothing: all along it other walls as they stand, or solid squares, stop what it stops. The
        edge of the map is none of these: a door there leads off the map.

    Examples
    --------
    >>> from gridlos.scene import Scene
    >>> scene = Scene.from_drawing("A..T", walls=[(2, 0, 2, 0.9), (3, 0.5, 4, 0.5)])
    >>> for finding in lint(scene):
    ...     print(finding.word, finding.place, finding.text)
    leak (2.0, 0.9) wall 1 stops 0.1 squares short of the edge of the map
    clipped square (3.5, 0.5) wall 2 passes the inside of a square of T, square (3, 0), and cuts off none of its corners
    """
    battle_map = scene.battle_map
    found = [*leaks_of(battle_map), *_clipped(scene), *_sealed(scene), *_doors_without_gap(battle_map)]
    return tuple(sorted(found, key=_order))


def _order(finding: Finding) -> tuple[float, float, float, str, str]:
    x, y = finding.place
    return x * x + y * y, y, x, finding.word, finding.text


def _clipped(scene: Scene) -> Iterator[Finding]:
    """Yield the squares of creatures whose inside a plain wall passes."""
    battle_map = scene.battle_map
    free = battle_map.free[(battle_map.stops[battle_map.free] & Stops.EFFECT) != 0]
    if not len(free) or not scene.creatures:
        return
    legs, size = obstacles_of(battle_map, Channel.EFFECT).legs, battle_map.subdivisions
    segments = battle_map.segments.astype(np.int64)[free]
    low, high = np.minimum(segments[:, :2], segments[:, 2:]), np.maximum(segments[:, :2], segments[:, 2:])
    for creature, space in zip(scene.ids, scene.spaces, strict=True):
        for x, y in grid.squares_of(space).tolist():
            corner = np.array((x, y)) * size
            box = (x * size, y * size, size, size)
            near = np.flatnonzero(np.all((high > corner) & (low < corner + size), axis=1)).tolist()
            walls = []
            for k in near:
                x0, y0, x1, y1 = segments[k].tolist()
                if grid.passes_inside((x0, y0), (x1, y1), box):
                    walls.append(int(free[k]))
            if not walls:
                continue
            cut = [name for k, name in enumerate(_CORNERS) if not legs[y, x] >> 2 * k & _STATES]
            corners = f"its {_listed(cut)} corner{'s'[: len(cut) != 1]}" if cut else "none of its corners"
            names = [battle_map.wall_name(wall) for wall in walls]
            verbs = ("pass", "cut") if len(walls) > 1 else ("passes", "cuts")
            where = f"the inside of a square of {creature}, square ({x}, {y}),"
            text = f"{_listed(names)} {verbs[0]} {where} and {verbs[1]} off {corners}"
            yield Finding("clipped square", (x + 0.5, y + 0.5), text, tuple(walls), (creature,))


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _sealed(scene: Scene) -> Iterator[Finding]:
    """Yield the creatures from whose squares no way leads to another one."""
    if len(scene.creatures) < 2:
        return
    own: list[set[int]] = []
    sealed = [True]
    for regions in regions_of(_with_open_doors(scene.battle_map)):
        own = [{int(regions[y, x]) for x, y in grid.squares_of(space).tolist()} for space in scene.spaces]
        counts = Counter(region for some in own for region in some)
        sealed = [all(counts[region] == 1 for region in some) for some in own]
        if not any(sealed):
            return
    for k, creature in enumerate(scene.ids):
        if not sealed[k]:
            continue
        n_squares = int(np.isin(regions, list(own[k])).sum())
        text = (
            f"{creature} reaches {n_squares} square{'s'[: n_squares != 1]} and nobody else, though all doors were open"
        )
        x, y, width, height = scene.spaces[k].tolist()
        yield Finding("sealed in", (x + width / 2, y + height / 2), text, (), (creature,))


def _with_open_doors(battle_map: BattleMap) -> BattleMap:
    """Return the map with all doors open, those that fill a square too."""
    walls = [
        msgspec.structs.replace(wall, state="open") if KINDS[wall.kind].is_door else wall for wall in battle_map.walls
    ]
    legend = {letter: SquareKind() if KINDS[kind.kind].is_door else kind for letter, kind in battle_map.legend.items()}
    return dataclasses.replace(battle_map, walls=tuple(walls), legend=legend)


def _doors_without_gap(battle_map: BattleMap) -> Iterator[Finding]:
    """Yield the doors along which other walls and solid squares stop all that the door stops when it is shut."""
    segments = battle_map.segments.astype(np.int64)
    is_plain = battle_map.stops != 0
    is_plain[battle_map.special] = False
    low, high = np.minimum(segments[:, :2], segments[:, 2:]), np.maximum(segments[:, :2], segments[:, 2:])
    for index, wall in enumerate(battle_map.walls):
        if not KINDS[wall.kind].is_door or np.array_equal(low[index], high[index]):
            continue
        shut = behaviour_of(msgspec.structs.replace(wall, state="closed")).stops
        ends = segments[index].tolist()
        near = is_plain & np.all((high >= low[index]) & (low <= high[index]), axis=1)
        near[index] = False
        walls = {k: _shared(ends, segments[k].tolist()) for k in np.flatnonzero(near).tolist()}
        walls = {k: stretch for k, stretch in walls.items() if stretch[0] < stretch[1]}
        squares = [*_squares_along(battle_map, ends)]
        closed = [(stretch, int(battle_map.stops[k])) for k, stretch in walls.items()] + squares
        if shut and all(_covers([one for one, stops in closed if stops & bit]) for bit in Stops if shut & bit):
            names = [battle_map.wall_name(k) for k in walls] + (["solid squares"] if squares else [])
            verb = "stop" if len(names) > 1 or squares else "stops"
            text = f"{battle_map.wall_name(index)} opens nothing: {_listed(names)} {verb} the same all along it"
            x0, y0, x1, y1 = (segments[index] / (2 * battle_map.subdivisions)).tolist()
            yield Finding("door without a gap", (x0 + x1, y0 + y1), text, (index, *walls))


def _shared(ends: list[int], other: list[int]) -> _Stretch:
    """Return from which to which fraction of its length a wall lies along a door; nothing where it crosses it."""
    x0, y0, x1, y1 = ends
    dx, dy = x1 - x0, y1 - y0
    points = (other[:2], other[2:])
    if any(dx * (y - y0) != dy * (x - x0) for x, y in points):
        return _NOWHERE
    first, last = sorted(Fraction(dx * (x - x0) + dy * (y - y0), dx * dx + dy * dy) for x, y in points)
    return max(first, Fraction(0)), min(last, Fraction(1))


def _squares_along(battle_map: BattleMap, ends: list[int]) -> Iterator[tuple[_Stretch, int]]:
    """Yield for each square of the map that stops something and that a door is in or beside: where, and what it stops."""
    size = battle_map.subdivisions
    low, high = ([sorted((ends[axis], ends[axis + 2]))[end] for axis in (0, 1)] for end in (0, 1))
    columns, rows = (range(-(-low[axis] // size) - 1, high[axis] // size + 1) for axis in (0, 1))
    for x, y in product(columns, rows):
        if not (battle_map.has_square(x, y) and battle_map.terrain[y, x]):
            continue
        first, last = Fraction(0), Fraction(1)
        for start, end, place in ((ends[0], ends[2], x), (ends[1], ends[3], y)):
            if start != end:
                sides = sorted(Fraction(size * side - start, end - start) for side in (place, place + 1))
                first, last = max(first, sides[0]), min(last, sides[1])
        if first < last:
            yield (first, last), int(battle_map.terrain[y, x])


def _covers(stretches: list[_Stretch]) -> bool:
    """Return whether stretches cover all from 0 to 1."""
    reached = Fraction(0)
    for first, last in sorted(stretches):
        if first > reached:
            return False
        reached = max(reached, last)
    return reached >= 1
