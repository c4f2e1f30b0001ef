"""The judge against a slow second reading of the same sentences, and the game master's words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlos.errors import QuestionError
from gridlos.facts import Attack, PairFacts
from gridlos.rules import Edition, Override, Question, Statistic, judge, load_edition, modifiers_of, notes_of

# What each degree costs the attacker, adds to the save, and the evasion; None: no attack. Typed from the books.
COSTS = {
    "pathfinder1": {"none": 0, "soft": 4, "partial": 2, "cover": 4, "improved": 8, "total": None},
    "dnd5e": {"none": 0, "half": 2, "three-quarters": 5, "total": None},
}
SAVES = {
    "pathfinder1": {"none": 0, "soft": 0, "partial": 1, "cover": 2, "improved": 4, "total": 0},
    "dnd5e": {"none": 0, "half": 2, "three-quarters": 5, "total": 0},
}


def random_facts(seed: int, n_attackers: int, n_targets: int, most_choices: int, density: float) -> PairFacts:
    """Return random masks as the kernels would report them: a line at a cut-off corner is blocked."""
    random = np.random.default_rng(seed)
    shape = n_attackers, n_targets
    start = np.concatenate([[0], np.cumsum(random.integers(1, most_choices + 1, n_attackers * n_targets))])
    n = int(start[-1])
    bits = np.array([1, 2, 4, 8])
    hard, usable, counted = (
        np.where(random.random((*size, 4)) < chance, bits, 0).sum(-1).astype(np.uint8)
        for size, chance in (((n, 4), density), ((n,), random.random()), ((n,), random.random()))
    )
    hard |= ~counted[:, None] & 15
    hard[(usable[:, None] >> np.arange(4) & 1) == 0] = 15
    flags = [random.random(shape) < chance for chance in (0.9, 0.4, 0.7, 0.7, 0.8)]
    return PairFacts(
        distinct=flags[0],
        distance=random.integers(0, 20, shape).astype(np.int32),
        adjacent=flags[1],
        line_of_effect=flags[2],
        line_of_sight=flags[3],
        any_free=flags[4],
        choice_start=start.astype(np.int64),
        attacker_square=random.integers(0, 9, (n, 2)).astype(np.int32),
        target_square=random.integers(0, 9, (n, 2)).astype(np.int32),
        hard=hard,
        usable=usable,
        counted=counted,
    )


@dataclass
class Slow:
    """The answer for one pair."""

    degree: str
    lines: int
    choice: int
    corner: int


def lines_from(facts: PairFacts, choice: int, corner: int, *, cut_corners: str) -> int:
    """Return how many of the four lines count as blocked."""
    to_corners = [c for c in range(4) if cut_corners == "count" or facts.counted[choice] >> c & 1]
    blocked = [c for c in to_corners if facts.hard[choice, corner] >> c & 1]
    return 4 if len(blocked) == len(to_corners) else len(blocked)


def slow_pair(
    facts: PairFacts, pair: int, costs: dict[str, int | None], by_lines: list[str], *, cut_corners: str, worst: bool
) -> Slow:
    """Return the attacker's choice, one pair at a time: usable, cheapest, fewest lines, reading order."""
    found = []
    for choice in range(facts.choice_start[pair], facts.choice_start[pair + 1]):
        corners = [c for c in range(4) if cut_corners == "count" or facts.usable[choice] >> c & 1]
        counts = {c: lines_from(facts, choice, c, cut_corners=cut_corners) for c in corners}
        if not corners:
            counts = dict.fromkeys([0] if worst else range(4), 4)
        elif worst:
            most = max(counts.values())
            counts = {next(c for c in corners if counts[c] == most): most}
        for corner, count in counts.items():
            cost = costs[by_lines[count]]
            found.append((not corners, 10**6 if cost is None else cost, count, choice, corner))
    _, _, count, choice, corner = min(found)
    return Slow(by_lines[count], count, choice, corner)


