"""The game master's words, and the notes on what he may decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rules import books
from rules.random_facts import concealing, degrees_of, open_facts

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Concealment
from gridlos.rules import (
    Override,
    Question,
    judge,
    load_edition,
    notes_of,
)

EDITIONS = sorted(books.COVER)


def test_the_game_masters_word_wins():
    edition = load_edition("pathfinder1")
    facts = open_facts(2, 3)
    facts.line_of_effect[:, 2] = facts.line_of_sight[:, 2] = False
    words = (
        Override(0, 1, degree="improved", note="the gate swings"),
        Override(0, degree="partial"),
        Override(1, 0, veto=True),
        Override(2, force=True),
        Override(2, 1, degree="1/2"),
    )
    judgement = judge(edition, facts, Question(overrides=words))
    assert degrees_of(judgement) == [["partial", "none", "total"], ["improved", "none", "cover"]]
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


def test_the_game_masters_degree_takes_the_place_of_what_creatures_give():
    facts = replace(open_facts(1, 1), soft=np.full((1, 4), 15, np.uint8))
    judgement = judge(load_edition("pathfinder1"), facts, Question(overrides=(Override(0, degree="partial"),)))
    assert degrees_of(judgement) == [["partial"]]
    assert (judgement.defense_modifier.item(), judgement.soft.item()) == (2, True)


def test_a_forced_attack_through_total_cover_keeps_its_other_numbers():
    facts = concealing(open_facts(1, 2), Concealment.CONCEALED)
    facts = replace(facts, flanked=np.ones((1, 2), np.bool_))
    facts.line_of_effect[0] = False
    judgement = judge(load_edition("pathfinder1"), facts, Question(Attack.MELEE, overrides=(Override(1, force=True),)))
    assert judgement.miss_chance.tolist() == [[0, 20]]
    assert judgement.attack_modifier.tolist() == [[0, 2]]
    assert judgement.can_attack.tolist() == [[False, True]]


def test_a_vetoed_attack_of_opportunity_is_none():
    yes = np.ones((1, 1), np.bool_)
    facts = replace(open_facts(1, 1), threatens=yes)
    question = Question(Attack.MELEE, overrides=(Override(0, veto=True),))
    assert judge(load_edition("defense"), facts, question).opportunity.tolist() == [[False]]


def test_the_last_of_several_words_wins():
    edition = load_edition("dnd5e")
    words = (
        Override(0, 0, degree="half", veto=True),
        Override(0, 0, degree="three-quarters"),
        Override(0, 0, force=True),
    )
    judgement = judge(edition, open_facts(1, 1), Question(overrides=words))
    assert degrees_of(judgement) == [["three-quarters"]]
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
    facts.line_of_effect[0, 1] = facts.line_of_sight[0, 1] = False
    judgement = judge(edition, facts, Question())
    assert notes_of(judgement, 0, 0) == ("partial cover is at the game master's discretion",)
    assert notes_of(judgement, 0, 1) == ("no line of effect: the attack cannot be made, so it has no modifiers",)


# S000-7, S000-8, S000-13, S000-20, S000-36, S000-45: what Defense leaves to the game master.
@pytest.mark.parametrize(
    ("attack", "changes", "words"),
    [
        (Attack.RANGED, {"hard": 3}, "impossible because of the cover"),
        (Attack.MELEE, {"hard": 3, "adjacent": True}, "judge of the attack penalty"),
        (Attack.MELEE, {"soft": 3}, "soft cover forbids an attack of opportunity"),
        (Attack.RANGED, {"hard": 1}, "discretion"),
        (Attack.RANGED, {"line_of_sight": False}, "only a square in which"),
        (Attack.RANGED, {"concealed": 2}, "raise or lower the miss chance"),
    ],
)
def test_what_the_game_master_may_decide_is_a_note(attack, changes, words):
    facts = concealing(replace(open_facts(1, 1), soft=np.zeros((1, 4), np.uint8)), Concealment.NONE)
    for name, value in changes.items():
        getattr(facts, name)[...] = value
    (note,) = notes_of(judge(load_edition("defense"), facts, Question(attack)), 0, 0)
    assert words in note


def test_notes_of_the_other_editions():
    facts = replace(open_facts(1, 1), hard=np.full((1, 4), 15, np.uint8), soft=np.full((1, 4), 1, np.uint8))
    said = {name: " / ".join(notes_of(judge(load_edition(name), facts, Question()), 0, 0)) for name in EDITIONS}
    assert "game master's call" in said["hybrid35"]
    assert "a quarter of the damage" in said["hybrid35"]
    assert "combatants of one size" in said["dnd30"]
    assert "do not say who can hide" in said["dnd30"]
    facts = replace(open_facts(2, 2), flanked=np.ones((2, 2), np.bool_))
    assert notes_of(judge(load_edition("dnd5e"), facts, Question(Attack.MELEE)), 0, 1) == (
        "flanking is an optional rule",
    )
