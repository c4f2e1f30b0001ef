"""Checks of the Pathfinder variant with Defense: what is no cell of a table alone."""

from __future__ import annotations

from traced.registry import Load, traces
from traced.scenes import FAR, NEAR, ONE_LINE, ORIGIN, TWO_LINES, WIDE, asker, blast, curtain, fence, has

ask = asker("defense")

OTHER = {"B": {"side": "b"}}
DARKVISION = {"senses": {"darkvision": 60}}
LOW_WALL = {"w": {"kind": "low wall", "top": 3}}


def numbers(found):
    return found.cover, found.attack_modifier, found.defense_modifier, found.save_modifier


def says(found, *words):
    """Return whether one note has all the words."""
    return any(all(word in note for word in words) for note in found.notes)


@traces("S000-2")
def circumstances_change_the_attack_or_the_defense(load: Load) -> None:
    covered = ask(load, NEAR, walls=fence("standard"), t={"conditions": ["blinded"]})
    assert (covered.attack_modifier, covered.defense_modifier, covered.net_modifier) == (-4, -2, -2)
    assert {(one.on, one.value) for one in covered.modifiers if one.kept} >= {("attack", -4), ("defense", -2)}


@traces("S000-3")
def what_the_core_rulebook_says_of_armour_class_is_said_of_defense(load: Load) -> None:
    table = load("defense").table
    assert "Defense" in table.name
    for word in ("blinded", "kneeling", "prone"):
        found = ask(load, NEAR, "melee", t={"conditions": [word]})
        assert {one.on for one in found.modifiers} == {"defense"}, word
    for rule in table.rules.values():
        assert "armour class" not in rule.text.lower()
        assert "AC" not in rule.text.split()


@traces("S000-4")
def the_attacker_picks_the_corner_of_his_square(load: Load) -> None:
    pillar = ask(load, ".T. .#. A..")
    assert (pillar.cover, pillar.blocked_lines, pillar.proof.corner) == ("partial", 1, (0, 2))
    clear = ask(load, "A.T ##.")
    assert (clear.cover, clear.blocked_lines, clear.attack_modifier) == ("none", 0, 0)
    assert clear.proof.corner[1] == 0  # from the lower corners the lines would cross the wall
    peek = ask(load, "..T A#. ...")
    assert (peek.cover, peek.blocked_lines, peek.proof.corner) == ("none", 0, (0, 1))


@traces("S000-5", "S000-6", "S000-14", "S000-52")
def any_line_through_a_square_a_border_or_a_creature_is_cover(load: Load) -> None:
    assert numbers(ask(load, TWO_LINES)) == ("cover", -4, 0, 2)
    border = [{"start": (2, 1), "end": (2, 2), "kind": "wall"}]
    assert numbers(ask(load, "A.. ..T", walls=border)) == ("partial", -2, 0, 1)
    assert ask(load, "A..T", walls=[{"start": (2, 0), "end": (2, 1), "kind": "wall"}]).cover == "total"
    assert numbers(ask(load, "A.k.T", legend={"k": {"kind": "fence"}})) == ("cover", -4, 0, 2)
    assert numbers(ask(load, FAR, walls=fence("standard", 2))) == ("cover", -4, 0, 2)
    assert numbers(ask(load, "ABT", others=OTHER)) == ("soft", 0, 0, 0)
    assert numbers(ask(load)) == ("none", 0, 0, 0)


@traces("S000-6")
def soft_cover_costs_4_by_option_only(load: Load) -> None:
    assert ask(load, "ABT", others=OTHER).attack_modifier == 0
    assert ask(load, "ABT", others=OTHER, options={"soft_penalty": "-4"}).attack_modifier == -4
    assert has(ask(load, TWO_LINES), "S000-6", "attack", -4)


@traces("S000-7")
def the_game_master_may_rule_a_shot_out(load: Load) -> None:
    for word in ("standard", "improved"):
        assert says(ask(load, FAR, walls=fence(word)), "game master", "impossible"), word
    assert not ask(load, TWO_LINES, overrides=[{"target": "T", "veto": True}]).can_attack
    assert not says(ask(load), "impossible")


