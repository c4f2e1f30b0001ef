"""The facts of a list of pairs are those of all pairs, at these."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scene_strategies import scenes

from gridlos import Scene, evaluate
from gridlos.facts import Attack, PairFacts, Traits
from gridlos.questions.asked import Asked
from gridlos.questions.hiding import ALL_OF
from gridlos.rules import Question, edition_ids, judge, load_edition

OF_CHOICES = {
    "attacker_square", "target_square", "hard", "usable", "counted", "along", "soft", "hidden", "concealed",
    "concealed_at_border", "fog_depth", "plain", "hidden_area",
}  # fmt: skip
OF_ATTACKERS = {"attackers", "crowded"}
OF_TARGETS = {"targets", "target_concealed", "target_in_fog"}
EDITIONS = [load_edition(name) for name in edition_ids()]


def expected_of(whole, pairs):
    """The facts that a list of pairs should have, taken one by one from those of everybody against everybody."""
    rows, columns = pairs.T
    n = whole.shape[1]
    parts = [slice(*whole.choice_start[k : k + 2]) for k in (rows * n + columns).tolist()]
    chosen = np.concatenate([np.arange(one.start, one.stop) for one in parts] or [np.zeros(0, np.int64)])
    found = {"choice_start": np.cumsum([0, *(one.stop - one.start for one in parts)]), "listed": True}
    for one in dataclasses.fields(PairFacts):
        name, values = one.name, getattr(whole, one.name)
        if values is None or name in found:
            found.setdefault(name, values)
        elif name in OF_CHOICES:
            found[name] = values[chosen]
        elif name == "tagged":
            found[name] = tuple((word, nibbles[chosen]) for word, nibbles in values)
        elif name == "centre_tagged":
            found[name] = tuple((word, met[rows, columns][:, None]) for word, met in values)
        elif isinstance(values, Traits):
            found[name] = values.of(rows if name == "attackers" else columns)
        elif name in OF_ATTACKERS | OF_TARGETS:
            found[name] = values[rows if name in OF_ATTACKERS else columns]
        else:
            found[name] = values[rows, columns][:, None]
    return found


def parts_of(name, value):
    """The arrays of a fact, by name."""
    if isinstance(value, Traits):
        return {f"{name}.{one.name}": getattr(value, one.name) for one in dataclasses.fields(Traits)}
    if name in {"tagged", "centre_tagged"} and value is not None:
        return {f"{name} {word}": array for word, array in value}
    return {name: value}


def told_in_full(facts, expected):
    """The facts with what special walls hide, where these are near none of the pairs and it goes without saying."""
    if facts.hidden is not None or expected["hidden"] is None:
        return facts
    tagged = tuple((word, np.zeros_like(nibbles)) for word, nibbles in expected["tagged"] or ()) or None
    plain = None if expected["plain"] is None else facts.hard
    return dataclasses.replace(facts, hidden=ALL_OF[facts.hard], tagged=tagged, plain=plain)


def assert_equal_facts(facts, expected, pairs):
    facts = told_in_full(facts, expected)
    rows, columns = pairs.T
    alone = rows == columns
    alone_choices = np.repeat(alone, np.diff(facts.choice_start))
    assert np.array_equal(facts.choice_start, expected["choice_start"])
    for name, value in expected.items():
        found, wanted = (parts_of(name, one) for one in (getattr(facts, name), value))
        assert found.keys() == wanted.keys()
        for part, array in wanted.items():
            if not isinstance(array, np.ndarray):
                assert found[part] == array or list(found[part]) == list(array), part
                continue
            assert (found[part].dtype, found[part].shape) == (array.dtype, array.shape), part
            meaningless = alone_choices if name in OF_CHOICES | {"tagged"} else alone
            kept = ~meaningless if len(meaningless) == len(array) and name not in OF_ATTACKERS | OF_TARGETS else slice(None)
            assert np.array_equal(found[part][kept], array[kept]), part


@given(scenes(), st.data())
def test_facts_of_listed_pairs(scene, data):
    """Any pairs in any order, some twice, some of a creature with itself."""
    n = len(scene.creatures)
    edition = data.draw(st.sampled_from(EDITIONS))
    attack = data.draw(st.sampled_from((Attack.RANGED, Attack.MELEE)))
    one = st.integers(0, n - 1)
    pairs = data.draw(st.lists(st.tuples(one, one), max_size=12)) if n else []
    pairs = np.array(pairs, np.int64).reshape(-1, 2)
    asked = Asked.of(scene, edition, attack, None)
    everybody = np.arange(n)
    facts = asked.facts_of(pairs)
    assert facts.shape == (len(pairs), 1)
    assert_equal_facts(facts, expected_of(asked.facts(everybody, everybody), pairs), pairs)


@pytest.mark.parametrize("attack", [Attack.RANGED, Attack.MELEE])
@pytest.mark.parametrize("name", ["pathfinder1", "dnd5e", "pathfinder2"])
def test_judging_listed_pairs(name, attack):
    """The judge says of a list what the evaluation says of these pairs."""
    scene = Scene.from_drawing("""
        A.B..#..
        ..#.OO..
        C...OO.D
        .#.E...f

        O ogre large
    """)
    pairs = np.array([(a, t) for a in range(6) for t in range(6) if a != t and (a + 2 * t) % 3])[::-1]
    asked = Asked.of(scene, load_edition(name), attack, None)
    reaches = np.array([scene.creatures[a].size == "large" for a, _ in pairs.tolist()])
    listed = judge(asked.edition, asked.facts_of(pairs), Question(attack, reaches))
    whole = evaluate(scene, edition=name, attack=attack)
    for column, values in listed.columns.items():
        assert np.array_equal(values[:, 0], whole.columns[column][tuple(pairs.T)]), column
