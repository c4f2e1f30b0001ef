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
from gridlos.kernels import line, pairs
from gridlos.questions.area import hidden_areas
from gridlos.questions.centre import centre_facts
from gridlos.questions.choices import AskedPairs, Choices, Order
from gridlos.questions.concealment import concealing_lines, conceals, target_concealment
from gridlos.questions.creatures import Bodies, flanked, reached, soft_lines
from gridlos.questions.effect import effect_among_specials, has_lines_of_effect
from gridlos.questions.hiding import ALL_BLOCKED, Hiding, Terms, any_free, hiding_of
from gridlos.questions.light import Eyes, light_facts
from gridlos.questions.obstacles import Obstacles, are_channels_equal, blocked_lines, obstacles_of
from gridlos.questions.specials import Specials
from gridlos.scene import Scene

__all__ = ["Measures", "facts_of_pairs", "pair_facts"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]

@dataclass(frozen=True, slots=True)
class _Unordered:
    """What was found for every two creatures, ``first`` before ``second`` in the scene: all arrays pair by pair."""

    choices: Choices
    blocked: Lines
    """By plain walls."""
    answers: Bools
    """``(3, 2, n)``: line of effect, line of sight and a free corner line, if the first of the two attacks, and if the second does."""
    uncut: Masks
    """The nibble of corners of every square of the map that plain walls do not cut off."""
    hiding: Hiding | None
    """What special walls do."""


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
    return facts_of_pairs(scene, walls, bodies, AskedPairs.grid(attackers, targets, len(scene.spaces)), measures)


def facts_of_pairs(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    asked: AskedPairs,
    measures: Measures,
) -> PairFacts:
    """Return the facts of some pairs; arguments as for :func:`pair_facts`."""
    battle_map, spaces = scene.battle_map, scene.spaces
    found = _unordered(battle_map, walls, spaces, asked.pairs, measures)
    order = Order.of(asked, spaces, found.choices)
    ends = pairs.ends_either_way(order.rows, order.back, found.choices.squares, found.uncut, battle_map.cols)
    answers = pairs.answers_either_way(asked.pair, asked.turned, found.answers)
    effect, sight, is_free = (asked.shaped(one) for one in answers)
    distance, adjacent, relation, within = _measured(bodies, asked, measures)
    return PairFacts(
        distinct=asked.shaped(asked.pair) >= 0,
        distance=distance,
        adjacent=adjacent,
        line_of_effect=effect,
        line_of_sight=sight,
        any_free=is_free,
        choice_start=order.starts,
        attacker_square=ends[0],
        target_square=ends[1],
        relation=relation,
        listed=asked.listed,
        **_facts_of_walls(found, ends[2], order, walls[1], measures),
        **_facts_of_lines(scene, walls[0], bodies, asked.pairs, found, order, measures),
        **_facts_of_areas(battle_map, walls[0], ends, order, measures),
        **_facts_of_concealed_targets(battle_map, spaces[asked.columns]),
        **_facts_of_reach(scene, walls, bodies, asked, (found.answers[0], effect, within), measures),
        **_facts_of_light(scene, walls[0], bodies, asked, (distance, sight), measures),
        **_facts_of_centres(scene, walls, bodies, asked, measures),
    )


def _measured(bodies: Bodies, asked: AskedPairs, measures: Measures) -> tuple[Ints, Bools, Masks, Bools]:
    """Return distance, adjacency, relation and who is within reach, where walls play no part, in the pairs' shape."""
    is_second_double = grid.Diagonals(measures.diagonals) is grid.Diagonals.EVERY_SECOND_DOUBLE
    flags = is_second_double, measures.second_diagonal, measures.dead_zone
    found = pairs.measure(bodies.numbers, asked.attackers, asked.targets, *flags)
    distance, adjacent, relation, within = map(asked.shaped, found)
    return distance, adjacent, relation, within


def _facts_of_walls(
    found: _Unordered, corners: Masks, order: Order, specials: Specials | None, measures: Measures
) -> dict[str, Any]:
    """Return what walls hide on the lines, and which corners they cut off; plain walls leave the ``corners (C, 2)``."""
    hiding = found.hiding
    if hiding is None or specials is None:
        usable, counted = corners.T
        return {"hard": order.nibbles(found.blocked, found.blocked), "usable": usable, "counted": counted}
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
    both: Indices,
    found: _Unordered,
    order: Order,
    measures: Measures,
) -> dict[str, Any]:
    """Return what else lies on the lines: creatures, concealing squares, walls alongside."""
    battle_map = scene.battle_map
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
    battle_map: BattleMap, obstacles: Obstacles, ends: tuple[Ints, Ints, Masks], order: Order, measures: Measures
) -> dict[str, Any]:
    """Return what plain walls hide of the target squares; nothing of a creature from itself."""
    if not measures.hidden_area:
        return {}
    areas = np.full((len(order.rows), 4), Fraction(0), np.object_)
    others = order.rows >= 0
    places = [one[others].astype(np.int64) for one in ends[:2]]
    squares = np.stack([one[:, 1] * battle_map.cols + one[:, 0] for one in places], axis=1)
    areas[others] = hidden_areas(battle_map, obstacles, squares)
    return {"hidden_area": areas}


