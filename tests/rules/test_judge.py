"""The judge against the slow reading of the same sentences; promises of its columns."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import books
from rules.random_facts import open_facts, part, random_facts
from rules.slow import Answer, Reader

from gridlos.facts import Attack, Kinds, PairFacts
from gridlos.rules import (
    ROLLS,
    Edition,
    Judgement,
    Override,
    Question,
    Statistic,
    judge,
    load_edition,
    modifiers_of,
    notes_of,
)

EDITIONS = sorted(books.COVER)


def found_at(judgement: Judgement, at: tuple[int, int]) -> Answer:
    """Return the judgement on one pair as plain values."""
    edition = judgement.edition
    return Answer(
        cover=edition.degrees[judgement.cover[at]],
        soft=bool(judgement.soft[at]),
        lines=int(judgement.blocked_lines[at]),
        choice=int(judgement.choice[at]),
        corner=int(judgement.corner[at]),
        concealment=edition.concealments[judgement.concealment[at]],
        attack=int(judgement.attack_modifier[at]),
        defense=int(judgement.defense_modifier[at]),
        save=int(judgement.save_modifier[at]),
        stealth=int(judgement.stealth_modifier[at]),
        miss=int(judgement.miss_chance[at]),
        roll=0
        if judgement.roll is None
        else {"normal": 0, "advantage": 1, "disadvantage": -1}[ROLLS[judgement.roll[at]]],
        flat_check=int(judgement.sums[Statistic.FLAT_CHECK][at]),
        evasion=edition.evasions[judgement.evasion[at]],
        can_attack=bool(judgement.can_attack[at]),
        can_hide=bool(judgement.can_hide[at]),
        opportunity=judgement.opportunity is not None and bool(judgement.opportunity[at]),
        circumstances=frozenset(name for name, pairs in judgement.circumstances.items() if pairs[at]),
        flags=frozenset(flag.value for flag, pairs in judgement.flags.items() if pairs[at]),
        loses_dexterity=judgement.loses_dexterity is not None and bool(judgement.loses_dexterity[at]),
        notes=notes_of(judgement, *at),
    )


def check_all_pairs(
    name: str,
    options: dict[str, str],
    facts: PairFacts,
    attack: Attack,
    big: list[bool],
    *,
    is_spread: bool = False,
    house: Edition | None = None,
) -> None:
    """Assert the slow reading's answer for every pair of two creatures; ``house``: by an edition made of ``name``."""
    edition = house or load_edition(name, options=options)
    judgement = judge(edition, facts, Question(attack, np.array(big, np.bool_), is_spread=is_spread))
    reader = Reader(name, options, facts, attack, big, is_spread=is_spread, table=edition.table)
    for pair in np.flatnonzero(facts.distinct).tolist():
        at = divmod(pair, facts.shape[1])
        expected = reader.answer(pair)
        assert found_at(judgement, at) == expected, (at, options)
        assert judgement.net_modifier[at] == expected.attack - expected.defense
        assert judgement.flanked is not None
        assert judgement.flanked[at] == reader.flanks(at)


def options_of(name: str) -> st.SearchStrategy[dict[str, str]]:
    read = {option: values for option, values in books.OPTIONS[name].items() if option not in books.READ_BY_QUESTIONS}
    chosen = st.lists(st.sampled_from(sorted(read)), max_size=4, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({one: st.sampled_from(read[one]) for one in names}))


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    asked=st.sampled_from(EDITIONS).flatmap(lambda name: st.tuples(st.just(name), options_of(name))),
    attack=st.sampled_from(Attack),
    n=st.integers(1, 4),
    big=st.booleans(),
    density=st.sampled_from([0.0, 0.1, 0.3, 0.6, 1.0]),
    heights=st.booleans(),
    is_spread=st.booleans(),
)
def test_judgement_is_that_of_the_slow_reading(seed, asked, attack, n, big, density, heights, is_spread):
    facts = random_facts(seed, n, n, big=big, density=density, heights=heights)
    reach_adjacent = (np.random.default_rng(seed).random(n) < 0.5).tolist()
    check_all_pairs(*asked, facts, attack, reach_adjacent, is_spread=is_spread)


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("attack", Attack)
def test_every_value_of_every_option_is_read_as_the_slow_reading_does(name, attack):
    some = [
        random_facts(17, 5, 5, big=True, density=0.15),
        random_facts(18, 4, 4, density=0.35),
        random_facts(19, 4, 4, big=True, density=0.1, heights=True),
    ]
    for option in sorted(set(books.OPTIONS[name]) - books.READ_BY_QUESTIONS):
        for value in books.OPTIONS[name][option]:
            for facts in some:
                big = [True, False, True, False, True]
                check_all_pairs(name, {option: value}, facts, attack, big[: facts.shape[0]])


