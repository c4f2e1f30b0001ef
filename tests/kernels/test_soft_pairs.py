"""Creatures in the way, asked pair by pair: the kernel with lanes and without says what the walk and the oracle say."""

from __future__ import annotations

import os
from itertools import product

import numpy as np
import oracle_creatures as judge
import pytest
import shapely
from kernels.crowds import Crowd, all_pairs, ask, bodies_on, chooser, seeded_crowd, spaces_of, word
from kernels.test_soft import by_oracle, groups_of, lines_past, walked
from oracle_creatures import corner_of, passes_inside

from gridlos.kernels import lanes, soft_lanes, soft_pairs

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
MAPS = {"reduced": 7, "default": 140, "thorough": 4_000}[PROFILE]
LIMITS = (
    {},
    {"largest": 6, "size": 14},
    {"largest": 1, "most": 24, "size": 7},
    {"most": 16, "size": 6},
    {"most": 90, "size": 40},
    {"largest": 2, "most": 150, "size": 70},
    {"largest": 1, "most": 200, "size": 12},
)
"""From few creatures to more than are asked in one word, on maps wide and narrow."""


def compare(seed, kernel=soft_pairs.lines_past, choices=None):
    """Compare the kernel with the walk on one map, for both attackers of each pair; return lines and how many are blocked."""
    crowd, below = seeded_crowd(seed, **LIMITS[seed % len(LIMITS)]), chooser(seed)
    pairs = all_pairs(crowd)
    asked = ask(crowd, [pairs[below(len(pairs))] for _ in range(min(len(pairs), 24))], below, choices)
    expected = [walked(crowd, asked, end) for end in (0, 1)]
    assert lines_past(crowd, asked, kernel) == expected, seed
    return 32 * len(asked.squares), sum(bits.bit_count() for row in expected for bits in row)


def test_the_walk(counts):
    found = np.array([compare(seed) for seed in range(MAPS)]).sum(axis=0)
    counts["lines between creatures, pair by pair, as the walk"] += found[0]
    assert found[0] * 0.05 < found[1] < found[0] * 0.8


