"""Scenes of Foundry VTT: what is read in each version, what is told, what is refused with one line."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from formats.foundry_files import ends, light, looks, read, sees, token, v8, v12, v14, wall
from hypothesis import given
from hypothesis import strategies as st

import gridlos
from gridlos.creature import Creature
from gridlos.errors import MapFileError, QuestionError
from gridlos.facts import Stops
from gridlos.formats import load, scene_from_foundry, scene_from_json, to_scene_json

versions = pytest.mark.parametrize("version", [v8, v12, v14])


def refused(data, **options):
    with pytest.raises(MapFileError) as caught:
        read(data, **options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("x.json: ")
    return str(caught.value)


# ---- the frame


@versions
def test_the_squares_of_each_version(version):
    scene = read(version(walls=[wall(200, 100, 200, 400)]))
    battle_map = scene.battle_map
    assert (battle_map.cols, battle_map.rows, battle_map.subdivisions, battle_map.feet_per_square) == (8, 6, 100, 5)
    assert ends(scene) == [(2, 1, 2, 4)]
    assert battle_map.west_edges[:, 2].tolist() == [0, 3, 3, 3, 0, 0]
    assert scene.name in ("Old", "New")
    assert scene.warnings == ()
    assert scene_from_json(to_scene_json(scene)) == scene


@pytest.mark.parametrize(
    ("padding", "width", "height", "size", "corner"),
    [
        (0, 800, 600, 100, (0, 0)),
        (0.25, 800, 600, 100, (200, 200)),  # 200 and 150 pixels: two squares each
        (0.25, 810, 600, 100, (300, 200)),
        (0.05, 800, 600, 100, (100, 100)),
        (0.5, 1050, 700, 70, (560, 350)),
        (0.1, 4096, 4096, 114, (456, 456)),
    ],
)
@versions
def test_padding_is_whole_squares_along_each_axis(version, padding, width, height, size, corner):
    x, y = corner
    scene = read(
        version(width, height, size, padding=padding, walls=[wall(x, y, x + size, y)], tokens=[token(x + size, y)])
    )
    assert ends(scene) == [(0, 0, 1, 0)]
    assert scene.creatures[0].at == (1, 0)
    assert (scene.battle_map.cols, scene.battle_map.rows) == (-(-width // size), -(-height // size))


def test_padding_that_is_not_in_the_file_is_a_quarter():
    data = v8(walls=[wall(200, 200, 300, 200)])
    del data["padding"]
    assert ends(read(data)) == [(0, 0, 1, 0)]


@pytest.mark.parametrize(
    ("shift", "first", "cols"),
    [(0, 200, 8), (35, 100, 9), (-35, 200, 9), (100, 100, 8), (-100, 300, 8), (250, -100, 9)],
)
@versions
def test_the_shift_moves_the_scene_and_not_the_grid(version, shift, first, cols):
    """The scene's rectangle begins at the padding less the shift; squares stay at multiples of the grid's size."""
    shifts = {"background": {"offsetX": shift, "offsetY": 0}} if version is v12 else {"shiftX": shift}
    scene = read(version(padding=0.25, **shifts, tokens=[token(first, 200)]))
    assert (scene.battle_map.cols, scene.battle_map.rows) == (cols, 6)
    assert scene.creatures[0].at == (0, 0)
    assert scene.warnings == ()


def test_the_levels_of_version_14_bring_the_shift_back():
    data = v14(shiftX=100, background={"offsetX": 300})
    assert "background" not in data
    data["background"] = {"offsetX": 300}
    data["tokens"] = [token(0, 0)]
    assert read({**data, "padding": 0.25}).load_warnings == ("tokens outside of the scene, left out (1): tokens[0]",)
    data["tokens"] = [token(100, 200)]
    assert read({**data, "padding": 0.25}).creatures[0].at == (0, 0)


def test_sizes_that_are_no_multiple_of_the_grid_have_partial_squares():
    assert read(v12(801, 599)).battle_map.squares.shape == (6, 9)
    assert read(v12(7000.0, 50)).battle_map.squares.shape == (1, 70)


@pytest.mark.parametrize("size", [55, 69, 70, 123, 248])
def test_grids_of_other_sizes_do_not_drift(size):
    """encounterplus/encounterplus#205: a wall 58 squares away stands on its grid line."""
    scene = read(v12(59 * size, 59 * size, size, walls=[wall(58 * size, 0, 58 * size, 59 * size)]))
    assert scene.battle_map.subdivisions == size
    assert ends(scene) == [(58, 0, 58, 59)]
    assert scene.battle_map.west_edges[:, 58].all()


