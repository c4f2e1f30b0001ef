"""Checks of the hybrid of the 3.5 rules: what is no cell of a table alone."""

from __future__ import annotations

from traced.registry import Load, traces
from traced.scenes import FAR, NEAR, ONE_LINE, ORIGIN, TWO_LINES, asker, blast, fence, has

ask = asker("hybrid35")

HELPLESS = ("helpless", "paralyzed", "sleeping", "bound", "unconscious")


@traces("S002-3", "S002-62")
def flanking_is_a_bonus_in_melee_only(load: Load) -> None:
    for attack, bonus in (("melee", 2), ("ranged", 0)):
        found = ask(load, "ATB", attack, others={"B": {"side": "a"}})
        assert (found.attack_modifier, found.defense_modifier) == (bonus, 0)
        assert found.values.get("flanked", False) is (attack == "melee")
    assert has(ask(load, "ATB", "melee", others={"B": {"side": "a"}}), "S002-62", "attack", 2)


@traces("S002-62")
def the_partner_is_a_friend_on_the_opposite_side(load: Load) -> None:
    for drawing in ("ATB", ".B. .T. .A.", "..B .T. A.."):
        assert ask(load, drawing, "melee", others={"B": {"side": "a"}}).flanked, drawing
    assert not ask(load, "AT .B", "melee", others={"B": {"side": "a"}}).flanked
    for side in ("b", "neutral", "t"):
        assert not ask(load, "ATB", "melee", others={"B": {"side": side}}).flanked, side
        found = ask(load, "ATB", "melee", others={"B": {"side": side}}, options={"flank_partner": "any_threatener"})
        assert found.flanked, side


@traces("S002-63")
def only_who_threatens_helps(load: Load) -> None:
    for keys in ({"armed": False}, {"conditions": ["stunned"]}, {"conditions": ["unconscious"]}):
        found = ask(load, "ATB", "melee", others={"B": {"side": "a", **keys}})
        assert (found.flanked, found.attack_modifier) == (False, 0), keys
    far = {"B": {"side": "a", "reach": 5}}
    assert not ask(load, "AT.B", "melee", others=far).flanked
    assert ask(load, "AT.B", "melee", others={"B": {"side": "a", "reach": 10}}).flanked


