"""Universal VTT maps as converters write them, with walls under keys of their own; and windows told by their length."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos.errors import MapFileError
from gridlos.formats import scene_from_foundry, scene_from_uvtt

SIZE = 100
NAMES = {"move": 20, "sight": 20, "light": 20, "sound": 20}


def uvtt(**sections):
    resolution = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 12, "y": 8}, "pixels_per_grid": SIZE}
    return {"format": 0.3, "resolution": resolution, "line_of_sight": [], **sections}


def read(data, **options):
    return scene_from_uvtt(json.dumps(data).encode(), file="x.uvtt", **options)


def points(x0, y0, x1, y1):
    return [{"x": x0, "y": y0}, {"x": x1, "y": y1}]


# ---- walls that came from Foundry VTT


def key_of(wall):
    """Where a converter puts a wall of Foundry VTT: a key, or None for a plain wall."""
    if wall["door"]:
        return "portals"
    if wall["dir"]:
        return "foundry_unrecognized_walls"
    by_numbers = {(20, 20): None, (20, 10): "foundry_terrain_walls", (20, 0): "foundry_invisible_walls"}
    return by_numbers.get((wall["move"], wall["sight"]), "foundry_unrecognized_walls")


def converted(walls):
    sections = {"portals": []}
    for wall in walls:
        ends = points(*(number / SIZE for number in wall["c"]))
        numbers = {name: wall[name] for name in ("door", *NAMES)}
        flags = {"foundry_direction": wall["dir"], "foundry_door_state": wall["ds"], "foundry_sense": numbers}
        if wall["threshold"]["sight"]:
            numbers["threshold"] = wall["threshold"]
        key = key_of(wall)
        if key is None:
            sections.setdefault("line_of_sight", []).append(ends)
        elif key == "portals":
            secret = {"secret": True} if wall["door"] == 2 else {}
            sections[key].append({"bounds": ends, "closed": True, "flags": flags, **secret})
        else:
            sections.setdefault(key, []).append({"points": ends, "sense": {"sight": "limited"}, "flags": flags})
    return uvtt(**sections)


def foundry(walls):
    data = {
        "name": "x", "width": 12 * SIZE, "height": 8 * SIZE, "padding": 0, "walls": walls, "tokens": [], "lights": [],
        "grid": {"type": 1, "size": SIZE, "distance": 5, "units": "ft"},
    }  # fmt: skip
    return scene_from_foundry(json.dumps(data).encode(), weld=0)


@st.composite
def walls_of_foundry(draw):
    found = []
    for k in range(draw(st.integers(1, 8))):
        start = [SIZE * (k + 1), SIZE * draw(st.integers(0, 7))]
        near = draw(st.sampled_from([None, 10]))
        numbers = {name: draw(st.sampled_from([0, 10, 20, 30, 40])) for name in NAMES}
        found.append({
            "c": [*start, start[0] + SIZE // 2, start[1] + SIZE], "dir": draw(st.sampled_from([0, 0, 1, 2])),
            "door": draw(st.sampled_from([0, 0, 1, 2])), "ds": draw(st.sampled_from([0, 1, 2])),
            "threshold": {"light": near, "sight": near, "sound": None, "attenuation": False}, **numbers,
        })  # fmt: skip
    return found


def looks(scene):
    keys = ("start", "end", "kind", "state", "effect", "sight", "blocks_from", "threshold")
    return sorted([repr([getattr(wall, key) for key in keys]) for wall in scene.battle_map.walls])


@given(walls_of_foundry())
def test_walls_come_through_a_converter_as_they_were(walls):
    plain = [wall for wall in walls if key_of(wall) is None]
    for wall in plain:  # all that a converter keeps of these is where they stand
        wall.update(NAMES, threshold={"light": None, "sight": None})
    assert looks(read(converted(walls), weld=0)) == looks(foundry(walls))


@pytest.mark.parametrize(
    ("key", "kind", "effect"),
    [
        ("foundry_terrain_walls", "terrain", True),
        ("foundry_invisible_walls", "window", None),
        ("foundry_movement_walls", "window", None),
    ],
)
def test_without_numbers_the_key_says_what_a_wall_is(key, kind, effect):
    scene = read(uvtt(**{key: [{"points": points(1, 1, 2, 1)}]}))
    (wall,) = scene.battle_map.walls
    assert (wall.kind, wall.start, wall.end, wall.effect) == (kind, (1, 1), (2, 1), effect)
    assert scene.load_warnings == ()


def test_walls_of_a_converter_are_moved_with_the_origin_and_welded():
    data = uvtt(line_of_sight=[points(3, 2, 3, 6)], foundry_invisible_walls=[{"points": points(3.99, 3, 6, 3)}])
    data["resolution"]["map_origin"] = {"x": 2, "y": 1}
    assert [(*wall.start, *wall.end) for wall in read(data).battle_map.walls] == [(1, 1, 1, 5), (2, 2, 4, 2)]


def test_malformed_walls_of_a_converter():
    rows = [None, "wall", [], {}, *({"points": some} for some in (points(1, 1, 2, 1)[:1], [{"x": 1}, {"x": "2", "y": 1}]))]
    rows += [{"points": points(1, 1, 2, 1)}]
    rows += [{"points": points(1, 2, 2, 2), "flags": flags} for flags in (None, [], {"foundry_sense": 3}, {"foundry_sense": {"move": 20}})]
    rows += [{"points": points(1, 3, 2, 3), "flags": {"foundry_sense": {"move": [], "sight": 77}, "foundry_direction": "up"}}]
    scene = read(uvtt(foundry_unrecognized_walls=rows))
    (wall,) = scene.battle_map.walls
    assert (wall.kind, wall.start) == ("wall", (1, 3))
    name = "foundry_unrecognized_walls"
    assert scene.load_warnings == (
        f"walls of a converter without two points or without numbers, left out (11): {name}[0], {name}[1], {name}[2] and 8 more",
        f"walls with an unknown number, the usual one taken in its place (2): {name}[11], {name}[11]",
    )
    with pytest.raises(MapFileError, match=r"\$\.foundry_terrain_walls: expected a list, got an object"):
        read(uvtt(foundry_terrain_walls={}))


def test_secret_doors():
    words = product([True, False], [True, False, 1])
    rows = [{"bounds": points(1, y, 2, y), "closed": closed, "secret": secret} for y, (closed, secret) in enumerate(words)]
    scene = read(uvtt(portals=rows))
    found = [(wall.kind, wall.state) for wall in scene.battle_map.walls]
    assert found == [("secret door", "closed"), *[("door", "closed")] * 2, ("secret door", "open"), *[("door", "open")] * 2]


def test_keys_that_nobody_knows_change_nothing():
    data = uvtt(line_of_sight=[points(1, 1, 2, 1)])
    more = {"_note": "by hand", "foundry_scene": {"name": "x"}, "ui": [1, {"a": None}], "software": "5", "creator": "me", "gridless": False}
    assert read({**data, **more}) == read(data)


# ---- windows by their length

PORTALS = [(0.75, True), (0.777, False), (1.0, True), (1.02, False), (0.85, True), (0.849, True)]
SHUT, OPEN, WINDOW = ("door", "closed"), ("door", "open"), ("window", None)


@pytest.mark.parametrize(
    ("windows", "kinds"),
    [
        ("none", [SHUT, OPEN, SHUT, OPEN, SHUT, SHUT]),
        ("open", [SHUT, WINDOW, SHUT, WINDOW, SHUT, SHUT]),
        ("short", [WINDOW, WINDOW, SHUT, OPEN, SHUT, WINDOW]),
        ("open-or-short", [WINDOW, WINDOW, SHUT, WINDOW, SHUT, WINDOW]),
    ],
)
@pytest.mark.parametrize("is_upright", [False, True])
def test_windows_are_told_by_their_length(windows, kinds, is_upright):
    """RPTools/maptool#3110: what one may look through is not in the file; how long it is says it for most files."""
    ends = [(1, y, 1 + length, y) for y, (length, _) in enumerate(PORTALS)]
    if is_upright:
        ends = [(y, x1, y, x0) for x0, y, x1, _ in ends]
    rows = [{"bounds": points(*one), "closed": closed} for one, (_, closed) in zip(ends, PORTALS, strict=True)]
    scene = read(uvtt(portals=rows), windows=windows, weld=0)
    assert [(wall.kind, wall.state) for wall in scene.battle_map.walls] == kinds
    told = [warning for warning in scene.load_warnings if "shorter" in warning]
    expected = 'closed portals shorter than 0.85 squares, read as doors; windows="short" reads them as windows (2): portals[0], portals[5]'
    assert told == ([expected] if windows in ("none", "open") else [])


def test_what_is_085_squares_long_is_not_shorter_than_that():
    rows = [{"bounds": points(0, y, x, y), "closed": True} for y, x in enumerate((0.85, 0.8499))]
    assert [wall.kind for wall in read(uvtt(portals=rows), windows="short", weld=0).battle_map.walls] == ["door", "window"]


def test_a_distance_may_stand_beside_the_numbers():
    numbers = {"door": 0, "move": 20, "sight": 30, "light": 30, "sound": 0}
    flags = {"foundry_sense": numbers, "foundry_threshold": {"light": 10, "sight": 10}}
    scene = read(uvtt(portals=[{"bounds": points(1, 1, 2, 1), "closed": False, "flags": flags}]))
    assert [wall.threshold.feet for wall in scene.battle_map.walls if wall.threshold] == [10]


def test_a_slanted_window_is_as_long_as_it_is():
    rows = [{"bounds": points(1, 1, 1.6, 1.6), "closed": True}, {"bounds": points(3, 1, 3.61, 1.61), "closed": True}]  # 0.8485, 0.863
    assert [wall.kind for wall in read(uvtt(portals=rows), windows="short").battle_map.walls] == ["window", "door"]
