"""The oracle of creatures, fog and flanking against published situations and against second judges with shapely."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, permutations, product

import oracle
import pytest
import shapely
from oracle_creatures import (
    ALLY,
    CONCEALED,
    ENEMY,
    NEUTRAL,
    NONE,
    Body,
    Fog,
    are_adjacent,
    are_opposite,
    bystanders,
    centres,
    concealed,
    concealed_at_border,
    concealment,
    corner_of,
    distance,
    flanks,
    fog_depth,
    fog_of,
    is_blocked_by,
    is_in_reach,
    meets_opposite_sides,
    passed,
    passes_inside,
    relation,
    shared_side,
    soft,
    squares_of,
    standing,
    touched,
    whole_space,
)


def drawn(*rows, **keys):
    """The bodies of a drawing by letter; ``keys`` are those of single letters."""
    places = {}
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            if char not in ".#":
                places.setdefault(char, []).append((x, y))
    bodies = {}
    for letter, found in places.items():
        (x0, y0), (x1, y1) = found[0], found[-1]
        assert len(found) == (x1 - x0 + 1) * (y1 - y0 + 1), letter
        bodies[letter] = Body((x0, y0, x1 - x0 + 1, y1 - y0 + 1), **keys.get(letter, {}))
    return bodies


def fewest(bodies, attacker, target):
    """The number of lines that creatures block from the best corner of the best choice."""
    return min(counts(bodies, attacker, target))


def counts(bodies, attacker, target):
    """The number of blocked lines for every corner of every choice."""
    letters = list(bodies)
    found = soft(list(bodies.values()), letters.index(attacker), letters.index(target))
    return [nibble.bit_count() for choice in found for nibble in choice]


def is_on_centre_line(bodies, attacker, target, other):
    """Whether the line between the centres of two spaces passes the inside of a third."""
    (p,), (q,) = (centres(bodies[letter].space, "space") for letter in (attacker, target))
    return passes_inside(p, q, tuple(2 * value for value in bodies[other].space))


# ---- creatures in the way: rows, attacker, target, blocked lines from the best corner
IN_THE_WAY = {
    "RULES C27": (("A..BC",), "A", "C", 2),
    "RULES C28": ((".T", "AX"), "A", "T", 0),
    "RULES C29": (("AM", "NB"), "A", "B", 0),
    "RULES C30": (("E.", "AB", "RR", "RR"), "R", "E", 2),
    "RULES C31": (("X", "Y", "Z"), "X", "Z", 2),
    "RULES C32": (("..W..", ".FB..", ".OO..", ".OO.."), "O", "W", 2),
    "RULES C35 out": (("AA..", "AABC"), "A", "C", 1),
    "RULES C35 in": (("AA..", "AABC"), "C", "A", 0),
    "RULES C36": (("XTT", ".TT"), "X", "T", 0),
    "RULES C46": (("A.c.T",), "A", "T", 2),
    "CASES 5a": (("AB", ".T"), "A", "T", 0),
    "CASES 5b": (("AB", "CT"), "A", "T", 0),
    "CASES 5c": (("A...", "..B.", "....", "...T"), "A", "T", 0),
    "CASES 5c mirrored": (("A...", "....", ".B..", "...T"), "A", "T", 0),
    "CASES 16 two": (("A.DBC",), "A", "C", 2),
    "CASES 17": (("XYZ",), "X", "Z", 2),
    "CASES 18": (("MX", "YW"), "M", "W", 0),
    "CASES 19 west": (("E.G", ".A.", ".F."), "F", "E", 0),
    "CASES 19 east": (("E.G", ".A.", ".F."), "F", "G", 0),
    "CASES 21 out": (("..W..", ".FB..", ".OO..", ".OO.."), "W", "O", 2),
    "CASES 26": (("AAA......", "AAA.....T", "AAA......"), "A", "T", 0),
    "CASES 26 both": (("AAA..TTT", "AAA..TTT", "AAA..TTT"), "T", "A", 0),
    "CASES 27": (("A..BB..", "...BB.T"), "A", "T", 4),
    "CASES 64 one": (("A....", "...G.", "....T"), "A", "T", 2),
    "CASES 64 other": (("A....", ".....", "...YT"), "A", "T", 2),
    "CASES 64 both": (("A....", "...G.", "...YT"), "A", "T", 4),
    "CASES 65": (("AB..T",), "A", "T", 2),
    "CASES 67": (("A.B.T",), "A", "T", 2),
}


@pytest.mark.parametrize("name", IN_THE_WAY)
def test_creatures_in_the_way(name):
    rows, attacker, target, expected = IN_THE_WAY[name]
    assert fewest(drawn(*rows), attacker, target) == expected


def test_every_corner_is_alike():
    """RULES C30 to C32 and CASES 64: two lines from every corner, and four."""
    assert min(counts(drawn("E.", "AB", "RR", "RR"), "R", "E")) == 2
    assert set(counts(drawn("X", "Y", "Z"), "X", "Z")) == {2}
    assert set(counts(drawn("A....", "...G.", "...YT"), "A", "T")) == {4}


def test_what_is_blocked_of_a_row():
    """RULES C27 and CASES 16: two lines go through the man in the middle, two along his side."""
    bodies = list(drawn("A..BC").values())
    for nibble in soft(bodies, 0, 2)[0]:
        assert nibble in (0b0011, 0b1100)


def test_a_touched_corner_is_no_cover():
    """RULES C22."""
    assert not is_blocked_by((1, 1), (3, 3), [(2, 1, 1, 1)])
    assert not is_blocked_by((1, 1), (3, 3), [(2, 1, 1, 1), (1, 2, 1, 1)])
    assert is_blocked_by((1, 1), (3, 3), [(2, 2, 1, 1)])


def test_the_seam_of_two_creatures():
    beside, below = [(1, 0, 1, 1), (1, 1, 1, 1)], [(1, 0, 1, 1), (2, 1, 1, 1)]
    assert is_blocked_by((0, 1), (4, 1), beside)
    assert not is_blocked_by((0, 1), (4, 1), below)
    assert not is_blocked_by((0, 1), (1, 1), beside)
    assert is_blocked_by((0, 1), (4, 1), [(0, 0, 3, 1), (2, 1, 3, 1)])
    assert not is_blocked_by((0, 1), (2, 1), [(0, 0, 3, 1), (2, 1, 3, 1)])
    assert not is_blocked_by((1, 1), (1, 1), beside)


def test_centre_lines():
    """RULES C29, CASES 19, 66 and 68: on the line between centres is the inside, not a corner."""
    bodies = drawn("AM", "NB")
    assert not any(is_on_centre_line(bodies, "A", "B", letter) for letter in "MN")
    assert is_on_centre_line(drawn("E.G", ".A.", ".F."), "F", "E", "A")
    assert is_on_centre_line(drawn("A.B.T"), "A", "T", "B")
    assert is_on_centre_line(drawn("A.BBB.T", "..BBB..", "..BBB.."), "A", "T", "B")


def test_who_gives_cover():
    """CASES 67 and 69: the dead give none, nor does who is told not to, to whom he is told not to."""
    bodies = drawn("A.B.T", A={"side": "party"}, T={"side": "monsters"})
    assert fewest(bodies | {"B": replace(bodies["B"], gives_cover=False)}, "A", "T") == 0
    one_sided = bodies | {"B": replace(bodies["B"], gives_cover=("party",))}
    assert fewest(one_sided, "A", "T") == 0
    assert fewest(one_sided, "T", "A") == 2


def test_rider_and_mount():
    """CASES 76: the mount gives its rider no cover, wherever on it he is drawn."""
    for rider in ((4, 0, 1, 1), (3, 0, 1, 1), (4, 1, 1, 1)):
        bodies = [Body((0, 0, 1, 1)), Body(rider), Body((3, 0, 2, 2)), Body((5, 1, 1, 1))]
        assert {nibble for choice in soft(bodies, 0, 1) for nibble in choice} == {0}
        assert {nibble for choice in soft(bodies, 3, 1) for nibble in choice} == {0}
        assert bystanders(bodies, 0, 2) == [(5, 1, 1, 1)]
    in_front = [Body((0, 0, 1, 1)), Body((4, 0, 1, 1)), Body((3, 0, 2, 2)), Body((1, 0, 1, 1))]
    assert min(nibble.bit_count() for nibble in soft(in_front, 0, 1)[0]) == 2
    beside = [Body((0, 0, 1, 1)), Body((5, 0, 1, 1), mount=2), Body((3, 0, 2, 2))]
    assert soft(beside, 0, 1) == [[0, 0, 0, 0]]
    foe, rider, mount = Body((5, 1, 1, 1), side="foe"), Body((3, 0, 1, 1), mount=2), Body((3, 0, 2, 2))
    assert standing([foe, rider, mount], 1) == mount.space
    assert is_in_reach(foe, replace(rider, space=mount.space))
    assert not is_in_reach(foe, rider)


def test_in_somebodys_square():
    """CASES 77: whoever shares the target's square gives it none, four Tiny ones neither; behind it they do not count."""
    archer, hero, familiar = Body((0, 0, 1, 1)), Body((4, 0, 1, 1)), Body((4, 0, 1, 1))
    for others in ([familiar], [familiar] * 4):
        bodies = [archer, hero, *others]
        assert soft(bodies, 0, 1) == soft(bodies, 0, 2) == [[0, 0, 0, 0]]
    assert soft([archer, hero, familiar], 1, 0) == [[0, 0, 0, 0]]
    behind = [archer, Body((6, 0, 1, 1)), hero, familiar]
    assert min(nibble.bit_count() for nibble in soft(behind, 0, 1)[0]) == 2