@pytest.mark.parametrize(
    ("ends_of_wall", "parts", "told"),
    [
        ((100, 33, 250, 77), 1, False),
        ((100.0, 33.00000001, 249.9999999, 77), 1, False),
        ((100.5, 33, 250, 77), 2, False),
        ((100.25, 33.5, 250, 77), 4, False),
        ((100.1, 33, 250, 77), 4, True),
    ],
)
def test_walls_between_pixels(ends_of_wall, parts, told):
    scene = read(v8(walls=[wall(*ends_of_wall)]), weld=0)
    assert scene.battle_map.subdivisions == 100 * parts
    assert bool(scene.load_warnings) is told
    for found, given_ in zip(ends(scene)[0], ends_of_wall, strict=True):
        assert abs(100 * found - given_) <= 0.125
    if told:
        assert scene.load_warnings == (
            "1 of 4 wall coordinates rounded to a quarter of a pixel, largest shift 0.001 squares",
        )


@pytest.mark.parametrize(
    ("distance", "units", "feet"),
    [
        (5, "ft", 5), (10, " Feet ", 10), (2.5, "ft.", 2.5), (1.5, "m", 5), (2, "m", 20 / 3), (0.5, "km", 5000 / 3),
        (1, "mi", 5280), (2, "yd", 6),
    ],
)  # fmt: skip
@versions
def test_units_of_length(version, distance, units, feet):
    """RPTools/maptool#1243: lights and heights are in the scene's units."""
    held = {"grid": {"type": 1, "size": 100, "distance": distance, "units": units}}
    if version is v8:
        held = {"gridDistance": distance, "gridUnits": units}
    band = {"wall-height": {"bottom": 1, "top": 2}}
    data = version(
        **held, walls=[wall(0, 0, 0, 100, flags=band)], tokens=[token(0, 0, elevation=4)], lights=[light(50, 50, 2, 6)]
    )
    scene = read(data)
    each = feet / distance
    assert scene.battle_map.feet_per_square == pytest.approx(feet)
    assert (scene.lights[0].bright, scene.lights[0].dim) == (pytest.approx(2 * each), pytest.approx(6 * each))
    assert scene.creatures[0].elevation == pytest.approx(4 * each)
    assert (scene.battle_map.walls[0].bottom, scene.battle_map.walls[0].top) == (
        pytest.approx(each),
        pytest.approx(2 * each),
    )


@pytest.mark.parametrize("units", ["Schritt", "", "день", "in", 3])
def test_units_that_nobody_knows_are_refused_and_can_be_told(units):
    data = v12(grid={"type": 1, "size": 100, "distance": 2, "units": units}, lights=[light(50, 50, 4, 8)])
    message = refused(data)
    assert "units of the grid: a square is 2 " in message
    assert "give feet_per_square (--feet-per-square)" in message
    scene = read(data, feet_per_square=5)
    assert scene.battle_map.feet_per_square == 5
    assert (scene.lights[0].bright, scene.lights[0].dim) == (10, 20)


def test_missing_units_are_told():
    data = v12(grid={"type": 1, "size": 100, "distance": 5})
    assert read(data).load_warnings == ("missing keys, taken as feet (1): units of the grid",)
    scene = read(v12(grid={"size": 100}))
    assert scene.load_warnings == ("missing keys, taken as 5 ft (1): distance of the grid",)
    assert scene.battle_map.feet_per_square == 5


@pytest.mark.parametrize(
    ("kind", "words"),
    [(0, "has no grid"), (2, "has hexagons"), (5, "has hexagons"), (9, "unknown grid"), ("1", "unknown grid, a text")],
)
def test_other_grids_are_refused(kind, words):
    assert words in refused(v12(grid={"type": kind, "size": 100, "distance": 5, "units": "ft"}))
    message = refused(v8(gridType=kind))
    assert words in message
    assert "$.gridType: " in message
    assert "gridlos reads scenes of squares (type 1)" in message


# ---- walls


def restricted(version, **numbers):
    return read(version(walls=[{"c": [400, 0, 400, 600], **numbers}]), weld=0)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ({"move": 20, "sight": 20, "light": 20, "sound": 20}, ("wall", None, None)),
        ({"move": 20, "sight": 0, "light": 0, "sound": 0}, ("window", None, None)),
        ({"move": 0, "sight": 20, "light": 20, "sound": 0}, ("curtain", None, None)),
        ({"move": 20, "sight": 10, "light": 10, "sound": 10}, ("terrain", True, None)),
        ({"move": 0, "sight": 10, "light": 10, "sound": 10}, ("terrain", None, None)),
        ({"move": 1, "sense": 1, "sound": 1}, ("wall", None, None)),
        ({"move": 1, "sense": 0, "sound": 1}, ("window", None, None)),
        ({"move": 0, "sense": 1}, ("curtain", None, None)),
        ({"move": 1, "sense": 2}, ("terrain", True, None)),
        ({"move": 1.0, "sense": 1.0}, ("wall", None, None)),
        ({"move": 20, "sense": 0, "sight": 20, "light": 20}, ("wall", None, None)),
        ({}, ("wall", None, None)),
        ({"move": None, "sight": None}, ("wall", None, None)),
    ],
)
@versions
def test_restrictions_in_the_old_and_the_new_numbers(version, numbers, expected):
    scene = restricted(version, **numbers)
    assert looks(scene) == [expected]
    assert scene.warnings == ()
    kind, _, _ = expected
    if kind != "terrain":
        assert sees(scene, (1, 2), (6, 2), Stops.EFFECT) is (kind == "curtain")
        assert sees(scene, (1, 2), (6, 2), Stops.SIGHT) is (kind == "window")


