"""Damaged files of every format: a scene, or one error of one line that names the file; never anything else."""

from __future__ import annotations

import json

import pytest

from gridlos.errors import GridlosError, MapFileError
from gridlos.formats import Limits, load, scene_from_json, to_scene_json

UVTT = {
    "format": 0.3,
    "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 4, "y": 3}, "pixels_per_grid": 70},
    "line_of_sight": [[{"x": 1, "y": 0}, {"x": 1, "y": 2.5}, {"x": 3, "y": 2.5}]],
    "portals": [{"position": {"x": 2, "y": 0.5}, "bounds": [{"x": 2, "y": 0}, {"x": 2, "y": 1}], "closed": True}],
    "lights": [{"position": {"x": 3, "y": 1}, "range": 4, "intensity": 1}],
    "image": "aGVsbG8=",
}
FOUNDRY = {
    "name": "Cell",
    "grid": {"type": 1, "size": 100, "distance": 5, "units": "ft"},
    "width": 400,
    "height": 300,
    "padding": 0,
    "walls": [{"c": [100, 0, 100, 250], "move": 20, "sight": 20, "door": 1, "ds": 0, "dir": 0, "_id": "w"}],
    "tokens": [{"name": "Rat", "x": 200, "y": 100, "width": 1, "height": 1, "disposition": -1}],
    "lights": [{"x": 300, "y": 100, "config": {"bright": 10, "dim": 20}}],
}
WATABOU = {
    "version": "1.2.5",
    "title": "x",
    "story": "",
    "notes": [],
    "columns": [{"x": 2, "y": 2}],
    "water": [{"x": 2, "y": 1}],
    "rects": [{"x": 0, "y": 0, "w": 4, "h": 3}, {"x": 4, "y": 1, "w": 1, "h": 1}],
    "doors": [{"x": 4, "y": 1, "dir": {"x": 1, "y": 0}, "type": 1}],
}
BITS = {
    "nothing": 0,
    "block": 1,
    "room": 2,
    "corridor": 4,
    "perimeter": 16,
    "aperture": 32,
    "room_id": 65472,
    "arch": 65536,
    "door": 131072,
    "locked": 262144,
    "trapped": 524288,
    "secret": 1048576,
    "portcullis": 2097152,
    "stair_down": 4194304,
    "stair_up": 8388608,
    "label": 4278190080,
}
DONJON = {
    "cell_bit": BITS,
    "cells": [[0, 2, 131076, 2], [0, 2, 0, 2]],
    "rooms": [None],
    "settings": {"n_rows": 2, "n_cols": 4},
}
TMJ = {
    "type": "map",
    "orientation": "orthogonal",
    "width": 3,
    "height": 2,
    "tilewidth": 16,
    "tileheight": 16,
    "infinite": False,
    "tilesets": [
        {"firstgid": 1, "tiles": [{"id": 0, "objectgroup": {"objects": [{"x": 0, "y": 8, "width": 16, "height": 8}]}}]}
    ],
    "layers": [
        {"type": "tilelayer", "name": "walls", "width": 3, "height": 2, "data": [0, 2, 0, 1, 0, 0]},
        {"type": "tilelayer", "name": "a", "width": 3, "height": 2, "data": [1, 0, 0, 0, 0, 0]},
        {
            "type": "objectgroup",
            "name": "doors",
            "objects": [{"x": 16, "y": 0, "polyline": [{"x": 0, "y": 0}, {"x": 0, "y": 16}]}],
        },
    ],
}
TMX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<map orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16">\n'
    '<layer name="walls" width="3" height="2"><data encoding="csv">0,1,0,\n2,0,0</data></layer>\n<objectgroup name="doors">'
    '<object x="16" y="0"><polyline points="0,0 0,16"/></object></objectgroup>\n</map>'
)
SCENE = {
    "schema": "gridlos.scene/1",
    "squares": ["..#", "..."],
    "walls": [{"from": [1, 0], "to": [1, 1.5]}],
    "creatures": [{"id": "A", "at": [0, 0]}],
}
DRAWING = (
    "####\n#A.#\n#.T#\n####\n\nA archer party\nT troll monsters\nwall gate (2, 1)-(2, 2) door closed\nscene name=x\n"
)
SAMPLES = {
    "x.uvtt": json.dumps(UVTT),
    "uvtt.json": json.dumps(UVTT),
    "foundry.json": json.dumps(FOUNDRY),
    "x.db": json.dumps(FOUNDRY | {"_id": "a"}) + "\n",
    "watabou.json": json.dumps(WATABOU),
    "donjon.json": json.dumps(DONJON),
    "x.tmj": json.dumps(TMJ),
    "x.tmx": TMX,
    "x.map": "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n",
    "rogue.txt": "#######\n#..+.@#\n#.|...#\n#######\n",
    "x.txt": DRAWING,
    "x.scene.json": json.dumps(SCENE),
}
IS_JSON = [name for name, text in SAMPLES.items() if text.startswith("{") and name != "uvtt.json"]
each_format = pytest.mark.parametrize("name", SAMPLES)
each_json = pytest.mark.parametrize("name", IS_JSON)


