"""What must hold of every map: the promises of the line rule and of line of effect, each by its name."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import support
from kernels.support import all_lines
from kernels.views import border_of, finer, moved, sides_of, split, views
from oracle import BLOCKED, squares_of
from strategies import build_space, build_walls, situations, slits

from gridlos.kernels import line

few = settings(max_examples=max(5, settings().max_examples // 3))
"""For properties that ask many times."""


def answers(walls, a, b):
    """All that the kernels say of two spaces: the contacts of two of their squares, and line of effect."""
    return support.contacts(walls, all_lines(a[:2], b[:2])), effect_between(walls, a, b)


def effect_between(walls, a, b):
    return bool(set(squares_of(a)) & set(squares_of(b))) or support.line_of_effect(walls, a, b)


def transposed(mask):
    return sum((mask >> (4 * i + j) & 1) << (4 * j + i) for i in range(4) for j in range(4))


@given(situations(most_free=8))
def test_mutual(it):
    a, b = it.a[:2], it.b[:2]
    there = support.contacts(it.walls, all_lines(a, b))
    back = support.contacts(it.walls, [(b, cb, a, ca) for _, ca, _, cb in all_lines(a, b)])
    assert there == back
    one, other = support.masks(it.walls, [(a, b), (b, a)])
    assert transposed(one) == other
    assert effect_between(it.walls, it.a, it.b) == effect_between(it.walls, it.b, it.a)


@given(slits(largest_space=4))
def test_line_of_effect_is_mutual(it):
    assert effect_between(it.walls, it.a, it.b) == effect_between(it.walls, it.b, it.a)
    if not set(squares_of(it.a)) & set(squares_of(it.b)):
        assert support.effects(it.walls, [(it.a, it.b)]) == support.effects(it.walls, [(it.b, it.a)])


@few
@given(situations(largest_space=2, most_free=6) | slits())
def test_8_symmetries(it):
    a, b = it.a[:2], it.b[:2]
    expected = support.contacts(it.walls, all_lines(a, b))
    seen = effect_between(it.walls, it.a, it.b)
    for view in views(it.walls):
        assert support.contacts(view.walls, [view.line(*one) for one in all_lines(a, b)]) == expected
        assert effect_between(view.walls, view.space(it.a), view.space(it.b)) == seen


@given(
    situations(most_free=6) | slits(), st.sampled_from([(1, 0, 1), (0, 3, 1), (7, 5, 1), (300, 2, 7), (4, 330, 105)])
)
def test_translation(it, by):
    dx, dy, k = by
    far = moved(it.walls, dx, dy, k * it.walls.subdivisions)
    a, b = ((x + dx, y + dy, w, h) for x, y, w, h in (it.a, it.b))
    assert answers(far, a, b) == answers(it.walls, it.a, it.b)


@given(situations(most_free=6), st.sampled_from([2, 3, 5, 420]))
def test_finer_lattice(it, k):
    assert answers(finer(it.walls, k), it.a, it.b) == answers(it.walls, it.a, it.b)


@given(situations(largest_space=2, most_free=6) | slits(2), st.randoms(use_true_random=False))
def test_splitting_walls(it, rng):
    """Splitting, reversing, duplicating and re-ordering walls, and walls without length, change nothing."""
    walls = finer(it.walls, 12)
    pieces = [
        piece
        for wall in walls.segments
        for piece in split(wall, (rng.randrange(13), rng.randrange(13)), rng.randrange(8))
    ]
    rng.shuffle(pieces)
    assert answers(replace(walls, segments=tuple(pieces)), it.a, it.b) == answers(it.walls, it.a, it.b)


@given(situations(largest_space=2, most_free=6), st.randoms(use_true_random=False))
def test_reversing_duplicating_reordering_walls(it, rng):
    again = [wall[2:] + wall[:2] if rng.randrange(2) else wall for wall in it.walls.segments for _ in range(2)]
    rng.shuffle(again)
    assert answers(replace(it.walls, segments=tuple(again)), it.a, it.b) == answers(it.walls, it.a, it.b)


@given(situations(largest_space=2, most_free=4))
def test_solid_square_is_its_four_sides(it):
    """As edges, and as free walls."""
    expected = answers(it.walls, it.a, it.b)
    sides = {side for square in it.walls.solid for side in sides_of(*square)}
    drawn = replace(it.walls, solid=frozenset(), edges=it.walls.edges | sides)
    assert answers(drawn, it.a, it.b) == expected
    s = it.walls.subdivisions
    loose = tuple(tuple(s * v for v in edge) for edge in sorted(drawn.edges))
    free = replace(drawn, edges=frozenset(), segments=it.walls.segments + loose)
    assert answers(free, it.a, it.b) == expected


@given(situations(largest_space=2, most_free=4))
def test_border_is_a_wall(it):
    """What is drawn on the border or outside of it changes nothing."""
    s, cols, rows = it.walls.subdivisions, it.walls.cols, it.walls.rows
    outside = [(-5 * s, -s, 9 * s, -1), (cols * s + 1, -s, cols * s + 1, 99 * s), (-s, 0, (cols + 1) * s, 0)]
    outside += [(0, rows * s, cols * s, rows * s), (cols * s, -1, cols * s, rows * s + 1), (0, -1, 0, rows * s)]
    more = replace(
        it.walls,
        edges=it.walls.edges | frozenset(border_of(it.walls)),
        segments=it.walls.segments + tuple(outside),
    )
    expected, seen = answers(it.walls, it.a, it.b)
    found = answers(more, it.a, it.b)
    assert found == (expected, seen)


def box_of(walls, a, b):
    s = walls.subdivisions
    x0, y0 = s * min(a[0], b[0]), s * min(a[1], b[1])
    return x0, y0, s * max(a[0] + a[2], b[0] + b[2]), s * max(a[1] + a[3], b[1] + b[3])


@given(situations(most_free=6), situations(most_free=12))
def test_far_walls_change_nothing(it, other):
    """Walls, edges and solid squares that lie outside of the rectangle round the two spaces."""
    x0, y0, x1, y1 = box_of(it.walls, it.a, it.b)
    s = it.walls.subdivisions

    def is_far(wall):
        xs, ys = wall[::2], wall[1::2]
        return max(xs) < x0 or min(xs) > x1 or max(ys) < y0 or min(ys) > y1

    def is_on_map(edge):
        return edge[2] <= it.walls.cols and edge[3] <= it.walls.rows

    edges = {e for e in other.walls.edges if is_on_map(e) and is_far(tuple(s * v for v in e))}
    solid = {
        (x, y)
        for x, y in other.walls.solid
        if is_on_map((x, y, x + 1, y + 1)) and is_far((s * x, s * y, s * x + s, s * y + s))
    }
    more = replace(
        it.walls,
        solid=it.walls.solid | solid,
        edges=it.walls.edges | edges,
        segments=it.walls.segments + tuple(wall for wall in other.walls.segments if is_far(wall)),
    )
    assert_same_between(it, more)


def assert_same_between(it, more):
    """The sixteen lines of squares of the two spaces, and line of effect, are the same on both maps."""
    assert answers(more, it.a, it.b) == answers(it.walls, it.a, it.b)


def is_through_a_centre(it, wall):
    """Whether the straight line of the wall passes the centre of a square of the two spaces."""
    s = it.walls.subdivisions
    x0, y0, x1, y1 = (2 * v for v in wall)
    centres = [(2 * s * x + s, 2 * s * y + s) for x, y in squares_of(it.a) + squares_of(it.b)]
    return any((x1 - x0) * (y - y0) == (y1 - y0) * (x - x0) for x, y in centres)


@few
@given(situations(largest_space=2, most_free=6) | slits(), situations(largest_space=2, most_free=6))
def test_one_more_wall_never_helps(it, other):
    """A wall in line with a centre may help: it takes a wall that it continues out of that centre's way."""
    extra = [wall for wall in other.walls.segments if not is_through_a_centre(it, wall)]
    s = it.walls.subdivisions
    extra += [
        tuple(s * v for v in edge)
        for edge in sorted(other.walls.edges)
        if edge[2] <= it.walls.cols and edge[3] <= it.walls.rows
    ]
    before, seen = answers(it.walls, it.a, it.b)
    for wall in extra[:2] + extra[-1:]:
        after, still_seen = answers(replace(it.walls, segments=(*it.walls.segments, wall)), it.a, it.b)
        assert all(old <= new for old, new in zip(before, after, strict=True))
        assert seen or not still_seen


