"""What stops lines on a map in one channel, as the kernels read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Ints, Masks
from gridlos.kernels import band, boards, index, line, near, onward, regions
from gridlos.kernels.touching import index_touching
from gridlos.questions.keeping import kept, once
from gridlos.questions.table import LineTable, memory_of
from gridlos.questions.threads import in_parts

__all__ = ["Obstacles", "are_channels_equal", "blocked_lines", "near_unequal", "obstacles_of"]

_MANY = 2_500
"""Choices for which the band kernel takes about a millisecond."""
_BYTES_A_CHOICE = 1000
"""A table of all lines pays when this many of its bytes are made a choice that was asked for: a choice takes 200 to 1,000 ns
by the walk and 40 ns from the table, a byte of a table 0.3 to 1 ns to make."""

_LARGEST_TABLE = 64 << 20
"""The most bytes of a table that is kept with a map: one of 140 by 140 squares has as many."""

_STEP = 8
"""Sides of a box of which a table is made are multiples of this, so that small moves do not leave it."""


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The arrays of one map revision and channel; what they hold is said in :mod:`gridlos.kernels`.

    Attributes
    ----------
    size
        Lattice units a square.
    arms, walls
        Arguments of the line kernels.
    barriers, pivots
        Arguments of the kernels for line of effect; the last barriers are the ``walls``.
    """

    size: int
    arms: Masks
    walls: Ints
    barriers: Ints
    pivots: Ints
    _kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the map."""
        return self.arms.shape[0] - 1, self.arms.shape[1] - 1

    @property
    def band(self) -> Ints:
        """The argument of that name of :func:`gridlos.kernels.band.blocked_lines`, made when it is first asked for."""
        return once(self._kept, "band", lambda: band.index_band(self.barriers, *self.shape, self.size))

    @property
    def bins(self) -> Ints:
        """The argument of that name of the line kernels, made when it is first asked for."""
        return once(self._kept, "bins", self._bins)

    def _bins(self) -> Ints:
        rows, cols = self.shape
        if not len(self.walls):
            return np.full(rows * cols + 1, rows * cols + 1, np.int32)
        return index.index_last(self.band, len(self.barriers) - len(self.walls), rows * cols)

    @property
    def legs(self) -> np.ndarray:
        """The argument of that name of the line kernels, for all squares."""
        return self._centres_see(np.arange(self.arms[1:, 1:].size))[0]

    @property
    def uncut(self) -> Masks:
        """``(rows * cols,)`` uint8: the corners of every square that plain walls do not cut off from its centre."""
        return self._centres_see(np.arange(self.arms[1:, 1:].size))[1]

    def uncut_at(self, squares: np.ndarray) -> Masks:
        """Return ``(rows * cols,)`` uint8: the corners that plain walls do not cut off, of these squares at least."""
        return self._centres_see(squares)[1]

    def _centres_see(self, squares: np.ndarray) -> tuple[np.ndarray, Masks]:
        """Return legs and corners that are not cut off, which are known of these squares and of all that were asked for before."""
        n = self.arms[1:, 1:].size
        known = self._kept.get("legs")
        legs, uncut, is_all = known or (np.zeros(self.shape, np.uint16), np.zeros(n, np.uint8), False)
        if not is_all:
            is_all = not len(self.walls) or squares.size >= n
            asked = np.arange(n) if is_all else np.ascontiguousarray(squares, np.int64).ravel()
            if known is None or not legs.ravel()[asked].all():
                legs, uncut = legs.copy(), uncut.copy()  # other threads may read those
                index.index_legs(legs, uncut, self.bins, self.walls, asked, self.size)
                self._kept["legs"] = legs, uncut, is_all
        return legs, uncut

    @property
    def touching(self) -> Ints:
        """The argument of that name of :func:`gridlos.kernels.parted.are_parted`, made when it is first asked for."""
        rows, cols = self.shape
        return once(self._kept, "touching", lambda: index_touching(self.barriers, 0, self.band, self.band, rows * cols))

    def joint(self, special: np.ndarray) -> tuple[Ints, Ints, Ints]:
        """Return the first and the two last arrays of walls that :func:`gridlos.kernels.special_effect.lines_past` takes.

        ``special (m, 4)`` are the special walls; those of the last ones that were asked for are kept.
        """
        known = self._kept.get("joint")
        if known is None or not np.array_equal(known[0], special):
            walls = special.astype(np.int32)
            every, own = np.concatenate((self.barriers, walls)), band.index_band(walls, *self.shape, self.size)
            touching = index_touching(every, len(self.barriers), self.band, own, self.arms[1:, 1:].size)
            known = self._kept["joint"] = special, every, own, touching
        return known[1], known[2], known[3]

    @property
    def regions(self) -> Ints:
        """``(rows * cols,)`` int32: which squares one can reach from each other, see :mod:`gridlos.kernels.regions`."""
        return once(self._kept, "regions", lambda: regions.label_regions(self.arms))

    @property
    def steps(self) -> np.ndarray:
        """The argument of that name of :func:`gridlos.kernels.onward.are_joined`, made when it is first asked for."""
        return once(self._kept, "steps", lambda: onward.index_steps(self.arms))

    def are_joined(self, spaces: Ints, pairs: np.ndarray) -> Bools:
        """Return ``(n,)`` bool: which pairs ``(n, 2)`` of indices into ``spaces`` steps onward may join: others have no line of effect."""
        asked = spaces.astype(np.int64), np.ascontiguousarray(pairs, np.int64)
        return onward.are_joined(self.regions, self.steps, *asked, self.shape[1])

    def table_for(self, squares: np.ndarray) -> LineTable | None:
        """Return a table of all lines between these squares, if one is kept, or if with these choices it pays to make one.

        It is that of the whole map, or of a box around the squares that small moves do not leave. It pays when the choices
        that have been asked for without one would have taken as long.
        """
        rows, cols = self.shape
        found: LineTable | None = self._kept.get("table")
        if found is not None and found.box == (0, 0, cols, rows):
            return found
        if not len(squares):
            return None
        box = _box_around(squares, rows, cols)
        if found is not None and _is_within(box, found.box):
            return found
        walked = self._kept["walked"] = self._kept.get("walked", 0) + len(squares)
        for x, y, width, height in ((0, 0, cols, rows), box):
            if (width * height) ** 2 // 16 > walked * _BYTES_A_CHOICE:
                continue  # it has more bytes than that
            price = memory_of(height, width, numbers=False)
            if price <= min(_LARGEST_TABLE, walked * _BYTES_A_CHOICE):
                self._kept["walked"] = walked - price // _BYTES_A_CHOICE
                made = self._kept["table"] = LineTable.of(self.arms, (x, y, width, height), numbers=False, memory=price)
                return made
        return None

    @property
    def lines(self) -> tuple[Masks, np.ndarray, Ints, Ints]:
        """The first four arguments of the line kernels."""
        return self.arms, self.legs, self.bins, self.walls

    def lines_at(self, squares: np.ndarray) -> tuple[Masks, np.ndarray, Ints, Ints]:
        """Return the same, for lines from and to these squares."""
        return self.arms, self._centres_see(squares)[0], self.bins, self.walls


def _box_around(squares: np.ndarray, rows: int, cols: int) -> tuple[int, int, int, int]:
    """Return ``x, y, width, height`` of a box of a map with all these squares in it, its sides on multiples of :data:`_STEP`."""
    left, top, right, bottom = boards.box_around(np.ascontiguousarray(squares), cols)
    left, top = left // _STEP * _STEP, top // _STEP * _STEP
    right, bottom = -(-(right + 1) // _STEP) * _STEP, -(-(bottom + 1) // _STEP) * _STEP
    return left, top, min(right, cols) - left, min(bottom, rows) - top


def _is_within(box: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Is the box inside of the other one?"""
    return all(a >= b and a + m <= b + n for a, m, b, n in zip(box[:2], box[2:], other[:2], other[2:], strict=True))