@traces("S000-8")
def the_game_master_judges_adjacent_melee(load: Load) -> None:
    found = ask(load, "A# .T", "melee")
    assert numbers(found) == ("cover", -4, 0, 2)
    for word in ("partial", "standard", "improved"):
        assert says(ask(load, NEAR, "melee", walls=fence(word)), "game master", "adjacent"), word
    assert not says(ask(load, NEAR, "melee"), "adjacent")
    assert not says(ask(load, TWO_LINES), "adjacent")


@traces("S000-9")
def reach_uses_the_procedure_of_shots(load: Load) -> None:
    spear = {"reach": 10, "reach_min": 5}
    for drawing in ("A.. .#T", "A.T ##.", "A#. ..T", "A.T"):
        melee, ranged = (ask(load, drawing, attack, a=spear) for attack in ("melee", "ranged"))
        assert (melee.cover, melee.blocked_lines, melee.proof.corner) == (
            ranged.cover, ranged.blocked_lines, ranged.proof.corner,
        ), drawing  # fmt: skip
        assert melee.attack_modifier == ranged.attack_modifier
    assert ask(load, "ABT", "melee", a=spear, others=OTHER).cover == "soft"


@traces("S000-10")
def a_low_obstacle_covers_within_30_feet(load: Load) -> None:
    for squares, cover in ((1, "cover"), (6, "cover"), (7, "none")):
        drawing = f"A{'.' * 9}w{'.' * (squares - 1)}T"
        found = ask(load, drawing, legend=LOW_WALL)
        assert found.cover == cover, squares
    high = {"w": {"kind": "low wall", "top": 3.5}}
    assert ask(load, f"A{'.' * 9}w{'.' * 6}T", legend=high).cover == "cover"


@traces("S000-11")
def a_closer_attacker_ignores_a_low_obstacle(load: Load) -> None:
    for drawing, cover in (
        ("Aw.T", "none"),
        ("A.w..T", "none"),
        ("A.w.T", "cover"),
        ("A..w.T", "cover"),
        ("AwT", "cover"),
    ):
        found = ask(load, drawing, legend=LOW_WALL)
        assert (found.cover, found.attack_modifier) == (cover, -4 if cover == "cover" else 0), drawing


@traces("S000-7", "S000-12", "S000-34")
def total_cover(load: Load) -> None:
    for attack in ("ranged", "melee"):
        found = ask(load, "A#T", attack, a={"reach": 10})
        assert numbers(found) == ("total", 0, 0, 0), attack
        assert (found.can_attack, found.can_hide) == (False, True), attack
        assert not found.values.get("opportunity", False)
    forced = ask(load, NEAR, "melee", walls=fence("total"), overrides=[{"target": "T", "force": True}])
    assert (forced.can_attack, forced.opportunity) == (True, False)


@traces("S000-12", "S000-13")
def cover_forbids_attacks_of_opportunity(load: Load) -> None:
    assert ask(load, NEAR, "melee").opportunity
    for word in ("partial", "standard", "improved"):
        assert not ask(load, NEAR, "melee", walls=fence(word)).opportunity, word
    assert not ask(load, "A# .T", "melee").opportunity
    reach = {"reach": 10}
    soft = ask(load, "ABT", "melee", a=reach, others=OTHER)
    assert (soft.cover, soft.opportunity) == ("soft", True)
    assert says(soft, "game master", "opportunity")
    assert not ask(load, "ABT", "melee", a=reach, others=OTHER, options={"soft_cover_blocks_aoo": "yes"}).opportunity


@traces("S000-14", "S000-15", "S000-16")
def creatures_are_soft_cover(load: Load) -> None:
    for side in ("a", "t", "b", "neutral"):
        found = ask(load, "ABT", others={"B": {"side": side}})
        assert numbers(found) == ("soft", 0, 0, 0), side
        assert (found.soft, found.can_hide, found.stealth_modifier) == (True, False, 0), side
    blasted = ask(load, ".... ABT. ....", "area", others=OTHER, **ORIGIN)
    assert blasted.save_modifier == 0