@few
@given(situations(largest_space=2, most_free=6) | slits(), st.randoms(use_true_random=False))
def test_opening_a_door_never_hurts(it, rng):
    """A wall, an edge, or a solid square, taken away."""
    before, seen = answers(it.walls, it.a, it.b)
    choices = list(support.one_less(it.walls))
    for fewer in rng.sample(choices, min(3, len(choices))):
        gone = set(it.walls.segments) - set(fewer.segments)
        if not any(is_through_a_centre(it, wall) for wall in gone):
            after, still_seen = answers(fewer, it.a, it.b)
            assert all(old >= new for old, new in zip(before, after, strict=True))
            assert still_seen or not seen


@given(situations(largest_space=3, most_free=8), st.randoms(use_true_random=False))
def test_pure_function(it, rng):
    """The answers do not depend on what is asked before, beside or after; nothing that was given is changed."""
    squares = [(x, y) for x, y in product(range(it.walls.cols), range(it.walls.rows)) if (x, y) not in it.walls.solid]
    pairs = [tuple(rng.sample(squares, 2)) for _ in range(6)] if len(squares) > 1 else []
    found = support.indexed(it.walls)
    arrays = found.arms, found.legs, found.bins, found.free, found.barriers, found.pivots
    before = [array.tobytes() for array in arrays]
    one_by_one = [support.masks(it.walls, [pair])[0] for pair in pairs]
    assert support.masks(it.walls, pairs) == one_by_one
    assert support.masks(it.walls, pairs[::-1]) == one_by_one[::-1]
    for pair, mask in zip(pairs, one_by_one, strict=True):
        contacts = support.contacts(it.walls, all_lines(*pair))
        assert sum((contact == BLOCKED) << k for k, contact in enumerate(contacts)) == mask
    spaces = [((*p, 1, 1), (*q, 1, 1)) for p, q in pairs]
    each = [support.effects(it.walls, [pair])[0] for pair in spaces]
    assert support.effects(it.walls, spaces) == each
    assert support.effects(it.walls, spaces[::-1]) == each[::-1]
    assert [array.tobytes() for array in arrays] == before
    support.indexed.cache_clear()
    again = support.indexed(it.walls)
    arrays = again.arms, again.legs, again.bins, again.free, again.barriers, again.pivots
    assert [array.tobytes() for array in arrays] == before


