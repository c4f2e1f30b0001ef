"""Universal VTT maps: what is read, what is repaired and told, what is refused with one line."""

from __future__ import annotations

import base64
import io
import json
import math
import tracemalloc
from itertools import pairwise
from pathlib import Path

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos.errors import MapFileError, QuestionError
from gridlos.facts import Stops
from gridlos.formats import Limits, load, load_uvtt, scene_from_json, scene_from_uvtt, to_scene_json, uvtt_file
from gridlos.formats.uvtt_file import uvtt_from_bytes

MAPS = Path(__file__).parents[2] / "maps"
S = 512


def points(*pairs):
    return [{"x": x, "y": y} for x, y in pairs]


def uvtt(size=(8, 6), origin=(0, 0), **sections):
    (width, height), (x, y) = size, origin
    resolution = {"map_origin": {"x": x, "y": y}, "map_size": {"x": width, "y": height}, "pixels_per_grid": 70}
    return {"format": 0.3, "resolution": resolution, "line_of_sight": [], "objects_line_of_sight": [], "portals": [], **sections}


def portal(start, end, closed=True, **keys):
    middle = {"x": (start[0] + end[0]) / 2, "y": (start[1] + end[1]) / 2}
    return {"position": middle, "bounds": points(start, end), "rotation": 0, "closed": closed, "freestanding": False, **keys}


def read(data, **options):
    return scene_from_uvtt(json.dumps(data).encode(), file="x.dd2vtt", **options)


def ends(scene):
    return [(*wall.start, *wall.end) for wall in scene.battle_map.walls]


def kinds(scene):
    return [(wall.kind, wall.state) for wall in scene.battle_map.walls]


def walls_for_oracle(scene, channel=Stops.EFFECT):
    battle_map = scene.battle_map
    return oracle.Walls(
        rows=battle_map.rows, cols=battle_map.cols, subdivisions=battle_map.subdivisions,
        segments=tuple(
            tuple(segment) for segment, stops in zip(battle_map.segments.tolist(), battle_map.stops, strict=True) if stops & channel
        ),
    )  # fmt: skip


def sees(scene, attacker, target, channel=Stops.SIGHT):
    return oracle.line_of_effect(walls_for_oracle(scene, channel), (*attacker, 1, 1), (*target, 1, 1))


