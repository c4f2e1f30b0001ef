"""All pairs of 40 Medium creatures among free walls: caves of a generator and, where ``GRIDLOS_CORPUS`` is set, real scenes.

The band kernel beside the plain walk; shapely beside it is timed in ``test_workloads.py``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import numpy as np
import oracle
import pytest

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.bench import generate
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.formats.scene_json import scene_from_data
from gridlos.kernels import band, line, parted, tilt
from gridlos.questions.effect import has_lines_of_effect
from gridlos.questions.obstacles import obstacles_of
from gridlos.scene import Scene
from gridlos.walls import Wall

N = 40
CAVES = {f"cave of {n} walls": n for n in (127, 672, 1855)}
REAL = {
    "camp of 133 walls": "slw__slw-11028",
    "fortress of 691 walls": "tsc__tsc-10008",
    "lair of 1849 walls": "ftod__ftod-10031",
    "caverns of 5176 walls": "qftis__qftis-10046",
}


def cave(n):
    data = generate.cave(n, n_creatures=N, seed=n)
    for creature in data["creatures"]:
        creature.pop("size", None)
    return scene_from_data(data)


def real(name):
    """The walls of a Foundry scene, all of them plain, on the squares that they need."""
    folder = os.environ.get("GRIDLOS_CORPUS")
    found = sorted(Path(folder).glob(f"foundry-json/*{name}*")) if folder else []
    if not found:
        pytest.skip("GRIDLOS_CORPUS does not lead to this scene")
    data = json.loads(found[0].read_text(encoding="utf-8"))
    size = int(data["grid"]["size"] if isinstance(data["grid"], dict) else data["grid"])
    ends = np.rint([wall["c"] for wall in data["walls"]]).astype(int)
    ends = ends[(ends[:, :2] != ends[:, 2:]).any(axis=1)]
    low, high = ends.reshape(-1, 2).min(axis=0) // size, -(-ends.reshape(-1, 2).max(axis=0) // size)
    cols, rows = (high - low).tolist()
    walls = [Wall(start=(a, b), end=(c, d)) for a, b, c, d in ((ends - np.tile(low * size, 2)) / size).tolist()]
    battle_map = BattleMap.from_rows(["." * cols] * rows, walls=walls, subdivisions=size)
    rng, places = Random(len(walls)), set()
    while len(places) < N:
        places.add((int(rng.random() * cols), int(rng.random() * rows)))
    creatures = tuple(Creature(id=f"c{k}", at=place) for k, place in enumerate(sorted(places)))
    return Scene(battle_map=battle_map, creatures=creatures)


@pytest.fixture(scope="module", params=[*CAVES, *REAL])
def question(request):
    """Name, scene, obstacles with their index, the 780 pairs of squares, and what the plain walk says of them."""
    name = request.param
    scene = cave(CAVES[name]) if name in CAVES else real(REAL[name])
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    assert len(obstacles.touching) > len(obstacles.barriers)
    places = scene.spaces[:, 1].astype(np.int64) * scene.battle_map.cols + scene.spaces[:, 0]
    squares = np.stack([places[one] for one in np.triu_indices(N, 1)], axis=1)
    return name, scene, obstacles, squares, line.blocked_lines(*obstacles.lines, squares, obstacles.size)


def group(benchmark, question):
    benchmark.group = f"{N} Medium creatures, {question[0]}"


def test_band(benchmark, question):
    _, scene, obstacles, squares, expected = question
    asked = (*obstacles.lines, obstacles.barriers, obstacles.band, squares, obstacles.size)
    assert np.array_equal(band.blocked_lines(*asked), expected)
    # What the oracle says of a sample.
    segments = tuple(map(tuple, obstacles.barriers.tolist()))
    walls = oracle.Walls(scene.battle_map.rows, scene.battle_map.cols, obstacles.size, segments=segments)
    for k in range(0, len(squares), 97):
        ends = [(int(s) % walls.cols, int(s) // walls.cols) for s in squares[k]]
        nibbles = oracle.blocked_nibbles(walls, *ends)
        assert int(expected[k]) == sum(nibble << (4 * corner) for corner, nibble in enumerate(nibbles))
    group(benchmark, question)
    benchmark(band.blocked_lines, *asked)


def test_index_of_band(benchmark, question):
    _, scene, obstacles, _, _ = question
    shape = scene.battle_map.rows, scene.battle_map.cols
    assert np.array_equal(band.index_band(obstacles.barriers, *shape, obstacles.size), obstacles.band)
    group(benchmark, question)
    benchmark(band.index_band, obstacles.barriers, *shape, obstacles.size)


def test_walk(benchmark, question):
    _, _, obstacles, squares, _ = question
    group(benchmark, question)
    benchmark(line.blocked_lines, *obstacles.lines, squares, obstacles.size)


def test_line_of_effect(benchmark, question):
    """Its three parts together; how many pairs each leaves goes into the record."""
    _, scene, obstacles, squares, blocked = question
    pairs, starts = np.stack(np.triu_indices(N, 1), axis=1), np.arange(len(squares) + 1)
    spaces, (rows, cols) = scene.spaces, obstacles.legs.shape
    found = has_lines_of_effect(obstacles, spaces, pairs, (starts, squares), blocked)
    rest = pairs[~tilt.tilt(*obstacles.lines, squares, blocked, starts, obstacles.size)]
    walls = obstacles.barriers, obstacles.band, obstacles.touching
    apart = parted.are_parted(*walls, spaces.astype(np.int64), rest, rows, cols, obstacles.size)
    few = np.random.default_rng(N).choice(len(pairs), 5, replace=False)
    segments = tuple(map(tuple, obstacles.barriers.tolist()))
    judge = oracle.Walls(rows, cols, obstacles.size, segments=segments)
    if len(segments) < 200:  # the oracle takes its time
        for k in few:
            assert found[k] == oracle.line_of_effect(judge, *(tuple(spaces[one].tolist()) for one in pairs[k]))
    benchmark.extra_info.update(pairs=len(pairs), not_turned=len(rest), not_parted=int((~apart).sum()))
    group(benchmark, question)
    benchmark(has_lines_of_effect, obstacles, spaces, pairs, (starts, squares), blocked)


def test_obstacles(benchmark, question):
    """What the kernels want to know of a map, the band's index apart."""
    _, scene, obstacles, _, _ = question
    assert np.array_equal(obstacles_of(scene.battle_map, Channel.EFFECT).barriers, obstacles.barriers)
    group(benchmark, question)
    benchmark(obstacles_of, scene.battle_map, Channel.EFFECT)


def test_evaluate(benchmark, question):
    """End to end from a loaded scene, nothing kept."""
    _, scene, _, _, blocked = question
    result = gridlos.evaluate(scene, edition="pathfinder1")
    first, second = np.triu_indices(N, 1)
    assert (result.cover[first, second] == result.degrees.index("total"))[blocked == 0].sum() == 0
    group(benchmark, question)
    benchmark(gridlos.evaluate, scene, edition="pathfinder1")
