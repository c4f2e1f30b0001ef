"""Where scenes of Foundry VTT lie: adventures, packs in one file, folders of sources, LevelDB folders."""

from __future__ import annotations

import builtins
import json
import os
import struct
from random import Random

import pytest
from formats.foundry_files import light, log_file, read, text_of, token, v8, v12, varint, wall, write_leveldb

from gridlos.errors import MapFileError
from gridlos.formats import Limits, foundry_scene_names, load, load_foundry, load_uvtt, scene_from_foundry
from gridlos.formats.foundry_manifest import version_of

TOMB = v8(_id="tomb", name="The Tomb", walls=[wall(400, 0, 400, 600)], tokens=[token(0, 0, name="Ghoul")])
CAVE = v12(
    _id="cave",
    name="The Cave",
    walls=[wall(300, 0, 300, 600), wall(500, 0, 500, 600, door=1, _id="gate")],
    lights=[light(50, 50, _id="lamp")],
)
JOURNAL = {"_id": "j", "name": "Notes", "content": "<p>\u2028 text</p>", "pages": []}


def lines(*documents, end="\n"):
    return (end.join(json.dumps(one, ensure_ascii=False) for one in documents) + end).encode()


def refused(path, **options):
    with pytest.raises(MapFileError) as caught:
        load(path, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- several scenes


@pytest.fixture(params=["adventure", "list", "db", "sources", "leveldb", "adventure in leveldb"])
def pack(request, tmp_path):
    """The two scenes in each place where scenes lie."""
    path = tmp_path / "pack"
    adventure = {
        "_id": "adv",
        "name": "Adventure",
        "actors": [{"walls": 1}],
        "scenes": [TOMB, CAVE],
        "journal": [JOURNAL],
    }
    if request.param == "leveldb":
        return write_leveldb(path, level_records(TOMB) + level_records(CAVE) + [("!journal!j", JOURNAL)])
    if request.param == "adventure in leveldb":
        return write_leveldb(path, [("!adventures!adv", adventure)])
    if request.param == "sources":
        (path / "maps").mkdir(parents=True)
        (path / "The_Tomb_tomb.json").write_text(json.dumps({**TOMB, "_key": "!scenes!tomb"}), encoding="utf-8")
        (path / "maps" / "cave.json").write_text(json.dumps(CAVE, indent=2), encoding="utf-8")
        (path / "notes.json").write_text(json.dumps(JOURNAL), encoding="utf-8")
        (path / "README.md").write_text("{", encoding="utf-8")
        return path
    content = {"adventure": json.dumps(adventure).encode(), "list": json.dumps([TOMB, CAVE, JOURNAL, 5]).encode()}
    path = path.with_suffix(".db" if request.param == "db" else ".json")
    path.write_bytes(content.get(request.param) or lines(TOMB, JOURNAL, CAVE))
    return path


def level_records(scene):
    """A scene as it lies in a LevelDB folder: lists of ids, what they name in records of its own."""
    found, ids = [], {}
    for part in ("walls", "tokens", "lights", "regions"):
        entries = [{**one, "_id": one.get("_id", f"{part}{number}")} for number, one in enumerate(scene.get(part, []))]
        ids[part] = [one["_id"] for one in entries]
        found += [(f"!scenes.{part}!{scene['_id']}.{one['_id']}", one) for one in reversed(entries)]
    return [*found, (f"!scenes!{scene['_id']}", {**scene, **ids})]


def test_a_scene_by_its_name_or_id(pack):
    assert sorted(foundry_scene_names(pack)) == ["The Cave", "The Tomb"]
    for name, scene in (("The Tomb", TOMB), ("tomb", TOMB), ("The Cave", CAVE), ("cave", CAVE)):
        found = load(pack, scene=name)
        assert found == read(scene)
        assert found.warnings == ()
        assert [one.end for one in found.battle_map.walls] == [
            tuple(number / 100 for number in one["c"][2:]) for one in scene["walls"]
        ]


def test_without_a_name_all_names_are_told(pack):
    message = refused(pack)
    assert message.startswith(f"{pack}: 2 scenes are in it; name one with scene=... (--scene NAME): ")
    assert "'The Tomb'" in message
    assert "'The Cave'" in message


def test_an_unknown_name(pack):
    assert refused(pack, scene="The Tomp") == f"{pack}: no scene is called 'The Tomp'; did you mean 'The Tomb'?"


def test_the_only_scene_needs_no_name(tmp_path):
    path = tmp_path / "x.db"
    path.write_bytes(lines(JOURNAL, CAVE))
    assert load(path) == load(path, scene="The Cave") == read(CAVE)
    (tmp_path / "x.json").write_text(json.dumps(CAVE), encoding="utf-8")
    assert load(tmp_path / "x.json", scene="cave") == read(CAVE)
    assert "no scene is called 'x'" in refused(tmp_path / "x.json", scene="x")


def test_scenes_of_one_name_are_told_apart_by_their_ids(tmp_path):
    (tmp_path / "x.json").write_text(
        json.dumps(
            [
                {**TOMB, "_id": "a"},
                {**CAVE, "name": "The Tomb", "_id": "b"},
                {**TOMB, "name": ""},
                {**TOMB, "name": None, "_id": None},
            ]
        ),
        encoding="utf-8",
    )
    assert foundry_scene_names(tmp_path / "x.json") == ("a", "b", "tomb", "scene 4")
    assert len(load(tmp_path / "x.json", scene="b").battle_map.walls) == 2
    assert len(load(tmp_path / "x.json", scene="scene 4").battle_map.walls) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"scenes": []}', "there is no scene in it; give a scene or a pack of scenes"),
        (b'{"scenes": [], "name": "Adventure", "journal": [{}]}', "there is no scene in it"),
        (b'{"scenes": [1, {"walls": []}]}', "there is no scene in it; 1 other documents"),
    ],
)
def test_packs_without_scenes(tmp_path, content, words):
    (tmp_path / "x.json").write_bytes(content)
    assert words in refused(tmp_path / "x.json")


