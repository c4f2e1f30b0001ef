"""The facts of all pairs of a scene, against the oracle: from squares, walls and doors to masks and line of effect."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Walls, blocked_nibbles, cut_off, squares_of
from pair_facts import pair_facts
from strategies import build_space, build_walls

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.questions.creatures import bodies_of
from gridlos.questions.effect import has_lines_of_effect
from gridlos.questions.facts import Measures
from gridlos.questions.obstacles import are_channels_equal, obstacles_of
from gridlos.questions.specials import specials_of
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

EFFECT, SIGHT = 1, 2
KINDS = (
    ({}, EFFECT | SIGHT),
    ({"kind": "window"}, EFFECT),
    ({"kind": "curtain"}, SIGHT),
    ({"kind": "door"}, EFFECT | SIGHT),
    ({"kind": "door", "state": "open"}, 0),
    ({"kind": "secret door", "state": "locked"}, EFFECT | SIGHT),
)
"""Keys of a wall and what it stops (WIRE, walls)."""

few = settings(max_examples=max(5, settings().max_examples // 2))


def scene_of(walls, spaces, kinds):
    """A scene with these walls, the k-th of kind ``kinds[k]``; and the oracle's walls in both channels."""
    s = walls.subdivisions
    rows = ["".join("#" if (x, y) in walls.solid else "." for x in range(walls.cols)) for y in range(walls.rows)]
    ends = [tuple(s * v for v in edge) for edge in sorted(walls.edges)] + list(walls.segments)
    found = [
        Wall(start=(x0 / s, y0 / s), end=(x1 / s, y1 / s), **KINDS[kind][0])
        for (x0, y0, x1, y1), kind in zip(ends, kinds, strict=False)
    ]
    creatures = [Creature(id=f"c{k}", at=(x, y), space=(w, h)) for k, (x, y, w, h) in enumerate(spaces)]
    battle_map = BattleMap.from_rows(rows, walls=found, subdivisions=s)
    assert battle_map.segments.tolist() == [list(wall) for wall in ends]
    channels = [
        replace(
            walls,
            edges=frozenset(),
            segments=tuple(wall for wall, kind in zip(ends, kinds, strict=False) if KINDS[kind][1] & bit),
        )
        for bit in (EFFECT, SIGHT)
    ]
    return Scene(battle_map, creatures=creatures), channels


@st.composite
def scenes(draw, most_creatures=4, all_kinds=True):
    def below(bound):
        return draw(st.integers(0, bound - 1))

    walls = build_walls(below, largest=6, most_free=6)
    spaces = [build_space(below, walls, 3) for _ in range(1 + below(most_creatures))]
    walls = replace(walls, solid=walls.solid - {square for space in spaces for square in squares_of(space)})
    kinds = [below(len(KINDS)) if all_kinds else 0 for _ in range(len(walls.edges) + len(walls.segments))]
    return scene_of(walls, spaces, kinds)


def facts_of(scene, attackers=None, targets=None, diagonals="5-10-5"):
    everybody = np.arange(len(scene.creatures))
    rows, columns = (everybody if some is None else np.array(some, np.int64) for some in (attackers, targets))
    obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
    return pair_facts(
        scene,
        (obstacles, specials_of(scene)),
        bodies_of(scene.creatures, scene.battle_map.feet_per_square),
        rows,
        columns,
        Measures(diagonals=diagonals),
    )


def spaces_of(scene):
    return [tuple(space) for space in scene.spaces.tolist()]


def nibble(walls, square):
    """The corners that the square's centre sees."""
    return sum((not cut_off(walls, square, corner)) << corner for corner in range(4))


@given(scenes())
def test_lines_as_the_oracle(found):
    """Masks, cut-off corners and choices of squares of every ordered pair."""
    scene, (walls, _) = found
    spaces, facts = spaces_of(scene), facts_of(scene)
    n = len(spaces)
    assert facts.shape == (n, n)
    assert facts.distinct.tolist() == [[a != t for t in range(n)] for a in range(n)]
    for a, t in permutations(range(n), 2):
        some = slice(*facts.choice_start[a * n + t : a * n + t + 2])
        choices = list(product(squares_of(spaces[a]), squares_of(spaces[t])))
        assert list(map(tuple, facts.attacker_square[some].tolist())) == [p for p, _ in choices]
        assert list(map(tuple, facts.target_square[some].tolist())) == [q for _, q in choices]
        expected = [blocked_nibbles(walls, p, q) for p, q in choices]
        assert facts.hard[some].tolist() == expected
        assert facts.usable[some].tolist() == [nibble(walls, p) for p, _ in choices]
        assert facts.counted[some].tolist() == [nibble(walls, q) for _, q in choices]
        assert facts.any_free[a, t] == any(one != 15 for four in expected for one in four)


