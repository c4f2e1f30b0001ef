"""Whichever kernel is picked, the lines are the same; regions part what they say they part."""

import numpy as np
import pytest

from gridlos.battlemap import BattleMap
from gridlos.facts import Channel
from gridlos.kernels import boards, line, regions
from gridlos.questions import obstacles as planner
from gridlos.questions.obstacles import are_channels_equal, blocked_lines, obstacles_of
from gridlos.walls import Wall

MAPS = 60
KINDS = ("wall", "wall", "window", "curtain")


def build_map(below, widths, free):
    """A map of walls on the grid; if ``free``, with others on quarters of squares."""
    rows, cols = 1 + below(9), widths[below(len(widths))]
    solid = below(3)
    drawing = ["".join("#" if below(12) < 2 * solid else "." for _ in range(cols)) for _ in range(rows)]
    walls = []
    for _ in range((0, 5, 20, 60)[below(4)]):
        x, y, length = below(cols + 1), below(rows + 1), 1 + below(4)
        end = (min(cols, x + length), y) if below(2) else (x, min(rows, y + length))
        walls.append(Wall(start=(x, y), end=end, kind=KINDS[below(4)]))
    for _ in range(free and 1 + below(6)):
        ends = [(below(4 * cols + 1) / 4, below(4 * rows + 1) / 4) for _ in range(2)]
        walls.append(Wall(start=ends[0], end=ends[1]))
    return BattleMap.from_rows(drawing, walls=walls)


def reachable(battle_map, channel, start):
    """The squares that one can walk to, by the map's own arrays."""
    bit = 1 << channel
    waiting, found = [start], {start}

    def is_wall(x, y, dx, dy):
        edges = battle_map.west_edges[y, x + (dx > 0)] if dx else battle_map.north_edges[y + (dy > 0), x]
        ends = battle_map.terrain[y, x] | battle_map.terrain[y + dy, x + dx]
        return bool((edges | ends) & bit)

    while waiting:
        x, y = waiting.pop()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            there = x + dx, y + dy
            if there not in found and battle_map.has_square(*there) and not is_wall(x, y, dx, dy):
                found.add(there)
                waiting.append(there)
    return found