# ---- packs in one file


def test_the_last_line_counts_and_deleted_scenes_are_gone(tmp_path):
    path = tmp_path / "maps.db"
    old = {**TOMB, "walls": []}
    gone = {**CAVE, "_id": "gone", "name": "Gone"}
    path.write_bytes(
        lines(old, {"$$indexCreated": {"fieldName": "name"}}, gone, CAVE, {"_id": "gone", "$$deleted": True}, TOMB)
        + b"\n \n" + lines({"_id": "cave", "$$deleted": True}, {"_id": "nobody", "$$deleted": True}, CAVE)
    )  # fmt: skip
    assert foundry_scene_names(path) == ("The Tomb", "The Cave")
    assert load(path, scene="The Tomb") == read(TOMB)
    assert load(path, scene="The Cave") == read(CAVE)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_byte_order_marks_and_line_ends(tmp_path, start, end):
    path = tmp_path / "maps.db"
    path.write_bytes(start + lines(JOURNAL, CAVE, end=end))
    assert load(path) == read(CAVE)
    (tmp_path / "x.json").write_bytes(start + json.dumps(CAVE, indent=1).replace("\n", end).encode())
    assert load(tmp_path / "x.json") == read(CAVE)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the pack is empty; newer versions leave such a file beside a folder of the same name"),
        (b" \n\n", "the pack is empty"),
        (lines(JOURNAL) + lines(CAVE)[:200] + b"\n", "line 2, column 199: broken JSON: unterminated string"),
        (lines(JOURNAL) + b"[1]\n", "line 2: a pack has one JSON object a line"),
        (lines(JOURNAL) + b"5\n", "line 2: a pack has one JSON object a line"),
        (lines(JOURNAL) + b'{"a": \xe9}\n', "line 2, byte 7: byte 0xe9 is not UTF-8"),
        (b"PK\x03\x04...", "zip archive"),
        (b"version https://git-lfs.github.com/spec/v1\n", "pointer of Git LFS"),
        (b"SQLite format 3\x00", "binary data"),
        (lines(JOURNAL, {"_id": "k"}), "there is no scene in it; 2 other documents are in it"),
        (lines(CAVE).replace(b'"grid"', b'"grid": 5, "grid"', 1), 'line 1: the key "grid" stands twice'),
    ],
)  # fmt: skip
def test_packs_that_are_refused(tmp_path, content, words):
    path = tmp_path / "maps.db"
    path.write_bytes(content)
    assert words in refused(path)


