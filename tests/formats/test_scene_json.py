import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scene_strategies import json_values, scenes

from gridlos.creature import Creature
from gridlos.errors import MapFileError, SceneError
from gridlos.formats import Limits, load_scene_json, scene_from_json, scene_schema, shipped_schema, to_scene_json
from gridlos.records import Light, Override
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

MAPS = sorted((Path(__file__).parents[2] / "maps").glob("*.scene.json"))
VALIDATOR = jsonschema.Draft202012Validator(scene_schema())
EXAMPLE = {
    "schema": "gridlos.scene/1",
    "name": "Gatehouse",
    "feet_per_square": 5,
    "squares": ["########", "#..w...#", "#......#", "########"],
    "legend": {"w": {"kind": "low wall", "top": 3}},
    "walls": [
        {"id": "gate", "from": [4, 1], "to": [4, 2], "kind": "door", "state": "closed"},
        {"from": [5.25, 1.5], "to": [6.75, 2.0], "kind": "wall", "top": 10},
    ],
    "light": "bright",
    "lights": [{"id": "torch", "at": [2.5, 1.5], "bright": 20, "dim": 40, "on": True}],
    "creatures": [
        {
            "id": "archer",
            "at": [1, 1],
            "size": "medium",
            "side": "party",
            "dexterity": 3,
            "weapon": "bow",
            "senses": {"darkvision": 60, "low_light": True},
            "conditions": ["kneeling"],
        },
        {"id": "ogre", "at": [5, 1], "size": "large", "side": "monsters", "reach": 10},
    ],
    "options": {"partial": "lines"},
    "overrides": [{"attacker": "archer", "target": "ogre", "degree": "cover", "note": "the gate swings"}],
}
SMALL = {"schema": "gridlos.scene/1", "squares": ["....", "...."]}


def load(data, **keys):
    return scene_from_json(json.dumps(data).encode(), file="x.scene.json", **keys)


def test_the_example_of_the_format():
    scene = load(EXAMPLE)
    VALIDATOR.validate(EXAMPLE)
    battle_map = scene.battle_map
    assert (scene.name, battle_map.feet_per_square, battle_map.rows, battle_map.cols, battle_map.subdivisions) == (
        "Gatehouse",
        5,
        4,
        8,
        4,
    )
    assert battle_map.to_rows() == EXAMPLE["squares"]
    assert battle_map.kind_of(3, 1) == SquareKind(kind="low wall", top=3)
    assert battle_map.segments.tolist() == [[16, 4, 16, 8], [21, 6, 27, 8]]
    assert battle_map.walls[0] == Wall(start=(4, 1), end=(4, 2), kind="door", id="gate", state="closed")
    assert battle_map.west_edges[1].tolist() == [0, 0, 0, 0, 3, 0, 0, 0, 0]
    assert scene.lights == (Light(id="torch", at=(2.5, 1.5), bright=20, dim=40),)
    assert scene.ids == ("archer", "ogre")
    assert scene.creature("archer").senses.darkvision == 60
    assert scene.creature("ogre") == Creature(id="ogre", at=(5, 1), size="large", side="monsters", reach=10)
    assert dict(scene.options) == {"partial": "lines"}
    assert scene.overrides == (Override(attacker="archer", target="ogre", degree="cover", note="the gate swings"),)
    assert scene.warnings == ()


def test_byte_order_mark_and_whole_numbers_with_a_point():
    creature = '{"id": "a", "at": [1.0, 0], "dexterity": 3.0}'
    text = f'\ufeff{{"schema": "gridlos.scene/1", "squares": [".."], "subdivisions": 2.0, "creatures": [{creature}]}}'
    scene = scene_from_json(text.encode())
    assert scene.battle_map.subdivisions == 2
    assert scene.creature("a").dexterity == 3
    assert isinstance(scene.creature("a").dexterity, int)


def test_extra_is_carried_through():
    extra = {"from": "somewhere", "n": [1, 2.5, None, {"deep": True}]}
    data = {
        **SMALL,
        "extra": extra,
        "walls": [{"from": [0, 0], "to": [1, 0], "extra": extra}],
        "lights": [{"at": [0, 0], "extra": extra}],
        "creatures": [{"id": "a", "at": [0, 0], "extra": extra}],
    }
    assert json.loads(to_scene_json(load(data))) == data


