"""Maps of Tiled: encodings, chunks, flags, tilesets, layers, properties, objects, bad input."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import struct
import sys
import types
import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos.cli import main
from gridlos.errors import MapFileError, QuestionError
from gridlos.formats import Limits, load, scene_from_json, scene_from_tiled, scene_from_tmx, to_scene_json

HAS_ZSTD = importlib.util.find_spec("compression") is not None


def layer(name, data, width=None, **more):
    """A layer of tiles: rows of numbers, or a list with its width."""
    rows = data if width is None else [data[at : at + width] for at in range(0, len(data), width)]
    flat = [number for row in rows for number in row]
    return {"type": "tilelayer", "name": name, "width": len(rows[0]), "height": len(rows), "data": flat, **more}


def group(name, *objects, **more):
    return {"type": "objectgroup", "name": name, "objects": list(objects), **more}


def tiled(*layers, size=(3, 2), tile=(16, 16), **more):
    return {
        "type": "map", "orientation": "orthogonal", "width": size[0], "height": size[1], "tilewidth": tile[0],
        "tileheight": tile[1], "infinite": False, "layers": list(layers), "tilesets": [], **more,
    }  # fmt: skip


def tmx(body, attributes='width="3" height="2" tilewidth="16" tileheight="16"'):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" orientation="orthogonal" {attributes}>\n{body}\n</map>'


def rows(data, **options):
    return scene_from_tiled(data, **options).battle_map.to_rows()


def walls(scene):
    return [(*wall.start, *wall.end, wall.kind) for wall in scene.battle_map.walls]


def properties(**values):
    return [{"name": name, "type": type(value).__name__, "value": value} for name, value in values.items()]


GIDS = [0, 1, 0, 2, 0, 0]
DRAWN = [".#.", "#.."]
RAW = struct.pack("<6I", *GIDS)
ENCODED = {
    "zlib": base64.b64encode(zlib.compress(RAW)).decode(),
    "gzip": base64.b64encode(gzip.compress(RAW)).decode(),
    "": base64.b64encode(RAW).decode(),
}


# ---------------------------------------------------------------------------------------------- encodings of tiles


@pytest.mark.parametrize("compression", ENCODED)
def test_base64(compression):
    data = layer("walls", GIDS, 3) | {"data": ENCODED[compression], "encoding": "base64", "compression": compression}
    assert rows(tiled(data)) == DRAWN
    said = f' compression="{compression}"' if compression else ""
    text = f'<layer name="walls" width="3" height="2"><data encoding="base64"{said}>\n  {ENCODED[compression]}\n</data></layer>'
    assert scene_from_tmx(tmx(text)).battle_map.to_rows() == DRAWN


@pytest.mark.parametrize("text", ["0,1,0,\n2,0,0\n", "0,1,0,2,0,0,", "\n0, 1, 0,\r\n2,0,0,\n"])
def test_csv(text):
    xml = f'<layer name="walls" width="3" height="2"><data encoding="csv">{text}</data></layer>'
    assert scene_from_tmx(tmx(xml)).battle_map.to_rows() == DRAWN
    assert rows(tiled(layer("walls", GIDS, 3) | {"data": text, "encoding": "csv"})) == DRAWN


def test_tiles_as_elements():
    tiles = "".join(f'<tile gid="{gid}"/>' if gid else "<tile/>" for gid in GIDS)
    assert scene_from_tmx(tmx(f'<layer name="walls" width="3" height="2"><data>{tiles}</data></layer>')).battle_map.to_rows() == DRAWN


@pytest.mark.skipif(HAS_ZSTD, reason="this Python reads zstd")
def test_zstd_is_refused_with_what_helps():
    data = layer("walls", GIDS, 3) | {"data": ENCODED["zlib"], "encoding": "base64", "compression": "zstd"}
    with pytest.raises(MapFileError, match=r"\(layer \"walls\"\): compressed by zstd, which Python reads from version 3\.14 on"):
        scene_from_tiled(tiled(data))


def test_zstd_where_python_has_it():
    zstd = pytest.importorskip("compression.zstd")
    data = layer("walls", GIDS, 3) | {"encoding": "base64", "compression": "zstd"}
    assert rows(tiled(data | {"data": base64.b64encode(zstd.compress(RAW)).decode()})) == DRAWN


def test_zstd_unpacks_no_further_than_the_squares(monkeypatch):
    """A stand-in for the standard library's module of Python 3.14, which unpacks what zlib packed."""

    class Decompressor:
        def decompress(self, data, max_length):
            try:
                return zlib.decompressobj().decompress(data, max_length)
            except zlib.error as error:
                raise ValueError from error

    module = types.SimpleNamespace(ZstdDecompressor=Decompressor, ZstdError=ValueError)
    monkeypatch.setitem(sys.modules, "compression", types.SimpleNamespace(zstd=module, __path__=[]))
    monkeypatch.setitem(sys.modules, "compression.zstd", module)
    data = layer("walls", GIDS, 3) | {"encoding": "base64", "compression": "zstd"}
    assert rows(tiled(data | {"data": ENCODED["zlib"]})) == DRAWN
    bomb = base64.b64encode(zlib.compress(bytes(1_000_000))).decode()
    for text, said in ((bomb, "the data has more bytes than"), ("AAAA", "the data cannot be unpacked")):
        with pytest.raises(MapFileError, match=said):
            scene_from_tiled(tiled(data | {"data": text}))


