"""Checks of the dice: what comes of an attack with given rolls, by the table ``[dice]`` of an edition."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from traced.registry import Load, fills, traces
from traced.rows import TABLES

from gridlos.errors import QuestionError
from gridlos.rules.dice import (
    evasion_damage,
    grappler_chances,
    is_light,
    random_grappler,
    strength_damage,
    two_weapon_penalties,
)
from gridlos.rules.resolve import attack_square, coup_de_grace, resolve
from gridlos.rules.strike import Coverer, Outcome, Rolls, Strike, Swing, Weapon, parse_dice, unarmed_strike

SWORD = Weapon(parse_dice("1d8"))
RAPIER = Weapon(parse_dice("1d6"), threat=18)
AXE = Weapon(parse_dice("1d8"), multiplier=3)


def sword(**keys: Any) -> Swing:
    """Return a swing of the plain sword."""
    return Swing(**{"weapon": SWORD, **keys})


def struck(
    dice: Any,
    *attack: int,
    damage: tuple[int, ...] = (),
    swing: Swing | None = None,
    percentile: int | None = None,
    confirmation: tuple[int, ...] = (),
    **strike: Any,
) -> Outcome:
    """Return what comes of an attack at +5 against AC 15 with these rolls."""
    made = Strike(**{"swing": swing or sword(), "bonus": 5, "defense": 15, **strike})
    return resolve(dice, made, Rolls(attack=attack, confirmation=confirmation, percentile=percentile, damage=damage))


def is_refused(ask: Callable[[], object]) -> bool:
    """Return whether that is no question of this edition."""
    try:
        ask()
    except QuestionError:
        return True
    return False


def rules_of(outcome: Outcome) -> set[str]:
    return {step.rule for step in outcome.steps}


# --- Pathfinder variant with Defense


@traces("S000-23", "S000-38")
def defense_improved_evasion(load: Load) -> None:
    dice = load("defense").table.dice
    assert [evasion_damage(dice, 20, "improved", saved=saved) for saved in (True, False)] == [0, 10]
    assert [evasion_damage(dice, 20, "none", saved=saved) for saved in (True, False)] == [10, 20]


@traces("S000-30", "S000-31")
def defense_the_defender_rolls_after_a_hit(load: Load) -> None:
    dice = load("defense").table.dice
    missed = struck(dice, 10, percentile=20, miss_chance=20)
    assert (missed.struck, missed.damage) == ("nothing", 0)
    hit = struck(dice, 10, percentile=21, damage=(6,), miss_chance=20)
    assert (hit.struck, hit.damage) == ("target", 6)
    assert "S000-31" in rules_of(hit)
    assert struck(dice, 9, miss_chance=20).struck == "nothing", "a miss asks for no d%"
    assert is_refused(lambda: struck(dice, 10, damage=(6,), miss_chance=20))


@traces("S000-36", "S000-37")
def defense_an_attack_on_a_square(load: Load) -> None:
    dice = load("defense").table.dice
    strike = Strike(sword(), bonus=5, defense=15, miss_chance=20)

    def at_square(percentile: int, *, occupied: bool) -> Outcome:
        rolls = Rolls(attack=(10,), percentile=percentile, damage=(6,))
        return attack_square(dice, strike, rolls, occupied=occupied)

    assert at_square(100, occupied=False).struck == "nothing"
    assert at_square(50, occupied=True).struck == "nothing"
    assert at_square(51, occupied=True).struck == "target"
    assert attack_square(dice, strike, Rolls(attack=(9,)), occupied=True).struck == "nothing"


# --- hybrid of the 3.5 rules


@traces("S002-28")
def hybrid_one_grappler_by_chance(load: Load) -> None:
    dice, three = load("hybrid35").table.dice, ["a", "b", "c"]
    assert [random_grappler(dice, "a", three, roll) for roll in (1, 2, 3)] == three
    assert {float(3 * chance) for chance in grappler_chances(dice, "a", three).values()} == {1}


@traces("S002-31", "S002-69", "S002-74")
def hybrid_a_sneak_attack_adds_its_dice(load: Load) -> None:
    dice, sneak = load("hybrid35").table.dice, sword(extra=parse_dice("2d6"))
    assert struck(dice, 15, damage=(4, 3, 6), swing=sneak).damage == 13
    blow = coup_de_grace(dice, Strike(sneak, 5, 15), Rolls(damage=(4, 5, 3, 6)), action="standard")
    assert (blow.damage, blow.critical, blow.save_dc) == (4 + 5 + 3 + 6, True, 10 + 18)


@traces("S002-40")
def hybrid_improved_evasion(load: Load) -> None:
    dice = load("hybrid35").table.dice
    assert [evasion_damage(dice, 40, "improved", saved=saved) for saved in (True, False)] == [10, 20]


def _blow(load: Load, weapon: Weapon = SWORD, **keys: Any) -> Outcome:
    said = {"action": "standard", **keys}
    strike = Strike(Swing(weapon, strength=2), bonus=5, defense=30, immune=said.pop("immune", False))
    faces = said.pop("damage", (4, 5))
    return coup_de_grace(load("hybrid35").table.dice, strike, Rolls(damage=faces), **said)


@traces("S002-70", "S002-71")
def hybrid_with_what_one_gives_the_death_blow(load: Load) -> None:
    bow, crossbow, thrown = (Weapon(parse_dice("1d8"), kind=kind) for kind in ("bow", "crossbow", "ranged"))
    assert _blow(load).hit
    for weapon in (bow, crossbow):
        assert _blow(load, weapon, adjacent=True).hit
        assert is_refused(partial(_blow, load, weapon, adjacent=False))
    assert is_refused(partial(_blow, load, thrown))
    assert is_refused(partial(_blow, load, action="move"))


@traces("S002-72", "S002-73")
def hybrid_the_death_blow_is_a_critical_hit_and_a_save(load: Load) -> None:
    found = _blow(load)
    assert (found.hit, found.critical, found.damage) == (True, True, 4 + 2 + 5 + 2)
    assert (found.save_dc, found.dies) == (10 + 13, False)


@traces("S002-75")
def hybrid_a_full_round_kills(load: Load) -> None:
    found = _blow(load, action="full_round", damage=())
    assert (found.dies, found.save_dc, found.damage) == (True, None, 0)


@traces("S002-76")
def hybrid_the_death_blow_provokes(load: Load) -> None:
    for action in ("standard", "full_round"):
        assert _blow(load, action=action).provokes
    assert not struck(load("hybrid35").table.dice, 15, damage=(4,)).provokes


@traces("S002-77")
def hybrid_no_death_blow_against_the_immune(load: Load) -> None:
    for action in ("standard", "full_round"):
        assert is_refused(partial(_blow, load, action=action, immune=True))


@traces("S002-78", "S002-79")
def hybrid_the_unseen_take_a_full_round(load: Load) -> None:
    assert is_refused(partial(_blow, load, action="standard", concealed=True))
    found = _blow(load, action="full_round", concealed=True)
    assert (found.hit, found.critical, found.damage, found.dies, found.save_dc) == (True, True, 13, False, 23)


# --- System Reference Document 3.0


@traces("S004-21", "S004-22")
def srd_one_grappler_by_chance(load: Load) -> None:
    dice, three = load("dnd30").table.dice, ["a", "b", "c"]
    assert [random_grappler(dice, "a", three, roll) for roll in (1, 2, 3)] == three
    assert {float(3 * chance) for chance in grappler_chances(dice, "a", three).values()} == {1}


@traces("S004-18", "S004-26", "S004-55")
def srd_extra_dice_are_rolled_once(load: Load) -> None:
    dice, sneak = load("dnd30").table.dice, sword(extra=parse_dice("2d6"), strength=1)
    assert struck(dice, 15, damage=(4, 3, 6), swing=sneak).damage == 14
    critical = struck(dice, 20, confirmation=(10,), damage=(4, 5, 3, 6), swing=sneak)
    assert (critical.critical, critical.damage) == (True, 4 + 1 + 5 + 1 + 3 + 6)


@traces("S004-27", "S004-28")
def srd_two_weapons(load: Load) -> None:
    found = two_weapon_penalties(load("dnd30").table.dice)
    assert (found.primary, found.off_hand, found.extra_attacks) == (-6, -10, 1)


@traces("S004-30", "S004-33", "S004-34")
def srd_what_makes_two_weapons_cheaper(load: Load) -> None:
    dice = load("dnd30").table.dice
    cases = {
        (True, ()): (-4, -8),
        (False, ("ambidexterity",)): (-6, -6),
        (False, ("two_weapon_fighting",)): (-4, -8),
        (True, ("ambidexterity", "two_weapon_fighting")): (-2, -2),
    }
    for (light, feats), penalties in cases.items():
        found = two_weapon_penalties(dice, light=light, feats=feats)
        assert (found.primary, found.off_hand) == penalties, (light, feats)


@traces("S004-31", "S004-32", "S004-47")
def srd_light_weapons(load: Load) -> None:
    assert [is_light(size, "medium") for size in ("tiny", "small", "medium", "large")] == [True, True, False, False]
    assert not is_light("small", "small")
    dice = load("dnd30").table.dice
    for size in ("small", "medium"):
        fist = unarmed_strike(dice, size)
        assert fist.light
        found = two_weapon_penalties(dice, light=fist.light)
        assert (found.primary, found.off_hand) == (-4, -8)


@traces("S004-35", "S004-36")
def srd_double_weapons(load: Load) -> None:
    dice = load("dnd30").table.dice
    found = two_weapon_penalties(dice, double=True)
    assert (found.primary, found.off_hand, found.extra_attacks) == (-4, -8, 1)
    assert found == two_weapon_penalties(dice, light=True)


@traces("S004-37", "S004-38", "S004-39")
def srd_a_hit_reaches_the_armor_class_and_does_its_damage(load: Load) -> None:
    dice = load("dnd30").table.dice
    for natural, hit in ((9, False), (10, True), (11, True)):
        found = struck(dice, natural, damage=(6,))
        assert (found.hit, found.damage) == (hit, 6 if hit else 0), natural
        assert found.takes_damage == ("target" if hit else "nobody")
        assert "S004-37" in rules_of(found)
    assert [struck(dice, 15, damage=(face,)).damage for face in (1, 8)] == [1, 8]
    assert is_refused(lambda: struck(dice, 15, damage=(9,)))


@traces("S004-40")
def srd_a_hit_does_at_least_1(load: Load) -> None:
    dice = load("dnd30").table.dice
    assert [struck(dice, 15, damage=(face,), swing=sword(strength=-3)).damage for face in (1, 3, 4, 5)] == [1, 1, 1, 2]


@traces("S004-41", "S004-42", "S004-43")
def srd_strength_by_hands(load: Load) -> None:
    dice = load("dnd30").table.dice
    for hand, light, added in (
        ("primary", False, (1, 2, 3, 4)),
        ("off", False, (0, 1, 1, 2)),
        ("both", False, (1, 3, 4, 6)),
        ("both", True, (1, 2, 3, 4)),
    ):
        found = tuple(strength_damage(dice, strength, hand=hand, light=light) for strength in (1, 2, 3, 4))
        assert found == added, (hand, light)
        swing = Swing(Weapon(parse_dice("1d8"), light=light), hand=hand, strength=4)
        assert struck(dice, 15, damage=(5,), swing=swing).damage == 5 + added[3]


@traces("S004-44", "S004-45", "S004-46")
def srd_bare_hands(load: Load) -> None:
    dice = load("dnd30").table.dice
    for size, faces in (("medium", (3,)), ("small", (2,))):
        fist = unarmed_strike(dice, size)
        assert (fist.damage.faces, fist.subdual) == (faces, True), size
        found = struck(dice, 15, damage=(2,), swing=Swing(fist, strength=2))
        assert (found.damage, found.subdual) == (4, True)
    assert not struck(dice, 15, damage=(2,)).subdual


@traces("S004-48")
def srd_bare_hands_that_mean_it(load: Load) -> None:
    dice = load("dnd30").table.dice
    fist = Swing(unarmed_strike(dice, "medium"), normal_damage=True)
    for natural, hit in ((13, False), (14, True)):
        assert struck(dice, natural, damage=(2,), swing=fist).hit is hit, natural
    assert not struck(dice, 14, damage=(2,), swing=fist).subdual
    assert is_refused(lambda: sword(normal_damage=True))


@traces("S004-49", "S004-50")
def srd_natural_20(load: Load) -> None:
    dice = load("dnd30").table.dice
    found = struck(dice, 20, confirmation=(1,), damage=(5,), defense=60)
    assert (found.hit, found.critical) == (True, False)
    assert {step.word for step in found.steps} >= {"natural_20", "threat"}
    assert is_refused(lambda: struck(dice, 20, damage=(5,), defense=60)), "a threat asks for a second roll"


@traces("S004-51", "S004-52", "S004-53")
def srd_a_second_roll_with_the_same_modifiers(load: Load) -> None:
    dice = load("dnd30").table.dice
    for second, critical in ((9, False), (10, True)):
        found = struck(dice, 20, confirmation=(second,), damage=(4, 5))
        assert (found.hit, found.critical) == (True, critical), second
        assert found.damage == (9 if critical else 4)
    fist = Swing(unarmed_strike(dice, "medium"), normal_damage=True)
    assert not struck(dice, 20, confirmation=(13,), damage=(1, 1), swing=fist).critical
    assert struck(dice, 20, confirmation=(14,), damage=(1, 1), swing=fist).critical


@traces("S004-54", "S004-59", "S004-60")
def srd_a_critical_hit_is_rolled_several_times_with_all_modifiers(load: Load) -> None:
    dice = load("dnd30").table.dice
    twice = struck(dice, 20, confirmation=(15,), damage=(4, 5), swing=sword(strength=3, bonus_damage=1))
    assert twice.damage == (4 + 3 + 1) + (5 + 3 + 1)
    thrice = struck(dice, 20, confirmation=(15,), damage=(4, 5, 6), swing=Swing(AXE, strength=3))
    assert thrice.damage == 4 + 5 + 6 + 9


@traces("S004-56", "S004-57", "S004-58")
def srd_wide_threat_ranges(load: Load) -> None:
    dice, thin = load("dnd30").table.dice, Swing(RAPIER)
    for natural, threat in ((17, False), (18, True), (19, True), (20, True)):
        found = struck(dice, natural, confirmation=(15,), damage=(4, 5), swing=thin)
        assert (found.hit, found.critical) == (True, threat), natural
    for natural, hit in ((19, False), (20, True)):
        found = struck(dice, natural, confirmation=(15,), damage=(4, 5), swing=thin, defense=40)
        assert (found.hit, found.critical) == (hit, False), natural
        assert any(step.word == "threat" for step in found.steps) is hit


@traces("S004-69", "S004-78")
def srd_improved_evasion(load: Load) -> None:
    dice = load("dnd30").table.dice
    assert [evasion_damage(dice, 20, "improved", saved=saved) for saved in (True, False)] == [0, 10]
    assert [evasion_damage(dice, 20, "none", saved=saved) for saved in (True, False)] == [10, 20]


@traces("S004-73")
def srd_the_haft_does_no_damage(load: Load) -> None:
    dice = load("dnd30").table.dice
    spear = Swing(Weapon(parse_dice("1d8"), reach=True))
    covered = {"defense": 19, "cover": 4, "coverer": Coverer(defense=14)}
    found = struck(dice, 12, damage=(6,), swing=spear, **covered)
    assert (found.struck, found.damage, found.takes_damage) == ("coverer", 0, "nobody")
    assert "S004-73" in rules_of(found)
    assert struck(dice, 12, damage=(6,), **covered).damage == 6


@traces("S004-80", "S004-81")
def srd_the_cover_is_struck(load: Load) -> None:
    """AC 15, one-half cover: 19. At +5, 10 to 13 hit the cover, less nothing, more the target."""
    dice = load("dnd30").table.dice
    found = [struck(dice, natural, damage=(6,), defense=19, cover=4).struck for natural in (9, 10, 13, 14)]
    assert found == ["nothing", "cover", "cover", "target"]
    assert struck(dice, 13, defense=19).struck == "nothing"


@traces("S004-83")
def srd_who_gives_the_cover_is_struck(load: Load) -> None:
    dice = load("dnd30").table.dice
    for armor, who, damage in ((14, "coverer", 6), (16, "coverer", 6), (17, "cover", 0), (18, "cover", 0)):
        found = struck(dice, 12, damage=(6,), defense=19, cover=4, coverer=Coverer(defense=armor))
        assert (found.struck, found.damage) == (who, damage), armor
    assert struck(dice, 9, defense=19, cover=4, coverer=Coverer(defense=5)).struck == "nothing"
    assert struck(dice, 14, damage=(6,), defense=19, cover=4, coverer=Coverer(defense=5)).struck == "target"


@traces("S004-84", "S004-85", "S004-86")
def srd_who_gives_the_cover_dodges_or_does_not_want_to(load: Load) -> None:
    dice = load("dnd30").table.dice
    for coverer, who in (
        (Coverer(defense=18, dexterity=4), "target"),
        (Coverer(defense=18, dodge=4), "target"),
        (Coverer(defense=18, dexterity=1, dodge=1), "target"),
        (Coverer(defense=18, dexterity=1), "cover"),
        (Coverer(defense=18, dexterity=4, waives_dexterity=True), "coverer"),
        (Coverer(defense=18, dodge=4, waives_dodge=True), "coverer"),
        (Coverer(defense=18, dexterity=1, dodge=1, waives_dexterity=True, waives_dodge=True), "coverer"),
        (Coverer(defense=18, dexterity=1, dodge=1, waives_dodge=True), "target"),
    ):
        found = struck(dice, 12, damage=(6,), defense=19, cover=4, coverer=coverer)
        assert (found.struck, found.damage) == (who, 0 if who == "cover" else 6), coverer


@traces("S004-95", "S004-96")
def srd_the_defender_rolls_after_a_hit(load: Load) -> None:
    dice = load("dnd30").table.dice
    for chance in (10, 50):
        missed = struck(dice, 10, percentile=chance, miss_chance=chance)
        hit = struck(dice, 10, percentile=chance + 1, damage=(6,), miss_chance=chance)
        assert (missed.struck, hit.struck) == ("nothing", "target"), chance
    assert struck(dice, 9, miss_chance=20).struck == "nothing"
    assert "S004-96" in rules_of(struck(dice, 10, percentile=1, miss_chance=10))


# --- what the core rulebooks say of dice where a source is silent


def check_core_damage(entry: dict[str, Any], load: Load) -> None:
    """What a hit of one edition does."""
    dice = load(entry["edition"]).table.dice
    least = struck(dice, 15, damage=(1,), swing=sword(strength=-9)).damage
    assert least == entry["least_damage"]
    ways = (("off", False), ("both", False), ("both", True))
    assert [strength_damage(dice, 4, hand=hand, light=light) for hand, light in ways] == entry["strength"]
    for word, left in entry["evasion"].items():
        assert [evasion_damage(dice, 40, word, saved=saved) for saved in (True, False)] == left, word
    for size, faces in entry["unarmed"].items():
        fist = unarmed_strike(dice, size)
        assert (fist.damage.dice, fist.damage.constant, fist.subdual) == (((1, faces),), 0, True), size
    fist = Swing(unarmed_strike(dice, "medium"), normal_damage=True)
    needed = 10 - entry["unarmed_to_normal"]
    assert [struck(dice, natural, damage=(1,), swing=fist).hit for natural in (needed - 1, needed)] == [False, True]


def check_core_attacks(entry: dict[str, Any], load: Load) -> None:
    """Two weapons, a guessed square and the death blow of one edition."""
    dice = load(entry["edition"]).table.dice
    for key, numbers in entry.get("two_weapons", {}).items():
        feats = () if key in ("plain", "light") else (key,)
        found = two_weapon_penalties(dice, light=key == "light", feats=feats)
        assert [found.primary, found.off_hand, found.extra_attacks] == numbers, key
    if "guessed_square" in entry:
        chance = entry["guessed_square"]
        for percentile, who in ((chance, "nothing"), (chance + 1, "target")):
            rolls = Rolls(attack=(15,), percentile=percentile, damage=(5,))
            assert attack_square(dice, Strike(sword(), 5, 15), rolls, occupied=True).struck == who
    blow, rolls = entry["death_blow"], Rolls(damage=(4, 5))
    found = coup_de_grace(dice, Strike(sword(), 5, 15), rolls, action=blow["action"], level=7)
    assert found.save_dc == blow["save_dc"]


for core in TABLES["core_dice"]:
    for check in (check_core_damage, check_core_attacks):
        name = f"core rulebook: dice, {check.__name__.removeprefix('check_core_')}"
        fills(core["edition"], name, partial(check, core))
