"""The oracle of walls with bands against published situations, the oracles without bands, and its own promises."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import oracle
import oracle_walls
import pytest
from oracle import Walls, squares_of
from oracle_heights import (
    BLOCKED,
    HARD,
    Banded,
    Body,
    Heights,
    code,
    cut_off,
    find_segment,
    hidden,
    hidden_between_centres,
    is_free_segment,
    leg_toll,
    square_sides,
    tagged,
    toll,
    usable_corners,
)
from oracle_walls import LIMITED, LIMITED_ONE_WAY, ONE_WAY
from strategies import seeded, seeded_slits

CORNERS = list(product(range(4), range(4)))
LOW = (5, "5-10-5")
MARGIN = 3


def ground(cols, rows, *banded, plain=()):
    """Open ground with a margin; walls in whole squares of its own."""
    moved = tuple(replace(w, wall=tuple((x + MARGIN, y + MARGIN) for x, y in w.wall)) for w in banded)
    moved = tuple(w if w.own is None else replace(w, own=at(*w.own)) for w in moved)
    segments = tuple(tuple(v + MARGIN for v in wall) for wall in plain)
    return Heights(Walls(rows + 2 * MARGIN, cols + 2 * MARGIN, 1, segments=segments), moved)


def at(x, y):
    return x + MARGIN, y + MARGIN


def human(x, y, feet=0):
    return Body((x + MARGIN, y + MARGIN, 1, 1), feet, feet + 6)


def all_hidden(heights, a, t, low=None):
    """The hidden fractions of the lines between two creatures of one square, by attacker's corner."""
    square_a, square_b = a.space[:2], t.space[:2]
    return [[hidden(heights, a, square_a, ca, t, square_b, cb, low) for cb in range(4)] for ca in range(4)]


def has_cover(heights, a, t, low=LOW, least=1):
    """Whether some line is hidden from every corner of the attacker."""
    return all(any(code(h) >= least for h in row) for row in all_hidden(heights, a, t, low))


def low(wall, top=3, bottom=0, **more):
    return Banded(wall, Fraction(bottom), Fraction(top), **more)


def tags(heights, a, t, word, with_low=LOW):
    """Whether the lines between two creatures are tagged with a word: the answers that occur."""
    return {tagged(heights, a, a.space[:2], ca, t, t.space[:2], cb, word, 1, with_low) for ca, cb in CORNERS}


def test_codes():
    quarters = (0, 0), (Fraction(1, 4), 1), (Fraction(3, 8), 1), (Fraction(1, 2), 3), (Fraction(5, 8), 3)
    assert all(code(h) == c for h, c in (*quarters, (Fraction(3, 4), 5), (Fraction(33, 40), 5), (1, 7)))
    between = [Fraction(24, 100), Fraction(38, 100), Fraction(49, 100), Fraction(63, 100), Fraction(74, 100)]
    assert [code(h) for h in (*between, Fraction(83, 100))] == [0, 2, 2, 4, 4, 6]


# ---- published situations


def test_a_wall_as_high_as_the_standing_place():
    """CASES 81."""
    heights = ground(12, 6, Banded(((4, 0), (4, 6)), Fraction(0), Fraction(10)))
    storey = replace(heights, banded=(*heights.banded, *ground(12, 6, Banded(((4, 0), (4, 6)), 20, 30)).banded))
    for scene in (heights, storey):
        above, below, far = human(1, 2, 10), human(6, 2), human(10, 2)
        assert all_hidden(scene, above, human(6, 2, 10)) == [[0] * 4] * 4
        assert all_hidden(scene, human(1, 2), below) == [[1] * 4] * 4
        for row, left in zip(all_hidden(scene, above, far), (1, 2, 1, 2), strict=True):
            places = [Fraction(4 - left, right - left) for right in (10, 11, 10, 11)]
            assert row == [10 * s / 6 for s in places]
        nearer = all_hidden(scene, above, far)[1]
        assert [round(float(h), 2) for h in nearer] == [0.42, 0.37, 0.42, 0.37]
        assert round(float(hidden_between_centres(scene, above, far)), 2) == 0.46
        assert round(float(hidden_between_centres(scene, far, above)), 2) == 0.46
        assert not has_cover(scene, above, far)
        assert has_cover(scene, above, far, low=None)
        assert not has_cover(scene, above, far, low=None, least=3)
        assert has_cover(scene, far, above)
        back = all_hidden(scene, far, above)
        assert min(sum(code(h) >= 3 for h in row) for row in back) == 2


