"""Situations with the answer that the books and their readers give: creatures in the way, fog, flanking, corridors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rules import books
from rules.random_facts import concealing, degrees_of, open_facts, random_facts

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Concealment, Relation
from gridlos.rules import (
    ROLLS,
    Question,
    judge,
    load_edition,
    modifiers_of,
    notes_of,
)

EDITIONS = sorted(books.COVER)


def test_the_modifiers_of_cover_name_their_rule():
    facts = replace(open_facts(1, 1), hard=np.full((1, 4), 3, np.uint8))
    judgement = judge(load_edition("pathfinder1"), facts, Question())
    assert [(one.on, one.value, one.type, one.rule) for one in modifiers_of(judgement, 0, 0)] == [
        ("defense", 4, "cover", "PF1-COVER"),
        ("save", 2, "cover", "PF1-COVER"),
    ]
    assert notes_of(judgement, 0, 0) == ()


def test_hard_and_soft_cover_give_the_highest_number_of_each_statistic():
    """Hybrid: three quarters by walls would be +6, a quarter is +2 and the creature's +4 wins; it gives no Reflex."""
    facts = replace(open_facts(1, 2), hard=np.uint8([[1] * 4, [7] * 4]), soft=np.full((2, 4), 8, np.uint8))
    judgement = judge(load_edition("hybrid35"), facts, Question())
    assert [judgement.edition.degrees[code] for code in judgement.cover[0]] == ["1/4", "3/4"]
    assert (judgement.soft.tolist(), judgement.blocked_lines.tolist()) == ([[True, True]], [[2, 4]])
    assert (judgement.defense_modifier.tolist(), judgement.save_modifier.tolist()) == ([[4, 6]], [[0, 2]])
    kept = {(one.rule, one.on): one.kept for one in modifiers_of(judgement, 0, 0)}
    assert kept == {("S002-33", "defense"): False, ("S002-44", "defense"): True}


# CASES 64 and 27: creatures give half cover in the fifth edition, however many lines they block.
@pytest.mark.parametrize(
    ("hard", "soft", "by_default", "by_lines"),
    [
        (0b0000, 0b1111, "half", "three-quarters"),
        (0b0001, 0b0110, "half", "three-quarters"),
        (0b0001, 0b0000, "half", "half"),
        (0b0111, 0b1000, "three-quarters", "three-quarters"),
        (0b0001, 0b0001, "half", "half"),
        (0b0000, 0b0001, "half", "half"),
    ],
)
def test_fifth_edition_counts_walls_and_creatures_together(hard, soft, by_default, by_lines):
    facts = replace(open_facts(1, 1), hard=np.full((1, 4), hard, np.uint8), soft=np.full((1, 4), soft, np.uint8))
    for options, degree in (({}, by_default), ({"creature_max_degree": "by_lines"}, by_lines)):
        judgement = judge(load_edition("dnd5e", options=options), facts, Question())
        assert degrees_of(judgement) == [[degree]]
        assert judgement.soft.tolist() == [[soft != 0]]


@pytest.mark.parametrize(
    ("name", "degree", "defense", "save", "attack"),
    [
        ("defense", "soft", 0, 0, 0),
        ("starfinder1", "cover", 4, 2, 0),
        ("hybrid35", "soft", 4, 0, 0),
        ("dnd30", "1/2", 4, 2, 0),
        ("pathfinder1", "soft", 4, 0, 0),
        ("dnd5e", "half", 2, 2, 0),
    ],
)
def test_a_creature_in_the_way_of_a_shot(name, degree, defense, save, attack):
    facts = replace(open_facts(1, 1), soft=np.full((1, 4), 1, np.uint8))
    judgement = judge(load_edition(name), facts, Question())
    assert degrees_of(judgement) == [[degree]]
    found = judgement.defense_modifier, judgement.save_modifier, judgement.attack_modifier
    assert [column.item() for column in found] == [defense, save, attack]


