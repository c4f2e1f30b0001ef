"""Checks of Starfinder: its excerpt, and what the excerpt leaves to the core rulebook."""

from __future__ import annotations

from traced.registry import Load, fills, traces
from traced.scenes import FAR, NEAR, ONE_LINE, ORIGIN, TWO_LINES, WIDE, asker, blast, curtain, fence, has

ask = asker("starfinder1")

OTHER = {"B": {"side": "b"}}


def numbers(found):
    return found.cover, found.attack_modifier, found.defense_modifier, found.save_modifier


@traces("S001-1")
def concealment_makes_hits_miss(load: Load) -> None:
    found = ask(load, "A.bT")
    assert (found.concealment, found.miss_chance) == ("concealed", 20)
    assert (found.attack_modifier, found.defense_modifier, found.can_attack) == (0, 0, True)
    assert ask(load).miss_chance == 0


@traces("S001-4", "S001-5")
def concealment_by_lines_from_a_corner_and_by_borders(load: Load) -> None:
    assert ask(load, "A.bT").concealment == "concealed"
    assert ask(load, "A.. .bT").concealment == "concealed"
    assert ask(load, "A.T ... bbb").concealment == "none"
    assert ask(load, "A.. T.. bbb").concealment == "concealed", "two lines end on its border"
    assert ask(load, "A.. T.. bbb", options={"concealment_border": "interior"}).concealment == "none"
    assert ask(load, ".b.. A..T").concealment == "none", "from the lower corners no line touches it"
    both = "bbbb A..T bbbb"
    assert ask(load, both).concealment == "concealed"
    assert ask(load, both, options={"concealment_border": "interior"}).concealment == "none"
    chosen = {"concealment_chooser": "defender"}
    assert ask(load, ".b.. A..T", options=chosen).concealment == "concealed"


@traces("S001-6")
def reach_uses_the_procedure_of_shots_for_concealment(load: Load) -> None:
    for drawing in ("AbT", "bbb A.T bbb", "A.. .bT", "A.T", ".b. A.T"):
        melee, ranged = (ask(load, drawing, attack, a={"reach": 10}).concealment for attack in ("melee", "ranged"))
        assert melee == ranged, drawing
    assert ask(load, "AbT", "melee", a={"reach": 10}).concealment == "concealed"


@traces("S001-7")
def adjacent_melee_wants_the_whole_space_concealed(load: Load) -> None:
    mist = ask(load, NEAR, "melee", brush=[(1, 0)])
    assert (mist.concealment, mist.miss_chance) == ("concealed", 20)
    assert ask(load, NEAR, "melee", brush=[(0, 0)]).concealment == "none"
    ogre = "ATT .TT"
    assert ask(load, ogre, "melee", brush=[(1, 0), (1, 1), (2, 0)]).concealment == "none"
    assert ask(load, ogre, "melee", brush=[(1, 0), (1, 1), (2, 0), (2, 1)]).concealment == "concealed"


@traces("S001-8")
def invisibility_conceals_whatever_lies_between(load: Load) -> None:
    unseen = {"conditions": ["invisible"]}
    for attack, drawing in (("melee", NEAR), ("ranged", NEAR), ("ranged", FAR), ("melee", "A.T")):
        found = ask(load, drawing, attack, a={"reach": 10}, t=unseen)
        assert (found.concealment, found.miss_chance) == ("total", 50), (attack, drawing)


@traces("S001-9")
def cover_hides_nobody_from_sight(load: Load) -> None:
    for keys in ({"drawing": TWO_LINES}, {"drawing": NEAR, "walls": fence("standard")}):
        found = ask(load, **keys)
        assert (found.line_of_sight, found.concealment, found.miss_chance) == (True, "none", 0)
        assert (found.cover, found.defense_modifier) == ("cover", 4)


@traces("S001-10")
def one_corner_for_every_kind_of_attack(load: Load) -> None:
    clear = ask(load, "A.T ##.")
    assert (clear.cover, clear.proof.corner[1]) == ("none", 0)
    for drawing, reach in (("A# .T", 5), ("A.. .#T", 10), ("A.T ##.", 10), ("A#. ..T", 10)):
        melee, ranged = (ask(load, drawing, attack, a={"reach": reach}) for attack in ("melee", "ranged"))
        assert (melee.cover, melee.proof.corner) == (ranged.cover, ranged.proof.corner), drawing
    assert ask(load, "A# .T", "melee").cover == "none", "from the lower corner no line crosses the wall"
    assert ask(load, "A# .T", "melee", options={"adjacent_melee_mode": "all_corners"}).cover == "cover"


