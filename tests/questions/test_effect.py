"""Line of effect and of sight past special walls: every proof is one, nothing that the oracles see is denied, and known answers."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import oracle
import oracle_heights
import oracle_walls
import pytest
from kernels.support import PROFILE
from oracle import common_stretch, squares_of
from oracle_heights import Banded, Body, Heights
from special_scenes import build_keys, drawn
from strategies import seeded as seeded_walls
from strategies import seeded_slits

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.kernels import special_effect
from gridlos.kernels.conditional import find_segment
from gridlos.questions.effect import effect_among_specials, has_lines_of_effect
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.specials import specials_of
from gridlos.questions.stopping import Stopping
from gridlos.scene import Scene
from gridlos.walls import Wall

CHUNKS = 4
SCENES = {"reduced": 8, "default": 100, "thorough": 7000}[PROFILE]
EQUAL = {"reduced": 8, "default": 60, "thorough": 1200}[PROFILE]
PAIR = np.array([[0, 1]], np.int64)


def asked(scene, channel=Channel.EFFECT):
    """The answers forth and back for the first two creatures."""
    battle_map, specials = scene.battle_map, specials_of(scene)
    obstacles = obstacles_of(battle_map, channel)
    plain = has_lines_of_effect(obstacles, scene.spaces, PAIR)
    if specials is None:
        return plain[0], plain[0]
    forth, back = effect_among_specials(battle_map, specials, channel, PAIR, plain)
    return bool(forth[0]), bool(back[0])


def across_the_way(seed):
    """Walls of all kinds between two creatures that stand at different heights."""
    it = seeded_slits(seed, 2) if seed % 3 else seeded_walls(seed, 2, largest=6, most_free=8)
    rng = np.random.default_rng(seed)

    def below(bound):
        return int(rng.integers(bound))

    def keys():
        if below(4) == 0:
            return build_keys(below)
        found = {"kind": "wall"} | ({"top": (4, 5.5, 6, 8, 10)[below(5)]} if below(3) else {})
        found |= {"blocks_from": ("left", "right")[below(2)]} if below(6) == 0 else {}
        return found | ({"effect": "limited", "sight": "limited"} if below(6) == 0 else {})

    walls = [(ends, keys()) for ends in it.walls.segments]
    rows = ["".join(".#"[(x, y) in it.walls.solid] for x in range(it.walls.cols)) for y in range(it.walls.rows)]
    creatures = [
        {"id": f"c{k}", "at": space[:2], "space": space[2:], "size": "medium", "elevation": (0, 0, 2, 4)[below(4)]}
        for k, space in enumerate((it.a, it.b))
    ]
    return drawn(rows, walls, it.walls.subdivisions, creatures)


def searched(scene, channel, way):
    """What the exact search finds between the first two creatures, or the other way round: a free segment, or None."""
    specials, obstacles = specials_of(scene), obstacles_of(scene.battle_map, channel)
    bodies, walls = [specials.bodies[k].tolist() for k in way], Stopping.of(specials, channel)
    heights = [tuple(body[4:]) for body in bodies]
    special = [walls.conditional(k, *heights) for k in range(len(walls.walls))]
    special = [wall for wall in special if wall is not None]
    return find_segment(obstacles.barriers, special, *(tuple(body[:4]) for body in bodies), obstacles.size)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_proofs_and_denials(chunk, counts, monkeypatch):
    """Quick tests and exact search agree; the segments found are free by the definition; where none is, the oracle finds none."""
    quick, lines_past = [], special_effect.lines_past
    monkeypatch.setattr(special_effect, "lines_past", lambda *some: quick.append(lines_past(*some)) or quick[-1])
    proved = denied = 0
    for seed in range(chunk, SCENES, CHUNKS):
        found, rng = across_the_way(seed), random.Random(seed)
        if set(squares_of(found.bodies[0].space)) & set(squares_of(found.bodies[1].space)):
            continue
        for heights, channel in zip(found.channels, (Channel.EFFECT, Channel.SIGHT), strict=True):
            answers = asked(found.scene, channel)
            for answer, order in zip(answers, ((0, 1), (1, 0)), strict=True):
                way = [found.bodies[k] for k in order]
                if specials_of(found.scene) is not None:
                    segment = searched(found.scene, channel, order)
                    assert answer == (segment is not None), (seed, channel, order)
                    if segment is not None:
                        ends = [tuple(2 * Fraction(value) for value in point) for point in segment]
                        assert oracle_heights.is_free_segment(heights, *way, *ends), (seed, channel, segment)
                        proved += 1
                if not answer:
                    witness = oracle_heights.find_segment(heights, *way, 8, rng)
                    assert witness is None, (seed, channel, way, witness)
                    denied += 1
    counts.add(segments_past_special_walls_proved=proved, lines_of_effect_past_special_walls_denied=denied)
    said = np.bincount(np.concatenate([np.zeros(0, np.uint8), *quick]), minlength=3)
    counts.add(**{f"of_them_quickly_{word}": said[k] for k, word in enumerate(("denied", "seen", "left_open"))})
    assert PROFILE == "reduced" or min(proved, denied) > 0


# ---- equal heights: a band hides always or never


BANDS = [(), ((0, 3),), ((0, 6),), ((None, None),), ((0, 3), (3, 6)), ((0, 4), (2, None)), ((None, 3), (4, None)), ((-2, 0),)]
"""Bands on one wall, and below whether they hide who stands from 0 to 6 ft."""
HIDES = [False, False, True, True, True, True, False, False]


def equal_heights(seed):
    """A scene, and the walls that hide always as plain ones; None if bands on two walls could join."""
    it = seeded_walls(seed, 2, most_free=7) if seed % 2 else seeded_slits(seed, 2)
    s, rng = it.walls.subdivisions, random.Random(seed)
    walls, plain, parts = [], [], []
    for x0, y0, x1, y1 in it.walls.segments:
        which = rng.randrange(len(BANDS))
        ends = {"start": (x0 / s, y0 / s), "end": (x1 / s, y1 / s)}
        walls += [Wall(**ends, bottom=bottom, top=top) for bottom, top in BANDS[which]]
        if HIDES[which]:
            plain.append((x0, y0, x1, y1))
        elif BANDS[which]:
            parts.append(((x0, y0), (x1, y1)))
    for one, other in combinations(parts, 2):
        stretch = common_stretch(*one, other) if one[0] != one[1] else None
        if stretch is not None and stretch[0] != stretch[1]:
            return None
    rng.shuffle(walls)
    rows = ["".join(".#"[(x, y) in it.walls.solid] for x in range(it.walls.cols)) for y in range(it.walls.rows)]
    for x0, y0, x1, y1 in it.walls.edges:
        walls.append(Wall(start=(x0, y0), end=(x1, y1)))
    battle_map = BattleMap.from_rows(rows, walls=walls, subdivisions=s)
    return scene_of(battle_map, it), replace(it.walls, segments=tuple(plain)), it


def scene_of(battle_map, it):
    creatures = [Creature(id=f"c{k}", at=space[:2], space=space[2:], height=6) for k, space in enumerate((it.a, it.b))]
    return Scene(battle_map, tuple(creatures))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_equal_heights_as_plain_walls(chunk, counts):
    answers = [0, 0]
    for seed in range(chunk, EQUAL, CHUNKS):
        if (built := equal_heights(seed)) is None:
            continue
        scene, walls, it = built
        expected = bool(set(squares_of(it.a)) & set(squares_of(it.b))) or oracle.line_of_effect(walls, it.a, it.b)
        assert asked(scene) == (expected, expected), seed
        answers[expected] += 1
    counts.add(pairs_of_equal_heights_as_the_oracle=sum(answers), of_those_without_line_of_effect=answers[0])
    assert PROFILE == "reduced" or min(answers) > 0


# ---- limited and one-way walls


@pytest.mark.parametrize("seed", (*range(3000, 3009), 3022, 3032, 3046)[:: 4 if PROFILE == "reduced" else 1])
def test_limited_and_one_way_walls_as_the_oracle(seed):
    """Forth from the left of one-way walls, back through the same walls from the other side."""
    it = seeded_walls(seed, 2, largest=6, most_free=6) if seed % 2 else seeded_slits(seed, 2)
    rng, s, groups, walls = random.Random(seed), it.walls.subdivisions, ([], [], [], []), []
    keys = ({}, {"effect": "limited"}, {"blocks_from": "left"}, {"effect": "limited", "blocks_from": "left"})
    for x0, y0, x1, y1 in it.walls.segments:
        kind = rng.randrange(4)
        groups[kind].append((x0, y0, x1, y1))
        if rng.random() < 0.5 and kind > 1:  # the same wall from its other end
            own = keys[kind] | {"blocks_from": "right"}
            walls.append(Wall(start=(x1 / s, y1 / s), end=(x0 / s, y0 / s), **own))
        else:
            walls.append(Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s), **keys[kind]))
    rows = ["".join(".#"[(x, y) in it.walls.solid] for x in range(it.walls.cols)) for y in range(it.walls.rows)]
    walls += [Wall(start=(x0, y0), end=(x1, y1)) for x0, y0, x1, y1 in it.walls.edges]
    hard, limited, one_way, both = map(tuple, groups)
    special = oracle_walls.Special(replace(it.walls, segments=hard), limited, one_way, both)
    expected = tuple(oracle_walls.line_of_effect(special, *way, "each") for way in ((it.a, it.b), (it.b, it.a)))
    assert asked(scene_of(BattleMap.from_rows(rows, walls=walls, subdivisions=s), it)) == expected


# ---- known answers


def across(*walls, rows=("....",), at=((0, 0), (3, 0)), **keys):
    """The answers for two creatures of 6 ft past walls."""
    creatures = [Creature(id=f"c{k}", at=place, **keys.get(f"c{k}", {})) for k, place in enumerate(at)]
    found = [Wall(start=start, end=end, **own) for start, end, own in walls]
    return asked(Scene(BattleMap.from_rows(rows, walls=found), tuple(creatures)))


WHOLE = (2, 0), (2, 1)


@pytest.mark.parametrize(
    ("bands", "is_free"),
    [
        ([(0, 3), (3, 6)], False),
        ([(3, 6), (0, 3)], False),
        ([(0, 3.5), (3, 6)], False),
        ([(0, 3), (3.001, 6)], True),
        ([(0, 3)], True),
        ([(0, 6)], False),
        ([(-5, 20)], False),
        ([(0, 2), (2, 4), (4, 6)], False),
    ],
)
def test_bands_on_one_wall_are_joined(bands, is_free):
    walls = [(*WHOLE, {"bottom": bottom, "top": top}) for bottom, top in bands]
    assert across(*walls) == (is_free, is_free)


def test_bands_are_joined_where_walls_lie_on_each_other():
    """The lower one leaves the right part of the passage open, the upper one the left; where they overlap, nothing is."""
    low, high = {"bottom": 0, "top": 3}, {"bottom": 3, "top": 6}
    assert across(((2, 0), (2, 1), low), ((2, 0.25), (2, 1), high), ((2, 0), (2, 0.25), {})) == (False, False)
    assert across(((2, 0), (2, 1), low), ((2, 0.25), (2, 1), high)) == (True, True)
    assert across(((2, 0), (2, 0.5), low), ((2, 1), (2, 0.5), high)) == (True, True)


def test_bands_of_two_walls_are_not_joined():
    """One behind the other, each leaves a part of the body open."""
    assert across((*WHOLE, {"bottom": 0, "top": 3}), ((2.5, 0), (2.5, 1), {"bottom": 3, "top": 6})) == (True, True)


def test_who_stands_higher_sees_over():
    """A parapet of 6 ft hides two on the ground from each other; from a tower of 30 ft it is seen over, both ways."""
    wall = (*WHOLE, {"top": 6})
    assert across(wall) == (False, False)
    assert across(wall, c0={"elevation": 30}) == (True, True)
    assert across(wall, c1={"elevation": 6}) == (True, True)


def test_one_way():
    """A wall drawn downward has the east on its left."""
    assert across((*WHOLE, {"blocks_from": "left"})) == (True, False)
    assert across((*WHOLE, {"blocks_from": "right"})) == (False, True)
    assert across((*WHOLE[::-1], {"blocks_from": "right"})) == (True, False)
    assert across((*WHOLE, {"blocks_from": "left"}), (*WHOLE, {"blocks_from": "right"})) == (False, False)


def test_limited():
    """One lets through, two do not; two that lie on each other are one, and so are those on one straight line."""
    limited = {"effect": "limited"}
    assert across((*WHOLE, limited)) == (True, True)
    assert across((*WHOLE, limited), ((1.5, 0), (1.5, 1), limited)) == (False, False)
    assert across((*WHOLE, limited), (*WHOLE[::-1], limited)) == (True, True)
    assert across((*WHOLE, limited), ((1.5, 0), (1.5, 1), limited | {"top": 3})) == (True, True)


def test_the_oracle_is_asked_about_the_same():
    """The known answers about bands, by the oracle: whom a band hides wholly is out of sight."""
    bodies = Body((0, 0, 1, 1), 0, 6), Body((3, 0, 1, 1), 0, 6)
    base = oracle.Walls(1, 4, 1)
    for bands, is_free in ((((0, 3),), True), (((0, 6),), False), (((-5, 20),), False)):
        heights = Heights(base, tuple(Banded(((2, 0), (2, 1)), *band) for band in bands))
        segment = oracle_heights.find_segment(heights, *bodies, 20, random.Random(1))
        assert (segment is not None) == is_free
