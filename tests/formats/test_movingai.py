"""Maps of MovingAI: headers as they are found, letters, real files, bad input."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos.errors import MapFileError, QuestionError
from gridlos.formats import Limits, load, scene_from_json, scene_from_movingai, to_scene_json

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(Path(CORPUS, "movingai").iterdir()) if CORPUS else []


def rows(text, **options):
    return scene_from_movingai(text, **options).battle_map.to_rows()


@pytest.mark.parametrize(
    "text",
    [
        "type octile\nheight 2\nwidth 3\nmap\n.@T\nGSW\n",
        "type octile\nheight 2\nwidth 3\nmap\n.@T\nGSW",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@T\r\nGSW\r\n\r\n",
        "height 2\nwidth 3\nmap\n.OT\nGSW\n",
        "width 3\nheight 2\nmap\n.OT\nGSW\n",
        "\ntype octile\n\nwidth  3\nheight 2 \nmap\n.OT\nGSW\n",
    ],
)
def test_headers_as_they_are_found(text, tmp_path):
    assert rows(text) == [".##", "..~"]
    for name in ("x.map", "x.txt", "x"):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert load(tmp_path / name).battle_map.to_rows() == [".##", "..~"]


def test_letters_are_the_callers_choice():
    text = "height 1\nwidth 5\nmap\n.TWgx"
    letters = {"T": "brush", "W": {"kind": "low wall", "top": 2}, "g": "creature goblins", "x": "door"}
    scene = scene_from_movingai(text, letters=letters)
    assert scene.battle_map.to_rows() == [".bW.."]
    assert scene.battle_map.walls[0].start == (4.5, 0)
    assert scene.battle_map.kind_of(2, 0).top == 2
    assert [(one.id, one.side, one.at) for one in scene.creatures] == [("g", "goblins", (3, 0))]
    with pytest.raises(QuestionError, match=r'letters\["T"\]: unknown word \'brsh\'; did you mean \'brush\''):
        scene_from_movingai(text, letters={"T": "brsh"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("type octile\nheight 2\nwidth 2\nmap\n..\n", "line 5: 1 rows, and the header says 2"),
        ("type octile\nheight 1\nwidth 2\nmap\n..\n..\n", "line 6: 2 rows, and the header says 1"),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n.\n", "line 6: the row has 1 letters, and the header says 2"),
        ("type octile\nheight 1\nwidth 2\nmap\n.x\n", "line 5, column 2: 'x' stands for nothing known"),
        ("type octile-corner\nheight 1\nwidth 2\nmap\n00\n00\n", "line 1: a map of type 'octile-corner'"),
        ("type octile\nheight -1\nwidth 2\nmap\n", "line 2: height '-1'; give a whole number"),
        ("type octile\nheight 1e9\nwidth 2\nmap\n", "line 2: height '1e9'; give a whole number"),
        ("type octile\nheight 1\nwidth nan\nmap\n", "line 3: width 'nan'; give a whole number"),
        (f"type octile\nheight {'9' * 5000}\nwidth 2\nmap\n", "line 2: height '999"),
        ("type octile\nheight 999999999\nwidth 999999999\nmap\n.", "999999998000000001 squares, and the limit"),
        ("type octile\nheight 1\nmap\n.", "line 3: no width before the map"),
        ("type octile\nheight 1\nwidth 2\n", "no line that says map"),
        ("type octile\n", "no line that says map"),
        ("snake20x15\n....\n", "line 1: 'snake20x15' is no line of a header"),
        ("hello\n", "line 1: 'hello' is no line of a header"),
    ],
)
def test_bad_input_is_one_line_with_its_place(text, said, tmp_path):
    path = tmp_path / "x.map"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MapFileError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: {said}")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(path))


def test_no_text(tmp_path):
    path = tmp_path / "x.map"
    path.write_bytes(b"type octile\nheight 1\nwidth 2\nmap\n.\xff\n")
    with pytest.raises(MapFileError, match="line 5, byte 2: byte 0xff is not UTF-8"):
        load(path)


def test_limits():
    with pytest.raises(MapFileError, match=r"Limits\(squares=2\)"):
        scene_from_movingai("height 1\nwidth 2\nmap\n..", limits=Limits(squares=1))


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.text(".G@OTSW", min_size=n, max_size=n), min_size=1, max_size=5)))
def test_loading_writing_loading(drawn):
    scene = scene_from_movingai("\n".join([f"height {len(drawn)}", f"width {len(drawn[0])}", "map", *drawn]))
    assert scene_from_json(to_scene_json(scene)) == scene
    assert "".join(scene.battle_map.to_rows()).count("#") == sum(letter in "@OT" for row in drawn for letter in row)


@pytest.mark.parametrize("file", [file for file in FILES if "snakebird" not in file.name], ids=lambda path: path.name)
def test_real_files_have_the_counts_of_their_letters(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    body = lines[lines.index("map") + 1 :]
    battle_map = load(file).battle_map
    assert (battle_map.rows, battle_map.cols) == (len(body), len(body[0]))
    assert int((battle_map.terrain == 3).sum()) == sum(row.count(letter) for row in body for letter in "@OT")
    assert int((battle_map.terrain == 0).sum()) == sum(row.count(letter) for row in body for letter in ".GSW")
    assert (battle_map.walls, load(file).creatures, load(file).warnings) == ((), (), ())
    assert scene_from_json(to_scene_json(load(file))) == load(file)


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
def test_files_that_are_no_such_map():
    assert len(FILES) == 10
    with pytest.raises(MapFileError, match="line 1: 'snake20x15' is no line of a header"):
        load(next(file for file in FILES if "snakebird" in file.name))
