"""Creatures in the way: the kernel and the oracle say the same of crowded maps, and what must not change does not.

The counts are told at the end of the run; ``HYPOTHESIS_PROFILE=thorough`` compares some hundred thousands.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import product

import numpy as np
import oracle_creatures as judge
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels.crowds import (
    ALL,
    Crowd,
    all_pairs,
    as_seen,
    ask,
    bodies_on,
    chooser,
    crowds,
    far_spaces,
    mounts_of,
    same_choices,
    seeded_crowd,
    spaces_of,
    views,
    word,
)
from oracle_creatures import Body, corner_of, passes_inside, squares_of

from gridlos.kernels import soft, soft_lanes, soft_pairs

CHUNKS = 4
SCALE = {"reduced": 0.1, "default": 1, "thorough": 20}[os.environ.get("HYPOTHESIS_PROFILE", "default")]
MAPS = int(60 * SCALE)


def groups_of(crowd):
    """Who gives cover at all, for every side that attacks; and the number of each creature's side."""
    sides = sorted({body.side for body in crowd.bodies})
    blocks = [[judge.gives_cover_against(body, Body((0, 0, 1, 1), side=side)) for body in crowd.bodies] for side in sides]
    return np.array(blocks, np.bool_), [sides.index(body.side) for body in crowd.bodies]


def walked(crowd, asked, end=0):
    """The lines of each choice that creatures block if the first or the second of its pair attacks, by the walk."""
    spaces = spaces_of(crowd)
    blocks, group = groups_of(crowd)
    sharers = soft.index_sharers(spaces, mounts_of(crowd))
    pairs = np.array([(*pair, group[pair[end]]) for pair in asked.pairs], np.int64).reshape(-1, 3)
    return soft.soft_lines(
        spaces, blocks, sharers, pairs, asked.starts, asked.squares, crowd.rows, crowd.cols
    ).tolist()  # fmt: skip


def lines_past(crowd, asked, kernel=soft_pairs.lines_past):
    """The same for both ends, pair by pair."""
    spaces = spaces_of(crowd)
    blocks, group = groups_of(crowd)
    sharers = soft.index_sharers(spaces, mounts_of(crowd))
    pairs = np.array(asked.pairs, np.int64).reshape(-1, 2)
    shape = np.array((crowd.rows, crowd.cols), np.int64)
    found = kernel(
        spaces, blocks, np.array(group, np.int64), sharers, pairs, asked.starts, asked.squares, shape
    ).tolist()  # fmt: skip
    return [found[0], found[-1]]


def soft_lines(crowd, asked):
    """The lines of each choice that creatures block: both kernels say the same."""
    found = walked(crowd, asked)
    if max(crowd.rows, crowd.cols) <= soft_lanes.LARGEST:
        assert lines_past(crowd, asked)[0] == found
    return found


def by_oracle(crowd, asked):
    return [word(judge.soft_of(crowd.bodies, *choice)) for choice in asked.choices]


def without(crowd, k):
    """The crowd without one creature, and the new number of each other."""
    number = {m: m - (m > k) for m in range(len(crowd.bodies)) if m != k}
    bodies = [
        replace(body, mount=number.get(body.mount)) for m, body in enumerate(crowd.bodies) if m != k
    ]  # fmt: skip
    return replace(crowd, bodies=tuple(bodies)), number


def smallest(crowd, choice):
    """As few creatures as still make kernel and oracle disagree about the choice; the choice and the two answers."""

    def answers(crowd, choice):
        asked = replace(ask(crowd, [choice[:2]]), starts=np.array([0, 1]), choices=(choice,))
        numbers = [[y * crowd.cols + x for x, y in choice[2:]]]
        asked = replace(asked, squares=np.array(numbers, np.int64))
        return soft_lines(crowd, asked)[0], by_oracle(crowd, asked)[0]

    again = True
    while again:
        again = False
        for k in range(len(crowd.bodies)):
            if k in choice[:2]:
                continue
            less, number = without(crowd, k)
            moved = (number[choice[0]], number[choice[1]], *choice[2:])
            kernel, oracle = answers(less, moved)
            if kernel != oracle:
                crowd, choice, again = less, moved, True
                break
    return crowd, choice, [f"{answer:016b}" for answer in answers(crowd, choice)]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_crowds(chunk, counts):
    lines, blocked = 0, 0
    for seed in range(chunk, MAPS, CHUNKS):
        limits = ({}, {"largest": 6, "size": 14}, {"largest": 1, "most": 24, "size": 7}, {"most": 16, "size": 6})[seed % 4]
        crowd, below = seeded_crowd(seed, **limits), chooser(seed)
        pairs = all_pairs(crowd)
        pairs = [pairs[below(len(pairs))] for _ in range(min(len(pairs), 12))]
        asked = ask(crowd, pairs, below, 4)
        found, expected = soft_lines(crowd, asked), by_oracle(crowd, asked)
        for choice, kernel, oracle in zip(asked.choices, found, expected, strict=True):
            assert kernel == oracle, (seed, smallest(crowd, choice))
        lines += 16 * len(found)
        blocked += sum(bits.bit_count() for bits in found)
    counts.add(lines_between_creatures_as_the_oracle=lines, of_them_blocked_by_creatures=blocked)
    assert SCALE < 1 or 0.05 * lines < blocked < 0.8 * lines


