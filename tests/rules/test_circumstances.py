"""What holds between some pairs: conditions, senses, size, areas; by random tables, and by the books' own sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import books
from rules.random_facts import concealing, degrees_of, open_facts, random_facts
from rules.random_tables import WORDS, house_rules
from rules.test_judge import check_all_pairs

from gridlos.facts import Attack, Kinds, Light, PairFacts, Traits
from gridlos.rules import ROLLS, Edition, Judgement, Question, judge, load_edition, notes_of

EDITIONS = sorted(books.COVER)
RANGED, MELEE, AREA = Attack
UNKNOWN = "the target's Dexterity is not known and counts as +0"


@dataclass(frozen=True)
class One:
    """One creature; without more it stands there unhurt, of size Medium, and its Dexterity is +0."""

    conditions: tuple[str, ...] = ()
    weapon: str | None = None
    dexterity: int | None = 0
    shield: int = 0
    size: int = 0
    feet: int = 0
    low_light: bool = False


def traits(*bodies: One) -> Traits:
    return Traits(
        conditions=Kinds.of_each(frozenset(one.conditions) for one in bodies),
        weapons=Kinds.of_each(one.weapon for one in bodies),
        dexterity=np.array([one.dexterity or 0 for one in bodies], np.int16),
        knows_dexterity=np.array([one.dexterity is not None for one in bodies], np.bool_),
        shield=np.array([one.shield for one in bodies], np.int16),
        size=np.array([one.size for one in bodies], np.int16),
        feet=np.array([one.feet for one in bodies], np.int64),
        low_light=np.array([one.low_light for one in bodies], np.bool_),
    )


def two(attacker: One, target: One, facts: PairFacts | None = None) -> PairFacts:
    """Return facts of an open map, the same two creatures attacking each other: the first attacks the second at (0, 1)."""
    both = traits(attacker, target)
    return replace(facts or open_facts(2, 2), attackers=both, targets=both)


def judged(edition: Edition | str, attacker: One, target: One, attack: Attack = RANGED, **options: str) -> Judgement:
    table = load_edition(edition, options=options) if isinstance(edition, str) else edition
    return judge(table, two(attacker, target), Question(attack))


def numbers(judgement: Judgement) -> tuple[int, int]:
    """Return what is added to the attack and to the defense when the first attacks the second."""
    return int(judgement.attack_modifier[0, 1]), int(judgement.defense_modifier[0, 1])


def said(judgement: Judgement) -> tuple[str, ...]:
    return notes_of(judgement, 0, 1)


def house(folder, text: str) -> Edition:
    file = folder / "house.toml"
    file.write_text(text, encoding="utf-8")
    return load_edition(file)


def with_words(facts: PairFacts, seed: int) -> PairFacts:
    """Return the facts with conditions of the house rules, too, the same of attackers and targets."""
    if facts.attackers is None:
        return facts
    random = np.random.default_rng([seed, 2])
    old = facts.attackers.conditions
    traits = replace(
        facts.attackers,
        conditions=Kinds.of_each(words | set(random.choice(WORDS, random.integers(0, 3), replace=False)) for words in old),
    )
    return replace(facts, attackers=traits, targets=traits)


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from(EDITIONS),
    attack=st.sampled_from(Attack),
    density=st.sampled_from([0.0, 0.1, 0.3, 0.6]),
    heights=st.booleans(),
    is_spread=st.booleans(),
)
def test_random_house_rules_are_judged_as_the_slow_reading_does(
    tmp_path_factory, seed, name, attack, density, heights, is_spread
):
    file = tmp_path_factory.mktemp("house") / "house.toml"
    file.write_text(house_rules(seed, name, load_edition(name).table), encoding="utf-8")
    facts = with_words(random_facts(seed, 5, 5, big=True, density=density, heights=heights), seed)
    check_all_pairs(name, {}, facts, attack, [True, False] * 2 + [True], is_spread=is_spread, house=load_edition(file))


# Dexterity: RULES A9 and A10, the notes on Dexterity; D54, D55.
WITH_DEXTERITY = ("defense", "dnd30", "hybrid35")


@pytest.mark.parametrize("name", WITH_DEXTERITY)
@pytest.mark.parametrize(("dexterity", "change"), [(5, -5), (1, -1), (0, 0), (-1, 0), (-5, 0), (None, 0)])
def test_only_a_bonus_from_dexterity_can_be_lost(name, dexterity, change):
    for attack in (RANGED, MELEE):
        judgement = judged(name, One(), One(("flat-footed",), dexterity=dexterity), attack)
        assert numbers(judgement) == (0, change)
        assert judgement.loses_dexterity is not None
        assert judgement.loses_dexterity.tolist() == [[False, True], [False, True]]


@pytest.mark.parametrize("name", ["defense", "hybrid35"])
@pytest.mark.parametrize("dexterity", [5, 1, 0, -3, None])
def test_a_dexterity_4_lower_takes_2_from_any_modifier(name, dexterity):
    judgement = judged(name, One(), One(("entangled",), dexterity=dexterity))
    assert numbers(judgement) == (0, -2)
    assert judgement.loses_dexterity is not None
    assert not judgement.loses_dexterity.any()


@pytest.mark.parametrize("name", ["defense", "hybrid35"])
@pytest.mark.parametrize(("dexterity", "left"), [(5, 0), (3, 0), (2, 0), (1, -1), (0, -2), (-1, -3)])
def test_entangled_and_flat_footed_together(name, dexterity, left):
    """The modifier is 2 lower, and what bonus is left is lost."""
    judgement = judged(name, One(), One(("entangled", "flat-footed"), dexterity=dexterity))
    assert numbers(judgement) == (0, left - dexterity)


@pytest.mark.parametrize("word", ["helpless", "bound", "paralyzed", "sleeping", "unconscious"])
@pytest.mark.parametrize(("dexterity", "change"), [(3, -8), (0, -5), (-2, -3), (-5, 0), (-6, 1), (None, -5)])
def test_a_dexterity_of_0_takes_the_place_of_any_other(word, dexterity, change):
    """Helpless: -9 and -5 in all with Dexterity +0; flat-footed and entangled change nothing any more."""
    for words in ((word,), (word, "flat-footed"), (word, "entangled"), (word, "flat-footed", "entangled")):
        target = One(words, dexterity=dexterity)
        for name in ("defense", "hybrid35"):
            assert numbers(judged(name, One(), target, MELEE)) == (0, change - 4)
            assert numbers(judged(name, One(), target, RANGED)) == (0, change)
        assert numbers(judged("dnd30", One(), target, MELEE)) == (4, change)
        assert numbers(judged("dnd30", One(), target, RANGED)) == (0, change)


@pytest.mark.parametrize("name", WITH_DEXTERITY)
def test_helpless_without_a_dexterity_of_0(name):
    found = [numbers(judged(name, One(), One(("helpless",), dexterity=k), helpless_dex="only_four")) for k in (3, -2)]
    assert found == [(0, -3), (0, 0)]


@pytest.mark.parametrize("name", WITH_DEXTERITY)
def test_an_unknown_dexterity_is_told_where_it_matters(name):
    for word in ("flat-footed", "helpless"):
        assert UNKNOWN in said(judged(name, One(), One((word,), dexterity=None)))
        assert UNKNOWN not in said(judged(name, One(), One((word,))))
    assert UNKNOWN not in said(judged(name, One(), One(("kneeling",), dexterity=None)))


@pytest.mark.parametrize("name", WITH_DEXTERITY)
def test_dexterity_and_shield_are_no_number_in_an_area(name):
    target = One(("helpless", "flat-footed", "climbing"), dexterity=3, shield=2)
    judgement = judged(name, One(), target, AREA)
    assert (numbers(judgement), judgement.save_modifier[0, 1]) == ((0, 0), 0)


def test_who_climbs_has_no_use_of_his_shield():
    """System Reference Document 3.0: +2 on the attack, no Dexterity bonus, no shield."""
    assert numbers(judged("dnd30", One(), One(("climbing",), dexterity=2, shield=3))) == (2, -5)
    assert numbers(judged("dnd30", One(), One(("climbing",), dexterity=-2))) == (2, 0)
    assert numbers(judged("hybrid35", One(), One(("climbing",), dexterity=2, shield=3))) == (0, -2)


def test_one_shield_is_of_no_use_once(tmp_path):
    text = """
        extends = "starfinder1"
        rules = {ONE = {text = "one", source = "x"}, OTHER = {text = "other", source = "x"}}
        circumstances.ONE = {target = ["prone"], shield = "ONE"}
        circumstances.OTHER = {target = ["prone"], shield = "OTHER"}
        circumstances.ONE-AGAIN = {target = ["prone"], shield = "ONE"}
    """
    edition = house(tmp_path, text)
    target = One(("prone",), shield=3)
    plain = numbers(judged("starfinder1", One(), target, MELEE))
    assert numbers(judged(edition, One(), target, MELEE)) == (plain[0], plain[1] - 3)


# Weapons, ground, conditions.
@pytest.mark.parametrize(
    ("name", "options", "usable"),
    [
        ("dnd30", {}, {"crossbow"}),
        ("hybrid35", {}, {"crossbow", "shuriken"}),
        ("hybrid35", {"prone_ranged": "literal"}, {"crossbow", "shuriken", "longbow", None}),
        ("defense", {}, {"crossbow", "shuriken", "longbow", None}),
    ],
)
def test_what_a_prone_attacker_can_use(name, options, usable):
    for weapon in ("crossbow", "shuriken", "longbow", None):
        judgement = judged(name, One(("prone",), weapon), One(), **options)
        literal = bool(options) and weapon not in ("crossbow", "shuriken")
        assert judgement.can_attack[0, 1] == (weapon in usable)
        assert numbers(judgement) == (-3 if literal else 0, 0)
        is_note = any("cannot be used while prone" in note for note in said(judgement))
        assert is_note == (weapon not in usable or literal)
        melee = judged(name, One(("prone",), weapon), One(), MELEE, **options)
        assert melee.can_attack[0, 1]
        assert numbers(melee) == (0 if name == "defense" else -4, 0)


@pytest.mark.parametrize("name", ["dnd30", "hybrid35"])
@pytest.mark.parametrize(
    ("above", "by_one", "by_five"),
    [(-5000, 0, 0), (0, 0, 0), (999, 0, 0), (1000, 1, 0), (4999, 1, 0), (5000, 1, 1), (30_000, 1, 1)],
)
def test_higher_ground(name, above, by_one, by_five):
    for low in (0, 700):
        attacker, target = One(feet=low + above), One(feet=low)
        for options, bonus in (({}, by_one), ({"higher_ground_ft": "5"}, by_five)):
            assert numbers(judged(name, attacker, target, MELEE, **options)) == (bonus, 0)
            assert numbers(judged(name, attacker, target, RANGED, **options)) == (0, 0)


@pytest.mark.parametrize("name", EDITIONS)
def test_conditions_that_an_edition_does_not_know_do_nothing(name):
    for attack in Attack:
        plain = judged(name, One(), One(), attack)
        other = judged(name, One(("enraged",)), One(("hasted", "enraged")), attack)
        assert {word: column.tolist() for word, column in plain.columns.items()} == {
            word: column.tolist() for word, column in other.columns.items()
        }
        assert said(plain) == said(other)


def test_conditions_bring_those_that_they_imply(tmp_path):
    """Through others, in a circle, too."""
    text = """
        extends = "dnd5e"
        conditions = {one = ["two"], two = ["three"], three = ["one"], four = []}
        rules.HOUSE = {text = "three", source = "x", modifiers = {attack = 1}}
        circumstances.HOUSE = {attacker = ["three"], target_without = ["two"], rules = ["HOUSE"]}
    """
    edition = house(tmp_path, text)
    for word, bonus in (("one", 1), ("two", 1), ("three", 1), ("four", 0)):
        assert numbers(judged(edition, One((word,)), One())) == (bonus, 0)
    assert [numbers(judged(edition, One(("one",)), One((word,))))[0] for word in ("one", "three", "four")] == [0, 0, 1]


@pytest.mark.parametrize("name", ["dnd30", "hybrid35"])
def test_who_grapples_meets_a_grappler_with_his_dexterity(name):
    target = One(("grappling",), dexterity=2)
    found = [numbers(judged(name, One(words), target, MELEE)) for words in ((), ("grappling",), ("pinned",))]
    assert found == [(0, -2), (0, 0), (0, 0)]


def test_the_invisible_attacker_and_the_blind():
    """Hybrid, note 2: no bonus against the blinded; a blinded target is hit better for its own reason."""
    assert numbers(judged("hybrid35", One(("invisible",)), One(dexterity=3))) == (2, -3)
    assert numbers(judged("hybrid35", One(("invisible",)), One(("blinded",), dexterity=3))) == (0, -5)
    assert numbers(judged("dnd30", One(("invisible",)), One(dexterity=3))) == (2, -3)


@pytest.mark.parametrize("name", ["defense", "hybrid35"])
@pytest.mark.parametrize("attack", Attack)
def test_the_invisible_hide_better_if_they_do_not_move(name, attack):
    """+20 or +40, not both together; in areas, too."""
    still, moving = (judged(name, One(), One(("invisible", *more)), attack) for more in ((), ("moving",)))
    assert (still.stealth_modifier[0, 1], moving.stealth_modifier[0, 1]) == (40, 20)


def test_sneak_attacks():
    """System Reference Document 3.0: on the helpless, and by flanking."""
    words = [judged("dnd30", One(), One((word,)), MELEE) for word in ("sleeping", "prone")]
    assert [one.columns["sneak_attack"][0, 1] for one in words] == [True, False]
    facts = replace(two(One(), One()), flanked=np.ones((2, 2), np.bool_))
    found = [judge(load_edition("dnd30"), facts, Question(attack)).columns["sneak_attack"][0, 1] for attack in Attack]
    assert dict(zip(Attack, found, strict=True)) == {RANGED: False, MELEE: True, AREA: False}


# The attacker's size: S002-47, S002-48; RULES A6, D50.
SCALE = ["none", "1/4", "1/2", "3/4", "9/10"]


@pytest.mark.parametrize("size", range(-4, 5))
@pytest.mark.parametrize("lines", range(5))
def test_size_shifts_the_degree_by_walls(size, lines):
    hard = np.full((4, 4), (1 << lines) - 1, np.uint8)
    expected = "none" if lines == 0 else SCALE[min(max(lines - size, 0), 4)]
    facts = two(One(size=size), One(size=2), replace(open_facts(2, 2), hard=hard))
    judgement = judge(load_edition("hybrid35"), facts, Question())
    assert (degrees_of(judgement)[0][1], judgement.blocked_lines[0, 1]) == (expected, lines)
    off = load_edition("hybrid35", options={"size_shift": "off"})
    assert degrees_of(judge(off, facts, Question()))[0][1] == SCALE[lines]
    by_target = load_edition("hybrid35", options={"size_shift": "target"})
    expected = "none" if lines == 0 else SCALE[min(max(lines - size + 2, 0), 4)]
    assert degrees_of(judge(by_target, facts, Question()))[0][1] == expected


@pytest.mark.parametrize("size", [-4, -1, 0, 1, 4])
def test_size_changes_neither_total_nor_soft_cover(size):
    soft = two(One(size=size), One(), replace(open_facts(2, 2), soft=np.full((4, 4), 15, np.uint8)))
    assert degrees_of(judge(load_edition("hybrid35"), soft, Question()))[0][1] == "soft"
    total = two(One(size=size), One(), replace(open_facts(2, 2), line_of_effect=np.zeros((2, 2), np.bool_)))
    assert degrees_of(judge(load_edition("hybrid35"), total, Question()))[0][1] == "total"
    word = replace(soft, soft=None, tagged=(("total", np.full((4, 4), 15, np.uint8)),))
    assert degrees_of(judge(load_edition("hybrid35"), word, Question()))[0][1] == "total"


def test_size_counts_where_the_corner_is_chosen():
    """For a Tiny attacker one line through a wall is three-quarters cover; a creature is +4 for him as for all."""
    hard, soft = np.tile(np.uint8([1, 0, 15, 15]), (4, 1)), np.tile(np.uint8([0, 1, 15, 15]), (4, 1))
    facts = replace(open_facts(2, 2), hard=hard, soft=soft)
    found = [judge(load_edition("hybrid35"), two(One(size=size), One(), facts), Question()) for size in (-2, 0)]
    assert [(one.corner[0, 1], numbers(one)) for one in found] == [(1, (0, 4)), (0, (0, 2))]


# Light: RULES A7, DESIGN, Light.
def lit(light: Light, *, darkvision: bool = False, level: int = 0, attacker: One | None = None) -> PairFacts:
    facts = concealing(open_facts(2, 2), level)
    facts = replace(facts, light=np.full((2, 2), light, np.uint8), darkvision=np.full((2, 2), darkvision))
    return two(attacker or One(), One(), facts)


def concealment(name: str, facts: PairFacts) -> tuple[str, int]:
    judgement = judge(load_edition(name), facts, Question())
    return judgement.edition.concealments[judgement.concealment[0, 1]], int(judgement.miss_chance[0, 1])


@pytest.mark.parametrize("name", ["defense", "pathfinder1", "starfinder1"])
def test_bad_light_conceals(name):
    assert concealment(name, lit(Light.BRIGHT)) == ("none", 0)
    assert concealment(name, lit(Light.DIM)) == ("concealed", 20)
    assert concealment(name, lit(Light.DARK)) == ("total", 50)
    for light in Light:
        assert concealment(name, lit(light, darkvision=True)) == ("none", 0)


def test_of_several_concealments_the_highest_counts():
    """Levels of squares are 1/4 to total; dim light is a quarter in the edition 3.0, and nothing adds up (RULES A7)."""
    for level, by_squares in enumerate(["none", "1/4", "1/2", "3/4", "9/10", "total"]):
        found = concealment("dnd30", lit(Light.DIM, level=level))
        assert found == ("1/4" if level == 0 else by_squares, 10 * max(level, 1))
        assert concealment("dnd30", lit(Light.DARK, level=level)) == ("total", 50)
        blind = lit(Light.DIM, level=level, attacker=One(("blinded",)))
        assert concealment("dnd30", blind) == ("total", 50)
        seen = lit(Light.DARK, level=level, darkvision=True)
        assert concealment("dnd30", seen) == (by_squares, 10 * level)


def test_darkvision_does_not_see_the_invisible():
    facts = lit(Light.BRIGHT, darkvision=True)
    both = traits(One(), One(("invisible",)))
    facts = replace(facts, attackers=both, targets=both)
    assert concealment("pathfinder1", facts) == ("total", 50)


@pytest.mark.parametrize("blind", ["total", "concealed"])
def test_everything_is_concealed_from_the_blinded(blind):
    judgement = judged("hybrid35", One(("blinded",)), One(), blind_attacker=blind)
    assert judgement.edition.concealments[judgement.concealment[0, 1]] == blind
    assert numbers(judgement) == (0, 4 if blind == "total" else 2)


@pytest.mark.parametrize(
    ("darkvision", "low_light", "light", "has_darkvision", "has_low_light", "seen"),
    [
        ("sees", "doubles", Light.DARK, True, False, "bright"),
        ("one_step", "doubles", Light.DARK, True, False, "dim"),
        ("one_step", "doubles", Light.DIM, True, False, "bright"),
        ("one_step", "doubles", Light.DARK, False, True, "dark"),
        ("sees", "doubles", Light.DIM, False, True, "dim"),
        ("sees", "nothing", Light.DIM, False, True, "dim"),
        ("sees", "dim_is_bright", Light.DIM, False, True, "bright"),
        ("sees", "dim_is_bright", Light.DIM, False, False, "dim"),
        ("sees", "dim_is_bright", Light.DARK, False, True, "dark"),
    ],
)
def test_what_senses_make_of_bad_light(tmp_path, darkvision, low_light, light, has_darkvision, has_low_light, seen):
    text = f'senses.darkvision = "{darkvision}"\nsenses.low_light = "{low_light}"\n'
    edition = house(tmp_path, f'extends = "pathfinder1"\n{text}')
    facts = lit(light, darkvision=has_darkvision, attacker=One(low_light=has_low_light))
    judgement = judge(edition, facts, Question())
    word = judgement.edition.concealments[judgement.concealment[0, 1]]
    assert word == {"bright": "none", "dim": "concealed", "dark": "total"}[seen]


# Advantage and disadvantage.
MANY = """
    extends = "dnd5e"
    conditions = {lucky = [], luckier = [], hexed = [], cursed = []}
    rules.LUCKY = {text = "lucky", type = "roll", source = "x", modifiers = {roll = 1}}
    rules.LUCKIER = {text = "luckier", type = "roll", source = "x", modifiers = {roll = 1}}
    rules.HEXED = {text = "hexed", type = "roll", source = "x", modifiers = {roll = -1}}
    rules.CURSED = {text = "cursed", type = "roll", source = "x", modifiers = {roll = -1}}
    circumstances.LUCKY = {attacker = ["lucky"], rules = ["LUCKY"]}
    circumstances.LUCKIER = {attacker = ["luckier"], rules = ["LUCKIER"]}
    circumstances.HEXED = {attacker = ["hexed"], rules = ["HEXED"]}
    circumstances.CURSED = {attacker = ["cursed"], rules = ["CURSED"]}
