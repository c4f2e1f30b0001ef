"""Light and darkvision of all pairs: against the oracle, and case by case."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import msgspec
import numpy as np
import oracle
import oracle_walls
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import squares_of
from oracle_light import Lamp, Person, Rules, brightness, is_in_darkvision, light, square_of
from oracle_walls import Special
from pair_facts import pair_facts
from special_scenes import special_scenes
from strategies import build_space, build_walls

from gridlos.battlemap import BattleMap
from gridlos.creature import CarriedLight, Creature, Senses
from gridlos.facts import Channel
from gridlos.facts import Light as Level
from gridlos.questions.creatures import bodies_of
from gridlos.questions.facts import Measures
from gridlos.questions.light import Eyes, lit
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.specials import floors_under, specials_of
from gridlos.records import Light
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

DARK, DIM, BRIGHT = Level.DARK, Level.DIM, Level.BRIGHT
KINDS = (  # keys of a wall, and how much of sight it stops: 2, 1 (limited) or 0
    ({}, 2),
    ({"kind": "curtain"}, 2),
    ({"kind": "window"}, 0),
    ({"kind": "door"}, 2),
    ({"kind": "door", "state": "open"}, 0),
    ({"kind": "terrain"}, 1),
    ({"blocks_from": "left"}, 2),
    ({"kind": "curtain", "blocks_from": "right"}, 2),
    ({"kind": "terrain", "blocks_from": "left"}, 1),
)
PLAIN_KINDS = 5
RADII = (0, 0, 3, 5, 7.5, 10, 15, 20, 30)
few = settings(max_examples=max(3, settings().max_examples // 3))


def facts_of(scene, measures=None, attackers=None, targets=None):
    everybody = np.arange(len(scene.creatures))
    rows, columns = (everybody if some is None else np.array(some, np.int64) for some in (attackers, targets))
    walls = obstacles_of(scene.battle_map, Channel.EFFECT), specials_of(scene)
    floors = floors_under(scene.battle_map, scene.spaces)
    bodies = bodies_of(scene.creatures, scene.battle_map.feet_per_square, floors)
    return pair_facts(scene, walls, bodies, rows, columns, measures or Measures())


def field_of(scene, eyes=None):
    """How bright every square is: ``(rows, cols, 2)``."""
    rows, cols = scene.battle_map.rows, scene.battle_map.cols
    squares = np.array([(x, y) for y in range(rows) for x in range(cols)])
    floors = floors_under(scene.battle_map, scene.spaces)
    bodies = bodies_of(scene.creatures, scene.battle_map.feet_per_square, floors)
    walls = obstacles_of(scene.battle_map, Channel.SIGHT)
    return lit(scene, walls, bodies, squares, eyes or Eyes()).reshape(rows, cols, 2)


# ---- against the oracle


def flip(wall):
    return (*wall[2:], *wall[:2])


def drawn(walls, kinds, creatures, lights, ambient, feet):
    """A scene, and its line of sight, lamps and people for the oracle."""
    s = walls.subdivisions
    rows = ["".join("#" if (x, y) in walls.solid else "." for x in range(walls.cols)) for y in range(walls.rows)]
    ends = [tuple(s * v for v in edge) for edge in sorted(walls.edges)] + list(walls.segments)
    found = [
        Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s), **KINDS[kind][0])
        for (x0, y0, x1, y1), kind in zip(ends, kinds, strict=True)
    ]
    battle_map = BattleMap.from_rows(rows, walls=found, subdivisions=s, feet_per_square=feet)
    assert battle_map.segments.tolist() == [list(wall) for wall in ends]
    groups = {(toll, side): [] for toll in (1, 2) for side in (None, "left")}
    for wall, kind in zip(ends, kinds, strict=True):
        keys, toll = KINDS[kind]
        side = keys.get("blocks_from")
        if toll:
            groups[toll, side and "left"].append(flip(wall) if side == "right" else wall)
    hard = replace(walls, edges=frozenset(), segments=tuple(groups[2, None]))
    special = Special(hard, tuple(groups[1, None]), tuple(groups[2, "left"]), tuple(groups[1, "left"]))
    is_plain = not (special.limited or special.one_way or special.limited_one_way)

    @cache
    def sight(one, other):
        if is_plain:
            return oracle.line_of_effect(hard, one, other)
        return oracle_walls.line_of_effect(special, one, other)

    unit = Fraction(str(feet))
    lamps, people = [], []
    for creature in creatures:
        storeys = Fraction(creature.elevation or 0) // unit, creature.occupied[2]
        senses = creature.senses
        people.append(Person(creature.occupied, Fraction(senses.darkvision), senses.low_light, storeys))
        if creature.light and creature.light.on:
            own = creature.light
            lamps.append(Lamp(creature.occupied, Fraction(own.bright), Fraction(own.dim), storeys))
    lamps += [
        Lamp(space, Fraction(one.bright), Fraction(one.dim))
        for one in lights
        if one.on and (space := square_of(one.at, walls.rows, walls.cols))
    ]
    scene = Scene(battle_map, creatures=creatures, lights=lights, light=ambient)
    return scene, sight, lamps, people


@st.composite
def situations(draw, n_kinds=PLAIN_KINDS, largest=6, most_free=5):
    def below(bound):
        return draw(st.integers(0, bound - 1))

    def radii():
        return {"bright": RADII[below(len(RADII))], "dim": RADII[below(len(RADII))], "on": below(6) > 0}

    walls = build_walls(below, largest=largest, most_free=most_free)
    spaces = [build_space(below, walls, 2) for _ in range(1 + below(3))]
    walls = replace(walls, solid=walls.solid - {square for space in spaces for square in squares_of(space)})
    kinds = [below(n_kinds) for _ in range(len(walls.edges) + len(walls.segments))]
    creatures = [
        Creature(
            id=f"c{k}",
            at=(x, y),
            space=(w, h),
            elevation=(None, None, None, None, 4, 5, 12)[below(7)],
            senses=Senses(darkvision=RADII[below(len(RADII))], low_light=below(2) == 1),
            light=CarriedLight(**radii()) if below(4) == 0 else None,
        )
        for k, (x, y, w, h) in enumerate(spaces)
    ]
    # In squares, on their borders, on those of the map, and beyond it.
    lights = [
        Light(at=(below(2 * walls.cols + 3) / 2 - 0.5, below(2 * walls.rows + 3) / 2 - 0.5), **radii())
        for _ in range(below(4))
    ]
    ambient = ("dark", "dark", "dim")[below(3)]
    return drawn(walls, kinds, creatures, lights, ambient, (5, 5, 2.5, 1.1)[below(4)])


rules_of_editions = st.builds(Rules, st.sampled_from(["5-10-5", "1"]), st.booleans(), st.booleans())


def check(found, rules, counts):
    scene, sight, lamps, people = found
    rules = replace(rules, feet=Fraction(str(scene.battle_map.feet_per_square)))
    facts = facts_of(
        scene, Measures(rules.diagonals, low_light_doubles=rules.doubles, darkvision_unlimited=rules.unlimited)
    )
    ambient = {"dark": DARK, "dim": DIM}[scene.light]
    for a, t in product(range(len(people)), repeat=2):
        right = light(sight, lamps, ambient, people[a], people[t], rules)
        assert facts.light[a, t] == right, (a, t, right, scene)
        assert facts.darkvision[a, t] == is_in_darkvision(people[a], people[t], rules), (a, t)
    told = {
        "spaces in some light": facts.light.size,
        "of those brighter than all around": (facts.light > ambient).sum(),
    }
    for name, n in told.items():
        counts[name] += n


@given(situations(), rules_of_editions)
def test_light_and_darkvision_as_the_oracle(counts, found, rules):
    check(found, rules, counts)


@few
@given(situations(len(KINDS), largest=5, most_free=4), rules_of_editions)
def test_past_limited_and_one_way_walls_as_the_oracle(counts, found, rules):
    check(found, rules, counts)


@few
@given(situations(largest=5), rules_of_editions)
def test_every_square_as_the_oracle(found, rules):
    """Solid squares, too, and those that hold lights."""
    scene, sight, lamps, _ = found
    rules = replace(rules, feet=Fraction(str(scene.battle_map.feet_per_square)))
    field = field_of(scene, Eyes(rules.diagonals, rules.doubles))
    ambient = {"dark": DARK, "dim": DIM}[scene.light]
    for y, x, low_light in product(*map(range, field.shape)):
        right = brightness(sight, lamps, ambient, (x, y), (0, 1), rules, low_light=low_light == 1)
        assert field[y, x, low_light] == right, (x, y, low_light)


# ---- promises


@given(special_scenes(), st.data())
def test_who_carries_a_great_light_sees_by_it_whom_he_sees(found, data):
    """Past walls of all heights, too: the light goes where the bearer's looks go."""
    scene = found.scene
    if not scene.creatures:
        return
    k = data.draw(st.integers(0, len(scene.creatures) - 1))
    bearer = msgspec.structs.replace(scene.creatures[k], light=CarriedLight(bright=10_000))
    creatures = (*scene.creatures[:k], bearer, *scene.creatures[k + 1 :])
    facts = facts_of(replace(scene.with_creatures(creatures), light="dark"))
    others = facts.distinct[k]
    assert ((facts.light[k] == BRIGHT) == facts.line_of_sight[k])[others].all()


