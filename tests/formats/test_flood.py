"""Sealed rooms stay sealed: maps are flooded through lines of effect between neighbouring squares, as drawn and welded.

Under ``HYPOTHESIS_PROFILE=thorough`` all real maps are flooded, and the slow judge is asked about every step on the small
ones; else the largest maps are left out, and it is asked about some steps.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations, product
from random import Random

import numpy as np
import oracle
import pytest
from formats.flood import Flood, maps, neighbours, on_walls, open_steps, rooms, spilled, with_shut_doors
from hypothesis import given
from hypothesis import strategies as st

from gridlos.battlemap import BattleMap
from gridlos.facts import Stops
from gridlos.questions.regions import regions_of
from gridlos.walls import SquareKind, Wall
from gridlos.weld import weld_walls

CORPUS = os.environ.get("GRIDLOS_CORPUS")
IS_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
MOST_SQUARES = 10**6 if IS_THOROUGH else 3000
S = 512

needs_corpus = pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS names no folder of real maps")


def plain(battle_map):
    """Bool of each wall: does it stop effect, whoever looks?"""
    found = (battle_map.stops & Stops.EFFECT) != 0
    found[battle_map.special] = False
    return found


def for_oracle(battle_map):
    return oracle.Walls(
        rows=battle_map.rows, cols=battle_map.cols, subdivisions=battle_map.subdivisions,
        solid=frozenset((x, y) for y, x in np.argwhere(battle_map.terrain & Stops.EFFECT).tolist()),
        segments=tuple(map(tuple, battle_map.segments[plain(battle_map)].tolist())),
    )  # fmt: skip


def open_steps_slowly(battle_map, pairs):
    walls, cols = for_oracle(battle_map), battle_map.cols
    return np.array(
        [oracle.line_of_effect(walls, (a % cols, a // cols, 1, 1), (b % cols, b // cols, 1, 1)) for a, b in pairs.tolist()], bool
    )


def partition(found):
    """Rooms as sets of squares."""
    sets: dict[int, set[int]] = {}
    for square, room in enumerate(found.tolist()):
        sets.setdefault(room, set()).add(square)
    return {frozenset(one) for one in sets.values()}


# ---- real maps


@pytest.fixture(scope="module")
def floods():
    """The name, the map as drawn, the map welded and their flood, of each real map."""
    return [
        (name, drawn.battle_map, welded.battle_map, Flood.of(drawn.battle_map, welded.battle_map))
        for name, drawn, welded in maps(CORPUS)
        if drawn.battle_map.squares.size <= MOST_SQUARES
    ]


@needs_corpus
def test_welding_opens_no_way_on_a_real_map_and_closes_some(floods, counts):
    assert len(floods) > (60 if IS_THOROUGH else 40)
    told: Counter[str] = Counter()
    for name, _, _, flood in floods:
        opened = flood.pairs[flood.welded & ~flood.drawn]
        assert len(opened) == 0, (name, opened.tolist())
        before, after = flood.rooms(flood.drawn), flood.rooms(flood.welded)
        assert spilled(after, before) == 0, name
        leaking = spilled(before, after)
        told["real maps flooded, as drawn and welded"] += 1
        told["steps between neighbouring squares of real maps"] += len(flood.pairs)
        told["steps that welding closes"] += int((flood.drawn & ~flood.welded).sum())
        told["real maps with rooms that only welding seals"] += leaking > 0
        told["squares that leak out of their rooms unless walls are welded"] += leaking
    assert all(told.values()), told
    counts.update(told)


@needs_corpus
def test_a_slow_count_finds_the_same_steps_on_small_maps(floods, counts):
    n_asked, n_maps = 0, 0
    for name, drawn, welded, flood in floods:
        if drawn.squares.size > 450 or not len(drawn.walls):
            continue
        n_maps += 1
        for battle_map, expected in ((drawn, flood.drawn), (welded, flood.welded)):
            shut = with_shut_doors(battle_map)
            rows = np.arange(len(flood.pairs))
            if not IS_THOROUGH:
                differ = np.flatnonzero(flood.drawn != flood.welded).tolist()
                rows = np.array(sorted({*differ[:5], *Random(name).sample(range(len(rows)), 40)}))
            assert np.array_equal(open_steps_slowly(shut, flood.pairs[rows]), expected[rows]), name
            n_asked += len(rows)
    assert n_maps > 8
    counts["steps of real maps asked of the slow judge"] = n_asked


@needs_corpus
def test_the_regions_that_lint_goes_by_are_these_rooms(floods):
    n_compared = 0
    for name, _, welded, flood in floods:
        shut = with_shut_doors(welded)
        if on_walls(shut).any():
            continue  # a square on a wall joins what is on its two sides
        regions = [*regions_of(shut)][-1].ravel()
        found = np.full(len(regions), -1)
        found[flood.wet] = flood.rooms(flood.welded)
        assert np.array_equal(regions == -1, found == -1), name
        assert partition(regions) == partition(found), name
        n_compared += 1
    assert n_compared > 10


# ---- drawn rooms

SPACING, SHIFT = 5 * S // 2, S // 5  # walls are well away from the centres of squares, and off the grid


@st.composite
def rooms_drawn_roughly(draw):
    """Walls between the nodes of a wide net, and the same with each end up to ``noise`` lattice units away."""
    noise = draw(st.integers(1, 3))
    shifts = st.integers(-noise, noise)
    clean, rough = [], []
    for x, y in product(range(4), range(4)):
        for dx, dy in ((1, 0), (0, 1)):
            if x + dx < 4 and y + dy < 4 and draw(st.integers(0, 3)):
                ends = [SPACING * place + SHIFT for place in (x, y, x + dx, y + dy)]
                clean.append(tuple(ends))
                rough.append(tuple(number + draw(shifts) for number in ends))
    return clean, rough


def map_of(ends, *, weld=False):
    walls = [Wall(start=(x0 / S, y0 / S), end=(x1 / S, y1 / S)) for x0, y0, x1, y1 in ends]
    if weld:
        walls, _ = weld_walls(walls, subdivisions=S)
    return BattleMap.from_rows(["." * 8] * 8, walls=walls, subdivisions=S)


@given(rooms_drawn_roughly())
def test_welding_roughly_drawn_rooms_gives_the_rooms_that_were_meant(drawn):
    clean, rough = drawn
    flood = Flood.of(map_of(clean), map_of(rough, weld=True))
    assert len(flood.wet) == 64
    assert partition(flood.rooms(flood.drawn)) == partition(flood.rooms(flood.welded))


def test_a_slit_lets_all_out_and_welding_shuts_it():
    ends = [(2 * S, 2 * S, 2 * S, 5 * S), (2 * S, 5 * S, 5 * S, 5 * S), (5 * S, 5 * S, 5 * S, 2 * S), (5 * S, 2 * S, 2 * S + 9, 2 * S)]
    flood = Flood.of(map_of(ends), map_of(ends, weld=True))
    before, after = flood.rooms(flood.drawn), flood.rooms(flood.welded)
    assert [len(set(found.tolist())) for found in (before, after)] == [1, 2]
    assert (spilled(before, after), spilled(after, before)) == (9, 0)
    assert sorted(map(len, partition(after))) == [9, 55]
    squares = {tuple(sorted(pair)) for pair in flood.pairs[flood.drawn & ~flood.welded].tolist()}
    assert (10, 18) in squares  # (2, 1) and (2, 2), between which the slit is


# ---- what the flood is made of


@given(st.lists(st.tuples(*[st.integers(-2, 14)] * 4), min_size=1, max_size=6))
def test_centres_on_walls(ends):
    walls = [Wall(start=(x0 / 2, y0 / 2), end=(x1 / 2, y1 / 2)) for x0, y0, x1, y1 in ends if (x0, y0) != (x1, y1)]
    battle_map = BattleMap.from_rows(["......"] * 5, walls=walls, subdivisions=2)
    segments = [((x0, y0), (x1, y1)) for x0, y0, x1, y1 in battle_map.segments.tolist()]
    found = on_walls(battle_map)
    for y, x in np.ndindex(5, 6):
        assert found[y, x] == any(oracle.on_wall((2 * x + 1, 2 * y + 1), one) for one in segments), (x, y)


def test_neighbours_are_all_pairs_that_share_a_side_or_a_corner():
    dry = np.zeros((3, 4), bool)
    dry[1, 2] = True
    wet = [(x, y) for y, x in np.argwhere(~dry).tolist()]
    expected = {
        frozenset((ya * 4 + xa, yb * 4 + xb))
        for (xa, ya), (xb, yb) in combinations(wet, 2)
        if max(abs(xa - xb), abs(ya - yb)) == 1
    }
    found = [frozenset(pair) for pair in neighbours(dry).tolist()]
    assert len(found) == len(expected)
    assert set(found) == expected


def test_doors_are_shut_and_floods_join_and_spill():
    legend = {"D": SquareKind(kind="door")}
    walls = [Wall(start=(1, 0), end=(1, 2), kind="door", state="open"), Wall(start=(3, 0), end=(3, 2), kind="window")]
    shut = with_shut_doors(BattleMap.from_rows([".....D.", ".....D."], legend=legend, walls=walls))
    dry = (shut.terrain & Stops.EFFECT) != 0
    pairs = neighbours(dry)
    found = rooms(14, pairs[open_steps(shut, pairs)])
    assert partition(found) == {frozenset(one) for one in ({0, 7}, {1, 2, 8, 9}, {3, 4, 10, 11}, {5}, {12}, {6, 13})}
    before, after = np.array([1, 1, 1, 1, 2, 2, 3]), np.array([1, 1, 5, 6, 2, 2, 3])
    assert (spilled(before, after), spilled(after, before), spilled(before, before)) == (2, 0, 0)
