"""Which pairs have a wall near: none is left out whose hull a wall touches, and what is far is told apart."""

from __future__ import annotations

import random

import numpy as np
import pytest
import shapely
from kernels.support import PROFILE

from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.kernels import index, near
from gridlos.questions.effect import has_lines_of_effect
from gridlos.questions.obstacles import are_channels_equal, near_unequal, obstacles_of
from gridlos.questions.pairs import evaluate
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

SEEDS = {"reduced": 10, "default": 60, "thorough": 2000}[PROFILE]
SIZE = 6


def space(rng, rows, cols):
    width, height = rng.choice([(1, 1), (1, 1), (2, 2), (3, 2)])
    width, height = min(width, cols), min(height, rows)
    return rng.randint(0, cols - width), rng.randint(0, rows - height), width, height


def box(x, y, width, height):
    return shapely.box(x * SIZE, y * SIZE, (x + width) * SIZE, (y + height) * SIZE)


def test_what_is_not_near_does_not_touch_the_hull(counts):
    n_far = n_near = 0
    for seed in range(SEEDS):
        rng = random.Random(seed)
        rows, cols = rng.randint(1, 12), rng.randint(1, 12)
        ends = [[rng.randint(-SIZE, (n + 1) * SIZE) for n in (cols, rows, cols, rows)] for _ in range(rng.choice([0, 1, 2, 4]))]
        walls = np.array(ends, np.int32).reshape(-1, 4)
        spaces = np.array([space(rng, rows, cols) for _ in range(8)], np.int64)
        pairs = np.array([(i, j) for i in range(8) for j in range(8)], np.int64)
        before = near.count_touched(walls, rows, cols, SIZE)
        lines = shapely.linestrings(walls.reshape(-1, 2, 2))
        on_map = shapely.intersection(lines, shapely.box(0, 0, cols * SIZE, rows * SIZE))
        squares = [box(x, y, 1, 1) for y in range(rows) for x in range(cols)]
        touched = np.array([bool(shapely.intersects(lines, square).any()) for square in squares]).reshape(rows, cols)
        assert np.array_equal(before[1:, 1:], touched.cumsum(axis=0).cumsum(axis=1))
        for (i, j), is_near in zip(pairs.tolist(), near.are_near(before, spaces, pairs).tolist(), strict=True):
            hull = shapely.union(box(*spaces[i].tolist()), box(*spaces[j].tolist())).convex_hull
            if not is_near:
                assert not shapely.intersects(on_map, hull).any(), (seed, i, j)
            # A wall of no touched square in the hull is not near.
            elif i != j and not shapely.intersects(spaces_of(touched), hull).any():
                pytest.fail(f"{seed}: {i}, {j} are far")
            n_far, n_near = n_far + (not is_near), n_near + is_near
    counts["pairs far from walls"] += n_far
    assert min(n_far, n_near) > 0


def spaces_of(touched):
    return np.array([box(int(x), int(y), 1, 1) for y, x in np.argwhere(touched)], object)


def test_far_walls_are_far():
    """In the box of two spaces, but not in their hull."""
    before = near.count_touched(np.array([[1, 54, 5, 58]], np.int32), 10, 10, SIZE)
    spaces = np.array([[0, 0, 1, 1], [9, 9, 1, 1], [0, 9, 1, 1], [0, 5, 1, 1]], np.int64)
    pairs = np.array([[0, 1], [1, 2], [0, 3], [3, 2]], np.int64)
    assert near.are_near(before, spaces, pairs).tolist() == [False, True, False, True]


@pytest.mark.parametrize("seed", range(SEEDS // 10))
def test_sight_is_what_it_is_by_its_own_walls(seed, counts):
    """It is asked anew of those pairs alone that something is near which stops only one of the two."""
    rng = random.Random(seed)
    rows = ["".join(rng.choice("....................g#") for _ in range(14)) for _ in range(12)]
    kinds = ["wall"] * 5 + ["window", "curtain"]
    ends = [[rng.randint(0, 4 * n) / 4 for n in (14, 12)] for _ in range(24)]
    walls = [
        Wall(start=tuple(a), end=tuple(b), kind=rng.choice(kinds))
        for a, b in zip(ends[::2], ends[1::2], strict=True)
        if abs(a[0] - b[0]) + abs(a[1] - b[1]) < 9
    ]
    drawn = Scene.from_drawing("\n".join(rows), walls=walls, legend={"g": SquareKind(kind="wall", sight=False)})
    battle_map = drawn.battle_map
    free = np.argwhere(battle_map.terrain == 0).tolist()
    scene = drawn.with_creatures(Creature(id=f"c{k}", at=(x, y)) for k, (y, x) in enumerate(rng.sample(free, 12)))
    pairs = np.array([(i, j) for i in range(12) for j in range(i)], np.int64)
    sight = evaluate(scene, edition="dnd5e").columns["line_of_sight"]
    expected = has_lines_of_effect(obstacles_of(battle_map, Channel.SIGHT), scene.spaces, pairs)
    assert sight[pairs[:, 0], pairs[:, 1]].tolist() == expected.tolist()
    unequal = near_unequal(battle_map, scene.spaces, pairs)
    assert not len(unequal) or not are_channels_equal(battle_map)
    name = "pairs whose sight is told from effect"
    counts[name] += len(pairs) - len(unequal)


@pytest.mark.parametrize("size", [1, 3, 100, 5040, 70_001, 4_000_003, 1 << 22])
def test_square_at(size):
    """It is the quotient rounded down, however large the number, on both sides of each multiple."""
    rng = random.Random(size)
    numbers = [m * size + d for m in (-2, -1, 0, 1, 2, (1 << 24) // size) for d in (-1, 0, 1)]
    numbers += [rng.randint(-(1 << 24), 1 << 25) for _ in range(1000)]
    inverse = index.inverse_of(size)
    assert [index.square_at(x, size, inverse) for x in numbers] == [x // size for x in numbers]
