"""Hidden fractions of squares: against two other judges, in all symmetries, and by hand geometry."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kernels.views import finer, moved, sides_of, split, views
from oracle import Walls, all_walls, corner_of, line_of_effect, on_wall, squares_of
from oracle_area import floating_fraction, hidden_fraction
from pair_facts import pair_facts
from strategies import seeded, seeded_slits, situations, slits

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.questions import area
from gridlos.questions.area import hidden_areas
from gridlos.questions.creatures import bodies_of
from gridlos.questions.facts import Measures
from gridlos.questions.obstacles import obstacles_of
from gridlos.questions.specials import specials_of
from gridlos.scene import Scene
from gridlos.walls import Wall

few = settings(max_examples=max(5, settings().max_examples // 3))
crowded = situations(largest_space=2, largest=5, most_free=5) | slits(2)
NOTHING = [0, 0, 0, 0]
ALL = [1, 1, 1, 1]


def map_of(walls):
    s = walls.subdivisions
    rows = ["".join("#" if (x, y) in walls.solid else "." for x in range(walls.cols)) for y in range(walls.rows)]
    ends = [tuple(s * v for v in edge) for edge in sorted(walls.edges)] + list(walls.segments)
    found = [Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s)) for x0, y0, x1, y1 in ends]
    return BattleMap.from_rows(rows, walls=found, subdivisions=s)


def on_map(battle_map, choices):
    """The four fractions of each choice, a pair of squares."""
    squares = np.array([[y * battle_map.cols + x for x, y in choice] for choice in choices], np.int64)
    return hidden_areas(battle_map, obstacles_of(battle_map, Channel.EFFECT), squares).tolist()


def fractions(walls, a, b):
    return on_map(map_of(walls), [(a, b)])[0]


def expected(walls, a, b):
    return [hidden_fraction(walls, a, corner, b) for corner in range(4)]


# ---- the other judges


@given(crowded)
def test_as_the_oracle(it):
    """Both ways."""
    a, b = it.a[:2], it.b[:2]
    assert on_map(map_of(it.walls), [(a, b), (b, a)]) == [expected(it.walls, a, b), expected(it.walls, b, a)]


@given(crowded, st.data())
def test_any_squares_as_the_oracle(it, data):
    """Solid ones, too, and a square against itself."""
    squares = st.tuples(st.integers(0, it.walls.cols - 1), st.integers(0, it.walls.rows - 1))
    targets = squares | st.sampled_from(sorted(it.walls.solid)) if it.walls.solid else squares
    a, b = data.draw(squares), data.draw(targets)
    assert fractions(it.walls, a, b) == expected(it.walls, a, b)


def test_many_seeds_as_the_oracle(counts):
    """Enough of them with a part of the square hidden."""
    n_parts = 0
    for seed in range(120):
        it = seeded_slits(seed, 2) if seed % 2 else seeded(seed, 2, 5, 5)
        a, b = it.a[:2], it.b[:2]
        found = fractions(it.walls, a, b)
        assert found == expected(it.walls, a, b), seed
        n_parts += sum(0 < one < 1 for one in found)
    assert n_parts > 60
    counts["hidden fractions, neither nothing nor all"] = n_parts


def test_as_shapely():
    """To nine digits, from corners without walls."""
    n = 0
    for seed in range(200):
        it = seeded_slits(seed, 2) if seed % 2 else seeded(seed, 2, 6, 8)
        a, b = it.a[:2], it.b[:2]
        for corner, found in enumerate(fractions(it.walls, a, b)):
            floating = floating_fraction(it.walls, a, corner, b)
            if floating is not None:
                assert float(found) == pytest.approx(floating, abs=1e-9), seed
                n += 1
    assert n > 150


# ---- what must hold


@few
@given(crowded)
def test_8_symmetries(it):
    a, b = it.a[:2], it.b[:2]
    known = fractions(it.walls, a, b)
    for view in views(it.walls):
        found = None
        for corner in range(4):
            a_seen, corner_seen, b_seen, _ = view.line(a, corner, b, 0)
            found = found or fractions(view.walls, a_seen, b_seen)
            assert found[corner_seen] == known[corner]


@given(crowded, st.sampled_from([(1, 0, 1), (0, 3, 1), (7, 5, 1), (300, 2, 7)]))
def test_translation(it, by):
    dx, dy, k = by
    far = moved(it.walls, dx, dy, k * it.walls.subdivisions)
    a, b = ((x + dx, y + dy) for x, y, _, _ in (it.a, it.b))
    assert fractions(far, a, b) == fractions(it.walls, it.a[:2], it.b[:2])


@given(crowded, st.randoms(use_true_random=False))
def test_splitting_reversing_duplicating_reordering_walls(it, rng):
    walls = finer(it.walls, 12)
    pieces = [
        piece
        for wall in walls.segments
        for piece in split(wall, (rng.randrange(13), rng.randrange(13)), rng.randrange(8))
    ]
    pieces += [wall[2:] + wall[:2] for wall in walls.segments if rng.randrange(2)]
    rng.shuffle(pieces)
    a, b = it.a[:2], it.b[:2]
    assert fractions(replace(walls, segments=tuple(pieces)), a, b) == fractions(it.walls, a, b)


@given(crowded)
def test_solid_square_is_its_four_sides(it):
    """As edges, and as free walls."""
    a, b = it.a[:2], it.b[:2]
    known = fractions(it.walls, a, b)
    sides = {side for square in it.walls.solid for side in sides_of(*square)}
    drawn = replace(it.walls, solid=frozenset(), edges=it.walls.edges | sides)
    assert fractions(drawn, a, b) == known
    s = it.walls.subdivisions
    loose = tuple(tuple(s * v for v in edge) for edge in sorted(drawn.edges))
    assert fractions(replace(drawn, edges=frozenset(), segments=it.walls.segments + loose), a, b) == known


@given(crowded, situations(largest_space=2, largest=5, most_free=5))
def test_one_more_wall_never_lessens_it(it, other):
    """Unless it is in line with the centre of the attacker's square: it takes what it continues out of that centre's way."""
    s = it.walls.subdivisions
    a, b = it.a[:2], it.b[:2]
    centre = s * (2 * a[0] + 1), s * (2 * a[1] + 1)
    extra = [*other.walls.segments, *(tuple(s * v for v in edge) for edge in sorted(other.walls.edges))]
    extra = [
        one
        for one in extra
        if (one[2] - one[0]) * (centre[1] - 2 * one[1]) != (one[3] - one[1]) * (centre[0] - 2 * one[0])
    ]
    assume(extra)
    before = fractions(it.walls, a, b)
    for wall in extra[:3] + extra[-3:]:
        after = fractions(replace(it.walls, segments=(*it.walls.segments, wall)), a, b)
        assert all(old <= new for old, new in zip(before, after, strict=True))


@given(crowded)
def test_what_is_seen_past_squares_and_edges_gives_line_of_effect(it):
    """From a corner that no wall touches: free walls might keep its own centre from seeing what lies round it."""
    walls = replace(it.walls, segments=())
    a, b = (*it.a[:2], 1, 1), (*it.b[:2], 1, 1)
    for corner, found in enumerate(fractions(walls, a[:2], b[:2])):
        point = corner_of(walls, a[:2], corner)
        if found < 1 and not any(on_wall(point, wall) for wall in all_walls(walls)):
            assert line_of_effect(walls, a, b)


@given(crowded, st.randoms(use_true_random=False))
def test_many_at_once_are_the_same_as_one_by_one(it, rng):
    """In any order, with repeats."""
    squares = squares_of(it.a) + squares_of(it.b)
    choices = [(rng.choice(squares), rng.choice(squares)) for _ in range(12)]
    battle_map = map_of(it.walls)
    assert on_map(battle_map, choices) == [on_map(battle_map, [choice])[0] for choice in choices]


def test_any_number_at_a_time(monkeypatch):
    battle_map = BattleMap.from_rows(["....", ".#..", "..#.", "...."])
    squares = [(x, y) for x in range(4) for y in range(4)]
    known = on_map(battle_map, list(product(squares, squares)))
    for at_once in (1, 100):
        monkeypatch.setattr(area, "_AT_ONCE", at_once)
        assert on_map(battle_map, list(product(squares, squares))) == known


def test_far_from_the_origin_and_fine():
    """The largest maps and the finest lattice: products of differences stay exact."""
    walls = Walls(2, 1600, 5040, segments=((5040 * 1598 + 1, 0, 5040 * 1598 + 1, 5040),))
    assert fractions(walls, (0, 0), (1598, 0)) == [Fraction(5039, 5040)] * 4
    assert fractions(walls, (1599, 0), (1598, 0))[0] == Fraction(1, 5040)
    slanted = replace(walls, segments=((5040 * 1597, 1, 5040 * 1598, 5039),))
    for a in ((0, 0), (0, 1), (1596, 0)):
        assert fractions(slanted, a, (1598, 0)) == expected(slanted, a, (1598, 0))


def test_nobody():
    battle_map = BattleMap.from_rows(["..", ".."])
    none = hidden_areas(battle_map, obstacles_of(battle_map, Channel.EFFECT), np.empty((0, 2), np.int64))
    assert none.shape == (0, 4)


# ---- by hand geometry: expected values from similar triangles


F = Fraction
FIGURES = {
    "nothing stands between": ([], (0, 0), (3, 1), NOTHING),
    "a long wall across": ([(1.5, -1, 1.5, 3)], (0, 0), (3, 0), ALL),
    "half a wall, two squares away": ([(2, 0, 2, 0.5)], (0, 0), (3, 0), [F(7, 8), 1, F(1, 8), 0]),
    "a wall through the target": ([(2.5, 0, 2.5, 1)], (0, 0), (2, 0), [F(1, 2)] * 4),
    "a wall along the target": ([(2, 0.5, 3, 0.5)], (0, 0), (2, 0), [F(1, 8), F(1, 4), F(1, 8), F(1, 4)]),
    "a wall across a corner of the target: both sides of it count": (
        [(2, 0.5, 2.5, 0)], (0, 0), (2, 0), [F(1, 2), F(5, 8), F(1, 4), F(1, 8)],
    ),
    "two crossing walls, as the square of them": ([(1, 0, 2, 1), (1, 1, 2, 0)], (0, 0), (2, 0), ALL),
    "a wall that cuts off a corner": ([(0.5, 0, 1, 0.5)], (0, 0), (2, 0), [1, 1, 0, 0]),
    "a wall along the own side": ([(0, 1, 4, 1)], (0, 1), (2, 0), ALL),
    "the same wall, both on one side": ([(0, 1, 4, 1)], (0, 1), (2, 1), NOTHING),
    "a wall that ends at a corner": ([(0, 1, 1, 1)], (0, 1), (2, 0), [1, 0, 0, 0]),
    "a wall along the line to a corner": ([(0, 0, 0.25, 0.25)], (0, 0), (2, 0), NOTHING),
    "the shadow's edge in the diagonal": ([(1, 1, 1, 2)], (0, 0), (1, 1), [F(1, 2), 0, 1, 0]),
    "neighbours side by side": ([], (0, 0), (1, 0), NOTHING),
    "a square against itself": ([(1, 0, 1, 4)], (1, 0), (1, 0), NOTHING),
    "a wall through one's own square, its centre on it": ([(1, 0.5, 2, 0.5)], (1, 0), (1, 0), [F(1, 2)] * 4),
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_figures(name):
    segments, a, b, answers = FIGURES[name]
    walls = Walls(4, 5, 4, segments=tuple(tuple(int(4 * v) for v in wall) for wall in segments))
    found = fractions(walls, a, b)
    assert found == answers
    assert expected(walls, a, b) == answers
    assert all(type(one) is Fraction for one in found)


LEG = (1, 1, 1.25, 1.25)
ABOVE, BELOW = (1.25, 1.25, 1.5, 1), (1.25, 1.25, 1, 1.5)
BEYOND = (0, 0, 1, 1)
LEGS = {
    "one wall, which ends at the corner: both sides": ([LEG], (0, 0)),
    "one wall, the way along it closed above: round the corner both sides all the same": ([LEG, ABOVE], (0, 0)),
    "one wall, the way along it closed below": ([LEG, BELOW], (0, 0)),
    "walls on both sides of the corner, both sides of the leg open": ([LEG, BEYOND], (0, 0)),
    "the way along the leg closed above": ([LEG, BEYOND, ABOVE], (0, 1)),
    "the way along the leg closed below": ([LEG, BEYOND, BELOW], (1, 0)),
    "the way along the leg closed on both sides": ([LEG, BEYOND, ABOVE, BELOW], (1, 1)),
}
"""Walls round corner 0 of square (1, 1), and what of (0, 1), below the leg, and of (1, 0), above it, is hidden from there."""


@pytest.mark.parametrize("name", LEGS)
def test_walls_along_the_leg(name):
    """A corner is on those sides of a wall along its leg on which one arrives from the centre."""
    segments, answers = LEGS[name]
    walls = Walls(4, 5, 8, segments=tuple(tuple(int(8 * v) for v in wall) for wall in segments))
    for target, answer in zip(((0, 1), (1, 0)), answers, strict=True):
        assert fractions(walls, (1, 1), target)[0] == answer
        assert hidden_fraction(walls, (1, 1), 0, target) == answer


DRAWN = {
    "a pillar": (["....", ".#..", "...."], (0, 0), (2, 1), [F(3, 4), F(1, 2), 1, 1]),
    "flush behind a pillar": (["....", ".#..", "...."], (0, 1), (2, 1), ALL),
    "past a pillar's corner": (["....", ".#..", "...."], (1, 0), (2, 1), [F(1, 2), 0, 1, 0]),
    "between two pillars that meet": (["..#.", ".#..", "...."], (0, 0), (2, 1), [1, 1, 1, 1]),
    "the pillar itself": (["....", ".#..", "...."], (0, 1), (1, 1), NOTHING),
    "a pillar behind its neighbour": (["....", ".##.", "...."], (0, 1), (2, 1), ALL),
}


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_figures(name):
    rows, a, b, answers = DRAWN[name]
    assert on_map(BattleMap.from_rows(rows), [(a, b)]) == [answers]


@pytest.mark.parametrize(
    ("keys", "hides"),
    [
        ({}, True),
        ({"kind": "window"}, True),
        ({"kind": "curtain"}, False),
        ({"kind": "door"}, True),
        ({"kind": "door", "state": "open"}, False),
        ({"kind": "low wall"}, False),
        ({"blocks_from": "left"}, False),
        ({"top": 5}, False),
        ({"effect": "limited", "sight": "limited"}, False),
        ({"cover": "improved"}, False),
    ],
)
def test_plain_walls_that_stop_effect_hide(keys, hides):
    """Off the grid and on it."""
    for x in (1.25, 1.0):
        battle_map = BattleMap.from_rows(["...."], walls=[Wall(start=(x, 0), end=(x, 1), **keys)])
        assert on_map(battle_map, [((0, 0), (2, 0)), ((3, 0), (0, 0))]) == [ALL if hides else NOTHING] * 2


# ---- as facts


def facts_of(scene, measures, attackers=None, targets=None):
    everybody = np.arange(len(scene.creatures))
    rows, columns = (everybody if some is None else np.array(some, np.int64) for some in (attackers, targets))
    walls = obstacles_of(scene.battle_map, Channel.EFFECT), specials_of(scene)
    bodies = bodies_of(scene.creatures, scene.battle_map.feet_per_square)
    return pair_facts(scene, walls, bodies, rows, columns, measures)


@few
@given(crowded, st.booleans())
def test_facts_of_every_ordered_pair(it, has_special):
    """Each way for itself, choice by choice; special walls between them or not."""
    more = [Wall(start=(0, 0), end=(it.walls.cols, it.walls.rows), kind="low wall")] if has_special else []
    plain = map_of(it.walls)
    spaces = [it.a, it.b, (*it.a[:2], 1, 1)]
    creatures = [Creature(id=f"c{k}", at=(x, y), space=(w, h)) for k, (x, y, w, h) in enumerate(spaces)]
    scene = Scene(plain.with_walls([*plain.walls, *more]), creatures=creatures)
    facts = facts_of(scene, Measures(hidden_area=True))
    assert facts.hidden_area.shape == facts.hard.shape
    for a, t in permutations(range(3), 2):
        some = slice(*facts.choice_start[3 * a + t : 3 * a + t + 2])
        choices = list(product(squares_of(spaces[a]), squares_of(spaces[t])))
        assert facts.hidden_area[some].tolist() == on_map(plain, choices)
    part = facts_of(scene, Measures(hidden_area=True), [1], [0])
    assert part.hidden_area.tolist() == facts.hidden_area[slice(*facts.choice_start[3:5])].tolist()
    for k in range(3):
        assert facts.hidden_area[facts.choice_start[4 * k]].tolist() == NOTHING


def test_the_two_ways_differ():
    """Beside a pillar: from one side its near corner hides the square behind it, from the other its far one."""
    facts = facts_of(Scene.from_drawing("A...\n.#T.\n....\n"), Measures(hidden_area=True))
    forth, back = facts.hidden_area[1].tolist(), facts.hidden_area[2].tolist()
    assert forth == [F(3, 4), F(1, 2), 1, 1]
    assert back == [0, 0, 1, 1]


def test_facts_that_nobody_asked_for():
    assert facts_of(Scene.from_drawing("A.#T"), Measures()).hidden_area is None


def test_facts_of_nobody():
    facts = facts_of(Scene.from_drawing("...."), Measures(hidden_area=True))
    assert facts.hidden_area.shape == (0, 4)