def check_all_pairs(
    edition: Edition,
    facts: PairFacts,
    question: Question,
    costs: dict[str, int | None],
    by_lines: list[str],
    adjacent: list[str] | None,
) -> None:
    """Assert the slow reading's answers; ``adjacent``: degrees by worst corner in adjacent melee, None: as ranged."""
    judgement = judge(edition, facts, question)
    ranged_too = question.uses_ranged_when_adjacent
    for pair in range(facts.distance.size):
        at = divmod(pair, facts.shape[1])
        worst = adjacent is not None and question.attack is Attack.MELEE and bool(facts.adjacent[at])
        if ranged_too is not None and ranged_too[at[0]]:
            worst = False
        expected = slow_pair(
            facts,
            pair,
            costs,
            adjacent if worst and adjacent else by_lines,
            cut_corners=edition.options["cut_corners"],
            worst=worst,
        )
        effect = facts.line_of_effect[at] or (edition.options["line_of_effect"] == "touching" and facts.any_free[at])
        if not effect:
            expected = replace(expected, degree="total")
        found = Slow(
            edition.degrees[judgement.cover[at]],
            int(judgement.blocked_lines[at]),
            int(judgement.choice[at]),
            int(judgement.corner[at]),
        )
        assert found == expected, at
        cost = costs[expected.degree]
        assert judgement.line_of_effect[at] == effect
        assert judgement.all_corners[at] == worst
        assert judgement.can_attack[at] == (cost is not None)
        assert judgement.net_modifier[at] == -(cost or 0)


BY_LINES = {
    ("pathfinder1", "lines"): ["none", "partial", "cover", "cover", "cover"],
    ("pathfinder1", "off"): ["none", "cover", "cover", "cover", "cover"],
    ("dnd5e", None): ["none", "half", "half", "three-quarters", "three-quarters"],
}
WORST = {"pathfinder1": ["none", "cover", "cover", "cover", "cover"], "dnd5e": None}


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 2**32 - 1),
    edition=st.sampled_from(list(BY_LINES)),
    attack=st.sampled_from(Attack),
    effect=st.sampled_from(["clear", "touching"]),
    cut_corners=st.sampled_from(["ignore", "count"]),
    sizes=st.tuples(st.integers(1, 4), st.integers(1, 5), st.sampled_from([1, 1, 3, 9])),
    density=st.sampled_from([0.0, 0.1, 0.3, 0.6, 1.0]),
    big=st.booleans(),
)
def test_judgement_is_that_of_the_slow_reading(seed, edition, attack, effect, cut_corners, sizes, density, big):
    name, partial = edition
    options = {"line_of_effect": effect, "cut_corners": cut_corners, **({"partial": partial} if partial else {})}
    facts = random_facts(seed, *sizes, density)
    ranged_too = np.random.default_rng(seed).random(sizes[0]) < 0.5 if big else None
    question = Question(attack, uses_ranged_when_adjacent=ranged_too)
    table = load_edition(name, options=options)
    check_all_pairs(table, facts, question, COSTS[name], BY_LINES[edition], WORST[name])


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    attack=st.sampled_from(Attack),
    most=st.sampled_from([1, 4]),
    density=st.sampled_from([0.3, 0.6, 0.9]),
)
def test_the_lowest_penalty_is_by_the_table_not_by_the_count(tmp_path_factory, seed, attack, most, density):
    """A house rule: two blocked lines cost less than one, partly on the attack; three no more than two; four forbid."""
    house = tmp_path_factory.mktemp("house") / "odd.toml"
    house.write_text(
        'extends = "pathfinder1"\nblocked_lines = ["none", "partial", "cover", "improved", "total"]\n'
        "adjacent_melee.blocked_lines = ['none', 'partial', 'cover', 'improved', 'total']\n"
        "rules.PF1-COVER.modifiers = {attack = -1, defense = 0}\n"
        "rules.PF1-IMPROVED-COVER.modifiers = {defense = 1}\n",
        encoding="utf-8",
    )
    costs = {**COSTS["pathfinder1"], "cover": 1, "improved": 1}
    by_lines = ["none", "partial", "cover", "improved", "total"]
    facts = random_facts(seed, 3, 4, most, density)
    check_all_pairs(load_edition(house), facts, Question(attack), costs, by_lines, by_lines)


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("attack", Attack)
def test_saves_evasion_and_records_agree_with_the_columns(name, attack):
    edition = load_edition(name)
    facts = random_facts(5, 6, 7, 4, 0.3)
    overrides = tuple(Override(k, 5, degree) for k, degree in enumerate(edition.degrees))
    judgement = judge(edition, facts, Question(attack, overrides=overrides))
    seen = set()
    for at in np.ndindex(*facts.shape):
        degree = edition.degrees[judgement.cover[at]]
        seen.add(degree)
        assert judgement.save_modifier[at] == SAVES[name][degree]
        evasion = "improved" if degree == "improved" else "none"
        assert edition.evasions[judgement.evasion[at]] == evasion
        kept = dict.fromkeys(Statistic, 0)
        for modifier in modifiers_of(judgement, *at):
            assert modifier.kept
            assert edition.table.rules[modifier.rule].text == modifier.text
            kept[Statistic(modifier.on)] += modifier.value
        assert kept[Statistic.ATTACK] == judgement.attack_modifier[at]
        assert kept[Statistic.DEFENSE] == judgement.defense_modifier[at]
        assert kept[Statistic.SAVE] == judgement.save_modifier[at]
    assert seen == set(edition.degrees)


