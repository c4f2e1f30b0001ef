"""Chances, counted, against every combination of rolls handed to ``resolve``."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.slow_dice import TABLES, slow_odds

from gridlos.errors import QuestionError
from gridlos.rules.chances import chances, odds
from gridlos.rules.damage import mean_damage
from gridlos.rules.dice import CoverStruck, Dice
from gridlos.rules.strike import Coverer, Strike, Swing, Weapon, parse_dice

ROLLS = ("normal", "advantage", "disadvantage")

small_dice = st.sampled_from(["1d2", "1d4", "2d2", "1d3+1", "1d2+1d3", "3", "1d4-3"]).map(parse_dice)
weapons = st.builds(
    Weapon,
    damage=small_dice,
    threat=st.sampled_from([20, 19, 17, 15, 2]),
    multiplier=st.sampled_from([1, 2, 3]),
    light=st.booleans(),
    reach=st.booleans(),
    subdual=st.booleans(),
)
unarmed = st.builds(Weapon, damage=small_dice, light=st.just(True), unarmed=st.just(True), subdual=st.just(True))
extras = st.sampled_from(["0", "1d2", "1d3+1", "2"]).map(parse_dice)
hands = st.sampled_from(["primary", "off", "both"])
swings = st.one_of(
    st.builds(Swing, weapons, hands, st.integers(-4, 5), st.integers(-2, 3), extras),
    st.builds(Swing, unarmed, hands, st.integers(-4, 5), st.just(0), extras, st.booleans()),
)
coverers = st.builds(Coverer, st.integers(8, 24), st.integers(0, 6), st.integers(0, 3), st.booleans(), st.booleans())
strikes = st.builds(
    Strike,
    swing=swings,
    bonus=st.integers(-3, 12),
    defense=st.integers(-12, 45),
    cover=st.sampled_from([0, 2, 4, 7, 10]),
    miss_chance=st.sampled_from([0, 0, 1, 20, 50, 99, 100]),
    flat_check=st.sampled_from([0, 0, 1, 5, 11, 20]),
    roll=st.sampled_from(ROLLS),
    coverer=st.none() | coverers,
    hits_are_critical=st.booleans(),
    immune=st.booleans(),
)


@st.composite
def any_dice(draw):
    """Return a table: an edition's, or any that the pieces can say."""
    if draw(st.booleans()):
        return draw(st.sampled_from(list(TABLES.values())))
    critical = draw(st.sampled_from(["confirm", "natural", "reaches", "degrees", "none"]))
    degree = ["degree"] if critical == "degrees" else []
    struck = st.builds(CoverStruck, st.sampled_from([">", ">="]), st.booleans(), st.booleans())
    return Dice(
        natural_20=draw(st.sampled_from(["hits", "nothing", *degree])),
        natural_1=draw(st.sampled_from(["misses", "nothing", *degree])),
        critical=critical,
        degree_margin=draw(st.sampled_from([1, 5, 10, 20])),
        critical_damage=draw(st.sampled_from(["multiply", "double_dice", "maximum", "double"])),
        multiplied_extra_dice=draw(st.booleans()),
        minimum_damage=draw(st.integers(0, 6)),
        off_hand_strength=draw(st.sampled_from(["0", "1/2", "1"])),
        two_handed_strength=draw(st.sampled_from(["1", "3/2"])),
        light_two_handed_strength=draw(st.sampled_from(["1", "1/2"])),
        cover_struck=draw(st.none() | struck),
    )


@given(dice=any_dice(), strike=strikes)
def test_odds_are_those_of_every_combination_of_rolls(dice, strike):
    assert astuple(odds(dice, strike)) == slow_odds(dice, strike)


near = st.builds(
    Strike,
    swing=st.builds(
        Swing,
        st.builds(
            Weapon,
            damage=st.sampled_from(["1d2", "1d3-2", "2"]).map(parse_dice),
            threat=st.sampled_from([20, 17, 12]),
            reach=st.booleans(),
        ),
    ),
    bonus=st.integers(0, 6),
    defense=st.integers(14, 22),
    cover=st.sampled_from([2, 4, 7, 10]),
    roll=st.sampled_from(ROLLS),
    coverer=coverers,
)


@given(strike=near, comparison=st.sampled_from([">", ">="]), dodges=st.booleans(), haft=st.booleans())
def test_odds_of_cover_that_is_struck_are_those_of_every_combination(strike, comparison, dodges, haft):
    dice = Dice(critical_damage="multiply", cover_struck=CoverStruck(comparison, dodges, haft))
    assert astuple(odds(dice, strike)) == slow_odds(dice, strike)