@traces("S000-17", "S000-19", "S000-18", "S000-20")
def partial_cover_is_less_than_half_hidden(load: Load) -> None:
    found = ask(load, ONE_LINE)
    assert numbers(found) == ("partial", -2, 0, 1)
    assert has(found, "S000-17", "attack", -2)
    assert has(found, "S000-19", "save", 1)
    assert says(found, "partial cover", "game master", "possible")
    assert not ask(load, ONE_LINE, overrides=[{"target": "T", "veto": True}]).can_attack
    assert numbers(ask(load, ONE_LINE, options={"partial": "off"})) == ("cover", -4, 0, 2)
    assert blast(ask, load, "partial").save_modifier == 1


@traces("S000-17")
def the_lower_penalty_is_for_shots(load: Load) -> None:
    spear = {"reach": 10}
    melee = {"as_ranged": -2, "as_cover": -4, "none": 0}
    for option, number in melee.items():
        said = {"options": {"partial_penalty_vs_reach": option}}
        assert ask(load, ONE_LINE, "melee", a=spear, **said).attack_modifier == number, option
        assert ask(load, ONE_LINE, "ranged", a=spear, **said).attack_modifier == -2, option


@traces("S000-21", "S000-22", "S000-23", "S000-24")
def an_arrow_slit_doubles_the_cover(load: Load) -> None:
    found = ask(load, "A.s.T")
    assert numbers(found) == ("improved", -8, 0, 4)
    assert (found.stealth_modifier, found.evasion, found.can_hide) == (10, "improved", True)
    assert has(found, "S000-22", "attack", -8)
    assert has(found, "S000-24", "stealth", 10)
    plain = ask(load, TWO_LINES)
    assert (plain.stealth_modifier, plain.evasion) == (0, "none")
    for word, save, evasion in (("partial", 1, "none"), ("standard", 2, "none"), ("improved", 4, "improved")):
        blasted = blast(ask, load, word)
        assert (blasted.save_modifier, blasted.evasion) == (save, evasion), word
    behind = blast(ask, load, "improved", origin=(2, 1))
    assert (behind.save_modifier, behind.evasion) == (0, "none")


@traces("S000-25", "S000-26")
def concealment_by_lines_from_a_corner_of_the_attacker(load: Load) -> None:
    assert ask(load, "A.bT").concealment == "concealed"
    assert ask(load, "A..b T...").concealment == "none"
    assert ask(load, "A.T bb.").concealment == "none"
    assert ask(load, "A.. .bT").concealment == "concealed"
    assert ask(load, "bA.T").concealment == "none"


@traces("S000-27")
def adjacent_melee_wants_the_whole_space_concealed(load: Load) -> None:
    mist = ask(load, NEAR, "melee", brush=[(1, 0)])
    assert (mist.concealment, mist.miss_chance) == ("concealed", 20)
    assert ask(load, NEAR, "melee", brush=[(0, 0)]).concealment == "none"
    ogre = "ATT .TT"
    assert ask(load, ogre, "melee", brush=[(1, 0), (1, 1)]).concealment == "none"
    assert ask(load, ogre, "melee", brush=[(1, 0), (1, 1), (2, 0)]).concealment == "none"
    assert ask(load, ogre, "melee", brush=[(1, 0), (1, 1), (2, 0), (2, 1)]).concealment == "concealed"


@traces("S000-28")
def reach_uses_the_procedure_of_shots_for_concealment(load: Load) -> None:
    for drawing in ("AbT", "A.T bb.", "A.. .bT", "bAT"):
        melee, ranged = (ask(load, drawing, attack, a={"reach": 10}).concealment for attack in ("melee", "ranged"))
        if drawing != "bAT":
            assert melee == ranged, drawing
    assert ask(load, "AbT", "melee", a={"reach": 10}).concealment == "concealed"