def test_the_modifiers_of_cover_name_their_rule():
    facts = replace(random_facts(1, 1, 1, 1, 0.0), line_of_effect=np.ones((1, 1), np.bool_))
    facts = replace(facts, hard=np.full((1, 4), 3, np.uint8), usable=np.uint8([15]), counted=np.uint8([15]))
    judgement = judge(load_edition("pathfinder1"), facts, Question())
    assert [(one.on, one.value, one.type, one.rule) for one in modifiers_of(judgement, 0, 0)] == [
        ("defense", 4, "cover", "PF1-COVER"),
        ("save", 2, "cover", "PF1-COVER"),
    ]
    assert notes_of(judgement, 0, 0) == ()


def open_facts(n_attackers: int, n_targets: int) -> PairFacts:
    """Return facts of a map without walls."""
    facts = random_facts(0, n_attackers, n_targets, 1, 0.0)
    always = np.ones(facts.shape, np.bool_)
    full = np.full(len(facts.usable), 15, np.uint8)
    return replace(facts, line_of_effect=always, hard=np.zeros_like(facts.hard), usable=full, counted=full)


def degrees_of(edition: Edition, judgement) -> list[list[str]]:
    return [[edition.degrees[code] for code in row] for row in judgement.cover]


def test_the_game_masters_word_wins():
    edition = load_edition("pathfinder1")
    facts = open_facts(2, 3)
    facts.line_of_effect[:, 2] = False
    words = (
        Override(0, 1, degree="improved", note="the gate swings"),
        Override(0, degree="partial"),
        Override(1, 0, veto=True),
        Override(2, force=True),
        Override(2, 1, degree="1/2"),
    )
    judgement = judge(edition, facts, Question(overrides=words))
    assert degrees_of(edition, judgement) == [["partial", "none", "total"], ["improved", "none", "cover"]]
    assert judgement.can_attack.tolist() == [[True, False, True], [True, True, True]]
    assert judgement.defense_modifier.tolist() == [[2, 0, 0], [8, 0, 4]]
    assert judgement.line_of_effect.tolist() == [[True, True, False]] * 2
    assert notes_of(judgement, 1, 0) == (
        "the game master's word: degree improved (the gate swings)",
        "the game master's word: degree partial",
    )
    assert notes_of(judgement, 0, 1) == ("the game master's word: the attack is impossible",)
    assert notes_of(judgement, 0, 2) == ("the game master's word: the attack is possible",)
    assert notes_of(judgement, 1, 1) == ()


