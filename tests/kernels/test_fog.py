"""Squares that conceal: the kernel and the oracle say the same, from both ends of the lines."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import oracle_creatures as judge
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.crowds import Crowd, all_pairs, ask, bodies_on, build_crowd, chooser, same_choices, spaces_of, views
from oracle_creatures import Fog, corner_of, passes_inside, touches

from gridlos.kernels import fog

CHUNKS = 2
SCALE = {"reduced": 0.1, "default": 1, "thorough": 20}[os.environ.get("HYPOTHESIS_PROFILE", "default")]
MAPS = int(60 * SCALE)
LEVELS = range(1, 6)


@dataclass(frozen=True)
class Mist:
    """Creatures on a map that conceals, and the corners of each square to which lines go."""

    crowd: Crowd
    levels: tuple  # of (square, level)
    fog: frozenset
    uncounted: tuple = ()  # of (square, nibble)

    @property
    def judged(self):
        return Fog(self.levels, self.fog)

    def arrays(self):
        shape = self.crowd.rows, self.crowd.cols
        levels, is_fog, counted = np.zeros(shape, np.uint8), np.zeros(shape, np.bool_), np.full(shape, 15, np.uint8)
        for (x, y), level in self.levels:
            levels[y, x], is_fog[y, x] = level, (x, y) in self.fog
        for (x, y), nibble in self.uncounted:
            counted[y, x] = nibble
        return levels, is_fog, counted

    def counted(self, square):
        return [corner for corner in range(4) if dict(self.uncounted).get(square, 15) >> corner & 1]

    def moved(self, dx, dy, rows, cols):
        def shift(square):
            return square[0] + dx, square[1] + dy

        return Mist(
            self.crowd.moved(dx, dy, rows, cols),
            tuple((shift(square), level) for square, level in self.levels),
            frozenset(map(shift, self.fog)),
            tuple((shift(square), nibble) for square, nibble in self.uncounted),
        )


def build_mist(below, **limits):
    """Creatures among squares that conceal: scattered, in a bank, or everywhere; some fog, some brush."""
    crowd = build_crowd(below, most=4, **limits)
    squares = list(product(range(crowd.cols), range(crowd.rows)))
    kind = below(4)
    if kind == 0:
        chosen = [square for square in squares if below(3) == 0]
    elif kind == 1:  # a bank
        low, high = sorted((below(crowd.cols + 1), below(crowd.cols + 1)))
        chosen = [(x, y) for x, y in squares if low <= x < high]
    elif kind == 2:
        chosen = squares
    else:
        chosen = [square for square in squares if below(12) == 0]
    is_mixed = below(2)
    levels = [(square, LEVELS[below(5)] if is_mixed else judge.CONCEALED) for square in chosen]
    is_fog = frozenset(square for square in chosen if below(4) or not is_mixed)
    uncounted = tuple((square, below(16)) for square in squares if below(5) == 0) if below(2) else ()
    return Mist(crowd, tuple(levels), is_fog, uncounted)


def seeded_mist(seed, **limits):
    return build_mist(chooser(seed), **limits)


@st.composite
def mists(draw, **limits):
    return build_mist(lambda bound: draw(st.integers(0, bound - 1)), **limits)


def concealed_lines(mist, asked):
    """``(C, 2, 3, 4)``: by the kernel."""
    levels, is_fog, counted = mist.arrays()
    for array in (levels, is_fog):  # as those of maps
        array.flags.writeable = False
    return fog.concealed_lines(
        levels, is_fog, spaces_of(mist.crowd), asked.pairs, asked.starts, asked.squares, counted.ravel()
    )


def by_oracle(mist, choice):
    """The same of one choice."""
    a, b, square, other = choice
    found = []
    for own, one, two in ((a, square, other), (b, other, square)):
        space, counted = mist.crowd.bodies[own].space, mist.counted(two)
        found.append([
            judge.concealed(mist.judged, space, one, two, counted),
            judge.concealed_at_border(mist.judged, space, one, two, counted),
            judge.fog_depth(mist.judged, one, two, counted),
        ])
    return found


def expected_of(mist, asked):
    """What the oracle says of all choices; the kernel counts to 255."""
    return [[[kind[0], kind[1], [min(depth, 255) for depth in kind[2]]] for kind in by_oracle(mist, choice)]
            for choice in asked.choices]  # fmt: skip


def smallest(mist, choice):
    """As few concealing squares as still make kernel and oracle disagree about the choice; the two answers."""

    def answers(mist):
        asked = ask(mist.crowd, [choice[:2]])
        numbers = [[y * mist.crowd.cols + x for x, y in choice[2:]]]
        asked = replace(asked, starts=np.array([0, 1]), squares=np.array(numbers, np.int64), choices=(choice,))
        return concealed_lines(mist, asked).tolist(), expected_of(mist, asked)

    again = True
    while again:
        again = False
        for k in range(len(mist.levels)):
            less = replace(mist, levels=mist.levels[:k] + mist.levels[k + 1 :], fog=mist.fog - {mist.levels[k][0]})
            kernel, oracle = answers(less)
            if kernel != oracle:
                mist, again = less, True
                break
    return mist, choice, answers(mist)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mists(chunk, counts):
    corners, kinds = 0, {}
    for seed in range(chunk, MAPS, CHUNKS):
        mist, below = seeded_mist(seed, size=(9, 5, 12)[seed % 3]), chooser(seed)
        pairs = all_pairs(mist.crowd)
        asked = ask(mist.crowd, [pairs[below(len(pairs))] for _ in range(3)], below, 3)
        found = concealed_lines(mist, asked).tolist()
        for choice, kernel, oracle in zip(asked.choices, found, expected_of(mist, asked), strict=True):
            assert kernel == oracle, (seed, smallest(mist, choice))
            for what, values in ((what, end[what]) for end in kernel for what in range(3)):
                for value in values:
                    kinds[what, value] = kinds.get((what, value), 0) + 1
        corners += 8 * len(found)
    counts["corners in fog as the oracle"] += corners
    assert SCALE < 1 or all(kinds.get((what, level), 0) > 0 for what in (fog.INSIDE, fog.BORDER) for level in range(6))
    assert SCALE < 1 or len({depth for what, depth in kinds if what == fog.DEPTH}) > 6


@given(mists(size=7), st.integers(0, 10**6))
def test_drawn_mists(mist, seed):
    below = chooser(seed)
    asked = ask(mist.crowd, all_pairs(mist.crowd)[:2], below, 2)
    assert concealed_lines(mist, asked).tolist() == expected_of(mist, asked)


def test_every_square_near_a_line():
    """All lines from a square to those within five squares, and all squares about them: passed, and touched."""
    for dx, dy in product(range(-5, 6), range(-5, 6)):
        for x, y in product(range(min(dx, 0) - 2, max(dx, 0) + 3), range(min(dy, 0) - 2, max(dy, 0) + 3)):
            expected = 0
            for i, j in product(range(4), range(4)):
                segment = corner_of((0, 0), i), corner_of((dx, dy), j), (x, y, 1, 1)
                expected |= passes_inside(*segment) << (4 * i + j) | touches(*segment) << (16 + 4 * i + j)
            assert fog.lines_meeting(dx, dy, x, y) == expected, (dx, dy, x, y)


@pytest.mark.parametrize(("dx", "dy"), [(300, 0), (300, 1), (0, 300), (130, 129), (254, 0), (125, 7)])
def test_deep_fog(dx, dy):
    """Long lines in fog everywhere: the depth is told up to 255."""
    crowd = Crowd(dy + 2, dx + 2, bodies_on([(0, 0, 1, 1), (dx, dy, 1, 1), (1, 1, 1, 1)]))
    near = [(x, y) for x in range(dx + 2) for y in range(dy + 2) if abs(x * dy - y * dx) <= 3 * max(dx, dy)]
    mist = Mist(crowd, tuple((square, judge.CONCEALED) for square in near), frozenset(near))
    asked = ask(crowd, [(0, 1)])
    assert concealed_lines(mist, asked).tolist() == expected_of(mist, asked)


@given(mists(size=7), st.integers(0, 10**6))
def test_eight_symmetries(mist, seed):
    below = chooser(seed)
    asked = ask(mist.crowd, all_pairs(mist.crowd)[:4], below, 3)
    found = concealed_lines(mist, asked)
    for crowd, view in views(mist.crowd):
        seen = Mist(
            crowd,
            tuple((view.square(square), level) for square, level in mist.levels),
            frozenset(map(view.square, mist.fog)),
            tuple((view.square(s), sum((n >> c & 1) << view.corner(c) for c in range(4))) for s, n in mist.uncounted),
        )
        assert all(np.array_equal(view.array(one), two) for one, two in zip(mist.arrays()[:2], seen.arrays(), strict=False))
        there = concealed_lines(seen, same_choices(asked, crowd, view))
        order = [view.corner(corner) for corner in range(4)]
        assert np.array_equal(there[..., order], found)


@given(mists(), st.integers(0, 40), st.integers(0, 9), st.integers(0, 9))
def test_moved(mist, dx, dy, more):
    asked = ask(mist.crowd, all_pairs(mist.crowd)[:6], chooser(dx), 3)
    moved = mist.moved(dx, dy, mist.crowd.rows + dy + more, mist.crowd.cols + dx + more)
    choices = [[(x + dx, y + dy) for x, y in pair] for _, _, *pair in asked.choices]
    squares = np.array([[y * moved.crowd.cols + x for x, y in pair] for pair in choices], np.int64).reshape(-1, 2)
    assert np.array_equal(concealed_lines(moved, replace(asked, squares=squares)), concealed_lines(mist, asked))


@given(mists(), st.integers(0, 10**6))
def test_far_fog_changes_nothing(mist, seed):
    """No square that lies apart from the rectangle round the two squares."""
    below = chooser(seed)
    crowd = mist.crowd
    mist = mist.moved(4, 4, crowd.rows + 8, crowd.cols + 8)
    asked = ask(mist.crowd, all_pairs(mist.crowd)[:1], below, 1)
    (_, _, (ax, ay), (bx, by)) = asked.choices[0]
    known = dict(mist.levels)
    far = [
        (x, y)
        for x, y in product(range(mist.crowd.cols), range(mist.crowd.rows))
        if (x < min(ax, bx) - 1 or x > max(ax, bx) + 1 or y < min(ay, by) - 1 or y > max(ay, by) + 1)
        and (x, y) not in known
        and below(2)
    ]
    more = replace(
        mist, levels=mist.levels + tuple((square, judge.TOTAL) for square in far), fog=mist.fog | frozenset(far)
    )
    assert np.array_equal(concealed_lines(more, asked), concealed_lines(mist, asked))


@given(mists(), st.integers(0, 10**6))
def test_more_fog_conceals_no_less(mist, seed):
    below = chooser(seed)
    asked = ask(mist.crowd, all_pairs(mist.crowd)[:4], below, 3)
    square = (below(mist.crowd.cols), below(mist.crowd.rows))
    if square in dict(mist.levels):
        return
    more = replace(mist, levels=(*mist.levels, (square, judge.CONCEALED)), fog=mist.fog | {square})
    assert (concealed_lines(more, asked) >= concealed_lines(mist, asked)).all()


@given(mists(), st.integers(0, 10**6))
def test_lines_back_are_the_same_lines(mist, seed):
    """The two ends of a choice, asked the other way round, change places."""
    asked = ask(mist.crowd, all_pairs(mist.crowd)[:4], chooser(seed), 3)
    back = replace(asked, pairs=asked.pairs[:, ::-1].copy(), squares=asked.squares[:, ::-1].copy())
    assert np.array_equal(concealed_lines(mist, back), concealed_lines(mist, asked)[:, ::-1])


def test_open_ground():
    crowd = Crowd(4, 4, bodies_on([(0, 0, 1, 1), (3, 3, 1, 1)]))
    assert not concealed_lines(Mist(crowd, (), frozenset()), ask(crowd, [(0, 1)])).any()
