"""The facts of all pairs of a scene's creatures: the kernels asked once for every two creatures, read both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridlos import grid
from gridlos.battlemap import BattleMap
from gridlos.facts import Bools, Hidden, Ints, Masks, PairFacts
from gridlos.kernels import line, pairs
from gridlos.questions.area import hidden_areas
from gridlos.questions.between import SOFT_LINES, known_soft_lines
from gridlos.questions.centre import centre_facts
from gridlos.questions.choices import AskedPairs
from gridlos.questions.concealment import concealing_lines, conceals, target_concealment
from gridlos.questions.creatures import Bodies, soft_lines
from gridlos.questions.flanking import everybody_measured, flanked, reached
from gridlos.questions.hiding import ALL_BLOCKED, Hiding, Terms, hiding_of
from gridlos.questions.keeping import keep_freed_memory, once
from gridlos.questions.light import Eyes, light_facts
from gridlos.questions.obstacles import Obstacles
from gridlos.questions.plain import Plain, effect_between, plain_of
from gridlos.questions.specials import Specials
from gridlos.scene import Scene

__all__ = ["Measures", "facts_of_pairs", "flanked_by"]

Indices = NDArray[np.int64]
Lines = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Measures:
    """What an edition lays down about distances, reach, flanking and eyes, and which facts it needs.

    ``diagonals``, ``second_diagonal``, ``dead_zone`` and ``unarmed_threatens`` are arguments of
    :func:`gridlos.questions.flanking.reached`, ``partner`` to ``requires_adjacent`` of
    :func:`gridlos.questions.flanking.flanked`. ``creatures`` (on the lines), ``lines_along``, ``hidden_area``, ``flanking``
    and ``centre`` (the line between the centres) say whether those facts are wanted. ``low_light_doubles`` and
    ``darkvision_unlimited`` are told in :class:`gridlos.questions.light.Eyes`.
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
    creatures: bool = True
    lines_along: bool = False
    least_hidden: int = int(Hidden.QUARTER)
    low_obstacles: bool = False
    hidden_area: bool = False
    low_light_doubles: bool = False
    darkvision_unlimited: bool = False
    centre: bool = False

    @property
    def steps(self) -> tuple[bool, bool, bool]:
        """The last arguments of :func:`gridlos.kernels.pairs.measure`: how squares are counted, and what is within reach."""
        return grid.Diagonals(self.diagonals) is grid.Diagonals.EVERY_SECOND_DOUBLE, self.second_diagonal, self.dead_zone

    @property
    def reach_key(self) -> str:
        """Where it is kept with bodies who reaches whom with line of effect, ``(n, n)``."""
        return f"reaches {self.diagonals} {self.second_diagonal} {self.dead_zone}"

    @property
    def eyes(self) -> Eyes:
        """What holds for light and for those who see in the dark."""
        return Eyes(self.diagonals, self.low_light_doubles, self.darkvision_unlimited)

    @property
    def terms(self) -> Terms:
        """What holds for lines past special walls."""
        return Terms(self.least_hidden, self.low_obstacles, self.diagonals)


def facts_of_pairs(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    asked: AskedPairs,
    measures: Measures,
    more: Mapping[str, Any],
) -> PairFacts:
    """Return the facts of some pairs of a scene's creatures.

    ``walls`` are the plain ones that stop effect on the scene's map and the special ones, ``bodies`` all of its creatures, and
    ``more`` facts that are known, by their names.
    Each two creatures are asked about once; past plain walls, the lines of the way back are the same lines.
    """
    keep_freed_memory()
    battle_map, spaces = scene.battle_map, scene.spaces
    plain = plain_of(scene, walls, asked)
    hiding = _hiding_of(battle_map, plain, asked.pairs, measures.terms)
    terms = None if hiding is None else measures.terms
    answers = once(plain.more, ("answers", terms), lambda: _answers(plain, hiding, asked))
    effect, sight, is_free = map(asked.shaped, answers)
    distance, adjacent, relation, within = _measured(bodies, asked, measures)
    return PairFacts(
        distinct=asked.shaped(asked.pair) >= 0,
        distance=distance,
        adjacent=adjacent,
        line_of_effect=effect,
        line_of_sight=sight,
        any_free=is_free,
        choice_start=plain.order.starts,
        attacker_square=plain.ends[0],
        target_square=plain.ends[1],
        relation=relation,
        listed=asked.listed,
        **_facts_of_walls(plain, hiding, measures),
        **_facts_of_lines(scene, bodies, asked, plain, measures),
        **_facts_of_areas(battle_map, plain, measures),
        **_facts_of_concealed_targets(battle_map, spaces[asked.columns]),
        **_facts_of_reach(scene, walls, bodies, asked, (plain.answers[0], effect, within), measures),
        **_facts_of_light(scene, walls[0], bodies, asked, (distance, sight), measures),
        **_facts_of_centres(scene, walls, bodies, asked, measures),
        **more,
    )


