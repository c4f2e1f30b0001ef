"""The band kernel says of all lines between two squares what the plain walk and the oracle say.

The counts are told at the end of the run; ``HYPOTHESIS_PROFILE=thorough`` compares some millions of lines with the walk.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels import support
from kernels.census import map_of, names
from kernels.views import finer, split
from oracle import Walls
from strategies import seeded, seeded_slits, situations, slits

from gridlos.facts import Channel
from gridlos.kernels import band, line
from gridlos.questions.obstacles import blocked_lines, obstacles_of

CHUNKS = 5
SCALE = {"reduced": 0.1, "default": 1, "thorough": 20}[support.PROFILE]
MAPS = int(50 * SCALE)
PAIRS_A_MAP = 400 if support.PROFILE == "reduced" else 1600
SQUARES_BY_ORACLE = 2 if support.PROFILE == "reduced" else 6


def by_band(walls, squares):
    """The masks of pairs of squares, ``(n, 2)`` numbers."""
    found, squares = support.indexed(walls), np.ascontiguousarray(squares)
    index = band.index_band(found.barriers, walls.rows, walls.cols, found.size)
    return band.blocked_lines(*found.lines, found.barriers, index, squares, found.size)


def by_walk(walls, squares):
    found = support.indexed(walls)
    return line.blocked_lines(*found.lines, squares, found.size)


def all_squares(walls):
    """Every square against every square, itself and solid ones included."""
    numbers = np.arange(walls.rows * walls.cols, dtype=np.int64)
    return np.stack(np.meshgrid(numbers, numbers, indexing="ij"), axis=2).reshape(-1, 2)


def wrong(walls, squares=None):
    """Pairs of squares of which band and walk say different things."""
    squares = all_squares(walls) if squares is None else squares
    one, other = by_band(walls, squares), by_walk(walls, squares)
    return [(*squares[k].tolist(), int(one[k]), int(other[k])) for k in np.flatnonzero(one != other)]


def cut(walls, seed):
    """The same walls in pieces, some of them twice or the other way round."""
    rng = random.Random(seed)
    fine = finer(walls, 12)
    pieces = [
        piece
        for wall in fine.segments
        for piece in split(wall, (rng.randrange(13), rng.randrange(13)), rng.randrange(8))
    ]
    return replace(fine, segments=tuple(pieces))


def awkward(seed):
    """Full, sparse and large maps, and slits; every fifth one with its walls in pieces."""
    makers = (
        lambda: seeded(seed),
        lambda: seeded(seed, 3, 12, 20),
        lambda: seeded(seed, 2, 6, 4),
        lambda: seeded_slits(seed),
    )
    walls = makers[seed % 4]().walls
    return cut(walls, seed) if seed % 5 == 0 else walls


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_same_as_the_walk(chunk, counts):
    n, free = 0, 0
    for seed in range(chunk, MAPS, CHUNKS):
        walls = awkward(seed)
        squares = all_squares(walls)
        if len(squares) > PAIRS_A_MAP:
            squares = squares[np.random.default_rng(seed).choice(len(squares), PAIRS_A_MAP, replace=False)]
        assert not wrong(walls, squares), (seed, wrong(walls, squares)[:3], walls)
        n += 16 * len(squares)
        free += 16 * len(squares) - sum(map(int.bit_count, by_walk(walls, squares).tolist()))
    counts["lines by band as by walk"] += n
    assert 0 < free < n


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_same_as_the_oracle(chunk, counts):
    n = 0
    for seed in range(chunk, MAPS, CHUNKS):
        walls = awkward(10_000 + seed)
        squares = all_squares(walls)
        squares = squares[np.random.default_rng(seed).choice(len(squares), SQUARES_BY_ORACLE, replace=False)]
        for (a, b), mask in zip(squares.tolist(), by_band(walls, squares).tolist(), strict=True):
            ends = [(number % walls.cols, number // walls.cols) for number in (a, b)]
            assert mask == support.oracle_mask(walls, *ends), (seed, walls, ends)
            n += 16
    counts["lines by band as the oracle"] += n


@pytest.mark.parametrize("name", names())
def test_maps(name, counts):
    """Maps with doors, windows, curtains and rocks; also by the planner."""
    battle_map = map_of(name)
    rng = np.random.default_rng(len(name))
    squares = rng.integers(battle_map.rows * battle_map.cols, size=(int(1000 * SCALE), 2))
    for channel in Channel:
        obstacles = obstacles_of(battle_map, channel)
        expected = line.blocked_lines(*obstacles.lines, squares, obstacles.size)
        found = band.blocked_lines(*obstacles.lines, obstacles.barriers, obstacles.band, squares, obstacles.size)
        assert np.array_equal(found, expected)
        assert np.array_equal(blocked_lines(obstacles, squares), expected)
    counts["lines by band as by walk"] += 32 * len(squares)


@pytest.mark.parametrize("n", [0, 1, 2, 400])
def test_planner_says_the_same(n):
    """For few and many questions."""
    battle_map = map_of("cave")
    squares = np.random.default_rng(n).integers(battle_map.rows * battle_map.cols, size=(n, 2))
    obstacles = obstacles_of(battle_map, Channel.EFFECT)
    expected = line.blocked_lines(*obstacles.lines, squares, obstacles.size)
    assert np.array_equal(blocked_lines(obstacles, squares), expected)


S = 12
SCENES = {
    "nothing": Walls(4, 6, S),
    "a pinch of two solid squares": Walls(4, 5, S, frozenset({(2, 1), (3, 2)}), segments=((1, 1, 3, 2),)),
    "a pinch of a solid square and a wall": Walls(4, 5, S, frozenset({(2, 1)}), segments=((2 * S, 2 * S, S, 3 * S),)),
    "a pinch of two walls, ends on a line": Walls(4, 5, S, segments=((24, 24, 20, 20), (24, 24, 28, 33))),
    "ends on both sides of a line, apart": Walls(4, 5, S, segments=((24, 24, 24, 2), (36, 24, 36, 46))),
    "a long run in pieces": Walls(3, 9, S, segments=tuple((x, S, x + 6, S) for x in range(0, 9 * S, 6))),
    "a long run with a gap": Walls(3, 9, S, segments=tuple((x, S, x + 6, S) for x in range(0, 9 * S, 6) if x != 42)),
    "a long run, and ends on both sides in the gap": Walls(
        3, 9, S, segments=((0, S, 40, S), (44, S, 108, S), (42, S, 42, 0), (42, S, 42, 36))
    ),
    "a long run aslant, in pieces": Walls(6, 6, S, segments=tuple((x, x, x + 4, x + 4) for x in range(0, 72, 4))),
    "a wall through squares and their centres": Walls(4, 5, S, segments=((0, 18, 60, 18), (30, 0, 30, 48))),
    "a wall through squares, off their centres": Walls(4, 5, S, segments=((0, 20, 60, 17),)),
    "corners cut off": Walls(3, 4, S, segments=((S + 8, S, 2 * S, S + 5), (2 * S, 2 * S - 4, 2 * S - 4, 2 * S))),
    "a thin slit": Walls(4, 5, S, segments=((30, 0, 30, 23), (30, 24, 30, 48))),
    "a slit at corners": Walls(4, 5, S, segments=((24, 0, 24, 24), (24, 25, 24, 48), (36, 23, 36, 48), (36, 0, 36, 22))),
    "a wall from corner to corner": Walls(4, 5, S, segments=((12, 12, 36, 24), (36, 24, 60, 36))),
    "a ring round a square": Walls(5, 5, S, segments=((22, 22, 38, 22), (38, 22, 38, 38), (38, 38, 22, 38), (22, 38, 22, 22))),
    "solid squares side by side, and walls": Walls(
        4, 6, S, frozenset({(x, y) for x in (2, 3, 4) for y in (1, 2)} | {(0, 0)}), segments=((0, 40, 30, 47),)
    ),
    "walls of a room on the grid": Walls(
        5, 6, S, edges=frozenset({(2, y, 2, y + 1) for y in (1, 2, 3)} | {(x, 1, x + 1, 1) for x in (2, 3)}),
        segments=((48, 12, 48, 40), (50, 3, 52, 4)),
    ),
    "beyond the map": Walls(3, 3, S, segments=((-50, 5, 90, 31), (-9, -9, -1, -1), (18, -40, 18, 80))),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_scenes(name):
    """Every square against every square, as the walk; a part of them as the oracle."""
    walls = SCENES[name]
    assert not wrong(walls)
    squares = all_squares(walls)[::7]
    for (a, b), mask in zip(squares.tolist(), by_band(walls, squares).tolist(), strict=True):
        assert mask == support.oracle_mask(walls, *((n % walls.cols, n // walls.cols) for n in (a, b)))


@pytest.mark.parametrize(("rows", "cols"), [(1, 130), (130, 1), (2, 64), (63, 3)])
def test_narrow_maps(rows, cols):
    """Long ways in bands as wide as the map."""
    rng = np.random.default_rng(rows)
    ends = rng.integers((0, 0, 0, 0), (4 * cols, 4 * rows, 4 * cols, 4 * rows), size=(40, 4))
    walls = Walls(rows, cols, 4, segments=tuple(map(tuple, (ends // (1, 1, 8, 8) + ends % 3).tolist())))
    assert not wrong(walls, rng.integers(rows * cols, size=(1500, 2)))


def test_far_apart():
    """Coordinates at the end of what maps may have: products must not leave 64 bits."""
    cols, size = 3, 1 << 21
    free = ((size // 3, 1, 3 * size - 1, 2 * size + 7), (3 * size - 1, 2 * size + 7, 5, 3 * size - 1))
    walls = Walls(3, cols, size, segments=free)
    assert not wrong(walls)
    for a, b in all_squares(walls)[::5].tolist():
        ends = (a % cols, a // cols), (b % cols, b // cols)
        assert by_band(walls, np.array([(a, b)]))[0] == support.oracle_mask(walls, *ends)


@given(situations(most_free=12) | slits())
def test_drawn_maps(it):
    assert not wrong(it.walls)


@given(situations(most_free=8), st.randoms(use_true_random=False))
def test_mutual(it, rng):
    n = it.walls.rows * it.walls.cols
    squares = np.array([(rng.randrange(n), rng.randrange(n)) for _ in range(30)])
    there, back = (by_band(it.walls, s).tolist() for s in (squares, squares[:, ::-1]))
    for one, other in zip(there, back, strict=True):
        assert other == sum((one >> (4 * i + j) & 1) << (4 * j + i) for i in range(4) for j in range(4))


@given(situations(most_free=8))
def test_index(it):
    """Both orders hold, square by square, the walls that the plain index has."""
    found = support.indexed(it.walls)
    rows, cols = it.walls.rows, it.walls.cols
    index = band.index_band(found.barriers, rows, cols, found.size).tolist()
    for k in range(rows * cols):
        x, y = k % cols, k // cols
        turned = rows * cols + 1 + x * rows + y
        square = oracle.corner_of(it.walls, (x, y), 0), oracle.corner_of(it.walls, (x, y), 3)
        expected = [
            w
            for w, wall in enumerate(found.barriers.tolist())
            if oracle.clipped(((2 * wall[0], 2 * wall[1]), (2 * wall[2], 2 * wall[3])), square) is not None
        ]
        assert index[index[k] : index[k + 1]] == index[index[turned] : index[turned + 1]] == expected
