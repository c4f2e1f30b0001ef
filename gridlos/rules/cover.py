"""Cover: the corner that each attacker takes, what walls and creatures block from there, and the degrees they give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gridlos.errors import QuestionError
from gridlos.facts import Attack, Bools, Masks, PairFacts
from gridlos.rules.corners import (
    N_CLASSES,
    Choosing,
    Chosen,
    Keys,
    class_of,
    class_parts,
    keys_of,
    ranks_of,
    worst_keys,
)
from gridlos.rules.kinds import Statistic
from gridlos.rules.model import Edition
from gridlos.rules.stacking import modifier_sum
from gridlos.verdict import Modifier

__all__ = ["FORBIDDEN", "Cover", "choosing_of", "cover_of", "modifiers_by"]

FORBIDDEN = 10_000
"""The penalty of a degree that forbids the attack: more than modifiers can add up to."""

_ALL_BLOCKED = np.uint8(4 * 25 + 4)
"""The class of a corner whose lines walls block all."""

_CORRIDORS = np.array([[[3, 3, 12, 12]], [[5, 10, 5, 10]]], np.uint8)
"""For squares in one row and in one column: the lines of each attacker corner that run along both walls between."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """What was found for every pair, ``(A, T)`` each but for ``chosen``.

    Attributes
    ----------
    chosen
        The choice and corner from which the lines run.
    hard, soft
        uint8 codes: the degree by walls, or for want of line of effect, and the degree by creatures.
    by_creatures
        Whether a creature blocks a line from the corner, where that counts.
    lines
        uint8: lines that walls or creatures block.
    all_corners
        Whether all corners of the attacker's square count.
    """

    chosen: Chosen
    hard: Masks
    soft: Masks
    by_creatures: Bools
    lines: Masks
    all_corners: Bools


@dataclass(frozen=True, slots=True, eq=False)
class _Scale:
    """What each class of four lines means in an edition: its rank for the attacker and its degrees, ``(125,)`` each."""

    ranks: Keys
    hard: Masks
    soft: Masks


def cover_of(
    edition: Edition, facts: PairFacts, attack: Attack, effect: Bools, ranged_when_adjacent: Bools | None
) -> Cover:
    """Return the cover of every pair; ``effect (A, T)`` is where there is line of effect.

    ``ranged_when_adjacent``: as in :class:`gridlos.rules.judge.Question`.
    """
    table = edition.table
    adjacent_melee = facts.adjacent & (attack is Attack.MELEE)
    if table.adjacent_melee.large_creatures == "ranged" and ranged_when_adjacent is not None:
        adjacent_melee &= ~ranged_when_adjacent[:, None]
    all_corners = adjacent_melee & (table.adjacent_melee.corners == "all")
    choosing = choosing_of(edition, facts, attack)
    hard, soft = _hard_lines(edition, facts), _soft_lines(edition, facts, attack, adjacent_melee)
    classes = class_of(table.cut_corners, facts.counted[:, None], hard, soft)
    best, worst = _scales(edition, attack)
    keys = keys_of(best.ranks.take(classes), choosing.usable)
    if all_corners.any():
        rows = np.flatnonzero(_by_choice(all_corners, facts))
        keys[rows] = worst_keys(classes[rows], choosing.usable[rows], worst.ranks)
    chosen = choosing.chosen(keys)
    found = classes[chosen.index, chosen.corner]
    found[choosing.usable.take(chosen.index) == 0] = _ALL_BLOCKED
    found = found.reshape(facts.shape)
    _, creatures, together = class_parts()
    degree = np.where(all_corners, worst.hard.take(found), best.hard.take(found))
    degree[~effect] = table.degrees.index(table.without_line_of_effect)
    by_creatures = creatures.take(found) > 0
    return Cover(
        chosen=chosen,
        hard=degree,
        soft=best.soft.take(found),
        by_creatures=by_creatures,
        lines=together.take(found),
        all_corners=all_corners,
    )


def choosing_of(edition: Edition, facts: PairFacts, attack: Attack) -> Choosing:
    """Return what the attackers choose among."""
    table, is_ranged = edition.table, attack is Attack.RANGED
    return Choosing.of(
        facts,
        cut_corners=table.cut_corners,
        outer_corners=is_ranged and table.attacker_corners == "outer",
        all_squares=is_ranged and table.target_squares == "all",
    )


def modifiers_by(edition: Edition, degrees: Iterable[str], attack: Attack) -> list[Modifier]:
    """Return the modifiers that degrees of cover bring in such an attack."""
    table = edition.table
    names = dict.fromkeys(name for degree in degrees for name in table.degree[degree].rules)
    return [
        Modifier(statistic.value, rule.value(statistic, attack), rule.type, name, rule.text)
        for name, rule in ((name, table.rules[name]) for name in names)
        for statistic in rule.modifiers
    ]


def _by_choice(pairs: Bools, facts: PairFacts) -> Bools:
    """Return for every choice what holds for its pair, ``(C,)``."""
    return np.repeat(pairs.ravel(), np.diff(facts.choice_start))


def _hard_lines(edition: Edition, facts: PairFacts) -> Masks:
    """Return the lines that count as blocked by walls, ``(C, 4)``."""
    table = edition.table
    if table.edge_contact == "clear":
        return facts.hard
    if facts.along is None:
        raise QuestionError("edge_contact: these facts do not tell which lines run along walls")
    if table.corridors == "count":
        return facts.along
    apart = facts.attacker_square != facts.target_square
    is_open = ~facts.hard.any(axis=1)
    is_corridor = np.zeros(len(apart), np.bool_)
    for axis, lines in enumerate(_CORRIDORS):
        along_both = ((facts.along & lines) == lines).all(axis=1)
        is_corridor |= is_open & apart[:, axis] & ~apart[:, 1 - axis] & along_both
    return np.where(is_corridor[:, None], facts.hard, facts.along)


def _soft_lines(edition: Edition, facts: PairFacts, attack: Attack, adjacent_melee: Bools) -> Masks | None:
    """Return the lines that count as blocked by creatures, ``(C, 4)``; None: no line."""
    table, soft = edition.table, facts.soft
    if soft is None or table.soft_cover is None:
        return None
    if attack is Attack.RANGED:
        return soft
    in_reach = table.soft_cover.reach == "applies"
    adjacent = table.adjacent_melee.creatures == "count"
    if in_reach == adjacent:
        return soft if adjacent else None
    counts = np.where(adjacent_melee, adjacent, in_reach)
    return np.where(_by_choice(counts, facts)[:, None], soft, np.uint8(0))


@lru_cache(maxsize=64)
def _scales(edition: Edition, attack: Attack) -> tuple[_Scale, _Scale]:
    """Return the meaning of the classes from the best corner, and where all corners count."""
    table = edition.table
    walls, creatures, together = class_parts()
    soft = np.zeros(N_CLASSES, np.uint8)
    if table.soft_cover is not None:
        by_lines = np.array([table.degrees.index(word) for word in table.soft_cover.blocked_lines], np.uint8)
        soft = np.where(creatures > 0, by_lines.take(together), soft)
    scales = []
    for words in (table.blocked_lines, table.adjacent_melee.blocked_lines or table.blocked_lines):
        hard = np.array([table.degrees.index(word) for word in words], np.uint8).take(walls)
        pairs = list(zip(hard.tolist(), soft.tolist(), strict=True))
        penalties = {pair: _penalty(edition, [table.degrees[code] for code in pair], attack) for pair in set(pairs)}
        ranks = ranks_of(np.array([penalties[pair] for pair in pairs], np.int64))
        scales.append(_Scale(ranks, hard, soft))
    return scales[0], scales[1]


def _penalty(edition: Edition, degrees: list[str], attack: Attack) -> int:
    """Return what degrees cost the attacker together: what they add to the defense and take from the attack."""
    if any(edition.table.degree[degree].forbids_attack for degree in degrees):
        return FORBIDDEN
    given, stacking = modifiers_by(edition, degrees, attack), edition.table.stacking
    return modifier_sum(given, Statistic.DEFENSE, stacking) - modifier_sum(given, Statistic.ATTACK, stacking)