# ---- folders of sources


def test_links_that_leave_the_folder_are_refused(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(CAVE), encoding="utf-8")
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "cave.json").symlink_to(tmp_path / "x.json")
    assert "cave.json: this is a link that leaves the folder" in refused(tmp_path / "sources")


def test_what_is_wrong_in_a_folder_names_its_file(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(CAVE), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(TOMB)[:-1], encoding="utf-8")
    assert refused(tmp_path, scene="The Cave").startswith(f"{tmp_path / 'b.json'}: line 1, column ")
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    assert load(tmp_path) == read(CAVE)
    (tmp_path / "a.json").unlink()
    assert "this is a folder, and there is no scene in it; 1 other documents" in refused(tmp_path)


def test_limits_of_folders(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.json").write_text(json.dumps(CAVE), encoding="utf-8")
    size = 3 * len(json.dumps(CAVE))
    assert "3 scenes" in refused(tmp_path, limits=Limits(file_bytes=size))
    assert f"more than {size - 1} bytes; Limits(file_bytes=...)" in refused(
        tmp_path, limits=Limits(file_bytes=size - 1)
    )


# ---- LevelDB folders


def test_nothing_is_written_to_a_leveldb_folder(tmp_path):
    folder = write_leveldb(tmp_path / "pack", level_records(CAVE))
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    folder.chmod(0o555)
    try:
        assert load(folder) == read(CAVE)
    finally:
        folder.chmod(0o755)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


def test_the_newest_record_counts_and_deleted_ones_are_gone(tmp_path):
    records = level_records(CAVE)
    old = [(key, {**value, "c": [0, 0, 9, 9]}) for key, value in records if ".walls" in key]
    gone = [("!scenes!gone", {**CAVE, "_id": "gone"}), ("!scenes!gone", None)]
    folder = write_leveldb(tmp_path / "pack", [*old, *gone, *records])
    assert load(folder) == read(CAVE)


def test_files_that_the_manifest_does_not_name_are_ghosts(tmp_path):
    folder = write_leveldb(
        tmp_path / "pack", level_records(CAVE), stale=[("!scenes!ghost", {**TOMB, "_id": "ghost", "name": "Ghost"})]
    )
    assert foundry_scene_names(folder) == ("The Cave",)


def test_the_order_of_walls_is_the_scenes_and_what_is_lacking_is_told(tmp_path):
    records = [(key, value) for key, value in level_records(CAVE) if not key.endswith(".gate")]
    orphan = ("!scenes.walls!cave.orphan", wall(100, 0, 100, 600))
    scene = load(write_leveldb(tmp_path / "pack", [*records, orphan]))
    assert [one.start for one in scene.battle_map.walls] == [(3, 0)]
    assert scene.load_warnings == ("walls that the pack lacks, left out (1): walls[1]",)


def test_regions_with_their_behaviours(tmp_path):
    region = {"_id": "r", "behaviors": ["b", "none"]}
    behaviour = ("!scenes.regions.behaviors!cave.r.b", {"type": "modifyMovementCost"})
    folder = write_leveldb(tmp_path / "pack", [*level_records({**CAVE, "regions": [region]}), behaviour])
    assert load(folder).load_warnings == ("regions of difficult terrain, which nothing uses (1): regions[0]",)


def test_values_that_are_longer_than_a_block(tmp_path):
    many = {**CAVE, "walls": [wall(x, 0, x, 600) for x in range(100, 700)], "flags": {"text": "x" * 100_000}}
    assert load(write_leveldb(tmp_path / "pack", level_records(many))) == read(many)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "CURRENT").unlink(), "the LevelDB folder has no file CURRENT"),
        (lambda folder: (folder / "CURRENT").write_bytes(b""), "CURRENT: CURRENT names '', and that is no manifest in the folder"),
        (lambda folder: (folder / "CURRENT").write_bytes(b"\xff\x00" * 9), "CURRENT names "),
        (lambda folder: (folder / "CURRENT").write_bytes(b"../MANIFEST-000002"), "names '../MANIFEST-000002', and that is no manifest"),
        (lambda folder: (folder / "CURRENT").write_bytes(b"MANIFEST-000009\n"), "names 'MANIFEST-000009', and that is no manifest"),
        (lambda folder: (folder / "MANIFEST-000002").write_bytes(b"\x07" * 500), "MANIFEST-000002: the manifest is damaged"),
        (lambda folder: cut(folder / "MANIFEST-000002", 20), "MANIFEST-000002: the manifest is damaged: it is cut off"),
        (lambda folder: (folder / "000004.log").write_bytes(b"\x09" * 5000), "is damaged"),
        (lambda folder: add_table(folder, 7, 100, 99), "the table 000007.ldb has 99 bytes and should have 100"),
        (lambda folder: add_table(folder, 7, 100, None), "the table 000007.ldb is missing"),
        (lambda folder: add_table(folder, 7, 100, 100), "the file 000007 in it is damaged"),
    ],
)  # fmt: skip
def test_damaged_leveldb_folders(tmp_path, change, words):
    folder = write_leveldb(tmp_path / "pack", level_records(CAVE))
    (folder / "000009.ldb").write_bytes(b"")  # left over; a folder without CURRENT is still known by it
    change(folder)
    assert words in refused(folder)


