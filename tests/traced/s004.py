"""Checks of the System Reference Document 3.0: what is no cell of a table alone."""

from __future__ import annotations

from traced.registry import Load, traces
from traced.rows import ROW_BY_ID, check_row
from traced.scenes import FAR, NEAR, ONE_LINE, ORIGIN, TWO_LINES, WIDE, asker, blast, curtain, fence, has

ask = asker("dnd30")

DEGREES = {"1/4": (2, 1), "1/2": (4, 2), "3/4": (7, 3), "9/10": (10, 4)}
"""Degree of cover to what it adds to AC and to Reflex saves."""


@traces("S004-1")
def the_adjustments_are_for_every_kind_of_attack(load: Load) -> None:
    for row in ("S004-6", "S004-8", "S004-11"):
        check_row("dnd30", ROW_BY_ID[row], load)


@traces("S004-2", "S004-17")
def flanking(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    for drawing in ("ATB", ".B. .T. .A.", "..B .T. A.."):
        found = ask(load, drawing, "melee", others=ally)
        assert (found.flanked, found.attack_modifier, found.defense_modifier) == (True, 2, 0), drawing
        assert has(found, "S004-2", "attack", 2)
    assert ask(load, "ATB", "ranged", others=ally).attack_modifier == 0
    assert not ask(load, "AT .B", "melee", others=ally).flanked
    for keys in ({"side": "b"}, {"side": "a", "armed": False}, {"side": "a", "conditions": ["stunned"]}):
        found = ask(load, "ATB", "melee", others={"B": keys})
        assert (found.flanked, found.attack_modifier) == (False, 0), keys


@traces("S004-18")
def rogues_sneak_attack_whom_they_flank(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    assert ask(load, "ATB", "melee", others=ally).sneak_attack
    assert not ask(load, "AT .B", "melee", others=ally).sneak_attack
    assert not ask(load, "ATB", "ranged", others=ally).sneak_attack


@traces("S004-3")
def higher_ground(load: Load) -> None:
    for attack, drawing, bonus in (("melee", NEAR, 1), ("ranged", FAR, 0)):
        for feet, low in ((1, 0), (0, -1), (5, 0)):
            found = ask(load, drawing, attack, a={"elevation": feet}, t={"elevation": low})
            assert (found.attack_modifier, found.defense_modifier) == (bonus, 0), (attack, feet)
        for feet, low in ((0, 0), (0.5, 0), (0, 1)):
            found = ask(load, drawing, attack, a={"elevation": feet}, t={"elevation": low})
            assert found.attack_modifier == 0, (attack, feet)
    assert has(ask(load, NEAR, "melee", a={"elevation": 1}), "S004-3", "attack", 1)
    five = {"higher_ground_ft": "5"}
    assert ask(load, NEAR, "melee", a={"elevation": 4}, options=five).attack_modifier == 0
    assert ask(load, NEAR, "melee", a={"elevation": 5}, options=five).attack_modifier == 1


@traces("S004-9")
def a_climbers_shield_is_of_no_use(load: Load) -> None:
    for attack, drawing in (("melee", NEAR), ("ranged", FAR)):
        found = ask(load, drawing, attack, t={"conditions": ["climbing"], "shield": 3, "dexterity": 2})
        assert (found.attack_modifier, found.defense_modifier) == (2, -5), attack
        assert ask(load, drawing, attack, t={"shield": 3}).defense_modifier == 0


@traces("S004-8", "S004-10", "S004-13")
def circumstances_of_one_creature_add_up(load: Load) -> None:
    """No table says that they do not; what is lost once cannot be lost again."""
    found = ask(load, NEAR, "melee", t={"conditions": ["stunned", "prone", "flat-footed"], "dexterity": 3})
    assert (found.attack_modifier, found.defense_modifier) == (2 + 4, -3)
    both = ask(load, NEAR, "melee", t={"conditions": ["stunned", "cowering"]})
    assert both.attack_modifier == 2


@traces("S004-12")
def a_grappling_attacker_is_another_matter(load: Load) -> None:
    both = {"conditions": ["grappling"], "dexterity": 3}
    found = ask(load, NEAR, "melee", a=both, t=both)
    assert (found.defense_modifier, found.loses_dexterity) == (0, False)
    held = ask(load, NEAR, "melee", a={"conditions": ["pinned"]}, t=both)
    assert held.defense_modifier == 0
    assert ask(load, NEAR, "melee", t=both).defense_modifier == -3


@traces("S004-21", "S004-22")
def a_shot_into_a_grapple_strikes_one_by_chance(load: Load) -> None:
    keys = {"conditions": ["grappling"], "dexterity": 3}
    found = ask(load, t=keys)
    assert (found.attack_modifier, found.defense_modifier, found.loses_dexterity) == (0, -3, True)
    assert any("random" in note for note in found.notes)
    assert not any("random" in note for note in ask(load, NEAR, "melee", t=keys).notes)
    assert not any("random" in note for note in ask(load).notes)


@traces("S004-20")
def only_a_bonus_can_be_lost(load: Load) -> None:
    for row in ("S004-8", "S004-9", "S004-10", "S004-11", "S004-12", "S004-13"):
        for word in ROW_BY_ID[row]["each"]:
            found = [ask(load, t={"conditions": [word], "dexterity": dex}).defense_modifier for dex in (4, 1, 0, -3)]
            assert found == [-4, -1, 0, 0], word
    for dexterity, change in ((4, -4), (-1, 0)):
        found = ask(load, a={"conditions": ["invisible"]}, t={"dexterity": dexterity})
        assert found.defense_modifier == change


@traces("S004-16", "S004-23", "S004-24", "S004-25", "S004-26")
def the_helpless(load: Load) -> None:
    for word in ("helpless", "paralyzed", "sleeping", "bound", "unconscious"):
        melee, ranged = (
            ask(load, drawing, attack, t={"conditions": [word], "dexterity": 3})
            for attack, drawing in (("melee", NEAR), ("ranged", FAR))
        )
        assert (melee.attack_modifier, melee.defense_modifier) == (4, -8), word
        assert (ranged.attack_modifier, ranged.defense_modifier) == (0, -8), word
        assert any((one.on, one.value, one.type) == ("attack", 4, "circumstance") for one in melee.modifiers)
        assert melee.sneak_attack
        assert ranged.sneak_attack
    for dexterity in (6, 0, -5):
        found = ask(load, t={"conditions": ["helpless"], "dexterity": dexterity})
        assert found.defense_modifier == -5 - dexterity


@traces("S004-26")
def dexterity_0_by_option_adds_nothing_to_the_4(load: Load) -> None:
    option = {"helpless_dex": "only_four"}
    found = ask(load, NEAR, "melee", t={"conditions": ["helpless"]}, options=option)
    assert (found.attack_modifier, found.defense_modifier) == (4, 0)
    assert ask(load, NEAR, "melee", t={"conditions": ["helpless"]}).defense_modifier == -5


@traces("S004-4", "S004-19")
def a_shot_while_prone_is_explained(load: Load) -> None:
    found = ask(load, a={"conditions": ["prone"], "weapon": "bow"})
    assert not found.can_attack
    assert any("crossbow" in note for note in found.notes)


@traces("S004-61")
def the_game_master_judges_which_adjustments_apply(load: Load) -> None:
    said = ask(load, overrides=[{"target": "T", "degree": "1/2", "note": "a cart stands there"}])
    assert (said.cover, said.defense_modifier, said.save_modifier) == ("1/2", 4, 2)
    assert any("a cart stands there" in note for note in said.notes)
    for words in (["stunned"], ["climbing"], ["surprised"], ["running"]):
        found = ask(load, t={"conditions": words})
        assert any("game master" in note for note in found.notes), words
    assert any("game master" in note for note in ask(load, NEAR, "melee", a={"elevation": 5}).notes)
    assert not ask(load, overrides=[{"target": "T", "veto": True, "note": "too dark"}]).can_attack
    assert ask(load, "A#T", overrides=[{"target": "T", "force": True, "note": "a gap"}]).can_attack


@traces("S004-62", "S004-63")
def more_cover_is_a_greater_bonus(load: Load) -> None:
    found = [ask(load, NEAR, walls=fence(word)) for word in DEGREES]
    bonuses = [one.defense_modifier for one in found]
    assert bonuses == [2, 4, 7, 10]
    assert [one.save_modifier for one in found] == [1, 2, 3, 4]
    assert all(any((m.on, m.type) == ("defense", "cover") for m in one.modifiers) for one in found)
    assert ask(load).defense_modifier == 0


@traces("S004-68")
def total_cover_has_no_numbers(load: Load) -> None:
    for attack in ("ranged", "melee"):
        found = ask(load, "A#T", attack, a={"reach": 10})
        assert (found.cover, found.can_attack, found.can_hide) == ("total", False, True)
        assert (found.defense_modifier, found.save_modifier, found.attack_modifier) == (0, 0, 0)


@traces("S004-70")
def half_cover_forbids_attacks_of_opportunity(load: Load) -> None:
    allowed = {word: ask(load, NEAR, "melee", walls=fence(word)).opportunity for word in DEGREES}
    assert allowed == {"1/4": True, "1/2": False, "3/4": False, "9/10": False}
    assert ask(load, NEAR, "melee").opportunity
    assert not ask(load, "ABT", "melee", a={"reach": 10}, others={"B": {"side": "b"}}).opportunity
    total = ask(load, NEAR, "melee", walls=fence("total"), overrides=[{"target": "T", "force": True}])
    assert (total.can_attack, total.opportunity) == (True, False)


@traces("S004-71", "S004-72")
def a_combatant_covers_who_stands_behind_him_from_reach(load: Load) -> None:
    for side in ("a", "t", "b"):
        found = ask(load, "ABT", "melee", a={"reach": 10, "reach_min": 5}, others={"B": {"side": side}})
        assert (found.cover, found.soft, found.defense_modifier) == ("1/2", True, 4), side
        assert any(one.value == 4 and one.on == "defense" for one in found.modifiers)
        assert any("size" in note for note in found.notes)
    none = ask(load, "A.T", "melee", a={"reach": 10, "reach_min": 5})
    assert (none.cover, none.defense_modifier) == ("none", 0)
    not_so = ask(load, "ABT", "melee", a={"reach": 10}, others={"B": {}}, options={"soft_cover_vs_reach": "not"})
    assert not_so.cover == "none"
    assert ask(load, "ABT", others={"B": {"side": "b"}}).cover == "1/2"


@traces("S004-74", "S004-75", "S004-76")
def the_degree_of_cover_is_the_game_masters(load: Load) -> None:
    for drawing, degree in ((ONE_LINE, "1/4"), (TWO_LINES, "1/2")):
        found = ask(load, drawing)
        assert (found.cover, found.defense_modifier, found.save_modifier) == (degree, *DEGREES[degree])
        assert any("game master" in note for note in found.notes)
        for said, (defense, save) in DEGREES.items():
            assert any("game master" in note for note in ask(load, NEAR, walls=fence(said)).notes), said
            other = ask(load, drawing, overrides=[{"target": "T", "degree": said}])
            assert (other.cover, other.defense_modifier, other.save_modifier) == (said, defense, save)
    assert not any("game master" in note for note in ask(load).notes)


@traces("S004-77", "S004-79")
def the_save_is_helped_against_an_area_from_beyond(load: Load) -> None:
    for word, (_, save) in DEGREES.items():
        for spread in (False, True):
            found = blast(ask, load, word, spread=spread)
            assert (found.save_modifier, found.save) == (save, "reflex"), (word, spread)
        beside = blast(ask, load, word, origin=(2, 1))
        assert beside.save_modifier == 0, "it comes from this side of the cover"
    assert ask(load, WIDE, "area", **ORIGIN).save_modifier == 0


@traces("S004-69", "S004-78", "S004-79")
def nine_tenths_is_improved_evasion(load: Load) -> None:
    for spread in (False, True):
        assert blast(ask, load, "9/10", spread=spread).evasion == "improved"
        assert blast(ask, load, "3/4", spread=spread).evasion == "none"
    assert ask(load, WIDE, "area", **ORIGIN).evasion == "none"


@traces("S004-87", "S004-95")
def concealment_stops_nothing_and_makes_hits_miss(load: Load) -> None:
    found = ask(load, "A.bT")
    assert (found.line_of_effect, found.can_attack, found.cover, found.concealment) == (True, True, "none", "1/2")
    assert (found.attack_modifier, found.defense_modifier, found.miss_chance) == (0, 0, 20)
    assert has(found, "S004-89", "miss_chance", 20)


@traces("S004-92")
def nothing_seen_is_half_missed(load: Load) -> None:
    for name, keys in {
        "blind attacker": {"a": {"conditions": ["blinded"]}},
        "invisible target": {"t": {"conditions": ["invisible"]}},
        "total darkness": {"light": "dark"},
        "behind a curtain": {"walls": curtain()},
    }.items():
        for attack, drawing, reach in (("ranged", FAR, 5), ("melee", "A.T", 10)):
            who = {**keys, "a": {**keys.get("a", {}), "reach": reach}}
            found = ask(load, drawing, attack, **who)
            assert (found.concealment, found.miss_chance) == ("total", 50), (name, attack)
    assert ask(load, "A.ffT").miss_chance == 50
    assert ask(load, "Aff.T").miss_chance == 50
    assert ask(load, a={"senses": {"darkvision": 60}}, light="dark").miss_chance == 0


@traces("S004-88", "S004-89", "S004-91")
def fog_near_and_dim_light(load: Load) -> None:
    assert ask(load, "A.fT").miss_chance == 20
    assert ask(load, light="dim").miss_chance == 10
    assert ask(load, a={"senses": {"darkvision": 60}}, light="dim").miss_chance == 0


@traces("S004-93")
def the_degree_of_concealment_is_the_game_masters(load: Load) -> None:
    for word in ("light", "concealed", "heavy", "9/10"):
        mist = {"m": {"kind": "brush", "concealment": word}}
        assert any("game master" in note for note in ask(load, "A.mT", legend=mist).notes), word
    assert not any("game master" in note for note in ask(load).notes)


@traces("S004-94")
def concealment_is_the_attackers_point_of_view(load: Load) -> None:
    others = {"B": {"side": "a"}}
    hidden, seen = (ask(load, "A.bT.B", pair=(one, "T"), others=others).miss_chance for one in "AB")
    assert (hidden, seen) == (20, 0)
    eyes = {"B": {"side": "a", "senses": {"darkvision": 60}}}
    dark, sharp = (ask(load, "A.T.B", pair=(one, "T"), others=eyes, light="dark").miss_chance for one in "AB")
    assert (dark, sharp) == (50, 0)


@traces("S004-97", "S004-98")
def the_highest_miss_chance_counts_alone(load: Load) -> None:
    light_mist = {"m": {"kind": "brush", "concealment": "light"}, "n": {"kind": "brush", "concealment": "9/10"}}
    assert ask(load, "AmnT", legend=light_mist).miss_chance == 40
    assert ask(load, "AnmT", legend=light_mist).miss_chance == 40
    assert ask(load, "A.mT", legend=light_mist, light="dim").miss_chance == 10
    assert ask(load, "A.nT", legend=light_mist, light="dim").miss_chance == 40
    assert ask(load, "A.mT", legend=light_mist, light="dark").miss_chance == 50
    assert ask(load, "A.mT", legend=light_mist, t={"conditions": ["invisible"]}, light="dark").miss_chance == 50