def obstacles_of(battle_map: BattleMap, channel: Channel) -> Obstacles:
    """Return what stops lines in a channel: solid squares, edges and free walls, doors as they stand; special walls do not.

    They are found once for a map, and once for both channels if the same stops both.
    """
    if channel is Channel.SIGHT and _are_plain_walls_equal(battle_map):
        channel = Channel.EFFECT
    return kept(battle_map, ("obstacles", channel), lambda: _obstacles_of(battle_map, channel))


def _obstacles_of(battle_map: BattleMap, channel: Channel) -> Obstacles:
    bit, size = np.uint8(channel.bit), battle_map.subdivisions
    solid, west, north = (
        np.ascontiguousarray(array & bit)
        for array in (battle_map.terrain, battle_map.west_edges, battle_map.north_edges)
    )
    free = battle_map.free[(battle_map.stops[battle_map.free] & bit) != 0]
    walls = np.ascontiguousarray(battle_map.segments[free])
    arms = index.index_arms(solid, west, north)
    index.mark_free_arms(arms, walls, size)
    return Obstacles(size, arms, walls, *index.index_barriers(solid, west, north, walls, size))


def _are_plain_walls_equal(battle_map: BattleMap) -> bool:
    """Return whether the plain walls and squares that stop effect are those that stop sight, special walls aside."""
    arrays = (battle_map.terrain, battle_map.west_edges, battle_map.north_edges)

    def found() -> bool:
        return not any(_stops_one(array).any() for array in (*arrays, battle_map.stops[battle_map.free]))

    return kept(battle_map, "are plain walls equal", found)