# An attack of opportunity with reach past a creature: RULES C31, C32; against who has one-half cover: S004-70.
@pytest.mark.parametrize(
    ("name", "options", "cover", "opportunity"),
    [
        ("pathfinder1", {}, "soft", False),
        ("pathfinder1", {"soft_cover_blocks_aoo": "no"}, "soft", True),
        ("pathfinder1", {"soft_cover_vs_reach": "not"}, "none", True),
        ("starfinder1", {}, "cover", False),
        ("starfinder1", {"soft_cover_blocks_aoo": "no"}, "cover", True),
        ("defense", {}, "soft", True),
        ("defense", {"soft_cover_blocks_aoo": "yes"}, "soft", False),
        ("dnd30", {}, "1/2", False),
        ("hybrid35", {}, "none", True),
        ("hybrid35", {"soft_cover_vs_reach": "applies"}, "soft", True),
        ("dnd5e", {}, "half", True),
    ],
)
def test_opportunity_past_a_creature(name, options, cover, opportunity):
    yes = np.ones((1, 1), np.bool_)
    facts = replace(open_facts(1, 1), soft=np.full((1, 4), 3, np.uint8), threatens=yes, in_reach=yes)
    judgement = judge(load_edition(name, options=options), facts, Question(Attack.MELEE))
    assert degrees_of(judgement) == [[cover]]
    assert judgement.opportunity is not None
    assert judgement.opportunity.tolist() == [[opportunity]]
    assert judge(load_edition(name, options=options), facts, Question()).opportunity is None


def test_a_creature_beside_an_adjacent_target_gives_cover_only_where_the_text_says_so():
    facts = replace(open_facts(1, 1), soft=np.full((1, 4), 15, np.uint8), adjacent=np.ones((1, 1), np.bool_))
    found = {name: degrees_of(judge(load_edition(name), facts, Question(Attack.MELEE)))[0][0] for name in EDITIONS}
    none = dict.fromkeys(("defense", "hybrid35", "dnd30", "pathfinder1", "dnd35", "dnd4e"), "none")
    assert found == {**none, "starfinder1": "cover", "dnd5e": "half", "dnd5e-2024": "half"}


@pytest.mark.parametrize("name", EDITIONS)
def test_line_of_effect_without_line_of_sight_is_total_concealment(name):
    facts = open_facts(1, 2)
    facts.line_of_sight[0, 0] = False
    judgement = judge(load_edition(name), facts, Question())
    words = [judgement.edition.concealments[code] for code in judgement.concealment[0]]
    assert words == [judgement.edition.concealments[-1], "none"]
    assert judgement.can_hide.tolist() == [[True, False]]
    facts.line_of_effect[0, 0] = False  # total cover: no attack, so no miss chance
    judgement = judge(load_edition(name), facts, Question())
    assert (judgement.miss_chance.item(0), judgement.can_attack.item(0), judgement.can_hide.item(0)) == (0, False, True)


def test_who_is_seen_through_a_window_cannot_hide():
    facts = open_facts(1, 1)
    facts.line_of_effect[0, 0] = False
    judgement = judge(load_edition("pathfinder1"), facts, Question())
    assert degrees_of(judgement) == [["total"]]
    assert judgement.can_hide.tolist() == [[False]]


# RULES C59, C63, S004-89, S004-92: what fog does near and far.
@pytest.mark.parametrize(
    ("name", "depth", "adjacent", "concealment", "miss"),
    [
        ("pathfinder1", 1, False, "concealed", 20),
        ("pathfinder1", 2, False, "total", 50),
        ("pathfinder1", 2, True, "concealed", 20),
        ("defense", 2, False, "total", 50),
        ("defense", 3, True, "concealed", 20),
        ("starfinder1", 2, False, "total", 50),
        ("hybrid35", 2, False, "total", 0),
        ("hybrid35", 2, True, "concealed", 0),
        ("dnd30", 1, False, "1/2", 20),
        ("dnd30", 2, True, "1/2", 20),
        ("dnd30", 2, False, "total", 50),
        ("dnd5e", 1, False, "heavily obscured", 0),
        ("dnd5e", 2, True, "heavily obscured", 0),
    ],
)
@pytest.mark.parametrize("attack", Attack)
def test_fog_near_and_far(name, depth, adjacent, concealment, miss, attack):
    facts = concealing(open_facts(1, 1), Concealment.CONCEALED, depth)
    facts.adjacent[0, 0] = adjacent
    judgement = judge(load_edition(name), facts, Question(attack))
    assert judgement.edition.concealments[judgement.concealment.item()] == concealment
    assert judgement.miss_chance.item() == (0 if attack is Attack.AREA else miss)  # S000-39: nothing can miss


def test_adjacent_melee_into_fog_needs_the_whole_space_in_it():
    facts = concealing(open_facts(1, 1), Concealment.CONCEALED, 1)
    facts = replace(facts, adjacent=np.ones((1, 1), np.bool_), target_concealed=np.zeros(1, np.uint8))
    found = [judge(load_edition("pathfinder1"), facts, Question(attack)).miss_chance.item() for attack in Attack]
    assert dict(zip(Attack, found, strict=True)) == {Attack.RANGED: 20, Attack.MELEE: 0, Attack.AREA: 0}


