"""Regions of a map: squares between which ways lead."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Channel, Stops
from gridlos.questions.effect import has_lines_of_effect
from gridlos.questions.obstacles import Obstacles, obstacles_of

__all__ = ["regions_of"]

Indices = NDArray[np.int64]

_SURE = 0.01  # lattice units: far more than what floats lose


def regions_of(battle_map: BattleMap) -> Iterator[Indices]:
    """Yield ``(rows, cols)``: squares between which a way leads have the same number, solid ones -1.

    A step leads from a square to one of its eight neighbours that it has a line of effect to. The last answer is right;
    those before it are quick and may have regions apart that are one.

    Examples
    --------
    >>> battle_map = BattleMap.from_rows(["..#.", "..#."])
    >>> [*regions_of(battle_map)][-1].tolist()
    [[5, 5, -1, 7], [5, 5, -1, 7]]
    """
    obstacles = obstacles_of(battle_map, Channel.EFFECT)
    solid = (battle_map.terrain & Stops.EFFECT) != 0
    number = np.arange(solid.size).reshape(solid.shape)
    parents = number.ravel().tolist()
    whole, start, end = slice(None), slice(0, -1), slice(1, None)
    west, north = ((edges & Stops.EFFECT) == 0 for edges in (battle_map.west_edges, battle_map.north_edges))
    ways = [
        ((whole, start), (whole, end), west[:, 1:-1]),
        ((start, whole), (end, whole), north[1:-1]),
        ((start, start), (end, end), np.True_),
        ((start, end), (end, start), np.True_),
    ]
    asked = []
    for first, second, is_way in ways:
        both = ~solid[first] & ~solid[second] & is_way
        pairs = np.column_stack((number[first][both], number[second][both]))
        if is_way is not np.True_:
            is_clear = _are_clear(obstacles, battle_map.cols, pairs)
            _join(parents, pairs[is_clear])
            pairs = pairs[~is_clear]
        asked.append(pairs)
    yield _numbers(parents, solid)
    for pairs in asked:  # a step matters only where no other way is known
        apart = [k for k, (a, b) in enumerate(pairs.tolist()) if _root(parents, a) != _root(parents, b)]
        _join(parents, pairs[apart][_are_open(obstacles, battle_map.cols, pairs[apart])])
        yield _numbers(parents, solid)


def _numbers(parents: list[int], solid: NDArray[np.bool_]) -> Indices:
    roots = np.array([_root(parents, k) for k in range(solid.size)], dtype=np.int64).reshape(solid.shape)
    return np.where(solid, -1, roots)


def _are_clear(obstacles: Obstacles, cols: int, pairs: Indices) -> NDArray[np.bool_]:
    """Return which pairs of squares side by side have no free wall near the line between their centres; they have a line of effect."""
    centres = np.stack((pairs % cols + 0.5, pairs // cols + 0.5), axis=-1) * obstacles.size
    walls = obstacles.walls.reshape(-1, 2, 2).astype(np.float64)
    tree = shapely.STRtree(np.asarray(shapely.linestrings(walls), np.object_))
    is_clear = np.ones(len(pairs), np.bool_)
    is_clear[tree.query(shapely.linestrings(centres), predicate="dwithin", distance=_SURE)[0]] = False
    return is_clear


def _are_open(obstacles: Obstacles, cols: int, pairs: Indices) -> NDArray[np.bool_]:
    """Return which pairs of squares have a line of effect."""
    asked, places = np.unique(pairs, return_inverse=True)
    spaces = np.column_stack((asked % cols, asked // cols, np.ones_like(asked), np.ones_like(asked))).astype(np.int32)
    return has_lines_of_effect(obstacles, spaces, places.reshape(-1, 2).astype(np.int64))


def _root(parents: list[int], one: int) -> int:
    while parents[one] != one:
        parents[one] = parents[parents[one]]
        one = parents[one]
    return one


def _join(parents: list[int], pairs: Indices) -> None:
    for a, b in pairs.tolist():
        parents[_root(parents, a)] = _root(parents, b)
