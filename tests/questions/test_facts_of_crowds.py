"""The facts of whole scenes with creatures, fog and walls, against the oracles: what lies on lines, reach, flanking."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import oracle
import oracle_creatures as judge
import pytest
from kernels.crowds import build_crowd, build_melee, chooser
from oracle_creatures import Body
from pair_facts import pair_facts

from gridlos.battlemap import BattleMap
from gridlos.creature import Creature
from gridlos.facts import Channel
from gridlos.questions.creatures import bodies_of
from gridlos.questions.facts import Measures
from gridlos.questions.obstacles import obstacles_of
from gridlos.scene import Scene
from gridlos.walls import SquareKind, Wall

SCALE = {"reduced": 0.2, "default": 1, "thorough": 10}[os.environ.get("HYPOTHESIS_PROFILE", "default")]
SCENES = int(20 * SCALE)
GROUND = {  # letters, how much each conceals, whether it is fog
    "f": (judge.CONCEALED, True),
    "b": (judge.CONCEALED, False),
    "l": (judge.LIGHT, False),  # light fog hides no more where there is more of it
    "h": (judge.HEAVY, True),
    "t": (judge.TOTAL, False),
}
LEGEND = {
    "l": SquareKind(kind="fog", concealment="light"),
    "h": SquareKind(kind="fog", concealment="heavy"),
    "t": SquareKind(kind="brush", concealment="total"),
}
SIZE_OF_SPACE = {(1, 1): "medium", (2, 2): "large", (3, 3): "huge"}


def build_scene(below):
    """A crowd with its keys, walls on edges of squares and aslant, and squares that conceal."""
    crowd = build_crowd(below, most=6, size=7) if below(3) else build_melee(below)
    bodies = []
    for body in crowd.bodies:
        reach, level = (0, 1, 1, 2, 3)[below(5)], below(9) // 8
        more = {"reach": reach, "reach_min": int(reach > 1 and below(3) == 0), "is_able": below(8) > 0, "level": level}
        bodies.append(replace(body, can_be_flanked=below(10) > 0, **more))
    rows = [["."] * crowd.cols for _ in range(crowd.rows)]
    if below(3):
        for y, x in product(range(crowd.rows), range(crowd.cols)):
            if below(3) == 0:
                rows[y][x] = "ffbhlt"[below(6)]
    walls = []
    for _ in range(below(5)):
        x, y = 2 * below(crowd.cols + 1), 2 * below(crowd.rows + 1)
        dx, dy = ((2, 0), (0, 2), (0, 4), (1, 2), (3, 1), (1, 1))[below(6)]
        walls.append((x, y, x + dx, y + dy))
    return replace(crowd, bodies=tuple(bodies)), tuple("".join(row) for row in rows), tuple(walls)


def scene_of(crowd, rows, walls):
    """The scene, and the oracle's walls."""
    creatures = []
    for k, body in enumerate(crowd.bodies):
        x, y, *space = body.space
        creatures.append(
            Creature(
                id=f"c{k}",
                at=(x, y),
                size=SIZE_OF_SPACE.get(tuple(space), "medium"),
                space=tuple(space),
                side=body.side,
                reach=5 * body.reach,
                reach_min=5 * body.reach_min,
                elevation=5 * body.level,
                gives_cover=body.gives_cover,
                can_be_flanked=body.can_be_flanked,
                mount=None if body.mount is None else f"c{body.mount}",
            )
        )
    drawn = [Wall(start=(x0 / 2, y0 / 2), end=(x1 / 2, y1 / 2)) for x0, y0, x1, y1 in walls]
    battle_map = BattleMap.from_rows(rows, legend=LEGEND, walls=drawn, subdivisions=2)
    return Scene(battle_map, tuple(creatures)), oracle.Walls(crowd.rows, crowd.cols, 2, segments=walls)


def carried(bodies):
    """Every rider in the place of its mount, which has no riders any more."""
    found = []
    for k, body in enumerate(bodies):
        root = k
        for _ in bodies:
            root = root if bodies[root].mount is None else bodies[root].mount
        found.append(replace(body, space=bodies[root].space, level=bodies[root].level, mount=None))
    return found


PARTNERS = {"ally": "ally of attacker", "enemy_of_target": "enemy of target", "any_threatener": "anybody"}
ANCHORS = {"any_square": "square", "centre": "space"}


def build_measures(below):
    return Measures(
        diagonals=("5-10-5", "1")[below(2)],
        second_diagonal=bool(below(2)),
        dead_zone=bool(below(2)),
        flanking=True,
        partner=tuple(PARTNERS)[below(3)],
        anchor=tuple(ANCHORS)[below(2)],
        corners=bool(below(3)),
        requires_adjacent=bool(below(2)),
    )


@cache
def uncut(walls, square):
    return [corner for corner in range(4) if not oracle.cut_off(walls, square, corner)]