@pytest.mark.parametrize("flags", [0x80000000, 0x40000000, 0x20000000, 0x10000000, 0xF0000000])
def test_flipped_tiles_are_the_same_tiles(flags):
    tilesets = [{"firstgid": 1, "tiles": [{"id": 1, "properties": properties(collides=True)}]}]
    assert rows(tiled(layer("ground", [flags | 1, flags | 2, 2], 3), size=(3, 1), tilesets=tilesets)) == [".##"]
    assert rows(tiled(layer("walls", [flags | 1, 0, 2], 3), size=(3, 1))) == ["#.#"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"data": [1, 2]}, "2 tiles, and 3 by 2 squares have 6"),
        ({"data": [0, 1, 0, 2, 0, -1]}, "tile 5: '-1' is no number of a tile"),
        ({"data": [0, 1, 0, 2, 0, 2**32]}, "tile 5: '4294967296' is no number of a tile"),
        ({"data": [0, 1, 0, 2, True, 0]}, "tile 4: 'True' is no number of a tile"),
        ({"data": [0, "1", 0, 2, 0, 0]}, "tile 1: '1' is no number of a tile"),
        ({"data": [0, 1.5, 0, 2, 0, 0]}, "tile 1: '1.5' is no number of a tile"),
        ({"data": None}, "a layer without the data of its tiles"),
        ({"data": "0,1,0,2,0"}, "5 tiles, and it has 6 squares"),
        ({"data": ""}, "0 tiles, and it has 6 squares"),
        ({"data": "0,1,0,2,x,0"}, "tile 4: 'x' is no number of a tile"),
        ({"data": "0,1,0,2,[1],0"}, "tile 4: '[1]' is no number of a tile"),
        ({"data": "0,1,0,2,,0"}, "tile 4: '' is no number of a tile"),
        ({"data": "0,1,0,2,99999999999,0"}, "tile 4: '99999999999' is no number"),
        ({"data": "AAAA", "encoding": "base64"}, "the data has fewer bytes than its 6 squares need, which is 24"),
        ({"data": "A*=", "encoding": "base64"}, "the data is no base64"),
        ({"data": "AAA", "encoding": "base64"}, "the data is no base64"),
        ({"data": "AAAA", "encoding": "base64", "compression": "zlib"}, "the data cannot be unpacked"),
        ({"data": ENCODED["zlib"][:12], "encoding": "base64", "compression": "zlib"}, "the data has fewer bytes"),
        ({"data": "AAAA", "encoding": "base64", "compression": "lzma"}, "unknown compression 'lzma'"),
        ({"data": "AAAA", "encoding": "hex"}, "unknown encoding 'hex'; known are csv and base64"),
        ({"width": -3}, "width is -3; give a whole number from 1 up"),
        ({"width": 2.5}, "width is 2.5; give a whole number from 1 up"),
        ({"height": "2"}, "height is '2'; give a number"),
        ({"width": 10**40}, "width is '1000"),
        ({"x": 0.5}, "tiles at (0.5, 0); give whole numbers"),
        ({"offsetx": "a"}, "offsetx is 'a'; give a number"),
    ],
)
def test_broken_layers(change, said):
    with pytest.raises(MapFileError) as caught:
        scene_from_tiled(tiled(layer("walls", GIDS, 3) | change), file="x.tmj")
    assert str(caught.value).startswith('x.tmj: $.layers[0] (layer "walls")')
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_bomb_is_unpacked_no_further_than_its_squares():
    bomb = base64.b64encode(zlib.compress(bytes(20_000_000), 9)).decode()
    data = layer("walls", GIDS, 3) | {"data": bomb, "encoding": "base64", "compression": "zlib"}
    with pytest.raises(MapFileError, match="the data has more bytes than its 6 squares need"):
        scene_from_tiled(tiled(data))


# ------------------------------------------------------------------------------------------- infinite maps, offsets