# ---- the walls of the situations with creatures


def walls_of(*rows, margin=2):
    solid = {(x + margin, y + margin) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "#"}
    return oracle.Walls(len(rows) + 2 * margin, len(rows[0]) + 2 * margin, 1, frozenset(solid))


def by_walls(rows, attacker, target):
    """The blocked lines of every choice, by corner."""
    walls, bodies = walls_of(*rows), drawn(*rows)
    spaces = [(x + 2, y + 2, w, h) for x, y, w, h in (bodies[attacker].space, bodies[target].space)]
    pairs = product(*map(squares_of, spaces))
    return {pair: [nibble.bit_count() for nibble in oracle.blocked_nibbles(walls, *pair)] for pair in pairs}


def test_the_ogre_and_the_rogue():
    """RULES C25: each square of the ogre has lines through the wall; from its nearest corner it sees all of the rogue."""
    rows = (".OO.", ".OO#", "...M")
    assert all(max(lines) >= 2 for lines in by_walls(rows, "M", "O").values())
    assert min(min(lines) for lines in by_walls(rows, "O", "M").values()) == 0


def test_half_a_large_target_behind_a_wall():
    """RULES C37: nothing is in the way of its upper squares, two lines are blocked to the next of its lower ones."""
    found = by_walls(("....LL", "A..#LL"), "A", "L")
    fewest_by_row = {row: min(min(lines) for pair, lines in found.items() if pair[1][1] == row + 2) for row in (0, 1)}
    assert fewest_by_row == {0: 0, 1: 2}