def read(folder, name, content, **options):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load(path, **options)


def refused(folder, name, content, **options):
    """The problem; the error names the file, in one line."""
    with pytest.raises(MapFileError) as error:
        read(folder, name, content, **options)
    assert str(error.value).startswith(f"{folder / name}: ")
    assert "\n" not in str(error.value)
    return error.value.problem


def is_read_or_refused(folder, name, content):
    try:
        scene = read(folder, name, content)
    except GridlosError as error:
        found = error
    else:
        scene_from_json(to_scene_json(scene))
        return True
    assert str(found).startswith(f"{folder / name}: ")
    assert "\n" not in str(found)
    return False


@each_format
def test_the_sample_is_read(tmp_path, name):
    scene = read(tmp_path, name, SAMPLES[name])
    battle_map = scene.battle_map
    assert len(battle_map.walls) + int((battle_map.terrain != 0).sum()) > 0


@each_format
def test_every_beginning_of_a_file_is_read_or_refused(tmp_path, name):
    content = SAMPLES[name].encode()
    step = max(1, len(content) // 50)
    found = {is_read_or_refused(tmp_path, name, content[:n]) for n in range(0, len(content), step)}
    assert False in found


@each_format
def test_a_byte_order_mark_and_other_line_ends_change_nothing(tmp_path, name):
    text = SAMPLES[name].replace("}, ", "},\n") if name in IS_JSON and name != "x.db" else SAMPLES[name]
    plain = read(tmp_path, name, text)
    assert read(tmp_path, name, "\ufeff" + text) == plain
    assert read(tmp_path, name, text.replace("\n", "\r\n")) == plain


@each_format
def test_what_is_no_utf8_is_refused(tmp_path, name):
    content = SAMPLES[name].encode()
    half = len(content) // 2
    assert "byte 0xff is not UTF-8" in refused(tmp_path, name, content[:half] + b"\xff" + content[half:])
    assert "UTF-16" in refused(tmp_path, name, SAMPLES[name].encode("utf-16"))
    assert "binary data" in refused(tmp_path, name, b"\0" + content)


@each_format
@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04....",
        b"\x1f\x8b....",
        b"\x89PNG\r\n",
        b"version https://git-lfs.github.com/spec/v1\n",
        b"",
        b" \n",
        b"null",
        b"[]",
        b"0",
        b"{}",
        b'"x"',
        b"<a/>",
        b"<map/>",
    ],
)
def test_what_is_something_else(tmp_path, name, content):
    is_read_or_refused(tmp_path, name, content)


