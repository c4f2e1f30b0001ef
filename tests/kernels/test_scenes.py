"""Small scenes that hold one thing each: the table of the line rule, published drawings, and every way a free line can turn.

Expected values are the oracle's, the table's or the publisher's, never the kernels'.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import oracle
import pytest
from kernels import support
from kernels.views import views
from oracle import BLOCKED, CLEAR, TOUCHES, Walls
from test_oracle import PUBLISHED, TABLE, open_ground, scene, table_walls

from gridlos.kernels import effect


@pytest.mark.parametrize("row", TABLE)
def test_the_line_rule(row):
    """The table of the line rule, in all eight symmetries and both ways."""
    parts, (a, ca, b, cb), expected = TABLE[row]
    walls, at = open_ground(6, 5, walls=list(table_walls(parts)), s=2, A=a, T=b)
    for view in views(walls):
        one, c_one, other, c_other = view.line(at["A"], ca, at["T"], cb)
        assert support.contact(view.walls, one, c_one, other, c_other) == expected
        assert support.contact(view.walls, other, c_other, one, c_one) == expected


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_drawings(name):
    rows, attacker, target, blocked, seen = PUBLISHED[name]
    walls, places = scene(*rows)
    a, b = places[attacker], places[target]
    mask = support.masks(walls, [(a, b)])[0]
    fewest = min((mask >> (4 * corner) & 15).bit_count() for corner in range(4))
    assert 1 <= fewest <= 2 if blocked is None else fewest == blocked
    assert support.line_of_effect(walls, (*a, 1, 1), (*b, 1, 1)) is seen
    assert support.effects(walls, [((*a, 1, 1), (*b, 1, 1))]) == [effect.YES if seen else effect.NO]
    assert not support.disagreement_about_lines(walls, a, b)


# ---- legs: what a square's centre sees of its corners. One square of 20 units at (0, 20), its centre (10, 30), P = (20, 20).

LEG = ((0, 1), 1, (4, 0), 0)
WALL_ENDS = [(16, 24, 10, 0), (18, 22, 20, 60)]  # one on each side of the leg
LEGS = {
    "nothing": ([], False),
    "a wall across": ([(10, 20, 20, 30)], True),
    "a wall across near the centre": ([(10, 28, 12, 30)], True),
    "a wall through the centre": ([(0, 20, 20, 40)], False),
    "a wall that ends at the centre, across": ([(10, 30, 15, 35)], False),
    "a wall to the leg, from the left": ([(15, 25, 10, 20)], False),
    "a wall to the leg, from the right": ([(15, 25, 20, 40)], False),
    "walls to the leg from both sides at one point": ([(15, 25, 10, 20), (15, 25, 20, 40)], True),
    "walls to the leg from both sides at different points": (WALL_ENDS, False),
    "walls to the leg from both sides, the same wall": ([(10, 20, 20, 30), (10, 20, 12, 20)], True),
    "along the leg from the centre to the corner": ([(10, 30, 20, 20)], False),
    "along the leg from the centre, ends on both sides of it": ([(10, 30, 20, 20), *WALL_ENDS], False),
    "along the leg in two pieces, ends on both sides of it": ([(10, 30, 15, 25), (15, 25, 20, 20), *WALL_ENDS], False),
    "along the leg in pieces that overlap": ([(10, 30, 16, 24), (14, 26, 19, 21), (20, 20, 18, 22), *WALL_ENDS], False),
    "along the leg in pieces out of order": ([(18, 22, 20, 20), (17, 23, 19, 21), (10, 30, 17, 23), *WALL_ENDS], False),
    "along the leg in two pieces, the outer first": ([(15, 25, 20, 20), (10, 30, 15, 25), *WALL_ENDS], False),
    "along the leg in three pieces, from the corner inwards": (
        [(17, 23, 20, 20), (14, 26, 17, 23), (10, 30, 14, 26), (18, 22, 10, 0), (19, 21, 20, 60)],
        False,
    ),
    "along the leg, only the second half, ends on both sides of it": ([(15, 25, 20, 20), *WALL_ENDS], True),
    "along the leg, with a gap after the centre": ([(11, 29, 20, 20), *WALL_ENDS], True),
    "along the leg, two pieces with a gap before the ends": ([(10, 30, 14, 26), (15, 25, 20, 20), *WALL_ENDS], True),
    "along the leg, two pieces with a gap after the ends": ([(10, 30, 18, 22), (19, 21, 20, 20), *WALL_ENDS], False),
    "along the leg from behind the centre, in pieces": ([(0, 40, 10, 30), (10, 30, 20, 20), *WALL_ENDS], False),
    "along the leg from behind the centre past the corner": ([(5, 35, 25, 15), *WALL_ENDS], False),
    "up to the centre from behind, then not along": ([(0, 40, 10, 30), (15, 25, 20, 20), *WALL_ENDS], True),
    "along the leg, an end on one side": ([(15, 25, 20, 20), WALL_ENDS[0]], False),
    "along the leg, ends at the two ends of the stretch": ([(12, 28, 18, 22), (12, 28, 0, 20), (18, 22, 20, 60)], True),
    "along the leg, ends before and after the stretch": ([(14, 26, 16, 24), (12, 28, 0, 20), (18, 22, 20, 60)], False),
}


@pytest.mark.parametrize("name", LEGS)
def test_legs(name):
    """Whether a wall parts the corner from its own square's centre: cut off, and so blocked."""
    extra, is_cut_off = LEGS[name]
    for more in ([], [(40, 0, 60, 33)]):
        walls = Walls(4, 8, 20, segments=tuple(extra + more))
        assert oracle.cut_off(walls, *LEG[:2]) is is_cut_off
        for view in views(walls):
            a, ca, b, cb = view.line(*LEG)
            assert support.is_cut_off(view.walls, a, ca) is is_cut_off
            found = support.contact(view.walls, a, ca, b, cb)
            assert found == oracle.contact(walls, *LEG) == support.contact(view.walls, b, cb, a, ca)
            assert (found == BLOCKED) is is_cut_off or more


