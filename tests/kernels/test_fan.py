"""The lines from one square to all others are those that the plain walk finds, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from kernels import support
from kernels.test_table import IS_REDUCED, SPECIAL, least_of, moved, on_grid, random_walls, walked
from strategies import situations

from gridlos.questions.table import OneToAll


def check(walls, squares):
    """Compare what leads from these squares to all; return how many lines were compared."""
    found = OneToAll.of(support.indexed(walls).arms)
    everywhere = np.arange(walls.rows * walls.cols)
    for square in squares:
        pairs = np.stack((np.full_like(everywhere, square), everywhere), axis=1)
        expected = walked(walls, pairs)
        lines = found.blocked_lines(square)
        assert lines.tolist() == expected.tolist(), (walls, square, np.flatnonzero(lines != expected)[:3])
        assert found.least_blocked(square).ravel().tolist() == least_of(expected).tolist(), (walls, square)
        expected = least_of(walked(walls, np.ascontiguousarray(pairs[:, ::-1])))
        assert found.least_blocked(square, back=True).ravel().tolist() == expected.tolist(), (walls, square)
    return 16 * len(squares) * len(everywhere)


WIDTHS = (1, 2, 5, 63) if IS_REDUCED else (1, 2, 3, 5, 31, 61, 62, 63, 64, 65, 126, 127, 128, 130)


@pytest.mark.parametrize("cols", WIDTHS)
def test_rows_of_all_widths(counts, cols):
    rng = np.random.default_rng(cols)
    name = "lines from one square to all against the walk"
    for rows in (1, 2, 7) if IS_REDUCED else (1, 2, 7, 40):
        for solid, edges in ((0.0, 0.0), (0.08, 0.0), (0.0, 0.1), (0.01, 0.01), (0.3, 0.3)):
            walls = random_walls(rows, cols, rng, solid, edges)
            squares = rng.integers(0, rows * cols, 1 if IS_REDUCED else 6)
            counts[name] += check(walls, squares)


@pytest.mark.parametrize("walls", SPECIAL)
def test_walls_of_all_kinds(walls):
    for turned in range(1 if IS_REDUCED else 4):
        seen = moved(walls, turned, turned % 2)
        check(seen, range(0, seen.rows * seen.cols, 7 if IS_REDUCED else 1))


@given(situations())
def test_small_awkward_maps(situation):
    walls = on_grid(situation.walls)
    check(walls, range(0, walls.rows * walls.cols, 5))