def chunk(x, y, data, width):
    return {"x": x, "y": y, "width": width, "height": len(data) // width, "data": data}


def test_chunks_with_negative_positions():
    chunks = [chunk(-4, -2, [0, 0, 1, 0], 2), chunk(0, 0, [1, 0, 0, 0], 2)]
    data = tiled(layer("walls", [0], 1) | {"chunks": chunks, "data": None}, infinite=True, width=1, height=1)
    scene = scene_from_tiled(data)
    assert scene.battle_map.to_rows() == ["#....", "....#"]
    assert scene.extra == {"origin": [-4, -1]}
    xml = (
        '<layer name="walls" width="1" height="1"><data encoding="csv">\n'
        '<chunk x="-4" y="-2" width="2" height="2">0,0,\n1,0</chunk><chunk x="0" y="0" width="2" height="2">1,0,0,0</chunk>\n'
        "</data></layer>"
    )
    assert scene_from_tmx(tmx(xml, 'width="1" height="1" tilewidth="16" tileheight="16" infinite="1"')) == scene


def test_objects_of_an_infinite_map_move_with_its_tiles():
    line = {"x": -32, "y": 0, "polyline": [{"x": 0, "y": 0}, {"x": 16, "y": 8}]}
    data = tiled(layer("floor", [0], 1) | {"chunks": [chunk(-3, -1, [1, 1, 1, 1], 2)]}, group("walls", line), infinite=True)
    assert walls(scene_from_tiled(data)) == [(1, 1, 2, 1.5, "wall")]
    del data["layers"][0]
    scene = scene_from_tiled(data)
    assert (scene.battle_map.to_rows(), scene.extra, walls(scene)) == (["."], {"origin": [-2, 0]}, [(0, 0, 1, 0.5, "wall")])


def test_an_infinite_map_of_nothing():
    with pytest.raises(MapFileError, match="an infinite map without a tile or a wall"):
        scene_from_tiled(tiled(layer("walls", [0], 1) | {"chunks": []}, infinite=True))


def test_far_chunks_are_refused_before_they_cost_memory():
    chunks = [chunk(-(2**31) + 9, 0, [1], 1), chunk(2**31 - 9, 2**31 - 9, [1], 1)]
    with pytest.raises(MapFileError, match=r"squares, and the limit is"):
        scene_from_tiled(tiled(layer("walls", [0], 1) | {"chunks": chunks}, infinite=True))


def test_offsets_of_layers_and_groups():
    moved = layer("walls", GIDS, 3, offsetx=16)
    nested = {"type": "group", "name": "g", "offsety": 16, "layers": [moved, group("walls", {"x": 0, "y": 0, "width": 16, "height": 16})]}
    scene = scene_from_tiled(tiled(nested), weld=0)
    assert scene.battle_map.to_rows() == ["...", "..#"]
    assert {end for wall in scene.battle_map.walls for end in (wall.start, wall.end)} == {(0, 1), (1, 1), (1, 2), (0, 2)}
    assert scene.warnings == ()
    scene = scene_from_tiled(tiled(layer("walls", GIDS, 3, offsetx=9)))
    assert scene.battle_map.to_rows() == ["..#", ".#."]
    assert scene.warnings == ('layers of tiles that lie off the grid, put onto it (1): $.layers[0] (layer "walls")',)


# -------------------------------------------------------------------------------------------- what is solid, doors


@pytest.mark.parametrize(
    "name", ["Walls", "wall", "WALLS 2", "Collision", "collisions", "Collision_Layer", "solid", "WallTiles", "blocked"]
)
def test_solid_by_the_name_of_the_layer(name):
    assert rows(tiled(layer(name, GIDS, 3, visible=False))) == DRAWN


@pytest.mark.parametrize("name", ["Ground", "upperwall", "Wallpaper", "", "Terrain", "void", "open", "fog", "Objects", "Block party"])
def test_names_that_say_nothing(name):
    scene = scene_from_tiled(tiled(layer(name, GIDS, 3)))
    assert scene.battle_map.to_rows() == ["...", "..."]
    assert scene.warnings == (f"nothing says what is solid; name the layers with walls (solid_layers); layers of tiles: {name!r}",)


def test_solid_layers_by_option():
    data = tiled(layer("Walls", GIDS, 3), layer("Hedge 1", [0, 0, 5, 0, 0, 0], 3))
    assert rows(data, solid_layers=["hedge*"]) == ["..#", "..."]
    assert rows(data, solid_layers=["Walls", "Hedge ?"]) == [".##", "#.."]
    assert rows(data, solid_layers=[]) == ["...", "..."]


def test_solid_by_properties():
    tiles = [
        {"id": 0, "properties": properties(collides=True)},
        {"id": 1, "properties": properties(Solid="yes")},
        {"id": 2, "properties": properties(collides=False)},
        {"id": 3, "properties": properties(hp=5)},
        {"id": 4, "type": "wall"},
        {"id": 5, "class": "Water"},
    ]
    tilesets = [{"firstgid": 10, "tiles": tiles}]
    data = [10, 11, 12, 13, 14, 15]
    assert rows(tiled(layer("ground", data, 3), tilesets=tilesets)) == ["##.", ".#~"]
    assert rows(tiled(layer("walls", data, 3), tilesets=tilesets)) == ["##.", "##~"]
    assert rows(tiled(layer("ground", data, 3), tilesets=tilesets), tile_property=["HP"]) == ["...", "##~"]
    assert rows(tiled(layer("ground", GIDS, 3, properties=properties(collidable=True)))) == DRAWN
    assert rows(tiled(layer("walls", GIDS, 3, properties=properties(solid=False)))) == ["...", "..."]


def test_tiles_belong_to_the_last_tileset_that_begins_before_them():
    tilesets = [
        {"firstgid": 5, "tiles": [{"id": 0, "properties": properties(collides=True)}]},
        {"firstgid": 1, "tiles": [{"id": 0, "properties": properties(collides=True)}, {"id": 6, "properties": properties(collides=True)}]},
    ]
    assert rows(tiled(layer("ground", [1, 2, 5, 6, 7, 8], 3), tilesets=tilesets)) == ["#.#", "..."]


def test_properties_as_tiled_wrote_them_before_version_1_2():
    tilesets = [{"firstgid": 1, "tileproperties": {"1": {"collides": True}}, "tiles": {"0": {"terrain": [0]}}}]
    assert rows(tiled(layer("ground", GIDS, 3, properties={"x": 1}), tilesets=tilesets)) == ["...", "#.."]


def test_kinds_by_the_name_of_the_layer():
    layers = [layer("Windows", [1, 0, 0], 3), layer("low_walls", [0, 1, 0], 3), layer("fence", [0, 0, 1], 3)]
    scene = scene_from_tiled(tiled(*layers, size=(3, 1)))
    assert [scene.battle_map.kind_of(x, 0).kind for x in range(3)] == ["window", "low wall", "fence"]


def test_doors_of_tiles_hang_between_walls():
    solid = [[1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 1, 1]]
    doors = [[0, 0, 0, 0], [0, 1, 0, 2], [0, 0, 0, 0]]
    tilesets = [{"firstgid": 1, "tiles": [{"id": 1, "properties": properties(open=True, collides=True)}]}]
    scene = scene_from_tiled(tiled(layer("walls", solid), layer("Doors", doors), size=(4, 3), tilesets=tilesets))
    assert [(wall.start, wall.end, wall.state) for wall in scene.battle_map.walls] == [
        ((1.5, 1), (1.5, 2), "closed"), ((3.5, 1), (3.5, 2), "open"),
    ]  # fmt: skip
    assert scene.battle_map.to_rows() == ["####", "....", "####"]


def test_a_door_goes_before_the_wall_in_its_square_and_may_fill_it():
    scene = scene_from_tiled(tiled(layer("doors", [0, 5, 0], 3), layer("walls", [1, 1, 1], 3), size=(3, 1)))
    assert walls(scene) == [(1, 0.5, 2, 0.5, "door")]
    assert scene.battle_map.to_rows() == ["#.#"]
    scene = scene_from_tiled(tiled(layer("doors", [0, 0, 0, 0, 1, 0, 0, 0, 0], 3), size=(3, 3)))
    assert (walls(scene), scene.battle_map.kind_of(1, 1).kind) == ([], "door")
    assert scene.warnings == ("doors without a wall on two sides, which fill their square (1): (1, 1)",)


def test_squares_without_a_tile():
    data = tiled(layer("floor", [1, 0, 1, 1, 0, 0], 3), layer("walls", GIDS, 3))
    assert rows(data) == DRAWN
    assert rows(data, empty="void") == [".#.", "#  "]
    with pytest.raises(QuestionError, match="unknown word 'viod' for empty; did you mean 'void'"):
        scene_from_tiled(data, empty="viod")


def test_layers_larger_and_smaller_than_the_map():
    assert rows(tiled(layer("walls", [0, 1, 0, 1, 1, 1, 1, 1], 4))) == [".#.", "###"]
    assert rows(tiled(layer("walls", [1], 1, x=1, y=1))) == ["...", ".#."]
    assert rows(tiled(layer("walls", [1, 2], 2, x=-1, y=0))) == ["#..", "..."]


HALF = {"x": 0, "y": 8, "width": 16, "height": 8}


def shaped(*shapes, **more):
    """A tileset whose first tile has these collision shapes."""
    return [{"firstgid": 1, "tiles": [{"id": 0, "objectgroup": {"objects": list(shapes)}, **more}]}]


def test_collision_shapes_are_walls_along_their_outline():
    data = tiled(layer("floor", GIDS, 3), layer("walls", [0] * 5 + [9], 3), tilesets=shaped(HALF))
    scene = scene_from_tiled(data)
    told = "tiles with a collision shape that is no whole square"
    assert f"{told}, whose outline is read as walls (1): tile 1 in 1 squares" in scene.warnings
    assert walls(scene) == [(1, 0.5, 2, 0.5, "wall"), (2, 0.5, 2, 1, "wall"), (2, 1, 1, 1, "wall"), (1, 1, 1, 0.5, "wall")]
    scene = scene_from_tiled(data, tile_shapes="ignore")
    assert walls(scene) == []
    assert f"{told}, read as open (1): tile 1 in 1 squares" in scene.warnings
    assert rows(tiled(layer("floor", GIDS, 3), tilesets=shaped(HALF | {"y": 0, "height": 16}))) == [".#.", "..."]


def test_what_goes_before_a_collision_shape():
    """The word of the tile, that of its layer, a solid tile in the same square."""
    for more in ({"type": "water"}, {"properties": properties(solid=False)}, {"properties": properties(solid=True)}):
        assert walls(scene_from_tiled(tiled(layer("floor", GIDS, 3), tilesets=shaped(HALF, **more)))) == []
    assert walls(scene_from_tiled(tiled(layer("walls", GIDS, 3), tilesets=shaped(HALF)))) == []
    assert walls(scene_from_tiled(tiled(layer("floor", GIDS, 3), layer("walls", GIDS, 3), tilesets=shaped(HALF)))) == []
    shapes = (HALF | {"type": "window"}, HALF | {"properties": properties(collides=False)}, HALF | {"class": "water"})
    assert {kind for *_, kind in walls(scene_from_tiled(tiled(layer("floor", GIDS, 3), tilesets=shaped(*shapes))))} == {"window"}


@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize("size", [(16, 16), (16, 32), (32, 16), (8, 8)])
def test_collision_shapes_are_flipped_with_their_tile(turn, size):
    """As the picture of the tile is: about its diagonal, left to right, upside down; on the lower left corner of its square."""
    corner = {"x": 0, "y": 0, "polygon": [{"x": 1, "y": 0}, {"x": 5, "y": 0}, {"x": 1, "y": 3}]}
    picture = np.zeros((size[1], size[0]), dtype=int)
    picture[0, 1], picture[0, 4], picture[2, 1] = 1, 2, 3  # the pixels at the three corners
    picture = picture.T if turn & 1 else picture
    picture = picture[:, ::-1] if turn & 4 else picture
    picture = picture[::-1] if turn & 2 else picture
    tilesets = [shaped(corner)[0] | {"tilewidth": size[0], "tileheight": size[1]}]
    scene = scene_from_tiled(tiled(layer("floor", [[0, turn << 29 | 1]]), size=(2, 1), tilesets=tilesets), weld=0)
    found = [(x * 16 - 16, y * 16 - 16 + picture.shape[0]) for x, y in [wall.start for wall in scene.battle_map.walls]]
    pixels = [tuple(np.argwhere(picture == number)[0][::-1].tolist()) for number in (1, 2, 3)]
    assert all(x <= px <= x + 1 and y <= py <= y + 1 for (px, py), (x, y) in zip(found, pixels, strict=True))


def test_collision_shapes_count_as_walls():
    data = tiled(layer("floor", [[1] * 60] * 2), size=(60, 2), tilesets=shaped(HALF))
    assert len(scene_from_tiled(data, weld=0, limits=Limits(walls=480)).battle_map.walls) == 480
    with pytest.raises(MapFileError, match="480 walls, and the limit is 479"):
        scene_from_tiled(data, limits=Limits(walls=479))


# ------------------------------------------------------------------------------------------------------- templates


TEMPLATES = {
    "crate.tx": '<template><object type="wall" width="16" height="8"><properties><property name="open" value="true"/></properties>'
    "</object></template>",
    "gate.json": json.dumps({"type": "template", "object": {"type": "door", "polyline": [{"x": 0, "y": 0}, {"x": 0, "y": 16}]}}),
    "sets/block.tx": '<template><tileset firstgid="5" source="solid.tsx"/><object gid="6" width="16" height="16"/></template>',
    "sets/solid.tsx": '<tileset><tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile></tileset>',
    "broken.tx": "<template",
    "list.json": "[]",
    "empty.tx": "<template/>",
    "bomb.tx": '<!DOCTYPE t [<!ENTITY a "b">]><template/>',
}


@pytest.fixture
def templates(tmp_path):
    folder = tmp_path / "maps"
    (folder / "sets").mkdir(parents=True)
    for path, text in TEMPLATES.items():
        (folder / path).write_text(text, encoding="utf-8")
    (tmp_path / "out.tx").write_text(TEMPLATES["crate.tx"], encoding="utf-8")
    (folder / "link.tx").symlink_to(tmp_path / "out.tx")
    return folder


def from_template(folder, attributes, more=""):
    xml = f'{more}<objectgroup name="things"><object id="1" x="16" y="16" {attributes}/></objectgroup>'
    (folder / "x.tmx").write_text(tmx(xml), encoding="utf-8")
    return load(folder / "x.tmx")


def test_objects_are_made_from_templates(templates):
    scene = from_template(templates, 'template="crate.tx"')
    assert walls(scene) == [(1, 1, 2, 1, "wall"), (2, 1, 2, 1.5, "wall"), (2, 1.5, 1, 1.5, "wall"), (1, 1.5, 1, 1, "wall")]
    assert len(walls(from_template(templates, 'template="crate.tx" height="16"'))) == 4
    assert max(y for _, y, *_ in walls(from_template(templates, 'template="crate.tx" height="16"'))) == 2
    assert {kind for *_, kind in walls(from_template(templates, 'template="crate.tx" type="window"'))} == {"window"}
    assert walls(from_template(templates, 'template="crate.tx" class="area"')) == []
    assert walls(from_template(templates, 'template="gate.json"')) == [(1, 1, 1, 2, "door")]
    scene = from_template(templates, 'template="crate.tx" type="door"')
    assert {wall.state for wall in scene.battle_map.walls} == {"open"}
    again = json.dumps(tiled(group("a", {"x": 16, "y": 16, "template": "crate.tx"})))
    (templates / "x.tmj").write_text(again, encoding="utf-8")
    assert len(walls(load(templates / "x.tmj"))) == 4


@pytest.mark.parametrize("more", ["", '<tileset firstgid="40" source="sets/solid.tsx"/>', '<tileset firstgid="1" source="other.tsx"/>'])
def test_tiles_of_templates_are_those_of_their_own_tileset(templates, more):
    """The number of a tile in a template is by the template's tileset, which the map may have under another number or not at all."""
    assert len(walls(from_template(templates, 'template="sets/block.tx"', more))) == 4
    (templates / "sets/solid.tsx").write_text("<tileset/>", encoding="utf-8")
    assert walls(from_template(templates, 'template="sets/block.tx"', more)) == []


@pytest.mark.parametrize("source", ["../out.tx", "link.tx", "/etc/passwd", "..\\out.tx", "sets/../../out.tx"])
def test_templates_outside_of_the_folder_are_not_read(templates, source):
    scene = from_template(templates, f'template="{source}"')
    assert walls(scene) == []
    assert f"templates outside of the map's folder, not read (1): {source}" in scene.warnings
    assert "objects made from templates that cannot be read, left out (1): line 3" in scene.warnings


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("no.tx", "not there"), ("", "not there"), ("x" * 5000, "not there"), ("broken.tx", "broken XML"), ("list.json", "no template"),
        ("bomb.tx", "a document type or an entity"), ("empty.tx", "left out"), ("x.tmx", "left out"), ("sets/solid.tsx", "left out"),
    ],
)  # fmt: skip
def test_templates_that_are_of_no_use(templates, source, why):
    scene = from_template(templates, f'template="{source}"')
    assert walls(scene) == []
    assert why in "\n".join(scene.warnings)