def test_each_wall_is_read_by_its_own_numbers():
    old, new = (
        {"c": [100, 0, 100, 600], "move": 1, "sense": 2},
        wall(200, 0, 200, 600, sight="limited", light="limited"),
    )
    mixed = {"c": [300, 0, 300, 600], "move": 20, "sense": 1, "sound": 1}
    assert looks(read(v8(walls=[old, new, mixed]))) == [
        ("terrain", True, None),
        ("terrain", True, None),
        ("wall", None, None),
    ]


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        ("move", [("window", None, None), ("curtain", None, None), ("terrain", True, None), ("wall", None, None)]),
        ("sight", [None, ("wall", None, None), ("terrain", "limited", None), ("wall", None, None)]),
        ("light", [None, ("curtain", None, None), ("terrain", "limited", None), ("wall", None, None)]),
        (
            "sound",
            [("window", None, None), ("curtain", None, None), ("terrain", None, None), ("wall", "limited", None)],
        ),
        ("both", [None, ("curtain", None, None), ("terrain", "limited", None), ("wall", None, None)]),
    ],
)
def test_which_channel_makes_effect(channel, expected):
    walls = [
        wall(100, 0, 100, 600, sight="none", light="none", sound="normal"),
        wall(200, 0, 200, 600, move="none", light="none", sound="none"),
        wall(300, 0, 300, 600, sight="limited", light="limited", sound="none"),
        wall(400, 0, 400, 600, sound="limited"),
    ]
    assert looks(read(v12(walls=walls), effect_channel=channel)) == [one for one in expected if one]


def test_limited_walls_let_sight_pass_one_and_not_two():
    tree = [
        wall(*piece, sight="limited", light="limited")
        for piece in ((300, 200, 500, 200), (500, 200, 500, 400), (500, 400, 300, 400), (300, 400, 300, 200))
    ]
    scene = read(v12(walls=tree)).with_creatures(
        [Creature(id="near", at=(1, 2)), Creature(id="inside", at=(3, 2)), Creature(id="far", at=(6, 2))]
    )
    found = gridlos.evaluate(scene, edition="pathfinder1")
    sight = dict(zip(found.targets, found.columns["line_of_sight"][0].tolist(), strict=True))
    assert (sight["inside"], sight["far"]) == (True, False)


def effect(scene, attacker, target):
    found = gridlos.evaluate(scene, edition="pathfinder1")
    return bool(found.columns["line_of_effect"][found.attackers.index(attacker), found.targets.index(target)])


@pytest.mark.parametrize(("number", "side"), [(0, None), (1, "left"), (2, "right"), (None, None)])
def test_one_way_walls(number, side):
    """A wall drawn downward has the east on its left; ``dir`` 1, left, stops what comes from the east."""
    scene = read(v12(walls=[wall(400, 0, 400, 600, dir=number)]))
    assert scene.battle_map.walls[0].blocks_from == side
    scene = scene.with_creatures([Creature(id="west", at=(2, 2)), Creature(id="east", at=(5, 2))])
    assert effect(scene, "east", "west") is (side == "right")
    assert effect(scene, "west", "east") is (side == "left")


@pytest.mark.parametrize(("drawn", "stopped"), [((400, 0, 400, 600), "east"), ((400, 600, 400, 0), "west")])
def test_the_side_of_a_one_way_wall_goes_with_its_direction(drawn, stopped):
    scene = read(v8(walls=[wall(*drawn, dir=1)])).with_creatures(
        [Creature(id="west", at=(2, 2)), Creature(id="east", at=(5, 2))]
    )
    assert effect(scene, "east", "west") is (stopped != "east")
    assert effect(scene, "west", "east") is (stopped != "west")


@pytest.mark.parametrize(("door", "kind"), [(1, "door"), (2, "secret door")])
@pytest.mark.parametrize(("ds", "state"), [(0, "closed"), (1, "open"), (2, "locked"), (None, "closed")])
@versions
def test_doors(version, door, kind, ds, state):
    data = version(
        walls=[wall(400, 0, 400, 300), wall(400, 300, 400, 400, door=door, ds=ds, _id="gate"), wall(400, 400, 400, 600)]
    )
    scene = read(data)
    (one,) = [one for one in scene.battle_map.walls if one.kind != "wall"]
    assert (one.kind, one.state, one.id) == (kind, state, "gate")
    assert sees(scene, (1, 3), (6, 3), Stops.EFFECT) is (state == "open")
    opened = scene.battle_map.with_wall_state("gate", "open")
    assert sees(scene.with_map(opened), (1, 3), (6, 3), Stops.EFFECT)