@few
@given(scenes())
def test_line_of_effect_and_of_sight_as_the_oracle(found):
    scene, channels = found
    spaces, facts = spaces_of(scene), facts_of(scene)
    for walls, answers in zip(channels, (facts.line_of_effect, facts.line_of_sight), strict=True):
        for a, t in product(range(len(spaces)), repeat=2):
            assert answers[a, t] == oracle.line_of_effect(walls, spaces[a], spaces[t])


@given(scenes(), st.randoms(use_true_random=False))
def test_any_attackers_against_any_targets(found, rng):
    """Some of the creatures in any order: the same answers as among all."""
    scene, _ = found
    n = len(scene.creatures)
    attackers, targets = rng.sample(range(n), rng.randint(1, n)), rng.sample(range(n), rng.randint(1, n))
    whole, part = facts_of(scene), facts_of(scene, attackers, targets)
    for name in ("distinct", "distance", "adjacent", "line_of_effect", "line_of_sight", "any_free"):
        assert np.array_equal(getattr(part, name), getattr(whole, name)[np.ix_(attackers, targets)]), name
    for k, (a, t) in enumerate(product(attackers, targets)):
        if a != t:
            here, there = slice(*part.choice_start[k : k + 2]), slice(*whole.choice_start[a * n + t : a * n + t + 2])
            for name in ("attacker_square", "target_square", "hard", "usable", "counted"):
                assert np.array_equal(getattr(part, name)[here], getattr(whole, name)[there]), name


@given(scenes())
def test_mutual(found):
    facts = facts_of(found[0])
    for name in ("distance", "adjacent", "line_of_effect", "line_of_sight", "any_free"):
        assert np.array_equal(getattr(facts, name), getattr(facts, name).T), name


@given(scenes())
def test_pure_function(found):
    """The same scene gives the same facts, and a map that was asked is the map that it was."""
    scene, _ = found
    before = [array.tobytes() for array in (scene.battle_map.segments, scene.battle_map.terrain, scene.spaces)]
    one, other = facts_of(scene), facts_of(scene)
    for name in one.__dataclass_fields__:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert [array.tobytes() for array in (scene.battle_map.segments, scene.battle_map.terrain, scene.spaces)] == before


def ways(facts):
    return facts.line_of_effect.astype(int), facts.line_of_sight.astype(int), facts.any_free.astype(int)


@given(scenes(), st.randoms(use_true_random=False))
def test_opening_a_door_never_hurts(found, rng):
    """Nobody loses a line, a corner or line of effect; unless the door is in line with the centre of a square."""
    scene, _ = found
    battle_map = scene.battle_map
    doors = [k for k, wall in enumerate(battle_map.walls) if wall.kind == "door"]
    doors = [k for k in doors if not is_through_a_centre(scene, battle_map.segments[k].tolist())]
    if not doors:
        return
    k = rng.choice(doors)
    states = {}
    for state in ("open", "closed"):
        walls = list(battle_map.walls)
        walls[k] = Wall(start=walls[k].start, end=walls[k].end, kind="door", state=state)
        states[state] = facts_of(scene.with_map(battle_map.with_walls(walls)))
    for opened, shut in zip(ways(states["open"]), ways(states["closed"]), strict=True):
        assert (opened >= shut).all()
    assert not (states["open"].hard & ~states["closed"].hard).any()
    assert not (states["closed"].usable & ~states["open"].usable).any()


def is_through_a_centre(scene, wall):
    s = scene.battle_map.subdivisions
    x0, y0, x1, y1 = (2 * v for v in wall)
    squares = [square for space in spaces_of(scene) for square in squares_of(space)]
    centres = [(2 * s * x + s, 2 * s * y + s) for x, y in squares]
    return any((x1 - x0) * (y - y0) == (y1 - y0) * (x - x0) for x, y in centres)


