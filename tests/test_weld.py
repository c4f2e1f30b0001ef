"""Welding: what is joined, what stays, and the promises of the docstring."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from gridlos.errors import SceneError
from gridlos.walls import Wall
from gridlos.weld import TOLERANCE, weld_segments, weld_walls

S = 512
NEAR = TOLERANCE * S  # 10.24 lattice units


def weld(*walls, tolerance=TOLERANCE, subdivisions=S):
    return weld_segments(np.array(walls, dtype=np.int32).reshape(-1, 4), subdivisions=subdivisions, tolerance=tolerance)


def welded(*walls, **options):
    return [tuple(row) for row in weld(*walls, **options).segments.tolist()]


def counts(done):
    return done.n_joined, done.n_closed, done.n_snapped


# ---- ends that nearly meet


def test_ends_within_the_tolerance_become_one_point():
    done = weld((700, 700, 1000, 900), (1003, 904, 1300, 700))
    (_, _, *end), (*start, _, _) = done.segments.tolist()
    assert end == start
    assert counts(done) == (1, 0, 0)
    assert done.largest_shift == 5 / S


@pytest.mark.parametrize(("gap", "joined"), [(10, True), (11, False)])  # 0.02 squares are 10.24 units
def test_the_tolerance_is_a_fiftieth_of_a_square(gap, joined):
    (_, _, *end), (*start, _, _) = welded((700, 700, 1000, 700), (1000 + gap, 700, 1300, 700))
    assert (end == start) is joined


def test_diagonal_gaps_are_measured_exactly():
    assert weld((700, 700, 1000, 700), (1008, 706, 1300, 706)).n_joined == 1  # 10 units
    assert weld((700, 700, 1000, 700), (1008, 707, 1300, 707)).n_joined == 0  # 10.63 units


def test_a_slit_of_a_tenth_of_a_square_stays_open():
    walls = [(700, 700, 1000, 700), (1051, 700, 1300, 700)]
    assert welded(*walls) == walls


def test_a_slit_of_a_tenth_of_a_square_between_an_end_and_a_side_stays_open():
    walls = [(700, 700, 1300, 700), (1000, 751, 1000, 1000)]
    assert welded(*walls) == walls


def test_walls_along_an_axis_keep_their_direction_where_they_are_joined():
    assert welded((700, 300, 700, 800), (708, 806, 1300, 806)) == [(700, 300, 700, 806), (700, 806, 1300, 806)]


def test_a_crowd_of_ends_becomes_one_point():
    done = weld((700, 300, 900, 700), (1100, 300, 908, 703), (905, 712, 905, 1000))
    ends = {tuple(done.segments[0, 2:]), tuple(done.segments[1, 2:]), tuple(done.segments[2, :2])}
    assert len(ends) == 1
    assert done.n_joined == 2


def test_a_crowd_wider_than_four_tolerances_is_left_alone():
    bars = [(600, 600 + 9 * k, 1000, 600 + 9 * k) for k in range(6)]  # 45 units wide
    assert welded(*bars) == bars
    assert weld(*bars[:5]).n_joined == 8  # 36 units wide: four ends on each side are moved


def test_ends_of_a_fine_curve_keep_their_places():
    curve = [(600 + 3 * k, 700 + 4 * k, 603 + 3 * k, 704 + 4 * k) for k in range(40)]  # 5 units, a hundredth of a square
    assert welded(*curve) == curve


def test_a_fine_curve_is_closed_into_a_ring():
    angles = np.linspace(0, 2 * np.pi, 60)
    points = np.rint(np.stack([760 + 95 * np.cos(angles), 760 + 95 * np.sin(angles)], axis=1)).astype(int)
    points[-1] += [4, 3]
    ring = [(*a, *b) for a, b in pairwise(points)]
    done = weld(*ring)
    assert counts(done) == (1, 0, 0)
    assert done.segments[0, :2].tolist() == done.segments[-1, 2:].tolist()
    assert done.segments[1:-1].tolist() == [list(map(int, wall)) for wall in ring[1:-1]]


def test_two_thin_sides_of_one_wall_stay_apart():
    door = [(600, 700, 900, 700), (900, 700, 900, 708), (900, 708, 600, 708), (600, 708, 600, 700)]
    assert welded(*door) == door


# ---- ends near another wall's side


@pytest.mark.parametrize("end", [690, 700, 709])  # short of the wall, on it, through it
def test_an_end_near_a_side_is_put_onto_it(end):
    done = weld((600, 700, 1400, 700), (1000, 300, 1000, end))
    assert done.segments.tolist() == [[600, 700, 1400, 700], [1000, 300, 1000, 700]]
    assert done.n_closed == (end != 700)


def test_an_end_beside_the_last_bit_of_a_wall_is_put_onto_its_side():
    done = weld((600, 700, 1400, 700), (1389, 300, 1389, 708))  # 13.6 units from the end of the wall
    assert done.segments.tolist() == [[600, 700, 1400, 700], [1389, 300, 1389, 700]]
    assert counts(done) == (0, 1, 0)


def test_a_sharp_angle_stays():
    walls = [(600, 700, 1400, 700), (600, 700, 630, 709), (630, 709, 700, 900)]
    assert welded(*walls) == walls


@pytest.mark.parametrize(
    ("wall", "end", "foot"),
    [((600, 600, 1400, 1400), (1003, 993), [998, 998]), ((600, 600, 1400, 1000), (1001, 806), [1004, 802])],
)
def test_an_end_is_put_onto_the_nearest_lattice_point_of_a_slanted_wall(wall, end, foot):
    found, short = weld(wall, (900, 300, *end)).segments.tolist()
    assert tuple(found) == wall
    assert short == [900, 300, *foot]


def test_a_wall_without_lattice_points_is_cut_where_the_end_is():
    done = weld((600, 600, 1401, 1000), (900, 300, 1003, 796))
    first, second, short = done.segments.tolist()
    assert done.sources.tolist() == [0, 0, 1]
    assert first[:2] == [600, 600]
    assert second[2:] == [1401, 1000]
    assert first[2:] == second[:2] == short[2:]
    line = shapely.LineString([(600, 600), (1401, 1000)])
    assert line.distance(shapely.Point(first[2:])) <= np.sqrt(0.5)


def test_a_wall_is_cut_in_its_own_direction_at_one_end_after_the_other():
    shorts = [(900, 300, 873, 741), (1050, 300, 1003, 800), (1150, 300, 1203, 893)]  # 4, 1 and 8 units off
    there = weld((600, 600, 1401, 1000), *shorts)
    back = weld((1401, 1000, 600, 600), *shorts)
    assert there.sources.tolist() == back.sources.tolist() == [0, 0, 0, 0, 1, 2, 3]
    cuts = [600, *sorted(there.segments[4:, 2].tolist()), 1401]
    assert there.segments[:4, [0, 2]].tolist() == [list(pair) for pair in pairwise(cuts)]
    assert back.segments[:4].tolist() == there.segments[:4, [2, 3, 0, 1]].tolist()[::-1]


def test_an_upright_wall_is_prolonged_and_not_tilted():
    _, _, short = welded((600, 600, 1401, 1000), (1000, 300, 1000, 793))
    assert short[0] == short[2] == 1000


def test_a_corner_of_the_grid_stays_and_the_wall_beside_it_is_cut_there():
    done = weld((600, 700, 1700, 1353), (1024, 1024, 1024, 1500), (1024, 1024, 1500, 1024))
    before = shapely.LineString([(600, 700), (1700, 1353)]).distance(shapely.Point(1024, 1024))
    assert before > NEAR
    assert done.n_closed == 0
    done = weld((600, 780, 1700, 1417), (1024, 1024, 1024, 1500), (1024, 1024, 1500, 1024))
    assert 0 < shapely.LineString([(600, 780), (1700, 1417)]).distance(shapely.Point(1024, 1024)) < NEAR
    assert done.segments.tolist()[:2] == [[600, 780, 1024, 1024], [1024, 1024, 1700, 1417]]
    assert done.n_closed == 1


# ---- the grid


@pytest.mark.parametrize(
    ("wall", "right"),
    [
        ((1030, 517, 1530, 1019), (1024, 512, 1536, 1024)),
        ((1034, 700, 700, 1014), (1024, 700, 700, 1024)),
        ((1035, 700, 700, 1013), (1035, 700, 700, 1013)),
        ((-6, 700, 700, -9), (0, 700, 700, 0)),
    ],
)
def test_ends_near_the_grid_are_put_onto_it(wall, right):
    assert welded(wall) == [right]


def test_inner_points_of_fine_curves_are_not_put_onto_the_grid():
    curve = [(1000 + 9 * k, 700 + 12 * k, 1009 + 9 * k, 712 + 12 * k) for k in range(10)]
    assert welded(*curve) == curve


def test_an_end_goes_onto_a_wall_rather_than_onto_the_grid():
    beside = (1039, 100, 1039, 1000)  # 15 units from the line of the grid
    assert welded(beside, (300, 700, 1030, 700)) == [beside, (300, 700, 1039, 700)]
    assert welded(beside, (300, 500, 1030, 516)) == [beside, (300, 500, 1039, 512)]


# ---- what is left out, and errors


def test_walls_without_length_are_left_out():
    assert weld((700, 700, 700, 700), (700, 700, 900, 700)).sources.tolist() == [1]
    assert weld((700, 700, 700, 700)).segments.shape == (0, 4)
    assert weld().segments.shape == (0, 4)


def test_a_wall_that_shrinks_to_a_point_is_counted():
    done = weld((1020, 1021, 1030, 1027), (1030, 1027, 1030, 1500), (1020, 1021, 700, 700))
    assert done.segments.tolist() == [[1024, 1024, 1024, 1500], [1024, 1024, 700, 700]]
    assert done.n_vanished == 1


@pytest.mark.parametrize("tolerance", [-0.01, 0.26, float("nan"), float("inf")])
def test_tolerances_that_are_no_use_are_refused(tolerance):
    with pytest.raises(SceneError, match="weld tolerance"):
        weld((0, 0, 1, 1), tolerance=tolerance)
    with pytest.raises(SceneError, match="weld tolerance"):
        weld_walls([Wall(start=(0, 0), end=(1, 1))], subdivisions=S, tolerance=tolerance)


# ---- walls with attributes


def test_parts_of_a_wall_keep_its_attributes():
    long = Wall(start=(0.5, 0.5), end=(7.5, 3.501953125), kind="door", id="gate", state="open", extra={"a": 1})
    short = Wall(start=(3, 0.25), end=(3.001953125, 1.57421875), id="gate/2")
    walls, done = weld_walls([long, short], subdivisions=S)
    assert done.n_closed == 1
    assert [(wall.id, wall.kind, wall.state, wall.extra) for wall in walls] == [
        ("gate", "door", "open", {"a": 1}), ("gate/2'", "door", "open", {"a": 1}), ("gate/2", "wall", None, None),
    ]  # fmt: skip
    assert walls[0].start == long.start
    assert walls[0].end == walls[1].start == walls[2].end
    assert walls[1].end == long.end


def test_a_tolerance_of_zero_changes_nothing():
    walls = (Wall(start=(0.001, 0), end=(0.999, 0)), Wall(start=(2, 2), end=(2, 2)))
    assert weld_walls(walls, subdivisions=S, tolerance=0)[0] == walls


def test_the_sentence_tells_all():
    _, done = weld_walls(
        [Wall(start=(1, 1), end=(3.9, 1)), Wall(start=(3.905, 1), end=(3.905, 5)), Wall(start=(3.895, 3), end=(1.01, 3))],
        subdivisions=1000,
    )
    (sentence,) = done.sentences()
    assert sentence == (
        "weld: 1 end joined to another, 1 end put onto a wall's side, 1 end put onto the grid; "
        "largest shift 0.01 squares (weld=0 turns it off)"
    )


# ---- promises


@st.composite
def maps(draw, most=9):
    """Walls with ends near a few common points, near the grid, and near each other's sides."""
    coarse = st.sampled_from(range(0, 1600, 128))
    fine = st.integers(-24, 24)
    point = st.tuples(coarse, coarse, fine, fine).map(lambda p: (p[0] + p[2], p[1] + p[3]))
    walls = draw(st.lists(st.tuples(point, point).map(lambda ends: (*ends[0], *ends[1])), max_size=most))
    for index, share, dx, dy, end in draw(
        st.lists(st.tuples(st.integers(0, 20), st.floats(0, 1), fine, fine, point), max_size=3)
    ):
        if walls:
            x0, y0, x1, y1 = walls[index % len(walls)]
            walls.append((round(x0 + share * (x1 - x0)) + dx, round(y0 + share * (y1 - y0)) + dy, *end))
    return walls