def test_slits_and_narrow_openings():
    """CASES 70 and 71."""
    for low, high, expected in ((145, 155, 3), (130, 170, 2)):
        slit = oracle.Walls(8, 10, 100, segments=((500, -2000, 500, 200 + low), (500, 200 + high, 500, 2000)))
        a, t = (3, 3), (7, 3)
        assert min(n.bit_count() for n in oracle.blocked_nibbles(slit, a, t)) == expected
        assert oracle.line_of_effect(slit, (*a, 1, 1), (*t, 1, 1))
    opening = oracle.Walls(20, 10, 1, segments=((5, 0, 5, 9), (5, 10, 5, 20)))

    def best(a, t):
        return min(n.bit_count() for n in oracle.blocked_nibbles(opening, a, t))

    x, far, level = (5, 9), (2, 6), (2, 9)
    assert (best(x, far), best(far, x)) == (0, 1)
    assert best((4, 9), (5, 11)) == 0
    assert 1 <= best((5, 11), (4, 9)) <= 2
    assert best(x, level) == best(level, x) == 0


# ---- distance and reach


def test_the_second_diagonal():
    """CASES 45 and RULES C76."""
    at = Body((0, 0, 1, 1), reach=2)
    for square, squares, expected in (((2, 2), 3, True), ((1, 1), 1, True), ((2, 1), 2, True), ((3, 0), 3, False)):
        assert distance(at.space, (*square, 1, 1)) == squares
        assert is_in_reach(at, Body((*square, 1, 1))) == expected
    assert not is_in_reach(at, Body((2, 2, 1, 1)), has_second_diagonal=False)
    polearm = replace(at, reach_min=1)
    assert not is_in_reach(polearm, Body((1, 1, 1, 1)))
    assert is_in_reach(polearm, Body((2, 2, 1, 1)))
    three = Body((0, 0, 1, 1), reach=3)
    found = {square: is_in_reach(three, Body((*square, 1, 1))) for square in ((3, 3), (3, 2), (3, 1))}
    assert found == {(3, 3): False, (3, 2): False, (3, 1): True}
    assert is_in_reach(at, Body((2, 2, 1, 1)), "1")