@given(crowds(), st.integers(0, 10**6))
def test_drawn_crowds(crowd, seed):
    below = chooser(seed)
    pairs = all_pairs(crowd)
    asked = ask(crowd, [pairs[below(len(pairs))] for _ in range(3)], below, 3)
    assert soft_lines(crowd, asked) == by_oracle(crowd, asked)


def row_of_creatures(below, length, n):
    """Two creatures far apart, and many near the line between them."""
    rows, cols = 12, length + 10
    a, b = (below(4), below(rows), 1, 1), (length + below(5), below(rows), 1, 1)
    spaces = [a, b]
    for _ in range(n):
        x, width, height = below(cols - 3), 1 + below(3), 1 + below(2)
        on_line = a[1] + (b[1] - a[1]) * (x - a[0]) // (b[0] - a[0])
        y = min(max(on_line + below(5) - 2, 0), rows - height)
        spaces.append((x, y, width, height))
    return Crowd(rows, cols, bodies_on(spaces))


@pytest.mark.parametrize("is_upright", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_long_lines(seed, is_upright):
    """Over many words of bits, with few creatures near enough to matter."""
    below = chooser(seed)
    for n in (1, 2, 3, 12):
        crowd = row_of_creatures(below, (33, 64, 100, 250)[below(4)], n)
        if is_upright:
            crowd = Crowd(crowd.cols, crowd.rows, bodies_on([tuple(b.space[k] for k in (1, 0, 3, 2)) for b in crowd.bodies]))
        asked = ask(crowd, [(0, 1), (1, 0)])
        assert soft_lines(crowd, asked) == by_oracle(crowd, asked)


def test_as_far_as_a_map_reaches():
    """Rows of 200,000 squares: the last column, the first, and creatures in between."""
    cols = 200_000
    for at, other in product((0, 99_999, cols - 3), ((1, 0), (1, 2))):
        spaces = [(0, 1, 1, 1), (cols - 1, other[1], 1, 1), (at or 1, 0, 2, 2)]
        crowd = Crowd(3, cols, bodies_on(spaces))
        asked = ask(crowd, [(0, 1), (1, 0)])
        assert soft_lines(crowd, asked) == by_oracle(crowd, asked)


def test_every_square_near_a_line():
    """All lines from a square to those within five squares, and all squares about them."""
    for dx, dy in product(range(-5, 6), range(-5, 6)):
        for x, y in product(range(min(dx, 0) - 1, max(dx, 0) + 2), range(min(dy, 0) - 1, max(dy, 0) + 2)):
            expected = sum(
                passes_inside(corner_of((0, 0), i), corner_of((dx, dy), j), (x, y, 1, 1)) << (4 * i + j)
                for i in range(4)
                for j in range(4)
            )
            assert soft.lines_through(dx, dy, x, y) == expected, (dx, dy, x, y)


def test_sharers():
    """Who shares a square, rides or carries: each with itself."""
    for seed in range(40):
        crowd = seeded_crowd(seed, most=12, size=5)
        n = len(crowd.bodies)
        found = soft.index_sharers(spaces_of(crowd), mounts_of(crowd))
        for k in range(n):
            expected = [m for m in range(n) if m == k or judge.belongs_to(crowd.bodies, m, k)]
            assert found[found[k] : found[k + 1]].tolist() == expected


@given(crowds(size=7), st.integers(0, 10**6))
def test_eight_symmetries(crowd, seed):
    below = chooser(seed)
    asked = ask(crowd, all_pairs(crowd)[:6], below, 3)
    found = soft_lines(crowd, asked)
    for seen, view in views(crowd):
        expected = [as_seen(bits, view) for bits in found]
        assert soft_lines(seen, same_choices(asked, seen, view)) == expected


@given(crowds(), st.integers(0, 70), st.integers(0, 9), st.integers(0, 40))
def test_moved(crowd, dx, dy, more):
    asked = ask(crowd, all_pairs(crowd)[:8], chooser(dx), 4)
    moved = crowd.moved(dx, dy, crowd.rows + dy + more, crowd.cols + dx + more)
    choices = [[(x + dx, y + dy) for x, y in pair] for _, _, *pair in asked.choices]
    squares = np.array([[y * moved.cols + x for x, y in pair] for pair in choices], np.int64).reshape(-1, 2)
    assert soft_lines(moved, replace(asked, squares=squares)) == soft_lines(crowd, asked)


@given(crowds(), st.integers(0, 10**6))
def test_far_creatures_change_nothing(crowd, seed):
    below = chooser(seed)
    roomy = crowd.moved(below(9), below(9), crowd.rows + 16, crowd.cols + 16)
    a, b = all_pairs(roomy)[below(len(all_pairs(roomy)))]
    more = replace(roomy, bodies=roomy.bodies + bodies_on(far_spaces(below, roomy, a, b, 8)))
    asked = ask(roomy, [(a, b)], below, 6)
    assert soft_lines(more, asked) == soft_lines(roomy, asked)


@given(crowds(), st.integers(0, 10**6))
def test_one_more_creature_frees_no_line(crowd, seed):
    below = chooser(seed)
    asked = ask(crowd, all_pairs(crowd)[:6], below, 3)
    x, y = below(crowd.cols), below(crowd.rows)
    more = replace(crowd, bodies=crowd.bodies + bodies_on([(x, y, 1, 1)]))
    for before, after in zip(soft_lines(crowd, asked), soft_lines(more, asked), strict=True):
        assert before & ~after == 0


@given(crowds(), st.integers(0, 10**6))
def test_who_stands_with_attacker_or_target_changes_nothing(crowd, seed):
    below = chooser(seed)
    a, b = all_pairs(crowd)[below(len(all_pairs(crowd)))]
    squares = squares_of(crowd.bodies[(a, b)[below(2)]].space)
    more = replace(crowd, bodies=crowd.bodies + bodies_on([(*squares[below(len(squares))], 1, 1)] * 2))
    asked = ask(crowd, [(a, b)], below, 6)
    assert soft_lines(more, asked) == soft_lines(crowd, asked)


@given(crowds(), st.integers(0, 10**6))
def test_a_large_creature_is_like_small_ones_on_its_squares(crowd, seed):
    """Unless it is the attacker or the target, or stands with them."""
    below = chooser(seed)
    a, b = all_pairs(crowd)[below(len(all_pairs(crowd)))]
    bodies = [crowd.bodies[a], crowd.bodies[b]]
    for k, body in enumerate(crowd.bodies):
        if k in (a, b):
            continue
        is_near = judge.belongs_to(crowd.bodies, k, a) or judge.belongs_to(crowd.bodies, k, b)
        spaces = [body.space] if is_near else [(x, y, 1, 1) for x, y in squares_of(body.space)]
        bodies += bodies_on(spaces, side=body.side, gives_cover=False if is_near else body.gives_cover)
    small = replace(crowd, bodies=(*(replace(body, mount=None) for body in bodies[:2]), *bodies[2:]))
    asked = ask(crowd, [(a, b)], below, 6)
    assert soft_lines(small, replace(asked, pairs=np.array([[0, 1]]))) == soft_lines(crowd, asked)


@settings(max_examples=25)
@given(crowds(most=12), st.integers(0, 10**6))
def test_an_answer_does_not_depend_on_the_other_pairs(crowd, seed):
    """Nor on their order: who is set aside for one pair is back for the next."""
    below = chooser(seed)
    pairs = all_pairs(crowd)
    chosen = [pairs[below(len(pairs))] for _ in range(6)]
    together = ask(crowd, chosen)
    found = soft_lines(crowd, together)
    for k, pair in enumerate(chosen):
        alone = soft_lines(crowd, ask(crowd, [pair]))
        assert found[together.starts[k] : together.starts[k + 1]] == alone
    back = ask(crowd, chosen[::-1])
    assert soft_lines(crowd, back)[: back.starts[1]] == found[together.starts[-2] :]


def test_nobody_in_the_way():
    crowd = Crowd(9, 9, bodies_on([(0, 0, 3, 3), (5, 4, 2, 2)]))
    assert set(soft_lines(crowd, ask(crowd, [(0, 1), (1, 0)]))) == {0}
    wall = Crowd(9, 9, bodies_on([(0, 4, 1, 1), (8, 4, 1, 1), (3, 0, 2, 6), (3, 5, 2, 4)]))
    assert soft_lines(wall, ask(wall, [(0, 1)])) == [ALL]
