"""The built-in editions say what their books say: every number here is typed from the published tables."""

import pytest

from gridlos.errors import QuestionError
from gridlos.facts import Attack
from gridlos.rules import Edition, Statistic, edition_ids, load_edition

# Edition, degree: added to AC, added to the save, evasion, forbids the attack. Pathfinder RPG Core Rulebook, Combat,
# Cover (soft, partial, improved, total cover); System Reference Document 5.1, Combat, Cover.
DEGREES = {
    "pathfinder1": {
        "none": (0, 0, "none", False),
        "soft": (4, 0, "none", False),
        "partial": (2, 1, "none", False),
        "cover": (4, 2, "none", False),
        "improved": (8, 4, "improved", False),
        "total": (0, 0, "none", True),
    },
    "dnd5e": {
        "none": (0, 0, "none", False),
        "half": (2, 2, "none", False),
        "three-quarters": (5, 5, "none", False),
        "total": (0, 0, "none", True),
    },
}

BY_LINES = {
    "pathfinder1": ["none", "partial", "cover", "cover", "cover"],
    "dnd5e": ["none", "half", "half", "three-quarters", "three-quarters"],
}


def sums(edition: Edition, degree: str, attack: Attack) -> dict[Statistic, int]:
    rules = [edition.table.rules[name] for name in edition.table.degree[degree].rules]
    return {statistic: sum(rule.value(statistic, attack) for rule in rules) for statistic in Statistic}


def test_the_editions_are_those_of_this_table():
    assert edition_ids() == tuple(sorted(DEGREES))


@pytest.mark.parametrize("name", DEGREES)
def test_degrees_stand_mildest_first(name):
    assert load_edition(name).degrees == tuple(DEGREES[name])


@pytest.mark.parametrize(("name", "degree"), [(name, degree) for name in DEGREES for degree in DEGREES[name]])
@pytest.mark.parametrize("attack", Attack)
def test_degree_has_its_numbers(name, degree, attack):
    edition = load_edition(name)
    armour, save, evasion, forbids = DEGREES[name][degree]
    assert sums(edition, degree, attack) == {Statistic.ATTACK: 0, Statistic.DEFENSE: armour, Statistic.SAVE: save}
    assert edition.table.degree[degree].evasion == evasion
    assert edition.table.degree[degree].forbids_attack is forbids


@pytest.mark.parametrize("name", DEGREES)
def test_blocked_lines_give_their_degree(name):
    edition = load_edition(name)
    assert list(edition.table.blocked_lines) == BY_LINES[name]
    assert edition.table.without_line_of_effect == "total"


def test_pathfinder_without_partial_cover():
    edition = load_edition("pathfinder1", options={"partial": "off"})
    assert list(edition.table.blocked_lines) == ["none", "cover", "cover", "cover", "cover"]


def test_saves_diagonals_and_adjacent_melee():
    pathfinder, fifth = load_edition("pathfinder1").table, load_edition("dnd5e").table
    assert (pathfinder.save, fifth.save) == ("reflex", "dexterity")
    assert (pathfinder.diagonals, fifth.diagonals) == ("5-10-5", "1")
    assert load_edition("dnd5e", options={"diagonals": "5-10-5"}).table.diagonals == "5-10-5"
    assert pathfinder.adjacent_melee.corners == "all"
    assert pathfinder.adjacent_melee.large_creatures == "ranged"
    assert list(pathfinder.adjacent_melee.blocked_lines or ()) == ["none", "cover", "cover", "cover", "cover"]
    assert fifth.adjacent_melee.corners == "best"


@pytest.mark.parametrize("name", DEGREES)
def test_shared_options(name):
    edition = load_edition(name)
    assert edition.options["line_of_effect"] == edition.table.line_of_effect == "clear"
    assert edition.options["cut_corners"] == edition.table.cut_corners == "ignore"
    other = load_edition(name, options={"line_of_effect": "touching", "cut_corners": "count"})
    assert (other.table.line_of_effect, other.table.cut_corners) == ("touching", "count")
    assert other.options == {**edition.options, "line_of_effect": "touching", "cut_corners": "count"}


@pytest.mark.parametrize("name", DEGREES)
def test_every_rule_and_option_has_its_reason(name):
    table = load_edition(name).table
    for rule in table.rules.values():
        assert rule.source.count(",") >= 1, "a source is edition, chapter, heading"
    for option in table.options.values():
        assert option.default in option.values
        assert option.why.endswith(".")


def test_cover_only_counts_once_in_both_editions():
    for name in DEGREES:
        stacking = load_edition(name).table.stacking
        assert "cover" in stacking.types
        assert "cover" not in stacking.bonuses_add
        assert "cover" not in stacking.penalties_add


# Partial cover hides less than half of the target; 5e's cover starts at half; three quarters as named; 1 is all of it.
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
        ("dnd5e", "standard", "half"),
        ("dnd5e", "improved", "three-quarters"),
        ("dnd5e", "total", "total"),
        ("dnd5e", "49/100", "none"),
        ("dnd5e", "1/2", "half"),
        ("dnd5e", "74/100", "half"),
        ("dnd5e", "3/4", "three-quarters"),
        ("dnd5e", "99/100", "three-quarters"),
        ("dnd5e", "2/2", "total"),
    ],
)
def test_words_of_maps_become_degrees(name, word, degree):
    edition = load_edition(name)
    assert edition.degrees[edition.degree_code(word)] == degree


@pytest.mark.parametrize("word", ["1/0", "3/2", "-1/2", "1e-9", "", "halff", "12345/99999"])
def test_other_words_are_no_degree(word):
    with pytest.raises(QuestionError, match="no degree of cover in dnd5e"):
        load_edition("dnd5e").degree_code(word)


def test_the_nearest_degree_is_named():
    with pytest.raises(QuestionError, match="did you mean 'three-quarters'"):
        load_edition("dnd5e").degree_code("three quarters")