def cut(path, n_bytes):
    path.write_bytes(path.read_bytes()[:-n_bytes])


def add_table(folder, number, size, found):
    key = b"k" + struct.pack("<Q", 1)
    edit = text_of(1, b"leveldb.BytewiseComparator") + varint(2) + varint(4) + varint(9) + varint(0)
    edit += varint(7) + varint(0) + varint(number) + varint(size) + 2 * (varint(len(key)) + key)
    (folder / "MANIFEST-000002").write_bytes(log_file([edit]))
    if found is not None:
        (folder / f"{number:06d}.ldb").write_bytes(bytes(found))


def test_manifests_with_all_their_entries(tmp_path):
    folder = write_leveldb(tmp_path / "pack", [])
    edits = [
        text_of(1, b"leveldb.BytewiseComparator") + varint(2) + varint(4) + varint(9) + varint(3),
        varint(7) + varint(1) + varint(500) + varint(70_000) + varint(1) + b"a" + varint(1) + b"b",
        varint(7) + varint(1) + varint(501) + varint(9) + varint(0) + varint(0) + varint(6) + varint(1) + varint(500),
        varint(5) + varint(2) + varint(3) + b"key" + varint(3) + varint(900) + varint(4) + varint(2**50),
    ]
    (folder / "MANIFEST-000002").write_bytes(log_file(edits))
    version = version_of(folder)
    assert (version.tables, version.log, version.earlier_log) == ({501: 9}, 4, 3)
    assert version.logs([2, 3, 4, 5]) == {3, 4, 5}


def test_manifests_of_noise_are_read_or_refused(tmp_path):
    folder = write_leveldb(tmp_path / "pack", [])
    good, rng = (folder / "MANIFEST-000002").read_bytes(), Random(5)
    for _ in range(300):
        content = bytearray(good)
        for _ in range(rng.randrange(1, 8)):
            content[rng.randrange(4, len(content))] = rng.randrange(256)
        (folder / "MANIFEST-000002").write_bytes(bytes(content))
        try:
            version_of(folder)
        except MapFileError as error:
            assert "damaged" in str(error)  # noqa: PT017