@given(special_scenes(), st.data())
def test_a_light_on_the_map_is_as_one_in_the_hands_of_somebody_who_stands_there(found, data):
    scene = replace(found.scene, light="dark")
    upright = [one for one in scene.creatures if one.size == "medium" and (one.elevation, one.height) == (None, None)]
    if not upright:
        return
    bearer = data.draw(st.sampled_from(upright))
    radii = {"bright": data.draw(st.sampled_from([5, 10, 15])), "dim": data.draw(st.sampled_from([0, 20, 30]))}
    others = [scene.index(one.id) for one in scene.creatures if one is not bearer]
    carried = msgspec.structs.replace(bearer, light=CarriedLight(**radii))
    one = facts_of(
        scene.with_creatures([carried if one is bearer else one for one in scene.creatures]), None, others, others
    )
    x, y = bearer.at
    other = facts_of(replace(scene, lights=(Light(at=(x + 0.25, y + 0.75), **radii),)), None, others, others)
    assert np.array_equal(one.light, other.light)


@few
@given(situations(), st.randoms(use_true_random=False))
def test_any_attackers_against_any_targets(found, rng):
    scene = found[0]
    n = len(scene.creatures)
    rows, columns = (rng.sample(range(n), rng.randint(0, n)) for _ in range(2))
    whole, part = facts_of(scene), facts_of(scene, None, rows, columns)
    for name in ("light", "darkvision"):
        assert np.array_equal(getattr(part, name), getattr(whole, name)[np.ix_(rows, columns)])


