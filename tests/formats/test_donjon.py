"""Dungeons of donjon: doors of each kind, padding, real files, bad input."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlos import evaluate
from gridlos.creature import Creature
from gridlos.errors import MapFileError
from gridlos.facts import Stops
from gridlos.formats import Limits, load, scene_from_donjon, scene_from_json, to_scene_json

CORPUS = os.environ.get("GRIDLOS_CORPUS")
FILES = sorted(Path(CORPUS, "donjon").iterdir()) if CORPUS else []
BITS = {"room": 2, "corridor": 4, "arch": 0x10000, "door": 0x20000, "locked": 0x40000, "trapped": 0x80000,
        "secret": 0x100000, "portcullis": 0x200000}  # fmt: skip
each_file = pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)


def dungeon(*rows, **more):
    """A dungeon: ``#`` rock, ``.`` room, a letter the corridor with the door of that first letter."""
    by_letter = {name[0]: value for name, value in BITS.items()} | {"p": BITS["portcullis"], "#": 16, ".": 2 | 7 << 6}
    cells = [[by_letter[letter] | (4 if letter not in "#." else 0) for letter in row] for row in rows]
    return {"cells": cells, "cell_bit": BITS, "settings": {}, **more}


def walls(scene):
    return [(*wall.start, *wall.end, wall.kind, wall.state) for wall in scene.battle_map.walls]


@pytest.mark.parametrize(
    ("letter", "kind", "state"),
    [
        ("d", "door", "closed"),
        ("l", "door", "locked"),
        ("t", "door", "closed"),
        ("s", "secret door", "closed"),
        ("p", "portcullis", None),
    ],
)
def test_doors_of_each_kind(letter, kind, state):
    level = scene_from_donjon(dungeon("#.#", f"#{letter}#", "#.#"))
    upright = scene_from_donjon(dungeon("###", f".{letter}.", "###"))
    assert walls(level) == [(1, 1.5, 2, 1.5, kind, state)]
    assert walls(upright) == [(1.5, 1, 1.5, 2, kind, state)]
    assert level.battle_map.to_rows() == ["#.#", "#.#", "#.#"]
    assert (level.battle_map.walls[0].extra == {"trapped": True}) == (letter == "t")
    assert level.warnings == ()


@pytest.mark.parametrize(("letter", "is_through"), [("d", False), ("l", False), ("s", False), ("p", True), ("a", True)])
def test_who_stands_in_a_door_sees_both_rooms(letter, is_through):
    scene = scene_from_donjon(dungeon("#####", f"..{letter}..", "#####"))
    places = {"west": (0, 1), "between": (2, 1), "east": (4, 1)}
    found = evaluate(scene.with_creatures([Creature(id=name, at=at) for name, at in places.items()]), edition="pathfinder1")
    assert found["west", "between"].line_of_effect
    assert found["between", "east"].line_of_effect
    assert found["west", "east"].line_of_effect == is_through


def test_an_arch_is_an_open_square():
    scene = scene_from_donjon(dungeon("###", ".a.", "###"))
    assert (walls(scene), scene.battle_map.to_rows()) == ([], ["###", "...", "###"])


def test_a_door_between_no_walls_fills_its_square():
    scene = scene_from_donjon(dungeon("...", ".d.", "..."))
    assert walls(scene) == []
    assert scene.battle_map.kind_of(1, 1).kind == "door"
    assert scene.battle_map.is_solid(1, 1)
    assert scene.load_warnings == ("doors without a wall on two sides, which fill their square (1): (1, 1)",)


def test_two_doors_in_a_square_and_a_door_in_rock():
    data = dungeon("#.#", "#d#", "#.#")
    data["cells"][1][1] |= BITS["secret"]
    assert walls(scene_from_donjon(data))[0][4] == "secret door"
    assert "squares with several doors, of which one is read (1): (1, 1)" in scene_from_donjon(data).warnings
    data["cells"][1][1] = BITS["door"]
    scene = scene_from_donjon(data)
    assert scene.battle_map.to_rows()[1] == "#.#"
    assert "doors in rock, whose squares are opened (1): (1, 1)" in scene.warnings


def test_labels_and_room_numbers_are_no_floor():
    data = dungeon("##")
    data["cells"][0] = [0x7A000000 | 16, 0x7A000000 | 2 | 0xFFC0]
    assert scene_from_donjon(data).battle_map.to_rows() == ["#."]


def test_bits_are_those_of_the_file():
    data = {"cells": [[1, 8, 256]], "cell_bit": {"room": 1, "corridor": 8, "door": 256}}
    assert scene_from_donjon(data).battle_map.to_rows() == ["..."]


