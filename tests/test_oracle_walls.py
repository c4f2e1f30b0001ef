"""The oracle of limited and one-way walls against published situations, a second judge, and the plain oracle."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from math import atan2, ceil, cos, hypot, pi, sin

import oracle
import pytest
import tube
from hypothesis import given, settings
from oracle import Walls, common_stretch, corner_of, on_the_way, on_wall, squares_of
from oracle_walls import (
    BLOCKED,
    Special,
    blocked_nibbles,
    cut_off,
    is_proof,
    leg_toll,
    line_of_effect,
    toll,
    tolled,
    tolls,
)
from strategies import build_situation, seeded, seeded_slits, situations

MARGIN = 3


def ground(cols, rows, s=1, **segments):
    """Open ground with a margin, and segments in squares of its own."""
    moved = {
        name: tuple(tuple(round(s * (v + MARGIN)) for v in wall) for wall in walls) for name, walls in segments.items()
    }
    hard = moved.pop("hard", ())
    return Special(Walls(rows + 2 * MARGIN, cols + 2 * MARGIN, s, segments=hard), **moved)


def at(x, y):
    return x + MARGIN, y + MARGIN


def space(x, y, width=1, height=1):
    return x + MARGIN, y + MARGIN, width, height


def values(special, a, b):
    return {cost for row in tolls(special, at(*a), at(*b)) for cost in row}


# ---- published situations


def test_terrain_walls():
    """CASES 47: the first is seen through, the second not."""
    one = [(4, 0, 4, 6)]
    special = ground(8, 6, limited=one)
    assert values(special, (1, 2), (6, 2)) == {1}
    assert line_of_effect(special, space(1, 2), space(6, 2))
    special = ground(8, 6, limited=[*one, (5, 0, 5, 6)])
    assert values(special, (1, 2), (6, 2)) == {2}
    assert not line_of_effect(special, space(1, 2), space(6, 2))
    assert line_of_effect(special, space(1, 2), space(4, 2))


DOWN, UP = (4, 0, 4, 6), (4, 6, 4, 0)


@pytest.mark.parametrize(("wall", "is_stopped"), [(DOWN, "from the east"), (UP, "from the west")])
def test_one_way_walls(wall, is_stopped):
    """CASES 62: what a wall drawn downward stops comes from the east; swapping its ends swaps the sides."""
    special = ground(8, 6, one_way=[wall])
    for a, b, where in (((1, 2), (6, 2), "from the west"), ((6, 2), (1, 2), "from the east")):
        assert values(special, a, b) == ({2} if where == is_stopped else {0})
        assert line_of_effect(special, space(*a), space(*b)) == (where != is_stopped)
    double = ground(8, 6, one_way=[wall, wall[2:] + wall[:2]])
    assert values(double, (1, 2), (6, 2)) == values(double, (6, 2), (1, 2)) == {2}


def test_in_line_with_a_one_way_wall():
    """CASES 62: a line along the wall is free in both directions, while nobody stands on the far side."""
    special = ground(8, 9, one_way=[(4, 3, 4, 6)])
    for x in (3, 4):
        there, back = (corner_line(special, (x, 0), (x, 8)), corner_line(special, (x, 8), (x, 0)))
        assert there == back == {0}
        assert line_of_effect(special, space(x, 0), space(x, 8))
        assert line_of_effect(special, space(x, 8), space(x, 0))
    big = space(3, 0, 2, 2)
    assert line_of_effect(special, big, space(3, 8))
    assert line_of_effect(special, space(4, 8), big)


def corner_line(special, a, b):
    """The tolls of the lines along x = 4."""
    ca = [c for c in range(4) if a[0] + (c & 1) == 4]
    cb = [c for c in range(4) if b[0] + (c & 1) == 4]
    return {toll(special, at(*a), i, at(*b), j) for i, j in product(ca, cb)}


def test_from_one_side_of_a_one_way_wall_to_the_other_along_it():
    """The centres stand on both sides of the wall, and the line runs along it: it stops from its left only."""
    special = ground(8, 6, one_way=[(0, 2, 8, 2)])  # drawn eastward: its left is the north
    assert toll(special, at(1, 1), 3, at(6, 2), 0) == BLOCKED
    assert toll(special, at(6, 2), 0, at(1, 1), 3) == 0


OUTLINE = [(2, 0, 6, 0), (6, 0, 6, 4), (6, 4, 2, 4), (2, 4, 2, 0)]
SECOND = [(11, 0, 13, 0), (13, 0, 13, 4), (13, 4, 11, 4), (11, 4, 11, 0)]
STRIP = [(6, 0, 11, 0), (6, -1, 11, -1)]


@pytest.mark.parametrize("strip", [[], STRIP], ids=["apart", "joined far away"])
def test_inside_an_outline(strip):
    """CASES 82: out of the own one is one crossing, through a second one three."""
    special = ground(16, 5, limited=[*OUTLINE, *SECOND, *strip])
    assert line_of_effect(special, space(3, 1), space(9, 1))
    assert line_of_effect(special, space(3, 1), space(4, 2))
    assert not line_of_effect(special, space(3, 1), space(15, 1))
    assert values(special, (3, 1), (9, 1)) == {1}
    assert values(special, (3, 1), (4, 2)) == {0}
    assert values(special, (3, 1), (15, 1)) == {2}


# ---- the sentences of the contract: A's corner 1 at (1, 1), T's corner 0 at (4, 1), hard and limited walls; the toll
ALONG = {
    "nothing": ({}, 0),
    "one across": ({"limited": [(2, 0, 2, 2)]}, 1),
    "the same twice": ({"limited": [(2, 0, 2, 2), (2, 2, 2, 0), (2, 1, 2, 3)]}, 1),
    "two halves that meet on the line": ({"limited": [(2, 0, 2, 1), (2, 1, 2, 2)]}, 1),
    "a bend on the line": ({"limited": [(2, 0, 2, 1), (2, 1, 3, 2)]}, 1),
    "a cross on the line": ({"limited": [(2, 0, 2, 2), (1, 0, 3, 2)]}, 1),
    "a cross beside the line": ({"limited": [(2, 0, 2, 2), (1, -1, 3, 2)]}, 2),
    "a tip": ({"limited": [(2, 0, 2, 1)]}, 0),
    "tips from both sides at different points": ({"limited": [(2, 0, 2, 1), (3, 1, 3, 2)]}, 0),
    "two tips from one side at one point": ({"limited": [(2, 0, 2, 1), (3, 0, 2, 1)]}, 0),
    "along": ({"limited": [(2, 1, 3, 1)]}, 0),
    "on it, along it, off it on the other side": ({"limited": [(2, 0, 2, 1), (2, 1, 3, 1), (3, 1, 3, 2)]}, 1),
    "on it, along it, off it on the same side": ({"limited": [(2, 0, 2, 1), (2, 1, 3, 1), (3, 1, 3, 0)]}, 0),
    "two across": ({"limited": [(2, 0, 2, 2), (3, 0, 3, 2)]}, 2),
    "a hard wall on the left, a limited tip on the right": ({"hard": [(2, 0, 2, 1)], "limited": [(2, 1, 2, 2)]}, 1),
    "a hard wall over the limited one": ({"hard": [(2, 0, 2, 2)], "limited": [(2, 0, 2, 2)]}, 2),
    "at the start, the square beyond": ({"limited": [(1, 0, 1, 3)]}, 1),
    "at the start, over the first corner": ({"limited": [(0, 0, 2, 2)]}, 1),
    "over the leg, through the centre": ({"limited": [(0, 1, 1, 2)]}, 0),
    "over the leg, off its centre": ({"limited": [(0.5, 1, 1, 1.5)]}, 1),
    "over the leg and across": ({"limited": [(0.5, 1, 1, 1.5), (2, 0, 2, 2)]}, 2),
    "one-way from the west": ({"one_way": [(2, 2, 2, 0)]}, 2),
    "one-way from the east": ({"one_way": [(2, 0, 2, 2)]}, 0),
    "limited from the west": ({"limited_one_way": [(2, 2, 2, 0)]}, 1),
    "limited from the east": ({"limited_one_way": [(2, 0, 2, 2)]}, 0),
    "limited from the west twice": ({"limited_one_way": [(2, 2, 2, 0), (3, 2, 3, 0)]}, 2),
    "tips on both sides, one lets pass": ({"hard": [(2, 0, 2, 1)], "one_way": [(2, 1, 2, 2)]}, 0),
    "tips on both sides, none lets pass": ({"hard": [(2, 0, 2, 1)], "one_way": [(2, 2, 2, 1)]}, 2),
}


@pytest.mark.parametrize("name", ALONG)
def test_the_toll_of_a_line(name):
    walls, expected = ALONG[name]
    special = ground(6, 4, s=2, **walls)
    assert toll(special, at(0, 1), 1, at(4, 1), 0) == expected
    assert nudged_toll(special, at(0, 1), 1, at(4, 1), 0) in (None, expected)


def test_corners_cut_off_from_outside_and_from_inside():
    special = ground(3, 3, s=2, one_way=[(0.5, 1, 1, 1.5)])  # the corner (1, 1) lies on its left
    assert leg_toll(special, at(0, 1), 1, is_outward=True) == 0
    assert cut_off(special, at(0, 1), 1, is_outward=False)


# ---- with hard walls only, the plain oracle


def mixed(it, seed):
    """The free walls of a situation, of all kinds."""
    rng = random.Random(seed)
    groups = ([], [], [], [])
    for wall in it.walls.segments:
        groups[rng.randrange(4)].append(wall)
    hard, *others = map(tuple, groups)
    return Special(replace(it.walls, segments=hard), *others)


@pytest.mark.parametrize("seed", range(14))
def test_hard_walls(seed):
    it = seeded(seed, largest_space=2) if seed % 2 else seeded_slits(seed, 2)
    a, b = it.a[:2], it.b[:2]
    both_ways = it.walls.segments + tuple(wall[2:] + wall[:2] for wall in it.walls.segments)
    for special in (Special(it.walls), Special(replace(it.walls, segments=()), one_way=both_ways)):
        assert blocked_nibbles(special, a, b) == oracle.blocked_nibbles(it.walls, a, b)
        assert all(cut_off(special, a, c) == oracle.cut_off(it.walls, a, c) for c in range(4))
    special = Special(it.walls)
    assert values_of(special, it) <= {0, 2}
    assert line_of_effect(special, it.a, it.b) == oracle.line_of_effect(it.walls, it.a, it.b)


def values_of(special, it):
    return {cost for row in tolls(special, it.a[:2], it.b[:2]) for cost in row}


# ---- the second judge: the cheapest way round the discs, step by step on small circles, in floats

RADIUS, ASIDE, FINE = 1e-3, 1e-6, 1e-9


def crossing_price(path, walls):
    """The dearest wall that a polyline crosses; None if it ends on one."""
    price = 0
    for (x0, y0), (x1, y1) in pairwise(path):
        dx, dy = x1 - x0, y1 - y0
        for ((vx, vy), (wx, wy)), (from_left, from_right) in walls:
            ex, ey = wx - vx, wy - vy
            slant = ex * dy - ey * dx
            if slant == 0:
                continue
            on_path, on_it = (ex * (vy - y0) - ey * (vx - x0)) / slant, (dx * (vy - y0) - dy * (vx - x0)) / slant
            if -FINE < on_path < 1 + FINE and -FINE < on_it < 1 + FINE:
                price = max(price, from_left if slant > 0 else from_right)
    return price


def circle(middle, start, end, sense):
    """Points on a small circle from one angle to another, in one sense."""
    sweep = (end - start) % (2 * pi) if sense > 0 else -((start - end) % (2 * pi))
    n = max(1, ceil(abs(sweep) / 0.2))
    return [
        (middle[0] + RADIUS * cos(start + sweep * k / n), middle[1] + RADIUS * sin(start + sweep * k / n))
        for k in range(n + 1)
    ]


def legs_and_line(special, a, ca, b, cb):
    """The three straight parts of the path, each with the walls that count on it."""
    base, walls = special.base, tolled(special)
    (start, p), (end, q) = (
        (oracle.centre_of(base, square), corner_of(base, square, corner)) for square, corner in ((a, ca), (b, cb))
    )
    yield start, p, [w for w in walls if not on_wall(start, w[0])]
    if p != q:
        yield p, q, list(walls)
    yield q, end, [w for w in walls if not on_wall(end, w[0])]


def stops_of(special, a, ca, b, cb):
    """Every place at which something happens: the place, the direction in, the direction out, the walls."""
    everything = list(tolled(special))
    before = None
    for start, end, walls in legs_and_line(special, a, ca, b, cb):
        direction = (end[0] - start[0], end[1] - start[1])
        if before is not None:
            yield start, before, direction, everything
        met = {t for wall, _ in walls if (m := common_stretch(start, end, wall)) is not None for t in m}
        for t in sorted(met - {0, 1}):
            yield on_the_way(start, end, t), direction, direction, walls
        before = direction


def angle_beside(direction, side, is_behind):
    """The angle, seen from a stop, at which a path lies a little beside the way that comes in or goes out."""
    x, y = direction
    length = hypot(x, y)
    x, y = x / length, y / length
    along = -RADIUS if is_behind else RADIUS
    return atan2(along * y + side * ASIDE * x, along * x - side * ASIDE * y)


def nudged_toll(special, a, ca, b, cb):
    """The toll of a line; None where walls lie too near beside it for floats."""
    paths = [(start, end) for start, end, _ in legs_and_line(special, a, ca, b, cb)]
    lines = [tube.LineString([tuple(map(float, end)) for end in wall]) for wall, _ in tolled(special)]
    if tube.is_doubtful(lines, paths):
        return None
    best = {-1: 0, 1: 0}
    for place, arriving, leaving, walls in stops_of(special, a, ca, b, cb):
        middle = float(place[0]), float(place[1])
        here = [
            (tuple(tuple(map(float, end)) for end in wall), costs)
            for wall, costs in walls
            if on_wall(place, wall)
        ]  # fmt: skip
        following = {}
        for (side, cost), other, sense in product(best.items(), (-1, 1), (-1, 1)):
            angles = angle_beside(arriving, side, is_behind=True), angle_beside(leaving, other, is_behind=False)
            price = cost + crossing_price(circle(middle, *angles, sense), here)
            following[other] = min(following.get(other, BLOCKED), price)
        best = following
    return min(best.values())


def test_the_cheapest_nudged_path():
    said, abstained, kinds = 0, 0, set()
    for seed in range(160):
        it = seeded(seed, 1, largest=6, most_free=8)
        special = mixed(it, seed)
        rng = random.Random(seed)
        for _ in range(4):
            line = (it.a[:2], rng.randrange(4), it.b[:2], rng.randrange(4))
            other = nudged_toll(special, *line)
            abstained += other is None
            if other is not None:
                said += 1
                kinds.add(other)
                assert toll(special, *line) == other, (seed, special, line)
    assert abstained <= said / 10
    assert kinds == {0, 1, 2}


SEEDS = (*range(3000, 3009), 3022, 3025, 3032, 3039, 3046)  # where nobody sees anybody is rare


@cache
def effect(special, a, b, budget):
    return line_of_effect(special, a, b, budget)


def test_sampling_finds_no_segment_that_the_oracle_denies():
    denied, granted, missed = 0, 0, 0
    for seed in SEEDS:
        it = seeded(seed, 2, largest=6, most_free=8) if seed % 2 else seeded_slits(seed, 2)
        special, rng = mixed(it, seed), random.Random(seed)
        if set(squares_of(it.a)) & set(squares_of(it.b)):
            continue
        for budget in ("each", "path"):
            segments = (
                [
                    (unit * rng.uniform(x, x + width), unit * rng.uniform(y, y + height))
                    for x, y, width, height in (it.a, it.b)
                ]
                for unit in [2 * it.walls.subdivisions] * 80
            )
            is_found = any(is_proof(special, it.a, it.b, exactly(segment), budget) for segment in segments)
            if effect(special, it.a, it.b, budget):
                granted += 1
                missed += not is_found
            else:
                denied += 1
                assert not is_found, (seed, budget)
    assert denied >= 6
    assert missed <= granted / 3


def exactly(segment):
    return [tuple(oracle.Fraction(value).limit_denominator(10**6) for value in point) for point in segment]


# ---- properties


def drawn_backwards(special):
    """Every one-way wall the other way round."""
    return replace(
        special,
        one_way=tuple(wall[2:] + wall[:2] for wall in special.one_way),
        limited_one_way=tuple(wall[2:] + wall[:2] for wall in special.limited_one_way),
    )


def mirrored(special):
    """Left to right; a one-way wall then stops from the other of its sides, so it is drawn backwards too."""
    base = special.base
    s, cols = base.subdivisions, base.cols

    def flip(walls):
        return tuple((s * cols - x0, y0, s * cols - x1, y1) for x0, y0, x1, y1 in walls)

    base = replace(
        base,
        solid=frozenset((cols - 1 - x, y) for x, y in base.solid),
        edges=frozenset((cols - x1, y0, cols - x0, y1) for x0, y0, x1, y1 in base.edges),
        segments=flip(base.segments),
    )
    found = Special(base, flip(special.limited), flip(special.one_way), flip(special.limited_one_way))
    return drawn_backwards(found)


@settings(max_examples=15, deadline=None)
@given(situations(largest_space=2, largest=6, most_free=6))
def test_the_way_back_is_the_way_through_walls_drawn_backwards(it):
    special, a, b = mixed(it, 1), it.a[:2], it.b[:2]
    there, back = tolls(special, a, b), tolls(drawn_backwards(special), b, a)
    assert all(there[ca][cb] == back[cb][ca] for ca in range(4) for cb in range(4))
    assert effect(special, it.a, it.b, "each") == effect(drawn_backwards(special), it.b, it.a, "each")


@settings(max_examples=15, deadline=None)
@given(situations(largest_space=2, largest=6, most_free=6))
def test_mirrored(it):
    special = mixed(it, 2)
    cols = it.walls.cols
    a, b = ((cols - x - w, y, w, h) for x, y, w, h in (it.a, it.b))
    there = tolls(special, it.a[:2], it.b[:2])
    found = tolls(mirrored(special), (cols - 1 - it.a[0], it.a[1]), (cols - 1 - it.b[0], it.b[1]))
    assert all(there[ca][cb] == found[ca ^ 1][cb ^ 1] for ca in range(4) for cb in range(4))
    assert effect(special, it.a, it.b, "each") == effect(mirrored(special), a, b, "each")


@settings(max_examples=15, deadline=None)
@given(situations(largest_space=2, largest=6, most_free=6))
def test_a_limited_wall_is_between_none_and_a_hard_one(it):
    walls, a, b = it.walls, it.a[:2], it.b[:2]
    bare = replace(walls, segments=())
    found = tolls(Special(bare, limited=walls.segments), a, b)
    least, most = tolls(Special(bare), a, b), tolls(Special(walls), a, b)
    for ca, cb in product(range(4), range(4)):
        assert least[ca][cb] <= found[ca][cb] <= most[ca][cb]
    if line_of_effect(Special(walls), it.a, it.b):
        assert effect(Special(bare, limited=walls.segments), it.a, it.b, "path")


@settings(max_examples=12, deadline=None)
@given(situations(largest_space=2, largest=6, most_free=5))
def test_split_and_duplicate_walls(it):
    special, rng = mixed(it, 3), random.Random(str(it))
    a, b = it.a[:2], it.b[:2]

    def finer(walls):
        return tuple(tuple(12 * value for value in wall) for wall in walls)

    def broken(walls):
        pieces = []
        for x0, y0, x1, y1 in walls:
            low, high = sorted(rng.randint(0, 12) for _ in range(2))
            for start, end in ((0, high), (low, 12), (low, low)):
                pieces.append(tuple(12 * v + k * (w - v) for k in (start, end) for v, w in ((x0, x1), (y0, y1))))
        rng.shuffle(pieces)
        return tuple(pieces)

    base = replace(special.base, subdivisions=12 * special.base.subdivisions)
    whole = Special(
        replace(base, segments=finer(base.segments)), *map(finer, (special.limited, special.one_way)),
        finer(special.limited_one_way),
    )  # fmt: skip
    parts = Special(
        replace(base, segments=broken(base.segments)), *map(broken, (special.limited, special.one_way)),
        broken(special.limited_one_way),
    )  # fmt: skip
    assert tolls(special, a, b) == tolls(whole, a, b) == tolls(parts, a, b)
    assert effect(whole, it.a, it.b, "each") == effect(parts, it.a, it.b, "each")


def test_limited_walls_are_mutual():
    for seed in range(12):
        rng = random.Random(seed)
        it = build_situation(rng.randrange, 2, 6, 6)
        special = Special(replace(it.walls, segments=()), limited=it.walls.segments)
        there, back = tolls(special, it.a[:2], it.b[:2]), tolls(special, it.b[:2], it.a[:2])
        assert all(there[ca][cb] == back[cb][ca] for ca in range(4) for cb in range(4))
        assert line_of_effect(special, it.a, it.b) == line_of_effect(special, it.b, it.a)