def test_layout():
    scene = Scene.from_drawing("A.#\n..T\n\nA archer party\nwall (1, 0)-(1.5, 1)")
    assert to_scene_json(scene).decode() == (
        '{\n  "schema": "gridlos.scene/1",\n  "squares": [\n    "..#",\n    "..."\n  ],\n'
        '  "walls": [{"from": [1, 0], "to": [1.5, 1]}],\n'
        '  "creatures": [\n    {"id": "archer", "at": [0, 0], "side": "party"},\n'
        '    {"id": "T", "at": [2, 1]}\n  ]\n}\n'
    )


def test_a_lattice_that_does_not_follow_is_written():
    wall = {"from": [0, 0], "to": [1 / 3, 1]}
    scene = load({**SMALL, "walls": [wall], "subdivisions": 123})
    assert scene.battle_map.segments.tolist() == [[0, 0, 41, 123]]
    assert scene.warnings == ()
    again = scene_from_json(to_scene_json(scene))
    assert again == scene
    assert again.battle_map.subdivisions == 123
    assert b"subdivisions" not in to_scene_json(load({**SMALL, "walls": [{"from": [0, 0], "to": [0.25, 1]}]}))


def test_rounding_to_the_lattice_is_told():
    scene = load({**SMALL, "walls": [{"from": [0, 0], "to": [1.333333, 1]}]})
    assert scene.battle_map.subdivisions == 5040
    assert scene.warnings == (
        "1 of 4 wall coordinates rounded to 5040 lattice units in a square, largest shift 3.33e-07 squares",
    )
    assert scene_from_json(to_scene_json(scene)).warnings == ()


@settings(max_examples=150, deadline=None)
@given(scenes())
def test_round_trip(scene):
    content = to_scene_json(scene)
    again = scene_from_json(content)
    assert again == scene
    assert to_scene_json(again) == content
    VALIDATOR.validate(json.loads(content))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.name)
def test_maps_follow_the_schema(path):
    VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))
    scene = load_scene_json(path)
    assert scene_from_json(to_scene_json(scene)) == scene
    assert Scene.from_drawing(scene.to_drawing()) == scene


def test_there_are_maps():
    assert MAPS


def test_the_shipped_schema_is_the_generated_one():
    assert json.loads(shipped_schema()) == json.loads(json.dumps(scene_schema()))
    jsonschema.Draft202012Validator.check_schema(scene_schema())


def test_the_schema_describes_every_key():
    for record in scene_schema()["$defs"].values():
        for key, about in record["properties"].items():
            assert about.get("description"), (record["title"], key)
            assert "``" not in about["description"]