def test_a_template_is_no_map(templates):
    with pytest.raises(MapFileError, match="this is a template; give a map that uses it"):
        scene_from_tmx(TEMPLATES["crate.tx"])


# -------------------------------------------------------------------------------------------------------- tilesets


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "maps" / "sets").mkdir(parents=True)
    tsx = '<tileset name="s"><tile id="0"><properties><property name="collides" type="bool" value="true"/></properties></tile></tileset>'
    for path in ("maps/sets/in.tsx", "maps/in.tsx", "out.tsx"):
        (tmp_path / path).write_text(tsx, encoding="utf-8")
    (tmp_path / "maps/in.tsj").write_text(json.dumps({"tiles": [{"id": 0, "properties": properties(collides=True)}]}), encoding="utf-8")
    (tmp_path / "maps/link.tsx").symlink_to(tmp_path / "out.tsx")
    (tmp_path / "maps/broken.tsx").write_text("<tileset", encoding="utf-8")
    (tmp_path / "maps/list.tsj").write_text("[]", encoding="utf-8")
    (tmp_path / "maps/lfs.tsx").write_text("version https://git-lfs.github.com/spec/v1\n", encoding="utf-8")
    return tmp_path / "maps"


def with_tileset(folder, source):
    xml = f'<tileset firstgid="1" source="{source}"/><layer name="a" width="3" height="2"><data encoding="csv">0,1,0,2,0,0</data></layer>'
    (folder / "x.tmx").write_text(tmx(xml), encoding="utf-8")
    scene = load(folder / "x.tmx")
    return "".join(scene.battle_map.to_rows()).count("#"), [one for one in scene.warnings if "tileset" in one]


