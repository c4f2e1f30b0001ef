"""The scenes that workloads ask about: seeded ones, and real ones of a folder of map files."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from gridlos.bench import generate
from gridlos.creature import Creature
from gridlos.facts import Stops
from gridlos.formats import load
from gridlos.formats.scene_json import scene_from_data
from gridlos.scene import Scene

__all__ = ["CORPUS", "SIZES", "anew", "cave", "dungeon", "open_field", "real", "real_files"]

CORPUS = "GRIDLOS_CORPUS"
"""The environment variable with the folder of real map files; scenes of Foundry VTT are looked for in it and below it."""

SIZES = (127, 672, 1855, None)
"""How many walls real scenes have: half of the public ones have fewer than 127, nine in ten fewer than 672, 99 in a
hundred fewer than 1,855; None: the largest there is."""

_SEEDS = {(40, 60): 13, (100, 100): 3}
_STOPS_ALL = {1, 20}  # Foundry's numbers for it, before and since version 9
_MOST_PLAIN = 0.75
_FIT = 40  # the generator's own creatures, small and large, find room up to so many


def dungeon(rows: int, cols: int, n_creatures: int) -> Scene:
    """Return a dungeon whose walls are all on the grid, with Medium creatures."""
    scene = _medium(generate.dungeon(rows, cols, min(n_creatures, _FIT), _SEEDS.get((rows, cols), 3)))
    return scene if n_creatures <= _FIT else scene.with_creatures(_anywhere(scene, n_creatures))


def open_field(rows: int, cols: int, n_creatures: int) -> Scene:
    """Return a map without any wall, with Medium creatures."""
    return _medium(generate.open_field(rows, cols, n_creatures))


def cave(n_walls: int, n_creatures: int = 40, *, rows: int = 60, cols: int = 60) -> Scene:
    """Return an open map with free walls, and Medium creatures."""
    return _medium(generate.cave(n_walls, rows, cols, n_creatures, seed=n_walls))


def _medium(data: dict[str, Any]) -> Scene:
    """Return the scene, everybody in it Medium; who was larger stands in the first of his squares."""
    for creature in data["creatures"]:
        creature.pop("size", None)
    return scene_from_data(data)


def anew(scene: Scene) -> Scene:
    """Return an equal scene of which nothing is known yet."""
    copy: Scene = pickle.loads(pickle.dumps(scene))  # noqa: S301 - our own bytes
    return copy


def real(path: Path, n_creatures: int = 40) -> Scene:
    """Return the scene of a file with ``n_creatures`` Medium creatures in place of its own, on seeded open squares."""
    scene = replace(load(path), creatures=(), lights=(), overrides=(), options={})
    return scene.with_creatures(_anywhere(scene, n_creatures))


def _anywhere(scene: Scene, n_creatures: int) -> Iterator[Creature]:
    """Yield Medium creatures of two sides on open squares."""
    floor = np.argwhere((scene.battle_map.terrain & Stops.EFFECT) == 0).tolist()
    for k, (y, x) in enumerate(Random(len(floor)).sample(floor, min(n_creatures, len(floor)))):
        yield Creature(id=f"c{k}", at=(x, y), side=("party", "monsters")[k % 2])


def real_files(folder: str | os.PathLike[str] | None = None) -> tuple[Path, ...]:
    """Return the files with the numbers of walls nearest to :data:`SIZES` below a folder (None: that of :data:`CORPUS`)."""
    folder = folder or os.environ.get(CORPUS)
    found = sorted(_counted(Path(folder))) if folder else []
    chosen: list[Path] = []
    for size in SIZES:
        rest = [one for one in found if one[2] not in chosen]
        if rest and size is None:
            chosen.append(max(rest)[2])
        elif rest and size is not None:
            chosen.append(min((abs(n - size), name, path) for n, name, path in rest)[2])
    return tuple(chosen)


def _counted(folder: Path) -> Iterator[tuple[int, str, Path]]:
    """Yield the number of walls of each scene of Foundry VTT most of whose walls stop everything, its name and path."""
    for path in folder.rglob("*.json"):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(data, dict) and isinstance(data.get("walls"), list) and "grid" in data and "padding" in data:
            walls = data["walls"]
            n_plain = sum({wall.get("move"), wall.get("sight", wall.get("sense"))} <= _STOPS_ALL for wall in walls)
            if n_plain > _MOST_PLAIN * len(walls):
                yield len(walls), path.name, path