def test_doors_that_stop_less_than_all():
    scene = read(
        v12(
            walls=[
                wall(400, 0, 400, 600, door=1, sight="none", light="none"),
                wall(600, 0, 600, 600, door=1, move="none"),
            ]
        )
    )
    assert looks(scene) == [("door", None, False), ("door", False, None)]
    assert sees(scene, (1, 2), (5, 2), Stops.SIGHT)
    assert not sees(scene, (1, 2), (5, 2), Stops.EFFECT)


def test_the_state_of_what_is_no_door_means_nothing():
    (one,) = read(v12(walls=[wall(400, 0, 400, 600, ds=1)])).battle_map.walls
    assert (one.kind, one.state, int(read(v12(walls=[wall(400, 0, 400, 600, ds=1)])).battle_map.stops[0])) == (
        "wall",
        None,
        3,
    )


def test_an_open_door_under_a_wall_is_no_way():
    scene = read(v12(walls=[wall(400, 0, 400, 600), wall(400, 200, 400, 300, door=1, ds=1)]))
    assert not sees(scene, (1, 2), (6, 2), Stops.EFFECT)


def test_ids_of_doors_are_unique():
    doors = [wall(x, 0, x, 600, door=1, _id="d") for x in (200, 400, 600)]
    assert [one.id for one in read(v12(walls=doors)).battle_map.walls] == ["d", "d/2", "d/3"]


@pytest.mark.parametrize(("sight", "kind"), [("proximity", "proximity"), ("distance", "distance")])
def test_walls_that_stop_sight_from_near_or_far_only(sight, kind):
    """Two walls: one that stops effect, one with the threshold, so that nothing is lost once thresholds are judged."""
    threshold = {"light": 10, "sight": 15, "sound": None, "attenuation": True}
    scene = read(v12(walls=[wall(400, 0, 400, 600, sight=sight, light=sight, threshold=threshold)]))
    window, curtain = scene.battle_map.walls
    assert (window.kind, window.threshold) == ("window", None)
    assert (curtain.kind, curtain.threshold.kind, curtain.threshold.feet) == ("curtain", kind, 15)
    assert sees(scene, (1, 2), (6, 2), Stops.SIGHT)
    assert not sees(scene, (1, 2), (6, 2), Stops.EFFECT)
    told = {
        "proximity": "walls that only stop who is far from them (proximity), kept and read as windows are",
        "distance": "walls that only stop who is near them (distance), kept",
    }
    assert scene.warnings == (
        f"{told[kind]}: what depends on a distance passes (1): walls[0]",
        'key "threshold": not used yet (1 wall)',
    )
    (whole,) = read(
        v12(walls=[wall(400, 0, 400, 600, sight=sight, light=sight, threshold=threshold)]), effect_channel="sight"
    ).battle_map.walls
    assert (whole.kind, whole.threshold.feet) == ("wall", 15)


def test_a_distance_that_is_not_there_makes_a_plain_wall():
    for threshold in ({"sight": None}, {"sight": 0}, {}, None, {"sight": "far"}):
        assert looks(
            read(v12(walls=[wall(400, 0, 400, 600, sight="proximity", light="proximity", threshold=threshold)]))
        ) == [("wall", None, None)]


@pytest.mark.parametrize(
    ("flags", "band"),
    [
        ({"wall-height": {"bottom": 10, "top": 19}}, (10, 19)),
        ({"wall-height": {"bottom": None, "top": 15}}, (None, 15)),
        ({"wall-height": {"top": 15}}, (None, 15)),
        ({"wall-height": {"bottom": -15, "top": -1}}, (-15, -1)),
        ({"wall-height": {"bottom": "0", "top": "Infinity"}}, (0, None)),
        ({"wallHeight": {"wallHeightTop": 9, "wallHeightBottom": 0}}, (0, 9)),
        ({"wallHeight": {"wallHeightTop": 9, "wallHeightBottom": None}}, (None, 9)),
        ({"wallHeight": {"wallHeightTop": 9, "wallHeightBottom": 0}, "wall-height": {"bottom": 1, "top": 2}}, (1, 2)),
        (
            {"wallHeight": {"wallHeightTop": 9, "wallHeightBottom": 0}, "wall-height": {"bottom": None, "top": None}},
            (0, 9),
        ),
        ({"wall-height": {"bottom": None, "top": None}}, (None, None)),
        ({"wall-height": None, "tagger": {"tags": ""}}, (None, None)),
        ({"wall-height": {"bottom": 0, "top": 1e9}}, (0, None)),
    ],
)
def test_heights_of_walls(flags, band):
    scene = read(v12(walls=[wall(400, 0, 400, 600, flags=flags)]))
    (one,) = scene.battle_map.walls
    assert (one.bottom, one.top) == band
    assert scene.warnings == ()