@traces("S001-11", "S001-12")
def any_line_through_a_square_a_border_or_a_creature_is_cover(load: Load) -> None:
    assert numbers(ask(load, TWO_LINES)) == ("cover", 0, 4, 2)
    assert numbers(ask(load, NEAR, walls=fence("standard"))) == ("cover", 0, 4, 2)
    assert numbers(ask(load, "A.k.T", legend={"k": {"kind": "fence"}})) == ("cover", 0, 4, 2)
    for side in ("a", "t", "b"):
        for attack in ("ranged", "melee"):
            found = ask(load, "ABT", attack, a={"reach": 10}, others={"B": {"side": side}})
            assert numbers(found) == ("cover", 0, 4, 2), (side, attack)
            assert found.soft
    assert numbers(ask(load)) == ("none", 0, 0, 0)
    assert has(ask(load, TWO_LINES), "S001-12", "defense", 4)
    assert has(ask(load, TWO_LINES), "S001-12", "save", 2)


@traces("S001-12", "S001-13")
def the_save_is_helped_unless_the_effect_spreads(load: Load) -> None:
    assert blast(ask, load, "standard").save_modifier == 2
    assert blast(ask, load, "standard", spread=True).save_modifier == 0
    beside = blast(ask, load, "standard", origin=(2, 1))
    assert beside.save_modifier == 0, "it comes from this side of the cover"
    assert ask(load, WIDE, "area", **ORIGIN).save_modifier == 0


@traces("S001-14", "S001-16")
def flanking_is_plus_2_and_never_more(load: Load) -> None:
    for drawing in ("ATB", ".B. .T. .A.", "..B .T. A.."):
        found = ask(load, drawing, "melee", others={"B": {"side": "a"}})
        assert (found.flanked, found.attack_modifier, found.defense_modifier) == (True, 2, 0), drawing
        assert has(found, "S001-14", "attack", 2)
    assert ask(load, "ATB", "ranged", others={"B": {"side": "a"}}).attack_modifier == 0
    allies = {one: {"side": "a"} for one in "BCD"}
    assert ask(load, "B.C .T. A.D", "melee", others=allies).attack_modifier == 2
    assert ask(load, "ATBC .D..", "melee", others={**allies, "C": {"side": "a", "reach": 10}}).attack_modifier == 2


@traces("S001-15")
def only_who_threatens_helps(load: Load) -> None:
    for keys in ({"armed": False}, {"conditions": ["stunned"]}, {"conditions": ["unconscious"]}):
        found = ask(load, "ATB", "melee", others={"B": {"side": "a", **keys}})
        assert (found.flanked, found.attack_modifier) == (False, 0), keys
    assert not ask(load, "AT.B", "melee", others={"B": {"side": "a", "reach": 5}}).flanked
    assert ask(load, "AT.B", "melee", others={"B": {"side": "a", "reach": 10}}).flanked
    for side in ("t", "b"):
        option = {"flank_partner": "any_threatener"}
        assert ask(load, "ATB", "melee", others={"B": {"side": side}}, options=option).flanked, side