def undirected(walls):
    return sorted((min(wall[:2], wall[2:]), max(wall[:2], wall[2:])) for wall in map(tuple, walls))


@given(maps(), st.randoms(use_true_random=False))
def test_note_1_order(walls, random):
    other = [wall[2:] + wall[:2] if random.random() < 0.5 else wall for wall in walls]
    random.shuffle(other)
    assert undirected(welded(*walls)) == undirected(welded(*other))


@given(maps())
def test_note_2_once(walls):
    once = welded(*walls)
    assert welded(*once) == once


@given(maps(most=14), st.sampled_from([(100, 0.05), (512, 0.1), (7, 0.15), (1000, 0.02)]))
def test_note_2_once_on_other_lattices(walls, lattice):
    subdivisions, tolerance = lattice
    once = welded(*walls, subdivisions=subdivisions, tolerance=tolerance)
    assert welded(*once, subdivisions=subdivisions, tolerance=tolerance) == once


def is_met(wall, other):
    return shapely.LineString([wall[:2], wall[2:]]).intersects(shapely.LineString([other[:2], other[2:]]))


@given(maps(most=6))
def test_note_3_closed(walls):
    """Near every end that was near another wall, walls lead from the one to the other."""
    done = weld(*walls)
    if done.largest_shift > 4 * TOLERANCE:
        return
    pieces = [tuple(row) for row in done.segments.tolist()]
    lines = [shapely.LineString([piece[:2], piece[2:]]) for piece in pieces]
    for index, wall in enumerate(walls):
        for end in (wall[:2], wall[2:]):
            here = shapely.Point(end).buffer(10 * NEAR)
            near = [k for k, line in enumerate(lines) if line.intersects(here)]
            for other, side in enumerate(walls):
                if other == index or wall[:2] == wall[2:] or side[:2] == side[2:]:
                    continue
                if shapely.LineString([side[:2], side[2:]]).distance(shapely.Point(end)) > NEAR:
                    continue
                mine = [k for k in near if done.sources[k] == index]
                theirs = {k for k in near if done.sources[k] == other}
                assert not mine or not theirs or reaches(mine, theirs, near, pieces), (wall, side)