@pytest.mark.parametrize("name", EDITIONS)
def test_every_value_of_every_option_does_something(name):
    """Some pair of these facts has another answer under each other value, in some kind of attack."""
    facts = [random_facts(seed, 9, 9, big=True, density=0.15) for seed in range(6)]
    combined = {"common_sense_exempt": {"edge_contact": "blocked_for_walls_only"}}
    if name == "dnd35":
        combined["soft_cover_blocks_aoo"] = {"soft_cover_vs_reach": "applies"}
    some = np.arange(9) % 2 == 0
    facts += [in_conditions(facts[0], words) for words in in_nines(load_edition(name))]
    if name == "starfinder1":
        facts.append(corridor(facts[0]))
    for option in sorted(set(books.OPTIONS[name]) - books.READ_BY_QUESTIONS):
        answers = []
        for value in books.OPTIONS[name][option]:
            edition = load_edition(name, options={option: value, **combined.get(option, {})})
            answers.append(
                [
                    column.tobytes()
                    for one in facts
                    for attack in Attack
                    for column in judge(edition, one, Question(attack, some, is_spread=True)).columns.values()
                ]
            )
        assert all(one != answers[0] for one in answers[1:]), option


def in_nines(edition: Edition) -> list[tuple[str, ...]]:
    words = tuple(sorted(edition.table.conditions))
    return [words[k : k + 9] for k in range(0, len(words), 9)]


def in_conditions(facts: PairFacts, words: tuple[str, ...]) -> PairFacts:
    """Return the facts with each creature in one condition, all of them with a bonus from Dexterity."""
    assert facts.attackers is not None
    n = facts.shape[0]
    conditions = tuple(frozenset(words[k : k + 1]) for k in range(n))
    traits = replace(facts.attackers, conditions=Kinds.of_each(conditions), dexterity=np.full(n, 3, np.int16))
    return replace(facts, attackers=traits, targets=traits)


def corridor(facts: PairFacts) -> PairFacts:
    """Return facts in which everybody stands in one row between two walls."""
    n = len(facts.usable)
    along = np.tile(np.uint8([3, 3, 12, 12]), (n, 1))
    squares = facts.attacker_square * np.int32([1, 0]), facts.target_square * np.int32([1, 0]) + np.int32([9, 0])
    return replace(
        facts, hard=np.zeros_like(facts.hard), along=along, attacker_square=squares[0], target_square=squares[1]
    )


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    attack=st.sampled_from(Attack),
    density=st.sampled_from([0.1, 0.3, 0.6]),
    rows=st.lists(st.integers(0, 4), max_size=3, unique=True),
    columns=st.lists(st.integers(0, 4), max_size=3, unique=True),
    name=st.sampled_from(EDITIONS),
    heights=st.booleans(),
)
def test_some_pairs_are_judged_as_among_all(seed, attack, density, rows, columns, name, heights):
    """With the facts of the way back, whether an attacker is seen does not depend on who else is asked about."""
    edition, facts = load_edition(name), random_facts(seed, 5, 5, big=True, density=density, heights=heights)
    whole = judge(edition, facts, Question(attack))
    some = judge(edition, part(facts, rows, columns), Question(attack), back=part(facts, columns, rows))
    assert set(some.columns) == set(whole.columns)
    mine = facts.distinct[np.ix_(rows, columns)]
    for column, array in some.columns.items():
        assert np.array_equal(array[mine], whole.columns[column][np.ix_(rows, columns)][mine]), column


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    attack=st.sampled_from(Attack),
    density=st.sampled_from([0.3, 0.6, 0.9]),
    big=st.booleans(),
)
def test_the_lowest_penalty_is_by_the_table_not_by_the_count(tmp_path_factory, seed, attack, density, big):
    """A house rule: two blocked lines cost less than one, three no more than two; four forbid the attack."""
    house = tmp_path_factory.mktemp("house") / "odd.toml"
    house.write_text(
        'extends = "pathfinder1"\nblocked_lines = ["none", "partial", "cover", "improved", "total"]\n'
        "rules.PF1-COVER.modifiers = {attack = -1, defense = 0}\n"
        "rules.PF1-IMPROVED-COVER.modifiers = {defense = 1}\n",
        encoding="utf-8",
    )
    facts = random_facts(seed, 3, 4, big=big, density=density, full=False)
    facts = replace(facts, adjacent=np.zeros_like(facts.adjacent))
    judgement = judge(load_edition(house), facts, Question(attack))
    costs = [0, 1, 2, 4, 10**6] if attack is Attack.AREA else [0, 2, 1, 1, 10**6]  # what one saves better by in an area
    reader = Reader("pathfinder1", {}, facts, attack, [False] * 3)
    for pair in range(12):
        choices = range(facts.choice_start[pair], facts.choice_start[pair + 1])
        entries = [
            (costs[walls], walls, choice, corner)
            for choice in choices
            for corner in reader.corners_of(choice, choices)
            for walls in [reader.lines_at(choice, corner, creatures=False).walls]
        ]
        at = divmod(pair, 4)
        found = judgement.blocked_lines[at], judgement.choice[at], judgement.corner[at]
        assert found == (min(entries)[1:] if entries else (4, choices[0], 0))


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("attack", Attack)
def test_records_add_up_to_the_columns(name, attack):
    edition = load_edition(name)
    facts = random_facts(5, 7, 7, big=True, density=0.2)
    overrides = tuple(Override(k, 5, degree) for k, degree in enumerate(edition.degrees))
    judgement = judge(edition, facts, Question(attack, overrides=overrides))
    assert {edition.degrees[code] for code in judgement.cover.ravel()} == set(edition.degrees)
    for at in np.ndindex(*facts.shape):
        kept = dict.fromkeys(Statistic, 0)
        for modifier in modifiers_of(judgement, *at):
            assert edition.table.rules[modifier.rule].text == modifier.text
            kept[Statistic(modifier.on)] += modifier.value * modifier.kept
        assert kept == {statistic: judgement.sums[statistic][at] for statistic in Statistic}


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("name", EDITIONS)
def test_nobody_is_judged_too(shape, name):
    for attack in Attack:
        for heights in (False, True):
            judgement = judge(load_edition(name), random_facts(0, *shape, heights=heights), Question(attack))
            for column in judgement.columns.values():
                assert column.shape == shape


