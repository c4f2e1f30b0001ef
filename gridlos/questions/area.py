"""How much of a square walls hide from the corners of another: exact shares of its area.

The *hidden fraction* of a target square, seen from a corner P of an attacker square, is the share of its points X for
which the segment P → X meets something plain that stops effect: solid squares, edges, free walls. What walls hide is a
union of shadows: behind a wall lies a cone of directions, cut off at the wall. The visible rest is kept as convex
polygons whose vertices are integers in homogeneous coordinates ``(X, Y, W)``, the point ``(X / W, Y / W)`` relative to
P; a shadow takes away one part of each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import gcd
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Stops
from gridlos.kernels import index
from gridlos.kernels.walk import BOTH, EAST, FREE, LEFT, NORTH, RIGHT, SOUTH, WEST
from gridlos.questions.obstacles import Obstacles

__all__ = ["Fractions", "hidden_areas"]

Indices = NDArray[np.int64]
Fractions = NDArray[np.object_]
_Line = tuple[int, int, int]
"""The values ``a, b, c`` of ``a X + b Y + c W``."""
_Polygon = list[tuple[int, int, int]]
"""Vertices in order, relative to P; convex, with an inside."""

_N = TypeVar("_N", int, Indices)

_NOTHING, _ALL = Fraction(0), Fraction(1)
_CUT_OFF, _OPEN = 0, 1
_GRID_ARMS = ((NORTH, (0, -1)), (EAST, (1, 0)), (SOUTH, (0, 1)), (WEST, (-1, 0)))
_AT_ONCE = 1 << 16


def hidden_areas(battle_map: BattleMap, obstacles: Obstacles, squares: Indices) -> Fractions:
    """Return ``(c, 4)`` Fractions: how much of each target square is hidden from each corner of its attacker square.

    Walls that meet P belong to the attacker's side: what lies behind them as the centre of his square sees it is
    hidden, and from a corner that a wall cuts off from that centre everything is. Walls that end at P hide nothing on
    their own, just as for lines. The target's own square is not solid; its parts count by what P sees, whether its own
    centre sees them or not. Special walls and creatures hide nothing here.

    Parameters
    ----------
    battle_map
        The map.
    obstacles
        What stops effect on it.
    squares
        ``(c, 2)``: attacker and target square of each choice, ``row * cols + column``.

    Notes
    -----
    1. Splitting, reversing or duplicating walls changes nothing.
    2. One more wall never lessens a fraction, unless it is in line with the centre of the attacker's square.
    3. Another order of the two squares is another question: the fraction is not mutual.

    Examples
    --------
    >>> from gridlos.facts import Channel
    >>> from gridlos.questions.obstacles import obstacles_of
    >>> battle_map = BattleMap.from_rows(["....", ".#..", "...."])
    >>> squares = np.array([[4, 6], [0, 6]])  # from (0, 1) and from (0, 0) at (2, 1)
    >>> for four in hidden_areas(battle_map, obstacles_of(battle_map, Channel.EFFECT), squares):
    ...     print(*four)
    1 1 1 1
    3/4 1/2 1 1
    """
    asked, place = np.unique(squares.reshape(-1, 2), axis=0, return_inverse=True)
    solid = (battle_map.terrain.ravel()[asked[:, 1]] & Stops.EFFECT) != 0
    found: Fractions = np.empty((len(asked), 4), np.object_)
    found[~solid] = _areas(obstacles, asked[~solid])
    for k in np.flatnonzero(solid).tolist():
        found[k] = _areas(_opened(battle_map, obstacles, int(asked[k, 1])), asked[k : k + 1])[0]
    return found[place.reshape(-1)]


def _opened(battle_map: BattleMap, obstacles: Obstacles, square: int) -> Obstacles:
    """Return what stops effect if one square is not solid."""
    solid, west, north = (
        array & np.uint8(Stops.EFFECT) for array in (battle_map.terrain, battle_map.west_edges, battle_map.north_edges)
    )
    solid[divmod(square, battle_map.cols)] = 0
    arms = index.index_arms(solid, west, north)
    index.mark_free_arms(arms, obstacles.walls, obstacles.size)
    barriers, _ = index.index_barriers(solid, west, north, obstacles.walls, obstacles.size)
    return replace(obstacles, arms=arms, barriers=barriers)


def _areas(obstacles: Obstacles, squares: Indices) -> Fractions:
    """Return ``(c, 4)``, as :func:`hidden_areas`; equal questions are asked once."""
    size, cols = obstacles.size, obstacles.arms.shape[1] - 1
    attackers, which = np.unique(squares[:, 0], return_inverse=True)
    views, numbers = _views(obstacles, attackers.tolist())
    y, x = np.divmod(squares, cols)
    corner = np.arange(4)
    rows = np.empty((len(squares), 4, 5), np.int64)
    rows[:, :, 0] = (x[:, :1] + (corner & 1)) * size
    rows[:, :, 1] = (y[:, :1] + (corner >> 1)) * size
    rows[:, :, 2] = x[:, 1:] * size - rows[:, :, 0]
    rows[:, :, 3] = y[:, 1:] * size - rows[:, :, 1]
    rows[:, :, 4] = numbers[which.reshape(-1)]
    asked, place = np.unique(rows.reshape(-1, 5), axis=0, return_inverse=True)
    found: Fractions = np.empty(len(asked), np.object_)
    walls = obstacles.barriers.astype(np.int64)
    step = max(1, _AT_ONCE // max(1, len(walls)))
    for start in range(0, len(asked), step):
        some = asked[start : start + step]
        hidden, reaching = _first_look(walls, some, size)
        for k, (px, py, qx, qy, number) in enumerate(some.tolist()):
            if number == _CUT_OFF or hidden[k]:
                found[start + k] = _ALL
                continue
            near = walls[reaching[k]]
            if number == _OPEN and not len(near):
                found[start + k] = _NOTHING
                continue
            square = [(qx, qy, 1), (qx + size, qy, 1), (qx + size, qy + size, 1), (qx, qy + size, 1)]
            seen = [square] if number == _OPEN else views[number].parts_of(square)
            seen = _visible(seen, (near - np.array([px, py, px, py])).tolist())
            found[start + k] = 1 - sum(map(_area, seen), _NOTHING) / size**2
    return found[place.reshape(-1)].reshape(-1, 4)


def _first_look(walls: Indices, rows: Indices, size: int) -> tuple[Bools, Bools]:
    """Return ``(n,)``: does one wall hide the whole square? and ``(n, k)``: which walls may hide something of it?

    ``rows (n, 5)``: P, and the low corner of the square relative to P.
    """
    px, py, qx, qy = (column[:, None] for column in rows.T[:4])
    x0, y0, x1, y1 = walls[:, 0] - px, walls[:, 1] - py, walls[:, 2] - px, walls[:, 3] - py
    reaching = np.ones(x0.shape, np.bool_)
    for one, other, low in ((x0, x1, qx), (y0, y1, qy)):
        reaching &= np.maximum(one, other) > np.minimum(low, 0)
        reaching &= np.minimum(one, other) < np.maximum(low + size, 0)
    row, wall = np.nonzero(reaching)
    qx, qy = qx[row, 0], qy[row, 0]
    ends = x0[row, wall], y0[row, wall], x1[row, wall], y1[row, wall]
    is_seen = ends[0] * ends[3] != ends[1] * ends[2]
    covers = is_seen.copy()
    for a, b, c in _shadow(*_turned(*ends)):
        at_corner = a * qx + b * qy + c
        covers &= at_corner + size * (np.minimum(a, 0) + np.minimum(b, 0)) >= 0
        is_seen &= at_corner + size * (np.maximum(a, 0) + np.maximum(b, 0)) > 0
    reaching[row, wall] = is_seen
    hidden = np.zeros(len(rows), np.bool_)
    hidden[row[covers]] = True
    return hidden, reaching


def _turned(x0: Indices, y0: Indices, x1: Indices, y1: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """Return the ends of walls so that the way from the first to the second turns round P with a positive cross product."""
    turns = x0 * y1 < y0 * x1
    return np.where(turns, x1, x0), np.where(turns, y1, y0), np.where(turns, x0, x1), np.where(turns, y0, y1)


def _shadow(x0: _N, y0: _N, x1: _N, y1: _N) -> tuple[tuple[_N, _N, _N], ...]:
    """Return the three lines that are all positive inside of a wall's shadow: past its first end, before its second, behind it.

    Numbers or arrays, relative to P, round which the wall turns with a positive cross product.
    """
    dx, dy = x1 - x0, y1 - y0
    return (-y0, x0, 0 * dx), (y1, -x1, 0 * dx), (dy, -dx, dx * y0 - dy * x0)


def _visible(polygons: list[_Polygon], walls: list[list[int]]) -> list[_Polygon]:
    """Return what the shadows of walls leave of polygons."""
    for x0, y0, x1, y1 in walls:
        lines = _shadow(x0, y0, x1, y1) if x0 * y1 > y0 * x1 else _shadow(x1, y1, x0, y0)
        polygons = [part for polygon in polygons for part in _outside(polygon, lines)]
        if not polygons:
            break
    return polygons


def _outside(polygon: _Polygon, lines: tuple[_Line, ...]) -> Iterator[_Polygon]:
    """Yield the parts of a polygon where one of the lines is negative."""
    values = [[a * x + b * y + c * w for x, y, w in polygon] for a, b, c in lines]
    if any(max(of_line) <= 0 for of_line in values):
        yield polygon
        return
    inside = polygon
    for line in lines:
        negative, inside = _halves(inside, line)
        if negative:
            yield negative
        if not inside:
            return


def _halves(polygon: _Polygon, line: _Line) -> tuple[_Polygon, _Polygon]:
    """Return the parts of a polygon where the line is negative and where it is positive; without vertices if there is none."""
    a, b, c = line
    values = [a * x + b * y + c * w for x, y, w in polygon]
    if min(values) >= 0:
        return [], polygon
    if max(values) <= 0:
        return polygon, []
    negative: _Polygon = []
    positive: _Polygon = []
    for (one, here), (other, there) in pairwise([*zip(polygon, values, strict=True), (polygon[0], values[0])]):
        if here <= 0:
            negative.append(one)
        if here >= 0:
            positive.append(one)
        if (here < 0 < there) or (there < 0 < here):
            s, t = abs(there), abs(here)
            x, y, w = (s * p + t * q for p, q in zip(one, other, strict=True))
            common = gcd(x, y, w)
            crossing = x // common, y // common, w // common
            negative.append(crossing)
            positive.append(crossing)
    return negative, positive


def _area(polygon: _Polygon) -> Fraction:
    """Return the area of a polygon in square lattice units."""
    twice = _NOTHING
    for (x0, y0, w0), (x1, y1, w1) in pairwise([*polygon, polygon[0]]):
        twice += Fraction(x0 * y1 - y0 * x1, w0 * w1)
    return twice / 2


@dataclass(frozen=True, slots=True)
class _View:
    """What the walls that meet a corner leave open of its surroundings.

    ``arms``: the directions in which walls leave it, by angle; ``is_open``: for each of them the sector between it and the
    next one.
    """

    arms: tuple[tuple[int, int], ...]
    is_open: tuple[bool, ...]

    def parts_of(self, polygon: _Polygon) -> list[_Polygon]:
        """Return the parts of a polygon that lie in open sectors."""
        parts = [polygon]
        for x, y in self.arms:
            parts = [half for part in parts for half in _halves(part, (-y, x, 0)) if half]
        angles = [_angle(*arm) for arm in self.arms]
        kept = []
        for part in parts:
            # With positive weights, the vertices add up to a direction inside of the part.
            direction = sum(x for x, _, _ in part), sum(y for _, y, _ in part)
            if self.is_open[bisect_right(angles, _angle(*direction)) - 1]:
                kept.append(part)
        return kept


def _views(obstacles: Obstacles, squares: list[int]) -> tuple[dict[int, _View], Indices]:
    """Return the views of the corners of squares: ``(n, 4)`` numbers, and the views of those from 2 on."""
    cols = obstacles.arms.shape[1] - 1
    known: dict[_View, int] = {}
    numbers = np.full((len(squares), 4), _OPEN, np.int64)
    for k, square in enumerate(squares):
        y, x = divmod(square, cols)
        for corner in range(4):
            leg = int(obstacles.legs[y, x]) >> (2 * corner) & BOTH
            if not leg:
                numbers[k, corner] = _CUT_OFF
                continue
            place = x + (corner & 1), y + (corner >> 1)
            bits = int(obstacles.arms[place[::-1]])
            if bits:
                view = _view(_arms(obstacles, square, place, bits), corner, leg)
                if not all(view.is_open):
                    numbers[k, corner] = known.setdefault(view, len(known) + _OPEN + 1)
    return {number: view for view, number in known.items()}, numbers


def _view(arms: list[tuple[int, int]], corner: int, leg: int) -> _View:
    """Return the view of a corner of a square; its leg arrives on the sides ``leg`` of the way from the centre."""
    angles = [_angle(*arm) for arm in arms]
    to_centre = _angle(1 - 2 * (corner & 1), 1 - 2 * (corner >> 1))
    last = bisect_right(angles, to_centre) - 1
    is_open = [False] * len(arms)
    if angles[last] != to_centre:
        is_open[last] = True
    else:
        # A wall along the leg; left of the way out is right of the way back, where angles grow.
        is_open[last] = bool(leg & LEFT)
        is_open[last - 1] |= bool(leg & RIGHT)
    return _View(tuple(arms), tuple(is_open))


def _arms(obstacles: Obstacles, square: int, place: tuple[int, int], bits: int) -> list[tuple[int, int]]:
    """Return the directions in which walls leave a corner of a square, by angle, each once."""
    found = [arm for bit, arm in _GRID_ARMS if bits & bit]
    if bits & FREE:
        px, py = (obstacles.size * v for v in place)
        own = obstacles.bins[obstacles.bins[square] : obstacles.bins[square + 1]]
        for x0, y0, x1, y1 in (obstacles.walls[own].astype(np.int64) - np.array([px, py, px, py])).tolist():
            if x0 * y1 == y0 * x1 and x0 * x1 + y0 * y1 <= 0:
                for x, y in ((x0, y0), (x1, y1)):
                    if common := gcd(x, y):
                        found.append((x // common, y // common))
    return sorted(set(found), key=lambda arm: _angle(*arm))


def _angle(x: int, y: int) -> Fraction:
    """Return a number from 0 to 4 that grows with the angle of a direction, turning with positive cross products."""
    part = Fraction(y, abs(x) + abs(y))
    return 2 - part if x < 0 else part if y >= 0 else part + 4
