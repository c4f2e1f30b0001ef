"""Who fights whom, and what is told about conditions."""

from __future__ import annotations

import numpy as np
import pytest

import gridlos
from gridlos.creature import Creature, Senses
from gridlos.errors import QuestionError
from gridlos.questions.creatures import bodies_of
from gridlos.questions.traits import crowded, engaged, traits_of, unknown_conditions
from gridlos.rules import load_edition
from gridlos.scene import Scene


def engagement(creatures, able=None):
    bodies = bodies_of(creatures, is_able=able)
    n = len(creatures)
    attackers, targets = np.divmod(np.arange(n * n), n)
    size = traits_of(creatures, [0.0] * len(creatures)).size
    return engaged(bodies, size, attackers, targets).reshape(n, n).tolist()


def someone(name, x, y, **more):
    return Creature(id=name, at=(x, y), **more)


def fighter(name, x, y, side, size="medium"):
    return Creature(id=name, at=(x, y), side=side, size=size)


def test_a_friend_in_melee_is_who_engages():
    archer, friend, enemy = fighter("A", 0, 0, "x"), fighter("F", 5, 0, "x"), fighter("T", 6, 0, "y")
    found = engagement([archer, friend, enemy])
    assert found[0] == [-1, -1, 0]
    assert found[1] == [-1, -1, -1]  # alone against it: no friend of its own
    assert found[2] == [-1, -1, -1]
    assert engagement([archer, fighter("F", 4, 0, "x"), enemy])[0] == [-1, -1, -1]
    assert engagement([archer, fighter("F", 5, 0, "z"), enemy])[0] == [-1, -1, -1]
    assert engagement([archer, fighter("F", 5, 0, "neutral"), enemy])[0] == [-1, -1, -1]
    nobody_able = np.array([True, False, False])
    assert engagement([archer, friend, enemy], nobody_able)[0] == [-1, -1, -1]
    assert engagement([archer, friend, enemy], np.array([True, False, True]))[0] == [-1, -1, 0]


@pytest.mark.parametrize(
    ("friends", "target", "steps"),
    [
        (["medium"], "large", 1),
        (["medium"], "huge", 2),
        (["small"], "huge", 3),
        (["large"], "medium", 0),
        (["small", "large"], "huge", 1),
    ],
)
def test_the_target_is_measured_by_the_largest_friend(friends, target, steps):
    creatures = [fighter("A", 0, 9, "x"), fighter("T", 4, 4, "y", target)]
    creatures += [fighter(f"F{k}", 3 - size.count("large"), 4 + k, "x", size) for k, size in enumerate(friends)]
    assert engagement(creatures)[0][1] == steps


def test_an_able_enemy_beside_the_shooter_crowds_him():
    archer, enemy, friend = fighter("A", 2, 2, "x"), fighter("T", 3, 3, "y"), fighter("F", 1, 2, "x")
    bodies = bodies_of([archer, enemy, friend])
    assert crowded(bodies, np.arange(3)).tolist() == [True, True, False]
    bodies = bodies_of([archer, enemy, friend], is_able=np.array([True, False, True]))
    assert crowded(bodies, np.arange(3)).tolist() == [False, True, False]
    assert crowded(bodies_of([archer, fighter("T", 4, 2, "y")]), np.arange(2)).tolist() == [False, False]


def test_traits_are_those_of_the_creatures():
    creatures = [
        Creature(id="a", at=(0, 0), size="fine", dexterity=4, shield=2, weapon="bow", conditions=("prone", "prone")),
        Creature(id="b", at=(1, 0), size="colossal", elevation=2.25, senses=Senses(low_light=True)),
    ]
    found = traits_of(creatures, [10.0, 20.0])
    assert tuple(found.conditions) == (frozenset({"prone"}), frozenset())
    assert tuple(found.weapons) == ("bow", None)
    assert (found.dexterity.tolist(), found.knows_dexterity.tolist()) == ([4, 0], [True, False])
    assert (found.shield.tolist(), found.size.tolist()) == ([2, 0], [-4, 4])
    assert found.feet.tolist() == [10_000, 2_250]
    assert found.low_light.tolist() == [False, True]
    assert tuple(traits_of(creatures, [0.0, 0.0], "crossbow").weapons) == ("crossbow", "crossbow")
    assert found.of(np.array([1, 0, 1])).feet.tolist() == [2_250, 10_000, 2_250]


def test_conditions_of_other_editions_are_warned_of_and_others_refused():
    edition = load_edition("defense")
    dazzled = [someone("A", 0, 0, conditions=("dazzled", "prone")), someone("T", 1, 0, conditions=("dazzled",))]
    assert unknown_conditions(edition, dazzled) == ("condition 'dazzled': defense has no rule for it (2 creatures)",)
    with pytest.raises(QuestionError) as raised:
        unknown_conditions(edition, [*dazzled, someone("B", 2, 0, conditions=("pron", "xyzzy"))])
    assert len(raised.value.problems) == 2
    assert "did you mean 'prone'?" in raised.value.problems[0]
    assert "'xyzzy'" in raised.value.problems[1]


def test_what_an_observer_does_not_see_is_not_there():
    scene = Scene.from_drawing(
        "A.B.T\n\nA archer party\nB bandit raiders\nT thief raiders",
        creatures={"bandit": {"hidden": True}},
    )
    seen = gridlos.evaluate(scene, edition="pathfinder1", observer="party")
    assert seen.targets == ("archer", "thief")
    assert not seen.soft.any()
    assert gridlos.evaluate(scene, edition="pathfinder1", observer="raiders").soft.any()
    assert gridlos.evaluate(scene, edition="pathfinder1").targets == ("archer", "bandit", "thief")
    with pytest.raises(QuestionError, match="bandit"):
        gridlos.evaluate(scene, edition="pathfinder1", observer="party", targets=["bandit"])