@given(scenes(all_kinds=False))
def test_walls_without_length_change_nothing(found):
    scene, _ = found
    s, walls = scene.battle_map.subdivisions, list(scene.battle_map.walls)
    points = [(x / s, y / s) for x, y in ((0, 0), (s, s), (s, 2 * s), (2 * s, s), (s // 2, s // 2))]
    more = [*walls, *(Wall(start=point, end=point) for point in points)]
    other = scene.with_map(scene.battle_map.with_walls(more))
    one, other = facts_of(scene), facts_of(other)
    for name in one.__dataclass_fields__:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


# ---- hand-made


def drawn(text):
    return Scene.from_drawing(text)


@pytest.mark.parametrize(
    ("kind", "effect", "sight"),
    [
        ("", False, False),
        ("window", False, True),
        ("curtain", True, False),
        ("door", False, False),
        ("door open", True, True),
        ("door locked", False, False),
        ("secret door", False, False),
    ],
)
@pytest.mark.parametrize("x", ["2", "2.25"])
def test_channels(kind, effect, sight, x):
    """On the grid and off it, across a corridor."""
    facts = facts_of(drawn(f"A..T\n####\n\nwall ({x}, 0)-({x}, 1) {kind}"))
    assert (facts.line_of_effect[0, 1], facts.line_of_sight[0, 1]) == (effect, sight)
    assert facts.any_free[0, 1] == effect
    assert (facts.hard[facts.choice_start[1]] == 15).all() != effect


def test_squares_stop_by_their_channels():
    """A square that stops sight alone, and one that stops effect alone."""
    legend = {"m": SquareKind(kind="wall", effect=False), "g": SquareKind(kind="wall", sight=False)}
    for letter, effect, sight in (("m", True, False), ("g", False, True), ("#", False, False), (".", True, True)):
        battle_map = BattleMap.from_rows([f".{letter}."], legend=legend)
        scene = Scene(battle_map, creatures=[Creature(id="a", at=(0, 0)), Creature(id="b", at=(2, 0))])
        facts = facts_of(scene)
        assert (facts.line_of_effect[0, 1], facts.line_of_sight[0, 1]) == (effect, sight)


def test_creatures_do_not_stop_lines():
    alone, crowded = drawn("A.T"), drawn("ABT")
    assert facts_of(alone).hard[1].tolist() == facts_of(crowded, [0], [2]).hard[0].tolist()


def test_spaces_that_overlap():
    """They have line of effect, whatever walls there are; their lines are judged like any others."""
    battle_map = BattleMap.from_rows(
        ["....", "...."], walls=[Wall(start=(1.5, 0), end=(1.5, 2)), Wall(start=(1, 0), end=(1, 2))]
    )
    creatures = [
        Creature(id="a", at=(0, 0), size="large"),
        Creature(id="b", at=(1, 0), size="large"),
        Creature(id="c", at=(1, 1)),
    ]
    facts = facts_of(Scene(battle_map, creatures=creatures))
    assert facts.line_of_effect.all()
    walls = Walls(2, 4, 2, segments=((3, 0, 3, 4), (2, 0, 2, 4)))
    some = slice(*facts.choice_start[1:3])
    choices = list(product(squares_of((0, 0, 2, 2)), squares_of((1, 0, 2, 2))))
    assert facts.hard[some].tolist() == [blocked_nibbles(walls, p, q) for p, q in choices]


def test_nobody_and_one():
    empty = facts_of(drawn("..."))
    assert empty.shape == (0, 0)
    assert empty.choice_start.tolist() == [0]
    alone = facts_of(drawn("A.."))
    assert alone.shape == (1, 1)
    assert not alone.distinct[0, 0]
    assert alone.choice_start.tolist() == [0, 1]


def test_walls_cut_nobody_off_from_himself():
    """Whatever is cut off elsewhere, and whatever has been asked of the map before."""
    walls = [Wall(start=start, end=end) for start, end in (((1.25, 0.5), (3, 1)), ((0.125, 0.5), (0.875, 0.25)))]
    for asks_before in (False, True):
        battle_map = BattleMap.from_rows(["....", "...."], walls=walls)
        if asks_before:
            assert obstacles_of(battle_map, Channel.EFFECT).uncut[0] != 15
        facts = facts_of(Scene(battle_map, (Creature(id="a", at=(1, 0)), Creature(id="b", at=(3, 1)))))
        assert facts.usable[[0, 3]].tolist() == facts.counted[[0, 3]].tolist() == [15, 15]
        assert not facts.hard[[0, 3]].any()
        assert facts.usable[1] != 15


def test_lines_of_effect_with_and_without_the_lines():
    """What the lines tell beforehand changes no answer."""
    for seed in range(40):
        rng = np.random.default_rng(seed)

        def below(bound, rng=rng):
            return int(rng.integers(bound))

        walls = build_walls(below, most_free=4)
        spaces = [build_space(below, walls, 2) for _ in range(4)]
        walls = replace(walls, solid=walls.solid - {square for space in spaces for square in squares_of(space)})
        scene, _ = scene_of(walls, spaces, [0] * (len(walls.edges) + len(walls.segments)))
        pairs = np.array(list(permutations(range(4), 2)), np.int64)
        alone = has_lines_of_effect(obstacles_of(scene.battle_map, Channel.EFFECT), scene.spaces, pairs)
        assert np.array_equal(alone, facts_of(scene).line_of_effect[pairs[:, 0], pairs[:, 1]])


def test_channels_are_equal_only_where_they_are():
    rows = ["...", ".#."]
    assert are_channels_equal(
        BattleMap.from_rows(rows, walls=[Wall(start=(0, 1), end=(1, 1)), Wall(start=(0, 0), end=(3, 2))])
    )
    for start, end in (((0, 1), (1, 1)), ((1, 0), (1, 1)), ((0.5, 0), (1, 1))):
        for kind in ("window", "curtain"):
            assert not are_channels_equal(BattleMap.from_rows(rows, walls=[Wall(start=start, end=end, kind=kind)]))
    assert not are_channels_equal(BattleMap.from_rows(["m"], legend={"m": SquareKind(kind="wall", effect=False)}))
    assert are_channels_equal(
        BattleMap.from_rows(rows, walls=[Wall(start=(0.5, 0), end=(1, 1), kind="door", state="open")])
    )