@traces("S000-29", "S000-43")
def invisibility_conceals_whatever_lies_between(load: Load) -> None:
    unseen = {"conditions": ["invisible"]}
    for attack, drawing, keys in (
        ("melee", NEAR, {}),
        ("ranged", NEAR, {}),
        ("ranged", FAR, {}),
        ("melee", "A.T", {"reach": 10}),
        ("ranged", FAR, DARKVISION),
    ):
        found = ask(load, drawing, attack, a=keys, t=unseen)
        assert (found.concealment, found.miss_chance) == ("total", 50), (attack, drawing)
        assert says(found, "Perception"), (attack, drawing)
    assert ask(load).concealment == "none"


@traces("S000-30")
def a_fifth_of_the_hits_miss_by_concealment(load: Load) -> None:
    found = ask(load, "A.bT")
    assert (found.miss_chance, found.attack_modifier, found.defense_modifier) == (20, 0, 0)
    assert has(found, "S000-30", "miss_chance", 20)


@traces("S000-32")
def concealment_does_not_add_up(load: Load) -> None:
    assert ask(load, "AbbT").miss_chance == 20
    assert ask(load, "A.bT", light="dim").miss_chance == 20
    assert ask(load, "A.bT", light="dark").miss_chance == 50


@traces("S000-33", "S000-34")
def stealth_wants_concealment_or_cover(load: Load) -> None:
    assert ask(load, "A.bT").can_hide
    assert ask(load, light="dim").can_hide
    assert not ask(load).can_hide
    for word in ("partial", "standard", "improved"):
        assert ask(load, NEAR, walls=fence(word)).can_hide, word


@traces("S000-35", "S000-36", "S000-37", "S000-39")
def line_of_effect_without_sight_is_total_concealment(load: Load) -> None:
    for attack, drawing, reach in (("ranged", FAR, 5), ("melee", NEAR, 5), ("melee", "A.T", 10)):
        found = ask(load, drawing, attack, a={"reach": reach}, walls=curtain())
        assert (found.line_of_effect, found.line_of_sight, found.concealment) == (True, False, "total"), attack
        assert (found.can_attack, found.miss_chance) == (False, 50), attack
        assert says(found, "square")
        assert has(found, "S000-37", "miss_chance", 50)
        assert not found.values.get("opportunity", False)
        if attack == "melee":
            assert ask(load, drawing, attack, a={"reach": reach}).opportunity
    assert ask(load, FAR, walls=curtain(), options={"total_conceal_targetable": "yes"}).can_attack
    assert ask(load, FAR, a={"conditions": ["blinded"]}).concealment == "total"


@traces("S000-38")
def areas_do_not_miss_by_concealment(load: Load) -> None:
    found = ask(load, WIDE, "area", walls=curtain(height=3), **ORIGIN)
    assert (found.can_attack, found.miss_chance) == (True, 0)
    both = [*curtain(1, 3), *fence("improved", 2, 3)]
    covered = ask(load, WIDE, "area", walls=both, **ORIGIN)
    assert (covered.save_modifier, covered.evasion, covered.miss_chance) == (4, "improved", 0)


@traces("S000-39")
def the_unseen_are_safe_from_attacks_of_opportunity(load: Load) -> None:
    for options in ({}, {"total_conceal_targetable": "yes"}):
        found = ask(load, NEAR, "melee", t={"conditions": ["invisible"]}, options=options)
        assert (found.opportunity, found.can_attack) == (False, bool(options))
    assert not ask(load, NEAR, "melee", light="dark").opportunity
    assert ask(load, NEAR, "melee", a=DARKVISION, light="dark").opportunity


@traces("S000-41")
def darkness_does_not_conceal_from_darkvision(load: Load) -> None:
    for light, degree in (("dim", "concealed"), ("dark", "total")):
        assert ask(load, light=light).concealment == degree
        assert ask(load, a=DARKVISION, light=light).concealment == "none"
        assert ask(load, a={"senses": {"darkvision": 10}}, light=light).concealment == degree
    assert ask(load, "A.bT", a=DARKVISION, light="dark").concealment == "concealed"


@traces("S000-42")
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


