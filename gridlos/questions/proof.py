"""The proof of one pair: the lines from the corner that the attacker chose, and by name what touches or stops each of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Contact, Stops
from gridlos.kernels.line import contacts
from gridlos.kernels.single import contact_among
from gridlos.questions.obstacles import Obstacles
from gridlos.verdict import ProofLine

__all__ = ["proof_lines"]

Lattice = NDArray[np.int64]
Square = tuple[int, int]

EDGE_OF_MAP = "edge of the map"


@dataclass(frozen=True, slots=True)
class _Suspect:
    """Something with a name that may be in the way: its walls in lattice units, ``(k, 4)``."""

    name: str
    walls: Lattice


def proof_lines(
    battle_map: BattleMap, obstacles: Obstacles, attacker: Square, corner: int, target: Square
) -> tuple[ProofLine, ...]:
    """Return the four lines from a corner of the attacker's square to the corners of the target's square.

    ``by`` names, from the attacker on, what alone stops a blocked line; where nothing does so alone, all that it
    meets; and what a line that is not blocked touches.
    """
    cols = battle_map.cols
    a = 4 * (attacker[1] * cols + attacker[0]) + corner
    ends = np.array([[a, 4 * (target[1] * cols + target[0]) + c] for c in range(4)], np.int64)
    found = contacts(*obstacles.lines, ends, obstacles.size)
    suspects = _suspects(battle_map, attacker, target)
    lines = []
    for c in range(4):
        contact = Contact(int(found[c]))
        by = () if contact is Contact.CLEAR else _by(battle_map, suspects, (attacker, corner), (target, c), contact)
        counted = bool(obstacles.legs[target[1], target[0]] >> (2 * c) & 3)
        lines.append(ProofLine(_corner(target, c), contact, by, counted))
    return tuple(lines)


def _corner(square: Square, corner: int) -> tuple[int, int]:
    return square[0] + (corner & 1), square[1] + (corner >> 1)


def _suspects(battle_map: BattleMap, a: Square, b: Square) -> list[_Suspect]:
    """Return what stands in or beside the rectangle that two squares span."""
    size = battle_map.subdivisions
    x0, y0 = min(a[0], b[0]) - 1, min(a[1], b[1]) - 1
    x1, y1 = max(a[0], b[0]) + 2, max(a[1], b[1]) + 2
    segments = battle_map.segments.astype(np.int64)
    stops = (battle_map.stops & Stops.EFFECT) != 0
    near = stops & _boxes_meet(segments, x0 * size, y0 * size, x1 * size, y1 * size)
    suspects = [_Suspect(battle_map.wall_name(k), segments[k : k + 1]) for k in np.flatnonzero(near).tolist()]
    top, left = max(y0, 0), max(x0, 0)
    for y, x in np.argwhere(battle_map.terrain[top:y1, left:x1] & Stops.EFFECT).tolist():
        suspects.append(
            _Suspect(f"square ({x + left}, {y + top})", _rectangle(x + left, y + top, x + left + 1, y + top + 1) * size)
        )
    if x0 < 0 or y0 < 0 or x1 > battle_map.cols or y1 > battle_map.rows:
        suspects.append(_Suspect(EDGE_OF_MAP, _rectangle(0, 0, battle_map.cols, battle_map.rows) * size))
    return suspects


def _rectangle(x0: int, y0: int, x1: int, y1: int) -> Lattice:
    return np.array([[x0, y0, x1, y0], [x1, y0, x1, y1], [x0, y1, x1, y1], [x0, y0, x0, y1]], np.int64)


def _boxes_meet(walls: Lattice, x0: int, y0: int, x1: int, y1: int) -> Bools:
    low, high = np.minimum(walls[:, :2], walls[:, 2:]), np.maximum(walls[:, :2], walls[:, 2:])
    meet: Bools = (low[:, 0] <= x1) & (high[:, 0] >= x0) & (low[:, 1] <= y1) & (high[:, 1] >= y0)
    return meet


def _by(
    battle_map: BattleMap,
    suspects: list[_Suspect],
    start: tuple[Square, int],
    end: tuple[Square, int],
    contact: Contact,
) -> tuple[str, ...]:
    """Return the names for one line: those that stop it alone, else those that it or its legs meet, from the attacker on."""
    size = battle_map.subdivisions
    (a, ca), (b, cb) = start, end
    points = [_centre(a, size), _doubled(_corner(a, ca), size), _doubled(_corner(b, cb), size), _centre(b, size)]
    legs_too = contact is Contact.BLOCKED
    meeting = []
    for suspect in suspects:
        walls = 2 * suspect.walls
        on_line = _meets(walls, points[1], points[2])
        if on_line.any() or (legs_too and (_meets(walls, *points[:2]) | _meets(walls, *points[2:])).any()):
            meeting.append((_first_place(walls[on_line], points[1], points[2]), suspect))
    meeting.sort(key=lambda pair: pair[0])
    if contact is Contact.BLOCKED:
        alone = [suspect.name for _, suspect in meeting if _stops_alone(suspect, start, end, size)]
        if alone:
            return tuple(dict.fromkeys(alone))
    return tuple(dict.fromkeys(suspect.name for _, suspect in meeting))


def _centre(square: Square, size: int) -> tuple[int, int]:
    return (2 * square[0] + 1) * size, (2 * square[1] + 1) * size


def _doubled(corner: tuple[int, int], size: int) -> tuple[int, int]:
    return 2 * corner[0] * size, 2 * corner[1] * size


def _sides(walls: Lattice, p: tuple[int, int], q: tuple[int, int]) -> tuple[Lattice, Lattice]:
    dx, dy = q[0] - p[0], q[1] - p[1]
    return dx * (walls[:, 1] - p[1]) - dy * (walls[:, 0] - p[0]), dx * (walls[:, 3] - p[1]) - dy * (walls[:, 2] - p[0])


def _meets(walls: Lattice, p: tuple[int, int], q: tuple[int, int]) -> Bools:
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
    return ~apart & _boxes_meet(walls, min(p[0], q[0]), min(p[1], q[1]), max(p[0], q[0]), max(p[1], q[1]))


def _first_place(walls: Lattice, p: tuple[int, int], q: tuple[int, int]) -> Fraction:
    """Return where along the line the first of the walls is met, 0 at the attacker's corner; 0 for what only the legs meet."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    places = [Fraction(1)] if len(walls) else [Fraction(0)]
    for x0, y0, x1, y1 in walls.tolist():
        under = dx * (y1 - y0) - dy * (x1 - x0)
        if under:
            places.append(Fraction((x0 - p[0]) * (y1 - y0) - (y0 - p[1]) * (x1 - x0), under))
        elif dx or dy:
            along = [dx * (x - p[0]) + dy * (y - p[1]) for x, y in ((x0, y0), (x1, y1))]
            places.append(Fraction(max(min(along), 0), dx * dx + dy * dy))
    return min(places)


def _stops_alone(suspect: _Suspect, start: tuple[Square, int], end: tuple[Square, int], size: int) -> bool:
    """Would it stop the line if nothing else were there?"""
    (a, ca), (b, cb) = start, end
    left, top = min(a[0], b[0]), min(a[1], b[1])
    cols, rows = max(a[0], b[0]) + 1 - left, max(a[1], b[1]) + 1 - top
    walls = (suspect.walls - np.array([left, top, left, top]) * size).astype(np.int32)
    ends = [4 * ((y - top) * cols + x - left) + c for (x, y), c in ((a, ca), (b, cb))]
    return bool(contact_among(walls, rows, cols, size, *ends) == Contact.BLOCKED)