@pytest.mark.parametrize("natural_20", ["as the edition says", "nothing"])
@pytest.mark.parametrize("edition", TABLES)
def test_odds_at_every_distance_between_bonus_and_ac(edition, natural_20):
    """All that a d20 can tell apart, and some more on both sides; a weapon without dice, cover and who gives it."""
    dice = TABLES[edition]
    if natural_20 == "nothing":
        dice = msgspec.structs.replace(dice, natural_20="nothing", cover_struck=TABLES["dnd30"].cover_struck)
    swing = Swing(Weapon(parse_dice("1"), threat=18))
    for defense in range(-13, 38):
        strike = Strike(swing, 1, defense, cover=4, coverer=Coverer(defense - 3, dexterity=2))
        assert astuple(odds(dice, strike)) == slow_odds(dice, strike), defense


STRICT = [
    ("dnd30", Strike(Swing(Weapon(parse_dice("1d4"), threat=19), strength=1), 3, 17, miss_chance=20)),
    ("dnd30", Strike(Swing(Weapon(parse_dice("1d3"))), 3, 19, cover=4, coverer=Coverer(16, 2, 1), miss_chance=3)),
    ("dnd5e", Strike(Swing(Weapon(parse_dice("1d4")), extra=parse_dice("1d2")), 3, 15, roll="advantage")),
    ("pathfinder1", Strike(Swing(Weapon(parse_dice("1d2"), threat=15)), 3, 15, roll="disadvantage")),
    ("pathfinder2", Strike(Swing(Weapon(parse_dice("1d4")), strength=2), 14, 18, flat_check=5)),
    ("dnd4e", Strike(Swing(Weapon(parse_dice("2d4")), strength=2), 4, 26)),
    ("starfinder1", Strike(Swing(Weapon(parse_dice("1d4")), extra=parse_dice("1d3")), 4, 15, miss_chance=20)),
]


@pytest.mark.parametrize(("edition", "strike"), STRICT)
def test_alike_rolls_followed_once_or_each_is_the_same(edition, strike):
    strict = slow_odds(TABLES[edition], strike, strict=True)
    assert slow_odds(TABLES[edition], strike) == strict
    assert astuple(odds(TABLES[edition], strike)) == strict


@given(
    dice=any_dice(),
    swing=swings,
    coverer=st.none() | coverers,
    data=st.data(),
)
def test_arrays_hold_the_float_nearest_to_each_pairs_odds(dice, swing, coverer, data):
    def array(values, shape):
        return np.array(data.draw(st.lists(values, min_size=6, max_size=6)))[: np.prod(shape, dtype=int)].reshape(shape)

    bonus, defense = array(st.integers(-3, 12), (2, 1)), array(st.integers(-12, 45), (3,))
    attack_modifier, defense_modifier = array(st.integers(-8, 4), (2, 3)), array(st.integers(-4, 10), (2, 3))
    given_ = {
        "cover": array(st.integers(0, 10), (2, 3)),
        "miss_chance": array(st.integers(0, 100), (2, 3)),
        "flat_check": array(st.integers(0, 20), (2, 3)),
        "roll": array(st.integers(0, 2), (2, 3)),
        "hits_are_critical": array(st.booleans(), (3,)),
        "immune": array(st.booleans(), (3,)),
    }
    found = chances(
        dice,
        swing,
        bonus,
        defense,
        attack_modifier=attack_modifier.astype(np.int16),
        defense_modifier=defense_modifier.astype(np.int16),
        coverer=coverer,
        **given_,
    )
    for a, t in np.ndindex(2, 3):
        one = {name: np.broadcast_to(values, (2, 3))[a, t].item() for name, values in given_.items()}
        one["roll"] = ROLLS[one["roll"]]
        attack = int(bonus[a, 0] + attack_modifier[a, t])
        armor = int(defense[t] + defense_modifier[a, t])
        exact = odds(dice, Strike(swing, attack, armor, coverer=coverer, **one))
        for name in ("hit", "critical", "damage", "cover_struck", "coverer_hit", "coverer_damage"):
            assert getattr(found, name)[a, t] == float(getattr(exact, name))


LONGSWORD = Swing(Weapon(parse_dice("1d8"), threat=19), strength=3)


