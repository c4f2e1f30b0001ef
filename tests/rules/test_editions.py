"""The built-in editions say what their books say: every number here is typed from the published tables."""

import re

import pytest
from rules import books
from rules.books import Row

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Hidden
from gridlos.rules import Edition, Statistic, edition_ids, load_edition, modifier_sum
from gridlos.verdict import Modifier

EDITIONS = sorted(books.COVER)
WITH_A_ROLL = (Attack.RANGED, Attack.MELEE)
FIFTH = ("dnd5e", "dnd5e-2024")


def sums(edition: Edition, rules: tuple[str, ...], attack: Attack) -> dict[Statistic, int]:
    """Return what rules add to each statistic together."""
    given = [
        Modifier(statistic.value, rule.value(statistic, attack), rule.type, name, rule.text)
        for name, rule in ((name, edition.table.rules[name]) for name in rules)
        for statistic in Statistic
    ]
    return {statistic: modifier_sum(given, statistic, edition.table.stacking) for statistic in Statistic}


def numbers(row: Row, attack: Attack) -> dict[Statistic, int]:
    """Return what the books say of a degree."""
    kind = int(attack is Attack.MELEE)
    return {
        Statistic.ATTACK: row.attack[kind],
        Statistic.DEFENSE: row.defense[kind],
        Statistic.SAVE: row.save,
        Statistic.STEALTH: row.stealth,
        Statistic.MISS_CHANCE: row.miss,
        Statistic.ROLL: row.roll,
        Statistic.FLAT_CHECK: row.flat_check,
    }


def test_the_editions_are_those_of_the_books():
    assert edition_ids() == tuple(sorted([*EDITIONS, "pathfinder2"]))  # which has tests of its own


@pytest.mark.parametrize("name", EDITIONS)
def test_degrees_stand_mildest_first(name):
    assert load_edition(name).degrees == tuple(books.COVER[name])
    assert load_edition(name).concealments == tuple(books.CONCEALMENT[name])


@pytest.mark.parametrize(("name", "degree"), [(name, degree) for name in EDITIONS for degree in books.COVER[name]])
@pytest.mark.parametrize("attack", WITH_A_ROLL)
def test_a_degree_of_cover_has_its_numbers(name, degree, attack):
    edition, row = load_edition(name), books.COVER[name][degree]
    entry = edition.table.degree[degree]
    assert sums(edition, entry.rules, attack) == numbers(row, attack)
    assert entry.evasion == row.evasion
    assert entry.forbids_attack is not row.can_attack
    assert entry.hides is row.hides
    if row.can_attack:
        assert entry.forbids_opportunity is not row.aoo


@pytest.mark.parametrize(
    ("name", "degree"), [(name, degree) for name in EDITIONS for degree in books.CONCEALMENT[name]]
)
@pytest.mark.parametrize("attack", WITH_A_ROLL)
def test_a_degree_of_concealment_has_its_numbers(name, degree, attack):
    edition, row = load_edition(name), books.CONCEALMENT[name][degree]
    entry = edition.table.concealment[degree]
    assert sums(edition, entry.rules, attack) == numbers(row, attack)
    assert entry.forbids_attack is not row.can_attack
    assert entry.forbids_opportunity is not row.aoo
    assert entry.hides is row.hides
    assert entry.unseen is (degree == edition.concealments[-1])


@pytest.mark.parametrize("name", EDITIONS)
def test_levels_of_concealment_have_their_words(name):
    words = load_edition(name).table.concealment_words
    found = [words.light, words.concealed, words.heavy, words.nearly_total, words.total]
    assert ["none", *found] == books.LEVELS[name]


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("attack", WITH_A_ROLL)
def test_flanking_has_its_number(name, attack):
    edition = load_edition(name)
    assert edition.table.flanking.rule is not None
    expected = numbers(books.FLANKING[name], attack)
    if attack is Attack.RANGED:
        expected[Statistic.ROLL] = 0
    assert sums(edition, (edition.table.flanking.rule,), attack) == expected