@pytest.mark.parametrize("source", ["in.tsx", "sets/in.tsx", "sets\\in.tsx", "in.tsj", "./sets/../in.tsx", "../maps/in.tsx"])
def test_tilesets_beside_the_map_are_read(folder, source):
    assert with_tileset(folder, source) == (1, [])


@pytest.mark.parametrize("source", ["../out.tsx", "link.tsx", "/etc/passwd", "..\\out.tsx", "sets/../../out.tsx"])
def test_tilesets_elsewhere_are_not_read(folder, source):
    assert with_tileset(folder, source) == (0, [f"tilesets outside of the map's folder, not read (1): {source}"])
    absolute = str(folder.parent / "out.tsx")
    assert with_tileset(folder, absolute) == (0, [f"tilesets outside of the map's folder, not read (1): {absolute[:80]}"])


@pytest.mark.parametrize("source", ["no.tsx", "", "sets", ":/automap-tiles.tsx", "x" * 5000])
def test_tilesets_that_are_not_there(folder, source):
    assert with_tileset(folder, source) == (0, [f"tilesets that are not there, so nothing is known of their tiles (1): {source[:80]}"])


@pytest.mark.parametrize(("source", "why"), [("broken.tsx", "broken XML"), ("lfs.tsx", "a pointer of Git LFS"), ("list.tsj", "no tileset")])
def test_tilesets_that_are_broken(folder, source, why):
    n_solid, (said,) = with_tileset(folder, source)
    assert n_solid == 0
    assert said.startswith(f"tilesets that cannot be read (1): {source}: ")
    assert why in said


def test_without_a_file_nothing_is_looked_for(folder, monkeypatch):
    monkeypatch.chdir(folder)
    data = tiled(layer("a", GIDS, 3), tilesets=[{"firstgid": 1, "source": "in.tsx"}])
    assert "tilesets that are not there, so nothing is known of their tiles (1): in.tsx" in scene_from_tiled(data).warnings


# --------------------------------------------------------------------------------------------------------- objects


def box(x, y, width, height, **more):
    return {"x": x, "y": y, "width": width, "height": height, **more}


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (box(8, 4, 16, 8), [(0.5, 0.25), (1.5, 0.25), (1.5, 0.75), (0.5, 0.75), (0.5, 0.25)]),
        (box(8, 12, 16, 8, gid=7), [(0.5, 0.25), (1.5, 0.25), (1.5, 0.75), (0.5, 0.75), (0.5, 0.25)]),  # stands on it
        (box(16, 0, 16, 8, rotation=90), [(1, 0), (1, 1), (0.5, 1), (0.5, 0), (1, 0)]),
        (box(32, 16, 16, 8, rotation=180), [(2, 1), (1, 1), (1, 0.5), (2, 0.5), (2, 1)]),
        (box(0, 16, 16, 8, rotation=-90), [(0, 1), (0, 0), (0.5, 0), (0.5, 1), (0, 1)]),
        (box(0, 0, 32, 0), [(0, 0), (2, 0), (0, 0)]),
        ({"x": 8, "y": 8, "polyline": [{"x": 0, "y": 0}, {"x": 8, "y": 0}, {"x": 8, "y": 8}]}, [(0.5, 0.5), (1, 0.5), (1, 1)]),
        ({"x": 8, "y": 8, "polygon": [{"x": 0, "y": 0}, {"x": 8, "y": 0}, {"x": 8, "y": 8}]}, [(0.5, 0.5), (1, 0.5), (1, 1), (0.5, 0.5)]),
        ({"x": 16, "y": 0, "rotation": 90, "polyline": [{"x": 0, "y": 0}, {"x": 16, "y": 0}]}, [(1, 0), (1, 1)]),
    ],
)
def test_outlines(one, expected):
    scene = scene_from_tiled(tiled(group("walls", one)), weld=0)
    assert [(wall.start, wall.end) for wall in scene.battle_map.walls] == list(pairwise(expected))
    assert scene.battle_map.subdivisions == 16
    assert scene.warnings == ()


