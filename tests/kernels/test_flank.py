"""Flanking: the kernel and the oracle say the same of crowds round big and small targets."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import product

import numpy as np
import oracle_creatures as judge
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.crowds import (
    Crowd,
    bodies_on,
    build_crowd,
    build_melee,
    chooser,
    mirrored,
    seeded_crowd,
    spaces_of,
    transposed,
    views,
)
from oracle_creatures import Body, meets_opposite_sides, relation

from gridlos.creature import Creature
from gridlos.kernels import flank
from gridlos.questions import flanking as questions
from gridlos.questions.creatures import bodies_of

SCALE = {"reduced": 0.1, "default": 1, "thorough": 20}[os.environ.get("HYPOTHESIS_PROFILE", "default")]
MAPS = int(160 * SCALE)
PARTNERS = {"ally of attacker": flank.ATTACKERS_ALLY, "enemy of target": flank.TARGETS_ENEMY, "anybody": flank.ANYBODY}
RULES = list(product(PARTNERS, ("square", "space"), (True, False)))


def threats(below, n):
    """Who can attack whom, by chance."""
    table = np.array([[below(4) > 0 for _ in range(n)] for _ in range(n)], np.bool_)
    return table.reshape(n, n)


def relations(bodies):
    return np.array([[relation(one, other) for other in bodies] for one in bodies], np.uint8).reshape(len(bodies), -1)


def without_mounts(crowd):
    return replace(crowd, bodies=tuple(replace(body, mount=None) for body in crowd.bodies))


def flanked(crowd, able, attackers, targets, partner, anchor, with_ends):
    """The kernel's answer: ``able`` is of all creatures against all."""
    return flank.flanked(
        spaces_of(crowd),
        np.ascontiguousarray(able[:, targets]),
        relations(crowd.bodies),
        np.array(attackers, np.int64),
        np.array(targets, np.int64),
        PARTNERS[partner],
        anchor == "square",
        with_ends,
    ).tolist()


def by_oracle(crowd, able, attackers, targets, partner, anchor, with_ends):
    return [
        [
            judge.flanks(crowd.bodies, a, t, lambda k, m: bool(able[k, m]), partner, anchor, with_ends=with_ends)
            for t in targets
        ]
        for a in attackers
    ]


def smallest(crowd, able, a, t, rule):
    """As few creatures as still make kernel and oracle disagree about a pair."""
    keep = list(range(len(crowd.bodies)))

    def differ(keep):
        some = replace(crowd, bodies=tuple(crowd.bodies[k] for k in keep))
        case = (some, able[np.ix_(keep, keep)], [keep.index(a)], [keep.index(t)], *rule)
        return flanked(*case) != by_oracle(*case)

    again = True
    while again:
        again = False
        for k in keep:
            if k not in (a, t) and differ([m for m in keep if m != k]):
                keep, again = [m for m in keep if m != k], True
                break
    return [crowd.bodies[k] for k in keep], able[np.ix_(keep, keep)].tolist(), keep.index(a), keep.index(t), rule


