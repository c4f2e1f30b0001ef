"""Scenes written as Universal VTT maps: what is in the file, what is told as lost, and that answers come back the same."""

import json
import os
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from scene_strategies import scenes

import gridlos
from gridlos.battlemap import BattleMap
from gridlos.cli import main
from gridlos.creature import Creature
from gridlos.facts import Stops
from gridlos.formats import load, save, scene_from_uvtt
from gridlos.formats.uvtt_write import to_uvtt, uvtt_copy
from gridlos.records import Light
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

CORPUS = os.environ.get("GRIDLOS_CORPUS")
COLUMNS = ("line_of_effect", "line_of_sight", "cover", "blocked_lines")
FILES = sorted(Path(CORPUS, "uvtt").iterdir()) if CORPUS else []
MAPS = ("corridor", "crypt", "gatehouse", "pillars", "tavern")
WINDOWS_ONLY = "not closed; read the file with windows"


def file_of(scene):
    return json.loads(to_uvtt(scene))


def line(*points):
    return [{"x": x, "y": y} for x, y in points]


def there_and_back(scene, **options):
    copy = uvtt_copy(scene)
    windows = "open" if any(WINDOWS_ONLY in warning for warning in copy.warnings) else "none"
    return scene_from_uvtt(copy.content, weld=0, windows=windows, **options).with_creatures(scene.creatures)


def assert_same_answers(scene, other):
    for attack in ("ranged", "melee"):
        first, second = (gridlos.evaluate(one, edition="pathfinder1", attack=attack) for one in (scene, other))
        for name in COLUMNS:
            assert np.array_equal(first.columns[name], second.columns[name]), (attack, name)


# ---- what is in the file


def test_walls_that_follow_each_other_are_one_polyline():
    data = file_of(Scene.from_drawing("...\n...", walls=[(0, 1, 1, 1), (1, 1, 1.5, 0.25), (2, 0, 2, 1)]))
    assert data["line_of_sight"] == [line((0, 1), (1, 1), (1.5, 0.25)), line((2, 0), (2, 1))]
    assert data["resolution"] == {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 3, "y": 2}, "pixels_per_grid": 70}
    assert (data["format"], data["objects_line_of_sight"]) == (0.3, [])


def test_pixels_of_a_lattice_that_is_one():
    battle_map = BattleMap.from_rows([".."], subdivisions=140)
    assert file_of(Scene(battle_map))["resolution"]["pixels_per_grid"] == 140


def test_solid_squares_are_their_outlines_in_long_runs():
    data = file_of(Scene.from_drawing(".....\n.##..\n.###.\n....."))
    found = {tuple((point["x"], point["y"]) for point in run) for run in data["line_of_sight"]}
    assert found == {
        ((1, 1), (3, 1)),
        ((1, 3), (4, 3)),
        ((3, 2), (4, 2)),
        ((1, 1), (1, 3)),
        ((3, 1), (3, 2)),
        ((4, 2), (4, 3)),
    }


def test_between_two_squares_that_stop_sight_only_somebody_can_stand():
    legend = {"o": SquareKind(kind="curtain")}
    data = file_of(Scene.from_drawing("ooo.", legend=legend))
    assert [portal["bounds"] for portal in data["portals"]] == [line((x, 0), (x, 1)) for x in (1, 2, 3)]


def test_the_border_of_the_map_is_no_wall():
    assert file_of(Scene.from_drawing("#.\n#."))["line_of_sight"] == [line((1, 0), (1, 2))]


def test_portals():
    walls = [
        Wall(start=(1, 0), end=(1, 1), kind="door"),
        Wall(start=(2, 0), end=(2, 1), kind="door", state="open"),
        Wall(start=(3, 0), end=(3, 1), kind="curtain"),
    ]
    data = file_of(Scene.from_drawing("....", walls=walls))
    assert [(portal["bounds"], portal["closed"]) for portal in data["portals"]] == [
        (line((1, 0), (1, 1)), True),
        (line((2, 0), (2, 1)), False),
        (line((3, 0), (3, 1)), True),
    ]
    assert data["portals"][0]["position"] == {"x": 1, "y": 0.5}
    assert data["portals"][0]["rotation"] == pytest.approx(1.570796)
    assert data["line_of_sight"] == []


def test_beside_windows_an_open_door_is_a_gap():
    walls = [
        Wall(start=(1, 0), end=(1, 1), kind="window"),
        Wall(start=(2, 0), end=(2, 1), kind="door", state="open"),
    ]
    copy = uvtt_copy(Scene.from_drawing("...", walls=walls))
    assert [portal["bounds"] for portal in json.loads(copy.content)["portals"]] == [line((1, 0), (1, 1))]
    assert [warning.split(";")[0] for warning in copy.warnings] == [
        "1 window written as a portal that is not closed",
        "1 open door left out as a gap, for a portal that is not closed is a window here",
    ]


