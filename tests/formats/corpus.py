"""All maps of the corpus, whatever their format, with creatures put beside what stops lines."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.errors import MapFileError
from gridlos.facts import Stops
from gridlos.formats import load, scenes_at
from gridlos.walls import Wall

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FORMATS = ("uvtt", "uvtt-broken", "foundry-json", "foundry-nedb", "foundry-leveldb", "tiled", "watabou", "donjon", "movingai")


class Map(NamedTuple):
    """A map of the corpus: its format, its file or folder, and which scene of it."""

    format: str
    path: Path
    scene: str | None

    def __str__(self):
        return f"{self.format}:{self.path.name[-30:]}" + (f":{self.scene}" if self.scene else "")


def files(format_):
    return sorted(Path(CORPUS, format_).iterdir()) if CORPUS else []


@cache
def maps():
    """All that can be asked for, also what is refused."""
    found = []
    for format_ in FORMATS:
        for path in files(format_):
            try:
                found += [Map(format_, path, name) for name, _ in scenes_at(path)]
            except MapFileError:
                found.append(Map(format_, path, None))
    return found


@cache
def loaded(one, **options):
    """The scene of a map; None if it is refused."""
    try:
        return load(one.path, scene=one.scene, **options)
    except MapFileError:
        return None


@cache
def populated(one, n=6):
    """The scene with creatures beside its walls and solid squares, one of them Large, one Small with a bow."""
    scene = loaded(one)
    battle_map = scene.battle_map
    rng = Random(f"{one.path.name} {one.scene}")
    solid = (battle_map.terrain & Stops.EFFECT) != 0
    open_squares = [(x, y) for y in range(battle_map.rows) for x in range(battle_map.cols) if not solid[y, x]]
    creatures, taken = [], set()
    for _ in range(2000):
        wall = rng.choice(battle_map.walls) if battle_map.walls and rng.random() < 0.7 else None
        x, y = wall.start if wall else rng.choice(open_squares)
        x, y = int(x) + rng.randrange(-2, 3), int(y) + rng.randrange(-2, 3)
        side = 1 if creatures else 2
        squares = {(x + i, y + j) for i in range(side) for j in range(side)}
        if not squares & taken and all(battle_map.has_square(*square) and not solid[square[1], square[0]] for square in squares):
            size = "large" if not creatures else ("small", "medium")[len(creatures) % 2]
            taken |= squares
            creatures.append(Creature(id=f"c{len(creatures)}", at=(x, y), size=size, side=("party", "monsters")[len(creatures) % 2]))
        if len(creatures) == n:
            break
    return replace(scene, creatures=tuple(creatures), lights=(), light="bright")


def answers(scene, edition="pathfinder1", attack="ranged"):
    """All columns."""
    found = gridlos.evaluate(scene, edition=edition, attack=attack)
    return {name: column.tolist() for name, column in found.columns.items()}


def rewritten(scene, walls, *, rows=None, parts=2, feet=None):
    """The scene with other walls on a lattice so many times as fine."""
    battle_map = scene.battle_map
    changed = BattleMap.from_rows(
        battle_map.to_rows() if rows is None else rows,
        legend=battle_map.legend,
        walls=walls,
        subdivisions=parts * battle_map.subdivisions,
        feet_per_square=feet or battle_map.feet_per_square,
    )
    return replace(scene, battle_map=changed)


def turned(wall):
    side = {"left": "right", "right": "left", None: None}[wall.blocks_from]
    return msgspec.structs.replace(wall, start=wall.end, end=wall.start, blocks_from=side)


def halves(wall):
    middle = tuple((a + b) / 2 for a, b in zip(wall.start, wall.end, strict=True))
    return [msgspec.structs.replace(wall, end=middle), msgspec.structs.replace(wall, start=middle, id=None)]


def nameless(wall):
    return msgspec.structs.replace(wall, id=None)


def hollow(scene):
    """The scene with its solid squares open, and walls along the edges between these and all others."""
    battle_map = scene.battle_map
    solid = (battle_map.terrain == 3) & ~battle_map.special_squares
    rows = ["".join("." if solid[y, x] else letter for x, letter in enumerate(row)) for y, row in enumerate(battle_map.to_rows())]
    walls = list(battle_map.walls)
    for y in range(battle_map.rows):
        walls += [Wall(start=(x, y), end=(x, y + 1)) for x in range(1, battle_map.cols) if solid[y, x] != solid[y, x - 1]]
    for x in range(battle_map.cols):
        walls += [Wall(start=(x, y), end=(x + 1, y)) for y in range(1, battle_map.rows) if solid[y, x] != solid[y - 1, x]]
    return rewritten(scene, walls, rows=rows, parts=1)