CASES_63 = [
    ((5, 6), True), ((5, 7), False), ((3, 7), True), ((4, 9), False), ((0, 11), True), ((0, 12), False),
    ((-2, 12), False),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "expected"), CASES_63)
def test_low_wall(columns, expected):
    """CASES 63: within 30 feet, and not if the attacker is closer; without the rule distance plays no role."""
    heights = ground(14, 4, Banded(((6, 0), (6, 4)), Fraction(0), Fraction(3)))
    a, t = (human(x, 1) for x in columns)
    assert has_cover(heights, a, t) == expected
    assert has_cover(heights, a, t, low=(5, "1")) == expected
    assert has_cover(heights, a, t, low=None)
    assert all_hidden(heights, a, t) == [[Fraction(1, 2)] * 4] * 4
    higher = ground(14, 4, Banded(((6, 0), (6, 4)), Fraction(0), Fraction(4)))
    assert has_cover(higher, a, t)


RULES = [  # attacker's, low square's, target's column; how many lines are hidden from the best corner, there and back
    ("C38", 0, 6, 7, 2, 0), ("C39", 5, 6, 12, 0, 2), ("C40", 0, 6, 13, 0, 2), ("C41", 3, 6, 9, 2, 2),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "a", "wall", "t", "there", "back"), RULES)
def test_rules_of_low_squares(rule, a, wall, t, there, back):
    """RULES C38 to C41, on one row."""
    heights = ground(14, 3, *square_sides((wall, 1), 1, Fraction(0), Fraction(3)))
    for one, other, expected in ((a, t, there), (t, a, back)):
        found = all_hidden(heights, human(one, 1), human(other, 1), LOW)
        assert min(sum(code(h) >= 1 for h in row) for row in found) == expected, rule


@pytest.mark.parametrize(("wall", "t"), [(1, 1), (2, 3)], ids=["C09", "C10"])
def test_rules_of_low_edges(wall, t):
    """RULES C09 and C10: neither is closer to the low edge, so both have cover."""
    heights = ground(4, 3, low(((wall, -1), (wall, 4))))
    for a, b in ((0, t), (t, 0)):
        assert has_cover(heights, human(a, 1), human(b, 1))
        assert all_hidden(heights, human(a, 1), human(b, 1), None) == [[Fraction(1, 2)] * 4] * 4


LOW_SQUARES = [((0, 14), True), ((0, 15), False), ((6, 11), False), ((5, 11), True)]


@pytest.mark.parametrize(("columns", "expected"), LOW_SQUARES)
def test_row_of_low_squares(columns, expected):
    """Both measure to the low square itself, here in column 8: six squares to it are 30 feet."""
    sides = [w for y in (0, 1, 2) for w in square_sides((8, y), 1, Fraction(0), Fraction(3))]
    assert has_cover(ground(20, 3, *sides), *(human(x, 1) for x in columns)) == expected


def test_words_and_slits():
    """A slit counts against nobody who stands beside it, unless the target stands as near."""
    slit = Banded(((4, 0), (4, 3)), word="improved", slit=True)
    heights = ground(9, 3, slit)
    for a, t, expected in (((3, 1), (8, 1), {False}), ((8, 1), (3, 1), {True}), ((2, 1), (8, 1), {True})):
        for with_low in (LOW, None):
            assert tags(heights, human(*a), human(*t), "improved", with_low) == expected
        assert tags(heights, human(*a), human(*t), "standard") == {False}
        assert all_hidden(heights, human(*a), human(*t)) == [[0] * 4] * 4
        assert toll(heights, human(*a), at(*a), 0, human(*t), at(*t), 0) == BLOCKED
    a, t = human(3, 1), human(4, 1)
    assert tagged(heights, a, at(3, 1), 0, t, at(4, 1), 1, "improved")
    assert tags(ground(9, 3, replace(slit, slit=False)), human(3, 1), human(8, 1), "improved") == {True}
    less = replace(slit, slit=False, bottom=Fraction(0), top=Fraction(7, 5))
    assert tags(ground(9, 3, less), human(3, 1), human(8, 1), "improved") == {False}


# ---- single lines: from the corner (1, 1) to (4, 1), the squares above it; two lattice units a square


