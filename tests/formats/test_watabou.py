"""One Page Dungeons: doors of each type, negative positions, round rooms, columns, water, real files, bad input."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos import evaluate
from gridlos.creature import Creature
from gridlos.errors import MapFileError, QuestionError
from gridlos.formats import Limits, load, scene_from_json, scene_from_watabou, to_scene_json

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(Path(CORPUS, "watabou").iterdir()) if CORPUS else []
each_file = pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)


def rect(x, y, w=1, h=1, **more):
    return {"x": x, "y": y, "w": w, "h": h, **more}


def door(x, y, dx, dy, kind):
    return {"x": x, "y": y, "dir": {"x": dx, "y": dy}, "type": kind}


def dungeon(*rects, **more):
    return {"rects": list(rects), "doors": [], "columns": [], "water": [], **more}


def walls(scene):
    return [(*wall.start, *wall.end, wall.kind, wall.state) for wall in scene.battle_map.walls]


def test_rooms_and_their_origin():
    scene = scene_from_watabou(dungeon(rect(-3, -2, 2, 2), rect(-1, -1, 1, 1), title="The Hole"))
    assert scene.battle_map.to_rows() == ["..#", "..."]
    assert (scene.extra, scene.name, scene.warnings) == ({"origin": [-3, -2]}, "The Hole", ())


@pytest.mark.parametrize(
    ("kind", "wall", "state"),
    [(1, "door", "closed"), (4, "portcullis", None), (5, "door", "closed"), (6, "secret door", "closed"), (7, "door", "locked")],
)
@pytest.mark.parametrize(("dx", "dy", "ends"), [(1, 0, (1.5, 0, 1.5, 1)), (-1, 0, (1.5, 0, 1.5, 1)), (0, 1, (1, 0.5, 2, 0.5))])
def test_doors_of_each_type(kind, wall, state, dx, dy, ends):
    scene = scene_from_watabou(dungeon(rect(0, 0, 3, 1), doors=[door(1, 0, dx, dy, kind)]))
    assert walls(scene) == [(*ends, wall, state)]
    assert scene.warnings == ()


@pytest.mark.parametrize("kind", [0, 2, 3, 8, 9])
def test_passages_are_open(kind):
    assert walls(scene_from_watabou(dungeon(rect(0, 0, 3, 1), doors=[door(1, 0, 1, 0, kind)]))) == []


def test_strange_doors_are_told():
    doors = [door(1, 0, 1, 0, 44), door(1, 0, 0, 1, 1), door(5, 0, 1, 1, 1)]
    scene = scene_from_watabou(dungeon(rect(0, 0, 3, 1), doors=doors))
    assert scene.battle_map.to_rows() == ["...##."]
    assert [wall[:4] for wall in walls(scene)] == [(1.5, 0, 1.5, 1), (1, 0.5, 2, 0.5), (5.5, 0, 5.5, 1)]
    assert set(scene.warnings) == {
        "doors of an unknown type, taken as shut doors (1): doors[0] of type 44",
        "second doors in one square, kept (1): doors[1]",
        "doors in rock, whose squares are opened (1): doors[2]",
        "doors without a direction along the grid, taken as facing east (1): doors[2]",
    }


def test_water_lies_on_floor():
    scene = scene_from_watabou(dungeon(rect(0, 0, 2, 1), rect(0, 1), water=[{"x": 0, "y": 0}, {"x": 1, "y": 1}, {"x": 9, "y": 9}]))
    assert scene.battle_map.to_rows() == ["~.", ".#"]
    assert scene.warnings == ("water outside of every room, left out (2): water[1], water[2]",)


def test_columns_stand_on_corners():
    data = dungeon(rect(-1, 0, 4, 3), columns=[{"x": 1, "y": 1.5}])
    scene = scene_from_watabou(data)
    assert [wall[:4] for wall in walls(scene)] == [
        (2, 1.25, 2.25, 1.5), (2.25, 1.5, 2, 1.75), (2, 1.75, 1.75, 1.5), (1.75, 1.5, 2, 1.25),
    ]  # fmt: skip
    assert {wall.kind for wall in scene_from_watabou(data, objects="see-into").battle_map.walls} == {"terrain"}
    assert walls(scene_from_watabou(data, objects="ignore")) == []
    with pytest.raises(QuestionError, match="did you mean 'hard'"):
        scene_from_watabou(data, objects="hart")


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_walls_of_a_round_room(size):
    """They stay on the circle but for the ends, which stand beside the middles of the sides."""
    scene = scene_from_watabou(dungeon(rect(0, 0, size, size, rotunda=True), rect(size // 2, size)))
    half = size / 2
    ends = [end for wall in scene.battle_map.walls for end in (wall.start, wall.end)]
    jambs = {(half + a, half + b) for s in (0.5, -0.5) for t in (half, -half) for a, b in ((s, t), (t, s))}
    assert jambs <= set(ends)
    assert len(scene.battle_map.walls) == 4 * size
    for x, y in set(ends) - jambs:
        assert abs(math.hypot(x - half, y - half) - half) < 0.02
    counts = Counter(ends)
    assert all(counts[end] == (1 if end in jambs else 2) for end in counts)
    rows = scene.battle_map.to_rows()
    for y in range(size):
        for x in range(size):
            nearest = math.hypot(max(abs(x + 0.5 - half) - 0.5, 0), max(abs(y + 0.5 - half) - 0.5, 0))
            assert (rows[y][x] == "#") == (nearest >= half)
    assert scene.warnings == ()


@pytest.mark.parametrize("size", [3, 5, 7])
def test_a_round_room_is_open_to_its_four_ways_and_shut_behind_its_walls(size):
    middle = size // 2
    ways = [(middle, -1), (middle, size), (-1, middle), (size, middle)]
    scene = scene_from_watabou(dungeon(rect(0, 0, size, size, rotunda=True), *[rect(x, y) for x, y in ways]))
    inside = [(x, y) for x in range(size) for y in range(size) if math.hypot(x - middle, y - middle) < size / 2]
    behind = [
        (x, y) for x in range(size) for y in range(size)
        if (x, y) not in inside and scene.battle_map.to_rows()[y + 1][x + 1] == "."
    ]  # fmt: skip
    assert len(behind) == {3: 0, 5: 4, 7: 8}[size]
    creatures = [Creature(id=f"{x} {y}", at=(x + 1, y + 1)) for x, y in (*inside, *behind, *ways)]
    found = evaluate(scene.with_creatures(creatures), edition="pathfinder1")
    for x, y in (*inside, *ways):
        if (x, y) != (middle, middle):
            assert found[f"{middle} {middle}", f"{x} {y}"].line_of_effect
    for x, y in behind:
        assert not found[f"{middle} {middle}", f"{x} {y}"].line_of_effect


@pytest.mark.parametrize("room", [rect(0, 0, 4, 4, rotunda=True), rect(0, 0, 3, 5, rotunda=True), rect(0, 0, 1, 1, rotunda=True)])
def test_what_cannot_be_round_stays_square(room):
    scene = scene_from_watabou(dungeon(room))
    assert (walls(scene), scene.warnings) == ([], ("round rooms that cannot be round, left square (1): rects[0]",))


def test_a_way_beside_the_middle_leaves_a_room_square():
    scene = scene_from_watabou(dungeon(rect(0, 0, 5, 5, rotunda=True), rect(1, 5)))
    assert (walls(scene), len(scene.warnings)) == ([], 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rects": []}, "$.rects"),
        ({"rects": [rect(0, 0, -1)]}, "$.rects[0].w"),
        ({"rects": [rect(0, 0, 0)]}, "$.rects[0].w"),
        ({"rects": [rect(0, 0, 2**23)]}, "$.rects[0].w"),
        ({"rects": [rect(0, 1e300)]}, "$.rects[0].y"),
        ({"rects": [rect(0, "1")]}, "$.rects[0].y"),
        ({"rects": [rect(0.5, 1)]}, "$.rects[0].x"),
        ({"rects": [rect(0, 0, rotunda="yes")]}, "$.rects[0].rotunda"),
        ({"rects": [7]}, "$.rects[0]"),
        ({"rects": {}}, "$.rects"),
        ({"doors": None}, "$.doors"),
        ({"doors": [door(0, 0, 2, 0, 1)]}, "$.doors[0].dir.x"),
        ({"doors": [{"x": 0, "y": 0, "type": 1}]}, "$.doors[0]"),
        ({"columns": [{"x": None, "y": 0}]}, "$.columns[0].x"),
        ({"water": [{"x": 0}]}, "$.water[0]"),
        ({"title": 3}, "$.title"),
    ],
)
def test_bad_input_is_one_line_with_its_place(change, said):
    with pytest.raises(MapFileError) as caught:
        scene_from_watabou(dungeon(rect(0, 0)) | change, file="x.json")
    assert str(caught.value).startswith(f"x.json: {said}: ")
    assert "\n" not in str(caught.value)


def test_limits():
    with pytest.raises(MapFileError, match=r"Limits\(squares="):
        scene_from_watabou(dungeon(rect(0, 0, 2**21, 2**21)))
    with pytest.raises(MapFileError, match=r"Limits\(squares="):
        scene_from_watabou(dungeon(rect(-(2**22), 0), rect(2**22, 0), rect(0, 2**22)))
    with pytest.raises(MapFileError, match=r"Limits\(squares="):  # a stack of rooms costs as much as they are large
        scene_from_watabou(dungeon(*[rect(0, 0, 10, 10)] * 11), limits=Limits(squares=1000))
    with pytest.raises(MapFileError, match=r"Limits\(walls="):
        scene_from_watabou(dungeon(rect(0, 0), columns=[{"x": 0, "y": 0}] * 3), limits=Limits(walls=11))


rooms = st.builds(rect, st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 5), st.integers(1, 5), rotunda=st.booleans())
doors = st.builds(door, st.integers(-9, 9), st.integers(-9, 9), st.integers(-1, 1), st.integers(-1, 1), st.integers(0, 10))
points = st.fixed_dictionaries({"x": st.floats(-9, 9), "y": st.floats(-9, 9)})


@given(st.lists(rooms, min_size=1, max_size=6), st.lists(doors, max_size=6), st.lists(points, max_size=3))
def test_loading_writing_loading(rects, found, columns):
    scene = scene_from_watabou(dungeon(*rects, doors=found, columns=columns))
    again = scene_from_json(to_scene_json(scene))
    assert again == scene
    assert again.battle_map.repairs == scene.battle_map.repairs == ()


@each_file
def test_real_files_have_the_counts_of_plain_json(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    scene = load(file)
    floor = {(x, y) for r in data["rects"] for x in range(r["x"], r["x"] + r["w"]) for y in range(r["y"], r["y"] + r["h"])}
    (x0, y0), (x1, y1) = (min(x for x, _ in floor), min(y for _, y in floor)), (max(x for x, _ in floor), max(y for _, y in floor))
    battle_map = scene.battle_map
    assert (battle_map.cols, battle_map.rows, scene.extra) == (x1 - x0 + 1, y1 - y0 + 1, {"origin": [x0, y0]})
    n_round = sum(4 for r in data["rects"] if r.get("rotunda") and r["w"] == 7)  # a corner of these is wholly rock
    assert int((battle_map.terrain == 0).sum()) == len(floor) - n_round
    kinds = Counter((wall.kind, wall.state) for wall in battle_map.walls)
    n = Counter(one["type"] for one in data["doors"])
    assert kinds["door", "closed"] == n[1] + n[5]
    assert kinds["door", "locked"] == n[7]
    assert kinds["secret door", "closed"] == n[6]
    assert kinds["portcullis", None] == n[4]
    n_arcs = sum(4 * r["w"] for r in data["rects"] if r.get("rotunda"))
    assert kinds["wall", None] == 4 * len(data["columns"]) + n_arcs
    assert "".join(battle_map.to_rows()).count("~") == len({(w["x"], w["y"]) for w in data["water"]} & floor)
    assert scene.creatures == ()
    assert scene_from_json(to_scene_json(scene)) == scene


@each_file
def test_doors_of_real_files_part_the_squares_on_both_sides(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    scene = load(file)
    x0, y0 = scene.extra["origin"]
    by_middle = {tuple(np.add(wall.start, wall.end) / 2): wall for wall in scene.battle_map.walls if wall.kind != "wall"}
    for one in data["doors"]:
        if one["type"] not in (1, 4, 5, 6, 7):
            continue
        wall = by_middle[one["x"] - x0 + 0.5, one["y"] - y0 + 0.5]
        along = np.subtract(wall.end, wall.start)
        assert along @ [one["dir"]["x"], one["dir"]["y"]] == 0
        assert np.abs(along).sum() == 1


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
def test_there_are_files():
    assert len(FILES) == 10