def test_an_unseen_attacker_has_advantage_in_the_fifth_edition_only():
    for name in EDITIONS:
        edition = load_edition(name)
        named = [one for one in edition.table.circumstances.values() if one.attacker_unseen and not one.attacker]
        assert edition.has_rolls is (name in FIFTH)
        assert bool(named) is (name in FIFTH or name == "dnd4e")
        for one in named:
            row = Row(roll=1) if name in FIFTH else Row(attack=(2, 2))  # combat advantage
            assert sums(edition, one.rules, Attack.RANGED) == numbers(row, Attack.RANGED)


@pytest.mark.parametrize("name", EDITIONS)
def test_blocked_lines_give_their_degree(name):
    table = load_edition(name).table
    assert list(table.blocked_lines) == books.BY_LINES[name]
    assert table.without_line_of_effect == "total"


@pytest.mark.parametrize("name", EDITIONS)
def test_the_options_have_these_values_and_defaults(name):
    edition = load_edition(name)
    found = {option: (one.default, set(one.values)) for option, one in edition.table.options.items()}
    assert found == {option: (values[0], set(values)) for option, values in books.OPTIONS[name].items()}
    assert dict(edition.options) == {option: values[0] for option, values in books.OPTIONS[name].items()}


@pytest.mark.parametrize("name", EDITIONS)
def test_a_default_sets_nothing_so_that_house_rules_stand(name):
    for option, declared in load_edition(name).table.options.items():
        assert not declared.values[declared.default].set, option


@pytest.mark.parametrize("name", EDITIONS)
def test_every_rule_and_option_has_its_reason(name):
    table = load_edition(name).table
    for rule in table.rules.values():
        assert rule.source.count(",") >= 1, "a source is edition, chapter, heading"
    for option in table.options.values():
        assert option.default in option.values
        assert option.why.endswith(".")


@pytest.mark.parametrize("name", books.SEEDS)
def test_numbers_of_the_sources_name_their_statement(name):
    """Each rule with a number names a statement of the edition's source, or one of the core rulebook beside it."""
    table = load_edition(name).table
    cover = {"SOFT-COVER", "PARTIAL-COVER", "IMPROVED-COVER", "CONCEALMENT", "TOTAL-CONCEALMENT"}
    conditions = {
        "DAZZLED", "ENTANGLED", "OFF-KILTER", "SHAKEN", "TARGET-ENTANGLED", "FLAT-FOOTED", "GRAPPLED", "PINNED", "HELPLESS",
    }  # fmt: skip
    beside = {f"SF1-{rule}" for rule in cover | conditions} if name == "starfinder1" else set()
    for rule in (rule for rule, entry in table.rules.items() if entry.modifiers):
        assert re.fullmatch(rf"{books.SEEDS[name]}-\d+(-BASE|-STILL|-LITERAL)?", rule) or rule in beside
    named = {name for entry in table.rules.values() for name in entry.also}
    assert all(re.fullmatch(rf"{books.SEEDS[name]}-\d+", one) for one in named)


@pytest.mark.parametrize("name", EDITIONS)
def test_cover_and_flanking_count_once_and_concealment_does_not_add_up(name):
    stacking = load_edition(name).table.stacking
    once = {"cover", "concealment", "flanking", "roll"} & set(stacking.types)
    assert "cover" in once
    assert not once & {*stacking.bonuses_add, *stacking.penalties_add}


def test_numbers_of_two_kinds_of_cover_are_the_highest_of_each():
    edition = load_edition("defense", options={"soft_penalty": "-4"})
    rules = tuple(name for degree in ("soft", "partial") for name in edition.table.degree[degree].rules)
    assert sums(edition, rules, Attack.RANGED) == numbers(Row(attack=(-4, -4), save=1), Attack.RANGED)


def test_flanking_never_gives_more_than_two_in_starfinder():
    edition = load_edition("starfinder1")
    given = [Modifier("attack", 2, "flanking", "S001-14", "x"), Modifier("attack", 2, "flanking", "OTHER", "x")]
    assert modifier_sum(given, Statistic.ATTACK, edition.table.stacking) == 2