def one_line(*banded, a=(0, 6), t=(0, 6)):
    """(Hidden fraction, toll) of the line from (1, 1) to (4, 1)."""
    moved = tuple(replace(w, wall=tuple((int(2 * x + 6), int(2 * y + 6)) for x, y in w.wall)) for w in banded)
    square_a, square_b = (3, 3), (7, 3)
    bodies = [Body((*square, 1, 1), *map(Fraction, ends)) for square, ends in ((square_a, a), (square_b, t))]
    line = Heights(Walls(9, 12, 2), moved), bodies[0], square_a, 3, bodies[1], square_b, 2
    return hidden(*line), toll(*line)


def limited(*walls):
    return [Banded(wall, tolls=LIMITED) for wall in walls]


UP, DOWN_ON, ALONG = ((2, 0), (2, 1)), ((3, 2), (3, 1)), ((2, 1), (3, 1))
LINES = {
    "across": ([low(((2, 0), (2, 2)))], Fraction(1, 2), 0),
    "two across, each for itself": ([low(((2, 0), (2, 2))), low(((3, 0), (3, 2)), 6, 3)], Fraction(1, 2), 0),
    "two at one place": ([low(((2, 0), (2, 2))), low(((1, 0), (3, 2)), 6, 3)], 1, 2),
    "three at one place": ([low(((2, 0), (2, 2)), 2), low(((1, 0), (3, 2)), 5, 3)], Fraction(2, 3), 0),
    "a bend of a low and a high wall": ([low(UP), low(((2, 1), (3, 2)), 5)], Fraction(1, 2), 0),
    "tips at different places": ([low(UP), low(DOWN_ON, 6)], 0, 0),
    "tips, along between": ([low(UP, 4), low(ALONG, 3), low(DOWN_ON, 5)], Fraction(1, 2), 0),
    "tips, high along between": ([low(UP, 4), low(ALONG, 6), low(DOWN_ON, 5)], Fraction(2, 3), 0),
    "tips, higher than along": ([low(UP, 4), Banded(ALONG), Banded(DOWN_ON)], Fraction(2, 3), 0),
    "a limited one": ([Banded(((2, 0), (2, 2)), tolls=LIMITED)], 0, 1),
    "a limited one with a band": ([low(((2, 0), (2, 2)), tolls=LIMITED)], 0, 0),
    "a limited one over a hard one": (
        [low(((2, 0), (2, 2))), low(((2, 0), (2, 2)), 6, 3, tolls=LIMITED)],
        Fraction(1, 2),
        1,
    ),
    "two limited ones at one point, one of them along": (
        [*limited(UP, ALONG), Banded(((2, 1), (2, 2))), Banded(((3, 1), (3, 0)))],
        0,
        1,
    ),
    "two limited ones at its other end": (
        [*limited(ALONG, DOWN_ON), Banded(((2, 1), (2, 2))), Banded(((3, 1), (3, 0)))],
        0,
        1,
    ),
    "limited ones along it, and round a tip on the way": (
        [*limited(ALONG, ((2.5, 1), (2.5, 0))), Banded(UP), Banded(((2.5, 1), (2.5, 2))), Banded(((3, 1), (3, 0)))],
        0,
        1,
    ),
    "the same behind a hard one along it": (
        [
            *limited(((2.5, 1), (2.5, 0)), ((2.5, 1), (3, 1))),
            *(Banded(wall) for wall in (((2, 1), (2, 2)), ((2, 1), (2.5, 1)), ((2.5, 1), (2.5, 2)), ((3, 1), (3, 0)))),
        ],
        0,
        1,
    ),
    "one-way from the west": ([low(((2, 2), (2, 0)), tolls=ONE_WAY)], Fraction(1, 2), 0),
    "one-way from the east": ([low(((2, 0), (2, 2)), tolls=ONE_WAY)], 0, 0),
    "one-way that fills the span, from the west": ([Banded(((2, 2), (2, 0)), tolls=ONE_WAY)], 1, 2),
    "over the leg": ([low(((0, 1.5), (1.5, 0)), 1)], Fraction(1, 6), 0),
    "over the leg, through the centre": ([low(((0, 1), (1, 0)))], 0, 0),
    "through the centre, continued over the leg with another band": (
        [low(((0, 0), (0.5, 0.5)), 2), low(((0.5, 0.5), (1, 1)))],
        0,
        0,
    ),
    "from the centre over the corner": ([low(((0.5, 0.5), (2, 2)))], 0, 0),
    "at the start, behind": ([low(((1, 0), (1, 3)), 3)], Fraction(1, 2), 0),
    "another word": ([low(((2, 0), (2, 2)), 6, word="standard")], 0, 2),
}