def test_height_is_a_third_direction():
    """CASES 43: two squares up are out of reach."""
    low, high = Body((1, 1, 1, 1)), Body((2, 1, 1, 1), level=2)
    assert not is_in_reach(low, high)
    assert is_in_reach(replace(low, reach=2), high)
    assert is_in_reach(low, replace(high, level=1))
    assert is_in_reach(Body((0, 0, 2, 2)), high)
    assert distance(low.space, (4, 4, 1, 1), up=3) == distance(low.space, (4, 4, 1, 1)) == 4
    assert distance(low.space, (4, 3, 1, 1), up=3) == 4


def test_distances_of_spaces():
    """CASES 38: nearest squares; RULES C36: whoever stands next to a part of it is next to it."""
    assert distance((0, 0, 2, 2), (2, 0, 2, 2)) == 1
    assert are_adjacent((0, 0, 2, 2), (2, 0, 2, 2))
    assert distance((0, 0, 1, 1), (1, 0, 2, 2)) == 1
    assert not is_in_reach(Body((0, 0, 1, 1), reach=2, reach_min=1), Body((1, 0, 2, 2)))
    assert distance((4, 0, 1, 1), (4, 0, 1, 1)) == 0
    assert distance((0, 0, 1, 1), (4, 4, 1, 1)) == 6
    assert distance((0, 0, 1, 1), (4, 4, 1, 1), "1") == 4


# ---- flanking


def stands(x, y, **keys):
    return Body((x, y, 1, 1), **keys)


def are_flanking(one, other, target, threat=None, **rules):
    """Whether two that are hostile to the target flank it; each, and together."""
    bodies = [replace(body, side="party") for body in (one, other)] + [replace(target, side="monsters")]

    def threatens(k, t):
        return bodies[k].is_able and is_in_reach(bodies[k], bodies[t]) if threat is None else threat(k, t)

    found = {flanks(bodies, k, 2, threatens, **rules) for k in (0, 1)}
    assert len(found) == 1, "one flanks without the other"
    return found.pop()


def test_a_flanking_line_through_a_corner():
    """CASES 29 and RULES C48."""
    fighter, orc = stands(1, 1), stands(2, 1)
    for y in (0, 1, 2):
        assert are_flanking(fighter, stands(4, y, reach=2), orc)
        assert are_flanking(fighter, stands(4, y, reach=2), orc, anchor="space")
        assert not are_flanking(fighter, stands(4, y, reach=1), orc)
    assert are_flanking(fighter, stands(3, 1), orc)
    assert not are_flanking(fighter, stands(3, 1, reach=2, reach_min=1), orc)
    assert not are_flanking(fighter, stands(3, 0, reach=2), orc)