def refused(content, **options):
    with pytest.raises(MapFileError) as caught:
        scene_from_uvtt(content if isinstance(content, bytes) else json.dumps(content).encode(), file="x.dd2vtt", **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- published situations


@pytest.mark.parametrize(("x", "y"), [(2, 3), (-2, 3), (13.5, -12.25), (0.001953125, 7), (46, 41)])
def test_the_origin_is_subtracted_from_everything(x, y):
    """moo-man/FVTT-DD-Import#103, RPTools/maptool#3114 and #5028: an export of a part of a map."""
    data = uvtt(
        (5, 5), (x, y),
        line_of_sight=[points((x, y), (x + 5, y))],
        objects_line_of_sight=[points((x + 1, y + 1), (x + 2, y + 1), (x + 2, y + 2))],
        portals=[portal((x + 2, y), (x + 3, y))],
        lights=[{"position": {"x": x + 2.5, "y": y + 2.5}, "range": 4}],
    )  # fmt: skip
    scene = read(data)
    assert ends(scene) == [(0, 0, 5, 0), (1, 1, 2, 1), (2, 1, 2, 2), (2, 0, 3, 0)]
    assert scene.lights[0].at == (2.5, 2.5)
    assert scene.load_warnings == ()


@pytest.mark.parametrize(
    ("closed", "windows", "kind", "effect", "sight"),
    [
        (True, "none", ("door", "closed"), False, False),
        (True, "open", ("door", "closed"), False, False),
        (False, "none", ("door", "open"), True, True),
        (False, "open", ("window", None), False, True),
    ],
)
def test_portals_closed_and_open(closed, windows, kind, effect, sight):
    """RPTools/maptool#2081, moo-man/FVTT-DD-Import#146: whether an open portal is a window is not in the file."""
    data = uvtt(line_of_sight=[points((4, 0), (4, 2)), points((4, 3), (4, 6))], portals=[portal((4, 2), (4, 3), closed)])
    scene = read(data, windows=windows)
    assert kinds(scene)[2] == kind
    assert sees(scene, (1, 2), (6, 2), Stops.EFFECT) is effect
    assert sees(scene, (1, 2), (6, 2), Stops.SIGHT) is sight


@pytest.mark.parametrize("rotation", [0, 1.5708, 3.1416, -7, "east", None])
def test_a_door_stands_between_its_bounds(rotation):
    """VerisimLLC/draw-steel-codex PR#259: neither position nor rotation places a door."""
    data = uvtt(line_of_sight=[points((0, 2), (3, 2)), points((4, 2), (8, 2))], portals=[portal((3, 2), (4, 2), rotation=rotation)])
    data["portals"][0]["position"] = {"x": 3.2, "y": 2.1}
    scene = read(data)
    assert ends(scene)[2] == (3, 2, 4, 2)
    assert not any(sees(scene, (x, 1), (x + dx, 2)) for x in range(1, 7) for dx in (-1, 0, 1))


def test_outlines_of_objects():
    """CheekyChinchilla/CozyVTT PR#62: furniture is neither ignored nor always a wall."""
    ring = points((3, 1), (4, 1), (4, 2), (3, 2), (3, 1))
    data = uvtt(objects_line_of_sight=[ring])
    hard, see_into, ignored = (read(data, objects=word) for word in ("hard", "see-into", "ignore"))
    assert kinds(hard) == kinds(read(data)) == [("wall", None)] * 4
    assert not sees(hard, (1, 1), (3, 1))
    assert kinds(see_into) == [("terrain", None)] * 4
    assert {(wall.effect, wall.sight) for wall in see_into.battle_map.walls} == {("limited", None)}
    assert sees(see_into, (1, 1), (3, 1))
    assert kinds(ignored) == []


def test_slits_of_a_millionth_are_closed():
    """Imagix/uvtt2fgu#13: rounding opens gaps."""
    data = uvtt(
        line_of_sight=[points((0, 2), (3.449999, 2)), points((4.450001, 2), (8, 2))], portals=[portal((3.45, 2), (4.45, 2))]
    )
    scene = read(data)
    again = scene_from_json(to_scene_json(scene))
    assert again == scene
    for found in (scene, again):
        assert not any(sees(found, (x, 0), (other, 3)) for x in range(8) for other in range(8))


def test_the_weld_can_be_turned_off():
    data = uvtt(line_of_sight=[points((0, 2), (3.99, 2)), points((4, 2.25), (8, 2.25))])
    assert ends(read(data)) == [(0, 2, 4, 2), (4, 2.25, 8, 2.25)]
    assert ends(read(data, weld=0)) == [(0, 2, 2043 / S, 2), (4, 2.25, 8, 2.25)]
    assert ends(read(data, weld=0.005)) == ends(read(data, weld=0))
    assert read(data).load_warnings[-1].startswith("weld: 1 end put onto the grid; largest shift 0.00977 squares")


def test_outlines_that_one_sees_into_are_not_welded():
    outline = points((2, 2.5), (3.99, 2.5))
    data = uvtt(line_of_sight=[points((1, 1), (3.99, 1))], objects_line_of_sight=[outline], portals=[portal((3.99, 1), (5, 1))])
    scene = read(data, objects="see-into")
    assert ends(scene) == [(1, 1, 4, 1), (2, 2.5, 2043 / S, 2.5), (4, 1, 5, 1)]
    assert [kind for kind, _ in kinds(scene)] == ["wall", "terrain", "door"]
    assert ends(read(data))[1] == (2, 2.5, 4, 2.5)


def test_slits_of_a_tenth_stay_open():
    data = uvtt(line_of_sight=[points((0, 2), (3.4, 2)), points((3.5, 2), (8, 2))])
    assert sees(read(data), (3, 1), (3, 3))


def test_every_point_of_an_arc_is_kept():
    """moo-man/FVTT-DD-Import#59, #73, #84: caves are not simplified."""
    angles = [math.pi * (0.53 + 0.9 * k / 61) for k in range(62)]
    arc = [(5 + 3 * math.cos(angle), 5 - 3 * math.sin(angle)) for angle in angles]
    scene = read(uvtt((10, 10), line_of_sight=[points(*((round(x, 6), round(y, 6)) for x, y in arc))]), weld=0)
    assert len(scene.battle_map.walls) == 61
    for wall, (start, end) in zip(scene.battle_map.walls, pairwise(arc), strict=True):
        assert max(map(abs, (wall.start[0] - start[0], wall.start[1] - start[1]))) < 0.001
        assert max(map(abs, (wall.end[0] - end[0], wall.end[1] - end[1]))) < 0.001
    welded = read(uvtt((10, 10), line_of_sight=[points(*arc)]))
    assert len(welded.battle_map.walls) == 61
    assert all(one.end == other.start for one, other in pairwise(welded.battle_map.walls))


def test_steps_of_a_fiftieth_of_a_square_are_kept():
    curve = [(1.1 + 0.016 * k, 2.3 + 0.012 * k) for k in range(100)]
    assert len(read(uvtt(line_of_sight=[points(*curve)])).battle_map.walls) == 99


def test_what_reaches_beyond_the_map_is_kept():
    """CheekyChinchilla/CozyVTT#59: a wall on the border is not outside."""
    data = uvtt((24, 33), line_of_sight=[points((-2, 5), (58, 5)), points((0, 0), (24, 0), (24, 33)), points((30, 40), (31, 41))])
    scene = read(data)
    assert ends(scene) == [(-2, 5, 58, 5), (0, 0, 24, 0), (24, 0, 24, 33), (30, 40, 31, 41)]
    assert scene.load_warnings == ("2 of 4 walls reach beyond the map of 24 by 33 squares; kept",)
    assert (scene.battle_map.cols, scene.battle_map.rows) == (24, 33)
    assert scene.battle_map.north_edges[5].all()


@pytest.mark.parametrize("pixels", [256, 70, 69.42, 0, "many"])
def test_pixels_move_nothing(pixels):
    """encounterplus/encounterplus#205: coordinates are in squares whatever the picture's size is."""
    data = uvtt((59, 59), line_of_sight=[points((58, 0), (58, 59))])
    data["resolution"]["pixels_per_grid"] = pixels
    assert ends(read(data)) == [(58, 0, 58, 59)]


@pytest.mark.parametrize(("feet", "radius"), [(5, 20), (1, 4), (2, 8)])
def test_the_range_of_a_light_is_in_squares(feet, radius):
    """moo-man/FVTT-DD-Import#125, RPTools/maptool#1243."""
    data = uvtt(lights=[{"position": {"x": 1, "y": 2}, "range": 4, "intensity": 0.5, "color": "ffeccd8b", "shadows": True}])
    (light,) = read(data, feet_per_square=feet).lights
    assert (light.at, light.bright, light.dim) == ((1, 2), radius, radius)
    assert light.extra == {"intensity": 0.5, "color": "ffeccd8b", "shadows": True}
    assert read(data).battle_map.feet_per_square == 5


# ---- the lattice


def test_decimals_of_the_lattice_are_exact_and_others_are_told():
    exact = points((0.001953, 8.619141 - 3), (3.000008, 1.5))
    assert read(uvtt(line_of_sight=[exact]), weld=0).load_warnings == ()
    assert ends(read(uvtt(line_of_sight=[exact]), weld=0)) == [(1 / S, 2877 / S, 3, 1.5)]
    scene = read(uvtt(line_of_sight=[[*exact, *points((3.0001, 2), (3.1, 2.0005))]]), weld=0)
    assert scene.load_warnings == ("4 of 12 wall coordinates rounded to 1/512 of a square, largest shift 0.0005 squares",)


def test_walls_on_the_grid_become_edges():
    scene = read(uvtt((3, 2), line_of_sight=[points((1, 0), (1, 2), (2.00001, 2))], portals=[portal((2, 0), (2, 1))]))
    assert scene.battle_map.west_edges.tolist() == [[0, 3, 3, 0], [0, 3, 0, 0]]
    assert scene.battle_map.north_edges.tolist() == [[0, 0, 0], [0, 0, 0], [0, 3, 0]]
    assert scene.battle_map.free.tolist() == []


# ---- what is left out


@pytest.mark.parametrize("section", ["line_of_sight", "objects_line_of_sight"])
def test_malformed_polylines(section):
    """moo-man/FVTT-DD-Import#93: what is no wall is left out and named, the rest is read."""
    rows = [
        [], points((1, 1)), points((2, 2), (2, 2)), points((1, 1), (None, 2), (3, 3), (4, 4)), points((1, 1), ("3.5", 2)),
        [[1, 1], [2, 2]], [{"x": 1}, {"x": 1, "y": True}], "walls", None, {"x": 1, "y": 1}, points((0, 5), (1, 5), (1, 5), (2, 5)),
        points((1, 1), (20000, 1)), points((0, 1e300), (10**400, 10**400)), [{"x": 1, "y": 2, "z": 3}, {"x": 1, "y": 3}],
    ]  # fmt: skip
    scene = read(uvtt(**{section: rows}))
    assert ends(scene) == [(3, 3, 4, 4), (0, 5, 1, 5), (1, 5, 2, 5), (1, 2, 1, 3)]
    assert scene.load_warnings == (
        f"polylines of fewer than two points, left out (2): {section}[0], {section}[1]",
        f"points that are not two finite numbers, left out (9): {section}[3][1], {section}[4][1], {section}[5][0] and 6 more",
        f"polylines that are no lists, left out (3): {section}[7], {section}[8], {section}[9]",
        f"walls without length, left out (2): {section}[2][1], {section}[10][2]",
    )


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e400"])
def test_numbers_that_are_not_finite(number):
    content = json.dumps(uvtt(line_of_sight=[points((1, 1), (2, 2), (77.5, 3), (4, 4), (5, 5))])).replace("77.5", number)
    scene = scene_from_uvtt(content.encode())
    assert ends(scene) == [(1, 1, 2, 2), (4, 4, 5, 5)]
    assert scene.load_warnings == ("points that are not two finite numbers, left out (1): line_of_sight[0][2]",)


def test_malformed_portals():
    rows = [
        portal((1, 1), (2, 1)), None, [], {}, {"bounds": []}, {"bounds": points((1, 1))}, {"bounds": points((1, 1), (2, "2"))},
        {"bounds": points((1, 1), (2, 1), (3, 1))}, {"bounds": {"x": 1}}, portal((3, 3), (3, 3)),
        portal((1, 2), (2, 2), "false"), portal((1, 3), (2, 3), None), portal((1, 4), (2, 4), 0),
    ]  # fmt: skip
    del rows[11]["closed"]
    scene = read(uvtt(portals=rows))
    assert ends(scene) == [(1, y, 2, y) for y in (1, 2, 3, 4)]
    assert kinds(scene) == [("door", "closed")] * 4
    assert scene.load_warnings == (
        "portals without bounds of two points, left out (8): portals[1], portals[2], portals[3] and 5 more",
        "portals with closed neither true nor false, taken as closed (3): portals[10], portals[11], portals[12]",
        "walls without length, left out (1): portals[9]",
    )


def test_malformed_lights():
    at = {"position": {"x": 1, "y": 1}}
    rows = [
        {**at, "range": 3}, None, {}, {"range": 3}, at, {**at, "range": -1}, {**at, "range": "3"}, {**at, "range": True},
        {"position": {"x": "1", "y": 1}, "range": 3}, {"position": {"x": -2, "y": -2}, "range": 1},
        {**at, "range": 0, "color": "red\n", "intensity": "x", "shadows": 1},
    ]  # fmt: skip
    scene = read(uvtt(lights=rows))
    assert [(light.at, light.bright, light.extra) for light in scene.lights] == [((1, 1), 15, None), ((-2, -2), 5, None), ((1, 1), 0, None)]
    assert scene.load_warnings == (
        "lights without position and range, left out (8): lights[1], lights[2], lights[3] and 5 more",
        "lights beyond the map, kept (1): lights[9]",
    )


def test_missing_keys():
    scene = read({"resolution": {"map_size": {"x": 3, "y": 2}}})
    assert scene.battle_map.to_rows() == ["...", "..."]
    assert scene.load_warnings == (
        "missing keys, taken as (0, 0) (1): resolution.map_origin", "missing keys, read as empty (1): line_of_sight",
    )  # fmt: skip
    data = uvtt(objects_line_of_sight=None, portals=None, lights=None, environment=None)
    assert read(data).load_warnings == ()


@pytest.mark.parametrize("environment", [[], "dark", {"ambient_light": 5, "baked_lighting": "yes"}, {"other": 1}])
def test_an_environment_that_is_none(environment):
    assert read(uvtt(environment=environment)).extra is None


def test_the_environment_is_carried_through():
    data = uvtt(environment={"baked_lighting": False, "ambient_light": "ff112233", "other": [1]})
    assert read(data).extra == {"environment": {"baked_lighting": False, "ambient_light": "ff112233"}}


two_points = st.just(points((1, 1), (2, 1)))


def numbers(inner):
    return st.fixed_dictionaries({"move": inner, "sight": inner}, optional=dict.fromkeys(("door", "light", "threshold"), inner))


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.fixed_dictionaries({}, optional=dict.fromkeys(("x", "y", "bounds", "position", "range", "closed", "color"), inner)),
        st.fixed_dictionaries({"points": two_points}, optional={"flags": st.fixed_dictionaries({"foundry_sense": numbers(inner)})}),
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(sorted(uvtt_file.UvttFile.__struct_fields__)), json_values),
    st.dictionaries(st.sampled_from(["map_origin", "map_size"]), json_values),
)
def test_whatever_is_in_the_file_it_is_read_or_refused(sections, resolution):
    data = uvtt((3, 2), **sections)
    if isinstance(data["resolution"], dict):
        data["resolution"].update(resolution)
    try:
        scene = read(data)
    except MapFileError:
        return
    assert scene_from_json(to_scene_json(scene)) == scene


