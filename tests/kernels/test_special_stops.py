"""What a special wall does to segments between two spaces, against segments that are tried with fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from kernels.support import PROFILE

from gridlos.kernels.jit import kernel
from gridlos.kernels.special_parted import HARD, LIMITED, LINE, MAYBE, OFF
from gridlos.kernels.special_stops import BOTTOM, N_TERMS, SIDE, TOP, hides_at, set_when, stops_between

CHUNKS = 4
WALLS = {"reduced": 60, "default": 1200, "thorough": 60000}[PROFILE]
SEGMENTS = 30
LEFT, RIGHT = 1, 2


@kernel
def asked(wall, terms, heights, places, a, b, size):
    """What each row of ``terms`` does to segments past the wall, and at which of the ``places`` it hides all."""
    kinds, hiding = np.zeros(len(terms), np.int64), np.zeros((len(terms), len(places)), np.bool_)
    for k in range(len(terms)):
        set_when(terms[k], heights)
        kinds[k] = stops_between(wall, terms[k], a, b, size)
        for i in range(len(places)):
            hiding[k, i] = hides_at(terms[k], places[i, 0], places[i, 1])
    return kinds, hiding


def said(wall, a, b, heights=(0, 6, 0, 6), places=(), *, size=1, line=-1, side=0, band=(0, 6)):
    terms = np.full((1, N_TERMS), -7, np.int64)
    terms[0, [LINE, SIDE, BOTTOM, TOP]] = line, side, *band
    arrays = np.array(wall, np.int32), terms, np.array(heights, np.int64), np.array(places, np.int64).reshape(-1, 2)
    kinds, hiding = asked(*arrays, *(np.array(space, np.int64) for space in (a, b)), size)
    return int(kinds[0]), hiding[0].tolist()


def hides(band, heights, s):
    """Does a band hide all that two bodies leave open at a fraction of the way?"""
    feet, head = (heights[k] + s * (heights[k + 2] - heights[k]) for k in (0, 1))
    return band[0] <= feet and head <= band[1]


def crossing(wall, p, q):
    """The fraction of the way at which the wall is met inside it, and from which side; None if it is not, or at an end of either."""
    x0, y0, x1, y1 = wall
    turn = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for x, y in (p, q)]
    dx, dy = q[0] - p[0], q[1] - p[1]
    ends = [dx * (y - p[1]) - dy * (x - p[0]) for x, y in (wall[:2], wall[2:])]
    if turn[0] * turn[1] >= 0 or ends[0] * ends[1] > 0:
        return None
    return Fraction(abs(turn[0])) / (abs(turn[0]) + abs(turn[1])), LEFT if turn[0] < 0 else RIGHT


def point_in(rng, space, size):
    return tuple(size * (space[c] + Fraction(2 * rng.randrange(space[2 + c] * 8) + 1, 16)) for c in (0, 1))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_as_segments_that_are_tried(chunk, counts):
    """Whatever meets what stops always is stopped, nothing is stopped by what never stops; what hides at a fraction is told exactly."""
    found, met = [0] * 5, 0
    for seed in range(chunk, WALLS, CHUNKS):
        rng = random.Random(seed)
        size, far = rng.choice((1, 2, 5)), rng.choice((4, 9))
        spaces = [(rng.randrange(far), rng.randrange(4), rng.choice((1, 1, 2)), rng.choice((1, 1, 3))) for _ in range(2)]
        wall = tuple(rng.randrange(-2, (far + 3) * size) for _ in range(4))
        heights = [rng.randrange(12) for _ in range(2)]
        heights = heights[0], heights[0] + rng.randrange(1, 9), heights[1], heights[1] + rng.randrange(1, 9)
        bottom = rng.choice((-1, 0, rng.randrange(9)))
        band, side = (bottom, bottom + rng.randrange(6, 22)), rng.choice((0, 0, LEFT, RIGHT))
        places = [(k, 24) for k in range(25)] + [(1, 1), (0, 1)]
        kind, hiding = said(wall, *spaces, heights, places, size=size, side=side, band=band, line=rng.choice((-1, 3)))
        assert hiding == [hides(band, heights, Fraction(*place)) for place in places], (seed, band, heights)
        found[kind] += 1
        for _ in range(SEGMENTS):
            place = crossing(wall, *(point_in(rng, space, size) for space in spaces))
            if place is not None and kind != MAYBE:
                stops = hides(band, heights, place[0]) and side in (0, place[1])
                assert stops == (kind != OFF), (seed, wall, spaces, band, heights, side, place)
                met += 1
    for word, k in (("never stop", OFF), ("always stop", HARD), ("are limited", LIMITED), ("may stop", MAYBE)):
        name = f"special walls that {word}"
        counts[name] += found[k]
    counts["segments that meet them"] += met
    assert PROFILE == "reduced" or min(found[OFF], found[HARD], found[LIMITED], found[MAYBE], met) > 0


# ---- known answers

A, B = (0, 0, 1, 1), (9, 0, 1, 1)
NEAR, FAR, MIDDLE = (1, -2, 1, 3), (9, -2, 9, 3), (5, -2, 5, 3)
RISING = (0, 6, 10, 16)


def kind(wall, band, heights=RISING, **more):
    return said(wall, A, B, heights, band=band, **more)[0]


def test_where_the_wall_is_met():
    """Between a body on the ground and one 10 ft above it a wall of 11 ft hides all up to half of the way: at a wall where that is more."""
    assert [kind(wall, (0, 11)) for wall in (NEAR, MIDDLE, FAR)] == [HARD, MAYBE, OFF]
    assert [kind(wall, (5, 16)) for wall in (NEAR, MIDDLE, FAR)] == [OFF, MAYBE, HARD]
    assert [kind(wall, (0, 16)) for wall in (NEAR, MIDDLE, FAR)] == [HARD] * 3
    assert [kind(wall, (0, 5)) for wall in (NEAR, MIDDLE, FAR)] == [OFF] * 3
    assert [kind(wall, (6, 11)) for wall in (NEAR, MIDDLE, FAR)] == [OFF] * 3


def test_a_wall_at_an_angle():
    """Its straight line leads through a space, itself it does not: the fractions are those of where it is."""
    for ends in ((2, 2, 4, -2), (4, -2, 2, 2)):
        assert kind(ends, (0, 11)) == HARD
        assert kind(ends, (4, 16)) == OFF
        assert kind(ends, (3, 16)) == MAYBE
        assert said(ends, A, (9, 0, 6, 1), RISING, band=(4, 16))[0] == OFF
    assert (kind((0, 0, 9, 4), (0, 9)), kind((1, 4, 10, 0), (7, 16))) == (HARD, HARD)  # up to a quarter, from three quarters on
    # Its straight line leads through A, itself it is met between a third and two thirds of the way.
    far = (16, 2, 24, 3)
    assert [said(far, A, B, RISING, size=4, band=band)[0] for band in ((3, 16), (4, 16), (7, 16))] == [HARD, MAYBE, OFF]
    assert [said(far, B, A, (10, 16, 0, 6), size=4, band=band)[0] for band in ((3, 16), (4, 16), (7, 16))] == [HARD, MAYBE, OFF]
    across = (2, 0, 4, 1)
    assert kind((2, 0, 8, 1), (6, 11)) == OFF  # from 0.6 of the way on, but only up to 0.5
    assert (kind(across, (0, 11)), kind(across, (9, 16))) == (HARD, OFF)


def test_fractions_at_the_edge():
    """From beside the space's side it is met from 0 on, and at a point of the way that is the last one to be hidden, or the first one."""
    assert kind(NEAR, (0, 6)) == OFF  # hides at 0 alone, which is not reached
    assert kind((5, -2, 5, 3), (0, 11)) == MAYBE
    assert said((4, -2, 4, 3), (0, 0, 1, 1), (7, 0, 1, 1), RISING, band=(0, 11))[0] == MAYBE
    assert said((4, -2, 4, 3), (0, 0, 1, 1), (8, 0, 1, 1), RISING, band=(0, 11))[0] == HARD
    assert said((4, -2, 4, 3), (0, 0, 1, 1), (7, 0, 1, 1), (0, 7, 7, 14), band=(0, 10))[0] == OFF
    assert said((4, -2, 4, 3), (0, 0, 1, 1), (7, 0, 1, 1), (0, 7, 7, 14), band=(3, 14))[0] == HARD
    assert said((4, -2, 4, 3), (0, 0, 1, 1), (7, 0, 1, 1), (0, 7, 7, 14), band=(4, 14))[0] == OFF


