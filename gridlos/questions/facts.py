"""The facts of all pairs of a scene's creatures: the kernels asked once for every two creatures, read both ways."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Channel, Hidden, Ints, Masks, PairFacts
from gridlos.kernels import line
from gridlos.questions.area import hidden_areas
from gridlos.questions.centre import centre_facts
from gridlos.questions.concealment import concealing_lines, target_concealment
from gridlos.questions.creatures import Bodies, flanked, reached, relations, soft_lines
from gridlos.questions.effect import effect_among_specials, has_lines_of_effect
from gridlos.questions.hiding import ALL_BLOCKED, TURNED, Hiding, Terms, any_free, hiding_of
from gridlos.questions.light import Eyes, light_facts
from gridlos.questions.obstacles import Obstacles, are_channels_equal, blocked_lines, obstacles_of
from gridlos.questions.specials import Specials
from gridlos.scene import Scene

__all__ = ["Measures", "nibbles_of", "pair_facts", "uncut_corners"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

_UNCUT = np.array([sum(1 << c for c in range(4) if legs >> (2 * c) & 3) for legs in range(256)], np.uint8)
"""The nibble of corners that their square's centre sees, by the low byte of its legs."""


@dataclass(frozen=True, slots=True)
class _Choices:
    """Squares against squares, pair by pair: ``starts (pairs + 1,)``, ``squares (n, 2)``, each ``row * cols + column``."""

    starts: Indices
    squares: Indices


@dataclass(frozen=True, slots=True)
class _Unordered:
    """What was found for every two creatures, ``first`` before ``second`` in the scene: all arrays pair by pair."""

    choices: _Choices
    blocked: Lines
    """By plain walls."""
    has_effect: Bools
    has_sight: Bools
    is_free: Bools
    """``(2, n)`` each: if the first of the two attacks, and if the second one does."""
    uncut: Masks
    """The nibble of corners of every square of the map that plain walls do not cut off."""
    hiding: Hiding | None
    """What special walls do."""