# ---- sizes


@pytest.mark.parametrize(
    ("size", "shape", "told"),
    [
        ((33.0, 46), (46, 33), False),
        ((32.999999, 46), (46, 33), False),
        ((10.5, 7), (7, 11), True),
        ((0.5, 0.000001), (1, 1), True),
    ],
)
def test_sizes_of_a_map(size, shape, told):
    scene = read(uvtt(size))
    assert scene.battle_map.squares.shape == shape
    assert bool(scene.load_warnings) is told
    if told:
        assert scene.load_warnings[0].startswith(f"sizes that are no whole numbers, read as {shape[1]} by {shape[0]} squares")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("map_size", {"x": 0, "y": 3}, "$.resolution.map_size.x: the map is 0 squares long"),
        ("map_size", {"x": 3, "y": -3}, "$.resolution.map_size.y: the map is -3 squares long"),
        ("map_size", {"x": 16384, "y": 3}, "$.resolution.map_size.x: the map is 16384 squares long"),
        ("map_size", {"x": "33", "y": 3}, "$.resolution.map_size.x: expected a number of squares, got a text"),
        ("map_size", {"x": True, "y": 3}, "$.resolution.map_size.x: expected a number of squares, got true or false"),
        ("map_size", {"x": 3}, "$.resolution.map_size.y: expected a number of squares, got nothing"),
        ("map_size", {"x": 3, "y": 1e300}, "$.resolution.map_size.y: expected a number of squares, got a number that is not finite"),
        ("map_size", [3, 3], "$.resolution.map_size: expected an object with x and y, got a list"),
        ("map_size", None, "$.resolution.map_size: expected an object with x and y, got nothing"),
        ("map_origin", "0,0", "$.resolution.map_origin: expected an object with x and y, got a text"),
        ("map_origin", {"x": 0, "y": None}, "$.resolution.map_origin.y: expected a number of squares, got nothing"),
        ("map_origin", {"x": 10**400, "y": 0}, "$.resolution.map_origin.x: expected a number of squares"),
    ],
)  # fmt: skip
def test_no_size_and_no_origin(name, value, words):
    data = uvtt()
    data["resolution"][name] = value
    assert words in refused(data)


