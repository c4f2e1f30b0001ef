"""Real Universal VTT files: each loads or is refused, with the counts that a few lines of plain JSON give."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path

import pytest

from gridlos.errors import MapFileError
from gridlos.formats import load, scene_from_json, to_scene_json
from gridlos.weld import weld_walls

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(path for folder in ("uvtt", "uvtt-broken") for path in Path(CORPUS, folder).iterdir()) if CORPUS else []

pytestmark = pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")


def held(path):
    """The file as plain JSON; None for a Git LFS pointer."""
    text = path.read_text(encoding="utf-8")
    return None if text.startswith("version https://git-lfs") else json.loads(text)


def pieces(data, *sections):
    """Straight pieces with length, in squares of the map."""
    origin = data["resolution"]["map_origin"]
    lines = [line for section in sections for line in data.get(section, [])]
    found = [[(point["x"] - origin["x"], point["y"] - origin["y"]) for point in line] for line in lines]
    return [(start, end) for line in found for start, end in pairwise(line) if start != end]


SCALED = "geezjonny+GeezSheets__maps__prison_02.partial.dd2vtt"  # by Dungeon Alchemist
MAPS = [path for path in FILES if held(path) is not None]
each_map = pytest.mark.parametrize("file", MAPS, ids=lambda path: path.name)


def test_there_are_files():
    assert (len(FILES), len(MAPS)) == (11, 10)


@pytest.mark.parametrize("file", [path for path in FILES if path not in MAPS], ids=lambda path: path.name)
def test_a_pointer_is_refused(file):
    with pytest.raises(MapFileError, match="pointer of Git LFS and not the map itself; run `git lfs pull`"):
        load(file)


@each_map
def test_each_map_loads(file):
    data = held(file)
    scene = load(file)
    battle_map = scene.battle_map
    size = data["resolution"]["map_size"]
    assert (battle_map.cols, battle_map.rows) == (size["x"], size["y"])
    doors = [wall for wall in battle_map.walls if wall.kind == "door"]
    assert len(doors) == len(data.get("portals", []))
    assert sum(wall.state == "closed" for wall in doors) == sum(portal["closed"] for portal in data.get("portals", []))
    assert len(scene.lights) == len(data.get("lights", []))
    assert sorted(light.dim for light in scene.lights) == sorted(5 * light["range"] for light in data.get("lights", []))
    assert scene_from_json(to_scene_json(scene)) == scene


@each_map
def test_each_wall_is_where_the_file_has_it(file):
    data = held(file)
    expected = pieces(data, "line_of_sight", "objects_line_of_sight")
    walls = [wall for wall in load(file, weld=0).battle_map.walls if wall.kind == "wall"]
    assert len(walls) == len(expected)
    for wall, (start, end) in zip(walls, expected, strict=True):
        for found, right in ((wall.start, start), (wall.end, end)):
            assert max(abs(found[0] - right[0]), abs(found[1] - right[1])) <= 1 / 1024


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
def test_a_map_that_is_drawn_too_large_is_as_large_as_its_plan():
    """Each wall and portal is the one whose ends are nearest, when the file's squares are as wide as the file's middle says."""
    (file,) = [path for path in MAPS if path.name == SCALED]
    scene, data = load(file), held(file)
    middles = 14.5, 11
    expected = [
        tuple(round(middle + (number - middle) / 1.0057) for point in piece for middle, number in zip(middles, point, strict=True))
        for piece in [*pieces(data, "line_of_sight"), *([(one["x"], one["y"]) for one in portal["bounds"]] for portal in data["portals"])]
    ]  # fmt: skip
    assert [(*wall.start, *wall.end) for wall in scene.battle_map.walls] == expected


@each_map
def test_without_objects_and_with_windows(file):
    data = held(file)
    walls = load(file, weld=0, objects="ignore", windows="open").battle_map.walls
    assert sum(wall.kind == "wall" for wall in walls) == len(pieces(data, "line_of_sight"))
    assert sum(wall.kind == "window" for wall in walls) == sum(not portal["closed"] for portal in data.get("portals", []))
    walls = load(file, weld=0, objects="see-into").battle_map.walls
    assert sum(wall.kind == "terrain" for wall in walls) == len(pieces(data, "objects_line_of_sight"))


@each_map
def test_walls_outside_are_told(file):
    data = held(file)
    scene = load(file, weld=0)
    size = data["resolution"]["map_size"]
    drawn = pieces(data, "line_of_sight", "objects_line_of_sight")
    origin = data["resolution"]["map_origin"]
    drawn += [
        tuple((point["x"] - origin["x"], point["y"] - origin["y"]) for point in portal["bounds"]) for portal in data.get("portals", [])
    ]
    n_outside = sum(
        not all(-1e-5 <= x <= size["x"] + 1e-5 and -1e-5 <= y <= size["y"] + 1e-5 for x, y in piece) for piece in drawn
    )
    told = [warning.partition(" reach")[0] for warning in scene.load_warnings if "reach beyond the map" in warning]
    assert told == ([f"{n_outside} of {len(drawn)} walls"] if n_outside else [])


@each_map
def test_welding_moves_nothing_far_and_welding_again_nothing_at_all(file):
    drawn, welded = load(file, weld=0), load(file)
    ends = [end for wall in welded.battle_map.walls for end in (wall.start, wall.end)]
    before = {end for wall in drawn.battle_map.walls for end in (wall.start, wall.end)}
    is_fitted = any("fitted to the grid" in warning for warning in welded.load_warnings)
    assert is_fitted == (file.name == SCALED)
    if is_fitted:
        assert all(x == int(x) and y == int(y) for x, y in ends)
        assert not any(warning.startswith("weld: ") for warning in welded.load_warnings)
    for x, y in () if is_fitted else ends:
        on_wall = min(distance((x, y), wall.start, wall.end) for wall in drawn.battle_map.walls)
        assert on_wall <= 0.03 or min((x - a) ** 2 + (y - b) ** 2 for a, b in before) <= 0.03**2
    again, _ = weld_walls(welded.battle_map.walls, subdivisions=welded.battle_map.subdivisions)
    assert again == welded.battle_map.walls


def distance(point, start, end):
    (x, y), (x0, y0), (x1, y1) = point, start, end
    dx, dy = x1 - x0, y1 - y0
    share = min(max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0), 1)
    return ((x - x0 - share * dx) ** 2 + (y - y0 - share * dy) ** 2) ** 0.5