@pytest.mark.parametrize("name", LEGS)
def test_all_lines_and_effect_beside_legs(name):
    """The other corners, other squares, and line of effect among the same walls."""
    walls = Walls(4, 8, 20, segments=tuple(LEGS[name][0]))
    for a, b in (
        ((0, 1), (0, 2)),
        ((0, 1), (4, 0)),
        ((0, 1), (1, 0)),
        ((1, 0), (0, 1)),
        ((0, 1), (0, 0)),
        ((0, 1), (1, 1)),
        ((1, 1), (0, 3)),
    ):
        assert not support.disagreement_about_lines(walls, a, b)
        assert not support.disagreement_about_effect(walls, (*a, 1, 1), (*b, 1, 1))
    assert not support.disagreement_about_effect(walls, (0, 0, 1, 2), (1, 0, 2, 3))


# A square of 20 units at (40, 40), its leg from (50, 50) to P = (60, 40); a wall covers the last part of the leg.
COVERED = (55, 45, 60, 40)
ENDS = {"none": (), "left": ((57, 43, 52, 40),), "right": ((57, 43, 60, 50),), "before": ((54, 46, 50, 40),)}
ARMS = [(0, -13), (11, -9), (13, 0), (12, 11), (0, 13), (-12, -7), (-13, 0), (-9, 11)]


@pytest.mark.parametrize("side", ENDS)
@pytest.mark.parametrize(
    "bits", [0, *(1 << k for k in range(8)), 0b11, 0b101000, 0b10010, 0b1000100, 0b10000001, 0b11011]
)
def test_legs_of_which_one_side_arrives(side, bits):
    """Every line from P: past its arms, and back along the leg."""
    arms = [(60, 40, 60 + x, 40 + y) for k, (x, y) in enumerate(ARMS) if bits >> k & 1]
    squares = list(product(range(5), range(5)))
    lines = [((2, 2), 1, b, cb) for b in squares for cb in range(4)]
    for covered in (COVERED, (55, 45, 66, 34)):
        walls = Walls(5, 5, 20, segments=(covered, *ENDS[side], *arms))
        assert support.contacts(walls, lines) == [oracle.contact(walls, *line) for line in lines]
        back = [(b, cb, a, ca) for a, ca, b, cb in lines]
        assert support.contacts(walls, back) == support.contacts(walls, lines)


# ---- line of effect: S = 8, squares of 8 units.

A, B = (0, 2, 1, 1), (7, 2, 1, 1)  # [0, 8] x [16, 24] and [56, 64] x [16, 24]