@pytest.mark.parametrize("section", ["line_of_sight", "objects_line_of_sight", "portals", "lights"])
@pytest.mark.parametrize("value", [{}, "walls", 3, True])
def test_sections_that_are_no_lists(section, value):
    assert f"$.{section}: expected a list, got " in refused(uvtt(**{section: value}))


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_no_resolution(value):
    assert "$.resolution: expected an object, got " in refused({"resolution": value, "line_of_sight": []})


def test_limits():
    data = uvtt((3, 2), line_of_sight=[points(*((k % 3, k % 2) for k in range(12)))])
    assert len(read(data, limits=Limits(walls=11)).battle_map.walls) == 11
    assert "11 walls, and the limit is 10; Limits(walls=11)" in refused(data, limits=Limits(walls=10))
    assert "6 squares, and the limit is 5" in refused(data, limits=Limits(squares=5))
    assert "more than 100 bytes besides its picture; Limits(file_bytes=...)" in refused(data, limits=Limits(file_bytes=100))
    many = uvtt(line_of_sight=[points(*((k % 3, k % 2) for k in range(2000)))])
    assert "values, and the limit is 400, 40 a wall; Limits(walls=...)" in refused(many, limits=Limits(walls=10))


@pytest.mark.parametrize("options", [{"weld": -1}, {"weld": 1}, {"weld": math.nan}, {"feet_per_square": 0}, {"feet_per_square": math.nan}])
def test_options_that_are_no_use(options):
    (name,) = options
    assert name.split("_")[0] in refused(uvtt(lights=[{"position": {"x": 1, "y": 1}, "range": 2}]), **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"windows": "opn"}, "did you mean 'open'?"), ({"objects": "hards"}, "did you mean 'hard'?"), ({"objects": 3}, "known are")],
)
def test_unknown_words_in_options(options, words):
    with pytest.raises(QuestionError) as caught:
        read(uvtt(), **options)
    assert words in str(caught.value)