def reaches(start, goal, within, pieces):
    seen, waiting = set(start), list(start)
    while waiting:
        piece = waiting.pop()
        for other in within:
            if other not in seen and is_met(pieces[piece], pieces[other]):
                seen.add(other)
                waiting.append(other)
    return bool(seen & goal)


@given(maps())
def test_note_4_bounded(walls):
    done = weld(*walls)
    for index, wall in enumerate(walls):
        pieces = done.segments[done.sources == index].tolist()
        if pieces:
            way = shapely.LineString([pieces[0][:2], *(piece[2:] for piece in pieces)])
            moved = shapely.hausdorff_distance(shapely.LineString([wall[:2], wall[2:]]), way)
            assert moved <= done.largest_shift * S + 1e-6


@given(maps(most=5))
def test_what_is_far_apart_stays_apart(walls):
    """Two walls that are all there is keep a gap of a tenth of a square."""
    for one in walls:
        for other in walls:
            before = shapely.LineString([one[:2], one[2:]]).distance(shapely.LineString([other[:2], other[2:]]))
            if before >= 0.1 * S:
                found = welded(one, other)
                assert len(found) < 2 or not is_met(*found)


@given(maps(), st.integers(-3, 3), st.integers(-3, 3))
def test_whole_squares_beside_it_is_the_same(walls, dx, dy):
    shift = np.array([dx, dy, dx, dy]) * S
    moved = weld(*[tuple(np.array(wall) + shift) for wall in walls])
    assert (moved.segments - shift).tolist() == weld(*walls).segments.tolist()