def lines_of(below, facts, bodies, walls, fog, attackers, targets):
    """What the facts say of the lines, and what the oracles say, of some choices of each pair."""
    for i, a in enumerate(attackers):
        for j, t in enumerate(targets):
            pair = i * len(targets) + j
            if a == t:
                continue
            choices = judge.choices(bodies[a].space, bodies[t].space)
            first, last = facts.choice_start[pair], facts.choice_start[pair + 1]
            assert last - first == len(choices)
            for choice, (square, other) in zip(range(first, last), choices, strict=True):
                if below(len(choices)) >= 2:
                    continue
                assert tuple(facts.attacker_square[choice]) == square
                assert tuple(facts.target_square[choice]) == other
                counted = uncut(walls, other)
                expected = {
                    "soft": judge.soft_of(bodies, a, t, square, other),
                    "concealed": judge.concealed(fog, bodies[a].space, square, other, counted),
                    "concealed_at_border": judge.concealed_at_border(fog, bodies[a].space, square, other, counted),
                    "fog_depth": judge.fog_depth(fog, square, other, counted),
                }
                for name, values in expected.items():
                    array = getattr(facts, name)
                    yield (a, t, square, other, name), [0] * 4 if array is None else array[choice].tolist(), values


def reach_of(bodies, walls, measures, attackers, targets):
    """What the oracles say of distance, reach, threat and flanking."""
    standing = carried(bodies)
    if not measures.dead_zone:
        standing = [replace(body, reach_min=0) for body in standing]

    @cache
    def reaches(k, t):
        is_near = judge.is_in_reach(standing[k], standing[t], measures.diagonals, measures.second_diagonal)
        return k != t and is_near and oracle.line_of_effect(walls, bodies[k].space, bodies[t].space)

    def threatens(k, t):
        return reaches(k, t) and bodies[k].is_able

    rules = {
        "partner": PARTNERS[measures.partner],
        "anchor": ANCHORS[measures.anchor],
        "must_be_adjacent": measures.requires_adjacent,
        "with_ends": measures.corners,
    }
    asked = {
        "distance": lambda a, t: judge.distance(
            standing[a].space, standing[t].space, measures.diagonals, up_between(standing[a], standing[t])
        ),
        "adjacent": lambda a, t: judge.are_adjacent(
            standing[a].space, standing[t].space, up_between(standing[a], standing[t])
        ),
        "relation": lambda a, t: judge.relation(bodies[a], bodies[t]),
        "in_reach": reaches,
        "threatens": threatens,
        "flanked": lambda a, t: judge.flanks(standing, a, t, threatens, **rules),
    }
    return {name: [[answer(a, t) for t in targets] for a in attackers] for name, answer in asked.items()}


def up_between(one: Body, other: Body) -> int:
    return judge.gap(one.level, one.space[2], other.level, other.space[2])


@pytest.mark.parametrize("chunk", range(2))
def test_crowds_in_fog_between_walls(chunk, counts):
    compared, found = 0, {}
    for seed in range(chunk, SCENES, 2):
        below = chooser(20_000 + seed)
        crowd, rows, walls = build_scene(below)
        scene, solid = scene_of(crowd, rows, walls)
        n = len(crowd.bodies)
        attackers, targets = ([k for k in range(n) if below(4)] or [0] for _ in range(2))
        measures = build_measures(below)
        obstacles = obstacles_of(scene.battle_map, Channel.EFFECT)
        facts = pair_facts(
            scene,
            (obstacles, None),
            bodies_of(scene.creatures, scene.battle_map.feet_per_square, is_able=np.array([one.is_able for one in crowd.bodies])),
            np.array(attackers),
            np.array(targets),
            measures,
        )
        fog = judge.fog_of(rows, GROUND)
        for where, kernel, expected in lines_of(below, facts, crowd.bodies, solid, fog, attackers, targets):
            assert kernel == expected, (seed, crowd, rows, walls, where)
            compared += 16
        distinct = np.not_equal.outer(attackers, targets)
        for name, expected in reach_of(crowd.bodies, solid, measures, attackers, targets).items():
            kernel, wanted = getattr(facts, name), np.array(expected)
            assert np.array_equal(kernel[distinct], wanted[distinct]), (seed, name, crowd.bodies, walls, measures)
            found[name] = found.get(name, 0) + int(wanted[distinct].astype(bool).sum())
        if facts.target_concealed is not None:
            spaces = [crowd.bodies[t].space for t in targets]
            assert facts.target_concealed.tolist() == [judge.whole_space(fog, space) for space in spaces]
            in_fog = [all(square in fog.fog for square in judge.squares_of(space)) for space in spaces]
            assert facts.target_in_fog.tolist() == in_fog
    counts["lines of whole scenes as the oracles"] += compared
    assert SCALE < 1 or min(found.values()) > 0, found
