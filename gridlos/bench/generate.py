"""Seeded battle maps: scenes as plain dicts of the scene format ``gridlos.scene/1``.

The same arguments give the same scene on every machine and Python version: the only source of chance is
``random.Random(seed).random()``, whose sequence the standard library guarantees. ``dungeon`` is made of solid squares
and doors on their edges, ``cave`` of free walls, ``open_field`` of nothing at all.

``maps/dungeon.scene.json`` is ``dungeon(40, 60, 40, seed=13)``.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from gridlos.creature import SQUARES_BY_SIZE

__all__ = ["cave", "dungeon", "open_field"]

Square = tuple[int, int]
Edge = tuple[int, int, int, int]
Data = dict[str, Any]
Door = tuple[str, str]

FREE_WALL_UNITS = 16  # walls of a cave end on sixteenths of a square

OPEN, CLOSED, LOCKED = ("door", "open"), ("door", "closed"), ("door", "locked")
DOORWAYS: list[Door | None] = [
    *[None] * 4,
    *[OPEN] * 5,
    *[CLOSED] * 3,
    LOCKED,
    ("secret door", "closed"),
]  # None: an archway

PARTY = ["fighter", "cleric", "rogue", "wizard", "ranger", "bard"]
MONSTERS = [
    ("goblin", "small"),
    ("orc", "medium"),
    ("skeleton", "medium"),
    ("bugbear", "medium"),
    ("ogre", "large"),
    ("rat", "tiny"),
    ("hobgoblin", "medium"),
    ("minotaur", "large"),
    ("cultist", "medium"),
    ("hill giant", "huge"),
]


def dungeon(rows: int, cols: int, n_creatures: int, seed: int) -> Data:
    """Return a dungeon: rooms and one-square corridors cut into solid squares, with doors where the two meet.

    Every room can be reached from every other one, through doors at worst. The first creatures are a party of at most
    six in the first room, the rest are monsters and a few neutral captives, Tiny to Huge; half of the rooms are empty.

    Raises
    ------
    ValueError
        If no room fits, or the rooms have no space for that many creatures.
    """
    rng = Random(seed)
    rooms = _rooms(rows, cols, rng)
    if not rooms:
        raise ValueError(f"no room fits into {rows} rows of {cols} squares")
    plan = _Plan(rows, cols, rooms)
    for a, b in _links(rooms, rng):
        plan.dig(rooms[a], rooms[b])
    plan.set_pillars(rng)
    return {
        "schema": "gridlos.scene/1",
        "name": f"Dungeon {seed}",
        "feet_per_square": 5,
        "squares": plan.squares(),
        "walls": _doors(plan.doorways, rng),
        "creatures": _inhabitants(plan.floor, rooms[: max(1, len(rooms) // 2)], n_creatures, rng),
    }


def cave(n_walls: int, rows: int = 60, cols: int = 60, n_creatures: int = 40, seed: int = 0) -> Data:
    """Return an open map with exactly ``n_walls`` free walls: uneven outlines of rock, their corners on sixteenths.

    Outlines may overlap and may clip a creature's square, but no creature's square has its centre inside of a rock.
    """
    rng = Random(seed)
    rocks = []
    left = n_walls
    while left:
        n = min(left, 8 + _below(rng, 17))
        if 0 < left - n < 3:  # an outline has at least three walls
            n = left if left < 12 else n - 3
        rocks.append(_rock(max(n, 3), rows, cols, rng))
        left -= n
    walls = [[*a, *b] for rock in rocks for a, b in pairwise([*rock, rock[0]])][:n_walls]
    solid = {(x, y) for y in range(rows) for x in range(cols) if any(_is_inside(x, y, rock) for rock in rocks)}
    floor = {(x, y) for y in range(rows) for x in range(cols)} - solid
    return {
        "schema": "gridlos.scene/1",
        "name": f"Cave {seed}",
        "feet_per_square": 5,
        "squares": ["." * cols] * rows,
        "walls": [{"from": _in_squares(w[:2]), "to": _in_squares(w[2:]), "kind": "wall"} for w in walls],
        "creatures": _inhabitants(floor, [Room(0, 0, cols, rows)], n_creatures, rng),
    }


def open_field(rows: int, cols: int, n_creatures: int, seed: int = 0) -> Data:
    """Return a map without any wall, with creatures anywhere."""
    rng = Random(seed)
    floor = {(x, y) for y in range(rows) for x in range(cols)}
    return {
        "schema": "gridlos.scene/1",
        "name": f"Open field {seed}",
        "feet_per_square": 5,
        "squares": ["." * cols] * rows,
        "creatures": _inhabitants(floor, [Room(0, 0, cols, rows)], n_creatures, rng),
    }


@dataclass(frozen=True, slots=True)
class Room:
    """A rectangle of open squares."""

    x: int
    y: int
    width: int
    height: int

    def squares(self) -> list[Square]:
        """Return its squares in reading order."""
        return [(x, y) for y in range(self.y, self.y + self.height) for x in range(self.x, self.x + self.width)]

    @property
    def centre(self) -> Square:
        """The square in its middle."""
        return (self.x + self.width // 2, self.y + self.height // 2)

    def is_near(self, other: Room, gap: int) -> bool:
        """Return whether fewer than ``gap`` squares lie between the two."""
        return (
            self.x - gap < other.x + other.width
            and other.x - gap < self.x + self.width
            and self.y - gap < other.y + other.height
            and other.y - gap < self.y + self.height
        )


class _Plan:
    """The floor of a dungeon while corridors are dug."""

    def __init__(self, rows: int, cols: int, rooms: Sequence[Room]) -> None:
        self.rows, self.cols, self.rooms = rows, cols, rooms
        self.room_by_square = {square: i for i, room in enumerate(rooms) for square in room.squares()}
        self.floor = set(self.room_by_square)
        self.beside = {n for square in self.floor for n in _neighbours(*square)} - self.floor
        self.doorways: dict[Edge, None] = {}

    def dig(self, start: Room, goal: Room) -> None:
        """Open the cheapest way between two rooms; corridors that exist are cheap, squares along a room dear."""
        for a, b in pairwise(self._path(start.centre, goal.centre)):
            self.floor.update((a, b))
            if self.room_by_square.get(a) != self.room_by_square.get(b):
                (xa, ya), (xb, yb) = a, b
                x, y = max(xa, xb), max(ya, yb)
                edge = (x, y, x + 1, y) if xa == xb else (x, y, x, y + 1)
                self.doorways.setdefault(edge, None)

    def set_pillars(self, rng: Random) -> None:
        """Stand single solid squares into the rooms, apart from the walls and from each other, so that nothing is shut."""
        for room in self.rooms:
            for x, y in room.squares():
                around = {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
                if (
                    around <= self.floor
                    and all(square in self.room_by_square for square in around)
                    and rng.random() < 0.25
                ):
                    self.floor.discard((x, y))

    def squares(self) -> list[str]:
        """Return the rows of the drawing."""
        return ["".join("." if (x, y) in self.floor else "#" for x in range(self.cols)) for y in range(self.rows)]

    def _cost(self, square: Square) -> int:
        if square in self.room_by_square:
            return 6
        if square in self.floor:
            return 1
        return 20 if square in self.beside else 3

    def _path(self, start: Square, goal: Square) -> list[Square]:
        heap: list[tuple[int, Square]] = [(0, start)]
        before: dict[Square, Square] = {}
        cost = {start: 0}
        while heap:
            so_far, here = heapq.heappop(heap)
            if here == goal:
                break
            for x, y in _neighbours(*here):
                if not (0 < x < self.cols - 1 and 0 < y < self.rows - 1):
                    continue
                total = so_far + self._cost((x, y))
                if total < cost.get((x, y), total + 1):
                    cost[x, y], before[x, y] = total, here
                    heapq.heappush(heap, (total, (x, y)))
        path = [goal]
        while path[-1] != start:
            path.append(before[path[-1]])
        return path


def _rooms(rows: int, cols: int, rng: Random) -> list[Room]:
    rooms: list[Room] = []
    for _ in range(rows * cols // 4):
        width, height = 4 + _below(rng, 10), 4 + _below(rng, 7)
        if width > cols - 2 or height > rows - 2:
            continue
        room = Room(1 + _below(rng, cols - width - 1), 1 + _below(rng, rows - height - 1), width, height)
        if not any(room.is_near(other, 3) for other in rooms):
            rooms.append(room)
    return rooms


def _links(rooms: Sequence[Room], rng: Random) -> list[tuple[int, int]]:
    """Return pairs of rooms: each room and the nearest one before it, and one extra pair for every three rooms."""
    centres = [room.centre for room in rooms]
    links = [(i, _nearest(centres[:i], centres[i])) for i in range(1, len(rooms))]
    for _ in range(len(rooms) // 3):
        a, b = _below(rng, len(rooms)), _below(rng, len(rooms))
        if a != b:
            links.append((a, b))
    return links


def _nearest(places: Sequence[Square], place: Square) -> int:
    return min(range(len(places)), key=lambda k: math.dist(places[k], place))


def _doors(doorways: Iterable[Edge], rng: Random) -> list[Data]:
    walls: list[Data] = []
    for x0, y0, x1, y1 in sorted(doorways):
        door = DOORWAYS[_below(rng, len(DOORWAYS))]
        if door is not None:
            kind, state = door
            name = f"door-{len(walls) + 1}"
            walls.append({"id": name, "from": [x0, y0], "to": [x1, y1], "kind": kind, "state": state})
    return walls


def _inhabitants(floor: set[Square], rooms: Sequence[Room], n_creatures: int, rng: Random) -> list[Data]:
    """Return creatures on free squares: the party in the first room, the others anywhere in the rooms."""
    taken: set[Square] = set()
    creatures: list[Data] = []
    counts: dict[str, int] = {}
    for i in range(n_creatures):
        is_party = i < min(len(PARTY), n_creatures // 2)
        kind, size = (PARTY[i], "medium") if is_party else MONSTERS[_below(rng, len(MONSTERS))]
        at = _free_place(floor, taken, rooms[:1] if is_party else rooms, SQUARES_BY_SIZE[size], rng)
        if at is None:  # everything is too full for this one: somebody smaller comes
            kind, size = "orc", "medium"
            at = _free_place(floor, taken, rooms, 1, rng)
        if at is None:
            raise ValueError(f"no place for more than {i} of {n_creatures} creatures")
        counts[kind] = counts.get(kind, 0) + 1
        side = "party" if is_party else "neutral" if i % 13 == 12 else "monsters"
        name = kind if is_party else f"{kind.replace(' ', '-')}-{counts[kind]}"
        creatures.append({"id": name, "at": list(at), "size": size, "side": side})
    return creatures


def _free_place(
    floor: set[Square], taken: set[Square], rooms: Sequence[Room], width: int, rng: Random
) -> Square | None:
    """Return the first square of a free space, which is taken from now on; None if none is found."""
    for _ in range(10_000):
        room = rooms[_below(rng, len(rooms))]
        x, y = room.x + _below(rng, room.width), room.y + _below(rng, room.height)
        space = {(x + i, y + j) for i in range(width) for j in range(width)}
        if space <= floor and not space & taken:
            taken |= space
            return x, y
    return None


def _rock(n: int, rows: int, cols: int, rng: Random) -> list[Square]:
    """Return the ``n`` corners of an uneven outline around a random point, in sixteenths of a square."""
    x, y = rng.random() * cols, rng.random() * rows
    radius = 0.4 + 2.0 * rng.random()
    corners = []
    for i in range(n):
        angle, reach = 2 * math.pi * i / n, radius * (0.7 + 0.6 * rng.random())
        px = min(max(x + reach * math.cos(angle), 0), cols)
        py = min(max(y + reach * math.sin(angle), 0), rows)
        corners.append((round(px * FREE_WALL_UNITS), round(py * FREE_WALL_UNITS)))
    return corners


def _is_inside(x: int, y: int, rock: Sequence[Square]) -> bool:
    """Whether the centre of square ``(x, y)`` lies inside of the outline or on it (exact, integers)."""
    px, py = FREE_WALL_UNITS * (2 * x + 1), FREE_WALL_UNITS * (2 * y + 1)
    is_in = False
    for (x0, y0), (x1, y1) in pairwise([*rock, rock[0]]):
        ax, ay, bx, by = 2 * x0, 2 * y0, 2 * x1, 2 * y1
        side = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        if side == 0 and min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by):
            return True
        if (ay > py) != (by > py) and (side > 0) == (by > ay):
            is_in = not is_in
    return is_in


def _in_squares(point: Sequence[int]) -> list[float]:
    return [c / FREE_WALL_UNITS for c in point]


def _neighbours(x: int, y: int) -> list[Square]:
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def _below(rng: Random, n: int) -> int:
    """Return a whole number from 0 to ``n - 1``."""
    return int(rng.random() * n)
