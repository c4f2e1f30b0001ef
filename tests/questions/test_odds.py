"""Chances of the pairs of an evaluation: what the rules count for each pair, zero where no attack is possible."""

import numpy as np
import pytest

import gridlos
from gridlos.errors import QuestionError
from gridlos.rules import load_edition
from gridlos.rules.chances import odds
from gridlos.rules.strike import Strike, Swing, Weapon, parse_dice
from gridlos.scene import Scene

SCENE = Scene.from_drawing(
    """
    ........
    .A.#..T.
    .ff.....
    .fBf..C.
    ........

    A archer party
    B bandit raiders
    C chief raiders
    T thief raiders
    """
)


def strike_of(swing, verdict, bonus, defense):
    values = verdict.values
    return Strike(
        swing=swing,
        bonus=bonus + values["attack_modifier"],
        defense=defense + values["defense_modifier"],
        miss_chance=values["miss_chance"],
        flat_check=values.get("flat_check", 0),
        roll=values.get("roll", "normal"),
    )


@pytest.mark.parametrize("edition", ["pathfinder1", "dnd30", "dnd5e", "defense"])
def test_each_pair_has_the_chances_of_its_own_numbers(edition):
    found = gridlos.evaluate(SCENE, edition=edition)
    bonus, defense = [4, 7, 2, 0], [13, 18, 10, 16]
    got = gridlos.chances(found, bonus=bonus, defense=defense, damage="1d8+3", threat=19, multiplier=3)
    dice = load_edition(edition).table.dice
    swing = Swing(Weapon(parse_dice("1d8+3"), 19, 3))
    n_possible = 0
    for verdict in found:
        i, j = found.attackers.index(verdict.attacker), found.targets.index(verdict.target)
        expected = odds(dice, strike_of(swing, verdict, bonus[i], defense[j]))
        if verdict.can_attack:
            n_possible += 1
            assert (got.hit[i, j], got.critical[i, j], got.damage[i, j]) == tuple(
                float(one) for one in (expected.hit, expected.critical, expected.damage)
            )
        else:
            assert (got.hit[i, j], got.damage[i, j]) == (0, 0)
    assert n_possible > 4
    assert not np.diagonal(got.hit).any()


def test_one_number_serves_all():
    found = gridlos.evaluate(SCENE, edition="dnd5e", attackers=["archer"])
    one = gridlos.chances(found, bonus=4, defense=13, damage="1d6")
    many = gridlos.chances(found, bonus=[4], defense=[13] * 4, damage=Swing(Weapon(parse_dice("1d6"))))
    assert one.hit.tolist() == many.hit.tolist()
    assert one.hit.shape == (1, 4)


def test_bad_numbers_are_told():
    found = gridlos.evaluate(SCENE, edition="dnd5e")
    with pytest.raises(QuestionError, match="one for each attacker"):
        gridlos.chances(found, bonus=[1, 2], defense=10, damage="1d6")
    with pytest.raises(QuestionError, match="no sum of dice"):
        gridlos.chances(found, bonus=1, defense=10, damage="1x6")
    with pytest.raises(QuestionError, match="whole"):
        gridlos.chances(found, bonus=1.5, defense=10, damage="1d6")
    area = gridlos.evaluate(SCENE, edition="dnd5e", attack="area", origin=(1, 1))
    with pytest.raises(QuestionError, match="no attack roll"):
        gridlos.chances(area, bonus=1, defense=10, damage="1d6")
