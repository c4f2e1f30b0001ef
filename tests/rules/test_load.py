"""Loading: house rules, options, and every problem told at once with file and path."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridlos.errors import EditionError, QuestionError
from gridlos.facts import Hidden
from gridlos.rules import Statistic, edition_ids, load_edition
from gridlos.rules import load as load_module


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def problems(file: Path) -> list[str]:
    with pytest.raises(EditionError) as caught:
        load_edition(file)
    return list(caught.value.problems)


def test_every_built_in_edition_loads_with_every_value_of_every_option():
    for name in edition_ids():
        edition = load_edition(name)
        assert edition.id == name
        for option, declared in edition.table.options.items():
            for value in declared.values:
                assert load_edition(name, options={option: value}).options[option] == value


@pytest.mark.parametrize("name", edition_ids())
def test_a_built_in_edition_has_no_problem_as_it_would_be_told_of_a_house_rule(name):
    """Whoever uses one does not wait until this is checked, with each value of each option."""
    file = Path(load_module.__file__).parent / "editions" / f"{name}.toml"
    assert load_edition(file).table == load_edition(name).table


def test_shared_tables_are_no_editions():
    assert not [name for name in edition_ids() if name.startswith("_")]
    with pytest.raises(QuestionError, match="unknown edition '_d20'"):
        load_edition("_d20")


def test_an_unknown_edition_names_the_nearest():
    with pytest.raises(QuestionError, match="unknown edition 'starfinder'; did you mean 'starfinder1'"):
        load_edition("starfinder")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"partail": "off"}, "pathfinder1 has no option 'partail'; did you mean 'partial'"),
        ({"partial": "of"}, "option partial: unknown value 'of'; did you mean 'off'"),
        ({"partial": "whole"}, "option partial: unknown value 'whole'; known: lines, area, off"),
        ({"cut_corners": 1}, "option cut_corners: unknown value 1"),
        ({"cut_corners": ["count"]}, "option cut_corners: unknown value"),
    ],
)
def test_wrong_options_are_told(options, problem):
    with pytest.raises(QuestionError, match=problem):
        load_edition("pathfinder1", options=options)


def test_a_house_rule_changes_what_it_names_and_nothing_else(tmp_path):
    house = write(
        tmp_path,
        "house.toml",
        """
        extends = "pathfinder1"
        diagonals = "1"
        [rules.PF1-COVER.modifiers]
        defense = 5
        [degree.soft]
        rules = ["HOUSE-CROWD"]
        [rules.HOUSE-CROWD]
        text = "a crowd in the way"
        type = "cover"
        modifiers = { defense = 1 }
        source = "our table, Combat, Crowds"
        [options.partial]
        default = "off"
        """,
    )
    changed, base = load_edition(house), load_edition("pathfinder1")
    assert changed.id == "house"
    assert changed.name == f"{base.name}, with the house rules of house.toml"
    assert changed.table.rules["PF1-COVER"].modifiers == {Statistic.DEFENSE: 5, Statistic.SAVE: 2}
    assert changed.table.rules["PF1-COVER"].source == base.table.rules["PF1-COVER"].source
    assert changed.table.degree["soft"].rules == ("HOUSE-CROWD",)
    assert changed.table.diagonals == "1"
    assert changed.table.blocked_lines == ("none", "cover", "cover", "cover", "cover")
    assert load_edition(house, options={"partial": "lines"}).table.blocked_lines == base.table.blocked_lines
    assert changed.table.degree["improved"] == base.table.degree["improved"]
    assert changed.table.stacking == base.table.stacking
    assert load_edition("pathfinder1").table == base.table


def test_a_house_rule_over_a_house_rule(tmp_path):
    write(tmp_path, "one.toml", 'extends = "dnd5e"\nname = "One"\nrules.5E-HALF-COVER.modifiers.defense = 3\n')
    two = write(tmp_path, "two.toml", 'extends = "one.toml"\nrules.5E-HALF-COVER.modifiers.save = 1\n')
    edition = load_edition(str(two))
    assert edition.table.rules["5E-HALF-COVER"].modifiers == {Statistic.DEFENSE: 3, Statistic.SAVE: 1}
    assert edition.name == "One, with the house rules of two.toml"


def test_all_problems_are_told_at_once(tmp_path):
    house = write(
        tmp_path,
        "house.toml",
        """
        extends = "pathfinder1"
        save = "reflexes"
        diagonal = "1"
        cut_corners = 3
        blocked_lines = ["none", "partial", "covr", "cover", "cover"]
        without_line_of_effect = "totally"
        [adjacent_melee]
        blocked_lines = ["none", "cover"]
        corners = "al"
        [degree.partial]
        rules = ["PF1-PARTIAL-COVR"]
        evasion = "improvd"
        [degree.cover]
        forbids_attack = "no"
        [degree.covered]
        [rules.PF1-COVER]
        type = "covers"
        modifiers = { defence = 4, save = 2.5, attack = { range = 1 } }
        [rules.PF1-IMPROVED-COVER.modifiers]
        defense = 1000
        [rules.HOUSE-NEW]
        text = "new"
        [stacking]
        bonuses_add = ["untyped", "doge"]
        [cover_words]
        light = "lite"
        fractions = { "half" = "cover" }
        [notes.PF1-PARTIAL-GM.when]
        degrees = ["partly"]
        attack = "meele"
        [options.partial]
        default = "line"
        """,
    )
    expected = {
        "house.toml: save: unknown word 'reflexes'; did you mean 'reflex'?",
        "house.toml: diagonal: unknown key; did you mean 'diagonals'?",
        "house.toml: cut_corners: expected one of count, ignore, found 3",
        "house.toml: blocked_lines[2]: 'covr' is no degree of this edition; did you mean 'cover'?",
        "house.toml: without_line_of_effect: 'totally' is no degree of this edition; did you mean 'total'?",
        "house.toml: adjacent_melee.blocked_lines: expected 5 entries, found 2",
        "house.toml: adjacent_melee.corners: unknown word 'al'; did you mean 'all'?",
        (
            "house.toml: degree.partial.rules[0]: 'PF1-PARTIAL-COVR' is no rule of this edition"
            "; did you mean 'PF1-PARTIAL-COVER'?"
        ),
        "house.toml: degree.partial.evasion: 'improvd' is no evasion of this edition; did you mean 'improved'?",
        "house.toml: degree.cover.forbids_attack: expected true or false, found 'no'",
        "house.toml: degree.covered: 'covered' is no degree of this edition; did you mean 'cover'?",
        "house.toml: rules.PF1-COVER.type: 'covers' is no bonus type of this edition; did you mean 'cover'?",
        "house.toml: rules.PF1-COVER.modifiers.defence: unknown word 'defence'; did you mean 'defense'?",
        "house.toml: rules.PF1-COVER.modifiers.save: expected a whole number from -100 to 100, found 2.5",
        "house.toml: rules.PF1-COVER.modifiers.attack.range: unknown key; did you mean 'ranged'?",
        "house.toml: rules.PF1-IMPROVED-COVER.modifiers.defense: expected a whole number from -100 to 100, found 1000",
        "house.toml: rules.HOUSE-NEW.source: missing",
        "house.toml: stacking.bonuses_add[1]: 'doge' is no bonus type of this edition; did you mean 'dodge'?",
        (
            "house.toml: cover_words.light: 'lite' is no degree of this edition; known: "
            "none, soft, partial, cover, improved, total"
        ),
        "house.toml: cover_words.fractions.half: expected a fraction above 0 and up to 1, such as 1/2",
        (
            "house.toml: notes.PF1-PARTIAL-GM.when.degrees[0]: 'partly' is no degree of this edition"
            "; did you mean 'partial'?"
        ),
        "house.toml: notes.PF1-PARTIAL-GM.when.attack: unknown word 'meele'; did you mean 'melee'?",
        "house.toml: options.partial.default: 'line' is no value of this option; did you mean 'lines'?",
    }
    found = problems(house)
    assert sorted(found) == sorted(expected)


def test_a_problem_names_the_file_that_has_it(tmp_path):
    write(tmp_path, "one.toml", 'extends = "dnd5e"\nsave = "will"\n')
    two = write(tmp_path, "two.toml", 'extends = "one.toml"\ncut_corners = "cut"\n')
    assert problems(two) == [
        "one.toml: save: unknown word 'will'; known: dexterity, reflex",
        "two.toml: cut_corners: unknown word 'cut'; did you mean 'count'?",
    ]


def test_a_table_of_its_own_misses_every_key(tmp_path):
    found = problems(write(tmp_path, "bare.toml", 'name = "Bare"\n'))
    assert "bare.toml: degrees: missing" in found
    assert "bare.toml: cover_words: missing" in found
    assert "bare.toml: rules: missing" in found
    assert "bare.toml: name: missing" not in found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            'blocked_lines = ["none", "cover", "partial", "cover", "cover"]',
            "more blocked lines never give a milder degree",
        ),
        (
            'cover_words.fractions = {"1/2" = "cover", "3/4" = "partial"}',
            "a larger fraction never gives a milder degree",
        ),
        (
            'degrees = ["soft", "none", "partial", "cover", "improved", "total"]',
            "the first degree is 'none', found 'soft'",
        ),
        ('degrees = ["none", "soft", "partial", "cover", "improved", "total", "soft"]', "'soft' stands twice"),
        ('degrees = ["none", "soft", "partial", "cover", "improved", "total", "x"]', "[degree.x] is missing"),
        ('heights.at_most = ["partial", "cover"]', "heights.at_most: expected 6 entries, found 2"),
        (
            'heights.at_most = ["none", "cover", "partial", "cover", "cover", "cover"]',
            "heights.at_most: what hides more never gives a milder degree",
        ),
        (
            'heights.at_most = ["partial", "cover", "cover", "cover", "cover", "improvd"]',
            "heights.at_most[5]: 'improvd' is no degree of this edition; did you mean 'improved'?",
        ),
        ('heights.counts_from = "1/3"', "heights.counts_from: unknown word '1/3'; did you mean '1/4'?"),
        ('heights.low_obstacles = "yes"', "heights.low_obstacles: expected true or false, found 'yes'"),
        (f"degrees = {['none', *map(str, range(60))]}", "degrees: at most 60 words"),
        ('evasions = ["improved", "none"]', "the first is 'none', found 'improved'"),
        ("name = ''", "expected a text, found ''"),
        ("rules = 3", "expected a table, found 3"),
        ("degrees = {}", "expected a list, found a table"),
        ("degrees = [true]", "expected a word of 1 to 60 letters, found true"),
    ],
)
def test_scales_and_types(tmp_path, text, problem):
    found = problems(write(tmp_path, "house.toml", f'extends = "pathfinder1"\n{text}\n'))
    assert any(one.startswith("house.toml: ") and one.endswith(problem) for one in found), found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('a = {means = "as it is"}', "house.toml: options.walls.values: an option has at least two values"),
        (
            'a = {means = "as it is"}\nb = {means = "the same"}',
            "house.toml: options.walls.values.b: does the same as 'a'",
        ),
        (
            'a = {means = "as it is"}\nb = {means = "more", set = {name = "x"}}',
            "house.toml: options.walls.values.b.set.name: an option cannot set this key",
        ),
        (
            'a = {means = "as it is"}\nb = {means = "more", set = {save = "will"}}',
            "house.toml: options.walls.values.b.set: save: unknown word 'will'; known: dexterity, reflex",
        ),
        (
            'a = {means = "as it is"}\nb = {means = "more", set = {blocked_line = []}}',
            "house.toml: options.walls.values.b.set: blocked_line: unknown key; did you mean 'blocked_lines'?",
        ),
    ],
)
def test_options_are_checked_with_every_value(tmp_path, text, problem):
    head = 'extends = "dnd5e"\n[options.walls]\ndefault = "a"\nwhy = "Because."\n[options.walls.values]\n'
    assert problem in problems(write(tmp_path, "house.toml", head + text + "\n"))


def test_two_values_that_break_each_other_are_told_when_chosen(tmp_path):
    house = write(
        tmp_path,
        "house.toml",
        """
        extends = "dnd5e"
        [options.one]
        default = "off"
        why = "For this test."
        values.off = {means = "as it is"}
        values.on.means = "a fifth degree"
        values.on.set.degrees = ["none", "half", "most", "three-quarters", "total"]
        values.on.set.degree.most.rules = ["5E-HALF-COVER"]
        values.on.set.blocked_lines = ["none", "half", "half", "most", "three-quarters"]
        [options.two]
        default = "off"
        why = "For this test."
        values.off = {means = "as it is"}
        values.on.means = "the degrees as they were"
        values.on.set.degrees = ["none", "half", "three-quarters", "total"]
        """,
    )
    assert load_edition(house, options={"one": "on"}).degrees[2] == "most"
    with pytest.raises(EditionError, match=r"with .*one = on, two = on: .*'most' is no degree"):
        load_edition(house, options={"one": "on", "two": "on"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('extends = "pathfindr1"', "house.toml: extends: 'pathfindr1' is no edition; did you mean 'pathfinder1'?"),
        ('extends = "other.toml"', "house.toml: extends: there is no file 'other.toml' beside it"),
        (
            "extends = 5",
            f"house.toml: extends: 5 is no edition; known: {', '.join(edition_ids())}",
        ),
    ],
)
def test_a_dangling_extends_is_told(tmp_path, text, problem):
    assert problems(write(tmp_path, "house.toml", text)) == [problem]


def test_a_circle_of_extends_is_told(tmp_path):
    write(tmp_path, "a.toml", 'extends = "b.toml"')
    write(tmp_path, "b.toml", 'extends = "c.toml"')
    write(tmp_path, "c.toml", 'extends = "b.toml"')
    (found,) = problems(tmp_path / "a.toml")
    assert found == "c.toml: extends: goes round in a circle: b.toml extends c.toml extends b.toml"


def test_what_is_no_table_is_told(tmp_path):
    (found,) = problems(write(tmp_path, "broken.toml", "degrees = [\n"))
    assert found.startswith("broken.toml: no TOML: ")
    assert "line" in found or "end of document" in found
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    assert problems(tmp_path / "bytes.toml") == ["bytes.toml: no text in UTF-8"]
    (found,) = problems(tmp_path / "missing.toml")
    assert found.endswith("missing.toml: cannot be read: No such file or directory")
    (tmp_path / "folder.toml").mkdir()
    (found,) = problems(tmp_path / "folder.toml")
    assert "cannot be read" in found


def test_one_problem_in_a_rule_does_not_hide_those_of_others(tmp_path):
    house = write(
        tmp_path,
        "house.toml",
        'extends = "dnd5e"\nrules.5E-HALF-COVER.text = 5\ndegree.half.rules = ["5E-HALF-COVER", "5E-HALF"]\n',
    )
    assert problems(house) == [
        "house.toml: rules.5E-HALF-COVER.text: expected a text, found 5",
        "house.toml: degree.half.rules[1]: '5E-HALF' is no rule of this edition; did you mean '5E-HALF-COVER'?",
    ]


def test_loading_twice_gives_equal_editions():
    load_module._merged_built_in.cache_clear()
    first, second = load_edition("dnd5e"), load_edition("dnd5e")
    assert (first.id, first.table, dict(first.options)) == (second.id, second.table, dict(second.options))


def test_problems_of_concealment_soft_cover_flanking_and_reach(tmp_path):
    house = write(
        tmp_path,
        "house.toml",
        """
        extends = "dnd30"
        concealments = ["none", "1/4", "1/2", "1/2", "3/4", "9/10", "totl"]
        edge_contact = "touching"
        [soft_cover]
        blocked_lines = ["none", "9/10", "1/2", "1/2", "half"]
        reach = "yes"
        blocks_opportunity = 1
        [concealment."1/2"]
        rules = ["S004-98"]
        hide = true
        [concealment_words]
        light = "9/10"
        heavy = "most"
        [concealing]
        fog = "deeply"
        [flanking]
        rule = "S004-33"
        partner = "enemy"
        anchor = "center"
        [reach]
        second_diagonal = "yes"
        [notes.S004-93.when]
        concealments = ["1/3"]
        soft = "no"
        """,
    )
    expected = {
        "house.toml: concealments: '1/2' stands twice",
        "house.toml: concealments[6]: [concealment.totl] is missing",
        "dnd30.toml: concealment.total: 'total' is no concealment of this edition; did you mean 'totl'?",
        "dnd30.toml: concealment_words.total: 'total' is no concealment of this edition; did you mean 'totl'?",
        *(
            f"_third.toml: circumstances.{name}.conceals: 'total' is no concealment of this edition; did you mean 'totl'?"
            for name in ("BLIND-ATTACKER", "DARKNESS", "INVISIBLE")
        ),
        (
            "house.toml: concealment_words.heavy: 'most' is no concealment of this edition; known: "
            "none, 1/4, 1/2, 3/4, 9/10, totl"
        ),
        "house.toml: concealment_words: what conceals more never gives a milder degree",
        "house.toml: edge_contact: unknown word 'touching'; known: blocked_for_walls_only, clear",
        "house.toml: soft_cover.blocked_lines: more blocked lines never give a milder degree",
        (
            "house.toml: soft_cover.blocked_lines[4]: 'half' is no degree of this edition; known: "
            "none, 1/4, 1/2, 3/4, 9/10, total"
        ),
        "house.toml: soft_cover.reach: unknown word 'yes'; known: applies, not",
        "house.toml: soft_cover.blocks_opportunity: expected true or false, found 1",
        "house.toml: concealment.1/2.rules[0]: 'S004-98' is no rule of this edition; did you mean 'S004-9'?",
        "house.toml: concealment.1/2.hide: unknown key; did you mean 'hides'?",
        "house.toml: concealing.fog: unknown word 'deeply'; did you mean 'deep'?",
        "house.toml: flanking.rule: 'S004-33' is no rule of this edition; did you mean 'S004-3'?",
        "house.toml: flanking.partner: unknown word 'enemy'; known: ally, any_threatener, enemy_of_target",
        "house.toml: flanking.anchor: unknown word 'center'; did you mean 'centre'?",
        "house.toml: reach.second_diagonal: expected true or false, found 'yes'",
        "house.toml: notes.S004-93.when.concealments[0]: '1/3' is no concealment of this edition; did you mean '1/4'?",
        "house.toml: notes.S004-93.when.soft: expected true or false, found 'no'",
    }
    found = problems(house)
    assert sorted(found) == sorted(expected)


def test_problems_of_conditions_and_circumstances(tmp_path):
    house = write(
        tmp_path,
        "house.toml",
        """
        extends = "hybrid35"
        unable = ["dead", "helples"]
        higher_ground_feet = 0.5
        area.spread = "negate"
        senses.darkvision = "sees all"
        [size_shift]
        degrees = ["1/4", "none", "3/5"]
        relative_to = "targets"
        [conditions]
        dazed = ["blind"]
        hasted = "fast"
        [dexterity]
        less = "S002-277"
        zero_modifier = "low"
        [circumstances.HOUSE-1]
        attacker = ["proned"]
        attacker_without = ["prone", "shakn"]
        target = ["stuned"]
        target_without = ["bounds"]
        rules = ["S002-1", "S002-11"]
        shield = "S002-1-SHIELD"
        conceals = "concealment"
        [circumstances.HOUSE-2]
        attack = "touch"
        light = "bright"
        attacker_light = "dimm"
        engaged = "two-larger"
        dexterity = "gone"
        flags = ["sneak_attack", "off_gard"]
        weapons = "crossbow"
        adjacent = 1
        weapon = "bow"
        [circumstances.HOUSE-3]
        conceals = "total"
        flanked = true
        target_unseen = false
        attacker_unseen = true
        attacker_light = "dark"
        light = "dark"
        [notes.S002-9.when]
        circumstances = ["S002-2", "S002-222"]
        """,
    )
    expected = {
        "house.toml: unable[1]: 'helples' is no condition of this edition; did you mean 'helpless'?",
        "house.toml: higher_ground_feet: expected a whole number from 1 to 100, found 0.5",
        "house.toml: area.spread: unknown word 'negate'; did you mean 'negates'?",
        "house.toml: senses.darkvision: unknown word 'sees all'; did you mean 'sees'?",
        "house.toml: size_shift.degrees: the mildest degree stands first",
        "house.toml: size_shift.degrees[2]: '3/5' is no degree of this edition; did you mean '3/4'?",
        "house.toml: size_shift.relative_to: unknown word 'targets'; did you mean 'target'?",
        "house.toml: conditions.dazed[0]: 'blind' is no condition of this edition; did you mean 'blinded'?",
        "house.toml: conditions.hasted: expected a list, found 'fast'",
        "house.toml: dexterity.less: 'S002-277' is no rule of this edition; did you mean 'S002-27'?",
        "house.toml: dexterity.zero_modifier: expected a whole number from -100 to 100, found 'low'",
        "house.toml: circumstances.HOUSE-1.attacker[0]: 'proned' is no condition of this edition; did you mean 'prone'?",
        "house.toml: circumstances.HOUSE-1.attacker_without[1]: 'shakn' is no condition of this edition; did you mean 'shaken'?",
        "house.toml: circumstances.HOUSE-1.target[0]: 'stuned' is no condition of this edition; did you mean 'stunned'?",
        "house.toml: circumstances.HOUSE-1.target_without[0]: 'bounds' is no condition of this edition; did you mean 'bound'?",
        "house.toml: circumstances.HOUSE-1.rules[1]: 'S002-11' is no rule of this edition; did you mean 'S002-1'?",
        "house.toml: circumstances.HOUSE-1.shield: 'S002-1-SHIELD' is no rule of this edition; did you mean 'S002-61-STILL'?",
        (
            "house.toml: circumstances.HOUSE-1.conceals: 'concealment' is no concealment of this edition"
            "; did you mean 'concealed'?"
        ),
        "house.toml: circumstances.HOUSE-2.attack: unknown word 'touch'; known: ranged, melee, area",
        "house.toml: circumstances.HOUSE-2.light: unknown word 'bright'; known: dark, dim",
        "house.toml: circumstances.HOUSE-2.attacker_light: unknown word 'dimm'; did you mean 'dim'?",
        "house.toml: circumstances.HOUSE-2.engaged: unknown word 'two-larger'; did you mean 'two_larger'?",
        "house.toml: circumstances.HOUSE-2.dexterity: unknown word 'gone'; known: less, lost, zero",
        "house.toml: circumstances.HOUSE-2.flags[1]: unknown word 'off_gard'; did you mean 'off_guard'?",
        "house.toml: circumstances.HOUSE-2.weapons: expected a list, found 'crossbow'",
        "house.toml: circumstances.HOUSE-2.adjacent: expected true or false, found 1",
        "house.toml: circumstances.HOUSE-2.weapon: unknown key; did you mean 'weapons'?",
        *(
            f"house.toml: circumstances.HOUSE-3.{key}: what conceals cannot depend on this key"
            for key in ("attacker_light", "attacker_unseen", "flanked", "target_unseen")
        ),
        "house.toml: notes.S002-9.when.circumstances[1]: 'S002-222' is no circumstance of this edition; did you mean 'S002-22'?",
    }
    assert sorted(problems(house)) == sorted(expected)


@pytest.mark.parametrize("effect", ["lost", "less", "zero"])
def test_what_becomes_of_dexterity_needs_its_rule(tmp_path, effect):
    """The fifth edition has no rule for it."""
    house = write(tmp_path, "house.toml", f'extends = "dnd5e"\ncircumstances.HOUSE.dexterity = "{effect}"\n')
    assert problems(house) == [f"house.toml: circumstances.HOUSE.dexterity: [dexterity] names no rule for '{effect}'"]
    other = "zero" if effect == "lost" else "lost"
    text = f'dexterity.{effect} = "5E-HALF-COVER"\ncircumstances.HOUSE-2.dexterity = "{other}"\n'
    house.write_text(house.read_text(encoding="utf-8") + text, encoding="utf-8")
    assert problems(house) == [f"house.toml: circumstances.HOUSE-2.dexterity: [dexterity] names no rule for '{other}'"]


def test_a_house_rule_is_not_undone_by_an_option_that_nobody_set(tmp_path):
    text = 'extends = "starfinder1"\nconcealing.counts = "inside"\nreach.dead_zone = true\nsoft_cover.reach = "not"\n'
    table = load_edition(write(tmp_path, "house.toml", text)).table
    assert (table.concealing.counts, table.reach.dead_zone, table.soft_cover.reach) == ("inside", True, "not")


def test_limits_below_what_counts_may_stand_as_they_like(tmp_path):
    text = 'extends = "dnd30"\nheights.counts_from = "1/2"\nheights.at_most = ["9/10", "none", "1/2", "1/2", "3/4", "9/10"]\n'
    edition = load_edition(write(tmp_path, "house.toml", text))
    assert (edition.least_hidden, edition.low_obstacles) == (Hidden.HALF, False)


def test_a_built_in_edition_is_made_once_for_each_choice_of_options():
    first = load_edition("defense", options={"partial": "off", "soft_penalty": "-4"})
    assert load_edition("defense", options={"soft_penalty": "-4", "partial": "off"}) is first
    assert load_edition("defense") is not first