def test_infinite_numbers_in_the_file_are_no_ends():
    text = json.dumps(v12(walls=[wall(400, 0, 400, 600, flags={"wall-height": {"bottom": -77, "top": 88}})]))
    (one,) = scene_from_foundry(text.replace("-77", "-Infinity").replace("88", "Infinity").encode()).battle_map.walls
    assert (one.bottom, one.top) == (None, None)


@pytest.mark.parametrize("band", [{"bottom": 10, "top": 10}, {"bottom": 20, "top": 10}])
def test_walls_without_height_are_left_out(band):
    scene = read(v12(walls=[wall(400, 0, 400, 600, flags={"wall-height": band})]))
    assert ends(scene) == []
    assert scene.load_warnings == ("walls whose top is not above their bottom, left out (1): walls[0]",)


def test_who_is_above_a_wall_sees_over_it():
    scene = read(v12(walls=[wall(400, 0, 400, 600, flags={"wall-height": {"bottom": 0, "top": 10}})]))
    scene = scene.with_creatures(
        [Creature(id="a", at=(1, 2)), Creature(id="b", at=(6, 2)), Creature(id="bird", at=(6, 4), elevation=60)]
    )
    found = gridlos.evaluate(scene, edition="pathfinder1")
    assert dict(zip(found.targets, found.columns["line_of_effect"][0].tolist(), strict=True)) == {
        "a": True,
        "b": False,
        "bird": True,
    }


@pytest.mark.parametrize(
    ("level", "cover"),
    [(0, "none"), (1, "1/2"), (2, "3/4"), (3, None), ("2", "3/4"), (4, None), (1.5, None), (None, None), ([], None)],
)
def test_cover_that_people_set_by_hand(level, cover):
    scene = read(v12(walls=[wall(400, 0, 400, 600, flags={"simbuls-cover-calculator": {"coverLevel": level}})]))
    assert [one.cover for one in scene.battle_map.walls] == [cover]


def test_walls_that_stop_nothing():
    nothing = {"move": "none", "sight": "none", "light": "none", "sound": "none"}
    flags = [{"simbuls-cover-calculator": {"coverLevel": level}} for level in (0, 1, 3)]
    scene = read(
        v12(walls=[wall(400, 0, 400, 600, **nothing), *(wall(100, 0, 100, 600, **nothing, flags=one) for one in flags)])
    )
    assert [(one.kind, one.cover) for one in scene.battle_map.walls] == [("open", "1/2")]
    assert scene.load_warnings == (
        "walls that stop neither effect nor sight, left out (3): walls[0], walls[1], walls[3]",
    )
    only_light = read(v12(walls=[wall(400, 0, 400, 600, **nothing | {"light": "normal"})]))
    assert only_light.load_warnings == ("walls that stop neither effect nor sight, left out (1): walls[0]",)


def test_light_that_does_not_go_with_sight_is_told():
    walls = [
        wall(400, 0, 400, 600, light="none"),
        wall(500, 0, 500, 600),
        wall(600, 0, 600, 600, light="none", door=1, ds=1),
    ]
    assert read(v12(walls=walls)).load_warnings == (
        "walls that stop light otherwise than sight; light goes as sight does (1): walls[0]",
    )


def test_levels_give_walls_their_heights():
    levels = [
        {"_id": "a", "elevation": {"bottom": None, "top": 10}}, {"_id": "b", "elevation": {"bottom": 10, "top": 20}},
        {"_id": "c", "elevation": {"bottom": 20, "top": None}}, "x", {"_id": "d"},
    ]  # fmt: skip
    held = [["a"], ["b"], ["c"], ["a", "b"], ["b", "c"], [], ["zzz"], None, "b"]
    walls = [wall(100 * number, 0, 100 * number, 600, levels=one) for number, one in enumerate(held)]
    own = wall(0, 300, 800, 300, levels=["b"], flags={"wall-height": {"bottom": 1, "top": 2}})
    scene = read(v14(900, levels=levels, walls=[*walls, own]))
    none = (None, None)
    assert [(one.bottom, one.top) for one in scene.battle_map.walls] == [
        (None, 10), (10, 20), (20, None), (None, 20), (10, None), none, none, none, none, (1, 2),
    ]  # fmt: skip
    assert scene.load_warnings == (
        "levels, read as one map on which no floor stops anything (4): levels[0], levels[1], levels[2] and 1 more",
    )


def test_walls_beyond_the_map():
    walls = [
        wall(300, 300, 300, 500),  # inside
        wall(200, 200, 1000, 200),  # along the border
        wall(150, 400, 400, 400),  # out of it
        wall(50, 50, 50, 700),  # in the padding
        wall(-5000, 300, -100, 300),
        wall(0, 0, 0, 0),
    ]
    scene = read(v12(padding=0.25, walls=walls))
    assert ends(scene) == [(1, 1, 1, 3), (0, 0, 8, 0), (-0.5, 2, 2, 2)]
    assert scene.load_warnings == (
        "walls beyond the map, left out (3): walls[3], walls[4], walls[5]",
        "1 of 3 walls reach beyond the map of 8 by 6 squares; kept",
    )