def test_who_stands_at_the_wall():
    """A wall that enters a space stops legs, too: at the fraction 0 in the one, at 1 in the other."""
    inside, end = (0, -1, 1, 2), (9, -1, 10, 2)
    assert (kind(inside, (0, 11)), kind(end, (5, 16))) == (HARD, HARD)
    steep = (0, 6, 30, 36)
    assert [kind(inside, band, steep) for band in ((0, 36), (0, 6), (1, 36))] == [HARD, MAYBE, MAYBE]
    assert [kind(end, band, steep) for band in ((0, 36), (30, 36), (0, 35))] == [HARD, MAYBE, MAYBE]


def test_sides():
    """With y down, the left of a wall drawn downward is east: from A one comes from the right."""
    every = {"heights": (0, 6, 0, 6), "band": (0, 6)}
    assert [kind(MIDDLE, side=side, **every) for side in (LEFT, RIGHT)] == [OFF, HARD]
    assert [kind(MIDDLE[2:] + MIDDLE[:2], side=side, **every) for side in (LEFT, RIGHT)] == [HARD, OFF]
    assert kind(MIDDLE, side=RIGHT, line=0, **every) == LIMITED
    # From either side of its straight line, which leads through both spaces; through the one alone; into a space.
    assert said((6, 1, 12, 1), A, B, size=2, side=RIGHT)[0] == MAYBE
    assert [said((3, 1, 6, 1), (0, 0, 1, 3), B, side=side)[0] for side in (LEFT, RIGHT)] == [OFF, HARD]
    assert [kind((0, -1, 1, 2), side=side, **every) for side in (LEFT, RIGHT)] == [MAYBE, MAYBE]


def test_large_numbers():
    """Heights and coordinates as large as they may be."""
    tall, unit = 2**41, 2**23 // 12
    heights, band, wall = (0, tall // 2, tall // 2, tall), (0, 3 * tall // 4), (5 * unit, -(2**23), 5 * unit, 2**23)
    places = [(1, 2), (2**61 - 1, 2**62), (2**61 + 1, 2**62)]
    assert said(wall, A, (10, 0, 1, 1), heights, places, size=unit, band=band) == (HARD, [True, True, False])
    assert said(wall, A, B, heights, size=unit, band=band)[0] == MAYBE