def slit(x, low, high, top=0, bottom=48):
    """Two walls across the map with a slit between them."""
    return [(x, top, x, low), (x, high, x, bottom)]


WAYS = {
    "open": ([], True),
    "a slit of one unit": (slit(30, 20, 21), True),
    "closed": (slit(30, 20, 20), False),
    "a slit above both": (slit(30, 0, 16), False),
    "a slit whose lower end is just inside": (slit(30, 0, 17), True),
    "a slit above, the other way": (slit(30, 24, 48), False),
    "a slit just inside from below": (slit(30, 23, 48), True),
    "slits in a row": (slit(20, 20, 21) + slit(40, 19, 20), True),
    "slits that only touch one line": (slit(16, 20, 48) + slit(48, 0, 20), True),
    "two walls past each other": (slit(16, 20, 48) + slit(48, 0, 21), True),
    "three ends on one level line, left, right, left": ([(16, 20, 16, 0), (32, 20, 32, 48), (48, 20, 48, 0)], False),
    "three ends, the middle one not quite there": ([(16, 20, 16, 0), (32, 21, 32, 48), (48, 20, 48, 0)], True),
    "ends on the level line of the border, left, right": ([(16, 16, 16, 0), (32, 16, 32, 48)], False),
    "ends on a slanted line, left, right": ([(16, 18, 16, 0), (48, 22, 48, 48)], True),
    "ends on a slanted line, left, right, left": ([(16, 17, 16, 0), (32, 19, 32, 48), (48, 21, 48, 0)], False),
    "ends on a slanted line, left, left, right": ([(16, 17, 16, 0), (32, 19, 32, 0), (48, 21, 48, 48)], True),
    "ends on a slanted line, left, right, right": ([(16, 17, 16, 0), (32, 19, 32, 48), (48, 21, 48, 48)], True),
    "a slanted line from corner to corner, closed on both sides": ([(28, 20, 28, 0), (36, 21, 36, 48)], True),
    "a funnel": ([(8, 16, 32, 20), (8, 24, 32, 21), (56, 16, 32, 20), (56, 24, 32, 21)], True),
    "a funnel closed at its neck": ([(8, 16, 32, 20), (8, 24, 32, 20), (56, 16, 33, 20), (56, 24, 33, 20)], False),
    "a wall along the way": ([(10, 20, 50, 20)], True),
    "a wall along the way with an end on each side of it": (
        [(10, 20, 50, 20), (10, 20, 10, 0), (50, 20, 50, 48)],
        False,
    ),
    "a wall along the way with both ends on one side": ([(10, 20, 50, 20), (10, 20, 10, 0), (50, 20, 50, 0)], True),
    "a joint of two walls, both on one side": ([(32, 20, 30, 0), (32, 20, 34, 0)], True),
    "a joint of two walls, one on each side": ([(32, 20, 30, 0), (32, 20, 34, 48)], False),
    "a joint of three walls": ([(32, 20, 30, 0), (32, 20, 34, 0), (32, 20, 40, 2)], True),
    "a V across the way, open upwards": ([(20, 0, 32, 22), (44, 0, 32, 22)], True),
    "a V across the way down to the border": ([(20, 0, 32, 24), (44, 0, 32, 24)], False),
    "a wall before the target": ([(55, 16, 55, 24)], False),
    "a wall flush with the target": ([(56, 16, 56, 24)], False),
    "a wall flush, one unit short": ([(56, 16, 56, 23)], True),
    "a wall flush with the attacker, one unit short": ([(8, 17, 8, 24)], True),
    "a wall behind the target": ([(64, 16, 64, 24)], True),
    "a wall behind and one beside": ([(64, 16, 64, 24), (8, 16, 64, 16), (0, 24, 64, 24)], True),
    "a wide pillar and slits on both sides": (
        [(30, 17, 34, 17), (34, 17, 34, 23), (34, 23, 30, 23), (30, 23, 30, 17)],
        True,
    ),
    "a pillar as wide as the squares": (
        [(30, 16, 34, 16), (34, 16, 34, 24), (34, 24, 30, 24), (30, 24, 30, 16)],
        False,
    ),
    "a pillar flush with one": ([(8, 16, 12, 16), (12, 16, 12, 24), (12, 24, 8, 24), (8, 24, 8, 16)], False),
    "a wall in the target's square, beside its centre": ([(58, 16, 58, 24)], False),
    "a wall in the target's square with a slit": ([(58, 16, 58, 19), (58, 20, 58, 24)], True),
    "a wall through the target's centre": ([(60, 16, 60, 24)], True),
    "a wall through the target's centre, along the way": ([(40, 20, 64, 20)], True),
    "a wall behind the target's centre": ([(62, 16, 62, 24)], True),
    "a wall across the attacker's square, slanted": ([(0, 24, 8, 17)], True),
    "a wall that cuts the attacker's centre off": ([(2, 24, 8, 16), (0, 16, 8, 16)], False),
    "walls in both squares": ([(2, 16, 7, 20), (2, 24, 7, 21), (62, 16, 57, 20), (62, 24, 57, 21)], True),
    "walls in both squares, closed": ([(2, 16, 7, 20), (2, 24, 7, 20), (62, 16, 57, 20), (62, 24, 57, 21)], False),
    "a shadow in the target's square": ([(30, 0, 30, 22), (57, 18, 59, 21)], True),
    "one wall along both centres": ([(-8, 20, 80, 20)], True),
    "one wall along both centres, an end on it": ([(-8, 20, 80, 20), (30, 20, 33, 0)], True),
    "one wall along both centres, an end on both sides": ([(-8, 20, 80, 20), (30, 20, 33, 0), (35, 20, 33, 48)], False),
    "one wall in pieces along both centres, an end on it": (
        [(-8, 20, 30, 20), (30, 20, 80, 20), (30, 20, 33, 0)],
        True,
    ),
    "a wall from centre to centre, an end on it": ([(4, 20, 60, 20), (30, 20, 33, 0)], True),
    "a wall from centre to centre, ends at the centres": ([(4, 20, 60, 20), (4, 20, 4, 0), (60, 20, 60, 48)], True),
}