# ---- files


GOOD = json.dumps(uvtt((3, 2), line_of_sight=[points((1, 0), (1, 2))])).encode()


def test_a_byte_order_mark_and_crlf():
    content = b"\xef\xbb\xbf" + json.dumps(json.loads(GOOD), indent=1).replace("\n", "\r\n").encode()
    assert scene_from_uvtt(content) == scene_from_uvtt(GOOD)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 51760453\n", "pointer of Git LFS and not the map itself"),
        (b"\x89PNG\r\n\x1a\n", "PNG picture"),
        (b"PK\x03\x04", "zip archive"),
        (b"", "the file is empty"),
        (b" \n ", "the file is empty"),
        (b"[1, 2]", "a Universal VTT map is one JSON object in braces"),
        (b"#####\n#...#\n", "a Universal VTT map is one JSON object in braces"),
        (GOOD[:-1], "broken JSON: the file ends too early"),
        (GOOD[:-30], "broken JSON: unterminated string"),
        (GOOD[:40], "line 1, column "),
        (GOOD + b"]", "broken JSON: extra data"),
        (GOOD.replace(b'"format"', b"format"), "line 1, column 2: broken JSON"),
        (GOOD.replace(b'"x": 1', b'"x": \xe9', 1), "byte 0xe9 is not UTF-8"),
        (GOOD.replace(b'"portals"', b'"line_of_sight"'), 'the key "line_of_sight" stands twice'),
        (GOOD.replace(b"0.3", b"[" * 200000 + b"]" * 200000), "nested too deep"),
        (GOOD.replace(b"[]", b"[" * 200000 + b"]" * 200000, 1), "nested too deep"),
        (GOOD[:-1] + b', "image": "iVBORw0KGgo', "the file ends inside its picture"),
        (GOOD[:-1] + b', "image": "abc\\"', "the file ends inside its picture"),
    ],
)  # fmt: skip
def test_refused_with_one_line(content, words):
    message = refused(content)
    assert words in message
    assert message.startswith("x.dd2vtt: ")