def test_walls_that_are_none():
    walls = [
        None, 3, [], {}, {"c": None}, {"c": [1, 2, 3]}, {"c": [0, 0, "5", 100]}, {"c": [0, 0, True, 5]}, {"c": "0000"},
        {"c": [0, 0, 10**400, 5]}, {"c": [0, 0, 1e300, 5]}, {"c": [100, 100, 100, 100]}, {"c": [0, 0, 2**39, 5]}, wall(400, 0, 400, 600),
        {"c": [1, 2, 3, 4, 5]}, {"c": {"x": 1}},
    ]  # fmt: skip
    scene = read(v12(walls=walls))
    assert ends(scene) == [(4, 0, 4, 6)]
    assert scene.load_warnings == (
        "walls without two ends of finite numbers, left out (13): walls[0], walls[1], walls[2] and 10 more",
        "walls too far away or not finite, left out (1): walls[12]",
        "walls without length, left out (1): walls[11]",
    )


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite(number):
    text = json.dumps(
        v12(walls=[wall(0, 0, 77.5, 100), wall(400, 0, 400, 600)], tokens=[token(66.5, 0)], lights=[light(0, 66.5)])
    )
    scene = scene_from_foundry(text.replace("77.5", number).replace("66.5", number).encode())
    assert ends(scene) == [(4, 0, 4, 6)]
    assert (scene.creatures, scene.lights) == ((), ())
    assert len(scene.load_warnings) == 3


@pytest.mark.parametrize("value", ["20", 5, -1, [], {}, True, 20.5])
@pytest.mark.parametrize("key", ["move", "sight", "light", "sound", "door", "dir"])
def test_numbers_that_mean_nothing_are_told(key, value):
    scene = read(v12(walls=[wall(400, 0, 400, 600, **{key: [value] if value == [] else value})]))
    assert looks(scene) == [("wall", None, None)]
    assert scene.load_warnings == ("walls with an unknown number, the usual one taken in its place (1): walls[0]",)


# ---- weld


def test_walls_that_stop_short_are_welded():
    data = v12(walls=[wall(0, 199, 399, 200), wall(401, 200, 800, 200, door=1)])
    scene = read(data)
    assert ends(scene) == [(0, 2, 4, 2), (4, 2, 8, 2)]
    assert not any(sees(scene, (x, 0), (other, 3)) for x in range(8) for other in range(8))
    assert scene.load_warnings[-1].startswith("weld: 1 end joined to another, ")
    assert sees(read(data, weld=0), (3, 1), (4, 2))


@pytest.mark.parametrize("noise", [0, 1e-7, 1e-4, 0.3, 1.4])
def test_ends_on_noise_make_no_gap_and_no_wall_in_a_square(noise):
    rng = Random(7)
    corners = [(200, 200), (500, 200), (500, 400), (200, 400), (200, 200)]
    walls = [wall(*(value + noise * rng.uniform(-1, 1) for value in (*a, *b))) for a, b in pairwise(corners)]
    scene = read(v12(walls=walls))
    assert sorted(ends(scene)) == [(2, 2, 5, 2), (2, 4, 2, 2), (5, 2, 5, 4), (5, 4, 2, 4)]
    assert len(scene.battle_map.free) == 0
    inside = {(x, y) for x in range(2, 5) for y in range(2, 4)}
    for x, y in inside:
        for other in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            assert sees(scene, (x, y), other) is (other in inside)


# ---- lights and darkness


def test_lights_of_version_8_and_of_later_ones():
    old = {"t": "l", "x": 150, "y": 50, "dim": 40, "bright": 20, "angle": 360, "darknessThreshold": 0, "_id": "torch"}
    new = light(250, 150, 20, 40, _id="torch")
    scene = read(v8(lights=[old, new]))
    assert [(one.at, one.bright, one.dim, one.on, one.id) for one in scene.lights] == [
        ((1.5, 0.5), 20, 40, True, "torch"), ((2.5, 1.5), 20, 40, True, None),
    ]  # fmt: skip
    assert scene.warnings == ()


@pytest.mark.parametrize(
    ("bright", "dim", "radii"),
    [(10, 30, (10, 30)), (140, 0, (140, 140)), (None, 40, (0, 40)), (0, 0, (0, 0)), (5.22, 10.44, (5.22, 10.44))],
)
def test_the_dim_radius_is_the_larger_and_not_added(bright, dim, radii):
    (one,) = read(v12(lights=[light(50, 50, bright, dim)])).lights
    assert (one.bright, one.dim) == radii


@pytest.mark.parametrize(
    ("darkness", "bounds", "on"),
    [
        (0, (0, 1), True),
        (0.4, (0.5, 0.7), False),
        (0.5, (0.5, 0.7), True),
        (0.7, (0.5, 0.7), True),
        (1, (0, 0.69), False),
    ],
)
def test_lights_that_darkness_turns_on(darkness, bounds, on):
    held = {"darkness": dict(zip(("min", "max"), bounds, strict=True))}
    assert read(v12(darkness=darkness, lights=[light(50, 50, config=held)])).lights[0].on is on
    assert read(v14(environment={"darknessLevel": darkness}, lights=[light(50, 50, config=held)])).lights[0].on is on