FIVE_BY_FIVE = {
    (1, 2): {(3, 2), (4, 1), (4, 2), (4, 3)},
    (0, 2): {(3, 2), (4, 2)},
    (1, 3): {(3, 1), (4, 0)},
    (0, 3): {(3, 2), (4, 1)},
}


@pytest.mark.parametrize("square", FIVE_BY_FIVE)
def test_five_by_five(square):
    """CASES 30; RULES C49 with its four that the line test denies."""
    target = (2, 2, 1, 1)
    found = {
        other
        for other in product(range(5), range(5))
        if other not in ((2, 2), square) and are_opposite((*square, 1, 1), (*other, 1, 1), target)
    }
    assert found == FIVE_BY_FIVE[square]


def test_next_to_a_medium_target():
    """RULES C47: each of the eight squares flanks with the one opposite only."""
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    for one, other in combinations(ring, 2):
        is_opposite = one[0] + other[0] == 2 and one[1] + other[1] == 2
        assert are_opposite((*one, 1, 1), (*other, 1, 1), (1, 1, 1, 1)) == is_opposite


ROUND_LARGE = {
    ((2, 0), (0, 3)): False,  # CASES 31
    ((3, 0), (0, 3)): True,
    ((2, 0), (1, 3)): True,
    ((1, 0), (2, 3)): True,  # and RULES C51
    ((1, 0), (1, 3)): True,
    ((0, 0), (3, 3)): True,
    ((1, 0), (3, 3)): False,
}


@pytest.mark.parametrize("pair", ROUND_LARGE)
def test_round_a_large_target(pair):
    one, other = pair
    for anchor in ("square", "space"):
        assert are_opposite((*one, 1, 1), (*other, 1, 1), (1, 1, 2, 2), anchor) == ROUND_LARGE[pair]


def test_a_large_target_is_more_than_its_first_square():
    """CASES 32."""
    assert are_opposite((3, 1, 1, 1), (2, 4, 1, 1), (2, 2, 2, 2))
    assert not are_opposite((3, 1, 1, 1), (2, 4, 1, 1), (2, 2, 1, 1))


def test_the_side_next_to_it():
    """CASES 33; RULES C56: none of the three pairs round the target."""
    assert not are_opposite((4, 4, 1, 1), (5, 6, 1, 1), (5, 5, 1, 1))
    assert are_opposite((4, 4, 1, 1), (6, 6, 1, 1), (5, 5, 1, 1))
    three = ((1, 0, 1, 1), (0, 2, 1, 1), (2, 2, 1, 1))
    assert not any(are_opposite(one, other, (1, 1, 1, 1)) for one, other in combinations(three, 2))


def test_flanking_at_reach():
    """CASES 35 and RULES C55: where both must be adjacent, reach does not help."""
    assert are_flanking(stands(1, 1), stands(4, 1, reach=2), stands(2, 1))
    assert not are_flanking(stands(1, 1), stands(4, 1, reach=2), stands(2, 1), must_be_adjacent=True)
    goblin, sorcerer = stands(0, 1), stands(1, 1)
    for reach, expected in ((2, True), (1, False)):
        ogre = Body((3, 1, 2, 2), reach=reach)
        assert are_flanking(goblin, ogre, sorcerer) == expected
        assert not are_flanking(goblin, ogre, sorcerer, must_be_adjacent=True)


def test_tiny_flankers():
    """CASES 37 and RULES C57: reach 0 never, from inside the target's square neither; with a reach it is like any."""
    assert not are_flanking(stands(4, 5), stands(5, 5, reach=0), stands(5, 5))
    assert not are_flanking(stands(4, 5), stands(6, 5, reach=0), stands(5, 5))
    assert are_flanking(stands(4, 5), stands(6, 5, reach=1), stands(5, 5))
    assert not are_opposite((4, 5, 1, 1), (5, 5, 1, 1), (5, 5, 1, 1))