@pytest.mark.parametrize("name", WAYS)
def test_ways(name):
    """Line of effect along a row of squares, by each part of the kernels, in all symmetries."""
    segments, expected = WAYS[name]
    walls = Walls(6, 8, 8, segments=tuple(segments))
    assert oracle.line_of_effect(walls, A, B) is expected
    for view in views(walls):
        a, b = view.space(A), view.space(B)
        assert not support.disagreement_about_effect(view.walls, a, b)
        assert support.line_of_effect(view.walls, a, b) is expected
        assert support.line_of_effect(view.walls, b, a) is expected


@pytest.mark.parametrize("name", WAYS)
def test_ways_between_larger_and_other_spaces(name):
    walls = Walls(6, 8, 8, segments=tuple(WAYS[name][0]))
    for a, b in (
        ((0, 1, 2, 3), (6, 2, 2, 2)),
        ((0, 0, 1, 1), (7, 4, 1, 2)),
        ((1, 1, 3, 1), (4, 2, 1, 4)),
        ((3, 0, 2, 1), (3, 4, 1, 1)),
    ):
        assert not support.disagreement_about_effect(walls, a, b)
        assert not support.disagreement_about_lines(walls, a[:2], b[:2])


def boxed(*walls):
    """Walls in the target's square [56, 64] x [16, 24], its centre (60, 20) behind a wall with a slit."""
    return [(58, 16, 58, 19), (58, 20, 58, 24), *walls]


ABOVE = (7, 0, 1, 1)  # [56, 64] x [0, 8]
SHADOWS = {
    "through the slit the centre sees what comes from above": (boxed((57, 16, 64, 16)), ABOVE, True),
    "what comes from above ends in the shadow": (boxed((57, 16, 64, 16), (56, 18, 58, 18)), ABOVE, False),
    "what comes from above ends just before the shadow": (boxed((57, 16, 64, 16), (57, 18, 58, 18)), ABOVE, True),
    "the slit is closed": ([(58, 16, 58, 24), (57, 16, 64, 16)], ABOVE, False),
    "two walls that cross before the centre": ([(56, 17, 64, 25), (56, 23, 64, 15)], A, False),
    "two walls that cross, the centre sees past their ends": ([(56, 18, 62, 23), (62, 17, 56, 22)], A, True),
    "two walls that cross before the centre, from above": ([(56, 18, 62, 23), (62, 17, 56, 22)], ABOVE, True),
    "a wall that touches another one's end": ([(58, 16, 58, 20), (58, 20, 62, 24)], A, False),
    "a wall to the centre": ([(60, 20, 56, 20)], A, True),
    "walls from the centre to the corners": ([(60, 20, 56, 16), (60, 20, 56, 24)], A, True),
    "walls from the centre to the corners, a slit before": (
        [(60, 20, 56, 16), (60, 20, 56, 24), (30, 0, 30, 20), (30, 21, 30, 48)],
        A,
        True,
    ),
    "a star at the centre": ([(60, 20, 56, 18), (60, 20, 57, 24), (60, 20, 64, 21), (60, 20, 60, 16)], A, True),
    "a star just beside the centre": (
        [(59, 20, 56, 18), (59, 20, 57, 24), (59, 20, 64, 21), (59, 20, 60, 16)],
        A,
        False,
    ),
}


