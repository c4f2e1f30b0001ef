"""The line between two centres: the kernels and the oracle say the same, thin tubes too, and what must not change does not.

The counts are told at the end of the run; ``HYPOTHESIS_PROFILE=thorough`` compares some ten thousands.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import oracle_centre as oracle
import pytest
import tube
from hypothesis import given
from hypothesis import strategies as st
from kernels.crowds import all_pairs, chooser, crowds, mounts_of, seeded_crowd, spaces_of
from kernels.crowds import views as crowd_views
from kernels.support import PROFILE, indexed
from kernels.test_soft import groups_of
from kernels.views import border_of, finer, moved, sides_of, split, views
from oracle import Walls
from oracle_creatures import Body
from oracle_heights import squares_beside
from shapely.geometry import LineString, Point
from strategies import build_space, seeded, situations

from gridlos.kernels import centre, soft, special_cost
from gridlos.kernels.jit import interpreted
from gridlos.questions.centre import blocked_by_plain
from gridlos.questions.obstacles import Obstacles

CHUNKS = 4
MAPS = {"reduced": 12, "default": 160, "thorough": 6000}[PROFILE]
TUBES = {"reduced": 4, "default": 60, "thorough": 1500}[PROFILE]
CROWDS = {"reduced": 12, "default": 160, "thorough": 3000}[PROFILE]
PAIRS = 4


def obstacles(walls):
    found = indexed(walls)
    return Obstacles(found.size, found.arms, found.free, found.barriers, found.pivots)


def half_lines(pairs):
    return np.array([(*oracle.centre(a), *oracle.centre(b)) for a, b in pairs], np.int64).reshape(-1, 4)


def blocked(walls, pairs):
    """Which lines between the centres of two spaces are blocked, by the kernel."""
    return blocked_by_plain(obstacles(walls), half_lines(pairs)).tolist()


def some_pairs(it, seed):
    """The two spaces of a situation, and others on the same map; those on solid squares too."""
    below, found = chooser(seed), [(it.a, it.b)]
    for _ in range(PAIRS):
        one = build_space(below, it.walls, 3)
        found.append((one, build_space(below, it.walls, 3, one)))
    return found


# ---- plain walls


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_plain_walls_as_the_oracle(chunk, counts):
    n = n_blocked = 0
    for seed in range(chunk, MAPS, CHUNKS):
        it = seeded(seed)
        pairs = some_pairs(it, seed)
        expected = [oracle.is_blocked(it.walls, *pair) for pair in pairs]
        assert blocked(it.walls, pairs) == expected, (seed, it, pairs)
        n, n_blocked = n + len(pairs), n_blocked + sum(expected)
    counts.add(lines_between_centres=n, of_those_blocked=n_blocked)
    assert 0 < n_blocked < n


@given(situations(most_free=8))
def test_drawn_plain_walls(it):
    assert blocked(it.walls, [(it.a, it.b)]) == [oracle.is_blocked(it.walls, it.a, it.b)]


def by_tube(walls, a, b):
    """Whether a thin tube finds no way; None where a float cannot say."""
    p, q = oracle.ends(walls, a, b)
    path = LineString([p, q])
    lines = [line for line in tube.wall_lines(walls) if line.intersects(path.buffer(1))]
    if tube.is_doubtful(lines, [(p, q)]):
        return None
    # Walls that meet the line at one of its ends only have that centre on both their sides.
    lines = [line for line in lines if not is_at_an_end(line.intersection(path), p, q)]
    parts = tube.minus(tube.strip((p, q)), lines)
    return not any(all(part.distance(Point(end)) < 2 * tube.WIDTH for end in (p, q)) for part in parts)


def is_at_an_end(meeting, p, q):
    return isinstance(meeting, Point) and not meeting.is_empty and min(meeting.distance(Point(end)) for end in (p, q)) < 1e-9


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_thin_tubes_agree(chunk, counts):
    n = 0
    for seed in range(chunk, TUBES, CHUNKS):
        it = seeded(seed, most_free=6)
        for pair in some_pairs(it, seed):
            if oracle.centre(pair[0]) != oracle.centre(pair[1]) and (found := by_tube(it.walls, *pair)) is not None:
                assert blocked(it.walls, [pair]) == [found], (seed, it.walls, pair)
                n += 1
    counts.add(lines_between_centres_as_tubes=n)
    assert PROFILE == "reduced" or n > 0


OPEN = Walls(3, 7, 2)
A, T = (0, 1, 1, 1), (6, 1, 1, 1)  # centres (1, 3) and (13, 3) in lattice units


def wall(*ends, **keys):
    return replace(OPEN, segments=ends, **keys)


SCENES = {
    "nothing": (OPEN, False),
    "crossed": (wall((6, 0, 6, 6)), True),
    "an end on the line": (wall((6, 3, 6, 6)), False),
    "ends from both sides at one point": (wall((6, 3, 6, 6), (6, 3, 7, 0)), True),
    "ends from both sides at two points": (wall((6, 3, 6, 6), (7, 3, 7, 0)), False),
    "along": (wall((3, 3, 9, 3)), False),
    "along, with a wall on the left": (wall((3, 3, 9, 3), (5, 3, 5, 0)), False),
    "along, with walls on both sides": (wall((3, 3, 9, 3), (5, 3, 5, 0), (7, 3, 7, 6)), True),
    "two walls along with a gap between": (wall((3, 3, 5, 3), (6, 3, 9, 3), (4, 3, 4, 0), (7, 3, 7, 6)), False),
    "through the attacker's centre": (wall((1, 0, 1, 6)), False),
    "through the target's centre": (wall((11, 1, 15, 5)), False),
    "a joint at the attacker's centre": (wall((1, 3, 3, 0), (1, 3, 3, 6)), False),
    "through both centres": (wall((0, 3, 14, 3)), False),
    "through both centres, with a wall on the left": (wall((0, 3, 14, 3), (6, 3, 6, 0)), False),
    "through both centres, with walls on both sides": (wall((0, 3, 14, 3), (6, 3, 6, 0), (8, 3, 8, 6)), True),
    "from the attacker's centre on, with walls on both sides": (wall((1, 3, 9, 3), (6, 3, 6, 0), (8, 3, 8, 6)), True),
    "from the attacker's centre on, the second wall beyond its end": (wall((1, 3, 7, 3), (6, 3, 6, 0), (8, 3, 8, 6)), False),
    "just past the centre": (wall((2, 0, 2, 6)), True),
    "a solid square": (wall(solid=frozenset({(3, 1)})), True),
    "a solid square beside": (wall(solid=frozenset({(3, 0), (4, 2)})), False),
}


@pytest.mark.parametrize("name", SCENES)
def test_the_rule(name):
    walls, expected = SCENES[name]
    assert oracle.is_blocked(walls, A, T) == expected
    assert blocked(walls, [(A, T), (T, A)]) == [expected] * 2


@pytest.mark.parametrize(
    ("solid", "expected"),
    [
        ({(1, 0)}, False),  # the line touches its corner
        ({(0, 1)}, False),
        ({(1, 0), (0, 1)}, True),  # and passes where the two meet
        ({(1, 1)}, True),
        ({(2, 1), (1, 2), (2, 2)}, False),  # other squares of the target, round its centre
    ],
)
def test_the_centre_of_a_big_space(solid, expected):
    """From (1/2, 1/2) to the grid corner (2, 2)."""
    walls = Walls(4, 4, 1, frozenset(solid), frozenset())
    a, b = (0, 0, 1, 1), (1, 1, 2, 2)
    assert oracle.is_blocked(walls, a, b) == expected
    assert blocked(walls, [(a, b), (b, a)]) == [expected] * 2


def test_one_centre():
    """Who stands in the same middle has a line without length, whatever runs through it."""
    assert blocked(wall((0, 3, 14, 3), (1, 0, 1, 6)), [(A, A)]) == [False]


# ---- promises


@given(situations(most_free=8))
def test_mutual(it):
    there, back = blocked(it.walls, [(it.a, it.b), (it.b, it.a)])
    assert there == back


@given(situations(most_free=6))
def test_8_symmetries(it):
    expected = blocked(it.walls, [(it.a, it.b)])
    for view in views(it.walls):
        assert blocked(view.walls, [(view.space(it.a), view.space(it.b))]) == expected


@given(situations(most_free=6), st.sampled_from([(1, 0, 1), (7, 5, 1), (300, 2, 7), (4, 330, 105)]))
def test_translation_and_finer_lattice(it, by):
    dx, dy, k = by
    there = [tuple(v + d for v, d in zip(space, (dx, dy, 0, 0), strict=True)) for space in (it.a, it.b)]
    expected = blocked(it.walls, [(it.a, it.b)])
    assert blocked(moved(it.walls, dx, dy, k * it.walls.subdivisions), [there]) == expected
    assert blocked(finer(it.walls, k), [(it.a, it.b)]) == expected


@given(situations(most_free=8), st.randoms(use_true_random=False))
def test_splitting_reversing_duplicating(it, rng):
    walls = finer(it.walls, 12)
    pieces = [
        piece for one in walls.segments for piece in split(one, (rng.randrange(13), rng.randrange(13)), rng.randrange(8))
    ]
    pieces += rng.sample(pieces, len(pieces) // 2)
    rng.shuffle(pieces)
    assert blocked(replace(walls, segments=tuple(pieces)), [(it.a, it.b)]) == blocked(it.walls, [(it.a, it.b)])


@given(situations(most_free=6))
def test_a_solid_square_is_its_four_sides(it):
    sides = frozenset(it.walls.edges | {side for square in it.walls.solid for side in sides_of(*square)} | set(border_of(it.walls)))
    outlines = replace(it.walls, solid=frozenset(), edges=sides)
    assert blocked(outlines, [(it.a, it.b)]) == blocked(it.walls, [(it.a, it.b)])


@given(situations(most_free=6), situations(most_free=3))
def test_one_more_wall_never_helps(it, other):
    """Anywhere: one that runs through a centre frees no line either."""
    walls = finer(it.walls, other.walls.subdivisions)
    k = it.walls.subdivisions
    more = tuple(tuple(k * v for v in one) for one in other.walls.segments)
    before, after = (
        blocked(replace(walls, segments=segments), [(it.a, it.b)])[0] for segments in (walls.segments, walls.segments + more)
    )
    assert after >= before


def test_plain_python_says_the_same(counts):
    n = 0
    slow = interpreted(centre.is_blocked_among)
    for seed in range(20):
        it = seeded(seed, most_free=8)
        free = indexed(replace(it.walls, solid=frozenset(), edges=frozenset())).free
        for line in half_lines(some_pairs(it, seed)):
            walls = (2 * free).astype(np.int32)
            fast = centre.is_blocked_among(walls, line, it.walls.subdivisions)
            assert slow(walls.astype(object), line.astype(object), it.walls.subdivisions) == fast
            n += 1
    counts.add(lines_between_centres_in_plain_python=n)


@given(situations(most_free=8))
def test_a_few_walls_without_an_index(it):
    walls = replace(it.walls, solid=frozenset(), edges=frozenset())
    line = half_lines([(it.a, it.b)])[0]
    found = centre.is_blocked_among((2 * indexed(walls).free).astype(np.int32), line, walls.subdivisions)
    assert found == oracle.is_blocked(walls, it.a, it.b)


@pytest.mark.parametrize("seed", range(40))
def test_squares_beside_a_line_in_half_squares(seed):
    """Behind and ahead of a place on the line, for who goes on its left and on its right: two where it is on a grid line."""
    below = chooser(seed)
    x, y, dx, dy = 6 + below(8), 6 + below(8), below(7) - 3, below(7) - 3
    dx, dy = {0: (dx or 1, 0), 1: (0, dy or 1)}.get(seed % 4, (dx or 1, dy or 1))
    place = Fraction(below(13), 12)
    now = np.zeros(special_cost.N_NOW, object)
    now[special_cost.START : special_cost.START + 4] = x, y, dx, dy
    now[special_cost.PLACE], now[special_cost.PLACES], now[special_cost.HALVES] = place.numerator, place.denominator, 1
    set_squares = interpreted(special_cost.set_squares)
    set_squares(now, special_cost.BEHIND, -1)
    set_squares(now, special_cost.AHEAD, 1)
    point = (x + place * dx, y + place * dy)
    for first, direction, turn in ((special_cost.AHEAD, (dx, dy), 1), (special_cost.BEHIND, (-dx, -dy), -1)):
        expected = squares_beside(point, direction, 2)[::turn]  # who walks back has the left on the right
        assert (tuple(now[first : first + 2]), tuple(now[first + 2 : first + 4])) == expected


# ---- creatures


def soft_lines(crowd, ranks, pairs):
    spaces = spaces_of(crowd)
    blocks, group = groups_of(crowd)
    sharers = soft.index_sharers(spaces, mounts_of(crowd))
    lines = half_lines([(crowd.bodies[a].space, crowd.bodies[t].space) for a, t in pairs])
    asks = np.array([(a, t, group[a]) for a, t in pairs], np.int64).reshape(-1, 3)
    asks = np.concatenate((asks, lines), axis=1)
    return centre.soft_centre_lines(
        spaces, np.array(ranks, np.int64), blocks, sharers, asks, crowd.rows, crowd.cols
    ).tolist()  # fmt: skip


def by_oracle(crowd, ranks, pairs):
    return [oracle.soft(crowd.bodies, ranks, a, t) for a, t in pairs]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_crowds(chunk, counts):
    found = []
    for seed in range(chunk, CROWDS, CHUNKS):
        crowd, rng = seeded_crowd(seed), random.Random(seed)
        ranks = [rng.choice((2, 3, 4, 4, 6, 7)) for _ in crowd.bodies]
        pairs = all_pairs(crowd)
        expected = by_oracle(crowd, ranks, pairs)
        assert soft_lines(crowd, ranks, pairs) == expected, (seed, crowd, ranks)
        found += expected
    past = sum(map(bool, found))
    counts.add(lines_between_centres_of_crowds=len(found), of_those_past_creatures=past, past_larger_ones=found.count(2))
    assert PROFILE == "reduced" or {0, 1, 2} <= set(found)


@given(crowds(), st.randoms(use_true_random=False))
def test_drawn_crowds(crowd, rng):
    ranks = [rng.randrange(7) for _ in crowd.bodies]
    pairs = all_pairs(crowd)
    assert soft_lines(crowd, ranks, pairs) == by_oracle(crowd, ranks, pairs)


@given(crowds(), st.randoms(use_true_random=False))
def test_one_more_creature_frees_no_line(crowd, rng):
    ranks = [rng.randrange(7) for _ in crowd.bodies]
    pairs = all_pairs(crowd)
    space = (rng.randrange(crowd.cols), rng.randrange(crowd.rows), 1, 1)
    more = replace(crowd, bodies=(*crowd.bodies, Body(space, side="neutral")))
    before, after = soft_lines(crowd, ranks, pairs), soft_lines(more, [*ranks, 3], pairs)
    assert all(one <= other for one, other in zip(before, after, strict=True))


@given(crowds(), st.randoms(use_true_random=False))
def test_crowds_turned_and_mirrored(crowd, rng):
    ranks = [rng.randrange(7) for _ in crowd.bodies]
    pairs = all_pairs(crowd)
    expected = soft_lines(crowd, ranks, pairs)
    for turned, _ in crowd_views(crowd):
        assert soft_lines(turned, ranks, pairs) == expected


def row(spaces):
    return replace(seeded_crowd(0), rows=8, cols=12, bodies=tuple(Body(space) for space in spaces))


@pytest.mark.parametrize(
    ("others", "ranks", "expected"),
    [
        ([(3, 1, 1, 1)], [4], 1),
        ([(3, 0, 1, 1)], [4], 0),  # beside
        ([(3, 1, 2, 2)], [5], 1),  # one size larger
        ([(3, 0, 3, 3)], [6], 2),  # two sizes larger
        ([(3, 1, 1, 1), (4, 0, 3, 3)], [4, 6], 2),
    ],
)
def test_size_steps(others, ranks, expected):
    """CASES-68: from (0, 1) to (11, 1), both Medium."""
    crowd = row([(0, 1, 1, 1), (11, 1, 1, 1), *others])
    assert soft_lines(crowd, [4, 4, *ranks], [(0, 1), (1, 0)]) == [expected] * 2
    assert soft_lines(crowd, [4, 5, *ranks], [(0, 1)]) == [min(expected, 1)]


@pytest.mark.parametrize(
    ("others", "ranks", "expected"),
    [
        ([(4, 1, 1, 1)], [4], 0),
        ([(4, 0, 1, 1)], [4], 0),
        ([(4, 0, 1, 1), (4, 1, 1, 1)], [4, 4], 1),
        ([(4, 0, 1, 1), (5, 1, 1, 1)], [4, 4], 0),  # they share a corner only
        ([(3, 1, 3, 3), (4, 0, 1, 1)], [7, 4], 1),  # the smaller of the two counts
        ([(3, 1, 3, 3), (4, 0, 2, 1)], [7, 7], 2),
    ],
)
def test_between_two(others, ranks, expected):
    """Between Large ends the line runs along the grid."""
    crowd = row([(0, 0, 2, 2), (9, 0, 2, 2), *others])
    assert soft_lines(crowd, [5, 5, *ranks], [(0, 1), (1, 0)]) == [expected] * 2


def test_as_far_as_a_map_reaches():
    crowd = replace(row([(0, 0, 1, 1), (40000, 1, 1, 1), (20000, 0, 1, 1)]), rows=2, cols=40001)
    assert soft_lines(crowd, [4, 4, 4], [(0, 1)]) == [1]