@traces("S001-17")
def reach_0_does_not_flank(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    assert not ask(load, "ATB", "melee", a={"reach": 0}, others=ally).flanked
    assert not ask(load, "ATB", "melee", others={"B": {"side": "a", "reach": 0}}).flanked
    assert ask(load, "ATB", "melee", others=ally).flanked


@traces("S001-18", "S001-19")
def the_line_between_the_centres_passes_opposite_borders(load: Load) -> None:
    ally = {"B": {"side": "a"}}
    for drawing, flanked in (("..B .T. A..", True), (".B. .T. A..", False), ("A.. .T. .B.", False), ("AT .B", False)):
        assert ask(load, drawing, "melee", others=ally).flanked is flanked, drawing
    long = {"a": {"reach": 10}, "others": {"B": {"side": "a", "reach": 10}}}
    assert ask(load, "A.... ..T.. ....B", "melee", **long).flanked
    assert ask(load, "A.. ... .T. ... ..B", "melee", **long).flanked
    for option, flanked in (("yes", True), ("no", False)):
        said = {"flank_corners_inclusive": option}
        found = ask(load, "A... ..TB", "melee", a={"reach": 10}, others=ally, options=said)
        assert found.flanked is flanked, option


@traces("S001-20")
def any_square_of_a_big_flanker_counts(load: Load) -> None:
    """The lowest of the giant's western squares stands opposite; its centre is too far north."""
    giant = {"B": {"side": "a"}}
    drawing = "..BBBB ..BBBB ..BBBB ATBBBB"
    assert ask(load, drawing, "melee", others=giant).flanked
    assert ask(load, drawing, "melee", pair=("B", "T"), others=giant).attack_modifier == 2
    assert not ask(load, drawing, "melee", others=giant, options={"flank_anchor": "centre"}).flanked


@traces("S001-21", "S001-22", "S001-23", "S001-24")
def prone(load: Load) -> None:
    down = {"conditions": ["prone"]}
    melee, ranged = ask(load, NEAR, "melee", a=down), ask(load, a=down)
    assert (melee.attack_modifier, ranged.attack_modifier) == (-4, 0)
    assert ranged.can_attack
    melee, ranged = ask(load, NEAR, "melee", t=down), ask(load, t=down)
    assert (melee.defense_modifier, ranged.defense_modifier) == (-4, 4)
    assert ask(load, NEAR, t=down).defense_modifier == 4
    assert ask(load, "A.T", "melee", a={"reach": 10}, t=down).defense_modifier == -4


@traces("S001-25")
def off_kilter_is_not_prone(load: Load) -> None:
    """What it is instead stands in the core rulebook: -2 on attacks, and flat-footed."""
    off = {"conditions": ["off-kilter"]}
    for attack in ("melee", "ranged"):
        attacking, attacked = ask(load, NEAR, attack, a=off), ask(load, NEAR, attack, t=off)
        assert (attacking.attack_modifier, attacking.defense_modifier) == (-2, 0), attack
        assert (attacked.attack_modifier, attacked.defense_modifier) == (0, -2), attack
        assert attacking.can_attack, attack
        for found in (attacking, attacked):
            assert not any(one.rule in ("S001-22", "S001-23", "S001-24") for one in found.modifiers), attack


# Beyond the excerpt.


def partial_cover(load: Load) -> None:
    assert numbers(ask(load, ONE_LINE)) == ("partial", 0, 2, 1)
    assert numbers(ask(load, ONE_LINE, options={"partial": "off"})) == ("cover", 0, 4, 2)


def improved_cover(load: Load) -> None:
    found = ask(load, "A.s.T")
    assert numbers(found) == ("improved", 0, 8, 4)
    assert (found.stealth_modifier, found.evasion) == (0, "none")


def soft_cover_by_option(load: Load) -> None:
    soft = {"creature_cover": "soft"}
    for attack, number in (("ranged", 4), ("melee", 0)):
        found = ask(load, "ABT", attack, a={"reach": 10}, others=OTHER, options=soft)
        assert numbers(found) == ("soft", 0, number, 0), attack
        assert not found.can_hide


def total_concealment(load: Load) -> None:
    for keys in ({"walls": curtain()}, {"light": "dark"}, {"t": {"conditions": ["invisible"]}}):
        found = ask(load, **keys)
        assert (found.concealment, found.miss_chance, found.can_attack) == ("total", 50, False), keys
        assert found.can_hide, keys
    assert ask(load, a={"conditions": ["blinded"]}).concealment == "total"
    for options in ({}, {"total_conceal_targetable": "yes"}):
        found = ask(load, NEAR, "melee", light="dark", options=options)
        assert (found.opportunity, found.can_attack) == (False, bool(options))


def dim_light(load: Load) -> None:
    assert ask(load, light="dim").miss_chance == 20
    assert ask(load, a={"senses": {"darkvision": 60}}, light="dim").miss_chance == 0
    torch = {"lights": [{"at": (0.5, 0.5), "bright": 10, "dim": 20}], "light": "dark"}
    for low, chances in ((False, [0, 20, 50]), (True, [0, 0, 20])):
        keys = {"a": {"senses": {"low_light": low}}, **torch}
        assert [ask(load, f"A{'.' * (n - 1)}T", **keys).miss_chance for n in (2, 4, 5)] == chances, low


def total_cover(load: Load) -> None:
    found = ask(load, "A#T")
    assert (*numbers(found), found.can_attack, found.can_hide) == ("total", 0, 0, 0, False, True)
    forced = ask(load, NEAR, "melee", walls=fence("total"), overrides=[{"target": "T", "force": True}])
    assert (forced.can_attack, forced.opportunity) == (True, False)


def low_obstacles(load: Load) -> None:
    wall = {"w": {"kind": "low wall", "top": 3}}
    for squares, cover in ((6, "cover"), (7, "none")):
        assert ask(load, f"A{'.' * 9}w{'.' * (squares - 1)}T", legend=wall).cover == cover, squares
    for drawing, cover in (("Aw.T", "none"), ("A.w.T", "cover")):
        assert ask(load, drawing, legend=wall).cover == cover, drawing


def reach_weapons(load: Load) -> None:
    spear = {"reach": 10, "reach_min": 5}
    assert ask(load, NEAR, "melee", a=spear).opportunity
    assert ask(load, "A.. ... ..T", "melee", a=spear).opportunity, "the second diagonal"
    for option in ("yes", "no"):
        found = ask(load, "ABT", "melee", a=spear, others=OTHER, options={"soft_cover_blocks_aoo": option})
        assert found.opportunity is (option == "no")


CORE = (
    partial_cover,
    improved_cover,
    soft_cover_by_option,
    total_concealment,
    dim_light,
    total_cover,
    low_obstacles,
    reach_weapons,
)
for check in CORE:
    fills("starfinder1", check.__name__, check)