@pytest.mark.parametrize("name", SHADOWS)
def test_shadows_in_a_square(name):
    """What the centre does not see of its own square, where walls stand in it."""
    segments, attacker, expected = SHADOWS[name]
    walls = Walls(6, 8, 8, segments=tuple(segments))
    assert oracle.line_of_effect(walls, attacker, B) is expected
    for view in views(walls):
        a, b = view.space(attacker), view.space(B)
        assert not support.disagreement_about_effect(view.walls, a, b)
        assert not support.disagreement_about_effect(view.walls, b, a)
    for a in ((6, 1, 1, 1), (7, 1, 1, 1), (6, 3, 1, 1), (5, 0, 2, 1), (7, 4, 1, 2), (0, 5, 1, 1), (6, 2, 1, 1)):
        assert not support.disagreement_about_effect(walls, a, B)


def test_a_wall_in_line_with_the_centre_parts_what_it_sees():
    """A wall that points at the centre hides nothing, yet a segment does not cross it; this segment proves the answer."""
    walls = Walls(7, 3, 12, segments=((-71, 14, 10, 68), (9, 68, 90, 122), (4, 122, 14, 62), (13, 63, 23, 3)))
    a, b = (1, 4, 1, 1), (0, 5, 1, 1)
    oracle.check_free_segment(walls, a, b, [(Fraction(142, 5), Fraction(596, 5)), (Fraction(119, 5), Fraction(138))])
    for view in views(walls):
        assert support.line_of_effect(view.walls, view.space(a), view.space(b))
        assert support.line_of_effect(view.walls, view.space(b), view.space(a))


# Drawings with solid squares only: what turns a line is a corner of the grid.
TURNS = {
    "past two corners on one line, left then right": (("A#....", "......", "..#..T"), True),
    "three corners on one line, left, right, left": (("A#....", "......", "..#..#", ".....T"), False),
    "past two corners with room, left then right": (("A.#...", "......", "...#.T"), True),
    "down, up and down again": (("A.#...", "....#T"), False),
    "behind a pillar on the diagonal": (("A..", ".#.", "..T"), False),
    "along a corridor of one square": (("######", "A....T", "######"), True),
    "along a bent corridor": (("A.###", "#...T"), True),
    "round two bends": (("A.###", "#.###", "#..T#"), False),
    "through a door": (("A..#...", "...#...", ".......", "...#..T"), True),
    "beside a door": (("A..#..", "...#..", ".....T", "...#.."), True),
    "beside a door, the line from corner to corner only": (("A..#...", "...#...", "......T", "...#..."), False),
    "a pillar between": (("A.#.T",), False),
    "a pillar between, with room": ((".....", "A.#.T", "....."), False),
    "a pillar far between, with room": (("........", "A...#..T", "........"), False),
    "two pillars one after another": (("......", "A.#...", "...#.T"), False),
    "diagonal, pillars at both sides": (("A#.", "..#", "#.T"), True),
    "diagonal, pillars that touch": (("A#", "#T"), False),
}


@pytest.mark.parametrize("name", TURNS)
def test_turns_round_grid_corners(name):
    rows, expected = TURNS[name]
    for margin in (0, 1):
        walls, places = scene(*rows, margin=margin)
        a, b = (*places["A"], 1, 1), (*places["T"], 1, 1)
        assert oracle.line_of_effect(walls, a, b) is expected
        for view in views(walls):
            assert support.effects(view.walls, [(view.space(a), view.space(b))]) == [int(expected)]
            assert expected or not support.tilts(view.walls, view.space(a), view.space(b))