@traces("S000-44")
def the_invisible_hide_well(load: Load) -> None:
    for words, stealth in ((["invisible"], 40), (["invisible", "moving"], 20), (["moving"], 0), ([], 0)):
        found = ask(load, t={"conditions": words})
        assert found.stealth_modifier == stealth, words
        assert found.can_hide is bool(stealth), words


@traces("S000-45")
def the_game_master_may_change_the_miss_chance(load: Load) -> None:
    assert says(ask(load, "A.bT"), "game master", "miss chance")
    assert not says(ask(load), "miss chance")


@traces("S000-46")
def flanking_is_a_bonus_in_melee(load: Load) -> None:
    for drawing in ("ATB", ".B. .T. .A.", "..B .T. A.."):
        found = ask(load, drawing, "melee", others={"B": {"side": "a"}})
        assert (found.flanked, found.attack_modifier, found.defense_modifier) == (True, 2, 0), drawing
        assert has(found, "S000-46", "attack", 2)
    assert ask(load, "ATB", "ranged", others={"B": {"side": "a"}}).attack_modifier == 0
    for side in ("t", "b", "neutral"):
        found = ask(load, "ATB", "melee", others={"B": {"side": side}})
        assert (found.flanked, found.attack_modifier) == (False, 0), side
        found = ask(load, "ATB", "melee", others={"B": {"side": side}}, options={"flank_partner": "any_threatener"})
        assert (found.flanked, found.attack_modifier) == (True, 2), side


