"""Leaks: wall ends that nearly meet something and leave a slit that one can shoot through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Stops
from gridlos.kernels import index
from gridlos.verdict import Finding
from gridlos.walls import KINDS, behaviour_of

__all__ = ["NEAR", "leaks_of"]

NEAR = Fraction(3, 20)
"""Squares: what nearly meets."""

_HANGS_TOGETHER = Fraction(1, 2)
"""Squares: within that, walls that connect an end with what it nearly meets leave no slit that leads anywhere."""

_EDGE = "the edge of the map"

Indices = NDArray[np.int64]
_Point = tuple[int, int]
_Place = tuple[Fraction, Fraction]
_Segment = tuple[int, int, int, int]


def leaks_of(battle_map: BattleMap) -> Iterator[Finding]:
    """Yield the free ends of walls that are less than 0.15 squares from something else that stops lines, and do not meet it.

    Something is another wall, a solid square or the edge of the map; doors count as shut. An end is free if all walls that
    it is on leave it in one direction. Distances are exact: what is a lattice unit apart does not meet. Walls that connect
    the two within half a square of the end leave no leak. Each slit is told once, from the end nearest to the top left.

    Examples
    --------
    >>> from gridlos.walls import Wall
    >>> walls = [Wall(start=(0, 1), end=(1.9, 1)), Wall(start=(2, 0), end=(2, 2))]
    >>> [finding.text for finding in leaks_of(BattleMap.from_rows(["...", "..."], walls=walls))]
    ['wall 1 stops 0.1 squares short of wall 2']
    """
    barriers = _Barriers.of(battle_map)
    told: set[tuple[frozenset[int], int, int]] = set()
    for end in barriers.free_ends():
        found = barriers.nearest(end)
        if found is None:
            continue
        own, other, place = found
        pair = frozenset((own, other))
        step = NEAR * barriers.size
        cells = [(pair, int(end[0] // step) + i, int(end[1] // step) + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        if told.isdisjoint(cells):
            told.add(cells[4])
            yield barriers.finding(end, own, other, place)


@dataclass(frozen=True, slots=True, eq=False)
class _Barriers:
    """All that stops lines, doors shut: first walls of the map, ``walls`` their indices, then sides of solid squares."""

    battle_map: BattleMap
    segments: Indices
    walls: Indices
    tree: shapely.STRtree

    @classmethod
    def of(cls, battle_map: BattleMap) -> _Barriers:
        shut = [
            msgspec.structs.replace(wall, state="closed") if KINDS[wall.kind].is_door else wall
            for wall in battle_map.walls
        ]
        stops = np.array([behaviour_of(wall).stops != 0 for wall in shut], np.bool_)
        has_length = np.any(battle_map.segments[:, :2] != battle_map.segments[:, 2:], axis=1)
        walls = np.flatnonzero(stops & has_length)
        shape = battle_map.terrain.shape
        solid = np.ascontiguousarray(battle_map.terrain & np.uint8(Stops.EFFECT))
        edges = np.zeros((shape[0], shape[1] + 1), np.uint8), np.zeros((shape[0] + 1, shape[1]), np.uint8)
        sides, _ = index.index_barriers(solid, *edges, np.zeros((0, 4), np.int32), battle_map.subdivisions)
        segments = np.concatenate((battle_map.segments[walls], sides)).astype(np.int64)
        strokes = np.asarray(shapely.linestrings(segments.reshape(-1, 2, 2).astype(np.float64)), np.object_)
        tree = shapely.STRtree(strokes)
        return cls(battle_map, segments, walls, tree)

    @property
    def size(self) -> int:
        """Lattice units in a square."""
        return self.battle_map.subdivisions

    def free_ends(self) -> Iterator[_Point]:
        """Yield the ends of walls on the map, outside of solid squares, that all walls there leave in one direction."""
        ends = np.unique(self.segments[: len(self.walls)].reshape(-1, 2), axis=0)
        near = self._near(ends, NEAR)
        for (x, y), candidates in zip(ends.tolist(), near, strict=True):
            column, row = x // self.size, y // self.size
            if not (0 <= x <= self.size * self.battle_map.cols and 0 <= y <= self.size * self.battle_map.rows):
                continue
            is_inside = x % self.size and y % self.size
            if is_inside and self.battle_map.terrain[row, column] & Stops.EFFECT:
                continue
            arms = [arm for k in candidates for arm in _arms((x, y), self._segment(k))]
            if arms and all(_is_same_way(arms[0], arm) for arm in arms):
                yield x, y

    def _segment(self, k: int) -> _Segment:
        x0, y0, x1, y1 = self.segments[k].tolist()
        return x0, y0, x1, y1

    def _near(self, points: Indices, reach: Fraction) -> list[list[int]]:
        """Return for each point what may be within reach of it."""
        found: list[list[int]] = [[] for _ in points]
        boxes = shapely.points(points.astype(np.float64))
        distance = float(reach) * self.size * 1.001
        for point, k in self.tree.query(boxes, predicate="dwithin", distance=distance).T.tolist():
            found[point].append(k)
        return found

    def nearest(self, end: _Point) -> tuple[int, int, _Place] | None:
        """Return a wall at a free end, what else is nearest to it and where; None if nothing is, or something connects them."""
        local = sorted(self._near(np.array([end]), _HANGS_TOGETHER)[0])
        pieces = {k: self._segment(k) for k in local}
        near = {k: _nearest_point(end, piece) for k, piece in pieces.items()}
        own = [k for k in local if _distance2(end, near[k]) == 0]
        limit, reach = ((number * self.size) ** 2 for number in (NEAR, _HANGS_TOGETHER))
        apart = [k for k in local if 0 < _distance2(end, near[k]) <= limit]
        if not apart:
            return None
        joined, rest = set(own), set(local) - set(own)
        grown = list(own)
        while grown:
            one = grown.pop()
            met = {k for k in rest if _meet_within(pieces[one], pieces[k], end, reach)}
            rest -= met
            joined |= met
            grown += met
        apart = [k for k in apart if k not in joined]
        if not apart:
            return None
        other = min(apart, key=lambda k: (_distance2(end, near[k]), k))
        return own[0], other, near[other]

    def finding(self, end: _Point, own: int, other: int, place: _Place) -> Finding:
        """Return the slit between an end and the place where something else is nearest."""
        far = float(_distance2(end, place)) ** 0.5 / self.size
        name = self.battle_map.wall_name(int(self.walls[own]))
        walls = tuple(int(self.walls[k]) for k in (own, other) if k < len(self.walls))
        if other >= len(self.walls):
            text = f"{name} stops {far:.3g} squares short of {self._side(other, place)}"
        elif [*place] in self.segments[other].reshape(2, 2).tolist():
            text = f"the ends of {name} and {self.battle_map.wall_name(walls[1])} are {far:.3g} squares apart"
        else:
            text = f"{name} stops {far:.3g} squares short of {self.battle_map.wall_name(walls[1])}"
        return Finding("leak", (end[0] / self.size, end[1] / self.size), text, walls)

    def _side(self, k: int, place: _Place) -> str:
        """Return what the side of solid squares at a place belongs to."""
        is_upright = self.segments[k, 0] == self.segments[k, 2]
        for dx, dy in ((-1, 0), (0, 0)) if is_upright else ((0, -1), (0, 0)):
            x, y = int(place[0] // self.size) + dx, int(place[1] // self.size) + dy
            if self.battle_map.has_square(x, y) and self.battle_map.terrain[y, x] & Stops.EFFECT:
                return f"the solid square ({x}, {y})"
        return _EDGE


def _arms(point: _Point, segment: _Segment) -> Iterator[_Point]:
    """Yield the directions in which a segment leaves a point that it contains."""
    x0, y0, x1, y1 = segment
    first, last = (x0 - point[0], y0 - point[1]), (x1 - point[0], y1 - point[1])
    if first[0] * last[1] == first[1] * last[0] and first[0] * last[0] + first[1] * last[1] <= 0:
        yield from (arm for arm in (first, last) if arm != (0, 0))


def _is_same_way(one: _Point, other: _Point) -> bool:
    return one[0] * other[1] == one[1] * other[0] and one[0] * other[0] + one[1] * other[1] > 0


def _nearest_point(point: _Point, segment: _Segment) -> _Place:
    """Return the point of a segment that is nearest to a point."""
    x0, y0, x1, y1 = segment
    dx, dy = x1 - x0, y1 - y0
    share = Fraction((point[0] - x0) * dx + (point[1] - y0) * dy, dx * dx + dy * dy)
    share = min(max(share, Fraction(0)), Fraction(1))
    return x0 + share * dx, y0 + share * dy


def _distance2(point: _Point, place: _Place) -> Fraction:
    return (place[0] - point[0]) ** 2 + (place[1] - point[1]) ** 2


def _meet_within(one: _Segment, other: _Segment, end: _Point, reach: Fraction) -> bool:
    """Return whether two segments share a point whose squared distance from an end is at most ``reach``.

    Both have points so near: if they lie on one line and meet, they meet there.
    """
    x0, y0, x1, y1 = one
    dx, dy = x1 - x0, y1 - y0
    ax, ay, bx, by = other[0] - x0, other[1] - y0, other[2] - x0, other[3] - y0
    a, b = dx * ay - dy * ax, dx * by - dy * bx
    if a == b == 0:
        points = [(other[:2], one), (other[2:], one), (one[:2], other), (one[2:], other)]
        return any(any(_arms(point, segment)) for point, segment in points)
    if a == b or (a > 0 and b > 0) or (a < 0 and b < 0):
        return False
    share = Fraction(a, a - b)
    x, y = x0 + ax + share * (bx - ax), y0 + ay + share * (by - ay)
    along = (x - x0) * dx + (y - y0) * dy
    return 0 <= along <= dx * dx + dy * dy and _distance2(end, (x, y)) <= reach