def test_a_place_after_the_picture_is_a_place_in_the_file():
    broken = GOOD[:-1] + b', "image": "' + b"A" * 5000 + b'", "lights": [}'
    place = f"line 1, column {len(broken)}: "
    assert place in refused(broken)
    broken = broken.replace(b'"lights": [', b'\n"lights": [')
    assert "line 2, column 12: " in refused(broken)
    assert f"line 1, byte {len(GOOD) + 5021}: " in refused(GOOD[:-1] + b', "image": "' + b"A" * 5000 + b'", "a": "\xe9"}')


@pytest.mark.parametrize(
    "image",
    [b'""', b"null", b"5", b'{"image": "AA"}', b'"maps/map.jpg"', rb'"a\"b\\\"c\\"', rb'"\/9j\/4AA\n\/"', b'"' + b"QUJD" * 5000 + b'"'],
)
@pytest.mark.parametrize("order", ["first", "last"])
@pytest.mark.parametrize("space", [b"", b" ", b" \n\t "])
def test_pictures_of_all_sorts_are_left_out(image, order, space):
    pair = b'"image"' + space + b":" + space + image
    content = b"{" + pair + b"," + GOOD[1:] if order == "first" else GOOD[:-1] + b"," + pair + b"}"
    assert scene_from_uvtt(content) == scene_from_uvtt(GOOD)