def test_concealment_adds_to_cover_in_the_hybrid_and_counts_once():
    """C68: +2 for concealment, +4 for one-half cover, +6 in all; total concealment +4 and +4 on Reflex."""
    facts = concealing(replace(open_facts(1, 1), hard=np.full((1, 4), 3, np.uint8)), Concealment.CONCEALED)
    judgement = judge(load_edition("hybrid35"), facts, Question())
    assert (judgement.defense_modifier.item(), judgement.save_modifier.item()) == (6, 0)
    facts.line_of_sight[0, 0] = False
    judgement = judge(load_edition("hybrid35"), facts, Question())
    assert (judgement.defense_modifier.item(), judgement.save_modifier.item()) == (8, 4)
    assert judgement.can_attack.item()


def test_the_corner_for_concealment_is_chosen_apart():
    facts = concealing(replace(open_facts(1, 1), hard=np.uint8([[0, 15, 15, 15]])), Concealment.CONCEALED)
    facts.concealed[0, 2] = Concealment.NONE
    judgement = judge(load_edition("pathfinder1"), facts, Question())
    assert (judgement.corner.item(), judgement.concealment_corner.item(), judgement.miss_chance.item()) == (0, 2, 0)
    tied = load_edition("pathfinder1", options={"same_corner_for_cover_and_concealment": "same"})
    judgement = judge(tied, facts, Question())
    assert (judgement.corner.item(), judgement.concealment_corner.item(), judgement.miss_chance.item()) == (0, 0, 20)


# C65, C66 and SRD 5.1, Unseen Attackers and Targets: sees the target, is seen by it.
@pytest.mark.parametrize(
    ("sees", "is_seen", "roll"),
    [(True, True, "normal"), (False, True, "disadvantage"), (True, False, "advantage"), (False, False, "normal")],
)
def test_unseen_attackers_and_targets(sees, is_seen, roll):
    facts = concealing(open_facts(2, 2), Concealment.NONE)
    assert not facts.distinct[0, 0]
    facts.fog_depth[1], facts.fog_depth[2] = int(not sees), int(not is_seen)
    judgement = judge(load_edition("dnd5e"), facts, Question())
    assert judgement.roll is not None
    assert ROLLS[judgement.roll[0, 1]] == roll
    assert judgement.columns["roll"] is judgement.roll
    assert judgement.words["roll"] == ("normal", "advantage", "disadvantage")


def test_flanking_gives_advantage_that_blindness_takes_away():
    facts = concealing(open_facts(2, 2), Concealment.NONE)
    facts = replace(facts, flanked=np.ones((2, 2), np.bool_))
    edition = load_edition("dnd5e")
    assert ROLLS[judge(edition, facts, Question(Attack.MELEE)).roll[0, 1]] == "advantage"
    assert ROLLS[judge(edition, facts, Question(Attack.RANGED)).roll[0, 1]] == "normal"
    facts.fog_depth[1] = 1
    assert ROLLS[judge(edition, facts, Question(Attack.MELEE)).roll[0, 1]] == "normal"
    off = load_edition("dnd5e", options={"flanking": "off"})
    assert ROLLS[judge(off, facts, Question(Attack.MELEE)).roll[0, 1]] == "disadvantage"


def test_without_the_way_back_nobody_says_what_the_roll_is():
    edition, facts = load_edition("dnd5e"), concealing(open_facts(2, 3), Concealment.NONE)
    assert "roll" not in judge(edition, facts, Question()).columns
    facts = open_facts(2, 3)  # nothing conceals: line of sight is mutual
    facts.line_of_sight[0, 0] = False
    assert judge(edition, facts, Question()).columns["roll"].tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("name", [name for name in EDITIONS if not name.startswith("dnd5e")])
def test_flanking_is_for_melee_and_not_for_allies(name):
    facts = replace(open_facts(1, 3), flanked=np.ones((1, 3), np.bool_))
    facts = replace(facts, relation=np.uint8([[Relation.ENEMY, Relation.ALLY, Relation.NEUTRAL]]))
    judgement = judge(load_edition(name), facts, Question(Attack.MELEE))
    assert judgement.columns["flanked"].tolist() == [[True, False, True]]
    assert judgement.attack_modifier.tolist() == [[2, 0, 2]]
    assert "roll" not in judgement.columns
    judgement = judge(load_edition(name), facts, Question())
    assert judgement.columns["flanked"].tolist() == [[False] * 3]
    assert judgement.attack_modifier.tolist() == [[0] * 3]