def _facts_of_concealed_targets(battle_map: BattleMap, spaces: Ints) -> dict[str, Any]:
    if not conceals(battle_map):
        return {}
    level, in_fog = target_concealment(battle_map, spaces)
    return {"target_concealed": level, "target_in_fog": in_fog}


def _facts_of_reach(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    asked: AskedPairs,
    known: tuple[Bools, Bools, Bools],
    measures: Measures,
) -> dict[str, Any]:
    """Return reach, threat and flanking.

    ``known`` are the lines of effect of every two of the pairs, those of the pairs, and who of these is within reach where walls
    play no part; other lines of effect are found for flanking.
    """
    has_effect, effect, within = known
    if not measures.flanking:
        in_reach = within & effect & (asked.shaped(asked.pair) >= 0)
        threatening = bodies.threatening(unarmed=measures.unarmed_threatens)
        return {"in_reach": in_reach, "threatens": in_reach & threatening[asked.rows][:, None]}

    def effect_between(pairs: Indices) -> Bools:
        places = asked.place[pairs[:, 0], pairs[:, 1]]
        answers = np.zeros(len(pairs), np.bool_)
        known, rest = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        answers[known] = has_effect[(pairs[known, 0] > pairs[known, 1]).astype(np.int64), places[known]]
        if len(rest):
            answers[rest] = _effect(scene.battle_map, walls, Channel.EFFECT, bodies.spaces, pairs[rest])[0]
        return answers

    rows, columns = asked.sides()
    reach = reached(
        bodies,
        columns,
        effect_between,
        measures.diagonals,
        second_diagonal=measures.second_diagonal,
        dead_zone=measures.dead_zone,
        unarmed_threatens=measures.unarmed_threatens,
    )
    by_flanking = flanked(
        bodies,
        rows,
        columns,
        reach.threatens,
        partner=measures.partner,
        anchor=measures.anchor,
        corners=measures.corners,
        requires_adjacent=measures.requires_adjacent,
    )
    return {
        "in_reach": asked.among(reach.reaches[rows], rows, columns),
        "threatens": asked.among(reach.threatens[rows], rows, columns),
        "flanked": asked.among(by_flanking, rows, columns),
    }


def _facts_of_light(
    scene: Scene,
    obstacles: Obstacles,
    bodies: Bodies,
    asked: AskedPairs,
    known: tuple[Ints, Bools],
    measures: Measures,
) -> dict[str, Any]:
    """Return light and darkvision; of listed pairs who sees what is asked of these alone."""
    if scene.light == "bright":
        return {}
    rows, columns = asked.sides()
    if asked.listed:
        places = np.searchsorted(rows, asked.rows), np.searchsorted(columns, asked.columns)
        whole = np.zeros((len(rows), len(columns)), np.int32), np.zeros((len(rows), len(columns)), np.bool_)
        for values, of_pairs in zip(whole, known, strict=True):
            values[places] = of_pairs[:, 0]
        known = whole
    facts = light_facts(scene, obstacles, bodies, (rows, columns), known, measures.eyes)
    return {name: asked.among(values, rows, columns) for name, values in facts.items()}


def _facts_of_centres(
    scene: Scene, walls: tuple[Obstacles, Specials | None], bodies: Bodies, asked: AskedPairs, measures: Measures
) -> dict[str, Any]:
    if not measures.centre:
        return {}
    both = np.stack((asked.attackers, asked.targets), axis=1)
    return centre_facts(scene, walls, bodies, both, asked.shape, measures.terms)


def _effect(
    battle_map: BattleMap,
    walls: tuple[Obstacles, Specials | None],
    channel: Channel,
    spaces: Ints,
    pairs: Indices,
    choices: Choices | None = None,
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
    both: Indices,
    measures: Measures,
) -> _Unordered:
    """Return what the kernels find for pairs ``both (n, 2)`` of indices into ``spaces``."""
    obstacles, specials = walls
    choices = Choices.of(spaces, both, battle_map.cols)
    blocked = blocked_lines(obstacles, choices.squares)
    has_effect = has_sight = _effect(battle_map, walls, Channel.EFFECT, spaces, both, choices, blocked)
    if not are_channels_equal(battle_map) or (specials is not None and not specials.are_channels_equal):
        for_sight = obstacles_of(battle_map, Channel.SIGHT), specials
        has_sight = _effect(battle_map, for_sight, Channel.SIGHT, spaces, both)
    uncut = obstacles.uncut
    hiding = None
    some_free = np.repeat((blocked != ALL_BLOCKED)[:, None], 2, axis=1)
    if specials is not None:
        creatures = np.repeat(both, np.diff(choices.starts), axis=0)
        hiding = hiding_of(battle_map, specials, obstacles, creatures, choices.squares, blocked, uncut, measures.terms)
        some_free = any_free(hiding)
    is_free = some_free.T
    if len(some_free) > len(both) > 0:
        is_free = np.logical_or.reduceat(some_free, choices.starts[:-1]).T
    return _Unordered(choices, blocked, np.stack((has_effect, has_sight, is_free)), uncut, hiding)
