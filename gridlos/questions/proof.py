"""The proof of one pair: the lines from the corner that the attacker chose, and by name what touches or stops each of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Contact, Stops
from gridlos.kernels.line import contacts
from gridlos.kernels.single import contact_among
from gridlos.questions.obstacles import Obstacles
from gridlos.verdict import ProofLine

__all__ = ["Point", "Suspects", "boxes_meet", "corner_of", "meets", "place_on", "proof_lines", "suspects_on"]

Lattice = NDArray[np.int64]
Square = tuple[int, int]
Point = tuple[int, int]

EDGE_OF_MAP = "edge of the map"


@dataclass(frozen=True, slots=True)
class Suspects:
    """What may be in the way: ``walls (k, 4)`` in lattice units, and for each of them by ``owner (k,)`` whose it is.

    Owners are walls of the map by index, then the solid squares, then the edge of the map.
    """

    walls: Lattice
    owner: Lattice
    n_walls: int
    squares: Lattice

    def name(self, owner: int, battle_map: BattleMap) -> str:
        """Return what people call the owner."""
        if owner < self.n_walls:
            return battle_map.wall_name(owner)
        if owner < self.n_walls + len(self.squares):
            x, y = self.squares[owner - self.n_walls].tolist()
            return f"square ({x}, {y})"
        return EDGE_OF_MAP


def proof_lines(
    battle_map: BattleMap, obstacles: Obstacles, attacker: Square, corner: int, target: Square
) -> tuple[ProofLine, ...]:
    """Return the four lines from a corner of the attacker's square to the corners of the target's square.

    ``by`` names, from the attacker on, what alone stops a blocked line; where nothing does so alone, all that it meets;
    and what a line that is not blocked touches.
    """
    cols = battle_map.cols
    a = 4 * (attacker[1] * cols + attacker[0]) + corner
    ends = np.array([[a, 4 * (target[1] * cols + target[0]) + c] for c in range(4)], np.int64)
    found = contacts(*obstacles.lines, ends, obstacles.size)
    suspects = suspects_on(battle_map, attacker, target)
    lines = []
    for c in range(4):
        contact = Contact(int(found[c]))
        by = () if contact is Contact.CLEAR else _by(battle_map, suspects, (attacker, corner), (target, c), contact)
        counted = bool(obstacles.legs[target[1], target[0]] >> (2 * c) & 3)
        lines.append(ProofLine(corner_of(target, c), contact, by, counted))
    return tuple(lines)


def corner_of(square: Square, corner: int) -> tuple[int, int]:
    """Return the corner of a square with that number, ``(x, y)``."""
    return square[0] + (corner & 1), square[1] + (corner >> 1)


def suspects_on(battle_map: BattleMap, a: Square, b: Square) -> Suspects:
    """Return what stands in or beside the rectangle that two squares span."""
    size = battle_map.subdivisions
    x0, y0 = min(a[0], b[0]) - 1, min(a[1], b[1]) - 1
    x1, y1 = max(a[0], b[0]) + 2, max(a[1], b[1]) + 2
    segments = battle_map.segments.astype(np.int64)
    stops = (battle_map.stops & Stops.EFFECT) != 0
    stops[battle_map.special] = False
    near = np.flatnonzero(stops & boxes_meet(segments, x0 * size, y0 * size, x1 * size, y1 * size))
    top, left = max(y0, 0), max(x0, 0)
    squares = np.argwhere(battle_map.terrain[top:y1, left:x1] & Stops.EFFECT)[:, ::-1] + (left, top)
    n_walls, n_squares = len(segments), len(squares)
    x, y = squares.T
    sides = np.stack((x, y, x + 1, y, x + 1, y, x + 1, y + 1, x, y + 1, x + 1, y + 1, x, y, x, y + 1), axis=1)
    border = np.empty((0, 4), np.int64)
    if x0 < 0 or y0 < 0 or x1 > battle_map.cols or y1 > battle_map.rows:
        w, h = battle_map.cols, battle_map.rows
        border = np.array([[0, 0, w, 0], [w, 0, w, h], [0, h, w, h], [0, 0, 0, h]], np.int64)
    return Suspects(
        walls=np.concatenate((segments[near], size * sides.reshape(-1, 4), size * border)),
        owner=np.concatenate(
            (near, np.repeat(n_walls + np.arange(n_squares), 4), np.full(len(border), n_walls + n_squares))
        ),
        n_walls=n_walls,
        squares=squares,
    )


def boxes_meet(walls: Lattice, x0: int, y0: int, x1: int, y1: int) -> Bools:
    """Return ``(k,)``: does the box of each wall meet the box?"""
    low, high = np.minimum(walls[:, :2], walls[:, 2:]), np.maximum(walls[:, :2], walls[:, 2:])
    meet: Bools = (low[:, 0] <= x1) & (high[:, 0] >= x0) & (low[:, 1] <= y1) & (high[:, 1] >= y0)
    return meet


def _by(
    battle_map: BattleMap,
    suspects: Suspects,
    start: tuple[Square, int],
    end: tuple[Square, int],
    contact: Contact,
) -> tuple[str, ...]:
    """Return the names for one line: those that stop it alone, else those that it or its legs meet, from the attacker on."""
    size = battle_map.subdivisions
    (a, ca), (b, cb) = start, end
    points = [_centre(a, size), _doubled(corner_of(a, ca), size), _doubled(corner_of(b, cb), size), _centre(b, size)]
    walls = 2 * suspects.walls
    met = on_line = meets(walls, points[1], points[2])
    if contact is Contact.BLOCKED:
        met = on_line | meets(walls, *points[:2]) | meets(walls, *points[2:])
    places: dict[int, Fraction] = {}
    for k in np.flatnonzero(met).tolist():
        place = place_on(walls[k].tolist(), points[1], points[2]) if on_line[k] else Fraction(0)
        owner = int(suspects.owner[k])
        places[owner] = min(place, places.get(owner, place))
    owners = sorted(places, key=lambda owner: (places[owner], owner))
    if contact is Contact.BLOCKED:
        alone = [one for one in owners if _stops_alone(suspects, one, start, end, size)]
        owners = alone or owners
    return tuple(dict.fromkeys(suspects.name(owner, battle_map) for owner in owners))


def _centre(square: Square, size: int) -> tuple[int, int]:
    return (2 * square[0] + 1) * size, (2 * square[1] + 1) * size


def _doubled(corner: tuple[int, int], size: int) -> tuple[int, int]:
    return 2 * corner[0] * size, 2 * corner[1] * size


def _sides(walls: Lattice, p: Point, q: Point) -> tuple[Lattice, Lattice]:
    dx, dy = q[0] - p[0], q[1] - p[1]
    return dx * (walls[:, 1] - p[1]) - dy * (walls[:, 0] - p[0]), dx * (walls[:, 3] - p[1]) - dy * (walls[:, 2] - p[0])


def meets(walls: Lattice, p: Point, q: Point) -> Bools:
    """Return which of the closed walls meet the closed segment from ``p`` to ``q``."""
    first, second = _sides(walls, p, q)
    wx, wy = walls[:, 2] - walls[:, 0], walls[:, 3] - walls[:, 1]
    of_p = wx * (p[1] - walls[:, 1]) - wy * (p[0] - walls[:, 0])
    of_q = wx * (q[1] - walls[:, 1]) - wy * (q[0] - walls[:, 0])
    apart = (
        ((first > 0) & (second > 0))
        | ((first < 0) & (second < 0))
        | ((of_p > 0) & (of_q > 0))
        | ((of_p < 0) & (of_q < 0))
    )
    return ~apart & boxes_meet(walls, min(p[0], q[0]), min(p[1], q[1]), max(p[0], q[0]), max(p[1], q[1]))


def place_on(wall: list[int], p: Point, q: Point) -> Fraction:
    """Return where along the line the wall is met first, 0 at the attacker's corner and 1 at the target's."""
    x0, y0, x1, y1 = wall
    dx, dy = q[0] - p[0], q[1] - p[1]
    under = dx * (y1 - y0) - dy * (x1 - x0)
    if under:
        return Fraction((x0 - p[0]) * (y1 - y0) - (y0 - p[1]) * (x1 - x0), under)
    if not dx and not dy:
        return Fraction(0)
    along = [dx * (x - p[0]) + dy * (y - p[1]) for x, y in ((x0, y0), (x1, y1))]
    return Fraction(max(min(along), 0), dx * dx + dy * dy)


def _stops_alone(
    suspects: Suspects, owner: int, start: tuple[Square, int], end: tuple[Square, int], size: int
) -> bool:
    """Would it stop the line if nothing else were there?"""
    (a, ca), (b, cb) = start, end
    place = owner - suspects.n_walls
    if 0 <= place < len(suspects.squares):
        # One square alone stops only what passes through its inside: what touches it has a way beside it.
        return grid.passes_inside(corner_of(a, ca), corner_of(b, cb), [*suspects.squares[place].tolist(), 1, 1])
    left, top = min(a[0], b[0]), min(a[1], b[1])
    cols, rows = max(a[0], b[0]) + 1 - left, max(a[1], b[1]) + 1 - top
    ends = [4 * ((y - top) * cols + x - left) + c for (x, y), c in ((a, ca), (b, cb))]
    walls = suspects.walls[suspects.owner == owner] - np.array([left, top, left, top]) * size
    return bool(contact_among(walls.astype(np.int32), rows, cols, size, *ends) == Contact.BLOCKED)
