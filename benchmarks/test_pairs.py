"""All pairs of 40 creatures in a dungeon of 60 by 40 squares, beside what else one could ask for lines.

The peers answer less: shapely's relate and the plain Python walk say of each corner line whether it is blocked, nothing
about line of effect, choice of corner or numbers.
"""

from __future__ import annotations

import generate
import numpy as np
import oracle
import pytest
import shapely

import gridlos
from gridlos.facts import Channel
from gridlos.formats.scene_json import scene_from_data
from gridlos.kernels.line import blocked_lines
from gridlos.kernels.walk import GRID_SECTORS
from gridlos.questions.obstacles import obstacles_of

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


def corners_of(squares, cols):
    """Return ``(n, 16, 4)``: the ends ``x0, y0, x1, y1`` of the lines of each pair of squares."""
    (ya, yb), (xa, xb) = (squares // cols).T, (squares % cols).T
    c = np.arange(4)
    lines = np.empty((len(squares), 4, 4, 4))
    lines[..., 0] = xa[:, None, None] + (c & 1)[None, :, None]
    lines[..., 1] = ya[:, None, None] + (c >> 1)[None, :, None]
    lines[..., 2] = xb[:, None, None] + (c & 1)[None, None, :]
    lines[..., 3] = yb[:, None, None] + (c >> 1)[None, None, :]
    return lines.reshape(len(squares), 16, 4)


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


def test_shapely_prepared_relate(benchmark, scene, question, expected):
    """Does the line share inside points with the union of all that is solid? (It says so of no line along a seam.)"""
    battle_map = scene.battle_map
    _, squares = question
    boxes = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(battle_map.terrain & 1)]
    solid = shapely.union_all(boxes)
    shapely.prepare(solid)
    ends = corners_of(squares, battle_map.cols).reshape(-1, 2, 2)
    lines = shapely.linestrings(ends)

    def ask():
        return shapely.relate_pattern(lines, solid, "T********")

    blocked = ask()
    bits = (expected[:, None] >> np.arange(16) & 1).astype(bool).ravel()
    assert not (blocked & ~bits).any()  # what it calls blocked is blocked; doors and seams it does not see
    assert blocked.mean() > bits.mean() - 0.25
    benchmark.group = GROUP
    benchmark.pedantic(ask, rounds=3, iterations=1)


def walk(arms, x, y, dx, dy, ca, cb):
    """The kernel's walk in plain Python, for lines that are on no axis."""
    sx, sy = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    if not GRID_SECTORS[arms[y][x], ca, sy + 1, sx + 1] or not GRID_SECTORS[arms[y + dy][x + dx], cb, 1 - sy, 1 - sx]:
        return True
    a, b = abs(dx), abs(dy)
    left, right = {(1, 1): (3, 12), (1, -1): (9, 6), (-1, 1): (6, 9), (-1, -1): (12, 3)}[sx, sy]
    error, rest = b - a, a + b - 2
    while rest > 0:
        if error < 0:
            x, error, rest = x + sx, error + b, rest - 1
            if arms[y if sy > 0 else y - 1][x] & 4:
                return True
        elif error > 0:
            y, error, rest = y + sy, error - a, rest - 1
            if arms[y][x if sx > 0 else x - 1] & 2:
                return True
        else:
            x, y, error, rest = x + sx, y + sy, b - a, rest - 2
            if arms[y][x] & left and arms[y][x] & right:
                return True
    return False


def test_plain_python(benchmark, scene, question, expected):
    obstacles, squares = question
    arms, cols = obstacles.arms.tolist(), scene.battle_map.cols
    lines = corners_of(squares, cols).astype(int).reshape(-1, 4).tolist()

    def ask():
        found = []
        for k, (x0, y0, x1, y1) in enumerate(lines):
            dx, dy = x1 - x0, y1 - y0
            found.append(None if not dx or not dy else walk(arms, x0, y0, dx, dy, k >> 2 & 3, k & 3))
        return found

    bits = (expected[:, None] >> np.arange(16) & 1).astype(bool).ravel().tolist()
    assert all(one is None or one == other for one, other in zip(ask(), bits, strict=True))
    benchmark.group = GROUP
    benchmark.pedantic(ask, rounds=5, iterations=1)
