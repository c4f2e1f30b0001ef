"""Walls part two spaces: never where the oracle has a line of effect, and surely where a plain chain of them lies across."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import oracle
import pytest
from hypothesis import given
from kernels import support
from kernels.census import map_of
from kernels.views import views
from oracle import Walls, squares_of
from strategies import seeded, seeded_slits, situations, slits

from gridlos.facts import Channel
from gridlos.kernels import band, effect, parted
from gridlos.kernels.touching import CROSSING, index_touching
from gridlos.questions.obstacles import obstacles_of

CHUNKS = 5
SCALE = {"reduced": 0.1, "default": 1, "thorough": 20}[support.PROFILE]
MAPS = int(60 * SCALE)


def are_parted(walls, spaces, pairs):
    found = support.indexed(walls)
    index = band.index_band(found.barriers, walls.rows, walls.cols, found.size)
    touching = index_touching(found.barriers, 0, index, index, walls.rows * walls.cols)
    asked = np.array(spaces, np.int64).reshape(-1, 4), np.array(pairs, np.int64).reshape(-1, 2)
    return parted.are_parted(found.barriers, index, touching, *asked, walls.rows, walls.cols, found.size).tolist()


def is_parted(walls, a, b):
    return are_parted(walls, [a, b], [(0, 1)])[0]


def are_apart(a, b):
    return not set(squares_of(a)) & set(squares_of(b))


def situation(seed):
    makers = (
        lambda: seeded(seed, 1),
        lambda: seeded(seed, 3, 10, 8),
        lambda: seeded(seed, 6, 10, 8),
        lambda: seeded_slits(seed),
        lambda: seeded(seed, 1, 8, 20),
    )
    return makers[seed % 5]()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_line_of_effect_between_parted_spaces(chunk, counts):
    """By the oracle for the two spaces of a situation, by the full part for other squares of its map."""
    n, said = 0, 0
    for seed in range(chunk, MAPS, CHUNKS):
        it = situation(seed)
        rng = np.random.default_rng(seed)
        free = [s for s in squares_of((0, 0, it.walls.cols, it.walls.rows)) if s not in it.walls.solid]
        spaces = [it.a, it.b] + [(*free[k], 1, 1) for k in rng.integers(len(free), size=6)]
        pairs = [(i, j) for i in range(len(spaces)) for j in range(i) if are_apart(spaces[i], spaces[j])]
        answers = are_parted(it.walls, spaces, pairs)
        full = support.effects(it.walls, [(spaces[i], spaces[j]) for i, j in pairs])
        for (i, j), answer, found in zip(pairs, answers, full, strict=True):
            n += 1
            said += answer
            if answer:
                undecided = found == effect.UNDECIDED
                joined = support.decides(it.walls, spaces[i], spaces[j]) if undecided else found == effect.YES
                assert not joined, (seed, it.walls, spaces[i], spaces[j])
        if are_apart(it.a, it.b) and is_parted(it.walls, it.a, it.b):
            assert not oracle.line_of_effect(it.walls, it.a, it.b), (seed, it)
    for name, count in (("pairs asked whether walls part them", n), ("of them parted", said)):
        counts[name] += count
    assert 0 < said < n


@given(situations(largest_space=4, most_free=8) | slits(4))
def test_drawn_maps(it):
    if are_apart(it.a, it.b) and is_parted(it.walls, it.a, it.b):
        assert not oracle.line_of_effect(it.walls, it.a, it.b)


S = 8
A, B = (0, 1, 1, 1), (5, 2, 1, 1)
OPEN = Walls(4, 6, S)
ACROSS = {
    "one wall": ((20, -3, 28, 40),),
    "a chain that shares ends": ((20, 0, 30, 11), (30, 11, 21, 20), (21, 20, 25, 40)),
    "walls that end on others": ((20, 0, 20, 18), (16, 18, 30, 18), (27, 18, 27, 32)),
    "walls that overlap": ((20, 0, 20, 18), (20, 12, 20, 32)),
    "walls that cross": ((20, 0, 20, 18), (12, 15, 30, 16), (27, 9, 27, 32)),
    "a wall from the border, and back to it": ((10, 0, 12, 20), (12, 20, 0, 22)),
    "a ring round one of them": ((38, 14, 47, 14), (47, 14, 47, 26), (47, 26, 38, 26), (38, 26, 38, 14)),
    "a ring round one of them through its own square": ((42, 18, 46, 18), (46, 18, 46, 22), (46, 22, 42, 22), (42, 22, 42, 18)),
    "a chain through a square of them": ((6, 0, 6, 13), (6, 13, 5, 32)),
}  # fmt: skip


@pytest.mark.parametrize("name", ACROSS)
def test_walls_across(name):
    """Take any of the walls away: where that leaves a line of effect, nothing parts them."""
    walls = replace(OPEN, segments=ACROSS[name])
    assert not oracle.line_of_effect(walls, A, B)
    for view in views(walls):
        assert is_parted(view.walls, view.space(A), view.space(B))
        assert is_parted(view.walls, view.space(B), view.space(A))
    for k in range(len(walls.segments)):
        fewer = replace(walls, segments=walls.segments[:k] + walls.segments[k + 1 :])
        assert not (is_parted(fewer, A, B) and oracle.line_of_effect(fewer, A, B))


@pytest.mark.parametrize("turned", range(4))
def test_a_tip_on_the_segment_between_the_centres(turned):
    """Walls that come from one border to the segment and go back part nothing, in whatever direction they are written."""
    a, b = (0, 1, 1, 1), (5, 1, 1, 1)
    tip = [(16, -1, 24, 12), (24, 12, 32, -1)]
    walls = replace(OPEN, segments=tuple((*wall[2:], *wall[:2]) if turned >> k & 1 else wall for k, wall in enumerate(tip)))
    assert oracle.line_of_effect(walls, a, b)
    for view in views(walls):
        for segments in (view.walls.segments, view.walls.segments[::-1]):
            assert not is_parted(replace(view.walls, segments=segments), view.space(a), view.space(b))
            assert not is_parted(replace(view.walls, segments=segments), view.space(b), view.space(a))


def test_a_bay_round_a_centre():
    """Its walls end behind the square, which nothing leaves on the way to the other one, inside the map."""
    a, b = (2, 1, 1, 1), (6, 2, 1, 1)
    bay = ((14, 10, 23, 10), (23, 10, 23, 15), (23, 15, 14, 15))
    walls = Walls(4, 8, S, segments=bay)
    assert not oracle.line_of_effect(walls, a, b)
    for view in views(walls):
        assert is_parted(view.walls, view.space(a), view.space(b))
    assert not is_parted(replace(walls, segments=((17, 10, 23, 10), *bay[1:])), a, b)


def test_grid_walls_across():
    """Solid squares and edges, and a free wall that closes the gap between them."""
    solid = frozenset({(2, 0), (2, 1)})
    walls = replace(OPEN, solid=solid, edges=frozenset({(3, 3, 3, 4)}))
    assert not is_parted(walls, A, B)
    for gap in ((24, 24, 24, 16), (20, 16, 24, 24), (24, 24, 18, 10)):
        assert is_parted(replace(walls, segments=(gap,)), A, B)
    assert not is_parted(replace(walls, segments=((24, 24, 24, 17),)), A, B)


@pytest.mark.parametrize(
    "wall",
    [(0, 12, 48, 12), (4, 12, 4, 30), (4, 12, 4, -3), (-20, 36, 28, -12), (4, 12, 44, 20), (44, 20, 44, 40), (44, 0, 44, 20)],
)  # fmt: skip
def test_walls_through_a_centre_part_nothing(wall):
    """The centre stands on both sides of them; what the other walls do is told all the same."""
    assert not is_parted(replace(OPEN, segments=(wall,)), A, B)
    assert is_parted(replace(OPEN, segments=(wall, (20, -3, 28, 40))), A, B)


def test_big_spaces():
    """Whole where no wall enters them, square by square where one does."""
    a, b = (0, 0, 2, 2), (4, 1, 2, 2)
    across = (20, -3, 28, 40)
    assert is_parted(replace(OPEN, segments=(across,)), a, b)
    assert is_parted(replace(OPEN, segments=(across, (6, 9, 11, 13))), a, b)
    assert not is_parted(replace(OPEN, segments=((9, 0, 9, 13), (9, 13, 0, 14))), a, b)
    assert not is_parted(OPEN, a, b)
    assert not is_parted(replace(OPEN, segments=(across,)), a, (1, 1, 4, 2))


@pytest.mark.parametrize("seed", range(3))
def test_which_walls_touch(seed):
    """Each barrier has those that it shares a point of the map with, and the place of it."""
    walls = seeded(3 * seed, 1, 8, 14).walls
    found = support.indexed(walls)
    index = band.index_band(found.barriers, walls.rows, walls.cols, found.size)
    touching = index_touching(found.barriers, 0, index, index, walls.rows * walls.cols).tolist()
    segments = [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in found.barriers.tolist()]
    border = (0, 0), (walls.cols * found.size, walls.rows * found.size)
    n = 0
    for v, one in enumerate(segments):
        listed = touching[touching[v] : touching[v + 1]]
        assert {code >> 3 for code in listed} <= set(range(len(segments))) - {v}
        for code in listed:
            other, place = segments[code >> 3], code & 7
            assert oracle.common_stretch(*one, other) is not None
            if place != CROSSING:
                assert oracle.on_wall((*one, *other)[place], other if place < 2 else one)
            n += 1
        for w, other in enumerate(segments):
            meeting = oracle.common_stretch(*one, other) if v != w else None
            if meeting and oracle.clipped(tuple(oracle.on_the_way(*one, t) for t in meeting), border):
                assert w in {code >> 3 for code in listed}
    assert n > 0 or len(segments) < 6


def test_obstacles_keep_what_they_index():
    obstacles = obstacles_of(map_of("cave"), Channel.EFFECT)
    assert obstacles.touching is obstacles.touching
    assert obstacles.band is obstacles.band