def test_the_last_of_several_words_wins():
    edition = load_edition("dnd5e")
    words = (
        Override(0, 0, degree="half", veto=True),
        Override(0, 0, degree="three-quarters"),
        Override(0, 0, force=True),
    )
    judgement = judge(edition, open_facts(1, 1), Question(overrides=words))
    assert degrees_of(edition, judgement) == [["three-quarters"]]
    assert judgement.can_attack.tolist() == [[True]]


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        (Override(0, 0, degree="hlaf"), "did you mean 'half'"),
        (Override(0, 0, degree="soft"), "'soft' is no degree of cover in dnd5e"),
        (Override(1, 0, veto=True), "no such pair"),
        (Override(0, 3, veto=True), "no such pair"),
        (Override(-1, veto=True), "no such pair"),
        (Override(0, 0, veto=True, force=True), "not both"),
        (Override(0, 0), "says nothing"),
    ],
)
def test_wrong_words_are_told(override, problem):
    with pytest.raises(QuestionError, match=problem):
        judge(load_edition("dnd5e"), open_facts(2, 1), Question(overrides=(override,)))


def test_notes_say_what_is_missing_or_left_open():
    edition = load_edition("pathfinder1")
    facts = open_facts(1, 2)
    facts.hard[0] = 1
    facts.line_of_effect[0, 1] = False
    judgement = judge(edition, facts, Question())
    assert notes_of(judgement, 0, 0) == ("partial cover is at the game master's discretion",)
    assert notes_of(judgement, 0, 1) == ("no line of effect: the attack cannot be made, so it has no modifiers",)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nobody_is_judged_too(shape):
    facts = random_facts(0, *shape, 1, 0.5)
    judgement = judge(load_edition("pathfinder1"), facts, Question(Attack.MELEE))
    for column in judgement.columns.values():
        assert column.shape == shape


def test_columns_have_their_types():
    judgement = judge(load_edition("pathfinder1"), random_facts(0, 3, 4, 2, 0.5), Question(Attack.MELEE))
    types = {name: column.dtype.name for name, column in judgement.columns.items()}
    assert types == {
        "line_of_effect": "bool",
        "cover": "uint8",
        "blocked_lines": "uint8",
        "can_attack": "bool",
        "attack_modifier": "int16",
        "defense_modifier": "int16",
        "net_modifier": "int16",
        "save_modifier": "int16",
        "evasion": "uint8",
    }
    assert (judgement.choice.dtype.name, judgement.corner.dtype.name) == ("int64", "uint8")


def test_facts_are_not_changed():
    facts = random_facts(3, 4, 4, 3, 0.4)
    before = {name: getattr(facts, name).copy() for name in PairFacts.__dataclass_fields__}
    for attack in Attack:
        judge(load_edition("pathfinder1"), facts, Question(attack, overrides=(Override(0, degree="total"),)))
    for name, array in before.items():
        assert np.array_equal(array, getattr(facts, name)), name


def test_a_word_on_the_attack_is_read_by_kind(tmp_path: Path):
    house = tmp_path / "house.toml"
    house.write_text('extends = "pathfinder1"\nrules.PF1-COVER.modifiers.attack = {ranged = -3}\n', encoding="utf-8")
    edition, word = load_edition(house), (Override(0, degree="cover"),)
    found = [
        judge(edition, open_facts(1, 1), Question(attack, overrides=word)).net_modifier.item() for attack in Attack
    ]
    assert dict(zip(Attack, found, strict=True)) == {Attack.RANGED: -7, Attack.MELEE: -4}