@pytest.mark.parametrize("chunk", range(2))
def test_crowds(chunk, counts):
    found = [0, 0]
    for seed in range(chunk, MAPS, 2):
        limits = ({"size": 6}, {"largest": 1, "size": 5}, {"largest": 6, "size": 12}, {"most": 16, "size": 8})[seed // 8 % 4]
        below = chooser(seed)
        crowd = without_mounts(build_melee(below) if seed % 8 < 4 else seeded_crowd(seed, **limits))
        n = len(crowd.bodies)
        able, rule = threats(below, n), RULES[below(len(RULES))]
        attackers, targets = ([k for k in range(n) if below(4)] for _ in range(2))
        case = (crowd, able, attackers, targets, *rule)
        kernel, oracle = flanked(*case), by_oracle(*case)
        for (i, a), (j, t) in product(enumerate(attackers), enumerate(targets)):
            assert kernel[i][j] == oracle[i][j], (seed, smallest(crowd, able, a, t, rule))
            found[kernel[i][j]] += 1
    counts["pairs for flanking as the oracle"] += sum(found)
    counts["of them flank"] += found[1]
    assert SCALE < 1 or min(found) > 30


@st.composite
def crowds_with_threats(draw):
    def below(bound):
        return draw(st.integers(0, bound - 1))

    crowd = without_mounts(build_crowd(below, size=6))
    return crowd, threats(below, len(crowd.bodies)), RULES[below(len(RULES))]


@given(crowds_with_threats())
def test_drawn_crowds(drawn):
    crowd, able, rule = drawn
    everybody = list(range(len(crowd.bodies)))
    assert flanked(crowd, able, everybody, everybody, *rule) == by_oracle(crowd, able, everybody, everybody, *rule)


@given(crowds_with_threats())
def test_eight_symmetries(drawn):
    crowd, able, rule = drawn
    everybody = list(range(len(crowd.bodies)))
    expected = flanked(crowd, able, everybody, everybody, *rule)
    for seen, _ in views(crowd):
        assert flanked(seen, able, everybody, everybody, *rule) == expected


@given(crowds_with_threats(), st.integers(0, 2**22), st.integers(0, 2**22))
def test_moved(drawn, dx, dy):
    crowd, able, rule = drawn
    everybody = list(range(len(crowd.bodies)))
    moved = crowd.moved(dx, dy, crowd.rows + dy, crowd.cols + dx)
    assert flanked(moved, able, everybody, everybody, *rule) == flanked(crowd, able, everybody, everybody, *rule)


@given(crowds_with_threats(), st.integers(0, 10**6))
def test_who_threatens_nobody_changes_nothing(drawn, seed):
    crowd, able, rule = drawn
    below, n = chooser(seed), len(crowd.bodies)
    more = replace(crowd, bodies=crowd.bodies + bodies_on([(below(crowd.cols), below(crowd.rows), 1, 1)] * 2, side="party"))
    larger = np.zeros((n + 2, n + 2), np.bool_)
    larger[:n, :n] = able
    everybody = list(range(n))
    assert flanked(more, larger, everybody, everybody, *rule) == flanked(crowd, able, everybody, everybody, *rule)


@given(crowds_with_threats(), st.integers(0, 10**6))
def test_order_and_company_of_the_asked_change_nothing(drawn, seed):
    crowd, able, rule = drawn
    rng, n = np.random.default_rng(seed), len(crowd.bodies)
    whole = np.array(flanked(crowd, able, list(range(n)), list(range(n)), *rule))
    attackers, targets = rng.permutation(n)[: 1 + seed % n], rng.permutation(n)[: 1 + seed // 7 % n]
    some = np.array(flanked(crowd, able, attackers, targets, *rule))
    assert np.array_equal(some, whole[np.ix_(attackers, targets)])


@given(crowds_with_threats())
def test_partners_flank_together(drawn):
    """Of allies each is the other's partner; centres of spaces flank only where squares do, unless they are no centres
    of squares; ends of sides only add."""
    crowd, able, (_, anchor, _) = drawn
    everybody = list(range(len(crowd.bodies)))
    with_ends = np.array(flanked(crowd, able, everybody, everybody, "ally of attacker", anchor, True))
    without = np.array(flanked(crowd, able, everybody, everybody, "ally of attacker", anchor, False))
    assert not (without & ~with_ends).any()
    for t in everybody:
        flankers = [a for a in everybody if with_ends[a, t]]
        assert len(flankers) != 1
        for a in flankers:
            assert any(relation(crowd.bodies[a], crowd.bodies[b]) == judge.ALLY for b in flankers if b != a)


def test_segments_and_sides():
    """Every segment with ends on a small grid, and every rectangle on it."""
    grid = list(product(range(7), range(7)))
    rng = np.random.default_rng(5)
    boxes = [(1, 1, 2, 2), (1, 1, 1, 1), (1, 2, 2, 1), (2, 1, 1, 2), (0, 0, 3, 3)]
    found = [0, 0]
    for p, q in product(grid, grid):
        x, y, width, height = boxes[rng.integers(len(boxes))]
        for with_ends in (True, False):
            expected = meets_opposite_sides(p, q, (x, y, width, height), with_ends)
            sides = 2 * x, 2 * y, 2 * (x + width), 2 * (y + height)
            assert flank.meets_opposite_sides(*p, *q, *sides, with_ends) == expected, (p, q, sides, with_ends)
            found[expected] += 1
    assert min(found) > 100


# ---- from creatures: reach, threat and partners


def scene(below):
    """Creatures with reach, mounts, levels and conditions: as the oracle and as the package read them."""
    crowd = build_melee(below)
    bodies, creatures = [], []
    is_high = below(5) == 0
    for k, one in enumerate(crowd.bodies):
        reach = (0, 1, 1, 2, 2, 3)[below(6)]
        reach_min = below(4) // 3 if reach > 1 else 0
        is_able, can_be_flanked, level = below(9) > 0, below(12) > 0, below(3) if is_high else 0
        body = replace(
            one, reach=reach, reach_min=reach_min, is_able=is_able, can_be_flanked=can_be_flanked, level=level
        )
        bodies.append(body)
        x, y, width, height = body.space
        creatures.append(
            Creature(
                id=f"c{k}",
                at=(x, y),
                space=(width, height),
                side=body.side,
                reach=5 * reach,
                reach_min=5 * reach_min,
                elevation=5 * level if level else None,
                can_be_flanked=can_be_flanked,
                mount=None if body.mount is None else f"c{body.mount}",
            )
        )
    return Crowd(crowd.rows, crowd.cols, tuple(bodies)), creatures


def carried(bodies):
    """Every rider in the place of its mount, which has no riders any more."""
    def root(k):
        for _ in bodies:
            k = k if bodies[k].mount is None else bodies[k].mount
        return bodies[k]

    return [
        replace(body, space=root(k).space, level=root(k).level, mount=None) for k, body in enumerate(bodies)
    ]  # fmt: skip


WORDS = {"ally of attacker": "ally", "enemy of target": "enemy_of_target", "anybody": "any_threatener"}
ANCHORS = {"square": "any_square", "space": "centre"}


@pytest.mark.parametrize("chunk", range(2))
def test_creatures(chunk, counts):
    found, asked = 0, 0
    for seed in range(chunk, MAPS, 2):
        below = chooser(10_000 + seed)
        crowd, creatures = scene(below)
        standing = carried(crowd.bodies)
        n = len(creatures)
        everybody = np.arange(n)
        diagonals, second, dead_zone = ("5-10-5", "1")[below(2)], bool(below(2)), bool(below(2))
        partner, anchor, with_ends = RULES[below(len(RULES))]
        must_be_adjacent = bool(below(2))
        hidden = {(below(n), below(n)) for _ in range(below(4))}  # pairs without line of effect

        def sees(k, t, hidden=hidden):
            return (k, t) not in hidden and (t, k) not in hidden

        is_able = np.array([one.is_able for one in crowd.bodies], np.bool_)
        bodies = bodies_of(creatures, is_able=is_able)
        reached = questions.reached(
            bodies,
            everybody,
            lambda pairs, sees=sees: np.array([sees(k, t) for k, t in pairs.tolist()], np.bool_),
            diagonals,
            second_diagonal=second,
            dead_zone=dead_zone,
        )
        limits = [replace(body, reach_min=body.reach_min if dead_zone else 0) for body in standing]
        reaches = [
            [k != t and sees(k, t) and judge.is_in_reach(limits[k], limits[t], diagonals, second) for t in range(n)]
            for k in range(n)
        ]
        assert reached.reaches.tolist() == reaches, seed
        threatens = [[reaches[k][t] and crowd.bodies[k].is_able for t in range(n)] for k in range(n)]
        assert reached.threatens.tolist() == threatens, seed
        kernel = questions.flanked(
            bodies,
            everybody,
            everybody,
            reached.threatens,
            partner=WORDS[partner],
            anchor=ANCHORS[anchor],
            corners=with_ends,
            requires_adjacent=must_be_adjacent,
        ).tolist()
        oracle = [
            [
                judge.flanks(standing, a, t, lambda k, m, t_=threatens: t_[k][m], partner, anchor, must_be_adjacent, with_ends)
                for t in range(n)
            ]
            for a in range(n)
        ]
        assert kernel == oracle, (seed, crowd.bodies)
        asked += n * (n - 1)
        found += sum(map(sum, kernel))
    counts["pairs for reach and flanking as the oracle"] += asked
    assert SCALE < 1 or found > 10


def test_views_are_views():
    """A crowd mirrored or transposed twice is itself."""
    crowd = seeded_crowd(3)
    assert mirrored(mirrored(crowd)) == transposed(transposed(crowd)) == crowd
    assert Body((0, 0, 1, 1)) == Body((0, 0, 1, 1))