@traces("S000-47", "S000-48")
def the_line_between_the_centres_passes_opposite_borders(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    for drawing, flanked in (
        ("..B .T. A..", True),  # corner to corner
        (".B. .T. A..", False),
        ("A.. .T. .B.", False),
        ("AT .B", False),
        ("AB. .T. ...", False),
    ):
        found = ask(load, drawing, "melee", others=ally)
        assert found.flanked is flanked, drawing
    knight = ask(load, "A.... ..T.. ....B", "melee", a={"reach": 10}, others={"B": {"side": "a", "reach": 10}})
    assert knight.flanked  # from the west border to the east border
    steep = ask(load, "A.. ... .T. ... ..B", "melee", a={"reach": 10}, others={"B": {"side": "a", "reach": 10}})
    assert steep.flanked  # from the north border to the south border
    for option, flanked in (("yes", True), ("no", False)):  # from the end of the west border to the east border
        said = {"flank_corners_inclusive": option}
        found = ask(load, "A... ..TB", "melee", a={"reach": 10}, others=ally, options=said)
        assert found.flanked is flanked, option


@traces("S000-49")
def any_square_of_a_big_flanker_counts(load: Load) -> None:
    """The lowest of the giant's western squares stands opposite; its centre is too far north."""
    giant = {"B": {"side": "a"}}
    drawing = "..BBBB ..BBBB ..BBBB ATBBBB"
    assert ask(load, drawing, "melee", others=giant).flanked
    assert ask(load, drawing, "melee", pair=("B", "T"), others=giant).attack_modifier == 2
    assert not ask(load, drawing, "melee", others=giant, options={"flank_anchor": "centre"}).flanked
    assert not ask(load, "..B AT.", "melee", others=giant).flanked


@traces("S000-50")
def only_who_threatens_helps(load: Load) -> None:
    for keys in ({"armed": False}, {"conditions": ["stunned"]}, {"conditions": ["unconscious"]}):
        found = ask(load, "ATB", "melee", others={"B": {"side": "a", **keys}})
        assert (found.flanked, found.attack_modifier) == (False, 0), keys
    assert not ask(load, "AT.B", "melee", others={"B": {"side": "a", "reach": 5}}).flanked
    assert ask(load, "AT.B", "melee", others={"B": {"side": "a", "reach": 10}}).flanked
    wall = [{"start": (2, 0), "end": (2, 1), "kind": "wall"}]
    assert not ask(load, "ATB", "melee", others={"B": {"side": "a"}}, walls=wall).flanked


@traces("S000-51")
def reach_0_does_not_flank(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    assert not ask(load, "ATB", "melee", a={"reach": 0}, others=ally).flanked
    assert not ask(load, "ATB", "melee", others={"B": {"side": "a", "reach": 0}}).flanked
    assert ask(load, "ATB", "melee", others=ally).flanked


@traces("S000-52", "S000-54")
def cover_and_concealment_are_no_defense_modifiers(load: Load) -> None:
    for keys in ({"walls": fence("standard")}, {"walls": fence("improved")}, {"t": {"conditions": ["invisible"]}}):
        found = ask(load, NEAR, **keys)
        assert found.defense_modifier == 0, keys
    assert ask(load, "A.bT").defense_modifier == 0


@traces("S000-65")
def only_a_bonus_can_be_lost(load: Load) -> None:
    for word, number in (("blinded", -2), ("cowering", -2), ("stunned", -2), ("flat-footed", 0)):
        found = [ask(load, t={"conditions": [word], "dexterity": dexterity}) for dexterity in (4, 1, 0, -3)]
        assert [one.defense_modifier - number for one in found] == [-4, -1, 0, 0], word
        assert has(found[0], "S000-65", "defense", -4)


@traces("S000-66")
def dexterity_4_less_is_a_modifier_2_less(load: Load) -> None:
    for dexterity in (5, 0, -2):
        found = ask(load, t={"conditions": ["entangled"], "dexterity": dexterity})
        assert found.defense_modifier == -2
        assert has(found, "S000-66", "defense", -2)


@traces("S000-67")
def dexterity_0_is_a_modifier_of_minus_5(load: Load) -> None:
    for dexterity in (6, 0, -5):
        helpless = {"conditions": ["helpless"], "dexterity": dexterity}
        assert ask(load, t=helpless).defense_modifier == -5 - dexterity
        assert ask(load, NEAR, "melee", t=helpless).defense_modifier == -9 - dexterity
        pinned = {"conditions": ["pinned"], "dexterity": dexterity}
        assert ask(load, NEAR, "melee", t=pinned).defense_modifier == -9 - dexterity
        assert ask(load, t=pinned).defense_modifier == 0
    option = {"helpless_dex": "only_four"}
    assert ask(load, NEAR, "melee", t={"conditions": ["helpless"]}, options=option).defense_modifier == -4


@traces("S000-68")
def the_game_master_sets_the_penalty_against_shots(load: Load) -> None:
    for word, option, number in (
        ("prone", "prone_ranged", 4),
        ("squeezing", "squeezing_ranged", -4),
        ("pinned", "pinned_ranged", 0),
    ):
        keys = {"conditions": [word]}
        for options in ({}, {option: "gm"}):
            found = ask(load, t=keys, options=options)
            assert found.defense_modifier == 0, word
            assert says(found, "game master"), word
        other = ask(load, t=keys, options={option: "pathfinder1"})
        assert other.defense_modifier == number, word
        lost = ask(load, t={**keys, "dexterity": 3}, options={option: "pathfinder1"})
        assert lost.defense_modifier == (-3 if word == "pinned" else number), word
        melee = ask(load, NEAR, "melee", t=keys, options={option: "pathfinder1"})
        assert melee.defense_modifier == (-9 if word == "pinned" else -4), word


@traces("S000-53", "S000-62")
def circumstances_of_one_creature_add_up(load: Load) -> None:
    """No table says that they do not; what is lost once cannot be lost again."""
    for words, number in ((["blinded", "prone"], -2 - 4 - 3), (["blinded", "flat-footed"], -2 - 3)):
        assert ask(load, NEAR, "melee", t={"conditions": words, "dexterity": 3}).defense_modifier == number, words


@traces("S000-65", "S000-66")
def a_lower_dexterity_has_less_to_lose(load: Load) -> None:
    for dexterity, change in ((4, -4), (3, -3), (2, -2), (1, -2), (-1, -2)):
        found = ask(load, t={"conditions": ["entangled", "flat-footed"], "dexterity": dexterity})
        assert found.defense_modifier == change, dexterity
