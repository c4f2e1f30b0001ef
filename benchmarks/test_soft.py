"""Soft cover: all lines between all pairs of creatures, both ways; each checked against the walk, square by square, before it is timed.

The walk is a peer, as is the kernel without lanes. shapely's tree with the predicate ``crosses`` answers less: it knows no
creatures that close a line together, and a line from corner to corner of one square does not cross that.
"""

from __future__ import annotations

from itertools import product
from random import Random
from time import thread_time

import numpy as np
import pytest
import shapely

import gridlos
from gridlos.bench import generate
from gridlos.creature import Creature
from gridlos.formats.scene_json import scene_from_data
from gridlos.kernels import soft_pairs
from gridlos.kernels.lanes import LANES, without_lanes
from gridlos.kernels.soft import soft_lines as walk
from gridlos.kernels.soft_lanes import PLAIN
from gridlos.questions import bystander
from gridlos.questions.creatures import bodies_of, soft_lines

pytestmark = pytest.mark.benchmark(timer=thread_time)

CROWDS = {
    "40 Medium, 60x40": (40, 60, 40, ("medium",), False),
    "40 Medium, 60x40, enemies only": (40, 60, 40, ("medium",), True),
    "40 Medium to Huge, 60x40": (40, 60, 40, ("medium", "medium", "large", "huge"), False),
    "200 Medium, 60x40": (40, 60, 200, ("medium",), False),
    "200 Medium, 100x100": (100, 100, 200, ("medium",), False),
    "400 Medium, 100x100": (100, 100, 400, ("medium",), False),
}
SIDES = {"medium": 1, "large": 2, "huge": 3}


def crowd(rows, cols, n, sizes, only_enemies):
    """Creatures of two sides, none on top of another."""
    rng, taken, creatures = Random(n), set(), []
    while len(creatures) < n:
        size = sizes[rng.randrange(len(sizes))]
        side = SIDES[size]
        x, y = rng.randrange(cols - side + 1), rng.randrange(rows - side + 1)
        squares = set(product(range(x, x + side), range(y, y + side)))
        if taken.isdisjoint(squares):
            taken |= squares
            word = ("party", "raiders")[len(creatures) % 2]
            creatures.append(Creature(id=str(len(creatures)), at=(x, y), size=size, side=word))
    return bodies_of(creatures, only_enemies=only_enemies)


def asked_of(bodies, cols):
    """All pairs and their choices."""
    pairs = np.stack(np.triu_indices(len(bodies.spaces), 1), axis=1).astype(np.int64)
    squares = [
        [(y + j) * cols + x + i for j in range(height) for i in range(width)]
        for x, y, width, height in bodies.spaces.tolist()
    ]
    choices = [list(product(squares[a], squares[b])) for a, b in pairs.tolist()]
    starts = np.cumsum([0, *map(len, choices)]).astype(np.int64)
    return pairs, starts, np.array([choice for some in choices for choice in some], np.int64)


@pytest.fixture(scope="module", params=CROWDS)
def workload(request):
    """What the question is asked, by the crowd's name."""
    rows, cols, *rest = CROWDS[request.param]
    bodies = crowd(rows, cols, *rest)
    return request.param, bodies, (*asked_of(bodies, cols), (rows, cols))


def walked(bodies, pairs, starts, squares, shape):
    """What the walk says for the two attackers of each pair."""
    ends = (0, 1) if len(bodies.gives_cover) > 1 else (0,)
    asked = [np.column_stack((pairs, bodies.group[pairs[:, end]])) for end in ends]
    return [walk(bodies.spaces, bodies.gives_cover, bodies.sharers, one, starts, squares, *shape) for one in asked]


def check(found, expected):
    assert all(np.array_equal(*both) for both in zip((found[0], found[-1]), (expected[0], expected[-1]), strict=True))
    assert 0 < np.count_nonzero(found[0]) < len(found[0])


def test_lanes(benchmark, workload):
    benchmark.group, bodies, asked = workload
    check(soft_lines(bodies, *asked), walked(bodies, *asked))
    benchmark.extra_info["choices"] = len(asked[2])
    benchmark(soft_lines, bodies, *asked)


@pytest.mark.skipif(LANES == 1, reason="there are no lanes to do without")
def test_without_lanes(benchmark, workload):
    benchmark.group, bodies, (*asked, shape) = workload
    plain = without_lanes(soft_pairs.lines_past, PLAIN)
    arguments = (bodies.spaces, bodies.gives_cover, bodies.group, bodies.sharers, *asked, np.array(shape, np.int64))
    check(plain(*arguments), walked(bodies, *asked, shape))
    benchmark.pedantic(plain, arguments, rounds=20, warmup_rounds=1)


def test_walk(benchmark, workload):
    benchmark.group, bodies, asked = workload
    benchmark.pedantic(walked, (bodies, *asked), rounds=20, warmup_rounds=1)


def crossing(bodies, pairs, squares, cols):
    """Which lines cross whose square, by a tree of squares; own squares are left out."""
    boxes = shapely.box(*np.concatenate((bodies.spaces[:, :2], bodies.spaces[:, :2] + bodies.spaces[:, 2:]), axis=1).T)
    (ya, yb), (xa, xb) = (part.T[:, :, None] for part in np.divmod(squares, cols))
    first, second = np.divmod(np.arange(16), 4)
    ends = np.stack((xa + first % 2, ya + first // 2, xb + second % 2, yb + second // 2), axis=2)
    lines = shapely.linestrings(ends.reshape(-1, 2, 2))
    line, who = shapely.STRtree(boxes).query(lines, predicate="crosses")
    others = (pairs[line // 16] != who[:, None]).all(axis=1)
    found = np.zeros(len(lines), np.bool_)
    found[line[others]] = True
    return (found.reshape(-1, 16) << np.arange(16)).sum(axis=1).astype(np.uint16)


def test_tree_of_shapely(benchmark, workload):
    benchmark.group, bodies, (pairs, _, squares, shape) = workload
    if len(squares) != len(pairs) or len(pairs) > 1_000 or len(bodies.gives_cover) > 1:
        pytest.skip("the peer is asked about few creatures, each of one square and in everybody's way")
    found = crossing(bodies, pairs, squares, shape[1])
    expected = walked(bodies, pairs, np.arange(len(pairs) + 1), squares, shape)[0]
    assert not (found & ~expected).any()
    benchmark.extra_info["lines_missed"] = sum(bits.bit_count() for bits in (expected & ~found).tolist())
    benchmark.pedantic(crossing, (bodies, pairs, squares, shape[1]), rounds=2)


@pytest.mark.parametrize("kernel", ["lanes", "walk"])
def test_field(benchmark, monkeypatch, kernel):
    """All that is asked about soft cover for a field of all 40 attackers in a dungeon."""
    asked = []

    def note(*arguments):
        asked.append(arguments)
        return soft_lines(*arguments)

    monkeypatch.setattr(bystander, "soft_lines", note)
    scene = scene_from_data(generate.dungeon(40, 60, 40, seed=13))
    gridlos.field(scene, edition="pathfinder1")
    bodies, *rest = max(asked, key=lambda arguments: len(arguments[3]))
    check(soft_lines(bodies, *rest), walked(bodies, *rest))
    benchmark.group = "soft cover of a field, 40 attackers, dungeon 60x40"
    benchmark.extra_info["choices"] = len(rest[2])
    benchmark.pedantic(soft_lines if kernel == "lanes" else walked, (bodies, *rest), rounds=5)