@pytest.mark.parametrize("name", LINES)
def test_the_line(name):
    walls, h, cost = LINES[name]
    assert one_line(*walls) == (h, cost)


def test_the_span_on_the_way():
    """The body of the target is twice as high: the span grows from 6 to 12 feet; (2, 1) is a third of the way."""
    wall = low(((2, 0), (2, 2)), 3)
    assert one_line(wall, t=(0, 12))[0] == Fraction(3, 8)
    assert one_line(low(((2, 0), (2, 2)), 8), t=(0, 12)) == (1, 2)
    assert one_line(low(((2, 0), (2, 2)), Fraction(79, 10)), t=(0, 12))[1] == 0
    assert one_line(wall, t=(-6, 0))[0] == Fraction(1, 2)
    assert one_line(wall, t=(6, 12))[0] == Fraction(1, 6)


def test_a_stretch_at_its_most_and_its_least_hidden_place():
    """From a above the wall to t below it, past its ends on closed sides: the wall is crossed from 1/3 to 2/3."""
    gates = [Banded(((2, 1), (2, 3))), Banded(((3, 1), (3, 0)))]
    along = low(ALONG, 3)
    h, cost = one_line(along, *gates, t=(0, 12))
    assert (h, cost) == (Fraction(3, 8), 0)
    for top, expected in ((8, 0), (10, 2), (9, 0)):
        assert one_line(low(ALONG, top), *gates, t=(0, 12))[1] == expected


def test_a_line_without_length():
    """It is met at every s at once: the most hidden counts for cover, the least for blocking; it is mutual."""
    for top, h, cost in ((3, Fraction(1, 2), 0), (6, 1, 0), (12, 1, 2)):
        heights = ground(4, 2, low(((1, -1), (1, 3)), top))
        a, t = human(0, 0), replace(human(1, 0), top=12)
        for one, other, ca, cb in ((a, t, 1, 0), (t, a, 0, 1)):
            line = one, one.space[:2], ca, other, other.space[:2], cb
            assert (hidden(heights, *line), toll(heights, *line)) == (h, cost)


def test_corners():
    """A wall over a leg cuts a corner off where it hides enough; where all are cut off, those not blocked remain."""
    a, t = human(0, 0), human(5, 0, 10)
    clips = [((13, 12), (12, 13)), ((15, 12), (16, 13)), ((12, 15), (13, 16)), ((15, 16), (16, 15))]

    def nibble(*tops, least=1):
        heights = Heights(Walls(7, 12, 4), tuple(low(wall, top) for wall, top in zip(clips, tops, strict=True)))
        return usable_corners(heights, a, t, a.space[:2], is_outward=True, least=least)

    assert nibble(3, 1, 3, 6) == 0b0010
    assert nibble(3, 1, 3, 6, least=5) == 0b0111
    assert nibble(3, 3, 3, 6) == 0b0111
    assert nibble(6, 6, 6, 6) == 0


def test_a_leg_has_the_heights_of_its_own_end():
    a, t = human(0, 0), human(5, 0, 10)
    clips = ((13, 12), (12, 13)), ((33, 12), (32, 13))
    heights = Heights(Walls(7, 12, 4), tuple(low(wall) for wall in clips))
    assert cut_off(heights, a, t, a.space[:2], 0, is_outward=True)
    assert not cut_off(heights, a, t, t.space[:2], 0, is_outward=False)
    assert cut_off(heights, t, a, a.space[:2], 0, is_outward=False)
    assert leg_toll(heights, a, t, a.space[:2], 0, is_outward=True) == 0
    assert not cut_off(heights, a, t, a.space[:2], 0, is_outward=True, low=LOW)  # his own low wall


# ---- random scenes

KINDS = (HARD, LIMITED, ONE_WAY, LIMITED_ONE_WAY)
TOPS = (None, 1, 2, 3, 4, 6, 9, 12)
BODIES = ((0, 6), (0, 6), (0, 3), (0, 12), (5, 11), (10, 16))