# Partner, corners of sides, adjacency (RULES A8); what 10 ft reach, whether near squares are left out, unarmed (A4).
GEOMETRY = {
    "defense": ("enemy_of_target", False, "5-10-5", True, True, False),
    "starfinder1": ("enemy_of_target", False, "5-10-5", True, False, False),
    "hybrid35": ("ally", False, "5-10-5", True, True, False),
    "dnd30": ("ally", False, "5-10-5", True, True, False),
    "pathfinder1": ("enemy_of_target", False, "5-10-5", True, True, False),
    "dnd5e": ("ally", True, "1", False, False, True),
    "dnd5e-2024": ("ally", True, "1", False, False, True),
    "dnd35": ("ally", False, "5-10-5", True, True, False),
    "dnd4e": ("ally", True, "1", False, False, True),
}


@pytest.mark.parametrize("name", EDITIONS)
def test_parameters_of_flanking_distance_and_reach(name):
    table = load_edition(name).table
    partner, adjacent, diagonals, second, dead_zone, unarmed = GEOMETRY[name]
    flanking, reach = table.flanking, table.reach
    assert (flanking.partner, flanking.anchor, flanking.corners) == (partner, "any_square", True)
    assert (flanking.requires_adjacent, table.diagonals) == (adjacent, diagonals)
    assert (reach.second_diagonal, reach.dead_zone, reach.unarmed_threatens) == (second, dead_zone, unarmed)


@pytest.mark.parametrize("name", EDITIONS)
def test_options_that_questions_read_change_their_key(name):
    keys = {
        "flank_anchor": {"centre": ("flanking", "anchor", "centre")},
        "flank_corners_inclusive": {"no": ("flanking", "corners", False)},
        "flank_partner": {one: ("flanking", "partner", one) for one in books.PARTNERS},
        "flank_requires_adjacent": {
            "yes": ("flanking", "requires_adjacent", True),
            "no": ("flanking", "requires_adjacent", False),
        },
        "reach10_second_diagonal": {"no": ("reach", "second_diagonal", False)},
        "reach_weapon_dead_zone": {"yes": ("reach", "dead_zone", True), "no": ("reach", "dead_zone", False)},
        "threat_unarmed": {
            "threatens": ("reach", "unarmed_threatens", True),
            "not": ("reach", "unarmed_threatens", False),
        },
    }
    for option in books.READ_BY_QUESTIONS & set(books.OPTIONS[name]) - {"diagonals"}:
        for value, (piece, key, expected) in keys[option].items():
            table = load_edition(name, options={option: value}).table
            assert getattr(getattr(table, piece), key) == expected


def test_saves_diagonals_and_adjacent_melee():
    tables = {name: load_edition(name).table for name in EDITIONS}
    assert {name: table.save for name, table in tables.items()} == {
        **dict.fromkeys(EDITIONS, "reflex"),
        **dict.fromkeys(FIFTH, "dexterity"),
    }
    assert load_edition("dnd5e", options={"diagonals": "5-10-5"}).table.diagonals == "5-10-5"
    # DESIGN: from all own corners, walls only, never partial; big creatures as for a ranged attack in Pathfinder only.
    found = {
        name: (table.adjacent_melee.corners, table.adjacent_melee.creatures, table.adjacent_melee.large_creatures)
        for name, table in tables.items()
    }
    assert found == {
        "defense": ("all", "ignored", "same"),
        "starfinder1": ("best", "count", "same"),
        "hybrid35": ("best", "ignored", "same"),
        "dnd30": ("best", "ignored", "same"),
        "pathfinder1": ("all", "ignored", "ranged"),
        "dnd35": ("all", "ignored", "same"),
        "dnd4e": ("best", "ignored", "same"),
        "dnd5e": ("best", "count", "same"),
        "dnd5e-2024": ("best", "count", "same"),
    }
    for name in ("defense", "pathfinder1"):
        assert list(tables[name].adjacent_melee.blocked_lines or ()) == ["none", "cover", "cover", "cover", "cover"]


@pytest.mark.parametrize("name", EDITIONS)
def test_shared_options(name):
    edition = load_edition(name)
    assert edition.options["line_of_effect"] == edition.table.line_of_effect == "clear"
    assert edition.options["cut_corners"] == edition.table.cut_corners == "ignore"
    other = load_edition(name, options={"line_of_effect": "touching", "cut_corners": "count"})
    assert (other.table.line_of_effect, other.table.cut_corners) == ("touching", "count")
    assert other.options == {**edition.options, "line_of_effect": "touching", "cut_corners": "count"}


