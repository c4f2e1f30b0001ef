"""One round of welding: which points become one, where they go, and where walls are cut."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from gridlos.errors import SceneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["LARGEST_TOLERANCE", "Longs", "Reach", "Round", "weld_round"]

Longs = NDArray[np.int64]

LARGEST_TOLERANCE = 0.25
_HANGS_TOGETHER = 5  # tolerances: within that, walls that connect two ends leave no gap that matters between them
_CROWD = 4  # tolerances: a wider crowd of ends is a drawing of something, not a joint


@dataclass(frozen=True, slots=True)
class Reach:
    """The tolerance in lattice units: ``near`` as a number, ``near2`` its square and ``steps`` along an axis, floored."""

    units: int
    near: float
    near2: int
    steps: int

    @classmethod
    def of(cls, tolerance: float, subdivisions: int) -> Reach:
        """Return the tolerance, given in squares, on a lattice; SceneError for one that is no use."""
        if not 0 < tolerance <= LARGEST_TOLERANCE:
            raise SceneError(
                f"a weld tolerance of {tolerance} squares",
                "",
                f"give one from 0 to {LARGEST_TOLERANCE}; 0 turns welding off",
            )
        exact = Fraction(repr(float(tolerance))) * subdivisions
        return cls(subdivisions, float(exact), math.floor(exact**2), math.floor(exact))


@dataclass(frozen=True, slots=True)
class Round:
    """Walls after a round, which wall each comes from, and how many points were joined, put onto walls, onto the grid."""

    segments: Longs
    sources: Longs
    n_joined: int
    n_closed: int
    n_snapped: int


def weld_round(segments: Longs, reach: Reach) -> Round:
    """Return walls, none of them without length, after one round."""
    net = _net(segments)
    pairs, near_walls = _near(net, reach)
    labels = _joined(net, pairs, reach)
    junctions = _closed(net, near_walls, labels, reach)
    places, n_snapped = _placed(net, labels, junctions, reach)
    _put_on_walls(net, junctions, labels, places, reach)
    found, sources = _cut(net, junctions, labels, places)
    n_joined = int(np.count_nonzero(labels != np.arange(len(labels))))
    return Round(found, sources, n_joined, sum(junction.away > 0 for junction in junctions), n_snapped)


@dataclass(frozen=True, slots=True)
class _Net:
    """Distinct points in the order of x, then y; distinct walls between them, the smaller point first.

    ``wall_of`` and ``backward`` say for each segment which wall it is and whether it runs from the larger point;
    ``upright`` for each point and axis the squared length of the longest wall along which that coordinate is the same;
    ``others`` from ``first[i]`` to ``first[i + 1]`` the other ends of the walls of point ``i``.
    """

    points: Longs
    walls: Longs
    wall_of: Longs
    backward: NDArray[np.bool_]
    upright: Longs
    first: list[int]
    others: list[int]
    links: dict[int, set[int]] = field(default_factory=dict)

    def neighbours(self, point: int) -> set[int]:
        """Return the points at the other ends of a point's walls, and those that were linked with it."""
        return {*self.others[self.first[point] : self.first[point + 1]], *self.links.get(point, ())}

    def link(self, point: int, other: int) -> None:
        """Let two points hang together from now on."""
        self.links.setdefault(point, set()).add(other)
        self.links.setdefault(other, set()).add(point)

    def unlink(self, point: int, other: int) -> None:
        """Undo :meth:`link`."""
        self.links[point].discard(other)
        self.links[other].discard(point)


@dataclass(frozen=True, slots=True)
class _Junction:
    """A point that is near a wall's inside: ``share`` of the way along the wall, ``away`` from it in lattice units."""

    away: float
    point: int
    wall: int
    share: float


