"""Creatures in a file of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridlos.errors import MapFileError
from gridlos.formats import Limits, load, load_creatures, with_creatures
from gridlos.records import Override
from gridlos.scene import Scene

MAPS = Path(__file__).parents[2] / "maps"
MAP = Scene.from_drawing("A..#\n....", options={"partial": "lines"})


def written(tmp_path, data):
    path = tmp_path / "x.creatures.json"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def test_creatures_options_and_overrides(tmp_path):
    path = written(tmp_path, {
        "schema": "gridlos.scene/1",
        "creatures": [{"id": "a", "at": [1, 0], "side": "party"}, {"id": "b", "at": [2.0, 1]}],
        "options": {"higher_ground_ft": 5},
        "overrides": [{"attacker": "a", "target": "b", "degree": "cover"}],
    })  # fmt: skip
    assert [creature.id for creature in load_creatures(path)] == ["a", "b"]
    scene = with_creatures(MAP, path)
    assert scene.creatures == load_creatures(path)
    assert scene.spaces.tolist() == [[1, 0, 1, 1], [2, 1, 1, 1]]
    assert scene.overrides == (Override(attacker="a", target="b", degree="cover"),)
    assert dict(scene.options) == {"partial": "lines", "higher_ground_ft": 5}
    assert scene.battle_map == MAP.battle_map


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, 'the key "creatures" is missing'),
        ([], "$: expected an object, got a list"),
        ({"creatures": {}}, "$.creatures: expected a list"),
        ({"creatures": [], "squares": ["."]}, 'unknown key "squares"'),
        ({"creatures": [], "option": {}}, "unknown key \"option\"; did you mean 'options'?"),
        ({"creatures": [{"id": "a", "at": [0, 0], "sidee": "x"}]}, "$.creatures[0]: unknown key \"sidee\"; did you mean 'side'?"),
        ({"creatures": [{"id": "a", "at": [0, 0], "size": "lage"}]}, "did you mean 'large'?"),
        ({"creatures": [], "schema": "gridlos.scene/2"}, "$.schema"),
        (b'{"creatures": [', "broken JSON"),
        (b'{"creatures": [{"id": "a", "at": [NaN, 0]}]}', "NaN is no JSON number"),
        (b"\x89PNG", "PNG picture"),
    ],
)
def test_refused_with_one_line(tmp_path, data, words):
    path = written(tmp_path, data)
    for read in (load_creatures, lambda path: with_creatures(MAP, path)):
        with pytest.raises(MapFileError) as caught:
            read(path)
        assert words in str(caught.value)
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ({"creatures": [{"id": "a", "at": [4, 0]}]}, "$.creatures[0].at", "is off the map"),
        ({"creatures": [{"id": "a", "at": [3, 0]}]}, "$.creatures[0].at", "stands on the solid square (3, 0)"),
        ({"creatures": [{"id": "a", "at": [0, 0]}, {"id": "a", "at": [1, 0]}]}, "$.creatures[0].id", "2 creatures have the id 'a'"),
        ({"creatures": [], "overrides": [{"target": "A"}]}, "$.overrides[0].target", "no creature has the id 'A'"),
    ],
)
def test_what_the_map_forbids_is_told_with_the_file_of_creatures(tmp_path, data, place, words):
    path = written(tmp_path, data)
    load_creatures(path)
    with pytest.raises(MapFileError) as caught:
        with_creatures(MAP, path)
    assert (caught.value.file, caught.value.place) == (str(path), place)
    assert words in caught.value.problem


def test_limits(tmp_path):
    path = written(tmp_path, {"creatures": [{"id": str(k), "at": [k, 1]} for k in range(3)]})
    assert len(load_creatures(path, limits=Limits(creatures=3))) == 3
    with pytest.raises(MapFileError, match=r"3 creatures, and the limit is 2; Limits\(creatures=3\) allows it"):
        with_creatures(MAP, path, limits=Limits(creatures=2))


def test_the_creatures_of_the_mill():
    scene = with_creatures(load(MAPS / "mill.dd2vtt"), MAPS / "mill.creatures.json")
    assert len(scene.creatures) == 9
    assert scene.creature("ogre").occupied == (12, 4, 2, 2)
    assert scene.overrides[0].note == "behind the hopper"
