"""No line of two squares in two regions is free, nor is there a line of effect, by the oracle; free walls part no regions."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import oracle
import pytest
from hypothesis import given
from kernels import support
from oracle import Walls
from strategies import situations

from gridlos.kernels.regions import label_regions

N_MAPS = {"reduced": 12, "default": 75, "thorough": 1_000}[support.PROFILE]


def labels_of(walls):
    return label_regions(support.indexed(walls).arms)


@given(situations())
def test_free_walls_part_no_regions(situation):
    walls = situation.walls
    assert labels_of(walls).tolist() == labels_of(replace(walls, segments=())).tolist()


@pytest.mark.parametrize("seed", range(N_MAPS))
def test_no_line_leads_from_region_to_region(seed, counts):
    """On maps with so many walls that rooms are closed, some of one row or column."""
    rng = np.random.default_rng(seed)
    rows, cols = ((1, 9), (9, 1), (2, 2), *[rng.integers(2, 6, 2).tolist()] * 5)[seed % 8]
    share = (0.3, 0.5)[seed % 2]
    solid = {(x, y) for y in range(rows) for x in range(cols) if rng.random() < share / 2}
    edges = {(x, y, x, y + 1) for y in range(rows) for x in range(cols + 1) if rng.random() < share}
    edges |= {(x, y, x + 1, y) for y in range(rows + 1) for x in range(cols) if rng.random() < share}
    walls = Walls(rows, cols, 2, frozenset(solid), frozenset(edges))
    labels = labels_of(walls).reshape(rows, cols)
    open_ones = [(x, y) for y, x in product(range(rows), range(cols)) if (x, y) not in solid]
    apart = [(one, other) for one, other in combinations(open_ones, 2) if labels[one[::-1]] != labels[other[::-1]]]
    for k in rng.permutation(len(apart))[:6].tolist():
        one, other = apart[k]
        assert oracle.blocked_nibbles(walls, one, other) == [15] * 4, (walls, one, other)
        assert not oracle.line_of_effect(walls, (*one, 1, 1), (*other, 1, 1)), (walls, one, other)
        counts["pairs of squares in two regions"] += 1