def test_lights_and_the_light_around():
    lights = (
        Light(at=(1.5, 0.25), bright=20, dim=40, extra={"color": "ff102030", "intensity": 0.5, "shadows": False}),
        Light(at=(0, 0), bright=10, dim=10, on=False),
        Light(at=(0, 0), dim=15, extra={"color": "red", "intensity": float("inf")}),
    )
    scene = Scene(BattleMap.from_rows(["..."], feet_per_square=10), lights=lights, light="dark")
    data, warnings = file_of(scene), uvtt_copy(scene).warnings
    assert data["lights"] == [
        {"position": {"x": 1.5, "y": 0.25}, "range": 4, "intensity": 0.5, "color": "ff102030", "shadows": False},
        {"position": {"x": 0, "y": 0}, "range": 1.5, "intensity": 1, "color": "ffffffff", "shadows": True},
    ]
    assert data["environment"] == {"baked_lighting": False, "ambient_light": "ff000000"}
    assert "1 light left out: it does not burn" in warnings
    assert "2 lights written with one radius, the larger one" in warnings
    assert any("10 ft" in warning for warning in warnings)
    assert any(warning.startswith("the light around, dark") for warning in warnings)


# ---- what is lost


@pytest.mark.parametrize(
    ("keys", "is_written", "told"),
    [
        ({}, True, ()),
        ({"kind": "secret door"}, True, ("1 door written as a door that everybody sees",)),
        ({"kind": "door", "state": "locked"}, True, ("1 door written as closed, not locked",)),
        ({"blocks_from": "left"}, True, ("1 wall written as blocking from both sides",)),
        ({"top": 6}, True, ("1 wall written as tall as the world",)),
        ({"top": 5}, False, ("1 wall left out: it hides no standing human whole (wall)",)),
        ({"bottom": 1}, False, ("1 wall left out: it hides no standing human whole (wall)",)),
        ({"kind": "low wall"}, False, ("1 wall left out: it hides no standing human whole (low wall)",)),
        ({"kind": "fence"}, False, ("1 wall left out: it hides no standing human whole (fence)",)),
        ({"cover": "improved"}, True, ("1 wall written without word for its cover",)),
        ({"sight": "limited", "kind": "terrain"}, False, ("1 wall left out: it hides no standing human whole (terrain)",)),
        ({"id": "north"}, True, ("1 wall written without id",)),
    ],
)  # fmt: skip
def test_walls_that_lose_something(keys, is_written, told):
    copy = uvtt_copy(Scene.from_drawing("..", walls=[Wall(start=(1, 0), end=(1, 1), **keys)]))
    data = json.loads(copy.content)
    assert (len(data["line_of_sight"]) + len(data["portals"]) == 1) == is_written
    assert copy.warnings == told


def test_a_wall_on_high_ground_is_measured_from_there():
    legend = {"h": SquareKind(elevation=10)}
    for top, is_written in ((15, False), (16, True)):
        scene = Scene.from_drawing("hh", legend=legend, walls=[Wall(start=(1, 0), end=(1, 1), top=top)])
        assert bool(file_of(scene)["line_of_sight"]) == is_written


def test_squares_that_lose_something():
    legend = {"h": SquareKind(elevation=10), "D": SquareKind(kind="door"), "t": SquareKind(kind="obstacle", top=8)}
    copy = uvtt_copy(Scene.from_drawing("fbhDtA~s.", legend=legend))
    assert copy.warnings == (
        "4 squares written as open ones (arrow slit, brush, fog, water)",
        "1 square written as a wall (door)",
        "1 square written without elevation",
        "1 square written as tall as the world (obstacle)",
        "1 creature left out",
    )
    assert len(json.loads(copy.content)["line_of_sight"]) == 2  # door and obstacle stand side by side


def test_coordinates_that_readers_shift_are_told():
    fine = BattleMap.from_rows(["..."], walls=[Wall(start=(0.3, 0), end=(2, 1))])
    (warning,) = uvtt_copy(Scene(fine)).warnings
    assert warning == "1 wall coordinate is no 512th of a square; most readers shift it, by up to 0.000781 squares"
    exact = BattleMap.from_rows(["..."], walls=[Wall(start=(1 / 512, 0), end=(2.25, 1))])
    assert uvtt_copy(Scene(exact)).warnings == ()
    assert there_and_back(Scene(exact)).battle_map.walls == exact.walls


# ---- there and back


