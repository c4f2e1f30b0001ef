"""What a board keeps of its creatures, change by change, is what is found of them anew."""

from __future__ import annotations

import boards
import numpy as np
import pytest

import gridlos
from gridlos.errors import QuestionError, SceneError
from gridlos.questions.asked import Asked
from gridlos.questions.between import SOFT_LINES
from gridlos.questions.traits import CROWDED, ENGAGED
from gridlos.scene import Scene


def kept_by(asked):
    """What is kept with the bodies of a scene, of pairs of two creatures."""
    n, kept = len(asked.scene.ids), asked.bodies.kept
    found = {name: kept[name] for name in (ENGAGED, CROWDED, asked.measures.reach_key) if name in kept}
    lines = kept.get(SOFT_LINES)
    if lines is not None:
        found |= {f"{SOFT_LINES} {way}": one for way, one in zip(("forth", "back"), lines, strict=True)}
    return {name: np.where(np.eye(n), 0, one) if one.ndim == 2 else one for name, one in found.items()}


def anew(asked):
    """The same scene, of which nothing is known, asked about everybody."""
    scene = asked.scene
    copied = Scene(scene.battle_map, scene.creatures, scene.lights, scene.light, scene.options, scene.overrides)
    found = Asked.of(copied, asked.edition, asked.attack, None)
    everybody = np.arange(len(scene.ids))
    found.facts(everybody, everybody)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_what_is_kept_is_what_is_found_anew(seed):
    rng = np.random.default_rng([seed, 7])

    def below(bound):
        return int(rng.integers(bound))

    scene, question = boards.build_board(below)
    question.pop("observer", None)
    board = gridlos.Board(scene, **question)
    for k in range(8):
        method, arguments, options = boards.build_change(below, board, question["edition"], k)
        try:
            getattr(board, method)(*arguments, **options)
        except (SceneError, QuestionError):
            continue
        kept, expected = kept_by(board._asked), kept_by(anew(board._asked))
        assert kept.keys() <= expected.keys()
        for name, values in kept.items():
            assert np.array_equal(values, expected[name]), (name, method, arguments)


@pytest.mark.parametrize("attack", ["ranged", "melee"])
def test_moves_keep_all_of_it(attack):
    """Creatures of one square and of more; a mover who gives no cover, too."""
    more = {name: {"side": "raiders"} for name in "TUO"} | {name: {"side": "party"} for name in "ABC"}
    more["B"]["size"], more["U"]["gives_cover"] = "large", False
    scene = Scene.from_drawing("A.....\n..T..O\n......\n.B....\nC....U", creatures=more)
    board = gridlos.Board(scene, edition="pathfinder1", attack=attack)
    for name, at in (("T", (2, 2)), ("U", (3, 3)), ("B", (4, 2)), ("A", (2, 1)), ("A", (0, 0)), ("B", (0, 1))):
        board.move(name, at)
        kept, expected = kept_by(board._asked), kept_by(anew(board._asked))
        assert kept.keys() == expected.keys()
        assert {f"{SOFT_LINES} forth", ENGAGED if attack == "ranged" else board._asked.measures.reach_key} <= kept.keys()
        for key, values in kept.items():
            assert np.array_equal(values, expected[key]), (key, name)
