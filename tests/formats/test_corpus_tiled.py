"""Real maps of Tiled: each loads or is refused, with the counts of a few lines of plain XML and JSON."""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from gridlos.errors import MapFileError
from gridlos.formats import load, scene_from_json, to_scene_json

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(Path(CORPUS, "tiled").iterdir()) if CORPUS else []
MAPS = [file for file in FILES if "isometric" not in file.name]

pytestmark = pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")


def held(file):
    """Size, layers of tiles (name, numbers), collision boxes, number of other objects, numbers of tiles that collide."""
    if file.suffix != ".tmx":
        data = json.loads(file.read_text(encoding="utf-8"))
        flat = [one for part in data["layers"] for one in (part.get("layers") or [part])]
        layers = [(one["name"], tiles(one["data"], one.get("encoding"))) for one in flat if one["type"] == "tilelayer"]
        objects = [one for part in flat for one in part.get("objects", ())]
        solid = {
            part["firstgid"] + tile["id"] for part in data["tilesets"] for tile in part.get("tiles", ())
            if any(one["name"] == "collides" and one["value"] is True for one in tile.get("properties", ()))
        }  # fmt: skip
        return (data["width"], data["height"]), layers, [one.get("type") for one in objects], solid
    root = ET.parse(file).getroot()
    layers = [(one.get("name"), tiles(one.find("data").text, one.find("data").get("encoding"))) for one in root.iter("layer")]
    solid = {
        int(part.get("firstgid")) + int(tile.get("id")) for part in root.iter("tileset") for tile in part.iter("tile")
        if any(one.get("name") == "collides" and one.get("value") == "true" for one in tile.iter("property"))
    }  # fmt: skip
    kinds = [one.get("type") for part in root.iter("objectgroup") for one in part.iter("object") if not one.get("template")]
    return (int(root.get("width")), int(root.get("height"))), layers, kinds, solid


def tiles(data, encoding):
    if encoding == "base64":
        return np.frombuffer(zlib.decompress(base64.b64decode(data), 47), dtype="<u4") & 0x0FFFFFFF
    return np.array(data if isinstance(data, list) else data.split(","), dtype=np.int64) & 0x0FFFFFFF


@pytest.mark.parametrize("file", MAPS, ids=lambda path: path.name)
def test_each_map_has_the_counts_of_its_file(file):
    (cols, rows), layers, objects, solid = held(file)
    scene = load(file, weld=0)
    battle_map = scene.battle_map
    assert (battle_map.cols, battle_map.rows) == (cols, rows)
    is_solid = np.zeros(cols * rows, dtype=bool)
    is_door = np.zeros(cols * rows, dtype=bool)
    for name, numbers in layers:
        is_solid |= np.isin(numbers, list(solid))
        if name.casefold() in ("wall", "walls"):
            is_solid |= numbers != 0
        if name == "Door":
            is_door |= numbers != 0
    assert ((battle_map.terrain == 3).ravel() == (is_solid & ~is_door)).all()
    kinds = Counter(wall.kind for wall in battle_map.walls)
    assert kinds == Counter({"door": int(is_door.sum()), "wall": 4 * objects.count("collision")})
    assert scene.creatures == scene.lights == ()
    n_left = len(objects) - objects.count("collision")
    told = [one for one in scene.load_warnings if one.startswith("objects that are no walls")]
    assert [one.partition(":")[0] for one in told] == ([f"objects that are no walls, left out ({n_left})"] if n_left else [])
    assert scene_from_json(to_scene_json(scene)) == scene


@pytest.mark.parametrize("file", MAPS, ids=lambda path: path.name)
def test_each_map_is_exact_after_loading(file):
    scene = load(file)
    assert scene.battle_map.repairs == ()
    again = scene_from_json(to_scene_json(scene))
    assert (again, again.battle_map.repairs) == (scene, ())


def test_what_has_no_square_grid_is_refused():
    assert (len(FILES), len(MAPS)) == (16, 15)
    with pytest.raises(MapFileError, match="line 2: a map that is isometric; gridlos reads orthogonal ones"):
        load(next(file for file in FILES if file not in MAPS))