# RULES C04: in a corridor two of four lines run along the walls, from every corner.
def test_lines_along_the_walls_of_a_corridor():
    facts = replace(open_facts(1, 1), along=np.uint8([[3, 3, 12, 12]]))
    facts = replace(facts, attacker_square=np.int32([[0, 1]]), target_square=np.int32([[7, 1]]))
    for options, degree in (
        ({}, "none"),
        ({"edge_contact": "blocked_for_walls_only"}, "none"),
        ({"edge_contact": "blocked_for_walls_only", "common_sense_exempt": "off"}, "cover"),
    ):
        edition = load_edition("starfinder1", options=options)
        assert degrees_of(judge(edition, facts, Question())) == [[degree]]
    with pytest.raises(QuestionError, match="edge_contact: these facts do not tell"):
        judge(edition, replace(facts, along=None), Question())


def test_a_wall_on_one_side_is_no_corridor():
    facts = replace(open_facts(1, 1), along=np.uint8([[3, 3, 15, 15]]))
    facts = replace(facts, attacker_square=np.int32([[0, 1]]), target_square=np.int32([[7, 1]]), hard=facts.hard)
    edition = load_edition("starfinder1", options={"edge_contact": "blocked_for_walls_only"})
    facts.along[0] = [3, 3, 1, 1]
    assert degrees_of(judge(edition, facts, Question())) == [["partial"]]


# S000-17: partial cover takes 2 from ranged attacks; what it does to a polearm is an option.
@pytest.mark.parametrize(
    ("options", "ranged", "melee"),
    [
        ({}, -2, -2),
        ({"partial_penalty_vs_reach": "as_cover"}, -2, -4),
        ({"partial_penalty_vs_reach": "none"}, -2, 0),
        ({"partial": "off"}, -4, -4),
    ],
)
def test_partial_cover_from_shots_and_polearms(options, ranged, melee):
    facts = replace(open_facts(1, 1), hard=np.full((1, 4), 1, np.uint8))
    edition = load_edition("defense", options=options)
    found = {attack: judge(edition, facts, Question(attack)).attack_modifier.item() for attack in Attack}
    assert found == {Attack.RANGED: ranged, Attack.MELEE: melee, Attack.AREA: 0}


# S000-6 and Humanoid Shield: soft cover costs the attacker nothing, or what cover does.
@pytest.mark.parametrize(("penalty", "attack"), [("0", 0), ("-4", -4)])
def test_soft_cover_of_the_variant_with_defense(penalty, attack):
    facts = replace(open_facts(1, 1), soft=np.full((1, 4), 1, np.uint8))
    judgement = judge(load_edition("defense", options={"soft_penalty": penalty}), facts, Question())
    assert (judgement.attack_modifier.item(), judgement.save_modifier.item()) == (attack, 0)


def test_walls_beside_creatures_are_the_harder_penalty_in_the_variant_with_defense():
    """The attacker takes a corner with four lines through creatures, free of charge, before one blocked by a wall."""
    facts = replace(open_facts(1, 1), hard=np.uint8([[1, 1, 1, 0]]), soft=np.uint8([[0, 0, 0, 15]]))
    judgement = judge(load_edition("defense"), facts, Question())
    assert (degrees_of(judgement), judgement.corner.item(), judgement.blocked_lines.item()) == ([["soft"]], 3, 4)
    judgement = judge(load_edition("pathfinder1"), facts, Question())
    assert (degrees_of(judgement), judgement.corner.item(), judgement.blocked_lines.item()) == ([["partial"]], 0, 1)


def test_the_defender_chooses_among_all_squares():
    """S001-4 read for the defender: the corner and square that conceal most, even where all squares must be hit."""
    facts = replace(random_facts(4, 6, 6, big=True, density=0.0), attackers=None, targets=None, light=None)
    options = {"concealment_chooser": "defender", "fog_depth_total": "off"}
    assert facts.concealed_at_border is not None
    for squares in ("any_one_square", "all_squares"):
        edition = load_edition("starfinder1", options={**options, "large_target_ranged": squares})
        judgement = judge(edition, facts, Question())
        for pair in np.flatnonzero(facts.distinct & facts.line_of_sight).tolist():
            choices = slice(facts.choice_start[pair], facts.choice_start[pair + 1])
            usable = (facts.usable[choices, None] >> np.arange(4) & 1) == 1
            if usable.any():
                most = facts.concealed_at_border[choices][usable].max()
                word = books.LEVELS["starfinder1"][most]
                assert edition.concealments[judgement.concealment.flat[pair]] == word