def _measured(bodies: Bodies, asked: AskedPairs, measures: Measures) -> tuple[Ints, Bools, Masks, Bools]:
    """Return distance, adjacency, relation and who is within reach, where walls play no part, in the pairs' shape."""
    if asked.listed:
        found = pairs.measure(bodies.numbers, asked.attackers, asked.targets, *measures.steps)
    elif asked.is_everybody:
        found = everybody_measured(bodies, measures.steps)
    else:
        found = pairs.measure_all(bodies.numbers, asked.rows, asked.columns, *measures.steps)
    distance, adjacent, relation, within = map(asked.shaped, found)
    return distance, adjacent, relation, within


def _answers(plain: Plain, hiding: Hiding | None, asked: AskedPairs) -> Bools:
    """Return ``(3, P)``: line of effect, line of sight and a free corner line of the ordered pairs."""
    starts = plain.choices.starts
    some_free = (plain.blocked != ALL_BLOCKED)[None] if hiding is None else hiding.any_free(plain.blocked)
    if some_free.shape[1] > len(starts) - 1 > 0:
        some_free = np.logical_or.reduceat(some_free, starts[:-1], axis=1)
    both = np.concatenate((plain.answers, np.broadcast_to(some_free, plain.answers.shape[1:])[None]))
    found: Bools = pairs.answers_either_way(asked.pair, asked.turned, both)
    return found


def _facts_of_walls(plain: Plain, hiding: Hiding | None, measures: Measures) -> dict[str, Any]:
    """Return what walls hide on the lines, and which corners they cut off."""
    order, specials = plain.order, plain.walls[1]
    hard = once(plain.more, "hard", lambda: order.nibbles(plain.blocked, plain.blocked))
    if hiding is None or specials is None:
        usable, counted = plain.ends[2].T
        return {"hard": hard, "usable": usable, "counted": counted}
    found = hiding.facts(order, hard, plain.ends[2], specials.words)
    return {**found, "plain": hard if measures.hidden_area else None}


def _facts_of_lines(
    scene: Scene, bodies: Bodies, asked: AskedPairs, plain: Plain, measures: Measures
) -> dict[str, Any]:
    """Return what else lies on the lines: creatures, concealing squares, walls alongside."""
    battle_map, obstacles = scene.battle_map, plain.walls[0]
    both, order, choices = asked.pairs, plain.order, plain.choices
    facts: dict[str, Any] = {}
    lines = choices.starts, choices.squares

    def softly() -> tuple[Lines, Lines] | None:
        return soft_lines(bodies, both, *lines, (battle_map.rows, battle_map.cols))

    if not measures.creatures:
        soft = None
    elif asked.is_everybody:
        soft = once(bodies.kept, SOFT_LINES, softly)
    else:
        soft = known_soft_lines(bodies, both) if SOFT_LINES in bodies.kept else softly()
    if soft is not None:
        facts["soft"] = order.nibbles(*soft)
    concealing = once(
        plain.more,
        "concealing",
        lambda: concealing_lines(battle_map, bodies.spaces, both, *lines, counted=obstacles.uncut_at(choices.squares)),
    )
    if concealing is not None:
        for name in ("concealed", "concealed_at_border", "fog_depth"):
            levels = getattr(concealing, name)
            facts[name] = order.either_way(levels[:, 0], levels[:, 1])
    if measures.lines_along:
        along = once(
            plain.more,
            "along",
            lambda: line.lines_along(*obstacles.lines_at(choices.squares), choices.squares, plain.blocked, obstacles.size),
        )
        facts["along"] = order.nibbles(along, along)
    return facts


