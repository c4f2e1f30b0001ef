"""Whole maps: every square against every square, one square against all, fields; each checked before it is timed.

The plain walk finds the same lines, a pair of squares at a time: a sample of pairs, told per pair in ``extra_info``. Other
libraries beside it are timed in ``test_workloads.py``.
"""

from __future__ import annotations

from time import thread_time

import numpy as np
import pytest
from test_free_walls import CAVES, REAL, cave, real

import gridlos
from gridlos.bench import generate
from gridlos.bench.peers import walk
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.formats.scene_json import scene_from_data
from gridlos.kernels import band
from gridlos.kernels.lanes import LANES, without_lanes
from gridlos.kernels.line import blocked_lines
from gridlos.questions import table as tables
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.sweep import Sweep, SweptLines, memory_of
from gridlos.questions.table import LineTable, OneToAll

pytestmark = pytest.mark.benchmark(timer=thread_time)

MAPS = {
    "open 100x100": lambda: generate.open_field(100, 100, 40),
    "dungeon 100x100": lambda: generate.dungeon(100, 100, 40, seed=3),
    "dungeon 60x40": lambda: generate.dungeon(40, 60, 40, seed=13),
}
WHOLE = "every square against every square, least lines blocked both ways"
ONE = "one square against all, least lines blocked"
SAMPLE = 20_000


@pytest.fixture(scope="module", params=MAPS)
def workload(request):
    """A map by its name, its scene and what stops lines on it."""
    scene = scene_from_data(MAPS[request.param]())
    return request.param, scene, obstacles_of(scene.battle_map, Channel.EFFECT)


def sampled(obstacles, seed=1):
    """Pairs of squares, and what the walk says of them: blocked lines, least blocked from the first."""
    rows, cols = obstacles.legs.shape
    squares = np.random.default_rng(seed).integers(0, rows * cols, (SAMPLE, 2))
    lines = blocked_lines(*obstacles.lines, squares, obstacles.size)
    return squares, lines, least_of(lines)


def least_of(lines):
    return (lines[:, None] >> np.arange(16) & 1).reshape(-1, 4, 4).sum(axis=2).min(axis=1)


def check(found, obstacles):
    squares, lines, numbers = sampled(obstacles)
    assert np.array_equal(found.blocked_lines(squares), lines)
    assert np.array_equal(found.least_blocked(squares), numbers)


def test_all_squares(benchmark, workload):
    """The table of a changed map in the place of the old one."""
    name, _, obstacles = workload
    old = LineTable.of(obstacles.arms)
    check(LineTable.of(obstacles.arms, instead_of=old), obstacles)
    benchmark.group = f"{WHOLE}, {name}"
    benchmark.extra_info["megabytes"] = round(old.nbytes / 1e6, 1)
    benchmark.extra_info["lanes"] = LANES
    benchmark.pedantic(LineTable.of, (obstacles.arms,), {"instead_of": old}, rounds=40, warmup_rounds=2)


def test_all_squares_the_first_time(benchmark, workload):
    """The same, memory included."""
    name, _, obstacles = workload
    benchmark.group = f"{WHOLE}, {name}"
    benchmark.pedantic(LineTable.of, (obstacles.arms,), rounds=10, warmup_rounds=1)


def test_all_squares_without_numbers(benchmark, workload):
    """Lines alone."""
    name, _, obstacles = workload
    old = LineTable.of(obstacles.arms, numbers=False)
    benchmark.group = f"{WHOLE}, {name}"
    arguments = {"instead_of": old, "numbers": False}
    benchmark.pedantic(LineTable.of, (obstacles.arms,), arguments, rounds=40, warmup_rounds=2)


@pytest.mark.skipif(LANES == 1, reason="there are no lanes to do without")
def test_all_squares_without_lanes(benchmark, workload, monkeypatch):
    name, _, obstacles = workload
    for module, kernel in ((tables.table, "fill_lines"), (tables.table, "fill_axes"), (tables.least, "fill_least")):
        monkeypatch.setattr(module, kernel, PLAIN.setdefault(kernel, without_lanes(getattr(module, kernel))))
    old = LineTable.of(obstacles.arms)
    check(old, obstacles)
    benchmark.group = f"{WHOLE}, {name}"
    benchmark.pedantic(LineTable.of, (obstacles.arms,), {"instead_of": old}, rounds=3)