@given(situations(largest_space=4, most_free=3))
def test_a_free_corner_line_beside_nothing_gives_line_of_effect(it):
    """A clear line between two corners that nothing touches is one that can be moved a little."""
    if set(squares_of(it.a)) & set(squares_of(it.b)):
        return
    for p, q in product(squares_of(it.a), squares_of(it.b)):
        lines = [
            (ca, cb)
            for (_, ca, _, cb), k in zip(all_lines(p, q), support.contacts(it.walls, all_lines(p, q)), strict=True)
            if k == 0
        ]
        if lines and any(
            (p[0] + (ca & 1), p[1] + (ca >> 1)) != (q[0] + (cb & 1), q[1] + (cb >> 1)) for ca, cb in lines
        ):
            assert support.line_of_effect(it.walls, it.a, it.b)
            break


def test_many_at_once_are_the_same_as_one_by_one():
    """Six hundred lines in one call."""
    rng = random.Random(4)
    below = rng.randrange
    for _ in range(6):
        walls = build_walls(below)
        spaces = [build_space(below, walls, 1) for _ in range(25)]
        lines = [(a[:2], below(4), b[:2], below(4)) for a in spaces for b in spaces]
        assert support.contacts(walls, lines) == [support.contact(walls, *one) for one in lines]


def test_no_lines_and_no_pairs():
    it = build_walls(random.Random(1).randrange)
    assert support.contacts(it, []) == []
    assert support.masks(it, []) == []
    assert support.effects(it, []) == []
    found = support.indexed(it)
    none = np.zeros((0, 2), np.int64)
    assert line.blocked_lines(*found.lines, none, found.size).dtype == np.uint16
    assert line.contacts(*found.lines, none, found.size).dtype == np.uint8