def scene(seed, largest=6, most_free=8, kinds=(HARD,), bands=True, bodies=BODIES):
    """A random scene: (heights, a, square of a, t, square of t); its free walls are of several kinds."""
    rng = random.Random(seed)
    it = seeded(seed, 2, largest=largest, most_free=most_free) if seed % 3 else seeded_slits(seed, 2)
    banded = []
    for x0, y0, x1, y1 in it.walls.segments:
        bottom, top = (rng.choice(TOPS) for _ in range(2)) if bands and rng.random() < 0.8 else (None, None)
        if bottom is not None and top is not None:
            bottom, top = min(bottom, top) - 1, max(bottom, top)
        ends = [None if v is None else Fraction(v) for v in (bottom, top)]
        banded.append(Banded(((x0, y0), (x1, y1)), *ends, tolls=rng.choice(kinds)))
    heights = Heights(replace(it.walls, segments=()), tuple(banded))
    a, t = (Body(space, *map(Fraction, rng.choice(bodies))) for space in (it.a, it.b))
    return heights, a, it.a[:2], t, it.b[:2]


def answers(heights, a, square_a, t, square_b, lines=CORNERS):
    """The hidden fractions and the tolls of some lines."""
    found = [(heights, a, square_a, ca, t, square_b, cb) for ca, cb in lines]
    return [(hidden(*line), toll(*line)) for line in found]


def some_lines(seed, n=6):
    return random.Random(seed).sample(CORNERS, n)


def as_special(heights):
    """The same walls for the oracle without bands."""
    groups = {kind: tuple((*w.wall[0], *w.wall[1]) for w in heights.banded if w.tolls == kind) for kind in KINDS}
    return oracle_walls.Special(replace(heights.base, segments=groups[HARD]), *(groups[kind] for kind in KINDS[1:]))


@pytest.mark.parametrize("seed", range(24))
def test_without_bands_it_agrees_with_the_other_oracles(seed):
    heights, a, square_a, t, square_b = scene(seed, kinds=KINDS if seed % 2 else (HARD,), bands=False)
    special = as_special(heights)
    for ca, cb in some_lines(seed):
        expected = oracle_walls.toll(special, square_a, ca, square_b, cb)
        assert toll(heights, a, square_a, ca, t, square_b, cb) == expected
        if seed % 2 == 0:
            plain = Heights(special.base)
            is_blocked = oracle.contact(special.base, square_a, ca, square_b, cb) == oracle.BLOCKED
            for same in (heights, plain):
                assert hidden(same, a, square_a, ca, t, square_b, cb) == is_blocked
                assert toll(same, a, square_a, ca, t, square_b, cb) == (BLOCKED if is_blocked else 0)
    for corner, is_outward in product(range(4), (True, False)):
        expected = oracle_walls.leg_toll(special, square_a, corner, is_outward)
        assert leg_toll(heights, a, t, square_a, corner, is_outward=is_outward) == expected


def comb(seed):
    """Walls along a line and on both of its sides; it runs straight on or back along its leg."""
    rng = random.Random(seed)
    lines = [((3, 0), 2, (1, 0)), ((3, 1), 0, (1, 0)), *(((x, x), cb, (-1, -1)) for x, cb in ((0, 3), (0, 0), (1, 0)))]
    square_b, cb, step = rng.choice(lines)
    kinds = (HARD, LIMITED, LIMITED, ONE_WAY, LIMITED_ONE_WAY) if seed % 2 else (HARD,)
    walls = []
    for k in range(-1, 6):
        x, y = 8 + k * step[0], 8 + k * step[1]
        for share, (dx, dy) in ((0.5, step), (0.25, (step[1], -step[0])), (0.25, (-step[1], step[0]))):
            if rng.random() < share:
                ends = [(x, y), (x + dx, y + dy)]
                rng.shuffle(ends)
                walls.append(Banded(tuple(ends), tolls=rng.choice(kinds)))
    bodies = [Body((*square, 1, 1), Fraction(0), Fraction(6)) for square in ((1, 1), square_b)]
    return Heights(Walls(5, 6, 4), tuple(walls)), (bodies[0], (1, 1), 3, bodies[1], square_b, cb)


COMBS = (*range(100), 173, 235, 704, 709, 710, 1085)  # the last ones tell rare cases apart


def test_combs_agree_with_the_other_oracles():
    found = set()
    for seed in COMBS:
        heights, line = comb(seed)
        special = as_special(heights)
        cost = toll(heights, *line)
        assert cost == oracle_walls.toll(special, line[1], line[2], line[4], line[5]), seed
        if seed % 2 == 0:
            assert hidden(heights, *line) == (cost == BLOCKED), seed
        found.add(cost)
    assert found == {0, 1, 2}