PLAIN = {}


def test_walk(benchmark, workload):
    """A sample of the pairs, line by line."""
    name, _, obstacles = workload
    squares, _, _ = sampled(obstacles)
    benchmark.group = f"{WHOLE}, {name}"
    benchmark.pedantic(blocked_lines, (*obstacles.lines, squares, obstacles.size), rounds=5, warmup_rounds=1)
    pairs = obstacles.legs.size * (obstacles.legs.size + 1) // 2
    if benchmark.stats:  # none with --benchmark-disable
        benchmark.extra_info["milliseconds_for_all_pairs"] = round(benchmark.stats.stats.min * 1e3 * pairs / SAMPLE)


def start_of(workload):
    _, scene, obstacles = workload
    x, y = scene.spaces[0, :2].tolist()
    square = y * scene.battle_map.cols + x
    everywhere = np.arange(obstacles.legs.size)
    pairs = np.stack((np.full_like(everywhere, square), everywhere), axis=1)
    lines = blocked_lines(*obstacles.lines, pairs, obstacles.size)
    return square, pairs, lines


def test_one_against_all(benchmark, workload):
    name, _, obstacles = workload
    square, _, lines = start_of(workload)
    found = OneToAll.of(obstacles.arms)
    assert np.array_equal(found.blocked_lines(square), lines)
    assert np.array_equal(found.least_blocked(square).ravel(), least_of(lines))
    benchmark.group = f"{ONE}, {name}"
    benchmark.pedantic(found.least_blocked, (square,), rounds=200, warmup_rounds=5)


def test_one_against_all_all_masks(benchmark, workload):
    """Which of the 16 lines, not only how many."""
    name, _, obstacles = workload
    square, _, _ = start_of(workload)
    benchmark.group = f"{ONE}, {name}"
    benchmark.pedantic(OneToAll.of(obstacles.arms).blocked_lines, (square,), rounds=100, warmup_rounds=5)


def test_one_against_all_from_the_table(benchmark, workload):
    name, _, obstacles = workload
    square, _, lines = start_of(workload)
    found = LineTable.of(obstacles.arms)
    assert np.array_equal(found.least_from(square).ravel(), least_of(lines))
    benchmark.group = f"{ONE}, {name}"
    benchmark.pedantic(found.least_from, (square,), rounds=200, warmup_rounds=5)


def test_one_against_all_walk(benchmark, workload):
    name, _, obstacles = workload
    _, pairs, _ = start_of(workload)
    benchmark.group = f"{ONE}, {name}"
    benchmark.pedantic(blocked_lines, (*obstacles.lines, pairs, obstacles.size), rounds=10, warmup_rounds=1)


def test_one_against_all_plain_python(benchmark, workload):
    """Lines on no axis only."""
    name, _, obstacles = workload
    _, pairs, lines = start_of(workload)
    arms, cols = obstacles.arms.tolist(), obstacles.legs.shape[1]
    asked = pairs.tolist()

    def ask():
        found = []
        for a, b in asked:
            for k in range(16):
                x, y = a % cols + (k >> 2 & 1), a // cols + (k >> 3)
                dx, dy = b % cols + (k & 1) - x, b // cols + (k >> 1 & 1) - y
                found.append(None if not dx or not dy else walk(arms, x, y, dx, dy, k >> 2, k & 3))
        return found

    bits = (lines[:, None] >> np.arange(16) & 1).astype(bool).ravel().tolist()
    assert all(one is None or one == other for one, other in zip(ask(), bits, strict=True))
    benchmark.group = f"{ONE}, {name}"
    benchmark.pedantic(ask, rounds=2)


