"""Which of the corners with the same cover is taken where more than cover is told from there."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from rules.random_facts import concealing, open_facts

from gridlos.facts import Attack, Concealment, PairFacts
from gridlos.rules import Question, judge, load_edition

SAME = {"same_corner_for_cover_and_concealment": "same"}
AREAS = [
    ("defense", "partial"),
    ("pathfinder1", "partial"),
    ("starfinder1", "partial"),
    ("dnd30", "degree_from"),
    ("hybrid35", "degree_from"),
]


def hiding_parts(*parts: list[str]) -> PairFacts:
    """Return facts of one pair, one line from each corner blocked, with these hidden parts by choice and corner."""
    n = len(parts)
    squares = np.stack((np.arange(n), np.zeros(n, np.int64)), axis=1).astype(np.int32)
    facts = open_facts(1, 1)
    return replace(
        facts,
        choice_start=np.array([0, n], np.int64),
        attacker_square=np.zeros((n, 2), np.int32),
        target_square=squares,
        hard=np.ones((n, 4), np.uint8),
        usable=np.full(n, 15, np.uint8),
        counted=np.full(n, 15, np.uint8),
        hidden_area=np.array([[Fraction(part) for part in four] for four in parts], object),
    )


def hidden_from(name: str, options: dict[str, str], facts: PairFacts, attack: Attack = Attack.RANGED) -> tuple[int, int, float]:
    """Return the choice, the corner and the hidden fraction."""
    judgement = judge(load_edition(name, options=options), facts, Question(attack))
    assert judgement.hidden_fraction is not None
    return judgement.choice.item(), judgement.corner.item(), judgement.hidden_fraction.item()


@pytest.mark.parametrize(("name", "option"), AREAS)
def test_the_least_hidden_part_of_those_that_are_the_same_cover(name, option):
    facts = hiding_parts(["3/8", "1/3", "5/24", "1/4"], ["3/10", "1/5", "3/10", "1/5"])
    assert hidden_from(name, {option: "area"}, facts) == (1, 1, 0.2)


@pytest.mark.parametrize(("name", "option"), AREAS)
def test_the_worst_square_stands_for_all_and_of_such_the_one_that_is_hidden_most(name, option):
    facts = hiding_parts(["7/24", "1/3", "1/5", "1/4"], ["3/10", "1/5", "3/10", "1/5"])
    options = {option: "area", "large_target_ranged": "all_squares"}
    assert hidden_from(name, options, facts) == (0, 3, 0.25)  # from the corners: 3/10, 1/3, 3/10, 1/4


def test_the_worst_corner_stands_for_all_and_of_such_the_one_from_which_most_is_hidden():
    facts = hiding_parts(["1/4", "3/8", "1/8", "3/8"], ["1/4", "1/8", "1/3", "1/8"])
    facts = replace(facts, adjacent=np.ones((1, 1), np.bool_))
    assert hidden_from("pathfinder1", {"partial": "area"}, facts, Attack.MELEE) == (1, 2, float(Fraction(1, 3)))


def test_who_has_no_usable_corner_takes_the_least_of_all():
    facts = replace(hiding_parts(["1", "1", "3/8", "1/8"]), usable=np.zeros(1, np.uint8))
    assert hidden_from("pathfinder1", {"partial": "area"}, facts) == (0, 3, 0.125)


@pytest.mark.parametrize("levels", [[2, 2, 0, 2], [2, 0, 2, 0], [3, 2, 2, 1]])
def test_the_least_concealment_of_those_that_are_the_same_cover(levels):
    facts = replace(concealing(open_facts(1, 1), Concealment.NONE), concealed=np.uint8([levels]))
    edition = load_edition("dnd30", options=SAME)
    judgement = judge(edition, facts, Question())
    corner, expected = int(np.argmin(levels)), ["none", "1/4", "1/2"][min(levels)]
    assert (judgement.corner.item(), judgement.concealment_corner.item()) == (corner, corner)
    assert edition.concealments[judgement.concealment.item()] == expected


def test_cover_comes_before_concealment_and_concealment_before_hidden_parts():
    facts = concealing(hiding_parts(["1/8", "1/4", "1/3", "3/8"]), Concealment.CONCEALED)
    facts.concealed[0, 2:] = Concealment.LIGHT
    options = {**SAME, "partial": "area"}
    assert hidden_from("pathfinder1", options, facts) == (0, 2, float(Fraction(1, 3)))
    facts.hard[0] = [0, 0, 1, 1]
    assert hidden_from("pathfinder1", options, facts) == (0, 0, 0.125)


@pytest.mark.parametrize("options", [{}, SAME])
def test_who_has_no_usable_corner_is_concealed_from_least_of_all(options):
    facts = replace(concealing(open_facts(1, 1), Concealment.CONCEALED), usable=np.zeros(1, np.uint8))
    facts.concealed[0, 3] = Concealment.NONE
    judgement = judge(load_edition("pathfinder1", options=options), facts, Question())
    assert (judgement.concealment_corner.item(), judgement.miss_chance.item()) == (3, 0)
