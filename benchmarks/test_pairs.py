"""All pairs of 40 creatures in a dungeon of 60 by 40 squares: a sample of the lines checked by the oracle, then timed.

What else one could ask for these lines is timed in ``test_workloads.py``.
"""

from __future__ import annotations

import generate
import numpy as np
import oracle
import pytest

import gridlos
from gridlos.bench.peers import corners_of, walk
from gridlos.facts import Channel
from gridlos.formats.scene_json import scene_from_data
from gridlos.kernels.line import blocked_lines
from gridlos.questions.obstacles import obstacles_of

__all__ = ["corners_of", "walk"]

GROUP = "40 Medium creatures, 60x40 dungeon, 1,560 pairs"


@pytest.fixture(scope="module")
def scene():
    data = generate.dungeon(40, 60, 40, seed=13)
    for creature in data["creatures"]:
        creature.pop("size", None)
    return scene_from_data(data)


@pytest.fixture(scope="module")
def question(scene):
    """Obstacles, and the 780 pairs of squares: every two creatures once."""
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    places = scene.spaces[:, 1].astype(np.int64) * scene.battle_map.cols + scene.spaces[:, 0]
    first, second = np.triu_indices(len(places), 1)
    return obstacles, np.stack((places[first], places[second]), axis=1)


@pytest.fixture(scope="module")
def expected(question):
    obstacles, squares = question
    return blocked_lines(*obstacles.lines, squares, obstacles.size)


def test_kernel(benchmark, scene, question, expected):
    obstacles, squares = question
    battle_map = scene.battle_map
    # What the oracle says of a sample, before anything is timed.
    solid = frozenset((int(x), int(y)) for y, x in np.argwhere(battle_map.terrain & 1))
    edges = {(int(x), int(y), int(x), int(y) + 1) for y, x in np.argwhere(battle_map.west_edges & 1)}
    edges |= {(int(x), int(y), int(x) + 1, int(y)) for y, x in np.argwhere(battle_map.north_edges & 1)}
    walls = oracle.Walls(battle_map.rows, battle_map.cols, 1, solid, frozenset(edges), ())
    for k in range(0, len(squares), 41):
        a, b = ((int(s) % battle_map.cols, int(s) // battle_map.cols) for s in squares[k])
        nibbles = oracle.blocked_nibbles(walls, a, b)
        assert int(expected[k]) == sum(nibble << (4 * corner) for corner, nibble in enumerate(nibbles))
    benchmark.group = GROUP
    benchmark(blocked_lines, *obstacles.lines, squares, obstacles.size)


def test_evaluate(benchmark, scene):
    result = gridlos.evaluate(scene, edition="pathfinder1")
    assert result.cover.shape == (40, 40)
    assert {"none", "partial", "cover", "total"} <= {result.degrees[code] for code in result.cover[result.distinct]}
    benchmark.group = GROUP
    benchmark(gridlos.evaluate, scene, edition="pathfinder1")
