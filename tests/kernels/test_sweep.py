"""The row sweep says of all lines from one square, and between all squares, what the plain walk and the oracle say.

The counts are told at the end of the run; ``HYPOTHESIS_PROFILE=thorough`` compares some millions of lines with the walk.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from kernels import support
from kernels.census import map_of, names
from kernels.test_band import CHUNKS, MAPS, SCALE, SCENES, SQUARES_BY_ORACLE, all_squares, awkward, by_walk
from oracle import Walls
from strategies import situations, slits

from gridlos.facts import Channel
from gridlos.kernels import line, sweep, sweep_index
from gridlos.questions import sweep as planner
from gridlos.questions.obstacles import Obstacles, obstacles_of
from gridlos.questions.sweep import Sweep, SweptLines, least_of, memory_of

PLENTY = 1 << 30


def obstacles_among(walls):
    found = support.indexed(walls)
    return Obstacles(found.size, found.arms, found.free, found.barriers, found.pivots)


def wrong(obstacles, expected, starts):
    """Where the sweep from some squares, and the bits of all lines, differ from what the walk found of all squares."""
    n = obstacles.legs.size
    one, kept = Sweep.of(obstacles), SweptLines.of(obstacles, memory=PLENTY)
    every = np.stack(np.divmod(np.arange(n * n), n), axis=1)
    found = [("from", a, one.blocked_lines(a), expected[a]) for a in starts]
    found.append(("between", None, kept.blocked_lines(every), expected.ravel()))
    return [(*names, np.flatnonzero(got != said)[:3]) for *names, got, said in found if not np.array_equal(got, said)]


def every_line(walls):
    n = walls.rows * walls.cols
    return by_walk(walls, all_squares(walls)).reshape(n, n)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_same_as_the_walk(chunk, counts):
    n = 0
    for seed in range(chunk, MAPS, CHUNKS):
        walls = awkward(20_000 + seed)
        expected = every_line(walls)
        starts = np.random.default_rng(seed).permutation(len(expected))[:10].tolist()
        assert not wrong(obstacles_among(walls), expected, starts), (seed, walls)
        n += 16 * expected.size
    counts["lines by sweep as by walk"] += n


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_same_as_the_oracle(chunk, counts):
    n = 0
    for seed in range(chunk, MAPS, CHUNKS):
        walls = awkward(30_000 + seed)
        squares = all_squares(walls)
        squares = squares[np.random.default_rng(seed).choice(len(squares), SQUARES_BY_ORACLE, replace=False)]
        found = SweptLines.of(obstacles_among(walls), memory=PLENTY).blocked_lines(squares)
        for (a, b), mask in zip(squares.tolist(), found.tolist(), strict=True):
            ends = [(number % walls.cols, number // walls.cols) for number in (a, b)]
            assert mask == support.oracle_mask(walls, *ends), (seed, walls, ends)
            n += 16
    counts["lines by sweep as the oracle"] += n


@pytest.mark.parametrize("name", names())
def test_maps(name, counts):
    battle_map = map_of(name)
    rng = np.random.default_rng(len(name))
    for channel in Channel:
        obstacles = obstacles_of(battle_map, channel)
        one = Sweep.of(obstacles)
        everywhere = np.arange(obstacles.legs.size)
        for a in rng.integers(obstacles.legs.size, size=max(int(3 * SCALE), 1)).tolist():
            pairs = np.stack((np.full_like(everywhere, a), everywhere), axis=1)
            expected = line.blocked_lines(*obstacles.lines, pairs, obstacles.size)
            assert np.array_equal(one.blocked_lines(a), expected)
            counts["lines by sweep as by walk"] += 16 * len(pairs)


S = 12
MORE_SCENES = {
    "a joint of two walls on a corner": Walls(6, 6, S, segments=((24, 24, 0, 20), (24, 24, 71, 30))),
    "a joint of two walls between corners": Walls(6, 6, S, segments=((30, 30, 0, 26), (30, 30, 71, 36))),
    "a wall through many rows, and its pieces": Walls(8, 6, S, segments=((12, 12, 36, 84), (60, 12, 48, 48), (48, 48, 36, 84))),
    "ends on both sides of a line, the nearer one first": Walls(8, 5, S, segments=((24, 24, 0, 22), (24, 48, 60, 50))),
    "two walls end in one point on one side": Walls(8, 5, S, segments=((24, 24, 0, 22), (24, 24, 2, 40))),
    "walls seen from their end, one behind the other": Walls(9, 5, S, segments=((24, 24, 24, 30), (24, 60, 24, 72))),
    "a gap as narrow as a line": Walls(9, 7, S, segments=((0, 30, 42, 30), (42, 30, 84, 31), (36, 66, 0, 66), (36, 66, 84, 70))),
    "a wall along a line, behind the end of one on its left": Walls(8, 6, S, segments=((24, 36, 10, 30), (24, 36, 42, 72))),
    "a wall along a line, behind the end of one on its right": Walls(8, 6, S, segments=((48, 36, 62, 30), (48, 36, 30, 72))),
    "walls along a line, and one that ends there": Walls(8, 8, S, segments=((20, 20, 28, 28), (40, 40, 70, 70), (52, 52, 70, 54))),
    "horizontal walls on the rows": Walls(6, 8, S, segments=((0, 24, 40, 24), (41, 24, 96, 24), (30, 48, 60, 48))),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SCENES, *MORE_SCENES])
def test_scenes(name):
    """Every square against every square, as the walk; a part of them as the oracle."""
    walls = (SCENES | MORE_SCENES)[name]
    expected = every_line(walls)
    assert not wrong(obstacles_among(walls), expected, range(len(expected)))
    for a, b in all_squares(walls)[::41].tolist():
        assert expected[a, b] == support.oracle_mask(walls, *((n % walls.cols, n // walls.cols) for n in (a, b)))


@pytest.mark.parametrize(("rows", "cols"), [(1, 130), (130, 1), (2, 64), (3, 63), (2, 65), (63, 3)])
def test_narrow_maps(rows, cols):
    """Rows that fill words of bits, and those that just do not."""
    rng = np.random.default_rng(rows)
    ends = rng.integers((0, 0, 0, 0), (4 * cols, 4 * rows, 4 * cols, 4 * rows), size=(12, 4))
    walls = Walls(rows, cols, 4, segments=tuple(map(tuple, (ends // (1, 1, 8, 8) + ends % 3).tolist())))
    expected = every_line(walls)
    assert not wrong(obstacles_among(walls), expected, range(0, len(expected), 7))


def test_far_apart():
    """Coordinates at the end of what maps may have: products must not leave 64 bits, nor slopes their places."""
    size = 1 << 21
    free = ((size // 3, 1, 3 * size - 1, 2 * size + 7), (3 * size - 1, 2 * size + 7, 5, 3 * size - 1), (2 * size + 1, 3, 2 * size - 1, 9))
    walls = Walls(3, 3, size, segments=free)
    expected = every_line(walls)
    assert not wrong(obstacles_among(walls), expected, range(9))


@pytest.mark.parametrize("wall", [(0, 2990500, 10000, 2989999), (40000, 2990500, 10000, 2990001)])
def test_an_end_beside_a_line(wall):
    """By one lattice unit, far away: the two slopes differ by less than the margin of the sweep, and the wall blocks the line."""
    walls = Walls(300, 2, 20_000, segments=(wall,))
    obstacles = obstacles_among(walls)
    pairs = np.stack((np.zeros(600, np.int64), np.arange(600)), axis=1)
    expected = by_walk(walls, pairs)
    assert np.array_equal(Sweep.of(obstacles).blocked_lines(0), expected)
    assert np.array_equal(SweptLines.of(obstacles, memory=PLENTY).blocked_lines(pairs), expected)
    below = next(b for b in (596, 597) if expected[b] not in (0, 0xFFFF))
    assert expected[below] == support.oracle_mask(walls, (0, 0), (below % 2, below // 2))


@given(situations(most_free=12) | slits())
def test_drawn_maps(it):
    expected = every_line(it.walls)
    assert not wrong(obstacles_among(it.walls), expected, range(0, len(expected), 3))


@given(situations(most_free=8))
def test_pieces(it):
    """Between two rows each wall is one piece, exact but for what rounding to units takes off; squares know those that touch them."""
    found = support.indexed(it.walls)
    rows, cols, size = it.walls.rows, it.walls.cols, found.size
    index, pieces = (array.tolist() for array in sweep_index.index_sweep(found.barriers, rows, cols, size))
    expected = []
    for wall in found.barriers.tolist():
        (x0, y0), (x1, y1) = sorted([tuple(wall[:2]), tuple(wall[2:])], key=lambda end: end[1])
        for row in range(rows):
            top, low = max(y0, row * size), min(y1, (row + 1) * size)
            if top < low or (y0 == y1 and row * size <= y0 < (row + 1) * size):
                ends = [x0, x1] if y0 == y1 else [x0 + Fraction((x1 - x0) * (y - y0), y1 - y0) for y in (top, low)]
                expected.append((row, ends[0], top, ends[1], low))
    assert len(pieces) == len(expected)
    for k, (row, x_top, y_top, x_low, y_low) in enumerate(expected):
        x, y, u, v, at_top, at_low = pieces[k]
        assert (y, v) == (y_top, y_low)
        assert 0 <= x_top * sweep_index.ONE - x < 1
        assert 0 <= x_low * sweep_index.ONE - u < 1
        assert [at >= 0 for at in (at_top, at_low)] == [Fraction(one).denominator == 1 for one in (x_top, x_low)]
        first, last = (min(max(int(one // size), 0), cols - 1) for one in sorted((x_top, x_low)))
        entries = {square - row * cols: index[index[square] : index[square + 1]] for square in range(row * cols, (row + 1) * cols)}
        for column, own in entries.items():
            assert (2 * k in own) == (column == first)
            assert (2 * k + 1 in own) == (first < column <= last)


def test_many_rows(monkeypatch):
    """Maps with more rows than slopes can tell apart take the other kernels."""
    walls = SCENES["a pinch of two walls, ends on a line"]
    obstacles, expected = obstacles_among(walls), every_line(walls)
    assert SweptLines.of(obstacles, memory=memory_of(walls.rows, walls.cols) - 1) is None
    assert SweptLines.of(obstacles, memory=memory_of(walls.rows, walls.cols)).nbytes == memory_of(walls.rows, walls.cols)
    monkeypatch.setattr(sweep, "MOST_ROWS", walls.rows - 1)
    assert SweptLines.of(obstacles, memory=PLENTY) is None
    assert np.array_equal(Sweep.of(obstacles).blocked_lines(3), expected[3])


def test_threads(monkeypatch):
    """Rows of corners that several threads share are all asked, whatever their number."""
    walls = awkward(40_001)
    obstacles, expected = obstacles_among(walls), every_line(walls)
    monkeypatch.setattr(planner, "_CORNERS", 1)
    for said in ("1", "2", "3", "16"):
        monkeypatch.setenv("GRIDLOS_THREADS", said)
        assert not wrong(obstacles, expected, [0])


def test_least():
    masks = np.random.default_rng(1).integers(1 << 16, size=500).astype(np.uint16)
    for mask, forth, back in zip(masks.tolist(), least_of(masks).tolist(), least_of(masks, back=True).tolist(), strict=True):
        lines = [[mask >> (4 * i + j) & 1 for j in range(4)] for i in range(4)]
        assert forth == min(map(sum, lines))
        assert back == min(map(sum, zip(*lines, strict=True)))
