"""What it changes for others that a creature moves, beside plain loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gridlos import grid
from gridlos.kernels import pairs, touched

SEEDS = range(30)


def creatures(rng, n, size=12):
    """Some creatures as the kernels take them."""
    numbers = np.zeros((n, pairs.N_NUMBERS), np.int64)
    numbers[:, :2] = rng.integers(0, size, (n, 2))
    numbers[:, 2] = numbers[:, 3] = rng.choice([1, 1, 1, 2, 3], n)
    numbers[:, 4], numbers[:, 5] = rng.choice([0, 0, 0, 1], n), numbers[:, 2]
    numbers[:, 6], numbers[:, 7] = rng.integers(-1, 3, n), rng.choice([0, 1, 2, 3], n)
    return numbers


def steps(numbers, a, t):
    """The steps from one to the other, diagonal ones counted as one."""
    gaps = []
    for first, length in ((0, 2), (1, 3), (4, 5)):
        low, high = sorted((numbers[k, first], numbers[k, first] + numbers[k, length]) for k in (a, t))
        gaps.append(max(high[0] - low[1] + 1, 0))
    return max(gaps)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_stands_beside_and_whom_one_reaches(seed):
    rng = np.random.default_rng(seed)
    numbers = creatures(rng, 12)
    group, others = rng.permutation(12)[: 1 + seed % 3], rng.permutation(12)[: 5 + seed % 7]
    beside, reached = touched.are_beside(numbers, group, others)
    for k, other in enumerate(others.tolist()):
        assert beside[k] == any(steps(numbers, one, other) <= 1 for one in group)
        assert reached[k] == any(steps(numbers, one, other) <= numbers[one, pairs.REACH] for one in group)
    levels = numbers[:, 4:6]
    adjacent = grid.adjacent(numbers[group, :4], numbers[others, :4], levels=(levels[group], levels[others]))
    assert np.array_equal(beside, adjacent.any(axis=0))


@pytest.mark.parametrize("seed", SEEDS)
def test_who_shares_squares(seed):
    rng = np.random.default_rng(seed)
    spaces = np.ascontiguousarray(creatures(rng, 9, 6)[:, :4], np.int32)
    squares = [{(x + i, y + j) for i in range(w) for j in range(h)} for x, y, w, h in spaces.tolist()]
    for who in range(9):
        assert touched.n_sharing(spaces, who) == sum(bool(squares[who] & other) for other in squares)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("asks", [(True, True), (True, False), (False, True)])
def test_melees_anew(seed, asks):
    rng = np.random.default_rng(seed)
    n = 14
    before, able, size = creatures(rng, n), rng.random(n) < 0.8, rng.integers(-2, 4, n).astype(np.int16)
    after = before.copy()
    movers = rng.permutation(n)[: 1 + seed % 2]
    after[movers, :2] = rng.integers(0, 12, (len(movers), 2))
    everybody = np.arange(n)
    ways = np.repeat(everybody, n), np.tile(everybody, n)
    told = [
        (pairs.engaged(one, able, size, *ways).reshape(n, n), pairs.crowded(one, able, everybody)) for one in (before, after)
    ]
    beside = np.logical_or.reduce([touched.are_beside(one, movers, everybody)[0] for one in (before, after)])
    found = rng.random((n, n)) < 0.05
    expected = found.copy()
    if asks[0]:
        expected |= told[0][0] != told[1][0]
    if asks[1]:
        expected |= (told[0][1] != told[1][1])[:, None]
    nobody = np.zeros((0, 0), np.int8), np.zeros(0, np.bool_)
    given = [one if is_asked else none for one, none, is_asked in zip(told[0], nobody, asks, strict=True)]
    kept = [one.copy() for one in given]
    results = touched.melees_anew(after, able, size, beside, *given, found)
    assert np.array_equal(found, expected)
    for result, one, none, is_asked in zip(results, told[1], nobody, asks, strict=True):
        assert np.array_equal(result, one if is_asked else none)
    assert all(np.array_equal(one, other) for one, other in zip(given, kept, strict=True))


def test_places_of_pairs():
    n = 9
    assert [touched.place_of_pair(a, b, n) for a, b in combinations(range(n), 2)] == list(range(n * (n - 1) // 2))


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_anew(seed):
    rng = np.random.default_rng(seed)
    n, every = 8, list(combinations(range(8), 2))
    sizes = np.ones(n, np.int64) if seed % 2 else rng.choice([1, 1, 2, 4], n)
    counts = [int(sizes[a] * sizes[b]) for a, b in every]
    begins = np.concatenate(([0], np.cumsum(counts)))
    known = tuple(rng.integers(0, 3, begins[-1]).astype(np.uint16) for _ in range(2))
    which = np.flatnonzero(rng.random(len(every)) < 0.4)
    some = np.array([every[k] for k in which], np.int64).reshape(-1, 2)
    starts = np.concatenate(([0], np.cumsum([counts[k] for k in which]))).astype(np.int64)
    lines = tuple(rng.integers(0, 3, starts[-1]).astype(np.uint16) for _ in range(2))
    found = rng.random((n, n)) < 0.1
    expected, results = found.copy(), [one.copy() for one in known]
    for k, one in enumerate(which):
        a, b = every[one]
        for new, old, result in zip(lines, known, results, strict=True):
            rows, choices = slice(begins[one], begins[one + 1]), slice(starts[k], starts[k + 1])
            if (new[choices] != old[rows]).any():
                expected[a, b] = expected[b, a] = True
            result[rows] = new[choices]
    before = [one.copy() for one in known]
    known_starts = np.zeros(0, np.int64) if (sizes == 1).all() else begins.astype(np.int64)
    told = touched.lines_anew(some, starts, lines, known, known_starts, found)
    assert np.array_equal(found, expected)
    assert all(np.array_equal(one, other) for one, other in zip(told, results, strict=True))
    assert all(np.array_equal(one, other) for one, other in zip(known, before, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_patched_records(seed):
    rng = np.random.default_rng(seed)
    kept, flat = rng.integers(0, 2, (20, 3)).astype(np.uint64), rng.permutation(20)[:9]
    told = np.where(rng.random((9, 3)) < 0.8, kept[flat], rng.integers(0, 2, (9, 3))).astype(np.uint64)
    new = np.zeros(0, np.bool_) if seed % 2 else rng.random(9) < 0.3
    expected = np.flatnonzero((kept[flat] != told).any(axis=1) | (new if len(new) else False))
    after = kept.copy()
    after[flat] = told
    assert np.array_equal(touched.patch(kept, flat, told, new), expected)
    assert np.array_equal(kept, after)