CREATURE = {"id": "a", "at": [1, 1]}
WALL = {"from": [0, 0], "to": [1, 0]}
REFUSED = [
    ({"sqares": []}, "$", "unknown key \"sqares\"; did you mean 'squares'?"),
    ({"schema": "gridlos.scene/2"}, "$.schema", "did you mean 'gridlos.scene/1'"),
    ({"walls": [WALL, {**WALL, "knd": "door"}]}, "$.walls[1]", "did you mean 'kind'"),
    ({"walls": [{**WALL, "kind": "dor"}]}, "$.walls[0].kind", "did you mean 'door'"),
    ({"walls": [{"from": [0, 0]}]}, "$.walls[0]", 'the key "to" is missing'),
    ({"walls": [{"from": ["0", 0], "to": [1, 1]}]}, "$.walls[0].from[0]", "expected a number, got a text"),
    ({"walls": [{"from": [0, 0, 0], "to": [1, 1]}]}, "$.walls[0].from", "expected a list of length 2, got 3"),
    ({"walls": {}}, "$.walls", "expected a list, got an object"),
    ({"walls": None}, "$.walls", "expected a list, got null"),
    ({"walls": [{**WALL, "sight": "limitd"}]}, "$.walls[0].sight", "did you mean 'limited'"),
    ({"walls": [{**WALL, "state": "open"}]}, "$.walls[0]", "only doors have a state"),
    (
        {"walls": [{**WALL, "threshold": {"kind": "near", "feet": 3}}]},
        "$.walls[0].threshold.kind",
        "known are distance, proximity",
    ),
    ({"walls": [{**WALL, "threshold": {"kind": "distance", "fet": 3}}]}, "$.walls[0].threshold", "did you mean 'feet'"),
    ({"walls": [{**WALL, "cover": "5/4"}]}, "$.walls[0]", "more than the whole"),
    ({"walls": [{"from": [0, 0], "to": [9e9, 0]}]}, "$.walls[0].to", "too large"),
    ({"walls": [{"from": [0, 0], "to": [1e300, 0]}]}, "$.walls[0].to", "too large"),
    ({"walls": [{**WALL, "id": "x"}, {**WALL, "id": "x"}]}, "$.walls[0].id", "2 walls have the id 'x'"),
    ({"legend": {"x": {"knd": "wall"}}}, '$.legend["x"]', "did you mean 'kind'"),
    ({"legend": {"x": {}, "y": {"kind": "wal"}}}, '$.legend["y"].kind', "did you mean 'wall'"),
    ({"legend": {"x": 3}}, '$.legend["x"]', "expected an object"),
    ({"legend": {"xx": {}}}, '$.legend["xx"]', "one printable letter"),
    ({"legend": {"x": {"effect": "limited"}}}, '$.legend["x"].effect', "expected true or false, got a text"),
    ({"creatures": [{"at": [1, 1]}]}, "$.creatures[0]", 'the key "id" is missing'),
    ({"creatures": [3]}, "$.creatures[0]", "expected an object, got a whole number"),
    ({"creatures": [{**CREATURE, "size": "lage"}]}, "$.creatures[0].size", "did you mean 'large'"),
    ({"creatures": [{**CREATURE, "at": [1.5, 1]}]}, "$.creatures[0]", "stands on whole squares"),
    ({"creatures": [{**CREATURE, "dexterity": 2.5}]}, "$.creatures[0].dexterity", "expected a whole number"),
    ({"creatures": [{**CREATURE, "senses": {"darkvison": 60}}]}, "$.creatures[0].senses", "did you mean 'darkvision'"),
    ({"creatures": [{**CREATURE, "light": {"brigt": 60}}]}, "$.creatures[0].light", "did you mean 'bright'"),
    (
        {"creatures": [{**CREATURE, "gives_cover": "no"}]},
        "$.creatures[0].gives_cover",
        "true or false or a list, got a text",
    ),
    ({"creatures": [CREATURE, CREATURE]}, "$.creatures[0].id", "2 creatures have the id 'a'"),
    ({"creatures": [{**CREATURE, "at": [4, 0]}]}, "$.creatures[0].at", "off the map"),
    ({"creatures": [CREATURE], "squares": ["....", ".#.."]}, "$.creatures[0].at", "stands on the solid square (1, 1)"),
    ({"creatures": [{**CREATURE, "mount": "b"}]}, "$.creatures[0].mount", "rides 'b'"),
    ({"overrides": [{"target": "b"}]}, "$.overrides[0].target", "no creature has the id 'b'"),
    ({"overrides": [{"atacker": "b"}]}, "$.overrides[0]", "did you mean 'attacker'"),
    ({"lights": [{"at": [0, 0], "dim": -1}]}, "$.lights[0].dim", "expected a number >= 0"),
    ({"light": "drk"}, "$.light", "did you mean 'dark'"),
    ({"options": []}, "$.options", "expected an object, got a list"),
    ({"squares": []}, "$.squares", "without squares"),
    ({"squares": [""]}, "$.squares", "without squares"),
    ({"squares": "..."}, "$.squares", "expected a list, got a text"),
    ({"squares": ["..", 3]}, "$.squares[1]", "expected a text, got a whole number"),
    ({"squares": ["..", "."]}, "$.squares[1]", "1 letters, the first row has 2"),
    ({"squares": ["..", ".?"]}, "$.squares[1]", "unknown letter '?' in square (1, 1); add it to the legend"),
    ({"subdivisions": 0}, "$.subdivisions", "whole number >= 1"),
    ({"subdivisions": 2.5}, "$.subdivisions", "expected a whole number, got a number"),
    ({"subdivisions": "4"}, "$.subdivisions", "expected a whole number, got a text"),
    ({"subdivisions": 2**30}, "$.squares", "too large"),
    ({"feet_per_square": 0}, "$.feet_per_square", "expected a number > 0"),
    ({"feet_per_square": True}, "$.feet_per_square", "expected a number, got true or false"),
]


@pytest.mark.parametrize(("keys", "place", "words"), REFUSED, ids=[f"{place}-{words}" for _, place, words in REFUSED])
def test_refused(keys, place, words):
    with pytest.raises(MapFileError) as caught:
        load({**SMALL, **keys})
    assert (caught.value.file, caught.value.place) == ("x.scene.json", place)
    assert words in caught.value.problem
    assert "\n" not in str(caught.value)