def test_links_that_leave_a_leveldb_folder_are_refused(tmp_path):
    folder = write_leveldb(tmp_path / "pack", level_records(CAVE))
    (folder / "000004.log").rename(tmp_path / "000004.log")
    (folder / "000004.log").symlink_to(tmp_path / "000004.log")
    assert "000004.log: this is a link that leaves the folder" in refused(folder)


def test_limits_of_leveldb_folders(tmp_path):
    folder = write_leveldb(tmp_path / "pack", level_records(CAVE))
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert load(folder, limits=Limits(file_bytes=size)) == read(CAVE)
    assert f"the folder has {size} bytes, and the limit is {size - 1}; Limits(file_bytes={size})" in refused(
        folder, limits=Limits(file_bytes=size - 1)
    )


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("!scenes!cave", b'{"walls": [', "record !scenes!cave, line 1, column 12: broken JSON"),
        ("!scenes!cave", b"[1]", "record !scenes!cave: a record is one JSON object"),
        ("!scenes.walls!cave.walls0", b"{", "record !scenes.walls!cave.walls0, line 1, column 2: broken JSON"),
    ],
)
def test_records_that_are_no_json(tmp_path, monkeypatch, key, value, words):
    folder = write_leveldb(tmp_path / "pack", level_records(CAVE))
    dumps = json.dumps
    records = [(name, {"raw": value.decode()} if name == key else held) for name, held in level_records(CAVE)]
    monkeypatch.setattr(
        json, "dumps", lambda held: held["raw"] if isinstance(held, dict) and "raw" in held else dumps(held)
    )
    folder = write_leveldb(tmp_path / "other", records)
    assert words in refused(folder)


def test_without_the_reader_of_leveldb_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    folder = write_leveldb(tmp_path / "pack", level_records(CAVE))
    real = builtins.__import__

    def without(name, *rest):
        if name == "rleveldb":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert refused(folder).endswith("install it with: pip install 'gridlos[foundry]'")


# ---- bad input