@given(picture=st.text(max_size=40), other=st.text(max_size=10), size=st.integers(1, 70), twice=st.booleans(), ascii_=st.booleans())
def test_a_picture_is_left_out_wherever_the_file_is_cut_into_chunks(picture, other, size, twice, ascii_):
    data = {"image": picture, "resolution": other, "lights": {"image": picture + '"'} if twice else 3, "portals": [other, '"image": "']}
    content = json.dumps(data, ensure_ascii=ascii_).encode(errors="replace")
    expected = json.loads(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvtt_file, "_CHUNK_BYTES", size)
        found = uvtt_from_bytes(content, file="", limits=Limits())
    assert found.resolution == expected["resolution"]
    assert found.portals == expected["portals"]
    assert found.lights == ({"image": ""} if twice else 3)


def test_a_large_picture_costs_no_memory(tmp_path):
    path = tmp_path / "x.dd2vtt"
    with path.open("wb") as stream:
        stream.write(GOOD[:-1] + b', "image": "')
        block = base64.b64encode(bytes(range(250)) * 3000)
        for _ in range(30):
            stream.write(block)
        stream.write(b'"}')
    assert path.stat().st_size > 30_000_000
    tracemalloc.start()
    try:
        scene = load_uvtt(path, limits=Limits(file_bytes=2 * 2**20))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ends(scene) == [(1, 0, 1, 2)]
    assert peak < 8 * 2**20