@pytest.mark.parametrize(
    ("tile", "one", "subdivisions"),
    [
        ((16, 16), box(8, 4, 16, 8), 16),
        ((70, 70), box(35, 5, 70, 7), 70),
        ((16, 24), box(8, 4, 16, 8), 48),
        ((16, 16), box(0.5, 0.25, 16, 8), 64),
        ((100, 100), box(0.1, 33, 100, 8), 1000),
        ((32, 32), box(46.3333, 39, 69.3333, 8), 5024),
        ((16, 16), box(8.5, 0.123457, 8, 16.25), 5024),
        ((5041, 5041), box(0, 0, 5041, 2500), 5040),
    ],
)
def test_the_lattice_holds_pixels(tile, one, subdivisions):
    scene = scene_from_tiled(tiled(group("walls", one), tile=tile), weld=0)
    assert scene.battle_map.subdivisions == subdivisions
    assert scene.battle_map.repairs == ()
    is_exact = subdivisions < 4000
    for wall in scene.battle_map.walls:
        for pixels, place in zip((tile[0], tile[1]), wall.start, strict=True):
            edges = (one["x"], one["y"], one["x"] + one["width"], one["y"] + one["height"])
            nearest = min(abs(place * pixels - edge) for edge in edges)
            assert nearest < (1e-9 if is_exact else pixels / 5000)
    assert any("rounded to 1/" in said for said in scene.warnings) == (not is_exact)


def test_round_objects():
    scene = scene_from_tiled(tiled(group("walls", box(0, 0, 48, 32, ellipse=True))), weld=0)
    assert len(scene.battle_map.walls) == 24
    for wall in scene.battle_map.walls:
        assert ((wall.start[0] - 1.5) / 1.5) ** 2 + (wall.start[1] - 1) ** 2 == pytest.approx(1, abs=1e-3)
    scene = scene_from_tiled(tiled(group("walls", box(0, 0, 48, 16, capsule=True))), weld=0)
    xs, ys = zip(*(wall.start for wall in scene.battle_map.walls), strict=True)
    assert (min(xs), max(xs), min(ys), max(ys), len(xs)) == (0, 3, 0, 1, 26)


def test_a_turned_object_is_rounded_and_told():
    line = {"x": 16, "y": 0, "rotation": 30, "polyline": [{"x": 0, "y": 0}, {"x": 16, "y": 0}]}
    scene = scene_from_tiled(tiled(group("walls", line)), weld=0)
    (wall,) = scene.battle_map.walls
    assert wall.start == (1, 0)
    assert wall.end == pytest.approx((1 + 3**0.5 / 2, 0.5), abs=1e-3)
    assert scene.battle_map.subdivisions == 5040
    assert any("rounded to 1/5040 of a square" in said for said in scene.warnings)


def test_kinds_of_objects():
    line = {"x": 0, "y": 0, "polyline": [{"x": 0, "y": 0}, {"x": 16, "y": 0}]}
    said = [
        ("things", {"class": "door"}, "door"),
        ("things", {"type": "Secret_Door"}, "secret door"),
        ("things", {"type": "window"}, "window"),
        ("things", {"type": "collision"}, "wall"),
        ("things", {"properties": properties(collides=True)}, "wall"),
        ("things", {"type": "area"}, None),
        ("things", {"name": "door"}, None),
        ("things", {"type": "water"}, None),
        ("walls", {"name": "door"}, "door"),
        ("walls", {"name": "north"}, "wall"),
        ("walls", {"type": "curtain"}, "curtain"),
        ("walls", {"properties": properties(collides=False)}, None),
        ("Windows", {}, "window"),
        ("low walls", {}, "low wall"),
        ("terrain", {"type": "terrain"}, None),
    ]
    for name, more, kind in said:
        scene = scene_from_tiled(tiled(group(name, line | more)))
        assert [wall.kind for wall in scene.battle_map.walls] == ([] if kind is None else [kind]), (name, more)
        left = [one for one in scene.warnings if "no walls" in one]
        assert left == ([f"objects that are no walls, left out (1): 1 in layer {name!r}"] if kind is None else [])
    assert walls(scene_from_tiled(tiled(group("Rocks", line)), solid_layers=["rocks"])) == [(0, 0, 1, 0, "wall")]
    tilesets = [{"firstgid": 1, "tiles": [{"id": 4, "type": "portcullis"}, {"id": 5, "properties": properties(solid=True)}]}]
    for gid, kind in ((5, "portcullis"), (0x80000006, "wall")):
        scene = scene_from_tiled(tiled(group("things", box(0, 16, 16, 16, gid=gid)), tilesets=tilesets))
        assert {wall.kind for wall in scene.battle_map.walls} == {kind}


def test_doors_of_objects():
    line = {"x": 0, "y": 0, "polyline": [{"x": 0, "y": 0}, {"x": 16, "y": 0}]}
    doors = [
        line | {"name": "gate"},
        line | {"y": 16, "name": "hatch", "properties": properties(open=True)},
        line | {"y": 32, "properties": properties(state="locked")},
        line | {"x": 32, "name": "twin"},
        line | {"x": 32, "y": 16, "name": "twin"},
    ]
    scene = scene_from_tiled(tiled(group("doors", *doors)))
    found = [(wall.id, wall.state) for wall in scene.battle_map.walls]
    assert found == [("gate", "closed"), ("hatch", "open"), (None, "locked"), (None, "closed"), (None, "closed")]


def test_objects_that_cannot_be_walls():
    objects = [{"x": 1, "y": 1, "point": True}, box(0, 0, 9, 9, text={"text": "x"}), {"x": 0, "y": 0}, {"template": "a.tx", "x": 0, "y": 0}]
    scene = scene_from_tiled(tiled(group("walls", *objects)))
    assert scene.battle_map.walls == ()
    assert "walls without an outline, left out (3): " in "\n".join(scene.warnings)
    assert "objects made from templates that cannot be read, left out (1): " in "\n".join(scene.warnings)


def test_ends_that_nearly_meet_are_welded():
    lines = [
        {"x": 0, "y": 16, "polyline": [{"x": 0, "y": 0}, {"x": 15.8, "y": 0}]},
        {"x": 16, "y": 0, "polyline": [{"x": 0, "y": 0}, {"x": 0, "y": 32}]},
    ]
    welded, drawn = scene_from_tiled(tiled(group("walls", *lines))), scene_from_tiled(tiled(group("walls", *lines)), weld=0)
    assert welded.battle_map.walls[0].end == (1, 1)
    assert drawn.battle_map.walls[0].end == (0.9875, 1)
    assert any(one.startswith("weld: 1 end put onto") for one in welded.warnings)
    with pytest.raises(MapFileError, match=r"x\.tmj: a weld tolerance of 0\.5 squares"):
        scene_from_tiled(tiled(group("walls", *lines)), weld=0.5, file="x.tmj")