@few
@given(situations(), st.sampled_from([0, 1, 2]))
def test_more_light_never_darkens(found, which):
    """One more light, brighter surroundings, or better eyes."""
    scene = found[0]
    before = facts_of(scene)
    x, y = scene.creatures[0].at
    if which == 0:
        after = facts_of(replace(scene, lights=(*scene.lights, Light(at=(x, y), bright=5, dim=15))))
    elif which == 1:
        after = facts_of(replace(scene, light="dim"))
    else:
        after = facts_of(scene, Measures(low_light_doubles=True))
    assert (after.light >= before.light).all()
    assert np.array_equal(after.darkvision, before.darkvision)


# ---- case by case


def dark(drawing, *lights, light="dark", **keys):
    return replace(Scene.from_drawing(drawing, **keys), lights=lights, light=light)


def level(scene, attacker, target, **measures):
    facts = facts_of(scene, Measures(**measures))
    return Level(facts.light[scene.index(attacker), scene.index(target)])


TORCH = Light(at=(0.5, 0.5), bright=20, dim=40)


@pytest.mark.parametrize(
    ("kind", "sees_light", "has_effect"),
    [
        ("wall", False, False),
        ("curtain", False, True),
        ("window", True, False),
        ("fence", True, True),
        ("terrain", True, True),
    ],
)
def test_what_stops_sight_stops_light(kind, sees_light, has_effect):
    """A window stops effect only, and a curtain sight only."""
    scene = dark("..A.T", TORCH, walls=[Wall(start=(2, 0), end=(2, 1), kind=kind)])
    facts = facts_of(scene)
    assert facts.light[0, 1] == (BRIGHT if sees_light else DARK)
    across = facts_of(dark("A...T", TORCH, walls=[Wall(start=(2, 0), end=(2, 1), kind=kind)]))
    assert across.line_of_effect[0, 1] == has_effect


