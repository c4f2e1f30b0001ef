"""What hides a part of a body, and words for cover: the degrees that DESIGN names, corners, melee, words of walls."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import books
from rules.random_facts import WORDS, degrees_of, hiding, nibbles, open_facts, random_facts

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Hidden, PairFacts
from gridlos.rules import Judgement, Question, judge, load_edition, modifiers_of

EDITIONS = sorted(books.COVER)
ANY_LINE = ("defense", "pathfinder1", "starfinder1")
BY_PART = ("dnd30", "hybrid35")
FIFTH = ("dnd5e", "dnd5e-2024")


def hidden(*fractions: str) -> list[int]:
    """Return the codes of Hidden for the hidden fractions of the four lines."""
    return [code_of(Fraction(text)) for text in fractions]


def code_of(h: Fraction) -> int:
    over = [h >= Fraction(1, 4), h > Fraction(3, 8), h >= Fraction(1, 2), h > Fraction(5, 8)]
    return sum([*over, h >= Fraction(3, 4), h > Fraction(33, 40), h == 1])


def by_edition(lines: tuple[str, ...], any_line: str, fifth: str, by_part: str) -> dict[str, str]:
    """Return the degree of every edition; without partial cover any line is cover, in the fourth three whole ones more."""
    found = {**dict.fromkeys(ANY_LINE, any_line), **dict.fromkeys(BY_PART, by_part), **dict.fromkeys(FIFTH, fifth)}
    found["dnd35"] = "none" if any_line == "none" else "cover"
    found["dnd4e"] = "superior" if lines.count("1") > 2 else found["dnd35"]
    return found


def asked(name: str, facts: PairFacts, attack: Attack = Attack.RANGED, **options: str) -> Judgement:
    return judge(load_edition(name, options=options), facts, Question(attack))


def degree(name: str, facts: PairFacts, attack: Attack = Attack.RANGED, **options: str) -> str:
    (row,) = degrees_of(asked(name, facts, attack, **options))
    return row[0]


def tagged(*words: tuple[str, list[int]]) -> PairFacts:
    """Return facts of an open map but for walls with these words: for each the nibbles of lines from the four corners."""
    return replace(open_facts(1, 1), tagged=tuple((word, np.uint8([lines])) for word, lines in words))


def test_the_codes_are_those_of_the_facts():
    bounds = ["0", "1/4", "2/5", "1/2", "2/3", "3/4", "9/10", "1"]
    assert [Hidden(code) for code in hidden(*bounds)] == list(Hidden)


# DESIGN, Heights: any-line editions count the lines; the fifth edition gives half at most, three-quarters from 3/4 on;
# hybrid35 and dnd30 the degree nearest to h, the milder of two.
@pytest.mark.parametrize(
    ("h", "any_line", "fifth", "by_part"),
    [
        ("6/25", "none", "none", "none"),
        ("1/4", "cover", "none", "1/4"),
        ("3/10", "cover", "none", "1/4"),
        ("3/8", "cover", "none", "1/4"),
        ("2/5", "cover", "none", "1/2"),
        ("1/2", "cover", "half", "1/2"),
        ("5/8", "cover", "half", "1/2"),
        ("2/3", "cover", "half", "3/4"),
        ("3/4", "cover", "three-quarters", "3/4"),
        ("4/5", "cover", "three-quarters", "3/4"),
        ("33/40", "cover", "three-quarters", "3/4"),
        ("17/20", "cover", "three-quarters", "9/10"),
        ("1", "cover", "three-quarters", "9/10"),
    ],
)
def test_all_four_lines_are_hidden_so_much(h, any_line, fifth, by_part):
    facts = hiding(hidden(h, h, h, h))
    found = {name: degree(name, facts) for name in EDITIONS}
    expected = by_edition((h,) * 4, any_line, fifth, by_part)
    assert found == expected
    for name in EDITIONS:
        judgement = asked(name, facts)
        assert judgement.blocked_lines.item() == (0 if expected[name] == "none" else 4)
        assert judgement.can_attack.item()


@pytest.mark.parametrize(
    ("lines", "any_line", "fifth", "by_part"),
    [
        (("1/2", "0", "0", "0"), "partial", "half", "1/4"),
        (("3/10", "0", "0", "0"), "partial", "none", "1/4"),
        (("3/10", "1/2", "0", "0"), "cover", "half", "1/4"),
        (("1/2", "1/2", "0", "0"), "cover", "half", "1/2"),
        (("1/2", "1/2", "1/2", "0"), "cover", "half", "1/2"),
        (("1", "1/2", "1/2", "1/2"), "cover", "half", "1/2"),
        (("1", "1", "1/2", "1/2"), "cover", "half", "1/2"),
        (("1", "1", "1", "1/2"), "cover", "three-quarters", "3/4"),
        (("1", "4/5", "4/5", "0"), "cover", "three-quarters", "3/4"),
        (("1", "4/5", "0", "0"), "cover", "half", "1/2"),
        (("1", "3/10", "3/10", "0"), "cover", "half", "1/4"),
        (("1/2", "3/4", "4/5", "9/10"), "cover", "three-quarters", "3/4"),
        (("9/10", "9/10", "9/10", "1"), "cover", "three-quarters", "9/10"),
        (("0", "0", "0", "1"), "partial", "half", "1/4"),
    ],
)
def test_lines_hidden_more_and_less(lines, any_line, fifth, by_part):
    facts = hiding(hidden(*lines))
    expected = by_edition(lines, any_line, fifth, by_part)
    assert {name: degree(name, facts) for name in EDITIONS} == expected


@pytest.mark.parametrize("name", ANY_LINE)
def test_without_partial_cover_one_line_is_cover(name):
    assert degree(name, hiding(hidden("1/2", "0", "0", "0")), partial="off") == "cover"


def test_four_lines_in_the_fifth_edition_are_total_only_if_wholly_hidden():
    for h, expected in (("1/2", "half"), ("4/5", "three-quarters"), ("99/100", "three-quarters"), ("1", "total")):
        judgement = asked("dnd5e", hiding(hidden(h, h, h, h)), dmg_four_lines="total")
        assert degrees_of(judgement) == [[expected]]
        assert judgement.can_attack.item() is (expected != "total")


def test_all_counted_lines_hidden_are_four_of_four():
    """One counted corner of the target, hidden by half."""
    facts = replace(hiding(hidden("1/2", "0", "0", "0")), counted=np.uint8([1]))
    expected = by_edition(("1/2",), "cover", "half", "1/2")
    assert {name: degree(name, facts) for name in EDITIONS} == expected
    assert asked("hybrid35", facts).blocked_lines.item() == 4
    assert degree("hybrid35", facts, cut_corners="count") == "1/4"
    none = replace(facts, counted=np.uint8([0]))
    assert (degree("hybrid35", none), degree("dnd5e", none)) == ("9/10", "three-quarters")


def test_an_attacker_without_a_corner_finds_four_of_four():
    facts = replace(hiding(hidden("1/2", "1/2", "1/2", "1/2")), usable=np.uint8([0]))
    facts = replace(facts, tagged=(("total", np.full((1, 4), 15, np.uint8)),))
    assert {name: degree(name, facts) for name in EDITIONS} == {name: books.BY_LINES[name][4] for name in EDITIONS}
    melee = replace(facts, adjacent=np.ones((1, 1), np.bool_))
    for name in ("pathfinder1", "defense"):
        assert degree(name, melee, Attack.MELEE) == "cover"


def test_such_an_attacker_in_adjacent_melee_by_a_house_rule(tmp_path):
    """Four of four is then what the table says of adjacent melee."""
    house = tmp_path / "house.toml"
    melee = ["none", *["partial"] * 4]
    house.write_text(f'extends = "pathfinder1"\nadjacent_melee.blocked_lines = {melee}\n', encoding="utf-8")
    facts = replace(hiding([7, 7, 7, 7]), usable=np.uint8([0]), adjacent=np.ones((1, 1), np.bool_))
    for one in (facts, replace(facts, hidden=None)):
        found = [degrees_of(judge(load_edition(house), one, Question(attack))) for attack in Attack]
        expected = {Attack.RANGED: [["cover"]], Attack.MELEE: [["partial"]], Attack.AREA: [["cover"]]}
        assert dict(zip(Attack, found, strict=True)) == expected


# The order of the corners: the penalty, then fewest lines that walls block, in part or wholly, then fewest by creatures.
def test_the_corner_with_the_lower_penalty_before_the_one_with_fewer_lines():
    facts = hiding([hidden("3/10", "3/10", "3/10", "0"), hidden("1", "1", "0", "0"), [7] * 4, [7] * 4])
    judgement = asked("dnd30", facts)
    assert (judgement.corner.item(), judgement.blocked_lines.item(), degrees_of(judgement)) == (0, 3, [["1/4"]])
    judgement = asked("defense", facts)
    assert (judgement.corner.item(), judgement.blocked_lines.item(), degrees_of(judgement)) == (1, 2, [["cover"]])


def test_of_equal_penalties_the_corner_with_fewer_lines_hidden_in_part():
    facts = hiding(
        [[7] * 4, hidden("3/10", "3/10", "0", "0"), hidden("0", "0", "0", "1"), hidden("1/4", "0", "0", "0")]
    )
    judgement = asked("hybrid35", facts)
    assert (judgement.corner.item(), judgement.blocked_lines.item(), degrees_of(judgement)) == (2, 1, [["1/4"]])
    facts = replace(facts, soft=np.uint8([[0, 0, 3, 1]]))  # creatures cost more there than one-quarter cover
    judgement = asked("hybrid35", facts)
    assert (judgement.corner.item(), degrees_of(judgement), judgement.soft.item()) == (1, [["1/4"]], False)


# DESIGN, Degrees: the larger of the hard degree and min(half, degree of hard and soft together).
def test_walls_that_hide_a_part_count_together_with_creatures_in_the_fifth_edition():
    facts = replace(hiding(hidden("1/2", "0", "0", "0")), soft=np.full((1, 4), 0b0110, np.uint8))
    assert degree("dnd5e", facts) == "half"
    assert degree("dnd5e", facts, creature_max_degree="by_lines") == "three-quarters"
    facts = replace(facts, hidden=np.tile(np.uint8(hidden("3/10", "0", "0", "0")), (1, 4, 1)))
    assert degree("dnd5e", facts, creature_max_degree="by_lines") == "half"


def test_adjacent_melee_looks_from_all_corners_over_low_walls():
    facts = replace(hiding([0, 0, 0, 0]), adjacent=np.ones((1, 1), np.bool_))
    facts.hidden[0, 2, 3] = Hidden.QUARTER
    for name in ("pathfinder1", "defense"):
        judgement = asked(name, facts, Attack.MELEE)
        assert (degrees_of(judgement), judgement.corner.item(), judgement.blocked_lines.item()) == ([["cover"]], 2, 1)
        assert degree(name, facts, Attack.MELEE, adjacent_melee_mode="best_corner") == "none"
    facts.hidden[0, 1] = hidden("4/5", "4/5", "4/5", "0")
    facts.hidden[0, 3] = hidden("1/2", "1/2", "1/2", "1/2")
    for name, most, corner in (("hybrid35", "3/4", 1), ("dnd30", "3/4", 1), ("dnd5e", "three-quarters", 1)):
        judgement = asked(name, facts, Attack.MELEE, adjacent_melee_mode="all_corners")
        assert (degrees_of(judgement), judgement.corner.item()) == ([[most]], corner)


def test_a_low_wall_is_something_in_a_corridor():
    facts = replace(hiding([0, 0, 0, 0]), along=np.uint8([[3, 3, 12, 12]]))
    facts = replace(facts, attacker_square=np.int32([[0, 1]]), target_square=np.int32([[7, 1]]))
    assert degree("starfinder1", facts, edge_contact="blocked_for_walls_only") == "none"
    facts.hidden[0, 0, 0] = Hidden.HALF
    assert degree("starfinder1", facts, edge_contact="blocked_for_walls_only") == "cover"
    assert degree("starfinder1", facts) == "none"


# Words of walls.


# An arrow slit: Pathfinder RPG Core Rulebook, Combat, Improved Cover; RULES C44, S000-22 to S000-24, A2 for the others.
@pytest.mark.parametrize("name", EDITIONS)
def test_improved_cover_brings_its_rules(name):
    judgement = asked(name, tagged(("improved", [15, 15, 15, 15])))
    words = {**dict.fromkeys(FIFTH, "three-quarters"), **dict.fromkeys(BY_PART, "9/10"), "dnd4e": "superior"}
    word = words.get(name, "improved")
    row = books.COVER[name][word]
    assert degrees_of(judgement) == [[word]]
    assert (judgement.attack_modifier.item(), judgement.defense_modifier.item()) == (row.attack[0], row.defense[0])
    assert (judgement.save_modifier.item(), judgement.stealth_modifier.item()) == (row.save, row.stealth)
    assert judgement.edition.evasions[judgement.evasion.item()] == row.evasion
    assert (judgement.blocked_lines.item(), judgement.can_hide.item()) == (0, row.hides)
    found = {(one.on, one.value) for one in modifiers_of(judgement, 0, 0)}
    assert {("stealth", 10)} <= found if name in ("pathfinder1", "defense", "dnd35") else ("stealth", 10) not in found


def test_the_numbers_of_an_arrow_slit_in_pathfinder():
    judgement = asked("pathfinder1", tagged(("improved", [1, 2, 4, 8])))
    assert {(one.on, one.value) for one in modifiers_of(judgement, 0, 0)} == {
        ("defense", 8), ("save", 4), ("stealth", 10),
    }  # fmt: skip
    assert judgement.edition.evasions[judgement.evasion.item()] == "improved"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_word_gives_its_degree(name):
    for word, expected in books.COVER_WORDS[name].items():
        judgement = asked(name, tagged((word, [8, 8, 8, 8])))
        assert degrees_of(judgement) == [[expected]]
        assert judgement.can_attack.item() is (expected != "total")


def test_the_larger_of_lines_and_words():
    facts = tagged(("standard", [1, 1, 1, 1]), ("light", [15, 15, 15, 15]))
    assert degree("hybrid35", facts) == "1/2"
    for lines, expected in ((1, "1/2"), (7, "3/4")):
        assert degree("hybrid35", replace(facts, hard=np.full((1, 4), lines, np.uint8))) == expected
    low = replace(hiding(hidden("4/5", "4/5", "4/5", "0")), tagged=facts.tagged)
    assert (degree("hybrid35", low), degree("dnd5e", low), degree("pathfinder1", low)) == (
        "3/4", "three-quarters", "cover",
    )  # fmt: skip


def test_walls_with_a_word_are_none_of_the_blocked_lines():
    judgement = asked("pathfinder1", tagged(("partial", [15, 15, 15, 15])))
    assert (degrees_of(judgement), judgement.blocked_lines.item()) == ([["partial"]], 0)


def test_the_attacker_takes_the_corner_beside_the_arrow_slit():
    facts = replace(tagged(("improved", [15, 1, 0, 15])), hard=np.uint8([[0, 0, 3, 0]]))
    judgement = asked("pathfinder1", facts)
    assert (degrees_of(judgement), judgement.corner.item()) == ([["cover"]], 2)


@pytest.mark.parametrize("name", ["pathfinder1", "defense"])
def test_in_adjacent_melee_the_word_of_any_line_counts(name):
    facts = replace(tagged(("improved", [0, 0, 4, 0]), ("light", [1, 1, 1, 1])), adjacent=np.ones((1, 1), np.bool_))
    judgement = asked(name, facts, Attack.MELEE)
    assert (degrees_of(judgement), judgement.corner.item()) == ([["improved"]], 2)
    assert degree(name, facts, Attack.MELEE, adjacent_melee_mode="best_corner") == "partial"


@pytest.mark.parametrize("name", EDITIONS)
def test_a_word_that_forbids_the_attack(name):
    judgement = asked(name, tagged(("total", [1, 2, 4, 8])))
    assert (degrees_of(judgement), judgement.can_attack.item()) == ([["total"]], False)
    assert judgement.net_modifier.item() == 0
    judgement = asked(name, tagged(("total", [1, 2, 0, 8])))
    assert (degrees_of(judgement), judgement.can_attack.item(), judgement.corner.item()) == ([["none"]], True, 2)


def test_a_line_to_a_corner_that_does_not_count_has_no_word():
    facts = replace(tagged(("improved", [8, 8, 8, 8])), counted=np.uint8([7]))
    assert degree("pathfinder1", facts) == "none"
    assert degree("pathfinder1", facts, cut_corners="count") == "improved"


def test_an_unknown_word_is_told():
    with pytest.raises(QuestionError, match="'improvd' is no degree of cover in pathfinder1; did you mean 'improved'"):
        asked("pathfinder1", tagged(("improvd", [0, 0, 0, 0])))


def test_a_house_rule_may_limit_what_low_walls_give(tmp_path):
    house = tmp_path / "house.toml"
    words = ["partial"] * 4 + ["cover"] * 2
    house.write_text(
        f'extends = "pathfinder1"\nheights.at_most = {words}\nheights.counts_from = "1/2"\n', encoding="utf-8"
    )
    edition = load_edition(house)
    assert edition.least_hidden is Hidden.HALF
    for h, expected in (("2/5", "none"), ("1/2", "partial"), ("2/3", "partial"), ("3/4", "cover"), ("1", "cover")):
        facts = hiding(hidden(h, h, h, h))
        adjacent = replace(facts, adjacent=np.ones((1, 1), np.bool_))
        assert degrees_of(judge(edition, facts, Question())) == [[expected]]
        assert degrees_of(judge(edition, adjacent, Question(Attack.MELEE))) == [[expected]]


# Promises


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from(EDITIONS),
    attack=st.sampled_from(Attack),
    word=st.sampled_from(WORDS),
    big=st.booleans(),
)
def test_more_that_hides_never_helps_the_attacker(seed, name, attack, word, big):
    """Some lines hidden more, and some through one more wall with a word."""
    facts = random_facts(seed, 4, 4, big=big, density=0.2, full=False, heights=True)
    random = np.random.default_rng(seed)
    more = facts.hidden + (random.random(facts.hidden.shape) < 0.1)
    more = np.minimum(more, Hidden.ALL).astype(np.uint8)
    hard = np.packbits(more == Hidden.ALL, axis=2, bitorder="little")[..., 0]
    lines = nibbles(random, facts.hard.shape, 0.1)
    others = [
        replace(facts, hidden=more, hard=hard),
        replace(facts, tagged=(*facts.tagged, (f"{word}", lines))),
    ]
    before = cost(asked(name, facts, attack))
    for other in others:
        assert (cost(asked(name, other, attack)) >= before).all()


def cost(judgement: Judgement) -> np.ndarray:
    return np.where(judgement.can_attack, -judgement.net_modifier, 10_000)


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), name=st.sampled_from(EDITIONS), attack=st.sampled_from(Attack), big=st.booleans()
)
def test_walls_that_hide_all_are_walls(seed, name, attack, big):
    """What is told of hidden parts changes nothing where every wall hides all, or nothing that counts."""
    facts = random_facts(seed, 4, 4, big=big)
    codes = np.where(facts.hard[:, :, None] >> np.arange(4) & 1, Hidden.ALL, Hidden.NONE).astype(np.uint8)
    words = (("none", np.full(facts.hard.shape, 15, np.uint8)), ("total", np.zeros(facts.hard.shape, np.uint8)))
    plain = asked(name, facts, attack)
    for other in (replace(facts, hidden=codes), replace(facts, tagged=words), replace(facts, hidden=codes, tagged=())):
        graded = asked(name, other, attack)
        for column, array in plain.columns.items():
            assert np.array_equal(array, graded.columns[column]), column
        assert np.array_equal(plain.choice, graded.choice)
        assert np.array_equal(plain.corner, graded.corner)