def test_walls_beyond_the_map_are_kept_and_told():
    scene = scene_from_tiled(tiled(group("walls", box(-16, 0, 32, 16))))
    assert len(scene.battle_map.walls) == 4
    assert "3 of 4 walls reach beyond the map of 3 by 2 squares; kept" in scene.warnings


def test_far_objects_are_refused():
    with pytest.raises(MapFileError, match=r'\$\.layers\[0\] \(layer "walls"\), object 0: an object reaches .* squares far'):
        scene_from_tiled(tiled(group("walls", box(2_000_000_000, 0, 16, 16))))


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (box("1", 0, 1, 1), "x is '1'; give a number"),
        (box(float("nan"), 0, 1, 1), "x is 'nan'; give a number"),
        (box(1e300, 0, 1, 1), "x is '1e+300'; give a number"),
        (box(True, 0, 1, 1), "x is 'True'; give a number"),
        (box(0, 0, -1, 1), "an object of -1.0 by 1.0 pixels"),
        ({"polygon": 7}, "polygon: expected a list of points"),
        ({"polyline": [{"x": 0}, {"x": 1, "y": 1}]}, "polyline: y is missing"),
        ({"polyline": [[0, 0], [1, 1]]}, "polyline: expected a list of points"),
        (box(0, 0, 1, 1, properties=7), "expected a list of properties"),
        (box(0, 0, 1, 1, rotation="x"), "rotation is 'x'"),
    ],
)
def test_broken_objects(one, said):
    with pytest.raises(MapFileError) as caught:
        scene_from_tiled(tiled(group("walls", one)), file="x.tmj")
    assert str(caught.value).startswith('x.tmj: $.layers[0] (layer "walls"), object 0')
    assert said in str(caught.value)


# ------------------------------------------------------------------------------------------------------ whole maps


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"orientation": "isometric"}, "$: a map that is isometric; gridlos reads orthogonal ones"),
        ({"orientation": "hexagonal"}, "$: a map that is hexagonal"),
        ({"orientation": "staggered"}, "$: a map that is staggered"),
        ({"width": 0}, "$: width is 0; give a whole number from 1 up"),
        ({"tilewidth": -16}, "$: tilewidth is -16"),
        ({"tilewidth": None}, "$: tilewidth is missing"),
        ({"height": 10**6, "width": 10**6}, "1000000000000 squares, and the limit is"),
        ({"layers": 3}, "$: layers is no list of objects"),
        ({"layers": [3]}, "$: layers is no list of objects"),
        ({"layers": [{"type": "hologram"}]}, "$.layers[0]: a layer of the unknown type 'hologram'"),
        ({"tilesets": [{}]}, "$.tilesets[0]: firstgid is missing"),
        ({"tilesets": [{"firstgid": 1, "tiles": [{}]}]}, "$.tilesets[0]: id is missing"),
        ({"tilesets": None}, "$: tilesets is no list of objects"),
    ],
)
def test_broken_maps(change, said):
    with pytest.raises(MapFileError) as caught:
        scene_from_tiled(tiled() | change, file="x.tmj")
    assert str(caught.value).startswith(f"x.tmj: {said}")


def test_no_object():
    with pytest.raises(MapFileError, match="a map of Tiled is one JSON object"):
        scene_from_tiled([])


def test_deep_groups():
    deep = layer("walls", GIDS, 3)
    for _ in range(300):
        deep = {"type": "group", "layers": [deep]}
    with pytest.raises(MapFileError, match="groups of layers are nested too deep"):
        scene_from_tiled(tiled(deep))
    text = "<group>" * 300 + "</group>" * 300
    with pytest.raises(MapFileError, match="line 3: elements are nested too deep for a map"):
        scene_from_tmx(tmx(text))