def test_a_door_that_opens_lets_light_through():
    shut = dark("..A.T", TORCH, walls=[Wall(start=(1, 0), end=(1, 1), kind="door", id="gate")])
    opened = shut.with_map(shut.battle_map.with_wall_state("gate", "open"))
    assert (level(shut, "A", "T"), level(opened, "A", "T")) == (DARK, BRIGHT)


def test_two_terrain_walls_stop_light_and_one_does_not():
    walls = [Wall(start=(x, 0), end=(x, 1), kind="terrain") for x in (1, 3)]
    assert level(dark("A.T..", TORCH, walls=walls), "A", "T") == BRIGHT
    assert level(dark("A...T", TORCH, walls=walls), "A", "T") == DARK


@pytest.mark.parametrize(("side", "right"), [("left", DARK), ("right", BRIGHT)])
def test_a_one_way_wall_stops_the_light_that_comes_from_its_side(side, right):
    """West of a wall drawn upward is its left."""
    wall = Wall(start=(1, 1), end=(1, 0), blocks_from=side)
    assert level(dark("A.T", TORCH, walls=[wall]), "T", "T") == right
    assert level(dark("A.T", Light(at=(2.5, 0.5), bright=20), walls=[wall]), "A", "A") == (DARK, BRIGHT)[right == DARK]


@pytest.mark.parametrize(("side", "right"), [("left", DARK), ("right", BRIGHT)])
def test_a_one_way_wall_stops_looks_from_its_side(side, right):
    """O's right half is lit, and the wall stands before it; A sees the left half anyhow."""
    walls = [Wall(start=(3, 2), end=(3, 0), blocks_from=side)]
    scene = dark("A.OO.\n..OO.", Light(at=(4.5, 0.5), bright=5), creatures={"O": {"size": "large"}}, walls=walls)
    assert level(scene, "A", "O") == right


def test_creatures_stop_no_light():
    assert level(dark(".OBT.", TORCH), "B", "T") == BRIGHT


@pytest.mark.parametrize(("x", "right"), [(3, BRIGHT), (4, BRIGHT), (5, DIM), (8, DIM), (9, DARK)])
def test_limits_are_included(x, right):
    """20 ft are four squares."""
    drawing = "A" + "." * (x - 1) + "T" + "." * (10 - x)
    assert level(dark(drawing, TORCH), "A", "T") == right


def test_squares_of_other_sizes():
    """Twenty feet are two squares of 10 ft, and thirteen of 1.5 ft."""
    for feet, last in ((10, 2), (1.5, 13)):
        for x, right in ((last, BRIGHT), (last + 1, DIM)):
            battle_map = BattleMap.from_rows(["." * 20], feet_per_square=feet)
            scene = Scene(battle_map, (Creature(id="T", at=(x, 0)),), (TORCH,), "dark")
            assert level(scene, "T", "T") == right


def test_diagonal_steps_as_the_edition_counts():
    """Three of them are four squares, or three."""
    scene = dark("A...\n....\n....\n...T", Light(at=(0.5, 0.5), bright=15))
    assert (level(scene, "A", "T"), level(scene, "A", "T", diagonals="1")) == (DARK, BRIGHT)


@pytest.mark.parametrize(
    ("at", "square"),
    [((1, 0.5), 1), ((0.99, 0), 0), ((3, 1), 2), ((2.5, 1), 2), ((0, 0), 0), ((-0.01, 0), None), ((3.01, 0), None)],
)
def test_a_light_stands_in_the_square_of_its_point(at, square):
    scene = Scene(BattleMap.from_rows(["..."]), lights=(Light(at=at, bright=3),), light="dark")
    assert field_of(scene)[0, :, 0].tolist() == [BRIGHT if x == square else DARK for x in range(3)]


def test_a_light_in_a_solid_square_lights_nothing_else():
    assert level(dark("#AT", TORCH), "A", "T") == DARK
    assert level(dark("vAT", TORCH, legend={"v": "window"}), "A", "T") == BRIGHT


