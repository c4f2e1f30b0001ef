"""Drawings of roguelike games: signs by custom, legends, doors, how they are told from gridlos's own drawings."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos.cli import main
from gridlos.errors import MapFileError, QuestionError
from gridlos.formats import Limits, load, load_legend, scene_from_json, scene_from_roguelike, to_scene_json
from gridlos.scene import Scene


def walls(scene):
    return [(*wall.start, *wall.end, wall.kind, wall.state) for wall in scene.battle_map.walls]


def test_signs_by_custom():
    scene = scene_from_roguelike("┌─#|\n.·<>\n~_ █")
    assert scene.battle_map.to_rows() == ["####", "....", "~. #"]
    assert scene.warnings == ()


@pytest.mark.parametrize(("sign", "state"), [("+", "closed"), ("'", "open"), ("/", "open"), ("\\", "open")])
def test_doors_hang_between_walls(sign, state):
    upright = scene_from_roguelike(f"###\n.{sign}.\n###")
    level = scene_from_roguelike(f"#.#\n#{sign}#\n#.#")
    assert walls(upright) == [(1.5, 1, 1.5, 2, "door", state)]
    assert walls(level) == [(1, 1.5, 2, 1.5, "door", state)]
    assert upright.battle_map.to_rows()[1] == "..."


def test_double_doors_hang_between_each_other():
    scene = scene_from_roguelike("#..#\n#++#\n#..#")
    assert [wall[:4] for wall in walls(scene)] == [(1, 1.5, 2, 1.5), (2, 1.5, 3, 1.5)]
    scene = scene_from_roguelike("....\n#++#\n#++#\n....")
    assert [wall[:4] for wall in walls(scene)] == [(1, 1.5, 2, 1.5), (2, 1.5, 3, 1.5), (1, 2.5, 2, 2.5), (2, 2.5, 3, 2.5)]


def test_a_door_at_the_border_hangs_between_what_is_drawn():
    assert walls(scene_from_roguelike("#+#\n#.#"))[0][:4] == (1, 0.5, 2, 0.5)
    assert walls(scene_from_roguelike("##\n.+\n##"))[0][:4] == (1.5, 1, 1.5, 2)


def test_doors_between_no_walls():
    scene = scene_from_roguelike("#....\n.+.'.\n.....")
    assert walls(scene) == []
    assert (scene.battle_map.kind_of(1, 1).kind, scene.battle_map.kind_of(3, 1).kind) == ("door", "open")
    assert scene.warnings == ("doors without a wall on two sides, which fill their square (2): (1, 1), (3, 1)",)


def test_things_that_nobody_explained_are_floor_and_told():
    scene = scene_from_roguelike("#@.gT!#")
    assert scene.battle_map.to_rows() == ["#.....#"]
    assert scene.creatures == ()
    said = "letters that nobody has explained (letters), read as floor (4): '@' at (1, 0), 'g' at (3, 0), 'T' at (4, 0) and 1 more"
    assert scene.warnings == (said,)


def test_creatures_only_where_the_legend_says_so():
    letters = {
        "@": {"creature": {"id": "hero", "side": "party"}},
        "g": "creature goblins",
        "T": {"creature": {"size": "large"}, "on": "water"},
    }
    scene = scene_from_roguelike("#####\n#@.g#\n#g.TT\n#T.TT\n#...", letters={**letters, "#": "wall"})
    found = [(one.id, one.at, one.side, one.size) for one in scene.creatures]
    assert found[:3] == [("hero", (1, 1), "party", "medium"), ("g 1", (3, 1), "goblins", "medium"), ("g 2", (1, 2), "goblins", "medium")]
    assert [(one.id, one.occupied) for one in scene.creatures[3:]] == [("T 1", (3, 2, 2, 2)), ("T 2", (1, 3, 2, 2))]
    assert scene.battle_map.to_rows()[2] == "#..~~"


def test_a_legend_goes_before_custom():
    letters = {"#": "brush", ".": "wall", "w": {"kind": "low wall", "top": 2}, "D": "secret door", "|": "open door"}
    letters |= {"x": "locked door", "p": "portcullis"}
    scene = scene_from_roguelike(".....\n#DwD#\n.....", letters=letters)
    assert scene.battle_map.to_rows() == ["#####", "b.a.b", "#####"]
    assert scene.battle_map.kind_of(2, 1).top == 2
    assert {wall[4] for wall in walls(scene)} == {"secret door"}
    for letter, look in (("|", ("door", "open")), ("x", ("door", "locked")), ("p", ("portcullis", None))):
        assert walls(scene_from_roguelike(f"...\n#{letter}#\n...", letters=letters))[0][4:] == look


def test_ragged_rows_tails_and_indentation():
    scene = scene_from_roguelike("\ufeff\n\n    ####\r\n    #.#  \r\n\r\n    ##\n\n".removeprefix("\ufeff"))
    assert scene.battle_map.to_rows() == ["####", "#.# ", "    ", "##  "]


@pytest.mark.parametrize(
    "text",
    ["A cave:\n\n```text\n#+#\n```\nIt's dark.\n", "map:\n#+#\n", "Title - it's\nMap:\n\n#+#\n", "```\n#+#\n"],
)
def test_a_block_within_prose(text, tmp_path):
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    assert load(tmp_path / "x.txt").battle_map.to_rows() == ["#.#"]


@pytest.mark.parametrize("text", ["#.#\n#A#", "A.#\n\nA archer party\nwall (0, 0)-(1, 0) door open", "|  #|\n|..#|", "#c#\n\nscene name=x"])
def test_own_drawings_stay_what_they_are(text, tmp_path):
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    assert load(tmp_path / "x.txt") == Scene.from_drawing(text)


def test_own_drawings_with_a_wrong_letter_stay_errors(tmp_path):
    for text in ("#x.A", "#+A\n\nA archer", "#+#\n\nlegend x wall", "words of somebody"):
        (tmp_path / "x.txt").write_text(text, encoding="utf-8")
        with pytest.raises(MapFileError, match=r"unknown letter|no square is marked|statement|begins with|letters, the first"):
            load(tmp_path / "x.txt")


def test_letters_make_any_text_a_drawing_of_a_game(tmp_path):
    (tmp_path / "x.dungeon").write_text("#A.", encoding="utf-8")
    with pytest.raises(MapFileError, match=r"not a format that gridlos reads: \.dungeon"):
        load(tmp_path / "x.dungeon")
    assert load(tmp_path / "x.dungeon", letters={"A": "creature"}).ids == ("A",)
    with pytest.raises(MapFileError, match=r"weld: for Universal VTT maps, .* and maps of Tiled only, and"):
        load(tmp_path / "x.dungeon", letters={}, weld=0)


@pytest.mark.parametrize(
    ("text", "letters", "said"),
    [
        ("#.§", {}, "line 1, column 3: '§' stands for nothing known"),
        ("\n#.\t#", {}, "line 2, column 3: a tab"),
        ("map:\n\n", {}, "line 3: no row is drawn"),
        ("#A#", {"A": {"creature": {"space": [9, 9]}}}, "$.creatures[0].at: creature 'A' at (1, 0), 9 by 9 squares, is off the map"),
        ("AB", {"A": {"creature": {"id": "B"}}, "B": {"creature": {"id": "B"}}}, ""),
    ],
)
def test_bad_drawings(text, letters, said):
    if not said:
        assert scene_from_roguelike(text, letters=letters).ids == ("B 1", "B 2")
        return
    with pytest.raises(MapFileError) as caught:
        scene_from_roguelike(text, file="x.txt", letters=letters)
    assert str(caught.value).startswith(f"x.txt: {said}")


@pytest.mark.parametrize(
    ("meaning", "said"),
    [
        ("wal", "unknown word 'wal'; did you mean 'wall'"),
        (7, "expected a word"),
        ({"knd": "wall"}, "knd"),
        ({"creature": 7}, "a creature is"),
        ({"creature": {}, "onn": "wall"}, "a creature is"),
        ({"creature": {}, "on": "door"}, "a creature is"),
        ({"creature": {"sze": "small"}}, "sze"),
        ({"kind": "wall", "top": -1, "bottom": 3}, "bottom"),
    ],
)
def test_bad_legends(meaning, said, tmp_path):
    with pytest.raises(QuestionError, match=said):
        scene_from_roguelike("#x", letters={"x": meaning})
    path = tmp_path / "legend.json"
    path.write_text(json.dumps({"x": meaning}), encoding="utf-8")
    with pytest.raises(MapFileError, match=said) as caught:
        load_legend(path)
    assert str(caught.value).startswith(f'{path}: letters["x"]: ')


def test_a_legend_in_a_file(tmp_path):
    path = tmp_path / "legend.json"
    path.write_text('{"T": "brush", "@": "creature heroes"}', encoding="utf-8")
    assert scene_from_roguelike("T@", letters=load_legend(path)).battle_map.to_rows() == ["b."]
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(MapFileError, match="expected an object"):
        load_legend(path)
    with pytest.raises(QuestionError, match="'xy' is not one letter"):
        scene_from_roguelike("#", letters={"xy": "wall"})


def test_on_the_command_line(tmp_path, capsys):
    (tmp_path / "x.txt").write_text("#####\n#@+g#\n#####", encoding="utf-8")
    (tmp_path / "legend.json").write_text('{"@": "creature party", "g": "brush"}', encoding="utf-8")
    words = ["evaluate", str(tmp_path / "x.txt"), "--edition", "pathfinder1", "--format", "csv"]
    assert main([*words, "--legend", str(tmp_path / "legend.json"), "--letter", "g=creature goblins"]) == 0
    out, err = capsys.readouterr()
    assert (len(out.splitlines()), err) == (3, "")
    assert out.splitlines()[1].startswith("@,g")
    assert main([*words, "--letter", "g=creatur"]) == 1
    assert """letters["g"]: unknown word 'creatur'; did you mean 'creature'""" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*words, "--letter", "gwall"])


def test_limits():
    with pytest.raises(MapFileError, match=r"Limits\(squares="):  # short rows cost as much as the longest one
        scene_from_roguelike("#" * 1000 + "\n#" * 1000, limits=Limits(squares=10_000))
    with pytest.raises(MapFileError, match=r"Limits\(creatures=2\)"):
        scene_from_roguelike("gg", letters={"g": "creature"}, limits=Limits(creatures=1))
    with pytest.raises(MapFileError, match=r"Limits\(walls=1\)"):
        scene_from_roguelike("#+#\n...", limits=Limits(walls=0))


SIGNS = "#.+'~ <>|-@" + string.ascii_letters[:6]


@given(st.lists(st.text(SIGNS, max_size=7), min_size=1, max_size=6).filter(lambda rows: any(row.strip() for row in rows)))
def test_loading_writing_loading(rows):
    letters = {"@": "creature party", "a": "creature", "b": {"kind": "obstacle", "top": 3}}
    scene = scene_from_roguelike("\n".join(rows), letters=letters)
    assert scene_from_json(to_scene_json(scene)) == scene
    assert len(scene.creatures) == sum(row.count("@") + row.count("a") for row in rows)
    drawn = "".join(scene.battle_map.to_rows())
    assert drawn.count("#") == sum(row.count(sign) for row in rows for sign in "#|-")
    assert len(scene.battle_map.walls) + drawn.count("+") <= sum(row.count(sign) for row in rows for sign in "+'")