def test_large_flankers_that_do_not_touch():
    """CASES 38."""
    for reach, expected in ((1, False), (2, True)):
        one, other = (Body((x, 0, 2, 2), reach=reach) for x in (0, 5))
        assert are_flanking(one, other, stands(3, 0)) == expected


def test_large_flankers_on_a_diagonal():
    """RULES C52 and C53: by squares they flank; by the centres of spaces only where the line meets opposite sides."""
    big, other, target = (3, 0, 2, 2), (1, 3, 2, 2), (2, 2, 1, 1)
    assert are_opposite(big, other, target)
    assert not are_opposite(big, other, target, "space")
    for medium in ((2, 0, 1, 1), (2, 1, 1, 1)):
        assert are_opposite((0, 0, 2, 2), (3, 0, 2, 2), medium)
        assert are_opposite((0, 0, 2, 2), (3, 0, 2, 2), medium, "space")


def test_who_is_able_to_flank():
    """CASES 39 and 44."""
    assert not are_flanking(stands(4, 4), stands(6, 6, is_able=False), stands(5, 5))
    assert not are_flanking(stands(1, 1), stands(3, 1), stands(2, 1), threat=lambda k, _: k == 0)


def test_partners():
    """CASES 41 and 42."""
    sides = {"party": stands(0, 0, side="party"), "monsters": stands(0, 0, side="monsters"), "neutral": stands(0, 0)}
    assert relation(sides["party"], sides["party"]) == ALLY
    assert relation(sides["party"], sides["monsters"]) == ENEMY
    assert relation(sides["neutral"], sides["neutral"]) == relation(sides["party"], sides["neutral"]) == NEUTRAL

    def found(*names, partner):
        bodies = [stands(x, 1, side=name) for x, name in zip((1, 3, 2), names, strict=True)]
        return flanks(bodies, 0, 2, lambda *_: True, partner)

    assert found("party", "party", "monsters", partner="ally of attacker")
    assert found("party", "party", "neutral", partner="ally of attacker")
    assert not found("party", "neutral", "monsters", partner="ally of attacker")
    assert not found("party", "neutral", "monsters", partner="enemy of target")
    assert found("party", "neutral", "monsters", partner="anybody")
    for partner in ("ally of attacker", "enemy of target"):
        assert not found("party", "bandits", "monsters", partner=partner)
        assert found("monsters", "monsters", "neutral", partner=partner)
    alone = [stands(1, 1, side="party"), stands(2, 1, side="monsters")]
    assert not flanks(alone, 0, 1, lambda *_: True)


# ---- fog

BANK = ["....fff...."] * 4  # CASES 79: x = 4 … 6, all y


@pytest.mark.parametrize(
    ("a", "t", "plain", "opaque"),
    [
        ((1, 1), (5, 1), "total", "total"),
        ((5, 1), (1, 1), "total", "total"),
        ((1, 1), (9, 1), "total", "total"),
        ((4, 1), (5, 1), "concealed", "total"),
    ],
)
def test_into_out_of_and_through_fog(a, t, plain, opaque):
    fog = fog_of(BANK)
    a, t = (*a, 1, 1), (*t, 1, 1)
    assert concealment(fog, a, t) == concealment(fog, t, a) == plain
    assert concealment(fog, a, t, is_opaque=True) == concealment(fog, t, a, is_opaque=True) == opaque


def test_both_in_fog():
    """RULES C59: adjacent, in melee and with a bow."""
    fog = fog_of(["ffff", "ffff"])
    for attack, (a, t) in product(("melee", "ranged"), permutations([(1, 1, 1, 1), (2, 1, 1, 1)])):
        assert concealment(fog, a, t, attack) == "concealed"