@pytest.mark.parametrize(
    ("keys", "right"),
    [
        ({"on": False}, DARK),
        ({"bright": 0, "dim": 0}, DARK),
        ({"bright": 0}, DIM),
        ({"dim": 0}, BRIGHT),
        ({"hidden": True}, BRIGHT),
    ],
)
def test_lights_that_are_off_or_have_no_radius_give_nothing(keys, right):
    scene = dark("A.T", msgspec.structs.replace(TORCH, **keys))
    assert level(scene, "A", "T") == right


def test_nobody_on_a_dark_map():
    facts = facts_of(Scene(BattleMap.from_rows([".."]), lights=(TORCH,), light="dark"))
    assert (facts.light.shape, facts.darkvision.shape) == ((0, 0), (0, 0))


def test_what_no_light_reaches():
    """The light around is the least everywhere; where it is bright nobody asks."""
    scene = dark("A.......T", Light(at=(0.5, 0.5), bright=5, dim=20), light="dim")
    assert facts_of(scene).light.tolist() == [[BRIGHT, DIM], [BRIGHT, DIM]]
    assert facts_of(replace(scene, lights=())).light.tolist() == [[DIM, DIM], [DIM, DIM]]
    assert facts_of(replace(scene, light="dark")).light.tolist() == [[BRIGHT, DARK], [BRIGHT, DARK]]
    bright = facts_of(replace(scene, light="bright"))
    assert (bright.light, bright.darkvision) == (None, None)


def test_a_carried_light_shines_from_the_whole_space_of_its_bearer():
    keys = {"O": {"size": "large", "light": {"bright": 5, "dim": 10}}}
    scene = dark("..OO.T.\n..OO...\nB......", creatures=keys)
    assert [level(scene, "T", name) for name in "OTB"] == [BRIGHT, DIM, DIM]
    moved = [msgspec.structs.replace(one, at=(3, 0)) if one.id == "O" else one for one in scene.creatures]
    assert [level(scene.with_creatures(moved), "O", name) for name in "OTB"] == [BRIGHT, BRIGHT, DARK]
    behind = dark("..OO.T.", creatures={"O": {"space": [2, 1], "light": {"bright": 30}}}, walls=[(5, 0, 5, 1)])
    assert level(behind, "T", "T") == DARK


def test_low_light_vision_doubles_radii_for_its_owner_where_the_edition_says_so():
    """Radii are doubled before they are counted in squares: 7.5 ft become three of them."""
    scene = dark("AB.T", Light(at=(0.5, 0.5), bright=7.5), creatures={"A": {"senses": {"low_light": True}}})
    assert [level(scene, name, "T", low_light_doubles=True) for name in "AB"] == [BRIGHT, DARK]
    assert [level(scene, name, "T") for name in "AB"] == [DARK, DARK]
    far = dark("AB" + "." * 13 + "T", TORCH, creatures={"A": {"senses": {"low_light": True}}})
    assert [level(far, name, "T", low_light_doubles=True) for name in "AB"] == [DIM, DARK]


def test_darkvision_reaches_its_limit_and_no_farther():
    def sees(drawing, feet, **measures):
        scene = dark(drawing, creatures={"A": {"senses": {"darkvision": feet}}})
        return bool(facts_of(scene, Measures(**measures)).darkvision[0, 1])

    at_60, at_65 = "A" + "." * 11 + "T", "A" + "." * 12 + "T"
    assert [sees(at_60, 60), sees(at_65, 60), sees(at_65, 64.9), sees(at_65, 65)] == [True, False, False, True]
    assert [sees(at_65, 60, darkvision_unlimited=True), sees(at_65, 0, darkvision_unlimited=True)] == [True, False]
    assert [sees("AT", 0), sees("AT", 4), sees("AT", 5)] == [False, False, True]
    diagonal = "A...\n....\n....\n...T"
    assert [sees(diagonal, 15), sees(diagonal, 15, diagonals="1")] == [False, True]


def test_darkvision_is_measured_to_the_nearest_square():
    scene = dark("A..OO\n...OO", creatures={"A": {"senses": {"darkvision": 15}}, "O": {"size": "large"}})
    assert facts_of(scene).darkvision.tolist() == [[True, True], [False, False]]


