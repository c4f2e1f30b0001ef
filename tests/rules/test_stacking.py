"""Stacking: promises of the rule, and arrays against records."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlos.rules import Application, Stacking, Statistic, modifier_sum, stacked, stacked_column
from gridlos.verdict import Modifier

TYPES = ("untyped", "cover", "dodge", "morale")
STACKING = Stacking(types=TYPES, bonuses_add=("untyped", "dodge"), penalties_add=("untyped", "morale"))

modifiers = st.builds(
    Modifier,
    on=st.sampled_from([one.value for one in Statistic]),
    value=st.integers(-4, 4),
    type=st.sampled_from(TYPES),
    rule=st.sampled_from(["A", "B", "C"]),
    text=st.sampled_from(["x", "y"]),
)
lists = st.lists(modifiers, max_size=8)


def slow_sum(given_: list[Modifier], on: str) -> int:
    """Return the sum by grouping: sign, type, and for a type that adds up the rule."""
    total = 0
    for adding, sign in ((STACKING.bonuses_add, 1), (STACKING.penalties_add, -1)):
        mine = [one for one in given_ if one.on == on and one.value * sign > 0]
        for type_ in TYPES:
            sizes: dict[str, int] = {}
            for one in mine:
                if one.type == type_:
                    sizes[one.rule] = max(sizes.get(one.rule, 0), abs(one.value))
            total += sign * (sum(sizes.values()) if type_ in adding else max(sizes.values(), default=0))
    return total


@settings(deadline=None, max_examples=200)
@given(given_=lists, on=st.sampled_from(Statistic))
def test_sum_is_the_largest_of_each_type_or_all_of_it(given_, on):
    assert modifier_sum(given_, on, STACKING) == slow_sum(given_, on.value)


@settings(deadline=None, max_examples=200)
@given(data=st.data(), given_=lists)
def test_order_does_not_matter(data, given_):
    shuffled = data.draw(st.permutations(given_))

    def key(one: Modifier) -> tuple[object, ...]:
        return one.on, one.type, one.rule, one.text, one.value, one.kept

    assert sorted(stacked(given_, STACKING), key=key) == sorted(stacked(shuffled, STACKING), key=key)


@settings(deadline=None, max_examples=200)
@given(given_=lists)
def test_the_same_twice_is_the_same_as_once(given_):
    for statistic in Statistic:
        assert modifier_sum(given_ + given_, statistic, STACKING) == modifier_sum(given_, statistic, STACKING)


@settings(deadline=None, max_examples=200)
@given(given_=lists)
def test_what_is_kept_stays_kept(given_):
    kept = [one for one in stacked(given_, STACKING) if one.kept]
    assert list(stacked(kept, STACKING)) == kept


@settings(deadline=None, max_examples=200)
@given(given_=lists)
def test_nothing_but_the_flag_changes(given_):
    for before, after in zip(given_, stacked(given_, STACKING), strict=True):
        assert (before.on, before.value, before.type, before.rule, before.text) == (
            after.on,
            after.value,
            after.type,
            after.rule,
            after.text,
        )


@settings(deadline=None, max_examples=100)
@given(given_=lists, seed=st.integers(0, 2**32 - 1))
def test_arrays_say_what_records_say(given_, seed):
    random, shape = np.random.default_rng(seed), (3, 4)
    applications = []
    for one in given_:
        value: object = one.value
        if random.random() < 0.5:
            value = random.integers(-4, 5, shape).astype(np.int16)
        mask = random.random(shape) < 0.6
        applications.append(Application(one.rule, Statistic(one.on), one.type, one.text, mask, value))
    for statistic in Statistic:
        column = stacked_column(applications, statistic, STACKING, shape)
        assert (column.shape, column.dtype) == (shape, np.int16)
        for at in np.ndindex(*shape):
            here = [one for one in (application.at(*at) for application in applications) if one is not None]
            assert column[at] == slow_sum(here, statistic.value)


def test_bonuses_and_penalties_of_one_type_both_count():
    pair = [Modifier("defense", 4, "cover", "A", "x"), Modifier("defense", -1, "cover", "B", "x")]
    assert modifier_sum(pair, Statistic.DEFENSE, STACKING) == 3
