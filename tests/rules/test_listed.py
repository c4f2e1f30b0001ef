"""The judge on lists of pairs: what it says of each is what it says of all pairs there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import books
from rules.random_facts import concealing, degrees_of, listed, open_facts, random_facts, with_centre
from rules.test_judge import options_of

from gridlos.errors import QuestionError
from gridlos.facts import Attack
from gridlos.rules import Judgement, Override, Question, judge, load_edition, modifiers_of, notes_of

EDITIONS = [*sorted(books.COVER), "pathfinder2"]


def words_on(random: np.random.Generator, shape: tuple[int, int]) -> list[Override]:
    """Return some of the game master's words, on targets and on pairs."""
    found = []
    for _ in range(random.integers(0, 4)):
        attacker = int(random.integers(0, shape[0])) if random.random() < 0.5 else None
        degree = str(random.choice(["standard", "improved", "1/2", "none"])) if random.random() < 0.6 else None
        force, veto = (bool(random.random() < 0.3), False) if random.random() < 0.5 else (False, bool(random.random() < 0.3))
        found.append(Override(int(random.integers(0, shape[1])), attacker, degree, veto, force, "so be it"))
    return found


def at_places(words: list[Override], pairs: list[tuple[int, int]]) -> tuple[Override, ...]:
    """Return the words as they are said of a list of pairs, in the same order."""
    return tuple(
        replace(word, target=place, attacker=None if word.attacker is None else place)
        for word in words
        for place, pair in enumerate(pairs)
        if word.covers(*pair)
    )


def assert_same(found: Judgement, whole: Judgement, pairs: list[tuple[int, int]], choices: np.ndarray) -> None:
    rows, columns = (np.array([pair[k] for pair in pairs], np.int64) for k in (0, 1))
    assert found.columns.keys() == whole.columns.keys()
    for name, column in whole.columns.items():
        assert found.columns[name].dtype == column.dtype, name
        np.testing.assert_array_equal(found.columns[name], column[rows, columns][:, None], err_msg=name)
    for name in ("corner", "all_corners", "concealment_corner"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name)[rows, columns][:, None], err_msg=name)
    for name in ("choice", "concealment_choice"):
        expected = getattr(whole, name)[rows, columns][:, None]
        np.testing.assert_array_equal(choices.take(getattr(found, name)), expected, err_msg=name)
    for place, pair in enumerate(pairs):
        modifiers, expected = (sorted(one, key=str) for one in (modifiers_of(found, place, 0), modifiers_of(whole, *pair)))
        assert modifiers == expected
        assert notes_of(found, place, 0) == notes_of(whole, *pair)
        met = {name for name, met in found.circumstances.items() if met[place, 0]}
        assert met == {name for name, met in whole.circumstances.items() if met[pair]}


def check_listed(seed: int, name: str, options: dict[str, str], attack: Attack, shape: tuple[int, int], **kind: object) -> None:
    random, edition = np.random.default_rng(seed), load_edition(name, options=options)
    facts = with_centre(random_facts(seed, *shape, **kind), random)
    same, back = shape[0] == shape[1], None
    big = random.random(shape[0]) < 0.5
    others = big if same else random.random(shape[1]) < 0.5
    if not same and random.random() < 0.8:
        back = with_centre(random_facts(seed + 1, *shape[::-1], **kind), random)
    some = random.integers(0, shape, (random.integers(0, 2 * shape[0] * shape[1]), 2)).tolist()
    pairs = [(i, j) for i, j in some if facts.distinct[i, j]]
    rows, columns = (np.array([pair[k] for pair in pairs], np.int64) for k in (0, 1))
    words, is_spread = words_on(random, shape), bool(random.random() < 0.5)
    whole = judge(
        edition, facts, Question(attack, big, tuple(words), is_spread, targets_use_ranged_when_adjacent=others), back=back
    )
    question = Question(attack, big[rows], at_places(words, pairs), is_spread, others[columns])
    choices, found = listed(facts, pairs)
    other_way = None
    if same or back is not None:
        other_way = listed(facts if back is None else back, [(j, i) for i, j in pairs])[1]
    assert_same(judge(edition, found, question, back=other_way), whole, pairs, choices)


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    asked=st.sampled_from(EDITIONS).flatmap(
        lambda name: st.tuples(st.just(name), options_of(name) if name in books.OPTIONS else st.just({}))
    ),
    attack=st.sampled_from(Attack),
    shape=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    kind=st.fixed_dictionaries(
        {
            "big": st.booleans(),
            "density": st.sampled_from([0.0, 0.1, 0.3, 0.6]),
            "full": st.sampled_from([True, True, False]),
            "heights": st.booleans(),
        }
    ),
)
def test_a_list_of_pairs_is_judged_as_these_are_among_all(seed, asked, attack, shape, kind):
    edition = load_edition(asked[0], options=asked[1]).table
    if edition.by_area is not None or edition.centre is not None or edition.edge_contact != "clear":
        kind = {**kind, "full": True}
    check_listed(seed, *asked, attack, shape, **kind)


def test_words_on_listed_pairs():
    edition = load_edition("pathfinder1")
    found = listed(open_facts(3, 2), [(2, 1), (0, 1), (2, 0)])[1]
    words = (Override(1, 1, degree="improved"), Override(1, degree="partial", note="ajar"), Override(2, veto=True))
    judgement = judge(edition, found, Question(overrides=words))
    assert degrees_of(judgement) == [["none"], ["improved"], ["none"]]
    assert judgement.can_attack.tolist() == [[True], [True], [False]]
    assert notes_of(judgement, 0, 0) == ()
    assert notes_of(judgement, 1, 0) == (
        "the game master's word: degree improved",
        "the game master's word: degree partial (ajar)",
    )


@pytest.mark.parametrize("override", [Override(3, veto=True), Override(-1, veto=True), Override(1, 0, veto=True)])
def test_words_on_no_listed_pair_are_told(override):
    found = listed(open_facts(3, 2), [(2, 1), (0, 1), (2, 0)])[1]
    with pytest.raises(QuestionError, match="override 0: no such pair in a list of 3"):
        judge(load_edition("pathfinder1"), found, Question(overrides=(override,)))


def test_each_listed_pair_has_the_concealment_of_its_own_target():
    facts = concealing(open_facts(1, 2), 0)
    facts.adjacent[...] = True
    facts.target_concealed[1] = 2
    found = listed(facts, [(0, 1), (0, 0), (0, 1)])[1]
    judgement = judge(load_edition("pathfinder1"), found, Question(Attack.MELEE))
    assert judgement.miss_chance.tolist() == [[20], [0], [20]]