def _facts_of_areas(battle_map: BattleMap, plain: Plain, measures: Measures) -> dict[str, Any]:
    """Return what plain walls hide of the target squares; nothing of a creature from itself."""
    if not measures.hidden_area:
        return {}

    def found() -> NDArray[Any]:
        areas = np.full((len(plain.order.rows), 4), Fraction(0), np.object_)
        others = plain.order.rows >= 0
        places = [one[others].astype(np.int64) for one in plain.ends[:2]]
        squares = np.stack([one[:, 1] * battle_map.cols + one[:, 0] for one in places], axis=1)
        areas[others] = hidden_areas(battle_map, plain.walls[0], squares)
        return areas

    return {"hidden_area": once(plain.more, "areas", found)}


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
    in_reach = within & effect & (asked.shaped(asked.pair) >= 0)
    threatening = bodies.threatening(unarmed=measures.unarmed_threatens)
    facts = {"in_reach": in_reach, "threatens": in_reach & threatening[asked.rows][:, None]}
    if measures.flanking:
        facts["flanked"] = _flanked(scene, walls, bodies, asked, (has_effect, in_reach), measures)
    return facts


def _flanked(
    scene: Scene,
    walls: tuple[Obstacles, Specials | None],
    bodies: Bodies,
    asked: AskedPairs,
    known: tuple[Bools, Bools],
    measures: Measures,
) -> Bools:
    """Return flanking; ``known`` are the lines of effect of every two of the pairs, and who of the pairs is in reach."""
    has_effect, in_reach = known

    def has_effect_between(pairs: Indices) -> Bools:
        places = asked.place[pairs[:, 0], pairs[:, 1]]
        answers = np.zeros(len(pairs), np.bool_)
        known, rest = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        answers[known] = has_effect[(pairs[known, 0] > pairs[known, 1]).astype(np.int64), places[known]]
        if len(rest):
            answers[rest] = effect_between(scene.battle_map, walls, bodies.spaces, pairs[rest])[0]
        return answers

    rows, columns = asked.sides()
    reaches = bodies.kept.get(measures.reach_key) if asked.listed else None
    if reaches is not None:
        reaches[asked.rows, asked.columns] = in_reach[:, 0]  # some of them may have moved
        reaches = reaches[:, columns]
    elif asked.is_everybody:
        reaches = bodies.kept[measures.reach_key] = in_reach.copy()
    else:
        reaches = reached(
            bodies,
            columns,
            has_effect_between,
            measures.diagonals,
            second_diagonal=measures.second_diagonal,
            dead_zone=measures.dead_zone,
        ).reaches
    return asked.among(flanked_by(bodies, rows, columns, reaches, measures), rows, columns)


def flanked_by(bodies: Bodies, attackers: Indices, targets: Indices, reaches: Bools, measures: Measures) -> Bools:
    """Return whom of the targets the attackers flank, ``(A, T)``; ``reaches (n, T)`` is who of all creatures reaches these."""
    return flanked(
        bodies,
        attackers,
        targets,
        reaches & bodies.threatening(unarmed=measures.unarmed_threatens)[:, None],
        partner=measures.partner,
        anchor=measures.anchor,
        corners=measures.corners,
        requires_adjacent=measures.requires_adjacent,
    )


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

    def found() -> dict[str, Any]:
        both = np.stack((asked.attackers, asked.targets), axis=1)
        return centre_facts(scene, walls, bodies, both, asked.shape, measures.terms)

    return once(bodies.kept, ("centres", measures.terms, *walls), found) if asked.is_everybody else found()


def _hiding_of(battle_map: BattleMap, plain: Plain, both: Indices, terms: Terms) -> Hiding | None:
    """Return what special walls do to the lines of the pairs ``both (n, 2)``; None where there are none."""
    obstacles, specials = plain.walls
    if specials is None:
        return None
    choices = plain.choices

    def found() -> Hiding | None:
        creatures = np.repeat(both, np.diff(choices.starts), axis=0)
        return hiding_of(battle_map, specials, obstacles, creatures, choices.squares, plain.blocked, terms)

    hiding: Hiding | None = once(plain.more, terms, found)
    return hiding
