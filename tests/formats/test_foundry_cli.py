"""Scenes of Foundry VTT on the command line."""

from __future__ import annotations

import json

import pytest
from formats.foundry_files import read, token, v8, v12, wall

from gridlos.errors import MapFileError
from gridlos.formats import file_stems, foundry_pack, load, scene_names, scenes_at
from gridlos.formats.foundry_file import document_from

TOMB = v8(
    _id="tomb",
    name="The Tomb",
    walls=[wall(400, 0, 400, 600, sight="none", light="none")],
    tokens=[token(0, 0, name="Ghoul"), token(600, 0, name="Cleric", disposition=1)],
)
CAVE = v12(_id="cave", name="Caves/../x", walls=[wall(300, 0, 300, 600)])
HEXES = v12(_id="hexes", name="Hexes", grid={"type": 2, "size": 100, "distance": 5, "units": "ft"})


@pytest.fixture
def pack(tmp_path):
    path = tmp_path / "maps.db"
    path.write_text("".join(json.dumps(one) + "\n" for one in (TOMB, CAVE, HEXES)), encoding="utf-8")
    return path


def test_a_pack_with_several_scenes_wants_a_name(run, pack):
    code, out, err = run("evaluate", pack, "--edition", "pathfinder1")
    assert (code, out) == (1, "")
    assert err == [
        f"gridlos: {pack}: 3 scenes are in it; name one with scene=... (--scene NAME): 'The Tomb', 'Caves/../x', 'Hexes'"
    ]
    code, out, _ = run("evaluate", pack, "--scene", "The Tomb", "--edition", "pathfinder1", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert (found["attackers"], found["line_of_effect"][0][1], found["line_of_sight"][0][1]) == (
        ["Ghoul", "Cleric"],
        False,
        True,
    )


def test_the_channel_of_effect(run, pack):
    words = ["evaluate", pack, "--scene", "tomb", "--edition", "pathfinder1", "--format", "json", "--effect-channel"]
    for channel, expected in (("move", False), ("both", True), ("sight", True)):
        code, out, _ = run(*words, channel)
        assert (code, json.loads(out)["line_of_effect"][0][1]) == (0, expected)


def test_the_feet_of_a_square(run, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps({**TOMB, "gridUnits": "Schritt"}), encoding="utf-8")
    code, _, err = run("convert", path, tmp_path / "x.scene.json")
    assert (code, len(err)) == (1, 1)
    code, _, _ = run("convert", path, tmp_path / "x.scene.json", "--feet-per-square", "10")
    assert (code, load(tmp_path / "x.scene.json").battle_map.feet_per_square) == (0, 10)


def test_one_scene_is_converted(run, pack, tmp_path):
    result = tmp_path / "tomb.scene.json"
    assert run("convert", pack, result, "--scene", "The Tomb") == (0, "", [])
    assert load(result) == read(TOMB)


def test_all_scenes_are_converted_into_a_folder(run, pack, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    code, out, err = run("convert", pack, folder)
    assert (code, out) == (0, "")
    assert err == [
        f"gridlos: warning: left out: {pack}: $.grid.type: the scene has hexagons; gridlos reads scenes of squares (type 1)"
    ]
    assert sorted(path.name for path in folder.iterdir()) == ["Caves_.._x.scene.json", "The Tomb.scene.json"]
    assert load(folder / "The Tomb.scene.json") == read(TOMB)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["maps.db", "out"]


def test_a_pack_is_parsed_once_for_all_its_scenes(run, pack, tmp_path, monkeypatch):
    parsed = []
    monkeypatch.setattr(foundry_pack, "document_from", lambda *given: parsed.append(1) or document_from(*given))
    (tmp_path / "out").mkdir()
    assert run("convert", pack, tmp_path / "out")[0] == 0
    assert len(parsed) == 3
    assert [name for name, _ in scenes_at(pack)] == ["The Tomb", "Caves/../x", "Hexes"]
    assert len(parsed) == 6
    names = ("defense", "dnd35", "pathfinder1")
    assert run("compare", pack, "--scene", "tomb", "--editions", ",".join(names))[0] == 0
    assert len(parsed) == 9


def test_a_file_of_one_scene_is_read_by_the_same_call(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("A.T", encoding="utf-8")
    ((name, read_one),) = scenes_at(path)
    assert (name, read_one()) == (None, load(path))
    with pytest.raises(MapFileError, match="windows: for Universal VTT maps only"):
        scenes_at(path, windows="open")[0][1]()
    path = tmp_path / "x.uvtt"
    path.write_text(
        '{"resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 2, "y": 2}}, "line_of_sight": []}',
        encoding="utf-8",
    )
    ((name, read_one),) = scenes_at(path)
    assert (name, read_one()) == (None, load(path))


def test_nothing_that_can_be_read_is_an_error(run, tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(HEXES), encoding="utf-8")
    (tmp_path / "out").mkdir()
    code, _, err = run("convert", tmp_path / "x.json", tmp_path / "out")
    assert (code, len(err)) == (1, 1)
    (tmp_path / "x.txt").write_text("A.T", encoding="utf-8")
    assert run("convert", tmp_path / "x.txt", tmp_path / "out") == (0, "", [])
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["x.scene.json"]
    assert scene_names(tmp_path / "x.txt") == ()


@pytest.mark.parametrize("name", ["..", "/", "a\0b", "a\nb", "C:\\x", "x" * 500, "", "~", "nul", ".hidden", "été"])
def test_names_of_files_stay_in_their_folder(tmp_path, name):
    (stem,) = file_stems([name])
    path = tmp_path / f"{stem}.scene.json"
    path.write_text("x", encoding="utf-8")
    assert path.resolve().parent == tmp_path.resolve()
    assert len(file_stems([name] * 3)) == len({one.casefold() for one in file_stems([name] * 3)}) == 3