def _choices(spaces: Ints, first: Indices, second: Indices, cols: int) -> _Choices:
    """Return the choices of the pairs ``first[k]``, ``second[k]`` (indices into spaces), squares in reading order."""
    x, y, width, height = spaces.T.astype(np.int64)
    n_squares = width * height
    if n_squares.max(initial=1) == 1:
        corner = y * cols + x
        return _Choices(np.arange(len(first) + 1, dtype=np.int64), np.stack((corner[first], corner[second]), axis=1))
    n_first, n_second = n_squares[first], n_squares[second]
    starts = np.concatenate(([0], np.cumsum(n_first * n_second)))
    pair = np.repeat(np.arange(len(first)), n_first * n_second)
    place = np.arange(starts[-1]) - starts[pair]
    squares = np.empty((starts[-1], 2), np.int64)
    for column, (one, part) in enumerate(((first, place // n_second[pair]), (second, place % n_second[pair]))):
        who = one[pair]
        squares[:, column] = (y[who] + part // width[who]) * cols + x[who] + part % width[who]
    return _Choices(starts, squares)


@dataclass(frozen=True, slots=True)
class Measures:
    """What an edition lays down about distances, reach, flanking and eyes, and which facts it needs.

    ``diagonals``, ``second_diagonal``, ``dead_zone`` and ``unarmed_threatens`` are arguments of
    :func:`gridlos.questions.creatures.reached`, ``partner`` to ``requires_adjacent`` of
    :func:`gridlos.questions.creatures.flanked`. ``lines_along``, ``hidden_area``, ``flanking`` and
    ``centre`` (the line between the centres) say whether those facts
    are wanted. ``low_light_doubles`` and ``darkvision_unlimited`` are told in :class:`gridlos.questions.light.Eyes`.
    """

    diagonals: str = "5-10-5"
    second_diagonal: bool = False
    dead_zone: bool = True
    unarmed_threatens: bool = False
    flanking: bool = False
    partner: str = "ally"
    anchor: str = "any_square"
    corners: bool = True
    requires_adjacent: bool = False
    lines_along: bool = False
    least_hidden: int = int(Hidden.QUARTER)
    low_obstacles: bool = False
    hidden_area: bool = False
    low_light_doubles: bool = False
    darkvision_unlimited: bool = False
    centre: bool = False

    @property
    def eyes(self) -> Eyes:
        """What holds for light and for those who see in the dark."""
        return Eyes(self.diagonals, self.low_light_doubles, self.darkvision_unlimited)

    @property
    def terms(self) -> Terms:
        """What holds for lines past special walls."""
        return Terms(self.least_hidden, self.low_obstacles, self.diagonals)


def pair_facts(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    attackers: Indices,
    targets: Indices,
    measures: Measures,
) -> PairFacts:
    """Return the facts of ``attackers`` (A indices of the scene's creatures) against ``targets`` (T indices).

    ``walls`` are the plain ones that stop effect on the scene's map and the special ones, ``bodies`` all of its creatures.
    Each two creatures are asked about once; past plain walls, the lines of the way back are the same lines.
    """
    battle_map, spaces = scene.battle_map, scene.spaces
    n = len(spaces)
    asked = np.zeros((n, n), np.bool_)
    asked[np.minimum.outer(attackers, targets), np.maximum.outer(attackers, targets)] = True
    np.fill_diagonal(asked, val=False)
    first, second = np.nonzero(asked)
    found = _unordered(battle_map, walls, spaces, (first, second), measures)
    pair_of = np.full((n, n), -1, np.int64)
    pair_of[first, second] = pair_of[second, first] = np.arange(len(first))
    pair = pair_of[attackers[:, None], targets[None, :]]
    turned = attackers[:, None] > targets[None, :]
    sizes = spaces[:, 2].astype(np.int64) * spaces[:, 3]
    order = _Order(*_ordered_choices(found.choices, pair.ravel(), turned.ravel(), sizes[attackers], sizes[targets]))
    squares = order.either_way(found.choices.squares, found.choices.squares[:, ::-1])
    y, x = np.divmod(squares, battle_map.cols)
    places = np.stack((x, y), axis=2).astype(np.int32)
    standing, levels = (bodies.standing[attackers], bodies.standing[targets]), bodies.levels_of(attackers, targets)
    distance = grid.distance(*standing, measures.diagonals, levels=levels)
    line_of_sight = _either_way(found.has_sight, pair, turned)
    return PairFacts(
        distinct=pair >= 0,
        distance=distance,
        adjacent=grid.adjacent(*standing, levels=levels),
        line_of_effect=_either_way(found.has_effect, pair, turned),
        line_of_sight=line_of_sight,
        any_free=_either_way(found.is_free, pair, turned),
        choice_start=order.starts,
        attacker_square=places[:, 0],
        target_square=places[:, 1],
        **_facts_of_walls(found, squares, order, walls[1], measures),
        **_facts_of_lines(scene, walls[0], bodies, (first, second), found, order, measures),
        **_facts_of_areas(battle_map, walls[0], squares, order, measures),
        **_facts_of_concealed_targets(battle_map, spaces[targets]),
        **_facts_of_reach(scene, walls, bodies, (attackers, targets), (pair_of, found.has_effect), measures),
        **light_facts(scene, walls[0], bodies, (attackers, targets), (distance, line_of_sight), measures.eyes),
        **(centre_facts(scene, walls, bodies, attackers, targets, measures.terms) if measures.centre else {}),
    )


@dataclass(frozen=True, slots=True)
class _Order:
    """Where each ordered choice stands among the unordered ones.

    ``rows`` (-1: a creature against itself), ``starts`` of the pairs, and ``back``, whether it is read from the other side.
    """

    rows: Indices
    starts: Indices
    back: Bools

    def either_way(self, forth: NDArray[Any], back: NDArray[Any]) -> NDArray[Any]:
        """Return the rows of ``forth`` or, where read from the other side, of ``back``; zeros for a creature against itself."""
        none = np.zeros((1, *forth.shape[1:]), forth.dtype)
        turned = self.back.reshape(-1, *[1] * (forth.ndim - 1))
        return np.where(turned, np.concatenate((back, none))[self.rows], np.concatenate((forth, none))[self.rows])

    def nibbles(self, forth: Lines, back: Lines) -> Masks:
        """Return ``(C, 4)`` nibbles of lines whose 16 bits all are written from the first square to the second."""
        lines = self.either_way(forth, TURNED[back])
        return nibbles_of(lines)


def nibbles_of(lines: Lines) -> Masks:
    """Return ``(C, 4)``: the 16 bits of each choice by corners of the first square."""
    return np.stack([lines >> (4 * corner) & 15 for corner in range(4)], axis=1).astype(np.uint8)


def uncut_corners(obstacles: Obstacles) -> Masks:
    """Return the nibble of corners of every square of the map that plain walls do not cut off."""
    found: Masks = _UNCUT[(obstacles.legs & 0xFF).ravel()]
    return found


def _either_way(answers: Bools, pair: Indices, turned: Bools) -> Bools:
    """Return ``answers (2, n)`` for ordered pairs; True for a creature against itself, pair -1."""
    # One more entry at the end stands for that.
    whole = np.concatenate((answers, np.ones((2, 1), np.bool_)), axis=1)
    found: Bools = whole[turned.astype(np.int64), pair]
    return found


def _facts_of_walls(
    found: _Unordered, squares: Indices, order: _Order, specials: Specials | None, measures: Measures
) -> dict[str, Any]:
    """Return what walls hide on the lines, and which corners they cut off."""
    hiding = found.hiding
    if hiding is None or specials is None:
        return {
            "hard": order.nibbles(found.blocked, found.blocked),
            "usable": found.uncut[squares[:, 0]],
            "counted": found.uncut[squares[:, 1]],
        }
    codes = order.either_way(hiding.codes[:, 0], hiding.codes[:, 1]).reshape(-1, 4, 4)
    ends = order.either_way(hiding.ends[:, 0], hiding.ends[:, 1])
    words = order.either_way(hiding.words[:, 0], hiding.words[:, 1])
    nibbles = (words[:, None, :] >> (4 * np.arange(4))[:, None] & 15).astype(np.uint8)
    return {
        "plain": order.nibbles(found.blocked, found.blocked) if measures.hidden_area else None,
        "hard": ((codes == Hidden.ALL) << np.arange(4)).sum(axis=2).astype(np.uint8),
        "hidden": codes,
        "tagged": tuple((word, nibbles[:, :, k]) for k, word in enumerate(specials.words)) or None,
        "usable": ends[:, 0],
        "counted": ends[:, 1],
    }


def _facts_of_lines(
    scene: Scene,
    obstacles: Obstacles,
    bodies: Bodies,
    pairs: tuple[Indices, Indices],
    found: _Unordered,
    order: _Order,
    measures: Measures,
) -> dict[str, Any]:
    """Return what else lies on the lines: creatures, concealing squares, walls alongside."""
    battle_map = scene.battle_map
    both = np.stack(pairs, axis=1)
    choices = found.choices
    facts: dict[str, Any] = {}
    soft = soft_lines(bodies, both, choices.starts, choices.squares, (battle_map.rows, battle_map.cols))
    if soft is not None:
        facts["soft"] = order.nibbles(*soft)
    concealing = concealing_lines(battle_map, bodies.spaces, both, choices.starts, choices.squares, counted=found.uncut)
    if concealing is not None:
        for name in ("concealed", "concealed_at_border", "fog_depth"):
            levels = getattr(concealing, name)
            facts[name] = order.either_way(levels[:, 0], levels[:, 1])
    if measures.lines_along:
        along = line.lines_along(*obstacles.lines, choices.squares, found.blocked, obstacles.size)
        facts["along"] = order.nibbles(along, along)
    return facts


def _facts_of_areas(
    battle_map: BattleMap, obstacles: Obstacles, squares: Indices, order: _Order, measures: Measures
) -> dict[str, Any]:
    """Return what plain walls hide of the target squares; nothing of a creature from itself."""
    if not measures.hidden_area:
        return {}
    areas = np.full((len(squares), 4), Fraction(0), np.object_)
    others = order.rows >= 0
    areas[others] = hidden_areas(battle_map, obstacles, squares[others])
    return {"hidden_area": areas}


def _facts_of_concealed_targets(battle_map: BattleMap, spaces: Ints) -> dict[str, Any]:
    if not battle_map.concealment.any():
        return {}
    level, in_fog = target_concealment(battle_map, spaces)
    return {"target_concealed": level, "target_in_fog": in_fog}


def _facts_of_reach(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    who: tuple[Indices, Indices],
    known: tuple[Indices, Bools],
    measures: Measures,
) -> dict[str, Any]:
    """Return sides, reach, threat and flanking; lines of effect that are not ``known`` are found for it."""
    attackers, targets = who
    pair_of, has_effect = known

    def effect_between(pairs: Indices) -> Bools:
        places = pair_of[pairs[:, 0], pairs[:, 1]]
        answers = _either_way(has_effect, places, pairs[:, 0] > pairs[:, 1])
        rest = np.flatnonzero(places < 0)
        answers[rest] = _effect(scene.battle_map, walls, Channel.EFFECT, bodies.spaces, pairs[rest])[0]
        return answers

    reach = reached(
        bodies,
        targets,
        effect_between,
        measures.diagonals,
        second_diagonal=measures.second_diagonal,
        dead_zone=measures.dead_zone,
        unarmed_threatens=measures.unarmed_threatens,
    )
    facts: dict[str, Any] = {
        "relation": relations(bodies)[attackers[:, None], targets[None, :]],
        "in_reach": reach.reaches[attackers],
        "threatens": reach.threatens[attackers],
    }
    if measures.flanking:
        facts["flanked"] = flanked(
            bodies,
            attackers,
            targets,
            reach.threatens,
            partner=measures.partner,
            anchor=measures.anchor,
            corners=measures.corners,
            requires_adjacent=measures.requires_adjacent,
        )
    return facts


def _effect(
    battle_map: BattleMap,
    walls: tuple[Obstacles, Specials | None],
    channel: Channel,
    spaces: Ints,
    pairs: Indices,
    choices: _Choices | None = None,
    blocked: Lines | None = None,
) -> Bools:
    """Return ``(2, n)``: is there a line of effect, or of sight, between the two of each pair, forth and back?"""
    obstacles, specials = walls
    known = None if choices is None else (choices.starts, choices.squares)
    plain = has_lines_of_effect(obstacles, spaces, pairs, known, blocked)
    both = (plain, plain)
    if specials is not None:
        both = effect_among_specials(battle_map, specials, channel, obstacles, pairs, plain)
    return np.stack(both)


def _unordered(
    battle_map: BattleMap,
    walls: tuple[Obstacles, Specials | None],
    spaces: Ints,
    who: tuple[Indices, Indices],
    measures: Measures,
) -> _Unordered:
    """Return what the kernels find for the pairs ``who[0][k]``, ``who[1][k]`` of indices into ``spaces``."""
    obstacles, specials = walls
    pairs = np.stack(who, axis=1)
    choices = _choices(spaces, *who, battle_map.cols)
    blocked = blocked_lines(obstacles, choices.squares)
    has_effect = has_sight = _effect(battle_map, walls, Channel.EFFECT, spaces, pairs, choices, blocked)
    if not are_channels_equal(battle_map) or (specials is not None and not specials.are_channels_equal):
        for_sight = obstacles_of(battle_map, Channel.SIGHT), specials
        has_sight = _effect(battle_map, for_sight, Channel.SIGHT, spaces, pairs)
    uncut = uncut_corners(obstacles)
    hiding = None
    some_free = np.repeat((blocked != ALL_BLOCKED)[:, None], 2, axis=1)
    if specials is not None:
        creatures = np.repeat(pairs, np.diff(choices.starts), axis=0)
        hiding = hiding_of(battle_map, specials, obstacles, creatures, choices.squares, blocked, uncut, measures.terms)
        some_free = any_free(hiding)
    is_free = np.logical_or.reduceat(some_free, choices.starts[:-1]).T if len(pairs) else some_free.T
    return _Unordered(choices, blocked, has_effect, has_sight, is_free, uncut, hiding)


def _ordered_choices(
    choices: _Choices, pair: Indices, turned: Bools, n_attacker: Indices, n_target: Indices
) -> tuple[Indices, Indices, Bools]:
    """Return ``(row of each ordered choice among the unordered ones, starts, whether it is read from the other side)``.

    ``n_attacker (A,)`` and ``n_target (T,)`` are numbers of squares. A creature against itself (pair -1) gets one
    choice, row -1.
    """
    if len(choices.starts) == len(choices.squares) + 1:
        return pair, np.arange(len(pair) + 1, dtype=np.int64), turned
    n_a, n_t = (np.broadcast_to(n, (len(n_attacker), len(n_target))).ravel() for n in (n_attacker[:, None], n_target))
    counts = np.where(pair < 0, 1, n_a * n_t)
    starts = np.concatenate(([0], np.cumsum(counts)))
    who = np.repeat(np.arange(len(pair)), counts)
    place = np.arange(starts[-1]) - starts[who]
    i, j = np.divmod(place, n_t[who])
    back = turned[who]
    rows = choices.starts[pair[who]] + np.where(back, j * n_a[who] + i, place)
    return np.where(pair[who] < 0, -1, rows), starts, back