GOOD = json.dumps(CAVE).encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (GOOD[:-1], "broken JSON: the file ends too early"),
        (GOOD[: len(GOOD) // 2], "line 1, column "),
        (GOOD + b"]", "broken JSON: extra data"),
        (GOOD.replace(b"The Cave", b"The C\xe9ve"), "byte 0xe9 is not UTF-8"),
        (GOOD[:-1] + b', "walls": []}', 'the key "walls" stands twice'),
        (GOOD.replace(b'"c": [300', b'"c": [1, 2, 3, 4], "c": [300'), 'the key "c" stands twice'),
        (GOOD[:-1] + b', "x": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deep"),
        (GOOD[:-1] + b', "tokens": ' + b"[" * 200_000 + b"]" * 200_000 + b"}", "nested too deep"),
        (GOOD.replace(b'"width": 800', b'"width": -800'), "$.width: the scene is -800 pixels long"),
        (GOOD.replace(b'"width": 800', b'"width": 0'), "$.width: the scene is 0 pixels long"),
        (GOOD.replace(b'"width": 800', b'"width": "800"'), "$.width: expected a number of pixels, got a text"),
        (GOOD.replace(b'"width": 800', b'"width": null'), "$.width: expected a number of pixels, got nothing"),
        (GOOD.replace(b'"width": 800', b'"width": 1e300'), "$.width: expected a number of pixels, got a number that is not finite"),
        (GOOD.replace(b'"width": 800', b'"width": NaN'), "$.width: expected a number of pixels, got nothing"),
        (GOOD.replace(b'"width": 800', b'"width": 800000000'), "48000000 squares, and the limit is 2000000"),
        (GOOD.replace(b'"height": 600', b'"height": []'), "$.height: expected a number of pixels, got a list"),
        (GOOD.replace(b'"size": 100', b'"size": 0'), "$.grid.size: a square of 0 pixels"),
        (GOOD.replace(b'"size": 100', b'"size": -100'), "$.grid.size: a square of -100 pixels"),
        (GOOD.replace(b'"size": 100', b'"size": 69.42'), "$.grid.size: a square of 69.42 pixels; give a whole number"),
        (GOOD.replace(b'"size": 100', b'"size": true'), "$.grid.size: expected a number of pixels, got true or false"),
        (GOOD.replace(b'"size": 100', b'"size": 16777216'), "lattice units are too large"),
        (GOOD.replace(b'"padding": 0', b'"padding": -1'), "$.padding: a padding of -1 sides"),
        (GOOD.replace(b'"padding": 0', b'"padding": "0.25"'), "$.padding: expected a number of sides, got a text"),
        (GOOD.replace(b'"offsetX": 0', b'"offsetX": {}'), "$.background.offsetX: expected a number of pixels, got an object"),
        (GOOD.replace(b'"distance": 5', b'"distance": 0'), "distance of the grid: a square is the number 0 of 'ft' wide"),
        (GOOD.replace(b'"distance": 5', b'"distance": "5"'), "distance of the grid: a square is a text of 'ft' wide"),
        (GOOD.replace(b'"distance": 5', b'"distance": 1e9'), "$.feet_per_square: 1000000000.0 feet in a square"),
    ],
)  # fmt: skip
def test_refused_with_one_line(tmp_path, content, words):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    message = refused(path)
    assert words in message
    assert message.startswith(f"{path}: ")


@pytest.mark.parametrize("part", ["walls", "tokens", "lights"])
@pytest.mark.parametrize("value", [{}, "walls", 3, True])
def test_parts_that_are_no_lists(tmp_path, part, value):
    (tmp_path / "x.json").write_text(json.dumps({**CAVE, part: value}), encoding="utf-8")
    assert f"$.{part}: expected a list, got " in refused(tmp_path / "x.json")


def test_ten_million_walls_are_refused_before_they_cost_memory():
    content = b'{"grid": 100, "walls": [' + b'{"c":[0,0,1,1]},' * 10_000_000 + b"{}]}"
    with pytest.raises(MapFileError, match=r"values, and the limit is 10000000, 100 a wall; Limits\(walls=...\)"):
        scene_from_foundry(content)


def test_too_many_walls():
    data = v12(walls=[wall(400, 0, 400, 600)] * 11)
    assert len(read(data, limits=Limits(walls=11), weld=0).battle_map.walls) == 11
    with pytest.raises(MapFileError, match=r"11 walls, and the limit is 10; Limits\(walls=11\) allows it"):
        read(data, limits=Limits(walls=10))


@pytest.mark.parametrize(
    "options",
    [{"weld": -1}, {"weld": 1}, {"weld": float("nan")}, {"feet_per_square": 0}, {"feet_per_square": float("nan")}],
)
def test_options_that_are_no_use(options):
    (name,) = options
    with pytest.raises(MapFileError, match=name.split("_", maxsplit=1)[0]):
        read(CAVE, **options)


@pytest.mark.parametrize("name", ["no/such/file.db", "a\0b.db", "x" * 5000 + ".db", "x" * 5000])
def test_no_such_file(tmp_path, name):
    with pytest.raises(MapFileError, match=r"no such file|cannot be read"):
        load(tmp_path / name)


def test_a_universal_vtt_map_takes_no_scene(tmp_path):
    path = tmp_path / "x.dd2vtt"
    path.write_text(
        '{"resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 2, "y": 2}}, "line_of_sight": []}',
        encoding="utf-8",
    )
    assert load(path) == load_uvtt(path)
    assert "scene='A': for scenes of Foundry VTT only" in refused(path, scene="A")
    assert "effect_channel: for scenes of Foundry VTT only" in refused(path, effect_channel="move")
    path.rename(tmp_path / "x.json")
    assert "scene='A': for scenes of Foundry VTT only" in refused(tmp_path / "x.json", scene="A")


def test_reading_a_pack_of_a_given_kind(tmp_path):
    path = tmp_path / "maps.db"
    path.write_bytes(lines(CAVE))
    assert load_foundry(os.fspath(path)) == load(path)