def _net(segments: Longs) -> _Net:
    ends = segments.reshape(-1, 2)
    keys, first, inverse = np.unique((ends[:, 0] << 26) + ends[:, 1], return_index=True, return_inverse=True)
    points, pairs = ends[first], inverse.reshape(-1, 2)
    walls, wall_of = np.unique(pairs.min(axis=1) * len(keys) + pairs.max(axis=1), return_inverse=True)
    walls = np.stack(np.divmod(walls, len(keys)), axis=1)
    own = walls.ravel()
    order = np.argsort(own, kind="stable")
    first_of = np.searchsorted(own[order], np.arange(len(keys) + 1)).tolist()
    others = walls[:, ::-1].ravel()[order].tolist()
    return _Net(points, walls, wall_of, pairs[:, 0] > pairs[:, 1], _upright(points, walls), first_of, others)


def _upright(points: Longs, walls: Longs) -> Longs:
    longest2 = np.zeros_like(points)
    start, end = points[walls[:, 0]], points[walls[:, 1]]
    length2 = np.sum((start - end) ** 2, axis=1)
    for axis in (0, 1):
        same = start[:, axis] == end[:, axis]
        np.maximum.at(longest2[:, axis], walls[same].ravel(), np.repeat(length2[same], 2))
    return longest2


def _near(net: _Net, reach: Reach) -> tuple[list[tuple[int, int]], list[_Junction]]:
    """Return the pairs of points, and the points with walls, that are within the tolerance; the nearest first."""
    points, walls = net.points, net.walls
    tree = shapely.STRtree(np.asarray(shapely.linestrings(points[walls])))
    point, wall = tree.query(shapely.points(points), predicate="dwithin", distance=reach.near + 1e-6)
    others = np.all(walls[wall] != point[:, None], axis=1)
    point, wall = point[others], wall[others]
    here, start, end = points[point], points[walls[wall, 0]], points[walls[wall, 1]]
    from_start, from_end = np.sum((here - start) ** 2, axis=1), np.sum((here - end) ** 2, axis=1)
    met = [
        np.stack([squared, np.minimum(point, walls[wall, side]), np.maximum(point, walls[wall, side])], axis=1)
        for side, squared in enumerate((from_start, from_end))
    ]
    pairs = np.unique(np.concatenate(met), axis=0)
    along, across = end - start, here - start
    length2 = np.sum(along**2, axis=1)
    share = np.sum(along * across, axis=1) / length2
    away = np.abs(along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]) / np.sqrt(length2)
    inside = (share > 0) & (share < 1) & (away <= reach.near) & (np.minimum(from_start, from_end) > reach.near2)
    order = np.flatnonzero(inside)[np.lexsort((wall[inside], point[inside], away[inside]))]
    columns = (column[order].tolist() for column in (away, point, wall, share))
    return (
        [(u, v) for squared, u, v in pairs.tolist() if squared <= reach.near2],
        [_Junction(*row) for row in zip(*columns, strict=True)],
    )


def _hang_together(net: _Net, here: int, there: set[int], radius: float) -> bool:
    """Return whether walls connect a point with one of the others without leaving the circle around the point."""
    points, (x, y), limit = net.points, net.points[here].tolist(), radius * radius
    seen, waiting = {here}, [here]
    while waiting:
        for point in net.neighbours(waiting.pop()) - seen:
            seen.add(point)
            other_x, other_y = points[point].tolist()
            if (other_x - x) ** 2 + (other_y - y) ** 2 <= limit:
                if point in there:
                    return True
                waiting.append(point)
    return False


def _joined(net: _Net, pairs: Iterable[tuple[int, int]], reach: Reach) -> Longs:
    """Return for each point the first of those that it is joined with; what is joined hangs together from now on."""
    labels = list(range(len(net.points)))

    def label(point: int) -> int:
        while labels[point] != point:
            labels[point] = labels[labels[point]]
            point = labels[point]
        return point

    links: list[tuple[int, int]] = []
    for u, v in pairs:
        if label(u) != label(v) and not _hang_together(net, u, {v}, _HANGS_TOGETHER * reach.near):
            first, second = sorted((label(u), label(v)))
            labels[second] = first
            links.append((u, v))
            net.link(u, v)
    if not links:
        return np.arange(len(labels))
    found = np.array([label(point) for point in range(len(labels))], dtype=np.int64)
    low, high = net.points.copy(), net.points.copy()
    np.minimum.at(low, found, net.points)
    np.maximum.at(high, found, net.points)
    crowded = np.any(high - low > _CROWD * reach.near, axis=1)[found]
    for u, v in links:
        if crowded[u]:
            net.unlink(u, v)
    return np.where(crowded, np.arange(len(labels)), found)