@pytest.mark.parametrize(
    ("darkness", "threshold", "on"), [(0, 0, True), (0.3, 0.5, False), (0.5, 0.5, True), (0.3, None, True)]
)
def test_the_darkness_threshold_of_version_8(darkness, threshold, on):
    old = {"x": 150, "y": 50, "dim": 40, "bright": 20, "darknessThreshold": threshold}
    assert read(v8(darkness=darkness, lights=[old])).lights[0].on is on


def test_hidden_lights_do_not_burn():
    (one,) = read(v12(lights=[light(50, 50, hidden=True)])).lights
    assert (one.hidden, one.on) == (True, False)


def test_lights_of_which_something_is_told():
    at = {"x": 50, "y": 50}
    lights = [
        light(50, 50), light(50, 50, config={"angle": 57}), light(50, 50, config={"angle": 0}), light(50, 50, walls=False),
        light(-50, 50), light(800, 600), light(50, 50, config={"negative": True}), light(50, 50, -20, -40), None, {},
        {"x": "1", "y": 2}, at, {**at, "config": []},
    ]  # fmt: skip
    scene = read(v12(lights=lights))
    assert len(scene.lights) == 8
    assert scene.load_warnings == (
        "lights that shine to one side, read as shining all round (1): lights[1]",
        "lights that no wall stops, stopped by walls here (1): lights[3]",
        "lights beyond the map, kept (1): lights[4]",
        "lights that darken, left out (2): lights[6], lights[7]",
        "lights without a place of two finite numbers, left out (3): lights[8], lights[9], lights[10]",
    )


@pytest.mark.parametrize(
    ("darkness", "word"),
    [
        (0, "bright"),
        (0.25, "bright"),
        (0.26, "dim"),
        (0.74, "dim"),
        (0.75, "dark"),
        (1, "dark"),
        (7, "dark"),
        (-1, "bright"),
    ],
)
@pytest.mark.parametrize("place", ["darkness", "environment"])
def test_darkness(darkness, word, place):
    held = {"darkness": darkness} if place == "darkness" else {"environment": {"darknessLevel": darkness}}
    scene = read(v12(**held))
    assert scene.light == word
    number = min(max(darkness, 0), 1)
    told = (f"a darkness of {number} is read as {word} (bright to 0.25, dark from 0.75)",)
    assert scene.load_warnings == (() if word == "bright" else told)


@pytest.mark.parametrize(
    ("held", "word"),
    [
        ({"darkness": 0.9, "globalLight": True, "globalLightThreshold": None}, "dim"),
        ({"darkness": 0.9, "globalLight": True, "globalLightThreshold": 0.5}, "dark"),
        ({"darkness": 0.9, "globalLight": False}, "dark"),
        (
            {"environment": {"darknessLevel": 0.9, "globalLight": {"enabled": True, "darkness": {"min": 0, "max": 1}}}},
            "dim",
        ),
        (
            {
                "environment": {
                    "darknessLevel": 0.9,
                    "globalLight": {"enabled": True, "darkness": {"min": 0, "max": 0.5}},
                }
            },
            "dark",
        ),
        ({"environment": {"darknessLevel": 0.9, "globalLight": {"enabled": False}}}, "dark"),
    ],
)
def test_global_light_makes_the_dark_dim(held, word):
    assert read(v12(**held)).light == word


def test_difficult_terrain_is_counted():
    cost = {"type": "modifyMovementCost", "system": {"difficulties": {"walk": 2}}}
    regions = [
        {"behaviors": [cost, cost]}, {"behaviors": [{"type": "teleportToken"}]}, {"behaviors": [{**cost, "disabled": True}]}, None, {},
        {"behaviors": [None, cost]},
    ]  # fmt: skip
    assert read(v12(regions=regions)).load_warnings == (
        "regions of difficult terrain, which nothing uses (2): regions[0], regions[5]",
    )


def test_tiles_drawings_and_notes_are_nothing():
    assert (
        read(v12(tiles=[{"x": 1}], drawings=[{"shape": {}}], notes=[{"x": 5}], sounds=[{}], templates=[{}])).warnings
        == ()
    )


# ---- promises


@st.composite
def drawn(draw):
    """A scene of a few walls of all sorts, no one-way ones, and creatures."""
    words = st.sampled_from(["none", "normal", "limited"])
    walls = []
    for _ in range(draw(st.integers(1, 8))):
        x0, y0, x1, y1 = (draw(st.integers(0, limit)) for limit in (80, 60, 80, 60))
        walls.append(
            wall(
                10 * x0,
                10 * y0,
                10 * x1,
                10 * y1,
                move=draw(words),
                sight=draw(words),
                door=draw(st.sampled_from([0, 0, 1])),
                ds=draw(st.sampled_from([0, 1])),
            )
        )
    places = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=4, unique=True))
    tokens = [token(100 * x, 100 * y, size, size) for (x, y), size in zip(places, [2, 1, 1, 1], strict=False)]
    return v12(walls=walls, tokens=tokens)