def blocked_lines(
    obstacles: Obstacles, squares: np.ndarray, of_pairs: tuple[np.ndarray, np.ndarray] | None = None
) -> np.ndarray:
    """Return ``(n,)`` uint16: which of the 16 lines between two squares each are blocked, by the kernel that is fastest for it.

    ``squares (n, 2)`` int64; squares and bits as in :func:`gridlos.kernels.line.blocked_lines`. ``of_pairs`` are, if they are
    known, ``starts`` of the pairs whose choices they are, and which of these :meth:`Obstacles.are_joined`. All lines between
    two regions are blocked, and most of those between spaces that nothing joins. Of the others, those among free walls are
    found by the band kernel; where all walls are on the grid, by a table of all lines of the map, or of the box that they are
    in, once enough of them have been asked for; a few by that kernel itself. The answers are the same.
    """
    if of_pairs is None:
        asked = regions.choices_within(obstacles.regions, squares)
    else:
        starts, joined = of_pairs
        asked = onward.choices_joined(obstacles.regions, joined, starts, squares, obstacles.shape[1])
    if len(asked) == len(squares):
        return _blocked_within(obstacles, squares)
    found = np.full(len(squares), 0xFFFF, np.uint16)
    if len(asked):
        found[asked] = _blocked_within(obstacles, squares[asked])
    return found


def _blocked_within(obstacles: Obstacles, squares: np.ndarray) -> np.ndarray:
    if len(obstacles.walls):
        walls = *obstacles.lines_at(squares), obstacles.barriers, obstacles.band
        return in_parts(lambda some: band.blocked_lines(*walls, some, obstacles.size), squares, _MANY)
    table = obstacles.table_for(squares)
    if table is not None:
        return table.blocked_lines(squares)
    return line.blocked_lines(*obstacles.lines_at(squares), squares, obstacles.size)


def are_channels_equal(battle_map: BattleMap) -> bool:
    """Return whether whatever plain thing stops effect stops sight, and the other way round."""
    return kept(
        battle_map,
        "are channels equal",
        lambda: _are_plain_walls_equal(battle_map) and not _stops_one(battle_map.stops[battle_map.special]).any(),
    )


def _stops_one(stops: Masks) -> Bools:
    """Return where effect or sight is stopped, but not both."""
    return ((stops ^ stops >> np.uint8(1)) & np.uint8(1)).view(np.bool_)


def near_unequal(battle_map: BattleMap, spaces: Ints, pairs: np.ndarray) -> np.ndarray:
    """Return the places of the pairs ``(n, 2)`` between which there may be a plain wall or square that stops only effect or only sight."""
    if _are_plain_walls_equal(battle_map):
        return np.zeros(0, np.int64)
    before = kept(battle_map, "unequal", lambda: _touched_by_unequal(battle_map))
    return np.flatnonzero(near.are_near(before, spaces.astype(np.int64), np.ascontiguousarray(pairs, np.int64)))


def _touched_by_unequal(battle_map: BattleMap) -> Ints:
    """Return the squares that such walls touch, as :func:`gridlos.kernels.near.count_touched`."""
    size, free = battle_map.subdivisions, battle_map.free
    on_grid = []
    # Of a square that stops one of the two the diagonal does.
    for array, dx, dy in ((battle_map.terrain, 1, 1), (battle_map.west_edges, 0, 1), (battle_map.north_edges, 1, 0)):
        y, x = np.nonzero(_stops_one(array))
        on_grid.append(np.stack((x, y, x + dx, y + dy), axis=1) * size)
    walls = np.concatenate((*on_grid, battle_map.segments[free[_stops_one(battle_map.stops[free])]]))
    return near.count_touched(walls.astype(np.int32), battle_map.rows, battle_map.cols, size)
