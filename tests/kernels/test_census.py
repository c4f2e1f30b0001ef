"""The census of contacts over the maps of ``maps/`` is what it was, and a sample of it is what the oracle says."""

from __future__ import annotations

import tomllib
from itertools import combinations

import numpy as np
import oracle
import pytest
from kernels import support
from kernels.census import PINNED, census, corners_of, lines_of, map_of, n_lines, names

from gridlos.facts import Channel, Stops
from gridlos.kernels.line import contacts
from gridlos.questions.obstacles import obstacles_of

SAMPLE = 1000 if support.PROFILE == "thorough" else 400


def walls_of(battle_map):
    """What stops effect on a map, special walls apart, as the oracle takes it: every wall a free one."""
    terrain, stops = battle_map.terrain & Stops.EFFECT, battle_map.stops & Stops.EFFECT
    stops[battle_map.special] = 0
    return oracle.Walls(
        rows=battle_map.rows,
        cols=battle_map.cols,
        subdivisions=battle_map.subdivisions,
        solid=frozenset((int(x), int(y)) for y, x in np.argwhere(terrain)),
        segments=tuple(map(tuple, battle_map.segments[stops != 0].tolist())),
    )


def test_every_map_is_counted():
    assert list(tomllib.loads(PINNED.read_text())) == names()


@pytest.mark.parametrize("name", names())
def test_census(name):
    pinned = tomllib.loads(PINNED.read_text())[name]
    found = census(name)
    assert found == pinned
    assert found["clear"] + found["touches"] + found["blocked"] == -(-found["lines"] // found["stride"])


@pytest.mark.parametrize("name", names())
def test_sample_of_the_census(name, counts):
    battle_map = map_of(name)
    numbers = np.random.default_rng(len(name)).choice(n_lines(battle_map), SAMPLE, replace=False)
    lines = lines_of(battle_map, numbers)
    obstacles, walls = obstacles_of(battle_map, Channel.EFFECT), walls_of(battle_map)
    found = contacts(*obstacles.lines, lines, obstacles.size).tolist()
    for (a, b), contact in zip(lines.tolist(), found, strict=True):
        (ya, xa), (yb, xb) = divmod(a // 4, battle_map.cols), divmod(b // 4, battle_map.cols)
        assert contact == oracle.contact(walls, (xa, ya), a % 4, (xb, yb), b % 4), (a, b)
    counts["lines of maps as the oracle"] += SAMPLE


def test_lines_are_numbered_once():
    battle_map = map_of("corridor")
    lines = lines_of(battle_map, np.arange(n_lines(battle_map)))
    corners = corners_of(battle_map)
    some = lines[:: 16 * 97].tolist()
    assert all(a % 4 == b % 4 == 0 for a, b in some)
    pairs = list(combinations(corners[::4].tolist(), 2))
    assert 16 * len(pairs) == len(lines) == len(np.unique(lines, axis=0))
    assert lines[::16].tolist() == [list(pair) for pair in pairs]