BROKEN = [
    (b"", "", "the file is empty"),
    (b" \n ", "", "the file is empty"),
    (b"{", "line 1, column 2", "ends too early"),
    (b'{"schema": "gridlos.scene/1",\n "squares": [".."', "line 2, column 18", "ends too early"),
    (b'{"squares":\n  [".." ".."]}', "line 2, column 9", "broken JSON: expecting ',' delimiter"),
    (b"{'a': 1}", "line 1, column 2", "double quotes"),
    (b"{} {}", "line 1, column 4", "extra data"),
    (b"[1]", "$", "expected an object, got a list"),
    (b"3", "$", "expected an object, got a whole number"),
    (b"null", "$", "expected an object, got null"),
    (b"{}", "$", 'the key "schema" is missing; add "schema": "gridlos.scene/1"'),
    (b'{\n"extra": NaN}', "line 2", "NaN is no JSON number"),
    (b'{"a": "NaN", "extra": [-Infinity]}', "line 1", "-Infinity is no JSON number"),
    (b'{"extra": [-Infinity, Infinity]}', "line 1", "-Infinity is no JSON number"),
    (b'{"feet_per_square":\n\n1e400}', "line 3", "the number 1e400 is too large"),
    (b'{"extra": ' + b"9" * 5000 + b"}", "line 1", "is too large"),
    (b'{"name": "a",\n "extra": {"name": 3},\n "name": "b"}', "", 'the key "name" stands twice'),
    (b'{"name": "a",\n "name": "b"}', "line 2", 'the key "name" stands twice'),
    (b'{"name": "\\ud800"}', "", "half of a surrogate pair"),
    (b'{"name":\n "\xff"}', "line 2, byte 3", "byte 0xff is not UTF-8"),
    ('{"name": "a"}'.encode("utf-16"), "", "UTF-16"),
    (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "", "nested too deep"),
    (b'{"a": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, "", "nested too deep"),
    (b"\0\0\0", "", "binary"),
]


@pytest.mark.parametrize(("content", "place", "words"), BROKEN, ids=range(len(BROKEN)))
def test_broken(content, place, words):
    with pytest.raises(MapFileError) as caught:
        scene_from_json(content, file="x.scene.json")
    assert (caught.value.file, caught.value.place) == ("x.scene.json", place)
    assert words in caught.value.problem
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_a_whole_surrogate_pair_is_fine():
    assert (
        scene_from_json(b'{"schema": "gridlos.scene/1", "squares": ["."], "name": "\\ud83d\\ude00"}').name
        == "\N{GRINNING FACE}"
    )


def test_what_no_file_can_hold_is_refused_in_writing():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for extra, words in (
        (float("nan"), "nan"),
        ({1: 2}, "cannot stand"),
        ({"a": object()}, "cannot stand"),
        (deep, "nested too deep"),
    ):
        with pytest.raises(SceneError, match=words):
            to_scene_json(Scene(load(SMALL).battle_map, extra=extra))


@pytest.mark.parametrize(
    ("limits", "words"), [({"squares": 7}, "8 squares"), ({"walls": 1}, "2 walls"), ({"creatures": 1}, "2 creatures")]
)
def test_limits(limits, words):
    data = {**SMALL, "walls": [WALL, WALL], "creatures": [CREATURE, {**CREATURE, "id": "b"}]}
    with pytest.raises(MapFileError, match=words) as caught:
        load(data, limits=Limits(**limits))
    assert f"Limits({next(iter(limits))}=" in str(caught.value)
    assert load(data, limits=Limits(squares=8, walls=2, creatures=2)).ids == ("a", "b")


def paths(value, at=()):
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_value_anywhere_is_a_scene_or_one_error(data):
    example = json.loads(json.dumps(EXAMPLE))
    place = data.draw(st.sampled_from(list(paths(example))))
    value = data.draw(st.one_of(json_values, st.sampled_from([-1, 0, 1e308, 2**70, "", [], {}, [1, 2], "wall", "1/4"])))
    if not place:
        example = value
    else:
        inner = example
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
    try:
        scene = load(example)
    except MapFileError:
        return
    assert scene_from_json(to_scene_json(scene)) == scene
    VALIDATOR.validate(example)  # what loads follows the schema


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.binary(max_size=3), st.integers(0, 5))
def test_any_bytes_are_a_scene_or_one_error(where, what, gone):
    content = json.dumps(EXAMPLE).encode()
    where %= len(content)
    try:
        scene = scene_from_json(content[:where] + what + content[where + gone :], file="x")
    except MapFileError:
        return
    assert scene_from_json(to_scene_json(scene)) == scene
