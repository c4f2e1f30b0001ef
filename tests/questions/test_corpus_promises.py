"""Promises that hold on real maps: how walls are written changes no answer, and line of effect is mutual."""

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.facts import Stops

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(Path(CORPUS, "uvtt").iterdir()) if CORPUS else []
COLUMNS = ("line_of_effect", "line_of_sight", "cover", "blocked_lines", "can_attack")

needs_corpus = pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS names no folder of real maps")


def populated(path, n=8):
    """Return the map's scene with creatures in the middle of it, where most of its walls are, one of them Large."""
    scene = gridlos.load(path)
    battle_map = scene.battle_map
    rng = Random(battle_map.rows * 1000 + battle_map.cols)
    creatures = []
    while len(creatures) < n:
        x, y = rng.randrange(battle_map.cols - 1), rng.randrange(battle_map.rows - 1)
        if not (battle_map.terrain[y : y + 2, x : x + 2] & Stops.EFFECT).any():
            size = "large" if len(creatures) == 0 else "medium"
            creatures.append(Creature(id=f"c{len(creatures)}", at=(x, y), size=size))
    return scene.with_creatures(creatures)


def answers(scene):
    result = gridlos.evaluate(scene, edition="dnd5e")
    return {name: result.columns[name] for name in COLUMNS}


def rewritten(scene, change):
    battle_map = scene.battle_map
    walls = change(battle_map.walls)
    rows = battle_map.to_rows()
    size = 2 * battle_map.subdivisions  # so that halves of walls are on the lattice too
    changed = BattleMap.from_rows(rows, legend=dict(battle_map.legend), walls=walls, subdivisions=size)
    return replace(scene, battle_map=changed)


def reversed_walls(walls):
    return [msgspec.structs.replace(wall, start=wall.end, end=wall.start) for wall in walls[::-1]]


def doubled_walls(walls):
    again = [msgspec.structs.replace(wall, id=None) for wall in walls]
    return [*walls, *again]


def split_walls(walls):
    halves = []
    for wall in walls:
        middle = tuple((a + b) / 2 for a, b in zip(wall.start, wall.end, strict=True))
        halves += [msgspec.structs.replace(wall, end=middle), msgspec.structs.replace(wall, start=middle, id=None)]
    return halves


@needs_corpus
@pytest.mark.parametrize("change", [reversed_walls, doubled_walls, split_walls])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:40])
def test_how_walls_are_written_changes_no_answer(path, change):
    scene = populated(path)
    expected, found = answers(scene), answers(rewritten(scene, change))
    for name in COLUMNS:
        assert np.array_equal(expected[name], found[name]), name


@needs_corpus
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:40])
def test_line_of_effect_and_sight_are_mutual(path):
    found = answers(populated(path))
    assert np.array_equal(found["line_of_effect"], found["line_of_effect"].T)
    assert np.array_equal(found["line_of_sight"], found["line_of_sight"].T)