@pytest.mark.parametrize("seed", range(100, 110))
def test_equal_bodies_on_one_level(seed):
    """A single band is a plain wall of constant h; where it does not fill the body it stops nothing."""
    heights, a, square_a, t, square_b = scene(seed, bodies=((0, 6),), bands=False)
    heights = replace(heights, base=Walls(heights.base.rows, heights.base.cols, heights.base.subdivisions))
    lines = some_lines(seed)
    whole = answers(heights, a, square_a, t, square_b, lines)
    for bottom, top, h in ((0, 3, Fraction(1, 2)), (2, None, Fraction(2, 3)), (0, 6, 1), (6, 9, 0), (-4, 0, 0)):
        banded = replace(heights, banded=tuple(replace(w, bottom=bottom, top=top) for w in heights.banded))
        outside = [
            outer and inner for outer, (inner, _) in zip(beyond(heights, square_a, square_b, lines), whole, strict=True)
        ]
        expected = [(1, 2) if o else (w * h, 2 * (w and h == 1)) for o, (w, _) in zip(outside, whole, strict=True)]
        assert answers(banded, a, square_a, t, square_b, lines) == expected


def beyond(heights, square_a, square_b, lines):
    """Whether the border of the map, which has no band, blocks a line."""
    return [oracle.contact(heights.base, square_a, ca, square_b, cb) == oracle.BLOCKED for ca, cb in lines]


@pytest.mark.parametrize("seed", range(200, 212))
def test_lines_in_general_position(seed):
    """A line that touches no end of a wall is hidden by the walls that it crosses, each for itself."""
    rng = random.Random(seed)
    checked = 0
    while checked < 12:
        walls = [tuple((rng.randint(0, 97), rng.randint(0, 97)) for _ in range(2)) for _ in range(3)]
        banded = tuple(Banded(w, Fraction(rng.randint(-3, 3)), Fraction(rng.randint(4, 9))) for w in walls)
        heights = Heights(Walls(7, 7, 14), banded)
        squares = [(rng.randrange(7), rng.randrange(7)) for _ in range(2)]
        ends = [Fraction(rng.choice((0, 0, 2, 8))) for _ in range(2)]
        bodies = [
            Body((*square, 1, 1), feet, feet + rng.choice((3, 6, 10)))
            for square, feet in zip(squares, ends, strict=True)
        ]
        ca, cb = rng.randrange(4), rng.randrange(4)
        p, q = (oracle.corner_of(heights.base, square, c) for square, c in zip(squares, (ca, cb), strict=True))
        centres = [oracle.centre_of(heights.base, square) for square in squares]
        doubled = [tuple((2 * x, 2 * y) for x, y in w) for w in walls]
        parts = [(centres[0], p, (0, 0)), (p, q, (0, 1)), (q, centres[1], (1, 1))]
        if p == q or any(oracle.turn(one, other, e) == 0 for one, other, _ in parts for w in doubled for e in w):
            continue
        if any(oracle.on_wall(point, w) for point in (p, q, *centres) for w in doubled):
            continue
        most, is_stopped = Fraction(0), False
        for one, other, (first, last) in parts:
            for w, b in zip(doubled, banded, strict=True):
                if (met := oracle.common_stretch(one, other, w)) is not None:
                    s = first + met[0] * (last - first)
                    low_end, high_end = (
                        v + s * (u - v) for v, u in zip(*((x.feet, x.top) for x in bodies), strict=True)
                    )
                    part = max(0, min(high_end, b.top) - max(low_end, b.bottom)) / (high_end - low_end)
                    most, is_stopped = max(most, part), is_stopped or part == 1
        line = bodies[0], squares[0], ca, bodies[1], squares[1], cb
        if oracle.contact(heights.base, squares[0], ca, squares[1], cb) != oracle.BLOCKED:
            assert (hidden(heights, *line), toll(heights, *line)) == (most, 2 * is_stopped)
            checked += 1


@pytest.mark.parametrize("seed", range(300, 320))
def test_mutual(seed):
    heights, a, square_a, t, square_b = scene(seed, kinds=(HARD, HARD, LIMITED))
    lines = some_lines(seed)
    there = answers(heights, a, square_a, t, square_b, lines)
    assert there == answers(heights, t, square_b, a, square_a, [(cb, ca) for ca, cb in lines])


