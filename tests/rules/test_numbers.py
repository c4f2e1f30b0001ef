"""What is looked up by situation is what the rules add to every pair."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import books
from rules.random_facts import random_facts
from rules.test_judge import options_of

from gridlos.facts import Attack, Kinds
from gridlos.rules import Judgement, Override, Question, Statistic, judge, load_edition, numbers, stacked_column

EDITIONS = sorted(books.COVER)


def judged(seed: int, asked: tuple[str, dict[str, str]], attack: Attack, calm: float) -> Judgement:
    """Return a judgement on creatures of which a part has no condition."""
    facts, random = random_facts(seed, 5, 6, density=0.1, heights=seed % 3 == 0), np.random.default_rng(seed)
    for group in ("attackers", "targets"):
        if (traits := getattr(facts, group)) is not None:
            kept = [frozenset() if random.random() < calm else one for one in traits.conditions]
            facts = replace(facts, **{group: replace(traits, conditions=Kinds.of_each(kept))})
    words = (Override(1, 2, force=True), Override(3, degree="improved"))
    return judge(load_edition(asked[0], options=asked[1]), facts, Question(attack, overrides=words))


CASES = {
    "seed": st.integers(0, 2**32 - 1),
    "asked": st.sampled_from(EDITIONS).flatmap(lambda name: st.tuples(st.just(name), options_of(name))),
    "attack": st.sampled_from(Attack),
    "calm": st.sampled_from([0.0, 0.7, 1.0]),
}


@settings(deadline=None)
@given(**CASES)
def test_sums_are_those_of_the_applications(seed, asked, attack, calm):
    found = judged(seed, asked, attack, calm)
    stacking = found.edition.table.stacking
    for statistic in Statistic:
        expected = stacked_column(found.applications, statistic, stacking, found.cover.shape)
        assert found.sums[statistic].dtype == expected.dtype
        assert np.array_equal(found.sums[statistic], expected), statistic


@settings(deadline=None)
@given(**CASES)
def test_it_does_not_matter_whether_all_situations_are_looked_into(seed, asked, attack, calm):
    """Nor how large the codes of situations become before they are numbered anew."""
    columns = []
    for whole, most in ((1 << 13, 1 << 62), (0, 1 << 62), (0, 1)):
        with patch.multiple(numbers, _WHOLE=whole, _MOST_CODES=most):
            columns.append(judged(seed, asked, attack, calm).columns)
    for other in columns[1:]:
        assert other.keys() == columns[0].keys()
        for name, column in columns[0].items():
            assert np.array_equal(other[name], column), name


def test_applications_are_made_once():
    found = judged(3, ("pathfinder1", {}), Attack.RANGED, 0.7)
    assert found.applications is found.applications