def _placed(net: _Net, labels: Longs, junctions: Sequence[_Junction], reach: Reach) -> tuple[Longs, int]:
    """Return for each label where its points go, and how many of these places were moved to the grid.

    Each coordinate of a place is that of one of its points: of one that is near a line of the grid, if there is one;
    else of the one with the longest wall along that line, so that it keeps its direction; else of the one with most
    walls; else of the first. A coordinate near a line of the grid goes onto it, but not that of an inner point of a
    finely drawn curve, nor that of a point that belongs onto a wall.
    """
    points, n_points = net.points, len(net.points)
    on_grid = _grid_near(points, reach)
    degree = np.bincount(net.walls.ravel(), minlength=n_points)
    length2 = np.sum((points[net.walls[:, 0]] - points[net.walls[:, 1]]) ** 2, axis=1)
    longest2 = np.zeros(n_points, np.int64)
    np.maximum.at(longest2, net.walls.ravel(), np.repeat(length2, 2))
    fine = (degree == 2) & (longest2 < (_HANGS_TOGETHER * reach.near) ** 2)
    fine &= np.bincount(labels, minlength=n_points)[labels] == 1
    held = np.isin(labels, labels[[junction.point for junction in junctions]])
    moved = np.where((fine | held)[:, None], points, on_grid)
    places, snapped = points.copy(), np.zeros(n_points, bool)
    for axis in (0, 1):
        near = on_grid[:, axis] % reach.units == 0
        exact = points[:, axis] % reach.units == 0
        best = np.lexsort((-degree, -net.upright[:, axis], ~exact, ~near, labels))
        found, first = np.unique(labels[best], return_index=True)
        places[found, axis] = moved[best[first], axis]
        snapped[found] |= (moved != points)[best[first], axis]
    return places, int(np.count_nonzero(snapped))