@pytest.mark.parametrize("seed", range(400, 414))
def test_monotone_in_the_top_of_a_wall(seed):
    heights, a, square_a, t, square_b = scene(seed, kinds=KINDS)
    rng = random.Random(seed)
    for ca, cb in some_lines(seed, 3):
        k = rng.randrange(len(heights.banded)) if heights.banded else None
        before = None
        for top in (3, 4, 6, 7, 12, None):
            raised = () if k is None else (replace(heights.banded[k], bottom=Fraction(0), top=top),)
            others = heights.banded[:k] + heights.banded[k + 1 :] if raised else ()
            scene_now = replace(heights, banded=others + raised)
            line = a, square_a, ca, t, square_b, cb
            now = hidden(scene_now, *line), hidden(scene_now, *line, LOW), toll(scene_now, *line)
            assert before is None or all(x <= y for x, y in zip(before, now, strict=True)), (seed, ca, cb, top)
            before = now


def broken(w, rng):
    """The same wall in overlapping parts, some backwards, on a lattice twelve times as fine."""
    (x0, y0), (x1, y1) = w.wall
    low_cut, high_cut = sorted(rng.randint(0, 12) for _ in range(2))
    for start, end in ((0, high_cut), (low_cut, 12), (low_cut, low_cut)):
        ends = [(12 * x0 + k * (x1 - x0), 12 * y0 + k * (y1 - y0)) for k in (start, end)]
        if rng.random() < 0.5:
            yield replace(w, wall=tuple(ends[::-1]), tolls=w.tolls[::-1])
        else:
            yield replace(w, wall=tuple(ends))


@pytest.mark.parametrize("seed", range(500, 512))
def test_split_reversed_and_repeated_walls(seed):
    heights, a, square_a, t, square_b = scene(seed, kinds=KINDS)
    rng = random.Random(seed)
    pieces = [piece for w in heights.banded for piece in broken(w, rng)]
    rng.shuffle(pieces)
    base = replace(heights.base, subdivisions=12 * heights.base.subdivisions)
    lines = some_lines(seed)
    there = answers(heights, a, square_a, t, square_b, lines)
    assert there == answers(Heights(base, tuple(pieces)), a, square_a, t, square_b, lines)


@pytest.mark.parametrize("seed", range(600, 612))
def test_stacked_bands_and_far_walls(seed):
    heights, a, square_a, t, square_b = scene(seed, kinds=(HARD, HARD, ONE_WAY))
    lines = some_lines(seed)
    one = replace(heights, banded=tuple(replace(w, bottom=Fraction(0), top=Fraction(6)) for w in heights.banded))
    two = [replace(w, bottom=b, top=top) for w in heights.banded for b, top in ((0, 3), (3, 6))]
    expected = answers(one, a, square_a, t, square_b, lines)
    assert answers(replace(heights, banded=tuple(two)), a, square_a, t, square_b, lines) == expected
    s = heights.base.subdivisions
    far = (Banded(((-5 * s, -9 * s), (30 * s, -8 * s))), Banded(((-5 * s, -9 * s), (-4 * s, 30 * s)), 0, 3))
    assert answers(replace(one, banded=one.banded + far), a, square_a, t, square_b, lines) == expected


# ---- line of effect


def stepped(top):
    """A low body before a wall at a tenth of a square beyond its edge, and a target ten feet higher."""
    base = Walls(1, 6, 10)
    return Heights(base, (low(((15, 0), (15, 10)), top),)), Body((0, 0, 1, 1), 0, 6), Body((5, 0, 1, 1), 10, 16)


@pytest.mark.parametrize(("top", "is_found"), [(6, True), (8, True), (Fraction(89, 10), True), (9, False), (20, False)])
def test_a_segment_over_a_wall(top, is_found):
    """The wall is met at most before 3/10 of the way, from the far end of one square to the near end of the other."""
    heights, a, t = stepped(top)
    rng = random.Random(1)
    found = find_segment(heights, a, t, 40, rng)
    assert (found is not None) == is_found
    back = find_segment(heights, t, a, 40, rng)
    assert (back is not None) == is_found
    if found:
        assert is_free_segment(heights, t, a, *found[::-1])


