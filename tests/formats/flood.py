"""Rooms of a map: squares that a flood of lines of effect between neighbouring squares joins, all doors shut.

A square whose centre lies on a wall stands on both sides of it and would join them: no flood enters it.
``python tests/formats/flood.py FOLDER`` prints what welding closes on each map of a folder of real ones.
"""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from gridlos import formats
from gridlos.errors import MapFileError
from gridlos.facts import Channel, Stops
from gridlos.kernels.tilt import tilt
from gridlos.questions.effect import has_lines_of_effect
from gridlos.questions.obstacles import blocked_lines, obstacles_of
from gridlos.walls import KINDS

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def with_shut_doors(battle_map):
    walls = [msgspec.structs.replace(wall, state="closed") if KINDS[wall.kind].is_door else wall for wall in battle_map.walls]
    return dataclasses.replace(battle_map, walls=tuple(walls))  # those that fill a square are shut


def on_walls(battle_map):
    """Bool of each square: does its centre lie on a plain wall that stops effect?"""
    size, found = battle_map.subdivisions, np.zeros((battle_map.rows, battle_map.cols), bool)
    plain = (battle_map.stops & Stops.EFFECT) != 0
    plain[battle_map.special] = False
    for ends in battle_map.segments[plain].astype(np.int64).tolist():
        x0, y0, x1, y1 = (2 * number for number in ends)
        columns, rows = (
            np.arange(max(0, min(one, other) // (2 * size) - 1), min(most, max(one, other) // (2 * size) + 2))
            for one, other, most in ((x0, x1, battle_map.cols), (y0, y1, battle_map.rows))
        )
        if abs(x1 - x0) >= abs(y1 - y0):  # at most one centre in a column, but for level walls: one row of them
            x = (2 * columns + 1) * size
            exact = y0 * (x1 - x0) + (x - x0) * (y1 - y0)  # y * (x1 - x0)
            is_centre = (min(x0, x1) <= x) & (x <= max(x0, x1)) & (exact % (size * (x1 - x0)) == 0)
            y = exact // (size * (x1 - x0))
            row, column = (y - 1) // 2, columns
            is_centre &= y % 2 == 1
        else:
            y = (2 * rows + 1) * size
            exact = x0 * (y1 - y0) + (y - y0) * (x1 - x0)
            is_centre = (min(y0, y1) <= y) & (y <= max(y0, y1)) & (exact % (size * (y1 - y0)) == 0)
            x = exact // (size * (y1 - y0))
            row, column = rows, (x - 1) // 2
            is_centre &= x % 2 == 1
        row, column = (np.broadcast_to(place, is_centre.shape)[is_centre] for place in (row, column))
        inside = (row >= 0) & (row < battle_map.rows) & (column >= 0) & (column < battle_map.cols)
        found[row[inside], column[inside]] = True
    return found


def neighbours(dry):
    """``(n, 2)`` pairs ``row * cols + column`` of neighbouring squares, none of them dry."""
    rows, cols = dry.shape
    number = np.arange(rows * cols).reshape(rows, cols)
    pairs = []
    for dx, dy in STEPS:
        here = (slice(0, rows - dy), slice(max(0, -dx), cols - max(0, dx)))
        there = (slice(dy, rows), slice(max(0, dx), cols + min(0, dx)))
        both = ~dry[here] & ~dry[there]
        pairs.append(np.column_stack((number[here][both], number[there][both])))
    return np.concatenate(pairs).astype(np.int64)


def open_steps(battle_map, pairs):
    """``(n,)`` bool: which neighbours have a line of effect, as the package says."""
    obstacles = obstacles_of(battle_map, Channel.EFFECT)
    blocked = blocked_lines(obstacles, pairs)
    starts = np.arange(len(pairs) + 1)
    found = tilt(*obstacles.lines, pairs, blocked, starts, obstacles.size)
    rest = np.flatnonzero(~found)
    asked, places = np.unique(pairs[rest], return_inverse=True)
    spaces = np.column_stack((asked % battle_map.cols, asked // battle_map.cols, np.ones_like(asked), np.ones_like(asked)))
    found[rest] = has_lines_of_effect(obstacles, spaces.astype(np.int32), places.reshape(-1, 2).astype(np.int64))
    return found


def rooms(n_squares, pairs):
    """The number of the room of each square, by a flood over pairs of squares."""
    ways = [[] for _ in range(n_squares)]
    for a, b in pairs.tolist():
        ways[a].append(b)
        ways[b].append(a)
    found = np.full(n_squares, -1)
    for start in range(n_squares):
        if found[start] < 0:
            found[start], todo = start, [start]
            while todo:
                for other in ways[todo.pop()]:
                    if found[other] < 0:
                        found[other] = start
                        todo.append(other)
    return found


def spilled(before, after):
    """How many squares of each room of ``before`` are not in the largest part of it that is one in ``after``, summed."""
    parts = Counter(zip(before.tolist(), after.tolist(), strict=True))
    largest: dict[int, int] = {}
    for (room, _), count in parts.items():
        largest[room] = max(largest.get(room, 0), count)
    return len(before) - sum(largest.values())


@dataclass(frozen=True)
class Flood:
    """Two maps flooded, the squares that no flood enters in either left out of both.

    ``pairs`` are neighbours, ``drawn`` and ``welded`` which of them are open; ``wet`` the squares that a flood may enter.
    """

    pairs: np.ndarray
    drawn: np.ndarray
    welded: np.ndarray
    wet: np.ndarray

    @classmethod
    def of(cls, drawn, welded):
        maps = [with_shut_doors(one) for one in (drawn, welded)]
        dry = np.logical_or.reduce([on_walls(one) | ((one.terrain & Stops.EFFECT) != 0) for one in maps])
        pairs = neighbours(dry)
        return cls(pairs, *(open_steps(one, pairs) for one in maps), np.flatnonzero(~dry.ravel()))

    def rooms(self, is_open):
        n = int(self.wet.max()) + 1 if len(self.wet) else 0
        return rooms(n, self.pairs[is_open])[self.wet]


def maps(folder):
    """Each scene of a folder of real maps that is read: its name, as drawn, and welded."""
    kinds = ("uvtt", "tiled", "foundry-json", "foundry-nedb", "foundry-leveldb")
    for path in (path for kind in kinds for path in sorted(Path(folder, kind).iterdir())):
        with suppress(MapFileError):
            names = formats.scene_names(path)
            for name in names or (None,):
                with suppress(MapFileError):
                    asked = {"scene": name} if len(names) > 1 else {}
                    drawn, welded = formats.load(path, weld=0, **asked), formats.load(path, **asked)
                    yield f"{path.name} {name or ''}".strip(), drawn, welded


def main(folder):
    """Print the table of what welding closes."""
    print("| map | squares | walls | welded | rooms as drawn | rooms welded | steps closed | steps opened | squares that leak |")  # noqa: T201
    print("|---|---|---|---|---|---|---|---|---|")  # noqa: T201
    for name, drawn, welded in maps(folder):
        flood = Flood.of(drawn.battle_map, welded.battle_map)
        before, after = flood.rooms(flood.drawn), flood.rooms(flood.welded)
        told = [one.partition(": ")[2].partition(";")[0] for one in welded.load_warnings if one.startswith("weld: ")]
        closed, opened = flood.drawn & ~flood.welded, flood.welded & ~flood.drawn
        cells = [
            name.replace("|", "/"), f"{drawn.battle_map.cols} × {drawn.battle_map.rows}", len(drawn.battle_map.walls),
            *(told or ["nothing"]), len(set(before.tolist())), len(set(after.tolist())), int(closed.sum()), int(opened.sum()),
            spilled(before, after),
        ]  # fmt: skip
        print("|", " | ".join(map(str, cells)), "|")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