def answers(data, **options):
    found = gridlos.evaluate(read(data, weld=0, **options), edition="pathfinder1")
    return {
        name: found.columns[name].tolist()
        for name in ("line_of_effect", "line_of_sight", "cover", "blocked_lines", "can_attack")
    }


@given(drawn(), st.sampled_from(["split", "reversed", "doubled", "reordered"]), st.sampled_from(["move", "both"]))
def test_how_walls_are_written_changes_no_answer(data, change, channel):
    walls = data["walls"]
    if change == "split":
        middles = [[(a + b) / 2 for a, b in zip(one["c"][:2], one["c"][2:], strict=True)] for one in walls]
        changed = [
            {**one, "c": c}
            for one, middle in zip(walls, middles, strict=True)
            for c in (one["c"][:2] + middle, middle + one["c"][2:])
        ]
    elif change == "reversed":
        changed = [{**one, "c": one["c"][2:] + one["c"][:2]} for one in walls]
    else:
        changed = walls * 2 if change == "doubled" else walls[::-1]
    assert answers({**data, "walls": changed}, effect_channel=channel) == answers(data, effect_channel=channel)


@given(drawn())
def test_line_of_effect_and_sight_are_mutual(data):
    found = gridlos.evaluate(read(data), edition="pathfinder1")
    for name in ("line_of_effect", "line_of_sight"):
        assert (found.columns[name] == found.columns[name].T).all()


def test_old_and_new_versions_of_one_scene_give_the_same():
    old = v8(
        walls=[{"c": [400, 0, 400, 300], "move": 1, "sense": 1}, {"c": [0, 300, 400, 300], "move": 1, "sense": 2}],
        tokens=[token(0, 0), token(500, 100)],
    )
    new = v14(
        walls=[wall(400, 0, 400, 300), wall(0, 300, 400, 300, sight="limited", light="limited")],
        tokens=[token(0, 0), token(500, 100)],
    )
    assert replace(read(old), name="") == replace(read(new), name="")


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.integers(-50, 900)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.fixed_dictionaries(
            {},
            optional=dict.fromkeys(
                ("c", "x", "y", "move", "sight", "door", "flags", "config", "darkness", "_id"), inner
            ),
        ),
    ),
    max_leaves=10,
)
scene_keys = sorted({*v8(), *v12(), *v14(), "environment", "regions", "globalLight", "darkness"} - {"width", "height"})


@given(
    st.sampled_from([v8, v12, v14]), st.dictionaries(st.sampled_from(scene_keys), json_values, max_size=4), st.data()
)
def test_whatever_is_in_the_file_it_is_read_or_refused(version, changes, data):
    wall_keys = ["c", "move", "sight", "door", "ds", "dir", "flags", "threshold", "levels", "_id"]
    held = st.dictionaries(st.sampled_from(wall_keys), json_values, max_size=3)
    walls = data.draw(st.lists(json_values | held.map(lambda more: {**wall(1, 2, 3, 4), **more}), max_size=3))
    tokens = data.draw(
        st.lists(
            st.dictionaries(
                st.sampled_from(["x", "y", "width", "height", "name", "disposition", "elevation", "light"]), json_values
            ),
            max_size=2,
        )
    )
    try:
        scene = read(version(300, 200, **{"walls": walls, "tokens": [token(0, 0), *tokens], **changes}))
    except MapFileError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    again = scene_from_json(to_scene_json(scene))
    assert again == replace(scene, load_warnings=())


@pytest.mark.parametrize("word", ["mov", 3, "", None])
def test_unknown_words_for_the_channel(word):
    with pytest.raises(QuestionError, match="for effect_channel; "):
        read(v12(), effect_channel=word)


def test_the_front_door(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(v12(walls=[wall(0, 199, 399, 200, sight="none", light="none")])), encoding="utf-8")
    assert looks(load(path)) == [("window", None, None)]
    assert looks(load(path, effect_channel="both")) == []
    assert ends(load(path, weld=0)) == [(0, 1.99, 3.99, 2)]
    assert load(path, feet_per_square=10).battle_map.feet_per_square == 10
    with pytest.raises(MapFileError, match="windows: for Universal VTT maps only"):
        load(path, windows="open")
    for name, text in (("x.txt", "A.T"), ("y.json", '{"schema": "gridlos.scene/1", "squares": ["."]}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(MapFileError, match="effect_channel: for scenes of Foundry VTT only"):
            load(tmp_path / name, effect_channel="move")
        with pytest.raises(MapFileError, match="scene='A': for scenes of Foundry VTT only"):
            load(tmp_path / name, scene="A")
