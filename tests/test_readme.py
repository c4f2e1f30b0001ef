"""What the README says is true: its commands print what stands there, its Python runs, its examples load."""

import doctest
import json
import re
import shlex
from pathlib import Path

import pytest

import gridlos
from gridlos.cli import main
from gridlos.formats import Limits, scene_from_json
from gridlos.rules import edition_ids, load_edition

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Each command of the README that runs gridlos, with what is printed below it."""
    found = []
    for block in blocks("console"):
        for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            last = command.split(" && ")[-1]
            if last.startswith("gridlos "):
                found.append((last, printed))
    return found


@pytest.fixture(autouse=True)
def _in_a_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize(("command", "printed"), commands(), ids=[command for command, _ in commands()])
def test_commands(command, printed, capsys):
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == printed


def test_first_and_last_command():
    assert "$ pip install . && gridlos evaluate maps/gatehouse.scene.json --edition pathfinder1\n" in README
    assert "$ pip install '.[test]' && pytest\n" in README
    assert len(commands()) >= 2


def test_python(capsys):
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert found.failed == 0, capsys.readouterr().out
    assert found.attempted >= 10


def test_scene_file():
    (text,) = blocks("json")
    scene = scene_from_json(text.encode())
    assert scene.warnings == ()
    assert len(gridlos.evaluate(scene, edition="dnd5e")) == 2


def test_house_rule(tmp_path):
    (text,) = blocks("toml")
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    house, original = load_edition(path), load_edition("pathfinder1")
    assert house.table.rules["PF1-PARTIAL-COVER"] != original.table.rules["PF1-PARTIAL-COVER"]
    assert house.table.rules["PF1-COVER"] == original.table.rules["PF1-COVER"]


@pytest.mark.parametrize("edition", edition_ids())
def test_editions_and_degrees(edition):
    row, _ = re.findall(rf"^\| `{re.escape(edition)}` \|.*$", README, re.MULTILINE)  # the other one: the ambush
    degrees = row.split("|")[3]
    assert re.findall("`(.*?)`", degrees) == list(load_edition(edition).degrees)


def cell(verdict) -> str:
    """A verdict as a cell of the table of all editions."""
    values = verdict.values
    parts = [values["cover"] if values["cover"] != "none" else "", "" if values["can_attack"] else "no attack"]
    parts.append(f"{values['net_modifier']:+d}" if values["net_modifier"] else "")
    parts.append(f"{values['miss_chance']} %" if values["miss_chance"] else "")
    parts.append(f"flat check {values['flat_check']}" if values.get("flat_check") else "")
    parts.append(values["roll"] if values.get("roll", "normal") != "normal" else "")
    parts.append("combat advantage" if values.get("combat_advantage") else "")
    return ", ".join(part for part in parts if part) or "none"


def test_the_same_scene_in_all_editions():
    (head,) = re.findall(r"^\| \| .* → .*$", README, re.MULTILINE)
    pairs = [tuple(part.strip().split(" → ")) for part in head.strip("| ").split("|")]
    scene = gridlos.load("maps/ambush.scene.json")
    rows = README.split(head)[1].split("\n\n")[0].strip().splitlines()[1:]
    told = {row.split("|")[1].strip(" `"): [part.strip() for part in row.split("|")[2:-1]] for row in rows}
    assert set(told) == set(edition_ids())
    for edition, cells in told.items():
        found = gridlos.evaluate(scene, edition=edition)
        assert cells == [cell(found[pair]) for pair in pairs], edition


def test_limits():
    limits = Limits()
    for number, noun in ((limits.squares, "squares"), (limits.walls, "walls"), (limits.creatures, "creatures")):
        assert f"{number:,} {noun}" in README
    assert f"{limits.file_bytes // 2**20} MiB" in README


def test_files_that_are_named():
    for name in re.findall(r"(?:maps|tests|gridlos)/[\w/.-]*\w", README):
        assert (ROOT / name).exists(), name


def test_layers_are_those_of_the_contract():
    layers = {layer for row in re.findall(r"^\| (`.*?`) \| .*$", README.split("## Layers")[1], re.MULTILINE)
              for layer in re.findall("`(.*?)`", row)}  # fmt: skip
    folders = {path.stem for path in (ROOT / "gridlos").iterdir() if path.name not in {"__pycache__", "py.typed"}}
    assert layers == {name for name in folders if not name.startswith("__")} - {"version"}


def test_example_documents_are_json():
    documents = [json.loads(text) for text in blocks("json")]
    assert documents
    assert all(isinstance(document, dict) for document in documents)