def test_at_the_edge_of_fog():
    """RULES C61: nothing conceals whom one shoots out of the outer squares, but the border of fog is touched."""
    fog = fog_of(["ff...", "ff...", "ff..."])
    a, t = (1, 1, 1, 1), (4, 1, 1, 1)
    assert concealment(fog, a, t) == "none"
    assert concealment(fog, a, (2, 1, 1, 1), "melee") == "none"
    assert concealed(fog, a, (1, 1), (4, 1)) == [CONCEALED, NONE, CONCEALED, NONE]
    assert concealed_at_border(fog, a, (1, 1), (4, 1)) == [CONCEALED] * 4
    alone = fog_of([".....", ".f...", "....."])
    assert concealed_at_border(alone, a, (1, 1), (4, 1)) == [NONE] * 4


def test_a_bank_between():
    """RULES C63: it conceals, unless a corner avoids it."""
    fog = fog_of([".......", ".......", "...f...", "...f..."])
    assert concealment(fog, (0, 2, 1, 1), (6, 2, 1, 1)) == "concealed"
    assert concealment(fog, (0, 3, 1, 1), (6, 3, 1, 1)) == "concealed"
    assert concealment(fog, (0, 0, 1, 1), (6, 0, 1, 1)) == "none"
    deep = fog_of([".......", "..fff..", "..fff..", "..fff.."])
    assert concealment(deep, (0, 2, 1, 1), (6, 2, 1, 1)) == "total"
    assert concealment(deep, (0, 0, 1, 1), (6, 0, 1, 1)) == "none"


def test_a_line_along_the_side_of_two_fog_squares_passes_both():
    """So a bank one square deep hides wholly whoever stands straight behind it, and conceals whoever stands aslant."""
    fog = fog_of(["...f..."] * 4)
    assert concealment(fog, (0, 2, 1, 1), (6, 2, 1, 1)) == "total"
    assert concealment(fog, (0, 1, 1, 1), (4, 2, 1, 1)) == "concealed"


def test_brush_is_never_total():
    brush = fog_of(["....bbb...."] * 4)
    for a, t in (((1, 1), (5, 1)), ((5, 1), (1, 1)), ((1, 1), (9, 1)), ((4, 1), (5, 1))):
        assert concealment(brush, (*a, 1, 1), (*t, 1, 1)) == "concealed"
        assert max(fog_depth(brush, a, t)) == 0


def test_partly_in_fog():
    """CASES 80: by squares, never by the centre."""
    fog = fog_of(["...fff", "...fff", "...fff"])
    assert whole_space(fog, (2, 0, 2, 2)) == NONE
    assert whole_space(fog, (3, 0, 2, 2)) == whole_space(fog, (3, 0, 1, 1)) == CONCEALED
    assert concealment(fog, (1, 0, 1, 1), (2, 0, 2, 2), "melee") == "none"
    assert concealment(fog, (2, 0, 1, 1), (3, 0, 2, 2), "melee") == "concealed"


def test_own_squares_are_counted_in_the_depth():
    """One row of fog in the line: the two ends of it count from either side."""
    fog = fog_of(["..........", "....fff...", ".........."])
    for a, t in permutations([(1, 1), (5, 1)]):
        assert min(fog_depth(fog, a, t)) == 2
    assert fog_depth(fog_of(["...", ".f.", "..."]), (1, 1), (1, 1)) == [1] * 4


# ---- second judges


def box(space):
    x, y, width, height = space
    return shapely.box(x, y, x + width, y + height)


def has_inner_point(line, area):
    """Whether a line has a point inside a region."""
    return line.relate(area)[0] != "F"


def random_space(rng, size, largest):
    return rng.randrange(size), rng.randrange(size), rng.randint(1, largest), rng.randint(1, largest)


