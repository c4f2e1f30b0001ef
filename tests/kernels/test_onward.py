"""Steps that never lead back: what they join is found square by square, and what they do not join, nothing joins."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import oracle
import pytest
import shapely
from hypothesis import given
from kernels import support
from oracle import Walls, squares_of
from strategies import seeded, seeded_slits, situations, slits

from gridlos.kernels import line, onward, regions
from gridlos.kernels.walk import EAST, SOUTH

CHUNKS = 5
SCALE = {"reduced": 0.1, "default": 1, "thorough": 20}[support.PROFILE]
MAPS = int(100 * SCALE)
WIDTHS = (1, 3, 9, 61, 62, 63, 64, 65, 126, 127, 130)


def joined(arms, spaces, pairs):
    asked = np.array(spaces, np.int64).reshape(-1, 4), np.array(pairs, np.int64).reshape(-1, 2)
    return onward.are_joined(regions.label_regions(arms), onward.index_steps(arms), *asked, arms.shape[1] - 1).tolist()


def are_joined(walls, a, b):
    return joined(support.indexed(walls).arms, [a, b], [(0, 1)])[0]


def around(arms, space):
    """The squares of a space and those around it."""
    rows, cols = arms.shape[0] - 1, arms.shape[1] - 1
    x, y, width, height = space
    return {(u, v) for u, v in squares_of((x - 1, y - 1, width + 2, height + 2)) if 0 <= u < cols and 0 <= v < rows}


def steps_lead(arms, a, b):
    """Go from every square around a space in each of four pairs of directions, one square after the other."""
    labels = regions.label_regions(arms).reshape(arms.shape[0] - 1, -1)
    if {labels[y, x] for x, y in squares_of(a)}.isdisjoint(labels[y, x] for x, y in squares_of(b)):
        return False
    goals = around(arms, b)
    for right, down in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        waiting, found = deque(around(arms, a)), around(arms, a)
        while waiting:
            x, y = waiting.popleft()
            if (x, y) in goals:
                return True
            across = None if arms[y, x + (right > 0)] & SOUTH else (x + right, y)
            along = None if arms[y + (down > 0), x] & EAST else (x, y + down)
            for there in {across, along} - {None} - found:
                found.add(there)
                waiting.append(there)
    return False


def random_arms(rng):
    """The arms of a map, many of whose rows end beside the end of a word."""
    rows, cols = int(rng.integers(1, 12)), int(rng.choice(WIDTHS))
    solid = rng.random((rows, cols)) < rng.choice([0, 0.1, 0.3])
    arms = np.zeros((rows + 1, cols + 1), np.uint8)
    east = rng.random((rows + 1, cols)) < rng.choice([0, 0.1, 0.4])
    south = rng.random((rows, cols + 1)) < rng.choice([0, 0.1, 0.4])
    east[[0, -1]] = south[:, [0, -1]] = True
    for y, x in np.argwhere(solid).tolist():
        east[[y, y + 1], x] = south[y, [x, x + 1]] = True
    arms[:, :-1] |= np.where(east, EAST, 0).astype(np.uint8)
    arms[:-1] |= np.where(south, SOUTH, 0).astype(np.uint8)
    return arms, rows, cols


def random_space(rng, rows, cols):
    width, height = (min(int(rng.choice([1, 1, 2, 3])), most) for most in (cols, rows))
    return int(rng.integers(cols - width + 1)), int(rng.integers(rows - height + 1)), width, height


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_squares_one_after_the_other(chunk, counts):
    n, said = 0, 0
    for seed in range(chunk, MAPS, CHUNKS):
        rng = np.random.default_rng(seed)
        arms, rows, cols = random_arms(rng)
        spaces = [random_space(rng, rows, cols) for _ in range(8)]
        pairs = [(i, j) for i in range(8) for j in range(i)]
        pairs = [pairs[k] for k in rng.permutation(len(pairs))] if seed % 2 else pairs
        answers = joined(arms, spaces, pairs)
        # The bits of a row of the space, and what is told of spaces of one square, are the same from either end.
        for (i, j), answer in zip(pairs, answers, strict=True):
            forth, back = (steps_lead(arms, spaces[one], spaces[other]) for one, other in ((i, j), (j, i)))
            assert forth == back == answer, (seed, spaces[i], spaces[j])
        n, said = n + len(pairs), said + sum(answers)
    counts["pairs asked whether steps onward join them"] += n
    assert 0 < said < n


def with_more_edges(walls, rng):
    """The walls, and walls on many edges of squares."""
    inner = [(x, y, x, y + 1) for x in range(1, walls.cols) for y in range(walls.rows)]
    inner += [(x, y, x + 1, y) for x in range(walls.cols) for y in range(1, walls.rows)]
    return replace(walls, edges=walls.edges | {edge for edge in inner if rng.random() < 0.5})


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_joins_what_steps_do_not_join(chunk, counts):
    """Neither a line of effect, by the oracle, nor, of squares two rows and columns apart, a free line by the walk."""
    apart, lines = 0, 0
    for seed in range(chunk, MAPS, CHUNKS):
        it = seeded(seed, 3, 10, 6) if seed % 3 else seeded_slits(seed)
        walls = with_more_edges(it.walls, np.random.default_rng(seed))
        squares = squares_of((0, 0, walls.cols, walls.rows))
        far = [(p, q) for p in squares for q in squares if p < q and min(abs(p[0] - q[0]), abs(p[1] - q[1])) > 1]
        told = joined(support.indexed(walls).arms, [(*p, 1, 1) for p in squares], [[squares.index(p) for p in both] for both in far])
        far = [both for both, is_joined in zip(far, told, strict=True) if not is_joined]
        lines += 16 * len(far)
        some = [((*p, 1, 1), (*q, 1, 1)) for p, q in far[:: max(1, len(far) // 3)]]
        for a, b in some + [(it.a, it.b)] * (not are_joined(walls, it.a, it.b)):
            apart += 1
            assert not oracle.line_of_effect(walls, a, b), (seed, walls, a, b)
        assert set(support.masks(walls, far)) <= {0xFFFF}, (seed, walls)
    counts["pairs that steps do not join"] += apart
    counts["lines between far squares not joined"] += lines
    assert apart
    assert lines


def lead_inside(arms, squares, pairs):
    spaces = np.array([(*square, 1, 1) for square in squares], np.int64).reshape(-1, 4)
    return onward.lead_inside(arms, spaces, np.array(pairs, np.int64).reshape(-1, 2)).tolist()


def steps_lead_inside(arms, a, b):
    """Go from a square towards another through those that have a point in the inside of the hull of the two."""
    (ax, ay), (bx, by) = a, b
    x, y = (part.ravel() for part in np.meshgrid(range(min(ax, bx), max(ax, bx) + 1), range(min(ay, by), max(ay, by) + 1)))
    hull = shapely.MultiPolygon([shapely.box(u, v, u + 1, v + 1) for u, v in (a, b)]).convex_hull
    inside = shapely.relate_pattern(hull, shapely.box(x, y, x + 1, y + 1), "T********")
    left = set(zip(x[inside].tolist(), y[inside].tolist(), strict=True))
    right, down = (1 if ax <= bx else -1), (1 if ay <= by else -1)
    waiting, found = deque([a]), {a}
    while waiting:
        x, y = waiting.popleft()
        across = None if arms[y, x + (right > 0)] & SOUTH else (x + right, y)
        along = None if arms[y + (down > 0), x] & EAST else (x, y + down)
        for there in {across, along} & left - found:
            found.add(there)
            waiting.append(there)
    return b in found


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_squares_of_the_hull_one_after_the_other(chunk, counts):
    n, said = 0, 0
    for seed in range(chunk, MAPS, CHUNKS):
        rng = np.random.default_rng(seed)
        arms, rows, cols = random_arms(rng)
        squares = [(int(rng.integers(cols)), int(rng.integers(rows))) for _ in range(7)]
        squares += [(min(x + 1, cols - 1), y) for x, y in squares[:2]]
        pairs = [(i, j) for i in range(9) for j in range(9)]
        for (i, j), answer in zip(pairs, lead_inside(arms, squares, pairs), strict=True):
            assert answer == steps_lead_inside(arms, squares[i], squares[j]), (seed, squares[i], squares[j])
            said += answer
        n += len(pairs)
    name = "pairs asked whether steps inside their hull join them"
    counts[name] += n
    assert 0 < said < n


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_line_of_effect_without_steps_inside_the_hull(chunk, counts):
    """By the oracle, of squares between which steps onward lead, but none inside the hull."""
    denied = 0
    for seed in range(chunk, 2 * MAPS, CHUNKS):
        it = seeded(seed, 3, 10, 6) if seed % 3 else seeded_slits(seed)
        walls = with_more_edges(it.walls, np.random.default_rng(seed))
        arms, squares = support.indexed(walls).arms, squares_of((0, 0, walls.cols, walls.rows))
        pairs = [(i, j) for i in range(len(squares)) for j in range(i)]
        told = joined(arms, [(*square, 1, 1) for square in squares], pairs)
        inside = lead_inside(arms, squares, pairs)
        rest = [pair for pair, is_joined, leads in zip(pairs, told, inside, strict=True) if is_joined and not leads]
        for i, j in rest[:: max(1, len(rest) // 4)]:
            denied += 1
            a, b = ((*squares[k], 1, 1) for k in (i, j))
            assert not oracle.line_of_effect(walls, a, b), (seed, walls, a, b)
    name = "pairs that steps inside their hull do not join"
    counts[name] += denied
    assert denied


def test_of_larger_spaces_nothing_is_said():
    arms = np.full((4, 8), EAST | SOUTH, np.uint8)
    spaces = np.array([(0, 0, 2, 1), (5, 1, 1, 1), (0, 0, 1, 1)], np.int64)
    pairs = np.array([(0, 1), (1, 0), (1, 2)], np.int64)
    assert onward.lead_inside(arms, spaces, pairs).tolist() == [True, True, False]


@given(situations(largest_space=4, most_free=8) | slits(4))
def test_drawn_maps(it):
    if not are_joined(it.walls, it.a, it.b):
        assert not oracle.line_of_effect(it.walls, it.a, it.b)


@given(situations(largest_space=3))
def test_choices_that_may_be_free(it):
    """None is left out that has a free line by the walk; those in two regions are."""
    found = support.indexed(it.walls)
    cols, labels = it.walls.cols, regions.label_regions(found.arms)
    squares = np.array(
        [[y * cols + x for x, y in both] for both in ((p, q) for p in squares_of(it.a) for q in squares_of(it.b))], np.int64
    )
    starts, told = np.array([0, len(squares)], np.int64), np.array([are_joined(it.walls, it.a, it.b)])
    some = onward.choices_joined(labels, told, starts, squares, cols)
    within = regions.choices_within(labels, squares)
    assert set(some.tolist()) <= set(within.tolist())
    assert within.tolist() == np.flatnonzero(labels[squares[:, 0]] == labels[squares[:, 1]]).tolist()
    left_out = np.setdiff1d(np.arange(len(squares)), some)
    blocked = line.blocked_lines(*found.lines, squares, found.size)
    assert (blocked[left_out] == 0xFFFF).all()
    assert not told[0] or some.tolist() == within.tolist()


def test_to_and_fro_between_two_rows():
    """A line along an axis is free where the way beside it leads up, along and down again; no steps onward lead there."""
    walls = Walls(2, 12, 1, edges=frozenset({(3, 1, 3, 2), (6, 0, 6, 1), (9, 1, 9, 2)}))
    a, b = (0, 1), (11, 1)
    assert not are_joined(walls, (*a, 1, 1), (*b, 1, 1))
    assert not oracle.line_of_effect(walls, (*a, 1, 1), (*b, 1, 1))
    assert support.masks(walls, [(a, b)]) == [support.oracle_mask(walls, a, b)]
    assert support.masks(walls, [(a, b)]) != [0xFFFF]
    found = support.indexed(walls)
    squares = np.array([[12, 23]], np.int64)
    labels = regions.label_regions(found.arms)
    assert onward.choices_joined(labels, np.zeros(1, np.bool_), np.array([0, 1]), squares, 12).tolist() == [0]


@pytest.mark.parametrize("cols", [62, 63, 64, 126, 127, 190])
def test_a_row_of_several_words(cols):
    """From one end of a corridor to the other, both ways, unless a wall is somewhere in it."""
    ends = [(0, 0, 1, 1), (cols - 1, 0, 1, 1)]
    for wall in (None, 4, 31, cols - 4):
        walls = Walls(1, cols, 1, edges=frozenset() if wall is None else frozenset({(wall, 0, wall, 1)}))
        assert joined(support.indexed(walls).arms, ends, [(0, 1), (1, 0)]) == [wall is None] * 2