"""


@pytest.mark.parametrize(
    ("words", "roll"),
    [
        ("", "normal"),
        ("lucky", "advantage"),
        ("lucky luckier", "advantage"),
        ("hexed", "disadvantage"),
        ("hexed cursed", "disadvantage"),
        ("lucky hexed", "normal"),
        ("lucky luckier hexed", "normal"),
        ("lucky hexed cursed", "normal"),
        ("lucky luckier hexed cursed", "normal"),
    ],
)
@pytest.mark.parametrize("kind", ["roll", "untyped"])
def test_advantage_and_disadvantage_cancel_however_many(tmp_path, words, roll, kind):
    edition = house(tmp_path, MANY.replace('type = "roll"', f'type = "{kind}"'))
    judgement = judged(edition, One(tuple(words.split())), One())
    assert judgement.roll is not None
    assert ROLLS[judgement.roll[0, 1]] == roll
    assert numbers(judgement) == (0, 0)
    assert judged(edition, One(tuple(words.split())), One(), AREA).roll is None


# Effects on an area.
@pytest.mark.parametrize("name", EDITIONS)
def test_an_effect_on_an_area_is_aimed_at_nobody(name):
    facts = concealing(open_facts(2, 2), 5)
    judgement = judge(load_edition(name), facts, Question(AREA))
    assert judgement.edition.concealments[judgement.concealment[0, 1]] == judgement.edition.concealments[-1]
    assert judgement.can_attack[0, 1]
    assert (judgement.miss_chance[0, 1], numbers(judgement)) == (0, (0, 0))
    assert judgement.opportunity is None
    walls = replace(facts, line_of_effect=np.zeros((2, 2), np.bool_))
    assert not judge(load_edition(name), walls, Question(AREA)).can_attack[0, 1]


@pytest.mark.parametrize(
    ("name", "lines", "save", "spread"),
    [
        ("defense", 3, 2, 0), ("starfinder1", 3, 2, 0), ("pathfinder1", 1, 1, 0), ("pathfinder1", 3, 2, 0),
        ("hybrid35", 7, 2, 0), ("dnd30", 3, 2, 2), ("dnd30", 15, 4, 4), ("dnd5e", 3, 2, 0),
    ],
)  # fmt: skip
def test_cover_helps_on_saves_but_not_against_what_spreads_round_it(name, lines, save, spread):
    """RULES A2, Spread effects: the edition 3.0 is the opposite of the others."""
    facts = replace(open_facts(2, 2), hard=np.full((4, 4), lines, np.uint8))
    for is_spread, expected in ((False, save), (True, spread)):
        judgement = judge(load_edition(name), facts, Question(AREA, is_spread=is_spread))
        assert (judgement.save_modifier[0, 1], numbers(judgement)) == (expected, (0, 0))
        assert (degrees_of(judgement)[0][1] == "none") == (expected == 0)
        for attack in (RANGED, MELEE):  # nothing spreads there
            other = judge(load_edition(name), facts, Question(attack, is_spread=is_spread))
            assert degrees_of(other)[0][1] != "none"
    gone = replace(facts, line_of_effect=np.zeros((2, 2), np.bool_))
    assert degrees_of(judge(load_edition(name), gone, Question(AREA, is_spread=True)))[0][1] == "total"


@pytest.mark.parametrize(("name", "degree", "spread"), [("pathfinder1", "soft", "none"), ("dnd30", "1/2", "1/2")])
def test_a_spread_goes_round_creatures_as_round_walls(name, degree, spread):
    facts = replace(open_facts(2, 2), soft=np.full((4, 4), 1, np.uint8))
    for is_spread, expected in ((False, degree), (True, spread)):
        judgement = judge(load_edition(name), facts, Question(AREA, is_spread=is_spread))
        assert degrees_of(judgement)[0][1] == expected


def test_creatures_in_the_way_of_an_area(tmp_path):
    facts = replace(open_facts(2, 2), soft=np.full((4, 4), 1, np.uint8))
    for word, degree in (("applies", "half"), ("not", "none")):
        edition = house(tmp_path, f'extends = "dnd5e"\nsoft_cover.area = "{word}"\n')
        judgement = judge(edition, facts, Question(AREA))
        assert (degrees_of(judgement)[0][1], judgement.soft[0, 1]) == (degree, degree == "half")
        assert degrees_of(judge(edition, facts, Question(RANGED)))[0][1] == "half"
