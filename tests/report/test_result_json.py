"""JSON and CSV say what the evaluation says, in the shapes that the schema and the scheme of the format fix."""

import csv
import io
import json
from pathlib import Path

import jsonschema
import msgspec
import numpy as np
import pytest

import gridlos
from gridlos.report import result_schema, shipped_result_schema, to_csv, to_json, to_pairs_json

FOLDER = Path(__file__).parents[2] / "maps"

FRAME = {
    "schema", "engine", "edition", "attack", "options", "scene", "feet_per_square", "attackers", "targets", "warnings",
    "degrees", "concealments", "save", "opportunity",
}  # fmt: skip
NAMES = ["gatehouse", "tavern", "cave", "pillars"]
QUESTIONS = [
    {"edition": "pathfinder1"},
    {"edition": "pathfinder1", "attack": "melee", "options": {"partial": "off"}},
    {"edition": "dnd5e"},
]


def evaluation(name, **question):
    return gridlos.evaluate(gridlos.load(FOLDER / f"{name}.scene.json"), **question)


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(shipped_result_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_shipped_schema_is_the_one_of_the_records():
    assert json.loads(shipped_result_schema()) == result_schema()


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_columns(name, question, validator):
    result = evaluation(name, **question)
    found = json.loads(to_json(result))
    validator.validate(found)
    assert found.keys() == FRAME | result.columns.keys()
    assert found["schema"] == "gridlos.result/1"
    assert (found["attackers"], found["targets"]) == (list(result.attackers), list(result.targets))
    assert found["degrees"] == list(result.degrees)
    for name, column in result.columns.items():
        for i, row in enumerate(found[name]):
            assert len(row) == len(result.targets)
            for j, value in enumerate(row):
                if not result.distinct[i, j]:
                    assert value is None
                elif name in ("evasion", "roll"):
                    assert value == result.words[name][column[i, j]]
                else:
                    assert value == column[i, j]
                    assert type(value) is type(column[i, j].item())


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_pairs(question, validator):
    result = evaluation("gatehouse", **question)
    found = json.loads(to_pairs_json(result))
    validator.validate(found)
    assert len(found) == len(result) == 132
    for pair, verdict in zip(found, result, strict=True):
        assert (pair["attacker"], pair["target"]) == (verdict.attacker, verdict.target)
        assert {key: pair[key] for key in verdict.values} == dict(verdict.values)
        assert pair["notes"] == list(verdict.notes)
        assert [(one["on"], one["value"], one["type"], one["rule"], one["text"]) for one in pair["modifiers"]] == [
            (one.on, one.value, one.type, one.rule, one.text) for one in verdict.modifiers
        ]
        assert [one.get("kept", True) for one in pair["modifiers"]] == [one.kept for one in verdict.modifiers]
        proof = pair["proof"]
        assert [tuple(proof[key]) for key in ("attacker_square", "corner", "target_square")] == [
            verdict.proof.attacker_square, verdict.proof.corner, verdict.proof.target_square,
        ]  # fmt: skip
        assert len(proof["lines"]) == len(verdict.proof.lines)
        for line, expected in zip(proof["lines"], verdict.proof.lines, strict=True):
            assert tuple(line["to"]) == expected.to
            assert line["contact"] == expected.contact.name.lower()
            assert tuple(line.get("by", ())) == expected.by
            assert line.get("counted", True) == expected.counted


def test_a_line_holds_only_what_there_is_to_say():
    scene = gridlos.Scene.from_drawing(".....\n.A...\n...T.\n.....")
    (pair, _) = json.loads(to_pairs_json(gridlos.evaluate(scene, edition="dnd5e")))
    assert pair["proof"]["lines"][0] == {"to": [3, 2], "contact": "clear"}


def test_some_attackers_and_targets(validator):
    result = evaluation("gatehouse", edition="dnd5e", attackers=["ogre", "archer"], targets=["archer", "wolf", "ogre"])
    found = json.loads(to_json(result))
    validator.validate(found)
    assert [[value is None for value in row] for row in found["cover"]] == [[False, False, True], [True, False, False]]
    assert len(json.loads(to_pairs_json(result))) == 4


def test_no_creatures(validator):
    result = gridlos.evaluate(gridlos.Scene.from_drawing("..."), edition="dnd5e")
    for content in (to_json(result), to_pairs_json(result)):
        validator.validate(json.loads(content))
    assert to_csv(result).count("\n") == 1


def test_schema_refuses_what_is_wrong(validator):
    found = json.loads(to_json(evaluation("gatehouse", edition="dnd5e")))
    for key, value in (("cover", [["half"]]), ("schema", "gridlos.result/2"), ("blocked_lines", [[5]]), ("new", 1)):
        assert not validator.is_valid({**found, key: value})
    assert not validator.is_valid({key: value for key, value in found.items() if key != "degrees"})


def test_names_in_any_letters():
    ids = ['"quoted", with a comma', "Öger 鬼", "line\nbreak"]
    scene = gridlos.Scene.from_drawing("A.T.B")
    scene = scene.with_creatures(
        [msgspec.structs.replace(one, id=name) for one, name in zip(scene.creatures, ids, strict=True)]
    )
    result = gridlos.evaluate(scene, edition="dnd5e")
    assert json.loads(to_json(result))["attackers"] == ids
    assert {row["target"] for row in csv.DictReader(io.StringIO(to_csv(result), newline=""))} == set(ids)


def test_feet_that_are_no_whole_number(validator):
    scene = gridlos.Scene.from_drawing("A.T\n\nscene feet_per_square=2.5")
    found = json.loads(to_json(gridlos.evaluate(scene, edition="dnd5e")))
    validator.validate(found)
    assert (found["feet_per_square"], found["distance"]) == (2.5, [[None, 5.0], [5.0, None]])


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_csv(question):
    result = evaluation("tavern", **question)
    rows = list(csv.DictReader(io.StringIO(to_csv(result), newline="")))
    assert len(rows) == len(result)
    assert rows[0].keys() == {"attacker", "target", *result.columns}
    for row, (i, j) in zip(rows, np.argwhere(result.distinct).tolist(), strict=True):
        assert (row["attacker"], row["target"]) == (result.attackers[i], result.targets[j])
        for name, column in result.columns.items():
            value = column[i, j].item()
            if name in result.words:
                value = result.words[name][value]
            assert row[name] == (str(value).lower() if isinstance(value, bool) else str(value))
