"""Past special walls: what is seen and what is denied quickly is what the oracles say; what must be left open is."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import oracle
import oracle_walls
import pytest
from kernels import support
from kernels.views import views
from oracle import Walls, squares_of
from strategies import seeded, seeded_slits

from gridlos.kernels import band, special_effect
from gridlos.kernels.effect import NO, UNDECIDED, YES
from gridlos.kernels.lifted import is_joined_past_limited
from gridlos.kernels.special_parted import CROSSABLE, HARD, LIMITED, LINE, MAYBE, OFF
from gridlos.kernels.special_stops import BOTTOM, N_TERMS, SIDE, TOP
from gridlos.kernels.touching import CROSSING, index_touching

CHUNKS = 4
SCENES = {"reduced": 12, "default": 160, "thorough": 6000}[support.PROFILE]
LEFT, RIGHT = 1, 2
EQUAL = (0, 6, 0, 6)
"""Feet, head, feet and head of two bodies."""
WHOLE, LOW = (0, 6), (0, 3)


@dataclass(frozen=True)
class Wall:
    """A special wall: its ends, whether it is limited, the side from which alone it stops (or 0), bottom and top."""

    ends: tuple
    limited: bool = False
    side: int = 0
    band: tuple = WHOLE


def line_numbers(special):
    """-1, or one number for each straight line with limited walls."""
    lines, numbers = [], []
    for wall in special:
        a, b = wall.ends[:2], wall.ends[2:]
        same = [k for k, (p, q) in enumerate(lines) if oracle.turn(p, q, a) == 0 == oracle.turn(p, q, b)]
        if wall.limited and not same:
            lines.append((a, b))
            same = [len(lines) - 1]
        numbers.append(same[0] if wall.limited else -1)
    return numbers


def indexed(walls, special):
    """The kernel's arguments before ``asked``, and the map's size."""
    found = support.indexed(walls)
    ends = np.array([wall.ends for wall in special], np.int32).reshape(-1, 4)
    joint = np.concatenate((found.barriers, ends))
    rows, cols = walls.rows, walls.cols
    plain, own = (band.index_band(some, rows, cols, found.size) for some in (found.barriers, ends))
    touching = index_touching(found.barriers, 0, plain, plain, rows * cols)
    more = index_touching(joint, len(found.barriers), plain, own, rows * cols)
    terms = np.full((len(special), N_TERMS), -7, np.int64)
    terms[:, LINE], terms[:, SIDE] = line_numbers(special), [wall.side for wall in special]
    terms[:, BOTTOM], terms[:, TOP] = np.array([wall.band for wall in special], np.int64).reshape(-1, 2).T
    return joint, plain, touching, own, more, terms, np.array([rows, cols, found.size], np.int64)


def answers(walls, special, pairs, heights=EQUAL):
    *arrays, map_size = indexed(walls, special)
    asked = np.array([(*a, *b, *heights) for a, b in pairs], np.int64).reshape(-1, 12)
    return special_effect.lines_past(*arrays, asked, map_size).tolist()


def for_oracle(walls, special):
    """The same walls for the oracle; those that stop from the right alone are drawn from their other end."""
    groups = {(False, False): [], (True, False): [], (False, True): [], (True, True): []}
    for wall in special:
        ends = wall.ends if wall.side != RIGHT else wall.ends[2:] + wall.ends[:2]
        groups[wall.limited, bool(wall.side)].append(ends)
    base = replace(walls, segments=walls.segments + tuple(groups[False, False]))
    return oracle_walls.Special(base, *(tuple(groups[key]) for key in ((True, False), (False, True), (True, True))))


def situation(seed):
    """A map with plain and special walls, and spaces: the free walls of a seeded one are dealt out."""
    it = (seeded(seed, 1, 7, 14), seeded_slits(seed), seeded(seed, 2, 8, 18))[seed % 3]
    rng = random.Random(seed)
    plain, special = [], []
    for ends in it.walls.segments:
        kind = rng.choice(("plain", "hard", "limited", "limited", "one-way", "both") if seed % 2 else ("plain", "hard"))
        if kind == "plain" or ends[:2] == ends[2:]:
            plain.append(ends)
        else:
            side = rng.choice((LEFT, RIGHT)) if kind in ("one-way", "both") else 0
            special.append(Wall(ends, kind in ("limited", "both"), side))
    return it, replace(it.walls, segments=tuple(plain)), special


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_as_the_oracle(chunk, counts):
    said = {YES: 0, NO: 0, UNDECIDED: 0}
    for seed in range(chunk, SCENES, CHUNKS):
        it, walls, special = situation(seed)
        if set(squares_of(it.a)) & set(squares_of(it.b)) or not oracle.line_of_effect(walls, it.a, it.b):
            continue
        for a, b in ((it.a, it.b), (it.b, it.a)):
            answer = answers(walls, special, [(a, b)])[0]
            said[answer] += 1
            if answer != UNDECIDED:
                expected = oracle_walls.line_of_effect(for_oracle(walls, special), a, b)
                assert (answer == YES) == expected, (seed, a, b)
    for word, key in (("seen", YES), ("denied", NO), ("left open", UNDECIDED)):
        name = f"pairs past special walls {word}"
        counts[name] += said[key]
    assert min(said[YES], said[NO]) > 0 or support.PROFILE == "reduced"


# ---- what is left open


def between(walls, special, a, b, heights=EQUAL):
    """What each special wall does between two spaces."""
    *arrays, map_size = indexed(walls, special)
    return special_effect.walls_between(*arrays, np.array([(*a, *b, *heights)], np.int64), map_size)


def limited_situation(seed):
    it = (seeded(seed, 1, 7, 10), seeded_slits(seed, 1), seeded(seed, 2, 7, 9))[seed % 3]
    rng = random.Random(seed)
    ends = [one for one in it.walls.segments if one[:2] != one[2:]]
    is_limited = [rng.random() < (0.8, 0.4)[seed % 2] for _ in ends]
    plain = tuple(one for one, it_is in zip(ends, is_limited, strict=True) if not it_is)
    return it, replace(it.walls, segments=plain), [
        Wall(one, limited=True) for one, it_is in zip(ends, is_limited, strict=True) if it_is
    ]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_past_limited_walls_as_the_oracle(chunk, counts):
    """The exact search, whichever walls may be crossed, and with those only that are not known to be of no use."""
    said = [0, 0]
    for seed in range(chunk, SCENES // 2, CHUNKS):
        it, walls, special = limited_situation(seed)
        if set(squares_of(it.a)) & set(squares_of(it.b)) or not special:
            continue
        expected = oracle_walls.line_of_effect(for_oracle(walls, special), it.a, it.b)
        found, ends = support.indexed(walls), np.array([wall.ends for wall in special], np.int32)
        pivots = np.concatenate((found.pivots, ends.reshape(-1, 2)))
        codes = between(walls, special, it.a, it.b)
        near = codes != OFF
        for crossable in (np.ones(len(special), np.bool_), codes == CROSSABLE):
            walls_near = ends[near].astype(np.int64), crossable[near]
            answer = is_joined_past_limited(found.barriers, *walls_near, pivots, (it.a, it.b), found.size)
            assert answer == expected, (seed, it)
        if oracle.line_of_effect(it.walls, it.a, it.b):
            none = ends[near].astype(np.int64), np.zeros(near.sum(), np.bool_)
            assert is_joined_past_limited(found.barriers, *none, pivots, (it.a, it.b), found.size), (seed, it)
        said[expected] += 1
    counts["searches past limited walls"] += sum(said)
    counts["of them without a line"] += said[0]
    assert support.PROFILE == "reduced" or sum(said) > 0


def test_what_each_wall_does():
    other, far = (12, -3, 17, 40), (2, 26, 9, 31)
    one_way = Wall(ACROSS, side=LEFT)
    assert between(OPEN, [Wall(ACROSS), Wall(far), Wall(ACROSS, band=LOW)], A, B).tolist() == [HARD, OFF, OFF]
    assert between(OPEN, [Wall(ACROSS, limited=True)], A, B).tolist() == [CROSSABLE]
    assert between(OPEN, [Wall(ACROSS, limited=True), Wall(other, limited=True)], A, B).tolist() == [LIMITED, LIMITED]
    assert between(OPEN, [Wall(ACROSS, limited=True), Wall(other)], A, B).tolist() == [LIMITED, HARD]
    assert between(OPEN, [one_way, Wall(other)], A, B).tolist() == [OFF, HARD]
    assert between(OPEN, [one_way, Wall((4, 6, 4, 18), side=LEFT)], B, A).tolist() == [HARD, MAYBE]
    assert between(OPEN, [replace(one_way, limited=True)], B, A).tolist() == [CROSSABLE]


# ---- known answers

S = 8
A, B = (0, 1, 1, 1), (5, 2, 1, 1)
OPEN = Walls(4, 6, S)
ACROSS = (20, -3, 28, 40)
CHAIN = ((20, 0, 30, 11), (30, 11, 21, 20), (21, 20, 25, 40))


def answer(*special, walls=OPEN, a=A, b=B):
    """The answer, the same in all views and from the other side."""
    found = set()
    for view in views(replace(walls, segments=(*walls.segments, *(wall.ends for wall in special)))):
        n = len(walls.segments)
        turned = [replace(wall, ends=ends) for wall, ends in zip(special, view.walls.segments[n:], strict=True)]
        base = replace(view.walls, segments=view.walls.segments[:n])
        spaces = view.space(a), view.space(b)
        found |= set(answers(base, turned, [spaces, spaces[::-1]]))
    assert len(found) == 1, found
    return found.pop()


def test_hard_walls():
    """They stop as plain ones do, alone and together with those."""
    assert answer(Wall(ACROSS)) == NO
    assert answer(*map(Wall, CHAIN)) == NO
    for k in range(3):
        plain = replace(OPEN, segments=(CHAIN[k],))
        assert answer(*(Wall(ends) for ends in CHAIN if ends != CHAIN[k]), walls=plain) == NO
        assert answer(Wall(CHAIN[k])) != NO
    assert answer() == YES
    assert answer(Wall(ACROSS, band=LOW)) == YES


RISING, FALLING = (0, 6, 0, 8), (0, 8, 0, 6)
"""Below 7 ft all is hidden in the first half of the way, and in the second one."""
RING = ((1, 9, 7, 9), (7, 9, 7, 15), (7, 15, 1, 15), (1, 15, 1, 9))
"""Around the centre of A."""


def test_walls_of_some_height():
    """They stop who meets them where they hide all: near the lower body, not near the higher one."""
    middle, near_a, near_b = (Wall(ends, band=(0, 7)) for ends in (ACROSS, (10, -3, 10, 40), (38, -3, 38, 40)))
    for way, heights in (((A, B), RISING), ((B, A), FALLING)):
        assert [answers(OPEN, [wall], [way], heights) for wall in (middle, near_a, near_b)] == [[YES], [NO], [YES]]
        assert answers(OPEN, [near_b, replace(middle, band=(0, 8))], [way], heights) == [NO]
        assert answers(OPEN, [replace(near_a, limited=True), near_b], [way], heights) == [YES]
    for way, heights in (((A, B), FALLING), ((B, A), RISING)):
        assert [answers(OPEN, [wall], [way], heights) for wall in (middle, near_a, near_b)] == [[YES], [YES], [NO]]


def test_each_pair_has_its_heights():
    """And walls are not changed by what they hide of the one or the other."""
    *arrays, map_size = indexed(OPEN, [Wall((10, -3, 10, 40), band=(0, 7))])
    terms = arrays[-1].copy()
    asked = np.array([(*A, *B, *heights) for heights in (EQUAL, (0, 8, 0, 8), RISING, FALLING, EQUAL)], np.int64)
    assert special_effect.lines_past(*arrays, asked, map_size).tolist() == [NO, YES, NO, YES, NO]
    assert np.array_equal(arrays[-1], terms)
    for heights, kind in ((EQUAL, HARD), (FALLING, OFF)):
        assert special_effect.walls_between(*arrays, np.array([(*A, *B, *heights)]), map_size).tolist() == [kind]


def test_legs_past_walls_of_some_height():
    """The way from the centre is at the fraction 0, that to it at 1; what is seen from there alone is not enough."""
    ring, wall = [Wall(ends, band=(0, 6)) for ends in RING], Wall((20, 11, 20, 40), band=(0, 8))
    for way, heights in (((A, B), RISING), ((B, A), FALLING)):
        assert answers(OPEN, ring, [way], heights) == [YES]
        assert answers(OPEN, [replace(one, band=(0, 7)) for one in ring], [way], heights) == [NO]
        assert answers(OPEN, [wall], [way], heights) == [YES]
        assert answers(OPEN, [*ring, wall], [way], heights) != [YES]


def test_past_a_corner():
    """From a square on a tower to the next one below, whose battlement hides all from a little way on: by points close to it."""
    walls, tower = Walls(6, 8, 1), (Wall((6, 2, 6, 3), band=(0, 24)), Wall((6, 3, 6, 4), band=(0, 24)), Wall((5, 3, 6, 3), band=(0, 21)))
    for way, heights in ((((5, 2, 1, 1), (6, 3, 1, 1)), (21, 27, 1, 7)), (((6, 3, 1, 1), (5, 2, 1, 1)), (1, 7, 21, 27))):
        assert answers(walls, tower, [way], heights) == [YES]


def test_along_a_wall_of_some_height():
    """A segment along it meets it at many fractions: it is taken for stopped, others are tried."""
    along = Wall((10, 16, 38, 16), band=(0, 7))
    for b in ((5, 1, 1, 1), (5, 1, 1, 2)):
        assert answers(OPEN, [along], [((0, 1, 1, 2), b)], RISING) == [YES]


def test_limited_walls():
    """One straight line of them may be crossed, be it more than one wall; of two at one place none needs to be."""
    other = (12, -3, 17, 40)
    assert answer(Wall(ACROSS, limited=True)) == YES
    assert answer(Wall(ACROSS, limited=True), Wall(ACROSS[2:] + ACROSS[:2], limited=True)) == YES
    assert answer(Wall(ACROSS, limited=True), Wall(other, limited=True)) == NO
    assert answer(Wall(ACROSS, limited=True), Wall(other)) == NO
    assert answer(*(Wall(ends, limited=True) for ends in CHAIN)) == YES
    assert answer(*(Wall(ends, limited=True) for ends in CHAIN), Wall(other, limited=True)) == NO


def test_a_limited_wall_that_no_other_replaces_is_taken_away_alone():
    """Three lines of them: two of the chains share a wall, so that none of these lines is needed, and all of them are looked at."""
    left, right, shared = (16, -3, 24, 16), (34, -3, 24, 16), (24, 16, 25, 40)
    parts = [Wall(ends, limited=True) for ends in (left, right, shared)]
    assert answer(*parts, Wall((12, 10, 40, 38), limited=True)) in (YES, UNDECIDED)
    assert answer(Wall(left, limited=True), Wall(right, limited=True), Wall(shared)) == NO


def test_limited_walls_in_a_space():
    """The way from the centre to where the line begins may cross one more."""
    assert answer(*(Wall(ends) for ends in RING)) == NO
    assert answer(*(Wall(ends, limited=True) for ends in RING)) == YES
    assert answer(*(Wall(ends, limited=True) for ends in RING), Wall(ACROSS, limited=True)) == YES


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_one_way_walls(side):
    """With y down, the left of a wall drawn downward is east."""
    from_east, from_west = (NO, YES) if side == LEFT else (YES, NO)
    assert answers(OPEN, [Wall(ACROSS, side=side)], [(A, B), (B, A)]) == [from_west, from_east]
    two = [Wall(ACROSS, limited=True, side=side), Wall((12, -3, 17, 40))]
    assert answers(OPEN, two[:1], [(A, B), (B, A)]) == [YES, YES]
    assert answers(OPEN, two, [(A, B), (B, A)]) == [NO, NO]


def test_a_line_crosses_no_second_limited_wall():
    """Whichever of them may be crossed: there is one straight line of them too many between the spaces."""
    limited = np.array([ACROSS, (12, -3, 17, 40)])
    nothing = np.empty((0, 4), np.int32)
    special = [Wall(tuple(ends), limited=True) for ends in limited.tolist()]
    assert not oracle_walls.line_of_effect(for_oracle(OPEN, special), A, B)
    pivots = limited.reshape(-1, 2).astype(np.int32)
    for crossable in ([True, True], [True, False], [False, True]):
        assert not is_joined_past_limited(nothing, limited, np.array(crossable), pivots, (A, B), S)
    assert is_joined_past_limited(nothing, limited[:1], np.ones(1, np.bool_), pivots[:2], (A, B), S)


def test_a_segment_begins_where_the_centre_sees_it():
    """One-way walls around the centre, which stop who leaves: beside them the way is free, but nobody comes there."""
    ring = [Wall(ends, side=RIGHT) for ends in RING]
    for pair, quick in (((A, B), UNDECIDED), ((B, A), YES)):
        assert oracle_walls.line_of_effect(for_oracle(OPEN, ring), *pair) == (quick == YES)
        assert answers(OPEN, ring, [pair]) == [quick]


def test_walls_beyond_the_map():
    """They are counted all the same."""
    beyond = Wall((60, 60, 70, 70)), Wall((-9, 1, -9, 9))
    assert answer(*beyond) == YES
    assert answer(*map(Wall, CHAIN), *beyond) == NO
    assert answer(*beyond, *map(Wall, CHAIN[1:]), walls=replace(OPEN, segments=CHAIN[:1])) == NO


def test_big_spaces():
    """Whole where no wall enters them, square by square where one does."""
    a, b = (0, 0, 2, 2), (4, 1, 2, 2)
    assert answer(Wall(ACROSS), a=a, b=b) == NO
    assert answer(Wall(ACROSS), Wall((6, 9, 11, 13)), a=a, b=b) == NO
    assert answer(Wall((9, 0, 9, 13)), Wall((9, 13, 0, 14)), a=a, b=b) == YES
    assert answer(Wall(ACROSS), a=(1, 1, 4, 2), b=(3, 2, 1, 1)) == YES


@pytest.mark.parametrize("seed", range(4))
def test_which_walls_touch(seed):
    """Each special wall has the walls of both sorts that it shares a point of the map with, and the place of it."""
    _, walls, special = situation(2 * seed)
    joint, *_, touching, _, _ = indexed(walls, special)
    segments = [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in joint.tolist()]
    first, size = len(joint) - len(special), walls.subdivisions
    border = (0, 0), (walls.cols * size, walls.rows * size)
    n = 0
    for k in range(len(special)):
        one, listed = segments[first + k], touching[touching[k] : touching[k + 1]].tolist()
        assert {code >> 3 for code in listed} <= set(range(len(segments))) - {first + k}
        for code in listed:
            other, place = segments[code >> 3], code & 7
            assert oracle.common_stretch(*one, other) is not None
            if place != CROSSING:
                assert oracle.on_wall((*one, *other)[place], other if place < 2 else one)
            n += 1
        for w, other in enumerate(segments):
            meeting = oracle.common_stretch(*one, other) if w != first + k else None
            if meeting and oracle.clipped(tuple(oracle.on_the_way(*one, t) for t in meeting), border):
                assert w in {code >> 3 for code in listed}
    assert n > 0 or not special