@pytest.mark.parametrize(
    ("edition", "bonus", "defense", "hit", "critical"),
    [
        # A total of exactly the AC hits: 10 of 20 faces for +9 against 20.
        pytest.param("dnd30", 9, 20, Fraction(1, 2), Fraction(1, 10) * Fraction(1, 2), id="S004-37"),
        # Only a natural 20 hits; 19 is within the threat range, but does not hit, so it is no threat.
        pytest.param("dnd30", 0, 40, Fraction(1, 20), Fraction(1, 400), id="S004-49, S004-57, S004-58"),
        pytest.param("dnd5e", 0, 40, Fraction(1, 20), Fraction(1, 20), id="5e: a natural 20 is critical at once"),
        pytest.param("dnd5e", 40, 0, Fraction(19, 20), Fraction(2, 20), id="5e: a natural 1 misses"),
        pytest.param("dnd4e", 0, 40, Fraction(1, 20), Fraction(0), id="4e: a natural 20 too low is no critical hit"),
        pytest.param("starfinder1", 0, 40, Fraction(1, 20), Fraction(0), id="sf1: the total must reach the AC"),
        # PF2: +10 against AC 20 hits from 10 on, critically on 20 only; a natural 1 (11) is a miss in any case.
        pytest.param("pathfinder2", 10, 20, Fraction(11, 20), Fraction(1, 20), id="pf2: degrees"),
        # PF2: +0 against AC 30: a natural 20 is a critical miss made a miss; against 29 a miss made a hit.
        pytest.param("pathfinder2", 0, 30, Fraction(0), Fraction(0), id="pf2: a natural 20 is one degree better"),
        pytest.param("pathfinder2", 0, 29, Fraction(1, 20), Fraction(0), id="pf2: a natural 20 made a hit"),
        # PF2: +30 against AC 20: all critical, a natural 1 made a plain hit.
        pytest.param("pathfinder2", 30, 20, Fraction(1), Fraction(19, 20), id="pf2: a natural 1 is one degree worse"),
    ],
)
def test_published_rules_in_numbers(edition, bonus, defense, hit, critical):
    found = odds(TABLES[edition], Strike(LONGSWORD, bonus, defense))
    assert (found.hit, found.critical) == (hit, critical)


def test_who_gives_cover_and_whose_ac_no_face_exceeds_is_not_hit():
    dice = Dice(natural_20="nothing", cover_struck=CoverStruck())
    found = odds(dice, Strike(LONGSWORD, 0, 24, cover=4, coverer=Coverer(20)))
    assert (found.cover_struck, found.coverer_hit) == (Fraction(1, 20), 0)


def test_advantage_and_disadvantage_are_the_better_and_the_worse_of_two():
    plain, better, worse = (odds(TABLES["dnd5e"], Strike(LONGSWORD, 0, 11, roll=roll)).hit for roll in ROLLS)
    assert (plain, better, worse) == (Fraction(1, 2), Fraction(3, 4), Fraction(1, 4))


@pytest.mark.parametrize(
    ("edition", "damage"),
    [
        ("dnd30", Fraction(2 * 15, 2) + 7),  # 2d8 + 6 + 2d6 once: 9 + 6 + 7
        ("starfinder1", Fraction(9 + 6 + 14)),
        ("dnd5e", Fraction(9 + 3 + 14)),
        ("dnd4e", Fraction(8 + 3 + 12)),
        ("pathfinder2", Fraction(9 + 6 + 14)),
    ],
)
def test_mean_damage_of_a_critical_hit(edition, damage):
    swing = Swing(Weapon(parse_dice("1d8")), strength=3, extra=parse_dice("2d6"))
    assert mean_damage(TABLES[edition], swing, critical=True) == damage


def test_the_highest_numbers_stay_exact():
    swing = Swing(Weapon(parse_dice("150d1000"), multiplier=10), bonus_damage=10**6)
    found = odds(Dice(), Strike(swing, 10, 20))
    assert found.damage == Fraction(11, 20) * (75075 + 10**6) + Fraction(1, 20) * Fraction(11, 20) * 9 * (75075 + 10**6)
    assert chances(Dice(), swing, 10, 20).damage == float(found.damage)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bonus": 1.5}, "attack bonus must be whole numbers"),
        ({"defense": [1, 2], "bonus": [[1], [2], [3]], "cover": [1, 2, 3]}, r"do not broadcast: .*cover \(3,\)"),
        ({"miss_chance": 101}, "miss_chance must be 0 to 100, got 101 to 101"),
        ({"flat_check": -1}, "flat_check must be 0 to 20"),
        ({"roll": [0, 3]}, "roll must be 0 to 2"),
        ({"cover": -1}, "cover must be 0"),
    ],
)
def test_impossible_arrays_are_refused(arguments, message):
    with pytest.raises(QuestionError, match=message):
        chances(Dice(), LONGSWORD, **{"bonus": 0, "defense": 10, **arguments})


def test_no_pairs_give_no_chances():
    assert chances(Dice(), LONGSWORD, np.zeros((0, 1), int), np.zeros(3, int)).hit.shape == (0, 3)