def test_who_stands_in_the_dark_sees_who_stands_in_light():
    scene = dark("A...T", Light(at=(4.5, 0.5), bright=5))
    assert facts_of(scene).light.tolist() == [[DARK, BRIGHT], [DARK, BRIGHT]]


def test_a_space_has_the_brightest_light_of_its_squares_that_the_viewer_sees():
    """O's left half is lit. A sees all of it, B the right half only, C nothing."""
    scene = dark(
        """
        A.OOB
        ..OO.
        ....C
        """,
        Light(at=(0.5, 0.5), bright=10),
        creatures={"O": {"size": "large"}},
        walls=[(3, 0, 3, 2), (0, 2, 5, 2)],
    )
    assert [level(scene, name, "O") for name in "ABCO"] == [BRIGHT, DARK, BRIGHT, BRIGHT]


def test_a_viewer_inside_of_a_space_sees_the_square_in_which_he_is():
    """A rides O, whose right half is lit, behind a wall: he sees the left half from within."""
    creatures = (Creature(id="O", at=(0, 0), size="large"), Creature(id="A", at=(0, 0), mount="O"))
    battle_map = BattleMap.from_rows(["...", "..."], walls=[Wall(start=(1, 0), end=(1, 2))])
    scene = Scene(battle_map, creatures, (Light(at=(2.5, 0.5), bright=5),), "dark")
    assert level(scene, "A", "O") == DARK
    assert level(scene.with_map(BattleMap.from_rows(["...", "..."])), "A", "O") == BRIGHT


# ---- heights


@pytest.mark.parametrize(
    ("keys", "right"),
    [
        ({"kind": "low wall"}, BRIGHT),
        ({"kind": "wall", "top": 5.5}, BRIGHT),
        ({"kind": "wall", "top": 6}, DARK),
        ({"kind": "wall", "bottom": 0.5}, BRIGHT),
    ],
)
def test_a_light_is_as_tall_as_a_medium_creature(keys, right):
    scene = dark(".A.T", TORCH, walls=[Wall(start=(1, 0), end=(1, 1), **keys)])
    assert level(scene, "A", "T") == right


def test_a_light_shines_over_a_wall_on_who_flies_above_it():
    def flying(feet):
        walls = [Wall(start=(1, 0), end=(1, 1), top=10)]
        return level(dark("A.T", TORCH, walls=walls, creatures={"T": {"elevation": feet}}), "A", "T")

    # Two columns away: 3, 4 and 5 squares.
    assert [flying(0), flying(10), flying(15), flying(20)] == [DARK, BRIGHT, BRIGHT, DIM]


def test_heights_are_distances():
    """A light burns on the floor of its square, a carried one where its bearer is."""
    tower = BattleMap.from_rows([".h."], legend={"h": SquareKind(kind="open", elevation=30)})
    for light_at, at in (((1.5, 0.5), (0, 0)), ((0.5, 0.5), (1, 0))):  # down from it, and up to it
        for feet, right in ((29, DARK), (30, BRIGHT)):
            scene = Scene(tower, (Creature(id="T", at=at),), (Light(at=light_at, bright=feet),), "dark")
            assert level(scene, "T", "T") == right
            assert field_of(scene)[0, at[0], 0] == right
    for feet, right in ((20, BRIGHT), (24.9, BRIGHT), (25, DARK)):
        scene = dark("AT", Light(at=(0.5, 0.5), bright=20), creatures={"T": {"elevation": feet}})
        assert level(scene, "A", "T") == right
    carried = {"A": {"elevation": 100, "light": {"bright": 20}}, "T": {"elevation": 80}}
    assert level(dark("AT.B", creatures=carried), "A", "T") == BRIGHT
    assert level(dark("AT.B", creatures=carried), "A", "B") == DARK


def test_all_at_one_height_above_the_lights():
    """Nobody differs from anybody, but all from the floor."""
    keys = {name: {"elevation": 25} for name in "AT"}
    for feet, right in ((20, DARK), (25, BRIGHT)):
        scene = dark("AT", Light(at=(0.5, 0.5), bright=feet), creatures=keys)
        assert (level(scene, "A", "T"), level(scene, "T", "A")) == (right, right)
        assert field_of(scene).min() == BRIGHT
