"""The table of lines and its numbers say what the plain walk and the oracle say, for all squares of all kinds of grid maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from kernels import support
from oracle import Walls
from strategies import seeded, situations

from gridlos.kernels import lanes, least, line, table
from gridlos.questions.table import LineTable, memory_of

IS_REDUCED = support.PROFILE == "reduced"
MOST = 60 if IS_REDUCED else 12_000
"""Pairs of squares of one map."""


def on_grid(walls):
    """The walls without the free ones."""
    return replace(walls, segments=())


def random_walls(rows, cols, rng, solid=0.05, edges=0.05):
    """Solid squares, edges and long straight runs of edges."""
    filled = {(x, y) for y in range(rows) for x in range(cols) if rng.random() < solid}
    found = {(x, y, x, y + 1) for y in range(rows) for x in range(cols + 1) if rng.random() < edges}
    found |= {(x, y, x + 1, y) for y in range(rows + 1) for x in range(cols) if rng.random() < edges}
    for _ in range(int(rng.integers(3))):
        x, y = int(rng.integers(cols + 1)), int(rng.integers(rows + 1))
        found |= {(x, k, x, k + 1) for k in range(int(rng.integers(rows + 1)), rows)}
        found |= {(k, y, k + 1, y) for k in range(int(rng.integers(cols + 1)), cols)}
    return Walls(rows, cols, 1, frozenset(filled), frozenset(found))


def choices(walls, rng, most=MOST):
    """All pairs of squares, or so many of them."""
    n = walls.rows * walls.cols
    if n * n <= most:
        return np.stack(np.divmod(np.arange(n * n), n), axis=1)
    return rng.integers(0, n, (most, 2))


def walked(walls, squares):
    """The blocked lines by the plain walk."""
    return line.blocked_lines(*support.indexed(walls).lines, squares, walls.subdivisions)


def walked_along(walls, squares):
    """The lines that are blocked or run along a wall, by the plain walk."""
    index = support.indexed(walls).lines
    blocked = line.blocked_lines(*index, squares, walls.subdivisions)
    return line.lines_along(*index, squares, blocked, walls.subdivisions)


def least_of(blocked):
    """The least number of lines that are blocked from any corner."""
    return (blocked[:, None] >> np.arange(16) & 1).reshape(-1, 4, 4).sum(axis=2).min(axis=1)


def check(walls, squares, **options):
    """Compare the table of a map with the walk; return how many lines were compared."""
    found = LineTable.of(support.indexed(walls).arms, **options)
    squares = squares[found.serves(squares)]
    expected = (walked_along if options.get("along") else walked)(walls, squares)
    wrong = np.flatnonzero(found.blocked_lines(squares) != expected)
    assert not len(wrong), (walls, squares[wrong[0]], bin(expected[wrong[0]]))
    wrong = np.flatnonzero(found.least_blocked(squares) != least_of(expected))
    assert not len(wrong), (walls, squares[wrong[0]], bin(expected[wrong[0]]))
    return 16 * len(squares)


WIDTHS = (
    (1, 2, 3, 5, 62, 63)
    if IS_REDUCED
    else (1, 2, 3, 4, 5, 7, 30, 31, 32, 61, 62, 63, 64, 65, 66, 125, 126, 127, 128, 130)
)


@pytest.mark.parametrize("cols", WIDTHS)
def test_the_table_is_the_walk_line_by_line(counts, cols):
    """Around the widths at which rows of corners begin at word boundaries; high and low maps, dense and sparse ones."""
    rng = np.random.default_rng(cols)
    for rows in (1, 2, 3, 9) if cols > 10 else (1, 2, 3, 9, 40, 64):
        if IS_REDUCED and rows * cols > 63:
            continue
        for solid, edges in ((0.0, 0.0), (0.08, 0.0), (0.0, 0.1), (0.02, 0.02), (0.3, 0.3)):
            walls = random_walls(rows, cols, rng, solid, edges)
            n = check(walls, choices(walls, rng, MOST // 4))
            name = "lines of the table against the walk"
            counts[name] += n


@pytest.mark.skipif(IS_REDUCED, reason="too large for plain Python")
@pytest.mark.parametrize(("rows", "cols"), [(40, 60), (60, 40), (70, 66), (100, 100)])
def test_large_maps(counts, rows, cols):
    """Most displacements there are; sparse maps, so that long lines are free."""
    rng = np.random.default_rng(rows)
    for solid, edges in ((0.0, 0.0), (0.003, 0.001), (0.0, 0.01), (0.03, 0.01)):
        walls = random_walls(rows, cols, rng, solid, edges)
        name = "lines of the table against the walk"
        counts[name] += check(walls, choices(walls, rng, 2 * MOST))


@pytest.mark.parametrize("cols", WIDTHS)
def test_lines_along_walls(counts, cols):
    """The table in which lines that run along a wall count as blocked: maps with many edges, and long runs of them."""
    rng = np.random.default_rng(1_000 + cols)
    for rows in (2, 5) if cols > 10 else (1, 3, 40):
        if IS_REDUCED and rows * cols > 63:
            continue
        for solid, edges in ((0.08, 0.0), (0.0, 0.05), (0.002, 0.002)):
            walls = random_walls(rows, cols, rng, solid, edges)
            n = check(walls, near_choices(walls, rng, MOST // 8), along=True)
            name = "lines along walls of the table against the walk"
            counts[name] += n


def near_choices(walls, rng, most):
    """Pairs of squares, half of them in rows or columns side by side, where lines run along the grid."""
    squares = choices(walls, rng, most).copy()
    row, column = (part[: len(squares) // 2] for part in np.divmod(squares, walls.cols))
    is_flat = rng.random(len(row)) < 0.5
    row[is_flat, 1] = row[is_flat, 0] + rng.integers(-1, 2, is_flat.sum())
    column[~is_flat, 1] = column[~is_flat, 0] + rng.integers(-1, 2, (~is_flat).sum())
    squares[: len(row)] = row.clip(0, walls.rows - 1) * walls.cols + column.clip(0, walls.cols - 1)
    return squares


@given(situations())
def test_small_awkward_maps(situation):
    walls = on_grid(situation.walls)
    check(walls, choices(walls, np.random.default_rng(1), MOST))
    check(walls, choices(walls, np.random.default_rng(2), MOST), along=True)


def test_the_table_is_the_oracle(counts):
    """Every line between two squares of many small maps, in exact arithmetic."""
    name, n = "lines of the table against the oracle", 0
    for seed in range({"reduced": 20, "default": 500, "thorough": 7_000}[support.PROFILE]):
        situation = seeded(seed, 1, (8, 4, 12)[seed % 3])
        walls = on_grid(situation.walls)
        a, b = situation.a[:2], situation.b[:2]
        squares = np.array([[support.square_number(walls, a), support.square_number(walls, b)]])
        expected = support.oracle_mask(walls, a, b)
        found = LineTable.of(support.indexed(walls).arms)
        assert found.blocked_lines(squares)[0] == expected, (walls, a, b)
        assert found.least_blocked(squares)[0] == least_of(np.array([expected]))[0], (walls, a, b)
        along = LineTable.of(support.indexed(walls).arms, along=True)
        expected |= oracle_along(walls, a, b)
        assert along.blocked_lines(squares)[0] == expected, (walls, a, b)
        assert along.least_blocked(squares)[0] == least_of(np.array([expected]))[0], (walls, a, b)
        n += 32
    counts[name] = n


def oracle_along(walls, a, b):
    """Which of the 16 lines share more than a point with an edge or a side of a solid square, by their coordinates."""
    sides = {side for x, y in walls.solid for side in sides_of(x, y)} | set(walls.edges)
    sides |= {(x, y, x + 1, y) for x in range(walls.cols) for y in (0, walls.rows)}
    sides |= {(x, y, x, y + 1) for y in range(walls.rows) for x in (0, walls.cols)}
    bits = 0
    for place in range(16):
        (px, py), (qx, qy) = ((x + (c & 1), y + (c >> 1)) for (x, y), c in ((a, place >> 2), (b, place & 3)))
        steps = {(x, py, x + 1, py) for x in range(min(px, qx), max(px, qx))} if py == qy else set()
        if px == qx:
            steps = {(px, y, px, y + 1) for y in range(min(py, qy), max(py, qy))}
        bits |= bool(steps & sides) << place
    return bits


def sides_of(x, y):
    return (x, y, x + 1, y), (x, y + 1, x + 1, y + 1), (x, y, x, y + 1), (x + 1, y, x + 1, y + 1)


THIN_WALL = Walls(3, 7, 1, frozenset(), frozenset((3, y, 3, y + 1) for y in range(3)))
PINCH = Walls(6, 6, 1, frozenset({(2, 2), (3, 3)}))
JOINT = Walls(6, 6, 1, frozenset(), frozenset({(3, 2, 3, 3), (3, 3, 4, 3)}))
CROSSING = Walls(7, 7, 1, frozenset(), frozenset({(3, 2, 3, 3), (3, 3, 3, 4), (2, 3, 3, 3), (3, 3, 4, 3)}))
LONG_RUN = Walls(5, 12, 1, frozenset(), frozenset((x, 2, x + 1, 2) for x in range(1, 11)))
STAIRS = Walls(9, 9, 1, frozenset((k, k) for k in range(1, 8)))
SEAM = Walls(5, 9, 1, frozenset((x, y) for x in range(2, 7) for y in (1, 2)))
COMB = Walls(
    6, 9, 1, frozenset(), frozenset((x, 2, x, 3) for x in range(1, 9)) | frozenset((x, 3, x, 4) for x in (2, 5))
)
DOOR = Walls(5, 5, 1, frozenset((x, 2) for x in range(5) if x != 2))
SHUT = replace(DOOR, edges=frozenset({(2, 2, 3, 2)}))
ALL_SOLID = Walls(4, 4, 1, frozenset((x, y) for x in range(4) for y in range(4)))
SPECIAL = (THIN_WALL, PINCH, JOINT, CROSSING, LONG_RUN, STAIRS, SEAM, COMB, DOOR, SHUT, ALL_SOLID)


@pytest.mark.parametrize("walls", SPECIAL)
def test_walls_of_all_kinds(walls):
    """Thin walls, pinches, joints, long collinear runs, doors: all pairs of squares, as they stand, mirrored and turned."""
    for turned in range(4):
        for mirrored in range(2):
            seen = moved(walls, turned, mirrored)
            check(seen, choices(seen, np.random.default_rng(turned), 400 if IS_REDUCED else 20_000))
            check(seen, choices(seen, np.random.default_rng(turned), 400 if IS_REDUCED else 5_000), along=True)


def moved(walls, turned, mirrored):
    """The map mirrored and turned by quarters."""
    for _ in range(turned):
        solid = frozenset((walls.rows - 1 - y, x) for x, y in walls.solid)
        edges = frozenset(ordered(walls.rows - y0, x0, walls.rows - y1, x1) for x0, y0, x1, y1 in walls.edges)
        walls = Walls(walls.cols, walls.rows, 1, solid, edges)
    if mirrored:
        solid = frozenset((walls.cols - 1 - x, y) for x, y in walls.solid)
        edges = frozenset(ordered(walls.cols - x0, y0, walls.cols - x1, y1) for x0, y0, x1, y1 in walls.edges)
        walls = Walls(walls.rows, walls.cols, 1, solid, edges)
    return walls


def ordered(x0, y0, x1, y1):
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def test_a_door_that_is_shut_blocks_what_it_let_through():
    squares = np.array([[2, 22]])
    for walls, expected in ((DOOR, 0), (SHUT, 4)):
        found = LineTable.of(support.indexed(walls).arms)
        assert found.least_blocked(squares)[0] == expected
        assert (found.blocked_lines(squares)[0] == 0xFFFF) == bool(expected)


def test_a_table_of_a_part_of_the_map():
    """The walls beside the box count, too: a line along its border may pass on the outer side."""
    rng = np.random.default_rng(3)
    for box in ((0, 0, 4, 3), (2, 1, 5, 5), (3, 4, 6, 1), (8, 0, 1, 7), (1, 1, 1, 1)):
        walls = random_walls(7, 9, rng, 0.1, 0.1)
        inside = check(walls, choices(walls, rng, 4_000), box=box)
        assert inside == 16 * (box[2] * box[3]) ** 2 or IS_REDUCED


def test_a_table_that_is_limited_by_its_memory():
    """Of squares within its reach it says the same; others it does not serve."""
    rng = np.random.default_rng(4)
    rows, cols = (5, 8) if IS_REDUCED else (20, 70)
    for reach in (1, 2, 3, 5, 8, 13):
        walls = random_walls(rows, cols, rng, 0.02, 0.02)
        memory = memory_of(rows, cols, reach)
        found = LineTable.of(support.indexed(walls).arms, memory=memory)
        assert found.nbytes <= memory + 16_384
        assert found.reach == (reach if reach < max(rows, cols) - 1 else None)
        x = np.arange(cols)
        squares = np.stack((np.zeros_like(x), x), axis=1)
        assert found.serves(squares).tolist() == (x <= reach).tolist()
        check(walls, choices(walls, rng), memory=memory)


def test_memory_that_is_used_again():
    """A second map in the place of the first gives what it gives on its own."""
    rng = np.random.default_rng(5)
    one, other = (random_walls(6, 9, rng, *some) for some in ((0.3, 0.1), (0.05, 0.05)))
    old = LineTable.of(support.indexed(one).arms)
    check(other, choices(other, rng, 2_916), instead_of=old)
    without = LineTable.of(support.indexed(one).arms, numbers=False)
    check(other, choices(other, rng, 2_916), instead_of=without)
    check(other, choices(other, rng, 2_916), instead_of=old, box=(1, 1, 5, 5))


def test_numbers_that_nobody_asked_for():
    found = LineTable.of(support.indexed(PINCH).arms, numbers=False)
    with pytest.raises(ValueError, match="without numbers"):
        found.least_blocked(np.array([[0, 1]]))


@pytest.mark.parametrize("back", [False, True])
def test_the_numbers_of_one_square_against_all(back):
    rng = np.random.default_rng(6)
    walls = random_walls(6, 9, rng, 0.08, 0.1)
    found = LineTable.of(support.indexed(walls).arms)
    for square in range(0, 54, 7):
        pairs = np.stack((np.full(54, square), np.arange(54)), axis=1)[:, :: -1 if back else 1]
        expected = least_of(walked(walls, np.ascontiguousarray(pairs)))
        assert found.least_from(square, back=back).ravel().tolist() == expected.tolist()


@pytest.mark.skipif(lanes.LANES == 1, reason="there are no lanes to do without")
def test_without_lanes(monkeypatch, counts):
    """The kernels that write tables, compiled for one word at a time."""
    for module, name in ((table, "fill_lines"), (table, "fill_axes"), (table, "close_covered"), (least, "fill_least")):
        monkeypatch.setattr(module, name, lanes.without_lanes(getattr(module, name)))
    rng = np.random.default_rng(7)
    name = "lines of the table without lanes against the walk"
    for rows, cols in ((9, 9), (1, 6), (5, 64), (5, 70), (33, 20), (40, 60)):
        for solid, edges in ((0.0, 0.0), (0.05, 0.05), (0.01, 0.01)):
            walls = random_walls(rows, cols, rng, solid, edges)
            counts[name] += check(walls, choices(walls, rng))
            counts[name] += check(walls, near_choices(walls, rng, MOST), along=True)
