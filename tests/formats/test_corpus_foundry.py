"""Real scenes of Foundry VTT: each loads or is refused, with the counts that a few lines of plain JSON give."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from formats.corpus_foundry import CORPUS, FILES, corner, grid, kept, restrictions, scenes

from gridlos.errors import MapFileError
from gridlos.formats import foundry_scene_names, load, scene_from_json, to_scene_json
from gridlos.weld import weld_walls

pytestmark = pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
ALL = [(path, name, scene) for path in FILES for name, scene in scenes(path).items()]
SQUARES = [one for one in ALL if grid(one[2])[0] == 1]
each_scene = pytest.mark.parametrize(
    ("path", "name", "scene"), SQUARES, ids=[f"{path.name[-30:]}:{name}" for path, name, _ in SQUARES]
)


def test_there_are_files():
    assert (len(FILES), len(ALL), len(SQUARES)) == (39, 46, 42)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name[-40:])
def test_the_scenes_of_each_file(path):
    assert sorted(foundry_scene_names(path)) == sorted(" ".join(name.split()) for name in scenes(path))
    if len(scenes(path)) != 1:
        with pytest.raises(
            MapFileError, match=r"scenes are in it; name one|there is no scene in it; 3 other documents"
        ):
            load(path)


def test_scenes_without_squares_are_refused():
    refused = [one for one in ALL if one not in SQUARES]
    assert len(refused) == 4
    for path, name, _ in refused:
        with pytest.raises(MapFileError, match=r"\$.grid.type: the scene has no grid"):
            load(path, scene=name)


@each_scene
def test_each_scene_loads(path, name, scene):
    found = load(path, scene=name)
    battle_map = found.battle_map
    (_, cols), (_, rows) = corner(scene)
    _, size, feet = grid(scene)
    assert (battle_map.cols, battle_map.rows, battle_map.feet_per_square) == (cols, rows, feet)
    assert battle_map.subdivisions % size == 0
    assert found.name == " ".join(name.split())
    assert scene_from_json(to_scene_json(found)) == replace(found, load_warnings=())


@each_scene
def test_each_wall_is_where_the_file_has_it(path, name, scene):
    walls = load(path, scene=name, weld=0).battle_map.walls
    _, size, _ = grid(scene)
    expected = kept(scene)
    assert len(walls) == len(expected)
    for wall, (ends, _) in zip(walls, expected, strict=True):
        assert max(abs(a * size - b) for a, b in zip((*wall.start, *wall.end), ends, strict=True)) <= 0.1251


@each_scene
def test_kinds_of_walls(path, name, scene):
    walls = load(path, scene=name, weld=0).battle_map.walls
    expected = Counter()
    held = {id(wall): wall for _, wall in kept(scene)}.values()
    for wall in held:
        move, sight, by_distance = restrictions(wall)
        if wall["door"]:
            expected["door" if wall["door"] == 1 else "secret door", ("closed", "open", "locked")[wall["ds"]]] += 1
        else:
            expected[
                {(2, 2): "wall", (2, 1): "terrain", (0, 1): "terrain", (2, 0): "window", (0, 2): "curtain"}[
                    move, sight
                ],
                None,
            ] += 1
        expected["curtain", None] += by_distance
        expected["one-way"] += (1 + by_distance) * bool(wall.get("dir"))
        height = wall.get("flags", {}).get("wall-height", {})
        expected["banded"] += any(height.get(end) is not None for end in ("top", "bottom"))
    found = Counter((wall.kind, wall.state) for wall in walls)
    found["one-way"] = sum(wall.blocks_from is not None for wall in walls)
    found["banded"] = sum((wall.bottom, wall.top) != (None, None) for wall in walls)
    assert +found == +expected


@each_scene
def test_tokens_and_lights(path, name, scene):
    found = load(path, scene=name)
    (x, cols), (y, rows) = corner(scene)
    _, size, _ = grid(scene)
    tokens = [
        one for one in scene.get("tokens", []) if x <= one["x"] < x + cols * size and y <= one["y"] < y + rows * size
    ]
    assert len(found.creatures) == len(tokens)
    for creature, one in zip(found.creatures, tokens, strict=True):
        assert abs(creature.at[0] - (one["x"] - x) / size) <= 0.5
        assert abs(creature.at[1] - (one["y"] - y) / size) <= 0.5
        assert (creature.hidden, creature.side) == (
            one["hidden"],
            {1: "party", 0: "neutral", -1: "monsters"}[one["disposition"]],
        )
        assert creature.id.startswith(one["name"])
    lights = [one for one in scene["lights"] if min(one.get("config", one)[key] or 0 for key in ("bright", "dim")) >= 0]
    assert len(found.lights) == len(lights)
    for light, one in zip(found.lights, lights, strict=True):
        config = one.get("config", one)
        assert light.at == pytest.approx(((one["x"] - x) / size, (one["y"] - y) / size))
        assert light.bright == pytest.approx(config["bright"] or 0)
        assert light.dim == pytest.approx(max(config["dim"] or 0, config["bright"] or 0))
        assert light.hidden is one.get("hidden", False)
        assert not (light.hidden and light.on)


@each_scene
def test_walls_lie_in_the_scene(path, name, scene):
    """The shift and the padding are read the right way: nearly all ends lie in the scene's rectangle."""
    size = grid(scene)[1]
    (_, cols), (_, rows) = corner(scene)
    ends = [point for (x0, y0, x1, y1), _ in kept(scene) for point in ((x0, y0), (x1, y1))]
    inside = [
        (x, y) for x, y in ends if -size / 2 <= x <= (cols + 0.5) * size and -size / 2 <= y <= (rows + 0.5) * size
    ]
    assert len(inside) >= 0.9 * len(ends)


@each_scene
def test_welding_again_does_nothing(path, name, scene):
    battle_map = load(path, scene=name).battle_map
    again, _ = weld_walls(battle_map.walls, subdivisions=battle_map.subdivisions)
    assert again == battle_map.walls
    assert len(battle_map.walls) >= len(kept(scene)) - 1


def test_damaged_tables_are_read_or_refused(tmp_path):
    """Noise in a table, which keeps its size: one clear error, or what is left."""
    source = next(path for path in FILES if "lucky-flight" in path.name)
    folder = tmp_path / "pack"
    folder.mkdir()
    for path in source.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    table, rng = folder / "000009.ldb", Random(3)
    whole, refused = table.read_bytes(), 0
    for _ in range(60):
        content = bytearray(whole)
        first = rng.choice([0, len(whole) - 3000, len(whole) - 60])
        for _ in range(rng.randrange(1, 30)):
            content[rng.randrange(first, len(content))] = rng.randrange(256)
        table.write_bytes(bytes(content))
        try:
            load(folder, scene="Lucky Flight Basement")
        except MapFileError as error:
            refused += 1
            assert str(error).startswith(str(folder))  # noqa: PT017
    assert refused
    table.write_bytes(whole[:-1])
    with pytest.raises(MapFileError, match=r"the table 000009.ldb has 41782 bytes and should have 41783"):
        load(folder)