def test_a_picture_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(uvtt_file, "_PICTURE_BYTES", 3 * 2**20)
    path = tmp_path / "x.dd2vtt"
    path.write_bytes(GOOD[:-1] + b', "image": "' + b"A" * (4 * 2**20) + b'"}')
    with pytest.raises(MapFileError, match="the picture has more than 3145728 bytes"):
        load(path)


def test_an_endless_file_is_not_read_to_its_end():
    endless = io.BytesIO(b"{" + b" " * 10_000_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", lambda *_: endless)
        with pytest.raises(MapFileError, match="more than 1000 bytes besides its picture"):
            load_uvtt("x.dd2vtt", limits=Limits(file_bytes=1000))


@pytest.mark.parametrize("name", ["x.dd2vtt", "x.uvtt", "x.df2vtt", "x.DD2VTT", "x.json"])
def test_the_front_door(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(json.dumps(uvtt(line_of_sight=[points((0, 2), (3.99, 2))], portals=[portal((4, 2), (4, 3), closed=False)])).encode())
    scene = load(path, windows="open", weld=0)
    assert scene == load_uvtt(path, windows="open", weld=0)
    assert scene.name == "x"
    assert kinds(scene) == [("wall", None), ("window", None)]
    assert ends(load(path))[0] == (0, 2, 4, 2)


@pytest.mark.parametrize(("name", "text"), [("x.txt", "A.T"), ("x.json", '{"schema": "gridlos.scene/1", "squares": ["."]}')])
def test_options_are_for_universal_vtt_maps_only(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(MapFileError, match=r"weld: for Universal VTT maps, .* and maps of Tiled only, and this is one of the"):
        load(tmp_path / name, weld=0, objects="hard")


@pytest.mark.parametrize("name", ["no/such/file.dd2vtt", "a\0b.dd2vtt", "x" * 5000 + ".uvtt"])
def test_no_such_file(tmp_path, name):
    with pytest.raises(MapFileError, match=r"no such file|cannot be read"):
        load(tmp_path / name)


def test_a_folder(tmp_path):
    (tmp_path / "x.uvtt").mkdir()
    with pytest.raises(MapFileError, match="this is a folder"):
        load(tmp_path / "x.uvtt")


# ---- the map that comes with the project


def test_the_mill():
    """What `maps/mill.dd2vtt` was drawn to hold: 20 by 14 squares of a map whose origin is (13, 12)."""
    scene = load(MAPS / "mill.dd2vtt")
    battle_map = scene.battle_map
    assert (battle_map.cols, battle_map.rows, scene.name) == (20, 14, "mill")
    assert [(kind, state) for kind, state in kinds(scene) if kind != "wall"] == [("door", "closed"), ("door", "open"), ("door", "open")]
    assert len(battle_map.walls) == 38
    assert battle_map.west_edges[2:9, 11].tolist() == [3] * 7
    assert battle_map.north_edges[9, 3:11].tolist() == [3, 3, 3, 0, 3, 3, 3, 3]
    inner = next(wall for wall in battle_map.walls if wall.start[0] == wall.end[0] == 7)
    assert (inner.start, inner.end) == ((7, 2), (7, 6))
    for earlier, later in pairwise(battle_map.walls[8:16]):
        assert earlier.end == later.start
    assert scene.load_warnings == (
        "walls without length, left out (1): line_of_sight[3][2]",
        "lights beyond the map, kept (1): lights[1]",
        "weld: 1 end joined to another, 1 end put onto a wall's side; largest shift 0.0141 squares (weld=0 turns it off)",
        "2 of 38 walls reach beyond the map of 20 by 14 squares; kept",
    )
    assert scene_from_json(to_scene_json(scene)) == scene