SEGMENTS = {  # walls that the segment from (0.8, 0.5) to (9.2, 0.5) meets; the target is 12 feet high, the attacker 6
    "along, full at its beginning": ([low(((2, 0.5), (6, 0.5)), 8)], False),
    "along, never full": ([low(((2, 0.5), (6, 0.5)), 6.5)], True),
    "along, full where two overlap": ([low(((2, 0.5), (4, 0.5)), 4), low(((3, 0.5), (6, 0.5)), 8, 4)], False),
    "along, one behind the other": ([low(((2, 0.5), (3, 0.5)), 4), low(((3.5, 0.5), (6, 0.5)), 8, 4)], True),
    "along, end to end": ([low(((2, 0.5), (3, 0.5)), 4), low(((3, 0.5), (6, 0.5)), 8, 4)], False),
    "along, one-way": ([Banded(((2, 0.5), (6, 0.5)), tolls=ONE_WAY)], True),
    "across, two on one wall": ([low(((2, 0), (2, 1)), 4), low(((2, 0), (2, 1)), 8, 4)], False),
    "across, two that cross": ([low(((2, 0), (2, 1)), 4), low(((1.5, 0), (2.5, 1)), 8, 4)], True),
    "across, early": ([low(((2, 0), (2, 1)), 8)], False),
    "across, late": ([low(((6, 0), (6, 1)), 8)], True),
    "a tip": ([low(((2, 0), (2, 0.5)), 8)], False),
    "a limited one and another": ([Banded(((x, 0), (x, 1)), tolls=LIMITED) for x in (2, 3)], False),
    "a limited one twice": ([Banded(((2, 0), (2, y)), None, top, LIMITED) for y, top in ((1, None), (2, 40))], True),
    "two limited ones that cross": ([Banded(((2 - x, 0), (2 + x, 1)), tolls=LIMITED) for x in (0, 0.5)], False),
    "a limited one over a hard one": ([low(((2, 0), (2, 1)), 4), low(((2, 0), (2, 1)), 9, 4, tolls=LIMITED)], True),
    "a limited one over a hard one, and another": (
        [low(((2, 0), (2, 1)), 4), *(low(((x, 0), (x, 1)), 12, y, tolls=LIMITED) for x, y in ((2, 4), (3, 0)))],
        False,
    ),
    "one-way, upward": ([Banded(((5, 1), (5, 0)), tolls=ONE_WAY)], False),
    "one-way, downward": ([Banded(((5, 0), (5, 1)), tolls=ONE_WAY)], True),
    "on the leg, lower than the attacker": ([low(((0.7, 0.5), (0.7, 0.9)), 5)], True),
    "on the leg, as high as the attacker": ([low(((0.7, 0.5), (0.7, 0.9)), 6)], False),
}


@pytest.mark.parametrize("name", SEGMENTS)
def test_the_segment(name):
    walls, expected = SEGMENTS[name]
    moved = tuple(replace(w, wall=tuple((int(20 * x), int(20 * y)) for x, y in w.wall)) for w in walls)
    heights = Heights(Walls(2, 10, 20), moved)
    a, t = Body((0, 0, 1, 1), 0, 6), Body((9, 0, 1, 1), 0, 12)
    assert is_free_segment(heights, a, t, (32, 20), (368, 20)) == expected


@pytest.mark.parametrize("seed", range(700, 716))
def test_without_bands_segments_agree_with_the_other_oracle(seed):
    heights, a, _, t, _ = scene(seed, kinds=KINDS if seed % 2 else (HARD,), bands=False)
    if set(squares_of(a.space)) & set(squares_of(t.space)):
        return
    special, rng = as_special(heights), random.Random(seed)
    unit = 2 * heights.base.subdivisions
    for _ in range(25):
        ends = []
        for x, y, width, height in (a.space, t.space):
            ends.append(tuple(unit * (v + Fraction(rng.randint(0, 24 * n), 24)) for v, n in ((x, width), (y, height))))
        expected = oracle_walls.is_proof(special, a.space, t.space, ends, "each")
        assert is_free_segment(heights, a, t, *ends) == expected


def test_the_search_finds_what_there_is():
    granted, found = 0, 0
    for seed in range(800, 815):
        heights, a, _, t, _ = scene(seed, kinds=KINDS, bands=False)
        if set(squares_of(a.space)) & set(squares_of(t.space)):
            continue
        is_granted = oracle_walls.line_of_effect(as_special(heights), a.space, t.space)
        segment = find_segment(heights, a, t, 40, random.Random(seed))
        assert is_granted or segment is None
        granted, found = granted + is_granted, found + (segment is not None)
    assert granted - found <= granted / 5
    assert granted > 5
