"""What stops lines on a map in one channel, as the kernels read it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.facts import Channel, Ints, Masks, Stops
from gridlos.kernels import index

__all__ = ["Obstacles", "are_channels_equal", "obstacles_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The arrays of one map revision and channel; what they hold is said in :mod:`gridlos.kernels`.

    Attributes
    ----------
    size
        Lattice units a square.
    arms, legs, bins, walls
        Arguments of the line kernels.
    barriers, pivots
        Arguments of the kernels for line of effect.
    """

    size: int
    arms: Masks
    legs: np.ndarray
    bins: Ints
    walls: Ints
    barriers: Ints
    pivots: Ints

    @property
    def lines(self) -> tuple[Masks, np.ndarray, Ints, Ints]:
        """The first four arguments of the line kernels."""
        return self.arms, self.legs, self.bins, self.walls


def obstacles_of(battle_map: BattleMap, channel: Channel, *, more: np.ndarray | None = None) -> Obstacles:
    """Return what stops lines in a channel: solid squares, edges and free walls, doors as they stand; special walls do not.

    ``more (m, 4)`` lattice units are further walls that stop them.
    """
    bit = np.uint8(Stops.SIGHT if channel is Channel.SIGHT else Stops.EFFECT)
    size = battle_map.subdivisions
    solid, west, north = (
        np.ascontiguousarray(array & bit)
        for array in (battle_map.terrain, battle_map.west_edges, battle_map.north_edges)
    )
    free = battle_map.free[(battle_map.stops[battle_map.free] & bit) != 0]
    walls = np.ascontiguousarray(battle_map.segments[free])
    if more is not None:
        walls = np.concatenate((walls, more.astype(np.int32)))
    arms = index.index_arms(solid, west, north)
    bins = index.index_walls(walls, battle_map.rows, battle_map.cols, size)
    index.mark_free_arms(arms, bins, walls, size)
    legs = index.index_legs(bins, walls, battle_map.rows, battle_map.cols, size)
    barriers, pivots = index.index_barriers(solid, west, north, walls, size)
    return Obstacles(size, arms, legs, bins, walls, barriers, pivots)


def are_channels_equal(battle_map: BattleMap) -> bool:
    """Return whether whatever plain thing stops effect stops sight, and the other way round."""
    arrays = (battle_map.terrain, battle_map.west_edges, battle_map.north_edges, battle_map.stops)
    return all(np.array_equal(array & Stops.EFFECT, (array & Stops.SIGHT) >> 1) for array in arrays)
