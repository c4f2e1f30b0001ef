"""One attack from given rolls: a test for every statement of the sources about dice and damage, with its id."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import msgspec
import pytest
from rules.slow_dice import TABLES

from gridlos.errors import QuestionError
from gridlos.rules.chances import odds
from gridlos.rules.dice import (
    Dice,
    TwoWeaponPenalties,
    evasion_damage,
    grappler_chances,
    is_light,
    random_grappler,
    strength_damage,
    two_weapon_penalties,
)
from gridlos.rules.resolve import attack_square, coup_de_grace, resolve
from gridlos.rules.strike import Coverer, DiceSum, Rolls, Strike, Swing, Weapon, parse_dice, unarmed_strike

DND30, HYBRID, DEFENSE = TABLES["dnd30"], TABLES["hybrid35"], TABLES["defense"]
LONGSWORD = Weapon(parse_dice("1d8"), threat=19)
GREATAXE = Weapon(parse_dice("1d12"), multiplier=3)
BOW = Weapon(parse_dice("1d6"), multiplier=3, kind="bow")


def strike(weapon=LONGSWORD, bonus=5, defense=20, *, strength=0, hand="primary", extra="0", damage=0, **more):
    return Strike(Swing(weapon, hand, strength, damage, parse_dice(extra)), bonus, defense, **more)


def words(outcome):
    return [step.word for step in outcome.steps]


def rules(outcome):
    return {step.word: step.rule for step in outcome.steps}


# --- Two weapons: S004-27 to S004-36, S004-47 ---


@pytest.mark.parametrize(
    ("more", "primary", "off_hand"),
    [
        pytest.param({}, -6, -10, id="S004-28"),
        pytest.param({"light": True}, -4, -8, id="S004-30"),
        pytest.param({"feats": ["ambidexterity"]}, -6, -6, id="S004-33"),
        pytest.param({"feats": ["two_weapon_fighting"]}, -4, -8, id="S004-34"),
        pytest.param({"double": True}, -4, -8, id="S004-36"),
        pytest.param({"double": True, "light": True}, -4, -8, id="S004-36: not twice"),
        pytest.param(
            {"light": True, "feats": ["ambidexterity", "two_weapon_fighting"]}, -2, -2, id="S004-29: all three ways"
        ),
        pytest.param({"feats": ["ambidexterity", "ambidexterity"]}, -6, -6, id="a feat counts once"),
    ],
)
def test_two_weapon_penalties(more, primary, off_hand):
    assert two_weapon_penalties(DND30, **more) == TwoWeaponPenalties(primary, off_hand, extra_attacks=1)


@pytest.mark.parametrize("double", [pytest.param(False, id="S004-27"), pytest.param(True, id="S004-35")])
def test_the_second_weapon_gives_one_attack_more(double):
    assert two_weapon_penalties(DND30, double=double).extra_attacks == 1


@pytest.mark.parametrize("edition", ["dnd35", "pathfinder1", "defense", "hybrid35"])
def test_two_weapon_fighting_of_3_5_helps_the_off_hand_more(edition):
    found = two_weapon_penalties(TABLES[edition], light=True, feats=["two_weapon_fighting"])
    assert (found.primary, found.off_hand) == (-2, -2)
    with pytest.raises(QuestionError, match=r"'ambidexterity' is no feat .*known: two_weapon_fighting"):
        two_weapon_penalties(TABLES[edition], feats=["ambidexterity"])


@pytest.mark.parametrize("edition", ["dnd5e", "dnd5e-2024"])
def test_two_weapons_cost_nothing_in_5e(edition):
    assert two_weapon_penalties(TABLES[edition]) == TwoWeaponPenalties(0, 0, 1)
    assert two_weapon_penalties(TABLES["pathfinder2"]) == TwoWeaponPenalties(0, 0, 0)


def test_s004_31_light_is_smaller_than_the_wielder():
    assert is_light("small", "medium")
    assert is_light("medium", "large")
    assert not is_light("medium", "medium")
    assert not is_light("large", "medium")
    with pytest.raises(QuestionError, match="'middling' is no size"):
        is_light("middling", "medium")


def test_s004_32_s004_47_an_unarmed_strike_is_light():
    fist = unarmed_strike(DND30, "medium")
    assert fist.light
    assert two_weapon_penalties(DND30, light=fist.light).off_hand == -8


# --- Hits and damage: S004-37 to S004-48 ---


@pytest.mark.parametrize(
    ("natural", "struck"), [pytest.param(15, "target", id="S004-37"), pytest.param(14, "nothing", id="S004-37 misses")]
)
def test_a_total_of_the_ac_hits(natural, struck):
    outcome = resolve(DND30, strike(bonus=5, defense=20), Rolls((natural,), damage=(4,)))
    assert (outcome.struck, outcome.hit, outcome.damage) == (struck, struck == "target", 4 if struck == "target" else 0)
    assert rules(outcome)["hit" if struck == "target" else "miss"] == "S004-37"


def test_s004_38_s004_39_the_weapons_damage_is_rolled_and_deducted():
    weapon = Weapon(parse_dice("2d6+1"))
    outcome = resolve(DND30, strike(weapon, strength=2, damage=1), Rolls((15,), damage=(3, 5)))
    assert outcome.damage == 3 + 5 + 1 + 2 + 1
    assert outcome.takes_damage == "target"
    assert rules(outcome)["damage"] == "S004-38"


def test_s004_40_a_hit_does_at_least_1():
    outcome = resolve(DND30, strike(Weapon(parse_dice("1d4")), strength=-4), Rolls((15,), damage=(2,)))
    assert (outcome.damage, rules(outcome)["minimum_damage"]) == (1, "S004-40")
    assert resolve(DND30, strike(strength=-4), Rolls((15,), damage=(5,))).damage == 1
    assert "minimum_damage" not in words(resolve(DND30, strike(strength=-4), Rolls((15,), damage=(5,))))


def test_the_least_damage_is_subdual_in_pathfinder_and_none_in_5e():
    weak = strike(Weapon(parse_dice("1d4")), strength=-4)
    outcome = resolve(TABLES["pathfinder1"], weak, Rolls((15,), damage=(2,)))
    assert (outcome.damage, outcome.subdual) == (1, True)
    assert resolve(TABLES["pathfinder1"], weak, Rolls((15,), damage=(4,))).subdual
    assert not resolve(TABLES["dnd35"], weak, Rolls((15,), damage=(2,))).subdual
    outcome = resolve(TABLES["dnd5e"], weak, Rolls((15,), damage=(2,)))
    assert (outcome.damage, outcome.takes_damage) == (0, "nobody")


@pytest.mark.parametrize(
    ("edition", "strength", "hand", "light", "added"),
    [
        pytest.param("dnd30", 3, "primary", False, 3, id="S004-38: one hand"),
        pytest.param("dnd30", 3, "off", False, 1, id="S004-41"),
        pytest.param("dnd30", 4, "off", True, 2, id="S004-41 light"),
        pytest.param("dnd30", 3, "both", False, 4, id="S004-42"),
        pytest.param("dnd30", 4, "both", False, 6, id="S004-42 even"),
        pytest.param("dnd30", 3, "both", True, 3, id="S004-43"),
        pytest.param("dnd30", -3, "off", False, -3, id="a penalty is not halved"),
        pytest.param("dnd30", -3, "both", False, -3, id="a penalty is not multiplied"),
        pytest.param("dnd5e", 3, "off", False, 0, id="5e: none for the off hand"),
        pytest.param("dnd5e", -1, "off", False, -1, id="5e: but a penalty"),
        pytest.param("dnd5e", 3, "both", False, 3, id="5e: once for both hands"),
        pytest.param("pathfinder2", 3, "both", False, 3, id="pf2: once"),
    ],
)
def test_strength(edition, strength, hand, light, added):
    dice = TABLES[edition]
    assert strength_damage(dice, strength, hand=hand, light=light) == added
    weapon = replace(LONGSWORD, light=light)
    outcome = resolve(dice, strike(weapon, strength=strength, hand=hand), Rolls((16,), damage=(8,)))
    assert outcome.damage == 8 + added


@pytest.mark.parametrize(
    ("size", "die", "strength", "damage"),
    [pytest.param("medium", 3, 2, 5, id="S004-44"), pytest.param("small", 2, 0, 2, id="S004-45")],
)
def test_unarmed_strikes(size, die, strength, damage):
    fist = unarmed_strike(DND30, size)
    outcome = resolve(DND30, strike(fist, strength=strength), Rolls((15,), damage=(die,)))
    assert outcome.damage == damage
    with pytest.raises(QuestionError, match=f"d{die} is a roll from 1 to {die}, got {die + 1}"):
        resolve(DND30, strike(fist), Rolls((15,), damage=(die + 1,)))


def test_s004_46_unarmed_damage_is_subdual():
    outcome = resolve(DND30, strike(unarmed_strike(DND30, "medium")), Rolls((15,), damage=(1,)))
    assert (outcome.subdual, rules(outcome)["subdual"]) == (True, "S004-46")
    assert not resolve(DND30, strike(), Rolls((15,), damage=(1,))).subdual
    assert resolve(DND30, strike(replace(LONGSWORD, subdual=True)), Rolls((15,), damage=(1,))).subdual


def test_s004_48_normal_damage_costs_4_on_the_attack_roll():
    fist = unarmed_strike(DND30, "medium")
    normal = Strike(Swing(fist, normal_damage=True), bonus=5, defense=20)
    assert not resolve(DND30, normal, Rolls((18,))).hit
    outcome = resolve(DND30, normal, Rolls((19,), damage=(1,)))
    assert (outcome.hit, outcome.subdual) == (True, False)
    with pytest.raises(QuestionError, match="only an unarmed strike"):
        Swing(LONGSWORD, normal_damage=True)


def test_sizes_without_a_number_are_refused():
    with pytest.raises(QuestionError, match="no damage for an unarmed strike of size 'large'; known: small, medium"):
        unarmed_strike(DND30, "large")


# --- Critical hits: S004-49 to S004-60 ---


def test_s004_49_a_natural_20_hits_and_is_a_threat():
    outcome = resolve(DND30, strike(GREATAXE, bonus=0, defense=99), Rolls((20,), (19,), damage=(7,)))
    assert (outcome.hit, outcome.critical, outcome.damage) == (True, False, 7)
    assert words(outcome) == ["natural_20", "hit", "threat", "not_confirmed", "damage"]
    assert rules(outcome)["natural_20"] == "S004-49"


@pytest.mark.parametrize(
    ("second", "critical", "word", "rule"),
    [
        pytest.param(15, True, "confirmed", "S004-52", id="S004-50, S004-51, S004-52"),
        pytest.param(14, False, "not_confirmed", "S004-53", id="S004-53"),
        pytest.param(20, True, "confirmed", "S004-52", id="S004-51: a natural 20 hits here, too"),
        pytest.param(1, False, "not_confirmed", "S004-53", id="S004-51: a natural 1"),
    ],
)
def test_a_second_attack_roll_confirms(second, critical, word, rule):
    outcome = resolve(DND30, strike(bonus=5, defense=20), Rolls((20,), (second,), damage=(4, 6)))
    assert (outcome.critical, outcome.damage) == (critical, 10 if critical else 4)
    assert rules(outcome)[word] == rule
    assert rules(outcome)["threat"] == "S004-50"


def test_s004_51_the_second_roll_has_the_same_modifiers():
    # +5 with cover in the AC and -4 for normal damage: 18 hits, and confirms; 17 does neither.
    fist = Swing(unarmed_strike(DND30, "medium"), normal_damage=True)
    blow = Strike(fist, bonus=5, defense=19, cover=4)
    assert resolve(DND30, blow, Rolls((20,), (18,), damage=(1, 1))).critical
    assert not resolve(DND30, blow, Rolls((20,), (17,), damage=(1,))).critical
    assert TABLES["dnd30"].cover_struck is not None  # a confirmation that strikes the cover is a miss all the same


def test_s004_54_all_the_usual_bonuses_count_each_time():
    outcome = resolve(DND30, strike(strength=3, damage=1), Rolls((20,), (20,), damage=(2, 7)))
    assert (outcome.critical, outcome.damage) == (True, (2 + 4) + (7 + 4))
    assert rules(outcome)["critical_damage"] == "S004-54"


@pytest.mark.parametrize("why", ["S004-55", "S004-18", "S004-26", "S002-31", "S002-69"])
def test_extra_dice_are_added_once(why):
    """Extra dice, as of a sneak attack (on who is flanked, helpless or pinned), are not multiplied."""
    dice = HYBRID if why.startswith("S002") else DND30
    blow = strike(strength=3, extra="2d6")
    plain = resolve(dice, blow, Rolls((15,), damage=(2, 5, 6)))
    assert plain.damage == (2 + 3) + (5 + 6)
    great = resolve(dice, blow, Rolls((20,), (20,), damage=(2, 7, 5, 6)))
    assert great.damage == (2 + 3) + (7 + 3) + (5 + 6)
    if dice is DND30:
        assert rules(great)["extra_dice"] == "S004-55"


def test_s004_56_threat_ranges_can_begin_below_20():
    blow = strike(replace(LONGSWORD, threat=18), bonus=5, defense=20)
    assert "threat" in words(resolve(DND30, blow, Rolls((18,), (1,), damage=(1,))))
    assert "threat" not in words(resolve(DND30, blow, Rolls((17,), damage=(1,))))


def test_s004_57_below_20_a_threat_is_no_automatic_hit():
    assert resolve(DND30, strike(bonus=0, defense=20), Rolls((19,))).struck == "nothing"


def test_s004_58_what_does_not_hit_is_no_threat():
    outcome = resolve(DND30, strike(bonus=0, defense=20), Rolls((19,)))
    assert words(outcome) == ["miss"]
    concealed = resolve(DND30, strike(miss_chance=50), Rolls((20,), percentile=50))
    assert "threat" not in words(concealed)


def test_s004_59_s004_60_a_weapon_can_multiply_by_more():
    outcome = resolve(DND30, strike(GREATAXE, strength=3, hand="both"), Rolls((20,), (20,), damage=(1, 12, 5)))
    assert outcome.damage == (1 + 4) + (12 + 4) + (5 + 4)


def test_a_natural_1_misses_by_the_attack_roll_of_3_0_and_does_nothing_by_its_combat_modifiers_alone():
    blow = strike(bonus=30, defense=20)
    assert resolve(DND30, blow, Rolls((1,))).struck == "nothing"
    silent = msgspec.structs.replace(DND30, natural_1="nothing")
    assert resolve(silent, blow, Rolls((1,), damage=(3,))).damage == 3


# --- Cover that is struck: S004-73, S004-80 to S004-86 ---


BEHIND = {"bonus": 5, "defense": 19, "cover": 4}  # AC 15 and one-half cover


def test_c69_s004_80_s004_81_s004_83_who_gives_cover_takes_the_damage():
    blow = strike(**BEHIND, coverer=Coverer(14))
    outcome = resolve(DND30, blow, Rolls((12,), damage=(6,)))  # 17: misses 19, reaches 15, exceeds 14
    assert (outcome.struck, outcome.takes_damage, outcome.damage, outcome.hit) == ("coverer", "coverer", 6, False)
    assert rules(outcome)["cover_struck"] == "S004-81"
    assert rules(outcome)["coverer_hit"] == "S004-83"


@pytest.mark.parametrize(
    ("natural", "struck"),
    [
        pytest.param(14, "target", id="S004-81: 19 hits"),
        pytest.param(13, "cover", id="S004-81: 18"),
        pytest.param(10, "cover", id="S004-80: 15 would hit"),
        pytest.param(9, "nothing", id="S004-80: 14 would not"),
    ],
)
def test_the_range_in_which_cover_is_struck(natural, struck):
    """S004-82: nobody gives this cover."""
    assert resolve(DND30, strike(**BEHIND), Rolls((natural,), damage=(1,))).struck == struck


def test_c69_d59_the_total_must_exceed_the_coverers_ac():
    blow = strike(**BEHIND, coverer=Coverer(15))
    assert resolve(DND30, blow, Rolls((10,))).struck == "cover"  # 15 against 15
    assert DND30.cover_struck is not None
    equal = msgspec.structs.replace(DND30, cover_struck=msgspec.structs.replace(DND30.cover_struck, comparison=">="))
    assert resolve(equal, blow, Rolls((10,), damage=(1,))).struck == "coverer"


@pytest.mark.parametrize(
    ("coverer", "struck"),
    [
        pytest.param(Coverer(18, dexterity=4), "target", id="S004-84, S004-85"),
        pytest.param(Coverer(18, dodge=4), "target", id="S004-84: dodge"),
        pytest.param(Coverer(18, dexterity=1, dodge=1), "target", id="S004-84: both"),
        pytest.param(Coverer(18, dexterity=1), "cover", id="S004-84: 17 does not exceed 17 either"),
        pytest.param(Coverer(18, dexterity=4, waives_dexterity=True), "coverer", id="S004-86"),
        pytest.param(Coverer(18, dodge=4, waives_dodge=True), "coverer", id="S004-86: dodge"),
        pytest.param(
            Coverer(18, 1, 1, waives_dodge=True), "target", id="S004-86: one is not enough, the other saves it"
        ),
        pytest.param(Coverer(22, 1, 1, waives_dodge=True), "cover", id="S004-86: armor saves it"),
        pytest.param(Coverer(20, 2, 2, waives_dodge=True), "target", id="S004-86: what is waived helps once"),
        pytest.param(Coverer(21, 2, 2, waives_dodge=True), "cover", id="S004-86: what is waived helps not twice"),
    ],
)
def test_c70_a_coverer_that_dodges(coverer, struck):
    outcome = resolve(DND30, strike(**BEHIND, coverer=coverer), Rolls((12,), damage=(5,)))
    assert outcome.struck == struck
    assert outcome.damage == (0 if struck == "cover" else 5)
    if struck == "target":
        assert rules(outcome)["coverer_dodges"] == "S004-84"


def test_s004_85_without_the_cover_a_threat_and_its_confirmation_count():
    blow = strike(replace(LONGSWORD, threat=12), **BEHIND, coverer=Coverer(18, dexterity=4))
    outcome = resolve(DND30, blow, Rolls((12,), (10,), damage=(5, 6)))  # confirms against 15, not 19
    assert (outcome.hit, outcome.critical, outcome.damage) == (True, True, 11)


def test_who_gives_cover_is_never_hit_critically():
    blow = strike(replace(LONGSWORD, threat=12), **BEHIND, coverer=Coverer(14))
    outcome = resolve(DND30, blow, Rolls((12,), damage=(6,)))
    assert (outcome.struck, outcome.critical, outcome.damage) == ("coverer", False, 6)


def test_c71_s004_73_the_haft_does_no_damage():
    halberd = Weapon(parse_dice("1d10"), reach=True)
    outcome = resolve(DND30, strike(halberd, **BEHIND, coverer=Coverer(14)), Rolls((12,)))
    assert (outcome.struck, outcome.takes_damage, outcome.damage) == ("coverer", "nobody", 0)
    assert rules(outcome)["haft"] == "S004-73"


def test_a_natural_1_strikes_no_cover():
    assert resolve(DND30, strike(bonus=14, defense=19, cover=10), Rolls((1,))).struck == "nothing"


@pytest.mark.parametrize("edition", [id_ for id_ in TABLES if id_ != "dnd30"])
def test_other_editions_strike_no_cover(edition):
    blow = strike(**BEHIND, coverer=Coverer(14))
    assert resolve(TABLES[edition], blow, Rolls((12,))).struck == "nothing"


# --- Concealment: S004-95 to S004-98, S000-30, S000-31, S000-36, S000-37; flat checks ---


@pytest.mark.parametrize("edition", ["dnd30", "defense", "starfinder1"])
@pytest.mark.parametrize(
    ("percentile", "struck"),
    [pytest.param(20, "nothing", id="S004-96, S000-30"), pytest.param(21, "target", id="S004-95, S000-31")],
)
def test_the_target_rolls_to_be_missed(edition, percentile, struck):
    outcome = resolve(TABLES[edition], strike(miss_chance=20), Rolls((15,), percentile=percentile, damage=(1,)))
    assert outcome.struck == struck
    if edition == "defense":
        assert rules(outcome)["concealment"] == "S000-31"


def test_s000_31_nothing_is_rolled_for_a_miss():
    assert words(resolve(DEFENSE, strike(miss_chance=20), Rolls((14,)))) == ["miss"]


def test_s000_36_s000_37_a_square_in_which_one_thinks_the_target():
    blow = strike(miss_chance=20)
    missed = attack_square(DEFENSE, blow, Rolls((15,), percentile=50), occupied=True)
    assert (missed.struck, rules(missed)["square_occupied"]) == ("nothing", "S000-37")
    hit = attack_square(DEFENSE, blow, Rolls((15,), percentile=51, damage=(3,)), occupied=True)
    assert (hit.struck, hit.damage) == ("target", 3)
    empty = attack_square(DEFENSE, blow, Rolls((20,), (20,), percentile=100, damage=(8, 8)), occupied=False)
    assert (empty.struck, words(empty), rules(empty)["square_empty"]) == ("nothing", ["square_empty"], "S000-36")
    with pytest.raises(QuestionError, match="no attack on a square"):
        attack_square(Dice(), blow, Rolls(), occupied=False)


@pytest.mark.parametrize(("roll", "struck"), [(10, "nothing"), (11, "target")])
def test_pf2_an_attack_on_who_is_hidden_needs_a_flat_check(roll, struck):
    dice = TABLES["pathfinder2"]
    outcome = attack_square(dice, strike(flat_check=5), Rolls((15,), flat_check=roll, damage=(3,)), occupied=True)
    assert outcome.struck == struck


# --- Grapplers: S002-28, S004-21 ---


@pytest.mark.parametrize(
    "edition", [pytest.param("hybrid35", id="S002-28"), pytest.param("dnd30", id="S004-21"), "dnd35"]
)
def test_a_shot_strikes_one_of_the_grapplers_at_random(edition):
    three = ["ogre", "fighter", "rogue"]
    assert [random_grappler(TABLES[edition], "ogre", three, roll) for roll in (1, 2, 3)] == three
    assert grappler_chances(TABLES[edition], "ogre", three) == dict.fromkeys(three, Fraction(1, 3))
    for roll in (None, 0, 4):
        with pytest.raises(QuestionError, match="a roll from 1 to 3"):
            random_grappler(TABLES[edition], "ogre", three, roll)


def test_elsewhere_the_grappler_that_is_aimed_at_is_struck():
    assert random_grappler(TABLES["pathfinder1"], "ogre", ["fighter", "ogre"]) == "ogre"
    assert random_grappler(DND30, "ogre", ["ogre"]) == "ogre"
    for grapplers in (["fighter"], ["ogre", "ogre"]):
        with pytest.raises(QuestionError, match="'ogre' must be one of the grapplers"):
            random_grappler(DND30, "ogre", grapplers, 1)


# --- Evasion: S000-23, S002-40, S004-69, S004-78 ---


@pytest.mark.parametrize(
    ("edition", "evasion", "failed", "saved"),
    [
        pytest.param("dnd30", "improved", 13, 0, id="S004-69, S004-78"),
        pytest.param("defense", "improved", 13, 0, id="S000-23"),
        pytest.param("pathfinder1", "improved", 13, 0, id="pf1"),
        pytest.param("dnd35", "improved", 13, 0, id="35"),
        pytest.param("hybrid35", "improved", 13, 6, id="S002-40, D58"),
        pytest.param("dnd30", "none", 27, 13, id="no evasion"),
    ],
)
def test_evasion(edition, evasion, failed, saved):
    dice = TABLES[edition]
    assert (evasion_damage(dice, 27, evasion, saved=False), evasion_damage(dice, 27, evasion, saved=True)) == (
        failed,
        saved,
    )


def test_evasion_knows_the_editions_words():
    with pytest.raises(QuestionError, match="'improved' is no word for evasion in this edition; known: none"):
        evasion_damage(TABLES["starfinder1"], 10, "improved", saved=True)
    with pytest.raises(QuestionError, match="damage is 0 or more"):
        evasion_damage(DND30, -1, "none", saved=True)


# --- Coup de grace: S002-70 to S002-79 ---


def test_s002_70_s002_72_s002_73_s002_76_a_standard_action():
    outcome = coup_de_grace(HYBRID, strike(strength=3, defense=99), Rolls(damage=(2, 7)), action="standard")
    assert (outcome.hit, outcome.critical, outcome.damage) == (True, True, 15)
    assert (outcome.save_dc, outcome.dies, outcome.provokes) == (25, False, True)
    assert rules(outcome)["coup_de_grace"] == "S002-72"
    assert rules(outcome)["save"] == "S002-73"


@pytest.mark.parametrize("kind", [pytest.param("bow", id="S002-71"), pytest.param("crossbow", id="S002-71: crossbow")])
def test_a_bow_needs_an_adjacent_target(kind):
    blow = strike(replace(BOW, kind=kind))
    assert coup_de_grace(HYBRID, blow, Rolls(damage=(1, 2, 3)), action="standard").damage == 6
    with pytest.raises(QuestionError, match=f"with a {kind} needs a target next to the attacker"):
        coup_de_grace(HYBRID, blow, Rolls(damage=(1, 2, 3)), action="standard", adjacent=False)


def test_s002_70_other_ranged_weapons_do_not_serve_but_reach_does():
    with pytest.raises(QuestionError, match=r"with this weapon \(ranged\)"):
        coup_de_grace(HYBRID, strike(replace(BOW, kind="ranged")), Rolls(), action="standard")
    lance = replace(LONGSWORD, reach=True)
    assert coup_de_grace(HYBRID, strike(lance), Rolls(damage=(1, 1)), action="standard", adjacent=False).hit


def test_s002_74_a_rogue_adds_the_sneak_attack():
    outcome = coup_de_grace(HYBRID, strike(extra="2d6"), Rolls(damage=(4, 5, 6, 1)), action="standard")
    assert (outcome.damage, outcome.save_dc) == (16, 26)


def test_s002_75_a_full_round_action_kills():
    outcome = coup_de_grace(HYBRID, strike(), Rolls(), action="full_round")
    assert (outcome.dies, outcome.save_dc, outcome.damage, outcome.provokes) == (True, None, 0, True)
    assert (outcome.hit, outcome.critical, rules(outcome)["dies"]) == (True, True, "S002-75")


@pytest.mark.parametrize("action", ["standard", "full_round"])
def test_s002_77_not_against_who_is_immune(action):
    with pytest.raises(QuestionError, match="immune to critical hits"):
        coup_de_grace(HYBRID, strike(immune=True), Rolls(damage=(1, 1)), action=action)


def test_s002_78_s002_79_total_concealment_takes_a_full_round_and_does_not_kill():
    with pytest.raises(QuestionError, match="total concealment as the action 'standard'; known: full_round"):
        coup_de_grace(HYBRID, strike(), Rolls(damage=(1, 1)), action="standard", concealed=True)
    outcome = coup_de_grace(HYBRID, strike(miss_chance=50), Rolls(damage=(3, 4)), action="full_round", concealed=True)
    assert (outcome.hit, outcome.critical, outcome.damage, outcome.dies, outcome.save_dc) == (True, True, 7, False, 17)


@pytest.mark.parametrize("edition", ["dnd30", "dnd35", "pathfinder1", "defense"])
def test_elsewhere_it_takes_a_full_round_and_leaves_a_save(edition):
    dice = TABLES[edition]
    outcome = coup_de_grace(dice, strike(), Rolls(damage=(3, 4)), action="full_round")
    assert (outcome.damage, outcome.save_dc, outcome.dies, outcome.provokes) == (7, 17, False, True)
    with pytest.raises(QuestionError, match="as the action 'standard'; known: full_round"):
        coup_de_grace(dice, strike(), Rolls(damage=(3, 4)), action="standard")


def test_starfinders_save_goes_by_the_attackers_level_and_immunity_makes_it_a_plain_hit():
    dice = TABLES["starfinder1"]
    outcome = coup_de_grace(dice, strike(), Rolls(damage=(3, 4)), action="full", level=6)
    assert (outcome.damage, outcome.save_dc, outcome.provokes) == (7, 16, False)
    with pytest.raises(QuestionError, match="needs the attacker's level"):
        coup_de_grace(dice, strike(), Rolls(damage=(3, 4)), action="full")
    outcome = coup_de_grace(dice, strike(immune=True), Rolls(damage=(3,)), action="full", level=6)
    assert (outcome.hit, outcome.critical, outcome.damage, outcome.save_dc) == (True, False, 3, None)


@pytest.mark.parametrize(("hit_points", "dies"), [(16, True), (17, True), (18, False)])
def test_4e_dies_of_half_its_hit_points(hit_points, dies):
    outcome = coup_de_grace(TABLES["dnd4e"], strike(), Rolls((15,)), action="standard", hit_points=hit_points)
    assert (outcome.critical, outcome.damage, outcome.dies) == (True, 8, dies)
    assert not coup_de_grace(TABLES["dnd4e"], strike(), Rolls((14,)), action="standard", hit_points=10).hit
    with pytest.raises(QuestionError, match="needs the target's full hit points"):
        coup_de_grace(TABLES["dnd4e"], strike(), Rolls((15,)), action="standard")


@pytest.mark.parametrize("edition", ["dnd5e", "dnd5e-2024", "pathfinder2"])
def test_there_is_no_coup_de_grace_elsewhere(edition):
    with pytest.raises(QuestionError, match="no coup de grace"):
        coup_de_grace(TABLES[edition], strike(), Rolls(), action="standard")


# --- Other editions' critical hits ---


@pytest.mark.parametrize(
    ("edition", "rolls", "critical", "damage"),
    [
        ("dnd5e", Rolls((20,), damage=(2, 3, 5, 6)), True, 2 + 3 + 4 + 5 + 6),
        ("dnd4e", Rolls((20,)), True, 8 + 4 + 6),
        ("starfinder1", Rolls((20,), damage=(2, 3, 5, 6)), True, 2 + 4 + 3 + 4 + 5 + 6),
        ("pathfinder2", Rolls((20,), damage=(2, 5)), True, 2 * (2 + 4 + 5)),
        ("dnd5e", Rolls((18,), damage=(2, 5)), False, 2 + 4 + 5),
        ("pathfinder2", Rolls((18,), damage=(2, 5)), False, 2 + 4 + 5),
    ],
)
def test_critical_damage(edition, rolls, critical, damage):
    blow = strike(Weapon(parse_dice("1d8+1")), bonus=5, defense=20, strength=3, extra="1d6")
    outcome = resolve(TABLES[edition], blow, rolls)
    assert (outcome.critical, outcome.damage) == (critical, damage)


@pytest.mark.parametrize(
    ("edition", "critical"), [("dnd5e", True), ("dnd5e-2024", True), ("dnd4e", False), ("starfinder1", False)]
)
def test_a_natural_20_whose_total_misses(edition, critical):
    outcome = resolve(TABLES[edition], strike(bonus=0, defense=21), Rolls((20,), damage=(1, 1)))
    assert (outcome.hit, outcome.critical) == (True, critical)
    assert resolve(TABLES[edition], strike(bonus=0, defense=20), Rolls((20,), damage=(1, 1))).critical


@pytest.mark.parametrize(
    ("natural", "bonus", "defense", "hit", "critical"),
    [
        (10, 20, 20, True, True),  # 30 is 10 above
        (9, 20, 20, True, False),
        (20, 0, 20, True, True),  # a hit made critical
        (20, 0, 21, True, False),  # a miss made a hit
        (20, 0, 29, True, False),
        (20, 0, 30, False, False),  # a critical miss made a miss
        (1, 19, 20, False, False),  # a hit made a miss
        (1, 29, 20, True, False),  # a critical hit made a hit
    ],
)
def test_pf2_degrees_of_success(natural, bonus, defense, hit, critical):
    outcome = resolve(TABLES["pathfinder2"], strike(bonus=bonus, defense=defense), Rolls((natural,), damage=(1,)))
    assert (outcome.hit, outcome.critical) == (hit, critical)


def test_5e_every_hit_on_who_cannot_move_is_critical():
    blow = strike(hits_are_critical=True)
    assert resolve(TABLES["dnd5e"], blow, Rolls((15,), damage=(1, 2))).damage == 3
    assert not resolve(TABLES["dnd5e"], replace(blow, immune=True), Rolls((20,), damage=(1,))).critical


@pytest.mark.parametrize(("mode", "hit"), [("advantage", True), ("disadvantage", False)])
def test_the_better_or_the_worse_of_two_d20_counts(mode, hit):
    for faces in ((3, 18), (18, 3)):
        assert resolve(TABLES["dnd5e"], strike(roll=mode), Rolls(faces, damage=(1,))).hit is hit


# --- Rolls and numbers that cannot be ---


@pytest.mark.parametrize(
    ("given", "rolls", "message"),
    [
        ({}, Rolls(), r"the attack roll \(normal\) takes 1 d20, got 0"),
        ({"roll": "advantage"}, Rolls((12,)), r"the attack roll \(advantage\) takes 2 d20, got 1"),
        ({}, Rolls((21,)), "the attack roll is a roll from 1 to 20, got 21"),
        ({}, Rolls((15,)), "the damage die d8 is missing: a roll from 1 to 8"),
        ({}, Rolls((15,), damage=(9,)), "the damage die d8 is a roll from 1 to 8, got 9"),
        ({}, Rolls((20,)), r"the roll that confirms a critical hit \(normal\) takes 1 d20, got 0"),
        ({"miss_chance": 20}, Rolls((15,)), "the d% of the miss chance is missing: a roll from 1 to 100"),
        ({"miss_chance": 20}, Rolls((15,), percentile=0), "the d% of the miss chance is a roll from 1 to 100, got 0"),
        ({"flat_check": 5}, Rolls((15,)), "the flat check is missing"),
    ],
)
def test_a_missing_or_impossible_roll_is_one_clear_error(given, rolls, message):
    with pytest.raises(QuestionError, match=f"^{message}"):
        resolve(DND30, strike(**given), rolls)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: strike(miss_chance=101), "a miss chance is 0 to 100 percent, got 101"),
        (lambda: strike(flat_check=21), "a flat check has a difficulty of 0"),
        (lambda: strike(cover=-4), "the points of cover are 0 or more, got -4"),
        (lambda: strike(roll="lucky"), "a roll is normal, advantage, disadvantage, got 'lucky'"),
        (lambda: strike(hand="left"), "a weapon is in the hand primary, off, both, got 'left'"),
        (lambda: Weapon(DiceSum(), kind="gun"), "'gun' is no kind of weapon; known: melee, bow, crossbow, ranged"),
        (lambda: Coverer(15, dexterity=-1), "the Dexterity and dodge bonuses"),
        (lambda: Weapon(DiceSum(), threat=1), "a threat range begins with 2 to 20, got 1"),
        (lambda: Weapon(DiceSum(), multiplier=0), "a weapon multiplies by 1 to 10, got 0"),
    ],
)
def test_impossible_numbers_are_refused(make, message):
    with pytest.raises(QuestionError, match=message):
        make()


@pytest.mark.parametrize(
    ("text", "dice", "constant"),
    [
        ("2d6+3", ((2, 6),), 3),
        ("d8", ((1, 8),), 0),
        ("1d8 + 2d6 - 1", ((1, 8), (2, 6)), -1),
        ("-2", (), -2),
        ("4", (), 4),
    ],
)
def test_sums_of_dice_are_read(text, dice, constant):
    assert parse_dice(text) == DiceSum(dice, constant)


@pytest.mark.parametrize(
    "text", ["", "d", "2d", "2x6", "1d6-1d4", "1d6++1", "0d6", "1d0", "201d6", "1d1001", "1d6 2", "+", "1d6+", "-1d4"]
)
def test_what_is_no_sum_of_dice_is_refused(text):
    with pytest.raises(QuestionError, match="is no sum of dice"):
        parse_dice(text)


def test_rolls_that_are_not_come_to_are_not_read():
    outcome = resolve(DND30, strike(), Rolls((15,), (99,), 0, 0, (4, 99)))
    assert outcome.damage == 4


def test_an_outcome_tells_its_steps_with_their_rules():
    outcome = resolve(DND30, strike(strength=-1), Rolls((20,), (15,), damage=(4, 6)))
    assert outcome.explain().splitlines() == [
        "natural 20: hits by itself  [S004-49]",
        "20 + 5 = 25 against AC 20: hit  [S004-37]",
        "a threat: the threat range begins at 19  [S004-50]",
        "15 + 5 = 20 against AC 20: critical hit  [S004-52]",
        "damage 4 + 6 - 2 = 8  [S004-54]",
    ]


def test_degrees_change_only_where_there_are_degrees():
    with pytest.raises(msgspec.ValidationError, match="only with critical = 'degrees'"):
        msgspec.convert({"natural_20": "degree"}, Dice)


def test_an_attack_has_the_odds_of_its_square():
    """S000-37 in numbers: half of the hits on an occupied square miss."""
    blow = strike(bonus=9, defense=20, miss_chance=50)
    assert odds(DEFENSE, blow).hit == odds(DEFENSE, replace(blow, miss_chance=0)).hit / 2 == Fraction(1, 4)
