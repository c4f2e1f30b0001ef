"""What holds between some pairs: conditions, senses, size, areas; by random tables, and by the books' own sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import books
from rules.random_facts import random_facts
from rules.random_tables import WORDS, house_rules
from rules.test_judge import check_all_pairs

from gridlos.facts import Attack, PairFacts
from gridlos.rules import load_edition

EDITIONS = sorted(books.COVER)


def with_words(facts: PairFacts, seed: int) -> PairFacts:
    """Return the facts with conditions of the house rules, too, the same of attackers and targets."""
    if facts.attackers is None:
        return facts
    random = np.random.default_rng([seed, 2])
    old = facts.attackers.conditions
    traits = replace(
        facts.attackers,
        conditions=tuple(words | set(random.choice(WORDS, random.integers(0, 3), replace=False)) for words in old),
    )
    return replace(facts, attackers=traits, targets=traits)


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from(EDITIONS),
    attack=st.sampled_from(Attack),
    density=st.sampled_from([0.0, 0.1, 0.3, 0.6]),
    heights=st.booleans(),
    is_spread=st.booleans(),
)
def test_random_house_rules_are_judged_as_the_slow_reading_does(
    tmp_path_factory, seed, name, attack, density, heights, is_spread
):
    file = tmp_path_factory.mktemp("house") / "house.toml"
    file.write_text(house_rules(seed, name, load_edition(name).table), encoding="utf-8")
    facts = with_words(random_facts(seed, 5, 5, big=True, density=density, heights=heights), seed)
    check_all_pairs(name, {}, facts, attack, [True, False] * 2 + [True], is_spread=is_spread, house=load_edition(file))