def test_lines_are_the_same_whatever_is_picked(counts):
    """By the walk, by the table once it pays, and by what is kept; the reference is the walk, line by line."""
    compared = 0
    for seed in range(MAPS):
        rng = np.random.default_rng(seed)
        battle_map = build_map(lambda n, rng=rng: int(rng.integers(n)), (1, 3, 8, 62, 63, 64, 65), free=seed % 4 == 0)
        for channel in Channel:
            fresh = obstacles_of(battle_map, channel)
            squares = rng.integers(0, battle_map.rows * battle_map.cols, (400, 2))
            expected = line.blocked_lines(*fresh.lines, squares, fresh.size)
            assert np.array_equal(blocked_lines(fresh, squares), expected), (seed, "few")
            assert np.array_equal(blocked_lines(fresh, squares[:3]), expected[:3]), (seed, "again")
            if not len(fresh.walls):
                fresh._kept["walked"] = planner._LARGEST_TABLE  # so many choices always pay
                assert fresh.table_for(squares).box == (0, 0, battle_map.cols, battle_map.rows)
                assert np.array_equal(blocked_lines(fresh, squares), expected), (seed, "table")
            of_squares = [[one % battle_map.cols, one // battle_map.cols, 1, 1] for one in squares.ravel().tolist()]
            joined = fresh.are_joined(np.array(of_squares), np.arange(800).reshape(-1, 2))
            found = blocked_lines(fresh, squares, (np.arange(401), joined))
            assert np.array_equal(found, expected), (seed, "of pairs")
            labels = regions.label_regions(fresh.arms)
            assert (expected[labels[squares[:, 0]] != labels[squares[:, 1]]] == 0xFFFF).all()
            compared += 16 * len(squares)
    counts["lines by whatever is picked as by the walk"] = compared


def test_a_table_of_a_box_serves_a_part_of_a_large_map():
    """It pays where many squares are near each other, stays while they move a little, and gives way to one elsewhere."""
    rng = np.random.default_rng(7)
    rows, cols = 150, 170
    drawing = ["".join("#" if one else "." for one in row) for row in rng.random((rows, cols)) < 0.03]
    found = obstacles_of(BattleMap.from_rows(drawing), Channel.EFFECT)
    tables = []
    for left, top in ((21, 100), (20, 101), (23, 101), (150, 3)):
        at = rng.integers((top, left), (top + 17, left + 19), (60, 2))
        squares = (at[:, 0] * cols + at[:, 1])[np.stack(np.triu_indices(60, 1), axis=1)]
        assert np.array_equal(blocked_lines(found, squares), line.blocked_lines(*found.lines, squares, found.size))
        tables.append(found.table_for(squares))
    assert tables[0] is tables[1]
    assert [one.box for one in tables[1:]] == [(16, 96, 24, 24), (16, 96, 32, 24), (144, 0, 26, 24)]
    far = rng.integers(0, rows * cols, (500, 2))
    assert found.table_for(far) is None
    assert np.array_equal(blocked_lines(found, far), line.blocked_lines(*found.lines, far, found.size))
    assert found.table_for(squares) is tables[-1]


def test_the_box_around_some_squares():
    """The least and the largest column and row among them, whichever end of a choice is there."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        cols, n = int(rng.integers(1, 90)), int(rng.integers(1, 6))
        at = rng.integers((0, 0), (int(rng.integers(1, 90)), cols), (n, 2, 2))
        (top, left), (bottom, right) = at.min(axis=(0, 1)).tolist(), at.max(axis=(0, 1)).tolist()
        assert boards.box_around(at[..., 0] * cols + at[..., 1], cols) == (left, top, right, bottom)


def test_regions_are_what_one_can_walk_to():
    for seed in range(MAPS // 3):
        rng = np.random.default_rng(1000 + seed)
        battle_map = build_map(lambda n, rng=rng: int(rng.integers(n)), (1, 4, 9), free=False)
        for channel in Channel:
            obstacles = obstacles_of(battle_map, channel)
            labels = obstacles.regions.reshape(battle_map.terrain.shape)
            for y, x in np.ndindex(labels.shape):
                same = {(int(u), int(v)) for v, u in np.argwhere(labels == labels[y, x])}
                assert same == reachable(battle_map, channel, (x, y))
            spaces = np.array([(x, y, w, h) for y, x in np.ndindex(labels.shape) for w in (1, 2) for h in (1, 2)
                               if x + w <= battle_map.cols and y + h <= battle_map.rows], np.int64)  # fmt: skip
            pairs = rng.integers(0, len(spaces), (60, 2))
            joined = obstacles.are_joined(spaces, pairs)
            parts = [set(labels[y : y + h, x : x + w].ravel().tolist()) for x, y, w, h in spaces.tolist()]
            apart = np.array([parts[a].isdisjoint(parts[b]) for a, b in pairs.tolist()])
            assert not (joined & apart).any()


@pytest.mark.parametrize("channel", Channel)
def test_what_follows_from_a_map_is_kept_with_it(channel):
    """The same arrays for the same map, others for an edited one."""
    battle_map = BattleMap.from_rows(["..#.", "...."])
    obstacles = obstacles_of(battle_map, channel)
    assert obstacles_of(battle_map, channel) is obstacles
    assert [are_channels_equal(battle_map) for _ in range(2)] == [True, True]
    edited = battle_map.with_squares({(0, 0): "#"})
    assert obstacles_of(edited, channel) is not obstacles
    assert not np.array_equal(obstacles_of(edited, channel).arms, obstacles.arms)
    assert BattleMap.from_rows(["..#.", "...."]) == battle_map
