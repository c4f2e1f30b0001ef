"""Maps of Universal VTT that are drawn a little too large: fitted to the grid, and none else."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gridlos.formats import scene_from_uvtt
from gridlos.formats.uvtt_scale import scale_of


def scaled(number, size, pitch, off=0.0, digits=9):
    """Where a coordinate of the plan is in a file that is scaled about the middle of the map, and a little beside it."""
    middle = size / 2
    return round(middle + off + pitch * (number - middle), digits)


@st.composite
def plans(draw):
    """Size, walls on the grid of which four lines an axis and more are far from the middle, pitch and offsets."""
    cols, rows = draw(st.integers(10, 60)), draw(st.integers(10, 60))
    reach = max(cols, rows) / 2
    pitch = 1 + draw(st.sampled_from([-1, 1])) * draw(st.floats(0.004, min(0.0199, 0.4 / reach)))
    lines = [draw(st.sets(st.integers(0, size), min_size=5, max_size=9)) | {0, size} for size in (cols, rows)]
    walls = [(x, y, x, y + 1) for x in lines[0] for y in lines[1]]
    offs = [draw(st.floats(-0.035, 0.035)) for _ in "xy"]
    return (cols, rows), walls, pitch, offs


def drawn(plan, digits):
    size, walls, pitch, offs = plan
    return np.array(
        [[scaled(one, size[k % 2], pitch, offs[k % 2], digits) for k, one in enumerate(wall)] for wall in walls]
    )


@given(plans(), st.sampled_from([2, 6, 9]))
def test_a_plan_is_found_again(plan, digits):
    size, walls, pitch, _ = plan
    ends = drawn(plan, digits)
    assume(np.mean(np.abs(ends - np.rint(ends)) <= 0.011) < 0.45)  # else it is on the map's own grid, as near as it needs be
    found = scale_of(ends, *size)
    assert found is not None
    assert abs(found.pitch - pitch) < (0.003 if digits == 2 else 1e-5)
    assert found.ends(ends).tolist() == [list(map(float, wall)) for wall in walls]
    assert found.largest_shift == pytest.approx(np.abs(ends - walls).max(), abs=1e-6)  # six decimals are looked at


@given(plans())
def test_a_plan_at_its_own_size_stays(plan):
    size, walls, _, offs = plan
    for moved in ((0, 0), (0.25, 0.5), offs):
        ends = np.add(walls, [*moved, *moved])
        assert scale_of(ends, *size) is None


@given(st.integers(0, 2**32), st.integers(5, 200), st.integers(5, 60), st.sampled_from([None, 0.003, 0.02, "units", "quarters"]))
def test_what_is_drawn_by_hand_stays(seed, n_walls, size, manner):
    rng = np.random.default_rng(seed)
    ends = rng.random((n_walls, 4)) * size
    if manner == "units":
        ends = np.rint(ends * 512) / 512
    elif manner == "quarters":
        ends = np.rint(ends * 4) / 4 + 0.03
    elif manner:
        ends = np.rint(ends) + rng.normal(0, manner, ends.shape)
    assert scale_of(ends, size, size) is None


PLAN = (30, 20), [(x, y, x + 3, y) for x in range(2, 28, 3) for y in range(2, 19, 4)], 1.006, (0.01, -0.02)


def test_what_is_not_scaled_about_the_middle_or_not_alike_stays():
    (cols, rows), walls, pitch, _ = PLAN
    ends = drawn(PLAN, 6)
    assert scale_of(ends, cols, rows) is not None
    assert scale_of(np.add(ends, [0.06, 0, 0.06, 0]), cols, rows) is None
    assert scale_of(np.add(ends, [0, 0.08, 0, 0.08]), cols, rows) is None
    lengthened = ends * [1, 1.006, 1, 1.006]
    assert scale_of(lengthened, cols, rows) is None
    assert scale_of(np.array(walls) * pitch, cols, rows) is None  # about the corner
    assert scale_of(drawn((PLAN[0], walls, 1.03, (0, 0)), 6), cols, rows) is None
    assert scale_of(drawn((PLAN[0], walls, 1.001, (0, 0)), 6), cols, rows) is None
    assert scale_of(np.zeros((0, 4)), cols, rows) is None


def test_through_few_lines_many_grids_can_be_laid():
    walls = [(x, y, x + 5, y) for x in (2, 7, 12, 17, 22) for y in (2, 8, 17)]
    assert scale_of(drawn((PLAN[0], walls, 1.006, (0, 0)), 6), 30, 20) is None
    assert scale_of(drawn((PLAN[0], [*walls, (2, 5, 7, 5)], 1.006, (0, 0)), 6), 30, 20) is not None


@pytest.mark.parametrize(("n_others", "is_found"), [(10, True), (40, False)])
def test_three_quarters_of_the_walls_are_on_it(n_others, is_found):
    others = np.random.default_rng(3).random((n_others, 4)) * 20
    ends = np.concatenate((drawn(PLAN, 6), others))
    assert len(ends) - n_others == 45
    found = scale_of(ends, 30, 20)
    assert (found is not None) is is_found
    if found:
        assert found.ends(ends)[:45].tolist() == [list(map(float, wall)) for wall in PLAN[1]]


# ---- in a file


def file_of(plan, origin=(0, 0)):
    (cols, rows), walls, pitch, offs = plan
    sizes = cols, rows

    def point(*numbers):
        x, y = (
            scaled(number, size, pitch, off, 6) + start for number, size, off, start in zip(numbers, sizes, offs, origin, strict=True)
        )
        return {"x": x, "y": y}

    corner = {"x": origin[0], "y": origin[1]}
    data = {
        "format": 0.2, "resolution": {"map_origin": corner, "map_size": {"x": cols, "y": rows}, "pixels_per_grid": 72},
        "line_of_sight": [[point(x0, y0), point(x1, y1)] for x0, y0, x1, y1 in walls[1:]],
        "objects_line_of_sight": [[point(4.5, 4.25), point(5.5, 4.25)]],
        "portals": [{"bounds": [point(*walls[0][:2]), point(*walls[0][2:])], "closed": True}],
        "lights": [{"position": point(2.25, 17.5), "range": 4}],
    }  # fmt: skip
    return json.dumps(data).encode()


@pytest.mark.parametrize("origin", [(0, 0), (13, -7.5)])
def test_walls_doors_outlines_and_lights_are_fitted_together(origin):
    content = file_of(PLAN, origin)
    scene = scene_from_uvtt(content)
    found = [(*wall.start, *wall.end) for wall in scene.battle_map.walls]
    outline = found.pop(len(PLAN[1]) - 1)
    assert found == [*PLAN[1][1:], PLAN[1][0]]
    assert outline == (4.5, 4.25, 5.5, 4.25)
    assert scene.battle_map.walls[-1].kind == "door"
    assert scene.lights[0].at == pytest.approx((2.25, 17.5), abs=1e-5)
    assert scene.load_warnings[0] == (
        "walls drawn on squares of 1.006 squares, as Dungeon Alchemist writes them, fitted to the grid; "
        "largest shift 0.094 squares (weld=0 turns it off)"
    )
    as_drawn = scene_from_uvtt(content, weld=0)
    assert not any("fitted" in warning for warning in as_drawn.load_warnings)
    assert as_drawn.battle_map.walls[0].start != scene.battle_map.walls[0].start


def test_walls_of_a_fitted_map_are_edges_of_squares():
    scene = scene_from_uvtt(file_of(PLAN))
    assert len(scene.battle_map.free) == 1  # the outline
    assert len(scene_from_uvtt(file_of(PLAN), weld=0).battle_map.free) == 46