# Partial cover hides less than half of the target; 5e's cover starts at half; the editions with fractions take the
# nearest, the milder of two, and all of it is total; cover of no known degree is one-half there (S002-13).
@pytest.mark.parametrize(
    ("name", "word", "degree"),
    [
        ("pathfinder1", "standard", "cover"),
        ("pathfinder1", "improved", "improved"),
        ("pathfinder1", "partial", "partial"),
        ("pathfinder1", "total", "total"),
        ("pathfinder1", "0", "none"),
        ("pathfinder1", "1/5", "none"),
        ("pathfinder1", "1/4", "partial"),
        ("pathfinder1", "49/100", "partial"),
        ("pathfinder1", "1/2", "cover"),
        ("pathfinder1", "9/10", "improved"),
        ("pathfinder1", "1", "total"),
        ("defense", "light", "partial"),
        ("starfinder1", "1/2", "cover"),
        ("dnd5e", "standard", "half"),
        ("dnd5e", "improved", "three-quarters"),
        ("dnd5e", "total", "total"),
        ("dnd5e", "49/100", "none"),
        ("dnd5e", "1/2", "half"),
        ("dnd5e", "74/100", "half"),
        ("dnd5e", "3/4", "three-quarters"),
        ("dnd5e", "99/100", "three-quarters"),
        ("dnd5e", "2/2", "total"),
        ("hybrid35", "standard", "1/2"),
        ("hybrid35", "improved", "9/10"),
        ("hybrid35", "0", "none"),
        ("hybrid35", "1/8", "none"),
        ("hybrid35", "126/1000", "1/4"),
        ("hybrid35", "3/8", "1/4"),
        ("dnd30", "376/1000", "1/2"),
        ("dnd30", "5/8", "1/2"),
        ("dnd30", "33/40", "3/4"),
        ("dnd30", "34/40", "9/10"),
        ("dnd30", "99/100", "9/10"),
        ("dnd30", "1", "total"),
        ("dnd30", "light", "1/4"),
    ],
)
def test_words_of_maps_become_degrees(name, word, degree):
    edition = load_edition(name)
    assert edition.degrees[edition.degree_code(word)] == degree


@pytest.mark.parametrize("name", EDITIONS)
def test_every_word_of_maps_has_its_degree(name):
    edition = load_edition(name)
    assert {word: edition.degrees[edition.degree_code(word)] for word in books.COVER_WORDS[name]} == (
        books.COVER_WORDS[name]
    )


# DESIGN, Heights: cover from 1/4 on, in the fifth edition from 1/2; Low obstacles: the editions that have the rule.
@pytest.mark.parametrize("name", EDITIONS)
def test_what_hides_a_part_of_a_body(name):
    edition = load_edition(name)
    heights = edition.table.heights
    assert edition.least_hidden is (Hidden.HALF if name in FIFTH else Hidden.QUARTER)
    assert edition.low_obstacles is heights.low_obstacles is (name in books.LOW_OBSTACLES)
    assert heights.at_most == (tuple(books.AT_MOST[name]) if name in books.AT_MOST else None)


# The ends of the ranges of Hidden, those that do not belong to them left by a little.
ENDS = [("1/4", "3/8"), ("3751/9999", "4999/9999"), ("1/2", "5/8"), ("6250/9999", "7499/9999"), ("3/4", "33/40")]


@pytest.mark.parametrize("name", sorted(books.AT_MOST))
def test_what_lines_give_at_most_is_the_degree_of_the_hidden_fraction(name):
    edition = load_edition(name)
    for ends, word in zip((*ENDS, ("8251/9999", "9998/9999")), books.AT_MOST[name], strict=True):
        assert {edition.degrees[edition.degree_code(end)] for end in ends} == {word}


@pytest.mark.parametrize("word", ["1/0", "3/2", "-1/2", "1e-9", "", "halff", "12345/99999"])
@pytest.mark.parametrize("name", ["dnd5e", "dnd30"])
def test_other_words_are_no_degree(name, word):
    with pytest.raises(QuestionError, match=f"no degree of cover in {name}"):
        load_edition(name).degree_code(word)


def test_the_nearest_degree_is_named():
    with pytest.raises(QuestionError, match="did you mean 'three-quarters'"):
        load_edition("dnd5e").degree_code("three quarters")