@st.composite
def rooms(draw):
    """Walls round a room of any shape, and one across it, each drawn off by up to a hundredth of a square at its ends."""
    n = draw(st.integers(3, 9))
    turn = draw(st.floats(0, 1))
    middle = draw(st.tuples(st.integers(2000, 2512), st.integers(2000, 2512)))
    radii = draw(st.lists(st.integers(500, 1500), min_size=n, max_size=n))
    angles = 2 * np.pi * (np.arange(n) + turn) / n
    corners = [(middle[0] + r * np.cos(t), middle[1] + r * np.sin(t)) for r, t in zip(radii, angles.tolist(), strict=True)]
    a, b, c, d = corners[0], corners[1], corners[n // 2], corners[n // 2 + 1 - n]
    share, other = draw(st.floats(0.2, 0.8)), draw(st.floats(0.2, 0.8))
    across = [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])), (c[0] + other * (d[0] - c[0]), c[1] + other * (d[1] - c[1]))]
    off = st.floats(-4, 4)
    return [tuple(round(value + draw(off)) for end in wall for value in end) for wall in [*pairwise([*corners, corners[0]]), across]]


@given(rooms())
def test_rooms_are_closed(walls):
    """Nothing leads out: what is welded parts the plane into the two halves of the room and the outside."""
    lines = [shapely.LineString([wall[:2], wall[2:]]) for wall in welded(*walls)]
    faces = shapely.polygonize([shapely.unary_union(lines)]).geoms
    drawn = shapely.Polygon([wall[:2] for wall in walls[:-1]])
    if drawn.is_valid:
        big = [face for face in faces if face.area > S]
        assert len(big) >= 2
        assert shapely.union_all(big).symmetric_difference(drawn).area < 0.03 * S * drawn.length