ALWAYS = {
    "line_of_effect": "bool",
    "line_of_sight": "bool",
    "cover": "uint8",
    "soft": "bool",
    "blocked_lines": "uint8",
    "concealment": "uint8",
    "miss_chance": "int16",
    "can_attack": "bool",
    "can_hide": "bool",
    "attack_modifier": "int16",
    "defense_modifier": "int16",
    "net_modifier": "int16",
    "save_modifier": "int16",
    "stealth_modifier": "int16",
    "evasion": "uint8",
}


@pytest.mark.parametrize("name", EDITIONS)
def test_columns_have_their_types(name):
    edition, by_roll = load_edition(name), {"roll": "uint8"} if name.startswith("dnd5e") else {}
    said = edition.table.circumstances.values()
    always = ALWAYS | {flag.value: "bool" for one in said for flag in one.flags}
    if any(one.dexterity in {"lost", "zero"} for one in said):
        always["loses_dexterity"] = "bool"
    facts = random_facts(0, 3, 3, full=False)
    judgement = judge(edition, facts, Question(Attack.MELEE))
    assert {name: column.dtype.name for name, column in judgement.columns.items()} == {**always, **by_roll}
    assert (judgement.choice.dtype.name, judgement.corner.dtype.name) == ("int64", "uint8")
    assert set(judgement.words) == {"cover", "concealment", "evasion", *by_roll}
    judgement = judge(edition, random_facts(0, 3, 3), Question(Attack.MELEE))
    more = {"hidden_fraction": "float64"} | dict.fromkeys(("in_reach", "threatens", "flanked", "opportunity"), "bool")
    assert {name: column.dtype.name for name, column in judgement.columns.items()} == {**always, **more, **by_roll}


@pytest.mark.parametrize("name", EDITIONS)
def test_facts_are_not_changed(name):
    plain, graded = random_facts(3, 4, 4, big=True), random_facts(5, 4, 4, big=True, heights=True)
    assert graded.tagged
    for facts in (plain, graded):
        assert facts.attackers is facts.targets
        before = deepcopy(facts)
        for attack in Attack:
            judge(load_edition(name), facts, Question(attack, overrides=(Override(0, degree="total"),)))
        for field in PairFacts.__dataclass_fields__:
            one, other = getattr(before, field), getattr(facts, field)
            if field == "tagged":
                one, other = ([array for _, array in tagged or ()] for tagged in (one, other))
            if field in ("attackers", "targets"):
                for name_of in one.__dataclass_fields__ if one is not None else ():
                    values = [getattr(traits, name_of) for traits in (one, other)]
                    assert np.array_equal(*map(list, values)), name_of
            else:
                assert np.array_equal(one, other), field


def test_a_word_on_the_attack_is_read_by_kind(tmp_path: Path):
    house = tmp_path / "house.toml"
    text = 'extends = "pathfinder1"\nrules.PF1-COVER.modifiers.attack = {ranged = -3, area = -1}\n'
    house.write_text(text, encoding="utf-8")
    edition: Edition = load_edition(house)
    word = (Override(0, degree="cover"),)
    found = [
        judge(edition, open_facts(1, 1), Question(attack, overrides=word)).net_modifier.item() for attack in Attack
    ]
    assert dict(zip(Attack, found, strict=True)) == {Attack.RANGED: -7, Attack.MELEE: -4, Attack.AREA: -1}