def random_scene(seed):
    """Solid, glass and opaque squares, walls on and off the grid, doors open and shut, windows."""
    rng = Random(seed)
    cols, rows = rng.randint(3, 8), rng.randint(3, 7)
    squares = [rng.choices(".#go", (10, 2, 1, 1), k=cols) for _ in range(rows)]
    legend = {"g": SquareKind(kind="wall", sight=False), "o": SquareKind(kind="curtain")}
    if rng.random() < 0.6:
        squares = [["." if letter in "go" else letter for letter in row] for row in squares]
    squares[0][0] = squares[-1][-1] = squares[0][-1] = "."
    kinds = rng.choice([("wall", "door"), ("wall", "window"), ("wall", "door", "window")])
    walls = []
    for _ in range(rng.randint(0, 8)):
        x, y = rng.randrange(4 * cols), rng.randrange(4 * rows)
        x, y = (x, y) if rng.random() < 0.5 else (x // 4 * 4, y // 4 * 4)
        dx, dy = rng.choice([(4, 0), (0, 4), (8, 0), (3, 2), (-5, 4)])
        kind = rng.choice(kinds)
        state = rng.choice(["open", "closed", None]) if kind == "door" else None
        walls.append(Wall(start=(x / 4, y / 4), end=((x + dx) / 4, (y + dy) / 4), kind=kind, state=state))
    battle_map = BattleMap.from_rows(["".join(row) for row in squares], legend=legend, walls=walls)
    free = [(x, y) for y in range(rows) for x in range(cols) if squares[y][x] in ".o"]
    creatures = [
        Creature(id=f"c{k}", at=at, side="ab"[k % 2]) for k, at in enumerate(rng.sample(free, min(len(free), 6)))
    ]
    return Scene(battle_map, tuple(creatures))


@pytest.mark.parametrize("seed", range(60))
def test_answers_come_back_the_same(seed):
    scene = random_scene(seed)
    if any("curtain" in warning for warning in uvtt_copy(scene).warnings):
        # what stops sight only comes back stopping effect too: sight is all that can be the same
        first, second = (gridlos.evaluate(one, edition="pathfinder1") for one in (scene, there_and_back(scene)))
        assert np.array_equal(first.columns["line_of_sight"], second.columns["line_of_sight"])
    else:
        assert_same_answers(scene, there_and_back(scene))


@pytest.mark.parametrize("name", MAPS)
def test_our_maps_come_back_with_the_same_answers(name):
    scene = load(Path(__file__).parents[2] / "maps" / f"{name}.scene.json")
    stops, special = scene.battle_map.stops, scene.battle_map.special
    plain = [wall for k, wall in enumerate(scene.battle_map.walls) if k not in special and stops[k] != Stops.SIGHT]
    letters = {
        (x, y): "."
        for y, row in enumerate(scene.battle_map.to_rows())
        for x, _ in enumerate(row)
        if scene.battle_map.special_squares[y, x]
        or scene.battle_map.concealment[y, x]
        or scene.battle_map.elevation[y, x]
    }
    scene = scene.with_map(scene.battle_map.with_walls(plain).with_squares(letters))
    lattice = scene.battle_map.subdivisions
    assert 512 % lattice == 0, "choose a map that comes back exactly"
    assert_same_answers(scene, there_and_back(scene))


@given(scenes())
@settings(suppress_health_check=[*HealthCheck], max_examples=30)
def test_whatever_the_scene_the_file_is_read_again(scene):
    found = scene_from_uvtt(to_uvtt(scene), weld=0)
    assert (found.battle_map.rows, found.battle_map.cols) == (scene.battle_map.rows, scene.battle_map.cols)
    assert len(found.lights) == sum(light.on for light in scene.lights)


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
@pytest.mark.parametrize("weld", [0, 0.02])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:40])
def test_real_maps_come_back_wall_for_wall(path, weld):
    scene = load(path, weld=weld)
    copy = uvtt_copy(scene)
    again = scene_from_uvtt(copy.content, weld=weld)
    assert copy.warnings == ()
    walls, found = scene.battle_map.walls, again.battle_map.walls
    for is_door in (False, True):  # walls stand before doors in such a file, whatever their order in the map
        assert [one for one in found if (one.kind == "door") is is_door] == [
            one for one in walls if (one.kind == "door") is is_door
        ]
    assert [(light.at, light.dim) for light in again.lights] == [(light.at, light.dim) for light in scene.lights]


# ---- files


@pytest.mark.parametrize("name", ["x.uvtt", "x.dd2vtt", "X.UVTT"])
def test_saved_and_loaded(tmp_path, name):
    scene = Scene.from_drawing("A.#\n...", walls=[Wall(start=(1, 1), end=(2, 1), kind="door")])
    assert save(scene, tmp_path / name) == ("1 creature left out",)
    found = load(tmp_path / name).battle_map
    assert [(wall.kind, wall.start, wall.end) for wall in found.walls] == [
        ("wall", (2, 1), (3, 1)),
        ("wall", (2, 0), (2, 1)),
        ("door", (1, 1), (2, 1)),
    ]


def test_other_formats_lose_nothing(tmp_path):
    scene = Scene.from_drawing("A.#")
    assert save(scene, tmp_path / "x.txt") == save(scene, tmp_path / "x.scene.json") == ()


def test_convert_tells_what_is_lost(tmp_path, capsys):
    (tmp_path / "in.txt").write_text("A.f\n")
    assert main(["convert", str(tmp_path / "in.txt"), str(tmp_path / "out.dd2vtt")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "gridlos: warning: 1 square written as an open one (fog)",
        "gridlos: warning: 1 creature left out",
    ]
    assert load(tmp_path / "out.dd2vtt").battle_map.cols == 3