def test_creatures_as_one_region():
    """A line is blocked where it has a point inside the joined region of the creatures: inside one or on a seam."""
    rng, found = random.Random(1), [0, 0]
    for _ in range(1500):
        spaces = [random_space(rng, 6, 3) for _ in range(rng.randint(1, 5))]
        p, q = ((rng.randrange(8), rng.randrange(8)) for _ in range(2))
        region = shapely.union_all([box(space) for space in spaces])
        line = shapely.Point(p) if p == q else shapely.LineString([p, q])
        if p == q:
            assert not is_blocked_by(p, q, spaces) or has_inner_point(line, region)
            continue
        expected = has_inner_point(line, region)
        assert is_blocked_by(p, q, spaces) == expected, (p, q, spaces)
        found[expected] += 1
    assert min(found) > 200


def test_fog_squares_as_regions():
    rng, found = random.Random(2), [0, 0, 0]
    for _ in range(600):
        squares = {(rng.randrange(6), rng.randrange(6)) for _ in range(rng.randint(1, 14))}
        p, q = ((rng.randrange(7), rng.randrange(7)) for _ in range(2))
        if p == q:
            assert passed(p, q, squares) == set()
            continue
        line = shapely.LineString([p, q])
        expected = {square for square in squares if has_inner_point(line, box((*square, 1, 1)))}
        for one, other in combinations(squares, 2):
            seam = box((*one, 1, 1)).intersection(box((*other, 1, 1)))
            if seam.length > 0 and line.intersection(seam).length > 0:
                expected |= {one, other}
        assert passed(p, q, squares) == expected
        near = {square for square in squares if line.intersects(box((*square, 1, 1)))}
        assert touched(p, q, squares) == near
        found[(len(near) > 0) + (len(expected) > 0)] += 1
    assert min(found) > 20


def test_opposite_sides_as_lines():
    rng, found = random.Random(3), [0, 0]
    for _ in range(2000):
        p, q = ((rng.randrange(16), rng.randrange(16)) for _ in range(2))
        space = random_space(rng, 5, 3)
        line = shapely.Point(p) if p == q else shapely.LineString([p, q])
        x0, y0, x1, y1 = (2 * value for value in box(space).bounds)
        ring = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        sides = [line.intersects(shapely.LineString(ring[k : k + 2])) for k in range(4)]
        expected = (sides[0] and sides[2]) or (sides[1] and sides[3])
        assert meets_opposite_sides(p, q, space) == expected, (p, q, space)
        corners = [shapely.Point(corner) for corner in ring[:4]]
        on = [corner.intersects(line) for corner in corners]
        inner = [side and not on[k] and not on[(k + 1) % 4] for k, side in enumerate(sides)]
        strict = (inner[0] and inner[2]) or (inner[1] and inner[3]) or (on[0] and on[2]) or (on[1] and on[3])
        assert meets_opposite_sides(p, q, space, with_ends=False) == strict
        found[expected] += 1
    assert min(found) > 200


def test_shared_sides():
    assert shared_side((0, 0, 2, 1), (1, 1, 2, 1)) == ((1, 1), (2, 1))
    assert shared_side((0, 0, 1, 1), (1, 1, 1, 1)) is None
    assert shared_side((0, 0, 2, 2), (1, 0, 2, 2)) is None


def test_blocked_there_is_blocked_back():
    rng = random.Random(4)
    for _ in range(60):
        bodies = [Body(random_space(rng, 7, 3)) for _ in range(5)]
        there, back = soft(bodies, 0, 1), soft(bodies, 1, 0)
        squares, others = squares_of(bodies[0].space), squares_of(bodies[1].space)
        for i, j in product(range(len(squares)), range(len(others))):
            one, other = there[i * len(others) + j], back[j * len(squares) + i]
            assert all(one[ca] >> cb & 1 == other[cb] >> ca & 1 for ca in range(4) for cb in range(4))


def test_the_fog_of_a_drawing():
    fog = fog_of(["f.b"])
    assert (fog.level((0, 0)), fog.level((1, 0)), fog.level((2, 0))) == (CONCEALED, NONE, CONCEALED)
    assert fog.fog == {(0, 0)}
    assert Fog((), frozenset()).level((0, 0)) == NONE
    assert corner_of((2, 3), 3) == (3, 4)