@traces("S002-64")
def reach_0_does_not_flank(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    assert not ask(load, "ATB", "melee", a={"reach": 0}, others=ally).flanked
    assert not ask(load, "ATB", "melee", others={"B": {"side": "a", "reach": 0}}).flanked
    assert ask(load, "ATB", "melee", a={"reach": 5}, others=ally).flanked


@traces("S002-5")
def higher_ground(load: Load) -> None:
    for attack, drawing, bonus in (("melee", NEAR, 1), ("ranged", FAR, 0)):
        for feet, low in ((1, 0), (0, -1), (5, 0)):
            found = ask(load, drawing, attack, a={"elevation": feet}, t={"elevation": low})
            assert (found.attack_modifier, found.defense_modifier) == (bonus, 0), (attack, feet)
        for feet, low in ((0, 0), (0.5, 0), (0, 1)):
            found = ask(load, drawing, attack, a={"elevation": feet}, t={"elevation": low})
            assert found.attack_modifier == 0, (attack, feet)
    assert has(ask(load, NEAR, "melee", a={"elevation": 1}), "S002-5", "attack", 1)
    five = {"higher_ground_ft": "5"}
    assert ask(load, NEAR, "melee", a={"elevation": 4}, options=five).attack_modifier == 0
    assert ask(load, NEAR, "melee", a={"elevation": 5}, options=five).attack_modifier == 1


@traces("S002-6")
def a_shot_while_prone_read_literally(load: Load) -> None:
    literal = {"prone_ranged": "literal"}
    for weapon, number in ((None, -3), ("bow", -3), ("thrown", -3), ("crossbow", 0), ("shuriken", 0)):
        found = ask(load, a={"conditions": ["prone"], "weapon": weapon}, options=literal)
        assert found.can_attack, weapon
        assert (found.attack_modifier, found.defense_modifier) == (number, 0), weapon
    assert ask(load, NEAR, "melee", a={"conditions": ["prone"]}, options=literal).attack_modifier == -4
    unusable = ask(load, a={"conditions": ["prone"], "weapon": "bow"})
    assert not unusable.can_attack
    assert any("crossbow" in note and "shuriken" in note for note in unusable.notes)
    assert not ask(load, a={"conditions": ["prone"], "weapon": "bow"}, options={"prone_ranged": "unusable"}).can_attack


@traces("S002-9")
def an_entangled_attacker_may_lose_more(load: Load) -> None:
    for attack, drawing in (("melee", NEAR), ("ranged", FAR)):
        found = ask(load, drawing, attack, a={"conditions": ["entangled"], "dexterity": 3})
        assert found.attack_modifier == -2
        assert any("Dexterity" in note for note in found.notes), attack


@traces("S002-10")
def an_invisible_attacker_takes_the_dexterity_bonus(load: Load) -> None:
    for attack, drawing in (("melee", NEAR), ("ranged", FAR)):
        for dexterity, change in ((3, -3), (0, 0), (-2, 0)):
            found = ask(load, drawing, attack, a={"conditions": ["invisible"]}, t={"dexterity": dexterity})
            assert (found.attack_modifier, found.defense_modifier) == (2, change), (attack, dexterity)
            assert found.loses_dexterity


@traces("S002-11")
def no_bonus_for_an_invisible_attacker_against_the_blinded(load: Load) -> None:
    for attack, drawing in (("melee", NEAR), ("ranged", FAR)):
        found = ask(load, drawing, attack, a={"conditions": ["invisible"]}, t={"conditions": ["blinded"]})
        assert (found.attack_modifier, found.defense_modifier) == (0, -2), attack


@traces("S002-19")
def a_grappling_attacker_is_another_matter(load: Load) -> None:
    both = {"conditions": ["grappling"], "dexterity": 3}
    found = ask(load, NEAR, "melee", a=both, t=both)
    assert (found.defense_modifier, found.loses_dexterity) == (0, False)
    held = ask(load, NEAR, "melee", a={"conditions": ["pinned"]}, t=both)
    assert held.defense_modifier == 0
    assert ask(load, NEAR, "melee", t=both).defense_modifier == -3


@traces("S002-28", "S002-29")
def a_shot_into_a_grapple_strikes_one_by_chance(load: Load) -> None:
    keys = {"conditions": ["grappling"], "dexterity": 3}
    found = ask(load, t=keys)
    assert (found.defense_modifier, found.loses_dexterity) == (-3, True)
    assert any("random" in note for note in found.notes)
    assert not any("random" in note for note in ask(load, NEAR, "melee", t=keys).notes)
    assert not any("random" in note for note in ask(load).notes)


@traces("S002-26")
def only_a_bonus_can_be_lost(load: Load) -> None:
    for word in ("blinded", "cowering", "stunned", "flat-footed"):
        found = [ask(load, t={"conditions": [word], "dexterity": dex}) for dex in (4, 1, 0, -3)]
        base = found[2].defense_modifier
        assert [one.defense_modifier - base for one in found] == [-4, -1, 0, 0], word
        assert all(one.loses_dexterity for one in found), word


@traces("S002-27")
def dexterity_4_less_is_a_modifier_2_less(load: Load) -> None:
    for dexterity in (5, 0, -2):
        found = ask(load, t={"conditions": ["entangled"], "dexterity": dexterity})
        assert found.defense_modifier == -2
        assert has(found, "S002-27", "defense", -2)


@traces("S002-30", "S002-68", "S002-69")
def dexterity_0_is_a_modifier_of_minus_5(load: Load) -> None:
    for word in ("helpless", "pinned"):
        for dexterity in (6, 0, -5):
            found = ask(load, t={"conditions": [word], "dexterity": dexterity})
            assert found.defense_modifier == -5 - dexterity, (word, dexterity)


@traces("S002-69")
def dexterity_0_by_option_adds_nothing_to_the_4(load: Load) -> None:
    option = {"helpless_dex": "only_four"}
    assert ask(load, NEAR, "melee", t={"conditions": ["helpless"]}, options=option).defense_modifier == -4
    assert ask(load, NEAR, "melee", t={"conditions": ["helpless"]}).defense_modifier == -9
    assert ask(load, t={"conditions": ["helpless"]}, options=option).defense_modifier == 0


@traces("S002-31", "S002-69")
def rogues_sneak_attack_the_helpless_and_the_pinned(load: Load) -> None:
    for attack, drawing in (("melee", NEAR), ("ranged", FAR)):
        for word in (*HELPLESS, "pinned"):
            assert ask(load, drawing, attack, t={"conditions": [word]}).sneak_attack, word
        for word in ("kneeling", "prone", "squeezing", "entangled"):
            assert not ask(load, drawing, attack, t={"conditions": [word]}).sneak_attack, word
        assert not ask(load, drawing, attack).sneak_attack


@traces("S002-65", "S002-66", "S002-67", "S002-68")
def helpless_is_who_is_at_the_attackers_mercy(load: Load) -> None:
    for word in HELPLESS:
        keys = {"conditions": [word], "dexterity": 3}
        melee, ranged = ask(load, NEAR, "melee", t=keys), ask(load, t=keys)
        assert (melee.defense_modifier, ranged.defense_modifier) == (-4 - 8, -8), word
        assert has(melee, "S002-20", "defense", -4)
        assert not any(one.rule == "S002-20" and one.on == "defense" and one.value for one in ranged.modifiers)
        assert melee.loses_dexterity and ranged.loses_dexterity  # noqa: PT018


@traces("S002-32")
def the_degree_is_the_game_masters(load: Load) -> None:
    for drawing, degree, number in ((ONE_LINE, "1/4", 2), (TWO_LINES, "1/2", 4)):
        found = ask(load, drawing)
        assert (found.cover, found.defense_modifier) == (degree, number)
        assert any("game master" in note for note in found.notes)
    for word in ("1/4", "1/2", "3/4", "9/10"):
        assert any("game master" in note for note in ask(load, NEAR, walls=fence(word)).notes), word
    said = ask(load, ONE_LINE, overrides=[{"target": "T", "degree": "3/4", "note": "the pillar is a statue"}])
    assert (said.cover, said.defense_modifier) == ("3/4", 6)
    assert any("the pillar is a statue" in note for note in said.notes)
    assert not any("game master" in note for note in ask(load).notes)


@traces("S002-33", "S002-34", "S002-35", "S002-36")
def degrees_by_how_much_stands_before_the_body(load: Load) -> None:
    """Knees, waist, chest and a small part of a human of 6 ft."""
    for top, degree, number in ((1.5, "1/4", 2), (3, "1/2", 4), (4.5, "3/4", 6), (5.4, "9/10", 8), (1, "none", 0)):
        found = ask(load, "AkT", legend={"k": {"kind": "low wall", "top": top}})
        assert (found.cover, found.defense_modifier) == (degree, number), top


@traces("S002-37")
def full_cover_leaves_nothing_to_attack(load: Load) -> None:
    for attack in ("ranged", "melee"):
        found = ask(load, "A#T", attack, a={"reach": 10})
        assert (found.cover, found.can_attack, found.defense_modifier) == ("total", False, 0)
        assert found.can_hide
    for word in ("1/4", "1/2", "3/4", "9/10"):
        assert ask(load, NEAR, walls=fence(word)).can_attack


@traces("S002-38", "S002-39")
def the_save_is_helped_against_an_area(load: Load) -> None:
    for word, save in (("1/4", 0), ("1/2", 0), ("3/4", 2), ("9/10", 4)):
        found = blast(ask, load, word)
        assert (found.save_modifier, found.save) == (save, "reflex"), word


@traces("S002-40")
def improved_evasion_in_words_of_its_own(load: Load) -> None:
    found = ask(load, NEAR, walls=fence("9/10"))
    assert found.evasion == "improved"
    assert any("quarter" in note and "half" in note for note in found.notes)
    assert ask(load, NEAR, walls=fence("3/4")).evasion == "none"


@traces("S002-42", "S002-43")
def stealth_wants_half_cover_or_concealment(load: Load) -> None:
    hides = {word: ask(load, NEAR, walls=fence(word)).can_hide for word in ("1/4", "1/2", "3/4", "9/10")}
    assert hides == {"1/4": False, "1/2": True, "3/4": True, "9/10": True}
    assert not ask(load).can_hide
    assert ask(load, "A.bT").can_hide


@traces("S002-44", "S002-45", "S002-46")
def creatures_cover_against_shots(load: Load) -> None:
    for side in ("a", "t", "b", "neutral"):
        found = ask(load, "ABT", others={"B": {"side": side}})
        assert (found.cover, found.soft, found.defense_modifier) == ("soft", True, 4), side
        assert (found.save_modifier, found.can_hide, found.stealth_modifier) == (0, False, 0), side
        assert has(found, "S002-44", "defense", 4)
        reach = ask(load, "ABT", "melee", a={"reach": 10}, others={"B": {"side": side}})
        assert (reach.cover, reach.defense_modifier) == ("none", 0)
    blasted = ask(load, ".... ABT. ....", "area", others={"B": {"side": "b"}}, **ORIGIN)
    assert blasted.save_modifier == 0


@traces("S002-47", "S002-48")
def the_attackers_size_shifts_the_degree(load: Load) -> None:
    low_wall = {"w": {"kind": "low wall", "top": 3}}
    for size, drawing, degree, number in (
        ("medium", "AwT", "1/2", 4),
        ("small", "AwT", "3/4", 6),
        ("tiny", "AwT", "9/10", 8),
        ("fine", "AwT", "9/10", 8),
    ):
        found = ask(load, drawing, a={"size": size, "height": 6}, legend=low_wall)
        assert (found.cover, found.defense_modifier) == (degree, number), size
    for mark, size, word, degree in (
        (2, "large", "1/2", "1/4"),
        (3, "huge", "1/2", "none"),
        (2, "large", "9/10", "3/4"),
        (2, "large", "1/4", "none"),
        (3, "huge", "9/10", "1/2"),
        (4, "gargantuan", "9/10", "1/4"),
    ):
        rows = [("A" * mark + "kT") if y == 0 else ("A" * mark + "k.") for y in range(mark)]
        fences = {"k": {"kind": "fence", "cover": word}}
        found = ask(load, " ".join(rows), a={"size": size}, legend=fences)
        assert found.cover == degree, (size, word)
    assert ask(load, "AkT", a={"size": "small"}, legend={"k": {"kind": "fence", "cover": "9/10"}}).cover == "9/10"
    assert ask(load, "A.T", a={"size": "tiny"}).cover == "none"


@traces("S002-47")
def the_attackers_size_counts_from_medium_or_from_the_target_or_not(load: Load) -> None:
    low_wall = {"w": {"kind": "fence", "cover": "1/2"}}
    small = {"a": {"size": "small"}, "legend": low_wall}
    degrees = {
        way: [
            ask(load, "AwT", options={"size_shift": way}, t={"size": size}, **small).cover
            for size in ("medium", "small")
        ]
        for way in ("medium", "target", "off")
    }
    assert degrees == {"medium": ["3/4", "3/4"], "target": ["3/4", "1/2"], "off": ["1/2", "1/2"]}


@traces("S002-49")
def concealment_is_the_game_masters_and_the_attackers_point_of_view(load: Load) -> None:
    others = {"B": {"side": "a"}}
    seen, hidden = (ask(load, "A.bT.B", pair=(one, "T"), others=others) for one in "BA")
    assert (seen.concealment, hidden.concealment) == ("none", "concealed")
    assert any("game master" in note for note in hidden.notes)


@traces("S002-50")
def fog_darkness_and_invisibility_conceal(load: Load) -> None:
    assert ask(load, light="dark").concealment == "total"
    assert ask(load, light="dim").concealment == "concealed"
    assert ask(load, "A.fT").concealment == "concealed"
    assert ask(load, t={"conditions": ["invisible"]}).concealment == "total"
    assert ask(load, NEAR, "melee", t={"conditions": ["invisible"]}).concealment == "total"
    assert ask(load).concealment == "none"


@traces("S002-51")
def for_a_blinded_attacker_all_is_concealed(load: Load) -> None:
    for attack, drawing in (("melee", NEAR), ("ranged", FAR)):
        for options, degree, numbers in (
            ({}, "total", (4, 4)),
            ({"blind_attacker": "total"}, "total", (4, 4)),
            ({"blind_attacker": "concealed"}, "concealed", (2, 0)),
        ):
            found = ask(load, drawing, attack, a={"conditions": ["blinded"]}, options=options)
            assert found.concealment == degree, (attack, options)
            assert (found.defense_modifier, found.save_modifier) == numbers, (attack, options)
            assert found.can_attack


@traces("S002-53")
def concealment_adds_to_cover_and_not_to_concealment(load: Load) -> None:
    assert ask(load, "AbbT").defense_modifier == 2
    assert ask(load, "A.bT", light="dim").defense_modifier == 2
    found = ask(load, "A.bT", walls=fence("1/2"))
    assert (found.cover, found.concealment, found.defense_modifier) == ("1/2", "concealed", 6)
    assert ask(load, "ABbT", others={"B": {"side": "b"}}).defense_modifier == 6


@traces("S002-55", "S002-56")
def line_of_effect_without_sight_is_total_concealment(load: Load) -> None:
    curtain = [{"start": (2, 0), "end": (2, 1), "kind": "curtain"}]
    for attack, drawing, reach in (("ranged", FAR, 5), ("melee", "A.T", 10)):
        found = ask(load, drawing, attack, a={"reach": reach}, walls=curtain)
        assert (found.line_of_effect, found.line_of_sight, found.concealment) == (True, False, "total")
        assert (found.defense_modifier, found.save_modifier) == (4, 4)
        assert found.miss_chance == 0
        assert has(found, "S002-56", "defense", 4)
        assert has(found, "S002-56", "save", 4)


@traces("S002-58")
def darkness_does_not_conceal_from_darkvision(load: Load) -> None:
    for light in ("dim", "dark"):
        assert ask(load, a={"senses": {"darkvision": 60}}, light=light).concealment == "none"
        assert ask(load, a={"senses": {"darkvision": 10}}, light=light).concealment != "none"
    assert ask(load, a={"senses": {"darkvision": 60}}, t={"conditions": ["invisible"]}).concealment == "total"
    assert ask(load, "A.fT", a={"senses": {"darkvision": 60}}, light="dark").concealment == "concealed"


@traces("S002-59")
def low_light_vision_sees_farther_by_the_same_light(load: Load) -> None:
    torch = {"lights": [{"at": (0.5, 0.5), "bright": 10, "dim": 20}], "light": "dark"}
    seen = {
        low: [
            ask(load, f"A{'.' * (n - 1)}T", a={"senses": {"low_light": low}}, **torch).concealment
            for n in (2, 4, 5, 8, 9)
        ]
        for low in (False, True)
    }
    assert seen == {
        False: ["none", "concealed", "total", "total", "total"],
        True: ["none", "none", "concealed", "concealed", "total"],
    }


@traces("S002-60", "S002-61")
def the_invisible_hide_well_and_can_be_noticed(load: Load) -> None:
    still, moving = (ask(load, t={"conditions": words}) for words in (["invisible"], ["invisible", "moving"]))
    for found, stealth in ((still, 40), (moving, 20)):
        assert (found.concealment, found.stealth_modifier, found.can_hide) == ("total", stealth, True)
        assert any("Perception" in note for note in found.notes)
        assert any(one.rule.startswith("S002-61") and one.on == "stealth" for one in found.modifiers)
    assert ask(load, t={"conditions": ["moving"]}).stealth_modifier == 0


@traces("S002-14", "S002-16", "S002-25")
def circumstances_of_one_creature_add_up(load: Load) -> None:
    """No table says that they do not; what is lost once cannot be lost again."""
    keys = {"conditions": ["blinded", "prone"], "dexterity": 3}
    assert ask(load, NEAR, "melee", t=keys).defense_modifier == -2 - 4 - 3
    twice = {"conditions": ["blinded", "flat-footed"], "dexterity": 3}
    assert ask(load, NEAR, "melee", t=twice).defense_modifier == -2 - 3
    both = ask(load, NEAR, "melee", a={"conditions": ["shaken", "frightened"]})
    assert both.attack_modifier == -2


@traces("S002-26", "S002-27")
def a_lower_dexterity_has_less_to_lose(load: Load) -> None:
    for dexterity, change in ((4, -4), (3, -3), (2, -2), (1, -2), (-1, -2)):
        found = ask(load, t={"conditions": ["entangled", "flat-footed"], "dexterity": dexterity})
        assert found.defense_modifier == change, dexterity
