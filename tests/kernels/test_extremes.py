"""Maps at the ends of what is allowed: nothing, everything, one row, huge coordinates, many walls at one place."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import oracle
import pytest
from kernels import support
from kernels.support import all_lines
from kernels.views import moved, sides_of
from oracle import BLOCKED, CLEAR, TOUCHES, Walls
from strategies import seeded, seeded_slits

from gridlos.kernels import effect

too_much = pytest.mark.skipif(support.PROFILE == "reduced", reason="takes too long in plain Python")

LIMIT = (1 << 23) - 1  # the largest coordinate in lattice units


def assert_agreement(walls, a, b, is_effect_asked=True):
    assert not support.disagreement_about_lines(walls, a[:2], b[:2]), (walls, a, b)
    if is_effect_asked and not set(oracle.squares_of(a)) & set(oracle.squares_of(b)):
        assert not support.disagreement_about_effect(walls, a, b), (walls, a, b)


def test_a_single_square():
    walls = Walls(1, 1, 1)
    for line in all_lines((0, 0), (0, 0)):
        assert support.contact(walls, *line) == oracle.contact(walls, *line)
    assert support.effects(walls, [((0, 0, 1, 1), (0, 0, 1, 1))]) == [effect.YES]
    inner = Walls(1, 1, 4, segments=((1, 1, 3, 3), (0, 2, 1, 0)))
    for line in all_lines((0, 0), (0, 0)):
        assert support.contact(inner, *line) == oracle.contact(inner, *line)


@pytest.mark.parametrize("length", [2, 3, 40])
@pytest.mark.parametrize("is_column", [False, True])
def test_a_single_row(length, is_column):
    rows, cols = (length, 1) if is_column else (1, length)
    ends = (0, 0), (0, length - 1) if is_column else (length - 1, 0)
    middle = tuple((p + q) // 2 for p, q in zip(*ends, strict=True))
    door = (0, middle[1] or 1, 1, middle[1] or 1) if is_column else (middle[0] or 1, 0, middle[0] or 1, 1)
    open_row, shut = Walls(rows, cols, 1), Walls(rows, cols, 1, edges=frozenset({door}))
    for walls in (open_row, shut, replace(shut, edges=frozenset(), segments=(door,))):
        for one, other in product({*ends, middle}, repeat=2):
            assert_agreement(walls, (*one, 1, 1), (*other, 1, 1))
    assert support.masks(open_row, [ends]) != [0xFFFF]
    assert support.masks(shut, [ends]) == [0xFFFF]
    assert [support.line_of_effect(walls, *((*end, 1, 1) for end in ends)) for walls in (open_row, shut)] == [
        True,
        False,
    ]


def test_no_walls():
    walls = Walls(7, 9, 5)
    found = support.indexed(walls)
    assert found.free.shape == (0, 4)
    spaces = [(x, y, 1, 1) for x, y in product(range(9), range(7))]
    pairs = list(product(spaces, spaces))
    assert set(support.effects(walls, pairs)) == {effect.YES}
    inner = [(x, y) for x, y in product(range(1, 8), range(1, 6))]
    kinds = support.contacts(walls, [line for a, b in product(inner, inner) for line in all_lines(a, b)])
    assert set(kinds) == {CLEAR}
    assert set(support.masks(walls, list(product(inner, inner)))) == {0}


def test_everything_is_solid():
    squares = list(product(range(4), range(3)))
    walls = Walls(3, 4, 2, frozenset(squares))
    for a, b in product(squares, squares):
        if a != b:
            assert support.masks(walls, [(a, b)]) == [0xFFFF]
            assert support.effects(walls, [((*a, 1, 1), (*b, 1, 1))]) == [effect.NO]
    for a in ((0, 0), (1, 1), (3, 2)):
        for b in ((0, 0), (2, 1), (3, 0)):
            assert not support.disagreement_about_lines(walls, a, b)


@too_much
def test_200_collinear_walls_that_overlap():
    rng = np.random.default_rng(200)
    s, along = 30, [(x, x + 1) for x in range(0, 180, 3)]
    for _ in range(4):
        pieces = []
        for _ in range(200):
            low, high = sorted(rng.choice(240, 2, replace=False).tolist())
            pieces.append((low, 60, high, 60) if rng.integers(2) else (high, 60, low, 60))
        pieces = tuple(pieces)
        for segments in (pieces, tuple((x0, 60, x1, 60) for x0, x1 in along)):
            for extra in ((), ((90, 60, 95, 10),), ((90, 60, 95, 110),), ((90, 60, 95, 10), (100, 60, 90, 99))):
                walls = Walls(4, 8, s, segments=segments + extra)
                for a, b in (((0, 1), (7, 1)), ((0, 1), (7, 2)), ((2, 2), (5, 1)), ((0, 2), (7, 2))):
                    assert_agreement(walls, (*a, 1, 1), (*b, 1, 1), is_effect_asked=segments is not pieces and extra)


@pytest.mark.parametrize("seed", range(12))
def test_many_walls_at_one_point(seed):
    """A star of forty walls: at a corner, on a line, in the middle of a square; with gaps and without."""
    rng = np.random.default_rng(seed)
    s = 12
    x, y = ((3 * s, 3 * s), (3 * s + 6, 3 * s), (3 * s + 4, 3 * s + 4), (3 * s + 6, 3 * s + 6))[seed % 4]
    n = (3, 6, 40)[seed // 4]
    star = []
    for _ in range(n):
        dx, dy = rng.integers(-2 * s, 2 * s + 1, 2).tolist()
        ends = (x, y, x + dx, y + dy) if rng.integers(3) else (x - dx, y - dy, x + dx, y + dy)
        star.append(ends if rng.integers(2) else ends[2:] + ends[:2])
    walls = Walls(6, 6, s, segments=tuple(star))
    for a, b in (
        ((2, 2), (3, 3)),
        ((1, 2), (4, 3)),
        ((2, 3), (3, 2)),
        ((1, 1), (4, 4)),
        ((2, 0), (2, 5)),
        ((3, 2), (2, 2)),
    ):
        assert_agreement(walls, (*a, 1, 1), (*b, 1, 1), is_effect_asked=n < 40)


def huge(seed, s, cols, rows, n):
    """A few squares whose sides are thousands of units, and walls that reach as far as a coordinate can."""
    rng = np.random.default_rng(seed)

    def coordinate(squares):
        kind = rng.integers(6)
        at = int(rng.integers(squares + 1)) * s
        if kind == 0:
            return int(rng.choice((-LIMIT, LIMIT)))
        if kind == 1:
            return int(rng.integers(-LIMIT, LIMIT + 1))
        if kind == 2:
            return min(at + s // 2, LIMIT)
        if kind == 3:
            return max(min(at + int(rng.integers(-2, 3)), LIMIT), -LIMIT)
        return at

    walls = [tuple(coordinate((cols, rows)[k % 2]) for k in range(4)) for _ in range(n)]
    solid = {(int(rng.integers(cols)), int(rng.integers(rows))) for _ in range(int(rng.integers(4)))}
    a, b = ((int(rng.integers(cols)), int(rng.integers(rows)), 1, 1) for _ in range(2))
    return Walls(rows, cols, s, frozenset(solid - {a[:2], b[:2]}), frozenset(), tuple(walls)), a, b


@pytest.mark.parametrize(
    ("s", "cols", "rows"),
    [
        (5040, 1664, 2),
        (5040, 4, 1664),
        (5040, 1664, 1),
        (LIMIT, 1, 1),
        (LIMIT // 2, 2, 2),
        (LIMIT // 3, 3, 3),
        (65536, 7, 127),
        pytest.param(1, 100_000, 3, marks=too_much),
    ],
)
def test_coordinates_near_the_limit(s, cols, rows):
    for seed in range(4):
        walls, a, b = huge(seed, s, cols, rows, 5)
        assert_agreement(walls, a, b)
        corner = (cols - 1, rows - 1)
        if corner not in walls.solid:
            assert_agreement(walls, (*corner, 1, 1), b)
            assert_agreement(walls, (max(cols - 3, 0), max(rows - 2, 0), 1, 1), (*corner, 1, 1))


@pytest.mark.parametrize("seed", range(10))
def test_the_same_far_from_the_origin(seed):
    """The farthest place on a map whose coordinates still fit."""
    it = seeded(seed, 2, most_free=5) if seed % 2 else seeded_slits(seed, 2)
    s = it.walls.subdivisions * (5040 // it.walls.subdivisions)
    room = [LIMIT // s - n for n in (it.walls.cols, it.walls.rows)]
    for dx, dy in ((room[0], 0), (1, room[1])):
        far = moved(it.walls, dx, dy, s)
        a, b = ((x + dx, y + dy, w, h) for x, y, w, h in (it.a, it.b))
        lines = all_lines(a[:2], b[:2])
        assert support.contacts(far, lines) == support.contacts(it.walls, all_lines(it.a[:2], it.b[:2]))
        if not set(oracle.squares_of(a)) & set(oracle.squares_of(b)):
            assert support.line_of_effect(far, a, b) == support.line_of_effect(it.walls, it.a, it.b)


@pytest.mark.parametrize("seed", range(6))
def test_walls_far_out_of_the_map(seed):
    """A wall on a map of eight squares that goes on for millions of units beyond it."""
    rng = np.random.default_rng(seed)
    s, walls = 10, []
    for _ in range(3):
        x, y = rng.integers(0, 80, 2).tolist()
        dx, dy = rng.integers(-3, 4, 2).tolist()
        far = LIMIT // 4
        walls.append((x - far * dx, y - far * dy, x + far * dx, y + far * dy))
    found = Walls(8, 8, s, segments=tuple(walls))
    for a, b in (((0, 0), (7, 7)), ((3, 3), (4, 3)), ((1, 6), (6, 0))):
        assert_agreement(found, (*a, 1, 1), (*b, 1, 1))


@pytest.mark.parametrize("seed", range(6))
def test_colossal_spaces(seed):
    """Six squares a side, with pillars and slits between."""
    rng = np.random.default_rng(seed)
    s = 20
    pillars = {(int(rng.integers(7, 11)), int(rng.integers(18))) for _ in range(24)}
    gap = int(rng.integers(3 * s, 9 * s))
    slit = ((8 * s + 3, 0, 8 * s + 3, gap), (8 * s + 3, gap + 1 + seed % 3, 8 * s + 3, 18 * s))
    a, b = (1, int(rng.integers(12)), 6, 6), (11, int(rng.integers(12)), 6, 6)
    for walls in (
        Walls(18, 18, s, frozenset(pillars)),
        Walls(18, 18, s, segments=slit),
        Walls(18, 18, s, frozenset(pillars), segments=slit),
    ):
        assert not support.disagreement_about_effect(walls, a, b)
        assert not support.disagreement_about_lines(walls, a[:2], b[:2])
        assert not support.disagreement_about_effect(walls, (*a[:2], 1, 6), (*b[:2], 6, 1))


@too_much
def test_a_map_of_the_largest_size():
    """A thousand squares across and down; the far corners see each other along the border and not through a wall."""
    n = 1000
    walls = Walls(n, n, 8, segments=((4000, 3, 4001, 7990),))
    a, b = (0, 0), (n - 1, n - 1)
    assert support.contact(walls, a, 1, b, 2) == BLOCKED
    assert (
        support.contact(Walls(n, n, 8), a, 0, b, 3) == TOUCHES
    )  # along the diagonal, from one corner of the border to the other
    assert support.contact(walls, a, 2, (n - 1, 0), 3) == oracle.contact(walls, a, 2, (n - 1, 0), 3)
    assert support.effects(walls, [((*a, 1, 1), (*b, 1, 1))]) == [
        int(oracle.line_of_effect(walls, (*a, 1, 1), (*b, 1, 1)))
    ]


def test_closed_and_open_rings():
    """A square closed by four walls, in each of the three ways to draw them, and with one of them short by one unit."""
    s = 9
    edges = frozenset(sides_of(2, 2))
    around = tuple(tuple(s * v for v in edge) for edge in sides_of(2, 2))
    inside, outside = (2, 2, 1, 1), (4, 2, 1, 1)
    for walls in (Walls(5, 6, s, edges=edges), Walls(5, 6, s, segments=around)):
        assert support.masks(walls, [(inside[:2], outside[:2])]) == [0xFFFF]
        assert not support.line_of_effect(walls, inside, outside)
        assert_agreement(walls, inside, outside)
    for k in range(4):
        x0, y0, x1, y1 = around[k]
        short = (x0, y0, x1 - (x1 > x0), y1 - (y1 > y0))
        walls = Walls(5, 6, s, segments=(*around[:k], short, *around[k + 1 :]))
        for target in (outside, (2, 0, 1, 1), (3, 3, 1, 1), (0, 4, 1, 1)):
            assert_agreement(walls, inside, target)
