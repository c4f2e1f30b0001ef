"""The question about all pairs: options, attackers and targets, words of the game master."""

import numpy as np
import pytest

import gridlos
from gridlos.records import Override

SCENE = gridlos.Scene.from_drawing(
    """
    .......
    .A.#.T.
    ...#...
    .B...U.
    """
)


def test_an_option_that_only_other_editions_have_is_told():
    scene = gridlos.Scene.from_drawing("A.T", options={"partial": "off"})
    assert gridlos.evaluate(scene, edition="pathfinder1").frame["options"]["partial"] == "off"
    found = gridlos.evaluate(scene, edition="dnd5e")
    assert "partial" not in found.frame["options"]
    assert "option 'partial' of the scene is none of dnd5e" in found.frame["warnings"]


def test_an_option_that_no_edition_has_is_an_error():
    scene = gridlos.Scene.from_drawing("A.T", options={"partail": "off"})
    with pytest.raises(gridlos.QuestionError, match="partial"):
        gridlos.evaluate(scene, edition="pathfinder1")
    with pytest.raises(gridlos.QuestionError, match="partial"):
        gridlos.evaluate(SCENE, edition="dnd5e", options={"partial": "off"})


@pytest.mark.parametrize("attack", ["ranged", "melee"])
def test_some_attackers_and_targets_are_a_part_of_all(attack):
    whole = gridlos.evaluate(SCENE, edition="pathfinder1", attack=attack)
    part = gridlos.evaluate(SCENE, edition="pathfinder1", attack=attack, attackers=["U", "A"], targets=["B", "A"])
    rows, columns = ([whole.attackers.index(name) for name in names] for names in (["U", "A"], ["B", "A"]))
    for name, column in part.columns.items():
        expected = whole.columns[name][np.ix_(rows, columns)]
        assert np.array_equal(column[part.distinct], expected[part.distinct]), name
    assert part["U", "B"].proof == whole["U", "B"].proof


def test_the_last_word_of_the_game_master_wins():
    words = [Override(attacker="A", target="T", degree="cover"), Override(attacker="A", target="T", degree="partial")]
    found = gridlos.evaluate(SCENE, edition="pathfinder1", overrides=words)
    assert found["A", "T"].cover == "partial"
    assert any("game master" in note for note in found["A", "T"].notes)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"attackers": ["a"]}, "'A'"),
        ({"targets": ["A", "A"]}, "twice"),
        ({"attack": "range"}, "'ranged'"),
        ({"edition": "starfinder"}, "'starfinder1'"),
        ({"overrides": [Override(target="Q", veto=True)]}, "'Q'"),
    ],
)
def test_what_does_not_exist_is_named(question, words):
    with pytest.raises(gridlos.QuestionError, match=words):
        gridlos.evaluate(SCENE, **{"edition": "pathfinder1", **question})


def test_columns_cannot_be_written():
    found = gridlos.evaluate(SCENE, edition="dnd5e")
    with pytest.raises(ValueError, match="read-only"):
        found.cover[0, 1] = 2
