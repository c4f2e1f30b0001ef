"""The edition with one line between centres says what its books say: RULES A2 to A4, typed from there."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from rules import books
from rules.books import NONE, Row, same
from rules.random_facts import degrees_of, open_facts
from rules.test_editions import numbers, sums

from gridlos.facts import Attack, Hidden
from gridlos.rules import Question, judge, load_edition

COVER = {
    "none": NONE,
    "lesser": Row(defense=same(1)),
    "standard": Row(defense=same(2), save=2, stealth=2, hides=True),
    "greater": Row(defense=same(4), save=4, stealth=4, hides=True),
    "total": Row(can_attack=False, hides=True),
}
CONCEALMENT = {"none": NONE, "concealed": Row(hides=True, flat_check=5), "hidden": Row(hides=True, flat_check=11)}
OPTIONS = {
    "line_of_effect": ["clear", "touching"],
    "cut_corners": ["ignore", "count"],
    "flank_anchor": ["centre", "any_square"],
    "flank_corners_inclusive": ["yes", "no"],
    "reach10_second_diagonal": ["yes", "no"],
    "threat_unarmed": ["threatens", "not"],
    "reach_weapon_dead_zone": ["no", "yes"],
}
EDITION = load_edition("pathfinder2")


@pytest.mark.parametrize("attack", [Attack.RANGED, Attack.MELEE])
def test_degrees_have_their_numbers(attack):
    assert EDITION.degrees == tuple(COVER)
    assert EDITION.concealments == tuple(CONCEALMENT)
    for rows, entries in ((COVER, EDITION.table.degree), (CONCEALMENT, EDITION.table.concealment)):
        for word, row in rows.items():
            entry = entries[word]
            assert sums(EDITION, entry.rules, attack) == numbers(row, attack), word
            assert (entry.forbids_attack, entry.hides, entry.forbids_opportunity) == (not row.can_attack, row.hides, False), word
    assert EDITION.table.flanking.rule is not None
    assert sums(EDITION, (EDITION.table.flanking.rule,), attack) == numbers(Row(defense=(0, -2)), attack)


def test_parameters():
    table = EDITION.table
    assert (table.save, table.diagonals, table.concealing.fog) == ("reflex", "5-10-5", "never")
    assert (table.flanking.partner, table.flanking.anchor, table.flanking.corners) == ("ally", "centre", True)
    assert (table.reach.second_diagonal, table.reach.dead_zone, table.reach.unarmed_threatens) == (True, False, True)
    assert EDITION.least_hidden is Hidden.QUARTER
    assert not EDITION.low_obstacles
    assert not EDITION.has_rolls
    assert {one: (entry.default, set(entry.values)) for one, entry in table.options.items()} == {
        one: (values[0], set(values)) for one, values in OPTIONS.items()
    }
    for name, option in table.options.items():
        assert not option.values[option.default].set, name
    for rule in table.rules.values():
        assert re.match(r"Player Core, .+, .+|Player Core, Playing the Game, .+", rule.source)
    words = {word: EDITION.degrees[EDITION.degree_code(word)] for word in ("light", "standard", "improved", "total", "1/8", "1/4", "3/4")}
    assert words == {
        "light": "lesser", "standard": "standard", "improved": "greater", "total": "total", "1/8": "none", "1/4": "standard",
        "3/4": "standard",
    }  # fmt: skip
    assert set(words) - {"1/8"} < {*books.COVER_WORDS["pathfinder1"]}


def on_the_line(hidden=0, soft=0, **words):
    facts = open_facts(1, 2)
    column = np.array([[hidden, 0]], np.uint8)
    tagged = tuple((word, np.array([[met, False]])) for word, met in words.items())
    return replace(facts, centre_hidden=column, centre_soft=np.array([[soft, 0]], np.uint8), centre_tagged=tagged or None)


@pytest.mark.parametrize(
    ("facts", "cover", "lines", "soft", "defense"),
    [
        (on_the_line(), "none", 0, False, 0),
        (on_the_line(hidden=Hidden.QUARTER), "standard", 1, False, 2),
        (on_the_line(hidden=Hidden.NEARLY_ALL), "standard", 1, False, 2),
        (on_the_line(hidden=Hidden.ALL), "standard", 1, False, 2),
        (on_the_line(soft=1), "lesser", 1, True, 1),
        (on_the_line(soft=2), "standard", 1, True, 2),
        (on_the_line(hidden=Hidden.ALL, soft=1), "standard", 1, True, 2),
        (on_the_line(improved=True), "greater", 0, False, 4),
        (on_the_line(improved=False), "none", 0, False, 0),
        (on_the_line(improved=True, soft=2, hidden=Hidden.HALF), "greater", 1, True, 4),
        (on_the_line(light=True, standard=True), "standard", 0, False, 2),
        (on_the_line(none=True), "none", 0, False, 0),
    ],
)
@pytest.mark.parametrize("attack", Attack)
def test_what_lies_on_the_line(facts, cover, lines, soft, defense, attack):
    judgement = judge(EDITION, facts, Question(attack))
    assert degrees_of(judgement) == [[cover, "none"]]
    assert judgement.blocked_lines.tolist() == [[lines, 0]]
    assert judgement.soft.tolist() == [[soft, False]]
    # An effect on an area is no attack on AC: cover helps the save, and lesser cover does not.
    in_area = attack is Attack.AREA
    assert judgement.defense_modifier.tolist() == [[0 if in_area else defense, 0]]
    assert judgement.save_modifier.tolist() == [[0 if defense == 1 else defense, 0]]
    assert judgement.can_hide.tolist() == [[cover in ("standard", "greater"), False]]
    facts = replace(facts, line_of_effect=np.array([[False, True]]), any_free=np.array([[False, True]]))
    judgement = judge(EDITION, facts, Question(attack))
    assert degrees_of(judgement) == [["total", "none"]]
    assert judgement.can_attack.tolist() == [[False, True]]
    assert judgement.defense_modifier.tolist() == [[0, 0]]


def test_lines_between_corners_are_nothing_to_it():
    facts = replace(on_the_line(), hard=np.full((2, 4), 15, np.uint8), soft=np.full((2, 4), 15, np.uint8))
    assert degrees_of(judge(EDITION, facts, Question())) == [["none", "none"]]
    corners = load_edition("pathfinder1")
    there = replace(facts, hard=np.zeros((2, 4), np.uint8), centre_hidden=np.full((1, 2), 7, np.uint8))
    assert degrees_of(judge(corners, replace(there, soft=None), Question())) == [["none", "none"]]


def test_flanked_behind_cover():
    """A bonus and a penalty of one type both count."""
    facts = replace(on_the_line(soft=1), flanked=np.ones((1, 2), np.bool_))
    assert judge(EDITION, facts, Question(Attack.MELEE)).defense_modifier.tolist() == [[-1, -2]]
    assert judge(EDITION, facts, Question()).defense_modifier.tolist() == [[1, 0]]