def test_the_scale_is_told():
    data = dungeon("#.#", rooms=[None, {"width": 50, "west": 3, "east": 7}])
    said = "rooms are measured at 10 feet a square in the file; read at 5 (feet_per_square sets it)"
    assert scene_from_donjon(data).load_warnings == (said,)
    scene = scene_from_donjon(data, feet_per_square=10)
    assert (scene.load_warnings, scene.battle_map.feet_per_square) == ((), 10)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cells": []}, "$.cells: a dungeon without cells"),
        ({"cells": [[]]}, "$.cells: a dungeon without cells"),
        ({"cells": [[1, 2], [1]]}, "$.cells[1]: the row has 1 cells"),
        ({"cells": [[1, "2"]]}, "$.cells[0][1]"),
        ({"cells": [[1, -2]]}, "$.cells[0][1]"),
        ({"cells": [[1, 2**70]]}, "$.cells[0][1]"),
        ({"cells": [[1, 2.5]]}, "$.cells[0][1]"),
        ({"cells": [[1, True]]}, "$.cells[0][1]"),
        ({"cells": [[1, None]]}, "$.cells[0][1]"),
        ({"cells": 7}, "$.cells"),
        ({"cell_bit": None}, "$.cell_bit"),
        ({"cell_bit": {"room": "2"}}, "$.cell_bit"),
        ({"settings": 7}, "$.settings"),
    ],
)
def test_bad_input_is_one_line_with_its_place(change, said):
    with pytest.raises(MapFileError) as caught:
        scene_from_donjon(dungeon("#.#") | change, file="x.json")
    assert str(caught.value).startswith(f"x.json: {said}")
    assert "\n" not in str(caught.value)


def test_limits():
    with pytest.raises(MapFileError, match=r"Limits\(squares=6\)"):
        scene_from_donjon(dungeon("#.#", "#.#"), limits=Limits(squares=5))
    with pytest.raises(MapFileError, match=r"Limits\(walls=1\)"):
        scene_from_donjon(dungeon("###", ".d.", "###"), limits=Limits(walls=0))


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.text("#.dltspa", min_size=n, max_size=n), min_size=1, max_size=6)))
def test_loading_writing_loading(rows):
    scene = scene_from_donjon(dungeon(*rows))
    assert scene_from_json(to_scene_json(scene)) == scene
    doors = Counter("".join(rows))
    n_filling = sum(scene.battle_map.kind_of(x, y).kind in ("door", "secret door", "portcullis")
                    for y in range(len(rows)) for x in range(len(rows[0])))  # fmt: skip
    assert len(scene.battle_map.walls) + n_filling == sum(doors[letter] for letter in "dltsp")
    assert int((scene.battle_map.terrain & Stops.EFFECT).astype(bool).sum()) <= doors["#"] + n_filling


@each_file
def test_real_files_have_the_counts_of_plain_json(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    scene = load(file)
    cells = [cell for row in data["cells"] for cell in row]
    bits = data["cell_bit"]
    battle_map = scene.battle_map
    assert (battle_map.rows, battle_map.cols) == (len(data["cells"]), len(data["cells"][0]))
    assert int((battle_map.terrain == 3).sum()) == sum(not cell & (bits["room"] | bits["corridor"]) for cell in cells)
    kinds = Counter((wall.kind, wall.state, wall.extra is not None) for wall in battle_map.walls)
    n = {name: sum(bool(cell & bits[name]) for cell in cells) for name in bits}
    expected = {
        ("door", "closed", False): n["door"],
        ("door", "locked", False): n["locked"],
        ("door", "closed", True): n["trapped"],
        ("secret door", "closed", False): n["secret"],
        ("portcullis", None, False): n["portcullis"],
    }
    assert kinds == Counter(expected)
    assert scene.creatures == ()
    assert scene.name == data["settings"]["name"]
    assert scene_from_json(to_scene_json(scene)) == scene


@each_file
def test_doors_of_real_files_stand_as_their_rooms_say(file):
    data = json.loads(file.read_text(encoding="utf-8"))
    offset = (len(data["cells"]) - data["settings"]["n_rows"]) // 2
    listed = {
        (door["col"] + offset, door["row"] + offset): way in ("east", "west")
        for room in data["rooms"][1:] if room
        for way, doors in room.get("doors", {}).items()
        for door in doors if door["type"] != "arch"
    }  # fmt: skip
    found = {(int(wall.start[0]), int(wall.start[1])): wall.start[0] == wall.end[0] for wall in load(file).battle_map.walls}
    assert found == listed


@pytest.mark.skipif(not CORPUS, reason="GRIDLOS_CORPUS is not set")
def test_there_are_files():
    assert len(FILES) == 4
