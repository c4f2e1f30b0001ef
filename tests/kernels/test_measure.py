"""Distances, adjacency, relations and reach of all against all are those of each pair, and those that the grid tells."""

import numpy as np
import pytest

from gridlos import grid
from gridlos.facts import Relation
from gridlos.kernels import pairs

N = 23
FLAGS = [(a, b, c) for a in (False, True) for b in (False, True) for c in (False, True)]


def crowd(seed):
    """Numbers of creatures that stand close enough for each reach to matter; on odd seeds, on several levels."""
    rng = np.random.default_rng(seed)
    numbers = np.zeros((N, pairs.N_NUMBERS), np.int64)
    numbers[:, :2], numbers[:, 2:4], numbers[:, 5] = rng.integers(0, 9, (N, 2)), rng.integers(1, 4, (N, 2)), 1
    if seed % 2:
        numbers[:, 4], numbers[:, 5] = rng.integers(-2, 3, N), rng.integers(1, 4, N)
    numbers[:, 6], numbers[:, 7], numbers[:, 8] = rng.integers(-1, 3, N), rng.integers(0, 5, N), rng.integers(0, 3, N)
    return numbers


@pytest.mark.parametrize("flags", FLAGS)
def test_all_against_all(flags):
    for seed in range(20):
        numbers, rng = crowd(seed), np.random.default_rng(seed)
        some, others = rng.permutation(N)[:9], rng.permutation(N)[: 1 + seed]
        found = pairs.measure_all(numbers, some, others, *flags)
        expected = pairs.measure(numbers, np.repeat(some, len(others)), np.tile(others, 9), *flags)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            assert np.array_equal(one.ravel(), other), seed


def test_distances_are_those_of_the_grid():
    for seed in range(0, 20, 2):
        numbers, everybody = crowd(seed), np.arange(N)
        for word, is_second_double in (("5-10-5", True), ("1", False)):
            found = pairs.measure_all(numbers, everybody, everybody, is_second_double, False, True)
            assert np.array_equal(found[0], grid.distance(numbers[:, :4], numbers[:, :4], word))
            assert np.array_equal(found[1], grid.adjacent(numbers[:, :4], numbers[:, :4]))
        sides = numbers[:, 6]
        assert ((found[2] == Relation.ALLY) == ((sides[:, None] == sides) & (sides >= 0))).all()
        assert ((found[2] == Relation.NEUTRAL) == ((sides[:, None] < 0) | (sides < 0))).all()


def test_two_diagonal_steps():
    """A reach of two squares takes them in where that is the rule, though they count three."""
    numbers = np.zeros((2, pairs.N_NUMBERS), np.int64)
    numbers[:, 2:4] = numbers[:, 5] = 1
    numbers[1, :2], numbers[:, 7] = 2, 2
    for rule in (True, False):
        distance, _, _, reaches = pairs.measure_all(numbers, np.array([0]), np.array([1]), True, rule, True)
        assert (distance.item(), reaches.item()) == (3, rule)