@pytest.mark.parametrize("n", [1, 8])
def test_field(benchmark, workload, n):
    """All that an evaluation tells, of each square; end to end."""
    name, scene, _ = workload
    attackers = scene.ids[:n]
    found = gridlos.field(scene, edition="pathfinder1", attackers=attackers)
    y, x = np.argwhere(found.is_open)[len(scene.ids) // 2]
    creature = Creature(id="one more", at=(int(x), int(y)))
    single = scene.with_creatures([*scene.creatures, creature])
    expected = gridlos.evaluate(single, edition="pathfinder1", attackers=attackers, targets=["one more"])
    assert found.cover[:, y, x].tolist() == expected.cover[:, 0].tolist()
    benchmark.group = f"field, {name}"
    benchmark.pedantic(
        gridlos.field, (scene,), {"edition": "pathfinder1", "attackers": attackers}, rounds=5, warmup_rounds=1
    )


ALL_FREE = "every square against every square among free walls, all lines kept as bits"
ONE_FREE = "one square against all among free walls"


@pytest.fixture(scope="module", params=[*CAVES, *REAL])
def free_walls(request):
    """A cave or a real scene by its name, the scene, and what stops lines on it."""
    name = request.param
    scene = cave(CAVES[name]) if name in CAVES else real(REAL[name])
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    assert len(obstacles.band) > len(obstacles.barriers)
    return name, scene, obstacles


def test_all_squares_among_free_walls(benchmark, free_walls):
    name, _, obstacles = free_walls
    memory = memory_of(*obstacles.legs.shape)
    squares, lines, _ = sampled(obstacles)
    assert np.array_equal(SweptLines.of(obstacles, memory=memory).blocked_lines(squares), lines)
    benchmark.group = f"{ALL_FREE}, {name}"
    benchmark.extra_info.update(megabytes=round(memory / 1e6, 1), squares=obstacles.legs.size, walls=len(obstacles.barriers))
    benchmark.pedantic(SweptLines.of, (obstacles,), {"memory": memory}, rounds=5, warmup_rounds=1)


def test_all_squares_among_free_walls_by_band(benchmark, free_walls):
    """The band kernel, a sample of pairs."""
    name, _, obstacles = free_walls
    squares, lines, _ = sampled(obstacles)
    asked = (*obstacles.lines, obstacles.barriers, obstacles.band, squares, obstacles.size)
    assert np.array_equal(band.blocked_lines(*asked), lines)
    benchmark.group = f"{ALL_FREE}, {name}"
    benchmark.pedantic(band.blocked_lines, asked, rounds=3, warmup_rounds=1)
    pairs = obstacles.legs.size * (obstacles.legs.size + 1) // 2
    if benchmark.stats:  # none with --benchmark-disable
        benchmark.extra_info["milliseconds_for_all_pairs"] = round(benchmark.stats.stats.min * 1e3 * pairs / SAMPLE)


def test_pairs_from_bits_among_free_walls(benchmark, free_walls):
    """The same sample, once all lines are known."""
    name, _, obstacles = free_walls
    squares, lines, _ = sampled(obstacles)
    kept = SweptLines.of(obstacles, memory=memory_of(*obstacles.legs.shape))
    assert np.array_equal(kept.blocked_lines(squares), lines)
    benchmark.group = f"{ALL_FREE}, {name}"
    benchmark.pedantic(kept.blocked_lines, (squares,), rounds=5, warmup_rounds=1)


def test_one_against_all_among_free_walls(benchmark, free_walls):
    """All sixteen lines to each square, what is to be known of the map kept."""
    name, _, obstacles = free_walls
    square, _, lines = start_of(free_walls)
    found = Sweep.of(obstacles)
    assert np.array_equal(found.blocked_lines(square), lines)
    benchmark.group = f"{ONE_FREE}, {name}"
    benchmark.pedantic(found.blocked_lines, (square,), rounds=50, warmup_rounds=2)


def test_one_against_all_among_free_walls_by_band(benchmark, free_walls):
    name, _, obstacles = free_walls
    _, pairs, lines = start_of(free_walls)
    asked = (*obstacles.lines, obstacles.barriers, obstacles.band, pairs, obstacles.size)
    assert np.array_equal(band.blocked_lines(*asked), lines)
    benchmark.group = f"{ONE_FREE}, {name}"
    benchmark.pedantic(band.blocked_lines, asked, rounds=5, warmup_rounds=1)


def test_index_of_sweep(benchmark, free_walls):
    name, _, obstacles = free_walls
    square, _, lines = start_of(free_walls)
    assert np.array_equal(Sweep.of(obstacles).blocked_lines(square), lines)
    benchmark.group = f"{ONE_FREE}, {name}"
    benchmark.pedantic(Sweep.of, (obstacles,), rounds=20, warmup_rounds=1)