@each_json
@pytest.mark.parametrize(
    "bad",
    ["NaN", "Infinity", "-Infinity", "1e999", "-1e308", "1e30", '"x"', "null", "[]", "{}", "true", "-1", "9" * 5000],
)
def test_each_number_may_be_anything(tmp_path, name, bad):
    """Each number of the file in its turn, and the first letter of each word."""
    text = SAMPLES[name]
    places, at = [], 0
    while at < len(text):
        end = at
        while end < len(text) and (text[end].isdigit() or text[end] in "-."):
            end += 1
        if end > at and text[at - 1] in " [":
            places.append((at, end))
        at = max(end, at + 1)
    assert places
    for start, end in places[:: max(1, len(places) // 8)]:
        is_read_or_refused(tmp_path, name, text[:start] + bad + text[end:])


BAD = (None, True, -1, 1e300, "x", [], {}, [[]], [None], {"x": None}, [1] * 50, 0.5)


@each_json
def test_each_value_may_be_of_another_type(tmp_path, name):
    data = json.loads(SAMPLES[name])
    for number, path in enumerate(paths(data)):
        for bad in BAD[number % 3 :: 3]:
            assert is_read_or_refused(tmp_path, name, json.dumps(with_value(data, path, bad))) in (True, False)


def paths(data, above=()):
    keys = list(data) if isinstance(data, dict) else range(min(len(data), 2)) if isinstance(data, list) else ()
    for key in keys:
        if key not in BITS or key == "room":
            yield (*above, key)
            yield from paths(data[key], (*above, key))


def with_value(data, path, value):
    if not path:
        return value
    found = dict(data) if isinstance(data, dict) else list(data)
    found[path[0]] = with_value(found[path[0]], path[1:], value)
    return found


@each_json
@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900])
def test_deep_nesting_is_refused_or_means_nothing(tmp_path, name, deep):
    text = SAMPLES[name].strip()
    is_read_or_refused(tmp_path, name, deep)
    is_read_or_refused(tmp_path, name, text[:-1] + ', "zz": ' + deep + "}")


@each_json
def test_a_key_twice_where_it_matters(tmp_path, name):
    key = {
        "x": '"resolution": {"map_size": {"x": 9, "y": 9}}',
        "u": '"resolution": {"map_size": {"x": 9, "y": 9}}',
    }.get(name[0], "")
    key = {
        "foundry.json": '"grid": 50',
        "x.db": '"grid": 50',
        "watabou.json": '"rects": []',
        "donjon.json": '"cells": []',
        "x.tmj": '"layers": []',
        "x.scene.json": '"squares": ["."]',
    }.get(name, key)
    problem = refused(tmp_path, name, SAMPLES[name].strip()[:-1] + f", {key}}}")
    assert "stands twice in one object" in problem


@pytest.mark.parametrize(
    "name", ["x.uvtt", "foundry.json", "x.db", "x.tmj", "x.tmx", "x.scene.json", "x.txt", "watabou.json"]
)
def test_more_walls_than_may_be_are_refused(tmp_path, name):
    limits = Limits(walls=50, squares=3_000)
    line = [{"x": 1, "y": 0}, {"x": 1, "y": 1}, {"x": 2, "y": 1}]
    many = {
        "x.uvtt": lambda: json.dumps(UVTT | {"line_of_sight": [line] * 500}),
        "foundry.json": lambda: json.dumps(FOUNDRY | {"walls": FOUNDRY["walls"] * 500}),
        "x.db": lambda: json.dumps(FOUNDRY | {"_id": "a", "walls": FOUNDRY["walls"] * 500}),
        "x.tmj": lambda: json.dumps(
            TMJ | {"layers": [TMJ["layers"][2] | {"objects": TMJ["layers"][2]["objects"] * 500}]}
        ),
        "x.tmx": lambda: TMX.replace(
            "</objectgroup>", '<object x="0" y="0"><polyline points="0,0 0,16 8,8"/></object>' * 500 + "</objectgroup>"
        ),
        "x.scene.json": lambda: json.dumps(SCENE | {"walls": SCENE["walls"] * 500}),
        "x.txt": lambda: DRAWING + "wall (1, 1)-(2, 2)\n" * 500,
        "watabou.json": lambda: json.dumps(WATABOU | {"columns": WATABOU["columns"] * 500}),
    }
    problem = refused(tmp_path, name, many[name](), limits=limits)
    assert "the limit is" in problem or "more than" in problem


@pytest.mark.parametrize("name", ["x.tmx", "x.txt", "x.map", "foundry.json"])
def test_entities_are_refused(tmp_path, name):
    bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<map>&b;</map>'
    refused(tmp_path, name, bomb)
    refused(tmp_path, name, '<?xml version="1.0"?>\n<!DOCTYPE map SYSTEM "file:///etc/passwd">\n<map/>')