def test_all_pairs_of_small_drawings():
    """Every two squares of some drawings: every line, and line of effect."""
    for rows in (("....", ".#..", "..#.", "...."), ("..#..", ".....", "#.#.#"), ("#...", "..#.", ".#..")):
        walls, _ = scene(*rows, margin=0)
        squares = [(x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "."]
        for a, b in product(squares, squares):
            assert not support.disagreement_about_lines(walls, a, b)
            if a != b:
                assert not support.disagreement_about_effect(walls, (*a, 1, 1), (*b, 1, 1))


def test_the_fast_part_finds_what_is_plain():
    """It need not find everything; but on open ground, past a corner and along a wall it must not leave it to the full part."""
    for rows in (
        ("A....", ".....", "...T."),
        ("A.#..", "....T"),
        ("#####", "A...T"),
        ("A#..", "...T"),
        ("A.#...", "......", "...#.T"),
    ):
        walls, places = scene(*rows)
        assert support.tilts(walls, (*places["A"], 1, 1), (*places["T"], 1, 1)), rows


def test_the_full_part_finds_what_is_plain():
    """Walls in a square leave the question open only where they matter."""
    inside = [(58, 16, 58, 24), (2, 16, 7, 20)]
    shut = Walls(6, 8, 8, segments=(*inside, (30, 0, 30, 48)))
    assert support.effects(shut, [(A, B), (B, A)]) == [effect.NO] * 2
    through = Walls(6, 8, 8, segments=(*inside, (62, 17, 63, 24)))
    assert support.effects(through, [((0, 3, 1, 1), (7, 3, 1, 1)), ((0, 2, 2, 2), (6, 3, 2, 1))]) == [effect.YES] * 2


@pytest.mark.parametrize("bits", range(16))
def test_every_corner_of_the_grid(bits):
    """The sixteen ways in which edges can leave a grid corner, and every line past it, from it and to it."""
    arms = [(2, 1, 2, 2), (2, 2, 3, 2), (2, 2, 2, 3), (1, 2, 2, 2)]
    edges = frozenset(arm for k, arm in enumerate(arms) if bits >> k & 1)
    for free in ((), ((0, 3, 1, 0),)):  # without free walls, and where free walls are about
        walls = Walls(4, 4, 3, edges=edges, segments=free)
        squares = list(product(range(4), range(4)))
        lines = [(a, ca, b, cb) for a, b in product(squares, squares) for ca, cb in product(range(4), range(4))]
        lines = [line for line in lines if passes(line)]
        assert support.contacts(walls, lines) == [oracle.contact(walls, *line) for line in lines]


def passes(line):
    """Whether a line of a map of four squares a side has the middle on it, and little else to tell."""
    (xa, ya), ca, (xb, yb), cb = line
    x0, y0, x1, y1 = xa + (ca & 1) - 2, ya + (ca >> 1) - 2, xb + (cb & 1) - 2, yb + (cb >> 1) - 2
    is_on = x0 * y1 == x1 * y0 and x0 * x1 + y0 * y1 <= 0
    return is_on and max(map(abs, (x0, y0, x1, y1))) <= 1


FREE_ARMS = [(0, -5), (3, -4), (5, 0), (4, 5), (0, 5), (-5, 5), (-5, 0), (-4, -3)]


@pytest.mark.parametrize("bits", range(0, 256, 5))
def test_corners_at_which_free_walls_meet(bits):
    """Some of the 256 ways in which walls can leave a corner, and every line past it, from it and to it."""
    walls = Walls(
        4, 4, 6, segments=tuple((12, 12, 12 + x, 12 + y) for k, (x, y) in enumerate(FREE_ARMS) if bits >> k & 1)
    )
    squares = list(product(range(1, 3), range(1, 3)))
    lines = [(a, ca, b, cb) for a, b in product(squares, squares) for ca, cb in product(range(4), range(4))]
    lines = [line for line in lines if passes(line)]
    assert support.contacts(walls, lines) == [oracle.contact(walls, *line) for line in lines]
    for a, b in product(squares, squares):
        if a != b:
            assert not support.disagreement_about_effect(walls, (*a, 1, 1), (*b, 1, 1))


def test_kinds_of_contact_occur():
    kinds = {expected for _, _, expected in TABLE.values()}
    assert kinds == {CLEAR, TOUCHES, BLOCKED}
