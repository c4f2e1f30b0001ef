"""``gridlos field``: what it draws, what it writes, how it fails."""

import json
from pathlib import Path

import pytest

import gridlos

MAP = """
A....
.##..
....B
"""


@pytest.fixture
def drawn(tmp_path):
    path = tmp_path / "map.txt"
    path.write_text(MAP, encoding="utf-8")
    return path


def test_a_drawing(run, drawn):
    """Marks that follow from the lines: two of four are blocked to the square east of the wall, one to that south-east of A."""
    code, out, err = run("field", drawn, "--edition", "pathfinder1", "--attacker", "A")
    assert (code, err) == (0, [])
    head, picture, legend = out.split("\n\n")
    assert head == "cover from A:"
    rows = [line.strip() for line in picture.splitlines()]
    assert (rows[0], rows[1][:4], rows[2][:2]) == ("A....", ".##3", ".2")
    assert "3  cover" in legend
    assert "2  partial" in legend
    assert "A  the attacker" in legend


def test_all_attackers_and_a_file(run, drawn, tmp_path):
    result = tmp_path / "field.json"
    assert run("field", drawn, "--edition", "dnd5e", "--format", "json", "-o", result) == (0, "", [])
    content = json.loads(result.read_text(encoding="utf-8"))
    found = gridlos.field(gridlos.load(drawn), edition="dnd5e")
    assert content["attackers"] == ["A", "B"]
    assert content["is_open"] == found.is_open.tolist()
    assert content["columns"]["cover"] == found.cover.tolist()
    assert content["words"]["cover"] == list(found.degrees)
    assert content["columns"].keys() == found.columns.keys()


def test_what_cannot_be_attacked(run, tmp_path):
    path = Path(tmp_path / "wall.txt")
    path.write_text("A#.\n.#.\n", encoding="utf-8")
    _, out, _ = run("field", path, "--edition", "dnd5e")
    assert [line.strip() for line in out.splitlines()[2:4]] == ["A#x", ".#x"]


def test_a_big_creature(run, drawn):
    """It takes up four squares: its top left one is on no square of the last row and column, nor next to the walls."""
    _, out, _ = run("field", drawn, "--edition", "dnd5e", "--attacker", "A", "--size", "large")
    rows = [line.strip() for line in out.splitlines()[2:5]]
    assert [[mark == "#" for mark in row] for row in rows] == [
        [False, True, True, False, True],
        [True, True, True, False, True],
        [True] * 5,
    ]
    assert rows[0][0] == "A"
    with pytest.raises(SystemExit, match="2"):
        run("field", drawn, "--edition", "dnd5e", "--size", "vast")


def test_a_big_attacker(run, tmp_path):
    """It is marked on all of its squares."""
    path = tmp_path / "big.txt"
    path.write_text("..GG.\n..GG.\n.....\n\nG size=large\n", encoding="utf-8")
    _, out, _ = run("field", path, "--edition", "dnd5e")
    assert [line.strip() for line in out.splitlines()[2:5]] == ["..AA.", "..AA.", "....."]


def test_who_is_not_there(run, drawn):
    code, out, err = run("field", drawn, "--edition", "dnd5e", "--attacker", "Z")
    assert (code, out) == (1, "")
    assert err[0].startswith(f"gridlos: {drawn}: attacker 'Z': no creature has that id")


def test_an_unknown_option(run, drawn):
    code, _, err = run("field", drawn, "--edition", "dnd5e", "--option", "colour=red")
    assert code == 1
    assert "colour" in err[0]