def _grid_near(points: Longs, reach: Reach) -> Longs:
    """Return the coordinates, those near a line of the grid on that line."""
    on_grid = (points + reach.units // 2) // reach.units * reach.units
    return np.where(np.abs(points - on_grid) <= reach.steps, on_grid, points)


def _closed(net: _Net, junctions: Iterable[_Junction], labels: Longs, reach: Reach) -> list[_Junction]:
    """Return the junctions to close: those where nothing connects the point with the wall near by."""
    on_wall: dict[int, set[int]] = {}
    found = []
    for junction in junctions:
        point, wall = junction.point, junction.wall
        start, end = net.walls[wall].tolist()
        met = on_wall.setdefault(wall, {start, end})
        if labels[point] in (labels[start], labels[end]):
            continue
        if junction.away and _hang_together(net, point, met, _HANGS_TOGETHER * reach.near):
            continue
        for other in met:
            net.link(point, other)
        met.add(point)
        found.append(junction)
    return found


def _put_on_walls(net: _Net, junctions: Iterable[_Junction], labels: Longs, places: Longs, reach: Reach) -> None:
    """Move the place of each junction onto its wall: of several walls onto the nearest, which comes first."""
    held = places % reach.units == 0
    for axis in (0, 1):
        np.logical_or.at(held[:, axis], labels, net.upright[:, axis] > 0)
    settled: set[int] = set()
    for junction in junctions:
        label = int(labels[junction.point])
        if label not in settled:
            settled.add(label)
            place, start, end = places[[label, *labels[net.walls[junction.wall]]]].tolist()
            places[label] = _foot(place, start, end, held[label].tolist(), reach)


def _foot(place: list[int], start: list[int], end: list[int], held: list[bool], reach: Reach) -> list[int]:
    """Return the lattice point on a wall, or as near to it as there is one, that is near to a place.

    What lies on a corner of the grid stays there. A held coordinate stays where that can be.
    """
    across, along = [place[i] - start[i] for i in (0, 1)], [end[i] - start[i] for i in (0, 1)]
    is_off = along[0] * across[1] != along[1] * across[0]
    if along == [0, 0] or (is_off and place[0] % reach.units == place[1] % reach.units == 0):
        return place
    if 0 in along:
        level = along.index(0)
        return _foot_upright(place, start, end, level, reach)
    if not is_off or all(held):
        return place
    if any(held):
        fixed = held.index(True)
        step = round(Fraction(along[1 - fixed] * across[fixed], along[fixed])) - across[1 - fixed]
        inside = min(0, along[fixed]) < across[fixed] < max(0, along[fixed])
        return [place[i] + step * (i != fixed) for i in (0, 1)] if inside and abs(step) <= 2 * reach.near else place
    share = Fraction(along[0] * across[0] + along[1] * across[1], along[0] ** 2 + along[1] ** 2)
    n_steps = math.gcd(*along)
    step = min(max(round(share * n_steps), 1), n_steps - 1)
    exact = [start[i] + along[i] // n_steps * step for i in (0, 1)]
    if n_steps > 1 and sum((exact[i] - place[i]) ** 2 for i in (0, 1)) <= reach.near2:
        return exact
    return [start[i] + round(share * along[i]) for i in (0, 1)]


def _foot_upright(place: list[int], start: list[int], end: list[int], level: int, reach: Reach) -> list[int]:
    """Return the foot on a wall along an axis: on a line of the grid that crosses the wall, if one is near."""
    free = 1 - level
    slid = (place[free] + reach.units // 2) // reach.units * reach.units
    inside = min(start[free], end[free]) < slid < max(start[free], end[free])
    found = slid if inside and abs(slid - place[free]) <= reach.steps else place[free]
    return [start[0], found] if level == 0 else [found, start[1]]


def _cut(net: _Net, junctions: Iterable[_Junction], labels: Longs, places: Longs) -> tuple[Longs, Longs]:
    """Return the segments between the places of their ends, cut at the junctions, and which segment each comes from."""
    stops: dict[int, list[tuple[float, int]]] = {}
    for junction in junctions:
        stops.setdefault(junction.wall, []).append((junction.share, int(labels[junction.point])))
    ends = places[labels[net.walls]].reshape(-1, 4)
    ways = {}
    for wall, met in stops.items():
        between = [places[label].tolist() for _, label in sorted(met)]
        way = _straightened([ends[wall, :2].tolist(), *between, ends[wall, 2:].tolist()])
        if len(way) > 2:
            ways[wall] = way
    ends = ends[net.wall_of]
    ends[net.backward] = ends[net.backward][:, [2, 3, 0, 1]]
    sources, pieces = list(range(len(ends))), []
    keep = np.any(ends[:, :2] != ends[:, 2:], axis=1)
    for index in np.flatnonzero(np.isin(net.wall_of, list(ways))).tolist():
        way = ways[int(net.wall_of[index])]
        way = way[::-1] if net.backward[index] else way
        pieces += [(*first, *second) for first, second in pairwise(way)]
        sources += [index] * (len(way) - 1)
        keep[index] = False
    segments = np.concatenate([ends, np.array(pieces, dtype=np.int64).reshape(-1, 4)])
    kept = np.concatenate([np.flatnonzero(keep), np.arange(len(ends), len(segments))])
    found = np.array(sources, dtype=np.int64)[kept]
    order = np.argsort(found, kind="stable")
    return segments[kept][order], found[order]


def _straightened(way: list[list[int]]) -> list[list[int]]:
    """Return a way without the points that lie on the straight line between those before and after them."""
    kept = way[:1]
    for x, y in way[1:]:
        while len(kept) > 1 and _is_between(kept[-1], kept[-2], (x, y)):
            kept.pop()
        if kept[-1] != [x, y]:
            kept.append([x, y])
    return kept


def _is_between(place: Sequence[int], start: Sequence[int], end: Sequence[int]) -> bool:
    x, y = place[0] - start[0], place[1] - start[1]
    dx, dy = end[0] - start[0], end[1] - start[1]
    return x * dy == y * dx and 0 <= x * dx + y * dy <= dx * dx + dy * dy and (dx, dy) != (0, 0)