BOMB = """<?xml version="1.0"?>
<!DOCTYPE map [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<map width="1" height="1" tilewidth="16" tileheight="16"><layer name="&b;"/></map>"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOMB, "line 2: a document type or an entity"),
        ('<!DOCTYPE map SYSTEM "file:///etc/passwd"><map/>', "line 1: a document type or an entity"),
        (tmx("<layer>&a;</layer>"), "line 3, column 8: broken XML: undefined entity"),
        (tmx("")[:-6], "line 4, column 1: broken XML: no element found"),
        (tmx("<layer"), "broken XML"),
        (tmx('<layer a="1" a="2"/>'), "line 3, column 14: broken XML: duplicate attribute"),
        ("<root/>", "line 1: the XML is no map of Tiled: it holds <root>"),
        ("<tileset/>", "line 1: this is a tileset; give a map that uses it"),
        (tmx('<layer width="x" height="2"/>'), "line 3: width 'x' of <layer> is no number"),
        (tmx('<objectgroup name="walls"><object x="nan" y="0" width="1" height="1"/></objectgroup>'), "line 3: x is 'nan'"),
        (tmx('<objectgroup name="walls"><object x="1e999" y="0"/></objectgroup>'), "line 3: x is 'inf'"),
        (tmx('<objectgroup name="walls"><object><polygon points="1,2 3"/></object></objectgroup>'), "line 3: '3' is no point"),
        (tmx('<layer name="walls" width="1" height="1"><data><tile gid="x"/></data></layer>'), "line 3: gid 'x' is no whole number"),
        (tmx('<layer name="walls" width="1" height="1"/>'), 'line 3 (layer "walls"): a layer without the data'),
        (tmx("", 'width="3" height="2" tilewidth="16" tileheight="16" orientation="isometric"'), "broken XML: duplicate attribute"),
    ],
)
def test_broken_xml(text, said, tmp_path):
    path = tmp_path / "x.tmx"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MapFileError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [one.name for one in tmp_path.iterdir()] == ["x.tmx"]


def test_xml_with_bom_crlf_and_other_elements():
    text = tmx('<editorsettings><export target="a"/></editorsettings>\n<imagelayer name="i"/>\n'
               '<layer name="walls" width="3" height="2"><properties><property name="note">many\nlines</property></properties>'
               '<data encoding="csv">\n0,1,0,\n2,0,0</data></layer>')  # fmt: skip
    assert scene_from_tmx(text.replace("\n", "\r\n")).battle_map.to_rows() == DRAWN


@pytest.mark.parametrize("name", ["x.tmx", "x.xml", "x"])
def test_xml_is_found_by_content(tmp_path, name):
    text = tmx('<layer name="walls" width="3" height="2"><data encoding="csv">0,1,0,2,0,0</data></layer>')
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    scene = load(tmp_path / name, weld=0)
    assert (scene.battle_map.to_rows(), scene.name) == (DRAWN, "x")


@pytest.mark.parametrize("name", ["x.tmj", "x.json"])
def test_json_is_found_by_content(tmp_path, name):
    (tmp_path / name).write_text(json.dumps(tiled(layer("walls", GIDS, 3))), encoding="utf-8")
    assert load(tmp_path / name, empty="open", feet_per_square=10).battle_map.feet_per_square == 10
    with pytest.raises(MapFileError, match="windows: for Universal VTT maps only, and this is one of the maps of Tiled"):
        load(tmp_path / name, windows="open")


def test_the_same_map_in_xml_and_json():
    xml = (
        '<tileset firstgid="1"><tile id="1" class="door"><properties><property name="locked" type="bool" value="true"/></properties>'
        '</tile></tileset><layer name="walls" width="3" height="2" offsetx="0"><data encoding="csv">1,2,1,0,0,0</data></layer>'
        '<group name="g" offsety="8"><objectgroup name="walls"><object name="a" x="1.5" y="3" width="4" height="5" rotation="90">'
        '<properties><property name="wall" type="bool" value="true"/></properties></object>'
        '<object x="1" y="2"><polyline points="0,0 3,4.5"/></object><object x="9" y="9"><point/></object>'
        '<object x="4" y="4" width="8" height="8"><ellipse/></object></objectgroup></group>'
    )
    objects = [
        box(1.5, 3, 4, 5, rotation=90, name="a", properties=properties(wall=True)),
        {"x": 1, "y": 2, "polyline": [{"x": 0, "y": 0}, {"x": 3, "y": 4.5}]},
        {"x": 9, "y": 9, "point": True},
        box(4, 4, 8, 8, ellipse=True),
    ]
    data = tiled(
        layer("walls", [1, 2, 1, 0, 0, 0], 3),
        {"type": "group", "name": "g", "offsety": 8, "layers": [group("walls", *objects)]},
        tilesets=[{"firstgid": 1, "tiles": [{"id": 1, "class": "door", "properties": properties(locked=True)}]}],
    )
    one, other = scene_from_tmx(tmx(xml)), scene_from_tiled(data)
    assert one == other
    assert len(one.battle_map.walls) >= 30
    assert one.battle_map.walls[-1].state == "locked"


def test_on_the_command_line(tmp_path, capsys):
    path, result = tmp_path / "x.tmj", tmp_path / "x.txt"
    path.write_text(json.dumps(tiled(layer("Hedge", GIDS, 3), layer("floor", [1, 1, 1, 1, 0, 9], 3))), encoding="utf-8")
    words = ["convert", str(path), str(result), "--solid-layers", "hedge, rock", "--empty", "void", "--feet-per-square", "10"]
    assert main(words) == 0
    assert result.read_text(encoding="utf-8") == ".#.\n# .\n\nscene name=x feet_per_square=10\n"
    assert capsys.readouterr().err == ""
    assert main(["convert", str(path), str(result), "--tile-property", "hp", "--letter", "x=wall"]) == 1
    assert "letters: for maps of MovingAI and drawings of roguelike games only" in capsys.readouterr().err


def test_limits(tmp_path):
    objects = group("walls", box(0, 0, 9, 9), box(0, 0, 5, 5))
    data = tiled(layer("walls", [1, 0, 1, 0, 0, 0], 3), objects, layer("doors", [0, 1, 0, 0, 0, 0], 3))
    with pytest.raises(MapFileError, match="more than 10000 layers"):
        scene_from_tiled(tiled(*[group("a")] * 10_001))
    for limits in ({"squares": 5}, {"walls": 7}, {"walls": 8}):
        with pytest.raises(MapFileError, match=rf"Limits\({next(iter(limits))}="):
            scene_from_tiled(data, limits=Limits(**limits))
    assert len(scene_from_tiled(data, limits=Limits(squares=6, walls=9)).battle_map.walls) >= 8
    with pytest.raises(MapFileError, match=r"more than 16 full layers of tiles; Limits\(squares="):
        scene_from_tiled(tiled(*[layer("a", GIDS, 3)] * 17), limits=Limits(squares=6))
    assert scene_from_tiled(tiled(*[layer("a", GIDS, 3)] * 16), limits=Limits(squares=6)).battle_map.cols == 3
    with pytest.raises(MapFileError, match=r"line 3: more than 10 elements a wall; Limits\(walls="):
        scene_from_tmx(tmx("<objectgroup>" + "<object/>" * 99 + "</objectgroup>"), limits=Limits(walls=9))
    with pytest.raises(MapFileError, match=r"line 3: more tiles than squares are allowed; Limits\(squares="):
        scene_from_tmx(tmx("<layer><data>" + "<tile/>" * 99 + "</data></layer>"), limits=Limits(squares=98))
    (tmp_path / "x.json").write_text(json.dumps(tiled(group("walls", *[{}] * 2000))), encoding="utf-8")
    with pytest.raises(MapFileError, match=r"2\d\d\d lists and objects, and the limit is 1020; Limits\(walls="):
        load(tmp_path / "x.json", limits=Limits(walls=1))


numbers = st.one_of(st.integers(-40, 90), st.decimals(-40, 90, places=3).map(float))
objects = st.one_of(
    st.builds(box, numbers, numbers, numbers.map(abs), numbers.map(abs), rotation=st.sampled_from([0, 90, -45, 12.5])),
    st.builds(
        lambda x, y, points, key: {"x": x, "y": y, key: [{"x": px, "y": py} for px, py in points]},
        numbers, numbers, st.lists(st.tuples(numbers, numbers), max_size=4), st.sampled_from(["polygon", "polyline"]),
    ),
)  # fmt: skip


@given(
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.lists(st.integers(0, 1), min_size=6, max_size=6),
    st.lists(objects, max_size=4),
    st.tuples(st.integers(1, 70), st.integers(1, 70)),
)
def test_loading_writing_loading(solid, doors, drawn, tile):
    data = tiled(layer("walls", solid, 3), layer("doors", doors, 3), group("walls", *drawn), tile=tile)
    scene = scene_from_tiled(data)
    again = scene_from_json(to_scene_json(scene))
    assert again == scene
    assert again.battle_map.repairs == scene.battle_map.repairs == ()