@pytest.mark.skipif(lanes.LANES == 1, reason="there are no lanes to do without")
def test_without_lanes(counts):
    plain = lanes.without_lanes(soft_pairs.lines_past, soft_lanes.PLAIN)
    found = np.array([compare(seed, plain) for seed in range(MAPS, MAPS + MAPS // 4)]).sum(axis=0)
    counts["lines between creatures, pair by pair, without lanes, as the walk"] += found[0]


def test_the_oracle_for_both_attackers(counts):
    """Who attacks decides who gives cover: the way back is asked as the second one's attack."""
    for seed in range(MAPS // 2):
        crowd, below = seeded_crowd(seed, **LIMITS[seed % 4]), chooser(seed)
        pairs = all_pairs(crowd)
        asked = ask(crowd, [pairs[below(len(pairs))] for _ in range(min(len(pairs), 8))], below, 4)
        forth, back = lines_past(crowd, asked)
        assert forth == by_oracle(crowd, asked), seed
        turned = [word(judge.soft_of(crowd.bodies, b, a, other, square)) for a, b, square, other in asked.choices]
        assert [turned_bits(bits) for bits in back] == turned, seed
        counts["lines between creatures, pair by pair, as the oracle"] += 32 * len(forth)


@pytest.mark.parametrize("is_upright", [False, True])
def test_a_seam_against_one_of_two_attackers(is_upright):
    """Two who give no cover against one side stand on both sides of a line of the grid."""
    spaces = [(0, 1, 1, 1), (8, 1, 1, 1), (3, 0, 1, 1), (3, 1, 1, 1)]
    spaces = [(y, x, height, width) for x, y, width, height in spaces] if is_upright else spaces
    ends = bodies_on(spaces[:1], side="party") + bodies_on(spaces[1:2], side="monsters")
    crowd = Crowd(9, 9, ends + bodies_on(spaces[2:], gives_cover=("monsters",)))
    asked = ask(crowd, [(0, 1), (1, 0)])
    assert lines_past(crowd, asked)[0] == by_oracle(crowd, asked)
    forth, back = (by_oracle(crowd, ask(crowd, [pair]))[0] for pair in ((0, 1), (1, 0)))
    assert forth != 0 == back
    assert lines_past(crowd, asked)[1] == [turned_bits(back), turned_bits(forth)]


def turned_bits(bits):
    """The lines with their two ends exchanged."""
    return sum((bits >> (4 * i + j) & 1) << (4 * j + i) for i, j in product(range(4), range(4)))


def test_one_group_has_one_answer():
    crowd = Crowd(3, 9, bodies_on([(0, 1, 1, 1), (8, 1, 1, 1), (4, 1, 1, 1)]))
    asked = ask(crowd, [(0, 1)])
    n = len(crowd.bodies)
    found = soft_pairs.lines_past(
        spaces_of(crowd),
        np.ones((1, n), np.bool_),
        np.zeros(n, np.int64),
        np.array([4, 5, 6, 7, 0, 1, 2], np.int32),
        asked.pairs,
        asked.starts,
        asked.squares,
        np.array((3, 9), np.int64),
    )
    assert found.shape == (1, 1)
    assert found[0].tolist() == by_oracle(crowd, asked)


def rectangles(dx, dy, sizes):
    """Spaces in and about the hull of two squares."""
    for width, height in sizes:
        xs = range(min(dx, 0) - width, max(dx, 0) + 2)
        ys = range(min(dy, 0) - height, max(dy, 0) + 2)
        yield from product(xs, ys, [width], [height])


REACH = 2 if PROFILE == "reduced" else 4
DISPLACEMENTS = [d for d in product(range(-REACH, REACH + 1), repeat=2) if d != (0, 0)]


def test_every_space_near_a_line():
    """All oblique lines from a square to those within four squares, and all spaces about them, with lanes and without."""
    for dx, dy in DISPLACEMENTS:
        lines = [
            (bit, p, q)
            for bit in range(16)
            for p, q in [(corner_of((0, 0), bit >> 2), corner_of((dx, dy), bit & 3))]
            if p[0] != q[0] and p[1] != q[1]
        ]
        for x, y, width, height in rectangles(dx, dy, ((1, 1), (2, 1), (1, 3), (3, 3))):
            expected = sum(passes_inside(p, q, (x, y, width, height)) << bit for bit, p, q in lines)
            space = x, y, x + width, y + height
            assert asked_of("space_hits")(dx, dy, *space) == expected, (dx, dy, space)
            assert soft_lanes.PLAIN["space_hits"](dx, dy, *space) == expected, (dx, dy, space)


def asked_of(name):
    """A function of lanes, as one that Python can call."""
    if lanes.LANES == 1:
        return soft_lanes.PLAIN[name]
    if name == "hull_hits":
        return _hull_hits
    return _space_hits if name == "space_hits" else _lowest_bit


@soft_pairs.kernel
def _hull_hits(table, place, xa, ya, dx, dy):
    return soft_lanes.hull_hits(table, place, xa, ya, dx, dy)


@soft_pairs.kernel
def _space_hits(dx, dy, left, top, right, bottom):
    return soft_lanes.space_hits(dx, dy, left, top, right, bottom)


@soft_pairs.kernel
def _lowest_bit(word):
    return soft_lanes.lowest_bit(word)


def test_every_space_near_a_hull():
    """Spaces that have a point in the inside of the hull of the two squares, and no others."""
    n = soft_lanes.N_SPACES
    for dx, dy in DISPLACEMENTS:
        spaces = list(rectangles(dx, dy, ((1, 1), (2, 1), (1, 3), (3, 3))))
        spaces += [spaces[0]] * (-len(spaces) % n)
        x, y, width, height = np.array(spaces).T
        hull = shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(dx, dy, dx + 1, dy + 1)]).convex_hull
        inside = shapely.relate_pattern(hull, shapely.box(x, y, x + width, y + height), "T********")
        table = np.array([2 * (x + 5) + width, 2 * (y + 7) + height, width, height], np.int32)
        for kernel in (asked_of("hull_hits"), soft_lanes.PLAIN["hull_hits"]):
            words = [kernel(table, place, 5, 7, dx, dy) for place in range(0, len(spaces), n)]
            found = [bool(bits >> k & 1) for bits in words for k in range(n)]
            assert found == inside.tolist(), (dx, dy)


def test_the_lowest_bit():
    for place in range(63):
        for bits in (1 << place, (1 << 62) | (1 << place)):
            assert asked_of("lowest_bit")(bits) == soft_lanes.PLAIN["lowest_bit"](bits) == place


@pytest.mark.parametrize("is_upright", [False, True])
def test_as_far_as_numbers_go(is_upright):
    """From one end of the largest map to the other, past creatures in between."""
    far = soft_lanes.LARGEST
    for at, other in product((1, far // 2, far - 3), ((0, 0), (0, 2), (1, 2))):
        spaces = [(0, other[0], 1, 1), (far - 1, other[1], 1, 1), (at, 0, 2, 2), (at, 2, 1, 1)]
        crowd = Crowd(3, far, bodies_on(spaces))
        if is_upright:
            crowd = Crowd(far, 3, bodies_on([(y, x, height, width) for x, y, width, height in spaces]))
        asked = ask(crowd, [(0, 1), (1, 0)])
        assert lines_past(crowd, asked)[0] == by_oracle(crowd, asked)


@pytest.mark.skipif(PROFILE == "reduced", reason="too large for plain Python")
def test_from_corner_to_corner_of_the_largest_map():
    far = soft_lanes.LARGEST
    middle = [(k, k + off, 1 + k % 2, 1) for k, off in ((4_000, 0), (4_001, -2), (4_096, 1), (4_095, 0), (8_000, 2))]
    for ends in (((0, 0), (far - 1, far - 1)), ((far - 2, far - 1), (1, 0))):
        crowd = Crowd(far, far, bodies_on([(*at, 1, 1) for at in ends] + middle))
        asked = ask(crowd, [(0, 1)])
        assert lines_past(crowd, asked)[0] == by_oracle(crowd, asked)
    assert not soft_pairs.is_faster(far + 1, 1, 3)
    assert not soft_pairs.is_faster(1, far + 1, 3)


def test_many_in_one_square_and_none_at_all():
    """Seams are counted by those who give cover, however many share a square."""
    stacked = [(0, 1, 1, 1), (8, 1, 1, 1)] + [(3, 0, 1, 1)] * 70 + [(3, 1, 1, 1)] * 70
    crowd = Crowd(3, 9, bodies_on(stacked))
    asked = ask(crowd, [(0, 1), (1, 0)])
    assert lines_past(crowd, asked)[0] == by_oracle(crowd, asked)
    nobody = Crowd(3, 9, bodies_on(stacked, gives_cover=False))
    assert lines_past(nobody, ask(nobody, [(0, 1)])) == [[0], [0]]
    assert len(groups_of(nobody)[0]) == 1
